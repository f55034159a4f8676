//! Private fits beside the non-private optimum.

use dp_assay::accounting::{Accountant, account};
use dp_assay::ledger::Row;
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::Problem;
use dp_assay::problem::optimum::optimum;
use dp_assay::report::Fit;
use dp_assay::solver::fit as linear;
use dp_assay::solver::fit::{LossName, kl};
use dp_assay::solver::gcd::{self, Calibration, Config};
use dp_assay::units::{Delta, Epsilon, Neighbouring, UnitError, at_most};
use std::error::Error;
use std::fmt::Write;

/// Privacy parameter ε; δ is 1/n².
const EPSILON: f64 = 1.0;
/// Steps T and clipping level C: fixed in advance, not tuned on the data.
pub const STEPS: usize = 10;
pub const CLIP: f64 = 1.0;

/// (ε, δ) of every fit.
pub fn budget(problem: &Problem) -> Result<(Epsilon, Delta), UnitError> {
    let n = problem.records() as f64;
    // One record leaves no δ below 1.
    let delta = (1.0 / (n * n)).min(0.5);
    Ok((Epsilon::new(EPSILON)?, Delta::new(delta)?))
}

/// The calibrations and their names.
pub const CALIBRATIONS: [(Calibration, &str); 4] = [
    (Calibration::Corrected, "corrected"),
    (Calibration::Tight, "tight"),
    (Calibration::NumericEq2, "equation (2) as printed"),
    (Calibration::Printed, "Theorem 4.2 as printed"),
];

/// Verdicts on which a guarantee may rest.
const RELIABLE: [&str; 2] = ["proved", "argued"];

/// The inputs of a fit.
pub fn config(problem: &Problem, calibration: Calibration) -> Result<Config, Box<dyn Error>> {
    let clipping = Some(problem.constants().clipping_thresholds(CLIP)?);
    let budget = budget(problem)?;
    Ok(Config::calibrated(
        problem,
        STEPS,
        clipping,
        calibration,
        budget,
    )?)
}

/// One fit for each calibration, with the same noise; ε is what the accountant certifies for it.
pub fn fit(problem: &Problem, claims: &[Row], seed: u64) -> Result<Vec<Fit>, Box<dyn Error>> {
    let best = optimum(problem, 1e-9, 100);
    let (_, delta) = budget(problem)?;
    let verdict = |claim: &str| verdict(claims, claim);
    let mut fits = Vec::new();
    for (calibration, name) in CALIBRATIONS {
        let config = config(problem, calibration)?;
        let (event, auto) = (config.event(problem)?, Accountant::Auto);
        let certified = account(&event, delta, auto, Neighbouring::ReplaceOne, false)?;
        let run = gcd::optimized::run(problem, &config, Tape::new(seed))?;
        let claim = config.claim();
        let mut text = format!("epsilon by the accountant; {claim}: {}", verdict(claim));
        if let Some(scaled) = calibration.claim() {
            write!(text, "; noise by {scaled}: {}", verdict(scaled))?;
        }
        fits.push(Fit {
            method: format!("DP-GCD, clipped at {CLIP}, noise {name}"),
            calibration: text,
            default: calibration == Calibration::default(),
            proved: RELIABLE.contains(&verdict(claim)),
            claim,
            refuted: calibration.claim().filter(|id| verdict(id) == "refuted"),
            epsilon: certified.epsilon_upper,
            delta: delta.get(),
            steps: STEPS,
            objective: problem.objective(&run.iterate),
            optimum: best.objective,
            accuracy: Some(problem.accuracy(&run.iterate)),
            optimum_accuracy: Some(problem.accuracy(&best.w)),
        });
    }
    Ok(fits)
}

fn verdict(claims: &[Row], claim: &str) -> &'static str {
    let row = claims.iter().find(|row| row.id == claim);
    row.map_or("not in the ledger", |row| row.verdict)
}

/// Range of the standardised features in the fits of the other papers: fixed in advance.
const BOUND: f64 = 3.0;

/// What is fitted by the other papers' algorithms on linear models, with its name in the report.
const LINEAR: [(&str, linear::Method, LossName); 3] = [
    (
        "DP-SkGD, logistic loss",
        linear::Method::Skgd,
        LossName::Logistic,
    ),
    (
        "DECOR, 16 users on a ring, logistic loss",
        linear::Method::Decor,
        LossName::Logistic,
    ),
    (
        "DP-AMBSSGD, squared loss",
        linear::Method::Ambssgd,
        LossName::Squared,
    ),
];
/// The same of the fifth.
const NON_CONVEX: &str = "regularised noisy gradient descent, logistic loss";

/// One fit by the algorithm of each other paper with its defaults, as `dp-assay fit` runs it; in words what an algorithm
/// refuses, since some have no noise for few records.
pub fn others(problem: &Problem, claims: &[Row], seed: u64) -> (Vec<Fit>, Vec<String>) {
    let (mut fits, mut refused) = (Vec::new(), Vec::new());
    let mut keep = |name: &str, fit: Result<Fit, Box<dyn Error>>| match fit {
        Ok(fit) => fits.push(fit),
        Err(error) => refused.push(format!("the fit by {name}: {error}")),
    };
    for entry in LINEAR {
        keep(entry.0, fit_linear(entry, problem, claims, seed));
    }
    keep(NON_CONVEX, fit_kl(problem, claims, seed));
    (fits, refused)
}

/// A fit of a linear model, beside the optimum of its own objective.
fn fit_linear(
    (name, method, loss): (&str, linear::Method, LossName),
    problem: &Problem,
    claims: &[Row],
    seed: u64,
) -> Result<Fit, Box<dyn Error>> {
    let data = problem.data().clone();
    let users = linear::Decentralised::for_records(data.records());
    let request = linear::Request {
        bound: BOUND,
        seed,
        compare: true,
        decentralised: (method == linear::Method::Decor).then_some(users),
        ..linear::Request::new(method, loss, budget(problem)?)
    };
    let fitted = linear::fit(data, &request)?;
    let claim = fitted.privacy.claim;
    let compared = fitted.not_private.ok_or("a fit without its optimum")?;
    Ok(Fit {
        method: name.to_owned(),
        calibration: format!(
            "{}; {claim}: {}",
            fitted.privacy.theorem,
            verdict(claims, claim)
        ),
        default: true,
        proved: RELIABLE.contains(&verdict(claims, claim)),
        claim,
        refuted: fitted.privacy.refuted,
        epsilon: fitted.privacy.epsilon_upper,
        delta: fitted.privacy.delta,
        steps: fitted.lengths.0 * fitted.lengths.1,
        objective: compared.objective,
        optimum: compared.optimum,
        accuracy: Some(problem.accuracy(&fitted.coefficients)),
        optimum_accuracy: None,
    })
}

/// Regularised noisy gradient descent on the records, each brought into the ball that the features' bound gives.
fn fit_kl(problem: &Problem, claims: &[Row], seed: u64) -> Result<Fit, Box<dyn Error>> {
    let bound = BOUND * (problem.features() as f64).sqrt();
    let posed = kl::Posed::data(problem.data(), kl::Loss::Logistic, bound, 1.0)?;
    let request = kl::Request {
        seed,
        compare: true,
        ..kl::Request::new(kl::Method::NoisyGd, budget(problem)?)
    };
    let fitted = kl::fit(&posed, &request)?;
    let claim = fitted.privacy.claim;
    Ok(Fit {
        method: NON_CONVEX.to_owned(),
        calibration: format!("zCDP; {claim}: {}", verdict(claims, claim)),
        default: true,
        proved: RELIABLE.contains(&verdict(claims, claim)),
        claim,
        refuted: None,
        epsilon: fitted.privacy.epsilon_upper,
        delta: fitted.privacy.delta,
        steps: fitted.privacy.releases as usize,
        objective: problem.objective(&fitted.coefficients),
        optimum: optimum(problem, 1e-9, 100).objective,
        accuracy: Some(problem.accuracy(&fitted.coefficients)),
        optimum_accuracy: None,
    })
}

/// The fits as terminal text.
pub fn text(fits: &[Fit]) -> String {
    let mut out = String::from("\nprivate fits (objective and accuracy are not private)\n");
    for f in fits {
        out += &format!(
            "  {}\n    at ({}, {:.2e}), {} steps: objective {:.4} (optimum {:.4}), accuracy {:.1} \
             %{}\n    {}\n",
            f.method,
            at_most(f.epsilon, 4),
            f.delta,
            f.steps,
            f.objective,
            f.optimum,
            100.0 * f.accuracy.unwrap_or(f64::NAN),
            f.optimum_accuracy
                .map_or_else(String::new, |share| format!(" ({:.1} %)", 100.0 * share)),
            f.calibration,
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On the shipped data every paper has a fit within the budget; what is refused is said.
    #[test]
    fn every_other_paper_has_a_fit_or_a_reason() {
        let (problem, _) = crate::cli::check::data::load(None, None).expect("the shipped data");
        let (fits, refused) = others(&problem, &[], 1);
        assert_eq!(refused, Vec::<String>::new());
        let papers: Vec<&str> = fits
            .iter()
            .filter_map(|f| f.claim.split('-').next())
            .collect();
        assert_eq!(fits.len(), 4, "{papers:?}");
        for fit in fits {
            assert!(
                fit.epsilon <= EPSILON * (1.0 + 1e-9) && !fit.proved,
                "{}: {}",
                fit.method,
                fit.epsilon
            );
            assert!(fit.objective >= fit.optimum, "{}", fit.method);
        }
    }
}
