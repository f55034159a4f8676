//! A program that has started the auditor, instead of the other way round: it draws when it is asked to.

use super::wire::{Form, Message, Request};
use super::{ExternalError, batch};
use crate::audit::{DrawError, Mechanism, Output};
use crate::mechanism::tape::Tape;
use serde::Serialize;
use std::io::{BufRead, Write};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// The other end of a pair of streams as a mechanism (`spec/formats/serve.md`).
///
/// ```
/// use dp_assay::audit::external::{Hosted, HostedSide};
/// use dp_assay::audit::external::wire::{Encoding, Form};
/// use dp_assay::prelude::*;
///
/// let answers = "{\"id\": 0, \"outputs\": [1.5]}\n".as_bytes();
/// let form = Form { length: 1, encoding: Encoding::Json };
/// let mechanism = Hosted::new("count".into(), form, answers, Vec::new());
/// let side = HostedSide { pair: 0, index: 1, name: "[1]".into() };
/// assert_eq!(mechanism.draw(&side, Tape::new(7))?, Output::Real(1.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Hosted<R, W> {
    name: String,
    form: Form,
    link: Mutex<Link<R, W>>,
}

struct Link<R, W> {
    answers: R,
    requests: W,
    next_id: u64,
}

/// Which input to draw on.
#[derive(Clone, PartialEq, Eq)]
pub struct HostedSide {
    /// Place of its pair among those given.
    pub pair: usize,
    /// 0 or 1.
    pub index: u8,
    /// What the report calls it.
    pub name: String,
}

impl std::fmt::Debug for HostedSide {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

/// What the host is asked for.
#[derive(Serialize)]
struct Draw {
    pair: usize,
    side: u8,
    #[serde(flatten)]
    request: Request,
}

#[derive(Serialize)]
struct Asked {
    draw: Draw,
}

impl<R, W> Hosted<R, W> {
    /// A mechanism by its name and the form of its outputs, with the streams on which its host answers and is asked.
    pub const fn new(name: String, form: Form, answers: R, requests: W) -> Self {
        let link = Link {
            answers,
            requests,
            next_id: 0,
        };
        Self {
            name,
            form,
            link: Mutex::new(link),
        }
    }
}

impl<R: BufRead, W: Write> Link<R, W> {
    fn draw(&mut self, draw: Draw, form: Form) -> Result<Vec<Output>, ExternalError> {
        let request = draw.request;
        let name = request.name();
        let gone = |_| ExternalError::Ended {
            request: name.clone(),
            status: "its streams closed".into(),
            stderr: String::new(),
        };
        let mut line = serde_json::to_vec(&Asked { draw }).expect("plain structures serialise");
        line.push(b'\n');
        self.requests
            .write_all(&line)
            .and_then(|()| self.requests.flush())
            .map_err(gone)?;
        Message::read(&mut self.answers)
            .map_err(gone)?
            .outputs(&request, form)
    }
}

impl<R: BufRead + Send, W: Write + Send> Mechanism for Hosted<R, W> {
    type Input = HostedSide;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn draw(&self, input: &HostedSide, tape: Tape) -> Result<Output, DrawError> {
        let trial = tape.number();
        Ok(self.draw_many(input, tape, trial..trial + 1)?.remove(0))
    }

    fn draw_many(
        &self,
        input: &HostedSide,
        tape: Tape,
        trials: Range<u64>,
    ) -> Result<Vec<Output>, DrawError> {
        let mut link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
        let mut outputs = Vec::with_capacity((trials.end - trials.start) as usize);
        let batch = batch(self.form.length);
        for first in trials.clone().step_by(batch as usize) {
            let count = batch.min(trials.end - first) as usize;
            let request = Request {
                id: link.next_id,
                seed: tape.seed(),
                first,
                count,
            };
            link.next_id += 1;
            let draw = Draw {
                pair: input.pair,
                side: input.index,
                request,
            };
            let drawn = link.draw(draw, self.form);
            outputs.extend(
                drawn.map_err(|error| DrawError::new(self.name(), first, error.to_string()))?,
            );
        }
        Ok(outputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::external::wire::Encoding;

    /// One run by itself is asked for as one, on its side of its pair, and the mechanism has the name that it was given.
    #[test]
    fn one_output_is_asked_for_by_itself() {
        let answers =
            "{\"id\": 0, \"outputs\": [1.5]}\n{\"id\": 1, \"outputs\": [2.5]}\n".as_bytes();
        let form = Form {
            length: 1,
            encoding: Encoding::Json,
        };
        let mechanism = Hosted::new("count".into(), form, answers, Vec::new());
        let side = HostedSide {
            pair: 3,
            index: 1,
            name: "[1]".into(),
        };
        assert_eq!(
            (mechanism.name(), format!("{side:?}")),
            ("count".to_owned(), "[1]".to_owned())
        );
        let tape = Tape::new(7).trial(11);
        assert_eq!(
            mechanism.draw(&side, tape).expect("it answers"),
            Output::Real(1.5)
        );
        assert_eq!(
            mechanism.draw(&side, tape.trial(12)).expect("it answers"),
            Output::Real(2.5)
        );
        let asked = mechanism.link.into_inner().expect("nobody died").requests;
        let asked = String::from_utf8(asked).expect("text");
        let due = |id: u64, first: u64| {
            let first = first.to_string();
            serde_json::json!({ "draw": {
                "pair": 3, "side": 1, "id": id, "seed": "7", "first": first, "count": 1
            } })
        };
        let lines: Vec<serde_json::Value> = asked
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!(lines, [due(0, 11), due(1, 12)]);
    }
}
