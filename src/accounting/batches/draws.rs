//! Batches drawn with replacement.
//!
//! Of m draws from n records K ~ Bin(m, 1/n) fall on the one that is added. Couple the draws of both data
//! sets: K of them are exchanged, each of which moves the sum by at most 2Δ. Given the other draws, P = Σ b_k N(s_k, σ²)
//! against N(0, σ²) with ‖s_k‖ ≤ 2kΔ, and collinear shifts 2kΔ are the worst (Kahane's inequality, see
//! [`mixture`](crate::accounting::mixture)); they are attained where all others answer −Δ and the record Δ. Other mechanisms, and a record
//! that is *replaced*, are dominated by the pair that tells K: with it D_{1+q(γ−1)} ≤ q·Σ b_k/q·D_γ(2k), q = 1 − b₀
//! (Balle, Barthe and Gaboardi 2018).
//!
//! Of 30 random runs of up to 10 000 steps where a record is added or removed (`benches/batches.rs`) ε is known to 3·10⁻⁵ of itself,
//! in at most 1.5 s of processor time; inversion that is dear or in vain is most of what the slowest take.

use super::gaussian;
use crate::accounting::AccountError;
use crate::accounting::binomial::Binomial;
use crate::accounting::event::{Event, Sampling, Step};
use crate::accounting::float::{Enclosure, U};
use crate::accounting::leaf::{Structure, leaf};
use crate::accounting::mixture::{Component, Mixture, Pair};
use crate::accounting::pld::Chosen;
use crate::accounting::pld::lattice::Side;
use crate::accounting::pld::law::LossLaw;
use crate::accounting::pld::mixture_law::MixtureLaw;
use crate::accounting::pld::sampled::FixedSize;
use crate::accounting::samples::{self, Laws};
use crate::float::product_upper;
use crate::units::Neighbouring;
use std::sync::Arc;

/// More draws of one record than happen with this share of δ in all steps count as lost; or than happen with the other probability,
/// where that is more or δ is not known; never more than weights may lack to 1.
const LOST: (f64, f64, f64) = (1e-8, 1e-60, 1e-13);
/// Most draws per record on average.
const DRAWS_MAX: f64 = 16.0;

/// What may be lost of a step's law.
pub(super) fn lost(step: &Step, delta: f64) -> f64 {
    (LOST.0 * delta / step.count as f64).clamp(LOST.1, LOST.2)
}

/// Pairs of mixtures, one per direction, and what that may be wrong by.
pub(in crate::accounting) struct Near {
    pub(in crate::accounting) pairs: Vec<Pair>,
    /// δ from above by so much, and ε by so much.
    pub(in crate::accounting) off: f64,
    /// How much of ε, in nats, a step may lack to what the pairs say where δ is larger by this many nats; ∞ where they say nothing
    /// from below.
    pub(in crate::accounting) lack: f64,
}

/// The pairs of mixtures that draws with replacement make of Gaussian noise where a record is added or removed, one per direction.
/// No such pair from below is wrong.
///
/// Of the draws K of the record more than those that hardly ever happen, in all with probability β, are left out:
/// P = (1 − β)P_K + β·R, where P_K has K only as large as is usual. A set has no more under P than under P_K, and β; and where P is
/// the smaller side, no less than 1 − β times what it has under P_K, which is a loss of −ln(1 − β) more. From above, no weight of
/// more than 0 draws is less than under P_K, from below none is more than under P. The weight of 0 draws is what the others leave,
/// rounded so that no half-line (z, ∞) has less, or more, and where P is the smaller side no (−∞, z) more, or less: those are the
/// sets that decide, also along one step of a composition (see [`Draws::mixture`]).
///
/// They are pairs from below as well, where no shift is rounded: no weight w of the mixture is more than c times what it is under P, so
/// that T steps have P(A) ≥ c^{−T} times what A has under the mixtures, and δ(ε) ≥ c^{−T}·δ'(ε + T·ln c), δ' theirs. Where P is
/// the smaller side, what is left out has on any (−∞, z) no more than β of 0 draws has: if no weight under P, with that, is more
/// than c times w, the sets that decide have no more than c^T times what they have under the mixtures, and δ(ε) ≥ δ'(ε + T·ln c).
///
/// # Errors
/// Parameters out of range.
pub(in crate::accounting) fn pairs(
    step: &Step,
    neighbours: Neighbouring,
    (delta, side): (f64, Side),
) -> Result<Option<Near>, AccountError> {
    let (Sampling::WithReplacement { draws, size }, Neighbouring::AddRemove) =
        (step.sampling, neighbours)
    else {
        return Ok(None);
    };
    let Some((reach, sigma)) = gaussian(&step.mechanism)? else {
        return Ok(None);
    };
    let draws = Draws::new((draws, size), lost(step, delta))?;
    let above = side == Side::Above;
    let usual = if above { 1.0 - draws.beyond } else { 1.0 };
    let share = |weight: &Enclosure| match above {
        true => (*weight / Enclosure::point(usual.next_down())).hi,
        false => weight.lo,
    };
    let drawn: Vec<Component> = (0u32..)
        .zip(&draws.weights)
        .skip(1)
        .map(|(k, weight)| Component {
            shift: draws.shift(f64::from(2 * k), reach, side),
            weight: share(weight),
        })
        .collect();
    let rest = 1.0 - drawn.iter().map(|part| part.weight).sum::<f64>();
    let rounding = 2.0 * U * (drawn.len() + 1) as f64;
    let of_none = |grown: bool| (rest + if grown { rounding } else { -rounding }).max(0.0);
    let pair = |grown: bool| -> Result<Pair, AccountError> {
        let none = Component {
            shift: 0.0,
            weight: of_none(grown),
        };
        Ok(Pair {
            sigma,
            p: Mixture::new(&[&[none], &drawn[..]].concat())?,
            q: Mixture::centred(),
        })
    };
    let pairs = vec![pair(above)?, pair(!above)?.reversed()];
    if !above {
        let (off, lack) = (0.0, 0.0);
        return Ok(Some(Near { pairs, off, lack }));
    }
    let exactly = |k: usize| is_exact((2 * k) as f64, reach);
    let lack = match (1..draws.weights.len()).all(exactly) {
        true => draws.lack(&drawn, [of_none(true), of_none(false)]),
        false => f64::INFINITY,
    };
    let off = 1.01 * draws.beyond;
    Ok(Some(Near { pairs, off, lack }))
}

/// Whether the product of two numbers ≥ 0 is a double.
fn is_exact(a: f64, b: f64) -> bool {
    // Above what an error could be too small for.
    let product = a * b;
    product == 0.0 || (product > 1e-290 && a.mul_add(b, -product) == 0.0)
}

/// How often one record is drawn with replacement.
pub(super) struct Draws {
    /// b_k.
    weights: Vec<Enclosure>,
    /// Upper bound on Σ of the others.
    beyond: f64,
}

impl Draws {
    pub(super) fn new((draws, size): (u64, u64), lost: f64) -> Result<Self, AccountError> {
        let mean = draws as f64 / size as f64;
        let rule = "must be at most 16 draws a record";
        AccountError::check(mean <= DRAWS_MAX, "batch / size", mean, rule)?;
        if size == 1 {
            let rule = "must be at least 2 with replacement";
            return AccountError::check(false, "size", 1.0, rule).map(|()| unreachable!());
        }
        let law = Binomial::new(draws, 1.0 / Enclosure::from(size))?;
        let (mut weights, mut k) = (vec![law.mass(0)], 1);
        while k <= draws && law.at_least(k).hi > lost {
            weights.push(law.mass(k));
            k += 1;
        }
        let beyond = if k > draws { 0.0 } else { law.at_least(k).hi };
        Ok(Self { weights, beyond })
    }

    pub(super) fn laws(
        &self,
        mechanism: &Event,
        neighbours: Neighbouring,
    ) -> Result<Option<Laws>, AccountError> {
        if neighbours != Neighbouring::ReplaceOne
            && let Some(g) = gaussian(mechanism)?
        {
            return Ok(Some(self.mixtures(g, Side::Above)?));
        }
        let mechanism = leaf(mechanism)?;
        let drawn = (1.0 - self.weights[0]).clamp(f64::MIN_POSITIVE, 1.0);
        let mut parts = Vec::new();
        for (k, weight) in self.weights.iter().enumerate().skip(1) {
            let Some(law) = mechanism.group(2 * k as u64)? else {
                return Ok(None);
            };
            parts.push((*weight / drawn, law));
        }
        let told: Arc<dyn LossLaw> =
            Arc::new(Chosen::new(parts, (self.beyond / drawn.lo).next_up()));
        Ok(Some(match neighbours {
            Neighbouring::ReplaceOne => vec![Arc::new(FixedSize::new(told, drawn.hi))],
            Neighbouring::AddRemove | Neighbouring::ZeroOut | Neighbouring::User => {
                samples::sampled(&told, drawn.hi)
            }
        }))
    }

    /// The laws as if a record that is drawn were drawn once, for other noise whose loss grows with the answer: no half-line (z, ∞) has
    /// more under them than it has, nor (−∞, z) less, and half-lines decide (see [`Self::mixture`]).
    pub(super) fn once(&self, mechanism: &Event) -> Result<Option<Laws>, AccountError> {
        let leaf = leaf(mechanism)?;
        if leaf.structure() != Structure::Noise {
            return Ok(None);
        }
        let drawn = (1.0 - self.weights[0]).lo.clamp(0.0, 1.0);
        Ok(leaf.group(2)?.map(|law| samples::sampled(&law, drawn)))
    }

    /// An upper bound on ln c of [`pairs`], these the weights of 1 draw and more, and of none where the mixture is the larger side,
    /// or the smaller one.
    fn lack(&self, drawn: &[Component], [more, less]: [f64; 2]) -> f64 {
        let ratio = |a: f64, b: f64| (Enclosure::point(a) / Enclosure::point(b)).hi;
        let (none, some) = (&self.weights[0], self.weights[1..].iter().zip(drawn));
        let drawn = some.flat_map(|(own, part)| {
            let weight = part.weight;
            [ratio(weight, own.lo), ratio(own.hi, weight)]
        });
        let left = (none.hi + self.beyond).next_up();
        let all = drawn.chain([ratio(more, none.lo), ratio(left, less)]);
        // No number says nothing.
        let most = all.fold(1.0, |most: f64, c| match c.is_nan() {
            true => f64::INFINITY,
            false => most.max(c),
        });
        Enclosure::point(most).ln().hi
    }

    /// The mixture Σ b_k N(2kΔ, σ²), no weight of it less than it is, or none more.
    ///
    /// # Weights that do not add up to 1
    ///
    /// δ(ε) = ∫(p − e^ε·q)₊ grows with p and falls with q, and so it does of any composition: with the mixture at p, weights that
    /// are no less give an upper bound, weights that are no more a lower one; at q the other way round. Of the draws that are too
    /// many the larger mixture has the weight at the last shift: as q it has no less than the truth on any (−∞, z), as p it lacks
    /// less than `beyond` on any set. As q that is enough: p/q falls with z, so that what decides on a composition, a sum of
    /// losses above ε, is a set of which every section along the z of one such step is a half-line (−∞, z). By Fubini's theorem
    /// its probability does not grow when the larger mixture is exchanged for the true law, one step after the other, and with the
    /// true laws the set is an event by which no δ is less than it says.
    ///
    /// Shifts are larger than they are for an upper bound, smaller for a lower one.
    fn mixture(&self, delta: f64, side: Side, grown: bool) -> Result<Mixture, AccountError> {
        let weights = self.weights.iter().enumerate();
        let mut parts: Vec<Component> = weights
            .map(|(k, weight)| Component {
                shift: self.shift((2 * k) as f64, delta, side),
                weight: if grown { weight.hi } else { weight.lo },
            })
            .collect();
        if let Some(last) = parts.last_mut()
            && grown
        {
            last.weight = (last.weight + self.beyond).next_up();
        }
        Mixture::new(&parts)
    }

    /// So many Δ, rounded to the side.
    fn shift(&self, times: f64, delta: f64, side: Side) -> f64 {
        match side {
            _ if times == 0.0 => 0.0,
            Side::Above => product_upper(times, delta),
            Side::Below => (times * delta).next_down().max(0.0),
        }
    }

    /// The mixtures Σ b_k N(2kΔ, σ²), against N(0, σ²) and the other way round.
    pub(super) fn mixtures(
        &self,
        (delta, sigma): (f64, f64),
        side: Side,
    ) -> Result<Laws, AccountError> {
        let above = side == Side::Above;
        let pair = |grown| -> Result<Pair, AccountError> {
            Ok(Pair {
                sigma,
                p: self.mixture(delta, side, grown)?,
                q: Mixture::centred(),
            })
        };
        let removal: Arc<dyn LossLaw> = Arc::new(MixtureLaw::new(pair(above)?)?);
        let addition = Arc::new(MixtureLaw::new(pair(!above)?.reversed())?);
        let leak = if above { self.beyond } else { 0.0 };
        let removal = match leak {
            0.0 => removal,
            leak => Arc::new(Chosen::new(vec![(Enclosure::point(1.0), removal)], leak)),
        };
        Ok(vec![removal, addition])
    }
}

#[cfg(test)]
mod tests;
