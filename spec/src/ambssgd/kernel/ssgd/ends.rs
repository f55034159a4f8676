//! Where the invariants begin and end, and when potentials are positive.

use super::Proof;
use super::words::Phase::{self, Early, Late};
use super::words::{LAST, NOISE, PAYS, apart, at};
use crate::moved::written::{goal, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, assume, below, ends, larger, largest, union};
use dp_assay_kernel::search::cases::{beyond, split};
use dp_assay_kernel::search::exp::{exp_increases, exp_of_zero, log_tangent, power};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{assumed, item};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort};
use dp_assay_kernel::term::{Binder, Op, Term, num, var};

/// A hypothesis by its text.
pub(in crate::ambssgd::kernel) fn told(h: &Context, text: &str) -> Proof {
    assumed(h, &goal(h, text)?)
}

/// λ = 1 − η.
pub(in crate::ambssgd::kernel) fn rate(h: &Context) -> Proof {
    told(h, "λ = 1 − η")
}

/// (1 + χ)·η ≤ 1.
pub(in crate::ambssgd::kernel) fn small_step(h: &Context) -> Proof {
    told(h, "(1 + χ)·η ≤ 1")
}

/// a ≤ a.
pub(in crate::ambssgd::kernel) fn same(h: &Context, a: &str) -> Proof {
    show(h, &format!("{a} ≤ {a}"), &[])
}

/// The vectors of dimension d.
pub(in crate::ambssgd::kernel) fn space() -> Sort {
    Sort::Vector(var("d"), Sign::Any)
}

/// Invariants and theorems on the loops of a run, in the order of [`ends`].
pub(in crate::ambssgd::kernel) type Loops = (Vec<Term>, Vec<Theorem>);

/// P(L(s) − L(w⋆) ≤ R/β) from below, from what the loops keep in a context with the states, which they get with the end of the last.
pub(in crate::ambssgd::kernel) fn run(
    h: &Context,
    wanted: &Goal,
    states: &Context,
    loops: impl Fn([&Theorem; 2]) -> Result<Loops, Stuck>,
) -> Proof {
    let Goal::Le(_, Term::Bind(Binder::Expect, _, law, good)) = wanted else {
        return Err(Stuck::new("no probability"));
    };
    let Term::Op(Op::End, run) = &**law else {
        return Err(Stuck::new("not of the end of a run"));
    };
    let [Term::Var(run), ..] = &run[..] else {
        return Err(Stuck::new("a run without a name"));
    };
    let Term::Op(Op::AtMost, sides) = &**good else {
        return Err(Stuck::new("no probability of an inequality"));
    };
    let value = num(1) - (**good).clone();
    let behind = [&last(states, &value, sides)?, &handed_over(states)?];
    let (invariants, theorems) = loops(behind)?;
    let invariants: Vec<&Term> = invariants.iter().collect();
    let theorems: Vec<&Theorem> = theorems.iter().collect();
    let found = ends(h, run, ("s", &value), &invariants, &theorems)?;
    let start = Early.potential("0", &at("0", "w₀", "w₀"));
    let most = larger(h, &num(1), &term(h, &start)?, false)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&found]),
        ("1", &[&most]),
        ("(−1)·β/R", &[&named(h, "R")?]),
        ("(−1)·(f + η²·Q/B²)", &[&told(h, "T = k + n")?]),
    ];
    settle(h, wanted, parts)
}

/// The context of a round.
pub(in crate::ambssgd::kernel) fn round(states: &Context, phase: Phase) -> Result<Context, Stuck> {
    states.extended(item("t", Sort::Index(var(phase.rounds()))))
}

/// λ^n ≤ λ^(t + 1) for a round t, as λ^n/λ^(t + 1) ≤ 1.
pub(in crate::ambssgd::kernel) fn decays(h: &Context, phase: Phase) -> Proof {
    let (rounds, next) = (var(phase.rounds()), term(h, "t + 1")?);
    let (tangent, rate) = (log_tangent(h, &var("λ"))?, rate(h)?);
    let negative = show(h, "log(λ) ≤ 0", &[("1", &[&tangent]), ("1", &[&rate])])?;
    let later = below(h, "t")?;
    let n = phase.rounds();
    let logs = format!("{n}·log(λ) ≤ (t + 1)·log(λ)");
    let logs = exp_increases(&show(h, &logs, &[("1", &[&later, &negative])])?)?;
    let [whole, part] = [&rounds, &next].map(|n| power(h, &var("λ"), n));
    let parts: &[(&str, &[&Theorem])] = &[
        ("1/λ^(t + 1)", &[&logs]),
        ("1/λ^(t + 1)", &[&whole?]),
        ("(−1)/λ^(t + 1)", &[&part?]),
    ];
    show(h, &format!("{} ≤ 1", phase.decay("t + 1")), parts)
}

/// 0 ≤ the potential behind round t, for these squares.
pub(in crate::ambssgd::kernel) fn positive(
    h: &Context,
    phase: Phase,
    squares: &[String; 2],
) -> Proof {
    let (decay, later) = (decays(h, phase)?, below(h, "t")?);
    let (all, falling) = (phase.squares("t + 1", squares), phase.falling());
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("(β/R)·({all})"), &[]),
        (&format!("{}/B²", squares[1]), &[]),
        (&format!("(β/R)·{falling}·η·Q"), &[&decay]),
        (&rounds(phase), &[&later]),
    ];
    let potential = phase.potential("t + 1", squares);
    show(h, &format!("0 ≤ {potential}"), parts)
}

/// What a round that is left adds to the potential.
pub(in crate::ambssgd::kernel) fn rounds(phase: Phase) -> String {
    match phase {
        Late => format!("(β/R)·{NOISE} + η²·Q/B²"),
        Early => "η²·Q/B²".to_owned(),
    }
}

/// ‖ω‖² ≤ B² where the potential before round t is at most 1: 1 − λ^n/λ^t = λ·(1 − λ^n/λ^(t + 1)) + η + (1 − η − λ).
pub(in crate::ambssgd::kernel) fn near(h: &Context, phase: Phase, small: &Theorem) -> Proof {
    let (decay, later, rate) = (decays(h, phase)?, below(h, "t")?, rate(h)?);
    let all = phase.squares("t", &at("t", "s", "w"));
    let unit = format!("B²·(β/R)·{}·η·Q", phase.falling());
    let parts: &[(&str, &[&Theorem])] = &[
        ("B²", &[small]),
        (&format!("B²·(β/R)·({all})"), &[]),
        (&format!("{unit}·λ"), &[&decay]),
        (&unit, &[&rate]),
        (&format!("{unit}·η"), &[]),
        (&format!("B²·({})", rounds(phase)), &[&later]),
    ];
    show(h, &format!("{} ≤ B²", apart("w")), parts)
}

/// The first hypothesis of a kind.
pub(in crate::ambssgd::kernel) fn first(h: &Context, of: impl Fn(&Goal) -> bool) -> Proof {
    let says = |item: &Item| matches!(item, Item::Assume(goal) if of(goal));
    let found = h.items().iter().position(says);
    assume(
        h,
        found.ok_or_else(|| Stuck::new("nothing of the kind is supposed"))?,
    )
}

/// What is supposed for all values of something, of which its left or right side speaks.
pub(in crate::ambssgd::kernel) fn about(h: &Context, name: &str) -> Proof {
    first(h, |goal| match goal {
        Goal::Every(..) => { goal.sides().into_iter().flatten() }.any(|side| side.mentions(name)),
        _ => false,
    })
}

/// What a number is, by hypothesis.
pub(in crate::ambssgd::kernel) fn named(h: &Context, x: &str) -> Proof {
    first(h, |goal| matches!(goal, Goal::Eq(y, _) if *y == var(x)))
}

/// What a sum with a number in it is at most, by hypothesis.
pub(in crate::ambssgd::kernel) fn at_most(h: &Context, x: &str) -> Proof {
    first(
        h,
        |goal| matches!(goal, Goal::Le(sum, _) if sum.mentions(x)),
    )
}

/// What a number is at least, by hypothesis.
pub(in crate::ambssgd::kernel) fn at_least(h: &Context, x: &str) -> Proof {
    first(h, |goal| matches!(goal, Goal::Le(_, y) if *y == var(x)))
}

/// What a round costs that spreads ‖ω‖² as much as it may: parts that add up to the fall of the potential.
pub(in crate::ambssgd::kernel) struct Falls {
    /// λ = 1 − η, (1 + χ)·η ≤ 1, and what χ and Q are.
    facts: [Theorem; 4],
    /// What they are multiplied by, and what is left.
    multipliers: [String; 5],
}

impl Falls {
    pub fn new(h: &Context, phase: Phase) -> Result<Self, Stuck> {
        let (far, decay, falling) = (apart("w"), phase.decay("t + 1"), phase.falling());
        let (pays, carries) = match phase {
            Early => ("0", "0"),
            Late => (PAYS, "(1 + φ)/(2·η²·n²)"),
        };
        let grows = format!("((β/R)·({carries} + {pays} + {falling}·{decay}) + 1/B²)");
        Ok(Self {
            facts: [rate(h)?, small_step(h)?, named(h, "χ")?, named(h, "Q")?],
            multipliers: [
                format!("(β/R)·{falling}·{decay}·(η·Q − {far})"),
                format!("η·{far}·((β/R)·({pays} + {falling}·{decay}) + 1/B²)"),
                format!("(−1)·{grows}·η²·{far}"),
                format!("(−1)·{grows}·η²"),
                format!("η·{far}/B²"),
            ],
        })
    }

    /// The goal from these and others.
    pub fn combined(&self, h: &Context, goal: &Goal, more: &[&Theorem]) -> Proof {
        let facts: Vec<&Theorem> = self.facts.iter().collect();
        let own = facts.chunks(1).chain([[].as_slice()]);
        let own = self.multipliers.iter().map(String::as_str).zip(own);
        let more = more.iter().map(|fact| ("1", std::slice::from_ref(fact)));
        settle(h, goal, &own.chain(more).collect::<Vec<_>>())
    }
}

/// What is wanted fails with no more than the invariant at the end.
fn last(h: &Context, value: &Term, sides: &[Term]) -> Proof {
    let potential = Late.potential("n", &at("n", "s", "w"));
    let invariant = term(h, &Late.invariant("n", "s", "w"))?;
    let wanted = Goal::Le(value.clone(), invariant);
    let squares = format!("(β/R)·({})", Late.squares("n", &at("n", "s", "w")));
    let distance = format!("{}/B²", apart("w"));
    split(
        h,
        [&sides[0], &sides[1]],
        |h, fact| {
            let sure = union(fact)?;
            let parts: &[(&str, &[&Theorem])] = &[(&squares, &[]), (&distance, &[])];
            let one = show(h, &format!("1 ≤ 1 + {potential}"), parts)?;
            let own = show(h, &format!("{potential} ≤ 1 + {potential}"), &[])?;
            let top = largest(&one, &own)?;
            settle(h, &wanted, &[("1", &[&sure]), ("1", &[&top])])
        },
        |h, none| {
            let above = beyond(h, none)?;
            // (1 + φ)·M² + (1 + 1/φ)·E² − D² = (φ·χ + (1 + φ)·E)²/φ for M = D + E.
            let gap = "(φ·(s_j − w⋆_j) + (1 + φ)·(1 − η)·(w_j − w⋆_j)/(η·n))²";
            let parts: &[(&str, &[&Theorem])] = &[
                ("β/R", &[&above]),
                (&format!("(β/R)·(Σ_{{j<d}} {gap})/(2·φ)"), &[]),
                (&format!("(β/R)·{PAYS}·{}", apart("w")), &[]),
                (&distance, &[]),
            ];
            let one = show(h, &format!("1 ≤ {potential}"), parts)?;
            let own = show(h, &format!("{potential} ≤ {potential}"), &[])?;
            settle(h, &wanted, &[("1", &[&largest(&one, &own)?])])
        },
    )
}

/// The first invariant at its end is at least the second one at its beginning, with nothing averaged.
fn handed_over(h: &Context) -> Proof {
    let nothing = "⟨0 : j<d⟩";
    let (first, second) = (
        Early.potential("k", &at("k", "s", "w")),
        Late.potential("0", &at("0", nothing, "w")),
    );
    let wanted = Goal::Le(
        term(h, &Late.invariant("0", nothing, "w"))?,
        term(h, &Early.invariant("k", "s", "w"))?,
    );
    let less = begins(h, &second, &first)?;
    let [small, large] = [false, true].map(|b| larger(h, &num(1), &term(h, &second)?, b));
    let (small, large) = (small?, large?);
    either(h, [&term(h, &first)?, &num(1)], |h, order, few| {
        if few {
            let top = largest(&same(h, "1")?, order)?;
            let parts: &[(&str, &[&Theorem])] =
                &[("1", &[&top]), ("1", &[&less]), ("1", &[&small])];
            return settle(h, &wanted, parts);
        }
        let top = largest(order, &same(h, &first)?)?;
        settle(h, &wanted, &[("1", &[&top]), ("1", &[&large])])
    })
}

/// The potential of the average before its first round, from η ≤ 1 and λ^n ≤ 1.
fn begins(h: &Context, second: &str, first: &str) -> Proof {
    let (rate, step) = (rate(h)?, small_step(h)?);
    let (tangent, zero) = (log_tangent(h, &var("λ"))?, exp_of_zero(h)?);
    let logs = show(h, "n·log(λ) ≤ 0", &[("n", &[&tangent]), ("n", &[&rate])])?;
    let (logs, power) = (exp_increases(&logs)?, power(h, &var("λ"), &var("n"))?);
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&logs]), ("1", &[&power]), ("(−1)", &[&zero])];
    let less = show(h, "λ^n ≤ 1", parts)?;
    let distance = apart("w");
    let unit = "(β/R)·(1/(2·η²·n²))";
    // 1 − (1 − η)² = η·(1 + λ) + η·(1 − η − λ).
    let round = format!("{unit}·η·((1 + φ)·{distance} + (1 + 1/φ)·({distance} + η·Q))");
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("{unit}·(1 + φ)·{distance}"), &[&step]),
        (&format!("(β/R)·{LAST}·{distance}"), &[&less]),
        (&round, &[&rate]),
        (&format!("{round}·(1 + λ)"), &[]),
        (&format!("{unit}·(1 + φ)·η·{distance}"), &[]),
        (&format!("(β/R)·{LAST}·η·Q·λ^n"), &[]),
    ];
    show(h, &format!("{second} ≤ {first}"), parts)
}
