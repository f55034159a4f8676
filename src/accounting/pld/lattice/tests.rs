//! Lattices of laws that are known closely and roughly.

use super::super::discrete_law::DiscreteLaw;
use super::super::law::{GaussianLaw, Vague};
use super::super::sampled::{Direction, Sampled};
use super::*;
use crate::accounting::steady;

fn numbers(law: &LatticeLaw) -> Vec<f64> {
    let ends = [law.first as f64, law.masses.len() as f64, law.reach()];
    let rest = [law.infinite, law.offset, steady::mark(&law.masses)];
    [ends, rest].concat()
}

/// Of laws that are known closely and roughly, dense, gathered, with losses without end, from both
/// sides.
#[test]
fn lattices_are_what_they_were() {
    let mut found = Vec::new();
    let vague = |error: f64, slack: f64| {
        let law = GaussianLaw { mu: 0.8 };
        let law = Vague { law, error, slack };
        Box::new(law) as Box<dyn LossLaw>
    };
    let base = GaussianLaw { mu: 1.5 };
    let rate = 0.2;
    let laws: [Box<dyn LossLaw>; 6] = [
        vague(0.0, 0.0),
        vague(1e-3, 0.0),
        vague(1e-7, 3e-3),
        Box::new(DiscreteLaw::approximate(0.7, 1e-3)),
        Box::new(Sampled {
            base,
            rate,
            direction: Direction::Removal,
        }),
        Box::new(Sampled {
            base,
            rate,
            direction: Direction::Addition,
        }),
    ];
    for law in &laws {
        for side in [Side::Above, Side::Below] {
            for (step, ends, anchor) in [(0.05, (-70, 90), 0.0), (0.3, (-9, 400), 0.01)] {
                found.extend(numbers(&LatticeLaw::new(&**law, side, step, ends, anchor)));
            }
        }
    }
    let marks: Vec<f64> = found.chunks(12).map(steady::mark).collect();
    steady::holds(
        &marks,
        "8921168615559624.0 985435204948868.0 4510589427073002.0 2228188197268468.0
     3038907541042018.0 5075729159298505.0 4902231301584900.0 7903322128439868.0
     2267403330810003.0 696668439977264.0 6814802791086468.0 6761128609266715.0",
    );
}

/// What a threshold may be off by moves all losses up by twice as much from above, and down from
/// below.
#[test]
fn losses_are_moved_by_what_thresholds_are_off_by() {
    let (error, slack) = (1e-6, 1e-3);
    let law = Vague {
        law: GaussianLaw { mu: 1.0 },
        error,
        slack,
    };
    let of = |side| LatticeLaw::new(&law, side, 0.05, (-100, 100), 0.0);
    let (above, below) = (of(Side::Above), of(Side::Below));
    assert!(above.offset >= 2.0 * slack && above.offset <= 2.2 * slack);
    assert!(-below.offset >= slack + 4.0 * error && -below.offset <= 1.01 * slack);
    let whole: f64 = above.masses.iter().sum::<f64>() + above.infinite;
    assert!(whole >= 1.0, "{whole}");
    // Within the cells' split, which is over a width of 2r more.
    let exact = LatticeLaw::new(
        &GaussianLaw { mu: 1.0 },
        Side::Above,
        0.05,
        (-100, 100),
        0.0,
    );
    let beyond = |law: &LatticeLaw, j: usize| law.masses[j..].iter().sum::<f64>();
    for j in [60, 100, 130, 170] {
        assert!(beyond(&above, j) >= beyond(&exact, j), "{j}");
    }
}

#[test]
fn what_counts_for_nothing_is_left_out_from_below() {
    let lattice = |masses: Vec<f64>| LatticeLaw {
        side: Side::Below,
        step: 0.5,
        first: -3,
        masses,
        infinite: 0.25,
        offset: 0.0,
    };
    let mut found = Vec::new();
    for (few, orders, count) in [
        ((1e-6, 1e-6), (3.0, 20.0), 100),
        ((1e-6, 1e-6), (20.0, 3.0), 1),
        ((0.3, 0.2), (0.1, 0.1), 3),
        ((1e-9, 1e-9), (0.0, 0.0), 1000),
    ] {
        let masses = vec![1e-8, 1e-7, 0.1, 0.4, 0.2, 1e-4, 1e-7, 1e-9];
        let mut law = lattice(masses);
        let any = law.leave_out(few, orders, count);
        found.extend([
            f64::from(u8::from(any)),
            law.first as f64,
            law.last() as f64,
        ]);
    }
    steady::holds(&found, "1.0 -3.0 2.0 0.0 -3.0 4.0 1.0 0.0 4.0 0.0 -3.0 4.0");
    for (side, infinite) in [(Side::Above, 0.25f64.next_up()), (Side::Below, 0.25)] {
        let mut dusty = lattice(vec![0.1, 0.4, 1e-289, 1e-291]);
        dusty.side = side;
        dusty.drop_dust();
        assert_eq!((dusty.masses.len(), dusty.infinite), (3, infinite));
    }
}
