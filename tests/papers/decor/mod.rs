//! DECOR: graphs, mixing matrices, the accountant against the exact specification, the solver.

mod accountant;
mod audits;
mod cli;
mod corrected;
mod fit;
mod graphs;
mod network;
mod noise;
mod search;
mod solver;
