//! Lemmas that the paper uses without a number; the claims that rest on them name them.

use crate::arith::Poly;
use crate::arith::algebra::Steps;
use crate::claim::{Check, Claim, Kind, Verdict};

/// The lemmas.
pub(super) const CLAIMS: [Claim; 4] = [
    LEM_MERGING,
    LEM_MIXTURE,
    LEM_POST_PROCESSING,
    LEM_COCOERCIVE,
];

/// `skgd-lem-merging`. With weights q_i/(q_1+q_2), ratios t_i = p_i/q_i and their mean m, Bernoulli's
/// inequality s^α ≥ 1 + α(s − 1) at s = t_i/m, multiplied by the weights and summed, gives
/// Σ w_i t_i^α ≥ m^α: the linear terms cancel. The check verifies the cancellation, and Bernoulli's
/// inequality at the integer orders 2 to 6 by its factor (s − 1)²; for real α it is the tangent of a
/// convex function.
pub const LEM_MERGING: Claim = Claim {
    id: "skgd-lem-merging",
    place: "used in Lemma D.7",
    kind: Kind::Composition,
    statement: "merging outcomes does not increase Σ p^α q^(1−α), α > 1",
    hypotheses: "p and q are laws on finitely many outcomes, q > 0 where p > 0",
    rests_on: &[],
    by_hand: &[],
    check: lem_merging,
};

fn lem_merging(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of the merged sum", 1));
    let s = Poly::var("s");
    let one = Poly::from(1);
    let mut steps = Steps::new().at_most("equal laws attain the bound", &factor, &one);
    for order in 2..=6_i32 {
        let tangent = &one + Poly::from(order) * (&s - &one);
        let quotient: Poly = (0..order - 1)
            .map(|i| Poly::from(order - 1 - i) * Poly::power("s", i))
            .sum();
        let square = (&s - &one).square() * &quotient;
        steps = steps
            .positive(&["s"])
            .equal(
                "Bernoulli's inequality has the factor (s−1)²",
                Poly::power("s", order) - tangent,
                &square,
            )
            .suffices("and a non-negative cofactor", 0, &quotient);
    }
    // Σ w_i (t_i/m − 1) with w_2 = 1 − w_1 and m = w_1 t_1 + w_2 t_2, times m.
    let [w, t, u] = ["w_1", "t_1", "t_2"].map(Poly::var);
    let mean = &w * &t + (&one - &w) * &u;
    let linear = &w * (&t - &mean) + (&one - &w) * (&u - &mean);
    steps
        .equal("the linear terms cancel", &linear, 0)
        .note(
            "For non-integer α Bernoulli's inequality is the tangent of a convex function (argued).",
        )
        .proved_on("all finite laws, α > 1")
}

/// `skgd-lem-mixture`. A set S drawn independently of the data and released with the noised
/// coordinates: Σ_S q_S B_S with B_S = B − r_S, r_S ≥ 0 and Σ q_S = 1 is at most B.
pub const LEM_MIXTURE: Claim = Claim {
    id: "skgd-lem-mixture",
    place: "used in the proof of Theorem 4.1",
    kind: Kind::Composition,
    statement: "if every mechanism A_S is (α, ε)-RDP and S is drawn independently of the data, then (S, A_S(D)) is (α, ε)-RDP",
    hypotheses: "S has the same law on both datasets; for the kernel a case of its rule of adaptive composition, and no evidence \
                 beside it",
    rests_on: &["skgd-def-D.2"],
    by_hand: &[],
    check: lem_mixture,
};

fn lem_mixture(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of the common bound", 1));
    let [q, b] = ["q_1", "B"].map(Poly::var);
    let [r, s] = ["r_1", "r_2"].map(Poly::var);
    let other = Poly::var("q_2");
    let joint = &q * (&b - r) + &other * (&b - s);
    let total = (&q + &other) * &b;
    Steps::new()
        .positive(&["B", "q_1", "q_2", "r_1", "r_2"])
        .at_most("equal mechanisms attain the bound", &b, factor * &b)
        .suffices("Σ q_S B_S ≤ B·Σ q_S", &joint, &total)
        .note("Shown for two sets; linear in the law of S.")
        .proved_on("all data-independent laws of S, all α > 1")
}

/// `skgd-lem-post-processing`. {f(X) ∈ U} is the event {X ∈ f⁻¹(U)}, so both sides of the definition
/// are those of X at another event. Checked by enumerating all 16 maps of a four-point space to
/// {0, 1}: the sum over the preimage is the probability of the image.
pub const LEM_POST_PROCESSING: Claim = Claim {
    id: "skgd-lem-post-processing",
    place: "used in the proof of Theorem 4.1",
    kind: Kind::Composition,
    statement: "a function of the output of an (ε, δ)-DP mechanism is (ε, δ)-DP",
    hypotheses: "the function does not read the data; for the kernel a case of its rule of post-processing, and no evidence \
                 beside it",
    rests_on: &["skgd-def-3.8"],
    by_hand: &[],
    check: lem_post_processing,
};

fn lem_post_processing(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of e^ε", 1));
    let names = ["q_0", "q_1", "q_2", "q_3"];
    let slack = ["r_0", "r_1", "r_2", "r_3"];
    // For one event: P(A) = e^ε Q(A) + δ − r. Every event of the image is an event of the source.
    let mut steps = Steps::new();
    for map in 0..16_u32 {
        let preimage = (0..4).filter(|x| map >> x & 1 == 1);
        let (mut q, mut r) = (Poly::default(), Poly::default());
        for x in preimage {
            q = q + Poly::var(names[x]);
            r = r + Poly::var(slack[x]);
        }
        let e = Poly::var("e^ε");
        let p = &e * &q + Poly::var("δ") - r;
        let claimed = &factor * &e * &q + Poly::var("δ");
        let positive = [
            "q_0", "q_1", "q_2", "q_3", "r_0", "r_1", "r_2", "r_3", "e^ε",
        ];
        steps =
            steps
                .positive(&positive)
                .at_most("P(f(X) = 1) ≤ e^ε·Q(f(X) = 1) + δ", &p, &claimed);
    }
    steps
        .note("All maps of a four-point space to {0, 1} enumerated.")
        .proved_on("all maps; the argument by preimages is in the doc comment")
}

/// `skgd-lem-cocoercive`. For the point z = y − M⁻¹(∇f(y) − ∇f(x)) convexity at x and smoothness at y
/// give f(x) + ⟨∇f(x), z − x⟩ ≤ f(z) ≤ f(y) + ⟨∇f(y), z − y⟩ + ½‖z − y‖²_M; what remains is an
/// identity in each coordinate. It is needed on all of R^d, as z may lie anywhere.
pub const LEM_COCOERCIVE: Claim = Claim {
    id: "skgd-lem-cocoercive",
    place: "used in Lemma E.4",
    kind: Kind::PathwiseInequality,
    statement: "f(y) ≥ f(x) + ⟨∇f(x), y − x⟩ + ½‖∇f(y) − ∇f(x)‖²_{M⁻¹}; hence ⟨θ − w*, ∇f(θ)⟩ ≥ f(θ) − f* + ½‖∇f(θ)‖²_{M⁻¹} ≥ ‖∇f(θ)‖²_{M⁻¹}",
    hypotheses: "f convex and M-component-smooth on R^d (3.6)",
    check: lem_cocoercive,
    ..Claim::ALONE
};

fn lem_cocoercive(c: &Check) -> Verdict {
    use crate::arith::ratio;
    let half = Poly::from(c.constant("coefficient of the gradient difference", ratio(1, 2)));
    let [g, h] = ["∇f(x)", "∇f(y)"].map(Poly::var);
    let inverse = Poly::power("M", -1);
    let step = -((&h - &g) * &inverse);
    // f(y) − f(x) − ⟨∇f(x), y − x⟩ ≥ ⟨∇f(x) − ∇f(y), z − y⟩ − ½M(z − y)².
    let gap = (&g - &h) * &step - ratio(1, 2) * Poly::var("M") * step.square();
    let claimed = half * (&h - &g).square() * &inverse;
    Steps::new()
        .positive(&["M"])
        .at_most("one coordinate, attained by f(w) = ½Mw²", &claimed, &gap)
        .note("The two inequalities at z are the hypotheses; coordinates add.")
        .proved_on("all convex M-component-smooth f on R^d")
}
