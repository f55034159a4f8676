//! The audit on mechanisms of known privacy: every broken one is caught, no correct one accused.
//!
//! False alarms: the suite's error of 10⁻⁶ is divided equally among all specimens. Misses: a
//! specimen's number of pairs (`Specimen::trials`) leaves room over what its defect takes to find
//! (`the_zoo_over_20_seeds`), so that a miss is a change in power.

use dp_assay::audit::budget::Suite;
use dp_assay::audit::zoo::{Specimen, specimens};
use dp_assay::audit::{AuditReport, Verdict, simpler};

fn run(specimen: &Specimen, suite: &Suite, count: usize) -> AuditReport {
    let alpha = suite
        .allot(specimen.name, 1.0 / count as f64)
        .expect("equal shares");
    let report = specimen
        .audit()
        .simplify(|first, second| simpler(first, second))
        .alpha(alpha)
        .seed(suite.seed(specimen.name))
        .must_see(3.0 * specimen.claimed)
        .run()
        .expect("specimens run");
    println!("{:6.2} s  {report}", report.seconds);
    report
}

/// One line for every specimen that came out wrong.
fn errors(seed: u64) -> Vec<String> {
    let all = specimens();
    let suite = Suite::new(1e-6, seed).expect("a probability");
    let wrong = |specimen: &Specimen| {
        let report = run(specimen, &suite, all.len());
        let right = match specimen.defect {
            Some(_) => report.verdict == Verdict::Violation,
            None => report.verdict == Verdict::PassWithPower,
        };
        let bounded = report.epsilon_lower <= specimen.epsilon_upper;
        (!right || !bounded).then(|| format!("seed {seed}: {report}"))
    };
    let found = all.iter().filter_map(wrong).collect();
    println!("{suite}");
    found
}

#[test]
fn every_broken_mechanism_is_caught_and_no_correct_one_accused() {
    let errors = errors(0);
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
#[ignore = "20 minutes"]
fn the_zoo_over_20_seeds() {
    let errors: Vec<String> = (1..=20).flat_map(errors).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}
