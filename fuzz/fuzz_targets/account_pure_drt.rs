//! Laplace, discrete Laplace and randomised response against MPFR: profiles and Rényi divergences.
#![no_main]
use dp_assay::accounting::float::Enclosure;
use dp_assay::accounting::laplace::Laplace;
use dp_assay::accounting::pld::discrete_law::DiscreteLaw;
use dp_assay::accounting::pld::law::{LossLaw, profile};
use dp_assay::accounting::{discrete, response};
use dp_assay::units::{Epsilon, Neighbouring, Scale, Sensitivity};
use dp_assay_spec::arith::Interval;
use dp_assay_spec::privacy::choice::randomized_response_pair;
use dp_assay_spec::privacy::laplace::{self, discrete_laplace_pair};
use dp_assay_spec::privacy::{FinitePair, Profile, RenyiCurve};
use libfuzzer_sys::fuzz_target;

fn meet(ours: Enclosure, oracle: &Interval) {
    assert!(
        ours.lo <= oracle.hi_f64() && oracle.lo_f64() <= ours.hi,
        "{ours:?} {oracle:?}"
    );
    assert!(ours.width() <= 1e-11, "{ours:?}");
}

/// Upper bounds are not below the oracle, nor so far above that something other than rounding is wrong.
fn covers(ours: f64, oracle: &Interval) {
    let (lo, hi) = (oracle.lo_f64(), oracle.hi_f64());
    assert!(
        lo <= ours && ours <= hi * (1.0 + 1e-9) + 1e-9,
        "{ours} {oracle:?}"
    );
}

fn finite(ours: &DiscreteLaw, oracle: &FinitePair, epsilon: f64, beta: f64) {
    meet(
        profile(ours, epsilon),
        &oracle.hockey_stick(&Interval::from_f64(epsilon)),
    );
    let alpha = &Interval::from(1) + &Interval::from_f64(beta);
    covers(
        ours.rdp_upper(beta),
        &oracle.renyi(&alpha).expect("alpha > 1"),
    );
    covers(ours.support().1, &oracle.pure_epsilon());
}

fuzz_target!(|input: (u8, u8, u16, u16, u16)| {
    let (kind, count, first, second, third) = input;
    let part = |x: u16| f64::from(x) / 65_535.0;
    let (epsilon, beta) = (8.0 * part(second), 10f64.powf(-2.0 + 4.0 * part(third)));
    match kind % 4 {
        0 => {
            let (one, scale) = (1.0, 10f64.powf(-1.0 + 4.0 * part(first)));
            let ours = Laplace::new(
                Sensitivity::new(one).expect("1"),
                Scale::new(scale).expect("> 0"),
            );
            let exact = Interval::from_f64;
            let oracle = laplace::Laplace::new(&exact(scale), &exact(one)).expect("in range");
            meet(
                ours.delta(Epsilon::new(epsilon).expect("finite")),
                &oracle.delta(&exact(epsilon)),
            );
            let alpha = 1.0 + beta;
            covers(ours.rdp_upper(alpha), &oracle.rdp(&exact(alpha)));
        }
        1 => {
            let (a, span) = (
                10f64.powf(-3.0 + 4.0 * part(first)),
                1 + u32::from(count % 8),
            );
            let ours = discrete::laplace(a, u64::from(span)).expect("in range");
            let oracle = discrete_laplace_pair(&Interval::from_f64(a), span);
            finite(&ours, &oracle.expect("in range"), epsilon, beta);
        }
        _ => {
            // Near 0, and by turns near 1, where the losses vanish.
            let small = 10f64.powf(-15.0 * part(first));
            let noise = if kind % 4 == 2 {
                small
            } else {
                (1.0 - small).max(0.5)
            };
            let k = 2 + u32::from(count % 30);
            let laws = response::laws(noise, u64::from(k), Neighbouring::ReplaceOne);
            let oracle = randomized_response_pair(&Interval::from_f64(noise), k);
            finite(
                &laws.expect("in range")[0],
                &oracle.expect("in range"),
                epsilon * small,
                beta,
            );
        }
    }
});
