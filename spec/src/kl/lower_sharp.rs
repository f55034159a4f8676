//! Appendix C.3: Theorem 8, the lower bound for κ ≥ 2.

use super::setting::known;
use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::{Argument, Domain, Forall, closed, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 8] = [
    THM_8_INST,
    THM_8_INST_REPAIRED,
    THM_8_CHAIN,
    THM_8_CHAIN_REPAIRED,
    THM_8,
    THM_8_REPAIRED,
    THM_8_READING_HIDDEN_SET,
    THM_8_CORRECTED,
];

/// The printed losses at τ = 2 and a: f(w;1), f(w;−1).
fn printed(w: &Rational, a: &Rational) -> (Rational, Rational) {
    let (below, above) = (Rational::from(w - a), Rational::from(w + a));
    let square = |x: &Rational| Rational::from(x * x);
    let first = if below <= 0 { -below } else { square(&below) };
    let second = if above <= 0 { square(&above) } else { above };
    (first, second)
}

/// The printed risk of the dataset whose share of ones is (1 + q)/2.
fn risk(w: &Rational, a: &Rational, q: &Rational) -> Rational {
    let (first, second) = printed(w, a);
    (Rational::from(1 + q) * first + Rational::from(1 - q) * second) / 2
}

/// `kl-thm-8-inst`, at τ = 2, q = 1/2, a = q/2: three statements of the display are evaluated.
pub const THM_8_INST: Claim = Claim {
    id: "kl-thm-8-inst",
    place: "App. C.3, construction",
    kind: Kind::Definition,
    statement: "f(·;1) and f(·;-1) are 1-Lipschitz on R, the minima of F(·;S), F(·;S′) are (1-q)a \
        and (1+q)a, and with a = q^{1/(τ-1)}/2 both have (1, τ)-growth on all of R",
    hypotheses: "τ in (1, 2], q = 1/(n ε) in (0, 1]",
    check: |c| {
        let second = c.constant("coefficient of q in the minimum of F(.;S')", 1);
        let (q, a) = (ratio(1, 2), ratio(1, 4));
        let slope = printed(&Rational::from(3), &a).0 - printed(&Rational::from(2), &a).0;
        let minimum = risk(&-a.clone(), &a, &-q.clone());
        let claimed = (1 + second * &q) * &a;
        let far = Rational::from(5);
        let growth = risk(&far, &a, &q) - risk(&a, &a, &q);
        let square = Rational::from(&far - &a) * Rational::from(&far - &a);
        let holds = slope <= 1 && minimum == claimed && growth >= square;
        Argument::new(c)
            .repaired("kl-thm-8-inst-repaired")
            .states_that("exact values at τ = 2, q = 1/2, a = 1/4", holds, || {
                format!(
                    "τ = 2, q = 1/2, a = 1/4: f(3;1) - f(2;1) = {slope} against 1; F(-a;S') = \
                        {minimum} against {claimed}; F(5;S) - F(a;S) = {growth} against (5-a)^2 = \
                        {square}"
                )
            })
            .open_for("one point of the domain")
    },
    ..Claim::ALONE
};

/// `kl-thm-8-inst-repaired`. The slope of F(·;S) on [−a, a) is −q, its excess at w is q(a − w), at most q·2a = q^κ
/// there, and 0 for w ≥ a. In d dimensions w is the first coordinate.
pub const THM_8_INST_REPAIRED: Claim = Claim {
    id: "kl-thm-8-inst-repaired",
    kind: Kind::PathwiseInequality,
    statement: "f(w;1) = max{a-w, 0}, f(w;-1) = max{w+a, 0}, f(w;0) = 0, a = q^{κ-1}/2, q = k/n; S \
        has k ones, S′ k times -1, the rest 0: f is convex and 1-Lipschitz on R^d, F(·;S) is (1, \
        κ)-KL for w_1 ≥ -a, F(·;S′) for w_1 ≤ a, and with g = clip((a-w_1)/(2a), 0, 1) the excess \
        risks are at least q^κ g and q^κ (1-g)",
    hypotheses: "κ ≥ 2, 1 ≤ k ≤ n, d ≥ 1",
    check: |c| {
        let unit = c.constant("a in units of q^{κ-1}", ratio(1, 2));
        let (domain, g) = Domain::of("(a-w)/(2a)", closed(0), closed(1));
        // KL in units of q^κ: excess 2·unit·g against slope^κ = 1.
        let kl = Forall::le(domain, 2 * unit.clone() * g, 1);
        let [q, power] = symbols();
        let a = unit * &power;
        Argument::new(c)
            .states("kl-thm-8-inst-repaired", &kl)
            .states_identity(
                "excess of S at -a is q q^{κ-1}",
                &q * (&a - (0 - &a)),
                &q * &power,
            )
            .note(
                "maxima of affine functions of slopes 0, -1, 1; outside [-a, a] the excess is at \
                    least its value at the end",
            )
            .proved_on("κ ≥ 2, 1 ≤ k ≤ n, d ≥ 1; the KL regions contain balls of every radius")
    },
    by_hand: &[],
    ..THM_8_INST
};

/// `kl-thm-8-chain`, second inequality: growth gives ½E\[…\] ≥ ½E\[…\]. The constant algorithm w = −a, at τ = 2, q = 1/2.
pub const THM_8_CHAIN: Claim = Claim {
    id: "kl-thm-8-chain",
    place: "App. C.3, last display",
    kind: Kind::ExpectationBound,
    statement: "(1/2)E[excess_S + excess_S′] ≥ E[|A(S) - a|^τ + |A(S′) + a|^τ]",
    hypotheses: "any (ε, δ)-DP algorithm A on the printed instance",
    check: by_kernel,
    ..Claim::ALONE
};

/// `kl-thm-8-chain-repaired`. Let x_i = E g(A(S_i)) along the k + 1 datasets from S to S′. x_{i+1} ≤ e^ε x_i + δ, and the
/// same for 1 − x backwards; with j steps from S and k − j from S′, and the same with j and k − j exchanged,
/// 1 ≤ (A/2)(x_0 + 1 − x_k) + δ(A − 2)/(e^ε − 1), A = e^{jε} + e^{(k−j)ε}. With j = ⌊k/2⌋, z = kε:
/// A ≤ 2e^{z/2}cosh(ε/2); and δ/(e^ε − 1) ≤ 1/16. Finally z^κ ≥ z².
pub const THM_8_CHAIN_REPAIRED: Claim = Claim {
    id: "kl-thm-8-chain-repaired",
    statement: "(kε)^κ E[g(A(S)) + 1 - g(A(S′))]/2 ≥ 1/4 for k = ceil(1/ε) and any g with values \
        in [0, 1]",
    hypotheses: "S, S′ differ in k points, A is (ε, δ)-DP, 0 < ε ≤ ln 2, 0 ≤ δ ≤ (1-e^{-ε})/16, κ \
        ≥ 2",
    check: chain_repaired,
    by_hand: &[
        "(ε,δ)-DP along a chain of k + 1 datasets",
        "A ≤ 2 e^{z/2} cosh(ε/2), δ/(e^ε − 1) ≤ 1/16",
        "z^κ ≥ z²",
    ],
    ..THM_8_CHAIN
};

fn chain_repaired(check: &Check) -> Verdict {
    let quarter = check.constant("lower bound", ratio(1, 4));
    // ε = 1/2, k = 2, δ = 0, κ = 2: output −a with probabilities e^{−1/2}/2, 1/2, 1 − e^{−1/2}/2.
    let response = Interval::from_rational(&ratio(-1, 2)).exp() / Interval::from(2);
    let claimed = Interval::from_rational(&quarter);
    let mut domain = Domain::new();
    let z = domain.real("k ε", closed(1), closed(2));
    let eps = domain.real("ε", closed(0), closed(ratio(7, 10)));
    let a = ((&z + &eps) / 2).exp() + ((&z - &eps) / 2).exp();
    let half_sum = (1 - (&a - 2) / 16) / &a;
    Argument::new(check)
        .states_that(
            "randomised response along the chain of three datasets",
            !response.certainly_lt(&claimed),
            || format!("ε = 1/2, k = 2, κ = 2: half the sum is {response} < {quarter}"),
        )
        .needs(
            "kl-thm-8-chain-repaired",
            &Forall::le(domain, quarter, z.square() * half_sum),
        )
        .needs_that(
            "ln 2 < 7/10",
            Interval::from(2)
                .ln()
                .certainly_lt(&Interval::from_rational(&ratio(7, 10))),
        )
        .proved_on("all algorithms, g, ε, δ, κ of the hypotheses")
}

/// `kl-thm-8`, as `kl-thm-6`. On the ball in W the slope is at most 1, so that F − F* ≤ 1 by KL, and by `kl-lem-7` each of its points has a
/// minimiser within κ/(κ − 1) ≤ 2: for B ≥ 2 its centre is one.
pub const THM_8: Claim = Claim {
    id: "kl-thm-8",
    place: "App. C.3, Theorem 8",
    kind: Kind::LowerBound,
    statement: "for any (ε, δ)-DP A that is given W there are X, W containing a ball of radius B, \
        S and convex f, 1-Lipschitz over W, with F(·;S) (1, κ)-KL and E[F(A(S)) - inf F] ≥ \
        (1/4)(1/(n ε))^κ",
    hypotheses: concat!(
        "κ ≥ 2, 0 < ε ≤ ln 2, 0 < δ ≤ (1-e^{-ε})/16, n, d ≥ 1, B > 0; as we read it, ",
        known!()
    ),
    rests_on: &["kl-lem-7"],
    check: |c| {
        let quarter = c.constant("factor of (1/(n ε))^κ", ratio(1, 4));
        let [kappa] = symbols();
        Argument::new(c)
            .repaired("kl-thm-8-corrected")
            .needs_identity(
                "κ/(κ-1) ≤ 2: what is left is (κ-2)/(κ-1)",
                2 - &kappa / (&kappa - 1),
                (&kappa - 2) / (&kappa - 1),
            )
            .states_that("excess 0 against a positive bound", quarter <= 0, || {
                format!(
                    "A = centre of the ball, B ≥ 2: excess 0 on every admissible instance, for all \
                        n, d, ε, against {quarter}(1/(n ε))^κ"
                )
            })
            .open_for("no bound was tried for smaller balls")
    },
    by_hand: &[
        "kl-lem-7 for a convex function that need not be differentiable, with subgradients",
        "a closed convex set that comes within 2 of every point of a ball of radius 2 contains its \
            centre",
    ],
};

/// Randomised response along the chain of three datasets (ε = 1/2, k = 2, κ = 2) on the instance: half the sum.
fn response_reaches<'a>(check: &'a Check) -> Argument<'a> {
    let quarter = check.constant("factor of (1/(n ε))^κ", ratio(1, 4));
    let response = Interval::from_rational(&ratio(-1, 2)).exp() / Interval::from(2);
    let claimed = Interval::from_rational(&quarter);
    Argument::new(check).states_that(
        "randomised response on the instance, ε = 1/2, k = 2",
        !response.certainly_lt(&claimed),
        || format!("ε = 1/2: the instance allows {response}(1/(n ε))^2"),
    )
}

/// `kl-thm-8-repaired`. k = ⌈1/ε⌉ ≤ n, q = k/n, W = {|w₁| ≤ a}; the losses of `kl-thm-8-inst-repaired`, but for f(w;1) steeper beyond −a, so that
/// F(·;S) solves F = |F′|^κ there: F = (q^{κ−1} + ((κ−1)/κ)x)^{κ/(κ−1)} at w₁ = −a − x; f(w;−1) is its mirror image. Then KL is
/// global, f and W are the same for S and S′, and the excess is at least (k/n)^κ = (kε)^κ(1/(nε))^κ times the half sum
/// of `kl-thm-8-chain-repaired`.
pub const THM_8_REPAIRED: Claim = Claim {
    id: "kl-thm-8-repaired",
    hypotheses: concat!(
        "κ ≥ 2, 1/n ≤ ε ≤ ln 2, 0 < δ ≤ (1-e^{-ε})/16, n, d ≥ 1, 0 < B ≤ \
            (1/2)(ceil(1/ε)/n)^{κ-1}; ",
        known!()
    ),
    rests_on: &["kl-thm-8-inst-repaired", "kl-thm-8-chain-repaired"],
    check: |c| {
        let [kappa, ln_s, ln_q] = symbols();
        let value = &kappa / (&kappa - 1) * &ln_s;
        let slope = &ln_s / (&kappa - 1);
        response_reaches(c)
            .needs_identity("F = |F'|^κ beyond -a", &value, &kappa * &slope)
            .needs_identity(
                "its slope at -a is q",
                (&kappa - 1) * &ln_q / (&kappa - 1),
                &ln_q,
            )
            .proved_on("all κ, ε, δ, n, d, B of the hypotheses")
    },
    by_hand: &[
        "the solution beyond −a is convex, and f is 1-Lipschitz on W",
        "the excess is at least (k/n)^κ times the half sum of kl-thm-8-chain-repaired",
    ],
    ..THM_8
};

/// `kl-thm-8-reading-hidden-set`: KL over W only, and a set W that A does not know and that differs between S and S′. For nε ≥ 1
/// take k = ⌈1/ε⌉ ≤ n: the excess is at least
/// (k/n)^κ times the half sum of `kl-thm-8-chain-repaired`, (k/n)^κ = (kε)^κ(1/(nε))^κ. For nε < 1 take k = n and
/// f(w;±1) = max{0, 2 ∓ w, (M+1)(1 ∓ w) + 1}: 1-Lipschitz and KL for ±w ≥ 1, and at w = 0 at least M + 2; with z = nε < 1 the half sum is
/// at least that at z = 1, so that M can be chosen to exceed any bound.
pub const THM_8_READING_HIDDEN_SET: Claim = Claim {
    id: "kl-thm-8-reading-hidden-set",
    statement: "for any (ε, δ)-DP A there are X, W containing a ball of radius B, S and convex f, \
        1-Lipschitz over W, with F(·;S) (1, κ)-KL over W and E[F(A(S)) - inf F] ≥ (1/4)(1/(n ε))^κ",
    hypotheses: "κ ≥ 2, 0 < ε ≤ ln 2, 0 < δ ≤ (1-e^{-ε})/16, n, d ≥ 1, B > 0; W may depend on S, A \
        does not know it",
    rests_on: &["kl-thm-8-inst-repaired", "kl-thm-8-chain-repaired"],
    check: |c| {
        let (m, w) = (Rational::from(1000), Rational::new());
        let steep = Rational::from(&m + 1) * Rational::from(1 - &w) + 1;
        response_reaches(c)
            .needs_that("n ε < 1: the risk at 0 is M + 2", steep == m + 2)
            .proved_on("all κ, ε, δ, n, d, B of the hypotheses")
    },
    by_hand: &[
        "nε ≥ 1: the excess is at least (k/n)^κ times the half sum of kl-thm-8-chain-repaired, on \
            a half space W",
        "nε < 1: the half sum for k = n is at least that for nε = 1, and M is chosen to exceed the \
            bound",
    ],
    ..THM_8
};

/// `kl-thm-8-corrected`, a theorem of the kernel (`super::kernel::sharp::private`): `kl-thm-8-inst-repaired` for k = 2m, and the events that the first
/// entry of the output is at most, and at least, each of 19 places c between −a and a, at distances of a/10. S″, from which S and S′ are m
/// replacements away, has one of the two with probability 1/2; so their probabilities P on S and P′ on S′ satisfy 1 + 1/8 ≤ e^z(P + P′ + 1/8), z = mε,
/// by m steps p ≤ e^εp′ + δ, where δ ≤ (e^ε − 1)/16. The excesses are at least q^κ/20 times the sums of the P, and of the P′; 1/2 ≤ z ≤ 4/3, as
/// e^{5/6} > 2, and q^κ = (2z)^κ/(nε)^κ ≥ 4z²/(nε)^κ.
pub const THM_8_CORRECTED: Claim = Claim {
    id: "kl-thm-8-corrected",
    statement: "for every (ε, δ)-DP A with values in the ball W of radius a = (1/2) (2m/n)^{κ-1} \
        about 0, m = ceil(1/(2ε)), every S of 2m times 1 and n - 2m times 0, and S′ with -1 for 1, \
        which is 2m replacements away by data sets of such records: for f of \
        kl-thm-8-inst-repaired, which is convex and 1-Lipschitz on R^d for each record, F(·;S) and \
        F(·;S′) are (1, κ)-KL on W and have their minimum 0 in it, and E[F(A(S);S)] or \
        E[F(A(S′);S′)] is at least (1/4) (1/(n ε))^κ",
    hypotheses: "κ ≥ 2, 0 < ε ≤ ln 2, 0 ≤ δ ≤ (1-e^{-ε})/16, n ≥ 2m, d ≥ 1; records are -1, 0 and \
        1; A may know f, W, n, ε, δ and κ, and need be private for half spaces only, and is a map \
        of the data and of normal noise, as every algorithm with values in R^d can be written \
        (cited: Kallenberg, Foundations of Modern Probability, 3rd ed. 2021, Lemma 4.22)",
    rests_on: &[],
    check: |c| {
        let quarter = c.constant("factor of (1/(n ε))^κ", ratio(1, 4));
        let mut domain = Domain::new();
        let z = domain.real("m ε", closed(ratio(1, 2)), closed(ratio(4, 3)));
        let both = ratio(9, 8) * (0 - &z).exp() - ratio(1, 8);
        Argument::new(c)
            .states(
                "kl-thm-8-corrected",
                &Forall::le(domain, quarter, ratio(19, 10) * z.square() * both),
            )
            .proved_on("all algorithms, κ, ε, δ, n and d of the hypotheses")
    },
    by_hand: &[],
    ..THM_8
};
