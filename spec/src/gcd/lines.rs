//! Lines of the proofs in Appendices A to B.4.2, each read against its predecessor.

use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Claim, Kind, Verdict, by_kernel};
use crate::prove::{Argument, Domain, Expr, Forall, closed, infinite, open, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 8] = [
    THM_4_2_PROOF_ACCESS,
    LEM_B_2_PROOF_LINES,
    EQ_54_EVENT,
    RED_NOISE,
    THM_4_4_SC_T_PROOF,
    THM_4_4_SC_PROOF,
    DISC_L1_ASI,
    EQ_40_MONOTONE,
];

/// `gcd-thm-4.2-proof-access`: the three forms of ε′ and of the scales in Section 4.2 and Appendix A are the same numbers.
pub const THM_4_2_PROOF_ACCESS: Claim = Claim {
    id: "gcd-thm-4.2-proof-access",
    place: "Sec. 4.2, sketch; App. A, after eq. (2)",
    kind: Kind::Calibration,
    statement: "ε/√(16 T log(1/δ)) = ε/(4 √(T log(1/δ))) is the ε′ of [15, Corollary 3.21] for k = \
        2T, and 2 L_j/(n ε′) = (8 L_j/(n ε)) √(T log(1/δ))",
    hypotheses: "ε > 0, δ in (0, 1), T ≥ 1",
    check: by_kernel,
    ..Claim::ALONE
};

/// `gcd-lem-B.2-proof-lines`. In units of the roots of M: a, c gradient and noise of the chosen coordinate, b, d those of j*.
pub const LEM_B_2_PROOF_LINES: Claim = Claim {
    id: "gcd-lem-B.2-proof-lines",
    place: "App. B.2, eqs (12)-(15) and (17)",
    kind: Kind::PathwiseInequality,
    statement: "(12) = (13) = (14): -(1/M) g (g + η) + (1/(2M)) (g + η)^2 = -(1/(2M)) g^2 + (1/2) \
        η^2/M; (15): -(1/2) a^2 ≤ -(1/4) (a + c)^2 + (1/2) c^2; (17): -(1/4) (b + d)^2 ≤ -(1/8) \
        b^2 + (1/4) d^2",
    hypotheses: "all real numbers, M > 0",
    check: by_kernel,
    ..Claim::ALONE
};

/// For independent Laplace variables of these scales, the largest 1: a C with P(√(X² + Y² + Z²) ≥ r) ≤ C e^{−r} from `least` on.
///
/// Sorted, x ≥ y ≥ z ≥ 0 have √(x² + y² + z²) ≤ x + (√2−1)y + (√3−√2)z; the union over the six orders bounds each sum by
/// Chernoff's inequality at the rate of x, which does not meet the slower rates of the others because their weights are small.
fn sorted_tail(scales: &[Interval; 3], least: &Interval) -> Interval {
    let root = |k: i32| Interval::from(i64::from(k)).sqrt();
    let one = Interval::from(1);
    let (second, third) = (root(2) - &one, root(3) - root(2));
    let orders = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    let of = |[x, y, z]: [usize; 3]| {
        let rate = &one / &scales[x];
        let factor = |weight: &Interval, k: usize| &one - &(weight * &scales[k] * &rate);
        (-((&rate - &one) * least)).exp() / (factor(&second, y) * factor(&third, z))
    };
    orders
        .into_iter()
        .map(of)
        .fold(Interval::from(0), |sum, part| sum + part)
}

/// What [`sorted_tail`] needs beside its arithmetic: the interpolation, squared, with the relations of the two roots put in.
fn sorted<'a>(argument: Argument<'a>) -> Argument<'a> {
    let [a, b, y, z] = symbols();
    // 1 = a² + 2a at y² and 1 = b² + 2b + 2ab at z², a = √2 − 1, b = √3 − √2.
    let squares =
        (2 * &a + a.square()) * y.square() + (2 * &b + b.square() + 2 * &a * &b) * z.square();
    let line = 2 * &a * &y + 2 * &b * &z + (&a * &y + &b * &z).square();
    let parts = 2 * &a * &y * (1 - &y) + 2 * &b * &z * (1 - &z) + 2 * &a * &b * &z * (&y - &z);
    argument.needs_identity(
        "(1 + a y + b z)^2 - (1 + y^2 + z^2) is a sum of terms ≥ 0 for 1 ≥ y ≥ z ≥ 0",
        line - squares,
        &parts,
    )
}

const BY_ORDER: [&str; 3] = [
    "The three moduli are sorted, and the union is over their six orders.",
    "For sorted moduli √(x² + y² + z²) ≤ x + (√2 − 1)y + (√3 − √2)z, which the checked identity \
        gives after division by x.",
    "Chernoff's bound at the rate of the largest modulus: its tail and the moments of the other \
        two.",
];

/// `gcd-eq-54-event`: the printed ζ/(Tp) is the share of one t and one j, and the sum over these is ζ. It holds all the same: the
/// tail of three Laplace variables falls twice as fast as Lemma B.1 says, so that the sum is at most ζ²/(4Tp).
pub const EQ_54_EVENT: Claim = Claim {
    id: "gcd-eq-54-event",
    place: "App. B.4.2, sentence before eq. (54)",
    kind: Kind::HighProbability,
    statement: "Pr[exists t: ξ_{t+1} ≥ (1 - μ_{M,1}/4) ξ_t + β] ≤ ζ/(T p), β = (2 λ_max^2/M_min) \
        log(8 T p/ζ)^2",
    hypotheses: "T, p ≥ 1, ζ in (0, 1], as gcd-eq-53",
    rests_on: &["gcd-lem-B.2", "gcd-eq-52"],
    by_hand: &[
        BY_ORDER[0],
        BY_ORDER[1],
        BY_ORDER[2],
        "The union is over T rounds and p values of j; given the past j* is fixed and the noises \
            are fresh.",
        "For j = j* the descent needs η only: −‖∇f‖²/2 ≤ −μξ, and a Laplace variable has P(|η| ≥ \
            2ℓλ) = e^{−2ℓ}.",
    ],
    check: |check| {
        let two = check.constant("factor of λ_max^2/M_min", 2);
        let eight = check.constant("factor of T p/ζ in the logarithm", 8);
        if two <= 0 || eight <= 0 {
            return Verdict::refuted("β is not positive", "signs of the constants", None);
        }
        // eta^2 + chi^2 + chi*^2/2 >= 2 M beta/lambda^2 = (rate l)^2 in units of lambda^2.
        let rate = Interval::from_rational(&Rational::from(&two * 2)).sqrt();
        let least = Interval::from_rational(&eight).ln();
        let scales = [
            Interval::from(1),
            Interval::from(1),
            Interval::from_rational(&ratio(1, 2)).sqrt(),
        ];
        let tail = sorted_tail(&scales, &(&rate * &least));
        // p = T = 1, f = w^2/2 from its minimum: P(|eta| >= rate log(eight/zeta)) against zeta.
        let exceeded = [ratio(1, 2), ratio(1, 1_000_000)]
            .into_iter()
            .find_map(|zeta| {
                let zeta = Interval::from_rational(&zeta);
                let found = (&rate * &(&zeta / &Interval::from_rational(&eight)).ln())
                    .exp()
                    .min(&Interval::from(1));
                zeta.certainly_lt(&found).then(|| {
                    format!("f = w^2/2, p = T = 1, w^0 = w*: probability {found} > ζ = {zeta}")
                })
            });
        let holds = exceeded.is_none();
        // T p tail e^{-rate l} <= zeta/(T p), e^{-l} = zeta/(8 T p), at its worst zeta = 1 and rate 2.
        let needed = Interval::from_rational(&eight).square();
        let fast = Interval::from(2).certainly_le(&rate);
        sorted(Argument::new(check))
            .states_that("one step of f = w^2/2 from its minimum", holds, || {
                exceeded.unwrap_or_default()
            })
            .needs_that("the tail falls at least like e^{-2 l}", fast)
            .needs_that(
                "six orders: C ≤ 64 at r ≥ 2 log 8",
                tail.certainly_le(&needed),
            )
            .proved_on("all T, p ≥ 1, ζ in (0, 1], M_j, λ_j, λ'_j > 0, f as gcd-eq-53")
    },
};

/// `gcd-red-noise`: what the noise of one round of the corrected algorithm exceeds, with half the exponent of Lemma B.1.
pub const RED_NOISE: Claim = Claim {
    id: "gcd-red-noise",
    place: "in the place of App. B.1, Lemma B.1, for the corrected noise",
    kind: Kind::HighProbability,
    statement: "Pr[(1/4) X^2 + Y^2 + (1/2) Z^2 ≥ r^2] ≤ 8 e^{-r} for independent X, Y, Z ∼ Lap(1), \
        r ≥ log 8; and Pr[(1/4) X^2 ≥ r^2] ≤ 8 e^{-r}",
    hypotheses: "r ≥ log 8",
    rests_on: &[],
    by_hand: &BY_ORDER,
    check: |check| {
        let factor = check.constant("factor of e^{-r}", 8);
        let release = check.constant("factor of X^2", ratio(1, 4));
        if factor <= 0 || release <= 0 || release > 1 {
            return Verdict::refuted(
                "a bound that is not positive, or X the largest",
                "signs of the constants",
                None,
            );
        }
        let claimed = Interval::from_rational(&factor);
        let half = Interval::from_rational(&ratio(1, 2)).sqrt();
        let scales = [
            Interval::from_rational(&release).sqrt(),
            Interval::from(1),
            half,
        ];
        let tail = sorted_tail(&scales, &claimed.ln());
        sorted(Argument::new(check))
            .states_that("P(|Y| ≥ r) = e^-r alone", factor >= 1, || {
                format!("r = log 8: P(|Y| ≥ r) = 1/8 > {factor}/8")
            })
            .needs_that("the sum over the six orders", tail.certainly_le(&claimed))
            .proved_on("all r ≥ log 8")
    },
};

/// `gcd-thm-4.4-sc-T-proof`: the main text's T has nε and L_max where the appendix has their squares. Rescaling w leaves the
/// problem, the theorem's bound and the appendix's T alone and moves the main text's T without limit.
pub const THM_4_4_SC_T_PROOF: Claim = Claim {
    id: "gcd-thm-4.4-sc-T-proof",
    place: "Thm 4.4 item 2 (main text) against App. B.4.2",
    kind: Kind::PathwiseInequality,
    statement: "the T of the main text, with the logarithm of M_min μ n ε ξ_0/(L_max^1 log(1/δ) \
        log(2p/ζ)), is of the order of the appendix's, with that of M_min μ n^2 ε^2 ξ_0/(32 \
        L_max^2 log(1/δ))",
    hypotheses: "μ_{M,1} = 1; f(a w) for f(w) has a^2 M for M and a L for L, and the same μ_{M,1}, \
        ξ_0 and T of the appendix; any a > 0 (as a grows the logarithm of the main text grows \
        without limit, as a falls it reaches 0, the appendix's stays)",
    check: |check| {
        let power = check.constant("power of L_max", 1);
        let Some(power) = power.is_integer().then(|| power.to_f64() as i32) else {
            return Verdict::open("only whole powers are examined");
        };
        let [m, n, xi, l, log, a] = symbols();
        let argument = |m: &Expr, l: &Expr| m * &n * &xi / (l.powi(power) * &log);
        // M_min = 1, n ε = 300, ξ_0 = 2, L_max = 5/2, log(1/δ) log(2p/ζ) = 3: 600 a²/(3 (5a/2)^power).
        let at = |a: Rational| {
            let slope = (0..power).fold(Rational::from(1), |x, _| x * &a * ratio(5, 2));
            Rational::from(&a * &a) * 200 / slope
        };
        let [plain, scaled] = [Rational::from(1), ratio(1, 80)].map(at);
        // log(2p/ζ) ≥ log 2, so log(1/δ) ≤ 3/log 2.
        let appendix = Interval::from(300) * Interval::from(2).ln();
        Argument::new(check)
            .repaired("gcd-thm-4.4-sc-T-repaired")
            .needs_that(
                "the appendix's argument is above 200",
                Interval::from(200).certainly_lt(&appendix),
            )
            .states_that("one instance, exact", plain == scaled, || {
                format!(
                    "M_min = 1, n ε = 300, ξ_0 = 2, L_max = 5/2, log(1/δ) log(2p/ζ) = 3, a = 1/80: \
                        the logarithm of the main text is of {plain} for f(w) and of {scaled} for \
                        f(a w), that of the appendix of the same number, above 200, for both"
                )
            })
            .naming(&["M_min", "n ε", "ξ_0", "L_max", "log(1/δ) log(2p/ζ)", "a"])
            .states_identity(
                "the argument for f(w) and for f(a w)",
                argument(&m, &l),
                argument(&(a.square() * &m), &(&a * &l)),
            )
            .proved_on("all a > 0")
    },
    ..Claim::ALONE
};

/// `gcd-thm-4.4-sc-proof`: in units of U = 128 L² log(1/δ)/(μMn²ε²) with b = log(8p/ζ), (55) at T = (4/μ) log(Y/b), Y = ξ₀/U, is
/// at least T log(8Tp/ζ)², while (56) has b² + (4/μ) log(8Tp/ζ)² log(Y/b²). T has one power of b in its logarithm, (56) two.
pub const THM_4_4_SC_PROOF: Claim = Claim {
    id: "gcd-thm-4.4-sc-proof",
    place: "App. B.4.2, from (55) to (56)",
    kind: Kind::PathwiseInequality,
    statement: "(55) at T = (4/μ) log(μ M n^2 ε^2 ξ_0/(128 L^2 log(1/δ) log(8p/ζ))) is at most \
        (56), whose last logarithm is of μ M n^2 ε^2 ξ_0/(128 L^2 log(1/δ) log(8p/ζ)^2)",
    hypotheses: "μ_{M,1} in (0, 1], T ≥ 1; (55) and (56) with their printed constants",
    check: |check| {
        let power = check.constant("power of log(8p/ζ) in the last logarithm of (56)", 2);
        // p = zeta = mu = 1 and Y = b e^{25/4}, so that T = 25.
        let (steps, b) = (Interval::from(25), Interval::from(8).ln());
        let squared = Interval::from(200).ln().square();
        let left = &steps * &squared;
        let last = Interval::from_rational(&ratio(25, 4))
            - Interval::from_rational(&Rational::from(&power - 1)) * b.ln();
        let right = b.square() + Interval::from(4) * squared * last;
        Argument::new(check)
            .repaired("gcd-thm-4.4-sc-repaired")
            .states_that(
                "one instance in intervals",
                !right.certainly_lt(&left),
                || {
                    format!(
                        "p = ζ = μ = 1, T = 25, in units of 128 L^2 log(1/δ)/(μ M n^2 ε^2): (55) \
                            is more than {left}, (56) is {right}"
                    )
                },
            )
            .open_for("only this instance was tried")
    },
    ..Claim::ALONE
};

/// `gcd-disc-l1-asi`, a comparison of two printed rates.
pub const DISC_L1_ASI: Claim = Claim {
    id: "gcd-disc-l1-asi",
    place: "Sec. 4.3, Bounded in l1-norm, comparison with Asi et al.",
    kind: Kind::Rate,
    statement: "log(p)/(n ε)^2 ≤ log(p)^{4/3}/(n ε)^{4/3}",
    hypotheses: "n ε ≥ 1, p ≥ 3",
    check: |check| {
        let power = check.constant("power of log(p) and 1/(n ε) in the other rate", ratio(4, 3));
        let mut domain = Domain::new();
        let records = domain.real("log(n ε)", closed(0), infinite());
        // log log 3 > 9/100.
        let dimension = domain.real("log log p", open(ratio(9, 100)), infinite());
        let more = Expr::from(&power) * &dimension - &power * &records;
        let statement = Forall::le(domain, &dimension - 2 * &records, more).factored(
            1,
            &dimension * (Expr::from(&power) - 1) + records * (2 - Expr::from(power)),
        );
        Argument::new(check)
            .states("gcd-disc-l1-asi", &statement)
            .needs_that(
                "log log 3 > 9/100",
                Interval::from_rational(&ratio(9, 100)).certainly_lt(&Interval::from(3).ln().ln()),
            )
            .proved_on("all n ε ≥ 1, p ≥ 3")
    },
    ..Claim::ALONE
};

/// `gcd-eq-40-monotone`, used above (63): more pairs of vectors, a smaller constant. Witness f = ½w'(I − (9/10)11'/p)w, p = 10, M = I,
/// q = 2: differences of k-sparse vectors are min(2k, p)-sparse, and along an m-sparse vector of ones the form is m(1 − 9m/(10p)).
pub const EQ_40_MONOTONE: Claim = Claim {
    id: "gcd-eq-40-monotone",
    place: "App. B.4.1, sentence after (40); App. B.4.3, sentence above (63)",
    kind: Kind::PathwiseInequality,
    statement: "μ^{(k)}_{M,q} ≥ μ^{(l)}_{M,q} for k ≤ l, and μ^{(k)}_{M,q} = μ_{M,q} for k ≥ p",
    hypotheses: "constants of (40), the largest possible",
    check: by_kernel,
    ..Claim::ALONE
};
