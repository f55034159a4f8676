//! One participation of a record that is replaced by another: P is the mean of N(Δeᵢ, σ²I) over i, P' that of N(−Δeᵢ, σ²I).
//!
//! With the ratios r = e^{μz − μ²/2} and r' = e^{−μz − μ²/2} of a step, δ(ε) = E(Σ rᵢ − a·Σ r'ᵢ)₊/t, a = e^ε, under z ~ N(0, I):
//! for one ε the mean of the positive part of a sum of t independent numbers, bounded from both sides by [`signed`](super::signed).
//!
//! That is done at many ε. From above the profile is at most the polygon through its bounds, as a function of a, as it is
//! convex; from below the events are points under the trade-off curve, and so is their hull. The pair is its own reverse.
//!
//! **Limits.** Several runs need all of the law, whose grids share a budget of work ([`WORK`]). Of 30 random runs of up to
//! 10 000 steps (`benches/batches.rs`) ε is known to 8·10⁻⁴ of itself, and to 1.2·10⁻³ in one of 617 bins twice, in at most 1.1 s
//! of processor time on all cores; of a single run to 1.5·10⁻⁴.

use super::mean::Side;
use super::number::Number;
use super::signed::{self, Grids};
use crate::accounting::float::elementary::{exp, exp_m1, ln, ln_1p};
use crate::accounting::float::{Enclosure, U, normal_tail};
use crate::accounting::pld::discrete_law::DiscreteLaw;
use crate::accounting::pld::law::{GaussianLaw, profile};
use crate::accounting::root::bisect;
use rayon::prelude::*;

/// Cells of a grid around ε(δ), and most of them elsewhere.
const CELLS: usize = 600;
/// Squares of cells times sums of two laws, where the run is one of several: what one value of ε may cost.
const WORK: f64 = 1.25e6;
/// Values of ε that share their grids, and those of them that take the same way through sums from above.
const TOGETHER: usize = 16;
const LANES: usize = 8;
/// Most deviation of a loss by which classes in common may miss a value of ε: see [`Replaced::events`].
const MISSED: f64 = 0.03;
/// Least distance of two of them, relatively: slopes are differences.
const APART: f64 = 1e-6;
/// How often ε(δ) is narrowed down on rough grids, until it is known to such a share; and on fine ones.
const NARROWED: (usize, f64) = (24, 0.01);
const REFINED: usize = 12;
/// Relative distance of the last values of ε on either side of ε(δ).
const NEAR: f64 = 1e-4;

/// The law where the record is replaced, in one of so many runs of so many steps. `lost` of the profile is given up from above;
/// `delta` says where it matters most. μ is rounded to the side.
pub(super) fn law(
    mu: f64,
    (steps, runs): (u64, u64),
    (delta, lost): (f64, f64),
    side: Side,
) -> DiscreteLaw {
    let fineness = match runs {
        1 => ONCE,
        _ => Fineness::of_several(steps),
    };
    let run = Replaced::new(mu, steps, lost, fineness);
    match side {
        Side::Above => {
            let most = |epsilons: &[f64], grids: Option<&Grids>| run.most(epsilons, grids);
            dominating(&run.known((delta, lost), most, |_, most| *most))
        }
        Side::Below => {
            let events = |epsilons: &[f64], grids: Option<&Grids>| run.events(epsilons, grids);
            let profile = |epsilon: f64, events: &Vec<(f64, f64)>| {
                let worth = events.iter().map(|(p, q)| p - exp(epsilon) * q);
                worth.fold(0.0, f64::max)
            };
            let known = run.known((delta, lost), events, profile);
            dominated(known.into_iter().flat_map(|(_, events)| events).collect())
        }
    }
}

/// How closely the profile is looked at away from ε(δ).
#[derive(Clone, Copy)]
struct Fineness {
    /// Of a grid.
    cells: usize,
    /// Values of ε in a deviation of the loss at first; by how much the first ones move apart, and how many these are; by how much
    /// the others do: much noise has no more, little noise leaves rare losses of many deviations, which several runs make likely.
    a_deviation: f64,
    apart: f64,
    first: usize,
    later: f64,
    /// Values of ε at most.
    most: usize,
}

/// Where only ε(δ) matters.
const ONCE: Fineness = Fineness {
    cells: 128,
    a_deviation: 24.0,
    apart: 1.04,
    first: 32,
    later: 1.15,
    most: 64,
};

impl Fineness {
    /// Where all of the law matters: more values of ε would cost what finer grids do, and gain as much.
    fn of_several(steps: u64) -> Self {
        let cells = (WORK / signed::sums(steps)).sqrt();
        Self {
            cells: (cells as usize).min(CELLS),
            a_deviation: 36.0,
            apart: 1.01,
            first: 72,
            later: 1.02,
            most: 400,
        }
    }
}

#[derive(Clone, Copy)]
struct Replaced {
    mu: f64,
    steps: u64,
    /// Where z is cut.
    end: f64,
    fineness: Fineness,
}

impl Replaced {
    fn new(mu: f64, steps: u64, lost: f64, fineness: Fineness) -> Self {
        let beyond = bisect(-8.0, 38.0, 1e-9, |z| normal_tail(z) > 0.1 * lost).1;
        Self {
            mu,
            steps,
            end: mu + beyond,
            fineness,
        }
    }

    /// About the deviation of the loss of the whole run.
    fn deviation(&self) -> f64 {
        let square = self.mu * self.mu;
        let one = 2.0 * (exp_m1(square) - exp_m1(-square));
        ln_1p(one / self.steps as f64).sqrt()
    }

    /// The profile of a record whose step is told, which is no smaller.
    fn told(&self, epsilon: f64) -> f64 {
        let mu = (2.0 * self.mu).next_up();
        profile(&GaussianLaw { mu }, epsilon).hi
    }

    /// Where the former is at most this: Φ(−x) ≤ e^{−x²/2}.
    fn end_of_told(&self, lost: f64) -> f64 {
        2.0 * self.mu * (self.mu + (-2.0 * ln(lost)).sqrt()) * (1.0 + 1e-9)
    }

    fn number(&self, epsilon: f64) -> Number {
        let mu = self.mu;
        Number { mu, epsilon }
    }

    /// Upper bounds on the profile.
    fn most(&self, epsilons: &[f64], grids: Option<&Grids>) -> Vec<f64> {
        let lanes = |grids: &Grids, some: &[f64]| match <[f64; LANES]>::try_from(some) {
            Ok(all) => grids.most(all.map(|epsilon| self.number(epsilon))).to_vec(),
            Err(_) => some
                .iter()
                .flat_map(|epsilon| grids.most([self.number(*epsilon)]))
                .collect(),
        };
        let each = || epsilons.chunks(LANES);
        let bounds = grids.map(|grids| each().flat_map(|some| lanes(grids, some)).collect());
        let bounds = bounds.unwrap_or_else(|| vec![1.0; epsilons.len()]);
        let each = epsilons.iter().zip(bounds).map(|(epsilon, bound)| {
            let told = self.told(*epsilon);
            // No number says nothing.
            if bound < told { bound.max(0.0) } else { told }
        });
        each.collect()
    }

    /// Events at values of ε in a row. Classes for a₀ tell Σ rᵢ − a·Σ r'ᵢ from (a − a₀)·(Σ r'ᵢ − t), which deviates as the losses do:
    /// as many values have classes in common as that leaves close.
    fn events(&self, epsilons: &[f64], grids: Option<&Grids>) -> Vec<Vec<(f64, f64)>> {
        let Some(grids) = grids else {
            return vec![vec![(0.0, 0.0)]; epsilons.len()];
        };
        let mut alike = epsilons.len();
        let apart = (epsilons[alike - 1] - epsilons[0]) / (alike as f64 - 1.0);
        let missed = |alike: usize| 0.5 * (alike as f64 - 1.0) * apart * self.deviation();
        while alike > 1 && missed(alike) > MISSED {
            alike = alike.div_ceil(2);
        }
        let each = epsilons.chunks(alike).flat_map(|some| {
            let centre = self.number(some[some.len() / 2]);
            grids.events(centre, some)
        });
        each.collect()
    }

    fn grids(&self, epsilon: f64, cells: usize) -> Option<Grids> {
        Grids::new(self.number(epsilon), self.steps, self.end, cells)
    }

    /// What is known at values of ε from 0 on until the profile is lost, and around ε(δ), by increasing ε.
    fn known<T: Send>(
        &self,
        (delta, lost): (f64, f64),
        at: impl Fn(&[f64], Option<&Grids>) -> Vec<T> + Sync,
        profile: impl Fn(f64, &T) -> f64,
    ) -> Vec<(f64, T)> {
        let log = |epsilon: f64, known: &T| ln(profile(epsilon, known).max(1e-300));
        let one = |epsilon: f64, grids: Option<&Grids>| at(&[epsilon], grids).remove(0);
        let rough = |epsilon: f64| one(epsilon, self.grids(epsilon, self.fineness.cells).as_ref());
        // Grids for one ε are nearly as good for its neighbours.
        let together = |some: &[f64]| -> Vec<(f64, T)> {
            let grids = self.grids(some[some.len() / 2], self.fineness.cells);
            let found = at(some, grids.as_ref());
            some.iter().copied().zip(found).collect()
        };
        let goal = ln(delta);
        let mut all = self.levels(lost, together, |epsilon, known| {
            profile(epsilon, known) <= lost
        });
        let logs: Vec<(f64, f64)> = all.iter().map(|(e, known)| (*e, log(*e, known))).collect();
        let first = logs.iter().position(|level| level.1 <= goal);
        if let Some(first) = first.filter(|first| *first > 0) {
            let (mut low, mut high) = (logs[first - 1], logs[first]);
            for _ in 0..NARROWED.0 {
                if high.0 - low.0 <= NARROWED.1 * high.0 {
                    break;
                }
                let share = ((low.1 - goal) / (low.1 - high.1)).clamp(0.1, 0.9);
                let middle = low.0 + share * (high.0 - low.0);
                match log(middle, &rough(middle)) {
                    value if value > goal => low = (middle, value),
                    value => high = (middle, value),
                }
            }
            let mut slope = (high.1 - low.1) / (high.0 - low.0);
            let (mut root, mut before) = (high.0, None);
            let (mut grids, mut centre) = (self.grids(root, CELLS), root);
            for _ in 0..REFINED {
                if (root - centre).abs() > NARROWED.1 * centre {
                    (grids, centre) = (self.grids(root, CELLS), root);
                }
                let found = one(root, grids.as_ref());
                let value = log(root, &found);
                all.push((root, found));
                // By the secant, once there are two fine values.
                if let Some((other, known)) = before.replace((root, value)) {
                    slope = (value - known) / (root - other);
                }
                let next = root + (goal - value) / slope;
                if !(next > 0.0 && (next - root).abs() > 0.1 * NEAR * root) {
                    break;
                }
                root = next.clamp(0.5 * root, 2.0 * root);
            }
            let near = [1.0 - NEAR, 1.0 + NEAR].into_par_iter().map(|by| by * root);
            let near = near.map(|epsilon| (epsilon, one(epsilon, grids.as_ref())));
            all.extend(near.collect::<Vec<_>>());
        }
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.dedup_by(|a, b| a.0 - b.0 <= APART * a.0);
        all
    }

    /// Values of ε from 0 on, until one is the last; that at which a record whose step is told loses nothing that matters is.
    fn levels<T: Send>(
        &self,
        lost: f64,
        look: impl Fn(&[f64]) -> Vec<(f64, T)> + Sync,
        is_last: impl Fn(f64, &T) -> bool,
    ) -> Vec<(f64, T)> {
        let (mut next, mut step) = (0.0, self.deviation() / self.fineness.a_deviation);
        let mut all: Vec<(f64, T)> = Vec::new();
        while all.len() < self.fineness.most {
            let wider = if all.len() < self.fineness.first {
                self.fineness.apart
            } else {
                self.fineness.later
            };
            let some: Vec<f64> = (0..TOGETHER)
                .map(|_| {
                    let epsilon = next;
                    next += step;
                    step *= wider;
                    epsilon
                })
                .collect();
            all.extend(look(&some));
            if all
                .last()
                .is_some_and(|(epsilon, known)| is_last(*epsilon, known))
            {
                return all;
            }
        }
        all.extend(look(&[self.end_of_told(lost).max(next)]));
        all
    }
}

/// The convex function of e^ε that is linear between some of these bounds and no more than the others: every chord is above the
/// profile, as it is convex.
fn hull(bounds: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut hull: Vec<(f64, f64)> = Vec::new();
    let mut most = f64::INFINITY;
    for (epsilon, bound) in bounds {
        // The profile does not grow.
        most = most.min(*bound);
        while let [.., a, b] = hull[..] {
            let rise = |end: f64| exp_m1(end - a.0);
            if (b.1 - a.1) * rise(*epsilon) < (most - a.1) * rise(b.0) {
                break;
            }
            hull.pop();
        }
        hull.push((*epsilon, most));
    }
    hull
}

/// The symmetric law whose profile is at least these bounds at these ε, 0 the first of them, and linear in e^ε between.
fn dominating(known: &[(f64, f64)]) -> DiscreteLaw {
    let known = hull(known);
    let last = known.len() - 1;
    let infinite = known[last].1;
    let (mut atoms, mut total) = (Vec::new(), Enclosure::point(infinite));
    for j in 1..=last {
        let (epsilon, bound) = known[j];
        let below = Enclosure::point(epsilon) - known[j - 1].0;
        // −a times the slopes on both sides.
        let before = (Enclosure::point(known[j - 1].1) - bound) / -(-below).exp_m1();
        let after = known.get(j + 1).map_or(Enclosure::point(0.0), |next| {
            (Enclosure::point(bound) - next.1) / (Enclosure::point(next.0) - epsilon).exp_m1()
        });
        let p = (before - after).hi;
        // No number says nothing; nor does a mass above 1.
        let p = if p <= 1.0 { p.max(0.0) } else { 1.0 };
        let q = (Enclosure::point(p) * Enclosure::point(-epsilon).exp()).hi;
        atoms.extend([(epsilon, p), (-epsilon, q)]);
        total = total + p + q;
    }
    atoms.push((0.0, (1.0 - total).hi.max(0.0)));
    DiscreteLaw::new(atoms, infinite, 4.0 * U, None)
}

/// The law of the hull of events (P, P'), of their reverses, and of nothing and all.
fn dominated(events: Vec<(f64, f64)>) -> DiscreteLaw {
    let mut points = vec![(0.0, 0.0), (1.0, 1.0)];
    for (p, q) in events {
        points.push((q, p));
        // The mirror image of z ↦ −z has P and P' exchanged; its complement is an event, too.
        points.push(((1.0 - p).next_up().min(1.0), (1.0 - q).next_down()));
    }
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
    let mut hull: Vec<(f64, f64)> = Vec::new();
    for point in points {
        while let [.., a, b] = hull[..] {
            let rises = (b.1 - a.1) * (point.0 - b.0) > (point.1 - b.1) * (b.0 - a.0);
            if rises {
                break;
            }
            hull.pop();
        }
        if hull.last().is_none_or(|last| point.1 > last.1) {
            hull.push(point);
        }
    }
    // Where rounding has mistaken a turn of the hull, masses are off by less than this.
    let down = 1.0 - 1e-14;
    let p: Vec<f64> = hull.windows(2).map(|w| (w[1].1 - w[0].1) * down).collect();
    let q: Vec<f64> = hull.windows(2).map(|w| w[1].0 - w[0].0).collect();
    // Masses without a counterpart would be losses without end, of which rounding says nothing.
    let both = p.into_iter().zip(q).filter(|(_, q)| *q > 0.0);
    let (p, q): (Vec<f64>, Vec<f64>) = both.unzip();
    DiscreteLaw::from_masses(&p, &q)
}

#[cfg(test)]
mod tests;
