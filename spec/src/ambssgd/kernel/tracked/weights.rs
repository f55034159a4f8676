//! How a round is written, and the weights of what is proved for all of them.

use super::Proof;
use crate::ambssgd::kernel::ssgd::ends::{decays, rounds, told};
use crate::ambssgd::kernel::ssgd::words::Phase::{self, Early, Late};
use crate::ambssgd::kernel::ssgd::words::{PAYS, apart};
use crate::moved::written::{Written, goal, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, below, chain, discharge, instance};
use dp_assay_kernel::search::real;
use dp_assay_kernel::statement::{Context, Item, Sign};

/// The threshold as a state.
pub(super) const STATE: &str = "max(‖γ‖, Δ)";

/// The deviation of a residual.
pub(super) const SCALE: &str = "√((Σ_{j<d} (w[j] − w⋆_j)²) + σ²)";

/// The variance of the noise on a step, and what it is at most where the threshold follows.
pub(super) fn variance(level: &str) -> String {
    format!("(2·ϱ·{level}·α/b)²")
}

pub(super) fn most() -> String {
    format!("(4·ϱ²·α²/b²)·(Δ² + V²·({} + σ²))", apart("w"))
}

/// What one record of a batch adds to ‖ω‖² in expectation.
pub(super) fn once() -> String {
    format!("η²·((d + 1)·{} + d·σ²)/b²", apart("w"))
}

pub(super) const NOTHING: &str = "⟨0 : j<d⟩";

/// What the potential behind a round weighs the squares of the martingale and of ω with, what is added, how much of w⋆ the sum of
/// the averaged iterates has, and what may be clipped in later rounds.
pub(super) struct Weights {
    pub(super) carried: String,
    pub(super) far: String,
    pub(super) added: String,
    pub(super) share: String,
    pub(super) later: String,
}

pub(super) const NAMES: [&str; 5] = ["ψ", "F", "A", "E", "Θ"];

impl Weights {
    /// Any.
    pub(super) fn named() -> Self {
        let [share, later, carried, far, added] = NAMES.map(str::to_owned);
        Self {
            carried,
            far,
            added,
            share,
            later,
        }
    }

    /// Those of a round.
    pub(super) fn of(phase: Phase) -> Self {
        let (falling, decay) = (phase.falling(), phase.decay("t + 1"));
        let left = phase.left("t + 1");
        let (carried, pays, share) = match phase {
            Early => ("0", "0", "0"),
            Late => ("((β/R)·((1 + φ)/2))", PAYS, "(t/n)"),
        };
        Self {
            carried: carried.to_owned(),
            far: format!("((β/R)·({pays} + {falling}·{decay}) + 1/B²)"),
            added: format!("((β/R)·({}) + {left}·η²·Q/B²)", phase.added("t + 1")),
            share: share.to_owned(),
            later: format!("({left}·f)"),
        }
    }

    /// The potential behind the round, with the square of the martingale and of ω.
    pub(super) fn potential(&self, [carried, far]: &[String; 2]) -> String {
        let Self {
            carried: a,
            far: e,
            added,
            ..
        } = self;
        format!("({a}·{carried} + {e}·{far} + {added})")
    }

    /// The martingale in entry j, for ω behind the round there.
    pub(super) fn carried(&self, j: &str, gap: &str) -> String {
        format!("(s_{j} − {}·w⋆_{j} + {gap}/(η·n))", self.share)
    }

    /// The squares behind the round, as they are expected when the partial mean is `a` and `rest` records are to come; v is the
    /// variance of the noise.
    pub(super) fn batch(&self, rest: &str, a: &str, v: &str) -> [String; 2] {
        let gap = gap("j", rest, a);
        let spread = format!("({rest}·{} + η²·d·{v})", once());
        [
            format!(
                "((Σ_{{j<d}} {}²) + {spread}/(η²·n²))",
                self.carried("j", &gap)
            ),
            format!("((Σ_{{j<d}} {gap}²) + {spread})"),
        ]
    }

    /// How much the potential grows with ‖ω‖² behind the round.
    pub(super) fn growth(&self) -> String {
        format!("({}/(η²·n²) + {})", self.carried, self.far)
    }

    /// The potential in the batch.
    pub(super) fn inner(&self, rest: &str, a: &str, level: &str) -> String {
        let base = self.potential(&self.batch(rest, a, &variance(level)));
        format!("({base} + 1 − 𝟙({} ≤ 0))", condition(level))
    }

    /// min(1, potential), and what may be clipped in the rest of the batch and in later rounds.
    pub(super) fn least(&self, u: &str, rest: &str) -> String {
        format!(
            "1 + {u} − max(1, {u}) + 4·{rest}·exp(0 − ℓ) + {}",
            self.later
        )
    }
}

/// ω behind the round in entry j, but for noise.
pub(super) fn gap(j: &str, rest: &str, a: &str) -> String {
    format!("(w_{j} − w⋆_{j} − η·{a}[{j}] − η·({rest}/b)·(w_{j} − w⋆_{j}))")
}

/// ≤ 0 where w is near and the threshold not too low.
pub(super) fn condition(level: &str) -> String {
    format!("max({} − B², {SCALE} − 2·{level})", apart("w"))
}

/// The states with weights of which 0 ≤ Θ is supposed.
pub(super) fn weighted(states: &Context) -> Result<Context, Stuck> {
    let signs = [
        Sign::Any,
        Sign::Any,
        Sign::NonNegative,
        Sign::NonNegative,
        Sign::Any,
    ];
    let numbers = NAMES.into_iter().zip(signs);
    let h = states.with(numbers.map(|(name, sign)| real(name, sign)))?;
    h.extended(Item::Assume(goal(&h, POSITIVE)?))
}

const POSITIVE: &str = "0 ≤ Θ";

/// What holds for all weights, without them.
pub(super) fn for_all_weights(theorem: &Theorem) -> Proof {
    let all = discharge(theorem)?;
    NAMES.iter().try_fold(all, |theorem, _| discharge(&theorem))
}

/// What holds for all weights, for those of a round.
pub(super) fn of_round(h: &Context, phase: Phase, every: &Theorem) -> Proof {
    let own = Weights::of(phase);
    // The long ones come last.
    let values = [&own.share, &own.later, &own.carried, &own.far, &own.added];
    let at = { values.into_iter() }.try_fold(every.clone(), |every, value| {
        instance(h, &every, &term(h, value)?)
    })?;
    let (decay, later) = (decays(h, phase)?, below(h, "t")?);
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("(β/R)·{}·η·Q", phase.falling()), &[&decay]),
        (&rounds(phase), &[&later]),
    ];
    let added = show(h, &format!("0 ≤ {}", own.added), parts)?;
    chain(h, &at, &added)
}

/// 0 ≤ the potential behind the round where so many records are to come.
pub(super) fn positive(
    h: &Context,
    own: &Weights,
    (rest, a, v): (&str, &str, &str),
    more: &[Written<'_>],
) -> Proof {
    let squares = own.batch(rest, a, v);
    let gap = gap("j", rest, a);
    let added = told(h, POSITIVE)?;
    let all: [Written<'_>; 4] = [
        ("1", &[&added]),
        (&format!("A·(Σ_{{j<d}} {}²)", own.carried("j", &gap)), &[]),
        (&format!("E·(Σ_{{j<d}} {gap}²)"), &[]),
        (&format!("{}·η²·d·{v}", own.growth()), &[]),
    ];
    let all: Vec<Written<'_>> = all.into_iter().chain(more.iter().copied()).collect();
    show(h, &format!("0 ≤ {}", own.potential(&squares)), &all)
}
