//! What a replay measures, what it says, and when it passes.

mod recorder;
mod walks;

use super::distance::compare;
use super::query::Asked;
use super::recording::{Entry, Recording, same};
use super::*;
use crate::mechanism::tape::Purpose;

/// What is wrong fails whatever else was measured, and so does what nobody measured.
#[test]
fn a_replay_passes_if_something_was_measured_and_nothing_is_wrong() {
    let report = |wrong: bool, measured: u64| {
        let (what, recorded, replayed) = ("scale", "1".to_owned(), "2".to_owned());
        let violation = Violation::Parameter {
            at: 0,
            label: "sum",
            what,
            recorded,
            replayed,
        };
        let violations = if wrong { vec![violation] } else { Vec::new() };
        let extents = [(
            "sum",
            Extent {
                measured,
                largest: 0.5,
            },
        )];
        let (mechanism, extents) = ("sum".to_owned(), extents.into());
        ReplayReport {
            mechanism,
            violations,
            extents,
            seed: 0,
            trials: 1,
        }
        .passed()
    };
    assert_eq!([report(false, 1), report(true, 1)], [true, false]);
    assert_eq!([report(false, 0), report(true, 0)], [false, false]);
}

fn address(first: u64) -> Address {
    let (step, purpose) = (4, Purpose::User);
    Address {
        step,
        purpose,
        first,
    }
}

fn asked(values: &[f64], rounding: f64, declared: Declared) -> Asked {
    Asked {
        label: "sum",
        values: values.to_vec(),
        rounding: vec![rounding; values.len()],
        declared,
        law: NoiseLaw::Laplace,
        scales: vec![1.0; values.len()],
        address: address(0),
    }
}

/// Moves of 3 and 4 by every norm: what is declared is kept where it is attained, and broken by 2 % more.
#[test]
fn distances_are_those_of_the_norm_that_is_declared() {
    let norms = [
        ("ℓ₁", 7.0, Declared::L1 as fn(f64) -> Declared),
        ("ℓ₂", 5.0, Declared::L2),
        ("ℓ∞", 4.0, Declared::LInf),
    ];
    for (name, length, declared) in norms {
        for (share, broken) in [(1.0, 0), (0.98, 1)] {
            let sides = [[1.0, -1.0], [4.0, 3.0]];
            let [a, b] = sides.map(|side| asked(&side, 0.0, declared(share * length)));
            for found in [compare(3, &a, &b), compare(3, &b, &a)] {
                assert!(
                    (found.ratio - 1.0 / share).abs() < 1e-12,
                    "{name}: {}",
                    found.ratio
                );
                assert!(found.ratio <= 1.0 / share, "{name}: rounded down");
                assert_eq!(found.violations.len(), broken, "{name}");
            }
            // The rounding of both sides is allowed for: 0.1 in all makes up for 2 % of each of these.
            let [a, b] = sides.map(|side| asked(&side, 0.05, declared(share * length)));
            let found = compare(3, &a, &b).violations;
            assert!(found.is_empty(), "{name}");
        }
        let huge = asked(&[0.0, 0.0], 0.0, declared(1e200));
        let found = compare(3, &huge, &asked(&[3e200, 4e200], 0.0, declared(1e200)));
        assert!(
            (found.ratio - length).abs() < 1e-9,
            "{name}: {}",
            found.ratio
        );
        let found = compare(3, &huge, &asked(&[f64::NAN, 0.0], 0.0, declared(1e200)));
        assert_eq!(
            found.violations.len(),
            1,
            "{name}: what is no number is no distance"
        );
        assert_eq!(compare(3, &huge, &huge).ratio, 0.0);
    }
    let each = |first, second| Declared::Each(vec![first, second]);
    let [a, b] = [[1.0, -1.0], [4.0, 3.0]].map(|side| asked(&side, 0.0, each(3.0, 3.9)));
    let found = compare(3, &a, &b);
    let told: Vec<String> = found.violations.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 1);
    assert!(
        told[0].starts_with("step 3, sum: moves by ") && told[0].contains("declared 3.9 (entry 1)")
    );
    assert!((found.ratio - 4.0 / 3.9).abs() < 1e-12);
}

#[test]
fn only_the_same_question_goes_on_with_the_answer_of_another() {
    let noised = |values: &[f64], first| {
        let mut asked = asked(values, 0.0, Declared::L1(1.0));
        asked.address = address(first);
        Entry::Noised(asked, values.to_vec())
    };
    let mut other = asked(&[0.0], 0.0, Declared::L1(1.0));
    other.label = "count";
    let all = [
        noised(&[0.0], 0),
        noised(&[0.0], 1),
        noised(&[0.0, 1.0], 0),
        Entry::Noised(other, vec![0.0]),
        Entry::Chosen("a", 1, vec![]),
        Entry::Chosen("b", 1, vec![]),
        Entry::Released("a", 1.0),
        Entry::Released("b", 1.0),
        Entry::Branch("a", 1),
        Entry::Branch("a", 2),
        Entry::Branch("b", 1),
    ];
    for (i, one) in all.iter().enumerate() {
        for (j, other) in all.iter().enumerate() {
            assert_eq!(one.continues_as(other), i == j, "{one} and {other}");
        }
    }
    assert!(
        noised(&[5.0], 0).continues_as(&all[0]) && Entry::Released("a", 2.0).continues_as(&all[6])
    );
    assert!(Entry::Chosen("a", 2, vec![]).continues_as(&all[4]));
    let said = [4, 6, 9].map(|at| all[at].to_string());
    assert_eq!(said, ["choice of `a`", "release of `a`", "branch `a` = 2"]);
    assert!(
        all[2]
            .to_string()
            .starts_with("2 noised values of `sum` at Address")
    );
}

#[test]
fn a_recording_names_reused_noise_and_scales_that_are_not_the_claims() {
    let mut first = asked(&[0.0, 0.0], 0.0, Declared::L1(1.0));
    first.scales = vec![1.0, 2.0];
    let mut second = asked(&[0.0, 0.0], 0.0, Declared::L1(1.0));
    (second.label, second.address) = ("count", address(1));
    let recording = Recording {
        entries: vec![
            Entry::Branch("b", 1),
            Entry::Noised(first, vec![0.0; 2]),
            Entry::Noised(second, vec![0.0; 2]),
        ],
        output: Output::Nothing,
    };
    let (label, before) = ("count", "sum");
    let reused = Violation::Reused {
        label,
        address: address(1),
        before,
    };
    assert_eq!(recording.reused(), [reused]);
    let claimed = |label: &str, coordinate: u64| match (label, coordinate) {
        ("count", 2) => None,
        _ => Some(1.0),
    };
    let (at, coordinate) = (1, 1);
    let scale = Violation::Scale {
        at,
        label: "sum",
        coordinate,
        claimed: 1.0,
        found: 2.0,
    };
    let unclaimed = Violation::Unclaimed {
        at: 2,
        label: "count",
        coordinate: 2,
    };
    assert_eq!(recording.misscaled(&claimed), [scale, unclaimed]);
}

#[test]
fn outputs_are_the_same_in_all_their_bits() {
    let pairs = [
        (Output::Real(f64::NAN), Output::Real(f64::NAN), true),
        (Output::Real(0.0), Output::Real(-0.0), false),
        (
            Output::Vector(vec![f64::NAN]),
            Output::Vector(vec![f64::NAN]),
            true,
        ),
        (Output::Vector(vec![0.0]), Output::Vector(vec![-0.0]), false),
        (
            Output::Vector(vec![0.0]),
            Output::Vector(vec![0.0, 0.0]),
            false,
        ),
        (Output::Integer(1), Output::Integer(1), true),
        (Output::Integer(1), Output::Integer(2), false),
        (Output::Real(1.0), Output::Vector(vec![1.0]), false),
    ];
    for (a, b, alike) in pairs {
        assert_eq!(same(&a, &b), alike, "{a:?} {b:?}");
    }
}

#[test]
fn a_printed_report_shows_some_violations_and_says_how_many_more_there_are() {
    let (label, rule) = ("sum", "wrong");
    let report = |count| ReplayReport {
        mechanism: "m".to_owned(),
        violations: vec![Violation::Malformed { at: 2, label, rule }; count],
        extents: [
            (
                "a",
                Extent {
                    measured: 2,
                    largest: 0.5,
                },
            ),
            (
                "b",
                Extent {
                    measured: 3,
                    largest: 0.25,
                },
            ),
        ]
        .into(),
        seed: 9,
        trials: 4,
    };
    let head = "violations; 5 noised quantities measured, the largest move 0.500000 of the \
                declared one; 4 trials, seed 9";
    for count in [0, 8, 9, 20] {
        let said = report(count).to_string();
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!(lines[0], format!("m: {count} {head}"));
        let shown = count.min(8);
        assert!(
            lines[1..=shown]
                .iter()
                .all(|line| *line == "  step 2, sum: wrong")
        );
        let rest = (count > 8).then(|| format!("  and {} more", count - 8));
        assert_eq!(lines[shown + 1..].first().map(ToString::to_string), rest);
    }
    assert_eq!((report(0).measured(), report(0).tightest()), (5, 0.5));
}

/// What is released without noise may be what it was, and nothing else; where a decision differs, control flow has parted.
#[test]
fn what_has_no_noise_and_decides_is_what_it_was() {
    let run = |value: f64, decision: bool, history: Option<&Recording>| {
        let tape = Tape::new(1);
        let mut recorder = match history {
            None => Recorder::recording(tape),
            Some(history) => Recorder::replaying(tape, history),
        };
        recorder.released("size", value);
        recorder.branch("stop", decision);
        recorder.finish(Output::Nothing)
    };
    let (first, _) = run(2.0, true, None);
    assert!(run(2.0, true, Some(&first)).1.is_empty());
    let [value, decision] = [(3.0, true), (2.0, false)].map(|(value, decision)| {
        let (_, found) = run(value, decision, Some(&first));
        found.first().map(ToString::to_string)
    });
    assert!(value.expect("it differs").contains("size"));
    assert!(decision.expect("it parts").contains("stop"));
}

/// A distance of m values has m + 3 roundings at most: it is rounded down by twice as many, what rounding may explain up.
#[test]
fn distances_are_rounded_down_by_twice_their_roundings() {
    for m in [1_usize, 2, 5] {
        let mut ones = vec![0.0; m];
        let still = asked(&ones, 0.25, Declared::LInf(0.125));
        ones[0] = -1.0;
        let found = compare(3, &still, &asked(&ones, 0.25, Declared::LInf(0.125)));
        let margin = (m as f64 + 3.0) * f64::EPSILON;
        let (label, norm, declared) = ("sum", "ℓ∞".to_owned(), 0.125);
        let moved = Violation::Sensitivity {
            at: 3,
            label,
            norm,
            declared,
            measured: 1.0 - margin,
            allowance: 0.5 + 0.5 * margin,
        };
        assert_eq!(found.violations, [moved]);
        assert_eq!(found.ratio, 8.0 * (1.0 - margin));
    }
}

/// A number with noise of scale 2, by what it declares.
struct Sum(f64);

impl Recorded for Sum {
    type Input = f64;

    fn name(&self) -> String {
        "sum".to_owned()
    }

    fn run(&self, x: &f64, recorder: &mut Recorder<'_>) -> Output {
        let query = Query {
            label: "sum",
            values: &[*x],
            rounding: &[0.0],
            declared: Declared::L1(self.0),
            law: NoiseLaw::Laplace,
            scales: &[2.0],
            address: address(0),
        };
        Output::Vector(recorder.noised(query))
    }
}

#[test]
fn each_history_is_replayed_in_both_directions() {
    let scale = |scale: f64| move |_: &str, _: u64| Some(scale);
    let (own, other) = (scale(2.0), scale(1.0));
    let replay = Replay::of(&Sum(4.0))
        .seed(7)
        .trials(3)
        .claimed_scales(&own)
        .run(&0.0, &1.0);
    let (measured, largest) = (6, (1.0 - 4.0 * f64::EPSILON) / 4.0);
    let due = ReplayReport {
        mechanism: "sum".to_owned(),
        violations: Vec::new(),
        extents: [("sum", Extent { measured, largest })].into(),
        seed: 7,
        trials: 3,
    };
    assert_eq!(replay, due);
    // What is wrong of the recording, then of the replay, in either direction.
    let found = Replay::of(&Sum(0.5))
        .claimed_scales(&other)
        .run(&0.0, &1.0)
        .violations;
    let kinds: Vec<bool> = found
        .iter()
        .map(|v| matches!(v, Violation::Scale { .. }))
        .collect();
    assert_eq!(kinds, [true, false, true, false]);
    assert!(matches!(
        found[3],
        Violation::Sensitivity { declared: 0.5, .. }
    ));
    let (live, tape) = (Live(Sum(1.0)), Tape::new(7));
    let noise = 2.0 * tape.stream(4, Purpose::User, 0).uniform().laplace();
    assert_eq!(
        (live.name(), live.draw(&0.0, tape)),
        ("sum".to_owned(), Ok(Output::Vector(vec![noise])))
    );
}
