//! Statements as Unicode text, one line for an item.

use super::layout::{Layout, fence, joined};
use crate::statement::{
    Command, Goal, Lipschitz, Mean, Notion, Process, Relation, Sign, Sort, Subject,
};
use crate::term::{Binder, Op, Term};
use crate::trace;

/// How tightly a term holds together: sums 0, products and Σ 1, powers and derivatives 2, all else 3.
fn tightness(t: &Term) -> u8 {
    match t {
        Term::Op(Op::Add | Op::Sub, _) => 0,
        Term::Op(Op::Mul | Op::Div, _) | Term::Bind(Binder::Sum | Binder::Total, ..) => 1,
        Term::Op(Op::Pow | Op::Partial, _) => 2,
        _ => 3,
    }
}

/// A term where at least that tightness is needed.
fn at_least(t: &Term, level: u8) -> Layout {
    match tightness(t) < level {
        true => fence("(", layout(t), ")"),
        false => layout(t),
    }
}

/// A bound or dimension.
fn bound(t: &Term) -> String {
    at_least(t, 3).text()
}

/// The first operand of a row: bare if it is one of `heads`, which the reader groups to the left anyway.
fn first(t: &Term, heads: &[Op], level: u8) -> Layout {
    match t {
        Term::Op(op, _) if heads.contains(op) => layout(t),
        _ => at_least(t, level),
    }
}

fn words(text: impl Into<String>) -> Layout {
    Layout::Words(text.into())
}

fn applied(head: Layout, arguments: &[Term], between: &'static str) -> Layout {
    let inside = joined(arguments.iter().map(layout), between);
    Layout::Row(vec![head, fence("(", inside, ")")])
}

/// How a term is laid out.
pub(super) fn layout(t: &Term) -> Layout {
    let name = |x: &str| Layout::Name(x.to_owned());
    match t {
        Term::Num(value) if *value < 0 => {
            let number = Layout::Number(value.clone().abs().to_string());
            fence("(", Layout::Row(vec![Layout::Sign("−"), number]), ")")
        }
        Term::Num(value) => Layout::Number(value.to_string()),
        Term::Var(x) => name(x),
        Term::App(f, arguments) if arguments.is_empty() => name(f),
        Term::App(f, arguments) => applied(name(f), arguments, ", "),
        Term::Op(op, arguments) => operation(*op, arguments),
        Term::Bind(binder, x, of, body) => {
            let over = |relation| joined([name(x), at_least(of, 3)], relation);
            let under = |sign, relation, body| {
                let range = over(relation).into();
                Layout::Row(vec![Layout::Under(sign, range), body])
            };
            let spaced = |body| Layout::Row(vec![Layout::Sign(" "), at_least(body, 1)]);
            match (binder, &**of) {
                (Binder::Sum, _) => under("Σ", "<", spaced(body)),
                (Binder::Total, _) => under("Σ", "∈", spaced(body)),
                (Binder::Expect, _) => under("𝔼", "∼", fence("[", layout(body), "]")),
                (Binder::Weighted, _) => under("∝", "<", fence("[", layout(body), "]")),
                (Binder::Vec, _) => fence("⟨", joined([layout(body), over("<")], " : "), "⟩"),
                (Binder::Sup, Term::Op(Op::Except, range)) => {
                    let below = joined([name(x), at_least(&range[0], 3)], "<");
                    let other = joined([name(x), layout(&range[1])], "≠");
                    let of = joined([layout(body), joined([below, other], ", ")], " : ");
                    let inside = fence("(", joined([Layout::Number("0".into()), of], ", "), ")");
                    Layout::Row(vec![words("max"), inside])
                }
                (Binder::Sup, other) => words(format!("{x} in {other:?}")),
            }
        }
    }
}

fn operation(op: Op, a: &[Term]) -> Layout {
    let row = |heads: &[Op], sign, level: u8| {
        let rest = a[1..].iter().map(|t| at_least(t, level));
        joined(
            std::iter::once(first(&a[0], heads, level)).chain(rest),
            sign,
        )
    };
    let pair = |a: &Term, sign, b: &Term| joined([layout(a), layout(b)], sign);
    let low = |x: Layout, j: &Term| Layout::Low(x.into(), layout(j).into());
    match (op, a) {
        (Op::Add, _) => row(&[Op::Sub], " + ", 1),
        (Op::Sub, _) => row(&[Op::Add, Op::Sub], " − ", 1),
        (Op::Mul, _) => row(&[], "·", 2),
        (Op::Div, [x, y]) => Layout::Over(first(x, &[Op::Mul], 2).into(), at_least(y, 2).into()),
        (Op::Pow, [x, n]) => {
            let power = match n {
                Term::Num(n) => Layout::Number(n.to_string()),
                n => at_least(n, 3),
            };
            Layout::Raised(at_least(x, 3).into(), power.into())
        }
        (Op::Sqrt, [x]) => Layout::Root(layout(x).into()),
        (Op::Log | Op::Exp | Op::Max | Op::Clip | Op::End, _) => {
            applied(words(trace::op_name(op)), a, ", ")
        }
        (Op::Pairwise | Op::Gaussian | Op::Response, _) => {
            applied(words(format!("{op:?}")), a, ", ")
        }
        (Op::AtMost, _) => applied(words("𝟙"), a, " ≤ "),
        (Op::Inclusion, _) => applied(words("ℙ"), a, "∈"),
        (Op::Abs, [x]) => fence("|", layout(x), "|"),
        (Op::Norm, [x]) => fence("‖", layout(x), "‖"),
        (Op::At, [v @ Term::Var(_), j @ Term::Var(_)]) => low(layout(v), j),
        (Op::At, [v, j]) => Layout::Row(vec![at_least(v, 3), fence("[", layout(j), "]")]),
        (Op::Partial, [f, x @ .., j]) => {
            let slope = low(Layout::Sign("∂"), j);
            let value = applied(layout(f), x, "; ");
            Layout::Row(vec![slope, Layout::Sign(" "), value])
        }
        (Op::Unit, [i, j]) => Layout::Row(vec![words("𝟙"), fence("[", pair(i, "=", j), "]")]),
        (Op::Member, [j, s]) => Layout::Row(vec![words("𝟙"), fence("[", pair(j, "∈", s), "]")]),
        (Op::Normal | Op::Laplace, [dimension @ .., spread]) => {
            let head = if op == Op::Normal { "N" } else { "Laplace" };
            let law = match dimension {
                [d] => Layout::Under(head, layout(d).into()),
                _ => words(head),
            };
            let centre = (op == Op::Normal).then(|| Layout::Number("0".into()));
            let inside = joined(centre.into_iter().chain([layout(spread)]), ", ");
            Layout::Row(vec![law, fence("(", inside, ")")])
        }
        (op, a) => words(format!("{op:?}{a:?}")),
    }
}

/// A term as text, which [`parse`](super::parse) reads back.
#[must_use]
pub fn term(t: &Term) -> String {
    layout(t).text()
}

/// What is said of a sign behind some words.
fn sign(words: &str, s: Sign) -> String {
    match s {
        Sign::Any => String::new(),
        Sign::NonNegative => format!("{words} ≥ 0"),
        Sign::Positive => format!("{words} > 0"),
    }
}

/// The line of a variable; all that varies stands before the colon.
pub(crate) fn variable(x: &str, sort: &Sort) -> String {
    match sort {
        Sort::Count => format!("integer {x} ≥ 1"),
        Sort::Index(d) => format!("index {x}<{}", bound(d)),
        Sort::Real(s) => format!("real {x}{}", sign("", *s)),
        Sort::Vector(d, s) => format!("vector {x} ∈ ℝ^{}{}", bound(d), sign(", all", *s)),
        Sort::Feature(d) => format!("vector {x} ∈ ℝ^{} for every record", bound(d)),
        Sort::Label => format!("number {x} for every record"),
        Sort::Sequence(d) => format!("sequence {x} in ℝ^{}", bound(d)),
        Sort::Field(from, to) => {
            let (from, to) = (bound(from), bound(to));
            format!("vector {x} ∈ ℝ^{to} for every record and vector of ℝ^{from}")
        }
        Sort::Map(from, to) => {
            let from: Vec<_> = from.iter().map(|d| format!("ℝ^{}", bound(d))).collect();
            format!("map {x} of {} into ℝ^{}", from.join(" × "), bound(to))
        }
        Sort::Loss(d, class, l) => {
            let smooth = "differentiable in its vector for every record, and changed by at most";
            let meaning = match class {
                Lipschitz::Entries => {
                    format!(" by entries: {smooth} {l}_j·|t| when t is added to entry j")
                }
                Lipschitz::Sets(law) => format!(
                    " by sets of {law}: {smooth} {l}_U·‖v‖ when v, which is 0 off a set U that {law} draws, is added"
                ),
                Lipschitz::Whole => format!(
                    ": changed by at most {l}·‖v‖ when v is added to its vector, for every record; where it has no \
                     gradient, its derivatives are those of a chosen vector of norm at most {l}"
                ),
            };
            format!("loss {x} on ℝ^{} with {l}{meaning}", bound(d))
        }
        Sort::Function(d, m) | Sort::Risk(d, m, _) => {
            let mean = match sort {
                Sort::Risk(_, _, Mean { data, loss, rest }) => {
                    format!(", the mean of {loss} over {data} plus {rest}")
                }
                _ => String::new(),
            };
            format!(
                "function {x} on ℝ^{} with {m}{mean}: convex, differentiable, and {x}(y) ≤ {x}(x) + ⟨∇{x}(x), y − x⟩ + \
                 ½·Σ_j {m}_j·(y_j − x_j)² for all x, y",
                bound(d)
            )
        }
        Sort::Dataset(n, relation) => {
            let which = match relation {
                Relation::ReplaceOne => "replaced",
                Relation::ZeroOut => "left out of every sum, and the same number of records",
            };
            let n = bound(n);
            format!("data {x} of {n} records: its neighbours have one record {which}")
        }
        Sort::Mechanism(d, data, notion) => format!(
            "mechanism {x} on {data} that takes and releases vectors of ℝ^{} and is {notion} for every one that it takes",
            bound(d)
        ),
        Sort::Record => format!("record {x}"),
        Sort::Pair => format!("pair {x} of laws"),
        Sort::SetLaw(d) => format!(
            "law {x} of random sets of indices below {}: each index has a positive probability to be drawn",
            bound(d)
        ),
        Sort::Set(d) => format!("set {x}⊆{}", bound(d)),
        Sort::Outcome(law) => format!("set {x} that {law} draws"),
        Sort::SetFunction(d, s) => {
            let (d, s) = (bound(d), sign(", all", *s));
            format!("number {x} for every set of indices below {d}{s}")
        }
    }
}

pub(crate) fn parameter(x: &str, sort: &Sort) -> String {
    match sort {
        Sort::Index(d) => format!("{x}<{}", bound(d)),
        Sort::Set(d) => format!("{x}⊆{}", bound(d)),
        Sort::Vector(d, _) => format!("{x}∈ℝ^{}", bound(d)),
        _ => x.to_owned(),
    }
}

/// The lines of a command.
fn line(c: &Command) -> String {
    match c {
        Command::Select { name, index, .. } => {
            let of = c.terms();
            let noisy = format!("{} + Laplace({})", at_least(of[1], 1).text(), term(of[2]));
            let score = match of.get(3) {
                Some(divisor) => format!("|{noisy}| / {}", at_least(divisor, 2).text()),
                None => format!("({noisy})"),
            };
            format!("{name} ← argmax_{{{index}<{}}} {score}", bound(of[0]))
        }
        Command::Release { name, query, law } => {
            format!("{name} ← {} + {}", at_least(query, 1).text(), term(law))
        }
        Command::Call { name, of } | Command::Set(name, of) => format!("{name} ← {}", term(of)),
        Command::Draw { name, law } => format!("{name} ∼ {}", term(law)),
        Command::Stop { charge, limit } => {
            let [charge, limit] = [charge, limit].map(term);
            format!("stop when the sum of {charge} exceeds {limit}")
        }
        Command::Repeat { index, times, body } => {
            block(&format!("repeat {index}<{}", bound(times)), body)
        }
    }
}

fn block(head: &str, body: &[Command]) -> String {
    let lines: String = body.iter().map(|c| format!("\n{}", line(c))).collect();
    format!("{head}{}\nend", lines.replace('\n', "\n  "))
}

pub(crate) fn process(x: &str, p: &Process) -> String {
    let state = |s: &crate::statement::State| {
        let (start, d) = (term(&s.start), bound(&s.dimension));
        format!("{} ← {start} in ℝ^{d}", s.name)
    };
    let states: Vec<String> = p.states.iter().map(state).collect();
    let between = if states.is_empty() { "" } else { ": " };
    let head = format!("algorithm {x}{between}{}", states.join(", "));
    block(&head, &p.body).replace('\n', "\n  ")
}

/// A mechanism in words.
fn what(subject: &Subject) -> String {
    match subject {
        Subject::Command(c) => format!("[{}]", line(c)),
        Subject::Process(p, v) => format!("the {} of {p}", trace::view(*v)),
        Subject::Any => "A".to_owned(),
    }
}

pub(crate) fn notion(n: &Notion) -> Layout {
    let kind = match n {
        Notion::Pure(_) | Notion::Approximate(..) => "-DP",
        Notion::Zcdp(_) => "-zCDP",
        Notion::Renyi(..) => "-RDP",
        Notion::Range(_) => "-bounded range",
        Notion::Dominated(pair) => return Layout::Row(vec![words("dominated by "), layout(pair)]),
    };
    let numbers = joined(n.numbers().into_iter().map(layout), ", ");
    Layout::Row(vec![fence("(", numbers, ")"), words(kind)])
}

/// How a goal is laid out.
pub(crate) fn goal(g: &Goal) -> Layout {
    let between = |data: &str, rest: Vec<Layout>| {
        let head = words(format!("between neighbours of {data}, "));
        Layout::Row(std::iter::once(head).chain(rest).collect())
    };
    match g {
        Goal::Le(a, b) => joined([layout(a), layout(b)], " ≤ "),
        Goal::Eq(a, b) => joined([layout(a), layout(b)], " = "),
        Goal::Every(x, sort, g) => {
            let head = words(format!("for every {}: ", variable(x, sort)));
            Layout::Row(vec![head, goal(g)])
        }
        Goal::If(given, g) => Layout::Row(vec![words("if "), goal(given), words(": "), goal(g)]),
        Goal::Both(goals) => joined(goals.iter().map(goal), "; "),
        Goal::Minimises(f, x) => {
            Layout::Row(vec![words(format!("{f} is least at ")), at_least(x, 3)])
        }
        Goal::Moves { data, query, by } => {
            let moves = words(" moves by at most ");
            between(data, vec![layout(query), moves, layout(by)])
        }
        Goal::Keeps { data, command, by } => {
            let c = line(command);
            let choice =
                format!("the choice of [{c}] stays if its noise moves on to its winning side by ");
            between(data, vec![words(choice), layout(by)])
        }
        Goal::Private {
            data,
            notion: n,
            subject,
        } => between(data, vec![words(what(subject) + " is "), notion(n)]),
        Goal::Events(data, subject, [p, q], g) => {
            let of = what(subject);
            let head = format!("every event of {of}, of probabilities {p} and {q}, has: ");
            between(data, vec![words(head), goal(g)])
        }
    }
}
