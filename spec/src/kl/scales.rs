//! Noise scales, charges and totals of Algorithms 2 to 4 as enclosures, with checked hypotheses.

use crate::arith::{Interval, Rational, ratio};
use crate::privacy::error::{PrivacyError, require};
use crate::units::{Neighbouring, Rho};

/// What Algorithms 3 and 4 assume of a private run: n ≥ 1 samples, losses that are L₀-Lipschitz at the points
/// visited, a budget ρ > 0, and replace-one or zero-out as the neighbouring relation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypotheses {
    samples: u64,
    lipschitz: f64,
    rho: Rho,
    relation: Neighbouring,
}

fn whole(x: u64) -> Interval {
    Interval::from_rational(&Rational::from(x))
}

impl Hypotheses {
    /// Checks the hypotheses.
    ///
    /// # Errors
    /// Names the value that is out of range.
    pub fn check(
        samples: u64,
        lipschitz: f64,
        rho: Rho,
        relation: Neighbouring,
    ) -> Result<Self, PrivacyError> {
        require(samples > 0, "n", &samples, "must be at least 1")?;
        let finite = lipschitz.is_finite() && lipschitz > 0.0;
        require(finite, "L_0", &lipschitz, "must be finite and > 0")?;
        require(rho.get() > 0.0, "rho", &rho, "must be > 0")?;
        // Under other relations the sensitivities of this paper are not bounded by L₀/n.
        let bounded = matches!(relation, Neighbouring::ReplaceOne | Neighbouring::ZeroOut);
        require(
            bounded,
            "relation",
            &relation,
            "must be replace-one or zero-out",
        )?;
        Ok(Self {
            samples,
            lipschitz,
            rho,
            relation,
        })
    }

    fn rho(&self) -> Interval {
        Interval::from_f64(self.rho.get())
    }

    /// L₀/n.
    fn unit(&self) -> Interval {
        Interval::from_f64(self.lipschitz) / whole(self.samples)
    }

    /// n√ρ.
    fn scale(&self) -> Interval {
        whole(self.samples) * self.rho().sqrt()
    }

    /// How many times L₀/n a mean gradient can move, halved and squared for the cost of a Gaussian: m²/2.
    fn half_square(&self) -> Interval {
        match self.relation {
            Neighbouring::ZeroOut => Interval::from_rational(&ratio(1, 2)),
            _ => Interval::from(2),
        }
    }

    /// L₂ sensitivity of a mean gradient (`kl-thm-9-sens`, `kl-lem-8-grad-repaired`), in units of the gradient.
    #[must_use]
    pub fn sensitivity(&self) -> Interval {
        (self.half_square() * Interval::from(2)).sqrt() * self.unit()
    }

    /// σ̂ = L₀/(√n ρ^{1/4}) of Algorithm 3, as printed.
    #[must_use]
    pub fn norm_deviation(&self) -> Interval {
        self.unit() * whole(self.samples) / self.scale().sqrt()
    }

    /// 2L₀/(n√ρ), the floor of σ_t.
    #[must_use]
    pub fn floor(&self) -> Interval {
        Interval::from(2) * self.unit() / self.rho().sqrt()
    }

    /// √ρ/n, what a round is charged for its norm.
    #[must_use]
    pub fn norm_charge(&self) -> Interval {
        self.rho().sqrt() / whole(self.samples)
    }
}

/// One round of Algorithm 3, given its noisy norm: L₀√(dΛ) from checked d and β.
#[derive(Clone, Debug)]
pub struct Rounds {
    hypotheses: Hypotheses,
    /// dΛ.
    level: Interval,
}

impl Rounds {
    /// Checks d ≥ 1 and Λ = log(n√ρ/β) > 0.
    ///
    /// # Errors
    /// Names the value that is out of range.
    pub fn check(hypotheses: Hypotheses, dimension: u64, beta: f64) -> Result<Self, PrivacyError> {
        require(dimension > 0, "d", &dimension, "must be at least 1")?;
        let ratio = hypotheses.scale() / Interval::from_f64(beta);
        let positive = beta > 0.0 && ratio.is_finite() && Interval::from(1).certainly_lt(&ratio);
        let rule = "must be finite and > 1";
        require(positive, "n sqrt(rho)/beta", &ratio.lo_f64(), rule)?;
        Ok(Self {
            hypotheses,
            level: whole(dimension) * ratio.ln(),
        })
    }

    /// N_t as an enclosure, if it is a number > 0.
    fn positive(norm: f64) -> Result<Option<Interval>, PrivacyError> {
        require(!norm.is_nan(), "noisy norm", &norm, "must be a number")?;
        Ok((norm > 0.0).then(|| Interval::from_f64(norm)))
    }

    /// σ_t = max{N_t/√(dΛ), 2L₀/(n√ρ)}, as printed.
    ///
    /// # Errors
    /// If the norm is NaN.
    pub fn gradient_deviation(&self, norm: f64) -> Result<Interval, PrivacyError> {
        let floor = self.hypotheses.floor();
        Ok(match Self::positive(norm)? {
            Some(n) => (n / self.level.sqrt()).max(&floor),
            None => floor,
        })
    }

    /// ρ_t of the repaired Algorithm 3: at its cap ρ/2 + √ρ/n when N_t ≤ 0.
    #[cfg(test)]
    fn repaired_charge(&self, norm: f64) -> Result<Interval, PrivacyError> {
        let cap = self.hypotheses.rho() / Interval::from(2);
        let gradient = match Self::positive(norm)? {
            Some(n) => (self.hypotheses.unit().square() * &self.level / n.square()).min(&cap),
            None => cap,
        };
        Ok(gradient + self.hypotheses.norm_charge())
    }

    /// What a round costs at the worst pair with the printed noise (`kl-thm-3-round-repaired`).
    ///
    /// # Errors
    /// If the norm is NaN.
    pub fn cost(&self, norm: f64) -> Result<Interval, PrivacyError> {
        let deviation = self.gradient_deviation(norm)?;
        let gradient = (self.hypotheses.unit() / deviation).square();
        Ok(self.hypotheses.half_square() * (gradient + self.hypotheses.norm_charge()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    fn setting(relation: Neighbouring) -> Result<Hypotheses, Box<dyn std::error::Error>> {
        Ok(Hypotheses::check(1000, 2.0, Rho::new(0.25)?, relation)?)
    }

    #[test]
    fn a_round_costs_at_most_twice_its_repaired_charge_and_more_than_the_printed_one_below_zero()
    -> Outcome {
        let rounds = Rounds::check(setting(Neighbouring::ReplaceOne)?, 5, 0.01)?;
        for norm in [-1.0, -0.01, 0.0, 0.02, 0.05, 1.0] {
            let twice = rounds.repaired_charge(norm)? * Interval::from(2);
            assert!(!twice.certainly_lt(&rounds.cost(norm)?), "{norm}");
        }
        // The printed charge has N_t² whatever the sign of N_t.
        let twice = rounds.repaired_charge(1.0)? * Interval::from(2);
        assert!(twice.certainly_lt(&rounds.cost(-1.0)?));
        Ok(())
    }

    #[test]
    fn bad_hypotheses_are_named() -> Outcome {
        let rho = Rho::new(1.0)?;
        let check = |n, l, r| Hypotheses::check(n, l, rho, r).err();
        let zeroed = Neighbouring::ZeroOut;
        let other = "relation = add-remove must be replace-one or zero-out";
        for (error, words) in [
            (check(0, 1.0, zeroed), "n = 0 must be at least 1"),
            (check(1, 0.0, zeroed), "L_0 = 0 must be finite and > 0"),
            (check(1, 1.0, Neighbouring::AddRemove), other),
        ] {
            assert_eq!(error.map(|e| e.to_string()).as_deref(), Some(words));
        }
        let h = setting(zeroed)?;
        for (d, beta, words) in [(1, 1000.0, "n sqrt(rho)/beta = "), (0, 0.1, "d = 0 must")] {
            let error = Rounds::check(h, d, beta).err().map(|e| e.to_string());
            assert!(error.is_some_and(|e| e.starts_with(words)), "{words}");
        }
        assert!(Rounds::check(h, 1, 0.1)?.cost(f64::NAN).is_err());
        Ok(())
    }
}
