//! The privacy loss of mechanisms with finitely many losses.

use super::law::{LossLaw, Tails};
use crate::float::U;
use crate::float::elementary::{exp, exp_m1, ln, ln_1p};

/// P mass of some atoms, and their Q mass times e^{reference}: a loss of 10⁴ leaves a Q mass that
/// binary64 cannot hold, of which e^ε-fold is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cumulative {
    p: f64,
    q: f64,
    reference: f64,
}

impl Cumulative {
    /// Falling losses may go this far below the reference: e^{600} is in range, and so is the sum.
    const REACH: f64 = 600.0;

    /// With one more atom, whose loss is no larger than those before.
    fn with(self, (loss, mass): (f64, f64)) -> Self {
        let moved = if loss < self.reference - Self::REACH {
            loss
        } else {
            self.reference
        };
        Self {
            p: self.p + mass,
            q: self.q * exp(moved - self.reference) + mass * exp(moved - loss),
            reference: moved,
        }
    }

    /// e^ε·Q. In two halves, as q may be as large as e^{600} where e^{ε − reference} is 0.
    fn scaled_q(self, epsilon: f64) -> f64 {
        let half = exp(0.5 * (epsilon - self.reference));
        half * self.q * half
    }
}

/// A loss with finitely many values, each with its mass under P.
///
/// ```
/// use dp_assay::accounting::pld::discrete_law::DiscreteLaw;
/// use dp_assay::accounting::pld::law::{LossLaw, profile};
///
/// // Three answers with these probabilities on two neighbours: they differ by ¼ in total variation.
/// let law = DiscreteLaw::from_masses(&[0.5, 0.3, 0.2], &[0.25, 0.3, 0.45]);
/// assert!((0.2499..0.2501).contains(&profile(&law, 0.0).hi));
/// // Randomised response of 1 nat diverges by less at every order; what leaks all has no bound.
/// assert!(DiscreteLaw::response(1.0).rdp_upper(1.0) < 1.0);
/// let leaking = DiscreteLaw::approximate(1.0, 1e-6);
/// assert!(leaking.infinite() > 0.99e-6 && leaking.rdp_upper(1.0) == f64::INFINITY);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DiscreteLaw {
    /// (loss, P mass), by decreasing loss; losses have relative error 8u, masses `error`.
    atoms: Vec<(f64, f64)>,
    /// Masses of the atoms up to here.
    cumulative: Vec<Cumulative>,
    /// P mass at L = ∞.
    infinite: f64,
    /// Upper bound on it, and on that of atoms that are left out.
    leak: f64,
    error: f64,
    /// Bound on the absolute error of the losses, beyond the relative 8u.
    loss_error: f64,
    lattice: Option<f64>,
}

impl DiscreteLaw {
    /// The law with the given finite atoms (any order), P mass at infinity, which is exact, and bound on the relative
    /// error of all other masses. Losses must be finite.
    #[must_use]
    pub fn new(
        mut atoms: Vec<(f64, f64)>,
        infinite: f64,
        error: f64,
        lattice: Option<f64>,
    ) -> Self {
        atoms.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut sum = Cumulative {
            p: infinite,
            q: 0.0,
            reference: atoms.first().map_or(0.0, |(loss, _)| *loss),
        };
        let cumulative = atoms
            .iter()
            .map(|atom| {
                sum = sum.with(*atom);
                sum
            })
            .collect();
        let widest = atoms.iter().fold(0.0f64, |w, a| w.max(a.0.abs()));
        let error = error + U * (atoms.len() as f64 + 8.0 + 9.0 * widest);
        Self {
            atoms,
            cumulative,
            infinite,
            leak: infinite,
            error,
            loss_error: 0.0,
            lattice,
        }
    }

    /// The same, of which no more than `leak` is at L = ∞ or left out.
    #[must_use]
    pub fn with_leak(self, leak: f64) -> Self {
        Self { leak, ..self }
    }

    /// The same, whose losses may be off by `error` beyond a few units in the last place; no more than the error of its masses.
    #[must_use]
    pub fn with_loss_error(self, error: f64) -> Self {
        Self {
            loss_error: self.loss_error + error,
            ..self
        }
    }

    /// The law of ln(p/q) for two laws on the same finite set, given by their masses (relative error
    /// 4u each). Mass of `p` where `q` is 0 has infinite loss.
    #[must_use]
    pub fn from_masses(p: &[f64], q: &[f64]) -> Self {
        let mut infinite = 0.0;
        let mut atoms = Vec::new();
        for (&p, &q) in p.iter().zip(q) {
            if p > 0.0 && q > 0.0 {
                atoms.push((ln(p / q), p));
            } else {
                infinite += p;
            }
        }
        Self {
            // Near p = q the loss is as small as the masses' errors.
            loss_error: 12.0 * U,
            leak: (infinite * (1.0 + U * (p.len() as f64 + 8.0))).min(1.0),
            ..Self::new(atoms, infinite, 4.0 * U, None)
        }
    }

    /// Upper bound on the Rényi divergence of order 1 + β: ln Σ p·e^{βL}/β.
    #[must_use]
    pub fn rdp_upper(&self, beta: f64) -> f64 {
        if self.infinite > 0.0 {
            return f64::INFINITY;
        }
        let Some((largest, _)) = self.atoms.first() else {
            return 0.0;
        };
        let sum: f64 = self
            .atoms
            .iter()
            .map(|(loss, p)| p * exp(beta * (loss - largest)))
            .sum();
        let widest = largest.abs().max(self.support().0.abs());
        let error = self.error + beta * self.loss_error + U * (8.0 + 12.0 * beta * widest);
        let log = ln(sum) + error * 1.01 + 4.0 * U * ln(sum).abs();
        let bound = largest + 8.0 * U * largest.abs() + self.loss_error + log / beta;
        (bound + 4.0 * U * bound.abs() + 4.0 * U * log.abs() / beta).max(0.0)
    }

    /// Randomised response between two answers, ε-DP: losses ±ε.
    #[must_use]
    pub fn response(epsilon: f64) -> Self {
        Self::approximate(epsilon, 0.0)
    }

    /// What dominates every mechanism that is (ε, 0)-DP for one record's presence, on a Poisson sample at rate q of
    /// which one record is replaced; some such mechanism attains it.
    ///
    /// Without the record the answer has the law Z, with it or its replacement aZ or bZ. The sample's divergence is
    /// a mean of convex functions of (a, b), hence largest where both are e^ε or e^{−ε}; their means are 1, so each is
    /// e^ε with probability 1/(1 + e^ε) under Z, and what they differ in is most if never both are.
    #[must_use]
    pub fn replaced(epsilon: f64, rate: f64) -> Self {
        let (grown, shrunk) = (exp_m1(epsilon), -exp_m1(-epsilon));
        // ln(1 + q(e^ε − 1)) and ln(1 − q(1 − e^{−ε})), every term to some units in the last place.
        let rise = if grown.is_finite() {
            ln_1p(rate * grown)
        } else {
            epsilon + ln(rate + (1.0 - rate) * exp(-epsilon))
        };
        let rest = 1.0 - rate + rate * exp(-epsilon);
        let fall = if rate * shrunk < 0.5 {
            ln_1p(-rate * shrunk)
        } else {
            ln(rest)
        };
        let share = exp(-epsilon) / (1.0 + exp(-epsilon));
        let more = ((1.0 - rate) * exp(-epsilon) + rate) / (1.0 + exp(-epsilon));
        let loss = rise - fall;
        let atoms = vec![
            (loss, more),
            (0.0, shrunk / (1.0 + exp(-epsilon)) * rest),
            (-loss, share * rest),
        ];
        Self {
            loss_error: 16.0 * U * loss,
            ..Self::new(
                atoms,
                0.0,
                U * (24.0 + 16.0 * loss),
                (loss > 0.0).then_some(loss),
            )
        }
    }

    /// What dominates every (ε, δ)-DP mechanism: randomised response that with probability δ reveals
    /// all (Kairouz, Oh and Viswanath 2017).
    #[must_use]
    pub fn approximate(epsilon: f64, delta: f64) -> Self {
        let keep = 1.0 - delta;
        let truth = keep / (1.0 + exp(-epsilon));
        let lie = keep * exp(-epsilon) / (1.0 + exp(-epsilon));
        let atoms = vec![(epsilon, truth), (-epsilon, lie)];
        Self::new(atoms, delta, 8.0 * U, (epsilon > 0.0).then_some(epsilon))
    }
}

impl LossLaw for DiscreteLaw {
    fn tails(&self, epsilon: f64) -> Tails {
        let above = self.atoms.partition_point(|(loss, _)| *loss > epsilon);
        let (p, scaled) = if above == 0 {
            (self.infinite, 0.0)
        } else {
            let sum = self.cumulative[above - 1];
            (sum.p, sum.scaled_q(epsilon))
        };
        let error = self.error + U * (4.0 + epsilon.abs());
        Tails {
            p: p.min(1.0),
            q: scaled,
            error,
            slack: self.loss_error + 8.0 * U * epsilon.abs(),
        }
    }

    fn support(&self) -> (f64, f64) {
        let first = self.atoms.first().map_or(0.0, |a| a.0);
        let last = self.atoms.last().map_or(0.0, |a| a.0);
        (last.min(first) - self.loss_error, first + self.loss_error)
    }

    fn lattice(&self) -> Option<f64> {
        self.lattice
    }

    fn infinite(&self) -> f64 {
        self.infinite * (1.0 - self.error)
    }

    fn leak(&self) -> f64 {
        self.leak
    }

    fn anchor(&self) -> f64 {
        self.atoms.first().map_or(0.0, |(largest, _)| *largest)
    }

    fn pitch(&self) -> Option<f64> {
        let [(largest, _), .., (least, _)] = self.atoms[..] else {
            return None;
        };
        let gaps = (self.atoms.len() - 1) as f64;
        let pitch = (largest - least) / gaps;
        let even = |(j, (loss, _)): (usize, &(f64, f64))| {
            (largest - j as f64 * pitch - loss).abs() <= 1e-10 * pitch
        };
        (pitch > 0.0 && self.atoms.iter().enumerate().all(even)).then_some(pitch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;

    fn laws() -> Vec<DiscreteLaw> {
        let atoms = vec![
            (-0.5, 0.25),
            (1.5, 0.25),
            (0.25, 0.125),
            (900.0, 1e-3),
            (-2.0, 0.25),
        ];
        vec![
            DiscreteLaw::new(atoms, 0.125, 1e-13, None).with_loss_error(1e-12),
            DiscreteLaw::from_masses(&[0.5, 0.25, 0.25, 0.0], &[0.25, 0.5, 0.0, 0.25]),
            DiscreteLaw::from_masses(&[0.1, 0.7, 0.2], &[0.3, 0.5, 0.2]),
            DiscreteLaw::response(0.7),
            DiscreteLaw::approximate(2.0, 0.01),
            DiscreteLaw::replaced(1.0, 0.3),
            DiscreteLaw::replaced(0.1, 0.999),
            DiscreteLaw::replaced(800.0, 0.4),
            DiscreteLaw::replaced(0.0, 0.4),
        ]
    }

    #[test]
    fn laws_of_atoms_are_what_they_were() {
        let mut marks = Vec::new();
        for law in laws() {
            let mut found = vec![law.error, law.loss_error, law.infinite(), law.leak()];
            found.extend([law.support().0, law.support().1, law.anchor()]);
            found.extend([law.pitch().unwrap_or(-1.0), law.lattice().unwrap_or(-1.0)]);
            found.extend(law.atoms.iter().flat_map(|(loss, mass)| [*loss, *mass]));
            for epsilon in [-3.0, -0.7, 0.0, 0.2, 0.7, 1.6, 700.0] {
                let t = law.tails(epsilon);
                found.extend([t.p, t.q, t.error, t.slack]);
            }
            found.extend([1e-3, 0.5, 30.0].map(|beta| law.rdp_upper(beta)));
            marks.push(steady::mark(&found));
        }
        steady::holds(
            &marks,
            "2148827203291685.0 4335289408130239.0 7074127878507562.0 889369988612842.0
         2901724856831389.0 6476357992975958.0 208395202769646.0 7645802248052765.0
         7309253944843710.0",
        );
    }

    /// A sampled response that is replaced: P and P' of its three answers, one for one, far from
    /// where anything cancels and near.
    #[test]
    fn a_replaced_response_has_the_masses_of_its_answers() {
        use rug::Float;
        let wide = |x: f64| Float::with_val(300, x);
        for epsilon in [1e-3, 0.3, 2.0, 40.0, 705.0, 720.0, 900.0] {
            for rate in [1e-6, 0.2, 0.4, 0.6, 0.97] {
                let law = DiscreteLaw::replaced(epsilon, rate);
                let truth = wide(epsilon).exp() / (wide(epsilon).exp() + 1u32);
                let lie: Float = 1 - truth.clone();
                // P of the answer that the record makes likelier: ((1 − q)·lie + q·truth).
                let more: Float = truth.clone() * rate + lie * (1 - wide(rate));
                let rise: Float = wide(epsilon).exp_m1() * rate + 1u32;
                let fall: Float = (-wide(epsilon)).exp_m1() * rate + 1u32;
                let ratio: Float = rise.ln() - fall.ln();
                let (loss, mass) = law.atoms[0];
                let off = (wide(loss) - &ratio).abs();
                assert!(off <= law.loss_error, "{epsilon}, {rate}: {loss}, {ratio}");
                let off = (wide(mass) - &more).abs() / &more;
                assert!(off <= law.error, "{epsilon}, {rate}: {mass}, {more}");
                let whole: f64 = law.atoms.iter().map(|(_, mass)| mass).sum();
                assert!((whole - 1.0).abs() < 1e-14, "{epsilon}, {rate}: {whole}");
                assert_eq!(law.atoms[2].0, -loss);
            }
        }
    }

    #[test]
    fn atoms_in_even_steps_have_a_pitch() {
        let pitch = |losses: &[f64]| {
            let atoms = losses.iter().map(|loss| (*loss, 0.1)).collect();
            DiscreteLaw::new(atoms, 0.0, 0.0, None).pitch()
        };
        assert_eq!(pitch(&[1.0, -1.0, 0.0]), Some(1.0));
        assert_eq!(pitch(&[1.0, -1.0, 0.1]), None);
        assert_eq!(pitch(&[1.0]), None);
        assert_eq!(pitch(&[1.0, 1.0]), None);
        assert_eq!(pitch(&[3.0, 0.5]), Some(2.5));
    }
}
