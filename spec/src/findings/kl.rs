#![doc = include_str!("kl.md")]

use super::Note;

/// What the chapter says of each statement beyond its verdicts.
pub const NOTES: [Note; 0] = [];
