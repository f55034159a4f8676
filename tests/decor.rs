//! DECOR: graphs, mixing matrices, the accountant against the exact specification, the solver.

#[path = "decor/accountant.rs"]
mod accountant;
#[path = "decor/audits.rs"]
mod audits;
#[path = "decor/cli.rs"]
mod cli;
#[path = "decor/fit.rs"]
mod fit;
#[path = "decor/graphs.rs"]
mod graphs;
#[path = "decor/network.rs"]
mod network;
#[path = "../spec/tests/common/parallel.rs"]
mod parallel;
#[path = "common/program.rs"]
mod program;
#[path = "decor/search.rs"]
mod search;
#[path = "decor/solver.rs"]
mod solver;
