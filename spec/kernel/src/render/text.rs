//! Statements as Unicode text, one line for an item.

use crate::statement::{
    Command, Context, Goal, Item, Notion, Process, Sign, Sort, Statement, Subject, View,
};
use crate::term::{Binder, Op, Term};
use std::fmt;

/// How tightly a term holds together: sums 0, products and Σ 1, powers and derivatives 2, all else 3.
fn tightness(t: &Term) -> u8 {
    match t {
        Term::Op(Op::Add | Op::Sub, _) => 0,
        Term::Op(Op::Mul | Op::Div, _) | Term::Bind(Binder::Sum | Binder::Mean, ..) => 1,
        Term::Op(Op::Pow | Op::Partial, _) => 2,
        _ => 3,
    }
}

/// A term where at least that tightness is needed.
fn at_least(t: &Term, level: u8) -> String {
    if tightness(t) < level {
        format!("({})", term(t))
    } else {
        term(t)
    }
}

/// The first operand of a row: bare if it is one of `heads`, which the reader groups to the left anyway.
fn first(t: &Term, heads: &[Op], level: u8) -> String {
    match t {
        Term::Op(op, _) if heads.contains(op) => term(t),
        _ => at_least(t, level),
    }
}

fn raised(exponent: &str) -> String {
    let digit = |c: char| match c {
        '-' => '⁻',
        c => "⁰¹²³⁴⁵⁶⁷⁸⁹"
            .chars()
            .nth(c.to_digit(10).map_or(0, |d| d as usize))
            .unwrap_or('⁰'),
    };
    exponent.chars().map(digit).collect()
}

/// A term as text, which [`parse`](super::parse) reads back.
#[must_use]
pub fn term(t: &Term) -> String {
    match t {
        Term::Num(value) if *value < 0 => format!("(−{})", value.clone().abs()),
        Term::Num(value) => value.to_string(),
        Term::Var(x) => x.clone(),
        Term::App(f, arguments) if arguments.is_empty() => f.clone(),
        Term::App(f, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(term).collect();
            format!("{f}({})", arguments.join(", "))
        }
        Term::Op(op, arguments) => operation(*op, arguments),
        Term::Bind(binder, x, of, body) => match binder {
            Binder::Sum => format!("Σ_{{{x}<{}}} {}", term(of), at_least(body, 1)),
            Binder::Mean => format!("mean_{{{x}∈{}}} {}", term(of), at_least(body, 1)),
            Binder::Vec => format!("⟨{} : {x}<{}⟩", term(body), term(of)),
            Binder::Expect => format!("𝔼_{{{x}∼{}}}[{}]", term(of), term(body)),
            Binder::Sup => match &**of {
                Term::Op(Op::Except, range) => format!(
                    "max(0, {} : {x}<{}, {x}≠{})",
                    term(body),
                    term(&range[0]),
                    term(&range[1])
                ),
                other => format!("max(0, {} : {x} in {})", term(body), term(other)),
            },
        },
    }
}

fn operation(op: Op, a: &[Term]) -> String {
    let row = |heads: &[Op], sign: &str, level: u8| {
        let rest = a[1..].iter().map(|t| at_least(t, level));
        let all: Vec<String> = std::iter::once(first(&a[0], heads, level))
            .chain(rest)
            .collect();
        all.join(sign)
    };
    match (op, a) {
        (Op::Add, _) => row(&[Op::Sub], " + ", 1),
        (Op::Sub, _) => row(&[Op::Add, Op::Sub], " − ", 1),
        (Op::Mul, _) => row(&[], "·", 2),
        (Op::Div, _) => row(&[Op::Mul], "/", 2),
        (Op::Pow, [x, n]) => format!("{}{}", at_least(x, 3), raised(&number(n))),
        (Op::Sqrt, [x]) => format!("√({})", term(x)),
        (Op::Log, [x]) => format!("log({})", term(x)),
        (Op::Max, [x, y]) => format!("max({}, {})", term(x), term(y)),
        (Op::Abs, [x]) => format!("|{}|", term(x)),
        (Op::At, [Term::Var(v), Term::Var(j)]) => format!("{v}_{j}"),
        (Op::At, [v, j]) => format!("{}[{}]", at_least(v, 3), term(j)),
        (Op::Partial, [f, x, j]) => format!("∂_{} {}({})", term(j), term(f), term(x)),
        (Op::Partial, [f, x, d, j]) => {
            format!("∂_{} {}({}; {})", term(j), term(f), term(x), term(d))
        }
        (Op::Unit, [i, j]) => format!("𝟙[{}={}]", term(i), term(j)),
        (Op::Member, [j, s]) => format!("𝟙[{}∈{}]", term(j), term(s)),
        (Op::Inclusion, [j, law]) => format!("ℙ({}∈{})", term(j), term(law)),
        (Op::Normal, [d, variance]) => format!("N_{}(0, {})", term(d), term(variance)),
        (Op::Run, [p]) => format!("run({})", term(p)),
        (op, a) => format!("{op:?}{a:?}"),
    }
}

fn number(t: &Term) -> String {
    match t {
        Term::Num(n) => n.to_string(),
        other => term(other),
    }
}

fn sign(s: Sign) -> &'static str {
    match s {
        Sign::Any => "",
        Sign::NonNegative => " ≥ 0",
        Sign::Positive => " > 0",
    }
}

fn all(s: Sign) -> String {
    match sign(s) {
        "" => String::new(),
        sign => format!(", all{sign}"),
    }
}

/// The line of a variable; all that varies stands before the colon.
pub(super) fn variable(x: &str, sort: &Sort) -> String {
    match sort {
        Sort::Count => format!("integer {x} ≥ 1"),
        Sort::Index(d) => format!("index {x}<{}", term(d)),
        Sort::Real(s) => format!("real {x}{}", sign(*s)),
        Sort::Vector(d, s) => format!("vector {x} ∈ ℝ^{}{}", term(d), all(*s)),
        Sort::Sequence(d) => format!("sequence {x} in ℝ^{}", term(d)),
        Sort::Loss(d, l) => format!(
            "loss {x} on ℝ^{} with {l}: differentiable in its vector for every record, and changed by at most \
             {l}_j·|t| when t is added to entry j",
            term(d)
        ),
        Sort::Function(d, m) => format!(
            "function {x} on ℝ^{} with {m}: convex, differentiable, and {x}(y) ≤ {x}(x) + ⟨∇{x}(x), y − x⟩ + \
             ½·Σ_j {m}_j·(y_j − x_j)² for all x, y",
            term(d)
        ),
        Sort::Dataset(n) => format!(
            "data {x} of {} records: its neighbours have one record replaced",
            term(n)
        ),
        Sort::Record => format!("record {x}"),
        Sort::SetLaw(d) => format!(
            "law {x} of random sets of indices below {}: each has a positive probability to be drawn",
            term(d)
        ),
        Sort::Set(d) => format!("set {x}⊆{}", term(d)),
        Sort::SetFunction(d, s) => {
            format!(
                "number {x} for every set of indices below {}{}",
                term(d),
                all(*s)
            )
        }
    }
}

fn parameter(x: &str, sort: &Sort) -> String {
    match sort {
        Sort::Index(d) => format!("{x}<{}", term(d)),
        Sort::Set(d) => format!("{x}⊆{}", term(d)),
        Sort::Vector(d, _) => format!("{x}∈ℝ^{}", term(d)),
        _ => x.to_owned(),
    }
}

fn command(c: &Command, state: &str) -> String {
    match c {
        Command::Select {
            name,
            index,
            over,
            query,
            scale,
            divisor,
        } => format!(
            "{name} ← argmax_{{{index}<{}}} |{} + Laplace({})| / {}",
            term(over),
            at_least(query, 1),
            term(scale),
            at_least(divisor, 2)
        ),
        Command::Release { name, query, scale } => {
            format!("{name} ← {} + Laplace({})", at_least(query, 1), term(scale))
        }
        Command::Draw { name, law } => format!("{name} ∼ {}", term(law)),
        Command::Set(value) => format!("{state} ← {}", term(value)),
    }
}

fn process(x: &str, p: &Process) -> String {
    let mut lines = vec![format!(
        "algorithm {x}: {} ← {} in ℝ^{}, then {} times",
        p.state,
        term(&p.start),
        term(&p.dimension),
        term(&p.rounds)
    )];
    lines.extend(
        p.body
            .iter()
            .map(|c| format!("    {}", command(c, &p.state))),
    );
    lines.push("end".into());
    lines.join("\n  ")
}

/// A mechanism in words.
pub(super) fn what(subject: &Subject) -> String {
    match subject {
        Subject::Command(c) => format!("[{}]", command(c, "state")),
        Subject::Process(p, View::Transcript) => format!("the transcript of {p}"),
        Subject::Process(p, View::End) => format!("the end of {p}"),
        Subject::Any => "A".to_owned(),
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Var(x, sort) => f.write_str(&variable(x, sort)),
            Self::Assume(goal) => write!(f, "assume {goal}"),
            Self::Define(x, parameters, body) => {
                let parameters: Vec<_> = parameters.iter().map(|(p, s)| parameter(p, s)).collect();
                let parameters = match parameters.join(", ") {
                    none if none.is_empty() => none,
                    some => format!("({some})"),
                };
                write!(f, "define {x}{parameters} := {}", term(body))
            }
            Self::Process(x, p) => f.write_str(&process(x, p)),
        }
    }
}

impl fmt::Display for Notion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pure(a) => write!(f, "({})-DP", term(a)),
            Self::Zcdp(a) => write!(f, "({})-zCDP", term(a)),
            Self::Approximate(a, b) => write!(f, "({}, {})-DP", term(a), term(b)),
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Le(a, b) => write!(f, "{} ≤ {}", term(a), term(b)),
            Self::Eq(a, b) => write!(f, "{} = {}", term(a), term(b)),
            Self::Minimises(g, x) => write!(f, "{g} is least at {}", term(x)),
            Self::Moves { data, query, by } => {
                write!(
                    f,
                    "between neighbours of {data}, {} moves by at most {}",
                    term(query),
                    term(by)
                )
            }
            Self::Private {
                data,
                notion,
                subject,
            } => {
                let what = what(subject);
                write!(f, "between neighbours of {data}, {what} is {notion}")
            }
        }
    }
}

impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.items()
            .iter()
            .try_for_each(|item| writeln!(f, "  {item}"))
    }
}

impl fmt::Display for Statement {
    /// The items of the context, one to a line, and what holds for all of them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "for all\n{}holds\n  {}", self.context, self.goal)
    }
}
