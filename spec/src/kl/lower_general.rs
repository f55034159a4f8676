//! Appendix B.6: the lower bound for convex Lipschitz losses without constraint (Theorem 7).

use super::proximal::diverges;
use super::setting::known;
use crate::arith::{Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::{Argument, Domain, Expr, Forall, closed, identical, infinite, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 8] = [
    THM_7,
    THM_7_RESTRICTED,
    THM_7_TWO_POINTS,
    THM_7_INST,
    THM_7_INST_REPAIRED,
    THM_7_GAP,
    THM_7_GAP_REPAIRED,
    THM_7_DIST,
];

/// `kl-thm-7`, for n = 1: the output "w* with probability δ, else 0" is (0, δ)-DP, and its excess is at most (1 − δ)L₀D, since
/// ‖w*‖ ≤ D. With d = ε = 1 the bound is cL₀D, and δ may be 1 − c/2.
pub const THM_7: Claim = Claim {
    id: "kl-thm-7",
    place: "App. B.6, Theorem 7",
    kind: Kind::LowerBound,
    statement: "for every (ε, δ)-DP A there are S and a convex L_0-Lipschitz, (√(d) L_0/(n ε \
        D))-smooth f whose minimiser has norm ≤ D, with E[F(A(S)) - F(w*)] ≥ c L_0 D min{√(d)/(n \
        ε), 1}",
    hypotheses: concat!(
        "0 < ε ≤ 1, 0 < δ < 1/n, D, L_0 > 0; as we read it, ",
        known!()
    ),
    rests_on: &[],
    check: |c| {
        let constant = c.constant("constant", ratio(1, 26400));
        let excess = Rational::from(&constant / 2);
        let delta = Rational::from(1 - &excess);
        Argument::new(c)
            .repaired("kl-thm-7-corrected")
            .states_that("w* with probability δ, else 0", constant <= excess, || {
                format!(
                    "n = d = ε = 1, δ = {delta}: excess at most {excess} L_0 D, against {constant} \
                        L_0 D; likewise for all c > 0"
                )
            })
            .open_for("n = 1 only")
    },
    by_hand: &[],
};

/// `kl-thm-7-restricted`, with constant 1/26400. The instance of `kl-thm-7-inst-repaired` with L₀/5 for L₀ and the rows of
/// `kl-red-mean` scaled by L₀/(5√d). Let A be −√d·w/D clipped to \[−1, 1\] by coordinates, w* = −DX̄/√d: clipping does not
/// move A away from X̄, so the excess is at least (λD²/d)‖A − X̄‖² — for ‖w‖ ≥ 4D too, where it is at least 8λD² and
/// ‖A − X̄‖² ≤ 4d. λD² = NL₀D/(10n).
pub const THM_7_RESTRICTED: Claim = Claim {
    id: "kl-thm-7-restricted",
    hypotheses: concat!(
        "c = 1/26400, 0 < ε ≤ 1, 0 < δ < 1/n, D, L_0 > 0, n ≥ 2; ",
        known!()
    ),
    rests_on: &[
        "kl-red-mean",
        "kl-thm-7-inst-repaired",
        "kl-thm-7-gap-repaired",
    ],
    check: thm_7,
    by_hand: &[
        "the risk on the rows of kl-red-mean, scaled, is that of kl-thm-7-inst-repaired",
        "clipping by coordinates does not move the output away from the mean of signs",
        "outside the ball of radius 4D the excess exceeds what the bound needs",
    ],
    ..THM_7
};

fn thm_7(check: &Check) -> Verdict {
    let constant = check.constant("constant", ratio(1, 26400));
    let [rows, n, l, d] = symbols();
    let lambda = &rows * &l / (10 * &n * &d);
    Argument::new(check)
        .states_that("w = 0 has excess at most L_0 D", constant <= 1, || {
            format!("√(d) ≥ n ε: w = 0 has excess at most L_0 D < {constant} L_0 D")
        })
        .needs_identity("λ D^2", lambda * d.square(), &rows * &l * &d / (10 * &n))
        .note("outside the ball of radius 4D the excess is 8 λ D^2, |A - mean X|^2 at most 4 d")
        .needs_that(
            "1/10 of 1/11 of 1/240",
            constant <= ratio(1, 10) * ratio(1, 11) * ratio(1, 240),
        )
        .note("smoothness 2 λ = N L_0/(5 n D) with N ≤ √(d)/ε")
        .proved_on("all d ≥ 1, n ≥ 2, 0 < ε ≤ 1, 0 < δ < 1/n, D, L_0 > 0")
}

/// `kl-thm-7-two-points`, a theorem of the kernel (`super::kernel::quadratic`): what of Theorem 7 two data sets give, as in `kl-thm-8-corrected`, on a ball
/// and without √d; its second bound is that of Theorem 6 for τ = 2, λ² = μ/2, and Corollary 1 for κ = 2, γ² = 1/(2μ), of (ε, δ)-DP. On the wrong
/// side the excess is at least L₀qD/4, q = 2m/n. With √d it is
/// `kl-thm-7-corrected`; for n below d/ε the kernel lacks the expectation over uniform P in `kl-red-fingerprint`, and in `kl-red-trace` what privacy
/// says of the mean of an unbounded function of the output.
pub const THM_7_TWO_POINTS: Claim = Claim {
    id: "kl-thm-7-two-points",
    statement: "for every (ε, δ)-DP A with values in the ball W of radius D about 0, m = \
        ceil(1/(2ε)), every S of 2m times 1 and n - 2m times 0, and S′ with -1 for 1, which is 2m \
        replacements away by data sets of such records: f(w;x) = μ |w|^2/2 - L_0 x w_1/2, μ = L_0 \
        m/(n D), is convex and μ-smooth, L_0-Lipschitz on W, F(w) - F* = μ |w - w*|^2/2 = |∇ \
        F(w)|^2/(2 μ) and |w*| = D for F(·;S) and F(·;S′), and E[F(A(S);S)] - min F(·;S) or \
        E[F(A(S′);S′)] - min F(·;S′) is at least 3 L_0 D/(128 n ε), and at least L_0^2/(32 μ n^2 \
        ε^2)",
    hypotheses: "0 < ε ≤ ln 2, 0 ≤ δ ≤ (1-e^{-ε})/16, n ≥ 2m, d ≥ 1, L_0, D > 0; records are -1, 0 \
        and 1; A may know f, W, n, ε and δ, and need be private for half spaces only, and is a map \
        of the data and of normal noise, as every algorithm with values in R^d can be written \
        (cited: Kallenberg, Foundations of Modern Probability, 3rd ed. 2021, Lemma 4.22)",
    rests_on: &[],
    check: |c| {
        let first = c.constant("factor of L_0 D/(n ε)", ratio(3, 128));
        let second = c.constant("factor of L_0^2/(μ n^2 ε^2)", ratio(1, 32));
        let mut domain = Domain::new();
        let z = domain.real("m ε", closed(ratio(1, 2)), closed(ratio(4, 3)));
        let both = ratio(9, 8) * (0 - &z).exp() - ratio(1, 8);
        let general = Forall::le(domain.clone(), first, &z * &both / 4);
        Argument::new(c)
            .states("kl-thm-7-two-points/general", &general)
            .states(
                "kl-thm-7-two-points/growth",
                &Forall::le(domain, second, z.square() * both / 4),
            )
            .proved_on("all algorithms, ε, δ, n, d, L_0 and D of the hypotheses")
    },
    by_hand: &[],
    ..THM_7
};

/// `kl-thm-7-inst`. The slope of H falls from 8D to 4D at ‖w‖ = 4D; midpoint of 4D ± 1 on a ray, D = 1.
pub const THM_7_INST: Claim = Claim {
    id: "kl-thm-7-inst",
    place: "App. B.6, (5), (6)",
    kind: Kind::Definition,
    statement: "F(w) = (1/n) ∑ ⟨w, x_i⟩ + λ H(w), H = |w|^2 for |w| ≤ 4D and 4D |w| beyond, is \
        convex and smooth, 5 L_0-Lipschitz, with minimiser -∑ x_i/(2 n λ) of norm ≤ D",
    hypotheses: "λ = N L_0/(2 n D), N of the x_i in {-L_0/√(d), L_0/√(d)}^d, the rest 0",
    check: by_kernel,
    ..Claim::ALONE
};

/// `kl-thm-7-inst-repaired`. H is h(‖w‖) with h′ continuous, non-decreasing and h′(r) ≤ 2r, so its second derivatives lie
/// in \[0, 2\].
pub const THM_7_INST_REPAIRED: Claim = Claim {
    id: "kl-thm-7-inst-repaired",
    kind: Kind::PathwiseInequality,
    statement: "with H = 8D |w| - 16D^2 beyond 4D, F is convex, f(·;x) is 5 L_0-Lipschitz and (N \
        L_0/(n D))-smooth, and a minimiser is -∑ x_i/(2 n λ), of norm ≤ D",
    check: thm_7_inst_repaired,
    by_hand: &[],
    ..THM_7_INST
};

fn thm_7_inst_repaired(check: &Check) -> Verdict {
    let slope = check.constant("slope of H beyond 4D, in D", 8);
    let offset = check.constant("offset of H beyond 4D, in D^2", 16);
    let [d, rows, n, l, mean] = symbols();
    let lambda = &rows * &l / (2 * &n * &d);
    let minimiser = 0 - &mean / (2 * &lambda);
    let (domain, beyond) = Domain::of("|w|/(4D) - 1", closed(0), infinite());
    let curvature = Forall::le(domain, slope.clone() / (4 * (1 + beyond)), 2);
    let (share, used) = Domain::of("N/n", closed(0), closed(1));
    Argument::new(check)
        .states_identity(
            "H at 4D",
            (4 * &d).square(),
            slope.clone() * &d * (4 * &d) - offset * d.square(),
        )
        .states_identity("slope of H at 4D", 2 * (4 * &d), slope * &d)
        .states("kl-thm-7-inst-repaired/curvature", &curvature)
        .states(
            "kl-thm-7-inst-repaired/Lipschitz",
            &Forall::le(share, 1 + 4 * used, 5),
        )
        .note("8 λ D = 4 N L_0/n")
        .states_identity(
            "gradient at the minimiser",
            &mean + 2 * &lambda * minimiser,
            0,
        )
        .states_identity(
            "its norm when |sum x_i| = N L_0",
            &rows * &l / &n / (2 * &lambda),
            &d,
        )
        .states_identity("smoothness 2 λ", 2 * &lambda, &rows * &l / (&n * &d))
        .proved_on("all 1 ≤ N ≤ n, d ≥ 1, D, L_0 > 0")
}

/// `kl-thm-7-gap`: the last equality, λ = N L₀/(2nD).
pub const THM_7_GAP: Claim = Claim {
    id: "kl-thm-7-gap",
    place: "App. B.6, proof of Theorem 7",
    kind: Kind::PathwiseInequality,
    statement: "F(w) - F(w*) = λ |w - w*|^2 = (N L_0/(n D)) |w - w*|^2 for |w| ≤ 4D; F(w) - F(w*) \
        ≥ 15 λ D^2 - 5 L_0 D N/n for |w| ≥ 4D",
    hypotheses: "the instance of Theorem 7",
    check: |c| {
        let factor = c.constant("factor of N L_0/(n D)", 1);
        gap(c, factor)
    },
    ..Claim::ALONE
};

/// `kl-thm-7-gap-repaired`: half the printed constant. The rate is unaffected.
pub const THM_7_GAP_REPAIRED: Claim = Claim {
    id: "kl-thm-7-gap-repaired",
    statement: "F(w) - F(w*) = λ |w - w*|^2 = (N L_0/(2 n D)) |w - w*|^2 for |w| ≤ 4D; F(w) - \
        F(w*) ≥ 8 λ D^2 ≥ 15 λ D^2 - 5 L_0 D N/n for |w| ≥ 4D",
    hypotheses: "the instance of kl-thm-7-inst-repaired",
    rests_on: &["kl-thm-7-inst-repaired"],
    check: |c| {
        let factor = c.constant("factor of N L_0/(n D)", ratio(1, 2));
        gap(c, factor)
    },
    by_hand: &[],
    ..THM_7_GAP
};

/// Both parts, with H as in the repaired instance. Outside, in units of DNL₀/n and with ‖w‖ = 4D(1 + x):
/// F(w) ≥ −4(1+x) + ½(32(1+x) − 16) = 4 + 12x, and F(w*) ≤ F(0) = 0.
fn gap(check: &Check, factor: Rational) -> Verdict {
    let [lambda, w, least, rows, n, l, d] = symbols();
    let mean = 0 - 2 * &lambda * &least;
    let excess = (&w - &least) * mean + &lambda * (w.square() - least.square());
    let (domain, x) = Domain::of("|w|/(4D) - 1", closed(0), infinite());
    let value = ratio(1, 2) * (32 * (1 + &x) - 16) - 4 * (1 + x);
    let printed = ratio(15, 2) - ratio(5, 1);
    let unit = &rows * &l / (&n * &d);
    let halved = identical(&(&rows * &l / (2 * &n * &d)), &(&factor * &unit));
    Argument::new(check)
        .repaired("kl-thm-7-gap-repaired")
        .states_identity("one coordinate", &excess, &lambda * (&w - &least).square())
        .states_that("λ in units of N L_0/(n D)", halved, || {
            format!(
                "λ = N L_0/(2 n D), so λ |w - w*|^2 is 1/2 of N L_0 |w - w*|^2/(n D), not {factor}"
            )
        })
        .states("kl-thm-7-gap/outside", &Forall::le(domain, 4, value))
        .states_that("4 against 15/2 - 5", printed <= 4, String::new)
        .proved_on("all w, D, L_0 > 0, N ≤ n")
}

/// `kl-thm-7-dist`. For √d > nε N is n, and with s = √d/(nε) the distance is to be Ω(sD); A = 0 is at most D away. N = √d/ε gives Ω(D), which is what
/// \[12\] has, and what `kl-red-mean` says for both values of N.
pub const THM_7_DIST: Claim = Claim {
    id: "kl-thm-7-dist",
    place: "App. B.6, proof of Theorem 7",
    statement: "for N = min{√(d)/ε, n} there are N rows such that E|A(S) - w*| = Ω(√(d) D/(N ε)) \
        for the output of any (ε, δ)-DP A",
    hypotheses: "0 < ε ≤ 1, 0 < δ < 1/n, all d and n; |w*| ≤ D",
    check: |c| {
        let growth = c.constant("claimed lower bound of the ratio in units of √(d)/(n ε)", 1);
        let (domain, s) = Domain::of("√(d)/(n ε)", closed(1), infinite());
        let ratio = Forall::le(domain, &growth * &s, s.clone()).factored(s, Expr::from(1 - growth));
        diverges(
            c,
            "kl-thm-7-dist",
            &ratio,
            "√(d) > n ε, so N = n, and A = 0: |A(S) - w*| ≤ D, while the claimed order is D \
                √(d)/(n ε), without bound (n = ε = 1, d = k^2: k D)",
            "kl-red-mean",
        )
    },
    rests_on: &[],
    ..THM_7
};
