//! `decor-rem-connected-reading-I`: against an eavesdropper.

use super::{CONNECTED, Parts, of, of_step, one_step, unity, views};
use crate::moved::written::{Proof, given_for};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::statement::Statement;

/// `decor-rem-connected-reading-I`: nobody colludes, so that m is n, and σ_cor² = nσ_cdp²/a; the central slope is 2C²/(nσ_cdp²).
pub fn statement() -> Result<Statement, Stuck> {
    let scales = format!(
        "real a > 0
    {CONNECTED}real σ > 0
    define V := σ²
    define U := n·V/a
    assume m = n
    "
    );
    of_step(&scales, "2·(2·C²/(n·V))")
}

/// The proof of [`statement`], or of a statement with another cost.
pub fn prove(statement: &Statement) -> Proof {
    let here = &statement.context;
    let all = given_for(here, of::MORE, &[])?;
    let parts: Parts<'_> = &[
        ("2·C²/(n·V)", &[&unity(here)?]),
        ("(−2)·C²/(m·n·V)", &[&all]),
    ];
    views(statement, &one_step(statement, parts)?)
}
