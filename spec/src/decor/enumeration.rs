//! Statements about all graphs, verified without the spectral theorem on all small ones.

use crate::arith::Rational;
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::decor::catalogue::{MAX, Member, class, connected, graphs, place};
use crate::decor::steps::{Algebra, frac, v};
use crate::decor::upoly::{Algebraic, UPoly};
use crate::prove::{Argument, enumerate};
use std::cmp::Ordering;
use std::sync::OnceLock;

/// The enumerated claims.
pub(super) const CLAIMS: [Claim; 2] = [THM_6_SMALL, DRV_3];

/// `decor-thm-6-small`. For one graph on m vertices with algebraic connectivity a (an exact
/// algebraic number) and one vertex i the bound says, with r = σ_cor²/σ_cdp² and [(I+rL)⁻¹]ᵢᵢ =
/// N(r)/D(r): g(r) = factor·D(r)(1 + ar + m − weight) − 2m N(r)(1 + ar) ≥ 0 for all r ≥ 0. All
/// coefficients of g turn out to be ≥ 0, exactly. The bound falls as a grows and a_q(G) is the least
/// a of the graphs G − I, so this decides all (G, I) whose G − I is catalogued.
pub const THM_6_SMALL: Claim = Claim {
    id: "decor-thm-6-small",
    place: "App. A, Theorem 6, eq. (13)",
    kind: Kind::PathwiseInequality,
    statement: "2[(I + rL(G − I))⁻¹]_ii ≤ 2(1/m + (1 − 1/m)/(1 + a_q(G)r)), m = n − q, for every i \
        outside I, |I| = q, and all r ≥ 0: the inequality behind Theorem 6",
    hypotheses: "G connected, 1 ≤ n ≤ 7, q < n",
    check: thm_6_small,
    ..Claim::ALONE
};

fn thm_6_small(c: &Check) -> Verdict {
    let factor = c.constant("factor of C²", 2);
    let weight = c.constant("multiple of 1/(n−q) that is taken away", 1);
    let one_graph = |member: &&Member| {
        (0..member.graph.n()).find_map(|i| step_bound(member, i, &factor, &weight))
    };
    let graphs = enumerate((1..=MAX).flat_map(graphs), one_graph);
    let failure = graphs.as_ref().err().cloned();
    let count = graphs.unwrap_or(0);
    Argument::new(c)
        .positive(&["a", "r", "h"])
        .states_unless(
            &format!("g has no negative value for r ≥ 0: {count} graphs, every vertex"),
            failure,
        )
        .needs_that(
            "every G − I of every connected G on ≤ 7 vertices is catalogued and has a ≥ a_q(G)",
            least_is_below_everywhere(),
        )
        .needs_at_most(
            "the bound falls as a grows: 1 + ar ≤ 1 + (a + h)r",
            v("a") * v("r"),
            (v("a") + v("h")) * v("r"),
        )
        .proved_on(
            "all connected graphs with n ≤ 7, all q, all groups, all users outside them, all r ≥ 0",
        )
}

/// A counterexample to the bound at vertex i, if there is one; "undecided" if neither is found.
fn step_bound(member: &Member, i: usize, factor: &Rational, weight: &Rational) -> Option<String> {
    let m = Rational::from(member.graph.n());
    let determinant = &member.resolvent.determinant;
    let diagonal = &member.resolvent.diagonal[i];
    let combine = |of_d: Rational, of_n: &Rational| {
        let scaled = UPoly::default().plus_scaled(&of_d, determinant);
        scaled.plus_scaled(&(-Rational::from(of_n * 2)), diagonal)
    };
    // g = constant + a·r·linear.
    let constant = combine((Rational::from(&m + 1) - weight) * factor, &m);
    let linear = combine(factor.clone(), &m);
    let zero = Algebraic::rational(&Rational::new());
    let a = member.connectivity.as_ref().unwrap_or(&zero);
    let sign = |j: usize| {
        let slope = j.checked_sub(1).map(|k| linear.coefficient(k));
        a.sign_of_affine(&constant.coefficient(j), &slope.unwrap_or_default())
    };
    let degree = constant.degree().max(linear.degree().map(|d| d + 1));
    if (0..=degree.unwrap_or(0)).all(|j| sign(j) != Ordering::Less) {
        return None;
    }
    let points = [
        frac(0, 1),
        frac(1, 10),
        frac(1, 1),
        frac(10, 1),
        frac(1000, 1),
    ];
    let bad = points.into_iter().find(|r| {
        let slope = linear.eval(r) * r;
        a.sign_of_affine(&constant.eval(r), &slope) == Ordering::Less
    });
    let name = format!(
        "edges {:?}, vertex {i}",
        member.graph.edges().collect::<Vec<_>>()
    );
    Some(bad.map_or_else(
        || format!("{name}: undecided"),
        |r| format!("{name}, σ_cor²/σ_cdp² = {r}: the exact slope exceeds the bound"),
    ))
}

/// Checks that a_q(G) is at most the a of every G − I, which is what its definition says, with the
/// catalogue as the source of every a.
fn least_is_below(member: &Member) -> Option<String> {
    let levels = levels(member);
    let ok = levels.iter().enumerate().all(|(q, least)| {
        let least = least.and_then(place);
        least.is_some() && deletions(member, q).all(|m| m.and_then(place) >= least)
    });
    (!ok).then(|| format!("{:?}", member.graph))
}

/// The classes of all G − I, |I| = q ≤ n − 2.
fn deletions(member: &Member, q: usize) -> impl Iterator<Item = Option<&'static Member>> {
    kept_sets(member.graph.n(), q).map(|keep| class(&member.graph.induced(keep)))
}

/// Classes whose algebraic connectivities are a_0(G), …, a_{n−2}(G), exactly.
pub(super) fn levels(member: &Member) -> Vec<Option<&'static Member>> {
    (0..member.graph.n().saturating_sub(1))
        .map(|q| deletions(member, q).flatten().min_by_key(|m| place(m)))
        .collect()
}

/// For every connected graph on at most [`MAX`] vertices, whether [`least_is_below`] finds nothing.
/// It does not depend on any constant of a claim, so it is done once.
fn least_is_below_everywhere() -> bool {
    static DONE: OnceLock<bool> = OnceLock::new();
    *DONE.get_or_init(|| {
        (1..=MAX)
            .flat_map(connected)
            .all(|m| least_is_below(m).is_none())
    })
}

/// The vertex sets that are left when q of n vertices are deleted.
pub(super) fn kept_sets(n: usize, q: usize) -> impl Iterator<Item = u64> {
    (1..1u64 << n).filter(move |keep| keep.count_ones() as usize + q == n)
}

/// `decor-drv-3`. For all graphs: deleting vertex k from G_H is deleting its edges (each lowers Σ_H by
/// a positive semidefinite term, so raises every [Σ⁻¹]_jj, see `decor-drv-1`) and then a vertex
/// without edges. For u of mean 0 the sum over k of ‖u − ū‖² without k is m(m−2)/(m−1) times that with her, and that of
/// Σ_e (b_e·u)² is m−2 times: so a(H∖k) is at most a(H)·(m−1)/m for some k. The
/// Theorem-6 bound is non-decreasing in q if a_q is non-increasing: it is (1/m)/s + (1 − 1/m)/(s + a t), in
/// which the weight of the larger term 1/s grows and the smaller term grows.
pub const DRV_3: Claim = Claim {
    id: "decor-drv-3",
    place: "derived; used for Algorithm 3",
    kind: Kind::Calibration,
    statement: "for k in H∖{j}: [Σ_{H∖k}⁻¹]_jj ≥ [Σ_H⁻¹]_jj; a(H) ≥ min_k a(H∖k) (n − q ≥ 2)",
    hypotheses: "any graph; all σ_cdp > 0, σ_cor ≥ 0",
    rests_on: &[],
    by_hand: &[],
    check: by_kernel,
};
