//! What audits say, and the parts that they are made of, against plain counts and words.

mod events;
mod outputs;
mod reports;
