//! Filters of sums never admit more than their budget, in exact arithmetic, and refuse only what does not fit up to their own
//! rounding; and no run of three steps that chooses by what it saw loses more than a filter or an odometer says.
#![no_main]
#[path = "../../tests/common/adaptive.rs"]
mod adaptive;

use adaptive::{Outcomes, Rule};
use dp_assay::accounting::filter::{GdpFilter, Odometer, PlanFilter, RenyiFilter, ZcdpFilter};
use dp_assay::accounting::{AccountError, Accountant, Event, gdp, zcdp};
use dp_assay::units::{Delta, Epsilon, Neighbouring, Rho};
use dp_assay_spec::arith::Rational;
use libfuzzer_sys::fuzz_target;

fn exact(x: f64) -> Rational {
    Rational::from_f64(x).expect("finite")
}

fn sums((budget, steps): &(f64, Vec<f64>)) {
    let Ok(budget) = Rho::new(*budget) else {
        return;
    };
    let mut filter = ZcdpFilter::new(budget);
    let (limit, unit) = (exact(budget.get()), budget.get().next_up() - budget.get());
    let (mut sum, mut admitted) = (Rational::new(), 0u64);
    for step in steps.iter().filter_map(|x| Rho::new(*x).ok()) {
        let with = Rational::from(&sum + &exact(step.get()));
        if filter.spend(step).is_ok() {
            (sum, admitted) = (with, admitted + 1);
            assert!(sum <= limit, "overspent");
        } else if unit.is_finite() {
            let rounding = exact(unit) * (admitted + 1);
            assert!(with + rounding > limit, "refused what fits");
        }
        assert_eq!(filter.steps(), admitted);
        assert!(exact(filter.spent_upper()) >= sum);
        assert!(exact(filter.remaining()) <= Rational::from(&limit - &sum));
    }
}

fn squares((budget, steps): &(f64, Vec<f64>)) {
    let Ok(mut filter) = GdpFilter::new(*budget) else {
        return;
    };
    let square = |x: f64| exact(x) * exact(x);
    let (limit, mut sum) = (square(*budget), Rational::new());
    for mu in steps.iter().copied() {
        if filter.spend(mu).is_ok() {
            sum += square(mu);
            assert!(sum <= limit, "overspent");
        }
        assert!(square(filter.spent_upper()) >= sum);
        assert!(square(filter.remaining()) <= Rational::from(&limit - &sum));
    }
}

const RELATION: Neighbouring = Neighbouring::ReplaceOne;
const STEPS: u32 = 3;

/// Mechanisms of two answers that a run may choose from, each with its ε, rounded up.
struct Choice {
    mechanisms: Vec<Outcomes>,
    epsilons: Vec<Epsilon>,
    delta: f64,
}

impl Choice {
    fn new(shares: &[(u8, u8)], delta: f64) -> Self {
        let share = |x: u8| (1.0 + f64::from(x)) / 257.0;
        let pairs = || shares.iter().map(|(p, q)| (share(*p), share(*q)));
        let epsilon = |(p, q): (f64, f64)| {
            let most = (p / q).ln().abs().max(((1.0 - p) / (1.0 - q)).ln().abs());
            Epsilon::new(most * (1.0 + 1e-14) + 1e-14).expect("finite")
        };
        Self {
            mechanisms: pairs()
                .map(|(p, q)| vec![(p, q), (1.0 - p, 1.0 - q)])
                .collect(),
            epsilons: pairs().map(epsilon).collect(),
            delta,
        }
    }

    fn event(&self, i: usize) -> Event {
        let epsilon = self.epsilons[i].get();
        Event::Pure { epsilon }
    }

    /// That no run loses more than δ at what the state says.
    fn holds<S: Clone>(
        &self,
        state: &S,
        epsilon: impl Fn(&S) -> f64,
        spend: impl Fn(&mut S, usize) -> Result<(), AccountError>,
    ) {
        let rule = Rule {
            mechanisms: &self.mechanisms,
            next: &|state: &S, i: usize| {
                let mut after = state.clone();
                spend(&mut after, i).ok().map(|()| after)
            },
            level: &|state: &S| epsilon(state).exp(),
        };
        let lost = rule.worst(state, (1.0, 1.0), STEPS);
        assert!(
            lost <= self.delta * (1.0 + 1e-9) + 1e-12,
            "{lost} of {}",
            self.delta
        );
    }
}

fn runs(choice: &Choice, budget: f64, betas: &[f64]) {
    let delta = Delta::new(choice.delta).expect("in range");
    let all = 0..choice.mechanisms.len();
    let filter = ZcdpFilter::new(Rho::new(budget).expect("in range"));
    let epsilon = filter.epsilon_upper(delta).expect("finite");
    let rho = |i: usize| Rho::new(zcdp::pure_rho_upper(choice.epsilons[i])).expect("finite");
    choice.holds(&filter, |_| epsilon, |f, i| f.spend(rho(i)));

    let filter = GdpFilter::new(budget).expect("in range");
    let epsilon = filter.epsilon_upper(delta).expect("finite");
    let mu = |i: usize| gdp::mu_of_pure(choice.epsilons[i]).expect("below 690");
    choice.holds(&filter, |_| epsilon, |f, i| f.spend(mu(i)));

    let whole = Event::Pure { epsilon: budget };
    let filter = RenyiFilter::of(&whole, RELATION, betas).expect("orders");
    let epsilon = filter.epsilon_upper(delta).expect("finite");
    choice.holds(&filter, |_| epsilon, |f, i| f.spend(&choice.event(i)));

    let list = all.map(|i| (choice.event(i), 1)).collect();
    let filter = PlanFilter::new(list, RELATION).expect("a list");
    let epsilon = filter
        .report(delta, Accountant::Auto)
        .expect("known")
        .epsilon_upper;
    choice.holds(&filter, |_| epsilon, |f, i| f.spend(&choice.event(i)));

    let odometer = Odometer::new(delta, RELATION, betas).expect("orders");
    choice.holds(&odometer, Odometer::epsilon_upper, |o, i| {
        o.spend(&choice.event(i))
    });
}

/// Spent sums, the mechanisms' choice, δ, the budget and the orders.
type Input = ((f64, Vec<f64>), [(u8, u8); 3], u8, u8, [u8; 2]);

fuzz_target!(|input: Input| {
    sums(&input.0);
    squares(&input.0);
    let part = |x: u8| f64::from(x) / 255.0;
    let delta = 10f64.powf(-0.1 - 4.0 * part(input.2));
    let betas = input.4.map(|x| 10f64.powf(-1.0 + 3.0 * part(x)));
    let budget = 0.01 + 3.0 * part(input.3);
    runs(&Choice::new(&input.1, delta), budget, &betas);
});
