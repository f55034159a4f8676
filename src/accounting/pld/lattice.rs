//! Privacy losses on a lattice: a law from above (dominating) or from below (dominated).
//!
//! From above (connect the dots: Doroshenko et al. 2022) the outcomes with loss in (jh, (j+1)h] are
//! spread to the two ends so that both their P mass and their Q mass stay; that can only help the
//! adversary. The error of T compositions is of the order T·h², not T·h. All rounding moves P mass
//! up: the masses are differences of directed upper bounds for the mass at or above each node, so
//! that errors do not add up over cells.
//!
//! From below: for any set A the line x ↦ P(A) − xQ(A) lies below the profile δ as a function of x = e^ε.
//! With the lines of the thresholds jh, take at each node the line's value less the largest height of a
//! chord over its two lines in the neighbouring cells: the polygon through these values lies below the
//! lines, hence is the profile of a dominated law (its convex hull from below, after rounding).
//!
//! Where losses have densities, the lines of thresholds halfway between nodes are taken instead: the polygon through the lesser of two
//! neighbouring lines at their node lies below them. That is what becomes of the outcomes of a cell if they are merged to one
//! of the node's loss, as it nearly is, so that the error of T compositions is of the order T·h²; a loss at which much gathers
//! gets a node ([`LossLaw::gathered`]).

use super::law::{LossLaw, Tails};
use crate::float::U;
use crate::float::elementary::{exp, exp_m1};
use rayon::prelude::*;

/// Which way a lattice law errs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Dominates the true law: gives upper bounds.
    Above,
    /// Is dominated by it: gives lower bounds.
    Below,
}

/// P masses at the losses (first + j)·step + offset.
///
/// ```
/// use dp_assay::accounting::pld::lattice::{LatticeLaw, Side};
/// use dp_assay::accounting::pld::law::GaussianLaw;
///
/// // Losses between −10 and 10 nats in steps of 0.01, of Gaussian noise with Δ/σ = 1.
/// let law = LatticeLaw::new(&GaussianLaw { mu: 1.0 }, Side::Above, 0.01, (-1000, 1000), 0.0);
/// let mass = law.masses.iter().sum::<f64>() + law.infinite;
/// assert!((0.999..1.001).contains(&mass));
/// assert!(law.infinite < 1e-9);
/// ```
#[derive(Clone, Debug)]
pub struct LatticeLaw {
    /// Which way it errs.
    pub side: Side,
    /// h.
    pub step: f64,
    /// Multiple of h of the first loss.
    pub first: i64,
    /// P masses; taken as exact numbers.
    pub masses: Vec<f64>,
    /// P mass of infinite loss, bounded to the same side.
    pub infinite: f64,
    /// Added to every loss: the lattice's anchor and, from above, how far thresholds were off.
    pub offset: f64,
}

/// Absolute slack on a tail that may have underflowed.
const UNDERFLOW: f64 = 1e-300;
/// Nodes of which each helps to find the next.
const RUN: usize = 256;

impl LatticeLaw {
    /// Discretises `law` on the nodes first, …, last times `step`, plus `anchor`.
    #[must_use]
    pub fn new(
        law: &dyn LossLaw,
        side: Side,
        step: f64,
        (first, last): (i64, i64),
        anchor: f64,
    ) -> Self {
        let between = side == Side::Below && law.gathered(step).is_some();
        let place = |j: i64| (j as f64 - if between { 0.5 } else { 0.0 }) * step;
        // Runs of nodes that do not depend on threads, so that the answer does not.
        let runs: Vec<i64> = (first..=last).step_by(RUN).collect();
        let nodes = runs.into_par_iter().flat_map_iter(|from| {
            let all = from..=last.min(from + RUN as i64 - 1);
            let epsilons: Vec<f64> = all.map(|j| place(j) + anchor).collect();
            let tails = law.tails_along(&epsilons);
            let nodes = (from..).zip(epsilons).zip(tails);
            nodes.map(|((j, epsilon), t)| Node::new(t, place(j), epsilon))
        });
        let nodes: Vec<Node> = nodes.collect();
        let mut lattice = match side {
            Side::Above => above(&nodes, step, first),
            Side::Below if between => merged(&nodes, step, first, law.infinite()),
            Side::Below => below(&nodes, step, first, law.infinite()),
        };
        lattice.drop_dust();
        lattice.offset += anchor;
        lattice
    }

    /// Removes the topmost masses as long as they are below 10⁻²⁹⁰: a tilt that makes them dominant
    /// would overflow. From above they become infinite losses, from below they are left out.
    fn drop_dust(&mut self) {
        const DUST: f64 = 1e-290;
        while self.masses.len() > 1 && self.masses[self.masses.len() - 1] < DUST {
            let dust = self.masses.pop().unwrap_or(0.0);
            if self.side == Side::Above {
                self.infinite = (self.infinite + dust).next_up();
            }
        }
    }

    /// From below: leaves out masses at either end, at most `few` of P, if they would count under a tilt of these orders over so many
    /// compositions, and says whether there were any. What lies beyond the nodes, and what all rounding takes off, is gathered at the
    /// last of them: where losses are rare and large a tilt makes it the most of the law, and then a window that holds nearly all of
    /// the rest seems to miss much.
    pub(super) fn leave_out(&mut self, few: (f64, f64), orders: (f64, f64), count: u64) -> bool {
        let count = count as f64;
        let decay = |order: f64| exp(order * self.step);
        let last = self.masses.len() - 1;
        let top = outweighing(self.masses.iter().rev(), few.1, decay(-orders.1), count);
        self.masses.truncate(last + 1 - top.min(last));
        let last = self.masses.len() - 1;
        let bottom = outweighing(self.masses.iter(), few.0, decay(orders.0), count).min(last);
        self.masses.drain(..bottom);
        self.first += bottom as i64;
        top + bottom > 0
    }

    /// Position of the last mass.
    #[must_use]
    pub fn last(&self) -> i64 {
        self.first + self.masses.len() as i64 - 1
    }

    /// Largest |first + j|·step in nats: the largest absolute loss of a node, the offset left out.
    #[must_use]
    pub fn reach(&self) -> f64 {
        self.first.unsigned_abs().max(self.last().unsigned_abs()) as f64 * self.step
    }
}

/// How many of the first of these masses are at most `few` in all, if that many count when each is weighted by so much less than the one
/// before: else none.
fn outweighing<'a>(
    masses: impl Iterator<Item = &'a f64>,
    few: f64,
    decay: f64,
    count: f64,
) -> usize {
    const COUNTS: f64 = 0.1;
    let (mut mass, mut weight, mut whole) = (0.0, 1.0, 0.0);
    let (mut these, mut share) = (0, 0.0);
    for (j, m) in masses.enumerate() {
        mass += m;
        whole += m * weight;
        if mass <= few {
            (these, share) = (j + 1, whole);
        }
        weight *= decay;
    }
    if count * share > COUNTS * whole {
        these
    } else {
        0
    }
}

/// Tails at one node.
#[derive(Clone, Copy, Debug)]
struct Node {
    p_lo: f64,
    p_hi: f64,
    /// e^ε·Q(A), lower and upper.
    q_lo: f64,
    q_hi: f64,
    /// Bound on the relative error of the tails, that of e^ε included.
    error: f64,
    slack: f64,
}

impl Node {
    /// From the tails at ε = offset + anchor.
    fn new(t: Tails, offset: f64, epsilon: f64) -> Self {
        let rounding = 2.0 * U * (offset.abs() + epsilon.abs());
        let error = t.error * 1.01 + 1.01 * rounding + 2.0 * U;
        let grow = 1.0 + error;
        Self {
            p_lo: t.p * (2.0 - grow),
            p_hi: (t.p * grow + UNDERFLOW).min(1.0),
            q_lo: t.q * (2.0 - grow),
            q_hi: t.q * grow + UNDERFLOW,
            error,
            slack: t.slack + rounding,
        }
    }
}

fn above(nodes: &[Node], step: f64, first: i64) -> LatticeLaw {
    let slack = nodes.iter().fold(0.0f64, |s, n| s.max(n.slack));
    // Cells reach from jh − r to (j+1)h + r; the split is over that width, then both ends move up by
    // at most 2r (a tenth more covers the rounding of this very bound).
    let width = step + 2.0 * slack;
    let (shrink, split) = (exp(-step), -exp_m1(-width));
    let n = nodes.len();
    let mut at_or_above = vec![0.0; n + 1];
    at_or_above[n] = nodes[n - 1].p_hi;
    for j in (1..n).rev() {
        let (low, high) = (&nodes[j - 1], &nodes[j]);
        // b = (p − e^{jh−r}q)/(1 − e^{−width}) for the cell's P mass p and Q mass q.
        let p = low.p_hi - high.p_lo;
        let q = (low.q_lo - shrink * high.q_hi).max(0.0) * (1.0 - slack);
        let rounding = 16.0 * U * (low.p_hi + low.q_hi);
        let upper = ((p - q).max(0.0) + rounding) / split;
        let bound = (high.p_hi + upper).min(low.p_hi);
        at_or_above[j] = bound.max(high.p_hi).max(at_or_above[j + 1]);
    }
    at_or_above[0] = 1.0f64.max(at_or_above[1]);
    let masses = at_or_above
        .windows(2)
        .map(|w| (w[0] - w[1]).next_up().max(0.0));
    LatticeLaw {
        side: Side::Above,
        step,
        first,
        masses: masses.collect(),
        infinite: at_or_above[n],
        offset: if slack > 0.0 { 2.1 * slack } else { 0.0 },
    }
}

fn below(nodes: &[Node], step: f64, first: i64, infinite: f64) -> LatticeLaw {
    let lines = Lines::new(nodes, step, infinite);
    let values = lines.polygon();
    LatticeLaw {
        side: Side::Below,
        step,
        first,
        masses: masses_of_polygon(&values, step, lines.finite(0)),
        infinite,
        offset: -lines.shift * (1.0 + 4.0 * U),
    }
}

/// The lines P(A) − xQ(A) of the nodes, of the finite part, whose profile is the law's less the infinite
/// mass. All losses are moved down by a little more than the tails' errors: an atom on a node is then
/// certainly not below it.
struct Lines<'a> {
    nodes: &'a [Node],
    infinite: f64,
    /// How far losses are moved down, and e^{−shift} rounded up.
    shift: f64,
    down: f64,
    /// e^h rounded up, e^{−h}, e^h − 1.
    up: f64,
    shrink: f64,
    eta: f64,
}

impl<'a> Lines<'a> {
    fn new(nodes: &'a [Node], step: f64, infinite: f64) -> Self {
        let slack = |s: f64, node: &Node| s.max(node.slack + 4.0 * node.error);
        let shift = nodes.iter().fold(0.0f64, slack) + 16.0 * U;
        Self {
            nodes,
            infinite,
            shift,
            down: exp(-shift) * (1.0 + 4.0 * U),
            up: exp(step) * (1.0 + 4.0 * U),
            shrink: exp(-step),
            eta: exp_m1(step),
        }
    }

    /// P(A) of node j, finite losses only, rounded down.
    fn finite(&self, j: usize) -> f64 {
        (self.nodes[j].p_lo - self.infinite).next_down().max(0.0)
    }

    /// x_j·Q(A), rounded up.
    fn scaled(&self, j: usize) -> f64 {
        self.nodes[j].q_hi * self.down
    }

    fn value(&self, j: usize) -> f64 {
        self.finite(j) - self.scaled(j)
    }

    /// Height of the chord above the two lines of cell j, in units where x_j = 1.
    fn height(&self, j: usize) -> f64 {
        let chord = (self.value(j) - self.value(j + 1)) / self.eta;
        let (left, right) = (self.scaled(j), self.scaled(j + 1) * self.shrink);
        if left > chord && chord > right {
            // A quotient below 1 first: a product of two heights may underflow, and would take nothing off.
            self.eta * (left - chord) * ((chord - right) / (left - right))
        } else {
            0.0
        }
    }

    /// Values at the nodes of a polygon below all lines, before its convex hull is taken.
    fn polygon(&self) -> Vec<f64> {
        let n = self.nodes.len();
        let heights: Vec<f64> = (0..n - 1).map(|j| self.height(j)).collect();
        // The masses are computed from differences of these values; what their rounding can add to the
        // polygon is taken off first: 16u of every tail from here up. The heights' own rounding is below
        // 16u of the tail before.
        let (mut rounding, mut raised) = (0.0, true);
        let mut values = vec![0.0; n];
        for j in (0..n - 1).rev() {
            rounding += 16.0 * U * self.nodes[j].p_hi;
            let left = if j > 0 { heights[j - 1] } else { 0.0 };
            let chord = left.max(heights[j]) * (1.0 + 1e-9);
            let before = self.nodes[j.max(1) - 1].p_hi;
            let lowered = self.value(j) - chord - rounding - 64.0 * U * before;
            // The profile falls: the next node's value is a bound, too. Where that one was raised so, the
            // chord to it must lie below this node's own line; a line that falls below it allows none.
            let next = values[j + 1];
            let reaches = self.finite(j) - self.scaled(j) * self.up >= next;
            values[j] = if lowered > next && (reaches || !raised) {
                lowered
            } else {
                next
            };
            raised = lowered < next;
        }
        values
    }
}

/// The law from below by the lines of the thresholds between nodes, the first of them before the first node; the last cell has none.
/// A threshold's line is below the profile wherever its set may end, so that only rounding is taken off.
fn merged(lines: &[Node], step: f64, first: i64, infinite: f64) -> LatticeLaw {
    let factor = |sign: f64| exp(sign * 0.5 * step) * (1.0 + 4.0 * U);
    let (shrink, grow) = (factor(-1.0), factor(1.0));
    let finite = |line: &Node| (line.p_lo - infinite).next_down().max(0.0);
    // A line at the node before its threshold, and at the one after.
    let before = |line: &Node| finite(line) - line.q_hi * shrink;
    let after = |line: &Node| finite(line) - line.q_hi * grow;
    let (mut values, mut rounding) = (vec![0.0; lines.len()], 0.0);
    for j in (0..lines.len() - 1).rev() {
        let ([low, high], next) = ([&lines[j], &lines[j + 1]], values[j + 1]);
        // As in `Lines::polygon`.
        rounding += 16.0 * U * low.p_hi;
        let least = before(high).min(after(low)) - rounding - 64.0 * U * low.p_hi;
        // The chord to a value above the line is not below it; but the profile falls.
        let reaches = after(high) >= next;
        values[j] = if reaches { least.max(next) } else { next };
    }
    let total = match values[0] <= after(&lines[0]) {
        true => finite(&lines[0]),
        false => values[0],
    };
    LatticeLaw {
        side: Side::Below,
        step,
        first,
        masses: masses_of_polygon(&values, step, total),
        infinite,
        offset: 0.0,
    }
}

/// P masses of the law whose profile is the lower convex hull of `values` at the nodes (as functions
/// of e^ε), 0 from the last node on, `total` at e^ε = 0.
fn masses_of_polygon(values: &[f64], step: f64, total: f64) -> Vec<f64> {
    let hull = lower_hull(values, step, total);
    let mut masses = vec![0.0; values.len()];
    // Slope times −x at the left end of each edge; the mass at a node is x times the change of slope.
    let slope =
        |from: usize, to: usize| (values[from] - values[to]) / exp_m1((to - from) as f64 * step);
    let mut previous: Option<(usize, f64)> = None;
    for edge in hull.windows(2) {
        let s = slope(edge[0], edge[1]);
        masses[edge[0]] = match previous {
            None => total - values[edge[0]] - s,
            Some((from, before)) => before * exp((edge[0] - from) as f64 * step) - s,
        }
        .max(0.0);
        previous = Some((edge[0], s));
    }
    if let (Some((from, before)), Some(&last)) = (previous, hull.last()) {
        masses[last] = (before * exp((last - from) as f64 * step)).max(0.0);
    }
    for m in &mut masses {
        *m *= 1.0 - 8.0 * U;
    }
    masses
}

/// Indices of the lower convex hull of the points (0, total) and (e^{jh}, values[j]), without the
/// former.
fn lower_hull(values: &[f64], step: f64, total: f64) -> Vec<usize> {
    let rise = |from: usize, to: usize| exp_m1((to - from) as f64 * step);
    let mut hull: Vec<usize> = Vec::with_capacity(values.len());
    for j in 0..values.len() {
        loop {
            // Whether the last point b lies on or above the chord from the point before it to j.
            let above = match hull[..] {
                [.., a, b] => {
                    (values[b] - values[a]) * rise(a, j) >= (values[j] - values[a]) * rise(a, b)
                }
                [b] => (values[b] - total) * (1.0 + rise(b, j)) >= values[j] - total,
                [] => false,
            };
            if !above {
                break;
            }
            hull.pop();
        }
        hull.push(j);
    }
    hull
}

#[cfg(test)]
mod tests;
