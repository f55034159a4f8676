//! Starts one process per user, collects their models, and finds the user to blame if one fails.

use super::super::losses::Split;
use super::super::user::Part;
use super::super::{Config, Run, Secrets, SetupError};
use super::{Done, Failure, Job, Report};
use nalgebra::DMatrix;
use serde::Serialize;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How long to listen for other reports once something has failed: the earliest one tells the cause.
const GRACE: Duration = Duration::from_millis(400);

/// Why there is no run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NetworkError {
    /// The configuration does not fit the data.
    #[error(transparent)]
    Config(#[from] SetupError),
    /// A process that cannot be started.
    #[error("user {user} cannot be started: {reason}")]
    Start {
        /// The user.
        user: usize,
        /// The system's reason.
        reason: String,
    },
    /// A process that ended without a word.
    #[error("user {user} died: {status}")]
    Died {
        /// The user.
        user: usize,
        /// How its process ended.
        status: String,
    },
    /// A process that kept the others waiting.
    #[error("user {user} is too slow: nothing from it for {seconds} s in round {round}")]
    Lagged {
        /// The user.
        user: usize,
        /// Round 0 is the first one, round t + 1 is step t.
        round: u64,
        /// The time limit.
        seconds: f64,
    },
    /// A process that gave up.
    #[error("user {user} gave up: {failure}")]
    Failed {
        /// The user.
        user: usize,
        /// Its reason.
        failure: Failure,
    },
    /// A process that says something else than the protocol has.
    #[error("user {user} does not speak the protocol: {line:?}")]
    Malformed {
        /// The user.
        user: usize,
        /// What it said.
        line: String,
    },
}

/// Runs T steps from x^(0) = `start` with a process for each user; `command(i)` is the program that
/// plays user i by [`serve`](super::serve). No answer may take longer than `limit`.
///
/// ```no_run
/// use dp_assay::accounting::decor::Noise;
/// use dp_assay::problem::loss::LossName;
/// use dp_assay::problem::{Dataset, Graph, MixingMatrix, Weights};
/// use dp_assay::solver::decor::{Config, Sampling, Secrets, Split, StepSizes, network, reference};
/// use std::process::Command;
/// use std::time::Duration;
///
/// # let graph = Graph::ring(4)?;
/// # let config = Config {
/// #     mixing: MixingMatrix::of(&graph, Weights::MetropolisHastings)?,
/// #     graph,
/// #     noise: Noise::new(0.1, 1.0, 0.5)?, // σ_cdp, σ_cor and the clipping threshold
/// #     steps: 3,
/// #     step_sizes: StepSizes::Constant(0.1),
/// #     sampling: Sampling::AllExamples,
/// #     keep_transcript: true,
/// # };
/// let split = Split::new(Dataset::breast_cancer(), LossName::Logistic, 0.01, 4)?;
/// let (secrets, start) = (Secrets::from_seed(&config.graph, 7), [0.0; 30]);
/// let user = |_: usize| {
///     let mut command = Command::new("dp-assay");
///     command.arg("decor-user");
///     command
/// };
/// let apart = network::run(&user, &config, &split, &secrets, &start, Duration::from_secs(10))?;
/// assert_eq!(apart, reference::run(&config, &split, &secrets, &start)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A configuration that does not fit; a user that cannot be started, dies, lags or gives up: the one
/// that is to blame, not those that waited for it. All processes have ended when this returns.
pub fn run(
    command: &dyn Fn(usize) -> Command,
    config: &Config,
    split: &Split,
    secrets: &Secrets,
    start: &[f64],
    limit: Duration,
) -> Result<Run, NetworkError> {
    config.check(split, secrets, start)?;
    let n = config.graph.n();
    let mut users = Users::start(n, command)?;
    for user in 0..n {
        let mut job = job(config, split, secrets, start, user);
        job.limit_seconds = limit.as_secs_f64();
        users.tell(user, &job);
    }
    let ports = users.collect(limit, |report| match report {
        Report::Port(port) => Some(port),
        _ => None,
    })?;
    for user in 0..n {
        let around = config.graph.neighbours(user).iter();
        let around: Vec<u16> = around.map(|&j| ports[j as usize]).collect();
        users.tell(user, &around);
    }
    // No round takes longer than the limit, or a neighbour would have complained.
    let rounds = u32::try_from(config.steps).map_or(u32::MAX, |steps| steps.saturating_add(2));
    let done = users.collect(limit.saturating_mul(rounds), |report| match report {
        Report::Done(done) => Some(done),
        _ => None,
    })?;
    Ok(assemble(config, start.len(), &done))
}

fn job(config: &Config, split: &Split, secrets: &Secrets, start: &[f64], user: usize) -> Job {
    let part = Part::of(config, user);
    let data = split.problem().data();
    let row = |record: usize| {
        let mut row = vec![0.0; data.features()];
        data.design().row(record).for_each(|(j, x)| row[j] = x);
        row
    };
    Job {
        user,
        neighbours: part.neighbours,
        weights: part.weights,
        sigma_cdp: config.noise.cdp(),
        sigma_cor: config.noise.cor(),
        clip: config.noise.clip(),
        steps: config.steps,
        step_sizes: config.step_sizes,
        sampling: config.sampling,
        keep_transcript: config.keep_transcript,
        seed: secrets.own(user).seed(),
        start: start.to_vec(),
        limit_seconds: 0.0,
        loss: split.loss(),
        ridge: split.problem().ridge(),
        printed: split.is_printed(),
        records: split.records(user).map(row).collect(),
        targets: split.records(user).map(|k| data.targets()[k]).collect(),
    }
}

fn assemble(config: &Config, d: usize, done: &[Done]) -> Run {
    let n = done.len();
    let kept = if config.keep_transcript {
        config.steps
    } else {
        0
    };
    Run {
        transcript: (0..kept)
            .map(|t| DMatrix::from_fn(d, n, |k, i| done[i].messages[t][k]))
            .collect(),
        models: DMatrix::from_fn(d, n, |k, i| done[i].model[k]),
        clipped: done.iter().map(|user| user.clipped).sum(),
    }
}

/// The running processes; they are ended when this is dropped.
struct Users {
    children: Vec<Child>,
    /// To the threads that write: a process that does not read holds up nobody else.
    inputs: Vec<Sender<Vec<u8>>>,
    events: Receiver<(usize, Event)>,
    /// Who ended after a report, while others had still to make it.
    ended: Vec<usize>,
}

enum Event {
    Line(String),
    End,
}

impl Users {
    fn start(n: usize, command: &dyn Fn(usize) -> Command) -> Result<Self, NetworkError> {
        let (events, received) = channel();
        let mut users = Self {
            children: Vec::with_capacity(n),
            inputs: Vec::with_capacity(n),
            events: received,
            ended: Vec::new(),
        };
        for user in 0..n {
            let mut command = command(user);
            command.stdin(Stdio::piped()).stdout(Stdio::piped());
            let failed = |reason: String| NetworkError::Start { user, reason };
            let mut child = command.spawn().map_err(|e| failed(e.to_string()))?;
            let streams = (child.stdin.take(), child.stdout.take());
            users.children.push(child);
            let (Some(stdin), Some(stdout)) = streams else {
                return Err(failed("it has no streams".into()));
            };
            users.inputs.push(writer(stdin));
            read_lines(user, stdout, events.clone());
        }
        Ok(users)
    }

    fn tell(&self, user: usize, what: &impl Serialize) {
        let mut line = serde_json::to_vec(what).expect("plain structures serialise");
        line.push(b'\n');
        // A process that has gone is noticed by its silence.
        let _ = self.inputs[user].send(line);
    }

    /// One report of this kind from every user.
    fn collect<T>(
        &mut self,
        within: Duration,
        pick: impl Fn(Report) -> Option<T>,
    ) -> Result<Vec<T>, NetworkError> {
        if let Some(&user) = self.ended.first() {
            return Err(self.died(user));
        }
        let end = Instant::now().checked_add(within);
        let mut found: Vec<Option<T>> = self.children.iter().map(|_| None).collect();
        while let Some(missing) = found.iter().position(Option::is_none) {
            let (user, event) = match self.next(end) {
                Ok(next) => next,
                Err(RecvTimeoutError::Timeout) => {
                    return Err(NetworkError::Lagged {
                        user: missing,
                        round: 0,
                        seconds: within.as_secs_f64(),
                    });
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.died(missing)),
            };
            match event {
                Event::End if found[user].is_some() => self.ended.push(user),
                Event::End => return Err(self.blame(vec![(user, None)])),
                Event::Line(line) => match serde_json::from_str(&line) {
                    Ok(Report::Failure(failure)) => {
                        return Err(self.blame(vec![(user, Some(failure))]));
                    }
                    Ok(report) => found[user] = pick(report),
                    Err(_) => return Err(NetworkError::Malformed { user, line }),
                },
            }
        }
        Ok(found.into_iter().flatten().collect())
    }

    fn next(&self, end: Option<Instant>) -> Result<(usize, Event), RecvTimeoutError> {
        match end {
            None => self
                .events
                .recv()
                .map_err(|_| RecvTimeoutError::Disconnected),
            Some(end) => {
                let left = end.saturating_duration_since(Instant::now());
                self.events.recv_timeout(left)
            }
        }
    }

    /// The cause behind the first trouble and what follows at once: a process that ended without a
    /// word, or else the earliest round. A user who fails in round r has sent its message of round r,
    /// so that those who only waited for it complain about a later one.
    fn blame(&mut self, mut troubles: Vec<(usize, Option<Failure>)>) -> NetworkError {
        let end = Instant::now() + GRACE;
        while let Ok((user, event)) = self.next(Some(end)) {
            let known = troubles.iter().any(|trouble| trouble.0 == user);
            match event {
                Event::End if !known => troubles.push((user, None)),
                Event::Line(line) => {
                    if let Ok(Report::Failure(failure)) = serde_json::from_str(&line) {
                        troubles.push((user, Some(failure)));
                    }
                }
                Event::End => {}
            }
        }
        let known = |user: &usize| troubles.iter().any(|trouble| trouble.0 == *user);
        let before: Vec<usize> = self.ended.iter().copied().filter(|u| !known(u)).collect();
        troubles.extend(before.into_iter().map(|user| (user, None)));
        let silent = troubles.iter().find(|trouble| trouble.1.is_none());
        if let Some(&(user, _)) = silent {
            return self.died(user);
        }
        let failures = troubles
            .into_iter()
            .filter_map(|(user, f)| f.map(|f| (user, f)));
        let earliest = failures.min_by_key(|(_, failure)| (failure.round(), failure.rank()));
        match earliest.expect("there is a trouble") {
            (
                _,
                Failure::Silent {
                    peer: user,
                    round,
                    seconds,
                },
            ) => NetworkError::Lagged {
                user,
                round,
                seconds,
            },
            (user, failure) => NetworkError::Failed { user, failure },
        }
    }

    fn died(&mut self, user: usize) -> NetworkError {
        let child = &mut self.children[user];
        // It may only have closed its output.
        let _ = child.kill();
        let status = match child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        NetworkError::Died { user, status }
    }
}

impl Drop for Users {
    fn drop(&mut self) {
        for child in &mut self.children {
            // Fails only where the process has already ended, which is what is wanted.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn writer(mut stdin: ChildStdin) -> Sender<Vec<u8>> {
    let (lines, received) = channel::<Vec<u8>>();
    std::thread::spawn(move || {
        for line in received {
            if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
                break;
            }
        }
    });
    lines
}

fn read_lines(user: usize, stdout: ChildStdout, events: Sender<(usize, Event)>) {
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if events.send((user, Event::Line(line))).is_err() {
                return;
            }
        }
        // Nobody listens any more: fine.
        let _ = events.send((user, Event::End));
    });
}
