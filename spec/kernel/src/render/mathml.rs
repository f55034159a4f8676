//! Terms and goals as presentation MathML (MathML Core), for the report and the documentation.

use super::text;
use crate::statement::{Goal, Notion};
use crate::term::{Binder, Op, Term};

fn row(parts: &[String]) -> String {
    format!("<mrow>{}</mrow>", parts.concat())
}

fn sign(text: &str) -> String {
    format!("<mo>{text}</mo>")
}

fn name(text: &str) -> String {
    format!("<mi>{text}</mi>")
}

fn words(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    format!("<mtext>{text}</mtext>")
}

fn fenced(open: &str, inside: &[String], close: &str) -> String {
    row(&[sign(open), inside.concat(), sign(close)])
}

fn under(operator: &str, below: &[String]) -> String {
    format!("<munder>{operator}{}</munder>", row(below))
}

/// A term that stands in a product or under a power.
fn tight(t: &Term) -> String {
    let loose = matches!(t, Term::Op(Op::Add | Op::Sub, _))
        || matches!(t, Term::Bind(Binder::Sum | Binder::Mean, ..));
    if loose {
        return fenced("(", &[term(t)], ")");
    }
    term(t)
}

fn joined(parts: impl Iterator<Item = String>, between: &str) -> String {
    let parts: Vec<String> = parts.collect();
    row(&[parts.join(&sign(between))])
}

fn applied(f: &str, arguments: &[Term]) -> String {
    if arguments.is_empty() {
        return name(f);
    }
    let inside = joined(arguments.iter().map(term), ",");
    row(&[name(f), fenced("(", &[inside], ")")])
}

/// A term as a MathML element.
#[must_use]
pub fn term(t: &Term) -> String {
    match t {
        Term::Num(value) => format!("<mn>{value}</mn>"),
        Term::Var(x) => name(x),
        Term::App(f, arguments) => applied(f, arguments),
        Term::Op(op, arguments) => operation(*op, arguments),
        Term::Bind(binder, x, of, body) => binding(*binder, x, of, body),
    }
}

fn binding(binder: Binder, x: &str, of: &Term, body: &Term) -> String {
    let below = |relation: &str| [name(x), sign(relation), term(of)];
    match binder {
        Binder::Sum => row(&[under(&sign("∑"), &below("&lt;")), tight(body)]),
        Binder::Mean => row(&[under(&words("mean"), &below("∈")), tight(body)]),
        Binder::Expect => {
            let operator = under(&name("𝔼"), &below("∼"));
            row(&[operator, fenced("[", &[term(body)], "]")])
        }
        Binder::Vec => {
            let inside = fenced("(", &[term(body)], ")");
            format!("<msub>{inside}{}</msub>", row(&below("&lt;")))
        }
        Binder::Sup => {
            let range = match of {
                Term::Op(Op::Except, range) => row(&[
                    name(x),
                    sign("&lt;"),
                    term(&range[0]),
                    sign(","),
                    name(x),
                    sign("≠"),
                    term(&range[1]),
                ]),
                other => term(other),
            };
            let inside = [term(&Term::Num(0.into())), sign(","), term(body)];
            row(&[under(&words("max"), &[range]), fenced("(", &inside, ")")])
        }
    }
}

fn operation(op: Op, a: &[Term]) -> String {
    match (op, a) {
        (Op::Add, _) => joined(a.iter().map(term), "+"),
        (Op::Sub, [x, y]) => row(&[term(x), sign("−"), tight(y)]),
        (Op::Mul, _) => joined(a.iter().map(tight), "·"),
        (Op::Div, [x, y]) => format!("<mfrac>{}{}</mfrac>", term(x), term(y)),
        (Op::Pow, [x, n]) => {
            let plain = matches!(x, Term::Num(_) | Term::Var(_) | Term::App(..));
            let base = match plain {
                true => term(x),
                false => fenced("(", &[term(x)], ")"),
            };
            format!("<msup>{base}{}</msup>", term(n))
        }
        (Op::Sqrt, [x]) => format!("<msqrt>{}</msqrt>", term(x)),
        (Op::Log, [x]) => row(&[name("log"), fenced("(", &[term(x)], ")")]),
        (Op::Max, _) => {
            let inside = joined(a.iter().map(term), ",");
            row(&[words("max"), fenced("(", &[inside], ")")])
        }
        (Op::Abs, [x]) => fenced("|", &[term(x)], "|"),
        (Op::At, [v, j]) => format!("<msub>{}{}</msub>", tight(v), term(j)),
        (Op::Partial, [f, x, rest @ .., j]) => {
            let slope = format!("<msub>{}{}</msub>", sign("∂"), term(j));
            let mut inside = vec![term(x)];
            for d in rest {
                inside.extend([sign(";"), term(d)]);
            }
            row(&[slope, term(f), fenced("(", &inside, ")")])
        }
        (Op::Unit | Op::Member | Op::Inclusion, [j, other]) => {
            let (head, relation) = match op {
                Op::Unit => ("𝟙", "="),
                Op::Member => ("𝟙", "∈"),
                _ => ("ℙ", "∈"),
            };
            let inside = [term(j), sign(relation), term(other)];
            row(&[name(head), fenced("(", &inside, ")")])
        }
        (Op::Normal, [d, variance]) => {
            let law = format!("<msub>{}{}</msub>", name("N"), term(d));
            let inside = [term(&Term::Num(0.into())), sign(","), term(variance)];
            row(&[law, fenced("(", &inside, ")")])
        }
        (Op::Run, _) => applied("run", a),
        (_, a) => joined(a.iter().map(term), ","),
    }
}

/// A goal as a MathML element.
#[must_use]
pub fn goal(g: &Goal) -> String {
    let inside = match g {
        Goal::Le(a, b) => row(&[term(a), sign("≤"), term(b)]),
        Goal::Eq(a, b) => row(&[term(a), sign("="), term(b)]),
        Goal::Minimises(f, x) => row(&[name(f), words(" is least at "), term(x)]),
        Goal::Moves { data, query, by } => row(&[
            words("between neighbours of "),
            name(data),
            words(", "),
            term(query),
            words(" moves by at most "),
            term(by),
        ]),
        Goal::Private {
            data,
            notion,
            subject,
        } => {
            let (numbers, kind) = match notion {
                Notion::Pure(a) => (vec![term(a)], "-DP"),
                Notion::Zcdp(a) => (vec![term(a)], "-zCDP"),
                Notion::Approximate(a, b) => (vec![term(a), sign(","), term(b)], "-DP"),
            };
            row(&[
                words("between neighbours of "),
                name(data),
                words(", "),
                words(&format!("{} is ", text::what(subject))),
                fenced("(", &numbers, ")"),
                words(kind),
            ])
        }
    };
    format!("<math display=\"block\">{inside}</math>")
}
