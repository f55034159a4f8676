//! A privacy gate on a mechanism of one's own: `cargo run --example gate`.
//!
//! In a crate of yours this is a test (see `dp_assay::gate!`); here it is a program, so that it can be
//! watched: it ends with code 1 if the claim is false.

use dp_assay::prelude::*;

fn main() -> Result<(), AuditError> {
    // The mechanism: how many are over 60, with Laplace noise of scale 2.
    let over_60 = from_fn("over 60", |ages: &Vec<f64>, tape| {
        let noise = 2.0 * tape.uniform(0, Purpose::User, 0).laplace();
        ages.iter().filter(|age| **age > 60.0).count() as f64 + noise
    });
    // The claim: ε = ½ when one person is replaced. The pair: as different as one person can make it.
    let report = Audit::of(over_60)
        .claim(0.5, 0.0)
        .neighbours(Neighbouring::ReplaceOne, vec![30.0, 70.0], vec![80.0, 70.0])
        .run()?;
    println!("{report}");
    std::process::exit(i32::from(report.verdict == Verdict::Violation));
}
