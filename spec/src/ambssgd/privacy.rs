//! Theorem 3.6: privacy of DP-AMBSSGD and its calibration.

use super::clipping::block_reads;
use super::shuffled::step_sensitivity;
use crate::arith::algebra::Steps;
use crate::arith::{Interval, Poly, Rational, ratio};
use crate::claim::{Check, Claim, Grounds, Kind, Verdict};
use crate::privacy::error::{PrivacyError, require};
use crate::prove::Argument;
use crate::skgd::calibration::gaussian_profile;
use crate::units::{Delta, Epsilon};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 7] = [
    THM_3_6_SENS,
    THM_3_6_COMP,
    THM_3_6_ZCDP,
    THM_3_6_ZCDP_PROOF,
    THM_3_6_CAL,
    THM_3_6_CAL_SMALL,
    CONV_ZCDP,
];

/// `ambssgd-thm-3.6-sens`. One of b averaged clipped gradients changes. The proof writes the batch
/// index as τ(t) + i where Algorithm 2 has τ + s + i.
pub const THM_3_6_SENS: Claim = Claim {
    id: "ambssgd-thm-3.6-sens",
    place: "App. B.1.2, proof of Theorem 3.6",
    kind: Kind::Sensitivity,
    statement: "the noiseless step of Algorithm 2 has L2 sensitivity 2ηζ_t/b under replacement of a record of its batch",
    hypotheses: "fixed w_t, ζ_t; clip with min",
    rests_on: &["ambssgd-def-clip"],
    by_hand: &[],
    check: |c| step_sensitivity(c, &Poly::power("b", -1)),
};

/// `ambssgd-thm-3.6-comp`. The gradient costs (2ηζ/b)²/(2·(2ηζα/b)²) = 1/(2α²), DP-STAT 1/(2α²). Walking
/// the printed index ranges, every record of a block is read by one of the two, except record τ + s,
/// which both read: the maximum over records is 1/α². With disjoint ranges it would be 1/(2α²), that is
/// noise smaller by √2 would do. Later blocks see the record only through released values. Under
/// the random permutation the position is a data-independent mixture.
pub const THM_3_6_COMP: Claim = Claim {
    id: "ambssgd-thm-3.6-comp",
    place: "App. B.1.2, proof of Theorem 3.6",
    kind: Kind::Composition,
    statement: "ρ_{t,1} = ρ_{t,2} = 1/(2α²), ρ_t = 1/α², and max_t ρ_t = 1/α² over the blocks",
    hypotheses: "replace-one; (γ_t, w_t) released for all t; any order of the records (a random one gives a mixture of these: \
                 skgd-lem-mixture)",
    rests_on: &[
        "ambssgd-thm-3.6-sens",
        "ambssgd-lem-3.10-priv",
        "skgd-prop-D.6",
        "skgd-lem-mixture",
    ],
    by_hand: &[],
    check: thm_3_6_comp,
};

fn thm_3_6_comp(c: &Check) -> Verdict {
    let noise = Poly::from(c.constant("factor of ζ_tα/b in the noise of a step", 2));
    let total = Poly::from(c.constant("total in units of 1/α²", 1));
    if noise.is_zero() {
        return Verdict::refuted("no noise is added to the gradient", "factor 0", None);
    }
    let inverse = noise
        .eval(&crate::arith::Point::new())
        .map(|x| Poly::from(Rational::from(1) / x));
    let Some(inverse) = inverse else {
        return Verdict::open("the noise factor is not a number");
    };
    // Sensitivity 2ηζ/b over noise factor·ηζα/b.
    let gradient = ratio(1, 2) * (2 * inverse).square() * Poly::power("α", -2);
    let statistics = ratio(1, 2) * Poly::power("α", -2);
    let worst = worst_record(&gradient, &statistics);
    Steps::new()
        .positive(&["α"])
        .at_most(
            "the record that both mechanisms read",
            &worst,
            total * Poly::power("α", -2),
        )
        .note("Index ranges walked for b, s ≤ 4; only record τ + s of a block is read twice.")
        .proved_on("all b, s ≥ 1, T, α > 0, arbitrary data")
}

/// The largest sum of costs over the records of the blocks, by walking the printed index ranges; costs
/// are compared by how many mechanisms read a record, both being positive.
pub(super) fn worst_record(gradient: &Poly, statistics: &Poly) -> Poly {
    let mut read_by_both = false;
    for (b, s) in (1..=4).flat_map(|b| (1..=4).map(move |s| (b, s))) {
        let (stat, batch) = block_reads(b, s, 1);
        read_by_both |= stat.clone().any(|i| batch.contains(&i));
    }
    if read_by_both {
        gradient + statistics
    } else {
        gradient.clone()
    }
}

/// `ambssgd-thm-3.6-zcdp`, releasing every γ_t and w_t (hence w̄).
pub const THM_3_6_ZCDP: Claim = Claim {
    id: "ambssgd-thm-3.6-zcdp",
    place: "§3.2, Theorem 3.6, proof in App. B.1.2",
    kind: Kind::MechanismPrivacy,
    statement: "Algorithm 2 with noise multiplier α is (1/α²)-zCDP",
    hypotheses: "replace-one, arbitrary data, α > 0; parameters fixed independently of the data; any order of the records (a \
                 random one gives a mixture of these: skgd-lem-mixture)",
    rests_on: &["ambssgd-thm-3.6-comp"],
    by_hand: &[],
    check: thm_3_6_zcdp,
};

fn thm_3_6_zcdp(c: &Check) -> Verdict {
    let total = Poly::from(c.constant("total in units of 1/α²", 1));
    let each = ratio(1, 2) * Poly::power("α", -2);
    let worst = worst_record(&each, &each);
    // Record τ + 1 is read by DP-STAT alone, and the gradient alone costs 1/(2α²) on the pair W1a.
    Steps::new()
        .positive(&["α"])
        .at_most(
            "a record of the gradient batch alone (pair W1a)",
            &each,
            &total * Poly::power("α", -2),
        )
        .suffices("record τ + s", &worst, total * Poly::power("α", -2))
        .note("Post-processing gives w̄.")
        .proved_on("all b, s ≥ 1, T, α > 0, arbitrary data")
}

/// `ambssgd-thm-3.6-zcdp-proof`: the noisy counts of DP-STAT are released as well. For
/// m = 1 record τ + s costs 1/(2α²) + 2/(2α²).
pub const THM_3_6_ZCDP_PROOF: Claim = Claim {
    id: "ambssgd-thm-3.6-zcdp-proof",
    place: "§3.2, Theorem 3.6, for all noisy counts and iterates",
    kind: Kind::MechanismPrivacy,
    statement: "Algorithm 2, releasing the noisy counts of DP-STAT too, is (1/α²)-zCDP",
    hypotheses: "replace-one, arbitrary data, α > 0, m = 1",
    check: zcdp_transcript,
    ..Claim::ALONE
};

fn zcdp_transcript(c: &Check) -> Verdict {
    let total = c.constant("total in units of 1/α²", 1);
    // Pair W4 at record τ + s, m = 1, α = 1, s = 100: D_1 of the counts is (1/2)(1 + Φ(99)), and that of
    // the gradient, whose clipped value is reversed, 1/2 whatever the counts were.
    let counts =
        Interval::from_rational(&ratio(1, 2)) * (Interval::from(1) + Interval::from(99).phi());
    let divergence = counts + Interval::from_rational(&ratio(1, 2));
    let allowed = Interval::from_rational(&total);
    Argument::new(c)
        .repaired("ambssgd-thm-3.6-zcdp")
        .states_that("order → 1 on the pair W4", !allowed.certainly_lt(&divergence), || {
            format!("m = 1, α = 1, s = 100, record τ + s replaced (pair W4): D_1 ≥ {}, allowed {total}", divergence.lo_f64())
        })
        .open_for("one pair")
}

/// `ambssgd-thm-3.6-cal`, the first form. With l = √log(1/δ) and e = √(log(1/δ)+ε) the conversion asks for
/// 1/α ≤ e − l = ε/(e + l); 2e ≥ e + l gives the first form, and for ε ≤ log(1/δ), e ≤ √2·l, the second
/// ([`THM_3_6_CAL_SMALL`]), which holds exactly up to ε = (8 − 4√2)·log(1/δ) ≈ 2.34·log(1/δ).
pub const THM_3_6_CAL: Claim = Claim {
    id: "ambssgd-thm-3.6-cal",
    place: "§3.2, Theorem 3.6, proof in App. B.1.2",
    kind: Kind::Calibration,
    statement: "(1/α²)-zCDP is (ε, δ)-DP for α ≥ 2√(log(1/δ)+ε)/ε",
    hypotheses: "ε > 0, δ in (0, 1)",
    rests_on: &["ambssgd-conv-zcdp"],
    by_hand: &[],
    check: |c| calibrated(c, true, false),
};

/// `ambssgd-thm-3.6-cal-small`, the second form.
pub const THM_3_6_CAL_SMALL: Claim = Claim {
    id: "ambssgd-thm-3.6-cal-small",
    statement: "(1/α²)-zCDP is (ε, δ)-DP for α ≥ √(8·log(1/δ))/ε if ε ≤ log(1/δ)",
    hypotheses: "0 < ε ≤ log(1/δ), δ in (0, 1)",
    check: |c| calibrated(c, false, true),
    ..THM_3_6_CAL
};

/// Both forms.
pub(super) fn thm_3_6_cal(c: &Check) -> Verdict {
    calibrated(c, true, true)
}

fn calibrated(c: &Check, one: bool, other: bool) -> Verdict {
    let constant = |wanted: bool, name: &'static str, value: i32| match wanted {
        true => c.constant(name, value),
        false => Rational::from(value),
    };
    let first = constant(one, "factor of √(log(1/δ)+ε)/ε", 2);
    let second = constant(other, "squared factor of √log(1/δ)/ε", 8);
    if let Some(refuted) = gaussian_counterexample(&first, &second) {
        return refuted;
    }
    let [l, t] = ["l", "t"].map(Poly::var);
    let e = &l + &t;
    // Second form: e² = l² + ε ≤ 2l² as ε ≤ l²; (e + l)² ≤ second·l² with e² = 2l² − r, and
    // (e + l)² = e² + 2el + l² where 2el ≤ e² + l².
    let square = 2 * l.square() - Poly::var("r");
    let doubled = 2 * (square + l.square());
    // 2(e² + l²) ≤ 6l², below 8l².
    match Steps::new()
        .positive(&["l", "t", "r"])
        .suffices("e + l ≤ 2e", &e + &l, Poly::from(first) * &e)
        .suffices(
            "(e + l)² ≤ 2(e² + l²) ≤ 8l²",
            &doubled,
            Poly::from(second) * l.square(),
        )
        .equal(
            "ε/(e + l) = e − l",
            e.square() - l.square(),
            (&e + &l) * (&e - &l),
        )
        .proved_on("")
    {
        Verdict::Proved(p) => Verdict::Proved(Grounds {
            domain: match (one, other) {
                (true, false) => "all ε > 0, δ in (0, 1)",
                (false, true) => "0 < ε ≤ log(1/δ), δ in (0, 1)",
                _ => "first form: all ε > 0, δ in (0, 1); second form: ε ≤ log(1/δ)",
            }
            .to_owned(),
            ..p
        }),
        other => other,
    }
}

/// A Gaussian mechanism with ρ = 1/α² exactly, at small δ, if the factor is too small.
fn gaussian_counterexample(first: &Rational, second: &Rational) -> Option<Verdict> {
    if *first <= 0 || *second <= 0 {
        return Some(Verdict::refuted(
            "no positive noise multiplier is prescribed",
            "signs of the constants",
            None,
        ));
    }
    let i = Interval::from_rational;
    let epsilon = Rational::from(1);
    let delta: Rational = rug::ops::Pow::pow(Rational::from(10), -100);
    let log = -i(&delta).ln();
    let forms = [
        (
            "first",
            i(first) * (&log + &i(&epsilon)).sqrt() / i(&epsilon),
        ),
        ("second", (i(second) * log).sqrt() / i(&epsilon)),
    ];
    forms.into_iter().find_map(|(name, alpha)| {
        // The shift of a Gaussian mechanism with ρ = 1/α² is √2/α.
        let shift = Interval::from(2).sqrt() / alpha;
        let profile = gaussian_profile(&shift, &epsilon);
        i(&delta).certainly_lt(&profile).then(|| {
            Verdict::refuted(
                format!("{name} form at ε = 1, δ = 10^-100: a Gaussian mechanism with ρ = 1/α² needs δ ≥ {:e}", profile.lo_f64()),
                "interval enclosure of the Gaussian privacy profile",
                None,
            )
        })
    })
}

/// `ambssgd-conv-zcdp`. μρ + L/(μ−1) with μ = 1 + √(L/ρ)·(1 + …): in r = √ρ, l = √L and μ − 1 = k it is
/// r² + 2rl + (rk − l)²/k, so the least value is at k = l/r; and r = √(L+ε) − √L solves r² + 2rl = ε.
pub const CONV_ZCDP: Claim = Claim {
    id: "ambssgd-conv-zcdp",
    place: "App. B.1.2, proof of Theorem 3.6",
    kind: Kind::Composition,
    statement: "ρ-zCDP is (μρ + log(1/δ)/(μ−1), δ)-DP for all μ > 1, least ρ + 2√(ρ·log(1/δ)) at μ = 1 + √(log(1/δ)/ρ), with inverse √ρ = √(log(1/δ)+ε) − √log(1/δ)",
    hypotheses: "ρ > 0, δ in (0, 1)",
    rests_on: &["skgd-lem-D.7"],
    by_hand: &[],
    check: conv_zcdp,
};

fn conv_zcdp(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of √(ρ·log(1/δ))", 2));
    let [r, l, k] = ["√ρ", "√L", "μ−1"].map(Poly::var);
    let inverse_k = Poly::power("μ−1", -1);
    let value = (1 + &k) * r.square() + l.square() * &inverse_k;
    let least = r.square() + &factor * &r * &l;
    // √k is not needed: (rk − l)²/k = r²k − 2rl + l²/k.
    let excess = (&r * &k - &l).square() * &inverse_k;
    let e = Poly::var("√(L+ε)");
    let root = &e - &l;
    let solved = root.square() + &factor * &root * &l;
    Steps::new()
        .positive(&["√ρ", "√L", "μ−1", "√(L+ε)"])
        .equal("the converted ε", &value, least + excess)
        .equal(
            "the inverse solves r² + 2rl = ε",
            &solved,
            e.square() - l.square(),
        )
        .note("The excess (rk − l)²/k is zero at μ − 1 = √(L/ρ).")
        .proved_on("all ρ > 0, δ in (0, 1), μ > 1")
}

/// The checked hypotheses of Theorem 3.6 (`ambssgd-thm-3.6-cal`): replace-one neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypotheses {
    epsilon: Epsilon,
    delta: Delta,
}

impl Hypotheses {
    /// Checks ε > 0 and δ in (0, 1).
    ///
    /// # Errors
    /// Names the first parameter outside its range, with its value.
    pub fn check(epsilon: Epsilon, delta: Delta) -> Result<Self, PrivacyError> {
        require(epsilon.get() > 0.0, "epsilon", &epsilon, "must be > 0")?;
        let inside = delta.get() > 0.0 && delta.get() < 1.0;
        require(inside, "delta", &delta, "must lie in (0, 1)")?;
        Ok(Self { epsilon, delta })
    }

    fn log(&self) -> Interval {
        -Interval::from_f64(self.delta.get()).ln()
    }

    /// The noise multiplier α of the first form, 2√(log(1/δ)+ε)/ε (dimensionless): the noise of a step
    /// has standard deviation 2ηζ_tα/b, that of a count √m·α.
    #[must_use]
    pub fn multiplier(&self) -> Interval {
        let e = Interval::from_f64(self.epsilon.get());
        Interval::from(2) * (self.log() + &e).sqrt() / e
    }

    /// The noise multiplier of the second form, √(8·log(1/δ))/ε.
    ///
    /// # Errors
    /// When ε ≤ log(1/δ) is not certain.
    pub fn simple_multiplier(&self) -> Result<Interval, PrivacyError> {
        let e = Interval::from_f64(self.epsilon.get());
        let small = e.certainly_le(&self.log());
        require(
            small,
            "epsilon",
            &self.epsilon,
            "must be at most log(1/delta)",
        )?;
        Ok((Interval::from(8) * self.log()).sqrt() / e)
    }

    /// The least multiplier that the conversion proves, 1/(√(log(1/δ)+ε) − √log(1/δ)).
    #[must_use]
    pub fn least_multiplier(&self) -> Interval {
        let e = Interval::from_f64(self.epsilon.get());
        let log = self.log();
        ((&log + &e).sqrt() + log.sqrt()) / e
    }
}
