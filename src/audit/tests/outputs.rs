//! Outputs of all kinds, the messages that bring them, and draws that fail.

use crate::audit::external::wire::{Encoding, Form, Message, Request};
use crate::audit::features::Extras;
use crate::audit::sampler::{Phase, Sampler};
use crate::audit::value::Value;
use crate::audit::{AuditError, DrawError, Mechanism, Output, any, from_fn};
use crate::mechanism::tape::Tape;
use serde_json::json;
use std::collections::BTreeMap;
use std::ops::Range;

#[test]
fn what_a_function_returns_is_the_output_of_its_kind() {
    assert_eq!(Output::from(0.5), Output::Real(0.5));
    assert_eq!(Output::from(-3_i64), Output::Integer(-3));
    assert_eq!(
        [true, false].map(Output::from),
        [1, 0].map(Output::Category)
    );
    assert_eq!(Output::from(vec![1.0]), Output::Vector(vec![1.0]));
    assert_eq!(Output::from(vec![true]), Output::Bits(vec![true]));
    assert_eq!(Output::from(None::<f64>), Output::Nothing);
    assert_eq!(Output::from(Some(2.0)), Output::Real(2.0));
    assert_eq!(any(&0.5), Output::Real(0.5));
    assert_eq!(any(&7_u8), Output::Integer(7));
    assert_eq!(any(&[0.5, 1.5]), Output::Vector(vec![0.5, 1.5]));
    let list = Value::List(vec![Value::Real(0.5), Value::Null]);
    assert_eq!(any(&(0.5, ())), Output::Value(Box::new(list)));
    assert_eq!(any(&"a"), Output::Value(Box::new(Value::Text("a".into()))));
}

/// Values of whatever can be serialised, and how they are written.
#[test]
fn values_are_written_as_json_would_but_for_what_it_cannot() {
    let written = |json| Value::from_json(json).expect("a value").to_string();
    for (json, text) in [
        (json!(null), "null"),
        (json!(true), "true"),
        (json!(-3), "-3"),
        (json!(1.0), "1.0"),
        (json!(u64::MAX), "\"18446744073709551615\""),
        (json!("a\"b"), r#""a\"b""#),
        (json!([1, "x", []]), r#"[1, "x", []]"#),
        (json!({"set": ["b", 1, "a"]}), r#"{"1", "a", "b"}"#),
        (
            json!({"map": [["k", 1], [2, null]]}),
            r#"{"k": 1, "2": null}"#,
        ),
        (json!({"raised": ["E", "why"]}), r#"E("why")"#),
        (json!({"real": "nan"}), "NaN"),
        (json!({"real": "inf"}), "inf"),
        (json!({"real": "-inf"}), "-inf"),
    ] {
        assert_eq!(written(json), text);
    }
    let one_key = "an object stands for a value by one key: `real`, `set`, `map`, `raised`";
    for (json, rule) in [
        (json!({}), one_key),
        (json!({"real": "nan", "set": []}), one_key),
        (
            json!({"other": 1}),
            "`other` is none of `real`, `set`, `map`, `raised`",
        ),
        (
            json!({"real": "one"}),
            "`real` does not hold what it should",
        ),
        (json!({"real": 1.0}), "`real` does not hold what it should"),
        (json!({"set": 1}), "`set` does not hold what it should"),
        (json!({"map": [[1]]}), "`map` does not hold what it should"),
        (json!({"map": [1]}), "`map` does not hold what it should"),
        (json!({"map": [["k", {}]]}), one_key),
        (
            json!({"raised": ["E"]}),
            "`raised` does not hold what it should",
        ),
        (
            json!({"raised": ["E", 1]}),
            "`raised` does not hold what it should",
        ),
    ] {
        assert_eq!(Value::from_json(json).expect_err("no value"), rule);
    }
    let map: BTreeMap<i32, Option<u64>> = [(1, None), (-2, Some(u64::MAX))].into();
    let found = Value::of(&map).expect("a map");
    assert_eq!(
        found.to_string(),
        r#"{"-2": "18446744073709551615", "1": null}"#
    );
}

fn message(text: &str) -> Message {
    Message::read(&mut text.as_bytes()).expect("a line")
}

#[test]
fn answers_that_break_a_rule_are_named_with_it() {
    let hello = |protocol: &str, length: u64, encoding: &str| {
        let line = json!({"protocol": protocol, "length": length, "encoding": encoding});
        message(&format!("{line}\n"))
            .hello()
            .map_err(|e| e.to_string())
    };
    let [one, two] = ["dp-assay/external/1", "dp-assay/external/2"];
    let form = |length, encoding| Form { length, encoding };
    assert_eq!(hello(one, 2, "json"), Ok(form(2, Encoding::Json)));
    assert_eq!(
        hello(two, 1_000_000, "binary"),
        Ok(form(1_000_000, Encoding::Binary))
    );
    assert_eq!(hello(two, 0, "any"), Ok(form(1, Encoding::Any)));
    for (found, rule) in [
        (
            hello(one, 0, "any"),
            "`protocol` must be dp-assay/external/2",
        ),
        (
            hello("dp-assay/external/3", 1, "json"),
            "`protocol` must be dp-assay/external/1",
        ),
        (hello(one, 0, "json"), "`length` must lie in 1 to 1000000"),
        (
            hello(one, 1_000_001, "json"),
            "`length` must lie in 1 to 1000000",
        ),
    ] {
        let told = found.expect_err(rule);
        assert!(told.contains(rule), "{told}");
    }
    assert!(message("{\"protocol\": 1}\n").is_greeting());
    assert!(!message("{\"id\": 1}\n").is_greeting() && !message("hello\n").is_greeting());
    let request = Request {
        id: 3,
        seed: 1,
        first: 0,
        count: 2,
    };
    let outputs = |answer: serde_json::Value, length, encoding| {
        let answer = message(&format!("{answer}\n"));
        answer
            .outputs(&request, form(length, encoding))
            .map_err(|e| e.to_string())
    };
    let (json, any) = (Encoding::Json, Encoding::Any);
    let found = outputs(json!({"id": 3, "outputs": [1.5, "-inf"]}), 1, json);
    assert_eq!(
        found,
        Ok([1.5, f64::NEG_INFINITY].map(Output::Real).to_vec())
    );
    let found = outputs(json!({"id": 3, "outputs": [[1, "inf"], [2, 3]]}), 2, json);
    let pairs = [vec![1.0, f64::INFINITY], vec![2.0, 3.0]];
    assert_eq!(found, Ok(pairs.map(Output::Vector).to_vec()));
    let found = outputs(json!({"id": 3, "outputs": [1, null]}), 1, any).expect("two values");
    assert_eq!(found[1], Output::Value(Box::new(Value::Null)));
    for (answer, encoding, rule) in [
        (json!({"id": 2, "outputs": [1, 2]}), json, "`id` must be 3"),
        (json!({"outputs": [1, 2]}), json, "`id` must be 3"),
        (
            json!({"id": 3, "outputs": [1]}),
            json,
            "1 outputs where 2 were asked for",
        ),
        (
            json!({"id": 3, "outputs": [1]}),
            any,
            "1 outputs where 2 were asked for",
        ),
        (json!({"id": 3, "outputs": 1}), any, "`outputs` is a list"),
        (
            json!({"id": 3, "outputs": [1, {}]}),
            any,
            "output 1: an object stands",
        ),
        (
            json!({"id": 3, "outputs": [1, [2, 3]]}),
            json,
            "output 1 has 2 numbers instead of 1",
        ),
        (
            json!({"id": 3, "outputs": [1, "x"]}),
            json,
            "output 1 has a word other than",
        ),
        (
            json!({"id": 3}),
            json,
            "a json answer has `outputs` and no `bytes`",
        ),
        (
            json!({"id": 3, "outputs": [1, 2]}),
            Encoding::Binary,
            "a binary answer has `bytes`",
        ),
        (json!({"error": "tired", "outputs": [1, 2]}), json, "tired"),
        (json!([]), json, "belongs on standard error"),
    ] {
        let told = outputs(answer, 1, encoding).expect_err(rule);
        assert!(told.contains(rule), "{told} does not say {rule}");
    }
    let binary = |bytes: usize, values: &[f64], length| {
        let mut answer = format!("{{\"id\": 3, \"bytes\": {bytes}}}\n").into_bytes();
        answer.extend(values.iter().flat_map(|x| x.to_le_bytes()));
        let answer = Message::read(&mut &answer[..]).map_err(|e| e.to_string())?;
        let found = answer.outputs(&request, form(length, Encoding::Binary));
        found.map_err(|e| e.to_string())
    };
    assert_eq!(
        binary(16, &[0.5, 1.5], 1),
        Ok([0.5, 1.5].map(Output::Real).to_vec())
    );
    let four = binary(32, &[0.5, 1.5, 2.5, 3.5], 2).expect("two pairs");
    assert_eq!(four[1], Output::Vector(vec![2.5, 3.5]));
    assert!(
        binary(16, &[0.5, 1.5], 2)
            .expect_err("half")
            .contains("`bytes` must be 32")
    );
    assert!(binary(24, &[0.5, 1.5], 1).is_err(), "it ends early");
}

/// Fails from a trial on, or answers too few.
struct Fails {
    from: u64,
    short: bool,
}

impl Mechanism for Fails {
    type Input = bool;

    fn name(&self) -> String {
        "fails".to_owned()
    }

    fn draw(&self, _: &bool, tape: Tape) -> Result<Output, DrawError> {
        let _ = tape;
        Ok(Output::Nothing)
    }

    fn draw_many(&self, on: &bool, _: Tape, trials: Range<u64>) -> Result<Vec<Output>, DrawError> {
        let pair = trials.start & ((1 << 36) - 1);
        if *on && pair >= self.from {
            return Err(DrawError::new(
                self.name(),
                trials.start,
                "no reason".to_owned(),
            ));
        }
        let missing = u64::from(self.short && trials.start < trials.end);
        Ok(vec![
            Output::Integer(1);
            (trials.end - trials.start - missing) as usize
        ])
    }
}

#[test]
fn draws_that_fail_say_where_and_what_for() {
    let fails = Fails {
        from: 40,
        short: false,
    };
    let sampler = Sampler::new(&fails, [&false, &true], Tape::new(1), Extras::default());
    let sampler = sampler.expect("32 pairs are drawn");
    for (phase, purpose) in [
        (Phase::Bet, "to bet"),
        (Phase::Recount, "to count a violation again"),
        (
            Phase::RecountSimpler,
            "to count a violation on simpler inputs",
        ),
        (Phase::Shape, "to see what outputs look like"),
        (Phase::Explore, "to search"),
        (Phase::Study, "to choose an event"),
    ] {
        assert!(sampler.pairs(phase, 30..40).is_ok());
        let found = sampler
            .pairs(phase, 45..50)
            .map(|_| ())
            .expect_err("it fails");
        let told = format!(
            "mechanism `fails` failed on the second input at pair 45, drawn {purpose}: no reason"
        );
        assert_eq!(found.to_string(), told);
    }
    let short = Fails {
        from: 40,
        short: true,
    };
    let found = Sampler::new(&short, [&false, &true], Tape::new(1), Extras::default());
    let (mechanism, asked, got) = ("fails".to_owned(), 32, 31);
    let wrong = AuditError::WrongCount {
        mechanism,
        asked,
        got,
    };
    assert_eq!(found.map(|_| ()), Err(wrong));
}

/// Each output is that of its own trial, whoever asks; a reference is the mechanism itself.
#[test]
fn many_draws_are_those_of_their_trials() {
    let word = from_fn("word", |shift: &f64, tape: Tape| {
        shift
            + tape
                .uniform(0, crate::mechanism::tape::Purpose::User, 0)
                .fraction()
    });
    let tape = Tape::new(3);
    let all = word.draw_many(&1.0, tape, 5..75).expect("it draws");
    assert_eq!(all.len(), 70);
    for (trial, output) in (5..75).zip(&all) {
        assert_eq!(Ok(output), word.draw(&1.0, tape.trial(trial)).as_ref());
    }
    let borrowed = &word;
    assert_eq!(Mechanism::name(&borrowed), "word");
    assert_eq!(
        Mechanism::draw_many(&borrowed, &1.0, tape, 5..75).as_ref(),
        Ok(&all)
    );
    assert_eq!(
        Mechanism::draw(&borrowed, &1.0, tape.trial(5)).as_ref(),
        Ok(&all[0])
    );
}
