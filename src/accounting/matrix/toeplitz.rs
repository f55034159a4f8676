//! What the first steps of a Toeplitz matrix move, in one pass.

use super::Enclosure;

/// Most additions of which every sum is made anew, which loses the least digits.
const FEW: usize = 1 << 22;

/// ‖Σ_{i<k} c_{ib}‖².
pub(super) fn square_of_sum(list: &[f64], k: usize, b: usize) -> Enclosure {
    let zero = Enclosure::point(0.0);
    let mut sums: Vec<Enclosure> = Vec::with_capacity(list.len());
    let few = list.len().saturating_mul(k) <= FEW;
    let row = |row: usize, sums: &mut Vec<Enclosure>| {
        if few {
            let columns = (0..k).map_while(|i| row.checked_sub(i * b));
            return columns.fold(zero, |sum, lag| sum + list[lag]);
        }
        // Σ over all multiples of b, and from there on without the first of them.
        let before = row.checked_sub(b).map_or(zero, |at| sums[at]);
        sums.push(before + list[row]);
        let beyond = k.checked_mul(b).and_then(|all| row.checked_sub(all));
        beyond.map_or(sums[row], |at| sums[row] - sums[at])
    };
    let each = (0..list.len()).map(|at| row(at, &mut sums).square());
    // Below 0 by rounding alone.
    each.fold(zero, |total, square| total + square)
        .clamp(0.0, f64::INFINITY)
}

/// Σ_{i<k} ‖c_{ib}‖².
pub(super) fn sum_of_squares(list: &[f64], k: usize, b: usize) -> Enclosure {
    let mut norms = vec![Enclosure::point(0.0)];
    for (at, x) in list.iter().enumerate() {
        norms.push(norms[at] + Enclosure::point(*x).square());
    }
    let columns = (0..list.len()).step_by(b).take(k);
    let sum = columns.fold(Enclosure::point(0.0), |sum, column| {
        sum + norms[list.len() - column]
    });
    sum.clamp(0.0, f64::INFINITY)
}
