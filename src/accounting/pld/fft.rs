//! A fast Fourier transform whose rounding error is bounded.
//!
//! Radix-2 decimation in frequency forwards (natural order in, bit-reversed out) and decimation in
//! time backwards (bit-reversed in, natural out), so that no reordering pass is needed. The recursion
//! is depth-first, so that blocks stay in cache, and splits over threads near the root.
//!
//! Error (after Higham 2002, Theorem 24.2): a stage multiplies the 2-norm by √2 and adds a relative
//! error of at most η = μ + √5u + u (twiddle, product, sum), with |ω̂ − ω| ≤ μ: [`Real::STAGE`].
//! After log₂N stages ‖x̂ − x‖₂ ≤ ((1+η)^{log₂N} − 1)·‖x‖₂.

use super::real::Real;
use crate::float::Complex;

/// Below this length the recursion becomes a loop.
const BLOCK: usize = 1024;
/// Below this length a branch is not given to another thread.
const PARALLEL: usize = 1 << 15;

/// A transform of N = 2M real numbers by a complex one of half the length (Cooley, Lewis and Welch 1970).
///
/// Numbers 2j and 2j + 1 are the real and imaginary part of entry j. Of the spectrum W, conjugate symmetric,
/// entry p holds W_k with k < M the bit-reversed p; entry 0 holds the real numbers W₀ and W_M.
///
/// Error: the complex transform Z has that of its log₂M stages. With E and O the spectra of the even and odd
/// numbers, W_k = E_k + ω^k·O_k multiplies the 2-norm (over all N) by √2 and adds at most the rounding of
/// two sums and a product, less than that of two stages. The way back is the same, reversed.
///
/// ```
/// use dp_assay::accounting::float::Complex;
/// use dp_assay::accounting::pld::fft::RealFft;
///
/// // The numbers 1, …, 8, two to an entry. Their sum is the first of the spectrum.
/// let fft = RealFft::new(8);
/// let numbers = [1.0, 3.0, 5.0, 7.0].map(|x| Complex::new(x, x + 1.0));
/// let mut spectrum = numbers;
/// fft.forward(&mut spectrum, 0.0);
/// assert!((spectrum[0].re - 36.0).abs() < 1e-12);
/// // There and back multiplies by N/2 = 4.
/// fft.backward(&mut spectrum);
/// assert!(spectrum.iter().zip(numbers).all(|(x, y)| (*x - y.scale(4.0)).norm() < 1e-12));
/// ```
#[derive(Clone, Debug)]
pub struct RealFft<T = f64> {
    half: Fft<T>,
    /// ω^k = e^{−2πik/N}, k < N/2.
    turns: Vec<Complex<T>>,
}

impl<T: Real> RealFft<T> {
    /// Transforms of length `len`, rounded up to a power of two, at least 4.
    #[must_use]
    pub fn new(len: usize) -> Self {
        let len = len.next_power_of_two().max(4);
        let turns = T::roots(len);
        let half = Fft {
            len: len / 2,
            twiddles: turns.iter().step_by(2).copied().collect(),
        };
        Self { half, turns }
    }

    /// N.
    #[must_use]
    pub fn len(&self) -> usize {
        2 * self.half.len
    }

    /// Whether N = 0 (never).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Bound on ‖Ŵ − W‖₂/‖W‖₂ of one transform, either way.
    #[must_use]
    pub fn error(&self) -> f64 {
        Self::error_at(self.len())
    }

    /// The same of a transform of so many numbers, a power of two from 4 on, or of the next one.
    #[must_use]
    pub fn error_at(len: usize) -> f64 {
        1.01 * T::STAGE * f64::from(len.next_power_of_two().trailing_zeros() + 1)
    }

    /// W_k = Σ x_j e^{−2πijk/N}. Entries with |W_k|² certainly below `negligible` become 0. Panics unless
    /// `x` has length N/2.
    pub fn forward(&self, x: &mut [Complex<T>], negligible: f64) {
        self.half.forward(x);
        x[0] = Complex::new(x[0].re + x[0].im, x[0].re - x[0].im);
        self.for_each_pair(x, |z, mirror, turn| {
            // |W_k| ≤ |E_k| + |O_k| ≤ |Z_k| + |Z_{M−k}|
            if 2.0 * (nearest(z).norm_square() + nearest(mirror).norm_square()) < negligible {
                return (Complex::default(), Complex::default());
            }
            let even = halved(z + mirror.conj());
            let odd = halved(z - mirror.conj());
            let turned = Complex::new(odd.im, -odd.re) * turn;
            (even + turned, (even - turned).conj())
        });
    }

    /// Σ W_k e^{2πijk/N}/2, over all N frequencies: M times the inverse. Panics unless `x` has length N/2.
    pub fn backward(&self, x: &mut [Complex<T>]) {
        x[0] = halved(Complex::new(x[0].re + x[0].im, x[0].re - x[0].im));
        let zero = Complex::default();
        self.for_each_pair(x, |w, mirror, turn| {
            if w == zero && mirror == zero {
                return (zero, zero);
            }
            let even = halved(w + mirror.conj());
            let odd = halved(w - mirror.conj()) * turn.conj();
            let turned = Complex::new(-odd.im, odd.re);
            (even + turned, (even - turned).conj())
        });
        self.half.backward(x);
    }

    /// Replaces entries k and M − k for 0 < k ≤ M/2 by `f` of both and ω^k.
    fn for_each_pair(
        &self,
        x: &mut [Complex<T>],
        f: impl Fn(Complex<T>, Complex<T>, Complex<T>) -> (Complex<T>, Complex<T>),
    ) {
        let bits = self.half.len.trailing_zeros();
        for position in 1..x.len() {
            let mirror = mirror(position);
            if mirror < position {
                continue;
            }
            let k = position.reverse_bits() >> (usize::BITS - bits);
            let (here, there) = f(x[position], x[mirror], self.turns[k]);
            x[mirror] = there;
            x[position] = here;
        }
    }
}

fn halved<T: Real>(z: Complex<T>) -> Complex<T> {
    Complex::new(z.re.halved(), z.im.halved())
}

/// The nearest complex number of binary64.
pub(super) fn nearest<T: Real>(z: Complex<T>) -> Complex {
    Complex::new(z.re.to_f64(), z.im.to_f64())
}

/// The index of the frequency −k where `position` is that of k, in bit-reversed order.
fn mirror(position: usize) -> usize {
    if position == 0 {
        return 0;
    }
    let top = 1usize << position.ilog2();
    3 * top - 1 - position
}

/// The complex transform, and its twiddle factors for one length.
#[derive(Clone, Debug)]
struct Fft<T> {
    /// N, a power of two, at least 2.
    len: usize,
    /// e^{−2πik/N}, k < N/2.
    twiddles: Vec<Complex<T>>,
}

impl<T: Real> Fft<T> {
    /// X_k = Σ x_j e^{−2πijk/N}, in bit-reversed order. Panics unless `x` has length N.
    fn forward(&self, x: &mut [Complex<T>]) {
        assert_eq!(x.len(), self.len);
        self.decimate_frequency(x, 1);
    }

    /// Σ X_k e^{2πijk/N} from bit-reversed order: N times the inverse. Panics unless `x` has length N.
    fn backward(&self, x: &mut [Complex<T>]) {
        assert_eq!(x.len(), self.len);
        self.decimate_time(x, 1);
    }

    fn decimate_frequency(&self, x: &mut [Complex<T>], stride: usize) {
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
    fn butterflies_down(&self, x: &mut [Complex<T>], stride: usize) {
        let (low, high) = x.split_at_mut(x.len() / 2);
        let twiddles = self.twiddles.iter().step_by(stride);
        for ((a, b), w) in low.iter_mut().zip(high).zip(twiddles) {
            let (sum, difference) = (*a + *b, *a - *b);
            *a = sum;
            *b = difference * *w;
        }
    }

    fn decimate_time(&self, x: &mut [Complex<T>], stride: usize) {
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
    fn butterflies_up(&self, x: &mut [Complex<T>], stride: usize) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;

    /// Spectra of a few numbers by their definition, forwards and back, at lengths on either side
    /// of every way to go.
    #[test]
    fn transforms_are_off_by_no_more_than_they_say() {
        let mut errors = Vec::new();
        for len in [3usize, 4, 8, 64, 1024] {
            let fft = RealFft::new(len);
            errors.push(fft.error());
            let n = fft.len();
            assert!(n >= len && n < 2 * len.max(3), "{len}: {n}");
            let x: Vec<f64> = (0..n).map(|j| 1.0 / (1 + j * j % 7) as f64).collect();
            let mut packed: Vec<Complex> = x
                .chunks(2)
                .map(|pair| Complex::new(pair[0], pair[1]))
                .collect();
            fft.forward(&mut packed, 0.0);
            let size = x.iter().map(|x| x * x).sum::<f64>().sqrt();
            let (mut sum, mut other) = (0.0, 0.0);
            for (j, x) in x.iter().enumerate() {
                (sum, other) = (sum + x, if j % 2 == 0 { other + x } else { other - x });
            }
            let most = 1e-13 * size * (n as f64).sqrt();
            assert!((packed[0].re - sum).abs() < most && (packed[0].im - other).abs() < most);
            fft.backward(&mut packed);
            let inverse = 1.0 / packed.len() as f64;
            let back = packed.iter().flat_map(|z| [z.re * inverse, z.im * inverse]);
            let off: f64 = back.zip(&x).map(|(a, b)| (a - b).powi(2)).sum();
            assert!(off.sqrt() <= 2.0 * fft.error() * size, "{len}: {off:e}");
            errors.push(steady::mark(
                &packed.iter().flat_map(|z| [z.re, z.im]).collect::<Vec<_>>(),
            ));
        }
        steady::holds(
            &errors,
            "5.1323687939544e-15 1535842102895736.0 5.1323687939544e-15 1535842102895736.0
         6.8431583919392e-15 2046987778453034.0 1.19755271858936e-14 6639999737822679.0
         1.88186855778328e-14 5027243347847825.0",
        );
    }
}
