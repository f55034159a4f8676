//! The help of one mechanism: the flags that go with it, and a command to begin with.

use super::mechanism::{Name, SamplingName};
use super::sampling::RELATIONS;
use clap::ValueEnum;
use dp_assay::units::Neighbouring;

/// Flags that go with some mechanisms only, each with the mechanisms.
const OWN: [(&[&str], &[Name]); 8] = [
    (
        &["sigma"],
        &[Name::Gaussian, Name::Laplace, Name::SubsampledGaussian],
    ),
    (&["q", "records", "compare"], &[Name::SubsampledGaussian]),
    (
        &["sampling", "cap", "separation"],
        &[Name::SubsampledGaussian, Name::Decor],
    ),
    (&["file", "example"], &[Name::Event]),
    (
        &["certified", "oracle", "oracle_width", "tradeoff", "svg"],
        &NOT_DECOR,
    ),
    (
        &["solve"],
        &[Name::Gaussian, Name::Laplace, Name::SubsampledGaussian],
    ),
    (
        &[
            "graph",
            "sigma_cdp",
            "sigma_cor",
            "clip",
            "adversary",
            "batch",
            "examples",
            "points",
        ],
        &[Name::Decor],
    ),
    (&["mechanism"], &[]),
];
const NOT_DECOR: [Name; 4] = [
    Name::Gaussian,
    Name::Laplace,
    Name::SubsampledGaussian,
    Name::Event,
];

/// What it is, and what goes behind its name in a first command of `account`, and of `calibrate`.
const fn begin(name: Name) -> [&'static str; 3] {
    match name {
        Name::Gaussian => [
            "Gaussian noise on a query of sensitivity 1",
            "--sigma 1",
            "",
        ],
        Name::Laplace => ["Laplace noise on a query of sensitivity 1", "--sigma 2", ""],
        Name::SubsampledGaussian => [
            "Gaussian noise on a query of a random sample: noisy stochastic gradient descent",
            "--q 256/60000 --sigma 1 --steps 1000",
            "--q 256/60000 --steps 1000",
        ],
        Name::Event => [
            "A tree of mechanisms from a file (spec/formats/event.md); --example prints one",
            "tree.json",
            "tree.json",
        ],
        Name::Decor => [
            "Noise of which a part cancels between neighbours on a graph (DECOR)",
            "--graph ring:16 --sigma-cdp 1 --sigma-cor 10 --steps 100",
            "--graph ring:16 --sigma-cor 10 --steps 100",
        ],
    }
}

/// `--neighbours` of `decor`, which has a default of its own.
const DECOR: &str =
    "When two data sets are neighbours: user unless given, or replace-one with --batch; no others";

/// Under which relations each sampling has a theorem.
fn relations() -> String {
    let line = |(sampling, relations): &(SamplingName, &[Neighbouring])| {
        let all: Vec<String> = relations.iter().map(ToString::to_string).collect();
        format!("  {:<18} {}\n", sampling.name(), all.join(", "))
    };
    let lines: String = RELATIONS.iter().map(line).collect();
    format!("Neighbours for which a sampling has a theorem; others are refused:\n{lines}\n")
}

/// The help of `account` or `calibrate` for a mechanism.
///
/// # Errors
/// There is no such mechanism.
pub fn help(command: clap::Command, mechanism: &str) -> Result<String, String> {
    let found = Name::from_str(mechanism, false).map_err(|_| {
        let all = Name::value_variants()
            .iter()
            .filter_map(Name::to_possible_value);
        let all: Vec<String> = all.map(|value| value.get_name().to_owned()).collect();
        format!(
            "there is no mechanism `{mechanism}`; there are {}",
            all.join(", ")
        )
    })?;
    let foreign = |id: &str| {
        OWN.iter()
            .any(|(ids, with)| ids.contains(&id) && !with.contains(&found))
    };
    let verb = command.get_name().to_owned();
    let [what, account, calibrate] = begin(found);
    let flags = match verb.as_str() {
        "account" => account.to_owned(),
        _ => format!("{calibrate} --epsilon 1").trim_start().to_owned(),
    };
    let file = if found == Name::Event { " <FILE>" } else { "" };
    let narrowed = command
        .mut_args(|arg| match arg.get_id().as_str() {
            id if foreign(id) => arg.hide(true),
            "neighbours" if found == Name::Decor => arg.hide_default_value(true).help(DECOR),
            _ => arg,
        })
        .about(what)
        .long_about(what)
        .override_usage(format!(
            "dp-assay {verb} {mechanism}{file} [OPTIONS] --delta <DELTA>"
        ))
        .after_help(format!(
            "{}Begin with: dp-assay {verb} {mechanism} {flags} --delta 1e-5",
            if found == Name::SubsampledGaussian {
                relations()
            } else {
                String::new()
            }
        ));
    Ok(narrowed.clone().render_long_help().to_string())
}
