//! What Poisson samples and batches of a fixed size make of a mechanism.

use super::AccountError;
use super::amplification::Known;
use super::event::{Sampling, Step};
use super::gaussian::Gaussian;
use super::leaf::{Law, Noise, Structure, leaf};
use super::mixture::{Mixture, Pair};
use super::pld::discrete_law::DiscreteLaw;
use super::pld::lattice::Side;
use super::pld::law::{GaussianLaw, LossLaw};
use super::pld::mixture_law::MixtureLaw;
use super::pld::sampled::{Direction, FixedSize, Sampled};
use super::response;
use crate::units::{Neighbouring, StdDev};
use std::sync::Arc;

/// Laws of the privacy loss, one per direction; a single one is symmetric.
pub type Laws = Vec<Arc<dyn LossLaw>>;

/// The Gaussian noise of a step that all records take part in.
fn noise(step: &Step) -> Result<Option<Noise>, AccountError> {
    let reach = match step.sampling {
        Sampling::None => 1.0,
        // Where all take part and one is replaced, one comes and one goes.
        Sampling::Poisson(1.0) | Sampling::FixedSize(1.0) => 2.0,
        Sampling::Poisson(_)
        | Sampling::FixedSize(_)
        | Sampling::WithReplacement { .. }
        | Sampling::TruncatedPoisson { .. }
        | Sampling::RandomAllocation { .. }
        | Sampling::Within(_) => return Ok(None),
    };
    leaf(&step.mechanism)?.noise(reach)
}

/// The Gaussian mechanism that a step is, if it is one.
///
/// # Errors
/// Parameters out of range.
pub fn gaussian(step: &Step) -> Result<Option<Gaussian>, AccountError> {
    Ok(noise(step)?.map(|noise| noise.above))
}

/// A Gaussian mechanism that a step on all records certainly is no better than, if that is known.
///
/// # Errors
/// Parameters out of range.
pub(super) fn gaussian_below(step: &Step) -> Result<Option<Gaussian>, AccountError> {
    Ok(noise(step)?.and_then(|noise| noise.below))
}

/// What a group of these shifts and weights loses at most, or at least: the pair that dominates, or that is dominated.
pub(super) fn group(
    (sigma, shifts, weights): (f64, &[f64], &[f64]),
    side: Side,
) -> Result<Laws, AccountError> {
    let pair = Pair {
        sigma: StdDev::new(sigma)?.get(),
        p: Mixture::of_group(shifts, weights, side)?,
        q: Mixture::centred(),
    };
    let reversed = pair.reversed();
    Ok(vec![
        Arc::new(MixtureLaw::new(pair)?),
        Arc::new(MixtureLaw::new(reversed)?),
    ])
}

/// The pairs of Gaussian mixtures that dominate a step, one per direction (a single one is symmetric),
/// if it has such.
///
/// ```
/// use dp_assay::accounting::event::{Event, Sampling, Step};
/// use dp_assay::accounting::views;
/// use dp_assay::units::Neighbouring;
///
/// let neighbours = Neighbouring::AddRemove;
/// let mechanism = Event::Gaussian { sigma: 2.0, sensitivity: 1.0 };
/// let step = Step { mechanism, sampling: Sampling::Poisson(0.01), count: 1 };
/// // One pair and one law for each direction: the record is taken away, or added.
/// assert_eq!(views::pairs(&step, neighbours)?.map(|pairs| pairs.len()), Some(2));
/// assert_eq!(views::laws(&step, neighbours)?.map(|laws| laws.len()), Some(2));
/// // At the order 2 the divergence is ln(1 + q²(e^{1/σ²} − 1)) nats.
/// let mut curve = views::curve(&step, neighbours)?.ok_or("no curve")?;
/// assert!((2.8e-5..2.9e-5).contains(&curve(1.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Parameters out of range.
pub fn pairs(step: &Step, neighbours: Neighbouring) -> Result<Option<Vec<Pair>>, AccountError> {
    let leaf = leaf(&step.mechanism)?;
    let Some(noise) = leaf.noise(1.0)? else {
        return Ok(None);
    };
    let (sigma, d) = noise.scales;
    let shifted = |shift: f64, weight: f64| match d {
        0.0 => Mixture::centred(),
        _ => Mixture::two(shift * d, weight),
    };
    let pair = |p, q| Pair { sigma, p, q };
    let there_or_not = |shift: f64, q: f64| {
        let [removal, addition] = [shift, -shift].map(|shift| shifted(shift, q));
        vec![
            pair(removal, Mixture::centred()),
            pair(Mixture::centred(), addition),
        ]
    };
    use Neighbouring::{AddRemove, ReplaceOne, User, ZeroOut};
    // That the farthest shifts are the worst is known of Gaussian noise, not of all that is as private.
    let shifts_are_known = leaf.structure() != Structure::Gdp;
    Ok(match (step.sampling, neighbours) {
        (Sampling::None, _) => Some(vec![Pair::gaussian(d, sigma)]),
        (Sampling::Poisson(1.0) | Sampling::FixedSize(1.0), ReplaceOne) => {
            Some(vec![Pair::gaussian(2.0 * d, sigma)])
        }
        (Sampling::Poisson(q), AddRemove | ZeroOut) => Some(there_or_not(1.0, q)),
        // The added record takes the place of another.
        (Sampling::FixedSize(q), AddRemove) => Some(there_or_not(2.0, q)),
        (Sampling::Poisson(q), ReplaceOne) if shifts_are_known => {
            Some(vec![pair(shifted(1.0, q), shifted(-1.0, q))])
        }
        (Sampling::Poisson(_) | Sampling::FixedSize(_), ReplaceOne | User)
        | (Sampling::FixedSize(_), ZeroOut)
        | (
            Sampling::WithReplacement { .. }
            | Sampling::TruncatedPoisson { .. }
            | Sampling::RandomAllocation { .. }
            | Sampling::Within(_),
            _,
        ) => None,
    })
}

/// The laws of a randomised response with this probability of a uniform one of so many answers. Who answers may be seen: of a
/// sample no more than the share is known.
pub(super) fn response_laws(
    (noise, buckets): (f64, u64),
    sampling: Sampling,
    neighbours: Neighbouring,
) -> Result<Option<Vec<DiscreteLaw>>, AccountError> {
    let rate = match sampling {
        Sampling::None => 1.0,
        Sampling::Poisson(rate) => rate,
        Sampling::FixedSize(share) if neighbours == Neighbouring::ReplaceOne => share,
        Sampling::FixedSize(_)
        | Sampling::WithReplacement { .. }
        | Sampling::TruncatedPoisson { .. }
        | Sampling::RandomAllocation { .. }
        | Sampling::Within(_) => return Ok(None),
    };
    response::sampled_laws(noise, rate, buckets, neighbours).map(Some)
}

/// The laws of a step's privacy loss, one per direction, if they are known.
///
/// # Errors
/// Parameters out of range.
pub(super) fn laws(step: &Step, neighbours: Neighbouring) -> Result<Option<Laws>, AccountError> {
    use Neighbouring::{AddRemove, ReplaceOne, User, ZeroOut};
    if let Some(g) = gaussian(step)? {
        return Ok(Some(vec![Arc::new(GaussianLaw { mu: g.mu_upper() })]));
    }
    let leaf = leaf(&step.mechanism)?;
    match leaf.structure() {
        Structure::Response(noise, buckets) => {
            let laws = response_laws((noise, buckets), step.sampling, neighbours)?;
            let each = |law| Arc::new(law) as Law;
            return Ok(laws.map(|laws| laws.into_iter().map(each).collect()));
        }
        Structure::Group(sigma, shifts, weights) => {
            // Whose group is replaced moves by two draws.
            let comes_or_goes = matches!(neighbours, AddRemove | ZeroOut);
            return match step.sampling == Sampling::None && comes_or_goes {
                true => group((sigma, shifts, weights), Side::Above).map(Some),
                false => Ok(None),
            };
        }
        Structure::Gaussian
        | Structure::Gdp
        | Structure::Noise
        | Structure::Run
        | Structure::Pure
        | Structure::Approximate
        | Structure::Zcdp
        | Structure::Choice(_) => {}
    }
    // Of which one comes and one goes.
    let of_two = || -> Result<Option<Law>, AccountError> {
        let known = || Ok(leaf.known()?.map(|known| known_replaced(known, 1.0)));
        leaf.group(2)?.map_or_else(known, |law| Ok(Some(law)))
    };
    Ok(match (step.sampling, neighbours) {
        (Sampling::None, _) => leaf.law()?.map(|law| vec![law]),
        (Sampling::Poisson(rate), AddRemove | ZeroOut) => {
            leaf.law()?.map(|base| sampled(&base, rate))
        }
        // The added record takes the place of another.
        (Sampling::FixedSize(fraction), AddRemove) => {
            of_two()?.map(|base| sampled(&base, fraction))
        }
        (Sampling::Poisson(1.0), ReplaceOne) => of_two()?.map(|law| vec![law]),
        (Sampling::FixedSize(fraction), ReplaceOne) => {
            of_two()?.map(|base| vec![Arc::new(FixedSize::new(base, fraction)) as Law])
        }
        (Sampling::Poisson(rate), ReplaceOne) => match pairs(step, ReplaceOne)?.as_deref() {
            Some([pair]) => Some(vec![Arc::new(MixtureLaw::new(pair.clone())?)]),
            _ => leaf.known()?.map(|known| vec![known_replaced(known, rate)]),
        },
        (Sampling::Poisson(_) | Sampling::FixedSize(_), User)
        | (Sampling::FixedSize(_), ZeroOut)
        | (
            Sampling::WithReplacement { .. }
            | Sampling::TruncatedPoisson { .. }
            | Sampling::RandomAllocation { .. }
            | Sampling::Within(_),
            _,
        ) => None,
    })
}

/// What dominates every such mechanism on a Poisson sample of which one record is replaced.
fn known_replaced(known: Known, rate: f64) -> Law {
    if known.delta == 0.0 {
        return Arc::new(DiscreteLaw::replaced(known.epsilon, rate));
    }
    let sample = known.poisson_replaced(rate);
    Arc::new(DiscreteLaw::approximate(sample.epsilon, sample.delta))
}

/// A law under Poisson's sampling, the record removed and added.
pub(super) fn sampled(base: &Law, rate: f64) -> Laws {
    let directed = |direction| {
        let base = base.clone();
        Arc::new(Sampled {
            base,
            rate,
            direction,
        }) as Law
    };
    [Direction::Removal, Direction::Addition]
        .map(directed)
        .to_vec()
}
