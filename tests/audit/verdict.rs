//! The audit's interface: verdicts, errors, and independence of the number of threads.

use dp_assay::accounting::gaussian::Gaussian;
use dp_assay::audit::any;
use dp_assay::audit::budget::{BudgetError, Suite};
use dp_assay::audit::{
    Audit, AuditError, AuditReport, Mechanism, Output, Verdict, from_fn, simpler,
};
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::units::{Epsilon, Neighbouring, Sensitivity, StdDev};
use std::collections::BTreeMap;

/// Randomized response that lies with probability `lie`: exactly ln((1 − lie)/lie)-private.
fn response(lie: f64) -> impl Mechanism<Input = bool> {
    let below = (lie * 2_f64.powi(64)) as u64;
    from_fn("randomized response", move |truth: &bool, tape: Tape| {
        *truth != (tape.uniform(0, Purpose::User, 0).0 < below)
    })
}

fn audit_response(lie: f64, epsilon: f64) -> AuditReport {
    Audit::of(response(lie))
        .claim(epsilon, 0.0)
        .neighbours(Neighbouring::ReplaceOne, false, true)
        .trials(20_000)
        .seed(7)
        .run()
        .expect("a complete description")
}

#[test]
fn a_true_claim_passes_with_power() {
    let report = audit_response(0.25, 3_f64.ln());
    assert_eq!(report.verdict, Verdict::PassWithPower, "{report}");
    assert!(report.epsilon_lower <= 3_f64.ln());
    assert!(report.detectable_epsilon < 2.0 * 3_f64.ln());
}

#[test]
fn a_false_claim_is_refuted_with_a_counterexample() {
    let report = audit_response(0.25, 0.6 * 3_f64.ln());
    assert_eq!(report.verdict, Verdict::Violation, "{report}");
    let found = report.counterexample.expect("a violation comes with one");
    assert!(found.epsilon_lower > 0.6 * 3_f64.ln());
    assert!(found.epsilon_lower <= 3_f64.ln());
}

#[test]
fn a_budget_too_small_to_see_anything_is_inconclusive() {
    let report = Audit::of(response(0.25))
        .claim(3_f64.ln(), 0.0)
        .neighbours(Neighbouring::ReplaceOne, false, true)
        .trials(20)
        .run()
        .expect("a complete description");
    assert_eq!(report.verdict, Verdict::Inconclusive, "{report}");
}

#[test]
fn the_report_is_the_same_on_any_number_of_threads() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let report = pool.expect("threads").install(|| audit_response(0.25, 0.8));
        AuditReport {
            seconds: 0.0,
            ..report
        }
    };
    assert_eq!(on(1), on(2));
    assert_eq!(on(1), on(5));
}

#[test]
fn the_report_survives_json() {
    let report = audit_response(0.25, 0.8);
    let json = serde_json::to_value(&report).expect("numbers and strings");
    for key in [
        "verdict",
        "epsilon_lower",
        "confidence",
        "detectable_epsilon",
        "samples",
        "seconds",
        "event",
        "counterexample",
        "seed",
    ] {
        assert!(json.get(key).is_some(), "no key `{key}` in {json}");
    }
    assert_eq!(json["verdict"], "VIOLATION");
    assert_eq!(json["detectable_epsilon"], "inf");
    let back: AuditReport = serde_json::from_value(json).expect("the same format");
    assert_eq!(back, report);
}

#[test]
fn bad_descriptions_are_refused_with_the_value_and_the_rule() {
    let pair = |audit: Audit<_>| audit.neighbours(Neighbouring::User, 0.0, 1.0);
    let mechanism = || from_fn("identity", |x: &f64, _| *x);
    let missing = Audit::of(mechanism()).claim(1.0, 0.0).run();
    assert!(matches!(missing, Err(AuditError::Incomplete { .. })));
    for (audit, expected) in [
        (
            pair(Audit::of(mechanism())).claim(-1.0, 0.0),
            "epsilon = -1 must be finite and >= 0",
        ),
        (
            pair(Audit::of(mechanism())).claim(1.0, 1.0),
            "delta = 1 must be below 1 to claim anything",
        ),
        (
            pair(Audit::of(mechanism())).claim(1.0, f64::NAN),
            "delta = NaN must lie in [0, 1]",
        ),
        (
            pair(Audit::of(mechanism())).claim(1.0, 0.0).alpha(0.0),
            "alpha = 0 must lie in (0, 1)",
        ),
        (
            pair(Audit::of(mechanism())).claim(1.0, 0.0).trials(0),
            "trials = 0 must be a whole number from 1 to 2³²",
        ),
    ] {
        assert_eq!(audit.run().expect_err("refused").to_string(), expected);
    }
}

#[test]
fn odd_outcomes_are_outcomes() {
    // Each mechanism gives its input away by one sort of odd outcome.
    type Tell = (&'static str, fn(bool) -> Output);
    let tells: [Tell; 6] = [
        ("NaN", |d| Output::Real(if d { f64::NAN } else { 0.0 })),
        ("infinity", |d| {
            Output::Real(if d { f64::INFINITY } else { 0.0 })
        }),
        ("sign of zero", |d| Output::Real(if d { -0.0 } else { 0.0 })),
        ("length", |d| Output::Vector(vec![1.0; 1 + usize::from(d)])),
        ("silence", |d| {
            if d {
                Output::Nothing
            } else {
                Output::Real(0.0)
            }
        }),
        ("bits", |d| Output::Bits(vec![false, d])),
    ];
    for (name, tell) in tells {
        let report = Audit::of(from_fn(name, move |d: &bool, _| tell(*d)))
            .claim(1.0, 0.0)
            .neighbours(Neighbouring::ReplaceOne, false, true)
            .trials(1000)
            .run()
            .expect("a complete description");
        assert_eq!(report.verdict, Verdict::Violation, "{name}: {report}");
    }
}

#[test]
fn odd_outcomes_are_counted_at_their_rates() {
    // Randomized response at ε = ln 3 whose two answers are odd ones. Accused of ε = ln 3 with
    // probability 1e-6 for each row; of ε = 0.55 acquitted with probability below 1e-9 (Z drifts by
    // 0.75 − 1.73 · 0.25 = 0.32 in each of 20,000 pairs).
    let odd: [(&str, [Output; 2]); 6] = [
        ("NaN and −0", [f64::NAN, -0.0].map(Output::Real)),
        (
            "infinities",
            [f64::INFINITY, f64::NEG_INFINITY].map(Output::Real),
        ),
        ("silence and NaN", [Output::Nothing, Output::Real(f64::NAN)]),
        (
            "no entry and three",
            [vec![], vec![f64::NAN; 3]].map(Output::Vector),
        ),
        ("kinds", [Output::Integer(1), Output::Category(1)]),
        (
            "least and greatest",
            [i64::MIN, i64::MAX].map(Output::Integer),
        ),
    ];
    for (name, answers) in odd {
        let verdict = |epsilon: f64| {
            let answer = |bit: &bool, tape: Tape| {
                let lies = tape.uniform(0, Purpose::User, 0).0 < 1 << 62;
                answers[usize::from(*bit != lies)].clone()
            };
            let audit = Audit::of(from_fn(name, answer)).claim(epsilon, 0.0);
            let audit = audit.neighbours(Neighbouring::ReplaceOne, false, true);
            audit.trials(20_000).run().expect("a complete description")
        };
        let (fair, tight) = (verdict(3_f64.ln()), verdict(0.55));
        assert_ne!(fair.verdict, Verdict::Violation, "{name}: {fair}");
        assert!(fair.epsilon_lower <= 3_f64.ln(), "{name}: {fair}");
        assert_eq!(tight.verdict, Verdict::Violation, "{name}: {tight}");
    }
}

#[test]
fn outputs_that_say_nothing_of_the_input_accuse_nobody() {
    // Atoms, ties and what cannot be compared; error 1e-6 for each.
    for (name, output) in [
        ("NaN", Output::Real(f64::NAN)),
        ("silence", Output::Nothing),
        ("a tie", Output::Integer(7)),
        ("no entry", Output::Vector(vec![])),
        (
            "NaN and infinity",
            Output::Vector(vec![f64::NAN, f64::INFINITY]),
        ),
    ] {
        let same = from_fn(name, |_: &bool, _| output.clone());
        let audit = Audit::of(same).claim(0.0, 0.0).trials(2000);
        let audit = audit.neighbours(Neighbouring::ReplaceOne, false, true);
        let report = audit.run().expect("a complete description");
        assert_ne!(report.verdict, Verdict::Violation, "{name}: {report}");
        assert_eq!(report.epsilon_lower, 0.0, "{name}: {report}");
    }
}

#[test]
fn a_length_that_the_first_outputs_did_not_have_is_noticed() {
    // Two numbers that say nothing; a third where the input is true, in a hundredth of the runs but not
    // in those that show what outputs look like. Missed with probability below 1e-9: an event of
    // probability 0.01 on one side and 0 on the other happens some 200 times in 20,000 pairs.
    let longer = from_fn("now and then longer", |bit: &bool, tape: Tape| {
        let draw = |at| tape.uniform(0, Purpose::User, at).gaussian();
        let late = tape.number() >> 56 != 3;
        let rare = tape.uniform(1, Purpose::User, 0).0 < u64::MAX / 100;
        let length = if *bit && late && rare { 3 } else { 2 };
        Output::Vector((0..length).map(draw).collect())
    });
    let audit = Audit::of(longer).claim(1.0, 0.0).trials(20_000);
    let audit = audit.neighbours(Neighbouring::ReplaceOne, false, true);
    let report = audit.run().expect("a complete description");
    assert_eq!(report.verdict, Verdict::Violation, "{report}");
}

#[test]
fn the_rounding_of_a_likelihood_ratio_accuses_nobody() {
    // The likelihood ratio of a Laplace variate has an atom at either end; computed in doubles, the
    // atoms fall apart into values that each occur on one input only. That is a leak of the bits, not
    // of the mechanism, and only an audit of the bits may report it.
    let pair = [0.1, 0.3];
    let ratio = from_fn("likelihood ratio", move |x: &f64, tape: Tape| {
        let y = x + 0.2 * tape.uniform(0, Purpose::Release, 0).laplace();
        ((y - pair[1]).abs() - (y - pair[0]).abs()) / 0.2
    });
    let audit = || {
        Audit::of(&ratio)
            .claim(1.0, 0.0)
            .neighbours(Neighbouring::ReplaceOne, pair[0], pair[1])
    };
    let rounded = audit().run().expect("a complete description");
    assert_eq!(rounded.verdict, Verdict::PassWithPower, "{rounded}");
    let bits = audit().bits().run().expect("a complete description");
    assert_eq!(bits.verdict, Verdict::Violation, "{bits}");
}

/// Twelve coins, and their parity with the input: what tells the inputs apart is a set of thousands of outputs. Before, it showed in
/// the bets, and not in the event that was counted afterwards on too few pairs.
#[test]
fn what_shows_in_the_bets_is_counted_until_its_counts_refute_the_claim() {
    let parity = from_fn("parity", |bit: &bool, tape: Tape| {
        let word = tape.uniform(0, Purpose::User, 0).0;
        let coins: Vec<bool> = (0..12).map(|at| word >> at & 1 == 1).collect();
        let last = coins.iter().fold(*bit, |all, coin| all ^ coin);
        Output::Bits(coins.into_iter().chain([last]).collect())
    });
    let audit = Audit::of(parity).claim(1.0, 0.0);
    let audit = audit.neighbours(Neighbouring::ReplaceOne, false, true);
    let report = audit.run().expect("a complete description");
    assert_eq!(report.verdict, Verdict::Violation, "{report}");
    assert!(report.counts_refute(), "{report}");
    let text = report.text();
    assert!(!text.contains("these counts alone show no more"), "{text}");
}

/// A list of whole numbers has a column for every place, as one of reals has: the last of a hundred is no more hidden than the first.
#[test]
fn the_last_place_of_a_long_list_of_whole_numbers_is_looked_at() {
    let counts = from_fn("counts", |bit: &bool, tape: Tape| {
        let noise = |at| (4.0 * tape.uniform(0, Purpose::User, at).laplace()).round() as i64;
        let noisy = (0..100).map(noise);
        dp_assay::audit::any(&noisy.chain([i64::from(*bit)]).collect::<Vec<_>>())
    });
    let audit = Audit::of(counts).claim(1.0, 0.0).trials(20_000);
    let audit = audit.neighbours(Neighbouring::ReplaceOne, false, true);
    let report = audit.run().expect("a complete description");
    // The last place is the input.
    assert_eq!(report.verdict, Verdict::Violation, "{report}");
}

/// What a run that fails answers is no measure of what the others do: rounded to 2⁻³⁰ of it their answers would all be 0.
#[test]
fn answers_beside_a_sentinel_are_looked_at_by_their_own_size() {
    for sentinel in [1e12, 1e15 + 0.5, -f64::MAX] {
        let often_fails = from_fn("sum that often fails", move |x: &f64, tape: Tape| {
            let draw = tape.uniform(0, Purpose::User, 0).0 as f64 / 2_f64.powi(64);
            if draw < 0.6 { sentinel } else { x + 0.1 * draw }
        });
        let audit = Audit::of(often_fails).claim(1.0, 0.0).trials(20_000);
        let audit = audit.neighbours(Neighbouring::ReplaceOne, 0.3, 1.3);
        let report = audit.run().expect("a complete description");
        // Answers on the two inputs have nothing in common.
        assert_eq!(report.verdict, Verdict::Violation, "{sentinel}: {report}");
    }
}

/// Audits outputs that tell which of two inputs they are from in some part, and are noise elsewhere.
fn audited(output: impl Fn(bool, Tape) -> Output + Sync, trials: u64) -> AuditReport {
    let told = from_fn("told", move |bit: &bool, tape: Tape| output(*bit, tape));
    let audit = Audit::of(told).claim(1.0, 0.0).trials(trials);
    let audit = audit.neighbours(Neighbouring::ReplaceOne, false, true);
    audit.run().expect("a complete description")
}

/// Before, a text was looked at as a whole only, and the texts here never come twice.
#[test]
fn a_part_of_a_text_that_tells_the_input_is_looked_at_whatever_stands_around_it() {
    type Text = fn(u64, &str) -> String;
    let texts: [(&str, Text); 7] = [
        ("end", |noise, told| format!("{noise:016x}-{told}")),
        ("last character", |noise, told| {
            format!("{noise:016x}{told}")
        }),
        ("beginning", |noise, told| format!("{told}/{noise:016x}")),
        ("word", |noise, told| {
            format!("{noise:x} {told} {:x}", noise / 3)
        }),
        ("a place inside", |noise, told| {
            format!("{:08x}{told}{:08x}", noise >> 32, noise as u32)
        }),
        ("a number in words", |noise, told| {
            let truth = f64::from(u8::from(told == "oui"));
            format!("{noise:x}: {:.6} of", truth + noise as f64 / 2e20)
        }),
        ("a key", |noise, told| format!("{noise:016x}:{told}")),
    ];
    for (place, text) in texts {
        let report = audited(
            |bit, tape| {
                let noise = tape.uniform(0, Purpose::User, 0).0 | 1 << 63;
                let text = text(noise, if bit { "oui" } else { "non" });
                match place {
                    "a key" => any(&BTreeMap::from([(text, 1)])),
                    _ => any(&text),
                }
            },
            20_000,
        );
        assert_eq!(report.verdict, Verdict::Violation, "{place}: {report}");
    }
}

/// Before, the first 64 places of a list, and the 64 most frequent keys, were looked at if something stood beside them.
fn noise(tape: &Tape, at: u64) -> f64 {
    tape.uniform(0, Purpose::User, at).laplace()
}

#[test]
fn late_places_of_lists_are_looked_at_wherever_they_stand() {
    let within = audited(
        |bit, tape| {
            let mut counts: Vec<f64> = (0..150).map(|at| noise(&tape, at)).collect();
            counts[120] = 9.0 * f64::from(u8::from(bit));
            any(&BTreeMap::from([
                ("counts", counts),
                ("rest", vec![noise(&tape, 150)]),
            ]))
        },
        20_000,
    );
    assert_eq!(within.verdict, Verdict::Violation, "{within}");
}

#[test]
fn late_places_of_maps_are_looked_at() {
    let keyed = audited(
        |bit, tape| {
            let count = |at: u64| match at {
                170 => 9.0 * f64::from(u8::from(bit)),
                _ => noise(&tape, at),
            };
            let counts: BTreeMap<String, f64> =
                (100..190).map(|at| (at.to_string(), count(at))).collect();
            any(&counts)
        },
        20_000,
    );
    assert_eq!(keyed.verdict, Verdict::Violation, "{keyed}");
}

/// Before, a pass was given where the part that tells stands behind what has columns, and nothing said so.
#[test]
fn parts_behind_the_last_column_are_looked_at_together_or_counted() {
    let late =
        |bit: bool, tape: &Tape| bit && tape.uniform(0, Purpose::User, 1).0 < u64::MAX / 10 * 7;
    // Numbers below three, all from one draw.
    let drawn = |tape: &Tape| {
        let mut state = tape.uniform(0, Purpose::User, 0).0;
        std::iter::repeat_with(move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % 3
        })
    };
    let listed = |bit, tape: Tape| {
        let mut numbers: Vec<u64> = drawn(&tape).take(5000).collect();
        numbers[4900] = if late(bit, &tape) { 7 } else { numbers[4900] };
        any(&numbers)
    };
    let written = |bit, tape: Tape| {
        let letters = drawn(&tape)
            .take(300)
            .map(|x| char::from(b"abc"[x as usize]));
        let mut text: String = letters.collect();
        text.replace_range(270..271, if late(bit, &tape) { "z" } else { "a" });
        any(&text)
    };
    for report in [audited(listed, 600), audited(written, 2_000)] {
        assert_eq!(report.verdict, Verdict::Violation, "{report}");
    }
    let fine = audited(|_, tape| written(false, tape), 600);
    // Wrong with the audit's α, 10⁻⁶ or less.
    assert_ne!(fine.verdict, Verdict::Violation, "{fine}");
    let text = fine.text();
    assert!(
        text.contains("44 parts of an output have no column"),
        "{text}"
    );
}

/// The last digits of a number that is written out are those of its rounding, which accuse nobody: noise for ε = 1, written out.
#[test]
fn digits_of_a_number_in_a_text_accuse_nobody() {
    for words in ["", "sum="] {
        let report = audited(
            |bit, tape| {
                let noise = tape.uniform(0, Purpose::User, 0).laplace();
                any(&format!("{words}{:.40}", f64::from(u8::from(bit)) + noise))
            },
            20_000,
        );
        // Wrong with the audit's α, 10⁻⁶ or less; 20,000 pairs see three times the claim with probability 0.9 or more.
        assert_ne!(report.verdict, Verdict::Violation, "{words}: {report}");
    }
}

/// Before, constants that differ were rounded to nothing where another constant is large and more frequent.
#[test]
fn constants_beside_a_constant_sentinel_are_told_apart() {
    let report = audited(
        |bit, tape| {
            let fails = tape.uniform(0, Purpose::User, 0).0 < u64::MAX / 10 * 6;
            Output::Real(match (fails, bit) {
                (true, _) => 1e12,
                (false, true) => 0.25,
                (false, false) => 0.1,
            })
        },
        20_000,
    );
    assert_eq!(report.verdict, Verdict::Violation, "{report}");
}

/// A sum that should be of numbers cut to [0, 1], and is not; with noise of scale `1/epsilon`.
fn sum(epsilon: f64) -> impl Mechanism<Input = Vec<f64>> {
    from_fn("sum", move |x: &Vec<f64>, tape: Tape| {
        x.iter().sum::<f64>() + tape.uniform(0, Purpose::Release, 0).laplace() / epsilon
    })
}

#[test]
fn a_worse_pair_is_searched_for_and_audited_on_fresh_samples() {
    // The pair given differs by what is claimed; pairs that differ by up to 4 exist. One further apart
    // than 2 is among 48 variations but with probability 2⁻⁴⁸, and then found with power > 1 − 1e-9.
    let audit = || {
        let pair = (vec![0.0], vec![1.0]);
        Audit::of(sum(1.0))
            .claim(1.0, 0.0)
            .neighbours(Neighbouring::ReplaceOne, pair.0, pair.1)
    };
    let alone = audit().run().expect("a complete description");
    assert_eq!(alone.verdict, Verdict::PassWithPower, "{alone}");
    let searched = audit().vary(|first, _, stream| {
        let other = 4.0 * stream.uniform().0 as f64 / 2_f64.powi(64);
        (first.clone(), vec![other])
    });
    let searched = searched.run().expect("a complete description");
    assert_eq!(searched.verdict, Verdict::Violation, "{searched}");
    assert!(searched.exploration_samples > alone.exploration_samples);
    assert!(searched.epsilon_lower > 1.0 && searched.epsilon_lower <= 4.0);
}

#[test]
fn the_worst_of_several_pairs_is_audited() {
    let pairs = [0.0, 0.5, 3.0, 1.0].map(|x| (vec![0.0; 2], vec![x, 0.0]));
    let audit = Audit::of(sum(1.0)).claim(1.0, 0.0);
    let audit = audit.worst_of(Neighbouring::ReplaceOne, pairs.to_vec());
    let report = audit.run().expect("a complete description");
    assert_eq!(report.verdict, Verdict::Violation, "{report}");
    let found = report.counterexample.expect("a violation comes with one");
    assert!([&found.input0, &found.input1].contains(&&"[3.0, 0.0]".to_owned()));
}

#[test]
fn a_counterexample_is_shrunk_and_counted_again() {
    let first = vec![7.0; 12];
    let second = [vec![7.0; 11], vec![8.0]].concat();
    let audit = Audit::of(sum(2.0)).claim(1.0, 0.0);
    let audit = audit.neighbours(Neighbouring::ReplaceOne, first.clone(), second.clone());
    let report = audit.simplify(|a, b| simpler(a, b)).run();
    let found = report.expect("a complete description").counterexample;
    let found = found.expect("half the noise that is claimed");
    assert!(found.shrinks > 0, "{found:?}");
    // Neither of the inputs given, but one whose only difference is the one that breaks the claim.
    assert_ne!(found.input0, format!("{second:?}"));
    assert!(
        found.epsilon_lower > 1.0 && found.epsilon_lower <= 2.0,
        "{found:?}"
    );
}

/// A Gaussian mechanism on a query that moves by 1.
fn gaussian(sigma: f64) -> Audit<impl Mechanism<Input = f64>> {
    let mechanism = from_fn("gaussian", move |x: &f64, tape: Tape| {
        x + sigma * tape.uniform(0, Purpose::Release, 0).gaussian()
    });
    let audit = Audit::of(mechanism).claim(1.0, 1e-5).trials(20_000);
    audit.neighbours(Neighbouring::ReplaceOne, 0.0, 1.0)
}

#[test]
fn a_small_delta_is_audited_along_the_declared_curve_only() {
    // σ = 3.730632 is what (1, 1e-5) needs; with half of it the pair is only (2.15, 1e-5)-private, but
    // events that are more than e times as likely on one input are too rare to be seen. At ε = 0 the
    // curve says that no event's probability moves by more than 0.11, and it moves by 0.21.
    let claimed = Gaussian::new(
        Sensitivity::new(1.0).expect("positive"),
        StdDev::new(3.730_632).expect("positive"),
    );
    let curve = move |e: f64| claimed.delta(Epsilon::new(e).expect("an ε")).hi;
    let verdict = |audit: Audit<_>| audit.run().expect("a complete description").verdict;
    assert_ne!(verdict(gaussian(1.865_316)), Verdict::Violation);
    assert_eq!(
        verdict(gaussian(1.865_316).curve(curve)),
        Verdict::Violation
    );
    assert_ne!(
        verdict(gaussian(3.730_632).curve(curve)),
        Verdict::Violation
    );
}

#[test]
fn a_shape_is_inverted_only_where_it_is_declared() {
    // Rates of 3/4 and 1/4 are those of randomized response at ε = ln 3, and of a Gaussian pair at
    // μ = 1.35, which is far less private at δ = 1e-5.
    let audit = || {
        Audit::of(response(0.25))
            .claim(4.0, 1e-5)
            .neighbours(Neighbouring::ReplaceOne, false, true)
    };
    let plain = audit().run().expect("a complete description");
    assert!(
        plain.epsilon_lower > 1.0 && plain.epsilon_lower <= 3_f64.ln(),
        "{plain}"
    );
    let inverted = audit().gaussian().run().expect("a complete description");
    assert!(inverted.epsilon_lower > 4.0, "{inverted}");
}

#[test]
fn a_suite_gives_no_more_error_than_it_has() {
    assert_eq!(Suite::new(0.0, 1).err(), Some(BudgetError::Total(0.0)));
    let suite = Suite::new(1e-6, 1).expect("a probability");
    assert_eq!(suite.allot("a", 0.75), Ok(0.75e-6));
    assert_eq!(suite.allot("a", 0.1), Err(BudgetError::Twice("a".into())));
    let (name, share, left) = ("b".into(), 0.5, 0.25);
    assert_eq!(
        suite.allot("b", 0.5),
        Err(BudgetError::Share { name, share, left })
    );
    assert!(suite.allot("b", f64::NAN).is_err() && suite.allot("b", 0.0).is_err());
    assert_eq!(suite.allot("b", 0.25), Ok(0.25e-6));
    assert!(suite.to_string().contains("suite error 1e-6, seed 1"));
    assert_ne!(suite.seed("a"), suite.seed("b"));
}
