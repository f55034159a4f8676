//! "For arbitrary connected graphs", in the abstract, Section 1.1 and Section 5.3: against whom.

use crate::arith::Rational;
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::decor::catalogue::MAX;
use crate::decor::graph::Graph;
use crate::decor::resolvent::Resolvent;
use crate::prove::Argument;

/// The claims of this part.
pub(super) const CLAIMS: [Claim; 2] = [CONNECTED_READING_I, CONNECTED_READING_II];

/// `decor-rem-connected-reading-I`: the first item of Theorem 1 at σ_cor² = nσ_cdp²/a(G), times nσ_cdp²/(2C²): 1 + (n − 1)/(1 + n) ≤ 2.
pub const CONNECTED_READING_I: Claim = Claim {
    id: "decor-rem-connected-reading-I",
    place: "abstract; §1.1, last sentence on private decentralized learning; §5.3, Tightness",
    kind: Kind::MechanismPrivacy,
    statement: "on every connected graph some σ_cor brings the slope of a step against adversary I \
        to at most twice the central one, 2·2C²/(nσ_cdp²)",
    hypotheses: "adversary I (external eavesdropper), n ≥ 2, σ_cdp > 0",
    check: by_kernel,
    ..Claim::ALONE
};

/// `decor-rem-connected-reading-II`. The star with its hub curious: without the hub each leaf is alone, so its slope is 2C²/σ_cdp², n times the
/// central one, for every σ_cor (`decor-2conn`). Corollary 3 asks for 2-connected graphs against adversary II.
pub const CONNECTED_READING_II: Claim = Claim {
    id: "decor-rem-connected-reading-II",
    statement: "some constant c is such that on every connected graph some σ_cor brings the slope \
        of a step against adversary II to at most c times the central one, c·2C²/(nσ_cdp²)",
    hypotheses: "adversary II (honest-but-curious users without collusion), n ≥ 2, σ_cdp > 0; a \
        user other than the curious one differs",
    rests_on: &["decor-2conn"],
    by_hand: &[
        "row and column of a leaf vanish in the Laplacian of the star without its hub, for any n",
    ],
    check: connected_users,
    ..CONNECTED_READING_I
};

fn connected_users(c: &Check) -> Verdict {
    let growth = c.constant(
        "claimed lower bound of slope over central slope, in units of n",
        1,
    );
    // σ_cdp²·[Σ⁻¹]_jj of a leaf is 1 for every noise ratio: its numerator is its denominator.
    let alone = |n: usize| {
        let leaves = Resolvent::of(&Graph::star(n).induced((1_u64 << n) - 2));
        let gap = |entry| leaves.determinant.plus_scaled(&Rational::from(-1), entry);
        leaves
            .diagonal
            .iter()
            .all(|entry| gap(entry).degree().is_none())
    };
    let unbounded = (3..=MAX).all(alone) && growth > 0 && growth <= 1;
    Argument::new(c)
        .repaired("decor-cor-3b")
        .states_that("star, hub curious: [(I + rL)⁻¹]_jj = 1, j a leaf, r ≥ 0, n ≤ 7", !unbounded, || {
            "star on n users, the hub curious: each leaf has the slope 2C²/σ_cdp² for every σ_cor, \
                n times the central one, without bound".to_owned()
        })
        .open_for("no family was found")
}
