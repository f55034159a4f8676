//! Gaussian and Laplace noise against the specification's oracle, which shares no code with the accountants.

use super::*;
use crate::parallel::on_all_cores;
use dp_assay::accounting::gaussian::{Gaussian, calibrate_sigma};
use dp_assay::accounting::oracle::transcript;
use dp_assay::units::{Epsilon, Sensitivity, StdDev};
use dp_assay_spec::arith::Interval;
use dp_assay_spec::privacy::{Gdp, Profile};

/// Certified ends of the ε of an event under add/remove, on a grid of 2¹⁰ losses.
fn oracle(event: &Event, delta: f64) -> (f64, f64) {
    let neighbours = Neighbouring::AddRemove;
    let steps = event.steps(neighbours).expect("small");
    let all = transcript(&steps[0], neighbours).expect("known to the oracle");
    let found = all.epsilon(&Interval::from_f64(delta), 10).expect("finite");
    (found.lo_f64(), found.hi_f64())
}

/// The accountants' answer lies between the oracle's ends, up to a thousandth.
fn meets(event: &Event, truth: (f64, f64), delta: f64) {
    for method in [Accountant::Auto, Accountant::Pld] {
        let found = match account(event, del(delta), method, Neighbouring::AddRemove, true) {
            Ok(found) => found,
            Err(_) if method == Accountant::Pld && delta < 1e-270 => continue,
            Err(e) => panic!("{event:?} by {method:?}: {e}"),
        };
        let safe = truth.0 <= found.epsilon_upper && found.epsilon_lower <= truth.1;
        let tight = found.epsilon_upper <= truth.1 * (1.0 + 1e-3) + 1e-6;
        assert!(
            safe && tight,
            "{event:?}, δ = {delta:e}, {method:?}: {found:?}, {truth:?}"
        );
    }
}

/// A hundred sampled steps and ten full ones are not a hundred and ten sampled ones, nor full ones.
#[test]
fn steps_that_differ_in_their_sampling_alone_are_counted_apart() {
    let parts = [
        repeated(100, &poisson(0.01, &gaussian(1.0))),
        repeated(10, &gaussian(1.0)),
        repeated(50, &poisson(0.1, &gaussian(1.0))),
    ];
    for count in [2, 3] {
        let all = |events| Event::Composed { events };
        let truth = oracle(&all(parts[..count].to_vec()), 1e-5);
        assert!(truth.0 > 15.0, "{truth:?}");
        for order in orders(&parts[..count]).into_iter().take(2) {
            meets(&all(order), truth, 1e-5);
        }
    }
    let steps = Event::Composed {
        events: parts.to_vec(),
    }
    .steps(Neighbouring::AddRemove);
    let counts: Vec<u64> = steps.expect("small")[0].iter().map(|s| s.count).collect();
    assert_eq!(counts, [100, 10, 50]);
}

#[test]
fn heterogeneous_noise_meets_the_oracle_in_every_order_at_large_and_tiny_deltas() {
    let parts = [
        repeated(30, &poisson(0.05, &gaussian(0.9))),
        repeated(4, &laplace(3.0)),
        repeated(3, &gaussian(4.0)),
        Event::Approximate {
            epsilon: 0.3,
            delta: 1e-40,
        },
    ];
    let orders = orders(&parts);
    on_all_cores(&[0.1, 1e-30], |&delta| {
        let all = |events: &[Event]| Event::Composed {
            events: events.to_vec(),
        };
        let truth = oracle(&all(&parts), delta);
        for order in orders.iter().step_by(13) {
            meets(&all(order), truth, delta);
        }
    });
}

/// All others of a batch like the replacement: (1−q)N(0, σ²) + qN(2, σ²) against N(0, σ²) is attained.
#[test]
fn a_replaced_record_of_a_fixed_batch_moves_the_sum_by_twice_its_norm() {
    for (size, batch, sigma, times, delta) in [
        (100, 10, 2.0, 1, 1e-3),
        (100, 10, 2.0, 60, 1e-5),
        (50, 1, 0.8, 30, 1e-4),
    ] {
        let noise = Event::Gaussian {
            sigma,
            sensitivity: 2.0,
        };
        let attained = repeated(times, &poisson(batch as f64 / size as f64, &noise));
        let (low, high) = oracle(&attained, delta);
        let event = repeated(times, &fixed_size(size, batch, &gaussian(sigma)));
        let found = report(&event, delta, Accountant::Auto, Neighbouring::ReplaceOne);
        let epsilon = found.epsilon_upper;
        // What joins the profiles of both directions is above either by little.
        assert!(
            low <= epsilon && epsilon <= 1.12 * high + 1e-4,
            "{event:?}: {epsilon}, [{low}, {high}]"
        );
        // The attack is the oracle's very pair.
        assert!(
            found.epsilon_lower <= high && found.epsilon_lower > 0.99 * low,
            "{event:?}: {found:?}, [{low}, {high}]"
        );
    }
}

/// Poisson samples of which one record is replaced: the mixtures themselves, on cells a thousandth of σ wide.
#[test]
fn a_replaced_record_of_a_poisson_sample_meets_its_mixtures_summed_over_cells() {
    use super::brute::Pair;
    use statrs::distribution::{ContinuousCDF, Normal};
    for (rate, sigma, delta) in [(0.3, 1.0, 1e-3), (0.02, 0.7, 1e-5), (0.9, 3.0, 1e-4)] {
        let normal = Normal::new(0.0, sigma).expect("a law");
        let cells = 24_000i32;
        // Tails by symmetry, so that small ones keep their digits.
        let cell = |j: i32, centre: f64| {
            let (a, b) = (
                f64::from(j) * 1e-3 * sigma - centre,
                f64::from(j + 1) * 1e-3 * sigma - centre,
            );
            if a > 0.0 {
                normal.cdf(-a) - normal.cdf(-b)
            } else {
                normal.cdf(b) - normal.cdf(a)
            }
        };
        let mixture = |shift: f64| -> Vec<f64> {
            let all = -cells / 2..cells / 2;
            let raw: Vec<f64> = all
                .map(|j| (1.0 - rate) * cell(j, 0.0) + rate * cell(j, shift))
                .collect();
            let total: f64 = raw.iter().sum();
            raw.iter().map(|m| m / total).collect()
        };
        let truth = Pair::new(&mixture(1.0), &mixture(-1.0)).epsilon(delta);
        let event = poisson(rate, &gaussian(sigma));
        for method in [Accountant::Auto, Accountant::Pld] {
            let found = report(&event, delta, method, Neighbouring::ReplaceOne);
            // Merging the outcomes of a cell loses about (h/σ)² of the divergence.
            let near = found.epsilon_lower <= truth * (1.0 + 1e-4)
                && truth * (1.0 - 1e-4) <= found.epsilon_upper;
            let tight = found.epsilon_upper <= truth * (1.0 + 1e-3);
            assert!(near && tight, "{event:?} by {method:?}: {found:?}, {truth}");
        }
    }
}

/// Noise beyond every range of the kernels: the answers are those of exact arithmetic, on the safe side.
#[test]
fn gaussian_noise_beyond_the_kernels_ranges_is_answered_on_the_safe_side() {
    let one = Sensitivity::new(1.0).expect("a sensitivity");
    let exact = |sigma: f64, epsilon: f64| {
        let mechanism = Gdp::mechanism(&Interval::from_f64(sigma), &Interval::from(1));
        mechanism
            .expect("in range")
            .delta(&Interval::from_f64(epsilon))
    };
    for sigma in [1e-3, 1e50, 1e99, 1e101, 1e139, 1e141, 1e200, 1e299] {
        let noise = Gaussian::new(one, StdDev::new(sigma).expect("a sigma"));
        assert!(
            noise.mu_upper() >= 1.0 / sigma * (1.0 - f64::EPSILON),
            "{sigma:e}"
        );
        for epsilon in [0.0, 1e-300, 1e-100, 1.0] {
            let (found, truth) = (
                noise.delta(Epsilon::new(epsilon).expect("finite")),
                exact(sigma, epsilon),
            );
            assert!(
                found.hi >= truth.lo_f64(),
                "σ = {sigma:e} at {epsilon:e}: {found:?} {truth:?}"
            );
            let lower = found.lo <= truth.hi_f64() || noise.mu() > 1.0 / sigma;
            assert!(lower, "σ = {sigma:e} at {epsilon:e}: {found:?} {truth:?}");
        }
        for delta in [1e-300, 1e-250, 1e-30] {
            let found = noise.epsilon(del(delta)).expect("finite").hi;
            assert!(
                exact(sigma, found).lo_f64() <= delta,
                "σ = {sigma:e}, δ = {delta:e}: {found:e}"
            );
        }
    }
    for epsilon in [0.0, 1e-300, 1e-150, 1e-79, 1e-10, 1.0] {
        for delta in [1e-300, 1e-200, 1e-100, 1e-10] {
            let sigma = calibrate_sigma(one, Epsilon::new(epsilon).expect("finite"), del(delta));
            let sigma = sigma.expect("0 < delta < 1");
            let what = format!("ε = {epsilon:e}, δ = {delta:e}: {sigma:?}");
            assert!(exact(sigma.hi, epsilon).lo_f64() <= delta, "{what}");
            assert!(
                sigma.lo == 0.0 || exact(sigma.lo, epsilon).hi_f64() >= delta,
                "{what}"
            );
            // Never more noise than an ε of 0 needs.
            let most = 1.0 / (delta * std::f64::consts::TAU.sqrt());
            assert!(sigma.hi <= most * (1.0 + 1e-9), "{what}: {most:e}");
        }
    }
}
