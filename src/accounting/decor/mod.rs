//! The accountant of DECOR: privacy of decentralised learning with noise that cancels between
//! neighbours, against an eavesdropper, a curious user, colluders, or everybody else.
//!
//! One step adds σ_cdp-noise of each user's own and σ_cor-noise shared by the pairs of neighbours. The
//! group I of colluders subtracts what it knows; what is left on the honest users H has the covariance
//! Σ_H = σ_cdp² I + σ_cor² L(G_H), and another data set of user i ∈ H moves the mean by 2C along eᵢ at
//! most (`decor-fact-sens`: replacement of all the user's data, n fixed). So one step is
//! (α, αs)-SecRDP with the slope s = 2C² max_i \[Σ_H⁻¹\]_ii (`decor-thm-6-num`), and T adaptive steps
//! are exactly as private as a Gaussian mechanism with μ² = 2Ts (`decor-drv-2`). Colluders' own data
//! are not covered (`decor-thm-6-reading-all`).
//!
//! | module | what is in it |
//! |---|---|
//! | [`mod@reference`] | Algorithms 2 and 3 as printed |
//! | [`optimized`] | the same number for ten thousand users |
//! | [`elimination`], [`ordering`], [`conjugate`], [`deletion`] | its parts, each with its error bound |
//! | [`privacy`] | composition over the steps, (ε, δ), sampled batches |
//! | [`search`] | noise for a budget, and all the pairs that meet it |

pub mod conjugate;
pub mod deletion;
mod diagonal;
pub mod elimination;
#[cfg(test)]
mod graphs;
pub mod optimized;
pub mod ordering;
pub mod privacy;
pub mod reference;
pub mod search;

use super::AccountError;
use crate::float::Enclosure;
use crate::graph::GraphError;
use crate::units::{StdDev, UnitError};
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// An accounting question about DECOR that has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DecorError {
    /// As many colluders as users, or more.
    #[error("{colluders} colluders among {users} users: at least one user must be left")]
    Colluders {
        /// q.
        colluders: usize,
        /// n.
        users: usize,
    },
    /// A noise scale or clipping threshold outside its domain.
    #[error("{name} = {value} {rule}")]
    Parameter {
        /// The parameter.
        name: &'static str,
        /// The value offered.
        value: f64,
        /// The rule it breaks.
        rule: &'static str,
    },
    /// A description that is no adversary.
    #[error("adversary `{0}` is not one of eavesdropper, curious, collude:Q, ldp")]
    Adversary(String),
    /// The graph.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A unit.
    #[error(transparent)]
    Unit(#[from] UnitError),
    /// The accountants below.
    #[error(transparent)]
    Account(#[from] AccountError),
}

/// The noise of one step, per coordinate, in the units of the gradient: standard deviations, which
/// the paper's algorithms call variances and square.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Noise {
    sigma_cdp: f64,
    sigma_cor: f64,
    clip: f64,
}

/// Largest ratio of the variances that is accounted for.
const RATIO_MAX: f64 = 1e100;

impl Noise {
    /// σ_cdp > 0 of each user's own noise, σ_cor ≥ 0 of the noise shared by a pair, and the clipping
    /// threshold C > 0 (ℓ₂).
    ///
    /// ```
    /// use dp_assay::accounting::decor::Noise;
    ///
    /// // σ_cdp, σ_cor and C, in the units of the gradient.
    /// let noise = Noise::new(0.5, 2.0, 1.0)?;
    /// assert_eq!((noise.cdp(), noise.cor(), noise.clip()), (0.5, 2.0, 1.0));
    /// // Shared noise alone cancels in the sum.
    /// assert!(Noise::new(0.0, 2.0, 1.0).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A value outside its domain; σ_cdp = 0 leaves the sum of all users without noise.
    pub fn new(sigma_cdp: f64, sigma_cor: f64, clip: f64) -> Result<Self, DecorError> {
        let check = |ok: bool, name, value, rule| match ok {
            true => Ok(()),
            false => Err(DecorError::Parameter { name, value, rule }),
        };
        let plain = |x: f64| (1e-100..=1e100).contains(&x);
        let rule = "must lie in [1e-100, 1e100]: without it the users' sum has no noise";
        check(plain(sigma_cdp), "sigma-cdp", sigma_cdp, rule)?;
        let rule = "must be 0 or lie in [1e-100, 1e100]";
        let none = sigma_cor == 0.0;
        check(none || plain(sigma_cor), "sigma-cor", sigma_cor, rule)?;
        check(plain(clip), "clip", clip, "must lie in [1e-100, 1e100]")?;
        Ok(Self {
            sigma_cdp,
            sigma_cor,
            clip,
        })
    }

    /// σ_cdp, the standard deviation of each user's own noise.
    #[must_use]
    pub const fn cdp(&self) -> f64 {
        self.sigma_cdp
    }

    /// σ_cor, the standard deviation of the noise that two neighbours share with opposite signs.
    #[must_use]
    pub const fn cor(&self) -> f64 {
        self.sigma_cor
    }

    /// The clipping threshold C, the largest norm of a gradient.
    #[must_use]
    pub const fn clip(&self) -> f64 {
        self.clip
    }

    /// σ_cdp as a unit.
    ///
    /// # Errors
    /// None that [`Self::new`] lets through.
    pub fn sigma_cdp(&self) -> Result<StdDev, UnitError> {
        StdDev::new(self.sigma_cdp)
    }

    /// Encloses ρ = σ_cor²/σ_cdp².
    fn ratio(&self) -> Result<Enclosure, DecorError> {
        let rho = (Enclosure::point(self.sigma_cor) / self.sigma_cdp).square();
        if self.sigma_cor == 0.0 {
            return Ok(Enclosure::point(0.0));
        }
        if rho.hi > RATIO_MAX {
            return Err(DecorError::Parameter {
                name: "sigma-cor² / sigma-cdp²",
                value: rho.hi,
                rule: "must be at most 1e100",
            });
        }
        Ok(rho)
    }
}

/// Who must not learn about a user's data. All see every message; they differ in the shared secrets
/// that they know.
///
/// ```
/// use dp_assay::accounting::decor::Adversary;
///
/// let adversary: Adversary = "collude:3".parse()?;
/// assert_eq!(adversary, Adversary::Colluding(3));
/// assert_eq!(Adversary::Ldp.colluders(10)?, 9);
/// // Somebody must be left to protect.
/// assert!(adversary.colluders(3).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adversary {
    /// I: no secret.
    Eavesdropper,
    /// II: one user, any one, with the secrets that it shares with its neighbours.
    Curious,
    /// III: any q users together.
    Colluding(usize),
    /// IV: all secrets, as in local differential privacy.
    Ldp,
}

impl Adversary {
    /// The number q of colluders that it amounts to among n users.
    ///
    /// # Errors
    /// q ≥ n.
    pub fn colluders(self, users: usize) -> Result<usize, DecorError> {
        let colluders = match self {
            Self::Eavesdropper => 0,
            Self::Curious => 1,
            Self::Colluding(q) => q,
            Self::Ldp => users.saturating_sub(1),
        };
        if colluders < users {
            Ok(colluders)
        } else {
            Err(DecorError::Colluders { colluders, users })
        }
    }
}

impl fmt::Display for Adversary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Eavesdropper => f.write_str("eavesdropper"),
            Self::Curious => f.write_str("curious"),
            Self::Colluding(q) => write!(f, "collude:{q}"),
            Self::Ldp => f.write_str("ldp"),
        }
    }
}

impl FromStr for Adversary {
    type Err = DecorError;
    fn from_str(text: &str) -> Result<Self, DecorError> {
        let unknown = || DecorError::Adversary(text.to_owned());
        match text {
            "eavesdropper" => Ok(Self::Eavesdropper),
            "curious" => Ok(Self::Curious),
            "ldp" => Ok(Self::Ldp),
            _ => {
                let q = text.strip_prefix("collude:").ok_or_else(unknown)?;
                Ok(Self::Colluding(q.parse().map_err(|_| unknown())?))
            }
        }
    }
}

/// What a slope rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// Every group of colluders is accounted for: the upper end is the slope but for rounding.
    Exact,
    /// The upper end is the bound of Theorem 6; the slope may be far below it.
    #[serde(rename = "theorem-6")]
    Theorem6,
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exact => "all groups accounted for",
            Self::Theorem6 => "upper end by Theorem 6",
        })
    }
}

/// The slope of one step, enclosed: the step is (α, αs)-SecRDP for every α > 1, with no smaller s.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Slope {
    /// Lower end.
    pub lower: f64,
    /// Upper end: the safe one.
    pub upper: f64,
    /// Number q of colluders.
    pub colluders: usize,
    /// What the upper end rests on.
    pub basis: Basis,
}

/// A number in (0, 1] between two bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EntryBounds {
    /// Lower bound.
    pub lower: f64,
    /// Upper bound.
    pub upper: f64,
}

impl EntryBounds {
    /// The largest of no numbers.
    pub const NONE: Self = Self {
        lower: 0.0,
        upper: 0.0,
    };

    /// Bounds of a diagonal entry of (I + ρL)⁻¹, which is at most 1 (`decor-drv-1`).
    #[must_use]
    pub fn new(lower: f64, upper: f64) -> Self {
        Self {
            lower: lower.clamp(0.0, 1.0),
            upper: if upper <= 1.0 { upper } else { 1.0 },
        }
    }

    /// The bounds of the larger of two numbers.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            lower: self.lower.max(other.lower),
            upper: self.upper.max(other.upper),
        }
    }
}
