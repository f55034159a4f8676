//! The same question, the same answer: both ends of every kind of answer to the last bit, as `tests/data/answers.tsv` has
//! them. Accountants call no mathematics library of the platform, so that a changed digit is a changed accountant: an
//! allowance for rounding that is another one, a search that ends elsewhere. That an answer is *right* is what the other
//! tests of this folder look at; what has a closed form is held against it in `closed_forms`. What is refused says why, in
//! the first of the last two columns. To change answers, or to ask more,
//! `DP_ASSAY_WRITE=1 cargo test --test accounting value_stability` writes these columns, and the difference of
//! the file says which ends moved and which way.

use crate::calls::{Found, call};
use dp_assay::accounting::calibrate::Target;
use dp_assay::accounting::decor::search::SlopeBudget;
use dp_assay::accounting::decor::{Adversary, Noise, optimized, privacy};
use dp_assay::accounting::free::Template;
use dp_assay::accounting::tradeoff::TradeOff;
use dp_assay::accounting::{Accountant, Event, account};
use dp_assay::problem::Graph;
use dp_assay::units::{Delta, Epsilon, Neighbouring};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Mutex;

const FILE: &str = "tests/data/answers.tsv";

/// Group, what is asked, its relation or adversary, δ, the accountant, the ε or α at which, and the two numbers.
pub type Row = [String; 8];

pub fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(FILE).expect("the file is there");
    let cells = |line: &str| {
        let cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
        Row::try_from(cells).unwrap_or_else(|cells| panic!("{cells:?}: eight cells"))
    };
    text.lines().skip(1).map(cells).collect()
}

fn number(text: &str) -> f64 {
    text.parse()
        .unwrap_or_else(|_| panic!("{text} is a number"))
}

fn accountant(name: &str) -> Accountant {
    use Accountant::{Auto, Exact, Pld, Rdp};
    let all = [Auto, Exact, Pld, Rdp].into_iter();
    let mut named = all.filter(|a| a.name() == name);
    named
        .next()
        .unwrap_or_else(|| panic!("{name} is an accountant"))
}

fn ends([_, asked, to, delta, method, ..]: &Row) -> Found {
    let event = Event::from_json(asked)?;
    let (delta, to) = (Delta::new(number(delta))?, relation(to));
    let found = account(&event, delta, accountant(method), to, true)?;
    Ok((found.epsilon_lower, found.epsilon_upper))
}

fn relation(name: &str) -> Neighbouring {
    name.parse().expect("a relation")
}

/// The value on the safe side and the one beyond.
fn calibrated([_, asked, to, delta, method, at, ..]: &Row) -> Found {
    let target = Target {
        epsilon: Epsilon::new(number(at))?,
        delta: Delta::new(number(delta))?,
        method: accountant(method),
        neighbours: relation(to),
    };
    let found = Template::from_json(asked)?.solve(&target)?;
    Ok((found.value, found.unsafe_value))
}

/// The error of the second kind at α, and μ.
fn traded([_, asked, to, slack, _, at, ..]: &Row) -> Found {
    let event = Event::from_json(asked)?;
    let curve = TradeOff::of(&event, relation(to), number(slack))?;
    Ok((curve.failure_lower(number(at)), curve.mu_upper()))
}

/// The lower and upper end of ε of a run.
fn decentralised([_, asked, to, delta, ..]: &Row) -> Found {
    let words: Vec<&str> = asked.split(' ').collect();
    let [graph, cdp, cor, steps] = words[..] else {
        panic!("{asked}: a graph, two noises, and steps")
    };
    let graph: Graph = graph.parse()?;
    let adversary: Adversary = to.parse()?;
    let noise = Noise::new(number(cdp), number(cor), 1.0)?;
    let slope = optimized::slope(&graph, &noise, adversary)?;
    let found = privacy::epsilon(&slope, number(steps) as u64, Delta::new(number(delta))?)?;
    Ok((found.lo, found.hi))
}

/// The two noises that the budget ε leaves to the correlated pair with 1.1 times the least σ_cdp.
fn budgeted([_, asked, to, delta, _, at, ..]: &Row) -> Found {
    let (graph, adversary): (Graph, Adversary) = (asked.parse()?, to.parse()?);
    let (epsilon, delta) = (Epsilon::new(number(at))?, Delta::new(number(delta))?);
    let budget = SlopeBudget::new(epsilon, delta, 100, 1.0, adversary)?;
    let noise = budget.least_correlated(&graph, 0.1)?;
    Ok((noise.cdp(), noise.cor()))
}

fn called([_, asked, ..]: &Row) -> Found {
    call(asked)
}

type Answer = fn(&Row) -> Found;

const GROUPS: [(&str, Answer); 19] = [
    ("kinds", ends),
    ("sampled", ends),
    ("composed", ends),
    ("free", calibrated),
    ("formulas", called),
    ("laws", called),
    ("moments", called),
    ("filters", called),
    ("networks", called),
    ("certified", called),
    ("plain", ends),
    ("poisson", ends),
    ("batches", ends),
    ("allocated", ends),
    ("correlated", ends),
    ("calibrated", calibrated),
    ("traded", traded),
    ("decentralised", decentralised),
    ("budgeted", budgeted),
];

static WRITING: Mutex<()> = Mutex::new(());

fn holds(group: &str) {
    let (_, answer) = GROUPS
        .iter()
        .find(|(name, _)| *name == group)
        .expect("a group");
    let asked: Vec<Row> = rows().into_iter().filter(|row| row[0] == group).collect();
    assert!(!asked.is_empty());
    let found = asked.iter().map(|row| {
        let mut row = row.clone();
        let found = answer(&row);
        (row[6], row[7]) = match found {
            Ok((first, second)) => (first.to_string(), second.to_string()),
            Err(why) => (why.to_string(), "refused".to_owned()),
        };
        row
    });
    let found: Vec<Row> = found.collect();
    if std::env::var_os("DP_ASSAY_WRITE").is_some() {
        return write(group, &found);
    }
    for (row, found) in asked.iter().zip(&found) {
        assert_eq!(row, found, "the answer was {} to {}", row[6], row[7]);
    }
}

fn write(group: &str, found: &[Row]) {
    let _alone = WRITING.lock();
    let mut found = found.iter();
    let mut text = "group\tasked\tto\tdelta\tmethod\tat\tfirst\tsecond\n".to_owned();
    for row in rows() {
        let row = match row[0] == group {
            true => found.next().expect("as many as were asked"),
            false => &row,
        };
        writeln!(text, "{}", row.join("\t")).expect("a string grows");
    }
    std::fs::write(FILE, text).expect("can be written");
}

#[test]
fn every_question_belongs_to_a_group() {
    let named: BTreeSet<String> = GROUPS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let asked: BTreeSet<String> = rows().into_iter().map(|[group, ..]| group).collect();
    assert_eq!(named, asked);
}

macro_rules! groups {
    ($($name:ident: $group:literal;)*) => { $(
        #[test]
        fn $name() {
            holds($group);
        }
    )* };
}

groups! {
    single_mechanisms_have_the_ends_that_they_had: "kinds";
    samples_have_the_ends_that_they_had: "sampled";
    several_mechanisms_have_the_ends_that_they_had: "composed";
    free_numbers_are_what_they_were: "free";
    formulas_give_what_they_gave: "formulas";
    laws_of_losses_are_what_they_were: "laws";
    moments_are_what_they_were: "moments";
    filters_admit_what_they_admitted: "filters";
    networks_have_the_slopes_that_they_had: "networks";
    certified_answers_are_what_they_were: "certified";
    compositions_have_the_ends_that_they_had: "plain";
    poisson_samples_have_the_ends_that_they_had: "poisson";
    batches_have_the_ends_that_they_had: "batches";
    allocations_have_the_ends_that_they_had: "allocated";
    noise_correlated_over_steps_has_the_ends_that_it_had: "correlated";
    noise_for_a_budget_is_what_it_was: "calibrated";
    trade_off_curves_are_what_they_were: "traded";
    users_of_a_network_have_the_ends_that_they_had: "decentralised";
    noise_of_a_network_is_what_it_was: "budgeted";
}
