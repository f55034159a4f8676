//! What the data sets of signs say: Theorems 7 and 6 of (ε, δ)-DP, Corollary 1 of zCDP.

use super::{
    Privacy, Proof, growth, least, least_mean, length, mean, numbers, risk, setting, share,
};
use crate::kl::kernel::gradients::cauchy;
use crate::kl::kernel::lower::log_exp;
use crate::kl::kernel::told;
use crate::moved::written::{each, goal, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, exp_log, exp_sum, larger, root_increases, triangle};
use dp_assay_kernel::search::assumed;
use dp_assay_kernel::search::exp::{exp_increases, log_increases, log_product, log_tangent};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::statement::{Context, Goal, Item, Statement};

/// What each of the theorems says of the losses and the risks; `edge` is how long a minimiser is.
fn losses(edge: &str) -> String {
    let least = least("β");
    format!(
        "f(x, p, ς) + (Σ_{{j<d}} (μ·x_j − (L₀/2)·ς·p_j)·(y_j − x_j)) + (μ/2)·‖⟨y_j − x_j : j<d⟩‖² = f(y, p, ς); \
         if ‖x‖ ≤ a: if ‖y‖ ≤ a: f(x, p, ς) ≤ f(y, p, ς) + L₀·‖⟨x_j − y_j : j<d⟩‖; \
         for every index β<M: F(β, x) − F(β, {least}) = (μ/2)·‖{}‖²; \
         for every index β<M: {edge}",
        apart("β")
    )
}

/// x − minimiser.
fn apart(b: &str) -> String {
    format!("⟨x_j − (L₀·q/(2·μ))·s({b}, j) : j<d⟩")
}

const POINTS: &str = "
  vector p ∈ ℝ^d
  assume ‖p‖ ≤ 1
  real ς
  assume ς² = 1
  vector x ∈ ℝ^d
  vector y ∈ ℝ^d";

/// A statement: what the numbers of its own are, how long a minimiser is, and what it says besides.
fn statement(privacy: Privacy, [own, edge, says]: [&str; 3]) -> Result<Statement, Stuck> {
    let (numbers, setting, losses) = (numbers(privacy), setting(privacy), losses(edge));
    render::parse(&format!(
        "{numbers}{own}{setting}{POINTS}\nholds\n  {losses}; {says}"
    ))
}

/// `kl-thm-7-corrected`: a is D.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn lipschitz() -> Result<Statement, Stuck> {
    let (mean, edge) = (mean(), format!("‖{}‖² = a²", least("β")));
    let own = "
  real a > 0
  define μ := L₀·q·√(r)/(2·a)";
    let says = format!("L₀·a·√(r)·k·(3 − 2·k·ε)/(24·n) ≤ {mean}; 9·L₀·a·√(r)/(256·n·ε) ≤ {mean}");
    statement(Privacy::Approximate, [own, &edge, &says])
}

/// The radius of the ball: G/(2μ), or, where `free` is 0, any that leaves f L₀-Lipschitz.
fn radius(free: &str) -> String {
    format!(
        "
  real a > 0
  assume G ≤ 2·μ·a
  assume 2·μ·a ≤ L₀
  assume {}",
        bounded(free)
    )
}

fn bounded(free: &str) -> String {
    format!("({free})·(log(2·μ·a) − log(G)) ≤ 0")
}

/// `kl-thm-6-corrected`: σ is τ − 1, and t any number > 0 below the distance, which makes powers of 0 unnecessary.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn growing() -> Result<Statement, Stuck> {
    let (mean, least, apart) = (mean(), least("β"), apart("β"));
    let own = format!(
        "
  real σ > 0
  assume 1 ≤ σ
  real λ > 0
  define τ := σ + 1
  define G := L₀·q·√(r)
  define μ := 2·exp((τ·log(λ) + (σ − 1)·log(G))/σ){}",
        radius("σ − 1")
    );
    let says = format!(
        "for every index β<M: for every real t > 0: if ‖x‖ ≤ a: if t ≤ ‖{apart}‖: exp(τ·log(λ·t)) ≤ F(β, x) − F(β, {least}); \
         exp((τ/σ)·log(G/λ))·(3 − 2·k·ε)/96 ≤ {mean}; 3·exp((τ/σ)·log(3·L₀·√(r)/(2·λ·n·ε)))/2048 ≤ {mean}"
    );
    statement(
        Privacy::Approximate,
        [&own, &format!("‖{least}‖ ≤ a"), &says],
    )
}

/// `kl-cor-1-corrected`: t > 0 makes powers of 0 unnecessary.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn steep() -> Result<Statement, Stuck> {
    let (mean, least, slope) = (mean(), least("β"), slope("β"));
    let own = format!(
        "
  real κ > 0
  assume κ ≤ 2
  real γ > 0
  define G := L₀·q·√(r)
  define μ := 1/(2·exp(κ·log(γ) − (2 − κ)·log(G))){}",
        radius("2 − κ")
    );
    let says = format!(
        "for every index β<M: F(β, x) + (Σ_{{j<d}} {slope}[j]·(y_j − x_j)) + (μ/2)·‖⟨y_j − x_j : j<d⟩‖² = F(β, y); \
         for every index β<M: for every real t > 0: if ‖x‖ ≤ a: F(β, x) − F(β, {least}) ≤ exp(κ·log(γ·max(‖{slope}‖, t))); \
         exp(κ·log(γ·G))·(1 − k·√(ρ))/8 ≤ {mean}; 3·exp(κ·log(γ·L₀·√(r)/(n·√(ρ))))/512 ≤ {mean}"
    );
    statement(
        Privacy::Concentrated,
        [&own, &format!("‖{least}‖ ≤ a"), &says],
    )
}

/// The gradient of the risk.
fn slope(b: &str) -> String {
    format!("⟨μ·x_j − (L₀/2)·q·s({b}, j) : j<d⟩")
}

/// f is L₀-Lipschitz on the ball, from 2μa ≤ L₀.
fn flat(h: &Context, wanted: &Goal, steep: &Theorem) -> Proof {
    let [.., Item::Assume(x_in), Item::Assume(y_in)] = h.items() else {
        return Err(Stuck::new("nothing is supposed"));
    };
    let (x_in, y_in) = (assumed(h, x_in)?, assumed(h, y_in)?);
    let (short, sign) = (told(h, "‖p‖ ≤ 1")?, told(h, "ς² = 1")?);
    let (gap, minus) = ("⟨x_j − y_j : j<d⟩", "⟨y_j − x_j : j<d⟩");
    let (up, down) = (cauchy(h, "p", minus)?, cauchy(h, "p", gap)?);
    let apart = triangle(h, &term(h, gap)?, &term(h, "⟨(−1)·y_j : j<d⟩")?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("(L₀/2)·((1 + ς)/2)²", &[&up]),
        ("(L₀/2)·((1 − ς)/2)²", &[&down]),
        (&format!("(L₀/4)·‖p‖·‖{gap}‖"), &[&sign]),
        (&format!("(L₀/2)·‖{gap}‖"), &[&short]),
        ("(μ/2)·(‖x‖ + ‖y‖)", &[&apart]),
        (&format!("(μ/2)·‖{gap}‖"), &[&x_in]),
        (&format!("(μ/2)·‖{gap}‖"), &[&y_in]),
        (&format!("‖{gap}‖/2"), &[steep]),
    ];
    settle(h, wanted, parts)
}

/// The minimiser is in the ball.
fn within(h: &Context) -> Proof {
    let least = least("β");
    let parts: &[(&str, &[&Theorem])] = &[
        ("(L₀·q/(2·μ))²", &[&length(h, "β")?]),
        ("(a + G/(2·μ))/(2·μ)", &[&told(h, "G ≤ 2·μ·a")?]),
    ];
    root_increases(&show(h, &format!("‖{least}‖² ≤ a²"), parts)?)
}

type Rest<'a> = &'a dyn Fn(&Context, &Goal) -> Proof;

/// All goals: those of the losses, from 2μa ≤ L₀, and these.
fn with_losses(statement: &Statement, steep: &Theorem, rest: &[Rest<'_>]) -> Proof {
    let flat = |h: &Context, goal: &Goal| flat(h, goal, steep);
    let mut programs: Vec<Rest<'_>> = vec![&|h, goal| settle(h, goal, &[]), &flat, &|h, goal| {
        growth(h, goal, "β")
    }];
    programs.extend(rest);
    each(statement, &programs)
}

/// The proof of [`lipschitz`], or of a statement with other constants.
///
/// # Errors
/// If a rule does not apply.
pub fn prove_lipschitz(statement: &Statement) -> Result<Theorem, Stuck> {
    let h = &statement.context;
    let privacy = Privacy::Approximate;
    let bound = least_mean(h, privacy)?;
    let (low, high) = (privacy.many(h)?, privacy.few(h)?);
    let steep = show(h, "2·μ·a ≤ L₀", &[("L₀", &[&share(h)?])])?;
    with_losses(
        statement,
        &steep,
        &[
            &|h, goal| settle(h, goal, &[("a²/r", &[&length(h, "β")?])]),
            &|h, goal| settle(h, goal, &[("1", &[&bound])]),
            &|h, goal| {
                let share = "3·L₀·a·√(r)/(16·n·ε)";
                settle(h, goal, &[("1", &[&bound]), (share, &[&low, &high])])
            },
        ],
    )
}

/// exp(2·log t) = t².
fn squared(h: &Context, t: &str) -> Proof {
    let log = term(h, t)?.log();
    let (twice, named) = (exp_sum(h, &log, &log)?, exp_log(h, &term(h, t)?)?);
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&twice]),
        (&format!("exp(log({t})) + {t}"), &[&named]),
    ];
    show(h, &format!("exp(2·log({t})) = ({t})²"), parts)
}

/// exp(u)·exp(v) ≤ exp(w) from u + v ≤ w, all as text.
fn product(h: &Context, [u, v, w]: [&str; 3], parts: &[(&str, &[&Theorem])]) -> Proof {
    let order = show(h, &format!("({u}) + ({v}) ≤ {w}"), parts)?;
    let (grown, split) = (
        exp_increases(&order)?,
        exp_sum(h, &term(h, u)?, &term(h, v)?)?,
    );
    let goal = format!("exp({u})·exp({v}) ≤ exp({w})");
    show(h, &goal, &[("1", &[&grown]), ("(−1)", &[&split])])
}

/// y²·z^c ≤ (y·z)^c for y ≤ 3/4 and c ≤ 2, as y² ≤ y^c.
fn part_of_power(h: &Context, c: &str, [y, z, whole]: [&str; 3], few: [&Theorem; 2]) -> Proof {
    let [exponent, high] = few;
    let below = log_tangent(h, &term(h, y)?)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&below]), ("1", &[high]), ("1/4", &[])];
    let below = show(h, &format!("log({y}) ≤ 0"), parts)?;
    let less = show(
        h,
        &format!("2·log({y}) ≤ ({c})·log({y})"),
        &[("1", &[exponent, &below])],
    )?;
    let [parts_of, _] = log_product(h, &term(h, y)?, &term(h, z)?)?;
    let texts = [
        format!("2·log({y})"),
        format!("({c})·log({z})"),
        format!("({c})·log({whole})"),
    ];
    let all = product(
        h,
        texts.each_ref().map(String::as_str),
        &[("1", &[&less]), (c, &[&parts_of])],
    )?;
    let own = squared(h, y)?;
    let power = format!("exp(({c})·log({z}))");
    let goal = format!("({y})²·{power} ≤ exp(({c})·log({whole}))");
    show(
        h,
        &goal,
        &[("1", &[&all]), (&format!("(−1)·{power}"), &[&own])],
    )
}

/// 3/64 ≤ y²·(1 − y), y = k·η between 1/4 and 3/4.
fn cubic(h: &Context, privacy: Privacy, y: &str) -> Proof {
    let (low, high) = (privacy.many(h)?, privacy.few(h)?);
    let goal = format!("3/64 ≤ ({y})²·(1 − {y})");
    show(h, &goal, &[(y, &[&low, &high]), ("3/16", &[&low])])
}

/// What is supposed of x, ‖x‖ ≤ a, makes its distance from the minimiser at most 2a.
fn close(h: &Context, inside: &Theorem) -> Proof {
    let least = least("β");
    let gap = triangle(h, &term(h, "x")?, &term(h, &least)?)?;
    let goal = format!("‖{}‖ ≤ 2·a", apart("β"));
    show(
        h,
        &goal,
        &[("1", &[&gap]), ("1", &[inside]), ("1", &[&within(h)?])],
    )
}

/// The proof of [`growing`], or of a statement with other constants.
///
/// # Errors
/// If a rule does not apply.
pub fn prove_growing(statement: &Statement) -> Result<Theorem, Stuck> {
    let h = &statement.context;
    let privacy = Privacy::Approximate;
    let mean = least_mean(h, privacy)?;
    let root = "(τ·log(λ) + (σ − 1)·log(G))/σ";
    // (G/λ)^(τ/σ) ≤ G²·e^(−root).
    let [split, _] = log_product(h, &term(h, "G/λ")?, &term(h, "λ")?)?;
    let power = product(
        h,
        ["(τ/σ)·log(G/λ)", root, "2·log(G)"],
        &[("τ/σ", &[&split])],
    )?;
    let square = squared(h, "G")?;
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("1/exp({root})"), &[&power]),
        (&format!("1/exp({root})"), &[&square]),
    ];
    let power = show(h, &format!("exp((τ/σ)·log(G/λ)) ≤ G²/exp({root})"), parts)?;
    let few = privacy.few(h)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&mean]),
        ("1/32", &[&few, &power]),
        ("1/128", &[&power]),
    ];
    let wanted = format!("exp((τ/σ)·log(G/λ))·(3 − 2·k·ε)/96 ≤ {}", super::mean());
    let bound = show(h, &wanted, parts)?;
    let exponent = told(h, "1 ≤ σ")?;
    let exponent = show(h, "τ/σ ≤ 2", &[("1/σ", &[&exponent])])?;
    let (y, z) = ("(2/3)·k·ε", "3·L₀·√(r)/(2·λ·n·ε)");
    let part = part_of_power(h, "τ/σ", [y, z, "G/λ"], [&exponent, &few])?;
    let (least, rest) = (cubic(h, privacy, y)?, format!("exp((τ/σ)·log({z}))"));
    with_losses(
        statement,
        &told(h, "2·μ·a ≤ L₀")?,
        &[
            &|h, goal| settle(h, goal, &[("1", &[&within(h)?])]),
            &grows,
            &|h, goal| settle(h, goal, &[("1", &[&bound])]),
            &|h, goal| {
                let parts: &[(&str, &[&Theorem])] = &[
                    ("1", &[&bound]),
                    ("1/32", &[&few, &part]),
                    ("1/128", &[&part]),
                    (&format!("{rest}/32"), &[&least]),
                ];
                settle(h, goal, parts)
            },
        ],
    )
}

/// λ^τ·t^τ ≤ (μ/2)·t² for t ≤ 2a.
fn grows(h: &Context, wanted: &Goal) -> Proof {
    let [.., Item::Assume(x_in), Item::Assume(t_in)] = h.items() else {
        return Err(Stuck::new("nothing is supposed"));
    };
    let (x_in, t_in) = (assumed(h, x_in)?, assumed(h, t_in)?);
    let far = close(h, &x_in)?;
    let root = "(τ·log(λ) + (σ − 1)·log(G))/σ";
    let above = format!("t·exp({root}) ≤ 2·μ·a");
    let unit = format!("exp({root})");
    let within = show(h, &above, &[(&unit, &[&t_in]), (&unit, &[&far])])?;
    let logs = log_increases(&within)?;
    let [parts_of, _] = log_product(h, &term(h, "t")?, &term(h, &unit)?)?;
    let [own, _] = log_exp(h, root)?;
    let [_, whole] = log_product(h, &term(h, "λ")?, &term(h, "t")?)?;
    let (large, near) = (told(h, "1 ≤ σ")?, told(h, &bounded("σ − 1"))?);
    let logs = show(
        h,
        &format!("log(t) + {root} ≤ log(2·μ·a)"),
        &[("1", &[&logs]), ("1", &[&parts_of]), ("1", &[&own])],
    )?;
    let order = format!("τ·log(λ·t) ≤ {root} + 2·log(t)");
    let order = show(
        h,
        &order,
        &[("τ", &[&whole]), ("1", &[&large, &logs]), ("1", &[&near])],
    )?;
    let grown = exp_increases(&order)?;
    let split = exp_sum(h, &term(h, root)?, &term(h, "2·log(t)")?)?;
    let square = squared(h, "t")?;
    let is = above_least(h, &format!("(μ/2)·‖{}‖²", apart("β")))?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&grown]),
        ("1", &[&split]),
        (&unit, &[&square]),
        (&format!("{unit}·(t + ‖{}‖)", apart("β")), &[&t_in]),
        ("(−1)", &[&is]),
    ];
    settle(h, wanted, parts)
}

/// F(β, x) − F(β, minimiser) is this, as text.
fn above_least(h: &Context, value: &str) -> Proof {
    let text = format!("F(β, x) − F(β, {}) = {value}", least("β"));
    growth(h, &goal(h, &text)?, "β")
}

/// The proof of [`steep`], or of a statement with other constants.
///
/// # Errors
/// If a rule does not apply.
pub fn prove_steep(statement: &Statement) -> Result<Theorem, Stuck> {
    let h = &statement.context;
    let privacy = Privacy::Concentrated;
    let mean = least_mean(h, privacy)?;
    let root = "κ·log(γ) − (2 − κ)·log(G)";
    // (γG)^κ ≤ G²·e^root.
    let [_, whole] = log_product(h, &term(h, "γ")?, &term(h, "G")?)?;
    let order = format!("κ·log(γ·G) ≤ ({root}) + 2·log(G)");
    let order = show(h, &order, &[("κ", &[&whole])])?;
    let grown = exp_increases(&order)?;
    let split = exp_sum(h, &term(h, root)?, &term(h, "2·log(G)")?)?;
    let square = squared(h, "G")?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&grown]),
        ("1", &[&split]),
        (&format!("exp({root})"), &[&square]),
    ];
    let power = show(h, &format!("exp(κ·log(γ·G)) ≤ G²·exp({root})"), parts)?;
    let few = privacy.few(h)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&mean]),
        ("1/8", &[&few, &power]),
        ("1/32", &[&power]),
    ];
    let wanted = format!("exp(κ·log(γ·G))·(1 − k·√(ρ))/8 ≤ {}", super::mean());
    let bound = show(h, &wanted, parts)?;
    let exponent = told(h, "κ ≤ 2")?;
    let (y, z) = ("k·√(ρ)", "γ·L₀·√(r)/(n·√(ρ))");
    let part = part_of_power(h, "κ", [y, z, "γ·G"], [&exponent, &few])?;
    let (least, rest) = (cubic(h, privacy, y)?, format!("exp(κ·log({z}))"));
    with_losses(
        statement,
        &told(h, "2·μ·a ≤ L₀")?,
        &[
            &|h, goal| settle(h, goal, &[("1", &[&within(h)?])]),
            &tangent_plane,
            &rises,
            &|h, goal| settle(h, goal, &[("1", &[&bound])]),
            &|h, goal| {
                let parts: &[(&str, &[&Theorem])] = &[
                    ("1", &[&bound]),
                    ("1/8", &[&few, &part]),
                    ("1/32", &[&part]),
                    (&format!("{rest}/8"), &[&least]),
                ];
                settle(h, goal, parts)
            },
        ],
    )
}

/// The gradient of a risk is what it is called.
fn tangent_plane(h: &Context, goal: &Goal) -> Proof {
    let [first, second] = ["x", "y"].map(|w| risk(h, "β", w));
    settle(h, goal, &[("1", &[&first?]), ("(−1)", &[&second?])])
}

/// ‖gradient‖²/(2μ) ≤ (γ·m)^κ for m of at least the norm, as that is at most 2μa on the ball.
fn rises(h: &Context, wanted: &Goal) -> Proof {
    let [.., Item::Assume(x_in)] = h.items() else {
        return Err(Stuck::new("nothing is supposed"));
    };
    let far = close(h, &assumed(h, x_in)?)?;
    let (g, gap) = (format!("‖{}‖", slope("β")), format!("‖{}‖", apart("β")));
    let steep = root_increases(&show(h, &format!("{g}² ≤ (μ·{gap})²"), &[])?)?;
    let top = "2·μ·a";
    let steep = show(
        h,
        &format!("{g} ≤ {top}"),
        &[("1", &[&steep]), ("μ", &[&far])],
    )?;
    let is = above_least(h, &format!("{g}²/(2·μ)"))?;
    let m = format!("max({g}, t)");
    let (few, near) = (told(h, "κ ≤ 2")?, told(h, &bounded("2 − κ"))?);
    let above = larger(h, &term(h, &g)?, &term(h, "t")?, false)?;
    let [parts_of, _] = log_product(h, &term(h, "γ")?, &term(h, &m)?)?;
    let root = "κ·log(γ) − (2 − κ)·log(G)";
    either(h, [&term(h, &m)?, &term(h, top)?], |h, case, small| {
        let logs = log_increases(case)?;
        let (y, below) = if small {
            (m.as_str(), &above)
        } else {
            (top, &steep)
        };
        let order: &[(&str, &[&Theorem])] = match small {
            true => &[("κ", &[&parts_of]), ("1", &[&few, &logs]), ("1", &[&near])],
            false => &[("κ", &[&parts_of]), ("κ", &[&logs]), ("1", &[&near])],
        };
        let whole = format!("κ·log(γ·{m})");
        let all = product(h, [root, &format!("2·log({y})"), &whole], order)?;
        let parts: &[(&str, &[&Theorem])] = &[
            ("1", &[&all]),
            (&format!("(−1)·exp({root})"), &[&squared(h, y)?]),
            (&format!("exp({root})·({g} + {y})"), &[below]),
            ("1", &[&is]),
        ];
        settle(h, wanted, parts)
    })
}
