//! What the problems compute, against plain loops and closed forms, and what they refuse.

mod data;
mod design;
mod load;
mod mixing;
mod rows;
