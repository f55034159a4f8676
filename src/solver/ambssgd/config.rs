//! The inputs of Algorithms 1 and 2.

use super::threshold::Threshold;
use crate::units::{OutOfDomain, fraction, positive};

/// The inputs of DP-SSGD (Algorithm 1).
///
/// ```
/// use dp_assay::solver::ambssgd::Shuffled;
///
/// let config = Shuffled { step: 0.1, threshold: 1.0, multiplier: 0.5 };
/// assert!(config.check(8).is_ok());
/// assert!(config.check(7).is_err()); // N must be even
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shuffled {
    /// η > 0.
    pub step: f64,
    /// ζ > 0, in units of the gradient x(⟨x, w⟩ − y).
    pub threshold: f64,
    /// α ≥ 0: the noise of a step has standard deviation 2ηζα.
    pub multiplier: f64,
}

/// The inputs of DP-AMBSSGD (Algorithm 2).
///
/// ```
/// use dp_assay::solver::ambssgd::{Adaptive, Ranges, Search, Stop};
///
/// let search = Search::halvings(8.0, 3)?;
/// let (ranges, stop) = (Ranges::Printed, Stop::Printed);
/// let config = Adaptive { step: 0.1, multiplier: 0.5, batch: 3, statistics: 1, factor: 2.0, search, ranges, stop };
/// assert_eq!(config.check(16)?, 4); // T = N/(b + s)
/// assert_eq!((config.usable(18), config.samples()), (16, 2));
/// assert_eq!(config.threshold(1), 4.0); // ζ = 2·γ_1 with γ_1 = 2·Δ and Δ = 8/2³
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptive {
    /// η > 0.
    pub step: f64,
    /// α ≥ 0: the noise of a step has standard deviation 2ηζ_tα/b, that of a count √m·α.
    pub multiplier: f64,
    /// b ≥ 1, records per gradient.
    pub batch: usize,
    /// s ≥ 1, records per statistic.
    pub statistics: usize,
    /// R_x·log^a N: ζ_t is this times γ_t. Units of ‖x‖.
    pub factor: f64,
    /// How DP-STAT looks for γ_t.
    pub search: Search,
    /// Which records DP-STAT and the gradient read.
    pub ranges: Ranges,
    /// When DP-STAT ends its search.
    pub stop: Stop,
}

/// 2⁻⁵⁰⁰.
const SMALLEST: f64 = f64::from_bits((1023 - 500) << 52);

/// The levels of DP-STAT: γ_i = 2^i·Δ for i = 0 … m.
///
/// ```
/// use dp_assay::solver::ambssgd::Search;
///
/// let search = Search::halvings(8.0, 3)?;
/// assert_eq!((search.level(0).value(), search.level(3).value()), (1.0, 8.0));
/// assert_eq!(Search::printed(8.0, 2)?.levels, 200); // 200·log₂ N
/// assert!(Search::halvings(8.0, 0).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Search {
    /// Δ, in units of the residual ⟨x, w⟩ − y.
    pub width: Threshold,
    /// m = ⌈log₂(B/Δ)⌉ ≥ 1.
    pub levels: usize,
}

/// The index ranges of line 5 of Algorithm 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranges {
    /// {τ, …, τ+s}, as printed: s + 1 records, the last of which the gradient reads too. One record then
    /// meets both mechanisms (`ambssgd-thm-3.6-comp`).
    Printed,
    /// {τ, …, τ+s−1}: no record meets both, so that noise smaller by √2 buys the same privacy. Our reading.
    Disjoint,
}

/// The noisy count at which DP-STAT ends its search: line 5 of Algorithm 3. Public either way, so that
/// `ambssgd-lem-3.10-priv` and `ambssgd-thm-3.6-zcdp` carry the privacy of both.
///
/// For utility let h be that count, n the number of records read and Γ′ = α√(2m·log((m+1)/β)), which no noise exceeds
/// in modulus but with probability β. `ambssgd-lem-3.10-util-repaired`, whose s is h and whose proof does not see n, says
/// that with probability at least 1 − β at least h − Γ′ residuals are within γ (if h are within γ_m), and that fewer than
/// h + Γ′ are within γ/2 (if γ > Δ).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stop {
    /// h = s, as printed. As n ≤ s + 1, the second statement is void once Γ′ > 1, and γ may overshoot all residuals:
    /// by 2^k with probability 2^{−k} in every step (`ambssgd-p3.9-gamma-upper-repaired`).
    Printed,
    /// h = n − Γ′: all but 2Γ′ residuals are within γ, and γ is at most twice the largest residual. Where Γ′ > n/2 the
    /// noise hides all counts and neither is claimed; then h = n/2.
    Margin {
        /// β in (0, 1), for one step.
        failure: f64,
    },
}

/// Why inputs break a rule.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum InputError {
    /// A number outside its domain.
    #[error(transparent)]
    Value(#[from] OutOfDomain),
    /// A number of records that the indices do not fit.
    #[error("N = {records} records do not fit: {rule}")]
    Records {
        /// N.
        records: usize,
        /// The rule.
        rule: &'static str,
    },
    /// B/Δ does not exceed 1 or is no number.
    #[error(
        "domain B = {domain} and width {width}: B must be finite and exceed the width, which must \
         be > 0"
    )]
    Domain {
        /// B.
        domain: f64,
        /// Δ.
        width: f64,
    },
}

impl Shuffled {
    /// Checks the inputs for N records.
    ///
    /// # Errors
    /// Names the first value that breaks a rule. N must be even (`ambssgd-alg-1`).
    pub fn check(&self, records: usize) -> Result<(), InputError> {
        positive("step", self.step)?;
        positive("clipping norm", self.threshold)?;
        nonnegative("noise multiplier", self.multiplier)?;
        even(
            records,
            records,
            "N must be even and >= 2, for N/2 is an index",
        )
    }
}

impl Adaptive {
    /// Checks the inputs for N records, and gives T = N/(b+s).
    ///
    /// # Errors
    /// Names the first value that breaks a rule. N must be a multiple of b + s and T even (`ambssgd-alg-2`).
    pub fn check(&self, records: usize) -> Result<usize, InputError> {
        positive("step", self.step)?;
        nonnegative("noise multiplier", self.multiplier)?;
        positive("clipping factor", self.factor)?;
        at_least_one("batch size b", self.batch)?;
        at_least_one("statistics size s", self.statistics)?;
        at_least_one("number of levels m", self.search.levels)?;
        if let Stop::Margin { failure } = self.stop {
            fraction("failure probability beta", failure)?;
        }
        let block = self.batch.saturating_add(self.statistics);
        if !records.is_multiple_of(block) {
            let rule = "N must be a multiple of b + s";
            return Err(InputError::Records { records, rule });
        }
        let steps = records / block;
        even(
            steps,
            records,
            "T = N/(b + s) must be even and >= 2, for T/2 is an index",
        )?;
        Ok(steps)
    }

    /// The most records, at most N, that the indices fit.
    #[must_use]
    pub fn usable(&self, records: usize) -> usize {
        let pair = 2 * (self.batch + self.statistics);
        records / pair * pair
    }

    /// ζ_t = `factor`·γ_t for γ_t = 2^level·Δ. Below 2⁻⁵⁰⁰ it counts as 0, and then neither gradient nor noise
    /// moves the iterate: the products of such a step would leave the range of normal doubles.
    #[must_use]
    pub fn threshold(&self, level: usize) -> f64 {
        let zeta = self.search.level(level).times(self.factor);
        if zeta < SMALLEST { 0.0 } else { zeta }
    }

    /// h, the noisy count at which DP-STAT ends its search.
    #[must_use]
    pub fn enough(&self) -> f64 {
        match self.stop {
            //= ambssgd-alg-3
            Stop::Printed => self.statistics as f64,
            Stop::Margin { .. } => {
                let n = self.samples() as f64;
                (n - self.noise_upper()).max(0.5 * n)
            }
        }
    }

    /// Γ′ of [`Stop::Margin`], rounded to nearest; infinite for the printed rule, which states no β.
    fn noise_upper(&self) -> f64 {
        let Stop::Margin { failure } = self.stop else {
            return f64::INFINITY;
        };
        let m = self.search.levels as f64;
        //= ambssgd-lem-3.10-util-repaired
        self.multiplier * (2.0 * m * ((m + 1.0) / failure).ln()).sqrt()
    }

    /// Whether the utility of DP-STAT is claimed: both statements of [`Stop::Margin`].
    ///
    /// ```
    /// use dp_assay::solver::ambssgd::{Adaptive, Ranges, Search, Stop};
    ///
    /// let search = Search::halvings(1024.0, 20)?;
    /// let of = |statistics, stop| Adaptive {
    ///     step: 0.1, multiplier: 5.0, batch: 900, statistics, factor: 1.0, search, ranges: Ranges::Disjoint, stop,
    /// };
    /// let stop = Stop::Margin { failure: 0.01 };
    /// assert!(of(200, stop).is_useful()); // Γ′ is 88
    /// assert!(!of(100, stop).is_useful() && !of(200, Stop::Printed).is_useful());
    /// assert!(of(of(1, stop).useful_statistics(), stop).is_useful()); // the least: 176
    /// assert!(!of(of(1, stop).useful_statistics() - 1, stop).is_useful());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_useful(&self) -> bool {
        self.noise_upper() <= 0.5 * self.samples() as f64
    }

    /// The least s with which [`Self::is_useful`] holds, whatever s is now; `usize::MAX` for the printed rule, which has none.
    #[must_use]
    pub fn useful_statistics(&self) -> usize {
        (2.0 * self.noise_upper()).ceil() as usize
    }

    /// How many records DP-STAT reads.
    #[must_use]
    pub const fn samples(&self) -> usize {
        match self.ranges {
            Ranges::Printed => self.statistics + 1,
            Ranges::Disjoint => self.statistics,
        }
    }
}

impl Search {
    /// B and Δ = B/N²⁰⁰ as Algorithm 2 prints them: m = ⌈200·log₂ N⌉.
    ///
    /// # Errors
    /// If B is not finite and > 0, or N < 2.
    pub fn printed(domain: f64, records: usize) -> Result<Self, InputError> {
        let bound = Threshold::new(domain).ok_or(InputError::Domain { domain, width: 0.0 })?;
        if records < 2 {
            let rule = "N must be >= 2, for the search has 200 log2 N levels";
            return Err(InputError::Records { records, rule });
        }
        //= ambssgd-alg-2
        let exponent = 200.0 * (records as f64).log2();
        let levels = exponent.ceil();
        // Δ = B·2^{−exponent} = (B·2^{levels−exponent})·2^{−levels}, the first factor in [B, 2B).
        let near = bound.times((levels - exponent).exp2());
        let near = Threshold::new(near).ok_or(InputError::Domain {
            domain,
            width: near,
        })?;
        Ok(Self {
            width: near.doubled(-(levels as i64)),
            levels: levels as usize,
        })
    }

    /// m levels below B: Δ = B/2^m.
    ///
    /// # Errors
    /// If B is not finite and > 0, or m = 0.
    pub fn halvings(domain: f64, levels: usize) -> Result<Self, InputError> {
        at_least_one("number of levels m", levels)?;
        let bound = Threshold::new(domain).ok_or(InputError::Domain { domain, width: 0.0 })?;
        Ok(Self {
            width: bound.doubled(-(levels as i64)),
            levels,
        })
    }

    /// γ_i = 2^i·Δ.
    #[must_use]
    pub const fn level(&self, i: usize) -> Threshold {
        self.width.doubled(i as i64)
    }
}

fn nonnegative(name: &'static str, value: f64) -> Result<(), OutOfDomain> {
    let fits = value.is_finite() && value >= 0.0;
    OutOfDomain::unless(fits, name, value, "finite and >= 0")
}

fn at_least_one(name: &'static str, value: usize) -> Result<(), OutOfDomain> {
    OutOfDomain::unless(value > 0, name, value as f64, "at least 1")
}

fn even(count: usize, records: usize, rule: &'static str) -> Result<(), InputError> {
    match count >= 2 && count.is_multiple_of(2) {
        true => Ok(()),
        false => Err(InputError::Records { records, rule }),
    }
}
