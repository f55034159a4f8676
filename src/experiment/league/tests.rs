use super::contests::{DRAWN, sparse};
use super::table::{Cached, Match, cells};
use super::*;
use crate::experiment::{Effort, Shelf};
use crate::solver::fit::Decentralised;

const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/experiment/league.csv");

fn kept() -> Vec<Cached> {
    cells(&std::fs::read_to_string(KEPT).expect("part of the source"))
}

fn matches() -> Vec<Match> {
    table::matches(&kept()).expect("budgets")
}

/// The cells of the kept table in which diffprivlib's median is above that of the method of `auto`.
const BEHIND: [(&str, f64); 1] = [("madelon", 0.1)];

#[test]
fn the_kept_league_is_whole() {
    let cells = kept();
    let found = matches();
    assert_eq!(found.len(), EPSILONS.len() * 6);
    // Every entry ran as often as a full run says.
    assert!(cells.iter().all(|c| c.runs == 20), "runs");
    for method in [
        "kl-spider",
        "kl-prox",
        "adaptive-gd",
        USERS,
        RECORD_EACH,
        others::OPACUS,
        PERTURBED,
    ] {
        assert!(cells.iter().any(|c| c.method == method), "{method}");
    }
}

#[test]
fn auto_is_near_the_best_in_four_fifths_of_the_kept_cells() {
    let found = matches();
    let near = found.iter().filter(|m| m.near()).count();
    let far: Vec<_> = found.iter().filter(|m| !m.near()).collect();
    let shown = |m: &&Match| {
        let (auto, best) = (&m.auto, &m.best);
        format!(
            "{} at {}: {} {}, {} {}\n",
            auto.problem, auto.epsilon, auto.method, auto.median, best.method, best.median
        )
    };
    let far: String = far.iter().map(shown).collect();
    assert!(
        5 * near >= 4 * found.len(),
        "{near} of {}:\n{far}",
        found.len()
    );
}

/// A library that is purely private has more to hide; where it is ahead for all that is listed.
#[test]
fn diffprivlib_is_ahead_where_it_is_listed_and_nowhere_else() {
    let found = matches();
    let ahead: Vec<(&str, f64)> = found
        .iter()
        .filter(|m| m.behind().is_some())
        .map(|m| (m.auto.problem.as_str(), m.auto.epsilon))
        .collect();
    assert_eq!(ahead, BEHIND);
    // The report says so, with the difference.
    let text = table::text().expect("budgets");
    for (problem, epsilon) in BEHIND {
        let line = format!("  {problem} at ε = {epsilon}: by 0.");
        assert!(text.contains(&line), "{text}");
    }
}

#[test]
fn what_is_kept_below_the_constant_from_epsilon_one_on_is_warned_of() {
    let cells = kept();
    let constant = |like: &Cached| {
        let same = |c: &&Cached| {
            c.method == CONSTANT && c.problem == like.problem && c.epsilon == like.epsilon
        };
        cells.iter().find(same).expect("a constant").median
    };
    for cell in cells.iter().filter(|c| c.epsilon >= 1.0) {
        let facts = cell.facts();
        let of_users = [USERS, RECORD_EACH].contains(&cell.method.as_str());
        let name = if of_users { "decor" } else { &cell.method };
        let name = serde_json::Value::String(name.to_owned());
        // Peers and the constant are no methods of `fit`; the KL methods warn wherever their constants are assumed.
        let Ok(method) = serde_json::from_value::<Method>(name) else {
            continue;
        };
        let users = Decentralised::for_records(facts.records);
        let request = Request {
            decentralised: (cell.method == USERS).then_some(users),
            ..Request::new(method, facts.loss, facts.budget)
        };
        let said = facts.warning(&request).is_some();
        let (least, problem, epsilon) = (constant(cell), &cell.problem, cell.epsilon);
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
        let here = |c: &&Cached| c.problem == problem && c.method == method && c.epsilon == 1.0;
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

/// Fixed tapes: no false alarm. The median of 5 splits at ε = 3 of 6000 records among whose 20,000 features 30 or fewer are not
/// 0: by the steps for dense records nothing is learnt, by those for sparse ones at least two points.
#[test]
fn steps_for_sparse_records_teach_what_those_for_dense_ones_do_not() {
    let (data, _) = sparse(6000, 20_000, 1).expect("a design");
    let contest = |nonzeros| Contest {
        name: "sparse",
        data: data.clone(),
        ranges: None,
        target: None,
        nonzeros,
    };
    let median = |nonzeros, entry| {
        let rows = measure(&contest(nonzeros), entry, 3.0, 5).expect("sound");
        let mut values: Vec<f64> = rows.iter().map(|row| row.value).collect();
        values.sort_by(f64::total_cmp);
        values[2]
    };
    let constant = Entry {
        who: Who::Constant,
        noise: Noise::Tight,
    };
    let least = median(None, constant);
    assert!(median(Some(DRAWN), tight(Method::Gd)) >= least + 0.02);
    assert!(median(None, tight(Method::Gd)) < least + 0.02);
}
