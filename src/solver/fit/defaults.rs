//! What is taken where nothing was asked: a rule of public facts, and a table tuned on synthetic data.
//!
//! The facts are n, the number of features p, the loss and (ε, δ). With μ such that one Gaussian release is (ε, δ)-private
//! at noise 1/μ of its sensitivity, the noise that all steps of noisy gradient descent leave on a model that may travel
//! the distance D is of norm about 2D/κ, κ = nμ/√(p + 1), whatever the number of steps: κ says how much there is to be
//! learnt, and the table has a row for each of its ranges. A row holds the clipping level C, D and the number of steps T.
//!
//! Where it is known that at most s features of a record are not 0, a score feels the noise of s weights only. The dense
//! problems of the table have features of a third of their bound, so that a record of s ones is as long as one of 9s of
//! these: p is then min(p, 9s) in κ, for gd, dp-sgd and skgd. Noise on one partial derivative, or on statistics, hides records
//! that have all features, and does not get less.
//!
//! | method | numbers |
//! |---|---|
//! | gd | T full gradients clipped at C·B, steps η = D/(T·C·B), the last iterate |
//! | dp-sgd | the same, on Poisson batches of half of the records |
//! | skgd | T passes of random blocks of a quarter of the coordinates, shares of C·B, steps η·p/s for sets of s of p: about 4η |
//! | dp-cd | the same with single coordinates, steps η |
//! | gcd | 30 greedy steps of 32/B² for two classes, 100 of 2/B² for real targets (10 where nμ < 100, 30 where nμ < 300), every partial derivative clipped at B/5 (B/10) |
//! | ambssgd | blocks of 100/(nμ) of the records, 3 % at least and 30 % at most, clipped where their noise would feed on itself, steps η = min(1/B², 3/R²) |
//! | adassp | its own ridge |
//!
//! All of them spend a tenth of μ² on a private centre of the features ([`super::Centre`]) and have an intercept.
//! Constants are those of the bound, |x_ij| ≤ 2B about a centre: M_j = 4B² sup ℓ″.
//!
//! The rows are the best means over synthetic problems of 500 to 6000 records with 10, 30 or 100 features (uniform,
//! four-factor, few weights, one-hot, log-normal), ε in {0.1, 0.3, 0.5, 1, 3, 10}, of the grid C in {0.5, 1, 2}, D in {1, 3, 10,
//! 30, 100, 300, 1000}, with and without the centre, which is better in every row; between the grid's points rows are
//! interpolated, and the last of the real targets follows the law of those before. Breast cancer, a9a, california
//! and diabetes were looked at on the way, so that figures on these are no fresh test of the rule: the number of
//! steps was raised from 40 to 100 after that had gained half a point on breast cancer.
//!
//! Greedy steps on real targets were 30 of 4/B², which diverge in the intercept: its column has the second moment B², and steps
//! above 2/B² are not stable there. On nine problems of 500 and 5,000 records that were drawn after the choice (5 to 30 features,
//! also correlated, log-normal, on other scales and with targets far from the middle), at ε 1 and 8, R² rose in all 18 cases, in twelve from below 0.
//! `cargo run --example fit_table` makes such problems anew and prints what the entries lose.

use super::{
    CalibrationName, FitError, LossName, Method, Request, SamplingName, ScheduleName, Smoothness,
    part_of,
};
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
    /// s, the most features of a record that are not 0, where that is publicly known. Steps follow from it, no guarantee does.
    pub nonzeros: Option<usize>,
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
}

const fn row(below: f64, clip: f64, travel: f64, steps: usize) -> Row {
    Row {
        below,
        clip,
        travel,
        steps,
    }
}

/// For two classes.
pub const CLASSES: [Row; 7] = [
    row(5.0, 0.5, 5.0, 100),
    row(10.0, 0.5, 10.0, 100),
    row(30.0, 0.5, 40.0, 100),
    row(60.0, 0.5, 120.0, 100),
    row(100.0, 0.5, 300.0, 100),
    row(300.0, 0.5, 1000.0, 100),
    row(f64::INFINITY, 1.0, 1000.0, 60),
];
/// For real targets in \[−1, 1\].
pub const NUMBERS: [Row; 6] = [
    row(10.0, 0.5, 1.0, 100),
    row(30.0, 0.5, 4.0, 100),
    row(100.0, 0.5, 10.0, 100),
    row(300.0, 0.5, 30.0, 100),
    row(1000.0, 0.5, 100.0, 250),
    row(f64::INFINITY, 0.5, 300.0, 800),
];
/// Below this κ noise is louder than what is learnt, on most problems of the table.
const QUIET: f64 = 10.0;
/// As [`QUIET`] for statistics, in units of p + 1; one pass needs three times as much.
const LOUD: f64 = 10.0;
/// AdaSSP's statistics are louder than a gradient by about p + 1; `auto` takes them where κ exceeds that so many times. In the
/// league, where κ is at most 900 (p + 1), gd is at least as good everywhere.
const ENOUGH: f64 = 1000.0;
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
/// Features of dense records that make them as long as one 1 does.
const ALIKE: usize = 9;
/// Features up to which there is a centre: centred records are dense.
const CENTRED: usize = 1000;

impl Facts {
    /// κ = nμ/√(p + 1), where min(p, 9s) stands for p if s is known.
    ///
    /// ```
    /// use dp_assay::prelude::*;
    /// use dp_assay::solver::fit::{Facts, Method};
    ///
    /// let budget = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
    /// let facts = Facts { records: 26048, features: 123, nonzeros: None, loss: LossName::Logistic, budget };
    /// let kappa = facts.signal()?; // 26048·0.2367/√124: one Gaussian release needs σ = 4.225
    /// assert!((553.0..554.0).contains(&kappa), "{kappa}");
    /// assert_eq!(facts.row(kappa).steps, 60);
    /// assert_eq!(facts.method(false)?.0, Method::Gd);
    /// let wide = Facts { features: 100_000, nonzeros: Some(30), ..facts };
    /// let kappa = wide.signal()?; // 26048·0.2367/√271
    /// assert!((374.0..375.0).contains(&kappa), "{kappa}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If no noise meets the budget.
    pub fn signal(&self) -> Result<f64, FitError> {
        let one = Sensitivity::new(1.0).map_err(AccountError::from)?;
        let sigma = calibrate_sigma(one, self.budget.0, self.budget.1)?.hi;
        Ok(self.records as f64 / (sigma * self.columns().sqrt()))
    }

    /// p + 1, or what stands for it.
    fn columns(&self) -> f64 {
        let alike = self
            .nonzeros
            .map_or(self.features, |s| s.saturating_mul(ALIKE));
        self.features.min(alike) as f64 + 1.0
    }

    /// κ in words.
    fn told(&self, kappa: f64) -> String {
        let of = match self.nonzeros {
            Some(s) if s.saturating_mul(ALIKE) < self.features => {
                format!("{ALIKE} nonzeros + 1), nonzeros at most {s},")
            }
            _ => "p + 1)".into(),
        };
        format!("kappa = n mu / sqrt({of} = {kappa:.1}")
    }

    /// sup ℓ″.
    const fn curvature(&self) -> f64 {
        match self.loss {
            LossName::Logistic => 0.25,
            LossName::Squared | LossName::Huber => 1.0,
        }
    }

    /// What a method makes use of: zeros lessen the noise that a score feels where whole gradients, or large parts of them,
    /// are released.
    fn of(self, method: Method) -> Self {
        match method.knows_zeros() {
            true => self,
            false => Self {
                nonzeros: None,
                ..self
            },
        }
    }

    /// The same for each of more than two classes, which share the budget.
    ///
    /// # Errors
    /// As [`part_of`].
    pub fn for_classes(self, count: usize) -> Result<Self, FitError> {
        if count <= 2 {
            return Ok(self);
        }
        let epsilon = part_of(self.budget, 1.0 / count as f64)?;
        Ok(Self {
            budget: (epsilon, self.budget.1),
            ..self
        })
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
    /// Not gcd where p is far above n: on the sparse problem of the league (p = 10⁵, 40 features that tell) noisy full gradients
    /// with the steps of sparse records learn more than greedy ones, even than those without noise.
    ///
    /// # Errors
    /// As [`Facts::signal`].
    pub fn method(&self, plain: bool) -> Result<(Method, String), FitError> {
        let p = self.features as f64 + 1.0;
        let kappa = self.of(Method::Adassp).signal()?;
        if plain && self.loss == LossName::Squared && kappa >= ENOUGH * p {
            let why = format!(
                "plain least squares with kappa = {kappa:.1}, at least {ENOUGH} (p + 1): AdaSSP's \
                 statistics"
            );
            return Ok((Method::Adassp, why));
        }
        let kappa = self.of(Method::Gd).signal()?;
        let task = match self.loss {
            LossName::Logistic => "two classes",
            LossName::Squared | LossName::Huber => "real targets",
        };
        let why = format!(
            "{task}, kappa = {kappa:.1}: noisy full gradients; of sparsity it knows what \
             --nonzeros states, for it is data"
        );
        Ok((Method::Gd, why))
    }

    /// Why a model of this request is likely to be no better than a constant, if it is, by public facts alone.
    #[must_use]
    pub fn warning(&self, request: &Request) -> Option<String> {
        let users = request.decentralised.as_ref();
        let records = users.and_then(|users| users.graph.rsplit(':').next()?.parse().ok());
        // All records of a user are protected together: it counts as one.
        let of = Self {
            records: records.unwrap_or(self.records),
            ..self.of(request.method)
        };
        let (kappa, least) = (of.signal().ok()?, self.quiet(request.method));
        (kappa < least).then(|| {
            let sparse = match request.method.knows_zeros() && self.nonzeros.is_none() {
                true => " (or --nonzeros, if records have few of them)",
                false => "",
            };
            format!(
                "kappa = {kappa:.1} is below {least}: the noise of {} is likely to drown what is \
                 learnt; more records, fewer features{sparse} or a larger epsilon help",
                request.method.name()
            )
        })
    }

    /// κ below which noise is louder than what is learnt, on some problems of the table or of the league.
    fn quiet(&self, method: Method) -> f64 {
        let columns = self.features as f64 + 1.0;
        match (method, self.loss) {
            (Method::Adassp, _) => LOUD * columns,
            (Method::Ambssgd | Method::Ssgd, _) => 3.0 * LOUD * columns,
            (_, LossName::Logistic) => QUIET,
            (_, LossName::Squared | LossName::Huber) => 3.0 * QUIET,
        }
    }

    /// Whether the rule speaks of a request: constants that say no more than the bound, no theorem that fixes its numbers, records for neighbours, noise that
    /// is certified.
    #[must_use]
    pub fn applies(request: &Request) -> bool {
        let calibrations = [CalibrationName::Default, CalibrationName::Tight];
        let (epsilon, delta) = (request.epsilon.get(), request.delta.get());
        !matches!(request.method, Method::Decor | Method::Ssgd)
            && calibrations.contains(&request.calibration)
            && epsilon > 0.0
            && delta > 0.0
            && delta < 1.0
            && request.smoothness == Smoothness::Bound
            && request.schedule == ScheduleName::Practical
            && request.neighbours == Neighbouring::ReplaceOne
    }
}

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
            "{}; blocks of {:.4} of the records, {} times the step 1/R^2 for rows of norm R at \
             most, clip {:.4}; --rate, --step and --clip change them; such steps may diverge where \
             features move together, with a second moment above {:.3} in some direction: then \
             --step {} or less",
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
    use super::*;

    fn facts(records: usize, features: usize, loss: LossName) -> Facts {
        let budget = (
            Epsilon::new(1.0).expect("in range"),
            Delta::new(1e-6).expect("in range"),
        );
        Facts {
            records,
            features,
            nonzeros: None,
            loss,
            budget,
        }
    }

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

    /// κ = nμ/√(p + 1) with μ = 0.2367: about 3,000 and 6,000 of 4 columns, which have to be as many thousands.
    #[test]
    fn statistics_are_taken_where_kappa_exceeds_a_thousand_for_each_column() {
        for (records, method) in [(25_350, Method::Gd), (50_700, Method::Adassp)] {
            let (found, why) = facts(records, 3, LossName::Squared)
                .method(true)
                .expect("a rule");
            assert_eq!(found, method, "{why}");
        }
    }
}
