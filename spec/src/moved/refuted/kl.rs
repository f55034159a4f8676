//! What is printed, claim by claim, and where it fails: of claims of kl that nothing but the kernel
//! refutes.

use super::{NOTHING, Printed};
use crate::moved::Moved;

refuted! {
    "kl-par-alg-1-proof": Printed {
        all: "x > 0; T > 0",
        given: "1 ≤ x; T = x",
        says: "T = 1/√(x)",
        at: "4; 4",
        means: "κ = 1, F_0/Φ_k = x",
        instead: "kl-par-alg-1",
        ..NOTHING
    };
    "kl-lem-1-reading-all": Printed {
        all: "F₀ > 0; γ > 0; L₁ > 0; K > 0; s > 0; u; v",
        given: "K = 1; s = √(F₀)/(4·γ·L₁); u² = s²; (v − u)² = s²",
        says: "v ≤ K·s",
        at: "1; 1; 1; 1; 1/4; 1/4; 1/2",
        means: "κ = 2, d = 1, steps of length s to w_0 + u and w_0 + v",
        instead: "kl-lem-1-repaired",
        ..NOTHING
    };
    "kl-thm-1-phase": Printed {
        with: "F(w) := w²; g(w) := 2·w",
        also: "for every real x: for every real y: F(y) = F(x) + g(x)·(y − x) + (y − x)²; for \
            every real x: F(x) = (1/4)·g(x)²",
        all: "p > 0; w > 0; x > 0; v",
        given: "F(w) ≤ (1 + 1/32)·p; x = w − √(p)/4; (7/4)·√(p) ≤ g(w); g(x) + 1/100 ≤ (7/4)·√(p); \
            v = w",
        says: "F(v) ≤ p",
        at: "1; 101/100; 19/25; 101/100",
        means: "κ = 2, γ = 1/2, L_1 = 2, Φ_1 = p, exact gradients, w_(1,0) = w, w_(1,1) = x, \
            w_(2,0) = v",
        instead: "kl-thm-1-phase-repaired",
        ..NOTHING
    };
    "kl-thm-7-inst": Printed {
        all: "D > 0; x ≥ 0; y",
        given: "x ≤ 4·D; 4·D ≤ y; (x + y)/2 ≤ 4·D",
        says: "((x + y)/2)² ≤ (x² + 4·D·y)/2",
        at: "1; 3; 5",
        means: "norms x and y on a ray and their mean",
        instead: "kl-thm-7-inst-repaired",
        ..NOTHING
    };
    "kl-thm-4-phases": Printed {
        with: "F(w) := w²/2; g(w) := w",
        also: "for every real x: for every real y: F(y) = F(x) + g(x)·(y − x) + (y − x)²/2; for \
            every real x: F(x) = (1/2)·g(x)²",
        all: "w; v; F₀ > 0; c > 0",
        given: "c = 1 + 1/(8·(1/2)); F(w) = F₀; v = w − g(w)/2; F₀/c ≤ F(w); F(v) + 1/100 ≤ F₀/c",
        says: "F(w) ≤ F₀/c",
        at: "2; 1; 2; 5/4",
        means: "κ = 2, γ² = 1/2, L_1 = 1, w_1 = v after a step from w_0 = w with the exact \
            gradient, (14) and F < F_0/c at all later iterates, so K_1 = 0; L_0 = 2, F linear \
            beyond |w| = 2",
        instead: "kl-thm-4-phases-repaired",
        ..NOTHING
    };
    "kl-lem-5-proof-ball": Printed {
        with: "F(w) := w²/16; g(w) := w/8",
        also: "for every real x: for every real y: F(y) = F(x) + g(x)·(y − x) + (1/16)·(y − x)²; \
            for every real x: F(x) = 4·g(x)²",
        all: "w > 0; v > 0; b > 0; α",
        given: "g(w) + 1/100 ≤ b; v − w ≤ 16·b; g(v) ≤ 1; α = 2·(2 + 1)·b; F(w) ≤ α",
        says: "F(v) ≤ α",
        at: "5/2; 7; 1/3; 2",
        means: "κ = 2, γ = 2, L_1 = 1/8, L_0 = 1, w_t = w, w′ = v, F linear beyond |w| = 8",
        instead: "kl-lem-5-repaired",
        ..NOTHING
    };
    "kl-lem-11-proof": Printed {
        all: "Nₜ > 0; L₀ > 0; d > 0; Λ > 0; n > 0; ρ > 0; ρₜ > 0",
        given: "Nₜ/√(d·Λ) ≤ L₀/(n·√(ρ)); ρ/2 ≤ L₀²·d·Λ/(n²·Nₜ²); ρₜ = ρ/2 + √(ρ)/n",
        says: "ρ ≤ ρₜ",
        at: "1/8; 1; 1; 4; 16; 1; 9/16",
        means: "the charge at its cap",
        instead: "kl-lem-11-repaired",
        ..NOTHING
    };
    "kl-thm-5-T": Printed {
        all: "ρ > 0; n > 0; a ≥ 0; b ≥ 0",
        given: "a ≤ ρ/4; b ≤ ρ/4; √(ρ)/n + a ≤ ρ/2; ρ/2 + 1/100 ≤ (√(ρ)/n + a) + (√(ρ)/n + b)",
        says: "(√(ρ)/n + a) + (√(ρ)/n + b) = √(ρ)/(2·n) + b",
        at: "1; 4; 1/8; 1/8",
        means: "T = 1, a and b are L_0²dΛ/(n²N_t²) for t = 0 and 1, each at most ρ/4: σ_t = \
            N_t/√(dΛ)",
        instead: "kl-thm-5-T-repaired",
        ..NOTHING
    };
    "kl-thm-5-T-proof-norms": Printed {
        all: "g > 0; Nₜ > 0; e; L₀ > 0; d > 0; Λ > 0; n > 0; ρ > 0",
        given: "Nₜ = g + e; L₀²·d·Λ/(n²·Nₜ²) ≤ ρ/4",
        says: "1/Nₜ² ≤ 1/g²",
        at: "1; 9/10; (−1)/10; 1; 1; 2; 4; 1",
        means: "T = 1, |∇F(w_1)| = N* = g, noise e, σ_1 above its floor",
        instead: "kl-thm-5-T-repaired",
        ..NOTHING
    };
    "kl-lem-8-mech": Printed {
        all: "L₀ > 0; n > 0; K > 0; ρ > 0; σ > 0; u; v",
        given: "1 ≤ n; 1 ≤ K; σ = L₀·√(K)/(n·√(ρ)); u ≤ L₀; (−1)·u ≤ L₀; v ≤ L₀; (−1)·v ≤ L₀",
        says: "(u/n − v/n)²/(2·σ²) ≤ 1/K",
        at: "1; 2; 100; 4; 5/2; 4/5; (−4)/5",
        means: "d = 1, gradients u and v of the record that changes, L_1 such that K = 100",
        instead: "kl-lem-8-mech-repaired",
        ..NOTHING
    };
    "kl-lem-8-mech-reading-zero-out": Printed {
        all: "L₀ > 0; n > 0; K > 0; ρ > 0; σ > 0; u",
        given: "1 ≤ n; 1 ≤ K; σ = L₀·√(K)/(n·√(ρ)); u ≤ L₀; (−1)·u ≤ L₀",
        says: "(u/n)²/(2·σ²) ≤ 1/K",
        at: "1; 2; 100; 4; 5/2; 4/5",
        means: "d = 1, gradient u of the record that goes, L_1 such that K = 100",
        instead: "kl-lem-8-mech-repaired",
        ..NOTHING
    };
    "kl-lem-8-mech-proof": Printed {
        all: "L₀ > 0; n > 0; K > 0; ρ > 0; σ > 0; u; v",
        given: "1 ≤ n; 1 ≤ K; σ = L₀·√(K)/(n·√(ρ)); u ≤ L₀; (−1)·u ≤ L₀; v ≤ L₀; (−1)·v ≤ L₀",
        says: "(u/n − v/n)²/(2·σ²) ≤ ρ/K",
        at: "1; 2; 100; 4; 5/2; 4/5; (−4)/5",
        means: "d = 1, gradients u and v of the record that changes, L_1 such that K = 100",
        instead: "kl-lem-8-mech-repaired",
        ..NOTHING
    };
    "kl-lem-8-reading-ceil": Printed {
        all: "L₀ > 0; n > 0; K > 0; ρ > 0; σ > 0; u",
        given: "1 ≤ n; K ≤ 1; σ = L₀·√(K)/(n·√(ρ)); u ≤ L₀; (−1)·u ≤ L₀",
        says: "(u/n)²/(2·σ²) ≤ 2·ρ",
        at: "1; 2; 1/16; 1; 1/8; 4/5",
        means: "d = 1, the first gradient of the one round, u that of the record that goes, γ = \
            L_1 = 1 and F_0 near 1/2 such that K = 1/16",
        instead: "kl-lem-8-reading-zero-out",
        ..NOTHING
    };
    "kl-lem-2-count": Printed {
        all: "K > 0; F₀ > 0; n > 0; ρ > 0; γ > 0; L₀ > 0; d > 0; l > 0; Φ > 0; T > 0",
        given: "1 ≤ n; 1 ≤ d; F₀ ≤ L₀·γ; F₀ ≤ 32·γ·L₀·√(K·d)·l/(n·√(ρ)); Φ = F₀; T = F₀/Φ",
        says: "K·T ≤ K·(n·√(ρ)·F₀/(γ·L₀·√(K·d)))",
        at: "100; 1/500; 1000; 1; 1; 1; 1; 2; 1/500; 1",
        means: "κ = 1, L_1 such that K = 100, l = √log(1/β′), so that Φ_k = Φ and T_k = T for \
            all k, β = 20·e⁻⁴",
        instead: "kl-lem-2-count-repaired",
        ..NOTHING
    };
    "kl-thm-3-round-proof": Printed {
        all: "Nₜ > 0; L₀ > 0; d > 0; Λ > 0; n > 0; ρ > 0; σ > 0; m > 0",
        given: "1 ≤ n; 1 ≤ d; Nₜ/√(d·Λ) ≤ σ; 2·L₀/(n·√(ρ)) ≤ σ; (σ − Nₜ/√(d·Λ))·(σ − \
            2·L₀/(n·√(ρ))) = 0; m ≤ L₀²·d·Λ/(n²·Nₜ²); m ≤ ρ/2; (L₀²·d·Λ/(n²·Nₜ²) − m)·(ρ/2 − m) = \
            0",
        says: "(L₀/(n·σ))² = m",
        at: "1; 1; 1; 4; 2; 1; 1; 1/2",
        means: "σ_t = σ the larger of its two, the minimum m",
        instead: "kl-thm-3-round-repaired",
        ..NOTHING
    };
    "kl-lem-5-proof": Printed {
        with: "F(w) := w²/16; g(w) := w/8",
        also: "for every real x: for every real y: F(y) = F(x) + g(x)·(y − x) + (1/16)·(y − x)²; \
            for every real x: F(x) = 4·g(x)²",
        all: "w > 0; b > 0",
        given: "g(w) + 1/100 ≤ b",
        says: "F(w) ≤ 2·b²",
        at: "8; 11/10",
        means: "κ = 2, γ = 2, L_1 = 1/8, L_0 = 2, w_t = w_0 = w, F linear beyond |w| = 16",
        instead: "kl-lem-5-repaired",
        ..NOTHING
    };
    "kl-thm-4-budget-proof-stop": Printed {
        all: "ρ > 0; n > 0; a ≥ 0; b ≥ 0",
        given: "a ≤ ρ/4; b ≤ ρ/4; √(ρ)/n + a ≤ ρ/2; ρ/2 + 1/100 ≤ (√(ρ)/n + a) + (√(ρ)/n + b)",
        says: "ρ ≤ (√(ρ)/n + a) + (√(ρ)/n + b)",
        at: "1; 10; 1/4; 1/4",
        means: "T = 1, a and b are L_0²dΛ/(n²N_t²) for t = 0 and 1, each at most ρ/4: σ_t = \
            N_t/√(dΛ)",
        instead: "kl-thm-4-budget-repaired",
        ..NOTHING
    };
    "kl-thm-4-budget-proof-count": Printed {
        all: "ρ > 0; n > 0; a ≥ 0; b ≥ 0",
        given: "a ≤ ρ/4; b ≤ ρ/4; √(ρ)/n + a ≤ ρ/2; ρ/2 + 1/100 ≤ (√(ρ)/n + a) + (√(ρ)/n + b)",
        says: "(√(ρ)/n + a) + (√(ρ)/n + b) = √(ρ)/n + (a + b)",
        at: "1; 100; 1/4; 1/4",
        means: "T = 1 and one phase, K_0 = 0 and K_1 = 1, a and b are L_0²dΛ/(n²N_t²) for t = 0 \
            and 1, each at most ρ/4: σ_t = N_t/√(dΛ)",
        instead: "kl-thm-4-budget-repaired",
        ..NOTHING
    };
    "kl-thm-8-chain": Printed {
        all: "q > 0; a > 0; u; v",
        given: "q ≤ 1; a = q/2; (−1)·a ≤ u; u ≤ a; (−1)·a ≤ v; v ≤ a; v = u",
        says: "(u − a)² + (v + a)² ≤ (1/2)·(((1 + q)/2·(a − u) + (1 − q)/2·(u + a) − (1 − \
            q)/2·2·a) + ((1 − q)/2·(a − v) + (1 + q)/2·(v + a) − (1 − q)/2·2·a))",
        at: "1/2; 1/4; (−1)/4; (−1)/4",
        means: "τ = 2, n = 4, ε = 1/2, the constant output u = v, F at it and at the minimisers a \
            and −a",
        instead: "kl-thm-8-chain-repaired",
        ..NOTHING
    };
    "kl-thm-9-proof": Printed {
        some: "C > 0",
        all: "a > 0; b; t > 0",
        given: "t = a + b",
        says: "t ≤ C·a",
        at: "1; C; 1 + C",
        means: "a = log(n²log²(2/β)/(dβ)), b = log(2ρ), t = log(2T/β) for T = n²ρ·log²(2/β)/d; a \
            larger C is one, too",
        instead: "kl-thm-9-proof-repaired",
        ..NOTHING
    };
    "kl-def-valley-proof": Printed {
        all: "m ≥ 0; f ≥ 0; w > 0; β; α; α′",
        given: "m ≤ f; f ≤ β; m + w ≤ β; (β − f)·(β − (m + w)) = 0; f ≤ α; m + β ≤ α; (α − f)·(α − \
            (m + β)) = 0; f ≤ α′; m + w ≤ α′; (α′ − f)·(α′ − (m + w)) = 0",
        says: "α = α′",
        at: "1; 3/2; 1/2; 3/2; 5/2; 3/2",
        means: "F(w*) = m, F(w_0) = f, w = 2(γ^{κ/2} + L_0)b, β the inner maximum, α the outer \
            one, α′ that of Section 5",
        instead: "kl-def-valley-repaired",
        ..NOTHING
    };
}
