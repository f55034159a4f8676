//! The experiments of DP-GCD (§5, Appendix D): (ε, δ) = (1, 1/n²), replace-one neighbours, DP-GCD beside
//! DP-CD and DP-SGD.

mod accountings;
mod cases;
mod curves;
pub(super) mod files;
mod methods;
mod orderings;
mod rules;
mod synthetic;
mod tuning;

pub(super) use accountings::Accountings;
pub(super) use curves::Curves;
pub(super) use rules::Rules;

use super::{Choice, ExperimentError, Input, Setting};
use cases::{Case, Name};
use rayon::prelude::*;
use std::sync::Arc;

/// The names of the problems of Table 1.
pub const PROBLEMS: [&str; 8] = {
    let mut names = [""; 8];
    let mut at = 0;
    while at < names.len() {
        names[at] = Name::ALL[at].text();
        at += 1;
    }
    names
};

/// The problems of these names with their optima, but for those that the user leaves out.
fn cases(names: &[Name], setting: &Setting) -> Result<Vec<(Arc<Case>, Input)>, ExperimentError> {
    let wanted = |name: &&Name| !setting.without.iter().any(|out| out == name.text());
    let build = |name: &&Name| -> Result<_, ExperimentError> {
        let (case, input) = name.build(setting.effort, &setting.shelf, setting.seed)?;
        Ok((Arc::new(case), input))
    };
    let names: Vec<&Name> = names.iter().filter(wanted).collect();
    names.par_iter().map(build).collect()
}

/// What all experiments of this paper leave open in the same way.
fn common_choices() -> Vec<Choice> {
    vec![
        Choice::new(
            "How are columns scaled?",
            "mean 0 and standard deviation 1, which reproduces the printed numbers of non-zeros on \
             madelon and california; dorothea-like columns stay binary and sparse",
        ),
        Choice::new(
            "Which normalisation has the objective?",
            "(1/n)Σℓ + λ‖w‖₁, or (λ/2)‖w‖², with squared loss ½(u−y)²; no intercept; targets of \
             california in units of 100,000, not centred",
        ),
        Choice::new(
            "How are clipping thresholds shared among coordinates?",
            "C_j = C√(M_j/ΣM_k), as in the paper on DP-CD; M_j is computed from the data and not \
             charged",
        ),
        Choice::new(
            "Does DP-CD average?",
            "its coefficients are the mean of all iterates, as in its paper with one outer round",
        ),
        Choice::new(
            "How is DP-SGD accounted for?",
            "printed: Rényi bound of Poisson batches of rate 1/n with noise for a change of 2C in \
             one record's gradient; run with one uniformly drawn record a step",
        ),
        Choice::new(
            "Which number of passes is best?",
            "the one with the least mean error over a few runs with noise of their own, so that \
             the runs reported have no part in the choice; the paper takes the best of the runs \
             that it reports",
        ),
        Choice::new(
            "How long is a fraction of a pass?",
            "rounded to whole steps, at least one",
        ),
    ]
}

/// What every experiment of this paper has to admit.
const TUNED: &str = "Step size, clipping threshold and (for best values) the number of passes are \
                     the best of a grid on the same data, as in the paper: tuned outside the \
                     budget. The grid goes from coarse to fine and its trials use other noise than \
                     the runs reported: ten, in full forty, where the paper has five.";
