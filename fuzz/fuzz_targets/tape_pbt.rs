//! Reading the tape in any order gives the same variates.
#![no_main]
use dp_assay::mechanism::tape::{Purpose, Tape};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u64, u64, u32, u8)| {
    let (seed, trial, step, offset) = input;
    let tape = Tape::new(seed).trial(trial);
    let mut run = tape.stream(u64::from(step), Purpose::Release, 0);
    let read = (0..=u64::from(offset)).map(|_| run.uniform()).last();
    assert_eq!(
        read,
        Some(tape.uniform(u64::from(step), Purpose::Release, u64::from(offset)))
    );
});
