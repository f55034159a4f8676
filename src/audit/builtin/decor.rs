//! DECOR on its worst pair, as its adversaries see it. Inputs are 0 for D and 1 for D′; the exact likelihood
//! ratio of what they see is offered to the audit as a statistic.

use super::{BUDGET_DELTA, BUDGET_EPSILON, BuiltinError, Family, Given, NOISE, Named, parameter};
use crate::accounting::decor::search::SlopeBudget;
use crate::accounting::decor::{Adversary, DecorError, Noise, optimized, privacy};
use crate::audit::Release;
use crate::audit::colluders::{Course, Solver, WorstCase};
use crate::audit::features::Statistic;
use crate::audit::zoo::Specimen;
use crate::mechanism::tape::Tape;
use crate::problem::Graph;
use crate::solver::decor;
use crate::units::{Delta, Epsilon, Neighbouring};

/// The solvers as printed and fast.
pub(super) const FAMILY: Family = Family {
    mechanisms: &[
        Named(
            "decor-reference",
            "decentralised learning with correlated noise (DECOR) on a 3×3 torus, its pseudocode",
            &["decor-thm-6-num", "acc-gaussian"],
        ),
        Named(
            "decor-optimized",
            "decentralised learning with correlated noise (DECOR) on a 3×3 torus, the fast solver",
            &["decor-thm-6-num", "acc-gaussian"],
        ),
    ],
    parameters: &[
        parameter("epsilon", 1.0, BUDGET_EPSILON),
        parameter("delta", 1e-5, BUDGET_DELTA),
        parameter("steps", 5.0, "number of steps T"),
        parameter(
            "colluders",
            0.0,
            "colluding users: 0 eavesdropper, 1 curious user, 8 all but one",
        ),
        parameter("ratio", 10.0, "ρ = σ_cor²/σ_cdp²"),
        parameter("noise", 1.0, NOISE),
    ],
    build: specimen,
};

const GRAPH: &str = "torus:3x3";
const TRIALS: u64 = 100_000;

fn specimen(given: &Given<'_>) -> Result<Specimen, BuiltinError> {
    let steps = given.whole("steps", 1.0..=1e4)?;
    let colluders = given.whole("colluders", 0.0..=8.0)?;
    let ratio = given.get("ratio");
    if !(0.0..=1e12).contains(&ratio) {
        return Err(given.unfit(format!("ratio = {ratio} must lie in [0, 1e12]")));
    }
    let budget = given.budget()?;
    let solver: Solver = match given.name.ends_with("reference") {
        true => decor::reference::run,
        false => decor::optimized::run,
    };
    let adversary = Adversary::Colluding(colluders);
    let graph: Graph = GRAPH.parse().map_err(|e| given.unfit(e))?;
    let (noise, truth) = noise(
        &graph,
        budget,
        (steps, adversary, ratio),
        given.get("noise"),
    )
    .map_err(|e| given.unfit(e))?;
    let pair = WorstCase::new(solver, graph, noise, adversary, (steps, Course::Constant))
        .map_err(|e| given.unfit(e))?;
    let ratio = pair.clone();
    let run = move |input: &[f64], tape: Tape| pair.observe(input[0] != 0.0, tape);
    let inputs = vec![(vec![0.0], vec![1.0])];
    Ok(Specimen::correct(given.name, budget.0.get(), inputs, run)
        .under(Neighbouring::User)
        .up_to(truth)
        .at_delta(budget.1.get())
        .of_gaussian_shape()
        .taking(TRIALS)
        .releasing(Release::Transcript)
        .with(Statistic::new("log-likelihood ratio", move |output| {
            ratio.log_ratio(output)
        })))
}

/// The pair of scales for the budget, times a factor, and the ε that it then has.
fn noise(
    graph: &Graph,
    (epsilon, delta): (Epsilon, Delta),
    (steps, adversary, ratio): (usize, Adversary, f64),
    factor: f64,
) -> Result<(Noise, f64), DecorError> {
    let budget = SlopeBudget::new(epsilon, delta, steps as u64, 1.0, adversary)?;
    let sound = budget.pair(graph, ratio)?;
    let noise = Noise::new(factor * sound.cdp(), factor * sound.cor(), sound.clip())?;
    let slope = optimized::slope(graph, &noise, adversary)?;
    let truth = privacy::epsilon(&slope, steps as u64, delta)?;
    Ok((noise, truth.hi))
}
