//! The same question, the same answer: what solvers, their theorems, derived bounds and schedules, and the problems under them
//! say of many small inputs, as `tests/data/answers_papers.tsv` has it: a change of any operation, comparison or allowance on the way
//! changes an answer. That answers are *right* is what the other tests of this folder look at, and [`closed`] of those that have a
//! closed form.
//!
//! Answers are compared to the last bit (`bits`), or but for the last digits of numbers with a fraction (`digits`) where the
//! platform's exponential and logarithm, or nalgebra's products, are on the way. To change answers, or to ask more,
//! `DP_ASSAY_WRITE=1 cargo test --test papers answers` writes the last column, and the difference of the file says what moved.

mod closed;
mod data;
mod fits;
mod numbers;
mod problems;
mod runs;

use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Mutex;

const FILE: &str = "tests/data/answers_papers.tsv";

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

type Answer = fn(&Asked) -> String;

const GROUPS: [(&str, Answer); 28] = [
    ("fit", fits::fit),
    ("fit-kl", fits::kl),
    ("defaults", fits::defaults),
    ("measured", fits::measured),
    ("theorem-gcd", numbers::gcd),
    ("theorem-skgd", numbers::skgd),
    ("theorem-decor", numbers::decor),
    ("theorem-ambssgd", numbers::ambssgd),
    ("theorem-kl", numbers::kl),
    ("schedule", numbers::schedule),
    ("scales", numbers::scales),
    ("batches", numbers::batches),
    ("shuffled", numbers::shuffled),
    ("meter", numbers::meter),
    ("run-gcd", runs::gcd),
    ("run-skgd", runs::skgd),
    ("run-ambssgd", runs::ambssgd),
    ("run-kl", runs::kl),
    ("run-decor", runs::decor),
    ("run-baseline", runs::baseline),
    ("loss", problems::loss),
    ("regulariser", problems::regulariser),
    ("risk", problems::risk),
    ("problem", problems::problem),
    ("read", problems::read),
    ("records", problems::records),
    ("stream", fits::stream),
    ("model", fits::model),
];

fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(FILE).expect("the file is there");
    let cells = |line: &str| {
        let cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
        Row::try_from(cells).unwrap_or_else(|cells| panic!("{cells:?}: four cells"))
    };
    text.lines().skip(1).map(cells).collect()
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

static WRITING: Mutex<()> = Mutex::new(());

fn holds(group: &str) {
    let (_, answer) = { GROUPS.iter() }
        .find(|(name, _)| *name == group)
        .expect("a group");
    let asked: Vec<Row> = rows().into_iter().filter(|row| row[0] == group).collect();
    assert!(!asked.is_empty());
    let found = asked.iter().map(|row| {
        let question = serde_json::from_str(&row[2]).unwrap_or_else(|e| panic!("{}: {e}", row[2]));
        answer(&Asked(question)).replace(['\n', '\t'], " ")
    });
    let found: Vec<String> = found.collect();
    if std::env::var_os("DP_ASSAY_WRITE").is_some() {
        return write(group, &found);
    }
    let changed = asked
        .iter()
        .zip(&found)
        .filter(|([_, to, _, stored], found)| match to.as_str() {
            "bits" => *found != stored,
            _ => !alike(found, stored),
        });
    let changed: Vec<String> = changed
        .map(|([_, to, asked, stored], found)| {
            format!("{to} {asked}\n  was {stored}\n  is  {found}")
        })
        .collect();
    assert!(changed.is_empty(), "{}", changed.join("\n"));
}

fn write(group: &str, found: &[String]) {
    let _alone = WRITING.lock();
    let mut found = found.iter();
    let row = |row: Row| {
        let answer = match row[0] == group {
            true => found.next().expect("as many as were asked"),
            false => &row[3],
        };
        format!("{}\t{}\t{}\t{answer}\n", row[0], row[1], row[2])
    };
    let rows: String = rows().into_iter().map(row).collect();
    let text = format!("group\tto\tasked\tanswer\n{rows}");
    std::fs::write(FILE, text).expect("the source tree is writable");
}

#[test]
fn every_question_belongs_to_a_group() {
    let named: BTreeSet<String> = GROUPS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let asked: BTreeSet<String> = rows().into_iter().map(|[group, ..]| group).collect();
    assert_eq!(named, asked);
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

macro_rules! groups {
    ($($name:ident: $group:literal;)*) => { $(
        #[test]
        fn $name() {
            holds($group);
        }
    )* };
}

groups! {
    fits_are_what_they_were: "fit";
    fits_of_kl_are_what_they_were: "fit-kl";
    defaults_are_what_they_were: "defaults";
    measures_of_models_are_what_they_were: "measured";
    theorems_of_gcd_say_what_they_said: "theorem-gcd";
    theorems_of_skgd_say_what_they_said: "theorem-skgd";
    theorems_of_decor_say_what_they_said: "theorem-decor";
    theorems_of_ambssgd_say_what_they_said: "theorem-ambssgd";
    theorems_of_kl_say_what_they_said: "theorem-kl";
    schedules_are_what_they_were: "schedule";
    scales_of_noise_are_what_they_were: "scales";
    batches_have_the_noise_that_they_had: "batches";
    shuffled_passes_have_the_noise_that_they_had: "shuffled";
    meters_read_what_they_read: "meter";
    runs_of_gcd_and_their_bounds_are_what_they_were: "run-gcd";
    runs_of_skgd_and_their_bounds_are_what_they_were: "run-skgd";
    runs_of_ambssgd_and_their_bounds_are_what_they_were: "run-ambssgd";
    runs_of_kl_and_their_bounds_are_what_they_were: "run-kl";
    runs_of_decor_are_what_they_were: "run-decor";
    runs_of_baselines_are_what_they_were: "run-baseline";
    losses_are_what_they_were: "loss";
    regularisers_are_what_they_were: "regulariser";
    risks_are_what_they_were: "risk";
    problems_are_what_they_were: "problem";
    files_are_read_as_they_were: "read";
    records_are_kept_as_they_were: "records";
    fits_of_streams_are_what_they_were: "stream";
    models_are_read_as_they_were: "model";
}
