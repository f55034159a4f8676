//! Section 3, Lemma 2: how far the gradient estimates of Algorithm 1 are off, and how many there are.

use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::{Argument, Domain, Expr, Forall, closed, infinite, open, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 5] = [
    LEM_2_TAIL,
    LEM_2,
    LEM_2_REPAIRED,
    LEM_2_COUNT,
    LEM_2_COUNT_REPAIRED,
];

/// `kl-lem-2-tail`. The norm is √V·χ_d with V ≤ σ̂² + T_kσ_k², so the claim is P(χ²_d ≥ u) ≤ 2e^{−u/(2d)}.
/// d = 1: 2E\[e^{√u Z}\]e^{−u} = 2e^{−u/2}. d = 2: e^{−u/2}. d ≥ 3: Markov for e^{sχ²}, s = 1/(2d), has the factor
/// (1 − 1/d)^{−d/2} ≤ 2.
pub const LEM_2_TAIL: Claim = Claim {
    id: "kl-lem-2-tail",
    place: "Sec. 3, proof of Lemma 2 (Jin et al., Lemma 2)",
    kind: Kind::Imported,
    statement: "P(|∑_{j≤t} b_{k,j}| ≥ x) ≤ 2 exp(-x^2/(2 d (σ_hat^2 + ∑_{j=1}^{T_k} σ_k^2)))",
    hypotheses: "x ≥ 0, t ≤ T_k, b_{k,j} independent",
    check: lem_2_tail,
    by_hand: &[
        "d = 1: Chernoff for one normal variable",
        "d ≥ 3: Markov for e^{s χ²}",
        "the variance of a partial sum is at most the whole",
    ],
    ..Claim::ALONE
};

fn lem_2_tail(check: &Check) -> Verdict {
    let divisor = check.constant("divisor of u/d in the exponent", 2);
    let rate = Interval::from(1) / Interval::from_rational(&divisor);
    // d = 1: P(χ² ≥ u) = erfc(√(u/2)).
    let fails = |u: i64| {
        let exact = (Interval::from(u) / Interval::from(2)).sqrt().erfc();
        let bound = Interval::from(2) * (-(Interval::from(u) * &rate)).exp();
        bound.certainly_lt(&exact)
    };
    let failing = (0..14).map(|i| 1_i64 << i).find(|u| fails(*u));
    let (domain, x) = Domain::of("1/d", open(0), closed(ratio(1, 3)));
    let markov = Forall::le(domain, 0 - (1 - &x).ln(), 2 * &x * Expr::from(2).ln());
    let [root] = symbols();
    Argument::new(check)
        .states_that("d = 1, u = 1, 2, 4, .., 8192", failing.is_none(), || {
            format!(
                "d = 1, u = {}: P(χ^2 ≥ u) is above 2 exp(-u/{divisor})",
                failing.unwrap_or(0)
            )
        })
        .needs_that("the exponent is that of the proof or weaker", divisor >= 2)
        .needs_identity(
            "d = 1: u/2 - u",
            root.square() / 2 - root.square(),
            0 - root.square() / 2,
        )
        .needs("kl-lem-2-tail", &markov)
        .proved_on("all d ≥ 1, x ≥ 0, σ_hat, σ_k > 0")
}

/// `kl-lem-2`. κ = 2, d = γ = L₀ = ρ = 1, L₁ = 50, n = 1000, β = ½, F₀ with K = 1 (n²F₀ = e^{1/3201}), F = 25w²,
/// F(w₀) = F₀. The floor 1024·log(2)/n² of line 6 exceeds F₀, so Φ̂₁ = F₀. In units of 1/n: gradient at least 10,
/// threshold at most 7/8·1.0002, error of ∇_{1,1} of variance at least 1 against a bound of 0.1251.
pub const LEM_2: Claim = Claim {
    id: "kl-lem-2",
    place: "Sec. 3, Lemma 2",
    kind: Kind::HighProbability,
    statement: "with probability ≥ 1 - β, |∇_{k,t} - ∇ F(w_{k,t})| ≤ Φ_k^{1/κ}/(8 γ) for all k in \
        [K] and t in [T_k] that index iterates",
    hypotheses: "those of Theorem 1",
    check: |c| {
        let bound = c.constant("factor of Φ_k^{1/κ}/γ", ratio(1, 8));
        // e^{1/6402} ≤ 1 + 1/5000.
        let reach = Interval::from_rational(&(bound * ratio(5001, 5000)));
        let within = Interval::from(2) * reach.phi() - Interval::from(1);
        let stopped = Interval::from(-9).phi();
        let success = within + stopped;
        let claimed = Interval::from_f64(0.5);
        Argument::new(c)
            .repaired("kl-lem-2-repaired")
            .states_that(
                "law of the error of grad_{1,1}",
                !success.certainly_lt(&claimed),
                || {
                    format!(
                        "κ = 2, d = γ = L_0 = ρ = K = 1, L_1 = 50, n = 1000, F = 25 w^2: the event \
                            has probability ≤ {success} against 1 - β = 1/2"
                    )
                },
            )
            .open_for("no proof when Φ_k is below the floor")
    },
    ..Claim::ALONE
};

/// `kl-lem-2-repaired`. With ℓ = log(1/β′) and a = L₀√(Kdℓ)/(n√ρ): σ̂ = a/√(dℓ) and √T_kσ_k ≤ σ̂ (`kl-par-alg-1`,
/// Φ̂_k ≤ F₀ ≤ (γL₀)^κ), so an estimate with t ≤ ⌊T_k⌋ + 1 ≤ 2T_k has V ≤ 3σ̂² and exceeds 4a with probability at most
/// 2β′^{8/3}. A round has ⌊T_k⌋ + 2 ≤ 3T_k estimates. Floor ≤ F₀: ΣT_k ≤ β/β′, in all 6ββ′^{5/3} ≤ β. Floor > F₀: T_k = 1
/// and β′ ≤ βK^{−κ/2} (`kl-alg-1-repaired`), in all 6Kβ′^{8/3} ≤ 6β^{8/3}K^{1−4κ/3} ≤ β.
pub const LEM_2_REPAIRED: Claim = Claim {
    id: "kl-lem-2-repaired",
    statement: "with probability ≥ 1 - β, |∇_{k,t} - ∇ F(w_{k,t})| ≤ 4 L_0 √(K d log(1/β′))/(n \
        √(ρ)) for every estimate made, t = 0…floor(T_k)+1; this is Φ_k^{1/κ}/(8 γ) or less where \
        Φ_k is at least the floor (32 γ L_0 √(K d log(1/β′))/(n √(ρ)))^κ",
    hypotheses: "0 < β ≤ 1/3, K ≥ 1 an integer, (γ L_0 √(d)/(n √(ρ)))^κ < F_0 ≤ (γ L_0)^κ",
    rests_on: &[
        "kl-lem-2-tail",
        "kl-par-alg-1",
        "kl-alg-1-repaired",
        "kl-lem-2-count-repaired",
        "kl-fact-telescope",
    ],
    check: lem_2_repaired,
    by_hand: &[
        "union bound over the estimates of all rounds",
        "variance at most 3 σ̂²",
        "two cases, floor below or above F₀",
    ],
    ..LEM_2
};

fn lem_2_repaired(check: &Check) -> Verdict {
    let radius = check.constant("error in units of L_0 √(K d log(1/β'))/(n √(ρ))", 4);
    let most = check.constant("largest β", ratio(1, 3));
    let exponent: Rational = Rational::from(&radius * &radius) / 6;
    let ln = |x: &Rational| Interval::from_rational(x).ln();
    // 6·b^{exponent − 1} ≤ 1.
    let power = Interval::from_rational(&(exponent.clone() - 1));
    let total = Interval::from(6).ln() + power * ln(&most);
    let (domain, share) = Domain::of("T_k σ_k^2/σ_hat^2", closed(0), closed(1));
    // V ≤ σ̂² + (⌊T_k⌋ + 1)σ_k², so that (4a)²/(2dV) ≥ (16/6)·log(1/β′).
    let tail = Forall::le(domain, 1 + 2 * share, 3);
    let mut rounds = Domain::new();
    let whole = rounds.integer_from("floor(T_k)", 1);
    let rest = rounds.real("T_k - floor(T_k)", closed(0), open(1));
    let estimates = Forall::le(rounds, &whole + 2, 3 * (whole + rest));
    let floor = ratio(32, 8);
    Argument::new(check)
        .needs("kl-lem-2-repaired/tail", &tail)
        .needs("kl-lem-2-repaired/estimates", &estimates)
        .needs_that(
            "6 β^(8/3 - 1) ≤ 1 at the largest β",
            total.certainly_le(&Interval::from(0)),
        )
        .needs_that("1 - (8/3) κ/2 ≤ 0 for κ ≥ 1", exponent >= 2)
        .needs_that(
            "log(1/β') ≥ 1/1024",
            Interval::from_rational(&ratio(1, 1024)).certainly_le(&-ln(&most)),
        )
        .states_that("an eighth of the floor's root", radius <= floor, || {
            format!("the floor's root over 8 γ is {floor} units, the bound {radius}")
        })
        .proved_on("all such inputs, 1 ≤ κ ≤ 2, d, n ≥ 1, ρ > 0")
}

/// `kl-lem-2-count`. κ = 1, d = γ = L₀ = ρ = 1, n = 1000, F₀ = 2/n, L₁ such that K = 100, β ≤ 1: β′ = β/20, the floor is
/// above F₀, T_k = 1. The loss may be constant.
pub const LEM_2_COUNT: Claim = Claim {
    id: "kl-lem-2-count",
    place: "Sec. 3, end of the proof of Lemma 2",
    kind: Kind::PathwiseInequality,
    statement: "∑_k T_k ≤ K (F_0/floor)^{(2-κ)/κ} ≤ K (n √(ρ) F_0^{1/κ}/(γ L_0 √(K d)))^{2-κ}",
    hypotheses: "those of Theorem 1; floor = (32 γ L_0 √(K d log(1/β′))/(n √(ρ)))^κ",
    check: by_kernel,
    ..Claim::ALONE
};

/// `kl-lem-2-count-repaired`. Φ̂_k ≥ floor: T_k = (F₀/floor)^p e^{−py}, p = (2−κ)/κ; and
/// (F₀/floor)^{1/κ} = n√ρF₀^{1/κ}/(γL₀√(Kd)) e^{−h}, h = ln(32√log(1/β′)) ≥ 0. `while t <= T_k` makes up to
/// ⌊T_k⌋ + 1 ≤ 2T_k passes.
pub const LEM_2_COUNT_REPAIRED: Claim = Claim {
    id: "kl-lem-2-count-repaired",
    statement: "∑_k T_k ≤ K (F_0/floor)^{(2-κ)/κ} ≤ K (n √(ρ) F_0^{1/κ}/(γ L_0 √(K d)))^{2-κ}; the \
        passes of the inner loop are at most twice that",
    hypotheses: "floor ≤ F_0, log(1/β′) ≥ 1/1024, at most K rounds",
    rests_on: &["kl-par-alg-1"],
    check: |c| {
        let passes = c.constant("passes per T_k", 2);
        let least = c.constant("least log(1/β')", ratio(1, 1024));
        let mut above = Domain::new();
        let p = above.real("(2-κ)/κ", closed(0), closed(1));
        let y = above.real("ln(Φ_k/floor)", closed(0), infinite());
        let mut logs = Domain::new();
        let power = logs.real("2 - κ", closed(0), closed(1));
        let h = logs.real("ln(32 √(log(1/β')))", closed(0), infinite());
        let mut loops = Domain::new();
        let whole = loops.integer_from("floor(T_k)", 1);
        let rest = loops.real("T_k - floor(T_k)", closed(0), open(1));
        Argument::new(c)
            .needs(
                "kl-lem-2-count-repaired/round",
                &Forall::le(above, (0 - p * y).exp(), 1),
            )
            .needs_that("32 √(log(1/β')) ≥ 1", least * 1024 >= 1)
            .needs(
                "kl-lem-2-count-repaired/log",
                &Forall::le(logs, (0 - power * h).exp(), 1),
            )
            .states(
                "kl-lem-2-count-repaired/passes",
                &Forall::le(loops, &whole + 1, passes * (whole + rest)),
            )
            .proved_on("all 1 ≤ κ ≤ 2, positive inputs")
    },
    by_hand: &[],
    ..LEM_2_COUNT
};
