//! Well-formedness of terms and sorts: every operation gets what it can take.

use crate::Stuck;
use crate::scope::{Scope, sensible, stuck};
use crate::sign;
use crate::statement::{INPUT, Item, Lipschitz, Mean, Notion, Sign, Sort};
use crate::term::{Binder, Op, Term};

/// What a term denotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A natural number.
    Natural,
    /// A real number.
    Number,
    /// A vector of a dimension.
    Vector(Term),
    /// A sequence of vectors of a dimension.
    Sequence(Term),
    /// A subset of the indices below a bound.
    Set(Term),
    /// A number for every subset.
    SetFunction(Term),
    /// Whatever else has a name: functions, data sets, records, laws, processes.
    Other,
}

impl Scope<'_> {
    pub fn number(&mut self, term: &Term) -> Result<(), Stuck> {
        match self.kind(term)? {
            Kind::Natural | Kind::Number => Ok(()),
            other => stuck(format!("{term:?} is {other:?}, not a number")),
        }
    }

    pub fn index(&mut self, j: &Term, below: &Term) -> Result<(), Stuck> {
        match j {
            Term::Var(x) if self.sort(x) == Some(&Sort::Index(below.clone())) => Ok(()),
            _ => stuck(format!("{j:?} is not an index below {below:?}")),
        }
    }

    pub fn record(&self, term: &Term) -> Result<(), Stuck> {
        match term {
            Term::Var(name) if self.sort(name) == Some(&Sort::Record) => Ok(()),
            _ => stuck(format!("{term:?} is not a record")),
        }
    }

    pub fn vector(&mut self, term: &Term) -> Result<Term, Stuck> {
        match self.kind(term)? {
            Kind::Vector(d) => Ok(d),
            other => stuck(format!("{term:?} is {other:?}, not a vector")),
        }
    }

    pub fn is_vector(&mut self, term: &Term, dimension: &Term) -> Result<(), Stuck> {
        if self.vector(term)? == *dimension {
            return Ok(());
        }
        stuck(format!("{term:?} is not a vector of that dimension"))
    }

    /// What a term denotes.
    pub fn kind(&mut self, term: &Term) -> Result<Kind, Stuck> {
        match term {
            Term::Num(value) if *value.denom() != 1 => {
                stuck(format!("write {value} as a quotient"))
            }
            Term::Num(value) if *value >= 0 => Ok(Kind::Natural),
            Term::Num(_) => Ok(Kind::Number),
            Term::Var(name) => self.name(name),
            Term::App(name, arguments) => self.applied(name, arguments),
            Term::Op(op, arguments) => self.operation(*op, arguments),
            Term::Bind(binder, name, of, body) => self.binder(*binder, name, of, body),
        }
    }

    fn name(&mut self, name: &str) -> Result<Kind, Stuck> {
        if let Some(sort) = self.sort(name) {
            return Ok(match sort {
                Sort::Count | Sort::Index(_) => Kind::Natural,
                Sort::Real(_) => Kind::Number,
                Sort::Vector(d, _) => Kind::Vector(d.clone()),
                Sort::Sequence(d) => Kind::Sequence(d.clone()),
                Sort::Set(d) => Kind::Set(d.clone()),
                Sort::Outcome(law) => Kind::Set(self.set_law(law)?),
                Sort::SetFunction(d, _) => Kind::SetFunction(d.clone()),
                _ => Kind::Other,
            });
        }
        match self.context.get(name) {
            Some(Item::Process(..)) => Ok(Kind::Other),
            _ => stuck(format!("nothing is called {name}")),
        }
    }

    fn applied(&mut self, name: &str, arguments: &[Term]) -> Result<Kind, Stuck> {
        match (self.sort(name).cloned(), arguments) {
            (Some(Sort::Function(d, _) | Sort::Risk(d, ..)), [x]) => {
                return self.is_vector(x, &d).map(|()| Kind::Number);
            }
            (Some(Sort::Map(from, to)), _) if from.len() == arguments.len() => {
                for (x, d) in arguments.iter().zip(&from) {
                    self.is_vector(x, d)?;
                }
                return Ok(Kind::Vector(to));
            }
            (Some(Sort::Loss(d, ..)), [x, z]) => {
                self.is_vector(x, &d)?;
                return self.record(z).map(|()| Kind::Number);
            }
            (Some(Sort::Field(from, to)), [x, z]) => {
                self.is_vector(x, &from)?;
                return self.record(z).map(|()| Kind::Vector(to));
            }
            (Some(Sort::Feature(d)), [x]) => return self.record(x).map(|()| Kind::Vector(d)),
            (Some(Sort::Label), [x]) => return self.record(x).map(|()| Kind::Number),
            _ => {}
        }
        let Some(Item::Define(_, parameters, _)) = self.context.get(name) else {
            return stuck(format!("{name} is neither a function nor a definition"));
        };
        if parameters.len() != arguments.len() {
            return stuck(format!("{name} takes {} arguments", parameters.len()));
        }
        let mut all = parameters.iter().zip(arguments);
        all.try_for_each(|((_, sort), argument)| self.takes(name, sort, argument))?;
        Ok(Kind::Number)
    }

    /// Fails unless a definition with a parameter of that sort can take this.
    pub fn takes(&mut self, name: &str, sort: &Sort, argument: &Term) -> Result<(), Stuck> {
        match sort {
            Sort::Index(bound) => self.index(argument, bound),
            Sort::Real(Sign::Any) => self.number(argument),
            Sort::Vector(d, Sign::Any) if self.vector(argument)? == *d => Ok(()),
            Sort::Set(d) if self.kind(argument)? == Kind::Set(d.clone()) => Ok(()),
            _ => stuck(format!("{name} cannot take {argument:?}")),
        }
    }

    fn operation(&mut self, op: Op, arguments: &[Term]) -> Result<Kind, Stuck> {
        match (op, arguments) {
            (Op::Add | Op::Mul, _) if arguments.len() >= 2 => {
                let mut natural = true;
                for a in arguments {
                    // Once for each: parts lie in parts.
                    match self.kind(a)? {
                        Kind::Natural => {}
                        Kind::Number => natural = false,
                        _ => self.number(a)?,
                    }
                }
                Ok(if natural { Kind::Natural } else { Kind::Number })
            }
            (Op::Sub | Op::Div | Op::Max | Op::AtMost, [_, _])
            | (Op::Sqrt | Op::Log | Op::Exp | Op::Abs, [_]) => {
                arguments.iter().try_for_each(|a| self.number(a))?;
                Ok(Kind::Number)
            }
            (Op::Pow, [a, n]) => {
                self.number(a)?;
                let written = matches!(n, Term::Num(n) if *n.denom() == 1);
                match written || self.kind(n)? == Kind::Natural {
                    true => Ok(Kind::Number),
                    false => stuck(format!("{n:?} is not a natural number")),
                }
            }
            (Op::Norm, [v]) => self.vector(v).map(|_| Kind::Number),
            (Op::Clip, [x, bound]) => {
                self.number(bound)?;
                match self.kind(x)? {
                    Kind::Vector(d) => Ok(Kind::Vector(d)),
                    _ => self.number(x).map(|()| Kind::Number),
                }
            }
            (Op::At, [v, j]) => match self.kind(v)? {
                Kind::Vector(d) => self.index(j, &d).map(|()| Kind::Number),
                Kind::Sequence(d) => match self.kind(j)? {
                    Kind::Natural => Ok(Kind::Vector(d)),
                    _ => stuck(format!("{j:?} is not a natural number")),
                },
                Kind::SetFunction(d) => match self.kind(j)? {
                    Kind::Set(e) if e == d => Ok(Kind::Number),
                    _ => stuck(format!("{j:?} is not a subset")),
                },
                other => stuck(format!("{v:?} is {other:?} and has no entries")),
            },
            (Op::Partial, [Term::Var(f), x, rest @ .., j]) => {
                let d = match (self.sort(f), rest) {
                    (Some(Sort::Function(d, _) | Sort::Risk(d, ..)), [])
                    | (Some(Sort::Loss(d, ..)), [_]) => d.clone(),
                    _ => return stuck(format!("{f} cannot be differentiated like this")),
                };
                rest.iter().try_for_each(|r| self.record(r))?;
                self.is_vector(x, &d)?;
                self.index(j, &d).map(|()| Kind::Number)
            }
            (Op::Unit, [Term::Var(i), Term::Var(j)]) => match (self.sort(i), self.sort(j)) {
                (Some(Sort::Index(a)), Some(Sort::Index(b))) if a == b => Ok(Kind::Number),
                _ => stuck(format!("{i} and {j} are not indices below the same bound")),
            },
            (Op::Member, [j, s]) => match self.kind(s)? {
                Kind::Set(d) => self.index(j, &d).map(|()| Kind::Number),
                _ => stuck(format!("{s:?} is not a set")),
            },
            (Op::Inclusion, [j, Term::Var(law)]) => {
                let d = self.set_law(law)?;
                self.index(j, &d).map(|()| Kind::Number)
            }
            _ => stuck(format!("{op:?} cannot take {arguments:?}")),
        }
    }

    fn binder(
        &mut self,
        binder: Binder,
        name: &str,
        of: &Term,
        body: &Term,
    ) -> Result<Kind, Stuck> {
        if self.context.get(name).is_some() {
            return stuck(format!("{name} is bound and has a meaning already"));
        }
        // Or a range that depends on the outer variable of that name would pass for one that depends on the inner.
        let ranged =
            |sort: &Sort| matches!(sort, Sort::Index(d) | Sort::Vector(d, _) if d.mentions(name));
        if self.locals.iter().any(|(_, sort)| ranged(sort)) {
            return stuck(format!("a range depends on another {name}"));
        }
        match name.strip_prefix('%') {
            // What is left over in normal form names its variables like this.
            Some(height) if height.bytes().all(|b| b.is_ascii_digit()) => {}
            _ => sensible(name)?,
        }
        match (binder, of) {
            (Binder::Sum | Binder::Vec | Binder::Weighted, bound) => self.count(bound)?,
            (Binder::Sup, Term::Op(Op::Except, range)) => {
                let [bound, j] = &range[..] else {
                    return stuck("a range takes a bound and an index".into());
                };
                self.count(bound)?;
                self.index(j, bound)?;
            }
            (Binder::Expect, law) => self.law(law)?,
            _ => {}
        }
        let sort = self.bound(binder, of)?;
        self.locals.push((name.to_owned(), sort));
        let found = self.number(body);
        let weight = binder == Binder::Weighted && sign::of(self, body) >= Sign::NonNegative;
        self.locals.pop();
        found?;
        Ok(match binder {
            Binder::Vec => Kind::Vector(of.clone()),
            Binder::Weighted if weight => Kind::Other,
            Binder::Weighted => return stuck(format!("the weight {body:?} may be negative")),
            _ => Kind::Number,
        })
    }

    /// A bound: plainly an integer ≥ 1, so that no range is empty.
    pub fn count(&mut self, bound: &Term) -> Result<(), Stuck> {
        if self.kind(bound)? == Kind::Natural && sign::of(self, bound) == Sign::Positive {
            return Ok(());
        }
        stuck(format!("{bound:?} is not an integer ≥ 1"))
    }

    /// A law, with a variance or weights that are never negative.
    pub fn law(&mut self, law: &Term) -> Result<(), Stuck> {
        match law {
            Term::Bind(Binder::Weighted, ..) => self.kind(law).map(|_| ()),
            Term::Op(Op::Normal | Op::Laplace, arguments) => {
                let spread = match &arguments[..] {
                    [d, spread] => self.count(d).map(|()| spread)?,
                    [spread] => spread,
                    _ => return stuck("noise has a dimension and a spread, or a spread".into()),
                };
                self.number(spread)?;
                if sign::of(self, spread) < Sign::NonNegative {
                    return stuck(format!("{spread:?} may be negative"));
                }
                Ok(())
            }
            _ => Sort::drawn(self.context, law)
                .map(|_| ())
                .ok_or_else(|| Stuck::new(format!("{law:?} is not a law"))),
        }
    }

    pub fn sort_is_well_formed(&mut self, sort: &Sort) -> Result<(), Stuck> {
        match sort {
            Sort::Count | Sort::Real(_) | Sort::Record | Sort::Label | Sort::Pair => Ok(()),
            Sort::Index(d)
            | Sort::Vector(d, _)
            | Sort::Sequence(d)
            | Sort::Dataset(d, _)
            | Sort::SetLaw(d)
            | Sort::Set(d)
            | Sort::Feature(d)
            | Sort::SetFunction(d, _) => self.count(d),
            Sort::Field(from, to) => self.count(from).and_then(|()| self.count(to)),
            Sort::Map(from, to) => {
                let mut all = from.iter().chain([to]);
                all.try_for_each(|d| self.count(d))
            }
            Sort::Outcome(law) => self.set_law(law).map(|_| ()),
            Sort::Function(d, constants) => self.constants(d, &Lipschitz::Entries, constants),
            Sort::Risk(d, constants, Mean { data, loss, rest }) => {
                self.data(data)?;
                let fits = match (self.context.sort(loss), self.context.sort(rest)) {
                    (Some(Sort::Loss(e, class, _)), Some(Sort::Function(c, _))) => {
                        *class != Lipschitz::Whole && e == d && c == d
                    }
                    _ => false,
                };
                if !fits {
                    return stuck(format!("no mean of {loss} and {rest}"));
                }
                self.constants(d, &Lipschitz::Entries, constants)
            }
            Sort::Loss(d, lipschitz, constants) => self.constants(d, lipschitz, constants),
            Sort::Mechanism(d, data, notion) => {
                self.count(d)?;
                self.data(data)?;
                let input = Sort::Vector(d.clone(), Sign::Any);
                self.locals.push((INPUT.to_owned(), input));
                let found = self.notion(notion);
                self.locals.pop();
                let reads = |t: &&Term| self.context.reads(t, data);
                match notion.numbers().into_iter().find(reads) {
                    Some(number) => stuck(format!("{number:?} reads the data")),
                    None => found,
                }
            }
        }
    }

    pub fn notion(&mut self, notion: &Notion) -> Result<(), Stuck> {
        match notion {
            Notion::Dominated(pair) => self.pair(pair),
            Notion::Renyi(a, _) if sign::of(self, a) != Sign::Positive => stuck("order ≤ 0".into()),
            _ => notion
                .numbers()
                .into_iter()
                .try_for_each(|t| self.number(t)),
        }
    }

    /// A pair of laws: a named one, of a plain kind with a number ≥ 0, or several, each some number of times.
    fn pair(&mut self, pair: &Term) -> Result<(), Stuck> {
        match pair {
            Term::Var(name) if self.sort(name) == Some(&Sort::Pair) => Ok(()),
            Term::Op(Op::Gaussian | Op::Response, a) if a.len() == 1 => {
                self.number(&a[0])?;
                match sign::of(self, &a[0]) {
                    Sign::Any => stuck(format!("{:?} may be negative", a[0])),
                    _ => Ok(()),
                }
            }
            Term::Op(Op::Add, all) if all.len() >= 2 => all.iter().try_for_each(|p| self.pair(p)),
            Term::Op(Op::Mul, many) if many.len() == 2 => {
                self.count(&many[0])?;
                self.pair(&many[1])
            }
            Term::Bind(Binder::Sum, k, bound, one) => {
                self.count(bound)?;
                self.fresh(k)?;
                self.locals
                    .push((k.clone(), Sort::Index((**bound).clone())));
                let found = self.pair(one);
                self.locals.pop();
                found
            }
            _ => stuck(format!("{pair:?} is no pair of laws")),
        }
    }

    /// Checks the constants of a class on the space of dimension d.
    pub fn constants(&mut self, d: &Term, class: &Lipschitz, constants: &str) -> Result<(), Stuck> {
        self.count(d)?;
        let fits = match (class, self.context.sort(constants)) {
            (Lipschitz::Entries, Some(Sort::Vector(e, Sign::Positive))) => e == d,
            (Lipschitz::Sets(law), Some(Sort::SetFunction(e, Sign::Positive))) => {
                e == d && self.set_law(law)? == *d
            }
            (Lipschitz::Whole, Some(Sort::Real(Sign::Positive))) => true,
            _ => false,
        };
        match fits {
            true => Ok(()),
            false => stuck(format!(
                "{constants} are not the positive numbers of such a class"
            )),
        }
    }

    /// The bound of the indices that a law of sets draws from.
    pub fn set_law(&self, law: &str) -> Result<Term, Stuck> {
        match self.context.sort(law) {
            Some(Sort::SetLaw(d)) => Ok(d.clone()),
            _ => stuck(format!("{law} is not the law of a random set")),
        }
    }
}
