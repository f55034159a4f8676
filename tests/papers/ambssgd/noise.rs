//! What both solvers take from one place, written out once more: thresholds, counts, scales, and the law of the noise.

use crate::law::{frequency, standard_normal};
use dp_assay::accounting::float::normal_tail;
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::rows::Matrix;
use dp_assay::solver::ambssgd::calibration::{Calibration, adaptive_epsilon_upper, event};
use dp_assay::solver::ambssgd::{
    Adaptive, Iterate, Ranges, Search, Shuffled, Stop, optimized, reference,
};
use dp_assay::units::{Delta, Epsilon};

/// Every release of either solver: step, level, iterate.
type Released = Vec<(Option<usize>, Vec<f64>)>;

fn adaptive(records: &Matrix, config: &Adaptive, seed: u64) -> [Released; 2] {
    let (n, tape) = (records.records(), Tape::new(seed));
    let order: Vec<u32> = (0..n as u32).collect();
    let [mut slow, mut fast] = [Released::new(), Released::new()];
    let keep = |to: &mut Released, r: Iterate<'_>| to.push((r.level, r.point.to_vec()));
    reference::ambssgd(records, &order, config, tape, &mut |r| keep(&mut slow, r)).expect("finite");
    let source = &mut records.source(None);
    optimized::ambssgd(source, n, config, tape, &mut |r| keep(&mut fast, r)).expect("finite");
    [slow, fast]
}

/// Records without features: gradients are 0, and residuals are the targets at every w.
fn featureless(d: usize, targets: Vec<f64>) -> Matrix {
    Matrix::new(d, vec![0.0; d * targets.len()], targets).expect("finite")
}

fn config(levels: usize, stop: Stop) -> Adaptive {
    Adaptive {
        step: 0.5,
        multiplier: 1.0,
        batch: 1,
        statistics: 8,
        factor: 3.0,
        search: Search::halvings(1.0, levels).expect("positive"),
        ranges: Ranges::Disjoint,
        stop,
    }
}

/// Four of eight residuals are 0, the others above every level: a level ends the search iff its noise reaches the four
/// that are missing. With m = 16 levels the noise has deviation √m·α = 4, so that this has probability Φ̄(1) at every level,
/// independently; without the √m it would have Φ̄(4) = 3·10⁻⁵.
#[test]
fn the_counts_of_dp_stat_have_noise_of_deviation_root_m_alpha_at_every_level() {
    const STEPS: usize = 4000;
    let block = [0.0, 1e9, 0.0, 1e9, 1e9, 0.0, 1e9, 0.0, 0.0];
    let records = featureless(1, block.repeat(STEPS));
    let p = normal_tail(1.0);
    for released in adaptive(&records, &config(16, Stop::Printed), 3) {
        let at = |level: usize| released.iter().filter(|r| r.0 == Some(level)).count() as u64;
        assert_eq!(released.len(), STEPS);
        let trials = STEPS as u64;
        frequency(at(0), trials, p, "the first level");
        frequency(at(1), trials, p * (1.0 - p), "the second level");
        frequency(at(2), trials, p * (1.0 - p) * (1.0 - p), "the third level");
        // Noise that is the same at two levels, or in two steps, would end all searches alike.
        let both = released
            .windows(2)
            .filter(|w| w[0].0 == Some(0) && w[1].0 == Some(0));
        frequency(both.count() as u64, trials - 1, p * p, "twice in a row");
    }
}

/// The same with the count of [`Stop::Margin`]: h = n/2 where the noise hides all counts, here four of eight, so that half
/// of the searches end at once.
#[test]
fn a_margin_beyond_half_of_the_records_ends_the_search_at_the_median() {
    let block = [0.0, 1e9, 0.0, 1e9, 1e9, 0.0, 1e9, 0.0, 0.0];
    let records = featureless(1, block.repeat(2000));
    for released in adaptive(&records, &config(16, Stop::Margin { failure: 0.01 }), 4) {
        let at_once = released.iter().filter(|r| r.0 == Some(0)).count() as u64;
        frequency(at_once, 2000, 0.5, "the first level");
    }
}

/// (U1) and (U2) of `ambssgd-lem-3.10-util-repaired` at threshold h = n − Γ′: all but 2Γ′ residuals are within γ, and γ is at
/// most twice the largest. β = 0.01 in each of 400 steps: with at most 4 expected, more than 30 have probability below
/// 10⁻¹⁰ (Poisson). The printed rule overshoots all residuals by 2 or more in a quarter of the steps.
#[test]
fn the_margin_bounds_the_threshold_from_both_sides_where_the_printed_rule_does_not() {
    const SAMPLE: usize = 200;
    const STEPS: usize = 400;
    let mut targets = Vec::new();
    for t in 0..STEPS {
        // Residuals of a fair spread up to 2⁻⁴ = γ_6, and one record for the gradient.
        targets.extend(
            (0..SAMPLE).map(|k| ((k * 7 + t) % SAMPLE + 1) as f64 / (16.0 * SAMPLE as f64)),
        );
        targets.push(0.0);
    }
    let records = featureless(1, targets);
    let run = |stop| {
        let config = Adaptive {
            statistics: SAMPLE,
            multiplier: 2.0,
            ..config(10, stop)
        };
        (config, adaptive(&records, &config, 5))
    };
    let (config, runs) = run(Stop::Margin { failure: 0.01 });
    let margin = 2.0 * (20.0 * (11.0_f64 / 0.01).ln()).sqrt();
    assert!(config.is_useful() && (config.enough() - (200.0 - margin)).abs() < 1e-9);
    for released in runs {
        let within = |level: usize| {
            // γ_i = 2^{i−10}; k/(16·200) ≤ γ iff k ≤ 3200γ.
            (3200.0 * 2f64.powi(level as i32 - 10)).floor().min(200.0)
        };
        let levels: Vec<usize> = released.iter().filter_map(|r| r.0).collect();
        let short = levels
            .iter()
            .filter(|l| within(**l) < 200.0 - 2.0 * margin)
            .count();
        let long = levels.iter().filter(|l| **l > 6).count();
        assert!(short + long <= 30, "{short} too short, {long} too long");
    }
    let (config, runs) = run(Stop::Printed);
    assert!(!config.is_useful() && config.enough() == 200.0);
    for released in runs {
        let long = released.iter().filter(|r| r.0 > Some(7)).count();
        assert!(long > STEPS / 10, "{long}");
    }
}

/// −(w_{t+1} − w_t)/(2ηζα/b) is standard normal, in every coordinate and step anew; ζ = factor·2^i·Δ.
#[test]
fn every_step_has_noise_of_twice_its_clipping_norm_over_the_batch() {
    const D: usize = 1500;
    let statistics = 2;
    let config = Adaptive {
        batch: 3,
        statistics,
        multiplier: 0.75,
        ..config(5, Stop::Printed)
    };
    let records = featureless(D, vec![0.0; 4 * 5]);
    for released in adaptive(&records, &config, 6) {
        let (mut before, mut all) = (vec![0.0; D], Vec::new());
        for (level, w) in &released {
            let gamma = 2f64.powi(level.expect("a level") as i32 - 5);
            let deviation = 0.5 * 2.0 * (3.0 * gamma) * 0.75 / 3.0;
            let moved = w.iter().zip(&before).map(|(w, b)| (b - w) / deviation);
            all.extend(moved);
            before.clone_from(w);
        }
        standard_normal(&all, &[1, 256, D, 2 * D, 3 * D], "DP-AMBSSGD");
    }
    let config = Shuffled {
        step: 0.5,
        threshold: 3.0,
        multiplier: 0.75,
    };
    let (order, tape) = ([0, 1, 2, 3], Tape::new(7));
    let records = featureless(D, vec![0.0; 4]);
    let [mut slow, mut fast] = [Vec::new(), Vec::new()];
    reference::ssgd(&records, &order, &config, tape, &mut |r| {
        slow.push(r.point.to_vec())
    })
    .expect("finite");
    let source = &mut records.source(None);
    optimized::ssgd(source, 4, &config, tape, &mut |r| {
        fast.push(r.point.to_vec())
    })
    .expect("finite");
    for iterates in [slow, fast] {
        let (mut before, mut all) = (vec![0.0; D], Vec::new());
        for w in iterates {
            all.extend(
                w.iter()
                    .zip(&before)
                    .map(|(w, b)| (b - w) / (0.5 * 2.0 * 3.0 * 0.75)),
            );
            before = w;
        }
        standard_normal(&all, &[1, 256, D, 2 * D, 3 * D], "DP-SSGD");
    }
}

/// The multiplier in closed form, and what it costs: μ = 1/α where a record meets one mechanism, √2/α where it meets two.
#[test]
fn multipliers_and_their_price_are_those_of_theorem_3_6() {
    let (epsilon, delta) = (
        Epsilon::new(0.7).expect("≥ 0"),
        Delta::new(1e-5).expect("≤ 1"),
    );
    let log = 1e5_f64.ln();
    let printed = Calibration::Printed
        .multiplier(epsilon, delta, Ranges::Printed)
        .expect("proper");
    assert!((printed / (2.0 * (log + 0.7).sqrt() / 0.7) - 1.0).abs() < 1e-14);
    for (ranges, reads) in [(Ranges::Printed, 2.0_f64), (Ranges::Disjoint, 1.0)] {
        let tight = Calibration::Tight
            .multiplier(epsilon, delta, ranges)
            .expect("proper");
        // δ(ε) = Φ̄(ε/μ − μ/2) − e^ε Φ̄(ε/μ + μ/2) of the Gaussian mechanism with μ = √reads/α.
        let mu = reads.sqrt() / tight;
        let profile =
            normal_tail(0.7 / mu - mu / 2.0) - 0.7_f64.exp() * normal_tail(0.7 / mu + mu / 2.0);
        assert!((profile / 1e-5 - 1.0).abs() < 1e-6, "{profile}");
        let upper = adaptive_epsilon_upper(tight, ranges, delta).expect("proper");
        assert!((upper / 0.7 - 1.0).abs() < 1e-9);
        let steps = event(tight, ranges)
            .steps(dp_assay::units::Neighbouring::ReplaceOne)
            .expect("a tree");
        assert_eq!(steps[0].iter().map(|s| s.count).sum::<u64>(), reads as u64);
    }
}
