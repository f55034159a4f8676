//! The error budget of a whole suite of audits, and the seed from which all their noise follows.
//!
//! If audit i may be wrong with probability αᵢ, any of them is with probability at most Σ αᵢ. So a
//! suite states one error for all (10⁻⁶ unless told otherwise) and allots it; nobody may take more
//! than is left. Shares are stated in advance, not in the order of running, so that every audit
//! has the same error whichever others run, and on however many threads.

pub use crate::audit::builder::SUITE_ALPHA;
use crate::audit::value::mix;
use crate::audit::{Audit, AuditReport, Mechanism, Verdict};
use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// One suite: a total error probability, a seed, and what was taken of the budget.
///
/// ```
/// use dp_assay::audit::budget::Suite;
///
/// // One error of 10⁻⁶ for all audits together.
/// let suite = Suite::new(1e-6, 1)?;
/// assert_eq!(suite.allot("count", 0.5)?, 5e-7);
/// assert!(suite.allot("count", 0.1).is_err()); // has its share already
/// assert!(suite.allot("sum", 0.6).is_err()); // half is left
/// assert_ne!(suite.seed("count"), suite.seed("sum"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Suite {
    alpha: f64,
    seed: u64,
    taken: Mutex<BTreeMap<String, f64>>,
}

/// Why an audit cannot have its share.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BudgetError {
    /// The total is no probability.
    #[error("the suite's error {0} must lie strictly between 0 and 1")]
    Total(f64),
    /// A share is not positive, or more than is left.
    #[error("audit `{name}` asks for {share} of the suite's error, of which {left} is left")]
    Share {
        /// The audit.
        name: String,
        /// The fraction asked for.
        share: f64,
        /// The fraction left.
        left: f64,
    },
    /// An audit of this name has its share: the same audit twice would be two chances to be wrong.
    #[error("audit `{0}` has taken its share already")]
    Twice(String),
}

impl Suite {
    /// A suite with this probability that any of its audits is wrong.
    ///
    /// # Errors
    /// When `alpha` is not in (0, 1).
    pub fn new(alpha: f64, seed: u64) -> Result<Self, BudgetError> {
        if alpha > 0.0 && alpha < 1.0 {
            Ok(Self {
                alpha,
                seed,
                taken: Mutex::default(),
            })
        } else {
            Err(BudgetError::Total(alpha))
        }
    }

    /// Takes a fraction of the budget: the error probability for the audit of this name.
    ///
    /// # Errors
    /// When the fraction is not positive or more than is left, or the name has been used.
    pub fn allot(&self, name: &str, share: f64) -> Result<f64, BudgetError> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.contains_key(name) {
            return Err(BudgetError::Twice(name.to_owned()));
        }
        let left = 1.0 - taken.values().sum::<f64>();
        // Fractions 1/n add up to one only within rounding: n·2⁻⁵³ for n of them.
        let slack = (taken.len() + 1) as f64 * f64::EPSILON;
        if !(share > 0.0 && share <= left + slack) {
            return Err(BudgetError::Share {
                name: name.to_owned(),
                share,
                left,
            });
        }
        taken.insert(name.to_owned(), share);
        Ok(self.alpha * share)
    }

    /// The audit of this name, with its share of the error and a seed of its own.
    ///
    /// # Errors
    /// As [`Suite::allot`].
    pub fn audit<M: Mechanism>(
        &self,
        name: &str,
        share: f64,
        mechanism: M,
    ) -> Result<Audit<M>, BudgetError> {
        let alpha = self.allot(name, share)?;
        Ok(Audit::of(mechanism).alpha(alpha).seed(self.seed(name)))
    }

    /// The seed for an audit: a hash of the suite's seed and the audit's name.
    #[must_use]
    pub fn seed(&self, name: &str) -> u64 {
        name.bytes()
            .fold(mix(self.seed), |state, byte| mix(state ^ u64::from(byte)))
    }

    /// The probability, at most, that any audit of the suite is wrong.
    #[must_use]
    pub const fn alpha(&self) -> f64 {
        self.alpha
    }
}

/// The ledger: who took what.
impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(f, "suite error {:e}, seed {}", self.alpha, self.seed)?;
        for (name, share) in taken.iter() {
            writeln!(f, "{:>10.2e}  {name}", self.alpha * share)?;
        }
        let left = 1.0 - taken.values().sum::<f64>();
        write!(f, "{:>10.2e}  not allotted", self.alpha * left.max(0.0))
    }
}

/// Runs one of `count` equal gates: prints the report and its share of the error, and fails the
/// test unless the audit passed with power. Used by [`gate!`](crate::gate). One that takes long says so, and how
/// far it is, on standard error.
///
/// # Panics
/// With the report, when the verdict is not PASS-WITH-POWER, and when the audit cannot be run or brings an error
/// probability or a seed of its own.
#[track_caller]
pub fn run_gate<M>(name: &str, count: usize, suite: (f64, u64), audit: Audit<M>)
where
    M: Mechanism,
    M::Input: fmt::Debug,
{
    let place = format!(
        "gate `{name}` at {}, its audit at {}",
        std::panic::Location::caller(),
        audit.described_at
    );
    if let Some(set) = audit.own_budget() {
        panic!(
            "{place}\n{set} is the gate's to choose: write `suite_alpha = …, seed = …;` at the \
             beginning of `gate!`\n"
        );
    }
    let audit = audit.watch(slow(name));
    let report = match gate_report(name, count, suite, audit) {
        Ok(report) => report,
        Err(error) => panic!("{place}\n{error}"),
    };
    let share = format!(
        "{:.2e} of the suite's error {:e}, one of {count} equal shares",
        report.alpha, suite.0
    );
    if report.verdict != Verdict::PassWithPower {
        panic!(
            "{place}\n{}  error: {share}\n  again: cargo test {name} (seed {} from the name and \
             the suite's {}; no randomness besides)\n",
            report.text(),
            report.seed,
            suite.1
        );
    }
    println!("{report}");
    println!("gate `{name}`: {share}");
}

fn gate_report<M>(
    name: &str,
    count: usize,
    suite: (f64, u64),
    audit: Audit<M>,
) -> Result<AuditReport, Box<dyn std::error::Error>>
where
    M: Mechanism,
    M::Input: fmt::Debug,
{
    let suite = Suite::new(suite.0, suite.1)?;
    let alpha = suite.allot(name, 1.0 / count as f64)?;
    Ok(audit.alpha(alpha).seed(suite.seed(name)).run()?)
}

/// Tells of an audit that takes long, first after a while and then ever more rarely. To the stream itself: what tests
/// print is kept back until they have ended.
fn slow(name: &str) -> impl Fn(u64, u64) + Sync + 'static {
    const PATIENCE: Duration = Duration::from_secs(5);
    let name = name.to_owned();
    let started = Instant::now();
    let next = Mutex::new(PATIENCE);
    move |pairs, all| {
        let elapsed = started.elapsed();
        let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
        if elapsed >= *next && pairs > 0 {
            let line = format!("gate `{name}`: {}\n", progress(pairs, all, elapsed));
            // A closed stream is no reason to fail.
            let _ = std::io::stderr().write_all(line.as_bytes());
            *next = 2 * elapsed;
        }
    }
}

/// How far an audit is after this time, and how much longer it takes at most: a violation ends it sooner.
fn progress(pairs: u64, all: u64, elapsed: Duration) -> String {
    let spent = elapsed.as_secs_f64();
    let left = spent / pairs as f64 * all.saturating_sub(pairs) as f64;
    format!(
        "{pairs} of at most {all} pairs after {spent:.0} s, {left:.0} s more at most (is the crate \
         under test optimised?)"
    )
}

/// Privacy gates for `cargo test`: every item becomes a test that fails unless its audit passes
/// with power. The suite's error (10⁻⁶ by default) is divided equally among the items of one
/// `gate!`, and seeds follow from the suite's and the names: an item with `.alpha(…)` or `.seed(…)` fails.
///
/// ```no_run
/// use dp_assay::audit::{Audit, from_fn};
/// use dp_assay::mechanism::tape::Purpose;
/// use dp_assay::units::Neighbouring;
///
/// dp_assay::gate! {
///     suite_alpha = 1e-6, seed = 1;
///
///     /// A count with Laplace noise of scale 2.
///     fn noisy_count() {
///         let count = from_fn("noisy count", |records: &Vec<bool>, tape| {
///             let noise = 2.0 * tape.uniform(0, Purpose::Release, 0).laplace();
///             records.iter().filter(|r| **r).count() as f64 + noise
///         });
///         Audit::of(count)
///             .claim(0.5, 0.0)
///             .neighbours(Neighbouring::AddRemove, vec![true; 9], vec![true; 10])
///     }
/// }
/// ```
#[macro_export]
macro_rules! gate {
    (@each $count:expr, $suite:expr; $($(#[$meta:meta])* fn $name:ident() $body:block)+) => {
        $(
            $(#[$meta])*
            #[test]
            fn $name() {
                $crate::audit::budget::run_gate(stringify!($name), $count, $suite, $body);
            }
        )+
    };
    (
        suite_alpha = $alpha:expr, seed = $seed:expr;
        $($(#[$meta:meta])* fn $name:ident() $body:block)+
    ) => {
        $crate::gate! {
            @each [$(stringify!($name)),+].len(), ($alpha, $seed);
            $($(#[$meta])* fn $name() $body)+
        }
    };
    ($($(#[$meta:meta])* fn $name:ident() $body:block)+) => {
        $crate::gate! {
            suite_alpha = $crate::audit::budget::SUITE_ALPHA, seed = 0;
            $($(#[$meta])* fn $name() $body)+
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::from_fn;

    /// What a gate says of an audit that brings its own error probability or seed, which it would have to replace.
    #[test]
    fn a_gate_refuses_an_error_probability_and_a_seed_of_its_audit() {
        let audit = || Audit::of(from_fn("nothing", |_: &bool, _| 0.0)).claim(1.0, 0.0);
        let told = |audit: Audit<_>| {
            let gate = move || run_gate("mine", 1, (SUITE_ALPHA, 0), audit);
            let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(gate));
            let told = panicked.expect_err("it was not refused");
            told.downcast_ref::<String>().expect("a message").clone()
        };
        for (audit, set) in [
            (audit().alpha(SUITE_ALPHA), ".alpha(1e-6)"),
            (audit().seed(0), ".seed(0)"),
        ] {
            let told = told(audit);
            assert!(
                told.contains(&format!("{set} is the gate's to choose")),
                "{told}"
            );
        }
        // Without either, what is missing is named.
        assert!(told(audit()).contains("neighbours"));
    }

    #[test]
    fn a_slow_gate_says_how_far_it_is_and_how_long_it_takes() {
        let said = progress(2000, 100_000, Duration::from_secs(6));
        assert!(
            said.starts_with("2000 of at most 100000 pairs after 6 s, 294 s more at most"),
            "{said}"
        );
    }

    /// All of the error may be given away and no more, in equal parts as in others, and to each name once.
    #[test]
    fn shares_add_up_to_the_whole() {
        let suite = Suite::new(0.5, 1).expect("a probability");
        for i in 0..10 {
            assert_eq!(
                suite.allot(&format!("tenth {i}"), 0.1).expect("ten tenths"),
                0.05
            );
        }
        assert!(suite.allot("more", 1e-9).is_err());
        // The first part may be rounded, too.
        let suite = Suite::new(0.5, 1).expect("a probability");
        assert!(suite.allot("a", 1.0 + f64::EPSILON).is_ok());
        let refused = |share: f64| {
            Suite::new(0.5, 1)
                .expect("a probability")
                .allot("a", share)
                .is_err()
        };
        assert_eq!(
            [0.0, -0.1, f64::NAN, 1.0 + 1e-9, 1.0, 1e-300].map(refused),
            [true, true, true, true, false, false]
        );
        let totals = [0.0, 1.0, -0.5, f64::NAN, 1e-300, 0.999];
        assert_eq!(
            totals.map(|alpha| Suite::new(alpha, 1).is_err()),
            [true, true, true, true, false, false]
        );
        let suite = Suite::new(1e-6, 3).expect("a probability");
        let left = |error: BudgetError| match error {
            BudgetError::Share { share, left, .. } => [share, left],
            other => panic!("{other}"),
        };
        suite.allot("a", 0.25).expect("it is there");
        assert_eq!(
            left(suite.allot("b", 0.8).expect_err("too much")),
            [0.8, 0.75]
        );
        assert_eq!(suite.allot("a", 0.1), Err(BudgetError::Twice("a".into())));
        assert_eq!(
            suite.to_string(),
            "suite error 1e-6, seed 3\n   2.50e-7  a\n   7.50e-7  not allotted"
        );
        assert_eq!(suite.alpha(), 1e-6);
        // A seed is that of the suite and of all of the name.
        let seeds = [
            suite.seed("ab"),
            suite.seed("ba"),
            suite.seed("a"),
            Suite::new(1e-6, 4).expect("valid").seed("ab"),
        ];
        assert_eq!(
            seeds
                .iter()
                .collect::<std::collections::BTreeSet<_>>()
                .len(),
            4
        );
    }
}
