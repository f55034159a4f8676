//! The orderings of Figure 1 and Table 3: whether they are seen, by comparing runs with each other.
//!
//! Methods are compared run by run, on the differences or ratios of paired runs: [`Group::median_low`] and
//! [`Group::median_high`] hold the median one with probability [`Group::coverage`], whatever the law. Every statement is
//! decided by such intervals, each with this error probability by itself, and by nothing else:
//!
//! | the paper's words | seen if |
//! |---|---|
//! | a method has the least error, or the printed order | the interval of every difference has the sign that says so |
//! | not superior (mtp) | that of a difference from one of the others has the other sign |
//! | roughly on par (california) | that of every ratio of errors is within the ratio that Table 3 prints for this very problem: the paper calls no greater one so |
//! | decreases the objective | that of the error is below the error of answering 0 at Table 3's precision, two digits; not to decrease is to lie above |

use super::methods::{Accounting, Descent};
use super::tuning::{CORRECT, ERROR, INCORRECT};
use crate::experiment::outcome::{Group, PAIRED, Published, Remark, Row};
use crate::solver::gcd::Rule;

/// Metrics at the best number of passes carry this in front, and x = 0.
pub(super) const BEST: &str = "best passes: ";
/// The method that answers 0.
pub(super) const NOTHING: &str = "answering 0";

/// Who is compared, the greedy one first.
pub(super) const METHODS: [Descent; 3] = [Descent::Gcd(Rule::GsR), Descent::Cd, Descent::Sgd];
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

/// Run by run, what one of three methods has more than another, and how many times the error.
pub(super) fn pairings(rows: &[Row], methods: [&str; 3]) -> Vec<Row> {
    let mut out = Vec::new();
    for (one, other) in PAIRS {
        let (one, other) = (methods[one], methods[other]);
        for a in rows.iter().filter(|row| row.method == one) {
            let paired = |b: &&Row| {
                b.method == other
                    && (&b.problem, &b.accounting, &b.metric, b.x, b.run)
                        == (&a.problem, &a.accounting, &a.metric, a.x, a.run)
            };
            let Some(b) = rows.iter().find(paired) else {
                continue;
            };
            // Two runs that left the doubles are equally bad.
            let equal = a.value == b.value;
            let joint = Row {
                method: difference_of(one, other),
                metric: difference(&a.metric),
                value: if equal { 0.0 } else { a.value - b.value },
                epsilon_upper: a.epsilon_upper.max(b.epsilon_upper),
                setting: String::new(),
                ..a.clone()
            };
            if a.metric.ends_with(ERROR) {
                out.push(Row {
                    method: ratio_of(other, one),
                    metric: ratio(&a.metric),
                    value: if equal { 1.0 } else { b.value / a.value },
                    ..joint.clone()
                });
            }
            out.push(joint);
        }
    }
    out
}

fn difference_of(one: &str, other: &str) -> String {
    format!("{one} − {other}")
}

/// The metric of the differences of a metric.
pub(super) fn difference(metric: &str) -> String {
    format!("{PAIRED}difference, {metric}")
}

fn ratio_of(one: &str, other: &str) -> String {
    format!("{one} / {other}")
}

fn ratio(metric: &str) -> String {
    format!("{PAIRED}ratio, {metric}")
}

/// What the paper says of Figure 1 (§5) and prints in Table 3.
pub(super) fn remarks(groups: &[Group]) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for name in super::PROBLEMS {
        let Some(problem) = Problem::new(groups, name) else {
            continue;
        };
        let printed = TABLE_3.iter().find(|(printed, _)| *printed == name);
        remarks.extend(match (name, printed) {
            ("mtp", _) => problem.is_not_superior(),
            ("california", Some((_, values))) => problem.is_on_par(values),
            _ => problem.leads(),
        });
        if ["square", "dorothea"].contains(&name) {
            remarks.extend(problem.alone_decreases());
        }
        if let Some((_, values)) = printed {
            remarks.extend((0..METRICS.len()).filter_map(|metric| problem.order(metric, values)));
        }
    }
    remarks
}

/// What was seen of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Less,
    Equal,
    More,
    Undecided,
}

impl Sign {
    /// Of an interval.
    fn of(low: f64, high: f64) -> Self {
        match (low, high) {
            (_, high) if high < 0.0 => Self::Less,
            (low, _) if low > 0.0 => Self::More,
            (low, high) if low == 0.0 && high == 0.0 => Self::Equal,
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

/// Half a unit of the second digit of a number: the precision of Table 3.
fn half_a_digit(value: f64) -> f64 {
    0.5 * 10f64.powf(value.log10().floor() - 1.0)
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

    fn best(&self, method: Descent, metric: &str) -> Option<&'a Group> {
        let printed = Accounting::Printed.name();
        let found = self.find(method.name(), &format!("{BEST}{metric}"));
        found.filter(|g| g.key.accounting == printed)
    }

    /// The sign of a difference, and the numbers behind it.
    fn sign(&self, one: Descent, other: Descent, metric: &str) -> Option<(Sign, String)> {
        let means = [self.best(one, metric)?.mean, self.best(other, metric)?.mean];
        let (one, other) = (one.name(), other.name());
        let metric = difference(&format!("{BEST}{metric}"));
        let difference = self.find(&difference_of(one, other), &metric)?;
        let (low, high) = (difference.median_low, difference.median_high);
        let sign = Sign::of(low, high);
        let text = format!(
            "{one} {:.3e}, {other} {:.3e}: difference {:.2e}, its median in [{low:.2e}, \
             {high:.2e}] with probability {:.4}: {}",
            means[0],
            means[1],
            difference.mean,
            difference.coverage,
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

    fn is_on_par(&self, printed: &[[f64; 3]; 3]) -> Option<Remark> {
        let (mut seen, mut evidence) = (true, Vec::new());
        for other in [1, 2] {
            let text = ratio_of(METHODS[other].name(), METHODS[0].name());
            let limit = printed[other][2] / printed[0][2];
            let ratio = self.find(&text, &ratio(&format!("{BEST}{ERROR}")))?;
            let (low, high) = (ratio.median_low, ratio.median_high);
            let within = 1.0 / limit <= low && high <= limit;
            let verdict = match within {
                true => "on par",
                false if high < 1.0 / limit || low > limit => "not on par",
                false => "undecided",
            };
            seen &= within;
            evidence.push(format!(
                "{text}: the median ratio of errors is in [{low:.3e}, {high:.3e}] with probability \
                 {:.4}, printed is {limit:.3}: {verdict}",
                ratio.coverage
            ));
        }
        let statement = "DP-GCD is roughly on par with the others (Figure 1): errors are within \
                         the ratios of Table 3";
        Some(self.remark(statement, seen, &evidence))
    }

    fn alone_decreases(&self) -> Option<Remark> {
        let zero = self.find(NOTHING, &format!("{BEST}{ERROR}"))?.mean;
        let bound = zero - half_a_digit(zero);
        let [greedy, cd, sgd] = METHODS.map(|method| self.best(method, ERROR));
        let [greedy, cd, sgd] = [greedy?, cd?, sgd?];
        let text = |g: &Group| {
            let verdict = match (g.median_high < bound, g.median_low >= bound) {
                (true, _) => "decreases",
                (_, true) => "does not",
                _ => "undecided",
            };
            format!(
                "{}, median in [{:.4e}, {:.4e}] with probability {:.4}: {verdict}",
                g.key.method, g.median_low, g.median_high, g.coverage
            )
        };
        let evidence = [
            format!("answering 0 has {zero:.4e}, which two digits tell from less than {bound:.4e}"),
            text(greedy),
            text(cd),
            text(sgd),
        ];
        let statement =
            "DP-GCD alone decreases the objective, as far as two digits show (§5, Table 3)";
        let seen = greedy.median_high < bound && cd.median_low >= bound && sgd.median_low >= bound;
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

    fn row(problem: &str, method: Descent, run: u64, value: f64) -> Row {
        Row {
            problem: problem.to_owned(),
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

    /// Remarks on runs of the three methods, and on the error of answering 0.
    fn seen(problem: &str, errors: [[f64; 2]; 3], zero: Option<f64>) -> Vec<bool> {
        let mut rows = Vec::new();
        for (method, errors) in METHODS.into_iter().zip(errors) {
            let runs = errors.iter().zip(0..);
            rows.extend(runs.map(|(error, run)| row(problem, method, run, *error)));
        }
        rows.extend(pairings(&rows, METHODS.map(Descent::name)));
        rows.extend(zero.map(|zero| Row {
            method: NOTHING.to_owned(),
            ..row(problem, METHODS[0], 0, zero)
        }));
        let remarks = remarks(&groups(&rows));
        remarks.into_iter().map(|remark| remark.seen).collect()
    }

    /// The first remark is Figure 1's, the second Table 3's on the gap; there are no others without non-zeros.
    #[test]
    fn an_order_is_seen_only_if_every_pair_of_runs_has_it() {
        let seen = |errors| seen("square", errors, None);
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

    /// Table 3 has 0.0024/0.00056 = 4.29 and 0.020/0.00056 = 35.7.
    #[test]
    fn on_par_is_what_the_table_prints_where_the_paper_says_so() {
        let on_par = |errors| seen("california", errors, None)[0];
        assert!(on_par([[1.0, 1.0], [4.2, 0.3], [35.0, 0.03]]));
        assert!(!on_par([[1.0, 1.0], [4.4, 1.0], [1.0, 1.0]]));
        assert!(!on_par([[1.0, 1.0], [1.0, 0.2], [1.0, 1.0]]));
        assert!(!on_par([[1.0, 1.0], [1.0, 1.0], [36.0, 1.0]]));
    }

    /// 0.75 − 0.005 and 0.78 − 0.005: whatever rounds to 0.75 or 0.78 is no decrease.
    #[test]
    fn a_decrease_is_one_that_two_digits_show() {
        let alone = |errors, zero| seen("square", errors, Some(zero))[1];
        assert!(alone([[0.74, 0.3], [0.746, 0.75], [0.76, 9.0]], 0.75));
        assert!(!alone([[0.746, 0.3], [0.75, 0.75], [0.75, 0.75]], 0.75));
        assert!(!alone([[0.3, 0.3], [0.74, 0.76], [0.75, 0.75]], 0.75));
        assert!(alone([[0.64, 0.64], [0.776, 0.78], [0.78, 0.78]], 0.78));
    }
}
