//! Algorithms 2 and 4: the regularised problem F + L̃₁|· − w₀|², and how far minimisers and outputs are from w₀.

use super::gradients::cauchy;
use super::lower::log_exp;
use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, exp_log, instance, inverse, limit, root_increases, sum_over, telescope, triangle,
};
use dp_assay_kernel::search::exp::{
    exp_increases, log_above, log_at_most, log_increases, log_product,
};
use dp_assay_kernel::search::{item, positive};
use dp_assay_kernel::statement::{Context, Sort, Statement};
use dp_assay_kernel::term::var;
use rug::Rational;

/// `kl-lem-4-note`: r is at most (θ^κ/F₀)^{1/κ}; so it is at most any y for which θ^κ ≤ y^κ·F₀.
pub fn small_share() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           real T > 0
           real ω > 0
           real ρ > 0
           real γ > 0
           real L₀ > 0
           real κ > 0
           real F₀ > 0
           assume F₀ ≤ exp(κ·log(γ·L₀))
           define r := √(T·d·ω)/(n·√(ρ))
           define θ := γ·L₀·r
         holds
           r ≤ exp((1/κ)·log(exp(κ·log(θ))/F₀)); for every real y > 0: if exp(κ·log(θ)) ≤ \
               exp(κ·log(y))·F₀: r ≤ y",
    )
}

pub fn prove_small_share(statement: &Statement) -> Proof {
    let h = &statement.context;
    let size = log_at_most(&given(h, 0)?)?;
    let [whole, _] = log_product(h, &term(h, "γ·L₀")?, &term(h, "r")?)?;
    let [low, _] = log_exp(h, "κ·log(θ)")?;
    let quotient = "exp(κ·log(θ))/F₀";
    let [_, split] = log_product(h, &term(h, quotient)?, &term(h, "F₀")?)?;
    let of_r = exp_log(h, &term(h, "r")?)?;
    let least = format!("log(r) ≤ (1/κ)·log({quotient})");
    let least = show(
        h,
        &least,
        &[
            ("1", &[&whole]),
            ("1/κ", &[&low]),
            ("1/κ", &[&split]),
            ("1/κ", &[&size]),
        ],
    )?;
    let least = exp_increases(&least)?;
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[("1", &[&least]), ("(−1)", &[&of_r])]),
            &|h, goal| {
                let given = given(h, 1)?;
                let logs = log_increases(&given)?;
                let [_, product] = log_product(h, &term(h, "exp(κ·log(y))")?, &term(h, "F₀")?)?;
                let [_, of_y] = log_exp(h, "κ·log(y)")?;
                let order = show(
                    h,
                    "log(r) ≤ log(y)",
                    &[
                        ("1", &[&whole]),
                        ("1/κ", &[&low]),
                        ("1/κ", &[&logs]),
                        ("1/κ", &[&product]),
                        ("1/κ", &[&of_y]),
                        ("1/κ", &[&size]),
                    ],
                )?;
                let (grown, named) = (exp_increases(&order)?, exp_log(h, &var("y"))?);
                settle(
                    h,
                    goal,
                    &[("1", &[&grown]), ("(−1)", &[&of_r]), ("1", &[&named])],
                )
            },
        ],
    )
}

/// `kl-thm-9-mart`, on the event that every noise ξ_t is at most σ√(d·log(2T/β)); L₁ is L̃₁, and w₀ the centre of the ball.
pub fn martingale() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer T ≥ 1
           integer d ≥ 1
           real L₀ > 0
           real L₁ > 0
           real σ > 0
           real β > 0
           assume β ≤ 1
           sequence ξ in ℝ^d
           sequence w in ℝ^d
           vector w₀ ∈ ℝ^d
           vector w⋆ ∈ ℝ^d
           real l > 0
           assume l = log(2·T/β)
           assume for every index t<T: ‖ξ[t + 1]‖ ≤ σ·√(d·l)
           assume for every index t<T: ‖⟨w[t + 1][j] − w₀_j : j<d⟩‖ ≤ L₀/(2·L₁)
           assume ‖⟨w⋆_j − w₀_j : j<d⟩‖ ≤ L₀/(2·L₁)
         holds
           Σ_{t<T} Σ_{j<d} ξ[t + 1][j]·(w[t + 1][j] − w⋆_j) ≤ (3/2)·(L₀/L₁)·√(d·l)·σ·log(2/β)·T",
    )
}

/// The proof of [`martingale`], or of a statement with a larger constant: every term is at most the diameter times the noise.
pub fn prove_martingale(statement: &Statement) -> Proof {
    let h = &statement.context;
    let t = &h.extended(item("t", Sort::Index(var("T"))))?;
    let [noise, near] = [2, 3].map(|n| instance(t, &given(h, n)?, &var("t")));
    let (noise, near, centre) = (noise?, near?, given(h, 4)?);
    let apart = apart(t, ["w[t + 1]", "w⋆", "w₀"])?;
    let product = cauchy(t, "ξ[t + 1]", "⟨w[t + 1][j] − w⋆_j : j<d⟩")?;
    let one = "Σ_{j<d} ξ[t + 1][j]·(w[t + 1][j] − w⋆_j) ≤ (L₀/L₁)·√(d·l)·σ";
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&product]),
        ("‖ξ[t + 1]‖", &[&apart]),
        ("‖ξ[t + 1]‖", &[&near]),
        ("‖ξ[t + 1]‖", &[&centre]),
        ("L₀/L₁", &[&noise]),
    ];
    let all = sum_over(&show(t, one, parts)?)?;
    // log(2/β) ≥ log 2 ≥ 2/3.
    let small = given(h, 0)?;
    let logs = log_increases(&show(h, "2 ≤ 2/β", &[("2/β", &[&small])])?)?;
    let two = log_above(h, &2.into(), &Rational::from((2, 3)), 4)?;
    let enough = "(3/2)·(L₀/L₁)·√(d·l)·σ·T";
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&all]), (enough, &[&logs]), (enough, &[&two])];
    settle(h, &statement.goal, parts)
}

/// ‖x − y‖ ≤ ‖x − c‖ + ‖y − c‖.
fn apart(h: &Context, [x, y, c]: [&str; 3]) -> Proof {
    let from = |x: &str| term(h, &format!("⟨{x}[j] − {c}[j] : j<d⟩"));
    triangle(h, &from(x)?, &from(y)?)
}

/// `kl-thm-9-radius`: f(u) is F(u) + L̃₁|u − w₀|², and L₁ is L̃₁. F is supposed to be a mean of L₀-Lipschitz losses only in that it is
/// L₀-Lipschitz itself; that F is weakly convex is not needed once there is a minimiser.
pub fn radius() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           real L₀ > 0
           real L₁ > 0
           map F of ℝ^d into ℝ^1
           index o<1
           vector w₀ ∈ ℝ^d
           vector w⋆ ∈ ℝ^d
           define f(u∈ℝ^d) := F(u)[o] + L₁·(Σ_{j<d} (u_j − w₀_j)²)
           assume for every vector x ∈ ℝ^d: for every vector y ∈ ℝ^d: F(x)[o] ≤ F(y)[o] + L₀·‖⟨x_j \
               − y_j : j<d⟩‖
           assume for every vector y ∈ ℝ^d: f(w⋆) ≤ f(y)
           vector v ∈ ℝ^d
           vector w ∈ ℝ^d
         holds
           ‖⟨w⋆_j − w₀_j : j<d⟩‖ ≤ L₀/(2·L₁); if ‖⟨v_j − w₀_j : j<d⟩‖ ≤ L₀/(2·L₁): if ‖⟨w_j − w₀_j \
               : j<d⟩‖ ≤ L₀/(2·L₁): f(w) ≤ f(v) + 2·L₀·‖⟨w_j − v_j : j<d⟩‖",
    )
}

/// ‖w⋆ − w₀‖ ≤ L₀/(2L₁) where w⋆ minimises F + L₁‖· − w₀‖²: f(w⋆) is at most f on the way to w₀, so that (2 − s)·L₁·r² ≤ L₀·r for
/// every s > 0, r being the distance; `least` is the fact on f(w⋆), and `slope` the Lipschitz bound.
pub(super) fn prove_near(
    h: &Context,
    [x, c]: [&str; 2],
    least: &Theorem,
    slope: &Theorem,
) -> Proof {
    let s = &h.extended(positive("s"))?;
    let way = term(s, &format!("⟨{x}[j] + s·({c}[j] − {x}[j]) : j<d⟩"))?;
    let (least, slope) = (
        instance(s, least, &way)?,
        instance(s, &instance(s, slope, &way)?, &term(s, x)?)?,
    );
    let r = format!("‖⟨{x}[j] − {c}[j] : j<d⟩‖");
    let square = format!("Σ_{{j<d}} ({x}[j] − {c}[j])²");
    // What is moved by is s·r.
    let step = format!("‖⟨{x}[j] + s·({c}[j] − {x}[j]) − {x}[j] : j<d⟩‖");
    let step = root_increases(&show(s, &format!("{step}² ≤ (s·{r})²"), &[])?)?;
    let one = format!("2·L₁·({square}) ≤ L₀·{r} + (L₁·({square}))·s");
    let parts: &[(&str, &[&Theorem])] =
        &[("1/s", &[&least]), ("1/s", &[&slope]), ("L₀/s", &[&step])];
    let found = limit(&show(s, &one, parts)?)?;
    let half = format!("{r}² ≤ (L₀/(2·L₁))·{r}");
    let half = show(h, &half, &[("1/(2·L₁)", &[&found])])?;
    shorter(h, &r, "L₀/(2·L₁)", &half)
}

/// x ≤ y from x² ≤ y·x, for y plainly ≥ 0: (x − y)² is then at most y·(y − x), and not positive where y ≤ x.
pub(super) fn shorter(h: &Context, x: &str, y: &str, fact: &Theorem) -> Proof {
    dp_assay_kernel::search::size::either(h, [&term(h, x)?, &term(h, y)?], |here, given, small| {
        if small {
            return show(here, &format!("{x} ≤ {y}"), &[("1", &[given])]);
        }
        let square = format!("({x} − {y})² ≤ 0²");
        let square = show(here, &square, &[("1", &[fact]), (y, &[given])])?;
        let root = root_increases(&square)?;
        let up = dp_assay_kernel::search::size::below_modulus(
            here,
            &term(here, &format!("{x} − {y}"))?,
        )?;
        show(
            here,
            &format!("{x} ≤ {y}"),
            &[("1", &[&root]), ("1", &[&up])],
        )
    })
}

/// The proof of [`radius`], or of a statement with other constants.
pub fn prove_radius(statement: &Statement) -> Proof {
    let h = &statement.context;
    let (slope, least) = (given(h, 0)?, given(h, 1)?);
    let near = prove_near(h, ["w⋆", "w₀"], &least, &slope)?;
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[("1", &[&near])]),
            &|h, goal| {
                let (first, second) = (given(h, 2)?, given(h, 3)?);
                let slope = instance(h, &instance(h, &slope, &var("w"))?, &var("v"))?;
                let product = cauchy(
                    h,
                    "⟨w_j − v_j : j<d⟩",
                    "⟨(w_j − w₀_j) + (v_j − w₀_j) : j<d⟩",
                )?;
                let minus = term(h, "⟨w₀_j − v_j : j<d⟩")?;
                let sum = triangle(h, &term(h, "⟨w_j − w₀_j : j<d⟩")?, &minus)?;
                let gap = "L₁·‖⟨w_j − v_j : j<d⟩‖";
                let parts: &[(&str, &[&Theorem])] = &[
                    ("1", &[&slope]),
                    ("L₁", &[&product]),
                    (gap, &[&sum]),
                    (gap, &[&first]),
                    (gap, &[&second]),
                ];
                settle(h, goal, parts)
            },
        ],
    )
}

/// `kl-lem-4-repaired`, for T calls: w_t is the output of call t, u_t the minimiser of its problem f_t = F + L̃₁|· − w_{t−1}|²; L₁ is L̃₁.
/// F is L₀-Lipschitz, and weakly convex between u_t and w_t.
pub fn moves() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           integer T ≥ 1
           real L₀ > 0
           real L₁ > 0
           real τ ≥ 0
           map F of ℝ^d into ℝ^1
           index o<1
           sequence w in ℝ^d
           sequence u in ℝ^d
           define f(x∈ℝ^d, c∈ℝ^d) := F(x)[o] + L₁·(Σ_{j<d} (x_j − c_j)²)
           assume for every vector x ∈ ℝ^d: for every vector y ∈ ℝ^d: F(x)[o] ≤ F(y)[o] + L₀·‖⟨x_j \
               − y_j : j<d⟩‖
           assume for every vector x ∈ ℝ^d: for every vector y ∈ ℝ^d: for every real s > 0: F(⟨x_j \
               + (y_j − x_j)/(1 + s) : j<d⟩)[o] ≤ (s·F(x)[o] + F(y)[o])/(1 + s) + (L₁/2)·(s/(1 + \
               s))·(1/(1 + s))·(Σ_{j<d} (x_j − y_j)²)
           assume for every index t<T: for every vector y ∈ ℝ^d: f(u[t + 1], w_t) ≤ f(y, w_t)
           assume for every index t<T: f(w[t + 1], w_t) ≤ f(u[t + 1], w_t) + τ
         holds
           ‖⟨w_T[j] − w[0][j] : j<d⟩‖ ≤ T·(L₀/(2·L₁) + √(2·τ/L₁))",
    )
}

/// (L₁/2)·‖x − u‖² ≤ H(x) − H(u), H being F + L₁·‖· − c‖² and u its minimiser (`least`): on the way from x to u, at 1/(1 + q) of it, H is at
/// least H(u), and by weak convexity of F (`weak`) at most what makes (L₁/2)·‖x − u‖² ≤ (1 + q)·(H(x) − H(u)), for every q > 0.
pub(super) fn prove_strong(
    h: &Context,
    [x, u, c]: [&str; 3],
    value: &dyn Fn(&str) -> String,
    weak: &Theorem,
    least: &Theorem,
) -> Proof {
    let s = &h.extended(positive("q"))?;
    let weak = instance(s, weak, &term(s, x)?)?;
    let weak = instance(s, &instance(s, &weak, &term(s, u)?)?, &var("q"))?;
    let way = format!("⟨{x}[j] + ({u}[j] − {x}[j])/(1 + q) : j<d⟩");
    let least = instance(s, least, &term(s, &way)?)?;
    let unit = inverse(s, &term(s, "1 + q")?)?;
    let far = format!("Σ_{{j<d}} ({u}[j] − {x}[j])²");
    let mixed = format!("Σ_{{j<d}} ({x}[j] − {c}[j])·({u}[j] − {x}[j])");
    let (high, low) = (value(x), value(u));
    let rest = format!(
        "((1 + q)·(q·{high} + {low}) + (1 + (1 + q)·(1/(1 + q)))·L₁·({far})·(q/2 + 1) + 2·L₁·(1 + \
            q)·({mixed}))/q"
    );
    let square = |x: &str| format!("L₁·(Σ_{{j<d}} ({x}[j] − {c}[j])²)");
    let gap = format!("({high} + {} − ({low} + {}))", square(x), square(u));
    let parts: &[(&str, &[&Theorem])] = &[
        ("(1 + q)²/q", &[&least]),
        ("(1 + q)²/q", &[&weak]),
        (&rest, &[&unit]),
    ];
    limit(&show(
        s,
        &format!("(L₁/2)·({far}) ≤ {gap} + {gap}·q"),
        parts,
    )?)
}

/// ‖w[k + 1] − u[k + 1]‖ ≤ √(2τ/L₁).
fn prove_accurate(k: &Context, least: &Theorem) -> Proof {
    let value = |x: &str| format!("F({x})[o]");
    let strong = prove_strong(
        k,
        ["w[k + 1]", "u[k + 1]", "w_k"],
        &value,
        &given(k, 1)?,
        least,
    )?;
    let accurate = instance(k, &given(k, 3)?, &var("k"))?;
    let far = "Σ_{j<d} (u[k + 1][j] − w[k + 1][j])² ≤ 2·τ/L₁";
    let parts: &[(&str, &[&Theorem])] = &[("2/L₁", &[&strong]), ("2/L₁", &[&accurate])];
    root_increases(&show(k, far, parts)?)
}

/// The proof of [`moves`], or of a statement with a larger bound.
pub fn prove_moves(statement: &Statement) -> Proof {
    let h = &statement.context;
    let k = &h.extended(item("k", Sort::Index(var("T"))))?;
    let least = instance(k, &given(h, 2)?, &var("k"))?;
    let near = prove_near(k, ["u[k + 1]", "w_k"], &least, &given(h, 0)?)?;
    let accurate = prove_accurate(k, &least)?;
    let step = apart(k, ["w[k + 1]", "w_k", "u[k + 1]"])?;
    let sum = apart(k, ["w[k + 1]", "w[0]", "w_k"])?;
    let [before, after] = ["w_k", "w[k + 1]"].map(|x| format!("‖⟨{x}[j] − w[0][j] : j<d⟩‖"));
    let bound = format!("{after} − {before} ≤ L₀/(2·L₁) + √(2·τ/L₁)");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&sum]),
        ("1", &[&step]),
        ("1", &[&accurate]),
        ("1", &[&near]),
    ];
    let steps = sum_over(&show(k, &bound, parts)?)?;
    let all = telescope(h, "k", &var("T"), &term(k, &before)?)?;
    let start = root_increases(&show(h, "Σ_{j<d} (w[0][j] − w[0][j])² ≤ 0²", &[])?)?;
    let parts: &[(&str, &[&Theorem])] = &[("(−1)", &[&all]), ("1", &[&steps]), ("1", &[&start])];
    settle(h, &statement.goal, parts)
}
