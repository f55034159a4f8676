//! Claims as theorems of the kernel: exactly what the claim says, printed so that it can be read back, checked a
//! second time by a program that shares no code, and as strong as the proof allows.

use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::Theorem;
use dp_assay_kernel::statement::{Statement, View};
use dp_assay_kernel::trace;
use dp_assay_spec::{gcd, moved, skgd};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

type Prove = fn(&Statement) -> Result<Theorem, Stuck>;

/// Every claim that has moved: its id, its statement and the program that proves it.
fn claims() -> Result<Vec<(&'static str, Statement, Prove)>, Stuck> {
    let mut all = Vec::new();
    for moved in moved::ALL {
        all.push((moved.id, (moved.statement)()?, moved.prove as Prove));
    }
    all.push((
        "gcd-thm-4.2-repaired (transcript)",
        gcd::kernel::statement(View::Transcript)?,
        gcd::kernel::prove,
    ));
    Ok(all)
}

#[test]
fn a_theorem_says_exactly_what_its_claim_says() -> Result<(), Stuck> {
    for (id, statement, prove) in claims()? {
        assert_eq!(*prove(&statement)?.statement(), statement, "{id}");
    }
    let proved = gcd::kernel::thm_4_2_repaired()?;
    assert_eq!(*proved.statement(), gcd::kernel::statement(View::End)?);
    let premises: Vec<_> = proved.premises().iter().map(|p| p.name).collect();
    assert_eq!(premises, ["pure-to-zcdp", "zcdp-to-dp"]);
    assert!(skgd::kernel::thm_4_2_cvx()?.premises().is_empty());
    assert!(
        skgd::kernel::thm_4_2_cvx_at_printed_k()?
            .premises()
            .is_empty()
    );
    Ok(())
}

#[test]
fn printed_statements_are_read_back_and_differ() -> Result<(), Stuck> {
    let mut texts = Vec::new();
    for (id, statement, _) in claims()? {
        let text = statement.to_string();
        assert_eq!(render::parse(&text)?, statement, "{id}");
        texts.push(text);
    }
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), claims()?.len());
    Ok(())
}

/// Neighbouring statements: what is written for what, and whether the program proves it. The numbers are where
/// each flips: of R²/K only half is needed, everything else is as small as this proof allows.
const NEIGHBOURS: [(&str, &str, &str, bool); 19] = [
    ("gcd-thm-4.2-repaired", "8·L_j", "9·L_j", true),
    ("gcd-thm-4.2-repaired", "8·L_j", "7·L_j", false),
    ("gcd-thm-4.2-repaired", "ε/8)", "ε/7)", true),
    ("gcd-thm-4.2-repaired", "ε/8)", "ε/9)", false),
    ("gcd-thm-4.2-repaired", "(1 + max", "(2 + max", true),
    ("gcd-thm-4.2-repaired", "(1 + max", "(1/2 + max", false),
    ("gcd-thm-4.2-repaired", "  assume δ ≤ 1\n", "", false),
    (
        "gcd-thm-4.2-repaired (transcript)",
        "T·max(",
        "2·T·max(",
        false,
    ),
    ("skgd-thm-4.2-cvx", "R²/K", "R²/(2·K)", true),
    ("skgd-thm-4.2-cvx", "R²/K", "R²/(3·K)", false),
    ("skgd-thm-4.2-cvx", "12·K·c·Σ𝒮", "13·K·c·Σ𝒮", true),
    ("skgd-thm-4.2-cvx", "12·K·c·Σ𝒮", "11·K·c·Σ𝒮", false),
    ("skgd-thm-4.2-cvx", "12·L_U", "11·L_U", true),
    ("skgd-thm-4.2-cvx", "12·L_U", "13·L_U", false),
    ("skgd-thm-4.2-cvx", "X[k + 1]", "X[k]", false),
    ("skgd-thm-4.2-cvx", "ℙ(j∈𝒮)/M_j", "2·ℙ(j∈𝒮)/M_j", false),
    ("skgd-thm-4.2-cvx", "  assume f is least at w⋆\n", "", false),
    ("skgd-thm-4.2-cvx-printed-K", "13·R·", "14·R·", true),
    ("skgd-thm-4.2-cvx-printed-K", "13·R·", "12·R·", false),
];

#[test]
fn weaker_neighbours_are_proved_and_stronger_ones_are_not() -> Result<(), Stuck> {
    for (id, printed, other, provable) in NEIGHBOURS {
        let claims = claims()?;
        let (_, statement, prove) = claims.iter().find(|(name, ..)| *name == id).unwrap();
        let text = statement.to_string();
        assert!(text.contains(printed), "{id} has no {printed}");
        let neighbour = render::parse(&text.replace(printed, other))?;
        let found = prove(&neighbour);
        let proved = found.as_ref().is_ok_and(|t| *t.statement() == neighbour);
        assert_eq!(
            proved,
            provable,
            "{id}: {printed} as {other}: {:?}",
            found.err()
        );
    }
    Ok(())
}

fn scratch(name: &str, content: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(name.replace(' ', "-"));
    fs::write(&path, content).unwrap();
    path
}

fn second_checker(arguments: &[&str]) -> Output {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/checker/check.py");
    // -B: nothing is written beside the program.
    let run = Command::new("python3")
        .args(["-B", program])
        .args(arguments)
        .output();
    run.expect("python3 is needed for this test")
}

#[test]
fn the_second_checker_accepts_every_proof() -> Result<(), Stuck> {
    for (id, statement, prove) in claims()? {
        let theorem = prove(&statement)?;
        let proof = scratch(&format!("{id}.trace"), &trace::write(&theorem));
        let wanted = scratch(&format!("{id}.statement"), &trace::statement(&statement));
        let run = second_checker(&[proof.to_str().unwrap(), wanted.to_str().unwrap()]);
        let said = String::from_utf8(run.stdout).unwrap();
        assert!(run.status.success(), "{id}: {said}");
        let mut lines = said.lines();
        assert_eq!(
            lines.next(),
            Some(trace::statement(&statement).as_str()),
            "{id}"
        );
        let premises: Vec<_> = theorem.premises().iter().map(|p| p.name).collect();
        let premises = if premises.is_empty() {
            "none".into()
        } else {
            premises.join(" ")
        };
        assert_eq!(
            lines.next(),
            Some(format!("premises: {premises}").as_str()),
            "{id}"
        );
    }
    Ok(())
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

/// A trace with one word put for another (two times in three), left out, or put in before it. Names of bound
/// variables are left alone where they are introduced: another name is the same proof.
fn corrupted(words: &[String], random: &mut Random) -> String {
    let plain = |w: &String| !["(", ")", "\n"].contains(&w.as_str());
    let binder = |w: &String| ["sum", "vec", "sup", "total", "E"].contains(&w.as_str());
    loop {
        let mut changed = words.to_vec();
        let i = random.below(words.len() - 1);
        let another_proof = (i > 0 && binder(&words[i - 1])) || is_context_of_a_leaf(words, i);
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
        if changed[i] != words[i] && plain(&changed[i]) {
            return changed.join(" ").replace("\n ", "\n").trim().to_owned();
        }
    }
}

/// How many corrupted traces of every claim.
const CORRUPTIONS: usize = 40;

#[test]
fn the_second_checker_rejects_a_thousand_corrupted_proofs() -> Result<(), Stuck> {
    let mut random = Random(7);
    let mut rejected = 0;
    for (id, statement, prove) in claims()? {
        let words = words(&trace::write(&prove(&statement)?));
        let traces: Vec<_> = (0..CORRUPTIONS)
            .map(|_| corrupted(&words, &mut random))
            .collect();
        let many = scratch(&format!("{id}.corrupted"), &traces.join("\n\n"));
        let wanted = scratch(&format!("{id}.wanted"), &trace::statement(&statement));
        let run = second_checker(&["--many", many.to_str().unwrap(), wanted.to_str().unwrap()]);
        let said = String::from_utf8(run.stdout).unwrap();
        assert!(
            run.status.success(),
            "{id}: {}",
            String::from_utf8_lossy(&run.stderr)
        );
        for (verdict, trace) in said.lines().zip(&traces) {
            assert!(
                verdict.starts_with("rejected"),
                "{id} was accepted with\n{trace}"
            );
            rejected += 1;
        }
    }
    assert!(rejected >= 1000, "{rejected}");
    Ok(())
}

#[test]
fn the_proof_for_a_person_names_premises_sources_and_rules() -> Result<(), Stuck> {
    let proof = render::proof(&gcd::kernel::thm_4_2_repaired()?);
    for part in [
        "Bun and Steinke 2016",
        "argmax",
        "shift",
        "compose",
        "forget",
        "(ε, δ)-DP",
    ] {
        assert!(proof.contains(part), "no {part} in\n{proof}");
    }
    Ok(())
}
