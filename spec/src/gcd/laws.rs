//! Exact laws behind the privacy claims: what composed accesses and greedy selections reveal.
//!
//! Lower bounds here refute; they use the definition of (ε, δ) only: P(S) − e^ε Q(S) > δ.

use crate::arith::{Interval, Rational};

/// δ(ε) of k independent randomised responses of parameter e, exactly
/// Σ_l C(k, l) (P_l − e^ε Q_l)₊ with P_l = e^{(k−l)e}/(1+e^e)^k and Q_l = P_{k−l}: the optimal k-fold
/// composition of e-private accesses (Kairouz, Oh, Viswanath 2015; see `gcd-red-rr`).
#[must_use]
pub fn composed_responses(k: u32, e: &Interval, epsilon: &Interval) -> Interval {
    let (zero, one) = (Interval::from(0), Interval::from(1));
    let odds = e.exp();
    let start = (&odds / &(&odds + &one)).powi(k);
    // P_{l+1} = P_l/e^e and Q_l = P_l e^{−(k−2l)e}; past the middle P_l ≤ Q_l.
    let mut delta = zero.clone();
    let (mut p, mut ways) = (start, one.clone());
    for l in 0..=k / 2 {
        let loss = e * &Interval::from(i64::from(k) - 2 * i64::from(l));
        let part = (&one - &(epsilon - &loss).exp()).max(&zero);
        if part.hi().is_zero() {
            break;
        }
        delta = delta + &ways * &p * part;
        p = p / &odds;
        let step = Rational::from((k - l, l + 1));
        ways = ways * Interval::from_rational(&step);
    }
    delta
}

/// A lower bound of δ(ε) of Algorithm 1 with p = 1: T releases of e′-private Laplace values, each
/// reduced to the side of the midpoint on which it falls, which is a randomised response of parameter
/// ln((1 − e^{−e′/2}/2)/(e^{−e′/2}/2)).
#[must_use]
pub fn one_coordinate(rounds: u32, e: &Interval, epsilon: &Interval) -> Interval {
    let wrong = (-e / Interval::from(2)).exp() / Interval::from(2);
    let parameter = ((Interval::from(1) - &wrong) / wrong).ln();
    composed_responses(rounds, &parameter, epsilon)
}

/// A lower bound of δ(ε) of Algorithm 1 with two coordinates of equal score sensitivity, T rounds:
/// released values `release`-private as in [`one_coordinate`], and selections with noise scale
/// 1/`selection` score sensitivities between scores that start even and move apart. The index is then
/// a randomised response: under D the better candidate wins with probability 1 − (2+s)e^{−s}/4 up to
/// the probability e^{−10000} that a score, 10000 noise scales from 0, changes its sign.
#[must_use]
pub fn two_coordinates(
    rounds: u32,
    selection: &Interval,
    release: &Interval,
    epsilon: &Interval,
) -> Interval {
    let s = selection;
    let tail = (s + &Interval::from(2)) * (-s).exp() / Interval::from(4);
    let sign_flip = Interval::from(-10_000).exp();
    let wrong = (&tail - &sign_flip).hull(&(&tail + &sign_flip));
    let chosen = ((Interval::from(1) - &wrong) / wrong).ln();
    let wrong = (-release / Interval::from(2)).exp() / Interval::from(2);
    let released = ((Interval::from(1) - &wrong) / wrong).ln();
    // A weaker response is a post-processing of a stronger one; a fair coin of parameter 0 reveals
    // nothing. The better of: all of them at the weaker parameter, or the releases alone.
    let weaker = chosen.min(&released);
    composed_responses(2 * rounds, &weaker, epsilon)
        .max(&composed_responses(rounds, &released, epsilon))
}

/// δ(ε) = 1 − e^{(ε−e′)/2} of one e′-private Laplace release, for 0 ≤ ε ≤ e′ (`gcd-mech-lap`).
#[must_use]
pub fn laplace_profile(e: &Interval, epsilon: &Interval) -> Interval {
    let gap = (epsilon - e) / Interval::from(2);
    (Interval::from(1) - gap.exp()).max(&Interval::from(0))
}

/// The records that [`many_against_one`] is set among.
pub const RECORDS: u32 = 30_000_000;

/// A lower bound of P(S) − e^ε Q(S) for one round of Algorithm 1, S = {coordinate 1 is chosen}, in
/// which N other coordinates have score sensitivity 1 and noise scale `scale` (so `scale` = 1/e′ as
/// printed), coordinate 1 a score sensitivity κ = 10⁻⁵ with noise scale `scale`·κ, and all scores are
/// B = 100 under D; under D' the N others are 1 higher and coordinate 1 is κ lower. A score is at most
/// (n − 1)/2 sensitivities, so B ≤ κ(n − 1)/2: n = [`RECORDS`] = 3·10⁷ is enough.
///
/// With h = 10⁻²: coordinate 1 stays within h of its score except with probability e^{−h/(κ scale)};
/// the others fall below B − h independently with probability (e^{−h/scale} − e^{−(2B−h)/scale})/2 under
/// D, and below B − κ + h with probability at most e^{−(1+κ−h)/scale}/2 under D'.
#[must_use]
pub fn many_against_one(n: u32, scale: &Interval, epsilon: &Interval) -> Interval {
    let (kappa, h) = (Rational::from((1, 100_000)), Rational::from((1, 100)));
    let score = Rational::from(100);
    let largest = Rational::from(&kappa * (RECORDS - 1)) / Rational::from(2);
    if score > largest {
        return Interval::from(-1);
    }
    let half = Interval::from_rational(&Rational::from((1, 2)));
    let decay = |x: Rational| (-Interval::from_rational(&x) / scale).exp();
    let far = decay(Rational::from(&h / &kappa));
    let reach = score * Rational::from(2) - &h;
    let below = &half * (decay(h.clone()) - decay(reach));
    let p = (Interval::from(1) - &far) * below.powi(n);
    let below_moved = &half * decay(Rational::from(1) + kappa - h);
    let q = below_moved.powi(n) + far;
    p - epsilon.exp() * q
}

/// A lower bound of P(S) − e^ε Q(S) for one proximal round with ψ = ν|·| at w = 0 and all score
/// sensitivities 1, S = {coordinate 1 is chosen}: coordinate 1 has gradient 0, the N others ν under D
/// and ν + 1 under D'. A coordinate scores 0 exactly if its noisy gradient is within ν of 0; ties go to
/// the smallest index, so coordinate 1 is chosen whenever all others score 0, and otherwise only if its
/// own score is positive (probability at most e^{−(ν−1)/scale} under D').
#[must_use]
pub fn plateau(n: u32, scale: &Interval, nu: &Rational, epsilon: &Interval) -> Interval {
    let half = Interval::from_rational(&Rational::from((1, 2)));
    let decay = |x: Interval| (-x / scale).exp();
    let nu = Interval::from_rational(nu);
    let zero = &half * (Interval::from(1) - decay(&nu * Interval::from(2)));
    let p = zero.powi(n);
    let zero_moved = &half * decay(Interval::from(1));
    let q = zero_moved.powi(n) + decay(nu - Interval::from(1));
    p - epsilon.exp() * q
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64) -> Interval {
        Interval::from_f64(x)
    }

    #[test]
    fn one_response_has_its_closed_profile_and_none_reveals_nothing() {
        let delta = composed_responses(1, &at(1.0), &at(0.5));
        let expected = (1f64.exp() - 0.5f64.exp()) / (1.0 + 1f64.exp());
        assert!((delta.lo_f64() - expected).abs() < 1e-15 && delta.width() < 1e-30);
        assert!(composed_responses(5, &at(0.0), &at(0.1)).hi_f64() <= 0.0);
    }

    #[test]
    fn composition_is_between_basic_composition_and_one_access() {
        let (e, k) = (at(0.3), 7);
        assert!(composed_responses(k, &e, &at(2.1 + 1e-9)).hi_f64() <= 0.0);
        assert!(composed_responses(k, &e, &at(2.0)).lo_f64() > 0.0);
        assert!(
            one_coordinate(k, &e, &at(0.2)).lo_f64() > one_coordinate(1, &e, &at(0.2)).hi_f64()
        );
        assert!(
            laplace_profile(&e, &at(0.2)).hi_f64() < composed_responses(1, &e, &at(0.2)).lo_f64()
        );
    }

    #[test]
    fn many_moved_competitors_cost_their_number_times_the_single_loss() {
        // P = 2^{-N}, Q = 2^{-N} e^{-N e'}: with e' = 1/2 and N = 10 the loss is 5.
        let scale = at(2.0);
        // (1 + κ − 2h) instead of 1 in the exponent: between 4.85 and 5.
        let positive = |eps: f64| many_against_one(10, &scale, &at(eps)).lo_f64() > 0.0;
        assert!(positive(4.85) && !positive(5.01));
        let positive =
            |eps: f64| plateau(10, &scale, &Rational::from(200), &at(eps)).lo_f64() > 0.0;
        assert!(positive(4.99) && !positive(5.01));
    }
}
