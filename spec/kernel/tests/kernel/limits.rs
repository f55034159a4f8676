//! Limits: the falsifier, what is concluded, and what is refused.

use crate::items::{numbers, variable};
use crate::refusals::refused;
use crate::world::{Eval, Random, Value, World};
use crate::{Falsifier, Instance};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Part, Theorem, combine, counted, limit};
use dp_assay_kernel::search::with as times;
use dp_assay_kernel::statement::{Goal, Item, Sign, Sort};
use dp_assay_kernel::term::{Term, add, mul, num, var};

pub const FALSIFIERS: [Falsifier; 1] = [("limit", limits)];

type Small = fn(Term) -> Term;

/// What is as small as is wanted, of c: c·q for every real q > 0, and c/q for every integer q ≥ 1.
const FORMS: [(Sort, Small); 2] = [
    (Sort::Real(Sign::Positive), |c| mul([c, var("q")])),
    (Sort::Count, |c| c / var("q")),
];

/// left ≤ right for all q of a sort, where right − left is `rest`, plainly ≥ 0.
fn holds(sort: &Sort, left: Term, right: Term, rest: Term) -> Result<Theorem, Stuck> {
    let inner = numbers()?.extended(variable("q", sort.clone()))?;
    combine(&inner, Goal::Le(left, right), &[Part::new(rest, [])])
}

/// −1 ≤ (x² − 1) + s for s, x²·q or x²/q, as small as is wanted, so −1 ≤ x² − 1; and 0 ≤ (|x| − s) + s, from which 0 ≤ |x| − s does not
/// follow, as that depends on q. Twin: that it does.
fn limits(r: &mut Random) -> Instance {
    let (sort, small) = &FORMS[r.below(2)];
    let square = || var("x").pow(2);
    let bound = (square() - num(1)) + small(square());
    let theorem = holds(sort, num(-1), bound, square() + small(square())).expect("a square");
    let theorem = limit(&theorem).expect("a limit");
    let Some([left, right]) = theorem.statement().goal.sides() else {
        panic!("no bound");
    };
    let context = &theorem.statement().context;
    let open = context.extended(variable("q", sort.clone())).expect("q");
    let size = || var("x").abs();
    let moves = size() - small(num(1));
    let other = holds(sort, num(0), moves.clone() + small(num(1)), size()).expect("a modulus");
    assert!(limit(&other).is_err());
    let q = match sort {
        Sort::Count => 1.0 + r.below(9) as f64,
        _ => r.real(0.1, 2.0),
    };
    let x = r.real(-1.0, 1.0);
    let number = |value: f64| Value::Number(value);
    let w = World::from([("x".to_owned(), number(x)), ("q".to_owned(), number(q))]);
    let eval = Eval {
        context: &open,
        fresh: true,
    };
    Instance {
        rule: eval.number(right, &w) - eval.number(left, &w),
        twin: eval.number(&moves, &w),
    }
}

/// What follows is word for word the bound without what is small, in the context without q.
#[test]
fn limits_are_without_what_becomes_small() -> Result<(), Stuck> {
    for (sort, small) in &FORMS {
        for c in [num(1), num(0), var("x").pow(2) / var("y")] {
            let (left, right) = (num(0) - c.clone(), var("y").pow(2));
            let bound = right.clone() + small(c.clone());
            let theorem = holds(
                sort,
                left.clone(),
                bound,
                right.clone() + c.clone() + small(c),
            )?;
            let found = limit(&theorem)?;
            assert_eq!(found.statement().goal, Goal::Le(left, right));
            assert_eq!(found.statement().context, numbers()?);
        }
    }
    // A negative multiple: x² ≤ (x² + 1) − 1/q, as 1 ≤ q.
    let inner = numbers()?.extended(variable("q", Sort::Count))?;
    let (square, above) = (var("x").pow(2), var("x").pow(2) + num(1));
    let goal = Goal::Le(square.clone(), above.clone() + num(-1) / var("q"));
    let one = counted(&inner, &var("q"))?;
    let found = limit(&combine(&inner, goal, &[times(num(1) / var("q"), &one)])?)?;
    assert_eq!(found.statement().goal, Goal::Le(square, above));
    Ok(())
}

/// Bounds for what is small that are none, or are not written so.
#[test]
fn limits_of_another_form_are_refused() -> Result<(), Stuck> {
    let (q, zero, none) = (|| var("q"), || num(0), "not a multiple");
    for (sort, small) in &FORMS {
        let all = |left: Term, right: Term, rest: Term| limit(&holds(sort, left, right, rest)?);
        // c depends on q.
        refused(all(zero(), zero() + small(q()), small(q())), none);
        // b depends on q: 0 ≤ (q − 1) + s is not −1 ≤ q − 1; so does a, −q.
        refused(
            all(
                zero() - num(1),
                (q() - num(1)) + small(num(1)),
                q() + small(num(1)),
            ),
            none,
        );
        refused(
            all(zero() - q(), zero() + small(num(1)), q() + small(num(1))),
            none,
        );
        // What does not become small, a multiple of another number or a quotient by one.
        refused(all(zero(), zero() + var("y"), var("y")), none);
        refused(
            all(zero(), zero() + mul([num(1), var("y")]), var("y")),
            none,
        );
        refused(
            all(zero(), zero() + num(1) / var("y"), num(1) / var("y")),
            none,
        );
        // One part, or three.
        refused(
            all(zero(), small(num(1)), small(num(1))),
            "no bound of two parts",
        );
        let three = add([zero(), zero(), small(num(1))]);
        refused(all(zero(), three, small(num(1))), none);
        let three = add([zero(), small(num(1)), var("y")]);
        refused(all(zero(), three.clone(), three), none);
        let three = mul([num(1), q(), var("y")]);
        refused(all(zero(), zero() + three.clone(), three), none);
        // An equation, and a bound of which more is supposed than that q is of its sort.
        let inner = numbers()?.extended(variable("q", sort.clone()))?;
        let equation = Goal::Eq(num(1), num(1) + small(zero()));
        refused(
            limit(&combine(&inner, equation, &[])?),
            "no bound of two parts",
        );
        let given = inner.extended(Item::Assume(Goal::Le(q(), num(1))))?;
        let goal = Goal::Le(zero(), zero() + small(num(1)));
        let under = combine(&given, goal, &[Part::new(small(num(1)), [])])?;
        refused(limit(&under), "does not end with a variable");
    }
    // Each form is for its own sort, and for no other.
    let [(real, multiple), (count, quotient)] = &FORMS;
    let index = Sort::Index(var("d"));
    for (sort, small) in [
        (real, quotient),
        (count, multiple),
        (&Sort::Real(Sign::NonNegative), multiple),
        (&index, multiple),
    ] {
        let theorem = holds(sort, zero(), zero() + small(num(1)), small(num(1)))?;
        refused(limit(&theorem), none);
    }
    Ok(())
}
