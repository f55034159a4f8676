//! Runs process terms: what a statement leaves open comes from [`Outside`].

use dp_assay_spec::kernel::statement::{Command, Context, Goal, Item, Process, Sort};
use dp_assay_spec::kernel::term::{Binder, Op, Term};
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub(super) enum Value {
    Number(f64),
    Vector(Vec<f64>),
    /// A sequence of vectors.
    Sequence(Vec<Vec<f64>>),
    Set(Vec<usize>),
}

pub(super) type World = BTreeMap<String, Value>;

/// What is drawn: noise of a release or of a selection, or data.
pub(super) struct Drawn<'a> {
    pub name: &'a str,
    /// How often this name was drawn before.
    pub count: u64,
    /// How many releases were made before.
    pub releases: u64,
    /// What was selected last, 0 before the first selection.
    pub selected: u64,
}

/// The losses, maps, sets and noises that a statement is about.
pub(super) trait Outside {
    /// How many records the data set has.
    fn records(&self) -> usize {
        1
    }

    /// ∇f(x; record); without a record, of a function that is no loss of a record.
    fn gradient(&self, f: &str, x: &[f64], record: Option<usize>) -> Vec<f64> {
        panic!("∇{f} at {x:?}, {record:?}")
    }

    /// What a map, field, feature or label makes of its arguments.
    fn map(&self, name: &str, arguments: &[Vec<f64>]) -> Vec<f64> {
        panic!("{name} of {arguments:?}")
    }

    /// Entry j of a standard Gaussian or Laplace vector.
    fn noise(&self, drawn: &Drawn<'_>, entry: u64) -> f64;

    /// A random set.
    fn set(&self, drawn: &Drawn<'_>) -> Vec<usize> {
        panic!("{} is drawn as a set", drawn.name)
    }

    /// The value of a set function.
    fn of_set(&self, function: &str, set: &[usize]) -> f64 {
        panic!("{function} of {set:?}")
    }

    /// ℙ(j ∈ S).
    fn inclusion(&self, j: usize) -> f64 {
        panic!("inclusion of {j}")
    }
}

/// What a command did: the name that it gives a value, and that value.
pub(super) struct Event {
    pub name: String,
    pub value: Value,
}

impl Event {
    pub(super) fn number(&self) -> f64 {
        number_of(&self.value)
    }

    pub(super) fn vector(&self) -> &[f64] {
        match &self.value {
            Value::Vector(v) => v,
            other => panic!("{} is {other:?}", self.name),
        }
    }
}

fn number_of(value: &Value) -> f64 {
    match value {
        Value::Number(x) => *x,
        other => panic!("{other:?} is no number"),
    }
}

/// Names bound by terms, innermost first, around the values of the run.
#[derive(Clone, Copy)]
struct Scope<'a> {
    bound: Option<(&'a str, f64, &'a Scope<'a>)>,
    world: &'a World,
}

impl Scope<'_> {
    fn get(&self, name: &str) -> Option<Value> {
        match self.bound {
            Some((x, value, _)) if x == name => Some(Value::Number(value)),
            Some((.., outer)) => outer.get(name),
            None => self.world.get(name).cloned(),
        }
    }
}

/// A run so far.
#[derive(Default)]
pub(super) struct Run {
    pub events: Vec<Event>,
    counts: BTreeMap<String, u64>,
    releases: u64,
    selected: u64,
}

pub(super) struct Interpreter<'a> {
    pub context: &'a Context,
    pub outside: &'a dyn Outside,
}

impl Interpreter<'_> {
    /// The value of a term where names have these values.
    pub(super) fn number(&self, t: &Term, w: &World) -> f64 {
        number_of(&self.value(t, Scope::of(w)))
    }

    /// What a hypothesis says that a variable is equal to.
    pub(super) fn assumed(&self, x: &str, w: &World) -> f64 {
        let said = self.context.items().iter().find_map(|item| match item {
            Item::Assume(Goal::Eq(Term::Var(name), is)) if name == x => Some((is, false)),
            Item::Assume(Goal::Eq(is, Term::Var(name))) if name == x => Some((is, false)),
            Item::Assume(Goal::Eq(Term::Op(Op::Pow, a), is)) => match &a[0] {
                Term::Var(name) if name == x => Some((is, true)),
                _ => None,
            },
            _ => None,
        });
        let (is, squared) = said.unwrap_or_else(|| panic!("no hypothesis says what {x} is"));
        let value = self.number(is, w);
        if squared { value.sqrt() } else { value }
    }

    fn inside(&self, t: &Term, s: Scope<'_>) -> f64 {
        number_of(&self.value(t, s))
    }

    fn index(&self, t: &Term, s: Scope<'_>) -> usize {
        let value = self.inside(t, s);
        assert!(value >= 0.0 && value.fract() == 0.0, "{value} is no index");
        value as usize
    }

    fn vector(&self, t: &Term, s: Scope<'_>) -> Vec<f64> {
        match self.value(t, s) {
            Value::Vector(v) => v,
            other => panic!("{other:?} is no vector"),
        }
    }

    /// The body for each of these values of a bound variable.
    fn each<'b>(
        &'b self,
        (x, body): (&'b str, &'b Term),
        s: Scope<'b>,
        values: impl Iterator<Item = usize> + 'b,
    ) -> impl Iterator<Item = f64> + 'b {
        values.map(move |k| {
            let bound = Some((x, k as f64, &s));
            self.inside(body, Scope { bound, ..s })
        })
    }

    fn value(&self, t: &Term, s: Scope<'_>) -> Value {
        match t {
            Term::Num(value) => Value::Number(value.to_f64()),
            Term::Var(x) => s.get(x).unwrap_or_else(|| panic!("{x} has no value")),
            Term::App(f, a) => self.applied(f, a, s),
            Term::Op(op, a) => self.operation(*op, a, s),
            Term::Bind(binder, x, of, body) => {
                let body = (x.as_str(), &**body);
                Value::Number(match (binder, &**of) {
                    (Binder::Vec, bound) => {
                        let entries = self.each(body, s, 0..self.index(bound, s));
                        return Value::Vector(entries.collect());
                    }
                    (Binder::Sum, bound) => self.each(body, s, 0..self.index(bound, s)).sum(),
                    (Binder::Total, _) => self.each(body, s, 0..self.outside.records()).sum(),
                    (Binder::Sup, Term::Op(Op::Except, range)) => {
                        let [bound, except] = [0, 1].map(|i| self.index(&range[i], s));
                        let others = (0..bound).filter(move |k| *k != except);
                        self.each(body, s, others).fold(0.0, f64::max)
                    }
                    other => panic!("{other:?} is not run"),
                })
            }
        }
    }

    /// A definition is unfolded where its names mean what they did: no binder takes one of them again.
    fn applied(&self, f: &str, a: &[Term], s: Scope<'_>) -> Value {
        if let Some(body) = self.context.unfold(f, a) {
            return self.value(&body, s);
        }
        let argument = |t: &Term| match self.value(t, s) {
            Value::Number(x) => vec![x],
            Value::Vector(v) => v,
            other => panic!("{other:?} is no argument"),
        };
        let value = self
            .outside
            .map(f, &a.iter().map(argument).collect::<Vec<_>>());
        match self.context.sort(f) {
            Some(Sort::Label) => Value::Number(value[0]),
            _ => Value::Vector(value),
        }
    }

    fn operation(&self, op: Op, a: &[Term], s: Scope<'_>) -> Value {
        let n = |t: &Term| self.inside(t, s);
        let is = |condition: bool| f64::from(u8::from(condition));
        let euclidean = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        Value::Number(match (op, a) {
            (Op::Add, _) => a.iter().map(n).sum(),
            (Op::Mul, _) => a.iter().map(n).product(),
            (Op::Sub, [x, y]) => n(x) - n(y),
            (Op::Div, [x, y]) => n(x) / n(y),
            (Op::Pow, [x, y]) => n(x).powi(n(y) as i32),
            (Op::Sqrt, [x]) => n(x).sqrt(),
            (Op::Log, [x]) => n(x).ln(),
            (Op::Exp, [x]) => n(x).exp(),
            (Op::Max, [x, y]) => n(x).max(n(y)),
            (Op::Abs, [x]) => n(x).abs(),
            (Op::AtMost, [x, y]) => is(n(x) <= n(y)),
            (Op::Norm, [x]) => euclidean(&self.vector(x, s)),
            (Op::Clip, [x, most]) => {
                let most = n(most);
                match self.value(x, s) {
                    Value::Number(x) => x.clamp(-most, most),
                    Value::Vector(v) => {
                        let length = euclidean(&v);
                        let factor = if length > most { most / length } else { 1.0 };
                        return Value::Vector(v.iter().map(|x| x * factor).collect());
                    }
                    other => panic!("{other:?} is not clipped"),
                }
            }
            (Op::Unit, [i, j]) => is(self.index(i, s) == self.index(j, s)),
            (Op::At, [of, k]) => return self.entry(of, k, s),
            (Op::Member, [j, Term::Var(set)]) => match s.get(set) {
                Some(Value::Set(set)) => is(set.contains(&self.index(j, s))),
                other => panic!("{other:?} is no set"),
            },
            (Op::Inclusion, [j, _]) => self.outside.inclusion(self.index(j, s)),
            (Op::Partial, [Term::Var(f), x, rest @ .., j]) => {
                let (x, j) = (self.vector(x, s), self.index(j, s));
                let record = rest.first().map(|record| self.index(record, s));
                self.outside.gradient(f, &x, record)[j]
            }
            other => panic!("{other:?} is not run"),
        })
    }

    /// Entry of a vector, vector of a sequence, or value of a set function.
    fn entry(&self, of: &Term, k: &Term, s: Scope<'_>) -> Value {
        if let (Term::Var(function), Term::Var(set)) = (of, k)
            && let (None, Some(Value::Set(set))) = (s.get(function), s.get(set))
        {
            return Value::Number(self.outside.of_set(function, &set));
        }
        match self.value(of, s) {
            Value::Vector(v) => Value::Number(v[self.index(k, s)]),
            Value::Sequence(all) => Value::Vector(all[self.index(k, s)].clone()),
            other => panic!("{other:?} has no entries"),
        }
    }

    /// All that the commands of a process do, in order; `given` has the values of the statement's variables.
    pub(super) fn run(&self, p: &Process, given: &World) -> Run {
        let (mut w, mut run) = (given.clone(), Run::default());
        for state in &p.states {
            let start = self.vector(&state.start, Scope::of(given));
            w.insert(state.name.clone(), Value::Vector(start));
        }
        self.commands(&p.body, &mut w, &mut 0.0, &mut run);
        run
    }

    /// Whether the loop around them goes on; `charged` is the sum of its charges.
    fn commands(&self, all: &[Command], w: &mut World, charged: &mut f64, run: &mut Run) -> bool {
        all.iter().all(|command| match command {
            Command::Repeat { index, times, body } => {
                let mut charged = 0.0;
                for k in 0..self.index(times, Scope::of(w)) {
                    w.insert(index.clone(), Value::Number(k as f64));
                    if !self.commands(body, w, &mut charged, run) {
                        break;
                    }
                }
                true
            }
            Command::Stop { charge, limit } => {
                *charged += self.number(charge, w);
                *charged <= self.number(limit, w)
            }
            one => {
                let (name, value) = self.command(one, w, run);
                w.insert(name.clone(), value.clone());
                run.events.push(Event { name, value });
                true
            }
        })
    }

    fn command(&self, c: &Command, w: &World, run: &mut Run) -> (String, Value) {
        let name = match c {
            Command::Select { name, .. }
            | Command::Release { name, .. }
            | Command::Call { name, .. }
            | Command::Draw { name, .. }
            | Command::Set(name, _) => name,
            Command::Stop { .. } | Command::Repeat { .. } => panic!("{c:?} gives no value"),
        };
        let drawn = run.draw(name);
        let value = match c {
            Command::Set(_, value) => self.value(value, Scope::of(w)),
            Command::Select { .. } => {
                let best = self.selected(c, w, &drawn);
                run.selected = best as u64;
                Value::Number(best as f64)
            }
            Command::Release { query, law, .. } => {
                run.releases += 1;
                self.noisy(Some(query), law, w, &drawn)
            }
            Command::Draw {
                law: Term::Var(_), ..
            } => Value::Set(self.outside.set(&drawn)),
            Command::Draw {
                law: Term::Bind(Binder::Weighted, k, bound, weight),
                ..
            } => {
                // The largest of the logarithms with Gumbel's noise.
                let s = Scope::of(w);
                let weights = self.each((k, weight), s, 0..self.index(bound, s));
                let scores = weights
                    .zip(0..)
                    .map(|(weight, k)| weight.ln() - (-self.outside.noise(&drawn, k).ln()).ln());
                Value::Number(first_largest(&scores.collect::<Vec<_>>()) as f64)
            }
            Command::Draw { law, .. } => self.noisy(None, law, w, &drawn),
            other => panic!("{other:?} is not run"),
        };
        (name.clone(), value)
    }

    /// The selected index.
    fn selected(&self, c: &Command, w: &World, drawn: &Drawn<'_>) -> usize {
        let Command::Select {
            index,
            over,
            query,
            scale,
            divisor,
            ..
        } = c
        else {
            panic!("{c:?} selects nothing");
        };
        let score = |k: usize| {
            let bound = Some((index.as_str(), k as f64, &Scope::of(w)));
            let s = Scope { bound, world: w };
            let noise = self.inside(scale, s) * self.outside.noise(drawn, k as u64);
            let noisy = self.inside(query, s) + noise;
            let modulus = |c: &Term| noisy.abs() / self.inside(c, s);
            divisor.as_ref().map_or(noisy, modulus)
        };
        let all = (0..self.index(over, Scope::of(w))).map(score);
        first_largest(&all.collect::<Vec<_>>())
    }

    /// A query, or 0, with noise of a law.
    fn noisy(&self, query: Option<&Term>, law: &Term, w: &World, drawn: &Drawn<'_>) -> Value {
        let s = Scope::of(w);
        let noise = |scale: f64, j: u64| scale * self.outside.noise(drawn, j);
        let whole = |dimension: usize, scale: f64| {
            let query = query.map_or(vec![0.0; dimension], |query| self.vector(query, s));
            assert_eq!(query.len(), dimension);
            let noisy = query.iter().zip(0..).map(|(x, j)| x + noise(scale, j));
            Value::Vector(noisy.collect())
        };
        let centre = || query.map_or(0.0, |query| self.inside(query, s));
        match law {
            Term::Op(Op::Normal, a) => match &a[..] {
                [variance] => Value::Number(centre() + noise(self.inside(variance, s).sqrt(), 0)),
                [d, variance] => whole(self.index(d, s), self.inside(variance, s).sqrt()),
                _ => panic!("{law:?} is no law"),
            },
            Term::Op(Op::Laplace, a) if a.len() == 1 => {
                Value::Number(centre() + noise(self.inside(&a[0], s), drawn.selected))
            }
            Term::Op(Op::Pairwise, a) => {
                let query = self.vector(query.expect("a vector is sent"), s);
                Value::Vector(self.messages(&query, a, s, drawn))
            }
            other => panic!("{other:?} is no law"),
        }
    }

    /// The messages of [`Op::Pairwise`]: behind their own noises, which are entries 0 to m·d − 1, those that edges have in common.
    fn messages(&self, query: &[f64], a: &[Term], s: Scope<'_>, drawn: &Drawn<'_>) -> Vec<f64> {
        let [m, i, own, b, edges, shared] = a else {
            panic!("six arguments")
        };
        let [m, i, edges] = [m, i, edges].map(|t| self.index(t, s));
        let [own, shared] = [own, shared].map(|t| self.inside(t, s).sqrt());
        let Value::Sequence(b) = self.value(b, s) else {
            panic!("{b:?} is no sequence")
        };
        let d = query.len();
        let entry = |k: usize, j: usize| {
            let noise = |at: usize| self.outside.noise(drawn, at as u64);
            let common = (0..edges).map(|e| shared * b[e][k] * noise((m + e) * d + j));
            let sent = if k == i { query[j] } else { 0.0 };
            sent + own * noise(k * d + j) + common.sum::<f64>()
        };
        (0..m * d).map(|at| entry(at / d, at % d)).collect()
    }
}

impl<'a> Scope<'a> {
    fn of(world: &'a World) -> Self {
        Self { bound: None, world }
    }
}

impl Run {
    fn draw<'a>(&mut self, name: &'a str) -> Drawn<'a> {
        let count = self.counts.entry(name.to_owned()).or_default();
        *count += 1;
        Drawn {
            name,
            count: *count - 1,
            releases: self.releases,
            selected: self.selected,
        }
    }

    /// What was done under a name, in order.
    pub(super) fn named<'a>(&'a self, name: &'a str) -> impl DoubleEndedIterator<Item = &'a Event> {
        self.events.iter().filter(move |event| event.name == name)
    }

    /// The last vector of a name.
    pub(super) fn last<'a>(&'a self, name: &'a str) -> &'a [f64] {
        self.named(name)
            .next_back()
            .expect("it was changed")
            .vector()
    }
}

fn first_largest(scores: &[f64]) -> usize {
    (1..scores.len()).fold(0, |best, k| if scores[k] > scores[best] { k } else { best })
}
