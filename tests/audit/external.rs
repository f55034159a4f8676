//! External programs: a well-behaved one gives its numbers, a broken one gives a clear error that
//! names the request, and never a verdict.

use dp_assay::audit::external::{External, ExternalError, ServedInput, ServedProgram};
use dp_assay::audit::{Audit, AuditError, AuditReport, Mechanism, Output, Verdict};
use dp_assay::mechanism::tape::Tape;
use dp_assay::units::Neighbouring;
use std::time::Duration;

const LAPLACE: &str = concat!(
    "python3 ",
    env!("CARGO_MANIFEST_DIR"),
    "/tests/data/external/laplace.py"
);
const MISBEHAVE: &str = concat!(
    "python3 ",
    env!("CARGO_MANIFEST_DIR"),
    "/tests/data/external/misbehave.py "
);
/// Longer than a machine under load takes to start Python.
const LIMIT: Duration = Duration::from_secs(600);

/// The numbers of outputs, one output after the other.
fn numbers(outputs: Vec<Output>) -> Vec<f64> {
    let of = |output| match output {
        Output::Real(x) => vec![x],
        Output::Vector(v) => v,
        other => panic!("{other:?} is no output of numbers"),
    };
    outputs.into_iter().flat_map(of).collect()
}

fn laplace(first: &[(u64, usize)], seed: u64) -> Result<Vec<f64>, ExternalError> {
    let mut program = External::start(LAPLACE, 0, "[1, 2]", LIMIT)?;
    for (first, count) in first {
        program.request(seed, *first, *count)?;
    }
    let mut all = Vec::new();
    for _ in first {
        all.extend(numbers(program.outputs()?));
    }
    Ok(all)
}

#[test]
fn outputs_depend_on_seed_and_number_not_on_batches() {
    let whole = laplace(&[(0, 100)], 7).unwrap();
    let parts = laplace(&[(0, 30), (30, 1), (31, 69)], 7).unwrap();
    assert_eq!(whole, parts);
    assert_ne!(whole, laplace(&[(0, 100)], 8).unwrap());
    // The sum is 3 and the mean of 100 Laplace variates has standard deviation 0.141; the seed is
    // fixed, so this either always passes or never does.
    let mean = whole.iter().sum::<f64>() / 100.0;
    assert!((mean - 3.0).abs() < 6.0 * 0.1415, "mean {mean}");
}

/// Checks each case on a thread of its own: they wait more than they compute.
fn at_once<T: Send, const N: usize>(cases: [T; N], check: impl Fn(T) + Sync) {
    let check = &check;
    std::thread::scope(|scope| {
        for case in cases {
            scope.spawn(move || check(case));
        }
    });
}

/// One request of two outputs to a program that misbehaves in the given way.
fn misbehave(way: &str, limit: Duration) -> Result<Vec<f64>, String> {
    let attempt = || {
        let mut program = External::start(&format!("{MISBEHAVE}{way}"), 1, "", limit)?;
        program.request(1, 10, 2)?;
        program.outputs().map(numbers)
    };
    attempt().map_err(|e| e.to_string())
}

#[test]
fn special_values_arrive_as_themselves() {
    let outputs = misbehave("special", LIMIT).unwrap();
    assert_eq!(outputs.len(), 4);
    assert!(outputs[0].is_nan() && outputs[1] == f64::NEG_INFINITY);
}

#[test]
fn every_misbehaviour_is_an_error_that_names_the_request() {
    let request = "request 0 (2 outputs)";
    for (way, place, rule) in [
        (
            "other-protocol",
            "greeting",
            "`protocol` must be dp-assay/external/1",
        ),
        (
            "no-greeting",
            "greeting",
            "ended with exit status: 3 before it answered; its standard error ends: no data here",
        ),
        (
            "length-zero",
            "greeting",
            "`length` must lie in 1 to 1000000",
        ),
        (
            "crash",
            request,
            "exit status: 7 before it answered; its standard error ends: out of noise",
        ),
        ("not-json", request, "the answer begins: hello"),
        ("wrong-id", request, "`id` must be 0"),
        ("wrong-count", request, "1 outputs where 2 were asked for"),
        (
            "wrong-length",
            request,
            "output 0 has 3 numbers instead of 2",
        ),
        ("wrong-word", request, "output 0 has a word other than"),
        (
            "no-number",
            request,
            "output 1 is no number and no list of numbers",
        ),
        ("no-list", request, "`outputs` is a list"),
        ("error", request, "the program reports: the budget is spent"),
        (
            "binary-short",
            request,
            "`bytes` must be 32 (count × length × 8)",
        ),
        (
            "binary-cut",
            request,
            "ended with exit status: 0 before it answered",
        ),
        ("binary-huge", request, "`bytes` must be at most"),
    ] {
        let error = misbehave(way, LIMIT).unwrap_err();
        assert!(
            error.starts_with(place) && error.contains(rule),
            "{way}: {error}"
        );
    }
}

/// What is said with the least limit by which the program got as far as it should: under load it may not even
/// have started by a small one.
fn with_time_to(said: impl Fn(Duration) -> String, came: impl Fn(&str) -> bool) -> (f64, String) {
    let mut told = Vec::new();
    for seconds in [1.5, 10.0, 60.0] {
        let error = said(Duration::from_secs_f64(seconds));
        if came(&error) {
            return (seconds, error);
        }
        told.push(error);
    }
    panic!("{told:?}");
}

#[test]
fn a_program_that_is_silent_or_slow_is_killed_at_the_limit() {
    at_once(["silent", "slow"], |way| {
        let said = |limit| misbehave(way, limit).expect_err(way);
        let (limit, error) = with_time_to(said, |error| !error.starts_with("greeting: "));
        let expected = format!("request 0 (2 outputs): no complete answer within {limit} s");
        assert_eq!(error, expected, "{way}");
    });
}

#[test]
fn a_program_that_does_not_read_a_long_input_is_killed_at_the_limit() {
    // Longer than any pipe holds.
    let input = "x".repeat(1 << 22);
    let limit = Duration::from_millis(500);
    let error = External::start(&format!("{MISBEHAVE}deaf"), 0, &input, limit);
    let message = error.err().unwrap().to_string();
    assert_eq!(message, "greeting: no complete answer within 0.5 s");
}

/// An audit of a program that misbehaves in the given way.
fn audited(way: &str, limit: Duration) -> Result<AuditReport, AuditError> {
    let inputs = ["0", "1"].map(str::to_owned);
    let program = ServedProgram::new(&format!("{MISBEHAVE}{way}"), inputs, limit);
    let [first, second] = [0, 1].map(|index| ServedInput {
        index,
        name: format!("input {index}"),
    });
    let audit = Audit::of(program).claim(1.0, 0.0);
    let audit = audit.neighbours(Neighbouring::ReplaceOne, first, second);
    audit.trials(100).run()
}

#[test]
fn an_audit_of_a_broken_program_is_an_error_not_a_verdict() {
    for way in ["crash", "wrong-count", "binary-cut"] {
        let error = audited(way, LIMIT).expect_err(way).to_string();
        assert!(error.contains("request 0 (32 outputs): "), "{way}: {error}");
    }
}

#[test]
fn an_audit_of_a_program_that_breaks_off_is_an_error_that_names_the_request() {
    let error = |way: &str, limit| audited(way, limit).expect_err(way).to_string();
    let second = |error: &str| error.contains("request 1 (");
    for (way, rule) in [
        ("quits", "ended with exit status: 0 before it answered"),
        ("twice", "`id` must be 1"),
    ] {
        let error = error(way, LIMIT);
        assert!(second(&error) && error.contains(rule), "{way}: {error}");
    }
    let (limit, error) = with_time_to(|limit| error("falls-silent", limit), second);
    let rule = format!("no complete answer within {limit} s");
    assert!(error.contains(&rule), "{error}");
}

#[test]
fn an_audit_of_a_program_that_answers_no_numbers_accuses_nobody() {
    // Both sides answer NaN and −∞: error 1e-6.
    let report = audited("special", LIMIT).expect("words for numbers are numbers");
    assert_ne!(report.verdict, Verdict::Violation, "{report}");
    assert_eq!(report.epsilon_lower, 0.0, "{report}");
}

/// What it draws from one start to the next is the same noise, which no audit of one start can see.
#[test]
fn a_program_with_a_seed_of_its_own_is_an_error_and_one_without_any_is_not() {
    // Of a coin more outputs are needed to tell: as many as an audit draws first. Noise drawn array by array depends on how much is
    // asked for at once; and one side alone may have the seed.
    let ways = ["own-seed", "own-arrays", "own-second"].map(|way| (way, 16));
    for (way, outputs) in ways.into_iter().chain([("own-coin", 48)]) {
        let error = audited(way, LIMIT).expect_err("it repeats itself");
        let told =
            format!("`{MISBEHAVE}{way}` drew the same {outputs} outputs: in use, two releases");
        assert!(error.to_string().contains(&told), "{error}");
    }
    let report = audited("system-noise", LIMIT).expect("it draws afresh");
    assert_ne!(report.verdict, Verdict::Violation, "{report}");
}

#[test]
fn a_program_is_asked_for_every_output_once_whatever_the_size_of_the_requests() {
    // More outputs than one request asks for.
    let sides = [0, 1].map(|index| ServedInput {
        index,
        name: format!("input {index}"),
    });
    let program = ServedProgram::new(LAPLACE, ["[1, 2]", "[1]"].map(str::to_owned), LIMIT);
    let numbers: Vec<f64> = program
        .draw_many(&sides[0], Tape::new(7), 0..9000)
        .expect("it answers")
        .iter()
        .map(|output| match output {
            Output::Real(x) => *x,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(numbers, laplace(&[(0, 9000)], 7).unwrap());
}

#[test]
fn what_a_program_prints_before_its_greeting_is_skipped_and_told_if_none_comes() {
    let chatty = |lines: &str| format!("python3 -c {lines}");
    let start =
        |lines: &str, limit| External::start(&chatty(lines), 0, "", limit).map(|p| p.length());
    let greeting = r#"print('{"protocol":"dp-assay/external/1","length":3,"encoding":"json"}',flush=True);input()"#;
    let greets = format!("print('loading');print('[1]');print('{{\"level\":1}}');{greeting}");
    assert_eq!(start(&greets, LIMIT).expect("a greeting"), 3);
    let quiet = "print('loading',flush=True);input();input()";
    let said = |limit| start(quiet, limit).expect_err("no greeting").to_string();
    let (limit, message) = with_time_to(said, |message| message.contains("loading"));
    let rule = format!("within {limit} s; its standard output holds no greeting but: loading");
    assert!(message.ends_with(&rule), "{message}");
}

#[test]
fn a_command_that_does_not_exist_is_named() {
    let error = External::start("no-such-program --x", 0, "", LIMIT)
        .err()
        .unwrap();
    assert!(
        error
            .to_string()
            .starts_with("cannot start `no-such-program --x`: "),
        "{error}"
    );
}
