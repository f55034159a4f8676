//! Well-formedness of what is said: commands, processes, goals and the items of a context.

use crate::Stuck;
use crate::scope::{Scope, stuck};
use crate::sorts::Kind;
use crate::statement::{Command, Context, Goal, Item, Process, Sign, Sort, Subject};
use crate::term::{Binder, Name, Op, Term, op};

impl Scope<'_> {
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

    pub fn data(&self, name: &str) -> Result<(), Stuck> {
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
