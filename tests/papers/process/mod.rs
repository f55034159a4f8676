//! The theorem meets the program: the algorithms of the kernel's statements, as terms, run on the noise tape, and do
//! step by step what the solvers' `reference` does. So what is proved private, and useful, is what is run.
//!
//! The [interpreter] is no part of the trusted base. Where on the tape a command's noise lies says each paper's test, as
//! its solver documents it; so does what the statement leaves open, its losses and maps. Scales of noise, steps, clipping, stops
//! and orders of commands are the statement's.

mod ambssgd;
mod decor;
mod gcd;
mod interpreter;
mod kl;
mod skgd;

use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::problem::loss::{Logistic, Squared};
use dp_assay::problem::{Dataset, Dense, Problem, Regulariser};
use dp_assay_spec::claim::Paper;
use dp_assay_spec::findings::headline::Correction;
use dp_assay_spec::kernel::statement::{Item, Statement};
use interpreter::{Value, World};

/// Gaussian entries from a tape, larger ones in later columns.
fn rows(seed: u64, records: usize, features: usize) -> Vec<Vec<f64>> {
    let tape = Tape::new(seed);
    let entry = |i: usize, k: usize| tape.uniform(i as u64, Purpose::Data, k as u64).gaussian();
    let row = |i| {
        (0..features)
            .map(|k| entry(i, k) * (1 + k) as f64)
            .collect()
    };
    (0..records).map(row).collect()
}

/// Targets from the same tape.
fn signs(seed: u64, records: usize, features: usize) -> Vec<f64> {
    let (tape, at) = (Tape::new(seed), features as u64);
    let target = |i: usize| tape.uniform(i as u64, Purpose::Data, at).gaussian();
    (0..records).map(|i| target(i).signum()).collect()
}

/// Records, features and targets from a tape; squared or logistic loss.
fn problem(seed: u64, records: usize, features: usize, psi: Regulariser) -> Problem {
    let design = Dense::from_rows(&rows(seed, records, features)).expect("finite rows");
    let targets = signs(seed, records, features);
    let data = Dataset::new("random", design, targets).expect("a data set");
    let problem = match seed % 2 {
        0 => Problem::new(data, Logistic, psi),
        _ => Problem::new(data, Squared, psi),
    };
    problem.expect("a problem")
}

/// ∂ⱼℓ(x; record i) for every j.
fn slopes(problem: &Problem, x: &[f64], i: usize) -> Vec<f64> {
    let design = problem.data().design();
    let entry = |k: usize| {
        let found = design.column(k).iter().find(|(row, _)| *row == i);
        found.map_or(0.0, |(_, value)| value)
    };
    let margin: f64 = x.iter().enumerate().map(|(k, x)| entry(k) * x).sum();
    let slope = problem
        .loss()
        .derivative(margin, problem.data().targets()[i]);
    (0..x.len()).map(|k| slope * entry(k)).collect()
}

/// The mean of [`slopes`].
fn mean_slopes(problem: &Problem, x: &[f64]) -> Vec<f64> {
    let n = problem.records();
    let mut mean = vec![0.0; x.len()];
    for i in 0..n {
        let one = slopes(problem, x, i);
        mean.iter_mut()
            .zip(one)
            .for_each(|(sum, g)| *sum += g / n as f64);
    }
    mean
}

fn world(numbers: &[(&str, f64)], vectors: &[(&str, &[f64])]) -> World {
    let number = |(x, v): &(&str, f64)| ((*x).to_owned(), Value::Number(*v));
    let vector = |(x, v): &(&str, &[f64])| ((*x).to_owned(), Value::Vector(v.to_vec()));
    let numbers = numbers.iter().map(number);
    numbers.chain(vectors.iter().map(vector)).collect()
}

/// The unit vectors of a dimension.
fn units(d: usize) -> Vec<Vec<f64>> {
    let unit = |i: usize| (0..d).map(|j| f64::from(u8::from(i == j))).collect();
    (0..d).map(unit).collect()
}

/// What the claim with this id says.
fn statement(id: &str) -> Statement {
    let moved = dp_assay_spec::moved::all().find(|moved| moved.id == id);
    (moved.expect("it has moved").statement)().expect("the claim")
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()))
}

#[track_caller]
fn assert_close(seen: &[f64], due: &[f64], what: &str) {
    assert_eq!(seen.len(), due.len(), "{what}");
    let same = seen.iter().zip(due).all(|(a, b)| close(*a, *b));
    assert!(same, "{what}: {seen:?} {due:?}");
}

/// No corrected theorem speaks of an algorithm that nobody has run.
#[test]
fn the_algorithms_of_all_corrected_theorems_are_run() {
    let mut run = vec![gcd::PROXIMAL, kl::SPIDER, decor::ANY_NOISE];
    run.extend([ambssgd::ONE_PASS, ambssgd::BLOCKS]);
    run.extend(gcd::GREEDY);
    run.extend(skgd::EPOCHS.map(|(id, _)| id));
    run.extend(kl::CALLS.map(|(id, _)| id));
    run.extend(kl::ADAPTIVE.map(|(id, _)| id));
    run.extend(decor::PRIVATE.map(|(id, ..)| id));
    let mut with = 0;
    for headline in Paper::ALL.into_iter().flat_map(Paper::headlines) {
        let Some(Correction::By(corrected)) = headline.correction else {
            continue;
        };
        let statement = statement(corrected.id);
        let items = statement.context.items();
        if items.iter().any(|item| matches!(item, Item::Process(..))) {
            assert!(run.contains(&corrected.id), "{}", corrected.id);
            with += 1;
        }
    }
    assert!(
        with > 20,
        "{with} headlines are corrected by a theorem on an algorithm"
    );
}
