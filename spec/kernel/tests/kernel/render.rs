//! Text is read back to the same statement; different statements print differently; MathML is balanced.

use crate::rules::numbers;
use crate::terms::random_term;
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
    let inner = random_term(r, 2, &["i"], false);
    let right = match r.below(5) {
        0 => inner.exp(),
        1 => op(Op::Clip, [inner, var("y")]),
        2 => op(Op::AtMost, [inner, var("y")]),
        3 => op(Op::Clip, [var("v"), inner]).norm(),
        _ => inner.abs() - num(-2).pow(-3),
    };
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

/// What the random statements have not: records, mechanisms, loops, and what holds between neighbours.
#[test]
fn mechanisms_are_read_back() {
    let context = "for all
  integer n ≥ 1
  integer d ≥ 1
  real c > 0
  data D of n records: its neighbours have one record left out of every sum, and the same number \
      of records
  vector x ∈ ℝ^d for every record
  number y for every record
  map φ of ℝ^d into ℝ^d
  map ψ of ℝ^d × ℝ^(n·d) into ℝ^d
  vector f₂ ∈ ℝ^d for every record and vector of ℝ^(d + 1)
  sequence q₂ in ℝ^n
  loss f on ℝ^d with c: changed by at most c·‖v‖ when v is added to its vector, for every record; \
      where it has no gradient, its derivatives are those of a chosen vector of norm at most c
  vector q₃ ∈ ℝ^d, all > 0
  loss ℓ on ℝ^d with q₃ by entries: differentiable in its vector for every record, and changed by \
      at most q₃_j·|t| when t is added to entry j
  function r on ℝ^d with q₃: convex, differentiable, and r(y) ≤ r(x) + ⟨∇r(x), y − x⟩ + ½·Σ_j \
      q₃_j·(y_j − x_j)² for all x, y
  function f₃ on ℝ^d with q₃, the mean of ℓ over D plus r: convex, differentiable, and f₃(y) ≤ \
      f₃(x) + ⟨∇f₃(x), y − x⟩ + ½·Σ_j q₃_j·(y_j − x_j)² for all x, y
  index l<d
  vector w ∈ ℝ^d
  vector u ∈ ℝ^(d + 1)
  mechanism A on D that takes and releases vectors of ℝ^d and is (1 + c, 2)-RDP for every one that \
      it takes
  assume for every index l′<d: for every vector q ∈ ℝ^d: w_l′ ≤ q_l′ + ‖q‖
  algorithm P: v ← w in ℝ^d, s ← ⟨0 : j<d⟩ in ℝ^d
    repeat t<n
      a ← A(φ(v))
      m₂ ← ⟨Σ_{z∈D} f₂(u, z)[j] : j<d⟩ + Pairwise(n, t, c, q₂, n + 1, 2·c)
      s ← ψ(v, m₂)
      repeat k<(d + 1)
        b ← Σ_{z∈D} 𝟙(y(z) ≤ u_k) + N(0, 2)
        g ← ⟨Σ_{z∈D} clip(x(z)[j], c) : j<d⟩ + N_{d}(0, c)
        stop when the sum of c·b² exceeds n − 1
      end
      v ← φ(a)
    end
  end
holds
  ";
    for goal in [
        "between neighbours of D, [o ← A(φ(w))] is (1 + c, 2)-RDP",
        "between neighbours of D, [o ← A(w)] is (1, 2)-DP",
        "between neighbours of D, the transcript of P is (c)-zCDP",
        "between neighbours of D, the path of P is (1, 2)-RDP",
        "for every record e: y(e) ≤ c",
        "for every vector o ∈ ℝ^d: if φ(o)[l]^n = 2^(n + 1): if f₃ is least at o: \
            𝔼_{u′∼end(P)}[‖u′‖] ≤ ((1 + c)^n)²",
        "for every real e > 0: for every index m<(d + 1): u_m ≤ e; c = 1; between neighbours of D, \
            the path of P is (c)-DP",
        "between neighbours of D, the end of P is (c)-DP",
        "between neighbours of D, ⟨Σ_{z∈D} ∂_j f(w; z) : j<d⟩ moves by at most c",
        "between neighbours of D, the choice of [o ← argmax_{k<d} |w_k + Laplace(c)| / c²] stays \
            if its noise moves on to its winning side by w_k",
        "between neighbours of D, the choice of [o ← argmax_{k<d} ((w_k − c)·2 + Laplace(c))] \
            stays if its noise moves on to its winning side by w_k",
        "between neighbours of D, the choice of [o ← argmax_{k<d} ((w_k − c) + Laplace(c))] stays \
            if its noise moves on to its winning side by w_k",
    ] {
        let text = format!("{context}{goal}");
        let read = render::parse(&text).expect(goal);
        assert_eq!(read.to_string(), text);
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
        (
            "each index has a positive probability",
            "each index has a probability",
        ),
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
