//! The program as its users meet it: the command line, fits, campaigns, experiments, the ledger and its page.

mod campaign;
mod checked;
mod circles;
mod cli;
mod columns;
mod contributing;
mod defaults;
mod experiment;
mod fit;
mod guarantees;
mod hostile;
mod inputs;
mod ledger;
mod model;
mod names;
mod needs;
mod paid;
#[path = "../../spec/tests/common/parallel.rs"]
mod parallel;
#[path = "../common/program.rs"]
mod program;
#[path = "../common/records.rs"]
mod records;
mod refusals;
mod stranger;
mod theorem;
mod trace;
mod warned;
