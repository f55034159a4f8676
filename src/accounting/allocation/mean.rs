//! The mean of t independent ratios, from above and from below, on points that follow its law.
//!
//! The sum of m ratios is kept as masses on a grid, fine around its mean and geometric beyond, and doubled: every sum of two
//! points is spread to both ends of its cell (from above), or joins the mean of all sums in its cell (from below). The
//! functions of the sum that matter are convex, so that Jensen's inequality, given all other summands, gives the direction
//! of both, again and again. A cell of width w changes a variance by at most w²/4, so that N points leave an error of order
//! 1/N². All terms are positive: masses are rounded relatively, in every tail, and no transform has a noise floor.
//!
//! **Rounding.** Functions of the sum that matter are never negative: masses are rounded outwards, by the error of sums of
//! as many terms as there are. Values may be off by a factor: the places of points in their cells, and the means of cells
//! from below, are rounded relatively to the sum (`value_error`, 10⁻¹⁰ or so), as if all ratios were larger or smaller.

use super::normal_mass;
use super::spread::{added, columns, moments, rounding, runs};
use crate::accounting::float::elementary::{exp, ln};
use crate::accounting::float::{Enclosure, U, normal_tail};
use crate::accounting::pld::discrete_law::DiscreteLaw;
use crate::accounting::root::bisect;
use rayon::prelude::*;

/// Which side of the truth a law keeps to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Above,
    Below,
}

/// Points of a grid, where the ends are to be as close as they can be, and elsewhere.
pub(super) const POINTS: usize = 2000;
pub(super) const FEWER_POINTS: usize = 1400;
/// Points with less mass are left out: no product of two is subnormal.
const NO_MASS: f64 = 1e-150;
/// Width of the middle of a grid, in deviations.
const MIDDLE: f64 = 4.0;
/// Relative error at which the mean of a cell of the first grid is trusted.
const SHARP: f64 = 1e-8;

/// What the grids of all sums are laid out by.
struct Layout {
    mu: f64,
    /// Deviation of one ratio that is cut at `end`.
    deviation: f64,
    /// E(r; r > end) is about what may be lost.
    end: f64,
    /// −ln of a probability that does not matter.
    nats: f64,
    /// Points of a grid.
    points: usize,
}

impl Layout {
    fn new(mu: f64, (delta, lost): (f64, f64), points: usize) -> Self {
        let z = bisect(-8.0, 39.0, 1e-9, |z| normal_tail(z) > lost).1;
        let log_end = (mu * z + 0.5 * mu * mu).min(600.0);
        // Var min(r, c) from E(r²; r < c) = e^{μ²}·Pr[N(2μ, 1) < ln c/μ + μ/2].
        let square = exp(mu * mu) * (1.0 - normal_tail(log_end / mu - 1.5 * mu));
        Self {
            mu,
            deviation: (square - 1.0).max(0.1 * mu * mu).sqrt(),
            end: exp(log_end),
            nats: 11.5 - ln(delta.max(1e-300)),
            points,
        }
    }

    /// A point below which the sum of so many ratios hardly lies: by Chernoff's bound, or as all of them would.
    fn lowest(&self, count: f64) -> f64 {
        let chernoff = count - (2.0 * self.nats * count).sqrt() * exp(0.5 * self.mu * self.mu);
        let all = exp(-self.nats / count);
        let z = bisect(-9.0, 9.0, 1e-6, |z| normal_tail(-z) < all).1;
        let single = exp(self.mu * z - 0.5 * self.mu * self.mu);
        chernoff.max(single.min(0.999 * count))
    }

    /// The points 0 = x₀ < x₁ < … of the grid for the sum of so many ratios.
    fn grid(&self, count: u64) -> Vec<f64> {
        let count = count as f64;
        let middle = MIDDLE * self.deviation * count.sqrt();
        let (low, reach) = (self.lowest(count), (2.0 * self.nats).sqrt() + 1.0);
        let high = count + self.end + reach * self.deviation * count.sqrt();
        let slope = (0.5 * MIDDLE * self.mu).max(1.0);
        let walk = |step: f64, points: &mut Vec<f64>| {
            points.clear();
            points.push(0.0);
            let mut x = low;
            while x < high && points.len() < 2 * self.points {
                points.push(x);
                let width = step
                    * (middle * middle + (x - count) * (x - count))
                        .sqrt()
                        .min(slope * x);
                x = (x + width).max(x.next_up());
            }
            points.push(x);
        };
        let mut points = Vec::new();
        let step = bisect(-12.0, 2.0, 1e-4, |log| {
            walk(exp(log), &mut points);
            points.len() > self.points
        });
        walk(exp(step.1), &mut points);
        points
    }
}

/// Bounds on the law of a sum of ratios.
#[derive(Clone, Debug)]
pub(super) struct Sum {
    side: Side,
    count: u64,
    /// (value, mass under Q), by increasing value.
    points: Vec<(f64, f64)>,
    /// From above: mass and moment of what lies beyond the grids.
    beyond: (f64, f64),
    value_error: f64,
}

/// Mass, and mass times place in the cell, of every cell.
type Cells = (Vec<f64>, Vec<f64>);

impl Sum {
    /// The sum of so many ratios of a step that moves by μ deviations, on grids of so many points. `tails`: δ, which says what
    /// matters, and about how much of the moment is given up from above.
    pub(super) fn new(
        mu: f64,
        count: u64,
        tails: (f64, f64),
        (side, points): (Side, usize),
    ) -> Self {
        let layout = Layout::new(mu, tails, points);
        let one = Self::single(&layout, side);
        let mut sum = one.clone();
        for bit in (0..count.ilog2()).rev() {
            sum = sum.plus(None, &layout);
            if count >> bit & 1 == 1 {
                sum = sum.plus(Some(&one), &layout);
            }
        }
        sum
    }

    /// One ratio r = e^L, L ~ N(−μ²/2, μ²): the mass of a cell is Q's, its moment P's.
    fn single(layout: &Layout, side: Side) -> Self {
        let (mu, grid) = (layout.mu, layout.grid(1));
        let last = grid.len() - 1;
        let edge = |j: usize| match j {
            0 => f64::NEG_INFINITY,
            _ => ln(grid[j]) / mu,
        };
        let masses = |a: f64, b: f64| {
            let near = |x: f64| if x.is_finite() { x.abs() } else { 0.0 };
            let size = near(a) + near(b) + mu;
            [0.5, -0.5].map(|half| normal_mass(a + half * mu, b + half * mu, size))
        };
        let cells = (0..last).into_par_iter();
        let cells: Vec<_> = cells.map(|j| masses(edge(j), edge(j + 1))).collect();
        let [mass, moment] = masses(edge(last), f64::INFINITY);
        let mut all = Self {
            side,
            count: 1,
            points: grid.iter().map(|x| (*x, 0.0)).collect(),
            beyond: (mass.hi, moment.hi),
            value_error: 8.0 * U,
        };
        let up = 1.0 + 4.0 * U;
        let mut means = Vec::new();
        for (j, [mass, moment]) in cells.into_iter().enumerate() {
            let (x, width) = (grid[j], grid[j + 1] - grid[j]);
            let mean = moment / mass.max(Enclosure::point(f64::MIN_POSITIVE));
            let (middle, error) = (
                mean.middle().clamp(x, grid[j + 1]),
                mean.width() / mean.middle(),
            );
            if side == Side::Below {
                if mass.lo > NO_MASS && error < SHARP {
                    means.push((middle, mass.lo));
                    all.value_error = all.value_error.max(error + 8.0 * U);
                }
                continue;
            }
            let place = ((middle - x) / width).clamp(0.0, 1.0);
            // A mean is moved by an error if all points are moved towards one end, each by at most so many times as much.
            let lever = 1.01 * grid[j + 1] / (x * place.min(1.0 - place));
            if mass.lo > NO_MASS && lever * error < SHARP {
                all.points[j].1 += mass.hi * (1.0 - place) * up;
                all.points[j + 1].1 += mass.hi * place * up;
                all.value_error = all.value_error.max(lever * error + 8.0 * U);
            } else {
                // Wherever the mean is: what is too much is safe.
                let place = ((mean - x) / width).clamp(0.0, 1.0);
                all.points[j].1 += (mass.hi * (1.0 - place)).hi;
                all.points[j + 1].1 += (mass.hi * place).hi;
            }
        }
        if side == Side::Below {
            all.points = means;
        }
        all.pruned()
    }

    /// The sum with another of the same side, independent of it, or with one like itself.
    fn plus(&self, other: Option<&Self>, layout: &Layout) -> Self {
        let (cells, other) = (other, other.unwrap_or(self));
        let count = self.count + other.count;
        let grid = layout.grid(count);
        let ((masses, moments), outside) = self.cells(cells, &grid);
        let rounding = rounding(self.points.len(), other.points.len());
        let spread = |j: usize| grid[j + 1] - grid[j];
        let mut all = Self {
            side: self.side,
            count,
            points: Vec::new(),
            beyond: (0.0, 0.0),
            value_error: self.value_error.max(other.value_error) + 8.0 * U,
        };
        match self.side {
            Side::Above => {
                all.points = grid.iter().map(|x| (*x, 0.0)).collect();
                for (j, (mass, moment)) in masses.iter().zip(&moments).enumerate() {
                    let slack = 2.0 * rounding * mass;
                    all.points[j].1 += (mass - moment).max(0.0) + slack;
                    all.points[j + 1].1 += moment + slack;
                }
                let more = |a: &Self, b: &Self| {
                    let (mass, moment) = a.beyond;
                    (mass, moment + mass * b.count as f64)
                };
                let (a, b) = (more(self, other), more(other, self));
                // The masses may sum to a little more than 1.
                let up = 1.01;
                all.beyond = ((a.0 + b.0 + outside.0) * up, (a.1 + b.1 + outside.1) * up);
            }
            Side::Below => {
                // Each cell's mean is off by the rounding of its place, at most the width of the cell; that of the first is its place.
                let mut off = 0.0f64;
                for (j, (mass, moment)) in masses.iter().zip(&moments).enumerate() {
                    if *mass > 0.0 {
                        let mean = grid[j] + spread(j) * (moment / mass).min(1.0);
                        let lever = if j == 0 { 1.0 } else { spread(j) / grid[j] };
                        off = off.max(2.0 * rounding * lever);
                        all.points.push((mean, mass * (1.0 - rounding)));
                    }
                }
                all.value_error += off;
            }
        }
        all.pruned()
    }

    /// What the sums of all pairs of points leave in the cells of a grid, and the mass and moment of what lies beyond. Of one
    /// like itself each pair of points is looked at once.
    fn cells(&self, other: Option<&Self>, grid: &[f64]) -> (Cells, (f64, f64)) {
        let (own, last) = (self.points.len(), grid.len() - 1);
        let those = other.unwrap_or(self).points.iter();
        let (values, masses): (Vec<f64>, Vec<[f64; 1]>) =
            those.map(|(value, mass)| (*value, [*mass])).unzip();
        let other = other.map(|other| other.points.len());
        // Places are counted from the start of a cell, and beyond the grid from 0.
        let mut from = grid.to_vec();
        from[last] = 0.0;
        let mut sums = added(own, last + 1, |row, sums: &mut [[f64; 2]]| {
            let (y, p) = self.points[row];
            for (columns, times) in columns(row, other, own) {
                let those = (&values[columns.clone()], &masses[columns]);
                let add = ([[0.0]; 2], moments);
                runs(y, those, (grid, &from), add, |cell, [[mass], [moment]]| {
                    sums[cell - 1][0] += times * p * mass;
                    sums[cell - 1][1] += times * p * moment;
                });
            }
        });
        let [mass, moment] = sums.pop().unwrap_or_default();
        let widths = grid.windows(2).map(|w| w[1] - w[0]);
        let cells = sums.into_iter().zip(widths);
        let cells = cells.map(|([mass, moment], width)| (mass, moment / width));
        (cells.unzip(), (mass, moment))
    }

    /// Without the points of hardly any mass, which count as lost.
    fn pruned(mut self) -> Self {
        for (value, mass) in &self.points {
            if *mass <= NO_MASS {
                self.beyond.0 += mass;
                self.beyond.1 += mass * value;
            }
        }
        self.points.retain(|(_, mass)| *mass > NO_MASS);
        self
    }

    /// The pair where the record is removed: loss ln(S/t), mass q·S/t.
    pub(super) fn removal(&self) -> DiscreteLaw {
        let mean = |value: f64| value / self.count as f64;
        let seen = self.points.iter().filter(|(value, _)| *value > 0.0);
        let atoms = seen.map(|(value, q)| (ln(mean(*value)), q * mean(*value)));
        self.law(atoms.collect(), mean(self.beyond.1))
    }

    /// The pair where the record is added: loss −ln(S/t), mass q.
    pub(super) fn addition(&self) -> DiscreteLaw {
        let mean = |value: f64| value / self.count as f64;
        let points = self.points.iter().copied();
        let (seen, gone): (Vec<_>, Vec<_>) = points.partition(|(value, _)| *value > 0.0);
        let atoms = seen.into_iter().map(|(value, q)| (-ln(mean(value)), q));
        let gone: f64 = gone.iter().map(|(_, q)| q).sum();
        self.law(atoms.collect(), gone + self.beyond.0)
    }

    fn law(&self, atoms: Vec<(f64, f64)>, infinite: f64) -> DiscreteLaw {
        let infinite = match self.side {
            Side::Above => ((infinite + 1e-140) * (1.0 + 1e-9)).min(1.0),
            Side::Below => 0.0,
        };
        // The masses q·S/t are off by what S is.
        let error = 1.01 * self.value_error + 8.0 * U;
        DiscreteLaw::new(atoms, infinite, error, None).with_loss_error(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::pld::law::LossLaw;
    use crate::accounting::steady;
    use rand::{RngExt, SeedableRng};
    use rug::Rational;

    /// All pairs of points, one by one and exactly: each cell has their mass and their places, of two laws as of two alike.
    #[test]
    fn cells_have_the_masses_and_places_of_all_pairs() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(1);
        let exact = |x: f64| Rational::from_f64(x).expect("finite");
        let mut law = |n: usize| Sum {
            side: Side::Above,
            count: 1,
            points: (0..n)
                .map(|j| (j as f64 * 0.5, rng.random_range(0.0..1.0)))
                .collect(),
            beyond: (0.0, 0.0),
            value_error: 0.0,
        };
        let (a, b) = (law(150), law(90));
        for other in [None, Some(&b)] {
            let grid: Vec<f64> = (0..40).map(|j| f64::from(j * j) * 0.0625).collect();
            let last = grid.len() - 1;
            let mut truth = vec![[Rational::new(), Rational::new()]; last + 1];
            for (x, p) in &a.points {
                for (y, q) in &other.unwrap_or(&a).points {
                    let cell = grid.partition_point(|point| *point <= x + y) - 1;
                    let from = if cell == last { 0.0 } else { grid[cell] };
                    let mass = exact(*p) * exact(*q);
                    truth[cell][1] += mass.clone() * exact(x + y - from);
                    truth[cell][0] += mass;
                }
            }
            let ((masses, moments), (mass, moment)) = a.cells(other, &grid);
            let error = rounding(a.points.len(), other.unwrap_or(&a).points.len());
            let close = |found: f64, truth: &Rational| {
                let off = (truth - exact(found)).abs();
                off <= exact(error) * truth
            };
            let cells = masses.iter().zip(&moments);
            let cells = cells.zip(truth.iter().zip(grid.windows(2)));
            for ((mass, moment), ([all, places], ends)) in cells {
                let place = places.clone() / exact(ends[1] - ends[0]);
                let right = close(*mass, all) && close(*moment, &place);
                assert!(right, "{mass} {moment}");
            }
            assert!(close(mass, &truth[last][0]) && close(moment, &truth[last][1]));
        }
    }

    /// The masses of both pairs are known no better than the values that they are made of.
    #[test]
    fn a_law_is_off_by_all_that_its_values_are() {
        for side in [Side::Above, Side::Below] {
            let sum = Sum::new(1.0, 3, (1e-6, 1e-9), (side, POINTS));
            assert!(sum.value_error >= 16.0 * U);
            for law in [sum.removal(), sum.addition()] {
                let tails = law.tails(0.3);
                assert!(tails.error >= sum.value_error && tails.slack >= sum.value_error);
                assert!(tails.error < 10.0 * sum.value_error && tails.p > 0.0);
            }
        }
    }

    /// Layouts, sums and laws of few points, so that every allowance is seen.
    #[test]
    fn what_laws_are_made_of_is_what_it_was() {
        let mut found = Vec::new();
        for (mu, count, tails) in [
            (1.0, 1, (1e-6, 1e-9)),
            (0.05, 7, (1e-3, 1e-6)),
            (2.0, 12, (1e-9, 1e-13)),
            (6.0, 5, (0.1, 1e-5)),
            (9.0, 2, (0.0, 1e-200)),
        ] {
            for points in [60, 300] {
                let layout = Layout::new(mu, tails, points);
                found.extend([layout.deviation, layout.end, layout.nats]);
                found.extend([1.0, 40.0].map(|count| layout.lowest(count)));
                found.push(steady::mark(&[layout.grid(1), layout.grid(9)].concat()));
                for side in [Side::Above, Side::Below] {
                    let one = Sum::single(&layout, side);
                    let sum = Sum::new(mu, count, tails, (side, points));
                    for sum in [&one, &sum] {
                        let each = sum.points.iter().flat_map(|(value, mass)| [*value, *mass]);
                        let each: Vec<f64> = each.collect();
                        found.extend([each.len() as f64, steady::mark(&each)]);
                        found.extend([sum.beyond.0, sum.beyond.1, sum.value_error]);
                    }
                    for law in [sum.removal(), sum.addition()] {
                        let tails = [-0.3, 0.4].map(|epsilon| law.tails(epsilon));
                        let tails = tails.map(|t| steady::mark(&[t.p, t.q, t.error, t.slack]));
                        found.extend([tails[0], tails[1], law.infinite(), law.leak()]);
                    }
                }
            }
        }
        let marks: Vec<f64> = found.chunks(23).map(steady::mark).collect();
        steady::holds(
            &marks,
            "5228216814254119.0 807877575254686.0 4704699616103798.0 5389339504575284.0
         5927089227667143.0 4910993311913264.0 8513120631034721.0 852321124557094.0
         6369798816022004.0 1079159485152324.0 7429785279212782.0 2437094347873540.0
         8992104611759442.0 8651428513782687.0 736029055160987.0 5159248752286133.0
         3156587094955445.0 3294076160130983.0 410652797291554.0",
        );
    }

    /// What is left out beyond the grids is counted as lost from above, of all summands.
    #[test]
    fn what_is_beyond_the_grids_is_lost_and_not_forgotten() {
        let (mu, tails) = (2.0, (1e-4, 1e-6));
        let one = Sum::new(mu, 1, tails, (Side::Above, 300));
        for count in [2, 3, 6] {
            let sum = Sum::new(mu, count, tails, (Side::Above, 300));
            let mass: f64 = sum.points.iter().map(|(_, mass)| mass).sum();
            let mean: f64 = sum.points.iter().map(|(value, mass)| value * mass).sum();
            let times = count as f64;
            assert!(sum.beyond.0 >= times * one.beyond.0 * 0.999);
            assert!(sum.beyond.1 >= times * one.beyond.1 * 0.999);
            // All of the law and of its mean is there.
            assert!(
                (1.0..1.001).contains(&(mass + sum.beyond.0)),
                "{count}: {mass}"
            );
            let mean = (mean + sum.beyond.1) / times;
            assert!((1.0 - 1e-9..1.001).contains(&mean), "{count}: {mean}");
        }
    }
}
