//! Every error of the command line itself, word for word. What the library refuses is tested with the
//! library; of each of its errors one is here, to see that it arrives.

use crate::program::{dp_assay, stderr};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// A folder with the files that the lines below name.
fn files() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir_all(folder.path().join("odd/a9a.svm.gz")).expect("a temporary folder");
    std::fs::create_dir(folder.path().join("wrong")).expect("a temporary folder");
    let write = |name: &str, text: &[u8]| {
        std::fs::write(folder.path().join(name), text).expect("a temporary file");
    };
    for (name, text) in plans() {
        write(name, text.as_bytes());
    }
    for (name, text) in [
        ("not.json", "{"),
        ("kind.json", "{\"kind\": \"magic\"}"),
        ("plain.md", "no markers\n"),
        ("data.csv", "1,2,a\n3,4,b\n"),
        ("four.csv", "1,2,a\n3,4,b\n5,6,a\n7,8,b\n"),
        ("labels.csv", "a\nb\n"),
        ("gap.csv", "1,,a\n3,4,b\n"),
        ("short.csv", "3,2,no,yes\n1,2,0\n3,4,1\n"),
        ("words.csv", "big red 1\n2 3 0\n"),
        ("ragged.tsv", "1\t2\ta\n3\tb\n"),
        ("one.csv", "1,2,a\n3,4,a\n"),
        ("wrong/a9a.svm.gz", "-1 1:1\n"),
        ("far.csv", "1e308,1,a\n-1e308,2,b\n1e308,3,a\n1e308,4,b\n"),
        ("real.csv", "0.1,0.2,0.5\n0.3,-0.4,1.5\n-0.2,0.6,2.5\n"),
        ("huge.svm", "1 99999999999:1\n"),
        ("pair.svm", "1 1=2\n"),
        ("loop.txt", "0 1\n1 1\n"),
        ("twice.txt", "0 1\n1 0\n"),
        ("beyond.txt", "n 2\n0 2\n"),
        ("apart.txt", "0 1\n2 3\n"),
        ("text.txt", "0 one\n"),
        ("ended.sh", "read x; echo no such model >&2; exit 3\n"),
        ("wrong.sh", "echo hello; cat >/dev/null\n"),
        ("silent.sh", "exec sleep 9\n"),
        (
            "gave-up.sh",
            "read x; echo '{\"protocol\":\"dp-assay/external/1\",\"length\":1,\"encoding\":\"json\"}'\n\
             while read x; do echo '{\"id\":0,\"error\":\"out of memory\"}'; done\n",
        ),
    ] {
        write(name, text.as_bytes());
    }
    // Some bytes that name more than 10⁹ entries.
    let wide = "0.5 1300000:1\n0.25 1:1\n".repeat(400);
    write("wide.svm", wide.as_bytes());
    write("many.csv", "0.5,a\n-0.5,b\n".repeat(601).as_bytes());
    write("latin.csv", b"1,2,caf\xe9\n3,4,b\n");
    write(
        "damaged.csv.gz",
        b"\x1f\x8b\x08\0\0\0\0\0\0\x03not deflated at all",
    );
    write(
        "text.sqlite",
        "not a database, and longer than a header of one would be"
            .repeat(9)
            .as_bytes(),
    );
    folder
}

/// Plans of campaigns, all of them wrong but two.
fn plans() -> Vec<(&'static str, String)> {
    let head = "schema = \"dp-assay/plan/1\"\nseed = 1\nalpha = 1e-6\n";
    let plan = |audit: &str| format!("{head}[[audit]]\nname = \"a\"\n{audit}");
    let claim = "claim = { epsilon = 1.0, delta = 0.0 }\npairs = 10\n";
    let program =
        "external = { command = \"true\", input0 = \"none.json\", input1 = \"none.json\" }\n";
    let good = plan(&format!("mechanism = \"laplace\"\n{claim}"));
    vec![
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
        ("relation.toml", plan(&format!("{program}{claim}"))),
        ("subject.toml", plan(claim)),
        ("schema.toml", good.replace("plan/1", "plan/9")),
        ("alpha.toml", good.replace("1e-6", "1.5")),
        ("bare.toml", format!("{head}audit = []\n")),
        (
            "twice.toml",
            format!("{good}[[audit]]\nname = \"a\"\nmechanism = \"laplace\"\n{claim}"),
        ),
        ("pairs.toml", good.replace("pairs = 10", "pairs = 0")),
        ("claim.toml", good.replace("delta = 0.0", "delta = 1.0")),
        ("other.toml", good.replace("seed = 1", "seed = 2")),
        ("good.toml", good),
    ]
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
        // A word with a blank in it is written with `~`.
        let word = |w: &str| w.replace("DIR/", &name).replace('~', " ");
        let words: Vec<String> = line.split(' ').map(word).collect();
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
            "account gaussian --sigma 1 --delta 0",
            "account subsampled-gaussian --sigma 1 --q 2 --delta 1e-5",
            "account gaussian --sigma 1 --delta 1e-5 --oracle --oracle-width 0",
            "account laplace --sigma 1 --delta 1e-5 --neighbours friends",
            "account laplace --sigma 1 --delta 1e-5 --method magic",
            "calibrate gaussian --delta 1e-5",
            "account gaussian --sigma 1e-300 --delta 1e-5",
            "account subsampled-gaussian --sigma 1e6 --q 1e-9 --steps 1000000000 --delta 1e-9 --method pld",
            "calibrate gaussian --epsilon -1 --delta 1e-5",
            "calibrate gaussian --epsilon 1e300 --delta 1e-5",
            "calibrate gaussian --epsilon 0 --delta 0",
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
            "audit external --claim eps=1 --command ~",
            "audit external --claim eps=1 --command true",
            "audit external --claim eps=1 --command true --neighbours user",
            "audit external --claim eps=1 --command true --neighbours user --input0 DIR/data.csv",
            "audit external --claim eps=1 --command true --neighbours user --input0 DIR/none.json --input1 DIR/data.csv",
            "audit external --command true --neighbours user --input0 DIR/data.csv --input1 DIR/four.csv",
            "audit external --claim eps=1 --command no-such-program --neighbours user --input0 DIR/data.csv --input1 DIR/four.csv",
            "audit external --claim eps=1 --command sh~DIR/ended.sh --neighbours user --input0 DIR/data.csv --input1 DIR/four.csv",
            "audit external --claim eps=1 --command sh~DIR/wrong.sh --timeout 1 --neighbours user --input0 DIR/data.csv --input1 DIR/four.csv",
            "audit external --claim eps=1 --command sh~DIR/gave-up.sh --neighbours user --input0 DIR/data.csv --input1 DIR/four.csv",
            "audit external --claim eps=1 --command sh~DIR/silent.sh --timeout 1 --neighbours user --input0 DIR/data.csv --input1 DIR/four.csv",
            "audit external --claim eps=1 --command true --neighbours user --input0 DIR/data.csv --input1 DIR/data.csv",
            "audit laplace --claim eps=1 --trials 0",
            "audit laplace --claim eps=1 --trials 100 --report DIR/no/such/folder.html",
        ]
    ));
}

#[test]
fn campaigns_name_the_file_and_the_audit_at_fault() {
    let folder = files();
    let of = |name: &str| folder.path().join(name).display().to_string();
    for store in ["good.sqlite", "damaged.sqlite"] {
        let run = ["campaign", "run", &of("good.toml"), "--store", &of(store)];
        // Ten pairs see nothing.
        assert_eq!(dp_assay(&run).status.code(), Some(3));
    }
    rusqlite::Connection::open(of("damaged.sqlite"))
        .and_then(|store| store.execute("UPDATE chunks SET counts = '{'", []))
        .expect("a store is a SQLite file");
    snapshot!(answers(
        folder.path(),
        &[
            "campaign run DIR/none.toml --store DIR/s.sqlite",
            "campaign run DIR/empty.toml --store DIR/s.sqlite",
            "campaign run DIR/name.toml --store DIR/s.sqlite",
            "campaign run DIR/pair.toml --store DIR/s.sqlite",
            "campaign run DIR/input.toml --store DIR/s.sqlite",
            "campaign run DIR/relation.toml --store DIR/s.sqlite",
            "campaign run DIR/subject.toml --store DIR/s.sqlite",
            "campaign run DIR/schema.toml --store DIR/s.sqlite",
            "campaign run DIR/alpha.toml --store DIR/s.sqlite",
            "campaign run DIR/bare.toml --store DIR/s.sqlite",
            "campaign run DIR/twice.toml --store DIR/s.sqlite",
            "campaign run DIR/pairs.toml --store DIR/s.sqlite",
            "campaign run DIR/claim.toml --store DIR/s.sqlite",
            "campaign run DIR/other.toml --store DIR/good.sqlite",
            "campaign report DIR/good.toml --store DIR/damaged.sqlite",
            "campaign merge DIR/good.toml --store DIR/good.sqlite DIR/damaged.sqlite",
            "campaign run DIR/good.toml",
            "campaign run DIR/good.toml --store DIR/s.sqlite --shard 2/2",
            "campaign run DIR/good.toml --store DIR/text.sqlite",
            "campaign merge DIR/good.toml --store DIR/s.sqlite DIR/none.sqlite",
            "campaign status DIR/none.sqlite",
            "campaign report DIR/good.toml --store DIR/none.sqlite",
            "campaign slurm DIR/alpha.toml --store DIR/s.sqlite --shards 1 --out DIR/jobs",
            "campaign slurm DIR/name.toml --store DIR/s.sqlite --shards 1 --out DIR/jobs",
            "campaign slurm DIR/other.toml --store DIR/good.sqlite --shards 1 --out DIR/jobs",
            "campaign slurm DIR/good.toml --store DIR/no/s.sqlite --shards 1 --out DIR/jobs",
            "campaign slurm DIR/good.toml --store DIR/s.sqlite --shards 2 --out DIR/jobs",
            "campaign slurm DIR/good.toml --store DIR/s.sqlite --shards 1 --out DIR/good.toml",
            "campaign slurm DIR/good.toml --store DIR/s.sqlite --shards 1 --out DIR/",
            "campaign slurm DIR/good.toml --store DIR/s.sqlite --shards 1 --out DIR/no/jobs",
            "campaign slurm DIR/good.toml --store DIR/s.sqlite --shards 1 --cpus 0",
            "campaign slurm DIR/good.toml --store DIR/s.sqlite --shards 1 --time soon",
            "campaign slurm DIR/good.toml --store DIR/s.sqlite",
        ]
    ));
}

#[test]
fn files_of_data_are_refused_with_the_line_and_the_value_at_fault() {
    let folder = files();
    snapshot!(answers(
        folder.path(),
        &[
            "fit skgd --data DIR/",
            "fit skgd --data DIR/labels.csv",
            "fit skgd --data DIR/gap.csv",
            "fit skgd --data DIR/short.csv",
            "fit skgd --data DIR/words.csv",
            "fit skgd --data DIR/ragged.tsv",
            "fit skgd --data DIR/one.csv --loss logistic",
            "fit noisy-gd --data DIR/real.csv --loss logistic",
            "fit skgd --data DIR/data.csv --loss squared",
            "fit skgd --data DIR/data.csv --label 3",
            "fit skgd --data DIR/huge.svm",
            "fit skgd --data DIR/pair.svm",
            "fit skgd --data DIR/latin.csv",
            "fit skgd --data DIR/damaged.csv.gz",
        ]
    ));
}

#[test]
fn graphs_are_refused_with_the_line_and_the_vertex_at_fault() {
    let folder = files();
    let noise = "--sigma-cdp 1 --sigma-cor 1 --delta 1e-5";
    let lines = ["loop", "twice", "beyond", "text"];
    let lines = lines.map(|file| {
        format!("account decor --graph file:DIR/{file}.txt {noise} --adversary curious")
    });
    snapshot!(answers(
        folder.path(),
        &lines.each_ref().map(String::as_str)
    ));
}

#[test]
fn fits_say_which_number_or_which_choice_does_not_go() {
    let folder = files();
    snapshot!(answers(
        folder.path(),
        &[
            "fit skgd --data DIR/data.csv --l1 -1",
            "fit skgd --data DIR/data.csv --rounds 0",
            "fit skgd --data DIR/data.csv --sampling nice:9",
            "fit skgd --data DIR/data.csv --scaling standardise",
            "fit skgd --data DIR/data.csv --graph ring:3",
            "fit skgd --data DIR/data.csv --stream",
            "fit gcd --data DIR/data.csv --delta 0",
            "fit dp-sgd --data DIR/data.csv --rate 2",
            "fit dp-sgd --data DIR/data.csv --batch magic",
            "fit ambssgd --data DIR/real.csv",
            "fit ambssgd --data DIR/real.csv --loss logistic",
            "fit adassp --data DIR/real.csv --neighbours user",
            "fit adassp --data DIR/real.csv --l1 1",
            "fit decor --data DIR/data.csv --graph ring:9",
            "fit decor --data DIR/data.csv --adversary spy",
            "fit decor --data DIR/four.csv --graph file:DIR/apart.txt",
            "fit decor --data DIR/data.csv --timeout 1",
            "fit decor --data DIR/many.csv --graph ring:1202",
            "fit kl-spider",
            "fit kl-spider --data DIR/data.csv --builtin sine",
            "fit kl-spider --builtin magic",
            "fit kl-spider --builtin quadratic --dimension 0",
            "fit noisy-gd --data DIR/real.csv --knee 0",
            "fit noisy-gd --builtin quadratic --length 10 --smoothness 1e-9",
            "fit skgd --data DIR/far.csv --scaling standardise --public",
            "fit skgd --data DIR/data.csv --bound 1e300",
            "fit gcd --data DIR/data.csv --step 1e308",
        ]
    ));
}

/// Numbers that no run comes back from, and runs that nobody would wait for.
#[test]
fn fits_that_leave_the_doubles_or_the_day_are_refused() {
    let folder = files();
    snapshot!(answers(
        folder.path(),
        &[
            "fit skgd --data DIR/four.csv --step 1e300",
            "fit adassp --data DIR/real.csv --clip 1e200 --bound 1e-50 --epsilon 1e-12",
            "fit skgd --data DIR/four.csv --clip 1e308",
            "fit gcd --data DIR/four.csv --clip 1e150 --step 1e158",
            "fit ssgd --data DIR/real.csv --step 1e308",
            "fit adassp --data DIR/real.csv --bound 1e-160",
            "fit decor --data DIR/four.csv --graph path:1 --step 8e307",
            "fit adaptive-gd --builtin quadratic --records 4 --smoothness 1e-309 --epsilon 1000000",
            "fit kl-spider --builtin quadratic --smoothness 0.5 --epsilon 1000",
            "fit kl-spider --data DIR/four.csv --loss-bound 1e9",
            "fit kl-prox --data DIR/four.csv --rounds 10000000",
            "fit noisy-gd --data DIR/four.csv --length 10000000",
            "fit adaptive-gd --data DIR/four.csv --gradients 0",
            "fit kl-spider --builtin sine --records 1000000000 --dimension 1000000000",
            "fit kl-spider --data DIR/wide.svm --loss squared",
            "fit ssgd --data DIR/wide.svm",
            "fit adassp --data DIR/wide.svm --stream",
        ]
    ));
}

#[test]
fn experiments_say_what_they_cannot_read() {
    let folder = files();
    snapshot!(answers(
        folder.path(),
        &[
            "experiment",
            "experiment magic",
            "experiment list --quick --full",
            "experiment decor-fig-1a --out DIR/data.csv",
            "experiment gcd --without nobody",
            "experiment decor-claims --data-dir DIR/none",
            "experiment decor-claims --data-dir DIR/data.csv",
            "experiment decor-claims --data-dir DIR/wrong",
            "experiment decor-claims --data-dir DIR/odd",
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

#[test]
fn a_result_that_cannot_be_written_is_code_two_and_no_verdict() {
    for line in [
        "audit laplace --claim eps=1 --trials 1000",
        "audit laplace --claim eps=0.5 --trials 20000 --format json",
        "account gaussian --sigma 1 --delta 1e-5",
    ] {
        let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else {
            println!("SKIPPED: this machine has no /dev/full");
            return;
        };
        let mut command = Command::new(env!("CARGO_BIN_EXE_dp-assay"));
        let command = command.args(line.split(' ')).stdout(full);
        let output = command
            .output()
            .expect("the binary was built for this test");
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{line}: {message}");
        let said = "error: cannot write to standard output: No space left on device";
        assert!(message.starts_with(said), "{line}: {message}");
    }
}
