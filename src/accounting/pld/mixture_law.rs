//! The privacy loss of a pair of Gaussian mixtures.

use super::law::{LossLaw, Tails, gathered_at_an_end};
use crate::accounting::AccountError;
use crate::accounting::mixture::{Mixture, Pair};
use crate::float::elementary::{exp, ln};
use crate::float::{ERFC_ERROR, U, mills, normal_tail};

/// A [`Pair`] whose loss increases with z: no shift of P is below one of Q.
///
/// ```
/// use dp_assay::accounting::mixture::Pair;
/// use dp_assay::accounting::pld::law::profile;
/// use dp_assay::accounting::pld::mixture_law::MixtureLaw;
///
/// // Half of the records sampled, σ = 1, one replaced: at 0 nats δ = ½(2Φ(1) − 1).
/// let law = MixtureLaw::new(Pair::replacement(0.5, 1.0))?;
/// assert!((0.34..0.343).contains(&profile(&law, 0.0).hi));
/// // Shifts of P below those of Q.
/// assert!(MixtureLaw::new(Pair::gaussian(-1.0, 1.0)).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MixtureLaw {
    pair: Pair,
    variance: f64,
}

/// A threshold that was found.
#[derive(Clone, Copy)]
struct Place {
    epsilon: f64,
    z: f64,
}

/// How near Y(z) must be to ε: nearer adds nothing to what rounding leaves unknown.
fn near(error: f64, epsilon: f64) -> f64 {
    (0.5 * error).max(4.0 * U * (1.0 + epsilon.abs()))
}

impl MixtureLaw {
    /// The law of ln(P/Q).
    ///
    /// # Errors
    /// Shifts of P below shifts of Q, for which the loss need not be monotone.
    pub fn new(pair: Pair) -> Result<Self, AccountError> {
        let (least, greatest) = (pair.p.shifts().0, pair.q.shifts().1);
        AccountError::check(
            least >= greatest,
            "least shift of P",
            least,
            "must be at least Q's greatest",
        )?;
        let variance = pair.sigma * pair.sigma;
        let ends = [pair.p.shifts(), pair.q.shifts()];
        let farthest = ends.iter().fold(0.0, |far: f64, (least, greatest)| {
            far.max(least.abs()).max(greatest.abs())
        });
        AccountError::check(
            variance >= f64::MIN_POSITIVE && (farthest * farthest / variance).is_finite(),
            "shift",
            farthest,
            "must lose what a double holds: its square over that of sigma",
        )?;
        Ok(Self { pair, variance })
    }

    /// (Y(z), error).
    fn loss(&self, z: f64) -> (f64, f64) {
        let (p, p_error) = self.pair.p.ln_density(z, self.variance);
        let (q, q_error) = self.pair.q.ln_density(z, self.variance);
        (p - q, p_error + q_error + U * (p - q).abs())
    }

    /// Where Y(z) = ε lies, if Q has a single part, at 0: with n parts of P, Y is at least the logarithm of each part's ratio,
    /// and at most that of n times the greatest.
    fn near(&self, epsilon: f64) -> Option<(f64, f64)> {
        let (p, alone) = (&self.pair.p, self.pair.q.shifts() == (0.0, 0.0));
        let log_count = ln(p.components().len() as f64 + 1.0);
        let constant = p.rest() > 0.0 && ln(p.rest()) + log_count >= epsilon;
        if !alone || constant || p.components().iter().any(|c| c.shift <= 0.0) {
            return None;
        }
        let infinite = (f64::INFINITY, f64::INFINITY);
        let ends = p.components().iter().fold(infinite, |(lo, hi), c| {
            let slope = self.variance / c.shift;
            let z = (epsilon - ln(c.weight)) * slope + 0.5 * c.shift;
            (lo.min(z - log_count * slope), hi.min(z))
        });
        Some(ends)
    }

    /// z with Y(z) ≈ ε: a bracket, then the Illinois variant of the secant method.
    /// ∓∞ beyond 45σ outside the shifts, where nothing of binary64 is left.
    fn threshold(&self, epsilon: f64) -> f64 {
        let sigma = self.pair.sigma;
        let ((p_lo, p_hi), (q_lo, q_hi)) = (self.pair.p.shifts(), self.pair.q.shifts());
        let (lo, hi) = (p_lo.min(q_lo) - 45.0 * sigma, p_hi.max(q_hi) + 45.0 * sigma);
        let at = |z: f64| self.loss(z).0 - epsilon;
        if let Some(near) = self.near(epsilon)
            && lo < near.0
            && near.1 < hi
        {
            let ends = (at(near.0), at(near.1));
            if ends.0 < 0.0 && ends.1 > 0.0 {
                return self.between(near, ends, epsilon);
            }
        }
        let (at_lo, at_hi) = (at(lo), at(hi));
        if at_lo >= 0.0 {
            return f64::NEG_INFINITY;
        }
        if at_hi <= 0.0 {
            return f64::INFINITY;
        }
        self.between((lo, hi), (at_lo, at_hi), epsilon)
    }

    /// z with Y(z) ≈ ε between two, at which Y − ε has these values.
    fn between(
        &self,
        (mut lo, mut hi): (f64, f64),
        (mut at_lo, mut at_hi): (f64, f64),
        epsilon: f64,
    ) -> f64 {
        for round in 0..80 {
            let secant = (lo * at_hi - hi * at_lo) / (at_hi - at_lo);
            let middle = 0.5 * (lo + hi);
            // Every third step bisects: the loss is flat on one side.
            let z = if round % 3 == 2 || !(secant > lo && secant < hi) {
                middle
            } else {
                secant
            };
            let (at, error) = self.loss(z);
            let value = at - epsilon;
            if value.abs() <= near(error, epsilon) || z <= lo || z >= hi {
                return z;
            }
            if value < 0.0 {
                (lo, at_lo, at_hi) = (z, value, 0.5 * at_hi);
            } else {
                (hi, at_hi, at_lo) = (z, value, 0.5 * at_lo);
            }
        }
        0.5 * (lo + hi)
    }

    /// z with Y(z) ≈ ε near those at two thresholds before, which increase; `None` if it is not found at once.
    fn beside(&self, [first, second]: [Place; 2], epsilon: f64) -> Option<f64> {
        const ROUNDS: usize = 5;
        let mut slope = (second.z - first.z) / (second.epsilon - first.epsilon);
        let mut z = second.z + (epsilon - second.epsilon) * slope;
        let mut before: Option<(f64, f64)> = None;
        for _ in 0..ROUNDS {
            let (at, error) = self.loss(z);
            if (at - epsilon).abs() <= near(error, epsilon) {
                return Some(z);
            }
            if let Some((other, known)) = before.replace((z, at)) {
                slope = (z - other) / (at - known);
            }
            z += (epsilon - at) * slope;
            if !z.is_finite() {
                break;
            }
        }
        None
    }

    /// e^ε·Pr\[Z > z\] under the mixture; every term is formed in range.
    fn scaled_tail(&self, side: &Mixture, z: f64, epsilon: f64) -> f64 {
        let tail = |shift: f64| {
            let x = (z - shift) / self.pair.sigma;
            if x > 0.0 {
                0.398_942_280_401_432_7 * exp(epsilon - 0.5 * x * x) * mills(x)
            } else {
                exp(epsilon) * normal_tail(x)
            }
        };
        let shifted: f64 = side
            .components()
            .iter()
            .map(|c| c.weight * tail(c.shift))
            .sum();
        shifted
            + if side.rest() > 0.0 {
                side.rest() * tail(0.0)
            } else {
                0.0
            }
    }
}

impl MixtureLaw {
    /// The tails beyond a threshold, however near ε it is.
    fn beyond(&self, z: f64, epsilon: f64) -> Tails {
        if z == f64::NEG_INFINITY {
            return Tails::everything(epsilon);
        }
        if z == f64::INFINITY {
            return Tails::nothing();
        }
        let (at, error) = self.loss(z);
        let farthest = (z.abs() + self.pair.p.shifts().1.abs() + self.pair.q.shifts().0.abs())
            / self.pair.sigma;
        // Of every component, and of the sum over all.
        let terms = (self.pair.p.components().len() + self.pair.q.components().len()) as f64;
        let rounding = U * (18.0 + terms + 4.0 * farthest * (farthest + 1.0) + 2.0 * epsilon.abs());
        Tails {
            p: self.scaled_tail(&self.pair.p, z, 0.0).min(1.0),
            q: self.scaled_tail(&self.pair.q, z, epsilon),
            error: ERFC_ERROR + rounding,
            slack: (at - epsilon).abs() + error,
        }
    }
}

impl LossLaw for MixtureLaw {
    fn tails(&self, epsilon: f64) -> Tails {
        self.beyond(self.threshold(epsilon), epsilon)
    }

    fn tails_along(&self, epsilons: &[f64]) -> Vec<Tails> {
        let mut last: [Option<Place>; 2] = [None; 2];
        let each = epsilons.iter().map(|&epsilon| {
            let z = match last {
                [Some(first), Some(second)] => self.beside([first, second], epsilon),
                _ => None,
            };
            let z = z.unwrap_or_else(|| self.threshold(epsilon));
            last = [last[1], z.is_finite().then_some(Place { epsilon, z })];
            self.beyond(z, epsilon)
        });
        each.collect()
    }

    fn support(&self) -> (f64, f64) {
        // Where a component at 0 remains on the side that would dominate, the loss is bounded.
        let ((p_lo, p_hi), (q_lo, q_hi)) = (self.pair.p.shifts(), self.pair.q.shifts());
        let weight = |side: &Mixture, shift: f64| -> f64 {
            let at: f64 = side
                .components()
                .iter()
                .filter(|c| c.shift == shift)
                .map(|c| c.weight)
                .sum();
            if shift == 0.0 { at + side.rest() } else { at }
        };
        let end = |p: f64, q: f64, outward: f64| {
            if p != q {
                return outward * f64::INFINITY;
            }
            let (p, q) = (ln(weight(&self.pair.p, p)), ln(weight(&self.pair.q, q)));
            p - q + outward * 8.0 * U * (1.0 + p.abs() + q.abs())
        };
        (end(p_lo, q_lo, -1.0), end(p_hi, q_hi, 1.0))
    }

    /// Where the loss is bounded, what is not drawn gathers: its density grows without bound towards that end.
    fn anchor(&self) -> f64 {
        match self.support() {
            (lo, _) if lo.is_finite() => lo,
            (_, hi) if hi.is_finite() => hi,
            _ => 0.0,
        }
    }

    /// A search for the threshold and two tails for every part.
    fn cost(&self) -> f64 {
        let sides = [&self.pair.p, &self.pair.q].map(|side| side.components().len());
        (3.0 * sides[0].max(sides[1]) as f64 - 2.0).max(1.0)
    }

    fn gathered(&self, step: f64) -> Option<f64> {
        Some(gathered_at_an_end(self, step))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::mixture::Component;
    use crate::accounting::steady;

    /// A run's thresholds are found from those before it: no answer may be off by more than either path says of itself.
    #[test]
    fn thresholds_found_in_a_row_are_those_found_alone() -> Result<(), AccountError> {
        for pair in [
            Pair::replacement(0.01, 1.0),
            Pair::removal(0.3, 0.4),
            Pair::addition(1e-6, 2.0),
        ] {
            let law = MixtureLaw::new(pair)?;
            for step in [1e-5, 3e-3, 0.7] {
                let epsilons: Vec<f64> = (-300..300).map(|j| f64::from(j) * step).collect();
                for (epsilon, row) in epsilons.iter().zip(law.tails_along(&epsilons)) {
                    let alone = law.tails(*epsilon);
                    let slack = row.slack + alone.slack;
                    // The sets differ by losses within the slack of ε.
                    let between = law.tails(epsilon - slack).p - law.tails(epsilon + slack).p;
                    let off = 2.0 * (row.error + alone.error) * row.p.max(alone.p) + between.abs();
                    assert!(
                        (row.p - alone.p).abs() <= off,
                        "{epsilon}: {row:?} {alone:?}"
                    );
                    assert!(
                        row.slack <= 2.0 * alone.slack + 64.0 * U * (1.0 + epsilon.abs()),
                        "{row:?}"
                    );
                }
            }
        }
        Ok(())
    }

    #[test]
    fn thresholds_and_tails_are_what_they_were() -> Result<(), AccountError> {
        let group = [(0.5, 0.25), (1.5, 0.25), (0.0, 0.5)];
        let group = group.map(|(shift, weight)| Component { shift, weight });
        let mut found = Vec::new();
        for pair in [
            Pair::gaussian(1.0, 0.7),
            Pair::removal(0.3, 0.4),
            Pair::addition(1e-3, 2.0),
            Pair::replacement(0.2, 1.0),
            Pair {
                sigma: 0.8,
                p: Mixture::new(&group)?,
                q: Mixture::centred(),
            },
        ] {
            let law = MixtureLaw::new(pair)?;
            let mut each = Vec::new();
            for epsilon in [-60.0, -0.3, -1e-4, 0.0, 0.2, 3.0, 40.0, 3e3] {
                let (z, near) = (law.threshold(epsilon), law.near(epsilon));
                let near = near.unwrap_or_default();
                let t = law.tails(epsilon);
                each.extend([z, near.0, near.1, t.p, t.q, t.error, t.slack]);
            }
            let places = [0.1, 0.13].map(|epsilon| Place {
                epsilon,
                z: law.threshold(epsilon),
            });
            each.extend([0.14, 0.5].map(|e| law.beside(places, e).unwrap_or(-1e9)));
            found.push(steady::mark(&each));
            let (lo, hi) = law.support();
            found.extend([lo, hi, law.anchor(), law.cost()]);
            found.extend(law.gathered(0.1));
        }
        steady::holds(
            &found,
            "6650475611515116.0 -inf inf 0.0 1.0 0.0 5842579705108546.0 -0.35667494393873367 inf
         -0.35667494393873367 1.0 -0.34260252233890415 5317034081891133.0 -inf
         0.0010005003335844234 0.0010005003335844234 1.0 -1.000010009241725e-7
         5626433662438287.0 -inf inf 0.0 1.0 0.0 6203776851323653.0 -0.6931471805599468 inf
         -0.6931471805599468 4.0 -0.5931471805599469",
        );
        Ok(())
    }

    #[test]
    fn shifts_that_lose_more_than_a_double_holds_are_refused() {
        let refused =
            |shift: f64, sigma: f64| MixtureLaw::new(Pair::gaussian(shift, sigma)).is_err();
        assert!(refused(1.0, 1e-155) && refused(1e155, 1.0) && refused(-1.0, 1.0));
        assert!(!refused(1.0, 1e-150) && !refused(1e153, 1.0) && !refused(0.0, 1.0));
        let ends = |pair: Pair| MixtureLaw::new(pair).map(|law| law.support());
        // Where both laws have a part at the same end, the loss there is the ratio of their
        // weights.
        let (lo, hi) = ends(Pair::removal(0.25, 1.0)).expect("in order");
        assert!(lo <= ln(0.75) && lo > ln(0.75) - 1e-14 && hi == f64::INFINITY);
        let (lo, hi) = ends(Pair::addition(0.25, 1.0)).expect("in order");
        assert!(hi >= -ln(0.75) && hi < -ln(0.75) + 1e-14 && lo == f64::NEG_INFINITY);
    }
}
