//! Two data sets that no private algorithm tells apart, for lower bounds.
//!
//! A mechanism is a map of its data and of noise, and its values are in the ball W of radius a: every law on W that depends on the data
//! is the image of one of these. Of privacy no more is supposed than that it holds for the events that outputs are in a half
//! space. On the way from S = `S[0]` to S′ = `S[m + m]` every record that is 1 becomes −1, one after another; half of the way
//! is gone from either side.

use super::told;
use crate::moved::written::{Proof, goal, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Theorem, chain, discharge, exp_sum, expected, induction, instance, sum_over, tangent, union,
};
use dp_assay_kernel::search::exp::{exp_of_opposite, exp_of_zero};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{assumed, item};
use dp_assay_kernel::statement::{Context, Item, Sign, Sort};
use dp_assay_kernel::term::{Op, Term, num, op, var};

/// (ε, δ)-DP, for neighbours of records −1, 0 and 1 and half spaces.
const PRIVATE: &str = "for every vector u ∈ ℝ^n: for every vector v ∈ ℝ^n: if for every index i<n: \
    u_i³ = u_i: if for every index i<n: v_i³ = v_i: if Σ_{i<n} (1 − 𝟙(|u_i − v_i| ≤ 0)) ≤ 1: for \
    every vector g ∈ ℝ^d: for every real c: 𝔼_{ξ∼N_{e}(0, 1)}[𝟙(Σ_{j<d} g_j·clip(A(u, ξ), a)[j] ≤ \
    c)] ≤ exp(ε)·𝔼_{ξ∼N_{e}(0, 1)}[𝟙(Σ_{j<d} g_j·clip(A(v, ξ), a)[j] ≤ c)] + δ";

/// What is supposed of every step of the way, that of number `j` being from one of these data sets to the other.
fn way([from, to]: [&str; 2]) -> [String; 3] {
    let records = |s: &str| format!("for every index j<m: for every index i<n: {s}[i]³ = {s}[i]");
    let one = format!("for every index j<m: Σ_{{i<n}} (1 − 𝟙(|{from}[i] − {to}[i]| ≤ 0)) ≤ 1");
    [records(from), records(to), one]
}

/// The first half of the way, and the second.
const HALVES: [[&str; 2]; 2] = [["S[j]", "S[j + 1]"], ["S[m + j]", "S[m + (j + 1)]"]];

/// Where data set S has its ones, and S′ its −1.
const ENDS: [&str; 4] = [
    "for every index i<n: S[0][i]² = S[0][i]",
    "Σ_{i<n} S[0][i] = 2·m",
    "for every index i<n: S[m + m][i]² = (−1)·S[m + m][i]",
    "Σ_{i<n} (−1)·S[m + m][i] = 2·m",
];

/// The numbers: m is ⌈1/(2ε)⌉, and q the share of ones in S.
pub(super) const NUMBERS: &str = "for all
  integer n ≥ 1
  integer d ≥ 1
  integer m ≥ 1
  real ε > 0
  assume exp(ε) ≤ 2
  real δ ≥ 0
  assume δ ≤ (1 − exp((−1)·ε))/16
  assume 1 ≤ 2·m·ε
  assume 2·(m − 1)·ε ≤ 1
  index o<d
  define q := 2·m/n";

/// The mechanism and the data.
pub(super) fn setting() -> String {
    let steps = HALVES.iter().flat_map(|half| way(*half));
    let all = steps.chain(ENDS.map(Into::into));
    let data: String = all.map(|given| format!("\n  assume {given}")).collect();
    format!(
        "  integer e ≥ 1\n  map A of ℝ^n × ℝ^e into ℝ^d\n  assume {PRIVATE}\n  sequence S in \
            ℝ^n{data}"
    )
}

/// Of the records of S that b² = b and Σb = 2m, of those of S′ that b² = −b and −Σb = 2m; the first summed over the records.
pub(super) fn ones(h: &Context, first: bool) -> Result<[Theorem; 2], Stuck> {
    let [one, all] = match first {
        true => [ENDS[0], ENDS[1]],
        false => [ENDS[2], ENDS[3]],
    };
    let inner = h.extended(item("l", Sort::Index(var("n"))))?;
    let one = sum_over(&instance(&inner, &told(h, one)?, &var("l"))?)?;
    Ok([one, told(h, all)?])
}

/// The law of the noise.
pub(super) fn noise() -> Term {
    op(Op::Normal, [var("e"), num(1)])
}

/// What is supposed of one step of a half of the way, for index k.
fn step_of(h: &Context, half: usize) -> Result<[Theorem; 3], Stuck> {
    let [a, b, c] = way(HALVES[half]).map(|text| instance(h, &told(h, &text)?, &var("k")));
    Ok([a?, b?, c?])
}

/// The probability that an output is on a side of the hyperplane w_o = c.
fn side(data: &str, low: bool, c: &str) -> String {
    let sign = if low { "" } else { "(−1)·" };
    format!("𝔼_{{ξ∼N_{{e}}(0, 1)}}[𝟙({sign}clip(A({data}, ξ), a)[o] ≤ {sign}({c}))]")
}

/// The probability of a side on one data set is at most e^ε times that on the other, plus δ.
fn close(
    h: &Context,
    [x, y]: [&str; 2],
    records: [&Theorem; 2],
    one: &Theorem,
    (low, c): (bool, &str),
) -> Proof {
    let mut found = told(h, PRIVATE)?;
    for data in [x, y] {
        found = instance(h, &found, &term(h, data)?)?;
    }
    let near = format!("Σ_{{i<n}} (1 − 𝟙(|{x}[i] − {y}[i]| ≤ 0)) ≤ 1");
    let near = show(h, &near, &[("1", &[one])])?;
    for fact in [records[0], records[1], &near] {
        found = chain(h, &found, fact)?;
    }
    let sign = if low { "" } else { "(−1)·" };
    for value in [format!("⟨{sign}𝟙[j=o] : j<d⟩"), format!("{sign}({c})")] {
        found = instance(h, &found, &term(h, &value)?)?;
    }
    let wanted = format!("{} ≤ exp(ε)·{} + δ", side(x, low, c), side(y, low, c));
    show(h, &wanted, &[("1", &[&found])])
}

/// δ + 1/16 ≤ e^ε/16, as 2 ≤ e^ε + e^{−ε}.
fn small(h: &Context) -> Proof {
    let (few, unit) = (
        told(h, "δ ≤ (1 − exp((−1)·ε))/16")?,
        exp_of_opposite(h, &var("ε"))?,
    );
    let square = "(exp(ε) − 1)²·exp((−1)·ε)/16";
    let parts: &[(&str, &[&Theorem])] =
        &[("1", &[&few]), (square, &[]), ("(2 − exp(ε))/16", &[&unit])];
    show(h, "δ + 1/16 ≤ exp(ε)/16", parts)
}

/// From the middle P + 1/16 ≤ e^{mε}·(P + 1/16), P the probability of w_o ≤ c on S, or of w_o ≥ c on S′.
fn half(h: &Context, first: bool, c: &str) -> Proof {
    let at = |k: &str| match first {
        true => format!(
            "{} + 1/16 ≤ exp(({k})·ε)·({} + 1/16)",
            side(&format!("S[{k}]"), true, c),
            side("S[0]", true, c)
        ),
        false => format!(
            "{} + 1/16 ≤ exp(({k})·ε)·({} + 1/16)",
            side("S[m]", false, c),
            side(&format!("S[m + ({k})]"), false, c)
        ),
    };
    let ends = side(if first { "S[0]" } else { "S[m]" }, first, c);
    let zero = exp_of_zero(h)?;
    let start = show(h, &at("0"), &[(&format!("{ends} + 1/16"), &[&zero])])?;
    let here = &h.extended(item("k", Sort::Index(var("m"))))?;
    let now = goal(here, &at("k"))?;
    let here = &here.extended(Item::Assume(now.clone()))?;
    let now = assumed(here, &now)?;
    let half = usize::from(!first);
    let [from, to, one] = step_of(here, half)?;
    let [x, y] = HALVES[half].map(|text| text.replace('j', "k"));
    let near = match first {
        true => close(here, [&y, &x], [&to, &from], &one, (true, c))?,
        false => close(here, [&x, &y], [&from, &to], &one, (false, c))?,
    };
    let (grown, small) = (exp_sum(here, &term(here, "k·ε")?, &var("ε"))?, small(here)?);
    let last = side(if first { "S[0]" } else { &y }, first, c);
    let (one_more, share) = match first {
        true => ("exp(ε)", "1"),
        false => ("1", "exp(k·ε)"),
    };
    let parts: &[(&str, &[&Theorem])] = &[
        (one_more, &[&now]),
        (share, &[&near]),
        (share, &[&small]),
        (&format!("(−1)·({last} + 1/16)"), &[&grown]),
    ];
    let next = show(here, &at("k + 1"), parts)?;
    induction(&start, &discharge(&next)?)
}

/// In the middle an output is on one of the two sides.
fn somewhere(h: &Context, c: &str) -> Proof {
    let inner = &h.extended(item("ξ", Sort::Vector(var("e"), Sign::Any)))?;
    let w = "clip(A(S[m], ξ), a)[o]";
    let events = ["", "(−1)·"].map(|sign| format!("{sign}{w} ≤ {sign}({c})"));
    let [one, other] = [0, 1].map(|i: usize| format!("𝟙({})", events[i]));
    let goal = goal(inner, &format!("1 ≤ {one} + {other}"))?;
    let sides = [&term(inner, w)?, &term(inner, c)?];
    let found = either(inner, sides, |h, case, low| {
        let (event, rest) = if low {
            (&events[0], &other)
        } else {
            (&events[1], &one)
        };
        let sure = union(&show(h, event, &[("1", &[case])])?)?;
        settle(h, &goal, &[("1", &[&sure]), (rest, &[])])
    })?;
    let found = expected(&found, &noise())?;
    let [one, other] = [true, false].map(|low| side("S[m]", low, c));
    show(h, &format!("1 ≤ {one} + {other}"), &[("1", &[&found])])
}

/// e^z·(1 − z/4)⁴ ≤ 1, z = mε, for z ≤ 4/3.
fn grows_little(h: &Context, high: &Theorem) -> Proof {
    let (v, quarter, half) = ("(1 − m·ε/4)", "(−1)·m·ε/4", "(−1)·m·ε/2");
    let least = show(h, &format!("0 ≤ {v}"), &[("1/4", &[high])])?;
    let above = tangent(h, &term(h, quarter)?)?;
    let [once, twice] = [quarter, half].map(|t| term(h, t));
    let (once, twice) = (once?, twice?);
    let (once, twice) = (exp_sum(h, &once, &once)?, exp_sum(h, &twice, &twice)?);
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&above, &above]),
        ("2", &[&above, &least]),
        ("(−1)", &[&once]),
    ];
    let square = show(h, &format!("{v}² ≤ exp({half})"), parts)?;
    let unit = exp_of_opposite(h, &term(h, "m·ε")?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("exp(m·ε)·(exp({half}) + {v}²)"), &[&square]),
        ("(−1)·exp(m·ε)", &[&twice]),
        ("(−1)", &[&unit]),
    ];
    show(h, &format!("exp(m·ε)·{v}⁴ ≤ 1"), parts)
}

/// 20/19 + z² ≤ 9z²·(1 − z/4)⁴ for 1/2 ≤ z ≤ 4/3: l = 163/200 + 33z/50 has a square of at least the left side, and is at most
/// 3z·(1 − z/4)².
fn polynomial(h: &Context, low: &Theorem, high: &Theorem) -> Proof {
    let (l, v) = ("(163/200 + (33/50)·m·ε)", "(1 − m·ε/4)");
    let root = format!("3·m·ε·{v}²");
    let parts: &[(&str, &[&Theorem])] = &[("1411/2500", &[low, high]), ("77/1875", &[low])];
    let first = show(h, &format!("20/19 + (m·ε)² ≤ {l}²"), parts)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("297/50000", &[high, high, high]),
        ("8937/6250", &[low, high, high]),
        ("4311/3125", &[low, low, high]),
        ("447/3125", &[low, low, low]),
    ];
    let second = show(h, &format!("{l} ≤ {root}"), parts)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&first]), (&format!("{root} + {l}"), &[&second])];
    show(h, &format!("20/19 + (m·ε)² ≤ 9·(m·ε)²·{v}⁴"), parts)
}

/// z ≤ 4/3, z = mε.
pub(super) fn short(h: &Context) -> Proof {
    // ε ≤ 5/6, since (1 + ε/2)² ≤ e^ε ≤ 2.
    let above = tangent(h, &term(h, "ε/2")?)?;
    let twice = exp_sum(h, &term(h, "ε/2")?, &term(h, "ε/2")?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("12/17", &[&told(h, "exp(ε) ≤ 2")?]),
        ("(12/17)·(exp(ε/2) + 1 + ε/2)", &[&above]),
        ("(−1)·12/17", &[&twice]),
        ("(12/17)·((ε − 5/6)/2)²", &[]),
    ];
    let few = show(h, "ε ≤ 5/6", parts)?;
    let fewest = told(h, "2·(m − 1)·ε ≤ 1")?;
    show(h, "m·ε ≤ 4/3", &[("1/2", &[&fewest]), ("1", &[&few])])
}

/// P(w_o ≤ c) on S plus P(w_o ≥ c) on S′, as text: the probabilities of the wrong sides.
pub(super) fn both(c: &str) -> String {
    format!("{} + {}", side("S[0]", true, c), side("S[m + m]", false, c))
}

/// 5/38 ≤ z²·P, P the sum of the probabilities of the wrong sides.
pub(super) fn wrong(h: &Context, c: &str) -> Proof {
    let (both, high) = (both(c), short(h)?);
    let low = show(h, "1/2 ≤ m·ε", &[("1/2", &[&told(h, "1 ≤ 2·m·ε")?])])?;
    let halves = [true, false].map(|first| half(h, first, c));
    let [first, second] = halves;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&somewhere(h, c)?]),
        ("1", &[&first?]),
        ("1", &[&second?]),
    ];
    let reach = show(h, &format!("9/8 ≤ exp(m·ε)·({both} + 1/8)"), parts)?;
    let fourth = "(1 − m·ε/4)⁴";
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("{both} + 1/8"), &[&grows_little(h, &high)?]),
        (fourth, &[&reach]),
    ];
    let many = show(h, &format!("(9/8)·{fourth} ≤ {both} + 1/8"), parts)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("(m·ε)²", &[&many]),
        ("1/8", &[&polynomial(h, &low, &high)?]),
    ];
    show(h, &format!("5/38 ≤ (m·ε)²·({both})"), parts)
}
