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
}
