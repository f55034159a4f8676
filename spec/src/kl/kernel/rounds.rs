//! Rounds and runs as a whole: a round of Algorithm 1, and the gradients of a run of Algorithm 3. F is a map into ℝ^1, whose one
//! entry is o, and a power x^a is exp(a·log x).

use super::gradients::cauchy;
use super::lower::{log_exp, products};
use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, counted, exp_log, exp_sum, instance, inverse, larger, largest, root_increases,
    sum_over, telescope, triangle,
};
use dp_assay_kernel::search::exp::{exp_increases, log_at_least, log_increases, log_product};
use dp_assay_kernel::search::item;
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::statement::{Context, Goal, Sort, Statement};
use dp_assay_kernel::term::var;

/// `kl-fact-nonsmooth`: where F is smooth with a constant L₁ along the step to y = x − ∇F(x)/L₁, and least at its minimiser, an excess E > 0
/// with KL* is not small. So there is no L₁ where such excesses are arbitrarily small. s is κ − 2.
pub fn nonsmooth() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           real κ > 0
           real s > 0
           real γ > 0
           real L₁ > 0
           assume s = κ − 2
           map F of ℝ^d into ℝ^1
           index o<1
           vector x ∈ ℝ^d
           vector w⋆ ∈ ℝ^d
           vector g ∈ ℝ^d
           real E > 0
           assume E = F(x)[o] − F(w⋆)[o]
           define y(j<d) := x_j − g_j/L₁
           assume F(⟨y(j) : j<d⟩)[o] ≤ F(x)[o] + (Σ_{j<d} g_j·(y(j) − x_j)) + (L₁/2)·(Σ_{j<d} \
               (y(j) − x_j)²)
           assume F(w⋆)[o] ≤ F(⟨y(j) : j<d⟩)[o]
           assume exp((1/κ)·log(E)) ≤ γ·‖g‖
         holds
           ‖g‖² ≤ 2·L₁·E; exp(((−1)·κ/s)·log(2·γ²·L₁)) ≤ E",
    )
}

/// The proof of [`nonsmooth`], or of a statement with a larger constant: E^{2/κ} ≤ γ²·‖g‖² ≤ 2γ²L₁·E.
pub fn prove_nonsmooth(statement: &Statement) -> Proof {
    let h = &statement.context;
    let (named, excess, smooth, least, valley) = (
        given(h, 0)?,
        given(h, 1)?,
        given(h, 2)?,
        given(h, 3)?,
        given(h, 4)?,
    );
    let parts: &[(&str, &[&Theorem])] = &[
        ("(−2)·L₁", &[&excess]),
        ("2·L₁", &[&smooth]),
        ("2·L₁", &[&least]),
    ];
    let slope = show(h, "‖g‖² ≤ 2·L₁·E", parts)?;
    let half = term(h, "(1/κ)·log(E)")?;
    let square = exp_sum(h, &half, &half)?;
    let power = "exp((2/κ)·log(E)) ≤ 2·γ²·L₁·E";
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&square]),
        ("exp((1/κ)·log(E)) + γ·‖g‖", &[&valley]),
        ("γ²", &[&slope]),
    ];
    let size = log_at_least(&show(h, power, parts)?)?;
    let [_, split] = log_product(h, &term(h, "2·γ²·L₁")?, &var("E"))?;
    // (2/κ)·log E ≤ log(2γ²L₁) + log E, where 1 − 2/κ = s/κ.
    let order = "((−1)·κ/s)·log(2·γ²·L₁) ≤ log(E)";
    let parts: &[(&str, &[&Theorem])] = &[
        ("κ/s", &[&size]),
        ("κ/s", &[&split]),
        ("(−1)·log(E)/s", &[&named]),
    ];
    let (grown, of_e) = (
        exp_increases(&show(h, order, parts)?)?,
        exp_log(h, &var("E"))?,
    );
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[("1", &[&slope])]),
            &|h, goal| settle(h, goal, &[("1", &[&grown]), ("1", &[&of_e])]),
        ],
    )
}

/// `kl-thm-1-phase-repaired`: in round k, P is Φ̂_{k−1}, Φ is Φ̂_k and q = ⌊T_k⌋ + 1 the number of steps if no test fails; m_t is the estimate
/// at w_t, of norm M_t, and g_t the gradient. Smoothness is supposed along the steps; KL* is supposed where the test fails, which
/// y > 0 says for an excess of 0, too.
pub fn phase() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           integer q ≥ 1
           real κ > 0
           real γ > 0
           real L₁ > 0
           real F₀ > 0
           real P > 0
           real Φ > 0
           real f > 0
           define c := 1 + exp(((2 − κ)/κ)·log(F₀))/(64·γ²·L₁)
           assume Φ = max(P/c, f)
           assume exp(((2 − κ)/κ)·(log(F₀) − log(Φ))) ≤ q
           define a := exp((1/κ)·log(Φ))/(4·γ)
           map F of ℝ^d into ℝ^1
           index o<1
           real F⋆
           sequence w in ℝ^d
           sequence g in ℝ^d
           sequence m in ℝ^d
           vector M ∈ ℝ^q, all > 0
           assume for every index t<q: M_t² = Σ_{j<d} m_t[j]²
           assume for every index t<q: ‖⟨m_t[j] − g_t[j] : j<d⟩‖ ≤ exp((1/κ)·log(Φ))/(8·γ)
           define s(t<q, j<d) := (a/(L₁·M_t))·m_t[j]
           assume for every index t<q: for every index j<d: w[t + 1][j] = w_t[j] − s(t, j)
           assume for every index t<q: F(w[t + 1])[o] ≤ F(w_t)[o] − (Σ_{j<d} g_t[j]·s(t, j)) + \
               (L₁/2)·(Σ_{j<d} s(t, j)²)
           assume F(w[0])[o] − F⋆ ≤ P
           index z<q
           assume for every real y > 0: F(w_z)[o] − F⋆ ≤ exp(κ·log(max(γ·‖g_z‖, y)))
         holds
           if M_z ≤ (7/8)·exp((1/κ)·log(Φ))/γ: F(w_z)[o] − F⋆ ≤ Φ; if for every index t<q: \
               (7/8)·exp((1/κ)·log(Φ))/γ ≤ M_t: F(w_q)[o] − F⋆ ≤ Φ",
    )
}

/// The proof of [`phase`], or of a statement with larger constants.
pub fn prove_phase(statement: &Statement) -> Proof {
    each(statement, &[&stopped, &all_steps])
}

/// The norm test fails at z: ‖g_z‖ ≤ Φ^{1/κ}/γ.
fn stopped(h: &Context, goal: &Goal) -> Proof {
    let z = var("z");
    let (named, near) = (
        instance(h, &given(h, 2)?, &z)?,
        instance(h, &given(h, 3)?, &z)?,
    );
    let small = given(h, 8)?;
    let size = root_increases(&show(h, "Σ_{j<d} m_z[j]² ≤ M_z²", &[("(−1)", &[&named])])?)?;
    let apart = triangle(h, &term(h, "m_z")?, &term(h, "⟨m_z[j] − g_z[j] : j<d⟩")?)?;
    let root = "exp((1/κ)·log(Φ))";
    let slope = format!("γ·‖g_z‖ ≤ {root}");
    let parts: &[(&str, &[&Theorem])] = &[
        ("γ", &[&apart]),
        ("γ", &[&size]),
        ("γ", &[&small]),
        ("γ", &[&near]),
    ];
    let slope = show(h, &slope, parts)?;
    let most = largest(&slope, &show(h, &format!("{root} ≤ {root}"), &[])?)?;
    let logs = log_increases(&most)?;
    let [_, own] = log_exp(h, "(1/κ)·log(Φ)")?;
    let order = format!("κ·log(max(γ·‖g_z‖, {root})) ≤ log(Φ)");
    let grown = exp_increases(&show(h, &order, &[("κ", &[&logs]), ("κ", &[&own])])?)?;
    let valley = instance(h, &given(h, 7)?, &term(h, root)?)?;
    let of_phi = exp_log(h, &var("Φ"))?;
    settle(
        h,
        goal,
        &[("1", &[&valley]), ("1", &[&grown]), ("1", &[&of_phi])],
    )
}

/// No test fails: q steps take off T_k·Φ^{2/κ}/(64γ²L₁) = (c − 1)·Φ, and P ≤ c·Φ.
fn all_steps(h: &Context, goal: &Goal) -> Proof {
    let k = &h.extended(item("k", Sort::Index(var("q"))))?;
    let at = |n| instance(k, &given(h, n)?, &var("k"));
    let (named, near, smooth, long) = (at(2)?, at(3)?, at(5)?, at(8)?);
    let product = cauchy(k, "⟨m_k[j] − g_k[j] : j<d⟩", "m_k")?;
    let size = root_increases(&show(k, "Σ_{j<d} m_k[j]² ≤ M_k²", &[("(−1)", &[&named])])?)?;
    let half = term(k, "(1/κ)·log(Φ)")?;
    let square = exp_sum(k, &half, &half)?;
    let error = "‖⟨m_k[j] − g_k[j] : j<d⟩‖";
    let gain = "exp((2/κ)·log(Φ))/(64·γ²·L₁)";
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&smooth]),
        ("a/(L₁·M_k)", &[&product]),
        (&format!("a·{error}/(L₁·M_k)"), &[&size]),
        ("a/(L₁·M_k) − a²/(2·L₁·M_k²)", &[&named]),
        ("a/L₁", &[&long]),
        ("a/L₁", &[&near]),
        ("7/(256·γ²·L₁)", &[&square]),
    ];
    let falls = show(
        k,
        &format!("F(w[k + 1])[o] − F(w_k)[o] ≤ (−1)·{gain}"),
        parts,
    )?;
    let falls = sum_over(&falls)?;
    let all = telescope(h, "k", &var("q"), &term(k, "F(w_k)[o]")?)?;
    // T_k·Φ^{2/κ} = F₀^{(2−κ)/κ}·Φ.
    let [a, b] = ["((2 − κ)/κ)·(log(F₀) − log(Φ))", "(2/κ)·log(Φ)"];
    let [c, e] = ["((2 − κ)/κ)·log(F₀)", "log(Φ)"];
    let order = show(h, &format!("{c} + {e} ≤ {a} + {b}"), &[])?;
    let powers = products(h, [c, e, a, b], &order)?;
    let (of_phi, many) = (exp_log(h, &var("Φ"))?, given(h, 1)?);
    // P ≤ c·Φ.
    let target = given(h, 0)?;
    let share = larger(h, &term(h, "P/c")?, &var("f"), false)?;
    let unit = inverse(h, &term(h, "c")?)?;
    let start = given(h, 6)?;
    let scale = "1/(64·γ²·L₁)";
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&start]),
        ("(−1)", &[&all]),
        ("1", &[&falls]),
        (gain, &[&many]),
        (scale, &[&powers]),
        (&format!("(−1)·{scale}·exp({c})"), &[&of_phi]),
        ("c", &[&share]),
        ("(−1)·c", &[&target]),
        ("(−1)·P", &[&unit]),
    ];
    settle(h, goal, parts)
}

/// `kl-thm-5-avg`: g_t is ∇F(w_t), and y the end of a step of length 1/L₁ along it, for which smoothness is supposed.
pub fn average() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           integer T ≥ 1
           real L₁ > 0
           real F₀ > 0
           real b > 0
           map F of ℝ^d into ℝ^1
           index o<1
           real F⋆
           sequence w in ℝ^d
           sequence g in ℝ^d
           assume for every vector x ∈ ℝ^d: F⋆ ≤ F(x)[o]
           assume F(w[0])[o] − F⋆ ≤ F₀
           assume (‖g[0]‖² − b²)/(8·L₁) ≤ F(w[0])[o] − F(w[1])[o]
           assume for every index t<T: (‖g[t + 1]‖² − b²)/(8·L₁) ≤ F(w[t + 1])[o] − F(w[t + 2])[o]
           define y(t<T, j<d) := w[t + 1][j] − g[t + 1][j]/L₁
           assume for every index t<T: F(⟨y(t, j) : j<d⟩)[o] ≤ F(w[t + 1])[o] + (Σ_{j<d} g[t + \
               1][j]·(y(t, j) − w[t + 1][j])) + (L₁/2)·(Σ_{j<d} (y(t, j) − w[t + 1][j])²)
         holds
           (Σ_{t<T} ‖g[t + 1]‖)/T ≤ √(8·F₀·L₁/T) + b",
    )
}

/// The proof of [`average`], or of a statement with larger constants. Unless b is large the squares add up to at most
/// 8L₁F₀ + (T + 1)·b²; and if it is, b·‖g_t‖ − b² is at most how far max(0, 8L₁·(F(w_t) − F⋆) − 4b²)/2 falls, which begins at 0.
pub fn prove_average(statement: &Statement) -> Proof {
    let h = &statement.context;
    let root = "√(8·F₀·L₁/T)";
    either(
        h,
        [&var("b"), &term(h, &format!("2·T·{root}"))?],
        |h, case, small| {
            let found = match small {
                true => by_squares(h, case, root)?,
                false => by_potential(h, case, root)?,
            };
            settle(h, &statement.goal, &[("1", &[&found])])
        },
    )
}

fn by_squares(h: &Context, case: &Theorem, root: &str) -> Proof {
    let k = &h.extended(item("k", Sort::Index(var("T"))))?;
    let fall = sum_over(&instance(k, &given(h, 3)?, &var("k"))?)?;
    let all = telescope(h, "k", &var("T"), &term(k, "F(w[k + 1])[o]")?)?;
    let last = instance(h, &given(h, 0)?, &term(h, "w[T + 1]")?)?;
    let (start, first) = (given(h, 1)?, given(h, 2)?);
    let squares = "Σ_{t<T} ‖g[t + 1]‖² ≤ 8·L₁·F₀ + (T + 1)·b²";
    let parts: &[(&str, &[&Theorem])] = &[
        ("8·L₁", &[&fall]),
        ("(−8)·L₁", &[&all]),
        ("8·L₁", &[&last]),
        ("8·L₁", &[&start]),
        ("8·L₁", &[&first]),
        ("‖g[0]‖²", &[]),
    ];
    let squares = show(h, squares, parts)?;
    let mean = "(Σ_{t<T} ‖g[t + 1]‖)/T";
    let spread = format!("(Σ_{{t<T}} (‖g[t + 1]‖ − {mean})²)/T");
    let goal = format!("({mean})² ≤ ({root} + b)²");
    let parts: &[(&str, &[&Theorem])] = &[(&spread, &[]), ("1/T", &[&squares]), ("b/T", &[case])];
    root_increases(&show(h, &goal, parts)?)
}

fn by_potential(h: &Context, case: &Theorem, root: &str) -> Proof {
    let k = &h.extended(item("k", Sort::Index(var("T"))))?;
    let fall = instance(k, &given(h, 3)?, &var("k"))?;
    let smooth = instance(k, &given(h, 4)?, &var("k"))?;
    let end = instance(k, &given(h, 0)?, &term(k, "⟨y(k, j) : j<d⟩")?)?;
    let slope = "‖g[k + 1]‖² ≤ 2·L₁·(F(w[k + 1])[o] − F⋆)";
    let slope = show(k, slope, &[("2·L₁", &[&smooth]), ("2·L₁", &[&end])])?;
    let excess = |t: &str| format!("(8·L₁·(F(w[{t}])[o] − F⋆) − 4·b²)/2");
    let (now, then) = (excess("k + 1"), excess("k + 2"));
    let psi = |x: &str| format!("max(0, {x})");
    let (none, above) = (
        larger(k, &term(k, "0")?, &term(k, &now)?, false)?,
        larger(k, &term(k, "0")?, &term(k, &now)?, true)?,
    );
    let left = format!("{} − (b·‖g[k + 1]‖ − b²)", psi(&now));
    let size = term(k, "‖g[k + 1]‖")?;
    let not_negative = either(k, [&size, &var("b")], |k, case, small| {
        let goal = format!("0 ≤ {left}");
        match small {
            true => show(k, &goal, &[("1", &[&none]), ("b", &[case])]),
            false => show(
                k,
                &goal,
                &[
                    ("1", &[&above]),
                    ("2", &[&slope]),
                    ("2·‖g[k + 1]‖ + b", &[case]),
                ],
            ),
        }
    })?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&above]),
        ("4·L₁", &[&fall]),
        ("(b − ‖g[k + 1]‖)²/2", &[]),
    ];
    let falls = largest(&not_negative, &show(k, &format!("{then} ≤ {left}"), parts)?)?;
    let falls = sum_over(&falls)?;
    let all = telescope(h, "k", &var("T"), &term(k, &psi(&now))?)?;
    let last = larger(h, &term(h, "0")?, &term(h, &excess("T + 1"))?, false)?;
    // It begins at 0: 8L₁·(F(w_1) − F⋆) ≤ 8L₁F₀ + b² ≤ 4b².
    let (start, first) = (given(h, 1)?, given(h, 2)?);
    let one = counted(h, &var("T"))?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("4·L₁", &[&start]),
        ("4·L₁", &[&first]),
        (&format!("(b + 2·T·{root})/(8·T)"), &[case]),
        ("b²/(8·T)", &[&one]),
        ("‖g[0]‖²/2", &[]),
    ];
    let begins = show(h, &format!("{} ≤ 0", excess("1")), parts)?;
    let begins = largest(&show(h, "0 ≤ 0", &[])?, &begins)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1/(b·T)", &[&falls]),
        ("(−1)/(b·T)", &[&all]),
        ("1/(b·T)", &[&last]),
        ("1/(b·T)", &[&begins]),
        (root, &[]),
    ];
    show(h, &format!("(Σ_{{t<T}} ‖g[t + 1]‖)/T ≤ {root} + b"), parts)
}
