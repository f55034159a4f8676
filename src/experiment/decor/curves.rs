//! Figure 1(a): least squares, squared distance against ε.

use super::least_squares::{AVERAGED, METRIC, STEPS, Task, recipe};
use super::noise::{Accounting, Topology, TrustModel};
use crate::experiment::outcome::{Group, Published, Remark, Row};
use crate::experiment::{
    Cell, Choice, Experiment, ExperimentError, Input, Outline, Prepared, Setting,
};
use std::sync::Arc;

const EPSILONS: [f64; 10] = [1.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0];
/// Read off the vector graphics of Figure 1(a), in the order of [`TrustModel::ALL`].
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

/// How far the printed value is from the draws.
const AWAY: &str = "printed value, distance in standard deviations of a draw";
/// One method's distance over another's, in the same draw.
const RATIO: &str = "ratio of squared distances";
/// Student's t at 0.9995 for 1 to 9 degrees of freedom: two sides and ten points make an error probability of 0.01.
const STUDENT: [f64; 9] = [
    636.619, 31.599, 12.924, 8.610, 6.869, 5.959, 5.408, 5.041, 4.781,
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
            runs: effort.pick(2, 6, 10),
            tries: effort.pick(1, 2, 4),
            couples,
            seed: setting.seed,
        });
        let epsilons = effort.pick(&[10.0][..], &[1.0, 5.0, 10.0, 20.0, 40.0], &EPSILONS);
        let mut cells = Vec::new();
        for &method in &TrustModel::ALL {
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
            tuning: "Step size and clipping threshold are the paper's, which tuned them on the \
                     same data outside the budget; so is the choice among couples of σ. The budget \
                     pays for neither."
                .to_owned(),
            cells,
        })
    }

    fn published(&self) -> Vec<Published> {
        let curve = |(method, values): (TrustModel, [f64; 10])| {
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
        TrustModel::ALL
            .into_iter()
            .zip(PRINTED)
            .flat_map(curve)
            .collect()
    }

    fn derive(&self, rows: &[Row]) -> Vec<Row> {
        let away = TrustModel::ALL.into_iter().zip(PRINTED);
        let mut derived: Vec<Row> = away
            .flat_map(|(m, values)| distances(rows, m, values))
            .collect();
        for topology in Topology::ALL {
            let decor = TrustModel::Decor(topology);
            derived.extend(ratios(rows, decor, TrustModel::Central));
            derived.extend(ratios(rows, TrustModel::Local(topology), decor));
        }
        derived
    }

    fn remarks(&self, groups: &[Group]) -> Vec<Remark> {
        let between = Topology::ALL.map(|topology| between(groups, topology));
        let near = TrustModel::ALL
            .into_iter()
            .filter_map(|method| near(groups, method));
        between.into_iter().chain(near).collect()
    }
}

/// The runs of a method under the printed accounting, ε by ε.
fn runs(rows: &[Row], method: TrustModel) -> impl Iterator<Item = (f64, Vec<&Row>)> {
    let (name, printed) = (method.name(), Accounting::Printed.name());
    let here = move |r: &&Row| r.method == name && r.accounting == printed && r.metric == METRIC;
    let all: Vec<&Row> = rows.iter().filter(here).collect();
    EPSILONS.into_iter().filter_map(move |x| {
        let at: Vec<&Row> = all.iter().copied().filter(|r| r.x == x).collect();
        (!at.is_empty()).then_some((x, at))
    })
}

/// How far the printed values are from ours, on a logarithmic scale in standard deviations of one more draw.
fn distances(rows: &[Row], method: TrustModel, printed: [f64; 10]) -> Vec<Row> {
    let distance = |(x, runs): (f64, Vec<&Row>)| {
        let n = runs.len() as f64;
        let logs: Vec<f64> = runs.iter().map(|r| r.value.ln()).collect();
        let mean = logs.iter().sum::<f64>() / n;
        let variance = logs.iter().map(|l| (l - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let at = EPSILONS.iter().position(|e| *e == x)?;
        let value = (printed[at].ln() - mean).abs() / (variance * (1.0 + 1.0 / n)).sqrt();
        value.is_finite().then(|| Row {
            metric: AWAY.to_owned(),
            run: 0,
            value,
            ..runs[0].clone()
        })
    };
    runs(rows, method).filter_map(distance).collect()
}

/// Run by run, how many times the distance of the other the distance of the one is: they share data and seeds.
fn ratios(rows: &[Row], one: TrustModel, other: TrustModel) -> Vec<Row> {
    let mut out = Vec::new();
    for ((_, these), (_, those)) in runs(rows, one).zip(runs(rows, other)) {
        out.extend(these.iter().zip(those).map(|(a, b)| Row {
            method: pair(one, other),
            metric: RATIO.to_owned(),
            value: a.value / b.value,
            setting: String::new(),
            ..(*a).clone()
        }));
    }
    out
}

fn pair(one: TrustModel, other: TrustModel) -> String {
    format!("{} / {}", one.name(), other.name())
}

/// Whether the printed curve of a method is what another draw of data and noise could give, at the same accounting.
///
/// If logarithms of draws are normal, a curve of ten further draws is as far as this anywhere with probability at most
/// 0.01. The printed values are means of five seeds on one draw of b, which spread less.
fn near(groups: &[Group], method: TrustModel) -> Option<Remark> {
    let name = method.name();
    let here = |g: &&Group| g.key.method == name && g.key.metric == AWAY;
    let all: Vec<&Group> = groups.iter().filter(here).collect();
    let worst = all.iter().map(|g| g.mean).max_by(f64::total_cmp)?;
    let runs = find(groups, method, all[0].key.x)?.runs;
    let bound = *STUDENT.get((runs as usize).checked_sub(2)?)?;
    let (mut inside, mut log) = (0, 0.0);
    for group in &all {
        let ours = find(groups, method, group.key.x)?;
        let value = printed(method, group.key.x)?;
        inside += usize::from(ours.min <= value && value <= ours.max);
        log += (ours.mean / value).ln() / all.len() as f64;
    }
    Some(Remark {
        statement: format!("{name}: the printed curve is within draw-to-draw noise of ours"),
        seen: worst <= bound,
        evidence: format!(
            "at most {worst:.2} standard deviations of a draw away, where {bound} are allowed with \
             {runs} runs; ours/printed = {:.3} in the geometric mean; {inside} of {} printed \
             values lie between our least and largest draw",
            log.exp(),
            all.len()
        ),
    })
}

fn printed(method: TrustModel, x: f64) -> Option<f64> {
    let curve = TrustModel::ALL.iter().position(|m| *m == method)?;
    let at = EPSILONS.iter().position(|e| *e == x)?;
    Some(PRINTED[curve][at])
}

/// The group of a method at one ε under the printed accounting.
fn find(groups: &[Group], method: TrustModel, x: f64) -> Option<&Group> {
    let (name, printed) = (method.name(), Accounting::Printed.name());
    groups.iter().find(|g| {
        g.key.method == name
            && g.key.accounting == printed
            && g.key.x == x
            && g.key.metric == METRIC
    })
}

fn choices(couples: usize) -> Vec<Choice> {
    vec![
        Choice::new(
            "Which b was drawn?",
            "unknown; every repetition draws b anew, so that least and largest show the spread \
             between draws",
        ),
        Choice::new(
            "What is plotted?",
            format!(
                "the text says training loss, the authors' program the mean over users of ‖x_i − \
                 x*‖², averaged over the last {AVERAGED} iterates: the latter, after the gossip \
                 step"
            ),
        ),
        Choice::new(
            "Which couple (σ_cdp, σ_cor)?",
            format!(
                "50 values of σ_cdp in even steps, the least whole σ_cor ≤ 1000 for each; \
                 {couples} of them, from the smallest σ_cdp to the largest, tried, the best on \
                 other draws kept"
            ),
        ),
        Choice::new(
            "What does the central baseline protect?",
            "the average of the users' gradients alone, not what they send",
        ),
    ]
}

/// Whether DECOR lies between the central and the local baseline at every ε, as printed noise goes: in every run, so
/// that the median ratio is on that side of 1 with probability 1 − 2^(−runs) each.
fn between(groups: &[Group], topology: Topology) -> Remark {
    let mut evidence = Vec::new();
    let mut seen = true;
    let decor = TrustModel::Decor(topology);
    for pair in [
        pair(decor, TrustModel::Central),
        pair(TrustModel::Local(topology), decor),
    ] {
        for group in groups
            .iter()
            .filter(|g| g.key.method == pair && g.key.metric == RATIO)
        {
            let Group { min, max, runs, .. } = group;
            seen &= *min >= 1.0;
            evidence.push(format!(
                "{pair} at ε = {} in [{min:.3}, {max:.3}] ({runs} runs)",
                group.key.x
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
