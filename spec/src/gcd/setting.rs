//! Section 3 and Appendix B.4.1: norms, regularity, privacy and sparsity notions.
//!
//! What an algorithm may know, for all claims on privacy: w⁰, γ, M, L, T and the noise scales are the same for both
//! neighbours, that is fixed without looking at the data. The paper does not say so, and its Theorems 4.4 and 4.7 print a T
//! that contains R_M, μ and f(w⁰) − f*; where they are used for privacy, bounds known beforehand must stand for these.

use crate::arith::{Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::{Argument, Domain, Expr, Forall, closed, enumerate, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 11] = [
    DEF_NORMS,
    DEF_REG,
    REG_GLOBAL,
    DEF_3_1,
    DEF_R,
    DEF_R_PROOF,
    DEF_4_6,
    EQ_38,
    EQ_38_REPAIRED,
    EQ_39_SURJECTIVE,
    EQ_40,
];

/// `gcd-def-norms`. Hölder: coordinate by coordinate ⟨u, v⟩ = Σ (u_j/√M_j)(√M_j v_j), and
/// |a|·|b| ≤ U·|b| for |a| ≤ U. Conjugate: U t − (μ/2) t² is largest at t = U/μ.
pub const DEF_NORMS: Claim = Claim {
    id: "gcd-def-norms",
    place: "Sec. 3, Norms; used at (46)-(47)",
    kind: Kind::PathwiseInequality,
    statement: "‖·‖_{M,1} and ‖·‖_{M^-1,inf} are dual: ⟨u,v⟩ ≤ ‖u‖_{M^-1,inf} ‖v‖_{M,1}, and \
        ((μ/2)‖·‖_{M,1}^2)* = (1/(2 μ)) ‖·‖_{M^-1,inf}^2",
    hypotheses: "M_j > 0, μ > 0",
    rests_on: &[],
    by_hand: &[],
    check: def_norms,
};

fn def_norms(check: &Check) -> Verdict {
    let half = check.constant("factor of the conjugate", ratio(1, 2));
    let [sup, mu, t] = symbols();
    let mut domain = Domain::new();
    let a = domain.real(
        "|u_j|/√(M_j) as a share of the maximum",
        closed(0),
        closed(1),
    );
    let b = domain.real("√(M_j)|v_j|", closed(0), crate::prove::infinite());
    // (1 − a) b ≥ 0 with the maximum scaled to 1.
    let holder = Forall::le(domain, &a * &b, b.clone()).factored(b, 1 - a);
    let value = &sup * &t - &mu / 2 * t.square();
    let gap = half * sup.square() / &mu - value;
    Argument::new(check)
        .states("gcd-def-norms", &holder)
        .note("summed over the coordinates; equality for v on the largest coordinate")
        .states_identity(
            "conjugate minus its value at t is a square",
            &gap,
            (&sup - &mu * &t).square() / (2 * &mu),
        )
        .proved_on("all p ≥ 1, M_j > 0, μ > 0, u, v in R^p")
}

/// `gcd-def-reg`. Witness: f(w) = (1/2) Σ M_j w_j² is 1-strongly convex w.r.t. ||.||_{M,2} and
/// M-component-smooth, with equality in both; f(w) = Σ L_j w_j is L-component-Lipschitz.
pub const DEF_REG: Claim = Claim {
    id: "gcd-def-reg",
    place: "Sec. 3, Regularity assumptions",
    kind: Kind::Definition,
    statement: "strong convexity w.r.t. ‖·‖_{M,q}, L-component-Lipschitzness, \
        M-component-smoothness (each satisfied by a witness)",
    hypotheses: "none",
    check: def_reg,
    ..Claim::ALONE
};

fn def_reg(check: &Check) -> Verdict {
    let half = check.constant("factor of the quadratic term", ratio(1, 2));
    let [m, w, v, l, t] = symbols();
    let f = |x: &Expr| &m / 2 * x.square();
    let bregman = f(&w) - f(&v) - &m * &v * (&w - &v);
    Argument::new(check)
        .states_identity(
            "one coordinate of f(w) - f(v) - <∇f(v), w-v> for f = (1/2) sum M_j w_j^2",
            &bregman,
            half * (&m * (&w - &v).square()),
        )
        .states_identity(
            "f = sum L_j w_j along e_j",
            &l * (&w + &t) - &l * &w,
            &l * &t,
        )
        .proved_on("witnesses in every dimension, M_j > 0, L_j > 0")
}

/// `gcd-reg-global`: ||t e_j||_q = |t| for both norms, and ||w-v||²_{bI,2} = b ||w-v||²₂.
pub const REG_GLOBAL: Claim = Claim {
    id: "gcd-reg-global",
    place: "Sec. 3, after component smoothness",
    kind: Kind::PathwiseInequality,
    statement: "Λ_q-Lipschitz w.r.t. l_q implies (Λ_q, …, Λ_q)-component-Lipschitz; β-smooth \
        implies (β, …, β)-component-smooth",
    hypotheses: "q in {1, 2}",
    check: reg_global,
    ..Claim::ALONE
};

fn reg_global(check: &Check) -> Verdict {
    let multiple = check.constant("component constant as a multiple of the global one", 1);
    let [beta, d] = symbols();
    let (domain, [t, s]) = Domain::of_all(["|t|", "Λ_q"], closed(0), crate::prove::infinite());
    // |f(w + t e_j) − f(w)| ≤ Λ ||t e_j||_q = Λ |t|, attained by Λ times the coordinate.
    let reach = Forall::le(domain, &s * &t, &s * &t * &multiple)
        .factored(&s * &t, Expr::from(multiple.clone()) - 1);
    Argument::new(check)
        .states("gcd-reg-global", &reach)
        .note("‖t e_j‖_1 = ‖t e_j‖_2 = |t|")
        .states_identity(
            "one term of ‖d‖_{β I,2}^2",
            &beta * &multiple * d.square(),
            &beta * d.square(),
        )
        .proved_on("all p, Λ_q ≥ 0, β > 0, q in {1, 2}")
}

/// `gcd-def-3.1`. Witness: randomised response with odds 3 is (ln 3, 0)-private, exactly.
pub const DEF_3_1: Claim = Claim {
    id: "gcd-def-3.1",
    place: "Sec. 3, Definition 3.1",
    kind: Kind::Definition,
    statement: "(ε, δ)-DP: Pr[A(D) ∈ S] ≤ e^ε Pr[A(D′) ∈ S] + δ for all S and all replace-one \
        neighbours (satisfied by randomised response)",
    hypotheses: "none",
    check: def_3_1,
    ..Claim::ALONE
};

fn def_3_1(check: &Check) -> Verdict {
    let weight = check.constant("e^ε of the witness", 3);
    let law = [ratio(3, 4), ratio(1, 4)];
    let events = [vec![], vec![0], vec![1], vec![0, 1]];
    let mass = |event: &[usize], flip: bool| -> Rational {
        event
            .iter()
            .map(|&i| &law[if flip { 1 - i } else { i }])
            .sum()
    };
    let found = enumerate(
        events.iter().flat_map(|e| [(e, false), (e, true)]),
        |(event, flip)| {
            let (p, q) = (mass(event, *flip), mass(event, !*flip));
            let bound = Rational::from(&weight * &q);
            (p > bound).then(|| format!("S = {event:?}: {p} ≤ {weight} x {q} fails"))
        },
    );
    let failure = found.err();
    Argument::new(check)
        .states_unless("all 4 events, both orders, exact", failure)
        .proved_on("the witness: randomised response with odds 3, ε = ln 3, δ = 0")
}

/// `gcd-def-R`. Witness f(w) = w²/2, w⁰ = 1: the level set is [−1, 1] and R = 1.
pub const DEF_R: Claim = Claim {
    id: "gcd-def-R",
    place: "Thm 4.4 item 1 (main text)",
    kind: Kind::Definition,
    statement: "R_{M,1} = max_w max_{w* ∈ W*} { ‖w-w*‖_{M,1} : f(w) ≤ f(w^0) }",
    hypotheses: "f convex, W* non-empty, bounded level set",
    check: def_r,
    ..Claim::ALONE
};

fn def_r(check: &Check) -> Verdict {
    let radius = check.constant("radius of the witness", 1);
    let (domain, value) = Domain::of("f(w)", closed(0), closed(ratio(1, 2)));
    // |w| = √(2 f(w)) on the level set f(w) ≤ f(1) = 1/2.
    let inside = Forall::le(domain, (2 * value).sqrt(), radius.clone());
    Argument::new(check)
        .states("gcd-def-R", &inside)
        .states_that("the radius is attained at w = 1", radius <= 1, || {
            format!("no |w| = {radius} has f(w) ≤ f(1)")
        })
        .proved_on("the witness f(w) = w^2/2 on R, M = 1, w^0 = 1")
}

/// `gcd-def-R-proof`: the appendix takes the minimum over W*; it is never larger, and equal when W*
/// is one point. Since the bounds grow with the radius, the main text's form is the weaker one.
pub const DEF_R_PROOF: Claim = Claim {
    id: "gcd-def-R-proof",
    place: "Appendix B.3.3",
    kind: Kind::PathwiseInequality,
    statement: "R_M = max_w min_{w* ∈ W*} { ‖w-w*‖_{M,1} : f(w) ≤ f(w^0) } is at most R_{M,1}",
    hypotheses: "f convex, W* non-empty, bounded level set",
    check: by_kernel,
    ..Claim::ALONE
};

/// `gcd-def-4.6`: α = max |w_j| makes any vector (α, 0)-quasi-sparse, hence (α, τ) for every τ.
pub const DEF_4_6: Claim = Claim {
    id: "gcd-def-4.6",
    place: "Sec. 4.4, Definition 4.6",
    kind: Kind::Definition,
    statement: "w is (α, τ)-quasi-sparse if at most τ entries exceed α in modulus; every vector is \
        (0, p)-quasi-sparse, and for every τ there is an α",
    hypotheses: "α ≥ 0, τ ≥ 0",
    check: def_4_6,
    ..Claim::ALONE
};

fn def_4_6(check: &Check) -> Verdict {
    let multiple = check.constant("α as a multiple of the largest modulus", 1);
    let mut domain = Domain::new();
    let entry = domain.real("|w_j|", closed(0), crate::prove::infinite());
    let excess = domain.real(
        "largest modulus - |w_j|",
        closed(0),
        crate::prove::infinite(),
    );
    let none_above = Forall::le(domain, entry.clone(), (&entry + &excess) * &multiple).factored(
        1,
        entry * (Expr::from(multiple.clone()) - 1) + excess * multiple,
    );
    Argument::new(check)
        .states("gcd-def-4.6", &none_above)
        .note(
            "no entry exceeds that α, or any larger one, so 0 ≤ τ do; and at most p entries exceed \
                0",
        )
        .proved_on("all p, w in R^p, τ ≥ 0")
}

/// Whether w has at most `tau` entries with |w_j| ≥ α (as (38) prints) or > α (as Definition 4.6).
fn in_w(w: &[i32], alpha: i32, tau: usize, strict: bool) -> bool {
    let counts = |x: &&i32| {
        if strict {
            x.abs() > alpha
        } else {
            x.abs() >= alpha
        }
    };
    w.iter().filter(counts).count() <= tau
}

/// All vectors of length p with entries from `values`.
fn vectors(p: u32, values: &[i32]) -> Vec<Vec<i32>> {
    (0..p).fold(vec![vec![]], |all, _| {
        let extend = |w: Vec<i32>| values.iter().map(move |x| [w.clone(), vec![*x]].concat());
        all.into_iter().flat_map(extend).collect()
    })
}

fn sparse_vectors(check: &Check, strict: bool, repaired: Option<&'static str>) -> Verdict {
    let extra = check.constant("entries allowed beyond τ", 0);
    let allowed = |tau: usize| (Rational::from(tau) + &extra).to_f64().max(0.0) as usize;
    // Membership at α = 0 only depends on which entries vanish: three patterns a coordinate are all.
    let cases = (1..=4).flat_map(|p| {
        let tau = 0..=p as usize;
        vectors(p, &[-1, 0, 1])
            .into_iter()
            .flat_map(move |w| tau.clone().map(move |t| (w.clone(), t)))
    });
    let found = enumerate(cases, |(w, tau)| {
        let sparse = w.iter().filter(|x| **x != 0).count() <= *tau;
        let member = in_w(w, 0, allowed(*tau), strict);
        (sparse != member).then(|| {
            format!(
                "w = {w:?}, τ = {tau}: {tau}-sparse is {sparse}, member of W_{{τ,0}} is {member}"
            )
        })
    });
    let failure = found.err();
    let mut argument = Argument::new(check).states_unless(
        "all zero patterns, p ≤ 4; for larger p both sides count the same coordinates",
        failure,
    );
    if let Some(id) = repaired {
        argument = argument.repaired(id);
    }
    argument.proved_on("all p: at α = 0 one coordinate counts on both sides exactly if it is not 0")
}

/// `gcd-eq-38`, as printed with ≥: at α = 0 every entry counts, so that W_{τ,0} is empty for τ < p.
pub const EQ_38: Claim = Claim {
    id: "gcd-eq-38",
    place: "App. B.4.1, eq. (38)",
    kind: Kind::Definition,
    statement: "W_{τ,α} = { w : #{j : |w_j| ≥ α} ≤ τ }, and W_{τ,0} is the set of τ-sparse vectors",
    hypotheses: "α ≥ 0, τ ≥ 0",
    check: |check| sparse_vectors(check, false, Some("gcd-eq-38-repaired")),
    ..Claim::ALONE
};

/// `gcd-eq-38-repaired`, a theorem of the kernel (`super::kernel::sparse`): with > as in Definition 4.6. Noise is not concerned.
pub const EQ_38_REPAIRED: Claim = Claim {
    id: "gcd-eq-38-repaired",
    kind: Kind::PathwiseInequality,
    statement: "W_{τ,α} = { w : #{j : |w_j| > α} ≤ τ }, and W_{τ,0} is the set of τ-sparse vectors",
    check: by_kernel,
    by_hand: &[],
    ..EQ_38
};

/// `gcd-eq-39-surjective`: the proof of Lemma B.5 calls π_α: W_{τ,α} → W_{τ,0} surjective. Its image
/// has no entry with 0 < |w_j| ≤ α. The proof needs only that π_α(w*) is τ-sparse.
pub const EQ_39_SURJECTIVE: Claim = Claim {
    id: "gcd-eq-38-proof",
    place: "App. B.4.1, eq. (39) and the line before (44)",
    kind: Kind::Definition,
    statement: "π_α maps W_{τ,α} onto the τ-sparse vectors",
    hypotheses: "α ≥ 0, τ ≥ 0",
    check: eq_39_surjective,
    ..Claim::ALONE
};

fn eq_39_surjective(check: &Check) -> Verdict {
    let alpha = 2;
    let tau = 1;
    let threshold = |w: &Vec<i32>| -> Vec<i32> {
        w.iter()
            .map(|x| if x.abs() <= alpha { 0 } else { *x })
            .collect()
    };
    let all = vectors(2, &[0, 1, 2, 3]);
    let image: Vec<_> = all
        .iter()
        .filter(|w| in_w(w, alpha, tau, true))
        .map(threshold)
        .collect();
    let found = enumerate(all.iter().filter(|w| in_w(w, 0, tau, true)), |w| {
        (!image.contains(w)).then(|| {
            format!(
                "α = {alpha}, τ = {tau}: {w:?} is {tau}-sparse, but every entry of an image is 0 \
                    or exceeds α"
            )
        })
    });
    let failure = found.err();
    Argument::new(check)
        .repaired("gcd-lem-B.5-repaired")
        .states_unless("exhaustive over entries 0..3, p = 2", failure)
        .open_for("only p = 2 and entries 0..3 are enumerated")
}

/// `gcd-eq-40`. Witness: f = (1/2) w'Hw, H = [[1, 9/10], [9/10, 1]]: differences of 1-sparse vectors
/// fill R², so μ^{(1)}_{I,2} is the smallest eigenvalue 1/10.
pub const EQ_40: Claim = Claim {
    id: "gcd-eq-40",
    place: "App. B.4.1, eq. (40)",
    kind: Kind::Definition,
    statement: "f is μ^{(k)}_{M,q}-strongly convex on k-sparse vectors: f(w) ≥ f(v) + ⟨∇ f(v), \
        w-v⟩ + (μ/2)‖w-v‖_{M,q}^2 for all k-sparse v, w",
    hypotheses: "k ≥ 0, q in {1, 2}",
    check: eq_40,
    ..Claim::ALONE
};

fn eq_40(check: &Check) -> Verdict {
    let mu = check.constant("restricted constant of the witness", ratio(1, 10));
    let [x, y] = symbols();
    // Twice the Bregman distance of v = x e₁ and w = y e₂, minus μ times the squared distance.
    let form = x.square() + y.square() - ratio(9, 5) * &x * &y - mu * (x.square() + y.square());
    Argument::new(check)
        .states_nonnegative_form("v = x e_1, w = -y e_2, all x, y", &form, 2)
        .proved_on("the witness f = (1/2) w'Hw, H = [[1, 9/10], [9/10, 1]], M = I, q = 2, k = 1")
}
