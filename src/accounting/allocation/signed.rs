//! The mean of the positive part of a sum of independent numbers of both signs, from above and from below, on grids that
//! follow its law.
//!
//! A sum is doubled as in [`mean`](super::mean): from above, every sum of two points is spread to both ends of its cell with its
//! mean kept; from below, all sums in one cell become one class, which is known by its masses without the record, with it, and with
//! its replacement. The positive part is convex, so that the former raises its mean; the latter tells less than the numbers do, so
//! that "the class's mean is positive" is an event that tells P from P' ([`Grids::event`]), whichever classes are made.
//!
//! **Grids.** A spread in a cell costs its mass times the distance of a chord from u(y), the mean of the positive part given that
//! the sum so far is y. Both are known roughly from grids that are geometric around 0 and around the mean, which hold every
//! scale. Points that make all cells of the final grids cost the same are the best ones: a cell n times as narrow costs 1/n³ of
//! it.
//!
//! **Rounding.** Points are whole multiples of a power of two, and no sum has more than 53 bits: values are exact. All masses
//! are sums of positive terms: they are rounded outwards, by the error of as many terms. Points that hardly have mass are
//! given a little from above, and are left out of all events from below, so that no product of two is subnormal.

use super::normal_mass;
use crate::accounting::float::elementary::{exp, ln_1p};
use crate::accounting::float::{Enclosure, U};
use rayon::prelude::*;
use std::ops::Range;

/// Cells around 0 and around the mean of the first grids; and those of the next ones, where many cells are wanted.
const ROUGH: [i32; 2] = [96, 48];
const BETWEEN: usize = 200;
/// Share of the points that follows the former, whatever the costs.
const EVENLY: f64 = 0.1;
/// Deviations by which a sum may exceed the largest of its numbers before the rest is given up.
const REACH: f64 = 9.0;
/// Bits of the largest value: sums of two, and a shift, fit 53.
const BITS: i32 = 50;
/// Rows that are added up together.
const ROWS: usize = 64;
/// Least mass of a point.
const LEAST: f64 = 1e-150;
/// Relative error at which the masses of a class are trusted.
const SHARP: f64 = 1e-9;
/// What the last sums may be off by, relatively: far above 10⁵ roundings.
const SUMMED: f64 = 1e-10;

/// What one step adds to Σ rᵢ − a·Σ r'ᵢ at a = e^ε, divided by √a: Y = 2e^{−μ²/2}·sinh(μz − ε/2), z ~ N(0, 1).
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub mu: f64,
    pub epsilon: f64,
}

/// z-masses of one cell: without the record, with it, and with its replacement.
struct Cell {
    none: Enclosure,
    here: Enclosure,
    other: Enclosure,
}

impl Number {
    /// Y at z.
    fn value(self, z: f64) -> f64 {
        let x = (self.mu * z - 0.5 * self.epsilon).clamp(-600.0, 600.0);
        exp(-0.5 * self.mu * self.mu) * (exp(x) - exp(-x))
    }

    /// (z, error): Y(z) is x but for this error.
    fn place(self, x: f64) -> (f64, f64) {
        let y = 0.5 * x.abs() * exp(0.5 * self.mu * self.mu);
        let arc = ln_1p(y + y * y / (1.0 + (1.0 + y * y).sqrt()));
        let z = (0.5 * self.epsilon + arc.copysign(x)) / self.mu;
        // dY = √(x² + 4e^{−μ²}) for every unit of μz − ε/2, whose terms are off by some units in the last place.
        let off = U * (32.0 + 16.0 * (self.epsilon + arc) + 8.0 * self.mu * self.mu);
        (z, off * (x.abs() + 2.0))
    }

    fn cell(self, a: f64, b: f64) -> Cell {
        let near = |x: f64| if x.is_finite() { x.abs() } else { 0.0 };
        let (mu, size) = (self.mu, near(a) + near(b) + self.mu);
        Cell {
            none: normal_mass(a, b, size),
            here: normal_mass(a - mu, b - mu, size),
            other: normal_mass(a + mu, b + mu, size),
        }
    }

    /// √a.
    fn root(self) -> Enclosure {
        Enclosure::point(0.5 * self.epsilon).exp()
    }

    /// About the deviation of Y, cut at ±`end`.
    fn deviation(self, end: f64) -> f64 {
        const NODES: i32 = 600;
        let (mut mass, mut mean, mut square) = (0.0, 0.0, 0.0);
        for j in -NODES..=NODES {
            let z = 12.0 * f64::from(j) / f64::from(NODES);
            let (weight, y) = (exp(-0.5 * z * z), self.value(z).clamp(-end, end));
            mass += weight;
            mean += weight * y;
            square += weight * y * y;
        }
        let mean = mean / mass;
        (square / mass - mean * mean).max(0.0).sqrt()
    }
}

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
        let laws = self.laws(number).0;
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
        let unit = 2f64.powi(largest.log2().ceil() as i32 - BITS);
        // No number deviates less at its flattest.
        let least = number.mu * exp(-0.5 * number.mu * number.mu);
        let (lowest, mean) = (number.value(-39.0), -2.0 * (0.5 * number.epsilon).sinh());
        let mut count = 1.0;
        let points = links.iter().map(|link| {
            let scale = (least * f64::sqrt(count) / unit).max(1.0);
            let last = if count == 1.0 { top } else { high(count) };
            let ends = [(-largest).max(lowest * count), last].map(|x| (x / unit).round());
            // Where others make up for the sum, and where it mostly is.
            let centres = [0.0, (mean * count / unit).clamp(ends[0], ends[1])];
            let around = centres.into_iter().zip(ROUGH).flat_map(|(centre, cells)| {
                let far = ends.map(|x| ((x - centre) / scale).asinh());
                (0..=cells).map(move |j| {
                    let place = far[0] + (far[1] - far[0]) * f64::from(j) / f64::from(cells);
                    (centre + scale * place.sinh()).round()
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

    /// What is known of the sums before each link, from above; and the mean of what was cut from all sums, in units.
    fn laws(&self, number: Number) -> (Vec<Spread>, f64) {
        let mut excess = 0.0;
        let mut laws = vec![self.spread(number)];
        for (k, link) in self.links[..self.links.len() - 1].iter().enumerate() {
            let law = &laws[k];
            let other = match link {
                Link::Twice => law,
                Link::OneMore => &laws[0],
            };
            let (next, cut) = law.plus(other, &self.points[k + 1]);
            // Such sums go into the whole so many times.
            let left = self.links[k + 1..].iter().filter(|l| **l == Link::Twice);
            excess += cut * 2f64.powi(left.count() as i32);
            laws.push(next);
        }
        (laws, excess)
    }

    /// Upper bound on the profile at the number's ε.
    pub(super) fn most(&self, number: Number) -> f64 {
        let (laws, excess) = self.laws(number);
        let last = &laws[laws.len() - 1];
        let other = match self.links.last() {
            Some(Link::OneMore) => &laws[0],
            _ => last,
        };
        let off = self.off(number);
        // Every value may be larger by `off`: so many units in all.
        let moved = (self.steps as f64 * off / self.unit).ceil() + 1.0;
        let worth = other.positive(&last.values, moved);
        let sum: f64 = worth.iter().zip(&last.masses).map(|(u, p)| u * p).sum();
        let whole = last.masses.iter().sum::<f64>();
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

    /// The law of one number, spread to the points; its values may be larger by what places are off. As the positive part grows
    /// with the number, upper bounds on what lies at each point or higher are enough, and their rounding does not add up.
    fn spread(&self, number: Number) -> Spread {
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
        Spread::new(points.clone(), masses)
    }

    /// (P, P') of an event of classes: the former rounded down, the latter up.
    pub(super) fn event(&self, number: Number) -> (f64, f64) {
        let one = self.classes(number);
        let mut sum = one.clone();
        for (k, link) in self.links[..self.links.len() - 1].iter().enumerate() {
            let other = match link {
                Link::Twice => &sum,
                Link::OneMore => &one,
            };
            sum = sum.plus(other, &self.points[k + 1], self, number);
        }
        let other = match self.links.last() {
            Some(Link::OneMore) => &one,
            _ => &sum,
        };
        let [here, replaced] = sum.positive(other).map(|mass| mass / self.steps as f64);
        let error = (1.0 + sum.error) * (1.0 + other.error) * (1.0 + SUMMED) - 1.0;
        // No number says nothing.
        let p = here * (1.0 - error);
        (
            if p > 0.0 { p.min(1.0) } else { 0.0 },
            (replaced * (1.0 + error)).min(1.0),
        )
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

/// Calls `f` with the runs of `values`, which increase, that a shift by y moves to one cell: cell c ends at point c of the grid and
/// the last has no end.
fn runs(y: f64, values: &[f64], grid: &[f64], mut f: impl FnMut(usize, Range<usize>)) {
    let (mut from, mut cell) = (0, 0);
    while from < values.len() {
        while cell < grid.len() && y + values[from] >= grid[cell] {
            cell += 1;
        }
        let end = grid.get(cell).copied().unwrap_or(f64::INFINITY);
        let mut to = from + 1;
        while to < values.len() && y + values[to] < end {
            to += 1;
        }
        f(cell, from..to);
        from = to;
    }
}

/// Sums over blocks of rows in one order, so that the answer does not depend on threads.
fn added<const N: usize>(
    rows: usize,
    cells: usize,
    each: impl Fn(usize, &mut [[f64; N]]) + Sync,
) -> Vec<[f64; N]> {
    let blocks = (0..rows.div_ceil(ROWS)).into_par_iter().map(|block| {
        let mut sums = vec![[0.0; N]; cells];
        for row in block * ROWS..rows.min((block + 1) * ROWS) {
            each(row, &mut sums);
        }
        sums
    });
    let blocks: Vec<_> = blocks.collect();
    blocks
        .into_iter()
        .fold(vec![[0.0; N]; cells], |mut all, block| {
            for (sum, part) in all.iter_mut().zip(block) {
                for (x, y) in sum.iter_mut().zip(part) {
                    *x += y;
                }
            }
            all
        })
}

/// Bound on the relative error of sums over so many rows and columns, and of a few more roundings.
fn rounding(rows: usize, columns: usize) -> f64 {
    1.01 * U * (columns + ROWS + rows.div_ceil(ROWS) + 16) as f64
}

/// A law from above: masses at increasing values, in units.
#[derive(Clone, Debug)]
struct Spread {
    values: Vec<f64>,
    masses: Vec<f64>,
}

impl Spread {
    fn new(values: Vec<f64>, mut masses: Vec<f64>) -> Self {
        masses.iter_mut().for_each(|mass| *mass = mass.max(LEAST));
        Self { values, masses }
    }

    /// (mass, moment about y₀) of a run that is shifted by y.
    fn run(&self, run: Range<usize>, y: f64, from: f64) -> (f64, f64) {
        let points = self.masses[run.clone()].iter().zip(&self.values[run]);
        points.fold((0.0, 0.0), |(mass, moment), (p, value)| {
            (mass + p, moment + p * (y + value - from))
        })
    }

    /// The sum with another, spread to a grid, and the mean of what exceeds it.
    fn plus(&self, other: &Self, grid: &[f64]) -> (Self, f64) {
        let n = grid.len();
        let cells = added(self.values.len(), n + 1, |row, sums: &mut [[f64; 2]]| {
            let (y, p) = (self.values[row], self.masses[row]);
            runs(y, &other.values, grid, |cell, run| {
                let (mass, moment) = other.run(run, y, grid[cell.max(1) - 1]);
                sums[cell][0] += p * mass;
                sums[cell][1] += p * moment;
            });
        });
        let rounding = rounding(self.values.len(), other.values.len());
        let mut masses = vec![0.0; n];
        let end = |mass: f64| mass * (1.0 + 2.0 * rounding);
        masses[0] = end(cells[0][0]);
        for j in 1..n {
            let [mass, moment] = cells[j];
            let (share, slack) = (moment / (grid[j] - grid[j - 1]), 2.0 * rounding * mass);
            masses[j - 1] += (mass - share).max(0.0);
            masses[j] = share.min(mass) + slack;
        }
        masses[n - 1] += end(cells[n][0]);
        (Self::new(grid.to_vec(), masses), end(cells[n][1]))
    }

    /// E(y + X)₊ at y larger than each of `values`, which increase, by `moved`.
    fn positive(&self, values: &[f64], moved: f64) -> Vec<f64> {
        let (mut from, mut mass, mut mean) = (self.values.len(), 0.0, 0.0);
        let mut before = 0.0;
        let each = values.iter().map(|value| {
            let y = value + moved;
            mean += mass * (y - before);
            before = y;
            while from > 0 && self.values[from - 1] > -y {
                from -= 1;
                mass += self.masses[from];
                mean += self.masses[from] * (y + self.values[from]);
            }
            mean
        });
        each.collect()
    }

    /// About E u(y + X) at every y of `values`, where u is known on a grid.
    fn interpolated(&self, values: &[f64], grid: &[f64], u: &[f64]) -> Vec<f64> {
        let last = grid.len() - 1;
        let slope = |j: usize| (u[j] - u[j - 1]) / (grid[j] - grid[j - 1]);
        let at = |y: &f64| {
            let mut all = 0.0;
            runs(*y, &self.values, grid, |cell, run| {
                let from = cell.max(1) - 1;
                let (mass, moment) = self.run(run, *y, grid[from]);
                all += u[from] * mass;
                if cell > 0 {
                    all += slope(cell.min(last)) * moment;
                }
            });
            all
        };
        values.par_iter().map(at).collect()
    }

    /// The points of a grid of so many cells that cost about the same, u the worth of the present points.
    fn laid_out(&self, u: &[f64], cells: usize) -> Vec<f64> {
        let last = self.values.len() - 1;
        let width = |j: usize| self.values[j + 1] - self.values[j];
        let slopes: Vec<f64> = (0..last).map(|j| (u[j + 1] - u[j]) / width(j)).collect();
        let costs = (0..last).map(|j| {
            let bend = slopes[(j + 1).min(last - 1)] - slopes[j.max(1) - 1];
            ((self.masses[j] + self.masses[j + 1]) * width(j) * bend.max(0.0)).cbrt()
        });
        let costs: Vec<f64> = costs.collect();
        let evenly = EVENLY * costs.iter().sum::<f64>() / last as f64;
        let total: f64 = costs.iter().map(|cost| cost + evenly).sum();
        let mut points = vec![self.values[0]];
        let mut push = |place: f64| {
            if points.last().is_none_or(|before| place > *before) {
                points.push(place);
            }
        };
        let (mut passed, mut next) = (0.0, 1.0);
        for (j, cost) in costs.iter().enumerate() {
            let share = (cost + evenly) / total * cells as f64;
            while next <= passed + share && next < cells as f64 {
                let place = self.values[j] + (next - passed) / share * width(j);
                push(place.round());
                next += 1.0;
            }
            passed += share;
        }
        push(self.values[last]);
        points
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

    fn plus(&self, other: &Self, grid: &[f64], grids: &Grids, number: Number) -> Self {
        let (rows, columns) = (self.values.len(), other.values.len());
        let cells = added(rows, grid.len() + 1, |row, sums: &mut [[f64; 3]]| {
            let [p, here, replaced] = self.masses[row];
            runs(self.values[row], &other.values, grid, |cell, run| {
                let all = total(&other.masses[run]);
                sums[cell][0] += p * all[0];
                sums[cell][1] += here * all[0] + p * all[1];
                sums[cell][2] += replaced * all[0] + p * all[2];
            });
        });
        let rounding = 2.0 * rounding(rows, columns);
        let error = (1.0 + self.error) * (1.0 + other.error) * (1.0 + rounding) - 1.0;
        Self::new(cells[1..].to_vec(), grid, error, grids, number)
    }

    /// The masses with the record, and with its replacement, where the sum with another is not negative.
    fn positive(&self, other: &Self) -> [f64; 2] {
        let mut from = other.values.len();
        let (mut all, mut sums) = ([0.0; 3], [0.0; 2]);
        for (y, [p, here, replaced]) in self.values.iter().zip(&self.masses) {
            while from > 0 && other.values[from - 1] + y >= 0.0 {
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
