//! The ledger's exact zCDP totals, as rational multiples of ρ, and what the meter records on runs that follow the worst
//! path.

use super::problems::{budget, linear, tilted};
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::risk::{Risk, Shape};
use dp_assay::solver::kl::{Adaptive, Budget, Observation, Regularised, Run, Spider, Variant};
use dp_assay::solver::kl::{optimized, reference};
use dp_assay::units::Neighbouring::{self, ReplaceOne, ZeroOut};
use dp_assay_spec::arith::{Interval, Rational, ratio};
use dp_assay_spec::kl::scales;

const RELATIONS: [(Neighbouring, i64); 2] = [(ZeroOut, 1), (ReplaceOne, 2)];

/// Repaired deviations are wider than the ledger's by 2⁻³⁵, their costs smaller by 2⁻³⁴ < 10⁻¹⁰; the meter rounds up by
/// ten roundings of a cost and one of the sum per release, here at most 10⁵ of 2⁻⁵³.
const METER: f64 = 2e-10;

fn meets(found: f64, exact: &Rational) {
    let ratio = found / exact.to_f64();
    assert!((ratio - 1.0).abs() <= METER, "{found} against {exact}");
}

/// Linear losses of slope L₀ = 1: the noisy norm stays near 1, the thresholds at 7/16 and below.
fn never_stops(kappa: f64) -> (impl Risk, Spider) {
    let inputs = Spider {
        beta: 0.1,
        gamma: 0.5,
        kappa,
        lipschitz: 1.0,
        smoothness: 0.1,
        loss_bound: 0.25_f64.powf(kappa),
    };
    (linear(&vec![[1.0, 0.0]; 50]), inputs)
}

/// ρ = 10⁶, n = 50: n√ρ = 5·10⁴, so that noises are beyond 1/2 nowhere near the tapes tried.
fn run_spider(kappa: f64, budget: &Budget) -> (Run, Vec<u64>, Rational) {
    let (risk, inputs) = never_stops(kappa);
    let mut steps = Vec::new();
    let mut count = |release: Observation<'_>| match release {
        Observation::Gradient(_) => steps.push(0),
        _ => *steps.last_mut().expect("a round begins with a gradient") += 1,
    };
    let start = [0.0, 0.0];
    let run = optimized::spider(&risk, &start, &inputs, budget, Tape::new(5), &mut count);
    let schedule = inputs
        .schedule(budget.variant, budget.rho, 50, 2)
        .expect("a schedule");
    // The K of the noise, from σ̂ = scale·L₀√K/(n√ρ).
    let scale = match budget.variant {
        Variant::Printed => 1.0,
        Variant::Repaired => 1.5,
    };
    let root = schedule.start_deviation * 50.0 * budget.rho.get().sqrt() / scale;
    let k = Rational::from_f64(root * root).expect("finite");
    // Σ_k m²(1/(2K) + J_k/(32KT_k))/scale², for m = 1, in units of ρ.
    let mut total = Rational::new();
    for (round, j) in schedule.iter().zip(&steps) {
        assert!(round.length >= 1.0, "T_k is never below 1");
        assert_eq!(*j, round.length.floor() as u64 + 1, "the loop never stops");
        let length = Rational::from_f64(round.length).expect("finite");
        total += ratio(1, 2) / &k + Rational::from(*j) / (length * 32 * &k);
    }
    assert_eq!(steps.len() as u64, schedule.rounds);
    let square = Rational::from_f64(scale * scale).expect("finite");
    (run.expect("sound"), steps, total / square)
}

//= kl-lem-8-repaired
//= kl-lem-8-reading-zero-out
//= kl-thm-1-priv-repaired
#[test]
fn the_spiders_meter_records_the_ledgers_total_on_the_worst_path() {
    for kappa in [1.0, 1.25, 1.5, 2.0] {
        for (relation, m) in RELATIONS {
            for variant in [Variant::Printed, Variant::Repaired] {
                let b = budget(1e6, relation, variant);
                let (run, _, total) = run_spider(kappa, &b);
                let exact: Rational = total * (m * m) * 1_000_000;
                meets(run.spent_upper, &exact);
                assert!(!run.cut, "kappa = {kappa}, {relation}, {variant:?}");
                // What the ledger states for any stopping: 9/16 and 9/4 as printed, 4/9 of it repaired.
                let stated: Rational = ratio(9 * m * m, 16) * 1_000_000;
                let stated: Rational = match variant {
                    Variant::Printed => stated,
                    Variant::Repaired => stated * ratio(4, 9),
                };
                assert!(exact <= stated.clone() * ratio(1_000_001, 1_000_000));
                assert!(run.spent_upper <= stated.to_f64());
                if kappa == 2.0 && variant == Variant::Repaired {
                    // T_k = 1 and K an integer: the supremum is attained.
                    meets(run.spent_upper, &stated);
                }
            }
        }
    }
}

//= kl-thm-1-priv
#[test]
fn the_printed_spider_overspends_on_the_worst_path_and_the_repaired_one_fills_its_budget() {
    let (printed, ..) = run_spider(2.0, &budget(1e6, ReplaceOne, Variant::Printed));
    // 9/4·⌊K⌋/K.
    assert!(printed.spent_upper > 2.2e6, "{}", printed.spent_upper);
    let (repaired, ..) = run_spider(2.0, &budget(1e6, ReplaceOne, Variant::Repaired));
    assert!(repaired.spent_upper <= 1e6 && repaired.spent_upper > 1e6 * (1.0 - METER));
}

/// The costs of a run of Algorithm 3 by the ledger, round by round: the norm, and the gradient given N_t. Whether a
/// gradient followed the last norm.
fn ledger_cost(n: u64, b: &Budget, inputs: &Adaptive, norms: &[f64], gradients: usize) -> Interval {
    let h = scales::Hypotheses::check(n, inputs.lipschitz, b.rho, b.neighbours);
    let h = h.expect("sound");
    let rounds = scales::Rounds::check(h, 1, inputs.beta).expect("sound");
    let m = if b.neighbours == ZeroOut { 1 } else { 4 };
    let norm = h.norm_charge() * Interval::from_rational(&ratio(m, 2));
    let mut total = Interval::from(0);
    for (t, x) in norms.iter().enumerate() {
        let whole = match b.variant {
            Variant::Printed => rounds.cost(*x).expect("a number"),
            Variant::Repaired => &norm + &gradient_cost(n, b, inputs, *x, m),
        };
        total = total + if t < gradients { whole } else { norm.clone() };
    }
    total
}

/// `kl-thm-3-corrected`: a gradient costs twice (DL₀/(nN))² off the floor and ρ/2 at it when one record is replaced (m = 4),
/// and a quarter of that when one is left out. In doubles, of which the meter's tolerance is far.
fn gradient_cost(n: u64, b: &Budget, inputs: &Adaptive, norm: f64, m: i64) -> Interval {
    let (n, rho, l0) = (n as f64, b.rho.get(), inputs.lipschitz);
    let y = n * rho.sqrt();
    let divisor = 2.0 * (1.0 + (2.0 * (y / inputs.beta).ln()).sqrt());
    let cost = if norm > 2.0 * divisor * l0 / y {
        m as f64 / 2.0 * (divisor * l0 / (n * norm)).powi(2)
    } else {
        m as f64 / 8.0 * rho
    };
    Interval::from_f64(cost)
}

/// n records that pull against each other: the mean gradient is 0, or 1/n for an odd n (pair P-flat).
fn run_adaptive(n: usize, b: &Budget, inputs: &Adaptive, seed: u64) -> (Run, Vec<f64>, usize) {
    let rows: Vec<[f64; 1]> = (0..n)
        .map(|i| [if i % 2 == 0 { 1.0 } else { -1.0 }])
        .collect();
    let (mut norms, mut gradients) = (Vec::new(), 0);
    let mut keep = |release: Observation<'_>| match release {
        Observation::Norm(x) => norms.push(x),
        _ => gradients += 1,
    };
    let tape = Tape::new(seed);
    let run = optimized::adaptive(&linear(&rows), &[0.0], inputs, b, false, tape, &mut keep);
    (run.expect("sound"), norms, gradients)
}

//= kl-thm-3-round-repaired
//= kl-thm-3-corrected
#[test]
fn the_adaptive_methods_meter_records_the_ledgers_cost_of_every_round() {
    let inputs = Adaptive {
        beta: 0.1,
        lipschitz: 1.0,
        smoothness: 1.0,
    };
    for (relation, _) in RELATIONS {
        for variant in [Variant::Printed, Variant::Repaired] {
            for seed in 0..20 {
                let b = budget(1.0, relation, variant);
                let (run, norms, gradients) = run_adaptive(1001, &b, &inputs, seed);
                let exact = ledger_cost(1001, &b, &inputs, &norms, gradients);
                let (lo, hi) = (exact.lo_f64(), exact.hi_f64());
                assert!(
                    run.spent_upper >= lo * (1.0 - METER) && run.spent_upper <= hi * (1.0 + METER),
                    "seed {seed}: {} outside {exact}",
                    run.spent_upper
                );
            }
        }
    }
}

/// `kl-thm-3` is refuted: rounds with N_t ≤ 0 are charged next to nothing and cost ρ/2 (or ρ/8) each. On the tapes
/// tried, of which each shows it. n√ρ = 10¹⁰ and a mean gradient of 0: a round ends the run with probability 10⁻⁴ or so.
//= kl-thm-3
#[test]
fn the_printed_adaptive_method_spends_many_budgets_on_small_gradients_and_the_repaired_one_none() {
    let inputs = Adaptive {
        beta: 0.1,
        lipschitz: 1.0,
        smoothness: 1.0,
    };
    for (relation, _) in RELATIONS {
        let mut in_all = 0.0;
        for seed in 0..5 {
            let spent = |variant| {
                let b = budget(1e18, relation, variant);
                run_adaptive(10, &b, &inputs, seed).0.spent_upper / 1e18
            };
            let printed = spent(Variant::Printed);
            assert!(printed > 2.0, "{relation}, seed {seed}: {printed} of 1");
            assert!(spent(Variant::Repaired) <= 1.0);
            in_all += printed;
        }
        assert!(in_all > 500.0, "{relation}: {in_all} of 5");
    }
}

//= kl-thm-9-priv
//= kl-thm-2-priv-repaired
#[test]
fn the_regularised_methods_meter_records_an_eighth_of_the_square_of_the_shift() {
    let risk = tilted(Shape::Quadratic { mu: 0.1 }, 101, 2, 1.0, 1.0);
    for (relation, m) in RELATIONS {
        for (t, rounds) in [(1, 1), (2, 1), (50, 1), (20, 7)] {
            let inputs = Regularised {
                beta: 0.1,
                lipschitz: 2.0,
                weak_convexity: 0.5,
                length: Some(t),
            };
            let b = budget(0.25, relation, Variant::Repaired);
            let mut count = 0;
            let run = optimized::proximal(
                &risk,
                &[0.5; 2],
                &inputs,
                rounds,
                &b,
                Tape::new(1),
                &mut |_| count += 1,
            );
            let run = run.expect("sound");
            assert_eq!((run.releases, count), ((t - 1) * rounds, (t - 1) * rounds));
            let exact: Rational = ratio(m * m, 8) * ratio(t as i64 - 1, t) * ratio(1, 4);
            match t {
                1 => assert_eq!(run.spent_upper, 0.0),
                _ => meets(run.spent_upper, &exact),
            }
        }
    }
}

/// m²/8 of ρ for the draw, on top of what Algorithm 3 spends.
//= kl-mech-tstar
//= kl-thm-5-corrected
#[test]
fn the_draw_of_an_iterate_costs_what_the_ledger_states() {
    let inputs = Adaptive {
        beta: 0.1,
        lipschitz: 1.0,
        smoothness: 1.0,
    };
    let risk = linear(&[[0.5], [0.5], [-0.5]]);
    for (relation, m) in RELATIONS {
        for variant in [Variant::Printed, Variant::Repaired] {
            let b = budget(1e4, relation, variant);
            let spent = |select| {
                let tape = Tape::new(3);
                let run =
                    reference::adaptive(&risk, &[0.0], &inputs, &b, select, tape, &mut |_| ());
                run.expect("sound").spent_upper
            };
            let draw = spent(true) - spent(false);
            // A difference of two sums of at most 10⁴ per cent of each other: METER·100.
            let exact: Rational = ratio(m * m, 8) * 10_000;
            assert!(
                (draw / exact.to_f64() - 1.0).abs() < 100.0 * METER,
                "{draw} {exact}"
            );
        }
    }
}
