//! What is printed, claim by claim, and where it fails: of claims that nothing but the kernel
//! refutes, but for those of kl, and those of `printed` with a meaning.

use super::{NOTHING, Printed};
use crate::moved::Moved;

refuted! {
    "skgd-red-dpsgd": Printed {
        all: "γ > 0; a; b",
        says: "(γ·((a + b)/2))² = (1/2)·(γ·a)² + (1/2)·(γ·b)²",
        at: "1; 1; (−1)",
        means: "ℓ(w; ζ) = ζw on two records with gradients a and b: the squared step without noise \
            of the full gradient on the left, the mean one of a record drawn on the right",
        instead: "skgd-red-dpsgd-restricted",
        ..NOTHING
    };
    "skgd-D1-eps-one": Printed {
        all: "ε > 0",
        given: "ε ≤ 1; 1 ≤ ε",
        says: "1 ≤ 0",
        at: "1",
        means: "an ε that Theorem 4.1 admits and Lemma D.8, which asks for ε < 1, does not (1 ≤ 0 \
            says that there is none)",
        instead: "skgd-thm-4.1",
        ..NOTHING
    };
    "skgd-lem-E.2-reading-variance": Printed {
        all: "a ≥ 0; b ≥ 0; s ≥ 0; t ≥ 0; x; y",
        says: "(1/2)·a·(x² + s) + (1/2)·(a·(x² + t) + b·2²·(y² + t)) = a·x² + 2·b·y² + (1/2)·a·s² \
            + (1/2)·(a·t² + b·(2·t)²)",
        at: "1; 1; 2; 1; 0; 0",
        means: "S = {1} or {1, 2}, equally likely, D = Diag(a, b), x = (x, y), σ_S = s or t the \
            variance of each entry of η",
        instead: "skgd-lem-E.2",
        ..NOTHING
    };
    "skgd-lem-E.4-reading-form": Printed {
        with: "f(w) := w²/2; g(w) := w",
        also: "for every real x: for every real y: f(y) = f(x) + g(x)·(y − x) + (1/2)·(y − x)²",
        all: "M > 0; γ > 0; u; s ≥ 0",
        given: "1 ≤ M",
        says: "u·g(u) ≤ u²/γ − ((u − γ·g(u))²/γ + γ·s) + (1/M − γ)·g(u)² + γ·s",
        at: "1; 2; 1; 1",
        means: "d = 1, S = {1} always, Γ = γ, θ^k − w* = u, s = σ_S²",
        instead: "skgd-lem-E.4-repaired",
        ..NOTHING
    };
    "skgd-lem-E.5-proof-equality": Printed {
        with: "f(w) := w²/2; g(w) := w",
        also: "for every real x: for every real y: f(y) = f(x) + g(x)·(y − x) + (1/2)·(y − x)²",
        all: "M > 0; γ > 0; u; s ≥ 0",
        given: "1 ≤ M; γ = 1/M",
        says: "u·g(u) = u²/γ − ((u − γ·g(u))²/γ + γ·s) + (1/M − γ)·g(u)² + γ·s",
        at: "2; 1/2; 1; 1",
        means: "d = 1, S = {1} always, Γ = γ, θ^k − w* = u, s = σ_S²",
        instead: "skgd-lem-E.5-proof-equality-repaired",
        ..NOTHING
    };
    "gcd-lem-B.5-proof": Printed {
        all: "m > 0; α > 0; τ ≥ 0; p > 0; u ≥ 0; v ≥ 0",
        given: "p = 2; τ = 1; u + 1/100 ≤ α; v + 1/100 ≤ α",
        says: "m·u² + m·v² ≤ m·(p − τ)·α²",
        at: "1; 1; 1; 2; 9/10; 9/10",
        means: "f(w) = (m/2)‖w − w*‖², M = mI, w* = (u, v), π_α(w*) = 0",
        instead: "gcd-lem-B.5-repaired",
        ..NOTHING
    };
    "gcd-eq-41": Printed {
        also: "for every real x: for every real y: ((1/2)/2)·(|x| + |y|)² ≤ (1/2)·(x² + y²)",
        squares: "(1/4)·(√(x²) − √(y²))²",
        all: "τ > 0; μ₁ > 0; μ₂ > 0",
        given: "τ = 1; μ₁ = 1/2; μ₂ = 1",
        says: "(1/τ)·μ₂ ≤ μ₁",
        at: "1; 1/2; 1",
        means: "f(w) = ‖w‖²/2, p = 2, M = I, w − v = (x, y): equal at x = y, so μ_{M,1}^{(τ)} = μ₁",
        instead: "gcd-eq-41-repaired",
        ..NOTHING
    };
    "gcd-thm-4.4-cvx-T-proof": Printed {
        all: "T > 0; n > 0; ε > 0; R > 0; M > 0; L > 0; l > 0",
        given: "1 ≤ n; ε ≤ 1; T³ = n²·ε²·R²·M/(2⁷·L²·l)",
        says: "T³ = R²·M·n²·ε²/(4³·L²·l)",
        at: "1; 8; 1; 1; 2; 1; 1",
        means: "R = R_M, M = M_min, L = L_max, l = log(1/δ), the cubes of both T",
        instead: "gcd-thm-4.4-cvx-T-repaired",
        ..NOTHING
    };
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
    "decor-asm-star": Printed {
        some: "P > 0",
        with: "L₁(x) := (x + 2)²/2; g₁(x) := x + 2; L₂(x) := (x − 1)²; g₂(x) := 2·(x − 1)",
        also: "for every real x: for every real y: L₁(y) = L₁(x) + g₁(x)·(y − x) + (1/2)·(y − x)²; \
            for every real x: for every real y: L₂(y) = L₂(x) + g₂(x)·(y − x) + (y − x)²; g₁(0) + \
            g₂(0) = 0",
        all: "x",
        says: "(g₁(x)² + g₂(x)²)/2 ≤ (g₁(0)² + g₂(0)²)/2 + P·((g₁(x) + g₂(x))/2)²",
        at: "(−1)/(2·P)",
        gap: "4·P",
        means: "two users, minimum at 0, no noise; a larger P is one, too",
        instead: "decor-asm-star-repaired",
        ..NOTHING
    };
    "decor-def-2-weights-reading-a": Printed {
        all: "u ≥ 0; v ≥ 0",
        given: "u = 0; v = 1/(1 + 1)",
        says: "u + v = 1",
        at: "0; 1/2",
        means: "K_2, W_11 = u and W_12 = v",
        instead: "decor-def-2-weights-repaired",
        ..NOTHING
    };
    "decor-def-2-weights-reading-b": Printed {
        all: "u ≥ 0; v ≥ 0",
        given: "u = 1/(1 + 1); v = 1/(2 + 1)",
        says: "u = v",
        at: "1/2; 1/3",
        means: "the path 1–2–3, W_12 = u and W_21 = v; on the regular graphs of §6 u = v",
        instead: "decor-def-2-weights-repaired",
        ..NOTHING
    };
    "decor-thm-2a-eta": Printed {
        all: "μ > 0; L > 0; p > 0; P ≥ 0; M ≥ 0; n > 0; c > 0; η > 0",
        given: "μ ≤ L; p ≤ 1; 4·√(3·(1 − p)·(3·P + p·M)) ≤ c; μ/L ≤ c; 2·p ≤ c; 4·p·M/n ≤ c; (c − \
            4·√(3·(1 − p)·(3·P + p·M)))·(c − μ/L)·(c − 2·p)·(c − 4·p·M/n) = 0; η = \
            16/(μ·(c·L/(μ·p)))",
        says: "η ≤ 1/(2·L)",
        at: "1; 1; 9999/10000; 16/9; 0; 2; 9999/5000; 8",
        means: "zero losses, K_2 with W_11 = 101/200, η_0 = η, c the largest of its four",
        instead: "decor-thm-2a-eta-repaired",
        ..NOTHING
    };
    "decor-lem-8a": Printed {
        all: "a; b; c; e; s > 0",
        says: "((a − c)² + (b − e)²)·s = (2·((a − b)² + (c − e)²)/(2·2))·(2·s)",
        at: "2; 2; 1; 1; 1",
        means: "K_2, W_11 = a, W_12 = b, W_21 = c, W_22 = e, N = (v, −v) with E‖v‖² = s",
        instead: "decor-lem-8a-repaired",
        ..NOTHING
    };
    "decor-lem-8b": Printed {
        all: "n > 0; k > 0",
        given: "2 ≤ n; k = 1",
        says: "(1/2)·((n − 1)·(1/(1 + 1))² + (1/n)²) ≤ 2/k",
        at: "64; 1",
        means: "the star on n users, k_min = k: all edges count alike, so that H is half of one",
        instead: "decor-lem-8b-repaired",
        ..NOTHING
    };
    "decor-lem-8b-reading-mh": Printed {
        all: "a > 0; b > 0",
        given: "1 ≤ a; a ≤ b",
        says: "(1/2)·((a − 1)·(1/(1 + b))² + (b − 1)·(1/(1 + b))² + (1/(1 + b) − (1 + b − a)/(1 + \
            b))²) ≤ 2/a",
        at: "14; 50",
        means: "the complete bipartite graph with sides of a and b, k_min = a: all edges count \
            alike, so that H is half of one",
        instead: "decor-lem-8b-reading-mh-repaired",
        ..NOTHING
    };
    "decor-lem-9-noise": Printed {
        all: "a > 0; d > 0; n > 0; s > 0",
        given: "a + 1/100 ≤ 1; 1 ≤ d; n = 2",
        says: "2·(a − 1/2)²·d·(s + s) = 4·(a − 1/2)²·d·n·s",
        at: "3/4; 1; 2; 1",
        means: "two users, W_11 = W_22 = a, s = σ_cdp², N̄(W − J) = ±(a − 1/2)(v_1 − v_2)",
        instead: "decor-lem-9-noise-repaired",
        ..NOTHING
    };
    "decor-lem-9-proof": Printed {
        all: "a > 0; η > 0; s > 0; n > 0",
        given: "a + 1/100 ≤ 1; n = 2",
        says: "η²·(2·(2·a − 1)²·s)/n ≤ (η²/n)·(2·((1/2)·(2·(2·a − 1)²))·1·s/n)",
        at: "3/4; 1; 1; 2",
        means: "K_2, W_11 = W_22 = a, zero losses, equal starts, s = dσ_cor², σ_cdp = 0",
        instead: "decor-lem-9-repaired",
        ..NOTHING
    };
    "decor-lem-9": Printed {
        all: "l > 0; p > 0; L > 0; η > 0; c ≥ 0; z",
        given: "l ≤ 1; p = 1 − l²; η²·L²·(6·(1 − p)·3) ≤ p²",
        says: "(l·(z + η·(L·z + c)))² ≤ (1 − p/2)·z² + η²·(6·(1 − p)·c²/p)",
        at: "9/10; 19/100; 1; 497/10000; 343/497; 1",
        means: "two users at ±z, d = 1, W_11 = W_22 = (1 + l)/2, ∇L_1(x) = −Lx − c, ∇L_2(x) = −Lx \
            + c: ζ_*² = c², P = 1, M = 0, no noise",
        instead: "decor-lem-9-repaired",
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
    "ambssgd-fact-Rx-gauss": Printed {
        all: "d > 0; m > 0; q > 0",
        given: "1 ≤ d; m = 1; q = 3·m² + (d − 1)·m²",
        says: "q ≤ d·m",
        at: "2; 1; 4",
        means: "x ∼ N(0, I), m = E[x_1²], q = E[‖x‖²x_1²]: E[x_1⁴] = 3m², E[x_1²x_j²] = m²",
        instead: "ambssgd-fact-Rx-gauss-repaired",
        ..NOTHING
    };
    "ambssgd-fact-Rx-dH": Printed {
        all: "x > 0; p > 0; h > 0; R > 0; d > 0",
        given: "p ≤ 1; d = 1; h = p·x²; R·h = p·x⁴",
        says: "R ≤ d·h",
        at: "10; 1/100; 1; 100; 1",
        means: "a number that is x with probability p, else 0; R = R_x², h = ‖H‖",
        instead: "ambssgd-fact-Rx-dH-repaired",
        ..NOTHING
    };
    "ambssgd-def-clip-proof": Printed {
        all: "n > 0; ζ > 0; m > 0",
        given: "1 ≤ m; ζ/n ≤ m; (m − 1)·(m − ζ/n) = 0",
        says: "n·m ≤ ζ",
        at: "1/2; 1/3; 1",
        means: "‖ν‖ = n, m the maximum",
        instead: "ambssgd-def-clip",
        ..NOTHING
    };
    "ambssgd-lem-A.1-sens-proof": Printed {
        all: "ζ > 0; η > 0; g; g′; c; c′",
        given: "g ≤ ζ; (−1)·g ≤ ζ; c = g; ζ ≤ g′; c′ = ζ",
        says: "|η·c′ − η·c| ≤ 2·η·|c|",
        at: "1; 1; 1/10; 5; 1/10; 1",
        means: "d = 1, the clipped gradients c of g and c′ of g′, with the min of Algorithm 1",
        instead: "ambssgd-lem-A.1-sens",
        ..NOTHING
    };
    "ambssgd-eq-15-17": Printed {
        all: "d > 0; β > 0; k > 0; e > 0; E > 0; r > 0",
        given: "1 ≤ d; β ≤ 1; 2/3 ≤ e; r·(1 − e) = 1; k = 1; E = e",
        says: "d + (d/β)·E·r + d·(k − 1) ≤ d·k + (3·d/β)·E",
        at: "1; 1/2; 1; 9/10; 9/10; 10",
        means: "e = exp(−ημ), so that ημ ≤ 1/e − 1 ≤ 1/2, k = T − τ̃, E = e^k, r = 1/(1 − e)",
        instead: "ambssgd-eq-15-17-repaired",
        ..NOTHING
    };
    "ambssgd-eq-24-25": Printed {
        all: "R > 0; l > 0; β > 0; k > 0; e > 0; E > 0; r > 0",
        given: "β ≤ 1; 2/3 ≤ e; r·(1 − e) = 1; k = 1; E = e",
        says: "R·l + (R/β)·E·r + R·l·(k − 1) ≤ R·l·k + (3·R/β)·E",
        at: "1; 1; 1/2; 1; 9/10; 9/10; 10",
        means: "R = R_x², l = log^{2a}(1/β_x), e = exp(−ημ), so that ημ ≤ 1/e − 1 ≤ 1/2, k = T − \
            τ̃, E = e^k, r = 1/(1 − e)",
        instead: "ambssgd-eq-24-25-repaired",
        ..NOTHING
    };
    "ambssgd-lem-B.3": Printed {
        all: "η > 0; N′ > 0; κ > 0; w",
        given: "η ≤ 1; N′ = 1; κ = 1",
        says: "((1 − η)·w)²/2 ≤ (κ/2)·(1 − η·1)·(w²/2)",
        at: "1/4; 1; 1; 1",
        means: "x = ±1, b = 1, N = N′, no noise, w_0 = w, w* = 0",
        instead: "ambssgd-lem-B.3-repaired",
        ..NOTHING
    };
    "ambssgd-eq-54-56": Printed {
        all: "η > 0; b > 0; α > 0; ζ > 0; s > 0",
        given: "η ≤ 1; 1 ≤ b",
        says: "η²·(s/b + (2·ζ·α/b)²) = (η²/b)·s + (η²·α²/b²)·ζ²",
        at: "1; 1; 1; 1; 1",
        means: "x = ±1, s = Σ, the noise term of (55) without clipping",
        instead: "ambssgd-eq-54-56-repaired",
        ..NOTHING
    };
    "ambssgd-lem-3.10-util": Printed {
        all: "s > 0; Γ ≥ 0; c ≥ 0",
        given: "c = s + 1",
        says: "c ≤ s − Γ",
        at: "10; 1; 11",
        means: "all residuals 0, c the count of (U2) whatever γ_priv is, α such that Γ is 1",
        instead: "ambssgd-lem-3.10-util-repaired",
        ..NOTHING
    };
}
