//! Random allocation of a record to k of a few steps, from both sides, by enumeration.
//!
//! With the ratio r = e^{μz − μ²/2} of one step, z ~ N(0, 1), the ratio of the pair is the k-th elementary symmetric
//! polynomial of t independent ratios over C(t, k). Both H_a are means of convex functions of it, and it is linear in
//! each ratio. So, one ratio after the other, conditional means over cells bound H_a from below, and masses at
//! the ends of the cells that keep those means bound it from above; the last ratio is integrated in closed form. This is
//! exponential in t and shares neither grids nor sums with any accountant.

use super::error::{PrivacyError, require};
use super::subsampled::Direction;
use crate::arith::Interval;
use crate::arith::normal::upper_tail;

/// Deviations that the cells reach to.
const REACH: f64 = 14.0;

/// Masses at ratios, and what is left out: its Q mass and its P mass.
struct Atoms {
    atoms: Vec<(Interval, Interval)>,
    left_out: (Interval, Interval),
}

/// Gaussian noise at each of `steps` steps, `participations` of which a record moves by μ deviations.
#[derive(Clone, Debug)]
pub struct Allocation {
    steps: u32,
    participations: u32,
    mu: Interval,
}

impl Allocation {
    /// # Errors
    /// k not in 1..=t; μ not positive.
    pub fn new(steps: u32, participations: u32, mu: Interval) -> Result<Self, PrivacyError> {
        let some = 0 < participations && participations <= steps;
        require(
            some,
            "participations",
            &participations,
            "must lie in 1..=steps",
        )?;
        require(*mu.lo() > 0, "mu", &mu, "must be > 0")?;
        Ok(Self {
            steps,
            participations,
            mu,
        })
    }

    /// Encloses δ(ε) in one direction, each ratio but the last on so many cells.
    #[must_use]
    pub fn delta(&self, epsilon: &Interval, direction: Direction, cells: u32) -> Interval {
        let (means, ends) = (self.cells(cells, false), self.cells(cells, true));
        let lower = self.mean_of(&means.atoms, epsilon, direction);
        let upper = self.mean_of(&ends.atoms, epsilon, direction);
        // Where a ratio is beyond the cells: at most its mass under P, or under Q, for each ratio that has cells.
        let beyond = match direction {
            Direction::Remove => &ends.left_out.1,
            Direction::Add => &ends.left_out.0,
        };
        let lost = beyond * &Interval::from(i64::from(self.steps - 1));
        Interval::new(lower.lo().clone(), (&upper + &lost).hi().clone())
    }

    /// The ratio of one step, at its means in cells of z or at their ends.
    fn cells(&self, count: u32, ends: bool) -> Atoms {
        let edge = |j: u32| {
            let z = REACH * (2.0 * f64::from(j) / f64::from(count) - 1.0);
            Interval::from_f64(z)
        };
        let half = &self.mu * &Interval::from_f64(0.5);
        let ratio = |z: &Interval| (&self.mu * &(z - &half)).exp();
        let mut atoms = Vec::new();
        let mut from = None;
        for j in 0..=count {
            let end = edge(j);
            // Under P the law of z is N(μ, 1).
            let shifted = from.as_ref().map(|z: &Interval| z - &self.mu);
            let q = mass(from.as_ref(), &end);
            let p = mass(shifted.as_ref(), &(&end - &self.mu));
            if ends {
                let low = from.as_ref().map_or_else(|| Interval::from(0), ratio);
                let high = ratio(&end);
                let above = (&(&p - &(&q * &low)) / &(&high - &low)).max(&Interval::from(0));
                atoms.push((low, (&q - &above).max(&Interval::from(0))));
                atoms.push((high, above));
            } else {
                atoms.push((&p / &q, q));
            }
            from = Some(end);
        }
        let last = edge(count);
        Atoms {
            atoms,
            left_out: (upper_tail(&last), upper_tail(&(&last - &self.mu))),
        }
    }

    fn mean_of(
        &self,
        atoms: &[(Interval, Interval)],
        epsilon: &Interval,
        direction: Direction,
    ) -> Interval {
        let mut symmetric = vec![Interval::from(0); self.participations as usize + 1];
        symmetric[0] = Interval::from(1);
        let goal = Goal {
            a: epsilon.exp(),
            direction,
            ways: (0..self.participations).fold(Interval::from(1), |ways, j| {
                let factor =
                    &Interval::from(i64::from(self.steps - j)) / &Interval::from(i64::from(j + 1));
                &ways * &factor
            }),
            mu: &self.mu,
        };
        enumerate(atoms, self.steps - 1, &symmetric, &goal)
    }
}

/// The mass of N(0, 1) between two points, the first of which may be −∞: a difference of the smaller tails.
fn mass(from: Option<&Interval>, to: &Interval) -> Interval {
    match from {
        None => upper_tail(&-to),
        Some(from) if *to.lo() <= 0 => &upper_tail(&-to) - &upper_tail(&-from),
        Some(from) => &upper_tail(from) - &upper_tail(to),
    }
}

/// What is asked of the last ratio.
struct Goal<'a> {
    a: Interval,
    direction: Direction,
    /// C(t, k).
    ways: Interval,
    mu: &'a Interval,
}

/// The mean over so many ratios that take these values, given the elementary symmetric polynomials of those before.
fn enumerate(
    atoms: &[(Interval, Interval)],
    left: u32,
    symmetric: &[Interval],
    goal: &Goal<'_>,
) -> Interval {
    if left == 0 {
        return goal.last(symmetric);
    }
    let each = atoms.iter().map(|(ratio, mass)| {
        let mut with = symmetric.to_vec();
        for j in (1..with.len()).rev() {
            with[j] = &with[j] + &(ratio * &symmetric[j - 1]);
        }
        mass * &enumerate(atoms, left - 1, &with, goal)
    });
    each.sum()
}

impl Goal<'_> {
    /// E(R − a)₊ or E(1 − aR)₊ for R = (A + Br)/C(t, k), over the last ratio r.
    fn last(&self, symmetric: &[Interval]) -> Interval {
        let [.., b, a] = symmetric else {
            unreachable!("k is at least 1");
        };
        match self.direction {
            Direction::Remove => {
                let level = &(&(&self.a * &self.ways) - a) / b;
                &(b * &self.call(&level)) / &self.ways
            }
            Direction::Add => {
                let level = &(&(&self.ways / &self.a) - a) / b;
                let put =
                    (&(&level - &Interval::from(1)) + &self.call(&level)).max(&Interval::from(0));
                &(&(b * &put) * &self.a) / &self.ways
            }
        }
    }

    /// E(r − x)₊.
    fn call(&self, x: &Interval) -> Interval {
        let (zero, one) = (Interval::from(0), Interval::from(1));
        if *x.hi() <= 0 {
            return &one - x;
        }
        if *x.lo() <= 0 {
            return (&one - x).max(&zero).hull(&one);
        }
        let half = self.mu * &Interval::from_f64(0.5);
        let centre = &x.ln() / self.mu;
        (&upper_tail(&(&centre - &half)) - &(x * &upper_tail(&(&centre + &half)))).max(&zero)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::privacy::{Gdp, Profile};

    /// Levels from below 0 to above it.
    #[test]
    fn a_call_at_a_range_covers_that_at_its_ends() {
        let mu = Interval::from_f64(1.0);
        let goal = Goal {
            a: Interval::from(1),
            direction: Direction::Remove,
            ways: Interval::from(1),
            mu: &mu,
        };
        for (lo, hi) in [(-0.5, 0.5), (0.0, 0.25), (-1.0, 2.0), (0.5, 0.75)] {
            let (lo, hi) = (Interval::from_f64(lo), Interval::from_f64(hi));
            let found = goal.call(&lo.hull(&hi));
            for end in [lo, hi] {
                let truth = goal.call(&end);
                assert!(
                    found.lo() <= truth.lo() && truth.hi() <= found.hi(),
                    "{found}, {truth}"
                );
            }
        }
    }

    /// In all steps, or in the only one: Gaussian noise as it is.
    #[test]
    fn a_record_in_every_step_meets_the_gaussian_mechanism() {
        let mu = Interval::from_f64(1.0);
        for (steps, cells) in [(1, 1), (2, 200), (3, 40)] {
            let all = Allocation::new(steps, steps, mu.clone()).expect("in range");
            let root = Interval::from(i64::from(steps)).sqrt();
            let whole = Gdp::new(&mu * &root).expect("in range");
            for (epsilon, direction) in [(1.0, Direction::Remove), (2.0, Direction::Add)] {
                let e = Interval::from_f64(epsilon);
                let (found, exact) = (all.delta(&e, direction, cells), whole.delta(&e));
                assert!(
                    found.intersect(&exact).is_some(),
                    "{steps} {epsilon}: {found} {exact}"
                );
                assert!(
                    found.width() < 0.2 * exact.hi_f64(),
                    "{steps} {epsilon}: {found} {exact}"
                );
            }
        }
    }

    #[test]
    fn enclosures_of_finer_cells_lie_in_those_of_coarser_ones() {
        let one = Allocation::new(3, 1, Interval::from_f64(0.8)).expect("in range");
        for direction in Direction::BOTH {
            let e = Interval::from_f64(0.7);
            let (coarse, fine) = (one.delta(&e, direction, 14), one.delta(&e, direction, 42));
            assert!(
                coarse.lo() <= fine.lo() && fine.hi() <= coarse.hi(),
                "{direction:?}: {coarse} {fine}"
            );
            assert!(
                fine.width() < 0.3 * coarse.width(),
                "{direction:?}: {coarse} {fine}"
            );
        }
    }

    /// Where δ is nothing, what may be beyond the cells is left: its mass under P at each step but the last.
    #[test]
    fn what_may_lie_beyond_the_cells_is_in_the_bound() {
        let e = Interval::from(80);
        let beyond = upper_tail(&Interval::from_f64(REACH - 1.0)).hi_f64();
        for steps in [1, 2, 3] {
            let all = Allocation::new(steps, 1, Interval::from(1)).expect("in range");
            let found = all.delta(&e, Direction::Remove, 20);
            let times = found.hi_f64() / beyond;
            let told = format!("{steps}: {found}, {times}");
            assert!((times - f64::from(steps - 1)).abs() < 1e-6, "{told}");
            assert!(found.lo_f64() < 1e-6 * beyond, "{told}");
        }
    }

    #[test]
    fn what_is_no_allocation_is_refused() {
        let new = |steps, participations, mu| {
            Allocation::new(steps, participations, Interval::from_f64(mu))
        };
        assert!(new(3, 1, 1.0).is_ok() && new(3, 3, 1.0).is_ok());
        for (steps, participations, mu, told) in [
            (3, 0, 1.0, "participations = 0 must lie in 1..=steps"),
            (3, 4, 1.0, "participations = 4 must lie in 1..=steps"),
            (0, 0, 1.0, "participations = 0 must lie in 1..=steps"),
            (3, 1, 0.0, "must be > 0"),
            (3, 1, -1.0, "must be > 0"),
        ] {
            let error = new(steps, participations, mu)
                .expect_err("out of range")
                .to_string();
            assert!(error.ends_with(told), "{error}");
        }
    }

    /// The likelihood ratio has mean 1 under Q, and its cells keep that at their means and at their ends.
    #[test]
    fn cells_have_all_the_mass_and_the_mean() {
        let all = Allocation::new(2, 1, Interval::from_f64(1.0)).expect("in range");
        for ends in [false, true] {
            let Atoms { atoms, left_out } = all.cells(50, ends);
            let mass: Interval = atoms.iter().map(|(_, q)| q.clone()).sum();
            let mean: Interval = atoms.iter().map(|(ratio, q)| ratio * q).sum();
            for found in [mass, mean] {
                let near = (found.hi_f64() - 1.0).abs() < 1e-9;
                assert!(near && found.width() < 1e-9, "{ends}: {found}");
            }
            // Under P the law is that of N(1, 1).
            let beyond = [REACH, REACH - 1.0].map(|z| upper_tail(&Interval::from_f64(z)));
            assert!(left_out.0.intersect(&beyond[0]).is_some(), "{}", left_out.0);
            assert!(left_out.1.intersect(&beyond[1]).is_some(), "{}", left_out.1);
        }
    }
}
