//! Text is read back to the same statement; different statements print differently; MathML is balanced.

use crate::rules::{numbers, random_term};
use crate::world::Random;
use dp_assay_kernel::render;
use dp_assay_kernel::statement::{Command, Goal, Notion, Statement, Subject};
use dp_assay_kernel::term::{Binder, Op, Term, at, bind, num, op, var};
use std::collections::BTreeMap;

/// A random inequality, some of them with expectations.
fn statement(r: &mut Random) -> Statement {
    let (context, _) = numbers(r);
    let mut left = random_term(r, 3, &["i"], false);
    if r.below(3) == 0 {
        let law = op(Op::Normal, [var("d"), at(&var("L"), &var("S"))]);
        let inner = bind(Binder::Expect, "η", law, random_term(r, 2, &["i"], true));
        left = bind(Binder::Expect, "S", var("𝒮"), inner);
    }
    let right = random_term(r, 2, &["i"], false).abs() - num(-2).pow(-3);
    let goal = Goal::Le(left, right);
    Statement { context, goal }
}

#[test]
fn text_is_read_back_and_tells_statements_apart() {
    let mut r = Random(3);
    let mut seen: BTreeMap<String, Statement> = BTreeMap::new();
    for _ in 0..2000 {
        let statement = statement(&mut r);
        let text = statement.to_string();
        assert_eq!(render::parse(&text), Ok(statement.clone()), "{text}");
        let before = seen.insert(text, statement.clone());
        assert!(before.is_none_or(|s| s == statement));
    }
}

#[test]
fn text_that_no_statement_prints_is_refused() {
    let statement = statement(&mut Random(4));
    let text = statement.to_string();
    for (what, other) in [
        ("for all\n", ""),
        ("holds\n", ""),
        ("≤", "<"),
        ("integer d ≥ 1", "integer d ≥ 2"),
        ("each has a positive probability", "each has a probability"),
        ("vector v ∈ ℝ^d", "vector v ∈ ℝ^K"),
        ("all > 0", "all > 1"),
    ] {
        assert!(text.contains(what), "{what}");
        let changed = text.replacen(what, other, 1);
        let read = render::parse(&changed);
        assert!(read.as_ref() != Ok(&statement), "{changed}");
        if what != "vector v ∈ ℝ^d" {
            assert!(read.is_err(), "{changed}");
        }
    }
}

#[test]
fn mathml_is_balanced() {
    let mut r = Random(5);
    let command = Command::Draw {
        name: "S".into(),
        law: bind(Binder::Sum, "k", var("d"), num(1)),
    };
    let private = Goal::Private {
        data: "D".into(),
        notion: Notion::Approximate(var("x"), num(1)),
        subject: Subject::Command(command.into()),
    };
    let goals = (0..200).map(|_| statement(&mut r).goal).chain([private]);
    for goal in goals {
        let text = render::mathml_goal(&goal);
        let mut open = Vec::new();
        for tag in text.split('<').skip(1) {
            let name = tag.split(['>', ' ']).next().unwrap_or_default();
            match name.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name), "{text}"),
                None => open.push(name),
            }
        }
        assert!(open.is_empty(), "{text}");
    }
}

#[test]
fn precedence_is_written_with_brackets() {
    let [a, b, c] = ["a", "b", "c"].map(var);
    let cases: [(Term, &str); 6] = [
        ((a.clone() + b.clone()) - c.clone(), "a + b − c"),
        (a.clone() - (b.clone() + c.clone()), "a − (b + c)"),
        ((a.clone() + b.clone()).pow(2), "(a + b)²"),
        (a.clone() / (b.clone() * c.clone()), "a/(b·c)"),
        ((a.clone() / b.clone()) * c.clone(), "(a/b)·c"),
        (num(-1) * a.pow(-12), "(−1)·a⁻¹²"),
    ];
    for (term, text) in cases {
        assert_eq!(render::text(&term), text);
    }
}
