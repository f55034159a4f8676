//! Several participations from below: one rounded number of every step, summed up.
//!
//! The window of the sum lies where the rounded numbers' is: in cells as wide as most numbers, rounding moves the sum of many by more than
//! it deviates. It has room for few of the largest numbers, which [`sum`](super::sum) tilts by no more than that.

use super::normal_mass;
use super::sum::{lattice, sum, tilted};
use crate::accounting::float::Enclosure;
use crate::accounting::float::elementary::{exp, exp_m1, ln, ln_1p};
use crate::accounting::pld::discrete_law::DiscreteLaw;
use crate::accounting::pld::lattice::Side;
use crate::accounting::pld::law::GaussianLaw;
use crate::accounting::samples::Laws;
use rayon::prelude::*;
use std::sync::Arc;

/// Points of the window of the sum, and deviations that it holds.
const POINTS: f64 = 131_064.0;
const REACH: f64 = 12.0;
/// Deviations of one number below which all are one cell.
const REACH_BELOW: f64 = 40.0;
/// Least step, in deviations of one number.
const FINEST: f64 = 0.02;

/// The law where the record is removed; where it is added nothing is told, which bounds it from below as well. The law where
/// it is replaced, which is its own reverse. μ is rounded down.
pub(super) fn laws(
    mu: f64,
    (steps, participations): (u64, u64),
    replaced: bool,
    delta: f64,
) -> Laws {
    let silent = Arc::new(GaussianLaw { mu: 0.0 });
    if mu <= 0.0 {
        return vec![silent];
    }
    let mut statistic = Statistic {
        mu,
        steps,
        participations,
        replaced,
        top: f64::INFINITY,
    };
    let far = mu * mu + mu * (-2.0 * ln(delta)).sqrt();
    statistic.top = statistic.value(far);
    let told = Arc::new(statistic.told(delta));
    match replaced {
        true => vec![told],
        false => vec![told, silent],
    }
}

/// The number that is told of every step, Poisson's loss at the rate q = k/t: ln(1 − q + qr), or less ln(1 − q + qr') of the
/// replacement, at r = e^{x − μ²/2}, r' = e^{−x − μ²/2}, x = μz. The record moves the mean of x by μ², its replacement by −μ².
struct Statistic {
    mu: f64,
    steps: u64,
    participations: u64,
    replaced: bool,
    /// Largest value that is told apart.
    top: f64,
}

/// Masses of a cell without the record, with it, and with its replacement.
type Cell = [Enclosure; 3];

impl Statistic {
    fn rate(&self) -> f64 {
        self.participations as f64 / self.steps as f64
    }

    /// The number at x.
    fn value(&self, x: f64) -> f64 {
        let half = 0.5 * self.mu * self.mu;
        let of = |loss: f64| ln_1p(self.rate() * exp_m1(loss));
        match self.replaced {
            true => (of(x - half) - of(-x - half)).clamp(-self.top, self.top),
            false => of(x - half).min(self.top),
        }
    }

    /// x at a number; −∞ where there is none.
    fn place(&self, value: f64) -> f64 {
        let (rate, half) = (self.rate(), 0.5 * self.mu * self.mu);
        if self.replaced {
            // qc·u² + (1 − q)(1 − e^v)·u − e^v·qc = 0 for u = e^x, c = e^{−μ²/2}; odd in v.
            let grown = exp(value.abs());
            let (b, c) = ((1.0 - rate) * (grown - 1.0), rate * exp(-half));
            let x = ln((b + (b * b + 4.0 * grown * c * c).sqrt()) / (2.0 * c));
            return x.copysign(value);
        }
        let ratio_m1 = exp_m1(value) / rate;
        if ratio_m1 <= -1.0 {
            f64::NEG_INFINITY
        } else {
            ln_1p(ratio_m1) + half
        }
    }

    /// About (mean, variance) of the number where x has the mean `centre`.
    fn moments(&self, centre: f64) -> (f64, f64) {
        const NODES: i32 = 2_000;
        let (mut mass, mut mean, mut square) = (0.0, 0.0, 0.0);
        for j in -NODES..=NODES {
            let z = 10.0 * f64::from(j) / f64::from(NODES);
            let (weight, value) = (exp(-0.5 * z * z), self.value(centre + self.mu * z));
            mass += weight;
            mean += weight * value;
            square += weight * value * value;
        }
        let mean = mean / mass;
        (mean, (square / mass - mean * mean).max(0.0))
    }

    /// The losses of the sum: every mass under P rounded down, under Q up.
    fn told(&self, delta: f64) -> DiscreteLaw {
        let (t, k) = (self.steps as f64, self.participations as f64);
        let ((m0, v0), (m1, v1)) = (self.moments(0.0), self.moments(self.mu * self.mu));
        let deviation = (t * v0 + k * v1).sqrt();
        let moved = k * (m1 - m0);
        // Rarely one step of a few is far below, or above.
        let lower = if self.replaced { moved + self.top } else { 0.0 };
        let (below, above) = (lower, moved + 4.0 * self.top);
        let [below, above] = [below, above].map(|far| far + REACH * deviation);
        let h = ((below + above) / POINTS).max(FINEST * v0.sqrt());
        let cells = self.cells(h);
        let masses = |of: fn(&Cell) -> f64| lattice(cells.0, h, cells.1.iter().map(of).collect());
        let none = masses(|m| m[0].hi);
        // Of cells, as what rounding moves a number by adds up over all steps.
        let low = t * tilted(&none, 0.0).1.0 - below;
        let start = (low / h).floor() as i64;
        let len = ((below + above) / h).ceil() as usize + 2;
        let nats = -ln(delta);
        let levels = [0.4 * nats, nats, 1.6 * nats];
        let (some, others) = (self.participations, self.steps - self.participations);
        let with = [(masses(|m| m[1].lo), some), (masses(|m| m[0].lo), others)];
        let without = match self.replaced {
            true => vec![(masses(|m| m[2].hi), some), (none, others)],
            false => vec![(none, self.steps)],
        };
        let (p, q) = rayon::join(
            || sum(&with, (start, len), &levels, Side::Below),
            || sum(&without, (start, len), &levels, Side::Above),
        );
        told(&p, &q)
    }

    /// The first position, and the masses of the cells of width h around all positions; the last has all that is larger.
    fn cells(&self, h: f64) -> (i64, Vec<Cell>) {
        // Below lies next to nothing, which the first cell has.
        let bottom = self.value((-REACH_BELOW * self.mu - self.mu * self.mu).max(-700.0));
        let (first, last) = ((bottom / h).floor() as i64, (self.top / h).floor() as i64);
        let mu = self.mu;
        let edge = |j: i64| match j {
            _ if j == first => f64::NEG_INFINITY,
            _ if j > last => f64::INFINITY,
            _ => self.place((j as f64 - 0.5) * h) / mu,
        };
        let masses = (first..=last).into_par_iter().map(|j| {
            let (a, b) = (edge(j), edge(j + 1));
            let near = |x: f64| if x.is_finite() { x.abs() } else { 0.0 };
            let size = near(a) + near(b) + mu;
            let mass = |shift: f64| normal_mass(a + shift, b + shift, size);
            [mass(0.0), mass(-mu), mass(mu)]
        });
        (first, masses.collect())
    }
}

/// The pair of two sums: the masses of the one rounded down, those of the other up.
fn told(p: &[f64], q: &[f64]) -> DiscreteLaw {
    let both = p.iter().zip(q);
    let certain = both.filter(|(p, q)| **p > 1e-290 && **q > 0.0);
    let atoms = certain.map(|(p, q)| (ln(p / q), *p));
    DiscreteLaw::new(atoms.collect(), 0.0, 4.0 * f64::EPSILON, None)
        .with_loss_error(4.0 * f64::EPSILON)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::pld::law::LossLaw;
    use crate::accounting::steady;

    fn statistic(mu: f64, (steps, participations): (u64, u64), replaced: bool) -> Statistic {
        Statistic {
            mu,
            steps,
            participations,
            replaced,
            top: 50.0,
        }
    }

    #[test]
    fn a_number_is_found_where_it_is_taken() {
        for replaced in [false, true] {
            for (mu, times) in [
                (1.0, (10, 1)),
                (0.3, (4, 3)),
                (2.0, (100, 7)),
                (0.7, (5, 5)),
            ] {
                let statistic = statistic(mu, times, replaced);
                for x in [-6.0, -1.5, -0.01, 0.2, 1.0, 7.0] {
                    let found = statistic.place(statistic.value(x));
                    assert!(
                        (found - x).abs() < 1e-8,
                        "{mu}, {times:?}, {replaced}: {found}, {x}"
                    );
                }
                if times.0 > times.1 {
                    // Of all steps some have no record, so that no number is less than ln(1 − q).
                    let least = (-statistic.rate()).ln_1p() - 1e-6;
                    let nowhere = statistic.place(least) == f64::NEG_INFINITY;
                    assert_eq!(nowhere, !replaced, "{mu}, {times:?}");
                }
            }
        }
    }

    /// Where all steps have the record, the number is x − μ²/2, or 2x.
    #[test]
    fn moments_are_those_of_a_normal_variable_where_the_number_is_one() {
        for (mu, centre) in [(0.5, 0.0), (1.0, 1.0), (2.0, 4.0)] {
            for (replaced, mean, variance) in [
                (false, centre - 0.5 * mu * mu, mu * mu),
                (true, 2.0 * centre, 4.0 * mu * mu),
            ] {
                let found = statistic(mu, (8, 8), replaced).moments(centre);
                assert!((found.0 - mean).abs() < 1e-9, "{mu}, {replaced}: {found:?}");
                assert!(
                    (found.1 / variance - 1.0).abs() < 1e-9,
                    "{mu}, {replaced}: {found:?}"
                );
            }
        }
    }

    /// Cells have all of each law, and its mean but for their width.
    #[test]
    fn cells_have_all_of_the_three_laws() {
        for (mu, times, replaced) in [(1.0, (10, 1), false), (0.6, (9, 4), true)] {
            let statistic = statistic(mu, times, replaced);
            let h = 0.01;
            let (first, cells) = statistic.cells(h);
            for (law, centre) in [(0, 0.0), (1, mu * mu), (2, -mu * mu)] {
                let places = (first..).map(|j| j as f64 * h);
                let (mut lower, mut upper, mut mean) = (0.0, 0.0, 0.0);
                for (place, cell) in places.zip(&cells) {
                    (lower, upper) = (lower + cell[law].lo, upper + cell[law].hi);
                    mean += place * cell[law].hi;
                }
                assert!(
                    lower <= 1.0 && 1.0 <= upper && upper - lower < 1e-9,
                    "{lower}, {upper}"
                );
                let truth = statistic.moments(centre).0;
                assert!(
                    (mean - truth).abs() < 0.1 * h,
                    "{mu}, {law}: {mean}, {truth}"
                );
            }
        }
    }

    #[test]
    fn what_is_told_is_what_it_was() {
        let mut found = Vec::new();
        for (mu, times, replaced) in [
            (1.0, (10, 2), false),
            (0.4, (30, 3), true),
            (3.0, (5, 4), false),
            (2.0, (6, 2), true),
        ] {
            let statistic = statistic(mu, times, replaced);
            found.extend([-30.0, 0.3].map(|x| statistic.value(x)));
            found.extend([-0.05, 1.5].map(|value| statistic.place(value)));
            for centre in [0.0, mu * mu] {
                let (mean, variance) = statistic.moments(centre);
                found.extend([mean, variance]);
            }
            let (first, cells) = statistic.cells(0.05);
            found.extend([first as f64, cells.len() as f64]);
            let ends = cells.iter().flatten().flat_map(|mass| [mass.lo, mass.hi]);
            found.push(steady::mark(&ends.collect::<Vec<_>>()));
        }
        // Few steps, so that the sum is short.
        for replaced in [false, true] {
            let laws = laws(1.5, (4, 2), replaced, 1e-3);
            let (low, high) = laws[0].support();
            found.extend([laws.len() as f64, low, high]);
            for epsilon in [-1.0, 0.1, 2.0] {
                let t = laws[0].tails(epsilon);
                found.push(steady::mark(&[t.p, t.q, t.error, t.slack]));
            }
        }
        found.push(laws(0.0, (4, 2), false, 1e-3).len() as f64);
        // Many, so that the window is as fine as its points let it be.
        let t = laws(1.0, (20_000, 400), false, 1e-3)[0].tails(0.5);
        found.push(steady::mark(&[t.p, t.q, t.error, t.slack]));
        steady::holds(
            &found,
            "-0.22314355131419558 -0.036927348285755994 0.22048068475021382 3.412809545817763
         -0.021965484103774878 0.03687474172640244 0.2193586653749594 0.12221174490782093
         -5.0 1006.0 6979503686306321.0 -27.722775422664686 0.056434146665362186
         -0.26641319765835825 3.528609083449063 -8.134123768503601e-18 0.006223410105565759
         0.031616363206953234 0.006340172385063991 -278.0 1279.0 3101873897383434.0
         -1.6094379124340967 -1.5511856956929058 4.437099369454628 6.1774911256593565
         -1.2504599751205163 0.6042341744931854 4.346248490326446 8.24171923352774 -33.0
         1034.0 1860303242450188.0 -27.30685281944143 0.038494498060154925
         -0.3865619828265289 3.942353309900881 3.4413055263099533e-18 0.4402888966737272
         1.8394737385182325 2.083866240888847 -1000.0 2001.0 2899427732298518.0 2.0
         -9.897044165550021 14.010937575716937 7921022581687057.0 3084097379566395.0
         4023204645225243.0 1.0 -21.058266881434534 31.70468867666967 5255465087242859.0
         7768604165372501.0 1645678369389138.0 1.0 6908896929809051.0",
        );
    }

    #[test]
    fn what_is_told_is_rounded_down_and_leaves_out_what_is_nothing() {
        let law = told(&[0.5, 1e-291, 0.25, 0.2], &[0.25, 0.5, 0.0, 0.3]);
        let all = law.tails(-9.0);
        assert!((all.p - 0.7).abs() < 1e-15, "{}", all.p);
        assert!(all.slack >= 4.0 * f64::EPSILON && all.error >= 4.0 * f64::EPSILON);
        assert_eq!(law.infinite(), 0.0);
    }
}
