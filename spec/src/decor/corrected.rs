//! What may be used in place of Theorem 2.1 and the utility of Corollaries 3 and 12: one run that is private and useful.
//!
//! Assumptions 1, 2 and 4 exclude each other (`decor-asm-joint`) because Assumption 4 bounds the whole gradient, while only its
//! part that depends on data needs a bound for privacy. So the loss is split, ℓ(x, ξ) = f(x, ξ) + r(x) with a public r; the
//! data part is clipped and r is not. Then all assumptions hold together, for regularised logistic regression to begin with
//! (`decor-thm-2-witness`, and what [`crate::findings::witnessed`] lists as left), clipping changes nothing, and the run that is private is the run that is analysed.
//!
//! | departure from the print | why | cost |
//! |---|---|---|
//! | Assumption 4 for f, line 2 of Algorithm 1: g_i = Clip(∇f(x_i, ξ_i); C) + ∇r(x_i) | no loss that is not constant meets the printed ones | none in ε; r must be public |
//! | η_t = 2/(μ(t + 16L/(μp))) for 16/(μ(t + cL/(μp))) | the printed steps overshoot (`decor-thm-2a-eta`) | the leading constant becomes smaller; the start has 16L/(μp) where the print has cL/(μp), which is larger where c < 16 |
//! | heterogeneity and sampling noise bounded by C² in place of Assumption 3 | it follows from ‖∇f‖ ≤ C | none |
//! | 12 + 8√2 for 32 in both variances | it suffices (`decor-cor-12-priv-tight`) | none: less noise |
//! | W a mixing matrix of Definition 2, which the printed weights are not | `decor-def-2-weights-reading-a` | none |
//!
//! How large n must be is computed in [`super::bites`].

use crate::arith::{Interval, Poly, Rational};
use crate::claim::{Check, Claim, Kind, Verdict};
use crate::decor::steps::{Algebra, frac, inv, v};
use crate::decor::tradeoff::calibrated;
use crate::prove::Argument;

/// The corrected theorems and what they rest on.
pub(super) const CLAIMS: [Claim; 8] = [
    DRV_12,
    ALG_1_CORRECTED,
    THM_2A_CORRECTED_ROUNDS,
    THM_2A_CORRECTED,
    COR_12_PL_CORRECTED_UTILITY,
    COR_12_PL_CORRECTED,
    COR_3A_UTIL_CORRECTED,
    COR_3B_UTIL_CORRECTED,
];

/// `decor-drv-12`. As Lemma 9, with γ = p/(2(1−p)) in Young's inequality and with the gradients centred:
/// ‖∂L(X)(I − J)‖² ≤ 2L²nΞ + 2nζ². With two users, ∇L_1 = −Lx − c, ∇L_2 = −Lx + c and x_1 = 1 = −x_2 (see `decor-lem-9`),
/// Lη = p/4 and ηc = p/4 both sides agree to first order in p, so neither constant can be smaller.
pub const DRV_12: Claim = Claim {
    id: "decor-drv-12",
    place: "derived; Lemma 9 with bounded heterogeneity",
    kind: Kind::ExpectationBound,
    statement: "Ξ⁺ ≤ (1 − p/4)Ξ + η²[4(1−p)ζ²/p + (1−p)σ² + 2H|E|dσ_cor²/n + ‖W−J‖_F²dσ_cdp²/n] if \
        η ≤ p/(4L)",
    hypotheses: "every L_i is L-smooth, (1/n)Σ‖∇L_i(x) − ∇L(x)‖² ≤ ζ² and Ψ ≤ σ² everywhere, W a \
        mixing matrix with p > 0, unclipped steps",
    rests_on: &[
        "decor-lem-9-split",
        "decor-lem-9-pathwise",
        "decor-lem-9-noise-repaired",
        "decor-lem-8a-repaired",
        "decor-lem-8c",
    ],
    by_hand: &[
        "the expectation over X of decor-lem-9-pathwise is taken, and Assumption 5 applied to the \
            sampling error",
        "decor-lem-9-split and -noise-repaired are put together and divided by n",
    ],
    check: drv_12,
};

fn drv_12(c: &Check) -> Verdict {
    let kept = c.constant("part of p that is kept", frac(1, 4));
    let pull = c.constant("factor of (1−p)ζ²/p", 4);
    let limit = c.constant("p/(Lη) at most", 4);
    let violated = [frac(9, 10), frac(99, 100), frac(9_999, 10_000)]
        .iter()
        .find_map(|l| opposed(l, &kept, &pull, &limit));
    let [p, s] = ["p", "1−p"].map(Poly::var);
    let half = Poly::from(frac(1, 2));
    // γ = p/(2s), 1 = p + s.
    let (first, second) = (&s + &half * &p, &s * &p + 2 * s.square());
    let square = p.square() * frac(1, 16);
    Argument::new(c)
        .positive(&["p", "1−p"])
        .states_unless("two users with opposed gradients", violated)
        .needs_equal("(1−p)(1 + γ) = 1 − p/2", &first, &p + &s - &half * &p)
        .needs_at_most(
            "(1−p)(1 + 1/γ) ≤ 2(1−p)/p, times p",
            &second,
            2 * &s * (&p + &s),
        )
        .needs_at_most(
            "(2(1−p)/p)·2L²η² ≤ p/4 at Lη = p/4, times p",
            4 * &s * square,
            frac(1, 4) * p.square() * (&p + &s),
        )
        .needs_that(
            "1 − p/2 + p/4 = 1 − p/4, (2/p)·2ζ² = 4ζ²/p",
            kept <= frac(1, 4) && pull >= 4 && limit >= 4,
        )
        .proved_on(
            "all p in (0,1], n, d, all graphs and mixing matrices, L, ζ, σ, σ_cdp, σ_cor ≥ 0; \
                unclipped steps",
        )
}

/// The instance of `decor-drv-12` with W = (1+λ, 1−λ; 1−λ, 1+λ)/2 and Ξ = 1, where it violates the bound.
fn opposed(
    lambda: &Rational,
    kept: &Rational,
    pull: &Rational,
    limit: &Rational,
) -> Option<String> {
    let s = Rational::from(lambda.square_ref());
    let p = Rational::from(1 - &s);
    let (theta, y) = (Rational::from(&p / limit), Rational::from(&p / 4));
    let left = (Rational::from(1 + &theta) + &y).square() * &s;
    let right: Rational =
        1 - Rational::from(&p * kept) + Rational::from(pull * &s) / &p * y.square();
    (left > right).then(|| {
        format!(
            "p = {p}, Lη = {theta}, ηζ = p/4: Ξ⁺ = {:.10} > {:.10} (Ξ = 1)",
            left.to_f64(),
            right.to_f64()
        )
    })
}

/// `decor-alg-1-corrected`. Given the transcript x_i is known, and so is ∇r(x_i): the message of user i is that of Algorithm
/// 1 for the loss f, moved by a known vector. So all that is proved of Algorithm 1 with clipping holds of it.
pub const ALG_1_CORRECTED: Claim = Claim {
    id: "decor-alg-1-corrected",
    place: "§3, Algorithm 1 (corrected)",
    kind: Kind::MechanismPrivacy,
    statement: "with κ = 12 + 8√2, l = log(1/δ), σ_cdp² = κC²Tl/((n−q)ε²), σ_cor² = \
        κC²Tl/(a_q(G)ε²) and g_i = Clip(∇f(x_i, ξ_i); C) + ∇r(x_i), Algorithm 1 is (ε,δ)-SecLDP \
        against collusion at level q",
    hypotheses: "r public; G (q+1)-connected, q ≤ n − 2, 0 < ε ≤ log(1/δ), δ in (0,1), T ≥ 1, \
        fresh noise in every step; user-level replacement of a user outside the group; x^(0), W, \
        C, T and the steps fixed without looking at the data",
    rests_on: &["decor-fact-sens", "decor-cor-12-priv-tight", "decor-def-a"],
    by_hand: &[],
    check: alg_1_corrected,
};

fn alg_1_corrected(c: &Check) -> Verdict {
    private(c).proved_on(
        "all public r, all (q+1)-connected graphs, 0 ≤ q ≤ n − 2, T ≥ 1, C > 0, δ in (0,1), 0 < ε \
            ≤ log(1/δ)",
    )
}

pub(super) fn private(c: &Check) -> Argument<'_> {
    let whole = c.constant("whole part of the constant of both variances", 12);
    let root = c.constant("multiple of √2 in it", 8);
    calibrated(c, &whole, &root).needs_equal(
        "(g + ∇r) − (g' + ∇r) = g − g'",
        v("g") + v("∇r") - (v("g'") + v("∇r")),
        v("g") - v("g'"),
    )
}

/// `decor-thm-2a-corrected-rounds`. With V_t = e_t + (4L²η_t/p)Ξ_t, V_{t+1} ≤ (1 − μη_t)V_t + η_t²A + η_t³B, A = LQ/(2n) and
/// B = 4L²R/p. W = V/η² with η = 2/(μt̂), t̂ = t + τ ≥ 16: W⁺ ≤ W + (8/7)(A + ηB), as (t̂+1)²(t̂−2) ≤ t̂³ and
/// (t̂+1)² ≤ (8/7)t̂². The sum of the 1/t̂ is at most S. (Checked besides for T = 1 to 60 on K_2 with f = 0, r = x²/2, whose
/// error is known exactly; at T = 1 it is within 2 % of the bound.)
pub const THM_2A_CORRECTED_ROUNDS: Claim = Claim {
    id: "decor-thm-2a-corrected-rounds",
    place: "§5.2, Theorem 2, first part (corrected), its rounds",
    kind: Kind::PathwiseInequality,
    statement: "with η_t = 2/(μ(t + τ)) and τ ≥ max{16, 16L/(μp)}: if e_{t+1} ≤ e_t − (η_t/2)g_t + \
        (L²η_t/2)Ξ_t + (Lη_t²/2)Q/n, 2μe_t ≤ g_t and Ξ_{t+1} ≤ (1 − p/4)Ξ_t + η_t²R for all t < T, \
        then e_T ≤ (16/7)LQT/(μ²n(T+τ)²) + (256/7)L²RS/(μ³p(T+τ)²) + τ²(e_0 + LΞ_0/2)/(T+τ)², S = \
        log(1 + T/(τ−1))",
    hypotheses: "e_t, Ξ_t ≥ 0; T ≥ 1, 0 < μ ≤ L, 0 < p ≤ 1, Q, R ≥ 0",
    check: |c| useful(c).proved_on("all n, T ≥ 1, 0 < μ ≤ L, 0 < p ≤ 1, Q, R ≥ 0"),
    ..Claim::ALONE
};

/// `decor-thm-2a-corrected`, proved of the run itself: samples, clipping, the noise of users and edges, gossip. Lemma 7 without M
/// reads E L(x̄⁺) ≤ L(x̄) − (η/2)G + (ηL²/2)Ξ + Lη²Q/(2n) for η ≤ 1/L, which η_0 = p/(8L) is below; with `decor-drv-12` and the PL
/// inequality that is what `decor-thm-2a-corrected-rounds` supposes. τ ≥ 16 as L ≥ μ, which restricts constant losses only: any
/// other that is L-smooth and μ-PL has it. That no gradient of f is clipped is its first part.
pub const THM_2A_CORRECTED: Claim = Claim {
    id: "decor-thm-2a-corrected",
    place: "§5.2, Theorem 2, first part (corrected)",
    kind: Kind::ExpectationBound,
    statement: "with η_t = 2/(μ(t + τ)), τ = 16L/(μp), and g_i = Clip(∇f(x_i, ξ_i); C) + ∇r(x_i): \
        E L(x̄^(T)) − L_* ≤ (16/7)LQT/(μ²n(T+τ)²) + (256/7)L²RS/(μ³p(T+τ)²) + τ²(L_0 + \
        LΞ_0/2)/(T+τ)², Q = σ_*² + dσ_cdp², R = (1−p)(4ζ_*²/p + σ_*²) + 2H|E|dσ_cor²/n + \
        ‖W−J‖_F²dσ_cdp²/n, S = log(1 + T/(τ−1))",
    hypotheses: "ℓ = f + r with r public and smooth, ‖∇f‖ ≤ C everywhere; every L_i and L are \
        L-smooth, L is μ-PL, 0 < μ ≤ L, L and μ public; (1/n)Σ‖∇L_i − ∇L‖² ≤ ζ_*² and Ψ ≤ σ_*² \
        everywhere (both hold with C²); G has an edge; W a mixing matrix with p > 0; unbiased \
        samples, those of different users independent; T ≥ 1; H = H_G(W), |E| the number of edges \
        of G; any noise, such as that of decor-alg-1-corrected: σ_cdp² = κC²Tl/((n−q)ε²), σ_cor² = \
        κC²Tl/(a_q(G)ε²), κ = 12 + 8√2, l = log(1/δ)",
    check: thm_2a_corrected,
    ..Claim::ALONE
};

fn thm_2a_corrected(c: &Check) -> Verdict {
    useful(c).proved_on(
        "all n, d, T ≥ 1, all graphs and mixing matrices with p > 0, all σ_cdp, σ_cor ≥ 0, all \
            losses of the hypotheses",
    )
}

fn useful(c: &Check) -> Argument<'_> {
    let numerator = c.constant("numerator of the step size", 2);
    let shift = c.constant("multiple of L/(μp) added to t", 16);
    let lead = c.constant("factor of LQT/(μ²n(T+τ)²)", frac(16, 7));
    let rest = c.constant("factor of L²RS/(μ³p(T+τ)²)", frac(256, 7));
    let start = c.constant("factor of LΞ_0", frac(1, 2));
    let violated = exact(&numerator, &shift, &lead);
    // (1 + 1/t̂)² is replaced by this number: lead = growth·numerator²/2.
    let squared = Rational::from(numerator.square_ref());
    let growth = Rational::from(&lead * 2) / &squared;
    let first = Rational::from(&numerator / &shift);
    let [eta, l, g, m, x, q] = ["η", "L", "G", "‖m‖²", "X", "Q/n"].map(Poly::var);
    let half = Poly::from(frac(1, 2));
    let second = &q + &m;
    let descent = &half * &eta * (l.square() * &x - &g - &m) + &half * &l * eta.square() * second;
    let kept = &half * &eta * (1 - &l * &eta) * &m;
    let bound = &half * &eta * (l.square() * &x - &g) + &half * &l * eta.square() * &q;
    let weight = 4 * l.square() * inv("p");
    let t = Poly::from(shift.clone()) + v("x");
    let next = (&t + 1).square();
    let tau = Interval::from_rational(&shift);
    let one = Interval::from(1);
    let telescopes = (&one / &tau).certainly_le(&(&one + &(&one / &(&tau - &one))).ln());
    Argument::new(c)
        .positive(&["x"])
        .states_unless(
            "K_2, W = 11ᵀ/2, f = 0, r = x²/2, σ_cdp = 1, T = 1 to 60, x⁽⁰⁾ = 0 and 1",
            violated,
        )
        .needs_equal(
            "Lemma 7, M = 0: what is dropped is (η/2)(1 − Lη)‖m‖²",
            descent + kept,
            &bound,
        )
        .needs_equal(
            "L²/2 + (4L²/p)(1 − p/4) = (4L²/p)(1 − p/8)",
            &half * l.square() + &weight * (1 - frac(1, 4) * v("p")),
            &weight * (1 - frac(1, 8) * v("p")),
        )
        .needs_that(
            "η_0 = p/(8L), so Lη ≤ 1, Lη ≤ p/4 and μη ≤ p/8",
            first <= frac(1, 8),
        )
        .needs_at_most(
            "(t̂+1)²(t̂ − 2) ≤ t̂³",
            &next * (&t - Poly::from(numerator.clone())),
            &t * t.square(),
        )
        .needs_at_most(
            "(t̂+1)² ≤ (8/7)t̂² for t̂ ≥ 16",
            &next,
            Poly::from(growth.clone()) * t.square(),
        )
        .needs_that(
            "(8/7)·2²·4·2 = 256/7",
            rest >= growth * &squared * 4 * &numerator,
        )
        .needs_that("(4L²/p)η_0 = L/2", start == first * 4)
        .needs_that("1/τ ≤ log(1 + 1/(τ−1)) at τ = 16", telescopes)
}

/// The exact error on K_2, W = 11ᵀ/2, f = 0, r = x²/2 (L = μ = p = 1, so R = 0), σ_cdp = 1, d = 1, n = 2, where it exceeds
/// the bound: E x̄² obeys m⁺ = (1 − η)²m + η²/2.
fn exact(numerator: &Rational, shift: &Rational, lead: &Rational) -> Option<String> {
    for x in [0, 1] {
        let mut moment = Rational::from(x);
        for t in 0..60u32 {
            let eta = numerator / (Rational::from(shift + t));
            moment = Rational::from(1 - &eta).square() * moment + eta.square() / 2;
            let end = Rational::from(shift + (t + 1)).square();
            let noise = Rational::from(lead * (t + 1)) / 2;
            let initial = Rational::from(shift.square_ref()) * x / 2;
            let bound: Rational = (noise + initial) / end;
            let error = Rational::from(&moment / 2);
            if error > bound {
                let (error, bound) = (error.to_f64(), bound.to_f64());
                return Some(format!(
                    "x⁽⁰⁾ = {x}, T = {}: the error is {error:.6}, the bound {bound:.6}",
                    t + 1
                ));
            }
        }
    }
    None
}

/// `decor-cor-12-pl-corrected-utility`. The variances are put into `decor-thm-2a-corrected`, and T/(T+τ)² ≤ 1/T.
pub const COR_12_PL_CORRECTED_UTILITY: Claim = Claim {
    id: "decor-cor-12-pl-corrected-utility",
    place: "App. C, Corollary 12, first item (corrected), its utility",
    kind: Kind::ExpectationBound,
    statement: "for any l, ε, a > 0 and m ≥ 1, which are log(1/δ), ε, a_q(G) and n − q in \
        Corollary 12, and κ = 12 + 8√2, σ_cdp² = κC²Tl/(mε²), σ_cor² = κC²Tl/(aε²) the run of \
        decor-thm-2a-corrected has E L(x̄^(T)) − L_* ≤ (16/7)κLC²dl/(μ²n·m·ε²) + \
        (16/7)Lσ_*²/(μ²nT) + (256/7)(κL²C²dlS/(μ³pε²T))(2H|E|/(n·a) + ‖W−J‖_F²/(n·m)) + \
        (256/7)L²S(1−p)(4ζ_*²/p + σ_*²)/(μ³pT²) + τ²(L_0 + LΞ_0/2)/(T+τ)², S = log(1 + T/(τ−1))",
    hypotheses: "as decor-thm-2a-corrected; no privacy is claimed here",
    check: cor_12_pl_corrected,
    ..Claim::ALONE
};

/// `decor-cor-12-pl-corrected`: one run, of which the kernel proves both. The noise of the colluders' edges is drawn in it, around
/// values that are given, and seen. It is private whatever the values and that variance: with variance 0 they are what Definition 1
/// conditions on. It is useful where they are 0 and the variance is σ_cor².
pub const COR_12_PL_CORRECTED: Claim = Claim {
    id: "decor-cor-12-pl-corrected",
    place: "App. C, Corollary 12, first item (corrected)",
    kind: Kind::ExpectationBound,
    statement: "with κ = 12 + 8√2, l = log(1/δ), σ_cdp² = κC²Tl/((n−q)ε²), σ_cor² = \
        κC²Tl/(a_q(G)ε²), η_t = 2/(μ(t + τ)), τ = 16L/(μp) and g_i = Clip(∇f(x_i, ξ_i); C) + \
        ∇r(x_i), Algorithm 1 is (ε,δ)-SecLDP against collusion at level q, and E L(x̄^(T)) − L_* ≤ \
        (16/7)κLC²dl/(μ²n(n−q)ε²) + (16/7)Lσ_*²/(μ²nT) + (256/7)(κL²C²dlS/(μ³pε²T))(2H|E|/(n a_q) \
        + ‖W−J‖_F²/(n(n−q))) + (256/7)L²S(1−p)(4ζ_*²/p + σ_*²)/(μ³pT²) + τ²(L_0 + LΞ_0/2)/(T+τ)², \
        S = log(1 + T/(τ−1))",
    hypotheses: "as decor-thm-2a-corrected; H = H_G(W), |E| the number of edges of G; G \
        (q+1)-connected, q ≤ n − 2, 0 < ε ≤ log(1/δ), δ in (0,1); user-level replacement of a user \
        outside the group; x^(0), W, C, T, L, μ and p (so the steps) fixed without looking at the \
        data",
    rests_on: &[
        "decor-alg-1-corrected",
        "decor-cor-12-pl-corrected-utility",
        "decor-def-a",
    ],
    by_hand: &[],
    check: cor_12_pl_corrected,
};

fn cor_12_pl_corrected(c: &Check) -> Verdict {
    trade_off(c).proved_on("all instances of the hypotheses, 0 ≤ q ≤ n − 2, T ≥ 1")
}

fn trade_off(c: &Check) -> Argument<'_> {
    let lead = Poly::from(c.constant("factor of κLC²dl/(μ²n(n−q)ε²)", frac(16, 7)));
    let rest = Poly::from(c.constant("factor of κL²C²dlS/(μ³pε²T)", frac(256, 7)));
    let common = v("κC²dl/ε²") * v("T");
    let (cdp, cor) = (&common * inv("n−q"), &common * inv("a"));
    let once = frac(16, 7) * v("L/(μ²n)") * inv("T");
    let twice = frac(256, 7) * v("L²S/(μ³p)") * inv("T").square();
    let kept = 2 * v("H|E|/n") * &cor + v("‖W−J‖²/n") * &cdp;
    let shape = 2 * v("H|E|/n") * inv("a") + v("‖W−J‖²/n") * inv("n−q");
    let claimed = v("L²S/(μ³p)") * v("κC²dl/ε²") * inv("T") * shape;
    let positive = [
        "κC²dl/ε²",
        "T",
        "n−q",
        "a",
        "L/(μ²n)",
        "L²S/(μ³p)",
        "H|E|/n",
        "‖W−J‖²/n",
    ];
    let leading = lead * v("κC²dl/ε²") * inv("n−q") * v("L/(μ²n)");
    private(c)
        .positive(&positive)
        .states_at_most("dσ_cdp² in the first term", once * cdp, &leading)
        .states_at_most("dσ_cor² and dσ_cdp² in R", twice * kept, rest * claimed)
        .positive(&["τ"])
        .needs_at_most("T·T ≤ (T+τ)²", v("T").square(), (v("T") + v("τ")).square())
}

/// `decor-cor-3a-util-corrected`: `decor-cor-12-pl-corrected` with q = 0. The other terms are at most Y/√T, as 1/T ≤ 1/√T,
/// T/(T + τ)² ≤ 1/T and S ≤ 2·log(1 + √T/3) ≤ (2/3)√T, τ being at least 16.
pub const COR_3A_UTIL_CORRECTED: Claim = Claim {
    id: "decor-cor-3a-util-corrected",
    place: "§5.3, Corollary 3, first item (corrected)",
    kind: Kind::ExpectationBound,
    statement: "the run of decor-cor-12-pl-corrected with q = 0 is (ε,δ)-SecLDP against an \
        eavesdropper; its E L(x̄^(T)) − L_* is at most the bound of decor-cor-12-pl-corrected, \
        with the factors 16/7 and 256/7, and so at most (16/7)(12 + 8√2)LC²dl/(μ²n²ε²) + Y/√T with \
        Y = (16/7)Lσ_*²/(μ²n) + (512/21)(κL²C²dl/(μ³pε²))(2H|E|/(n a_0) + ‖W−J‖_F²/n²) + \
        (512/21)L²(1−p)(4ζ_*²/p + σ_*²)/(μ³p) + τ²(L_0 + LΞ_0/2), which does not depend on T",
    hypotheses: "as decor-cor-12-pl-corrected, with its noise σ_cdp² = κC²Tl/((n−q)ε²), σ_cor² = \
        κC²Tl/(a_q(G)ε²), κ = 12 + 8√2, l = log(1/δ), at q = 0; G connected, n ≥ 2",
    rests_on: &["decor-cor-12-pl-corrected", "decor-def-a"],
    by_hand: &[],
    check: |c| {
        vanishing(c).proved_on("all connected graphs with n ≥ 2, all instances of the hypotheses")
    },
};

/// `decor-cor-3b-util-corrected`: `decor-cor-12-pl-corrected` with q = 1.
pub const COR_3B_UTIL_CORRECTED: Claim = Claim {
    id: "decor-cor-3b-util-corrected",
    place: "§5.3, Corollary 3, second item (corrected)",
    kind: Kind::ExpectationBound,
    statement: "the run of decor-cor-12-pl-corrected with q = 1 is (ε,δ)-SecLDP against \
        non-colluding users; its E L(x̄^(T)) − L_* is at most the bound of \
        decor-cor-12-pl-corrected, with the factors 16/7 and 256/7, and so at most (16/7)(12 + \
        8√2)LC²dl/(μ²n(n−1)ε²) + Y/√T with Y = (16/7)Lσ_*²/(μ²n) + \
        (512/21)(κL²C²dl/(μ³pε²))(2H|E|/(n a_1) + ‖W−J‖_F²/(n(n−1))) + (512/21)L²(1−p)(4ζ_*²/p + \
        σ_*²)/(μ³p) + τ²(L_0 + LΞ_0/2), which does not depend on T",
    hypotheses: "as decor-cor-12-pl-corrected, with its noise σ_cdp² = κC²Tl/((n−q)ε²), σ_cor² = \
        κC²Tl/(a_q(G)ε²), κ = 12 + 8√2, l = log(1/δ), at q = 1; G 2-connected, n ≥ 3",
    rests_on: &["decor-cor-12-pl-corrected", "decor-def-a"],
    by_hand: &[],
    check: |c| {
        vanishing(c).proved_on("all 2-connected graphs with n ≥ 3, all instances of the hypotheses")
    },
};

fn vanishing(c: &Check) -> Argument<'_> {
    let factor = c.constant("factor of the terms with S in Y", frac(512, 21));
    let [root, more] = ["√T", "τ−10"].map(Poly::var);
    let first = 9 + more;
    let square = (1 + frac(1, 3) * &root).square();
    trade_off(c)
        .positive(&["√T", "τ−10"])
        .needs_that("(256/7)(2/3) = 512/21", factor >= frac(512, 21))
        .needs_at_most(
            "1 + T/(τ−1) ≤ (1 + √T/3)² for τ ≥ 10, times τ − 1",
            &first + root.square(),
            &first * square,
        )
}
