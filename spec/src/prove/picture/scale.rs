//! Where a value stands along the range of its variable.

use crate::arith::Rational;
use crate::prove::problem::{Map, Range, Var};

/// A range whose ends differ by more than this factor is drawn on a logarithmic scale.
const DECADES: f64 = 1e3;

/// The range of a variable.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The variable's name in the statement.
    pub name: &'static str,
    /// Whether only integers count.
    pub integer: bool,
    /// Whether the lower and the upper end are excluded.
    pub open: [bool; 2],
    /// Positions with the variable's value there, ascending; the first and the last are the ends, which may be ∞.
    pub ticks: Vec<(f64, f64)>,
}

pub(super) fn axis(var: &Var) -> Axis {
    let turned = matches!(var.map, Map::Reciprocal(_));
    let tick = |at: f64| match at {
        at if at >= 1.0 && var.hi.is_none() => (1.0, f64::INFINITY),
        _ => {
            let u = place(var, at);
            (position(var, u), shown(var, u))
        }
    };
    Axis {
        name: var.name,
        integer: var.integer,
        open: match turned {
            true => [var.hi_open, var.lo_open],
            false => [var.lo_open, var.hi_open],
        },
        ticks: [0.0, 0.5, 1.0].map(tick).to_vec(),
    }
}

pub(super) fn drawn(var: &Var, (lo, hi): &Range) -> [f64; 2] {
    let room = 0.5 * f64::from(var.integer && var.map == Map::Identity);
    let low = position(var, lo.to_f64() - room);
    let high = hi
        .as_ref()
        .map_or(1.0, |hi| position(var, hi.to_f64() + room));
    [low.min(high), low.max(high)]
}

/// The variable's value at a coordinate.
pub(super) fn shown(var: &Var, u: f64) -> f64 {
    match &var.map {
        Map::Identity => u,
        Map::Reciprocal(scale) => scale.to_f64() / u,
        Map::Odds => u / (1.0 - u),
        Map::Log => u.exp(),
    }
}

/// The ends of the coordinate as they are drawn: integers are as wide as their distance.
fn ends(var: &Var) -> (f64, Option<f64>) {
    let room = 0.5 * f64::from(var.integer && var.map == Map::Identity);
    let hi = var.hi.as_ref().map(|hi| hi.to_f64() + room);
    (var.lo.to_f64() - room, hi)
}

/// The position of a coordinate; increases with the variable.
pub(super) fn position(var: &Var, u: f64) -> f64 {
    let at = match (&var.map, ends(var)) {
        (Map::Reciprocal(_), _) => 1.0 - u,
        (Map::Odds, _) => u,
        (_, (lo, None)) => (u - lo) / (lo.abs().max(1.0) + (u - lo)),
        (_, (lo, Some(hi))) if lo >= hi => 0.5,
        (Map::Identity, (lo, Some(hi))) if lo > 0.0 && hi > DECADES * lo => {
            (u / lo).ln() / (hi / lo).ln()
        }
        (_, (lo, Some(hi))) => (u - lo) / (hi - lo),
    };
    at.clamp(0.0, 1.0)
}

/// The coordinate at a position, an admissible integer if the coordinate is one.
pub(super) fn place(var: &Var, at: f64) -> f64 {
    let u = match (&var.map, ends(var)) {
        (Map::Reciprocal(_), _) => 1.0 - at,
        (Map::Odds, _) => at,
        (_, (lo, None)) => lo + lo.abs().max(1.0) * at / (1.0 - at),
        (Map::Identity, (lo, Some(hi))) if lo > 0.0 && hi > DECADES * lo => lo * (hi / lo).powf(at),
        (_, (lo, Some(hi))) => lo + at * (hi - lo),
    };
    match var.integer && var.map == Map::Identity {
        true => {
            let hi = var.hi.as_ref().map_or(f64::INFINITY, Rational::to_f64);
            u.round().clamp(var.lo.to_f64(), hi)
        }
        false => u,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::ratio;
    use crate::prove::*;

    #[test]
    fn positions_increase_with_the_variable_and_are_undone() {
        let mut domain = Domain::new();
        domain.real("a", closed(-2), infinite());
        domain.real("b", open(ratio(1, 1000)), closed(1000));
        domain.real("c", closed(-1), closed(1));
        domain.positive("d");
        domain.at_least("e", 3);
        domain.log_scale("f", closed(-5), closed(5));
        for var in &domain.vars {
            let mut last = f64::NEG_INFINITY;
            for at in [0.1, 0.3, 0.5, 0.9] {
                let u = place(var, at);
                // A handful of operations, each with a relative error of 2⁻⁵³, on numbers up to 10³.
                assert!((position(var, u) - at).abs() < 1e-12, "{}: {at}", var.name);
                assert!(shown(var, u) > last, "{}", var.name);
                last = shown(var, u);
            }
        }
    }

    fn var(make: impl Fn(&mut Domain) -> Expr) -> Var {
        let mut domain = Domain::new();
        make(&mut domain);
        domain.vars.remove(0)
    }

    /// Of each kind of range: where a coordinate stands, and what is shown at both ends and in the middle.
    #[test]
    fn a_scale_is_as_it_is_drawn() {
        let linear = var(|d| d.real("x", closed(-1), open(3)));
        assert_eq!(
            [-1.0, 0.0, 3.0, 9.0].map(|u| position(&linear, u)),
            [0.0, 0.25, 1.0, 1.0]
        );
        let decades = var(|d| d.real("x", closed(ratio(1, 100)), closed(100)));
        assert!((position(&decades, 1.0) - 0.5).abs() < 1e-15);
        let few = var(|d| d.real("x", closed(1), closed(1000)));
        assert_eq!(position(&few, 500.5), 0.5);
        let endless = var(|d| d.real("x", closed(-4), infinite()));
        assert_eq!(
            [-4.0, 0.0, 8.0].map(|u| position(&endless, u)),
            [0.0, 0.5, 0.75]
        );
        let near = var(|d| d.real("x", closed(0), infinite()));
        assert_eq!(
            [0.0, 1.0, 3.0].map(|u| position(&near, u)),
            [0.0, 0.5, 0.75]
        );
        let point = var(|d| d.real("x", closed(2), closed(2)));
        assert_eq!(position(&point, 2.0), 0.5);
        let whole = var(|d| d.integer("n", 1, 4));
        assert_eq!(
            [1.0, 2.5, 4.0].map(|u| position(&whole, u)),
            [0.125, 0.5, 0.875]
        );
        assert_eq!(
            [0.0, 0.3, 0.5, 1.0].map(|at| place(&whole, at)),
            [1.0, 2.0, 3.0, 4.0]
        );
        let ticks = |var: &Var| axis(var).ticks;
        assert_eq!(ticks(&linear), [(0.0, -1.0), (0.5, 1.0), (1.0, 3.0)]);
        assert_eq!(ticks(&near), [(0.0, 0.0), (0.5, 1.0), (1.0, f64::INFINITY)]);
        let large = var(|d| d.at_least("T", 6));
        assert_eq!(
            ticks(&large),
            [(0.0, 6.0), (0.5, 12.0), (1.0, f64::INFINITY)]
        );
        let odds = var(|d| d.positive("x"));
        assert_eq!(ticks(&odds)[..2], [(0.0, 0.0), (0.5, 1.0)]);
        let log = var(|d| d.log_scale("s", closed(-2), closed(2)));
        assert_eq!(ticks(&log)[1], (0.5, 1.0));
        assert_eq!(
            [axis(&linear).open, axis(&decades).open],
            [[false, true], [false; 2]]
        );
        assert_eq!(axis(&large).open, [large.hi_open, large.lo_open]);
        assert!(axis(&whole).integer && !axis(&linear).integer);
    }

    /// A box of integers is as wide as they are many, and one without an end reaches the margin.
    #[test]
    fn a_box_is_drawn_over_its_range() {
        let whole = var(|d| d.integer("n", 1, 4));
        let range = |lo: i64, hi: Option<i64>| (ratio(lo, 1), hi.map(|hi| ratio(hi, 1)));
        assert_eq!(drawn(&whole, &range(1, Some(2))), [0.0, 0.5]);
        assert_eq!(drawn(&whole, &range(3, Some(3))), [0.5, 0.75]);
        let linear = var(|d| d.real("x", closed(0), closed(4)));
        assert_eq!(drawn(&linear, &range(1, Some(3))), [0.25, 0.75]);
        let endless = var(|d| d.real("x", closed(0), infinite()));
        assert_eq!(drawn(&endless, &range(1, None)), [0.5, 1.0]);
        let turned = var(|d| d.at_least("T", 2));
        assert_eq!(
            drawn(&turned, &(ratio(1, 4), Some(ratio(1, 2)))),
            [0.5, 0.75]
        );
    }
}
