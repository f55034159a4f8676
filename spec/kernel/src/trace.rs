//! Proofs as text: for a second checker, in the format `spec/formats/trace.md`, and for a person.

use crate::premise::Premise;
use crate::statement::{
    Command, Context, Goal, Item, Lipschitz, Mean, Notion, Process, Relation, Sign, Sort, State,
    Statement, Subject, View,
};
use crate::term::{Binder, Op, Term};
use std::fmt;
use std::fmt::Write as _;
use std::sync::Arc;

/// A nested list of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sexp {
    /// A word.
    Word(String),
    /// A list.
    List(Vec<Sexp>),
}

/// One step of a proof: a rule, what it was given, and what it concluded.
#[derive(Debug)]
pub struct Step {
    pub(crate) rule: &'static str,
    pub(crate) arguments: Vec<Sexp>,
    pub(crate) from: Vec<Arc<Step>>,
    pub(crate) statement: Statement,
    pub(crate) premises: Vec<&'static Premise>,
}

impl Step {
    /// The name of the rule.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        self.rule
    }

    /// The steps that this one rests on.
    #[must_use]
    pub fn from(&self) -> &[Arc<Step>] {
        &self.from
    }

    /// What the rule concluded.
    #[must_use]
    pub fn statement(&self) -> &Statement {
        &self.statement
    }
}

impl fmt::Display for Sexp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => f.write_str(word),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(ToString::to_string).collect();
                write!(f, "({})", items.join(" "))
            }
        }
    }
}

pub(crate) fn name(word: &str) -> Sexp {
    Sexp::Word(word.to_owned())
}

pub(crate) fn number(value: usize) -> Sexp {
    Sexp::Word(value.to_string())
}

fn list(head: &str, rest: impl IntoIterator<Item = Sexp>) -> Sexp {
    let items = std::iter::once(name(head)).chain(rest);
    Sexp::List(items.collect())
}

/// The word for an operation.
pub(crate) fn op_name(op: Op) -> &'static str {
    match op {
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "*",
        Op::Div => "/",
        Op::Pow => "^",
        Op::Sqrt => "sqrt",
        Op::Log => "log",
        Op::Max => "max",
        Op::Abs => "abs",
        Op::Exp => "exp",
        Op::Norm => "norm",
        Op::Clip => "clip",
        Op::AtMost => "at-most",
        Op::Laplace => "laplace",
        Op::At => "at",
        Op::Partial => "partial",
        Op::Unit => "unit",
        Op::Member => "member",
        Op::Inclusion => "inclusion",
        Op::Except => "except",
        Op::Normal => "normal",
        Op::Pairwise => "pairwise",
        Op::End => "end",
        Op::Gaussian => "gaussian",
        Op::Response => "response",
    }
}

/// A term as nested lists.
#[must_use]
pub fn term(t: &Term) -> Sexp {
    match t {
        Term::Num(value) => name(&value.to_string()),
        Term::Var(x) => name(x),
        Term::App(f, arguments) => list(
            "app",
            [name(f)].into_iter().chain(arguments.iter().map(term)),
        ),
        Term::Op(op, arguments) => list(op_name(*op), arguments.iter().map(term)),
        Term::Bind(binder, x, of, body) => {
            let head = match binder {
                Binder::Sum => "sum",
                Binder::Vec => "vec",
                Binder::Sup => "sup",
                Binder::Total => "total",
                Binder::Expect => "E",
                Binder::Weighted => "weighted",
            };
            list(head, [name(x), term(of), term(body)])
        }
    }
}

fn sign(sign: Sign) -> Sexp {
    name(match sign {
        Sign::Any => "any",
        Sign::NonNegative => "nonnegative",
        Sign::Positive => "positive",
    })
}

fn sort(s: &Sort) -> Sexp {
    match s {
        Sort::Count => name("count"),
        Sort::Record => name("record"),
        Sort::Pair => name("pair"),
        Sort::Index(d) => list("index", [term(d)]),
        Sort::Real(s) => list("real", [sign(*s)]),
        Sort::Vector(d, s) => list("vector", [term(d), sign(*s)]),
        Sort::Sequence(d) => list("sequence", [term(d)]),
        Sort::Loss(d, class, constants) => {
            let class = match class {
                Lipschitz::Entries => name("entries"),
                Lipschitz::Whole => name("whole"),
                Lipschitz::Sets(law) => list("sets", [name(law)]),
            };
            list("loss", [term(d), class, name(constants)])
        }
        Sort::Function(d, constants) => list("function", [term(d), name(constants)]),
        Sort::Risk(d, constants, Mean { data, loss, rest }) => {
            let names = [constants, data, loss, rest].map(|x| name(x));
            list("risk", std::iter::once(term(d)).chain(names))
        }
        Sort::Dataset(n, relation) => {
            let relation = match relation {
                Relation::ReplaceOne => "replace-one",
                Relation::ZeroOut => "zero-out",
            };
            list("dataset", [term(n), name(relation)])
        }
        Sort::Label => name("label"),
        Sort::Feature(d) => list("feature", [term(d)]),
        Sort::Field(from, to) => list("field", [term(from), term(to)]),
        Sort::Map(from, to) => {
            let from = Sexp::List(from.iter().map(term).collect());
            list("map", [from, term(to)])
        }
        Sort::Mechanism(d, data, n) => list("mechanism", [term(d), name(data), notion(n)]),
        Sort::Outcome(law) => list("outcome", [name(law)]),
        Sort::SetLaw(d) => list("set-law", [term(d)]),
        Sort::Set(d) => list("set", [term(d)]),
        Sort::SetFunction(d, s) => list("set-function", [term(d), sign(*s)]),
    }
}

/// A command as nested lists.
#[must_use]
pub fn command(c: &Command) -> Sexp {
    match c {
        Command::Select { name: x, index, .. } => {
            let terms = c.terms().into_iter().map(term);
            list("select", [name(x), name(index)].into_iter().chain(terms))
        }
        Command::Release {
            name: x,
            query,
            law,
        } => list("release", [name(x), term(query), term(law)]),
        Command::Call { name: x, of } => list("call", [name(x), term(of)]),
        Command::Draw { name: x, law } => list("draw", [name(x), term(law)]),
        Command::Set(x, value) => list("set", [name(x), term(value)]),
        Command::Stop { charge, limit } => list("stop", [term(charge), term(limit)]),
        Command::Repeat { index, times, body } => {
            let head = [name(index), term(times)].into_iter();
            list("repeat", head.chain(body.iter().map(command)))
        }
    }
}

/// A notion as nested lists.
#[must_use]
pub fn notion(n: &Notion) -> Sexp {
    let head = match n {
        Notion::Pure(_) => "pure",
        Notion::Zcdp(_) => "zcdp",
        Notion::Approximate(..) => "approximate",
        Notion::Renyi(..) => "renyi",
        Notion::Range(_) => "range",
        Notion::Dominated(_) => "dominated",
    };
    list(head, n.numbers().into_iter().map(term))
}

fn subject(s: &Subject) -> Sexp {
    match s {
        Subject::Command(c) => command(c),
        Subject::Process(p, v) => list(view(*v), [name(p)]),
        Subject::Any => name("any"),
    }
}

fn process(p: &Process) -> Sexp {
    let state = |s: &State| Sexp::List(vec![name(&s.name), term(&s.dimension), term(&s.start)]);
    let states = Sexp::List(p.states.iter().map(state).collect());
    let body = p.body.iter().map(command);
    list("process", std::iter::once(states).chain(body))
}

/// The word for what is seen.
pub(crate) fn view(v: View) -> &'static str {
    match v {
        View::Transcript => "transcript",
        View::Path => "path",
        View::End => "end",
    }
}

/// A goal as nested lists.
#[must_use]
pub fn goal(g: &Goal) -> Sexp {
    match g {
        Goal::Le(a, b) => list("<=", [term(a), term(b)]),
        Goal::Eq(a, b) => list("=", [term(a), term(b)]),
        Goal::Every(x, s, g) => list("every", [name(x), sort(s), goal(g)]),
        Goal::If(given, g) => list("if", [goal(given), goal(g)]),
        Goal::Both(goals) => list("both", goals.iter().map(goal)),
        Goal::Minimises(f, x) => list("minimises", [name(f), term(x)]),
        Goal::Moves { data, query, by } => list("moves", [name(data), term(query), term(by)]),
        Goal::Keeps { data, command, by } => {
            list("keeps", [name(data), self::command(command), term(by)])
        }
        Goal::Private {
            data,
            notion,
            subject,
        } => {
            let of = [name(data), self::notion(notion), self::subject(subject)];
            list("private", of)
        }
        Goal::Events(data, subject, [p, q], goal) => {
            let of = [name(data), self::subject(subject), name(p), name(q)];
            list("events", of.into_iter().chain([self::goal(goal)]))
        }
    }
}

fn item(i: &Item) -> Sexp {
    match i {
        Item::Var(x, s) => list("var", [name(x), sort(s)]),
        Item::Assume(g) => list("assume", [goal(g)]),
        Item::Define(x, parameters, body) => {
            let parameters = parameters.iter();
            let parameters = parameters.map(|(p, s)| Sexp::List(vec![name(p), sort(s)]));
            list(
                "define",
                [name(x), Sexp::List(parameters.collect()), term(body)],
            )
        }
        Item::Process(x, p) => list("named", [name(x), process(p)]),
    }
}

/// A statement as one line: its items and its goal.
#[must_use]
pub fn statement(s: &Statement) -> String {
    let items = s.context.items().iter().map(item);
    list("statement", items.chain([goal(&s.goal)])).to_string()
}

/// Numbers steps and contexts in the order in which they are needed.
#[derive(Default)]
struct Writer {
    text: String,
    steps: Vec<*const Step>,
    contexts: Vec<Vec<Item>>,
}

impl Writer {
    /// One line for one item; context 0 is empty.
    fn context(&mut self, context: &Context) -> usize {
        let Some((last, before)) = context.items().split_last() else {
            return 0;
        };
        if let Some(i) = self.contexts.iter().position(|c| c == context.items()) {
            return i + 1;
        }
        let base = self.context(&context.beginning(before.len()));
        let own = self.contexts.len() + 1;
        let line = list("context", [number(own), number(base), item(last)]);
        let _ = writeln!(self.text, "{line}");
        self.contexts.push(context.items().to_vec());
        own
    }

    fn step(&mut self, step: &Arc<Step>) -> usize {
        if let Some(i) = self.steps.iter().position(|s| *s == Arc::as_ptr(step)) {
            return i;
        }
        let from: Vec<Sexp> = step.from.iter().map(|s| number(self.step(s))).collect();
        let context = self.context(&step.statement.context);
        let line = list(
            "step",
            [
                number(self.steps.len()),
                number(context),
                list(step.rule, step.arguments.iter().cloned()),
                Sexp::List(from),
                goal(&step.statement.goal),
            ],
        );
        let _ = writeln!(self.text, "{line}");
        self.steps.push(Arc::as_ptr(step));
        self.steps.len() - 1
    }
}

/// The proof that ends with a step, one line for each.
#[must_use]
pub fn write(end: &Arc<Step>) -> String {
    let mut writer = Writer {
        text: "(trace 1)\n".to_owned(),
        ..Writer::default()
    };
    let last = writer.step(end);
    let premises = end.premises.iter().map(|p| name(p.name));
    let line = list("qed", [number(last), Sexp::List(premises.collect())]);
    let _ = writeln!(writer.text, "{line}");
    writer.text
}

/// The proof that ends with a step for a person: its premises with their sources, then every step with the rule and the
/// steps that it rests on, the last being the statement. Contexts are given by what they add to the statement's.
#[must_use]
pub fn proof(end: &Arc<Step>) -> String {
    let mut text = format!("{}\n\npremises\n", end.statement);
    if end.premises.is_empty() {
        text.push_str("  none\n");
    }
    for premise in &end.premises {
        let _ = writeln!(text, "  {}: {premise}", premise.name);
    }
    text.push_str("\nproof\n");
    write_step(end, end, &mut Vec::new(), &mut text);
    text
}

fn write_step(
    end: &Step,
    step: &Arc<Step>,
    steps: &mut Vec<*const Step>,
    text: &mut String,
) -> usize {
    if let Some(i) = steps.iter().position(|s| *s == Arc::as_ptr(step)) {
        return i + 1;
    }
    let mut from = String::new();
    for (i, before) in step.from.iter().enumerate() {
        let word = if i == 0 { ", from " } else { " and " };
        let _ = write!(from, "{word}{}", write_step(end, before, steps, text));
    }
    let (own, known) = (
        step.statement.context.items(),
        end.statement.context.items(),
    );
    let shared = own.iter().zip(known).take_while(|(a, b)| a == b).count();
    let added: Vec<String> = own[shared..].iter().map(ToString::to_string).collect();
    let given = match added.is_empty() {
        true => String::new(),
        false => format!("for all {}: ", added.join(", ")),
    };
    steps.push(Arc::as_ptr(step));
    let (number, rule, goal) = (steps.len(), step.rule, &step.statement.goal);
    let _ = writeln!(text, "  {number}. {given}{goal}   ({rule}{from})");
    number
}
