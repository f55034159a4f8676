//! The adaptive filter never admits more than its budget, in exact arithmetic, and refuses only what
//! does not fit up to its own rounding.
#![no_main]
use dp_assay::accounting::filter::ZcdpFilter;
use dp_assay::units::Rho;
use dp_assay_spec::arith::Rational;
use libfuzzer_sys::fuzz_target;

fn exact(x: f64) -> Rational {
    Rational::from_f64(x).expect("finite")
}

fuzz_target!(|input: (f64, Vec<f64>)| {
    let Ok(budget) = Rho::new(input.0) else {
        return;
    };
    let mut filter = ZcdpFilter::new(budget);
    let (limit, unit) = (exact(budget.get()), budget.get().next_up() - budget.get());
    let (mut sum, mut admitted) = (Rational::new(), 0u64);
    for step in input.1.iter().filter_map(|x| Rho::new(*x).ok()) {
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
});
