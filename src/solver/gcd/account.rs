//! What a run releases, as an accountant reads it: the guarantee of the noise in use, wherever it came from.
//!
//! A release of ∂_j f costs Δ_j/λ_j (gcd-mech-lap). A selection costs at most
//!
//!   max_j √M_j (r_j + max_{k≠j} r_k)/λ′_j,   r_k = Δ_k/√M_k,
//!
//! by the argument of gcd-mech-rnm-repaired, coordinate by coordinate: a larger scale than the one of that claim changes
//! by less under the same shift. With noise on the score it is that of gcd-prox-priv-repaired. The T steps of both are an
//! adaptive composition of pure mechanisms.

use super::calibration::transcript;
use super::{CalibrationError, Config, SelectionNoise, sensitivities};
use crate::accounting::{Event, noisy_max};
use crate::problem::Problem;

impl Config {
    /// T selections and T releases under replacement of one record, for the noise that this configuration has.
    ///
    /// ```
    /// use dp_assay::accounting::{Accountant, account};
    /// use dp_assay::problem::{Constants, four_points};
    /// use dp_assay::solver::gcd::{Calibration, Config};
    /// use dp_assay::units::{Delta, Epsilon, Neighbouring};
    ///
    /// let problem = four_points();
    /// let problem = problem.with_constants(Constants::new(vec![1.0; 2], vec![0.25; 2])?)?; // whatever the data
    /// let (budget, delta) = ((Epsilon::new(1.0)?, Delta::new(1e-6)?), Delta::new(1e-6)?);
    /// let spent = |calibration| {
    ///     let event = Config::calibrated(&problem, 5, None, calibration, budget)?.event(&problem)?;
    ///     let report = account(&event, delta, Accountant::Auto, Neighbouring::ReplaceOne, false)?;
    ///     Ok::<_, Box<dyn std::error::Error>>(report.epsilon_upper)
    /// };
    /// // The equation leaves some of the budget; the tight noise is the least that the accountant certifies.
    /// assert!(spent(Calibration::Repaired)? < 0.9);
    /// assert!((0.999..=1.0).contains(&spent(Calibration::Tight)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If no claim covers the selection ([`Config::uncovered`]), if the constants were computed from the data and not
    /// stated to be public, or if a coordinate that moves has no noise.
    pub fn event(&self, problem: &Problem) -> Result<Event, CalibrationError> {
        if let Some(why) = self.uncovered(problem) {
            return Err(CalibrationError::Uncovered(why));
        }
        if problem.constants().is_data_derived() {
            return Err(CalibrationError::DataDerived);
        }
        let moved = sensitivities(problem, self.clipping.as_deref())?;
        let roots = problem.constants().smoothness().iter().map(|m| m.sqrt());
        let roots: Vec<f64> = roots.collect();
        // In units of the score, sensitivities up and scales down: two roundings each.
        let scaled = |values: &[f64], widen: fn(f64) -> f64| -> Vec<f64> {
            values
                .iter()
                .zip(&roots)
                .map(|(x, root)| if *x == 0.0 { 0.0 } else { widen(x / root) })
                .collect()
        };
        let ratios = scaled(&moved, |x| x.next_up().next_up());
        let scales = scaled(self.noise.selection(), |x| x.next_down().next_down());
        //= gcd-mech-rnm-repaired
        //= gcd-prox-priv-repaired
        let selection = noisy_max::epsilon_upper(&ratios, &scales)?;
        //= gcd-mech-lap
        let releases = || moved.iter().zip(self.noise.release());
        let silent = |(moved, scale): (&f64, &f64)| *moved > 0.0 && *scale == 0.0;
        if let Some(coordinate) = releases().position(silent) {
            return Err(CalibrationError::Silent(coordinate));
        }
        let ratios = releases().filter(|(moved, _)| **moved > 0.0);
        let release = ratios
            .map(|(moved, scale)| (moved / scale).next_up())
            .fold(0.0, f64::max);
        Ok(transcript(self.iterations, selection, release))
    }

    /// The claim of the ledger that [`Config::event`] rests on.
    #[must_use]
    pub const fn claim(&self) -> &'static str {
        match self.selection {
            SelectionNoise::OnScore => "gcd-prox-priv-repaired",
            SelectionNoise::Inside | SelectionNoise::Absent => "gcd-mech-rnm-repaired",
        }
    }
}
