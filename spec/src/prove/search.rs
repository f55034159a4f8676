//! Branch and bound: looks for a certificate, and meets counterexamples on the way.

use super::certificate::{BoxSide, Certificate, Tree};
use super::differentiate::derivative;
use super::enclose::{Enclose, Fast};
use super::expr::Expr;
use super::problem::{Forall, Map, Range, SignCondition, Var, definedness};
use super::refute::{FailingPoint, violation};
use super::replay::replay;
use super::wengert::{Gradient, Wengert};
use crate::arith::{Interval, Rational};
use std::cell::OnceCell;

/// What the prover found.
#[derive(Clone, Debug)]
pub enum Decision {
    /// True on the whole domain.
    Proved(Certificate),
    /// False at a point.
    Refuted(FailingPoint),
    /// Neither within the budget.
    Open {
        /// How far it came: the goal, the boxes closed and left, and one that is left.
        why: String,
    },
}

/// Boxes a search may look at unless told otherwise.
pub const BUDGET: usize = 200_000;

/// How often a derivative may be taken to prove a sign.
const DERIVATIVES: u32 = 3;

/// Boxes thinner than this share of their range are not cut further.
const THINNEST: i32 = 90;

/// Searches for a proof within `budget` boxes: first in doubles, then, if those are too coarse or
/// the replay does not agree, in MPFR intervals.
#[must_use]
pub fn search(forall: &Forall, budget: usize) -> Decision {
    if !forall.is_consistent() {
        let why = "the factored form is not an identity".to_owned();
        return Decision::Open { why };
    }
    if let Some(var) = forall.vars().iter().find(|v| v.is_empty()) {
        let why = format!("the range of {} is empty", var.name);
        return Decision::Open { why };
    }
    match accepted(forall, attempt::<Fast>(forall, budget)) {
        Decision::Open { .. } => accepted(forall, attempt::<Interval>(forall, budget / 10)),
        settled => settled,
    }
}

/// What was found, open if it is a proof that the replay does not accept.
pub(super) fn accepted(forall: &Forall, found: Decision) -> Decision {
    match found {
        Decision::Proved(proof) => match replay(forall, &proof) {
            Ok(()) => Decision::Proved(proof),
            Err(e) => Decision::Open {
                why: format!("the replay does not accept the proof found: {e}"),
            },
        },
        other => other,
    }
}

fn attempt<N: Enclose>(forall: &Forall, budget: usize) -> Decision {
    let vars = forall.vars();
    let hypotheses = forall
        .hypotheses
        .iter()
        .map(|h| (Wengert::new(&h.expr, vars.len()), h.strict))
        .collect();
    let mut search = Search::<N> {
        forall,
        hypotheses,
        left: budget,
        unsettled: Vec::new(),
        found: None,
        needs_total: false,
        tried: [0; 7],
    };
    let goals = forall.goals();
    let mut trees: Vec<Tree> = Vec::new();
    for (k, goal) in goals.iter().enumerate() {
        let tree = search.prove(goal);
        if let Some(found) = search.found {
            return Decision::Refuted(found);
        }
        if let Some(example) = search.unsettled.first() {
            let (which, of, boxes) = (k + 1, goals.len(), search.unsettled.len());
            return Decision::Open {
                why: format!(
                    "branch and bound, goal {which} of {of}: {boxes} boxes left after {} looked \
                     at, among them {example}",
                    budget - search.left
                ),
            };
        }
        search.needs_total |= tree.leaves_gaps(vars);
        trees.push(tree);
    }
    Decision::Proved(Certificate { trees })
}

struct Search<'a, N> {
    forall: &'a Forall,
    hypotheses: Vec<(Wengert<N>, bool)>,
    left: usize,
    unsettled: Vec<String>,
    found: Option<FailingPoint>,
    /// Whether the definedness proofs so far leave gaps (see `replay`).
    needs_total: bool,
    /// How many boxes of each fourth depth [`Search::by_derivative`] was tried on.
    tried: [u32; 7],
}

/// Something that is made when first asked for, if it can be made.
type Later<T> = OnceCell<Option<Box<T>>>;

struct Goal<N> {
    expr: Expr,
    tape: Wengert<N>,
    conditions: Vec<(Wengert<N>, bool)>,
    /// Per variable, the partial derivative and its negative as goals, once asked for.
    slopes: Vec<[Later<Goal<N>>; 2]>,
    /// How many derivatives have been taken already.
    order: u32,
}

#[derive(Clone)]
struct Cell {
    ranges: Vec<Range>,
    strict: bool,
    faced: bool,
    hypotheses: bool,
    continuous: Vec<usize>,
    needs_total: bool,
    depth: i32,
}

impl<N: Enclose> Search<'_, N> {
    fn prove(&mut self, goal: &SignCondition) -> Tree {
        let vars = self.forall.vars();
        let cell = Cell {
            ranges: vars.iter().map(Var::all).collect(),
            strict: goal.strict,
            faced: false,
            hypotheses: true,
            continuous: Vec::new(),
            needs_total: self.needs_total,
            depth: 0,
        };
        self.tried = [0; 7];
        self.close(&Goal::new(goal.expr.clone(), vars.len(), 0), cell)
    }

    /// A tree for the goal over the cell. When something stays unsettled the tree is worthless and
    /// `unsettled` says so.
    fn close(&mut self, goal: &Goal<N>, cell: Cell) -> Tree {
        if self.found.is_some() || self.unsettled.len() > 1000 {
            return Tree::Interval;
        }
        if self.left == 0 {
            return self.give_up(&cell);
        }
        self.left -= 1;
        let point = enclose::<N>(&cell);
        if cell.hypotheses
            && let Some(k) = self.excluding_hypothesis(&point)
        {
            return Tree::Hypothesis(k);
        }
        let total = !cell.needs_total || goal.is_total(&point);
        if (total || !cell.faced) && is_positive(&goal.tape.value(&point), cell.strict) {
            return Tree::Interval;
        }
        if goal.order == 0 && self.is_violated_in(&cell) {
            return Tree::Interval;
        }
        let slopes = goal.tape.gradient(&point);
        if total {
            if let Some(tree) = self.by_face(goal, &cell, &slopes) {
                return tree;
            }
            if is_positive(&mean_value(goal, &slopes, &cell, &point), cell.strict) {
                return Tree::MeanValue;
            }
            if let Some(tree) = self.by_derivative(goal, &cell) {
                return tree;
            }
        }
        self.split(goal, &cell, &slopes)
    }

    /// Goes to a face if the gradient's enclosure has a sign in some coordinate.
    fn by_face(&mut self, goal: &Goal<N>, cell: &Cell, slopes: &Gradient<N>) -> Option<Tree> {
        for (i, slope) in slopes.iter().enumerate() {
            let d = slope.as_ref().map_or((0.0, 0.0), N::ends);
            let (side, strictly) = match d {
                (lo, _) if lo >= 0.0 => (BoxSide::Low, lo > 0.0),
                (_, hi) if hi <= 0.0 => (BoxSide::High, hi < 0.0),
                _ => continue,
            };
            let Some((mut face, excluded)) = self.face(cell, i, side) else {
                continue;
            };
            face.strict = cell.strict && !(excluded && strictly);
            // Without hypotheses a face is settled exactly if the cell is.
            let binding = self.forall.hypotheses.is_empty() && !face.needs_total && goal.order == 0;
            let tree = if binding {
                Some(self.close(goal, face))
            } else {
                self.tentatively(200, |search| search.close(goal, face))
            };
            return tree.map(|tree| Tree::Face(i, side, Box::new(tree)));
        }
        None
    }

    /// Goes to a face if the sign of a partial derivative can be proved by a search of its own:
    /// what a touching of higher order needs. Tried on a few boxes of a few depths only, since it
    /// costs many boxes where it fails.
    fn by_derivative(&mut self, goal: &Goal<N>, cell: &Cell) -> Option<Tree> {
        if goal.order >= DERIVATIVES || cell.depth % 4 != 0 || cell.depth > 24 {
            return None;
        }
        if goal.order == 0 {
            let tried = &mut self.tried[cell.depth as usize / 4];
            if *tried >= 16 {
                return None;
            }
            *tried += 1;
        }
        let centre: Vec<N> = cell
            .ranges
            .iter()
            .map(|r| N::constant(&middle(r)))
            .collect();
        for i in 0..goal.slopes.len() {
            for side in [BoxSide::Low, BoxSide::High] {
                let Some((mut face, excluded)) = self.face(cell, i, side) else {
                    continue;
                };
                let Some(slope) = goal.slope(i, side) else {
                    continue;
                };
                if slope.tape.value(&centre).ends().1 < 0.0 {
                    continue;
                }
                let mut of_derivative = Cell {
                    strict: cell.strict && excluded,
                    faced: false,
                    hypotheses: false,
                    needs_total: true,
                    depth: 0,
                    ..cell.clone()
                };
                of_derivative.continuous.push(i);
                face.strict = cell.strict && !excluded;
                let sign = self.tentatively(40, |search| search.close(slope, of_derivative));
                let Some(sign) = sign else { continue };
                if let Some(tree) = self.tentatively(100, |search| search.close(goal, face)) {
                    return Some(Tree::Proved(i, side, Box::new((sign, tree))));
                }
            }
        }
        None
    }

    /// Runs a part of the search that may fail, within `budget` boxes.
    fn tentatively(&mut self, budget: usize, run: impl FnOnce(&mut Self) -> Tree) -> Option<Tree> {
        let (left, open) = (self.left, self.unsettled.len());
        self.left = left.min(budget);
        let allowed = self.left;
        let tree = run(self);
        let settled = self.unsettled.len() == open && self.found.is_none();
        self.left = left - (allowed - self.left);
        self.unsettled.truncate(open);
        settled.then_some(tree)
    }

    /// The cell's face, unless the cell is flat there already, and whether the domain excludes it.
    fn face(&self, cell: &Cell, i: usize, side: BoxSide) -> Option<(Cell, bool)> {
        let (lo, hi) = &cell.ranges[i];
        if Some(lo) == hi.as_ref() {
            return None;
        }
        let var = &self.forall.vars()[i];
        let (end, excluded) = match side {
            BoxSide::Low => (lo, var.lo_open && *lo == var.lo),
            BoxSide::High => (hi.as_ref()?, var.hi_open && *hi == var.hi),
        };
        let mut face = Cell {
            faced: true,
            hypotheses: false,
            needs_total: cell.needs_total || excluded,
            ..cell.clone()
        };
        face.ranges[i] = (end.clone(), Some(end.clone()));
        Some((face, excluded))
    }

    fn excluding_hypothesis(&self, point: &[N]) -> Option<usize> {
        self.hypotheses.iter().position(|(tape, strict)| {
            let (_, hi) = tape.value(point).ends();
            hi < 0.0 || (hi == 0.0 && *strict)
        })
    }

    /// Whether the cell's midpoint violates the statement; then the search is over.
    fn is_violated_in(&mut self, cell: &Cell) -> bool {
        // Only now and then: a check costs as much as many boxes.
        let due = cell.depth % 8 == 7;
        if due {
            let point: Vec<_> = (cell.ranges.iter().zip(self.forall.vars()))
                .map(|(r, var)| cut(var.is_stepped(), r).0)
                .collect();
            self.found = violation(self.forall, &point);
        }
        due && self.found.is_some()
    }

    fn split(&mut self, goal: &Goal<N>, cell: &Cell, slopes: &Gradient<N>) -> Tree {
        let Some(i) = self.widest(cell, slopes) else {
            return self.give_up(cell);
        };
        let stepped = self.forall.vars()[i].is_stepped() && !cell.continuous.contains(&i);
        let (low_end, high_start) = cut(stepped, &cell.ranges[i]);
        let (mut low, mut high) = (cell.clone(), cell.clone());
        low.ranges[i].1 = Some(low_end);
        high.ranges[i].0 = high_start;
        low.depth += 1;
        high.depth += 1;
        let low = self.close(goal, low);
        let high = self.close(goal, high);
        Tree::Split(i, None, Box::new((low, high)))
    }

    /// The coordinate whose width moves the goal most; in turn with the relatively widest one, so
    /// that none is starved.
    fn widest(&self, cell: &Cell, slopes: &Gradient<N>) -> Option<usize> {
        let share = |i: usize| extent(&cell.ranges[i]) / extent(&self.forall.vars()[i].all());
        let candidates = (0..cell.ranges.len()).filter(|&i| {
            let (lo, hi) = &cell.ranges[i];
            Some(lo) != hi.as_ref()
                && share(i) > (-f64::from(THINNEST)).exp2()
                && slopes[i].is_some()
        });
        let smear = |i: usize| {
            let (lo, hi) = slopes[i].as_ref().map_or((0.0, 0.0), N::ends);
            width(&cell.ranges[i]) * hi.abs().max(lo.abs())
        };
        let by_share = cell.depth % 3 == 2 || {
            let mut all = candidates.clone();
            !all.all(|i| smear(i).is_finite())
        };
        let weight = |i: &usize| if by_share { share(*i) } else { smear(*i) };
        candidates.max_by(|a, b| weight(a).total_cmp(&weight(b)))
    }

    fn give_up(&mut self, cell: &Cell) -> Tree {
        let describe = |((lo, hi), var): (&Range, &Var)| {
            let hi = hi.as_ref().map_or(f64::INFINITY, Rational::to_f64);
            let lo = lo.to_f64();
            match var.map {
                Map::Identity => format!("{} in [{lo:.6e}, {hi:.6e}]", var.name),
                _ => format!("u({}) in [{lo:.6e}, {hi:.6e}]", var.name),
            }
        };
        let sides = cell.ranges.iter().zip(self.forall.vars()).map(describe);
        self.unsettled.push(sides.collect::<Vec<_>>().join(", "));
        Tree::Interval
    }
}

impl<N: Enclose> Goal<N> {
    fn new(expr: Expr, vars: usize, order: u32) -> Self {
        let mut conditions = Vec::new();
        definedness(&expr, &mut conditions);
        Self {
            tape: Wengert::new(&expr, vars),
            conditions: (conditions.iter())
                .map(|c| (Wengert::new(&c.expr, vars), c.strict))
                .collect(),
            slopes: (0..vars).map(|_| Default::default()).collect(),
            expr,
            order,
        }
    }

    /// ∂ᵢ of the goal, or its negative for the upper side: what must be ≥ 0 for that face to decide.
    fn slope(&self, i: usize, side: BoxSide) -> Option<&Self> {
        let build = || {
            let d = derivative(&self.expr, i)?;
            let d = if side == BoxSide::Low { d } else { -d };
            Some(Box::new(Self::new(d, self.slopes.len(), self.order + 1)))
        };
        let cell = &self.slopes[i][side as usize];
        cell.get_or_init(build).as_deref()
    }

    fn is_total(&self, point: &[N]) -> bool {
        self.conditions
            .iter()
            .all(|(tape, strict)| is_positive(&tape.value(point), *strict))
    }
}

fn enclose<N: Enclose>(cell: &Cell) -> Vec<N> {
    let hull = |(lo, hi): &Range| N::hull_of(lo, hi.as_ref());
    cell.ranges.iter().map(hull).collect()
}

fn is_positive<N: Enclose>(x: &N, strict: bool) -> bool {
    let (lo, _) = x.ends();
    lo > 0.0 || (lo == 0.0 && !strict)
}

/// The middle of a range; of an unbounded one, a point to cut it at.
fn middle((lo, hi): &Range) -> Rational {
    match hi {
        Some(hi) => Rational::from(lo + hi) / 2,
        None => Rational::from(lo * 2).max(1.into()),
    }
}

/// Where a range is cut: the end of its lower and the start of its upper part.
fn cut(stepped: bool, range: &Range) -> (Rational, Rational) {
    let middle = middle(range);
    if stepped {
        let below = middle.floor();
        let above = Rational::from(&below + 1);
        (below, above)
    } else {
        (middle.clone(), middle)
    }
}

fn width((lo, hi): &Range) -> f64 {
    let difference = |hi: &Rational| Rational::from(hi - lo).to_f64();
    hi.as_ref().map_or(f64::INFINITY, difference)
}

/// The width of a range, of an unbounded one after x ↦ x/(1 + |x|).
fn extent(range: &Range) -> f64 {
    let (lo, hi) = range;
    match hi {
        Some(_) => width(range),
        None => 1.0 - lo.to_f64() / (1.0 + lo.to_f64().abs()),
    }
}

fn mean_value<N: Enclose>(goal: &Goal<N>, slopes: &Gradient<N>, cell: &Cell, point: &[N]) -> N {
    if cell.ranges.iter().any(|(_, hi)| hi.is_none()) {
        return N::int(-1);
    }
    let centre: Vec<N> = cell
        .ranges
        .iter()
        .map(|r| N::constant(&middle(r)))
        .collect();
    let mut bound = goal.tape.value(&centre);
    for (i, slope) in slopes.iter().enumerate() {
        let (lo, hi) = &cell.ranges[i];
        if let (Some(slope), true) = (slope, Some(lo) != hi.as_ref()) {
            bound = bound.add(&slope.mul(&point[i].sub(&centre[i])));
        }
    }
    bound
}
