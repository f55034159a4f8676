//! The claims that have moved into the proof kernel: their statements are terms, their proofs programs whose rules are
//! checked (see `dp_assay_kernel`). What has not moved is decided by the checks of its claim.
//!
//! ```
//! let theorem = dp_assay_spec::moved::theorem("gcd-thm-4.2-repaired").expect("it has moved")?;
//! assert!(theorem.statement().to_string().contains("DP"));
//! assert!(dp_assay_spec::moved::theorem("gcd-thm-4.2").is_none());
//! # Ok::<(), dp_assay_kernel::Stuck>(())
//! ```

use crate::{gcd, skgd};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::statement::{Statement, View};

pub use dp_assay_kernel::render::proof;
pub use dp_assay_kernel::rules::Theorem;
pub use dp_assay_kernel::trace::write as trace;

/// A claim that has moved.
#[derive(Clone, Copy)]
pub struct Moved {
    /// Its id.
    pub id: &'static str,
    /// What it says.
    pub statement: fn() -> Result<Statement, Stuck>,
    /// The program that proves that, or a statement with other constants.
    pub prove: fn(&Statement) -> Result<Theorem, Stuck>,
}

/// Every claim that has moved.
pub const ALL: [Moved; 7] = [
    Moved {
        id: "gcd-thm-4.2-repaired",
        statement: || gcd::kernel::statement(View::End),
        prove: gcd::kernel::prove,
    },
    Moved {
        id: "gcd-thm-4.2-corrected",
        statement: || gcd::kernel::corrected(View::End),
        prove: gcd::kernel::prove_corrected,
    },
    Moved {
        id: "skgd-thm-4.2-cvx",
        statement: skgd::kernel::statement,
        prove: skgd::kernel::prove,
    },
    Moved {
        id: "skgd-thm-4.2-cvx-printed-K",
        statement: skgd::kernel::statement_at_printed_k,
        prove: skgd::kernel::prove_at_printed_k,
    },
    Moved {
        id: "skgd-thm-4.2-cvx-sharp",
        statement: skgd::kernel::statement_sharp,
        prove: skgd::kernel::prove,
    },
    Moved {
        id: "skgd-thm-4.2-cvx-public-K",
        statement: skgd::kernel::statement_at_public_k,
        prove: skgd::kernel::prove_at_public_k,
    },
    Moved {
        id: "skgd-thm-4.2-sc-round",
        statement: skgd::kernel::statement_of_round,
        prove: skgd::kernel::prove_round,
    },
];

/// The theorem of a claim that has moved, `None` for any other. It says exactly what the claim says.
///
/// # Errors
/// If a rule does not apply, or the program has proved something else: a defect, caught by tests.
#[must_use]
pub fn theorem(id: &str) -> Option<Result<Theorem, Stuck>> {
    let moved = ALL.iter().find(|moved| moved.id == id)?;
    Some((moved.statement)().and_then(|statement| {
        let theorem = (moved.prove)(&statement)?;
        match *theorem.statement() == statement {
            true => Ok(theorem),
            false => Err(Stuck::new("another statement was proved")),
        }
    }))
}
