//! What both solvers take from one place, written out once more (scales, charges, schedules, costs), and the law of the
//! noise in every kind of release.

use super::problems::{budget, linear};
use crate::law::{standard_normal, uncorrelated};
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::loss::Linear;
use dp_assay::problem::risk::Margins;
use dp_assay::problem::rows::{Matrix, norm};
use dp_assay::solver::kl::{
    Adaptive, Budget, Meter, Observation, Proximal, Regularised, Run, RunError, Spider, Variant,
    optimized, reference,
};
use dp_assay::units::Neighbouring::{ReplaceOne, ZeroOut};
use dp_assay::units::Rho;

fn close(found: f64, expected: f64) {
    assert!(
        (found / expected - 1.0).abs() < 1e-9,
        "{found}, expected {expected}"
    );
}

/// ρ_t = min{L₀²dΛ/(n²N_t²), ρ/2} + √ρ/n with Λ = ln(n√ρ/β) as printed; corrected it has D² for dΛ, and the cap is charged at the
/// floor, N_t ≤ 2DL₀/(n√ρ), which N_t ≤ 0 is.
#[test]
fn a_noisy_norm_is_charged_by_its_size_and_at_the_cap_below_zero() {
    let (n, d, rho, beta, l0) = (400.0, 3.0_f64, 2.0_f64, 0.1, 1.5);
    let inputs = Adaptive {
        beta,
        lipschitz: l0,
        smoothness: 2.0,
    };
    let lambda = (n * rho.sqrt() / beta).ln();
    let base = rho.sqrt() / n;
    for variant in [Variant::Printed, Variant::Repaired] {
        let rule = inputs
            .rule(&budget(rho, ReplaceOne, variant), 400, 3)
            .expect("proper");
        for noisy in [-50.0, -1.0, -1e-6, 0.0, 1e-6, 0.01, 0.3, 50.0] {
            let divisor = 2.0 * (d.sqrt() + (2.0 * lambda).sqrt());
            let gradient = match variant {
                Variant::Printed => (l0 * l0 * d * lambda / (n * n * noisy * noisy)).min(rho / 2.0),
                Variant::Repaired if noisy > 2.0 * divisor * l0 / (n * rho.sqrt()) => {
                    (divisor * l0 / (n * noisy)).powi(2)
                }
                Variant::Repaired => rho / 2.0,
            };
            close(rule.charge(noisy), gradient + base);
        }
        // Line 2 goes on while at most ρ/2 is charged, corrected √ρ/n less; then the last round has no gradient.
        let most = match variant {
            Variant::Printed => 1.0,
            Variant::Repaired => 1.0 - base,
        };
        assert!(rule.goes_on(most - 1e-12) && !rule.goes_on(most + 1e-12));
        assert_eq!(rule.takes_gradient(1.5), variant == Variant::Printed);
        assert!(rule.takes_gradient(0.5));
    }
}

/// σ̂ = L₀/(√n ρ^{1/4}), σ_t = max{N_t/√(dΛ), 2L₀/(n√ρ)}, corrected with D for √(dΛ); η = 1/(2L₁).
#[test]
fn the_scales_of_adaptive_descent_are_the_closed_forms() {
    let (n, d, rho, beta, l0) = (400.0_f64, 3.0_f64, 2.0_f64, 0.1, 1.5);
    let inputs = Adaptive {
        beta,
        lipschitz: l0,
        smoothness: 2.0,
    };
    let root = n * rho.sqrt();
    let lambda = (root / beta).ln();
    let corrected = 2.0 * (d.sqrt() + (2.0 * lambda).sqrt());
    for (variant, neighbours, divisor) in [
        (Variant::Printed, ReplaceOne, (d * lambda).sqrt()),
        (Variant::Repaired, ReplaceOne, corrected),
        (Variant::Repaired, ZeroOut, corrected),
    ] {
        let rule = inputs
            .rule(&budget(rho, neighbours, variant), 400, 3)
            .expect("proper");
        close(rule.norm_deviation, l0 / (n.sqrt() * rho.powf(0.25)));
        for noisy in [-3.0, 0.0, 1e-3, 0.4, 9.0] {
            close(
                rule.gradient_deviation(noisy),
                (noisy / divisor).max(2.0 * l0 / root),
            );
        }
        close(rule.step, 0.25);
        close(rule.coefficient, root / (2.0 * l0));
    }
}

/// Algorithm 4: σ = 2L₀√T/(n√ρ), T = ⌈n²ρ ln²(2/β)/d⌉, radius L₀/(2L̃₁); a call of Algorithm 2 has ρ and β in equal parts.
#[test]
fn the_scales_of_regularised_descent_are_the_closed_forms() {
    let inputs = Regularised {
        beta: 0.2,
        lipschitz: 1.5,
        weak_convexity: 0.5,
        length: None,
    };
    let (n, rho) = (30.0_f64, 0.7_f64);
    let whole = inputs.rule(rho, 30, 4).expect("proper");
    let length = (n * n * rho * 10f64.ln().powi(2) / 4.0).ceil();
    assert_eq!(whole.length as f64, length);
    close(
        whole.deviation,
        2.0 * 1.5 * length.sqrt() / (n * rho.sqrt()),
    );
    close(whole.radius, 1.5);
    let part = inputs.part(5, rho, 30, 4).expect("proper");
    let length = (n * n * (rho / 5.0) * 50f64.ln().powi(2) / 4.0).ceil();
    assert_eq!(part.length as f64, length);
    close(
        part.deviation,
        2.0 * 1.5 * length.sqrt() / (n * (rho / 5.0).sqrt()),
    );
    // T of Algorithm 2 = (1 + 32F₀^{(κ−2)/κ}γ²L̃₁)(ln F₀ + κ ln(n√ρ/(γL₀√d))).
    let known = Proximal {
        gamma: 0.3,
        kappa: 3.0,
        loss_bound: 2.0,
    };
    let rounds = known.rounds(&inputs, 4.0, 900, 4).expect("proper");
    let condition = 32.0 * 2f64.powf(1.0 / 3.0) * 0.09 * 0.5;
    let bracket = 2f64.ln() + 3.0 * (900.0 * 2.0 / (0.3 * 1.5 * 2.0_f64)).ln();
    assert_eq!(rounds as f64, ((1.0 + condition) * bracket).ceil());
}

/// The schedule of Algorithm 1: K, σ̂ = (3/2)L₀√K/(n√ρ), Φ̂_k = max{Φ̂_{k−1}/(1 + 1/(64γ²L₁F₀^{1−2/κ})), floor}, T_k =
/// (F₀/Φ̂_k)^{(2−κ)/κ}, σ_k = (3/2)Φ̂_k^{1/κ}√(T_kK)/(γn√ρ).
#[test]
fn the_schedule_of_spider_is_the_closed_form() {
    let (n, d, rho, beta) = (5000.0_f64, 3.0_f64, 2.0_f64, 0.1);
    let (gamma, kappa, l0, l1, f0) = (0.2_f64, 1.5_f64, 5.0, 1.0, 0.8_f64);
    let inputs = Spider {
        beta,
        gamma,
        kappa,
        lipschitz: l0,
        smoothness: l1,
        loss_bound: f0,
    };
    let condition = gamma * gamma * l1 * f0.powf(1.0 - 2.0 / kappa);
    let unit = n * rho.sqrt();
    let above = f0.powf(1.0 / kappa) * unit / (gamma * l0 * d.sqrt());
    let real = (1.0 + 64.0 * condition) * kappa * above.ln();
    for (variant, k, factor, constant) in [
        (Variant::Printed, real, 1.0, 32.0),
        (Variant::Repaired, real.ceil(), 1.5, 48.0),
    ] {
        let schedule = inputs
            .schedule(variant, Rho::new(rho).expect("≥ 0"), 5000, 3)
            .expect("proper");
        assert_eq!(schedule.rounds as f64, k.floor());
        close(schedule.start_deviation, factor * l0 * k.sqrt() / unit);
        let failure = beta / k * (k.sqrt() / above).powf(2.0 - kappa);
        let width = constant * gamma * l0 * (k * d * -failure.ln()).sqrt() / unit;
        let floor = width.powf(kappa).min(f0);
        let mut target = f0;
        for round in schedule.iter() {
            target = (target / (1.0 + 1.0 / (64.0 * condition))).max(floor);
            let (root, length) = (
                target.powf(1.0 / kappa),
                (f0 / target).powf((2.0 - kappa) / kappa),
            );
            close(round.target, target);
            close(round.length, length);
            close(
                round.deviation,
                factor * root * (length * k).sqrt() / (gamma * unit),
            );
            close(round.step, root / (4.0 * gamma * l1));
            close(round.threshold, 0.875 * root / gamma);
        }
        assert_eq!(schedule.iter().count() as u64, schedule.rounds);
    }
}

/// A release that moves by m·unit with deviation σ costs (m·unit/σ)²/2, m = 2 or 1; a draw costs (2c·m·unit)²/8; nothing
/// beyond the budget is admitted, and a stage has a budget of its own.
#[test]
fn the_meter_charges_what_a_release_costs() {
    for (neighbours, multiple) in [(ReplaceOne, 2.0_f64), (ZeroOut, 1.0)] {
        let mut meter = Meter::new(&budget(1.0, neighbours, Variant::Repaired)).expect("known");
        assert!(meter.gaussian(0.3, 2.0).expect("a number"));
        let mut spent = (multiple * 0.3 / 2.0).powi(2) / 2.0;
        close(meter.spent_upper(), spent);
        assert!(meter.selection(0.4, 0.5).expect("a number"));
        spent += (2.0 * 0.4 * multiple * 0.5).powi(2) / 8.0;
        close(meter.spent_upper(), spent);
        assert!(!meter.gaussian(2.0, 1.0).expect("a number"));
        assert!(meter.refused() && meter.releases() == 2);
        close(meter.spent_upper(), spent);
        meter.stage(Rho::new(0.6).expect("≥ 0")).expect("a budget");
        assert!(meter.gaussian(0.5, 1.0).expect("a number"));
        close(meter.spent_upper(), spent + (multiple * 0.5).powi(2) / 2.0);
        assert_eq!(meter.gaussian(0.5, 1.0).expect("a number"), multiple == 1.0);
    }
}

/// Vectors and norms that a run releases.
#[derive(Default)]
struct Kept {
    gradients: Vec<Vec<f64>>,
    differences: Vec<Vec<f64>>,
    norms: Vec<f64>,
}

fn kept(run: impl FnOnce(&mut dyn FnMut(Observation<'_>)) -> Result<Run, RunError>) -> Kept {
    let mut kept = Kept::default();
    run(&mut |release| match release {
        Observation::Gradient(v) => kept.gradients.push(v.to_vec()),
        Observation::Difference(v) => kept.differences.push(v.to_vec()),
        Observation::Norm(x) => kept.norms.push(x),
        Observation::Selected(_) => {}
    })
    .expect("proper inputs");
    kept
}

const D: usize = 1500;

/// Four records with the same gradient x at every point, ‖x‖ = 1 or 0.
fn constant(length: f64) -> (Margins<Linear>, Vec<f64>) {
    let gradient: Vec<f64> = (0..D).map(|k| if k == 7 { length } else { 0.0 }).collect();
    let records = Matrix::new(D, gradient.repeat(4), vec![0.0; 4]).expect("finite");
    (Margins::new(records, Linear), gradient)
}

/// Rows of noise against each other, and with the shift of any block within themselves.
fn unrelated(rows: &[Vec<f64>], what: &str) {
    assert!(rows.len() >= 2, "{what}: {} rows", rows.len());
    for (a, first) in rows.iter().enumerate() {
        standard_normal(first, &[1, 256, 1024], what);
        for second in &rows[..a] {
            uncorrelated(first, second, what);
        }
    }
}

fn standardised(values: &[f64], exact: &[f64], deviation: f64) -> Vec<f64> {
    values
        .iter()
        .zip(exact)
        .map(|(v, g)| (v - g) / deviation)
        .collect()
}

/// Calls of the proximal method share no noise, nor do the steps of a call.
#[test]
fn gradients_of_regularised_descent_have_fresh_noise_in_every_step_and_call() {
    let (risk, gradient) = constant(1.0);
    let inputs = Regularised {
        beta: 0.1,
        lipschitz: 1.0,
        weak_convexity: 1.0,
        length: Some(3),
    };
    let b = budget(2.0, ReplaceOne, Variant::Repaired);
    let start = vec![0.0; D];
    // ρ = 1 for each of two calls, n = 4, T = 3.
    let deviation = 2.0 * 3f64.sqrt() / 4.0;
    let slow = kept(|o| reference::proximal(&risk, &start, &inputs, 2, &b, Tape::new(8), o));
    let fast = kept(|o| optimized::proximal(&risk, &start, &inputs, 2, &b, Tape::new(8), o));
    for found in [slow, fast] {
        assert_eq!(found.gradients.len(), 4);
        let rows: Vec<_> = found
            .gradients
            .iter()
            .map(|v| standardised(v, &gradient, deviation))
            .collect();
        unrelated(&rows, "regularised");
    }
}

/// First gradients have deviation σ̂, differences, which are 0 for linear losses, that of their round.
#[test]
fn gradients_and_differences_of_spider_have_the_noise_of_their_round() {
    let (risk, gradient) = constant(1.0);
    let inputs = Spider {
        beta: 0.1,
        gamma: 0.05,
        kappa: 1.5,
        lipschitz: 1.0,
        smoothness: 0.5,
        loss_bound: 0.01,
    };
    let b: Budget = budget(1e6, ReplaceOne, Variant::Repaired);
    let schedule = inputs.schedule(b.variant, b.rho, 4, D).expect("proper");
    let start = vec![0.0; D];
    let slow = kept(|o| reference::spider(&risk, &start, &inputs, &b, Tape::new(9), o));
    let fast = kept(|o| optimized::spider(&risk, &start, &inputs, &b, Tape::new(9), o));
    for found in [slow, fast] {
        let first: Vec<_> = found
            .gradients
            .iter()
            .map(|v| standardised(v, &gradient, schedule.start_deviation))
            .collect();
        unrelated(&first[..first.len().min(6)], "first gradients");
        assert!(
            !found.differences.is_empty(),
            "{} gradients, no difference",
            found.gradients.len()
        );
        // No gradient falls: every round goes on to its end, ⌊T_k⌋ + 1 differences.
        let each = schedule
            .iter()
            .flat_map(|r| vec![r.deviation; r.length.floor() as usize + 1]);
        let zero = vec![0.0; D];
        let rows: Vec<_> = found
            .differences
            .iter()
            .zip(each)
            .map(|(v, s)| standardised(v, &zero, s))
            .collect();
        unrelated(&rows[..rows.len().min(6)], "differences");
        for difference in rows.iter().take(6) {
            for gradient in first.iter().take(6) {
                uncorrelated(difference, gradient, "a difference and a first gradient");
            }
        }
    }
}

/// Norms have deviation σ̂ about the norm, gradients σ_t of their own noisy norm.
#[test]
fn norms_and_gradients_of_adaptive_descent_have_noise_of_their_own() {
    let (risk, gradient) = constant(1.0);
    let inputs = Adaptive {
        beta: 0.1,
        lipschitz: 1.0,
        smoothness: 1.0,
    };
    let b = budget(1e4, ReplaceOne, Variant::Repaired);
    let rule = inputs.rule(&b, 4, D).expect("proper");
    let start = vec![0.0; D];
    let slow = kept(|o| reference::adaptive(&risk, &start, &inputs, &b, false, Tape::new(10), o));
    let fast = kept(|o| optimized::adaptive(&risk, &start, &inputs, &b, false, Tape::new(10), o));
    for found in [slow, fast] {
        let rows: Vec<_> = found
            .gradients
            .iter()
            .zip(&found.norms)
            .take(6)
            .map(|(v, n)| standardised(v, &gradient, rule.gradient_deviation(*n)))
            .collect();
        unrelated(&rows, "gradients");
    }
    // One dimension, for many norms.
    let risk = linear(&[[1.0]; 4]);
    let b = budget(4e6, ReplaceOne, Variant::Repaired);
    let rule = inputs.rule(&b, 4, 1).expect("proper");
    let slow = kept(|o| reference::adaptive(&risk, &[0.0], &inputs, &b, false, Tape::new(12), o));
    let fast = kept(|o| optimized::adaptive(&risk, &[0.0], &inputs, &b, false, Tape::new(12), o));
    for found in [slow, fast] {
        let norms: Vec<f64> = found
            .norms
            .iter()
            .map(|x| (x - 1.0) / rule.norm_deviation)
            .collect();
        let steps = found.gradients.iter().zip(&found.norms);
        let gradients: Vec<f64> = steps
            .map(|(v, n)| (v[0] - 1.0) / rule.gradient_deviation(*n))
            .collect();
        assert!(norms.len() > 1000, "{} norms", norms.len());
        standard_normal(&norms, &[1], "norms");
        standard_normal(&gradients, &[1], "gradients in one dimension");
        uncorrelated(&norms, &gradients, "a norm and its gradient");
        assert!(norm(&norms) > 0.0);
    }
}
