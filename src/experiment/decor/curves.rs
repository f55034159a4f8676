//! Figure 1(a): least squares, squared distance against ε.

use super::least_squares::{AVERAGED, METRIC, STEPS, Task, recipe};
use super::noise::{Accounting, Method, Topology};
use crate::experiment::outcome::{Group, Published, Remark};
use crate::experiment::{
    Cell, Choice, Experiment, ExperimentError, Input, Outline, Prepared, Setting,
};
use std::sync::Arc;

const EPSILONS: [f64; 10] = [1.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0];
/// Read off the vector graphics of Figure 1(a), in the order of [`Method::ALL`].
const PRINTED: [[f64; 10]; 7] = [
    [
        90.0, 3.87, 0.809, 0.181, 0.0891, 0.0217, 0.0126, 0.00618, 0.00595, 0.00358,
    ],
    [
        104.0, 4.92, 0.803, 0.245, 0.0941, 0.0228, 0.0165, 0.00875, 0.00829, 0.00551,
    ],
    [
        179.0, 9.04, 1.55, 0.672, 0.239, 0.0746, 0.0515, 0.0274, 0.0274, 0.0157,
    ],
    [
        167.0, 5.65, 1.79, 0.563, 0.366, 0.146, 0.114, 0.064, 0.0536, 0.0264,
    ],
    [
        2060.0, 161.0, 30.8, 18.0, 4.80, 1.46, 0.847, 0.433, 0.297, 0.181,
    ],
    [
        1750.0, 142.0, 25.6, 14.4, 9.11, 3.40, 0.915, 0.594, 0.352, 0.152,
    ],
    [
        1840.0, 110.0, 55.8, 11.6, 6.54, 2.40, 1.21, 0.867, 0.386, 0.271,
    ],
];

/// The experiment `decor-fig-1a`.
pub(in crate::experiment) struct LeastSquaresCurves;

impl Experiment for LeastSquaresCurves {
    fn outline(&self) -> Outline {
        Outline {
            name: "decor-fig-1a",
            title: "DECOR on least squares: distance to the optimum against ε",
            place: "DECOR, Figure 1(a), §6.1",
            claims: &["decor-exp-1", "decor-exp-2", "decor-exp-3"],
            axis: "epsilon",
        }
    }

    fn prepare(&self, setting: &Setting) -> Result<Prepared, ExperimentError> {
        let effort = setting.effort;
        let couples = effort.pick(1, 5, 9);
        let task = Arc::new(Task {
            steps: effort.pick(40, STEPS, STEPS),
            runs: effort.pick(2, 3, 10),
            tries: effort.pick(1, 2, 4),
            couples,
            seed: setting.seed,
        });
        let epsilons = effort.pick(&[10.0][..], &[1.0, 5.0, 10.0, 20.0, 40.0], &EPSILONS);
        let mut cells = Vec::new();
        for &method in &Method::ALL {
            for &accounting in method.accountings() {
                for &epsilon in epsilons {
                    let task = Arc::clone(&task);
                    let name = format!("{}, {}, ε = {epsilon}", method.name(), accounting.name());
                    let weight = method.topology().graph()?.edge_count() as u64;
                    cells.push(Cell::new(name, weight, move || {
                        task.measure(method, accounting, epsilon)
                    }));
                }
            }
        }
        Ok(Prepared {
            inputs: vec![Input::synthetic("least squares", recipe(setting.seed))],
            choices: choices(couples),
            tuning: "Step size and clipping threshold are the paper's, which tuned them on the same data \
                     outside the budget; so is the choice among couples of σ. The budget pays for neither."
                .to_owned(),
            cells,
        })
    }

    fn published(&self) -> Vec<Published> {
        let curve = |(method, values): (Method, [f64; 10])| {
            EPSILONS
                .into_iter()
                .zip(values)
                .map(move |(x, value)| Published {
                    problem: "least squares".to_owned(),
                    method: method.name(),
                    x,
                    metric: METRIC.to_owned(),
                    value,
                })
        };
        Method::ALL
            .into_iter()
            .zip(PRINTED)
            .flat_map(curve)
            .collect()
    }

    fn remarks(&self, groups: &[Group]) -> Vec<Remark> {
        let between = Topology::ALL.map(|topology| between(groups, topology));
        let near = Method::ALL.map(|method| near(groups, method));
        between.into_iter().chain(near).collect()
    }
}

/// Whether the printed curve of a method runs within the spread of our draws, at the same accounting.
fn near(groups: &[Group], method: Method) -> Remark {
    let at = Method::ALL.iter().position(|m| *m == method);
    let printed = at.map_or([f64::NAN; 10], |at| PRINTED[at]);
    let (mut inside, mut all, mut log) = (0, 0, 0.0);
    for (x, value) in EPSILONS.into_iter().zip(printed) {
        if let Some(group) = find(groups, method, x) {
            all += 1;
            inside += usize::from(group.min <= value && value <= group.max);
            log += (group.mean / value).ln();
        }
    }
    let factor = (log / all.max(1) as f64).exp();
    Remark {
        statement: format!(
            "{}: the printed curve is within a factor of 1.5 of ours in the geometric mean",
            method.name()
        ),
        seen: all > 0 && (1.0 / 1.5..=1.5).contains(&factor),
        evidence: format!(
            "ours/printed = {factor:.3}; {inside} of {all} printed values lie between our least and largest draw"
        ),
    }
}

/// The group of a method at one ε under the printed accounting.
fn find(groups: &[Group], method: Method, x: f64) -> Option<&Group> {
    let (name, printed) = (method.name(), Accounting::Printed.name());
    groups
        .iter()
        .find(|g| g.key.method == name && g.key.accounting == printed && g.key.x == x)
}

fn choices(couples: usize) -> Vec<Choice> {
    vec![
        Choice::new(
            "Which b was drawn?",
            "unknown; every repetition draws b anew, so that least and largest show the spread between draws",
        ),
        Choice::new(
            "What is plotted?",
            format!(
                "the text says training loss, the authors' program the mean over users of ‖x_i − x*‖², averaged \
                 over the last {AVERAGED} iterates: the latter, after the gossip step"
            ),
        ),
        Choice::new(
            "Which couple (σ_cdp, σ_cor)?",
            format!(
                "50 values of σ_cdp in even steps, the least whole σ_cor ≤ 1000 for each; {couples} of them, from \
                 the smallest σ_cdp to the largest, tried, the best on other draws kept"
            ),
        ),
        Choice::new(
            "What does the central baseline protect?",
            "the average of the users' gradients alone, not what they send",
        ),
    ]
}

/// Whether DECOR lies between the central and the local baseline at every ε, as printed noise goes.
fn between(groups: &[Group], topology: Topology) -> Remark {
    let mean = |method, x| find(groups, method, x).map(|group| group.mean);
    let mut evidence = Vec::new();
    let mut seen = true;
    for x in EPSILONS {
        let three = [
            mean(Method::Central, x),
            mean(Method::Decor(topology), x),
            mean(Method::Local(topology), x),
        ];
        if let [Some(central), Some(decor), Some(local)] = three {
            seen &= central <= decor && decor <= local;
            evidence.push(format!(
                "ε = {x}: {central:.3e} ≤ {decor:.3e} ≤ {local:.3e}"
            ));
        }
    }
    Remark {
        statement: format!(
            "on the {} graph DECOR is between CDP and LDP at every ε",
            topology.name()
        ),
        seen: seen && !evidence.is_empty(),
        evidence: evidence.join("; "),
    }
}
