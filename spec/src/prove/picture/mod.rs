//! Where an inequality holds and where it fails, as shapes for a drawing.
//!
//! Everything here is computed from what decided the inequality: the boxes of its certificate, or its
//! counterexample with the inequality evaluated at points around it. Boxes are proofs; points are
//! samples, each of them certain, and nothing is said of what lies between them.
//!
//! Positions run from 0 to 1 along the range of a variable, whatever its length.

mod scale;

use super::certificate::Tree;
use super::enclose::{Enclose, Fast};
use super::problem::{Forall, Range, SignCondition, Var, definedness};
use super::refute::{rounded, snap};
use super::replay::cut;
use super::search::Decision;
use super::wengert::Wengert;
use crate::arith::Rational;
use scale::{axis, drawn, place, position};

pub use scale::Axis;

/// Samples along one variable, and along each side of a plane.
const ALONG: usize = 49;
const SIDE: usize = 25;
/// Significant digits of a sample (in units of four bits): short, so that exact arithmetic is quick.
const DIGITS: i32 = 4;

/// An inequality that a check has decided, with what was found.
#[derive(Clone, Debug)]
pub struct Step {
    /// The name of the step: the claim's id, perhaps with `/part` behind it.
    pub name: String,
    /// Whether it is (a part of) the statement, and not only of the argument.
    pub stated: bool,
    /// The inequality.
    pub forall: Forall,
    /// What was found.
    pub outcome: Decision,
}

/// One decided inequality as shapes.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The name of the step.
    pub name: String,
    /// Whether it is (a part of) the statement, and not only of the argument.
    pub stated: bool,
    /// The variables, at least one.
    pub axes: Vec<Axis>,
    /// What was found.
    pub seen: Seen,
}

/// What was found about an inequality.
#[derive(Clone, Debug)]
pub enum Seen {
    /// It holds on the whole domain.
    Proved {
        /// Number of boxes of the certificate, over all of its goals.
        leaves: usize,
        /// The boxes of the inequality itself, which together are the domain; empty if there are more than two variables.
        patches: Vec<Patch>,
        /// Samples of the domain, where it was cut into several boxes of at most two variables.
        samples: Samples,
    },
    /// It fails at a point.
    Refuted {
        /// The counterexample's position along each variable.
        at: Vec<f64>,
        /// Samples around it.
        samples: Samples,
    },
}

/// Points at which an inequality was evaluated.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// For each variable, samples along it, all others as in the counterexample; empty if there are two variables.
    pub lines: Vec<Vec<Sample<f64>>>,
    /// Samples of the plane, if there are two variables.
    pub plane: Vec<Sample<[f64; 2]>>,
}

/// A box of a certificate.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    /// Lower and upper position along each variable.
    pub ranges: Vec<[f64; 2]>,
    /// Whether a hypothesis fails all over the box, so that nothing is stated there.
    pub outside: bool,
}

/// A point at which an inequality was evaluated.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample<P> {
    /// Its position.
    pub at: P,
    /// What is certain of it.
    pub found: Found,
    /// log₁₀ of the left side over the right side, in doubles: above 0 where the inequality fails. `None` where a side is
    /// not positive, or a hypothesis fails.
    pub margin: Option<f64>,
}

/// What is certain of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The hypotheses and the inequality hold.
    Holds,
    /// The hypotheses hold, the inequality fails.
    Fails,
    /// A hypothesis fails.
    Outside,
    /// Double precision does not decide it.
    Unknown,
}

impl Picture {
    /// What a step has to show; `None` if it was not decided, or has no variables.
    #[must_use]
    pub fn of(step: &Step) -> Option<Self> {
        let vars = step.forall.vars();
        let seen = match &step.outcome {
            Decision::Proved(found) => {
                let patches = match (vars.len(), found.trees.last()) {
                    (1 | 2, Some(tree)) => patches(vars, tree),
                    _ => Vec::new(),
                };
                let samples = match patches.len() {
                    0 | 1 => Samples::default(),
                    // No coordinate stays where it is.
                    _ => sampled(&step.forall, &vec![Rational::new(); vars.len()]),
                };
                Seen::Proved {
                    leaves: found.leaves(),
                    patches,
                    samples,
                }
            }
            Decision::Refuted(found) => Seen::Refuted {
                at: { found.point.iter().zip(vars) }
                    .map(|(u, var)| position(var, u.to_f64()))
                    .collect(),
                samples: sampled(&step.forall, &found.point),
            },
            Decision::Open { .. } => return None,
        };
        (!vars.is_empty()).then(|| Self {
            name: step.name.clone(),
            stated: step.stated,
            axes: vars.iter().map(axis).collect(),
            seen,
        })
    }
}

/// The leaves of a tree as boxes. Where the inequality is monotone, a proof on one face holds for the whole
/// box, which is what is shown.
fn patches(vars: &[Var], tree: &Tree) -> Vec<Patch> {
    let mut all = Vec::new();
    let ranges = vars.iter().map(Var::all).collect();
    collect(vars, tree, ranges, &mut all);
    all
}

fn collect(vars: &[Var], tree: &Tree, ranges: Vec<Range>, all: &mut Vec<Patch>) {
    match tree {
        Tree::Interval | Tree::MeanValue | Tree::Hypothesis(_) => all.push(Patch {
            ranges: ranges.iter().zip(vars).map(|(r, v)| drawn(v, r)).collect(),
            outside: matches!(tree, Tree::Hypothesis(_)),
        }),
        Tree::Face(_, _, rest) => collect(vars, rest, ranges, all),
        Tree::Proved(_, _, parts) => collect(vars, &parts.1, ranges, all),
        Tree::Split(i, at, parts) => {
            let (below, above) = cut(vars[*i].is_stepped(), &ranges[*i], at.as_ref());
            let (mut low, mut high) = (ranges.clone(), ranges);
            low[*i].1 = Some(below);
            high[*i].0 = above;
            collect(vars, &parts.0, low, all);
            collect(vars, &parts.1, high, all);
        }
    }
}

/// The inequality around a point.
fn sampled(forall: &Forall, point: &[Rational]) -> Samples {
    let vars = forall.vars();
    let judge = Judge::new(forall);
    let at = |i: usize, u: &Rational| position(&vars[i], u.to_f64());
    let moved = |changes: &[(usize, &Rational)]| {
        let mut point = point.to_vec();
        for (i, u) in changes {
            point[*i] = (*u).clone();
        }
        let found = judge.found(&point);
        (found, judge.margin(&point, found))
    };
    let line = |i: usize| -> Vec<Sample<f64>> {
        let of = |u: &Rational| {
            let (found, margin) = moved(&[(i, u)]);
            let at = at(i, u);
            Sample { at, found, margin }
        };
        candidates(&vars[i], ALONG).iter().map(of).collect()
    };
    let plane = || {
        let [first, second] = [0, 1].map(|i| candidates(&vars[i], SIDE));
        let pairs = first
            .iter()
            .flat_map(|u| second.iter().map(move |v| (u, v)));
        pairs
            .map(|(u, v)| {
                let (found, margin) = moved(&[(0, u), (1, v)]);
                let at = [at(0, u), at(1, v)];
                Sample { at, found, margin }
            })
            .collect()
    };
    let flat = vars.len() == 2;
    Samples {
        lines: match flat {
            true => Vec::new(),
            false => (0..vars.len()).map(line).collect(),
        },
        plane: if flat { plane() } else { Vec::new() },
    }
}

/// Admissible coordinates at about equal distances in the drawing.
fn candidates(var: &Var, count: usize) -> Vec<Rational> {
    let share = |k: usize| (k as f64 + 0.5) / count as f64;
    let mut all: Vec<Rational> = (0..count)
        .map(|k| snap(var, rounded(place(var, share(k)), DIGITS)))
        .filter(|u| var.admits(u))
        .collect();
    all.dedup();
    all
}

/// The inequality with its hypotheses, ready to be evaluated at many points.
struct Judge {
    defined: Vec<(SignCondition, Wengert<Fast>)>,
    hypotheses: Vec<(SignCondition, Wengert<Fast>)>,
    statement: (SignCondition, Wengert<Fast>),
    sides: [Wengert<Fast>; 2],
}

impl Judge {
    fn new(forall: &Forall) -> Self {
        let vars = forall.vars().len();
        let ready = |sign: &SignCondition| (sign.clone(), Wengert::new(&sign.expr, vars));
        let statement = SignCondition {
            expr: &forall.rhs - &forall.lhs,
            strict: forall.strict,
        };
        let mut defined = Vec::new();
        for sign in forall.hypotheses.iter().chain([&statement]) {
            definedness(&sign.expr, &mut defined);
        }
        Self {
            defined: defined.iter().map(ready).collect(),
            hypotheses: forall.hypotheses.iter().map(ready).collect(),
            statement: ready(&statement),
            sides: [&forall.lhs, &forall.rhs].map(|side| Wengert::new(side, vars)),
        }
    }

    /// See [`Sample::margin`].
    fn margin(&self, point: &[Rational], found: Found) -> Option<f64> {
        if !matches!(found, Found::Holds | Found::Fails) {
            return None;
        }
        let at: Vec<Fast> = point.iter().map(Fast::constant).collect();
        let middle = |tape: &Wengert<Fast>| {
            let (lo, hi) = tape.value(&at).ends();
            0.5 * lo + 0.5 * hi
        };
        // Not finite unless both sides are positive.
        let [left, right] = [0, 1].map(|i| middle(&self.sides[i]).log10());
        Some(left - right).filter(|margin| margin.is_finite())
    }

    fn found(&self, point: &[Rational]) -> Found {
        let at: Vec<Fast> = point.iter().map(Fast::constant).collect();
        let truth = |sign: &(SignCondition, Wengert<Fast>)| truth(sign, point, &at);
        if !self.defined.iter().all(|s| truth(s) == Some(true)) {
            return Found::Unknown;
        }
        let hypotheses: Vec<_> = self.hypotheses.iter().map(truth).collect();
        if hypotheses.contains(&Some(false)) {
            return Found::Outside;
        }
        match truth(&self.statement) {
            _ if hypotheses.contains(&None) => Found::Unknown,
            Some(true) => Found::Holds,
            Some(false) => Found::Fails,
            None => Found::Unknown,
        }
    }
}

/// Whether a sign condition holds at a point: exactly if all operations are rational, else by outward-rounded
/// doubles, which may leave it undecided.
fn truth(
    (sign, tape): &(SignCondition, Wengert<Fast>),
    point: &[Rational],
    at: &[Fast],
) -> Option<bool> {
    if let Some(x) = sign.expr.exact(point) {
        return Some(x > 0 || (x == 0 && !sign.strict));
    }
    let (lo, hi) = tape.value(at).ends();
    match sign.strict {
        _ if lo > 0.0 => Some(true),
        _ if hi < 0.0 => Some(false),
        false if lo >= 0.0 => Some(true),
        true if hi <= 0.0 => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::*;
    use super::*;
    use crate::arith::ratio;

    /// √2·√2 − 2 is 0, which doubles do not decide; 0·√2 is.
    #[test]
    fn what_doubles_do_not_decide_is_neither_true_nor_false() {
        let root = Expr::from(2).sqrt();
        let told = |e: &Expr, strict| {
            let expr = e.clone();
            truth(
                &(SignCondition { expr, strict }, Wengert::new(e, 0)),
                &[],
                &[],
            )
        };
        let close = &root * &root - 2;
        assert_eq!([told(&close, false), told(&close, true)], [None, None]);
        let zero = Expr::from(0) * &root;
        assert_eq!(
            [told(&zero, false), told(&zero, true)],
            [Some(true), Some(false)]
        );
        assert_eq!(told(&(&root - 1), true), Some(true));
        assert_eq!(told(&(&root - 2), false), Some(false));
    }

    #[test]
    fn a_margin_is_the_logarithm_of_the_quotient_of_positive_sides() {
        let margin = |lhs: fn(&Expr) -> Expr, found| {
            let (domain, x) = Domain::of("x", closed(1), closed(9));
            Judge::new(&Forall::le(domain, lhs(&x), x)).margin(&[ratio(4, 1)], found)
        };
        let half = margin(|x| x.sqrt(), Found::Holds).expect("both are positive");
        assert!((half - 0.5f64.log10()).abs() < 1e-12);
        assert!(margin(|x| 3 * x, Found::Fails).is_some_and(|m| (m - 3f64.log10()).abs() < 1e-12));
        assert_eq!(margin(|x| x - 9, Found::Holds), None);
        assert_eq!(margin(|x| x.sqrt(), Found::Unknown), None);
    }

    fn picture(forall: &Forall, outcome: Decision) -> Picture {
        let step = Step {
            name: "test".to_owned(),
            stated: true,
            forall: forall.clone(),
            outcome,
        };
        Picture::of(&step).expect("it was decided and has variables")
    }

    fn plane() -> (Domain, Expr, Expr) {
        let mut domain = Domain::new();
        let x = domain.real("x", closed(0), closed(1));
        let y = domain.positive("y");
        (domain, x, y)
    }

    #[test]
    fn the_boxes_of_a_proof_are_the_whole_domain_without_overlap() {
        let (domain, x, y) = plane();
        // x² ≤ x + y needs a cut nowhere; the cut at 1/3 and the one above it are given by hand.
        let forall = Forall::le(domain, x.square(), &x + &y);
        let leaf = || Box::new((Tree::Interval, Tree::MeanValue));
        let tree = Tree::Split(
            0,
            Some(ratio(1, 3)),
            Box::new((
                Tree::Split(1, None, leaf()),
                Tree::Face(1, BoxSide::Low, Box::new(Tree::Hypothesis(0))),
            )),
        );
        let boxes = patches(forall.vars(), &tree);
        let area = |p: &Patch| -> f64 { p.ranges.iter().map(|[a, b]| b - a).product() };
        let areas: Vec<f64> = boxes.iter().map(area).collect();
        // Thirds and halves: each position has a rounding error below 1e-15.
        for (found, want) in areas.iter().zip([1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0]) {
            assert!((found - want).abs() < 1e-14, "{areas:?}");
        }
        let outside: Vec<bool> = boxes.iter().map(|b| b.outside).collect();
        assert_eq!(outside, [false, false, true]);
    }

    #[test]
    fn samples_agree_with_the_inequality_and_its_hypothesis() {
        let (domain, x, y) = plane();
        // Stated where x + y ≥ 1/2: x ≤ y, which fails below the diagonal.
        let forall = Forall::le(domain, &x, &y).when_le(ratio(1, 2), &x + &y);
        let outcome = search(&forall, BUDGET);
        let Seen::Refuted { at, samples } = picture(&forall, outcome).seen else {
            panic!("x <= y fails at (1, 1/2)")
        };
        let Samples { lines, plane } = samples;
        assert!(lines.is_empty() && plane.len() == SIDE * SIDE);
        let value = |at: &[f64]| (at[0], at[1] / (1.0 - at[1]));
        let (x, y) = value(&at);
        assert!(x > y && x + y >= 0.5, "{x} {y}");
        for Sample { at, found, margin } in plane {
            let (x, y) = value(&at);
            // Both sides are computed twice: x over y is the margin.
            if let Some(margin) = margin {
                assert!((margin - (x / y).log10()).abs() < 1e-9, "{x} {y} {margin}");
            }
            let want = match x + y >= 0.5 {
                false => Found::Outside,
                true if x <= y => Found::Holds,
                true => Found::Fails,
            };
            // Positions are rounded: ties are left out.
            if (x - y).abs() > 1e-9 && (x + y - 0.5).abs() > 1e-9 {
                assert_eq!(found, want, "{x} {y}");
            }
        }
    }

    /// Where it was cut, all samples of it hold.
    #[test]
    fn a_proof_in_several_boxes_is_sampled_too() {
        let (domain, x, y) = plane();
        let forall = Forall::le(domain, &x * (1 - &x), &y + ratio(1, 4)).when_le(ratio(1, 8), &x);
        let Seen::Proved {
            patches, samples, ..
        } = picture(&forall, search(&forall, BUDGET)).seen
        else {
            panic!("x(1 - x) <= 1/4")
        };
        assert!(patches.len() > 1 && samples.lines.is_empty());
        let all = |found| samples.plane.iter().filter(|s| s.found == found).count();
        let [holds, outside] = [Found::Holds, Found::Outside].map(all);
        assert!(holds > 0 && outside > 0 && holds + outside == SIDE * SIDE);
    }

    #[test]
    fn more_than_two_variables_are_sampled_one_by_one_through_the_counterexample() {
        let mut domain = Domain::new();
        let k = domain.integer("k", 1, 5);
        domain.integer_at_least("n", 2);
        domain.at_least("T", 1);
        // k ≤ 3 fails for k = 4 and 5, whatever the others are.
        let forall = Forall::le(domain, &k, 3);
        let found = refute(&forall, 30).expect("k <= 3 fails at 4");
        let Picture { axes, seen, .. } = picture(&forall, Decision::Refuted(found));
        let Seen::Refuted { samples, .. } = seen else {
            panic!("k <= 3 fails at 4")
        };
        let lines = samples.lines;
        let found: Vec<Found> = lines[0].iter().map(|s| s.found).collect();
        let (yes, no) = (Found::Holds, Found::Fails);
        assert_eq!(found, [yes, yes, yes, no, no]);
        assert!(lines[1..].iter().flatten().all(|s| s.found == no));
        let ends = |axis: &Axis| axis.ticks.iter().map(|t| t.1).collect::<Vec<_>>();
        assert_eq!(ends(&axes[0]), [1.0, 3.0, 5.0]);
        assert_eq!(ends(&axes[1]), [2.0, 4.0, f64::INFINITY]);
        assert_eq!(axes[2].open, [false, true]);
    }
}
