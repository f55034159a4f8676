//! What the library refuses and no command leads to, word for word: every sentence is provoked where that
//! is possible. What the command line can be made to say is in `cli/errors.rs`.

use dp_assay::accounting::decor::{Adversary, Noise};
use dp_assay::accounting::filter::ZcdpFilter;
use dp_assay::audit::budget::Suite;
use dp_assay::audit::colluders::{Course, WorstCase};
use dp_assay::audit::replay::{Address, Violation};
use dp_assay::audit::{Audit, AuditError, AuditReport, DrawError, Mechanism, Output, from_fn};
use dp_assay::mechanism::release::EntropyError;
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::problem::loss::LossName;
use dp_assay::problem::neighbours::LinearPair;
use dp_assay::problem::{Constants, Dataset, Dense, Graph, Problem, Regulariser, Sparse};
use dp_assay::solver::ambssgd::Search;
use dp_assay::solver::fit::kl::{Loss, Posed};
use dp_assay::solver::gcd::LaplaceScales;
use dp_assay::solver::kl::{Spider, Variant, bound::Disagreement};
use dp_assay::solver::skgd::{self, Sampling, SetValues};
use dp_assay::units::{Neighbouring, Rho};
use std::fmt::Display;
use std::ops::Range;

#[track_caller]
fn refused<T>(found: Result<T, impl Display>, message: &str) {
    match found {
        Ok(_) => panic!("not refused, but should be: {message}"),
        Err(error) => assert_eq!(error.to_string(), message),
    }
}

#[track_caller]
fn said(found: &impl Display, message: &str) {
    assert_eq!(found.to_string(), message);
}

#[test]
fn numbers_that_make_no_design_are_refused() {
    refused(
        Dense::from_rows(&[] as &[Vec<f64>]),
        "design matrix has 0 records and 0 features; it needs at least one of each",
    );
    refused(
        Dense::from_rows(&[vec![1.0, 2.0], vec![3.0]]),
        "record 1 has 1 features, the first record has 2",
    );
    refused(
        Dense::from_columns(2, 2, vec![1.0]),
        "1 values given for 2 records of 2 features",
    );
    refused(
        Sparse::from_entries(2, 2, &[(2, 0, 1.0)]),
        "entry at record 2, feature 0 lies outside 2 records of 2 features",
    );
    refused(
        Sparse::from_entries(2, 2, &[(0, 1, 1.0), (0, 1, 2.0)]),
        "record 0, feature 1 is given twice",
    );
}

/// One feature of 1, with these targets.
fn data(targets: &[f64]) -> Dataset {
    let ones = Dense::from_columns(targets.len(), 1, vec![1.0; targets.len()]);
    Dataset::new("ones", ones.expect("one column"), targets.to_vec()).expect("finite targets")
}

#[test]
fn data_and_constants_that_make_no_problem_are_refused() {
    let design = || Dense::from_columns(2, 1, vec![1.0; 2]).expect("one column");
    refused(
        Dataset::new("short", design(), vec![1.0]),
        "1 targets given for 2 records",
    );
    refused(
        Dataset::new("odd", design(), vec![1.0, f64::NAN]),
        "record 1: target NaN is not finite",
    );
    refused(
        Problem::named(data(&[1.0, 0.5]), LossName::Logistic, Regulariser::None),
        "record 1: target 0.5 must be -1 or +1 for the logistic loss",
    );
    refused(
        Posed::data(&data(&[1.0, 0.5]), Loss::Logistic, 1.0, 1.0),
        "record 1: target 0.5 must be -1 or +1",
    );
    refused(
        Regulariser::Box {
            lower: 1.0,
            upper: 1.0,
        }
        .check(),
        "box [1, 1] is empty: it needs lower < upper",
    );
    refused(
        Constants::new(vec![-1.0], vec![1.0]),
        "Lipschitz constant of coordinate 0 is -1; it must be >= 0",
    );
    refused(
        Constants::new(vec![1.0; 2], vec![1.0]),
        "constants given for 2 coordinates, expected 1",
    );
    let constants = Constants::new(vec![1.0], vec![1.0]).expect("sound constants");
    refused(
        constants.clipping_thresholds(0.0),
        "clipping level 0 must be finite and > 0",
    );
}

#[test]
fn pairs_out_of_reach_are_refused() {
    let pair = |lipschitz: usize, score| LinearPair {
        records: 2,
        lipschitz: vec![1.0; lipschitz],
        smoothness: vec![1.0; lipschitz],
        scores: vec![score],
        rises: vec![true],
    };
    refused(
        pair(2, 0.0).build(),
        "scores given for 1 coordinates, expected 2",
    );
    refused(
        pair(1, 1.0).build(),
        "score 1 of coordinate 0: its modulus must be at most 0.5",
    );
    // Of the covariance 10²⁰⁰·L + 10⁻²⁰⁰·I the doubles keep the Laplacian L, which is singular.
    let noise = Noise::new(1e-100, 1e100, 1.0).expect("in its range");
    let graph = Graph::path(2).expect("two users");
    let course = (1, Course::Constant);
    refused(
        WorstCase::new(
            dp_assay::solver::decor::reference::run,
            graph,
            noise,
            Adversary::Eavesdropper,
            course,
        ),
        "no covariance of any group is positive definite in binary64",
    );
}

#[test]
fn noise_and_schedules_that_do_not_go_with_a_solver_are_refused() {
    refused(
        LaplaceScales::new(vec![1.0; 2], vec![1.0]),
        "1 values given for 2 coordinates",
    );
    let problem = Problem::named(data(&[1.0, -1.0]), LossName::Logistic, Regulariser::None);
    let problem = problem.expect("two classes");
    let sampling = Sampling::nice(1, 1).expect("one of one");
    let config = skgd::Config::new(&problem, (1, 1), sampling, SetValues::Listed(vec![1.0]));
    refused(
        skgd::optimized::run(&problem, &config, Tape::new(0)),
        "noise scale given set by set, but the sampling does not list its sets",
    );
    refused(
        Search::halvings(f64::NAN, 3),
        "domain B = NaN and width 0: B must be finite and exceed the width, which must be > 0",
    );
    refused(
        Search::printed(1.0, 1),
        "N = 1 records do not fit: N must be >= 2, for the search has 200 log2 N levels",
    );
    // F₀^{1/κ} = ½ is γL₀√d/(n√ρ): its quotient 1 has the logarithm 0.
    let spider = Spider {
        beta: 0.1,
        gamma: 1.0,
        kappa: 2.0,
        lipschitz: 1.0,
        smoothness: 1.0,
        loss_bound: 0.25,
    };
    let rho = Rho::new(1.0).expect("a budget");
    refused(
        spider.schedule(Variant::Printed, rho, 2, 1),
        "K = 0 must be > 0 as printed: F_0 is below the target of the algorithm",
    );
    // What is left is rounded down.
    let mut filter = ZcdpFilter::new(rho);
    refused(
        filter.spend(Rho::new(1.5).expect("a cost")),
        "a step of rho = 1.5 exceeds the remaining budget 0.9999999999999999",
    );
}

#[test]
fn a_suite_gives_no_share_that_it_does_not_have() {
    refused(
        Suite::new(0.0, 1),
        "the suite's error 0 must lie strictly between 0 and 1",
    );
    let suite = Suite::new(1e-6, 1).expect("a probability");
    suite.allot("first", 0.75).expect("there is all of it");
    refused(
        suite.allot("second", 0.5),
        "audit `second` asks for 0.5 of the suite's error, of which 0.25 is left",
    );
    refused(
        suite.allot("first", 0.25),
        "audit `first` has taken its share already",
    );
}

/// Loses the last answer of every batch.
struct Forgetful;

impl Mechanism for Forgetful {
    type Input = bool;

    fn name(&self) -> String {
        "forgetful".to_owned()
    }

    fn draw(&self, input: &bool, _: Tape) -> Result<Output, DrawError> {
        Ok((*input).into())
    }

    fn draw_many(&self, _: &bool, _: Tape, trials: Range<u64>) -> Result<Vec<Output>, DrawError> {
        Ok(trials.skip(1).map(|_| Output::Nothing).collect())
    }
}

#[test]
fn audits_that_cannot_be_run_say_what_to_call() {
    let audit = || Audit::of(from_fn("constant", |_: &bool, _| 0.0));
    let pair = |audit: Audit<_>| audit.neighbours(Neighbouring::ReplaceOne, false, true);
    refused(
        pair(audit()).run(),
        "the audit has no claim; say .claim(epsilon, delta)",
    );
    refused(
        audit().claim(1.0, 0.0).run(),
        "the audit has no pair of inputs; say .neighbours(relation, first, second)",
    );
    refused(
        pair(audit()).claim(1.0, 0.0).gaussian().run(),
        "a Gaussian shape does not go with this claim: no finite epsilon is known: delta must exceed 0, got 0",
    );
    refused(
        pair(audit()).claim(1.0, 0.0).curve(|_| -1.0).run(),
        "the curve's value: delta = -1 must lie in [0, 1]",
    );
    // The first batch is of 32.
    let forgetful: Result<AuditReport, AuditError> = Audit::of(Forgetful)
        .claim(1.0, 0.0)
        .neighbours(Neighbouring::ReplaceOne, false, true)
        .trials(100)
        .run();
    refused(
        forgetful,
        "mechanism `forgetful` answered 31 trials where 32 were asked for",
    );
}

/// Replays find these in broken solvers (`bugs.rs`, `replay_audit.rs`); here are their words.
#[test]
fn violations_are_told_with_the_numbers_that_show_them() {
    let (at, label) = (3, "gradient");
    let (recorded, replayed) = ("1".to_owned(), "2".to_owned());
    said(
        &Violation::Sensitivity {
            at,
            label,
            norm: "l2".to_owned(),
            declared: 1.0,
            measured: 2.0,
            allowance: 1e-15,
        },
        "step 3, gradient: moves by 2, declared 1 (l2), allowed for rounding 1e-15",
    );
    said(
        &Violation::Parameter {
            at,
            label,
            what: "noise",
            recorded: recorded.clone(),
            replayed: replayed.clone(),
        },
        "step 3, gradient: noise depends on the data: 1 and 2",
    );
    said(
        &Violation::ControlFlow {
            at,
            recorded: recorded.clone(),
            replayed: replayed.clone(),
        },
        "step 3: control flow depends on the data: 1, then 2",
    );
    said(
        &Violation::Unnoised {
            at,
            label,
            recorded,
            replayed,
        },
        "step 3, gradient: depends on the data without noise: 1 and 2",
    );
    let address = Address {
        step: 5,
        purpose: Purpose::Release,
        first: 7,
    };
    said(
        &Violation::Reused {
            label,
            address,
            before: "norm",
        },
        "gradient: the noise at Address { step: 5, purpose: Release, first: 7 } was used before, by norm",
    );
    said(
        &Violation::Scale {
            at,
            label,
            coordinate: 4,
            claimed: 1.0,
            found: 0.5,
        },
        "step 3, gradient: scale 0.5 at coordinate 4, the claim has 1",
    );
    said(
        &Violation::Unclaimed {
            at,
            label,
            coordinate: 4,
        },
        "step 3, gradient: the claim has no scale for coordinate 4",
    );
    said(
        &Violation::Mismatch {
            at,
            label,
            expected: 1.0,
            found: 2.0,
            allowance: 1e-15,
        },
        "step 3, gradient: expected 1, found 2, allowed for rounding 1e-15",
    );
}

/// Two more that no sound program and no sound machine gives.
#[test]
fn solvers_that_part_and_a_system_without_randomness_are_told_apart() {
    said(
        &Disagreement::Apart {
            at: 2,
            distance: 0.5,
            allowed: 0.25,
        },
        "release 2: 0.5 apart, at most 0.25",
    );
    let system = rand::rngs::SysError::UNSUPPORTED;
    said(
        &EntropyError::from(system),
        &format!("the operating system gives no randomness: {system}"),
    );
}
