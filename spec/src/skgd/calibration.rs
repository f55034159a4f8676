//! Section 4.1 and Appendix D.1: the noise scale, from the conversion to the whole algorithm.

use crate::arith::algebra::Steps;
use crate::arith::{Interval, Poly, Rational, ratio};
use crate::claim::{Check, Claim, Grounds, Kind, Verdict};
use crate::privacy::error::{PrivacyError, require};
use crate::privacy::gaussian::Gdp;
use crate::privacy::notion::Profile;
use crate::units::{Delta, Epsilon};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 5] = [
    LEM_D_8,
    LEM_D_8_READING_ONE_ORDER,
    THM_4_1,
    THM_4_1_DP,
    THM_4_1_DP_READING_VARIANCE,
];

/// `skgd-lem-D.8`, with the RDP bound holding at every order. γ cancels: ρ = γ/(2σ²) = ε²/(2cL) with
/// L = log(1/δ) and c = 3, and the best order 1 + √(L/ρ) gives ρ + 2√(ρL) = ε²/(2cL) + ε√(2/c). This
/// is at most ε exactly if ε/(2cL) ≤ 1 − √(2/c), and the left side grows with ε and falls with L.
pub const LEM_D_8: Claim = Claim {
    id: "skgd-lem-D.8",
    place: "App. D, Lemma D.8 (Mangold et al. 2022, Cor. B.8)",
    kind: Kind::Composition,
    statement: "(α, γα/(2σ²))-RDP for all α > 1 with σ = √(3γ·log(1/δ))/ε implies (ε, δ)-DP",
    hypotheses: "0 < ε < 1, 0 < δ < 1/3, γ > 0",
    rests_on: &["skgd-lem-D.7"],
    by_hand: &[],
    check: lem_d_8,
};

fn lem_d_8(c: &Check) -> Verdict {
    let factor = c.constant("factor of γ·log(1/δ)", 3);
    let largest_epsilon = c.constant("largest ε", 1);
    let largest_delta = c.constant("largest δ", ratio(1, 3));
    decide_conversion(
        &factor,
        &largest_epsilon,
        &largest_delta,
        "ε in (0, 1), δ in (0, 1/3), γ > 0",
    )
}

/// Decides whether ρ = ε²/(2·factor·log(1/δ)) suffices for all ε ≤ `epsilon`, δ ≤ `delta`.
///
/// Proved by the end point of the box (see `skgd-lem-D.8`); refuted by a Gaussian shift experiment,
/// whose Rényi divergence is exactly ρα, at one of the corners or at a very small δ.
fn decide_conversion(
    factor: &Rational,
    epsilon: &Rational,
    delta: &Rational,
    domain: &str,
) -> Verdict {
    if *factor <= 0 || *epsilon <= 0 || *delta <= 0 || *delta >= 1 {
        return Verdict::refuted(
            format!("factor {factor}, ε ≤ {epsilon}, δ ≤ {delta}: no noise scale is defined"),
            "signs of the printed constants",
            None,
        );
    }
    let log = -Interval::from_rational(delta).ln();
    let one = Interval::from(1);
    let two = Interval::from(2);
    let c = Interval::from_rational(factor);
    let needed = &Interval::from_rational(epsilon) / &(&two * &c * &log);
    let room = &one - &(&two / &c).sqrt();
    if needed.certainly_le(&room) {
        return Verdict::Proved(Grounds {
            domain: domain.to_owned(),
            slack: Some(proved_slack(factor, epsilon, &log)),
            evidence: format!(
                "ε/(2·{factor}·log(1/δ)) ≤ {:.6} < {:.6} ≤ 1 − √(2/{factor}) at the end point of \
                    the box by interval arithmetic; monotone in ε and δ. The conversion holds \
                    exactly where ε ≤ {:.4}·log(1/δ). The slack is what this conversion proves; no \
                    more than √({factor}/2) is possible, since a factor below 2 fails for a \
                    Gaussian shift as δ → 0",
                needed.hi_f64(),
                room.lo_f64(),
                (two * c * room).lo_f64(),
            ),
            remarks: Vec::new(),
        });
    }
    for tiny in [
        ratio(1, 1_000_000),
        power_of_ten(-30),
        power_of_ten(-200),
        delta.clone() * ratio(999, 1000),
    ] {
        let e = epsilon.clone() * ratio(999, 1000);
        let shift = shift_of(&e, &tiny, factor);
        if gaussian_profile(&shift, &e).lo_f64() > Interval::from_rational(&tiny).hi_f64() {
            return Verdict::refuted(
                format!(
                    "ε = {e}, log10 δ = {:.2}: a Gaussian shift of {:.4} standard deviations needs \
                        δ ≥ {:e}",
                    (Interval::from_rational(&tiny).ln() / Interval::from(10).ln()).hi_f64(),
                    shift.hi_f64(),
                    gaussian_profile(&shift, &e).lo_f64()
                ),
                "interval enclosure of the Gaussian privacy profile",
                None,
            );
        }
    }
    Verdict::open(
        "the order that minimises the converted ε leaves more than ε, and no Gaussian shift tried \
            violates it",
    )
}

/// How much smaller the noise could be by the same conversion: √(factor/c) for the smallest multiple c
/// of 1/1000 for which the end point of the box still passes.
fn proved_slack(factor: &Rational, epsilon: &Rational, log: &Interval) -> f64 {
    let two = Interval::from(2);
    let passes = |thousandths: &i64| {
        let c = Interval::from_rational(&ratio(*thousandths, 1000));
        let needed = Interval::from_rational(epsilon) / (&two * &c * log);
        needed.certainly_le(&(Interval::from(1) - (&two / &c).sqrt()))
    };
    let smallest = (2001..).find(passes).unwrap_or(i64::MAX);
    let ratio = Interval::from_rational(factor) / Interval::from_rational(&ratio(smallest, 1000));
    ratio.sqrt().lo_f64().max(1.0)
}

fn power_of_ten(exponent: i32) -> Rational {
    rug::ops::Pow::pow(Rational::from(10), exponent)
}

/// m = ε/√(factor·log(1/δ)), the shift in standard deviations of the whole transcript on the pair W1.
fn shift_of(epsilon: &Rational, delta: &Rational, factor: &Rational) -> Interval {
    let log = -Interval::from_rational(delta).ln();
    Interval::from_rational(epsilon) / (Interval::from_rational(factor) * log).sqrt()
}

/// The least δ for which a Gaussian shift of `shift` standard deviations is (ε, δ)-DP.
pub(crate) fn gaussian_profile(shift: &Interval, epsilon: &Rational) -> Interval {
    let experiment = Gdp { mu: shift.clone() };
    experiment.delta(&Interval::from_rational(epsilon))
}

/// `skgd-lem-D.8-reading-one-order`: the print names one (α, ·) without a quantifier. With a bound at
/// order 2 only, a two-cell mechanism is a counterexample.
pub const LEM_D_8_READING_ONE_ORDER: Claim = Claim {
    id: "skgd-lem-D.8-reading-one-order",
    place: "App. D, Lemma D.8",
    kind: Kind::Composition,
    statement: "(α, γα/(2σ²))-RDP at a single order α > 1 with σ = √(3γ·log(1/δ))/ε implies (ε, \
        δ)-DP",
    hypotheses: "0 < ε < 1, 0 < δ < 1/3, γ > 0",
    check: lem_d_8_one_order,
    ..Claim::ALONE
};

fn lem_d_8_one_order(c: &Check) -> Verdict {
    let factor = c.constant("factor of γ·log(1/δ)", 3);
    let (epsilon, delta) = (ratio(1, 2), ratio(1, 10_000));
    let (p, q) = (ratio(3, 10_000), ratio(1, 10_000));
    let law = |x: &Rational| [x.clone(), Rational::from(1) - x];
    let sum = super::finite::renyi_sum(&law(&p), &law(&q), 2).max(super::finite::renyi_sum(
        &law(&q),
        &law(&p),
        2,
    ));
    let log = -Interval::from_rational(&delta).ln();
    let e = Interval::from_rational(&epsilon);
    // At α = 2 the hypothesis reads log(sum) ≤ 2ρ = ε²/(factor·L).
    let budget = &e.square() / &(Interval::from_rational(&factor) * log);
    let allowed = e.exp() * Interval::from_rational(&q) + Interval::from_rational(&delta);
    let satisfies = Interval::from_rational(&sum).ln().certainly_le(&budget);
    if !(satisfies && allowed.certainly_lt(&Interval::from_rational(&p))) {
        return Verdict::open("the two-cell mechanism tried is no counterexample");
    }
    Verdict::refuted(
        format!(
            "α = 2, ε = {epsilon}, δ = {delta}, cells p = {p}, q = {q}: D_2 ≤ 2ρ in {budget}, yet \
                p > e^ε·q + δ in {allowed}"
        ),
        "exact two-cell sums; exponential and logarithm enclosed by intervals",
        Some("skgd-lem-D.8"),
    )
}

/// `skgd-thm-4.1`, σ_U being the standard deviation of the noise on each coordinate of U. The
/// sensitivity is 2L_U/n (Lemma 3.9), K·T steps with σ_U = Δ_U·σ are (α, KTα/(2σ²))-RDP, and
/// Lemma D.8 with γ = KT asks for σ_U² = (2L_U/n)²·3KT·log(1/δ)/ε².
pub const THM_4_1: Claim = Claim {
    id: "skgd-thm-4.1",
    place: "§4.1, Theorem 4.1, proof in App. D.1",
    kind: Kind::Calibration,
    statement: "σ_U² = 12·L_U²·K·T·log(1/δ)/(n²ε²) suffices for (ε, δ)-DP of the K·T noisy steps",
    hypotheses: "3.1, 3.3, 3.4, 3.7; 0 < ε ≤ 1, 0 < δ < 1/3 (the print omits 0 < δ); integers K, \
        T, n ≥ 1; replace-one; f is the mean of the losses, or that plus a differentiable function \
        free of data, such as a ridge; η ~ N(0, σ_S I) of line 6 read as of variance σ_S²",
    rests_on: &[
        "skgd-lem-3.9",
        "skgd-fact-sens-f",
        "skgd-cor-D.5-repaired",
        "skgd-lem-mixture",
        "skgd-prop-D.6",
        "skgd-lem-D.8",
    ],
    by_hand: &[],
    check: thm_4_1,
};

fn thm_4_1(c: &Check) -> Verdict {
    let printed = c.constant("factor of the variance", 12);
    let epsilon = c.constant("largest ε", 1);
    let delta = c.constant("largest δ", ratio(1, 3));
    // (2L/n)²·factor·KT·log(1/δ)/ε² with factor = printed/4.
    let factor = printed.clone() * ratio(1, 4);
    let rest = Poly::var("K") * Poly::var("T") * Poly::var("log") * Poly::power("ε", -2);
    let sensitivity = 2 * Poly::var("L") * Poly::power("n", -1);
    let derived = sensitivity.square() * Poly::from(factor.clone()) * &rest;
    let stated = Poly::from(printed) * Poly::var("L").square() * Poly::power("n", -2) * &rest;
    let identity =
        Steps::new()
            .positive(&["n", "ε"])
            .equal("(2L/n)²·3KT = 12L²KT/n²", &stated, &derived);
    match identity.proved_on("") {
        Verdict::Proved(_) => decide_conversion(
            &factor,
            &epsilon,
            &delta,
            "ε in (0, 1], δ in (0, 1/3), all integers K, T, n ≥ 1, all L_U > 0",
        ),
        other => other,
    }
}

/// `skgd-thm-4.1-dp`, σ_S being the standard deviation. Every run of the loops makes exactly K·T
/// noisy releases, whatever the sets drawn; the transcript of sets and noised coordinates is covered,
/// and w^T is a function of it and of inputs fixed before seeing the data.
pub const THM_4_1_DP: Claim = Claim {
    id: "skgd-thm-4.1-dp",
    place: "§4.1, Theorem 4.1, proof in App. D.1",
    kind: Kind::MechanismPrivacy,
    statement: "Algorithm 1 with η ~ N(0, σ_S I), read as of variance σ_S², and the scale of \
        Theorem 4.1 is (ε, δ)-DP (transcript, hence also w^T)",
    hypotheses: "as Theorem 4.1; w⁰, Γ, T, K, S and the L_U fixed independently of the data",
    rests_on: &[
        "skgd-thm-4.1",
        "skgd-lem-mixture",
        "skgd-prop-D.6",
        "skgd-lem-post-processing",
    ],
    by_hand: &[],
    check: thm_4_1_dp,
};

fn thm_4_1_dp(c: &Check) -> Verdict {
    let printed = c.constant("factor of the variance", 12);
    let extra = c.constant("inner steps beyond K per outer step", 0);
    // The loops t = 0, …, T−1 and k = 0, …, K−1 make T·(K + extra) releases against the K·T of the
    // scale; the ratio is largest at K = 1.
    let worst = extra + 1;
    if worst <= 0 {
        return Verdict::refuted("K = 1: no step is made", "count of the loop", None);
    }
    decide_conversion(
        &(printed / (Rational::from(4) * worst)),
        &Rational::from(1),
        &ratio(1, 3),
        "ε in (0, 1], δ in (0, 1/3), all integers K, T, n ≥ 1, all L_U > 0, every admissible S; \
            transcript",
    )
}

/// `skgd-thm-4.1-dp-reading-variance`: Algorithm 1 draws η ~ N(0, σ_S I), literally covariance σ_S I,
/// while Theorem 4.1 gives σ_U². Under this reading the shift on W1 grows with L_U.
pub const THM_4_1_DP_READING_VARIANCE: Claim = Claim {
    id: "skgd-thm-4.1-dp-reading-variance",
    place: "§4, Algorithm 1, line 6, with Theorem 4.1",
    kind: Kind::MechanismPrivacy,
    statement: "Algorithm 1 with η of covariance σ_S·I, σ_S² = 12·L_S²·K·T·log(1/δ)/(n²ε²), is (ε, \
        δ)-DP",
    hypotheses: "as Theorem 4.1",
    check: thm_4_1_dp_variance,
    ..Claim::ALONE
};

fn thm_4_1_dp_variance(c: &Check) -> Verdict {
    let printed = c.constant("factor of the variance", 12);
    let (lipschitz, epsilon, delta) = (Rational::from(100), Rational::from(1), ratio(1, 4));
    let log = -Interval::from_rational(&delta).ln();
    let l = Interval::from_rational(&lipschitz);
    let sigma = (Interval::from_rational(&printed) * l.square() * log).sqrt();
    // One step, one sample: the mean moves by 2L, the standard deviation is √σ.
    let shift = Interval::from(2) * l / sigma.sqrt();
    let profile = gaussian_profile(&shift, &epsilon);
    if !Interval::from_rational(&delta).certainly_lt(&profile) {
        return Verdict::open("the instance tried is no counterexample");
    }
    Verdict::refuted(
        format!(
            "pair W1 with d = n = K = T = 1, L = {lipschitz}, ε = {epsilon}, δ = {delta}: the \
                shift is {:.3} standard deviations and δ(ε) ≥ {:.6}",
            shift.lo_f64(),
            profile.lo_f64()
        ),
        "interval enclosure of the Gaussian privacy profile",
        Some("skgd-thm-4.1-dp"),
    )
}

/// The checked hypotheses of Theorem 4.1 (`skgd-thm-4.1`): replace-one neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypotheses {
    epsilon: Epsilon,
    delta: Delta,
    samples: u64,
    inner: u64,
    outer: u64,
}

impl Hypotheses {
    /// Checks ε in (0, 1\], δ in (0, 1/3), and n, K, T ≥ 1.
    ///
    /// # Errors
    /// Names the first parameter outside its range, with its value.
    pub fn check(
        epsilon: Epsilon,
        delta: Delta,
        samples: u64,
        inner: u64,
        outer: u64,
    ) -> Result<Self, PrivacyError> {
        let (e, d) = (epsilon.get(), delta.get());
        require(e > 0.0 && e <= 1.0, "epsilon", &e, "must lie in (0, 1]")?;
        // 1/3 rounded to a double is below 1/3, so `<=` would also be right; `<` is the print.
        require(
            d > 0.0 && d < 1.0 / 3.0,
            "delta",
            &d,
            "must lie in (0, 1/3)",
        )?;
        for (name, count) in [("n", samples), ("K", inner), ("T", outer)] {
            require(count > 0, name, &count, "must be at least 1")?;
        }
        Ok(Self {
            epsilon,
            delta,
            samples,
            inner,
            outer,
        })
    }

    /// The printed noise scale σ_U of a block with Lipschitz constant L_U, as an enclosure of the
    /// standard deviation per coordinate, in the units of L_U. This is `skgd-thm-4.1`, which is
    /// proved under the standard-deviation reading; no repaired scale is needed.
    ///
    /// # Errors
    /// When `lipschitz` is not finite and positive.
    pub fn scale(&self, lipschitz: f64) -> Result<Interval, PrivacyError> {
        let finite = lipschitz.is_finite() && lipschitz > 0.0;
        require(
            finite,
            "Lipschitz constant",
            &lipschitz,
            "must be finite and > 0",
        )?;
        let whole = |count: u64| Interval::from_rational(&Rational::from(count));
        let log = -Interval::from_f64(self.delta.get()).ln();
        let steps = Rational::from(self.inner) * Rational::from(self.outer);
        let root = (Interval::from(12) * Interval::from_rational(&steps) * log).sqrt();
        Ok(Interval::from_f64(lipschitz) * root
            / (whole(self.samples) * Interval::from_f64(self.epsilon.get())))
    }

    /// The distance, in standard deviations, between the two transcript laws on the worst pair W1:
    /// ε/√(3·log(1/δ)), whatever n, K, T and the L_U are.
    #[must_use]
    pub fn transcript_shift(&self) -> Interval {
        let log = -Interval::from_f64(self.delta.get()).ln();
        Interval::from_f64(self.epsilon.get()) / (Interval::from(3) * log).sqrt()
    }
}
