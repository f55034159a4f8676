//! What is printed, claim by claim, and where it fails: of claims that nothing but the kernel refutes.

use super::{NOTHING, Printed};
use crate::moved::Moved;

refuted! {
    "decor-exp-6": Printed {
        some: "C ≥ 0; b",
        with: "L(x) := (x/4 − b)²/2; g(x) := x/16 − b/4",
        also: "for every real x: for every real y: L(y) = L(x) + g(x)·(y − x) + (1/32)·(y − x)²",
        all: "x",
        says: "g(x) ≤ C",
        at: "16·(C + 1) + 4·b",
        means: "user 1, d = 1, ℓ(x, ξ) = L(x) with gradient g",
        instead: "decor-exp-6-repaired",
        ..NOTHING
    };
    "decor-exp-delta": Printed {
        all: "n > 0; m > 0; δ > 0",
        given: "n·m = 60000; δ = 1/10⁵",
        says: "δ ≤ 1/(3·n·m)",
        at: "16; 3750; 1/100000",
        gap: "1000000",
        means: "MNIST over 16 users",
        instead: "decor-exp-delta-repaired",
        ..NOTHING
    };
    "decor-lem-7-proof": Printed {
        all: "L > 0; η > 0; n > 0; M > 0; σ > 0; B > 0",
        given: "η ≤ 1/(2·L); η ≤ n/(4·L·M); B = η²·σ²/n",
        says: "L·B/2 ≤ (L/2)·η²·B",
        at: "1; 1/2; 2; 1; 1; 1/8",
        means: "all users at 0 with the loss Lx²/2, d = 1, E‖x̄⁺ − x̄‖² = B",
        instead: "decor-aux-smooth",
        ..NOTHING
    };
    "decor-lem-8b-proof-square": Printed {
        all: "v ≥ 0; w ≥ 0",
        given: "v = 1/2; w = 1/2",
        says: "2·((v + w²) + (w + v²)) = 4·(v² + w²)",
        at: "1/2; 1/2",
        means: "K_2, ‖W_1‖ = v, ‖W_2‖ = w",
        instead: "decor-lem-8b-repaired",
        ..NOTHING
    };
    "decor-thm-6-proof": Printed {
        all: "q ≥ 0; n > 0",
        given: "q·(q − 1) = 0; q + 1 ≤ n",
        says: "1 ≤ q",
        at: "0; 2",
        means: "q = 0 or q = 1, of n users",
        instead: "decor-thm-6",
        ..NOTHING
    };
    "decor-eq-23-reading-pathwise": Printed {
        all: "u; v",
        says: "(u² + v²)/2 = u²",
        at: "1; 2",
        means: "two users at ±u or at ±v from their mean, equally likely",
        instead: "decor-eq-23",
        ..NOTHING
    };
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
        means: "a charge at its cap",
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
    "ambssgd-eq-44-46": Printed {
        all: "a > 0; b > 0; η > 0",
        given: "b ≤ a; η·(a² + b²) ≤ 1",
        says: "(η·a·b)²·a² + (1 − η·b²)²·b² ≤ (1 − η·b²)·b²",
        at: "1; 1/10; 100/101",
        means: "x = (±a, ±b), H = diag(a², b²), R_x² = a² + b², batches of 1, ω = e_2",
        instead: "ambssgd-eq-44-46-repaired",
        ..NOTHING
    };
    "ambssgd-eq-57-reading-56": Printed {
        all: "η > 0; μ > 0; q > 0; E > 0",
        given: "4·η ≤ 1; μ = 1; q = 1 − 2·η + 4·η²",
        says: "(8/(η·6²))·(q + q² + q³)·E ≤ (8/(η²·μ²·6²))·(1 − η·μ)·(E/2)",
        at: "1/4; 1; 3/4; 1",
        means: "x = 2e_J with J uniform on [4], batches of 1, T = 6, E‖ω_0‖² = E, E‖ω_t‖² = q^t E",
        instead: "ambssgd-eq-57",
        ..NOTHING
    };
    "ambssgd-rem-error-sigma": Printed {
        some: "C > 0",
        all: "k > 0; w > 0; s ≥ 0",
        given: "w = 1",
        says: "k·(w² + s²) ≤ C·(k·w²)",
        at: "1; 1; C + 1",
        means: "‖w*‖_H = w, σ = s, the rest of the term k",
        instead: "ambssgd-rem-error-sigma-repaired",
        ..NOTHING
    };
    "ambssgd-eq-53-proof-index": Printed {
        all: "η > 0; p ≥ 0; q ≥ 0; ω; u; v",
        given: "p ≤ 1; q ≤ 1",
        says: "p·ω + η·u = p·ω + η·(q·u + v)",
        at: "1; 1/2; 1/2; 0; 1; 1",
        means: "d = t = 1, ω_0 = ω, B_0 = p, B_1 = q, ν_0 = u, ν_1 = v",
        instead: "ambssgd-lem-3.11",
        ..NOTHING
    };
    "ambssgd-lem-3.10-util-proof-count": Printed {
        all: "s > 0; c ≥ 0",
        given: "c = s + 1",
        says: "c ≤ s",
        at: "10; 11",
        means: "all residuals 0, c of {0, …, s}",
        instead: "ambssgd-lem-3.10-util-repaired",
        ..NOTHING
    };
    "ambssgd-eq-59-proof-index": Printed {
        all: "η > 0; q ≥ 0; s > 0; ζ > 0; α > 0",
        given: "η ≤ 1; q = 1 − η",
        says: "η²·(s + 4·ζ²·α²) = η²·(q·(s + 4·ζ²·α²)·q)",
        at: "1/2; 1/2; 1; 1; 1",
        means: "x = ±1, batches of 1, Σ = s, B = q, t = 0",
        instead: "ambssgd-eq-59",
        ..NOTHING
    };
}
