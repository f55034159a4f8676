//! The witness of Theorems 1, 2, 4, 5 and 9, corrected.

use super::gradients::cauchy;
use crate::arith::ratio;
use crate::moved::curvature::curved;
use crate::moved::margin::{
    START, TWO_POINTS, apart, last_given, line, lipschitz, mean_at_zero, mean_convex, mean_smooth,
    mean_start, parse, rises, tangent_of, with_record,
};
use crate::moved::written::{Proof, each, given, goal, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Theorem, chain, discharge, exchange, exp_log, exp_sum, instance, inverse, larger, largest,
    root_increases, sum_over, tangent, triangle,
};
use dp_assay_kernel::search::exp::{
    exp_increases, exp_of_opposite, log_above, log_at_most, log_not_negative,
};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{item, modulus};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::var;

/// m with the regulariser λh(‖w‖), h(r) = r²/2 up to r = R and Rr − R²/2 beyond, and its gradient; c(w) is the point next to w of the
/// ball of radius R, and h(‖w‖) = ⟨c(w), w⟩ − ‖c(w)‖²/2.
const HUBER: &str = "real R > 0
    real λ ≥ 0
    define c(w∈ℝ^d, j<d) := R·w_j/max(R, ‖w‖)
    define h(w∈ℝ^d) := (Σ_{j<d} c(w, j)·w_j) − (Σ_{j<d} c(w, j)²)/2
    define f(w∈ℝ^d) := m(w) + λ·h(w)
    define g(w∈ℝ^d, j<d) := q(w, j) + λ·c(w, j)";

/// `kl-thm-4-witness`: every f(·; x), for which n is 1, and F are convex, (1 + λR)-Lipschitz and (1/4 + λ)-smooth, and F(0) ≤ 1; for λR² = 2, F is at
/// most 1 in the ball of radius R only, where it is (γ, 2)-KL* for 2λγ² = 1 with respect to each of its values there, as it
/// is wherever it is at most log 2 above that value.
pub fn statement() -> Result<Statement, Stuck> {
    let line = line("x", "y");
    let step = format!("{line} + ((1/4 + λ)/2)·{}", apart("x", "y"));
    let ball = "if λ·R² = 2: ";
    let goals = [
        format!(
            "for every index k<n: {TWO_POINTS}|φ(s(k, y)) + λ·h(y) − (φ(s(k, x)) + λ·h(x))| ≤ (1 + \
                λ·R)·‖⟨y_j − x_j : j<d⟩‖"
        ),
        format!("{TWO_POINTS}f(x) ≤ f(y) + (1 + λ·R)·‖⟨x_j − y_j : j<d⟩‖"),
        format!("{TWO_POINTS}{line} ≤ f(y)"),
        format!("{TWO_POINTS}f(y) ≤ {step}"),
        format!("{TWO_POINTS}‖⟨g(x, j) − g(y, j) : j<d⟩‖ ≤ (1/4 + λ)·‖⟨x_j − y_j : j<d⟩‖"),
        START.to_owned(),
        "f(⟨0 : j<d⟩) ≤ 1".to_owned(),
        format!("{ball}for every vector w ∈ ℝ^d: if f(w) ≤ 1: ‖w‖ ≤ R"),
        format!("{ball}{TWO_POINTS}if {step} ≤ 1: ‖y‖ ≤ R"),
        format!(
            "{TWO_POINTS}if ‖x‖ ≤ R: if ‖y‖ ≤ R: for every real γ > 0: if 2·λ·γ² = 1: for every \
                real t > 0: if γ·‖⟨g(x, j) : j<d⟩‖ ≤ t: f(x) − f(y) ≤ exp(2·log(t))"
        ),
        format!(
            "{ball}{TWO_POINTS}if ‖y‖ ≤ R: if f(x) − f(y) ≤ log(2): for every real γ > 0: if \
                2·λ·γ² = 1: for every real t > 0: if γ·‖⟨g(x, j) : j<d⟩‖ ≤ t: f(x) − f(y) ≤ \
                exp(2·log(t))"
        ),
    ];
    parse(&[HUBER], &goals)
}

fn largest_of(w: &str) -> String {
    format!("max(R, ‖{w}‖)")
}

/// R ≤ M, ‖w‖ ≤ M and (M − R)(M − ‖w‖) ≤ 0 for M = max(R, ‖w‖).
fn maximum(h: &Context, w: &str) -> Result<[Theorem; 3], Stuck> {
    let (r, size, most) = (var("R"), term(h, w)?.norm(), largest_of(w));
    let (first, second) = (larger(h, &r, &size, false)?, larger(h, &r, &size, true)?);
    let goal = format!("({most} − R)·({most} − ‖{w}‖) ≤ 0");
    let product = either(h, [&r, &size], |here, order, inside| {
        let itself = |t: &str| show(here, &format!("{t} ≤ {t}"), &[]);
        let (least, other) = match inside {
            true => (largest(order, &itself(&format!("‖{w}‖"))?)?, &first),
            false => (largest(&itself("R")?, order)?, &second),
        };
        show(here, &goal, &[("1", &[&least, other])])
    })?;
    Ok([first, second, product])
}

/// M·(1/M) = 1.
fn whole_of(h: &Context, w: &str) -> Proof {
    inverse(h, &term(h, &largest_of(w))?)
}

fn centre(w: &str) -> String {
    format!("⟨c({w}, j) : j<d⟩")
}

/// ‖c(w)‖ ≤ R.
fn in_ball(h: &Context, w: &str) -> Proof {
    let ([_, size, _], whole) = (maximum(h, w)?, whole_of(h, w)?);
    let most = largest_of(w);
    let factor = format!("R²·(1 + ‖{w}‖/{most})");
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("{factor}/{most}"), &[&size]),
        (&factor, &[&whole]),
    ];
    let square = show(h, &format!("Σ_{{j<d}} c({w}, j)² ≤ R²"), parts)?;
    let root = root_increases(&square)?;
    show(h, &format!("‖{}‖ ≤ R", centre(w)), &[("1", &[&root])])
}

/// ⟨c(x) − c(y), y − c(y)⟩ ≤ 0: c(y) is the point of the ball next to y.
fn next(h: &Context, x: &str, y: &str) -> Proof {
    let ([above, _, product], whole) = (maximum(h, y)?, whole_of(h, y)?);
    let (inside, most) = (in_ball(h, x)?, largest_of(y));
    let along = cauchy(h, &centre(x), y)?;
    let inner = format!("(Σ_{{j<d}} c({x}, j)·{y}[j])");
    let rest = format!("R·‖{y}‖²/{most} − {inner} − R·‖{y}‖·({most} − R)/{most}");
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("1/{most}"), &[&above, &along]),
        (&format!("‖{y}‖/{most}"), &[&above, &inside]),
        (&format!("R·‖{y}‖/{most}²"), &[&product]),
        (&rest, &[&whole]),
    ];
    let goal = format!("Σ_{{j<d}} (c({x}, j) − c({y}, j))·({y}[j] − c({y}, j)) ≤ 0");
    show(h, &goal, parts)
}

/// h(x) + ⟨c(x), y − x⟩ ≤ h(y).
fn huber_convex(h: &Context, x: &str, y: &str) -> Proof {
    let goal = format!("{} ≤ h({y})", tangent_of(["h", "c"], x, y));
    let slack = format!("(Σ_{{j<d}} (c({x}, j) − c({y}, j))²)/2");
    show(h, &goal, &[("1", &[&next(h, x, y)?]), (&slack, &[])])
}

/// h(y) ≤ h(x) + ⟨c(x), y − x⟩ + ‖y − x‖²/2: with ‖y − c(y)‖²/2, h(y) is ‖y‖²/2.
fn huber_smooth(h: &Context, x: &str, y: &str) -> Proof {
    let goal = format!(
        "h({y}) ≤ {} + {}/2",
        tangent_of(["h", "c"], x, y),
        apart(x, y)
    );
    let slack = format!("(Σ_{{j<d}} (({y}[j] − c({y}, j)) − ({x}[j] − c({x}, j)))²)/2");
    show(h, &goal, &[("1", &[&next(h, y, x)?]), (&slack, &[])])
}

fn whole_convex(h: &Context, x: &str, y: &str) -> Proof {
    let goal = format!("{} ≤ f({y})", line(x, y));
    let (mean, huber) = (mean_convex(h, x, y)?, huber_convex(h, x, y)?);
    show(h, &goal, &[("1", &[&mean]), ("λ", &[&huber])])
}

fn whole_smooth(h: &Context, curved: &Theorem, x: &str, y: &str) -> Proof {
    let goal = format!("f({y}) ≤ {} + ((1/4 + λ)/2)·{}", line(x, y), apart(x, y));
    let (mean, huber) = (mean_smooth(h, curved, x, y)?, huber_smooth(h, x, y)?);
    show(h, &goal, &[("1", &[&mean]), ("λ", &[&huber])])
}

/// h(y) − h(x) ≤ R·‖y − x‖.
fn huber_rises(h: &Context, x: &str, y: &str) -> Proof {
    let size = format!("‖⟨{y}[j] − {x}[j] : j<d⟩‖");
    let inside = in_ball(h, y)?;
    let along = cauchy(h, &centre(y), &format!("⟨{y}[j] − {x}[j] : j<d⟩"))?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&huber_convex(h, y, x)?]),
        ("1", &[&along]),
        (&size, &[&inside]),
    ];
    show(h, &format!("h({y}) − h({x}) ≤ R·{size}"), parts)
}

/// Of the loss of record k with the regulariser.
fn loss_changes(h: &Context, goal: &Goal) -> Proof {
    let way = |from: &str, to: &str, goal: &str| {
        let (loss, huber) = (rises(h, "k", [from, to])?, huber_rises(h, from, to)?);
        show(h, goal, &[("1", &[&loss]), ("λ", &[&huber])])
    };
    let difference = "φ(s(k, y)) + λ·h(y) − (φ(s(k, x)) + λ·h(x))";
    let size = "(1 + λ·R)·‖⟨y_j − x_j : j<d⟩‖";
    let up = way("x", "y", &format!("{difference} ≤ {size}"))?;
    let down = way("y", "x", &format!("0 − ({difference}) ≤ {size}"))?;
    settle(h, goal, &[("1", &[&modulus(&up, &down)?])])
}

/// Of f.
fn mean_changes(h: &Context, goal: &Goal) -> Proof {
    let i = &with_record(h, "i₀")?;
    let (loss, huber) = (
        sum_over(&rises(i, "i₀", ["y", "x"])?)?,
        huber_rises(h, "y", "x")?,
    );
    settle(h, goal, &[("1/n", &[&loss]), ("λ", &[&huber])])
}

fn step_is_smooth(h: &Context, curved: &Theorem, goal: &Goal) -> Proof {
    settle(h, goal, &[("1", &[&whole_smooth(h, curved, "x", "y")?])])
}

/// ‖∇f(x) − ∇f(y)‖ ≤ L₁‖x − y‖: of m with 1/4, and c(x) and c(y) are no further apart than x and y.
fn gradient_moves(h: &Context, curved: &Theorem, goal: &Goal) -> Proof {
    let convex = |x: &str, y: &str| mean_convex(h, x, y);
    let smooth = |x: &str, y: &str| mean_smooth(h, curved, x, y);
    let square = lipschitz(h, ["q", "(1/4)"], &convex, &smooth)?;
    let size = "‖⟨x_j − y_j : j<d⟩‖";
    let mean = format!("Σ_{{j<d}} (q(x, j) − q(y, j))² ≤ ({size}/4)²");
    let mean = root_increases(&show(h, &mean, &[("1", &[&square])])?)?;
    let (there, back) = (next(h, "x", "y")?, next(h, "y", "x")?);
    let slack = "λ²·(Σ_{j<d} ((c(x, j) − c(y, j)) − (x_j − y_j))²)";
    let parts: &[(&str, &[&Theorem])] = &[("2·λ²", &[&there]), ("2·λ²", &[&back]), (slack, &[])];
    let centres = format!("Σ_{{j<d}} (λ·(c(x, j) − c(y, j)))² ≤ (λ·{size})²");
    let centres = root_increases(&show(h, &centres, parts)?)?;
    let (first, second) = (
        term(h, "⟨q(x, j) − q(y, j) : j<d⟩")?,
        term(h, "⟨(−1)·λ·(c(x, j) − c(y, j)) : j<d⟩")?,
    );
    let both = triangle(h, &first, &second)?;
    settle(
        h,
        goal,
        &[("1", &[&both]), ("1", &[&mean]), ("1", &[&centres])],
    )
}

/// h is least at 0.
fn huber_start(h: &Context, goal: &Goal) -> Proof {
    let least = huber_convex(h, "⟨0 : j<d⟩", "w")?;
    settle(h, goal, &[("1", &[&mean_start(h)?]), ("λ", &[&least])])
}

/// F(0) = log 2 ≤ 1, as h(0) = 0.
fn begins_low(h: &Context, goal: &Goal) -> Proof {
    let (mean, two) = (mean_at_zero(h)?, log_of_two(h)?);
    settle(h, goal, &[("1", &[&mean]), ("1", &[&two])])
}

/// ‖w‖ ≤ R if f(w) ≤ 1, for every w, from λR² = 2: m is at least 0, and beyond R h(w) is R‖w‖ − R²/2.
fn stays_inside(h: &Context, scale: &Theorem) -> Proof {
    let w = &h.extended(item("w₀", Sort::Vector(var("d"), Sign::Any)))?;
    let w = &w.extended(Item::Assume(goal(w, "f(w₀) ≤ 1")?))?;
    let i = &with_record(w, "i₀")?;
    let least = log_not_negative(&show(i, "1 ≤ 1 + exp(s(i₀, w₀))", &[])?)?;
    let (low, least) = (last_given(w)?, sum_over(&least)?);
    let inside = either(
        w,
        [&var("w₀").norm(), &var("R")],
        |here, order, inside| {
            if inside {
                return show(here, "‖w₀‖ ≤ R", &[("1", &[order])]);
            }
            let huber = beyond_radius(here, order, "w₀")?;
            let parts: &[(&str, &[&Theorem])] = &[
                ("R/2", &[&low]),
                ("λ·R/2", &[&huber]),
                ("R/(2·n)", &[&least]),
                ("R/4 − ‖w₀‖/2", &[scale]),
            ];
            show(here, "‖w₀‖ ≤ R", parts)
        },
    )?;
    discharge(&discharge(&inside)?)
}

/// R‖w‖ − R²/2 ≤ h(w) from R ≤ ‖w‖, as max(R, ‖w‖) is ‖w‖.
fn beyond_radius(h: &Context, order: &Theorem, w: &str) -> Proof {
    let (size, most) = (format!("‖{w}‖"), largest_of(w));
    let below = largest(order, &show(h, &format!("{size} ≤ {size}"), &[])?)?;
    let ([_, above, _], whole) = (maximum(h, w)?, whole_of(h, w)?);
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("(R²/2)·(1 + {size}/{most})/{most}"), &[&above]),
        (&format!("R·{size}/{most}"), &[&below]),
        (&format!("(R²/2)·(1 + {size}/{most}) − R·{size}"), &[&whole]),
    ];
    show(h, &format!("R·{size} − R²/2 ≤ h({w})"), parts)
}

/// h(x) + ⟨c(x), y − x⟩ + ‖y − x‖²/2 ≤ h(y) from ‖x‖ ≤ R and ‖y‖ ≤ R, where c(x) = x: with X = M − R, which is 0, an inner product is
/// the multiple of X ≥ 0 by a quarter of the square of 1 more, and of −X ≥ 0 by that of 1 less.
fn strong_inside(h: &Context, [short, other]: [&Theorem; 2]) -> Proof {
    let most = |order: &Theorem| largest(&show(h, "R ≤ R", &[])?, order);
    let (below_x, below_y) = (most(short)?, most(other)?);
    let ([above_x, ..], [above_y, ..]) = (maximum(h, "x")?, maximum(h, "y")?);
    let (whole_x, whole_y) = (whole_of(h, "x")?, whole_of(h, "y")?);
    let [m, o] = ["x", "y"].map(largest_of);
    let inner = "(Σ_{j<d} x_j·(y_j − x_j))";
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("(1/2)·‖y‖²/{o}²"), &[&above_y, &below_y]),
        (
            &format!("((−1)/2)·‖y‖²·(2·({o} − R)/{o} + 1 − {o}/{o})"),
            &[&whole_y],
        ),
        (&format!("(1/2)·(1 − R/{m})²·‖x‖²"), &[]),
        (&format!("({inner} + 1)²/(4·{m})"), &[&above_x]),
        (&format!("({inner} − 1)²/(4·{m})"), &[&below_x]),
        (inner, &[&whole_x]),
    ];
    let goal = format!(
        "{} + {}/2 ≤ h(y)",
        tangent_of(["h", "c"], "x", "y"),
        apart("x", "y")
    );
    show(h, &goal, parts)
}

/// x ≤ exp(2·log t) from what is left of it: `rest` proves x ≤ γ²‖∇F‖², and γ‖∇F‖ ≤ t.
fn below_square(h: &Context, goal: &Goal, slope: &Theorem, rest: &Theorem) -> Proof {
    let log = term(h, "log(t)")?;
    let (split, named) = (exp_sum(h, &log, &log)?, exp_log(h, &var("t"))?);
    let parts: &[(&str, &[&Theorem])] = &[
        ("(−1)", &[&split]),
        ("(−1)·(t + exp(log(t)))", &[&named]),
        ("t + γ·‖⟨g(x, j) : j<d⟩‖", &[slope]),
        ("1", &[rest]),
    ];
    settle(h, goal, parts)
}

/// F − F(y) ≤ γ²‖∇F‖² inside, by the PL inequality there.
fn polyak_inside(h: &Context, short: [&Theorem; 2], scale: &Theorem) -> Proof {
    let (mean, huber) = (mean_convex(h, "x", "y")?, strong_inside(h, short)?);
    let parts: &[(&str, &[&Theorem])] = &[
        ("2·λ", &[&mean]),
        ("2·λ²", &[&huber]),
        ("Σ_{j<d} (g(x, j) + λ·(y_j − x_j))²", &[]),
    ];
    let polyak = show(h, "2·λ·(f(x) − f(y)) ≤ Σ_{j<d} g(x, j)²", parts)?;
    let goal = "f(x) − f(y) ≤ γ²·(Σ_{j<d} g(x, j)²)";
    show(h, goal, &[("γ²", &[&polyak]), ("f(y) − f(x)", &[scale])])
}

fn steep_inside(h: &Context, goal: &Goal) -> Proof {
    let [short, other, scale, slope] = [1, 2, 3, 4].map(|n| given(h, n));
    let steep = polyak_inside(h, [&short?, &other?], &scale?)?;
    below_square(h, goal, &slope?, &steep)
}

/// −7/25 ≤ π(s)·s: with u = −s, u ≤ (7/25)·(1 + e^u), as e^u ≥ (25/7)·(1 + u − 32/25) by e^(32/25) ≥ 25/7.
fn slope_is_low(h: &Context, s: &str) -> Proof {
    let low = log_above(h, &ratio(7, 25), &ratio(-32, 25), 7)?;
    let (low, named) = (exp_increases(&low)?, exp_log(h, &term(h, "7/25")?)?);
    let away = format!("(0 − {s} − 32/25)");
    let tangent = tangent(h, &term(h, &away)?)?;
    let split = exp_sum(h, &term(h, s)?, &term(h, &away)?)?;
    let whole = inverse(h, &term(h, &format!("1 + exp({s})"))?)?;
    let unit = format!("1/(1 + exp({s}))");
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("π({s})"), &[&tangent]),
        (&format!("(−1)·{unit}"), &[&split]),
        (&unit, &[&low]),
        (&unit, &[&named]),
        ("7/25", &[&whole]),
    ];
    show(h, &format!("(−7)/25 ≤ π({s})·{s}"), parts)
}

/// 43/25 ≤ R‖∇F(x)‖ from R ≤ ‖x‖: along x the regulariser has the slope λR = 2/R, and m no less than −(7/25)/‖x‖.
fn steep_beyond(h: &Context, order: &Theorem, radius: &Theorem) -> Proof {
    let i = &with_record(h, "i₀")?;
    let low = sum_over(&slope_is_low(i, "s(i₀, x)")?)?;
    let both = i.extended(item("j", Sort::Index(var("d"))))?;
    let body = term(&both, "π(s(i₀, x))·a_i₀[j]·x_j")?;
    let swap = exchange(h, ("i₀", &var("n")), ("j", &var("d")), &body)?;
    let along = cauchy(h, "⟨g(x, j) : j<d⟩", "x")?;
    let ([above, size, _], whole) = (maximum(h, "x")?, whole_of(h, "x")?);
    let below = largest(order, &show(h, "‖x‖ ≤ ‖x‖", &[])?)?;
    let (m, slope) = (largest_of("x"), "‖⟨g(x, j) : j<d⟩‖");
    let own = "λ·R·‖x‖²/max(R, ‖x‖) − 7/25 ≤ ‖⟨g(x, j) : j<d⟩‖·‖x‖";
    let own = show(
        h,
        own,
        &[("1", &[&along]), ("1/n", &[&low]), ("1/n", &[&swap])],
    )?;
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("R·{slope}/{m}"), &[&size]),
        (&format!("R/{m}"), &[&own]),
        (&format!("R·{slope} − 2·(‖x‖/{m} + 1) + 7/25"), &[&whole]),
        (&format!("(−1)·‖x‖²/{m}²"), &[radius]),
        (&format!("2·(‖x‖/{m} + 1)/{m}"), &[&below]),
        (&format!("(7/25)/{m}"), &[&above]),
    ];
    show(h, &format!("43/25 ≤ R·{slope}"), parts)
}

/// log 2 ≤ 73/100.
fn log_of_two(h: &Context) -> Proof {
    let low = exp_increases(&log_above(h, &ratio(1, 2), &ratio(-73, 100), 3)?)?;
    let (named, unit) = (
        exp_log(h, &term(h, "1/2")?)?,
        exp_of_opposite(h, &term(h, "73/100")?)?,
    );
    let up = "2·exp(73/100)";
    let parts: &[(&str, &[&Theorem])] = &[(up, &[&low]), (up, &[&named]), ("2", &[&unit])];
    log_at_most(&show(h, "2 ≤ exp(73/100)", parts)?)
}

/// Wherever F is at most log 2 above F(y): beyond the ball (γ‖∇F‖)² = (R‖∇F‖/2)² is at least (43/50)².
fn steep(h: &Context, goal: &Goal) -> Proof {
    let [radius, other, near, scale, slope] = [1, 2, 3, 4, 5].map(|n| given(h, n));
    let (radius, other, near, scale, slope) = (radius?, other?, near?, scale?, slope?);
    either(h, [&var("x").norm(), &var("R")], |here, order, inside| {
        if inside {
            let steep = polyak_inside(here, [order, &other], &scale)?;
            return below_square(here, goal, &slope, &steep);
        }
        let (beyond, two) = (steep_beyond(here, order, &radius)?, log_of_two(here)?);
        let square = "(Σ_{j<d} g(x, j)²)";
        let parts: &[(&str, &[&Theorem])] = &[
            ("1", &[&near]),
            ("1", &[&two]),
            ("(R·‖⟨g(x, j) : j<d⟩‖ + 43/25)/4", &[&beyond]),
            (&format!("γ²·{square}/2"), &[&radius]),
            (&format!("(−1)·R²·{square}/4"), &[&scale]),
        ];
        let steep = show(here, &format!("f(x) − f(y) ≤ γ²·{square}"), parts)?;
        below_square(here, goal, &slope, &steep)
    })
}

/// The proof of [`statement`], or of a statement with larger constants.
pub fn prove(statement: &Statement) -> Proof {
    let curved = curved(&statement.context)?;
    each(
        statement,
        &[
            &loss_changes,
            &mean_changes,
            &|h, goal| settle(h, goal, &[("1", &[&whole_convex(h, "x", "y")?])]),
            &|h, goal| step_is_smooth(h, &curved, goal),
            &|h, goal| gradient_moves(h, &curved, goal),
            &huber_start,
            &begins_low,
            &|h, goal| {
                let inside = instance(h, &stays_inside(h, &given(h, 1)?)?, &var("w"))?;
                let inside = chain(h, &inside, &given(h, 2)?)?;
                settle(h, goal, &[("1", &[&inside])])
            },
            &|h, goal| {
                let smooth = whole_smooth(h, &curved, "x", "y")?;
                let low = show(h, "f(y) ≤ 1", &[("1", &[&smooth]), ("1", &[&given(h, 2)?])])?;
                let inside = instance(h, &stays_inside(h, &given(h, 1)?)?, &var("y"))?;
                let inside = chain(h, &inside, &low)?;
                settle(h, goal, &[("1", &[&inside])])
            },
            &steep_inside,
            &steep,
        ],
    )
}
