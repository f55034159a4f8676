//! A request with the rule's numbers where nothing was asked.

use super::super::{CalibrationName, FitError, LossName, Method, Request, SamplingName};
use super::Facts;

/// DP-SGD's part of the records in a batch: its noise is that of full gradients for as many steps.
const RATE: f64 = 0.5;
/// DP-AMBSSGD's part of the records in a block: at least, and at most.
const BLOCK: (f64, f64) = (0.03, 0.3);
/// In between it is this over nμ: blocks then hold about three times as many records as the noise of DP-STAT's counts needs.
const COUNTED: f64 = 100.0;
/// What DP-STAT reads of a block, in units of the noise of a count: with fewer records that noise hides all counts.
const COUNTS: f64 = 35.0;
/// A step's noise, clipped at residuals of the largest size, may raise them by about this: beyond 1 they grow step by step.
const GAIN: f64 = 0.5;
/// DP-AMBSSGD's longest step, in units of 1/R².
const LONGEST: f64 = 3.0;
/// DP-SkGD's blocks, of as many that make up all coordinates.
const BLOCKS: usize = 4;
/// The part of μ² that a centre gets.
const CENTRE: f64 = 0.1;
/// Features up to which there is a centre: centred records are dense.
const CENTRED: usize = 1000;

/// What was asked for and the rule does not touch.
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
    /// DP-SkGD's sets.
    pub sampling: Option<SamplingName>,
    /// The centre's share.
    pub centre: Option<f64>,
}

impl Request {
    /// The same with centre, clipping, lengths and steps by the rule where nothing was asked, and the reasons in words.
    ///
    /// ```
    /// use dp_assay::prelude::*;
    /// use dp_assay::solver::fit::{Asked, Facts, Method};
    ///
    /// let budget = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
    /// let facts = Facts { records: 30_000, features: 100, nonzeros: None, loss: LossName::Logistic, budget };
    /// let request = Request { intercept: true, ..Request::new(Method::Gd, LossName::Logistic, budget) };
    /// let (tuned, reasons) = request.tuned(&facts, Asked::default())?;
    /// assert_eq!((tuned.centre, tuned.clip, tuned.passes, tuned.rounds), (0.1, 1.0, 60.0, 60));
    /// // η = 1000/(60·1·1) is this many times 1/Tr(M) = 1/101: M_j = (2B)²/4.
    /// assert!((tuned.step - 1000.0 / 60.0 * 101.0).abs() < 1e-9);
    /// assert!(reasons[0].contains("kappa"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Facts::signal`].
    pub fn tuned(mut self, facts: &Facts, asked: Asked) -> Result<(Self, Vec<String>), FitError> {
        let facts = &facts.of(self.method);
        let kappa = facts.signal()?;
        let centred = self.intercept && facts.features <= CENTRED;
        self.centre = asked.centre.unwrap_or(if centred { CENTRE } else { 0.0 });
        let mut reasons = vec![match self.method {
            Method::Gcd => self.greedy(facts, kappa, asked),
            Method::Ambssgd => self.passing(facts, kappa, asked),
            Method::Adassp | Method::Ssgd | Method::Decor => facts.told(kappa),
            _ => self.descending(facts, kappa, asked),
        }];
        if self.centre > 0.0 {
            reasons.push(format!(
                "a private centre of the features gets {} of mu^2; --centre changes it",
                self.centre
            ));
        }
        if self.method.knows_zeros() && facts.nonzeros.is_none() && facts.features > CENTRED {
            let text = "records of which few features are not 0 are worth longer steps: state how \
                        many with --nonzeros";
            reasons.push(text.into());
        }
        let ranged = self.target_range.is_some() || self.bounds != 0.0;
        if facts.loss != LossName::Logistic && !ranged {
            let text = "targets are taken for numbers of about 1: state their public range with \
                        --target-range LOW:HIGH";
            reasons.push(text.into());
        }
        Ok((self, reasons))
    }

    /// M_j of the bound.
    fn smoothness(&self, facts: &Facts) -> f64 {
        facts.curvature() * self.reach() * self.reach() + self.ridge.max(0.0)
    }

    /// Gradients by the table, whole or in parts.
    fn descending(&mut self, facts: &Facts, kappa: f64, asked: Asked) -> String {
        let row = facts.row(kappa);
        let columns = facts.features + usize::from(self.intercept);
        let part = match self.method {
            Method::DpSgd => {
                self.rate = asked.rate.unwrap_or(RATE);
                self.rate
            }
            _ => 1.0,
        };
        let size = columns.div_ceil(BLOCKS).max(1);
        self.sampling = asked.sampling.unwrap_or(SamplingName::Blocks(size));
        self.passes = asked.passes.unwrap_or(part * row.steps as f64);
        let steps = self.passes / part;
        // As many averages as gradients are the last iterate of all.
        let last = match self.method {
            Method::Gd => steps.ceil().max(1.0) as usize,
            _ => 1,
        };
        self.rounds = asked.rounds.unwrap_or(last);
        self.clip = asked.clip.unwrap_or(row.clip * self.bound);
        let eta = asked.step.unwrap_or(1.0) * row.travel / (steps * self.clip * self.bound);
        let whole = match self.method {
            Method::DpCd => 1.0,
            _ => columns as f64,
        };
        self.step = eta * whole * self.smoothness(facts);
        // DP-SkGD moves the coordinates of a set of s by γ_j/p_j = 1/(s·M_j) of this, whatever their number.
        let taken = match self.method {
            Method::Skgd => eta * columns as f64 / self.sampling.largest(columns) as f64,
            _ => eta,
        };
        // Of random coordinates a pass has many steps.
        let what = match self.method {
            Method::Skgd | Method::DpCd => "passes with steps",
            _ => "steps",
        };
        // Of whole gradients; single coordinates have a bound of their own.
        let stable = match self.method {
            Method::Gd | Method::DpSgd => format!(
                "; such steps may diverge where features move together, with a second moment above \
                 {:.3} in some direction: then --step 0.5 or less",
                2.0 / (eta * facts.curvature())
            ),
            _ => String::new(),
        };
        format!(
            "{}, so by the public table (tuned on synthetic data): {steps} {what} of {taken:.4}, \
             clip {}; --passes, --step and --clip change them{stable}",
            facts.told(kappa),
            self.clip
        )
    }

    /// One pass over blocks.
    fn passing(&mut self, facts: &Facts, kappa: f64, asked: Asked) -> String {
        let columns = facts.features + usize::from(self.intercept);
        let signal = kappa * facts.columns().sqrt();
        let share = (COUNTED / signal).clamp(BLOCK.0, BLOCK.1);
        self.rate = asked.rate.unwrap_or(share);
        // α; of a block what DP-STAT leaves (Γ′ is 17.5 α); the noise of a step in units of the residuals behind it.
        let (n, noise) = (facts.records as f64, facts.records as f64 / signal);
        let block = self.rate * n;
        let batch = block - (COUNTS * noise).clamp(0.1 * block, 0.5 * block);
        let gain = 2.0 * columns as f64 * noise / batch;
        self.clip = asked.clip.unwrap_or((GAIN / gain).min(1.0));
        // η = 1/B², which is stable in the intercept, and at most 3/R²: columns that move together have second moments up to R².
        let long = LONGEST.min(columns as f64);
        self.step = asked.step.unwrap_or(1.0) * long;
        format!(
            "{}; blocks of at least {:.4} of the records, {} times the step 1/R^2 for rows of norm \
                R at most, clip {:.4}; --rate, --step and --clip change them; such steps may \
                diverge where features move together, with a second moment above {:.3} in some \
                direction: then --step {} or less",
            facts.told(kappa),
            self.rate,
            self.step,
            self.clip,
            2.0 * (self.bound * self.bound) * columns as f64 / self.step,
            0.5
        )
    }

    /// Greedy steps.
    fn greedy(&mut self, facts: &Facts, kappa: f64, asked: Asked) -> String {
        let columns = (facts.features + usize::from(self.intercept)) as f64;
        let signal = kappa * facts.columns().sqrt();
        // 2/B² is the longest stable step on the intercept, whose column has the second moment B².
        let (long, many) = match facts.loss {
            LossName::Logistic => (32.0, 30.0),
            LossName::Squared | LossName::Huber => (2.0, 100.0),
        };
        let (steps, share) = match signal {
            s if s < 100.0 => (10.0, 0.1),
            s if s < 300.0 => (30.0, 0.2),
            _ => (many, 0.2),
        };
        self.passes = asked.passes.unwrap_or(steps);
        if self.calibration == CalibrationName::Default {
            // Certified by the accountant; the repaired equation leaves a quarter of the budget.
            self.calibration = CalibrationName::Tight;
        }
        self.clip = asked.clip.unwrap_or(share * self.bound * columns.sqrt());
        let eta = asked.step.unwrap_or(1.0) * long / (self.bound * self.bound);
        self.step = eta * self.smoothness(facts);
        format!(
            "{}, n mu = {:.1}, so by the public table (tuned on synthetic data): {} greedy steps \
             of {eta:.4}, clip {:.4} for all coordinates together; --passes, --step and --clip \
             change them",
            facts.told(kappa),
            signal,
            self.passes,
            self.clip
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::facts;
    use super::*;

    fn tuned(request: Request, facts: &Facts) -> (Request, String) {
        let (request, reasons) = request.tuned(facts, Asked::default()).expect("a rule");
        (request, reasons.join("; "))
    }

    /// The longest step of one pass is longer by a column of ones, up to where columns that move together would let it diverge.
    #[test]
    fn an_intercept_is_a_column_more() {
        for (features, intercept, long) in [(1, false, 1.0), (1, true, 2.0), (100, true, 3.0)] {
            let facts = facts(30_000, features, LossName::Squared);
            let plain = Request::new(Method::Ambssgd, LossName::Squared, facts.budget);
            let (request, _) = tuned(Request { intercept, ..plain }, &facts);
            assert_eq!(request.step, long);
        }
    }

    #[test]
    fn only_targets_without_a_range_are_taken_for_numbers_of_about_1() {
        use LossName::{Huber, Logistic, Squared};
        for (loss, target_range, bounds, warned) in [
            (Logistic, None, 0.0, false),
            (Squared, None, 0.0, true),
            (Huber, None, 0.0, true),
            (Squared, Some((0.0, 9.0)), 0.0, false),
            (Squared, None, 0.1, false),
        ] {
            let facts = facts(30_000, 100, loss);
            let request = Request {
                target_range,
                bounds,
                ..Request::new(Method::Gd, loss, facts.budget)
            };
            let (_, reasons) = tuned(request, &facts);
            assert_eq!(
                reasons.contains("--target-range"),
                warned,
                "{loss:?}: {reasons}"
            );
        }
    }
}
