//! What the symbols of each paper stand for, and those of a statement.

use crate::ledger::notation::{Kind, tokens};
use dp_assay_spec::claim::Paper;

/// Symbols with one meaning throughout a paper; what is overloaded is left to the statement.
type Meanings = &'static [(&'static str, &'static str)];

const SKGD: Meanings = &[
    ("n", "number of records"),
    ("d", "number of coordinates"),
    ("f", "objective, the mean of the records' losses"),
    ("ℓ", "loss of one record"),
    ("w*", "a minimiser of f"),
    ("f*", "the minimum of f"),
    ("M_max", "largest M_j"),
    ("M_min", "least M_j"),
    (
        "M_j",
        "entry j of M, the smoothness constant of coordinate j",
    ),
    (
        "M",
        "diagonal matrix in whose norm f is smooth, with the entries M_j",
    ),
    ("p_j", "probability that coordinate j is drawn"),
    (
        "P",
        "diagonal matrix of the p_j; before a bracket, probability",
    ),
    ("𝒮", "law of the random set of coordinates"),
    ("S", "random set of coordinates"),
    ("I_U", "projection on the coordinates in U"),
    ("Γ", "diagonal matrix of the step sizes"),
    ("K", "number of inner steps"),
    ("T", "number of outer steps"),
    ("σ_U", "noise scale of the set U"),
    ("σ_S", "noise scale of the set drawn"),
    (
        "L_U",
        "Lipschitz constant of the losses on the coordinates U",
    ),
    ("L_S", "Lipschitz constant on the set drawn"),
    ("Δ_U", "L2 sensitivity on the coordinates U"),
    ("ε", "privacy parameter"),
    ("δ", "privacy parameter"),
    ("μ_M", "strong convexity constant in the norm of M"),
    ("R_M", "= ‖w^0 − w*‖_M"),
    ("R_I", "= ‖w^0 − w*‖, the Euclidean distance"),
];
const GCD: Meanings = &[
    ("n", "number of records"),
    ("p", "number of features"),
    ("T", "number of steps"),
    ("f", "objective, the mean of the records' losses"),
    ("M_max", "largest M_j"),
    ("M_min", "least M_j"),
    (
        "M_j",
        "entry j of M, the smoothness constant of coordinate j",
    ),
    (
        "M",
        "diagonal matrix in whose norm f is smooth, with the entries M_j",
    ),
    ("L_j", "Lipschitz constant of the losses along coordinate j"),
    ("L_max", "largest L_j"),
    ("λ_j", "Laplace scale of the released entry j"),
    (
        "λ′_j",
        "Laplace scale of the noise on entry j when the coordinate is chosen",
    ),
    ("λ_max", "largest Laplace scale"),
    ("ε", "privacy parameter of the whole run"),
    (
        "ε′",
        "privacy parameter of one of the 2T accesses to the data",
    ),
    ("δ", "privacy parameter"),
    ("ζ", "probability with which the utility bound may fail"),
    ("ξ_t", "= f(w^t) − f*; in Lemma B.4 any positive sequence"),
    (
        "ξ_0",
        "= f(w^0) − f*; in Lemma B.4 the first of any positive sequence",
    ),
    ("ξ_T", "= f(w^T) − f*"),
    ("μ_{M,1}", "strong convexity constant in the norm ‖·‖_{M,1}"),
    ("μ_{M,2}", "strong convexity constant in the norm ‖·‖_{M,2}"),
    (
        "R_M",
        "largest distance, in the norm ‖·‖_{M,1}, of a point with f(w) ≤ f(w^0) from the nearest minimiser",
    ),
    (
        "R_{M,1}",
        "largest distance, in the norm ‖·‖_{M,1}, of a point with f(w) ≤ f(w^0) from any minimiser",
    ),
    ("f*", "the minimum of f"),
    ("w*", "a minimiser of f"),
];
const DECOR: Meanings = &[
    ("n", "number of users"),
    ("d", "dimension of the model"),
    ("T", "number of steps"),
    (
        "C",
        "clipping threshold, and bound on the gradients (Assumption 4)",
    ),
    ("σ_cdp", "standard deviation of each user's own noise"),
    (
        "σ_cor",
        "standard deviation of the noise that two neighbours share with opposite signs",
    ),
    ("q", "number of colluding users"),
    (
        "ε",
        "privacy parameter; of Rényi privacy, per unit of the order α",
    ),
    ("δ", "privacy parameter"),
    ("α", "Rényi order"),
    (
        "a_q",
        "least algebraic connectivity of the graphs left when q users are taken away",
    ),
    (
        "a_1",
        "least algebraic connectivity of the graphs left when one user is taken away",
    ),
    ("N_i", "neighbours of user i"),
    ("W", "mixing matrix"),
    ("J", "the matrix 11ᵀ/n"),
    ("μ", "PL constant (Assumption 2)"),
    ("x̄", "the users' mean model"),
    ("X̄", "the users' mean model in every column"),
    (
        "Ξ",
        "consensus distance, the mean squared distance of the models from their mean",
    ),
    ("Ξ_0", "initial consensus distance"),
    ("L_0", "= ℒ(x̄^(0)) − ℒ_*, the initial gap of the loss"),
    ("L_*", "the infimum of the loss"),
    ("L_i", "loss of user i"),
    ("η_t", "step size"),
    (
        "ζ_*",
        "heterogeneity of the users' gradients (Assumption 3)",
    ),
    (
        "σ_*",
        "noise of the stochastic gradients, in the mean over the users (Assumption 3)",
    ),
    ("D_α", "Rényi divergence of order α"),
    (
        "H_G",
        "half the mean of ‖W_i − W_k‖² over neighbours i and k, W_i a column of W",
    ),
];
const KL: Meanings = &[
    ("n", "number of records"),
    ("d", "dimension"),
    ("F", "empirical risk"),
    ("F_0", "known bound on the initial excess risk"),
    ("L_0", "Lipschitz constant of the losses"),
    ("L_1", "smoothness constant of the losses"),
    ("L̃_1", "weak convexity constant"),
    ("γ", "KL constant"),
    ("κ", "KL exponent"),
    ("ρ", "zCDP budget"),
    ("β", "probability with which the bound may fail"),
    ("w_0", "starting point"),
    (
        "w*",
        "the minimiser of the empirical risk that is closest to w_0",
    ),
    ("S", "data set"),
    (
        "b",
        "= L_0 √(log(n√ρ/β))/(√n·ρ^{1/4}), unless the statement leaves it free",
    ),
    ("Λ", "= log(n√ρ/β)"),
    (
        "Φ_k",
        "Φ̂_k of Algorithm 1, the target for the excess risk in round k",
    ),
    ("Φ_t", "= F(w_t) − F(w*), the excess risk in step t"),
    ("N_t", "norm of the gradient in step t, with noise"),
    ("ρ_t", "budget charged in step t"),
    ("σ_t", "standard deviation of the noise of step t"),
    ("w_p", "projection of w on the set of minimisers"),
];
const AMBSSGD: Meanings = &[
    (
        "N",
        "number of records; in Lemmas B.3 and B.4, of iterations",
    ),
    ("d", "dimension"),
    (
        "L",
        "population risk; in bounds on deviations, the logarithm that is named there",
    ),
    ("w*", "minimiser of the risk"),
    ("H", "second moment E[xxᵀ]"),
    ("κ", "condition number of H"),
    (
        "μ",
        "least eigenvalue of H; where privacy is proved, a Rényi order",
    ),
    ("R_x", "least R with E[‖x‖²xxᵀ] ⪯ R²E[xxᵀ]"),
    ("Σ", "E[z²xxᵀ]; with an index, a sum"),
    ("α", "noise multiplier; in Definition 2.3, a Rényi order"),
    ("ζ_t", "clipping norm of step t"),
    (
        "ζ",
        "clipping norm; from (50) on, a bound on those of the second half",
    ),
    ("η", "step size"),
    ("b", "batch size of Algorithm 2"),
    ("γ_priv", "what DP-STAT releases"),
    ("K_2", "tail constant (Definition 2.1)"),
    ("a", "tail exponent (Definition 2.1)"),
    ("ε", "privacy parameter"),
    ("δ", "privacy parameter"),
    ("w̄", "average of the last half of the iterates"),
    ("ω_t", "= w_t − w*"),
    (
        "T",
        "number of batches of Algorithm 2; in App. A.2, the index of an iterate",
    ),
];

const ACC: Meanings = &[
    ("ε", "privacy parameter"),
    ("δ", "privacy parameter"),
    ("α", "order of a Rényi divergence"),
    ("ρ", "parameter of zCDP: D_α ≤ ρα at every α > 1"),
    ("H_a", "hockey stick H_a(P‖Q) = ∫(P − aQ)₊"),
];

/// The symbols that have one meaning in the paper, with that meaning.
pub(super) const fn meanings(paper: Paper) -> Meanings {
    match paper {
        Paper::Skgd => SKGD,
        Paper::Gcd => GCD,
        Paper::Decor => DECOR,
        Paper::Kl => KL,
        Paper::Ambssgd => AMBSSGD,
        Paper::Acc => ACC,
    }
}

/// The symbols of a text that have one meaning in the paper, each once, with that meaning.
///
/// ```
/// use dp_assay::report::symbols;
/// use dp_assay_spec::claim::Paper;
///
/// assert_eq!(symbols(Paper::Gcd, "ε over n"), [("ε", "privacy parameter of the whole run"), ("n", "number of records")]);
/// ```
#[must_use]
pub fn symbols(paper: Paper, text: &str) -> Vec<(&'static str, &'static str)> {
    let tokens = tokens(text);
    let mut found: Vec<(&str, &str)> = Vec::new();
    let known = |name: &str| meanings(paper).iter().find(|(symbol, _)| *symbol == name);
    for (i, token) in tokens
        .iter()
        .enumerate()
        .filter(|(_, t)| t.kind == Kind::Symbol)
    {
        let below = i > 0 && matches!(tokens[i - 1].kind, Kind::Below | Kind::Above);
        let scripted: String = names(&tokens[i..]);
        let base = token.text.as_str();
        // Another index makes another symbol, unless the index is a variable that runs.
        let scripts = scripted.len() > base.len();
        let entry = known(&scripted).or_else(|| {
            if scripts && !runs(&scripted) {
                None
            } else {
                known(base)
            }
        });
        if let Some(entry) = entry
            .filter(|_| !below)
            .filter(|entry| !found.contains(entry))
        {
            found.push(*entry);
        }
    }
    found
}

/// Symbols with their meanings, as text on one line.
pub(super) fn explained(all: &[(&str, &str)]) -> String {
    let each: Vec<String> = all
        .iter()
        .map(|(name, what)| format!("{name} {what}"))
        .collect();
    each.join("; ")
}

/// A symbol with its prime, star and index, as written.
fn names(tokens: &[crate::ledger::notation::Token]) -> String {
    let mut name = tokens[0].text.clone();
    let mut rest = &tokens[1..];
    let tight = |rest: &[crate::ledger::notation::Token]| rest.first().is_some_and(|t| !t.spaced);
    if tight(rest) && rest[0].kind == Kind::Raised && matches!(rest[0].text.as_str(), "′" | "*") {
        name += &rest[0].text;
        rest = &rest[1..];
    }
    if tight(rest) && rest[0].kind == Kind::Below {
        name += "_";
        let group = rest.get(1).is_some_and(|t| t.text == "{");
        let end = rest
            .iter()
            .position(|t| t.text == "}")
            .filter(|_| group)
            .map_or(2, |end| end + 1);
        name.extend(rest.iter().take(end).skip(1).map(|t| t.text.as_str()));
    }
    name
}

/// Whether an index is a letter that runs (`M_k` for `M_j`): then the symbol without it is what is explained.
fn runs(name: &str) -> bool {
    name.split_once('_').is_some_and(|(_, index)| {
        index.chars().count() == 1 && index.chars().all(char::is_alphabetic)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_explained_where_they_stand_and_each_once() {
        let found = symbols(
            Paper::Gcd,
            "lambda'_j = 2 L_j/(n eps') and λ′_j again, eps alone",
        );
        let names: Vec<&str> = found.iter().map(|f| f.0).collect();
        assert_eq!(names, ["λ′_j", "L_j", "n", "ε′", "ε"]);
        // L̃_1 is not L_1, an exponent is explained like any other symbol, words are not.
        let names = |text| {
            symbols(Paper::Kl, text)
                .iter()
                .map(|f| f.0)
                .collect::<Vec<_>>()
        };
        assert_eq!(names("L~_1 and L_1 d"), ["L̃_1", "L_1", "d"]);
        assert_eq!(names("a bound on F(w)"), ["F"]);
    }

    #[test]
    fn every_symbol_of_the_tables_is_found_in_its_own_spelling() {
        for paper in Paper::BOOKS {
            for entry in meanings(paper) {
                assert_eq!(
                    symbols(paper, &format!("{} = 1", entry.0)).first(),
                    Some(entry),
                    "{paper}"
                );
            }
        }
    }
}
