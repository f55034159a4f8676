//! An event tree with one number left free: `"?"` stands where the number is to be found.
//!
//! ```
//! use dp_assay::accounting::calibrate::Target;
//! use dp_assay::accounting::free::Template;
//! use dp_assay::prelude::*;
//!
//! let tree = r#"{"kind": "repeated", "times": 10, "event": {"kind": "gaussian", "sigma": "?"}}"#;
//! let template = Template::from_json(tree)?;
//! assert_eq!(template.pointer(), "/event/sigma");
//! let (epsilon, delta) = (Epsilon::new(1.0)?, Delta::new(1e-5)?);
//! let target = Target { epsilon, delta, method: Accountant::Exact, neighbours: Neighbouring::AddRemove };
//! // √10 times the 3.73 of one release.
//! assert!((11.79..11.83).contains(&template.solve(&target)?.value));
//! // A tree that leaves no number free is refused.
//! assert!(Template::from_json(r#"{"kind": "gaussian", "sigma": 1.0}"#).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::AccountError;
use super::calibrate::{self, Calibration, Target, Trend};
use super::event::Event;
use super::report::account;
use crate::float::from_json;
use serde_json::Value;

/// What stands in place of the free number.
const MARK: &str = "\"?\"";
/// Most times that an event is repeated, and records that a data set has, in a search.
const MOST: u64 = 1_000_000_000;

/// A tree with a free number.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    text: String,
    pointer: String,
    name: &'static str,
    range: Range,
    trend: Trend,
    /// Whether ε need not follow the trend between neighbouring values.
    is_uneven: bool,
    times: u64,
}

/// Where the free number is searched for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Range {
    Real(f64, f64),
    Whole(u64, u64),
}

impl Template {
    /// Reads a tree with exactly one `"?"`.
    ///
    /// # Errors
    /// Text that is no such tree; a free number with which ε neither grows nor falls for certain.
    pub fn from_json(text: &str) -> Result<Self, AccountError> {
        let refuse = |why: String| AccountError::Event(why);
        let tree: Value = from_json(text.as_bytes()).map_err(|e| refuse(e.to_string()))?;
        let mut found = Vec::new();
        marks(&tree, &mut String::new(), &mut found);
        let [pointer] = found.as_slice() else {
            return Err(refuse(format!(
                "{} numbers are free: put \"?\" in place of exactly one, that which is to be found",
                found.len()
            )));
        };
        if text.matches(MARK).count() != 1 {
            return Err(refuse(format!("{MARK} stands somewhere besides {pointer}")));
        }
        let (name, range, trend) = slot(&tree, pointer)?;
        let node = pointer
            .strip_suffix("/sigma")
            .and_then(|at| tree.pointer(at));
        let is_uneven = node.is_some_and(|node| node["kind"] == "discrete-gaussian");
        let template = Self {
            text: text.to_owned(),
            pointer: pointer.clone(),
            name,
            range,
            trend,
            is_uneven,
            times: 1,
        };
        // Whatever else is wrong with the tree is said now.
        let somewhere = match range {
            Range::Real(lo, hi) => (lo * hi).sqrt(),
            Range::Whole(lo, _) => lo as f64,
        };
        template.at(somewhere).map(|_| template)
    }

    /// The tree run so many times over.
    #[must_use]
    pub fn repeated(self, times: u64) -> Self {
        Self { times, ..self }
    }

    /// Where the free number stands, as a JSON pointer (RFC 6901).
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// A value as it stands in the tree: a whole number where one belongs.
    ///
    /// ```
    /// use dp_assay::accounting::free::Template;
    ///
    /// let times = r#"{"kind": "repeated", "times": "?", "event": {"kind": "pure", "epsilon": 0.1}}"#;
    /// assert_eq!(Template::from_json(times)?.written(16.0).to_string(), "16");
    /// let sigma = Template::from_json(r#"{"kind": "gaussian", "sigma": "?"}"#)?;
    /// assert_eq!(sigma.written(16.0).to_string(), "16.0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn written(&self, value: f64) -> Value {
        match self.range {
            Range::Real(..) => value.into(),
            Range::Whole(..) => (value as u64).into(),
        }
    }

    /// The tree with a value of the free number.
    ///
    /// # Errors
    /// The value does not go there.
    pub fn at(&self, value: f64) -> Result<Event, AccountError> {
        let number = self.written(value).to_string();
        let event = Event::from_json(&self.text.replacen(MARK, &number, 1))?;
        Ok(match self.times {
            1 => event,
            times => Event::Repeated {
                times,
                event: Box::new(event),
            },
        })
    }

    /// What is said of the value beside it: where ε need not fall as noise grows, a value meets the target, and others may that have
    /// less noise.
    #[must_use]
    pub const fn caveat(&self) -> Option<&'static str> {
        match self.is_uneven {
            true => Some(
                "with this the target is met; epsilon of discrete Gaussian noise need not fall as \
                 sigma grows, so that less noise may do, too",
            ),
            false => None,
        }
    }

    /// The value at the safe end: the least noise, or the most of everything else, with which the target is met; see
    /// [`Self::caveat`].
    ///
    /// # Errors
    /// No value meets the target; or none that the accountant takes, and then why.
    pub fn solve(&self, target: &Target) -> Result<Calibration, AccountError> {
        // Where there is no event there is no guarantee: noise that every accountant refuses.
        let refused = Event::Pure { epsilon: f64::NAN };
        let at = |x: f64| self.at(x).unwrap_or(refused.clone());
        let found = match self.range {
            Range::Real(lo, hi) => {
                calibrate::parameter(self.name, (lo, hi), self.trend, target, at)
            }
            Range::Whole(lo, hi) => {
                let at = |x: u64| at(x as f64);
                calibrate::whole(self.name, (lo, hi), self.trend, target, at)
            }
        };
        // If the accountant takes not even the most private value, its reason says more than that none was found.
        found.or_else(|none| {
            if let AccountError::NoFiniteEpsilon { .. } | AccountError::Contradiction { .. } = none
            {
                return Err(none);
            }
            let (lo, hi) = match self.range {
                Range::Real(lo, hi) => (lo, hi),
                Range::Whole(lo, hi) => (lo as f64, hi as f64),
            };
            let most_private = if self.trend == Trend::Falls { hi } else { lo };
            let event = self.at(most_private)?;
            account(
                &event,
                target.delta,
                target.method,
                target.neighbours,
                false,
            )?;
            Err(none)
        })
    }
}

/// The pointers to all marks.
fn marks(tree: &Value, at: &mut String, found: &mut Vec<String>) {
    let mut inside = |key: &str, value: &Value| {
        let length = at.len();
        *at += "/";
        *at += &key.replace('~', "~0").replace('/', "~1");
        marks(value, at, found);
        at.truncate(length);
    };
    match tree {
        Value::Object(fields) => fields.iter().for_each(|(k, v)| inside(k, v)),
        Value::Array(items) => {
            let each = items.iter().enumerate();
            each.for_each(|(i, v)| inside(&i.to_string(), v));
        }
        Value::String(text) if text == "?" => found.push(at.clone()),
        _ => {}
    }
}

/// What the number at a place is called, where it may lie, and what it does to ε.
fn slot(tree: &Value, pointer: &str) -> Result<(&'static str, Range, Trend), AccountError> {
    const NOISE: Range = Range::Real(1e-6, 1e9);
    const BUDGET: Range = Range::Real(1e-9, 1e3);
    let refuse = |why: String| AccountError::Event(format!("{pointer}: {why}"));
    // An entry of a list stands in the node that has the list.
    let mut names = pointer.rsplit('/');
    let key = names.find(|part| part.parse::<usize>().is_err());
    let key = key.unwrap_or_default();
    let end = pointer.rfind(&format!("/{key}")).unwrap_or(0);
    let node = tree.pointer(&pointer[..end]);
    let kind = node.and_then(|n| n["kind"].as_str()).unwrap_or_default();
    let size = || {
        let size = node.and_then(|n| n["size"].as_u64());
        size.ok_or_else(|| refuse("the batch needs its `size`".into()))
    };
    let least = || {
        let batch = node.and_then(|n| n["batch"].as_u64());
        batch.ok_or_else(|| refuse("the size needs its `batch`".into()))
    };
    Ok(match (kind, key) {
        ("gaussian" | "discrete-gaussian" | "gaussian-mixture" | "matrix-gaussian", "sigma") => {
            ("sigma", NOISE, Trend::Falls)
        }
        ("laplace", "scale") => ("scale", NOISE, Trend::Falls),
        ("report-noisy-max", "scales") => ("scale", NOISE, Trend::Falls),
        ("randomized-response", "noise") => ("noise", Range::Real(1e-9, 1.0), Trend::Falls),
        ("randomized-response", "buckets") => ("buckets", Range::Whole(2, MOST), Trend::Grows),
        ("discrete-laplace", "parameter") => ("parameter", BUDGET, Trend::Grows),
        ("discrete-gaussian" | "discrete-laplace", "sensitivity") => {
            ("sensitivity", Range::Whole(1, MOST), Trend::Grows)
        }
        ("gaussian" | "laplace", "sensitivity") => ("sensitivity", NOISE, Trend::Grows),
        ("report-noisy-max", "sensitivities") => ("sensitivity", NOISE, Trend::Grows),
        ("exponential" | "pure" | "approximate", "epsilon") => ("epsilon", BUDGET, Trend::Grows),
        ("approximate", "delta") => ("delta", Range::Real(1e-300, 1.0), Trend::Grows),
        ("zcdp", "rho") => ("rho", BUDGET, Trend::Grows),
        ("gdp", "mu") => ("mu", BUDGET, Trend::Grows),
        ("poisson-sampled", "rate") => ("rate", Range::Real(1e-9, 1.0), Trend::Grows),
        ("fixed-size-sampled", "batch") => ("batch", Range::Whole(1, size()?), Trend::Grows),
        ("fixed-size-sampled", "size") => ("size", Range::Whole(least()?, MOST), Trend::Falls),
        ("matrix-gaussian", "participations") => {
            ("participations", Range::Whole(1, MOST), Trend::Grows)
        }
        ("matrix-gaussian", "separation") => ("separation", Range::Whole(1, MOST), Trend::Falls),
        // With more records, or larger batches, ε of a truncated sample need not grow.
        ("truncated-poisson-sampled", "rate") => ("rate", Range::Real(1e-9, 1.0), Trend::Grows),
        ("repeated", "times") => ("times", Range::Whole(1, MOST), Trend::Grows),
        ("private-selection", "mean") => ("mean", Range::Real(1.0, 1e9), Trend::Grows),
        // What is known from above is less at a rate of 1 than shortly below.
        ("correlated-gaussian" | "gaussian-mixture", _)
        | ("b-min-separation", "rate" | "steps" | "separation")
        | ("balls-in-bins", "bins")
        | ("random-allocation", "steps" | "participations")
        | ("truncated-poisson-sampled", "cap" | "records") => {
            return Err(refuse(format!(
                "epsilon need not grow or fall with `{key}`, so that it cannot be searched for"
            )));
        }
        _ => {
            return Err(refuse(format!(
                "a node of kind `{kind}` has no number `{key}`"
            )));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::Accountant;
    use crate::units::{Delta, Epsilon, Neighbouring};

    fn target(epsilon: f64, delta: f64, neighbours: Neighbouring) -> Target {
        Target {
            epsilon: Epsilon::new(epsilon).expect("positive"),
            delta: Delta::new(delta).expect("a probability"),
            method: Accountant::Auto,
            neighbours,
        }
    }

    /// Every kind of number that may be free: the value found meets the target, and the one beyond it does not.
    #[test]
    fn each_free_number_is_found_at_the_end_of_its_safe_range() {
        use Neighbouring::{AddRemove, ReplaceOne};
        let (small, none) = (1e-5, 0.0);
        for (tree, neighbours, delta) in [
            (r#"{"kind": "gaussian", "sigma": "?"}"#, AddRemove, small),
            (
                r#"{"kind": "gaussian", "sigma": 9, "sensitivity": "?"}"#,
                AddRemove,
                small,
            ),
            (
                r#"{"kind": "laplace", "scale": "?", "sensitivity": 3}"#,
                AddRemove,
                none,
            ),
            (
                r#"{"kind": "discrete-gaussian", "sigma": "?"}"#,
                AddRemove,
                small,
            ),
            (
                r#"{"kind": "discrete-gaussian", "sigma": 90, "sensitivity": "?"}"#,
                AddRemove,
                small,
            ),
            (
                r#"{"kind": "discrete-laplace", "parameter": "?"}"#,
                AddRemove,
                none,
            ),
            (
                r#"{"kind": "randomized-response", "noise": "?", "buckets": 4}"#,
                ReplaceOne,
                none,
            ),
            (
                r#"{"kind": "randomized-response", "noise": 0.9, "buckets": "?"}"#,
                ReplaceOne,
                none,
            ),
            (
                r#"{"kind": "exponential", "epsilon": "?"}"#,
                AddRemove,
                none,
            ),
            (
                r#"{"kind": "report-noisy-max", "sensitivities": [1, 1], "scales": [3, "?"]}"#,
                AddRemove,
                none,
            ),
            (
                r#"{"kind": "repeated", "times": 3, "event": {"kind": "pure", "epsilon": "?"}}"#,
                AddRemove,
                none,
            ),
            (
                r#"{"kind": "approximate", "epsilon": 0.1, "delta": "?"}"#,
                AddRemove,
                small,
            ),
            (r#"{"kind": "zcdp", "rho": "?"}"#, AddRemove, small),
            (r#"{"kind": "gdp", "mu": "?"}"#, AddRemove, small),
            (
                r#"{"kind": "repeated", "times": "?", "event": {"kind": "gaussian", "sigma": 40}}"#,
                AddRemove,
                small,
            ),
            (
                r#"{"kind": "poisson-sampled", "rate": "?", "event": {"kind": "gaussian", "sigma": 1}}"#,
                AddRemove,
                small,
            ),
            (
                r#"{"kind": "fixed-size-sampled", "size": 1000, "batch": "?", "event": {"kind": "laplace", "scale": 0.5}}"#,
                ReplaceOne,
                none,
            ),
            (
                r#"{"kind": "fixed-size-sampled", "size": "?", "batch": 10, "event": {"kind": "laplace", "scale": 0.5}}"#,
                ReplaceOne,
                none,
            ),
        ] {
            let template = Template::from_json(tree).expect(tree);
            let goal = target(1.0, delta, neighbours);
            let found = template
                .solve(&goal)
                .unwrap_or_else(|e| panic!("{tree}: {e}"));
            let epsilon = |x: f64| {
                let event = template.at(x).expect(tree);
                account(&event, goal.delta, goal.method, neighbours, false).map(|r| r.epsilon_upper)
            };
            assert!(
                epsilon(found.value).is_ok_and(|e| e <= 1.0),
                "{tree}: {found:?}"
            );
            if found.value != found.unsafe_value {
                let beyond = epsilon(found.unsafe_value);
                assert!(
                    beyond.is_err() || beyond.is_ok_and(|e| e > 1.0),
                    "{tree}: {found:?}"
                );
            }
            // Whole numbers are found exactly, others to two millionths.
            let room = match template.range {
                Range::Real(..) => 2e-6 * found.value,
                Range::Whole(..) => 1.0,
            };
            assert!(
                (found.unsafe_value - found.value).abs() <= room,
                "{tree}: {found:?}"
            );
        }
    }

    /// Sharply peaked discrete noise may cost less than noise that is a little wider.
    #[test]
    fn only_of_discrete_gaussian_noise_is_the_least_not_promised() {
        for (tree, said) in [
            (r#"{"kind": "discrete-gaussian", "sigma": "?"}"#, true),
            (
                r#"{"kind": "discrete-gaussian", "sigma": 2, "sensitivity": "?"}"#,
                false,
            ),
            (r#"{"kind": "gaussian", "sigma": "?"}"#, false),
            (
                r#"{"kind": "composed", "events": [{"kind": "discrete-gaussian", "sigma": "?"}]}"#,
                true,
            ),
        ] {
            let template = Template::from_json(tree).expect(tree);
            assert_eq!(template.caveat().is_some(), said, "{tree}");
        }
    }

    #[test]
    fn what_cannot_be_searched_for_is_refused_with_its_place() {
        for (tree, why) in [
            ("{", "EOF"),
            (r#"{"kind": "gaussian", "sigma": 1}"#, "0 numbers are free"),
            (
                r#"{"kind": "gaussian", "sigma": "?", "sensitivity": "?"}"#,
                "2 numbers are free",
            ),
            (
                r#"{"kind": "?"}"#,
                "/kind: a node of kind `?` has no number `kind`",
            ),
            (
                r#"{"kind": "gaussian", "sigma": "?", "sgima": 1}"#,
                "unknown field `sgima`",
            ),
            (
                r#"{"kind": "fixed-size-sampled", "batch": "?", "event": {"kind": "pure", "epsilon": 1}}"#,
                "needs its `size`",
            ),
            (
                r#"{"kind": "composed", "events": [{"kind": "correlated-gaussian", "covariance": [["?"]], "shifts": [[1]]}]}"#,
                "/events/0/covariance/0/0: epsilon need not grow or fall",
            ),
        ] {
            let error = Template::from_json(tree).expect_err(tree).to_string();
            assert!(error.contains(why), "{tree}: {error}");
        }
        // The relation for which there is no theorem is named, not an empty range.
        let sampled = r#"{"kind": "fixed-size-sampled", "size": 9, "batch": "?", "event": {"kind": "pure", "epsilon": 1}}"#;
        let template = Template::from_json(sampled).expect("a tree");
        let error = template.solve(&target(1.0, 0.1, Neighbouring::ZeroOut));
        assert!(
            error
                .expect_err("no theorem")
                .to_string()
                .contains("keeps a place")
        );
    }
}
