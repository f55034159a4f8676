//! Algorithms 2 and 3 as printed: every group, a dense inverse for each.

use super::{Adversary, DecorError, Noise};
use crate::accounting::covariance::mahalanobis_upper;
use crate::graph::Graph;
use crate::graph::spectrum::for_each_subset;
use nalgebra::DVector;

/// The slope of one step: (α, αs)-SecRDP for every α > 1; rounded up.
///
/// Cost: C(n, q) factorisations of (n − q) × (n − q) matrices and (n − q)² more per user.
///
/// ```
/// use dp_assay::accounting::decor::reference::slope_upper;
/// use dp_assay::accounting::decor::{Adversary, Noise};
/// use dp_assay::problem::Graph;
///
/// // Four users, all neighbours. Against all the others only the own noise counts: 2C²/σ_cdp².
/// let (graph, noise) = (Graph::complete(4)?, Noise::new(1.0, 2.0, 1.0)?);
/// assert!((2.0..2.001).contains(&slope_upper(&graph, &noise, Adversary::Ldp)?));
/// // Against an outsider the shared noise counts, too: 2(1/4 + 3/4/17).
/// assert!((0.588..0.589).contains(&slope_upper(&graph, &noise, Adversary::Eavesdropper)?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// q ≥ n; noise so unequal that a covariance is not certainly positive definite.
pub fn slope_upper(graph: &Graph, noise: &Noise, adversary: Adversary) -> Result<f64, DecorError> {
    //= decor-alg-2
    //= decor-alg-3
    let (n, q) = (graph.n(), adversary.colluders(graph.n())?);
    let mut worst: f64 = 0.0;
    let mut fault = None;
    // for every I with |I| = q
    for_each_subset(n, q, &mut |group| {
        let honest = graph.induced(|i| !group.contains(&i));
        let Some((honest, _)) = honest else { return };
        match slope_of_group(&honest, noise) {
            Ok(slope) => worst = worst.max(slope),
            Err(error) => fault = Some(error),
        }
    });
    match fault {
        Some(error) => Err(error),
        None => Ok(worst),
    }
}

/// 2C² max_i M_ii = ½ max_i (2Ceᵢ)ᵀΣ⁻¹(2Ceᵢ), Σ = σ_cdp² I + σ_cor² L(G_H).
fn slope_of_group(honest: &Graph, noise: &Noise) -> Result<f64, DecorError> {
    //= decor-thm-6-num
    let n = honest.n();
    // L ← Laplacian of G[H]
    let laplacian = honest.laplacian();
    // Rounded so that Σ is at most the true covariance and its inverse at least the true one: the two
    // variances down, which lowers Σ as a whole, and the diagonal by its two roundings.
    let squared = |sigma: f64| (sigma * sigma).next_down().max(0.0);
    let (own, shared) = (squared(noise.cdp()), squared(noise.cor()));
    let mut covariance = laplacian * shared;
    for i in 0..n {
        covariance[(i, i)] = (covariance[(i, i)] + own).next_down().next_down();
    }
    // M ← Σ⁻¹; 2C² max_i M_ii
    let shifts: Vec<DVector<f64>> = (0..n)
        .map(|i| DVector::from_fn(n, |j, _| if i == j { 2.0 * noise.clip() } else { 0.0 }))
        .collect();
    Ok((0.5 * mahalanobis_upper(&covariance, &shifts)?).next_up())
}
