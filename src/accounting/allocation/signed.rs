//! The mean of the positive part of a sum of independent numbers of both signs, from above and from below, on grids that
//! follow its law.
//!
//! A sum is doubled as in [`mean`](super::mean): from above, every sum of two points is spread to both ends of its cell with its
//! mean kept; from below, all sums in one cell become one class, which is known by its masses without the record, with it, and with
//! its replacement. The positive part is convex, so that the former raises its mean; the latter tells less than the numbers do, so
//! that "the class's mean is above a level" is an event that tells P from P' ([`Grids::events`]), whichever classes are made.
//!
//! A spread in a cell costs its mass times the distance of a chord from u(y), the mean of the positive part given that
//! the sum so far is y. Both are known roughly from grids that are geometric around 0 and around the mean, which hold every
//! scale. Points that make all cells of the final grids cost the same are the best ones: a cell n times as narrow costs 1/n³ of
//! it.
//!
//! **Rounding.** Points are whole multiples of a power of two, and no sum has more than 53 bits: values are exact. All masses
//! are sums of positive terms: they are rounded outwards, by the error of as many terms. Points that hardly have mass are
//! given a little from above, and are left out of all events from below, so that no product of two is subnormal.

use super::normal_mass;
use super::number::Number;
use super::spread::{LEAST, Spread, added, columns, rounding, runs};
use crate::accounting::float::Enclosure;
use crate::accounting::float::elementary::{asinh, exp, exp_m1, ln, sinh};
use rayon::prelude::*;
use std::f64::consts::LN_2;

/// Cells around 0 and around the mean of the first grids; and those of the next ones, where many cells are wanted.
const ROUGH: [i32; 2] = [96, 48];
const BETWEEN: usize = 200;
/// Deviations by which a sum may exceed the largest of its numbers before the rest is given up.
const REACH: f64 = 9.0;
/// Bits of the largest value: sums of two, and a shift, fit 53.
const BITS: i32 = 50;
/// Relative error at which the masses of a class are trusted.
const SHARP: f64 = 1e-9;
/// Levels of an event, as shares of the expected one.
const SHARES: [f64; 4] = [1.0, 0.7, 0.85, 1.15];
/// What the last sums may be off by, relatively: far above 10⁵ roundings.
const SUMMED: f64 = 1e-10;

/// How the sum of t numbers is made of one: every link adds the sum so far to itself, or another number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Link {
    Twice,
    OneMore,
}

/// At least one link, for two steps or more.
fn chain(steps: u64) -> Vec<Link> {
    let bits = (0..steps.ilog2()).rev();
    let links = bits.map(|bit| match steps >> bit & 1 {
        1 => &[Link::Twice, Link::OneMore][..],
        _ => &[Link::Twice],
    });
    links.flatten().copied().collect()
}

/// How many sums of two different laws the sum of so many numbers costs: one of two alike costs half of one.
pub(super) fn sums(steps: u64) -> f64 {
    let each = |link: &Link| if *link == Link::Twice { 0.5 } else { 1.0 };
    chain(steps).iter().map(each).sum()
}

/// Points for the sum before each link.
#[derive(Clone, Debug)]
pub(super) struct Grids {
    steps: u64,
    links: Vec<Link>,
    /// A power of two, of which all points are whole multiples.
    unit: f64,
    points: Vec<Vec<f64>>,
}

impl Grids {
    /// Grids of so many cells for a number, which is cut where z is `end`; `None` if it is never positive before.
    pub(super) fn new(number: Number, steps: u64, end: f64, cells: usize) -> Option<Self> {
        let first = Self::geometric(number, steps, end)?.refined(number, cells.min(BETWEEN));
        Some(if cells > BETWEEN {
            first.refined(number, cells)
        } else {
            first
        })
    }

    /// Grids of so many cells that cost about the same, as far as these tell.
    fn refined(self, number: Number, cells: usize) -> Self {
        let laws = self.laws([number]).0;
        let one = &laws[0];
        let (mut points, mut worth) = (Vec::new(), Vec::new());
        for (k, law) in laws.iter().enumerate().rev() {
            let other = match self.links[k] {
                Link::Twice => law,
                Link::OneMore => one,
            };
            worth = match laws.get(k + 1) {
                None => other.positive(&law.values, 0.0),
                Some(next) => other.interpolated(&law.values, &next.values, &worth),
            };
            points.push(law.laid_out(&worth, cells));
        }
        points.reverse();
        Self { points, ..self }
    }

    fn geometric(number: Number, steps: u64, end: f64) -> Option<Self> {
        let top = number.value(end);
        if !(top > 0.0) {
            return None;
        }
        let links = chain(steps);
        let deviation = number.deviation(top);
        let high = |count: f64| top + REACH * deviation * count.sqrt();
        let largest = high(steps as f64);
        let unit = 2f64.powi((ln(largest) / LN_2).ceil() as i32 - BITS);
        // No number deviates less at its flattest.
        let least = number.mu * exp(-0.5 * number.mu * number.mu);
        let (lowest, mean) = (number.value(-39.0), -2.0 * sinh(0.5 * number.epsilon));
        let mut count = 1.0;
        let points = links.iter().map(|link| {
            let scale = (least * f64::sqrt(count) / unit).max(1.0);
            let last = if count == 1.0 { top } else { high(count) };
            let ends = [(-largest).max(lowest * count), last].map(|x| (x / unit).round());
            // Where others make up for the sum, and where it mostly is.
            let centres = [0.0, (mean * count / unit).clamp(ends[0], ends[1])];
            let around = centres.into_iter().zip(ROUGH).flat_map(|(centre, cells)| {
                let far = ends.map(|x| asinh((x - centre) / scale));
                (0..=cells).map(move |j| {
                    let place = far[0] + (far[1] - far[0]) * f64::from(j) / f64::from(cells);
                    (centre + scale * sinh(place)).round()
                })
            });
            let mut points: Vec<f64> = around.chain(ends).collect();
            points.retain(|x| (ends[0]..=ends[1]).contains(x));
            points.sort_by(f64::total_cmp);
            points.dedup();
            count = match link {
                Link::Twice => 2.0 * count,
                Link::OneMore => count + 1.0,
            };
            points
        });
        let points = points.collect();
        Some(Self {
            steps,
            links,
            unit,
            points,
        })
    }

    /// What is known of the sums before each link, from above, of some numbers; and the means of what was cut from all sums, in units.
    fn laws<const N: usize>(&self, numbers: [Number; N]) -> (Vec<Spread<N>>, [f64; N]) {
        let mut excess = [0.0; N];
        let mut laws = vec![self.spread(numbers)];
        for (k, link) in self.links[..self.links.len() - 1].iter().enumerate() {
            let law = &laws[k];
            let other = (*link == Link::OneMore).then_some(&laws[0]);
            let (next, cut) = law.plus(other, &self.points[k + 1]);
            // Such sums go into the whole so many times.
            let left = self.links[k + 1..].iter().filter(|l| **l == Link::Twice);
            let times = 2f64.powi(left.count() as i32);
            for (excess, cut) in excess.iter_mut().zip(cut) {
                *excess += cut * times;
            }
            laws.push(next);
        }
        (laws, excess)
    }

    /// Upper bounds on the profile at each number's ε.
    pub(super) fn most<const N: usize>(&self, numbers: [Number; N]) -> [f64; N] {
        let (laws, excess) = self.laws(numbers);
        let last = &laws[laws.len() - 1];
        let other = match self.links.last() {
            Some(Link::OneMore) => &laws[0],
            _ => last,
        };
        std::array::from_fn(|k| self.most_of(numbers[k], [last.law(k), other.law(k)], excess[k]))
    }

    /// The same of one number, whose whole is the sum of these two and of what was cut.
    fn most_of(&self, number: Number, [last, other]: [Spread<1>; 2], excess: f64) -> f64 {
        let off = self.off(number);
        // Every value may be larger by `off`: so many units in all.
        let moved = (self.steps as f64 * off / self.unit).ceil() + 1.0;
        let worth = other.positive(&last.values, moved);
        let masses = last.masses.iter().flatten();
        let sum: f64 = worth.iter().zip(masses.clone()).map(|(u, p)| u * p).sum();
        let whole = masses.sum::<f64>();
        // Upper bounds of all masses that sum up to less than 1 are no numbers.
        if !(whole >= 1.0 - SUMMED) {
            return f64::INFINITY;
        }
        let root = number.root();
        let mean = root * ((sum + excess * whole * whole) * self.unit) / self.steps as f64;
        // √a·E(Y − c) above the cut c, which is off by at most `off`.
        let top = self.points[0][self.points[0].len() - 1] * self.unit;
        let above = number.cell(number.place(top).0, f64::INFINITY);
        let level = Enclosure::point(top) - off;
        let beyond = above.here - root * (root * above.other + level * above.none);
        (mean * (1.0 + SUMMED) + beyond.hi.max(0.0)).hi
    }

    /// How far the places of the points of one number are off: most at an end.
    fn off(&self, number: Number) -> f64 {
        let points = &self.points[0];
        let ends = [points[0], points[points.len() - 1]].map(|x| number.place(x * self.unit).1);
        ends[0].max(ends[1])
    }

    /// The laws of some numbers, spread to the points.
    fn spread<const N: usize>(&self, numbers: [Number; N]) -> Spread<N> {
        let laws = numbers.map(|number| self.masses(number));
        let points = self.points[0].clone();
        let masses = (0..points.len()).map(|j| std::array::from_fn(|k| laws[k][j]));
        let masses = masses.collect();
        Spread::new(points, masses)
    }

    /// The masses of one number at the points; its values may be larger by what places are off. As the positive part grows with
    /// the number, upper bounds on what lies at each point or higher are enough, and their rounding does not add up.
    fn masses(&self, number: Number) -> Vec<f64> {
        let points = &self.points[0];
        let off = self.off(number);
        let root = number.root();
        let edges: Vec<f64> = points
            .iter()
            .map(|x| number.place(x * self.unit).0)
            .collect();
        // At most the mass from point j + 1 on: all that lies higher, and the upper share of the cell below.
        let from_on = (0..points.len() - 1).into_par_iter().map(|j| {
            let cell = number.cell(edges[j], edges[j + 1]);
            let low = Enclosure::point(points[j] * self.unit) - off;
            let width = Enclosure::point((points[j + 1] - points[j]) * self.unit) + 2.0 * off;
            let moment = cell.here / root - cell.other * root;
            let share = ((moment - low * cell.none) / width).clamp(0.0, cell.none.hi);
            let higher = normal_mass(edges[j + 1], f64::INFINITY, edges[j + 1].abs());
            (share.hi + higher.hi).next_up()
        });
        let mut from_on: Vec<f64> = from_on.collect();
        from_on.insert(0, 1.0);
        let mut masses = vec![0.0; points.len()];
        let mut higher = 0.0f64;
        for (mass, least) in masses.iter_mut().zip(&from_on).rev() {
            *mass = (least - higher).next_up().max(0.0);
            higher = higher.max(*least);
        }
        masses
    }

    /// (P, P') of events of classes, the former rounded down, the latter up. The classes are made for one number; each ε has a few
    /// levels that their sum may exceed.
    pub(super) fn events(&self, number: Number, epsilons: &[f64]) -> Vec<Vec<(f64, f64)>> {
        let [one, sum] = self.below(number);
        let other = match self.links.last() {
            Some(Link::OneMore) => &one,
            _ => &sum,
        };
        let error = (1.0 + sum.error) * (1.0 + other.error) * (1.0 + SUMMED) - 1.0;
        let event = |level: f64| {
            let [here, replaced] = sum.positive(other, level).map(|m| m / self.steps as f64);
            // No number says nothing.
            let p = here * (1.0 - error);
            let p = if p > 0.0 { p.min(1.0) } else { 0.0 };
            (p, (replaced * (1.0 + error)).min(1.0))
        };
        let levels = |epsilon: &f64| {
            // Σ rᵢ > a·Σ r'ᵢ where the number's sum is above (a − a₀)/√a₀·Σ r'ᵢ, a₀ its own, and Σ r'ᵢ is about t.
            let apart = exp(0.5 * number.epsilon) * exp_m1(epsilon - number.epsilon);
            let whole = apart * self.steps as f64 / self.unit;
            let some = if whole == 0.0 { &SHARES[..1] } else { &SHARES };
            some.iter().map(|share| event(share * whole)).collect()
        };
        epsilons.iter().map(levels).collect()
    }

    /// What is known from below of one number, and of the sum before the last link.
    fn below(&self, number: Number) -> [Classes; 2] {
        let one = self.classes(number);
        let mut sum = one.clone();
        for (k, link) in self.links[..self.links.len() - 1].iter().enumerate() {
            let other = (*link == Link::OneMore).then_some(&one);
            sum = sum.plus(other, &self.points[k + 1], self, number);
        }
        [one, sum]
    }

    fn classes(&self, number: Number) -> Classes {
        let edges: Vec<f64> = self.points[0]
            .iter()
            .map(|x| number.place(x * self.unit).0)
            .collect();
        let beyond = [(edges[edges.len() - 1], f64::INFINITY)];
        let cells = edges.windows(2).map(|w| (w[0], w[1])).chain(beyond);
        let mut error = 0.0f64;
        let mut masses = Vec::new();
        for (a, b) in cells {
            let cell = number.cell(a, b);
            let each = [cell.none, cell.here, cell.other];
            let sharp = |mass: &Enclosure| mass.lo > LEAST && mass.width() < SHARP * mass.lo;
            if each.iter().all(sharp) {
                let off = each.map(|mass| (mass.width() / mass.lo).next_up());
                error = off.into_iter().fold(error, f64::max);
                masses.push(each.map(Enclosure::middle));
            } else {
                masses.push([0.0; 3]);
            }
        }
        Classes::new(masses, &self.points[0], error, self, number)
    }

    /// About the value of a class.
    fn value(&self, [none, here, other]: [f64; 3], number: Number) -> f64 {
        let root = exp(0.5 * number.epsilon);
        (here / root - other * root) / (none * self.unit)
    }
}

/// A law from below: classes by increasing values, each with its masses without the record, with it, and with its replacement, the
/// latter two of as many runs as there were steps, one of which has the record.
#[derive(Clone, Debug)]
struct Classes {
    values: Vec<f64>,
    masses: Vec<[f64; 3]>,
    /// Bound on the relative error of the masses.
    error: f64,
}

impl Classes {
    /// Of all cells of a grid but the lowest, each from its point on.
    fn new(cells: Vec<[f64; 3]>, grid: &[f64], error: f64, grids: &Grids, number: Number) -> Self {
        let (mut values, mut masses) = (Vec::new(), Vec::new());
        for (j, cell) in cells.into_iter().enumerate() {
            if cell.iter().all(|mass| *mass > LEAST) {
                let end = grid.get(j + 1).copied().unwrap_or(f64::INFINITY);
                values.push(grids.value(cell, number).clamp(grid[j], end));
                masses.push(cell);
            }
        }
        Self {
            values,
            masses,
            error,
        }
    }

    /// The sum with another, or with one like itself.
    fn plus(&self, other: Option<&Self>, grid: &[f64], grids: &Grids, number: Number) -> Self {
        let by = other.unwrap_or(self);
        let own = self.values.len();
        let cells = added(own, grid.len() + 1, |row, sums: &mut [[f64; 3]]| {
            for (columns, times) in columns(row, other.map(|other| other.values.len()), own) {
                let [p, here, replaced] = self.masses[row].map(|mass| times * mass);
                let those = (&by.values[columns.clone()], &by.masses[columns]);
                let add = ([0.0; 3], |sums: &mut [f64; 3], masses: &[f64; 3], _| {
                    for k in 0..3 {
                        sums[k] += masses[k];
                    }
                });
                runs(self.values[row], those, (grid, grid), add, |cell, all| {
                    sums[cell][0] += p * all[0];
                    sums[cell][1] += here * all[0] + p * all[1];
                    sums[cell][2] += replaced * all[0] + p * all[2];
                });
            }
        });
        let rounding = 2.0 * rounding(own, by.values.len());
        let error = (1.0 + self.error) * (1.0 + by.error) * (1.0 + rounding) - 1.0;
        Self::new(cells[1..].to_vec(), grid, error, grids, number)
    }

    /// The masses with the record, and with its replacement, where the sum with another is at least this.
    fn positive(&self, other: &Self, level: f64) -> [f64; 2] {
        let mut from = other.values.len();
        let (mut all, mut sums) = ([0.0; 3], [0.0; 2]);
        for (y, [p, here, replaced]) in self.values.iter().zip(&self.masses) {
            while from > 0 && other.values[from - 1] + y >= level {
                from -= 1;
                all = total(&[all, other.masses[from]]);
            }
            sums[0] += here * all[0] + p * all[1];
            sums[1] += replaced * all[0] + p * all[2];
        }
        sums
    }
}

fn total(masses: &[[f64; 3]]) -> [f64; 3] {
    masses.iter().fold([0.0; 3], |all, mass| {
        [all[0] + mass[0], all[1] + mass[1], all[2] + mass[2]]
    })
}

#[cfg(test)]
mod tests;
