//! The bounds of the methods under the KL condition against the formulas at the head of their file.

use super::*;
use crate::solver::kl::{Adaptive, Budget, Spider};
use crate::units::{Neighbouring, Rho};

/// Equal releases, and gradients that do not depend on the point: after a step points differ by the rounding of where they
/// are.
#[test]
fn a_large_point_is_known_up_to_its_own_rounding() {
    let (n, d, beta, variant) = (1000, 1, 0.1, Variant::Repaired);
    let constants = RiskConstants {
        records: n,
        dimension: d,
        lipschitz: 1.0,
        smoothness: 0.0,
    };
    let budget = Budget {
        rho: Rho::new(1.0).expect("positive"),
        neighbours: Neighbouring::ReplaceOne,
        variant,
    };
    let (lipschitz, smoothness) = (1.0, 1.0);
    let inputs = Adaptive {
        beta,
        lipschitz,
        smoothness,
    };
    let rule = inputs.rule(&budget, n, d).expect("in the domain");
    let kept = [Kept::Norm(0.9), Kept::Gradient(vec![0.9])];
    let adaptive = adaptive(constants, &rule, &[1e6], [&kept, &kept]);
    let inputs = Spider {
        beta,
        gamma: 1.0,
        kappa: 2.0,
        lipschitz,
        smoothness,
        loss_bound: 0.25,
    };
    let schedule = inputs.schedule(variant, budget.rho, n, d);
    let schedule = schedule.expect("in the domain");
    let kept = [Kept::Gradient(vec![9.0]), Kept::Difference(vec![0.0])];
    let spider = spider(constants, &schedule, variant, &[1e6], [&kept, &kept]);
    for found in [adaptive, spider].map(|found| found.expect("they are equal")) {
        assert_eq!((found.releases, found.tie), (2, false), "{found:?}");
        assert!(found.point >= 2.0 * U * 1e6, "{found:?}");
    }
}

const SHARP: RiskConstants = RiskConstants {
    records: 50,
    dimension: 2,
    lipschitz: 3.0,
    smoothness: 2.0,
};

/// G for ‖w‖ ≤ reach: (n + 64)·L₀ + (d + 2)·L₁·reach roundings.
fn rounding(reach: f64) -> f64 {
    U * (114.0 * 3.0 + 4.0 * 2.0 * reach) * SECOND_ORDER
}

fn close(found: f64, truth: f64) {
    assert!((found / truth - 1.0).abs() < 1e-9, "{found}, {truth}");
}

/// A gradient, a difference and their sum, by the formulas above; then each of them a little too far apart.
#[test]
fn a_round_of_spider_is_held_to_what_is_said_above() {
    close(SHARP.gradient_rounding(7.0), rounding(7.0));
    let budget = Rho::new(1.0).expect("positive");
    let inputs = Spider {
        beta: 0.1,
        gamma: 1.0,
        kappa: 2.0,
        lipschitz: 3.0,
        smoothness: 2.0,
        loss_bound: 0.25,
    };
    let schedule = inputs
        .schedule(Variant::Repaired, budget, 50, 2)
        .expect("in the domain");
    let step = schedule.iter().next().expect("a round").step;
    let (start, v, change) = ([6.0, 8.0], [3.0, 4.0], [0.5, -1.0]);
    // Of the first release at ‖w‖ = 10, then of the point, of the second release and of the estimate.
    let first = 2.0 * rounding(10.0) + 2.0 * U * 5.0;
    let moved = step * (2.0 * first / 10.0) + 2.0 * U * (8.0 * step + 10.0 + step);
    let point = moved * SECOND_ORDER;
    let reach = 10.0 + step * (1.0 + 10.0 * U);
    let length = 1.25_f64.sqrt();
    let second = 2.0 * point + 4.0 * rounding(reach) + 4.0 * U * 3.0 + 2.0 * U * length;
    let at = |apart: [f64; 2]| {
        let side = |apart: [f64; 2]| {
            [
                Kept::Gradient(vec![v[0] + apart[0], v[1]]),
                Kept::Difference(vec![change[0] + apart[1], change[1]]),
            ]
        };
        let (one, other) = (side([0.0; 2]), side(apart));
        spider(SHARP, &schedule, Variant::Repaired, &start, [&one, &other])
    };
    let found = at([0.0; 2]).expect("they are equal");
    assert_eq!((found.releases, found.closest, found.tie), (2, 0.0, false));
    close(found.point, point);
    // Numbers of this size have some 2⁻⁵¹ between them, the bounds are a hundred times as much.
    for (which, allowed) in [(0, first), (1, second)] {
        let apart = |part: f64| {
            let mut apart = [0.0; 2];
            apart[which] = part * allowed;
            at(apart)
        };
        let within = apart(0.97).expect("within the bound");
        assert!((0.94..1.0).contains(&within.closest), "{within:?}");
        let beyond = apart(1.03).expect_err("beyond the bound");
        let told = matches!(beyond, Disagreement::Apart { at, .. } if at == which);
        assert!(told, "{beyond:?}");
    }
    for (kept, place, kind) in [
        (vec![Kept::Norm(1.0)], 0, "a gradient"),
        (vec![Kept::Difference(v.to_vec())], 0, "a gradient"),
        (
            vec![Kept::Gradient(v.to_vec()), Kept::Gradient(v.to_vec())],
            1,
            "a difference",
        ),
    ] {
        let found = spider(SHARP, &schedule, Variant::Repaired, &start, [&kept, &kept]);
        assert_eq!(
            found,
            Err(Disagreement::Kind {
                at: place,
                expected: kind
            })
        );
    }
}

/// Gradients of the regularised descent, by the formulas above.
#[test]
fn a_call_of_the_regularised_descent_is_held_to_what_is_said_above() {
    let inputs = crate::solver::kl::Regularised {
        beta: 0.1,
        lipschitz: 3.0,
        weak_convexity: 0.5,
        length: Some(3),
    };
    let rule = inputs.rule(1.0, 50, 2).expect("in the domain");
    assert_eq!((rule.length, rule.radius), (3, 3.0));
    let start = [6.0, 8.0];
    let reach = |calls: f64| (10.0 + calls * 3.0) * (1.0 + 1e-9);
    let gradients = |count: usize| vec![Kept::Gradient(vec![3.0, 4.0]); count];
    let mut centre = 0.0;
    let bounds = |calls: f64, centre: f64| {
        let (mut offset, mut largest, mut drifts) = (0.0, 0.0_f64, Vec::new());
        for t in [1.0, 2.0] {
            let drift = 2.0 * (centre + offset) + 2.0 * rounding(reach(calls)) + 2.0 * U * 5.0;
            let terms = 2.0 / t * 5.0 + 12.0 + 2.0 * reach(calls);
            offset += (2.0 / t * drift + 2.0 * U * 16.0 * terms) * SECOND_ORDER;
            largest = largest.max(offset);
            drifts.push(drift);
        }
        let average = 2.0 * U * 20.0 * reach(calls) * SECOND_ORDER;
        (centre + largest + average, drifts)
    };
    for calls in [1, 2] {
        let kept = gradients(2 * calls as usize);
        let found = regularised(SHARP, &inputs, (&rule, calls), &start, [&kept, &kept]);
        let found = found.expect("they are equal");
        centre = (0..calls).fold(0.0, |centre, _| bounds(calls as f64, centre).0);
        close(found.point, centre);
        assert_eq!(found.releases, 2 * calls as usize);
    }
    assert!(centre > 0.0);
    let (_, drifts) = bounds(1.0, 0.0);
    let one = gradients(2);
    for (which, drift) in drifts.into_iter().enumerate() {
        let apart = |part: f64| {
            let mut other = one.clone();
            other[which] = Kept::Gradient(vec![3.0 + part * drift, 4.0]);
            regularised(SHARP, &inputs, (&rule, 1), &start, [&one, &other])
        };
        assert!(
            apart(0.97).is_ok() && apart(1.03).is_err(),
            "{which}: {drift}"
        );
    }
    let longer = gradients(3);
    let found = regularised(SHARP, &inputs, (&rule, 1), &start, [&longer, &longer]);
    assert_eq!(
        found,
        Err(Disagreement::Kind {
            at: 2,
            expected: "the end"
        })
    );
}

/// A norm and a gradient of the adaptive method, by the formulas above.
#[test]
fn a_step_of_the_adaptive_method_is_held_to_what_is_said_above() {
    let (rho, neighbours) = (Rho::new(1.0).expect("positive"), Neighbouring::ReplaceOne);
    let variant = Variant::Repaired;
    let budget = Budget {
        rho,
        neighbours,
        variant,
    };
    let inputs = Adaptive {
        beta: 0.1,
        lipschitz: 3.0,
        smoothness: 2.0,
    };
    let rule = inputs.rule(&budget, 50, 2).expect("in the domain");
    let (start, norm, v) = ([6.0, 8.0], 4.0, [3.0, 4.0]);
    let exact = 2.0 * rounding(10.0);
    let of_norm = exact + 2.0 * U * (4.0 * 3.0 + norm);
    let sigma = rule.gradient_deviation(norm);
    let scales = of_norm / rule.spread() + 8.0 * U * sigma;
    let drift = (exact + scales * (5.0 + 3.0) / sigma + 4.0 * U * 5.0) * SECOND_ORDER;
    let reach = 10.0 + rule.step * 5.0;
    let point = rule.step * drift + 2.0 * U * (reach + 2.0 * rule.step * 5.0);
    let at = |apart: [f64; 2]| {
        let side = |apart: [f64; 2]| {
            [
                Kept::Norm(norm + apart[0]),
                Kept::Gradient(vec![v[0] + apart[1], v[1]]),
            ]
        };
        let (one, other) = (side([0.0; 2]), side(apart));
        adaptive(SHARP, &rule, &start, [&one, &other])
    };
    let found = at([0.0; 2]).expect("they are equal");
    assert_eq!((found.releases, found.tie), (2, false));
    close(found.point, point);
    for (which, allowed) in [(0, of_norm), (1, drift)] {
        let apart = |part: f64| {
            let mut apart = [0.0; 2];
            apart[which] = part * allowed;
            at(apart)
        };
        assert!(
            apart(0.97).is_ok() && apart(1.03).is_err(),
            "{which}: {allowed}"
        );
    }
    let kept = [Kept::Difference(v.to_vec())];
    let found = adaptive(SHARP, &rule, &start, [&kept, &kept]);
    assert_eq!(
        found,
        Err(Disagreement::Kind {
            at: 0,
            expected: "a norm"
        })
    );
}
