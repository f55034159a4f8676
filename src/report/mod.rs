//! What a run found, as JSON and as one self-contained HTML page.
//!
//! `check` saves a whole [`Report`]; an audit or a campaign makes a page of its audits alone
//! ([`audits_html`]). The page needs no network and can be read without its script.
//!
//! The page of `check --quick` takes 3.03 MB, most of it formulas; a test holds that of a made-up run below 3 MB. In headless
//! Chromium on two quiet cores its filters can be used 0.76 to 0.88 s after the navigation began and have filtered 0.2 s later.
//! `DP_ASSAY_BROWSER=1 cargo test --test program can_be_used -- --nocapture` measures it anew.

pub mod experiment;
mod findings;
mod formula;
mod headlines;
mod html;
mod ledger;
pub mod lines;
mod page;
pub mod paper;
mod plot;
#[cfg(test)]
mod samples;
mod symbols;
mod tables;
#[cfg(test)]
mod tests;
mod whole;

use crate::audit::{AuditReport, Counterexample, Release, mass};
use crate::ledger::{self as ledger_of, Row};
use crate::units::{Neighbouring, at_most};
use dp_assay_spec::findings::Finding;
use schemars::JsonSchema;
use serde::Serialize;
use std::io;
use std::path::Path;

pub use html::{audits_html, html};
pub use symbols::symbols;
pub use whole::{writable, writable_folder, write};

/// The verdict of an audit that found its claim broken.
const VIOLATION: &str = "VIOLATION";
/// What is said of an empty claim, in the ledger and to its authors alike.
const EMPTY: &str = "Only trivial problems satisfy the hypotheses, or none";

/// Version of the JSON layout of [`Report`].
pub const SCHEMA: &str = "dp-assay/report/1";

/// Everything that one run of `check` found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Report {
    /// Always [`SCHEMA`].
    pub schema: &'static str,
    /// `quick`, `standard` or `full`.
    pub effort: &'static str,
    /// The seed of every random choice.
    pub seed: u64,
    /// The data set that was used.
    pub data: Data,
    /// The relation under which every privacy statement of the run is made.
    #[schemars(with = "String")]
    pub neighbours: Neighbouring,
    /// What the solvers release: `transcript` or `final`.
    pub release: &'static str,
    /// The verdict on every claim.
    pub claims: Vec<Row>,
    /// What does not hold as printed, with effect and repair.
    #[schemars(schema_with = "crate::ledger::findings_schema")]
    pub findings: Vec<Finding>,
    /// Reference against optimized solver on the same noise.
    pub comparisons: Vec<Comparison>,
    /// The private fits.
    pub fits: Vec<Fit>,
    /// Certified privacy profiles of the fits' mechanisms and of printed calibrations.
    pub profiles: Vec<Profile>,
    /// The audits of the solvers as shipped.
    pub audits: Vec<Squeeze>,
    /// The audits of deliberately broken copies; each must be caught.
    pub seeded_bugs: Vec<Squeeze>,
    /// What this effort left out.
    pub skipped: Vec<String>,
    /// Everything that makes the run fail (exit code 1); empty when all is well.
    pub failures: Vec<String>,
}

/// A data set, as the report names it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Data {
    /// Its name or file.
    pub name: String,
    /// Where it comes from and under which licence, if known.
    pub source: String,
    /// Number of records n.
    pub records: usize,
    /// Number of features p.
    pub features: usize,
}

/// Reference and optimized solver on one problem with the same noise.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Comparison {
    /// The problem, in words.
    pub problem: String,
    /// Steps taken.
    pub steps: usize,
    /// Whether both chose the same coordinates throughout.
    pub same_choices: bool,
    /// Largest difference between two coefficients.
    pub difference: f64,
    /// The derived bound on that difference; `"inf"` where none is claimed.
    #[serde(with = "crate::audit::number")]
    #[schemars(schema_with = "crate::audit::number::schema")]
    pub bound: f64,
}

/// One private fit beside the non-private optimum.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Fit {
    /// Solver and noise calibration, in words.
    pub method: String,
    /// Whether the ledger proves the calibration, and which claim it rests on.
    pub calibration: String,
    /// Whether this is the calibration that is used unless another is asked for.
    pub default: bool,
    /// Whether the ledger proves it.
    pub proved: bool,
    /// The claim that ε rests on.
    pub claim: &'static str,
    /// The printed claim by which the noise was chosen, where the ledger refutes it: ε does not rest on it.
    pub refuted: Option<&'static str>,
    /// Privacy parameter ε.
    pub epsilon: f64,
    /// Privacy parameter δ.
    pub delta: f64,
    /// Number of steps T.
    pub steps: usize,
    /// Objective at the released coefficients (not private).
    pub objective: f64,
    /// Objective at the non-private optimum.
    pub optimum: f64,
    /// Share of records classified correctly, if there are classes (not private).
    pub accuracy: Option<f64>,
    /// The same for the non-private optimum.
    pub optimum_accuracy: Option<f64>,
}

/// Upper bounds on the ε of one mechanism at several δ.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Profile {
    /// The mechanism with its calibration, in words.
    pub mechanism: String,
    /// The ε that the calibration claims …
    pub claimed: f64,
    /// … at this δ.
    pub delta: f64,
    /// The certified upper bound on ε at that δ.
    pub epsilon_at_claim: f64,
    /// The relation under which it is private.
    #[schemars(with = "String")]
    pub neighbours: Neighbouring,
    /// The accountant's theorem.
    pub theorem: String,
    /// The claim that what was accounted for is the mechanism.
    pub claim: &'static str,
    /// The profile, by falling δ.
    pub points: Vec<ProfilePoint>,
}

/// One point of a privacy profile.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ProfilePoint {
    /// δ.
    pub delta: f64,
    /// The mechanism is (ε, δ)-private with this ε.
    pub epsilon_upper: f64,
}

/// What an audit left of the privacy of one mechanism on one pair: lower ≤ true ≤ upper.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Squeeze {
    /// The mechanism, in words.
    pub mechanism: String,
    /// The claimed ε.
    pub claimed: f64,
    /// The δ at which all ε are stated.
    pub delta: f64,
    /// The relation between the two inputs.
    #[schemars(with = "String")]
    pub neighbours: Neighbouring,
    /// What is released.
    pub release: Release,
    /// `VIOLATION`, `PASS-WITH-POWER` or `INCONCLUSIVE`.
    pub verdict: String,
    /// Audited lower bound on ε.
    pub lower: f64,
    /// Confidence of the lower bound.
    pub confidence: f64,
    /// Certified upper bound on ε, where an accountant gives one.
    pub upper: Option<f64>,
    /// The claim that `upper` rests on.
    pub claim: Option<&'static str>,
    /// The ε that this audit would have caught, with the probability stated in `power`.
    pub detectable: Option<f64>,
    /// Probability with which `detectable` would have been caught.
    pub power: f64,
    /// … if it shows in an event that has at least this probability on its likelier side.
    pub event_mass: Option<f64>,
    /// Samples used, one per side.
    pub samples: u64,
    /// What distinguishes the two sides.
    pub event: String,
    /// What a reader can count by hand, if the claim is false.
    pub counterexample: Option<Counterexample>,
    /// Reproduces the audit.
    pub seed: u64,
}

impl Squeeze {
    /// What the audit would have caught, with which probability, and in which events; `None` where it promises nothing.
    #[must_use]
    pub fn caught(&self) -> Option<String> {
        let (seen, power) = (at_most(self.detectable?, 4), self.power);
        let event = self.event_mass.map_or_else(String::new, |p| {
            format!(", on an event of probability {}", mass(p))
        });
        Some(format!("ε ≥ {seen} with probability {power}{event}"))
    }

    /// One row from an audit, under a name, with an upper bound on the true ε at the claimed δ if an
    /// accountant has one, and the claim of the ledger that it rests on.
    ///
    /// ```no_run
    /// use dp_assay::audit::AuditReport;
    /// use dp_assay::report::{Squeeze, audits_html};
    ///
    /// /// A page about one audit, beside an accountant's upper bound on ε.
    /// fn page(report: &AuditReport, epsilon_upper: f64) -> String {
    ///     audits_html("My audit", &[Squeeze::new("noisy count", report, Some((epsilon_upper, "acc-laplace")))])
    /// }
    /// ```
    #[must_use]
    pub fn new(name: &str, report: &AuditReport, upper: Option<(f64, &'static str)>) -> Self {
        let power = report.power.as_ref();
        Self {
            mechanism: name.to_owned(),
            claimed: report.claim.epsilon.get(),
            delta: report.claim.delta.get(),
            neighbours: report.neighbours,
            release: report.release,
            verdict: report.verdict.to_string(),
            lower: report.epsilon_lower,
            confidence: report.confidence,
            upper: upper.map(|(epsilon, _)| epsilon),
            claim: upper.map(|(_, claim)| claim),
            detectable: power.map(|p| p.epsilon),
            power: power.map_or(0.0, |p| p.probability),
            event_mass: power.map(|p| p.event_mass),
            samples: report.samples,
            event: report.event.clone().unwrap_or_default(),
            counterexample: report.counterexample.clone(),
            seed: report.seed,
        }
    }
}

impl Report {
    /// Everything that this project itself relies on and that did not hold. A refuted printed claim or
    /// a caught bug is a finding, not a failure.
    #[must_use]
    pub fn failing(&self) -> Vec<String> {
        // A difference that is no number is none within a bound.
        let parted = |c: &&Comparison| !(c.same_choices && c.difference <= c.bound);
        let coupled = self.comparisons.iter().filter(parted);
        let coupled = coupled.map(|c| format!("reference and optimized differ on {}", c.problem));
        let accused = self.audits.iter().filter(|a| a.verdict == VIOLATION);
        let accused = accused.map(|a| format!("{} violates its calibration", a.mechanism));
        let escaped = self.seeded_bugs.iter().filter(|a| a.verdict != VIOLATION);
        let escaped = escaped.map(|a| format!("the seeded bug in `{}` escaped", a.mechanism));
        let unproved = self.fits.iter().filter(|f| f.default && !f.proved);
        let unproved =
            unproved.map(|f| format!("the default calibration is not proved: {}", f.calibration));
        let unfounded = self
            .guarantees()
            .into_iter()
            .filter(|(_, id)| !self.holds(id));
        let unfounded =
            unfounded.map(|(what, id)| format!("{what} rests on {id}, which does not hold"));
        let repairs = ledger_of::unproved_repairs(&self.claims).into_iter();
        let repairs = repairs.map(|id| format!("the repaired claim {id} does not hold"));
        let mismatches = ledger_of::unexpected(&self.claims).into_iter();
        coupled
            .chain(accused)
            .chain(escaped)
            .chain(unproved)
            .chain(unfounded)
            .chain(repairs)
            .chain(mismatches)
            .collect()
    }

    /// What says how private something is, with the claim that it rests on.
    fn guarantees(&self) -> Vec<(&str, &'static str)> {
        let fits = self.fits.iter().map(|f| (f.method.as_str(), f.claim));
        let profiles = self
            .profiles
            .iter()
            .map(|p| (p.mechanism.as_str(), p.claim));
        let audits = self
            .audits
            .iter()
            .filter_map(|a| Some((a.mechanism.as_str(), a.claim?)));
        fits.chain(profiles).chain(audits).collect()
    }

    fn holds(&self, id: &str) -> bool {
        self.claims.iter().any(|row| row.id == id && row.holds())
    }

    /// Writes `report.json` and `report.html` into the directory, which is made if need be.
    ///
    /// ```no_run
    /// use dp_assay::report::Report;
    /// use std::path::Path;
    ///
    /// fn keep(report: &Report) -> std::io::Result<()> {
    ///     report.save(Path::new("results")) // report.json and report.html
    /// }
    /// ```
    ///
    /// # Errors
    /// Any error of the file system; neither file is left half-written.
    pub fn save(&self, directory: &Path) -> io::Result<()> {
        writable_folder(directory)?;
        let json = serde_json::to_vec_pretty(self)?;
        write(&directory.join("report.json"), &json)?;
        write(&directory.join("report.html"), html(self).as_bytes())
    }
}
