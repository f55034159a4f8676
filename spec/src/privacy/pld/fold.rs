//! The composition of grid masses on one side of the truth: tilt, transform, power, and the bound.

use super::Part;
use super::fixed::{Complex, FRACTION, ONE, Transform, multiply_power};
use super::measure::{GridMeasure, Side};
use super::plan::Plan;
use crate::arith::{Interval, PRECISION};
use crate::privacy::error::PrivacyError;
use rug::Float;
use rug::float::Round;

/// The tilted masses of the composed loss on a window, as integers with a common error bound.
///
/// P\[S = (first + j) step\] = scale · e^(−tilt · loss) · masses\[j\]/2¹²⁵ for a loss in the window. A
/// transform of finite length also adds the masses outside of it, a multiple of its length away:
/// harmless from above, subtracted from below.
pub(super) struct Folded {
    side: Side,
    first: i64,
    step: f64,
    tilt: Interval,
    scale: Interval,
    masses: Vec<i128>,
    error: u64,
    /// From above: P\[S beyond the window\], with the infinite losses. From below: the tilted mass
    /// outside the window, times scale.
    outside: Interval,
}

impl Folded {
    /// Composes the parts on the grid of the plan.
    ///
    /// # Errors
    /// When rounding errors could exceed what their bounds allow.
    pub(super) fn new(
        parts: &[Part<'_>],
        plan: &Plan,
        transform: &Transform,
        side: Side,
    ) -> Result<Self, PrivacyError> {
        let tilt = Interval::from_f64(plan.tilt);
        let mut fold = Self {
            side,
            first: (plan.start / plan.step).floor() as i64 - 2,
            step: plan.step,
            tilt,
            scale: Interval::from(1),
            masses: vec![],
            error: 0,
            outside: Interval::from(0),
        };
        let mut spectrum = vec![Complex { re: ONE, im: 0 }; transform.len()];
        let mut outside = Outside::new(plan, fold.first, transform.len(), side);
        let mut origin = 0i128;
        for (part, range) in parts.iter().zip(&plan.ranges) {
            let ends = ((range.0 / plan.step).floor(), (range.1 / plan.step).ceil());
            let ends = (ends.0 as i64, ends.1 as i64);
            let measure = GridMeasure::new(part.pair, ends, plan.step, side);
            let (tilted, factor) = fold.tilted(&measure, transform.len())?;
            let (one, error) = transform.forward(&tilted);
            fold.error = multiply_power(&mut spectrum, fold.error, &one, error, part.times)
                .ok_or_else(too_many)?;
            fold.scale = &fold.scale * &power(&factor, part.times);
            outside.add(&measure, part.times);
            origin += i128::from(part.times) * i128::from(measure.first);
        }
        let (cyclic, error) = transform.inverse(&spectrum, fold.error);
        fold.error = error;
        let offset = (i128::from(fold.first) - origin).rem_euclid(transform.len() as i128) as usize;
        fold.masses = cyclic[offset..]
            .iter()
            .chain(&cyclic[..offset])
            .copied()
            .collect();
        fold.outside = outside.bound();
        Ok(fold)
    }

    /// Tilted masses over their sum K, rounded to the unit on the right side, wrapped around the
    /// transform's length; and K.
    ///
    /// # Errors
    /// When a mass is not finite.
    fn tilted(
        &self,
        measure: &GridMeasure,
        length: usize,
    ) -> Result<(Vec<i128>, Interval), PrivacyError> {
        // A little more than the sum, so that even masses rounded up add to at most 1.
        let slack = &Interval::from(1) + &Interval::power_of_two(-80);
        let total = &measure.moment(&self.tilt) * &slack;
        let total = Interval::point(total.hi().clone());
        let unit = &Interval::power_of_two(FRACTION as i32) / &total;
        let mut wrapped = vec![0i128; length];
        let weights = measure.weights(&self.tilt);
        for (i, (mass, weight)) in measure.masses.iter().zip(weights).enumerate() {
            let tilted = &(&weight * &unit) * &Interval::point(mass.clone());
            let rounded = match self.side {
                Side::Upper => tilted.hi().to_integer_round(Round::Up),
                Side::Lower => tilted.lo().to_integer_round(Round::Down),
            };
            let whole = rounded.and_then(|(n, _)| n.to_i128());
            wrapped[i % length] += whole.ok_or_else(|| PrivacyError::NoBound {
                asked: "a composed privacy loss",
                why: format!("the mass {mass} tilted by {} has no bound", self.tilt),
            })?;
        }
        Ok((wrapped, total))
    }

    /// A bound of the least ε ≥ 0 with δ(ε) ≤ delta: an upper one from above (+∞ if even the end of
    /// the window does not do), a lower one from below.
    pub(super) fn epsilon(&self, delta: &Interval) -> Float {
        let zero = Float::new(PRECISION);
        let mut tail = Tail::new(self);
        let mut safe = Float::with_val(PRECISION, f64::INFINITY);
        for j in (0..self.masses.len()).rev() {
            // Now the tail holds the masses above the loss at j.
            let here = self.loss(j);
            let bound = tail.delta(&here);
            let crossed = match self.side {
                Side::Upper => !bound.certainly_le(delta),
                Side::Lower => delta.certainly_lt(&bound),
            };
            if crossed {
                return tail.root(delta, &here).min(&safe).max(&zero);
            }
            safe = here.hi().clone();
            if safe <= 0 {
                return zero;
            }
            tail.take(j);
        }
        match self.side {
            Side::Upper => safe.max(&zero),
            Side::Lower => zero,
        }
    }

    /// The bound of δ at the point ε on this side. (Losses of the grid are exact, so the comparison
    /// with ε is.)
    pub(super) fn delta(&self, epsilon: &Float) -> Float {
        let epsilon = Interval::point(epsilon.clone());
        let one = Float::with_val(PRECISION, 1);
        let mut tail = Tail::new(self);
        for j in (0..self.masses.len()).rev() {
            if self.loss(j).certainly_le(&epsilon) {
                break;
            }
            tail.take(j);
        }
        match self.side {
            // From above nothing is known of the losses between ε and the window.
            Side::Upper if epsilon.certainly_lt(&self.loss(0)) => one,
            Side::Upper => tail.delta(&epsilon).hi().clone().min(&one),
            Side::Lower => tail
                .delta(&epsilon)
                .lo()
                .clone()
                .max(&Float::new(PRECISION)),
        }
    }

    fn loss(&self, j: usize) -> Interval {
        let index = self.first + i64::try_from(j).unwrap_or(i64::MAX);
        &Interval::from(index) * &Interval::from_f64(self.step)
    }
}

/// The masses above some loss, as Σ mass and Σ mass · e^(−loss).
struct Tail<'a> {
    fold: &'a Folded,
    mass: Interval,
    discounted: Interval,
    /// scale/2¹²⁵ · e^(−tilt · loss) and e^(−loss) at the next loss to take, and their growth per step.
    weight: Interval,
    discount: Interval,
    growth: (Interval, Interval),
}

impl<'a> Tail<'a> {
    fn new(fold: &'a Folded) -> Self {
        let last = fold.loss(fold.masses.len() - 1);
        let step = Interval::from_f64(fold.step);
        let unit = &fold.scale * &Interval::power_of_two(-(FRACTION as i32));
        Self {
            fold,
            mass: Interval::from(0),
            discounted: Interval::from(0),
            weight: &unit * &(-(&fold.tilt * &last)).exp(),
            discount: (-&last).exp(),
            growth: ((&fold.tilt * &step).exp(), step.exp()),
        }
    }

    /// Adds the mass at index j, the largest not yet taken.
    fn take(&mut self, j: usize) {
        let (mass, error) = (self.fold.masses[j], i128::from(self.fold.error));
        let units = match self.fold.side {
            Side::Upper => mass + error,
            Side::Lower => mass - error,
        };
        let units = Interval::point(Float::with_val(PRECISION, units.max(0)));
        let mass = &units * &self.weight;
        self.discounted = &self.discounted + &(&mass * &self.discount);
        self.mass = &self.mass + &mass;
        self.weight = &self.weight * &self.growth.0;
        self.discount = &self.discount * &self.growth.1;
    }

    /// The bound of δ(ε) for an ε not below the losses still to be taken.
    fn delta(&self, epsilon: &Interval) -> Interval {
        let inside = &self.mass - &(&epsilon.exp() * &self.discounted);
        match self.fold.side {
            Side::Upper => &inside + &self.fold.outside,
            Side::Lower => &inside - &self.missing(epsilon),
        }
    }

    /// What wrapped-around masses can pretend to contribute to δ(ε): at most their tilted total times
    /// the largest weight, e^(−θε) sup_u e^(−θu)(1 − e^(−u)) ≤ e^(−θε)/(1 + θ).
    fn missing(&self, epsilon: &Interval) -> Interval {
        let tilt = &self.fold.tilt;
        let weight = &(-(tilt * epsilon)).exp() / &(&Interval::from(1) + tilt);
        &self.fold.outside * &weight
    }

    /// The bound of the ε ≥ `here` at which δ(ε) falls to `delta` before any further mass counts.
    fn root(&self, delta: &Interval, here: &Interval) -> Float {
        let rest = match self.fold.side {
            Side::Upper => &self.mass + &self.fold.outside,
            Side::Lower => &self.mass - &self.missing(here),
        };
        let odds = &(&rest - delta) / &self.discounted;
        match self.fold.side {
            Side::Upper => odds.ln().hi().clone().max(here.hi()),
            Side::Lower => {
                let root = odds.lo().clone().max(&Float::new(PRECISION));
                Interval::point(root).ln().lo().clone().max(here.lo())
            }
        }
    }
}

/// Bounds of what falls outside the window.
struct Outside {
    side: Side,
    orders: (Interval, Interval),
    /// Index and loss at the start of the window, and just beyond it on the right.
    ends: ((i128, Interval), (i128, Interval)),
    /// Logarithms of the composed moments at the two orders.
    moments: (Interval, Interval),
    tilt: Interval,
    /// Least and greatest composed loss that has any mass, as indices.
    extremes: (i128, i128),
    /// Σ T p over the parts, p their infinite mass, and Σ T ln(1 + excess), how much their rounded-up
    /// masses can exceed probabilities.
    infinite: Interval,
    growth: Interval,
}

impl Outside {
    fn new(plan: &Plan, first: i64, length: usize, side: Side) -> Self {
        let tilt = Interval::from_f64(plan.tilt);
        let step = Interval::from_f64(plan.step);
        let beyond = first + i64::try_from(length).unwrap_or(i64::MAX);
        let end = |index: i64| (i128::from(index), &Interval::from(index) * &step);
        let zero = Interval::from(0);
        Self {
            side,
            orders: (
                &tilt - &Interval::from_f64(plan.orders.0),
                &tilt + &Interval::from_f64(plan.orders.1),
            ),
            ends: (end(first), end(beyond)),
            moments: (zero.clone(), zero.clone()),
            tilt,
            extremes: (0, 0),
            infinite: zero.clone(),
            growth: zero,
        }
    }

    fn add(&mut self, measure: &GridMeasure, times: u64) {
        let log = |order: &Interval| &count(times) * &measure.moment(order).ln();
        self.moments.1 = &self.moments.1 + &log(&self.orders.1);
        if self.side == Side::Lower {
            self.moments.0 = &self.moments.0 + &log(&self.orders.0);
        }
        if let Some((least, greatest)) = measure.extremes() {
            self.extremes.0 += i128::from(times) * i128::from(least);
            self.extremes.1 += i128::from(times) * i128::from(greatest);
        }
        let infinite = Interval::point(measure.infinite.clone());
        let whole = &infinite + &measure.moment(&Interval::from(0));
        let growth = &count(times) * &whole.max(&Interval::from(1)).ln();
        self.infinite = &self.infinite + &(&count(times) * &infinite);
        self.growth = &self.growth + &growth;
    }

    /// From above P\[S ≥ end\] ≤ E e^(λ(S − end)), λ = order, plus the infinite losses: with masses s and
    /// p finite and infinite, Π (s + p)^T − Π s^T ≤ Σ T p · Π max(1, s + p)^T. From below the tilted,
    /// unnormalised mass on both outsides, E e^(θS) 1{outside}, bounded the same way.
    fn bound(&self) -> Interval {
        match self.side {
            Side::Upper => &self.right(&self.orders.1) + &(&self.infinite * &self.growth.exp()),
            Side::Lower => {
                let excess = &self.orders.1 - &self.tilt;
                let lack = &self.orders.0 - &self.tilt;
                &self.right(&excess) + &self.left(&lack)
            }
        }
    }

    fn right(&self, order: &Interval) -> Interval {
        let (index, end) = &self.ends.1;
        match self.extremes.1 < *index {
            true => Interval::from(0),
            false => (&self.moments.1 - &(order * end)).exp(),
        }
    }

    fn left(&self, lack: &Interval) -> Interval {
        let (index, end) = &self.ends.0;
        match self.extremes.0 >= *index {
            true => Interval::from(0),
            false => (&self.moments.0 - &(lack * end)).exp(),
        }
    }
}

/// x^times for x > 0.
fn power(x: &Interval, times: u64) -> Interval {
    (&count(times) * &x.ln()).exp()
}

pub(super) fn count(times: u64) -> Interval {
    Interval::point(Float::with_val(PRECISION, times))
}

fn too_many() -> PrivacyError {
    PrivacyError::NoBound {
        asked: "a composed privacy loss",
        why: "so many compositions that fixed-point errors could reach 2^-63".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// E e^(λ(S − end)) and the infinite losses, each of which may be with any of the others; from below what is tilted beyond either end.
    #[test]
    fn what_is_outside_is_all_of_it() {
        let number = Interval::from_f64;
        let outside = |side, extremes| Outside {
            side,
            orders: (number(0.5), number(2.0)),
            ends: ((-10, number(-1.0)), (10, number(1.0))),
            moments: (number(0.25), number(0.75)),
            tilt: number(1.0),
            extremes,
            infinite: number(0.125),
            growth: number(0.5),
        };
        let is = |found: Interval, truth: f64| {
            assert!((found.hi_f64() - truth).abs() < 1e-12, "{found}, {truth}");
        };
        let infinite = 0.125 * 0.5f64.exp();
        is(
            outside(Side::Upper, (-20, 20)).bound(),
            (0.75f64 - 2.0).exp() + infinite,
        );
        is(outside(Side::Upper, (-20, 9)).bound(), infinite);
        // Tilted already: orders are differences from the tilt.
        let (right, left) = ((0.75f64 - 1.0).exp(), (0.25f64 - 0.5).exp());
        is(outside(Side::Lower, (-20, 20)).bound(), right + left);
        is(outside(Side::Lower, (-10, 20)).bound(), right);
        is(outside(Side::Lower, (-20, 9)).bound(), left);
    }

    const UNIT: i128 = 1 << (FRACTION - 3);

    /// Masses of so many eighths at the losses −1, −1/2, 0, 1/2, 1.
    fn folded(side: Side, eighths: [i128; 5], outside: f64) -> Folded {
        Folded {
            side,
            first: -2,
            step: 0.5,
            tilt: Interval::from(0),
            scale: Interval::from(1),
            masses: eighths.map(|n| n * UNIT).to_vec(),
            error: 0,
            outside: Interval::from_f64(outside),
        }
    }

    fn profile(eighths: [i128; 5], epsilon: f64) -> f64 {
        let at = |(n, loss): (i128, f64)| n as f64 / 8.0 * (1.0 - (epsilon - loss).exp()).max(0.0);
        eighths
            .into_iter()
            .zip([-1.0, -0.5, 0.0, 0.5, 1.0])
            .map(at)
            .sum()
    }

    /// δ(ε) is the sum over the losses above ε; from above with what is beyond the window, which below it is all that is
    /// known, and from below without what may have come around.
    #[test]
    fn masses_on_a_grid_have_their_profile() {
        let masses = [1, 2, 2, 1, 2];
        for epsilon in [-1.0, -0.75, -0.5, 0.0, 0.3, 0.5, 0.99, 1.0, 4.0] {
            let truth = profile(masses, epsilon);
            let e = Float::with_val(PRECISION, epsilon);
            let upper = folded(Side::Upper, masses, 0.0625).delta(&e).to_f64();
            assert!(
                (upper - truth - 0.0625).abs() < 1e-15,
                "{epsilon}: {upper}, {truth}"
            );
            let lower = folded(Side::Lower, masses, 0.0).delta(&e).to_f64();
            assert!((lower - truth).abs() < 1e-15, "{epsilon}: {lower}, {truth}");
            let less = folded(Side::Lower, masses, 0.0625).delta(&e).to_f64();
            let least = (truth - 0.0625).max(0.0);
            assert!((less - least).abs() < 1e-15, "{epsilon}: {less}, {truth}");
        }
        let below = Float::with_val(PRECISION, -1.5);
        assert_eq!(folded(Side::Upper, [0, 0, 0, 0, 1], 0.0).delta(&below), 1);
        let much = folded(Side::Upper, [8, 8, 8, 8, 8], 0.0);
        assert_eq!(much.delta(&Float::with_val(PRECISION, -1)), 1);
    }

    /// Tilted masses count with their scale and e^{−θ loss}; from below what came around weighs 1/(1 + θ) of itself at most.
    #[test]
    fn tilted_masses_have_their_weights() {
        let e = Float::new(PRECISION);
        let at = |side, outside: f64| {
            let mut fold = folded(side, [0, 0, 0, 2, 2], outside);
            fold.scale = Interval::from(3);
            fold.tilt = Interval::from(2);
            fold.delta(&e).to_f64()
        };
        let each = |x: f64| 0.25 * 3.0 * (-2.0 * x).exp() * (1.0 - (-x).exp());
        let truth = each(0.5) + each(1.0);
        for (side, outside, lost) in [
            (Side::Upper, 0.0, 0.0),
            (Side::Lower, 0.0, 0.0),
            (Side::Lower, 0.03, 0.01),
            (Side::Upper, 0.03, -0.03),
        ] {
            let found = at(side, outside);
            assert!(
                (found - truth + lost).abs() < 1e-15,
                "{side:?}, {outside}: {found}"
            );
        }
    }

    /// From above an error is added to every mass and from below taken off, no further than to 0.
    #[test]
    fn errors_are_on_the_safe_side_of_every_mass() {
        for (side, first, both) in [(Side::Upper, 8, 13), (Side::Lower, 2, 2)] {
            let mut fold = folded(side, [0; 5], 0.0);
            fold.masses = vec![0, 0, 0, 2, 5];
            fold.error = 3;
            fold.scale = Interval::power_of_two(FRACTION as i32);
            let mut tail = Tail::new(&fold);
            tail.take(4);
            assert_eq!(tail.mass.hi_f64(), f64::from(first), "{side:?}");
            tail.take(3);
            assert_eq!(tail.mass.hi_f64(), f64::from(both), "{side:?}");
        }
    }

    /// The least ε ≥ 0 at which the profile is no more than δ; from above there is none for less than what is beyond the
    /// window, and from below none is 0.
    #[test]
    fn a_profile_is_solved_for_epsilon() {
        let masses = [1, 2, 2, 1, 2];
        for (delta, outside) in [
            (0.3, 0.0),
            (0.2, 0.0625),
            (0.1, 0.0),
            (0.1, 0.0625),
            (1e-9, 0.0),
            (0.5, 0.0),
        ] {
            let d = Interval::from_f64(delta);
            for side in [Side::Upper, Side::Lower] {
                let gone = if side == Side::Upper { outside } else { 0.0 };
                let found = folded(side, masses, gone).epsilon(&d).to_f64();
                let at = profile(masses, found) + gone;
                let told = format!("{side:?}, {delta}, {outside}: {found}, {at}");
                assert!(
                    (at - delta).abs() < 1e-14 || (found == 0.0 && at <= delta),
                    "{told}"
                );
            }
        }
        let least = Interval::from_f64(0.01);
        let never = folded(Side::Upper, masses, 0.0625).epsilon(&least);
        assert!(never.is_infinite(), "{never}");
        let none = folded(Side::Lower, [0; 5], 0.0).epsilon(&least);
        assert!(none.is_zero());
        // Of what came around there may be 3/16 at 1/2, e^{0·1/2} of it: 1/4 at 1 is left with 1/16.
        let less = folded(Side::Lower, [0, 0, 0, 0, 2], 0.1875).epsilon(&least);
        let truth = ((0.0625f64 - 0.01) / (0.25 * (-1f64).exp())).ln().max(0.0);
        assert!((less.to_f64() - truth).abs() < 1e-14, "{less}, {truth}");
    }

    fn measure(masses: &[f64], first: i64, infinite: f64) -> GridMeasure {
        let float = |m: &f64| Float::with_val(PRECISION, m);
        GridMeasure {
            first,
            step: 0.5,
            masses: masses.iter().map(float).collect(),
            infinite: float(&infinite),
        }
    }

    /// Σ T p · Π max(1, s + p)^T of infinite losses, and Chernoff's bounds on both sides of the window, unless no loss is there.
    #[test]
    fn what_lies_outside_is_that_of_all_parts() {
        let plan = Plan {
            tilt: 0.5,
            start: -1.0,
            orders: (0.75, 1.5),
            step: 0.5,
            log2: 3,
            ranges: vec![],
        };
        let parts = [
            (measure(&[0.25, 0.0, 0.5], -1, 0.125), 3),
            (measure(&[0.5, 0.75], 0, 0.25), 2),
        ];
        let moment = |order: f64| {
            let first = 0.25 * (-0.5 * order).exp() + 0.5 * (0.5 * order).exp();
            let second = 0.5 + 0.75 * (0.5 * order).exp();
            3.0 * first.ln() + 2.0 * second.ln()
        };
        // Composed losses are −3 to 5 halves.
        let of = |side, first: i64, length: usize| {
            let mut outside = Outside::new(&plan, first, length, side);
            for (measure, times) in &parts {
                outside.add(measure, *times);
            }
            outside.bound().hi_f64()
        };
        let infinite = (3.0 * 0.125 + 2.0 * 0.25) * 1.5f64.powi(2);
        let beyond = |end: f64| (moment(2.0) - 2.0 * end).exp();
        for (length, right) in [(9, 0.0), (8, beyond(2.5)), (4, beyond(0.5))] {
            let found = of(Side::Upper, -3, length);
            assert!(
                (found - infinite - right).abs() < 1e-12,
                "{length}: {found}, {right}"
            );
        }
        // Orders on the left: −1/4, and of the tilted mass less the tilt: −3/4.
        let before = |end: f64| (moment(-0.25) + 0.75 * end).exp();
        for (first, length, left) in [(-3, 9, 0.0), (-2, 8, before(-1.0)), (0, 6, before(0.0))] {
            let found = of(Side::Lower, first, length);
            assert!((found - left).abs() < 1e-12, "{first}: {found}, {left}");
        }
        let right = (moment(2.0) - 1.5 * 0.5).exp();
        let found = of(Side::Lower, -3, 4);
        assert!((found - right).abs() < 1e-12, "{found}, {right}");
    }
}
