//! Lower ends are those of neighbours that there are, and upper ends cover them all: closed forms, and sums over small data sets.

use crate::ask::{gaussian, of_larger, poisson, report};
use dp_assay::accounting::Event;
use dp_assay::units::Neighbouring;

use Neighbouring::{AddRemove, ReplaceOne, ZeroOut};

fn batch(size: u64, batch: u64, replacement: bool, event: Box<Event>) -> Event {
    Event::FixedSizeSampled {
        size,
        batch,
        replacement,
        event,
    }
}

fn cut(rate: f64, cap: u64, records: u64, event: Box<Event>) -> Event {
    Event::TruncatedPoissonSampled {
        rate,
        cap,
        records,
        event,
    }
}

/// A record is in the sample with probability q, and then answers one of k; else it gives no answer, as the number of answers
/// shows. The truth and one lie have t and l: δ(ε) = q(t − e^ε·l) where it is replaced, against 1/k where it is zeroed.
#[test]
fn whose_answer_is_not_asked_for_gives_none() {
    let (noise, buckets, q) = (0.5f64, 4u64, 0.3f64);
    let k = buckets as f64;
    let (truth, lie) = (1.0 - noise + noise / k, noise / k);
    let response = || Box::new(Event::RandomizedResponse { noise, buckets });
    let sampled = poisson(q, response());
    let drawn = batch(10, 3, false, response());
    for delta in [0.0, 0.01, 0.1] {
        let least = |p: f64, q_mass: f64| ((p - delta / q) / q_mass).ln();
        // The truth against a uniform answer, and all lies.
        let zeroed = least(truth, 1.0 / k).max(least(1.0 - 1.0 / k, 1.0 - truth));
        for (event, neighbours, wanted) in [
            (&sampled, ReplaceOne, least(truth, lie)),
            (&sampled, ZeroOut, zeroed.max(0.0)),
            (&drawn, ReplaceOne, least(truth, lie)),
        ] {
            let found = report(event, delta, neighbours);
            let said = format!("{event:?} {neighbours} at {delta}: {found:?}, not {wanted}");
            // Both are rounded a few times, at about 1.
            let rounding = 1e-12;
            assert!(found.epsilon_lower <= wanted + rounding, "{said}");
            assert!((found.epsilon_upper - wanted).abs() <= rounding, "{said}");
            // Nothing rests on a word that answers make true.
            assert!(!found.theorem.contains("as good as none"), "{said}");
        }
    }
}

/// Noise with a covariance is known by how far a record moves the mean, and not by how far two that are exchanged do: of counts
/// in a batch of fixed size nothing changes, and of a cut sample one count.
#[test]
fn what_a_covariance_dominates_attacks_nobody() {
    let noise = |covariance: &[&[f64]], shifts: &[&[f64]]| {
        let rows = |all: &[&[f64]]| all.iter().map(|row| row.to_vec()).collect();
        let (covariance, shifts) = (rows(covariance), rows(shifts));
        Box::new(Event::CorrelatedGaussian { covariance, shifts })
    };
    let count = || noise(&[&[1.0]], &[&[1.0]]);
    let places = || noise(&[&[1.0, 0.0], &[0.0, 1.0]], &[&[1.0, 0.0], &[0.0, 1.0]]);
    // The second and third by sums over all data sets of that many records.
    for (event, neighbours, truth) in [
        (batch(4, 1, false, count()), ReplaceOne, 0.0),
        (batch(4, 1, false, places()), ReplaceOne, 1.61444),
        (cut(0.4, 1, 3, count()), AddRemove, 0.19207),
    ] {
        let found = report(&event, 0.01, neighbours);
        let is_true = found.epsilon_lower <= truth && truth <= found.epsilon_upper;
        assert!(is_true, "{event:?}: {found:?}, not {truth}");
    }
}

/// A record more is in the data of every step: whose lower end it is has neighbours of one size.
#[test]
fn a_record_more_is_one_more_for_every_step() {
    let together = |n: u64, replacement: bool| {
        let drawn = batch(n, 1, replacement, gaussian(1.0));
        let events = vec![drawn, cut(0.95, 2, n, gaussian(1.0))];
        Event::Composed { events }
    };
    for replacement in [false, true] {
        let tree = |n| together(n, replacement);
        let found = report(&tree(2), 0.1, AddRemove);
        let [less, more] = [2, 3].map(|n| of_larger(&tree(n), 0.1, AddRemove));
        let lower = less.epsilon_lower.max(more.epsilon_lower);
        let upper = less.epsilon_upper.max(more.epsilon_upper);
        assert_eq!((found.epsilon_lower, found.epsilon_upper), (lower, upper));
    }
    // Adaptively, over all data of one and two and of two and three records.
    let found = report(&together(2, false), 0.1, AddRemove);
    let truth = 2.9077;
    assert!(
        found.epsilon_lower <= truth + 1e-4 && truth <= found.epsilon_upper,
        "{found:?}"
    );
}
