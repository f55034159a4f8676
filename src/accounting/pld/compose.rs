//! Composition of lattice laws by one FFT power, with all errors bounded.
//!
//! The masses are tilted first, w_i ∝ m_i·e^{λx_i}, so that the transform's rounding error, which is
//! relative to the largest entries, is relative to the part of the law that decides δ(ε). The product
//! of spectra is the spectrum of the composition modulo N lattice points; what lies outside the
//! window of N points is bounded by Chernoff's bound on the masses themselves.
//!
//! With ρ the transform's error ([`RealFft::error`]), w the folded input and k compositions, the entries
//! after the inverse transform are off by at most, in the 2-norm,
//! (Σ kᵢρ√N‖wᵢ‖₂·e^{Σ kᵢρ√N‖wᵢ‖₂} + 3u·Σkᵢ·‖Y‖₂)(1+ρ)/√N + ρ‖Y‖₂/√N, as |W| ≤ 1 everywhere.
//! What that means for δ(ε) is in [`Composed`]. Where it is too much, the transforms have twice as many digits ([`compose_finely`]):
//! of rare and large losses a tilt shows those far beyond ε, so that near ε it leaves less than such an error.
//!
//! What lies outside the window is folded into it at x − mNh. Of a mass m(x) below the window, m(x)·e^{−λmNh}
//! in untilted terms appears above, little for a window of a few times ln(1/δ)/λ; a mass above the window counts
//! as infinite, whatever it adds below. What is added is never less than nothing, so that upper bounds stay
//! upper bounds; from lower bounds all that lies outside is subtracted.

use super::composed::{Composed, Tails};
use super::fft::{RealFft, nearest};
use super::lattice::{LatticeLaw, Side};
use super::real::Real;
use crate::float::elementary::{exp, exp_m1, ln, ln_1p};
use crate::float::{Complex, Double, U};
use rayon::prelude::*;

/// Laws on one lattice with multiplicities: the factors of one composition.
#[derive(Clone, Debug)]
pub struct Lane {
    /// All with the same step and side.
    pub parts: Vec<(LatticeLaw, u64)>,
    /// Tilt λ ≥ 0.
    pub lambda: f64,
    /// First lattice position of the window.
    pub start: i64,
    /// Shifts of the tilt, downwards and upwards, at which Chernoff's bounds below and above the window
    /// are about best.
    pub shifts: (f64, f64),
}

/// Calls `f(i, e^{λx_i − reference})` for every mass. The power is computed anew every 16 nodes and
/// multiplied by e^{λh} between: relative error below 80u + 2u·(|λ|·reach + |reference|). Not where 16
/// steps would take it from underflow into range, or e^{λh} itself is out of range.
fn for_each_power(law: &LatticeLaw, lambda: f64, reference: f64, mut f: impl FnMut(usize, f64)) {
    let rise = lambda * law.step;
    let (ratio, stride) = if rise.abs() < 4.0 {
        (exp(rise), 16)
    } else {
        (1.0, 1)
    };
    let mut power = 0.0;
    for i in 0..law.masses.len() {
        if i % stride == 0 {
            power = exp(lambda * ((law.first + i as i64) as f64 * law.step) - reference);
        }
        f(i, power);
        power *= ratio;
    }
}

/// ln Σ m_i e^{λx_i} of one law; see [`log_moment_error`].
fn log_moment(law: &LatticeLaw, lambda: f64) -> f64 {
    let end = if lambda < 0.0 {
        law.first
    } else {
        law.first + law.masses.len() as i64 - 1
    };
    let reference = lambda * (end as f64 * law.step);
    let mut sum = 0.0;
    for_each_power(law, lambda, reference, |i, power| {
        sum += law.masses[i] * power
    });
    if sum > 0.0 {
        reference + ln(sum)
    } else {
        f64::NEG_INFINITY
    }
}

/// Bound on the absolute error of [`log_moment`].
fn log_moment_error(law: &LatticeLaw, lambda: f64) -> f64 {
    U * (law.masses.len() as f64 + 96.0 + 8.0 * lambda.abs() * law.reach())
}

impl Lane {
    fn step(&self) -> f64 {
        self.parts.first().map_or(1.0, |(law, _)| law.step)
    }

    /// Upper bound on Σ kᵢ·ln Σ m_i e^{λx_i}.
    fn moment_upper(&self, lambda: f64) -> f64 {
        self.parts
            .iter()
            .map(|(law, count)| {
                *count as f64 * (log_moment(law, lambda) + log_moment_error(law, lambda))
            })
            .sum()
    }

    /// Bound on the P mass, and on the tilted mass relative to the whole, above and below the window.
    fn outside(&self, len: usize) -> Outside {
        let step = self.step();
        let (bottom, top) = (
            self.start as f64 * step,
            (self.start + len as i64 - 1) as f64 * step,
        );
        let base = self.moment_lower();
        let bound = |shift: f64, edge: f64| self.moment_upper(self.lambda + shift) - shift * edge;
        let (mut above, mut below) = (f64::INFINITY, f64::INFINITY);
        for factor in [0.5, 1.0, 2.0] {
            let (down, up) = (factor * self.shifts.0, factor * self.shifts.1);
            above = above.min(bound(up, top) - base);
            below = below.min(bound(-down, bottom) - base);
        }
        // Nothing lies beyond the sums of the outermost positions.
        let reach = |end: fn(&LatticeLaw) -> i64| -> i64 {
            self.parts.iter().fold(0i64, |sum, (law, count)| {
                sum.saturating_add(
                    end(law).saturating_mul(i64::try_from(*count).unwrap_or(i64::MAX)),
                )
            })
        };
        let all_above = reach(LatticeLaw::last) <= self.start.saturating_add(len as i64 - 1);
        if all_above {
            above = f64::NEG_INFINITY;
        }
        if reach(|law| law.first) >= self.start {
            below = f64::NEG_INFINITY;
        }
        let slack = 1.0 + 1e-9;
        Outside {
            tilted: (exp(above.min(0.0)) + exp(below.min(0.0))) * slack,
            mass: if all_above {
                0.0
            } else {
                exp((above + base - self.lambda * top).min(0.0)) * slack
            },
        }
    }

    /// Bound on the tilted mass outside a window, relative to the whole.
    pub(in crate::accounting) fn misses(&self, len: usize) -> f64 {
        self.outside(len).tilted
    }

    fn moment_lower(&self) -> f64 {
        2.0 * self
            .parts
            .iter()
            .map(|(law, c)| *c as f64 * log_moment(law, self.lambda))
            .sum::<f64>()
            - self.moment_upper(self.lambda)
    }
}

/// Bounds on what a window misses.
#[derive(Clone, Copy, Debug)]
struct Outside {
    /// P mass above it.
    mass: f64,
    /// Tilted mass outside it, relative to the whole.
    tilted: f64,
}

/// Composes a lane's parts on a window of at least `len` points.
///
/// ```
/// use dp_assay::accounting::pld::compose::{Lane, compose};
/// use dp_assay::accounting::pld::lattice::{LatticeLaw, Side};
/// use dp_assay::accounting::pld::law::GaussianLaw;
///
/// // Four releases with Δ/σ = ½ are one with 1. The window is from −10.24 to 10.23 nats.
/// let law = LatticeLaw::new(&GaussianLaw { mu: 0.5 }, Side::Above, 0.01, (-500, 500), 0.0);
/// let lane = Lane { parts: vec![(law, 4)], lambda: 4.0, start: -1024, shifts: (5.0, 5.0) };
/// // The exact ε at δ = 10⁻⁵ is 4.38 nats.
/// let epsilon = compose(&lane, 2048).epsilon(1e-5).ok_or("beyond the window")?;
/// assert!((4.37..4.6).contains(&epsilon));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn compose(lane: &Lane, len: usize) -> Composed {
    on_window(lane, convolve::<f64>(lane, len))
}

/// The same with twice as many digits, for some twenty times as long: no error of a transform is left to speak of.
///
/// ```
/// use dp_assay::accounting::pld::compose::{Lane, compose, compose_finely};
/// use dp_assay::accounting::pld::lattice::{LatticeLaw, Side};
/// use dp_assay::accounting::pld::law::GaussianLaw;
///
/// // Without a tilt rounding is all that is seen of a δ of 10⁻²⁰ or less.
/// let law = LatticeLaw::new(&GaussianLaw { mu: 0.5 }, Side::Above, 0.01, (-700, 700), 0.0);
/// let lane = Lane { parts: vec![(law, 4)], lambda: 0.0, start: -2048, shifts: (9.0, 9.0) };
/// let [rough, fine] = [compose(&lane, 4096), compose_finely(&lane, 4096)].map(|c| c.delta(10.0));
/// // Φ(−19/2) − e¹⁰·Φ(−21/2) is 9.8·10⁻²³.
/// assert!(rough > 1e-16 && (9.8e-23..2e-22).contains(&fine), "{rough:e} {fine:e}");
/// ```
#[must_use]
pub fn compose_finely(lane: &Lane, len: usize) -> Composed {
    on_window(lane, convolve::<Double>(lane, len))
}

/// The sum of a lane's parts on a window: masses as they are, for callers whose lattice is none of losses.
#[derive(Clone, Debug)]
pub(in crate::accounting) struct Convolved {
    start: i64,
    step: f64,
    lambda: f64,
    /// Tilted masses, relative to e^K; the truth is not negative.
    tilted: Vec<f64>,
    /// K and how far it may be off.
    scale: Scale,
    /// 2-norm of the absolute error of the tilted masses.
    error: f64,
    outside: Outside,
}

impl Convolved {
    pub(in crate::accounting) fn len(&self) -> usize {
        self.tilted.len()
    }

    /// Bounds on the mass at point j of the window: see [`Self::lower`] and [`Self::upper`].
    #[cfg(test)]
    fn mass(&self, j: usize) -> (f64, f64) {
        (self.lower(j), self.upper(j))
    }

    /// ln of what tilted masses at point j are multiplied by, and how far it may be off.
    fn log(&self, j: usize) -> (f64, f64) {
        let x = (self.start + j as i64) as f64 * self.step;
        let log = self.scale.log - self.lambda * x;
        let rounding = 4.0 * U * (self.scale.log.abs() + (self.lambda * x).abs() + 16.0);
        (log, self.scale.error + rounding)
    }

    /// Lower bound on the mass at point j of the window, without what lies outside, which is folded in.
    pub(in crate::accounting) fn lower(&self, j: usize) -> f64 {
        let least = self.tilted[j] - self.error - self.outside.tilted;
        if !(least > 0.0) {
            return 0.0;
        }
        let (log, off) = self.log(j);
        least * exp((log - off).min(700.0)) * (1.0 - 16.0 * U)
    }

    /// Upper bound on the mass at point j of the window; what lies outside may add to it.
    pub(in crate::accounting) fn upper(&self, j: usize) -> f64 {
        let (log, off) = self.log(j);
        let most = self.tilted[j] + self.error;
        // An exponent beyond all doubles says nothing from above.
        match log + off < 700.0 {
            true => (most * exp(log + off) + 1e-300) * (1.0 + 16.0 * U),
            false => f64::INFINITY,
        }
    }
}

/// The masses of [`compose`] before anything is made of them.
pub(in crate::accounting) fn convolve<T: Real>(lane: &Lane, len: usize) -> Convolved {
    let fft = RealFft::<T>::new(len);
    let n = fft.len() as f64;
    let (mut noise, mut total) = (0.0, 0.0);
    let mut scale = Scale {
        log: 0.0,
        error: T::ROUNDED,
    };
    let mut product: Option<Vec<Complex<T>>> = None;
    for (law, count) in &lane.parts {
        let mut folded = vec![Complex::default(); fft.len() / 2];
        let k = *count as f64;
        scale.add(fold(law, lane.lambda, &mut folded), k);
        noise += k * fft.error() * n.sqrt() * norm(&folded) * 1.01;
        total += k;
        let exact = |z: Complex| Complex::new(T::of(z.re), T::of(z.im));
        let mut spectrum: Vec<Complex<T>> = folded.into_iter().map(exact).collect();
        let power = Power::new(*count);
        fft.forward(&mut spectrum, power.negligible);
        power.raise(&mut spectrum);
        product = Some(match product {
            None => spectrum,
            Some(other) => multiplied(other, &spectrum),
        });
    }
    let mut joined = product.unwrap_or_else(|| vec![Complex::default(); fft.len() / 2]);
    fft.backward(&mut joined);
    let joined: Vec<Complex> = joined.into_iter().map(nearest).collect();
    // ‖Y‖₂ of the whole spectrum: the transform back multiplied it by √N/2.
    let norm = norm(&joined) * 2.0 / n.sqrt() * (1.0 + fft.error()) * 1.01;
    let pruned = 2e-35 * n.sqrt() * lane.parts.len() as f64;
    let spectral = noise * exp(noise.min(600.0)) + 3.0 * T::UNIT * total * norm + pruned;
    let error = (spectral * (1.0 + fft.error()) + fft.error() * norm) / n.sqrt() * 1.01;
    Convolved {
        start: lane.start,
        step: lane.step(),
        lambda: lane.lambda,
        tilted: unpacked(lane.start, &joined),
        scale,
        error,
        outside: lane.outside(2 * joined.len()),
    }
}

/// The inverse transform on the window from `start` on.
fn unpacked(start: i64, joined: &[Complex]) -> Vec<f64> {
    let n = 2 * joined.len();
    let inverse = 1.0 / joined.len() as f64;
    let tilted = (0..n as i64).map(|j| {
        let position = (start + j).rem_euclid(n as i64) as usize;
        let entry = joined[position / 2];
        let value = if position.is_multiple_of(2) {
            entry.re
        } else {
            entry.im
        };
        (value * inverse).max(0.0) // the truth is not negative
    });
    tilted.collect()
}

/// 2-norm of the real numbers packed in `x`; relative error far below 10⁻².
fn norm(x: &[Complex]) -> f64 {
    x.iter().map(|z| z.norm_square()).sum::<f64>().sqrt()
}

/// The product of two spectra, of which entry 0 holds two real numbers.
fn multiplied<T: Real>(mut product: Vec<Complex<T>>, factor: &[Complex<T>]) -> Vec<Complex<T>> {
    let ends = Complex::new(product[0].re * factor[0].re, product[0].im * factor[0].im);
    for (entry, other) in product.iter_mut().zip(factor) {
        *entry = *entry * *other;
    }
    product[0] = ends;
    product
}

/// K and its error, gathered over the parts of a lane.
#[derive(Clone, Copy, Debug, Default)]
struct Scale {
    log: f64,
    error: f64,
}

impl Scale {
    fn add(&mut self, (log, relative): (f64, f64), count: f64) {
        self.log += count * log;
        self.error += count * (relative + 4.0 * U * log.abs());
    }
}

/// Adds the tilted, normalised masses at their positions modulo N, two to an entry; returns (ln of the
/// normaliser, bound on the relative error of every mass).
fn fold(law: &LatticeLaw, lambda: f64, packed: &mut [Complex]) -> (f64, f64) {
    let log = log_moment(law, lambda);
    let n = 2 * packed.len();
    let mut position = law.first.rem_euclid(n as i64) as usize;
    for_each_power(law, lambda, log, |i, power| {
        if law.masses[i] > 0.0 {
            let entry = &mut packed[position / 2];
            let half = if position.is_multiple_of(2) {
                &mut entry.re
            } else {
                &mut entry.im
            };
            *half += law.masses[i] * power;
        }
        position = if position + 1 == n { 0 } else { position + 1 };
    });
    let wraps = law.masses.len() as f64 / n as f64;
    let size = lambda.abs() * law.reach() + log.abs();
    (
        log,
        log_moment_error(law, lambda) + U * (96.0 + wraps + 4.0 * size),
    )
}

/// Entries that a thread takes at once.
const ENTRIES: usize = 4096;

/// z ↦ zᵏ by squarings; relative error 2.3u·k; 0 where |z|ᵏ < e⁻⁸⁰.
struct Power {
    count: u64,
    negligible: f64,
}

impl Power {
    fn new(count: u64) -> Self {
        Self {
            count,
            negligible: exp(-160.0 / (count.max(1) as f64)),
        }
    }

    /// Raises every entry of a spectrum; entry 0 holds two real numbers.
    fn raise<T: Real>(&self, spectrum: &mut [Complex<T>]) {
        let real = |x: T| self.of(Complex::new(x, T::default())).re;
        let ends = Complex::new(real(spectrum[0].re), real(spectrum[0].im));
        let entries = spectrum.par_iter_mut().with_min_len(ENTRIES);
        entries.for_each(|entry| *entry = self.of(*entry));
        spectrum[0] = ends;
    }

    #[inline]
    fn of<T: Real>(&self, z: Complex<T>) -> Complex<T> {
        if nearest(z).norm_square() < self.negligible {
            return Complex::default();
        }
        let one = Complex::new(T::of(1.0), T::default());
        let (mut result, mut base, mut k) = (one, z, self.count);
        loop {
            if k & 1 == 1 {
                result = result * base;
            }
            k >>= 1;
            if k == 0 {
                return result;
            }
            base = base * base;
        }
    }
}

/// What the masses on the window say about losses.
fn on_window(lane: &Lane, found: Convolved) -> Composed {
    let side = lane.parts.first().map_or(Side::Above, |(law, _)| law.side);
    let (error, scale, outside) = (found.error, found.scale, found.outside);
    let tails = Tails::new(found.tilted, lane.lambda, lane.step());
    let sum = |f: fn(&LatticeLaw) -> f64| -> f64 {
        lane.parts
            .iter()
            .map(|(law, count)| f(law) * *count as f64)
            .sum()
    };
    // 1 − Π(1 − mᵢ)^{kᵢ}
    let infinite = -exp_m1(sum(|law| ln_1p(-law.infinite.min(1.0)))).min(0.0);
    let away = if side == Side::Above { 1.0 } else { -1.0 };
    let terms = lane.parts.len() as f64 + 4.0;
    let above = side == Side::Above;
    let offset = sum(|law| law.offset) + away * terms * U * sum(|law| law.offset.abs());
    let last = (outside.mass == 0.0).then_some(sum(|law| law.last() as f64));
    let largest = last.map(|last| (last * lane.step()).next_up() + offset);
    Composed {
        side,
        step: lane.step(),
        start: lane.start,
        lambda: lane.lambda,
        tails,
        log_scale: scale.log,
        log_error: scale.error,
        error,
        infinite: if above {
            infinite * (1.0 + 1e-12) + outside.mass
        } else {
            infinite * (1.0 - 1e-12)
        },
        aliased: if above { 0.0 } else { outside.tilted },
        largest: largest.map(f64::next_up),
        offset,
    }
}

#[cfg(test)]
mod tests;
