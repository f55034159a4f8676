//! What the built-in mechanisms are: for a reader who chooses one.

use super::{Family, Named, Parameter, Parameters, all, find};
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

/// All built-in mechanisms, in the order of [`names`](super::names).
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
    let listed = |(named, family): (&Named, &Family)| {
        let Named(name, what, claims) = *named;
        let specimen = find(name, &Parameters::new()).expect("defaults are within their domain");
        Listed {
            name,
            what,
            defect: specimen.defect,
            claimed: specimen.claimed,
            epsilon_upper: specimen.epsilon_upper,
            claims,
            delta: specimen.delta,
            neighbours: specimen.neighbours,
            parameters: family.parameters,
        }
    };
    all().map(listed).collect()
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
///
/// ```
/// use dp_assay::audit::builtin::claims;
///
/// assert_eq!(claims("laplace"), ["acc-laplace"]);
/// assert!(claims("svt-5").is_empty());
/// ```
#[must_use]
pub fn claims(name: &str) -> &'static [&'static str] {
    let found = all().find(|(named, _)| named.0 == name);
    found.map_or(&[], |(named, _)| named.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mechanism_has_a_name_of_its_own_and_says_what_it_is() {
        let mut names = super::super::names();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
        assert!(list().iter().all(|m| !m.what.is_empty()));
    }

    #[test]
    fn every_finite_epsilon_rests_on_claims() {
        for listed in list() {
            let known = listed.epsilon_upper.is_finite();
            assert!(!known || !claims(listed.name).is_empty(), "{}", listed.name);
        }
        assert_eq!(claims("nobody"), [""; 0]);
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
