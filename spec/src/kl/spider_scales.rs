//! The schedule of Algorithm 1 with its noise scales as enclosures, with checked hypotheses.

use crate::arith::{Interval, Rational, ratio};
use crate::privacy::error::{PrivacyError, require};
use crate::units::Rho;

/// The public inputs of Algorithm 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inputs {
    /// Budget ρ of zCDP.
    pub rho: Rho,
    /// Failure probability β.
    pub beta: f64,
    /// Number of samples n.
    pub samples: u64,
    /// Dimension d.
    pub dimension: u64,
    /// KL constant γ.
    pub gamma: f64,
    /// KL exponent κ.
    pub kappa: f64,
    /// Lipschitz constant L₀ of every sample's loss.
    pub lipschitz: f64,
    /// Smoothness constant L₁ of every sample's loss.
    pub smoothness: f64,
    /// Bound F₀ on the excess risk of the starting point.
    pub loss_bound: f64,
}

/// As printed (`kl-alg-1`, `kl-thm-1-priv`: refuted) or repaired (`kl-alg-1-repaired`, `kl-thm-1-repaired`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Real K in all formulas, ⌊K⌋ rounds.
    Printed,
    /// ⌈K⌉ in all its uses, noise times 3/2, 48 for 32 in line 6; no round if F₀ is below the target already.
    Repaired,
}

/// The checked inputs of Algorithm 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypotheses(Inputs);

/// What is known of a run before it touches data.
#[derive(Clone, Debug)]
pub struct SpiderSchedule {
    /// Number of rounds.
    pub rounds: u64,
    /// σ̂: standard deviation per coordinate of the first gradient of a round, in units of L₀.
    pub start_scale: Interval,
    start: Interval,
    floor: Interval,
    shrink: Interval,
    root: Interval,
    scale: Interval,
    step: Interval,
    power: Interval,
    gamma: Interval,
}

/// One round of the schedule.
#[derive(Clone, Debug)]
pub struct SpiderRound {
    /// Target Φ̂_k, in the units of F.
    pub target: Interval,
    /// T_k, without unit: the loop makes at most ⌊T_k⌋ + 1 passes.
    pub length: Interval,
    /// σ_k: standard deviation per coordinate of a gradient difference, in units of L₀.
    pub scale: Interval,
    /// Length of every step, Φ̂_k^{1/κ}/(4γL₁).
    pub step: Interval,
    /// The norm test passes at (7/8)Φ̂_k^{1/κ}/γ or more.
    pub threshold: Interval,
}

fn whole(count: u64) -> Interval {
    Interval::from_rational(&Rational::from(count))
}

impl Hypotheses {
    /// Checks the inputs.
    ///
    /// # Errors
    /// Names the first that is out of range.
    pub fn check(inputs: Inputs) -> Result<Self, PrivacyError> {
        let positive = [
            ("rho", inputs.rho.get()),
            ("gamma", inputs.gamma),
            ("L_0", inputs.lipschitz),
            ("L_1", inputs.smoothness),
            ("F_0", inputs.loss_bound),
        ];
        for (name, x) in positive {
            require(x.is_finite() && x > 0.0, name, &x, "must be finite and > 0")?;
        }
        for (name, count) in [("n", inputs.samples), ("d", inputs.dimension)] {
            require(count > 0, name, &count, "must be at least 1")?;
        }
        let (kappa, beta) = (inputs.kappa, inputs.beta);
        require(
            (1.0..=2.0).contains(&kappa),
            "kappa",
            &kappa,
            "must lie in [1, 2]",
        )?;
        require(
            beta > 0.0 && beta < 1.0,
            "beta",
            &beta,
            "must lie in (0, 1)",
        )?;
        let product = Interval::from_f64(inputs.gamma) * Interval::from_f64(inputs.lipschitz);
        let most = product.pow(&Interval::from_f64(inputs.kappa));
        let above = most.certainly_lt(&Interval::from_f64(inputs.loss_bound));
        let rule = "must be at most (gamma L_0)^kappa";
        require(!above, "F_0", &inputs.loss_bound, rule)?;
        Ok(Self(inputs))
    }

    /// L₀/(n√ρ).
    fn unit(&self) -> Interval {
        let rho = Interval::from_f64(self.0.rho.get());
        Interval::from_f64(self.0.lipschitz) / (whole(self.0.samples) * rho.sqrt())
    }

    fn kappa(&self) -> Interval {
        Interval::from_f64(self.0.kappa)
    }

    /// The root F₀^{1/κ} over γL₀√d/(n√ρ): above 1 exactly when F₀ is above the target.
    fn above_target(&self) -> Interval {
        let inverse = Interval::from(1) / self.kappa();
        let root = Interval::from_f64(self.0.loss_bound).pow(&inverse);
        let gamma = Interval::from_f64(self.0.gamma);
        root / (gamma * self.unit() * whole(self.0.dimension).sqrt())
    }

    /// γ²L₁F₀^{(κ−2)/κ}.
    fn condition(&self) -> Interval {
        let exponent = Interval::from(1) - Interval::from(2) / self.kappa();
        let power = Interval::from_f64(self.0.loss_bound).pow(&exponent);
        Interval::from_f64(self.0.gamma).square() * Interval::from_f64(self.0.smoothness) * power
    }

    /// K of line 3, a real number, ≤ 0 when F₀ is at most the target (γL₀√d/(n√ρ))^κ.
    #[must_use]
    pub fn printed_rounds(&self) -> Interval {
        let bracket = self.kappa() * self.above_target().ln();
        (Interval::from(1) + Interval::from(64) * self.condition()) * bracket
    }

    /// The schedule. Where the enclosure of K holds an integer, ⌈K⌉ is taken of its upper end, which all repaired
    /// claims allow.
    ///
    /// # Errors
    /// If a printed quantity is undefined, or the rounds are too many.
    pub fn schedule(&self, variant: Variant) -> Result<SpiderSchedule, PrivacyError> {
        let printed = self.printed_rounds();
        let most = printed.hi_f64();
        require(
            most < 9.0e15,
            "rounds",
            &most,
            "must be few enough to count",
        )?;
        if variant == Variant::Printed {
            require(printed.lo_f64() > 0.0, "K", &most, "must be > 0 as printed")?;
        }
        let (count, rounds, noise, constant) = match variant {
            Variant::Printed => (printed.lo_f64().floor() as u64, printed, ratio(1, 1), 32),
            Variant::Repaired => {
                let count = printed.hi_f64().max(0.0).ceil() as u64;
                (count, whole(count.max(1)), ratio(3, 2), 48)
            }
        };
        let spread = rounds.sqrt();
        let log = self.log(&rounds, &spread)?;
        let noise = Interval::from_rational(&noise) * self.unit() * &spread;
        let gamma = Interval::from_f64(self.0.gamma);
        let start = Interval::from_f64(self.0.loss_bound);
        let dimension = whole(self.0.dimension);
        let floor =
            Interval::from(constant) * &gamma * self.unit() * &spread * (dimension * log).sqrt();
        let lipschitz = Interval::from_f64(self.0.lipschitz);
        let step = Interval::from(4) * &gamma * Interval::from_f64(self.0.smoothness);
        Ok(SpiderSchedule {
            rounds: count,
            scale: &noise / &(&gamma * &lipschitz),
            start_scale: noise,
            floor: floor.pow(&self.kappa()).min(&start),
            shrink: Interval::from(1) + Interval::from(1) / (Interval::from(64) * self.condition()),
            start,
            root: Interval::from(1) / self.kappa(),
            power: (Interval::from(2) - self.kappa()) / self.kappa(),
            step: Interval::from(1) / step,
            gamma,
        })
    }

    /// log(1/β′), β′ = (β/K)q^{2−κ} with 1/q = `above_target`/√K.
    fn log(&self, rounds: &Interval, spread: &Interval) -> Result<Interval, PrivacyError> {
        let q = spread / &self.above_target();
        let exponent = Interval::from(2) - self.kappa();
        let failure = Interval::from_f64(self.0.beta) / rounds * q.pow(&exponent);
        let log = -failure.ln();
        // Without a round there is no use of it.
        let fits = log.lo_f64() > 0.0 || self.printed_rounds().hi_f64() <= 0.0;
        require(
            fits,
            "log(1/beta')",
            &log.hi_f64(),
            "must be > 0 as printed",
        )?;
        Ok(log.max(&Interval::from(0)))
    }
}

impl SpiderSchedule {
    /// The rounds k = 1, 2, …, as many as there are.
    pub fn iter(&self) -> impl Iterator<Item = SpiderRound> + '_ {
        let next = |previous: &Interval| (previous / &self.shrink).max(&self.floor);
        let first = next(&self.start);
        let targets = std::iter::successors(Some(first), move |t| Some(next(t)));
        (0..self.rounds)
            .zip(targets)
            .map(|(_, target)| self.round(target))
    }

    fn round(&self, target: Interval) -> SpiderRound {
        let root = target.pow(&self.root);
        let length = (&self.start / &target).pow(&self.power);
        let step = &root * &self.step;
        SpiderRound {
            scale: &root * &self.scale * length.sqrt(),
            threshold: Interval::from_rational(&ratio(7, 8)) * &root / self.gamma.clone(),
            length,
            step,
            target,
        }
    }
}
