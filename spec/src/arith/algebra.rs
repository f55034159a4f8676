//! Deciding identities and inequalities between polynomials, with a failing point when they do not
//! hold.

use super::poly::{Point, Poly};
use crate::claim::{Grounds, Verdict};
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

/// What follows from the failure of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Role {
    /// The failing point is a counterexample of the claim.
    Exact,
    /// Only this way to prove the claim is closed.
    Sufficient,
}

/// A proof in several algebraic steps, each of which must hold.
#[derive(Default)]
pub struct Steps {
    steps: Vec<(&'static str, Role, Settled)>,
    positive: Vec<&'static str>,
    repaired: Option<&'static str>,
    remarks: Vec<String>,
}

impl Steps {
    /// No step yet, and all variables range over the reals.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// In the steps that follow, these variables too range over the positive reals.
    #[must_use]
    pub fn positive(mut self, variables: &[&'static str]) -> Self {
        self.positive.extend(variables);
        self
    }

    /// Names the claim that states what does hold, for the case that this one is refuted.
    #[must_use]
    pub fn repaired(mut self, id: impl Into<Option<&'static str>>) -> Self {
        self.repaired = id.into();
        self
    }

    /// A sentence on how the statement follows from the steps; none if they are the statement.
    #[must_use]
    pub fn note(mut self, reduction: &str) -> Self {
        self.remarks.push(reduction.to_owned());
        self
    }

    /// Adds an equality of two formulas whose failing points are counterexamples of the claim.
    #[must_use]
    pub fn equal(self, label: &'static str, left: impl Into<Poly>, right: impl Into<Poly>) -> Self {
        let settled = zero(&(right.into() - left.into()), &self.positive);
        self.with(label, Role::Exact, settled)
    }

    /// Adds an inequality left ≤ right whose failing points are counterexamples of the claim.
    #[must_use]
    pub fn at_most(
        self,
        label: &'static str,
        left: impl Into<Poly>,
        right: impl Into<Poly>,
    ) -> Self {
        let settled = nonnegative(&(right.into() - left.into()), &self.positive);
        self.with(label, Role::Exact, settled)
    }

    /// Adds an inequality left ≤ right that the proof uses, but whose failure leaves the claim open.
    #[must_use]
    pub fn suffices(
        self,
        label: &'static str,
        left: impl Into<Poly>,
        right: impl Into<Poly>,
    ) -> Self {
        let settled = nonnegative(&(right.into() - left.into()), &self.positive);
        self.with(label, Role::Sufficient, settled)
    }

    fn with(mut self, label: &'static str, role: Role, settled: Settled) -> Self {
        self.steps.push((label, role, settled));
        self
    }

    /// Proved on `domain` if every step holds; otherwise the first step that does not hold decides:
    /// Refuted at its failing point if that is a counterexample of the claim, else Open.
    #[must_use]
    pub fn proved_on(self, domain: &str) -> Verdict {
        for (label, role, settled) in &self.steps {
            match (role, settled) {
                (_, Settled::Holds(_)) => {}
                (Role::Exact, Settled::Fails(point, value)) => {
                    let at = show(point);
                    return Verdict::refuted(
                        format!("{label}: right side minus left side is {value} at {at}"),
                        "exact rational evaluation of both sides",
                        self.repaired,
                    );
                }
                (Role::Sufficient, Settled::Fails(point, _)) => {
                    return Verdict::open(format!(
                        "the step `{label}` fails at {}, which closes this proof only",
                        show(point)
                    ));
                }
                (_, Settled::Undecided) => {
                    return Verdict::open(format!(
                        "{label}: neither a term-by-term certificate nor a failing point found"
                    ));
                }
            }
        }
        let mut labels: Vec<_> = self.steps.iter().map(|(label, ..)| *label).collect();
        labels.dedup();
        Verdict::Proved(Grounds {
            domain: domain.to_owned(),
            slack: None,
            evidence: format!("exact polynomial algebra: {}", labels.join("; ")),
            remarks: self.remarks,
        })
    }
}

/// A point in words.
pub(crate) fn show(point: &Point) -> String {
    if point.is_empty() {
        return "every point".to_owned();
    }
    let pairs: Vec<_> = point.iter().map(|(k, v)| format!("{k} = {v}")).collect();
    pairs.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_exact_step_refutes_and_a_failing_sufficient_step_leaves_open() {
        let (x, one) = (Poly::var("x"), Poly::from(1));
        let square = x.square() + &one - Poly::from(2) * &x;
        let holds = Steps::new().at_most("order", &one, &one + x.square());
        assert_eq!(holds.proved_on("").name(), "proved");
        let fails = Steps::new().at_most("order", &x, &one);
        assert_eq!(fails.proved_on("").name(), "refuted");
        let closed = Steps::new().suffices("order", &x, &one);
        assert_eq!(closed.proved_on("").name(), "open");
        // (x − 1)² ≥ 0 holds, but no term-by-term certificate shows it.
        let blind = Steps::new().at_most("square", 0, &square);
        assert_eq!(blind.proved_on("").name(), "open");
        let unequal = Steps::new().equal("values", &x, x.square());
        assert_eq!(unequal.proved_on("").name(), "refuted");
        // The sides' sum is non-negative, or 0, and says nothing.
        let (above, positive) = (&x + &one, || Steps::new().positive(&["x"]));
        let larger = positive().at_most("order", &above, &x);
        assert_eq!(larger.proved_on("").name(), "refuted");
        let larger = positive().suffices("order", &above, &x);
        assert_eq!(larger.proved_on("").name(), "open");
        let opposite = positive().equal("values", &x, -&x);
        assert_eq!(opposite.proved_on("").name(), "refuted");
        // A sentence takes no step away, and is kept.
        let noted = |steps: Steps| steps.note("by hand").proved_on("");
        let fails = Steps::new().at_most("order", &x, &one);
        assert_eq!(noted(fails).name(), "refuted");
        let Verdict::Proved(proof) = noted(Steps::new().equal("values", &x, &x)) else {
            panic!("an identity");
        };
        assert_eq!(proof.remarks, ["by hand"]);
    }

    #[test]
    fn the_first_step_that_does_not_hold_decides() {
        let (x, one) = (Poly::var("x"), Poly::from(1));
        let holds = || Steps::new().equal("same", &x, &x);
        let name = |steps: Steps| steps.proved_on("").name();
        assert_eq!(name(holds()), "proved");
        assert_eq!(
            name(holds().at_most("order", &x, &one).suffices("no", &x, &one)),
            "refuted"
        );
        assert_eq!(
            name(holds().suffices("no", &x, &one).at_most("order", &x, &one)),
            "open"
        );
        assert_eq!(
            name(holds().at_most("order", &x, &one).equal("same", &x, &x)),
            "refuted"
        );
        let Verdict::Refuted(refuted) = Steps::new()
            .positive(&["x"])
            .equal("half", &x, &one)
            .repaired("gcd-repair")
            .proved_on("")
        else {
            panic!("x is not 1 everywhere");
        };
        assert_eq!(
            refuted.counterexample,
            "half: right side minus left side is -1 at x = 2"
        );
        assert_eq!(refuted.repaired.as_deref(), Some("gcd-repair"));
    }

    #[test]
    fn positive_variables_stay_positive_and_the_others_do_not() {
        let (x, y) = (Poly::var("x"), Poly::var("y"));
        assert_eq!(nonnegative(&x, &["x"]), Settled::Holds(1));
        assert!(
            matches!(nonnegative(&x, &[]), Settled::Fails(at, value) if value < 0 && at["x"] < 0)
        );
        assert!(
            matches!(nonnegative(&(&x - &y), &["x", "y"]), Settled::Fails(at, _) if at["x"] < at["y"] && at["x"] > 0)
        );
        // x² y⁻² is a square, x y⁻² is not, and −x² never is.
        let inverse = Poly::power("y", -2);
        assert_eq!(
            nonnegative(&(x.square() * &inverse), &[]),
            Settled::Holds(1)
        );
        assert!(matches!(
            nonnegative(&(&x * &inverse), &[]),
            Settled::Fails(..)
        ));
        assert!(matches!(
            nonnegative(&-x.square(), &["x"]),
            Settled::Fails(..)
        ));
        assert_eq!(zero(&(&x - &x), &[]), Settled::Holds(0));
        assert!(matches!(zero(&x, &[]), Settled::Fails(_, value) if value != 0));
        // (x − 1)(x − 2)(x − 1/2)(x − 5)(x − 1/10)(x − 20)(x + 1)(x + 3) x vanishes at all points tried.
        let roots = [
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
        let factor = |(p, q): (i32, u32)| &x - &Poly::constant(Rational::from((p, q)));
        let product = roots
            .into_iter()
            .map(factor)
            .fold(Poly::from(1), |p, f| p * f);
        assert_eq!(zero(&product, &[]), Settled::Undecided);
    }
}
