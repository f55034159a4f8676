//! Arbitrary inputs to all KL solvers: the same refusals, the same decisions, releases within the derived bound, and
//! repaired runs within their budget.
#![no_main]
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::{loss::Logistic, risk::Margins, rows::Matrix};
use dp_assay::solver::kl::{bound::*, *};
use dp_assay::units::{Neighbouring::*, Rho};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, [f64; 6], [f64; 2], Vec<f64>)| {
    let (kind, [gamma, kappa, beta, bound, l1, rho], start, data) = input;
    let n = (data.len() / 2).min(20);
    // Records of norm at most 1, for which L₀ = 1 and L₁ = 1/4 hold.
    let values = data[..2 * n].iter().map(|x| x % 0.7 + 0.0).collect();
    let targets = (0..n)
        .map(|i| if i % 2 == 0 { 1.0 } else { -1.0 })
        .collect();
    let (Ok(records), Ok(rho)) = (
        Matrix::new(2, values, targets),
        Rho::new(rho.abs().min(1e6)),
    ) else {
        return;
    };
    let risk = Margins::new(records, Logistic);
    let neighbours = [ReplaceOne, ZeroOut, AddRemove][usize::from(kind) % 3];
    let variant = [Variant::Printed, Variant::Repaired][usize::from(kind / 4) % 2];
    let (budget, tape) = (
        Budget {
            rho,
            neighbours,
            variant,
        },
        Tape::new(7),
    );
    let (start, smoothness) = (start.map(|x| x % 100.0), l1.max(0.25));
    let constants = RiskConstants {
        records: n,
        dimension: 2,
        lipschitz: 1.0,
        smoothness,
    };
    let (spider, adaptive, descent) = (
        Spider {
            beta,
            gamma,
            kappa,
            lipschitz: 1.0,
            smoothness,
            loss_bound: bound,
        },
        Adaptive {
            beta,
            lipschitz: 1.0,
            smoothness,
        },
        Regularised {
            beta,
            lipschitz: 1.0,
            weak_convexity: bound,
            length: Some(u64::from(kind)),
        },
    );
    let schedule = spider.schedule(variant, rho, n, 2);
    // Runs of more than some thousand releases are the clock's business.
    let steps = |s: &Schedule| s.rounds < 300 && s.iter().all(|r| r.length < 20.0);
    let run = |fast: bool| {
        let mut kept = Vec::new();
        let keep = &mut |release: Observation<'_>| kept.push(Kept::from(release));
        let ended = match (kind % 8, fast) {
            (0..=2, false) => reference::spider(&risk, &start, &spider, &budget, tape, keep),
            (0..=2, true) => optimized::spider(&risk, &start, &spider, &budget, tape, keep),
            (3..=5, false) => {
                reference::adaptive(&risk, &start, &adaptive, &budget, false, tape, keep)
            }
            (3..=5, true) => {
                optimized::adaptive(&risk, &start, &adaptive, &budget, false, tape, keep)
            }
            (_, false) => reference::regularised(&risk, &start, &descent, &budget, tape, keep),
            (_, true) => optimized::regularised(&risk, &start, &descent, &budget, tape, keep),
        };
        (ended, kept)
    };
    let long = kind % 8 < 3 && schedule.as_ref().is_ok_and(|s| !steps(s));
    if long || n as f64 * rho.get().sqrt() > 1e4 {
        return;
    }
    let ((slow, a), (fast, b)) = (run(false), run(true));
    assert_eq!(slow.as_ref().err().is_some(), fast.as_ref().err().is_some());
    let (Ok(slow), Ok(fast)) = (slow, fast) else {
        return;
    };
    for run in [&slow, &fast] {
        assert!(
            variant == Variant::Printed || run.spent_upper <= rho.get(),
            "overspent"
        );
    }
    // Where scales leave the doubles there is nothing to measure.
    let finite = |kept: &Kept| match kept {
        Kept::Gradient(v) | Kept::Difference(v) => v.iter().all(|x| x.is_finite()),
        Kept::Norm(x) => x.is_finite(),
        Kept::Selected(_) => true,
    };
    if !a.iter().chain(&b).all(finite) {
        return;
    }
    let found = match kind % 8 {
        0..=2 => bound::spider(constants, &schedule.unwrap(), variant, &start, [&a, &b]),
        3..=5 => bound::adaptive(
            constants,
            &adaptive.rule(&budget, n, 2).unwrap(),
            &start,
            [&a, &b],
        ),
        _ => {
            let rule = descent.rule(rho.get(), n, 2).unwrap();
            bound::regularised(constants, &descent, (&rule, 1), &start, [&a, &b])
        }
    };
    found.expect("one algorithm on one tape");
});
