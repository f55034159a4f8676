//! k-ary randomised response: the true answer with probability 1 − p, else a uniform one.

use super::AccountError;
use super::pld::discrete_law::DiscreteLaw;
use crate::units::Neighbouring;

/// The privacy losses of one response, one per direction of the relation.
///
/// Replace-one: two rows of the channel, symmetric. Zero-out: the record's row against the uniform
/// answer, both ways. `noise` is p in \[0, 1\], `buckets` k ≥ 2.
///
/// ```
/// use dp_assay::accounting::pld::law::LossLaw;
/// use dp_assay::accounting::response::laws;
/// use dp_assay::units::Neighbouring;
///
/// // The truth half of the time, else a fair coin: the loss is at most ln(¾/¼) nats.
/// let found = laws(0.5, 2, Neighbouring::ReplaceOne)?;
/// assert!((found[0].support().1 - 3f64.ln()).abs() < 1e-12);
/// // One record's channel says nothing about all records of a user.
/// assert!(laws(0.5, 2, Neighbouring::User).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Parameters out of range; add-remove and user-level neighbours, for which a channel of one record
/// says nothing.
pub fn laws(
    noise: f64,
    buckets: u64,
    neighbours: Neighbouring,
) -> Result<Vec<DiscreteLaw>, AccountError> {
    sampled_laws(noise, 1.0, buckets, neighbours)
}

/// As [`laws`] for records that take part with probability q and else give no answer, which everybody may see: δ(ε) is q times
/// that of a record that takes part.
///
/// ```
/// use dp_assay::accounting::pld::law::{LossLaw, profile};
/// use dp_assay::accounting::response::sampled_laws;
/// use dp_assay::units::Neighbouring;
///
/// // The truth half of the time, from one record in a hundred: where it answers, ln(¾/¼) nats.
/// let found = sampled_laws(0.5, 0.01, 2, Neighbouring::ReplaceOne)?;
/// assert!((found[0].support().1 - 3f64.ln()).abs() < 1e-12);
/// assert!((profile(&found[0], 0.0).hi - 0.01 * 0.5).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`laws`].
pub fn sampled_laws(
    noise: f64,
    rate: f64,
    buckets: u64,
    neighbours: Neighbouring,
) -> Result<Vec<DiscreteLaw>, AccountError> {
    let share = 0.0..=1.0;
    let rule = "must lie in [0, 1]";
    AccountError::check(share.contains(&noise), "noise parameter", noise, rule)?;
    AccountError::check(share.contains(&rate), "sampling rate", rate, rule)?;
    let k = buckets as f64;
    AccountError::check(
        (2..=1 << 20).contains(&buckets),
        "number of buckets",
        k,
        "must lie in [2, 2^20]",
    )?;
    let lie = rate * noise / k;
    let truth = rate * (1.0 - noise) + lie;
    // The answers that tell nothing apart are gathered in one, with none.
    let none = 1.0 - rate;
    let rest = none + (k - 2.0) * lie;
    let row = [truth, lie, rest];
    match neighbours {
        Neighbouring::ReplaceOne => Ok(vec![DiscreteLaw::from_masses(&row, &[lie, truth, rest])]),
        Neighbouring::ZeroOut => {
            let channel = [truth, (k - 1.0) * lie, none];
            let uniform = [rate / k, rate * (k - 1.0) / k, none];
            Ok(vec![
                DiscreteLaw::from_masses(&channel, &uniform),
                DiscreteLaw::from_masses(&uniform, &channel),
            ])
        }
        Neighbouring::AddRemove | Neighbouring::User => Err(AccountError::Unsupported {
            mechanism: "randomised response".to_string(),
            notion: "per-record",
            neighbours,
            why: ": a channel of one record says nothing of what comes or goes",
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::pld::law::LossLaw;

    /// Each law has the masses of the answers that tell its two sides apart.
    #[test]
    fn the_laws_of_a_response_have_the_masses_of_its_answers() {
        for (noise, rate, k) in [(0.5, 1.0, 4u64), (0.25, 0.5, 2), (0.1, 0.3, 100)] {
            let buckets = k as f64;
            let lie = rate * noise / buckets;
            // All answers but the record's own are lies.
            let truth = rate - (buckets - 1.0) * lie;
            let found = |neighbours| {
                let laws = sampled_laws(noise, rate, k, neighbours).expect("in range");
                // Of both laws all losses lie above −9.
                let all = |law: &DiscreteLaw| law.tails(-9.0).q * 9f64.exp();
                assert!(laws.iter().all(|law| (all(law) - 1.0).abs() < 8e-15));
                // The tail's second mass is e^ε times Q's, at ε = 10⁻⁹.
                let tails = laws.iter().map(|law| law.tails(1e-9));
                let tails = tails.map(|t| (t.p, t.q * (-1e-9f64).exp()));
                tails.collect::<Vec<_>>()
            };
            // Likelier on one side than on the other are the record's own answer, or all others.
            let own = [
                (truth, rate / buckets),
                (rate * (buckets - 1.0) / buckets, (buckets - 1.0) * lie),
            ];
            for (sides, wanted) in [
                (found(Neighbouring::ReplaceOne), vec![(truth, lie)]),
                (found(Neighbouring::ZeroOut), own.to_vec()),
            ] {
                assert_eq!(sides.len(), wanted.len());
                for (found, wanted) in sides.iter().zip(wanted) {
                    // Sums of masses of at most 1, a few roundings of 2⁻⁵³ each.
                    let apart = f64::max((found.0 - wanted.0).abs(), (found.1 - wanted.1).abs());
                    assert!(apart < 8e-15, "{k}: {found:?} {wanted:?}");
                }
            }
        }
    }
}
