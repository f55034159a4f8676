//! Slopes of the excess risk against √d/(n√ρ). All scales of Algorithms 1 and 3 depend on n and ρ through n√ρ only,
//! so that n is held at 10 and ρ moved.

use super::problems::{budget, tilted};
use crate::parallel::on_all_cores;
use crate::stored::Stored;
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::risk::{Risk, Shape};
use dp_assay::solver::kl::optimized::{adaptive, spider};
use dp_assay::solver::kl::{Adaptive, Spider, Variant};
use dp_assay::units::Neighbouring::ReplaceOne;
use serde::{Deserialize, Serialize};

/// What the campaign keeps, and what repeats it.
const FILE: &str = "src/ledger/slopes.csv";
const COMMAND: &str = "cargo test --test papers campaign_of_slopes -- --ignored";

/// One mean of a campaign; `src/ledger/slopes.rs` lays the lines through them.
#[derive(Debug, Serialize, Deserialize)]
struct Point {
    method: String,
    family: String,
    /// The exponent that the theorem claims.
    claimed: f64,
    /// √d/(n√ρ).
    x: f64,
    /// The base of the bound of kl-thm-1, which has the logarithms.
    base: Option<f64>,
    excess: f64,
}

type Family = (&'static str, Shape, f64);

/// ψ with its radius: κ = 2 (convex, and not), 3/2 and 4/3.
const FAMILIES: [Family; 4] = [
    (
        "quadratic, gamma 0.71, kappa 2",
        Shape::Quadratic { mu: 1.0 },
        2.0,
    ),
    ("sine, gamma 1.69, kappa 2", Shape::Sine, 2.0),
    (
        "cubic, gamma 0.33, kappa 3/2",
        Shape::Power {
            scale: 1.0,
            tau: 3.0,
        },
        2.0,
    ),
    (
        "quartic, gamma 0.25, kappa 4/3",
        Shape::Power {
            scale: 1.0,
            tau: 4.0,
        },
        2.0,
    ),
];

fn mean_excess(runs: u64, run: impl Fn(Tape) -> f64 + Sync) -> f64 {
    let tapes: Vec<Tape> = (0..runs).map(|i| Tape::new(41).trial(i)).collect();
    let all = on_all_cores(&tapes, |tape| run(*tape));
    all.iter().sum::<f64>() / runs as f64
}

/// Algorithm 1 at n√ρ = 10^(5 + exponent/2).
fn of_spider((name, shape, radius): Family, exponent: i32) -> Point {
    let known = shape.known(0.0, radius).expect("sound");
    let risk = tilted(shape, 10, 2, 1.0, -1.0);
    let start = [0.9, 0.0];
    let inputs = Spider {
        beta: 0.1,
        gamma: known.gamma,
        kappa: known.kappa,
        lipschitz: known.lipschitz + 1.0,
        smoothness: known.smoothness.expect("smooth"),
        loss_bound: shape.value(&start),
    };
    let root = 10f64.powf(5.0 + 0.5 * f64::from(exponent));
    let b = budget(root * root / 100.0, ReplaceOne, Variant::Repaired);
    let schedule = inputs.schedule(b.variant, b.rho, 10, 2).expect("sound");
    let last = schedule.iter().last().expect("at least one round");
    Point {
        method: "KL Spider".to_owned(),
        family: name.to_owned(),
        claimed: known.kappa,
        x: 2f64.sqrt() / root,
        base: Some(last.target.powf(1.0 / known.kappa)),
        excess: mean_excess(20, |tape| {
            let run = spider(&risk, &start, &inputs, &b, tape, &mut |_| ());
            risk.value(&run.expect("within the region").point)
        }),
    }
}

/// Algorithm 3 where its first term leads: d = 20,000·1.35^exponent above n√ρ = 10⁴. Records are short, so that L₀ is that
/// of the shape, on the unit ball. Norms are then nearly free of noise, and five runs are enough.
fn of_adaptive((name, shape, radius): Family, exponent: i32) -> Point {
    let known = shape.known(0.0, 1.0).expect("sound");
    let inputs = Adaptive {
        beta: 0.1,
        // Noise lengthens iterates by a few hundredths.
        lipschitz: 1.2 * known.lipschitz + 0.01,
        smoothness: known.smoothness.expect("smooth"),
    };
    let b = budget(2.5e7, ReplaceOne, Variant::Repaired);
    let d = (2e4 * 1.35f64.powi(exponent)) as usize;
    let risk = tilted(shape, 2, d, 0.01, -0.01);
    let mut start = vec![0.0; d];
    start[0] = 1.0;
    let kappa = shape.known(0.0, radius).expect("sound").kappa;
    Point {
        method: "adaptive".to_owned(),
        family: name.to_owned(),
        claimed: 2.0 * kappa / (4.0 - kappa),
        x: (d as f64).sqrt() / 1e4,
        base: None,
        excess: mean_excess(5, |tape| {
            let run = adaptive(&risk, &start, &inputs, &b, false, tape, &mut |_| ());
            risk.value(&run.expect("within the region").point)
        }),
    }
}

const METHODS: [fn(Family, i32) -> Point; 2] = [of_spider, of_adaptive];

#[test]
#[ignore = "a campaign: its points are kept in src/ledger/slopes.csv, from which ledger and report draw slopes"]
fn campaign_of_slopes() {
    let mut stored = Stored::begin(FILE, COMMAND);
    for method in METHODS {
        for family in FAMILIES {
            for exponent in 0..7 {
                stored.push(method(family, exponent));
            }
        }
    }
}

/// The first point of every curve is measured again: a change of solver, noise, settings or test functions that moves it
/// makes the stored points stale. To 10⁻⁶, as another platform's sine may round otherwise; less moves no digit shown.
#[test]
fn the_stored_slopes_are_of_the_code_as_it_is() {
    let stored = Stored::<Point>::read(FILE);
    let curves = METHODS.iter().flat_map(|m| FAMILIES.map(|f| (*m, f)));
    assert_eq!(stored.rows.len(), 7 * curves.clone().count());
    let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-6;
    for ((method, family), kept) in curves.zip(stored.rows.iter().step_by(7)) {
        let now = method(family, 0);
        let same = (&now.method, &now.family) == (&kept.method, &kept.family)
            && close(now.claimed, kept.claimed)
            && close(now.x, kept.x)
            && now.base.zip(kept.base).is_none_or(|(a, b)| close(a, b))
            && now.base.is_some() == kept.base.is_some()
            && close(now.excess, kept.excess);
        assert!(
            same,
            "{now:?} is stored as {kept:?}: commit the code, then run `{COMMAND}`"
        );
    }
}

/// Fixed tapes: no false alarm. The excess of KL Spider on the quadratic is within the bound's constant and no better than
/// a hundredth of a hundredth of it, over four orders of magnitude of n√ρ.
//= kl-thm-1-repaired
#[test]
fn the_spiders_excess_follows_its_target_over_orders_of_magnitude() {
    for exponent in 0..7 {
        let Point {
            x, base, excess, ..
        } = of_spider(FAMILIES[0], exponent);
        let floor = base.expect("KL Spider's bound").powi(2);
        assert!(
            excess <= floor && excess > 1e-4 * floor,
            "{x}: {excess}, {floor}"
        );
    }
}

/// What lets ρ stand for n: the schedule at (n, ρ) is that at (2n, ρ/4).
#[test]
fn schedules_see_records_and_budget_through_one_number() {
    let inputs = Spider {
        beta: 0.1,
        gamma: 0.7,
        kappa: 1.5,
        lipschitz: 2.0,
        smoothness: 1.0,
        loss_bound: 0.5,
    };
    let schedule = |n, rho| {
        let b = budget(rho, ReplaceOne, Variant::Repaired);
        inputs.schedule(b.variant, b.rho, n, 3).expect("sound")
    };
    // Powers of two: not a bit changes.
    assert_eq!(schedule(1024, 4.0), schedule(2048, 1.0));
}
