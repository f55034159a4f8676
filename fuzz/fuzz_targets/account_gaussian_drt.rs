//! The Gaussian mechanism against MPFR: δ(ε), ε(δ) and σ(ε, δ) on the safe side and tight.
//!
//! Found: calibration gave up at δ = 10⁻³⁰⁰, where x passes 36 and the start was off; and at ε = 0 with
//! δ = 10⁻²³⁸, where μ leaves the range of double-double arithmetic. Where the profile is flat (δ = 1 − 10⁻¹²) ε is as loose
//! as δ is known.
#![no_main]
use dp_assay::accounting::gaussian::{Gaussian, calibrate_sigma};
use dp_assay::units::{Delta, Epsilon, Sensitivity, StdDev};
use dp_assay_spec::arith::Interval;
use dp_assay_spec::privacy::{Gdp, Profile};
use libfuzzer_sys::fuzz_target;

/// The oracle's enclosure of δ(ε) at σ.
fn oracle(sigma: f64, epsilon: f64) -> Interval {
    let mechanism = Gdp::mechanism(&Interval::from_f64(sigma), &Interval::from(1));
    mechanism
        .expect("sigma > 0")
        .delta(&Interval::from_f64(epsilon))
}

fuzz_target!(|input: (u16, u16, u16)| {
    let part = |x: u16| f64::from(x) / 65_535.0;
    let sigma = 10f64.powf(-2.0 + 8.0 * part(input.0));
    let delta = 10f64.powf(-300.0 * part(input.1).powi(2)).min(1.0 - 1e-12);
    let epsilon = if input.2 == 0 {
        0.0
    } else {
        10f64.powf(-6.0 + 9.3 * part(input.2))
    };
    let one = Sensitivity::new(1.0).expect("positive");
    let ours = Gaussian::new(one, StdDev::new(sigma).expect("positive"));
    let (e, d) = (
        Epsilon::new(epsilon).expect("finite"),
        Delta::new(delta).expect("in range"),
    );

    let (at, truth) = (ours.delta(e), oracle(sigma, epsilon));
    assert!(
        at.lo <= truth.hi_f64() && truth.lo_f64() <= at.hi,
        "{at:?} {truth:?}"
    );
    assert!(at.width() <= 1e-14 * at.hi + 1e-304, "{at:?}");

    let at = ours.epsilon(d).expect("delta > 0");
    assert!(oracle(sigma, at.hi).lo_f64() <= delta, "{at:?}");
    assert!(
        at.lo == 0.0 || oracle(sigma, at.lo).hi_f64() >= delta,
        "{at:?}"
    );
    // Tight in ε, or where the profile is flat as tight as δ is known: by 2⁻⁸⁸ of itself, for both ends and each step.
    let spread = oracle(sigma, at.lo) - oracle(sigma, at.hi);
    let known = spread.hi_f64() <= 2f64.powi(-84) * delta;
    assert!(known || at.width() <= 1e-12 * at.hi + 1e-20, "{at:?}");

    let at = calibrate_sigma(one, e, d).expect("0 < delta < 1");
    assert!(oracle(at.hi, epsilon).lo_f64() <= delta, "{at:?}");
    assert!(oracle(at.lo, epsilon).hi_f64() >= delta, "{at:?}");
    assert!(at.width() <= 1e-9 * at.hi, "{at:?}");
});
