//! The rounds of Algorithm 1 keep the invariants.

use super::Proof;
use super::ends::{self, Falls, about, at_least, named, near, positive, same, space};
use super::misses::{drawn, laws, rarely};
use super::stated::others;
use super::words::Phase::{self, Early, Late};
use super::words::{self, GRADIENT, PAYS, at, average, least};
use crate::moved::written::{settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Theorem, at_most_one, expected, instance, larger, largest, sum_over, unclipped,
};
use dp_assay_kernel::search::cases::split;
use dp_assay_kernel::search::item;
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::statement::{Context, Goal, Sort};
use dp_assay_kernel::term::{Binder, Op, Term, bind, num, op, var};

/// What the run adds that has no part in a run on drawn records: the record of D.
fn own(phase: Phase, j: &str) -> String {
    format!("𝟙[t=τ{}]·{}", phase.number(), words::own("ζ", j))
}

/// w after a step of the run.
fn clipped_step(phase: Phase) -> String {
    let number = phase.number();
    let (own, others) = (
        own(phase, "j"),
        others(number, phase.rounds(), ["w", "t", "u", "ξ"]),
    );
    format!("⟨w_j − η·(p{number}·{own} + {others}[j] + g_j) : j<d⟩")
}

/// w after a step along the gradient as it is.
fn plain_step() -> String {
    format!("⟨w_j − η·({GRADIENT}[j] + g_j) : j<d⟩")
}

/// The run is useful.
pub(super) fn run(h: &Context, wanted: &Goal) -> Proof {
    let states = h.with([item("s", space()), item("w", space())])?;
    ends::run(h, wanted, &states, |behind| {
        let (mut invariants, mut theorems) = (Vec::new(), Vec::new());
        for (phase, end) in [Late, Early].into_iter().zip(behind) {
            let round = ends::round(&states, phase)?;
            invariants.push(term(&round, &phase.invariant("t", "s", "w"))?);
            theorems.extend([end.clone(), kept(&round, phase)?]);
        }
        Ok((invariants, theorems))
    })
}

/// No round of a loop reads the record of D.
fn unread(h: &Context, phase: Phase) -> Proof {
    named(h, &format!("p{}", phase.number()))
}

/// What a record adds in entry e in a round is the clipped gradient of u and ξ.
fn drawn_there(h: &Context, phase: Phase) -> Proof {
    let every = about(h, &format!("K{}", phase.number()))?;
    let values = ["w", "t", "u", "ξ", "e"].map(var);
    { values.iter() }.try_fold(every, |every, value| instance(h, &every, value))
}

/// One round keeps the invariant.
fn kept(h: &Context, phase: Phase) -> Proof {
    let round = Round::new(h, phase)?;
    let before = phase.potential("t", &at("t", "s", "w"));
    let invariant = phase.invariant("t", "s", "w");
    let wanted = Goal::Le(
        round.mean(&least(&round.clipped, &phase.left("t + 1")))?,
        term(h, &invariant)?,
    );
    let potential = term(h, &before)?;
    either(h, [&potential, &num(1)], |h, order, small| {
        let round = Round::new(h, phase)?;
        if small {
            let top = largest(&same(h, "1")?, order)?;
            return round.unclipped(h, &wanted, [order, &top]);
        }
        let top = largest(order, &same(h, &before)?)?;
        let all = round.at_most_one()?;
        settle(h, &wanted, &[("1", &[&all]), ("1", &[&top])])
    })
}

/// A round in a context whose last variables are the draws.
struct Round {
    phase: Phase,
    /// The context with u, ξ and the noise g.
    drawn: Context,
    laws: [Term; 3],
    /// The potential behind the round, and what it would be if nothing were clipped.
    clipped: String,
    plain: String,
}

impl Round {
    fn new(h: &Context, phase: Phase) -> Result<Self, Stuck> {
        let ([_, both], [features, noise]) = (drawn(h)?, laws());
        let after = |step: &str| {
            let average = average(step);
            phase.potential("t + 1", &at("t + 1", &average, step))
        };
        Ok(Self {
            phase,
            drawn: both.extended(item("g", space()))?,
            laws: [
                features,
                noise,
                op(Op::Normal, [var("d"), term(h, "(2·ζ·α)²")?]),
            ],
            clipped: after(&clipped_step(phase)),
            plain: after(&plain_step()),
        })
    }

    /// The expectation over the draws.
    fn mean(&self, text: &str) -> Result<Term, Stuck> {
        let [u, xi, g] = &self.laws;
        let inner = bind(Binder::Expect, "g", g.clone(), term(&self.drawn, text)?);
        let inner = bind(Binder::Expect, "ξ", xi.clone(), inner);
        Ok(bind(Binder::Expect, "u", u.clone(), inner))
    }

    /// Of a theorem for all draws.
    fn expected(&self, theorem: &Theorem) -> Proof {
        let [u, xi, g] = &self.laws;
        expected(&expected(&expected(theorem, g)?, xi)?, u)
    }

    /// min(1, potential) ≤ 1.
    fn at_most_one(&self) -> Proof {
        let h = &self.drawn;
        let left = self.phase.left("t + 1");
        let above = larger(h, &num(1), &term(h, &self.clipped)?, true)?;
        let goal = format!("{} ≤ 1 + {left}·f", least(&self.clipped, &left));
        self.expected(&show(h, &goal, &[("1", &[&above])])?)
    }

    /// Where the gradient is short, the potential is that without clipping; else it is 1 at most.
    fn compared(&self) -> Proof {
        let (h, phase) = (&self.drawn, self.phase);
        let (clipped, plain) = (&self.clipped, &self.plain);
        let short = format!("𝟙(‖{GRADIENT}‖ ≤ ζ)");
        let goal = format!("1 + {clipped} − max(1, {clipped}) ≤ {plain} + 1 − {short}");
        let (norm, level) = (term(h, &format!("‖{GRADIENT}‖"))?, var("ζ"));
        let sure = at_most_one(h, &term(h, &short)?)?;
        let step = plain_step();
        let positive = positive(h, phase, &at("t + 1", &average(&step), &step))?;
        let potential = term(h, clipped)?;
        split(
            h,
            [&norm, &level],
            |h, fact| {
                let same = self.same(h, fact)?;
                let most = larger(h, &num(1), &potential, false)?;
                let parts: &[(&str, &[&Theorem])] =
                    &[("1", &[&same]), ("1", &[&most]), ("1", &[&sure])];
                show(h, &goal, parts)
            },
            |h, none| {
                let above = larger(h, &num(1), &potential, true)?;
                let parts: &[(&str, &[&Theorem])] =
                    &[("1", &[&above]), ("1", &[none]), ("1", &[&positive])];
                show(h, &goal, parts)
            },
        )
    }

    /// The two potentials are the same where the gradient is short, entry by entry.
    fn same(&self, h: &Context, fact: &Theorem) -> Proof {
        let e = &h.extended(item("e", Sort::Index(var("d"))))?;
        let entry = unclipped(e, fact, Some("e"))?;
        let (none, drawn) = (unread(e, self.phase)?, drawn_there(e, self.phase)?);
        let own = own(self.phase, "e");
        let [clipped, plain] = [clipped_step(self.phase), plain_step()];
        let apart = |step: &str| format!("({step}[e] − w⋆_e)²");
        let carried = |step: &str| {
            format!("(s_e + {step}[e]/n − ((t + 1)/n)·w⋆_e + (1 − η)·({step}[e] − w⋆_e)/(η·n))²")
        };
        let mut facts = Vec::new();
        for (square, rate) in [(&apart as &dyn Fn(&str) -> String, "η"), (&carried, "1/n")] {
            let (one, other) = (square(&clipped), square(&plain));
            let root = |square: &str| square.trim_end_matches('²').to_owned();
            let factor = format!("(−1)·({rate})·({} + {})", root(&one), root(&other));
            let parts: &[(&str, &[&Theorem])] = &[
                (&factor, &[&entry]),
                (&factor, &[&drawn]),
                (&format!("{factor}·{own}"), &[&none]),
            ];
            let equal = show(e, &format!("{one} = {other}"), parts)?;
            facts.push(sum_over(&equal)?);
        }
        let (decay, falling) = (self.phase.decay("t + 1"), self.phase.falling());
        let pays = match self.phase {
            Early => format!("(β/R)·{falling}·{decay} + 1/B²"),
            Late => format!("(β/R)·({PAYS} + {falling}·{decay}) + 1/B²"),
        };
        let carries = match self.phase {
            Early => "0",
            Late => "(β/R)·((1 + φ)/2)",
        };
        let parts: &[(&str, &[&Theorem])] = &[(&pays, &[&facts[0]]), (carries, &[&facts[1]])];
        show(h, &format!("{} ≤ {}", self.clipped, self.plain), parts)
    }

    /// The expectation without clipping, and what is clipped rarely.
    fn unclipped(&self, h: &Context, wanted: &Goal, [small, top]: [&Theorem; 2]) -> Proof {
        let close = near(h, self.phase, small)?;
        let enough = "(√(d) + √(2·ℓ))·√(2·ℓ)·(B + σ) ≤ ζ";
        let enough = show(h, enough, &[("1", &[&at_least(h, "ζ")?])])?;
        let rarely = rarely(h, "ζ", "B", [&close, &enough])?;
        let compared = self.expected(&self.compared()?)?;
        Falls::new(h, self.phase)?.combined(h, wanted, &[&compared, &rarely, top])
    }
}
