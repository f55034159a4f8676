//! For-all-over-a-box prover, refuter, certificates and their replay.
