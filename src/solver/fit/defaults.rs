//! What is taken where nothing was asked: a rule of public facts, and a table tuned on synthetic data.
//!
//! The facts are n, the number of features p, the loss and (ε, δ). With μ such that one Gaussian release is (ε, δ)-private
//! at noise 1/μ of its sensitivity, the noise that all steps of noisy gradient descent leave on a model that may travel
//! the distance D is of norm about 2D/κ, κ = nμ/√(p + 1), whatever the number of steps: κ says how much there is to be
//! learnt, and the table has a row for each of its ranges. A row holds T, D, the clipping level C and the number of
//! averages; the step is η = D/(T·C·B) for features in \[−B, B\], the radius C·B.
//!
//! The rows below κ = 300 (100 for real targets) are the best means over synthetic problems of 500, 2000 or 8000 records
//! with 10, 30 or 100 features (uniform, four-factor, sparse in w, one-hot), ε in {0.1, 0.5, 1, 3, 10}, of the grid C in
//! {0.3, 0.5, 1}, D in {1, 3, 10, 30, 100, 300}, T in {20, 80}; the last rows are from narrower grids and fewer problems.
//! No entry was fitted to a real data set; but a9a, breast cancer and california were looked at on the way, which is why the
//! grid reaches as far as it does, so that figures on these three are no fresh test of it.
//! `cargo run --example fit_table` makes such problems anew and prints what the entries lose.

use super::{FitError, LossName, Method, Request, Smoothness};
use crate::accounting::AccountError;
use crate::accounting::gaussian::calibrate_sigma;
use crate::units::{Delta, Epsilon, Neighbouring, Sensitivity};

/// What the rule looks at. All of it is taken to be public: under replace-one neighbours n is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facts {
    /// n.
    pub records: usize,
    /// p.
    pub features: usize,
    /// The loss.
    pub loss: LossName,
    /// ε and δ.
    pub budget: (Epsilon, Delta),
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The row holds for κ below it.
    pub below: f64,
    /// C, in units of the bound on features.
    pub clip: f64,
    /// D.
    pub travel: f64,
    /// T.
    pub steps: usize,
    /// Averages of T/averages iterates each; as many as steps is the last iterate.
    pub averages: usize,
}

const fn row(below: f64, clip: f64, travel: f64, steps: usize, averages: usize) -> Row {
    Row {
        below,
        clip,
        travel,
        steps,
        averages,
    }
}

/// For two classes.
pub const CLASSES: [Row; 6] = [
    row(3.0, 0.5, 1.0, 20, 20),
    row(10.0, 0.5, 3.0, 20, 20),
    row(30.0, 0.3, 100.0, 20, 20),
    row(100.0, 0.5, 100.0, 20, 20),
    row(300.0, 1.0, 100.0, 20, 20),
    row(f64::INFINITY, 1.0, 300.0, 80, 80),
];
/// For real targets in \[−1, 1\].
pub const NUMBERS: [Row; 4] = [
    row(10.0, 0.3, 1.0, 20, 4),
    row(30.0, 0.3, 3.0, 20, 4),
    row(100.0, 0.3, 10.0, 80, 4),
    row(f64::INFINITY, 0.3, 30.0, 200, 200),
];
/// Below this κ noise is louder than what is learnt, on most problems of the table.
const QUIET: f64 = 10.0;
/// AdaSSP's statistics are louder than a gradient by about p + 1; `auto` takes them where κ exceeds that so many times.
/// Not tuned: set high after AdaSSP had lost on california at ε = 1; at ε of 3 and more it would have won there.
const ENOUGH: f64 = 1000.0;
/// DP-SGD's part of the records in a batch: its noise is that of full gradients for as many steps.
const RATE: f64 = 0.5;

impl Facts {
    /// κ = nμ/√(p + 1).
    ///
    /// ```
    /// use dp_assay::prelude::*;
    /// use dp_assay::solver::fit::{Facts, Method};
    ///
    /// let budget = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
    /// let facts = Facts { records: 26048, features: 123, loss: LossName::Logistic, budget };
    /// let kappa = facts.signal()?; // 26048·0.2367/√124: one Gaussian release needs σ = 4.225
    /// assert!((553.0..554.0).contains(&kappa), "{kappa}");
    /// assert_eq!(facts.row(kappa).steps, 80);
    /// assert_eq!(facts.method(false)?.0, Method::Gd);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If no noise meets the budget.
    pub fn signal(&self) -> Result<f64, FitError> {
        let one = Sensitivity::new(1.0).map_err(AccountError::from)?;
        let sigma = calibrate_sigma(one, self.budget.0, self.budget.1)?.hi;
        Ok(self.records as f64 / (sigma * (self.features as f64 + 1.0).sqrt()))
    }

    /// The row of the table for κ.
    #[must_use]
    pub fn row(&self, kappa: f64) -> Row {
        let table: &[Row] = match self.loss {
            LossName::Logistic => &CLASSES,
            LossName::Squared | LossName::Huber => &NUMBERS,
        };
        let found = table.iter().find(|row| kappa < row.below);
        *found.unwrap_or(&table[table.len() - 1])
    }

    /// The method of `auto`, with the reason; `plain` says whether the objective is least squares and nothing else.
    ///
    /// # Errors
    /// As [`Facts::signal`].
    pub fn method(&self, plain: bool) -> Result<(Method, String), FitError> {
        let kappa = self.signal()?;
        let p = self.features as f64 + 1.0;
        if plain && self.loss == LossName::Squared && kappa >= ENOUGH * p {
            let why = format!(
                "plain least squares with kappa = {kappa:.1}, at least {ENOUGH} (p + 1): AdaSSP's statistics"
            );
            return Ok((Method::Adassp, why));
        }
        let task = match self.loss {
            LossName::Logistic => "two classes",
            LossName::Squared | LossName::Huber => "real targets",
        };
        let why = format!(
            "{task}, kappa = {kappa:.1}: noisy full gradients; sparsity is not looked at, for it is data"
        );
        Ok((Method::Gd, why))
    }

    /// Whether the rule speaks of a request: gradients clipped as a whole, and no constants that say more than the bound.
    #[must_use]
    pub fn applies(request: &Request) -> bool {
        matches!(request.method, Method::Gd | Method::DpSgd)
            && request.smoothness == Smoothness::Bound
            && request.neighbours == Neighbouring::ReplaceOne
    }
}

/// What was asked for and the table does not touch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Asked {
    /// Clipping level.
    pub clip: Option<f64>,
    /// Passes.
    pub passes: Option<f64>,
    /// Averages.
    pub rounds: Option<usize>,
    /// DP-SGD's rate.
    pub rate: Option<f64>,
    /// Factor on the rule's step.
    pub step: Option<f64>,
}

impl Request {
    /// The same with clipping, lengths and step by the table where nothing was asked, and the reasons in words.
    ///
    /// ```
    /// use dp_assay::prelude::*;
    /// use dp_assay::solver::fit::{Asked, Facts, Method};
    ///
    /// let budget = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
    /// let facts = Facts { records: 30_000, features: 100, loss: LossName::Logistic, budget };
    /// let request = Request { intercept: true, ..Request::new(Method::Gd, LossName::Logistic, budget) };
    /// let (tuned, reasons) = request.tuned(&facts, Asked::default())?;
    /// assert_eq!((tuned.clip, tuned.passes, tuned.rounds), (1.0, 80.0, 80));
    /// // η = 300/(80·1·1) is this many times 1/Tr(M) = 1/(101/4).
    /// assert_eq!(tuned.step, 3.75 * 25.25);
    /// assert!(reasons[0].contains("kappa"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Facts::signal`].
    pub fn tuned(self, facts: &Facts, asked: Asked) -> Result<(Self, Vec<String>), FitError> {
        let kappa = facts.signal()?;
        let row = facts.row(kappa);
        let rate = match self.method {
            Method::DpSgd => asked.rate.unwrap_or(RATE),
            _ => self.rate,
        };
        let part = if self.method == Method::DpSgd {
            rate
        } else {
            1.0
        };
        let passes = asked.passes.unwrap_or(part * row.steps as f64);
        let steps = passes / part;
        let rounds = asked.rounds.unwrap_or_else(|| match row.averages {
            // The last iterate of all.
            averages if averages == row.steps => steps.ceil().max(1.0) as usize,
            averages => averages,
        });
        let clip = asked.clip.unwrap_or(row.clip * self.bound);
        let eta = asked.step.unwrap_or(1.0) * row.travel / (steps * clip * self.bound);
        let curvature = match facts.loss {
            LossName::Logistic => 0.25,
            LossName::Squared | LossName::Huber => 1.0,
        };
        let columns = facts.features + usize::from(self.intercept);
        let trace = columns as f64 * (curvature * self.bound * self.bound + self.ridge);
        let mut reasons = vec![format!(
            "kappa = n mu / sqrt(p + 1) = {kappa:.1}, so by the public table (tuned on synthetic data): {steps} steps of \
             {eta:.4}, clip {clip}; --passes, --step and --clip change them"
        )];
        if kappa < QUIET {
            reasons.push(format!(
                "kappa is below {QUIET}: noise is likely to drown what is learnt; more records, fewer features or a \
                 larger epsilon help"
            ));
        }
        if facts.loss != LossName::Logistic && self.target_range.is_none() {
            let text = "targets are taken for numbers of about 1: state their public range with --target-range LOW:HIGH";
            reasons.push(text.into());
        }
        let tuned = Self {
            clip,
            passes,
            rounds,
            rate,
            step: eta * trace,
            ..self
        };
        Ok((tuned, reasons))
    }
}
