//! `decor-eq-23`: how far models are apart, user by user and as one matrix.

use super::super::noise::graph;
use super::super::swap;
use super::{DIMENSIONS, EDGES, LAYOUT, Proof, SPREAD, each, round, run_of, settle};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::statement::Statement;

/// `decor-eq-23`: of Algorithm 1 after T rounds, whatever gradients f the users have; ϵ are the steps. Column k of X is user k's model.
pub fn statement() -> Result<Statement, Stuck> {
    let (graph, algorithm) = (graph(), run_of(&round()));
    let apart = "(x(κ, ϑ, v) − ā(ϑ, v))²";
    render::parse(&format!(
        "{graph}{DIMENSIONS}{LAYOUT}{EDGES}sequence W in ℝ^n
    real C ≥ 0
    integer B ≥ 1
    map f of ℝ^n × ℝ^d × ℝ^B into ℝ^d
    define g(k<n, y∈ℝ^d, ξ∈ℝ^B, j<d) := clip(f(⟨𝟙[ι=k] : ι<n⟩, y, ξ), C)[j]
    real σ ≥ 0
    real ν ≥ 0
    vector ϵ ∈ ℝ^T
    define η(r<T) := ϵ_r
    vector v₀ ∈ ℝ^(n·d)
    {SPREAD}{algorithm}holds
    (Σ_{{κ<n}} 𝔼_{{v∼end(Alg1)}}[Σ_{{ϑ<d}} {apart}])/n = 𝔼_{{v∼end(Alg1)}}[Σ_{{ϑ<d}} Σ_{{κ<n}} \
        {apart}]/n; 𝔼_{{v∼end(Alg1)}}[Ξ(v)] = 𝔼_{{v∼end(Alg1)}}[Σ_{{ϑ<d}} Σ_{{κ<n}} {apart}]/n"
    ))
}

/// The proof of [`statement`].
pub fn prove(statement: &Statement) -> Proof {
    let one = "𝔼_{v∼end(Alg1)}[(x(κ, ϑ, v) − ā(ϑ, v))²]";
    each(
        statement,
        &[
            &|h, goal| {
                settle(
                    h,
                    goal,
                    &[("1/n", &[&swap(h, ("κ", "n"), ("ϑ", "d"), one)?])],
                )
            },
            &|h, goal| settle(h, goal, &[]),
        ],
    )
}
