//! Grids that contain the losses of positive probability.
//!
//! An atom of the loss between two grid points costs the lower end a first order of the step, and
//! atoms on the grid cost nothing: laws with finitely many outcomes are then composed exactly.

/// How much finer than its lattice a grid is made: atoms then lie on a grid point or a hair above it,
/// where moving them down costs no more than the hair. Eight roundings of a double are covered.
const HAIR: f64 = 8.0 * f64::EPSILON;

/// A number of which all `losses` are whole multiples up to rounding; the greatest of them if there is
/// no such number, and none if there is no positive one.
pub(crate) fn spacing(losses: impl Iterator<Item = f64>) -> Option<f64> {
    let finite: Vec<f64> = losses.filter(|x| x.is_finite()).collect();
    let greatest = finite.iter().copied().fold(0.0, f64::max);
    common_divisor(&finite).or((greatest > 0.0).then_some(greatest))
}

/// A step of at least `step` up to the hair, on which a lattice of the given spacing lies unless it is
/// itself finer.
pub(super) fn aligned(step: f64, spacing: f64) -> f64 {
    let cells = (spacing / step).floor();
    match cells >= 1.0 && cells.is_finite() {
        true => spacing / cells * (1.0 - HAIR),
        false => step,
    }
}

/// The greatest number of which all are multiples up to a rounding, by Euclid's algorithm.
fn common_divisor(losses: &[f64]) -> Option<f64> {
    const MOST: f64 = 1e6;
    let greatest = losses.iter().map(|x| x.abs()).fold(0.0, f64::max);
    let noise = 1e-9 * greatest;
    let mut divisor = 0.0;
    for loss in losses {
        let (mut a, mut b) = (loss.abs(), divisor);
        while b > noise {
            (a, b) = (b, (a - b * (a / b).round()).abs());
        }
        divisor = a.max(b);
    }
    let count = (greatest / divisor).round();
    if !(1.0..=MOST).contains(&count) {
        return None;
    }
    let divisor = greatest / count;
    let multiple = |x: &f64| (x - divisor * (x / divisor).round()).abs() <= 0.5 * HAIR * x.abs();
    losses.iter().all(multiple).then_some(divisor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lattice_of_multiples_is_found_and_aligned() {
        let a = 0.1f64.exp();
        let found = spacing([3.0 * a, -a, 0.0, 7.0 * a].into_iter()).unwrap();
        assert!((found / a - 1.0).abs() < 1e-15);
        for step in [0.01, 0.3, 1.1] {
            let fine = aligned(step, found);
            assert!(fine >= step * (1.0 - HAIR), "{fine}");
            let cells = a / fine;
            assert!(
                cells.round() <= cells && cells - cells.round() < 1e-10,
                "{cells}"
            );
        }
        assert_eq!(aligned(2.0 * a, found), 2.0 * a);
    }

    #[test]
    fn incommensurable_atoms_leave_the_greatest() {
        let root = 2f64.sqrt();
        assert_eq!(spacing([1.0, root].into_iter()), Some(root));
        assert_eq!(spacing([0.0].into_iter()), None);
        assert_eq!(spacing([].into_iter()), None);
    }
}
