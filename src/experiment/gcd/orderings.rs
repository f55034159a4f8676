//! The orderings of Figure 1 and Table 3: whether they are seen, by differences between runs.

use super::curves::{BEST, METHODS, NOTHING};
use super::methods::{Accounting, Method};
use super::tuning::{CORRECT, ERROR, INCORRECT};
use crate::experiment::outcome::{Group, Published, Remark, Row};

/// Table 3: correct and incorrect non-zeros and relative gap of DP-GCD, DP-CD and DP-SGD.
const TABLE_3: [(&str, [[f64; 3]; 3]); 4] = [
    (
        "square",
        [[2.0, 0.0, 0.35], [0.0, 0.0, 0.75], [0.0, 3.0, 0.75]],
    ),
    (
        "california",
        [[2.0, 0.0, 0.000_56], [3.0, 2.0, 0.0024], [3.0, 5.0, 0.020]],
    ),
    (
        "dorothea",
        [[1.0, 0.0, 0.64], [1.0, 1.0, 0.77], [0.0, 0.0, 0.78]],
    ),
    (
        "madelon-l1",
        [[1.0, 0.0, 0.0015], [0.0, 0.0, 0.0085], [0.0, 0.0, 0.012]],
    ),
];
const METRICS: [&str; 3] = [CORRECT, INCORRECT, ERROR];
/// Pairs of places in [`METHODS`].
const PAIRS: [(usize, usize); 3] = [(0, 1), (0, 2), (1, 2)];
/// "Roughly on par": means within this factor of each other.
const ON_PAR: f64 = 10.0;
/// To decrease the objective is to have less than this part of the error of answering 0.
const DECREASED: f64 = 0.99;

/// The values of Table 3.
pub(super) fn published() -> Vec<Published> {
    let mut all = Vec::new();
    for (problem, values) in TABLE_3 {
        for (method, values) in METHODS.iter().zip(values) {
            all.extend(METRICS.iter().zip(values).map(|(metric, value)| Published {
                problem: problem.to_owned(),
                method: method.name().to_owned(),
                x: 0.0,
                metric: format!("{BEST}{metric}"),
                value,
            }));
        }
    }
    all
}

/// Run by run, what one method has more than another at the best number of passes.
pub(super) fn differences(best: &[Row]) -> Vec<Row> {
    let mut out = Vec::new();
    for (one, other) in PAIRS {
        let (one, other) = (METHODS[one], METHODS[other]);
        for a in best.iter().filter(|row| row.method == one.name()) {
            let paired = |b: &&Row| {
                b.method == other.name()
                    && (&b.problem, &b.accounting, &b.metric, b.run)
                        == (&a.problem, &a.accounting, &a.metric, a.run)
            };
            out.extend(best.iter().find(paired).map(|b| Row {
                method: pair(one, other),
                metric: difference(a.metric.trim_start_matches(BEST)),
                // Two runs that left the doubles are equally bad.
                value: if a.value == b.value {
                    0.0
                } else {
                    a.value - b.value
                },
                epsilon_upper: a.epsilon_upper.max(b.epsilon_upper),
                setting: String::new(),
                ..a.clone()
            }));
        }
    }
    out
}

fn pair(one: Method, other: Method) -> String {
    format!("{} − {}", one.name(), other.name())
}

fn difference(metric: &str) -> String {
    format!("difference, {BEST}{metric}")
}

/// What the paper says of Figure 1 (§5) and prints in Table 3.
pub(super) fn remarks(groups: &[Group]) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for name in super::PROBLEMS {
        let Some(problem) = Problem::new(groups, name) else {
            continue;
        };
        remarks.extend(match name {
            "mtp" => problem.is_not_superior(),
            "california" => problem.is_on_par(),
            _ => problem.leads(),
        });
        if ["square", "dorothea"].contains(&name) {
            remarks.extend(problem.alone_decreases());
        }
        if let Some((_, values)) = TABLE_3.iter().find(|(printed, _)| *printed == name) {
            remarks.extend((0..METRICS.len()).filter_map(|metric| problem.order(metric, values)));
        }
    }
    remarks
}

/// What was seen of a difference: its interval spans the median with probability 1 − 2^(1−runs), whatever the law,
/// because all runs lie on one side of the median with probability 2^(1−runs).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Less,
    Equal,
    More,
    Undecided,
}

impl Sign {
    fn of(min: f64, max: f64) -> Self {
        match (min, max) {
            (_, max) if max < 0.0 => Self::Less,
            (min, _) if min > 0.0 => Self::More,
            (min, max) if min == 0.0 && max == 0.0 => Self::Equal,
            _ => Self::Undecided,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Less => "less",
            Self::Equal => "equal",
            Self::More => "more",
            Self::Undecided => "undecided",
        }
    }
}

/// The groups of one problem, or of its stand-in.
struct Problem<'a> {
    name: &'a str,
    groups: Vec<&'a Group>,
}

impl<'a> Problem<'a> {
    fn new(groups: &'a [Group], name: &str) -> Option<Self> {
        let like = format!("{name}-like");
        let here = |g: &&Group| g.key.problem == name || g.key.problem == like;
        let groups: Vec<&Group> = groups.iter().filter(here).collect();
        Some(Self {
            name: &groups.first()?.key.problem,
            groups,
        })
    }

    fn find(&self, method: &str, metric: &str) -> Option<&'a Group> {
        let here = |g: &&&Group| g.key.method == method && g.key.metric == metric;
        self.groups.iter().find(here).copied()
    }

    fn best(&self, method: Method, metric: &str) -> Option<&'a Group> {
        let printed = Accounting::Printed.name();
        let found = self.find(method.name(), &format!("{BEST}{metric}"));
        found.filter(|g| g.key.accounting == printed)
    }

    /// The sign of a difference, and the numbers behind it.
    fn sign(&self, one: Method, other: Method, metric: &str) -> Option<(Sign, String)> {
        let means = [self.best(one, metric)?.mean, self.best(other, metric)?.mean];
        let Group {
            runs,
            mean,
            min,
            max,
            ..
        } = self.find(&pair(one, other), &difference(metric))?;
        let sign = Sign::of(*min, *max);
        let text = format!(
            "{} {:.3e}, {} {:.3e}: difference {mean:.2e}, its median in [{min:.2e}, {max:.2e}] with probability {:.4}: {}",
            one.name(),
            means[0],
            other.name(),
            means[1],
            1.0 - 2f64.powi(1 - *runs as i32),
            sign.name()
        );
        Some((sign, text))
    }

    /// DP-GCD against both others.
    fn greedy(&self) -> Option<[(Sign, String); 2]> {
        Some([
            self.sign(METHODS[0], METHODS[1], ERROR)?,
            self.sign(METHODS[0], METHODS[2], ERROR)?,
        ])
    }

    fn remark(&self, statement: &str, seen: bool, evidence: &[String]) -> Remark {
        Remark {
            statement: format!("{}: {statement}", self.name),
            seen,
            evidence: evidence.join("; "),
        }
    }

    fn leads(&self) -> Option<Remark> {
        let [cd, sgd] = self.greedy()?;
        let seen = cd.0 == Sign::Less && sgd.0 == Sign::Less;
        let statement = "DP-GCD has the least error (Figure 1)";
        Some(self.remark(statement, seen, &[cd.1, sgd.1]))
    }

    fn is_not_superior(&self) -> Option<Remark> {
        let [cd, sgd] = self.greedy()?;
        let seen = cd.0 == Sign::More || sgd.0 == Sign::More;
        let statement = "DP-GCD is not superior to its competitors (Figure 1)";
        Some(self.remark(statement, seen, &[cd.1, sgd.1]))
    }

    fn is_on_par(&self) -> Option<Remark> {
        let [greedy, cd, sgd] = METHODS.map(|method| self.best(method, ERROR));
        let (greedy, other) = (greedy?.mean, cd?.mean.min(sgd?.mean));
        let [cd, sgd] = self.greedy()?;
        let statement = format!(
            "DP-GCD is roughly on par with the better of the others: means within a factor of {ON_PAR} (Figure 1)"
        );
        let seen = greedy <= ON_PAR * other && other <= ON_PAR * greedy;
        let ratio = format!(
            "the better of the others has {:.3} times the mean of DP-GCD",
            other / greedy
        );
        Some(self.remark(&statement, seen, &[ratio, cd.1, sgd.1]))
    }

    fn alone_decreases(&self) -> Option<Remark> {
        let zero = self.find(NOTHING, &format!("{BEST}{ERROR}"))?.mean;
        let bound = DECREASED * zero;
        let [greedy, cd, sgd] = METHODS.map(|method| self.best(method, ERROR));
        let [greedy, cd, sgd] = [greedy?, cd?, sgd?];
        let text = |g: &Group| format!("{} from {:.4e} to {:.4e}", g.key.method, g.min, g.max);
        let evidence = [
            format!("answering 0 has {zero:.4e}"),
            text(greedy),
            text(cd),
            text(sgd),
        ];
        let statement = "DP-GCD alone decreases the objective by more than a hundredth (§5)";
        let seen = greedy.max < bound && cd.min >= bound && sgd.min >= bound;
        Some(self.remark(statement, seen, &evidence))
    }

    /// The printed order of one metric, pair by pair; pairs that are printed as equal say nothing.
    fn order(&self, metric: usize, printed: &[[f64; 3]; 3]) -> Option<Remark> {
        let (mut seen, mut evidence) = (true, Vec::new());
        for (one, other) in PAIRS {
            let (a, b) = (printed[one][metric], printed[other][metric]);
            let expected = Sign::of(a - b, a - b);
            if expected == Sign::Equal {
                continue;
            }
            let (sign, text) = self.sign(METHODS[one], METHODS[other], METRICS[metric])?;
            seen &= sign == expected;
            evidence.push(format!("{text} (printed {a} and {b}: {})", expected.name()));
        }
        let statement = format!(
            "the order of the three methods by {} is the printed one (Table 3)",
            METRICS[metric]
        );
        (!evidence.is_empty()).then(|| self.remark(&statement, seen, &evidence))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::outcome::groups;

    fn row(method: Method, run: u64, value: f64) -> Row {
        Row {
            problem: "square".to_owned(),
            method: method.name().to_owned(),
            accounting: Accounting::Printed.name().to_owned(),
            epsilon: 1.0,
            epsilon_upper: 1.0,
            delta: 1e-6,
            x: 0.0,
            metric: format!("{BEST}{ERROR}"),
            run,
            value,
            setting: String::new(),
        }
    }

    fn seen(errors: [[f64; 2]; 3]) -> Vec<bool> {
        let mut rows = Vec::new();
        for (method, errors) in METHODS.into_iter().zip(errors) {
            rows.extend(
                errors
                    .iter()
                    .zip(0..)
                    .map(|(error, run)| row(method, run, *error)),
            );
        }
        rows.extend(differences(&rows));
        let groups = groups(&rows);
        remarks(&groups)
            .into_iter()
            .map(|remark| remark.seen)
            .collect()
    }

    /// The first remark is Figure 1's, the second Table 3's on the gap; there are no others without non-zeros.
    #[test]
    fn an_order_is_seen_only_if_every_pair_of_runs_has_it() {
        assert_eq!(seen([[0.3, 0.4], [0.7, 0.8], [0.7, 0.8]]), [true, true]);
        assert_eq!(seen([[0.3, 0.75], [0.7, 0.8], [0.7, 0.7]]), [false, false]);
        assert_eq!(seen([[0.7, 0.8], [0.7, 0.8], [0.7, 0.8]]), [false, false]);
        let lost = f64::INFINITY;
        assert_eq!(seen([[0.3, 0.4], [lost, lost], [0.7, lost]]), [true, true]);
        assert_eq!(
            seen([[lost, lost], [lost, lost], [lost, lost]]),
            [false, false]
        );
    }
}
