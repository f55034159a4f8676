//! Appendix D.1: the search for noise scales as printed.

use crate::arith::{Poly, Rational};
use crate::claim::{Check, Claim, Kind, Verdict};
use crate::decor::catalogue::{MAX, Member, connected};
use crate::decor::monotone::limits;
use crate::decor::steps::{Algebra, v};
use crate::prove::Argument;

/// The claims about the search, in the paper's order.
pub(super) const CLAIMS: [Claim; 3] = [ALG_D1U, ALG_D1E, ALG_D1E_REPAIRED];

/// `decor-alg-D1u`. The slope is continuous and does not grow with σ_cor (`decor-D1-mono`); it starts at 2C²/σ_cdp² and tends
/// to 2C²/(nσ_cdp²), which no σ_cor reaches (`decor-drv-5`, which needs no search). So a bisection finds every slope between.
/// The experiments search in [1, 10³]; on K_2 with σ_cdp = 1 this box has slopes up to 2/3 of the upper end.
pub const ALG_D1U: Claim = Claim {
    id: "decor-alg-D1u",
    place: "App. D.1, user-level search",
    kind: Kind::Algorithm,
    statement: "for every σ_cdp with 2C²/(nσ_cdp²) < s_iter ≤ 2C²/σ_cdp² bisection over σ_cor ≥ 0 \
        finds a σ_cor whose slope is s_iter",
    hypotheses: "G connected, n ≥ 2; an interval for σ_cor that is large enough",
    rests_on: &["decor-drv-5", "decor-D1-mono"],
    by_hand: &[],
    check: alg_d1u,
};

fn alg_d1u(c: &Check) -> Verdict {
    let top = c.constant("slope at σ_cor = 0 in units of 2C²/σ_cdp²", 1);
    let start = |m: &Member| m.resolvent.largest(&Rational::new());
    let starts = (2..=MAX)
        .flat_map(connected)
        .all(|m| start(m).as_ref() == Some(&top));
    let ends = (2..=MAX).flat_map(connected).all(|m| limits(m).is_none());
    Argument::new(c)
        .states_that(
            "the slope at σ_cor = 0 on all connected graphs with 2 ≤ n ≤ 7",
            starts,
            || "K_2, σ_cor = 0: the slope is 2C²/σ_cdp²".to_owned(),
        )
        .needs_that("its limit is 2C²/(nσ_cdp²) on the same graphs", ends)
        .proved_on("all connected graphs with n ≥ 2, all slopes above the limit up to 2C²/σ_cdp²")
}

/// `decor-alg-D1e`. Scheme and rate follow from the work that is cited and the data (uniform subsets without replacement,
/// 64 of 3750), but not how a batch enters one step: whether examples are clipped one by one, and averaged.
pub const ALG_D1E: Claim = Claim {
    id: "decor-alg-D1e",
    place: "App. D.1, example-level search",
    kind: Kind::Algorithm,
    statement: "replacing one example of a batch of 64 moves the step of its user by at most 2C/64",
    hypotheses: "clipping threshold C; the clipping of Algorithm 1 applied to the mean of the \
        batch or to each example, which the print does not say",
    check: alg_d1e,
    ..Claim::ALONE
};

/// What a record moves by in either reading; where that differs the print decides nothing.
fn alg_d1e(c: &Check) -> Verdict {
    let batch = c.constant("batch size", 64);
    // In units of C: the clipped mean moves from C to −C, the mean of clipped gradients by 2C/b.
    let (of_mean, of_each) = (Rational::from(2), 2 / batch);
    match of_mean == of_each {
        true => Argument::new(c).proved_on("batches of one example"),
        false => Verdict::open(format!(
            "the print does not say how a batch is clipped: its mean, which moves by {of_mean}·C, \
                or each example, by which the mean moves by {of_each}·C"
        )),
    }
}

/// `decor-alg-D1e-repaired`. With examples drawn without regard to the data at a public rate, clipped
/// one by one and averaged over the batch, replacing one example moves the batch mean by 2C/b at
/// most, so user i's step is a subsampled Gaussian with separation (2C/b)√(Σ⁻¹)_ii. A smaller [Σ⁻¹]_ii
/// is the same mechanism with more noise added (variances add), hence the exact privacy profile does not grow with
/// σ_cor (`decor-D1-mono`). An accountant is an upper bound of it, and is covered if it is monotone in the separation.
pub const ALG_D1E_REPAIRED: Claim = Claim {
    id: "decor-alg-D1e-repaired",
    place: "App. D.1, example-level search (repaired)",
    kind: Kind::Calibration,
    statement: "with per-example clipping, a batch mean and a public sampling rate the separation \
        of user i's step is (2C/b)√[Σ⁻¹]_ii; the exact privacy profile, and the ε of every \
        accountant that is non-decreasing in the separation, does not grow with σ_cor, so \
        bisection is valid",
    hypotheses: "replacement of one example, batch size b ≥ 1, σ_cdp > 0",
    rests_on: &["decor-D1-mono", "decor-thm-6-num"],
    by_hand: &[
        "replacing one example moves the batch mean by at most 2C/b",
        "a smaller [Σ⁻¹]_ii is the same mechanism with more noise, a post-processing",
    ],
    check: alg_d1e_repaired,
};

fn alg_d1e_repaired(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of C/b", 2));
    let (clip, batch) = (v("C"), Poly::power("b", -1));
    Argument::new(c)
        .positive(&["C", "b"])
        .states_at_most(
            "C and −C as the replaced gradients: the mean moves by 2C/b",
            2 * &clip * &batch,
            factor * clip * batch,
        )
        .proved_on("all b ≥ 1, C > 0, graphs, sampling rates")
}
