//! The best thresholds on one number of each row.

use super::{Best, Candidate, Goal, wrap};
use crate::audit::classifier::Classifier;
use crate::audit::event::Event;
use rayon::prelude::*;
use std::sync::Arc;

/// What is compared with a threshold.
pub(super) enum Threshold {
    Column(usize),
    Score(Arc<Classifier>),
}

impl Threshold {
    fn above(&self, threshold: f64) -> Event {
        match self {
            Self::Column(column) => Event::Above {
                column: *column,
                threshold,
            },
            Self::Score(classifier) => Event::Score {
                classifier: Arc::clone(classifier),
                threshold,
            },
        }
    }

    fn below(&self, threshold: f64) -> Event {
        match self {
            Self::Column(column) => Event::Below {
                column: *column,
                threshold,
            },
            Self::Score(classifier) => Event::ScoreBelow {
                classifier: Arc::clone(classifier),
                threshold,
            },
        }
    }
}

/// Numbers of the first side between two cuts that are scanned at once.
const SCANNED: usize = 1 << 14;
/// Numbers of either side that are passed over at once where no threshold between them can be the best.
const PASSED: usize = 64;

/// The best thresholds, above and below, in both directions.
pub(super) fn on_scores(
    sort: &Threshold,
    first: Vec<f64>,
    second: Vec<f64>,
    goals: &[Goal],
) -> Vec<Vec<Candidate>> {
    let n = first.len() as f64;
    let [first, second] = [first, second].map(sorted);
    let scale = Scale {
        sort,
        sides: [&first, &second],
        n,
        goals,
    };
    let cuts: Vec<f64> = first.chunks(SCANNED).map(|c| c[c.len() - 1]).collect();
    let start = scale.compared_at(&cuts);
    let scan = |at: usize| {
        let after = if at == 0 { None } else { Some(cuts[at - 1]) };
        scale.scan(after, cuts.get(at).copied(), start.clone())
    };
    let parts: Vec<Vec<Best>> = (0..=cuts.len()).into_par_iter().map(scan).collect();
    // In the order of the thresholds: of equally good ones the lowest stays.
    let mut best = vec![Best::default(); goals.len()];
    for part in parts {
        best = best.into_iter().zip(part).map(|(a, b)| a.or(b)).collect();
    }
    let numbers = (first.len(), second.len());
    if let Threshold::Column(column) = *sort
        && ((numbers.0 + numbers.1) as f64) < 2.0 * n
    {
        let missing = (n - numbers.0 as f64, n - numbers.1 as f64);
        for (best, goal) in best.iter_mut().zip(goals) {
            best.offer(goal, missing, n, || Event::Missing { column });
        }
    }
    wrap(best)
}

/// What is scanned for thresholds: the numbers of each side in ascending order, of n rows.
struct Scale<'a> {
    sort: &'a Threshold,
    sides: [&'a [f64]; 2],
    n: f64,
    goals: &'a [Goal],
}

impl Scale<'_> {
    /// What the thresholds just above the cuts come to: nothing is found yet, but what is certainly worse need not be
    /// looked at.
    fn compared_at(&self, cuts: &[f64]) -> Vec<Best> {
        let mut best = vec![Best::default(); self.goals.len()];
        for cut in cuts {
            let rest = self.sides.map(|side| after(side, *cut));
            self.offer(&mut best, *cut, rest);
        }
        best.into_iter().map(Best::rivals).collect()
    }

    /// The best thresholds just above the values that lie above `cut`, up to `last`.
    fn scan(&self, cut: Option<f64>, last: Option<f64>, mut best: Vec<Best>) -> Vec<Best> {
        let mut rest = { self.sides }.map(|side| cut.map_or(side, |cut| after(side, cut)));
        loop {
            let end = rest
                .each_ref()
                .map(|side| side[..side.len().min(PASSED)].last());
            let end = end.into_iter().flatten().copied().chain(last);
            let Some(end) = end.min_by(f64::total_cmp) else {
                return best;
            };
            let beyond_end = rest.map(|side| after(side, end));
            if !self.is_beyond(&best, rest, beyond_end) {
                while let Some(value) = least(rest).filter(|value| *value <= end) {
                    rest = rest.map(|side| beyond(side, value));
                    self.offer(&mut best, value, rest);
                }
            }
            if last == Some(end) {
                return best;
            }
            rest = beyond_end;
        }
    }

    /// Whether no threshold between the starts of these rests reaches what is known.
    fn is_beyond(&self, best: &[Best], rest: [&[f64]; 2], later: [&[f64]; 2]) -> bool {
        let total = self.sides.map(|side| side.len() as f64);
        let [above_most, above_least] = [rest, later].map(|rest| rest.map(|s| s.len() as f64));
        let below = |above: [f64; 2]| [total[0] - above[0], total[1] - above[1]];
        let (below_least, below_most) = (below(above_most), below(above_least));
        best.iter().zip(self.goals).all(|(best, goal)| {
            best.is_beyond(goal, below_least, below_most, self.n)
                && best.is_beyond(goal, above_least, above_most, self.n)
        })
    }

    /// The threshold just above a value, with what lies above it; none above the greatest.
    fn offer(&self, best: &mut [Best], value: f64, rest: [&[f64]; 2]) {
        let Some(next) = least(rest) else {
            return;
        };
        let [total0, total1] = self.sides.map(|side| side.len() as f64);
        let above = (rest[0].len() as f64, rest[1].len() as f64);
        let below = (total0 - above.0, total1 - above.1);
        for (best, goal) in best.iter_mut().zip(self.goals) {
            // Both ends of the gap, so that atoms fall on the side meant.
            best.offer(goal, below, self.n, || {
                self.sort.below(between(value, next).unwrap_or(next))
            });
            best.offer(goal, above, self.n, || {
                self.sort.above(between(value, next).unwrap_or(value))
            });
        }
    }
}

/// What comes after a value in an ascending list.
fn after(values: &[f64], value: f64) -> &[f64] {
    &values[values.partition_point(|x| *x <= value)..]
}

/// The numbers among these, in ascending order.
fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.retain(|x| !x.is_nan());
    let part = values.len().div_ceil(rayon::current_num_threads()).max(1);
    values
        .par_chunks_mut(part)
        .for_each(|part| part.sort_unstable_by(f64::total_cmp));
    // A stable sort begins with the runs that it finds.
    values.sort_by(f64::total_cmp);
    values
}

/// The smallest of two ascending lists; of −0 and 0 the former.
fn least([first, second]: [&[f64]; 2]) -> Option<f64> {
    match (first.first(), second.first()) {
        (Some(a), Some(b)) => Some(if b.total_cmp(a).is_lt() { *b } else { *a }),
        (a, b) => a.or(b).copied(),
    }
}

/// What comes after the elements equal to `value` at the start of an ascending list.
fn beyond(values: &[f64], value: f64) -> &[f64] {
    let equal = values.iter().take_while(|x| **x == value).count();
    &values[equal..]
}

/// The shortest decimal fraction strictly between two numbers, for the reader's sake.
fn between(low: f64, high: f64) -> Option<f64> {
    (0..18).find_map(|digits| {
        let scale = 10_f64.powi(digits);
        // Adding 0 turns −0 into 0.
        let middle = (0.5 * (low + high) * scale).round() / scale + 0.0;
        (low < middle && middle < high).then_some(middle)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::Guarantee;
    use crate::audit::features::Rows;
    use crate::audit::shape::Shape;
    use crate::mechanism::tape::{Purpose, Tape};

    /// Every threshold offered, none passed over.
    fn one_by_one(sort: &Threshold, sides: [&[f64]; 2], goals: &[Goal]) -> Vec<Best> {
        let n = sides[0].len() as f64;
        let scale = Scale {
            sort,
            sides,
            n,
            goals,
        };
        let (mut best, mut rest) = (vec![Best::default(); goals.len()], sides);
        while let Some(value) = least(rest) {
            rest = rest.map(|side| beyond(side, value));
            scale.offer(&mut best, value, rest);
        }
        best
    }

    #[test]
    fn passing_over_thresholds_does_not_change_what_is_found() {
        let claim = Guarantee::new(0.5, 1e-3).expect("in range");
        let goals = [
            Goal::bet(claim),
            Goal::bound(claim, &Shape::Unknown, 40_000, 1e-6),
            Goal::bound(claim, &Shape::Gaussian, 40_000, 1e-6),
        ];
        let shown = |all: Vec<Vec<Candidate>>| format!("{all:?}");
        // No difference, a small one, one in the other direction and a large one; as drawn, and as atoms.
        for (case, shift) in [0.0, 0.2, -1.0, 9.0].into_iter().enumerate() {
            for step in [0.0, 0.5] {
                let sides = [(0, 0.0), (1, shift)].map(|(side, shift)| {
                    let mut values = vec![0.0; 40_000];
                    let mut noise = Tape::new(case as u64).stream(side, Purpose::User, 0);
                    noise.gaussians(&mut values);
                    let atom = |x: f64| {
                        if step > 0.0 {
                            (x / step).round() * step
                        } else {
                            x
                        }
                    };
                    values.iter().map(|x| atom(x + shift)).collect::<Vec<_>>()
                });
                let sort = Threshold::Column(0);
                let [first, second] = sides.clone();
                let found = on_scores(&sort, first, second, &goals);
                let [first, second] = sides.map(sorted);
                let all = wrap(one_by_one(&sort, [&first, &second], &goals));
                assert_eq!(shown(found), shown(all), "shift {shift}, step {step}");
            }
        }
    }

    #[test]
    fn a_threshold_is_the_shortest_fraction_in_the_middle() {
        for (low, high, found) in [
            (1.0, 4.0, Some(3.0)),
            (0.1, 0.2, Some(0.15)),
            (-0.6, 0.5, Some(0.0)),
            (2.0, 3.0, Some(2.5)),
            (0.001, 0.0011, Some(0.00105)),
            (1.0, 1.0 + f64::EPSILON, None),
        ] {
            assert_eq!(between(low, high), found, "{low} {high}");
            assert!(found.is_none_or(f64::is_sign_positive));
        }
    }

    /// What is found is the best of all events on the numbers, each counted by itself; what is missing is one of them.
    #[test]
    fn the_best_threshold_is_the_best_event_of_all() {
        const ROWS: usize = 60;
        let claim = Guarantee::new(0.2, 1e-3).expect("in range");
        let goals = [
            Goal::bet(claim),
            Goal::bound(claim, &Shape::Unknown, 4000, 0.01),
        ];
        let mut compared = 0;
        for seed in 0..12 {
            let sides = [0, 1].map(|side: u64| {
                let mut noise = Tape::new(seed).stream(side, Purpose::User, 0);
                let shift = (side * (seed % 3)) as f64;
                let mut value = || match noise.uniform().below(6) {
                    5 => f64::NAN,
                    whole => whole as f64 + shift,
                };
                (0..ROWS).map(|_| value()).collect::<Vec<f64>>()
            });
            let rows = sides.each_ref().map(|side| Rows::of_reals(side));
            let [least, most] = [f64::min, f64::max].map(|of| {
                let all = sides.iter().flatten().copied();
                all.reduce(of).expect("some numbers")
            });
            let column = 0;
            let mut events = vec![Event::Missing { column }];
            for threshold in (0..8).map(|i| f64::from(i) + 0.5) {
                if least < threshold && threshold < most {
                    events.push(Event::Above { column, threshold });
                    events.push(Event::Below { column, threshold });
                }
            }
            let [first, second] = sides;
            let found = on_scores(&Threshold::Column(column), first, second, &goals);
            for (goal, found) in goals.iter().zip(&found) {
                for forward in [true, false] {
                    let merit = |event: &Event| {
                        let [a, b] = rows.each_ref().map(|rows| {
                            rows.iter().filter(|row| event.contains(*row)).count() as f64
                        });
                        let (gain, loss) = if forward { (a, b) } else { (b, a) };
                        goal.merit(gain, loss, ROWS as f64)
                    };
                    let best = events.iter().map(merit).fold(f64::NEG_INFINITY, f64::max);
                    // What is no better than nothing may be passed over.
                    if best >= 0.0 {
                        let own = found.iter().find(|own| own.forward == forward);
                        let own = own.expect("there is one");
                        assert_eq!([own.merit, merit(&own.event)], [best; 2], "{own:?}");
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared >= 16, "{compared}");
    }
}
