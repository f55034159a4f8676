//! The same audit, the same result: what every builtin mechanism's audit finds on one seed, as `tests/data/audits_*.tsv` have it, with
//! the event, its counts, the wealth and what could have been seen. That results are *right* is what the other tests of this
//! folder look at; that another statistic is looked at, another event chosen or another number of pairs counted shows here.
//! Counts and words are compared as they are, other numbers but for the last digits: here the platform's logarithm is used.
//!
//! To change results, `DP_ASSAY_WRITE=1 cargo test --test audit value_stability` writes the files; their difference says which.

use crate::calls::call;
use crate::parallel::on_all_cores;
use crate::unchanged::Answers;
use dp_assay::audit::builtin::{self, Parameters};
use dp_assay::audit::one_run::scores::{OneRun, Scores};
use dp_assay::audit::{AuditReport, Guarantee, Release};
use serde_json::{Value, json};

/// Which claim is audited, and how.
const OWN: &str = "its own claim";
const TENTH: &str = "a tenth of it";
const BITS: &str = "with bits";

/// Whose bits are looked at: those of long outputs take too long here.
const BITS_OF: [&str; 5] = [
    "laplace",
    "gaussian",
    "same-noise-twice",
    "laplace-textbook-bits",
    "truncated-geometric",
];

/// What is the same in all rows, or another one each time.
const LEFT_OUT: [&str; 10] = [
    "schema",
    "mechanism",
    "claim",
    "neighbours",
    "release",
    "confidence",
    "alpha",
    "looked_at",
    "seconds",
    "seed",
];

fn report(name: &str, way: &str) -> AuditReport {
    let specimen = builtin::find(name, &Parameters::new()).expect("it is listed");
    // The plain Gaussian's claim needs a δ.
    let (claimed, delta) = match specimen.claimed.is_finite() {
        true => (specimen.claimed, specimen.delta),
        false => (3.0, 1e-3),
    };
    let audit = match way {
        TENTH => specimen.audit_claim(claimed / 10.0, delta),
        BITS => specimen.audit_claim(claimed, delta).bits(),
        _ => specimen.audit_claim(claimed, delta),
    };
    audit
        .trials(1500)
        .seed(29)
        .run()
        .unwrap_or_else(|e| panic!("{name}, {way}: {e}"))
}

/// What is found, without [`LEFT_OUT`].
fn found(name: &str, way: &str) -> Value {
    let mut value = serde_json::to_value(report(name, way)).expect("a report is JSON");
    let fields = value.as_object_mut().expect("an object");
    LEFT_OUT
        .iter()
        .for_each(|field| drop(fields.remove(*field)));
    value
}

/// Scores of canaries that membership moves, from no more than their numbers.
fn of_one_run(way: &str) -> Value {
    let shift = match way {
        OWN => 0.0,
        _ => 2.5,
    };
    let score = |i: u32| {
        let (hash, member) = (
            i.wrapping_mul(2_654_435_761),
            i.count_ones().is_multiple_of(2),
        );
        let score = f64::from(hash % 1000) / 250.0 + if member { shift } else { 0.0 };
        (score, member)
    };
    let scores = Scores::new((0..512).map(score).collect()).expect("fair coins");
    let audit = OneRun {
        claim: Some(Guarantee::new(0.5, 0.0).expect("a claim")),
        seed: 29,
        ..OneRun::default()
    };
    serde_json::to_value(audit.run(&scores).expect("a report")).expect("a report is JSON")
}

/// The first place where two values differ.
fn difference(seen: &Value, due: &Value) -> Option<String> {
    match (seen, due) {
        (Value::Object(a), Value::Object(b)) if a.len() == b.len() => {
            let mut entries = a.iter();
            entries.find_map(|(key, seen)| {
                let due = b.get(key).unwrap_or(&Value::Null);
                difference(seen, due).map(|at| format!("{key}: {at}"))
            })
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => a
            .iter()
            .zip(b)
            .find_map(|(seen, due)| difference(seen, due)),
        (Value::Number(a), Value::Number(b)) if a.is_f64() && b.is_f64() => {
            let (a, b) = (a.as_f64()?, b.as_f64()?);
            ((a - b).abs() > 1e-9 * a.abs().max(b.abs())).then(|| format!("{a}, was {b}"))
        }
        _ => (seen != due).then(|| format!("{seen}, was {due}")),
    }
}

/// An audit with all that its way sets, word by word; or, of no mechanism, what a function gives.
fn set(name: &str, way: &str) -> Value {
    if name == "call" {
        return call(way);
    }
    let (mut parameters, mut claim, mut settings) = (Parameters::new(), (None, None), Vec::new());
    for word in way.split(' ') {
        let (key, value) = word.split_once('=').unwrap_or((word, "0"));
        let value: f64 = value.parse().expect("a number");
        match key {
            "epsilon" => claim.0 = Some(value),
            "delta" => claim.1 = Some(value),
            _ if key.starts_with('.') => drop(parameters.insert(key[1..].to_owned(), value)),
            _ => settings.push((key, value)),
        }
    }
    let specimen = match builtin::find(name, &parameters) {
        Ok(specimen) => specimen,
        Err(why) => return json!({ "refused": why.to_string() }),
    };
    let claimed = Some(specimen.claimed).filter(|epsilon| epsilon.is_finite());
    let epsilon = claim.0.or(claimed).unwrap_or(3.0);
    let audit = specimen.audit_claim(epsilon, claim.1.unwrap_or(specimen.delta));
    let audit = settings
        .into_iter()
        .fold(audit.trials(400), |audit, (key, value)| match key {
            "trials" => audit.trials(value as u64),
            "seed" => audit.seed(value as u64),
            "alpha" => audit.alpha(value),
            "see" => audit.must_see(value),
            "gaussian" => audit.gaussian(),
            "bits" => audit.bits(),
            "transcript" => audit.release(Release::Transcript),
            _ => panic!("{key}: no setting"),
        });
    match audit.run() {
        Ok(mut report) => {
            report.seconds = 0.0;
            json!([report, report.text(), report.to_string()])
        }
        Err(why) => json!({ "refused": why.to_string() }),
    }
}

/// What is stored of a mechanism and a way: rows of a file that says itself what is asked.
#[test]
fn audits_with_other_settings_find_what_they_found() {
    let file = Answers("tests/data/audits_settings.tsv");
    let rows = file.rows();
    let asked: Vec<_> = rows
        .iter()
        .map(|[name, way, _]| (&**name, &**way))
        .collect();
    hold_by(&file, &asked, set);
}

/// Holds what is found of these mechanisms in these ways against a file, or writes it.
fn hold(file: &'static str, asked: &[(&str, &str)]) {
    hold_by(&Answers(file), asked, |name, way| match name {
        "one-run" => of_one_run(way),
        name => found(name, way),
    });
}

fn hold_by(file: &Answers<3>, asked: &[(&str, &str)], find: fn(&str, &str) -> Value) {
    let found = on_all_cores(asked, |(name, way)| {
        [
            (*name).to_owned(),
            (*way).to_owned(),
            find(name, way).to_string(),
        ]
    });
    file.hold(&found, |[name, way, seen], [of, by, due]| {
        assert_eq!((name, way), (of, by), "the row's place");
        let json = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
        difference(&json(seen), &json(due)).map(|at| format!("{name}, {way}: {at}"))
    });
}

/// Whether it is a solver that is audited.
fn is_solver(name: &str) -> bool {
    name.ends_with("-optimized")
}

/// References are held against these, draw by draw, elsewhere.
#[test]
fn audits_of_solvers_find_on_a_seed_what_they_found() {
    let names = builtin::names().into_iter().filter(|name| is_solver(name));
    let asked = names.flat_map(|name| [(name, OWN), (name, TENTH)]);
    hold("tests/data/audits_solvers.tsv", &asked.collect::<Vec<_>>());
}

#[test]
fn audits_of_mechanisms_find_on_a_seed_what_they_found() {
    let names = builtin::names().into_iter().chain(["one-run"]);
    let names = names.filter(|name| !is_solver(name) && !name.ends_with("-reference"));
    let asked = names.flat_map(|name| [(name, OWN), (name, TENTH)]);
    let bits = BITS_OF.map(|name| (name, BITS));
    let asked: Vec<_> = asked.chain(bits).collect();
    hold("tests/data/audits_mechanisms.tsv", &asked);
}
