//! Section 2 and Appendix A: privacy under secrets, the adversaries, and what conditioning preserves.
//!
//! In every claim on privacy the graph, W, x⁽⁰⁾, η, C, T, the noise scales and the group of curious users are public and
//! chosen without the data; neighbours differ in the data of one user, who is none of the curious ones; and every step draws
//! fresh noise and fresh secrets. Where a claim asks for less, its hypotheses say so.

use crate::arith::Rational;
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::decor::catalogue::connected;
use crate::decor::finite::{delta, moment, of_coins};
use crate::decor::graph::Graph;
use crate::decor::matrix::Matrix;
use crate::prove::Argument;

/// The claims about the privacy notion, in the paper's order.
pub(super) const CLAIMS: [Claim; 6] = [
    DEF_1,
    DEF_ADV,
    DEF_ORDER,
    DEF_4,
    DEF_PRESERVE,
    DEF_PRESERVE_READING_SHARED,
];

/// `decor-def-1`. Formally: for all adjacent D, D', all events B and almost every value s of the
/// known secrets, P[A(D) ∈ B | s] ≤ e^ε P[A(D') ∈ B | s] + δ (no event is printed). Witness: two
/// users share a fair secret bit, and user 1 publishes x₁ ⊕ bit. With the bit hidden this is
/// (0, 0)-private; with no secret hidden it is private for δ = 1 only, which is LDP of x₁.
pub const DEF_1: Claim = Claim {
    id: "decor-def-1",
    place: "§2, Definition 1",
    kind: Kind::Definition,
    statement: "(ε, δ, S)-SecLDP: (ε, δ)-indistinguishable transcripts of all adjacent datasets, \
        conditionally on the secrets outside S",
    hypotheses: "ε ≥ 0, δ in [0,1]",
    check: def_1,
    ..Claim::ALONE
};

fn def_1(c: &Check) -> Verdict {
    let factor = c.constant("e^ε at ε = 0", 1);
    let hidden = |x: u8| of_coins(1, |coins| vec![x ^ coins[0]]);
    let known = |x: u8| of_coins(0, |_| vec![x]);
    let needed = delta(&hidden(0), &hidden(1), &factor);
    Argument::new(c)
        .states_that("masked bit, mask hidden: δ = 0", needed == 0, || {
            format!("with the factor {factor} the events need δ = {needed}")
        })
        .needs_that(
            "masked bit, mask known: δ = 1",
            delta(&known(0), &known(1), &Rational::from(1)) == 1,
        )
        .proved_on("witness: one masked bit, all events enumerated")
}

/// `decor-def-adv`. An edge is hidden from every user of the group I exactly if no end of it is in
/// I: S_I has the edges with both ends outside I, S_I ⊆ S_i ⊆ S_all, and S_I is empty if |I| ≥ n − 1.
/// For I = ∅ the empty intersection is S_all. This is set algebra for any graph; it is also
/// enumerated.
pub const DEF_ADV: Claim = Claim {
    id: "decor-def-adv",
    place: "§2, adversaries I to IV",
    kind: Kind::Definition,
    statement: "S_i hides the pairs without user i, S_I = ∩_{i∈I} S_i; adversary I hides S_all, II \
        every S_i, III every S_I with |I| = q < n, IV nothing",
    hypotheses: "any graph, 0 ≤ q < n",
    check: def_adv,
    ..Claim::ALONE
};

fn def_adv(c: &Check) -> Verdict {
    let outside = c.constant("ends of a hidden pair outside the group, at least", 2);
    let hidden = |g: &Graph, group: u32| {
        let free = |v: usize| group >> v & 1 == 0;
        let all: Vec<_> = g.edges().collect();
        let of_user = |u: usize| all.iter().filter(move |(i, j)| *i != u && *j != u);
        let users = (0..g.n()).filter(|&u| !free(u));
        let meet = users.fold(all.iter().collect::<Vec<_>>(), |set, u| {
            let mine: Vec<_> = of_user(u).collect();
            set.into_iter().filter(|e| mine.contains(e)).collect()
        });
        let ends = |(i, j): &(usize, usize)| i32::from(free(*i)) + i32::from(free(*j));
        let told: Vec<_> = all.iter().filter(|e| outside <= ends(e)).collect();
        meet == told
    };
    let failure = (1..=5).flat_map(connected).find_map(|m| {
        let bad = (0..1 << m.graph.n()).find(|&group| !hidden(&m.graph, group))?;
        Some(format!(
            "n = {}, group {bad:b}: the sets differ",
            m.graph.n()
        ))
    });
    Argument::new(c)
        .states_unless(
            "∩ S_i equals the pairs with both ends outside I: all groups of all connected graphs \
                with n ≤ 5",
            failure,
        )
        .proved_on("all graphs and groups (set algebra in the doc comment)")
}

/// `decor-def-order`. Averaging over secrets that a weaker adversary does not know keeps the
/// inequality, because their law does not depend on the data: Σ_s π(s)(e^ε Q_s(B) + δ − P_s(B)) ≥ 0.
/// II ⇒ I takes S_i with i ≠ the differing user j (n ≥ 2; with n = 1 adversary II sees nobody else).
/// III at level q ≥ 1 ⇒ II takes a group that contains i and not j, which exists for q ≤ n − 1.
/// IV ⇒ III because S_I ⊇ ∅. At q = 0 adversary III is adversary I.
pub const DEF_ORDER: Claim = Claim {
    id: "decor-def-order",
    place: "§2, after the list of adversaries",
    kind: Kind::Composition,
    statement: "protection against adversary II implies protection against I, III (q ≥ 1) implies \
        II, IV implies III",
    hypotheses: "n ≥ 2, q ≤ n − 1, so that some group has user i and not user j; the protected \
        user is not among the curious ones; the law of the secrets does not depend on the data",
    check: by_kernel,
    ..Claim::ALONE
};

/// `decor-def-4`. As Definition 1 with D_α for the comparison; the text refers to itself for the
/// divergence (Definition 3 is meant) and lists an unused δ. Witness: the masked bit of Definition 1.
pub const DEF_4: Claim = Claim {
    id: "decor-def-4",
    place: "App. A, Definition 4",
    kind: Kind::Definition,
    statement: "(α, ε, S)-SecRDP: D_α of the conditional transcripts is at most ε for all adjacent \
        datasets",
    hypotheses: "α > 1, ε ≥ 0",
    rests_on: &["decor-def-3"],
    by_hand: &[],
    check: def_4,
};

fn def_4(c: &Check) -> Verdict {
    let bound = c.constant("exp((α−1)ε) at ε = 0", 1);
    let hidden = |x: u8| of_coins(1, |coins| vec![x ^ coins[0]]);
    let found = moment(&hidden(0), &hidden(1), 2).unwrap_or_default();
    Argument::new(c)
        .states_that("masked bit, mask hidden, α = 2", found <= bound, || {
            format!("the moment is {found}, more than {bound}")
        })
        .proved_on("witness: one masked bit, α = 2, ε = 0")
}

/// `decor-def-preserve`, with fresh secrets for each composed mechanism: given the known secrets the
/// mechanisms use independent randomness, so Lemmas 10 and 11 and post-processing apply to the
/// conditional laws. This is how Algorithm 1 uses it (v_ij is drawn anew at each t).
pub const DEF_PRESERVE: Claim = Claim {
    id: "decor-def-preserve",
    place: "App. A, after Definition 4",
    kind: Kind::Composition,
    statement: "for every value of the secrets that the adversary knows, (ε, δ)-DP and (α, ε)-RDP \
        are kept by post-processing and by the adaptive composition of two mechanisms with coins \
        of their own, and RDP converts to DP",
    hypotheses: "independent hidden secrets (not printed, as composition of DP supposes \
        independent coins); SecLDP and SecRDP read as DP and RDP conditionally on those secrets",
    rests_on: &["decor-lem-10", "decor-lem-11"],
    by_hand: &[],
    check: by_kernel,
};

/// The δ at ε = 0 of publishing x ⊕ mask and then a second mask, fresh or the same.
fn two_releases(fresh: bool) -> Rational {
    let law = |x: u8| of_coins(2, move |m| vec![x ^ m[0], m[usize::from(fresh)]]);
    delta(&law(0), &law(1), &Rational::from(1))
}

/// `decor-def-preserve-reading-shared`. If the hidden secrets may be the same ones, composition
/// fails: x ⊕ mask and the mask are each (0, 0)-private with the mask hidden, together they show x.
/// For DECOR itself with pair noise that is not redrawn: on K_2 with σ_cdp = σ_cor = 1 two steps
/// with gradients +C, −C and −C, +C of user 1 differ by 2C(e₁, −e₁); the covariance of both
/// messages has the blocks Σ and σ_cor²L, and the slope is 2C²·2 > 2·2C²[Σ⁻¹]₁₁.
pub const DEF_PRESERVE_READING_SHARED: Claim = Claim {
    id: "decor-def-preserve-reading-shared",
    place: "App. A, after Definition 4, without a condition on the secrets",
    kind: Kind::Composition,
    statement: "SecRDP composes for mechanisms that use the same hidden secrets",
    hypotheses: "none on the joint law of the secrets",
    check: def_preserve_reading_shared,
    ..Claim::ALONE
};

fn def_preserve_reading_shared(c: &Check) -> Verdict {
    let steps = c.constant("steps", 2);
    let laplacian = Graph::complete(2).laplacian();
    let both = Matrix::new(4, |i, j| {
        let pair = laplacian.at(i % 2, j % 2).clone();
        if i == j { pair + 1 } else { pair }
    });
    let single = Matrix::identity(2).plus(&laplacian).inverse();
    let single = single.map(|m| m.at(0, 0).clone()).unwrap_or_default();
    let shift = [1, 0, -1, 0].map(Rational::from);
    let form = both.inverse().map(|m| {
        let image = m.apply(&shift);
        crate::decor::matrix::dot(&shift, &image)
    });
    let form = form.unwrap_or_default();
    let claimed = single * steps;
    let pads = two_releases(false);
    Argument::new(c)
        .repaired("decor-def-preserve")
        .states_that(
            "K_2, two steps with the same pair noise",
            form <= claimed,
            || {
                format!(
                    "slope/(2C²) is {form}, twice that of one step is {claimed}; the masked bit \
                        and its mask: δ = {pads}"
                )
            },
        )
        .proved_on("one instance only")
}
