//! The hard instances of the lower bounds (Theorems 6, 7 and 8, as repaired), with their minima.
//!
//! ```
//! use dp_assay::mechanism::tape::Tape;
//! use dp_assay::problem::risk::Risk;
//! use dp_assay::problem::risk::hard::{Hinges, convex, growth, signs};
//!
//! // What suits one data set does not suit the other, two records away.
//! let [first, second] = Hinges::pair(2.0, 10, 2, 1)?;
//! assert_eq!(first.value(&[0.5]), 0.0);
//! assert!(second.value(&[0.5]) > 0.0);
//!
//! // One row of length 1/2 and three rows of 0, in 3 dimensions.
//! let records = signs((4, 1, 3), 0.5, Tape::new(1))?;
//! assert!((records.norms()[0] - 0.5).abs() < 1e-12 && records.norms()[3] == 0.0);
//! let (risk, minimum) = growth(2.0, 1.0, records.clone())?;
//! assert!(minimum < risk.value(&[0.0; 3]));
//! let (risk, minimum) = convex(0.125, records)?;
//! assert!(minimum < risk.value(&[0.0; 3]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::shape::{positive, within};
use super::{Risk, Shape, Tilted};
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::rows::{Matrix, norm};
use crate::units::OutOfDomain;

/// f(w; 1) = max{a − w₁, 0}, f(w; −1) = max{w₁ + a, 0} and f(w; 0) = 0, a = q^{κ−1}/2, q = k/n: the data set has k ones, its
/// counterpart k times −1, the rest 0 (`kl-thm-8-inst-repaired`). 1-Lipschitz; at the kink the gradient is 0. inf F = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Hinges {
    a: f64,
    dimension: usize,
    records: usize,
    /// k, negative for the counterpart.
    signed: i64,
}

impl Hinges {
    /// The data set and its counterpart, k records away.
    ///
    /// # Errors
    /// If κ < 2, d = 0, or k is not in 1 … n.
    pub fn pair(kappa: f64, n: usize, k: usize, d: usize) -> Result<[Self; 2], OutOfDomain> {
        within("kappa", kappa, (2.0, f64::MAX), "finite and >= 2")?;
        within("d", d as f64, (1.0, f64::MAX), "at least 1")?;
        within("k", k as f64, (1.0, n as f64), "in 1 ... n")?;
        let a = 0.5 * (k as f64 / n as f64).powf(kappa - 1.0);
        Ok([k as i64, -(k as i64)].map(|signed| Self {
            a,
            dimension: d,
            records: n,
            signed,
        }))
    }

    fn of(&self, sign: i64, w: f64) -> (f64, f64) {
        let sign = sign as f64;
        let gap = self.a - sign * w;
        match sign != 0.0 && gap > 0.0 {
            true => (gap, -sign),
            false => (0.0, 0.0),
        }
    }

    /// The share of records that are not 0.
    fn share(&self) -> f64 {
        self.signed.unsigned_abs() as f64 / self.records as f64
    }
}

impl Risk for Hinges {
    fn dimension(&self) -> usize {
        self.dimension
    }

    fn records(&self) -> usize {
        self.records
    }

    fn value(&self, w: &[f64]) -> f64 {
        self.share() * self.of(self.signed.signum(), w[0]).0
    }

    fn gradient(&self, w: &[f64], gradient: &mut [f64]) {
        gradient.fill(0.0);
        gradient[0] = self.share() * self.of(self.signed.signum(), w[0]).1;
    }

    fn record_gradient(&self, i: usize, w: &[f64], gradient: &mut [f64]) {
        let first = (i as u64) < self.signed.unsigned_abs();
        let sign = if first { self.signed.signum() } else { 0 };
        gradient.fill(0.0);
        gradient[0] = self.of(sign, w[0]).1;
    }
}

/// N rows of signs drawn by the law of `kl-red-mean`, of length `length` each, before n − N rows of 0: for N = 1 all signs are
/// fair; else each coordinate has a mean that is uniform on \[−1, 1\].
///
/// # Errors
/// If N is not in 1 … n, d = 0, or the length is not finite and > 0.
pub fn signs(
    (n, count, d): (usize, usize, usize),
    length: f64,
    tape: Tape,
) -> Result<Matrix, OutOfDomain> {
    within("N", count as f64, (1.0, n as f64), "in 1 ... n")?;
    within("d", d as f64, (1.0, f64::MAX), "at least 1")?;
    positive("length", length)?;
    let mut words = tape.stream(0, Purpose::Data, 0);
    let chances: Vec<f64> = (0..d)
        .map(|_| match count {
            1 => 0.5,
            _ => words.uniform().fraction(),
        })
        .collect();
    let entry = length / (d as f64).sqrt();
    let mut values = vec![0.0; n * d];
    for row in values.chunks_mut(d).take(count) {
        for (x, chance) in row.iter_mut().zip(&chances) {
            let up = words.uniform().fraction() < *chance;
            *x = if up { entry } else { -entry };
        }
    }
    Ok(Matrix::new(d, values, vec![0.0; n]).expect("signs are finite"))
}

/// ⟨x, w⟩ + μ‖w‖^τ with μ = 2^{τ−2}λ^τ on rows of length L₀/2 (`kl-thm-6-repaired`): (λ, τ)-growth. The risk and its minimum.
///
/// # Errors
/// If τ < 2 or λ is not finite and > 0.
pub fn growth(tau: f64, lambda: f64, records: Matrix) -> Result<(Tilted, f64), OutOfDomain> {
    within("tau", tau, (2.0, f64::MAX), "finite and >= 2")?;
    positive("lambda", lambda)?;
    let scale = 2f64.powf(tau - 2.0) * lambda.powf(tau);
    let shape = Shape::Power { scale, tau };
    let risk = tilted(shape, records);
    let tilt = norm(&risk.mean());
    let r = (tilt / (scale * tau)).powf(1.0 / (tau - 1.0));
    Ok((risk, scale * r.powf(tau) - tilt * r))
}

/// ⟨x, w⟩ + λH(w), H = ‖w‖² up to 4D and 8D‖w‖ − 16D² beyond, in units with 2λ = 1: N of n rows of length L₀/5 are not 0 and
/// D = NL₀/(5n) (`kl-thm-7-inst-repaired` with L₀/5 for L₀). The risk, L₀-Lipschitz and 1-smooth, and its minimum.
///
/// # Errors
/// If D is not finite and > 0.
pub fn convex(diameter: f64, records: Matrix) -> Result<(Tilted, f64), OutOfDomain> {
    positive("D", diameter)?;
    let delta = 4.0 * diameter;
    let risk = tilted(Shape::Huber { delta }, records);
    let tilt = norm(&risk.mean());
    within("mean tilt", tilt, (0.0, delta), "at most 4D")?;
    Ok((risk, -0.5 * tilt * tilt))
}

fn tilted(shape: Shape, records: Matrix) -> Tilted {
    Tilted {
        shape,
        records,
        radius: f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_the_records_gradients_is_the_gradient() {
        for risk in Hinges::pair(2.0, 10, 3, 2).expect("in the domain") {
            for w in [[0.0, 0.0], [0.1, 3.0], [-0.1, 0.0], [9.0, 1.0], [-9.0, 1.0]] {
                let (mut mean, mut one, mut whole) = ([0.0; 2], [0.0; 2], [0.0; 2]);
                for i in 0..risk.records() {
                    risk.record_gradient(i, &w, &mut one);
                    (0..2).for_each(|j| mean[j] += one[j] / 10.0);
                }
                risk.gradient(&w, &mut whole);
                (0..2).for_each(|j| assert!((mean[j] - whole[j]).abs() < 1e-12, "{w:?}: {mean:?}"));
            }
        }
    }

    /// Of 10,000 fair signs at least 4,750 are up and as many down but with probability 6·10⁻⁷: five standard deviations.
    #[test]
    fn a_row_of_signs_has_its_length_and_both_signs() {
        let drawn = signs((3, 1, 10_000), 2.0, Tape::new(1)).expect("in the domain");
        assert!((drawn.norms()[0] - 2.0).abs() < 1e-9);
        assert_eq!((drawn.norms()[1], drawn.norms()[2]), (0.0, 0.0));
        let up = drawn.row(0).iter().filter(|x| **x > 0.0).count();
        assert!((4_750..=5_250).contains(&up), "{up}");
    }
}
