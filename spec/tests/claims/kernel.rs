//! Claims as theorems of the kernel: exactly what the claim says, printed so that it can be read back, and as strong as the proof
//! allows.

use crate::parallel::on_all_cores;
use crate::support::BOOK;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::Theorem;
use dp_assay_kernel::statement::Statement;
use dp_assay_kernel::trace;
use dp_assay_spec::moved;
use std::collections::BTreeMap;
use std::fs;
use std::sync::LazyLock;

pub(super) type Prove = fn(&Statement) -> Result<Theorem, Stuck>;

/// Every claim that has moved: its id, its statement and the program that proves it.
pub(super) fn claims() -> Result<Vec<(&'static str, Statement, Prove)>, Stuck> {
    let all = moved::all().chain(moved::BESIDES);
    all.map(|moved| Ok((moved.id, (moved.statement)()?, moved.prove)))
        .collect()
}

/// A claim's id and statement, and what its program proves.
type Proved = (&'static str, Statement, Result<Theorem, Stuck>);

/// What each of these programs proves, computed once for all tests.
pub(super) static THEOREMS: LazyLock<Vec<Proved>> = LazyLock::new(|| {
    let claims = claims().expect("every statement is well-formed");
    // The book has run most of them. One that proved nothing is run again, to say why.
    let booked: BTreeMap<_, _> = BOOK.iter().map(|e| (e.claim.id, &e.theorem)).collect();
    let proved = on_all_cores(&claims, |(id, statement, prove)| match booked.get(id) {
        Some(Some(theorem)) => Ok(theorem.clone()),
        _ => prove(statement),
    });
    let named = claims.into_iter().zip(proved);
    named
        .map(|((id, statement, _), theorem)| (id, statement, theorem))
        .collect()
});

fn theorem(id: &str) -> &'static Theorem {
    let named = THEOREMS.iter().find(|(name, ..)| *name == id);
    named.unwrap().2.as_ref().unwrap()
}

/// One line for every claim whose program fails, or proves something else.
#[test]
fn every_program_proves_exactly_what_its_claim_says() {
    let failed = THEOREMS.iter().filter_map(|(id, statement, theorem)| {
        let why = match theorem {
            Ok(theorem) if theorem.statement() == statement => return None,
            Ok(theorem) => format!("proved is {}", theorem.statement()),
            Err(why) => why.to_string(),
        };
        Some(format!("{id}: {why}"))
    });
    let failed: Vec<String> = failed.collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    let premises = |id| -> Vec<_> { theorem(id).premises().iter().map(|p| p.name).collect() };
    assert_eq!(premises("gcd-thm-4.2-repaired"), ["zcdp-to-dp"]);
    assert_eq!(premises("skgd-thm-4.2-cvx"), [""; 0]);
    assert_eq!(premises("skgd-thm-4.2-cvx-printed-K"), [""; 0]);
}

#[test]
fn printed_statements_are_read_back_and_differ() -> Result<(), Stuck> {
    // Two claims may say the same; two statements may not look the same.
    let mut texts = std::collections::BTreeMap::new();
    for (id, statement, _) in claims()? {
        let text = statement.to_string();
        // Names of bound variables, too.
        let read = trace::statement(&render::parse(&text)?);
        assert_eq!(read, trace::statement(&statement), "{id}");
        let before = texts.insert(text, statement.clone());
        assert!(before.is_none_or(|other| other == statement), "{id}");
    }
    // Theorem 1 is Theorem 6, and Corollary 3 is Corollary 12, at two q; two claims of skgd are Theorem 4.1, and one of decor a
    // lemma of skgd.
    assert_eq!(texts.len() + 7, claims()?.len());
    Ok(())
}

/// The printed Algorithm 3 of kl compares its charges with ρ/2, the corrected one with √ρ/n less: what is said of one is no
/// statement on the other.
#[test]
fn what_is_proved_of_an_algorithm_is_about_its_own_test() -> Result<(), Stuck> {
    let mut seen = [0, 0];
    for (id, statement, _) in claims()? {
        let text = statement.to_string();
        let corrected = id.contains("-corrected");
        let limit = match corrected {
            true => " exceeds ρ/2 − √(ρ)/n\n",
            false => " exceeds ρ/2\n",
        };
        if id.starts_with("kl-thm-3-re")
            || id.starts_with("kl-thm-5-priv-re")
            || matches!(
                id,
                "kl-thm-3-corrected" | "kl-thm-4-corrected" | "kl-thm-5-corrected"
            )
        {
            assert!(text.contains(limit), "{id}: {text}");
            seen[usize::from(corrected)] += 1;
        }
    }
    assert_eq!(seen, [8, 3]);
    Ok(())
}

/// Neighbouring statements: what is written for what, a line break as `\n`, and whether the program proves it. The numbers are
/// where each flips: of R²/K only half is needed, everything else is as small as this proof allows.
fn neighbours() -> impl Iterator<Item = (&'static str, String, String, bool)> {
    let lines = include_str!("../data/neighbours.tsv").lines().skip(1);
    lines.map(|line| {
        let [id, printed, instead, proved] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not four columns: {line}");
        };
        let whole = |text: &str| text.replace("\\n", "\n");
        let proved = proved.parse().expect("true or false");
        (id, whole(printed), whole(instead), proved)
    })
}

#[test]
fn weaker_neighbours_are_proved_and_stronger_ones_are_not() -> Result<(), Stuck> {
    let claims = claims()?;
    let neighbours: Vec<_> = neighbours().collect();
    on_all_cores(&neighbours, |(id, printed, other, provable)| {
        let (_, statement, prove) = claims.iter().find(|(name, ..)| name == id).unwrap();
        let text = statement.to_string();
        assert!(text.contains(printed), "{id} has no {printed}");
        let neighbour = render::parse(&text.replace(printed, other));
        let neighbour = neighbour.unwrap_or_else(|why| panic!("{id}: {printed} as {other}: {why}"));
        let found = prove(&neighbour);
        let proved = found.as_ref().is_ok_and(|t| *t.statement() == neighbour);
        assert_eq!(
            proved,
            *provable,
            "{id}: {printed} as {other}: {:?}",
            found.err()
        );
    });
    Ok(())
}

/// No claim is proved of which nobody looked whether a stronger one would be, too.
#[test]
fn every_theorem_has_a_neighbour_that_is_not_one() -> Result<(), Stuck> {
    let claims = claims()?;
    let looked_at = |statement: &Statement| {
        let alike = claims.iter().filter(|(_, other, _)| other == statement);
        let ids: Vec<&str> = alike.map(|(id, ..)| *id).collect();
        neighbours().any(|(id, .., proved)| !proved && ids.contains(&id))
    };
    let left: Vec<&str> = { claims.iter() }
        .filter(|(_, statement, _)| !looked_at(statement))
        .map(|(id, ..)| *id)
        .collect();
    assert_eq!(left, [""; 0]);
    Ok(())
}

#[test]
fn the_proof_for_a_person_names_premises_sources_and_rules() {
    let proof = trace::proof(theorem("gcd-thm-4.2-repaired").trace());
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
}

/// Lines that are neither empty nor comments.
fn code_lines(path: &std::path::Path) -> usize {
    let text = fs::read_to_string(path).unwrap();
    let code = |l: &&str| !l.trim().is_empty() && !l.trim().starts_with("//");
    text.lines().filter(code).count()
}

/// The front page's table of what is to be trusted: every file of the kernel but the search, with its lines, within the
/// design's limits.
#[test]
fn the_front_page_says_how_much_is_to_be_trusted() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/kernel/src/");
    let table = include_str!("../../src/trusted.md");
    let mut files: Vec<(String, usize)> = Vec::new();
    for folder in ["", "rules/", "render/"] {
        for entry in fs::read_dir(format!("{source}{folder}")).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_file() && name != "search.rs" {
                files.push((format!("{folder}{name}"), code_lines(&path)));
            }
        }
    }
    let mut found = 0;
    for (file, lines) in &files {
        let entry = format!("`{file}` {lines}");
        let told = table.split([',', '|']).any(|cell| cell.trim() == entry);
        assert!(told, "spec/src/trusted.md does not say {entry}");
        found += 1;
    }
    assert_eq!(found, table.matches(".rs` ").count(), "files that are gone");
    // Normal forms are exact arithmetic, which has a limit of its own.
    let part = |file: &str| match file {
        "normal.rs" => 1,
        file if file.starts_with("render/") => 2,
        _ => 0,
    };
    let sum = |which: usize| {
        let files = files.iter().filter(|(f, _)| part(f) == which);
        files.map(|(_, lines)| lines).sum::<usize>()
    };
    let sums = [0, 1, 2].map(sum);
    let limits = [4000, 2500, 1000];
    let within = sums.iter().zip(limits).all(|(sum, limit)| *sum <= limit);
    assert!(within, "{sums:?} against {limits:?}");
    for premise in dp_assay_kernel::premise::ALL {
        assert!(
            table.contains(&format!("`{}`", premise.name)),
            "{}",
            premise.name
        );
    }
}
