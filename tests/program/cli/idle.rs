//! No flag is idle: each that a command accepts can change its answer, or is refused where it would not, also with the value that it has
//! by default. Flags are read off the help, so that a new one without a trial fails here.

use crate::program::{command, dp_assay, stderr};
use crate::records::{files, stored};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A command, what is typed for its flags (another value than in the lines), and lines that it is given to beside.
struct Trials {
    command: &'static str,
    typed: &'static str,
    lines: &'static [&'static str],
    /// Flags that change nothing here and are right to: with the beginning of the lines, and why.
    right: &'static [(&'static str, &'static str, &'static str)],
}

const ACCOUNT: &str = "--example | --sigma 3 | --q 0.5 | --sampling random-allocation | --records 8 \
                       | --cap 3 | --separation 2 | --steps 16 | --delta 1e-6 | --neighbours \
                       replace-one | --method rdp | --format json | --oracle | --oracle-width 0.01 \
                       | --certified | --compare | --tradeoff | --svg new.svg | --graph ring:5 | \
                       --sigma-cdp 2 | --sigma-cor 2 | --clip 2 | --adversary curious | --batch 2 \
                       | --examples 8 | --points 3 | --epsilon 2 | --solve steps";
const FIT: &str = "--data real.csv | --label 0 | --loss huber | --epsilon 2 | --delta 1e-3 | \
                   --neighbours add-remove | --clip 0.7 | --bound 2 | --bounds ranges.csv | \
                   --bounds-share 0.3 | --missing middle | --classes no,yes | --features 3 | \
                   --nonzeros 1 | --tune 3 | --target-range -0.5:0.5 | --intercept | \
                   --no-intercept | --holdout 0.3 | --test other.csv | --out new.json | --centre \
                   0.05 | --scaling standardise | --smoothness private | --share 0.2 | --public | \
                   --passes 3 | --rounds 2 | --step 0.5 | --sampling full | --batch fixed-size | \
                   --rate 0.2 | --schedule theorem | --normal 1:1 | \
                   --calibration printed | --ridge 0.1 | --l1 \
                   0.01 | --seed 9 | --stream | --relative-error | --graph ring:5 | --adversary \
                   curious | --noise ldp | --sigma-cor 2 | --weights lazy-metropolis-hastings | --processes | \
                   --timeout 9 | --format json";
const KL: &str = "--data real.csv | --builtin sine | --records 500 | --dimension 3 | --label 0 | --loss \
                  phase-retrieval | --classes no,yes | --features 3 | --bound 2 | --knee 2 | \
                  --epsilon 2 | --delta 1e-3 | --neighbours zero-out | --beta 0.2 | --gamma 2 | \
                  --kappa 1.5 | --loss-bound 3 | --lipschitz 3 | --smoothness 3 | \
                  --weak-convexity 0.5 | --length 3 | --rounds 2 | --select | --schedule theorem | \
                  --start 0.5 | --gradients 2 | --seed 9 | --compare | --format json";

const TRIALS: [Trials; 9] = [
    Trials {
        command: "account",
        typed: ACCOUNT,
        lines: &[
            "account gaussian --sigma 2 --delta 1e-5",
            "account laplace --sigma 2 --delta 1e-5",
            "account subsampled-gaussian --sigma 2 --q 0.25 --steps 8 --delta 1e-5",
            "account event tree.json --delta 1e-5",
            "account event --example",
            "account decor --graph ring:4 --sigma-cdp 1 --sigma-cor 1 --delta 1e-5",
            "account decor --graph ring:4 --sigma-cdp 1 --sigma-cor 1 --delta 1e-5 --batch 1 --examples 4",
            "account gaussian --sigma 2 --delta 1e-5 --tradeoff",
            "account subsampled-gaussian --sigma 2 --q 0.25 --steps 8 --delta 1e-5 --compare",
        ],
        right: &[
            (
                "account",
                "--certified",
                "the lower end is as close as can be already",
            ),
            (
                "account decor",
                "--neighbours",
                "the relation that is protected, said again",
            ),
        ],
    },
    Trials {
        command: "calibrate",
        typed: ACCOUNT,
        lines: &[
            "calibrate gaussian --epsilon 1 --delta 1e-5",
            "calibrate laplace --epsilon 1 --delta 1e-5",
            "calibrate subsampled-gaussian --epsilon 1 --q 0.25 --steps 8 --delta 1e-5",
            "calibrate event free.json --epsilon 1 --delta 1e-5",
            "calibrate event --example",
            "calibrate decor --graph ring:4 --epsilon 1 --steps 8 --delta 1e-5",
            "calibrate decor --graph ring:4 --epsilon 1 --sigma-cdp 30 --steps 8 --delta 1e-5",
            "calibrate gaussian --epsilon 1 --sigma 20 --solve steps --delta 1e-5",
        ],
        right: &[],
    },
    Trials {
        command: "audit",
        typed: "--claim eps=3 | --must-see 9 | --trials 3000 | --alpha 1e-2 | --seed 5 | --format \
                json | --bits | --scale 3 | --sigma 3 | --set scale=3 | --command true | \
                --neighbours user | --input0 classes.csv | --input1 real.csv | --timeout 9 | \
                --report new.html | --recount tree.json | --control scores.csv",
        lines: &[
            "audit laplace --claim eps=1 --trials 2000",
            "audit gaussian --claim eps=1,delta=0.1 --trials 2000",
            "audit one-run scores.csv --claim eps=6",
            "audit list",
            "audit client",
        ],
        right: &[],
    },
    Trials {
        command: "fit",
        typed: FIT,
        lines: &[
            "fit auto --data classes.csv",
            "fit skgd --data classes.csv",
            "fit dp-cd --data classes.csv",
            "fit dp-sgd --data classes.csv",
            "fit gd --data classes.csv",
            "fit gcd --data classes.csv",
            "fit ambssgd --data real.csv",
            "fit ssgd --data real.csv",
            "fit adassp --data real.csv",
            "fit decor --data classes.csv --graph ring:4",
            "fit gd --data real.csv --loss squared",
            "fit adassp --data real.csv --stream",
            "fit gd --data sparse.svm",
            "fit gd --data classes.csv --smoothness private --epsilon 9",
            "fit gd --data classes.csv --missing middle --bounds ranges.csv",
        ],
        right: &[
            (
                "fit",
                "--intercept",
                "where it is the default, it is said again",
            ),
            (
                "fit",
                "--no-intercept",
                "where it is the default, it is said again",
            ),
            (
                "fit",
                "--nonzeros",
                "nine times one is more than the two features that there are",
            ),
            ("fit decor", "--processes", "another way to the same bits"),
            (
                "fit gd --data real.csv",
                "--loss",
                "no residual of these is beyond the knee of huber",
            ),
        ],
    },
    Trials {
        command: "fit kl-spider",
        typed: KL,
        lines: &[
            "fit kl-spider --builtin quadratic",
            "fit kl-prox --builtin quadratic",
            "fit adaptive-gd --builtin quadratic",
            "fit noisy-gd --builtin quadratic",
            "fit kl-spider --data classes.csv",
            "fit noisy-gd --data classes.csv",
            "fit noisy-gd --data real.csv --loss squared",
            "fit noisy-gd --data sparse.svm",
        ],
        right: &[],
    },
    Trials {
        command: "ledger",
        typed: "--proof gcd-thm-4.2-repaired | --trace gcd-thm-4.2-repaired | --out new | --paper \
                ambssgd | --verdict refuted | --findings | --severity critical | --format json | \
                --into classes.csv",
        lines: &[
            "ledger --paper acc",
            "ledger acc-gaussian",
            "ledger --proof gcd-thm-4.2-repaired",
            "ledger --trace gcd-thm-4.2-repaired",
        ],
        right: &[(
            "ledger --paper acc",
            "--severity",
            "nothing of the collection fails, so none is shown",
        )],
    },
    Trials {
        command: "experiment",
        typed: "--quick | --full | --data-dir . | --out new | --seed 3 | --without dorothea | \
                --selection-cost | --shard 0/2 | --merge new | --slurm new | --shards 2 | --cpus 2 \
                | --time 60 | --format json",
        lines: &["experiment list"],
        right: &[],
    },
    Trials {
        command: "paper",
        typed: "--format json | --erratum",
        lines: &["paper skgd"],
        right: &[],
    },
    Trials {
        command: "cite",
        typed: "--format cff",
        lines: &["cite", "cite gcd"],
        right: &[],
    },
];

/// What a flag of any command is for that tells of an answer without changing it.
const BESIDE: [&str; 3] = ["--quiet", "--help", "--version"];
/// What only asks that the same be found again, or found within a limit.
const AGAIN: [&str; 3] = ["--search", "--replay", "--oracle-width"];
/// Runs in the folder; the answer without times and without what a fit says that it was asked.
fn answer(folder: &Path, line: &str) -> (Option<i32>, String, BTreeSet<String>) {
    let before = names(folder);
    let output = command(&line.split_whitespace().collect::<Vec<_>>())
        .current_dir(folder)
        .output()
        .expect("the binary was built for this test");
    let made: BTreeSet<String> = names(folder).difference(&before).cloned().collect();
    for name in &made {
        let path = folder.join(name);
        let removed = match path.is_dir() {
            true => std::fs::remove_dir_all(&path),
            false => std::fs::remove_file(&path),
        };
        removed.expect("what was made can be removed");
    }
    if output.status.code() == Some(2) {
        return (Some(2), stderr(&output), made);
    }
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let mut value: Value = serde_json::from_str(&text).unwrap_or(Value::String(text));
    if let Some(object) = value.as_object_mut() {
        for key in ["request", "seconds", "defaults"] {
            object.remove(key);
        }
    }
    let text = match value {
        Value::String(text) => timeless(&text),
        other => other.to_string(),
    };
    (output.status.code(), text, made)
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        entry
            .expect("an entry")
            .file_name()
            .to_string_lossy()
            .into_owned()
    };
    entries.map(name).collect()
}

/// Without what is measured: `, 0.12 s`.
fn timeless(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let times = |i: usize| words.get(i + 1) == Some(&"s") && words[i].parse::<f64>().is_ok();
    let kept = (0..words.len()).filter(|&i| !times(i));
    kept.map(|i| words[i]).collect::<Vec<_>>().join(" ")
}

/// The flags of a command, each with its default.
fn flags(command: &str) -> BTreeMap<String, Option<String>> {
    let line: Vec<&str> = command.split(' ').chain(["--help"]).collect();
    let help = String::from_utf8(dp_assay(&line).stdout).expect("UTF-8");
    let mut found = BTreeMap::new();
    let mut last = String::new();
    for line in help.lines() {
        let line = line.trim_start();
        let begun = line
            .split_once("--")
            .filter(|(short, _)| short.is_empty() || short.len() == 4 && short.starts_with('-'));
        if let Some((_, long)) = begun {
            // Not a line of text that begins with a flag.
            let (name, rest) = long.split_once(' ').unwrap_or((long, ""));
            if !rest.is_empty() && !rest.starts_with(['<', '[']) || name.ends_with([':', '.']) {
                continue;
            }
            last = format!("--{name}");
            found.insert(last.clone(), None);
        }
        if let Some(default) = line.strip_prefix("[default: ") {
            // Before the first flag it is an argument's.
            if let Some(known) = found.get_mut(&last) {
                *known = Some(default.trim_end_matches(']').to_owned());
            }
        }
    }
    found
}

/// A line with a flag, in place of its own value where it has one.
fn with(line: &str, flag: &str, value: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    match words.iter().position(|word| *word == flag) {
        Some(at) if !value.is_empty() => words[at + 1] = value,
        Some(_) => {}
        None => words.extend([flag, value]),
    }
    words.join(" ")
}

/// A folder with the files that the lines name.
fn folder() -> tempfile::TempDir {
    let made = tempfile::tempdir().expect("a temporary folder");
    let folder = made.path();
    let [classes, _] = files(folder);
    let text = std::fs::read_to_string(&classes).expect("just written");
    let rows = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let sparse = rows.map(|row| {
        let class = if row[2] == "yes" { 1 } else { -1 };
        format!("{class} 1:{} 2:{}\n", row[0], row[1])
    });
    let scores = (0..200).map(|i| format!("{},{}\n", f64::from(i * 37 % 100) / 50.0, i % 2));
    for (name, text) in [
        ("sparse.svm", sparse.collect::<String>()),
        (
            "other.csv",
            text.lines()
                .take(20)
                .map(|line| format!("{line}\n"))
                .collect(),
        ),
        ("ranges.csv", "a,-2,2\nb,-2,2\n".to_owned()),
        ("scores.csv", scores.collect()),
        (
            "tree.json",
            r#"{"kind": "gaussian", "sigma": 2.0}"#.to_owned(),
        ),
        (
            "free.json",
            r#"{"kind": "gaussian", "sigma": "?"}"#.to_owned(),
        ),
    ] {
        stored(folder, name, &text);
    }
    made
}

/// A test for each command, so that they run beside each other.
macro_rules! commands {
    ($($name:ident: $command:literal,)*) => {
        const NAMED: &[&str] = &[$($command),*];
        $(#[test]
        fn $name() {
            let trials = TRIALS.iter().find(|trials| trials.command == $command);
            let wrong = idle(folder().path(), trials.expect("it has trials"));
            assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        })*
    };
}

commands! {
    no_flag_of_account_is_idle: "account",
    no_flag_of_calibrate_is_idle: "calibrate",
    no_flag_of_audit_is_idle: "audit",
    no_flag_of_fit_is_idle: "fit",
    no_flag_of_fit_without_convexity_is_idle: "fit kl-spider",
    no_flag_of_ledger_is_idle: "ledger",
    no_flag_of_experiment_is_idle: "experiment",
    no_flag_of_paper_is_idle: "paper",
    no_flag_of_cite_is_idle: "cite",
}

#[test]
fn every_command_with_trials_is_tried() {
    assert_eq!(NAMED, TRIALS.each_ref().map(|trials| trials.command));
}

/// What is wrong with the flags of a command.
fn idle(folder: &Path, trials: &Trials) -> Vec<String> {
    let flags = flags(trials.command);
    let typed: BTreeMap<&str, &str> = { trials.typed.split('|') }
        .map(|flag| flag.trim().split_once(' ').unwrap_or((flag.trim(), "")))
        .collect();
    let mut wrong = Vec::new();
    let fit = trials.command == "fit" || trials.command == "fit kl-spider";
    for line in trials.lines {
        let (plain, json) = (answer(folder, line), format!("{line} --format json"));
        assert_ne!(plain.0, Some(2), "{line}: {}", plain.1);
        let as_json = if fit {
            answer(folder, &json)
        } else {
            plain.clone()
        };
        for (flag, default) in &flags {
            let name = flag.as_str();
            if BESIDE.contains(&name) || AGAIN.contains(&name) {
                continue;
            }
            let Some(value) = typed.get(name) else {
                wrong.push(format!("{}: nothing is typed for {flag}", trials.command));
                continue;
            };
            let right =
                |(of, known, _): &(&str, &str, &str)| line.starts_with(of) && *known == name;
            let right = trials.right.iter().any(right);
            let (line, before) = match fit && name != "--format" {
                true => (json.as_str(), &as_json),
                false => (*line, &plain),
            };
            let asked = with(line, name, value);
            if asked == line {
                continue;
            }
            let after = answer(folder, &asked);
            if after.0 != Some(2) {
                let idle = after == *before && !right;
                wrong.extend(idle.then(|| format!("{line}: {flag} {value} changes nothing")));
                continue;
            }
            // Refused here whatever its value: with the one that it has by default, too.
            let idle = after.1.starts_with(&format!("error: {flag} goes with"));
            if let Some(default) = default.as_ref().filter(|_| idle) {
                let again = answer(folder, &with(line, name, default));
                if again.0 != Some(2) {
                    wrong.push(format!("{line}: {flag} {default} is not refused"));
                }
            }
        }
    }
    wrong
}
