//! The law of noise, from standardised draws: variance, and independence of what has to be independent.
//!
//! Every check compares a mean of n values with its expectation in units of its standard error, and fails beyond six of
//! them: a false alarm, over the choice of the tape, has probability below 10⁻⁸ for each (2·10⁻⁹ for a normal mean,
//! more for the tails of squares at the sizes used here). Tapes are fixed, so that none can come up by chance.

/// Fails where the mean of the values is six standard errors from what is expected, `spread` being the deviation of one.
#[track_caller]
fn near(values: impl Iterator<Item = f64>, expected: f64, spread: f64, what: &str) {
    let (mut sum, mut count) = (0.0, 0.0_f64);
    for value in values {
        sum += value;
        count += 1.0;
    }
    assert!(count >= 400.0, "{what}: {count} values show nothing");
    let off = (sum / count - expected) * count.sqrt() / spread;
    assert!(
        off.abs() < 6.0,
        "{what}: {off} standard errors from {expected}"
    );
}

/// Independent standard normal variates: mean, variance, and no correlation with themselves at the lags given. Power:
/// with 2000 values a variance that is off by a third is seen with probability above 1 − 10⁻⁵.
#[track_caller]
pub fn standard_normal(z: &[f64], lags: &[usize], what: &str) {
    near(z.iter().copied(), 0.0, 1.0, &format!("{what}: mean"));
    let squares = z.iter().map(|z| z * z);
    near(squares, 1.0, 2f64.sqrt(), &format!("{what}: variance"));
    for &lag in lags {
        uncorrelated(
            &z[lag..],
            &z[..z.len() - lag],
            &format!("{what}: lag {lag}"),
        );
    }
}

/// No correlation between two rows of independent variates of variance 1.
#[track_caller]
pub fn uncorrelated(a: &[f64], b: &[f64], what: &str) {
    let products = a.iter().zip(b).map(|(a, b)| a * b);
    near(products, 0.0, 1.0, &format!("{what}: correlation"));
}

/// Independent Laplace variates of scale 1: signs, moduli, and no correlation from one to the next.
#[track_caller]
pub fn standard_laplace(x: &[f64], what: &str) {
    near(
        x.iter().map(|x| x.signum()),
        0.0,
        1.0,
        &format!("{what}: signs"),
    );
    near(
        x.iter().map(|x| x.abs()),
        1.0,
        1.0,
        &format!("{what}: moduli"),
    );
    let scaled: Vec<f64> = x.iter().map(|x| x / 2f64.sqrt()).collect();
    uncorrelated(&scaled[1..], &scaled[..scaled.len() - 1], what);
}

/// How often something of probability p happened in n independent trials.
#[track_caller]
pub fn frequency(found: u64, trials: u64, p: f64, what: &str) {
    let n = trials as f64;
    let off = (found as f64 - n * p) / (n * p * (1.0 - p)).sqrt();
    assert!(n * p * (1.0 - p) > 50.0, "{what}: too few trials");
    assert!(
        off.abs() < 6.0,
        "{what}: {found} of {trials}, {off} deviations from {p}"
    );
}
