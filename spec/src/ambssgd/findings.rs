//! What of ambssgd does not hold as printed: `dp-assay ledger --findings --paper ambssgd`, and `paper ambssgd --erratum` with
//! counterexamples and repairs.

use super::theorem::noise_walks_by;
use super::two_points::shortfall;
use crate::findings::{Effect, EffectKind, Note};

const PRIVACY: &[&str] = &["ambssgd-thm-3.6-zcdp", "ambssgd-thm-3.6-cal"];
const FIRST: &[&str] = &["ambssgd-thm-3.2"];
const SECOND: &[&str] = &["ambssgd-thm-3.7"];
const BOTH: &[&str] = &["ambssgd-thm-3.2", "ambssgd-thm-3.7"];

/// 8σ²d/N against two values of w*, at d = 1; failure probabilities of N^{−100} are not realistic.
const TWO_POINTS: Effect = Effect::of(EffectKind::UtilityRate).worst(shortfall);

/// What is said of each statement beyond its verdicts.
pub const NOTES: [Note; 47] = [
    Note {
        id: "ambssgd-fact-Rx-gauss",
        theorem: BOTH,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "rx-fourth-moment",
        words: "No effect on ε. For normal records R_x² is d + 2, not d; where a parameter or a \
            rate is stated through d for R_x² it is off by the factor (d + 2)/d. Theorems 3.2 and \
            3.7 restate R_x by E‖x‖² ≤ R_x² only; so read, R_x² = d is right, but the proofs use \
            the fourth moment.",
    },
    Note {
        id: "ambssgd-fact-Rx-dH",
        theorem: BOTH,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "rx-fourth-moment",
        words: "No effect on ε. R_x² is a fourth moment, which the second moment does not bound: \
            100 against 1 in the counterexample, which satisfies the repaired tail assumption with \
            a larger K_2. For normal records the inequality holds with d + 2 for d, and so does \
            the power of d in the rates. With E‖x‖² = Tr(H) for R_x², as Theorems 3.2 and 3.7 \
            restate it, it holds as printed.",
    },
    Note {
        id: "ambssgd-fact-tail-gauss",
        theorem: BOTH,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "tail-constant",
        words: "No effect on ε. Scalar normal noise misses (2) by the constant in the exponent: \
            the tail is 8.4·10⁻¹⁷ where 7.9·10⁻³¹ is allowed; and no law satisfies (3). With the \
            factor K_2², 2/β for 1/β, and 2 in (3), normal laws satisfy both.",
    },
    Note {
        id: "ambssgd-cost",
        theorem: &[],
        effect: Effect::of(EffectKind::Wording)
            .edge("d = o(log N), if residuals are compared anew at every level"),
        cause: "cost-levels",
        words: "No effect on ε. DP-STAT tries up to 200·log_2 N levels, so the cost carries a \
            further factor of order log N; counting by sorting residuals into the levels once \
            removes it.",
    },
    Note {
        id: "ambssgd-lem-A.1",
        theorem: &["ambssgd-thm-3.1"],
        effect: Effect::of(EffectKind::Privacy)
            .edge("ε_0 ≥ 8.5 (for δ_0 = 10⁻⁵), where the theorem uses ε_0 ≤ ½"),
        cause: "classical-gaussian-range",
        words: "The classical scale is for ε_0 ≤ 1, a range the lemma does not print. At ε_0 = 10 \
            and δ_0 = 10⁻⁵ the step has δ of at least 2.26·10⁻⁵. Theorem 3.1 uses the lemma for \
            ε_0 ≤ ½ only, where it holds.",
    },
    Note {
        id: "ambssgd-eq-7",
        theorem: &["ambssgd-thm-3.1"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "amplification-algebra",
        words: "The coefficient ½ of the first term must be at least 1, and 3/2 suffices: at ε_0 = \
            ½, N = 10⁴, log(1/δ) = 25 the left side is 0.0253 where 0.0126 is printed. ε̂ is \
            understated by a factor of 2 to 3, which the unnamed constant of Theorem 3.1 absorbs.",
    },
    Note {
        id: "ambssgd-eq-8-9",
        theorem: &["ambssgd-thm-3.1"],
        effect: Effect::of(EffectKind::Wording),
        cause: "amplification-algebra",
        words: "In (9) the constant c_2 stands in the numerator for the denominator, which the \
            unnamed constant of Theorem 3.1 absorbs. (8) follows from (7): it drops 2/N, which the \
            condition of the amplification theorem allows for δ ≤ 0.98.",
    },
    Note {
        id: "ambssgd-eq-11",
        theorem: FIRST,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "log-poly",
        words: "No effect on ε: clipping bounds the sensitivity whatever ζ is. For β = N^(−100) \
            the logarithm of 1/β is 100 times that of N; the factor is dropped, so the printed ζ \
            clips more often than claimed. With β = 1/N, also 1/poly(N), the printed equality \
            holds, but not the probability 1 − N^(−100) of the lemma.",
    },
    Note {
        id: "ambssgd-eq-15-17",
        theorem: FIRST,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "geometric-3",
        words: "No effect on ε. 1/(1 − e^(−ημ)) is replaced by 3, which needs ημ ≥ log(3/2): at \
            e^(−ημ) = 9/10 it is 10.",
    },
    Note {
        id: "ambssgd-eq-18",
        theorem: FIRST,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "tail-constant",
        words: "No effect on ε. The Gaussian tail lacks a constant: for one dimension the \
            probability is 2.4·10⁻³ where 10⁻⁴ is claimed. (8/3)·log(2/β) for log(1/β) suffices.",
    },
    Note {
        id: "ambssgd-eq-24-25",
        theorem: FIRST,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "geometric-3",
        words: "No effect on ε. As (15)–(17): 1/(1 − e^(−ημ)) is replaced by 3, and is 10 at \
            e^(−ημ) = 9/10.",
    },
    Note {
        id: "ambssgd-eq-28",
        theorem: FIRST,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "log-poly",
        words: "No effect on ε. As in (11) log(1/β̃) is replaced by log N although β̃ is N^(−100): \
            the square of one term is 2·10⁶ where the bound gives 4.",
    },
    Note {
        id: "ambssgd-lem-A.9",
        theorem: FIRST,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "tail-empty",
        words: "No effect on ε: clipping bounds the sensitivity whatever ζ is. Empty with \
            Definition 2.1; with 2 for 1 in (3) it is refuted, as log(1/β) = 100·log N for β = \
            N^(−100): at N = 100 the first gradient is 455 with probability N^(−99), while ζ is \
            30. (20) holds for the normal noise for which it is printed; the lemma does not assume \
            normal noise. With a repaired tail assumption and normal z it holds for a larger ζ and \
            a smaller η, both stated in the repaired claim.",
    },
    Note {
        id: "ambssgd-eq-5-6",
        theorem: FIRST,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "rx-fourth-moment",
        words: "No effect on ε. The first term replaces R_x²‖w*‖² by d‖w*‖²_H, which is less for \
            normal records. The printed 128 of the privacy term is not decided; what the \
            derivation gives, and the repaired claim states, is 256.",
    },
    Note {
        id: "ambssgd-thm-3.2",
        theorem: FIRST,
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "tail-empty",
        words: "No effect on ε. Empty with Definition 2.1, where (3) has 1 for a 2. With a tail \
            assumption that laws satisfy, the printed derivation bounds the expected risk on the \
            event that nothing is clipped, so the risk by (e_1 + e_2)/β with probability 1 − β − \
            N^(−100); the printed bound with probability 1 − N^(−100) is neither proved nor \
            refuted then. The corrected privacy term has log(2N^103) for log N in (6): at N = \
            60,000 and for normal records 5.7·10⁴ times as much, a constant that the Õ of the \
            theorem would hide. That N is large enough for the first term of (6) to be the \
            smallest is refuted, with 1 and with 10 for the constants that Ω and Õ leave unnamed; \
            others, and a higher power of log N than the fifth, need a larger d: the first term \
            grows like d, the others like powers of log N.",
    },
    Note {
        id: "ambssgd-thm-3.2-rate",
        theorem: FIRST,
        effect: Effect::of(EffectKind::Wording),
        cause: "half-in-risk",
        words: "No effect on ε. The risk is defined with the factor ½. The first term of the \
            display, σ²d/N, is twice the risk of least squares for large N, as printed; the first \
            term of (6), 2σ²d/N, is 4 times that.",
    },
    Note {
        id: "ambssgd-rem-error-sigma",
        theorem: FIRST,
        effect: Effect::of(EffectKind::Wording),
        cause: "error-with-sigma",
        words: "No effect on ε. A remark calls the error independent of σ; the privacy term of the \
            display has ‖w*‖²_H + σ². What the remark concludes holds: it is not 0 at σ = 0.",
    },
    Note {
        id: "ambssgd-cor-3.3-util",
        theorem: FIRST,
        effect: Effect::of(EffectKind::UtilityRate).worst(noise_walks_by),
        cause: "step-without-noise",
        words: "No effect on ε: the privacy part is that of Theorem 3.1. Theorem 3.2 divides η by \
            α², the corollary takes 1/(4d) whatever α is. With the least ε that its sample size \
            admits, d·log²d·log(1/δ)/N but for a constant, the noise of the run outweighs all its \
            clipped gradients with a probability that does not fall with N, and the excess grows \
            like N² where a constant is claimed (the figure: ε = 5·10⁻¹⁰ at N = 10¹²). For ε of \
            the order of √(log(1/δ)/N) nothing is decided. That R_x² is d for normal records is a \
            wrong remark beside it, and N ≥ d²·log(ε/log(1/δ)) asks for nothing where ε ≤ \
            log(1/δ).",
    },
    Note {
        id: "ambssgd-def-2.1",
        theorem: BOTH,
        effect: Effect::of(EffectKind::Wording),
        cause: "tail-empty",
        words: "No effect on ε. E[exp(Y)] ≤ 1 with Y ≥ 0 forces Y = 0, so no law with μ > 0 \
            satisfies (3); with 2 on the right side (and the factor K_2² in (2)) normal laws do. \
            Every utility theorem assumes the definition; no privacy theorem does.",
    },
    Note {
        id: "ambssgd-def-clip",
        theorem: PRIVACY,
        effect: Effect::of(EffectKind::Wording),
        cause: "clip-max",
        words: "If gradients were clipped as the appendix prints it (max for min), those longer \
            than ζ would pass unchanged and no finite ε would hold. Section 1.1 and the algorithms \
            print min, for which the sensitivities hold; ε is not affected.",
    },
    Note {
        id: "ambssgd-lem-A.1-sens",
        theorem: &["ambssgd-thm-3.1"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "sens-display",
        words: "No effect on ε. The displayed inequality bounds a distance by one of its two terms \
            (9/10 against 1/5 in the counterexample); the triangle inequality gives the same \
            sensitivity 2ηζ.",
    },
    Note {
        id: "ambssgd-lem-3.5",
        theorem: FIRST,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "expectation-for-probability",
        words: "No effect on ε. As an expectation over data and noise, with E[z] = 0, the lemma \
            holds. (5) uses it as a bound on the risk itself with probability 1 − N^(−100); in the \
            counterexample the risk exceeds it with probability 0.0114. The proof also drops a \
            factor 2 that the vanishing cross term makes good.",
    },
    Note {
        id: "ambssgd-lem-3.10-priv",
        theorem: PRIVACY,
        effect: Effect::of(EffectKind::Privacy)
            .edge("few levels: m = 1, where the printed Δ = B/N^200 gives m ≥ 200"),
        cause: "stat-pass-count",
        words: "DP-STAT makes m + 1 passes with noise for m. If γ_(m+1) is returned on exhaustion \
            the output depends on all of them: D_(3/2) is at least 25.9 where 18.75 is claimed, at \
            m = 1, α = 1/5. If all noisy counts are released ρ is (m+1)/m times what is claimed (2 \
            times for m = 1, 1.0003 times for N = 60,000). If γ_m is returned and only that is \
            released, the lemma holds.",
    },
    Note {
        id: "ambssgd-lem-3.10-util",
        theorem: SECOND,
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "stat-stop-rule",
        words: "No effect on ε. Bound (U2) fails when many residuals are small: with all residuals \
            0 the count is s + 1 at every level; and where γ_priv = Δ the two bounds contradict \
            each other. Stopping at s − Γ' for s, which costs no privacy, bounds γ_priv on both \
            sides. Of the proof, s stands for s + 1, and the noise is bounded \
            with log(log(B/Δ)/β), which is too small if log is the natural logarithm, not the \
            log_2 of the levels.",
    },
    Note {
        id: "ambssgd-lem-3.10-util-proof-levels",
        theorem: SECOND,
        effect: Effect::of(EffectKind::Wording),
        cause: "stat-level-index",
        words: "No effect on ε. γ_i is 2^iΔ, not 2^{i+1}Δ; the next sentence of the proof has \
            it right.",
    },
    Note {
        id: "ambssgd-thm-3.6-zcdp",
        theorem: PRIVACY,
        effect: Effect::of(EffectKind::Privacy)
            .edge("few levels (m = 1), if the noisy counts are released as well"),
        cause: "stat-pass-count",
        words: "If the noisy counts of DP-STAT are released as well, ρ is at least 1.5/α² for m = \
            1 where 1/α² is claimed (1.00016/α² at N = 60,000). For the iterates and the returned \
            γ_t the theorem holds.",
    },
    Note {
        id: "ambssgd-p3.9-gamma-lower",
        theorem: SECOND,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "stat-stop-rule",
        words: "No effect on ε. The residuals of s records do not bound the error in directions \
            they rarely show: γ_t² is below 4.01 where κ‖w_t − w*‖²_H = 100.",
    },
    Note {
        id: "ambssgd-p3.9-noclip",
        theorem: SECOND,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "noclip-log",
        words: "No effect on ε: clipping bounds the sensitivity. A rare record is clipped with \
            probability at least 4.9·10⁻⁶ where N^(−199) is claimed.",
    },
    Note {
        id: "ambssgd-p3.9-gamma-upper",
        theorem: SECOND,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "stat-stop-rule",
        words: "No effect on ε. The noise of DP-STAT skips each level with probability of almost \
            ½: at ε = 1 γ_t is at least 7.99 with probability 0.12 where the bound is 6.61.",
    },
    Note {
        id: "ambssgd-lem-B.3",
        theorem: SECOND,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "kappa-half",
        words: "No effect on ε. The factor κ/2 lacks a factor 2 for κ = 1, and is too small for κ \
            < 2; the repaired lemma has κ.",
    },
    Note {
        id: "ambssgd-lem-B.4",
        theorem: SECOND,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "general-sigma",
        words: "No effect on ε. For noise that is independent of the record (Σ = σ²H) the bound \
            holds; for a general Σ it does not: 13/6 against 2 in the counterexample. With the \
            step η(R_x²·d‖X‖/Tr(X) + (b−1)‖H‖) ≤ b it holds for every Σ.",
    },
    Note {
        id: "ambssgd-eq-44-46",
        theorem: SECOND,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "h-norm-contraction",
        words: "No effect on ε. Lemma B.5 contracts the Euclidean norm, not the norm of H: \
            200/10201 against 1/101. The repaired recursion runs in the Euclidean norm with 1 − \
            ημ/2.",
    },
    Note {
        id: "ambssgd-eq-47",
        theorem: SECOND,
        effect: Effect::of(EffectKind::ProofStep).edge("T = 2, where Theorem 3.7 needs c_1 ≥ 400"),
        cause: "h-norm-contraction",
        words: "No effect on ε. Follows (46): 0.0196 against at most 0.0101 in the counterexample. \
            The right side does bound μ·E‖w_(T/2) − w*‖², which is smaller than the printed left \
            side.",
    },
    Note {
        id: "ambssgd-eq-54-56",
        theorem: SECOND,
        effect: Effect::of(EffectKind::Wording),
        cause: "missing-4",
        words: "No effect on ε. (55) lacks the factor 4 that the noise 2ζα has when squared; (54) \
            and (56) hold.",
    },
    Note {
        id: "ambssgd-eq-57",
        theorem: SECOND,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "definition-56",
        words: "No effect on ε. The inequality holds for the risk of the averaged bias; for the \
            trace by which (56) defines its left side it fails: 37/24 against 4/3.",
    },
    Note {
        id: "ambssgd-thm-3.7",
        theorem: SECOND,
        effect: TWO_POINTS,
        cause: "tail-empty",
        words: "No effect on ε. Empty with Definition 2.1, where (3) has 1 for a 2. With a tail \
            assumption that laws satisfy no method has this risk with probability 1 − N^(−100): at \
            w* = 5σ/√N or at w* = −5σ/√N each fails with probability at least Φ(−5) = 2.9·10⁻⁷, \
            and so it is for all d up to about 12·log N at the claimed failure probability \
            N^(−100) (1.5·10^(−478) at N = 60,000, where the sizes are taken); at d = 10 two \
            points refute nothing for failure probabilities above 10^(−36); σ²(d + log N)/N is the \
            least that can be true. With the printed DP-STAT the event that nothing is clipped can \
            be improbable where N is not far above what the theorem asks: at N = 60,000, ε = 1, δ \
            = N⁻², κ = c_1 = 1 a count has noise of standard deviation 748 against s = 496, so \
            DP-STAT stops at each of about 3000 empty levels with probability 0.25. With a lower \
            stopping threshold and a larger ζ_t the risk has a bound (ambssgd-thm-3.7-corrected, \
            argued, with 2.2 for 8 in expectation; for x ~ N(0, I) \
            ambssgd-thm-3.7-corrected-normal-run). Nor does the display follow from Lemma 3.11: \
            its factor is 8.8·(1 + κ²/(ημT)) where 8 is printed.",
    },
    Note {
        id: "ambssgd-thm-3.7-B",
        theorem: SECOND,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "B-units",
        words: "No effect on ε. What B is to cover is not printed; read off Algorithm 3, whose \
            levels end there, it must reach the residuals. B has the unit of a gradient: for \
            records of norm 10⁻⁶ the levels end at 1/450 where the residuals are 9/10, and \
            everything is clipped. For R_x ≥ 1 it is larger than residuals need. Read, as we do, \
            as a bound of the gradients at w_0 it lacks a factor √κ, as it has ‖w*‖_H where (4) \
            gives √‖H‖·‖w*‖: for a two-dimensional law with κ = 200 that satisfies (2) as printed \
            the largest of N gradients exceeds it with a probability that tends to 1.",
    },
    Note {
        id: "ambssgd-cor-3.8-util",
        theorem: SECOND,
        effect: TWO_POINTS,
        cause: "expectation-for-probability",
        words: "No effect on ε: the privacy part is that of Theorem 3.6. Item 2 prints no \
            probability. Read with that of Theorem 3.7, or surely, it is false for the reason of \
            Theorem 1.1, whose records it has; in expectation, which the paper does not print, it \
            is false for w* far away: with a threshold of s of s + 1 records, and no cap, the \
            level of DP-STAT is 2^k times too large with a probability of about 2^(−k), so that at \
            ‖w*‖ = σN² the last noise alone costs 4390σ² where 8·10⁻¹²σ² is claimed, at N = 10¹². \
            With Definition 2.1, which the setting of Theorem 3.7 includes, it would be about no \
            law. With η = 1/(4d) the bias falls to N^(−100) only if c_1 grows like d: T must be \
            about 174·d·log N at least, 200·d·log N for large d (Lemma 3.11 gives it for \
            1600·d·log N), each batch smaller by d. The sizes are those of Theorem 1.1.",
    },
    Note {
        id: "ambssgd-cmp-regime",
        theorem: &[],
        effect: Effect::of(EffectKind::Wording),
        cause: "regime-square",
        words: "No effect on ε. For ε = c√(d/N) the private term is σ²d/(c²N), not σ²d/(cN): \
            privacy reduces the sample size to c²N. At c = 1/10 that is 100 times fewer records \
            where 10 times are printed. No theorem uses the sentence.",
    },
    Note {
        id: "ambssgd-intro-zeta",
        theorem: &[],
        effect: Effect::of(EffectKind::Wording),
        cause: "zeta-main-text",
        words: "No effect on ε. The introduction clips at Õ(σ√d), Theorem 3.2 at a ζ that contains \
            ‖w*‖. With the first, Algorithm 1 stays near 0 as σ falls, and its excess risk near \
            ½‖w*‖²_H.",
    },
    Note {
        id: "ambssgd-intro-percentile",
        theorem: &[],
        effect: Effect::of(EffectKind::Wording),
        cause: "stat-stop-rule",
        words: "No effect on ε. DP-STAT is said to find the 99th percentile. It waits for a noisy \
            count of s among s + 1 records over 200·log_2 N levels, and at N = 60,000, ε = 1, κ = \
            c_1 = 1 the standard deviation of the noise of one count exceeds s: it ends at its \
            first, empty level with probability 0.25. The constants are chosen here where the \
            print leaves them open. As N grows with the rest fixed the sentence holds \
            under (3'), by an argument.",
    },
    Note {
        id: "ambssgd-fact-tail-exp",
        theorem: BOTH,
        effect: Effect::of(EffectKind::Wording),
        cause: "tail-empty",
        words: "No effect on ε. As for normal laws: with 1 on the right side of (3) nothing is \
            captured; with 2, and K_2² = 2, the two-sided exponential law is.",
    },
    Note {
        id: "ambssgd-sec-3.2-residual",
        theorem: &[],
        effect: Effect::of(EffectKind::Wording),
        cause: "noclip-log",
        words: "No effect on ε. The square of a residual needs log^(2a) N, as in (4), not log^a N. \
            Line 8 of Algorithm 2 has log^a N as the factor of ‖x‖ and none for the residual, see \
            ambssgd-p3.9-noclip.",
    },
    Note {
        id: "ambssgd-conv-zcdp",
        theorem: PRIVACY,
        effect: Effect::of(EffectKind::Wording),
        cause: "monotone-alpha",
        words: "No effect on ε. ε_min increases with ρ, so it decreases with α = 1/√ρ; the \
            multiplier that follows is right.",
    },
    Note {
        id: "ambssgd-eq-53",
        theorem: SECOND,
        effect: Effect::of(EffectKind::Wording),
        cause: "variance-index",
        words: "No effect on ε. Where ω_t is split after (53), the sum of ω_t^variance goes one \
            step too far (t for t − 1), and (53) begins with ω_{t−1} for ω_t; its last line, which \
            all else uses, is right.",
    },
    Note {
        id: "ambssgd-eq-59",
        theorem: SECOND,
        effect: Effect::of(EffectKind::Wording),
        cause: "general-sigma",
        words: "No effect on ε. On its way to (59) the proof asks for a step that Lemma 3.11 does \
            not ask for (at most 1/5 of the allowed one in the example), as the privacy noise is \
            not a multiple of H; and an index is one too high. (59) holds without either.",
    },
    Note {
        id: "ambssgd-thm-1.1",
        theorem: SECOND,
        effect: TWO_POINTS,
        cause: "expectation-for-probability",
        words: "No effect on ε. What bounds an expectation, 8σ²d/N, is claimed with probability 1 \
            − N^(−100), which no method attains for d up to about 12·log N, private or not: two \
            values of w* cannot be told apart with that probability. The sizes are at N = 60,000 \
            and at the claimed failure probability N^(−100) = 1.5·10^(−478), and grow with log N; \
            at d = 10 two points refute nothing for failure probabilities above 10^(−36), nor for \
            the expectation at the sample size of Theorem 3.7. Remark iv says that no logarithm is \
            hidden in this term. The theorem is called informal, and also omits the term in ‖w*‖. \
            It fails by its sample size, too: N ≥ d·log³ d (d·log² d in paragraph 7) drops the \
            summand d·√log(1/δ)/ε of Theorem 3.7. For d = 1, ε = 1/N and δ = N^(−2) the excess of \
            every method is at least M²/2 at w* = −M or w* = M with probability above 0.26, for \
            every M, so that no power of log N and no expectation mends it.",
    },
];
