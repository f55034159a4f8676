//! Exact helpers: privacy ledgers, enumeration, measured slack and the edge of a valid domain.

use super::expr::Expr;
use super::problem::Forall;
use super::search::{Outcome, search};
use crate::arith::Rational;

/// What an algorithm releases and what each release costs, in any additive privacy currency (ρ of
/// zCDP, ε of pure DP, 1/σ² of Gaussian DP, …). Entries may be numbers or expressions in T, B, ….
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    rows: Vec<Release>,
}

/// One kind of release.
#[derive(Clone, Debug)]
pub struct Release {
    /// What is released, in words.
    pub what: &'static str,
    /// How often the algorithm as printed releases it.
    pub times: Expr,
    /// The cost of one release.
    pub cost: Expr,
}

impl Ledger {
    /// An empty ledger.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `times` releases at `cost` each.
    #[must_use]
    pub fn release(
        mut self,
        what: &'static str,
        times: impl Into<Expr>,
        cost: impl Into<Expr>,
    ) -> Self {
        let (times, cost) = (times.into(), cost.into());
        self.rows.push(Release { what, times, cost });
        self
    }

    /// The sum over all releases.
    #[must_use]
    pub fn total(&self) -> Expr {
        self.rows.iter().map(|r| &r.times * &r.cost).sum()
    }

    /// The rows.
    #[must_use]
    pub fn rows(&self) -> &[Release] {
        &self.rows
    }

    /// The sum when everything is a rational number.
    #[must_use]
    pub fn exact_total(&self) -> Option<Rational> {
        self.total().exact(&[])
    }
}

/// Checks a finite family exhaustively: the number of cases, or the first that fails.
///
/// # Errors
/// The description that `failure` gives of the first failing case.
pub fn enumerate<C>(
    cases: impl IntoIterator<Item = C>,
    mut failure: impl FnMut(&C) -> Option<String>,
) -> Result<usize, String> {
    let mut checked = 0;
    for case in cases {
        if let Some(text) = failure(&case) {
            return Err(text);
        }
        checked += 1;
    }
    Ok(checked)
}

/// How much a proved statement has to spare. Only [`slack`] makes one: it is measured, never written down.
#[derive(Clone, Copy, Debug)]
pub struct Slack(f64);

impl Slack {
    /// The ratio, at least 1.
    #[must_use]
    pub const fn ratio(self) -> f64 {
        self.0
    }
}

/// The largest of `steps` bisected factors in [1, limit] for which `statement(factor)` is proved;
/// `statement(1)` is taken as proved. Rounded down, so a lower bound of the true slack.
#[must_use]
pub fn slack(limit: u32, steps: u32, statement: impl Fn(&Rational) -> Forall) -> Slack {
    let (proved, _) = bisect(Rational::from(1), limit.into(), steps, statement);
    Slack(proved.to_f64())
}

/// Bisects between a parameter value whose statement is proved and one whose statement is not:
/// (the last proved, the first not proved). The edge of the largest provable sub-domain.
#[must_use]
pub fn bisect(
    mut proved: Rational,
    mut failing: Rational,
    steps: u32,
    statement: impl Fn(&Rational) -> Forall,
) -> (Rational, Rational) {
    for _ in 0..steps {
        let middle = Rational::from(&proved + &failing) / 2;
        match search(&statement(&middle), 5_000) {
            Outcome::Proved(_) => proved = middle,
            _ => failing = middle,
        }
    }
    (proved, failing)
}
