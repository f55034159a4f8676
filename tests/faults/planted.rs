//! Which of the changes planted in this copy of the crate is awake. Written by `tests/faults`.

use std::fs::OpenOptions;
use std::io::Write;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

static AWAKE: LazyLock<u32> = LazyLock::new(|| {
    let number = std::env::var("PLANTED_AWAKE").unwrap_or_default();
    number.parse().unwrap_or(0)
});

static TRACE: LazyLock<Option<std::ffi::OsString>> =
    LazyLock::new(|| std::env::var_os("PLANTED_TRACE"));

static REACHED: [AtomicBool; 4096] = [const { AtomicBool::new(false) }; 4096];

/// The number of the change that is awake, 0 for none; notes that `function` is reached if asked to.
pub fn awake(function: usize) -> u32 {
    if let Some(path) = TRACE.as_ref()
        && !REACHED[function].swap(true, Ordering::Relaxed)
        && let Ok(mut file) = OpenOptions::new().append(true).create(true).open(path)
    {
        let _ = file.write_all(format!("{function}\n").as_bytes());
    }
    *AWAKE
}
