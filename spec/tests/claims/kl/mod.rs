//! Why claims of the KL paper are refuted or open, and the checked inputs of its Algorithm 1.

use crate::support::verdict;
use dp_assay_spec::claim::Verdict;
use dp_assay_spec::kl::spider_scales::{Hypotheses, Inputs, SpiderRound, Variant};
use dp_assay_spec::units::Rho;

mod adaptive;
mod cube;

/// The counterexample of a refuted claim, the reason of an open one.
fn reason(id: &str) -> &'static str {
    match verdict(id) {
        Verdict::Refuted(r) => &r.counterexample,
        Verdict::Open { why } => why,
        _ => "",
    }
}

#[test]
fn the_main_slips_are_refuted_for_the_right_reason() {
    let expected = [
        ("kl-lem-8-grad", "L_0 = 24, n = 2: 24 ≤ 12 fails"),
        ("kl-lem-8-reading-start", "KL = 22077/10000 ρ at least"),
        ("kl-thm-1-priv", "needs ρ' ≥ [1.1389"),
        ("kl-alg-1", "w_(k,-1)"),
        ("kl-thm-1-phase", "v = 101/100: F(v) ≤ p fails"),
        ("kl-lem-2", "against 1 - β = 1/2"),
        ("kl-thm-6", "excess 0 on every admissible instance"),
        ("kl-cor-1", "excess 0 on every admissible instance"),
        ("kl-thm-7", "n = d = ε = 1"),
        ("kl-thm-6-red", "excess 218530/6561, claimed 614656/6561"),
        ("kl-thm-7-inst", "D = 1, x = 3, y = 5"),
        ("kl-thm-7-gap", "is 1/2 of N L_0"),
    ];
    for (id, part) in expected {
        assert_eq!(verdict(id).name(), "refuted", "{id}");
        assert!(reason(id).contains(part), "{id}: {}", reason(id));
    }
}

/// κ = 3/2, F₀ = 1/2 ≤ (γL₀)^κ, and enough samples for the floor of line 6 to be below F₀.
fn inputs() -> Inputs {
    Inputs {
        rho: Rho::new(0.5).unwrap(),
        beta: 0.1,
        samples: 1_000_000,
        dimension: 3,
        gamma: 1.0,
        kappa: 1.5,
        lipschitz: 2.0,
        smoothness: 1.0,
        loss_bound: 0.5,
    }
}

#[test]
fn the_inputs_of_algorithm_1_are_checked_with_precise_errors() {
    let refused = |change: fn(&mut Inputs)| {
        let mut changed = inputs();
        change(&mut changed);
        Hypotheses::check(changed).err().map(|e| e.to_string())
    };
    assert_eq!(refused(|_| {}), None);
    for (words, change) in [
        (
            "kappa = 2.5 must lie in [1, 2]",
            (|i| i.kappa = 2.5) as fn(&mut Inputs),
        ),
        ("beta = 1 must lie in (0, 1)", |i| i.beta = 1.0),
        ("n = 0 must be at least 1", |i| i.samples = 0),
        ("gamma = -1 must be finite and > 0", |i| i.gamma = -1.0),
        ("gamma = NaN must be finite and > 0", |i| i.gamma = f64::NAN),
        ("F_0 = 3 must be at most (gamma L_0)^kappa", |i| {
            i.loss_bound = 3.0
        }),
    ] {
        assert_eq!(refused(change).as_deref(), Some(words));
    }
}

/// K, σ̂ and the first round in doubles; each formula has fewer than 40 roundings of at most 2⁻⁵³ relative, and no
/// difference of nearly equal numbers.
#[test]
fn the_schedule_encloses_the_printed_formulas_and_the_repair_raises_the_noise() {
    let i = inputs();
    let unit = i.lipschitz / (i.samples as f64 * 0.5_f64.sqrt());
    let root = i.loss_bound.powf(1.0 / i.kappa);
    let rounds =
        (1.0 + 64.0 * i.loss_bound.powf(-1.0 / 3.0)) * 1.5 * (root / (unit * 3.0_f64.sqrt())).ln();
    let near = |x: &dp_assay_spec::arith::Interval, y: f64| {
        let tolerance = 40.0 * f64::EPSILON * y.abs();
        assert!(
            (x.lo_f64() - y).abs() <= tolerance && (x.hi_f64() - y).abs() <= tolerance,
            "{x} against {y}"
        );
    };
    let hypotheses = Hypotheses::check(i).unwrap();
    near(&hypotheses.printed_rounds(), rounds);
    let printed = hypotheses.schedule(Variant::Printed).unwrap();
    near(&printed.start_scale, unit * rounds.sqrt());
    let repaired = hypotheses.schedule(Variant::Repaired).unwrap();
    near(&repaired.start_scale, 1.5 * unit * rounds.ceil().sqrt());
    assert_eq!(
        (printed.rounds, repaired.rounds),
        (rounds.floor() as u64, rounds.ceil() as u64)
    );
    let first: SpiderRound = repaired.iter().next().unwrap();
    let target = i.loss_bound / (1.0 + i.loss_bound.powf(1.0 / 3.0) / 64.0);
    near(&first.target, target);
    near(&first.length, (i.loss_bound / target).powf(1.0 / 3.0));
    let spread = (first.length.lo_f64() * rounds.ceil()).sqrt();
    near(
        &first.scale,
        1.5 * target.powf(1.0 / 1.5) * spread * unit / i.lipschitz,
    );
    near(&first.step, target.powf(1.0 / 1.5) / 4.0);
    near(&first.threshold, 0.875 * target.powf(1.0 / 1.5));
    assert_eq!(repaired.iter().count() as u64, repaired.rounds);
}

#[test]
fn an_input_at_its_target_makes_no_round_repaired_and_none_can_be_made_as_printed() {
    let mut i = inputs();
    i.loss_bound = 1e-12;
    let hypotheses = Hypotheses::check(i).unwrap();
    let undefined = hypotheses.schedule(Variant::Printed).map(|s| s.rounds);
    let undefined = undefined.expect_err("no round").to_string();
    assert!(undefined.starts_with("K = -") && undefined.ends_with("must be > 0 as printed"));
    let repaired = hypotheses.schedule(Variant::Repaired).unwrap();
    assert_eq!((repaired.rounds, repaired.iter().count()), (0, 0));
}
