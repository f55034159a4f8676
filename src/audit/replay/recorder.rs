//! What a mechanism announces, and the recorder that answers.

use super::Violation;
use super::distance::compare;
use super::query::{Asked, Declared, NoiseLaw, Query};
use super::recording::{Entry, Recording, same};
use crate::audit::Output;
use crate::mechanism::tape::Tape;

/// Answers a mechanism's queries: with fresh noise while recording, with the recorded answers while
/// replaying. Once a replay has left the recorded control flow it goes on with fresh noise and
/// compares no more.
///
/// ```
/// use dp_assay::audit::Output;
/// use dp_assay::audit::replay::{Recorded, Recorder, Replay, Violation};
///
/// /// Looks at the number of records, without noise.
/// struct Peeks;
///
/// impl Recorded for Peeks {
///     type Input = Vec<f64>;
///     fn name(&self) -> String {
///         "peeks".into()
///     }
///     fn run(&self, input: &Vec<f64>, recorder: &mut Recorder<'_>) -> Output {
///         recorder.branch("many", input.len() > 1);
///         recorder.released("number", input.len() as f64);
///         Output::Nothing
///     }
/// }
///
/// let report = Replay::of(&Peeks).run(&vec![1.0, 2.0], &vec![1.0, 2.0, 3.0]);
/// assert!(matches!(report.violations[0], Violation::Unnoised { label: "number", .. }));
/// let report = Replay::of(&Peeks).run(&vec![1.0], &vec![1.0, 2.0]);
/// assert!(!report.passed());
/// ```
pub struct Recorder<'h> {
    tape: Tape,
    history: Option<&'h Recording>,
    entries: Vec<Entry>,
    violations: Vec<Violation>,
    /// Label of each query measured, and its distance in units of the declared one.
    ratios: Vec<(&'static str, f64)>,
}

impl<'h> Recorder<'h> {
    pub(super) const fn recording(tape: Tape) -> Self {
        Self {
            tape,
            history: None,
            entries: Vec::new(),
            violations: Vec::new(),
            ratios: Vec::new(),
        }
    }

    pub(super) fn replaying(tape: Tape, history: &'h Recording) -> Self {
        Self {
            history: Some(history),
            ..Self::recording(tape)
        }
    }

    /// The tape, while recording and after control flow has parted: for a program that draws its own
    /// noise and is compared with the recorder's answers by [`Recorder::expect`]. `None` while the
    /// answers are frozen.
    #[must_use]
    pub fn tape(&self) -> Option<Tape> {
        self.history.is_none().then_some(self.tape)
    }

    /// The tape, for draws that do not look at the data (a random batch or block): the same in both runs.
    #[must_use]
    pub const fn choices(&self) -> Tape {
        self.tape
    }

    /// The values with noise, all of which are released. A vector needs a sensitivity in the norm of
    /// its noise (ℓ₁ for Laplace, ℓ₂ for Gaussian) or in each entry.
    pub fn noised(&mut self, query: Query<'_>) -> Vec<f64> {
        self.check_norm(&query);
        self.answer(query, None)
    }

    /// As [`Recorder::noised`], with the answer that a program under test gave on the recorder's
    /// [`tape`](Recorder::tape). It must be the values with the noise of the query, up to `allowance`
    /// for the program's rounding, and becomes the history.
    pub fn observed(&mut self, query: Query<'_>, given: &[f64], allowance: f64) -> Vec<f64> {
        self.check_norm(&query);
        self.answer(query, Some((given, allowance)))
    }

    /// An index chosen by looking at the values with noise, of which nothing else is released.
    /// `choose` must not look at the data: while replaying it must choose alike.
    pub fn selected(&mut self, query: Query<'_>, choose: impl FnOnce(&[f64]) -> usize) -> usize {
        let label = query.label;
        let noisy = self.answer(query, None);
        self.choice(label, choose(&noisy), Vec::new())
    }

    /// The index of the largest score of a value with noise, of which nothing else is released; the
    /// first of equals wins, 0 if all are NaN or there are none. Scores must not look at the data:
    /// while replaying, every score of a recorded noisy value must be what it was, bit for bit, so
    /// that one that does is seen even if the winner stays the same.
    pub fn largest(&mut self, query: Query<'_>, score: impl Fn(usize, f64) -> f64) -> usize {
        let label = query.label;
        let noisy = self.answer(query, None);
        let scores: Vec<f64> = (0..noisy.len()).map(|k| score(k, noisy[k])).collect();
        let mut best = (f64::NEG_INFINITY, 0);
        for (k, &score) in scores.iter().enumerate() {
            if score > best.0 {
                best = (score, k);
            }
        }
        self.choice(label, best.1, scores)
    }

    fn choice(&mut self, label: &'static str, index: usize, scores: Vec<f64>) -> usize {
        match self.announce(Entry::Chosen(label, index, scores)) {
            Entry::Chosen(_, index, _) => index,
            _ => unreachable!("an announcement is answered by one of its kind"),
        }
    }

    /// A value that is released without noise, and so must not depend on the data.
    pub fn released(&mut self, label: &'static str, value: f64) {
        self.announce(Entry::Released(label, value));
    }

    /// A decision on which control flow depends.
    pub fn branch(&mut self, label: &'static str, decision: impl Into<u64>) {
        self.announce(Entry::Branch(label, decision.into()));
    }

    /// Checks what a program under test gave against what follows from data and noise, up to its
    /// rounding.
    pub fn expect(&mut self, label: &'static str, expected: f64, found: f64, allowance: f64) {
        let equal = expected.to_bits() == found.to_bits();
        let near = (expected - found).abs() <= allowance;
        if !(equal || near) {
            self.violations.push(Violation::Mismatch {
                at: self.entries.len(),
                label,
                expected,
                found,
                allowance,
            });
        }
    }

    pub(super) fn ratios(&self) -> &[(&'static str, f64)] {
        &self.ratios
    }

    /// Ends the run.
    pub(super) fn finish(mut self, output: Output) -> (Recording, Vec<Violation>) {
        if let Some(history) = self.history {
            let at = self.entries.len();
            if let Some(next) = history.entries.get(at) {
                self.part(next.to_string(), "the end of the run".into());
            } else if !same(&history.output, &output) {
                self.violations.push(Violation::Unnoised {
                    at,
                    label: "output",
                    recorded: format!("{:?}", history.output),
                    replayed: format!("{output:?}"),
                });
            }
        }
        let entries = self.entries;
        (Recording { entries, output }, self.violations)
    }

    /// A vector released in full needs a sensitivity in the norm of its noise.
    fn check_norm(&mut self, query: &Query<'_>) {
        let fits = match (&query.declared, query.law) {
            (Declared::Each(_), _)
            | (Declared::L1(_), NoiseLaw::Laplace)
            | (Declared::L2(_), NoiseLaw::Gaussian) => true,
            _ => query.values.len() == 1,
        };
        if !fits {
            self.complain(
                query.label,
                "the sensitivity's norm is not that of the noise",
            );
        }
    }

    fn answer(&mut self, query: Query<'_>, given: Option<(&[f64], f64)>) -> Vec<f64> {
        let asked = self.keep(query);
        let mut noisy = asked.noisy(self.tape);
        if let (Some((given, allowance)), None) = (given, self.history) {
            if given.len() != noisy.len() {
                self.complain(asked.label, "the program's answer has another length");
            }
            for (noisy, &given) in noisy.iter_mut().zip(given) {
                self.expect(asked.label, *noisy, given, allowance);
                *noisy = given;
            }
        }
        match self.announce(Entry::Noised(asked, noisy)) {
            Entry::Noised(_, answer) => answer,
            _ => unreachable!("an announcement is answered by one of its kind"),
        }
    }

    /// Keeps the announcement and returns it as answered: the recorded one while replaying.
    fn announce(&mut self, entry: Entry) -> Entry {
        let at = self.entries.len();
        let answered = match self.history {
            None => entry,
            Some(history) => match history.entries.get(at) {
                Some(recorded) if recorded.continues_as(&entry) => {
                    self.check(at, recorded, &entry);
                    recorded.clone()
                }
                other => {
                    let recorded = other.map_or("the end of the run".into(), Entry::to_string);
                    self.part(recorded, entry.to_string());
                    entry
                }
            },
        };
        self.entries.push(answered.clone());
        answered
    }

    /// The runs have parted: nothing more is compared.
    fn part(&mut self, recorded: String, replayed: String) {
        let at = self.entries.len();
        self.violations.push(Violation::ControlFlow {
            at,
            recorded,
            replayed,
        });
        self.history = None;
    }

    /// Compares two announcements of one kind.
    fn check(&mut self, at: usize, recorded: &Entry, replayed: &Entry) {
        match (recorded, replayed) {
            (Entry::Noised(old, _), Entry::Noised(new, _)) => {
                let changed = changed_parameter(at, old, new);
                if changed.is_none() {
                    let verdict = compare(at, old, new);
                    self.ratios.push((old.label, verdict.ratio));
                    self.violations.extend(verdict.violations);
                }
                self.violations.extend(changed);
            }
            (Entry::Chosen(label, i, scores), Entry::Chosen(_, j, others)) => {
                let mut pairs = scores.iter().zip(others);
                if let Some((a, b)) = pairs.find(|(a, b)| a.to_bits() != b.to_bits()) {
                    self.unnoised(at, label, format!("score {a}"), format!("score {b}"));
                } else if i != j {
                    self.unnoised(at, label, i.to_string(), j.to_string());
                }
            }
            (Entry::Released(label, x), Entry::Released(_, y)) if x.to_bits() != y.to_bits() => {
                self.unnoised(at, label, x.to_string(), y.to_string());
            }
            _ => {}
        }
    }

    fn unnoised(&mut self, at: usize, label: &'static str, recorded: String, replayed: String) {
        self.violations.push(Violation::Unnoised {
            at,
            label,
            recorded,
            replayed,
        });
    }

    /// Brings all vectors of a query to one entry per value; complains where they have not.
    fn keep(&mut self, query: Query<'_>) -> Asked {
        let count = query.values.len();
        let mut spread = |vector: &[f64], rule| match vector {
            [single] => vec![*single; count],
            all if all.len() == count => all.to_vec(),
            _ => {
                self.complain(query.label, rule);
                vec![f64::NAN; count]
            }
        };
        let scales = spread(query.scales, "needs one scale, or one for each value");
        let rounding = spread(
            query.rounding,
            "needs one rounding error, or one for each value",
        );
        let declared = match query.declared {
            Declared::Each(bounds) => {
                Declared::Each(spread(&bounds, "needs one sensitivity for each value"))
            }
            other => other,
        };
        if !scales.iter().all(|scale| *scale > 0.0 && scale.is_finite()) {
            self.complain(query.label, "every noise scale must be finite and > 0");
        }
        if !query.values.iter().all(|value| value.is_finite()) {
            self.complain(
                query.label,
                "every value must be finite before noise is added",
            );
        }
        Asked {
            label: query.label,
            values: query.values.to_vec(),
            rounding,
            declared,
            law: query.law,
            scales,
            address: query.address,
        }
    }

    /// Reports that something about `label` is not as it must be.
    pub fn complain(&mut self, label: &'static str, rule: &'static str) {
        self.violations.push(Violation::Malformed {
            at: self.entries.len(),
            label,
            rule,
        });
    }
}

/// The first parameter of a query that is not what it was.
fn changed_parameter(at: usize, old: &Asked, new: &Asked) -> Option<Violation> {
    let parameters = [
        (
            "sensitivity",
            format!("{:?}", old.declared),
            format!("{:?}", new.declared),
        ),
        (
            "noise",
            format!("{:?} {:?}", old.law, old.scales),
            format!("{:?} {:?}", new.law, new.scales),
        ),
    ];
    let changed = parameters
        .into_iter()
        .find(|(_, before, after)| before != after);
    changed.map(|(what, recorded, replayed)| Violation::Parameter {
        at,
        label: old.label,
        what,
        recorded,
        replayed,
    })
}
