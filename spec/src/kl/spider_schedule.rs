//! Algorithm 1: does it run, its public schedule, and how far its iterates go (Lemma 1, App. B.3).
//!
//! The schedule depends on public inputs only: Φ̂_k, T_k, σ_k and the step length Φ̂_k^{1/κ}/(4γL₁) form a table that is
//! known before any data are touched. `ln_x` stands for ln x.

use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::{Argument, Domain, Expr, Forall, closed, infinite, open, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 11] = [
    ALG_1,
    ALG_1_REPAIRED,
    PAR_ALG_1,
    PAR_ALG_1_PROOF,
    FACT_TELESCOPE,
    LEM_1,
    LEM_1_PROOF,
    LEM_1_READING_ALL,
    LEM_1_REPAIRED,
    LEM_1_NOTE,
    LEM_1_NOTE_REPAIRED,
];

/// `kl-alg-1`. The first noisy gradient of a round is below the threshold with positive probability, whatever the data;
/// then the body has not run, t = 0, and line 17 reads w_{k,−1}. Besides, w_{1,0} is not assigned (line 1 sets w_{0,0}),
/// K and T_k are real, and K ≤ 0 when n√ρ ≤ √d even for the largest F₀, so that √K in line 4 is not real.
pub const ALG_1: Claim = Claim {
    id: "kl-alg-1",
    place: "Sec. 3, Algorithm 1",
    kind: Kind::Algorithm,
    statement: "Algorithm 1 runs on every input with F_0 ≤ (L_0 γ)^κ, 1 ≤ κ ≤ 2",
    hypotheses: "as printed; w_{1,0} = w_0",
    check: |c| {
        let back = c.constant("steps back of the carried iterate", 1);
        // γ = L₀ = ρ = n = 1, κ = d = 2, F₀ = (γL₀)^κ: the bracket of K is 2·ln(1/√2).
        let bracket = -Interval::from(2).ln();
        Argument::new(c)
            .repaired("kl-alg-1-repaired")
            .states_that("iterate carried after t = 0", back <= 0, || {
                format!(
                    "norm test failed at t = 0 (of positive probability on every input): line 17 \
                        reads w_(k,-{back})"
                )
            })
            .states_that("K > 0", !bracket.certainly_lt(&Interval::from(0)), || {
                format!("γ = L_0 = ρ = n = F_0 = 1, κ = d = 2: the bracket of K is {bracket}")
            })
            .proved_on("every input")
    },
    ..Claim::ALONE
};

/// `kl-alg-1-repaired`. q = γL₀√(Kd)/(n√ρF₀^{1/κ}) is √K e^{−y} with y ≥ 0 when F₀ > (γL₀√d/(n√ρ))^κ, so that
/// ln(β′/β) = (2−κ)ln q − ln K = −(κ/2)ln K − (2−κ)y. The inner loop ends after at most ⌊T_k⌋ + 1 passes.
pub const ALG_1_REPAIRED: Claim = Claim {
    id: "kl-alg-1-repaired",
    statement: "with w_0 returned at once if F_0 ≤ (γ L_0 √(d)/(n √(ρ)))^κ, else ceil(K) for K in \
        all its uses, and w_{k+1,0} = w_{k,t} in line 17, Algorithm 1 runs; β′ ≤ β K^{-κ/2} ≤ β",
    hypotheses: "0 < β < 1, γ, L_0, L_1, ρ, F_0 > 0, 1 ≤ κ ≤ 2; w_{1,0} = w_0",
    check: |c| {
        let back = c.constant("steps back of the carried iterate", 0);
        let half = c.constant("exponent of K over κ", ratio(1, 2));
        let mut domain = Domain::new();
        let kappa = domain.real("κ", closed(1), closed(2));
        let k = domain.real("ln K", closed(0), infinite());
        let y = domain.real("ln(F_0^{1/κ} n √(ρ)/(γ L_0 √(d)))", closed(0), infinite());
        let ratio_of = (2 - &kappa) * (&k / 2 - &y) - &k;
        let bound = 0 - half.clone() * (&kappa * &k);
        let better = (ratio(1, 2) - half) * (&kappa * &k) + (2 - &kappa) * &y;
        Argument::new(c)
            .states_that("iterate carried after t = 0", back <= 0, || {
                format!("norm test failed at t = 0: line 17 reads w_(k,-{back})")
            })
            .states(
                "kl-alg-1-repaired",
                &Forall::le(domain, ratio_of, bound).factored(1, better),
            )
            .proved_on("all such inputs; ceil(K) ≥ 1, log(1/β') > 0, every loop ends")
    },
    ..ALG_1
};

/// `kl-par-alg-1`: what the analysis uses of lines 2 to 7. Φ̂_{k−1} ≥ m = min{floor, F₀} by induction.
pub const PAR_ALG_1: Claim = Claim {
    id: "kl-par-alg-1",
    place: "Sec. 3, Algorithm 1, lines 2-7",
    kind: Kind::Calibration,
    statement: "Φ_k ≤ Φ_{k-1} ≤ F_0, 1 ≤ T_k ≤ T_{k+1}, T_k = 1 for κ = 2, 1 - 1/c = \
        F_0^{(2-κ)/κ}/(64 c γ^2 L_1), √(T_k) σ_k = (√(K)/(γ n √(ρ))) Φ_k^{(κ-1)/κ} F_0^{(2-κ)/κ}",
    hypotheses: "K > 0, 0 < β′ < 1, 1 ≤ κ ≤ 2",
    check: par_alg_1,
    by_hand: &[],
    ..Claim::ALONE
};

fn par_alg_1(check: &Check) -> Verdict {
    let divisor = check.constant("divisor in c", 64);
    let [kappa, ln_start, ln_phi, ln_root, power, gamma, l] = symbols();
    let step = &power / (&gamma.square() * &l);
    let c = 1 + &step / Expr::from(divisor);
    let exponent = (2 - &kappa) / &kappa;
    let ln_t = &exponent * (&ln_start - &ln_phi);
    // ln_root = ln(√K/(γn√ρ)); ln σ_k = ln_root + ln Φ̂/κ + ln T_k/2.
    let sigma = &ln_root + &ln_phi / &kappa + &ln_t / 2;
    let mut domain = Domain::new();
    let floor = domain.real("min{floor, F_0}", open(0), infinite());
    let above = domain.real("Φ_{k-1} - min{floor, F_0}", closed(0), infinite());
    let growth = domain.real("c - 1", open(0), infinite());
    let previous = &floor + above;
    let next = (&previous / (1 + growth)).max(&floor);
    let mut lengths = Domain::new();
    let share = lengths.real("(2-κ)/κ", closed(0), closed(1));
    let decrease = lengths.real("ln(F_0/Φ_k)", closed(0), infinite());
    Argument::new(check)
        .states_identity("1 - 1/c", 1 - 1 / &c, &step / (64 * &c))
        .states("kl-par-alg-1/target", &Forall::le(domain, next, previous))
        .states(
            "kl-par-alg-1/length",
            &Forall::le(lengths, 0, share * decrease),
        )
        .note("(2-κ)/κ ≥ 0 is 0 at κ = 2: ln T_k is ≥ 0, non-decreasing in k, and 0 for κ = 2")
        .states_identity(
            "√(T_k) σ_k",
            &ln_t / 2 + sigma,
            &ln_root + (&kappa - 1) / &kappa * &ln_phi + &exponent * &ln_start,
        )
        .proved_on("all k ≥ 1, 1 ≤ κ ≤ 2, positive inputs")
}

/// `kl-par-alg-1-proof`: the round length as written where the proof of Theorem 1 sums over a
/// round. At κ = 1 and x = F₀/Φ̂_k ≥ 1 the algorithm has x, the proof x^{−1/2}.
pub const PAR_ALG_1_PROOF: Claim = Claim {
    id: "kl-par-alg-1-proof",
    place: "Sec. 3, proof of Theorem 1, before the sum over a round",
    statement: "T_k = (F_0/Φ_k)^{(κ-2)/2}",
    hypotheses: "T_k of Algorithm 1",
    check: by_kernel,
    by_hand: &[],
    ..PAR_ALG_1
};

/// `kl-fact-telescope`, by induction on t: the estimate's error is the sum of the noises so far.
pub const FACT_TELESCOPE: Claim = Claim {
    id: "kl-fact-telescope",
    place: "Sec. 3, overview and proof of Lemma 2",
    kind: Kind::PathwiseInequality,
    statement: "∇_{k,t} - ∇ F(w_{k,t}) = ∑_{j≤t} b_{k,j}",
    hypotheses: "lines 8, 13, 14 in exact arithmetic",
    check: by_kernel,
    by_hand: &[],
    ..Claim::ALONE
};

/// `kl-lem-1`, with the constant that the algorithm's K gives: a carried iterate has made at most ⌊T_i⌋ steps in each
/// round before, as line 17 goes one back, and T_iΦ̂_i^{1/κ} = F₀^{(2−κ)/κ}Φ̂_i^{(κ−1)/κ} ≤ F₀^{1/κ}.
pub const LEM_1: Claim = Claim {
    id: "kl-lem-1",
    place: "Sec. 3, Lemma 1; App. B.3",
    kind: Kind::PathwiseInequality,
    statement: "|w_{k,t} - w_0| ≤ K F_0^{1/κ}/(4 γ L_1) = (F_0^{1/κ}/(4 γ L_1) + 16 F_0^{(κ-1)/κ} \
        γ) [log F_0 + κ log(n √(ρ)/(γ L_0 √(d)))]",
    hypotheses: "k in [K], t in [T_k] integers, Algorithm 1 as printed; any gradient estimates",
    rests_on: &["kl-par-alg-1"],
    check: lem_1,
    by_hand: &[],
};

fn lem_1(check: &Check) -> Verdict {
    let factor = check.constant("factor of F_0^{1/κ} per round", 1);
    let sixteen = check.constant("factor of F_0^{(κ-1)/κ} γ", 16);
    // root = F₀^{1/κ}, so F₀^{(κ−2)/κ} = F₀/root² and F₀^{(κ−1)/κ} = F₀/root.
    let [root, start, gamma, l, bracket] = symbols();
    let rounds = (1 + 64 * (&start / root.square()) * gamma.square() * &l) * &bracket;
    let radius = (&root / (4 * &gamma * &l) + sixteen * (&start / &root * &gamma)) * &bracket;
    let mut domain = Domain::new();
    let share = domain.real("(κ-1)/κ", closed(0), closed(ratio(1, 2)));
    let decrease = domain.real("ln(F_0/Φ_k)", closed(0), infinite());
    Argument::new(check)
        .states(
            "kl-lem-1",
            &Forall::le(domain, (0 - share * decrease).exp(), factor),
        )
        .note("T_k Φ_k^{1/κ} over F_0^{1/κ}")
        .states_identity(
            "K F_0^{1/κ}/(4 γ L_1)",
            rounds * &root / (4 * &gamma * &l),
            &radius,
        )
        .proved_on("all 1 ≤ κ ≤ 2, positive inputs, at most K rounds")
}

/// `kl-lem-1-proof`: Appendix B.3 writes K, and hence the radius, without γ in the logarithm.
pub const LEM_1_PROOF: Claim = Claim {
    id: "kl-lem-1-proof",
    place: "App. B.3, last display",
    statement: "|w_{k,t} - w_0| ≤ (F_0^{1/κ}/(4 γ L_1) + 16 F_0^{(κ-1)/κ} γ) [log F_0 + κ log(n \
        √(ρ)/(L_0 √(d)))]",
    check: |c| {
        let power = c.constant("power of γ in the logarithm", 0);
        // κ = 2, γ = 1/2, L₀ = L₁ = d = ρ = 1, n = 2, F₀ = (γL₀)² = 1/4.
        let inside = if power == 0 {
            ratio(1, 4) * 4
        } else {
            ratio(1, 4) * 16
        };
        let rounds = Interval::from(17) * Interval::from(4).ln();
        Argument::new(c)
            .repaired("kl-lem-1")
            .needs_that("K ≥ 1", Interval::from(1).certainly_le(&rounds))
            .states_that("the bracket is positive where K is", inside > 1, || {
                format!(
                    "κ = 2, γ = 1/2, L_0 = L_1 = d = ρ = 1, n = 2, F_0 = 1/4: the printed radius \
                        is 0 (the logarithm of {inside}) while K is {rounds} and the first step \
                        has positive length"
                )
            })
            .open_for("compared at one point only")
    },
    by_hand: &[],
    ..LEM_1
};

/// `kl-lem-1-reading-all`: line 13 takes a gradient also at w_{k,⌊T_k⌋+1}. Take F₀ such that K = 1,
/// κ = 2: the two steps have length √F₀/(4γL₁) each, on a line in either direction, with positive
/// probability in the same.
pub const LEM_1_READING_ALL: Claim = Claim {
    id: "kl-lem-1-reading-all",
    statement: "every point at which Algorithm 1 takes a gradient is within K F_0^{1/κ}/(4 γ L_1) \
        of w_0",
    hypotheses: "Algorithm 1 as printed; the radius of App. B.3, printed for t ≤ T_k, of which \
        Lemma 1 prints the order",
    check: by_kernel,
    by_hand: &[],
    ..LEM_1
};

/// `kl-lem-1-repaired`: twice the radius holds all points, with either carry rule; needed for T_k = 1.
pub const LEM_1_REPAIRED: Claim = Claim {
    id: "kl-lem-1-repaired",
    statement: "every point at which Algorithm 1 takes a gradient is within 2 K F_0^{1/κ}/(4 γ \
        L_1) of w_0",
    hypotheses: "at most K rounds; w_{k+1,0} = w_{k,t-1} or w_{k,t}; any gradient estimates",
    rests_on: &["kl-lem-1"],
    check: |c| {
        let radius = c.constant("radius in units of K F_0^{1/κ}/(4 γ L_1)", 2);
        let mut domain = Domain::new();
        let whole = domain.integer_from("floor(T_k)", 1);
        let rest = domain.real("T_k - floor(T_k)", closed(0), open(1));
        Argument::new(c)
            .states(
                "kl-lem-1-repaired",
                &Forall::le(domain, &whole + 1, radius * (whole + rest)),
            )
            .note("radius ratio to the printed one 2")
            .proved_on("all T_k ≥ 1, positive inputs")
    },
    by_hand: &[],
    ..LEM_1
};

/// `kl-lem-1-note`. At κ = 1 the printed bound is L₁ ≥ √F₀/γ; with equality the first term is √F₀ and the second γ. (At κ = 2 KL and
/// smoothness give 2γ²L₁ ≥ 1 for all but constant functions, and the terms are comparable.)
pub const LEM_1_NOTE: Claim = Claim {
    id: "kl-lem-1-note",
    place: "Sec. 3, after Lemma 1",
    kind: Kind::Rate,
    statement: "L_1 ≥ F_0^{(2-κ)/2}/γ makes F_0^{1/κ}/(γ L_1) at most a constant times \
        F_0^{(κ-1)/κ} γ",
    hypotheses: "γ, F_0 > 0, 1 ≤ κ ≤ 2",
    check: |c| {
        let constant = c.constant("constant", 1);
        // F₀/(γL₁) over γ at γ = 1, L₁ = √F₀.
        let root = Rational::from(2) * &constant;
        let start = root.clone().square();
        Argument::new(c)
            .repaired("kl-lem-1-note-repaired")
            .states_that(
                "ratio of the terms at κ = γ = 1, L_1 = √(F_0)",
                root <= constant,
                || {
                    format!(
                        "κ = γ = 1, L_1 = √(F_0): the first term is √(F_0) times the second, \
                            {root} > {constant} at F_0 = {start}, and unbounded as F_0 grows"
                    )
                },
            )
            .open_for("compared at κ = 1 only")
    },
    ..Claim::ALONE
};

/// `kl-lem-1-note-repaired`. With root = F₀^{1/κ}, F₀^{(2−κ)/κ} = root²/F₀.
pub const LEM_1_NOTE_REPAIRED: Claim = Claim {
    id: "kl-lem-1-note-repaired",
    statement: "L_1 ≥ F_0^{(2-κ)/κ}/γ^2 makes F_0^{1/κ}/(γ L_1) at most F_0^{(κ-1)/κ} γ",
    check: |c| {
        let constant = c.constant("constant", 1);
        let [root, start, gamma, more] = symbols();
        let l = (1 + &more) * root.square() / (&start * gamma.square());
        let first = &root / (&gamma * &l);
        let second = &start / &root * &gamma;
        let (domain, x) = Domain::of("L_1 over its least value, minus 1", closed(0), infinite());
        Argument::new(c)
            .needs_identity("ratio of the terms", first / second, 1 / (1 + &more))
            .states(
                "kl-lem-1-note-repaired",
                &Forall::le(domain, 1 / (1 + x), constant),
            )
            .proved_on("all γ, F_0 > 0, 1 ≤ κ ≤ 2")
    },
    ..LEM_1_NOTE
};
