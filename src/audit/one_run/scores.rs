//! One-run audits from scores: a number for each canary, and whether it was in the training set.
//!
//! Guesses are made from the scores alone: of m canaries, the r/2 with the largest scores are taken for members
//! and the r/2 with the smallest for others, ties in random order (a file often lists the members first). Which r
//! is best is not known beforehand; whoever tries several and keeps the best bound at full error reports an ε
//! for scores that say nothing. So r is m, m/2, m/4, …, and each of these K bounds has error α/K.
//!
//! Before anything is said, the same procedure is run on null scores: these scores with memberships drawn anew. If
//! more than an accident of them gave ε > 0, nothing is said of the true ones.
//!
//! ```
//! use dp_assay::audit::Guarantee;
//! use dp_assay::audit::one_run::scores::{OneRun, Scores};
//!
//! // Scores that tell every member: 500 canaries, every other one a member.
//! let told = (0..500).map(|i| (f64::from(i % 2), i % 2 == 1)).collect();
//! let audit = OneRun { claim: Some(Guarantee::new(1.0, 0.0)?), alpha: 1e-3, ..OneRun::default() };
//! let report = audit.run(&Scores::new(told)?)?;
//! assert!(report.epsilon_lower > 3.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::{Guesses, epsilon_lower, p_value};
use crate::accounting::root;
use crate::audit::binomial::tail_upper;
use crate::audit::budget::SUITE_ALPHA;
use crate::audit::{AuditError, Guarantee, Verdict};
use crate::float::{VANISHES, vanishes};
use crate::mechanism::tape::{Purpose, Tape};
use crate::units::{Delta, UnitError};
use serde::{Deserialize, Serialize};

/// Numbers of guesses that are tried, at most, and the fewest guesses.
const TRIED: usize = 8;
const FEWEST_GUESSES: usize = 16;
/// Redraws of all memberships, and the error at which the bound is then tried.
const REDRAWS: u64 = 200;
const NULL_ALPHA: f64 = 0.05;
/// What is an accident no more.
const SURELY: f64 = 1e-6;
/// The probability with which a stated ε would have been found, and Φ⁻¹ of it, rounded up.
const PROBABILITY: f64 = 0.9;
const QUANTILE: f64 = 1.2816;

/// The canaries' scores and memberships.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores(Vec<(f64, bool)>);

/// What is wrong with scores.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ScoresError {
    /// A line of a file.
    #[error("line {line}: `{value}` is {rule}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What it says.
        value: String,
        /// What it should say.
        rule: &'static str,
    },
    /// There is nothing to guess.
    #[error("there are no canaries")]
    Empty,
    /// Memberships that fair coins do not give.
    #[error(
        "{members} of {canaries} canaries are members: every one must be in or out by a fair coin \
         of its own, which gives such numbers with probability below {SURELY:e}"
    )]
    Coins {
        /// Canaries in the training set.
        members: u64,
        /// All canaries.
        canaries: u64,
    },
    /// Guesses that are worse than coins.
    #[error(
        "{wrong} of {guessed} guesses are wrong, which coins give with probability below \
         {SURELY:e}: a larger score must speak for membership; negate the scores"
    )]
    Reversed {
        /// Wrong guesses.
        wrong: u64,
        /// All guesses.
        guessed: u64,
    },
    /// The bound fails on null scores.
    #[error(
        "of {REDRAWS} redraws of the memberships {alarms} gave ε > 0 at error {NULL_ALPHA}: the \
         bound is not calibrated on these scores"
    )]
    Uncalibrated {
        /// How many.
        alarms: u64,
    },
    /// A parameter is outside its domain.
    #[error(transparent)]
    Audit(#[from] AuditError),
}

impl From<UnitError> for ScoresError {
    fn from(error: UnitError) -> Self {
        Self::Audit(error.into())
    }
}

impl Scores {
    /// The score and the membership of every canary; a larger score speaks for membership.
    ///
    /// # Errors
    /// When there is none, or so many or few are members that their coins were not fair.
    pub fn new(canaries: Vec<(f64, bool)>) -> Result<Self, ScoresError> {
        let members = canaries.iter().filter(|c| c.1).count() as u64;
        let all = canaries.len() as u64;
        if all == 0 {
            return Err(ScoresError::Empty);
        }
        if 2.0 * tail_upper(all, members.max(all - members), 0.5) < SURELY {
            return Err(ScoresError::Coins {
                members,
                canaries: all,
            });
        }
        Ok(Self(canaries))
    }

    /// Reads lines `score,member` (member: 0 or 1, false or true, out or in), with or without a first line of
    /// names, which may name the two columns in either order among others.
    ///
    /// # Errors
    /// Names the first line that is wrong; and as [`Scores::new`].
    pub fn parse(text: &str) -> Result<Self, ScoresError> {
        let mut places = [0, 1];
        let mut headed = false;
        let mut canaries = Vec::new();
        let text = text.trim_start_matches('\u{feff}');
        for (index, line) in text.lines().enumerate() {
            let fields: Vec<&str> = line.split(',').map(str::trim).collect();
            let named = ["score", "member"].map(|name| {
                fields
                    .iter()
                    .position(|f| f.trim_matches('"').eq_ignore_ascii_case(name))
            });
            if let (0, [Some(score), Some(member)]) = (index, named) {
                places = [score, member];
                headed = true;
                continue;
            }
            if line.trim().is_empty() {
                continue;
            }
            let fault = |value: &str, rule| ScoresError::Line {
                line: index + 1,
                value: value.to_owned(),
                rule,
            };
            // Without a header nobody knows which two of more they are.
            let fields = if headed || fields.len() == 2 {
                &fields[..]
            } else {
                &[]
            };
            let [Some(score), Some(member)] = places.map(|place| fields.get(place)) else {
                return Err(fault(line, "not of the form score,member"));
            };
            if vanishes(score) {
                return Err(fault(score, VANISHES));
            }
            let number = score.parse::<f64>().ok().filter(|x| !x.is_nan());
            let number = number.ok_or_else(|| fault(score, "no score: a number is due"))?;
            if number.is_infinite() && score.contains(|c: char| c.is_ascii_digit()) {
                return Err(fault(score, "beyond the largest double"));
            }
            let member = match member.to_ascii_lowercase().as_str() {
                "1" | "true" | "in" => true,
                "0" | "false" | "out" => false,
                _ => return Err(fault(member, "no membership: 0 or 1 is due")),
            };
            canaries.push((number, member));
        }
        Self::new(canaries)
    }

    /// The memberships, those of the largest scores first.
    fn ranked(&self, tape: Tape) -> Vec<bool> {
        let mut order = tape.stream(0, Purpose::Audit, 0);
        let mut keyed: Vec<(f64, u64, bool)> = self
            .0
            .iter()
            .map(|(score, member)| (*score, order.uniform().0, *member))
            .collect();
        keyed.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        keyed.into_iter().map(|c| c.2).collect()
    }
}

/// A one-run audit being described.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OneRun {
    /// The claim, if one is tested.
    pub claim: Option<Guarantee>,
    /// The δ of the bound without a claim.
    pub delta: Delta,
    /// The probability, at most, that a true claim is called violated, or that the bound exceeds the true ε.
    pub alpha: f64,
    /// Of the order of ties and of the null scores.
    pub seed: u64,
    /// The ε that a pass must be able to see; by default twice the claim, and 0.1 at least.
    pub must_see: Option<f64>,
}

impl Default for OneRun {
    fn default() -> Self {
        Self {
            claim: None,
            delta: Delta::new(0.0).expect("in the domain"),
            alpha: SUITE_ALPHA,
            seed: 0,
            must_see: None,
        }
    }
}

/// The result of a one-run audit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct OneRunReport {
    /// Version of this format.
    pub schema: u32,
    /// The conclusion about the claim; null if none is tested.
    pub verdict: Option<Verdict>,
    /// The claim under audit.
    pub claim: Option<Guarantee>,
    /// Lower confidence bound on ε at `delta`, ≥ 0: the best of `tried`.
    pub epsilon_lower: f64,
    /// The δ of all bounds.
    pub delta: f64,
    /// Probability, at most, with which a true claim is called violated, or the bound exceeds the true ε.
    pub alpha: f64,
    /// Canaries.
    pub canaries: u64,
    /// Those among them that were trained on.
    pub members: u64,
    /// What each number of guesses gave.
    pub tried: Vec<Tried>,
    /// Redraws of all memberships, on which the bound was tried first …
    pub null_redraws: u64,
    /// … at this error …
    pub null_alpha: f64,
    /// … and those among them that gave ε > 0.
    pub null_alarms: u64,
    /// The ε from which on scores that tell members apart as well as ε allows would have refuted the claim, with
    /// probability 0.9; null if none, or if no claim is tested.
    pub detectable_epsilon: Option<f64>,
    /// The ε that a pass had to be able to see.
    pub must_see: Option<f64>,
    /// The bound on ε from the scores of the same attack on a run that leaks; null if there are none.
    #[serde(default)]
    pub control_epsilon_lower: Option<f64>,
    /// Why the verdict is INCONCLUSIVE, and what would change that.
    pub reason: Option<String>,
    /// Reproduces the audit.
    pub seed: u64,
}

/// One number of guesses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Tried {
    /// Guesses: half of them for the largest scores, half against the smallest.
    pub guessed: u64,
    /// Those that were right.
    pub right: u64,
    /// The bound on ε from them, at its share of the error.
    pub epsilon_lower: f64,
}

impl Tried {
    /// Whether so many guesses are wrong that the scores are surely those of the opposite, one of so many numbers being looked at.
    fn is_reversed(&self, numbers: usize) -> bool {
        let chance = tail_upper(self.guessed, self.guessed - self.right, 0.5);
        chance * (numbers as f64) < SURELY
    }
}

impl OneRun {
    /// Runs the audit, on null scores first.
    ///
    /// # Errors
    /// When a parameter is outside its domain, the bound gives ε > 0 on too many null scores, or the scores tell members
    /// from others the wrong way round: a pass would then be said of what leaks.
    pub fn run(&self, scores: &Scores) -> Result<OneRunReport, ScoresError> {
        self.judged(scores, None)
    }

    /// As [`Self::run`], beside the scores of the same attack on a run that leaks, such as one without noise. Scores that show
    /// nothing are those of a private run or of a bad attack; that it shows the ε of `must_see` there tells them apart.
    ///
    /// # Errors
    /// As [`Self::run`], of either.
    pub fn run_beside(
        &self,
        scores: &Scores,
        control: &Scores,
    ) -> Result<OneRunReport, ScoresError> {
        let shown = self.judged(control, None)?.epsilon_lower;
        self.judged(scores, Some(shown))
    }

    fn judged(&self, scores: &Scores, control: Option<f64>) -> Result<OneRunReport, ScoresError> {
        let delta = self.claim.map_or(self.delta, |c| c.delta);
        let tape = Tape::new(self.seed);
        let ranked = scores.ranked(tape);
        let null_alarms = null_alarms(ranked.len(), delta, tape)?;
        let numbers = numbers(ranked.len());
        let share = self.alpha / numbers.len() as f64;
        let one = |guessed: &usize| -> Result<Tried, ScoresError> {
            let guesses = guesses(&ranked, *guessed)?;
            Ok(Tried {
                guessed: guesses.guessed,
                right: guesses.right,
                epsilon_lower: epsilon_lower(guesses, delta.get(), share)?,
            })
        };
        let tried = numbers.iter().map(one).collect::<Result<Vec<_>, _>>()?;
        let lower = tried.iter().map(|t| t.epsilon_lower).fold(0.0, f64::max);
        let reversed = tried.iter().find(|tried| tried.is_reversed(numbers.len()));
        if let Some(found) = reversed.filter(|_| lower == 0.0) {
            return Err(ScoresError::Reversed {
                wrong: found.guessed - found.right,
                guessed: found.guessed,
            });
        }
        let mut report = OneRunReport {
            schema: 1,
            verdict: None,
            claim: self.claim,
            epsilon_lower: lower,
            delta: delta.get(),
            alpha: self.alpha,
            canaries: ranked.len() as u64,
            members: ranked.iter().filter(|m| **m).count() as u64,
            tried,
            null_redraws: REDRAWS,
            null_alpha: NULL_ALPHA,
            null_alarms,
            detectable_epsilon: None,
            must_see: None,
            control_epsilon_lower: control,
            reason: None,
            seed: self.seed,
        };
        if let Some(claim) = self.claim {
            let same = scores.0.iter().all(|canary| canary.0 == scores.0[0].0);
            self.conclude(claim, same, &mut report)?;
        }
        Ok(report)
    }

    /// The verdict; scores that are all the same were no attack.
    fn conclude(
        &self,
        claim: Guarantee,
        same: bool,
        report: &mut OneRunReport,
    ) -> Result<(), ScoresError> {
        let epsilon = claim.epsilon.get();
        let target = self.must_see.unwrap_or((2.0 * epsilon).max(0.1));
        if !(target > epsilon && target.is_finite()) {
            return Err(ScoresError::Audit(AuditError::Unit(UnitError {
                quantity: "epsilon to see",
                value: target,
                rule: "must exceed the epsilon claimed",
            })));
        }
        let least = detectable(claim, report.canaries, self.alpha);
        report.must_see = Some(target);
        if same {
            report.verdict = Some(Verdict::Inconclusive);
            report.reason = Some("all scores are the same, which tells nothing of members".into());
            return Ok(());
        }
        if report.epsilon_lower > epsilon {
            report.verdict = Some(Verdict::Violation);
            return Ok(());
        }
        report.detectable_epsilon = least;
        report.reason = match least.filter(|e| *e <= target) {
            Some(_) => unseen(report.epsilon_lower, report.control_epsilon_lower, target),
            None => {
                let seen = least.map_or("no ε".to_owned(), |e| format!("ε ≥ {e:.4} at best"));
                Some(format!(
                    "{} canaries show {seen} at δ = {} and α = {}, and a pass must see ε ≥ \
                     {target:.4}: {}ask for less (must-see)",
                    report.canaries,
                    claim.delta.get(),
                    self.alpha,
                    self.remedy(claim, report.canaries, target)
                ))
            }
        };
        report.verdict = Some(match report.reason {
            None => Verdict::PassWithPower,
            Some(_) => Verdict::Inconclusive,
        });
        Ok(())
    }
}

/// Why scores that show this ε, and those of a control, are no attack that a pass could rest on.
fn unseen(lower: f64, control: Option<f64>, target: f64) -> Option<String> {
    match control {
        Some(shown) if shown >= target => None,
        Some(shown) => Some(format!(
            "on the control the same attack shows ε ≥ {shown:.4}, and a pass must see ε ≥ \
             {target:.4}: take a better attack or a control that leaks more"
        )),
        None if lower > 0.0 => None,
        None => Some(
            "nothing shows that these scores would tell members if the run leaked: give those of \
             the same attack on a run without noise (control)"
                .to_owned(),
        ),
    }
}

impl OneRun {
    /// What would show the target. With δ > 0 the test counts each canary at δ, and more canaries may show less: there a
    /// larger error is tried before more canaries.
    fn remedy(&self, claim: Guarantee, canaries: u64, target: f64) -> String {
        let shows = |canaries, alpha| detectable(claim, canaries, alpha).filter(|e| *e <= target);
        let larger = [1e-4, 1e-3, 1e-2, 5e-2].into_iter();
        let larger = larger.filter(|alpha| *alpha > self.alpha && claim.delta.get() > 0.0);
        if let Some((alpha, seen)) = { larger }.find_map(|a| Some((a, shows(canaries, a)?))) {
            return format!("alpha = {alpha} shows ε ≥ {seen:.4}; raise it, or ");
        }
        let more = (1..20).map(|k| canaries << k);
        let enough = more
            .take_while(|n| *n <= 1 << 32)
            .find(|n| shows(*n, self.alpha).is_some());
        enough.map_or(String::new(), |n| format!("use about {n} canaries, or "))
    }
}

impl OneRunReport {
    /// The result for people, one thing a line.
    #[must_use]
    pub fn text(&self) -> String {
        let verdict = self.verdict.map_or(String::new(), |v| format!(": {v}"));
        let mut out = format!("one run{verdict}\n");
        if let Some(claim) = self.claim {
            out += &format!("  claim: (ε, δ) = {claim}\n");
        }
        out += &format!(
            "  null scores first: {} of {} redraws of the memberships gave ε > 0 at error {} (a \
             true bound: about {:.0} at most)\n  ε ≥ {:.4} at δ = {} except with probability \
             {:.1e}; {} canaries, {} of them members, seed {}\n",
            self.null_alarms,
            self.null_redraws,
            self.null_alpha,
            self.null_redraws as f64 * self.null_alpha,
            self.epsilon_lower,
            self.delta,
            self.alpha,
            self.canaries,
            self.members,
            self.seed
        );
        if let Some(shown) = self.control_epsilon_lower {
            out += &format!("  on the control the same attack shows ε ≥ {shown:.4}\n");
        }
        out += "  all this if a fair coin of its own put each canary in or left it out\n";
        for t in &self.tried {
            out += &format!(
                "    {} of {} guesses right: ε ≥ {:.4}\n",
                t.right, t.guessed, t.epsilon_lower
            );
        }
        if let (Some(seen), Some(must)) = (self.detectable_epsilon, self.must_see) {
            out += &format!(
                "  would have been found with probability {PROBABILITY:.2}: ε ≥ {seen:.4}, if the \
                 scores tell members as well as that allows\n  a pass had to see: ε ≥ {must:.4}\n"
            );
        }
        if let Some(reason) = &self.reason {
            out += &format!("  why: {reason}\n");
        }
        out
    }
}

/// The numbers of guesses that are tried for m canaries: m, m/2, m/4, ….
fn numbers(canaries: usize) -> Vec<usize> {
    let halved = (0..TRIED).map(|k| canaries >> k);
    halved
        .enumerate()
        .filter(|(k, r)| *k == 0 || *r >= FEWEST_GUESSES)
        .map(|(_, r)| r)
        .collect()
}

/// Guesses for the largest scores and against the smallest, from memberships in the order of falling scores.
fn guesses(ranked: &[bool], guessed: usize) -> Result<Guesses, UnitError> {
    let (below, m) = (guessed / 2, ranked.len());
    let count = |part: &[bool], is: bool| part.iter().filter(|member| **member == is).count();
    let right = count(&ranked[..guessed - below], true) + count(&ranked[m - below..], false);
    Guesses::new(m as u64, guessed as u64, right as u64)
}

/// Null scores, whose memberships are coins of their own, that give ε > 0.
fn null_alarms(canaries: usize, delta: Delta, tape: Tape) -> Result<u64, ScoresError> {
    let nothing = Guarantee::new(0.0, delta.get())?;
    let numbers = numbers(canaries);
    let share = NULL_ALPHA / numbers.len() as f64;
    let mut alarms = 0;
    for redraw in 1..=REDRAWS {
        let mut coins = tape.trial(redraw).stream(0, Purpose::Audit, 0);
        let ranked: Vec<bool> = (0..canaries)
            .map(|_| coins.uniform().0 >> 63 == 1)
            .collect();
        let mut alarm = false;
        for guessed in &numbers {
            alarm |= p_value(guesses(&ranked, *guessed)?, nothing) < share;
        }
        alarms += u64::from(alarm);
    }
    if tail_upper(REDRAWS, alarms, NULL_ALPHA) < SURELY {
        return Err(ScoresError::Uncalibrated { alarms });
    }
    Ok(alarms)
}

/// The smallest ε at which some number of guesses, right as often as ε allows and independently, refutes the claim with
/// probability 0.9.
fn detectable(claim: Guarantee, canaries: u64, alpha: f64) -> Option<f64> {
    let numbers = numbers(canaries as usize);
    let share = alpha / numbers.len() as f64;
    let seen = |epsilon: f64| {
        let rate = 1.0 / (1.0 + (-epsilon).exp());
        numbers.iter().any(|guessed| {
            let n = *guessed as f64;
            let right = (n * rate - QUANTILE * (n * rate * (1.0 - rate)).sqrt())
                .floor()
                .max(0.0);
            let guesses = Guesses::new(canaries, *guessed as u64, right as u64);
            guesses.is_ok_and(|g| p_value(g, claim) < share)
        })
    };
    let (claimed, most) = (claim.epsilon.get(), claim.epsilon.get() + 40.0);
    seen(most).then(|| root::halve(claimed, most, 40, |x| !seen(x)).1)
}

#[cfg(test)]
mod tests;
