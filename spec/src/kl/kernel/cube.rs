//! Data sets of signs between which a private algorithm errs in every coordinate, for lower bounds with √d: Assouad's lemma (for privacy
//! Acharya, Sun and Zhang 2021, Differentially Private Assouad, Fano, and Le Cam, ALT).
//!
//! Record i is its sign times `P[i]`, a unit vector or 0, which everybody may know; of r coordinates k records each are about, of the others
//! none. `S[0]` … `S[M − 1]` are sets of signs that are the same for all records of a coordinate, and with each of them there is, once, that with
//! the other sign in a coordinate: so are all 2^r for M = 2^r. From one to the other k records change, in the order that C says: `C[t]` is 1 where
//! a record has changed after t steps; that may be one record of every coordinate after another. A mechanism is a map of the signs and of noise, with values in the
//! ball W of radius a, and π(u, g) the probability that with the signs u its value is in the half space of g. That equal data have equal
//! probabilities is told to the kernel, which replaces a vector by an equal one in normal forms only.

pub mod bounds;
mod excess;
mod near;
pub mod powers;
mod wrong;

use super::told;
use crate::moved::written::{Proof, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::instance;
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Sort};
use dp_assay_kernel::term::{Op, Term, num, op, var};

/// Whether one replacement costs (ε, δ) or ρ.
#[derive(Clone, Copy)]
enum Privacy {
    /// (ε, δ)-DP.
    Approximate,
    /// ρ-zCDP, of which the Rényi divergence of order 2 is used.
    Concentrated,
}

/// What is said of two sets of signs at a distance, π(u, g) being the probability of a half space with data u.
fn between(far: &str, says: &str) -> String {
    format!(
        "for every vector u ∈ ℝ^n: for every vector v ∈ ℝ^n: if for every index i<n: u_i² = 1: if \
            for every index i<n: v_i² = 1: if Σ_{{i<n}} (u_i − v_i)² ≤ {far}: for every vector g ∈ \
            ℝ^d: {says}"
    )
}

impl Privacy {
    /// The numbers: k is as large as privacy lets so many changes go unnoticed.
    fn numbers(self) -> &'static str {
        match self {
            Self::Approximate => {
                "
  real ε > 0
  real δ ≥ 0
  assume 24·δ ≤ ε
  assume 3 ≤ 8·k·ε
  assume 8·k·ε ≤ 9"
            }
            Self::Concentrated => {
                "
  real ρ > 0
  assume 4·ρ ≤ 1
  assume 1 ≤ 4·k·√(ρ)
  assume 4·k·√(ρ) ≤ 3"
            }
        }
    }

    /// By how much one change moves a probability, at most.
    fn eta(self) -> &'static str {
        match self {
            Self::Approximate => "(2/3)·ε",
            Self::Concentrated => "√(ρ)",
        }
    }

    /// What is supposed of the mechanism, for the event that its value is in a half space and for its complement.
    fn says(self) -> Vec<String> {
        let all: &[&str] = match self {
            Self::Approximate => &[
                "π(u, g) ≤ exp(ε)·π(v, g) + δ",
                "1 − π(u, g) ≤ exp(ε)·(1 − π(v, g)) + δ",
            ],
            Self::Concentrated => &[
                "π(u, g)²·(1 − π(v, g)) + (1 − π(u, g))²·π(v, g) ≤ exp(2·ρ)·π(v, g)·(1 − π(v, g))",
            ],
        };
        all.iter().map(|says| between("4", says)).collect()
    }
}

/// All numbers that data sets are made of.
fn numbers(privacy: Privacy) -> String {
    let own = privacy.numbers();
    format!(
        "for all
  integer n ≥ 1
  integer d ≥ 1
  integer k ≥ 1
  integer r ≥ 1
  integer M ≥ 1
  real L₀ > 0{own}
  define q := k/n"
    )
}

/// Equal data, equal law.
fn same() -> String {
    between("0", "π(u, g) ≤ π(v, g)")
}

const UNIT: &str = "for every index i<n: for every index j<d: P[i][j]² = P[i][j]";
const ONE: &str = "for every index i<n: Σ_{j<d} P[i][j] ≤ 1";
const ALL: &str = "for every index j<d: z(j)² = z(j)";
const COORDINATES: &str = "Σ_{j<d} z(j) = r";
const UNCHANGED: &str = "for every index i<n: C[0][i] = 0";
const CHANGED: &str = "for every index i<n: C[k][i] = 1";
const BEFORE: &str = "for every index t<k: for every index i<n: C[t][i]² = C[t][i]";
const AFTER: &str = "for every index t<k: for every index i<n: C[t + 1][i]² = C[t + 1][i]";
const STEP: &str =
    "for every index t<k: for every index j<d: Σ_{i<n} P[i][j]·(C[t + 1][i] − C[t][i])² ≤ 1";
const SIGNS: &str = "for every index b<M: for every index i<n: S[b][i]² = 1";
const EQUAL: &str = "for every index b<M: for every index i<n: for every index j<d: \
    P[i][j]·S[b][i] = P[i][j]·s(b, j)";

/// How far one set of signs is from another with the signs of coordinate j changed.
fn apart(b: &str, c: &str, j: &str) -> String {
    format!(
        "Σ_{{i<n}} ((1 − P[i][{j}])·(S[{c}][i] − S[{b}][i])² + P[i][{j}]·(S[{c}][i] + S[{b}][i])²)"
    )
}

fn mates() -> String {
    let far = apart("b", "c", "j");
    format!("for every index b<M: for every index j<d: Σ_{{c<M}} 𝟙({far} ≤ 0) = 1")
}

/// The mechanism, the data and the risks.
fn setting(privacy: Privacy) -> String {
    let mut lines = vec![
        "define f(w∈ℝ^d, p∈ℝ^d, ς) := (μ/2)·‖w‖² − (L₀/2)·ς·(Σ_{j<d} p_j·w_j)".to_owned(),
        "integer e ≥ 1".into(),
        "map A of ℝ^n × ℝ^e into ℝ^d".into(),
        "define π(u∈ℝ^n, g∈ℝ^d) := 𝔼_{ξ∼N_{e}(0, 1)}[𝟙(Σ_{j<d} g_j·clip(A(u, ξ), a)[j] ≤ 0)]"
            .into(),
    ];
    let given = |text: &str| format!("assume {text}");
    lines.extend(privacy.says().iter().map(|text| given(text)));
    lines.extend([given(&same()), "sequence P in ℝ^d".into()]);
    lines.extend([UNIT, ONE].map(given));
    lines.push("define z(j<d) := (Σ_{i<n} P[i][j])/k".into());
    lines.extend([ALL, COORDINATES].map(given));
    lines.push("sequence C in ℝ^n".into());
    lines.extend([UNCHANGED, CHANGED, BEFORE, AFTER, STEP].map(given));
    lines.extend(["sequence S in ℝ^n".into(), given(SIGNS)]);
    lines.push("define s(b<M, j<d) := (Σ_{i<n} P[i][j]·S[b][i])/k".into());
    lines.extend([given(EQUAL), given(&mates())]);
    lines.push("define F(b<M, w∈ℝ^d) := (Σ_{i<n} f(w, P[i], S[b][i]))/n".into());
    lines.iter().map(|line| format!("\n  {line}")).collect()
}

/// The minimiser of the risk for a set of signs.
fn least(b: &str) -> String {
    format!("⟨(L₀·q/(2·μ))·s({b}, j) : j<d⟩")
}

/// The mean of the expected excess risks over the sets of signs.
fn mean() -> String {
    let least = least("b");
    format!("(Σ_{{b<M}} (𝔼_{{ξ∼N_{{e}}(0, 1)}}[F(b, clip(A(S[b], ξ), a))] − F(b, {least})))/M")
}

/// The law of the noise.
fn noise() -> Term {
    op(Op::Normal, [var("e"), num(1)])
}

/// A hypothesis for these values.
fn told_for(h: &Context, text: &str, values: &[&str]) -> Proof {
    let found = told(h, text)?;
    values
        .iter()
        .try_fold(found, |found, value| instance(h, &found, &term(h, value)?))
}

/// The context with an index, and its name's bound.
fn index(h: &Context, name: &str, bound: &str) -> Result<Context, Stuck> {
    h.extended(item(name, Sort::Index(var(bound))))
}
