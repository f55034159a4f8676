//! `dp-assay fit decor`: users on any file, every choice echoed, the same models from processes.

use crate::program::{number, refused, stdout};
use serde_json::Value;
use std::fmt::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// `fit decor` on a file of so many records in two classes.
fn fit<T>(records: usize, flags: &[&str], run: impl Fn(&[&str]) -> T) -> T {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut rows = String::new();
    for i in 0..records {
        let (a, b) = ((i * 7 % 11) as f64 / 5.0 - 1.0, (i % 4) as f64 / 2.0 - 0.75);
        let class = if i % 2 == 0 { "even" } else { "odd" };
        writeln!(rows, "{a},{b},{class}").expect("a String takes everything");
    }
    let file = folder.path().join("records.csv");
    std::fs::write(&file, rows).expect("a temporary file");
    let file = file.to_str().expect("a plain path");
    run(&[&["fit", "decor", "--data", file], flags].concat())
}

fn json(records: usize, flags: &[&str]) -> Value {
    fit(records, flags, crate::program::json)
}

#[test]
fn defaults_run_on_any_file_and_are_echoed() {
    for (records, graph, users) in [(2, "path:2", 2), (5, "ring:5", 5), (40, "ring:16", 16)] {
        let found = json(records, &[]);
        let asked = &found["request"]["decentralised"];
        assert_eq!(asked["graph"], graph);
        assert_eq!(asked["adversary"], "eavesdropper");
        assert_eq!(asked["noise"], "decor");
        assert_eq!(asked["weights"], "metropolis-hastings");
        assert_eq!(found["request"]["neighbours"], "user");
        assert_eq!(found["request"]["passes"], 50.0);
        let privacy = &found["privacy"];
        assert_eq!(privacy["neighbours"], "user");
        assert_eq!(privacy["release"], "transcript");
        assert!(number(&privacy["epsilon_upper"]) <= 1.0 + 1e-9, "{privacy}");
        let network = &found["users"];
        assert_eq!(network["count"], users);
        let models = network["models"].as_array().expect("a list");
        assert_eq!(models.len(), users);
        for k in 0..2 {
            let mean = models.iter().map(|m| number(&m[k])).sum::<f64>() / users as f64;
            // A mean of at most 16 numbers in two orders.
            let released = number(&found["coefficients"][k]);
            let size = models
                .iter()
                .map(|m| number(&m[k]).abs())
                .fold(0.0, f64::max);
            assert!((mean - released).abs() <= 64.0 * f64::EPSILON * size);
        }
    }
}

#[test]
fn the_baselines_have_their_scales_and_say_what_they_protect() {
    let of = |noise: &str| json(40, &["--noise", noise]);
    let [decor, cdp, ldp] = ["decor", "cdp", "ldp"].map(of);
    let cdp_of = |found: &Value| number(&found["users"]["sigma_cdp"]);
    // n = 16 users: the local scale is √n times the central one; DECOR's own noise is near the latter.
    let ratio = cdp_of(&ldp) / cdp_of(&cdp);
    assert!((ratio - 4.0).abs() < 1e-9, "{ratio}");
    let excess = (cdp_of(&decor) / cdp_of(&cdp)).powi(2);
    assert!(excess > 1.0 && excess <= 1.1 + 1e-6, "{excess}");
    assert_eq!(
        cdp["privacy"]["release"],
        "average of the messages, not the messages"
    );
    // The users' models are the average in sums of other orders, whose last digits tell one message from another.
    let kept = [&decor, &cdp, &ldp].map(|found| found["users"].get("models").is_some());
    assert_eq!(kept, [true, false, true]);
    for (found, claim) in [
        (&decor, "decor-thm-6-num"),
        (&cdp, "decor-base-cdp"),
        (&ldp, "decor-base-ldp"),
    ] {
        assert_eq!(found["privacy"]["claim"], claim);
        let epsilon = number(&found["privacy"]["epsilon_upper"]);
        assert!((1.0 - 1e-9..=1.0 + 1e-9).contains(&epsilon), "{epsilon}");
    }
    // A user who sees its neighbours' seeds needs more noise against it.
    let curious = json(40, &["--adversary", "curious"]);
    assert!(cdp_of(&curious) > cdp_of(&decor));
}

#[test]
fn processes_give_the_same_models_and_text_names_the_network() {
    let flags = ["--graph", "star:3", "--sigma-cor", "20", "--passes", "4"];
    let together = json(11, &flags);
    let apart = json(
        11,
        &[&flags[..], &["--processes", "--timeout", "60"]].concat(),
    );
    assert_eq!(together["users"], apart["users"]);
    assert_eq!(apart["request"]["decentralised"]["limit_seconds"], 60.0);
    assert_eq!(together["users"]["sigma_cor"], 20.0);
    assert_eq!(together["users"]["fewest_records"], 3);
    let text = fit(11, &flags, stdout);
    for words in [
        "star:3, adversary eavesdropper: 3 users of at least 3 records, 2 edges",
        "sigma_cor = 20,",
        "the coefficients are the average of the users' models",
    ] {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn bad_input_is_one_line_with_the_value_at_fault() {
    let refused = |flags: &[&str]| {
        let message = fit(5, flags, refused);
        assert_eq!(message.lines().count(), 1, "{message}");
        format!("error: {message}\n")
    };
    let all: [&[&str]; 12] = [
        &["--graph", "ring:6"],
        &["--graph", "erdos-renyi:5:0:1"],
        &["--graph", "star:5", "--adversary", "collude:5"],
        &["--neighbours", "replace-one"],
        &["--l1", "0.1"],
        &["--noise", "ldp", "--sigma-cor", "1"],
        &["--weights", "printed"],
        &["--weights", "uniform"],
        &["--processes", "--timeout", "0"],
        &["--calibration", "repaired"],
        // One user, so that no other can be the first to say so.
        &["--graph", "path:1", "--step", "8e307"],
        &["--graph", "path:1", "--step", "8e307", "--processes"],
    ];
    insta::assert_snapshot!(all.map(refused).concat());
}

/// The processes that play the users of a running `fit`, in the order in which they were started. `None` where the
/// system does not show its processes as files.
fn users_of(program: u32) -> Option<Vec<u32>> {
    let mut users: Vec<(u64, u32)> = Vec::new();
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|n| n.parse().ok()) else {
            continue;
        };
        // Behind the name: state, parent, …, and the start as the 20th. A process may end while this looks.
        let line = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let fields: Vec<&str> = line
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .collect();
        if fields.get(1).and_then(|p| p.parse().ok()) == Some(program) {
            users.push((fields[19].parse().expect("clock ticks"), id));
        }
    }
    users.sort_unstable();
    Some(users.into_iter().map(|(_, id)| id).collect())
}

/// What `fit` says when the third of four users gets a signal.
fn with_user_2_sent(signal: &str, arguments: &[&str]) -> Option<String> {
    let mut fit = Command::new(env!("CARGO_BIN_EXE_dp-assay"))
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary was built for this test");
    let begun = Instant::now();
    let users = loop {
        match users_of(fit.id()) {
            Some(users) if users.len() == 4 => break Some(users),
            Some(_) if begun.elapsed() < Duration::from_secs(600) => {
                std::thread::sleep(Duration::from_millis(20));
            }
            _ => break None,
        }
    };
    let Some(users) = users else {
        fit.kill().expect("it is our child");
        fit.wait().expect("it was killed");
        println!("SKIPPED: this machine does not show the processes of a program");
        return None;
    };
    let sent = Command::new("kill")
        .args([signal, &users[2].to_string()])
        .status();
    assert!(sent.is_ok_and(|status| status.success()));
    let output = fit.wait_with_output().expect("it ends by itself");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    Some(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// What is said of user 2 when it gets a signal, and the limit on a round at which it is. On a machine under load others
/// may be slow too: who of several is named is not said then, and the limit is raised.
fn said_of_user_2(signal: &str) -> Option<(String, u32)> {
    let mut said = String::new();
    for limit in [4, 20, 100] {
        let flags = format!("--graph ring:4 --processes --passes 1e6 --timeout {limit}");
        let flags: Vec<&str> = flags.split(' ').collect();
        said = fit(8, &flags, |all| with_user_2_sent(signal, all))?;
        let slow = said.contains(" is too slow: ");
        if !slow || (signal == "-STOP" && said.starts_with("error: user 2 ")) {
            return Some((said, limit));
        }
    }
    panic!("with {signal} to user 2: {said}");
}

/// A run of a million rounds, one of whose users is killed and then one stopped.
#[test]
fn a_user_that_dies_or_lags_is_named_by_the_command() {
    let (Some((died, _)), Some((lagged, limit))) =
        (said_of_user_2("-KILL"), said_of_user_2("-STOP"))
    else {
        return;
    };
    assert_eq!(died, "error: user 2 died: signal: 9 (SIGKILL)\n");
    let start = format!("error: user 2 is too slow: nothing from it for {limit} s in round ");
    let round = lagged
        .strip_prefix(&start)
        .unwrap_or_else(|| panic!("{lagged}"));
    assert!(round.trim_end().parse::<u64>().is_ok(), "{lagged}");
}
