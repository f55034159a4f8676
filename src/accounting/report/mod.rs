//! Accounting for an event tree: one call, one report that says what it rests on.

mod question;
mod signs;
mod steps;

use super::AccountError;
use super::basis;
use super::claims::Claims;
use super::event::{Event, Sampling, Step};
use crate::units::{Delta, Neighbouring};
use question::{Ends, Question};
use serde::{Deserialize, Serialize};

/// Which accountant to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "cli",
    derive(schemars::JsonSchema),
    schemars(rename = "Method")
)]
#[serde(rename_all = "kebab-case")]
pub enum Accountant {
    /// The tightest that is known for the event: the least upper end of those that are asked. Where the exact accountant is tight
    /// it alone is asked, whose last digits may be the larger ones.
    Auto,
    /// Rényi divergences, added and converted.
    Rdp,
    /// Privacy-loss distributions on a lattice.
    Pld,
    /// Closed forms, optimal composition, Fourier inversion.
    Exact,
}

impl Accountant {
    /// The spelling in flags and results.
    ///
    /// ```
    /// use dp_assay::accounting::Accountant;
    ///
    /// assert_eq!(Accountant::Pld.name(), "pld");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Rdp => "rdp",
            Self::Pld => "pld",
            Self::Exact => "exact",
        }
    }
}

/// What is known about an event's ε at a δ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Report {
    /// No smaller ε holds for every mechanism that the event describes; 0 where the method proves
    /// nothing of the kind.
    pub epsilon_lower: f64,
    /// Whether the lower end is an explicit attack's, on neighbours that need not be the worst: what parts the ends may then be more
    /// than rounding.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_attack: bool,
    /// Every mechanism described by the event is (ε, δ)-DP with this ε.
    pub epsilon_upper: f64,
    /// δ, as asked.
    pub delta: f64,
    /// The accountant that gave the upper end.
    pub method: Accountant,
    /// The relation, as asked.
    #[cfg_attr(feature = "cli", schemars(with = "String"))]
    pub neighbours: Neighbouring,
    /// The theorems that it rests on.
    pub theorem: String,
    /// Ids of the ledger's claims that it rests on.
    pub claims: Claims,
}

impl Report {
    /// The report with a lower end that `by` gives, where it is larger.
    ///
    /// ```
    /// use dp_assay::prelude::*;
    ///
    /// let event = Event::Pure { epsilon: 1.0 };
    /// let (delta, neighbours) = (Delta::new(0.0)?, Neighbouring::AddRemove);
    /// let report = account(&event, delta, Accountant::Exact, neighbours, false)?;
    /// assert!(report.clone().and_lower((0.5, "a friend")).is_ok_and(|r| r.epsilon_lower >= 0.5));
    /// // One of the two would have to be wrong.
    /// assert!(report.and_lower((1.5, "a friend")).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A lower end above the upper one.
    pub fn and_lower(mut self, (lower, by): (f64, &'static str)) -> Result<Self, AccountError> {
        AccountError::in_order((lower, by), (self.epsilon_upper, self.above()))?;
        if lower > self.epsilon_lower {
            (self.epsilon_lower, self.by_attack) = (lower, by == ATTACK);
        }
        Ok(self)
    }

    /// Who gives the upper end.
    fn above(&self) -> &'static str {
        match self.claims.iter().any(|id| id == TOLD.1) {
            true => TOLD.0,
            false => self.method.name(),
        }
    }

    /// Whether no other accountant could say much more.
    fn is_narrow(&self) -> bool {
        self.epsilon_upper - self.epsilon_lower <= NARROW * self.epsilon_upper
    }
}

/// Who gives a lower end that is no accountant's by itself.
const ATTACK: &str = "an explicit attack";
/// An upper end that is no accountant's by itself, and its claim.
const TOLD: (&str, &str) = ("the bound for batches that are told", "acc-told");
/// Relative width within which an answer is sought no further.
const NARROW: f64 = 1e-4;
/// Relative discretisation error that lattice accountants aim at.
const LATTICE_ACCURACY: f64 = 1e-5;

/// Bounds the ε of an event at δ. `two_sided` asks for a lower end where [`Accountant::Pld`] can prove one
/// at the price of a second run; the other methods give theirs anyway.
///
/// ```
/// use dp_assay::prelude::*;
///
/// let event = Event::Gaussian { sigma: 1.0, sensitivity: 1.0 };
/// let (delta, neighbours) = (Delta::new(1e-5)?, Neighbouring::AddRemove);
/// let exact = account(&event, delta, Accountant::Exact, neighbours, false)?;
/// assert!((4.3..4.4).contains(&exact.epsilon_upper));
/// // No accountant may say less than what the exact one proves necessary.
/// let rdp = account(&event, delta, Accountant::Rdp, neighbours, false)?;
/// assert!(exact.epsilon_lower <= rdp.epsilon_upper);
/// // Gaussian noise has no finite ε at δ = 0.
/// assert!(account(&event, Delta::new(0.0)?, Accountant::Exact, neighbours, false).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Parameters out of range; an event, method and relation without a known theorem; δ for which no
/// finite ε exists.
pub fn account(
    event: &Event,
    delta: Delta,
    method: Accountant,
    neighbours: Neighbouring,
    two_sided: bool,
) -> Result<Report, AccountError> {
    let ends = if two_sided { Ends::Both } else { Ends::Free };
    bounded(event, delta, method, neighbours, ends)
}

/// As [`account`], but where neighbours differ in size of the larger of them alone: the neighbour has a record less, never a record
/// more. That is what is printed of truncated Poisson samples elsewhere (dp-accounting's event of that name), and no ε of a
/// data set, whose neighbours may have a record more.
///
/// ```
/// use dp_assay::accounting::account_of_larger;
/// use dp_assay::prelude::*;
///
/// let event = Box::new(Event::Gaussian { sigma: 1.0, sensitivity: 1.0 });
/// let event = Event::TruncatedPoissonSampled { rate: 0.9, cap: 2, records: 2, event };
/// let (delta, neighbours, exact) = (Delta::new(0.01)?, Neighbouring::AddRemove, Accountant::Exact);
/// // Of two records or one none is ever too many; a third may take the place of another.
/// let less = account_of_larger(&event, delta, exact, neighbours, false)?;
/// assert!((2.1..2.2).contains(&less.epsilon_upper));
/// let either = account(&event, delta, exact, neighbours, false)?;
/// assert!((3.0..5.0).contains(&either.epsilon_upper));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`account`].
pub fn account_of_larger(
    event: &Event,
    delta: Delta,
    method: Accountant,
    neighbours: Neighbouring,
    two_sided: bool,
) -> Result<Report, AccountError> {
    let ends = if two_sided { Ends::Both } else { Ends::Free };
    let ways = event.steps_of_larger(neighbours)?;
    worst(ways, event, (delta, method), neighbours, ends)
}

/// As [`account`], with nothing from below that a dear law would have to be made for once more.
pub(super) fn account_above(
    event: &Event,
    delta: Delta,
    method: Accountant,
    neighbours: Neighbouring,
) -> Result<Report, AccountError> {
    bounded(event, delta, method, neighbours, Ends::Upper)
}

fn bounded(
    event: &Event,
    delta: Delta,
    method: Accountant,
    neighbours: Neighbouring,
    ends: Ends,
) -> Result<Report, AccountError> {
    let ways = event.steps(neighbours)?;
    worst(ways, event, (delta, method), neighbours, ends)
}

/// The greatest ε of some ways through an event.
fn worst(
    ways: Vec<Vec<Step>>,
    event: &Event,
    (delta, method): (Delta, Accountant),
    neighbours: Neighbouring,
    ends: Ends,
) -> Result<Report, AccountError> {
    let mut worst: Option<Report> = None;
    // Who gives no answer is zeroed out without one, too.
    let answers = |s: &Step| matches!(s.mechanism, Event::RandomizedResponse { .. });
    let sampled = |s: &Step| s.sampling != Sampling::None && !answers(s);
    let sampled = ways.iter().flatten().any(sampled);
    for steps in ways {
        let question = Question {
            steps,
            delta,
            neighbours,
            ends,
        };
        let report = question.answer(method)?;
        worst = Some(match worst {
            Some(other) => worse(other, report),
            None => report,
        });
    }
    let mut worst =
        worst.ok_or_else(|| AccountError::Event("an event without any branch".into()))?;
    AccountError::in_range(worst.epsilon_upper)?;
    if let Some(apart) = basis::apart(event, neighbours)? {
        // The parts that a record is not in have one law.
        worst.claims = worst.claims.and(apart);
        if neighbours != Neighbouring::AddRemove {
            worst.theorem +=
                "; that all that neighbours differ in lies in one part is the caller's word";
        }
    }
    if sampled && neighbours == Neighbouring::ZeroOut {
        worst.theorem +=
            "; that a zeroed record in a sample is as good as none is the caller's word";
    }
    Ok(worst)
}

/// As [`account`] by [`Accountant::Auto`], at several δ: laws that are dear are made once, for the least δ.
pub(super) fn account_along(
    event: &Event,
    deltas: &[Delta],
    neighbours: Neighbouring,
) -> Result<Vec<Report>, AccountError> {
    let each = |delta: &Delta| account(event, *delta, Accountant::Auto, neighbours, false);
    let least = deltas
        .iter()
        .copied()
        .min_by(|a, b| a.get().total_cmp(&b.get()));
    if let (Ok([steps]), Some(delta)) = (<[_; 1]>::try_from(event.steps(neighbours)?), least) {
        let question = Question {
            steps,
            delta,
            neighbours,
            ends: Ends::Free,
        };
        if question.has_dear_laws()
            && let Ok(found) = question.along(deltas)
        {
            return Ok(found);
        }
    }
    deltas.iter().map(each).collect()
}

/// A lower bound on an event's ε at δ for the price of one lattice, as coarse as that of [`account`]'s upper one, and who gives it;
/// 0 where nothing is known from below.
///
/// ```
/// use dp_assay::accounting::lower_end;
/// use dp_assay::prelude::*;
///
/// let single = Event::Laplace { scale: 10.0, sensitivity: 1.0 };
/// let event = Event::Repeated { times: 100, event: Box::new(single) };
/// let (delta, neighbours) = (Delta::new(1e-6)?, Neighbouring::AddRemove);
/// let upper = account(&event, delta, Accountant::Pld, neighbours, false)?.epsilon_upper;
/// let (lower, _) = lower_end(&event, delta, neighbours)?;
/// // The lattice rounds losses down here and up there, which parts the ends by 0.22 %.
/// assert!(0.997 * upper < lower && lower <= upper);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`account`] by [`Accountant::Pld`].
pub fn lower_end(
    event: &Event,
    delta: Delta,
    neighbours: Neighbouring,
) -> Result<(f64, &'static str), AccountError> {
    let mut most = (0.0, Accountant::Pld.name());
    for steps in event.steps(neighbours)? {
        let question = Question {
            steps,
            delta,
            neighbours,
            ends: Ends::Both,
        };
        let lower = question.lower(LATTICE_ACCURACY, f64::INFINITY)?;
        if lower > most.0 {
            most = (lower, question.below(Accountant::Pld));
        }
    }
    Ok(most)
}

/// The guarantee of either of two branches, which rests on what both rest on.
fn worse(a: Report, b: Report) -> Report {
    let claims = a.claims.clone().with(&b.claims);
    let (lower, by_attack) = match a.epsilon_lower > b.epsilon_lower {
        true => (a.epsilon_lower, a.by_attack),
        false => (b.epsilon_lower, b.by_attack),
    };
    let report = if b.epsilon_upper > a.epsilon_upper {
        b
    } else {
        a
    };
    Report {
        epsilon_lower: lower,
        by_attack,
        claims,
        ..report
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Were an end wrong, the message would say whose.
    #[test]
    fn a_contradiction_names_who_gives_either_end() -> Result<(), AccountError> {
        let gaussian = |sigma| {
            let sensitivity = 1.0;
            Box::new(Event::Gaussian { sigma, sensitivity })
        };
        let batch = |times| Event::Repeated {
            times,
            event: Box::new(Event::FixedSizeSampled {
                size: 1000,
                batch: 10,
                replacement: false,
                event: gaussian(1.0),
            }),
        };
        let scale = 10.0;
        let laplace = Event::Repeated {
            times: 100,
            event: Box::new(Event::Laplace {
                scale,
                sensitivity: 1.0,
            }),
        };
        let poisson = Event::Repeated {
            times: 10,
            event: Box::new(Event::PoissonSampled {
                rate: 0.1,
                event: gaussian(1.0),
            }),
        };
        use Neighbouring::{AddRemove, ReplaceOne};
        for (event, neighbours, delta, below, above) in [
            (batch(4), ReplaceOne, 1e-6, ATTACK, "pld"),
            (batch(4), ReplaceOne, 1e-300, ATTACK, TOLD.0),
            (laplace, AddRemove, 1e-6, "the lattice from below", "pld"),
            (poisson, AddRemove, 1e-6, "the lattice from below", "exact"),
        ] {
            let delta = Delta::new(delta).expect("in range");
            let report = account(&event, delta, Accountant::Auto, neighbours, false)?;
            assert_eq!(report.above(), above, "{event:?}");
            let (lower, by) = lower_end(&event, delta, neighbours).unwrap_or((0.0, below));
            assert_eq!(by, below, "{event:?}");
            let found = report.clone().and_lower((lower, by))?;
            let from_attack = by == ATTACK && lower > report.epsilon_lower;
            assert_eq!(
                found.by_attack,
                from_attack || report.by_attack,
                "{event:?}"
            );
            let planted = report.epsilon_upper * 1.1;
            let refused = report.and_lower((planted, by)).expect_err("one is wrong");
            let wanted = format!("{by} needs an epsilon of at least {planted}, but {above} takes");
            assert!(refused.to_string().starts_with(&wanted), "{refused}");
        }
        Ok(())
    }

    /// The greater of both upper ends and of both lower ones, in either order, with all claims.
    #[test]
    fn the_worse_of_two_branches_rests_on_what_both_rest_on() -> Result<(), AccountError> {
        let report = |event: &Event| {
            let delta = Delta::new(1e-6).expect("in range");
            account(
                event,
                delta,
                Accountant::Auto,
                Neighbouring::AddRemove,
                false,
            )
        };
        let noise = report(&Event::Gaussian {
            sigma: 1.0,
            sensitivity: 1.0,
        })?;
        let pure = report(&Event::Pure { epsilon: 1.0 })?;
        let mut vague = report(&Event::Pure { epsilon: 7.0 })?;
        (vague.epsilon_lower, vague.by_attack) = (0.5, true);
        for [a, b] in [
            [&noise, &pure],
            [&pure, &noise],
            [&noise, &vague],
            [&vague, &noise],
            [&pure, &vague],
        ] {
            let found = worse(a.clone(), b.clone());
            assert_eq!(found.epsilon_upper, a.epsilon_upper.max(b.epsilon_upper));
            assert_eq!(found.epsilon_lower, a.epsilon_lower.max(b.epsilon_lower));
            let of_attack = if a.epsilon_lower > b.epsilon_lower {
                a
            } else {
                b
            };
            assert_eq!(found.by_attack, of_attack.by_attack);
            assert_eq!(found.claims, a.claims.clone().with(&b.claims));
            let upper = if a.epsilon_upper > b.epsilon_upper {
                a
            } else {
                b
            };
            assert_eq!(
                (found.method, &found.theorem),
                (upper.method, &upper.theorem)
            );
        }
        Ok(())
    }
}
