//! Lower ends are those of neighbours that there are, and upper ends cover them all: closed forms, and sums over small data sets.

use crate::ask::{poisson, report};
use dp_assay::accounting::Event;
use dp_assay::units::Neighbouring;

use Neighbouring::{ReplaceOne, ZeroOut};

fn batch(size: u64, batch: u64, replacement: bool, event: Box<Event>) -> Event {
    Event::FixedSizeSampled {
        size,
        batch,
        replacement,
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
