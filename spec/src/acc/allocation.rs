//! Random allocation: every record in k of t steps, drawn at random.

use crate::arith::algebra::Steps;
use crate::arith::{Poly, ratio};
use crate::claim::{Claim, Kind};

/// The claims of this part.
pub(super) const CLAIMS: [Claim; 3] = [ALLOCATION, BLOCKS, REPLACED];

/// `acc-random-allocation`: the ratio of one step is e^{(Δz − Δ²/2)/σ²}; a spread keeps the mean.
pub const ALLOCATION: Claim = Claim {
    id: "acc-random-allocation",
    place: "Feldman and Shenfeld 2025, Privacy amplification by random allocation (arXiv \
        2502.08202), dominating pair",
    kind: Kind::MechanismPrivacy,
    statement: "t steps of Gaussian noise, at one of which, drawn uniformly, a record takes part, \
        are dominated by the mean of N(Δe_i, σ²I) over i against N(0, σ²I), and by the reverse; \
        the ratio is S/t, S the sum of t independent ratios e^((Δz − Δ²/2)/σ²) of one step, so \
        that the profile is E(S/t − a)₊ or E(1 − a·S/t)₊ under z ~ N(0, σ²), which a spread of a \
        sum of ratios about its mean only raises, and its mean over a set only lowers; the \
        pairs of fewer steps dominate, too",
    hypotheses: "t ≥ 1; where the record takes part is independent of all other records and is not \
        told; it moves a step by at most Δ in Euclidean norm, as what came before decides; \
        add-remove, or zero-out where a zeroed record contributes nothing",
    rests_on: &["acc-gaussian"],
    by_hand: &[
        "Fix in which steps the others take part, over which a mean bounds H_a. Given what came \
            before, step i answers m + g without the record and m + s + g with it, |s| ≤ Δ, m and \
            s chosen by what came before.",
        "From z_i ~ N(0, σ²) or N(Δ, σ²) that answer is made, without knowing which, as m + \
            z_i·s/Δ plus Gaussian noise of covariance σ²(I − ss'/Δ²): so from the z of all steps, \
            in their order, the whole run, whichever step has the record. Post-processing keeps \
            dominance.",
        "Both functions are convex in S; if a part r of the sum is replaced by R with E(R | r) = \
            r, the mean of a convex function of the sum does not fall, and if by its mean over a \
            set in which it lies, it does not rise (Jensen, given the others).",
        "The law of one of t steps is the mean over sets of fewer steps of that of one of these, \
            with the noise of the others beside it: H_a is jointly convex.",
    ],
    check: |check| {
        let half = Poly::from(check.constant("factor of Δ²", ratio(1, 2)));
        let [z, delta, low, h, w, var] = ["z", "Δ", "x", "h", "w", "σ²"].map(Poly::var);
        let one = Poly::from(1);
        let loss = ratio(1, 2) * (z.square() - (&z - &delta).square());
        let spread = (&one - &w) * &low + &w * (&low + &h);
        let kernel = delta.square() * Poly::power("Δ", -2) * &var
            + (&one - delta.square() * Poly::power("Δ", -2)) * &var;
        Steps::new()
            .positive(&["z", "Δ", "x", "h", "w", "σ²"])
            .equal(
                "loss of one step, times σ²",
                &loss,
                &delta * &z - half * delta.square(),
            )
            .equal(
                "variance of what is made of z along s, |s| = Δ",
                &kernel,
                &var,
            )
            .equal(
                "mean of a spread to both ends of a cell",
                &spread,
                &low + &w * &h,
            )
            .proved_on("all t, all σ, all a ≥ 0, adaptive steps")
    },
};

/// `acc-blocks`: k − r blocks of f steps and r of f + 1 are t = kf + r steps.
pub const BLOCKS: Claim = Claim {
    id: "acc-blocks",
    place: "Feldman and Shenfeld 2025 (arXiv 2502.08202), reduction to one participation",
    kind: Kind::MechanismPrivacy,
    statement: "a record that takes part in k of t steps, drawn uniformly, is dominated by k \
        independent allocations to one step of a block each: t mod k blocks of floor(t/k) + 1 \
        steps, the others of floor(t/k)",
    hypotheses: "1 ≤ k ≤ t; as acc-random-allocation",
    rests_on: &["acc-composed", "acc-random-allocation"],
    by_hand: &[
        "Split the steps into blocks of these sizes at random, and draw one step of every block: \
            no step is preferred, so that all k-sets are equally likely.",
        "Given the split, which no data decide, the participations are independent, and the run is \
            made from the z of all steps as in acc-random-allocation, wherever the blocks lie: the \
            pair is the product of the blocks' pairs.",
        "All splits have that pair; H_a is jointly convex, so that a mean over splits bounds it.",
    ],
    check: |check| {
        let longer = Poly::from(check.constant("steps of a longer block beyond a shorter one", 1));
        let [k, f, r] = ["k", "f", "r"].map(Poly::var);
        let total = (&k - &r) * &f + &r * (&f + &longer);
        Steps::new()
            .positive(&["k", "f", "r"])
            .equal("all steps", &total, &k * &f + &r)
            .proved_on("all 1 ≤ k ≤ t")
    },
};

/// `acc-allocation-replaced`: V(A, B), a mean of (αA − βB + c)₊ with α, β ≥ 0, has V_AA, V_BB ≥ 0 ≥ V_AB.
pub const REPLACED: Claim = Claim {
    id: "acc-allocation-replaced",
    place: "derived here by the interpolation of Kahane 1986, with weights of both signs",
    kind: Kind::MechanismPrivacy,
    statement: "t steps of Gaussian noise, at one of which, drawn uniformly, a record takes part \
        or its replacement, are dominated by the mean of N(Δe_i, σ²I) over i against the mean of \
        N(−Δe_i, σ²I), which is its own reverse; in k of t steps, by the product of such pairs for \
        the blocks of acc-blocks, and of fewer steps; and H_a of the pair is the mean of \
        (T_1 + … + T_t)₊/t for independent T = e^((Δz − Δ²/2)/σ²) − a·e^((−Δz − Δ²/2)/σ²)",
    hypotheses: "1 ≤ k ≤ t; where the record, or its replacement, takes part is independent of all \
        other records and is not told; each moves a step by at most Δ in Euclidean norm, as what \
        came before decides; replace-one",
    rests_on: &["acc-blocks", "acc-composed"],
    by_hand: &[
        "Fix in which steps the others take part, and the split into blocks, over which means \
            bound H_a. Given what came before, a step answers m + g, m + v + g or m + w + g \
            without, with the record or with its replacement, |v|, |w| ≤ Δ. Under the law without, \
            H_a is the mean of (A − aB)₊, A and B products over blocks of the means of the ratios \
            X of v and Y of w.",
        "Backwards over the steps, the largest H_a that later choices allow is a mean of (αA − βB \
            + c)₊ in the two sums of the block at hand, α, β ≥ 0: true at the end.",
        "Along a path of covariances of (<v, z>, <w, z>) its mean changes by half of the mean of \
            V_AA·X²·d|v|² + 2·V_AB·XY·d<v, w> + V_BB·Y²·d|w|² over σ², which the second identity \
            orders: it is largest at v = −w of norm Δ, whatever came before, and is then again of \
            that form one step earlier.",
        "That choice is open to neighbours whose others contribute nothing. z ↦ −z exchanges both \
            laws. Of fewer steps as in acc-random-allocation, with the same sets on both sides.",
    ],
    check: |check| {
        let half = Poly::from(check.constant("factor of Δ²", ratio(1, 2)));
        let [z, delta, up, down] = ["z", "Δ", "α", "β"].map(Poly::var);
        let [v, w, x, y, g] = ["v", "w", "x", "y", "g"].map(Poly::var);
        let two = Poly::from(2);
        // The loss of the replacement, whose mean is −Δ.
        let loss = ratio(1, 2) * (z.square() - (&z + &delta).square());
        // <v, w> = g − |v||w|, and norms v + x, w + y of opposite vectors.
        let some = up.square() * v.square() - &two * &up * &down * (&g - &v * &w)
            + down.square() * w.square();
        let most = (&up * (&v + &x) + &down * (&w + &y)).square();
        Steps::new()
            .positive(&["Δ", "α", "β", "v", "w", "x", "y", "g"])
            .equal(
                "loss of the replacement, times σ²",
                &loss,
                -(&delta * &z) - half * delta.square(),
            )
            .at_most("covariances", &some, &most)
            .proved_on("all t, all k, all σ, all a ≥ 0, adaptive steps")
    },
};
