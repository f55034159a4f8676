//! Statements for a reader.
mod text;
