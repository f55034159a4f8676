//! Event trees on the command line: files, examples, and the tree as understood.

use super::mechanism::{Mechanism, Name};
use crate::cli::Outcome;
use clap::{Command, CommandFactory};
use dp_assay::accounting::Event;
use dp_assay_spec::EVENT_FORMAT;
use serde_json::Value;
use std::path::Path;
use std::process::ExitCode;

/// The example of this name.
///
/// # Panics
/// For a name that is not in `EXAMPLES`.
fn example(name: &str) -> &'static str {
    let heading = format!("### `{name}`");
    let (_, section) = EVENT_FORMAT
        .split_once(&heading)
        .expect("the format has every example");
    let (_, code) = section.split_once("```json\n").expect("an example is JSON");
    code.split_once("```").map_or(code, |(code, _)| code)
}

impl Mechanism {
    /// The text of the file; `-` is standard input.
    pub fn tree_text(&self) -> Result<String, String> {
        let needs = "`event` needs a FILE with an event tree (JSON); `--example` prints one";
        let file = self.file.as_deref().ok_or(needs)?;
        let text = match file == Path::new("-") {
            true => std::io::read_to_string(std::io::stdin()).map(crate::cli::unmarked),
            false => crate::cli::read_text(file),
        };
        text.map_err(|e| self.at_file(&e))
    }

    /// Prints the example that was asked for, or the one that suits.
    pub fn print_example(&self, verb: &str, suits: &str) -> Outcome {
        if self.mechanism != Name::Event {
            return Err("--example goes with event".into());
        }
        let command = crate::cli::Command::command();
        let flags = command
            .find_subcommand(verb)
            .into_iter()
            .flat_map(Command::get_arguments);
        let flags = flags.filter_map(|flag| Some(format!("--{}", flag.get_long()?)));
        if let Some(flag) = { flags }.find(|flag| flag != "--example" && crate::cli::given(flag)) {
            return Err(format!(
                "{flag} changes nothing: --example prints a tree and does no more"
            )
            .into());
        }
        let name = self.example.as_deref().filter(|name| !name.is_empty());
        crate::cli::print(example(name.unwrap_or(suits)));
        Ok(ExitCode::SUCCESS)
    }

    /// The tree as it was understood, where it came from a file.
    pub fn echo(&self, event: &Event) -> String {
        match self.mechanism {
            Name::Event => outline(event),
            _ => String::new(),
        }
    }

    /// A message about the file.
    pub fn at_file(&self, error: &dyn std::fmt::Display) -> String {
        let file = self.file.as_deref().unwrap_or(Path::new("-"));
        format!("{}: {error}", file.display())
    }
}

/// Of an outline that is longer than both together, the first lines and the last.
const LINES: [usize; 2] = [12, 4];
/// Most numbers of a list that are written out, and how many of a longer one.
const NUMBERS: [usize; 2] = [12, 3];

/// The tree in words, a line a node, every default spelled out; of a long one its ends.
fn outline(event: &Event) -> String {
    let mut out = String::new();
    let tree = serde_json::to_value(event).expect("trees are plain data");
    node(&tree, 1, &mut out);
    let lines: Vec<&str> = out.lines().collect();
    let [first, last] = LINES;
    match lines.len().checked_sub(first + last + 1) {
        None => out,
        Some(more) => {
            let left_out = format!("  … {} lines more", more + 1);
            let (above, below) = (&lines[..first], &lines[lines.len() - last..]);
            [above, &[left_out.as_str()], below].concat().join("\n") + "\n"
        }
    }
}

/// A number, or a list of them, of a long one the beginning.
fn written(value: &Value) -> String {
    let [most, first] = NUMBERS;
    match value {
        Value::String(text) => text.clone(),
        Value::Array(all) => {
            let is_long = all.len() > most;
            let shown = all.iter().take(if is_long { first } else { most });
            let mut shown: Vec<String> = shown.map(written).collect();
            if is_long {
                shown.push(format!("… {} in all", all.len()));
            }
            format!("[{}]", shown.join(","))
        }
        value => value.to_string(),
    }
}

fn node(tree: &Value, depth: usize, out: &mut String) {
    let Some(fields) = tree.as_object() else {
        return;
    };
    let inner = |key: &str| matches!(key, "kind" | "event" | "events");
    let numbers = fields.iter().filter(|(key, _)| !inner(key));
    let numbers: Vec<String> = numbers
        .map(|(key, value)| format!("{key} = {}", written(value)))
        .collect();
    let kind = fields["kind"].as_str().unwrap_or_default();
    let line = [kind.to_owned(), numbers.join(", ")].join(" ");
    *out += &format!("{:1$}{2}\n", "", 2 * depth, line.trim_end());
    let below = fields.get("event").into_iter();
    let below = below.chain(
        fields
            .get("events")
            .and_then(Value::as_array)
            .into_iter()
            .flatten(),
    );
    below.for_each(|event| node(event, depth + 1, out));
}
