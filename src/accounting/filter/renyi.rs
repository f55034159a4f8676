//! Rényi divergences at orders that are fixed beforehand.

use super::super::basis::{self, COMPOSED, View};
use super::super::float::Enclosure;
use super::super::rdp::{Curve, epsilon_at_order};
use super::super::views::steps_curve;
use super::super::{AccountError, Claims, Event};
use super::{Purse, sum_upper};
use crate::units::{Delta, Epsilon, Neighbouring};

/// Budgets of the Rényi divergence at each of some orders, which mechanisms may be charged to one by one, each chosen after
/// seeing the answers of the earlier ones: if the sums keep to the budgets at all orders, so does the whole (claim
/// `acc-renyi-filter`). At *each* order: that on every path one of them is kept to would not do.
///
/// ```
/// use dp_assay::accounting::filter::RenyiFilter;
/// use dp_assay::prelude::*;
///
/// let steps = |sigma, times| Event::Repeated {
///     times,
///     event: Box::new(Event::PoissonSampled {
///         rate: 0.01,
///         event: Box::new(Event::Gaussian { sigma, sensitivity: 1.0 }),
///     }),
/// };
/// // As much as a thousand steps of σ = 1 at the orders 5 to 20 …
/// let betas = [4.0, 6.0, 9.0, 12.0, 19.0];
/// let mut filter = RenyiFilter::of(&steps(1.0, 1000), Neighbouring::AddRemove, &betas)?;
/// filter.spend(&steps(1.0, 500))?;
/// // … of which half are left, or more with more noise.
/// assert!(filter.spend(&steps(1.0, 501)).is_err());
/// filter.spend(&steps(1.2, 600))?;
/// // What a thousand steps of σ = 1 cost by these orders; 1.83 nats by their privacy-loss distribution.
/// let epsilon = filter.epsilon_upper(Delta::new(1e-5)?)?;
/// assert!((1.83..2.2).contains(&epsilon), "{epsilon}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RenyiFilter {
    /// β = α − 1 of each order, with its budget.
    orders: Vec<(f64, Purse)>,
    neighbours: Neighbouring,
    steps: u64,
    claims: Claims,
}

impl RenyiFilter {
    /// As much as this event may spend, at the orders 1 + β for every β given.
    ///
    /// # Errors
    /// An event without Rényi divergences; no order at which it has a finite one; β ≤ 0.
    pub fn of(
        budget: &Event,
        neighbours: Neighbouring,
        betas: &[f64],
    ) -> Result<Self, AccountError> {
        let filter = Claims::from("acc-renyi-filter");
        let (costs, claims) = costs(budget, neighbours, betas, filter)?;
        let all = betas.iter().zip(costs);
        let finite = all.filter(|(_, budget)| budget.is_finite());
        let orders: Vec<(f64, Purse)> = finite.map(|(b, cost)| (*b, Purse::new(cost))).collect();
        let (count, rule) = (orders.len() as f64, "must be at least 1");
        AccountError::check(count > 0.0, "orders with a finite budget", count, rule)?;
        Ok(Self {
            orders,
            neighbours,
            steps: 0,
            claims,
        })
    }

    /// As much as is (ε, δ)-DP by the order 1 + β alone, rounded down.
    ///
    /// ```
    /// use dp_assay::accounting::filter::RenyiFilter;
    /// use dp_assay::prelude::*;
    ///
    /// let (epsilon, delta) = (Epsilon::new(2.0)?, Delta::new(1e-5)?);
    /// let filter = RenyiFilter::within(epsilon, delta, 9.0, Neighbouring::AddRemove)?;
    /// assert!((1.999..2.0 + 1e-12).contains(&filter.epsilon_upper(delta)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// An order at which nothing is (ε, δ)-DP; β ≤ 0.
    pub fn within(
        epsilon: Epsilon,
        delta: Delta,
        beta: f64,
        neighbours: Neighbouring,
    ) -> Result<Self, AccountError> {
        check(&[beta])?;
        let b = Enclosure::point(beta);
        let log_delta = Enclosure::point(delta.get()).ln();
        // The conversion, solved for the divergence.
        let divergence = epsilon.get() + (1.0 / b).ln_1p() + (log_delta + b.ln_1p()) / b;
        let (budget, rule) = (
            divergence.lo,
            "must be > 0: the conversion at this order alone exceeds epsilon",
        );
        AccountError::check(budget > 0.0, "budget of divergence", budget, rule)?;
        Ok(Self {
            orders: vec![(beta, Purse::new(budget))],
            neighbours,
            steps: 0,
            claims: Claims::from("acc-renyi-filter").and(COMPOSED),
        })
    }

    /// Charges a step, which has the divergences of this event whatever was seen before it, before it is run.
    ///
    /// # Errors
    /// An event without Rényi divergences; one that would exceed the budget of an order: then nothing is charged and a smaller
    /// one may follow.
    pub fn spend(&mut self, event: &Event) -> Result<(), AccountError> {
        let betas: Vec<f64> = self.orders.iter().map(|(beta, _)| *beta).collect();
        let (costs, claims) = costs(event, self.neighbours, &betas, self.claims.clone())?;
        let each = self.orders.iter().zip(costs);
        let totals: Result<Vec<f64>, AccountError> = each
            .map(|((_, purse), cost)| purse.after("D_alpha", cost))
            .collect();
        for ((_, purse), total) in self.orders.iter_mut().zip(totals?) {
            purse.spent = total;
        }
        self.claims = claims;
        self.steps += 1;
        Ok(())
    }

    /// For each order's α − 1 what is left of its budget, rounded down.
    pub fn remaining(&self) -> impl Iterator<Item = (f64, f64)> {
        let each = self.orders.iter();
        each.map(|(beta, purse)| (*beta, purse.remaining()))
    }

    /// Number of steps admitted.
    #[must_use]
    pub const fn steps(&self) -> u64 {
        self.steps
    }

    /// Upper bound on the ε at δ of everything admitted so far and still to come: the least that the budget of an order says.
    ///
    /// # Errors
    /// δ = 0.
    pub fn epsilon_upper(&self, delta: Delta) -> Result<f64, AccountError> {
        positive(delta)?;
        let each = self.orders.iter();
        let each = each.map(|(beta, purse)| epsilon_at_order(*beta, purse.budget, delta.get()));
        Ok(each.fold(f64::INFINITY, f64::min))
    }

    /// What its guarantee rests on.
    #[must_use]
    pub const fn claims(&self) -> &Claims {
        &self.claims
    }
}

/// What was spent by mechanisms that are chosen after seeing answers, without a budget: at any time an ε for all that was run.
///
/// Whoever stops when what was seen suggests it has, with ε the odometer's then and for every event E of outcomes, P(E) ≤
/// E_Q(e^ε; E) + δ: so P(E) ≤ e^c·Q(E) + δ where it reads at most c (claim `acc-odometer`). That is the conversion of Rényi divergences with two
/// prices: the orders are fixed beforehand, and of m of them each has δ/m. A filter says less of what was spent, but
/// that the whole is (ε, δ)-DP.
///
/// ```
/// use dp_assay::accounting::filter::Odometer;
/// use dp_assay::prelude::*;
///
/// let (delta, neighbours) = (Delta::new(1e-5)?, Neighbouring::AddRemove);
/// let mut odometer = Odometer::new(delta, neighbours, &[1.0, 3.0, 9.0, 27.0])?;
/// let step = Event::Gaussian { sigma: 4.0, sensitivity: 1.0 };
/// odometer.spend(&step)?;
/// let once = odometer.epsilon_upper();
/// for _ in 1..16 {
///     odometer.spend(&step)?;
/// }
/// // Sixteen steps are one of σ = 1: 4.377 nats if that had been fixed beforehand, 4.73 by all orders of a Rényi divergence,
/// // and by order 4 with a quarter of δ 2 + ln(3/4) − ln(4·δ/4)/3 = 5.55.
/// assert!((5.54..5.56).contains(&odometer.epsilon_upper()), "{}", odometer.epsilon_upper());
/// assert!((0.9..1.3).contains(&once), "{once}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Odometer {
    /// β = α − 1 of each order, with its divergence so far, rounded up.
    orders: Vec<(f64, f64)>,
    /// δ of each order, rounded down.
    share: f64,
    neighbours: Neighbouring,
    steps: u64,
    claims: Claims,
}

impl Odometer {
    /// With nothing run; the orders are 1 + β for every β given, with equal shares of δ.
    ///
    /// # Errors
    /// δ = 0 or too small to share; no order; β ≤ 0.
    pub fn new(
        delta: Delta,
        neighbours: Neighbouring,
        betas: &[f64],
    ) -> Result<Self, AccountError> {
        check(betas)?;
        let share = (Enclosure::point(delta.get()) / betas.len() as f64).lo;
        AccountError::check(share > 0.0, "delta of an order", share, "must be > 0")?;
        Ok(Self {
            orders: betas.iter().map(|beta| (*beta, 0.0)).collect(),
            share,
            neighbours,
            steps: 0,
            claims: Claims::from("acc-odometer"),
        })
    }

    /// Counts a step, which has the divergences of this event whatever was seen before it.
    ///
    /// # Errors
    /// An event without Rényi divergences; it is then not counted and must not be run.
    pub fn spend(&mut self, event: &Event) -> Result<(), AccountError> {
        let betas: Vec<f64> = self.orders.iter().map(|(beta, _)| *beta).collect();
        let (costs, claims) = costs(event, self.neighbours, &betas, self.claims.clone())?;
        for ((_, spent), cost) in self.orders.iter_mut().zip(costs) {
            *spent = sum_upper(*spent, cost);
        }
        self.claims = claims;
        self.steps += 1;
        Ok(())
    }

    /// The ε of all that was run, 0 before the first step; infinite where no order has a finite divergence.
    #[must_use]
    pub fn epsilon_upper(&self) -> f64 {
        if self.steps == 0 {
            return 0.0;
        }
        let each = self.orders.iter();
        let each = each.map(|(beta, spent)| epsilon_at_order(*beta, *spent, self.share));
        each.fold(f64::INFINITY, f64::min)
    }

    /// Number of steps counted.
    #[must_use]
    pub const fn steps(&self) -> u64 {
        self.steps
    }

    /// What its statement rests on.
    #[must_use]
    pub const fn claims(&self) -> &Claims {
        &self.claims
    }
}

fn check(betas: &[f64]) -> Result<(), AccountError> {
    let (count, rule) = (betas.len() as f64, "must be at least 1");
    AccountError::check(count > 0.0, "number of orders", count, rule)?;
    betas.iter().try_for_each(|&beta| {
        let rule = "must be > 0 and finite";
        AccountError::check(beta > 0.0 && beta.is_finite(), "beta", beta, rule)
    })
}

fn positive(delta: Delta) -> Result<(), AccountError> {
    match delta.get() {
        0.0 => Err(AccountError::NoFiniteEpsilon {
            delta: 0.0,
            floor: 0.0,
        }),
        _ => Ok(()),
    }
}

/// The divergences of an event at some orders, the greatest over ways through parallel branches, and those claims with the ones on them.
fn costs(
    event: &Event,
    neighbours: Neighbouring,
    betas: &[f64],
    mut claims: Claims,
) -> Result<(Vec<f64>, Claims), AccountError> {
    check(betas)?;
    let mut greatest = vec![0.0f64; betas.len()];
    for steps in event.steps(neighbours)? {
        let mut curve = steps_curve(&steps, neighbours)?;
        for (most, beta) in greatest.iter_mut().zip(betas) {
            let cost = curve.rdp_upper(*beta);
            *most = if cost.is_nan() {
                f64::INFINITY
            } else {
                most.max(cost)
            };
        }
        let made = &["gcd-aux-renyi", "skgd-prop-D.6"];
        claims = claims.with(&basis::claims(&steps, neighbours, View::Curve, made)?);
    }
    let apart = basis::apart(event, neighbours)?;
    Ok((greatest, apart.into_iter().fold(claims, Claims::and)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_counted_that_are_admitted() {
        let step = Event::Gaussian {
            sigma: 4.0,
            sensitivity: 1.0,
        };
        let (epsilon, delta) = (Epsilon::new(2.0), Delta::new(1e-5));
        let (epsilon, delta) = (epsilon.expect("in range"), delta.expect("a delta"));
        // D₁₀ of a step is 10/32, and 1.08 may be spent.
        let filter = RenyiFilter::within(epsilon, delta, 9.0, Neighbouring::AddRemove);
        let mut filter = filter.expect("an order");
        for (admitted, steps) in [(true, 1), (true, 2), (true, 3), (false, 3)] {
            assert_eq!(filter.spend(&step).is_ok(), admitted);
            assert_eq!(filter.steps(), steps);
        }
    }

    /// The budget of an order is all that it may spend, and no more, whatever the order.
    #[test]
    fn a_budget_within_epsilon_says_that_epsilon() {
        for (epsilon, delta) in [(2.0, 1e-5), (30.0, 1e-12), (3.0, 0.1)] {
            let (whole, delta) = (Epsilon::new(epsilon), Delta::new(delta));
            let (whole, delta) = (whole.expect("in range"), delta.expect("a delta"));
            for beta in [0.5, 1.0, 9.0, 40.0, 1e4] {
                let made = RenyiFilter::within(whole, delta, beta, Neighbouring::AddRemove);
                let Ok(filter) = made else {
                    // At this order δ alone is more than ε.
                    assert!(
                        epsilon_at_order(beta, 0.0, delta.get()) >= epsilon,
                        "{beta}"
                    );
                    continue;
                };
                let found = filter.epsilon_upper(delta).expect("positive");
                assert!(found <= epsilon * (1.0 + 1e-12), "{beta}: {found}");
                assert!(found >= epsilon * (1.0 - 1e-12), "{beta}: {found}");
            }
        }
    }
}
