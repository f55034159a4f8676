//! How far from w₀ the points of Algorithms 1 and 4 are. A power x^a is exp(a·log x).

use super::gradients::cauchy;
use super::lower::products;
use super::regularised::shorter;
use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, at_most_one, exchange, exp_sum, instance, inverse, larger, largest, root_increases,
    sum_over, tangent, telescope, triangle,
};
use dp_assay_kernel::search::cases::{apply, split};
use dp_assay_kernel::search::exp::exp_of_zero;
use dp_assay_kernel::search::item;
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::statement::{Context, Sort, Statement};
use dp_assay_kernel::term::var;

/// The way through R rounds of Algorithm 1, of which number i is round i + 1 in print: x_i is where it begins, φ_i the logarithm of its Φ̂, which is
/// at most F₀ by `kl-par-alg-1`, and p_i how often its loop is passed, the last time with t = p_i − 1 ≤ T_i. Of its steps the first τ_i are
/// on the way, to what is carried or, in the last round, to what is spoken of; w(i, s) is where s of them have led, and u is an estimate
/// divided by its norm.
const ROUNDS: &str = "for all
    integer n ≥ 1
    integer d ≥ 1
    integer R ≥ 1
    integer Q ≥ 1
    real κ > 0
    real γ > 0
    real L₀ > 0
    real L₁ > 0
    real ρ > 0
    real F₀ > 0
    assume 1 ≤ κ
    assume κ ≤ 2
    define K := (1 + 64·exp(((κ − 2)/κ)·log(F₀))·γ²·L₁)·(log(F₀) + κ·log(n·√(ρ)/(γ·L₀·√(d))))
    assume R ≤ K
    index o<1
    sequence φ in ℝ^1
    assume for every index i<R: φ_i[o] ≤ log(F₀)
    define T(v∈ℝ^1) := exp(((2 − κ)/κ)·(log(F₀) − v_o))
    sequence p in ℝ^1
    assume for every index i<R: p_i[o] ≤ T(φ_i) + 1
    sequence x in ℝ^d
    sequence τ in ℝ^1
    map w of ℝ^1 × ℝ^1 into ℝ^d
    map u of ℝ^1 × ℝ^1 into ℝ^d
    assume for every index i<R: for every index s<Q: ‖u(⟨i : q<1⟩, ⟨s : q<1⟩)‖ ≤ 1
    assume for every index i<R: for every index j<d: w(⟨i : q<1⟩, ⟨0 : q<1⟩)[j] = x_i[j]
    assume for every index i<R: for every index s<Q: for every index j<d: w(⟨i : q<1⟩, ⟨s + 1 : \
        q<1⟩)[j] = w(⟨i : q<1⟩, ⟨s : q<1⟩)[j] − 𝟙(s + 1 ≤ \
        τ_i[o])·(exp((1/κ)·φ_i[o])/(4·γ·L₁))·u(⟨i : q<1⟩, ⟨s : q<1⟩)[j]
    assume for every index i<R: for every index j<d: x[i + 1][j] = w(⟨i : q<1⟩, ⟨Q : q<1⟩)[j]
    ";

/// `kl-lem-1`: another round follows number i where i + 3/2 ≤ R, and then what is carried is one pass back, or w(i, 0) if the loop is not
/// passed.
pub fn lemma_1() -> Result<Statement, Stuck> {
    let text = "assume for every index i<R: if i + 3/2 ≤ R: τ_i[o] ≤ max(p_i[o] − 1, 0)
        assume for every index i<R: if R ≤ i + 3/2: τ_i[o] ≤ T(φ_i)
        holds
          ‖⟨x_R[j] − x[0][j] : j<d⟩‖ ≤ K·exp((1/κ)·log(F₀))/(4·γ·L₁); \
              K·exp((1/κ)·log(F₀))/(4·γ·L₁) = (exp((1/κ)·log(F₀))/(4·γ·L₁) + 16·exp(((κ − \
              1)/κ)·log(F₀))·γ)·(log(F₀) + κ·log(n·√(ρ)/(γ·L₀·√(d))))";
    render::parse(&format!("{ROUNDS}{text}"))
}

/// `kl-lem-1-repaired`: a gradient is taken behind every pass, too, and what is carried may be what the last one leads to.
pub fn lemma_1_repaired() -> Result<Statement, Stuck> {
    let text = "assume for every index i<R: τ_i[o] ≤ max(p_i[o], 0)
        holds
          ‖⟨x_R[j] − x[0][j] : j<d⟩‖ ≤ 2·K·exp((1/κ)·log(F₀))/(4·γ·L₁)";
    render::parse(&format!("{ROUNDS}{text}"))
}

/// Σ_{s<Q} 𝟙(s + 1 ≤ t) ≤ t + max(0 − t, 0), of a count by name: min(s, t) grows by 1 where s + 1 ≤ t, and never falls.
pub(super) fn steps(h: &Context, count: &str, t: &str) -> Proof {
    let s = &h.extended(item("s", Sort::Index(var(count))))?;
    let top = |s: &str| format!("max({s} − {t}, 0)");
    let [now, next] = [top("s"), top("s + 1")];
    let zero = term(s, "0")?;
    let below = |here: &Context, text: &str| show(here, text, &[]);
    let grown = format!("𝟙(s + 1 ≤ {t}) ≤ 1 − {next} + {now}");
    let each = split(
        s,
        [&term(s, "s + 1")?, &term(s, t)?],
        |here, on| {
            let none = largest(
                &show(here, &format!("s + 1 − {t} ≤ 0"), &[("1", &[on])])?,
                &below(here, "0 ≤ 0")?,
            )?;
            let positive = larger(here, &term(here, &format!("s − {t}"))?, &zero, true)?;
            let one = at_most_one(here, &term(here, &format!("𝟙(s + 1 ≤ {t})"))?)?;
            show(
                here,
                &grown,
                &[("1", &[&none]), ("1", &[&positive]), ("1", &[&one])],
            )
        },
        |here, off| {
            let [a, b] = [false, true]
                .map(|second| larger(here, &term(here, &format!("s − {t}"))?, &zero, second));
            let most = format!("{now} + 1");
            let first = show(here, &format!("s + 1 − {t} ≤ {most}"), &[("1", &[&a?])])?;
            let all = largest(
                &first,
                &show(here, &format!("0 ≤ {most}"), &[("1", &[&b?])])?,
            )?;
            show(here, &grown, &[("1", &[&all]), ("1", &[off])])
        },
    )?;
    let all = telescope(h, "s", &var(count), &term(s, &format!("s − {now}"))?)?;
    let above = larger(
        h,
        &term(h, &format!("{count} − {t}"))?,
        &term(h, "0")?,
        false,
    )?;
    show(
        h,
        &format!("Σ_{{s<{count}}} 𝟙(s + 1 ≤ {t}) ≤ {t} + max(0 − {t}, 0)"),
        &[
            ("1", &[&sum_over(&each)?]),
            ("1", &[&all]),
            ("1", &[&above]),
        ],
    )
}

/// ‖x − c‖ ≤ ‖y − c‖ where the entries of x and y are the same, by a fact for every index below d.
fn same(h: &Context, [x, y, c]: [&str; 3], fact: &Theorem) -> Proof {
    let inner = &h.extended(item("j", Sort::Index(var("d"))))?;
    let equal = instance(inner, fact, &var("j"))?;
    let square = |x: &str| format!("({x}[j] − {c}[j])²");
    let sum = format!("({x}[j] − {c}[j]) + ({y}[j] − {c}[j])");
    let goal = format!("{} ≤ {}", square(x), square(y));
    let all = sum_over(&show(inner, &goal, &[(&sum, &[&equal])])?)?;
    let size = |x: &str| format!("‖⟨{x}[j] − {c}[j] : j<d⟩‖²");
    root_increases(&show(
        h,
        &format!("{} ≤ {}", size(x), size(y)),
        &[("1", &[&all])],
    )?)
}

/// Where the way leads, by how many steps of a round, as a multiple of T, are on it at most.
fn way(h: &Context, times: &str, few: &dyn Fn(&Context) -> Proof) -> Proof {
    let i = &h.extended(item("i", Sort::Index(var("R"))))?;
    let s = &i.extended(item("s", Sort::Index(var("Q"))))?;
    let at = |here: &Context, n: usize| instance(here, &given(h, n)?, &var("i"));
    let [now, next] = ["s", "s + 1"].map(|s| format!("w(⟨i : q<1⟩, ⟨{s} : q<1⟩)"));
    let length = "exp((1/κ)·φ_i[o])/(4·γ·L₁)";
    // One step, at most so long.
    let direction = "u(⟨i : q<1⟩, ⟨s : q<1⟩)";
    let on = format!("𝟙(s + 1 ≤ τ_i[o])·({length})");
    let moved = instance(s, &at(i, 7)?, &var("s"))?;
    let unit = instance(s, &at(i, 5)?, &var("s"))?;
    let j = &s.extended(item("j", Sort::Index(var("d"))))?;
    let moved = instance(j, &moved, &var("j"))?;
    let square = format!("({next}[j] − {now}[j])² ≤ ({on}·{direction}[j])²");
    let both = format!("({next}[j] − {now}[j]) − {on}·{direction}[j]");
    let square = sum_over(&show(j, &square, &[(&both, &[&moved])])?)?;
    let size = format!("‖⟨{next}[j] − {now}[j] : j<d⟩‖");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&square]),
        (&format!("({on})²·(1 + ‖{direction}‖)"), &[&unit]),
    ];
    let step = root_increases(&show(s, &format!("{size}² ≤ ({on})²"), parts)?)?;
    let minus = |here: &Context, x: &str, y: &str| term(here, &format!("⟨{x}[j] − {y}[j] : j<d⟩"));
    let sum = triangle(s, &minus(s, &next, &now)?, &minus(s, "x[0]", &now)?)?;
    let far = |x: &str| format!("‖⟨{x}[j] − x[0][j] : j<d⟩‖");
    let goal = format!("{} − {} ≤ {on}", far(&next), far(&now));
    let steps_of = sum_over(&show(s, &goal, &[("1", &[&step]), ("1", &[&sum])])?)?;
    let ends = telescope(i, "s", &var("Q"), &term(s, &far(&now))?)?;
    // T_i·Φ^{1/κ} = F₀^{(2−κ)/κ}·Φ^{(κ−1)/κ} ≤ F₀^{1/κ}.
    let exponents = [
        "((2 − κ)/κ)·(log(F₀) − φ_i[o])",
        "(1/κ)·φ_i[o]",
        "(1/κ)·log(F₀)",
        "0",
    ];
    let order = format!(
        "{} + {} ≤ {} + {}",
        exponents[0], exponents[1], exponents[2], exponents[3]
    );
    let low = at(i, 3)?;
    let order = show(i, &order, &[("1/κ", &[&low, &given(h, 0)?])])?;
    let product = products(i, exponents, &order)?;
    let one = exp_of_zero(i)?;
    let (count, few) = (steps(i, "Q", "τ_i[o]")?, few(i)?);
    let [first, last] = ["x_i", "x[i + 1]"].map(far);
    let begin = same(i, ["w(⟨i : q<1⟩, ⟨0 : q<1⟩)", "x_i", "x[0]"], &at(i, 6)?)?;
    let end = same(
        i,
        ["x[i + 1]", "w(⟨i : q<1⟩, ⟨Q : q<1⟩)", "x[0]"],
        &at(i, 8)?,
    )?;
    let share = format!("{times}/(4·γ·L₁)");
    let most = format!("{times}·exp((1/κ)·log(F₀))/(4·γ·L₁)");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&begin]),
        ("1", &[&end]),
        ("(−1)", &[&ends]),
        ("1", &[&steps_of]),
        (length, &[&count]),
        (length, &[&few]),
        (&share, &[&product]),
        (&format!("(−1)·{share}·exp((1/κ)·log(F₀))"), &[&one]),
    ];
    let rounds = sum_over(&show(i, &format!("{last} − {first} ≤ {most}"), parts)?)?;
    let all = telescope(h, "i", &var("R"), &term(i, &first)?)?;
    let start = root_increases(&show(h, "Σ_{j<d} (x[0][j] − x[0][j])² ≤ 0²", &[])?)?;
    let few = given(h, 2)?;
    let goal = format!("{} ≤ K·{most}", far("x_R"));
    let unit = format!("{times}·exp((1/κ)·log(F₀))/(4·γ·L₁)");
    let parts: &[(&str, &[&Theorem])] = &[
        ("(−1)", &[&all]),
        ("1", &[&rounds]),
        ("1", &[&start]),
        (&unit, &[&few]),
    ];
    show(h, &goal, parts)
}

/// τ + max(0 − τ, 0) ≤ y from τ ≤ y, for y plainly ≥ 0.
fn counted(h: &Context, y: &str, fact: &Theorem) -> Proof {
    let most = format!("{y} − τ_i[o]");
    let first = show(h, &format!("0 − τ_i[o] ≤ {most}"), &[])?;
    let second = show(h, &format!("0 ≤ {most}"), &[("1", &[fact])])?;
    let both = largest(&first, &second)?;
    show(
        h,
        &format!("τ_i[o] + max(0 − τ_i[o], 0) ≤ {y}"),
        &[("1", &[&both])],
    )
}

/// The proof of [`lemma_1`], or of a statement with a larger bound.
pub fn prove_lemma_1(statement: &Statement) -> Proof {
    let h = &statement.context;
    let few = |i: &Context| {
        let at = |n: usize| instance(i, &given(h, n)?, &var("i"));
        let (passes, carried, last) = (at(4)?, at(9)?, at(10)?);
        let ends = [term(i, "i + 3/2")?, term(i, "R")?];
        let fact = either(i, [&ends[0], &ends[1]], |here, order, more| {
            if !more {
                return apply(here, &last, order);
            }
            let carried = apply(here, &carried, order)?;
            let back = show(here, "p_i[o] − 1 ≤ T(φ_i)", &[("1", &[&passes])])?;
            let most = largest(&back, &show(here, "0 ≤ T(φ_i)", &[])?)?;
            show(
                here,
                "τ_i[o] ≤ T(φ_i)",
                &[("1", &[&carried]), ("1", &[&most])],
            )
        })?;
        counted(i, "T(φ_i)", &fact)
    };
    let far = way(h, "1", &few)?;
    let sums = ["((κ − 2)/κ)·log(F₀)", "(1/κ)·log(F₀)"];
    let sum = exp_sum(h, &term(h, sums[0])?, &term(h, sums[1])?)?;
    let bracket = "16·γ·(log(F₀) + κ·log(n·√(ρ)/(γ·L₀·√(d))))";
    each(
        statement,
        &[&|h, goal| settle(h, goal, &[("1", &[&far])]), &|h, goal| {
            settle(h, goal, &[(&format!("(−1)·{bracket}"), &[&sum])])
        }],
    )
}

/// The proof of [`lemma_1_repaired`], or of a statement with a larger bound: T_i ≥ 1.
pub fn prove_lemma_1_repaired(statement: &Statement) -> Proof {
    let h = &statement.context;
    let few = |i: &Context| {
        let at = |n: usize| instance(i, &given(h, n)?, &var("i"));
        let (low, passes, carried) = (at(3)?, at(4)?, at(9)?);
        let above = tangent(i, &term(i, "((2 − κ)/κ)·(log(F₀) − φ_i[o])")?)?;
        let long = show(
            i,
            "1 ≤ T(φ_i)",
            &[("1", &[&above]), ("1/κ", &[&given(h, 1)?, &low])],
        )?;
        let twice = show(
            i,
            "p_i[o] ≤ 2·T(φ_i)",
            &[("1", &[&passes]), ("1", &[&long])],
        )?;
        let most = largest(&twice, &show(i, "0 ≤ 2·T(φ_i)", &[])?)?;
        let fact = show(
            i,
            "τ_i[o] ≤ 2·T(φ_i)",
            &[("1", &[&carried]), ("1", &[&most])],
        )?;
        counted(i, "2·T(φ_i)", &fact)
    };
    let far = way(h, "2", &few)?;
    settle(h, &statement.goal, &[("1", &[&far])])
}

/// `kl-lem-4-reading-alg-4`, for T calls: w_k is where call k begins, of whose S points p(k, s) all lie in the ball that line 3 projects on; B is
/// the T of Algorithm 2, and L₁ is L̃₁.
pub fn averages() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           integer T ≥ 1
           integer S ≥ 1
           real κ > 0
           real γ > 0
           real L₀ > 0
           real L₁ > 0
           real ρ > 0
           real F₀ > 0
           define B := (1 + 32·exp(((κ − 2)/κ)·log(F₀))·γ²·L₁)·(log(F₀) + κ·log(n·√(ρ)/(γ·L₀·√(d))))
           assume T ≤ B
           sequence w in ℝ^d
           map p of ℝ^1 × ℝ^1 into ℝ^d
           assume for every index k<T: for every index s<S: ‖⟨p(⟨k : q<1⟩, ⟨s : q<1⟩)[j] − w_k[j] \
               : j<d⟩‖ ≤ L₀/(2·L₁)
           assume for every index k<T: for every index j<d: w[k + 1][j] = (2/(S·(S + 1)))·(Σ_{s<S} \
               (s + 1)·p(⟨k : q<1⟩, ⟨s : q<1⟩)[j])
         holds
           ‖⟨w_T[j] − w[0][j] : j<d⟩‖ ≤ (L₀/(2·L₁) + 16·L₀·exp(((κ − 2)/κ)·log(F₀))·γ²)·(log(F₀) + \
               κ·log(n·√(ρ)/(γ·L₀·√(d))))",
    )
}

/// The proof of [`averages`], or of a statement with a larger bound: for the average y of vectors v_s from the centre, ‖y‖² is the average of the
/// ⟨y, v_s⟩, none more than ‖y‖·L₀/(2L₁).
pub fn prove_averages(statement: &Statement) -> Proof {
    let h = &statement.context;
    let k = &h.extended(item("k", Sort::Index(var("T"))))?;
    let s = &k.extended(item("s", Sort::Index(var("S"))))?;
    let j = &k.extended(item("j", Sort::Index(var("d"))))?;
    let at = |here: &Context, n: usize, x: &str| {
        instance(here, &instance(k, &given(h, n)?, &var("k"))?, &var(x))
    };
    let (near, mean) = (at(s, 1, "s")?, at(j, 2, "j")?);
    let (y, v) = (
        "⟨w[k + 1][j] − w_k[j] : j<d⟩",
        "⟨p(⟨k : q<1⟩, ⟨s : q<1⟩)[j] − w_k[j] : j<d⟩",
    );
    let product = cauchy(s, y, v)?;
    let radius = "L₀/(2·L₁)";
    let entry = "(w[k + 1][j] − w_k[j])";
    let inner = format!("(s + 1)·{entry}·(p(⟨k : q<1⟩, ⟨s : q<1⟩)[j] − w_k[j])");
    let one = format!("Σ_{{j<d}} {inner} ≤ (s + 1)·‖{y}‖·({radius})");
    let parts: &[(&str, &[&Theorem])] = &[
        ("s + 1", &[&product]),
        (&format!("(s + 1)·‖{y}‖"), &[&near]),
    ];
    let all = sum_over(&show(s, &one, parts)?)?;
    let swapped = exchange(
        k,
        ("s", &var("S")),
        ("j", &var("d")),
        &term(&s.extended(item("j", Sort::Index(var("d"))))?, &inner)?,
    )?;
    // Σ_{s<S} (s + 1) = S·(S + 1)/2.
    let count = telescope(k, "s", &var("S"), &term(s, "s·(s + 1)/2")?)?;
    let of_j = telescope(
        j,
        "s",
        &var("S"),
        &term(
            &j.extended(item("s", Sort::Index(var("S"))))?,
            "s·(s + 1)/2",
        )?,
    )?;
    let unit = inverse(k, &term(k, "S·(S + 1)")?)?;
    let weight = "2/(S·(S + 1))";
    let each = format!("{entry}² = ({weight})·(Σ_{{s<S}} {inner})");
    let parts: &[(&str, &[&Theorem])] = &[
        (entry, &[&mean]),
        (&format!("({weight})·w_k[j]·{entry}"), &[&of_j]),
        (&format!("w_k[j]·{entry}"), &[&unit]),
    ];
    let squares = sum_over(&show(j, &each, parts)?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&squares]),
        (&format!("(−1)·({weight})"), &[&swapped]),
        (weight, &[&all]),
        (&format!("({weight})·‖{y}‖·({radius})"), &[&count]),
        (&format!("‖{y}‖·({radius})"), &[&unit]),
    ];
    let square = show(k, &format!("‖{y}‖² ≤ ({radius})·‖{y}‖"), parts)?;
    let step = shorter(k, &format!("‖{y}‖"), radius, &square)?;
    let minus = |x: &str, y: &str| term(k, &format!("⟨{x}[j] − {y}[j] : j<d⟩"));
    let sum = triangle(k, &minus("w[k + 1]", "w_k")?, &minus("w[0]", "w_k")?)?;
    let [before, after] = ["w_k", "w[k + 1]"].map(|x| format!("‖⟨{x}[j] − w[0][j] : j<d⟩‖"));
    let bound = format!("{after} − {before} ≤ {radius}");
    let steps = sum_over(&show(k, &bound, &[("1", &[&sum]), ("1", &[&step])])?)?;
    let all = telescope(h, "k", &var("T"), &term(k, &before)?)?;
    let start = root_increases(&show(h, "Σ_{j<d} (w[0][j] − w[0][j])² ≤ 0²", &[])?)?;
    let few = given(h, 0)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("(−1)", &[&all]),
        ("1", &[&steps]),
        ("1", &[&start]),
        (radius, &[&few]),
    ];
    settle(h, &statement.goal, parts)
}
