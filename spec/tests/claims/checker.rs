//! The second checker, which shares no code with the kernel: what it accepts and what it rejects.

use super::kernel::THEOREMS;
use dp_assay_kernel::trace;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An empty folder for what a test writes.
pub(super) fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

pub(super) fn written(folder: &Path, name: &str, content: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

pub(super) fn second_checker(arguments: &[&str]) -> Output {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/checker/check.py");
    // -B: nothing is written beside the program.
    let run = Command::new("python3")
        .args(["-B", program])
        .args(arguments)
        .output();
    run.expect("python3 is needed for this test")
}

/// A folder with every proof, and what the checker says of each.
fn every_proof(name: &str) -> (PathBuf, Vec<String>) {
    let folder = folder(name);
    let mut expected = BTreeMap::new();
    for (id, statement, theorem) in THEOREMS.iter() {
        let theorem = theorem.as_ref().expect("it is proved");
        written(
            &folder,
            &format!("{id}.trace"),
            &trace::write(theorem.trace()),
        );
        let wanted = trace::statement(statement);
        written(&folder, &format!("{id}.statement"), &wanted);
        let premises: Vec<_> = theorem.premises().iter().map(|p| p.name).collect();
        let premises = match premises.is_empty() {
            true => "none".into(),
            false => premises.join(" "),
        };
        expected.insert(id, format!("{id}: accepted, premises: {premises}"));
    }
    (folder, expected.into_values().collect())
}

/// As a reader checks what `ledger --trace all` writes.
#[test]
fn the_second_checker_accepts_every_proof() {
    accepts_every_proof("accepted", &[]);
}

/// Each proof is checked by itself, with names of its own that are numbered from 95, and behind all that come after it: what was
/// checked before may not help, and an order that rested on how names read was another where one more digit came.
#[test]
#[ignore = "seconds of computing: .ci/run runs it"]
fn the_second_checker_accepts_every_proof_by_itself_and_behind_others_at_length() {
    accepts_every_proof("anyhow", &["--anyhow"]);
}

fn accepts_every_proof(name: &str, how: &[&str]) {
    let (folder, mut expected) = every_proof(name);
    expected.push(format!("{0} of {0} accepted", expected.len()));
    let run = second_checker(&[how, &[folder.to_str().unwrap()]].concat());
    let said = String::from_utf8(run.stdout).unwrap();
    assert_eq!(said.lines().collect::<Vec<_>>(), expected);
    assert!(run.status.success());
}

/// One proof here is beside the statement of another.
#[test]
fn the_second_checker_tells_of_each_proof_in_a_folder() {
    let folder = folder("folder");
    for (k, (id, ..)) in THEOREMS.iter().take(3).enumerate() {
        let (_, statement, theorem) = &THEOREMS[if k == 2 { 0 } else { k }];
        let theorem = theorem.as_ref().expect("it is proved");
        written(
            &folder,
            &format!("{k}.trace"),
            &trace::write(theorem.trace()),
        );
        let (_, other, _) = &THEOREMS[k];
        written(&folder, &format!("{k}.statement"), &trace::statement(other));
        assert_eq!(statement == other, k < 2, "{id}");
    }
    let run = second_checker(&[folder.to_str().unwrap()]);
    let said = String::from_utf8(run.stdout).unwrap();
    let begun = [
        "0: accepted, ",
        "1: accepted, ",
        "2: rejected: another statement is proved",
        "2 of 3 accepted",
    ];
    assert_eq!(said.lines().count(), begun.len(), "{said}");
    for (line, begun) in said.lines().zip(begun) {
        assert!(line.starts_with(begun), "{line}");
    }
    assert_eq!(run.status.code(), Some(1));
}

#[test]
fn the_second_checker_compares_with_the_statement_asked_for() {
    let (id, statement, theorem) = &THEOREMS[0];
    let (other, another, _) = &THEOREMS[1];
    let folder = folder("compared");
    let theorem = theorem.as_ref().expect("it is proved");
    let proof = written(&folder, "proof", &trace::write(theorem.trace()));
    for (name, wanted, accepted) in [(id, statement, true), (other, another, false)] {
        let wanted = written(&folder, name, &trace::statement(wanted));
        let run = second_checker(&[&proof, &wanted]);
        let said = String::from_utf8(run.stdout).unwrap();
        assert_eq!(run.status.success(), accepted, "{said}");
        assert_eq!(
            said.contains("another statement is proved"),
            !accepted,
            "{said}"
        );
    }
}

/// What the rule on limits concludes from a bound for a variable of a sort, and when it is refused.
#[test]
fn the_second_checker_takes_limits_of_two_forms() {
    let (form, sort) = (
        "neither a multiple of a real y nor a quotient by an integer y",
        "neither for every real y > 0 nor for every integer y of at least 1",
    );
    let (real, more) = ("(real positive)", "more depends on y");
    let folder = folder("limits");
    for (name, items, [left, right, rest], why) in [
        ("real", &[real][..], ["0", "(+ 0 (* 1 y))", "y"], None),
        (
            "integer",
            &["count"],
            ["0", "(+ 0 (/ 1 y))", "(/ 1 y)"],
            None,
        ),
        ("large", &["count"], ["0", "(+ 0 (* 1 y))", "y"], Some(form)),
        (
            "quotient",
            &[real],
            ["0", "(+ 0 (/ 1 y))", "(/ 1 y)"],
            Some(form),
        ),
        (
            "bound",
            &["count"],
            ["-1", "(+ (- y 1) (/ 1 y))", "(+ y (/ 1 y))"],
            Some(more),
        ),
        (
            "factor",
            &["count"],
            ["0", "(+ 0 (/ y y))", "1"],
            Some(more),
        ),
        (
            "left",
            &["count"],
            ["(- 0 y)", "(+ 0 (/ 1 y))", "(+ y (/ 1 y))"],
            Some(more),
        ),
        (
            "parts",
            &["count"],
            ["0", "(+ 0 0 (/ 1 y))", "(/ 1 y)"],
            Some("no two parts"),
        ),
        (
            "index",
            &["(index 9)"],
            ["0", "(+ 0 (* 1 y))", "y"],
            Some(sort),
        ),
        (
            "supposed",
            &["count", "(<= y 1)"],
            ["0", "(+ 0 (/ 1 y))", "(/ 1 y)"],
            Some("the context does not end with a variable"),
        ),
    ] {
        let given = { items.get(1) }.map(|g| format!("(context 2 1 (assume {g}))\n"));
        let proof = format!(
            "(trace 1)\n(context 1 0 (var y {}))\n{}\
             (step 0 {} (combine ({rest} 0)) () (<= {left} {right}))\n\
             (step 1 0 (limit) (0) (<= {left} {}))\n(qed 1 ())\n",
            items[0],
            given.unwrap_or_default(),
            items.len(),
            match name {
                "bound" => "(- y 1)",
                _ => "0",
            },
        );
        let run = second_checker(&[&written(&folder, name, &proof)]);
        let said = String::from_utf8(run.stdout).unwrap();
        match why {
            None => assert!(run.status.success(), "{name}: {said}"),
            Some(why) => assert_eq!(said, format!("rejected: {why}\n"), "{name}"),
        }
    }
}

/// A generator of the corruptions, the same on every run (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// The words of a trace; brackets and ends of lines are words, too.
fn words(trace: &str) -> Vec<String> {
    let spaced = trace
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('\n', " \n ");
    let words = spaced.split(' ').filter(|w| !w.is_empty());
    words.map(str::to_owned).collect()
}

/// Whether a word is the context of a step that rests on no other: what holds there holds in any context with the
/// same items in front, so that another number may be a proof, too.
fn is_context_of_a_leaf(words: &[String], i: usize) -> bool {
    let line = words[i..].iter().take_while(|w| *w != "\n");
    let line: Vec<&str> = line.map(String::as_str).collect();
    i > 1 && words[i - 2] == "step" && line.windows(2).any(|pair| pair == ["(", ")"])
}

/// Whether another word, or one more or fewer, says the same: in a product (* (- x x) …), which is 0, where j is written for
/// x in an entry (at (vec x d body) j), and the sign in a square (^ (- 0 x) 2).
fn says_the_same(words: &[String], i: usize, other: Option<&String>) -> bool {
    let sign = |word: &String| word == "+" || word == "-";
    let square = i > 3 && words[i - 3..i] == ["(", "^", "("] && words[i + 1] == "0";
    if square && sign(&words[i]) && other.is_some_and(sign) {
        return true;
    }
    let mut depth = 1;
    for k in (0..i).rev() {
        match words[k].as_str() {
            ")" => depth += 1,
            "(" => depth -= 1,
            _ => {}
        }
        if depth > 0 {
            continue;
        }
        depth = 1;
        let inside = &words[k + 1..];
        let zero =
            inside.starts_with(&["*", "(", "-"].map(str::to_owned)) && inside[3] == inside[4];
        if zero && inside[3] != "(" && i > k + 6 {
            return true;
        }
        if inside[0] == "vec" && inside[1] == words[i] && words[k - 1] == "at" {
            let mut open = 1;
            let end = inside.iter().position(|word| {
                open += i32::from(word == "(") - i32::from(word == ")");
                open == 0
            });
            return end.is_some_and(|end| inside.get(end + 1) == other);
        }
    }
    false
}

/// Whether two words number steps that say the same by the same rule, in whatever contexts: either may be referred to.
fn are_steps_alike(words: &[String], one: &String, other: Option<&String>) -> bool {
    let said = |number: &String| {
        let mut lines = words.split(|w| w == "\n");
        lines.find_map(|line| match line {
            [_, step, n, _, rest @ ..] if step == "step" && n == number => Some(rest),
            _ => None,
        })
    };
    let other = other.and_then(said);
    other.is_some() && other == said(one)
}

/// Whether a word is in the multiplier of M·(1/M) = 1 for a maximum M, which is plainly > 0: the normal forms of the two sides are one, so
/// that any multiplier is a proof.
fn multiplies_nothing(words: &[String], i: usize) -> bool {
    let start = words[..i]
        .iter()
        .rposition(|w| w == "\n")
        .map_or(0, |n| n + 1);
    let line: Vec<&str> = { words[start..].iter() }
        .take_while(|w| *w != "\n")
        .map(String::as_str)
        .collect();
    if line.get(5) != Some(&"combine") {
        return false;
    }
    let close = |from: usize| {
        let mut open = 0;
        let end = line[from..].iter().position(|word| {
            open += i32::from(*word == "(") - i32::from(*word == ")");
            open == 0
        });
        end.map_or(line.len(), |end| from + end)
    };
    // A part is a multiplier and how many facts it takes; behind the parts come the steps that these are.
    let (mut at, mut taken, mut own) = (6, 0, 0..0);
    while line[at] == "(" {
        let end = close(at);
        let count: usize = line[end - 1].parse().expect("a part ends with a number");
        if (start + at..start + end).contains(&i) {
            own = taken..taken + count;
        }
        (at, taken) = (end + 1, taken + count);
    }
    let inverse = |number: &&str| {
        let mut lines = words.split(|w| w == "\n");
        let said = ["(", "inverse", "(", "max"];
        lines.any(|l| l.len() > 8 && l[1] == "step" && l[2] == **number && l[4..8] == said)
    };
    own.into_iter().any(|n| inverse(&line[at + 2 + n]))
}

/// A trace with one word put for another (two times in three), left out, or put in before it. Names of bound
/// variables are left alone where they are introduced: another name is the same proof.
fn corrupted(words: &[String], random: &mut Random) -> String {
    let plain = |w: &String| !["(", ")", "\n"].contains(&w.as_str());
    let binder = |w: &String| ["sum", "vec", "sup", "total", "E"].contains(&w.as_str());
    loop {
        let mut changed = words.to_vec();
        let i = random.below(words.len() - 1);
        let another_proof = (i > 0 && binder(&words[i - 1]))
            || is_context_of_a_leaf(words, i)
            || multiplies_nothing(words, i);
        if !plain(&words[i]) || another_proof {
            continue;
        }
        match random.below(6) {
            0 => {
                changed.remove(i);
            }
            1 => changed.insert(i, words[i + 1].clone()),
            _ => changed[i] = words[random.below(words.len())].clone(),
        }
        let other = (changed.len() == words.len()).then(|| &changed[i]);
        let same = says_the_same(words, i, other) || are_steps_alike(words, &words[i], other);
        if changed[i] != words[i] && plain(&changed[i]) && !same {
            return changed.join(" ").replace("\n ", "\n").trim().to_owned();
        }
    }
}

/// Corrupted traces of every claim, each of which the second checker rejects.
fn reject_corrupted(of_each: usize) {
    let mut random = Random(7);
    let folder = folder(&format!("corrupted-{of_each}"));
    let (mut files, mut traces) = (vec!["--many".to_owned()], Vec::new());
    for (id, statement, theorem) in THEOREMS.iter() {
        let words = words(&trace::write(
            theorem.as_ref().expect("it is proved").trace(),
        ));
        let own: Vec<_> = (0..of_each)
            .map(|_| corrupted(&words, &mut random))
            .collect();
        let wanted = trace::statement(statement);
        files.push(written(
            &folder,
            &format!("{id}.corrupted"),
            &own.join("\n\n"),
        ));
        files.push(written(&folder, &format!("{id}.wanted"), &wanted));
        traces.extend(own.into_iter().map(|trace| (id, trace)));
    }
    let run = second_checker(&files.iter().map(String::as_str).collect::<Vec<_>>());
    let said = String::from_utf8(run.stdout).unwrap();
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{errors}");
    assert_eq!(said.lines().count(), traces.len(), "{errors}");
    for (verdict, (id, trace)) in said.lines().zip(&traces) {
        let rejected = verdict.starts_with("rejected");
        assert!(rejected, "{id} was accepted with\n{trace}");
    }
}

#[test]
fn the_second_checker_rejects_a_thousand_corrupted_proofs() {
    reject_corrupted(1_000 / THEOREMS.len() + 1)
}

#[test]
#[ignore = "a minute and a half: forty corruptions of every proof"]
fn the_second_checker_rejects_many_corrupted_proofs() {
    reject_corrupted(40)
}
