//! Appendix D: Rényi divergence, the Gaussian mechanism on a block, composition and conversion.

use super::finite::{renyi_sum, replace_one_pairs, response_law};
use crate::arith::algebra::Steps;
use crate::arith::{Poly, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 9] = [
    DEF_D_1,
    DEF_D_2,
    LEM_D_3,
    DEF_D_4,
    DEF_D_4_READING_N,
    COR_D_5,
    COR_D_5_REPAIRED,
    PROP_D_6,
    LEM_D_7,
];

/// `skgd-def-D.1`. The witness checks what a divergence must satisfy on two-point laws at the
/// integer orders 2 to 5: the sum Σ R^α T^{1−α} is 1 for R = T and more than 1 for R ≠ T.
pub const DEF_D_1: Claim = Claim {
    id: "skgd-def-D.1",
    place: "App. D, Definition D.1, eq. (2)",
    kind: Kind::Definition,
    statement: "D_α(R‖T) = log(∫ R^α T^{1−α}) / (α − 1) for α > 1",
    hypotheses: "R and T have densities with respect to a common measure",
    check: def_d_1,
    ..Claim::ALONE
};

fn def_d_1(c: &Check) -> Verdict {
    let exponents = c.constant("sum of the two exponents", 1);
    if exponents != 1 {
        return Verdict::open(
            "for R = T the integral Σ R^s, s the sum of the exponents, need not be 1",
        );
    }
    let (r, t) = ([ratio(1, 4), ratio(3, 4)], [ratio(1, 2), ratio(1, 2)]);
    let is_divergence =
        (2..=5).all(|order| renyi_sum(&r, &r, order) == 1 && renyi_sum(&r, &t, order) > 1);
    witnessed(
        is_divergence,
        "the laws (1/4, 3/4) and (1/2, 1/2) at the orders 2, 3, 4, 5: zero on equal laws, positive \
            on different ones",
    )
}

/// `skgd-def-D.2`. Witness: randomised response with truth probability 3/4 on two bits. At order 2
/// one changed record gives exp(D_2) = 7/3, two give (7/3)².
pub const DEF_D_2: Claim = Claim {
    id: "skgd-def-D.2",
    place: "App. D, Definition D.2, eq. (3)",
    kind: Kind::Definition,
    statement: "A is (α, ε)-RDP if D_α(A(D)‖A(D')) ≤ ε for all D, D' that differ in at most one \
        element",
    hypotheses: "α > 1, ε ≥ 0",
    rests_on: &["skgd-def-D.1"],
    by_hand: &[],
    check: def_d_2,
};

fn def_d_2(c: &Check) -> Verdict {
    let differing = c.constant("elements in which neighbours may differ", 1);
    let worst = replace_one_pairs(2, &differing)
        .map(|(d, e)| renyi_sum(&response_law(d, 2), &response_law(e, 2), 2))
        .max();
    witnessed(
        worst == Some(ratio(7, 3)),
        "randomised response with truth probability 3/4 on two bits is (2, ln(7/3))-RDP, and no \
            smaller ε will do, by enumeration of all pairs",
    )
}

/// `skgd-lem-D.3`. The exponent of R^αT^{1−α} is completed to a square; the square integrates to
/// one, coordinate by coordinate, so that (α − 1)·D is the remaining constant.
pub const LEM_D_3: Claim = Claim {
    id: "skgd-lem-D.3",
    place: "App. D, Lemma D.3 (Mironov 2017, Prop. 7)",
    kind: Kind::Imported,
    statement: "D_α(N(0,σ²I) ‖ N(μ,σ²I)) = α‖μ‖²/(2σ²)",
    hypotheses: "σ > 0, α > 1",
    rests_on: &[],
    by_hand: &[
        "A Gaussian density with shifted mean integrates to one.",
        "The densities of the coordinates multiply, so their exponents add.",
    ],
    check: lem_d_3,
};

fn lem_d_3(c: &Check) -> Verdict {
    let half = Poly::from(c.constant("coefficient of α‖μ‖²/σ²", ratio(1, 2)));
    let [x, m, a] = ["x", "μ", "α"].map(Poly::var);
    let rest = 1 - &a;
    let exponent = &a * x.square() + &rest * (&x - &m).square();
    let completed = (&x - &rest * &m).square() + &a * &rest * m.square();
    // −(exponent)/(2σ²) leaves −α(1−α)μ²/(2σ²) = (α−1)·αμ²/(2σ²) after integration.
    let inverse_variance = Poly::power("σ", -2);
    let remaining = -(&a * &rest * m.square()) * ratio(1, 2) * &inverse_variance;
    let claimed = (&a - 1) * half * &a * m.square() * &inverse_variance;
    Steps::new()
        .positive(&["σ"])
        .equal("completing the square", &exponent, &completed)
        .equal("(α−1)·D", &claimed, &remaining)
        .note("A Gaussian density with shifted mean integrates to one.")
        .proved_on("all σ > 0, α > 1, μ in any dimension")
}

/// `skgd-def-D.4`, with the diagonal of I_U read as d entries. Witness: d = 2, U = {1}; the first
/// coordinate receives variance σ², the second none. The mechanism releases the coordinates of f(D)
/// outside U as they are; see Corollary D.5.
pub const DEF_D_4: Claim = Claim {
    id: "skgd-def-D.4",
    place: "App. D, Definition D.4",
    kind: Kind::Definition,
    statement: "G_U(D) = f(D) + I_U N(0, σ²I), I_U the d×d diagonal 0/1 matrix of U",
    hypotheses: "U a nonempty subset of [d], σ > 0, f with values in R^d",
    check: def_d_4,
    ..Claim::ALONE
};

fn def_d_4(c: &Check) -> Verdict {
    let on = c.constant("diagonal entry on U", 1);
    let variance_on_u = Rational::from(&on * &on);
    witnessed(
        variance_on_u == 1,
        "d = 2, U = {1}: per unit of σ² the two coordinates receive the variances 1 and 0",
    )
}

/// `skgd-def-D.4-reading-n`: the print gives I_U = Diag(δ_1, …, δ_n), n being the number of samples.
pub const DEF_D_4_READING_N: Claim = Claim {
    id: "skgd-def-D.4-reading-n",
    place: "App. D, Definition D.4, last line",
    kind: Kind::Definition,
    statement: "I_U = Diag(δ_1, …, δ_n) with n the number of samples, so that f(D) + I_U N(0, σ²I) \
        is defined",
    hypotheses: "f with values in R^d, datasets of n samples, n and d arbitrary",
    check: def_d_4_reading_n,
    ..Claim::ALONE
};

fn def_d_4_reading_n(_: &Check) -> Verdict {
    let (samples, dimension) = (2_usize, 1_usize);
    let noise = vec![Rational::from(1); samples];
    let query = vec![Rational::from(1); dimension];
    if noise.len() == query.len() {
        return Verdict::open("the shapes agree at the point tried");
    }
    Verdict::refuted(
        format!(
            "n = {samples}, d = {dimension}: the noise has {} entries, the query {}",
            noise.len(),
            query.len()
        ),
        "the two vectors are built and their lengths compared",
        Some("skgd-def-D.4"),
    )
}

/// `skgd-cor-D.5`, for the mechanism of Definition D.4 as printed. It is refuted by a query whose
/// value outside U depends on the data: that value is released without noise.
pub const COR_D_5: Claim = Claim {
    id: "skgd-cor-D.5",
    place: "App. D, Corollary D.5",
    kind: Kind::MechanismPrivacy,
    statement: "D ↦ f(D) + I_U N(0, σ²I) is (α, αΔ_U(f)²/(2σ²))-RDP",
    hypotheses: "U a nonempty subset of [d], σ > 0, α > 1, f arbitrary",
    rests_on: &["skgd-lem-D.3", "skgd-def-D.4"],
    by_hand: &[],
    check: cor_d_5,
};

fn cor_d_5(_: &Check) -> Verdict {
    // f(D) = (0, D) with D in {0, 1}, U = {1}: the released second coordinate equals D.
    let query = |record: i32| [Rational::new(), Rational::from(record)];
    let (f, g) = (query(0), query(1));
    let block_sensitivity = Rational::from(&f[0] - &g[0]).abs();
    let (law, other) = (released_law(&f[1]), released_law(&g[1]));
    let separated = law
        .iter()
        .zip(&other)
        .all(|(p, q)| Rational::from(p * q) == 0);
    if block_sensitivity != 0 || !separated {
        return Verdict::open("the query tried does not separate the neighbours");
    }
    Verdict::refuted(
        "d = 2, U = {1}, f(D) = (0, D) for one record D in {0, 1}: Δ_U(f) = 0, so the claim is (α, \
            0)-RDP, but the second coordinate is released exactly and has the disjoint laws (1, 0) \
            and (0, 1): the divergence is infinite",
        "exact laws of the released second coordinate",
        Some("skgd-cor-D.5-repaired"),
    )
}

/// The law on {0, 1} of a coordinate that is released without noise.
fn released_law(value: &Rational) -> [Rational; 2] {
    let mass = |point: i32| Rational::from(i32::from(*value == point));
    [mass(0), mass(1)]
}

/// `skgd-cor-D.5-repaired`: both terms are masked, as Algorithm 1 does. The noise is the printed
/// one (ratio 1), and none of it can be spared: at ‖I_U(f(D) − f(D'))‖ = Δ_U the divergence is equal
/// to the bound.
pub const COR_D_5_REPAIRED: Claim = Claim {
    id: "skgd-cor-D.5-repaired",
    place: "App. D, Corollary D.5 with the mask on both terms",
    kind: Kind::MechanismPrivacy,
    statement: "D ↦ I_U(f(D) + N(0, σ²I)) is (α, αΔ_U(f)²/(2σ²))-RDP; the noise is the printed one",
    hypotheses: "U a nonempty subset of [d], σ > 0, α > 1, Δ_U(f) finite",
    rests_on: &["skgd-lem-D.3"],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-prop-D.6`. With a_x = P(x)^αQ(x)^{1−α} of the first mechanism and b_x the same sum for the
/// second one given the first output x, the composition has Σ a_x b_x; if b_x ≤ B for every x then
/// Σ a_x b_x ≤ B·Σ a_x, and logarithms add. Induction gives K mechanisms. The bound must hold for the
/// second mechanism under every first output: that is what "adaptively chosen" means here.
pub const PROP_D_6: Claim = Claim {
    id: "skgd-prop-D.6",
    place: "App. D, Proposition D.6 (Mironov 2017, Prop. 1)",
    kind: Kind::Imported,
    statement: "adaptively chosen (α, ε_k(α))-RDP mechanisms compose to an (α, Σ_k ε_k(α))-RDP \
        mechanism",
    hypotheses: "each A_k is (α, ε_k(α))-RDP for every value of the earlier outputs; outputs are \
        vectors of ℝ^d; replace-one; for the kernel a case of its rule of adaptive composition, \
        and no evidence beside it",
    rests_on: &["skgd-def-D.2"],
    check: by_kernel,
    ..Claim::ALONE
};

/// `skgd-lem-D.7`. If P(A) = p and Q(A) = q violate the conclusion with ε' = ε + log(1/δ)/(α−1), then
/// p > δ and p/q > e^{ε'}, so that p^αq^{1−α} = p·(p/q)^{α−1} > δ·e^{(α−1)ε'} = e^{(α−1)ε}, which the
/// two-cell form of (α, ε)-RDP excludes (merging outcomes does not increase the divergence; see
/// `skgd-lem-merging`).
pub const LEM_D_7: Claim = Claim {
    id: "skgd-lem-D.7",
    place: "App. D, Lemma D.7 (Mironov 2017, Prop. 3)",
    kind: Kind::Imported,
    statement: "an (α, ε)-RDP mechanism is (ε + log(1/δ)/(α−1), δ)-DP",
    hypotheses: "α > 1, 0 < δ < 1",
    rests_on: &["skgd-lem-merging"],
    by_hand: &[],
    check: by_kernel,
};

/// A definition is Proved when its witness satisfies it.
pub(crate) fn witnessed(holds: bool, witness: &str) -> Verdict {
    if holds {
        Verdict::proved(
            "satisfiable: one witness",
            format!("witness checked exactly: {witness}"),
        )
    } else {
        Verdict::open(format!(
            "the witness tried does not satisfy the definition ({witness})"
        ))
    }
}
