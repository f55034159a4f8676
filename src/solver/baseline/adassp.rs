//! AdaSSP: private linear regression from perturbed sufficient statistics with an adaptive ridge.
//!
//! Y.-X. Wang, "Revisiting differentially private linear regression: optimal and adaptive prediction and
//! estimation in unbounded domain", UAI 2018, Algorithm 2. It is the baseline that DP-AMBSSGD is
//! compared with. Records are first brought into ‖x‖₂ ≤ B_x and |y| ≤ B_y, both public.
//!
//! | released | sensitivity, add or remove one | replace one |
//! |---|---|---|
//! | λ_min(XᵀX) | B_x² | B_x² |
//! | upper triangle of XᵀX | B_x² | √2·B_x² |
//! | Xᵀy | B_x·B_y | 2·B_x·B_y |
//!
//! Replacing x by x′ moves XᵀX by x′x′ᵀ − xxᵀ, whose Frobenius norm is largest, √2·B_x², for orthogonal
//! records of full length, and whose eigenvalues lie in [−B_x², B_x²].

use crate::accounting::gaussian::{self, Gaussian};
use crate::accounting::{AccountError, Event};
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::rows::{Source, SourceError, block};
use crate::units::{
    Delta, Epsilon, Neighbouring, OutOfDomain, Sensitivity, StdDev, fraction, positive,
};
use nalgebra::{DMatrix, DVector};
use std::f64::consts::SQRT_2;

/// The inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// B_x > 0: longer records are scaled down to it.
    pub row_bound: f64,
    /// B_y > 0: larger targets are moved to ±B_y.
    pub target_bound: f64,
    /// The failure probability in the ridge's size, in (0, 1); the original takes 0.05.
    pub failure: f64,
    /// What neighbours are: add-remove, as in the original, or replace-one.
    pub neighbours: Neighbouring,
    /// How the budget becomes noise.
    pub calibration: Calibration,
}

/// How the budget becomes noise on the three releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calibration {
    /// As printed: standard deviation √ln(6/δ)/(ε/3) times the sensitivity, for ε < 3.
    Printed,
    /// The exact Gaussian profile: three releases of μ/√3 each. The default.
    Tight,
}

/// What is released, and the noise that went into it.
#[derive(Clone, Debug, PartialEq)]
pub struct RidgeFit {
    /// The coefficients, d entries.
    pub coefficients: Vec<f64>,
    /// The ridge λ that was added to XᵀX.
    pub ridge: f64,
    /// Standard deviations of the noise on λ_min, XᵀX and Xᵀy.
    pub deviations: [f64; 3],
    /// The ε that the three releases spend together at the given δ, by the exact Gaussian profile, rounded up.
    pub epsilon_upper: f64,
    /// The three releases, to an accountant.
    pub event: Event,
}

/// Why there is no fit.
#[derive(Debug, thiserror::Error)]
pub enum RidgeError {
    /// A number outside its domain.
    #[error(transparent)]
    Value(#[from] OutOfDomain),
    /// No sensitivity is known for this relation.
    #[error("AdaSSP has no guarantee under {0} neighbours")]
    Neighbours(Neighbouring),
    /// The data end early or are malformed.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The accountant refuses.
    #[error(transparent)]
    Account(#[from] AccountError),
    /// The noisy matrix has no inverse even with the ridge.
    #[error("the noisy XᵀX with ridge {ridge} is singular: raise epsilon, N or the row bound")]
    Singular {
        /// The ridge.
        ridge: f64,
    },
}

impl Default for Config {
    /// B_x = B_y = 1, failure probability 0.05, replace-one neighbours, exact noise.
    fn default() -> Self {
        Self {
            row_bound: 1.0,
            target_bound: 1.0,
            failure: 0.05,
            neighbours: Neighbouring::ReplaceOne,
            calibration: Calibration::Tight,
        }
    }
}

/// Most features: XᵀX then takes 7 GB.
const WIDEST: usize = 30_000;

/// Fits N records of `source` with an (ε, δ)-private release.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::rows::Matrix;
/// use dp_assay::solver::baseline::adassp::{Config, fit};
/// use dp_assay::units::{Delta, Epsilon};
///
/// let values: Vec<f64> = (0..1000).map(|k| 0.5 * f64::from(k).sin()).collect();
/// let targets = values.chunks(2).map(|x| 0.5 * x[0]).collect();
/// let records = Matrix::new(2, values, targets)?;
/// let budget = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
/// let found = fit(&mut records.source(None), 500, &Config::default(), budget, Tape::new(1))?;
/// assert_eq!(found.coefficients.len(), 2);
/// assert!(found.epsilon_upper < 1.0 + 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If an input is outside its domain, the data end early, or the noisy system has no solution.
pub fn fit(
    source: &mut dyn Source,
    records: usize,
    config: &Config,
    (epsilon, delta): (Epsilon, Delta),
    tape: Tape,
) -> Result<RidgeFit, RidgeError> {
    if source.features() > WIDEST {
        let (name, value) = ("number of features", source.features() as f64);
        let rule = "at most 30000, for the square of as many rows is kept";
        return Err(OutOfDomain { name, value, rule }.into());
    }
    let unit = config.unit(epsilon, delta)?;
    let deviations = config.deviations(unit)?;
    let epsilon_upper = Gaussian::new(
        three_releases()?,
        StdDev::new(unit).map_err(AccountError::from)?,
    )
    .epsilon(delta)?
    .hi;
    let (mut square, mut product) = statistics(source, records, config)?;
    let d = product.len();

    // 1: the least eigenvalue, noised and lowered so that it is rarely too large
    let least = least_eigenvalue(&square);
    let z = tape.uniform(0, Purpose::Release, 0).gaussian();
    let shift = deviations[0] * log_ratio(6.0, delta).sqrt();
    let least = (least + deviations[0] * z - shift).max(0.0);

    // 2: the ridge that makes the noise in XᵀX harmless
    let spread = (2.0 * (d * d) as f64 / config.failure).ln();
    let ridge = (deviations[1] * (d as f64 * spread).sqrt() - least).max(0.0);

    // 3, 4: noise on XᵀX (symmetric) and Xᵀy
    let mut noise = tape.stream(1, Purpose::Release, 0);
    for j in 0..d {
        for i in 0..=j {
            let moved = square[(i, j)] + deviations[1] * noise.uniform().gaussian();
            square[(i, j)] = moved;
            square[(j, i)] = moved;
        }
        square[(j, j)] += ridge;
    }
    let mut noise = tape.stream(2, Purpose::Release, 0);
    for value in &mut product {
        *value += deviations[2] * noise.uniform().gaussian();
    }

    // 5: θ = (XᵀX + noise + λI)⁻¹(Xᵀy + noise)
    let solved = square.lu().solve(&product);
    let coefficients = solved.filter(|theta| theta.iter().all(|x| x.is_finite()));
    match coefficients {
        Some(theta) => Ok(RidgeFit {
            coefficients: theta.as_slice().to_vec(),
            ridge,
            deviations,
            epsilon_upper,
            event: config.event(deviations)?,
        }),
        None => Err(RidgeError::Singular { ridge }),
    }
}

impl Config {
    /// Standard deviations of the noise on λ_min, XᵀX and Xᵀy: `unit` times their sensitivities, rounded up.
    fn deviations(&self, unit: f64) -> Result<[f64; 3], RidgeError> {
        // The product rounds once.
        Ok(self
            .sensitivities()?
            .map(|s| (unit * s) * (1.0 + 2.0 * f64::EPSILON)))
    }

    /// How far λ_min, XᵀX and Xᵀy move between neighbours, rounded up.
    fn sensitivities(&self) -> Result<[f64; 3], RidgeError> {
        let (x, y) = (self.row_bound, self.target_bound);
        let exact = match self.neighbours {
            Neighbouring::AddRemove => [x * x, x * x, x * y],
            Neighbouring::ReplaceOne => [x * x, SQRT_2.next_up() * x * x, 2.0 * x * y],
            other => return Err(RidgeError::Neighbours(other)),
        };
        // Up to three roundings in each product.
        Ok(exact.map(|s| s * (1.0 + 6.0 * f64::EPSILON)))
    }

    fn event(&self, deviations: [f64; 3]) -> Result<Event, RidgeError> {
        let releases = self.sensitivities()?.into_iter().zip(deviations);
        let events = releases.map(|(sensitivity, sigma)| Event::Gaussian { sigma, sensitivity });
        Ok(Event::Composed {
            events: events.collect(),
        })
    }

    /// Standard deviation of the noise on a release of sensitivity 1.
    fn unit(&self, epsilon: Epsilon, delta: Delta) -> Result<f64, RidgeError> {
        self.check(epsilon, delta)?;
        match self.calibration {
            Calibration::Printed => Ok(log_ratio(6.0, delta).sqrt() / (epsilon.get() / 3.0)),
            Calibration::Tight => {
                Ok(gaussian::calibrate_sigma(three_releases()?, epsilon, delta)?.hi)
            }
        }
    }

    fn check(&self, epsilon: Epsilon, delta: Delta) -> Result<(), OutOfDomain> {
        positive("row bound", self.row_bound)?;
        positive("target bound", self.target_bound)?;
        fraction("failure probability", self.failure)?;
        fraction("delta", delta.get())?;
        let printed = self.calibration == Calibration::Printed;
        let (value, rule) = (epsilon.get(), "> 0, and below 3 for the printed noise");
        let fits = value > 0.0 && !(printed && value >= 3.0);
        OutOfDomain::unless(fits, "epsilon", value, rule)
    }
}

/// XᵀX and Xᵀy of the records brought into their bounds.
fn statistics(
    source: &mut dyn Source,
    records: usize,
    config: &Config,
) -> Result<(DMatrix<f64>, DVector<f64>), RidgeError> {
    let d = source.features();
    let (mut square, mut product) = (DMatrix::zeros(d, d), DVector::zeros(d));
    let together = block(d).min(source.window());
    let mut left = records;
    while left > 0 {
        let count = left.min(together);
        let view = source.view(count)?;
        let mut columns = DMatrix::zeros(d, count);
        for i in 0..count {
            let (x, y, norm) = view.record(i);
            let factor = if norm > config.row_bound {
                config.row_bound / norm
            } else {
                1.0
            };
            let y = y.clamp(-config.target_bound, config.target_bound);
            for (k, x) in x.iter().enumerate() {
                columns[(k, i)] = factor * x;
                product[k] += factor * x * y;
            }
        }
        square.gemm(1.0, &columns, &columns.transpose(), 1.0);
        source.advance(count);
        left -= count;
    }
    Ok((square, product))
}

/// Three releases of sensitivity 1 are one of sensitivity √3.
fn three_releases() -> Result<Sensitivity, AccountError> {
    Sensitivity::new(3f64.sqrt().next_up()).map_err(AccountError::from)
}

fn least_eigenvalue(square: &DMatrix<f64>) -> f64 {
    square.symmetric_eigenvalues().min()
}

/// ln(numerator/δ).
fn log_ratio(numerator: f64, delta: Delta) -> f64 {
    numerator.ln() - delta.get().ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::float::{Enclosure, U};
    use crate::problem::rows::Matrix;

    #[test]
    fn sensitivities_are_those_of_squares_and_products_rounded_up() {
        for (x, y) in [(3.0, 5.0), (0.1, 0.7), (1.5, 1e-3)] {
            let found = |neighbours| {
                let config = Config {
                    row_bound: x,
                    target_bound: y,
                    failure: 0.05,
                    neighbours,
                    calibration: Calibration::Tight,
                };
                config.sensitivities()
            };
            for (neighbours, [a, b, c]) in [
                (Neighbouring::AddRemove, [1.0, 1.0, 1.0]),
                // λ_min moves by x², xxᵀ − x'x'ᵀ by √2·x² in the Frobenius norm, xy − x'y' by 2xy.
                (Neighbouring::ReplaceOne, [1.0, SQRT_2, 2.0]),
            ] {
                let truth = [a * x * x, b * x * x, c * x * y];
                let found = found(neighbours).expect("supported");
                for (found, truth) in found.into_iter().zip(truth) {
                    assert!(
                        found >= truth && found <= truth * (1.0 + 1e-14),
                        "{neighbours}: {found}, {truth}"
                    );
                }
            }
            assert!(found(Neighbouring::ZeroOut).is_err());
        }
    }

    /// Algorithm 2 for two features, by the closed form of eigenvalues and by Cramer's rule, with the noise of its addresses.
    #[test]
    fn a_fit_is_the_printed_algorithm_on_its_noise() {
        // The first two records are beyond the bounds 2 and 1.5, and are brought there.
        let rows = [
            [3.0, 4.0, 9.0],
            [-6.0, 8.0, -2.0],
            [0.5, 1.0, 0.25],
            [1.0, -0.5, 1.0],
        ];
        let inside = [[1.2, 1.6, 1.5], [-1.2, 1.6, -1.5], rows[2], rows[3]];
        let values = rows.iter().flat_map(|r| [r[0], r[1]]).collect();
        let records = Matrix::new(2, values, rows.map(|r| r[2]).to_vec()).expect("finite");
        let delta = Delta::new(1e-5).expect("in range");
        let log = (6.0 / delta.get()).ln();
        for (epsilon, seed, calibration) in [
            (0.5, 1, Calibration::Tight),
            (2.5, 2, Calibration::Printed),
            (1e4, 3, Calibration::Tight),
        ] {
            let config = Config {
                row_bound: 2.0,
                target_bound: 1.5,
                failure: 0.1,
                neighbours: Neighbouring::ReplaceOne,
                calibration,
            };
            let (epsilon, tape) = (Epsilon::new(epsilon).expect("in range"), Tape::new(seed));
            let found = fit(
                &mut records.source(None),
                4,
                &config,
                (epsilon, delta),
                tape,
            );
            let found = found.expect("a fit");
            // What one noise of σ = 1 would be: both ends, as far apart as a search for it may be off.
            let unit = match calibration {
                Calibration::Printed => Enclosure::point(3.0 * log.sqrt() / epsilon.get()),
                Calibration::Tight => {
                    let root = Sensitivity::new(3f64.sqrt()).expect("positive");
                    gaussian::calibrate_sigma(root, epsilon, delta).expect("a budget")
                }
            };
            // Two such searches, and at most sixteen roundings on the way.
            let apart = 2.0 * unit.width() / unit.lo + 16.0 * U;
            let deviations = found.deviations;
            for (found, factor) in deviations.into_iter().zip([4.0, 4.0 * SQRT_2, 6.0]) {
                assert!((found / (factor * unit.hi) - 1.0).abs() <= apart, "{found}");
            }
            let sum = |of: fn(&[f64; 3]) -> f64| inside.iter().map(of).sum::<f64>();
            let [a, b, c] = [
                sum(|r| r[0] * r[0]),
                sum(|r| r[0] * r[1]),
                sum(|r| r[1] * r[1]),
            ];
            let least = 0.5 * (a + c) - (0.25 * (a - c) * (a - c) + b * b).sqrt();
            let z = tape.uniform(0, Purpose::Release, 0).gaussian();
            let least = (least + deviations[0] * (z - log.sqrt())).max(0.0);
            let ridge = deviations[1] * (2.0 * (8.0_f64 / 0.1).ln()).sqrt() - least;
            let ridge = ridge.max(0.0);
            let mut noise = tape.stream(1, Purpose::Release, 0);
            let mut moved = |x: f64| x + deviations[1] * noise.uniform().gaussian();
            let [a, b, c] = [a, b, c].map(&mut moved);
            let (a, c) = (a + ridge, c + ridge);
            let mut noise = tape.stream(2, Purpose::Release, 0);
            let mut moved = |x: f64| x + deviations[2] * noise.uniform().gaussian();
            let [u, v] = [sum(|r| r[0] * r[2]), sum(|r| r[1] * r[2])].map(&mut moved);
            let determinant = a * c - b * b;
            let theta = [(u * c - v * b) / determinant, (v * a - u * b) / determinant];
            // Every entry of the system is made of these, of which a draw is at most nine deviations, by less than 32 roundings;
            // what they are off by, and what solving adds, ‖A⁻¹‖ ≤ tr A/det A carries over to θ.
            let size = inside.iter().flatten().map(|x| x * x).sum::<f64>()
                + deviations.iter().map(|d| 9.0 * d).sum::<f64>()
                + deviations[0] * log.sqrt()
                + ridge;
            let off = 32.0 * U * size;
            let told = format!("{}, {ridge}, {theta:?}, {off}", found.ridge);
            assert!((found.ridge - ridge).abs() <= off, "{told}");
            let far = theta.iter().map(|x| x.abs()).sum::<f64>();
            let off = 2.0 * off * (1.0 + 2.0 * far) * (a + c) / determinant;
            for (found, truth) in found.coefficients.iter().zip(theta) {
                assert!((found - truth).abs() <= off, "{found}, {told}");
            }
            // ε falls as the noise grows: its ends at noise that is off by those roundings.
            let own = deviations[0] / 4.0;
            let at = |root: f64, sigma: f64| {
                let (root, sigma) = (Sensitivity::new(root), StdDev::new(sigma));
                let noise = Gaussian::new(root.expect("positive"), sigma.expect("positive"));
                noise.epsilon(delta).expect("known")
            };
            let least = at(3f64.sqrt().next_down(), own * (1.0 + 16.0 * U)).lo;
            let most = at(3f64.sqrt().next_up(), own * (1.0 - 16.0 * U)).hi;
            assert!(
                (least..=most).contains(&found.epsilon_upper),
                "{least} {most}"
            );
            assert!(
                least <= epsilon.get() && most <= least * (1.0 + 1e-12),
                "{most}"
            );
        }
    }
}
