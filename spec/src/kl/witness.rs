//! Where the corrected theorems say something: the smallest number of records at which their bound is below what the start gives.
//!
//! The witness: records of norm at most 1 in d = 10 dimensions, logistic loss plus λh(‖w‖), λ = 1/10, with h(r) = r²/2 up to R = √(2/λ) and Rr − R²/2
//! beyond. Every f(.;x) is (1 + λR)-Lipschitz and (1/4 + λ)-smooth on R^d, F(0) = log 2, and {F ≤ 1} lies where ‖w‖ ≤ R: there F is λ-strongly convex,
//! hence (1/√(2λ), 2)-KL* with respect to its minimum. Theorem 2 asks for it where F − F* ≤ log 2: that is so on the ball ‖w‖ ≤ R, which has the
//! minimum, and beyond it F rises along w by at least λR − max_u u/((1 + e^u)R) ≥ 0.38, and 0.38²/(2λ) ≥ log 2. Without regulariser (λ = 0) it is
//! the witness of Theorem 5. ε = 1, δ = n⁻², β = 1/100; ρ is the budget with ρ + 2√(ρ log(1/δ)) = ε. Double precision: a threshold may be off by a record.

use crate::claim::{Claim, Kind, by_kernel};

/// The claim of this part.
pub(super) const CLAIMS: [Claim; 1] = [THM_4_WITNESS];

/// `kl-thm-4-witness`, a theorem of the kernel: the logistic loss alone has λ = 0.
pub const THM_4_WITNESS: Claim = Claim {
    id: "kl-thm-4-witness",
    place: "Sec. 3 to 5, App. E, Theorems 1, 2, 4, 5 and 9, corrected: the witness",
    kind: Kind::PathwiseInequality,
    statement: "f(w; x) = log(1 + exp(<x, w>)) + λ h(|w|), h(r) = r^2/2 up to R and R r - R^2/2 \
        beyond, is convex, (1 + λ R)-Lipschitz and (1/4 + λ)-smooth on R^d, F(0) ≤ 1 and F(0) - F \
        ≤ log 2; for λ R^2 = 2 a step of which smoothness promises F ≤ 1 ends where |w| ≤ R; with \
        2 λ γ^2 = 1, F is (γ, 2)-KL* where |w| ≤ R, with respect to every value that it has there, \
        and if λ R^2 = 2, wherever it is at most log 2 above such a value, too",
    hypotheses: "|x| ≤ 1, x being the features of a record times minus its label ±1, λ ≥ 0, R > 0",
    check: by_kernel,
    ..Claim::ALONE
};

/// Constants of a loss, and a bound on F(w₀) − F* at w₀ = 0.
struct Loss {
    lipschitz: f64,
    smooth: f64,
    /// γ², for κ = 2.
    square: f64,
    gap: f64,
}

/// d.
pub const DIMENSION: f64 = 10.0;

/// β.
pub const BETA: f64 = 0.01;

/// λ.
pub const LAMBDA: f64 = 0.1;

impl Loss {
    fn regularised() -> Self {
        Self {
            lipschitz: 1.0 + (2.0 * LAMBDA).sqrt(),
            smooth: 0.25 + LAMBDA,
            square: 0.5 / LAMBDA,
            gap: std::f64::consts::LN_2,
        }
    }

    /// L₀²d/Y², the unit of all bounds, for a budget that gives Y = n√ρ.
    fn unit(&self, y: f64) -> f64 {
        self.lipschitz.powi(2) * DIMENSION / (y * y)
    }
}

/// n√ρ for `share` of the budget.
fn scale(n: u64, share: f64) -> f64 {
    let n = n as f64;
    let log = 2.0 * n.ln();
    n * ((log + 1.0).sqrt() - log.sqrt()) * share.sqrt()
}

/// The smallest n from 16 on at which a bound that falls with n is below `trivial`.
fn smallest(bound: impl Fn(u64) -> f64, trivial: f64) -> u64 {
    let below = |n: u64| bound(n) < trivial;
    let mut high = 16;
    while !below(high) {
        high *= 2;
    }
    let mut low = high / 2;
    while low + 1 < high {
        let middle = low.midpoint(high);
        if below(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

/// Bound of `kl-thm-1-corrected`, κ = 2, for n records; infinite where the run does not begin.
#[must_use]
pub fn spider(n: u64) -> f64 {
    let loss = Loss::regularised();
    let target = loss.square * loss.unit(scale(n, 1.0));
    let bracket = (loss.gap / target).ln();
    if bracket <= 0.0 {
        return f64::INFINITY;
    }
    let rounds = ((1.0 + 64.0 * loss.square * loss.smooth) * bracket).ceil();
    48.0_f64.powi(2) * target * rounds * (rounds / BETA).ln()
}

/// Bound of `kl-thm-2-corrected`, κ = 2, with L̃₁ = 1/(4γ²): the loss is convex.
fn proximal(n: u64) -> f64 {
    let loss = Loss::regularised();
    let y = scale(n, 1.0);
    let target = loss.square * loss.unit(y);
    let bracket = (loss.gap / target).ln();
    if bracket <= 0.0 {
        return f64::INFINITY;
    }
    let calls = (9.0 * bracket).ceil();
    let (square, own) = ((n as f64).powi(2), BETA / calls);
    let omega = (square * (1.0 / own).ln().powi(2) / (DIMENSION * own)).ln();
    let steps = y * y / calls * (2.0 / own).ln().powi(2) / DIMENSION;
    let budget = y * y / square / calls;
    if omega < 1.0 || steps < 1.0 || budget > 0.25 {
        return f64::INFINITY;
    }
    356.0_f64.powi(2) * target * calls * omega
}

/// b², A and D of `kl-alg-3-corrected`.
fn adaptive_scales(lipschitz: f64, y: f64) -> (f64, f64) {
    let log = (y / BETA).ln();
    let factor = 2.0 * (DIMENSION.sqrt() + (2.0 * log).sqrt());
    (lipschitz.powi(2) * log / y, factor * lipschitz / y)
}

/// Bound of `kl-thm-4-corrected`, κ = 2, for n records; infinite where the valley does not lie in {F ≤ 1}.
#[must_use]
pub fn adaptive(n: u64) -> f64 {
    let loss = Loss::regularised();
    let y = scale(n, 1.0);
    if y < 8.0 {
        return f64::INFINITY;
    }
    let (noise, a) = adaptive_scales(loss.lipschitz, y);
    if loss.gap + 2.0 * noise * (loss.square + 1.0 / (8.0 * loss.smooth)) > 1.0 {
        return f64::INFINITY;
    }
    let z = loss.square * loss.smooth;
    let terms = [
        289.0 * loss.square * z * a * a,
        8.0 * loss.square * noise,
        loss.square * (2.0 * a + (2.0 * noise).sqrt()).powi(2),
        loss.gap * (-3.0 * y / (512.0 * z)).exp(),
    ];
    terms.into_iter().fold(0.0, f64::max)
}

/// Bound of `kl-thm-5-corrected` for logistic loss alone, all of the budget being 3ρ/2.
fn stationary(n: u64) -> f64 {
    let (smooth, gap) = (0.25, std::f64::consts::LN_2);
    let y = scale(n, 2.0 / 3.0);
    if y < 8.0 {
        return f64::INFINITY;
    }
    let (noise, a) = adaptive_scales(1.0, y);
    let product = 128.0 / 3.0 * gap * smooth;
    let largest = (product / y)
        .sqrt()
        .max((product * a * a).powf(0.25))
        .max(2.0 * a);
    (2.0 * noise).sqrt() + 4.0 * (y / BETA).ln() / y + largest
}

/// The minimum of the last display of App. D.6, with its constants, all of the budget being 2ρ; the number of rounds, which the
/// run decides, is the largest that a budget allows, n√ρ/2.
fn stationary_printed(n: u64) -> f64 {
    let y = scale(n, 0.5);
    let log = (y / BETA).ln();
    let product = std::f64::consts::LN_2 * 0.25;
    let root = (product * DIMENSION * log).sqrt();
    let second = (6.0 * root / y).sqrt() + 3.0 * log / y.sqrt() + 4.0 * log / y;
    let first = (8.0 * product / (y / 2.0)).sqrt() + (log / y).sqrt();
    first.min(second)
}

/// Bound of `kl-thm-9-corrected` for logistic loss alone of n records in so many dimensions, L̃₁ = `curvature`; the claim spends ρ/2
/// where ρ is given.
#[must_use]
pub fn regularised(n: u64, dimension: f64, curvature: f64) -> f64 {
    let y = scale(n, 2.0);
    let steps = (y * (2.0 / BETA).ln()).powi(2) / dimension;
    1101.0 * dimension * (2.0 * steps.ceil() / BETA).ln() / (curvature * y * y)
}

/// That of the figures.
fn regularised_figure(n: u64) -> f64 {
    regularised(n, DIMENSION, LAMBDA)
}

/// Theorem 1 on the witness: excess risk below log 2.
pub(crate) fn spider_bites() -> u64 {
    smallest(spider, Loss::regularised().gap)
}

/// Theorem 2 on the witness.
pub(crate) fn proximal_bites() -> u64 {
    smallest(proximal, Loss::regularised().gap)
}

/// Theorem 4 on the witness.
pub(crate) fn adaptive_bites() -> u64 {
    smallest(adaptive, Loss::regularised().gap)
}

/// Theorem 5 on logistic loss: a gradient below 1/2, which is the most that w₀ = 0 has.
pub(crate) fn stationary_bites() -> u64 {
    smallest(stationary, 0.5)
}

/// Theorem 5: corrected over printed bound there.
pub(crate) fn stationary_cost() -> f64 {
    let n = stationary_bites();
    stationary(n) / stationary_printed(n)
}

/// Theorem 9 on logistic loss with L̃₁ = 1/10: below the F̃(w₀) − F̃* ≤ log 2 of the start.
pub(crate) fn regularised_bites() -> u64 {
    smallest(regularised_figure, std::f64::consts::LN_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_fall_beyond_where_they_bite() {
        type Bound = (&'static str, fn(u64) -> f64, fn() -> u64, f64);
        let bounds: [Bound; 5] = [
            ("1", spider, spider_bites, Loss::regularised().gap),
            ("2", proximal, proximal_bites, Loss::regularised().gap),
            ("4", adaptive, adaptive_bites, Loss::regularised().gap),
            ("5", stationary, stationary_bites, 0.5),
            (
                "9",
                regularised_figure,
                regularised_bites,
                std::f64::consts::LN_2,
            ),
        ];
        for (name, bound, bites, trivial) in bounds {
            let n = bites();
            println!("Theorem {name} bites at {n}");
            assert!(bound(n) < trivial && bound(n - 1) >= trivial, "{name}: {n}");
            for k in 1..12 {
                assert!(bound(n << k) < bound(n << (k - 1)), "{name}: {n}");
            }
        }
        println!("Theorem 5: {} of the printed bound", stationary_cost());
    }

    /// Smoothness, KL* and the radius of the witness on a line, for records of three lengths of which a share lies on the other side.
    #[test]
    fn the_witness_has_the_constants_that_are_used() {
        let loss = Loss::regularised();
        let radius = (2.0 / LAMBDA).sqrt();
        let mut beyond = 0;
        for (length, other) in [(1.0, 0.0), (1.0, 0.2), (0.5, 0.0), (0.5, 0.1), (0.25, 0.5)] {
            let value = |w: f64| {
                let h = if w.abs() <= radius {
                    w * w / 2.0
                } else {
                    radius * w.abs() - radius * radius / 2.0
                };
                let part = |m: f64| (-m).exp().ln_1p();
                (1.0 - other) * part(length * w) + other * part(-length * w) + LAMBDA * h
            };
            let slope = |w: f64| {
                let part = |m: f64| -length / (1.0 + m.exp());
                (1.0 - other) * part(length * w) - other * part(-length * w)
                    + LAMBDA * w.clamp(-radius, radius)
            };
            let grid = (-4000..=4000).map(|i| f64::from(i) * 0.005);
            let least = grid.clone().map(value).fold(f64::INFINITY, f64::min);
            for w in grid {
                let (f, g) = (value(w), slope(w));
                let satisfies = f - least <= loss.square * g * g + 1e-12;
                assert!(g.abs() <= loss.lipschitz);
                assert!((slope(w + 1e-3) - g).abs() <= loss.smooth * 1e-3 + 1e-12);
                assert!(f > 1.0 || w.abs() <= radius && satisfies, "{w}");
                // Where Theorem 2 asks for it.
                assert!(f - least > loss.gap || satisfies, "{w}");
                beyond += usize::from(f - least <= loss.gap && w.abs() > radius);
            }
        }
        assert!(beyond > 0, "no point beyond the radius was looked at");
    }
}
