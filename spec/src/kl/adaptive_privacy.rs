//! Theorem 3: the privacy of Algorithm 3.
//!
//! Units as in [`super::adaptive_round`]: v = 1/(n√ρ) for a norm, x for a gradient.

use super::adaptive_round::{charge, cost};
use super::notions::least_rho;
use super::spider_sensitivity::{REPLACE_ONE, ZERO_OUT};
use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Check, Claim, Kind, by_kernel};
use crate::prove::{Argument, Domain, Forall, closed, infinite, open, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 8] = [
    THM_3,
    THM_3_READING_INSIDE_ZERO_OUT,
    THM_3_REPAIRED_TRANSCRIPT_LEAST,
    THM_3_READING_TRANSCRIPT_PRINTED,
    THM_3_REPAIRED_ZERO_OUT,
    THM_3_REPAIRED,
    THM_3_REPAIRED_QUARTER,
    THM_3_REPAIRED_TRANSCRIPT,
];

/// Number of rounds whose signs are looked at, and the smallest |N_t| in units of its deviation.
const ROUNDS: u32 = 4001;
const LEAST_NORM: (i64, u64) = (1, 1_600_000);

/// An event of the iterates of Algorithm 3: its least probability on S, its largest on S′, with zero-out. d = 1,
/// L₀ = ρ = 1, β = 1/100, n = 10¹⁸ + 1, f(w;x) = x·h(w) with h(w) = w up to |w| = M and h bounded, with a minimiser of
/// ±h, beyond: the samples ±1 cancel but for x_n = 1 (S), or x_n = 0 (S′). A round with
/// N_t ≤ 0 releases the gradient at the floor, where its mean is half a deviation under S and 0 under S′; under S′
/// every sign is fair. The rounds are alike and independent until |w_t| exceeds M, for which the chance is below 2⁻¹⁰⁰
/// for M large enough; the event is that at least `ROUNDS` rounds
/// precede the last one and most of the first `ROUNDS` gradients are positive.
pub(super) fn iterates_event() -> (Interval, Interval) {
    let samples = Rational::from(10_u64.pow(18)) + 1;
    let n = Interval::from_rational(&samples);
    let half = Interval::from_rational(&ratio(1, 2));
    // N_t/σ̂ ~ N(1/√n, 1).
    let negative = (-(Interval::from(1) / n.sqrt())).phi();
    let positive_sign = &negative * &half.phi() + (Interval::from(1) - &negative) * &half;
    let least = Interval::from_rational(&ratio(LEAST_NORM.0, LEAST_NORM.1));
    let rounds = Interval::from(i64::from(ROUNDS));
    // If every |N_t| ≥ least·σ̂ the charges of `ROUNDS` rounds stay within the test's 1/2.
    let log = (&n * &Interval::from(100)).ln();
    let charges = &rounds * &((log / least.square() + Interval::from(1)) / &n);
    if !charges.certainly_le(&half) {
        return (Interval::from(0), Interval::from(1));
    }
    let far = Interval::power_of_two(-100);
    // The density of N(0,1) is below 2/5.
    let short = rounds * Interval::from_rational(&ratio(4, 5)) * least;
    let majority = ROUNDS / 2 + ROUNDS / 20;
    let p = at_least(ROUNDS, majority, &positive_sign) - short - far.clone();
    (p, at_least(ROUNDS, majority, &half) + far)
}

/// P(Bin(m, p) ≥ k).
pub(super) fn at_least(m: u32, k: u32, p: &Interval) -> Interval {
    let fails = &Interval::from(1) - p;
    let odds = p / &fails;
    let mut term = fails.powi(m);
    let mut sum = Interval::from(0);
    for j in 0..=m {
        if j >= k {
            sum = sum + &term;
        }
        let step = Interval::from_rational(&Rational::from((m - j, j + 1)));
        term = term * step * &odds;
    }
    sum
}

/// `kl-thm-3`. The charge has N_t², so that N_t < 0, half of all rounds where the gradient is small, is charged
/// √ρ/n·(1 + dΛ(σ̂/N_t)²) while the gradient is released at the floor, at the cost of a fixed part of ρ. The
/// budget that is spent grows with n without bound.
pub const THM_3: Claim = Claim {
    id: "kl-thm-3",
    place: "Sec. 5, Theorem 3",
    kind: Kind::MechanismPrivacy,
    statement: "Algorithm 3, releasing w_0, …, w_T, is ρ-zCDP",
    hypotheses: "f L_0-Lipschitz; scalar noise on the norm; replace-one or zero-out",
    rests_on: &["kl-red-event"],
    check: |c| {
        let total = c.constant("total in units of ρ", 1);
        spends_at_most(c, &total)
            .repaired("kl-thm-3-repaired")
            .open_for("no upper bound exists")
    },
    by_hand: &[],
};

/// What all noisy values of Algorithm 3 cost at n = 60,001 and ρ = 1/90, in units of ρ: while all N_t are negative
/// and large, ⌈n√ρ/2⌉ − 1 rounds are charged at most ρ/2, and each releases a gradient that costs ρ/2. That happens with
/// some probability under both datasets, so that D_α/α tends to at least their sum as α grows.
fn all_orders() -> Rational {
    let square = Rational::from(60_001_i64.pow(2)) / 90;
    let quarter: Rational = square / 4;
    let half = quarter.floor().into_numer_denom().0;
    Rational::from(half.sqrt()) / 2
}

/// Whether `total`·ρ covers the pair of [`iterates_event`].
pub(super) fn spends_at_most<'a>(check: &'a Check, total: &Rational) -> Argument<'a> {
    let (p, q) = iterates_event();
    let least = least_rho(&p, &q);
    let allowed = Interval::from_rational(total);
    Argument::new(check).states_that(
        "law of the signs of the steps, in 128-bit intervals",
        !allowed.certainly_lt(&least),
        || {
            format!(
                "d = 1, losses linear up to a far point, L_0 = ρ = 1, β = 1/100, n = 10^18 + 1, \
                    one sample's slope 1 or 0, the others cancelling: the signs of {ROUNDS} steps \
                    need zCDP of at least {:.2} ρ",
                least.lo_digits(2)
            )
        },
    )
}

/// Chain-rule divergence of order 1 of the transcript on the level pair, in units of ρ. ρ = 1, n = 10¹², L₀ = 1,
/// linear losses whose last sample flips orthogonally to the mean gradient, so that all norms have one
/// law and every gradient moves by 2L₀/n; dΛ such that N_t is within 10⁻⁴ of its mean in three rounds with
/// probability 1 − 10⁻⁴, where x ≤ 1/4 − v. Then two rounds are charged at most 1/2 and the third starts.
fn level_pair() -> Rational {
    let v = Rational::from((1, 10_u64.pow(12)));
    let spread = ratio(3, 10_000);
    let most = ratio(1, 4) - v;
    let least = most * (1 - spread.clone()) / (1 + spread);
    3 * 2 * least * ratio(9999, 10_000)
}

/// `kl-thm-3-repaired-transcript-least`: what is lost by keeping the noisy values of the repaired algorithm, too.
pub const THM_3_REPAIRED_TRANSCRIPT_LEAST: Claim = Claim {
    id: "kl-thm-3-repaired-transcript-least",
    kind: Kind::LowerBound,
    statement: "for Algorithm 3, with the charge at its cap when N_t ≤ 0 and all its noisy values \
        released, (149 ρ/100)-zCDP is not enough",
    hypotheses: "f L_0-Lipschitz; scalar noise on the norm; replace-one",
    rests_on: &["kl-thm-3-round-repaired"],
    check: |c| {
        let total = c.constant("total in units of ρ", ratio(149, 100));
        let spent = level_pair();
        Argument::new(c)
            .states_that(
                "divergence of order 1 by the chain rule",
                spent > total,
                || {
                    format!(
                        "three rounds, KL at least {:.4} ρ",
                        Interval::from_rational(&spent).lo_digits(4)
                    )
                },
            )
            .proved_on("the level pair with x just below 1/4")
    },
    by_hand: &[
        "the divergence of order 1 of a transcript is the mean of the sum of those of its rounds",
        "N_t is within 10⁻⁴ of its mean in three rounds with probability 1 − 10⁻⁴ for dΛ large \
            enough",
    ],
    ..THM_3
};

/// `kl-thm-3-reading-transcript-printed`: App. D.2 argues about all noisy values of the rounds before the last. Of zCDP,
/// which is about all orders, nothing is left: see `all_orders`.
pub const THM_3_READING_TRANSCRIPT_PRINTED: Claim = Claim {
    id: "kl-thm-3-reading-transcript-printed",
    place: "App. D.2, proof of Theorem 3 (all noisy values; the theorem itself releases w_0, …, \
        w_T only)",
    statement: "Algorithm 3 is ρ-zCDP for all noisy values of the rounds before the last",
    hypotheses: "f L_0-Lipschitz; scalar noise on the norm; replace-one",
    rests_on: &["kl-thm-3-round-repaired"],
    check: |c| {
        let total = c.constant("total in units of ρ", 1);
        let spent = all_orders();
        Argument::new(c)
            .repaired("kl-thm-3-repaired-transcript")
            .states_that(
                "all orders, on the runs whose norms are negative and large",
                spent <= total,
                || {
                    format!(
                        "d = 1, n = 60001, ρ = 1/90, x_n = 1 or -1, the other samples cancelling: \
                            D_alpha/α tends to {spent} ρ at least as α grows, more than {total} ρ"
                    )
                },
            )
            .open_for("no upper bound exists")
    },
    ..THM_3
};

/// Rounds before the last: at most `moved`²/2 times their charges, whose sum is at most 1/2; of round T only
/// the end is seen, a function of its norm; that round T ≥ 1 exists takes v ≤ 1/2.
fn iterates<'a>(
    check: &'a Check,
    name: &str,
    moved: i32,
    total: &Rational,
    norm: &Rational,
) -> Argument<'a> {
    let factor = ratio(i64::from(moved * moved), 2);
    let (domain, [x, v]) = Domain::of_all(["x", "1/(n √(ρ))"], open(0), infinite());
    let each = Forall::le(domain, cost(moved, &x, &v), &factor * charge(&x, &v));
    let (domain, v) = Domain::of("1/(n √(ρ))", open(0), closed(ratio(1, 2)));
    let sum = Forall::le(
        domain,
        Rational::from(&factor / 2) + &factor * &v,
        total + norm * &v,
    );
    Argument::new(check)
        .needs(&format!("{name}/round"), &each)
        .states(name, &sum)
        .note(
            "w_{t+1} is a function of the values of rounds 0..=t; N_t ≤ 0 costs what N_t = 0+ \
                costs",
        )
}

/// `kl-thm-3-reading-inside-zero-out`: the other way to read the noise N(0, σ̂²I_d), with the sensitivity of the proof.
pub const THM_3_READING_INSIDE_ZERO_OUT: Claim = Claim {
    id: "kl-thm-3-reading-inside-zero-out",
    hypotheses: "N_t = |∇ F(w_t) + noise| with d-dimensional noise; f L_0-Lipschitz; zero-out \
        (every sensitivity L_0/n); n √(ρ) ≥ 1",
    rests_on: &["kl-thm-3-round-reading-inside-zero-out", "kl-imp-adaptive"],
    check: |c| {
        let total = c.constant("total in units of ρ", 1);
        let name = "kl-thm-3-reading-inside-zero-out";
        iterates(c, name, ZERO_OUT, &total, &Rational::new())
            .proved_on("n √(ρ) ≥ 1, all losses of the hypotheses")
    },
    ..THM_3
};

/// `kl-thm-3-repaired-zero-out`: the sensitivity of the proof, and N_t ≤ 0 charged the cap.
pub const THM_3_REPAIRED_ZERO_OUT: Claim = Claim {
    id: "kl-thm-3-repaired-zero-out",
    statement: "Algorithm 3, with the charge at its cap when N_t ≤ 0, releasing w_0, …, w_T, is \
        ρ-zCDP",
    hypotheses: "f L_0-Lipschitz; scalar noise on the norm; zero-out (every sensitivity L_0/n); n \
        √(ρ) ≥ 1",
    rests_on: &["kl-thm-3-round-repaired", "kl-imp-adaptive"],
    check: |c| {
        let total = c.constant("total in units of ρ", 1);
        iterates(
            c,
            "kl-thm-3-repaired-zero-out",
            ZERO_OUT,
            &total,
            &Rational::new(),
        )
        .proved_on("n √(ρ) ≥ 1, all losses of the hypotheses")
    },
    ..THM_3
};

/// `kl-thm-3-repaired`, closest to the print: only the charge of N_t ≤ 0 changes.
pub const THM_3_REPAIRED: Claim = Claim {
    id: "kl-thm-3-repaired",
    statement: "Algorithm 3, with the charge at its cap when N_t ≤ 0, releasing w_0, …, w_T, is (ρ \
        + 2 √(ρ)/n)-zCDP; with both noises multiplied by √(1 + 2/(n √(ρ))) it is ρ-zCDP",
    hypotheses: "f L_0-Lipschitz; scalar noise on the norm; replace-one",
    rests_on: &["kl-thm-3-round-repaired", "kl-imp-adaptive"],
    check: |c| {
        let total = c.constant("total in units of ρ", 1);
        let norm = c.constant("last norm in units of √(ρ)/n", 2);
        iterates(c, "kl-thm-3-repaired", REPLACE_ONE, &total, &norm)
            .note(
                "noise ratio √(1 + 2/(n √(ρ))), at most √(2); without the cap for N_t ≤ 0 no \
                    constant suffices; two rounds of the level pair need 0.999 ρ",
            )
            .proved_on("ρ > 0, n √(ρ) > β, all losses of the hypotheses")
    },
    ..THM_3
};

/// `kl-thm-3-repaired-quarter`: the algorithm whose utility `kl-thm-5-repaired` bounds. Off the floor a gradient costs 16 times as much and is
/// charged 16 times as much, with the same floor and the same cap: `kl-thm-3-repaired` with 16x for x.
pub const THM_3_REPAIRED_QUARTER: Claim = Claim {
    id: "kl-thm-3-repaired-quarter",
    statement: "Algorithm 3 with σ_t = max{N_t/(4 √(d Λ)), 2L_0/(n √(ρ))} and ρ_t = √(ρ)/n + \
        min{16 L_0^2 d Λ/(n N_t)^2, ρ/2}, at the cap when N_t ≤ 0, releasing w_0, …, w_T, is (ρ + \
        2 √(ρ)/n)-zCDP",
    hypotheses: "f L_0-Lipschitz; scalar noise on the norm; n √(ρ) > β; replace-one",
    rests_on: &["kl-thm-3-round-repaired", "kl-imp-adaptive"],
    check: |c| {
        let total = c.constant("total in units of ρ", 1);
        let norm = c.constant("last norm in units of √(ρ)/n", 2);
        let [l, n, dl, level] = symbols();
        // (2L₀/n)²/(2σ²) off the floor is 2·16x.
        let scale = level.square() / (16 * &dl);
        let x = 16 * l.square() * &dl / (&n * &level).square();
        iterates(c, "kl-thm-3-repaired-quarter", REPLACE_ONE, &total, &norm)
            .needs_identity(
                "gradient at the scale N/(4 √(d Λ))",
                (2 * &l / &n).square() / (2 * scale),
                2 * x,
            )
            .proved_on("ρ > 0, n √(ρ) > β, all losses of the hypotheses")
    },
    ..THM_3
};

/// `kl-thm-3-repaired-transcript`.
pub const THM_3_REPAIRED_TRANSCRIPT: Claim = Claim {
    id: "kl-thm-3-repaired-transcript",
    statement: "Algorithm 3, with the charge at its cap when N_t ≤ 0, is (3 ρ/2 + 2 √(ρ)/n)-zCDP \
        for all its noisy values, w_{T+1} included",
    hypotheses: "f L_0-Lipschitz; scalar noise on the norm; replace-one",
    rests_on: &["kl-thm-3-round-repaired", "kl-imp-adaptive"],
    check: by_kernel,
    ..THM_3
};
