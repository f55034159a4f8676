//! The same question, the same answer: both ends of every kind of answer to the last bit, as `tests/data/answers.tsv` has
//! them. Accountants call no mathematics library of the platform, so that a changed digit is a changed accountant: an
//! allowance for rounding that is another one, a search that ends elsewhere. That an answer is *right* is what the other
//! tests of this folder look at; what has a closed form is held against it in `closed_forms`. What is refused says why, in
//! the first of the last two columns. `DP_ASSAY_WRITE=1 cargo test --test accounting value_stability` writes them.

use crate::calls::{Found, call};
use crate::unchanged::{Answers, groups};
use dp_assay::accounting::calibrate::Target;
use dp_assay::accounting::decor::search::SlopeBudget;
use dp_assay::accounting::decor::{Adversary, Noise, optimized, privacy};
use dp_assay::accounting::free::Template;
use dp_assay::accounting::tradeoff::TradeOff;
use dp_assay::accounting::{Accountant, Event, account};
use dp_assay::problem::Graph;
use dp_assay::units::{Delta, Epsilon, Neighbouring};

const ANSWERS: Answers<8> = Answers("tests/data/answers.tsv");

/// Group, what is asked, its relation or adversary, δ, the accountant, the ε or α at which, and the two numbers.
pub type Row = [String; 8];

pub fn rows() -> Vec<Row> {
    ANSWERS.rows()
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

fn holds(group: &str, answer: fn(&Row) -> Found) {
    let put = |row: &mut Row| {
        (row[6], row[7]) = match answer(row) {
            Ok((first, second)) => (first.to_string(), second.to_string()),
            Err(why) => (why.to_string(), "refused".to_owned()),
        };
    };
    ANSWERS.hold_group(group, put, |found, due| {
        Some(format!("{found:?}, was {} to {}", due[6], due[7]))
    });
}

groups! {
    ANSWERS, holds;
    single_mechanisms_have_the_ends_that_they_had: "kinds", ends;
    samples_have_the_ends_that_they_had: "sampled", ends;
    several_mechanisms_have_the_ends_that_they_had: "composed", ends;
    free_numbers_are_what_they_were: "free", calibrated;
    formulas_give_what_they_gave: "formulas", called;
    laws_of_losses_are_what_they_were: "laws", called;
    moments_are_what_they_were: "moments", called;
    filters_admit_what_they_admitted: "filters", called;
    networks_have_the_slopes_that_they_had: "networks", called;
    certified_answers_are_what_they_were: "certified", called;
    compositions_have_the_ends_that_they_had: "plain", ends;
    poisson_samples_have_the_ends_that_they_had: "poisson", ends;
    batches_have_the_ends_that_they_had: "batches", ends;
    allocations_have_the_ends_that_they_had: "allocated", ends;
    noise_correlated_over_steps_has_the_ends_that_it_had: "correlated", ends;
    noise_for_a_budget_is_what_it_was: "calibrated", calibrated;
    trade_off_curves_are_what_they_were: "traded", traded;
    users_of_a_network_have_the_ends_that_they_had: "decentralised", decentralised;
    noise_of_a_network_is_what_it_was: "budgeted", budgeted;
}
