//! tests/privacy.rs: the privacy claims of this crate.
use dp_assay::prelude::*;

gate! {
    /// A count with Laplace noise of scale 2 is 1/2-private when one record is added.
    fn the_count_is_as_private_as_it_says() {
        let count = from_fn("noisy count", |records: &Vec<bool>, tape| {
            let noise = 2.0 * tape.uniform(0, Purpose::User, 0).laplace();
            records.iter().filter(|r| **r).count() as f64 + noise
        });
        Audit::of(count)
            .claim(0.5, 0.0)
            .neighbours(Neighbouring::AddRemove, vec![true; 9], vec![true; 10])
    }
}
