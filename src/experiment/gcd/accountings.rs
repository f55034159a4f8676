//! What better accounting buys: the same fits with four noises, at one printed budget, with the ε that
//! each is certified for.

use super::cases::Name;
use super::methods::{Accounting, Descent, EPSILON};
use super::tuning::{ERROR, Grid, Point, measure};
use super::{TUNED, cases, common_choices};
use crate::experiment::outcome::{CHOOSING, Group, Remark};
use crate::experiment::{Cell, Experiment, ExperimentError, Outline, Prepared, Setting};
use crate::solver::gcd::Rule;
use std::sync::Arc;

/// The experiment `gcd-accounting`.
pub(in crate::experiment) struct Accountings;

const GREEDY: [Accounting; 4] = [
    Accounting::ClosedForm,
    Accounting::Printed,
    Accounting::Repaired,
    Accounting::Tight,
];
const GAUSSIAN: [Accounting; 2] = [Accounting::Printed, Accounting::Tight];

impl Experiment for Accountings {
    fn outline(&self) -> Outline {
        Outline {
            name: "gcd-accounting",
            title: "DP-GCD and DP-CD with printed, repaired and tight noise: utility and certified \
                    ε",
            place: "our design on problems of DP-GCD, Table 1",
            claims: &["gcd-thm-4.2", "gcd-rem-4.3-repaired", "gcd-mech-rnm"],
            axis: "passes",
        }
    }

    fn prepare(&self, setting: &Setting) -> Result<Prepared, ExperimentError> {
        let effort = setting.effort;
        let names = effort.pick(
            &[Name::Log1][..],
            &[Name::Log1, Name::Square, Name::California],
            &[
                Name::Log1,
                Name::Log2,
                Name::Square,
                Name::California,
                Name::MadelonLasso,
            ],
        );
        let greedy = effort.pick(
            &[1.0][..],
            &[1.0, 4.0, 10.0],
            &[1.0, 2.0, 4.0, 7.0, 10.0, 15.0, 20.0],
        );
        let random = effort.pick(&[1.0][..], &[0.1, 1.0], &[0.1, 1.0, 2.0, 5.0]);
        let methods = [
            (Descent::Gcd(Rule::GsR), &GREEDY[..], greedy),
            (Descent::Cd, &GAUSSIAN[..], random),
        ];
        let (mut inputs, mut cells) = (Vec::new(), Vec::new());
        for (case, input) in cases(names, setting)? {
            inputs.push(input);
            let weight = case.problem.data().design().stored() as f64 / 1e5;
            for (method, accountings, passes) in methods {
                for &accounting in accountings {
                    for &passes in passes {
                        let point = Point {
                            method,
                            accounting,
                            passes,
                            seed: setting.seed,
                            selection_cost: setting.selection_cost,
                        };
                        let (case, grid) = (Arc::clone(&case), Grid::new(method, effort));
                        let label = method.name();
                        let name = format!(
                            "{}, {label}, {}, {passes} passes",
                            case.name,
                            accounting.name()
                        );
                        let work = move || measure(&case, label, point, &grid);
                        cells.push(Cell::new(name, (weight * passes) as u64, work));
                    }
                }
            }
        }
        Ok(Prepared {
            inputs,
            choices: common_choices(),
            tuning: TUNED.to_owned(),
            cells,
        })
    }

    fn remarks(&self, groups: &[Group]) -> Vec<Remark> {
        let mut remarks = vec![covered(groups)];
        let mut problems: Vec<&str> = groups.iter().map(|g| g.key.problem.as_str()).collect();
        problems.dedup();
        for problem in problems {
            remarks.extend(gain(
                groups,
                problem,
                Descent::Gcd(Rule::GsR),
                Accounting::Repaired,
            ));
            remarks.extend(gain(groups, problem, Descent::Cd, Accounting::Printed));
        }
        remarks
    }
}

/// Whether the repaired and the tight noise are certified for the budget, and the printed one is not.
fn covered(groups: &[Group]) -> Remark {
    let worst = |accounting: Accounting| {
        let here = groups.iter().filter(|g| {
            g.key.accounting == accounting.name() && g.key.method == Descent::Gcd(Rule::GsR).name()
        });
        here.map(|g| g.key.epsilon_upper).fold(0.0, f64::max)
    };
    let all = GREEDY.map(|accounting| (accounting.name(), worst(accounting)));
    Remark {
        statement: format!(
            "DP-GCD: repaired and tight noise are certified for ε = {EPSILON}; the largest \
             certified ε of each"
        ),
        seen: worst(Accounting::Repaired) <= EPSILON && worst(Accounting::Tight) <= EPSILON,
        evidence: format!("{all:?}"),
    }
}

/// Whether the tight noise has a smaller error than another one that is certified too.
fn gain(groups: &[Group], problem: &str, method: Descent, other: Accounting) -> Option<Remark> {
    let best = |accounting: Accounting| {
        let here = |g: &&Group, metric: &str| {
            g.key.problem == problem
                && g.key.method == method.name()
                && g.key.accounting == accounting.name()
                && g.key.metric == metric
        };
        let trials = groups.iter().filter(|g| here(g, CHOOSING));
        let chosen = trials.min_by(|a, b| a.mean.total_cmp(&b.mean))?;
        groups
            .iter()
            .find(|g| here(g, ERROR) && g.key.x == chosen.key.x)
    };
    let (tight, other_error) = (best(Accounting::Tight)?, best(other)?);
    let text = |g: &Group| {
        let Group { mean, min, max, .. } = g;
        format!(
            "{mean:.3e} (runs from {min:.3e} to {max:.3e}, {} passes)",
            g.key.x
        )
    };
    Some(Remark {
        statement: format!(
            "{problem}, {}: tight noise has a smaller error than {} noise at equal certified \
             privacy",
            method.name(),
            other.name()
        ),
        seen: tight.mean < other_error.mean,
        evidence: format!("{} against {}", text(tight), text(other_error)),
    })
}
