//! Batches as programs draw them, against the certified oracle: no upper end is below its lower end, no lower end above its upper end.
#![no_main]
use dp_assay::accounting::matrix::Strategy;
use dp_assay::accounting::oracle::{allocated, patterned, transcript};
use dp_assay::accounting::{Accountant, Event, Report, account};
use dp_assay::units::{Delta, Neighbouring};
use dp_assay_spec::arith::Interval;
use libfuzzer_sys::fuzz_target;

fn asked(event: &Event, delta: f64, neighbours: Neighbouring) -> Option<Report> {
    let delta = Delta::new(delta).expect("in range");
    let found = account(event, delta, Accountant::Auto, neighbours, true).ok()?;
    assert!(
        found.epsilon_lower <= found.epsilon_upper,
        "{event:?}: {found:?}"
    );
    Some(found)
}

/// Random allocation to at most four steps: δ at either end.
fn allocation(steps: u64, participations: u64, sigma: f64, delta: f64, event: Box<Event>) {
    let event = Event::RandomAllocation {
        steps,
        participations,
        event,
    };
    let found = asked(&event, delta, Neighbouring::AddRemove).expect("always answered");
    let at = |epsilon| allocated((steps, participations), 1.0 / sigma, epsilon).expect("few steps");
    assert!(at(found.epsilon_upper).0 <= delta, "{event:?}: {found:?}");
    assert!(
        at(found.epsilon_lower).1 >= delta || found.epsilon_lower == 0.0,
        "{event:?}: {found:?}"
    );
}

/// Runs of two to four steps of which a record is in some: δ at either end, by so many cells a step.
fn pattern(event: &Event, delta: f64, neighbours: Neighbouring, cells: u32) {
    let found = asked(event, delta, neighbours).expect("always answered");
    let at = |epsilon| patterned(event, neighbours, epsilon, cells).expect("few steps");
    let (least, most) = (at(found.epsilon_upper).0, at(found.epsilon_lower).1);
    assert!(least <= delta, "{event:?} {neighbours}: {found:?} {least}");
    assert!(
        most >= delta || found.epsilon_lower == 0.0,
        "{event:?} {neighbours}: {found:?} {most}"
    );
}

/// A sample of Laplace noise, in closed form: with a = e^{−1/2b} and u = e^ε − 1 its profile is q − a√(q(q + u)) where the record is
/// removed, and r − a√((1 + u)qr) with r = q − u(1 − q) where it is added, 0 where these are negative.
fn sampled_laplace(rate: f64, scale: f64, delta: f64) {
    let event = Box::new(Event::Laplace {
        scale,
        sensitivity: 1.0,
    });
    let event = Event::PoissonSampled { rate, event };
    let found = asked(&event, delta, Neighbouring::AddRemove).expect("always answered");
    let profile = |epsilon: f64| {
        let (a, u) = ((-0.5 / scale).exp(), epsilon.exp_m1());
        let rest = (rate - u * (1.0 - rate)).max(0.0);
        let removed = rate - a * (rate * (rate + u)).sqrt();
        removed.max(rest - a * ((1.0 + u) * rate * rest).sqrt())
    };
    let most = profile(found.epsilon_upper);
    assert!(most <= delta + 1e-14, "{event:?} {delta}: {found:?} {most}");
    let least = profile(found.epsilon_lower);
    assert!(
        least >= delta - 1e-14 || found.epsilon_lower == 0.0,
        "{event:?} {delta}: {found:?} {least}"
    );
}

/// Correlated noise on its own: the exact bounds for plain noise that the record moves by the longest sum of columns, from the
/// definition.
fn correlated(
    list: &[f64],
    (participations, separation): (u64, u64),
    (sigma, delta): (f64, f64),
    neighbours: Neighbouring,
) {
    let event = Event::MatrixGaussian {
        sigma,
        strategy: Strategy::Toeplitz(list.to_vec()),
        participations,
        separation,
    };
    let found = asked(&event, delta, neighbours).expect("always answered");
    let taken = |set: u32, step: usize| set >> step & 1 == 1;
    let fits = |set: u32| {
        let apart =
            |i: usize, j: usize| !(taken(set, i) && taken(set, j)) || (j - i) as u64 >= separation;
        let far = (0..list.len()).all(|i| (i + 1..list.len()).all(|j| apart(i, j)));
        far && u64::from(set.count_ones()) <= participations
    };
    let square = |set: u32| -> f64 {
        let row = |row: usize| -> f64 {
            (0..=row)
                .filter(|j| taken(set, *j))
                .map(|j| list[row - j])
                .sum()
        };
        (0..list.len()).map(|i| row(i).powi(2)).sum()
    };
    let sets = (0..1 << list.len()).filter(|set| fits(*set));
    // What is replaced is taken away, and as much put there.
    let replaced = matches!(neighbours, Neighbouring::ReplaceOne | Neighbouring::User);
    let moved = if replaced { 2.0 } else { 1.0 };
    let sensitivity = moved * sets.map(square).fold(0.0, f64::max).sqrt();
    let plain = asked(
        &Event::Gaussian { sigma, sensitivity },
        delta,
        Neighbouring::AddRemove,
    );
    let plain = plain.expect("always answered");
    let slack = 1e-9 * plain.epsilon_upper + 1e-12;
    let agree = plain.epsilon_lower <= found.epsilon_upper + slack
        && found.epsilon_lower <= plain.epsilon_upper + slack
        && found.epsilon_upper <= plain.epsilon_upper + slack;
    assert!(agree, "{event:?} {neighbours}: {found:?} {plain:?}");
}

/// How a record gets into so many steps: one of them, some that are apart, or of a matrix also any or every other.
fn run(kind: u8, steps: u64, rate: f64, matrix: Option<Event>, noise: Event) -> Event {
    let event = Box::new(matrix.clone().unwrap_or(noise));
    match (kind, matrix) {
        (0, Some(_)) => Event::PoissonSampled { rate, event },
        (1, Some(_)) => Event::BallsInBins { bins: 2, event },
        (0 | 1, None) => Event::RandomAllocation {
            steps,
            participations: 1,
            event,
        },
        _ => Event::BMinSeparation {
            steps,
            separation: 2,
            rate,
            event,
        },
    }
}

fuzz_target!(|input: (u8, u16, u16, u16, u16, bool)| {
    let part = |x: u16| f64::from(x) / 65_535.0;
    let (kind, sigma) = (input.0 % 12, 10f64.powf(-0.4 + 1.4 * part(input.1)));
    let (size, share) = (2 + u64::from(input.2 % 200), 0.01 + 0.98 * part(input.3));
    let delta = 10f64.powf(-1.0 - 9.0 * part(input.4));
    let event = Box::new(Event::Gaussian {
        sigma,
        sensitivity: 1.0,
    });
    let batch = ((share * size as f64) as u64).clamp(1, size - 1);
    let neighbours = match input.5 {
        true => Neighbouring::AddRemove,
        false => Neighbouring::ReplaceOne,
    };
    let event = match kind {
        0 | 1 => Event::FixedSizeSampled {
            size,
            batch,
            replacement: kind == 1,
            event,
        },
        2 => Event::TruncatedPoissonSampled {
            rate: share,
            cap: batch,
            records: size,
            event,
        },
        3 => Event::PoissonSampled { rate: share, event },
        4 => Event::GaussianMixture {
            sigma,
            shifts: vec![0.0, 1.0, 1.0 + part(input.2)],
            weights: vec![0.5, 0.25, 0.25],
        },
        5 if input.5 => return allocation(2 + size % 2, 1 + size % 2, sigma, delta, event),
        5 => {
            let allocated = Event::RandomAllocation {
                steps: 2 + size % 2,
                participations: 1 + size % 2,
                event,
            };
            return pattern(&allocated, delta, neighbours, 16);
        }
        10 => return sampled_laplace(share, sigma, delta),
        // Two epochs of two bins, each drawn anew.
        11 => {
            let bins = Box::new(Event::BallsInBins { bins: 2, event });
            let epochs = Event::Repeated {
                times: 2,
                event: bins,
            };
            return pattern(&epochs, delta, neighbours, 8);
        }
        9 => {
            let list = [1.0, part(input.2), part(input.3), 0.5 * part(input.2)];
            let schema = (1 + size % 4, 1 + batch % 3);
            return correlated(&list, schema, (sigma, delta), neighbours);
        }
        _ => {
            let steps = 2 + size % 2;
            let list = [1.0, part(input.2), 0.0];
            let matrix = Event::MatrixGaussian {
                sigma,
                strategy: Strategy::Toeplitz(list[..steps as usize].to_vec()),
                participations: steps,
                separation: 1,
            };
            let matrix = batch.is_multiple_of(2).then_some(matrix);
            let event = run(kind - 6, steps, share, matrix, *event);
            return pattern(&event, delta, neighbours, 16);
        }
    };
    let times = 1 + size % 5;
    let event = Event::Repeated {
        times,
        event: Box::new(event),
    };
    let (Some(found), Ok(ways)) = (asked(&event, delta, neighbours), event.steps(neighbours))
    else {
        return;
    };
    let mut truth = Interval::from(0);
    for steps in ways {
        let oracle = transcript(&steps, neighbours).expect("known to the oracle");
        // A small grid may not hold what a finite bound needs.
        let Ok(own) = oracle.epsilon(&Interval::from_f64(delta), 11) else {
            return;
        };
        truth = truth.max(&own);
    }
    assert!(
        truth.lo_f64() <= found.epsilon_upper,
        "{event:?} {neighbours}: {found:?} {truth}"
    );
    assert!(
        found.epsilon_lower <= truth.hi_f64(),
        "{event:?} {neighbours}: {found:?} {truth}"
    );
});
