//! Minimum separation: against limits that are known, certified enumeration of a few steps, and simulation.

use crate::ask::{
    asked, binned, gaussian, moving, near, normal, poisson, repeated, report, stands_up, upper,
};
use dp_assay::accounting::Event;
use dp_assay::accounting::matrix::Strategy;
use dp_assay::units::Neighbouring;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use Neighbouring::{AddRemove, ReplaceOne, User, ZeroOut};

fn toeplitz(sigma: f64, list: &[f64], separation: u64) -> Box<Event> {
    Box::new(Event::MatrixGaussian {
        sigma,
        strategy: Strategy::Toeplitz(list.to_vec()),
        participations: (list.len() as u64).div_ceil(separation),
        separation,
    })
}

fn apart((steps, separation): (u64, u64), rate: f64, event: Box<Event>) -> Event {
    Event::BMinSeparation {
        steps,
        separation,
        rate,
        event,
    }
}

/// Of the records how many are in a step: q = p/(1 + (b − 1)p).
fn share(separation: u64, rate: f64) -> f64 {
    rate / (1.0 + (separation - 1) as f64 * rate)
}

#[test]
fn no_separation_is_poisson_s_and_a_rate_of_one_is_a_bin() {
    for neighbours in [AddRemove, ReplaceOne, ZeroOut] {
        let upper = |event: &Event| upper(event, 1e-5, neighbours);
        let free = apart((20, 1), 0.1, gaussian(1.0));
        let each = repeated(20, poisson(0.1, gaussian(1.0)));
        assert_eq!(upper(&free), upper(&each), "{neighbours}");
        let list = [1.0, 0.5, 0.25, 0.0];
        let free = apart((4, 1), 0.1, toeplitz(1.0, &list, 1));
        assert_eq!(upper(&free), upper(&poisson(0.1, toeplitz(1.0, &list, 1))));
        // Five steps of a bin move as one by √5.
        let kept = apart((20, 4), 1.0, gaussian(3.0));
        let found = report(&kept, 1e-5, neighbours);
        let bins = Event::BallsInBins {
            bins: 4,
            event: moving(3.0, 5f64.sqrt()),
        };
        assert!(near(found.epsilon_upper, upper(&bins), 1e-6), "{found:?}");
        assert!(
            found.epsilon_lower > 0.998 * found.epsilon_upper,
            "{neighbours}: {found:?}"
        );
        let kept = apart((4, 2), 1.0, toeplitz(1.0, &list, 2));
        let event = toeplitz(1.0, &list, 2);
        assert_eq!(upper(&kept), upper(&Event::BallsInBins { bins: 2, event }));
    }
}

/// A run that is no longer than the separation has a record once at most, with the probability Tq: what is known of that meets.
#[test]
fn at_most_one_participation_is_known_from_both_sides() {
    for (steps, separation, rate) in [(1, 3, 0.5), (6, 6, 1.0), (6, 10, 0.2), (30, 50, 0.9)] {
        let event = apart((steps, separation), rate, gaussian(1.0));
        for neighbours in [AddRemove, ZeroOut] {
            let found = report(&event, 1e-5, neighbours);
            assert!(
                found.epsilon_lower > (1.0 - 2e-3) * found.epsilon_upper,
                "{event:?}: {found:?}"
            );
        }
        if steps == 1 {
            let sampled = poisson(share(separation, rate), gaussian(1.0));
            let [one, other] = [&event, &sampled].map(|e| report(e, 1e-5, AddRemove).epsilon_upper);
            assert!(near(one, other, 1e-4), "{one} {other}");
        }
    }
}

/// No more than Poisson's at the rate of who is free, than a run without sampling, and less with more noise, fewer steps or a
/// larger δ; nothing if hardly anybody is ever drawn.
#[test]
#[ignore = "seconds of computing: .ci/run runs it"]
fn sampling_apart_never_costs_and_keeps_to_the_laws_at_length() {
    for neighbours in [AddRemove, ReplaceOne] {
        for (steps, separation, rate, sigma) in [
            (40, 4, 0.05, 1.0),
            (40, 4, 0.6, 1.0),
            (40, 10, 0.3, 0.5),
            (200, 20, 0.02, 2.0),
        ] {
            let run = |steps, rate, sigma| apart((steps, separation), rate, gaussian(sigma));
            let upper = |event: &Event, delta| upper(event, delta, neighbours);
            let event = run(steps, rate, sigma);
            let found = report(&event, 1e-5, neighbours);
            eprintln!(
                "{steps} steps, {separation} apart, {rate}, sigma {sigma}, {neighbours}: [{}, {}]",
                found.epsilon_lower, found.epsilon_upper
            );
            assert!(found.epsilon_lower > 0.0, "{event:?}: {found:?}");
            let most = found.epsilon_upper * (1.0 + 1e-4);
            let each = repeated(steps, poisson(rate, gaussian(sigma)));
            let far = if neighbours == ReplaceOne { 2.0 } else { 1.0 };
            let all = (steps.div_ceil(separation) as f64).sqrt();
            for (more, what) in [
                (each, "poisson's"),
                (*moving(sigma, far * all), "no sampling"),
            ] {
                let more = upper(&more, 1e-5) * (1.0 + 1e-4);
                assert!(
                    found.epsilon_upper <= more,
                    "{event:?}: {found:?}, {what} {more}"
                );
            }
            for (less, delta, what) in [
                (run(steps, rate, 1.3 * sigma), 1e-5, "noise"),
                (run(steps / 2, rate, sigma), 1e-5, "steps"),
                (run(steps, 0.5 * rate, sigma), 1e-5, "rate"),
                (event.clone(), 1e-4, "delta"),
            ] {
                let less = upper(&less, delta);
                assert!(less <= most, "{event:?}: {less} > {found:?} by {what}");
            }
            assert_eq!(upper(&run(steps, 1e-9, sigma), 1e-5), 0.0);
        }
    }
}

/// Runs of up to three steps whose worst case is written down: the ends must not exclude it.
#[cfg(feature = "certify")]
#[test]
fn both_ends_stand_up_to_certified_enumeration() {
    use dp_assay::accounting::oracle::patterned;
    let banded = [1.0, 0.5, 0.0];
    for (event, delta) in [
        (apart((2, 2), 0.5, gaussian(0.8)), 1e-3),
        (apart((3, 2), 0.3, gaussian(1.0)), 1e-3),
        (apart((3, 2), 0.9, gaussian(0.6)), 1e-4),
        (apart((3, 3), 1.0, gaussian(1.5)), 1e-2),
        (apart((3, 2), 0.4, toeplitz(1.2, &banded, 2)), 1e-3),
        (poisson(0.3, toeplitz(1.2, &banded[..2], 1)), 1e-3),
        // So often drawn, and so much in common, that all that may move costs least.
        (
            apart((3, 2), 0.97, toeplitz(0.8, &[1.0, 0.0, 0.9], 2)),
            1e-3,
        ),
        (
            Event::RandomAllocation {
                steps: 3,
                participations: 2,
                event: gaussian(1.5),
            },
            1e-3,
        ),
        (
            Event::BallsInBins {
                bins: 2,
                event: toeplitz(1.2, &banded, 2),
            },
            1e-3,
        ),
        (
            Event::RandomAllocation {
                steps: 2,
                participations: 1,
                event: gaussian(0.7),
            },
            1e-4,
        ),
        // Two epochs of bins that are drawn anew.
        (repeated(2, binned(2, gaussian(1.2))), 1e-2),
    ] {
        for neighbours in [AddRemove, ReplaceOne] {
            let found = report(&event, delta, neighbours);
            let at = |epsilon| patterned(&event, neighbours, epsilon, 16).expect("few steps");
            let ((least, _), (_, most)) = (at(found.epsilon_upper), at(found.epsilon_lower));
            eprintln!("{event:?} {neighbours}: {found:?} {least} {most}");
            assert!(
                least <= delta,
                "{event:?} {neighbours}: {least} at {found:?}"
            );
            assert!(
                most >= delta || found.epsilon_lower == 0.0,
                "{event:?} {neighbours}: {most} at {found:?}"
            );
        }
    }
    // With teeth: where both ends are known, a hundredth less is too little.
    let one = apart((2, 2), 0.5, gaussian(0.8));
    let found = report(&one, 1e-3, AddRemove).epsilon_upper;
    let (below, _) = patterned(&one, AddRemove, 0.99 * found, 200).expect("few steps");
    assert!(below > 1e-3, "{below} below {found}");
}

/// Σ_π p_π·e^{⟨m_π, z⟩ − |m_π|²/2} of a run, by the laws of who is free, one step after the other.
fn ratio(rows: &[f64], mu: f64, (separation, rate): (usize, f64)) -> f64 {
    let q = share(separation as u64, rate);
    let mut waiting = vec![q; separation];
    waiting[0] = q / rate;
    for z in rows {
        let free = waiting.remove(0);
        waiting.push(0.0);
        waiting[0] += (1.0 - rate) * free;
        waiting[separation - 1] += rate * free * (mu * z - 0.5 * mu * mu).exp();
    }
    waiting.iter().sum()
}

/// The profile as a mean of (1 − e^ε/R)₊ over simulated runs, at both ends: each fails by chance less than once in 10⁶ (five
/// deviations), and sees an upper end that is too low once the profile there is over δ by ten.
#[test]
fn both_ends_stand_up_to_simulation() {
    const RUNS: u32 = 100_000;
    for (steps, separation, rate, sigma, delta) in [
        (12, 3, 0.3, 1.0, 1e-2),
        (20, 5, 0.8, 0.8, 1e-2),
        (30, 2, 0.1, 1.0, 3e-3),
    ] {
        let mut rng = Pcg64::seed_from_u64(29);
        let event = apart((steps, separation), rate, gaussian(sigma));
        let found = report(&event, delta, AddRemove);
        let mu = 1.0 / sigma;
        let mut coins = Pcg64::seed_from_u64(30);
        // Where it is in its wait at the start: free, or with the same probability q at each of b − 1 steps.
        let start = |u: f64| {
            let q = share(separation, rate);
            let wait = (1..separation).find(|j| u < *j as f64 * q);
            wait.unwrap_or(0)
        };
        // Both directions count below: the larger profile is at least this one.
        let drawn = (0..RUNS)
            .map(|_| {
                let mut rows: Vec<f64> = (0..steps).map(|_| normal(&mut rng)).collect();
                let mut wait = start(coins.random());
                for z in &mut rows {
                    let taken = wait == 0 && coins.random::<f64>() < rate;
                    wait = if taken {
                        separation - 1
                    } else {
                        wait.saturating_sub(1)
                    };
                    *z += if taken { mu } else { 0.0 };
                }
                1.0 / ratio(&rows, mu, (separation as usize, rate))
            })
            .collect();
        stands_up(&event, &found, delta, &[drawn]);
    }
}

#[test]
fn what_has_no_theorem_is_refused() {
    let words = |event: &Event, neighbours| {
        asked(event, 1e-5, neighbours)
            .expect_err("refused")
            .to_string()
    };
    let laplace = Box::new(Event::Laplace {
        scale: 1.0,
        sensitivity: 1.0,
    });
    let other = words(&apart((8, 2), 0.1, laplace), AddRemove);
    assert!(other.contains("known of Gaussian noise alone"), "{other}");
    let user = words(&apart((8, 2), 0.1, gaussian(1.0)), User);
    assert!(user.contains("user"), "{user}");
    let run = |steps, separation, rate| apart((steps, separation), rate, gaussian(1.0));
    for (event, part) in [
        (run(0, 2, 0.1), "steps = 0"),
        (run(8, 0, 0.1), "separation = 0"),
        (run(8, 2, 1.5), "sampling rate = 1.5"),
        (run(8, 2, -0.5), "sampling rate = -0.5"),
        (
            apart((3, 2), 0.1, toeplitz(1.0, &[1.0, 0.0], 2)),
            "steps = 3",
        ),
        (
            apart((2, 1), 0.1, toeplitz(1.0, &[1.0, 0.0], 2)),
            "separation = 2",
        ),
        (
            apart((2, 1), 1.0, toeplitz(1.0, &[1.0, 0.0], 2)),
            "separation = 2",
        ),
    ] {
        let found = words(&event, AddRemove);
        assert!(found.contains(part), "{event:?}: {found}");
    }
    assert_eq!(report(&run(8, 2, 0.0), 0.0, AddRemove).epsilon_upper, 0.0);
}
