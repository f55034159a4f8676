//! Gates of another crate's mechanisms: what a user of dp-assay writes.

use dp_assay::audit::budget::{Suite, run_gate};
use dp_assay::audit::{Audit, Mechanism, Verdict, from_fn};
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::units::Neighbouring;
use dp_assay_gate_example::{leaky_mean, private_mean};

/// A mechanism that takes its noise from the audit's tape.
fn mean(of: fn(&[f64], f64, f64) -> f64) -> impl Mechanism<Input = Vec<f64>> {
    from_fn("mean age", move |ages: &Vec<f64>, tape: Tape| {
        of(ages, 1.0, tape.uniform(0, Purpose::User, 0).laplace())
    })
}

/// Ten people; the last record is replaced.
fn neighbours(last: f64, other: f64) -> [Vec<f64>; 2] {
    [last, other].map(|age| [vec![50.0; 9], vec![age]].concat())
}

dp_assay::gate! {
    fn the_mean_is_as_private_as_it_says() {
        let [first, second] = neighbours(0.0, 100.0);
        Audit::of(mean(private_mean))
            .claim(1.0, 0.0)
            .neighbours(Neighbouring::ReplaceOne, first, second)
    }

    fn an_outlier_is_cut() {
        let [first, second] = neighbours(50.0, 1e6);
        Audit::of(mean(private_mean))
            .claim(1.0, 0.0)
            .neighbours(Neighbouring::ReplaceOne, first, second)
    }
}

#[test]
fn the_leaky_mean_is_caught() {
    let suite = Suite::new(1e-6, 0).expect("a probability");
    let [first, second] = neighbours(0.0, 1000.0);
    let report = suite
        .audit("leaky mean", 1.0, mean(leaky_mean))
        .expect("the whole budget")
        .claim(1.0, 0.0)
        .neighbours(Neighbouring::ReplaceOne, first, second)
        .run()
        .expect("a complete description");
    println!("{report}\n{suite}");
    assert_eq!(report.verdict, Verdict::Violation);
}

/// What a gate that fails says, which is all that a reader of a test's output sees.
fn said<M>(name: &str, count: usize, audit: Audit<M>) -> String
where
    M: Mechanism,
    M::Input: std::fmt::Debug,
{
    let gate = std::panic::AssertUnwindSafe(|| run_gate(name, count, (1e-6, 0), audit));
    let panic = std::panic::catch_unwind(gate).expect_err("the gate fails");
    panic.downcast_ref::<String>().expect("a message").clone()
}

#[test]
fn a_gate_that_fails_reads_like_a_report() {
    let [first, second] = neighbours(0.0, 1000.0);
    let pad = |mut ages: Vec<f64>| {
        ages.splice(0..0, vec![50.0; 300]);
        ages
    };
    let audit = Audit::of(mean(leaky_mean)).claim(1.0, 0.0);
    let begun = line!() - 1;
    let (first, second) = (pad(first), pad(second));
    let said = said(
        "leaky",
        3,
        audit.neighbours(Neighbouring::ReplaceOne, first, second),
    );
    let place = format!("its audit at {}:{begun}:", file!());
    assert!(
        said.starts_with("gate `leaky` at ") && said.contains(&place),
        "{said}"
    );
    for part in [
        "\nmean age: VIOLATION\n  claim: (ε, δ) = (1, 0), replace-one neighbours",
        "\n  counterexample: output ",
        " times of ",
        "1000.0",
        "\n  again: cargo test leaky (seed ",
        "error: 3.33e-7 of the suite's error 1e-6, one of 3 equal shares",
    ] {
        assert!(said.contains(part), "no `{part}` in:\n{said}");
    }
    // Of 310 numbers those around the difference are shown.
    assert!(
        said.lines().all(|line| line.chars().count() < 300),
        "{said}"
    );
    assert!(!said.contains("left"), "{said}");
}

#[test]
fn a_gate_that_could_not_have_seen_anything_fails_and_says_what_would() {
    let [first, second] = neighbours(0.0, 100.0);
    let audit = Audit::of(mean(private_mean)).claim(1.0, 0.0);
    let audit = audit.neighbours(Neighbouring::ReplaceOne, first, second);
    let said = said("blind", 1, audit.trials(20));
    assert!(
        said.contains("mean age: INCONCLUSIVE") && said.contains("draw about "),
        "{said}"
    );
}

#[test]
fn a_gate_on_equal_inputs_or_without_noise_is_no_pass() {
    let [first, second] = neighbours(7.0, 7.0);
    let audit = Audit::of(mean(private_mean)).claim(1.0, 0.0);
    let equal = said(
        "equal",
        1,
        audit.neighbours(Neighbouring::ReplaceOne, first, second),
    );
    assert!(
        equal.contains("\nthe two inputs are equal: both are [50.0, "),
        "{equal}"
    );
    let [first, second] = neighbours(0.0, 100.0);
    let count = from_fn("count", |ages: &Vec<f64>, _| ages.len() as f64);
    let audit = Audit::of(count).claim(1.0, 0.0);
    let constant = said(
        "constant",
        1,
        audit.neighbours(Neighbouring::ReplaceOne, first, second),
    );
    assert!(
        constant.contains("every run on either input gave the same output, 10"),
        "{constant}"
    );
}
