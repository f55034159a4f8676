//! The integral behind report-noisy-max, piece by piece.

use super::TieRule;
use super::score::{Curve, ScoreLaw};
use crate::arith::quadrature::{Ellipse, GaussLegendre, Integrand};
use crate::arith::{Interval, PRECISION, Rational};

/// Relative accuracy asked of the quadrature on each sub-interval, in bits.
const ACCURACY: u32 = 72;

/// P\[k wins\] for every k.
pub(super) fn selection(laws: &[ScoreLaw], ties: TieRule) -> Vec<Interval> {
    let cuts = cuts(laws);
    let precision = precision(laws, &cuts);
    let first = &cuts[0];
    let last = &cuts[cuts.len() - 1];
    let end = last + upper_reach(laws);
    let mut parts = vec![left_tail(laws, first, precision)];
    parts.extend(cuts.iter().map(|x| atoms(laws, x, ties, precision)));
    let mut grid = cuts.clone();
    grid.push(end.clone());
    let scale = rough_total(laws, &grid, &parts, precision);
    let rule = GaussLegendre::at_precision(precision);
    for piece in grid.windows(2) {
        let between = Piece::new(laws, &piece[0], precision);
        if between.is_live() {
            parts.push(rule.integrate(&between, (&piece[0], &piece[1]), &scale, ACCURACY));
        }
    }
    parts.push(right_tail(laws, &end, precision));
    let component = |k: usize| parts.iter().map(|part| part[k].clone()).sum();
    (0..laws.len()).map(component).collect()
}

/// All breakpoints, ascending.
fn cuts(laws: &[ScoreLaw]) -> Vec<Rational> {
    let mut cuts: Vec<_> = laws.iter().flat_map(|l| l.breaks.iter().cloned()).collect();
    cuts.sort();
    cuts.dedup();
    cuts
}

/// Working precision: [`PRECISION`] bits for the noise of the smallest scale, however far from the
/// origin it sits.
fn precision(laws: &[ScoreLaw], cuts: &[Rational]) -> u32 {
    let rates = laws
        .iter()
        .flat_map(|l| l.pieces.iter().filter_map(|p| p.fastest()));
    let fastest = rates.max().unwrap_or_default();
    let farthest = cuts
        .iter()
        .map(|x| x.clone().abs())
        .max()
        .unwrap_or_default();
    let ratio = (fastest * farthest).ceil().numer().significant_bits();
    (PRECISION + ratio.saturating_sub(16)).next_multiple_of(64)
}

/// How far beyond the last breakpoint every score has fallen below 2⁻¹⁰⁰ with room to spare.
fn upper_reach(laws: &[ScoreLaw]) -> Rational {
    let rates = laws
        .iter()
        .filter_map(|l| l.pieces[l.pieces.len() - 1].slowest());
    match rates.min() {
        Some(rate) => Rational::from(80) / rate,
        None => Rational::from(1),
    }
}

/// Contribution of (−∞, x₀), where every distribution function is 0 or a multiple of an
/// exponential: Π G_l(x₀) · rate_k / Σ rates.
fn left_tail(laws: &[ScoreLaw], first: &Rational, precision: u32) -> Vec<Interval> {
    let nothing = vec![zero(); laws.len()];
    if laws.iter().any(|l| l.pieces[0].is_zero()) {
        return nothing;
    }
    let product = product(laws.iter().map(|l| l.below(first, precision)));
    let rates: Option<Vec<_>> = laws.iter().map(|l| l.pieces[0].pure_growth()).collect();
    let Some(rates) = rates else {
        // Not of that form: all that is known is that the share is at most P[all scores < x₀].
        let share = zero().hull(&product);
        return vec![share; laws.len()];
    };
    let total: Rational = rates.iter().copied().sum();
    let share =
        |rate: &&Rational| Interval::rational_at(&Rational::from(*rate / &total), precision);
    rates.iter().map(|rate| &share(rate) * &product).collect()
}

/// Contribution of (end, ∞): P\[S_k > end\] times something between Π_{l≠k} G_l(end) and 1.
fn right_tail(laws: &[ScoreLaw], end: &Rational, precision: u32) -> Vec<Interval> {
    let one = Interval::from(1);
    let below: Vec<_> = laws.iter().map(|l| l.up_to(end, precision)).collect();
    let others = products_of_others(&below);
    laws.iter()
        .zip(&others)
        .map(|(l, rest)| &l.above(end, precision).max(&zero()) * &rest.hull(&one))
        .collect()
}

/// Contribution of scores equal to x.
fn atoms(laws: &[ScoreLaw], x: &Rational, ties: TieRule, precision: u32) -> Vec<Interval> {
    let mass: Vec<_> = laws.iter().map(|l| l.mass(x, precision)).collect();
    if mass.iter().all(|m| m.hi().is_zero()) {
        return vec![zero(); laws.len()];
    }
    let below: Vec<_> = laws.iter().map(|l| l.below(x, precision)).collect();
    let up_to: Vec<_> = laws.iter().map(|l| l.up_to(x, precision)).collect();
    let wins = |k: usize| match ties {
        TieRule::SmallestIndex => {
            &product(below[..k].iter().cloned()) * &product(up_to[k + 1..].iter().cloned())
        }
        TieRule::Uniform => uniform_tie(k, &below, &mass),
    };
    (0..laws.len()).map(|k| &mass[k] * &wins(k)).collect()
}

/// E\[1/(1 + number of others tied with k); no other is above\]
/// = ∫₀¹ Π_{l≠k} (below_l + u · mass_l) du, a polynomial in u integrated term by term.
fn uniform_tie(k: usize, below: &[Interval], mass: &[Interval]) -> Interval {
    let mut polynomial = vec![Interval::from(1)];
    for l in (0..below.len()).filter(|l| *l != k) {
        let mut next: Vec<_> = polynomial.iter().map(|c| c * &below[l]).collect();
        next.push(zero());
        for (slot, c) in next[1..].iter_mut().zip(&polynomial) {
            *slot = &*slot + &(c * &mass[l]);
        }
        polynomial = next;
    }
    let integrate = |(j, c): (i64, &Interval)| c / &Interval::from(j + 1);
    (0..).zip(&polynomial).map(integrate).sum()
}

/// Lower bounds of the P_k: what is `known` already, and monotone sums over the pieces each cut in
/// 64.
fn rough_total(
    laws: &[ScoreLaw],
    grid: &[Rational],
    known: &[Vec<Interval>],
    precision: u32,
) -> Vec<Interval> {
    const PARTS: u32 = 64;
    let known = |k: usize| known.iter().map(|part| part[k].clone()).sum();
    let mut total: Vec<Interval> = (0..laws.len()).map(known).collect();
    for piece in grid.windows(2) {
        let between = Piece::new(laws, &piece[0], precision);
        if !between.is_live() {
            continue;
        }
        let step = Rational::from(&piece[1] - &piece[0]) / PARTS;
        let node = |i: u32| &piece[0] + Rational::from(&step * i);
        for i in 0..PARTS {
            let part = between.rough(&node(i), &node(i + 1));
            for (sum, share) in total.iter_mut().zip(&part) {
                *sum = &*sum + &Interval::point(share.lo().clone());
            }
        }
    }
    let floor = |x: &Interval| Interval::point(x.lo().clone()).max(&zero());
    total.iter().map(floor).collect()
}

fn zero() -> Interval {
    Interval::from(0)
}

fn product(factors: impl Iterator<Item = Interval>) -> Interval {
    factors.fold(Interval::from(1), |all, x| &all * &x)
}

/// Π_{l≠k} x_l for every k, by products from both sides.
fn products_of_others(x: &[Interval]) -> Vec<Interval> {
    let mut after = vec![Interval::from(1); x.len()];
    for k in (1..x.len()).rev() {
        after[k - 1] = &after[k] * &x[k];
    }
    let mut before = Interval::from(1);
    let mut others = Vec::with_capacity(x.len());
    for (factor, after) in x.iter().zip(&after) {
        others.push(&before * after);
        before = &before * factor;
    }
    others
}

/// The integrands g_k Π_{l≠k} G_l between two neighbouring breakpoints.
struct Piece {
    curves: Vec<Curve>,
    live: bool,
    precision: u32,
}

impl Piece {
    fn new(laws: &[ScoreLaw], start: &Rational, precision: u32) -> Self {
        let pieces = laws.iter().map(|l| &l.pieces[l.piece_from(start)]);
        Self {
            live: pieces.clone().all(|p| !p.is_zero()),
            curves: pieces.map(|p| p.compile(precision)).collect(),
            precision,
        }
    }

    /// Whether the maximum can fall here at all: no score is certainly larger.
    const fn is_live(&self) -> bool {
        self.live
    }
}

impl Integrand for Piece {
    fn components(&self) -> usize {
        self.curves.len()
    }

    fn at(&self, x: &Interval) -> Vec<Interval> {
        let (values, slopes): (Vec<_>, Vec<_>) = self.curves.iter().map(|c| c.at(x)).unzip();
        let others = products_of_others(&values);
        slopes
            .iter()
            .zip(&others)
            .map(|(g, rest)| g * rest)
            .collect()
    }

    fn modulus(&self, ellipse: &Ellipse) -> Option<Vec<Interval>> {
        let bounds = self.curves.iter().map(|c| c.moduli(&ellipse.real));
        let (values, slopes): (Vec<_>, Vec<_>) = bounds.unzip();
        let others = products_of_others(&values);
        Some(
            slopes
                .iter()
                .zip(&others)
                .map(|(g, rest)| g * rest)
                .collect(),
        )
    }

    /// (G_k(b) − G_k(a)) · \[Π G_l(a), Π G_l(b)\]: distribution functions increase.
    fn rough(&self, a: &Rational, b: &Rational) -> Vec<Interval> {
        let at = |x: &Rational| {
            let x = Interval::rational_at(x, self.precision);
            let values = self.curves.iter().map(|c| c.at(&x).0.max(&zero()));
            values.collect::<Vec<_>>()
        };
        let (low, high) = (products_of_others(&at(a)), products_of_others(&at(b)));
        let [a, b] = [a, b].map(|x| Interval::rational_at(x, self.precision));
        let share = |k: usize| {
            let gain = self.curves[k].increase(&a, &b).max(&zero());
            &gain * &low[k].hull(&high[k])
        };
        (0..low.len()).map(share).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::ratio;
    use crate::privacy::selection::{Affine, LevelSets};

    fn laplace(y: (i64, u64), b: (i64, u64)) -> ScoreLaw {
        ScoreLaw::laplace(&ratio(y.0, y.1), &ratio(b.0, b.1))
    }

    /// Cuts are where any law has a break, once each and ascending.
    #[test]
    fn pieces_begin_at_all_breaks() {
        let laws = [
            laplace((3, 1), (1, 1)),
            laplace((-2, 1), (1, 4)),
            laplace((3, 1), (2, 1)),
        ];
        let (all, last) = (cuts(&laws), upper_reach(&laws));
        assert_eq!(all, [ratio(-2, 1), ratio(3, 1)]);
        // The slowest falls by e in 2.
        assert_eq!(last, ratio(160, 1));
        assert_eq!(upper_reach(&[ScoreLaw::point(&ratio(0, 1))]), ratio(1, 1));
    }

    /// Sixteen bits of distance over scale are free, what is more is added, in words of 64 bits.
    #[test]
    fn digits_are_as_many_as_distance_over_scale_needs() {
        let at = |y: i64, scale: u32| {
            let laws = [laplace((y, 1), (1, 1 << scale)), laplace((0, 1), (9, 1))];
            precision(&laws, &cuts(&laws))
        };
        let far = -(1 << 20);
        for (found, more) in [
            (at(0, 0), 0),
            (at(1, 15), 0),
            (at(1, 16), 64),
            (at(far, 59), 64),
            (at(far, 60), 128),
        ] {
            assert_eq!(found, PRECISION + more);
        }
    }

    /// Monotone sums over 64 parts of each piece are below what they are of, and not far.
    #[test]
    fn a_rough_total_is_a_little_less_than_the_truth() {
        let laws = [
            laplace((0, 1), (1, 1)),
            laplace((1, 1), (2, 1)),
            laplace((-3, 2), (1, 2)),
        ];
        let cuts = cuts(&laws);
        let mut grid = cuts.clone();
        grid.push(&cuts[cuts.len() - 1] + ratio(6, 1));
        let none = vec![vec![zero(); 3]];
        let rough = rough_total(&laws, &grid, &none, PRECISION);
        // The integrand, summed in doubles: F and f of y + Lap(b).
        let parts = [(0.0, 1.0), (1.0, 2.0), (-1.5, 0.5f64)];
        let below = |x: f64, (y, b): (f64, f64)| {
            let tail = 0.5 * (-(x - y).abs() / b).exp();
            if x < y { tail } else { 1.0 - tail }
        };
        let (from, to) = (grid[0].to_f64(), grid[grid.len() - 1].to_f64());
        let h = (to - from) / 50_000.0;
        for k in 0..3 {
            let at = |i: i32| {
                let x = from + (f64::from(i) + 0.5) * h;
                let (y, b) = parts[k];
                let others = (0..3).filter(|l| *l != k).map(|l| below(x, parts[l]));
                h * 0.5 / b * (-(x - y).abs() / b).exp() * others.product::<f64>()
            };
            let truth: f64 = (0..50_000).map(at).sum();
            let found = rough[k].hi_f64();
            assert!(
                found < truth && found > 0.93 * truth,
                "{k}: {found}, {truth}"
            );
            assert_eq!(rough[k].lo(), rough[k].hi());
        }
        let known = vec![
            vec![Interval::from(1); 3],
            vec![Interval::between(2.0, 3.0); 3],
        ];
        let more = rough_total(&laws, &grid, &known, PRECISION);
        for (more, rough) in more.iter().zip(&rough) {
            assert!((more.lo_f64() - rough.lo_f64() - 3.0).abs() < 1e-15);
        }
    }

    /// Beyond both ends: all of the first law that is left of every cut, whichever way it is known, and what is right of
    /// the last.
    #[test]
    fn what_lies_beyond_the_ends_is_enclosed() {
        let laws = [laplace((0, 1), (1, 1)), laplace((0, 1), (1, 2))];
        // ½eˣ and ½e²ˣ: ∫ ½eˣ·½e²ˣ = e³ˣ/12 from −∞ to −1.
        let found = left_tail(&laws, &ratio(-1, 1), PRECISION);
        let cube = (-3f64).exp() / 12.0;
        for (found, share) in found.iter().zip([cube, 2.0 * cube]) {
            assert!((found.hi_f64() - share).abs() < 1e-15 && found.width() < 1e-30);
        }
        assert!(
            left_tail(
                &[laplace((0, 1), (1, 1)), ScoreLaw::point(&ratio(9, 1))],
                &ratio(-1, 1),
                PRECISION
            )
            .iter()
            .all(|share| share.hi().is_zero())
        );
        // −S for the sets [−x/2, x] has no rate of its own: nothing is known but that both are below.
        let line = |slope| Some(Affine::new(slope, Rational::new()));
        let sets = LevelSets {
            first: Some(Rational::new()),
            later: vec![],
            pieces: vec![(line(ratio(-1, 2)), line(ratio(1, 1)))],
        };
        let one = ratio(1, 1);
        let odd = [
            ScoreLaw::of(&sets, &ratio(0, 1), &one).negated(),
            laplace((0, 1), (1, 1)),
        ];
        let all = 0.25 * (-1f64).exp() * ((-0.5f64).exp() + (-1f64).exp());
        for share in left_tail(&odd, &-one, PRECISION) {
            assert!(
                share.lo().is_zero() && (share.hi_f64() - all).abs() < 1e-15,
                "{share}"
            );
        }
        // P[S > 2] times something from the other's G(2) to 1.
        let right = right_tail(&laws, &ratio(2, 1), PRECISION);
        let above = [0.5 * (-2f64).exp(), 0.5 * (-4f64).exp()];
        for (k, share) in right.iter().enumerate() {
            let least = above[k] * (1.0 - above[1 - k]);
            assert!((share.lo_f64() - least).abs() < 1e-15, "{share}");
            assert!((share.hi_f64() - above[k]).abs() < 1e-15, "{share}");
        }
    }
}
