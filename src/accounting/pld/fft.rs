//! A complex fast Fourier transform whose rounding error is bounded.
//!
//! Radix-2 decimation in frequency forwards (natural order in, bit-reversed out) and decimation in
//! time backwards (bit-reversed in, natural out), so that no reordering pass is needed. The recursion
//! is depth-first, so that blocks stay in cache, and splits over threads near the root.
//!
//! Error (after Higham 2002, Theorem 24.2): a stage multiplies the 2-norm by √2 and adds a relative
//! error of at most η = μ + √5u + u (twiddle, product, sum), with |ω̂ − ω| ≤ μ = √2·4u from
//! [`sin_cos`]. After log₂N stages ‖x̂ − x‖₂ ≤ ((1+η)^{log₂N} − 1)·‖x‖₂.

use crate::accounting::float::elementary::{SIN_COS_ERROR, sin_cos};
use crate::accounting::float::{Complex, U};

/// Below this length the recursion becomes a loop.
const BLOCK: usize = 1024;
/// Below this length a branch is not given to another thread.
const PARALLEL: usize = 1 << 15;

/// Twiddle factors for one length.
#[derive(Clone, Debug)]
pub struct Fft {
    len: usize,
    /// e^{−2πik/N}, k < N/2.
    twiddles: Vec<Complex>,
}

impl Fft {
    /// Transforms of length `len`, rounded up to a power of two, at least 2.
    #[must_use]
    pub fn new(len: usize) -> Self {
        let len = len.next_power_of_two().max(2);
        let angle = -2.0 * std::f64::consts::PI / len as f64; // exact scaling of fl(2π)
        let twiddles = (0..len / 2)
            .map(|k| {
                let (sin, cos) = sin_cos(angle * k as f64);
                Complex::new(cos, sin)
            })
            .collect();
        Self { len, twiddles }
    }

    /// N.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether N = 0 (never).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Bound on ‖x̂ − x‖₂/‖x‖₂ of one transform.
    #[must_use]
    pub fn error(&self) -> f64 {
        // The angle 2πk/N ≤ π has relative error 2u, hence absolute error 2πu, beside sin_cos's own.
        let twiddle = std::f64::consts::SQRT_2 * SIN_COS_ERROR + 6.3 * U;
        let stage = (twiddle + 3.3 * U) * (1.0 + 16.0 * U);
        1.01 * stage * f64::from(self.len.trailing_zeros())
    }

    /// X_k = Σ x_j e^{−2πijk/N}, in bit-reversed order. Panics unless `x` has length N.
    pub fn forward(&self, x: &mut [Complex]) {
        assert_eq!(x.len(), self.len);
        self.decimate_frequency(x, 1);
    }

    /// Σ X_k e^{2πijk/N} from bit-reversed order: N times the inverse. Panics unless `x` has length N.
    pub fn backward(&self, x: &mut [Complex]) {
        assert_eq!(x.len(), self.len);
        self.decimate_time(x, 1);
    }

    /// The index of the frequency −k where `position` is that of k, in bit-reversed order.
    #[must_use]
    pub fn mirror(position: usize) -> usize {
        if position == 0 {
            return 0;
        }
        let top = 1usize << position.ilog2();
        3 * top - 1 - position
    }

    fn decimate_frequency(&self, x: &mut [Complex], stride: usize) {
        if x.len() <= BLOCK {
            let mut width = x.len();
            let mut stride = stride;
            while width > 1 {
                for block in x.chunks_exact_mut(width) {
                    self.butterflies_down(block, stride);
                }
                width /= 2;
                stride *= 2;
            }
            return;
        }
        self.butterflies_down(x, stride);
        let parallel = x.len() >= PARALLEL;
        let (low, high) = x.split_at_mut(x.len() / 2);
        join(
            parallel,
            || self.decimate_frequency(low, 2 * stride),
            || self.decimate_frequency(high, 2 * stride),
        );
    }

    /// (a, b) ← (a + b, (a − b)·ωᵏ) over the two halves.
    #[inline]
    fn butterflies_down(&self, x: &mut [Complex], stride: usize) {
        let (low, high) = x.split_at_mut(x.len() / 2);
        let twiddles = self.twiddles.iter().step_by(stride);
        for ((a, b), w) in low.iter_mut().zip(high).zip(twiddles) {
            let (sum, difference) = (*a + *b, *a - *b);
            *a = sum;
            *b = difference * *w;
        }
    }

    fn decimate_time(&self, x: &mut [Complex], stride: usize) {
        if x.len() <= BLOCK {
            let mut width = 2;
            while width <= x.len() {
                let inner = stride * (x.len() / width);
                for block in x.chunks_exact_mut(width) {
                    self.butterflies_up(block, inner);
                }
                width *= 2;
            }
            return;
        }
        let parallel = x.len() >= PARALLEL;
        let (low, high) = x.split_at_mut(x.len() / 2);
        join(
            parallel,
            || self.decimate_time(low, 2 * stride),
            || self.decimate_time(high, 2 * stride),
        );
        self.butterflies_up(x, stride);
    }

    /// (a, b) ← (a + b·ω̄ᵏ, a − b·ω̄ᵏ) over the two halves.
    #[inline]
    fn butterflies_up(&self, x: &mut [Complex], stride: usize) {
        let (low, high) = x.split_at_mut(x.len() / 2);
        let twiddles = self.twiddles.iter().step_by(stride);
        for ((a, b), w) in low.iter_mut().zip(high).zip(twiddles) {
            let turned = *b * w.conj();
            *b = *a - turned;
            *a = *a + turned;
        }
    }
}

fn join(parallel: bool, left: impl FnOnce() + Send, right: impl FnOnce() + Send) {
    if parallel {
        rayon::join(left, right);
    } else {
        left();
        right();
    }
}
