//! Private fits of losses that need not be convex: constants that hold for all data, defaults that run on any file, and
//! everything that the guarantee or the accuracy rests on echoed.
//!
//! A [`Posed`] risk knows its constants without looking at the data: records are moved into the ball of radius R one by
//! one. γ and κ of a data file are assumed, not known; accuracy depends on them and privacy does not.

mod posed;
mod run;
mod theorem;

pub use posed::{Builtin, Loss, Posed};

use super::{ARITHMETIC, FitError, Progress, ScheduleName, Utility, lax};
use crate::accounting::{Claims, Event, zcdp};
use crate::solver::kl::{Budget, Proximal, Spider, Variant};
use crate::units::{Delta, Epsilon, Neighbouring, Rho, positive};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// The methods, each in its repaired form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Algorithm 1.
    KlSpider,
    /// Algorithm 2.
    KlProx,
    /// Algorithm 3.
    AdaptiveGd,
    /// Algorithm 4; minimises F + L̃₁‖· − w₀‖².
    NoisyGd,
}

/// What to run. `None` is replaced by what the risk knows, or by a default; [`Resolved`] has what was taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Request {
    /// The method.
    pub method: Method,
    /// ε.
    #[cfg_attr(feature = "cli", schemars(with = "f64"))]
    pub epsilon: Epsilon,
    /// δ.
    #[cfg_attr(feature = "cli", schemars(with = "f64"))]
    pub delta: Delta,
    /// Replace-one or zero-out.
    #[cfg_attr(feature = "cli", schemars(with = "String"))]
    pub neighbours: Neighbouring,
    /// β.
    pub beta: f64,
    /// γ; F₀^{1/κ}/L₀ unless known or given.
    pub gamma: Option<f64>,
    /// κ; 2 unless known or given.
    pub kappa: Option<f64>,
    /// F₀.
    pub loss_bound: Option<f64>,
    /// L₀; of a data set at least what holds for all records.
    pub lipschitz: Option<f64>,
    /// L₁; likewise.
    pub smoothness: Option<f64>,
    /// L̃₁; L₁ unless given.
    pub weak_convexity: Option<f64>,
    /// T of Algorithm 4; that of Theorem 9 unless given, but at most 1000 gradients in all.
    pub length: Option<u64>,
    /// Calls of Algorithm 4 by Algorithm 2; by its line 1 unless given.
    pub rounds: Option<u64>,
    /// Algorithm 3: whether to draw t*, for a third of the budget.
    pub select: bool,
    /// The start is this times (1, …, 1)/√d.
    pub start: Option<f64>,
    /// The seed of the noise tape.
    pub seed: u64,
    /// Whether to say what F is, which is **not private**.
    pub compare: bool,
    /// Most gradients of F that a run may plan; each is a pass over the records.
    pub gradients: u64,
    /// Whether the run has to have a bound on what it finds; adaptive descent then draws t* unless γ and κ are stated.
    #[serde(default)]
    pub schedule: ScheduleName,
}

/// The numbers that were used.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Resolved {
    /// ρ of the method, for which ε is spent at δ (with a draw of t*, two thirds of it).
    pub rho: f64,
    /// β.
    pub beta: f64,
    /// γ.
    pub gamma: f64,
    /// κ.
    pub kappa: f64,
    /// F₀.
    pub loss_bound: f64,
    /// L₀.
    pub lipschitz: f64,
    /// L₁.
    pub smoothness: f64,
    /// L̃₁.
    pub weak_convexity: f64,
    /// T of Algorithm 4.
    pub length: Option<u64>,
    /// Calls of Algorithm 4.
    pub rounds: Option<u64>,
    /// Norm of the start.
    pub start: f64,
}

/// A released point.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Fitted {
    /// Name and version of this layout (`spec/formats/fit.md`).
    pub schema: &'static str,
    /// What was asked.
    pub request: Request,
    /// What was taken.
    pub resolved: Resolved,
    /// The risk, and what was done to the records, in words.
    pub risk: String,
    /// Number of records n.
    pub records: usize,
    /// Number of features d.
    pub features: usize,
    /// Why the point may be no better than the start, that the last digits are outside of the guarantee, and what of the
    /// reading of the data is not private, which the caller adds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The released point.
    pub coefficients: Vec<f64>,
    /// What it costs.
    pub privacy: Privacy,
    /// A bound on the excess risk or, of adaptive descent that draws its point, on the norm of the gradient, with the schedule of
    /// a theorem.
    pub utility: Option<Utility>,
    /// Seconds that the solver took.
    pub seconds: f64,
    /// Present only if asked for. **Not private.**
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_private: Option<Comparison>,
}

/// The guarantee: the filter admits no release that would take the whole beyond ρ, whatever the schedule planned.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Privacy {
    /// ε of the whole transcript at δ, of everything that could have been spent.
    pub epsilon_upper: f64,
    /// δ.
    pub delta: f64,
    /// ρ that could have been spent.
    pub rho_upper: f64,
    /// ρ of the releases that were made.
    pub rho_spent: f64,
    /// Their number.
    pub releases: u64,
    /// Whether the filter ended the run before its own rule did.
    pub cut: bool,
    /// The relation.
    #[cfg_attr(feature = "cli", schemars(with = "String"))]
    pub neighbours: Neighbouring,
    /// What is covered.
    pub release: &'static str,
    /// The claim of the ledger on the method that it rests on.
    pub claim: &'static str,
    /// The claims that its account rests on.
    pub claims: Claims,
    /// What was released, as `dp-assay account` reads it.
    pub event: Event,
}

/// F at the start and at the released point. **Not private.**
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// F(w₀).
    pub start: f64,
    /// F at the point.
    pub objective: f64,
    /// inf F, where it is known.
    pub minimum: Option<f64>,
}

/// Gradients that any method may plan by default.
pub const GRADIENTS: u64 = 1_000_000;

impl Method {
    /// The spelling in flags and results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::KlSpider => "kl-spider",
            Self::KlProx => "kl-prox",
            Self::AdaptiveGd => "adaptive-gd",
            Self::NoisyGd => "noisy-gd",
        }
    }

    /// Whether γ and κ, which say how F grows about its minimum, are part of the run or of its bound; `select`: whether a point
    /// is drawn.
    #[must_use]
    pub const fn grows(self, schedule: ScheduleName, select: bool) -> bool {
        match self {
            Self::KlSpider | Self::KlProx => true,
            // The bound on the last iterate rests on them, that on the drawn one does not.
            Self::AdaptiveGd => matches!(schedule, ScheduleName::Theorem) && !select,
            Self::NoisyGd => false,
        }
    }

    /// The claim that covers the whole transcript. Those of Algorithm 3 (`kl-thm-3-corrected`, `kl-thm-5-corrected`) cover
    /// its iterates and ask that n√ρ is at least 8: there it is the filter that the guarantee rests on, as they do.
    const fn claim(self) -> &'static str {
        match self {
            Self::KlSpider => "kl-thm-1-priv-repaired",
            Self::KlProx => "kl-thm-2-priv-repaired",
            //= kl-imp-adaptive
            Self::AdaptiveGd => "kl-imp-adaptive",
            Self::NoisyGd => "kl-thm-9-priv",
        }
    }
}

impl Request {
    /// The defaults for a method and a budget.
    ///
    /// ```
    /// use dp_assay::solver::fit::kl::{GRADIENTS, Method, Request};
    /// use dp_assay::units::{Delta, Epsilon};
    ///
    /// let request = Request::new(Method::KlSpider, (Epsilon::new(1.0)?, Delta::new(1e-6)?));
    /// assert_eq!((request.method.name(), request.gradients), ("kl-spider", GRADIENTS));
    /// assert!(request.gamma.is_none()); // what is known of the risk, or the default, will be taken
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn new(method: Method, (epsilon, delta): (Epsilon, Delta)) -> Self {
        Self {
            method,
            epsilon,
            delta,
            neighbours: Neighbouring::ReplaceOne,
            beta: 0.1,
            gamma: None,
            kappa: None,
            loss_bound: None,
            lipschitz: None,
            smoothness: None,
            weak_convexity: None,
            length: None,
            rounds: None,
            select: false,
            start: None,
            seed: 0,
            compare: false,
            gradients: GRADIENTS,
            schedule: ScheduleName::Practical,
        }
    }

    /// [`Method::grows`].
    #[must_use]
    pub const fn grows(&self) -> bool {
        self.method.grows(self.schedule, self.select)
    }

    /// The number of gradients planned at most, if as many are allowed.
    fn allows(&self, planned: f64, cause: &'static str) -> Result<u64, FitError> {
        let (method, limit) = (self.method.name(), self.gradients);
        match planned <= limit as f64 {
            true => Ok(planned as u64),
            false => Err(FitError::Long {
                method,
                planned,
                limit,
                cause,
            }),
        }
    }
}

impl Resolved {
    /// Inputs of Algorithm 1.
    const fn spider(&self) -> Spider {
        Spider {
            beta: self.beta,
            gamma: self.gamma,
            kappa: self.kappa,
            lipschitz: self.lipschitz,
            smoothness: self.smoothness,
            loss_bound: self.loss_bound,
        }
    }

    /// Inputs of Algorithm 2.
    const fn proximal(&self) -> Proximal {
        Proximal {
            gamma: self.gamma,
            kappa: self.kappa,
            loss_bound: self.loss_bound,
        }
    }
}

/// Runs a request on a risk.
///
/// ```
/// use dp_assay::problem::Dataset;
/// use dp_assay::solver::fit::kl::{Loss, Method, Posed, Request, fit};
/// use dp_assay::units::{Delta, Epsilon};
///
/// // Records are moved into the ball of radius 1; the knee is for squared loss only.
/// let posed = Posed::data(&Dataset::breast_cancer(), Loss::Logistic, 1.0, 1.0)?;
/// let budget = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
/// let request = Request { length: Some(10), ..Request::new(Method::NoisyGd, budget) };
/// let fitted = fit(&posed, &request)?;
/// assert_eq!(fitted.coefficients.len(), 30);
/// assert!(fitted.privacy.epsilon_upper <= 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a number is outside its domain, L₀ or L₁ below what holds for all records of a data set, the start outside the region
/// where the constants hold, a gradient of a built-in function exceeds L₀ or changes faster than L₁ allows, no budget is
/// within ε at δ, or more gradients are planned than allowed.
pub fn fit(posed: &Posed, request: &Request) -> Result<Fitted, FitError> {
    fit_watched(posed, request, &mut |_, _| ())
}

/// As [`fit`]; `progress` is told after every gradient how many were taken, and how many there may be at most.
///
/// ```
/// use dp_assay::solver::fit::kl::{Builtin, Method, Posed, Request, fit, fit_watched};
/// use dp_assay::units::{Delta, Epsilon};
///
/// let posed = Posed::builtin(Builtin::Quadratic, 100, 2)?; // n = 100, d = 2
/// let budget = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
/// let request = Request { length: Some(10), ..Request::new(Method::NoisyGd, budget) };
/// let mut taken = 0; // gradients
/// let watched = fit_watched(&posed, &request, &mut |done, _| taken = done)?;
/// assert_eq!(watched.coefficients, fit(&posed, &request)?.coefficients);
/// assert!((1..=10).contains(&taken));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`fit`].
pub fn fit_watched(
    posed: &Posed,
    request: &Request,
    progress: Progress<'_>,
) -> Result<Fitted, FitError> {
    let by_theorem = request.schedule == ScheduleName::Theorem;
    let stated = request.gamma.is_some() || request.kappa.is_some();
    let request = &Request {
        // Theorem 5 is about the drawn iterate, and Theorem 4, which asks for γ and κ, about the last.
        select: request.select || by_theorem && request.method == Method::AdaptiveGd && !stated,
        ..request.clone()
    };
    let (n, d) = (posed.risk.records(), posed.risk.dimension());
    let norm = request.start.unwrap_or(posed.start);
    let start = vec![norm / (d as f64).sqrt(); d];
    let rho = zcdp::rho_within(request.epsilon, request.delta)?;
    check(posed, request, norm)?;
    let mut resolved = resolve(posed, request, (norm, rho.get()));
    let utility = match by_theorem {
        true => Some(theorem::utility(posed, request, &mut resolved)?),
        false => None,
    };
    let budget = Budget {
        rho: Rho::new(resolved.rho)?,
        neighbours: request.neighbours,
        variant: Variant::Repaired,
    };
    let begun = Instant::now();
    let run = run::run(posed, request, (&start, &budget), &mut resolved, progress)?;
    let seconds = begun.elapsed().as_secs_f64();
    let value = |w: &[f64]| posed.risk.value(w);
    Ok(Fitted {
        schema: "dp-assay/fit-kl/1",
        request: request.clone(),
        resolved,
        risk: posed.words.clone(),
        records: n,
        features: d,
        privacy: Privacy {
            epsilon_upper: zcdp::epsilon_upper(rho, request.delta)?,
            delta: request.delta.get(),
            rho_upper: rho.get(),
            rho_spent: run.spent_upper,
            releases: run.releases,
            cut: run.cut,
            neighbours: request.neighbours,
            release: "transcript",
            claim: request.method.claim(),
            claims: zcdp::claims(),
            event: Event::Zcdp { rho: rho.get() },
        },
        utility,
        seconds,
        not_private: request.compare.then(|| Comparison {
            start: value(&start),
            objective: value(&run.point),
            minimum: posed.minimum,
        }),
        warnings: warnings(posed, request),
        coefficients: run.point,
    })
}

/// What a reader must not miss: a point found by constants that nobody knows may be no better than the start.
fn warnings(posed: &Posed, request: &Request) -> Vec<String> {
    let lax = lax(request.delta.get(), posed.risk.records());
    let assumed = request.gamma.is_none() || request.kappa.is_none();
    let warned = posed.known.is_none() && assumed && request.grows();
    let text = "gamma or kappa is assumed, not known: the point may be no better than the start, \
                or than a constant; for a linear model there is `fit` without a method";
    let assumed = warned.then(|| text.to_owned());
    let arithmetic = Some(ARITHMETIC.to_owned());
    assumed.into_iter().chain(lax).chain(arithmetic).collect()
}

/// Constants that hold whatever the records are, and what the default of γ is computed from, where it is needed.
fn check(posed: &Posed, request: &Request, norm: f64) -> Result<(), FitError> {
    let constants = [
        ("L_0", request.lipschitz, posed.lipschitz),
        ("L_1", request.smoothness, posed.smoothness),
    ];
    for (name, stated, least) in constants {
        // The records of a built-in function are made up.
        let private = posed.known.is_none();
        if let Some(stated) = stated.filter(|stated| private && *stated < least) {
            return Err(FitError::Below {
                name,
                stated,
                least,
            });
        }
    }
    if request.grows() && request.gamma.is_none() && posed.known.is_none() {
        positive("L_0", request.lipschitz.unwrap_or(posed.lipschitz))?;
        let loss_bound = request.loss_bound.unwrap_or(posed.loss_bound(norm));
        positive("F_0", loss_bound)?;
    }
    Ok(())
}

/// What was given, else what is known, else the default.
fn resolve(posed: &Posed, request: &Request, (norm, rho): (f64, f64)) -> Resolved {
    let lipschitz = request.lipschitz.unwrap_or(posed.lipschitz);
    let smoothness = request.smoothness.unwrap_or(posed.smoothness);
    let kappa = request.kappa.or(posed.known.map(|k| k.1)).unwrap_or(2.0);
    let loss_bound = request.loss_bound.unwrap_or(posed.loss_bound(norm));
    let gamma = request.gamma.or(posed.known.map(|k| k.0));
    let draws = request.method == Method::AdaptiveGd && request.select;
    Resolved {
        // Algorithm 3 at ρ′ and a draw at ρ′/2, together at most ρ: the quotient may have been rounded up.
        rho: if draws { (rho / 1.5).next_down() } else { rho },
        beta: request.beta,
        gamma: gamma.unwrap_or_else(|| loss_bound.powf(1.0 / kappa.max(1.0)) / lipschitz),
        kappa,
        loss_bound,
        lipschitz,
        smoothness,
        weak_convexity: request.weak_convexity.unwrap_or(smoothness),
        length: None,
        rounds: None,
        start: norm,
    }
}
