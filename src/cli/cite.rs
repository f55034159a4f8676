//! `dp-assay cite`: what to cite for this program, a paper, or a claim on a paper.

use super::Outcome;
use clap::ValueEnum;
use dp_assay_spec::claim::{Claim, Paper, Publication};
use std::process::ExitCode;

/// Print how to cite this program, a paper, or a claim of one.
#[derive(clap::Args)]
pub struct Args {
    /// A paper or a claim.
    #[arg(value_name = "ID", help = format!("A paper ({}) or a claim, e.g. gcd-thm-4.2; without it \
                                             the program alone", Paper::names()))]
    id: Option<String>,
    /// Which of the two styles; both unless given.
    #[arg(long, value_enum)]
    format: Option<Style>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Style {
    /// CITATION.cff, version 1.2.0.
    Cff,
    /// BibTeX.
    Bibtex,
}

/// What is cited beside the program.
struct Cited {
    paper: Paper,
    claim: Option<Claim>,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Outcome {
    let cited = args.id.as_deref().map(find).transpose()?;
    let mut text = String::new();
    if args.format != Some(Style::Bibtex) {
        text += &cff(cited.as_ref());
    }
    if args.format.is_none() {
        text.push('\n');
    }
    if args.format != Some(Style::Cff) {
        text += &bibtex(cited.as_ref());
    }
    super::print(&text);
    Ok(ExitCode::SUCCESS)
}

fn find(id: &str) -> Result<Cited, String> {
    match id.parse::<Paper>() {
        Ok(paper) if paper.is_collection() => {
            return Err(format!(
                "{paper} is a collection: cite a claim of it; `dp-assay ledger --paper {paper}` \
                 lists them"
            ));
        }
        Ok(paper) => return Ok(Cited { paper, claim: None }),
        Err(_) => {}
    }
    let claim = dp_assay_spec::claims()
        .into_iter()
        .find(|claim| claim.id == id);
    let claim = claim.ok_or_else(|| {
        let papers = Paper::names();
        format!("`{id}` is neither a paper ({papers}) nor a claim; `dp-assay ledger` lists all")
    })?;
    Ok(Cited {
        paper: claim.paper(),
        claim: Some(claim),
    })
}

fn authors(source: Publication) -> impl Iterator<Item = &'static str> {
    source.authors.split(", ")
}

/// The year in which an arXiv id was given: its first two digits.
fn year(source: Publication) -> String {
    format!("20{}", &source.arxiv[..2])
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a string") // JSON strings are YAML strings
}

fn cff(cited: Option<&Cited>) -> String {
    let mut out = format!(
        "cff-version: 1.2.0\nmessage: If you use this, please cite it as below.\ntype: \
         software\ntitle: dp-assay\n\
         version: {}\nlicense: MIT\nauthors:\n  - name: The dp-assay authors\n",
        env!("CARGO_PKG_VERSION")
    );
    let Some(Cited { paper, claim }) = cited else {
        return out;
    };
    let source = paper.source();
    let mut put = |line: String| out += &format!("{line}\n");
    if let (true, Some(claim)) = (paper.is_collection(), claim) {
        put(format!("abstract: {}", quoted(&note(claim))));
        return out;
    }
    put("references:".to_owned());
    put("  - type: article".to_owned());
    put(format!("    title: {}", quoted(source.title)));
    put("    authors:".to_owned());
    authors(source).for_each(|name| put(format!("      - family-names: {}", quoted(name))));
    put(format!("    year: {}", year(source)));
    put(format!("    url: https://arxiv.org/abs/{}", source.arxiv));
    put("    identifiers:".to_owned());
    put("      - type: other".to_owned());
    put(format!(
        "        value: {}",
        quoted(&format!("arXiv:{}", source.arxiv))
    ));
    if let Some(claim) = claim {
        put(format!("    section: {}", quoted(claim.place)));
        put(format!("    notes: {}", quoted(&note(claim))));
    }
    out
}

/// Where the verdict is found: it is computed, by this version, and so no part of a citation. A claim of the collection has
/// its own source, in words.
fn note(claim: &Claim) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut note = format!(
        "claim {0} of dp-assay {version}; its verdict: dp-assay ledger {0}",
        claim.id
    );
    if claim.paper().is_collection() {
        note += &format!("; its source: {}", claim.place);
    }
    note
}

fn bibtex(cited: Option<&Cited>) -> String {
    let note_of = |cited: &Cited| cited.claim.as_ref().map(note);
    let note = cited
        .and_then(note_of)
        .map_or_else(String::new, |note| format!("  note = {{{note}}},\n"));
    let mut out = format!(
        "@software{{dp-assay,\n  author = {{{{The dp-assay authors}}}},\n  title = \
         {{dp-assay}},\n  version = {{{}}},\n{note}}}\n",
        env!("CARGO_PKG_VERSION")
    );
    if let Some(Cited { paper, .. }) = cited.filter(|c| !c.paper.is_collection()) {
        let source = paper.source();
        // A family name of two words is one name.
        let braced = |name: &str| match name.contains(' ') {
            true => format!("{{{name}}}"),
            false => name.to_owned(),
        };
        let names: Vec<String> = authors(source).map(braced).collect();
        let (title, arxiv, year) = (source.title, source.arxiv, year(source));
        out += &format!(
            "\n@misc{{{paper},\n  author = {{{}}},\n  title = {{{{{title}}}}},\n  year = \
             {{{year}}},\n  eprint = {{{arxiv}}},\n  archivePrefix = {{arXiv}},\n  url = \
             {{https://arxiv.org/abs/{arxiv}}},\n}}\n",
            names.join(" and "),
        );
    }
    out
}
