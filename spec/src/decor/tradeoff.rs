//! Section 5.3 and Appendix C: calibration of the noise to a budget, and its privacy.

use crate::arith::{Interval, Poly, Rational};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::decor::assumptions::only_constant_losses;
use crate::decor::calibration::gaussian_delta;
use crate::decor::steps::{Algebra, inv, v};
use crate::prove::{Argument, Domain, Expr, Forall, closed, open, slack};
use std::cmp::Ordering;

/// The claims about calibration, in the paper's order.
pub(super) const CLAIMS: [Claim; 10] = [
    COR_12_ALPHA,
    COR_12_PRIV,
    COR_12_PRIV_TIGHT,
    COR_3A,
    COR_3A_UTIL,
    COR_3B,
    COR_3B_UTIL,
    TIGHT,
    COLLUDE_RATE,
    COLLUDE_RATE_READING_ORDER,
];

/// `decor-cor-12-alpha`. With u = C√(2TS), z = √log(1/δ) and w = α − 1 the bound is u²(1 + w) + z²/w,
/// and it exceeds u² + 2uz by (uw − z)²/w: the minimiser is w = z/u.
pub const COR_12_ALPHA: Claim = Claim {
    id: "decor-cor-12-alpha",
    place: "App. C, proof of Corollary 12",
    kind: Kind::Composition,
    statement: "2αC²TS + log(1/δ)/(α−1) is least at α_* = 1 + √log(1/δ)/(C√(2TS)), with the value \
        2C²TS + 2C√(2T log(1/δ) S)",
    hypotheses: "C, T, S > 0, δ in (0,1), α > 1; S = 1/((n−q)σ_cdp²) + 1/(a_q σ_cor²)",
    check: by_kernel,
    ..Claim::ALONE
};

/// `decor-cor-12-priv`. Theorem 6 and (1 − 1/m)/(s + at) ≤ 1/(at) give the step slope 2C²S; T steps
/// with fresh noise add up (Lemma 10); Lemma 11 and the value at α_* give, with the constant κ = 32 in
/// both variances and x = ε/log(1/δ) ≤ 1, ε_* ≤ ε(4x/κ + 4/√κ). That is ≤ ε for all x ≤ 1 exactly if
/// κ ≥ 4 and (κ − 4)² ≥ 16κ. The stated instance is K_n with n = 10⁶, log(1/δ) = ε = 10⁴, where the
/// exact δ(ε) of the worst-case pair (`decor-drv-2`) is compared with δ.
pub const COR_12_PRIV: Claim = Claim {
    id: "decor-cor-12-priv",
    place: "App. C, Corollary 12, privacy",
    kind: Kind::Calibration,
    statement: "with σ_cdp² = 32C²T log(1/δ)/((n−q)ε²) and σ_cor² = 32C²T log(1/δ)/(a_q(G)ε²) \
        Algorithm 1 is (ε,δ)-SecLDP against collusion at level q",
    hypotheses: "G (q+1)-connected, q ≤ n − 2, 0 < ε ≤ log(1/δ), δ in (0,1), T ≥ 1, fresh noise in \
        every step; η, W, x⁰, T fixed without looking at the data; differing user outside the \
        group",
    rests_on: &[
        "decor-thm-6",
        "decor-def-a",
        "decor-def-preserve",
        "decor-cor-12-alpha",
        "decor-lem-10",
        "decor-lem-11",
    ],
    by_hand: &[],
    check: cor_12_priv,
};

fn cor_12_priv(c: &Check) -> Verdict {
    let kappa = c.constant("constant of both variances", 32);
    let spare = slack(2, 10, |factor| {
        let (domain, x) = Domain::of("x", open(0), closed(1));
        let scale = Rational::from(&kappa / factor);
        let root = 4 / Expr::from(scale.clone()).sqrt();
        Forall::le(domain, 4 * x / scale + root, 1)
    });
    let argument = calibrated(c, &kappa, &Rational::new()).slack(Some(spare));
    argument.proved_on(
        "all (q+1)-connected graphs, 0 ≤ q ≤ n − 2, T ≥ 1, C > 0, δ in (0,1), 0 < ε ≤ log(1/δ)",
    )
}

/// The argument for the constant κ = a + b√2 in both variances.
pub(super) fn calibrated<'a>(c: &'a Check, a: &Rational, b: &Rational) -> Argument<'a> {
    let [s, t, conn, l] = ["s", "t", "a", "l"].map(Poly::var);
    let m = &l + 1;
    // (κ − 4)² − 16κ = p + r√2 with κ − 4 = (a − 4) + b√2.
    let shifted = Rational::from(a - 4);
    let p = Rational::from(shifted.square_ref()) + Rational::from(b.square_ref()) * 2
        - Rational::from(a * 16);
    let r = shifted.clone() * b * 2 - Rational::from(b * 16);
    let enough = sign_with_root_two(&p, &r) != Ordering::Less
        && sign_with_root_two(&shifted, b) != Ordering::Less;
    let kappa = Interval::from_rational(a) + Interval::from_rational(b) * Interval::from(2).sqrt();
    let (holds, witness) = large_complete_graph(&kappa);
    Argument::new(c)
        .positive(&["l", "s", "t", "a"])
        .states_that(
            "K_n, n = 10⁶, log(1/δ) = ε = 10⁴: the exact δ(ε) is at most δ",
            holds,
            || witness,
        )
        .needs_at_most(
            "(1 − 1/m)/(s + at) ≤ 1/(at), m = 1 + l",
            &l * &conn * &t,
            m * (&s + &conn * &t),
        )
        .needs_that(
            "κ ≥ 4 and (κ − 4)² ≥ 16κ, so 4x/κ + 4/√κ ≤ 1 for all x in (0,1]",
            enough,
        )
}

/// The sign of p + r√2, exactly.
fn sign_with_root_two(p: &Rational, r: &Rational) -> Ordering {
    let squares = Rational::from(p.square_ref()).cmp(&(Rational::from(r.square_ref()) * 2));
    match (p.cmp0(), r.cmp0()) {
        (sign, other) if sign == other || other == Ordering::Equal => sign,
        (Ordering::Equal, other) => other,
        (Ordering::Greater, _) => squares,
        (Ordering::Less, _) => squares.reverse(),
    }
}

/// δ(ε) of T steps on K_n, n = 10⁶, with κ in both variances and ε = log(1/δ) = 10⁴. There
/// σ_cdp² = σ_cor² = κC²Tl/(nε²), so the squared separation is 4C²T[Σ⁻¹]₁₁ = (4l/κ)·2n/(n + 1).
fn large_complete_graph(kappa: &Interval) -> (bool, String) {
    let (l, n) = (Interval::from(10_000), Interval::from(1_000_000));
    let shape = Interval::from(8) * &n / (&n + &Interval::from(1));
    let mu = (&l / kappa * shape).sqrt();
    let delta = gaussian_delta(&mu, &l);
    let claimed = (-&l).exp();
    let violated = claimed.certainly_lt(&delta);
    let ratio = (&delta / &claimed).lo().clone();
    (
        !violated,
        format!("δ(ε)/δ is at least {ratio:.3e} at κ = {kappa}"),
    )
}

/// `decor-cor-12-priv-tight`. The least constant that serves all graphs and budgets: (κ − 4)² = 16κ
/// at κ = (2 + 2√2)² = 12 + 8√2 ≈ 23.31, and below it the instance K_n fails for large n and
/// log(1/δ) = ε. The variances may be 32/(12 + 8√2) ≈ 1.37 times smaller than printed.
pub const COR_12_PRIV_TIGHT: Claim = Claim {
    id: "decor-cor-12-priv-tight",
    place: "derived; sharpens Corollary 12",
    kind: Kind::Calibration,
    statement: "Corollary 12 (privacy) holds with 12 + 8√2 in place of 32",
    hypotheses: "as decor-cor-12-priv",
    rests_on: &[
        "decor-thm-6",
        "decor-def-a",
        "decor-def-preserve",
        "decor-cor-12-alpha",
        "decor-lem-10",
        "decor-lem-11",
    ],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-cor-3a`, privacy: Corollary 12 with q = 0.
pub const COR_3A: Claim = Claim {
    id: "decor-cor-3a",
    place: "§5.3, Corollary 3, first item, privacy",
    kind: Kind::MechanismPrivacy,
    statement: "with σ_cdp² = 32C²T log(1/δ)/(nε²), σ_cor² = 32C²T log(1/δ)/(a(G)ε²) Algorithm 1 \
        is (ε,δ)-SecLDP against an eavesdropper",
    hypotheses: "G connected, n ≥ 2, 0 < ε ≤ log(1/δ), δ in (0,1); η, W, x⁰, T fixed without \
        looking at the data",
    rests_on: &["decor-cor-12-priv", "decor-def-a"],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-cor-3a-util`, utility.
pub const COR_3A_UTIL: Claim = Claim {
    id: "decor-cor-3a-util",
    place: "§5.3, Corollary 3, first item, utility",
    kind: Kind::Rate,
    statement: "with the noise of the first item the expected error is O(C²d log(1/δ)/(n²ε²))",
    hypotheses: "Assumptions 1 to 5, as decor-cor-3a",
    rests_on: &["decor-asm-joint-lemma"],
    by_hand: &[],
    check: |c| only_constant_losses(c, "decor-cor-3a-util-corrected"),
};

/// `decor-cor-3b`, privacy: Corollary 12 with q = 1. The text's "remains connected after removing any vertex"
/// admits K_2, where a_1 is not defined; n ≥ 3 is needed.
pub const COR_3B: Claim = Claim {
    id: "decor-cor-3b",
    place: "§5.3, Corollary 3, second item, privacy",
    kind: Kind::MechanismPrivacy,
    statement: "with σ_cdp² = 32C²T log(1/δ)/((n−1)ε²), σ_cor² = 32C²T log(1/δ)/(a_1(G)ε²) \
        Algorithm 1 is (ε,δ)-SecLDP against non-colluding users",
    hypotheses: "G 2-connected, n ≥ 3, 0 < ε ≤ log(1/δ), δ in (0,1); η, W, x⁰, T fixed without \
        looking at the data; differing user other than the curious one",
    rests_on: &["decor-cor-12-priv", "decor-def-a"],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-cor-3b-util`, utility.
pub const COR_3B_UTIL: Claim = Claim {
    id: "decor-cor-3b-util",
    place: "§5.3, Corollary 3, second item, utility",
    kind: Kind::Rate,
    statement: "with the noise of the second item the expected error is O(C²d log(1/δ)/(n²ε²))",
    hypotheses: "Assumptions 1 to 5, as decor-cor-3b",
    rests_on: &["decor-asm-joint-lemma"],
    by_hand: &[],
    check: |c| only_constant_losses(c, "decor-cor-3b-util-corrected"),
};

/// `decor-tight`. Lower bounds of other papers; nothing in this paper proves them.
pub const TIGHT: Claim = Claim {
    id: "decor-tight",
    place: "§5.3, Tightness",
    kind: Kind::Imported,
    statement: "the error is Ω(d/(n²ε²)) under user-level CDP and Ω(d/(nε²)) under LDP",
    hypotheses: "strongly convex losses; Bassily et al. (2014), Duchi et al. (2018)",
    check: tight,
    ..Claim::ALONE
};

fn tight(_: &Check) -> Verdict {
    Verdict::cited(
        "Bassily, Smith, Thakurta (2014) for CDP and Duchi, Jordan, Wainwright (2018) for LDP; \
            minimax statements over all algorithms, which no check of instances can prove",
    )
}

/// `decor-collude-rate`. The rate of Corollary 12 is 1/(n(n−q)) against 1/n² under CDP and 1/n under
/// LDP: for q ≤ θn with a fixed θ < 1 the ratio to CDP is at most 1/(1 − θ), for n − q ≤ K the ratio
/// to LDP is at least 1/K.
pub const COLLUDE_RATE: Claim = Claim {
    id: "decor-collude-rate",
    place: "App. C, after the proof of Corollary 12",
    kind: Kind::Rate,
    statement: "the rate 1/(n(n−q)ε²) matches CDP for a constant fraction of colluders and only \
        LDP for n − q = O(1)",
    hypotheses: "q ≤ θn with θ < 1 fixed; resp. n − q ≤ K fixed",
    rests_on: &[],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-collude-rate-reading-order`. "q = O(n)" also covers q = n − 1, where n(n−q) = n.
pub const COLLUDE_RATE_READING_ORDER: Claim = Claim {
    id: "decor-collude-rate-reading-order",
    place: "App. C, after the proof of Corollary 12, the formula q = O(n)",
    kind: Kind::Rate,
    statement: "the rate 1/(n(n−q)ε²) is within a constant factor of 1/(n²ε²) for every q = O(n)",
    hypotheses: "q ≤ Kn for a fixed K, q < n",
    check: collude_rate_reading_order,
    ..Claim::ALONE
};

fn collude_rate_reading_order(c: &Check) -> Verdict {
    let left = Poly::from(c.constant("honest users", 1));
    let ratio = v("n").square() * inv("n") * left;
    Argument::new(c)
        .repaired("decor-collude-rate")
        .states_that("q = n − 1", !ratio.variables().contains("n"), || {
            format!("the ratio to the CDP rate is n²/(n(n−q)) = {ratio}, unbounded in n")
        })
        .proved_on("q = n − 1 only")
}
