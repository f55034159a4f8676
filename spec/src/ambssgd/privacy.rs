//! Theorem 3.6: privacy of DP-AMBSSGD and its calibration.

use crate::arith::{Interval, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::privacy::error::{PrivacyError, require};
use crate::prove::Argument;
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
    statement: "the noiseless step of Algorithm 2 has L2 sensitivity 2ηζ_t/b under replacement of \
        a record of its batch",
    hypotheses: "fixed w_t, ζ_t; clip with min",
    rests_on: &["ambssgd-def-clip"],
    by_hand: &[],
    check: by_kernel,
};

/// `ambssgd-thm-3.6-comp`. The gradient costs (2ηζ/b)²/(2·(2ηζα/b)²) = 1/(2α²), DP-STAT 1/(2α²). Walking
/// the printed index ranges, every record of a block is read by one of the two, except record τ + s,
/// which both read: the maximum over records is 1/α². With disjoint ranges it would be 1/(2α²), that is
/// noise smaller by √2 would do. Later blocks see the record only through released values.
pub const THM_3_6_COMP: Claim = Claim {
    id: "ambssgd-thm-3.6-comp",
    place: "App. B.1.2, proof of Theorem 3.6",
    kind: Kind::Composition,
    statement: "ρ_{t,1} = ρ_{t,2} = 1/(2α²), ρ_t = 1/α², and max_t ρ_t = 1/α² over the blocks",
    hypotheses: "replace-one; (γ_t, w_t) released for all t; for every fixed order of the records",
    rests_on: &[
        "ambssgd-thm-3.6-sens",
        "ambssgd-lem-3.10-priv",
        "skgd-prop-D.6",
    ],
    by_hand: &[],
    check: by_kernel,
};

/// `ambssgd-thm-3.6-zcdp`, releasing every γ_t and w_t (hence w̄).
pub const THM_3_6_ZCDP: Claim = Claim {
    id: "ambssgd-thm-3.6-zcdp",
    place: "§3.2, Theorem 3.6, proof in App. B.1.2",
    kind: Kind::MechanismPrivacy,
    statement: "Algorithm 2 with noise multiplier α is (1/α²)-zCDP for every fixed order of the \
        records",
    hypotheses: "replace-one, arbitrary data, α > 0; parameters fixed independently of the data; \
        without line 2, which draws the order",
    rests_on: &["ambssgd-thm-3.6-comp"],
    by_hand: &[],
    check: by_kernel,
};

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
        .states_that(
            "order → 1 on the pair W4",
            !allowed.certainly_lt(&divergence),
            || {
                format!(
                    "m = 1, α = 1, s = 100, record τ + s replaced (pair W4): D_1 ≥ {}, allowed \
                        {total}",
                    divergence.lo_f64()
                )
            },
        )
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
    check: by_kernel,
};

/// `ambssgd-thm-3.6-cal-small`, the second form.
pub const THM_3_6_CAL_SMALL: Claim = Claim {
    id: "ambssgd-thm-3.6-cal-small",
    statement: "(1/α²)-zCDP is (ε, δ)-DP for α ≥ √(8·log(1/δ))/ε if ε ≤ log(1/δ)",
    hypotheses: "0 < ε ≤ log(1/δ), δ in (0, 1)",
    check: by_kernel,
    ..THM_3_6_CAL
};

/// `ambssgd-conv-zcdp`. μρ + L/(μ−1) with L = log(1/δ): in r = √ρ, l = √L and μ − 1 = k it is
/// r² + 2rl + (rk − l)²/k, so the least value is at k = l/r; and r = √(L+ε) − √L solves r² + 2rl = ε.
pub const CONV_ZCDP: Claim = Claim {
    id: "ambssgd-conv-zcdp",
    place: "App. B.1.2, proof of Theorem 3.6",
    kind: Kind::Composition,
    statement: "ρ-zCDP is (μρ + log(1/δ)/(μ−1), δ)-DP for all μ > 1, least ρ + 2√(ρ·log(1/δ)) at μ \
        = 1 + √(log(1/δ)/ρ), with inverse √ρ = √(log(1/δ)+ε) − √log(1/δ)",
    hypotheses: "ρ > 0, δ in (0, 1)",
    rests_on: &["skgd-lem-D.7"],
    by_hand: &[],
    check: by_kernel,
};

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
