//! The lower bounds of Theorems 6, 7 and 8, as repaired: no solver beats them, and one that cheats on its noise does.

use super::problems::budget;
use crate::parallel::on_all_cores;
use dp_assay::accounting::zcdp::rho_within;
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::risk::hard::{self, Hinges};
use dp_assay::problem::risk::{Risk, Shape};
use dp_assay::solver::kl::optimized::{adaptive, proximal, regularised, spider};
use dp_assay::solver::kl::{Adaptive, Budget, Regularised, Spider, Variant};
use dp_assay::units::Neighbouring::ReplaceOne;
use dp_assay::units::OutOfDomain;
use dp_assay::units::{Delta, Epsilon};

/// Error probability of every confidence bound here.
const ALPHA: f64 = 1e-6;

/// The released point of a run, or its start, which looks at no data, where the run stopped: private either way up to the
/// fact that it stopped, which only helps a solver.
type Solver = fn(&dyn Risk, &Budget, f64, Tape) -> Vec<f64>;

fn noisy(risk: &dyn Risk, b: &Budget, lipschitz: f64, tape: Tape) -> Vec<f64> {
    let start = vec![0.0; risk.dimension()];
    let inputs = Regularised {
        beta: 0.1,
        lipschitz,
        weak_convexity: 1.0,
        length: Some(60),
    };
    let run = regularised(risk, &start, &inputs, b, tape, &mut |_| ());
    run.map_or(start, |run| run.point)
}

fn prox(risk: &dyn Risk, b: &Budget, lipschitz: f64, tape: Tape) -> Vec<f64> {
    let start = vec![0.0; risk.dimension()];
    let inputs = Regularised {
        beta: 0.1,
        lipschitz,
        weak_convexity: 1.0,
        length: Some(30),
    };
    let run = proximal(risk, &start, &inputs, 3, b, tape, &mut |_| ());
    run.map_or(start, |run| run.point)
}

fn adapt(risk: &dyn Risk, b: &Budget, lipschitz: f64, tape: Tape) -> Vec<f64> {
    let start = vec![0.0; risk.dimension()];
    let inputs = Adaptive {
        beta: 0.1,
        lipschitz,
        smoothness: 1.0,
    };
    let run = adaptive(risk, &start, &inputs, b, false, tape, &mut |_| ());
    run.map_or(start, |run| run.point)
}

/// γ = 1/√2 and κ = 2 for a quadratic of curvature 1.
fn spide(risk: &dyn Risk, b: &Budget, lipschitz: f64, tape: Tape) -> Vec<f64> {
    let start = vec![0.0; risk.dimension()];
    let inputs = Spider {
        beta: 0.1,
        gamma: 0.5f64.sqrt(),
        kappa: 2.0,
        lipschitz,
        smoothness: 1.0,
        loss_bound: 0.5 * lipschitz * lipschitz,
    };
    let run = spider(risk, &start, &inputs, b, tape, &mut |_| ());
    run.map_or(start, |run| run.point)
}

/// The largest budget that is within (ε, δ), and one that ignores it.
fn budgets(epsilon: f64, delta: f64) -> [Budget; 2] {
    let epsilon = Epsilon::new(epsilon).expect("≥ 0");
    let delta = Delta::new(delta).expect("in [0, 1]");
    let rho = rho_within(epsilon, delta).expect("δ > 0").get();
    [rho, 1e24].map(|rho| budget(rho, ReplaceOne, Variant::Repaired))
}

/// ¼(1/(nε))^κ ≤ max over the pair, hence over the mean, of the expected excess; Hoeffding's bounds on the mean, the
/// excess being within q(a + L₀/(2L̃₁)·rounds): n = 40, ε = 1/10, κ = 2, q = 1/4, a = 1/8, radius 1/2 (three calls: 3/2).
//= kl-thm-8-reading-hidden-set
//= kl-thm-8-inst-repaired
#[test]
fn no_solver_beats_theorem_8_and_one_without_noise_does() {
    let (n, k, epsilon, kappa) = (40, 10, 0.1, 2.0);
    let bound = 0.25 * (1.0 / (n as f64 * epsilon)).powf(kappa);
    let delta = (1.0 - f64::exp(-epsilon)) / 16.0;
    let pair = Hinges::pair(kappa, n, k, 1).expect("k ≤ n");
    for (name, solver, reach) in [("noisy-gd", noisy as Solver, 0.5), ("kl-prox", prox, 1.5)] {
        let trials = if reach > 1.0 { 6_000 } else { 2_000 };
        let most = 0.25 * (0.125 + reach);
        // The mean of two independent excesses: each trial is within [0, most].
        let slack = most * (-(ALPHA / 2.0).ln() / (2.0 * trials as f64)).sqrt();
        let mean = |b: &Budget| {
            let one = |trial: u64| {
                let excess = |side: usize| {
                    let tape = Tape::new(side as u64).trial(trial);
                    pair[side].value(&solver(&pair[side], b, 1.0, tape))
                };
                0.5 * (excess(0) + excess(1))
            };
            let all: Vec<u64> = (0..trials).collect();
            let excesses = on_all_cores(&all, |trial| one(*trial));
            excesses.iter().sum::<f64>() / trials as f64
        };
        let [private, cheating] = budgets(epsilon, delta).map(|b| mean(&b));
        eprintln!("{name}: {private} private, {cheating} cheating, bound {bound}, slack {slack}");
        assert!(
            private - slack > bound,
            "{name}: {private} ± {slack} against {bound}"
        );
        // Without noise the regularised minimiser is q/2 = a, where the excess is 0.
        assert!(
            cheating + slack < bound,
            "{name}: {cheating} ± {slack} against {bound}"
        );
    }
}

/// Of `runs` runs all have an excess above `level`: then P(excess > level) ≥ α^{1/runs} with confidence 1 − α, and the mean
/// is at least that times the level. Fresh data of the law in each run, which is what the theorems average over.
fn all_above(runs: u64, level: f64, excess: impl Fn(u64) -> f64 + Sync) -> f64 {
    let all: Vec<u64> = (0..runs).collect();
    on_all_cores(&all, |run| {
        let found = excess(*run);
        assert!(found > level, "run {run}: excess {found}, level {level}");
    });
    ALPHA.powf(1.0 / runs as f64) * level
}

/// n = 20, d = 5, ε = 1, δ = 0.04 < 1/n, N = 1; λ = 1/√2, τ = 2: F = ⟨X̄, w⟩ + ‖w‖²/2. Power: a start that is never left has an
/// excess of ‖X̄‖²/2 = 3·10⁻⁴, a thousand times the level, and noise moves points by more than that.
//= kl-thm-6-repaired
//= kl-cor-1-repaired
#[test]
fn no_solver_beats_theorem_6_and_one_without_noise_does() {
    let (n, d, epsilon, tau, lambda) = (20, 5, 1.0, 2.0, 0.5f64.sqrt());
    let part = ((d as f64).sqrt() / (n as f64 * epsilon)).min(1.0);
    let bound = (part / (240.0 * tau * lambda)).powf(tau / (tau - 1.0)) / (4.0 * 11.0);
    let instance = |run: u64| {
        let records = hard::signs((n, 1, d), 0.5, Tape::new(99).trial(run)).expect("sound");
        hard::growth(tau, lambda, records).expect("sound")
    };
    let excess = |solver: Solver, b: Budget| {
        move |run: u64| {
            let (risk, minimum) = instance(run);
            // Iterates may leave the unit ball: L₀ = 3 covers norms up to 2.
            risk.value(&solver(&risk, &b, 3.0, Tape::new(7).trial(run))) - minimum
        }
    };
    let [private, cheating] = budgets(epsilon, 0.04);
    let solvers = [
        ("adaptive-gd", adapt as Solver),
        ("kl-spider", spide),
        ("noisy-gd", noisy),
    ];
    for (name, solver) in solvers {
        let least = all_above(100, 100.0 * bound, excess(solver, private));
        assert!(least > bound, "{name}: at least {least}, bound {bound}");
    }
    // Rounding of F and of its minimum, both below 1: 2⁻⁵⁰.
    let mean = (0..100).map(excess(adapt, cheating)).sum::<f64>() / 100.0;
    assert!(mean + 1e-15 < bound, "without noise {mean}, bound {bound}");
}

/// n = 20, d = 5, ε = 1, N = 1 ≤ √d/ε, L₀ = 1, D = N/(5n) = 1/100 in units with 2λ = 1. Power: a start that is never left has an
/// excess of ‖X̄‖²/2 = 5·10⁻⁵, a hundred times the level.
//= kl-thm-7-restricted
//= kl-thm-7-inst-repaired
#[test]
fn no_solver_beats_theorem_7_and_one_without_noise_does() {
    let (n, d, count, epsilon) = (20, 5, 1, 1.0);
    let diameter = count as f64 / (5.0 * n as f64);
    let part = ((d as f64).sqrt() / (n as f64 * epsilon)).min(1.0);
    let bound = diameter * part / 26_400.0;
    let excess = |solver: Solver, b: Budget| {
        move |run: u64| {
            let tape = Tape::new(98).trial(run);
            let records = hard::signs((n, count, d), 0.2, tape).expect("sound");
            let (risk, minimum) = hard::convex(diameter, records).expect("sound");
            risk.value(&solver(&risk, &b, 1.0, Tape::new(7).trial(run))) - minimum
        }
    };
    let [private, cheating] = budgets(epsilon, 0.04);
    for (name, solver) in [("adaptive-gd", adapt as Solver), ("noisy-gd", noisy)] {
        let least = all_above(100, 10.0 * bound, excess(solver, private));
        assert!(least > bound, "{name}: at least {least}, bound {bound}");
    }
    let mean = (0..100).map(excess(adapt, cheating)).sum::<f64>() / 100.0;
    assert!(mean + 1e-15 < bound, "without noise {mean}, bound {bound}");
}

#[test]
fn the_instances_have_the_minima_and_gradients_that_they_state() {
    let records = || hard::signs((9, 4, 3), 0.5, Tape::new(5)).expect("sound");
    for tau in [2.0, 3.0, 4.0] {
        let (risk, minimum) = hard::growth(tau, 0.8, records()).expect("sound");
        let gradient = |w: &[f64]| {
            let mut g = vec![0.0; 3];
            risk.gradient(w, &mut g);
            g
        };
        // Descent from the tilt's opposite ends at the stated minimum: 10⁻⁹ of values below 1.
        let mut w = vec![0.0; 3];
        for _ in 0..200_000 {
            let slope = gradient(&w);
            w.iter_mut().zip(slope).for_each(|(w, g)| *w -= 0.2 * g);
        }
        assert!((risk.value(&w) - minimum).abs() < 1e-9, "{tau}");
    }
    let (risk, minimum) = hard::convex(0.1, records()).expect("sound");
    let mut at_zero = vec![0.0; 3];
    risk.gradient(&[0.0; 3], &mut at_zero);
    let least: Vec<f64> = at_zero.iter().map(|g| -g).collect();
    // Sums of twelve products below 1.
    assert!((risk.value(&least) - minimum).abs() < 1e-14);
    let pair = Hinges::pair(2.0, 8, 2, 2).expect("sound");
    for (side, sign) in pair.iter().zip([1.0, -1.0]) {
        // a = 1/8; the quotient of a piece of slope q is exact up to rounding of F/h.
        assert!(side.gradient_error(&[-0.3 * sign, 1.0], 1e-5) < 1e-10);
        assert_eq!(side.value(&[0.125 * sign, 0.0]), 0.0);
        assert_eq!(side.value(&[-0.125 * sign, 0.0]), 0.0625);
    }
    let text = |e: OutOfDomain| e.to_string();
    assert_eq!(
        Hinges::pair(1.5, 8, 2, 2).map_err(text),
        Err("kappa = 1.5 must be finite and >= 2".into())
    );
    assert_eq!(
        Hinges::pair(2.0, 8, 9, 2).map_err(text),
        Err("k = 9 must be in 1 ... n".into())
    );
    assert!(
        Shape::Power {
            scale: 0.0,
            tau: 2.0
        }
        .known(0.0, 1.0)
        .is_err()
    );
}
