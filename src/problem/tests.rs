//! What the problems compute, against plain loops and closed forms, and what they refuse.

mod design;
mod mixing;
mod rows;
