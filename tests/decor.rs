//! DECOR: graphs and mixing matrices against the exact specification.

#[path = "decor/graphs.rs"]
mod graphs;
