//! Fully adaptive accounting: a filter for zCDP.
//!
//! Of a list of mechanisms that is fixed beforehand any part may be left out, whatever was seen: [`account`](super::account) of the whole
//! list covers it, since who stops early only forgets. Where mechanisms are *chosen* after seeing answers, a budget of Rényi
//! divergences may be spent; one of trade-off curves or privacy-loss distributions may not, although each
//! composition on its own stays within it (claim `acc-curve-filter`, with an example).

use super::AccountError;
use crate::units::{Delta, Rho};

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
    budget: f64,
    spent: f64,
    steps: u64,
}

impl ZcdpFilter {
    /// A filter with nothing spent.
    #[must_use]
    pub fn new(budget: Rho) -> Self {
        Self {
            budget: budget.get(),
            spent: 0.0,
            steps: 0,
        }
    }

    /// Charges a step before it is run.
    ///
    /// # Errors
    /// When the step would exceed the budget; then nothing is charged and a smaller step may follow.
    pub fn spend(&mut self, step: Rho) -> Result<(), AccountError> {
        let asked = step.get();
        if asked > 0.0 {
            let sum = self.spent + asked;
            // Exact sums stay exact: by Sterbenz's lemma the test below finds the rounding error's sign
            // when one operand is not larger than the sum, which holds for positive numbers.
            let lost = (sum - self.spent) < asked || (sum - asked) < self.spent;
            let total = if lost { sum.next_up() } else { sum };
            if !(total <= self.budget) {
                return Err(AccountError::Overspent {
                    asked,
                    remaining: self.remaining(),
                });
            }
            self.spent = total;
        }
        self.steps += 1;
        Ok(())
    }

    /// Σ ρₜ so far, rounded up.
    #[must_use]
    pub fn spent_upper(&self) -> f64 {
        self.spent
    }

    /// What is left, rounded down.
    #[must_use]
    pub fn remaining(&self) -> f64 {
        (self.budget - self.spent).next_down().max(0.0)
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
        super::zcdp::epsilon_upper(Rho::new(self.budget)?, delta)
    }
}
