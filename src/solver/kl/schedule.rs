//! The schedule of Algorithm 1: everything that is public before the first gradient.

use super::Variant;
use super::rules::MARGIN;
use crate::units::{OutOfDomain, Rho, fraction, positive};

/// The public inputs of Algorithm 1.
///
/// ```
/// use dp_assay::solver::kl::{Spider, Variant};
/// use dp_assay::units::Rho;
///
/// let inputs = Spider {
///     beta: 0.1, gamma: 0.5f64.sqrt(), kappa: 2.0, lipschitz: 5.0, smoothness: 1.0, loss_bound: 2.0,
/// };
/// let schedule = inputs.schedule(Variant::Repaired, Rho::new(1.0)?, 1000, 2)?; // n = 1000, d = 2
/// assert_eq!(schedule.iter().count() as u64, schedule.rounds);
/// assert!(schedule.iter().all(|round| round.target <= 2.0 && round.length >= 1.0));
/// assert!(schedule.gradients_upper() >= schedule.rounds as f64);
/// assert_eq!(schedule.target(), 2.0); // F₀: for so few records nothing is promised
/// let many = inputs.schedule(Variant::Repaired, Rho::new(1.0)?, 1_000_000, 2)?;
/// assert!(many.target() < 0.01);
/// let printed = inputs.schedule(Variant::Printed, Rho::new(1.0)?, 1000, 2)?;
/// assert!(printed.start_deviation < schedule.start_deviation);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spider {
    /// β in (0, 1).
    pub beta: f64,
    /// γ > 0.
    pub gamma: f64,
    /// κ in \[1, 2\].
    pub kappa: f64,
    /// L₀ > 0, the Lipschitz constant of every record's loss.
    pub lipschitz: f64,
    /// L₁ > 0, the smoothness constant of every record's loss.
    pub smoothness: f64,
    /// F₀ in (0, (γL₀)^κ\], a bound on the excess risk of the start.
    pub loss_bound: f64,
}

/// Why there is no schedule.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ScheduleError {
    /// A number outside its domain.
    #[error(transparent)]
    Value(#[from] OutOfDomain),
    /// F₀ above (γL₀)^κ.
    #[error("F_0 = {value} must be at most (gamma L_0)^kappa = {most}")]
    LossBound {
        /// F₀.
        value: f64,
        /// (γL₀)^κ.
        most: f64,
    },
    /// A printed quantity without a value.
    #[error("{what} = {value} must be > 0 as printed: F_0 is below the target of the algorithm")]
    Undefined {
        /// K or log(1/β′).
        what: &'static str,
        /// Its value.
        value: f64,
    },
}

/// The schedule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// Number of rounds.
    pub rounds: u64,
    /// σ̂, deviation of the first gradient of a round.
    pub start_deviation: f64,
    inputs: Spider,
    unit: f64,
    spread: f64,
    floor: f64,
    shrink: f64,
    factor: f64,
}

/// One round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    /// Φ̂_k.
    pub target: f64,
    /// T_k, a real number ≥ 1.
    pub length: f64,
    /// σ_k, deviation of a difference.
    pub deviation: f64,
    /// ‖w_{k,t+1} − w_{k,t}‖ = Φ̂_k^{1/κ}/(4γL₁).
    pub step: f64,
    /// (7/8)Φ̂_k^{1/κ}/γ: the loop goes on while the noisy norm is at least this.
    pub threshold: f64,
}

impl Spider {
    /// The schedule for n records in d dimensions, ρ-zCDP.
    ///
    /// Printed: real K in all formulas, ⌊K⌋ rounds (`kl-alg-1`). Repaired: ⌈K⌉ in all its uses, noise times 3/2, 48
    /// for 32 in line 6, and no round where F₀ is below the target already (`kl-alg-1-repaired`,
    /// `kl-thm-1-repaired`).
    ///
    /// # Errors
    /// Names the first input outside its domain, or the printed quantity without a value.
    pub fn schedule(
        &self,
        variant: Variant,
        rho: Rho,
        records: usize,
        dimension: usize,
    ) -> Result<Schedule, ScheduleError> {
        self.check(rho)?;
        let (n, d) = (records as f64, dimension as f64);
        let Self {
            beta,
            gamma,
            kappa,
            lipschitz,
            smoothness,
            loss_bound,
        } = *self;
        let unit = lipschitz / (n * rho.get().sqrt());
        let condition = gamma * gamma * smoothness * loss_bound.powf(1.0 - 2.0 / kappa);
        // F₀^{1/κ} over γL₀√d/(n√ρ).
        let above = loss_bound.powf(1.0 / kappa) / (gamma * unit * d.sqrt());
        let printed = (1.0 + 64.0 * condition) * kappa * above.ln();
        let (rounds, real, factor, constant) = match variant {
            Variant::Printed if printed <= 0.0 => {
                let (what, value) = ("K", printed);
                return Err(ScheduleError::Undefined { what, value });
            }
            Variant::Printed => (printed.floor(), printed, 1.0, 32.0),
            Variant::Repaired => {
                let rounds = printed.max(0.0).ceil();
                (rounds, rounds.max(1.0), 1.5 * MARGIN, 48.0)
            }
        };
        let spread = real.sqrt();
        let failure = beta / real * (spread / above).powf(2.0 - kappa);
        let log = -failure.ln();
        if printed > 0.0 && (log.is_nan() || log <= 0.0) {
            let (what, value) = ("log(1/beta')", log);
            return Err(ScheduleError::Undefined { what, value });
        }
        let width = constant * gamma * unit * spread * (d * log.max(0.0)).sqrt();
        Ok(Schedule {
            rounds: rounds as u64,
            start_deviation: factor * unit * spread,
            inputs: *self,
            unit,
            spread,
            floor: width.powf(kappa).min(loss_bound),
            shrink: 1.0 + 1.0 / (64.0 * condition),
            factor,
        })
    }

    fn check(&self, rho: Rho) -> Result<(), ScheduleError> {
        for (name, value) in [
            ("rho", rho.get()),
            ("gamma", self.gamma),
            ("L_0", self.lipschitz),
            ("L_1", self.smoothness),
            ("F_0", self.loss_bound),
        ] {
            positive(name, value)?;
        }
        let fits = (1.0..=2.0).contains(&self.kappa);
        OutOfDomain::unless(fits, "kappa", self.kappa, "in [1, 2]")?;
        fraction("beta", self.beta)?;
        let most = (self.gamma * self.lipschitz).powf(self.kappa);
        // Equality is allowed, and met by test functions: leave room for the rounding of the power.
        if self.loss_bound > most * (1.0 + 1e-12) {
            let value = self.loss_bound;
            return Err(ScheduleError::LossBound { value, most });
        }
        Ok(())
    }
}

impl Schedule {
    /// The last target, which is the bound of `kl-thm-1-corrected` on the excess risk, (48γL₀√(dK log(1/β′))/(n√ρ))^κ with K rounded
    /// up (as printed 32, and K as it is), or F₀ where that is less: the run then promises nothing.
    #[must_use]
    pub const fn target(&self) -> f64 {
        self.floor
    }

    /// Releases of a run of all rounds at most: 1 + ⌊T_k⌋ + 1 in round k. Where there are more than 10⁶ rounds, as if
    /// every one had the length of the last, which is the longest.
    #[must_use]
    pub fn gradients_upper(&self) -> f64 {
        let of = |length: f64| length.floor() + 2.0;
        if self.rounds <= 1_000_000 {
            return self.iter().map(|round| of(round.length)).sum();
        }
        self.rounds as f64 * of(self.round(self.floor).length)
    }

    /// The rounds k = 1, 2, …
    pub fn iter(&self) -> impl Iterator<Item = Round> + '_ {
        let next = |previous: f64| (previous / self.shrink).max(self.floor);
        let targets =
            std::iter::successors(Some(next(self.inputs.loss_bound)), move |t| Some(next(*t)));
        (0..self.rounds).zip(targets).map(|(_, t)| self.round(t))
    }

    fn round(&self, target: f64) -> Round {
        let Spider {
            gamma,
            kappa,
            smoothness,
            loss_bound,
            ..
        } = self.inputs;
        let root = target.powf(1.0 / kappa);
        let length = (loss_bound / target).powf((2.0 - kappa) / kappa);
        // L₀/(n√ρ) cancels against the L₀ that σ_k does not have.
        let per_unit = self.unit / self.inputs.lipschitz;
        Round {
            target,
            length,
            deviation: self.factor * root * length.sqrt() * self.spread * per_unit / gamma,
            step: root / (4.0 * gamma * smoothness),
            threshold: 0.875 * root / gamma,
        }
    }
}
