//! Laws of bounds and of events, and where they are looked at.

use super::*;
use crate::accounting::pld::law::LossLaw;
use crate::accounting::steady;

/// The law of a set of events has the profile of the best of them, of their mirror images, and of
/// nothing: no rearranged one.
#[test]
fn a_law_of_events_has_the_profile_of_the_best_of_them() {
    let events = vec![
        (0.6, 0.3),
        (0.5, 0.1),
        (0.55, 0.25),
        (0.2, 0.15),
        (0.9, 0.8),
    ];
    let law = dominated(events.clone());
    let mirrored = events.iter().map(|(p, q)| (1.0 - q, 1.0 - p));
    let all: Vec<(f64, f64)> = events.iter().copied().chain(mirrored).collect();
    for k in -20..=40 {
        let epsilon = 0.05 * f64::from(k) + 0.013;
        let best = all.iter().map(|(p, q)| p - epsilon.exp() * q);
        let truth = best.fold(0.0_f64.max(1.0 - epsilon.exp()), f64::max);
        let beyond = law.tails(epsilon);
        // The second is e^ε·Q.
        let found = beyond.p - beyond.q;
        assert!((found - truth).abs() < 1e-12, "{epsilon}: {found}, {truth}");
    }
}

#[test]
fn a_record_whose_step_is_told_loses_no_more_beyond_its_end() {
    for mu in [0.1, 1.0, 5.0] {
        for lost in [1e-6, 1e-9, 1e-20] {
            let run = Replaced::new(mu, 10, lost, ONCE);
            let end = run.end_of_told(lost);
            assert!(run.told(end) <= lost, "{mu}, {lost}: {end}");
            assert!(run.told(0.7 * end) > lost, "{mu}, {lost}: {end}");
        }
    }
}
/// A pair that is its own reverse: δ(−ε) = 1 − e^{−ε} + e^{−ε}δ(ε).
#[test]
fn a_law_of_bounds_is_its_own_reverse() {
    let bounds = [
        (0.0, 0.2),
        (0.5, 0.1),
        (1.0, 0.05),
        (3.0, 0.005),
        (5.0, 1e-6),
    ];
    let law = dominating(&bounds);
    for epsilon in [0.25, 0.75, 2.0, 4.0, 6.0] {
        let delta = |epsilon: f64| {
            let tails = law.tails(epsilon);
            tails.p - tails.q
        };
        let shrunk = exp(-epsilon);
        let reverse = 1.0 - shrunk + shrunk * delta(epsilon);
        // A dozen masses below 1, each rounded to some units in the last place.
        let close = 64.0 * f64::EPSILON;
        assert!((delta(-epsilon) - reverse).abs() < close, "{epsilon}");
    }
}

/// Of an event its reverse is one, too: δ(−ε) = 1 − e^{−ε} + e^{−ε}δ(ε) but for what is rounded
/// down.
#[test]
fn a_law_of_events_is_its_own_reverse() {
    let law = dominated(vec![(0.3, 0.1), (0.6, 0.3), (0.05, 0.001)]);
    for epsilon in [0.0, 0.25, 0.75, 1.5, 3.0, 5.0] {
        let delta = |epsilon: f64| {
            let tails = law.tails(epsilon);
            tails.p - tails.q
        };
        // P(A) − e^ε·P'(A) of the best of these events, or of none.
        let events = [
            (0.3, 0.1),
            (0.6, 0.3),
            (0.05, 0.001),
            (0.7, 0.4),
            (0.9, 0.7),
            (0.0, 0.0),
        ];
        let worth = events.map(|(p, q)| p - exp(epsilon) * q);
        let truth = worth.into_iter().fold(0.0, f64::max);
        assert!(
            (delta(epsilon) - truth).abs() < 1e-12,
            "{epsilon}: {}",
            delta(epsilon)
        );
        let shrunk = exp(-epsilon);
        let reverse = 1.0 - shrunk + shrunk * delta(epsilon);
        assert!((delta(-epsilon) - reverse).abs() < 1e-12, "{epsilon}");
    }
}

/// Where the profile is looked at: of a profile that is known, so that only the choice is seen.
#[test]
fn the_values_of_epsilon_are_what_they_were() {
    let mut found = Vec::new();
    let cells = 64;
    let coarse = Fineness {
        cells,
        ..Fineness::of_several(6)
    };
    for (mu, steps, fineness) in [(0.5, 4, ONCE), (2.0, 3, ONCE), (1.0, 6, coarse)] {
        let run = Replaced::new(mu, steps, 1e-10, fineness);
        found.extend([run.end, run.deviation(), run.end_of_told(1e-10)]);
        found.extend([fineness.cells as f64, run.told(0.7)]);
        let told = |epsilons: &[f64], _: Option<&Grids>| -> Vec<f64> {
            epsilons.iter().map(|epsilon| run.told(*epsilon)).collect()
        };
        let known = run.known((1e-6, 1e-10), told, |_, bound| *bound);
        let known: Vec<f64> = known
            .into_iter()
            .flat_map(|(e, bound)| [e, bound])
            .collect();
        found.extend([known.len() as f64, steady::mark(&known)]);
    }
    found.extend([6, 100_000].map(|steps| Fineness::of_several(steps).cells as f64));
    steady::holds(
        &found,
        "7.206023158039898 0.47458531799323417 7.286140431701253 128.0 0.18901843060420173
     136.0 6998231417388148.0 8.706023158039898 1.9029742987195024 35.144561732805016
     128.0 0.9361656217834899 136.0 6947429059459967.0 7.706023158039898
     0.7606309762221123 15.572280864402506 64.0 0.5639206818043007 360.0
     5952074608780964.0 600.0 310.0",
    );
}

#[test]
fn bounds_and_events_are_what_they_were() {
    let mut found = Vec::new();
    for (mu, steps) in [(0.5, 4), (2.0, 3)] {
        let run = Replaced::new(mu, steps, 1e-9, ONCE);
        let grids = run.grids(0.5, 60);
        let epsilons: Vec<f64> = (0..10).map(|j| 0.12 * f64::from(j)).collect();
        let most = run.most(&epsilons, grids.as_ref());
        found.extend([most[0], most[7], most[8], steady::mark(&most)]);
        found.push(steady::mark(&run.most(&epsilons, None)));
        let events = run.events(&epsilons, grids.as_ref());
        found.push(events.len() as f64);
        let events: Vec<f64> = events
            .concat()
            .into_iter()
            .flat_map(|(p, q)| [p, q])
            .collect();
        found.extend([events.len() as f64, steady::mark(&events)]);
        assert_eq!(run.events(&epsilons, None), vec![vec![(0.0, 0.0)]; 10]);
    }
    let bounds: Vec<(f64, f64)> = (0..30)
        .map(|j| 0.1 * f64::from(j))
        .map(|epsilon| {
            (
                epsilon,
                0.5 * exp(-epsilon * epsilon) * (1.0 + 0.1 * sin(9.0 * epsilon)),
            )
        })
        .collect();
    let kept = hull(&bounds);
    let events = kept.iter().map(|(_, bound)| (*bound, 0.5 * bound * bound));
    let events = events.collect();
    let (above, below) = (dominating(&bounds), dominated(events));
    found.push(kept.len() as f64);
    let kept: Vec<f64> = kept.into_iter().flat_map(|(e, bound)| [e, bound]).collect();
    found.push(steady::mark(&kept));
    for law in [above, below] {
        for epsilon in [-2.5, -0.3, 0.0, 0.77, 2.8, 3.0] {
            let t = law.tails(epsilon);
            found.push(steady::mark(&[t.p, t.q, t.error, t.slack]));
        }
    }
    steady::holds(
        &found,
        "0.19795306189235157 0.014475187862581283 0.008416057044392952 3902367901857302.0
     7310335552547675.0 10.0 50.0 4893766148191123.0 0.7757876556323174 0.6705466573919959
     0.6539066005838494 8480817160370308.0 1765357966884389.0 10.0 20.0 6583344240356247.0
     22.0 3439068924158688.0 1726790408412757.0 6631458763535698.0 7616770541986730.0
     8862345814856772.0 6517196490537858.0 2593687313254102.0 604556276817137.0
     4112410401123032.0 898281280190773.0 6042341184173100.0 5820269351431506.0
     2601606368643548.0",
    );
}

fn sin(x: f64) -> f64 {
    crate::accounting::float::elementary::sin_cos(x).0
}
