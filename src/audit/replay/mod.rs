//! The deterministic layer: run on D, run again on D′ with everything released held fixed, compare.
//!
//! A [`Procedure`] asks a [`Desk`] for every noisy answer. On D the desk draws noise and writes down
//! what it was asked; on D′ it gives back **the answers of D**, whatever the data, and compares the
//! questions. Given the same past answers, a private procedure may differ between neighbours only in
//! the values that are about to be noised, and in these only within their declared sensitivity.
//! So any of the following is a defect, with certainty and after two runs
//! ([`Finding`]): a branch or a question that depends on the data, a value that moves further than
//! declared, a scale or sensitivity that depends on the data or differs from the claim's, a variate
//! used twice, a result that depends on the data other than through noisy answers.
//!
//! What it cannot see: paths that the runs did not take (several seeds and both directions are run),
//! and neighbours other than the pair given.

mod desk;
mod finding;

pub use desk::{Contest, Desk, Noise, Question, Stop};
pub use finding::{Extent, Finding, ReplayReport};

use crate::audit::{DrawError, Mechanism, Output};
use crate::mechanism::tape::Tape;
use desk::{Asked, Kind, Record};
use std::collections::{BTreeMap, HashSet};

/// A randomized algorithm that asks a desk for every noisy answer.
pub trait Procedure: Sync {
    /// A dataset.
    type Input: Sync;

    /// A short name for reports.
    fn name(&self) -> String;

    /// One run. What it returns is its public result: a function of the desk's answers alone.
    ///
    /// # Errors
    /// Passes on the desk's [`Stop`] with `?`.
    fn run(&self, input: &Self::Input, desk: &mut Desk<'_>) -> Result<Output, Stop>;
}

/// A procedure as a mechanism, for the statistical audit.
pub struct Live<P>(pub P);

impl<P: Procedure> Mechanism for Live<P> {
    type Input = P::Input;

    fn name(&self) -> String {
        self.0.name()
    }

    fn draw(&self, input: &P::Input, tape: Tape) -> Result<Output, DrawError> {
        let mut desk = Desk::recording(tape);
        // A desk that records never stops a run.
        Ok(self.0.run(input, &mut desk).unwrap_or(Output::Nothing))
    }
}

/// A replay being described; [`Replay::run`] runs it.
pub struct Replay<'a, P: Procedure> {
    procedure: &'a P,
    inputs: [&'a P::Input; 2],
    scales: BTreeMap<&'static str, Vec<f64>>,
    terms: u64,
    runs: u64,
    seed: u64,
}

impl<'a, P: Procedure> Replay<'a, P> {
    /// The replay of a procedure on two neighbouring inputs, in both directions.
    pub fn of(procedure: &'a P, first: &'a P::Input, second: &'a P::Input) -> Self {
        Self {
            procedure,
            inputs: [first, second],
            scales: BTreeMap::new(),
            terms: 4,
            runs: 8,
            seed: 0,
        }
    }

    /// The scales that the claim needs at a site (one for a release, one per coordinate for a
    /// contest); any smaller one is reported.
    #[must_use]
    pub fn scales(mut self, site: &'static str, scales: &[f64]) -> Self {
        self.scales.insert(site, scales.to_vec());
        self
    }

    /// How many roundings make a value (4 by default): for sums over n records, n.
    #[must_use]
    pub fn terms(mut self, terms: u64) -> Self {
        self.terms = terms;
        self
    }

    /// Number of runs in each direction (8 by default), each with noise of its own.
    #[must_use]
    pub fn runs(mut self, runs: u64) -> Self {
        self.runs = runs;
        self
    }

    /// The seed of the noise.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Runs and compares.
    #[must_use]
    pub fn run(&self) -> ReplayReport {
        let mut report = ReplayReport::default();
        let [first, second] = self.inputs;
        for run in 0..self.runs {
            let tape = Tape::new(self.seed).trial(run);
            self.compare(first, second, tape, &mut report);
            self.compare(second, first, tape, &mut report);
        }
        report
    }

    fn compare(&self, on: &P::Input, other: &P::Input, tape: Tape, report: &mut ReplayReport) {
        let mut desk = Desk::recording(tape);
        let result = self.procedure.run(on, &mut desk).unwrap_or(Output::Nothing);
        let record = Record {
            asked: desk.asked,
            answers: desk.answers,
            result,
        };
        self.check_noise(&record, report);
        let mut again = Desk::replaying(&record);
        let result = self.procedure.run(other, &mut again);
        for (a, b) in record.asked.iter().zip(&again.asked) {
            self.check_distance(a, b, report);
        }
        if let Some(finding) = again.stopped {
            report.add(finding);
            return;
        }
        if let Some(next) = record.asked.get(again.asked.len()) {
            report.add(Finding::ControlFlow {
                question: again.asked.len(),
                first: next.to_string(),
                second: "the end".to_owned(),
            });
            return;
        }
        let result = result.unwrap_or(Output::Nothing);
        if !same_bits(&record.result, &result) {
            report.add(Finding::Unnoised {
                first: format!("{:?}", record.result),
                second: format!("{result:?}"),
            });
        }
    }

    /// Variates used twice and scales below the claim's.
    fn check_noise(&self, record: &Record, report: &mut ReplayReport) {
        let mut seen = HashSet::new();
        for asked in &record.asked {
            for address in asked.addresses() {
                if !seen.insert(address) {
                    report.add(Finding::Reuse {
                        site: asked.site.to_owned(),
                        step: address.1,
                        coordinate: address.2,
                    });
                }
            }
            let claimed = self.scales.get(asked.site).into_iter().flatten();
            for (claimed, used) in claimed.zip(&asked.scales) {
                if used.is_nan() || used < claimed {
                    report.add(Finding::Scale {
                        site: asked.site.to_owned(),
                        claimed: *claimed,
                        used: *used,
                    });
                }
            }
        }
    }

    fn check_distance(&self, a: &Asked, b: &Asked, report: &mut ReplayReport) {
        if a.kind == Kind::Branch {
            return;
        }
        let parameters = [
            ("scale", &a.scales, &b.scales),
            ("sensitivity", &a.sensitivities, &b.sensitivities),
        ];
        for (parameter, first, second) in parameters {
            for (first, second) in first.iter().zip(second) {
                if first.to_bits() != second.to_bits() {
                    report.add(Finding::Parameter {
                        site: a.site.to_owned(),
                        parameter: parameter.to_owned(),
                        first: *first,
                        second: *second,
                    });
                }
            }
        }
        let (measured, declared) = a.moved(b);
        let extent = report.sites.entry(a.site.to_owned()).or_default();
        extent.questions += 1;
        if declared > 0.0 {
            extent.largest = extent.largest.max(measured / declared);
        }
        if measured.is_nan() || measured > declared + a.rounding(b, self.terms) {
            report.add(Finding::Sensitivity {
                site: a.site.to_owned(),
                step: a.step,
                declared,
                measured,
            });
        }
    }
}

/// Equality in which NaN equals itself and −0 does not equal 0.
fn same_bits(a: &Output, b: &Output) -> bool {
    let bits = |v: &[f64]| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    match (a, b) {
        (Output::Real(x), Output::Real(y)) => x.to_bits() == y.to_bits(),
        (Output::Vector(x), Output::Vector(y)) => bits(x) == bits(y),
        _ => a == b,
    }
}
