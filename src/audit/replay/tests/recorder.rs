//! What a recorder answers, complains of and tells apart.

use super::*;

/// Answers of a recorder to what makes no sense, by the rule that is broken; what makes sense is not complained of.
#[test]
fn what_makes_no_sense_is_complained_of() {
    let query = |values: &'static [f64],
                 declared,
                 law,
                 scales: &'static [f64],
                 rounding: &'static [f64]| Query {
        label: "sum",
        values,
        rounding,
        declared,
        law,
        scales,
        address: address(0),
    };
    let told = |query: Query<'_>| {
        let mut recorder = Recorder::recording(Tape::new(1));
        recorder.noised(query);
        let (_, found) = recorder.finish(Output::Nothing);
        found.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    use Declared::{Each, L1, L2, LInf};
    use NoiseLaw::{Gaussian, Laplace};
    let (two, one): (&[f64], &[f64]) = (&[1.0, 2.0], &[1.0]);
    for (declared, law) in [
        (L1(1.0), Laplace),
        (L2(1.0), Gaussian),
        (Each(vec![1.0, 2.0]), Laplace),
        (Each(vec![1.0]), Gaussian),
    ] {
        assert_eq!(told(query(two, declared, law, one, one)), [""; 0]);
    }
    for (declared, law) in [
        (L1(1.0), Gaussian),
        (L2(1.0), Laplace),
        (LInf(1.0), Laplace),
        (LInf(1.0), Gaussian),
    ] {
        let said = told(query(two, declared.clone(), law, two, two));
        assert_eq!(
            said,
            ["step 0, sum: the sensitivity's norm is not that of the noise"]
        );
        assert_eq!(
            told(query(one, declared, law, one, one)),
            [""; 0],
            "of one value all norms are alike"
        );
    }
    let three: &[f64] = &[1.0; 3];
    for (scales, rounding, bounds, rules) in [
        (
            three,
            one,
            vec![1.0; 2],
            &[
                "needs one scale, or one for each value",
                "every noise scale must be finite and > 0",
            ][..],
        ),
        (
            one,
            three,
            vec![1.0; 2],
            &["needs one rounding error, or one for each value"],
        ),
        (
            one,
            one,
            vec![1.0; 3],
            &["needs one sensitivity for each value"],
        ),
        (
            &[0.0],
            one,
            vec![1.0; 2],
            &["every noise scale must be finite and > 0"],
        ),
        (
            &[1.0, f64::INFINITY],
            one,
            vec![1.0; 2],
            &["every noise scale must be finite and > 0"],
        ),
    ] {
        let said = told(query(two, Each(bounds), Laplace, scales, rounding));
        let due: Vec<String> = rules
            .iter()
            .map(|rule| format!("step 0, sum: {rule}"))
            .collect();
        assert_eq!(said, due);
    }
    let said = told(query(&[f64::NAN], L1(1.0), Laplace, one, one));
    assert_eq!(
        said,
        ["step 0, sum: every value must be finite before noise is added"]
    );
}

/// What a program gave is held against data and noise up to the allowance, and its answer is what the run goes on with.
#[test]
fn a_programs_answer_is_the_history_and_may_err_by_the_allowance() {
    let values = [1.0, 2.0];
    let query = || Query {
        label: "sum",
        values: &values,
        rounding: &[0.0],
        declared: Declared::L1(1.0),
        law: NoiseLaw::Laplace,
        scales: &[0.5],
        address: address(0),
    };
    let noisy = asked(&values, 0.0, Declared::L1(1.0));
    let noisy = Asked {
        scales: vec![0.5; 2],
        ..noisy
    }
    .noisy(Tape::new(1));
    let answered = |given: &[f64], allowance: f64| {
        let mut recorder = Recorder::recording(Tape::new(1));
        let answer = recorder.observed(query(), given, allowance);
        let kept = answer
            .iter()
            .zip(given)
            .all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(kept, "{answer:?}");
        let (recording, violations) = recorder.finish(Output::Nothing);
        (recording, violations.len())
    };
    let off = |by: f64| [noisy[0] + by, noisy[1]];
    assert_eq!(answered(&off(0.0), 0.0).1, 0);
    assert_eq!(
        [
            answered(&off(0.25), 0.25 + 1e-12).1,
            answered(&off(-0.25), 0.2).1,
            answered(&off(0.25), 0.2).1
        ],
        [0, 1, 1]
    );
    assert_eq!(answered(&noisy[..1], 0.0).1, 1, "an answer is missing");
    assert_eq!(answered(&[f64::NAN, noisy[1]], 9.0).1, 1);
    // The recorder's tape is there while nothing is frozen, and the replay answers what the program gave.
    let (recording, _) = answered(&off(0.125), 1.0);
    let mut replaying = Recorder::replaying(Tape::new(1), &recording);
    assert_eq!(
        (replaying.tape().is_none(), replaying.choices()),
        (true, Tape::new(1))
    );
    assert_eq!(replaying.noised(query()), off(0.125));
    assert_eq!(replaying.ratios(), [("sum", 0.0)]);
    assert!(replaying.finish(Output::Nothing).1.is_empty());
}

/// The first of the largest scores is chosen, nothing that is no number is, and scores that look at the data are seen.
#[test]
fn the_first_of_the_largest_scores_is_chosen() {
    let query = |values: &'static [f64]| Query {
        label: "sum",
        values,
        rounding: &[0.0],
        declared: Declared::LInf(1.0),
        law: NoiseLaw::Laplace,
        scales: &[0.5],
        address: address(0),
    };
    let chosen = |score: &dyn Fn(usize) -> f64| {
        let mut recorder = Recorder::recording(Tape::new(1));
        recorder.largest(query(&[1.0; 4]), |k, _| score(k))
    };
    assert_eq!(chosen(&|k| [1.0, 3.0, 3.0, 2.0][k]), 1);
    assert_eq!(chosen(&|k| [f64::NAN, -3.0, -4.0, f64::NAN][k]), 1);
    assert_eq!(chosen(&|_| f64::NAN), 0);
    let run = |score: f64, choice: usize, output: f64, history: Option<&Recording>| {
        let tape = Tape::new(1);
        let mut recorder = history.map_or_else(
            || Recorder::recording(tape),
            |h| Recorder::replaying(tape, h),
        );
        let best = recorder.largest(query(&[1.0; 4]), |k, _| if k == 2 { 9.0 } else { score });
        let told = recorder.selected(query(&[1.0; 4]), |_| choice);
        let (recording, violations) = recorder.finish(Output::Real(output));
        (
            (best, told),
            recording,
            violations
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>(),
        )
    };
    let (chosen, history, _) = run(1.0, 3, 0.5, None);
    assert_eq!(chosen, (2, 3));
    assert_eq!(run(1.0, 3, 0.5, Some(&history)).2, [""; 0]);
    let without = "depends on the data without noise:";
    let (chosen, _, said) = run(1.5, 1, 0.25, Some(&history));
    assert_eq!(chosen, (2, 3), "as recorded");
    let due = ["1, sum", "3, sum", "4, output"].iter().zip([
        "score 1 and score 1.5",
        "3 and 1",
        "Real(0.5) and Real(0.25)",
    ]);
    let due: Vec<String> = due
        .map(|(at, what)| format!("step {at}: {without} {what}"))
        .collect();
    assert_eq!(said, due);
}

/// A run that asks for more or for less than the one before, and noise whose scale is not what it was.
#[test]
fn runs_that_part_or_change_their_noise_are_told() {
    let run = |asks: usize, scale: f64, declared: f64, history: Option<&Recording>| {
        let tape = Tape::new(1);
        let mut recorder = history.map_or_else(
            || Recorder::recording(tape),
            |h| Recorder::replaying(tape, h),
        );
        for at in 0..asks as u64 {
            recorder.noised(Query {
                label: "sum",
                values: &[1.0],
                rounding: &[0.0],
                declared: Declared::L1(declared),
                law: NoiseLaw::Laplace,
                scales: &[scale],
                address: address(at),
            });
        }
        let live = recorder.tape().is_some();
        let (recording, violations) = recorder.finish(Output::Nothing);
        (
            recording,
            violations
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>(),
            live,
        )
    };
    let (history, said, live) = run(2, 1.0, 1.0, None);
    assert_eq!((said, live), (Vec::new(), true));
    let end = "the end of the run";
    let third = "1 noised values of `sum` at Address { step: 4, purpose: User, first: 2 }";
    let second = third.replace("first: 2", "first: 1");
    let flow = |at, a: &str, b: &str| {
        vec![format!(
            "step {at}: control flow depends on the data: {a}, then {b}"
        )]
    };
    let (_, said, live) = run(3, 1.0, 1.0, Some(&history));
    assert_eq!((said, live), (flow(2, end, third), true));
    let (_, said, live) = run(1, 1.0, 1.0, Some(&history));
    assert_eq!((said, live), (flow(1, &second, end), false));
    let depends = |what: &str| {
        (0..2)
            .map(|at| format!("step {at}, sum: {what}"))
            .collect::<Vec<_>>()
    };
    let (_, said, _) = run(2, 2.0, 1.0, Some(&history));
    assert_eq!(
        said,
        depends("noise depends on the data: Laplace [1.0] and Laplace [2.0]")
    );
    let (_, said, _) = run(2, 1.0, 3.0, Some(&history));
    assert_eq!(
        said,
        depends("sensitivity depends on the data: L1(1.0) and L1(3.0)")
    );
}
