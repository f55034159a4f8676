//! Solvers of this room.
