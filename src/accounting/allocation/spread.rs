//! Laws from above on grids, and what sums over their rows and columns need: see [`signed`](super::signed).

use crate::accounting::float::U;
use crate::accounting::float::elementary::{exp, ln};
use rayon::prelude::*;
use std::ops::Range;

/// Share of the points that follows the former, whatever the costs.
const EVENLY: f64 = 0.1;
/// Rows that are added up together.
const ROWS: usize = 64;
/// Least mass of a point.
pub(super) const LEAST: f64 = 1e-150;

/// Calls `f` with what `add` makes of nothing, and of the runs of `values`, which increase, that a shift by y moves to one cell: cell c
/// ends at point c of the grid and the last has no end. `add` is told what there is of a value, and its place from where its cell is
/// counted from: the entry of `from` for the point before, in the first cell that of the first point.
pub(super) fn runs<T, A: Copy>(
    y: f64,
    (values, items): (&[f64], &[T]),
    (grid, from): (&[f64], &[f64]),
    (nothing, add): (A, impl Fn(&mut A, &T, f64)),
    mut f: impl FnMut(usize, A),
) {
    let Some(first) = values.first() else {
        return;
    };
    let end = |cell: usize| grid.get(cell).copied().unwrap_or(f64::INFINITY);
    let origin = |cell: usize| from[cell.max(1) - 1];
    let mut cell = grid.partition_point(|point| *point <= y + first);
    let (mut next, mut start, mut sums) = (end(cell), origin(cell), nothing);
    for (value, item) in values.iter().zip(items) {
        let place = y + value;
        if place >= next {
            f(cell, std::mem::replace(&mut sums, nothing));
            while place >= next {
                cell += 1;
                next = end(cell);
            }
            start = origin(cell);
        }
        add(&mut sums, item, place - start);
    }
    f(cell, sums);
}

/// Adds masses at this place, and their moments. By places, as elsewhere here: iterators over so few numbers may stay calls
/// where a build has no optimisation over all parts of the crate, and the loops around then take several times as long.
#[inline]
pub(super) fn moments<const N: usize>(sums: &mut [[f64; N]; 2], masses: &[f64; N], place: f64) {
    for k in 0..N {
        sums[0][k] += masses[k];
        sums[1][k] += masses[k] * place;
    }
}

/// The columns to be added to a row, and how often: of another law all, of one like its own each pair of places once.
pub(super) fn columns(row: usize, other: Option<usize>, own: usize) -> [(Range<usize>, f64); 2] {
    match other {
        Some(columns) => [(0..columns, 1.0), (columns..columns, 0.0)],
        None => [(row..row + 1, 1.0), (row + 1..own, 2.0)],
    }
}

/// Sums over blocks of rows in one order, so that the answer does not depend on threads.
pub(super) fn added<const N: usize>(
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

/// Bound on the relative error of sums over so many rows and columns, and of a few more roundings. A row adds to a cell once for
/// each of its two [`columns`].
pub(super) fn rounding(rows: usize, columns: usize) -> f64 {
    1.01 * U * (columns + 2 * ROWS + rows.div_ceil(ROWS) + 16) as f64
}

/// Laws from above: their masses at increasing values, in units. Laws of one set of points take the same way through sums.
#[derive(Clone, Debug)]
pub(super) struct Spread<const N: usize> {
    pub(super) values: Vec<f64>,
    pub(super) masses: Vec<[f64; N]>,
}

impl<const N: usize> Spread<N> {
    pub(super) fn new(values: Vec<f64>, mut masses: Vec<[f64; N]>) -> Self {
        let all = masses.iter_mut().flatten();
        all.for_each(|mass| *mass = mass.max(LEAST));
        Self { values, masses }
    }

    /// One of the laws.
    pub(super) fn law(&self, k: usize) -> Spread<1> {
        Spread {
            values: self.values.clone(),
            masses: self.masses.iter().map(|masses| [masses[k]]).collect(),
        }
    }

    /// The sums with others, or with ones like themselves, spread to a grid, and the means of what exceeds it.
    pub(super) fn plus(&self, other: Option<&Self>, grid: &[f64]) -> (Self, [f64; N]) {
        let n = grid.len();
        let (by, own) = (other.unwrap_or(self), self.values.len());
        // Masses and moments of every cell by turns.
        let cells = added(own, 2 * (n + 1), |row, sums: &mut [[f64; N]]| {
            let y = self.values[row];
            for (columns, times) in columns(row, other.map(|other| other.values.len()), own) {
                let p = self.masses[row].map(|mass| times * mass);
                let those = (&by.values[columns.clone()], &by.masses[columns]);
                let nothing = [[0.0; N]; 2];
                runs(y, those, (grid, grid), (nothing, moments), |cell, parts| {
                    let sums = &mut sums[2 * cell..2 * cell + 2];
                    for k in 0..N {
                        sums[0][k] += p[k] * parts[0][k];
                        sums[1][k] += p[k] * parts[1][k];
                    }
                });
            }
        });
        let rounding = rounding(own, by.values.len());
        let mut masses = vec![[0.0; N]; n];
        let end = |masses: [f64; N]| masses.map(|mass| mass * (1.0 + 2.0 * rounding));
        masses[0] = end(cells[0]);
        for j in 1..n {
            let width = grid[j] - grid[j - 1];
            for k in 0..N {
                let (mass, moment) = (cells[2 * j][k], cells[2 * j + 1][k]);
                let (share, slack) = (moment / width, 2.0 * rounding * mass);
                masses[j - 1][k] += (mass - share).max(0.0);
                masses[j][k] = share.min(mass) + slack;
            }
        }
        for (mass, more) in masses[n - 1].iter_mut().zip(end(cells[2 * n])) {
            *mass += more;
        }
        (Self::new(grid.to_vec(), masses), end(cells[2 * n + 1]))
    }
}

impl Spread<1> {
    /// E(y + X)₊ at y larger than each of `values`, which increase, by `moved`.
    pub(super) fn positive(&self, values: &[f64], moved: f64) -> Vec<f64> {
        let (mut from, mut mass, mut mean) = (self.values.len(), 0.0, 0.0);
        let mut before = 0.0;
        let each = values.iter().map(|value| {
            let y = value + moved;
            mean += mass * (y - before);
            before = y;
            while from > 0 && self.values[from - 1] > -y {
                from -= 1;
                let [here] = self.masses[from];
                mass += here;
                mean += here * (y + self.values[from]);
            }
            mean
        });
        each.collect()
    }

    /// About E u(y + X) at every y of `values`, where u is known on a grid.
    pub(super) fn interpolated(&self, values: &[f64], grid: &[f64], u: &[f64]) -> Vec<f64> {
        let last = grid.len() - 1;
        let slope = |j: usize| (u[j] - u[j - 1]) / (grid[j] - grid[j - 1]);
        let at = |y: &f64| {
            let mut all = 0.0;
            let those = (&self.values[..], &self.masses[..]);
            let add = ([[0.0]; 2], moments);
            runs(*y, those, (grid, grid), add, |cell, [[mass], [moment]]| {
                all += u[cell.max(1) - 1] * mass;
                if cell > 0 {
                    all += slope(cell.min(last)) * moment;
                }
            });
            all
        };
        values.par_iter().map(at).collect()
    }

    /// The points of a grid of so many cells that cost about the same, u the worth of the present points.
    pub(super) fn laid_out(&self, u: &[f64], cells: usize) -> Vec<f64> {
        let last = self.values.len() - 1;
        let width = |j: usize| self.values[j + 1] - self.values[j];
        let slopes: Vec<f64> = (0..last).map(|j| (u[j + 1] - u[j]) / width(j)).collect();
        let costs = (0..last).map(|j| {
            let bend = slopes[(j + 1).min(last - 1)] - slopes[j.max(1) - 1];
            exp(ln((self.masses[j][0] + self.masses[j + 1][0]) * width(j) * bend.max(0.0)) / 3.0)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;
    use rand::{RngExt, SeedableRng};
    use rug::Rational;

    /// No mass and no moment is lost to rounding when laws are added up and spread, each with the one in its place.
    #[test]
    fn sums_of_two_laws_have_all_of_their_mass_and_no_less_of_their_mean() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(1);
        let exact = |x: f64| Rational::from_f64(x).expect("finite");
        let moments = |law: &Spread<1>| {
            let points = law.values.iter().zip(&law.masses);
            points.fold(
                [Rational::new(), Rational::new()],
                |[mass, mean], (x, [p])| [mass + exact(*p), mean + exact(*p) * exact(*x)],
            )
        };
        for round in 0..60 {
            let n = 3 + round % 7;
            let mut laws = |from: f64| {
                let values = (0..n).map(|j| from + f64::from(3 * j)).collect();
                let mut masses = || [0; 3].map(|_| rng.random_range(0.0..1.0));
                Spread::new(values, (0..n).map(|_| masses()).collect())
            };
            let (a, b) = (laws(1.0), laws(2.0));
            let other = (round % 2 == 0).then_some(&b);
            let grid: Vec<f64> = (0..=9).map(|j| f64::from(1 + 5 * j)).collect();
            let (found, beyond) = a.plus(other, &grid);
            for (k, beyond) in beyond.into_iter().enumerate() {
                let [mass, mean] = moments(&found.law(k));
                let [[m0, e0], [m1, e1]] =
                    [&a, other.unwrap_or(&a)].map(|laws| moments(&laws.law(k)));
                let wanted = [m0.clone() * &m1, e0 * m1 + e1 * m0];
                for (found, wanted) in [mass, mean + exact(beyond)].into_iter().zip(wanted) {
                    let far =
                        Rational::from((1_000_000_000_001u64, 1_000_000_000_000u64)) * &wanted;
                    assert!(
                        found >= wanted && found <= far,
                        "{round}: {}, {}",
                        found.to_f64(),
                        wanted.to_f64()
                    );
                }
            }
        }
    }

    fn law() -> Spread<1> {
        one(
            &[-7.0, -2.0, 0.0, 1.0, 4.0],
            &[0.125, 0.25, 0.0625, 0.5, 0.0625],
        )
    }

    fn one(values: &[f64], masses: &[f64]) -> Spread<1> {
        let masses = masses.iter().map(|mass| [*mass]);
        Spread::new(values.to_vec(), masses.collect())
    }

    #[test]
    fn the_mean_of_the_positive_part_is_that_of_its_sum() {
        let law = law();
        let places = [-9.0, -4.0, -1.0, 0.0, 0.5, 2.0, 7.0, 30.0];
        for moved in [0.0, 0.25, 3.0] {
            for (found, y) in law.positive(&places, moved).iter().zip(places) {
                let parts = law.values.iter().zip(&law.masses);
                let truth: f64 = parts.map(|(x, [p])| p * (y + moved + x).max(0.0)).sum();
                assert!(
                    (found - truth).abs() < 1e-14,
                    "{y}, {moved}: {found}, {truth}"
                );
            }
        }
    }

    /// Before a grid the first value counts, beyond it the last slope goes on.
    #[test]
    fn a_mean_is_interpolated_between_the_points_of_a_grid() {
        let law = law();
        let (grid, u) = ([-3.0, -1.0, 2.0, 3.0], [0.5, 1.5, 2.0, 7.0]);
        let at = |x: f64| match x {
            x if x < -3.0 => 0.5,
            x if x < -1.0 => 0.5 + 0.5 * (x + 3.0),
            x if x < 2.0 => 1.5 + (x + 1.0) / 6.0,
            x => 2.0 + 5.0 * (x - 2.0),
        };
        let places = [-9.0, -2.0, 0.0, 0.5, 2.0, 5.0, 11.0];
        for (found, y) in law.interpolated(&places, &grid, &u).iter().zip(places) {
            let parts = law.values.iter().zip(&law.masses);
            let truth: f64 = parts.map(|(x, [p])| p * at(y + x)).sum();
            assert!((found - truth).abs() < 1e-12, "{y}: {found}, {truth}");
        }
    }

    /// Where the worth bends in one place, most of the cells are there, and all ends stay.
    #[test]
    fn points_are_laid_out_where_worth_bends() {
        let values: Vec<f64> = (0..=10).map(|j| 1e6 * f64::from(j)).collect();
        let law = one(&values, &[1.0 / 11.0; 11]);
        let worth: Vec<f64> = values.iter().map(|x| (x - 4e6).max(0.0)).collect();
        let points = law.laid_out(&worth, 1000);
        assert!((990..=1001).contains(&points.len()), "{}", points.len());
        assert_eq!((points[0], points[points.len() - 1]), (0.0, 1e7));
        assert!(
            points
                .windows(2)
                .all(|w| w[0] < w[1] && w[0].fract() == 0.0)
        );
        let within = |low: f64, high: f64| {
            let inside = points.iter().filter(|x| (low..high).contains(*x));
            inside.count() as f64 / points.len() as f64
        };
        // A tenth of all is spread evenly over ten cells; the cells beside the bend and the next share the rest.
        for cell in [0.0, 1e6, 7e6, 9e6] {
            let share = within(cell, cell + 1e6);
            assert!((share - 0.1 / 1.1 / 10.0).abs() < 0.002, "{cell}: {share}");
        }
        assert!(within(2e6, 6e6) > 0.93);
        // Twice the mass, or the width, costs ∛2 as much.
        let flat = |masses: [f64; 3], values: [f64; 3]| {
            let law = one(&values, &masses);
            let points = law.laid_out(&[0.0, 0.0, 1e3], 2000);
            points.iter().filter(|x| **x < values[1]).count() as f64 / points.len() as f64
        };
        let even = flat([1.0, 1.0, 1.0], [0.0, 1e6, 2e6]);
        assert!((even - 0.5).abs() < 0.002, "{even}");
        let root = 2f64.cbrt();
        for (share, cost) in [
            (flat([0.0, 1.0, 1.0], [0.0, 1e6, 2e6]), 1.0 / root),
            (flat([1.0, 1.0, 1.0], [0.0, 2e6, 3e6]), root),
        ] {
            // The evenly spread tenth is half to each.
            let truth = (cost / (1.0 + cost) + 0.05) / 1.1;
            assert!((share - truth).abs() < 0.002, "{share}, {truth}");
        }
    }

    #[test]
    fn sums_and_layouts_are_what_they_were() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(2);
        let mut found = [(1, 1), (64, 3), (65, 3), (500, 70)]
            .map(|(rows, columns)| rounding(rows, columns))
            .to_vec();
        let mut laws = |n: i32, from: f64| {
            let values = (0..n).map(|j| from + f64::from(3 * j)).collect();
            let mut masses = || [0; 2].map(|_| rng.random_range(0.0..1.0));
            Spread::new(values, (0..n).map(|_| masses()).collect())
        };
        let (a, b) = (laws(90, -40.0), laws(30, 2.5));
        for (other, points) in [(None, 30), (Some(&b), 9)] {
            let grid: Vec<f64> = (0..=points).map(|j| f64::from(j * j) - 50.0).collect();
            let (sum, beyond) = a.plus(other, &grid);
            found.extend([steady::mark(&sum.masses.concat()), beyond[0], beyond[1]]);
            let worth = sum.law(0).positive(&grid, 0.5);
            found.push(steady::mark(&worth));
            let seen = a.law(1).interpolated(&a.values, &grid, &worth);
            found.push(steady::mark(&seen));
            let laid = a.law(0).laid_out(&seen, 40);
            found.extend([laid.len() as f64, steady::mark(&laid)]);
        }
        steady::holds(
            &found,
            "1.637134872112256e-14 1.659561377209684e-14 1.6707746297583982e-14
         2.489342065814526e-14 8077083507347691.0 0.0 0.0 7547842312110241.0
         2977729352563592.0 41.0 8532839652744833.0 7863944685264147.0 75407.08267354908
         55247.10772030639 2410628986820314.0 1575895947376669.0 41.0 7946761553273977.0",
        );
    }
}
