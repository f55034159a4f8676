//! Certified pairs of what the specification knows by no name of its own.

use super::DominatingPair;
use crate::accounting::AccountError;
use crate::units::Neighbouring;
use dp_assay_spec::arith::Interval;
use dp_assay_spec::privacy::FinitePair;
use dp_assay_spec::privacy::choice::randomized_response_pair;

/// The pair of a randomised response under the relation, as in [`crate::accounting::response`].
pub(super) fn response(
    (noise, buckets): (f64, u64),
    neighbours: Neighbouring,
) -> Result<DominatingPair, AccountError> {
    crate::accounting::response::laws(noise, buckets, neighbours)?;
    let (noise, buckets) = (Interval::from_f64(noise), integer(buckets)?);
    if neighbours == Neighbouring::ReplaceOne {
        return Ok(DominatingPair::Finite(randomized_response_pair(
            &noise, buckets,
        )?));
    }
    let (one, k) = (Interval::from(1), Interval::from(i64::from(buckets)));
    let share = &noise / &k;
    let others = &k - &one;
    let row = vec![&(&one - &noise) + &share, &others * &share];
    let uniform = vec![&one / &k, &others / &k];
    Ok(DominatingPair::Finite(FinitePair::new(row, uniform)?))
}

/// The worst pair of an (ε, δ)-DP mechanism: a randomised response that leaks with probability δ
/// (Kairouz, Oh and Viswanath 2017).
pub(super) fn leaking(epsilon: f64, delta: f64) -> Result<DominatingPair, AccountError> {
    let (one, delta) = (Interval::from(1), Interval::from_f64(delta));
    let odds = (-&Interval::from_f64(epsilon)).exp();
    let kept = &(&one - &delta) / &(&one + &odds);
    let (likely, unlikely) = (kept.clone(), &kept * &odds);
    let zero = Interval::from(0);
    let near = vec![
        delta.clone(),
        likely.clone(),
        unlikely.clone(),
        zero.clone(),
    ];
    let far = vec![zero, unlikely, likely, delta];
    Ok(DominatingPair::Finite(FinitePair::new(near, far)?))
}

/// A number as the specification counts.
///
/// # Errors
/// 2³² or more.
pub(in crate::accounting) fn integer(count: u64) -> Result<u32, AccountError> {
    u32::try_from(count).map_err(|_| AccountError::Domain {
        name: "integer parameter",
        value: count as f64,
        rule: "must be below 2^32 for the certified oracle",
    })
}
