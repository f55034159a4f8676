//! What is to be proved: a domain, hypotheses and an inequality.

use super::expr::{Expr, Fun, Node};
use super::identity::identical;
use crate::arith::Rational;

/// How a box coordinate u stands for the variable of the statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Map {
    /// The variable itself.
    Identity,
    /// x = scale / u, for x ≥ scale with u in (0, 1].
    Reciprocal(Rational),
    /// x = u / (1 − u), for x > 0 with u in (0, 1).
    Odds,
    /// x = eᵘ.
    Log,
}

/// One coordinate of the box.
#[derive(Clone, Debug, PartialEq)]
pub struct Var {
    /// The name in the statement.
    pub name: &'static str,
    /// Lower end.
    pub lo: Rational,
    /// Upper end; `None` is +∞.
    pub hi: Option<Rational>,
    /// Whether the lower end is excluded.
    pub lo_open: bool,
    /// Whether the upper end is excluded.
    pub hi_open: bool,
    /// Whether only integers count (of the variable of the statement, not of the coordinate).
    pub integer: bool,
    /// What the coordinate stands for.
    pub map: Map,
}

impl Var {
    /// The variable of the statement at coordinate `u`, if that is rational.
    pub(super) fn shown(&self, u: &Rational) -> Option<Rational> {
        match &self.map {
            Map::Identity => Some(u.clone()),
            Map::Reciprocal(scale) => (!u.is_zero()).then(|| Rational::from(scale / u)),
            Map::Odds => (*u != 1).then(|| u / Rational::from(1 - u)),
            Map::Log => None,
        }
    }

    /// Whether `u` belongs to the coordinate's range, ends and integrality included.
    #[must_use]
    pub fn admits(&self, u: &Rational) -> bool {
        let above = if self.lo_open {
            *u > self.lo
        } else {
            *u >= self.lo
        };
        let below = match &self.hi {
            None => true,
            Some(hi) if self.hi_open => u < hi,
            Some(hi) => u <= hi,
        };
        above && below && (!self.integer || self.shown(u).is_some_and(|x| x.is_integer()))
    }

    /// The variable's value at `u`, for a reader.
    #[must_use]
    pub fn describe(&self, u: &Rational) -> String {
        match self.shown(u) {
            Some(x) => format!("{} = {}", self.name, readable(&x)),
            None => format!("{} = exp({})", self.name, readable(u)),
        }
    }

    fn range(&self) -> String {
        let kind = if self.integer { "integer" } else { "real" };
        let (l, r) = (
            if self.lo_open { '(' } else { '[' },
            if self.hi_open { ')' } else { ']' },
        );
        let (name, lo) = (self.name, readable(&self.lo));
        let hi = self.hi.as_ref().map_or("inf".to_owned(), readable);
        match &self.map {
            Map::Identity => format!("{kind} {name} in {l}{lo}, {hi}{r}"),
            Map::Reciprocal(scale) => format!("{kind} {name} >= {}", readable(scale)),
            Map::Odds => format!("{kind} {name} > 0"),
            Map::Log => format!("{kind} ln {name} in {l}{lo}, {hi}{r}"),
        }
    }
}

/// An interval of a coordinate; `None` is +∞.
pub(super) type Range = (Rational, Option<Rational>);

impl Var {
    /// The whole range.
    pub(super) fn all(&self) -> Range {
        (self.lo.clone(), self.hi.clone())
    }

    /// Whether no coordinate lies in the range.
    pub(super) fn is_empty(&self) -> bool {
        let ends_open = self.lo_open || self.hi_open;
        (self.hi.as_ref()).is_some_and(|hi| *hi < self.lo || (*hi == self.lo && ends_open))
    }

    /// Whether the coordinate itself takes integers only.
    pub(super) fn is_stepped(&self) -> bool {
        self.integer && self.map == Map::Identity
    }
}

/// A rational as a reader wants it: exact when short, else with a decimal beside it.
#[must_use]
pub fn readable(x: &Rational) -> String {
    let exact = x.to_string();
    if exact.len() <= 12 {
        exact
    } else if exact.len() <= 60 {
        format!("{exact} (~{:.6e})", x.to_f64())
    } else {
        format!("~{:.17e}", x.to_f64())
    }
}

/// One end of a range.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    value: Option<Rational>,
    open: bool,
}

/// An end that belongs to the range.
pub fn closed(value: impl Into<Rational>) -> End {
    End {
        value: Some(value.into()),
        open: false,
    }
}

/// An end that does not belong to the range.
pub fn open(value: impl Into<Rational>) -> End {
    End {
        value: Some(value.into()),
        open: true,
    }
}

/// No upper end.
#[must_use]
pub const fn infinite() -> End {
    End {
        value: None,
        open: true,
    }
}

/// The variables of a statement with their ranges. Each method adds one and returns it as an
/// expression to write the statement with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Domain {
    pub(super) vars: Vec<Var>,
}

impl Domain {
    /// No variables yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A single real variable, with its domain.
    #[must_use]
    pub fn of(name: &'static str, lo: End, hi: End) -> (Self, Expr) {
        let (domain, [x]) = Self::of_all([name], lo, hi);
        (domain, x)
    }

    /// Real variables of the same range, with their domain.
    #[must_use]
    pub fn of_all<const N: usize>(names: [&'static str; N], lo: End, hi: End) -> (Self, [Expr; N]) {
        let mut domain = Self::new();
        let variables = names.map(|name| domain.real(name, lo.clone(), hi.clone()));
        (domain, variables)
    }

    /// A real variable between two ends; the upper one may be [`infinite`].
    pub fn real(&mut self, name: &'static str, lo: End, hi: End) -> Expr {
        self.add(name, lo, hi, false, Map::Identity)
    }

    /// An integer lo..=hi.
    pub fn integer(&mut self, name: &'static str, lo: i64, hi: i64) -> Expr {
        self.add(name, closed(lo), closed(hi), true, Map::Identity)
    }

    /// An integer ≥ lo without upper end, as itself.
    pub fn integer_from(&mut self, name: &'static str, lo: i64) -> Expr {
        self.add(name, closed(lo), infinite(), true, Map::Identity)
    }

    /// A real x ≥ lo > 0, through u = lo/x in (0, 1].
    pub fn at_least(&mut self, name: &'static str, lo: impl Into<Rational>) -> Expr {
        self.reciprocal(name, lo.into(), false)
    }

    /// An integer k ≥ lo ≥ 1, through u = lo/k in (0, 1]. A proof relaxes k to the reals; a
    /// counterexample has an integer k.
    pub fn integer_at_least(&mut self, name: &'static str, lo: u32) -> Expr {
        self.reciprocal(name, lo.max(1).into(), true)
    }

    /// A real x > 0, through u = x/(1+x) in (0, 1).
    pub fn positive(&mut self, name: &'static str) -> Expr {
        let u = self.add(name, open(0), open(1), false, Map::Odds);
        &u / (1 - &u)
    }

    /// A real x = eᵘ with u between two ends.
    pub fn log_scale(&mut self, name: &'static str, lo: End, hi: End) -> Expr {
        self.add(name, lo, hi, false, Map::Log).exp()
    }

    fn reciprocal(&mut self, name: &'static str, scale: Rational, integer: bool) -> Expr {
        let u = self.add(
            name,
            open(0),
            closed(1),
            integer,
            Map::Reciprocal(scale.clone()),
        );
        scale / u
    }

    fn add(&mut self, name: &'static str, lo: End, hi: End, integer: bool, map: Map) -> Expr {
        let lo_open = lo.open;
        // No lower end is −∞: write −x for such a variable. Here it makes the range empty, which
        // search and replay report.
        let (lo, hi) = match lo.value {
            Some(lo) => (lo, hi),
            None => (Rational::from(1), closed(0)),
        };
        self.vars.push(Var {
            name,
            lo,
            hi: hi.value,
            lo_open,
            hi_open: hi.open,
            integer,
            map,
        });
        Node::Var(self.vars.len() - 1).into()
    }
}

/// `expr ≥ 0`, or `expr > 0` if strict.
#[derive(Clone, Debug, PartialEq)]
pub struct SignCondition {
    /// The expression.
    pub expr: Expr,
    /// Whether zero is excluded.
    pub strict: bool,
}

/// For all points of the domain that satisfy the hypotheses, an inequality.
#[derive(Clone, Debug, PartialEq)]
pub struct Forall {
    /// The variables with their ranges.
    pub domain: Domain,
    /// The hypotheses.
    pub hypotheses: Vec<SignCondition>,
    /// Left side.
    pub lhs: Expr,
    /// Right side.
    pub rhs: Expr,
    /// Whether equality is excluded.
    pub strict: bool,
    factored: Option<(Expr, Expr)>,
}

impl Forall {
    /// For all points of `domain`, `lhs ≤ rhs`.
    #[must_use]
    pub fn le(domain: Domain, lhs: impl Into<Expr>, rhs: impl Into<Expr>) -> Self {
        Self::new(domain, lhs.into(), rhs.into(), false)
    }

    /// For all points of `domain`, `lhs < rhs`.
    #[must_use]
    pub fn lt(domain: Domain, lhs: impl Into<Expr>, rhs: impl Into<Expr>) -> Self {
        Self::new(domain, lhs.into(), rhs.into(), true)
    }

    fn new(domain: Domain, lhs: Expr, rhs: Expr, strict: bool) -> Self {
        Self {
            domain,
            hypotheses: Vec::new(),
            lhs,
            rhs,
            strict,
            factored: None,
        }
    }

    /// Adds the hypothesis `lhs ≤ rhs`.
    #[must_use]
    pub fn when_le(mut self, lhs: impl Into<Expr>, rhs: impl Into<Expr>) -> Self {
        self.hypotheses.push(SignCondition {
            expr: rhs.into() - lhs.into(),
            strict: false,
        });
        self
    }

    /// States the difference as `rhs − lhs = factor × better` with `factor ≥ 0` (> 0 if the
    /// inequality is strict); the proof then works on `better`, in which a common zero has been
    /// divided out. The identity is checked by exact expansion, the sign of `factor` is proved.
    #[must_use]
    pub fn factored(mut self, factor: impl Into<Expr>, better: impl Into<Expr>) -> Self {
        self.factored = Some((factor.into(), better.into()));
        self
    }

    /// Whether the factored form, if one is given, is an identity.
    #[must_use]
    pub fn is_consistent(&self) -> bool {
        let product = |(factor, better): &(Expr, Expr)| factor * better;
        self.factored
            .as_ref()
            .is_none_or(|pair| identical(&(&self.rhs - &self.lhs), &product(pair)))
    }

    /// The variables.
    #[must_use]
    pub fn vars(&self) -> &[Var] {
        &self.domain.vars
    }

    /// The domain in words.
    #[must_use]
    pub fn describe_domain(&self) -> String {
        let ranges: Vec<_> = self.vars().iter().map(Var::range).collect();
        ranges.join(", ")
    }

    /// What has to be shown: first that every operation is defined, then the inequality.
    #[must_use]
    pub fn goals(&self) -> Vec<SignCondition> {
        let mut goals = Vec::new();
        let strict = self.strict;
        let sign = |expr| SignCondition { expr, strict };
        let stated = sign(&self.rhs - &self.lhs);
        let main = match &self.factored {
            None => vec![stated.clone()],
            Some((factor, better)) => vec![sign(factor.clone()), sign(better.clone())],
        };
        // A factored form may be defined where what is stated is not.
        for part in self.hypotheses.iter().chain([&stated]).chain(&main) {
            definedness(&part.expr, &mut goals);
        }
        goals.extend(main);
        goals
    }
}

/// Appends what must be positive (or not negative) for `expr` to be defined, inner parts first.
/// A divisor must be positive: a quotient by something negative is written `-a / -b`.
pub(super) fn definedness(expr: &Expr, goals: &mut Vec<SignCondition>) {
    let mut need = |parts: &[&Expr], condition: Option<(Expr, bool)>| {
        for part in parts {
            definedness(part, goals);
        }
        let Some((expr, strict)) = condition else {
            return;
        };
        let value = expr.exact(&[]);
        let goal = SignCondition { expr, strict };
        if !value.is_some_and(|c| c > 0 || (c == 0 && !strict)) && !goals.contains(&goal) {
            goals.push(goal);
        }
    };
    match expr.node() {
        Node::Const(_) | Node::Pi | Node::Var(_) => {}
        Node::Div(a, b) => need(&[a, b], Some((b.clone(), true))),
        Node::Powi(a, n) => need(&[a], (*n < 0).then(|| (a.clone(), true))),
        Node::Fun(Fun::Sqrt, a) => need(&[a], Some((a.clone(), false))),
        Node::Fun(Fun::Ln, a) => need(&[a], Some((a.clone(), true))),
        Node::Fun(Fun::Ln1p, a) => need(&[a], Some((1 + a, true))),
        Node::Fun(_, a) => need(&[a], None),
        Node::Add(a, b) | Node::Sub(a, b) | Node::Mul(a, b) | Node::Min(a, b) | Node::Max(a, b) => {
            need(&[a, b], None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::ratio;

    /// The variable at a coordinate, and whether it is one: u/(1 − u), scale/u, u itself, and of eᵘ nothing exact.
    #[test]
    fn coordinates_stand_for_what_their_map_says() {
        let mut d = Domain::new();
        d.positive("x");
        d.integer_at_least("T", 6);
        d.real("y", open(-1), closed(2));
        d.log_scale("s", closed(-1), closed(1));
        d.integer("n", 1, 4);
        let at = |i: usize, p: i64, q: u64| d.vars[i].shown(&ratio(p, q));
        assert_eq!(
            [at(0, 1, 3), at(0, 3, 4), at(0, 1, 1)],
            [Some(ratio(1, 2)), Some(ratio(3, 1)), None]
        );
        assert_eq!([at(1, 1, 3), at(1, 0, 1)], [Some(ratio(18, 1)), None]);
        assert_eq!([at(2, 3, 2), at(3, 1, 2)], [Some(ratio(3, 2)), None]);
        let admits = |i: usize, p: i64, q: u64| d.vars[i].admits(&ratio(p, q));
        for (i, p, q, inside) in [
            (0, 0, 1, false),
            (0, 1, 9, true),
            (0, 1, 1, false),
            (1, 3, 4, true),
            (1, 4, 5, false),
            (1, 1, 1, true),
            (2, -1, 1, false),
            (2, 2, 1, true),
            (2, 5, 2, false),
            (4, 1, 1, true),
            (4, 3, 2, false),
            (4, 5, 1, false),
            (4, 0, 1, false),
        ] {
            assert_eq!(admits(i, p, q), inside, "{i}: {p}/{q}");
        }
        let told = |i: usize, p: i64, q: u64| d.vars[i].describe(&ratio(p, q));
        assert_eq!([told(0, 3, 4), told(1, 1, 3)], ["x = 3", "T = 18"]);
        assert_eq!([told(2, 3, 2), told(3, 1, 2)], ["y = 3/2", "s = exp(1/2)"]);
    }

    /// What must be positive for an expression to be defined, inner parts first and each once.
    #[test]
    fn conditions_are_collected_from_inside() {
        let [x, y]: [Expr; 2] = crate::prove::symbols();
        let told = |e: Expr| {
            let mut goals = Vec::new();
            definedness(&e, &mut goals);
            let sign =
                |g: &SignCondition| format!("{} {} 0", g.expr, if g.strict { ">" } else { ">=" });
            goals.iter().map(sign).collect::<Vec<_>>().join(", ")
        };
        for (e, conditions) in [
            (&x + 1 / &y, "x1 > 0"),
            (1 / x.sqrt(), "x0 >= 0, sqrt(x0) > 0"),
            (x.ln() - y.ln_1p(), "x0 > 0, (1 + x1) > 0"),
            (x.powi(-2) * y.powi(0) * y.powi(2), "x0 > 0"),
            (x.ln() + 1 / &x, "x0 > 0"),
            (x.sqrt() + 1 / &x, "x0 >= 0, x0 > 0"),
            (&x / 3 + Expr::from(0).sqrt() + Expr::from(2).ln(), ""),
            (
                &x / 0 + Expr::from(0).ln() + Expr::from(-1).sqrt(),
                "0 > 0, -1 >= 0",
            ),
            (
                (1 / &x).min(y.sqrt()).max(1 / &y).abs().phi(),
                "x0 > 0, x1 >= 0, x1 > 0",
            ),
        ] {
            assert_eq!(told(e.clone()), conditions, "{e}");
        }
    }
}
