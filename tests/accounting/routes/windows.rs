//! The parts of a lattice that are public: what a window misses counts as lost.

use dp_assay::accounting::mixture::{Component, Mixture, Pair};
use dp_assay::accounting::pld::compose::{Lane, compose};
use dp_assay::accounting::pld::lattice::{LatticeLaw, Side};
use dp_assay::accounting::pld::law::{GaussianLaw, LaplaceLaw, LossLaw, profile};
use dp_assay::accounting::pld::mixture_law::MixtureLaw;
use dp_assay::accounting::pld::sampled::{Direction, Sampled};

/// Twice Gaussian noise with μ, on windows of 2^`log` points from `start`.
fn lane(mu: f64, side: Side, start: i64) -> Lane {
    let law = LatticeLaw::new(&GaussianLaw { mu }, side, 0.01, (-600, 600), 0.0);
    Lane {
        parts: vec![(law, 2)],
        lambda: 2.0,
        start,
        shifts: (2.0, 2.0),
    }
}

#[test]
fn mass_above_or_below_a_window_is_never_forgotten() {
    let mu = 1.0 / 2f64.sqrt();
    let truth = |epsilon| profile(&GaussianLaw { mu: 1.0 }, epsilon);
    // From windows that hold all to windows that end below, or start above, the loss in question.
    for (start, len) in [
        (-1024, 2048),
        (-200, 256),
        (-128, 128),
        (-64, 256),
        (40, 128),
        (-512, 512),
    ] {
        for epsilon in [0.0, 0.5, 1.0, 1.5] {
            let above = compose(&lane(mu, Side::Above, start), len).delta(epsilon);
            assert!(
                above >= truth(epsilon).lo,
                "{start}, {len}: {above} at {epsilon}"
            );
            let below = compose(&lane(mu, Side::Below, start), len).delta(epsilon);
            assert!(
                below <= truth(epsilon).hi,
                "{start}, {len}: {below} at {epsilon}"
            );
        }
    }
    // And where all is held, little is added.
    let whole = compose(&lane(mu, Side::Above, -1024), 2048).delta(1.0);
    assert!(whole <= 1.01 * truth(1.0).hi, "{whole}");
}

/// One law on lattices that its atoms are not on: each side stays on its side of the profile.
#[test]
fn a_lattice_is_above_or_below_its_law_wherever_the_atoms_are() {
    for pure in [0.3, 1.0, 2.7] {
        let law = LaplaceLaw { pure };
        for step in [0.01, 0.037, 0.1] {
            for anchor in [0.0, 0.5 * step, pure] {
                let last = ((pure - anchor) / step).ceil() as i64 + 1;
                let first = ((-pure - anchor) / step).floor() as i64 - 1;
                let lattice =
                    |side| LatticeLaw::new(&law as &dyn LossLaw, side, step, (first, last), anchor);
                let (above, below) = (lattice(Side::Above), lattice(Side::Below));
                // δ(ε) = Σ m·(1 − e^{ε − loss})₊ + the infinite mass.
                let delta = |lattice: &LatticeLaw, epsilon: f64| {
                    let parts = lattice.masses.iter().enumerate().map(|(j, mass)| {
                        let loss = (lattice.first + j as i64) as f64 * step + lattice.offset;
                        mass * (-(epsilon - loss).exp_m1()).max(0.0)
                    });
                    parts.sum::<f64>() + lattice.infinite
                };
                let points = 40;
                for i in 0..=points {
                    let epsilon = pure * (2.2 * f64::from(i) / f64::from(points) - 1.1);
                    let truth = profile(&law, epsilon);
                    let (high, low) = (delta(&above, epsilon), delta(&below, epsilon));
                    let rounding = 1e-12;
                    let at = format!("ε₀ = {pure}, h = {step}, anchor {anchor}, at {epsilon}");
                    assert!(high >= truth.lo - rounding, "{at}: {high} below {truth:?}");
                    // For ε < 0 the lower law lacks what it lost, at most what the chords cut off.
                    if epsilon >= 0.0 {
                        assert!(low <= truth.hi + rounding, "{at}: {low} above {truth:?}");
                        assert!(high - low <= 0.6 * step, "{at}: [{low}, {high}]");
                    }
                }
            }
        }
    }
}

/// Mixtures and samples on lattices from below, of cells much narrower and much wider than the losses, with the node that is asked for and others, of
/// the whole support and of parts: nowhere above the profile, and with that node near to it: by the third part of what the cells
/// around are wide and hold, and a twentieth of a cell.
#[test]
fn a_lattice_of_densities_is_below_its_law_wherever_its_nodes_are() {
    let part = |shift, weight| Component { shift, weight };
    let draws = [part(0.0, 0.9), part(2.0, 0.09), part(4.0, 0.01)];
    let draws = Pair {
        sigma: 1.0,
        p: Mixture::new(&draws).expect("sums to 1"),
        q: Mixture::centred(),
    };
    let mixture = |pair| Box::new(MixtureLaw::new(pair).expect("ordered")) as Box<dyn LossLaw>;
    let sample = |mu, rate, direction| {
        let base = GaussianLaw { mu };
        let law = Sampled {
            base,
            rate,
            direction,
        };
        Box::new(law) as Box<dyn LossLaw>
    };
    use Direction::{Addition, Removal};
    let laws = [
        mixture(Pair::removal(0.01, 1.0)),
        mixture(Pair::addition(0.01, 1.0)),
        mixture(Pair::replacement(0.2, 0.7)),
        mixture(draws.clone()),
        mixture(draws.reversed()),
        sample(1.5, 2e-4, Removal),
        sample(1.5, 2e-4, Addition),
        sample(1.0, 0.1, Removal),
        sample(1.0, 0.1, Addition),
    ];
    for (which, law) in laws.iter().enumerate() {
        let law = law.as_ref();
        for step in [0.003, 0.05, 0.4, 2.0] {
            let node = law.gathered(step).expect("no atoms inside");
            for (anchor, reach) in [
                (node, 14.0),
                (node + 0.3 * step, 14.0),
                (law.anchor(), 14.0),
                (node, 2.5 * step),
                (node, 1.0),
            ] {
                let last = (reach / step) as i64 + 1;
                let lattice = LatticeLaw::new(law, Side::Below, step, (-last, last), anchor);
                assert!(lattice.masses.iter().all(|mass| *mass >= 0.0));
                for j in -60..=60 {
                    let epsilon = node + 0.25 * step * f64::from(j) + 1e-7 * f64::from(j * j);
                    let parts = (lattice.first..).zip(&lattice.masses).map(|(j, mass)| {
                        let loss = j as f64 * step + lattice.offset;
                        mass * (-(epsilon - loss).exp_m1()).max(0.0)
                    });
                    let (low, truth) = (parts.sum::<f64>(), profile(law, epsilon));
                    let at =
                        format!("law {which}, {step}, {anchor} of {node}, {reach}, at {epsilon}");
                    assert!(low <= truth.hi + 1e-13, "{at}: {low} above {truth:?}");
                    if anchor == node && reach > 10.0 && step < 1.0 {
                        let near = law.tails(epsilon - step).p - law.tails(epsilon + step).p;
                        let most = step * (0.3 * near + 0.05);
                        assert!(truth.lo - low <= most, "{at}: {low} of {truth:?}");
                    }
                }
            }
        }
    }
}
