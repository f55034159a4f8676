//! What a run leaves out of the paper's experiment: part of its record.

use super::{Choice, Effort, Setting};

/// What a run of less than full effort, or without some problems, has to admit.
pub(super) fn left_out(name: &str, setting: &Setting) -> Vec<Choice> {
    let mut choices = Vec::new();
    if let Some(answer) = shortened(name).filter(|_| setting.effort == Effort::Quick) {
        choices.push(Choice::new("What does --quick leave out?", answer));
    }
    if setting.effort == Effort::Toy {
        choices.push(Choice::new(
            "What is a toy?",
            "the form of the experiment on a few records: for tests",
        ));
    }
    if name.starts_with("gcd") && !setting.without.is_empty() {
        let answer = setting.without.join(", ");
        choices.push(Choice::new(
            "Which problems were left out on request?",
            answer,
        ));
    }
    if setting.selection_cost {
        choices.push(super::selection::choice(name));
    }
    choices
}

/// In words, beside the sizes that the `prepare` of each experiment picks by effort.
fn shortened(name: &str) -> Option<&'static str> {
    Some(match name {
        "gcd-fig-1" => {
            "passes: 1, 4, 10 for DP-GCD; 0.1, 1, 3 for DP-CD; 0.1, 1 for DP-SGD; on dorothea-like \
             0.1 for DP-CD and 0.01 for DP-SGD. The grid of hyperparameters is coarser, and one \
             noisy trial judges each pair"
        }
        "gcd-fig-3" => {
            "dorothea-like; passes other than 4 and 10; the finer grid of hyperparameters"
        }
        "gcd-accounting" => {
            "log2 and madelon-l1; passes other than 1, 4, 10 (DP-GCD) and 0.1, 1 (DP-CD); the \
             finer grid of hyperparameters"
        }
        "decor-fig-1a" => {
            "ε other than 1, 5, 10, 20, 40; 6 draws of data and noise, where a full run has 10; 5 \
             couples of 9"
        }
        "decor-fig-1b" => {
            "ε other than 5 and 20; the torus, LDP but on the ring, tight noise on the full graph; \
             one run of each, so that no spread is seen"
        }
        "decor-claims" => {
            "ε other than 1 and 40; a9a; 3 couples of 9; 2 and 2 draws, where a full run has 30 \
             and 30: too few to decide anything"
        }
        "skgd-sampling" => {
            "2,000 × 20 in place of 5,000 × 50; ε other than 0.1, 1, 10; 5 runs in place of 20"
        }
        "ambssgd-adassp" => "problems of a million records; ε other than 0.1, 1, 10",
        "league" => "5 seeds in place of 20",
        "kl-rates" => "n = 300,001; 5 runs in place of 20",
        "corrected" => "sizes beyond half a decade of ambssgd-thm-3.7; 40 runs in place of 200",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_experiment_says_what_its_quick_run_leaves_out() {
        for experiment in crate::experiment::catalogue() {
            let name = experiment.outline().name;
            assert!(shortened(name).is_some(), "{name}");
        }
    }
}
