//! What the built-in mechanisms are: for a reader who chooses one.

use super::{Parameter, Parameters, find, known, names};
use crate::audit::number;
use crate::units::Neighbouring;
use serde::Serialize;

/// One built-in mechanism, with its parameters at their defaults.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Listed {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub what: &'static str,
    /// What is wrong with it; `null` if it keeps its claim.
    pub defect: Option<&'static str>,
    /// The ε that it claims; `"inf"` where the claim is yours.
    #[serde(with = "number")]
    #[cfg_attr(feature = "cli", schemars(schema_with = "number::schema"))]
    pub claimed: f64,
    /// Its true ε at `delta`, or an upper bound on it; `"inf"` where there is none.
    #[serde(with = "number")]
    #[cfg_attr(feature = "cli", schemars(schema_with = "number::schema"))]
    pub epsilon_upper: f64,
    /// Ids of the ledger's claims that `epsilon_upper` rests on; none where it is `"inf"` because nothing bounds it.
    pub claims: &'static [&'static str],
    /// The δ of both.
    pub delta: f64,
    /// The relation of its inputs.
    #[cfg_attr(feature = "cli", schemars(with = "String"))]
    pub neighbours: Neighbouring,
    /// What `--set` changes.
    pub parameters: &'static [Parameter],
}

/// All built-in mechanisms, in the order of [`names`].
///
/// ```
/// use dp_assay::audit::builtin::list;
///
/// let all = list();
/// let laplace = all.iter().find(|m| m.name == "laplace").expect("it is built in");
/// assert_eq!((laplace.epsilon_upper, laplace.parameters[0].name), (1.0, "scale"));
/// let broken = all.iter().find(|m| m.name == "svt-5").expect("it is built in");
/// assert!(broken.defect.is_some() && broken.epsilon_upper.is_infinite());
/// ```
///
/// # Panics
/// If a mechanism cannot be built from its own defaults, which a test excludes.
#[must_use]
pub fn list() -> Vec<Listed> {
    let listed = |name: &'static str| {
        let specimen = find(name, &Parameters::new()).expect("defaults are within their domain");
        let words = WHAT.iter().find(|(known, _)| *known == name);
        Listed {
            name,
            what: words.map_or("", |(_, what)| what),
            defect: specimen.defect,
            claimed: specimen.claimed,
            epsilon_upper: specimen.epsilon_upper,
            claims: claims(name),
            delta: specimen.delta,
            neighbours: specimen.neighbours,
            parameters: known(name),
        }
    };
    names().into_iter().map(listed).collect()
}

impl Listed {
    /// The entry for people: a line with the name, and lines indented below it.
    #[must_use]
    pub fn text(&self) -> String {
        let number = |epsilon: f64| match epsilon.is_finite() {
            true => format!("{epsilon:.4}")
                .trim_end_matches('0')
                .trim_end_matches('.')
                .to_owned(),
            false => "∞".to_owned(),
        };
        let truth = match (self.defect, self.epsilon_upper.is_finite()) {
            (None, false) => format!("true ε: depends on δ, none at δ = {}", self.delta),
            _ => format!(
                "true ε ≤ {} at δ = {}",
                number(self.epsilon_upper),
                self.delta
            ),
        };
        let claim = match self.defect {
            Some(_) => format!("; claims {}", number(self.claimed)),
            None => String::new(),
        };
        let mut text = format!(
            "{}\n  {}\n  {truth}{claim}; {} neighbours\n",
            self.name, self.what, self.neighbours
        );
        if !self.claims.is_empty() {
            text += &format!("  rests on {}\n", self.claims.join(", "));
        }
        if let Some(defect) = self.defect {
            text += &format!("  broken: {defect}\n");
        }
        for Parameter {
            name,
            default,
            what,
        } in self.parameters
        {
            text += &format!("  --set {name}={default}: {what}\n");
        }
        text
    }
}

/// The claims that the true ε of a built-in mechanism rests on, the principal one first; none where nothing bounds it.
/// Rounding, the largest of a noisy vector and running sums are made of what is released.
///
/// ```
/// use dp_assay::audit::builtin::claims;
///
/// assert_eq!(claims("laplace"), ["acc-laplace"]);
/// assert!(claims("svt-5").is_empty());
/// ```
#[must_use]
pub fn claims(name: &str) -> &'static [&'static str] {
    match name {
        "laplace"
        | "laplace-mechanism"
        | "laplace-half-noise"
        | "noisy-histogram-1"
        | "noisy-histogram-2"
        | "laplace-parallel"
        | "prefix-sum"
        | "laplace-snapped-bits"
        | "noisy-max-laplace"
        | "partial-sum"
        | "partial-sum-bad"
        | "smart-sum" => &["acc-laplace"],
        "gaussian" => &["acc-gaussian"],
        "truncated-geometric" => &["acc-log-concave"],
        "noisy-argmax-laplace" | "noisy-argmax-exponential" => &["acc-noisy-max"],
        "svt-1" | "svt-2" | "svt-4" | "numeric-svt" | "gap-svt" => &["acc-sparse-vector"],
        "rappor" | "one-time-rappor" => &["acc-response", "acc-basic"],
        "gcd-reference" | "gcd-optimized" => {
            &["gcd-mech-rnm-repaired", "gcd-mech-lap", "acc-basic"]
        }
        "skgd-reference" | "skgd-optimized" => &["decor-aux-simulate", "acc-gaussian"],
        "ambssgd-reference" | "ambssgd-optimized" => &["ambssgd-thm-3.6-comp", "acc-gaussian"],
        "ssgd-reference" | "ssgd-optimized" => &[
            "ambssgd-lem-A.1-sens",
            "acc-gaussian",
            "acc-shuffle-approximate",
        ],
        "kl-spider-reference" | "kl-spider-optimized" => {
            &["kl-thm-1-priv-repaired", "acc-gaussian"]
        }
        "adaptive-gd-reference" | "adaptive-gd-optimized" => &["kl-imp-adaptive", "gcd-aux-renyi"],
        "noisy-gd-reference" | "noisy-gd-optimized" => &["kl-thm-9-priv", "acc-gaussian"],
        "decor-reference" | "decor-optimized" => &["decor-thm-6-num", "acc-gaussian"],
        _ => &[],
    }
}

/// Each name with what it is.
const WHAT: [(&str, &str); 47] = [
    ("laplace", "a query of sensitivity 1 with Laplace noise"),
    ("gaussian", "a query of sensitivity 1 with Gaussian noise"),
    (
        "gcd-reference",
        "greedy coordinate descent (DP-GCD), its pseudocode, on a worst-case pair",
    ),
    (
        "gcd-optimized",
        "greedy coordinate descent (DP-GCD), the fast solver, on a worst-case pair",
    ),
    (
        "skgd-reference",
        "random block coordinate descent (DP-SkGD), its pseudocode",
    ),
    (
        "skgd-optimized",
        "random block coordinate descent (DP-SkGD), the fast solver",
    ),
    (
        "ambssgd-reference",
        "linear regression by adaptive clipping (DP-AMBSSGD), its pseudocode",
    ),
    (
        "ambssgd-optimized",
        "linear regression by adaptive clipping (DP-AMBSSGD), the fast solver",
    ),
    (
        "ssgd-reference",
        "linear regression by shuffled steps (DP-SSGD), its pseudocode",
    ),
    (
        "ssgd-optimized",
        "linear regression by shuffled steps (DP-SSGD), the fast solver",
    ),
    (
        "kl-spider-reference",
        "private Spider under the KL condition, its pseudocode",
    ),
    (
        "kl-spider-optimized",
        "private Spider under the KL condition, the fast solver",
    ),
    (
        "adaptive-gd-reference",
        "gradient descent with adaptive noise, its pseudocode",
    ),
    (
        "adaptive-gd-optimized",
        "gradient descent with adaptive noise, the fast solver",
    ),
    (
        "noisy-gd-reference",
        "regularised noisy gradient descent, its pseudocode",
    ),
    (
        "noisy-gd-optimized",
        "regularised noisy gradient descent, the fast solver",
    ),
    (
        "decor-reference",
        "decentralised learning with correlated noise (DECOR) on a 3×3 torus, its pseudocode",
    ),
    (
        "decor-optimized",
        "decentralised learning with correlated noise (DECOR) on a 3×3 torus, the fast solver",
    ),
    ("laplace-mechanism", "one answer with Laplace noise"),
    ("laplace-half-noise", "one answer with Laplace noise"),
    (
        "noisy-histogram-1",
        "a histogram of five cells with Laplace noise",
    ),
    (
        "noisy-histogram-2",
        "a histogram of five cells with Laplace noise",
    ),
    (
        "laplace-parallel",
        "twenty answers, each with Laplace noise for all of them",
    ),
    ("prefix-sum", "running sums with Laplace noise"),
    ("same-noise-twice", "several answers with Laplace noise"),
    (
        "laplace-textbook-bits",
        "Laplace noise in doubles, released bit by bit",
    ),
    (
        "laplace-snapped-bits",
        "Laplace noise in doubles, rounded to a coarse grid and bounded",
    ),
    (
        "noisy-argmax-laplace",
        "the index of the largest answer after Laplace noise",
    ),
    (
        "noisy-argmax-exponential",
        "the index of the largest answer after exponential noise",
    ),
    (
        "noisy-max-laplace",
        "the value of the largest answer after Laplace noise",
    ),
    (
        "noisy-max-exponential",
        "the value of the largest answer after exponential noise",
    ),
    (
        "svt-1",
        "sparse vector technique, Algorithm 1 of Lyu, Su and Li",
    ),
    (
        "svt-2",
        "sparse vector technique, Algorithm 2 of Lyu, Su and Li (Dwork and Roth's)",
    ),
    (
        "numeric-svt",
        "sparse vector technique that also releases the answer with fresh noise",
    ),
    (
        "gap-svt",
        "sparse vector technique that also releases the distance from the threshold",
    ),
    (
        "svt-3",
        "sparse vector technique, Algorithm 3 of Lyu, Su and Li",
    ),
    (
        "svt-4",
        "sparse vector technique, Algorithm 4 of Lyu, Su and Li",
    ),
    (
        "svt-5",
        "sparse vector technique, Algorithm 5 of Lyu, Su and Li",
    ),
    (
        "svt-6",
        "sparse vector technique, Algorithm 6 of Lyu, Su and Li",
    ),
    (
        "svt-3-and-4",
        "sparse vector technique, Algorithms 3 and 4 of Lyu, Su and Li together",
    ),
    (
        "truncated-geometric",
        "a count with geometric noise, cut to its range (Balcer and Vadhan)",
    ),
    ("partial-sum", "the sum of a few answers with Laplace noise"),
    (
        "partial-sum-bad",
        "the sum of a few answers with Laplace noise",
    ),
    (
        "smart-sum",
        "running sums by blocks with Laplace noise (Chan, Shi and Song)",
    ),
    (
        "smart-sum-bad",
        "running sums by blocks with Laplace noise (Chan, Shi and Song)",
    ),
    (
        "rappor",
        "RAPPOR: a noisy Bloom filter, answered with fresh noise once",
    ),
    ("one-time-rappor", "RAPPOR's permanent response alone"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mechanism_says_what_it_is_and_no_words_are_left_over() {
        let all = list();
        let silent: Vec<&str> = all
            .iter()
            .filter(|m| m.what.is_empty())
            .map(|m| m.name)
            .collect();
        assert_eq!(silent, Vec::<&str>::new());
        let unknown = WHAT
            .iter()
            .map(|w| w.0)
            .filter(|name| !names().contains(name));
        assert_eq!(unknown.collect::<Vec<_>>(), Vec::<&str>::new());
    }

    /// A parameter that is given at its default changes nothing, so the defaults that are shown are the ones in use.
    #[test]
    fn the_defaults_that_are_shown_are_those_in_use() {
        for Listed {
            name,
            parameters,
            epsilon_upper,
            claimed,
            ..
        } in list()
        {
            let given = parameters
                .iter()
                .map(|p| (p.name.to_owned(), p.default))
                .collect();
            let found = find(name, &given).expect(name);
            assert_eq!(
                (found.epsilon_upper, found.claimed),
                (epsilon_upper, claimed),
                "{name}"
            );
        }
    }
}
