//! Fully adaptive accounting: mechanisms that are chosen, and stops that are made, after seeing answers.
//!
//! A *filter* fixes a budget beforehand and covers whatever it admits; an [`Odometer`] fixes none and says at any time what was spent.
//!
//! | what | budget | what it costs |
//! |---|---|---|
//! | [`PlanFilter`] | a list of mechanisms, each run once at most, in any order | nothing: ε is that of the list |
//! | [`GdpFilter`] | Σ μₜ² | nothing: ε is that of Gaussian noise |
//! | [`ZcdpFilter`] | Σ ρₜ | what ρ says less than the mechanisms |
//! | [`RenyiFilter`] | Σ D_α at each of some orders | what these orders say less than the mechanisms |
//! | [`Odometer`] | none | orders fixed beforehand, which share δ |
//!
//! There is no filter for composed trade-off curves or privacy-loss distributions of mechanisms that are chosen on the way, although each
//! composition on its own stays within the budget (claim `acc-curve-filter`, with an example); and the ε that
//! [`account`](super::account) finds for what was run so far says nothing of a run that stops when answers suggest it, even of a
//! list fixed beforehand (`acc-read-off`): quote that of the list, or an odometer's.

mod plan;
mod renyi;

pub use plan::PlanFilter;
pub use renyi::{Odometer, RenyiFilter};

use super::basis::COMPOSED;
use super::float::Enclosure;
use super::{AccountError, Claims, gdp};
use crate::units::{Delta, Rho};

/// A budget and what is spent of it, rounded up.
#[derive(Clone, Debug, PartialEq)]
struct Purse {
    budget: f64,
    spent: f64,
}

impl Purse {
    const fn new(budget: f64) -> Self {
        Self { budget, spent: 0.0 }
    }

    /// What would be spent after a step that costs `asked` ≥ 0.
    fn after(&self, quantity: &'static str, asked: f64) -> Result<f64, AccountError> {
        let total = sum_upper(self.spent, asked);
        // Nothing is charged for nothing, whatever is left.
        if asked > 0.0 && !(total <= self.budget) {
            return Err(AccountError::Overspent {
                quantity,
                asked,
                remaining: self.remaining(),
            });
        }
        Ok(total)
    }

    /// What is left, rounded down.
    fn remaining(&self) -> f64 {
        (self.budget - self.spent).next_down().max(0.0)
    }
}

/// The sum of two numbers ≥ 0, exact or rounded up by less than a unit in the last place.
fn sum_upper(a: f64, b: f64) -> f64 {
    let sum = a + b;
    // By Sterbenz's lemma this finds the rounding error's sign when one operand is not larger than the sum, which holds for
    // positive numbers.
    let lost = (sum - a) < b || (sum - b) < a;
    if lost { sum.next_up() } else { sum }
}

/// A budget of ρ that mechanisms may be charged to one by one, each chosen after seeing the answers of
/// the earlier ones.
///
/// If every mechanism is ρₜ-zCDP given the past and the filter admits a step only while Σ ρₜ ≤ ρ, the
/// whole interaction is ρ-zCDP (Feldman and Zrnic 2021, Theorem 4.3 for Rényi filters; Whitehouse et
/// al. 2023, Theorem 1), without any loss for adaptivity. The sum is kept rounded up: the filter may
/// refuse a step that would fit by less than one unit in the last place per step, and never admits one
/// that does not fit.
///
/// ```
/// use dp_assay::accounting::filter::ZcdpFilter;
/// use dp_assay::units::{Delta, Rho};
///
/// let mut filter = ZcdpFilter::new(Rho::new(0.5)?);
/// filter.spend(Rho::new(0.375)?)?;
/// // A step that does not fit is refused, and nothing is charged for it.
/// assert!(filter.spend(Rho::new(0.25)?).is_err());
/// assert_eq!((filter.steps(), filter.spent_upper()), (1, 0.375));
/// assert!(filter.remaining() <= 0.125);
/// // ε in nats is that of the whole budget.
/// assert!((4.3..5.3).contains(&filter.epsilon_upper(Delta::new(1e-5)?)?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ZcdpFilter {
    purse: Purse,
    steps: u64,
}

impl ZcdpFilter {
    /// A filter with nothing spent.
    #[must_use]
    pub fn new(budget: Rho) -> Self {
        Self {
            purse: Purse::new(budget.get()),
            steps: 0,
        }
    }

    /// Charges a step before it is run.
    ///
    /// # Errors
    /// When the step would exceed the budget; then nothing is charged and a smaller step may follow.
    pub fn spend(&mut self, step: Rho) -> Result<(), AccountError> {
        self.purse.spent = self.purse.after("rho", step.get())?;
        self.steps += 1;
        Ok(())
    }

    /// Σ ρₜ so far, rounded up.
    #[must_use]
    pub fn spent_upper(&self) -> f64 {
        self.purse.spent
    }

    /// What is left, rounded down.
    #[must_use]
    pub fn remaining(&self) -> f64 {
        self.purse.remaining()
    }

    /// Number of steps admitted.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Upper bound on the ε at δ of everything admitted so far *and still to come*: that of the budget
    /// (an adaptively stopped interaction is only covered by the budget, not by what happened to be
    /// spent).
    ///
    /// # Errors
    /// δ = 0.
    pub fn epsilon_upper(&self, delta: Delta) -> Result<f64, AccountError> {
        super::zcdp::epsilon_upper(Rho::new(self.purse.budget)?, delta)
    }

    /// What its guarantee rests on.
    #[must_use]
    pub fn claims(&self) -> Claims {
        let filter = Claims::from("acc-renyi-filter").and("acc-distance");
        filter.and(COMPOSED)
    }
}

/// A budget of Gaussian differential privacy that mechanisms may be charged to one by one, each chosen after seeing the answers
/// of the earlier ones: if each is μₜ-GDP given the past and Σ μₜ² ≤ μ², the whole is μ-GDP (claim `acc-gdp-filter`).
///
/// ```
/// use dp_assay::accounting::filter::{GdpFilter, ZcdpFilter};
/// use dp_assay::units::{Delta, Rho};
///
/// // Gaussian noise of σ sensitivities is 1/σ-GDP: sixteen steps of σ = 4 fit into that of one of σ = 1.
/// let mut filter = GdpFilter::new(1.0)?;
/// for _ in 0..16 {
///     filter.spend(0.25)?;
/// }
/// assert!(filter.spend(1e-3).is_err());
/// // 4.377 nats at δ = 10⁻⁵, where ρ = ½ says 4.73.
/// let delta = Delta::new(1e-5)?;
/// let epsilon = filter.epsilon_upper(delta)?;
/// assert!((4.377..4.378).contains(&epsilon));
/// assert!(epsilon < ZcdpFilter::new(Rho::new(0.5)?).epsilon_upper(delta)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GdpFilter {
    mu: f64,
    /// Of μ².
    purse: Purse,
    steps: u64,
}

impl GdpFilter {
    /// A filter with nothing spent.
    ///
    /// # Errors
    /// μ must be ≥ 0, and its square finite.
    pub fn new(mu: f64) -> Result<Self, AccountError> {
        Ok(Self {
            mu,
            purse: Purse::new(square(mu)?.lo.max(0.0)),
            steps: 0,
        })
    }

    /// Charges a step that is μ-GDP whatever was seen before it, before it is run.
    ///
    /// # Errors
    /// A μ that is no size; a step that would exceed the budget: then nothing is charged and a smaller one may follow.
    pub fn spend(&mut self, mu: f64) -> Result<(), AccountError> {
        let cost = if mu == 0.0 { 0.0 } else { square(mu)?.hi };
        self.purse.spent = self.purse.after("mu^2", cost)?;
        self.steps += 1;
        Ok(())
    }

    /// The μ of what was admitted, √(Σ μₜ²), rounded up. It is no guarantee for a run that stops because of it.
    #[must_use]
    pub fn spent_upper(&self) -> f64 {
        Enclosure::point(self.purse.spent).sqrt().hi
    }

    /// A μ that a further step may have, rounded down.
    #[must_use]
    pub fn remaining(&self) -> f64 {
        let root = Enclosure::point(self.purse.remaining()).sqrt();
        // Its square, rounded up, is no more than what is left.
        (root.lo * (1.0 - 4.0 * f64::EPSILON)).max(0.0)
    }

    /// Number of steps admitted.
    #[must_use]
    pub const fn steps(&self) -> u64 {
        self.steps
    }

    /// Upper bound on the ε at δ of everything admitted so far and still to come: that of the budget.
    ///
    /// # Errors
    /// δ = 0.
    pub fn epsilon_upper(&self, delta: Delta) -> Result<f64, AccountError> {
        Ok(gdp::mechanism(self.mu)?.epsilon(delta)?.hi)
    }

    /// What its guarantee rests on.
    #[must_use]
    pub fn claims(&self) -> Claims {
        Claims::from("acc-gdp-filter").and("acc-gaussian")
    }
}

/// μ², enclosed; a point where it is a binary64 number, so that sixteen quarters make one.
fn square(mu: f64) -> Result<Enclosure, AccountError> {
    let rule = "must lie in [0, 1e100]";
    AccountError::check((0.0..=1e100).contains(&mu), "mu", mu, rule)?;
    let nearest = mu * mu;
    // The error of a product is a binary64 number unless it is too small for one.
    let exact = nearest > 1e-280 && mu.mul_add(mu, -nearest) == 0.0;
    Ok(match exact {
        true => Enclosure::point(nearest),
        false => Enclosure::point(mu).square(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;

    #[test]
    fn purses_are_what_they_were() {
        let mut found = Vec::new();
        let mut mu = GdpFilter::new(1.3).expect("in range");
        let mut rho = ZcdpFilter::new(Rho::new(0.7).expect("in range"));
        for step in [0.1, 0.0, 0.3, 1e-9, 0.7] {
            mu.spend(step).expect("within");
            rho.spend(Rho::new(0.5 * step * step).expect("in range"))
                .expect("within");
            found.extend([
                mu.spent_upper(),
                mu.remaining(),
                rho.spent_upper(),
                rho.remaining(),
            ]);
        }
        found.extend([mu.steps() as f64, rho.steps() as f64]);
        for x in [0.0, 0.5, 0.1, 1e-150, 1e100] {
            let square = square(x).expect("in range");
            found.extend([square.lo, square.hi]);
        }
        steady::holds(
            &found,
            "0.10000000000000003 1.2961481396815706 0.005000000000000001 0.6949999999999998
         0.10000000000000003 1.2961481396815706 0.005000000000000001 0.6949999999999998
         0.316227766016838 1.2609520212918477 0.05 0.6499999999999998 0.31622776601683805
         1.2609520212918477 0.05000000000000001 0.6499999999999998 0.768114574786861
         1.0488088481701503 0.295 0.4049999999999999 5.0 5.0 0.0 0.0 0.25 0.25 0.01
         0.010000000000000004 9.999999999999999e-301 1.0000000000000002e-300
         9.999999999999998e199 1.0000000000000001e200",
        );
        assert!(mu.spend(mu.remaining()).is_ok() && mu.spend(1e-6).is_err());
        let told = rho
            .spend(Rho::new(0.6).expect("in range"))
            .expect_err("too much");
        assert!(told.to_string().contains("rho"), "{told}");
        assert!(rho.spend(Rho::new(0.0).expect("in range")).is_ok());
        for mu in [-1.0, 1.1e100, f64::NAN] {
            assert!(GdpFilter::new(mu).is_err(), "{mu}");
        }
    }

    /// No sum is rounded down, and none that is exact is rounded at all.
    #[test]
    fn a_sum_is_rounded_up_where_it_is_rounded() {
        use rug::Rational;
        let exact = |x: f64| Rational::from_f64(x).expect("finite");
        for k in 0..2000u32 {
            let (a, b) = (0.1 * f64::from(k), 1e-3 + 1.7e-5 * f64::from(k % 37));
            for (a, b) in [(a, b), (b, a), (a, 1e-20), (0.25 * f64::from(k), 0.5)] {
                let (found, truth) = (sum_upper(a, b), exact(a) + exact(b));
                assert!(exact(found) >= truth, "{a} {b}");
                assert!(exact(found.next_down()) < truth, "{a} {b}");
            }
        }
    }
}
