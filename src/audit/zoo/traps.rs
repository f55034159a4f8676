//! Ways in which an audit of a program goes wrong without the mechanism being at fault, or passes without having
//! looked at it. Each is a program for the Python client with what it deserves.
//!
//! ```
//! use dp_assay::audit::zoo::traps::{Deserved, traps};
//!
//! let all = traps();
//! let dict = all.iter().find(|trap| trap.name == "dict-keys").expect("it is in the list");
//! assert!(matches!(dict.deserves, Deserved::Error(_)));
//! ```

/// What is to come of a trap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deserved {
    /// PASS-WITH-POWER.
    Pass,
    /// INCONCLUSIVE, with a reason that holds these words.
    Inconclusive(&'static str),
    /// No verdict but an error that holds these words.
    Error(&'static str),
}

/// A program with two inputs.
#[derive(Clone, Copy, Debug)]
pub struct Trap {
    /// Its name.
    pub name: &'static str,
    /// What is wrong, in words.
    pub defect: &'static str,
    /// The program, in Python with the client `dp_assay`.
    pub program: &'static str,
    /// The two inputs, JSON.
    pub inputs: [&'static str; 2],
    /// The claim that ε is 1 deserves this.
    pub deserves: Deserved,
}

/// A sum of numbers in \[0, 1\] with Laplace noise of scale 1, as most of the traps have it.
const SOUND: &str = "
import json, random, sys, dp_assay
def noisy_sum(data, rng):
    return sum(data) + rng.expovariate(1) - rng.expovariate(1)
";

/// Every trap.
#[must_use]
pub fn traps() -> Vec<Trap> {
    let inputs = ["[0, 1]", "[1, 1]"];
    vec![
        Trap {
            name: "equal-inputs",
            defect: "the two inputs are the same list, written in two ways",
            program: "dp_assay.serve(noisy_sum)",
            inputs: ["[0, 1]", "[0,1]"],
            deserves: Deserved::Error("the two inputs are the same, as JSON"),
        },
        Trap {
            name: "dict-keys",
            defect: "the answer is a dict, of which the keys would be taken for numbers",
            program: "dp_assay.serve(lambda data, rng: {0: sum(data)})",
            inputs,
            deserves: Deserved::Error("an output is a dict, {0: 1}, where numbers are expected"),
        },
        Trap {
            name: "constant-output",
            defect: "the answer is the number of records, without noise",
            program: "dp_assay.serve(lambda data, rng: len(data))",
            inputs,
            deserves: Deserved::Inconclusive("every run on either input gave the same output, 2"),
        },
        Trap {
            name: "repeated-batches",
            defect: "the generator is seeded once for each batch, so that every batch has the same \
                     noise",
            program: "
def batch(data, seed, side, first, count):
    rng = random.Random(f'{seed}/{side}')
    return [noisy_sum(data, rng) for _ in range(count)]
dp_assay.serve_batches(batch)",
            inputs,
            deserves: Deserved::Error("repeat output 0 and those behind it"),
        },
        Trap {
            name: "chatty-program",
            defect: "the program prints to standard output, before the greeting and in every run",
            program: "
def chatty(data, rng):
    print('a run')
    return noisy_sum(data, rng)
print('{\"level\": \"info\"}')
print('loading the model ...', end='', flush=True)
dp_assay.serve(chatty)",
            inputs,
            deserves: Deserved::Pass,
        },
        Trap {
            name: "exceptions-on-one-side",
            defect: "one of the two inputs makes the mechanism fail",
            program: "
def refuses(data, rng):
    if sum(data) > 1:
        raise ValueError('too much')
    return noisy_sum(data, rng)
dp_assay.serve(refuses)",
            inputs,
            deserves: Deserved::Error("failed on the second input"),
        },
    ]
}

impl Trap {
    /// The whole text of the program.
    #[must_use]
    pub fn script(&self) -> String {
        format!("{SOUND}{}\n", self.program)
    }
}
