//! Well-formedness: every name is introduced once before it is used, every operation gets what it can take.

use crate::Stuck;
use crate::sign;
use crate::statement::{
    Command, Context, Goal, INPUT, Item, Lipschitz, Mean, Notion, Process, Sign, Sort, Subject,
};
use crate::term::{Binder, Name, Op, Term, op};

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

/// A context with bound variables that stand inside a term.
pub(crate) struct Scope<'a> {
    pub context: &'a Context,
    pub locals: Vec<(Name, Sort)>,
}

/// Words of the text that are no names.
const RESERVED: [&str; 17] = [
    "Gaussian", "Laplace", "N", "Pairwise", "Response", "argmax", "clip", "end", "exp", "if",
    "log", "max", "min", "sqrt", "ℙ", "𝔼", INPUT,
];

/// Letters that look like a power, or like a Latin one: Greek and Cyrillic.
const LIKE_OTHERS: &str = "ⁱⁿʰʲʳʷʸˡˢˣΑΒΕΖΗΙΚΜΝΟΡΤΥΧοАВЕІКМНОРСТХаеіјорсух";

/// Whether a name may have this character.
pub(crate) fn in_name(c: char) -> bool {
    let letter = c.is_alphabetic() && !LIKE_OTHERS.contains(c);
    letter || c.is_ascii_digit() || matches!(c, '′' | '⋆' | '₀'..='₉')
}

/// Fails unless text reads this as a name, and it is no word of the language. So no name of a term is one of those that
/// substitution and normal forms make for a while.
fn sensible(name: &str) -> Result<(), Stuck> {
    let begins = name.chars().next().is_some_and(char::is_alphabetic);
    match begins && name.chars().all(in_name) && !RESERVED.contains(&name) {
        true => Ok(()),
        false => stuck(format!("{name:?} is not a name")),
    }
}

fn stuck<T>(why: String) -> Result<T, Stuck> {
    Err(Stuck::new(why))
}

impl<'a> Scope<'a> {
    pub fn new(context: &'a Context) -> Self {
        let locals = Vec::new();
        Self { context, locals }
    }

    pub fn sort(&self, name: &str) -> Option<&Sort> {
        let local = self.locals.iter().rev().find(|(x, _)| x == name);
        local.map_or_else(|| self.context.sort(name), |(_, sort)| Some(sort))
    }

    /// The sort of a binder's variable.
    pub fn bound(&self, binder: Binder, of: &Term) -> Result<Sort, Stuck> {
        let sort = match (binder, of) {
            (Binder::Sum | Binder::Vec | Binder::Weighted, bound) => {
                Some(Sort::Index(bound.clone()))
            }
            (Binder::Sup, Term::Op(Op::Except, range)) => range.first().cloned().map(Sort::Index),
            (Binder::Total, Term::Var(data)) => {
                matches!(self.context.sort(data), Some(Sort::Dataset(..))).then_some(Sort::Record)
            }
            (Binder::Expect, law) => Sort::drawn(self.context, law),
            _ => None,
        };
        sort.ok_or_else(|| Stuck::new(format!("{of:?} is not what a {binder:?} ranges over")))
    }

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
    fn takes(&mut self, name: &str, sort: &Sort, argument: &Term) -> Result<(), Stuck> {
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
    fn law(&mut self, law: &Term) -> Result<(), Stuck> {
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

    fn sort_is_well_formed(&mut self, sort: &Sort) -> Result<(), Stuck> {
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

    fn notion(&mut self, notion: &Notion) -> Result<(), Stuck> {
        match notion {
            Notion::Dominated(pair) => self.pair(pair),
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

    fn subject(&mut self, subject: &Subject) -> Result<(), Stuck> {
        match subject {
            Subject::Command(command) => match self.command(command)? {
                Some(_) => Ok(()),
                None => stuck("nothing is released".into()),
            },
            Subject::Process(name, _) if self.context.process(name).is_some() => Ok(()),
            _ => stuck("the mechanism has no meaning here".into()),
        }
    }

    /// Checks the constants of a class on the space of dimension d.
    fn constants(&mut self, d: &Term, class: &Lipschitz, constants: &str) -> Result<(), Stuck> {
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
    fn set_law(&self, law: &str) -> Result<Term, Stuck> {
        match self.context.sort(law) {
            Some(Sort::SetLaw(d)) => Ok(d.clone()),
            _ => stuck(format!("{law} is not the law of a random set")),
        }
    }

    /// The sort of a query with noise of a law added to it.
    fn released(&mut self, query: &Term, law: &Term) -> Result<Sort, Stuck> {
        match (law, self.kind(query)?) {
            (Term::Op(Op::Laplace | Op::Normal, a), Kind::Number | Kind::Natural)
                if a.len() == 1 =>
            {
                self.number(&a[0]).map(|()| Sort::Real(Sign::Any))
            }
            (Term::Op(Op::Normal, a), Kind::Vector(d)) if a.len() == 2 && a[0] == d => {
                self.number(&a[1]).map(|()| Sort::Vector(d, Sign::Any))
            }
            (Term::Op(Op::Pairwise, a), Kind::Vector(d)) if a.len() == 6 => {
                self.count(&a[0])?;
                self.index(&a[1], &a[0])?;
                self.number(&a[2])?;
                self.count(&a[4])?;
                self.number(&a[5])?;
                match self.kind(&a[3])? {
                    Kind::Sequence(m) if m == a[0] => {}
                    _ => return stuck(format!("{:?} has no entry for every message", a[3])),
                }
                let all = op(Op::Mul, [a[0].clone(), d]);
                Ok(Sort::Vector(all, Sign::Any))
            }
            _ => stuck(format!(
                "noise of the law {law:?} cannot be added to {query:?}"
            )),
        }
    }

    /// Checks a command; gives what it names, with its sort.
    pub fn command(&mut self, command: &Command) -> Result<Option<(Name, Sort)>, Stuck> {
        match command {
            Command::Select {
                name, index, over, ..
            } => {
                self.count(over)?;
                self.fresh(index)?;
                self.locals.push((index.clone(), Sort::Index(over.clone())));
                { command.terms().into_iter().skip(1) }.try_for_each(|t| self.number(t))?;
                self.locals.pop();
                self.fresh(name)?;
                Ok(Some((name.clone(), Sort::Index(over.clone()))))
            }
            Command::Release { name, query, law } => {
                let sort = self.released(query, law)?;
                self.fresh(name)?;
                Ok(Some((name.clone(), sort)))
            }
            Command::Call { name, of } => {
                let Term::App(mechanism, input) = of else {
                    return stuck(format!("{of:?} is not a mechanism with an input"));
                };
                let sort = self.sort(mechanism).cloned();
                let (Some(Sort::Mechanism(d, ..)), [x]) = (sort, &input[..]) else {
                    return stuck(format!("{mechanism} is not a mechanism of one input"));
                };
                self.is_vector(x, &d)?;
                self.fresh(name)?;
                Ok(Some((name.clone(), Sort::Vector(d, Sign::Any))))
            }
            Command::Draw { name, law } => {
                self.law(law)?;
                self.fresh(name)?;
                let sort = self.bound(Binder::Expect, law)?;
                Ok(Some((name.clone(), sort)))
            }
            Command::Set(name, value) => {
                let local = self.locals.iter().rev().find(|(x, _)| x == name);
                let Some((_, Sort::Vector(d, Sign::Any))) = local.cloned() else {
                    return stuck(format!("{name} is not a state"));
                };
                self.is_vector(value, &d).map(|()| None)
            }
            Command::Stop { charge, limit } => {
                self.number(charge)?;
                self.number(limit).map(|()| None)
            }
            Command::Repeat { index, times, body } => {
                self.count(times)?;
                self.fresh(index)?;
                let outside = self.locals.len();
                self.locals
                    .push((index.clone(), Sort::Index(times.clone())));
                self.commands(body)?;
                self.locals.truncate(outside);
                Ok(None)
            }
        }
    }

    fn commands(&mut self, body: &[Command]) -> Result<(), Stuck> {
        for command in body {
            let named = self.command(command)?;
            self.locals.extend(named);
        }
        Ok(())
    }

    pub fn fresh(&self, name: &str) -> Result<(), Stuck> {
        if self.sort(name).is_some() || self.context.get(name).is_some() {
            return stuck(format!("{name} has a meaning already"));
        }
        sensible(name)
    }

    fn process(&mut self, process: &Process) -> Result<(), Stuck> {
        let outside = self.locals.len();
        for state in &process.states {
            self.count(&state.dimension)?;
            // No start mentions another state: its name would have two meanings.
            let inner = std::mem::take(&mut self.locals);
            let found = self.is_vector(&state.start, &state.dimension);
            self.locals = inner;
            found?;
            self.fresh(&state.name)?;
            self.locals.push((state.name.clone(), state.sort()));
        }
        let mut body = process.body.iter();
        let stops = body.any(|c| matches!(c, Command::Stop { .. }));
        if stops {
            return stuck("there is no loop to stop".into());
        }
        self.commands(&process.body)?;
        self.locals.truncate(outside);
        Ok(())
    }

    pub fn is_vector(&mut self, term: &Term, dimension: &Term) -> Result<(), Stuck> {
        if self.vector(term)? == *dimension {
            return Ok(());
        }
        stuck(format!("{term:?} is not a vector of that dimension"))
    }

    fn data(&self, name: &str) -> Result<(), Stuck> {
        match self.context.sort(name) {
            Some(Sort::Dataset(..)) => {}
            _ => return stuck(format!("{name} is not a data set")),
        }
        // A hypothesis that reads the data is about a data set and not about its neighbours.
        let given = self.context.items().iter().filter_map(|item| match item {
            Item::Assume(goal) => Some(goal),
            _ => None,
        });
        match { given }.any(|goal| self.says(goal, name)) {
            true => stuck(format!("a hypothesis reads {name}")),
            false => Ok(()),
        }
    }

    /// Whether what a hypothesis says depends on a data set.
    fn says(&self, goal: &Goal, data: &str) -> bool {
        let reads = |t: &Term| self.context.reads(t, data);
        match goal {
            Goal::Le(a, b) | Goal::Eq(a, b) => reads(a) || reads(b),
            Goal::Every(_, _, goal) => self.says(goal, data),
            Goal::If(given, goal) => self.says(given, data) || self.says(goal, data),
            Goal::Minimises(f, x) => reads(&Term::Var(f.clone())) || reads(x),
            _ => true,
        }
    }

    /// Checks a goal.
    pub fn goal(&mut self, goal: &Goal) -> Result<(), Stuck> {
        match goal {
            Goal::Le(a, b) | Goal::Eq(a, b) => {
                self.number(a)?;
                self.number(b)
            }
            Goal::Every(x, sort, goal) => {
                let varies = matches!(
                    sort,
                    Sort::Index(_) | Sort::Real(_) | Sort::Vector(..) | Sort::Record
                );
                if !varies || goal.sides().is_none() {
                    return stuck(format!("nothing holds like this for every {x}"));
                }
                self.fresh(x)?;
                self.sort_is_well_formed(sort)?;
                self.locals.push((x.clone(), sort.clone()));
                let found = self.goal(goal);
                self.locals.pop();
                found
            }
            Goal::If(given, goal) => {
                let told = matches!(**given, Goal::Minimises(..) | Goal::Private { .. });
                if given.sides().is_none() && !told || goal.sides().is_none() {
                    return stuck("no relation under a hypothesis".into());
                }
                self.goal(given)?;
                self.goal(goal)
            }
            Goal::Both(goals) => {
                let plain = |g: &Goal| !matches!(g, Goal::Both(_));
                if goals.len() < 2 || !goals.iter().all(plain) {
                    return stuck("several goals are two or more, one beside the other".into());
                }
                goals.iter().try_for_each(|g| self.goal(g))
            }
            Goal::Minimises(f, x) => match self.sort(f).cloned() {
                Some(Sort::Function(d, _) | Sort::Risk(d, ..)) => self.is_vector(x, &d),
                _ => stuck(format!("{f} is not a function")),
            },
            Goal::Moves { data, query, by } => {
                self.data(data)?;
                if self.vector(query).is_err() {
                    self.number(query)?;
                }
                self.number(by)
            }
            Goal::Keeps { data, command, by } => {
                self.data(data)?;
                let Command::Select { index, over, .. } = &**command else {
                    return stuck("only a selection has a choice to keep".into());
                };
                self.command(command)?;
                self.locals.push((index.clone(), Sort::Index(over.clone())));
                let found = self.number(by);
                self.locals.pop();
                found
            }
            Goal::Private {
                data,
                notion,
                subject,
            } => {
                self.data(data)?;
                self.notion(notion)?;
                self.subject(subject)
            }
            Goal::Events(data, subject, names, goal) => {
                self.data(data)?;
                self.subject(subject)?;
                let outside = self.locals.len();
                for name in names {
                    self.fresh(name)?;
                    let probability = (name.clone(), Sort::Real(Sign::NonNegative));
                    self.locals.push(probability);
                }
                if goal.sides().is_none() || self.says(goal, data) {
                    return stuck("not a relation between probabilities".into());
                }
                let found = self.goal(goal);
                self.locals.truncate(outside);
                found
            }
        }
    }
}

impl Context {
    /// This context with one more item.
    ///
    /// # Errors
    /// If the item's name has a meaning already, or its parts are not well formed here.
    pub fn extended(&self, item: Item) -> Result<Self, Stuck> {
        let mut scope = Scope::new(self);
        if let Some(name) = item.name() {
            scope.fresh(name)?;
        }
        match &item {
            Item::Var(_, sort) => scope.sort_is_well_formed(sort)?,
            Item::Assume(goal) => {
                scope.goal(goal)?;
                if goal.sides().is_none() && !matches!(goal, Goal::Minimises(..)) {
                    return stuck("a hypothesis speaks of neighbours".into());
                }
            }
            Item::Define(defined, parameters, body) => {
                for (name, sort) in parameters {
                    scope.fresh(name)?;
                    // A range of another parameter would, where it is applied, be one of whatever has its name.
                    Scope::new(self).sort_is_well_formed(sort)?;
                    scope.locals.push((name.clone(), sort.clone()));
                    // Of other sorts, which cannot be applied, the text would not tell one from another.
                    scope.takes(defined, sort, &Term::Var(name.clone()))?;
                }
                scope.number(body)?;
            }
            Item::Process(_, process) => scope.process(process)?,
        }
        Ok(self.push_unchecked(item))
    }

    /// This context with more items.
    ///
    /// # Errors
    /// As [`Self::extended`].
    pub fn with(&self, items: impl IntoIterator<Item = Item>) -> Result<Self, Stuck> {
        items
            .into_iter()
            .try_fold(self.clone(), |c, i| c.extended(i))
    }
}
