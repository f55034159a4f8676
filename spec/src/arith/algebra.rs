//! Deciding identities and inequalities between polynomials, with a failing point when they do not
//! hold.

use super::poly::{Point, Poly};
use crate::claim::Verdict;
use rug::Rational;

/// Values tried for each variable when a failing point is looked for.
const TRIALS: [(i64, u64); 9] = [
    (1, 1),
    (2, 1),
    (1, 2),
    (5, 1),
    (1, 10),
    (20, 1),
    (-1, 1),
    (-3, 1),
    (0, 1),
];
/// At most this many points are tried.
const MAX_POINTS: usize = 40_000;

/// What became of one step of an algebraic proof.
#[derive(Clone, Debug, PartialEq)]
pub enum Settled {
    /// It holds for all values of the variables; the number of terms of the certificate.
    Holds(usize),
    /// It fails: the point, and the value there of what should have been zero or non-negative.
    Fails(Point, Rational),
    /// Neither was found.
    Undecided,
}

/// Whether the polynomial vanishes identically. The variables in `positive` range over the
/// positive reals, all others over the reals.
#[must_use]
pub fn zero(difference: &Poly, positive: &[&'static str]) -> Settled {
    if difference.is_zero() {
        return Settled::Holds(0);
    }
    find(difference, positive, |value| *value != 0)
}

/// Whether the polynomial is non-negative, by a certificate that reads it term by term. The
/// variables in `positive` range over the positive reals, all others over the reals.
#[must_use]
pub fn nonnegative(poly: &Poly, positive: &[&'static str]) -> Settled {
    if poly.is_term_by_term_nonnegative(positive) {
        return Settled::Holds(poly.len());
    }
    find(poly, positive, |value| *value < 0)
}

fn find(poly: &Poly, positive: &[&'static str], fails: impl Fn(&Rational) -> bool) -> Settled {
    let names: Vec<_> = poly.variables().into_iter().collect();
    let choices = |name: &&'static str| if positive.contains(name) { 6 } else { 9 };
    let total = names
        .iter()
        .map(choices)
        .try_fold(1usize, usize::checked_mul)
        .unwrap_or(usize::MAX);
    for index in 0..total.min(MAX_POINTS) {
        let mut rest = index;
        let mut point = Point::new();
        for name in &names {
            let (numerator, denominator) = TRIALS[rest % choices(name)];
            rest /= choices(name);
            point.insert(*name, Rational::from((numerator, denominator)));
        }
        if let Some(value) = poly.eval(&point)
            && fails(&value)
        {
            return Settled::Fails(point, value);
        }
    }
    Settled::Undecided
}

/// A proof in several algebraic steps, each of which must hold.
#[derive(Default)]
pub struct Steps {
    steps: Vec<(&'static str, Settled)>,
}

impl Steps {
    /// No step yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the step that both sides are equal for all values of their variables.
    #[must_use]
    pub fn equal(
        self,
        label: &'static str,
        left: &Poly,
        right: &Poly,
        positive: &[&'static str],
    ) -> Self {
        self.with(label, zero(&(left - right), positive))
    }

    /// Adds the step that the left side is at most the right side.
    #[must_use]
    pub fn at_most(
        self,
        label: &'static str,
        left: &Poly,
        right: &Poly,
        positive: &[&'static str],
    ) -> Self {
        self.with(label, nonnegative(&(right - left), positive))
    }

    /// Adds a step that has been settled elsewhere.
    #[must_use]
    pub fn with(mut self, label: &'static str, settled: Settled) -> Self {
        self.steps.push((label, settled));
        self
    }

    /// Proved if every step holds, Refuted at the first step that fails, else Open. A failing
    /// point refutes the claim, so every step must be one whose failure is a failure of the claim.
    #[must_use]
    pub fn verdict(self, domain: &str, reduction: &str, repaired: Option<&'static str>) -> Verdict {
        for (label, settled) in &self.steps {
            match settled {
                Settled::Holds(_) => {}
                Settled::Fails(point, value) => {
                    let at: Vec<_> = point.iter().map(|(k, v)| format!("{k} = {v}")).collect();
                    let at = if at.is_empty() {
                        "any point".to_owned()
                    } else {
                        at.join(", ")
                    };
                    return Verdict::refuted(
                        format!("{label}: at {at} the right side minus the left side is {value}"),
                        "exact rational evaluation of both sides",
                        repaired,
                    );
                }
                Settled::Undecided => {
                    return Verdict::open(format!(
                        "{label}: neither a term-by-term certificate nor a failing point found"
                    ));
                }
            }
        }
        let labels: Vec<_> = self.steps.iter().map(|(label, _)| *label).collect();
        Verdict::proved(
            domain,
            format!(
                "exact polynomial algebra: {}. {reduction}",
                labels.join("; ")
            ),
        )
    }
}
