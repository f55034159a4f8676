//! The bounds that `fit --schedule theorem` prints, each computed again from the statement of its claim in the ledger; decor's by the
//! specification's own function.

use dp_assay::problem::{Graph, MixingMatrix, Weights};
use dp_assay::solver::{decor, gcd, kl, skgd};
use dp_assay::units::{Delta, Epsilon};
use dp_assay_spec::decor::bites;

fn budget(epsilon: f64, delta: f64) -> (Epsilon, Delta) {
    let epsilon = Epsilon::new(epsilon).expect("≥ 0");
    (epsilon, Delta::new(delta).expect("≤ 1"))
}

fn is(found: f64, truth: f64, what: &str) {
    assert!(
        (found / truth - 1.0).abs() < 1e-9,
        "{what}: {found}, not {truth}"
    );
}

/// √(8R²β) + max(8R²/T, β) and (1 − μ/4)^T·G + 4β/μ, β = 51ρ²Tm·log(2Tp/ζ)²/(nε)².
#[test]
fn bounds_of_greedy_coordinates_are_those_of_their_claims() {
    let (smoothness, lipschitz) = ([0.3, 0.5, 0.2, 0.6], [1.0, 0.7, 0.9, 1.0]);
    for (n, e, d, zeta, nu, gap) in [
        (1e7, 1.0, 1e-6, 0.1, 0.05, 0.7),
        (3e8, 0.5, 1e-8, 0.01, 0.01, 0.4),
    ] {
        let known = gcd::theorem::Known {
            records: n,
            smoothness: &smoothness,
            lipschitz: &lipschitz,
            gap,
            curvature: nu,
            budget: budget(e, d),
            failure: zeta,
        };
        // L_j²/M_j is 10/3, 0.98, 4.05 and 5/3.
        let (square, m, p, total) = (4.05, (1.0f64 / d).ln() + e / 2.0, 4.0, 1.6);
        let ne = n * e;
        let beta = |t: f64| 51.0 * square * t * m * (2.0 * t * p / zeta).ln().powi(2) / (ne * ne);
        let reach = 2.0 * gap * total / nu;
        let q = (reach * ne * ne / (square * m * (2.0 * n * p / zeta).ln().powi(2))).cbrt();
        let convex = known.convex().expect("n is large");
        let t = q.ceil();
        assert_eq!(convex.iterations as f64, t);
        let bound = (8.0 * reach * beta(t)).sqrt() + (8.0 * reach / t).max(beta(t));
        is(convex.bound, bound, "convex");
        let mu: f64 = nu / total;
        let start = mu * gap * ne * ne / (204.0 * square * m * (2.0 * p / zeta).ln().powi(2));
        let strongly = known.strongly().expect("n is large");
        let t = (4.0 / mu * start.ln()).ceil().max(1.0);
        assert_eq!(strongly.iterations as f64, t);
        let bound = (t * (-mu / 4.0).ln_1p()).exp() * gap + 4.0 * beta(t) / mu;
        is(strongly.bound, bound, "strongly convex");
    }
}

/// ϱ²/(2K) + 12K·c·Σ² and 2^{−T}F̄ + 24KT·c·Σ², c = log(1/δ)/(nε)².
#[test]
fn bounds_of_random_blocks_are_those_of_their_claims() {
    for (n, e, d) in [(1e5, 1.0, 1e-6), (2e6, 0.5, 1e-9)] {
        let known = skgd::theorem::Known {
            records: n,
            features: 20.0,
            size: 5.0,
            lipschitz: 0.8,
            smoothness: 1.5,
            gap: 0.6,
            curvature: 0.3,
            budget: budget(e, d),
        };
        let noise = (1.0f64 / d).ln() / (n * e).powi(2) * 0.64 * 20.0 / 1.5;
        // M/p = 6.
        let square = 6.0 * 2.0 * 0.6 / 0.3;
        let convex = known.convex().expect("short");
        let k = (square / noise).sqrt() / 5.0;
        assert_eq!((convex.inner as f64, convex.outer), (k.ceil(), 1));
        is(
            convex.bound,
            square / 2.0 / k.ceil() + 12.0 * k.ceil() * noise,
            "convex",
        );
        let strongly = known.strongly().expect("short");
        let (k, t) = (40.0, (0.6 / (24.0 * 40.0 * noise)).log2().ceil());
        assert_eq!((strongly.inner as f64, strongly.outer as f64), (k, t));
        is(
            strongly.bound,
            0.6 / 2f64.powf(t) + 24.0 * k * t * noise,
            "strongly convex",
        );
    }
}

/// √2·b + 4L₀Λ/y + max{√((128/3)F₀L₁/y), ((128/3)F₀L₁)^¼·√A, 2A}, y = n√ρ, whichever is the largest.
#[test]
fn the_bound_of_stationary_points_is_that_of_its_claim() {
    for (y, d, l0, l1, f0, beta) in [
        (50.0, 1e4, 1.0, 0.5, 0.2, 0.1),
        (1e3, 10.0, 2.0, 5.0, 3.0, 0.01),
        (1e6, 1.0, 0.5, 100.0, 50.0, 0.05f64),
    ] {
        let known = kl::theorem::Stationary {
            scale: y,
            dimension: d,
            lipschitz: l0,
            smoothness: l1,
            loss_bound: f0,
            beta,
        };
        let log = y.ln() - beta.ln();
        let a = 2.0 * l0 / y * (d.sqrt() + (2.0 * log).sqrt());
        let c = 128.0 * f0 * l1 / 3.0;
        let largest = [(c / y).sqrt(), (c * a * a).powf(0.25), 2.0 * a];
        let largest = largest.into_iter().fold(0.0, f64::max);
        let truth = l0 * (2.0 * log / y).sqrt() + 4.0 * l0 * log / y + largest;
        is(known.bound().expect("n√ρ is large"), truth, "stationary");
    }
}

/// The best number of steps among powers of 2, by the specification's bound, on rings and where all talk to each other.
#[test]
fn the_bound_of_decentralised_learning_is_the_specification_s() {
    const GAP: f64 = 1e6;
    for (n, curvature, dimension) in [(40usize, 0.3, 2.0), (60, 0.1, 1.0)] {
        for ring in [true, false] {
            let users = n as f64;
            let (text, weights, network) = match ring {
                true => (
                    format!("ring:{n}"),
                    Weights::MetropolisHastings,
                    bites::Network::ring(n as u32, false),
                ),
                false => (
                    format!("complete:{n}"),
                    Weights::Uniform,
                    bites::Network::complete(n as u32, 0),
                ),
            };
            let graph: Graph = text.parse().expect("a graph");
            let mixing = MixingMatrix::of(&graph, weights).expect("weights");
            let own = decor::theorem::Network::of(&graph, &mixing, 0, network.connectivity);
            for (found, truth) in [
                (own.users, network.users),
                (own.rate, network.rate),
                (own.heterogeneity, network.heterogeneity),
                (own.deviation, network.deviation),
            ] {
                assert!((found - truth).abs() < 1e-9, "{text}: {own:?}, {network:?}");
            }
            let problem = bites::Ridge {
                dimension,
                curvature,
            };
            let known = decor::theorem::Known {
                // The rate is rounded down, which shows where it is small.
                network: decor::theorem::Network {
                    rate: network.rate,
                    ..own
                },
                dimension,
                clip: 1.0,
                sampling: 1.0,
                smoothness: 0.25 + curvature,
                curvature,
                gap: GAP,
                budget: budget(1.0, 1.0 / (users * users)),
            };
            // A gap that the bounds are below; the specification has that of its witness.
            let shift = |steps: f64| {
                let tau = 16.0 * (0.25 + curvature) / (curvature * network.rate);
                (GAP - problem.gap()) * (tau / (steps + tau)).powi(2)
            };
            for most in [1 << 12, 1 << 17] {
                let plan = known.best(most).expect("below the gap");
                let steps = plan.steps as f64;
                let truth = bites::corrected(&network, &problem, steps) + shift(steps);
                is(plan.bound, truth, &text);
                let noise = known.noise(plan.steps).expect("finite");
                let each = (12.0 + 128f64.sqrt()) * 2.0 * users.ln() * steps;
                is(noise.cdp().powi(2), each / users, &text);
                is(noise.cor().powi(2), each / network.connectivity, &text);
            }
        }
    }
}
