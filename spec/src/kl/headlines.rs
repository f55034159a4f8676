//! Headline theorems of kl: 1 to 5 and 9 (algorithms), 6 to 8 and Corollary 1 (lower bounds).

use super::witness;
use crate::findings::headline::{
    Bites, Corrected, Correction, Cost, Departure, Headline, Run, printed,
};

const SPIDER: &str =
    "dp-assay fit kl-spider --data FILE --gamma GAMMA --kappa KAPPA --beta 0.03 --schedule theorem";
const PROX: &str = "dp-assay fit kl-prox --data FILE";
const ADAPTIVE: &str = "dp-assay fit adaptive-gd --data FILE";
const LAST: &str = "dp-assay fit adaptive-gd --data FILE --gamma GAMMA --kappa KAPPA --schedule \
    theorem";
const DRAWN: &str = "dp-assay fit adaptive-gd --data FILE --schedule theorem";
const NOISY: &str = "dp-assay fit noisy-gd --data FILE";

const RIDGE: &str = "logistic loss with the regulariser λh(‖w‖), h(r) = r²/2 up to √(2/λ) and \
    linear beyond, λ = 1/10, records of norm at most 1, d = 10, β = 1/100";
const PLAIN: &str = "logistic loss, records of norm at most 1, d = 10, β = 1/100";
const REGULARISED: &str =
    "logistic loss plus L̃₁‖w − w₀‖² for L̃₁ = 1/10, records of norm at most 1, d = 10, β = 1/100";

/// From how many records on, on a witness of the [module](witness).
const fn bites(least: fn() -> u64, witness: &'static str) -> Bites {
    Bites {
        least,
        counted: "n",
        witness,
    }
}

/// Algorithm 1 with more noise: one claim on privacy and utility.
const SPIDER_CORRECTED: Correction = Correction::By(Corrected {
    id: "kl-thm-1-corrected",
    run: Run::Private {
        noise: "σ_hat, σ_k times 3/2",
        privacy: "kl-thm-1-corrected",
        utility: Some("kl-thm-1-corrected"),
    },
    cost: Some(Cost::Bound(spider_bound)),
    bites_at: Some(bites(witness::spider_bites, RIDGE)),
    departures: &[
        Departure {
            what: "σ̂ and σ_k are 3/2 times the printed ones, and line 6 has 48 for 32.",
            why: "The sensitivities of Lemma 8 are for a record that is left out, not replaced \
                (kl-thm-1-priv).",
            cost: "3/2 of the noise.",
        },
        Departure {
            what: "K is rounded up, w₀ is returned at once where the bound exceeds F₀ (fit \
                kl-spider runs on there, no less private: kl-thm-1-priv-repaired), and line 17 \
                carries w_{k,t}.",
            why: "Algorithm 1 reads an iterate that does not exist, and its errors are not bounded \
                above F₀ (kl-alg-1, kl-lem-2).",
            cost: "None.",
        },
        Departure {
            what: "KL* is asked for on the component of {F ≤ F(w₀)} at w₀, not on a ball.",
            why: "The ball grows with log n, and a Lipschitz loss like the witness satisfies KL* \
                near its minimum only; at F₀ = (γL₀)^κ none does on the ball of Lemma 1, unless \
                the excess of w₀ is at most (γL₀(√d/(n√ρ))^16)^κ already (kl-thm-1-note-ball).",
            cost: "None: the run stays in that set.",
        },
        Departure {
            what: "β is at most 1/27.",
            why: "As β tends to 1 the printed bound tends to 0, the risk does not (kl-thm-1).",
            cost: "None in use.",
        },
        Departure {
            what: "The losses are Lipschitz and smooth on R^d, not on a ball about w₀.",
            why: "One statement on privacy and utility is about every point that a run may reach.",
            cost: "None where a loss is so everywhere, as the witness.",
        },
    ],
});

/// Bound for κ = 2, corrected over that of the printed proof: (48/32)^κ.
fn spider_bound() -> f64 {
    (48.0_f64 / 32.0).powi(2)
}

/// Algorithm 2 with Algorithm 4, whose constants are carried through.
const PROX_CORRECTED: Correction = Correction::By(Corrected {
    id: "kl-thm-2-corrected",
    run: Run::Private {
        noise: "σ^2 = 4 L_0^2 T_4/(n^2 ρ/N)",
        privacy: "kl-thm-2-corrected",
        utility: Some("kl-thm-2-corrected"),
    },
    // The print has O(·).
    cost: None,
    bites_at: Some(bites(witness::proximal_bites, RIDGE)),
    departures: &[
        Departure {
            what: "γ²L̃₁θ^(κ−2) is at least 1/4; L̃₁ may be enlarged until it is.",
            why: "The induction of Appendix C.2 bounds the proximal point, not the computed one \
                (kl-thm-2-phase).",
            cost: "For κ > 2 the rate is that of κ = 2, times F₀^((κ−2)/κ) \
                (kl-thm-2-repaired-rate); for κ = 2 none.",
        },
        Departure {
            what: "T is rounded up, each call has ρ/N and β/N, and the constant is 356.",
            why: "T is no integer, and the print names no constant.",
            cost: "None; but each call is given ρ/N and spends ρ/(2N) (kl-thm-9-corrected): σ² is \
                as Algorithm 4 prints it, twice what ρ needs.",
        },
        Departure {
            what: "KL* is asked for where the excess is at most F₀, not on a ball.",
            why: "A Lipschitz loss can satisfy it there, as the witness does; at κ = 2 on the ball \
                of Lemma 4, as Algorithm 4 gives it, only with F₀ below e^(1/8)(γL₀√d/(n√ρ))² \
                (kl-thm-2-ball).",
            cost: "None.",
        },
        Departure {
            what: "Weak convexity is asked of every f(·; x), as in Appendix E, not of F alone, and \
                on R^d, not on a ball; proximal points exist.",
            why: "Else a mean of subgradients of the f(·; x) need not be a subgradient of F.",
            cost: "None for smooth losses.",
        },
        Departure {
            what: "ω is at least 1, ρ/N at most 1/4, β/N at most 1/2, and n²(ρ/N)log²(2N/β) at \
                least d.",
            why: "Each call is Algorithm 4 with its constants carried through, which needs them.",
            cost: "None in use: the bound bites far beyond.",
        },
    ],
});

const NOISE_3: &str = "σ_t = max{N_t/D, 2L_0/(n √(ρ))}";

const SCALE_3: Departure = Departure {
    what: "σ_t has D = 2(√d + √(2Λ)) for √(dΛ) in its denominator, and the charge has D²; the \
        norm's noise is one number.",
    why: "With the printed noise a step can gain nothing in small dimensions (kl-lem-12-descent).",
    cost: "D is 2√(1/Λ) + √(8/d) times √(dΛ): less noise in small dimensions, more where d and Λ \
        are large.",
};

const CHARGE_3: Departure = Departure {
    what: "A round at the floor, N_t ≤ 0 included, is charged the cap and is the last one.",
    why: "Charged by N_t², negative norms spend without bound (kl-thm-3).",
    cost: "None: at the floor the gradient is small.",
};

const TEST_3: Departure = Departure {
    what: "The test has ρ/2 − √ρ/n for ρ/2, and n√ρ is at least 8.",
    why: "When one record is replaced a round costs twice its charge, and the last norm comes on \
        top.",
    cost: "A share 2/(n√ρ) of the budget.",
};

const THREE_CORRECTED: Correction = Correction::By(Corrected {
    id: "kl-thm-3-corrected",
    run: Run::Private {
        noise: NOISE_3,
        privacy: "kl-thm-3-corrected",
        utility: Some("kl-thm-4-corrected"),
    },
    cost: None,
    bites_at: None,
    departures: &[SCALE_3, CHARGE_3, TEST_3],
});

const FOUR_CORRECTED: Correction = Correction::By(Corrected {
    id: "kl-thm-4-corrected",
    run: Run::Private {
        noise: NOISE_3,
        privacy: "kl-thm-4-corrected",
        utility: Some("kl-thm-4-corrected"),
    },
    // The print has O(·).
    cost: None,
    bites_at: Some(bites(witness::adaptive_bites, RIDGE)),
    departures: &[
        SCALE_3,
        CHARGE_3,
        TEST_3,
        Departure {
            what: "17γ²√L₁ stands for γ√p_max in the first term, (√8γb)^κ for the second.",
            why: "Better than the print: p_max has a logarithm of n, and its terms change under a \
                change of units; near p_max = 0 the printed bound fails (kl-thm-4).",
            cost: "None; a logarithm is gained.",
        },
        Departure {
            what: "((512/3)(κ/(2−κ))γ²L₁/(n√ρ))^(κ/(2−κ)) stands for the term with p_max and that \
                exponent, for κ = 2 an exponential one; (γ(2A+√2·b))^κ is added.",
            why: "The rounds of all phases are added up with their constants (kl-lem-13); Lemma 11 \
                has the added term.",
            cost: "The factor κ/(2−κ), which has no bound as κ nears 2: at κ = 1.9 and γ²L₁ = 1 \
                the term is below 1 from n√ρ = 3243 on.",
        },
        Departure {
            what: "α counts from the minimum over the valley of w₀, not from the global one; the \
                valley may be any set that no step below α leaves.",
            why: "Else the iterates leave the valley (kl-lem-5-reading-global).",
            cost: "None.",
        },
    ],
});

const FIVE_CORRECTED: Correction = Correction::By(Corrected {
    id: "kl-thm-5-corrected",
    run: Run::Private {
        noise: NOISE_3,
        privacy: "kl-thm-5-corrected",
        utility: Some("kl-thm-5-corrected"),
    },
    cost: Some(Cost::Bound(witness::stationary_cost)),
    bites_at: Some(bites(witness::stationary_bites, PLAIN)),
    departures: &[
        SCALE_3,
        CHARGE_3,
        TEST_3,
        Departure {
            what: "A term √((128/3)F₀L₁/(n√ρ)) is added, and the entry √(F₀L₁/T) of the minimum is \
                gone.",
            why: "A run cannot move further than its number of rounds allows (kl-thm-5); T is \
                known after the run only.",
            cost: "Against the other entry none where F₀L₁ is at most (3/32)dL₀². Runs of about \
                n√ρ rounds lose the stronger rate that the paper hopes for.",
        },
        Departure {
            what: "The run with its draw costs 3ρ/2 where the print claims 2ρ, and fails with 2β \
                where it has 3β.",
            why: "Better than the print.",
            cost: "None.",
        },
    ],
});

pub(crate) const HEADLINES: [Headline; 14] = [
    corrected("kl-thm-1-priv", "kl-alg-1", SPIDER_CORRECTED, SPIDER),
    corrected("kl-thm-1", "kl-alg-1", SPIDER_CORRECTED, SPIDER),
    printed("kl-thm-2-priv", "kl-alg-2", PROX),
    corrected("kl-thm-2", "kl-alg-2", PROX_CORRECTED, PROX),
    corrected("kl-thm-3", "kl-alg-3", THREE_CORRECTED, ADAPTIVE),
    corrected("kl-thm-4", "kl-alg-3", FOUR_CORRECTED, LAST),
    corrected("kl-thm-5-priv", "kl-alg-3", FIVE_CORRECTED, DRAWN),
    corrected("kl-thm-5", "kl-alg-3", FIVE_CORRECTED, DRAWN),
    bound(
        "kl-thm-6",
        "kl-thm-6-corrected",
        &[
            CENTRE,
            Departure {
                what: "For τ = 2 the radius B is between L₀k√r/(4λ²n) and L₀/(4λ²), for τ > 2 it \
                    is that of the minimisers, and growth is asked on the ball only; L₁ ≥ μ.",
                why: "On a large ball the centre is optimal; a quadratic loss has (λ, τ)-growth \
                    for τ > 2 near its minimum only.",
                cost: "For τ > 2 the set shrinks with n, and nothing is said of losses that grow \
                    so everywhere; kl-thm-6-repaired (argued) has these, and larger sets.",
            },
            COORDINATES,
            IN_BALL,
            SIGNS,
        ],
        "dp-assay ledger kl-thm-6-corrected",
    ),
    bound(
        "kl-thm-7",
        "kl-thm-7-corrected",
        &[
            COORDINATES,
            Departure {
                what: "A has its values in the ball of radius D, f is L₀-Lipschitz on it, and δ ≤ \
                    ε/24 stands for δ < 1/n.",
                why: "At n = 1 and δ near 1 the output may ignore the data (kl-thm-7). An \
                    expectation of what is not bounded need not exist.",
                cost: "Nothing is said of algorithms that leave the ball; kl-thm-7-restricted \
                    (argued) says it with 1/26400. For n ≥ kd and d ≥ 64 δ < 1/n is below ε/24.",
            },
            SIGNS,
        ],
        "dp-assay ledger kl-thm-7-corrected",
    ),
    bound(
        "kl-thm-8",
        "kl-thm-8-corrected",
        &[
            CENTRE,
            Departure {
                what: "B ≤ ½(2m/n)^(κ−1) and 2m ≤ n, m = ⌈1/(2ε)⌉.",
                why: "The ball has to leave the minimisers apart; the two data sets differ in 2m \
                    records.",
                cost: "The set shrinks with n; nothing is said of ε below about 1/n.",
            },
            Departure {
                what: "KL holds on the ball W, and A has its values in W; ε ≤ ln 2, δ ≤ (1 − \
                    e^(−ε))/16.",
                why: "Outside W the losses grow slower than KL asks for.",
                cost: "Nothing is said of algorithms that leave the ball.",
            },
            Departure {
                what: "Privacy is needed for half spaces only, and δ may be 0.",
                why: "Better than the print: the proof compares no other events.",
                cost: "None.",
            },
        ],
        "dp-assay ledger kl-thm-8-corrected",
    ),
    printed("kl-thm-9-priv", "kl-alg-4", NOISY),
    Headline {
        id: "kl-thm-9",
        algorithm: Some("kl-alg-4"),
        correction: Some(Correction::By(Corrected {
            id: "kl-thm-9-corrected",
            run: Run::Private {
                noise: "σ^2 = 4 L_0^2 T/(n^2 ρ)",
                privacy: "kl-thm-9-corrected",
                utility: Some("kl-thm-9-corrected"),
            },
            // The print has O(·).
            cost: None,
            bites_at: Some(bites(witness::regularised_bites, REGULARISED)),
            departures: &[
                Departure {
                    what: "log(2T/β) for the printed logarithm, and the constant 1101.",
                    why: "The printed logarithm can be 0 (kl-thm-9).",
                    cost: "None for ρ ≤ 1/2, where the printed logarithm is the larger one.",
                },
                Departure {
                    what: "w₁ = w₀, the gradient is taken at w_t, T is rounded up.",
                    why: "Algorithm 4 reads a point that is not assigned (kl-alg-4).",
                    cost: "None.",
                },
                Departure {
                    what: "Every f(·; x) is Lipschitz and weakly convex, and on R^d.",
                    why: "One statement on privacy and utility is about every point that a run may \
                        reach.",
                    cost: "None where a loss is so everywhere, as the witness.",
                },
            ],
        })),
        command: NOISY,
    },
    bound(
        "kl-cor-1",
        "kl-cor-1-corrected",
        &[
            CENTRE,
            Departure {
                what: "For κ = 2 the radius B is between γ²L₀k√r/n and γ²L₀, for κ < 2 it is that \
                    of the minimisers, and KL is asked on the ball only; L₁ ≥ μ.",
                why: "On a large ball the centre is optimal; a quadratic loss is (γ, κ)-KL for κ < \
                    2 where its gradient is short.",
                cost: "For κ < 2 the set shrinks with n, and nothing is said of losses that are KL \
                    everywhere; kl-cor-1-repaired (argued) has these, and, where n/(k√r) is above \
                    τ2^(τ−1), larger sets.",
            },
            Departure {
                what: "√r with rk ≤ n and 1/4 ≤ k√ρ ≤ 3/4, r ≤ d, stands for √d; ρ ≤ 1/4.",
                why: "Each of r coordinates has k records of its own.",
                cost: "For n < kd √⌊n/k⌋ stands for √d; of n < k and of ρ > 1/4 nothing is said.",
            },
            Departure {
                what: "There is no logarithm; the constant is 3/512 for every κ.",
                why: "Better than the print: zCDP is used as it is, not turned into (ε, δ)-DP.",
                cost: "None.",
            },
            Departure {
                what: "A has its values in the ball.",
                why: "An expectation of what is not bounded need not exist.",
                cost: "None: to project an output on the ball does not raise F.",
            },
            SIGNS,
        ],
        "dp-assay ledger kl-cor-1-corrected",
    ),
];

/// Why a set that the algorithm may know has to be named beforehand.
const CENTRE: Departure = Departure {
    what: "The set is a ball about 0, given before the algorithm.",
    why: "If the set may depend on the algorithm's output, its centre is optimal (kl-thm-6, \
        kl-thm-8, kl-cor-1).",
    cost: "None.",
};

/// What the data sets of `kl-thm-6-corrected` and `kl-thm-7-corrected` cost.
const COORDINATES: Departure = Departure {
    what: "√r with rk ≤ n and 3/8 ≤ kε ≤ 9/8, r ≤ d, stands for √d, and the constant is explicit.",
    why: "Each of r coordinates has k records of its own, whose sign an algorithm has to find out.",
    cost: "For n < kd √⌊n/k⌋ stands for √d (in Theorem 7 for min{√d, nε}); of n < k nothing is \
        said.",
};

/// Where the values of an algorithm are.
const IN_BALL: Departure = Departure {
    what: "A has its values in the ball, and δ ≤ ε/24 stands for δ < 1/n.",
    why: "An expectation of what is not bounded need not exist; the proof adds up k times δ.",
    cost: "None of the ball: to project an output on it does not raise F. For n ≥ kd and d ≥ 64 δ \
        < 1/n is below ε/24.",
};

/// What is needed of the privacy.
const SIGNS: Departure = Departure {
    what: "Privacy is needed only when the sign of one record changes, and for half spaces.",
    why: "Better than the print: the proof compares no other data sets and events.",
    cost: "None.",
};

/// A lower bound: no run, no noise.
const fn bound(
    id: &'static str,
    corrected: &'static str,
    departures: &'static [Departure],
    command: &'static str,
) -> Headline {
    Headline {
        id,
        algorithm: None,
        correction: Some(Correction::By(Corrected {
            id: corrected,
            run: Run::LowerBound,
            cost: None,
            bites_at: None,
            departures,
        })),
        command,
    }
}

/// A theorem with its correction.
const fn corrected(
    id: &'static str,
    algorithm: &'static str,
    correction: Correction,
    command: &'static str,
) -> Headline {
    Headline {
        id,
        algorithm: Some(algorithm),
        correction: Some(correction),
        command,
    }
}
