//! Runs of a few steps of which a record is in some, from both sides, by enumeration of boxes.
//!
//! The pair is the mean of N(m_π, I) over the patterns π in which the record takes part, in units of the noise, against N(0, I), or
//! where it is replaced against the mean of N(−m_π, I), m_π ≥ 0 the sum of the columns of the steps in π (`acc-matrix-sampled`; attained
//! if the matrix has no negative entries). What a box has of ∫(P − aQ)₊ is at least what is left when the box alone is told; it is no
//! more, if P − aQ has one sign there, and else at most P's mass, or N(0, I)'s times the largest of the ratio. Cost is exponential in
//! the number of steps. Nothing is shared with any accountant, nor with [`super::allocation`].

use super::error::{PrivacyError, require};
use super::subsampled::Direction;
use crate::arith::Interval;
use crate::arith::normal::upper_tail;

/// Deviations beyond the farthest shift that bounded cells reach to.
const REACH: f64 = 7.0;
/// Most steps.
const STEPS_MAX: u32 = 4;

/// The steps that a record is in, from 0 on, with their probability.
pub type Law = Vec<(Interval, Vec<usize>)>;

/// k of t steps, all equally likely.
#[must_use]
pub fn several(steps: u32, participations: u32) -> Law {
    let taken = |set: u32| -> Vec<usize> {
        let all = 0..steps;
        all.filter(|i| set >> i & 1 == 1)
            .map(|i| i as usize)
            .collect()
    };
    let all: Vec<Vec<usize>> = (0..1u32 << steps)
        .filter(|set| set.count_ones() == participations)
        .map(taken)
        .collect();
    let weight = &Interval::from(1) / &Interval::from(all.len() as i64);
    all.into_iter().map(|set| (weight.clone(), set)).collect()
}

/// Every b-th step from one of the first b on, all equally likely.
#[must_use]
pub fn bins(steps: u32, bins: u32) -> Law {
    let weight = &Interval::from(1) / &Interval::from(i64::from(bins));
    let bin = |j: u32| (j..steps).step_by(bins as usize).map(|i| i as usize);
    (0..bins)
        .map(|j| (weight.clone(), bin(j).collect()))
        .collect()
}

/// Each step with probability p unless one of the b − 1 before, from a start at which all steps are alike; b = 1 is Poisson's.
#[must_use]
pub fn apart(steps: u32, separation: u32, rate: &Interval) -> Law {
    let one = Interval::from(1);
    let others = Interval::from(i64::from(separation - 1));
    let free = &one / &(&one + &(&others * rate));
    let skip = &one - rate;
    // (probability, steps taken, steps until it is free)
    let waiting = (1..separation).map(|wait| (&free * rate, Vec::new(), wait));
    let mut all: Vec<(Interval, Vec<usize>, u32)> = std::iter::once((free.clone(), Vec::new(), 0))
        .chain(waiting)
        .collect();
    for step in 0..steps as usize {
        let each = all
            .into_iter()
            .flat_map(|(weight, taken, wait)| match wait {
                0 => {
                    let with = [&taken[..], &[step]].concat();
                    vec![
                        (&weight * &skip, taken, 0),
                        (&weight * rate, with, separation - 1),
                    ]
                }
                _ => vec![(weight, taken, wait - 1)],
            });
        all = each.collect();
    }
    all.into_iter()
        .map(|(weight, taken, _)| (weight, taken))
        .collect()
}

/// A mean of N(m, I): weights and means.
type Means = Vec<(Interval, Vec<Interval>)>;

/// The pair of a run.
#[derive(Clone, Debug)]
pub struct Patterns {
    p: Means,
    q: Means,
}

/// What a component has of a box: its mass, and its range of densities over those of N(0, I); `None` without an end.
type Part = (Interval, Option<Interval>);

/// The parts of a box, or of a cell of one row, and its mass under N(0, I).
struct Place {
    p: Vec<Part>,
    q: Vec<Part>,
    base: Interval,
}

impl Patterns {
    /// A record that moves the rows by these columns in the steps that it is in, in units of the noise.
    ///
    /// # Errors
    /// More than four steps; columns that are not as long as there are steps, or with negative entries.
    pub fn new(law: &Law, columns: &[Vec<Interval>], replaced: bool) -> Result<Self, PrivacyError> {
        let steps = columns.len();
        let few = (1..=STEPS_MAX as usize).contains(&steps);
        require(few, "steps", &steps, "must lie in 1..=4")?;
        for column in columns {
            let length = column.len();
            require(
                length == steps,
                "rows",
                &length,
                "must be as many as the steps",
            )?;
            let negative = column.iter().find(|x| *x.lo() < 0);
            let zero = Interval::from(0);
            require(
                negative.is_none(),
                "entry",
                negative.unwrap_or(&zero),
                "must be >= 0",
            )?;
        }
        let mean = |taken: &Vec<usize>| -> Vec<Interval> {
            let row = |i: usize| taken.iter().map(|j| columns[*j][i].clone()).sum();
            (0..steps).map(row).collect()
        };
        let p: Means = law
            .iter()
            .map(|(w, taken)| (w.clone(), mean(taken)))
            .collect();
        let opposite =
            |(w, m): &(Interval, Vec<Interval>)| (w.clone(), m.iter().map(|x| -x).collect());
        let q = match replaced {
            true => p.iter().map(opposite).collect(),
            false => vec![(Interval::from(1), vec![Interval::from(0); steps])],
        };
        Ok(Self { p, q })
    }

    /// Encloses δ(ε) in one direction, each row on so many cells.
    #[must_use]
    pub fn delta(&self, epsilon: &Interval, direction: Direction, cells: u32) -> Interval {
        let laws = match direction {
            Direction::Remove => [&self.p, &self.q],
            Direction::Add => [&self.q, &self.p],
        };
        let start = |means: &Means| -> Vec<Part> {
            let each = means.iter().map(|(w, _)| (w.clone(), Some(w.clone())));
            each.collect()
        };
        let whole = Place {
            p: start(laws[0]),
            q: start(laws[1]),
            base: Interval::from(1),
        };
        let rows: Vec<Vec<Place>> = (0..self.p[0].1.len())
            .map(|row| line(laws, row, cells))
            .collect();
        let (lower, upper) = whole.cut(&rows, &epsilon.exp());
        Interval::new(lower.lo().clone(), upper.hi().clone()).min(&Interval::from(1))
    }
}

/// The line of a row, cut into so many cells and what is beyond them at either end.
fn line([p, q]: [&Means; 2], row: usize, count: u32) -> Vec<Place> {
    let far = p.iter().chain(q).map(|(_, mean)| mean[row].abs());
    let far = far.fold(0.0, |far: f64, x| far.max(x.hi_f64())) + REACH;
    let edge = |j: u32| {
        let z = far * (2.0 * f64::from(j) / f64::from(count) - 1.0);
        Interval::from_f64(z)
    };
    let place = |j: u32| {
        let from = (j > 0).then(|| edge(j - 1));
        let to = (j <= count).then(|| edge(j));
        let part = |mean: &Interval| cell(mean, from.as_ref(), to.as_ref());
        let parts = |means: &Means| means.iter().map(|(_, mean)| part(&mean[row])).collect();
        Place {
            p: parts(p),
            q: parts(q),
            base: part(&Interval::from(0)).0,
        }
    };
    (0..=count + 1).map(place).collect()
}

impl Place {
    /// At least, and at most, what the box has of ∫(P − aQ)₊, cut along these rows.
    fn cut(&self, rows: &[Vec<Self>], a: &Interval) -> (Interval, Interval) {
        let Some((cells, rest)) = rows.split_first() else {
            return self.ends(a);
        };
        let zero = || Interval::from(0);
        cells.iter().fold((zero(), zero()), |total, cell| {
            let (lower, upper) = self.times(cell).cut(rest, a);
            (&total.0 + &lower, &total.1 + &upper)
        })
    }

    /// The box of what has another row.
    fn times(&self, cell: &Self) -> Self {
        let product = |parts: &[Part], others: &[Part]| -> Vec<Part> {
            let each = parts.iter().zip(others).map(|(part, other)| {
                let range = part.1.as_ref().zip(other.1.as_ref());
                (&part.0 * &other.0, range.map(|(x, y)| x * y))
            });
            each.collect()
        };
        Self {
            p: product(&self.p, &cell.p),
            q: product(&self.q, &cell.q),
            base: &self.base * &cell.base,
        }
    }

    fn ends(&self, a: &Interval) -> (Interval, Interval) {
        let zero = Interval::from(0);
        let mass = |parts: &[Part]| -> Interval { parts.iter().map(|(m, _)| m.clone()).sum() };
        let ratio = |parts: &[Part]| -> Option<Interval> {
            parts.iter().map(|(_, ratio)| ratio.clone()).sum()
        };
        let p = mass(&self.p);
        let left = (&p - &(a * &mass(&self.q))).max(&zero);
        let range = ratio(&self.p).zip(ratio(&self.q));
        let upper = match range.map(|(p, q)| &p - &(a * &q)) {
            Some(range) if *range.hi() <= 0 => zero,
            Some(range) if *range.lo() >= 0 => left.clone(),
            Some(range) => p.min(&(&self.base * &Interval::point(range.hi().clone()))),
            None => p,
        };
        (left, upper)
    }
}

/// The mass of N(m, 1) between two points, and the range of its density over that of N(0, 1), unless an end is open.
fn cell(mean: &Interval, from: Option<&Interval>, to: Option<&Interval>) -> Part {
    let one = Interval::from(1);
    let tail = |x: &Interval| upper_tail(&(x - mean));
    let mass = match (from, to) {
        (None, None) => one.clone(),
        (None, Some(to)) => upper_tail(&(mean - to)),
        (Some(from), None) => tail(from),
        (Some(from), Some(to)) if to.certainly_le(mean) => {
            &upper_tail(&(mean - to)) - &upper_tail(&(mean - from))
        }
        (Some(from), Some(to)) => &tail(from) - &tail(to),
    };
    let half = mean * &Interval::from_f64(0.5);
    let ratio = |z: &Interval| (mean * &(z - &half)).exp();
    let range = match (from, to) {
        (Some(from), Some(to)) => Some(ratio(from).hull(&ratio(to))),
        _ if *mean.lo() == 0 && *mean.hi() == 0 => Some(one),
        _ => None,
    };
    (mass.max(&Interval::from(0)), range)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::privacy::allocation::Allocation;
    use crate::privacy::{Gdp, Profile};

    fn independent(steps: usize, mu: f64) -> Vec<Vec<Interval>> {
        let entry = |i, j| Interval::from_f64(if i == j { mu } else { 0.0 });
        (0..steps)
            .map(|j| (0..steps).map(|i| entry(i, j)).collect())
            .collect()
    }

    fn meets(found: &Interval, truth: &Interval, wide: f64) {
        assert!(found.intersect(truth).is_some(), "{found} {truth}");
        assert!(found.width() < wide * truth.hi_f64(), "{found} {truth}");
    }

    /// Two other routes: Poisson's closed form, and ratios one after the other.
    #[test]
    fn boxes_meet_what_is_enumerated_otherwise() {
        let (one, rate) = (Interval::from(1), Interval::from_f64(0.25));
        let run = Patterns::new(&apart(1, 1, &rate), &independent(1, 0.8), false).expect("a run");
        let gaussian = Gdp::new(Interval::from_f64(0.8)).expect("in range");
        let e = Interval::from_f64(0.2);
        let keep = &one - &rate;
        let removed = &rate * &gaussian.delta(&(&(&e.exp() - &keep) / &rate).ln());
        let left = &one - &(&e.exp() * &keep);
        let added = &left * &gaussian.delta(&(&(&e.exp() * &rate) / &left).ln());
        meets(&run.delta(&e, Direction::Remove, 400), &removed, 0.05);
        meets(&run.delta(&e, Direction::Add, 400), &added, 0.2);
        let e = Interval::from_f64(0.5);
        for (steps, participations, cells) in [(2, 1, 100), (3, 2, 36)] {
            let law = several(steps, participations);
            let boxes =
                Patterns::new(&law, &independent(steps as usize, 1.2), false).expect("a run");
            let mu = Interval::from_f64(1.2);
            let ratios = Allocation::new(steps, participations, mu).expect("in range");
            let truth = Direction::BOTH.map(|d| ratios.delta(&e, d, 60));
            for (d, truth) in Direction::BOTH.into_iter().zip(&truth) {
                meets(&boxes.delta(&e, d, cells), truth, 0.6);
            }
        }
    }

    /// A record and its opposite are as far apart as none and one that moves twice as far.
    #[test]
    fn a_replaced_record_moves_twice_as_far() {
        let run = Patterns::new(&several(1, 1), &independent(1, 0.6), true).expect("a run");
        let twice = Gdp::new(Interval::from_f64(1.2)).expect("in range");
        let e = Interval::from_f64(0.4);
        for direction in Direction::BOTH {
            meets(&run.delta(&e, direction, 400), &twice.delta(&e), 0.05);
        }
    }

    /// Losses over 20 are all beyond the last cells, at either end.
    #[test]
    fn what_lies_beyond_the_last_cells_counts() {
        let run = Patterns::new(&several(1, 1), &independent(1, 1.0), false).expect("a run");
        let e = Interval::from(20);
        let truth = Gdp::new(Interval::from(1)).expect("in range").delta(&e);
        assert!(*truth.lo() > 0);
        for direction in Direction::BOTH {
            let found = run.delta(&e, direction, 40);
            assert!(found.intersect(&truth).is_some(), "{found} {truth}");
            assert!(found.hi_f64() < 1e-11, "{found}");
        }
    }

    /// Cells reach 7 deviations beyond the farthest shift, evenly, and all that is beyond is in two more.
    #[test]
    fn cells_cover_the_line() {
        let run = Patterns::new(&several(1, 1), &independent(1, 2.0), true).expect("a run");
        let row = line([&run.p, &run.q], 0, 4);
        let edges = [f64::NEG_INFINITY, -9.0, -4.5, 0.0, 4.5, 9.0, f64::INFINITY];
        assert_eq!(row.len(), 6);
        for (place, ends) in row.iter().zip(edges.windows(2)) {
            let (from, to) = (ends[0], ends[1]);
            let tail = |x: f64| match x.is_finite() {
                true => upper_tail(&Interval::from_f64(x)),
                false => Interval::from(i64::from(x < 0.0)),
            };
            for (mass, mean) in [
                (&place.base, 0.0),
                (&place.p[0].0, 2.0),
                (&place.q[0].0, -2.0),
            ] {
                let truth = &tail(from - mean) - &tail(to - mean);
                assert!(
                    mass.intersect(&truth).is_some(),
                    "{from}, {to}: {mass}, {truth}"
                );
                assert!(mass.width() < 1e-30, "{mass}");
            }
            let ratio = |m: f64, z: f64| (m * (z - 0.5 * m)).exp();
            for (part, mean) in [(&place.p[0], 2.0), (&place.q[0], -2.0)] {
                let Some(range) = &part.1 else {
                    assert!(!(from.is_finite() && to.is_finite()));
                    continue;
                };
                let ends = [ratio(mean, from), ratio(mean, to)];
                let (least, most) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
                assert!((range.lo_f64() / least - 1.0).abs() < 1e-13, "{range}");
                assert!((range.hi_f64() / most - 1.0).abs() < 1e-13, "{range}");
            }
        }
        // Where there is no shift the densities are the same everywhere.
        let (mass, range) = cell(&Interval::from(0), None, None);
        assert_eq!((mass, range), (Interval::from(1), Some(Interval::from(1))));
        let (mass, range) = cell(&Interval::from(1), None, None);
        assert_eq!((mass, range), (Interval::from(1), None));
    }

    #[test]
    fn patterns_have_the_shares_they_should() {
        let rate = Interval::from_f64(0.25);
        for (law, share) in [
            (several(4, 3), 0.75),
            (bins(4, 3), 1.0 / 3.0),
            (apart(4, 1, &rate), 0.25),
            (apart(4, 3, &rate), 1.0 / 6.0),
            (apart(3, 4, &Interval::from(1)), 0.25),
        ] {
            let total: Interval = law.iter().map(|(w, _)| w.clone()).sum();
            assert!(total.contains(1.0), "{total}");
            for step in 0..3 {
                let here = law.iter().filter(|(_, taken)| taken.contains(&step));
                let found: Interval = here.map(|(w, _)| w.clone()).sum();
                assert!(
                    (found.lo_f64() - share).abs() < 1e-12,
                    "{step}: {found} {share}"
                );
            }
        }
    }

    #[test]
    fn what_is_no_run_is_refused() {
        let law = several(1, 1);
        let entry = |x: f64| vec![vec![Interval::from_f64(x)]];
        assert!(Patterns::new(&law, &entry(-1.0), false).is_err());
        assert!(Patterns::new(&law, &[vec![]], false).is_err());
        assert!(Patterns::new(&law, &[], true).is_err());
        assert!(Patterns::new(&law, &independent(5, 1.0), true).is_err());
    }
}
