//! Passes over the columns of X, over threads where they pay.

use super::design::Design;
use rayon::prelude::*;

/// Stored entries below which waking the threads costs more than it saves.
const THREADED_FROM: usize = 1 << 17;

/// Entries of X per task: large against the cost of a task, small against a core's cache.
const TASK: usize = 1 << 15;

/// Whether passes over this design are spread over threads.
pub(crate) fn threads_pay(design: &Design) -> bool {
    matches!(design, Design::Dense(_)) && design.stored() >= THREADED_FROM
}

/// out_k = `entry`(k) for as many columns as there are entries, over threads if they pay.
pub(crate) fn for_columns<T: Send>(
    design: &Design,
    out: &mut [T],
    entry: impl Fn(usize) -> T + Sync,
) {
    let fill = |first: usize, out: &mut [T]| {
        for (k, out) in out.iter_mut().enumerate() {
            *out = entry(first + k);
        }
    };
    if threads_pay(design) {
        let columns = (TASK / design.rows()).max(1);
        let tasks = out.par_chunks_mut(columns).enumerate();
        tasks.for_each(|(task, out)| fill(task * columns, out));
    } else {
        fill(0, out);
    }
}
