//! One running program: requests out, answers in, each with a time limit.
//!
//! Requests are sent ahead of the answers that are being read, so that the program computes while
//! the auditor counts.

use super::wire::{Encoding, Form, Greeting, Message, Request, malformed};
use super::{ExternalError, PROTOCOL, PROTOCOL_ANY};
use crate::audit::Output;
use serde::Serialize;
use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How much of standard error an error quotes.
const QUOTED: usize = 400;

/// A running program that draws outputs for one side.
///
/// ```no_run
/// use dp_assay::audit::external::External;
/// use std::time::Duration;
///
/// let mut program = External::start("python3 count.py", 0, "0", Duration::from_secs(60))?;
/// program.request(1, 0, 100)?; // seed 1, outputs 0 to 99
/// assert_eq!(program.outputs()?.len(), 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct External {
    child: Child,
    /// To the thread that writes; gone once nothing more will be sent.
    requests: Option<Sender<Vec<u8>>>,
    answers: Receiver<io::Result<Message>>,
    stderr: Arc<Mutex<VecDeque<u8>>>,
    form: Form,
    limit: Duration,
    next_id: u64,
    sent: VecDeque<Request>,
}

impl External {
    /// Starts `command` (split at white space, no shell) and greets it.
    ///
    /// `input` is the text of the side's input; `limit` the time allowed for each answer.
    ///
    /// # Errors
    /// The command cannot be started, or the greeting is not answered as the protocol says.
    pub fn start(
        command: &str,
        side: u8,
        input: &str,
        limit: Duration,
    ) -> Result<Self, ExternalError> {
        let mut child = spawn(command)?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("all three streams were asked for");
        };
        let mut external = Self {
            requests: Some(write_messages(stdin)),
            answers: read_messages(stdout),
            stderr: keep_end(stderr),
            child,
            form: Form {
                length: 1,
                encoding: Encoding::Json,
            },
            limit,
            next_id: 0,
            sent: VecDeque::new(),
        };
        external.greet(&Greeting {
            protocol: PROTOCOL,
            protocols: [PROTOCOL, PROTOCOL_ANY],
            side,
            input,
        })?;
        Ok(external)
    }

    /// Number of reals in one output; 1 where it may be anything.
    #[must_use]
    pub const fn length(&self) -> usize {
        self.form.length
    }

    /// Asks for the outputs `first .. first + count` of a seed, without waiting for them.
    ///
    /// # Errors
    /// The program no longer reads.
    pub fn request(&mut self, seed: u64, first: u64, count: usize) -> Result<(), ExternalError> {
        let request = Request {
            id: self.next_id,
            seed,
            first,
            count,
        };
        self.next_id += 1;
        self.sent.push_back(request);
        self.send(&request, &request.name())
    }

    /// Waits for the answer to the oldest request: its outputs, in order.
    ///
    /// # Errors
    /// Every way in which the answer can fail to come or to be right.
    ///
    /// # Panics
    /// If nothing has been requested.
    pub fn outputs(&mut self) -> Result<Vec<Output>, ExternalError> {
        let request = self.sent.pop_front().expect("outputs follow a request");
        let message = self.receive(&request.name())?;
        message.outputs(&request, self.form)
    }

    fn greet(&mut self, greeting: &Greeting<'_>) -> Result<(), ExternalError> {
        let name = "greeting";
        self.send(greeting, name)?;
        let until = Instant::now() + self.limit;
        let mut printed = String::new();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let message = self
                .receive_within(left, name)
                .map_err(|error| error.after(&printed))?;
            if message.is_greeting() {
                self.form = message.hello()?;
                return Ok(());
            }
            printed = message.text();
        }
    }

    fn send(&mut self, message: &impl Serialize, request: &str) -> Result<(), ExternalError> {
        let mut line = serde_json::to_vec(message).expect("plain structures serialise");
        line.push(b'\n');
        let sent = self.requests.as_ref().is_some_and(|r| r.send(line).is_ok());
        if sent {
            Ok(())
        } else {
            Err(self.ended(request))
        }
    }

    fn receive(&mut self, request: &str) -> Result<Message, ExternalError> {
        self.receive_within(self.limit, request)
    }

    fn receive_within(&mut self, left: Duration, request: &str) -> Result<Message, ExternalError> {
        match self.answers.recv_timeout(left) {
            Ok(Ok(message)) => Ok(message),
            Ok(Err(error)) if error.kind() == io::ErrorKind::InvalidData => {
                Err(malformed(request, error.to_string(), b""))
            }
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => Err(self.ended(request)),
            Err(RecvTimeoutError::Timeout) => {
                self.kill();
                Err(ExternalError::Silent {
                    request: request.into(),
                    seconds: self.limit.as_secs_f64(),
                    stderr: self.stderr_end(),
                })
            }
        }
    }

    /// The program has gone: says how, giving it a moment to be reaped.
    fn ended(&mut self, request: &str) -> ExternalError {
        self.requests = None;
        let status = wait_briefly(&mut self.child);
        self.kill();
        ExternalError::Ended {
            request: request.into(),
            status: status.map_or_else(|| "its output closed".into(), |s| s.to_string()),
            stderr: self.stderr_end(),
        }
    }

    /// The end of standard error. A program that has ended may have said something that is still in the pipe:
    /// the thread that drains it is given a moment, after which its own hold on the buffer is gone.
    fn stderr_end(&self) -> String {
        for _ in 0..100 {
            if Arc::strong_count(&self.stderr) == 1 {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let end = self
            .stderr
            .lock()
            .map(|b| b.iter().copied().collect::<Vec<u8>>());
        match end {
            Ok(bytes) if !bytes.is_empty() => {
                format!(
                    "; its standard error ends: {}",
                    String::from_utf8_lossy(&bytes).trim_end()
                )
            }
            _ => String::new(),
        }
    }

    fn kill(&mut self) {
        // Fails only where the program has already ended, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for External {
    /// Closes the program's input and gives it a moment to end by itself.
    fn drop(&mut self) {
        self.requests = None;
        if wait_briefly(&mut self.child).is_none() {
            self.kill();
        }
    }
}

fn spawn(command: &str) -> Result<Child, ExternalError> {
    let mut words = command.split_whitespace();
    let program = words.next().unwrap_or("");
    Command::new(program)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|source| ExternalError::Start {
            command: command.into(),
            source,
        })
}

/// Waits a second at the most.
fn wait_briefly(child: &mut Child) -> Option<ExitStatus> {
    for _ in 0..100 {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    None
}

/// Writes messages on a thread of its own, so that a program that does not read cannot hold up the
/// auditor. The stream is closed once the sender is gone; the thread ends with the stream.
fn write_messages(mut stdin: impl Write + Send + 'static) -> Sender<Vec<u8>> {
    let (sender, receiver) = channel::<Vec<u8>>();
    std::thread::spawn(move || {
        for line in receiver {
            if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

/// Reads messages on a thread of its own, so that waiting for one can have a time limit.
fn read_messages(stdout: impl Read + Send + 'static) -> Receiver<io::Result<Message>> {
    let (sender, receiver) = sync_channel(4);
    std::thread::spawn(move || {
        let mut reader = BufReader::with_capacity(1 << 20, stdout);
        loop {
            let message = Message::read(&mut reader);
            let last = message.is_err();
            if sender.send(message).is_err() || last {
                return;
            }
        }
    });
    receiver
}

/// Drains a stream, keeping its end.
fn keep_end(mut stream: impl Read + Send + 'static) -> Arc<Mutex<VecDeque<u8>>> {
    let kept = Arc::new(Mutex::new(VecDeque::new()));
    let shared = Arc::clone(&kept);
    std::thread::spawn(move || {
        let mut chunk = [0; 4096];
        while let Ok(n @ 1..) = stream.read(&mut chunk) {
            let Ok(mut kept) = shared.lock() else { return };
            kept.extend(&chunk[..n]);
            let surplus = kept.len().saturating_sub(QUOTED);
            kept.drain(..surplus);
        }
    });
    kept
}

#[cfg(all(test, unix))]
mod tests;
