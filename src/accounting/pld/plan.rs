//! Which lattice and window a composition gets. Every choice is safe; a good one is tight and cheap.

use super::Losses;
use super::compose::Lane;
use super::lattice::{LatticeLaw, Side};
use super::sketch::Outline;
use crate::accounting::AccountError;
use crate::float::elementary::ln;

/// Longest window.
const WINDOW_MAX: f64 = 4_194_304.0; // 2²²
/// Most nodes of one lattice law.
const NODES_MAX: f64 = 4_194_304.0;

/// Share of δ that may be lost from below with what rounding has gathered at the least losses.
const LITTLE: f64 = 1e-6;
/// How many times what lies beyond the nodes is gathered at the last of them: the chord to it cuts off as far as the tail falls.
const BEYOND: f64 = 4.0;

/// What a window has to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// All but a negligible part of the tilted law.
    Whole,
    /// What decides an upper bound on the ε at the outline's δ: see [`Range::around_epsilon`].
    AroundEpsilon,
}

/// How to discretise one direction.
pub(super) struct Plan {
    mesh: Mesh,
    window: Window,
    shifts: (f64, f64),
    /// P mass at the top of one law that is no matter.
    cut: f64,
    /// First and last lattice position of each law, and its anchor.
    spans: Vec<(i64, i64)>,
    anchors: Vec<f64>,
}

impl Plan {
    /// A lattice on which discretisation adds about `accuracy`·ε to ε.
    pub(super) fn new(
        losses: &Losses,
        outline: &Outline,
        (extent, side): (Extent, Side),
        accuracy: f64,
    ) -> Result<Self, AccountError> {
        let mesh = Mesh::new(losses, outline, accuracy);
        let whole = Range::whole(outline, &mesh);
        let range = match extent {
            Extent::Whole => whole,
            Extent::AroundEpsilon => whole.around_epsilon(outline, &mesh),
        };
        let anchors = losses.iter().map(|(law, _)| match side {
            _ if mesh.shared => 0.0,
            Side::Above => law.anchor(),
            Side::Below => law.gathered(mesh.step).unwrap_or_else(|| law.anchor()),
        });
        let anchors: Vec<f64> = anchors.collect();
        let spans = spans(outline, &anchors, &mesh);
        let window = Window::new(&range, losses, &anchors, &spans, mesh.step);
        let longest = spans.iter().fold(0.0f64, |n, s| n.max(s.1 - s.0));
        if window.len <= WINDOW_MAX && longest <= NODES_MAX {
            return Ok(Self {
                mesh,
                window,
                shifts: range.shifts,
                cut: BEYOND * outline.cut,
                spans: spans.iter().map(|s| (s.0 as i64, s.1 as i64)).collect(),
                anchors,
            });
        }
        // A coarser lattice is less accurate but no less safe.
        if accuracy < 1.0 && !mesh.shared {
            return Self::new(losses, outline, (extent, side), 4.0 * accuracy);
        }
        // A length beyond the range of floats comes out as NaN.
        let needed = match window.len.is_nan() {
            true => f64::INFINITY,
            false => window.len.max(longest),
        };
        Err(AccountError::TooCostly {
            what: "the lattice of privacy losses",
            needed,
            limit: WINDOW_MAX,
            unit: "points",
        })
    }

    /// Least number of points of the window.
    pub(super) fn len(&self) -> usize {
        self.window.len as usize
    }

    /// What it costs: points of the window, and nodes of all laws with what each costs.
    pub(super) fn points(&self, losses: &Losses) -> f64 {
        let each = losses.iter().zip(&self.spans);
        let nodes = each.map(|((law, _), (first, last))| law.cost() * (last - first) as f64);
        self.window.len + nodes.sum::<f64>()
    }

    pub(super) fn lane(&self, losses: &Losses, side: Side) -> Lane {
        let parts = losses.iter().zip(self.spans.iter().zip(&self.anchors));
        let parts = parts.map(|((law, count), (span, anchor))| {
            (
                LatticeLaw::new(law.as_ref(), side, self.mesh.step, *span, *anchor),
                *count,
            )
        });
        Lane {
            parts: parts.collect(),
            lambda: self.mesh.lambda,
            start: self.window.start as i64,
            shifts: self.shifts,
        }
    }

    /// From below: leaves out what is gathered at the ends of laws, and says whether that was anything.
    pub(super) fn leave_out(&self, lane: &mut Lane) -> bool {
        let (lambda, (down, up)) = (self.mesh.lambda, self.shifts);
        let orders = (lambda - down, lambda + up);
        let each = lane.parts.iter_mut();
        let left = each.map(|(law, count)| {
            let few = (LITTLE / *count as f64, self.cut);
            law.leave_out(few, orders, *count)
        });
        left.fold(false, |any, left| any | left)
    }
}

/// The lattice's step and tilt.
struct Mesh {
    step: f64,
    /// λ.
    lambda: f64,
    /// Whether it is the laws' own lattice, on which nothing is lost.
    shared: bool,
    /// What discretisation adds to the variance of the composition, at most.
    variance: f64,
    /// −ln of what may be lost of δ besides: a fiftieth of the error in ε that is aimed at, or no more than
    /// rounding where nothing else is lost.
    nats: f64,
}

impl Mesh {
    fn new(losses: &Losses, outline: &Outline, accuracy: f64) -> Self {
        let error = accuracy * outline.epsilon + 0.05 * accuracy;
        let shared = shared_lattice(losses);
        let step = shared.unwrap_or_else(|| {
            let wanted = free_step(error, outline.lambda, outline.total);
            let pitches: Vec<f64> = losses.iter().filter_map(|(law, _)| law.pitch()).collect();
            fitted(wanted, &pitches)
        });
        // Where neighbouring positions differ by more than e³⁰, a larger tilt shows nothing more.
        let lambda = outline.lambda.min(30.0 / step);
        let (variance, nats) = match shared {
            Some(_) => (0.0, 40.0),
            None => {
                let nats = ln(50.0 / (error * lambda)).max(7.0);
                (0.25 * outline.total * step * step, nats)
            }
        };
        Self {
            step,
            lambda,
            shared: shared.is_some(),
            variance,
            nats,
        }
    }
}

/// Losses of the composition that a window has to hold, and the shifts of λ, downwards and upwards, that
/// show how little is outside.
struct Range {
    bottom: f64,
    top: f64,
    shifts: (f64, f64),
}

impl Range {
    fn whole(outline: &Outline, mesh: &Mesh) -> Self {
        let lambda = mesh.lambda;
        let (bottom, down) = outline.tilted_reach(lambda, mesh.variance, -1.0);
        let (top, up) = outline.tilted_reach(lambda, mesh.variance, 1.0);
        let least = outline.epsilon + 1.0 / (lambda + 1.0);
        Self {
            bottom,
            top: top.max(least) + outline.drift,
            shifts: (down, up),
        }
    }

    /// The part in which a window loses about e^{−nats}·δ three times: as the mass above it, which counts as
    /// infinite; through what is folded up into it from below, at most e^{−λ·length} (see
    /// [`compose`](super::compose)); and through what is folded down ([`Outline::period`]). Chernoff's ε is
    /// above the wanted one, but not by as much as nats/λ.
    fn around_epsilon(self, outline: &Outline, mesh: &Mesh) -> Self {
        let (lambda, nats) = (mesh.lambda, mesh.nats);
        let (reach, up) = outline.reach(lambda, mesh.variance, nats);
        let reach = reach.max(outline.epsilon + 1.0 / (lambda + 1.0)) + outline.drift;
        let folded = reach - (nats - outline.log_delta) / lambda;
        let bottom = folded.min(outline.epsilon - nats / lambda);
        let bottom = bottom.max(self.bottom);
        let top = reach.max(bottom + outline.period(lambda, mesh.variance, nats));
        if top >= self.top {
            return self;
        }
        Self {
            bottom,
            top,
            shifts: (self.shifts.0, up),
        }
    }
}

/// Lattice positions of the composition, counted from the sum of the anchors.
struct Window {
    start: f64,
    len: f64,
}

impl Window {
    fn new(
        range: &Range,
        losses: &Losses,
        anchors: &[f64],
        spans: &[(f64, f64)],
        step: f64,
    ) -> Self {
        let sum = |values: &mut dyn Iterator<Item = f64>| -> f64 {
            let parts = losses.iter().zip(values);
            parts.map(|((_, count), value)| *count as f64 * value).sum()
        };
        let origin = sum(&mut anchors.iter().copied());
        let mut start = ((range.bottom - origin) / step).floor();
        let mut end = ((range.top - origin) / step).ceil();
        // Where the support ends little further, let the window reach it: nothing is then outside.
        let first = sum(&mut spans.iter().map(|s| s.0));
        let last = sum(&mut spans.iter().map(|s| s.1));
        let near = 1.2 * (end - start) + 64.0;
        if last - start <= near {
            end = last;
        }
        if end - first <= near {
            start = first;
        }
        Self {
            start,
            len: end - start + 2.0,
        }
    }
}

/// First and last position of every law, counted from its anchor.
fn spans(outline: &Outline, anchors: &[f64], mesh: &Mesh) -> Vec<(f64, f64)> {
    // Losses below this count for less than e⁻³⁵ in all; they may move up, or away.
    let lowest = -(ln(outline.total) + 35.0) / mesh.lambda;
    let spans = outline.ranges.iter().zip(anchors).map(|((lo, hi), a)| {
        let lo = lo.max(lowest).min(*hi);
        let (first, last) = (
            ((lo - a) / mesh.step).floor(),
            ((hi - a) / mesh.step).ceil(),
        );
        (first - 1.0, last + 1.0)
    });
    spans.collect()
}

/// T compositions on a lattice add at most T·h²/6 to the variance of the loss, hence about
/// (λ+1)T·h²/12 to ε.
fn free_step(error: f64, lambda: f64, total: f64) -> f64 {
    (12.0 * error / ((lambda + 1.0) * total)).sqrt()
}

/// A step of at most the wanted one, and at least half of it, of which these distances of atoms are about multiples: an atom
/// between nodes costs the lower end the first power of the step, all else the second one. Atoms closer than nodes are left.
fn fitted(wanted: f64, pitches: &[f64]) -> f64 {
    const MOST: u64 = 1024;
    // No step fits distances of so many laws, and the search takes the square of their number.
    const LAWS: usize = 64;
    let apart: Vec<f64> = pitches
        .iter()
        .copied()
        .filter(|d| *d > 0.5 * wanted)
        .collect();
    if apart.len() > LAWS {
        return wanted;
    }
    let misfit = |step: f64| -> f64 {
        let off = |d: &f64| (d / step - (d / step).round()).abs();
        apart.iter().map(off).sum()
    };
    let candidates = apart.iter().flat_map(|d| {
        let least = (d / wanted).ceil().max(1.0);
        (0..=MOST.min(least as u64)).map(move |more| d / (least + more as f64))
    });
    let fit = candidates.map(|step| (misfit(step), step));
    // Of steps that fit as well as rounding lets them, the widest.
    let better = |a: (f64, f64), b: (f64, f64)| {
        if b.0 < a.0 - 1e-9 {
            b
        } else if a.0 < b.0 - 1e-9 || a.1 >= b.1 {
            a
        } else {
            b
        }
    };
    fit.reduce(better).map_or(wanted, |(_, step)| step)
}

/// The finest of the laws' lattices, if all the others are multiples of it: laws that share a lattice are
/// kept on it, exactly.
fn shared_lattice(losses: &Losses) -> Option<f64> {
    let lattices: Option<Vec<f64>> = losses.iter().map(|(law, _)| law.lattice()).collect();
    let lattices = lattices?;
    let finest = lattices.iter().copied().fold(f64::INFINITY, f64::min);
    let multiple = |d: &f64| {
        let ratio = d / finest;
        ratio < 1e6 && (ratio - ratio.round()).abs() <= 1e-14 * ratio
    };
    (finest.is_finite() && lattices.iter().all(multiple)).then_some(finest)
}

#[cfg(test)]
mod tests {
    use super::super::discrete_law::DiscreteLaw;
    use super::super::law::{GaussianLaw, LaplaceLaw};
    use super::super::sampled::{Direction, Sampled};
    use super::fitted;
    use super::*;
    use crate::accounting::steady;
    use std::sync::Arc;

    #[test]
    fn a_step_fits_all_distances_that_have_a_common_part() {
        // Laplace's atoms at scale 100 and discrete Gaussian's at σ = 50.
        let step = fitted(1.7e-4, &[0.02, 4e-4]);
        assert!((0.8e-4..=1.7e-4).contains(&step), "{step}");
        for d in [0.02, 4e-4] {
            assert!((d / step - (d / step).round()).abs() < 1e-9, "{step}");
        }
        // Nothing is left to fit where atoms are closer than nodes, or where there are none.
        assert_eq!(fitted(0.1, &[0.01]), 0.1);
        // Nor of more laws than are looked at.
        let many: Vec<f64> = (0..65).map(|k| 0.3 + 0.07 * f64::from(k)).collect();
        assert!(fitted(0.1, &many[..64]) < 0.1 && fitted(0.1, &many) == 0.1);
        assert_eq!(fitted(0.1, &[]), 0.1);
    }

    #[test]
    fn plans_are_what_they_were() {
        let rare = Sampled {
            base: GaussianLaw { mu: 1.0 },
            rate: 1e-3,
            direction: Direction::Addition,
        };
        let runs: [Losses; 5] = [
            vec![(Arc::new(GaussianLaw { mu: 0.3 }), 20)],
            vec![
                (Arc::new(rare), 1000),
                (Arc::new(LaplaceLaw { pure: 0.1 }), 3),
            ],
            vec![(Arc::new(LaplaceLaw { pure: 3.0 }), 5)],
            vec![(Arc::new(DiscreteLaw::response(0.25)), 40)],
            vec![
                (Arc::new(DiscreteLaw::response(0.25)), 4),
                (Arc::new(DiscreteLaw::response(1.0)), 9),
            ],
        ];
        let mut found = Vec::new();
        for losses in &runs {
            let outline = Outline::new(losses, 1e-5);
            for side in [Side::Above, Side::Below] {
                for (extent, accuracy) in [(Extent::Whole, 1e-2), (Extent::AroundEpsilon, 1e-3)] {
                    let plan = Plan::new(losses, &outline, (extent, side), accuracy);
                    let plan = plan.expect("a small lattice");
                    let Mesh {
                        step,
                        lambda,
                        shared,
                        variance,
                        nats,
                    } = plan.mesh;
                    let shared = f64::from(u8::from(shared));
                    let mut numbers = vec![step, lambda, shared, variance, nats, plan.cut];
                    numbers.extend([plan.window.start, plan.window.len]);
                    numbers.extend([plan.shifts.0, plan.shifts.1, plan.points(losses)]);
                    numbers.extend(plan.spans.iter().flat_map(|(a, b)| [*a as f64, *b as f64]));
                    numbers.extend(&plan.anchors);
                    let mut lane = plan.lane(losses, side);
                    numbers.extend([lane.lambda, lane.start as f64, plan.len() as f64]);
                    numbers.push(lane.parts[0].1 as f64);
                    let left = side == Side::Below && plan.leave_out(&mut lane);
                    numbers.push(f64::from(u8::from(left)));
                    found.push(steady::mark(&numbers));
                }
            }
        }
        steady::holds(
            &found,
            "4240397716012939.0 4656936376370778.0 4240397716012939.0 4656936376370778.0
         1000005129013509.0 3002888026075240.0 3042945137267248.0 1462444065892871.0
         5848111377018144.0 533436319588924.0 5848111377018144.0 533436319588924.0
         4462539027555660.0 3527383112638314.0 4462539027555660.0 3527383112638314.0
         903442279659048.0 903442279659048.0 903442279659048.0 903442279659048.0",
        );
    }

    #[test]
    fn laws_share_the_finest_lattice_if_all_fit_it() {
        let of = |epsilons: &[f64]| -> Option<f64> {
            let law = |e: &f64| {
                Arc::new(DiscreteLaw::response(*e)) as Arc<dyn crate::accounting::pld::law::LossLaw>
            };
            let losses: Losses = epsilons.iter().map(|e| (law(e), 1)).collect();
            shared_lattice(&losses)
        };
        assert_eq!(of(&[0.5, 0.25, 1.0]), Some(0.25));
        assert_eq!(of(&[0.5, 0.3]), None);
        // Their quotient is 43 but for its last bit.
        assert_eq!(of(&[0.043, 0.001]), Some(0.001));
        assert_eq!(of(&[1.0, 1e-7]), None);
        assert_eq!(of(&[]), None);
        let mixed: Losses = vec![
            (Arc::new(DiscreteLaw::response(0.5)), 1),
            (Arc::new(GaussianLaw { mu: 1.0 }), 1),
        ];
        assert_eq!(shared_lattice(&mixed), None);
    }

    #[test]
    fn a_lattice_of_too_many_points_is_refused_with_their_number() {
        let losses: Losses = vec![(Arc::new(DiscreteLaw::response(1.0)), 1_000_000_000_000_000)];
        let outline = Outline::new(&losses, 1e-5);
        let told = Plan::new(&losses, &outline, (Extent::Whole, Side::Above), 1e-3);
        let Err(AccountError::TooCostly { needed, limit, .. }) = told else {
            panic!("a lattice of 10⁸ losses");
        };
        assert!(limit == WINDOW_MAX && needed > 4.0 * limit, "{needed}");
    }
}
