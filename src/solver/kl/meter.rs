//! What every release costs in zCDP, and whether it may happen.
//!
//! A Gaussian release of ℓ₂ sensitivity Δ and deviation σ costs Δ²/(2σ²), whatever the earlier answers were; costs
//! add up along any adaptive choice (`kl-imp-adaptive`). The filter counts: the repaired algorithms ask it before
//! each release; the printed ones only record, against a budget that nothing exceeds.

use super::{Budget, Variant};
use crate::accounting::AccountError;
use crate::accounting::filter::ZcdpFilter;
use crate::units::{Neighbouring, Rho};

/// Counts in ρ of zCDP what is spent, rounded up, and refuses the release that would exceed the budget (the filter of
/// adaptive composition; as printed, it only counts).
///
/// ```
/// use dp_assay::solver::kl::{Budget, Meter, Variant};
/// use dp_assay::units::{Neighbouring, Rho};
///
/// let (rho, neighbours) = (Rho::new(1.0)?, Neighbouring::ReplaceOne);
/// let budget = Budget { rho, neighbours, variant: Variant::Repaired };
/// let mut meter = Meter::new(&budget)?;
/// // A mean that moves by 2·0.25 at most, with deviation 1, costs ρ = (2·0.25)²/2 = 0.125.
/// assert!(meter.gaussian(0.25, 1.0)?);
/// assert!(!meter.gaussian(1.0, 1.0)?); // ρ = 2 is too much
/// assert!(meter.refused() && meter.releases() == 1);
/// assert!((0.125..0.13).contains(&meter.spent_upper()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Meter {
    filter: ZcdpFilter,
    variant: Variant,
    /// m: how many times L₀/n a mean gradient can move.
    multiple: f64,
    /// By stages that are over, rounded up.
    before: f64,
    releases: u64,
    refused: bool,
}

/// The least cost charged for a release that costs anything: a smaller one has lost digits, or all of them, to
/// underflow.
const LEAST: f64 = 1e-290;

/// Why a cost is not known.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeterError {
    /// A relation under which gradients are not known to move by a multiple of L₀/n.
    #[error("no sensitivity is known under {0} neighbours; replace-one and zero-out have one")]
    Neighbours(Neighbouring),
    /// A cost that is no number.
    #[error(transparent)]
    Account(#[from] AccountError),
}

impl Meter {
    /// With nothing spent.
    ///
    /// # Errors
    /// If no sensitivity is known under the relation.
    pub fn new(budget: &Budget) -> Result<Self, MeterError> {
        let multiple = match budget.neighbours {
            Neighbouring::ReplaceOne => 2.0,
            Neighbouring::ZeroOut => 1.0,
            other => return Err(MeterError::Neighbours(other)),
        };
        Ok(Self {
            filter: Self::filter(budget.variant, budget.rho)?,
            variant: budget.variant,
            multiple,
            before: 0.0,
            releases: 0,
            refused: false,
        })
    }

    fn filter(variant: Variant, rho: Rho) -> Result<ZcdpFilter, AccountError> {
        Ok(ZcdpFilter::new(match variant {
            Variant::Printed => Rho::new(f64::MAX)?,
            Variant::Repaired => rho,
        }))
    }

    /// Charges a Gaussian release of a quantity that moves by at most `multiple`·`unit`, where `unit` is L₀/n for a mean
    /// gradient or its norm and L₁‖step‖/n for a difference. Whether it may be released.
    ///
    /// # Errors
    /// If the cost is no number.
    pub fn gaussian(&mut self, unit: f64, deviation: f64) -> Result<bool, MeterError> {
        let ratio = self.multiple * unit / deviation;
        // Five roundings.
        self.charge(unit, 0.5 * ratio * ratio * (1.0 + 6.0 * f64::EPSILON))
    }

    /// Charges a release of bounded range: a draw with probability ∝ exp(−c·score), scores moving by at most
    /// `multiple`·`unit`, has range 2c·m·unit and costs an eighth of its square.
    ///
    /// # Errors
    /// If the cost is no number.
    pub fn selection(&mut self, coefficient: f64, unit: f64) -> Result<bool, MeterError> {
        let range = 2.0 * coefficient * self.multiple * unit;
        self.charge(unit, range * range / 8.0 * (1.0 + 8.0 * f64::EPSILON))
    }

    /// Gives what follows a budget of its own, whatever is left of the last one.
    ///
    /// # Errors
    /// None for a finite budget, and there is no other [`Rho`].
    pub fn stage(&mut self, budget: Rho) -> Result<(), MeterError> {
        self.before = self.spent_upper();
        self.filter = Self::filter(self.variant, budget)?;
        Ok(())
    }

    fn charge(&mut self, unit: f64, cost: f64) -> Result<bool, MeterError> {
        let cost = if unit != 0.0 && cost < LEAST {
            LEAST
        } else {
            cost
        };
        match self
            .filter
            .spend(Rho::new(cost).map_err(AccountError::from)?)
        {
            Ok(()) => self.releases += 1,
            Err(AccountError::Overspent { .. }) => {
                self.refused = true;
                return Ok(false);
            }
            Err(other) => return Err(other.into()),
        }
        Ok(true)
    }

    /// ρ spent so far, rounded up: never above the budget where the filter is asked.
    #[must_use]
    pub fn spent_upper(&self) -> f64 {
        let spent = self.filter.spent_upper();
        if self.before > 0.0 {
            (self.before + spent).next_up()
        } else {
            spent
        }
    }

    /// Number of releases admitted.
    #[must_use]
    pub const fn releases(&self) -> u64 {
        self.releases
    }

    /// Whether a release was refused.
    #[must_use]
    pub const fn refused(&self) -> bool {
        self.refused
    }
}
