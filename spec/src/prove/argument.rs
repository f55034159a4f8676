//! Writing a check as a short chain of steps, each decided without sampling and without tolerance.

use super::exact::Slack;
use super::expr::{Expr, MOST_SYMBOLS};
use super::identity::identical;
use super::picture::Step;
use super::problem::Forall;
use super::quadratic::negative_direction;
use super::refute::{FailingPoint, refute, violation};
use super::replay::{replay, value};
use super::search::{BUDGET, Decision, search};
use super::stored::{WORTH_STORING, stored};
use crate::arith::{Interval, Rational};
use crate::claim::{Check, Effort, Grounds, Refutation, Verdict};

/// Decides one [`Forall`]: replays the stored certificate called `name` if the effort says so and
/// there is one; else looks for a counterexample, then for a proof (and stores what it took).
/// `name` is the claim's id, with `/part` behind it if the claim has several.
#[must_use]
pub fn decide(check: &Check, name: &str, forall: &Forall) -> Decision {
    noted(check, name, forall, false)
}

/// [`decide`], leaving with the check what was found.
fn noted(check: &Check, name: &str, forall: &Forall, stated: bool) -> Decision {
    let outcome = outcome(check, name, forall);
    if !check.is_mutated() {
        check.note(Step {
            name: name.to_owned(),
            stated,
            forall: forall.clone(),
            outcome: outcome.clone(),
        });
    }
    outcome
}

/// Leaves with the check an inequality that it has refuted at a point by other means, to be drawn around that point.
///
/// It says what is stated on a part of the domain that can be drawn, and decides nothing. Of a claim whose constants were
/// changed nothing is left.
///
/// # Panics
/// If the inequality holds at the point: a defect of the specification.
pub fn draw(check: &Check, name: &str, forall: &Forall, point: &[Rational]) {
    if check.is_mutated() {
        return;
    }
    let found = violation(forall, point);
    let found =
        found.unwrap_or_else(|| panic!("{name} is drawn around a point where it does not fail"));
    check.note(Step {
        name: name.to_owned(),
        stated: true,
        forall: forall.clone(),
        outcome: Decision::Refuted(found),
    });
}

fn outcome(check: &Check, name: &str, forall: &Forall) -> Decision {
    if check.effort() == Effort::Replay
        && !check.is_mutated()
        && let Some(read) = stored(name)
    {
        let replayed = read.and_then(|c| replay(forall, &c).map(|()| c));
        return match replayed {
            Ok(certificate) => Decision::Proved(certificate),
            Err(e) => Decision::Open {
                why: format!("the stored certificate {name} does not hold: {e}"),
            },
        };
    }
    if let Some(found) = refute(forall, 30) {
        return Decision::Refuted(found);
    }
    // A false mutant is refuted by a point; a proof of a weaker one is of no use.
    let budget = if check.is_mutated() { 2_000 } else { BUDGET };
    match search(forall, budget) {
        Decision::Proved(certificate) => {
            if !check.is_mutated() && certificate.leaves() >= WORTH_STORING {
                check.record(name, certificate.to_text());
            }
            Decision::Proved(certificate)
        }
        Decision::Open { why } => {
            refute(forall, 100).map_or(Decision::Open { why }, Decision::Refuted)
        }
        refuted @ Decision::Refuted(_) => refuted,
    }
}

/// A check in steps. A step that *states* is (a part of) the claim: its failure refutes the claim.
/// A step that is *needed* belongs to the proof only: its failure leaves the claim open.
pub struct Argument<'a> {
    check: &'a Check,
    pub(crate) positive: Vec<&'static str>,
    symbols: &'static [&'static str],
    evidence: Vec<String>,
    remarks: Vec<String>,
    repaired: Option<&'static str>,
    slack: Option<Slack>,
    end: Option<Verdict>,
}

impl<'a> Argument<'a> {
    /// An argument without steps.
    #[must_use]
    pub const fn new(check: &'a Check) -> Self {
        Self {
            check,
            positive: Vec::new(),
            symbols: &[],
            evidence: Vec::new(),
            remarks: Vec::new(),
            repaired: None,
            slack: None,
            end: None,
        }
    }

    /// In the comparisons of polynomials that follow, these variables too are positive.
    #[must_use]
    pub fn positive(mut self, variables: &[&'static str]) -> Self {
        self.positive.extend(variables);
        self
    }

    /// Names the free symbols of [`symbols()`](super::symbols), in their order: a point where a statement fails is told with
    /// these names.
    #[must_use]
    pub const fn naming(mut self, symbols: &'static [&'static str]) -> Self {
        self.symbols = symbols;
        self
    }

    /// Names the claim that states what does hold, for the case that this one is refuted.
    #[must_use]
    pub const fn repaired(mut self, id: &'static str) -> Self {
        self.repaired = Some(id);
        self
    }

    /// How much smaller the noise (or larger the printed side) could be, if that was measured.
    #[must_use]
    pub const fn slack(mut self, measured: Option<Slack>) -> Self {
        self.slack = measured;
        self
    }

    /// The statement says this inequality.
    #[must_use]
    pub fn states(self, name: &str, forall: &Forall) -> Self {
        self.inequality(name, forall, true)
    }

    /// [`states`](Self::states), tried first at a point that is to be told if it fails there.
    #[must_use]
    pub fn states_at(mut self, name: &str, forall: &Forall, point: &[Rational]) -> Self {
        match violation(forall, point) {
            Some(found) if self.end.is_none() => {
                draw(self.check, name, forall, point);
                self.end = Some(refuted_at(name, found));
                self
            }
            _ => self.states(name, forall),
        }
    }

    /// The proof needs this inequality.
    #[must_use]
    pub fn needs(self, name: &str, forall: &Forall) -> Self {
        self.inequality(name, forall, false)
    }

    /// The statement says that two expressions are equal (in the variables of any domain).
    #[must_use]
    pub fn states_identity(
        self,
        what: &str,
        left: impl Into<Expr>,
        right: impl Into<Expr>,
    ) -> Self {
        let (left, right) = (left.into(), right.into());
        let same = identical(&left, &right);
        let witness = if same {
            None
        } else {
            difference(&left, &right, self.symbols)
        };
        match (same, witness) {
            (false, None) => self.fail(
                what,
                "is not an identity of rational algebra, but no point of difference was found",
                false,
            ),
            (_, witness) => self.states_that(
                &match same {
                    true => format!("{what}: identity by exact expansion"),
                    false => format!("{what}: no identity, its sides differ at the point"),
                },
                same,
                || witness.unwrap_or_default(),
            ),
        }
    }

    /// The proof needs two expressions to be equal.
    #[must_use]
    pub fn needs_identity(self, what: &str, left: impl Into<Expr>, right: impl Into<Expr>) -> Self {
        let what = format!("{what}: identity by exact expansion");
        self.needs_that(&what, identical(&left.into(), &right.into()))
    }

    /// The statement says something that exact computation has found true or false. `witness` is
    /// the counterexample, asked for only if it is false.
    #[must_use]
    pub fn states_that(self, what: &str, holds: bool, witness: impl FnOnce() -> String) -> Self {
        if holds {
            self.found(what)
        } else if self.end.is_some() {
            self
        } else {
            self.fail(what, &witness(), true)
        }
    }

    /// The statement says something that exact computation has tried, with the counterexample if there is one.
    #[must_use]
    pub fn states_unless(self, what: &str, counterexample: Option<String>) -> Self {
        self.states_that(what, counterexample.is_none(), || {
            counterexample.unwrap_or_default()
        })
    }

    /// The proof needs something that exact computation has found true or false.
    #[must_use]
    pub fn needs_that(self, what: &str, holds: bool) -> Self {
        if holds {
            self.found(what)
        } else {
            self.fail(what, "fails", false)
        }
    }

    /// The proof needs a quadratic form (an expression homogeneous of degree 2 in the first `n`
    /// symbols) to be ≥ 0 for all real arguments.
    #[must_use]
    pub fn needs_nonnegative_form(self, what: &str, form: &Expr, n: usize) -> Self {
        match negative_direction(form, n) {
            Ok(None) => self.found(&format!("{what}: positive semidefinite by exact LDL'")),
            Ok(Some(at)) => {
                let at = told_at(at.iter().enumerate(), self.symbols);
                self.fail(what, &format!("the form is negative at {at}"), false)
            }
            Err(e) => self.fail(what, &e, false),
        }
    }

    /// The statement says that a quadratic form is ≥ 0 for all real arguments.
    #[must_use]
    pub fn states_nonnegative_form(self, what: &str, form: &Expr, n: usize) -> Self {
        match negative_direction(form, n) {
            Ok(None) => self.found(&format!("{what}: positive semidefinite by exact LDL'")),
            Ok(Some(at)) => {
                let at = told_at(at.iter().enumerate(), self.symbols);
                self.fail(what, &format!("negative at {at}"), true)
            }
            Err(e) => self.fail(what, &e, false),
        }
    }

    /// A sentence that no computation decides: a claim that makes one is not proved but argued.
    #[must_use]
    pub fn note(mut self, what: &str) -> Self {
        self.remarks.push(what.to_owned());
        self
    }

    /// Keeps for the evidence what a computation has decided.
    #[must_use]
    pub(crate) fn found(mut self, what: &str) -> Self {
        if self.end.is_none() {
            self.evidence.push(what.to_owned());
        }
        self
    }

    /// The verdict: Proved on `domain` if every step went through.
    #[must_use]
    pub fn proved_on(self, domain: &str) -> Verdict {
        let proof = Verdict::Proved(Grounds {
            domain: domain.to_owned(),
            slack: self.slack.map(Slack::ratio),
            evidence: self.evidence.join("; "),
            remarks: self.remarks.clone(),
        });
        self.finish(proof)
    }

    /// The verdict when the deterministic steps are not the whole claim: Open for the reason given
    /// if they went through.
    #[must_use]
    pub fn open_for(self, why: &str) -> Verdict {
        let checked = self.evidence.join("; ");
        let checked = match checked.is_empty() {
            true => String::new(),
            false => format!(". Checked: {checked}"),
        };
        self.finish(Verdict::open(format!("{why}{checked}")))
    }

    /// What the first failing step has said, with the repair's id; else `otherwise`.
    fn finish(self, otherwise: Verdict) -> Verdict {
        let mut verdict = self.end.unwrap_or(otherwise);
        if let Verdict::Refuted(refutation) = &mut verdict {
            refutation.repaired = self.repaired.map(str::to_owned);
        }
        verdict
    }

    fn inequality(mut self, name: &str, forall: &Forall, stated: bool) -> Self {
        if self.end.is_some() {
            return self;
        }
        match noted(self.check, name, forall, stated) {
            Decision::Proved(found) => {
                let evidence = format!("{name}: {}", found.describe(forall));
                self.evidence.push(evidence);
                self
            }
            Decision::Refuted(found) if stated => {
                self.end = Some(refuted_at(name, found));
                self
            }
            Decision::Refuted(found) => self.fail(name, &found.text, false),
            Decision::Open { why } => self.fail(name, &why, false),
        }
    }

    fn fail(mut self, what: &str, how: &str, stated: bool) -> Self {
        if self.end.is_none() {
            self.end = Some(if stated {
                Verdict::refuted(how, what, None)
            } else {
                Verdict::open(format!("{what}: {how}"))
            });
        }
        self
    }
}

/// The verdict on a statement that fails at this point.
fn refuted_at(name: &str, found: FailingPoint) -> Verdict {
    Verdict::Refuted(Refutation {
        factor: found.factor,
        counterexample: found.text,
        evidence: format!("{name}: {}", found.evidence),
        repaired: None,
    })
}

/// A point of positive rationals at which two expressions certainly differ, in words.
fn difference(left: &Expr, right: &Expr, names: &[&str]) -> Option<String> {
    (1..40_i64).find_map(|k| {
        let point: Vec<Rational> = (0..MOST_SYMBOLS as i64)
            .map(|i| Rational::from((k * (i + 1) % 17 + 1, k % 7 + 1)))
            .collect();
        let at: Vec<Interval> = point.iter().map(Interval::from_rational).collect();
        let (l, r) = (value(left, &at), value(right, &at));
        let apart = l.is_finite() && r.is_finite() && (l.certainly_lt(&r) || r.certainly_lt(&l));
        let used =
            (point.iter().enumerate()).filter(|(i, _)| left.mentions(*i) || right.mentions(*i));
        apart.then(|| format!("{}: {l} = {r} fails", told_at(used, names)))
    })
}

/// Values of free symbols with their names, or else their numbers.
fn told_at<'a>(values: impl Iterator<Item = (usize, &'a Rational)>, names: &[&str]) -> String {
    let value = |(i, x)| match names.get(i) {
        Some(name) => format!("{name} = {x}"),
        None => format!("x{i} = {x}"),
    };
    values.map(value).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::ratio;
    use crate::prove::{Domain, closed, symbols};

    /// x ≤ c on [0, 1].
    fn at_most(c: Rational) -> Forall {
        let (domain, x) = Domain::of("x", closed(0), closed(1));
        Forall::le(domain, x, c)
    }

    /// Neither proved nor refuted: at 0 it is not defined.
    fn undecided() -> Forall {
        let (domain, x) = Domain::of("x", closed(0), closed(1));
        Forall::le(domain, 0, 1 / x)
    }

    /// c ≤ 3/2 holds up to that from c = 1 on.
    fn measured() -> Option<Slack> {
        let statement = |factor: &Rational| Forall::le(Domain::new(), factor, ratio(3, 2));
        Some(crate::prove::slack(2, 1, statement))
    }

    fn verdict(write: impl Fn(Argument<'_>) -> Argument<'_>) -> Verdict {
        let check = Check::printed(Effort::Search);
        write(
            Argument::new(&check)
                .repaired("gcd-repair")
                .slack(measured()),
        )
        .proved_on("[0, 1]")
    }

    #[test]
    fn what_is_drawn_fails_where_it_is_said_to() {
        let check = Check::printed(Effort::Search);
        draw(&check, "gcd-test", &at_most(ratio(1, 2)), &[ratio(3, 4)]);
        let [step] = &check.steps()[..] else {
            panic!("one step")
        };
        assert!(step.stated && matches!(step.outcome, Decision::Refuted(_)));
        let holding = || draw(&check, "gcd-test", &at_most(ratio(1, 2)), &[ratio(1, 4)]);
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(holding)).is_err());
        let mutated = Check::mutated(crate::claim::Mutation {
            name: "c",
            value: ratio(1, 1),
        });
        draw(&mutated, "gcd-test", &at_most(ratio(1, 2)), &[ratio(1, 4)]);
        assert!(mutated.steps().is_empty());
    }

    #[test]
    fn a_point_where_a_statement_fails_is_told_with_names() {
        let [x, y]: [Expr; 2] = symbols();
        let told = |found: Verdict| match found {
            Verdict::Refuted(r) => {
                assert!(!r.evidence.contains(": identity"), "{}", r.evidence);
                r.counterexample
            }
            other => panic!("{other:?}"),
        };
        const NAMES: &[&str] = &["α", "β"];
        for (names, point) in [(NAMES, "β = 3/2"), (&[], "x1 = 3/2")] {
            let identity = verdict(|a| a.naming(names).states_identity("not", &y, &(&y + 1)));
            assert_eq!(
                told(identity),
                format!("{point}: [1.5, 1.5] = [2.5, 2.5] fails")
            );
        }
        let form = y.square() - x.square();
        let form = verdict(|a| a.naming(NAMES).states_nonnegative_form("form", &form, 2));
        assert_eq!(told(form), "negative at α = 1, β = 0");
    }

    #[test]
    fn every_step_that_fails_ends_the_argument_in_its_own_way() {
        let [x, y]: [Expr; 2] = symbols();
        let indefinite = &x * &y;
        type Write<'a> = Box<dyn Fn(Argument<'_>) -> Argument<'_> + 'a>;
        let steps: Vec<(&str, Write<'_>)> = vec![
            (
                "proved",
                Box::new(|a| a.states("gcd-test", &at_most(ratio(1, 1)))),
            ),
            (
                "refuted",
                Box::new(|a| a.states("gcd-test", &at_most(ratio(1, 2)))),
            ),
            (
                "proved",
                Box::new(|a| a.states_at("gcd-test", &at_most(ratio(1, 1)), &[ratio(3, 4)])),
            ),
            (
                "refuted",
                Box::new(|a| a.states_at("gcd-test", &at_most(ratio(1, 2)), &[ratio(3, 4)])),
            ),
            // The point does not fail, another does.
            (
                "refuted",
                Box::new(|a| a.states_at("gcd-test", &at_most(ratio(1, 2)), &[ratio(1, 4)])),
            ),
            (
                "proved",
                Box::new(|a| a.needs("gcd-test", &at_most(ratio(1, 1)))),
            ),
            (
                "open",
                Box::new(|a| a.needs("gcd-test", &at_most(ratio(1, 2)))),
            ),
            ("open", Box::new(|a| a.states("gcd-test", &undecided()))),
            ("open", Box::new(|a| a.needs("gcd-test", &undecided()))),
            (
                "proved",
                Box::new(|a| a.states_identity("same", &x, &(&x + 0))),
            ),
            (
                "refuted",
                Box::new(|a| a.states_identity("not", &x, &(&x + 1))),
            ),
            // Equal, but not by rational algebra.
            (
                "open",
                Box::new(|a| a.states_identity("exp", x.exp(), &(x.exp_m1() + 1))),
            ),
            (
                "proved",
                Box::new(|a| a.needs_identity("same", &x, &(&x + 0))),
            ),
            ("open", Box::new(|a| a.needs_identity("not", &x, &(&x + 1)))),
            (
                "proved",
                Box::new(|a| a.states_that("so", true, || unreachable!())),
            ),
            (
                "refuted",
                Box::new(|a| a.states_that("not", false, || "at 0".to_owned())),
            ),
            ("proved", Box::new(|a| a.needs_that("so", true))),
            ("open", Box::new(|a| a.needs_that("not", false))),
            (
                "proved",
                Box::new(|a| a.states_nonnegative_form("form", &x.square(), 2)),
            ),
            (
                "refuted",
                Box::new(|a| a.states_nonnegative_form("form", &indefinite, 2)),
            ),
            (
                "open",
                Box::new(|a| a.states_nonnegative_form("form", &x, 2)),
            ),
            (
                "proved",
                Box::new(|a| a.needs_nonnegative_form("form", &x.square(), 2)),
            ),
            (
                "open",
                Box::new(|a| a.needs_nonnegative_form("form", &indefinite, 2)),
            ),
            (
                "open",
                Box::new(|a| a.needs_nonnegative_form("form", &x, 2)),
            ),
        ];
        for (k, (name, write)) in steps.iter().enumerate() {
            let alone = verdict(write);
            assert_eq!(alone.name(), *name, "step {k}: {alone:?}");
            // What comes before and after changes nothing if it holds.
            let amid = verdict(|a| {
                write(a.needs_that("first", true))
                    .note("words")
                    .needs_that("last", true)
            });
            assert_eq!(amid.name(), *name, "step {k}: {amid:?}");
            // The first step that fails decides.
            for (other, later) in steps.iter().map(|(other, later)| (*other, later)) {
                let both = verdict(|a| later(write(a)));
                let first = if *name == "proved" { other } else { *name };
                assert_eq!(both.name(), first, "step {k}, then {other}");
            }
        }
    }

    #[test]
    fn a_verdict_carries_its_repair_its_slack_and_its_evidence() {
        let Verdict::Refuted(refuted) =
            verdict(|a| a.states_that("half", false, || "at 0".to_owned()))
        else {
            panic!("not refuted");
        };
        assert_eq!(refuted.repaired.as_deref(), Some("gcd-repair"));
        assert_eq!(
            (refuted.counterexample.as_str(), refuted.evidence.as_str()),
            ("at 0", "half")
        );
        assert_eq!(refuted.factor, None);
        let Verdict::Proved(proof) = verdict(|a| a.needs_that("one", true).note("two")) else {
            panic!("not proved");
        };
        assert_eq!((proof.slack, proof.domain.as_str()), (Some(1.5), "[0, 1]"));
        assert_eq!(
            (proof.evidence.as_str(), proof.remarks),
            ("one", vec!["two".to_owned()])
        );
        let check = Check::printed(Effort::Search);
        let open = Argument::new(&check)
            .needs_that("one", true)
            .open_for("not known");
        assert_eq!(open, Verdict::open("not known. Checked: one"));
        let refuted = Argument::new(&check)
            .states_that("one", false, String::new)
            .open_for("not known");
        assert_eq!(refuted.name(), "refuted");
    }

    #[test]
    fn a_stored_certificate_that_does_not_hold_leaves_the_claim_open() {
        // The certificate of this name is for something else.
        let check = Check::printed(Effort::Replay);
        let outcome = decide(&check, "kl-red-log", &at_most(ratio(1, 1)));
        assert!(
            matches!(&outcome, Decision::Open { why } if why.contains("does not hold")),
            "{outcome:?}"
        );
        // A changed claim has none, and is searched.
        let changed = Check::mutated(crate::claim::Mutation {
            name: "any",
            value: ratio(1, 1),
        });
        let outcome = decide(&changed, "kl-red-log", &at_most(ratio(1, 1)));
        assert!(matches!(outcome, Decision::Proved(_)), "{outcome:?}");
        assert!(changed.steps().is_empty() && check.steps().len() == 1);
    }
}
