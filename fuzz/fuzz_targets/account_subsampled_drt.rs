//! The Poisson-subsampled Gaussian: moments against MPFR quadrature, and inversion, lattice and Rényi
//! divergences, which share no code beyond elementary functions, against each other.
#![no_main]
use dp_assay::accounting::mixture::Pair;
use dp_assay::accounting::rdp::{Curve, PairCurve};
use dp_assay::accounting::{Accountant, Event, account};
use dp_assay::units::{Delta, Neighbouring};
use dp_assay_spec::arith::Interval;
use dp_assay_spec::privacy::subsampled::{Direction, PoissonGaussian};
use libfuzzer_sys::fuzz_target;

fn moments(rate: f64, sigma: f64, beta: f64) {
    let exact = Interval::from_f64;
    let oracle = PoissonGaussian::new(exact(rate), exact(sigma)).expect("in range");
    let order = &Interval::from(1) + &exact(beta);
    for (direction, pair) in [
        (Direction::Remove, Pair::removal(rate, sigma)),
        (Direction::Add, Pair::addition(rate, sigma)),
    ] {
        let truth = oracle.log_moment(&order, direction).expect("order > 1");
        let divergence = &truth / &exact(beta);
        let ours = PairCurve::new(pair).rdp_upper(beta);
        let (lo, hi) = (divergence.lo_f64(), divergence.hi_f64());
        // The log-moment, of which the divergence is 1/β-fold, sums terms whose logarithms reach 2¹⁰
        // and are each charged some 2⁶ roundings.
        let rounding = 65_536.0 * f64::EPSILON / beta;
        assert!(
            lo <= ours && ours <= hi * (1.0 + 1e-9) + rounding,
            "{direction:?}: {ours} {divergence:?}"
        );
    }
}

fuzz_target!(|input: (u16, u16, u16, u16, u16)| {
    let part = |x: u16| f64::from(x) / 65_535.0;
    let rate = 10f64.powf(-4.0 * part(input.0)).min(1.0);
    let sigma = 10f64.powf(-0.5 + 2.0 * part(input.1));
    moments(rate, sigma, 10f64.powf(-3.0 + 4.5 * part(input.4)));

    let times = 10f64.powf(4.0 * part(input.2)) as u64;
    let delta = Delta::new(10f64.powf(-14.0 * part(input.3))).expect("in range");
    let leaf = Box::new(Event::Gaussian {
        sigma,
        sensitivity: 1.0,
    });
    let step = Event::PoissonSampled { rate, event: leaf };
    let event = Event::Repeated {
        times,
        event: Box::new(step),
    };
    let by = |method| account(&event, delta, method, Neighbouring::AddRemove, true);
    let auto = by(Accountant::Auto).expect("always answered");
    let renyi = by(Accountant::Rdp).expect("always answered");
    assert!(auto.epsilon_lower <= auto.epsilon_upper && auto.epsilon_upper.is_finite());
    assert!(
        auto.epsilon_upper <= renyi.epsilon_upper * (1.0 + 1e-13),
        "{auto:?} {renyi:?}"
    );
    if let Ok(lattice) = by(Accountant::Pld) {
        assert!(
            lattice.epsilon_lower <= auto.epsilon_upper,
            "{lattice:?} {auto:?}"
        );
        assert!(
            auto.epsilon_lower <= lattice.epsilon_upper,
            "{lattice:?} {auto:?}"
        );
    }
});
