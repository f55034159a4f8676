//! Displays about functions and numbers: co-coercivity, the logistic model, sizes of terms and the sums over rounds of Theorem 2.

use crate::moved::written::{Proof, each, given, given_for, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, convex, exp_log, exp_sum, instance, inverse, smooth, sum_over, tangent, telescope,
};
use dp_assay_kernel::search::exp::{
    exp_of_opposite, log_at_least, log_at_most, log_increases, log_product,
};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Sort, Statement};
use dp_assay_kernel::term::var;

/// `decor-aux-cocoercive`, f being smooth with the constant L, which all M_j are.
pub fn cocoercive() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           real L > 0
           vector M ∈ ℝ^d, all > 0
           assume for every index j<d: M_j = L
           function f on ℝ^d with M: convex, differentiable, and f(y) ≤ f(x) + ⟨∇f(x), y − x⟩ + \
               ½·Σ_j M_j·(y_j − x_j)² for all x, y
           vector x ∈ ℝ^d
           vector y ∈ ℝ^d
         holds
           ‖⟨∂_j f(x) − ∂_j f(y) : j<d⟩‖² ≤ 2·L·(f(x) − f(y) − (Σ_{j<d} ∂_j f(y)·(x_j − y_j)))",
    )
}

/// The proof of [`cocoercive`], or of a statement with a larger constant: smoothness at x and convexity at y, towards x −
/// (∇f(x) − ∇f(y))/L.
pub fn prove_cocoercive(statement: &Statement) -> Proof {
    let h = &statement.context;
    let z = term(h, "⟨x_j − (∂_j f(x) − ∂_j f(y))/L : j<d⟩")?;
    let (above, below) = (
        smooth(h, "f", &var("x"), &z)?,
        convex(h, "f", &var("y"), &z)?,
    );
    let i = &h.extended(item("i", Sort::Index(var("d"))))?;
    let equal = instance(i, &given(h, 0)?, &var("i"))?;
    let square = "((∂_i f(x) − ∂_i f(y))/L)²";
    let one = format!("M_i·{square} = L·{square}");
    let equal = sum_over(&show(i, &one, &[(square, &[&equal])])?)?;
    let parts: &[(&str, &[&Theorem])] = &[("2·L", &[&above]), ("2·L", &[&below]), ("L", &[&equal])];
    settle(h, &statement.goal, parts)
}

/// `decor-fact-pl`: F is strongly convex with the gradient g. What holds for every y holds for the least F.
pub fn strong_is_steep() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           real μ > 0
           map f of ℝ^d into ℝ^1
           map g of ℝ^d into ℝ^d
           define F(x∈ℝ^d) := Σ_{q<1} f(x)[q]
           assume for every vector a ∈ ℝ^d: for every vector b ∈ ℝ^d: F(a) + (Σ_{j<d} g(a)[j]·(b_j \
               − a_j)) + (μ/2)·(Σ_{j<d} (b_j − a_j)²) ≤ F(b)
           vector x ∈ ℝ^d
           vector y ∈ ℝ^d
         holds
           2·μ·(F(x) − F(y)) ≤ Σ_{j<d} g(x)[j]²",
    )
}

/// The proof of [`strong_is_steep`], or of a statement with a smaller constant: what is left is ‖g(x) + μ(y − x)‖².
pub fn prove_strong_is_steep(statement: &Statement) -> Proof {
    let h = &statement.context;
    let strong = given_for(h, 0, &["x", "y"])?;
    let slack = "Σ_{j<d} (g(x)[j] + μ·(y_j − x_j))²";
    settle(h, &statement.goal, &[("2·μ", &[&strong]), (slack, &[])])
}

/// `decor-exp-logistic-repaired`: p(b) is the probability of b; the first two say that the loss is −log p(b).
pub fn logistic() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           vector x ∈ ℝ^d
           vector a ∈ ℝ^d
           real b
           define s := Σ_{j<d} x_j·a_j
           define p(y) := 1/(1 + exp((−1)·y·s))
         holds
           log(1 + exp((−1)·b·s)) ≤ (−1)·log(p(b)); (−1)·log(p(b)) ≤ log(1 + exp((−1)·b·s)); p(1) \
               + p((−1)) = 1",
    )
}

/// The proof of [`logistic`].
pub fn prove_logistic(statement: &Statement) -> Proof {
    let h = &statement.context;
    let c = term(h, "1 + exp((−1)·b·s)")?;
    let (unit, named) = (exp_of_opposite(h, &c.log())?, exp_log(h, &c)?);
    let whole = inverse(h, &c)?;
    let power = "exp(0 − log(1 + exp((−1)·b·s)))";
    let of = |goal: &str, sign: &str| {
        let parts: &[(&str, &[&Theorem])] = &[
            (&format!("{sign}·{power}"), &[&whole]),
            (&format!("{sign}·p(b)"), &[&unit]),
            (&format!("{sign}·p(b)·{power}"), &[&named]),
        ];
        show(h, goal, parts)
    };
    let most = log_at_most(&of(&format!("p(b) ≤ {power}"), "1")?)?;
    let least = log_at_least(&of(&format!("{power} ≤ p(b)"), "(−1)")?)?;
    let opposite = exp_of_opposite(h, &term(h, "s")?)?;
    let (first, second) = (
        inverse(h, &term(h, "1 + exp((−1)·s)")?)?,
        inverse(h, &term(h, "1 + exp(s)")?)?,
    );
    each(
        statement,
        &[
            &|_, goal| settle(h, goal, &[("1", &[&most])]),
            &|_, goal| settle(h, goal, &[("1", &[&least])]),
            &|_, goal| {
                let parts: &[(&str, &[&Theorem])] = &[
                    ("1 − p((−1))", &[&first]),
                    ("exp((−1)·s)·p(1)", &[&second]),
                    ("p(1)·p((−1))", &[&opposite]),
                ];
                settle(h, goal, parts)
            },
        ],
    )
}

/// `decor-exp-delta-repaired`, m being the images of a user.
pub fn delta() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer m ≥ 1
           assume n = 16
           assume n·m = 60000
           define δ := 1/100000
         holds
           δ ≤ (6/10)/(n·m); δ ≤ 1/(1000·n)",
    )
}

/// The proof of [`delta`], or of a statement with other constants.
pub fn prove_delta(statement: &Statement) -> Proof {
    let h = &statement.context;
    let (users, images) = (given(h, 0)?, given(h, 1)?);
    each(
        statement,
        &[
            &|_, goal| settle(h, goal, &[("1/(100000·n·m)", &[&images])]),
            &|_, goal| {
                settle(
                    h,
                    goal,
                    &[("1/(100000·n)", &[&users]), ("84/(100000·n)", &[])],
                )
            },
        ],
    )
}

/// `decor-cor-12-nc-terms`: a is a_q(G), m is n − q, w is ‖W − J‖_F², r and s the variances σ_cdp² and σ_cor².
pub fn nonconvex_terms() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           integer T ≥ 1
           real p > 0
           assume p ≤ 1
           real ζ
           real σ > 0
           real H ≥ 0
           real E ≥ 0
           real w ≥ 0
           real a > 0
           real q
           real m > 0
           assume m = n − q
           real C > 0
           real l > 0
           real ε > 0
           define r := 32·C²·T·l/(m·ε²)
           define s := 32·C²·T·l/(a·ε²)
           define Q := σ² + d·r
         holds
           ((1 − p)·(ζ²/p + σ²) + H·E·d·s/n + w·d·r)/Q ≤ (1 − p)·(ζ²/(p·σ²) + 1) + (n − \
               q)·H·E/(n·a) + w",
    )
}

/// The proof of [`nonconvex_terms`], or of a statement with other constants: 1/Q is at most 1/σ² and 1/(d·σ_cdp²).
pub fn prove_nonconvex_terms(statement: &Statement) -> Proof {
    let h = &statement.context;
    let whole = inverse(h, &term(h, "σ² + d·r")?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("(ζ²/(p·σ²) + 1)·d·r/(σ² + d·r)", &[&given(h, 0)?]),
        ("(1 − p)·(ζ²/(p·σ²) + 1) + H·E·m/(n·a) + w", &[&whole]),
        ("H·E/(n·a)", &[&given(h, 1)?]),
    ];
    settle(h, &statement.goal, parts)
}

/// `decor-thm-2a-sum`: τ is 2 + x for x ≥ 0, and the recursion of W_t = V_t/η_t², η_t = 16/(μ(t + τ)), is supposed.
pub fn sum_of_rounds() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer T ≥ 1
           real L > 0
           real μ > 0
           real p > 0
           real Q ≥ 0
           real R ≥ 0
           real x ≥ 0
           sequence V in ℝ^1
           index o<1
           define τ := 2 + x
           define A := L·Q/(2·n)
           define B := 3·L²·R/p
           assume for every index t<T: (μ²/256)·(t + 1 + τ)²·V[t + 1][o] − (μ²/256)·(t + \
               τ)²·V_t[o] ≤ 4·A + 64·B/μ/(t + τ)
         holds
           Σ_{t<T} 1/(t + τ) ≤ log(T + 1); (T + τ)²·V_T[o] ≤ τ²·V[0][o] + (512·L·T/μ²)·(Q/n) + \
               log(T + 1)·(49152·L²/(μ³·p))·R",
    )
}

/// Σ_{t<T} 1/(t + s + 1) ≤ log(T + s) − log(s), s being `base`: each is at most log(t + s + 1) − log(t + s), as 1 + y ≤
/// exp(y) at y = log((t + s)/(t + s + 1)).
pub(super) fn logarithms(h: &Context, base: &str) -> Proof {
    let t = &h.extended(item("t", Sort::Index(var("T"))))?;
    let one = logarithm(t, "t", base)?;
    let ends = term(t, &format!("log(t + {base})"))?;
    let ends = telescope(h, "t", &var("T"), &ends)?;
    let goal = format!("Σ_{{t<T}} 1/(t + 1 + {base}) ≤ log(T + {base}) − log({base})");
    show(h, &goal, &[("1", &[&sum_over(&one)?]), ("1", &[&ends])])
}

/// 1/(t + 1 + base) ≤ log(t + 1 + base) − log(t + base).
pub(super) fn logarithm(t: &Context, name: &str, base: &str) -> Proof {
    let (low, high) = (format!("{name} + {base}"), format!("{name} + 1 + {base}"));
    let (a, b) = (term(t, &low)?, term(t, &high)?);
    let above = tangent(t, &(a.log() - b.log()))?;
    let split = exp_sum(t, &a.log(), &term(t, &format!("0 − log({high})"))?)?;
    let (of_a, of_b) = (exp_log(t, &a)?, exp_log(t, &b)?);
    let (unit, whole) = (exp_of_opposite(t, &b.log())?, inverse(t, &b)?);
    let (e, r) = (&format!("exp(0 − log({high}))"), &format!("1/({high})"));
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&above]),
        ("1", &[&split]),
        (e, &[&of_a]),
        (&format!("({r} − 1)·{e}"), &[&of_b]),
        (&format!("{r} − 1"), &[&unit]),
        (e, &[&whole]),
    ];
    show(t, &format!("{r} ≤ log({high}) − log({low})"), parts)
}

/// Σ_{t<T} 1/(t + τ) ≤ log(T + 1).
fn harmonic(h: &Context) -> Proof {
    let all = logarithms(h, "1 + x")?;
    let far = log_increases(&show(h, "T + 1 + x ≤ (T + 1)·(1 + x)", &[])?)?;
    let [_, product] = log_product(h, &term(h, "T + 1")?, &term(h, "1 + x")?)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&all]), ("1", &[&far]), ("1", &[&product])];
    show(h, "Σ_{t<T} 1/(t + τ) ≤ log(T + 1)", parts)
}

/// The proof of [`sum_of_rounds`], or of a statement with larger constants.
pub fn prove_sum_of_rounds(statement: &Statement) -> Proof {
    let h = &statement.context;
    let harmonic = harmonic(h)?;
    let t = &h.extended(item("t", Sort::Index(var("T"))))?;
    let round = sum_over(&instance(t, &given(h, 0)?, &var("t"))?)?;
    let value = term(t, "(μ²/256)·(t + τ)²·V_t[o]")?;
    let ends = telescope(h, "t", &var("T"), &value)?;
    each(
        statement,
        &[
            &|_, goal| settle(h, goal, &[("1", &[&harmonic])]),
            &|_, goal| {
                let parts: &[(&str, &[&Theorem])] = &[
                    ("256/μ²", &[&round]),
                    ("(−256)/μ²", &[&ends]),
                    ("16384·B/μ³", &[&harmonic]),
                ];
                settle(h, goal, parts)
            },
        ],
    )
}

/// `decor-thm-2a-W`: s is t̂ = t + τ, η and ζ the steps η_t and η_{t+1}, V and U the values V_t and
/// V_{t+1}; 1/η_{t+1} is written μ(t̂ + 1)/16.
pub fn scaled_values() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           real s > 0
           assume 1 ≤ s
           real μ > 0
           real A ≥ 0
           real B ≥ 0
           real V ≥ 0
           real U
           define η := 16/(μ·s)
           define ζ := (16/μ)/(s + 1)
           assume U ≤ (1 − μ·η/4)·V + η²·A + η³·B
         holds
           ζ²/η² = 1 − (1 + 2·s)·(1/(s + 1))²; U·(μ·(s + 1)/16)² − V/η² ≤ 4·A + 64·B/(μ·s)",
    )
}

/// The proof of [`scaled_values`], or of a statement with larger constants.
pub fn prove_scaled_values(statement: &Statement) -> Proof {
    let h = &statement.context;
    let (large, next) = (given(h, 0)?, given(h, 1)?);
    let whole = inverse(h, &term(h, "s + 1")?)?;
    let scaled = "U·μ²·(s + 1)²/256 − V/η² ≤ 4·A + 64·B/(μ·s)";
    let parts: &[(&str, &[&Theorem])] = &[
        ("μ²·(s + 1)²/256", &[&next]),
        ("A·(3·s + 1)/s²", &[&large]),
        ("16·B·(3·s + 1)/(μ·s³)", &[&large]),
    ];
    let scaled = show(h, scaled, parts)?;
    each(
        statement,
        &[
            &|_, goal| settle(h, goal, &[("1 + (s + 1)·(1/(s + 1))", &[&whole])]),
            &|_, goal| settle(h, goal, &[("1", &[&scaled])]),
        ],
    )
}

/// `decor-collude-rate`: m is n − q, the rate is 1/(n·m·ε²); φ is 1 − θ, and what is supposed of a constant fraction and of a
/// constant number are the two hypotheses.
pub fn collusion() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           real q ≥ 0
           real m > 0
           assume m = n − q
           real ε > 0
           real φ > 0
           real K > 0
         holds
           1/(n²·ε²) ≤ 1/(n·m·ε²); if q ≤ (1 − φ)·n: 1/(n·m·ε²) ≤ (1/φ)·(1/(n²·ε²)); if m ≤ K: \
               (1/K)·(1/(n·ε²)) ≤ 1/(n·m·ε²)",
    )
}

/// The proof of [`collusion`], or of a statement with other constants.
pub fn prove_collusion(statement: &Statement) -> Proof {
    each(
        statement,
        &[
            &|h, goal| {
                let unit = "1/(n²·m·ε²)";
                settle(h, goal, &[(unit, &[&given(h, 0)?]), ("q/(n²·m·ε²)", &[])])
            },
            &|h, goal| {
                let unit = "1/(φ·n²·m·ε²)";
                let minus = "(−1)/(φ·n²·m·ε²)";
                settle(
                    h,
                    goal,
                    &[(unit, &[&given(h, 1)?]), (minus, &[&given(h, 0)?])],
                )
            },
            &|h, goal| settle(h, goal, &[("1/(K·n·m·ε²)", &[&given(h, 1)?])]),
        ],
    )
}
