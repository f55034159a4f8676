//! The specification's certified oracle, asked about an event tree.
//!
//! Everything is computed anew by outward-rounded arithmetic of arbitrary precision, from the laws of
//! the mechanisms to the composed profile ([`dp_assay_spec::privacy::pld`]): nothing is shared with
//! the accountants of this crate but the event tree.

use super::AccountError;
use super::event::{Event, Pattern, Sampling, Step};
use super::leaf::exact::integer;
use super::leaf::leaf;
use super::matrix::Strategy;
use crate::units::{Delta, Neighbouring};
use dp_assay_spec::arith::Interval;
use dp_assay_spec::privacy::allocation::Allocation;
use dp_assay_spec::privacy::batches::Presences;
use dp_assay_spec::privacy::patterns::{self, Law, Patterns};
use dp_assay_spec::privacy::pld::{DominatingPair, Transcript};
use dp_assay_spec::privacy::subsampled::{Direction, PoissonGaussian};
use serde::Serialize;

/// Both ends of the least ε of an event at a δ, certified.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Certified {
    /// The event is not (ε, δ)-DP for any smaller ε.
    pub epsilon_lower: f64,
    /// The event is (ε, δ)-DP with this ε.
    pub epsilon_upper: f64,
}

/// The narrowest enclosure that may be asked for.
const WIDTH_MIN: f64 = 1e-6;

/// Encloses the least ε of an event at δ to within `width` if grids of 2²² losses suffice. The mechanisms
/// are those whose dominating pair the specification composes: Gaussian, GDP, Laplace, discrete
/// Laplace, randomised response, (ε, δ)-DP, the Poisson-subsampled Gaussian, and Gaussian and Laplace noise on batches of
/// fixed size, with and without replacement, and on truncated Poisson samples of up to 4096 records. What it encloses is
/// that pair's ε; random allocation has [`allocated`], and other runs of a few steps [`patterned`].
///
/// ```no_run
/// use dp_assay::accounting::oracle::certify;
/// use dp_assay::prelude::*;
///
/// // Slow, hence not run here: both ends of the ε of Gaussian noise with Δ/σ = 1, 4.38 nats at δ = 10⁻⁵.
/// let event = Event::Gaussian { sigma: 1.0, sensitivity: 1.0 };
/// let found = certify(&event, Delta::new(1e-5)?, Neighbouring::AddRemove, 1e-3)?;
/// assert!(found.epsilon_lower < 4.378 && 4.377 < found.epsilon_upper);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Parameters out of range; a width below 10⁻⁶, which takes minutes to hours; a mechanism that the oracle does not know under this relation; δ outside
/// (0, 1), or one for which it finds no finite ε.
pub fn certify(
    event: &Event,
    delta: Delta,
    neighbours: Neighbouring,
    width: f64,
) -> Result<Certified, AccountError> {
    let rule = "must be at least 1e-6: narrower ones take minutes to hours";
    AccountError::check(width >= WIDTH_MIN, "width of the enclosure", width, rule)?;
    let delta = Interval::from_f64(delta.get());
    let mut worst = Interval::from(0);
    for steps in event.steps(neighbours)? {
        let transcript = transcript(&steps, neighbours)?;
        worst = worst.max(&transcript.epsilon_within(&delta, width)?);
    }
    Ok(Certified {
        epsilon_lower: worst.lo_f64(),
        epsilon_upper: worst.hi_f64(),
    })
}

/// The steps as the specification describes them.
///
/// ```
/// use dp_assay::accounting::oracle::transcript;
/// use dp_assay::prelude::*;
///
/// let neighbours = Neighbouring::AddRemove;
/// let known = Event::Laplace { scale: 2.0, sensitivity: 1.0 };
/// assert!(transcript(&known.steps(neighbours)?[0], neighbours).is_ok());
/// // No single pair of laws stands for every mechanism with ρ-zCDP.
/// let unknown = Event::Zcdp { rho: 0.5 };
/// assert!(transcript(&unknown.steps(neighbours)?[0], neighbours).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`certify`].
pub fn transcript(steps: &[Step], neighbours: Neighbouring) -> Result<Transcript, AccountError> {
    let told = |step: &Step| Ok((release(step, neighbours)?, step.count));
    let releases: Result<Vec<_>, AccountError> = steps.iter().map(told).collect();
    Ok(Transcript::new(releases?))
}

fn release(step: &Step, neighbours: Neighbouring) -> Result<DominatingPair, AccountError> {
    let exact = Interval::from_f64;
    let leaf = leaf(&step.mechanism)?;
    let per_record = matches!(neighbours, Neighbouring::AddRemove | Neighbouring::ZeroOut);
    let found = match (&step.mechanism, step.sampling) {
        (_, Sampling::None) => leaf.pair(neighbours)?,
        (Event::Gaussian { sensitivity, .. }, Sampling::Poisson(_)) if *sensitivity == 0.0 => {
            leaf.pair(neighbours)?
        }
        (Event::Gaussian { sigma, sensitivity }, Sampling::Poisson(rate)) if per_record => {
            let noise = &exact(*sigma) / &exact(*sensitivity);
            let sample = PoissonGaussian::new(exact(rate), noise)?;
            Some(DominatingPair::PoissonGaussian(sample))
        }
        (_, Sampling::Poisson(rate)) if neighbours == Neighbouring::ReplaceOne => {
            let pair = leaf.presences()?.and_then(|m| m.replaced(&exact(rate)));
            pair.map(|pair| DominatingPair::directed(pair.clone(), pair))
        }
        (
            _,
            Sampling::FixedSize(_)
            | Sampling::WithReplacement { .. }
            | Sampling::TruncatedPoisson { .. },
        ) => match leaf.presences()? {
            Some(mechanism) => batch(&mechanism, step.sampling, neighbours)?,
            None => None,
        },
        (_, Sampling::Poisson(_) | Sampling::RandomAllocation { .. } | Sampling::Within(_)) => None,
    };
    found.ok_or_else(|| unknown(step, neighbours))
}

fn unknown(step: &Step, neighbours: Neighbouring) -> AccountError {
    AccountError::Unsupported {
        mechanism: step.words(),
        notion: "certified oracle",
        neighbours,
        why: "",
    }
}

/// Most records of which a binomial law is written down.
const RECORDS_MAX: u64 = 4096;

/// The pairs of a batch, if they are known.
fn batch(
    mechanism: &Presences,
    sampling: Sampling,
    neighbours: Neighbouring,
) -> Result<Option<DominatingPair>, AccountError> {
    let replaced = match neighbours {
        Neighbouring::AddRemove => false,
        Neighbouring::ReplaceOne => true,
        Neighbouring::ZeroOut | Neighbouring::User => return Ok(None),
    };
    let few = |count: u64| {
        let rule = "must be at most 4096 for the certified oracle";
        AccountError::check(count <= RECORDS_MAX, "records", count as f64, rule)?;
        integer(count)
    };
    Ok(match sampling {
        Sampling::FixedSize(share) => {
            // The share was rounded up, by less than a unit.
            let least = share.next_down().max(f64::MIN_POSITIVE);
            Some(mechanism.fixed_size(&Interval::between(least, share), replaced))
        }
        Sampling::WithReplacement { draws, size } => {
            Some(mechanism.with_replacement(few(draws)?, integer(size)?, replaced))
        }
        Sampling::TruncatedPoisson { rate, cap, records } => {
            let rate = Interval::from_f64(rate);
            mechanism.truncated(&rate, (few(cap)?, few(records)?), replaced)
        }
        Sampling::None
        | Sampling::Poisson(_)
        | Sampling::RandomAllocation { .. }
        | Sampling::Within(_) => None,
    })
}

/// Encloses δ at ε of random allocation of a record to `participations` of at most four `steps` of Gaussian noise that it moves by
/// μ deviations, removed or added, whichever is worse: (lower, upper).
///
/// ```
/// use dp_assay::accounting::oracle::allocated;
///
/// let (lower, upper) = allocated((2, 1), 1.0, 1.0)?;
/// assert!(0.0591 < lower && lower < upper && upper < 0.0593);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// More than four steps; parameters out of range.
pub fn allocated(
    (steps, participations): (u64, u64),
    mu: f64,
    epsilon: f64,
) -> Result<(f64, f64), AccountError> {
    let rule = "must be at most 4 for the certified oracle";
    AccountError::check(steps <= 4, "steps", steps as f64, rule)?;
    let cells = [1, 2000, 64, 16][steps.saturating_sub(1) as usize];
    let law = Allocation::new(
        integer(steps)?,
        integer(participations)?,
        Interval::from_f64(mu),
    );
    let law = law?;
    let at = Interval::from_f64(epsilon);
    let [remove, add] = Direction::BOTH.map(|direction| law.delta(&at, direction, cells));
    let worst = remove.max(&add);
    Ok((worst.lo_f64(), worst.hi_f64()))
}

/// Encloses δ at ε of a run of at most four steps of which a record takes part in some, by `cells` cells for each: Gaussian noise,
/// independent or correlated by a matrix without negative entries, under `random-allocation`, `balls-in-bins`, `b-min-separation` or,
/// of a matrix, `poisson-sampled`; or of several such allocations of independent noise, of four steps in all. What it encloses is
/// the worst case, either way round: (lower, upper).
///
/// ```
/// use dp_assay::accounting::oracle::{allocated, patterned};
/// use dp_assay::prelude::*;
///
/// let event = Box::new(Event::Gaussian { sigma: 1.0, sensitivity: 1.0 });
/// let event = Event::RandomAllocation { steps: 2, participations: 1, event };
/// let (lower, upper) = patterned(&event, Neighbouring::AddRemove, 1.0, 200)?;
/// let other = allocated((2, 1), 1.0, 1.0)?;
/// assert!(lower <= other.1 && other.0 <= upper && upper < 1.2 * lower);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Another event, or parameters out of range.
pub fn patterned(
    event: &Event,
    neighbours: Neighbouring,
    epsilon: f64,
    cells: u32,
) -> Result<(f64, f64), AccountError> {
    let found = event.steps(neighbours)?.concat();
    let [step] = &found[..] else {
        return Err(AccountError::Event("it is no single run".into()));
    };
    let few = |count: u64| {
        let rule = "must be at most 4 for the certified oracle";
        AccountError::check(count <= 4, "steps", count as f64, rule)?;
        integer(count)
    };
    let all = match (&step.mechanism, step.sampling) {
        (Event::Gaussian { .. }, Sampling::RandomAllocation { steps, .. }) => {
            few(steps.saturating_mul(step.count))?
        }
        _ if step.count > 1 => return Err(unknown(step, neighbours)),
        (_, Sampling::RandomAllocation { steps, .. }) => few(steps)?,
        (_, Sampling::Within(Pattern::Apart { steps, .. })) => few(steps)?,
        (Event::MatrixGaussian { strategy, .. }, _) => few(strategy.steps() as u64)?,
        _ => return Err(unknown(step, neighbours)),
    };
    let law = match (&step.mechanism, step.sampling) {
        (
            _,
            Sampling::RandomAllocation {
                steps,
                participations,
            },
        ) => {
            let one = patterns::several(few(steps)?, integer(participations)?);
            again(&one, steps as usize, step.count)
        }
        (_, Sampling::Within(Pattern::Several(participations))) => {
            patterns::several(all, integer(participations)?)
        }
        (_, Sampling::Within(Pattern::Bins(bins))) => patterns::bins(all, integer(bins)?),
        // Of several classes of steps nobody says which is the record's.
        (Event::MatrixGaussian { separation: 1, .. }, Sampling::Within(Pattern::Poisson(rate))) => {
            patterns::apart(all, 1, &Interval::from_f64(rate))
        }
        (
            _,
            Sampling::Within(Pattern::Apart {
                separation, rate, ..
            }),
        ) => patterns::apart(all, integer(separation)?, &Interval::from_f64(rate)),
        _ => return Err(unknown(step, neighbours)),
    };
    let columns = columns(&step.mechanism, all).ok_or_else(|| unknown(step, neighbours))?;
    let replaced = neighbours == Neighbouring::ReplaceOne;
    let run = Patterns::new(&law, &columns, replaced)?;
    let at = Interval::from_f64(epsilon);
    let [removed, added] = Direction::BOTH.map(|d| run.delta(&at, d, cells));
    let both = removed.max(&added);
    Ok((both.lo_f64(), both.hi_f64()))
}

/// The law of so many runs, one after the other, each of which has so many steps and is drawn anew.
fn again(one: &Law, steps: usize, runs: u64) -> Law {
    (1..runs as usize).fold(one.clone(), |all, run| {
        let each = all.iter().flat_map(|(weight, taken)| {
            one.iter().map(move |(other, more)| {
                let more = more.iter().map(|step| run * steps + step);
                (weight * other, taken.iter().copied().chain(more).collect())
            })
        });
        each.collect()
    })
}

/// What a record moves the rows by in each step, in units of the noise.
fn columns(mechanism: &Event, steps: u32) -> Option<Vec<Vec<Interval>>> {
    let exact = Interval::from_f64;
    let entry = |i: u32, j: u32| match mechanism {
        Event::Gaussian { sigma, sensitivity } => {
            let own = if i == j { *sensitivity } else { 0.0 };
            Some(&exact(own) / &exact(*sigma))
        }
        Event::MatrixGaussian {
            sigma, strategy, ..
        } => {
            let entry = match strategy {
                Strategy::Toeplitz(_) if i < j => 0.0,
                Strategy::Toeplitz(list) => list[(i - j) as usize],
                Strategy::Matrix(rows) => rows[i as usize][j as usize],
            };
            Some(&exact(entry) / &exact(*sigma))
        }
        _ => None,
    };
    (0..steps)
        .map(|j| (0..steps).map(|i| entry(i, j)).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::gaussian::Gaussian;
    use crate::units::{Epsilon, Sensitivity, StdDev};

    fn step(mechanism: Event, sampling: Sampling) -> Step {
        Step {
            mechanism,
            sampling,
            count: 1,
        }
    }

    const fn noise(sensitivity: f64) -> Event {
        Event::Gaussian {
            sigma: 1.0,
            sensitivity,
        }
    }

    #[test]
    fn what_is_certified_of_a_step_depends_on_its_relation() {
        use Neighbouring::{AddRemove, ReplaceOne, User, ZeroOut};
        let poisson = |sensitivity: f64| step(noise(sensitivity), Sampling::Poisson(0.25));
        for neighbours in [AddRemove, ZeroOut] {
            let found = release(&poisson(0.5), neighbours).expect("known");
            assert!(
                matches!(found, DominatingPair::PoissonGaussian(_)),
                "{neighbours}"
            );
        }
        let replaced = release(&poisson(0.5), ReplaceOne).expect("known");
        assert!(matches!(replaced, DominatingPair::Directed(_)));
        assert!(release(&poisson(0.5), User).is_err());
        for neighbours in [AddRemove, ReplaceOne] {
            let silent = release(&poisson(0.0), neighbours).expect("known");
            assert!(
                matches!(silent, DominatingPair::Gaussian(_)),
                "{neighbours}"
            );
        }
        let laplace = Event::Laplace {
            scale: 1.0,
            sensitivity: 1.0,
        };
        for neighbours in [AddRemove, ReplaceOne] {
            let sampled = step(laplace.clone(), Sampling::Poisson(0.25));
            assert!(release(&sampled, neighbours).is_err(), "{neighbours}");
        }
        let whole = release(&step(laplace, Sampling::None), User).expect("known");
        assert!(matches!(whole, DominatingPair::Laplace(_)));
        let batch = step(noise(1.0), Sampling::FixedSize(0.25));
        let known = [AddRemove, ReplaceOne, ZeroOut, User].map(|n| release(&batch, n).is_ok());
        assert_eq!(known, [true, true, false, false]);
        let allocation = Sampling::RandomAllocation {
            steps: 3,
            participations: 1,
        };
        let told = release(&step(noise(1.0), allocation), AddRemove)
            .map(drop)
            .expect_err("none");
        assert!(told.to_string().contains("certified oracle"), "{told}");
    }

    #[test]
    fn batches_of_more_records_than_are_affordable_are_refused() {
        let known = |draws: u64| {
            let sampling = Sampling::WithReplacement { draws, size: 1000 };
            let found = release(&step(noise(1.0), sampling), Neighbouring::AddRemove);
            found.map_or_else(|why| why.to_string(), |_| String::new())
        };
        assert_eq!(known(1), "");
        assert!(known(RECORDS_MAX + 1).contains("4096"));
        let event = noise(1.0);
        let delta = Delta::new(1e-3).expect("a delta");
        let told = certify(&event, delta, Neighbouring::AddRemove, 9e-7).expect_err("too narrow");
        assert!(told.to_string().contains("width"), "{told}");
    }

    /// Of one step, all is known; of five, too little.
    #[test]
    fn an_allocation_to_one_step_is_the_noise_of_that_step() {
        let (mu, epsilon) = (1.0, 0.5);
        let (lower, upper) = allocated((1, 1), mu, epsilon).expect("few steps");
        let (reach, sigma) = (Sensitivity::new(mu), StdDev::new(1.0));
        let own = Gaussian::new(reach.expect("in range"), sigma.expect("in range"));
        let truth = own.delta(Epsilon::new(epsilon).expect("in range"));
        assert!(
            lower <= truth.hi && truth.lo <= upper,
            "{lower} {upper} {truth:?}"
        );
        assert!(upper - lower < 1e-9 && lower > 0.0, "{lower} {upper}");
        let told = allocated((5, 1), mu, epsilon).expect_err("too many");
        assert!(told.to_string().contains("steps"), "{told}");
    }

    /// Patterns of two runs are those of one and of the other, at steps that follow.
    #[test]
    fn a_run_again_has_all_pairs_of_patterns() {
        let one = patterns::several(2, 1);
        let twice = again(&one, 2, 2);
        assert_eq!((one.len(), twice.len()), (2, 4));
        let taken: Vec<Vec<usize>> = twice.iter().map(|(_, taken)| taken.to_vec()).collect();
        for pattern in [vec![0, 2], vec![0, 3], vec![1, 2], vec![1, 3]] {
            assert!(taken.contains(&pattern), "{taken:?}");
        }
        assert_eq!(again(&one, 2, 1).len(), 2);
        let strategy = Strategy::Toeplitz(vec![1.0, 0.5, 0.25]);
        let correlated = Event::MatrixGaussian {
            sigma: 2.0,
            strategy,
            participations: 1,
            separation: 1,
        };
        let told = |mechanism: &Event| -> Vec<Vec<f64>> {
            let columns = columns(mechanism, 3).expect("noise");
            columns
                .iter()
                .map(|c| c.iter().map(Interval::lo_f64).collect())
                .collect()
        };
        let rows = [[0.5, 0.25, 0.125], [0.0, 0.5, 0.25], [0.0, 0.0, 0.5]];
        assert_eq!(told(&correlated), rows);
        let plain = [[3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 3.0]];
        assert_eq!(told(&noise(3.0)), plain);
        assert!(columns(&Event::Pure { epsilon: 1.0 }, 3).is_none());
    }
}
