//! Chunks and shards of campaigns count what is theirs.

use super::*;
use crate::audit::campaign::plan::SCHEMA;
use crate::audit::campaign::report;
use crate::audit::{Guarantee, from_fn};
use crate::mechanism::tape::Purpose;

fn plan(pairs: u64) -> Plan {
    let entry = |name: &str, explore| Entry {
        name: name.into(),
        mechanism: None,
        parameters: Default::default(),
        external: None,
        claim: Guarantee::new(0.5, 0.0).expect("in the domain"),
        neighbours: None,
        pairs,
        explore,
        must_see: None,
    };
    let audits = vec![entry("a", Some(300)), entry("b", Some(200))];
    Plan {
        schema: SCHEMA.into(),
        seed: 1,
        alpha: 1e-3,
        audits,
    }
}

/// A coin that says whether its trial is odd, with the second input's turned, beside its number.
fn coin() -> Box<dyn Pair> {
    Box::new(Fixed {
        mechanism: from_fn("coin", |turned: &bool, tape: Tape| {
            let fair = tape.uniform(0, Purpose::User, 0).fraction() < 0.3;
            f64::from(u8::from(fair != *turned))
        }),
        neighbours: Neighbouring::AddRemove,
        release: Release::Transcript,
        inputs: [false, true],
    })
}

/// Pairs are counted by what happened on either side, and those of a chunk are those that it should have.
#[test]
fn a_chunk_counts_its_own_pairs_by_what_happened() {
    let (plan, pair) = (plan(CHUNK + 50), coin());
    let chosen = explore(&plan, 0, pair.as_ref()).expect("independent");
    assert_eq!(chosen.constant, None);
    let directions: Vec<(bool, bool)> = chosen
        .bets
        .iter()
        .map(|bet| (bet.forward, bet.bound))
        .collect();
    assert_eq!(directions[..2], [(true, false), (false, false)]);
    assert!(directions.len() == 3 && directions[2].1);
    for (chunk, range) in [(0, 0..CHUNK), (1, CHUNK..CHUNK + 50)] {
        let [first, second] =
            draw(&plan, 0, pair.as_ref(), Phase::Count, range.clone()).expect("it runs");
        let tally = count(&plan, 0, pair.as_ref(), &chosen, chunk).expect("it runs");
        for (bet, ways) in chosen.bets.iter().zip(&tally) {
            let held = |outputs: &[Output]| {
                rows(&chosen.layout, outputs)
                    .iter()
                    .map(|row| bet.event.contains(row))
                    .collect::<Vec<_>>()
            };
            let both: Vec<(bool, bool)> = held(&first).into_iter().zip(held(&second)).collect();
            let times =
                |a: bool, b: bool| both.iter().filter(|pair| **pair == (a, b)).count() as u64;
            assert_eq!(
                *ways,
                [
                    times(false, false),
                    times(true, false),
                    times(false, true),
                    times(true, true)
                ]
            );
            assert_eq!(ways.iter().sum::<u64>(), range.end - range.start);
        }
    }
    // No two uses, audits or sides draw alike.
    let sides = |audit, phase| draw(&plan, audit, pair.as_ref(), phase, 0..200).expect("it runs");
    let mut all = [
        sides(0, Phase::Explore),
        sides(0, Phase::Count),
        sides(1, Phase::Explore),
        sides(1, Phase::Count),
    ]
    .concat();
    let turned: Vec<Output> = { all[1].iter() }
        .map(|x| Output::Real(if *x == Output::Real(1.0) { 0.0 } else { 1.0 }))
        .collect();
    all.push(turned);
    for (i, one) in all.iter().enumerate() {
        assert!(all[..i].iter().all(|other| other != one), "{i}");
    }
}

/// A constant is noticed where nothing varies on either side or between the two.
#[test]
fn outputs_that_are_all_one_are_noticed_when_events_are_chosen() {
    let pair = |values: [f64; 2]| Fixed {
        mechanism: from_fn("constant", |x: &f64, _: Tape| *x),
        neighbours: Neighbouring::AddRemove,
        release: Release::Final,
        inputs: values,
    };
    let constant = |values| {
        explore(&plan(100), 0, &pair(values))
            .expect("independent")
            .constant
    };
    assert!(constant([0.5, 0.5]).is_some_and(|why| why.contains("the same output, 0.5")));
    assert_eq!(constant([0.5, 0.75]), None);
}

/// A share of the error is divided between the sides that explore and all that count.
#[test]
fn doubts_have_their_parts_of_the_error() {
    assert_eq!(doubts(1.0), (1.0 / 32.0, 1.0 / 16.0));
    for (text, shard) in [
        ("0/1", Some((0, 1))),
        ("3/4", Some((3, 4))),
        ("4/4", None),
        ("0/0", None),
        ("1", None),
        ("-1/2", None),
        ("a/2", None),
    ] {
        let found = text
            .parse::<Shard>()
            .ok()
            .map(|shard| (shard.index, shard.of));
        assert_eq!(found, shard, "{text}");
    }
}

/// Noise that does not follow from the seed is counted in one process, and refused by a shard before anything is counted, whose
/// events no other shard would choose.
#[test]
fn a_shard_refuses_what_the_seed_does_not_determine() {
    use std::sync::atomic::{AtomicU64, Ordering};
    let own = AtomicU64::new(0);
    let own: Box<dyn Pair> = Box::new(Fixed {
        mechanism: from_fn("own noise", move |x: &f64, _: Tape| {
            let noise = Tape::new(own.fetch_add(1, Ordering::Relaxed));
            x + noise.uniform(0, Purpose::User, 0).laplace()
        }),
        neighbours: Neighbouring::AddRemove,
        release: Release::Final,
        inputs: [0.0, 0.25],
    });
    let (plan, pairs) = (plan(300), [own, coin()]);
    let folder = tempfile::tempdir().expect("there is room");
    let counted = |name: &str, shard: &str| {
        let store = Store::open(&folder.path().join(name), &plan).expect("a new store");
        let shard = shard.parse().expect("a shard");
        let told = run(&plan, &pairs, &store, shard, &mut |_, _| {});
        let counted = store.counted(0).expect("a store").len();
        (told.map_err(|error| error.to_string()), counted)
    };
    let (told, chunks) = counted("shard", "0/2");
    let told = told.expect_err("a shard");
    let head = "audit `a`: asked again for the outputs of the same numbers with the same seed, it";
    assert!(told.starts_with(head), "{told}");
    assert_eq!((chunks, counted("whole", "0/1")), (0, (Ok(()), 1)));
}

/// Each shard counts its own chunks, tells of each, and does none twice; together they are all.
#[test]
fn shards_count_each_chunk_once() {
    let (plan, pairs) = (plan(4 * CHUNK + 9), [coin(), coin()]);
    let folder = tempfile::tempdir().expect("there is room");
    let store = Store::open(&folder.path().join("store"), &plan).expect("a new store");
    let told = |index, of| {
        let mut told = Vec::new();
        run(
            &plan,
            &pairs,
            &store,
            Shard { index, of },
            &mut |done, all| told.push((done, all)),
        )
        .expect("it runs");
        told
    };
    // Of chunks 0 to 4 the second of three shards has 1 and 4, of two audits.
    assert_eq!(told(1, 3), [(1, 4), (2, 4), (3, 4), (4, 4)]);
    assert_eq!(
        [store.counted(0), store.counted(1)].map(|chunks| chunks.expect("a store")),
        [[1, 4], [1, 4]]
    );
    let counted = |plan: &Plan| {
        status(plan, &store)
            .expect("a store")
            .iter()
            .map(|s| (s.counted, s.chunks))
            .collect::<Vec<_>>()
    };
    assert_eq!(counted(&plan), [(2, 5), (2, 5)]);
    let before: Vec<Tally> = store.chunks(0).expect("a store");
    assert_eq!(told(0, 1).len(), 10);
    let after: Vec<Tally> = store.chunks(0).expect("a store");
    assert_eq!(
        (before[0].clone(), before[1].clone()),
        (after[1].clone(), after[4].clone())
    );
    assert_eq!(counted(&plan), [(5, 5), (5, 5)]);
}

/// A report is of all chunks; where all of them counted the same, that is no noise.
#[test]
fn chunks_that_repeat_are_an_error_once_all_are_counted() {
    let (plan, pairs) = (plan(3 * CHUNK), [coin(), coin()]);
    let chosen = explore(&plan, 0, pairs[0].as_ref()).expect("independent");
    let counted = |chunk| count(&plan, 0, pairs[0].as_ref(), &chosen, chunk).expect("it runs");
    let folder = tempfile::tempdir().expect("there is room");
    let store = |name: &str, chunks: &[u64]| {
        let store = Store::open(&folder.path().join(name), &plan).expect("a new store");
        store.record_events(0, &chosen).expect("there is room");
        for (chunk, own) in (0..).zip(chunks) {
            let tally = counted(*own);
            store.record_chunk(0, chunk, &tally).expect("there is room");
        }
        store
    };
    let reported = |name: &str, chunks: &[u64]| report(&plan, &pairs, &store(name, chunks));
    let some = reported("some", &[0, 0]).expect("not all are counted");
    assert!(some.iter().all(Option::is_none) && some.len() == 2);
    let all = reported("all", &[0, 1, 2]).expect("they differ");
    assert!(
        all[0]
            .as_ref()
            .is_some_and(|all| all.bet_samples == 3 * CHUNK)
            && all[1].is_none()
    );
    let why = reported("alike", &[0, 0, 0]).expect_err("they repeat");
    assert!(matches!(why, CampaignError::Dependent { .. }), "{why}");
    assert!(
        why.to_string()
            .contains("all 3 whole chunks counted the same"),
        "{why}"
    );
}
