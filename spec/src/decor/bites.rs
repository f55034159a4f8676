//! Where the corrected Corollary 12 says something: the smallest n at which its bound is below that of doing nothing.
//!
//! The witness is regularised logistic regression (`decor-thm-2-witness`) started at 0, where the gap is at most
//! min{log 2, 1/(8μ)}. Double precision: figures for a reader, on which no verdict depends.

use crate::claim::{Claim, Kind, by_kernel};
use std::f64::consts::{LN_2, PI, SQRT_2, TAU};

/// The claim of this part.
pub(super) const CLAIMS: [Claim; 1] = [THM_2_WITNESS];

/// `decor-thm-2-witness`, a theorem of the kernel: without a ridge λ is 0.
pub const THM_2_WITNESS: Claim = Claim {
    id: "decor-thm-2-witness",
    place: "Sec. 5.1, Theorem 2, corrected: the witness",
    kind: Kind::PathwiseInequality,
    statement: "the loss log(1 + exp⟨x, w⟩) with r(w) = (λ/2)‖w‖² satisfies of what the corrected \
        Theorem 2 and Corollary 12 suppose: f is convex, C = 1, ∇L_i and ∇L are (1/4 + \
        λ)-Lipschitz, for λ > 0 L is λ-PL, L + ((1/4 + λ)/2)‖·‖² convex and 2(1/4 + λ)-smooth, \
        vectors of norm at most 1 are at most 1 in mean square from their mean, as ζ_* = σ_* = 1 \
        asks, L(0) − L_* ≤ log 2 and, for λ > 0, ≤ 1/(8λ)",
    hypotheses: "‖x‖ ≤ 1, x being the features of a record times minus its label ±1, λ ≥ 0",
    check: by_kernel,
    ..Claim::ALONE
};

/// What the bounds need of a graph and its mixing matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Network {
    /// n.
    pub users: f64,
    /// q.
    pub colluders: f64,
    /// p of Assumption 5.
    pub rate: f64,
    /// H|E|/n.
    pub heterogeneity: f64,
    /// ‖W − J‖_F².
    pub deviation: f64,
    /// a_q(G).
    pub connectivity: f64,
}

impl Network {
    /// The complete graph with W = 11ᵀ/n.
    #[must_use]
    pub fn complete(users: u32, colluders: u32) -> Self {
        let (users, colluders) = (f64::from(users), f64::from(colluders));
        Self {
            users,
            colluders,
            rate: 1.0,
            heterogeneity: 0.0,
            deviation: 0.0,
            connectivity: users - colluders,
        }
    }

    /// The ring on n ≥ 5 users with weights 1/3: eigenvalues (1 + 2cos θ)/3, H = 1/9, |E| = n. Against an eavesdropper (q = 0)
    /// the ring is left, against one curious user (q = 1) a path on n − 1.
    #[must_use]
    pub fn ring(users: u32, curious: bool) -> Self {
        let users = f64::from(users);
        let cosine = (TAU / users).cos();
        let left = if curious {
            (PI / (users - 1.0)).cos()
        } else {
            cosine
        };
        Self {
            users,
            colluders: f64::from(u8::from(curious)),
            rate: 1.0 - ((1.0 + 2.0 * cosine) / 3.0).powi(2),
            heterogeneity: 1.0 / 9.0,
            deviation: users / 3.0 - 1.0,
            connectivity: 2.0 * (1.0 - left),
        }
    }
}

/// Regularised logistic regression on records of norm at most 1, C = 1, one example a step, from x⁽⁰⁾ = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ridge {
    /// d.
    pub dimension: f64,
    /// μ.
    pub curvature: f64,
}

impl Ridge {
    fn smoothness(&self) -> f64 {
        0.25 + self.curvature
    }

    /// An upper bound on L(0) − L_*.
    #[must_use]
    pub fn gap(&self) -> f64 {
        LN_2.min(1.0 / (8.0 * self.curvature))
    }
}

/// log(1/δ)/ε² at ε = 1, δ = n⁻².
fn budget(network: &Network) -> f64 {
    2.0 * network.users.ln()
}

/// The bound of `decor-thm-2a-corrected` after T = `steps` steps with the noise of `decor-alg-1-corrected` at ε = 1, δ = n⁻²: at most
/// that of `decor-cor-12-pl-corrected`, which has T² for (T + τ)² but in the term of the start.
#[must_use]
pub fn corrected(network: &Network, problem: &Ridge, steps: f64) -> f64 {
    let (l, mu, n) = (problem.smoothness(), problem.curvature, network.users);
    let noise = (12.0 + 8.0 * SQRT_2) * problem.dimension * budget(network) * steps;
    let cdp = noise / (n - network.colluders);
    let cor = noise / network.connectivity;
    let tau = 16.0 * l / (mu * network.rate);
    let sum = (steps / (tau - 1.0)).ln_1p();
    let spread = (1.0 - network.rate) * (4.0 / network.rate + 1.0);
    let r = spread + 2.0 * network.heterogeneity * cor + network.deviation * cdp / n;
    let end = (steps + tau).powi(2);
    let lead = 16.0 / 7.0 * l * (1.0 + cdp) * steps / (mu * mu * n);
    let rest = 256.0 / 7.0 * l * l * r * sum / (mu.powi(3) * network.rate);
    (lead + rest + tau * tau * problem.gap()) / end
}

/// What the last display of App. B.3.1 gives with the variances of Corollary 12 and P = 1, M = 0, ζ_* = σ_* = C, for the same
/// T: the number behind the printed O(·), were its hypotheses met and its first step as small as stated.
#[must_use]
pub fn printed(network: &Network, problem: &Ridge, steps: f64) -> f64 {
    let (l, mu, n, p) = (
        problem.smoothness(),
        problem.curvature,
        network.users,
        network.rate,
    );
    let noise = 32.0 * problem.dimension * budget(network) * steps;
    let cdp = noise / (n - network.colluders);
    let cor = noise / network.connectivity;
    let r =
        (1.0 - p) * (6.0 / p + 1.0) + 2.0 * network.heterogeneity * cor + network.deviation * cdp;
    let c = (12.0 * (1.0 - p).sqrt()).max(mu / l).max(2.0 * p);
    512.0 * l * (1.0 + cdp) / (mu * mu * n * steps)
        + steps.ln_1p() * 49152.0 * l * l * r / (mu.powi(3) * p * steps * steps)
        + (c * l / (mu * p * steps)).powi(2) * problem.gap()
}

/// The bound of `decor-cor-12-nc-corrected` on the mean of E‖∇L(x̄)‖² over T = `steps` steps, at ε = 1, δ = n⁻², for logistic regression
/// without a regulariser from x⁽⁰⁾ = 0: L = 1/4, C = ζ_* = σ_* = 1, Δ = log 2. Doing nothing has ‖∇L(0)‖² ≤ 1/4.
#[must_use]
pub fn stationary(network: &Network, dimension: f64, steps: f64) -> f64 {
    let (n, p) = (network.users, network.rate);
    let kept = n - network.colluders;
    let noise = (12.0 + 8.0 * SQRT_2) * dimension * budget(network);
    let unit = 8.0 * 0.25 * LN_2;
    let own = 1.0 + noise * steps / kept;
    let rest = (1.0 - p) * (4.0 / p + 1.0) / own
        + 2.0 * network.heterogeneity * kept / network.connectivity
        + network.deviation / n;
    (unit * noise / (n * kept)).sqrt()
        + (unit / (n * steps)).sqrt()
        + 2.0 * unit / (p * steps)
        + unit * n / (p * steps) * rest
}

/// What `decor-thm-2b` prints for the same T with the variances of Corollary 12 and P = 1, M = 0, ζ_* = σ_* = C.
#[must_use]
pub fn printed_stationary(network: &Network, dimension: f64, steps: f64) -> f64 {
    let (n, p, l) = (network.users, network.rate, 0.25);
    let noise = 32.0 * dimension * budget(network) * steps;
    let cdp = noise / (n - network.colluders);
    let cor = noise / network.connectivity;
    let r =
        (1.0 - p) * (6.0 / p + 1.0) + 2.0 * network.heterogeneity * cor + network.deviation * cdp;
    let (q, c) = (1.0 + cdp, (12.0 * (1.0 - p).sqrt()).max(2.0 * p));
    12.0 * (l * LN_2 * q / (n * steps)).sqrt()
        + 16.0 * c * l * LN_2 / (p * steps)
        + 96.0 * l * LN_2 * n * r / (p * steps * q)
}

/// Where a bound first says something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bite {
    /// The smallest n.
    pub users: u32,
    /// The smallest power of 2 that serves as T there.
    pub steps: f64,
    /// The bound there.
    pub bound: f64,
    /// The printed number there over the corrected bound.
    pub printed: f64,
}

/// The smallest n ≥ 5 at which `bound` is below `share` of the gap of x⁽⁰⁾ = 0 for some T = 2ᵏ up to `most`; `None` up to
/// n = 10⁵. With a share of 1 a single step of little noise may do; with 1/2 the run has to learn something.
#[must_use]
pub fn bites_at(
    network: impl Fn(u32) -> Network,
    problem: &Ridge,
    (share, most): (f64, f64),
    bound: impl Fn(&Network, &Ridge, f64) -> f64,
) -> Option<Bite> {
    let steps = || std::iter::successors(Some(1.0), |t| Some(2.0 * t)).take_while(|t| *t <= most);
    let first = |users: u32| {
        let network = network(users);
        let found = steps().find(|t| bound(&network, problem, *t) < share * problem.gap())?;
        let value = bound(&network, problem, found);
        Some(Bite {
            users,
            steps: found,
            bound: value,
            printed: printed(&network, problem, found) / value,
        })
    };
    (5..=100_000).find_map(first)
}

/// d of the figures.
const DIMENSION: f64 = 10.0;

/// The witness of the figures: d = 10, μ = 1/8.
const PROBLEM: Ridge = Ridge {
    dimension: DIMENSION,
    curvature: 0.125,
};

/// The bite on the ring, the sparsest of the paper's graphs; T as large as it takes, which is 2⁶⁰ and more.
fn on_the_ring(curious: bool) -> Option<Bite> {
    let ring = |n| Network::ring(n, curious);
    bites_at(ring, &PROBLEM, (1.0, 2f64.powi(100)), corrected)
}

/// The smallest number of users on a ring for which the corrected bound is below the gap at 0; 0 if there is none.
pub(crate) fn users(curious: bool) -> u64 {
    on_the_ring(curious).map_or(0, |bite| u64::from(bite.users))
}

/// The corrected bound there over the number behind the printed one.
pub(crate) fn cost(curious: bool) -> f64 {
    on_the_ring(curious).map_or(f64::NAN, |bite| 1.0 / bite.printed)
}

/// The smallest number of users on the complete graph for which the bound on gradients is below 1/4 for some T = 2ᵏ, k ≤ 60, with the
/// least such T.
fn stationary_bites_at() -> Option<(u32, f64)> {
    let steps = || (0..=60).map(|k| 2f64.powi(k));
    let says = |n: u32, t: f64| stationary(&Network::complete(n, 0), DIMENSION, t) < 0.25;
    (2..100_000).find_map(|n| Some((n, steps().find(|t| says(n, *t))?)))
}

/// Those users; 0 if there is no such number.
pub(crate) fn stationary_users() -> u64 {
    stationary_bites_at().map_or(0, |(n, _)| u64::from(n))
}

/// The corrected bound there over the printed one.
pub(crate) fn stationary_cost() -> f64 {
    stationary_bites_at().map_or(f64::NAN, |(n, steps)| {
        let network = Network::complete(n, 0);
        stationary(&network, DIMENSION, steps) / printed_stationary(&network, DIMENSION, steps)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decor::graph::Graph;
    use crate::decor::mixing::{heterogeneity, metropolis_hastings, rate};
    use crate::decor::resolvent::Resolvent;

    /// The ring's constants agree with the exact ones of its matrix.
    #[test]
    fn the_ring_is_that_of_the_exact_matrices() {
        for n in 5..=9u32 {
            let graph = Graph::ring(n as usize);
            let w = metropolis_hastings(&graph);
            let ring = Network::ring(n, false);
            let close = |x: f64, y: f64| assert!((x - y).abs() <= 1e-9, "n = {n}: {x} and {y}");
            close(ring.rate, rate(&w).expect("a rate").approx());
            let a = Resolvent::of(&graph).connectivity().expect("connected");
            close(ring.connectivity, a.approx());
            let path = Resolvent::of(&Graph::path(n as usize - 1)).connectivity();
            close(
                Network::ring(n, true).connectivity,
                path.expect("connected").approx(),
            );
            let h = heterogeneity(&graph, &w).expect("edges").to_f64();
            close(
                ring.heterogeneity,
                h * graph.edge_count() as f64 / f64::from(n),
            );
        }
    }

    /// The recursion of V from which the theorem is derived, unrolled step by step: a second route to its bound.
    fn unrolled(network: &Network, problem: &Ridge, steps: u32) -> f64 {
        let (l, mu, n, p) = (
            problem.smoothness(),
            problem.curvature,
            network.users,
            network.rate,
        );
        let noise = (12.0 + 8.0 * SQRT_2) * problem.dimension * budget(network) * f64::from(steps);
        let (cdp, cor) = (
            noise / (n - network.colluders),
            noise / network.connectivity,
        );
        let spread = (1.0 - p) * (4.0 / p + 1.0);
        let r = spread + 2.0 * network.heterogeneity * cor + network.deviation * cdp / n;
        let (a, b) = (l * (1.0 + cdp) / (2.0 * n), 4.0 * l * l * r / p);
        (0..steps).fold(problem.gap(), |v, t| {
            let eta = 2.0 / (mu * (f64::from(t) + 16.0 * l / (mu * p)));
            (1.0 - mu * eta) * v + eta * eta * a + eta.powi(3) * b
        })
    }

    fn networks() -> [Network; 4] {
        [
            Network::complete(100, 0),
            Network::complete(1000, 1),
            Network::ring(16, false),
            Network::ring(50, true),
        ]
    }

    /// The closed form is above the recursion, by at most the 8/7 that replace (1 + 1/t̂)² and a little for the logarithm.
    #[test]
    fn the_bound_is_that_of_the_recursion() {
        for network in networks() {
            for steps in [1, 10, 1000, 200_000] {
                let closed = corrected(&network, &PROBLEM, f64::from(steps));
                let ratio = closed / unrolled(&network, &PROBLEM, steps);
                assert!(
                    (1.0..1.15).contains(&ratio),
                    "{network:?}, T = {steps}: {ratio}"
                );
            }
        }
    }

    /// The closed form is above the bound of `decor-thm-2b-corrected` at the step of the claim, and by a factor of 2 at most where the
    /// noise sets the step.
    #[test]
    fn the_bound_on_gradients_is_that_of_its_step() {
        for network in networks() {
            for steps in [1.0, 100.0, 1e4, 1e9] {
                let (n, p, l) = (network.users, network.rate, 0.25);
                let noise = (12.0 + 8.0 * SQRT_2) * 10.0 * budget(&network) * steps;
                let (cdp, cor) = (
                    noise / (n - network.colluders),
                    noise / network.connectivity,
                );
                let q = 1.0 + cdp;
                let r = (1.0 - p) * (4.0 / p + 1.0)
                    + 2.0 * network.heterogeneity * cor
                    + network.deviation * cdp / n;
                let slow = (2.0 * n * LN_2 / (l * steps * q)).sqrt();
                let eta = slow.min(p / (8.0 * l));
                let exact =
                    2.0 * LN_2 / (eta * steps) + l * eta * q / n + 4.0 * l * l * eta * eta * r / p;
                let closed = stationary(&network, 10.0, steps);
                assert!(
                    exact <= closed,
                    "{network:?}, T = {steps}: {exact}, {closed}"
                );
                assert!(
                    eta < slow || closed <= 2.0 * exact,
                    "{network:?}, T = {steps}"
                );
            }
        }
    }

    /// For d = 10 the bound on gradients is below that of doing nothing on the complete graph from 238 users on, where many steps are taken.
    #[test]
    fn the_bound_on_gradients_bites() {
        let says = |n: u32| stationary(&Network::complete(n, 0), 10.0, 2f64.powi(60)) < 0.25;
        assert_eq!((2..1000).find(|n| says(*n)), Some(238));
        assert_eq!(stationary_users(), 238);
        // Of the leading terms, √(8(12 + 8√2)) over 12√32.
        let leading = (8.0 * (12.0 + 8.0 * SQRT_2) / (144.0 * 32.0)).sqrt();
        let ratio = stationary_cost() / leading;
        assert!((0.9..1.1).contains(&ratio), "{ratio}");
    }

    /// What the module computes for d = 10, μ = 1/8. On the complete graph the corrected bound says something from 38 users on and
    /// halves the gap from 487 on; the numbers of the printed proof do from 10,236 and 14,760 on. On the ring the corrected bound
    /// halves the gap from 695 users on, but after 2⁶⁹ steps only, because p and a(G) are of order n⁻².
    #[test]
    fn the_corrected_bound_bites_long_before_the_printed_one() {
        let complete = |n| Network::complete(n, 0);
        let eavesdropped = |n| Network::ring(n, false);
        let far = 2f64.powi(80);
        let at = |share| bites_at(complete, &PROBLEM, (share, far), corrected).expect("bites");
        let print = |share| bites_at(complete, &PROBLEM, (share, far), printed).expect("bites");
        assert_eq!((at(1.0).users, at(0.5).users), (38, 487));
        // What the table of headlines says of the steps that its figures take.
        assert_eq!(at(1.0).steps, 1.0);
        for (curious, steps) in [(false, 60), (true, 64)] {
            let steps = (478, 2f64.powi(steps));
            assert_eq!(
                on_the_ring(curious).map(|b| (b.users, b.steps)),
                Some(steps)
            );
        }
        assert_eq!((print(1.0).users, print(0.5).users), (10_236, 14_760));
        let ring = bites_at(eavesdropped, &PROBLEM, (0.5, far), corrected).expect("bites");
        assert_eq!((ring.users, ring.steps), (695, 2f64.powi(69)));
        assert_eq!(
            bites_at(eavesdropped, &PROBLEM, (0.5, 2f64.powi(20)), corrected),
            None
        );
        // As T → ∞ the ratio is that of 512·32 and (16/7)(12 + 8√2).
        let limit = 512.0 * 32.0 / (16.0 / 7.0 * (12.0 + 8.0 * SQRT_2));
        assert!(
            (ring.printed / limit - 1.0).abs() < 0.01,
            "{}",
            ring.printed
        );
    }
}
