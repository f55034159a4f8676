//! The functions and data sets of Theorem 8, and in [`private`] what no private algorithm can do on them.

pub mod private;

use crate::moved::written::{Proof, each, given, goal, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, exp_log, exp_sum, instance, larger, largest, root_increases, sum_over,
};
use dp_assay_kernel::search::exp::{exp_increases, log_increases};
use dp_assay_kernel::search::size::{above_modulus, below_modulus, either};
use dp_assay_kernel::search::{assumed, item};
use dp_assay_kernel::statement::{Context, Goal, Sort, Statement};
use dp_assay_kernel::term::var;

/// `kl-thm-8-inst-repaired`, o being the first coordinate: f(w; x) is f(w, 1, 0) for x = 1, f(w, 0, 1) for x = −1, and f(w, 0, 0) for x = 0; F is
/// the risk of S and E that of S′, p and m saying which records are 1 and −1. h is any subgradient, and r > 0 makes powers of 0 unnecessary.
pub fn statement() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           integer k ≥ 1
           assume k ≤ n
           real κ > 0
           assume 2 ≤ κ
           define q := k/n
           define a := exp((κ − 1)·log(q))/2
           index o<d
           define f(w∈ℝ^d, u, v) := u·max(a − w_o, 0) + v·max(w_o + a, 0)
           vector p ∈ ℝ^n
           vector m ∈ ℝ^n
           assume for every index i<n: p_i² = p_i
           assume for every index i<n: m_i² = m_i
           assume Σ_{i<n} p_i = k
           assume Σ_{i<n} m_i = k
           define F(w∈ℝ^d) := (Σ_{i<n} f(w, p_i, 0))/n
           define E(w∈ℝ^d) := (Σ_{i<n} f(w, 0, m_i))/n
           define z(w∈ℝ^d) := (a − w_o)/(2·a)
           define g(w∈ℝ^d) := max(0, z(w) + 1 − max(z(w), 1))
           real u ≥ 0
           real v ≥ 0
           assume u + v ≤ 1
           real s ≥ 0
           assume s ≤ 1
           vector x ∈ ℝ^d
           vector y ∈ ℝ^d
           vector h ∈ ℝ^d
           real r > 0
         holds
           f(⟨s·x_j + (1 − s)·y_j : j<d⟩, u, v) ≤ s·f(x, u, v) + (1 − s)·f(y, u, v); f(x, u, v) ≤ \
               f(y, u, v) + ‖⟨x_j − y_j : j<d⟩‖; if (−1)·a ≤ x_o: if for every vector w ∈ ℝ^d: \
               F(x) + Σ_{j<d} h_j·(w_j − x_j) ≤ F(w): F(x) ≤ exp(κ·log(max(‖h‖, r))); if x_o ≤ a: \
               if for every vector w ∈ ℝ^d: E(x) + Σ_{j<d} h_j·(w_j − x_j) ≤ E(w): E(x) ≤ \
               exp(κ·log(max(‖h‖, r))); F(⟨a : j<d⟩) ≤ 0; E(⟨(−1)·a : j<d⟩) ≤ 0; \
               exp(κ·log(q))·g(x) ≤ F(x); exp(κ·log(q))·(1 − g(x)) ≤ E(x)",
    )
}

/// |x_o| ≤ ‖x‖ for a vector of so many entries as o is below.
pub(super) fn entry(h: &Context, x: &str) -> Proof {
    let l = &h.extended(item("l", Sort::Index(var("d"))))?;
    let goal = format!("𝟙[l=o]·({x}[l])² ≤ ({x}[l])²");
    let slack = format!("(1 − 𝟙[l=o])²·({x}[l])²");
    let all = sum_over(&show(l, &goal, &[(&slack, &[])])?)?;
    root_increases(&show(h, &format!("({x}[o])² ≤ ‖{x}‖²"), &[("1", &[&all])])?)
}

/// q·2a = q^κ, as q·exp((κ − 1)·log q) = exp(κ·log q): an equation and that of q.
fn power(h: &Context) -> Result<[Theorem; 2], Stuck> {
    let split = exp_sum(h, &term(h, "log(q)")?, &term(h, "(κ − 1)·log(q)")?)?;
    Ok([split, exp_log(h, &term(h, "q")?)?])
}

/// A bound c of max(t, 0), from c ≥ t and c ≥ 0.
fn least(h: &Context, [t, c]: [&str; 2], parts: [&[(&str, &[&Theorem])]; 2]) -> Proof {
    let first = show(h, &format!("{t} ≤ {c}"), parts[0])?;
    largest(&first, &show(h, &format!("0 ≤ {c}"), parts[1])?)
}

fn top(h: &Context, t: &str, second: bool) -> Proof {
    larger(h, &term(h, t)?, &term(h, "0")?, second)
}

/// max(t(s·x + (1 − s)·y), 0) is at most the mean of max(t(x), 0) and max(t(y), 0).
fn mean(h: &Context, t: &dyn Fn(&str) -> String) -> Proof {
    let (x, y) = (t("x_o"), t("y_o"));
    let below = assumed(h, &goal(h, "s ≤ 1")?)?;
    let most = format!("s·max({x}, 0) + (1 − s)·max({y}, 0)");
    let [a, b] = [&x, &y].map(|t| Ok::<_, Stuck>([top(h, t, false)?, top(h, t, true)?]));
    let ([a, b], [c, e]) = (a?, b?);
    least(
        h,
        [&t("(s·x_o + (1 − s)·y_o)"), &most],
        [
            &[("s", &[&a]), ("1", &[&below, &c])],
            &[("s", &[&b]), ("1", &[&below, &e])],
        ],
    )
}

/// max(t(x), 0) ≤ max(t(y), 0) + ‖x − y‖.
fn near(h: &Context, t: &dyn Fn(&str) -> String, sign: &str) -> Proof {
    let gap = "⟨x_j − y_j : j<d⟩";
    let size = entry(h, gap)?;
    let up = below_modulus(h, &term(h, &format!("{sign}·(x_o − y_o)"))?)?;
    let most = format!("max({}, 0) + ‖{gap}‖", t("y_o"));
    let [a, b] = [false, true].map(|second| top(h, &t("y_o"), second));
    let (a, b) = (a?, b?);
    least(
        h,
        [&t("x_o"), &most],
        [
            &[("1", &[&a]), ("1", &[&up]), ("1", &[&size])],
            &[("1", &[&b]), (&format!("‖{gap}‖"), &[])],
        ],
    )
}

fn entry_of(w: &str) -> String {
    format!("{w}[o]")
}

/// F(w) = q·max(t, 0), from the number of records that count.
fn summed(h: &Context, risk: &str, t: &str, w: &str, sum: &Theorem) -> Proof {
    let goal = format!("{risk}({w}) = q·max({t}, 0)");
    show(h, &goal, &[(&format!("max({t}, 0)/n"), &[sum])])
}

fn left_of(w: &str) -> String {
    format!("a − {w}")
}

fn right_of(w: &str) -> String {
    format!("{w} + a")
}

/// What a risk is at a point.
type Value<'a> = &'a dyn Fn(&Context, &str) -> Proof;

/// F(x) ≤ ‖h‖^κ for one of the risks, D = t(x) being where it is not 0 and `end` where it begins: q·D ≤ F(x) ≤ ‖h‖·D, and D ≤ 2a.
/// `known` are D ≤ 2a, as a bound of x_o, and that h is a subgradient; `value` is F(w) = q·max(t(w), 0).
fn valley(
    h: &Context,
    goal: &Goal,
    [risk, t, end, sign]: [&str; 4],
    [inside, slope]: [&Theorem; 2],
    value: Value<'_>,
) -> Proof {
    let moved = format!("⟨x_j + 𝟙[j=o]·({end} − x_o) : j<d⟩");
    let slope = instance(h, slope, &term(h, &moved)?)?;
    let zero = show(h, "0 ≤ 0", &[])?;
    let none = largest(&zero, &zero)?;
    let (m, power) = ("max(‖h‖, r)", "exp(κ·log(max(‖h‖, r)))");
    // F(x) ≤ −h_o·(end − x_o).
    let falls = format!("{risk}(x) ≤ (−1)·h_o·({end} − x_o)");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&slope]),
        ("1", &[&value(h, &moved)?]),
        ("q", &[&none]),
    ];
    let falls = show(h, &falls, parts)?;
    let is = value(h, "x")?;
    let value = show(h, &format!("{risk}(x) ≤ q·max({t}, 0)"), &[("1", &[&is])])?;
    let (size, above) = (
        entry(h, "h")?,
        larger(h, &term(h, "‖h‖")?, &var("r"), false)?,
    );
    let own = term(h, "h_o")?;
    let side = match sign {
        "1" => below_modulus(h, &own)?,
        _ => above_modulus(h, &own)?,
    };
    either(h, [&term(h, t)?, &term(h, "0")?], |h, case, flat| {
        if flat {
            let none = largest(case, &show(h, "0 ≤ 0", &[])?)?;
            return settle(h, goal, &[("1", &[&value]), ("q", &[&none])]);
        }
        let whole = largest(&show(h, &format!("{t} ≤ {t}"), &[])?, case)?;
        let most = show(
            h,
            &format!("{risk}(x) ≤ q·({t})"),
            &[("1", &[&value]), ("q", &[&whole])],
        )?;
        let part = top(h, t, false)?;
        let least = format!("q·({t}) ≤ {risk}(x)");
        let least = show(h, &least, &[("q", &[&part]), ("(−1)", &[&is])])?;
        let steep = format!("{risk}(x) ≤ {m}·({t})");
        let steep = show(
            h,
            &steep,
            &[
                ("1", &[&falls]),
                ("1", &[case, &side]),
                ("1", &[case, &size]),
                ("1", &[case, &above]),
            ],
        )?;
        either(
            h,
            [&term(h, &format!("{risk}(x)"))?, &term(h, power)?],
            |h, case, small| {
                if small {
                    return settle(h, goal, &[("1", &[case])]);
                }
                let order = either(h, [&term(h, "q")?, &term(h, m)?], |h, order, done| {
                    if done {
                        return show(h, &format!("q ≤ {m}"), &[("1", &[order])]);
                    }
                    let unit = format!("1/{power}");
                    let parts: &[(&str, &[&Theorem])] = &[
                        (&unit, &[order, case]),
                        (&unit, &[order, &most]),
                        (&format!("q/{power}"), &[&least]),
                        (&format!("q/{power}"), &[&steep]),
                    ];
                    show(h, &format!("q ≤ {m}"), parts)
                })?;
                let logs = log_increases(&order)?;
                let grown = show(h, &format!("κ·log(q) ≤ κ·log({m})"), &[("κ", &[&logs])])?;
                let grown = exp_increases(&grown)?;
                let [split, whole] = self::power(h)?;
                let parts: &[(&str, &[&Theorem])] = &[
                    ("1", &[&most]),
                    ("q", &[inside]),
                    ("1", &[&grown]),
                    ("(−1)", &[&split]),
                    ("(−1)·exp((κ − 1)·log(q))", &[&whole]),
                ];
                settle(h, goal, parts)
            },
        )
    })
}

/// The proof of [`statement`].
pub fn prove(statement: &Statement) -> Proof {
    let h = &statement.context;
    let (ones, others) = (given(h, 4)?, given(h, 5)?);
    let few = given(h, 6)?;
    let zero = show(h, "0 ≤ 0", &[])?;
    let none = largest(&zero, &zero)?;
    let z = "(a − x_o)/(2·a)";
    let [split, whole] = power(h)?;
    let lower = |h: &Context, goal: &Goal, t: &str, sum: &Theorem, share: &Theorem| {
        let unit = format!("(−1)·max({t}, 0)/n");
        let parts: &[(&str, &[&Theorem])] = &[
            ("exp(κ·log(q))", &[share]),
            (&unit, &[sum]),
            (&format!("max({t}, 0)/(2·a)"), &[&split]),
            (&format!("max({t}, 0)"), &[&whole]),
        ];
        settle(h, goal, parts)
    };
    each(
        statement,
        &[
            &|h, goal| {
                settle(
                    h,
                    goal,
                    &[
                        ("u", &[&mean(h, &left_of)?]),
                        ("v", &[&mean(h, &right_of)?]),
                    ],
                )
            },
            &|h, goal| {
                let (a, b) = (near(h, &left_of, "(−1)")?, near(h, &right_of, "1")?);
                settle(
                    h,
                    goal,
                    &[("u", &[&a]), ("v", &[&b]), ("‖⟨x_j − y_j : j<d⟩‖", &[&few])],
                )
            },
            &|h, goal| {
                let known = [&given(h, 8)?, &given(h, 9)?];
                let value = |h: &Context, w: &str| summed(h, "F", &left_of(&entry_of(w)), w, &ones);
                valley(h, goal, ["F", "a − x_o", "a", "(−1)"], known, &value)
            },
            &|h, goal| {
                let known = [&given(h, 8)?, &given(h, 9)?];
                let value =
                    |h: &Context, w: &str| summed(h, "E", &right_of(&entry_of(w)), w, &others);
                valley(h, goal, ["E", "x_o + a", "(−1)·a", "1"], known, &value)
            },
            &|h, goal| settle(h, goal, &[("k/n", &[&none]), ("max(0, 0)/n", &[&ones])]),
            &|h, goal| settle(h, goal, &[("k/n", &[&none]), ("max(0, 0)/n", &[&others])]),
            &|h, goal| {
                // g ≤ max(z, 0).
                let [up, positive] = [false, true].map(|second| top(h, "a − x_o", second));
                let (up, positive) = (up?, positive?);
                let one = larger(h, &term(h, z)?, &term(h, "1")?, true)?;
                let most = "max(a − x_o, 0)/(2·a)";
                let low = show(h, &format!("0 ≤ {most}"), &[("1/(2·a)", &[&positive])])?;
                let high = format!("{z} + 1 − max({z}, 1) ≤ {most}");
                let high = show(h, &high, &[("1", &[&one]), ("1/(2·a)", &[&up])])?;
                lower(h, goal, "a − x_o", &ones, &largest(&low, &high)?)
            },
            &|h, goal| {
                // 1 − g ≤ max(z, 1) − z ≤ max(x_o + a, 0)/(2a).
                let [up, positive] = [false, true].map(|second| top(h, "x_o + a", second));
                let (up, positive) = (up?, positive?);
                let most = format!("{z} + max(x_o + a, 0)/(2·a)");
                let first = show(h, &format!("{z} ≤ {most}"), &[("1/(2·a)", &[&positive])])?;
                let second = show(h, &format!("1 ≤ {most}"), &[("1/(2·a)", &[&up])])?;
                let least = largest(&first, &second)?;
                let inner = term(h, &format!("{z} + 1 − max({z}, 1)"))?;
                let part = larger(h, &term(h, "0")?, &inner, true)?;
                let share = format!("1 − max(0, {z} + 1 − max({z}, 1)) ≤ max(x_o + a, 0)/(2·a)");
                let share = show(h, &share, &[("1", &[&least]), ("1", &[&part])])?;
                lower(h, goal, "x_o + a", &others, &share)
            },
        ],
    )
}
