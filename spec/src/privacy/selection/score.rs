//! The law of one candidate's noisy score, exactly described.
//!
//! A score is S = h(g + χ) with χ Laplace of scale b. For every selection rule of this crate the set
//! {z : h(z) ≤ x} is an interval [l(x), u(x)] whose ends are piecewise affine in x (a
//! [`LevelSets`]), so the distribution function F((u(x) − g)/b) − F((l(x) − g)/b) is, between
//! finitely many rational breakpoints, a constant plus a few exponentials with rational exponents.
//! Its jumps are the atoms of the score, located exactly.

use crate::arith::{Interval, Rational};

/// x ↦ slope · x + intercept, over the rationals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Affine {
    /// Coefficient of x.
    pub slope: Rational,
    /// Value at 0.
    pub intercept: Rational,
}

impl Affine {
    /// The map x ↦ slope · x + intercept.
    #[must_use]
    pub const fn new(slope: Rational, intercept: Rational) -> Self {
        Self { slope, intercept }
    }

    pub(super) fn at(&self, x: &Rational) -> Rational {
        Rational::from(&self.slope * x) + &self.intercept
    }

    /// Where the map equals y, unless it is constant.
    fn solve(&self, y: &Rational) -> Option<Rational> {
        (self.slope != 0).then(|| Rational::from(y - &self.intercept) / &self.slope)
    }
}

/// The sets {z : h(z) ≤ x} = [lower(x), upper(x)] of one rule for one coordinate, as x grows.
///
/// `pieces[i]` holds from `starts[i]` (inclusive) to the next start; a missing first start means −∞,
/// and before the first start the set is empty. A missing end is infinite. Lower ends decrease and
/// upper ends increase with x, also across pieces.
#[derive(Clone, Debug)]
pub struct LevelSets {
    /// Where the first piece starts; `None` if scores are unbounded below.
    pub first: Option<Rational>,
    /// Where the later pieces start, ascending.
    pub later: Vec<Rational>,
    /// The ends on each piece: one more than `later`.
    pub pieces: Vec<(Option<Affine>, Option<Affine>)>,
}

/// coefficient · e^(rate · (x − centre) + shift). Centred, so that large offsets cost no accuracy.
#[derive(Clone, Debug)]
struct Term {
    coefficient: Rational,
    rate: Rational,
    centre: Rational,
    shift: Rational,
}

/// A constant plus exponentials.
#[derive(Clone, Debug, Default)]
pub(super) struct ExpSum {
    constant: Rational,
    terms: Vec<Term>,
}

/// The law of a score: distribution function between breakpoints, and its jumps.
#[derive(Clone, Debug)]
pub struct ScoreLaw {
    /// Breakpoints x₀ < … < x_{m−1}.
    pub(super) breaks: Vec<Rational>,
    /// Distribution function on (−∞, x₀), [x₀, x₁), …, [x_{m−1}, ∞).
    pub(super) pieces: Vec<ExpSum>,
    /// Whether the distribution function jumps at each breakpoint.
    pub(super) jumps: Vec<bool>,
}

impl ScoreLaw {
    /// The law of y + Lap(b): a signed score, in score units.
    #[must_use]
    pub fn laplace(y: &Rational, b: &Rational) -> Self {
        let identity = Affine::new(Rational::from(1), Rational::new());
        let sets = LevelSets {
            first: None,
            later: vec![],
            pieces: vec![(None, Some(identity))],
        };
        Self::of(&sets, y, b)
    }

    /// The law of |y + Lap(b)|: the score of the greedy rules without a regulariser.
    #[must_use]
    pub fn folded_laplace(y: &Rational, b: &Rational) -> Self {
        let line = |slope| Some(Affine::new(Rational::from(slope), Rational::new()));
        let sets = LevelSets {
            first: Some(Rational::new()),
            later: vec![],
            pieces: vec![(line(-1), line(1))],
        };
        Self::of(&sets, y, b)
    }

    /// The score that is certainly x.
    #[must_use]
    pub fn point(x: &Rational) -> Self {
        Self {
            breaks: vec![x.clone()],
            pieces: vec![
                ExpSum::default(),
                ExpSum {
                    constant: Rational::from(1),
                    terms: vec![],
                },
            ],
            jumps: vec![true],
        }
    }

    /// The law of h(g + Lap(b)) for the rule with the given level sets; b > 0.
    #[must_use]
    pub fn of(sets: &LevelSets, g: &Rational, b: &Rational) -> Self {
        let mut law = Self {
            breaks: vec![],
            pieces: vec![ExpSum::default()],
            jumps: vec![],
        };
        for (i, ends) in sets.pieces.iter().enumerate() {
            let start = match i {
                0 => sets.first.as_ref(),
                _ => sets.later.get(i - 1),
            };
            let stop = sets.later.get(i);
            let before = i.checked_sub(1).map(|j| &sets.pieces[j]);
            match start {
                Some(x) => law.push(x.clone(), distribution(ends, g, b, x, stop), {
                    jumps_at(before, ends, x)
                }),
                None => law.pieces[0] = distribution_before(ends, g, b, stop),
            }
            for x in crossings(ends, g, start, stop) {
                let piece = distribution(ends, g, b, &x, stop);
                law.push(x, piece, false);
            }
        }
        law
    }

    /// The law of −S.
    #[must_use]
    pub fn negated(&self) -> Self {
        let flip = |piece: &ExpSum| piece.complement().mirrored();
        Self {
            breaks: self
                .breaks
                .iter()
                .rev()
                .map(|x| Rational::from(-x))
                .collect(),
            pieces: self.pieces.iter().rev().map(flip).collect(),
            jumps: self.jumps.iter().rev().copied().collect(),
        }
    }

    fn push(&mut self, x: Rational, piece: ExpSum, jumps: bool) {
        self.breaks.push(x);
        self.pieces.push(piece);
        self.jumps.push(jumps);
    }

    /// Index of the piece that holds just to the right of x.
    pub(super) fn piece_from(&self, x: &Rational) -> usize {
        self.breaks.partition_point(|b| b <= x)
    }

    /// P\[S < x\].
    pub(super) fn below(&self, x: &Rational, precision: u32) -> Interval {
        let piece = self.breaks.partition_point(|b| b < x);
        self.pieces[piece].at_rational(x, precision)
    }

    /// P\[S ≤ x\].
    pub(super) fn up_to(&self, x: &Rational, precision: u32) -> Interval {
        self.pieces[self.piece_from(x)].at_rational(x, precision)
    }

    /// P\[S > x\].
    pub(super) fn above(&self, x: &Rational, precision: u32) -> Interval {
        let survival = self.pieces[self.piece_from(x)].complement();
        survival.at_rational(x, precision)
    }

    /// P\[S = x\], exactly 0 where the distribution function does not jump.
    pub(super) fn mass(&self, x: &Rational, precision: u32) -> Interval {
        match self.breaks.binary_search(x) {
            Ok(i) if self.jumps[i] => &self.up_to(x, precision) - &self.below(x, precision),
            _ => Interval::from(0),
        }
    }
}

/// F((u − g)/b) − F((l − g)/b) just to the right of x, valid until `stop` or the next crossing.
fn distribution(
    (lower, upper): &(Option<Affine>, Option<Affine>),
    g: &Rational,
    b: &Rational,
    x: &Rational,
    stop: Option<&Rational>,
) -> ExpSum {
    // A point strictly inside the piece decides on which side of g each end lies: at the middle of
    // what is left before the next crossing, or one unit further when nothing is left to cross.
    let ends = (lower.clone(), upper.clone());
    let next = crossings(&ends, g, Some(x), stop).into_iter().next();
    let probe = match next.as_ref().or(stop) {
        Some(next) => Rational::from(x + next) / 2,
        None => Rational::from(x + 1),
    };
    assemble(&ends, g, b, &probe)
}

/// The same on a piece that reaches to −∞.
fn distribution_before(
    ends: &(Option<Affine>, Option<Affine>),
    g: &Rational,
    b: &Rational,
    stop: Option<&Rational>,
) -> ExpSum {
    let first = crossings(ends, g, None, stop).into_iter().next();
    let probe = match first.as_ref().or(stop) {
        Some(x) => Rational::from(x - 1),
        None => Rational::new(),
    };
    assemble(ends, g, b, &probe)
}

fn assemble(
    (lower, upper): &(Option<Affine>, Option<Affine>),
    g: &Rational,
    b: &Rational,
    probe: &Rational,
) -> ExpSum {
    let mut sum = ExpSum::default();
    match upper {
        Some(u) => sum.add_laplace(u, g, b, probe, 1),
        None => sum.constant += 1,
    }
    if let Some(l) = lower {
        sum.add_laplace(l, g, b, probe, -1);
    }
    sum
}

/// Where an end of the level set passes g strictly inside (start, stop): the distribution function
/// changes its formula there.
fn crossings(
    (lower, upper): &(Option<Affine>, Option<Affine>),
    g: &Rational,
    start: Option<&Rational>,
    stop: Option<&Rational>,
) -> Vec<Rational> {
    let inside = |x: &Rational| start.is_none_or(|s| s < x) && stop.is_none_or(|s| x < s);
    let both = [lower, upper].into_iter().flatten();
    let mut found: Vec<_> = both.filter_map(|end| end.solve(g)).filter(inside).collect();
    found.sort();
    found.dedup();
    found
}

/// Whether the level set grows by a set of positive measure at x.
fn jumps_at(
    before: Option<&(Option<Affine>, Option<Affine>)>,
    (lower, upper): &(Option<Affine>, Option<Affine>),
    x: &Rational,
) -> bool {
    let at = |end: &Option<Affine>| end.as_ref().map(|a| a.at(x));
    match before {
        Some((l, u)) => at(l) != at(lower) || at(u) != at(upper),
        None => match (at(lower), at(upper)) {
            (Some(l), Some(u)) => l != u,
            _ => true,
        },
    }
}

impl ExpSum {
    /// Adds sign · F((end(x) − g)/b), F the unit Laplace distribution function, in the form that
    /// holds at `probe`.
    fn add_laplace(
        &mut self,
        end: &Affine,
        g: &Rational,
        b: &Rational,
        probe: &Rational,
        sign: i32,
    ) {
        let left = end.at(probe) <= *g;
        let side = if left { 1 } else { -1 };
        let half = Rational::from((sign * side, 2));
        if !left {
            self.constant += sign;
        }
        let mut term = Term {
            coefficient: half,
            rate: Rational::from(&end.slope / b) * side,
            centre: Rational::new(),
            shift: Rational::new(),
        };
        match end.solve(g) {
            Some(centre) => term.centre = centre,
            None => term.shift = -(Rational::from(&end.intercept - g).abs() / b),
        }
        self.terms.push(term);
    }

    /// The rate shared by all terms, if the sum has no constant and the rate is positive: then the
    /// sum is a multiple of e^(rate · x).
    pub(super) fn pure_growth(&self) -> Option<&Rational> {
        let rate = &self.terms.first()?.rate;
        let alike = self.terms.iter().all(|t| t.rate == *rate);
        (self.constant == 0 && alike && *rate > 0).then_some(rate)
    }

    /// Whether the sum is identically 0.
    pub(super) fn is_zero(&self) -> bool {
        self.constant == 0 && self.terms.is_empty()
    }

    /// The slowest rate of decay or growth among the terms that vary.
    pub(super) fn slowest(&self) -> Option<Rational> {
        let rates = self.terms.iter().map(|t| t.rate.clone().abs());
        rates.filter(|r| *r != 0).min()
    }

    /// The fastest rate among the terms.
    pub(super) fn fastest(&self) -> Option<Rational> {
        self.terms.iter().map(|t| t.rate.clone().abs()).max()
    }

    /// 1 − self.
    fn complement(&self) -> Self {
        let negative = |t: &Term| Term {
            coefficient: Rational::from(-&t.coefficient),
            ..t.clone()
        };
        Self {
            constant: Rational::from(1 - &self.constant),
            terms: self.terms.iter().map(negative).collect(),
        }
    }

    /// x ↦ self(−x).
    fn mirrored(&self) -> Self {
        let mirror = |t: &Term| Term {
            rate: Rational::from(-&t.rate),
            centre: Rational::from(-&t.centre),
            ..t.clone()
        };
        Self {
            constant: self.constant.clone(),
            terms: self.terms.iter().map(mirror).collect(),
        }
    }

    /// Enclosures of all coefficients, for repeated evaluation.
    pub(super) fn compile(&self, precision: u32) -> Curve {
        let enclose = |x: &Rational| Interval::rational_at(x, precision);
        let terms = self.terms.iter().map(|t| CurveTerm {
            coefficient: enclose(&t.coefficient),
            rate: enclose(&t.rate),
            centre: enclose(&t.centre),
            shift: enclose(&t.shift),
        });
        Curve {
            constant: enclose(&self.constant),
            terms: terms.collect(),
        }
    }

    fn at_rational(&self, x: &Rational, precision: u32) -> Interval {
        let (value, _) = self
            .compile(precision)
            .at(&Interval::rational_at(x, precision));
        value
    }
}

/// An [`ExpSum`] at a fixed precision.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    constant: Interval,
    terms: Vec<CurveTerm>,
}

#[derive(Clone, Debug)]
struct CurveTerm {
    coefficient: Interval,
    rate: Interval,
    centre: Interval,
    shift: Interval,
}

impl Curve {
    /// Value and derivative.
    pub(super) fn at(&self, x: &Interval) -> (Interval, Interval) {
        let start = (self.constant.clone(), Interval::from(0));
        self.terms.iter().fold(start, |(value, slope), t| {
            let y = t.at(x);
            (&value + &y, &slope + &(&y * &t.rate))
        })
    }

    /// Value at b − value at a, free of the constant's cancellation.
    pub(super) fn increase(&self, a: &Interval, b: &Interval) -> Interval {
        self.terms.iter().map(|t| &t.at(b) - &t.at(a)).sum()
    }

    /// Upper bounds of |value| and |derivative| at all complex x with Re x in `real`.
    pub(super) fn moduli(&self, real: &Interval) -> (Interval, Interval) {
        let start = (self.constant.abs(), Interval::from(0));
        self.terms.iter().fold(start, |(value, slope), t| {
            let size = Interval::point(t.at(real).abs().hi().clone());
            (&value + &size, &slope + &(&size * &t.rate.abs()))
        })
    }
}

impl CurveTerm {
    fn at(&self, x: &Interval) -> Interval {
        let exponent = &(&(x - &self.centre) * &self.rate) + &self.shift;
        &exponent.exp() * &self.coefficient
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P[h(z) ≤ x] = F((u − g)/b) − F((l − g)/b) for every rule, with atoms where the sets jump and nowhere else.
    #[test]
    fn laws_are_those_of_their_level_sets() {
        use crate::arith::{PRECISION, ratio};
        use crate::privacy::selection::{GreedyRule, Regulariser, level_sets};
        let below = |z: f64| {
            let tail = 0.5 * (-z.abs()).exp();
            if z < 0.0 { tail } else { 1.0 - tail }
        };
        let regularisers = [
            Regulariser::None,
            Regulariser::L1(ratio(3, 4)),
            Regulariser::Ridge(ratio(5, 1)),
            Regulariser::Box(ratio(-1, 1), ratio(2, 1)),
        ];
        let rules = [GreedyRule::Subgradient, GreedyRule::Step];
        for (rule, psi) in rules
            .iter()
            .flat_map(|r| regularisers.iter().map(move |p| (*r, p)))
        {
            for (w, (g, b)) in [-1, 0, 2].into_iter().flat_map(|w| {
                let noises = [((1, 2), (1, 1)), ((-3, 1), (1, 4)), ((0, 1), (2, 1))];
                noises.map(|noise| (ratio(w, 1), noise))
            }) {
                let sets = level_sets(rule, psi, &w, &ratio(2, 1)).expect("affine");
                let (g, b) = (ratio(g.0, g.1), ratio(b.0, b.1));
                let law = ScoreLaw::of(&sets, &g, &b);
                let share = |piece: &(Option<Affine>, Option<Affine>), x: &Rational| {
                    let at = |end: &Affine| (end.at(x).to_f64() - g.to_f64()) / b.to_f64();
                    let upper = piece.1.as_ref().map_or(1.0, |end| below(at(end)));
                    upper - piece.0.as_ref().map_or(0.0, |end| below(at(end)))
                };
                for x in (-2..48).map(|k| ratio(k, 8)) {
                    let told = format!("{rule:?}, {psi:?}, w = {w}, g = {g}, b = {b} at {x}");
                    let from = |x: &Rational, until: bool| {
                        let first = sets.first.as_ref().expect("scores are not negative");
                        if x < first || (until && x == first) {
                            return 0.0;
                        }
                        let passed = |s: &Rational| if until { s < x } else { s <= x };
                        share(&sets.pieces[sets.later.partition_point(passed)], x)
                    };
                    let (with, without) = (from(&x, false), from(&x, true));
                    let is = |found: Interval, truth: f64, what: &str| {
                        let near = (found.hi_f64() - truth).abs() < 1e-14 && found.width() < 1e-30;
                        assert!(near, "{told}: {what} {found}, {truth}");
                    };
                    is(law.up_to(&x, PRECISION), with, "up to");
                    is(law.below(&x, PRECISION), without, "below");
                    is(law.above(&x, PRECISION), 1.0 - with, "above");
                    is(law.mass(&x, PRECISION), with - without, "mass");
                    if sets.first.as_ref() != Some(&x) && !sets.later.contains(&x) {
                        assert_eq!(law.mass(&x, PRECISION), Interval::from(0), "{told}");
                    }
                }
            }
        }
    }

    /// F((3 − 1)/2) = 1 − e⁻¹/2 wherever x is.
    #[test]
    fn an_end_that_does_not_move_has_its_distance_in_the_exponent() {
        let mut sum = ExpSum::default();
        let end = Affine::new(Rational::new(), Rational::from(3));
        let (g, b) = (Rational::from(1), Rational::from(2));
        sum.add_laplace(&end, &g, &b, &Rational::new(), 1);
        let term = &sum.terms[0];
        assert_eq!((&sum.constant, sum.terms.len()), (&Rational::from(1), 1));
        assert_eq!(term.coefficient, Rational::from((-1, 2)));
        assert_eq!(
            (&term.rate, &term.shift),
            (&Rational::new(), &Rational::from(-1))
        );
        for x in [-4, 0, 9].map(Rational::from) {
            let found = sum.at_rational(&x, crate::arith::PRECISION).hi_f64();
            assert!(
                (found - (1.0 - 0.5 * (-1f64).exp())).abs() < 1e-15,
                "{x}: {found}"
            );
        }
    }

    /// −z, whose sets [−x, ∞) have no first one and are cut where their end passes g.
    #[test]
    fn what_comes_before_the_first_cut_is_seen_from_before_it() {
        let ends = || {
            let line = Affine::new(Rational::from(-1), Rational::new());
            (Some(line), None)
        };
        let sets = LevelSets {
            first: None,
            later: vec![Rational::new()],
            pieces: vec![ends(), ends()],
        };
        let law = ScoreLaw::of(&sets, &Rational::new(), &Rational::from(1));
        for x in [-3, -1, 0, 2] {
            let tail = 0.5 * (-f64::from(x).abs()).exp();
            let truth = if x < 0 { tail } else { 1.0 - tail };
            let found = law.up_to(&Rational::from(x), crate::arith::PRECISION);
            assert!((found.hi_f64() - truth).abs() < 1e-15, "{x}: {found}");
        }
    }
}
