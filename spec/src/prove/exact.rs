//! Exact helpers: sums of costs, enumeration, measured slack and the edge of a valid domain.

use super::expr::Expr;
use super::problem::Forall;
use super::search::{Decision, search};
use crate::arith::Rational;

/// What an algorithm releases and what each release costs, in any additive privacy currency (ρ of
/// zCDP, ε of pure DP, 1/σ² of Gaussian DP, …). Entries may be numbers or expressions in T, B, ….
#[derive(Clone, Debug, Default)]
pub struct Costs {
    rows: Vec<ReleaseCost>,
}

/// One kind of release.
#[derive(Clone, Debug)]
pub struct ReleaseCost {
    /// What is released, in words.
    pub what: &'static str,
    /// How often the algorithm as printed releases it.
    pub times: Expr,
    /// The cost of one release.
    pub cost: Expr,
}

impl Costs {
    /// No costs.
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
        self.rows.push(ReleaseCost { what, times, cost });
        self
    }

    /// The sum over all releases.
    #[must_use]
    pub fn total(&self) -> Expr {
        self.rows.iter().map(|r| &r.times * &r.cost).sum()
    }

    /// The rows.
    #[must_use]
    pub fn rows(&self) -> &[ReleaseCost] {
        &self.rows
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
            Decision::Proved(_) => proved = middle,
            _ => failing = middle,
        }
    }
    (proved, failing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::ratio;
    use crate::prove::{Domain, closed, symbols};

    #[test]
    fn a_ledger_adds_every_row_as_often_as_it_is_released() {
        let ledger =
            Costs::new()
                .release("first", 3, ratio(1, 6))
                .release("second", ratio(5, 1), 2);
        assert_eq!(ledger.total().exact(&[]), Some(ratio(21, 2)));
        assert_eq!(ledger.rows().len(), 2);
        assert_eq!(Costs::new().total().exact(&[]), Some(ratio(0, 1)));
        let [t]: [Expr; 1] = symbols();
        let symbolic = Costs::new()
            .release("t times", &t, 2)
            .release("once", 1, &t);
        assert_eq!(symbolic.total().exact(&[ratio(7, 1)]), Some(ratio(21, 1)));
        assert_eq!(symbolic.total().exact(&[]), None);
    }

    #[test]
    fn enumeration_stops_at_the_first_case_that_fails_and_counts_the_rest() {
        let odd = |k: &i32| (k % 2 == 1).then(|| format!("{k} is odd"));
        assert_eq!(enumerate([2, 4, 6], odd), Ok(3));
        assert_eq!(enumerate([2, 5, 6, 7], odd), Err("5 is odd".to_owned()));
        assert_eq!(enumerate([2, 4, 7], odd), Err("7 is odd".to_owned()));
    }

    #[test]
    fn the_edge_of_what_is_provable_is_closed_in_on_from_both_sides() {
        // x ≤ 1 on [0, edge] holds up to 1.
        let statement = |edge: &Rational| {
            let (domain, x) = Domain::of("x", closed(0), closed(edge.clone()));
            Forall::le(domain, x, 1)
        };
        let (proved, failing) = bisect(ratio(1, 2), ratio(4, 1), 20, statement);
        assert!(
            proved <= 1 && failing > 1 && Rational::from(&failing - &proved) < ratio(1, 100_000)
        );
        // c ≤ 3 has a slack of 3 over c = 1.
        let scaled = |factor: &Rational| Forall::le(Domain::new(), factor, 3);
        let found = slack(8, 20, scaled).ratio();
        assert!((2.9999..=3.0).contains(&found), "{found}");
    }
}
