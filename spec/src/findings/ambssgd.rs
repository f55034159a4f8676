#![doc = include_str!("ambssgd.md")]

use super::{Effect, EffectKind, Note};

const PRIVACY: &[&str] = &["ambssgd-thm-3.6-zcdp", "ambssgd-thm-3.6-cal"];
const FIRST: &[&str] = &["ambssgd-thm-3.2"];
const SECOND: &[&str] = &["ambssgd-thm-3.7"];
const BOTH: &[&str] = &["ambssgd-thm-3.2", "ambssgd-thm-3.7"];

/// The theorems that the paper is cited for.
pub const HEADLINES: [&str; 8] = [
    "ambssgd-thm-1.1",
    "ambssgd-thm-3.1",
    "ambssgd-thm-3.2",
    "ambssgd-cor-3.3",
    "ambssgd-thm-3.6-zcdp",
    "ambssgd-thm-3.6-cal",
    "ambssgd-thm-3.7",
    "ambssgd-cor-3.8",
];

/// What the chapter says of each statement beyond its verdicts.
pub const NOTES: [Note; 37] = [
    Note {
        id: "ambssgd-fact-Rx-gauss",
        theorem: BOTH,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "rx-fourth-moment",
        words: "No effect on ε. For normal records R_x² is d + 2, not d; where a parameter or a rate is stated \
                 through d for R_x² it is off by the factor (d + 2)/d.",
    },
    Note {
        id: "ambssgd-fact-Rx-dH",
        theorem: BOTH,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "rx-fourth-moment",
        words: "No effect on ε. R_x² is a fourth moment, which the second moment does not bound: 100 against 1 in \
                 the counterexample. For normal records the inequality holds with d + 2 for d, and so does the \
                 power of d in the rates.",
    },
    Note {
        id: "ambssgd-fact-tail-gauss",
        theorem: BOTH,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "tail-constant",
        words: "No effect on ε. Normal laws miss (2) by the constant in the exponent: the tail is 8.4·10⁻¹⁷ where \
                 7.9·10⁻³¹ is allowed. With the factor K_2² and 2/β for 1/β they satisfy it.",
    },
    Note {
        id: "ambssgd-cost",
        theorem: &[],
        effect: Effect::of(EffectKind::Wording).edge("d = 1 (more exactly d = o(log N)); for d ≥ 200·log₂N/11 the levels cost no more than the residuals and O(Nd) holds"),
        cause: "cost-levels",
        words: "No effect on ε. DP-STAT tries up to 200·log_2 N levels, so the cost carries a further factor of \
                 order log N; counting by sorting residuals into the levels once removes it.",
    },
    Note {
        id: "ambssgd-lem-A.1",
        theorem: &["ambssgd-thm-3.1"],
        effect: Effect::of(EffectKind::Privacy).edge("fails only for ε_0 ≥ 8.6 at δ_0 = 1e-5 (9.8 at 1e-9); the theorem uses ε_0 ≤ ½"),
        cause: "classical-gaussian-range",
        words: "The classical scale is for ε_0 ≤ 1, a range the lemma does not print. At ε_0 = 10 and δ_0 = 10⁻⁵ \
                 the step has δ of at least 2.26·10⁻⁵. Theorem 3.1 uses the lemma for ε_0 ≤ ½ only, where it holds.",
    },
    Note {
        id: "ambssgd-eq-7",
        theorem: &["ambssgd-thm-3.1"],
        effect: Effect::of(EffectKind::Privacy),
        cause: "amplification-algebra",
        words: "The coefficient ½ of the first term must be at least 1, and 3/2 suffices: ε̂ is understated by a \
                 factor of at most 3. Theorem 3.1 has an unnamed constant, which absorbs it.",
    },
    Note {
        id: "ambssgd-eq-8-9",
        theorem: &["ambssgd-thm-3.1"],
        effect: Effect::of(EffectKind::Wording).edge("8) fails only for N·log(1/δ̂) < 16 (checked at N = 1); (9) is a misprint (c_2 in the numerator"),
        cause: "amplification-algebra",
        words: "(8) drops the term 2/N and understates ε̂ for few records (2.5 against 1 at N = 1), by a constant \
                 factor once N·log(1/δ̂) ≥ 16. In (9) the constant c_2 stands in the numerator for the denominator. \
                 The unnamed constant of Theorem 3.1 absorbs both.",
    },
    Note {
        id: "ambssgd-eq-11",
        theorem: FIRST,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "log-poly",
        words: "No effect on ε: clipping bounds the sensitivity whatever ζ is. For β = N^(−100) the logarithm of \
                 1/β is 100 times that of N; the factor is dropped, so the printed ζ clips more often than claimed.",
    },
    Note {
        id: "ambssgd-eq-15-17",
        theorem: FIRST,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "geometric-3",
        words: "No effect on ε. 1/(1 − e^(−ημ)) is replaced by 3, which needs ημ ≥ log(3/2): at ημ = 1/10 it is \
                 10.5.",
    },
    Note {
        id: "ambssgd-eq-18",
        theorem: FIRST,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "tail-constant",
        words: "No effect on ε. The Gaussian tail lacks a constant: for one dimension the probability is 2.4·10⁻³ \
                 where 10⁻⁴ is claimed. A factor 8/3 on the logarithm suffices.",
    },
    Note {
        id: "ambssgd-eq-24-25",
        theorem: FIRST,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "geometric-3",
        words: "No effect on ε. As (15)–(17): 1/(1 − e^(−ημ)) is replaced by 3, and is 10.5 at ημ = 1/10.",
    },
    Note {
        id: "ambssgd-eq-28",
        theorem: FIRST,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "log-poly",
        words: "No effect on ε. As in (11) log(1/β̃) is replaced by log N although β̃ is N^(−100): the square of \
                 one term is 2·10⁶ where the bound gives 4.",
    },
    Note {
        id: "ambssgd-lem-A.9",
        theorem: FIRST,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "tail-empty",
        words: "No effect on ε: clipping bounds the sensitivity whatever ζ is. Empty with Definition 2.1; with a \
                 tail assumption that laws satisfy it holds for a larger ζ and a smaller η, both stated in the \
                 repaired claim.",
    },
    Note {
        id: "ambssgd-eq-5-6",
        theorem: FIRST,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "rx-fourth-moment",
        words: "No effect on ε. The first term replaces R_x²‖w*‖² by d‖w*‖²_H, which is less for normal records; \
                 the privacy term has 128 where the derivation gives 256.",
    },
    Note {
        id: "ambssgd-thm-3.2",
        theorem: FIRST,
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "tail-empty",
        words: "No effect on ε. Empty with Definition 2.1. With a tail assumption that laws satisfy, the printed \
                 derivation bounds the expected risk on the event that nothing is clipped; a bound with probability \
                 1 − N^(−100) does not follow from it.",
    },
    Note {
        id: "ambssgd-thm-3.2-rate",
        theorem: FIRST,
        effect: Effect::of(EffectKind::Wording),
        cause: "half-in-risk",
        words: "No effect on ε. The risk is defined with the factor ½, so 2σ²d/N is 4 times, not twice, the risk \
                 of least squares for large N.",
    },
    Note {
        id: "ambssgd-cor-3.3",
        theorem: &["ambssgd-thm-3.1", "ambssgd-thm-3.2"],
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "tail-empty",
        words: "No effect on ε: the privacy part is that of Theorem 3.1. The utility part is empty with Theorem \
                 3.2, and R_x² = d holds for no normal law.",
    },
    Note {
        id: "ambssgd-def-2.1",
        theorem: BOTH,
        effect: Effect::of(EffectKind::Wording),
        cause: "tail-empty",
        words: "No effect on ε. E[exp(Y)] ≤ 1 with Y ≥ 0 forces Y = 0, so no law with μ > 0 satisfies (3); with 2 \
                 on the right side (and the factor K_2² in (2)) normal laws do. Every utility theorem assumes the \
                 definition; no privacy theorem does.",
    },
    Note {
        id: "ambssgd-eq-4",
        theorem: BOTH,
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "",
        words: "No effect on ε. Empty with Definition 2.1; with 2 on the right side of (3) the bound has log(2/β) \
                 for log(1/β).",
    },
    Note {
        id: "ambssgd-def-clip",
        theorem: PRIVACY,
        effect: Effect::of(EffectKind::Wording),
        cause: "clip-max",
        words: "If gradients were clipped as the appendix prints it (max for min), those longer than ζ would pass \
                 unchanged and no finite ε would hold. Section 1.1 and the algorithms print min, for which the \
                 sensitivities hold; ε is not affected.",
    },
    Note {
        id: "ambssgd-lem-A.1-sens",
        theorem: &["ambssgd-thm-3.1"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "sens-display",
        words: "No effect on ε. The displayed inequality bounds a distance by one of its two terms (1 against 0 in \
                 the counterexample); the triangle inequality gives the same sensitivity 2ηζ.",
    },
    Note {
        id: "ambssgd-lem-3.5",
        theorem: FIRST,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "bias-variance-split",
        words: "No effect on ε. As an expectation over data and noise, which the proof uses, the lemma holds. For \
                 every outcome it does not: 11250 against 4. The proof drops a factor 2 that the vanishing cross \
                 term makes good.",
    },
    Note {
        id: "ambssgd-lem-3.10-priv",
        theorem: PRIVACY,
        effect: Effect::of(EffectKind::Privacy).edge("m = 1 and α = 1/5 (ρ = 25, ε = 68 at δ = 1e-8). The printed Δ = B/N^200 has m ≥ 200; with the event used the bound breaks there only for α ≲ m^{−3/2}/2.4"),
        cause: "stat-pass-count",
        words: "DP-STAT makes m + 1 passes with noise for m. If γ_(m+1) is returned on exhaustion the output \
                 depends on all of them: D_(3/2) is at least 25.9 where 18.75 is claimed. If all noisy counts are \
                 released ρ is (m+1)/m times what is claimed (2 times for m = 1). If γ_m is returned and only that \
                 is released, the lemma holds.",
    },
    Note {
        id: "ambssgd-lem-3.10-util",
        theorem: SECOND,
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "stat-stop-rule",
        words: "No effect on ε. Bound (U2) fails when many residuals are small: with all residuals 0 the count is \
                 s + 1 at every level. With s + Γ for s − Γ, for levels above the first, and m + 1 passes in Γ both \
                 bounds hold.",
    },
    Note {
        id: "ambssgd-thm-3.6-zcdp",
        theorem: PRIVACY,
        effect: Effect::of(EffectKind::Privacy).edge("m = 1; realistic factor (2m+1)/(2m) = 1.00016 in ρ at N = 60,000"),
        cause: "stat-pass-count",
        words: "If the noisy counts of DP-STAT are released as well, ρ is at least 1.5/α² for m = 1 where 1/α² is \
                 claimed. For the iterates and the returned γ_t the theorem holds.",
    },
    Note {
        id: "ambssgd-p3.9-gamma-lower",
        theorem: SECOND,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "stat-stop-rule",
        words: "No effect on ε. The residuals of s records do not bound the error in directions they rarely show: \
                 γ_t² is below 4 where κ‖w_t − w*‖²_H = 100.",
    },
    Note {
        id: "ambssgd-p3.9-noclip",
        theorem: SECOND,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "noclip-log",
        words: "No effect on ε: clipping bounds the sensitivity. A rare record is clipped with probability at \
                 least 4.9·10⁻⁶ where N^(−199) is claimed.",
    },
    Note {
        id: "ambssgd-p3.9-gamma-upper",
        theorem: SECOND,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "stat-stop-rule",
        words: "No effect on ε. The noise of DP-STAT can skip levels: γ_t is at least 8 with probability 0.0039 \
                 where the bound is 4.97.",
    },
    Note {
        id: "ambssgd-lem-B.3",
        theorem: SECOND,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "kappa-half",
        words: "No effect on ε. The factor κ/2 lacks a factor 2 for κ = 1; the repaired lemma has κ.",
    },
    Note {
        id: "ambssgd-lem-B.4",
        theorem: SECOND,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "general-sigma",
        words: "No effect on ε. For noise that is independent of the record (Σ = σ²H) the bound holds; for a \
                 general Σ it does not: 11/2 against 2 in the counterexample.",
    },
    Note {
        id: "ambssgd-eq-44-46",
        theorem: SECOND,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "h-norm-contraction",
        words: "No effect on ε. Lemma B.5 contracts the Euclidean norm, not the norm of H: 200/10201 against \
                 1/101. The repaired recursion runs in the Euclidean norm with 1 − ημ/2.",
    },
    Note {
        id: "ambssgd-eq-47",
        theorem: SECOND,
        effect: Effect::of(EffectKind::ProofStep).edge("T = 2, i.e. c_1 → 0; for T ≥ 100 this law obeys (47), and Theorem 3.7 needs c_1 ≥ 400"),
        cause: "h-norm-contraction",
        words: "No effect on ε. Follows (46): 0.0196 against at most 0.0101 in the counterexample. The right side \
                 does bound μ·E‖w_(T/2) − w*‖², which is smaller than the printed left side.",
    },
    Note {
        id: "ambssgd-eq-54-56",
        theorem: SECOND,
        effect: Effect::of(EffectKind::Wording),
        cause: "missing-4",
        words: "No effect on ε. (55) lacks the factor 4 that the noise 2ζα has when squared; (54) and (56) hold.",
    },
    Note {
        id: "ambssgd-eq-57",
        theorem: SECOND,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "definition-56",
        words: "No effect on ε. The inequality holds for the risk of the averaged bias; with the trace that (56) \
                 puts in its place it fails: 37/24 against 4/3.",
    },
    Note {
        id: "ambssgd-thm-3.7",
        theorem: SECOND,
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "tail-empty",
        words: "No effect on ε. Empty with Definition 2.1. With a tail assumption that laws satisfy, the \
                 derivation bounds the expected risk on the event that nothing is clipped. The printed domain size \
                 B depends on the unit of the records; the levels need not reach the residuals (1 against 1/500).",
    },
    Note {
        id: "ambssgd-cor-3.8",
        theorem: &["ambssgd-thm-3.6-cal", "ambssgd-thm-3.7"],
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "tail-empty",
        words: "No effect on ε: the privacy part is that of Theorem 3.6. The utility part is empty with Theorem \
                 3.7; and with η = 1/(4d) the bias falls to N^(−100) only if c_1 grows like d.",
    },
    Note {
        id: "ambssgd-thm-1.1",
        theorem: SECOND,
        effect: Effect::of(EffectKind::UtilityRate).edge("as checked (ε = 1/N, third term σ²d²); no with the point of the note: fails at every ε for d ≤ 12·log N"),
        cause: "expectation-for-probability",
        words: "No effect on ε. The informal statement omits the term in ‖w*‖ and the dependence of the sample \
                 size on ε; for four far apart w* and ε = 1/N the privacy constraint excludes it.",
    },
];
