//! One process per user: the models of the in-process run bit for bit, and the user to blame named in
//! time.

use dp_assay::accounting::decor::Noise;
use dp_assay::problem::loss::LossName;
use dp_assay::problem::{Dataset, Dense, Graph, MixingMatrix, Weights};
use dp_assay::solver::decor::network::{self, Failure, NetworkError};
use dp_assay::solver::decor::{
    Config, RunError, Sampling, Secrets, Split, StepSizes, optimized, reference,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::process::Command;
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_dp-assay");
const SEED: u64 = 17;
/// Longer than any machine keeps a process from running: whoever waits for that long waits for nothing.
const AGES: Duration = Duration::from_secs(1000);

fn user() -> Command {
    let mut command = Command::new(PROGRAM);
    command.arg("decor-user");
    command
}

fn config(graph: &str, steps: usize, sampling: Sampling) -> Config {
    let graph: Graph = graph.parse().expect("a graph");
    Config {
        mixing: MixingMatrix::of(&graph, Weights::MetropolisHastings).expect("a mixing matrix"),
        graph,
        noise: Noise::new(0.3, 2.0, 0.5).expect("valid"),
        steps,
        step_sizes: StepSizes::Decreasing {
            scale: 1.0,
            offset: 9.0,
        },
        sampling,
        keep_transcript: true,
    }
}

/// 23 records of three features, with ±1 for targets.
fn split(loss: LossName, users: usize) -> Split {
    let mut random = Pcg64::seed_from_u64(SEED);
    let rows: Vec<[f64; 3]> = (0..23)
        .map(|_| std::array::from_fn(|_| random.random_range(-1.0..1.0)))
        .collect();
    let targets = rows.iter().map(|row| row[0].signum()).collect();
    let design = Dense::from_rows(&rows).expect("finite");
    let data = Dataset::new("random", design, targets).expect("finite");
    Split::new(data, loss, 0.01, users).expect("enough records")
}

#[test]
fn processes_return_the_models_and_messages_of_the_in_process_run_bit_for_bit() {
    let start = [0.25, -0.5, 0.0];
    for (graph, loss, sampling) in [
        ("ring:5", LossName::Logistic, Sampling::AllExamples),
        ("star:4", LossName::Squared, Sampling::OneExample),
        ("path:1", LossName::Huber, Sampling::AllExamples),
    ] {
        let config = config(graph, 6, sampling);
        let split = split(loss, config.graph.n());
        let secrets = Secrets::from_seed(&config.graph, SEED);
        let apart = network::run(&|_| user(), &config, &split, &secrets, &start, AGES);
        let apart = apart.expect("all users answer");
        for run in [reference::run, optimized::run] {
            let together = run(&config, &split, &secrets, &start).expect("finite");
            assert_eq!(apart, together, "{graph}");
        }
        assert_eq!(apart.transcript.len(), 6);
    }
}

/// What a ring of five ends with if user 2's process is this one instead. The run would last for hours.
fn with_another_user_2(other: impl Fn() -> Command, limit: Duration) -> (NetworkError, Duration) {
    let mut config = config("ring:5", 1_000_000_000, Sampling::AllExamples);
    config.keep_transcript = false;
    let split = split(LossName::Logistic, 5);
    let secrets = Secrets::from_seed(&config.graph, SEED);
    let begun = Instant::now();
    let command = |i: usize| if i == 2 { other() } else { user() };
    let ended = network::run(&command, &config, &split, &secrets, &[0.0; 3], limit);
    (ended.expect_err("user 2 fails"), begun.elapsed())
}

/// A user whose process gets this signal after so many seconds.
fn signalled(signal: &str, after: u64) -> Command {
    let mut command = Command::new("timeout");
    command.args(["-s", signal, &after.to_string(), PROGRAM, "decor-user"]);
    command
}

#[test]
fn a_user_that_is_killed_is_named_at_once() {
    let (error, time) = with_another_user_2(|| signalled("KILL", 1), AGES);
    assert_eq!(error.to_string(), "user 2 died: signal: 9 (SIGKILL)");
    assert!(time < AGES, "somebody waits for the dead: {time:?}");
}

/// The round in which user 2 is said to be too slow if it stops after so many seconds, and the limit by which it was. On
/// a machine under load others may be slow too, or nobody may have got to round `least`: then all is done again with
/// more time.
fn lagged(least: u64, other: impl Fn(u64) -> Command) -> (u64, Duration) {
    let mut told = Vec::new();
    for seconds in [1, 8, 60] {
        let limit = Duration::from_secs(2 * seconds);
        let (error, time) = with_another_user_2(|| other(seconds), limit);
        if let NetworkError::Lagged {
            user: 2,
            seconds,
            round,
        } = error
            && round >= least
        {
            assert!(seconds == limit.as_secs_f64() && time >= limit, "{time:?}");
            return (round, limit);
        }
        told.push(error.to_string());
    }
    panic!("{told:?}");
}

#[test]
fn a_user_that_stops_answering_is_named_when_the_limit_is_over() {
    lagged(1, |after| signalled("STOP", after));
}

#[test]
fn a_user_that_never_begins_is_named_too() {
    let others: [(&[&str], &str); 3] = [
        (&["false"], "user 2 died: exit status: 1"),
        (
            &["no-such-program"],
            "user 2 cannot be started: No such file or directory (os error 2)",
        ),
        (
            &["echo", "hello"],
            "user 2 does not speak the protocol: \"hello\"",
        ),
    ];
    let command = |words: &[&str]| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        command
    };
    for (words, message) in others {
        let (error, _) = with_another_user_2(|| command(words), AGES);
        assert_eq!(error.to_string(), message);
    }
    let (round, limit) = lagged(0, |_| command(&["sleep", "10000"]));
    let error = NetworkError::Lagged {
        user: 2,
        seconds: limit.as_secs_f64(),
        round,
    };
    let expected = format!(
        "user 2 is too slow: nothing from it for {} s in round 0",
        limit.as_secs()
    );
    assert_eq!(error.to_string(), expected);
}

/// What a neighbour does wrong names that neighbour; these reach a reader only where its own process stays silent.
#[test]
fn every_reason_to_give_up_is_told_with_its_round() {
    let (peer, round) = (3, 7);
    let told = [
        Failure::Closed { peer, round },
        Failure::Silent {
            peer,
            round,
            seconds: 2.5,
        },
        Failure::Malformed {
            peer,
            round,
            what: "4 numbers".into(),
        },
        Failure::Diverged { round },
        Failure::Setup {
            reason: "no port".into(),
        },
    ]
    .map(|failure| NetworkError::Failed { user: 1, failure }.to_string());
    insta::assert_snapshot!(told.join("\n"), @r"
    user 1 gave up: user 3 closed its connection in round 7
    user 1 gave up: user 3 did not answer within 2.5 s in round 7
    user 1 gave up: user 3 sent 4 numbers in round 7
    user 1 gave up: its message is not finite in round 7; shorten the steps
    user 1 gave up: it could not begin: no port
    ");
}

#[test]
fn a_message_that_is_not_finite_and_a_bad_configuration_are_refused() {
    let mut wild = config("ring:3", 5, Sampling::AllExamples);
    wild.step_sizes = StepSizes::Constant(1e308);
    wild.noise = Noise::new(10.0, 10.0, 10.0).expect("valid");
    let secrets = Secrets::from_seed(&wild.graph, SEED);
    let split = split(LossName::Squared, 3);
    let start = [0.0; 3];
    let alone = optimized::run(&wild, &split, &secrets, &start).unwrap_err();
    assert!(matches!(alone, RunError::Diverged { .. }), "{alone}");
    let apart = network::run(&|_| user(), &wild, &split, &secrets, &start, AGES).unwrap_err();
    assert!(
        apart
            .to_string()
            .contains("its message is not finite in round 1"),
        "{apart}"
    );
    wild.step_sizes = StepSizes::Constant(0.0);
    let refused = network::run(&|_| user(), &wild, &split, &secrets, &start, AGES).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "step size 0 at step 0 must be finite and > 0"
    );
}
