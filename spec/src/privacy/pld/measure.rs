//! From a pair of laws to masses on a grid of losses, from above and from below.
//!
//! With x = e^ε the profile δ is convex in x, falls from δ(0) = 1, and is at least 0 and 1 − x. A
//! function Σ P_i (1 − x/x_i)₊ + P_∞ with x_i = e^(ih) is piecewise linear with kinks on the grid, and
//! P_i = x_i · (change of slope at x_i). If it lies above (below) δ everywhere, then the composition of
//! these masses lies above (below) the composition of the pair, because
//! δ_{A⊗B}(x) = ∫ p_B δ_A(x q_B/p_B) is monotone in δ_A.
//!
//! - From above: the chords of δ between grid points (connect the dots, Doroshenko et al. 2022).
//! - From below: one tangent per cell, and at every grid point the smaller of its two neighbours; the
//!   chords of these values stay below the tangents, and their lower convex hull below the chords.
//!
//! Both are O(h²) away from δ.

use super::pair::LossPair;
use crate::arith::{Interval, PRECISION};
use rug::Float;

/// Which side of the truth a discretisation keeps to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Upper,
    Lower,
}

/// Masses at the losses (first + i) · step, and a bound of the mass at +∞.
#[derive(Clone, Debug)]
pub(super) struct GridMeasure {
    pub first: i64,
    pub step: f64,
    /// Bounds of the masses on the side that was asked for; never negative.
    pub masses: Vec<Float>,
    pub infinite: Float,
}

impl GridMeasure {
    /// The grid (first..=last) · step.
    pub(super) fn new(
        pair: &dyn LossPair,
        (first, last): (i64, i64),
        step: f64,
        side: Side,
    ) -> Self {
        let grid = Grid { first, step };
        let count = usize::try_from(last - first).unwrap_or(0) + 1;
        let (masses, infinite) = match side {
            Side::Upper => from_above(pair, &grid, count),
            Side::Lower => from_below(pair, &grid, count),
        };
        Self {
            first,
            step,
            masses,
            infinite,
        }
    }

    /// The least and the greatest loss that has any mass, as multiples of the step.
    pub(super) fn extremes(&self) -> Option<(i64, i64)> {
        let some = |m: &Float| !m.is_zero();
        let index = |i| self.first + i64::try_from(i).unwrap_or(i64::MAX);
        let least = self.masses.iter().position(some)?;
        let greatest = self.masses.iter().rposition(some)?;
        Some((index(least), index(greatest)))
    }

    /// Σ masses · e^(λ · loss) over the finite losses.
    pub(super) fn moment(&self, lambda: &Interval) -> Interval {
        let weights = self.weights(lambda);
        self.masses
            .iter()
            .zip(weights)
            .map(|(m, w)| &Interval::point(m.clone()) * &w)
            .sum()
    }

    /// e^(λ · loss), loss by loss.
    pub(super) fn weights(&self, lambda: &Interval) -> impl Iterator<Item = Interval> + use<> {
        let grid = Grid {
            first: self.first,
            step: self.step,
        };
        let ratio = (lambda * &Interval::from_f64(self.step)).exp();
        let start = (lambda * &grid.loss(0)).exp();
        std::iter::successors(Some(start), move |w| Some(w * &ratio))
    }
}

struct Grid {
    first: i64,
    step: f64,
}

impl Grid {
    /// The loss at index i, exactly.
    fn loss(&self, i: usize) -> Interval {
        let index = self.first + i64::try_from(i).unwrap_or(i64::MAX);
        &Interval::from(index) * &Interval::from_f64(self.step)
    }
}

fn from_above(pair: &dyn LossPair, grid: &Grid, count: usize) -> (Vec<Float>, Float) {
    let zero = Interval::from(0);
    let mut masses = Vec::with_capacity(count);
    let mut x = grid.loss(0).exp();
    let mut delta = pair.delta(&grid.loss(0));
    let mut slope = &(&delta - &Interval::from(1)) / &x;
    for i in 1..=count {
        let (next_slope, next) = if i < count {
            let loss = grid.loss(i);
            let (ahead, value) = (loss.exp(), pair.delta(&loss));
            (&(&value - &delta) / &(&ahead - &x), Some((ahead, value)))
        } else {
            (zero.clone(), None)
        };
        let mass = &x * &(&next_slope - &slope);
        masses.push(mass.max(&zero).hi().clone());
        slope = next_slope;
        if let Some(next) = next {
            (x, delta) = next;
        }
    }
    (masses, delta.hi().clone())
}

fn from_below(pair: &dyn LossPair, grid: &Grid, count: usize) -> (Vec<Float>, Float) {
    let points = tangent_values(pair, grid, count);
    let chain = convex_chain(&points);
    let mut masses = vec![Float::new(PRECISION); count];
    let nothing = Float::new(PRECISION);
    if !lies_below(&chain, &points) {
        // Nothing at all is also a lower bound.
        return (masses, nothing);
    }
    for three in chain.windows(3) {
        let [left, middle, right] = [three[0], three[1], three[2]].map(|i| &points[i]);
        let change = &slope(middle, right) - &slope(left, middle);
        let mass = &middle.x * &change;
        // Point 0 is x = 0, so point i + 1 is the grid's i-th.
        masses[three[1] - 1] = mass.max(&Interval::from(0)).lo().clone();
    }
    // From the last point on the lower function is 0: the last kink ends its fall.
    if let [.., before, last] = chain[..] {
        let (before, end) = (&points[before], &points[last]);
        let mass = &end.x * &-slope(before, end);
        if last >= 1 {
            masses[last - 1] = mass.max(&Interval::from(0)).lo().clone();
        }
    }
    (masses, nothing)
}

/// The lower function at x = 0 and at the grid points, up to the point where it reaches 0.
///
/// Left of the grid it is the tangent half a cell before it, whose value at 0 is the mass it keeps.
fn tangent_values(pair: &dyn LossPair, grid: &Grid, count: usize) -> Vec<Point> {
    let zero = Interval::from(0);
    let before = &grid.loss(0) - &Interval::from_f64(grid.step);
    let mut last = Tangent::new(pair, &before, grid.step, 0.5);
    // The height at the last point of the tangent before it.
    let mut limit = Interval::from(1);
    let mut points = vec![Point::new(zero.clone(), &last.value_at(&zero))];
    for i in 0..count {
        let x = grid.loss(i).exp();
        let left = last.value_at(&x);
        if *left.lo() < 0 {
            end_above(
                &mut points,
                &limit,
                (x, pair.delta_and_fall(&grid.loss(i)).1),
            );
            return points;
        }
        last = Tangent::meeting(pair, &grid.loss(i), grid.step, &left, &last);
        let least = left.min(&last.value_at(&x));
        if !is_sharp(&least) {
            points.push(Point::new(x, &zero));
            return points;
        }
        points.push(Point::new(x, &least));
        limit = left;
    }
    // The line 0 serves from the last point on.
    if let Some(last) = points.last_mut() {
        last.y = zero;
    }
    points
}

/// Whether a height is positive and known well enough for slopes of its neighbours to be compared. Near
/// the greatest loss of a sampled mechanism all digits of δ cancel.
fn is_sharp(height: &Interval) -> bool {
    let rounding = &Interval::point(height.lo().clone()) * &Interval::power_of_two(-76);
    *height.lo() > 0 && *(height - &rounding).hi() < *height.lo()
}

/// Ends the lower function with 0 at `end`, the first grid point at which the cell's tangent is negative.
/// The line through that zero with the slope of δ there lies below δ, and replaces the tangent; an atom
/// of the loss at `end` is kept in this way.
fn end_above(points: &mut Vec<Point>, limit: &Interval, (end, fall): (Interval, Interval)) {
    if let Some(last) = points.pop() {
        let height = &fall * &(&end - &last.x);
        points.push(Point::new(
            last.x,
            &height.min(limit).max(&Interval::from(0)),
        ));
    }
    points.push(Point::new(end, &Interval::from(0)));
}

/// A line that touches δ, as a function of x = e^ε.
struct Tangent {
    /// Where in its cell it touches, between 0 and 1.
    share: f64,
    at: Interval,
    value: Interval,
    fall: Interval,
}

impl Tangent {
    fn new(pair: &dyn LossPair, start: &Interval, step: f64, share: f64) -> Self {
        let loss = start + &Interval::from_f64(step * share);
        let (value, fall) = pair.delta_and_fall(&loss);
        Self {
            share,
            at: loss.exp(),
            value,
            fall,
        }
    }

    /// The tangent of the cell from `start` that meets the line before it near the height `left` there.
    ///
    /// Any touching point is valid. If neighbours meet at the grid point, neither is wasted: the gap
    /// below δ there is f a²/2 at distance a, f = δ''. The first guess mirrors the last touching point,
    /// and the measured mismatch of heights corrects it. Mirroring alone would keep an uneven pattern
    /// of touching points for ever, so each is drawn a little towards the middle of its cell.
    fn meeting(
        pair: &dyn LossPair,
        start: &Interval,
        step: f64,
        left: &Interval,
        last: &Self,
    ) -> Self {
        const TRIES: usize = 3;
        const DRAW: f64 = 0.85;
        let mut tangent = Self::new(pair, start, step, 1.0 - last.share);
        let x = start.exp();
        for _ in 0..TRIES {
            let curvature = (&(&last.fall - &tangent.fall) / &(&tangent.at - &last.at)).lo_f64();
            let distance = (&tangent.at - &x).lo_f64();
            let excess = (&tangent.value_at(&x) - left).lo_f64();
            let correction = 2.0 * excess / (curvature * distance * distance);
            if correction.is_nan() || correction.abs() < 0.01 {
                break;
            }
            let share = tangent.share * (1.0 + correction).max(0.0).sqrt();
            tangent = Self::new(pair, start, step, share.clamp(0.1, 0.9));
        }
        let uneven = tangent.share - 0.5;
        match uneven.abs() > 0.01 {
            true => Self::new(pair, start, step, 0.5 + DRAW * uneven),
            false => tangent,
        }
    }

    fn value_at(&self, x: &Interval) -> Interval {
        &self.value + &(&self.fall * &(&self.at - x))
    }
}

/// A grid point of the lower function: x and an exact value y not above either tangent there.
struct Point {
    x: Interval,
    y: Interval,
    /// What y was rounded down from: any chain not above this is still below δ.
    limit: Float,
}

impl Point {
    /// A sliver of 2⁻⁷⁰ below the value leaves room for undecided comparisons in the hull.
    fn new(x: Interval, value: &Interval) -> Self {
        let sliver = &Interval::from(1) - &Interval::power_of_two(-70);
        let y = &Interval::point(value.lo().clone()) * &sliver;
        Self {
            x,
            y: Interval::point(y.lo().clone()),
            limit: value.lo().clone(),
        }
    }
}

/// Indices of a chain of points whose slopes certainly increase: a point is dropped unless they do.
fn convex_chain(points: &[Point]) -> Vec<usize> {
    let mut chain: Vec<usize> = Vec::with_capacity(points.len());
    for (i, point) in points.iter().enumerate() {
        while let [.., a, b] = chain[..] {
            let (first, second) = (&points[a], &points[b]);
            if slope(first, second).certainly_lt(&slope(second, point)) {
                break;
            }
            chain.pop();
        }
        chain.push(i);
    }
    chain
}

/// Whether the chain is nowhere above the points' limits. Dropping a point that lay below the new chord
/// by an undecided hair lifts the chain by a hair, which the slivers absorb.
fn lies_below(chain: &[usize], points: &[Point]) -> bool {
    chain.windows(2).all(|edge| {
        let (a, b) = (&points[edge[0]], &points[edge[1]]);
        let rise = slope(a, b);
        let fits = |p: &Point| *(&a.y + &(&rise * &(&p.x - &a.x))).hi() <= p.limit;
        points[edge[0]..edge[1]].iter().all(fits)
    })
}

fn slope(a: &Point, b: &Point) -> Interval {
    &(&b.y - &a.y) / &(&b.x - &a.x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extremes_are_those_of_what_has_mass() {
        let of = |masses: &[f64]| {
            let masses = masses
                .iter()
                .map(|m| Float::with_val(PRECISION, m))
                .collect();
            let infinite = Float::new(PRECISION);
            GridMeasure {
                first: -2,
                step: 0.5,
                masses,
                infinite,
            }
            .extremes()
        };
        assert_eq!(of(&[0.0, 0.5, 0.0, 0.25, 0.1, 0.0]), Some((-1, 2)));
        assert_eq!(of(&[0.5, 0.0]), Some((-2, -2)));
        assert_eq!(of(&[0.0, 0.0]), None);
    }

    #[test]
    fn a_height_is_sharp_if_it_is_positive_and_all_but_known() {
        let around = |centre: i64, bits: i32| {
            let off = Interval::power_of_two(bits);
            let centre = Interval::from(centre);
            (&centre - &off).hull(&(&centre + &off))
        };
        assert!(is_sharp(&around(1, -90)) && is_sharp(&around(1000, -80)));
        assert!(!is_sharp(&around(1, -70)) && !is_sharp(&around(1, 0)));
        // Known to 2⁻⁷⁶ of itself, or a little better.
        let one = Interval::from(1);
        let off = |bits| one.hull(&(&one + &Interval::power_of_two(bits)));
        assert!(!is_sharp(&off(-76)) && is_sharp(&off(-77)));
        assert!(!is_sharp(&Interval::from(0)) && !is_sharp(&Interval::from(-1)));
    }

    #[test]
    fn a_chain_lies_below_if_no_point_that_it_passes_is_lower() {
        let at = |x: i64, y: f64| Point::new(Interval::from(x), &Interval::from_f64(y));
        let of = |middle: f64| {
            let from = |x: i64| {
                let points = [at(x, 1.0), at(x + 1, middle), at(x + 2, 0.0)];
                lies_below(&[0, 2], &points)
            };
            assert_eq!(from(0), from(7));
            from(0)
        };
        assert!(of(0.6) && !of(0.4));
    }

    /// Laplace's loss ends between two points of the grid: what lies beyond it would be above the profile, which is 0 there.
    #[test]
    fn the_lower_function_has_no_mass_beyond_the_greatest_loss() {
        let one = Interval::from(1);
        let pair = crate::privacy::laplace::Laplace { ratio: one };
        for step in [0.35, 0.3, 0.26, 0.24] {
            let last = (1.5 / step) as i64;
            let below = GridMeasure::new(&pair, (-last, last), step, Side::Lower);
            let greatest = below.extremes().expect("some mass").1 as f64 * step;
            assert!(
                greatest <= 1.0 && greatest > 1.0 - 2.0 * step,
                "{step}: {greatest}"
            );
        }
    }
}
