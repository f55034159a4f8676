//! Appendix B.2.2: the recursion of DP-AMBSSGD, eqs. (43)–(59).
//!
//! u_t = E‖w_t − w*‖², h_t = E‖w_t − w*‖²_H, x = ημ, and P is the right side of (47).

use crate::arith::algebra::Steps;
use crate::arith::{Poly, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::Argument;

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 10] = [
    EQ_44_46,
    EQ_44_46_REPAIRED,
    EQ_47,
    EQ_47_REPAIRED,
    EQ_50_51,
    EQ_54_56,
    EQ_54_56_REPAIRED,
    EQ_57,
    EQ_57_READING_56,
    EQ_59,
];

/// E‖Be_2‖²_H and ‖e_2‖²_H for x = (±1, ±1/10), b = 1, η = 1/R_x² = 100/101, by enumeration.
fn transfer() -> (Rational, Rational) {
    let h = [Rational::from(1), ratio(1, 100)];
    let eta = ratio(100, 101);
    let mut sum = Rational::new();
    for (s, t) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
        let x = [Rational::from(s), ratio(t, 10)];
        let step = eta.clone() * &x[1];
        let moved = [-(step.clone() * &x[0]), Rational::from(1) - step * &x[1]];
        sum += moved
            .iter()
            .zip(&h)
            .fold(Rational::new(), |acc, (v, h)| acc + v.clone() * v * h);
    }
    (sum / 4_u32, h[1].clone())
}

/// `ambssgd-eq-44-46`: the contraction 1 − ημ is that of the Euclidean norm (Lemma B.5), not of
/// ‖·‖_H. For x = (±a, ±b) a step moves error from the second coordinate to the first, whose weight
/// in H = diag(a², b²) is larger. ω = e_2, that is t = 1 and w* = −e_2; the noise adds the same to
/// both sides. The step does not use (3), which no law has.
pub const EQ_44_46: Claim = Claim {
    id: "ambssgd-eq-44-46",
    place: "App. B.2.2, proof of Lemma 3.11, eqs. (43)–(46)",
    kind: Kind::ExpectationBound,
    statement: "E[ωᵀBᵀHBω] ≤ (1−ημ)E‖ω‖²_H, by \"Lemmas B.5 and B.7\"",
    hypotheses: "η ≤ b/(R_x²+(b−1)‖H‖)",
    by_hand: &[
        "second moments of x = (±a, ±b): H = diag(a², b²), and R_x² = a² + b² since ‖x‖² is \
            constant; of ω = e_2, Bω = (±ηab, 1 − ηb²) gives the left side (ηab)²a² + (1 − ηb²)²b²",
    ],
    check: by_kernel,
    ..Claim::ALONE
};

/// `ambssgd-eq-44-46-repaired`, in the Euclidean norm. E‖Bω‖² ≤ ‖ω‖² − η‖ω‖²_H by Lemma B.5; with
/// ζ² ≤ 3K_2²R_x²log^{4a}N(κ‖ω‖²_H + σ² + Δ²) and k = 12η²(α²/b²)K_2²R_x²log^{4a}N, the printed condition is
/// kκTr(H) ≤ ημ/2, whence kκd ≤ η/2 as Tr(H) ≥ μd.
pub const EQ_44_46_REPAIRED: Claim = Claim {
    id: "ambssgd-eq-44-46-repaired",
    place: "App. B.2.2, proof of Lemma 3.11, eqs. (43)–(46) in the Euclidean norm",
    kind: Kind::ExpectationBound,
    statement: "u_t ≤ u_{t−1} − (η/2)h_{t−1} + (η²/b)Tr(Σ) + 12η²(α²/b²)K_2²R_x²log^{4a}N(σ²+Δ²)d; \
        in particular with (1−ημ/2)u_{t−1}",
    hypotheses: "no clipping, conditions of Lemma 3.11 on η, b and ζ_t; z independent of x, E[z] = \
        0",
    rests_on: &["ambssgd-lem-B.5", "ambssgd-lem-B.7"],
    by_hand: &[
        "E‖Bω‖² ≤ ‖ω‖² − η‖ω‖²_H (Lemma B.5), and given the x of the block ν has mean 0",
        "E[ζ²] ≤ 3K_2²R_x²log^{4a}N(κ‖ω‖²_H + σ² + Δ²)",
        "Tr(H) ≥ μd, h ≥ μu",
    ],
    check: eq_44_46_repaired,
};

fn eq_44_46_repaired(c: &Check) -> Verdict {
    let square = Poly::from(c.constant("factor of the squares", 3));
    let condition = Poly::from(c.constant("denominator of the condition ημ/2", 2));
    let [a, b, d] = ["a", "b", "c"].map(Poly::var);
    let squares = a.square() + b.square() + d.square();
    let gap = &square * &squares - (&a + &b + &d).square();
    let sum = (&a - &b).square() + (&b - &d).square() + (&a - &d).square();
    // ημ = condition·(kκ(μd + g) + s): then μ(η/2 − kκd) = ημ/2 − kκμd must be ≥ 0.
    let [k, mu_d, g, s] = ["kκ", "μd", "g", "s"].map(Poly::var);
    let eta_mu = condition * (&k * (&mu_d + g) + s);
    let half = ratio(1, 2) * eta_mu;
    Steps::new()
        .positive(&["kκ", "μd", "g", "s"])
        .at_most("a = b = c", 9, square * 3)
        .equal("(a+b+c)² ≤ 3(a²+b²+c²)", &gap, &sum)
        .suffices("kκd ≤ η/2, times μ", k * mu_d, &half)
        .note("h ≥ μu gives the last form.")
        .proved_on("all laws with fourth moments")
}

/// `ambssgd-eq-47`. With z = ±10⁻⁴, T = 2 (the constant c_1 is free) and α²K_2²R_x²log^{4a}N = 10⁻⁶ all
/// hypotheses of Lemma 3.11 hold for x = (±1, ±1/10), b = 1, while h_1 is at least 1.9 times ‖w*‖²_H for
/// w* along e_2 and the right side at most 1.01 times.
pub const EQ_47: Claim = Claim {
    id: "ambssgd-eq-47",
    place: "App. B.2.2, proof of Lemma 3.11, eq. (47)",
    kind: Kind::ExpectationBound,
    statement: "E‖w_{T/2}−w*‖²_H ≤ ‖w*‖²_H/N^{(ημ/4)c_1κ} + (2η/(μb))Tr(HΣ) + \
        (24ηα²/(μb²))K_2²R_x²log^{4a}N(σ²+Δ²)Tr(H)",
    hypotheses: "as Lemma 3.11",
    check: eq_47,
    ..Claim::ALONE
};

fn eq_47(c: &Check) -> Verdict {
    let noise = c.constant("factor of the privacy term", 24);
    let (after, before) = transfer();
    // η/μ·Tr(H)·10⁻⁶·(σ² + Δ²) with σ² + Δ² ≤ ‖w*‖²_H, and (2η/μ)Tr(HΣ) with Tr(HΣ) ≤ σ²Tr(H)²; the exponential is
    // at most 1.
    let (eta, mu, trace) = (ratio(100, 101), ratio(1, 100), ratio(101, 100));
    let privacy = noise * &eta / &mu * &trace * ratio(1, 1_000_000);
    let data = ratio(2, 100_000_000) * &eta / &mu * &trace * &trace;
    let bound = (Rational::from(1) + privacy) * &before + data;
    // Condition b² ≥ 24ηα²R²K²κlog^{4a}N·Tr(H)/μ with κ = 100.
    let condition = Rational::from(24) * eta * ratio(1, 1_000_000) * 100_u32 * trace / mu;
    if condition > 1 {
        return Verdict::open("the instance does not satisfy the condition on the batch size");
    }
    Argument::new(c)
        .repaired("ambssgd-eq-47-repaired")
        .states_that("T = 2", after <= bound, || {
            format!(
                "x = (±1, ±1/10), b = 1, η = 100/101, z = ±10⁻⁴, T = 2, w* = −e_2, \
                    α²K_2²R_x²log^{{4a}}N = 10⁻⁶: the left side is at least {after}, the right \
                    side at most {bound}"
            )
        })
        .open_for("one instance")
}

/// `ambssgd-eq-47-repaired`: μ·u_{T/2} in place of h_{T/2}, with the printed right side. From the repaired
/// recursion u_{T/2} ≤ e^{−ημT/4}‖w*‖² + (2/(ημ))A, and μ‖w*‖² ≤ ‖w*‖²_H, μTr(Σ) ≤ Tr(HΣ), μd ≤ Tr(H).
pub const EQ_47_REPAIRED: Claim = Claim {
    id: "ambssgd-eq-47-repaired",
    place: "App. B.2.2, proof of Lemma 3.11, eq. (47) with μ·E‖w_{T/2}−w*‖² on the left",
    kind: Kind::ExpectationBound,
    statement: "μ·E‖w_{T/2}−w*‖² ≤ the printed right side of (47); the same right side bounds \
        μ·E‖w_t−w*‖² for t ≥ T/2",
    hypotheses: "as Lemma 3.11, T = c_1κ·log N",
    rests_on: &["ambssgd-eq-44-46-repaired"],
    by_hand: &[
        "the recursion is unrolled, with the geometric sum 2/(ημ)",
        "μ‖w*‖² ≤ ‖w*‖²_H, μTr Σ ≤ Tr(HΣ), μd ≤ Tr H",
        "(1−x/2)^{T/2} ≤ e^{−xT/4}",
    ],
    check: eq_47_repaired,
};

fn eq_47_repaired(c: &Check) -> Verdict {
    let data = Poly::from(c.constant("factor of η/(μb)·Tr(HΣ)", 2));
    let privacy = Poly::from(c.constant("factor of the privacy term", 24));
    // Units: E = e^{−ημT/4}, W = μ‖w*‖² and W + g = ‖w*‖²_H; S = (η/b)Tr Σ with (η/(μb))Tr(HΣ) = S + r;
    // G the privacy term with μd in place of Tr(H), with which it is G + s.
    let var = Poly::var;
    let left = var("E") * var("W") + 2 * var("S") + 24 * var("G");
    let right = var("E") * (var("W") + var("g"))
        + data * (var("S") + var("r"))
        + privacy * (var("G") + var("s"));
    Steps::new()
        .positive(&["E", "W", "g", "S", "r", "G", "s"])
        .suffices("geometric sum 2/(ημ), term by term", &left, &right)
        .note("(1−x/2)^{T/2} ≤ e^{−xT/4}; the bound decreases with t.")
        .proved_on("all parameters of Lemma 3.11")
}

/// `ambssgd-eq-50-51`, the term E‖w_{T/2}−w*‖²_H of (50) standing for its upper bound P of (47), as the
/// word Upper-Bound says, and ζ_t bounded as in (45). ‖H‖u_t = κμu_t ≤ κP for t ≥ T/2.
pub const EQ_50_51: Claim = Claim {
    id: "ambssgd-eq-50-51",
    place: "App. B.2.2, proof of Lemma 3.11, eqs. (48)–(51)",
    kind: Kind::ExpectationBound,
    statement: "E[ν_tν_tᵀ] ⪯ Σ/b + (4α²/b²)ζ²I for t ≥ T/2 with ζ² = 3K_2²R_x²log^{4a}N(κP + σ² + \
        Δ²)",
    hypotheses: "as Lemma 3.11, ζ_t ≤ R_xK_2log^{2a}N(√‖H‖‖w_t−w*‖ + σ + Δ)",
    rests_on: &["ambssgd-eq-47-repaired", "ambssgd-lem-B.7"],
    by_hand: &[
        "the covariance of the noise is that of Lemma B.7",
        "‖H‖u_t = κμu_t ≤ κP for t ≥ T/2",
    ],
    check: eq_50_51,
};

fn eq_50_51(c: &Check) -> Verdict {
    let square = Poly::from(c.constant("factor of the squares", 3));
    let var = Poly::var;
    // ζ_t² ≤ 3(κμu + σ² + Δ²) with μu = P − r.
    let mean = 3 * (var("κ") * (var("P") - var("r")) + var("σ²+Δ²"));
    let bound = &square * (var("κ") * var("P") + var("σ²+Δ²"));
    Steps::new()
        .positive(&["κ", "P", "r", "σ²+Δ²"])
        .at_most("three equal terms: (a+a+a)² = 9a²", 9, square * 3)
        .suffices("E[ζ_t²] ≤ ζ²", &mean, &bound)
        .note("Lemma B.7 gives the covariance.")
        .proved_on("all parameters of the hypotheses")
}

/// `ambssgd-eq-54-56`: (55) prints the privacy noise as η²α²ζ²/b²; Lemma B.7, to which it refers, has
/// 4η²α²ζ²/b².
pub const EQ_54_56: Claim = Claim {
    id: "ambssgd-eq-54-56",
    place: "App. B.2.2, proof of Lemma 3.11, eqs. (54)–(56)",
    kind: Kind::ExpectationBound,
    statement: "E[ω_tω_tᵀ] has the noise term (η²α²ζ²/b²)I, as in (55)",
    hypotheses: "no clipping, ζ_t = ζ",
    check: by_kernel,
    ..Claim::ALONE
};

/// `ambssgd-eq-54-56-repaired`: the noise term is 4η²α²ζ²/b², four times the printed one.
pub const EQ_54_56_REPAIRED: Claim = Claim {
    id: "ambssgd-eq-54-56-repaired",
    place: "App. B.2.2, proof of Lemma 3.11, eqs. (54)–(56) with the factor 4 in (55)",
    kind: Kind::ExpectationBound,
    statement: "(54) splits the risk with a factor 2, (55) has the noise term (4η²α²ζ²/b²)I, (56) \
        has the prefactor 8/(ηT²)",
    hypotheses: "no clipping, ζ_t = ζ",
    rests_on: &["ambssgd-lem-B.7", "ambssgd-lem-tail-average"],
    by_hand: &[
        "½‖a+b‖²_H ≤ ‖a‖²_H + ‖b‖²_H by coordinates",
        "the tail average is ambssgd-lem-tail-average",
        "the covariance of the noise is that of Lemma B.7",
    ],
    check: decomposition,
};

fn decomposition(c: &Check) -> Verdict {
    let noise = Poly::from(c.constant("factor of the privacy term of (55)", 4));
    let prefactor = Poly::from(c.constant("prefactor of (56)", 8));
    let unit = (Poly::var("η") * Poly::var("α") * Poly::var("ζ")).square() * Poly::power("b", -2);
    let [a, b] = ["bias", "variance"].map(Poly::var);
    let half = Poly::from(ratio(1, 2));
    let split = (a.square() + b.square()) - &half * (&a + &b).square();
    // 1/(ηn²) with n = T/2, doubled.
    let average = 2 * Poly::power("η", -1) * (2 * Poly::power("T", -1)).square();
    Steps::new()
        .positive(&["η", "α", "ζ", "b", "T"])
        .equal("(55): η²·(4α²ζ²/b²)", 4 * &unit, noise * unit)
        .equal("(54): ½(a+b)² ≤ a² + b²", &split, half * (&a - &b).square())
        .equal(
            "(56): 2/(η(T/2)²)",
            &average,
            prefactor * Poly::power("η", -1) * Poly::power("T", -2),
        )
        .proved_on("all parameters")
}

/// `ambssgd-eq-57`, the left side being the risk of the averaged bias as in Lemma B.3, with N = T/2, t = 1.
pub const EQ_57: Claim = Claim {
    id: "ambssgd-eq-57",
    place: "App. B.2.2, proof of Lemma 3.11, eq. (57)",
    kind: Kind::ExpectationBound,
    statement: "½E‖ω̄^bias‖²_H ≤ (8/(η²μ²T²))(1−ημ)(L(w_0)−L*) ≤ (8/(η²μ²T²))e^{−ημ}(L(w_0)−L*)",
    hypotheses: "as Lemma 3.11, restarted at w_0; the left side is the risk of the averaged bias, \
        not what (56) puts for it",
    rests_on: &["ambssgd-lem-B.3-repaired", "ambssgd-lem-exp"],
    by_hand: &[
        "Lemma B.3 (repaired) is applied with N = T/2, t = 1",
        "1 − x ≤ e^{−x}",
    ],
    check: eq_57,
};

fn eq_57(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of 1/(η²μ²T²)", 8));
    let lemma = 2 * (2 * Poly::power("T", -1)).square();
    Steps::new()
        .positive(&["T"])
        .equal(
            "Lemma B.3 at N = T/2",
            &lemma,
            factor * Poly::power("T", -2),
        )
        .note("1 − x ≤ e^{−x}.")
        .proved_on("all parameters of the hypotheses")
}

/// `ambssgd-eq-57-reading-56`: (56) defines the bias risk as (8/(ηT²))ΣTr(·), twice the bound
/// behind Lemma B.3. For x = 2e_J, J uniform on \[4\], b = 1, T = 6: H = I, R_x² = 4, E‖ω_t‖² = q^t
/// E with q = 1 − 2η + 4η², which is 3/4 at η = 1/4. The step does not use (3), which no law has.
pub const EQ_57_READING_56: Claim = Claim {
    id: "ambssgd-eq-57-reading-56",
    place: "App. B.2.2, proof of Lemma 3.11, eq. (57) with the definition in (56)",
    kind: Kind::ExpectationBound,
    statement: "(8/(ηT²))Σ_{t≤T/2}Tr(E[ω_t^bias ω_t^biasᵀ]) ≤ (8/(η²μ²T²))(1−ημ)(L(w_0)−L*)",
    hypotheses: "as eq. (57); (56) defines its left side so, with ':='",
    by_hand: &[
        "second moments of x = 2e_J: H = I, R_x² = 4, and E‖Bω‖² = (1 − 2η + 4η²)‖ω‖², so that \
            Tr(E[ω_tω_tᵀ]) = q^t·E, and L(w_0) − L* = E/2",
    ],
    check: by_kernel,
    ..Claim::ALONE
};

/// `ambssgd-eq-59`, for Σ = σ²H. With the definition in (56), (8/(ηT²))·(T/2)·(η/b)Tr(𝒯_b⁻¹Σ'); then
/// Tr(𝒯_b⁻¹Σ') = σ²Tr(𝒯_b⁻¹H) + (4ζ²α²/b)Tr(𝒯_b⁻¹I) ≤ Tr(H⁻¹Σ) + (4ζ²α²/b)Tr(H⁻¹).
pub const EQ_59: Claim = Claim {
    id: "ambssgd-eq-59",
    place: "App. B.2.2, proof of Lemma 3.11, eqs. (58), (59)",
    kind: Kind::ExpectationBound,
    statement: "variance: ≤ (4/(Tb))Tr(𝒯_b⁻¹(Σ + (4ζ²α²/b)I)) ≤ (8/(Tb))(Tr(H⁻¹Σ) + \
        (4ζ²α²/b)Tr(H⁻¹))",
    hypotheses: "η ≤ b/(R_x²+(b−1)‖H‖), z independent of x",
    rests_on: &["ambssgd-lem-operator", "ambssgd-lem-B.7"],
    by_hand: &[
        "Tr(𝒯_b⁻¹Σ') = σ²Tr(𝒯_b⁻¹H) + (4ζ²α²/b)Tr(𝒯_b⁻¹I) ≤ Tr(H⁻¹Σ'), by ambssgd-lem-operator",
        "each of the T/2 iterates has at most the stationary covariance",
    ],
    check: eq_59,
};

fn eq_59(c: &Check) -> Verdict {
    let first = Poly::from(c.constant("factor of the first bound", 4));
    let second = Poly::from(c.constant("factor of the second bound", 8));
    let inverse = Poly::power("T", -1) * Poly::power("b", -1);
    let stationary = 8 * Poly::power("T", -2) * ratio(1, 2) * Poly::var("T") * Poly::power("b", -1);
    // Tr(𝒯⁻¹Σ') = Z − r with Z = Tr(H⁻¹Σ').
    let z = Poly::var("Z");
    let left = &first * &inverse * (&z - Poly::var("r"));
    Steps::new()
        .positive(&["T", "b", "Z", "r"])
        .equal("(8/(ηT²))·(T/2)·(η/b)", &stationary, &first * &inverse)
        .suffices("second bound", &left, second * inverse * z)
        .proved_on("all laws with fourth moments and z independent of x, b ≥ 1, η up to the bound")
}
