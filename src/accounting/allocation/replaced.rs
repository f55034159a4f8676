//! One participation of a record that is replaced by another: P is the mean of N(Δeᵢ, σ²I) over i, P' that of N(−Δeᵢ, σ²I).
//!
//! With the ratios r = e^{μz − μ²/2} and r' = e^{−μz − μ²/2} of a step, δ(ε) = E(Σ rᵢ − a·Σ r'ᵢ)₊/t, a = e^ε, under z ~ N(0, I):
//! for one ε the sum is one of t independent numbers, √a times Y = 2e^{−μ²/2}·sinh(μz − ε/2).
//!
//! * **From above** Y is cut at both ends and its cells are spread to the points of a lattice with their means kept. A cut
//!   from below, and a spread, only raise the mean of (Σ Y)₊; a cut at c from above lowers it by at most t·E(Y − c)₊, and by
//!   little less where c is larger than all others are small.
//! * **From below** Y is rounded to a lattice, and Σ Y ≥ 0 is the event that tells P from P'.
//!
//! Both are done at many ε. From above the profile is at most the polygon through its bounds, as a function of a, as it is
//! convex; from below the events are points under the trade-off curve, and so is their hull. The pair is its own reverse.

use super::mean::Side;
use super::normal_mass;
use super::sum::{lattice, zero_tilt};
use crate::accounting::float::elementary::{exp, exp_m1, ln, ln_1p};
use crate::accounting::float::{Enclosure, U, normal_tail};
use crate::accounting::pld::compose::{Convolved, Lane, convolve};
use crate::accounting::pld::discrete_law::DiscreteLaw;
use crate::accounting::pld::lattice::LatticeLaw;
use crate::accounting::pld::law::{GaussianLaw, profile};
use crate::accounting::root::bisect;
use rayon::prelude::*;

/// Points of the window of a sum, around ε(δ) and elsewhere.
const POINTS: (usize, usize) = (131_064, 16_376);
/// Deviations of the sum on either side that the window holds, and largest values of one step.
const REACH: (f64, f64) = (12.0, 3.0);
/// Y is cut at so many times the reach beyond the mean of the sum; for events, below, at so many times the reach.
const CUT: (f64, f64) = (2.0, 0.3);
/// It is cut below at the latest where it outweighs so many times all that can be hoped for: its tail there is heavy.
const OUTWEIGHED: f64 = 4.0;
/// Most values of ε, those that are looked at together, and how many of them a deviation of the loss holds at first.
const LEVELS: (usize, usize) = (64, 8);
const LEVELS_A_DEVIATION: f64 = 8.0;
/// Least distance of two of them, relatively: slopes are differences.
const APART: f64 = 1e-6;
/// How often the interval with ε(δ) is narrowed by the secant of the logarithm; how often first not by too little.
const NARROWED: (usize, usize) = (5, 3);
/// Relative distance of the last values of ε on either side of ε(δ).
const NEAR: f64 = 4e-4;
/// What sums of masses may be off by, relatively: far above 2¹⁷ roundings.
const SUMMED: f64 = 1e-10;

/// The law where the record is replaced. `lost` of the profile is given up from above; `delta` says where it matters most. μ is
/// rounded to the side.
pub(super) fn law(mu: f64, steps: u64, (delta, lost): (f64, f64), side: Side) -> DiscreteLaw {
    let run = Replaced::new(mu, steps, lost);
    match side {
        Side::Above => dominating(&run.known((delta, lost), Level::most, |_, most| *most)),
        Side::Below => {
            let profile = |epsilon: f64, (p, q): &(f64, f64)| p - exp(epsilon) * q;
            let known = run.known((delta, lost), Level::event, profile);
            dominated(known.into_iter().map(|(_, event)| event).collect())
        }
    }
}

#[derive(Clone, Copy)]
struct Replaced {
    mu: f64,
    steps: u64,
    /// Where z is cut at the latest.
    ends: (f64, f64),
}

impl Replaced {
    fn new(mu: f64, steps: u64, lost: f64) -> Self {
        let beyond = |tail: f64| bisect(-8.0, 38.0, 1e-9, |z| normal_tail(z) > tail).1;
        // Below, a cut moves the sum by about a millionth of its deviation.
        let little = 1e-6 * mu.min(1.0) / (steps as f64).sqrt();
        Self {
            mu,
            steps,
            ends: (-mu - beyond(little), mu + beyond(0.1 * lost)),
        }
    }

    /// About the deviation of the loss of the whole run.
    fn deviation(&self) -> f64 {
        let square = self.mu * self.mu;
        let one = 2.0 * (exp_m1(square) - exp_m1(-square));
        ln_1p(one / self.steps as f64).sqrt()
    }

    /// What is known at values of ε from 0 on until the profile is lost, and around ε(δ), by increasing ε.
    fn known<T: Send>(
        &self,
        (delta, lost): (f64, f64),
        at: impl Fn(&Level) -> T + Sync,
        profile: impl Fn(f64, &T) -> f64,
    ) -> Vec<(f64, T)> {
        let look = |epsilon: f64, points| (epsilon, at(&Level::new(*self, epsilon, points)));
        let spacing = self.deviation() / LEVELS_A_DEVIATION;
        let mut all: Vec<(f64, T)> = Vec::new();
        let mut next = 0.0;
        while all.len() < LEVELS.0 {
            let levels: Vec<f64> = (0..LEVELS.1)
                .map(|j| {
                    let epsilon = next;
                    next += spacing * (1.0 + (all.len() + j) as f64 / 16.0);
                    epsilon
                })
                .collect();
            let found = levels.into_par_iter().map(|e| look(e, POINTS.1));
            let found: Vec<_> = found.collect();
            let done = (found.last()).is_some_and(|(e, known)| profile(*e, known) <= lost);
            all.extend(found);
            if done {
                break;
            }
        }
        let log =
            |(epsilon, known): &(f64, T)| (*epsilon, ln(profile(*epsilon, known).max(1e-300)));
        let (goal, count) = (ln(delta), all.len());
        let first = all.iter().position(|level| log(level).1 <= goal);
        // On the finer lattice ε(δ) may lie between other levels.
        let mut finely = |j: usize| {
            all[j] = look(all[j].0, POINTS.0);
            log(&all[j])
        };
        let mut ends = None;
        if let Some(first) = first.map(|first| first.max(1)).filter(|j| *j < count) {
            let (mut j, mut low, mut high) = (first, finely(first - 1), finely(first));
            while high.1 > goal && j + 1 < count {
                j += 1;
                (low, high) = (high, finely(j));
            }
            while low.1 <= goal && j > 1 {
                j -= 1;
                (low, high) = (finely(j - 1), low);
            }
            ends = (low.1 > goal && high.1 <= goal).then_some((low, high));
        }
        if let Some((mut low, mut high)) = ends {
            let mut middle = 0.0;
            for j in 0..NARROWED.0 {
                let share = (low.1 - goal) / (low.1 - high.1);
                let share = match j < NARROWED.1 {
                    true => share.clamp(0.1, 0.9),
                    false => share,
                };
                middle = low.0 + share * (high.0 - low.0);
                let found = look(middle, POINTS.0);
                match log(&found) {
                    end if end.1 > goal => low = end,
                    end => high = end,
                }
                all.push(found);
            }
            let near = [1.0 - NEAR, 1.0 + NEAR];
            let near = near.into_par_iter().map(|by| look(middle * by, POINTS.0));
            all.extend(near.collect::<Vec<_>>());
        }
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.dedup_by(|a, b| a.0 - b.0 <= APART * a.0);
        all
    }
}

/// The run at one ε.
struct Level {
    run: Replaced,
    epsilon: f64,
    points: usize,
    /// Width of a cell.
    h: f64,
    /// First position of the window.
    start: i64,
    /// About the deviation of the sum.
    deviation: f64,
    /// Positions at which Y is cut.
    cuts: (i64, i64),
}

/// z-masses of one cell: without the record, with it, and with its replacement.
struct Cell {
    none: Enclosure,
    here: Enclosure,
    other: Enclosure,
}

impl Level {
    fn new(run: Replaced, epsilon: f64, points: usize) -> Self {
        let mut level = Self {
            run,
            epsilon,
            points,
            h: 1.0,
            start: 0,
            deviation: 0.0,
            cuts: (0, 0),
        };
        let count = run.steps as f64;
        let ends = (
            level.value(run.ends.0).min(0.0),
            level.value(run.ends.1).max(0.0),
        );
        // The mean and the deviation between the cuts, which depend on them.
        let (mut low, mut high) = ends;
        let (mut fall, mut reach) = (0.0, 0.0);
        for _ in 0..6 {
            let (mean, deviation) = level.moments_between(low, high);
            fall = (-mean * count).max(0.0);
            level.deviation = deviation * count.sqrt();
            reach = REACH.0 * level.deviation;
            let furthest = (fall + CUT.0 * reach).min(OUTWEIGHED * (fall + high));
            low = ends.0.max(-furthest);
            high = ends.1.min(fall + CUT.0 * reach);
        }
        let below = fall + reach;
        level.h = (below + reach + REACH.1 * high) / points as f64;
        level.start = -(below / level.h).ceil() as i64;
        let position = |x: f64| (x / level.h).round() as i64;
        level.cuts = (position(low), position(high));
        level
    }

    /// About the mean and the deviation of Y, cut at these values.
    fn moments_between(&self, low: f64, high: f64) -> (f64, f64) {
        const NODES: i32 = 600;
        let (mut mass, mut mean, mut square) = (0.0, 0.0, 0.0);
        for j in -NODES..=NODES {
            let z = 12.0 * f64::from(j) / f64::from(NODES);
            let (weight, y) = (exp(-0.5 * z * z), self.value(z).clamp(low, high));
            mass += weight;
            mean += weight * y;
            square += weight * y * y;
        }
        let mean = mean / mass;
        (mean, (square / mass - mean * mean).max(1e-12).sqrt())
    }

    /// Y at z.
    fn value(&self, z: f64) -> f64 {
        let x = (self.run.mu * z - 0.5 * self.epsilon).clamp(-600.0, 600.0);
        exp(-0.5 * self.run.mu * self.run.mu) * (exp(x) - exp(-x))
    }

    /// (z, error): Y(z) is x but for this error.
    fn place(&self, x: f64) -> (f64, f64) {
        let mu = self.run.mu;
        let y = 0.5 * x.abs() * exp(0.5 * mu * mu);
        let arc = ln_1p(y + y * y / (1.0 + (1.0 + y * y).sqrt()));
        let z = (0.5 * self.epsilon + arc.copysign(x)) / mu;
        // dY = √(x² + 4e^{−μ²}) for every unit of μz − ε/2, whose terms are off by some units in the last place.
        let off = U * (32.0 + 16.0 * (self.epsilon + arc) + 8.0 * mu * mu);
        (z, off * (x.abs() + 2.0))
    }

    fn cell(&self, a: f64, b: f64) -> Cell {
        let mu = self.run.mu;
        let near = |x: f64| if x.is_finite() { x.abs() } else { 0.0 };
        let size = near(a) + near(b) + mu;
        Cell {
            none: normal_mass(a, b, size),
            here: normal_mass(a - mu, b - mu, size),
            other: normal_mass(a + mu, b + mu, size),
        }
    }

    /// The lane of a sum, tilted to the mean 0.
    fn lane(&self, parts: Vec<(LatticeLaw, u64)>) -> Lane {
        let top = parts.iter().map(|(law, _)| law.last()).fold(1, i64::max);
        let first = parts.iter().map(|(law, _)| law.first).fold(-1, i64::min);
        // A greater shift would make the outermost value alone decide.
        let shift =
            |end: i64| (8.0 / self.deviation).min(8.0 / (end.unsigned_abs() as f64 * self.h));
        Lane {
            lambda: zero_tilt(&parts),
            parts,
            start: self.start,
            shifts: (shift(first), shift(top)),
        }
    }

    /// Upper bound on the profile: at most that of a record whose step is told.
    fn most(&self) -> f64 {
        let law = GaussianLaw {
            mu: (2.0 * self.run.mu).next_up(),
        };
        let told = profile(&law, self.epsilon).hi;
        let (first, last) = self.cuts;
        if last <= 0 {
            return told;
        }
        let cut = (
            self.place(first as f64 * self.h),
            self.place(last as f64 * self.h),
        );
        let off = cut.0.1.max(cut.1.1);
        let steps = self.run.steps;
        let law = self.spread((first, last), off);
        // Upper bounds of all masses that sum up to less than 1 are no numbers.
        let whole = law.masses.iter().sum::<f64>() >= 1.0 - SUMMED;
        if !whole {
            return told;
        }
        let lane = self.lane(vec![(law, steps)]);
        let sum = convolve(&lane, self.points);
        let moved = steps as f64 * off * (1.0 + 1e-9);
        let each = (0..sum.len()).map(|j| {
            let x = (self.start + j as i64) as f64 * self.h + moved;
            if x > 0.0 { x * sum.mass(j).1 } else { 0.0 }
        });
        let total = each.sum::<f64>() + self.above(&lane, &sum, moved);
        let root = Enclosure::point(0.5 * self.epsilon).exp();
        let mean = (root * total / steps as f64).hi;
        // √a·E(Y − c) above the cut c, which is off by at most `off`.
        let above = self.cell(cut.1.0, f64::INFINITY);
        let level = Enclosure::point(last as f64) * self.h - off;
        let beyond = above.here - root * (root * above.other + level * above.none);
        // No number says nothing.
        let bound = mean * (1.0 + SUMMED) + beyond.hi;
        if bound < told { bound.max(0.0) } else { told }
    }

    /// The law of Y, spread to the lattice; its values may be larger by `off`.
    fn spread(&self, (first, last): (i64, i64), off: f64) -> LatticeLaw {
        let root = Enclosure::point(0.5 * self.epsilon).exp();
        let edges: Vec<f64> = (first..=last)
            .into_par_iter()
            .map(|j| self.place(j as f64 * self.h).0)
            .collect();
        let cells = (0..edges.len() - 1).into_par_iter().map(|j| {
            let cell = self.cell(edges[j], edges[j + 1]);
            let low = Enclosure::point((first + j as i64) as f64) * self.h - off;
            let width = Enclosure::point(self.h) + 2.0 * off;
            let moment = cell.here / root - cell.other * root;
            let share = ((moment - low * cell.none) / width).clamp(0.0, cell.none.hi);
            let rest = ((low + width) * cell.none - moment) / width;
            [rest.clamp(0.0, cell.none.hi).hi, share.hi]
        });
        let cells: Vec<[f64; 2]> = cells.collect();
        let mut masses = vec![0.0; edges.len()];
        for (j, [low, high]) in cells.into_iter().enumerate() {
            masses[j] = (masses[j] + low).next_up();
            masses[j + 1] = high;
        }
        let ends = (edges[0], edges[edges.len() - 1]);
        let size = ends.0.abs().max(ends.1.abs());
        let last = masses.len() - 1;
        masses[0] = (masses[0] + normal_mass(f64::NEG_INFINITY, ends.0, size).hi).next_up();
        masses[last] = (masses[last] + normal_mass(ends.1, f64::INFINITY, size).hi).next_up();
        lattice(first, self.h, masses)
    }

    /// Upper bound on the mean of the sum where it lies above the window: x ≤ We^{λ(x−W)} from W on, if λW ≥ 1.
    fn above(&self, lane: &Lane, sum: &Convolved, moved: f64) -> f64 {
        let last = self.start + sum.len() as i64 - 1;
        let (law, count) = (&lane.parts[0].0, lane.parts[0].1);
        if (law.last() as f64) * (count as f64) <= last as f64 {
            return 0.0;
        }
        let end = last as f64 * self.h;
        let bounds = [0.5, 1.0, 2.0].map(|factor| {
            let lambda = (lane.lambda + factor * lane.shifts.1).max(1.0 / end);
            lane.moment_upper(lambda) - lambda * end
        });
        let least = bounds.into_iter().fold(f64::INFINITY, f64::min);
        (end + moved) * exp(least.min(600.0)) * (1.0 + 1e-6)
    }

    /// (P, P') of Σ Y ≥ 0 on a window, Y rounded: the former rounded down, the latter up.
    fn event(&self) -> (f64, f64) {
        let least = (CUT.1 * self.start as f64) as i64;
        let (first, last) = (self.cuts.0.max(least), self.cuts.1);
        if last <= 0 {
            return (0.0, 0.0);
        }
        let edge = |j: i64| match j {
            _ if j == first => f64::NEG_INFINITY,
            _ if j > last => f64::INFINITY,
            _ => self.place((j as f64 - 0.5) * self.h).0,
        };
        let cells: Vec<Cell> = (first..=last)
            .into_par_iter()
            .map(|j| self.cell(edge(j), edge(j + 1)))
            .collect();
        let law = |of: fn(&Cell) -> f64| lattice(first, self.h, cells.iter().map(of).collect());
        let others = self.run.steps - 1;
        let here = vec![(law(|c| c.here.lo), 1), (law(|c| c.none.lo), others)];
        let other = vec![(law(|c| c.other.hi), 1), (law(|c| c.none.hi), others)];
        let from = usize::try_from(-self.start).unwrap_or(0);
        let [p, q] =
            [here, other].map(|parts| convolve(&self.lane(parts), self.points).mass_from(from));
        // No number says nothing.
        (if p.0 > 0.0 { p.0.min(1.0) } else { 0.0 }, q.1.min(1.0))
    }
}

/// The symmetric law whose profile is at least these bounds at these ε, 0 the first of them, and linear in e^ε between.
fn dominating(known: &[(f64, f64)]) -> DiscreteLaw {
    let mut most = f64::INFINITY;
    // The profile does not grow.
    let falling = known.iter().map(|(epsilon, bound)| {
        most = most.min(*bound);
        (*epsilon, most)
    });
    let known: Vec<(f64, f64)> = falling.collect();
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
