//! Figures 1 and 4 and Table 3: three methods on eight problems.

use super::cases::{Case, Name};
use super::methods::{Accounting, Descent};
use super::orderings::{self, BEST, METHODS, NOTHING};
use super::tuning::{CORRECT, ERROR, Grid, INCORRECT, Point, measure};
use super::{TUNED, cases, common_choices};
use crate::experiment::outcome::{CHOOSING, Group, Published, Remark, Row};
use crate::experiment::{
    Cell, Choice, Effort, Experiment, ExperimentError, Outline, Prepared, Setting,
};
use std::sync::Arc;

/// The experiment `gcd-fig-1`.
pub(in crate::experiment) struct Curves;

/// What is reported at the best number of passes.
const REPORTED: [&str; 3] = [ERROR, CORRECT, INCORRECT];

impl Experiment for Curves {
    fn outline(&self) -> Outline {
        Outline {
            name: "gcd-fig-1",
            title: "DP-GCD, DP-CD and DP-SGD: relative error against passes and seconds, support \
                    recovery",
            place: "DP-GCD, Figures 1 and 4, Table 3",
            claims: &["gcd-exp"],
            axis: "passes (0: the best number of passes)",
        }
    }

    fn prepare(&self, setting: &Setting) -> Result<Prepared, ExperimentError> {
        let (mut inputs, mut cells) = (Vec::new(), Vec::new());
        let names = setting.effort.pick(
            &[Name::Log1, Name::Square, Name::Dorothea][..],
            &Name::ALL,
            &Name::ALL,
        );
        for (case, input) in cases(names, setting)? {
            if !inputs.contains(&input) {
                inputs.push(input);
            }
            cells.push(nothing(&case));
            for method in METHODS {
                for passes in passes(case.which, method, setting.effort) {
                    let point = Point {
                        method,
                        accounting: Accounting::Printed,
                        passes,
                        seed: setting.seed,
                        selection_cost: setting.selection_cost,
                    };
                    cells.push(cell(&case, point, setting.effort));
                }
            }
        }
        let mut choices = common_choices();
        for method in METHODS {
            let question = format!("Which hyperparameters were tried for {}?", method.name());
            let grid = Grid::new(method, setting.effort);
            choices.push(Choice::new(&question, grid.text()));
        }
        choices.push(Choice::new(
            "When does one method have the smaller error?",
            "when all of an interval that holds the median difference between paired runs, with \
             the probability stated and each by itself, has that sign; on par is to be within the \
             ratio of errors that Table 3 prints for that problem, and a decrease is one that its \
             two digits show",
        ));
        choices.push(Choice::new(
            "What are the seconds of Figure 4?",
            "wall time of one fit while other cells run on the other cores: orders of magnitude \
             only",
        ));
        Ok(Prepared {
            inputs,
            choices,
            tuning: TUNED.to_owned(),
            cells,
        })
    }

    fn derive(&self, rows: &[Row]) -> Vec<Row> {
        let best = best_passes(rows);
        let pairings = orderings::pairings(&best, METHODS.map(Descent::name));
        best.into_iter().chain(pairings).collect()
    }

    fn published(&self) -> Vec<Published> {
        orderings::published()
    }

    fn remarks(&self, groups: &[Group]) -> Vec<Remark> {
        orderings::remarks(groups)
    }
}

/// Table 2's passes, fewer of them where they would take long.
fn passes(name: Name, method: Descent, effort: Effort) -> Vec<f64> {
    let huge = name == Name::Dorothea;
    match (method, effort) {
        (_, Effort::Toy) => vec![1.0, 2.0],
        (Descent::Gcd(_), Effort::Quick) => vec![1.0, 4.0, 10.0],
        (Descent::Cd, Effort::Quick) if huge => vec![0.1],
        (Descent::Cd, Effort::Quick) => vec![0.1, 1.0, 3.0],
        (Descent::Sgd, Effort::Quick) if huge => vec![0.01],
        (Descent::Sgd, Effort::Quick) => vec![0.1, 1.0],
        (Descent::Gcd(_), Effort::Full) => vec![1.0, 2.0, 4.0, 7.0, 10.0, 15.0, 20.0],
        (Descent::Sgd, Effort::Full) if huge => vec![0.001, 0.01, 0.1],
        (_, Effort::Full) => vec![0.001, 0.01, 0.1, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0],
    }
}

fn cell(case: &Arc<Case>, point: Point, effort: Effort) -> Cell {
    let grid = Grid::new(point.method, effort);
    let name = format!(
        "{}, {}, {}, {} passes",
        case.name,
        point.method.name(),
        point.accounting.name(),
        point.passes
    );
    // A greedy step reads all of X; a stochastic one draws noise for every coordinate, which costs more.
    let stored = case.problem.data().design().stored() as f64;
    let (n, p) = (
        case.problem.records() as f64,
        case.problem.features() as f64,
    );
    let work = match point.method {
        Descent::Gcd(_) => 2.0 * stored,
        Descent::Cd => 5.0 * stored,
        Descent::Sgd => 30.0 * n * p,
    };
    let weight = (work * point.passes / 1e5) as u64;
    let case = Arc::clone(case);
    Cell::new(name, weight, move || {
        measure(&case, point.method.name(), point, &grid)
    })
}

/// The answer 0, which costs nothing: what a method has to beat.
fn nothing(case: &Arc<Case>) -> Cell {
    let case = Arc::clone(case);
    Cell::new(format!("{}, {NOTHING}", case.name), 1, move || {
        Ok(vec![Row {
            problem: case.name.clone(),
            method: NOTHING.to_owned(),
            accounting: "none".to_owned(),
            epsilon: 0.0,
            epsilon_upper: 0.0,
            delta: 0.0,
            x: 0.0,
            metric: format!("{BEST}{ERROR}"),
            run: 0,
            value: case.relative_error(&vec![0.0; case.problem.features()]),
            setting: String::new(),
        }])
    })
}

/// The rows at the number of passes that the choosing trials prefer, once more under another name.
fn best_passes(rows: &[Row]) -> Vec<Row> {
    let same = |a: &Row, b: &Row| {
        a.problem == b.problem && a.method == b.method && a.accounting == b.accounting
    };
    let mut curves: Vec<&Row> = Vec::new();
    for row in rows.iter().filter(|row| row.method != NOTHING) {
        if !curves.iter().any(|known| same(known, row)) {
            curves.push(row);
        }
    }
    let at_best = |curve: &Row| {
        let sum = |x: f64| {
            let here = rows
                .iter()
                .filter(|r| same(r, curve) && r.x == x && r.metric == CHOOSING);
            here.map(|r| r.value).sum::<f64>()
        };
        let places = rows.iter().filter(|r| same(r, curve)).map(|r| r.x);
        let best = places
            .min_by(|a, b| sum(*a).total_cmp(&sum(*b)))
            .unwrap_or(f64::NAN);
        let chosen = rows
            .iter()
            .filter(|r| same(r, curve) && r.x == best && REPORTED.contains(&r.metric.as_str()));
        chosen
            .map(|row| Row {
                x: 0.0,
                metric: format!("{BEST}{}", row.metric),
                setting: format!("{best} passes, {}", row.setting),
                ..row.clone()
            })
            .collect::<Vec<_>>()
    };
    curves.into_iter().flat_map(at_best).collect()
}
