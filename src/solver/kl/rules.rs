//! The public numbers of Algorithms 2 to 4: lengths, deviations, steps and charges.

use super::{Budget, RunError, Variant};
use crate::units::{OutOfDomain, fraction, positive};

/// Inputs of Algorithm 3.
///
/// ```
/// use dp_assay::solver::kl::{Adaptive, Budget, Variant};
/// use dp_assay::units::{Neighbouring, Rho};
///
/// let (rho, neighbours) = (Rho::new(1.0)?, Neighbouring::ReplaceOne);
/// let budget = Budget { rho, neighbours, variant: Variant::Repaired };
/// let inputs = Adaptive { beta: 0.1, lipschitz: 5.0, smoothness: 1.0 };
/// let rule = inputs.rule(&budget, 100, 2)?;
/// assert_eq!(rule.step, 0.5); // 1/(2L₁)
/// // A larger norm takes more noise and is charged less.
/// assert!(rule.gradient_deviation(10.0) > rule.gradient_deviation(0.0));
/// assert!(rule.charge(10.0) < rule.charge(0.0));
/// assert!(rule.goes_on(0.4) && !rule.goes_on(0.6)); // the charges end at ρ/2
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptive {
    /// β in (0, 1).
    pub beta: f64,
    /// L₀ > 0.
    pub lipschitz: f64,
    /// L₁ > 0.
    pub smoothness: f64,
}

/// Inputs of Algorithms 2 and 4.
///
/// ```
/// use dp_assay::solver::kl::Regularised;
///
/// let inputs = Regularised { beta: 0.1, lipschitz: 5.0, weak_convexity: 1.0, length: Some(20) };
/// let whole = inputs.rule(1.0, 100, 2)?; // ρ = 1, n = 100, d = 2
/// assert_eq!((whole.length, whole.radius), (20, 2.5)); // L₀/(2L̃₁)
/// let part = inputs.part(4, 1.0, 100, 2)?; // one of four calls
/// assert!(part.deviation > whole.deviation);
/// assert!(inputs.part(0, 1.0, 100, 2).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Regularised {
    /// β in (0, 1).
    pub beta: f64,
    /// L₀ > 0.
    pub lipschitz: f64,
    /// L̃₁ > 0, the weak convexity constant.
    pub weak_convexity: f64,
    /// T; that of Theorem 9 unless given. The noise goes with it.
    pub length: Option<u64>,
}

/// Algorithm 3 for n records in d dimensions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdaptiveRule {
    /// σ̂, deviation of the noise on a norm.
    pub norm_deviation: f64,
    /// η = 1/(2L₁).
    pub step: f64,
    /// What norms are multiplied with in the draw of t*.
    pub coefficient: f64,
    /// What a norm is divided by to give a deviation: √(dΛ) as printed, D = 2(√d + √(2Λ)) as corrected.
    divisor: f64,
    /// 2L₀/(n√ρ).
    floor: f64,
    /// By how much the deviations are wider than they have to be.
    margin: f64,
    /// L₀/n.
    unit: f64,
    rho: f64,
    /// √ρ/n.
    norm_charge: f64,
    variant: Variant,
}

/// Algorithm 4 for n records in d dimensions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegularisedRule {
    /// T: T − 1 gradients are released.
    pub length: u64,
    /// σ.
    pub deviation: f64,
    /// L₀/(2L̃₁), how far from its start an iterate may be.
    pub radius: f64,
}

/// By how much a repaired scale is wider than its claim asks, so that a run on the worst path is not cut for the
/// meter's rounding: that adds less than 10·2⁻⁵³ of its cost to a release and one rounding of the total to each, so
/// that 10⁵ releases stay within 2⁻³⁴, which a factor of 1 + 2⁻³⁵ on deviations leaves.
pub(super) const MARGIN: f64 = 1.0 + 1.0 / (1_u64 << 35) as f64;

impl Adaptive {
    /// The numbers of a run: those of `kl-alg-3-corrected`, for which Theorems 3, 4 and 5 hold in their corrected forms
    /// where n√ρ is at least 8, or as printed (`kl-alg-3`). Below 8 nothing is proved of the run's utility.
    ///
    /// # Errors
    /// Names the first input outside its domain.
    pub fn rule(&self, budget: &Budget, n: usize, d: usize) -> Result<AdaptiveRule, RunError> {
        positive("L_0", self.lipschitz)?;
        positive("L_1", self.smoothness)?;
        let (n, d, rho) = (n as f64, d as f64, budget.rho.get());
        positive("rho", rho)?;
        fraction("beta", self.beta)?;
        let root = n * rho.sqrt();
        let lambda = (root / self.beta).ln();
        if !(lambda.is_finite() && lambda > 0.0) {
            let (name, value, rule) = ("n sqrt(rho)/beta", root / self.beta, "finite and > 1");
            return Err(OutOfDomain { name, value, rule }.into());
        }
        //= kl-alg-3
        //= kl-alg-3-corrected
        // As printed only if asked for; kl-alg-3-repaired is the print with the index of its test put right.
        let (divisor, margin) = match budget.variant {
            Variant::Printed => ((d * lambda).sqrt(), 1.0),
            Variant::Repaired => (2.0 * (d.sqrt() + (2.0 * lambda).sqrt()), MARGIN),
        };
        Ok(AdaptiveRule {
            norm_deviation: margin * self.lipschitz / root.sqrt(),
            step: 0.5 / self.smoothness,
            coefficient: root / (2.0 * self.lipschitz * margin),
            divisor,
            floor: 2.0 * self.lipschitz / root,
            margin,
            unit: self.lipschitz / n,
            rho,
            norm_charge: rho.sqrt() / n,
            variant: budget.variant,
        })
    }
}

impl AdaptiveRule {
    /// σ_t = max{N_t/D, 2L₀/(n√ρ)}, the standard deviation of each of the d entries of a gradient, for the noisy norm
    /// N_t of that gradient; printed with √(dΛ) for D.
    #[must_use]
    pub fn gradient_deviation(&self, noisy_norm: f64) -> f64 {
        self.margin * (noisy_norm / self.divisor).max(self.floor)
    }

    /// ρ_t = (DL₀/(nN_t))² + √ρ/n off the floor, N_t > 2DL₀/(n√ρ), and ρ/2 + √ρ/n at it; as printed
    /// min{L₀²dΛ/(n²N_t²), ρ/2} + √ρ/n, negative norms included.
    #[must_use]
    pub fn charge(&self, noisy_norm: f64) -> f64 {
        let cap = self.rho / 2.0;
        let uncapped = (self.divisor * self.unit / noisy_norm).powi(2);
        let gradient = match self.variant {
            Variant::Repaired if noisy_norm > self.divisor * self.floor => uncapped,
            Variant::Repaired => cap,
            Variant::Printed => uncapped.min(cap),
        };
        gradient + self.norm_charge
    }

    /// Rounds of a run at most, with a gradient each: each is charged √ρ/n or more, and line 2 ends at ρ/2.
    #[must_use]
    pub fn gradients_upper(&self) -> f64 {
        (self.rho / (2.0 * self.norm_charge)).floor() + 1.0
    }

    /// Line 2's test on the charges of all earlier rounds: at most ρ/2 − √ρ/n, as printed at most ρ/2.
    #[must_use]
    pub fn goes_on(&self, charged: f64) -> bool {
        let kept = match self.variant {
            Variant::Repaired => self.norm_charge,
            Variant::Printed => 0.0,
        };
        charged <= self.rho / 2.0 - kept
    }

    /// Whether a gradient is released in the round whose charge was the last of these: in every round as printed, and else
    /// in all but the last, whose gradient leads to w_{T+1} only, which is not released (`kl-thm-3-corrected`).
    #[must_use]
    pub fn takes_gradient(&self, charged: f64) -> bool {
        self.variant == Variant::Printed || self.goes_on(charged)
    }

    /// D, or √(dΛ) as printed: in units of which a norm becomes a deviation.
    #[must_use]
    pub fn spread(&self) -> f64 {
        self.divisor / self.margin
    }
}

impl Regularised {
    /// The numbers of a run with budget ρ: T = n²ρ log²(2/β)/d rounded up unless T is given, and σ² = 4L₀²T/(n²ρ), which
    /// is private for every T (`kl-thm-9-priv`).
    ///
    /// # Errors
    /// Names the first input outside its domain.
    pub fn rule(&self, rho: f64, n: usize, d: usize) -> Result<RegularisedRule, RunError> {
        positive("L_0", self.lipschitz)?;
        positive("weak convexity constant", self.weak_convexity)?;
        positive("rho", rho)?;
        fraction("beta", self.beta)?;
        let (n, d) = (n as f64, d as f64);
        let length = self
            .length
            .map_or_else(|| self.steps(rho, n, d), |t| t as f64);
        if !(1.0..1e9).contains(&length) {
            let (name, value, rule) = ("number of iterates T", length, "in [1, 1e9)");
            return Err(OutOfDomain { name, value, rule }.into());
        }
        Ok(self.taking(length, rho, n))
    }

    /// T of Theorem 9, however large.
    pub(crate) fn steps(&self, rho: f64, n: f64, d: f64) -> f64 {
        (n * n * rho * (2.0 / self.beta).ln().powi(2) / d).ceil()
    }

    /// The numbers for T = `length`.
    pub(crate) fn taking(&self, length: f64, rho: f64, n: f64) -> RegularisedRule {
        RegularisedRule {
            length: length as u64,
            deviation: 2.0 * self.lipschitz * length.sqrt() / (n * rho.sqrt()),
            radius: self.lipschitz / (2.0 * self.weak_convexity),
        }
    }

    /// Budget and numbers of one of `rounds` calls by the proximal point method: ρ and β in equal parts
    /// (`kl-thm-2-priv-repaired`).
    ///
    /// # Errors
    /// As [`Regularised::rule`]; if there is no round.
    pub fn part(
        &self,
        rounds: u64,
        rho: f64,
        n: usize,
        d: usize,
    ) -> Result<RegularisedRule, RunError> {
        if rounds == 0 {
            let (name, value, rule) = ("number of rounds", 0.0, "at least 1");
            return Err(OutOfDomain { name, value, rule }.into());
        }
        let beta = self.beta / rounds as f64;
        Self { beta, ..*self }.rule(rho / rounds as f64, n, d)
    }
}

/// What Algorithm 2 knows of the risk beyond [`Regularised`].
///
/// ```
/// use dp_assay::solver::kl::{Proximal, Regularised};
///
/// let inputs = Regularised { beta: 0.1, lipschitz: 5.0, weak_convexity: 1.0, length: Some(20) };
/// let known = Proximal { gamma: 1.0, kappa: 2.0, loss_bound: 2.0 };
/// // More records are worth more rounds.
/// assert!(known.rounds(&inputs, 1.0, 10_000, 2)? > known.rounds(&inputs, 1.0, 100, 2)?);
/// assert!(Proximal { kappa: 1.0, ..known }.rounds(&inputs, 1.0, 100, 2).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proximal {
    /// γ > 0.
    pub gamma: f64,
    /// κ ≥ 2.
    pub kappa: f64,
    /// F₀ > 0, a bound on the excess risk of the start.
    pub loss_bound: f64,
}

impl Proximal {
    /// T = (1 + 32F₀^{(κ−2)/κ}γ²L̃₁)·\[log F₀ + κ log(n√ρ/(γL₀√d))\], rounded up (`kl-alg-2`, `kl-alg-2-repaired`); 1 where F₀
    /// is below the target already.
    ///
    /// # Errors
    /// Names the first input outside its domain.
    pub fn rounds(
        &self,
        inputs: &Regularised,
        rho: f64,
        n: usize,
        d: usize,
    ) -> Result<u64, RunError> {
        positive("gamma", self.gamma)?;
        positive("F_0", self.loss_bound)?;
        positive("L_0", inputs.lipschitz)?;
        positive("weak convexity constant", inputs.weak_convexity)?;
        let Self {
            gamma,
            kappa,
            loss_bound,
        } = *self;
        if !(kappa.is_finite() && kappa >= 2.0) {
            let (name, value, rule) = ("kappa", kappa, "finite and >= 2");
            return Err(OutOfDomain { name, value, rule }.into());
        }
        let condition = gamma * gamma * inputs.weak_convexity * loss_bound.powf(1.0 - 2.0 / kappa);
        let unit = gamma * inputs.lipschitz * (d as f64).sqrt() / (n as f64 * rho.sqrt());
        let bracket = loss_bound.ln() - kappa * unit.ln();
        let rounds = ((1.0 + 32.0 * condition) * bracket).ceil();
        match rounds {
            r if r <= 1.0 => Ok(1),
            r if r < 1e9 => Ok(r as u64),
            value => {
                let (name, rule) = ("number of rounds", "below 1e9");
                Err(OutOfDomain { name, value, rule }.into())
            }
        }
    }
}
