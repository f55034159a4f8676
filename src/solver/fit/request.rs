//! What may be asked of a fit, and what is taken where nothing was asked.

use crate::accounting::decor::Adversary;
use crate::problem::Weights;
use crate::problem::loss::LossName;
use crate::units::{Delta, Epsilon, Neighbouring};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What to fit, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Request {
    /// The method.
    pub method: Method,
    /// The loss.
    pub loss: LossName,
    /// ν of (ν/2)‖w‖² in f.
    pub ridge: f64,
    /// Weight of ‖w‖₁; 0 for none.
    pub l1: f64,
    /// ε.
    #[cfg_attr(feature = "cli", schemars(with = "f64"))]
    pub epsilon: Epsilon,
    /// δ.
    #[cfg_attr(feature = "cli", schemars(with = "f64"))]
    pub delta: Delta,
    /// When two data sets are neighbours.
    #[cfg_attr(feature = "cli", schemars(with = "String"))]
    pub neighbours: Neighbouring,
    /// Clipping level C: the radius for a whole gradient. A set U of coordinates gets its share,
    /// C √(Σ_{j∈U} M_j / Tr(M)).
    pub clip: f64,
    /// B: features are moved into \[−B, B\].
    pub bound: f64,
    /// Whether there is an intercept.
    #[serde(default)]
    pub intercept: bool,
    /// The public range (lower, upper) of every feature, p pairs: features are moved into it and then into \[−1, 1\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranges: Option<Vec<(f64, f64)>>,
    /// The public range of the targets, which are moved into it and then into \[−1, 1\]; the model speaks their units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_range: Option<(f64, f64)>,
    /// The part of μ², in Gaussian differential privacy, that a private centre of the features gets; 0 for none.
    #[serde(default)]
    pub centre: f64,
    /// The part of μ² that private ranges of features and targets get ([`super::Bounds`]); 0 for none. A result then has the
    /// ranges that were released in `ranges` and `target_range`.
    #[serde(default)]
    pub bounds: f64,
    /// The most features of a record that are not 0, where it is publicly known ([`super::Facts::nonzeros`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nonzeros: Option<usize>,
    /// Number of candidates among which settings are chosen privately ([`super::Tuning`]); 0 for no choice.
    #[serde(default)]
    pub tune: usize,
    /// What is done to the columns before.
    pub scaling: Scaling,
    /// Where M_j comes from.
    pub smoothness: Smoothness,
    /// The part of ε and δ that a private estimate of M_j gets.
    pub share: f64,
    /// The word of the caller that what is computed from the data by `scaling` and `smoothness` is public.
    pub public: bool,
    /// How often every partial derivative is looked at, on average.
    pub passes: f64,
    /// T, the number of averages of DP-SkGD, DP-CD and gradient descent.
    pub rounds: usize,
    /// Factor on the default step sizes.
    pub step: f64,
    /// How DP-SkGD draws sets.
    pub sampling: SamplingName,
    /// How DP-SGD draws batches.
    pub batch: BatchName,
    /// DP-SGD: the (expected) part of the records in a batch; DP-AMBSSGD: the part in a block.
    pub rate: f64,
    /// How the noise follows from the budget.
    pub calibration: CalibrationName,
    /// Where lengths, steps and noise come from.
    #[serde(default)]
    pub schedule: ScheduleName,
    /// The word of the caller that the records are those of a linear model, x ~ N(0, I) and y = ⟨x, w*⟩ + z with z ~ N(0, σ²),
    /// independent, with bounds on ‖w*‖ and σ: what the theorems on linear regression in one pass are about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal: Option<(f64, f64)>,
    /// The seed of the noise tape.
    pub seed: u64,
    /// Whether to compare with the non-private optimum, which is **not private**.
    pub compare: bool,
    /// What DECOR needs besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decentralised: Option<Decentralised>,
}

impl Request {
    /// The defaults for a method, a loss and a budget.
    ///
    /// ```
    /// use dp_assay::prelude::*;
    /// use dp_assay::solver::fit::{FitError, Method, SamplingName, Smoothness};
    ///
    /// let budget = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
    /// let request = Request {
    ///     sampling: SamplingName::Blocks(5),
    ///     smoothness: Smoothness::Data,
    ///     ..Request::new(Method::Skgd, LossName::Logistic, budget)
    /// };
    /// // Looking at the data needs the caller's word that the result is public.
    /// let refused = |request: &Request| matches!(fit(Dataset::breast_cancer(), request), Err(FitError::NotPublic(_)));
    /// assert!(refused(&request));
    /// assert!(!refused(&Request { public: true, ..request }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(method: Method, loss: LossName, (epsilon, delta): (Epsilon, Delta)) -> Self {
        Self {
            method,
            loss,
            ridge: 0.0,
            l1: 0.0,
            epsilon,
            delta,
            neighbours: method.default_neighbours(),
            clip: 1.0,
            bound: 1.0,
            intercept: false,
            ranges: None,
            target_range: None,
            centre: 0.0,
            bounds: 0.0,
            nonzeros: None,
            tune: 0,
            scaling: Scaling::None,
            smoothness: Smoothness::Bound,
            share: 0.1,
            public: false,
            passes: method.default_passes(),
            rounds: 1,
            step: 1.0,
            sampling: SamplingName::Uniform,
            batch: BatchName::Poisson,
            rate: 0.1,
            calibration: CalibrationName::Default,
            schedule: ScheduleName::Practical,
            normal: None,
            seed: 0,
            compare: false,
            decentralised: None,
        }
    }

    /// The largest modulus of a feature as a solver sees it: B, or 2B about a private centre.
    pub(super) fn reach(&self) -> f64 {
        if self.centre > 0.0 {
            2.0 * self.bound
        } else {
            self.bound
        }
    }
}

/// The methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// DP-SkGD.
    Skgd,
    /// DP-CD.
    DpCd,
    /// DP-SGD.
    DpSgd,
    /// Noisy full gradient descent.
    Gd,
    /// DP-GCD.
    Gcd,
    /// DP-AMBSSGD: linear regression in one pass, with private clipping norms.
    Ambssgd,
    /// DP-SSGD: linear regression in one shuffled pass.
    Ssgd,
    /// AdaSSP: linear regression from noisy sufficient statistics.
    Adassp,
    /// DECOR: records dealt out among users who exchange noisy models.
    Decor,
}

impl Method {
    /// The spelling in flags and results.
    ///
    /// ```
    /// use dp_assay::solver::fit::Method;
    /// use dp_assay::units::Neighbouring;
    ///
    /// assert_eq!(Method::DpSgd.name(), "dp-sgd");
    /// assert!(Method::Gcd.default_passes() >= 1.0);
    /// assert_eq!(Method::Decor.default_neighbours(), Neighbouring::User);
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Skgd => "skgd",
            Self::DpCd => "dp-cd",
            Self::DpSgd => "dp-sgd",
            Self::Gd => "gd",
            Self::Gcd => "gcd",
            Self::Ambssgd => "ambssgd",
            Self::Ssgd => "ssgd",
            Self::Adassp => "adassp",
            Self::Decor => "decor",
        }
    }

    /// Passes over the partial derivatives unless told otherwise: few, since every one costs noise. A
    /// greedy step looks at all of them.
    #[must_use]
    pub const fn default_passes(self) -> f64 {
        match self {
            Self::Skgd | Self::DpCd => 5.0,
            Self::DpSgd | Self::Gd => 20.0,
            Self::Gcd => 10.0,
            Self::Ambssgd | Self::Ssgd | Self::Adassp => 1.0,
            Self::Decor => 50.0,
        }
    }

    /// Whether its defaults make use of [`Request::nonzeros`].
    pub(super) const fn knows_zeros(self) -> bool {
        matches!(self, Self::Gd | Self::DpSgd | Self::Skgd)
    }

    /// The relation unless told otherwise.
    #[must_use]
    pub const fn default_neighbours(self) -> Neighbouring {
        match self {
            Self::Decor => Neighbouring::User,
            _ => Neighbouring::ReplaceOne,
        }
    }
}

/// What is done to the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Scaling {
    /// Nothing.
    None,
    /// Mean 0, deviation 1: looks at the data.
    Standardise,
    /// Largest modulus 1: looks at the data.
    MaxAbs,
}

/// Where M_j comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Smoothness {
    /// From the bound on features, whatever the data.
    Bound,
    /// From the columns: looks at the data.
    Data,
    /// From the columns, released with noise: [`Request::share`] of the budget pays for it.
    Private,
}

/// How DP-SkGD draws sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SamplingName {
    /// All coordinates.
    Full,
    /// One, uniformly.
    Uniform,
    /// One, with probability ∝ M_j.
    Importance,
    /// One of the blocks of this many consecutive coordinates.
    Blocks(usize),
    /// One of these blocks, with probability ∝ its largest M_j.
    ImportanceBlocks(usize),
    /// This many, uniformly.
    Nice(usize),
}

impl SamplingName {
    /// The size of its largest set, of so many coordinates.
    pub(super) fn largest(self, coordinates: usize) -> usize {
        match self {
            Self::Full => coordinates,
            Self::Uniform | Self::Importance => 1,
            Self::Blocks(size) | Self::ImportanceBlocks(size) | Self::Nice(size) => {
                size.clamp(1, coordinates.max(1))
            }
        }
    }
}

/// How DP-SGD draws batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BatchName {
    /// Every record on its own.
    Poisson,
    /// A fixed number.
    FixedSize,
}

/// How the noise follows from the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CalibrationName {
    /// The one that the ledger proves: `Tight` for Gaussian noise, `Corrected` for DP-GCD.
    Default,
    /// As printed in the method's paper; of DECOR not the noise, but clipping, which takes the ridge with the loss.
    Printed,
    /// That of the corrected theorem: the same run is private and useful.
    Corrected,
    /// Gaussian noise by the best Rényi order.
    BestOrder,
    /// Gaussian noise by the exact profile or the accountant.
    Tight,
    /// DP-GCD's repaired scales, by its equation (2).
    Repaired,
}

/// Where lengths, steps and noise come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ScheduleName {
    /// From defaults that do well on ordinary data and have no claim on utility.
    #[default]
    Practical,
    /// From the corrected theorem of the method's paper.
    Theorem,
}

/// What only DECOR is asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Decentralised {
    /// Who exchanges models with whom, e.g. `ring:16`.
    pub graph: String,
    /// Against whom, e.g. `eavesdropper`.
    pub adversary: String,
    /// The noise.
    pub noise: NoiseName,
    /// σ_cor of correlated noise; unless given, the least for which σ_cdp² exceeds what any σ_cor allows by
    /// 10 % at most.
    pub sigma_cor: Option<f64>,
    /// How models are averaged.
    pub weights: Weights,
    /// Time limit in seconds for one answer, if every user is to be a process of its own.
    pub limit_seconds: Option<f64>,
    /// The program that plays a user as `program decor-user`, with a time limit.
    #[serde(skip)]
    pub program: PathBuf,
}

/// DECOR, and what it is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum NoiseName {
    /// Own noise, and noise that cancels between neighbours.
    Decor,
    /// Own noise as if only the average of all users were ever seen, which each of them takes for its model.
    Cdp,
    /// Own noise that hides every message by itself.
    Ldp,
}

impl Decentralised {
    /// Defaults for so many records: a ring of 16 users, or as many as there are records.
    ///
    /// ```
    /// use dp_assay::prelude::*;
    /// use dp_assay::solver::fit::{Decentralised, Method, NoiseName};
    ///
    /// let (graph, noise) = ("complete:8".to_owned(), NoiseName::Cdp);
    /// let users = Decentralised { graph, noise, ..Decentralised::for_records(569) };
    /// let budget = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
    /// let request = Request {
    ///     decentralised: Some(users),
    ///     ..Request::new(Method::Decor, LossName::Logistic, budget)
    /// };
    /// let fitted = fit(Dataset::breast_cancer(), &request)?;
    /// assert_eq!(fitted.users.map(|users| users.count), Some(8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn for_records(records: usize) -> Self {
        let graph = match records {
            0..=2 => format!("path:{}", records.max(1)),
            n => format!("ring:{}", n.min(16)),
        };
        Self {
            graph,
            adversary: Adversary::Eavesdropper.to_string(),
            noise: NoiseName::Decor,
            sigma_cor: None,
            weights: Weights::MetropolisHastings,
            limit_seconds: None,
            program: PathBuf::new(),
        }
    }
}
