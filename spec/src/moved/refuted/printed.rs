//! What is printed, claim by claim, and where it fails.

use super::{NOTHING, Printed};
use crate::moved::Moved;

refuted! {
    "skgd-thm-4.2-cvx-minimiser": Printed {
        all: "R > 0; S > 0; c > 0; K > 0",
        says: "R²/(R/(S·√(c))) + 12·(R/(S·√(c)))·c·S² ≤ R²/K + 12·K·c·S²",
        at: "10; 1; 1; 3",
        ..NOTHING
    };
    "skgd-rate-block-R": Printed {
        all: "R ≥ 0",
        says: "R² = R",
        at: "2",
        ..NOTHING
    };
    "skgd-thm-4.2-sc-proof-index": Printed {
        all: "F₀ ≥ 0; F₁ ≥ 0; F₂ ≥ 0; N′ ≥ 0",
        given: "F₂ ≤ F₁/2 + N′",
        says: "F₂ ≤ F₀/4 + 2·N′",
        at: "1; 8; 5; 1",
        means: "T = 2, N′ = N_σ: of the rounds t = 0 and t = 1 the range has the second alone",
        instead: "skgd-thm-4.2-sc-proof-index-repaired",
        ..NOTHING
    };
    "skgd-lem-E.1-proof": Printed {
        all: "R ≥ 0; N′ ≥ 0; F₀ ≥ 0; F₁ ≥ 0; F₂ ≥ 0; e ≥ 0",
        given: "(F₁ − F₀/2) + (F₂ − F₁/2) ≤ R²/2 + 2·N′; (F₁ + F₂)/2 − F₀ ≤ (F₁ − F₀/2) + (F₂ − \
            F₁/2); e ≤ (F₁ + F₂)/2",
        says: "e ≤ (1/2)·(R²/2 + F₀ + 2·N′)",
        at: "0; 1; 0; 1; 3/2; 5/4",
        ..NOTHING
    };
    "gcd-lem-B.4-proof-sign": Printed {
        all: "ξ > 0; u > 0; ω > 0; c₀ > 0",
        given: "u ≤ ξ; u ≤ c₀; ω = 2·u/c₀",
        says: "(1 − ω)·(ξ − u) − (ξ − u)²/c₀ = ξ − ω·ξ − u + ω·u − ξ²/c₀ − 2·ξ·u/c₀ − u²/c₀",
        at: "2; 1; 1/8; 16",
        means: "ξ = ξ_t, above u as for t < t* − 1",
        instead: "gcd-lem-B.4-proof-sign-repaired",
        ..NOTHING
    };
    "gcd-thm-4.7-proof": Printed {
        some: "C > 0",
        all: "s > 0; l > 0; b > 0; T > 0",
        given: "1 ≤ s; T = l·s",
        says: "4·b·T·s ≤ C·4·b·l·s",
        at: "1 + C; 1; 1; 1 + C",
        ..NOTHING
    };
    "gcd-thm-4.7-b-proof": Printed {
        all: "μ > 0; β > 0; a > 0",
        given: "μ ≤ 1",
        says: "(4/μ)·(β + (μ/8)·a) ≤ 4·β/μ + a/8",
        at: "1; 1; 1",
        ..NOTHING
    };
    "gcd-thm-4.7-b-proof-product": Printed {
        all: "q₀ > 0; q₁ > 0; ξ₀ ≥ 0; ξ₁ ≥ 0; c ≥ 0",
        given: "3/4 ≤ q₀; q₀ ≤ 1; 3/4 ≤ q₁; q₁ ≤ 1; ξ₁ ≤ q₀·ξ₀ + c",
        says: "ξ₁ ≤ q₀·q₁·ξ₀ + q₁·c",
        at: "3/4; 3/4; 1; 7/4; 1",
        means: "T = 1, c = c_0",
        instead: "gcd-thm-4.7-b-repaired",
        ..NOTHING
    };
    "gcd-thm-4.4-sc-b-proof-sum": Printed {
        all: "q > 0; ξ₀ ≥ 0; ξ₁ ≥ 0; β ≥ 0",
        given: "3/4 ≤ q; q ≤ 1; ξ₁ ≤ q·ξ₀ + β",
        says: "ξ₁ ≤ q·ξ₀ + q·β",
        at: "3/4; 1; 7/4; 1",
        means: "T = 1",
        instead: "gcd-thm-4.4-sc-b-repaired",
        ..NOTHING
    };
    "gcd-thm-4.4-sc-b-proof": Printed {
        all: "L > 0; ε > 0; M > 0; l > 0; g > 0; β > 0",
        given: "β = (2·((8·L/ε)·√(2·l))²/M)·g²; 3 ≤ g",
        says: "(3/4 + 9/16)·β ≤ 4·32·2·L²·l·g²/(M·ε²)",
        at: "1; 1; 1; 1; 3; 2304",
        ..NOTHING
    };
    "decor-thm-2a-W-proof": Printed {
        all: "t > 0",
        given: "2 ≤ t",
        says: "2/t − 1/t² ≤ 1/t",
        at: "2",
        ..NOTHING
    };
    "decor-thm-2a-W-proof-ratio": Printed {
        all: "μ > 0; t > 0",
        given: "2 ≤ t",
        says: "(16/(μ·(t + 1)))²/(16/(μ·t))² = 1 − (1 + 2·t)/t²",
        at: "1; 2",
        ..NOTHING
    };
    "decor-thm-2a-W-proof-factor": Printed {
        all: "μ > 0; t > 0; V ≥ 0",
        given: "2 ≤ t",
        says: "(μ·(t + 1)/16)²·((−1)·μ·(16/(μ·t))/4 + (1 + 2·t)/t²)·V = (−1)·μ²·(t + 1)²·(4/t − (1 \
            + 2·t)/t²)·V",
        at: "1; 2; 1",
        means: "t = t̂, so that η = 16/(μt) and η⁺ = 16/(μ(t + 1))",
        instead: "decor-thm-2a-W",
        ..NOTHING
    };
    "decor-eq-35-proof": Printed {
        all: "v",
        says: "v = (−1)·v",
        at: "1",
        ..NOTHING
    };
    "decor-thm-2b-proof": Printed {
        all: "p > 0; L > 0; η > 0",
        given: "p ≤ 1/2; η ≤ p/(2·(2·p)·L)",
        says: "η²·L²·6·(1 − p)·3 ≤ p²",
        at: "1/100; 1; 1/4",
        ..NOTHING
    };
    "kl-lem-8-diff": Printed {
        all: "P > 0; γ > 0; n > 0; L₀ > 0; L₁ > 0; G > 0; η > 0; u; v",
        given: "1 ≤ n; P ≤ γ·L₀; (7/(8·γ))·P ≤ G; η = P/(4·γ·L₁·G); u ≤ L₁·η·G; (−1)·u ≤ L₁·η·G; \
            v ≤ L₁·η·G; (−1)·v ≤ L₁·η·G",
        says: "u/n − v/n ≤ P/n",
        at: "1; 1/8; 2; 8; 64; 8; 1/256; 2; 1/2",
        ..NOTHING
    };
    "kl-lem-8-diff-reading-zero-out": Printed {
        all: "P > 0; γ > 0; n > 0; L₀ > 0; L₁ > 0; G > 0; η > 0; u",
        given: "1 ≤ n; P ≤ γ·L₀; (7/(8·γ))·P ≤ G; η = P/(4·γ·L₁·G); u ≤ L₁·η·G; (−1)·u ≤ L₁·η·G",
        says: "u/n ≤ P/n",
        at: "1; 1/8; 2; 8; 64; 8; 1/256; 2",
        ..NOTHING
    };
    "kl-par-alg-2-proof": Printed {
        all: "γ > 0; L₁ > 0; M > 0; c > 0",
        given: "c = 1 + 1/(32·γ²·L₁)",
        says: "1 − 1/(32·c·γ²·M) = 1/c",
        at: "1; 1/2; 1/4; 17/16",
        ..NOTHING
    };
    "kl-lem-1-note": Printed {
        some: "C > 0",
        all: "γ > 0; F₀ > 0; L₁ > 0",
        given: "√(F₀)/γ ≤ L₁",
        says: "F₀/(γ·L₁) ≤ C·γ",
        at: "1; 4·C²; 2·C",
        gap: "1/C",
        ..NOTHING
    };
    "kl-lem-1-proof-sum": Printed {
        all: "F₀ > 0; b > 0; γ > 0; L₁ > 0; c > 0",
        given: "c = 1 + 1/(64·γ²·L₁); F₀/c ≤ b; b ≤ F₀",
        says: "√(b) ≤ √(F₀)/√(c)",
        at: "1; 1; 1; 256/257; 16641/16384",
        ..NOTHING
    };
    "kl-lem-4-proof": Printed {
        some: "C > 0; L₁ > 0",
        all: "r > 0; z > 0",
        says: "(1/L₁)·(1 + r)·(1 + z) ≤ C·((1/L₁)·(1 + r) + z/L₁)",
        at: "2·C + 1; 2·C + 1",
        gap: "L₁",
        ..NOTHING
    };
    "kl-thm-7-gap": Printed {
        all: "L₀ > 0; D > 0; x ≥ 0",
        given: "x ≤ 25·D²",
        says: "(L₀/(2·D))·x = (L₀/D)·x",
        at: "1; 1; 1",
        ..NOTHING
    };
    "kl-lem-10-floor": Printed {
        all: "L₀ > 0; Nₜ > 0; Λ > 0; ρ > 0",
        given: "4 ≤ Λ; √(ρ) ≤ 1 + Λ; Nₜ/√(Λ) ≤ 2·L₀/√(ρ)",
        says: "ρ/2 ≤ √(ρ) + L₀²·Λ/Nₜ²",
        at: "1; 4/5; 4; 25",
        means: "n = d = 1, β = √(ρ)·e^{−Λ}; of any n with n²·ρ for ρ",
        instead: "kl-lem-10-floor-repaired",
        ..NOTHING
    };
    "kl-thm-5-proof-floor": Printed {
        all: "L₀ > 0; Nₜ > 0; Λ > 0; ρ > 0",
        given: "4 ≤ Λ; √(ρ) ≤ 1 + Λ; Nₜ/√(Λ) ≤ 2·L₀/√(ρ)",
        says: "Nₜ ≤ L₀/√(ρ)",
        at: "1; 2; 4; 1",
        means: "n = d = 1, β = √(ρ)·e^{−Λ}, σ_t at its floor",
        instead: "kl-thm-5-repaired",
        ..NOTHING
    };
    "kl-lem-12-descent-proof-last": Printed {
        all: "L₁ > 0; G > 0; b > 0; e ≥ 0",
        given: "e ≤ G + b",
        says: "G²/(8·L₁) − b²/(8·L₁) ≤ G²/(4·L₁) − e²/(8·L₁)",
        at: "1; 24; 1; 25",
        ..NOTHING
    };
    "kl-lem-12-descent-proof-probability": Printed {
        all: "β > 0; p ≥ 0",
        given: "β ≤ 1/4; p ≤ 1; 1 − 2·β ≤ p",
        says: "1 − β ≤ p",
        at: "1/4; 1/2",
        means: "an event of probability p",
        instead: "kl-lem-12-descent-repaired",
        ..NOTHING
    };
    "kl-lem-12-quote": Printed {
        all: "D; G ≥ 0; b > 0; L₁ > 0",
        given: "G²/(8·L₁) − b²/L₁ ≤ D",
        says: "G²/(8·L₁) − b²/(8·L₁) ≤ D",
        at: "1; 4; 1; 1",
        ..NOTHING
    };
    "kl-lem-12-mono-proof": Printed {
        all: "G ≥ 0; L₁ > 0",
        given: "1/L₁ ≤ G²; G²/(8·L₁) − 1/(8·L₁) ≤ 0",
        says: "1 ≤ 0",
        at: "1/4; 24",
        ..NOTHING
    };
    "kl-lem-13-proof-sum": Printed {
        all: "D; G > 0; b > 0; L₁ > 0",
        given: "G²/(8·L₁) − b²/L₁ ≤ D",
        says: "G²/(4·L₁) − b²/(4·L₁) ≤ D",
        at: "71; 24; 1; 1",
        ..NOTHING
    };
    "kl-lem-13-proof-half": Printed {
        all: "Φ > 0; γ > 0; L₁ > 0; b > 0",
        given: "2·γ²·b² ≤ Φ",
        says: "Φ/(2·γ²·L₁) ≤ Φ/(4·γ²·L₁) − b²/(4·L₁)",
        at: "3; 1; 1; 1",
        ..NOTHING
    };
    "kl-lem-13-proof-last": Printed {
        all: "γ > 0; L₁ > 0; c > 0",
        given: "c = 1 + 1/(8·γ²·L₁)",
        says: "1 − 1/(2·c·γ²·L₁) = 1/c",
        at: "1; 1; 9/8",
        means: "5/9 on the left, 8/9 on the right",
        instead: "kl-lem-13-repaired",
        ..NOTHING
    };
    "kl-thm-4-budget": Printed {
        all: "G > 0; Nₜ > 0; b > 0; L₁ > 0",
        given: "Nₜ − G ≤ b; G − Nₜ ≤ b; b²/L₁ ≤ G²",
        says: "1/Nₜ² ≤ 1/(G² − b²/(4·L₁))",
        at: "2; 1; 1; 1",
        ..NOTHING
    };
    "kl-thm-4-budget-proof-length": Printed {
        all: "Φ > 0; γ > 0; L₁ > 0; c > 0",
        given: "c = 1 + 1/(8·γ²·L₁); Φ ≤ 2·γ²·L₁",
        says: "c/Φ − 1 ≤ 1/Φ",
        at: "1/4; 1; 1/8; 2",
        ..NOTHING
    };
    "kl-thm-4-long-proof": Printed {
        all: "Φ > 0; p > 0; ρ > 0",
        given: "Φ ≤ 2·p/√(ρ)",
        says: "Φ ≤ p/√(ρ)",
        at: "2; 1; 1",
        ..NOTHING
    };
    "kl-lem-5-proof-step": Printed {
        all: "L₁ > 0; G > 0; b > 0; e ≥ 0",
        given: "e ≤ G + b",
        says: "G²/(4·L₁) − b²/(8·L₁) ≤ G²/(4·L₁) − e²/(8·L₁)",
        at: "1; 24; 1; 25",
        ..NOTHING
    };
    "kl-lem-5-proof-case": Printed {
        all: "L₁ > 0; G > 0; b > 0",
        given: "b² ≤ G",
        says: "G²/(4·L₁) ≤ G²/(4·L₁) − b²/(8·L₁)",
        at: "1; 1/4; 1/2",
        ..NOTHING
    };
    "kl-thm-5-T-proof": Printed {
        all: "X > 0; Y > 0",
        given: "1/2 ≤ 1/X + 1/(2·Y); X ≤ Y",
        says: "X/2 ≤ 1",
        at: "3; 3",
        ..NOTHING
    };
    "kl-thm-5-T-proof-root": Printed {
        all: "N′ > 0; ρ > 0; L₀ > 0; Λ > 0; F₀ > 0; L₁ > 0",
        given: "4 ≤ Λ; √(ρ) ≤ 1 + Λ; N′ ≤ L₀; N′²·ρ/(L₀²·Λ)/2 ≤ 2",
        says: "√(8·F₀·L₁/2) ≤ 3·L₀·√(F₀·L₁·Λ)/(N′·√(ρ))",
        at: "1; 16; 1; 4; 1; 1",
        means: "n = d = 1, T = 2, N′ = N*, β = √(ρ)·e^{−Λ}",
        instead: "kl-thm-5-T-repaired",
        ..NOTHING
    };
    "kl-thm-5-proof": Printed {
        all: "X > 0; ρ > 0; F₀ > 0; L₁ > 0",
        given: "√(ρ) ≤ X; √(ρ)/2 ≤ 2",
        says: "8·F₀·L₁/2 ≤ 16·F₀·L₁/X",
        at: "16/3; 16; 1; 1",
        means: "n = 1, T = 2",
        instead: "kl-thm-5-repaired",
        ..NOTHING
    };
    "kl-thm-5-proof-min": Printed {
        all: "g ≥ 0; N′ ≥ 0; s > 0; a ≥ 0",
        given: "g ≤ N′ + s; N′ ≤ a",
        says: "g ≤ a",
        at: "25; 24; 1; 24",
        ..NOTHING
    };
    "kl-thm-9-proof-probability": Printed {
        all: "β > 0; u > 0",
        given: "β + u = 1",
        says: "1 − β ≤ (1 − β/2)·(1 − β)",
        at: "1/2; 1/2",
        means: "u = 1 − β",
        instead: "kl-thm-9-repaired",
        ..NOTHING
    };
    "ambssgd-eq-8-9": Printed {
        all: "c₂ > 0; δ > 0; E > 0; δ₀ > 0",
        given: "c₂ ≤ 1/2; δ ≤ 49/50; 100 ≤ E; δ₀ = c₂·δ/E",
        says: "(5/4)/δ₀ ≤ c₂·(5/4)·E/δ",
        at: "1/2; 1/2; 100; 1/400",
        ..NOTHING
    };
    "ambssgd-lem-3.5-proof": Printed {
        all: "A ≥ 0; B ≥ 0; e; f",
        given: "A/2 ≤ e; B/2 ≤ f",
        says: "(√(A) + √(B))²/2 ≤ e + f",
        at: "1; 1; 1/2; 1/2",
        ..NOTHING
    };
    "ambssgd-cmp-regime": Printed {
        some: "k > 0",
        all: "r > 0",
        given: "2 ≤ r",
        says: "1 + r² ≤ k·r",
        at: "2 + k",
        ..NOTHING
    };
    "ambssgd-lem-3.10-util-proof-levels": Printed {
        all: "Δ > 0",
        says: "Δ = 2·Δ",
        at: "1",
        ..NOTHING
    };
    "ambssgd-conv-zcdp-proof": Printed {
        all: "l > 0; a > 0; b > 0",
        given: "a ≤ b",
        says: "1/a² + 2·√(l/a²) ≤ 1/b² + 2·√(l/b²)",
        at: "1; 1; 2",
        ..NOTHING
    };
    "ambssgd-eq-11": Printed {
        some: "l > 0",
        all: "R > 0; K > 0; V > 0",
        says: "R·√(100·l)·K·V·√(100·l) = K·R·l·V",
        at: "1; 1; 1",
        gap: "1/l",
        ..NOTHING
    };
    "gcd-lem-B.5": Printed {
        with: "f(w) := (w − 3)²/2; g(w) := w − 3",
        also: "for every real x: for every real y: f(y) = f(x) + g(x)·(y − x) + (y − x)²/2",
        all: "w",
        given: "w ≤ 3",
        says: "(−1)·((3 − w)/2) ≤ (−1)·(f(w) − f(3))",
        at: "0",
        means: "p = τ = 1, M = 1, α = 0, w* = 3, w = w^t: μ = 1 and ‖∇f(w)‖ = 3 − w",
        instead: "gcd-lem-B.5-repaired",
        ..NOTHING
    };
    "kl-thm-6-red": Printed {
        with: "F(w) := 5·√(1 + w²); P(w) := F(w) + (w + 7/3)⁴",
        also: "for every real x: F(0) ≤ F(x); for every real x: P((−4)/3) ≤ P(x)",
        squares: "(F(x) − 5)²/(10·√(1 + x²)); 25·x²/(10·√(1 + x²)); F(x) − 5 : 1 + x² | (F(x) − 3 \
            + 4·x)²/(10·√(1 + x²)); (4 + 3·x)²/(10·√(1 + x²)); F(x) − 3 + 4·x : 1 + x²; ((x + \
            7/3)² − 1)²; 2·(x + 4/3)²",
        all: "w",
        says: "(w + 4/3)⁴ ≤ P(w) − P((−4)/3)",
        at: "(−40)/9",
        ..NOTHING
    };
    "kl-thm-2-prox-proof": Printed {
        with: "F(w) := w²; P(w) := F(w) + (w − 1)²",
        also: "for every real x: F(0) ≤ F(x); for every real x: P(1/2) ≤ P(x)",
        squares: "2·(x − 1/2)²",
        all: "w",
        given: "P(w) ≤ P(1/2)",
        says: "F(w) = P(w)",
        at: "1/2",
        ..NOTHING
    };
    "kl-lem-12-descent-proof": Printed {
        with: "F(w) := w²/2; g(w) := w",
        also: "for every real x: for every real y: F(y) = F(x) + g(x)·(y − x) + (y − x)²/2",
        all: "w; e",
        says: "g(w)²/4 − e²/8 ≤ F(w) − F(w − (g(w) + e)/2)",
        at: "(−1); 1",
        ..NOTHING
    };
    "kl-lem-12-mono": Printed {
        with: "F(w) := w²/2; g(w) := w",
        also: "for every real x: for every real y: F(y) = F(x) + g(x)·(y − x) + (y − x)²/2; for \
            every real x: F(x) = (1/2)·g(x)²",
        all: "w; e; v",
        given: "0 ≤ w; e ≤ w + 1; (−1)·e ≤ w + 1; v = w − (g(w) + e)/2; g(w)²/8 − 1 ≤ F(w) − F(v); \
            F(w) ≤ 2",
        says: "F(v) ≤ 2",
        at: "39/20; (−243)/100; 219/100",
        ..NOTHING
    };
    "kl-lem-13": Printed {
        with: "F(w) := w²/4; g(w) := w/2",
        also: "for every real x: for every real y: F(y) ≤ F(x) + g(x)·(y − x) + (y − x)²/2; for \
            every real x: F(x) ≤ g(x)²",
        squares: "(y − x)²/4",
        all: "w; e; v",
        given: "0 ≤ w; e ≤ w/2 + 1; (−1)·e ≤ w/2 + 1; v = w − (g(w) + e)/2; g(w)²/8 − 1 ≤ F(w) − \
            F(v); F(v) ≤ F(w); 2 ≤ (8/9)·F(w)",
        says: "F(v) ≤ (8/9)·F(w)",
        at: "28/5; (−14)/5; 28/5",
        ..NOTHING
    };
    "kl-lem-8-grad": Printed {
        all: "L₀ > 0; n > 0; m; u; v",
        given: "1 ≤ n; m ≤ (n − 1)·L₀; (−1)·m ≤ (n − 1)·L₀; u ≤ L₀; (−1)·u ≤ L₀; v ≤ L₀; (−1)·v ≤ \
            L₀",
        says: "(m + u)/n − (m + v)/n ≤ L₀/n",
        at: "1; 2; 0; 4/5; (−4)/5",
        ..NOTHING
    };
}
