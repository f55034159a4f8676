//! Batches drawn with replacement, and Poisson samples that are cut to a size: what dominates them, and explicit pairs of
//! neighbours that bound them from below.
//!
//! **With replacement**: of m draws from n records K ~ Bin(m, 1/n) fall on the one that is added. Couple the draws of both data
//! sets: K of them are exchanged, each of which moves the sum by at most 2Δ. Given the other draws, P = Σ b_k N(s_k, σ²)
//! against N(0, σ²) with ‖s_k‖ ≤ 2kΔ, and collinear shifts 2kΔ are the worst (Kahane's inequality, see
//! [`mixture`](super::mixture)); they are attained where all others answer −Δ and the record Δ. Other mechanisms, and a record
//! that is *replaced*, are dominated by the pair that tells K: with it D_{1+q(γ−1)} ≤ q·Σ b_k/q·D_γ(2k), q = 1 − b₀
//! (Balle, Barthe and Gaboardi 2018).
//!
//! **Truncated Poisson** at rate p, cap B, n records with the one that is added: let J ~ Bin(n−1, p) of the others be drawn.
//! If J < B, both data sets have the same batch, and the record joins it with probability p. If J ≥ B, the batch of
//! the smaller data set is a uniform B of the J, whatever J is, and in the larger one the record takes the place of a uniform
//! member with probability pB/(J+1), on average r = (B/n)·Pr\[Bin(n, p) > B\]/Pr\[J ≥ B\]. Divergences are jointly
//! convex, so that the law that tells whether J ≥ B dominates: a Poisson sample of rate p, or a batch of fixed size with
//! the fraction r (Chua et al. 2024, whose second part is looser: both data sets with an additional record each).

use super::allocation::normal_mass;
use super::binomial::Binomial;
use super::event::{Event, Pattern, Sampling, Step};
use super::float::{Enclosure, U};
use super::gaussian::Gaussian;
use super::leaf::{self, Structure, leaf};
use super::mixture::{Component, Mixture, Pair};
use super::pld::Chosen;
use super::pld::discrete_law::DiscreteLaw;
use super::pld::lattice::Side;
use super::pld::law::{GaussianLaw, LossLaw};
use super::pld::mixture_law::MixtureLaw;
use super::pld::sampled::FixedSize;
use super::samples::{self, Laws};
use super::{AccountError, float};
use crate::float::product_upper;
use crate::units::Neighbouring;
use std::sync::Arc;

/// More draws of one record than happen with this share of δ in all steps count as lost; or than happen with the other probability,
/// where that is more or δ is not known; never more than weights may lack to 1.
const LOST: (f64, f64, f64) = (1e-8, 1e-60, 1e-13);
/// Most draws per record on average.
const DRAWS_MAX: f64 = 16.0;

/// The laws that dominate a step with one of these samplings, one per direction, if they are known.
///
/// `delta` is the δ at which ε is asked for, or 0; only the accuracy depends on it.
///
/// # Errors
/// Parameters out of range.
pub(super) fn laws(
    step: &Step,
    neighbours: Neighbouring,
    delta: f64,
) -> Result<Option<Laws>, AccountError> {
    match step.sampling {
        Sampling::WithReplacement { draws, size } => {
            let draws = Draws::new((draws, size), lost(step, delta))?;
            match neighbours {
                Neighbouring::AddRemove | Neighbouring::ReplaceOne => {
                    draws.laws(&step.mechanism, neighbours)
                }
                _ => Ok(None),
            }
        }
        Sampling::TruncatedPoisson { rate, cap, records } => {
            let cut = Cut::new(rate, cap, records)?;
            cut.laws(&step.mechanism, neighbours)
        }
        Sampling::None
        | Sampling::Poisson(_)
        | Sampling::FixedSize(_)
        | Sampling::RandomAllocation { .. }
        | Sampling::Within(_) => Ok(None),
    }
}

/// What may be lost of a step's law.
fn lost(step: &Step, delta: f64) -> f64 {
    (LOST.0 * delta / step.count as f64).clamp(LOST.1, LOST.2)
}

/// Laws of explicit neighbours under these samplings, or under a fixed size without replacement: several attempts, each
/// with one law per direction. What they need, the step needs.
///
/// # Errors
/// Parameters out of range.
pub(super) fn attacks(
    step: &Step,
    neighbours: Neighbouring,
    delta: f64,
) -> Result<Vec<Laws>, AccountError> {
    let mechanism = &step.mechanism;
    Ok(match step.sampling {
        Sampling::None | Sampling::Poisson(1.0) => match leaf(mechanism)?.structure() {
            Structure::Group(sigma, shifts, weights) => {
                vec![samples::group((sigma, shifts, weights), Side::Below)?]
            }
            Structure::Gaussian
            | Structure::Gdp
            | Structure::Noise
            | Structure::Run
            | Structure::Pure
            | Structure::Approximate
            | Structure::Zcdp
            | Structure::Response(..)
            | Structure::Choice(_) => {
                let mu = |g: Gaussian| g.mu().next_down().max(0.0);
                let least = samples::gaussian_below(step)?.map(|g| GaussianLaw { mu: mu(g) });
                let least = least.into_iter();
                least
                    .map(|law| vec![Arc::new(law) as Arc<dyn LossLaw>])
                    .collect()
            }
        },
        Sampling::FixedSize(fraction) if neighbours == Neighbouring::ReplaceOne => {
            // All others answer as the replacement does.
            let fraction = fraction.next_down().max(0.0);
            let two = leaf(mechanism)?.group(2)?;
            two.map(|law| vec![samples::sampled(&law, fraction)])
                .unwrap_or_default()
        }
        Sampling::WithReplacement { draws, size } => {
            let draws = Draws::new((draws, size), lost(step, delta))?;
            match gaussian(mechanism)? {
                Some(g) => vec![draws.mixtures(g, Side::Below)?],
                None => draws.once(mechanism)?.into_iter().collect(),
            }
        }
        Sampling::TruncatedPoisson { rate, cap, records } => {
            let cut = Cut::new(rate, cap, records)?;
            match neighbours {
                Neighbouring::AddRemove => cut.attacks(mechanism)?,
                Neighbouring::ReplaceOne => cut.attacks_replaced(mechanism)?,
                Neighbouring::ZeroOut | Neighbouring::User => Vec::new(),
            }
        }
        Sampling::Poisson(_)
        | Sampling::FixedSize(_)
        | Sampling::RandomAllocation { .. }
        | Sampling::Within(_) => Vec::new(),
    })
}

/// Pairs of mixtures, one per direction, and what that may be wrong by.
pub(super) struct Near {
    pub(super) pairs: Vec<Pair>,
    /// δ from above by so much, and ε by so much.
    pub(super) off: f64,
    /// How much of ε, in nats, a step may lack to what the pairs say where δ is larger by this many nats; ∞ where they say nothing
    /// from below.
    pub(super) lack: f64,
}

/// The pairs of mixtures that draws with replacement make of Gaussian noise where a record is added or removed, one per direction.
/// No such pair from below is wrong.
///
/// **From above.** Of the draws K of the record more than those that hardly ever happen, in all with probability β, are left out:
/// P = (1 − β)P_K + β·R, where P_K has K only as large as is usual. A set has no more under P than under P_K, and β; and where P is
/// the smaller side, no less than 1 − β times what it has under P_K, which is a loss of −ln(1 − β) more. From above, no weight of
/// more than 0 draws is less than under P_K, from below none is more than under P. The weight of 0 draws is what the others leave,
/// rounded so that no half-line (z, ∞) has less, or more, and where P is the smaller side no (−∞, z) more, or less: those are the
/// sets that decide, also along one step of a composition (see [`Draws::mixture`]).
///
/// **The same pairs from below**, where no shift is rounded: no weight w of the mixture is more than c times what it is under P, so
/// that T steps have P(A) ≥ c^{−T} times what A has under the mixtures, and δ(ε) ≥ c^{−T}·δ'(ε + T·ln c), δ' theirs. Where P is
/// the smaller side, what is left out has on any (−∞, z) no more than β of 0 draws has: if no weight under P, with that, is more
/// than c times w, the sets that decide have no more than c^T times what they have under the mixtures, and δ(ε) ≥ δ'(ε + T·ln c).
///
/// # Errors
/// Parameters out of range.
pub(super) fn pairs(
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

/// The Gaussian noise that is left where the batches of a step are told, and all have the record: as divergences are jointly convex,
/// that loses no less.
///
/// # Errors
/// Parameters out of range.
pub(super) fn told(
    step: &Step,
    neighbours: Neighbouring,
) -> Result<Option<Gaussian>, AccountError> {
    use Neighbouring::{AddRemove, ReplaceOne, User, ZeroOut};
    let reach = match (step.sampling, neighbours) {
        (Sampling::Poisson(_), AddRemove | ZeroOut) => 1.0,
        // One comes for another that goes.
        (Sampling::Poisson(_), ReplaceOne)
        | (Sampling::FixedSize(_) | Sampling::TruncatedPoisson { .. }, AddRemove | ReplaceOne) => {
            2.0
        }
        (Sampling::Poisson(_), User)
        | (Sampling::FixedSize(_) | Sampling::TruncatedPoisson { .. }, ZeroOut | User)
        | (
            Sampling::None
            | Sampling::WithReplacement { .. }
            | Sampling::RandomAllocation { .. }
            | Sampling::Within(_),
            _,
        ) => return Ok(None),
    };
    // Noise with a covariance dominates a mechanism, and is none.
    let leaf = leaf(&step.mechanism)?;
    if leaf.structure() != Structure::Gaussian || !leaf.is_attained() {
        return Ok(None);
    }
    Ok(leaf.noise(reach)?.map(|noise| noise.above))
}

/// Why such a step has no law under the relation.
pub(super) fn reason(step: &Step, neighbours: Neighbouring) -> Option<&'static str> {
    match (step.sampling, neighbours) {
        (Sampling::RandomAllocation { .. } | Sampling::Within(Pattern::Apart { .. }), _)
            if matches!(
                step.mechanism,
                Event::Gaussian { .. } | Event::MatrixGaussian { .. }
            ) =>
        {
            Some(": such a run is known by its privacy-loss distribution alone")
        }
        (Sampling::RandomAllocation { .. }, _) => {
            Some(": random allocation is known of Gaussian noise alone")
        }
        (Sampling::Within(Pattern::Apart { .. }), _) => {
            Some(": b-min-separation is known of Gaussian noise alone")
        }
        (Sampling::Within(_), _) => Some(
            ": a sampled run of correlated noise is known by its privacy-loss distribution alone",
        ),
        // In a batch without the record another has its place, so that neither neighbour's law is that of the others alone.
        (
            Sampling::FixedSize(_)
            | Sampling::WithReplacement { .. }
            | Sampling::TruncatedPoisson { .. },
            Neighbouring::ZeroOut,
        ) => Some(
            ": a zeroed record keeps a place that another would have, of which there is no theorem here",
        ),
        (Sampling::WithReplacement { .. }, _) => Some(
            ": a record that is drawn several times needs the mechanism for groups, which is known of noise alone",
        ),
        (Sampling::None | Sampling::Poisson(_), _)
        | (Sampling::FixedSize(_) | Sampling::TruncatedPoisson { .. }, _) => None,
    }
}

/// (Δ, σ) of Gaussian noise.
fn gaussian(mechanism: &Event) -> Result<Option<(f64, f64)>, AccountError> {
    let Event::Gaussian { sigma, sensitivity } = *mechanism else {
        return Ok(None);
    };
    leaf::check(mechanism)?;
    Ok((sensitivity > 0.0).then_some((sensitivity, sigma)))
}

/// How often one record is drawn with replacement.
struct Draws {
    /// b_k.
    weights: Vec<Enclosure>,
    /// Upper bound on Σ of the others.
    beyond: f64,
}

impl Draws {
    fn new((draws, size): (u64, u64), lost: f64) -> Result<Self, AccountError> {
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

    fn laws(
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
            _ => samples::sampled(&told, drawn.hi),
        }))
    }

    /// The laws as if a record that is drawn were drawn once, for other noise whose loss grows with the answer: no half-line (z, ∞) has
    /// more under them than it has, nor (−∞, z) less, and half-lines decide (see [`Self::mixture`]).
    fn once(&self, mechanism: &Event) -> Result<Option<Laws>, AccountError> {
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
    fn mixtures(&self, (delta, sigma): (f64, f64), side: Side) -> Result<Laws, AccountError> {
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

/// A Poisson sample cut to a size.
struct Cut {
    rate: f64,
    cap: u64,
    /// The law of the other records drawn.
    others: Binomial,
    /// Pr\[J ≥ B\], and Pr\[J < B\].
    full: Enclosure,
    room: Enclosure,
    /// r.
    share: Enclosure,
    records: u64,
}

impl Cut {
    fn new(rate: f64, cap: u64, records: u64) -> Result<Self, AccountError> {
        let p = Enclosure::point(rate);
        let others = Binomial::new(records - 1, p)?;
        let (full, room) = (others.at_least(cap), others.fewer_than(cap));
        // What is nearly 1 is known better from what it lacks.
        let sharper = |a: Enclosure, b: Enclosure| if a.width() < b.width() { a } else { b };
        let (full, room) = (sharper(full, 1.0 - room), sharper(room, 1.0 - full));
        let beyond = Binomial::new(records, p)?.at_least(cap + 1);
        let fraction = Enclosure::from(cap) / Enclosure::from(records);
        // No J leaves the record a larger share than its rate.
        let share = if full.lo > 0.0 {
            (fraction * beyond / full).clamp(0.0, rate)
        } else {
            Enclosure::new(0.0, rate)
        };
        Ok(Self {
            rate,
            cap,
            others,
            full,
            room,
            share,
            records,
        })
    }

    fn laws(
        &self,
        mechanism: &Event,
        neighbours: Neighbouring,
    ) -> Result<Option<Laws>, AccountError> {
        let step = |sampling| Step {
            mechanism: mechanism.clone(),
            sampling,
            count: 1,
        };
        if !matches!(
            neighbours,
            Neighbouring::AddRemove | Neighbouring::ReplaceOne
        ) {
            return Ok(None);
        }
        let open = samples::laws(&step(Sampling::Poisson(self.rate)), neighbours)?;
        let full = samples::laws(&step(Sampling::FixedSize(self.share.hi)), neighbours)?;
        let (Some(open), Some(full)) = (open, full) else {
            return Ok(None);
        };
        // A weight that is hardly there counts as lost: its own relative error would be the whole.
        let rare = self.full.lo < 1e-200;
        let pair = |(a, b): (&Arc<dyn LossLaw>, &Arc<dyn LossLaw>)| {
            let parts = vec![(self.room, a.clone()), (self.full, b.clone())];
            let told = if rare {
                Chosen::new(vec![(Enclosure::point(1.0), a.clone())], self.full.hi)
            } else {
                Chosen::new(parts, 0.0)
            };
            Arc::new(told) as Arc<dyn LossLaw>
        };
        let sides = open.len().max(full.len());
        let side = |laws: &Laws, i: usize| laws[i.min(laws.len() - 1)].clone();
        let both = (0..sides).map(|i| pair((&side(&open, i), &side(&full, i))));
        Ok(Some(both.collect()))
    }

    /// Others that answer 0, so that the record shows if it is in the batch; and others that answer −Δ.
    fn attacks(&self, mechanism: &Event) -> Result<Vec<Laws>, AccountError> {
        let Some(once) = leaf(mechanism)?.group(1)? else {
            return Ok(Vec::new());
        };
        let shown = samples::sampled(&once, self.present().lo);
        let among = self.among(mechanism, None)?;
        Ok([shown].into_iter().chain(among).collect())
    }

    /// The same others, where the replacement answers −Δ.
    fn attacks_replaced(&self, mechanism: &Event) -> Result<Vec<Laws>, AccountError> {
        // Of other noise the law of a Poisson sample is a bound.
        if gaussian(mechanism)?.is_none() {
            return Ok(Vec::new());
        }
        let step = Step {
            mechanism: mechanism.clone(),
            sampling: Sampling::Poisson(self.present().lo),
            count: 1,
        };
        let shown = samples::laws(&step, Neighbouring::ReplaceOne)?;
        let among = self.among(mechanism, Some(-1.0))?;
        Ok(shown.into_iter().chain(among).collect())
    }

    /// The probability that the record is in the batch.
    fn present(&self) -> Enclosure {
        ((1.0 - self.full) * self.rate + self.full * self.share).clamp(0.0, 1.0)
    }

    /// The record answers Δ among others that answer −Δ, and its replacement as given, if they are few enough for their sum to be
    /// looked at in cells.
    fn among(
        &self,
        mechanism: &Event,
        replacement: Option<f64>,
    ) -> Result<Option<Laws>, AccountError> {
        let few = gaussian(mechanism)?.filter(|_| self.cap <= 64);
        Ok(few.map(|(delta, sigma)| {
            let (p, q) = (self.sums(Some(1.0)), self.sums(replacement));
            let cells = |p, q| in_cells(p, q, sigma / delta);
            vec![cells(&p, &q), cells(&q, &p)]
        }))
    }

    /// The law of the sum in units of Δ, where all others answer −Δ and the record, if there is one, so many Δ: pairs of (value,
    /// probability), enclosed.
    fn sums(&self, record: Option<f64>) -> Sums {
        let absent = Enclosure::point(0.0);
        let rate = record.map_or(absent, |_| Enclosure::point(self.rate));
        let share = record.map_or(absent, |_| self.share);
        let answer = record.unwrap_or(0.0);
        let mut sums = Vec::new();
        for j in 0..self.cap.min(self.records) {
            let (others, mass) = (-(j as f64), self.others.mass(j));
            sums.push((others, mass * (1.0 - rate)));
            sums.push((others + answer, mass * rate));
        }
        // The record takes the place of another.
        let others = -(self.cap as f64);
        sums.push((others, self.full * (1.0 - share)));
        sums.push((others + 1.0 + answer, self.full * share));
        sums
    }
}

/// Values with their probabilities, enclosed.
type Sums = Vec<(f64, Enclosure)>;

/// What is left of two mixtures of N(x, σ²) when only cells of the line are told, with the P masses rounded down and the Q
/// masses up: no more than what the whole line tells.
fn in_cells(p: &[(f64, Enclosure)], q: &[(f64, Enclosure)], sigma: f64) -> Arc<dyn LossLaw> {
    const CELLS_A_SIGMA: f64 = 64.0;
    const REACH: f64 = 12.0;
    let values = || p.iter().chain(q).map(|(x, _)| *x);
    let least = values().fold(f64::INFINITY, f64::min) - REACH * sigma;
    let largest = values().fold(f64::NEG_INFINITY, f64::max) + REACH * sigma;
    let width = (sigma / CELLS_A_SIGMA).max((largest - least) / 1e5);
    let cells = ((largest - least) / width).ceil() as u64;
    let mut atoms = Vec::new();
    for cell in 0..cells {
        let ends = (
            least + cell as f64 * width,
            least + (cell + 1) as f64 * width,
        );
        let mass = |law: &[(f64, Enclosure)]| {
            let each = law.iter().map(|(x, weight)| {
                *weight * normal_mass((ends.0 - x) / sigma, (ends.1 - x) / sigma, x.abs() / sigma)
            });
            each.fold(Enclosure::point(0.0), |sum, part| sum + part)
        };
        let (above, below) = (mass(p).lo, mass(q).hi);
        if above > 1e-300 && below > 1e-300 {
            atoms.push((float::elementary::ln(above / below), above));
        }
    }
    Arc::new(DiscreteLaw::new(atoms, 0.0, 4.0 * f64::EPSILON, None))
}

#[cfg(test)]
mod tests;
