//! What lattices are built from: transforms within their stated error, and tails of sampled laws whose
//! threshold is as far off as they say.

use crate::parallel::on_all_cores;
use dp_assay::accounting::float::{Complex, U};
use dp_assay::accounting::pld::fft::RealFft;
use dp_assay::accounting::pld::law::{GaussianLaw, LossLaw};
use dp_assay::accounting::pld::sampled::{Direction, Sampled};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rug::Float;

const SEED: u64 = 0x1a77;

fn packed(numbers: &[f64]) -> Vec<Complex> {
    let pairs = numbers.chunks_exact(2);
    pairs.map(|pair| Complex::new(pair[0], pair[1])).collect()
}

/// The sum itself. Its angles are reduced exactly, so that each term is off by less than 4u|x| (std's sine
/// and cosine within 1 ulp), each of N additions by u of the partial sum: (N + 4)u·‖x‖₁ per component.
fn frequency(numbers: &[f64], k: usize) -> Complex {
    let n = numbers.len();
    let terms = numbers.iter().enumerate();
    terms.fold(Complex::default(), |sum, (j, x)| {
        let angle = -2.0 * std::f64::consts::PI * ((j * k % n) as f64 / n as f64);
        sum + Complex::new(angle.cos(), angle.sin()).scale(*x)
    })
}

#[test]
fn a_real_transform_is_within_its_stated_error_of_the_sum_and_inverts() {
    let mut rng = Pcg64::seed_from_u64(SEED);
    for log in 2..=9 {
        let n = 1usize << log;
        let fft = RealFft::new(n);
        assert_eq!(fft.len(), n);
        let numbers: Vec<f64> = (0..n).map(|_| rng.random_range(-1.0..1.0)).collect();
        let norm = numbers.iter().map(|x| x * x).sum::<f64>().sqrt();
        let mut x = packed(&numbers);
        fft.forward(&mut x, 0.0);
        let half = n / 2;
        let mut square = 0.0;
        for (position, entry) in x.iter().enumerate() {
            let k = position.reverse_bits() >> (usize::BITS - half.trailing_zeros());
            if position == 0 {
                let (first, middle) = (frequency(&numbers, 0), frequency(&numbers, half));
                square += (entry.re - first.re).powi(2) + (entry.im - middle.re).powi(2);
            } else {
                // Conjugate symmetry: the other half of the spectrum is off by as much.
                square += 2.0 * (*entry - frequency(&numbers, k)).norm_square();
            }
        }
        let size = norm * (n as f64).sqrt();
        // √N frequencies of two components, each off by (N + 4 + 2π)u·‖x‖₁ ≤ …·√N‖x‖₂.
        let own = 1.5 * (n as f64 + 12.0) * U * size * (n as f64).sqrt();
        let off = square.sqrt();
        assert!(off <= fft.error() * size + own, "N = {n}: {off}");
        fft.backward(&mut x);
        let back = x.iter().zip(packed(&numbers));
        let back = back.map(|(a, b)| (a.scale(1.0 / half as f64) - b).norm_square());
        let off = back.sum::<f64>().sqrt();
        assert!(off <= 2.1 * fft.error() * norm, "N = {n}: {off} after both");
    }
}

#[test]
fn entries_below_the_threshold_alone_are_left_out_of_a_transform() {
    let mut rng = Pcg64::seed_from_u64(SEED);
    let fft = RealFft::new(256);
    let numbers: Vec<f64> = (0..256).map(|_| rng.random_range(-1.0..1.0)).collect();
    let (mut whole, mut pruned) = (packed(&numbers), packed(&numbers));
    let threshold = 100.0;
    fft.forward(&mut whole, 0.0);
    fft.forward(&mut pruned, threshold);
    let mut left_out = 0;
    for (position, (a, b)) in whole.iter().zip(&pruned).enumerate() {
        if a != b {
            let small = position > 0 && a.norm_square() < threshold;
            assert!(small && *b == Complex::default(), "{position}: {a:?} {b:?}");
            left_out += 1;
        }
    }
    assert!((1..64).contains(&left_out), "{left_out} of 128 left out");
}

/// Pr[N(m, μ²) > θ] at 300 bits.
fn tail(theta: &Float, mean: &Float, mu: f64) -> Float {
    let scaled = Float::with_val(300, theta - mean) / mu / Float::with_val(300, 2).sqrt();
    scaled.erfc() / 2
}

/// (P(L > ε), e^ε·Q(L > ε)) of the sampled Gaussian at 300 bits.
fn truth(law: &Sampled<GaussianLaw>, epsilon: &Float) -> (Float, Float) {
    let (q, mu) = (law.rate, law.base.mu);
    let half = Float::with_val(300, mu) * mu / 2;
    let power = epsilon.clone().exp();
    // The mixture's own loss: e^θ = 1 + (e^ε − 1)/q, or its mirror image.
    let forward = match law.direction {
        Direction::Removal => epsilon.clone(),
        Direction::Addition => -epsilon.clone(),
    };
    let growth: Float = forward.exp_m1() / q + 1;
    let (p, other) = if growth <= 0 {
        let inside = law.direction == Direction::Removal;
        let mass = Float::with_val(300, u8::from(inside));
        (mass.clone(), mass)
    } else {
        let theta = match law.direction {
            Direction::Removal => growth.ln(),
            Direction::Addition => -growth.ln(),
        };
        let (high, low) = (tail(&theta, &half, mu), tail(&theta, &-half, mu));
        let rest = 1 - Float::with_val(300, q);
        match law.direction {
            Direction::Removal => (rest * &low + q * high, low),
            Direction::Addition => (high.clone(), rest * high + q * low),
        }
    };
    (p, power * other)
}

#[test]
fn sampled_tails_belong_to_a_threshold_within_their_slack() {
    let mut rng = Pcg64::seed_from_u64(SEED);
    let mut case = |round: usize| {
        let direction = [Direction::Removal, Direction::Addition][round % 2];
        let rate = match round % 3 {
            0 => 10f64.powf(rng.random_range(-8.0..0.0)),
            1 => 1.0 - 10f64.powf(rng.random_range(-12.0..0.0)),
            _ => rng.random_range(0.0..1.0),
        };
        let mu = 10f64.powf(rng.random_range(-2.0..1.5));
        let law = Sampled {
            base: GaussianLaw { mu },
            rate,
            direction,
        };
        let size = 10f64.powf(rng.random_range(-9.0..2.0));
        let end = (-rate).ln_1p() * (1.0 - 10f64.powf(rng.random_range(-15.0..0.0)));
        let epsilon = match (round % 5, direction) {
            (0, _) => size,
            (1, _) => -size,
            (2, Direction::Removal) => end,
            (2, Direction::Addition) => -end,
            _ => rng.random_range(-0.8..0.8),
        };
        (law, epsilon)
    };
    let cases: Vec<_> = (0..4000).map(&mut case).collect();
    let between = on_all_cores(&cases, |(law, epsilon)| {
        let epsilon = *epsilon;
        let found = law.tails(epsilon);
        let at = |shift: f64| truth(law, &(Float::with_val(300, epsilon) + shift));
        // e^ε belongs to ε itself, not to the threshold.
        let unshifted = |pair: (Float, Float), shift: f64| {
            let power = Float::with_val(300, -shift).exp();
            (pair.0, pair.1 * power)
        };
        let (less, more) = (
            unshifted(at(found.slack), found.slack),
            unshifted(at(-found.slack), -found.slack),
        );
        for (value, least, most) in [(found.p, less.0, more.0), (found.q, less.1, more.1)] {
            let (low, high) = (1.0 - found.error, 1.0 + found.error);
            let holds = least * low - 1e-290 <= value && value <= most * high + 1e-290;
            assert!(holds, "{law:?} at {epsilon}: {found:?}");
        }
        assert!(found.error < 1e-6, "{law:?} at {epsilon}: {found:?}");
        found.p > 1e-100 && found.p < 1.0
    });
    let between = between.into_iter().filter(|inside| *inside).count();
    assert!(between > 1000, "only {between} thresholds inside the law");
}
