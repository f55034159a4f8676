//! A rough law of every part's loss, for planning only.

use super::Part;
use crate::arith::{Interval, PRECISION};
use rug::Float;

/// ln of the share of tilted mass that may lie outside the window.
pub(super) const OUTSIDE: f64 = -27.0;

/// Nodes of a rough law: on each side of 0 with growing distance, and evenly spaced.
const GROWING: i32 = 250;
const EVEN: i32 = 500;

/// Largest |loss| that is looked at.
const LIMIT: f64 = 1e12;

/// Resolved ranges and log-moments of all parts.
pub(super) struct Sketch {
    curves: Vec<LogMoment>,
}

impl Sketch {
    /// Rough laws that matter where the composed δ is `share` or more.
    pub(super) fn new(parts: &[Part<'_>], share: &Float) -> Self {
        let total: f64 = parts.iter().map(|p| p.times as f64).sum();
        let curve = |part| LogMoment::new(part, range(part, share, total));
        Self {
            curves: parts.iter().map(curve).collect(),
        }
    }

    /// ln of the composed moment E e^(order · S).
    pub(super) fn kappa(&self, order: f64) -> f64 {
        self.curves.iter().map(|c| c.times * c.at(order)).sum()
    }

    /// The range of each part's losses, cut below where all that is left may be moved to the cut
    /// without changing the tilted law by more than a share e^OUTSIDE over all steps.
    pub(super) fn ranges_that_matter(&self, tilt: f64) -> Vec<(f64, f64)> {
        let cut = |c: &LogMoment| (c.lowest_that_matters(tilt), c.range.1);
        self.curves.iter().map(cut).collect()
    }
}

/// Losses outside of which the part's mass does not matter where the δ of `total` parts is `share`.
pub(super) fn range(part: &Part<'_>, share: &Float, total: f64) -> (f64, f64) {
    let at = |e: f64| part.pair.delta_and_fall(&Interval::from_f64(e));
    let small = share.clone() * 1e-10 / total;
    let ends_right = |e: f64| {
        let (delta, fall) = at(e);
        let left = &Interval::from_f64(e).exp() * &fall;
        *delta.hi() <= small || *left.hi() <= small
    };
    let ends_left = |e: f64| {
        let (delta, fall) = at(-e);
        let above = &delta + &(&Interval::from_f64(-e).exp() * &fall);
        let below = &Interval::from(1) - &above;
        below.hi().to_f64() <= 1e-18 / total
    };
    let high = match ends_right(0.0) {
        true => first(|e| !ends_right(-e)).map(|e| -e),
        false => first(ends_right),
    };
    (-first(ends_left).unwrap_or(LIMIT), high.unwrap_or(LIMIT))
}

/// Roughly the least e > 0 from which on `end` holds.
fn first(end: impl Fn(f64) -> bool) -> Option<f64> {
    let mut hi = 1e-9;
    while !end(hi) {
        hi *= 2.0;
        if hi > LIMIT {
            return None;
        }
    }
    let mut lo = hi / 2.0;
    // A greatest loss of positive probability is found to 10⁻⁹ of itself.
    for _ in 0..30 {
        let middle = 0.5 * (lo + hi);
        if end(middle) {
            hi = middle;
        } else {
            lo = middle;
        }
    }
    Some(hi)
}

/// t ↦ ln Σ P_i e^(t ε_i) on rough nodes.
struct LogMoment {
    times: f64,
    range: (f64, f64),
    /// Losses, and logarithms of their masses.
    atoms: Vec<(f64, f64)>,
}

impl LogMoment {
    /// Between two nodes all mass is moved to them so that the masses under P and Q are kept.
    fn new(part: &Part<'_>, range: (f64, f64)) -> Self {
        let mut atoms = Vec::new();
        let mut note = |loss: f64, mass: &Float| {
            if *mass > 0 {
                atoms.push((loss, mass.clone().ln().to_f64()));
            }
        };
        let float = |x: &Interval| x.lo().clone().max(&Float::new(PRECISION));
        let tails = |loss: f64| {
            let (delta, fall) = part.pair.delta_and_fall(&Interval::from_f64(loss));
            (&delta + &(&Interval::from_f64(loss).exp() * &fall), fall)
        };
        let mut before = tails(range.0);
        note(range.0, &float(&(&Interval::from(1) - &before.0)));
        for cell in nodes(range).windows(2) {
            let after = tails(cell[1]);
            let p = float(&(&before.0 - &after.0));
            let q = &(&before.1 - &after.1) * &Interval::from_f64(cell[0]).exp();
            let share = -&Interval::from_f64(cell[0] - cell[1]).exp_m1();
            let upper = float(&(&(&Interval::point(p.clone()) - &q) / &share)).min(&p);
            note(cell[0], &Float::with_val(PRECISION, &p - &upper));
            note(cell[1], &upper);
            before = after;
        }
        Self {
            times: part.times as f64,
            range,
            atoms,
        }
    }

    fn lowest_that_matters(&self, tilt: f64) -> f64 {
        let whole = self.at(tilt);
        let mut mass = 0.0;
        let mut lowest = self.range.0;
        for (loss, log) in &self.atoms {
            mass += log.exp();
            if mass.ln() + tilt * loss - whole > OUTSIDE - self.times.ln() {
                break;
            }
            lowest = *loss;
        }
        lowest
    }

    fn at(&self, order: f64) -> f64 {
        let terms = self.atoms.iter().map(|(loss, log)| order * loss + log);
        let most = terms.clone().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = terms.map(|t| (t - most).exp()).sum();
        most + sum.ln()
    }
}

/// Increasing losses from one end of the range to the other: near 0, where most losses of a sampled
/// mechanism are, at distances that grow geometrically, elsewhere evenly spaced.
fn nodes((low, high): (f64, f64)) -> Vec<f64> {
    let reach = low.abs().max(high.abs());
    let growing =
        |j: i32| reach * (f64::from(j) * 0.05).sinh() / (f64::from(GROWING) * 0.05).sinh();
    let even = |j: i32| low + (high - low) * f64::from(j) / f64::from(EVEN);
    let mut nodes: Vec<f64> = (-GROWING..=GROWING).map(growing).collect();
    nodes.extend((1..EVEN).map(even));
    nodes.retain(|x| low < *x && *x < high);
    nodes.extend([low, high]);
    nodes.sort_by(f64::total_cmp);
    nodes.dedup();
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::normal::upper_tail;
    use crate::privacy::gaussian::Gdp;
    use crate::privacy::pld::pair::LossPair;

    fn gaussian(mu: f64) -> Gdp {
        Gdp::new(Interval::from_f64(mu)).expect("a positive number")
    }

    fn share(x: f64) -> Float {
        Float::with_val(PRECISION, x)
    }

    /// ln E e^(tL) = μ²t(t + 1)/2 of a Gaussian pair, each part as often as it is made; of large orders, too.
    #[test]
    fn log_moments_are_those_of_the_losses() {
        let (one, other) = (gaussian(1.0), gaussian(0.25));
        let part = |pair, times| Part { pair, times };
        let parts = [part(&one as &dyn LossPair, 3), part(&other, 40)];
        let sketch = Sketch::new(&parts, &share(1e-9));
        for order in [0.0f64, 0.5, 1.0, 3.0, 5.0] {
            let truth = (3.0 + 40.0 / 16.0) * order * (order + 1.0) / 2.0;
            let found = sketch.kappa(order);
            assert!(
                (found - truth).abs() < 2e-3 * (1.0 + truth),
                "{order}: {found} for {truth}"
            );
        }
        assert!(sketch.kappa(1e4).is_finite());
    }

    /// What lies outside of a range is little, and no more would be outside of a narrower one.
    #[test]
    fn ranges_end_where_what_is_left_does_not_matter() {
        for (mu, total, least) in [(1.0, 1.0, 1e-5), (0.1, 50.0, 1e-9), (3.0, 2.0, 1e-2)] {
            let pair = gaussian(mu);
            let part = Part {
                pair: &pair,
                times: 1,
            };
            let (low, high) = range(&part, &share(least), total);
            let above = |e: f64| {
                let (delta, fall) = pair.delta_and_fall(&Interval::from_f64(e));
                delta.hi_f64().min(e.exp() * fall.hi_f64())
            };
            let small = least * 1e-10 / total;
            assert!(above(high) <= small * 1.000_001, "{mu}: {high}");
            assert!(above(high - 1e-6 * high.abs()) > small, "{mu}: {high}");
            // P[L ≤ e] for L of mean μ²/2 and deviation μ.
            let below = |e: f64| upper_tail(&Interval::from_f64(mu / 2.0 - e / mu)).hi_f64();
            let small = 1e-18 / total;
            assert!(
                below(low) <= small * 1.001 && below(low + 1e-3 * low.abs()) > small,
                "{mu}: {low}"
            );
        }
    }

    /// What is lost for certain does not keep a range open: it ends at the greatest finite loss.
    #[test]
    fn infinite_losses_are_in_no_range() {
        let law = |x: [f64; 3]| x.map(Interval::from_f64).to_vec();
        for (p, q, ends) in [
            ([0.5, 0.5, 0.0], [0.0, 1.0, 0.0], [-2f64.ln(), -2f64.ln()]),
            (
                [0.25, 0.5, 0.25],
                [0.0, 0.25, 0.75],
                [-3f64.ln(), 2f64.ln()],
            ),
        ] {
            let pair = crate::privacy::FinitePair::new(law(p), law(q)).expect("of one length");
            let part = Part {
                pair: &pair,
                times: 1,
            };
            let (low, high) = range(&part, &share(1e-5), 1.0);
            let near = (low - ends[0]).abs() < 1e-8 && (high - ends[1]).abs() < 1e-8;
            assert!(near, "{low}, {high}: {ends:?}");
        }
    }

    /// Of a pair that hardly tells its laws apart, no loss away from 0 matters.
    #[test]
    fn what_never_matters_has_a_short_range() {
        let pair = gaussian(1e-16);
        let part = Part {
            pair: &pair,
            times: 1,
        };
        let (low, high) = range(&part, &share(1e-5), 1.0);
        assert!(
            low.abs() < 1e-8 && high < 0.0 && high > -1e-8,
            "{low}, {high}"
        );
    }

    /// Where something begins, however far out, and that nothing does.
    #[test]
    fn the_first_point_is_found_closely_if_there_is_one() {
        for at in [1e-12, 3e-9, 0.7, 1e3, 4e11] {
            let found = first(|e| e >= at).expect("there is one");
            assert!(
                found >= at && (found <= at * (1.0 + 1e-8) || at < 1e-9),
                "{at}: {found}"
            );
        }
        assert_eq!(first(|_| false), None);
        assert_eq!(first(|e| e > 1e15), None);
    }

    #[test]
    fn nodes_are_close_near_0_and_evenly_spaced_elsewhere() {
        for (low, high) in [
            (-8.0, 11.0),
            (-3.0, 0.5),
            (0.5, 2.0),
            (-9.0, -1.0),
            (-1e-3, 40.0),
        ] {
            let all = nodes((low, high));
            assert_eq!([all[0], all[all.len() - 1]], [low, high]);
            assert!(all.windows(2).all(|w| w[0] < w[1]));
            let widest = all.windows(2).map(|w| w[1] - w[0]).fold(0.0, f64::max);
            assert!(widest <= (high - low) / 500.0 * 1.000_001, "{widest}");
            let reach = low.abs().max(high);
            let near = all.iter().filter(|x| x.abs() < 1e-4 * reach).count();
            if low < 0.0 && high > 0.0 {
                // sinh(0.05·j)/sinh(12.5) < 10⁻⁴ for all j from −66 to 66, and a few of the even ones besides.
                assert!((60..140).contains(&near), "{low}, {high}: {near}");
                let first = all.iter().find(|x| **x > 0.0).expect("the end");
                assert!(*first < reach * 1e-5 || *first == high, "{first}");
            }
        }
    }

    /// Of n steps that are tilted by t, losses below the cut have a share of e⁻²⁷/n.
    #[test]
    fn losses_are_cut_where_their_tilted_mass_is_a_share_of_all() {
        for (times, tilt) in [(1, 1.0), (1000, 1.0), (1, 3.0)] {
            let pair = gaussian(1.0);
            let parts = [Part { pair: &pair, times }];
            let sketch = Sketch::new(&parts, &share(1e-9));
            let (cut, high) = sketch.ranges_that_matter(tilt)[0];
            let whole = tilt * (tilt + 1.0) / 2.0;
            let mass =
                upper_tail(&Interval::from_f64(0.5 - cut)).hi_f64().ln() + tilt * cut - whole;
            let wanted = OUTSIDE - (times as f64).ln();
            assert!(
                (mass - wanted).abs() < 0.7,
                "{times}, {tilt}: {mass} for {wanted}"
            );
            assert_eq!(high, sketch.curves[0].range.1);
        }
    }
}
