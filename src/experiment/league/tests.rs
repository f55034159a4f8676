use super::*;
use crate::experiment::{Effort, Shelf};

/// What `experiment league --quick` left of a9a and california, and `fit --holdout` with the same splits of breast cancer and
/// diabetes, and gcd on a9a at ε = 1 likewise: 5 seeds each, 20 of peers. Madelon, the sparse problem, the rest of gcd, and
/// ambssgd are not kept yet.
const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/experiment/league.csv");
/// Records of training and features.
const SIZES: [(&str, usize, usize); 6] = [
    ("a9a", 26_049, 123),
    ("breast cancer", 455, 30),
    ("california", 16_512, 8),
    ("diabetes", 354, 10),
    ("madelon", 2080, 500),
    ("sparse", 8000, 100_000),
];

struct Cell {
    problem: String,
    method: String,
    accuracy: bool,
    epsilon: f64,
    median: f64,
}

fn kept() -> Vec<Cell> {
    let number = |text: &str| text.parse().expect("a number");
    let cell = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        Cell {
            problem: fields[0].to_owned(),
            method: fields[1].to_owned(),
            accuracy: fields[2] == "accuracy",
            epsilon: number(fields[3]),
            median: number(fields[6]),
        }
    };
    let text = std::fs::read_to_string(KEPT).expect("part of the source");
    text.lines().skip(1).map(cell).collect()
}

fn facts(cell: &Cell) -> Facts {
    let size = SIZES.iter().find(|size| size.0 == cell.problem);
    let &(_, records, features) = size.expect("a known problem");
    let n = records as f64;
    Facts {
        records,
        features,
        nonzeros: (cell.problem == "sparse").then_some(DRAWN),
        loss: if cell.accuracy {
            LossName::Logistic
        } else {
            LossName::Squared
        },
        budget: (
            Epsilon::new(cell.epsilon).expect("positive"),
            Delta::new(1.0 / (n * n)).expect("a probability"),
        ),
    }
}

fn constant(cells: &[Cell], like: &Cell) -> f64 {
    let same =
        |c: &&Cell| c.method == CONSTANT && c.problem == like.problem && c.epsilon == like.epsilon;
    cells.iter().find(same).expect("a constant").median
}

#[test]
fn auto_is_within_a_point_of_the_best_in_four_fifths_of_the_kept_cells() {
    let cells = kept();
    // Names with a bracket are of runs whose noise is another one.
    let entries = || {
        let private = |c: &&Cell| c.method != CONSTANT && !c.method.contains('(');
        cells.iter().filter(private)
    };
    let (mut near, mut all, mut far) = (0, 0, String::new());
    for ours in entries() {
        let auto = facts(ours).method(true).expect("a budget").0;
        if ours.method != auto.name() {
            continue;
        }
        let same = |c: &&Cell| c.problem == ours.problem && c.epsilon == ours.epsilon;
        let best = entries()
            .filter(same)
            .max_by(|a, b| a.median.total_cmp(&b.median));
        let best = best.expect("itself");
        // A point of accuracy, or 2 % of the objective, which is (1 − R²) in units of the targets' variance.
        let good = match ours.accuracy {
            true => ours.median >= best.median - 0.01,
            false => 1.0 - ours.median <= 1.02 * (1.0 - best.median),
        };
        all += 1;
        near += usize::from(good);
        if !good {
            far += &format!(
                "{} at {}: {} {}, {} {}\n",
                ours.problem, ours.epsilon, ours.method, ours.median, best.method, best.median
            );
        }
    }
    // Madelon and the sparse problem are not in the table yet.
    assert!(all >= EPSILONS.len() * 4, "{all} cells");
    assert!(5 * near >= 4 * all, "{near} of {all}:\n{far}");
}

#[test]
fn what_is_kept_below_the_constant_from_epsilon_one_on_is_warned_of() {
    let cells = kept();
    for cell in cells.iter().filter(|c| c.epsilon >= 1.0) {
        let name = serde_json::Value::String(cell.method.clone());
        // Peers and the constant are no methods of ours.
        let Ok(method) = serde_json::from_value::<Method>(name) else {
            continue;
        };
        let facts = facts(cell);
        let request = Request::new(method, facts.loss, facts.budget);
        let least = constant(&cells, cell);
        let said = facts.warning(&request).is_some();
        let (problem, epsilon) = (&cell.problem, cell.epsilon);
        assert!(
            cell.median >= least || said,
            "{} on {problem} at {epsilon}: {} below {least}",
            cell.method,
            cell.median
        );
    }
}

fn tight(method: Method) -> Entry {
    Entry {
        who: Who::Fit(method),
        noise: Noise::Tight,
    }
}

/// The bars that were set before any result was seen: of accuracy and R² at ε = 1.
#[test]
fn what_is_kept_at_epsilon_one_is_over_the_bars() {
    let cells = kept();
    for (problem, method, bar) in [
        ("a9a", "gd", 0.835),
        ("a9a", "dp-sgd", 0.835),
        ("a9a", "skgd", 0.8),
        ("a9a", "gcd", 0.8),
        ("breast cancer", "gd", 0.93),
        ("california", "gd", 0.6),
    ] {
        let here = |c: &&Cell| c.problem == problem && c.method == method && c.epsilon == 1.0;
        let cell = cells.iter().find(here);
        let cell = cell.unwrap_or_else(|| panic!("{method} on {problem} is not kept"));
        assert!(cell.median >= bar, "{method} on {problem}: {}", cell.median);
    }
}

/// Fixed tapes: no false alarm. The median of 20 splits. For two methods there is a bar that was set before any result was
/// seen, for the others that they are better than always answering the same, right for 0.63 of the records.
#[test]
fn defaults_learn_breast_cancer_at_epsilon_one() {
    let setting = Setting {
        effort: Effort::Toy,
        seed: 1,
        shelf: Shelf::empty(),
        without: Vec::new(),
        selection_cost: false,
    };
    let contests = contests(&setting).expect("no files are needed");
    for (method, least) in [
        (Method::Gd, 0.93),
        (Method::DpSgd, 0.93),
        (Method::Skgd, 0.63),
        (Method::Gcd, 0.63),
    ] {
        let rows = measure(&contests[0].0, tight(method), 1.0, 20).expect("sound");
        assert!(rows.iter().all(|row| row.epsilon_upper <= 1.0));
        let table = medians(&rows);
        let line = table.lines().nth(1).expect("one cell");
        let median: f64 = line
            .split(',')
            .nth(6)
            .expect("a median")
            .parse()
            .expect("a number");
        assert!(median >= least, "{}: {line}", method.name());
    }
}
