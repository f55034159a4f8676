//! The derived bounds from below: they are met to a part that is not negligible, and each is the sum of roundings that it
//! is derived as. A bound that grows would let faults through that no other test looks for.

use super::problems::budget;
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::loss::{Huber, Linear};
use dp_assay::problem::risk::{Margins, Risk};
use dp_assay::problem::rows::{Matrix, norm};
use dp_assay::solver::kl::bound::{self, Agreement, Disagreement, Kept, RiskConstants};
use dp_assay::solver::kl::{
    Adaptive, Budget, Observation, Regularised, Run, RunError, Spider, Variant, optimized,
    reference,
};
use dp_assay::units::Neighbouring::ReplaceOne;

const U: f64 = 0.5 * f64::EPSILON;

fn kept(run: impl FnOnce(&mut dyn FnMut(Observation<'_>)) -> Result<Run, RunError>) -> Vec<Kept> {
    let mut kept = Vec::new();
    run(&mut |release| kept.push(Kept::from(release))).expect("proper inputs");
    kept
}

/// One record along the point, with its target on the margin: the gradient is the rounding of the margin, and products
/// summed one after another err to one side, by a fair part of the worst case.
#[test]
fn releases_come_to_within_a_hundredth_of_their_bounds() {
    let b = budget(1e12, ReplaceOne, Variant::Repaired);
    let mut closest = [0.0_f64; 3];
    for k in 0..12 {
        let (d, entry) = (64, 1e4 * (1.0 + 0.07 * f64::from(k)));
        let records = Matrix::new(d, vec![0.125; d], vec![8.0 * entry]).expect("finite");
        let risk = Margins::new(records, Huber::new(1.0).expect("positive"));
        let constants = RiskConstants {
            records: 1,
            dimension: d,
            lipschitz: 1.0,
            smoothness: 1.0,
        };
        // Not a number of few digits: its multiples have to round.
        let start = vec![entry * (1.0 + 1.0 / 3.0e6); d];
        let found = transcripts(&risk, constants, &b, &start);
        let sides = [0, 1, 2].map(|k: usize| [&found[k][0][..], &found[k][1][..]]);
        for (closest, found) in closest
            .iter_mut()
            .zip(compare(constants, &b, &start, sides))
        {
            *closest = closest.max(found.expect("within the bound").closest);
        }
    }
    eprintln!("KL Spider, adaptive, regularised: {closest:?}");
    assert!(
        closest.iter().all(|c| (0.01..=1.0).contains(c)),
        "{closest:?}"
    );
}

fn inputs(constants: RiskConstants) -> (Spider, Adaptive, Regularised) {
    let RiskConstants {
        lipschitz,
        smoothness,
        ..
    } = constants;
    // γ²L₁F₀^{1−2/κ} = 10⁻³ for κ = 2.
    let gamma = (1e-3 / smoothness).sqrt();
    let spider = Spider {
        beta: 0.1,
        gamma,
        kappa: 2.0,
        lipschitz,
        smoothness,
        loss_bound: 0.5 * (gamma * lipschitz).powi(2),
    };
    let adaptive = Adaptive {
        beta: 0.1,
        lipschitz,
        smoothness,
    };
    (
        spider,
        adaptive,
        Regularised {
            beta: 0.1,
            lipschitz,
            weak_convexity: 1.0,
            length: Some(3),
        },
    )
}

/// The transcripts of both solvers for the three algorithms. Of adaptive descent, which takes many steps, the first.
fn transcripts(
    risk: &dyn Risk,
    constants: RiskConstants,
    b: &Budget,
    start: &[f64],
) -> [[Vec<Kept>; 2]; 3] {
    let (spider, adaptive, regularised) = inputs(constants);
    let tape = Tape::new(2);
    let cut = |mut kept: Vec<Kept>| {
        kept.truncate(2);
        kept
    };
    [
        [
            kept(|o| reference::spider(risk, start, &spider, b, tape, o)),
            kept(|o| optimized::spider(risk, start, &spider, b, tape, o)),
        ],
        [
            cut(kept(|o| {
                reference::adaptive(risk, start, &adaptive, &small(b), false, tape, o)
            })),
            cut(kept(|o| {
                optimized::adaptive(risk, start, &adaptive, &small(b), false, tape, o)
            })),
        ],
        [
            kept(|o| reference::regularised(risk, start, &regularised, b, tape, o)),
            kept(|o| optimized::regularised(risk, start, &regularised, b, tape, o)),
        ],
    ]
}

/// Algorithm 3 takes up to n√ρ/2 steps.
fn small(b: &Budget) -> Budget {
    // n√ρ = 6 for n = 1: the last of the rounds has no gradient.
    budget(b.rho.get().min(36.0), b.neighbours, b.variant)
}

fn compare(
    constants: RiskConstants,
    b: &Budget,
    start: &[f64],
    sides: [[&[Kept]; 2]; 3],
) -> [Result<Agreement, Disagreement>; 3] {
    let (spider, adaptive, regularised) = inputs(constants);
    let (n, d) = (constants.records, constants.dimension);
    let schedule = spider.schedule(b.variant, b.rho, n, d).expect("proper");
    let rule = adaptive.rule(&small(b), n, d).expect("proper");
    let part = regularised.rule(b.rho.get(), n, d).expect("proper");
    [
        bound::spider(constants, &schedule, b.variant, start, sides[0]),
        bound::adaptive(constants, &rule, start, sides[1]),
        bound::regularised(constants, &regularised, (&part, 1), start, sides[2]),
    ]
}

/// What is allowed at a release: that release of one side is moved by 1, and the refusal says so.
fn allowed(
    constants: RiskConstants,
    b: &Budget,
    found: &[[Vec<Kept>; 2]; 3],
    algorithm: usize,
    at: usize,
) -> (f64, f64) {
    let mut moved = found.clone();
    let size = match &mut moved[algorithm][1][at] {
        Kept::Gradient(v) | Kept::Difference(v) => {
            v[0] += 1.0;
            norm(v)
        }
        Kept::Norm(x) => {
            *x += 1.0;
            x.abs()
        }
        Kept::Selected(_) => panic!("nothing to move"),
    };
    let before = match &found[algorithm][0][at] {
        Kept::Gradient(v) | Kept::Difference(v) => norm(v),
        Kept::Norm(x) => x.abs(),
        Kept::Selected(_) => 0.0,
    };
    let sides = [0, 1, 2].map(|k: usize| [&moved[k][0][..], &moved[k][1][..]]);
    match &compare(constants, b, &vec![0.0; constants.dimension], sides)[algorithm] {
        Err(Disagreement::Apart {
            at: place, allowed, ..
        }) if *place == at => (*allowed, size.max(before)),
        other => panic!("algorithm {algorithm}, release {at}: {other:?}"),
    }
}

/// G = u((n + 64)L₀ + (d + 2)L₁‖w‖) of each solver, and one rounding of the release; what is added for a difference, a norm and
/// the scale of its gradient is of the same order.
#[test]
fn what_is_allowed_at_a_release_is_the_sum_of_its_roundings() {
    let (n, d) = (200, 3);
    let records = Matrix::new(d, [2.0, 0.0, 0.0].repeat(n), vec![0.0; n]).expect("finite");
    let risk = Margins::new(records, Linear);
    let constants = RiskConstants {
        records: n,
        dimension: d,
        lipschitz: 2.0,
        smoothness: 1.0,
    };
    let b = budget(1e4, ReplaceOne, Variant::Repaired);
    let found = transcripts(&risk, constants, &b, &[0.0; 3]);
    let rounding = |reach: f64| U * ((200.0 + 64.0) * 2.0 + (3.0 + 2.0) * reach);
    let is = |algorithm: usize, at: usize, expected: &dyn Fn(f64) -> f64, most: f64| {
        let (allowed, size) = allowed(constants, &b, &found, algorithm, at);
        let ratio = allowed / expected(size);
        assert!(
            (0.99..most).contains(&ratio),
            "algorithm {algorithm}, release {at}: {ratio}"
        );
    };
    is(0, 0, &|size| 2.0 * rounding(0.0) + 2.0 * U * size, 1.01);
    if matches!(found[0][0].get(1), Some(Kept::Difference(_))) {
        is(
            0,
            1,
            &|size| 4.0 * rounding(1.0) + 4.0 * U * 2.0 + 2.0 * U * size,
            3.0,
        );
    } else {
        panic!("no difference: {:?}", found[0][0].len());
    }
    is(
        1,
        0,
        &|size| 2.0 * rounding(0.0) + 2.0 * U * (5.0 * 2.0 + size),
        1.01,
    );
    // The gradient's noise has a scale that follows the noisy norm.
    is(1, 1, &|size| 2.0 * rounding(0.0) + 6.0 * U * size, 20.0);
    is(2, 0, &|size| 2.0 * rounding(1.0) + 2.0 * U * size, 1.01);
}
