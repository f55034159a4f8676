//! The same question, the same answer: what solvers, their theorems, derived bounds and schedules, and the problems under them
//! say of many small inputs, as `tests/data/answers_papers.tsv` has it: a change of any operation, comparison or allowance on the way
//! changes an answer. That answers are *right* is what the other tests of this folder look at, and [`closed`] of those that have a
//! closed form.
//!
//! Answers are compared to the last bit (`bits`), or but for the last digits of numbers with a fraction (`digits`) where the
//! platform's exponential and logarithm, or nalgebra's products, are on the way. `DP_ASSAY_WRITE=1 cargo test --test papers answers`
//! writes the last column.

mod closed;
mod data;
mod fits;
mod numbers;
mod problems;
mod runs;

use crate::unchanged::{Answers, groups};
use serde_json::Value;
use std::fmt::Debug;

const ANSWERS: Answers<4> = Answers("tests/data/answers_papers.tsv");

/// Group, `bits` or `digits`, what is asked as JSON, and the answer.
type Row = [String; 4];

/// What a row asks.
pub struct Asked(Value);

impl Asked {
    fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    fn number(&self, name: &str) -> f64 {
        let found = self.get(name).and_then(Value::as_f64);
        found.unwrap_or_else(|| panic!("{}: {name} is a number", self.0))
    }

    fn number_or(&self, name: &str, default: f64) -> f64 {
        self.get(name).map_or(default, |_| self.number(name))
    }

    fn count(&self, name: &str) -> usize {
        self.number(name) as usize
    }

    fn count_or(&self, name: &str, default: usize) -> usize {
        self.get(name).map_or(default, |_| self.count(name))
    }

    fn word(&self, name: &str) -> &str {
        self.get(name).and_then(Value::as_str).unwrap_or("")
    }

    fn flag(&self, name: &str) -> bool {
        self.get(name) == Some(&Value::Bool(true))
    }

    fn list(&self, name: &str) -> Vec<f64> {
        let list = self.get(name).and_then(Value::as_array);
        let list = list.into_iter().flatten();
        // Numbers that JSON does not have are written as words.
        let number = |x: &Value| x.as_f64().or_else(|| x.as_str()?.parse().ok());
        list.map(|x| number(x).expect("a number")).collect()
    }

    /// What serde reads there.
    fn read<T: serde::de::DeserializeOwned>(&self, name: &str) -> T {
        let value = self.get(name).cloned().unwrap_or_default();
        serde_json::from_value(value).unwrap_or_else(|e| panic!("{}: {name}: {e}", self.0))
    }
}

/// A value, or the words of an error.
fn told<T: Debug, E: std::fmt::Display>(found: Result<T, E>) -> String {
    match found {
        Ok(found) => format!("{found:?}"),
        Err(wrong) => format!("refused: {wrong}"),
    }
}

/// A text in parts of which each is a word, a number, or what is between.
fn parts(text: &str) -> Vec<&str> {
    let between = |c: char| !(c.is_alphanumeric() || "+-._".contains(c));
    text.split(between).collect()
}

/// Whether two answers are the same but for the last digits of numbers with a fraction.
fn alike(found: &str, stored: &str) -> bool {
    let (found, stored) = (parts(found), parts(stored));
    let near = |(a, b): (&&str, &&str)| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(x), Ok(y)) if a.contains(['.', 'e']) && b.contains(['.', 'e']) => {
            x == y || (x - y).abs() <= 1e-9 * x.abs().max(y.abs())
        }
        _ => a == b,
    };
    found.len() == stored.len() && found.iter().zip(&stored).all(near)
}

fn holds(group: &str, answer: fn(&Asked) -> String) {
    let put = |row: &mut Row| {
        let question = serde_json::from_str(&row[2]).unwrap_or_else(|e| panic!("{}: {e}", row[2]));
        row[3] = answer(&Asked(question)).replace(['\n', '\t'], " ");
    };
    ANSWERS.hold_group(group, put, |[_, to, asked, found], [.., stored]| {
        let same = to == "digits" && alike(found, stored);
        (!same).then(|| format!("{to} {asked}\n  was {stored}\n  is  {found}"))
    });
}

/// Last digits may differ where there is a fraction; counts, signs and words may not.
#[test]
fn answers_are_alike_but_for_last_digits() {
    for (found, stored, same) in [
        ("[1.0000000000001, inf]", "[1.0, inf]", true),
        ("[1.00000001, inf]", "[1.0, inf]", false),
        ("Some(3)", "Some(4)", false),
        ("Some(-1e-7)", "Some(1e-7)", false),
        ("a 1.0", "b 1.0", false),
        ("1.0", "1.0 2.0", false),
    ] {
        assert_eq!(alike(found, stored), same, "{found}, {stored}");
    }
}

groups! {
    ANSWERS, holds;
    fits_are_what_they_were: "fit", fits::fit;
    fits_of_kl_are_what_they_were: "fit-kl", fits::kl;
    defaults_are_what_they_were: "defaults", fits::defaults;
    measures_of_models_are_what_they_were: "measured", fits::measured;
    theorems_of_gcd_say_what_they_said: "theorem-gcd", numbers::gcd;
    theorems_of_skgd_say_what_they_said: "theorem-skgd", numbers::skgd;
    theorems_of_decor_say_what_they_said: "theorem-decor", numbers::decor;
    theorems_of_ambssgd_say_what_they_said: "theorem-ambssgd", numbers::ambssgd;
    theorems_of_kl_say_what_they_said: "theorem-kl", numbers::kl;
    schedules_are_what_they_were: "schedule", numbers::schedule;
    scales_of_noise_are_what_they_were: "scales", numbers::scales;
    batches_have_the_noise_that_they_had: "batches", numbers::batches;
    shuffled_passes_have_the_noise_that_they_had: "shuffled", numbers::shuffled;
    meters_read_what_they_read: "meter", numbers::meter;
    runs_of_gcd_and_their_bounds_are_what_they_were: "run-gcd", runs::gcd;
    runs_of_skgd_and_their_bounds_are_what_they_were: "run-skgd", runs::skgd;
    runs_of_ambssgd_and_their_bounds_are_what_they_were: "run-ambssgd", runs::ambssgd;
    runs_of_kl_and_their_bounds_are_what_they_were: "run-kl", runs::kl;
    runs_of_decor_are_what_they_were: "run-decor", runs::decor;
    runs_of_baselines_are_what_they_were: "run-baseline", runs::baseline;
    losses_are_what_they_were: "loss", problems::loss;
    regularisers_are_what_they_were: "regulariser", problems::regulariser;
    risks_are_what_they_were: "risk", problems::risk;
    problems_are_what_they_were: "problem", problems::problem;
    files_are_read_as_they_were: "read", problems::read;
    records_are_kept_as_they_were: "records", problems::records;
    fits_of_streams_are_what_they_were: "stream", fits::stream;
    models_are_read_as_they_were: "model", fits::model;
}
