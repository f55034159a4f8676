//! Programs of the shell, well-behaved and not.

use super::*;
use std::io::{Cursor, empty};
use std::path::Path;

/// Longer than a machine under load takes to start a shell.
const LONG: Duration = Duration::from_secs(600);

const HELLO: &str =
    r#"echo '{"protocol": "dp-assay/external/1", "length": 2, "encoding": "json"}'"#;

/// Starts a program of the shell that reads the greeting, then does this.
fn started(folder: &Path, then: &str, limit: Duration) -> Result<External, String> {
    let file = folder.join("program");
    std::fs::write(&file, format!("read -r _\n{then}\n")).expect("there is room");
    let command = format!("sh {}", file.display());
    External::start(&command, 1, "[1]", limit).map_err(|why| why.to_string())
}

/// Whether a process is there, if only to be reaped.
fn lives(id: u32) -> bool {
    let mut kill = Command::new("kill");
    let asked = kill.args(["-0", &id.to_string()]).stderr(Stdio::null());
    asked.status().expect("kill is there").success()
}

#[test]
fn requests_are_numbered_and_answered_in_order() {
    let folder = tempfile::tempdir().expect("there is room");
    let asked = folder.path().join("asked");
    let answer = |id: u64| {
        let (x, asked) = (id as f64, asked.display());
        format!(
            r#"read -r a; echo "$a" >> {asked}; echo '{{"id": {id}, "outputs": [[{x:?}, 1]]}}'; "#
        )
    };
    let then = format!(
        "echo for people\n{HELLO}\n{}{}{}",
        answer(0),
        answer(1),
        answer(2)
    );
    let mut program = started(folder.path(), &then, LONG).expect("it greets");
    assert_eq!(program.length(), 2);
    for first in [5, 6, 7] {
        program.request(9, first, 1).expect("it reads");
    }
    for x in [0.0, 1.0, 2.0] {
        assert_eq!(
            program.outputs().expect("it answers"),
            [Output::Vector(vec![x, 1.0])]
        );
    }
    let asked = std::fs::read_to_string(asked).expect("it wrote");
    let due = |id: u64, first: u64| {
        format!("{{\"id\":{id},\"seed\":\"9\",\"first\":\"{first}\",\"count\":1}}\n")
    };
    assert_eq!(asked, due(0, 5) + &due(1, 6) + &due(2, 7));
    program.request(9, 8, 2).expect("sent or not, it is noted");
    let why = program.outputs().expect_err("it has ended").to_string();
    let due = "request 3 (2 outputs): the program ended with exit status: 0 before it answered";
    assert_eq!(why, due);
    assert!(program.request(9, 9, 1).is_err(), "nobody reads");
}

/// What ends, is silent or says too much is named with what was asked of it and its last words.
#[test]
fn programs_that_fail_are_named_with_what_they_did() {
    let folder = tempfile::tempdir().expect("there is room");
    let why = started(folder.path(), "echo what; echo tired >&2; exit 3", LONG).err();
    let due = "greeting: the program ended with exit status: 3 before it answered; its standard \
               error ends: tired; its standard output holds no greeting but: what";
    assert_eq!(why.as_deref(), Some(due));
    let why = started(folder.path(), "exec sleep 60", Duration::from_millis(30)).err();
    let due = "greeting: no complete answer within 0.03 s";
    assert_eq!(why.as_deref(), Some(due));
    let much = format!("{HELLO}\necho '{{\"bytes\": 1073741825}}'\nread -r _");
    let mut program = started(folder.path(), &much, LONG).expect("it greets");
    program.request(1, 0, 1).expect("it reads");
    let why = program.outputs().expect_err("too much").to_string();
    assert!(
        why.starts_with("request 0 (1 outputs): `bytes` must be at most 1073741824; the answer"),
        "{why}"
    );
    let none = External::start("/no/such program", 0, "", LONG).err();
    let none = none.map(|why| why.to_string()).unwrap_or_default();
    assert!(
        none.starts_with("cannot start `/no/such program`: "),
        "{none}"
    );
}

/// One that does not answer is killed at once, one that stays is when it is no longer needed.
#[test]
fn no_program_outlives_its_audit() {
    let folder = tempfile::tempdir().expect("there is room");
    let stays = format!("{HELLO}\nexec sleep 60");
    let mut program = started(folder.path(), &stays, LONG).expect("it greets");
    program.request(1, 0, 1).expect("it is sent");
    program.limit = Duration::from_millis(5);
    let why = program.outputs().expect_err("silent").to_string();
    assert_eq!(
        why,
        "request 0 (1 outputs): no complete answer within 0.005 s"
    );
    assert!(!lives(program.child.id()));
    let program = started(folder.path(), &stays, LONG).expect("it greets");
    let id = program.child.id();
    assert!(lives(id));
    drop(program);
    assert!(!lives(id));
}

#[test]
fn the_end_of_a_stream_is_kept_and_read_once() {
    let kept = keep_end(Cursor::new(
        (0..=255).cycle().take(10_000).collect::<Vec<u8>>(),
    ));
    while Arc::strong_count(&kept) > 1 {
        std::thread::yield_now();
    }
    let end: Vec<u8> = (0..=255)
        .cycle()
        .skip(10_000 % 256 + 256 - QUOTED % 256)
        .take(QUOTED)
        .collect();
    assert_eq!(
        kept.lock()
            .expect("nobody died")
            .iter()
            .copied()
            .collect::<Vec<u8>>(),
        end
    );
    let none = read_messages(empty());
    assert!(none.recv().expect("the end").is_err() && none.recv().is_err());
}
