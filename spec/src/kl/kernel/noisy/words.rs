//! How the run is written: its step, its potential and its invariant.

use super::Proof;
use crate::moved::written::{self, Written};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{assume, instance};
use dp_assay_kernel::search::assumed;
use dp_assay_kernel::statement::{Context, Goal, Sign, Sort};
use dp_assay_kernel::term::{Term, var};

/// What is supposed of the data: F is L₀-Lipschitz, weakly convex with the mean of the chosen vectors for a subgradient, and H is least
/// at w⋆.
pub(in crate::kl::kernel) const OF_DATA: [&str; 3] = [
    "for every vector x ∈ ℝ^d: for every vector y ∈ ℝ^d: F(x) ≤ F(y) + L₀·‖⟨x_j − y_j : j<d⟩‖",
    "for every vector x ∈ ℝ^d: for every vector y ∈ ℝ^d: F(x) + (Σ_{j<d} ((Σ_{z∈D} ∂_j f(x; \
        z))/n)·(y_j − x_j)) ≤ F(y) + (L₁/2)·(Σ_{j<d} (y_j − x_j)²)",
    "for every vector y ∈ ℝ^d: H(w⋆, w₀) ≤ H(y, w₀)",
];

/// The names of what is written here: in Algorithm 2 the ball is about the state c, its minimiser is P(c), and ρ and β are those of a call.
pub(super) fn here(h: &Context, text: &str) -> String {
    if h.get("P").is_none() {
        return text.to_owned();
    }
    let names = [
        ("w₀", "c"),
        ("w⋆_j", "P(c)[j]"),
        ("w⋆", "P(c)"),
        ("ρ", "(ρ/K)"),
        ("β", "(β/K)"),
    ];
    names.iter().fold(text.to_owned(), |text, (one, other)| {
        text.replace(one, other)
    })
}

pub(in crate::kl::kernel) fn goal(h: &Context, text: &str) -> Result<Goal, Stuck> {
    written::goal(h, &here(h, text))
}

pub(in crate::kl::kernel) fn term(h: &Context, text: &str) -> Result<Term, Stuck> {
    written::term(h, &here(h, text))
}

pub(in crate::kl::kernel) fn combined(h: &Context, goal: &Goal, parts: &[Written<'_>]) -> Proof {
    let named: Vec<_> = { parts.iter() }
        .map(|(multiplier, facts)| (here(h, multiplier), *facts))
        .collect();
    let named: Vec<Written<'_>> = { named.iter() }
        .map(|(multiplier, facts)| (multiplier.as_str(), *facts))
        .collect();
    written::settle(h, goal, &named)
}

pub(in crate::kl::kernel) fn show(h: &Context, text: &str, parts: &[Written<'_>]) -> Proof {
    combined(h, &goal(h, text)?, parts)
}

/// A hypothesis by its text.
pub(in crate::kl::kernel) fn told(h: &Context, text: &str) -> Proof {
    assumed(h, &goal(h, text)?)
}

/// H(w⋆) ≤ H(y) for every y.
pub(super) fn least(h: &Context) -> Proof {
    match h.get("P") {
        None => told(h, OF_DATA[2]),
        Some(_) => instance(h, &told(h, PROXIMAL)?, &var("c")),
    }
}

/// P(x) is the minimiser for the centre x.
pub(in crate::kl::kernel) const PROXIMAL: &str =
    "for every vector x ∈ ℝ^d: for every vector y ∈ ℝ^d: H(P(x), x) ≤ H(y, x)";

/// w after a step along q + g, and what it is projected to.
pub(super) const STEP: &str =
    "⟨w_j − ((Σ_{z∈D} ∂_j f(w; z))/n + 2·L₁·(w_j − w₀_j) + g_j)/L₁/(t + 1) : j<d⟩";

pub(super) const AVERAGE: &str = "⟨a_j + 2·(w_j − a_j)/(t + 2) : j<d⟩";

/// c.
pub(super) const LOUD: &str = "√(V)·(√(d) + √(2·l))";

/// What may fail in the rounds behind this one.
pub(super) const LATER: &str = "(T − (t + 1))·exp(0 − l)";

/// λ.
pub(super) const RATE: &str = "L₁/(16·V·T)";

pub(super) fn projected(p: &str) -> String {
    format!("⟨w₀_j + r·({p}[j] − w₀_j)/max(r, ‖⟨{p}[k] − w₀_k : k<d⟩‖) : j<d⟩")
}

/// ‖x − w₀‖.
pub(super) fn away(x: &str) -> String {
    format!("‖⟨{x}[j] − w₀_j : j<d⟩‖")
}

/// ‖x − w⋆‖².
pub(super) fn apart(x: &str) -> String {
    format!("(Σ_{{j<d}} ({x}[j] − w⋆_j)²)")
}

/// Ψ before round t.
pub(super) fn potential(t: &str, a: &str, w: &str) -> String {
    let apart = apart(w);
    format!(
        "((({t})·(({t}) + 1)/2)·(H({a}, w₀) − H(w⋆, w₀)) + 2·L₁·√(T)·({t})·√({t})·{apart} + \
            (4·√(T)·(2·L₀ + {LOUD})²/L₁)·(√(T) − √({t})))"
    )
}

/// How much further u is from w⋆ than the step, and out of the ball.
pub(super) fn gaps(u: &str) -> [String; 2] {
    let [new, old] = [apart(u), apart(STEP)];
    [format!("{new} − {old}"), format!("{} − r", away(u))]
}

pub(in crate::kl::kernel) fn space() -> Sort {
    Sort::Vector(var("d"), Sign::Any)
}

/// A run whose average is to have H(a) − H(w⋆) ≤ `most`.
pub(in crate::kl::kernel) struct Run {
    pub most: String,
}

impl Run {
    /// λ·(Ψ − T²·M/2).
    pub(super) fn exponent(&self, t: &str, a: &str, w: &str) -> String {
        let (psi, most) = (potential(t, a, w), &self.most);
        format!("(({RATE})·({psi} − T²·({most})/2))")
    }

    /// min(1, exp of the exponent).
    pub(super) fn chance(&self, t: &str, a: &str, w: &str) -> String {
        let e = self.exponent(t, a, w);
        format!("(1/max(1, exp(0 − {e})))")
    }

    /// What may yet fail before round t, from anywhere.
    pub fn invariant(&self, t: &str, a: &str, w: &str) -> String {
        let (chance, away) = (self.chance(t, a, w), away(w));
        format!("{chance} + (T − ({t}))·exp(0 − l) + (1 − 𝟙({away} ≤ r))")
    }
}

/// The last item of a context, a hypothesis.
pub(super) fn last(h: &Context) -> Proof {
    assume(h, h.items().len() - 1)
}
