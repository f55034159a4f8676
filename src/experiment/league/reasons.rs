//! Where a method of the papers loses, by how much, and to what.
//!
//! Every such method is run once more with the noise of its paper, where that is certified, and once with as good as none, all
//! else alike. What noise costs it beyond what noise costs full gradients is due to noise; what it loses to full gradients
//! without noise is due to its steps, of which a rule gives the length and the method the direction: these two are not told
//! apart. What the noise of the paper costs besides is due to its accounting. DECOR among users is beside DECOR with a record
//! for each user: what it loses more is due to noise that hides all records of a user.

use super::super::outcome::Row;
use super::others::OPACUS;
use super::{CONSTANT, LIBRARY, PERTURBED, RECORD_EACH, USERS};
use std::collections::BTreeMap;

/// After the name of a method with as good as no noise.
pub(super) const OFF: &str = " (no noise)";
/// After the name of a method with the noise of its paper.
pub(super) const PAPER: &str = " (noise of the paper)";
/// What the others are compared with.
const GRADIENTS: &str = "gd";
/// What counts as a loss, in units of the metric.
const NEAR: f64 = 0.01;

/// A line for each data set and method that was run without noise: medians at the one ε at which it was, the loss to the best
/// of our private methods, and the parts of it.
///
/// ```
/// use dp_assay::experiment::{Row, reasons};
///
/// let row = |method: &str, value: f64| Row {
///     problem: "a".into(), method: method.into(), accounting: "tight".into(), epsilon: 1.0, epsilon_upper: 1.0, delta: 1e-6,
///     x: 1.0, metric: "accuracy".into(), run: 0, value, setting: String::new(),
/// };
/// // gd loses 0.02 to noise, skgd 0.10.
/// let rows = [("gd", 0.9), ("gd (no noise)", 0.92), ("skgd", 0.81), ("skgd (no noise)", 0.91)];
/// let table = reasons(&rows.map(|(method, value)| row(method, value)));
/// assert_eq!(table.lines().nth(1), Some("a,1,skgd,0.8100,gd,0.0900,0.0800,0.0100,,noise"));
/// ```
#[must_use]
pub fn reasons(rows: &[Row]) -> String {
    let medians = by_cell(rows);
    let value = |problem: &str, epsilon: f64, method: &str| {
        let key = (problem.to_owned(), epsilon.to_string(), method.to_owned());
        medians.get(&key).copied()
    };
    let mut text = String::from(
        "problem,epsilon,method,median,best,loss,noise,step rule or method,noise of the \
         paper,reason\n",
    );
    for ((problem, epsilon, name), own) in &medians {
        let at: f64 = epsilon.parse().unwrap_or(f64::NAN);
        let of = |method: &str| value(problem, at, method);
        let private = medians.iter().filter(|((p, e, m), _)| {
            p == problem
                && e == epsilon
                && ![CONSTANT, LIBRARY, PERTURBED, OPACUS].contains(&m.as_str())
                && !m.contains('(')
        });
        let best = private.max_by(|a, b| a.1.total_cmp(b.1));
        let Some(((_, _, best), most)) = best else {
            continue;
        };
        let loss = most - own;
        let line = match (name.as_str(), of(&format!("{name}{OFF}"))) {
            (USERS, None) => of(RECORD_EACH).map(|records| users(loss, most - records)),
            (GRADIENTS, _) | (_, None) => None,
            (_, Some(off)) => {
                let gd = of(GRADIENTS).zip(of(&format!("{GRADIENTS}{OFF}")));
                let paper = of(&format!("{name}{PAPER}")).map(|paper| own - paper);
                gd.map(|(gd, gd_off)| parts(loss, (off - own, gd_off - gd), gd_off - off, paper))
            }
        };
        if let Some(line) = line {
            text += &format!("{problem},{epsilon},{name},{own:.4},{best},{loss:.4},{line}\n");
        }
    }
    text
}

/// What is due to noise, to steps and to the noise of the paper, where a method loses so much, and noise costs it and full
/// gradients so much.
fn parts(loss: f64, (cost, usual): (f64, f64), steps: f64, paper: Option<f64>) -> String {
    let noise = cost - usual;
    let reason = match () {
        () if loss <= NEAR && paper.is_some_and(|paper| loss + paper > NEAR) => {
            "near the best by tighter accounting"
        }
        () if loss <= NEAR => "near the best",
        () if noise >= steps => "noise",
        () => "step rule or method",
    };
    let paper = paper.map(|paper| format!("{paper:.4}"));
    format!(
        "{noise:.4},{steps:.4},{},{reason}",
        paper.unwrap_or_default()
    )
}

/// Where users are hidden with all their records, beside what the same method loses that hides single records.
fn users(loss: f64, records: f64) -> String {
    let noise = loss - records;
    let reason = match () {
        () if loss <= NEAR => "near the best",
        () if noise >= records => "noise that hides whole users",
        () => "step rule or method",
    };
    format!("{noise:.4},{records:.4},,{reason}")
}

/// Medians by problem, ε and method.
fn by_cell(rows: &[Row]) -> BTreeMap<(String, String, String), f64> {
    let mut cells: BTreeMap<_, Vec<f64>> = BTreeMap::new();
    for row in rows {
        let key = (
            row.problem.clone(),
            row.epsilon.to_string(),
            row.method.clone(),
        );
        cells.entry(key).or_default().push(row.value);
    }
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        0.5 * (values[(values.len() - 1) / 2] + values[values.len() / 2])
    };
    cells
        .into_iter()
        .map(|(key, values)| (key, median(values)))
        .collect()
}
