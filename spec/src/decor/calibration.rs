//! Corollary 12: how much noise a budget asks for, as checked hypotheses and enclosures.

use crate::arith::{Interval, Rational};
use crate::units::{Delta, Epsilon};
use std::fmt;

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

/// Which hypothesis does not hold, with the number at fault.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HypothesisError {
    /// ε must be > 0.
    Epsilon(f64),
    /// δ must lie in (0, 1).
    Delta(f64),
    /// ε must be at most log(1/δ).
    EpsilonTooLarge {
        /// The ε given.
        epsilon: f64,
        /// log(1/δ), rounded down.
        limit: f64,
    },
    /// At least two users must remain besides the colluders: q ≤ n − 2.
    Colluders {
        /// n.
        users: u32,
        /// q.
        colluders: u32,
    },
    /// The number of steps must be ≥ 1.
    Steps(u32),
    /// The clipping threshold must be finite and > 0.
    Clip(f64),
    /// The connectivity a_q(G) must be > 0 (G (q+1)-connected) and at most n − q.
    Connectivity(f64),
}

impl fmt::Display for HypothesisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Epsilon(x) => write!(f, "epsilon = {x} must be > 0"),
            Self::Delta(x) => write!(f, "delta = {x} must lie in (0, 1)"),
            Self::EpsilonTooLarge { epsilon, limit } => {
                write!(
                    f,
                    "epsilon = {epsilon} must be at most log(1/delta) = {limit}"
                )
            }
            Self::Colluders { users, colluders } => {
                write!(
                    f,
                    "{colluders} colluders among {users} users: at most n - 2 are allowed"
                )
            }
            Self::Steps(t) => write!(f, "number of steps = {t} must be >= 1"),
            Self::Clip(c) => write!(f, "clipping threshold = {c} must be finite and > 0"),
            Self::Connectivity(a) => {
                write!(
                    f,
                    "connectivity after deletions = {a} must be > 0 and at most n - q"
                )
            }
        }
    }
}

impl std::error::Error for HypothesisError {}

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
    ) -> Result<Self, HypothesisError> {
        let (epsilon, delta) = (epsilon.get(), delta.get());
        if epsilon <= 0.0 {
            return Err(HypothesisError::Epsilon(epsilon));
        }
        if delta <= 0.0 || delta >= 1.0 {
            return Err(HypothesisError::Delta(delta));
        }
        let limit = log_inverse(delta).lo_f64();
        if epsilon > limit {
            return Err(HypothesisError::EpsilonTooLarge { epsilon, limit });
        }
        if users < 2 || colluders > users - 2 {
            return Err(HypothesisError::Colluders { users, colluders });
        }
        if steps == 0 {
            return Err(HypothesisError::Steps(steps));
        }
        if !(clip.is_finite() && clip > 0.0) {
            return Err(HypothesisError::Clip(clip));
        }
        if !(connectivity > 0.0 && connectivity <= f64::from(users - colluders)) {
            return Err(HypothesisError::Connectivity(connectivity));
        }
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
