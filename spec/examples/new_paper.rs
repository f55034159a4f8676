//! The rooms of a new paper, with claims that show how the rest is written:
//! `cargo run -p dp-assay-spec --example new_paper -- NAME "TITLE" "FAMILY, NAMES" ARXIV`.
//!
//! It writes what stands in the paper's own folders and files, and prints the edits that are left elsewhere; `cargo test`
//! names each that is missing. The gate makes a sixth paper so, and goes on until its tests are green.

use std::error::Error;
use std::path::Path;

/// The files by their paths, in which and in whose texts `NAME` stands for the paper.
const FILES: [(&str, &str); 8] = [
    ("spec/src/NAME/mod.rs", CLAIMS),
    ("spec/src/NAME/findings.rs", FINDINGS),
    ("spec/src/NAME/headlines.rs", HEADLINES),
    ("spec/src/NAME/symbols.rs", SYMBOLS),
    ("spec/certificates/NAME.txt", ""),
    ("spec/coverage/NAME.csv", COVERAGE),
    (
        "spec/tests/data/displays/NAME.txt",
        "Lemma 1\nCorollary 1\nTheorem 1\n",
    ),
    ("spec/tests/data/cited/NAME.txt", "Corollary 1\n"),
];

const CLAIMS: &str = r#"//! TITLE, claim by claim, in the paper's order.
//!
//! What follows is an example of each kind: a statement that is proved, one that is refuted by the same lines with another
//! constant, an algorithm, and a theorem with a step in words.

use crate::claim::{Check, Claim, Kind, Verdict};
use crate::prove::{Argument, Domain, Forall, closed, open};

pub mod findings;
pub(crate) mod headlines;
pub(crate) mod symbols;

/// The claims of this paper, in its order.
#[must_use]
pub fn claims() -> Vec<Claim> {
    vec![ALGORITHM_1, LEMMA_1, COROLLARY_1, THEOREM_1]
}

const ALGORITHM_1: Claim = Claim {
    id: "NAME-alg-1",
    place: "Sec. 2, Algorithm 1",
    kind: Kind::Algorithm,
    statement: "release the answer with Laplace noise of scale 1/eps",
    hypotheses: "eps in (0, 1]; an answer of sensitivity 1",
    check: |check| {
        let numerator = check.constant("numerator of the scale", 1);
        let mut domain = Domain::new();
        let eps = domain.real("eps", open(0), closed(1));
        let statement = Forall::lt(domain, 0, numerator / eps);
        Argument::new(check).states("NAME-alg-1", &statement).proved_on("eps in (0, 1]")
    },
    ..Claim::ALONE
};

const LEMMA_1: Claim = Claim {
    id: "NAME-lem-1",
    place: "Sec. 2, Lemma 1",
    kind: Kind::PathwiseInequality,
    statement: "eps (e^eps - 1) <= 2 eps^2",
    hypotheses: "eps in (0, 1]",
    check: |check| square(check, "NAME-lem-1", 2),
    ..ALGORITHM_1
};

const COROLLARY_1: Claim = Claim {
    id: "NAME-cor-1",
    place: "Sec. 2, Corollary 1",
    statement: "eps (e^eps - 1) <= eps^2",
    check: |check| square(check, "NAME-cor-1", 1),
    ..LEMMA_1
};

const THEOREM_1: Claim = Claim {
    id: "NAME-thm-1",
    place: "Sec. 2, Theorem 1",
    kind: Kind::MechanismPrivacy,
    statement: "the privacy loss of Algorithm 1 is at most 2 eps^2 in expectation",
    rests_on: &["NAME-lem-1"],
    by_hand: &["the loss is at most eps everywhere, so that its expectation is at most eps (e^eps - 1)"],
    check: |check| square(check, "NAME-thm-1", 2),
    ..LEMMA_1
};

/// Every printed number that the verdict depends on goes through `constant`, so that tests can change it and see the
/// verdict fall.
fn square(check: &Check, id: &str, factor: i32) -> Verdict {
    let factor = check.constant("factor of eps^2", factor);
    let mut domain = Domain::new();
    let eps = domain.real("eps", open(0), closed(1));
    let statement = Forall::le(domain, &eps * eps.exp_m1(), factor * &eps * &eps);
    Argument::new(check)
        .repaired("NAME-lem-1")
        .states(id, &statement)
        .proved_on("eps in (0, 1]")
}
"#;

const FINDINGS: &str = r#"//! What of NAME does not hold as printed.

use crate::findings::{Effect, EffectKind, Note};

/// What is said of each statement beyond its verdicts.
pub const NOTES: [Note; 1] = [Note {
    id: "NAME-cor-1",
    theorem: &["NAME-thm-1"],
    effect: Effect::of(EffectKind::Wording),
    cause: "NAME-factor",
    words: "No effect on ε: the proofs use Lemma 1, whose factor is 2.",
}];
"#;

const HEADLINES: &str = r#"//! Headline theorems of NAME: what `spec/tests/data/cited/NAME.txt` says that it is cited for.
//!
//! One that the kernel proves is `printed("NAME-thm-1", "NAME-alg-1", "dp-assay ledger NAME-thm-1")`. One that does not stand,
//! or stands by an argument, says which theorem of the kernel to use instead, or what is missing.

use crate::findings::headline::{Correction, Headline};

pub(crate) const HEADLINES: [Headline; 1] = [Headline {
    id: "NAME-cor-1",
    algorithm: Some("NAME-alg-1"),
    correction: Some(Correction::Missing {
        weaker: Some("NAME-lem-1"),
        lacks: "The factor 2 of Lemma 1, in a theorem of the kernel on a run of Algorithm 1.",
    }),
    command: "dp-assay ledger NAME-cor-1",
}];
"#;

const SYMBOLS: &str = r#"//! Symbols with one meaning throughout the paper; what is overloaded is left to the statement.

use crate::paper::Meanings;

pub(crate) const SYMBOLS: Meanings = &[("ε", "privacy parameter")];
"#;

const COVERAGE: &str = r"place,quote,claims,reason
Algorithm 1,Laplace noise of scale 1/ε,NAME-alg-1,
Lemma 1,ε(e^ε − 1) ≤ 2ε²,NAME-lem-1,
Corollary 1,ε(e^ε − 1) ≤ ε²,NAME-cor-1,
Theorem 1,at most 2ε² in expectation,NAME-thm-1,
";

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [name, title, authors, arxiv] = given.as_slice() else {
        return Err("give NAME, TITLE, AUTHORS and ARXIV".into());
    };
    if name.is_empty() || !name.bytes().all(|b| b.is_ascii_lowercase()) {
        return Err(format!("NAME = {name} must be small letters").into());
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("");
    for (path, text) in FILES {
        let path = root.join(path.replace("NAME", name));
        if path.exists() {
            return Err(format!("{} is there already", path.display()).into());
        }
        std::fs::create_dir_all(path.parent().expect("in a folder"))?;
        std::fs::write(&path, text.replace("NAME", name).replace("TITLE", title))?;
    }
    let variant = name[..1].to_uppercase() + &name[1..];
    println!(
        "Left are\n1. spec/src/paper.rs, a row of the table:\n    /// {title}.\n    {variant} = \
            {name},\n    {title:?},\n    {authors:?},\n    {arxiv:?};\n2. \
            spec/src/lib.rs:\n#[cfg(feature = \"certify\")]\npub mod {name};\n3. README.md, a row \
            of its table:\n| `{name}` | {title} ({authors}) |\nand what tests write \
            (dp_assay::contributing says how)."
    );
    Ok(())
}
