//! Every error of the command line itself, word for word. What the library refuses is tested with the
//! library; of each of its errors one is here, to see that it arrives.

use super::{dp_assay, stderr};
use std::fmt::Write;
use std::path::Path;

/// A folder with the files that the lines below name.
fn files() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let plan = |audit: &str| {
        format!(
            "schema = \"dp-assay/plan/1\"\nseed = 1\nalpha = 1e-6\n[[audit]]\nname = \"a\"\n{audit}"
        )
    };
    let claim = "claim = { epsilon = 1.0, delta = 0.0 }\npairs = 10\n";
    let program =
        "external = { command = \"true\", input0 = \"none.json\", input1 = \"none.json\" }\n";
    for (name, text) in [
        ("not.json", "{".to_owned()),
        ("kind.json", "{\"kind\": \"magic\"}".to_owned()),
        ("empty.toml", String::new()),
        (
            "name.toml",
            plan(&format!("mechanism = \"magic\"\n{claim}")),
        ),
        (
            "pair.toml",
            plan(&format!(
                "mechanism = \"laplace\"\nparameters = {{ pair = 7 }}\n{claim}"
            )),
        ),
        (
            "input.toml",
            plan(&format!("{program}neighbours = \"user\"\n{claim}")),
        ),
        (
            "good.toml",
            plan(&format!("mechanism = \"laplace\"\n{claim}")),
        ),
        ("plain.md", "no markers\n".to_owned()),
        ("data.csv", "1,2,a\n3,4,b\n".to_owned()),
        (
            "text.sqlite",
            "not a database, and longer than a header of one would be".repeat(9),
        ),
    ] {
        std::fs::write(folder.path().join(name), text).expect("a temporary file");
    }
    folder
}

macro_rules! snapshot {
    ($answers:expr) => {
        insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!($answers) })
    };
}

/// What each line is answered, with the folder's name left out.
fn answers(folder: &Path, lines: &[&str]) -> String {
    let mut all = String::new();
    let name = format!("{}/", folder.display());
    for line in lines {
        let words: Vec<String> = line.split(' ').map(|w| w.replace("DIR/", &name)).collect();
        let output = dp_assay(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let message = stderr(&output).replace(&name, "DIR/");
        assert_eq!(output.status.code(), Some(2), "{line}: {message}");
        assert!(output.stdout.is_empty(), "{line}");
        // Of what clap says, the first line is the error; the rest is help.
        let first = message.split("\n\n").next().unwrap_or_default().trim_end();
        writeln!(all, "$ {line}\n{}", without_list(first)).expect("writing to a string");
    }
    all
}

/// Lists of names grow; that there is one, and where it starts, is all that is held here.
fn without_list(message: &str) -> String {
    for start in ["expected one of ", "there are "] {
        if let Some((before, list)) = message.split_once(start) {
            assert!(list.contains(", "), "{message}");
            return format!("{before}{start}…");
        }
    }
    message.to_owned()
}

#[test]
fn account_and_calibrate_say_what_is_missing_or_too_much() {
    let folder = files();
    snapshot!(answers(
        folder.path(),
        &[
            "account gaussian --delta 1e-5",
            "account gaussian --sigma 1",
            "account gaussian --sigma 1 --delta 2",
            "account gaussian --sigma -1 --delta 1e-5",
            "account gaussian --sigma 1 --q 0.1 --delta 1e-5",
            "account gaussian DIR/not.json --sigma 1 --delta 1e-5",
            "account subsampled-gaussian --sigma 1 --delta 1e-5",
            "account subsampled-gaussian --sigma 1 --q 0.1 --sampling fixed-size --delta 1e-5",
            "account subsampled-gaussian --sigma 1 --q 0.1 --sampling fixed-size --records 3 --delta 1e-5",
            "account event --delta 1e-5",
            "account event DIR/not.json --sigma 1 --delta 1e-5",
            "account event DIR/none.json --delta 1e-5",
            "account event DIR/not.json --delta 1e-5",
            "account event DIR/kind.json --delta 1e-5",
            "account laplace --sigma 1 --delta 1e-5 --neighbours friends",
            "account laplace --sigma 1 --delta 1e-5 --method magic",
            "calibrate gaussian --delta 1e-5",
            "calibrate gaussian --epsilon -1 --delta 1e-5",
            "calibrate subsampled-gaussian --epsilon 1 --delta 1e-5",
            "calibrate subsampled-gaussian --solve steps --epsilon 1e-9 --sigma 1 --q 0.5 --delta 1e-9",
        ]
    ));
}

#[test]
fn audit_says_what_is_missing_or_unknown() {
    let folder = files();
    snapshot!(answers(
        folder.path(),
        &[
            "audit",
            "audit laplace",
            "audit magic --claim eps=1",
            "audit laplace --claim eps=1 --set magic=1",
            "audit laplace --claim eps=1 --scale 0",
            "audit laplace --claim eps=1 --command true",
            "audit laplace --claim delta=0",
            "audit laplace --claim eps=1,eps=2",
            "audit laplace --claim eps=1,rho=2",
            "audit laplace --claim eps=much",
            "audit laplace --claim much",
            "audit laplace --claim eps=-1",
            "audit laplace --claim eps=1,delta=1",
            "audit laplace --claim eps=1 --alpha 2",
            "audit laplace --claim eps=1 --set scale",
            "audit external --claim eps=1",
            "audit external --claim eps=1 --command true",
            "audit external --claim eps=1 --command true --neighbours user",
            "audit external --claim eps=1 --command true --neighbours user --input0 DIR/data.csv",
            "audit external --claim eps=1 --command true --neighbours user --input0 DIR/none.json --input1 DIR/data.csv",
            "audit external --command true --neighbours user --input0 DIR/data.csv --input1 DIR/data.csv",
            "audit external --claim eps=1 --command no-such-program --neighbours user --input0 DIR/data.csv --input1 DIR/data.csv",
            "audit laplace --claim eps=1 --trials 100 --report DIR/no/such/folder.html",
        ]
    ));
}

#[test]
fn campaigns_name_the_file_and_the_audit_at_fault() {
    let folder = files();
    snapshot!(answers(
        folder.path(),
        &[
            "campaign run DIR/none.toml --store DIR/s.sqlite",
            "campaign run DIR/empty.toml --store DIR/s.sqlite",
            "campaign run DIR/name.toml --store DIR/s.sqlite",
            "campaign run DIR/pair.toml --store DIR/s.sqlite",
            "campaign run DIR/input.toml --store DIR/s.sqlite",
            "campaign run DIR/good.toml",
            "campaign run DIR/good.toml --store DIR/s.sqlite --shard 2/2",
            "campaign run DIR/good.toml --store DIR/text.sqlite",
            "campaign merge DIR/good.toml --store DIR/s.sqlite DIR/none.sqlite",
            "campaign status DIR/none.sqlite",
            "campaign report DIR/good.toml --store DIR/none.sqlite",
        ]
    ));
}

#[test]
fn the_other_commands_say_what_they_take() {
    let folder = files();
    snapshot!(answers(
        folder.path(),
        &[
            "divine",
            "check --label 1",
            "check --quick --full",
            "check --seed one",
            "check --data DIR/none.csv",
            "check --data DIR/data.csv --label nobody",
            "ledger --verdict maybe",
            "ledger --into DIR/plain.md",
            "ledger --format counts --into DIR/plain.md",
            "ledger --format counts --into DIR/none.md",
            "ledger --replay --search",
            "fit",
            "fit magic --data DIR/data.csv",
            "fit skgd --data DIR/none.csv",
            "fit skgd --data DIR/data.csv --sampling blocks",
            "fit skgd --data DIR/data.csv --sampling magic",
            "fit skgd --data DIR/data.csv --loss magic",
            "fit skgd --data DIR/data.csv --epsilon 0",
            "fit skgd --data DIR/data.csv --clip 0",
            "schema magic",
            "completions magic",
        ]
    ));
}
