//! How a run is written: its step, its potentials and its invariants. χ is how much a step spreads ‖ω‖², Q its noise, and f what
//! may be clipped in it.

/// The gradient of a drawn record.
pub(in crate::ambssgd::kernel) const GRADIENT: &str =
    "⟨u_j·((Σ_{i<d} u_i·w_i) − ((Σ_{i<d} u_i·w⋆_i) + ξ)) : j<d⟩";

/// The gradient at v of a record drawn as h, with the noise o, for all of them.
pub(in crate::ambssgd::kernel) const ANY_GRADIENT: &str =
    "⟨h_j·((Σ_{i<d} h_i·v_i) − ((Σ_{i<d} h_i·w⋆_i) + o)) : j<d⟩";

/// The gradient of the record of D, clipped to ζ, at entry j.
pub(in crate::ambssgd::kernel) fn own(zeta: &str, j: &str) -> String {
    format!("(Σ_{{z∈D}} clip(⟨x(z)[j]·((Σ_{{i<d}} x(z)[i]·w_i) − y(z)) : j<d⟩, {zeta})[{j}])")
}

/// A step along g.
pub(in crate::ambssgd::kernel) const STEP: &str = "w ← ⟨w_j − η·g_j : j<d⟩";

/// Items that name the risk L, where a run begins, and the bound R.
pub(in crate::ambssgd::kernel) fn bound() -> String {
    "  define L(v∈ℝ^d) := 𝔼_{u∼N_{d}(0, 1)}[𝔼_{ξ∼N(0, σ²)}[((Σ_{i<d} u_i·v_i) − ((Σ_{i<d} \
        u_i·w⋆_i) + ξ))²/2]]
  define W := Σ_{j<d} (w₀_j − w⋆_j)²
  real φ > 0
  real β > 0
  real R > 0
  assume R = (1 + φ)·(1 + χ·η)·Q/(2·n) + ((3 + 2·φ + 1/φ)/(2·η²·n²))·(λ^k·W + 2·η·Q)"
        .to_owned()
}

/// The goal that a run of T rounds is useful, f being what may be clipped in one.
pub(in crate::ambssgd::kernel) fn useful(run: &str) -> String {
    format!("1 − β − T·f − (W + T·η²·Q)/B² ≤ 𝔼_{{s∼end({run})}}[𝟙(L(s) − L(w⋆) ≤ R/β)]")
}

/// ‖w − w⋆‖².
pub(in crate::ambssgd::kernel) fn apart(w: &str) -> String {
    format!("(Σ_{{j<d}} ({w}[j] − w⋆_j)²)")
}

/// What pays the growth of the martingale, per ‖ω‖².
pub(in crate::ambssgd::kernel) const PAYS: &str = "((1 + φ)·χ/(2·η·n²))";

/// What pays the last ω, per ‖ω‖².
pub(in crate::ambssgd::kernel) const LAST: &str = "((1 + 1/φ)·(1 − η)²/(2·η²·n²))";

/// What the noise of an averaged step adds.
pub(in crate::ambssgd::kernel) const NOISE: &str = "((1 + φ)·(1 + χ·η)·Q/(2·n²))";

/// What both pay together before the first average, per ‖ω‖².
pub(in crate::ambssgd::kernel) const FIRST: &str = "((3 + 2·φ + 1/φ)/(2·η²·n²))";

/// Which loop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::ambssgd::kernel) enum Phase {
    /// Before the average.
    Early,
    /// While it is taken.
    Late,
}

use Phase::{Early, Late};

impl Phase {
    /// How many rounds it has.
    pub fn rounds(self) -> &'static str {
        match self {
            Early => "k",
            Late => "n",
        }
    }

    /// Its number, as names have it.
    pub fn number(self) -> &'static str {
        match self {
            Early => "₁",
            Late => "₂",
        }
    }

    /// How many rounds are left at round t.
    pub fn left(self, t: &str) -> String {
        match self {
            Early => format!("(k − ({t}) + n)"),
            Late => format!("(n − ({t}))"),
        }
    }

    /// λ^k/λ^t, or λ^n/λ^t.
    pub fn decay(self, t: &str) -> String {
        format!("(λ^{}/λ^({t}))", self.rounds())
    }

    /// The factor of that.
    pub fn falling(self) -> &'static str {
        match self {
            Early => FIRST,
            Late => LAST,
        }
    }

    /// The parts of the potential that are squares, for those of the martingale and of ω.
    pub fn squares(self, t: &str, [carried, far]: &[String; 2]) -> String {
        let (decay, falling) = (self.decay(t), self.falling());
        match self {
            Early => format!("{falling}·{decay}·{far}"),
            Late => format!("((1 + φ)/2)·{carried} + ({PAYS} + {falling}·{decay})·{far}"),
        }
    }

    /// What is added to them: what noise may add yet.
    pub fn added(self, t: &str) -> String {
        let (decay, falling) = (self.decay(t), self.falling());
        let most = match self {
            Early => format!("n·{NOISE} + {FIRST}·η·Q"),
            Late => format!("(n − ({t}))·{NOISE}"),
        };
        format!("{most} + {falling}·η·Q·(1 − {decay})")
    }

    /// What may yet fail before round t, but for what is clipped.
    pub fn potential(self, t: &str, squares: &[String; 2]) -> String {
        let (all, added) = (self.squares(t, squares), self.added(t));
        let (far, left) = (&squares[1], self.left(t));
        format!("((β/R)·({all} + {added}) + ({far} + {left}·η²·Q)/B²)")
    }

    /// min(1, potential), and what may be clipped.
    pub fn invariant(self, t: &str, s: &str, w: &str) -> String {
        least(&self.potential(t, &at(t, s, w)), &self.left(t))
    }
}

/// The squares of S + (1 − η)·ω/(ηn), S being the sum of the averaged ω divided by n, and of ω.
pub(in crate::ambssgd::kernel) fn at(t: &str, s: &str, w: &str) -> [String; 2] {
    let carried = format!("(Σ_{{j<d}} ({s}[j] − (({t})/n)·w⋆_j + (1 − η)·({w}[j] − w⋆_j)/(η·n))²)");
    [carried, apart(w)]
}

/// min(1, u), and what may be clipped in so many rounds.
pub(in crate::ambssgd::kernel) fn least(u: &str, left: &str) -> String {
    format!("1 + {u} − max(1, {u}) + {left}·f")
}

/// The average with one iterate more.
pub(in crate::ambssgd::kernel) fn average(w: &str) -> String {
    format!("⟨s_j + {w}[j]/n : j<d⟩")
}
