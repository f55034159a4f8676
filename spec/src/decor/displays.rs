//! Displays and sentences of the paper that no other claim decides: intermediate lines of Appendix B, cross-references of
//! Appendix A, quantities of the text.

use crate::arith::{Interval, Poly, Rational};
use crate::claim::{Check, Claim, Kind, Paper, Verdict};
use crate::decor::catalogue::graphs;
use crate::decor::graph::Graph;
use crate::decor::graphs::symbols;
use crate::decor::matrix::Matrix;
use crate::decor::mixing::printed;
use crate::decor::resolvent::Resolvent;
use crate::decor::steps::{Algebra, frac, inv, k, v};
use crate::prove::Argument;

/// These claims, in the paper's order.
pub(super) const CLAIMS: [Claim; 16] = [
    REM_MAGNITUDES,
    REM_NOISE,
    REM_RATES,
    THM_2A_LOG,
    THM_2A_W_PROOF_RATIO,
    THM_2A_W_PROOF_FACTOR,
    THM_2A_SUM_PROOF,
    THM_6_PROOF,
    THM_6_NUM_PROOF,
    EQ_23,
    EQ_23_READING_PATHWISE,
    EQ_35,
    EQ_35_PROOF,
    LEM_8B_PROOF_SQUARE,
    LEM_9_PROOF_TAU,
    COR_12_NC_TERMS,
];

/// `decor-rem-magnitudes`. With a = √log(1/δ) and b = √(log(1/δ) + ε) the slope of `decor-drv-4` is (b − a)²/T and
/// ε = b² − a², so T·s/ε² = 1/(a + b)², where b² ≤ 2a² for ε ≤ log(1/δ). For larger ε the noise falls as 1/ε only.
pub const REM_MAGNITUDES: Claim = Claim {
    id: "decor-rem-magnitudes",
    paper: Paper::Decor,
    place: "§2, Comparison with other relaxations",
    kind: Kind::Rate,
    statement: "the slope s of T steps has ε²/(6T log(1/δ)) ≤ s ≤ ε²/(4T log(1/δ)), so that the variances of the baselines are Θ(1/ε²) (LDP) and Θ(1/(nε²)) (CDP)",
    hypotheses: "0 < ε ≤ log(1/δ); T, δ, C fixed; s as in decor-drv-4",
    rests_on: &["decor-drv-4", "decor-base-ldp", "decor-base-cdp"],
    by_hand: &["2C²/s and 2C²/(ns) are the variances of the baselines"],
    check: rem_magnitudes,
};

fn rem_magnitudes(c: &Check) -> Verdict {
    let low = c.constant("lower divisor", 6);
    let high = c.constant("upper divisor", 4);
    // a = 1, so log(1/δ) = T = 1: b = 7/5 has ε = 24/25, b = 101/100 a small ε.
    let outside = [frac(7, 5), frac(101, 100)].into_iter().find(|b| {
        let slope = Rational::from(b - 1).square();
        let square = (Rational::from(b.square_ref()) - 1u32).square();
        Rational::from(&square / &high) < slope || Rational::from(&square / &low) > slope
    });
    let (a, g) = (v("a"), v("g"));
    let b = &a + &g;
    // 2ab ≤ (3/2)a² + (2/3)b², and b² ≤ 2a²: (a + b)² ≤ (5/2)a² + (5/3)b² ≤ (35/6)a².
    let young =
        Poly::from(frac(3, 2)) * a.square() + Poly::from(frac(2, 3)) * b.square() - k(2) * &a * &b;
    let square = (Poly::from(frac(3, 2)) * &a - &b).square() * Poly::from(frac(2, 3));
    Argument::new(c)
        .states_that(
            "log(1/δ) = T = 1, √(1 + ε) = 7/5 and 101/100",
            outside.is_none(),
            || format!("√(1 + ε) = {}: s lies outside", outside.unwrap_or_default()),
        )
        .needs_at_most(
            "4a² ≤ (a + b)², b = a + g",
            &(k(4) * a.square()),
            &(&a + &b).square(),
            &["a", "g"],
        )
        .needs_equal("(3/2)a² + (2/3)b² − 2ab is a square", &young, &square)
        .needs_that("5/2 + (5/3)·2 ≤ 6", frac(5, 2) + frac(10, 3) <= 6)
        .proved_on("all 0 < ε ≤ log(1/δ), T ≥ 1, δ in (0,1)")
}

/// `decor-rem-noise`. With n = 1 the mean over the users is that of one user, and the second term of (8) has the factor M.
pub const REM_NOISE: Claim = Claim {
    id: "decor-rem-noise",
    paper: Paper::Decor,
    place: "§5.1, first sentence after Assumption 3",
    kind: Kind::PathwiseInequality,
    statement: "for M = 0 and n = 1 the second part of Assumption 3 is E‖∇ℓ(x, ξ) − ∇L(x)‖² ≤ σ_*² for all x, uniformly bounded noise",
    hypotheses: "n = 1, M = 0",
    rests_on: &[],
    by_hand: &[],
    check: rem_noise,
};

fn rem_noise(c: &Check) -> Verdict {
    let users = c.constant("n", 1);
    let right =
        |m: &Poly| v("σ_*²") + m * Poly::from(Rational::from(users.recip_ref())) * v("‖∇L‖²");
    Argument::new(c)
        .states_equal(
            "Ψ with one user",
            &(Poly::from(Rational::from(users.recip_ref())) * v("variance")),
            &v("variance"),
            &["variance"],
        )
        .needs_equal("the right side at M = 0", &right(&k(0)), &v("σ_*²"))
        .proved_on("n = 1, M = 0")
}

/// `decor-rem-rates`. Of the terms of the two bounds one each decays as slowly as stated, and it falls with n.
pub const REM_RATES: Claim = Claim {
    id: "decor-rem-rates",
    paper: Paper::Decor,
    place: "§5.2, first paragraph after Theorem 2",
    kind: Kind::Rate,
    statement: "with all else fixed, T times the bound of decor-thm-2a-repaired tends to 512LQ/(μ²n), and √T times that of decor-thm-2b to 12√(LL_0Q/n): the leading terms are in 1/T and 1/√T, and fall as 1/n and 1/√n",
    hypotheses: "L, μ, p, c, L_0, Ξ_0, Q, R fixed, T → ∞",
    rests_on: &["decor-thm-2a-repaired", "decor-thm-2b"],
    by_hand: &["log(T+1)/T and 1/√T tend to 0"],
    check: rem_rates,
};

fn rem_rates(c: &Check) -> Verdict {
    let lead = Poly::from(c.constant("factor of LQ/(μ²n)", 512));
    let root = Poly::from(c.constant("factor of √(LL_0Q/n)", 12));
    // u = 1/√T, w = log(T+1)/T; the other letters are the fixed factors.
    let (u, w, n, r) = (v("u"), v("w"), inv("n"), v("1/√n"));
    let pl = k(512) * u.square() * v("LQ/μ²") * &n
        + u.square() * (&w * v("R'") + u.square() * v("start"));
    let general = k(12) * &u * v("√(LL_0Q)") * &r + u.square() * (v("start") + v("nR'"));
    let at_infinity = |bound: Poly| {
        bound
            .substitute("u", &k(0))
            .and_then(|b| b.substitute("w", &k(0)))
            .unwrap_or_default()
    };
    Argument::new(c)
        .states_equal(
            "T times the first bound as u, w → 0",
            &at_infinity(pl * inv("u").square()),
            &(lead * v("LQ/μ²") * n),
            &["LQ/μ²", "n"],
        )
        .states_equal(
            "√T times the second as u → 0",
            &at_infinity(general * inv("u")),
            &(root * v("√(LL_0Q)") * r),
            &["√(LL_0Q)", "1/√n"],
        )
        .proved_on("all instances of decor-thm-2a-repaired and decor-thm-2b")
}

/// `decor-thm-2a-log`. The main text prints log T where Appendix B derives log(T + 1). T + 1 ≤ T² for T ≥ 2. For T = 1 the
/// printed term is 0, and it is not needed: Lemma 7 alone gives E L(x̄⁽¹⁾) − L_* ≤ L_0 + (3ηL²/4)Ξ_0 + Lη²Q/(2n) with
/// η = p/(cL), c ≥ 2p and L ≥ μ.
pub const THM_2A_LOG: Claim = Claim {
    id: "decor-thm-2a-log",
    paper: Paper::Decor,
    place: "§5.2, Theorem 2, first part, against App. B.3.1, last display",
    kind: Kind::ExpectationBound,
    statement: "log T may stand for log(T+1) in decor-thm-2a-repaired at the cost of a factor 2: for T ≥ 2 since log(T+1) ≤ 2 log T, for T = 1 since E L(x̄^(1)) − L_* ≤ LQ/(μ²n) + c²L²L_0/(μ²p²) + cL³Ξ_0/(μ²p²) without that term",
    hypotheses: "as decor-thm-2a-repaired",
    rests_on: &["decor-thm-2a-repaired", "decor-lem-7"],
    by_hand: &[
        "Lemma 7 is applied to the first step, with the first step size of decor-thm-2a-repaired",
    ],
    check: thm_2a_log,
};

fn thm_2a_log(c: &Check) -> Verdict {
    let factor = c.constant("factor of log T", 2);
    let (three, two) = (Interval::from(3).ln(), Interval::from(2).ln());
    let holds = !(Interval::from_rational(&factor) * two).certainly_lt(&three);
    let t = k(2) + v("x");
    // c = 2p + a, L = μ + b, 1 = p + s.
    let (p, mu, s) = (v("p"), v("μ"), v("s"));
    let cl = (k(2) * &p + v("a")).square() * (&mu + v("b")).square();
    let names = ["p", "μ", "s", "a", "b", "x"];
    Argument::new(c)
        .states_that("T = 2: log 3 ≤ 2 log 2", holds, || {
            format!("log 3 > {factor}·log 2")
        })
        .needs_at_most("T + 1 ≤ T² for T ≥ 2", &(&t + k(1)), &t.square(), &names)
        .needs_that("T + 1 ≤ T² gives the factor 2", factor >= 2)
        .needs_at_most(
            "(3η/4)L² ≤ cL³/(μ²p²), times 4cμ²p²/L and with p ≤ 1",
            &(k(3) * p.square() * &p * mu.square()),
            &(k(4) * &cl * (&p + &s)),
            &names,
        )
        .needs_at_most(
            "Lη²/2 ≤ L/μ², times 2c²μ²L",
            &(p.square() * mu.square()),
            &(k(2) * &cl),
            &names,
        )
        .needs_at_most("1 ≤ c²L²/(μ²p²)", &(p.square() * mu.square()), &cl, &names)
        .proved_on("all T ≥ 1, all instances of decor-thm-2a-repaired")
}

/// `decor-thm-2a-W-proof-ratio`. (29) has (1 + 2t̂)/(t̂ + 1)², the line that uses it (1 + 2t̂)/t̂². As an upper bound that would
/// do; it is printed as an equality.
pub const THM_2A_W_PROOF_RATIO: Claim = Claim {
    id: "decor-thm-2a-W-proof-ratio",
    paper: Paper::Decor,
    place: "App. B.3.1, first equality of the display after “Plugging the above bound back in (29)”",
    kind: Kind::PathwiseInequality,
    statement: "η⁺²/η² = 1 − (1 + 2t̂)/t̂² for η = 16/(μt̂), as W⁺ − W = (V⁺ − (1 − (1+2t̂)/t̂²)V)/η⁺² says",
    hypotheses: "t̂ ≥ 2",
    rests_on: &[],
    by_hand: &[],
    check: thm_2a_w_proof_ratio,
};

fn thm_2a_w_proof_ratio(c: &Check) -> Verdict {
    let added = c.constant("what is added to 2t̂", 1);
    let t = Rational::from(2);
    let square = Rational::from(t.square_ref());
    let exact: Rational = square.clone() / Rational::from(&t + 1).square();
    let told: Rational = 1 - (added + t * 2) / square;
    Argument::new(c)
        .repaired("decor-thm-2a-W")
        .states_that("t̂ = 2", exact == told, || {
            format!("η⁺²/η² = {exact}, the line says {told}")
        })
        .proved_on("one point only")
}

/// `decor-thm-2a-W-proof-factor`. 1/η⁺² = μ²(t̂ + 1)²/256 and μη/4 = 4/t̂; the factor 1/256 is dropped from the term with V,
/// which is dropped itself in the next line.
pub const THM_2A_W_PROOF_FACTOR: Claim = Claim {
    id: "decor-thm-2a-W-proof-factor",
    paper: Paper::Decor,
    place: "App. B.3.1, second line of the display after “Plugging the above bound back in (29)”",
    kind: Kind::PathwiseInequality,
    statement: "(1/η⁺²)(μη/4)V = μ²(t̂+1)²(4/t̂)V for η = 16/(μt̂)",
    hypotheses: "t̂ ≥ 1, μ > 0, V ≥ 0",
    rests_on: &[],
    by_hand: &[],
    check: thm_2a_w_proof_factor,
};

fn thm_2a_w_proof_factor(c: &Check) -> Verdict {
    let four = Poly::from(c.constant("numerator", 4));
    let next = v("μ").square() * (v("t̂") + k(1)).square();
    let exact = &next * Poly::from(frac(1, 256)) * k(4) * inv("t̂");
    Argument::new(c)
        .repaired("decor-thm-2a-W")
        .states_equal(
            "both sides over V",
            &exact,
            &(next * four * inv("t̂")),
            &["μ", "t̂"],
        )
        .proved_on("all t̂, μ")
}

/// `decor-thm-2a-sum-proof`. One display has Σ t̂ where Σ 1/t̂ is meant; the next puts log(T + 1) in its place.
pub const THM_2A_SUM_PROOF: Claim = Claim {
    id: "decor-thm-2a-sum-proof",
    paper: Paper::Decor,
    place: "App. B.3.1, display after “By summing over t”",
    kind: Kind::PathwiseInequality,
    statement: "Σ_{t<T} t̂ ≤ log(T+1) for t̂ = t + τ, τ ≥ 2, as the factor of 192L²R/(μp) and the display after it say together",
    hypotheses: "T ≥ 1",
    rests_on: &[],
    by_hand: &[],
    check: thm_2a_sum_proof,
};

fn thm_2a_sum_proof(c: &Check) -> Verdict {
    let least = c.constant("least τ", 2);
    let bound = Interval::from(2).ln();
    let above = bound.certainly_lt(&Interval::from_rational(&least));
    Argument::new(c)
        .repaired("decor-thm-2a-sum")
        .states_that("T = 1", !above, || format!("τ = {least} > log 2"))
        .proved_on("one point only")
}

/// `decor-thm-6-proof`. The proof begins with q > 1; Theorem 1 is its case q = 0 and q = 1. What follows in it holds for every
/// q < n (`decor-thm-6`).
pub const THM_6_PROOF: Claim = Claim {
    id: "decor-thm-6-proof",
    paper: Paper::Decor,
    place: "App. A, first sentence of the proof of Theorem 6",
    kind: Kind::MechanismPrivacy,
    statement: "the range q > 1 of the proof of Theorem 6 contains q = 0 and q = 1, from which Theorem 1 follows",
    hypotheses: "0 ≤ q < n",
    rests_on: &[],
    by_hand: &[],
    check: thm_6_proof,
};

fn thm_6_proof(c: &Check) -> Verdict {
    let bound = c.constant("q is larger than", 1);
    let missing: Vec<_> = [0, 1].into_iter().filter(|q| bound >= *q).collect();
    Argument::new(c)
        .repaired("decor-thm-6")
        .states_that("q = 0 and q = 1", missing.is_empty(), || {
            format!("q in {missing:?} is not larger than {bound}")
        })
        .proved_on("q = 0 and q = 1")
}

/// `decor-thm-6-num-proof`. The proof names Algorithm 2, which knows no more than one colluder; the theorem rightly names
/// Algorithm 3. On K_4 with q = 2 a K_2 is left, with q = 1 a K_3.
pub const THM_6_NUM_PROOF: Claim = Claim {
    id: "decor-thm-6-num-proof",
    paper: Paper::Decor,
    place: "App. A, last paragraph of the proof of Theorem 6",
    kind: Kind::MechanismPrivacy,
    statement: "the exact bound ε of Theorem 6 is computed by Algorithm 2, for every q",
    hypotheses: "q < n, σ_cdp > 0",
    rests_on: &[],
    by_hand: &[],
    check: thm_6_num_proof,
};

fn thm_6_num_proof(c: &Check) -> Verdict {
    let ratio = c.constant("σ_cor²/σ_cdp² of the instance", 1);
    let slope = |left: usize| {
        Resolvent::of(&Graph::complete(left))
            .largest(&ratio)
            .map(|x| x * 2)
    };
    let (third, second) = (slope(2), slope(3));
    Argument::new(c)
        .repaired("decor-thm-6-num")
        .states_that("K_4, q = 2, C = σ_cdp = 1", third == second, || {
            format!(
                "the slope is {}, Algorithm 2 returns {}",
                third.unwrap_or_default(),
                second.unwrap_or_default()
            )
        })
        .proved_on("one instance only")
}

/// `decor-eq-23`. The squared Frobenius norm is the sum of the squared norms of the columns.
pub const EQ_23: Claim = Claim {
    id: "decor-eq-23",
    paper: Paper::Decor,
    place: "App. B.2, eq. (23)",
    kind: Kind::ExpectationBound,
    statement: "Ξ_t = (1/n)Σ_i E‖x_i − x̄‖² = (1/n)E‖X − X̄‖_F²",
    hypotheses: "any random X with second moments",
    rests_on: &[],
    by_hand: &[
        "linearity of the expectation, for any n and d (two users in dimension two are multiplied out)",
    ],
    check: eq_23,
};

fn eq_23(c: &Check) -> Verdict {
    let share = Poly::from(Rational::from(
        c.constant("n of the instance", 2).recip_ref(),
    ));
    let x = symbols(2);
    let half = Poly::from(frac(1, 2));
    let mean = |row: usize| &half * (x.at(row, 0) + x.at(row, 1));
    let centred = |row: usize, user: usize| (x.at(row, user) - &mean(row)).square();
    let by_user = &half * (centred(0, 0) + centred(1, 0)) + &half * (centred(0, 1) + centred(1, 1));
    let deviation = Matrix::new(2, |row, user| x.at(row, user) - &mean(row));
    Argument::new(c)
        .states_equal(
            "two users, dimension two, on every outcome",
            &by_user,
            &(share * deviation.frobenius_squared()),
            &[],
        )
        .proved_on("all n, d, all random X")
}

/// `decor-eq-23-reading-pathwise`. The second expression of (23) has no expectation. Two users at ±z with z = 1 or z = 0.
pub const EQ_23_READING_PATHWISE: Claim = Claim {
    id: "decor-eq-23-reading-pathwise",
    paper: Paper::Decor,
    place: "App. B.2, eq. (23), second expression as printed",
    kind: Kind::PathwiseInequality,
    statement: "(1/n)Σ_i E‖x_i − x̄‖² = (1/n)‖X − X̄‖_F² on every outcome, without expectation",
    hypotheses: "t ≥ 1",
    rests_on: &[],
    by_hand: &[],
    check: eq_23_reading_pathwise,
};

fn eq_23_reading_pathwise(c: &Check) -> Verdict {
    let other = c.constant("the other outcome of z", 2);
    let outcomes = [Rational::from(1), other.square()];
    let mean = Rational::from(&outcomes[0] + &outcomes[1]) / 2;
    let equal = outcomes.iter().all(|x| *x == mean);
    Argument::new(c)
        .repaired("decor-eq-23")
        .states_that(
            "two users at ±z, two outcomes of z with equal weights",
            equal,
            || {
                format!(
                    "the mean is {mean}, the outcomes are {} and {}",
                    outcomes[0], outcomes[1]
                )
            },
        )
        .proved_on("one instance only")
}

/// Independent noises of the pairs of four users, v_ik for i < k.
const PAIRS: [&str; 6] = ["v01", "v02", "v03", "v12", "v13", "v23"];

/// v_ik with v_ki = mirrored·v_ik.
fn pair(i: usize, j: usize, mirrored: &Rational) -> Poly {
    let (low, high) = (i.min(j), i.max(j));
    let index = [0, 3, 5][low.min(2)] + high - low - 1;
    let noise = v(PAIRS[index]);
    if i < j {
        noise
    } else {
        noise * Poly::from(mirrored.clone())
    }
}

/// `decor-eq-35`, with (36) and (37): column j of NW, once as Σ W_ij v_ik and once, i and k exchanged, as −Σ W_kj v_ik.
pub const EQ_35: Claim = Claim {
    id: "decor-eq-35",
    paper: Paper::Decor,
    place: "App. B.4, eqs. (35) to (37)",
    kind: Kind::PathwiseInequality,
    statement: "NW_j = ½Σ_{i,k}(W_ij − W_kj)1{k ∈ N_i}v_ik, as the mean of Σ_{i,k} W_ij 1{k ∈ N_i}v_ik and −Σ_{i,k} W_kj 1{k ∈ N_i}v_ik, for v_ki = −v_ik",
    hypotheses: "any undirected graph, any matrix W",
    rests_on: &[],
    by_hand: &[
        "both sums are sums over the edges, for any n (all graphs with n ≤ 4 are multiplied out)",
    ],
    check: eq_35,
};

fn eq_35(c: &Check) -> Verdict {
    let mirrored = c.constant("v_ki as a multiple of v_ik", -1);
    let all = (2..=4)
        .flat_map(graphs)
        .all(|m| column(&m.graph, &mirrored).is_zero());
    let edge = column(&Graph::complete(2), &mirrored);
    Argument::new(c)
        .states_equal("K_2: the difference of the sides", &edge, &k(0), &[])
        .needs_that("all graphs with n ≤ 4, symbolic W and v", all)
        .proved_on("all graphs, all W")
}

/// NW_0 minus the right side of (35).
fn column(graph: &Graph, mirrored: &Rational) -> Poly {
    let n = graph.n();
    let w = symbols(n);
    let neighbours = (0..n)
        .flat_map(|i| (0..n).map(move |k| (i, k)))
        .filter(|&(i, k)| graph.adjacent(i, k));
    let half = Poly::from(frac(1, 2));
    neighbours.fold(k(0), |sum, (i, k)| {
        let noise = pair(i, k, mirrored);
        let right = &half * (w.at(i, 0) - w.at(k, 0)) * &noise;
        sum + w.at(i, 0) * &noise - right
    })
}

/// `decor-eq-35-proof`. The sentence after (37) has the indices in the same order on both sides.
pub const EQ_35_PROOF: Claim = Claim {
    id: "decor-eq-35-proof",
    paper: Paper::Decor,
    place: "App. B.4, sentence after eq. (37)",
    kind: Kind::PathwiseInequality,
    statement: "v_ik = −v_ik for all i, k",
    hypotheses: "v_ik any outcome of the pair noise",
    rests_on: &[],
    by_hand: &[],
    check: eq_35_proof,
};

fn eq_35_proof(c: &Check) -> Verdict {
    let sign = Poly::from(c.constant("multiple of v_ik", -1));
    Argument::new(c)
        .repaired("decor-eq-35")
        .states_equal("one pair", &v("v"), &(sign * v("v")), &[])
        .proved_on("v = 0 only")
}

/// `decor-lem-8b-proof-square`. One norm lacks its square; with it the equality holds by symmetry.
pub const LEM_8B_PROOF_SQUARE: Claim = Claim {
    id: "decor-lem-8b-proof-square",
    paper: Paper::Decor,
    place: "App. B.4, proof of Lemma 8, display after “Using Jensen’s inequality”",
    kind: Kind::PathwiseInequality,
    statement: "2Σ_{i,k}(‖W_i‖ + ‖W_k‖²)1{k ∈ N_i} = 4Σ_{i,k}‖W_i‖²1{k ∈ N_i} for the printed weights",
    hypotheses: "k_min ≥ 1",
    rests_on: &[],
    by_hand: &[],
    check: lem_8b_proof_square,
};

fn lem_8b_proof_square(c: &Check) -> Verdict {
    let (two, four) = (c.constant("left factor", 2), c.constant("right factor", 4));
    // K_2: every row is one entry, its norm.
    let w = printed(&Graph::complete(2));
    let norm = w.at(0, 1);
    let square = Rational::from(norm.square_ref());
    let left = two * 2 * Rational::from(norm + &square);
    let right = four * 2 * square;
    Argument::new(c)
        .repaired("decor-lem-8b-repaired")
        .states_that("K_2", left == right, || {
            format!("the left side is {left}, the right side {right}")
        })
        .proved_on("one graph only")
}

/// `decor-lem-9-proof-tau`. The proof of Lemma 9 begins with another condition on the steps, with a τ that is defined nowhere;
/// the lemma's own condition does not imply it, and the proof does not use it. (For τ of any sign and size it says nothing.)
pub const LEM_9_PROOF_TAU: Claim = Claim {
    id: "decor-lem-9-proof-tau",
    paper: Paper::Decor,
    place: "App. B.4, second sentence of the proof of Lemma 9",
    kind: Kind::PathwiseInequality,
    statement: "the condition η ≤ p/(L√(6(1−p)(3+pM))) of Lemma 9 implies η ≤ p/(96√6 τL), which its proof assumes, for some τ ≥ 1",
    hypotheses: "p in (0,1], M ≥ 0",
    rests_on: &[],
    by_hand: &[],
    check: lem_9_proof_tau,
};

fn lem_9_proof_tau(c: &Check) -> Verdict {
    let factor = c.constant("factor of √6", 96);
    let p = frac(1, 2);
    let square = Rational::from(p.square_ref());
    let allowed: Rational = square.clone() / (Rational::from(1 - &p) * 18);
    let assumed: Rational = square / (factor.square() * 6);
    Argument::new(c)
        .repaired("decor-lem-9-repaired")
        .states_that("p = 1/2, M = 0, τ = 1", allowed <= assumed, || {
            format!("(Lη)² = {allowed} is allowed, {assumed} assumed")
        })
        .proved_on("one instance only")
}

/// `decor-cor-12-nc-terms`. With Q = σ_⋆² + dσ_cdp² and dσ_cor² = dσ_cdp²(n−q)/a_q the terms of order 1/T are divided by Q, which
/// is at least σ_⋆² and at least dσ_cdp². For σ_⋆ = 0 the printed ζ_⋆²/(pσ_⋆²) has no meaning, and ζ_⋆²/(pdσ_cdp²) serves.
pub const COR_12_NC_TERMS: Claim = Claim {
    id: "decor-cor-12-nc-terms",
    paper: Paper::Decor,
    place: "App. C, proof of Corollary 12, last display of the non-convex case",
    kind: Kind::PathwiseInequality,
    statement: "((1−p)(ζ_⋆²/p + σ_⋆²) + H|E|dσ_cor²/n + ‖W−J‖_F²dσ_cdp²)/Q ≤ 1·[(1−p)(ζ_⋆²/(pσ_⋆²) + 1) + (n−q)H|E|/(n a_q) + ‖W−J‖_F²] with the variances of Corollary 12",
    hypotheses: "σ_⋆ > 0, Q = σ_⋆² + dσ_cdp², p in (0,1], a_q > 0; a_q(G) for the printed a(G_H) of the line before",
    rests_on: &[],
    by_hand: &[],
    check: cor_12_nc_terms,
};

fn cor_12_nc_terms(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of the bracket", 1));
    let (s, d) = (v("σ²"), v("dσ_cdp²"));
    let q = &s + &d;
    let heterogeneity = v("1−p") * v("ζ²/p");
    let pairs = v("H|E|/n") * v("n−q") * inv("a");
    let left = &heterogeneity + v("1−p") * &s + &pairs * &d + v("‖W−J‖²") * &d;
    let bracket = &heterogeneity * inv("σ²") + v("1−p") + pairs + v("‖W−J‖²");
    let positive = [
        "σ²",
        "dσ_cdp²",
        "1−p",
        "ζ²/p",
        "H|E|/n",
        "n−q",
        "a",
        "‖W−J‖²",
    ];
    // At dσ_cdp² = 0 and H = 0 with W = J both sides are equal.
    let edge = &heterogeneity + v("1−p") * &s;
    let equal = &heterogeneity * inv("σ²") + v("1−p");
    Argument::new(c)
        .states_at_most(
            "W = J, no noise: both sides times Q",
            &edge,
            &(&factor * &s * equal),
            &positive,
        )
        .states_at_most(
            "both sides times Q",
            &left,
            &(factor * q * bracket),
            &positive,
        )
        .proved_on("all values of the quantities")
}
