//! What of kl does not hold as printed: `dp-assay ledger --findings --paper kl`, and `paper kl --erratum` with
//! counterexamples and repairs.

use super::sizes;
use crate::findings::{Effect, EffectKind, Note};

/// What is said of each statement beyond its verdicts.
pub const NOTES: [Note; 73] = [
    Note {
        id: "kl-def-valley",
        theorem: &["kl-thm-4"],
        effect: Effect::of(EffectKind::Wording),
        cause: "kl-misprint-valley",
        words: "No effect on ε. The appendix nests the maximum and adds the minimum once more (5/2 \
            against 3/2 in the counterexample); Section 5 has the maximum right. Of the minimum \
            that the level is counted from the appendix has the better version, that over the \
            valley: see kl-lem-5-reading-global.",
    },
    Note {
        id: "kl-alg-1",
        theorem: &["kl-thm-1-priv", "kl-thm-1"],
        effect: Effect::of(EffectKind::UtilityConstant).worst(sizes::carried),
        cause: "kl-carry-index",
        words: "No effect on ε. Line 17 carries the iterate before the last, which does not exist \
            if a round stops at once. Read as the start of the round it costs the factor (5/4)^κ ≤ \
            25/16 at most; with the last iterate, and K rounded up, the algorithm runs.",
    },
    Note {
        id: "kl-par-alg-1",
        theorem: &["kl-thm-1"],
        effect: Effect::of(EffectKind::Wording),
        cause: "kl-misprint-length",
        words: "No effect on ε. One line of the proof prints the exponent of T_k with (κ − 2)/2 \
            for (2 − κ)/κ; the algorithm and Lemma 2 have the latter, for which the facts hold.",
    },
    Note {
        id: "kl-lem-1",
        theorem: &["kl-thm-1-priv", "kl-thm-1"],
        effect: Effect::of(EffectKind::Wording),
        cause: "kl-misprint-radius",
        words: "The noise is not affected, and the Õ of Lemma 1 and Theorem 1 covers the factor 2; \
            the explicit radius of Appendix B.3 does not: the loop tests t ≤ T_k after T_k steps, \
            so gradients are taken up to twice as far from w_0 as the appendix states for t ≤ T_k. \
            The appendix also drops γ in one logarithm, which can make its radius 0 \
            (kl-lem-1-proof).",
    },
    Note {
        id: "kl-lem-1-proof-sum",
        theorem: &["kl-thm-1-priv", "kl-thm-1"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "kl-sum-above-floor",
        words: "No effect on ε. The display sums c^(−k) where the targets stay at the floor: of \
            the squares, 1 against 32/33. The next display, K·F_0^(1/κ)/(4γL_1), does not need it.",
    },
    Note {
        id: "kl-lem-1-note",
        theorem: &[],
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "kl-misprint-smoothness",
        words: "No effect on ε. At κ = 1 the printed condition leaves the factor √F_0/γ between \
            the two terms, which is unbounded; with F_0^((2−κ)/κ)/γ² for F_0^((2−κ)/2)/γ it holds. \
            (At κ = 2 the terms are comparable, whatever the condition says: 2γ²L_1 ≥ 1 for all \
            but constant functions.)",
    },
    Note {
        id: "kl-lem-8-grad",
        theorem: &["kl-thm-1-priv"],
        effect: Effect::of(EffectKind::Noise)
            .worst(sizes::sensitivity)
            .realistic(sizes::sensitivity),
        cause: "kl-one-sided-sensitivity",
        words: "When one sample is replaced by another, both gradients count: the sensitivity is \
            2L_0/n, as Appendix E has it under the same definition, twice the print of Appendix \
            B.1, and such a release costs four times the zCDP. When a sample is replaced by one \
            without gradient the print holds.",
    },
    Note {
        id: "kl-lem-8-diff",
        theorem: &["kl-thm-1-priv"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "kl-scale-of-differences",
        words: "Three slips: a factor 1/γ, one sample for two, and T_k for the up to 2T_k \
            differences of a round. The sensitivity is too small for γ < 1/2 (by 1/(2γ)), but the \
            noise is scaled by 1/γ, so a difference still costs only ρ/(8KT_k), an eighth of the \
            claim. Under zero-out one sample is right, it is too small for γ < 1/4 (by 1/(4γ)), \
            and a difference costs ρ/(32KT_k).",
    },
    Note {
        id: "kl-lem-8-mech",
        theorem: &["kl-thm-1-priv"],
        effect: Effect::of(EffectKind::Wording),
        cause: "kl-misprint-budget",
        words: "A factor ρ is missing in the first claim, which the sum of the same proof has; as \
            printed it is true for ρ ≤ 1/2 (ρ ≤ 2 under zero-out). With ρ it fails for another \
            reason: kl-lem-8-mech-proof.",
    },
    Note {
        id: "kl-lem-8-mech-proof",
        theorem: &["kl-thm-1-priv"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "kl-one-sided-sensitivity",
        words: "Under replacement a gradient at the start of a round costs 2ρ/K, twice the claim \
            (ρ/(2K) under zero-out): with L_0/n for 2L_0/n, kl-lem-8-grad.",
    },
    Note {
        id: "kl-lem-8",
        theorem: &["kl-thm-1-priv"],
        effect: Effect::of(EffectKind::Wording),
        cause: "kl-ball-centre",
        words: "The lemma has a ball about w*, where Lemma 1 and Theorem 1 have w_0: read \
            literally, w_0 need not lie in it, and 6.3ρ is needed where 2ρ is claimed. With the \
            ball about w_0 the noisy values cost up to 9ρ/4 (at least 2.207ρ in the \
            counterexample); whether the output alone costs more than 2ρ is not known. Without the \
            second sample's gradient (zero-out) at most K rounds cost 9ρ/16.",
    },
    Note {
        id: "kl-lem-8-reading-ceil",
        theorem: &["kl-thm-1-priv"],
        effect: Effect::of(EffectKind::Privacy).edge("K < 9/32"),
        cause: "kl-real-rounds",
        words: "Under zero-out ⌈K⌉ rounds cost up to ⌈K⌉/K times the 9ρ/16 of at most K rounds, \
            which is at most 2ρ for K ≥ 9/32. For K < 1/4 the first gradient alone costs more: \
            ρ/(2K).",
    },
    Note {
        id: "kl-thm-1-priv",
        theorem: &["kl-thm-1-priv"],
        effect: Effect::of(EffectKind::Privacy)
            .worst(sizes::one_sided_worst)
            .realistic(sizes::one_sided),
        cause: "kl-one-sided-sensitivity",
        words: "Under replacement of a sample the noisy values cost 2ρ to 9ρ/4 at every n, where ρ \
            is claimed; Lemma 8, from which the theorem is read off, itself says 2ρ. The output \
            alone needs 1.138ρ by the sign of one coordinate; its direction shows nearly all of \
            2ρ, from which the ratios are computed (worst: ρ = 100, δ = 1/100). All noise larger \
            by the factor 3/2 restores ρ. Under zero-out the theorem holds as printed.",
    },
    Note {
        id: "kl-lem-2",
        theorem: &["kl-thm-1"],
        effect: Effect::of(EffectKind::ProofStep).edge("a floor of line 6 above F_0"),
        cause: "kl-floor-above-start",
        words: "No effect on ε. Where the floor of line 6 exceeds F_0 the errors are not bounded \
            as stated: the event has probability below 0.0995 where 1/2 is claimed. Theorem 1 \
            loses nothing there, because its bound then exceeds the initial gap; above the floor \
            the lemma holds with its constants.",
    },
    Note {
        id: "kl-lem-2-count",
        theorem: &["kl-thm-1"],
        effect: Effect::of(EffectKind::ProofStep).edge("a floor of line 6 above F_0"),
        cause: "kl-floor-above-start",
        words: "No effect on ε. Where the floor exceeds F_0, T_k = 1 and the sum is K = 100 where \
            20 is claimed; otherwise, for log(1/β′) ≥ 1/1024, it holds, with up to twice as many \
            passes of the loop.",
    },
    Note {
        id: "kl-thm-1-phase",
        theorem: &["kl-thm-1"],
        effect: Effect::of(EffectKind::UtilityConstant).worst(sizes::carried),
        cause: "kl-carry-index",
        words: "No effect on ε. Line 17 carries the iterate before the last: its excess stays \
            above Φ_1 in the counterexample, 10201/10000 where 1 is claimed. With the last iterate \
            the induction holds; with the printed carry it holds with (5/4)^κ times the bound.",
    },
    Note {
        id: "kl-thm-1-K",
        theorem: &["kl-thm-1"],
        effect: Effect::of(EffectKind::UtilityConstant).edge("K < 1"),
        cause: "kl-real-rounds",
        words: "No effect on ε. If the real K is rounded down the target can be missed, by a \
            factor e at most while K ≥ 1 (K = 1/2: no round at all); rounded up it is reached.",
    },
    Note {
        id: "kl-alg-2",
        theorem: &["kl-thm-2-priv", "kl-thm-2"],
        effect: Effect::of(EffectKind::Wording).edge("F_0 = 0"),
        cause: "kl-log-of-zero",
        words: "No effect on ε. F_0 = 0 is admitted, and line 1 takes its logarithm. For F_0 above \
            (γL_0√d/(n√ρ))^κ, L̃_1 > 0, and T rounded up, the algorithm runs.",
    },
    Note {
        id: "kl-thm-2-priv",
        theorem: &["kl-thm-2-priv"],
        effect: Effect::of(EffectKind::Privacy).edge("T < 1/2"),
        cause: "kl-real-rounds",
        words: "If T is rounded up and each round still gets ρ/T, the total is ρ·⌈T⌉/T, of which \
            Algorithm 4 spends half: more than ρ for T < 1/2 only. With at most T rounds, or ρ/⌈T⌉ \
            each, it is ρ.",
    },
    Note {
        id: "kl-lem-4",
        theorem: &["kl-thm-2"],
        effect: Effect::of(EffectKind::UtilityConstant)
            .edge("r ≥ 1, where the bound of Theorem 2 exceeds F_0"),
        cause: "kl-prox-radius",
        words: "No effect for r ≤ 1, the only range where Theorem 2 says anything. For r ≥ 1 a \
            subroutine with the accuracy of Lemma 3 can go (1 + r)(1 + z) times the step, where 1 \
            + r + z is claimed. For Algorithm 4 as subroutine the lemma holds with explicit \
            constants.",
    },
    Note {
        id: "kl-lem-4-proof-log",
        theorem: &["kl-thm-2"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "kl-log-with-beta",
        words: "No effect on ε. The logarithm that Appendix C.1 puts for that of T has log(1/β′) \
            in it and can be arbitrarily smaller. The lemma is proved without it \
            (kl-lem-4-repaired).",
    },
    Note {
        id: "kl-thm-2-prox",
        theorem: &["kl-thm-2"],
        effect: Effect::of(EffectKind::Wording),
        cause: "kl-misprint-prox",
        words: "No effect on ε. The proof equates F(w_t) with its regularised value (1/4 against \
            1/2 in the counterexample); the inequality F ≤ F_t is what is used, and (7), (8) hold.",
    },
    Note {
        id: "kl-thm-2-phase",
        theorem: &["kl-thm-2"],
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "kl-prox-accuracy",
        words: "No effect on ε. The induction uses that the exact proximal point has a large \
            excess, where only the computed point is known to: for κ = 4 the excess is 1/625 where \
            less than 1/1000 is claimed. It holds under a stronger accuracy, which for κ > 2 gives \
            the rate of κ = 2.",
    },
    Note {
        id: "kl-thm-2-T",
        theorem: &["kl-thm-2"],
        effect: Effect::of(EffectKind::ProofStep).edge("ω < 1"),
        cause: "kl-omega-below-one",
        words: "No effect on ε. T has no ω in its logarithm, the target has; for ω < 1 the target \
            can be missed. For ω ≥ 1 and T rounded up it is reached.",
    },
    Note {
        id: "kl-thm-2",
        theorem: &["kl-thm-2"],
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "kl-prox-accuracy",
        words: "No effect on ε. With Algorithm 4 as subroutine, the implementation the paper \
            gives, the excess is at least of order n^(−4κ/(κ−1)) with probability 2/5 where n^(−κ) \
            is claimed, which is false for every κ > 5; the accuracy of Lemma 3 alone does not \
            give the rate either. What is left for κ > 2 is of the order \
            (γL_0√d/(n√ρ))²F_0^((κ−2)/κ). Whether some subroutine does better is open. The last \
            line of the induction also drops the constant 32 of its floor, which the O of the \
            theorem covers. At κ = 2 the ball with the radius of Algorithm 4 leaves it no start \
            above e^(1/8)(γL_0√d/(n√ρ))² (kl-thm-2-ball).",
    },
    Note {
        id: "kl-thm-8-inst",
        theorem: &["kl-thm-8"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "kl-sharp-instance",
        words: "No effect on ε (a lower bound). The printed losses are not 1-Lipschitz on R (they \
            differ by 9/2 over a length of 1), the second minimum is (1 − q)a, and the growth \
            fails far from the minimisers. Piecewise linear losses have what the proof needs.",
    },
    Note {
        id: "kl-thm-8-chain",
        theorem: &["kl-thm-8"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "kl-sharp-instance",
        words: "No effect on ε (a lower bound). The display loses a factor 2: a constant output \
            gives 1/8 where 1/4 is claimed.",
    },
    Note {
        id: "kl-alg-3",
        theorem: &["kl-thm-3", "kl-thm-4"],
        effect: Effect::of(EffectKind::Wording).edge("n√ρ < β"),
        cause: "kl-log-negative",
        words: "For n√ρ < β the logarithm Λ is negative and its root undefined; the norm, a \
            number, receives d-dimensional noise, which can be read as scalar noise on the norm or \
            as noise inside it; the test reads a charge that is not set yet. The effect on ε of \
            the scalar reading is that of Theorem 3.",
    },
    Note {
        id: "kl-thm-3-round",
        theorem: &["kl-thm-3"],
        effect: Effect::of(EffectKind::Privacy)
            .worst(sizes::round)
            .apart("kl-thm-3-round-reading-zero-out", sizes::round_zero_out),
        cause: "kl-unbounded-loss",
        words: "A noisy norm N_t < 0 is charged by its square although the noise is then at its \
            floor: a round costs ρ/2 (ρ/8 under zero-out) and can be charged √ρ/n and little more, \
            a ratio up to n√ρ/2 (n√ρ/8). The size, of ε and under replacement, is that of one \
            round given N_t one deviation below 0, in one dimension at n = 60,000 and ε = 1 (7.9 \
            under zero-out; of ρ it is 245); for the algorithm see Theorem 3. For N_t > 0 a round \
            costs up to twice its charge under replacement. With the noise inside the norm the \
            charge holds under zero-out; with the charge at its cap for N_t ≤ 0 a round costs at \
            most twice it.",
    },
    Note {
        id: "kl-thm-3-round-proof",
        theorem: &["kl-thm-3"],
        effect: Effect::of(EffectKind::Wording),
        cause: "kl-misprint-equality",
        words: "No effect on ε by itself. The last = is a ≤, which holds for N_t > 0 and is on the \
            safe side: at its floor the noise gives ρ/4, not ρ/2.",
    },
    Note {
        id: "kl-thm-3",
        theorem: &["kl-thm-3"],
        effect: Effect::of(EffectKind::Privacy).worst(|| sizes::signs(1)),
        cause: "kl-unbounded-loss",
        words: "With scalar noise on the norm a round with N_t < 0 is charged by the square of N_t \
            and released at the floor. The loss is unbounded: the signs of 4001 steps need at \
            least 22.55ρ at n = 10¹⁸ + 1 under either relation (worst ratio, at δ = 1/100), and \
            under replacement the noisy values no less than (n√ρ/4)ρ if all orders count, 1581ρ at \
            n = 60,001. At n = 60,000 and ε = 1 the noisy values need 2.58 times the ε in one \
            dimension; the iterates alone show less, and dimensions of 100 and more hardly any. \
            With the charge at its cap, or with the noise inside the norm, the theorem holds under \
            zero-out; with the cap and under replacement the iterates cost ρ + 2√ρ/n.",
    },
    Note {
        id: "kl-mech-t",
        theorem: &["kl-thm-5"],
        effect: Effect::of(EffectKind::Wording).edge("n√ρ < 2, where the run ends at T = 0"),
        cause: "kl-misprint-draw",
        words: "No effect on ε. The proof draws t* from 1, …, T, which is empty if the run ends at \
            T = 0; the theorem draws from 0, …, T.",
    },
    Note {
        id: "kl-thm-5-priv",
        theorem: &["kl-thm-5-priv"],
        effect: Effect::of(EffectKind::Privacy).worst(|| sizes::signs(2)),
        cause: "kl-unbounded-loss",
        words: "Read as in Appendix D.6, where all iterates are released: these need at least \
            22.55ρ where 2ρ is claimed, for the charge of N_t < 0, as in Theorem 3; at n = 60,000 \
            and ε = 1 the noisy values need 1.61 times the ε. Read with the output w_{t*} alone, \
            as the utility part of the theorem suggests, the claim is neither proved nor refuted. \
            The draw itself is (√ρ, 0)-DP under zero-out only (a loss of 1.891√ρ under \
            replacement), yet (ρ/2)-zCDP under both. With the noise inside the norm 2ρ holds under \
            zero-out, with the charge at its cap and n√ρ ≥ 4 under both.",
    },
    Note {
        id: "kl-alg-4",
        theorem: &["kl-thm-9-priv", "kl-thm-9"],
        effect: Effect::of(EffectKind::Wording),
        cause: "kl-misprint-start",
        words: "No effect on ε. The first point is read and never assigned, and the gradient is \
            printed at w; with w_1 = w_0 and the gradient at w_t the algorithm runs.",
    },
    Note {
        id: "kl-thm-9-noise",
        theorem: &["kl-thm-9"],
        effect: Effect::of(EffectKind::ProofStep).edge("d = 1"),
        cause: "kl-gaussian-tail",
        words: "No effect on ε. The bound on the noise lacks a constant: for d = 1 and T = 101 it \
            holds with probability 0.8486 where 0.995 is claimed. With a factor 2 it holds.",
    },
    Note {
        id: "kl-lem-10",
        theorem: &["kl-thm-4", "kl-thm-5"],
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "kl-gaussian-tail",
        words: "No effect on ε: the noise is drawn as stated. The bounds of the lemma lack \
            constants: on one run of slope 1 all norms obey them with probability at most 0.013 \
            where 0.98 is claimed. The norms fail in every dimension that n is large against; that \
            of the gradients is refuted for d = 1. With √2b for b and a factor 2 on the gradients \
            they hold.",
    },
    Note {
        id: "kl-lem-10-floor",
        theorem: &["kl-thm-3", "kl-thm-4"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "kl-floor-crossing",
        words: "No effect on ε by itself. The noise reaches its floor at a larger N_t than the \
            charge its cap. In between a round at the floor is charged as little as ρ/4, so it \
            need not be the last; the second such round is.",
    },
    Note {
        id: "kl-lem-11",
        theorem: &["kl-thm-4"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "kl-floor-crossing",
        words: "No effect on ε. As the second part of Lemma 10: a round at the floor need not be \
            the last. The bound on the excess at such a round holds with explicit constants. \
            Appendix D.5 puts L_0/(n√ρ) for the floor 2L_0/(n√ρ), and says that ρ_t > ρ there; ρ_t \
            is at most ρ/2 + √ρ/n, which is enough to stop.",
    },
    Note {
        id: "kl-lem-12-descent",
        theorem: &["kl-thm-4", "kl-thm-5"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "kl-gaussian-tail",
        words: "No effect on ε. With the printed noise and small d the error can be as large as \
            the gradient and the step then gains nothing: all steps obey (9) with probability at \
            most 3.81·10⁻¹⁸ on one run with d = 1; on linear losses it fails for d ≤ 3 and n \
            large. For d ≥ 32 and Λ ≥ 16 it holds as printed; a quarter of the noise, at 16 times \
            the charge, restores it for every d. The proof has G²/4 for 3G²/8 + ⟨G, e⟩/4 in its \
            second line and loses Gb/4 in its third. It takes 1 − β from Lemma 10, and Appendix \
            D.6 from Lemma 12, which both give 1 − 2β.",
    },
    Note {
        id: "kl-lem-12-quote",
        theorem: &["kl-thm-5"],
        effect: Effect::of(EffectKind::Wording),
        cause: "kl-misprint-descent",
        words: "No effect on ε. Lemma 12 displays the loss b²/L_1; its proof, and Appendix D.6 \
            where it quotes (9), have b²/(8L_1), from which (16) follows.",
    },
    Note {
        id: "kl-lem-12-mono",
        theorem: &["kl-thm-4"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "kl-descent-error",
        words: "No effect on ε. Given (9) as displayed and ‖e‖ ≤ G + b, for γ² = ½ the excess \
            grows from 1.90 to 2.398 where 2 is allowed; with the loss b²/(8L_1) of the proof and \
            L_1 ≤ 1 the display holds. Given the repaired (9) it holds with 9/8 for 2 and min{L_1, \
            1} for L_1. (11) needs L_1 < 1 to follow from (10).",
    },
    Note {
        id: "kl-lem-13",
        theorem: &["kl-thm-4"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "kl-descent-error",
        words: "No effect on ε. Under the printed (9) a run can rest: the excess stays 7.84 where \
            6.97 is claimed for every K; with the loss b²/(8L_1) that Appendix D.6 quotes it fails \
            for K = 1. With the repaired (9) and twice as many steps the lemma holds. Two lines of \
            its proof fail by themselves: the summand of (13) and its half.",
    },
    Note {
        id: "kl-lem-13-proof-last",
        theorem: &["kl-thm-4"],
        effect: Effect::of(EffectKind::Wording),
        cause: "kl-misprint-equality",
        words: "No effect on ε. The last = is a ≤, which holds and is enough: 1 − 1/(2cγ²L_1) is \
            less than 1/c.",
    },
    Note {
        id: "kl-thm-4-phases",
        theorem: &["kl-thm-4"],
        effect: Effect::of(EffectKind::Wording),
        cause: "kl-phase-index",
        words: "No effect on ε. K_1 is defined as the last index with excess at least Φ_0/c, and \
            so has an excess of Φ_0, not at most 4/5·Φ_0, in the counterexample. A phase that \
            begins at the next index has the claimed bound.",
    },
    Note {
        id: "kl-thm-4-budget",
        theorem: &["kl-thm-4"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "kl-norm-budget",
        words: "No effect on ε. The noisy norm is at least the norm less b, not the root of the \
            difference of squares: 1 is to be at most 4/15. With 4 for 2 the bound by the gradient \
            holds for gradients of 2b and more, which (14) gives at κ = 1 alone. The proof also \
            lets the algorithm stop at ρ, where the test has ρ/2, so that norms alone can end a \
            run of n√ρ/2 rounds, and takes a phase to be shorter than Lemma 13 says.",
    },
    Note {
        id: "kl-thm-4",
        theorem: &["kl-thm-4"],
        effect: Effect::of(EffectKind::UtilityRate).edge("p_max ≈ 0"),
        cause: "kl-bracket-near-zero",
        words: "No effect on ε. p_max is a multiple of a bracket that has no floor and may be as \
            near to 0 as one likes. At κ = 1 the first and the third term vanish there and the \
            second is below the excess by a factor of the order of √(n√ρ/Λ): a run of n√ρ/2 rounds \
            does not come down from where it starts. For a bracket below 0 the display has the \
            root of a negative number. The second display, Õ with the problem's constants fixed, \
            is not touched: in the counterexample L_0 is of the order of n^(−2). With max{1, ·} \
            for the bracket the bound is neither proved nor refuted (kl-thm-4-floor): steps of its \
            proof fail with the printed noise (kl-lem-10, kl-lem-12-descent, kl-lem-13, \
            kl-thm-4-budget) and hold with a quarter of it, (9) for d ≥ 32 also as printed. The \
            corrected theorem has no p_max.",
    },
    Note {
        id: "kl-thm-4-rate-intro",
        theorem: &["kl-thm-4"],
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "kl-rate-two-terms",
        words: "No effect on ε. The rates follow from Theorem 4's bound. That the rate for κ = 2 \
            is the optimal d/(n²ρ) holds for d ≥ n√ρ; for d = 1 the two differ by the factor 1 + \
            n√ρ.",
    },
    Note {
        id: "kl-lem-5",
        theorem: &["kl-thm-4"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "kl-valley-minimum",
        words: "No effect on ε. The threshold α has the global minimum, the KL condition on S the \
            minimum over S. For a start at the minimum of the higher of two wells S is the start \
            alone, and w_1 is outside S with probability above 0.995, in every dimension that n is \
            large against, where at most 2/100 is claimed. Appendix D.4 recalls α with the minimum \
            over S. With that, too, the first step of a one-dimensional Huber loss leaves S with a \
            probability of the order of √(β/(n√ρ)) up to logarithms, because the noise reaches the \
            norm itself at √Λ deviations (as in Lemma 10): 2·10⁻²⁰ where 2·10⁻³⁰ is claimed, for n \
            = 10⁶ and β = 10⁻³⁰. That is for β small against 1/(n√ρ) and d = 1 only. With α \
            counted from the minimum over the valley, and a quarter of the noise, the iterates \
            stay. The proof also has (γb²)^(κ/2) where KL gives (γ²b²)^(κ/2). Its two cases do not \
            hold as displayed: the ball is larger than the display allows by the factor 1/L_1, the \
            second case asks for b² where b is needed, and 1/4 stands for 1/8.",
    },
    Note {
        id: "kl-thm-5-T",
        theorem: &["kl-thm-5"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "kl-missing-branch",
        words: "No effect on ε. The displayed sum of charges counts √ρ/(2n) for √ρ/n and T rounds \
            for T + 1 (0.25ρ against 0.75ρ in the counterexample), and its second line takes noisy \
            norms to be at least the least true one; two later constants do not follow either \
            (15/17 is to be at least 5/4; 3 stands for 4). The repaired bound has explicit \
            constants, for a quarter of the noise.",
    },
    Note {
        id: "kl-thm-5",
        theorem: &["kl-thm-5"],
        effect: Effect::of(EffectKind::UtilityRate)
            .worst(sizes::far_start_worst)
            .realistic(sizes::far_start_realistic),
        cause: "kl-missing-branch",
        words: "No effect on ε. The bound lacks a term √(F_0L_1/(n√ρ)), because one branch of a \
            minimum is inserted into (16): a run cannot move further than its number of rounds \
            allows, so for a start far away all gradients stay L_0 while the bound tends to 0. It \
            matters where F_0L_1 exceeds dL_0². The sizes are L_0 over the printed display with \
            its constants, at n√ρ = 10¹² and at n = 60,000, where those constants still cover it; \
            for fixed F_0, L_1 and L_0 the missing term is of the order of the last one in n and \
            ρ, so that the start of the counterexample moves away as n grows. With that term, and \
            a quarter of the noise, it holds with explicit constants. The last display has no cost \
            of the draw in one entry of its minimum, and drops Λ^(1/4) and √Λ in its last line.",
    },
    Note {
        id: "kl-thm-5-best",
        theorem: &["kl-thm-5"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "kl-best-case",
        words: "No effect on ε. The number of rounds follows if all noisy norms lie within fixed \
            bounds and none is charged at the cap. With most of them it does not: a run can end at \
            the bottom, where a noisy norm is charged at the cap with a probability of the order \
            of √(Λ/(n√ρ)) in each round for d = 1. On a Huber loss 400√(n/Λ) steps from its bottom \
            more than nine tenths of the gradients are L_0, and yet the run has O(√(n/Λ)) rounds, \
            with probability above 0.53. F_0 grows like √n up to logarithms there: L_0, L_1, ρ, d \
            and β do not. Where all noisy norms are Ω(1), which is probably what is meant, the \
            sentence holds. For n large against F_0 and L_1 there is no run on which (16) holds, \
            all noisy norms are at least g, and most gradients, too.",
    },
    Note {
        id: "kl-thm-9",
        theorem: &["kl-thm-9"],
        effect: Effect::of(EffectKind::UtilityConstant).edge("n = d = 1, β ≈ 0.8 and ρ ≈ 12"),
        cause: "kl-log-without-rho",
        words: "No effect on ε, and an edge. T contains ρ, the logarithm of (17) does not: as \
            n²log²(2/β)/(dβ) tends to 1 the bound tends to 0, which the risk does not follow. For \
            ρ ≤ 1/4 and T ≥ 1 (17) holds with the constant 1101, for all ρ with log(2T/β) in place \
            of the logarithm.",
    },
    Note {
        id: "kl-thm-9-proof-probability",
        theorem: &["kl-thm-9"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "kl-failures-added",
        words: "No effect on ε. The norms fail with probability β/2 and the sum with β, together \
            more than β, for every β; with β/2 for both the claim holds.",
    },
    Note {
        id: "kl-thm-9-proof-weights",
        theorem: &["kl-thm-9"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "kl-weights-dropped",
        words: "No effect on ε. The display drops the weights t of the average; without them it \
            fails for biased noise.",
    },
    Note {
        id: "kl-thm-1",
        theorem: &["kl-thm-1"],
        effect: Effect::of(EffectKind::UtilityConstant).edge("β → 1"),
        cause: "kl-beta-to-one",
        words: "No effect on ε. No restriction on β is printed, and the bound tends to 0 as β \
            tends to 1, which no run follows: at 1 − β = 1/102500 the risk is at least 40 times \
            the bound. For β ≤ 1/3 and K rounded up it holds with the constant 40 for 32, printed \
            noise and carry included; with the noise that privacy needs, with 48. On the ball of \
            Lemma 1 at F_0 = (γL_0)^κ it speaks only of a w_0 whose excess is at most \
            (γL_0(√d/(n√ρ))^16)^κ (kl-thm-1-note-ball).",
    },
    Note {
        id: "kl-thm-1-note-ball",
        theorem: &["kl-thm-1"],
        effect: Effect::of(EffectKind::Empty),
        cause: "kl-ball-with-slope",
        words: "No effect on ε. (γL_0)^κ always bounds the initial excess, but the radius grows \
            with F_0, and KL* on a ball makes the slope grow on the way up from w_0. With the \
            radius that the proof of Lemma 1 gives, an L_0-Lipschitz loss can have KL* on the ball \
            at F_0 = (γL_0)^κ only if the excess of w_0 is at most (γL_0(√d/(n√ρ))^16)^κ, which is \
            below the bound of the theorem where K·log(1/β′) is 1 or more: w_0 itself would do. Of \
            a smaller radius within the Õ nothing is said. At a smaller F_0 there are instances: a \
            quadratic with F_0 its initial excess, in the check.",
    },
    Note {
        id: "kl-thm-2-ball",
        theorem: &["kl-thm-2"],
        effect: Effect::of(EffectKind::Empty),
        cause: "kl-ball-with-slope",
        words: "No effect on ε. With the radius that Algorithm 4 gives, a loss that is \
            L_0-Lipschitz and KL* at κ = 2 on the ball has F_0 below e^(1/8)(γL_0√d/(n√ρ))², which \
            is below 1.134 times the bound of the theorem without its constant where T and ω are 1 \
            or more; where T is below 1 no round is run. Of a smaller radius within the Õ nothing \
            is said.",
    },
    Note {
        id: "kl-thm-6",
        theorem: &["kl-thm-6", "kl-cor-1"],
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "kl-large-ball",
        words: "No effect on ε (a lower bound). For B ≥ (L_0/λ^τ)^(1/(τ−1)) every admissible \
            instance has its minimum at the centre of the ball, so that returning the centre of \
            the set that the algorithm is given has no excess. On a ball that just holds the \
            minimisers (for τ = 2 up to B = L_0/(4λ²)) it holds with the constant 3/2048, for n of \
            the order of d/ε and more and δ ≤ ε/24, for τ > 2 with growth on the ball only; on \
            other small balls, L_1 not too small, with smaller constants. Read with W, w_0 and f \
            known to the algorithm; of one that is given the dataset alone, a translation makes \
            any such bound true and empty (kl-thm-6-reading-dataset-alone). By the growth of \
            Section 2, from one minimiser, no f is admissible for B > (L_0/λ^τ)^(1/(τ−1)), and the \
            theorem fails in either reading.",
    },
    Note {
        id: "kl-thm-6-red",
        theorem: &["kl-thm-6", "kl-cor-1"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "kl-growth-reduction",
        words: "No effect on ε (a lower bound). The growth constant of the construction is stated \
            too large (93.7 where the excess is 33.3; without the factor 2^(τ−2) it holds), D has \
            L_1/c_2 where c_2/L_1 is needed for the smoothness that is claimed, and Δ lacks the \
            exponent τ/(τ − 1), without which the last step does not follow. The repaired lower \
            bound is proved without the reduction. The last step also drops the number k of \
            rounds, a logarithm of nε, which the Ω of Theorem 6 does not cover; the Ω̃ with which \
            Appendix B.5 and Corollary 1 restate it does.",
    },
    Note {
        id: "kl-thm-6-const",
        theorem: &["kl-thm-6", "kl-cor-1"],
        effect: Effect::of(EffectKind::Wording),
        cause: "kl-growth-constants",
        words: "No effect on ε (a lower bound). c_2 is twice and c_3 half of what their displays \
            give; the displays are on the safe side.",
    },
    Note {
        id: "kl-cor-1",
        theorem: &["kl-cor-1"],
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "kl-large-ball",
        words: "No effect on ε (a lower bound). As Theorem 6: for B > 2γ(γL_0)^(κ−1)κ/(κ−1) the \
            start w_0 is a minimiser of every admissible instance. The print adds that the bound \
            is independent of B and L_1; on a ball that just holds the minimisers (for κ = 2 up to \
            B = γ²L_0) it holds without a logarithm, with the constant 3/512, for n of the order \
            of d/√ρ and more and ρ ≤ 1/4, for κ < 2 with KL on the ball only; on other small balls \
            with one. Read as Theorem 6.",
    },
    Note {
        id: "kl-thm-7",
        theorem: &["kl-thm-7"],
        effect: Effect::of(EffectKind::UtilityConstant).edge("n = 1"),
        cause: "kl-one-record",
        words: "No effect on ε (a lower bound). One record and δ near 1 allow to return the \
            minimiser with probability δ. For n ≥ 2 the bound holds with the constant 1/26400; for \
            n of the order of d/ε and more, δ ≤ ε/24 and outputs in the ball with 9/256.",
    },
    Note {
        id: "kl-thm-7-inst",
        theorem: &["kl-thm-7"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "kl-huber-extension",
        words: "No effect on ε (a lower bound). The outer part of H has slope 4D where the inner \
            one ends with 8D, so H is not convex (16 against 29/2 at a midpoint). With 8D‖w‖ − \
            16D² the instance has all stated properties.",
    },
    Note {
        id: "kl-thm-7-dist",
        theorem: &["kl-thm-7"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "kl-minimum-misplaced",
        words: "No effect on ε (a lower bound). For √d > nε the distance claimed, Ω(√d·D/(nε)), is \
            more than the constant output 0 has, at most D. With Ω(D) for both values of N \
            (kl-red-mean, of the square) the display that follows is reached.",
    },
    Note {
        id: "kl-thm-7-gap",
        theorem: &["kl-thm-7"],
        effect: Effect::of(EffectKind::Wording),
        cause: "kl-half-lambda",
        words: "No effect on ε (a lower bound). A factor 2 is lost: λ is N·L_0/(2nD). Theorem 7 \
            has an unnamed constant, which absorbs it.",
    },
    Note {
        id: "kl-thm-8",
        theorem: &["kl-thm-8"],
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "kl-large-ball",
        words: "No effect on ε (a lower bound). As Theorem 6: on a ball of radius 2 and more a \
            1-Lipschitz (1, κ)-KL risk has its minimum at the centre, where W is known to the \
            algorithm. The bound holds for B ≤ ½(2⌈1/(2ε)⌉/n)^(κ−1) and n ≥ 2⌈1/(2ε)⌉; with the KL \
            condition asked on W alone, and a W that depends on the dataset and is hidden from the \
            algorithm, it holds for all B.",
    },
    Note {
        id: "kl-thm-4-rate-eps",
        theorem: &["kl-thm-4"],
        effect: Effect::of(EffectKind::Wording),
        cause: "kl-misprint-intro",
        words: "No effect on ε. Section 1.1 prints the second term of the rate as (1/n)^(κ/2), \
            Theorem 4 has (1/(n√ρ))^(κ/2): the ratio is (1/ε)^(κ/2).",
    },
    Note {
        id: "kl-thm-4-rate-slow",
        theorem: &["kl-thm-4"],
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "kl-rate-two-terms",
        words: "No effect on ε. Section 1.1 drops the second term of the rate, which for d = 1 is \
            the larger one: at κ = 1 the rate is (1/(n√ρ))^(1/2), not (1/(n√ρ))^(2/3). For d ≥ \
            (n√ρ)^(1/2) the sentence holds at κ = 1. The Abstract says the same of the algorithm. \
            With the charge at its cap for N_t ≤ 0 that is false at κ = 2 and d = 1: the excess is \
            at least of the order of 1/n up to logarithms, not 1/n². With the charge as printed it \
            was simulated only, and is not proved. Theorem 4 itself has the term, and for d ≥ n√ρ \
            nothing is claimed false.",
    },
    Note {
        id: "kl-thm-5-rate-intro",
        theorem: &["kl-thm-5"],
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "kl-rate-two-terms",
        words: "No effect on ε. Section 1.1 drops the term 1/(√n·ρ^(1/4)) of the best case of \
            Theorem 5, which for d = 1 is larger than √d/(n√ρ) by the factor (n√ρ)^(1/2). For d ≥ \
            n√ρ the sentence holds, and so does the Abstract's \"as fast as\".",
    },
    Note {
        id: "kl-par-alg-2",
        theorem: &["kl-thm-2"],
        effect: Effect::of(EffectKind::Wording),
        cause: "kl-misprint-convexity",
        words: "No effect on ε. Appendix C.2 defines c with L_1, which Section 4 does not have, \
            and uses it with L̃_1; with L̃_1 in both places the induction ends as stated.",
    },
    Note {
        id: "kl-lem-10-last",
        theorem: &["kl-thm-4"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "kl-gaussian-tail",
        words: "No effect on ε. The last bound of Lemma 10 has half the noise of the floor, \
            2L_0/(n√ρ), and no constant for its tail: in one run with n = 100, d = 1 it fails with \
            probability above 0.015 where 0.0002 is allowed. With the factor 4 it holds.",
    },
    Note {
        id: "kl-lem-11-rate",
        theorem: &[],
        effect: Effect::of(EffectKind::Wording),
        cause: "kl-misprint-faster",
        words: "No effect on ε. The two powers are equal at κ = 2, where nothing is strictly \
            faster; the theorem meant is the fourth, not the second.",
    },
    Note {
        id: "kl-thm-4-long",
        theorem: &["kl-thm-4"],
        effect: Effect::of(EffectKind::Wording),
        cause: "kl-misprint-long-run",
        words: "No effect on ε. The summary at the end of the proof drops a factor 2 under the \
            power κ/(2 − κ), which is unbounded as κ tends to 2; the display before it has the \
            factor.",
    },
];
