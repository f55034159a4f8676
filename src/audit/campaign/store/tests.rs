//! Stores keep what is recorded first, and are united whole.

use super::*;

/// What a store says of a row: events and chunks of audit 0, and the numbers of those counted of audit 1.
fn held(store: &Store) -> (Option<String>, Vec<u64>, Vec<u64>) {
    let read = "it is a store";
    let (events, chunks) = (store.events(0).expect(read), store.chunks(0).expect(read));
    (events, chunks, store.counted(1).expect(read))
}

/// First records stay, chunks come in their order, and all of it is there when the store is opened again.
#[test]
fn rows_are_kept_and_first_records_stay() {
    let folder = tempfile::tempdir().expect("there is room");
    let file = folder.path().join("store");
    let store = Store::open(&file, &"a plan").expect("a new store");
    assert_eq!(held(&store), (None, vec![], vec![]));
    for events in ["first", "second"] {
        store.record_events(0, &events).expect("there is room");
    }
    for (audit, chunk, counts) in [(0, 7, 70), (0, 2, 20), (0, 2, 21), (1, 5, 0), (1, 3, 0)] {
        let counts: u64 = counts;
        store
            .record_chunk(audit, chunk, &counts)
            .expect("there is room");
    }
    let due = (Some("first".to_owned()), vec![20, 70], vec![3, 5]);
    assert_eq!(held(&store), due);
    drop(store);
    assert_eq!(
        held(&Store::of(&file, &"a plan").expect("it is there")),
        due
    );
    let other = Store::of(&file, &"another").err().expect("of another plan");
    assert!(matches!(other, StoreError::Plan { .. }), "{other}");
    let none = Store::of(&folder.path().join("none"), &"a plan").err();
    assert!(matches!(none, Some(StoreError::Database { .. })));
    assert!(!folder.path().join("none").exists());
}

/// A store takes over what others have and it has not; those that disagree change nothing.
#[test]
fn stores_are_united_whole_or_not_at_all() {
    let folder = tempfile::tempdir().expect("there is room");
    let at = |name: &str| folder.path().join(name);
    let made = |name: &str, plan: &str, events: Option<&str>, chunks: &[(usize, u64, u64)]| {
        let store = Store::open(&at(name), &plan).expect("a new store");
        if let Some(events) = events {
            store.record_events(0, &events).expect("there is room");
        }
        for (audit, chunk, counts) in chunks {
            store
                .record_chunk(*audit, *chunk, counts)
                .expect("there is room");
        }
        store
    };
    let all = made("all", "p", None, &[(0, 1, 10)]);
    made("one", "p", Some("e"), &[(0, 0, 5), (0, 1, 10)]);
    made("two", "p", Some("e"), &[(0, 4, 9), (1, 8, 1)]);
    all.merge(&[at("one"), at("two")]).expect("they agree");
    let due = (Some("e".to_owned()), vec![5, 10, 9], vec![8]);
    assert_eq!(held(&all), due);
    made("chunk", "p", Some("e"), &[(0, 2, 3), (0, 4, 8)]);
    made("events", "p", Some("f"), &[(0, 3, 3)]);
    made("plan", "q", None, &[(0, 3, 3)]);
    for (name, said) in [
        (
            "chunk",
            "disagree on chunk 4 of audit 0: one of them is not",
        ),
        (
            "events",
            "disagree on the events of audit 0: one of them is not",
        ),
        ("plan", "its plan is `\"q\"`, not `\"p\"`"),
        ("all", "this is the store that it would be merged into"),
        ("none", "unable to open"),
    ] {
        let why = all.merge(&[at(name)]).expect_err(name).to_string();
        assert!(why.contains(said) && why.contains(name), "{name}: {why}");
        assert_eq!(held(&all), due, "{name}");
    }
}

/// What is of another format, of another version, or no row that was written is named.
#[test]
fn strange_stores_are_refused() {
    let folder = tempfile::tempdir().expect("there is room");
    let file = folder.path().join("store");
    let store = Store::open(&file, &"p").expect("a new store");
    store.record_chunk(3, 4, &"text").expect("there is room");
    let why = store.chunks::<u64>(3).expect_err("no number").to_string();
    assert!(
        why.contains("chunk 4 of audit 3 is damaged: invalid type"),
        "{why}"
    );
    store.record_events(3, &"text").expect("there is room");
    let why = store.events::<u64>(3).expect_err("no number").to_string();
    assert!(
        why.contains("events of audit 3 is damaged: invalid type"),
        "{why}"
    );
    let version = env!("CARGO_PKG_VERSION");
    for (key, right) in [("version", version), ("schema", SCHEMA)] {
        let set = |value: &str| {
            let set = "UPDATE meta SET value = ?1 WHERE key = ?2";
            store.insert(set, [value, key]).expect("there is room");
        };
        set("9");
        let opened = [Store::open(&file, &"p"), Store::of(&file, &"p")];
        for why in opened.map(|store| store.err().expect("strange").to_string()) {
            assert!(
                why.ends_with(&format!("its {key} is `9`, not `{right}`")),
                "{why}"
            );
        }
        set(right);
    }
    assert!(Store::of(&file, &"p").is_ok());
    let why = Store::open(Path::new(""), &"p").err().expect("no name");
    assert!(matches!(why, StoreError::Name { .. }), "{why}");
}
