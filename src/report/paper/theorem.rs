//! A theorem on the page: as printed, why it fails, what holds instead.

use super::{ended, one_line};
use crate::ledger::Row;
use dp_assay_spec::findings::headline::{Departure, Headline, Run, Standing};
use dp_assay_spec::findings::witnessed::Witnessed;
use dp_assay_spec::findings::{Finding, Measured};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// A theorem that a paper is cited for.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Theorem {
    /// Id of its claim.
    pub id: &'static str,
    /// The statement as printed, in plain text.
    pub printed: String,
    /// The verdict on it.
    pub verdict: &'static str,
    /// Id of the claim to use instead, on privacy and utility of one run; where the theorem stands but is argued, of the one that
    /// the kernel proves beside it; `null` where it is proved, where there is none, and where nobody has one yet.
    pub corrected: Option<&'static str>,
    /// The verdict on that claim.
    pub verdict_corrected: Option<&'static str>,
    /// Corrected over printed scale of the noise, or corrected over printed bound, computed; `null` where nothing is
    /// corrected, and where the print names no constant to compare with.
    pub cost: Option<f64>,
    /// The smallest n (or N) at which the corrected bound is below that of doing nothing, on its witness at ε = 1,
    /// δ = n⁻²; `null` where it was not computed.
    pub bites_at: Option<u64>,
    /// The command that runs the corrected algorithm, or shows a lower bound.
    pub command: &'static str,
    /// Id of the claim that proves that no correction of the printed form exists; `null` otherwise.
    pub impossible: Option<&'static str>,
    /// What people read besides.
    #[serde(skip)]
    pub(in crate::report) more: More,
}

/// What text, HTML and LaTeX say of a theorem besides.
#[derive(Clone, Debug)]
pub(in crate::report) struct More {
    /// Where it stands in the paper.
    pub place: &'static str,
    /// Its hypotheses.
    pub hypotheses: String,
    /// Whether it holds as printed.
    pub stands: bool,
    /// How bad it is that it does not, in a word.
    pub severity: Option<String>,
    /// Why it does not hold, in a sentence.
    pub why: Option<String>,
    /// How much that costs: the sizes, and what they are of.
    pub how_much: Option<String>,
    /// The point where it fails, or why nothing satisfies its hypotheses.
    pub fails_at: Option<String>,
    /// The claim that holds instead, that proves that none does, or that goes part of the way.
    pub other: Option<Other>,
    /// What the cost is the ratio of: `noise` or `bound`.
    pub cost_of: &'static str,
    /// The algorithm that it is about; `None` for a lower bound.
    pub algorithm: Option<&'static str>,
    /// What differs from the print.
    pub departures: &'static [Departure],
    /// Their numbers on the page.
    pub numbers: Vec<usize>,
    /// Of what the correction begins to say something: what is counted, and the witness.
    pub witness: Option<[&'static str; 2]>,
    /// What the kernel proves of that witness, and what it does not.
    pub witnessed: Option<&'static Witnessed>,
    /// The theorem above it that is settled by the same claim.
    pub settled_with: Option<&'static str>,
    /// What is missing, where nobody has a correction.
    pub lacks: Option<&'static str>,
    /// Whether the command runs with defaults for which no bound on the utility is claimed, where the correction has one.
    pub defaults: bool,
}

/// A claim that a theorem is settled by, in plain text.
#[derive(Clone, Debug)]
pub(in crate::report) struct Other {
    pub id: &'static str,
    pub verdict: &'static str,
    pub statement: String,
    pub hypotheses: String,
    /// What it lacks: steps by hand, and a claim on the utility of its run.
    pub missing: Vec<String>,
}

impl Theorem {
    pub(super) fn of(
        headline: &Headline,
        row: &Row,
        rows: &BTreeMap<&str, &Row>,
        findings: &[Finding],
    ) -> Self {
        let holds = |id: &str| rows.get(id).is_some_and(|row| row.holds());
        let standing = headline.standing(holds);
        let corrected = headline.corrected(holds);
        let (impossible, lacks, other) = match standing {
            Standing::Stands | Standing::Corrected(_) => (None, None, corrected.map(|by| by.id)),
            Standing::Impossible(id) => (Some(id), None, Some(id)),
            Standing::Missing(lacks, weaker) => (None, Some(lacks), weaker),
        };
        let other = other.and_then(|id| rows.get(id)).map(|row| Other {
            id: row.id,
            verdict: row.verdict,
            statement: one_line(&row.words),
            hypotheses: row.hypotheses.clone(),
            missing: missing(row, corrected.map(|by| by.run)),
        });
        // The printed statement may stand while one of its readings does not: then its row is no part of the failure.
        let finding = findings.iter().find(|f| f.claims.contains(&row.id));
        Self {
            id: row.id,
            printed: one_line(&row.words),
            verdict: row.verdict,
            corrected: corrected.map(|by| by.id),
            verdict_corrected: corrected
                .and_then(|by| rows.get(by.id))
                .map(|row| row.verdict),
            cost: corrected.and_then(|by| by.cost).map(|cost| cost.ratio()),
            bites_at: corrected
                .and_then(|by| by.bites_at)
                .map(|bites| (bites.least)()),
            command: headline.command,
            impossible,
            more: More {
                place: row.place,
                hypotheses: row.hypotheses.clone(),
                stands: matches!(standing, Standing::Stands),
                severity: row.severity.map(|s| s.to_string()),
                why: { finding.map(|f| why(f).to_owned()) }.or_else(|| unsettled(row)),
                how_much: finding.map(|f| how_much(f, row)),
                fails_at: row
                    .counterexample
                    .clone()
                    .or_else(|| row.contradiction.clone()),
                other,
                cost_of: corrected
                    .and_then(|by| by.cost)
                    .map_or("", |cost| cost.of()),
                algorithm: headline.algorithm,
                departures: corrected.map_or(&[], |by| by.departures),
                numbers: Vec::new(),
                witness: { corrected.and_then(|by| by.bites_at) }
                    .map(|bites| [bites.counted, bites.witness]),
                witnessed: corrected
                    .filter(|by| by.bites_at.is_some())
                    .and_then(|by| by.run.utility())
                    .and_then(Witnessed::of),
                settled_with: None,
                lacks,
                defaults: corrected.is_some_and(|by| by.run.has_utility())
                    && headline.command.starts_with("dp-assay fit")
                    && !headline.command.contains("--schedule theorem"),
            },
        }
    }

    /// The statements that are shown of it, with their hypotheses.
    pub(super) fn statements(&self) -> impl Iterator<Item = &str> {
        let other = { self.more.other.iter() }.flat_map(|o| [&*o.statement, &*o.hypotheses]);
        [&*self.printed, &*self.more.hypotheses]
            .into_iter()
            .chain(other)
    }

    /// Verdict and severity.
    pub(in crate::report) fn outcome(&self) -> String {
        match &self.more.severity {
            Some(severity) => format!("{} ({severity})", self.verdict),
            None => self.verdict.to_owned(),
        }
    }

    /// All that there is to read of it, but for the verdict and the command: label and text on one line.
    pub(in crate::report) fn paragraphs(&self) -> Vec<(&'static str, String)> {
        let more = &self.more;
        let claim = |statement: &str, hypotheses: &str| {
            format!(
                "{}. Hypotheses: {hypotheses}",
                statement.trim_end_matches('.')
            )
        };
        let mut all = vec![
            ("Place", more.place.to_owned()),
            ("Printed", claim(&self.printed, &more.hypotheses)),
        ];
        all.extend(more.why.clone().map(|why| ("Why", why)));
        all.extend(more.how_much.clone().map(|sizes| ("How much", sizes)));
        all.extend(more.fails_at.clone().map(|point| ("Fails at", point)));
        if let Some(other) = &more.other {
            let label = match (self.corrected, self.impossible) {
                (Some(_), _) if more.stands => "Proved beside it",
                (Some(_), _) => "Use instead",
                (_, Some(_)) => "Impossible",
                _ => "Part of the way",
            };
            let words = match more.settled_with {
                Some(above) => format!("as for {above}"),
                None => claim(&other.statement, &other.hypotheses),
            };
            all.push((label, format!("{} ({}): {words}", other.id, other.verdict)));
        }
        if !more.numbers.is_empty() {
            let numbers: Vec<String> = more.numbers.iter().map(usize::to_string).collect();
            all.push((
                "Departs",
                format!("in {} of the list at the end", numbers.join(", ")),
            ));
        }
        all.extend(self.price().map(|price| ("Costs", price)));
        all.extend(more.witnessed.map(|witnessed| {
            let above = more.settled_with.map(|above| format!("as for {above}"));
            ("Witness", above.unwrap_or_else(|| witnessed.told()))
        }));
        let missing = more.other.as_ref().map_or(&[][..], |other| &other.missing);
        let missing: Vec<String> = match more.settled_with {
            Some(above) if !missing.is_empty() => vec![format!("as for {above}")],
            _ => missing.to_vec(),
        };
        let lacks = more.lacks.map(str::to_owned);
        all.extend(
            lacks
                .into_iter()
                .chain(missing)
                .map(|text| ("Missing", text)),
        );
        all.into_iter()
            .map(|(label, text)| (label, one_line(&powers(&text))))
            .collect()
    }

    /// What is said behind the command.
    pub(in crate::report) const fn of_the_run(&self) -> &'static str {
        match self.more.defaults {
            true => " (with its defaults private as claimed, without a claim on utility)",
            false => "",
        }
    }

    /// Whether the printed statement is refuted, or about nothing.
    pub(super) fn fails(&self) -> bool {
        ["refuted", "empty"].contains(&self.verdict)
    }

    /// What the correction costs, and from where on it says anything, in a sentence.
    fn price(&self) -> Option<String> {
        let cost = self.cost.map(|ratio| {
            let of = self.more.cost_of;
            let times = match ratio {
                r if r < 1.0 => format!("better than the print: {r:.3} times its {of}"),
                r => format!("{r:.3} times the printed {of}"),
            };
            match of {
                "bound" => {
                    format!("{times}, with the constants of its proof, 1 where it names none")
                }
                _ => times,
            }
        });
        let bites = self.bites_at.map(|least| {
            let [counted, witness] = self.more.witness.unwrap_or(["n", "the witness"]);
            format!(
                "below the bound of doing nothing from {counted} = {least} on at ε = 1, \
                 δ = {counted}⁻², for {witness}"
            )
        });
        let parts: Vec<String> = [cost, bites].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// What a claim to use instead lacks of a proof by the kernel, and of a claim on utility.
fn missing(row: &Row, run: Option<Run>) -> Vec<String> {
    let steps: Vec<String> = row.by_hand.iter().map(|step| ended(step)).collect();
    let steps =
        (!steps.is_empty()).then(|| format!("a proof by the kernel. By hand: {}", steps.join(" ")));
    let utility = matches!(run, Some(Run::Private { utility: None, .. }));
    let utility = utility.then(|| "a bound on the utility of this run; the print has none".into());
    steps.into_iter().chain(utility).collect()
}

/// Why a statement that is not refuted does not stand either.
fn unsettled(row: &Row) -> Option<String> {
    (!row.holds()).then(|| row.evidence.clone())
}

/// Why a statement fails, in a sentence.
fn why(finding: &Finding) -> &'static str {
    let words = finding.effect.words;
    let first = first_sentence(words);
    match first.starts_with("No effect on ε") && first.len() < words.len() {
        true => first_sentence(words[first.len()..].trim_start()),
        false => first,
    }
}

/// The sizes of the statement of a row, with all that is said of them: a figure says nothing without what it is of.
fn how_much(finding: &Finding, row: &Row) -> String {
    let sizes = { row.effect.as_ref() }.map_or_else(|| finding.effect.sizes(), Measured::sizes);
    let rest = finding.effect.words.replacen(why(finding), "", 1);
    one_line(&format!("{sizes} {rest}"))
}

/// Numbers like `2.5e-16` as authors write them: 2.5·10⁻¹⁶.
fn powers(text: &str) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let mut out = String::new();
    let mut left = text;
    while let Some(at) = left.find('e') {
        let (before, after) = (&left[..at], &left[at + 1..]);
        let whole = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let mantissa = &before[whole.len()..];
        let sign = if after.starts_with('-') { "⁻" } else { "" };
        let unsigned = after.trim_start_matches('-');
        let behind = unsigned.trim_start_matches(|c: char| c.is_ascii_digit());
        let exponent = &unsigned[..unsigned.len() - behind.len()];
        let alone = !whole.ends_with(|c: char| c.is_alphanumeric() || c == '_')
            && !behind.starts_with(|c: char| c.is_alphanumeric());
        if !mantissa.starts_with(|c: char| c.is_ascii_digit()) || exponent.is_empty() || !alone {
            out += &left[..=at];
            left = after;
            continue;
        }
        let one = mantissa.chars().all(|c| matches!(c, '0' | '.' | '1'))
            && mantissa.parse() == Ok(1.0_f64);
        out += whole;
        out += &if one {
            String::new()
        } else {
            format!("{mantissa}·")
        };
        out += "10";
        out += sign;
        let digits = exponent.trim_start_matches('0').chars();
        out.extend(digits.filter_map(|c| RAISED.get(c.to_digit(10)? as usize)));
        left = behind;
    }
    out + left
}

/// Up to the first full stop that ends a sentence: one behind `App` or `Thm` does not.
fn first_sentence(text: &str) -> &str {
    const ABBREVIATIONS: [&str; 8] = ["App", "Sec", "Thm", "Cor", "Lem", "Eq", "Fig", "cf"];
    let ends = text.match_indices(". ").map(|(at, _)| at).find(|&at| {
        let word = text[..at].rsplit([' ', '(']).next().unwrap_or_default();
        let next = text[at + 2..].chars().next();
        !ABBREVIATIONS.contains(&word) && next.is_some_and(char::is_uppercase)
    });
    ends.map_or(text, |at| &text[..=at])
}

#[cfg(test)]
mod tests {
    use super::super::Page;
    use super::*;
    use crate::report::samples::report;
    use dp_assay_spec::claim::Paper;

    #[test]
    fn a_sentence_ends_where_the_next_begins() {
        assert_eq!(first_sentence("One. Two."), "One.");
        assert_eq!(
            first_sentence("See App. B, Thm. A. Then."),
            "See App. B, Thm. A."
        );
        assert_eq!(first_sentence("0.5 of it. x is y"), "0.5 of it. x is y");
    }

    /// A cost below and above that of the print, from how many records on, both, and none.
    #[test]
    fn a_price_is_told_with_what_it_is_of() {
        let found = report();
        let page = Page::of(Paper::Gcd, &found.claims, &found.findings);
        let price = |cost, bites_at| {
            let mut theorem = page.headline[0].clone();
            theorem.more.cost_of = "noise";
            theorem.more.witness = Some(["n", "a loss"]);
            (theorem.cost, theorem.bites_at) = (cost, bites_at);
            theorem.price()
        };
        let told = |text: &str| Some(text.to_owned());
        let bites = "below the bound of doing nothing from n = 70 on at ε = 1, δ = n⁻², for a loss";
        assert_eq!(price(None, None), None);
        assert_eq!(price(None, Some(70)), told(bites));
        assert_eq!(
            price(Some(1.0), None),
            told("1.000 times the printed noise")
        );
        let better = "better than the print: 0.250 times its noise";
        assert_eq!(price(Some(0.25), None), told(better));
        assert_eq!(
            price(Some(0.25), Some(70)),
            told(&format!("{better}; {bites}"))
        );
    }

    /// What a claim lacks is told with the theorem that names it first, and of what lacks nothing nothing is said.
    #[test]
    fn what_is_missing_is_told_once() {
        let found = report();
        let [fails, holds, ..] = &found.claims[..] else {
            panic!("a theorem and its correction")
        };
        assert_eq!(unsettled(holds), None);
        assert_eq!(unsettled(fails).as_ref(), Some(&fails.evidence));
        let mut row = holds.clone();
        let run = |utility| {
            Some(Run::Private {
                noise: "",
                privacy: "",
                utility,
            })
        };
        assert_eq!(missing(&row, None), [""; 0]);
        assert_eq!(missing(&row, run(Some("gcd-thm-4.2"))), [""; 0]);
        row.by_hand = vec!["One".to_owned(), "two.".to_owned()];
        let told = missing(&row, run(None));
        assert_eq!(told[0], "a proof by the kernel. By hand: One. two.");
        assert!(told.len() == 2 && told[1].contains("utility of this run"));
        let page = Page::of(Paper::Gcd, &found.claims, &found.findings);
        let shown = |above, lacks: &[&str]| {
            let mut theorem = page.headline[0].clone();
            theorem.more.settled_with = above;
            let other = theorem.more.other.as_mut().expect("it is corrected");
            other.missing = lacks.iter().map(|text| (*text).to_owned()).collect();
            let mut told = theorem.paragraphs();
            told.retain(|(label, _)| *label == "Missing");
            told.into_iter().map(|(_, text)| text).collect::<Vec<_>>()
        };
        let mut theorem = page.headline[0].clone();
        theorem.corrected = None;
        for (impossible, label) in [(Some("none"), "Impossible"), (None, "Part of the way")] {
            theorem.impossible = impossible;
            assert!(theorem.paragraphs().iter().any(|(said, _)| *said == label));
        }
        assert_eq!(shown(None, &["a", "b"]), ["a", "b"]);
        assert_eq!(shown(Some("above"), &["a", "b"]), ["as for above"]);
        for above in [None, Some("above")] {
            assert_eq!(shown(above, &[]), [""; 0]);
        }
    }

    /// Why a theorem fails is the first sentence of its effect, or the next one where that says that ε is not affected.
    #[test]
    fn why_is_the_first_sentence_that_says_what_is_affected() {
        let found = report();
        let why = |words| {
            let mut finding = found.findings[0].clone();
            finding.effect.words = words;
            why(&finding)
        };
        assert_eq!(why("Noise is missing. More of it."), "Noise is missing.");
        assert_eq!(
            why("No effect on ε. The bound is wrong. And so on."),
            "The bound is wrong."
        );
        assert_eq!(why("No effect on ε."), "No effect on ε.");
    }

    /// Nothing that the ledger says of a size is left out where the size is shown.
    #[test]
    fn a_size_is_told_with_what_it_is_of() {
        let found = report();
        let (mut finding, row) = (found.findings[0].clone(), &found.claims[0]);
        finding.effect.words = "No effect on ε. It fails. The largest figure is at n = 2.";
        let sizes = row.effect.as_ref().expect("it fails").sizes();
        let told = format!("{sizes} No effect on ε. The largest figure is at n = 2.");
        assert_eq!(how_much(&finding, row), told);
    }

    #[test]
    fn powers_of_ten_are_written_as_such() {
        for (text, expected) in [
            ("δ = 1e-16", "δ = 10⁻¹⁶"),
            ("4.013e-13 > 2.5e3", "4.013·10⁻¹³ > 2.5·10³"),
            ("1e-5 r_k, n = 3e7.", "10⁻⁵ r_k, n = 3·10⁷."),
            ("e^ε, x1e3, 1e, 2e-x, ee", "e^ε, x1e3, 1e, 2e-x, ee"),
            ("1.000000e-16", "10⁻¹⁶"),
        ] {
            assert_eq!(powers(text), expected);
        }
    }
}
