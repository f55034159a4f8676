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

/// Bounds of P(S) from below and Q(S) from above for one proximal round with ψ = ν|·| at w = 0 and all score
/// sensitivities 1, S = {coordinate 1 is chosen}: coordinate 1 has gradient 0, the N others ν under D
/// and ν + 1 under D'. A coordinate scores 0 exactly if its noisy gradient is within ν of 0. If all others score 0 coordinate 1 is
/// chosen with probability at least `tie`, its share of a tie of all: 1 where ties go to the smallest index, 1/(N + 1) where they
/// are broken at random. Otherwise it is chosen only if its own score is positive (probability at most e^{−(ν−1)/scale}).
#[must_use]
pub fn plateau_laws(
    n: u32,
    scale: &Interval,
    nu: &Rational,
    tie: &Rational,
) -> (Interval, Interval) {
    let half = Interval::from_rational(&Rational::from((1, 2)));
    let decay = |x: Interval| (-x / scale).exp();
    let (nu, tie) = (Interval::from_rational(nu), Interval::from_rational(tie));
    let zero = &half * (Interval::from(1) - decay(&nu * Interval::from(2)));
    let zero_moved = &half * decay(Interval::from(1));
    (
        &tie * zero.powi(n),
        &tie * zero_moved.powi(n) + decay(nu - Interval::from(1)),
    )
}

/// P(S) − e^ε Q(S) by [`plateau_laws`].
#[must_use]
pub fn plateau(
    n: u32,
    scale: &Interval,
    (nu, tie): (&Rational, &Rational),
    epsilon: &Interval,
) -> Interval {
    let (p, q) = plateau_laws(n, scale, nu, tie);
    p - epsilon.exp() * q
}

/// A lower bound of P(S) − e^ε Q(S) for the same round with fresh noise in the update, S = {coordinate 1 moves}: its gradient
/// is ν − b, the N others have ν under D and ν + 1 under D'.
///
/// Coordinate 1 moves if it is chosen and its own noise leaves \[−ν, ν\], with probability s under both. It is chosen with
/// probability `tie` if all score 0 (as in [`plateau_laws`]), and else if its score x > 0 is the largest: with λ the scale and t = e^{−2ν/λ} the
/// others stay below x with probability at least (1 − e^{−x/λ}/2)(1 − t) each under D, and under D' at most ½ for x < 1, and
/// 1 − e^{−(x−1)/λ}/2 from there on. The density of x is e^{−(b+x)/λ}/2λ, and no more than that of a mass
/// e^{−(2ν−b)/λ}/2 beside it.
#[must_use]
pub fn moved_plateau(
    n: u32,
    scale: &Interval,
    (nu, below, tie): (&Rational, &Rational, &Rational),
    epsilon: &Interval,
) -> Interval {
    let tie = Interval::from_rational(tie);
    let (one, half) = (
        Interval::from(1),
        Interval::from_rational(&Rational::from((1, 2))),
    );
    let decay = |x: &Rational| (-Interval::from_rational(x) / scale).exp();
    let twice = Rational::from(2 * nu);
    let (far, near) = (decay(&twice), decay(below));
    let other_side = &half * decay(&(twice - below));
    let moves = &half * &near + &other_side;
    let moved = decay(&Rational::from(1));
    // ∫₀¹ (1 − u/2)^N du = 2(1 − 2^{−(N+1)})/(N + 1).
    let largest = &near * (&one - half.powi(n + 1)) / Interval::from(i64::from(n + 1));
    let zero = &half * (&one - &far);
    let p = &tie * (&one - &moves) * zero.powi(n) + &largest * (&one - &far).powi(n);
    let zero_moved = tie * (&half * &moved).powi(n);
    let at_once = &half * &near * (&one - &moved) * half.powi(n);
    let q = zero_moved + other_side + at_once + largest * moved;
    moves * (p - epsilon.exp() * q)
}

/// One round of Algorithm 1 in which coordinate 1 stands against others with larger score sensitivities, all equal:
/// linear losses (`gcd-pair`), under D' the others one sensitivity higher and coordinate 1 one of its own lower.
pub struct SelectionRound {
    /// How many other coordinates there are, N = p − 1.
    pub others: u32,
    /// Their score sensitivity over that of coordinate 1.
    pub ratio: u32,
    /// How far the others' scores are above that of coordinate 1 under D, in their sensitivities.
    pub gap: u32,
    /// ε′: each noise scale is the sensitivity over ε′.
    pub access: Interval,
    /// n: scores are at most (n − 1)/2 sensitivities; that of coordinate 1 is put at 2n/5 of its own.
    pub records: u32,
}

impl SelectionRound {
    /// A lower bound of every ε for which the round is (ε, δ)-DP: ln((P − δ)/Q), P and Q the probabilities that
    /// coordinate 1 is chosen. −∞ if P may be below δ.
    ///
    /// Without the moduli these are `wins`. With them a noisy score has the distribution function F(x − y) − F(−x − y) ≤
    /// F(x − y), which is at least (1 − e^{−h})F(x − y) where x is at least half of the height h of coordinate 1 (all in
    /// units of the others' noise scale).
    #[must_use]
    pub fn least_epsilon(&self, delta: &Interval) -> Interval {
        let (one, two) = (Interval::from(1), Interval::from(2));
        let (n, ratio) = (
            Interval::from(i64::from(self.records)),
            Interval::from(i64::from(self.ratio)),
        );
        let height = &n * &self.access * &two / (Interval::from(5) * &ratio);
        let gap = Interval::from(i64::from(self.gap)) * &self.access;
        let moved = &gap + &((&one + &(&one / &ratio)) * &self.access);
        let low = (-(&height * &ratio / &two)).exp();
        let folded = (&one - &(-&height).exp()).powi(self.others);
        let p = folded * (wins(self.others, self.ratio, &gap) - low);
        let negative = (&self.access - &(&height * &ratio)).exp();
        let q = wins(self.others, self.ratio, &moved) + negative;
        ((p - delta) / q).max(&Interval::from(0)).ln()
    }
}

/// P\[X₁ > max X_k\] for N independent X_k ~ Lap(1) and X₁ ~ Lap(1/ρ) − g, g ≥ 0: the integral of the density of X₁
/// times F^N below −g, between −g and 0, and above 0, where F(x) = e^x/2 for x ≤ 0 and 1 − e^{−x}/2 beyond.
fn wins(others: u32, ratio: u32, gap: &Interval) -> Interval {
    let half = Interval::from_rational(&Rational::from((1, 2)));
    let share = Interval::from_rational(&Rational::from((others, ratio)));
    let one = Interval::from(1);
    let own = (-(gap * &Interval::from(i64::from(ratio)))).exp();
    let all = (-(gap * &Interval::from(i64::from(others)))).exp();
    let below = &all / &(&one + &share);
    let between = match others == ratio {
        true => gap * &Interval::from(i64::from(ratio)) * &own,
        false => (&own - &all) / (share - one),
    };
    // Σ_k C(N, k) (−1/2)^k ρ/(ρ + k), exactly.
    let (mut above, mut term) = (Rational::new(), Rational::from(1));
    for k in 0..=others {
        above += Rational::from(&term * ratio) / (ratio + k);
        term *= Rational::from((others - k, k + 1)) / -2;
    }
    (below + between) * half.powi(others + 1) + half * own * Interval::from_rational(&above)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::privacy::selection::NoisyMax;

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
    }

    #[test]
    fn many_moved_competitors_cost_their_number_times_the_single_loss() {
        // P = 2^{-N}, Q = 2^{-N} e^{-N e'}: with e' = 1/2 and N = 10 the loss is 5.
        let scale = at(2.0);
        // (1 + κ − 2h) instead of 1 in the exponent: between 4.85 and 5.
        let positive = |eps: f64| many_against_one(10, &scale, &at(eps)).lo_f64() > 0.0;
        assert!(positive(4.85) && !positive(5.01));
        for tie in [Rational::from(1), Rational::from((1, 11))] {
            let nu = Rational::from(200);
            let positive = |eps| plateau(10, &scale, (&nu, &tie), &at(eps)).lo_f64() > 0.0;
            assert!(positive(4.99) && !positive(5.01));
        }
    }

    /// Two routes: the closed form, and sums over the score of coordinate 1. The bound says little less.
    #[test]
    fn a_coordinate_that_moves_is_bounded_closely_from_below() {
        let (scale, nu, b, e) = (33.245_f64, 2000.0_f64, 1000.0_f64, 1.0_f64);
        let bound = |scale: f64, tie: &Rational| {
            let [nu, b] = [2000, 1000].map(Rational::from);
            moved_plateau(35, &at(scale), (&nu, &b, tie), &at(e))
        };
        let below = |x: f64| match x < 0.0 {
            true => 0.5 * (x / scale).exp(),
            false => 1.0 - 0.5 * (-x / scale).exp(),
        };
        // 1 − below(b), which rounds to a few digits, and below(b − 2ν).
        let moves = below(-b) + below(b - 2.0 * nu);
        let chosen = |up: f64, tie: &Rational| {
            // A score of at most x: the noise in [−2ν − x − up, x − up].
            let under = |x: f64| below(x - up) - below(-2.0 * nu - x - up);
            let step = 0.01;
            let largest: f64 = (0..200_000)
                .map(|i| {
                    let x = step * (f64::from(i) + 0.5);
                    step * (-(b + x) / scale).exp() / (2.0 * scale) * under(x).powi(35)
                })
                .sum();
            tie.to_f64() * (1.0 - moves) * under(0.0).powi(35) + largest
        };
        for tie in [Rational::from(1), Rational::from((1, 36))] {
            let truth = moves * (chosen(0.0, &tie) - e.exp() * chosen(1.0, &tie));
            let lo = bound(scale, &tie).lo_f64();
            // The midpoint rule is off by about (step/scale)²/24 = 4·10⁻⁹ of the sum, of which P − e^ε Q is a sixtieth or more.
            assert!(
                lo <= truth * (1.0 + 1e-6) && truth <= lo * 1.02,
                "{lo:e}, {truth:e}"
            );
            // With half as much noise again nothing is left of it.
            assert!(bound(1.5 * scale, &tie).hi_f64() < 0.0);
        }
    }

    /// Two routes: the closed form, and the quadrature of the exact law of the selection.
    #[test]
    fn the_closed_law_of_a_round_agrees_with_the_exact_law_of_the_selection() {
        for (others, ratio, gap) in [(1, 1, 0), (3, 3, 2), (4, 7, 1)] {
            let mut scores = vec![Rational::from(gap); others as usize];
            scores.insert(0, Rational::new());
            let mut scales = vec![Rational::from(1); others as usize];
            scales.insert(0, Rational::from((1, ratio)));
            let exact = NoisyMax::laplace(&scores, &scales, false)
                .expect("admissible")
                .law();
            let closed = wins(others, ratio, &Interval::from(gap));
            let agree = exact[0].intersect(&closed).is_some();
            assert!(
                agree && closed.width() < 1e-25 && exact[0].width() < 1e-15,
                "{closed} {}",
                exact[0]
            );
        }
    }

    /// The bound with moduli lies below ε of the exact law with moduli, and near it.
    #[test]
    fn the_least_epsilon_of_a_round_bounds_the_exact_law_from_below() {
        let round = SelectionRound {
            others: 3,
            ratio: 2,
            gap: 4,
            access: at(0.5),
            records: 1000,
        };
        let law = |up: i64| {
            // Height 2n/5 of its own sensitivities is 200 of the others'.
            let own = Rational::from(200) - Rational::from((up, 2));
            let scores: Vec<_> = [own]
                .into_iter()
                .chain([(); 3].map(|()| Rational::from(204 + up)))
                .collect();
            let scales = [1, 2, 2, 2].map(Rational::from);
            NoisyMax::laplace(&scores, &scales, true)
                .expect("admissible")
                .law()[0]
                .clone()
        };
        let exact = ((law(0) - at(1e-6)) / law(1)).ln();
        let bound = round.least_epsilon(&at(1e-6));
        assert!(
            bound.lo_f64() <= exact.hi_f64() && bound.lo_f64() > exact.lo_f64() - 1e-9,
            "{bound} {exact}"
        );
    }
}
