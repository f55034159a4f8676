//! The claims that have moved into the proof kernel: their statements are terms, their proofs programs whose rules are
//! checked (see `dp_assay_kernel`). What has not moved is decided by the checks of its claim.
//!
//! ```
//! let theorem = dp_assay_spec::moved::theorem("gcd-thm-4.2-repaired").expect("it has moved")?;
//! assert!(theorem.statement().to_string().contains("DP"));
//! assert!(dp_assay_spec::moved::theorem("gcd-thm-4.2").is_none());
//! # Ok::<(), dp_assay_kernel::Stuck>(())
//! ```

use crate::ambssgd::kernel as ambssgd;
use crate::gcd::kernel::{composition, selection, sensitivity};
use crate::kl::kernel as kl;
use crate::skgd::kernel::privacy;
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

const fn moved(
    id: &'static str,
    statement: fn() -> Result<Statement, Stuck>,
    prove: fn(&Statement) -> Result<Theorem, Stuck>,
) -> Moved {
    Moved {
        id,
        statement,
        prove,
    }
}

/// Every claim that has moved.
pub const ALL: &[Moved] = &[
    moved(
        "gcd-sens-1",
        sensitivity::of_loss,
        sensitivity::prove_of_loss,
    ),
    moved(
        "gcd-sens-1-proof",
        sensitivity::of_mean,
        sensitivity::prove_of_mean,
    ),
    moved(
        "gcd-sens-clip",
        sensitivity::of_clipped,
        sensitivity::prove_of_clipped,
    ),
    moved(
        "gcd-mech-rnm-repaired",
        selection::statement,
        selection::prove,
    ),
    moved(
        "gcd-red-tail",
        composition::tail,
        composition::prove_adaptive,
    ),
    moved(
        "gcd-imp-advcomp",
        composition::advanced,
        composition::prove_adaptive,
    ),
    moved(
        "gcd-imp-cor3.21-restricted",
        composition::corollary_3_21,
        composition::prove_adaptive,
    ),
    moved(
        "gcd-eq-2-repaired",
        composition::equation_2,
        composition::prove_equation_2,
    ),
    moved(
        "gcd-thm-4.2-repaired",
        || gcd::kernel::statement(View::End),
        gcd::kernel::prove,
    ),
    moved(
        "gcd-thm-4.2-corrected",
        || gcd::kernel::corrected(View::End),
        gcd::kernel::prove_corrected,
    ),
    moved("skgd-lem-C.1", privacy::lem_c_1, privacy::prove_lemma),
    moved("skgd-lem-3.9", privacy::lem_3_9, privacy::prove_lemma),
    moved("skgd-lem-D.8", privacy::lem_d_8, privacy::prove_lem_d_8),
    moved(
        "skgd-thm-4.1",
        || privacy::thm_4_1(View::Transcript),
        privacy::prove_thm_4_1,
    ),
    moved(
        "skgd-thm-4.1-dp",
        || privacy::thm_4_1(View::End),
        privacy::prove_thm_4_1,
    ),
    // Of the radius in the printed K nothing is left: it is Theorem 4.1 for every K and T.
    moved(
        "skgd-thm-4.2-dp-restricted",
        || privacy::thm_4_1(View::End),
        privacy::prove_thm_4_1,
    ),
    moved(
        "skgd-thm-4.2-cvx",
        skgd::kernel::statement,
        skgd::kernel::prove,
    ),
    moved(
        "skgd-thm-4.2-cvx-printed-K",
        skgd::kernel::statement_at_printed_k,
        skgd::kernel::prove_at_printed_k,
    ),
    moved(
        "skgd-thm-4.2-cvx-sharp",
        skgd::kernel::statement_sharp,
        skgd::kernel::prove,
    ),
    moved(
        "skgd-thm-4.2-cvx-public-K",
        skgd::kernel::statement_at_public_k,
        skgd::kernel::prove_at_public_k,
    ),
    moved(
        "skgd-thm-4.2-sc-round",
        skgd::kernel::statement_of_round,
        skgd::kernel::prove_round,
    ),
    moved("kl-lem-8-grad-repaired", kl::gradient, kl::prove_moves),
    moved(
        "kl-lem-8-grad-reading-zero-out",
        kl::gradient_zero_out,
        kl::prove_moves,
    ),
    moved("kl-thm-9-sens", kl::thm_9_sens, kl::prove_moves),
    moved("kl-thm-9-priv", kl::thm_9_priv, kl::prove_thm_9_priv),
    moved("kl-thm-2-priv", kl::thm_2_priv, kl::prove_thm_2_priv),
    moved(
        "kl-thm-2-priv-repaired",
        kl::thm_2_priv_repaired,
        kl::prove_thm_2_priv,
    ),
    moved(
        "ambssgd-lem-A.1-sens",
        ambssgd::lem_a_1_sens,
        ambssgd::prove_step,
    ),
    moved(
        "ambssgd-thm-3.6-sens",
        ambssgd::thm_3_6_sens,
        ambssgd::prove_step,
    ),
    moved(
        "ambssgd-lem-3.10-sens",
        ambssgd::lem_3_10_sens,
        ambssgd::prove_lem_3_10_sens,
    ),
    moved(
        "ambssgd-lem-3.10-priv-proof-repaired",
        ambssgd::lem_3_10_priv,
        ambssgd::prove_lem_3_10_priv,
    ),
    moved(
        "ambssgd-thm-3.6-cal",
        ambssgd::thm_3_6_cal,
        ambssgd::prove_thm_3_6_cal,
    ),
    moved(
        "ambssgd-thm-3.6-cal-small",
        ambssgd::thm_3_6_cal_small,
        ambssgd::prove_thm_3_6_cal_small,
    ),
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
