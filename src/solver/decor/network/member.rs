//! A user's own process.

use super::super::losses::{LocalLosses, Split};
use super::super::secrets::Knowledge;
use super::super::secrets::drawn_for;
use super::super::user::Part;
use super::wire::{self, Link};
use super::{Done, Failure, Job, Report};
use crate::accounting::decor::Noise;
use crate::mechanism::tape::Tape;
use crate::problem::{Dataset, Dense};
use std::io::{self, BufRead, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::Duration;

/// Plays one user: job and ports from `input`, reports to `output`, one line of JSON each.
///
/// ```no_run
/// use dp_assay::solver::decor::network::serve;
///
/// // The whole program of a user.
/// serve(std::io::stdin().lock(), std::io::stdout())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The starter cannot be talked to. Everything else is reported to it.
pub fn serve(mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let ended = match take_part(&mut input, &mut output) {
        Ok(done) => Report::Done(done),
        Err(failure) => Report::Failure(failure),
    };
    say(&mut output, &ended)
}

fn say(output: &mut impl Write, report: &Report) -> io::Result<()> {
    let mut line = serde_json::to_vec(report)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()
}

fn setup(reason: impl ToString) -> Failure {
    let reason = reason.to_string();
    Failure::Setup { reason }
}

fn take_part(input: &mut impl BufRead, output: &mut impl Write) -> Result<Done, Failure> {
    let job: Job = next(input)?;
    let (part, split) = (part(&job)?, own_losses(&job)?);
    let limit = Duration::try_from_secs_f64(job.limit_seconds).map_err(setup)?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(setup)?;
    let port = listener.local_addr().map_err(setup)?.port();
    say(output, &Report::Port(port)).map_err(setup)?;
    let ports: Vec<u16> = next(input)?;
    let links = links(&job, &listener, &ports, limit)?;
    let knowledge = first_round(&job, &links)?;
    let mut x = job.start.clone();
    let (mut messages, mut clipped) = (Vec::new(), 0);
    for t in 0..job.steps {
        let (message, was_clipped) = part.message((&split, 0), &knowledge, t, &x);
        clipped += u64::from(was_clipped);
        x = round(&part, &links, t as u64 + 1, &message)?;
        if job.keep_transcript {
            messages.push(message);
        }
    }
    Ok(Done {
        model: x,
        messages,
        clipped,
    })
}

fn next<T: serde::de::DeserializeOwned>(input: &mut impl BufRead) -> Result<T, Failure> {
    let mut line = String::new();
    input.read_line(&mut line).map_err(setup)?;
    serde_json::from_str(&line).map_err(setup)
}

fn part(job: &Job) -> Result<Part, Failure> {
    Ok(Part {
        user: job.user,
        neighbours: job.neighbours.clone(),
        weights: job.weights.clone(),
        noise: Noise::new(job.sigma_cdp, job.sigma_cor, job.clip).map_err(setup)?,
        step_sizes: job.step_sizes,
        sampling: job.sampling,
    })
}

fn own_losses(job: &Job) -> Result<Split, Failure> {
    let design = Dense::from_rows(&job.records).map_err(setup)?;
    let data = Dataset::new("own records", design, job.targets.clone()).map_err(setup)?;
    let split = Split::new(data, job.loss, job.ridge, 1).map_err(setup)?;
    let split = if job.printed { split.printed() } else { split };
    if split.dimension() != job.start.len() {
        let (p, d) = (split.dimension(), job.start.len());
        return Err(setup(format!(
            "records of {p} features, but a start of {d}"
        )));
    }
    Ok(split)
}

/// Calls the neighbours with smaller numbers and is called by the others; in the order of `neighbours`.
fn links(
    job: &Job,
    listener: &TcpListener,
    ports: &[u16],
    limit: Duration,
) -> Result<Vec<Link>, Failure> {
    let mut streams: Vec<Option<TcpStream>> = Vec::new();
    for (&peer, &port) in job.neighbours.iter().zip(ports) {
        streams.push(match peer < job.user {
            true => Some(
                wire::connect(port, job.user, limit)
                    .map_err(|_| Failure::Closed { peer, round: 0 })?,
            ),
            false => None,
        });
    }
    while let Some(waiting) = streams.iter().position(Option::is_none) {
        let (peer, stream) = wire::accept(listener, limit).map_err(|_| Failure::Silent {
            peer: job.neighbours[waiting],
            round: 0,
            seconds: limit.as_secs_f64(),
        })?;
        // Strangers are turned away: dropping the stream closes it.
        if let Ok(at) = job.neighbours.binary_search(&peer)
            && streams[at].is_none()
        {
            streams[at] = Some(stream);
        }
    }
    let peers = job.neighbours.iter();
    peers
        .zip(streams.into_iter().flatten())
        .map(|(&peer, stream)| Link::new(stream, peer, limit))
        .collect()
}

/// The seeds of the pairs: drawn by the user with the smaller number, sent to the other.
fn first_round(job: &Job, links: &[Link]) -> Result<Knowledge, Failure> {
    let own = Tape::new(job.seed);
    let mut seeds = Vec::with_capacity(links.len());
    // All are sent before any is waited for.
    for link in links.iter().filter(|link| job.user < link.peer()) {
        link.send_seed(drawn_for(own, link.peer()))?;
    }
    for link in links {
        seeds.push(match job.user < link.peer() {
            true => drawn_for(own, link.peer()),
            false => link.receive_seed()?,
        });
    }
    let pairs = seeds.into_iter().map(Tape::new).collect();
    Ok(Knowledge { own, pairs })
}

/// Sends x^(t+1/2) to all neighbours while theirs are received, and mixes.
fn round(part: &Part, links: &[Link], round: u64, own: &[f64]) -> Result<Vec<f64>, Failure> {
    if own.iter().any(|m| !m.is_finite()) {
        return Err(Failure::Diverged { round });
    }
    let bytes = wire::encoded(round, own);
    // A thread of its own sends, so that two long messages do not wait for each other.
    let (sent, received) = std::thread::scope(|scope| {
        let sending = scope.spawn(|| links.iter().try_for_each(|link| link.send(round, &bytes)));
        let received: Result<Vec<_>, Failure> = links
            .iter()
            .map(|link| link.receive(round, own.len()))
            .collect();
        let sent = sending.join();
        (
            sent.unwrap_or_else(|_| Err(setup("the sender stopped"))),
            received,
        )
    });
    // What is missing says more than what could not be delivered.
    let received = received?;
    sent?;
    let neighbours = &part.neighbours;
    Ok(part.mix(own.len(), |j| match neighbours.binary_search(&j) {
        Ok(at) => &received[at],
        Err(_) => own,
    }))
}
