//! Headline theorems of ambssgd: 1.1, 3.1 to 3.3 (DP-SSGD), 3.6 to 3.8 (DP-AMBSSGD).

use super::bites::{any_order_bites_at, normal_bites_at};
use crate::findings::headline::{
    Bites, Corrected, Correction, Cost, Departure, Headline, Run, printed,
};

const ALG_1: &str = "ambssgd-alg-1";
const ALG_2: &str = "ambssgd-alg-2";
const FIT: &str = "dp-assay fit ambssgd --data FILE";
const FIT_NORMAL: &str =
    "dp-assay fit ambssgd --data FILE --bound 12 --normal NORM:SIGMA --schedule theorem";
const FIT_1: &str =
    "dp-assay fit ssgd --data FILE --bound 12 --normal NORM:SIGMA --schedule theorem";

/// What the corrected DP-SSGD for normal records has that the print has not.
const NORMAL_DEPARTURES: [Departure; 6] = [
    Departure {
        what: "x ~ N(0, I) and z ~ N(0, σ²) for the laws of Definition 2.1",
        why: "no law satisfies (3) as printed; of normal records the kernel has all that the run \
            asks for",
        cost: "other laws are left out: ambssgd-thm-3.2-corrected, argued, is about sub-Weibull x, \
            with ζ and η of failure probabilities of N^(−103), so that its bound is below that of \
            doing nothing from about 10²⁶ records on at d = 10",
    },
    Departure {
        what: "the order of the records is any: α = √2·√(log(1/δ)+ε)/ε for log(N/δ)/(ε√N)",
        why: "so privacy rests on no theorem about shuffles, and holds for every ε",
        cost: "the private term is of order d²/(ε²N), not d²/(ε²N²). The printed order, for ε of \
            order √(log(1/δ)/N), is that of ambssgd-thm-3.1-corrected and \
            ambssgd-cor-3.3-corrected, argued: the kernel has no law of a random order, and the \
            constants of Theorem A.3 are cited; the bound holds for their α too",
    },
    Departure {
        what: "ζ is (√d + √(2ℓ))·√(2ℓ)·(B+σ) with a public radius B for √d·√(‖w*‖²+σ²)·log N",
        why: "the iterates leave a ball now and then, and a gradient is then clipped",
        cost: "B is chosen so that (‖w_0−w*‖² + Nη²q)/B² is small",
    },
    Departure {
        what: "η(d+2) ≤ 1 and small enough for B, for η = 1/(4d)",
        why: "the noise of the run must not carry it out of the ball",
        cost: "a longer run before the average, whose length is chosen",
    },
    Departure {
        what: "probability 1 − β − 4N·e^(−ℓ) − (‖w_0−w*‖² + Nη²q)/B² for 1 − N^(−100)",
        why: "the bound is one on an expectation (ambssgd-lem-3.5-reading-pathwise)",
        cost: "the factor 1/β",
    },
    Departure {
        what: "privacy: one record is D's, the others are any; utility: all records are drawn",
        why: "the kernel's process has a place for one record of data, and takes for the others \
            any map of fresh noise: all data, put there as constants, and all laws",
        cost: "none in the bounds",
    },
];

/// What corrects a theorem on DP-SSGD, or is what the kernel proves of one.
const fn normal(id: &'static str) -> Headline {
    Headline {
        id,
        algorithm: Some(ALG_1),
        correction: Some(Correction::By(Corrected {
            id: "ambssgd-thm-3.2-corrected-normal",
            run: Run::Private {
                noise: "noise N(0, (2ηζα)²I) on each step",
                privacy: "ambssgd-thm-3.1-corrected-any-order",
                utility: Some("ambssgd-thm-3.2-corrected-normal"),
            },
            cost: None,
            bites_at: Some(bites(|| any_order_bites_at(FEATURES))),
            departures: &NORMAL_DEPARTURES,
        })),
        command: FIT_1,
    }
}

/// The run of `ambssgd-thm-3.7-corrected-normal-run`, whose algorithm, not whose sizes, is that of the solver's defaults.
const ADAPTIVE: Run = Run::Private {
    noise: "noise N(0, (2ηζ_tα/b)²I) on a step and N(0, mα²) on a count",
    privacy: "ambssgd-thm-3.6-disjoint-zcdp",
    utility: Some("ambssgd-thm-3.7-corrected-normal-run"),
};

/// What the corrected DP-AMBSSGD and its bound have that the print has not.
const ADAPTIVE_DEPARTURES: [Departure; 9] = [
    Departure {
        what: "x ~ N(0, I), so H = I and κ = 1, and z ~ N(0, σ²) for the laws of Definition 2.1",
        why: "no law satisfies (3); of such records the kernel has all that the run asks for",
        cost: "other laws, and other H, are left out: ambssgd-thm-3.7-corrected, argued, is about \
            any with a fourth moment in the norm of H⁻¹, tails of ‖x‖ and of the residual, and a \
            residual that is below half its scale with probability at most 1/2; for normal records \
            its leading term is 2σ²d/(bT) where (1+φ)/2·σ²d/(bn) is proved",
    },
    Departure {
        what: "DP-STAT stops at the noisy count r − G, r of s and G ≥ α√(2mℓ), for s",
        why: "with s, γ_t passes all residuals by 2^i with probability 2^(−i) in every step",
        cost: "no privacy; r ≥ 32G + 1, where ambssgd-thm-3.7-corrected-block, argued, asks for \
            8G: the kernel bounds how often a residual is small by four moments; and m·e^(−r/16) \
            for e^(−s/8), 2m(r+1)e^(−ℓ) for (s+1)e^(−ℓ), 4b·e^(−ℓ) for 2b·e^(−ℓ)",
    },
    Departure {
        what: "DP-STAT reads the records τ, …, τ+s−1, without τ+s",
        why: "the gradient reads τ+s too, so γ_t is not independent of the batch",
        cost: "none: no record meets both mechanisms, and noise smaller by √2 buys the same ε",
    },
    Departure {
        what: "ζ_t = ϱγ_t, ϱ = 4(√d + √(2ℓ))√(2ℓ), for R_xγ_t·log^a N",
        why: "a fresh record exceeds the printed ζ_t (ambssgd-p3.9-noclip)",
        cost: "a factor of order √log N in the noise; twice the 2ρUγ_t of \
            ambssgd-thm-3.7-corrected, as ⟨x, w−w*⟩ and z are bounded apart",
    },
    Departure {
        what: "a public radius B, and Δ·2^m ≥ √(2ℓ)·√(B²+σ²) for B = K_2R_x(‖w*‖_H+σ)log^{2a}N and \
            Δ = B/N^200",
        why: "the printed B has the unit of a gradient, and 200·log_2 N levels drown the counts in \
            noise",
        cost: "B is chosen so that (‖w_0−w*‖² + Tη²Q)/B² is small; m = 2·log_2 N levels",
    },
    Departure {
        what: "probability 1 − β − T(4b·e^(−ℓ) + π) − (‖w_0−w*‖² + Tη²Q)/B² at the price of 1/β, \
            for 1 − N^(−100)",
        why: "no method has the printed risk with that probability (ambssgd-thm-3.7-reading-tail)",
        cost: "the factor 1/β; of R the first term tends to (1+φ)/2·σ²d/(bn) as b and ηn → ∞, but \
            where the bound begins to say something its private part is nearly all, and R some \
            2,000 times 8σ²d/N",
    },
    Departure {
        what: "η(1+χ) ≤ 1 for b/(R_x²+(b−1)‖H‖) in Theorem 3.7 and 1/(4d) in Corollary 3.8, and a \
            bias of (1−η)^k for N^(−100)",
        why: "by Lemma 3.11 the printed bias asks for (400/η)·log N blocks, each with its own \
            noise",
        cost: "(1−η)^k is N^(−1) from k = log(N)/η blocks on",
    },
    Departure {
        what: "1/(2α²)-zCDP for (ε, δ)-DP and α = √(8·log(1/δ))/ε",
        why: "it is what both noises give together",
        cost: "none: α = √2·√(log(1/δ)+ε)/ε gives (ε, δ)-DP (ambssgd-thm-1.1-corrected, which also \
            counts the time O(Nd) of Theorem 1.1, for m ≤ b)",
    },
    Departure {
        what: "privacy: one record is D's, the others are any; utility: all records are drawn",
        why: "the kernel's process has a place for one record of data, and takes for the others \
            any map of fresh noise: all data, put there as constants, and all laws",
        cost: "none in the bounds",
    },
];

/// d = 10 for the sizes of this table.
const FEATURES: u32 = 10;

/// From how many records on, with probability at least 9/10.
const fn bites(least: fn() -> u64) -> Bites {
    Bites {
        least,
        counted: "N",
        witness: "x ~ N(0, I), d = 10, ‖w*‖ = σ = 1, with probability at least 9/10",
    }
}

/// What corrects a theorem on the utility of DP-AMBSSGD.
const fn adaptive(id: &'static str) -> Headline {
    Headline {
        id,
        algorithm: Some(ALG_2),
        correction: Some(Correction::By(Corrected {
            id: "ambssgd-thm-3.7-corrected-normal-run",
            run: ADAPTIVE,
            cost: Some(Cost::Bound(|| normal_bites_at(FEATURES).over_printed)),
            bites_at: Some(bites(|| normal_bites_at(FEATURES).records)),
            departures: &ADAPTIVE_DEPARTURES,
        })),
        command: FIT_NORMAL,
    }
}

pub(crate) const HEADLINES: [Headline; 10] = [
    adaptive("ambssgd-thm-1.1"),
    normal("ambssgd-thm-3.1"),
    normal("ambssgd-thm-3.2"),
    normal("ambssgd-cor-3.3"),
    normal("ambssgd-cor-3.3-util"),
    printed("ambssgd-thm-3.6-zcdp", ALG_2, FIT),
    printed("ambssgd-thm-3.6-cal", ALG_2, FIT),
    adaptive("ambssgd-thm-3.7"),
    printed("ambssgd-cor-3.8", ALG_2, FIT),
    adaptive("ambssgd-cor-3.8-util"),
];
