//! Steps of an argument that compare two polynomials.

use crate::arith::algebra::{Settled, nonnegative, show, zero};
use crate::arith::{Poly, Rational};
use crate::prove::Argument;

/// Polynomial steps for an [`Argument`]. A step that *states* is a part of the claim, and a point
/// where it fails is a counterexample; a step that is *needed* belongs to the proof only. The
/// argument's positive variables range over the positive reals (by continuity also over zero), all
/// others over the reals.
pub(super) trait Algebra: Sized {
    /// The claim says left = right.
    fn states_equal(self, what: &str, left: impl Into<Poly>, right: impl Into<Poly>) -> Self;
    /// The claim says left ≤ right.
    fn states_at_most(self, what: &str, left: impl Into<Poly>, right: impl Into<Poly>) -> Self;
    /// The proof needs left = right.
    fn needs_equal(self, what: &str, left: impl Into<Poly>, right: impl Into<Poly>) -> Self;
    /// The proof needs left ≤ right.
    fn needs_at_most(self, what: &str, left: impl Into<Poly>, right: impl Into<Poly>) -> Self;
}

impl Algebra for Argument<'_> {
    fn states_equal(self, what: &str, left: impl Into<Poly>, right: impl Into<Poly>) -> Self {
        let settled = zero(&(left.into() - right.into()), &self.positive);
        stated(self, what, settled)
    }

    fn states_at_most(self, what: &str, left: impl Into<Poly>, right: impl Into<Poly>) -> Self {
        let settled = nonnegative(&(right.into() - left.into()), &self.positive);
        stated(self, what, settled)
    }

    fn needs_equal(self, what: &str, left: impl Into<Poly>, right: impl Into<Poly>) -> Self {
        let holds = left.into() == right.into();
        self.needs_that(&format!("{what} (identity of polynomials)"), holds)
    }

    fn needs_at_most(self, what: &str, left: impl Into<Poly>, right: impl Into<Poly>) -> Self {
        let settled = nonnegative(&(right.into() - left.into()), &self.positive);
        let holds = matches!(settled, Settled::Holds(_));
        self.needs_that(&format!("{what} (all terms non-negative)"), holds)
    }
}

fn stated<'a>(argument: Argument<'a>, what: &str, settled: Settled) -> Argument<'a> {
    match settled {
        Settled::Holds(terms) => argument.found(&format!("{what} ({terms} terms, exact)")),
        Settled::Fails(point, value) => argument.states_that(what, false, || {
            format!("at {} the difference of the sides is {value}", show(&point))
        }),
        Settled::Undecided => argument.needs_that(what, false),
    }
}

/// The variable `name`.
pub(super) fn v(name: &'static str) -> Poly {
    Poly::var(name)
}

/// 1/`name`.
pub(super) fn inv(name: &'static str) -> Poly {
    Poly::power(name, -1)
}

/// The integer k.
pub(super) fn k(k: i32) -> Poly {
    Poly::from(k)
}

/// The rational a/b, b > 0.
pub(super) fn frac(a: i32, b: u32) -> Rational {
    Rational::from((a, b))
}
