//! Corollary 12: how much noise a budget asks for, as checked hypotheses and enclosures.

use crate::arith::{Interval, Rational};
use crate::privacy::error::{PrivacyError, require};
use crate::units::{Delta, Epsilon};

/// The hypotheses of the privacy part of Corollary 12, checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypotheses {
    epsilon: f64,
    delta: f64,
    users: u32,
    colluders: u32,
    steps: u32,
    clip: f64,
    connectivity: f64,
}

/// Noise variances per coordinate, in squared units of the gradient.
#[derive(Clone, Debug, PartialEq)]
pub struct Variances {
    /// σ_cdp², of each user's own noise.
    pub uncorrelated: Interval,
    /// σ_cor², of the noise shared by each pair of neighbours.
    pub correlated: Interval,
}

impl Hypotheses {
    /// Checks the hypotheses. `connectivity` is a lower bound of a_q(G), the least algebraic
    /// connectivity after the deletion of q = `colluders` vertices: a smaller value gives more noise.
    ///
    /// # Errors
    /// The first hypothesis that does not hold.
    pub fn check(
        epsilon: Epsilon,
        delta: Delta,
        (users, colluders): (u32, u32),
        steps: u32,
        clip: f64,
        connectivity: f64,
    ) -> Result<Self, PrivacyError> {
        let (epsilon, delta) = (epsilon.get(), delta.get());
        require(epsilon > 0.0, "epsilon", &epsilon, "must be > 0")?;
        let inside = delta > 0.0 && delta < 1.0;
        require(inside, "delta", &delta, "must lie in (0, 1)")?;
        let small = epsilon <= log_inverse(delta).lo_f64();
        require(small, "epsilon", &epsilon, "must be at most log(1/delta)")?;
        let remain = users >= 2 && colluders <= users - 2;
        require(remain, "colluders", &colluders, "must be at most n - 2")?;
        require(steps > 0, "number of steps", &steps, "must be >= 1")?;
        let finite = clip.is_finite() && clip > 0.0;
        require(
            finite,
            "clipping threshold",
            &clip,
            "must be finite and > 0",
        )?;
        let within = connectivity > 0.0 && connectivity <= f64::from(users - colluders);
        let rule = "must be > 0 and at most n - q";
        require(within, "connectivity after deletions", &connectivity, rule)?;
        Ok(Self {
            epsilon,
            delta,
            users,
            colluders,
            steps,
            clip,
            connectivity,
        })
    }

    /// The printed calibration: 32 C²T log(1/δ)/ε² over n − q and over a_q (`decor-cor-12-priv`).
    #[must_use]
    pub fn printed(&self) -> Variances {
        self.variances(&Interval::from(32))
    }

    /// The smallest constant in place of 32 that serves all graphs and budgets, 12 + 8√2
    /// (`decor-cor-12-priv-tight`): about 27 % less variance than printed.
    #[must_use]
    pub fn tight(&self) -> Variances {
        self.variances(&tight_constant())
    }

    fn variances(&self, constant: &Interval) -> Variances {
        let clip = Interval::from_f64(self.clip).square();
        let steps = Interval::from(i64::from(self.steps));
        let budget = log_inverse(self.delta) / Interval::from_f64(self.epsilon).square();
        let common = constant * &clip * steps * budget;
        let left = Interval::from(i64::from(self.users - self.colluders));
        Variances {
            uncorrelated: &common / &left,
            correlated: &common / &Interval::from_f64(self.connectivity),
        }
    }
}

/// An enclosure of 12 + 8√2.
#[must_use]
pub fn tight_constant() -> Interval {
    Interval::from(12) + Interval::from(8) * Interval::from(2).sqrt()
}

/// The δ at ε of the Gaussian mechanism whose two means are μ standard deviations apart:
/// Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ).
#[must_use]
pub fn gaussian_delta(mu: &Interval, epsilon: &Interval) -> Interval {
    let half = mu * &Interval::from_rational(&Rational::from((1, 2)));
    let ratio = epsilon / mu;
    (&half - &ratio).phi() - epsilon.exp() * (-(&half + &ratio)).phi()
}

fn log_inverse(delta: f64) -> Interval {
    -Interval::from_f64(delta).ln()
}
