//! A connection to a neighbour: whole messages or a failure, within the time limit.

use super::Failure;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// What a connection begins with.
const GREETING: [u8; 8] = *b"decor/1\0";

/// A connection to one neighbour.
pub struct Link {
    stream: TcpStream,
    peer: usize,
    limit: Duration,
}

/// The end of the time limit.
struct Deadline(Instant);

impl Deadline {
    fn after(limit: Duration) -> Self {
        Self(Instant::now() + limit)
    }

    fn left(&self) -> io::Result<Duration> {
        let left = self.0.saturating_duration_since(Instant::now());
        match left.is_zero() {
            true => Err(ErrorKind::TimedOut.into()),
            false => Ok(left),
        }
    }
}

/// The number of the user who connects, and its connection; everybody else is turned away.
///
/// # Errors
/// Nobody comes within the limit.
pub fn accept(listener: &TcpListener, limit: Duration) -> io::Result<(usize, TcpStream)> {
    let deadline = Deadline::after(limit);
    listener.set_nonblocking(true)?;
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false)?;
                let mut greeting = [0; 16];
                if read(&stream, &mut greeting, &deadline).is_err() {
                    deadline.left()?;
                } else if greeting[..8] == GREETING {
                    return Ok((number(&greeting[8..]) as usize, stream));
                }
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                deadline.left()?;
                std::thread::sleep(Duration::from_millis(1));
            }
            Err(error) => return Err(error),
        }
    }
}

/// Connects to the neighbour that listens on this port and says who is calling.
///
/// # Errors
/// Nobody listens there, or not within the limit.
pub fn connect(port: u16, user: usize, limit: Duration) -> io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&(Ipv4Addr::LOCALHOST, port).into(), limit)?;
    let greeting = [GREETING, (user as u64).to_le_bytes()].concat();
    write(&stream, &greeting, &Deadline::after(limit))?;
    Ok(stream)
}

impl Link {
    /// The connection to this neighbour.
    ///
    /// # Errors
    /// The connection has ended.
    pub fn new(stream: TcpStream, peer: usize, limit: Duration) -> Result<Self, Failure> {
        // Rounds are short: every message leaves at once.
        let ready = stream.set_nodelay(true);
        ready.map_err(|_| Failure::Closed { peer, round: 0 })?;
        Ok(Self {
            stream,
            peer,
            limit,
        })
    }

    /// The neighbour's number.
    pub const fn peer(&self) -> usize {
        self.peer
    }

    /// Sends a seed in round 0.
    ///
    /// # Errors
    /// The neighbour has gone, or is silent beyond the limit.
    pub fn send_seed(&self, seed: u64) -> Result<(), Failure> {
        let sent = write(&self.stream, &seed.to_le_bytes(), &self.deadline());
        sent.map_err(|error| self.failure(&error, 0))
    }

    /// Receives a seed in round 0.
    ///
    /// # Errors
    /// The neighbour has gone, or is silent beyond the limit.
    pub fn receive_seed(&self) -> Result<u64, Failure> {
        let mut bytes = [0; 8];
        let deadline = self.deadline();
        let received = read(&self.stream, &mut bytes, &deadline);
        received.map_err(|error| self.failure(&error, 0))?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// Sends a message, as [`encoded`].
    ///
    /// # Errors
    /// The neighbour has gone, or is silent beyond the limit.
    pub fn send(&self, round: u64, bytes: &[u8]) -> Result<(), Failure> {
        let sent = write(&self.stream, bytes, &self.deadline());
        sent.map_err(|error| self.failure(&error, round))
    }

    /// Receives the message of d coordinates that belongs to this round.
    ///
    /// # Errors
    /// The neighbour has gone, or is silent beyond the limit; it sent what does not belong there.
    pub fn receive(&self, round: u64, d: usize) -> Result<Vec<f64>, Failure> {
        let mut bytes = vec![0; 8 * (d + 1)];
        let received = read(&self.stream, &mut bytes, &self.deadline());
        received.map_err(|error| self.failure(&error, round))?;
        let malformed = |what: String| Failure::Malformed {
            peer: self.peer,
            round,
            what,
        };
        let (head, body) = bytes.split_at(8);
        if number(head) != round {
            return Err(malformed(format!("a message of round {}", number(head))));
        }
        let values: Vec<f64> = body
            .chunks_exact(8)
            .map(|b| f64::from_bits(number(b)))
            .collect();
        match values.iter().find(|x| !x.is_finite()) {
            Some(x) => Err(malformed(format!("the coordinate {x}"))),
            None => Ok(values),
        }
    }

    fn deadline(&self) -> Deadline {
        Deadline::after(self.limit)
    }

    fn failure(&self, error: &io::Error, round: u64) -> Failure {
        let (peer, seconds) = (self.peer, self.limit.as_secs_f64());
        match error.kind() {
            ErrorKind::TimedOut | ErrorKind::WouldBlock => Failure::Silent {
                peer,
                round,
                seconds,
            },
            _ => Failure::Closed { peer, round },
        }
    }
}

/// A message as it travels.
pub fn encoded(round: u64, message: &[f64]) -> Vec<u8> {
    let numbers = message.iter().map(|x| x.to_bits());
    std::iter::once(round)
        .chain(numbers)
        .flat_map(u64::to_le_bytes)
        .collect()
}

/// The first eight bytes as a number.
fn number(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[..8]);
    u64::from_le_bytes(word)
}

fn read(mut stream: &TcpStream, bytes: &mut [u8], end: &Deadline) -> io::Result<()> {
    let mut filled = 0;
    while filled < bytes.len() {
        stream.set_read_timeout(Some(end.left()?))?;
        match stream.read(&mut bytes[filled..]) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn write(mut stream: &TcpStream, bytes: &[u8], end: &Deadline) -> io::Result<()> {
    let mut sent = 0;
    while sent < bytes.len() {
        stream.set_write_timeout(Some(end.left()?))?;
        match stream.write(&bytes[sent..]) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => sent += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
