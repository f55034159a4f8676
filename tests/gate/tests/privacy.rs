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

#[test]
#[should_panic(expected = "mean age: VIOLATION\n  claim: (ε, δ) = (1, 0), replace-one neighbours")]
fn a_gate_fails_on_the_leaky_mean() {
    let [first, second] = neighbours(0.0, 1000.0);
    let audit = Audit::of(mean(leaky_mean)).claim(1.0, 0.0);
    let audit = audit.neighbours(Neighbouring::ReplaceOne, first, second);
    run_gate("leaky", 3, (1e-6, 0), audit);
}

#[test]
#[should_panic(expected = "INCONCLUSIVE")]
fn a_gate_that_could_not_have_seen_anything_fails() {
    let [first, second] = neighbours(0.0, 100.0);
    let audit = Audit::of(mean(private_mean)).claim(1.0, 0.0);
    let audit = audit.neighbours(Neighbouring::ReplaceOne, first, second);
    run_gate("blind", 1, (1e-6, 0), audit.trials(20));
}
