//! The `dp-assay` command.

fn main() {}
