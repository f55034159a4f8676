//! Composition of lattice laws by one FFT power, with all errors bounded.
//!
//! The masses are tilted first, w_i ∝ m_i·e^{λx_i}, so that the transform's rounding error, which is
//! relative to the largest entries, is relative to the part of the law that decides δ(ε). The product
//! of spectra is the spectrum of the composition modulo N lattice points; what lies outside the
//! window of N points is bounded by Chernoff's bound on the masses themselves.
//!
//! With ρ the transform's error ([`Fft::error`]), z the packed input and k compositions, the entries
//! after the inverse transform are off by at most, in the 2-norm,
//! (Σ kᵢρ√N‖zᵢ‖₂·e^{Σ kᵢρ√N‖zᵢ‖₂} + 3u·Σkᵢ·‖Y‖₂)(1+ρ)/√N + ρ‖Y‖₂/√N, as |W| ≤ 1 everywhere.
//! What that means for δ(ε) is in [`Composed`].

use super::composed::Composed;
use super::fft::Fft;
use super::lattice::{LatticeLaw, Side};
use crate::accounting::float::elementary::{exp, exp_m1, ln, ln_1p};
use crate::accounting::float::{Complex, U};

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
struct Outside {
    /// P mass above it.
    mass: f64,
    /// Tilted mass outside it, relative to the whole.
    tilted: f64,
}

/// Composes one or two lanes on windows of at least `len` points with one pair of transforms (the
/// second lane travels in the imaginary parts).
#[must_use]
pub fn compose(lanes: &[Lane], len: usize) -> Vec<Composed> {
    let fft = Fft::new(len);
    let n = fft.len();
    let rounds = lanes.iter().map(|lane| lane.parts.len()).max().unwrap_or(0);
    let mut product: Option<Vec<(Complex, Complex)>> = None;
    let mut noise = 0.0;
    let mut total = 0.0;
    let mut scales = [Scale::default(), Scale::default()];
    for round in 0..rounds {
        let mut packed = vec![Complex::default(); n];
        let mut counts = [0u64; 2];
        for (lane_index, lane) in lanes.iter().take(2).enumerate() {
            if let Some((law, count)) = lane.parts.get(round) {
                counts[lane_index] = *count;
                let pack = if lane_index == 0 {
                    pack_real
                } else {
                    pack_imaginary
                };
                scales[lane_index].add(fold(law, lane.lambda, &mut packed, pack), *count as f64);
            }
        }
        let norm = packed.iter().map(|z| z.norm_square()).sum::<f64>().sqrt();
        fft.forward(&mut packed);
        let count = counts[0].max(counts[1]) as f64;
        noise += count * fft.error() * (n as f64).sqrt() * norm * 1.01;
        total += count;
        multiply_in(&mut product, &packed, counts);
    }
    let mut joined = join_lanes(product.unwrap_or_default(), n);
    let norm = joined.iter().map(|z| z.norm_square()).sum::<f64>().sqrt();
    fft.backward(&mut joined);
    let pruned = 2e-35 * (n as f64).sqrt() * rounds as f64;
    let spectral = noise * exp(noise.min(600.0)) + 3.0 * U * total * norm + pruned;
    let error = (spectral * (1.0 + fft.error()) + fft.error() * norm) / (n as f64).sqrt() * 1.01;
    let unpack = [unpack_real as fn(Complex) -> f64, unpack_imaginary];
    lanes
        .iter()
        .take(2)
        .enumerate()
        .map(|(i, lane)| on_window(lane, &joined, unpack[i], error, &scales[i]))
        .collect()
}

fn pack_real(z: &mut Complex, x: f64) {
    z.re += x;
}

fn pack_imaginary(z: &mut Complex, x: f64) {
    z.im += x;
}

const fn unpack_real(z: Complex) -> f64 {
    z.re
}

const fn unpack_imaginary(z: Complex) -> f64 {
    z.im
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

/// Adds the tilted, normalised masses at their positions modulo N; returns (ln of the normaliser,
/// bound on the relative error of every entry).
fn fold(
    law: &LatticeLaw,
    lambda: f64,
    packed: &mut [Complex],
    add: impl Fn(&mut Complex, f64),
) -> (f64, f64) {
    let log = log_moment(law, lambda);
    let n = packed.len();
    let mut position = law.first.rem_euclid(n as i64) as usize;
    for_each_power(law, lambda, log, |i, power| {
        if law.masses[i] > 0.0 {
            add(&mut packed[position], law.masses[i] * power);
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

/// Separates the two lanes' spectra, raises them to their powers and multiplies them in. Only one of
/// each pair of mirrored frequencies is kept, at the smaller position.
fn multiply_in(
    product: &mut Option<Vec<(Complex, Complex)>>,
    packed: &[Complex],
    counts: [u64; 2],
) {
    let one = (Complex::new(1.0, 0.0), Complex::new(1.0, 0.0));
    let product = product.get_or_insert_with(|| vec![one; packed.len()]);
    let powers = [Power::new(counts[0]), Power::new(counts[1])];
    for (position, entry) in product.iter_mut().enumerate() {
        let mirror = Fft::mirror(position);
        if mirror < position {
            continue;
        }
        let (z, m) = (packed[position], packed[mirror].conj());
        let (first, second) = ((z + m).scale(0.5), (z - m).scale(0.5));
        if counts[0] > 0 {
            entry.0 = entry.0 * powers[0].of(first);
        }
        if counts[1] > 0 {
            // (z − m̄)/(2i)
            entry.1 = entry.1 * powers[1].of(Complex::new(second.im, -second.re));
        }
    }
}

/// A + iB at every frequency.
fn join_lanes(product: Vec<(Complex, Complex)>, n: usize) -> Vec<Complex> {
    let mut joined = vec![Complex::default(); n];
    for (position, (a, b)) in product.into_iter().enumerate() {
        let mirror = Fft::mirror(position);
        if mirror < position {
            continue;
        }
        joined[position] = Complex::new(a.re - b.im, a.im + b.re);
        joined[mirror] = Complex::new(a.re + b.im, b.re - a.im);
    }
    joined
}

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

    #[inline]
    fn of(&self, z: Complex) -> Complex {
        if z.norm_square() < self.negligible {
            return Complex::default();
        }
        let (mut result, mut base, mut k) = (Complex::new(1.0, 0.0), z, self.count);
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

/// Reads one lane of the inverse transform on its window.
fn on_window(
    lane: &Lane,
    joined: &[Complex],
    unpack: fn(Complex) -> f64,
    error: f64,
    scale: &Scale,
) -> Composed {
    let n = joined.len();
    let side = lane.parts.first().map_or(Side::Above, |(law, _)| law.side);
    let inverse = 1.0 / n as f64;
    let tilted = (0..n)
        .map(|j| {
            let position = (lane.start + j as i64).rem_euclid(n as i64) as usize;
            (unpack(joined[position]) * inverse).max(0.0) // the truth is not negative
        })
        .collect();
    let outside = lane.outside(n);
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
        tilted,
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
