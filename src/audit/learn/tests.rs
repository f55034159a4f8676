//! Which values and thresholds are looked at, and what is found on them.

use super::*;
use crate::accounting::steady;
use crate::audit::features::{Extras, Rows};
use crate::audit::shape::Shape;
use crate::audit::{Guarantee, Output};
use crate::mechanism::tape::{Purpose, Tape};

fn whole(numbers: impl Iterator<Item = u64>) -> Rows {
    Rows::of_reals(&numbers.map(|n| n as f64).collect::<Vec<_>>())
}

/// A value is an atom from so many times on, over both sides together; of too many the most frequent are.
#[test]
fn atoms_are_values_that_come_back() {
    let (first, second) = (
        whole([1, 1, 2, 2, 3, 3, 3].into_iter()),
        whole([1, 2, 2, 4, 3].into_iter()),
    );
    let token = |rows: &Rows, at: usize| rows.row(at).token;
    let mut due = vec![token(&first, 2), token(&first, 4)];
    due.sort_unstable();
    assert_eq!(atoms([first.all(), second.all()]), due);
    let many = whole((0..600).cycle().take(2400).chain([77]));
    let found = atoms([many.all(), Rows::default().all()]);
    assert_eq!(found.len(), MOST_ATOMS);
    assert!(
        found.is_sorted() && found.contains(&token(&many, 77)),
        "the most frequent is among them"
    );
}

/// Values of which one in eight is new beyond some hundreds are not tabulated: on either side and in either half alike.
#[test]
fn values_that_are_mostly_new_are_not_tabulated() {
    let none = Rows::default();
    let known = |first: &Rows, second: &Rows, judged: &Rows| {
        let values = tabulate(
            [first.all(), second.all()],
            [judged.all(), none.all()],
            |_| true,
        );
        values.map(|values| values.len())
    };
    // 8 · 585 is no more than 585 + 4096, and 8 · 586 is.
    let new = |from: u64, n: u64| whole(from..from + n);
    assert_eq!(known(&new(0, 586), &none, &none), Some(586));
    assert_eq!(known(&new(0, 587), &none, &none), None);
    assert_eq!(
        known(&new(0, 586), &new(1000, 586), &new(2000, 586)),
        Some(3 * 586)
    );
    assert_eq!(known(&new(0, 586), &new(1000, 587), &none), None);
    assert_eq!(known(&new(0, 586), &none, &new(1000, 587)), None);
    assert_eq!(
        known(&new(0, 500), &whole((0..500).cycle().take(5000)), &none),
        Some(500)
    );
    let some = tabulate([new(0, 5000).all(), none.all()], [none.all(); 2], |token| {
        token % 64 == 0
    });
    assert!(some.is_some_and(|values| (20..200).contains(&values.len())));
    let [a, b] = [
        whole([1, 1, 2].into_iter()),
        whole([2, 2, 2, 1].into_iter()),
    ];
    let mut values = tabulate([a.all(), b.all()], [b.all(), a.all()], |_| true).expect("few");
    values.sort_by(|x, y| x.row[0].total_cmp(&y.row[0]));
    let counts: Vec<_> = values
        .iter()
        .map(|v| (v.row[0], v.trained, v.judged))
        .collect();
    assert_eq!(
        counts,
        [(1.0, [2.0, 1.0], [1.0, 2.0]), (2.0, [1.0, 3.0], [3.0, 1.0])]
    );
}

/// The better event stays in each direction, of equals the first; and only what reaches the best one elsewhere is looked at.
#[test]
fn the_best_event_of_each_direction_stays() {
    let goal = Goal::Bet {
        ratio: 1.0,
        delta: 0.0,
    };
    let named = |column| move || Event::Missing { column };
    let column = |found: &Option<Found>| match found.as_ref().map(|found| &found.event) {
        Some(Event::Missing { column }) => Some(*column),
        _ => None,
    };
    let offered = |hits: &[(f64, f64)], start: Best| {
        let mut best = start;
        hits.iter()
            .enumerate()
            .for_each(|(at, hits)| best.offer(&goal, *hits, 100.0, named(at)));
        best
    };
    let best = offered(
        &[
            (60.0, 40.0),
            (70.0, 30.0),
            (70.0, 30.0),
            (20.0, 90.0),
            (65.0, 30.0),
        ],
        Best::default(),
    );
    assert_eq!(
        [column(&best.forward), column(&best.reverse)],
        [Some(1), Some(3)]
    );
    let other = offered(&[(70.0, 30.0), (10.0, 95.0)], Best::default());
    let both = best.clone().or(other.clone());
    assert_eq!(
        [column(&both.forward), column(&both.reverse)],
        [Some(1), Some(1)],
        "of equals the first"
    );
    let both = other.clone().or(Best::default());
    assert_eq!(
        [column(&both.forward), column(&both.reverse)],
        [Some(0), Some(1)]
    );
    let both = Best::default().or(other);
    assert_eq!(
        [column(&both.forward), column(&both.reverse)],
        [Some(0), Some(1)]
    );
    // What elsewhere was reached is no event here, and must be reached.
    let rivals = best.rivals();
    assert!(rivals.forward.is_none() && rivals.reverse.is_none());
    let after = offered(&[(69.0, 30.0), (25.0, 90.0)], rivals.clone());
    assert_eq!(
        [column(&after.forward), column(&after.reverse)],
        [None, None]
    );
    let after = offered(&[(71.0, 30.0), (20.0, 91.0)], rivals.clone());
    assert_eq!(
        [column(&after.forward), column(&after.reverse)],
        [Some(0), Some(1)]
    );
    // No counts from these to those reach what is known in both directions; of more gains some may.
    let beyond = |fewer, more| rivals.is_beyond(&goal, fewer, more, 100.0);
    assert!(beyond([40.0, 40.0], [60.0, 60.0]));
    assert!(!beyond([40.0, 20.0], [90.0, 60.0]) && !beyond([5.0, 40.0], [60.0, 99.0]));
    assert!(!Best::default().is_beyond(&goal, [40.0; 2], [60.0; 2], 100.0));
}

/// What is learned of several columns for several goals, its merits to the last bit: of few values, of noise, and of noise with atoms.
#[test]
fn what_is_learned_is_what_it_was() {
    let claim = Guarantee::new(0.5, 1e-3).expect("in the domain");
    let goals = [
        Goal::bet(claim),
        Goal::bound(claim, &Shape::Unknown, 3000, 1e-3),
    ];
    let rows = |side: u64, kind: u64, n: usize| {
        let mut noise = Tape::new(kind).stream(side, Purpose::User, 0);
        let mut output = || {
            let (a, b) = (
                noise.uniform().gaussian() + 0.4 * side as f64,
                noise.uniform().laplace(),
            );
            let (a, b) = match kind {
                0 => ((2.0 * a).round(), b.round()),
                1 => (a, a - b),
                // One of nine is an atom.
                _ if noise.uniform().0 % 9 <= side => (7.0, 8.0),
                _ => (b, a + b),
            };
            Output::Vector(vec![a, if b > 2.0 { f64::NAN } else { b }])
        };
        (0..n).map(|_| output()).collect::<Vec<_>>()
    };
    let (mut found, mut said) = (Vec::new(), Vec::new());
    for kind in 0..3 {
        let outputs = [0, 1].map(|side| rows(side, kind, 1500));
        let layout = Layout::of(outputs.iter().flatten(), Extras::default());
        let [first, second] = outputs.map(|outputs| {
            let mut rows = Rows::default();
            outputs
                .iter()
                .for_each(|output| layout.push(output, &mut rows));
            rows
        });
        let learned = learn(&layout, first.all(), second.all(), &goals);
        for (goal, candidates) in learned.iter().enumerate() {
            assert!(candidates.iter().all(|c| c.goal == goal));
            assert!(
                candidates
                    .windows(2)
                    .all(|pair| pair[0].merit >= pair[1].merit)
            );
            found.extend(candidates.iter().map(|c| c.merit));
            let words = candidates
                .iter()
                .map(|c| (c.event.describe(&layout), c.forward));
            said.push(steady::digest(&words.collect::<Vec<_>>()));
        }
    }
    steady::holds(
        &found,
        "0.11078045391356324 0.08525324518417596 0.0733774685747791 0.06949552152800591
            0.06713385879191774 0.03687465001839182 -0.012414068624325352 -0.0475763831865294
            0.019364797020920203 0.018207474036769096 -0.03496594303209987 -0.035308302200740986
            -0.03535878300111289 -0.03535878300111289 -0.07152064166396352 -0.08696559483513573
            0.09708007885126016 0.09323592225995642 0.06922756463149829 0.02768511453380312
            0.0132638431898975 0.007905748576571059 -0.01384167571289744 -0.014399970214247314
            -0.03512121842069382 -0.03535772412720321 -0.08151139874331359 -0.17980084188855933
            0.07100383695502073 0.06258193993289943 0.05525635778582575 0.045652747884415534
            0.01034340043895405 -0.0014917462679207895 -0.03597001984737541 -0.3313744197053365
            -0.010512601404000647 -0.012520474289216446 -0.023638178818588703
            -0.03534580234407346 -0.03534580234407346 -0.06319132106790781 -0.3451151541597674
            -1.738615242354544",
    );
    steady::words(
        &said,
        "3d1396d9b5c9ff48 a640de7cbaad5ef7 6ef7fba5265729b6 a7056642bde4d7ef 07767ee86114aa79
            882fe7dc6a89f516",
    );
}

/// What is as good up to rounding is not passed over, not even beside a merit of nothing.
#[test]
fn counts_are_passed_over_only_beyond_rounding() {
    let goal = Goal::Bet {
        ratio: 1.0,
        delta: 0.0,
    };
    let own = goal.merit(50.0, 48.9, 100.0);
    assert!((0.0..0.01).contains(&own), "{own}");
    let beside = |more: f64| {
        let best = Reached {
            merit: own + more,
            level: 0.0,
        };
        best.is_beyond(&goal, [50.0; 2], [48.9; 2], 100.0)
    };
    assert!(!beside(0.0) && !beside(0.9e-6) && beside(1.1e-6), "{own}");
}
