//! Programs in any language as mechanisms: the protocol of `spec/formats/external.md`.
//!
//! ```no_run
//! use dp_assay::audit::external::{ServedProgram, ServedInput};
//! use dp_assay::audit::{Audit, Verdict};
//! use dp_assay::units::Neighbouring;
//! use std::time::Duration;
//!
//! let inputs = ["0".to_owned(), "1".to_owned()];
//! let program = ServedProgram::new("python3 count.py", inputs, Duration::from_secs(60));
//! let [first, second] = [0, 1].map(|index| ServedInput { index, name: format!("count {index}") });
//! let report = Audit::of(program)
//!     .claim(1.0, 0.0) // ε in nats
//!     .neighbours(Neighbouring::AddRemove, first, second)
//!     .trials(20_000)
//!     .run()?;
//! assert_ne!(report.verdict, Verdict::Violation);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
#![doc = include_str!("found.md")]

mod afresh;
mod hosted;
mod neighbours;
mod process;
pub mod wire;

pub use neighbours::doubt;

use crate::audit::{DrawError, Mechanism, Output};
use crate::float::from_json;
use crate::mechanism::tape::Tape;
use afresh::Firsts;
use std::io;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

pub use hosted::{Hosted, HostedSide};
pub use process::External;

/// The protocol's name and version.
pub const PROTOCOL: &str = "dp-assay/external/1";

/// The protocol of programs whose outputs may be anything.
pub const PROTOCOL_ANY: &str = "dp-assay/external/2";

/// Longest output, in numbers.
pub const MAX_LENGTH: usize = 1_000_000;

/// Outputs asked for at once: few enough that the first answer comes soon …
const BATCH: u64 = 4096;
/// … and numbers, so that an answer never fills the memory.
const BATCH_NUMBERS: u64 = 1 << 20;

/// Outputs of so many numbers to ask for at once.
fn batch(length: usize) -> u64 {
    (BATCH_NUMBERS / length as u64).clamp(1, BATCH)
}

/// The Python client, one file without dependencies.
///
/// ```
/// use dp_assay::audit::external::{PROTOCOL, PYTHON_CLIENT};
///
/// assert!(PYTHON_CLIENT.contains(PROTOCOL));
/// ```
pub const PYTHON_CLIENT: &str = include_str!("../../python/dp_assay/client.py");

/// What a program under audit can do wrong. Never a verdict.
#[derive(Debug, thiserror::Error)]
pub enum ExternalError {
    /// The command is empty or cannot be started.
    #[error("cannot start `{command}`: {source}")]
    Start {
        /// The command as given.
        command: String,
        /// The system's reason.
        source: io::Error,
    },
    /// The two inputs are one.
    #[error("the two inputs are the same{how}: an audit tells two neighbouring inputs apart")]
    EqualInputs {
        /// In what sense, introduced by a comma.
        how: &'static str,
    },
    /// The program ended before it had answered.
    #[error("{request}: the program ended with {status} before it answered{stderr}")]
    Ended {
        /// What was asked.
        request: String,
        /// Its exit status in words.
        status: String,
        /// The end of its standard error, introduced, or nothing; and what it printed instead of a greeting.
        stderr: String,
    },
    /// No complete answer came in time; the program was killed.
    #[error("{request}: no complete answer within {seconds} s{stderr}")]
    Silent {
        /// What was asked.
        request: String,
        /// The limit.
        seconds: f64,
        /// The end of its standard error, introduced, or nothing.
        stderr: String,
    },
    /// The answer does not follow the protocol.
    #[error("{request}: {rule}; the answer begins: {answer}")]
    Malformed {
        /// What was asked.
        request: String,
        /// The rule that is broken.
        rule: String,
        /// The start of the answer.
        answer: String,
    },
    /// The program draws the same each time that it is started.
    #[error(
        "started twice, with different seeds, `{command}` drew the same {outputs} outputs: in use, \
            two releases with the same noise tell the data; let the randomness come from the \
            request's `seed` or from the system"
    )]
    Repeated {
        /// The command as given.
        command: String,
        /// How many outputs were compared.
        outputs: usize,
    },
    /// The program said that it cannot go on.
    #[error("{request}: the program reports: {message}")]
    Reported {
        /// What was asked.
        request: String,
        /// The program's words.
        message: String,
    },
}

impl ExternalError {
    /// The same of a program that had printed something else before, the last line of which is this.
    fn after(mut self, printed: &str) -> Self {
        if let Self::Ended { stderr, .. } | Self::Silent { stderr, .. } = &mut self
            && !printed.is_empty()
        {
            *stderr += &format!("; its standard output holds no greeting but: {printed}");
        }
        self
    }
}

/// A program as a mechanism: its input is the side that it serves.
///
/// The processes are started when they are first needed and end with this value.
pub struct ServedProgram {
    command: String,
    inputs: [String; 2],
    limit: Duration,
    running: [Mutex<Option<(External, Firsts)>>; 2],
}

impl ServedProgram {
    /// A program, the texts of its two inputs, and the time allowed for one answer.
    #[must_use]
    pub fn new(command: &str, inputs: [String; 2], limit: Duration) -> Self {
        Self {
            command: command.into(),
            inputs,
            limit,
            running: Default::default(),
        }
    }

    /// Refuses inputs that no program can tell apart.
    ///
    /// # Errors
    /// When the two texts are the same byte for byte, but for white space at their ends, or as JSON.
    pub fn check_inputs(&self) -> Result<(), ExternalError> {
        let [first, second] = self.inputs.each_ref().map(|text| text.trim());
        let json = |text: &str| from_json::<serde_json::Value>(text.as_bytes()).ok();
        let how = if first == second {
            ", byte for byte"
        } else if json(first).is_some_and(|value| Some(value) == json(second)) {
            ", as JSON"
        } else {
            return Ok(());
        };
        Err(ExternalError::EqualInputs { how })
    }

    /// Draws on one side, with one request sent ahead of the answer that is being read.
    fn outputs(
        &self,
        side: usize,
        seed: u64,
        trials: Range<u64>,
    ) -> Result<Vec<Output>, ExternalError> {
        let mut running = self.running[side]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let start = || External::start(&self.command, side as u8, &self.inputs[side], self.limit);
        let (program, firsts) = match &mut *running {
            Some(running) => running,
            empty => {
                self.check_inputs()?;
                empty.insert((start()?, Firsts::default()))
            }
        };
        let mut outputs = Vec::with_capacity((trials.end - trials.start) as usize);
        let requests = firsts.requests(trials, batch(program.length()));
        let ask = |program: &mut External, at: usize| match requests.get(at) {
            Some(range) => program.request(seed, range.start, (range.end - range.start) as usize),
            None => Ok(()),
        };
        ask(program, 0)?;
        for (at, range) in requests.iter().enumerate() {
            ask(program, at + 1)?;
            let drawn = program.outputs()?;
            if let Some(outputs) = firsts.add((seed, range), &drawn, start)? {
                let command = self.command.clone();
                return Err(ExternalError::Repeated { command, outputs });
            }
            outputs.extend(drawn);
        }
        Ok(outputs)
    }
}

impl Mechanism for ServedProgram {
    type Input = ServedInput;

    fn name(&self) -> String {
        self.command.clone()
    }

    fn draw(&self, input: &ServedInput, tape: Tape) -> Result<Output, DrawError> {
        let trial = tape.number();
        let mut one = self.draw_many(input, tape, trial..trial + 1)?;
        Ok(one.remove(0))
    }

    fn draw_many(
        &self,
        input: &ServedInput,
        tape: Tape,
        trials: Range<u64>,
    ) -> Result<Vec<Output>, DrawError> {
        let trial = trials.start;
        self.outputs(usize::from(input.index), tape.seed(), trials)
            .map_err(|error| DrawError::new(self.name(), trial, error.to_string()))
    }
}

/// Which of the two inputs a program serves.
#[derive(Clone, PartialEq, Eq)]
pub struct ServedInput {
    /// 0 or 1.
    pub index: u8,
    /// What the report calls it, e.g. the file's name.
    pub name: String,
}

impl std::fmt::Debug for ServedInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_much_is_asked_for_at_once_as_an_answer_may_hold() {
        for (length, count) in [
            (1, 4096),
            (256, 4096),
            (257, 4080),
            (400_000, 2),
            (MAX_LENGTH, 1),
        ] {
            assert_eq!(batch(length), count, "{length}");
        }
    }

    #[test]
    fn inputs_that_no_program_can_tell_apart_are_refused() {
        for (inputs, how) in [
            (["[1]", "[1]\n"], Some(", byte for byte")),
            (["[1, 2]", "[1,2]"], Some(", as JSON")),
            (["[1]", "[2]"], None),
            (["a", "b"], None),
            (["[1]", "b"], None),
        ] {
            let program = ServedProgram::new("none", inputs.map(String::from), Duration::ZERO);
            let told = program.check_inputs().map_err(|why| why.to_string());
            let due = how.map(|how| {
                format!(
                    "the two inputs are the same{how}: an audit tells two neighbouring inputs apart"
                )
            });
            assert_eq!(told.err(), due, "{inputs:?}");
            assert_eq!(program.name(), "none");
        }
    }

    /// What was printed instead of a greeting is told where the program ended or fell silent, and nowhere else.
    #[test]
    fn what_was_printed_before_is_told_with_the_error() {
        let (request, stderr) = (String::from("greeting"), String::new());
        let silent = ExternalError::Silent {
            request: request.clone(),
            seconds: 2.0,
            stderr,
        };
        let told = silent.after("usage").to_string();
        let head = "greeting: no complete answer within 2 s";
        assert_eq!(
            told,
            format!("{head}; its standard output holds no greeting but: usage")
        );
        let (seconds, stderr) = (2.0, String::new());
        let silent = ExternalError::Silent {
            request: request.clone(),
            seconds,
            stderr,
        };
        assert_eq!(silent.after("").to_string(), head);
        let message = "no".to_owned();
        let reported = ExternalError::Reported { request, message };
        assert_eq!(
            reported.after("usage").to_string(),
            "greeting: the program reports: no"
        );
    }

    /// More outputs than are asked for at once are asked for one batch after another, each once, of the side that is meant. The
    /// first requests are small, as another start would be asked for the same.
    #[cfg(unix)]
    #[test]
    fn outputs_are_asked_for_batch_by_batch() {
        let folder = tempfile::tempdir().expect("there is room");
        let [file, asked] = ["program", "asked"].map(|name| folder.path().join(name));
        // Each start writes a file of its own, and answers zeros, but for the last requests.
        let script = r#"
            exec 3> "$1.$$"; read -r line; echo "$line" >&3
            echo '{"protocol": "dp-assay/external/1", "length": 1, "encoding": "json"}'
            while read -r line; do
                echo "$line" >&3
                id=${line#*:}; id=${id%%,*}; count=${line##*:}; count=${count%\}}
                value=0; [ "$count" -gt 2 ] || value=$id
                printf '{"id": %s, "outputs": [%s' "$id" "$value"
                [ "$count" = 1 ] || printf ', 0%.0s' $(seq 2 "$count")
                echo ']}'
            done
        "#;
        std::fs::write(&file, script).expect("there is room");
        let command = format!("sh {} {}", file.display(), asked.display());
        let inputs = ["[1]", "[2]"].map(String::from);
        let program = ServedProgram::new(&command, inputs, Duration::from_secs(600));
        let name = "second".to_owned();
        let side = ServedInput { index: 1, name };
        let tape = Tape::new(7);
        let all = program
            .draw_many(&side, tape, 10..5132)
            .expect("it answers");
        assert_eq!(
            (all.len(), &all[5118..]),
            (5122, &[0.0, 0.0, 7.0, 0.0].map(Output::Real)[..])
        );
        let one = program.draw(&side, tape.trial(9)).expect("it answers");
        assert_eq!(one, Output::Real(8.0));
        let asked = std::fs::read_dir(folder.path()).expect("a folder");
        let asked = asked.map(|entry| entry.expect("an entry").path());
        let asked = asked.filter(|path| path.extension().is_some());
        let asked: Vec<String> = asked
            .map(|path| std::fs::read_to_string(path).expect("it wrote"))
            .collect();
        assert_eq!(
            asked.len(),
            1,
            "zeros do not tell whether they are repeated"
        );
        let lines: Vec<serde_json::Value> = asked[0]
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!(
            (&lines[0]["side"], &lines[0]["input"]),
            (&1.into(), &"[2]".into())
        );
        let sizes = [32, 32, 64, 128, 256, 512, 4096, 2, 1];
        let mut first = 10;
        assert_eq!(lines.len(), 1 + sizes.len());
        for (id, (line, count)) in lines[1..].iter().zip(sizes).enumerate() {
            let place = if count == 1 { 9 } else { first }.to_string();
            let due = serde_json::json!({"id": id, "seed": "7", "first": place, "count": count});
            assert_eq!(*line, due);
            first += count;
        }
    }
}
