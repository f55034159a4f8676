//! The bounds that `fit --schedule theorem` prints, each computed again from the statement of its claim in the ledger; decor's by the
//! specification's own function.

use dp_assay::problem::{Graph, MixingMatrix, Weights};
use dp_assay::solver::{ambssgd, decor, gcd, kl, skgd};
use dp_assay::units::{Delta, Epsilon, Rho};
use dp_assay_spec::ambssgd::bites as regression;
use dp_assay_spec::claim::Paper;
use dp_assay_spec::decor::bites;
use dp_assay_spec::findings::headline::Correction;
use dp_assay_spec::kl::witness;

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
        let known = kl::theorem::AdaptiveDescent {
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
        is(known.gradient().expect("n√ρ is large"), truth, "stationary");
    }
}

/// The largest of (17γ²√L₁A)^{2κ/(4−κ)}, (√8γb)^κ, (γ(2A + √2b))^κ and the term for long runs: by the specification's own function for
/// κ = 2 and from the statement for κ = 3/2 and 1, where each of the terms is the largest somewhere.
#[test]
fn the_bound_of_the_last_point_is_that_of_its_claim() {
    let (lipschitz, smoothness, gamma) = witness_of_kl();
    let known = |n: f64| kl::theorem::AdaptiveDescent {
        scale: n * rho(n).sqrt(),
        dimension: witness::DIMENSION,
        lipschitz,
        smoothness,
        loss_bound: 2f64.ln(),
        beta: witness::BETA,
    };
    let first = bites_at(Paper::Kl, "kl-thm-4") as f64;
    for n in [first, 2.0 * first, 1e9] {
        let found = known(n).excess(gamma, 2.0).expect("n√ρ is large");
        is(found, witness::adaptive(n as u64), "last");
        assert!(found < 2f64.ln());
    }
    let before = known(first - 1.0).excess(gamma, 2.0);
    assert!(before.is_none_or(|bound| bound >= 2f64.ln()));
    assert!(known(20.0).excess(gamma, 2.0).is_none());
    let mut largest = std::collections::BTreeSet::new();
    for (y, d, l0, l1, gamma, kappa) in [
        (1e3, 100.0, 1.0, 1.0, 1.0_f64, 1.5),
        (1e9, 1.0, 1.0, 0.01, 10.0, 1.5),
        (9.0, 1e4, 1.0, 1e-6, 1.0, 1.0),
        (1e4, 1.0, 1e-3, 9.0, 2.0, 1.0f64),
    ] {
        let (loss_bound, beta) = (0.7, 0.05);
        let known = kl::theorem::AdaptiveDescent {
            scale: y,
            dimension: d,
            lipschitz: l0,
            smoothness: l1,
            loss_bound,
            beta,
        };
        let log = (y / beta).ln();
        let (b, a) = (
            l0 * (log / y).sqrt(),
            2.0 * (d.sqrt() + (2.0 * log).sqrt()) * l0 / y,
        );
        let c = kappa / (2.0 - kappa);
        let terms = [
            (289.0 * gamma.powi(4) * l1 * a * a).powf(kappa / (4.0 - kappa)),
            (8.0 * gamma * gamma * b * b).powf(kappa / 2.0),
            (2.0 * gamma * a + gamma * b * 2f64.sqrt()).powf(kappa),
            (512.0 * c * gamma * gamma * l1 / (3.0 * y)).powf(c),
        ];
        let truth = terms.into_iter().fold(0.0, f64::max);
        largest.insert(terms.iter().position(|term| *term == truth));
        is(known.excess(gamma, kappa).expect("y ≥ 8"), truth, "last");
        let noise = (gamma * b * 2f64.sqrt()).powf(kappa) + b * b / (4.0 * l1);
        is(known.height(gamma, kappa), noise.max(loss_bound), "height");
    }
    assert_eq!(largest.len(), 4, "{largest:?}");
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

/// Where the table of headline theorems says that one begins to say something.
fn bites_at(paper: Paper, id: &str) -> u64 {
    let headline = paper.headlines().iter().find(|headline| headline.id == id);
    match headline.and_then(|headline| headline.correction) {
        Some(Correction::By(corrected)) => (corrected.bites_at.expect("computed").least)(),
        _ => panic!("{id} is not corrected"),
    }
}

/// ρ with ρ + 2√(ρ log(1/δ)) = 1 at δ = n⁻².
fn rho(n: f64) -> f64 {
    let log = 2.0 * n.ln();
    ((log + 1.0).sqrt() - log.sqrt()).powi(2)
}

/// L₀, L₁ and γ of the witness of kl's theorems.
fn witness_of_kl() -> (f64, f64, f64) {
    let lambda = witness::LAMBDA;
    (
        1.0 + (2.0 * lambda).sqrt(),
        0.25 + lambda,
        (0.5 / lambda).sqrt(),
    )
}

/// The last target of Algorithm 1 is the bound of Theorem 1: by the specification's own function for κ = 2, from the statement for
/// κ = 3/2.
#[test]
fn the_last_target_of_spider_is_the_bound_of_its_claim() {
    let (lipschitz, smoothness, gamma) = witness_of_kl();
    let inputs = kl::Spider {
        beta: witness::BETA,
        gamma,
        kappa: 2.0,
        lipschitz,
        smoothness,
        loss_bound: 2f64.ln(),
    };
    let target = |inputs: &kl::Spider, n: u64, rho: f64| {
        let rho = Rho::new(rho).expect("> 0");
        let schedule = inputs.schedule(kl::Variant::Repaired, rho, n as usize, 10);
        schedule.expect("a schedule").target()
    };
    let first = bites_at(Paper::Kl, "kl-thm-1");
    for n in [first, 2 * first, 100 * first] {
        let found = target(&inputs, n, rho(n as f64));
        is(found, witness::spider(n), "spider");
        assert!(found < inputs.loss_bound);
    }
    let before = target(&inputs, first - 1, rho((first - 1) as f64));
    assert_eq!(before, inputs.loss_bound);
    let flat = kl::Spider {
        kappa: 1.5,
        ..inputs
    };
    let (n, rho) = (1e8, 0.01);
    let unit = gamma * lipschitz / (n * 0.1);
    let above = flat.loss_bound.powf(2.0 / 3.0) / (unit * 10f64.sqrt());
    let condition = gamma * gamma * smoothness * flat.loss_bound.powf(1.0 - 4.0 / 3.0);
    let rounds = ((1.0 + 64.0 * condition) * 1.5 * above.ln()).ceil();
    let failure = flat.beta / rounds * (rounds.sqrt() / above).sqrt();
    let truth = 48.0 * unit * (10.0 * rounds * (1.0 / failure).ln()).sqrt();
    is(target(&flat, n as u64, rho), truth.powf(1.5), "kappa 3/2");
}

/// (356γL₀√(Ndω)/(n√ρ))², and 1101L₀²d·log(2T/β)/(L̃₁n²ρ) by the specification's own function.
#[test]
fn bounds_of_descent_are_those_of_their_claims() {
    let (lipschitz, _, gamma) = witness_of_kl();
    let known = |n: f64| kl::theorem::Descent {
        records: n,
        rho: rho(n),
        dimension: 10.0,
        lipschitz,
        weak_convexity: 0.25 / (gamma * gamma),
        beta: witness::BETA,
    };
    let inputs = kl::Proximal {
        gamma,
        kappa: 2.0,
        loss_bound: 2f64.ln(),
    };
    let first = bites_at(Paper::Kl, "kl-thm-2") as f64;
    for n in [first, 30.0 * first] {
        let promise = known(n)
            .called(&inputs)
            .expect("in range")
            .expect("a bound");
        let unit = (gamma * lipschitz).powi(2) * 10.0 / (n * n * rho(n));
        let calls = (9.0 * (2f64.ln() / unit).ln()).ceil();
        assert_eq!(promise.calls as f64, calls);
        let own = witness::BETA / calls;
        let omega = (n * n * (1.0 / own).ln().powi(2) / (10.0 * own)).ln();
        is(
            promise.bound,
            356f64.powi(2) * unit * calls * omega,
            "calls",
        );
        let each = (n * n * rho(n) / calls * (2.0 / own).ln().powi(2) / 10.0).ceil();
        is(promise.passes, calls * each, "passes");
    }
    assert!(
        known(first - 1.0)
            .called(&inputs)
            .expect("in range")
            .is_none()
    );
    // L̃₁ is enlarged where it has to be.
    let small = kl::theorem::Descent {
        weak_convexity: 1e-6,
        ..known(2.0 * first)
    };
    let promise = small.called(&inputs).expect("in range").expect("a bound");
    is(promise.weak_convexity, 0.25 / (gamma * gamma), "L̃₁");
    for (n, d, curvature) in [(1e5, 10.0, 0.1), (1e7, 3.0, 4.0)] {
        let alone = kl::theorem::Descent {
            // The claim spends half of its ρ.
            rho: 2.0 * rho(n),
            dimension: d,
            lipschitz: 1.0,
            weak_convexity: curvature,
            ..known(n)
        };
        let truth = witness::regularised(n as u64, d, curvature);
        is(alone.alone().bound, truth, "alone");
    }
}

/// The runs of DP-AMBSSGD by the specification's own search on its witness; DP-SSGD begins where the specification says.
#[test]
fn runs_of_linear_regression_are_those_of_their_claims() {
    let known = |n: f64, d: u32| ambssgd::theorem::Known {
        records: n,
        dimension: f64::from(d),
        norm: 1.0,
        deviation: 1.0,
        multiplier: (2.0 * (2.0 * n.ln() + 1.0)).sqrt(),
        failure: 0.1,
    };
    for (d, n) in [(1, 4e6), (2, 1e7), (10, 3e8)] {
        let found = known(n, d).blocks().expect("enough records");
        let truth = regression::normal_run(d, n as u64).expect("enough records");
        let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-3;
        assert!(
            near(found.bound, truth.bound / 0.05),
            "{found:?}, {truth:?}"
        );
        assert_eq!(found.steps, truth.blocks);
        assert!(near(found.config.step, truth.step), "{found:?}, {truth:?}");
        assert!(
            near(found.config.factor, truth.factor),
            "{found:?}, {truth:?}"
        );
        let (r, s) = (found.config.statistics, truth.statistics);
        assert!(near(r as f64, s as f64), "{r}, {s}");
        assert!(found.failure <= 0.1, "{found:?}");
    }
    // In other units of the targets the run is the same, and its bound goes with their square.
    let scaled = ambssgd::theorem::Known {
        norm: 7.0,
        deviation: 7.0,
        ..known(1e7, 2)
    };
    let (one, other) = (known(1e7, 2).blocks(), scaled.blocks());
    let (one, other) = (one.expect("a run"), other.expect("a run"));
    is(other.bound, 49.0 * one.bound, "units");
    // With next to no noise there is a run too, with a smaller bound.
    let quiet = ambssgd::theorem::Known {
        multiplier: 0.01,
        ..known(1e7, 2)
    };
    assert!(quiet.blocks().expect("a run").bound < one.bound);
    assert_eq!(
        (one.steps, one.config.batch),
        (other.steps, other.config.batch)
    );
    let first = regression::normal_bites_at(10).records as f64;
    assert!(known(first, 10).blocks().is_some());
    assert!(known(first / 1.03, 10).blocks().is_none());
    let first = bites_at(Paper::Ambssgd, "ambssgd-thm-3.2") as f64;
    assert!(known(first * 1.001, 10).singles().is_some());
    assert!(known(first / 1.03, 10).singles().is_none());
}

/// Of DP-SSGD: ((1 + (d + 1)η)q/n + 3·bias/(ηn)²)/β with q = d(σ² + 4α²ζ²), bias = (1 − η)ⁿ‖w*‖² + 2ηq and n half of the records;
/// in other units of the targets it is the same run.
#[test]
fn the_bound_of_steps_on_one_record_is_that_of_its_claim() {
    let known = |scale: f64| ambssgd::theorem::Known {
        records: 1e12,
        dimension: 3.0,
        norm: 2.0 * scale,
        deviation: scale,
        multiplier: 10.0,
        failure: 0.1,
    };
    for scale in [1.0, 7.0] {
        let run = known(scale).singles().expect("enough records");
        let (eta, n) = (run.config.step, 5e11);
        let noise = 2.0 * run.config.multiplier * run.config.threshold;
        let q = 3.0 * (scale * scale + noise * noise);
        let bias = (n * (-eta).ln_1p()).exp() * 4.0 * scale * scale + 2.0 * eta * q;
        let bound = ((1.0 + 4.0 * eta) * q / n + 3.0 * bias / (eta * n).powi(2)) / 0.05;
        is(run.bound, bound, "one by one");
    }
    let [one, other] = [1.0, 7.0].map(|scale| known(scale).singles().expect("enough records"));
    is(other.bound, 49.0 * one.bound, "units of the bound");
    is(other.radius, 7.0 * one.radius, "units of the radius");
    is(
        other.config.threshold,
        7.0 * one.config.threshold,
        "units of the threshold",
    );
}
