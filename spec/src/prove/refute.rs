//! Counterexamples: found by random and local search, believed only after a certified re-check.

use super::enclose::{Enclose, Fast};
use super::problem::{Forall, Map, SignCondition, Var};
use super::replay::{is_total, value};
use super::wengert::Wengert;
use crate::arith::{Interval, PRECISION, Rational};

/// A point of the domain, satisfying the hypotheses, at which the inequality fails.
#[derive(Clone, Debug)]
pub struct FailingPoint {
    /// The coordinates.
    pub point: Vec<Rational>,
    /// The point and both sides, in words.
    pub text: String,
    /// How it was re-checked.
    pub evidence: String,
    /// The left side over the right side, rounded down, where both are positive.
    pub factor: Option<f64>,
}

/// Re-checks a candidate: domain and integrality exactly, hypotheses and inequality exactly if all
/// operations are rational, else by intervals of up to 2048 bits.
#[must_use]
pub fn violation(forall: &Forall, point: &[Rational]) -> Option<FailingPoint> {
    let inside = |(u, var): (&Rational, &Var)| var.admits(u);
    if point.len() != forall.vars().len() || !point.iter().zip(forall.vars()).all(inside) {
        return None;
    }
    if !forall.hypotheses.iter().all(|h| holds(h, point)) {
        return None;
    }
    // lhs > rhs, or lhs ≥ rhs where the statement says <.
    let opposite = SignCondition {
        expr: &forall.lhs - &forall.rhs,
        strict: !forall.strict,
    };
    if !holds(&opposite, point) {
        return None;
    }
    let exact = (forall.lhs.exact(point), forall.rhs.exact(point));
    let factor = factor(forall, point);
    let (lhs, rhs, evidence) = if let (Some(l), Some(r)) = exact {
        let show = super::problem::readable;
        (show(&l), show(&r), "exact rational arithmetic".to_owned())
    } else {
        let at = enclose(point, PRECISION);
        let show = |e| {
            let v = value(e, &at);
            format!("[{:.12e}, {:.12e}]", v.lo_f64(), v.hi_f64())
        };
        let evidence = "outward-rounded intervals at a point".to_owned();
        (show(&forall.lhs), show(&forall.rhs), evidence)
    };
    let at: Vec<_> = (point.iter().zip(forall.vars()))
        .map(|(u, var)| var.describe(u))
        .collect();
    let relation = if forall.strict { "<" } else { "≤" };
    let text = format!("{}: {lhs} {relation} {rhs} fails", at.join(", "));
    Some(FailingPoint {
        point: point.to_vec(),
        text,
        evidence,
        factor,
    })
}

fn factor(forall: &Forall, point: &[Rational]) -> Option<f64> {
    let at = enclose(point, PRECISION);
    let (lhs, rhs) = (value(&forall.lhs, &at), value(&forall.rhs, &at));
    let positive = *lhs.lo() > 0 && *rhs.lo() > 0 && lhs.is_finite() && rhs.is_finite();
    positive.then(|| (&lhs / &rhs).lo_f64())
}

fn enclose(point: &[Rational], precision: u32) -> Vec<Interval> {
    let at = |u| Interval::rational_at(u, precision);
    point.iter().map(at).collect()
}

/// Whether a sign condition certainly holds at a point.
fn holds(sign: &SignCondition, point: &[Rational]) -> bool {
    if let Some(x) = sign.expr.exact(point) {
        return x > 0 || (x == 0 && !sign.strict);
    }
    for precision in [PRECISION, 512, 2048] {
        let at = enclose(point, precision);
        let found = value(&sign.expr, &at);
        let positive = *found.lo() > 0 || (*found.lo() == 0 && !sign.strict);
        // 0 · (1/0) is enclosed by 0, which is no value.
        if positive && is_total(&sign.expr, &at) {
            return true;
        }
        if *found.hi() < 0 {
            return false;
        }
    }
    false
}

/// SplitMix64: exploration needs nothing better, and has to be the same everywhere.
struct Dice(u64);

impl Dice {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / 9_007_199_254_740_992.0
    }
}

/// Looks for a counterexample from `starts` random starting points (many of them near the ends of
/// ranges), each improved by a pattern search. Deterministic.
#[must_use]
pub fn refute(forall: &Forall, starts: usize) -> Option<FailingPoint> {
    let vars = forall.vars().len();
    let hunt = Hunt {
        forall,
        sides: [&forall.lhs, &forall.rhs].map(|e| Wengert::new(e, vars)),
        hypotheses: (forall.hypotheses.iter())
            .map(|h| Wengert::new(&h.expr, vars))
            .collect(),
    };
    let mut dice = Dice(0x6470_2d61_7373_6179);
    (0..starts).find_map(|_| hunt.from(&mut dice))
}

struct Hunt<'a> {
    forall: &'a Forall,
    sides: [Wengert<Fast>; 2],
    hypotheses: Vec<Wengert<Fast>>,
}

impl Hunt<'_> {
    fn from(&self, dice: &mut Dice) -> Option<FailingPoint> {
        let vars = self.forall.vars();
        // Positions along the ranges, from 0 to 1.
        let mut x: Vec<f64> = vars.iter().map(|_| start(dice)).collect();
        let mut best = self.margin(&x);
        let mut reach = vec![0.25; vars.len()];
        for _ in 0..60 {
            if (best < 0.0 || (best == 0.0 && self.forall.strict))
                && let Some(found) = self.confirm(&x)
            {
                return Some(found);
            }
            let mut moved = false;
            for i in 0..x.len() {
                for step in [reach[i], -reach[i]] {
                    let mut y = x.clone();
                    y[i] = (y[i] + step).clamp(0.0, 1.0);
                    let m = self.margin(&y);
                    if m < best {
                        (x, best, moved) = (y, m, true);
                    }
                }
            }
            if !moved {
                reach.iter_mut().for_each(|r| *r /= 3.0);
            }
        }
        None
    }

    /// rhs − lhs relative to the sides' size; a point off the hypotheses gets a large value that
    /// falls towards them.
    fn margin(&self, x: &[f64]) -> f64 {
        let at: Vec<Fast> = (x.iter().zip(self.forall.vars()))
            .map(|(&at, var)| Fast::constant(&snap(var, coordinate(var, at))))
            .collect();
        let middle = |tape: &Wengert<Fast>| {
            let (lo, hi) = tape.value(&at).ends();
            lo / 2.0 + hi / 2.0
        };
        let off: f64 = (self.hypotheses.iter())
            .map(|tape| (-middle(tape)).max(0.0))
            .sum();
        let [l, r] = self.sides.each_ref().map(middle);
        let margin = (r - l) / (l.abs() + r.abs()).max(1e-300);
        match (off > 0.0, margin.is_nan()) {
            (_, true) => f64::INFINITY,
            (true, _) => 10.0 + off,
            (false, _) => margin,
        }
    }

    /// Re-checks, after trying to say the same with shorter numbers.
    fn confirm(&self, x: &[f64]) -> Option<FailingPoint> {
        let snapped = |digits: Option<i32>| -> Vec<Rational> {
            (x.iter().zip(self.forall.vars()))
                .map(|(&at, var)| match (digits, coordinate(var, at)) {
                    (Some(d), u) => snap(var, rounded(u, d)),
                    (None, u) => snap(var, u),
                })
                .collect()
        };
        let attempts = (1..7).map(Some).chain([None]);
        attempts
            .map(snapped)
            .find_map(|point| violation(self.forall, &point))
    }
}

/// `u` with so many significant binary digits (four per decimal digit asked for).
pub(super) fn rounded(u: f64, digits: i32) -> f64 {
    if u == 0.0 {
        return u;
    }
    let unit = (u.abs().log2().floor() as i32 - 4 * digits + 1) as f64;
    (u / unit.exp2()).round() * unit.exp2()
}

/// A position along a range: half of the time close to one of its ends.
fn start(dice: &mut Dice) -> f64 {
    let near = (-40.0 * dice.uniform() * dice.uniform()).exp2();
    match (dice.uniform() * 4.0) as u32 {
        0 => near,
        1 => 1.0 - near,
        _ => dice.uniform(),
    }
}

/// The coordinate at a position; an unbounded range is run through by lo + at / (1 − at).
fn coordinate(var: &Var, at: f64) -> f64 {
    let lo = var.lo.to_f64();
    match &var.hi {
        Some(hi) => lo + at * (hi.to_f64() - lo),
        None => lo + at / (1.0 - at).max(1e-12),
    }
}

/// The nearest admissible coordinate, as a rational; open ends are stepped away from.
pub(super) fn snap(var: &Var, u: f64) -> Rational {
    let exact = Rational::from_f64(u).unwrap_or_else(|| var.lo.clone());
    let u = match (&var.map, var.integer) {
        (Map::Identity, true) => exact.round(),
        (Map::Reciprocal(scale), true) if exact > 0 => {
            let k = (scale / exact).round();
            scale / k.max(scale.clone())
        }
        _ => exact,
    };
    let nudge = |is_open: bool| {
        let all = var
            .hi
            .as_ref()
            .map_or(Rational::from(1), |hi| Rational::from(hi - &var.lo));
        if is_open { all >> 60 } else { Rational::new() }
    };
    match &var.hi {
        _ if u < var.lo || (u == var.lo && var.lo_open) => nudge(var.lo_open) + &var.lo,
        Some(hi) if u > *hi || (u == *hi && var.hi_open) => hi - nudge(var.hi_open),
        _ => u,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::ratio;
    use crate::prove::{Domain, Expr, closed, infinite, open};

    fn var(make: impl Fn(&mut Domain) -> Expr) -> Var {
        let mut domain = Domain::new();
        make(&mut domain);
        domain.vars.remove(0)
    }

    /// What is tried is in the domain, and what is there already stays.
    #[test]
    fn candidates_are_moved_into_the_domain() {
        let real = var(|d| d.real("x", closed(1), open(5)));
        for (u, at) in [(0.5, ratio(1, 1)), (1.0, ratio(1, 1)), (2.25, ratio(9, 4))] {
            assert_eq!(snap(&real, u), at);
        }
        let below: Rational = 5 - (ratio(4, 1) >> 60);
        assert_eq!([snap(&real, 5.0), snap(&real, 7.0)], [below.clone(), below]);
        let above = var(|d| d.real("x", open(-3), infinite()));
        assert_eq!(snap(&above, -3.0), (ratio(1, 1) >> 60) - 3);
        assert_eq!(snap(&above, 1e9), ratio(1_000_000_000, 1));
        assert_eq!(snap(&above, f64::NAN), (ratio(1, 1) >> 60) - 3);
        let whole = var(|d| d.integer("n", 1, 9));
        assert_eq!(
            [2.4, 2.6, 0.1, 12.0].map(|u| snap(&whole, u)),
            [2, 3, 1, 9].map(|n| ratio(n, 1))
        );
        let turned = var(|d| d.integer_at_least("T", 3));
        for (u, at) in [
            (0.31, ratio(3, 10)),
            (1.0, ratio(1, 1)),
            (0.9, ratio(1, 1)),
            (0.7, ratio(3, 4)),
        ] {
            let found = snap(&turned, u);
            assert!(found == at && turned.admits(&found), "{u}: {found}");
        }
    }

    #[test]
    fn positions_run_from_one_end_to_the_other() {
        let real = var(|d| d.real("x", closed(-1), closed(3)));
        assert_eq!(
            [0.0, 0.25, 1.0].map(|at| coordinate(&real, at)),
            [-1.0, 0.0, 3.0]
        );
        let endless = var(|d| d.real("x", closed(2), infinite()));
        assert_eq!(
            [0.0, 0.5, 0.75].map(|at| coordinate(&endless, at)),
            [2.0, 3.0, 5.0]
        );
        assert_eq!(coordinate(&endless, 1.0), 2.0 + 1e12);
        let mut dice = Dice(5);
        let all: Vec<f64> = (0..4000).map(|_| start(&mut dice)).collect();
        assert!(all.iter().all(|at| (0.0..=1.0).contains(at)));
        // A fourth is near each end: closer than 2⁻⁸ with probability 0.48, so 480 of 4,000 and 8 by the uniform ones, with a
        // deviation of 21; six of those on either side are missed with a probability below 10⁻⁸.
        for near in [0.0, 1.0] {
            let close = all
                .iter()
                .filter(|at| (*at - near).abs() < 2f64.powi(-8))
                .count();
            assert!((360..620).contains(&close), "{near}: {close}");
        }
    }

    #[test]
    fn numbers_are_shortened_to_so_many_bits() {
        for (u, digits, at) in [
            (0.0, 1, 0.0),
            (std::f64::consts::PI, 1, 3.25),
            (std::f64::consts::PI, 2, 3.140_625),
            (-1.0 / 3.0, 1, -0.343_75),
            (1000.0, 1, 1024.0),
            (1000.0, 3, 1000.0),
        ] {
            assert_eq!(rounded(u, digits), at, "{u}, {digits}");
        }
    }

    /// Sign conditions at their edge: exactly, by intervals, and where only more digits tell.
    #[test]
    #[allow(clippy::erasing_op, reason = "what a product with 0 hides is tested")]
    fn a_condition_at_its_edge_holds_unless_it_is_strict() {
        let two = [ratio(2, 1)];
        let told = |expr: Expr, strict| holds(&SignCondition { expr, strict }, &two);
        let [x]: [Expr; 1] = crate::prove::symbols();
        let root = x.sqrt();
        let tiny = Expr::from(ratio(1, 1) >> 300);
        for (expr, loose, strict) in [
            (Expr::from(1), true, true),
            (Expr::from(0), true, false),
            (Expr::from(-1), false, false),
            (&root - 1, true, true),
            (&root - 2, false, false),
            (0 * &root, true, false),
            // 0 or not: no precision tells.
            (root.square() - 2, false, false),
            // 512 bits tell.
            (root.square() - 2 + &tiny, true, true),
            (root.square() - 2 - &tiny, false, false),
            // Defined nowhere.
            (1 / (0 * &root), false, false),
            (0 * (1 / (0 * &root)), false, false),
        ] {
            let found = [told(expr.clone(), false), told(expr.clone(), true)];
            assert_eq!(found, [loose, strict], "{expr}");
        }
        let equal = |strict: bool| {
            let domain = Domain::new();
            match strict {
                true => Forall::lt(domain, 4, 4),
                false => Forall::le(domain, 4, 4),
            }
        };
        assert!(violation(&equal(false), &[]).is_none());
        assert!(violation(&equal(true), &[]).is_some());
    }

    /// The first outputs of SplitMix64 from the state 1234567, as its authors print them.
    #[test]
    fn dice_are_splitmix() {
        let mut dice = Dice(1_234_567);
        for wanted in [
            6_457_827_717_110_365_317_u64,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ] {
            let share = (wanted >> 11) as f64 / 2f64.powi(53);
            assert_eq!(dice.uniform(), share);
        }
    }

    /// A side that may be 0 or less is no factor of the other.
    #[test]
    fn a_factor_is_of_two_positive_sides() {
        let at = |lhs: i32, rhs: i32| factor(&Forall::le(Domain::new(), lhs, rhs), &[]);
        assert_eq!(at(3, 2), Some(1.5));
        for (lhs, rhs) in [(0, 2), (2, 0), (-1, 2), (2, -1), (-3, -2), (0, 0)] {
            assert_eq!(at(lhs, rhs), None, "{lhs}, {rhs}");
        }
    }

    /// The margin is (rhs − lhs)/(|lhs| + |rhs|), and above 10 where a hypothesis fails.
    #[test]
    fn a_hunt_goes_where_less_is_left() {
        let (domain, x) = Domain::of("x", closed(0), closed(4));
        let forall = Forall::le(domain, x.clone(), 3).when_le(x.clone(), 2 * &x - 1);
        let hunt = Hunt {
            forall: &forall,
            sides: [&forall.lhs, &forall.rhs].map(|e| Wengert::new(e, 1)),
            hypotheses: forall
                .hypotheses
                .iter()
                .map(|h| Wengert::new(&h.expr, 1))
                .collect(),
        };
        let margin = |at: f64| hunt.margin(&[at / 4.0]);
        assert_eq!(
            [margin(1.0), margin(3.0), margin(4.0)],
            [0.5, 0.0, -1.0 / 7.0]
        );
        assert_eq!([margin(0.5), margin(0.0)], [10.5, 11.0]);
        assert_eq!(
            hunt.confirm(&[0.99]).map(|found| found.point),
            Some(vec![ratio(4, 1)])
        );
        assert!(hunt.confirm(&[0.5]).is_none());
    }
}
