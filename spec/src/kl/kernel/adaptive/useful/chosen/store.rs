//! What h keeps of the iterates, and how the weights grow with a round.

use super::super::{Proof, le, slope};
use super::draw::{score, total, weight};
use super::{basis, count, height, next, read, size, stored};
use crate::kl::kernel::selection::scaled;
use crate::moved::written::given;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Part, Theorem, combine, discharge, exchange, instance, root_increases, sum_over, triangle,
    union,
};
use dp_assay_kernel::search::cases::{absurd, split};
use dp_assay_kernel::search::exp::exp_increases;
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{assumed, item, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sort};
use dp_assay_kernel::term::{Op, Term, at, mul, num, op, sum, var, vector};

/// ‖⟨x_r − y_r : r<d⟩‖.
fn apart(x: &Term, y: &Term) -> Term {
    vector("m", var("d"), at(x, &var("m")) - at(y, &var("m"))).norm()
}

/// G(x) ≤ G(y) where x and y are the same, by Σ_r (x_r − y_r)² ≤ 0.
fn alike(here: &Context, data: &[Goal], [x, y]: [&Term; 2], square: &Theorem) -> Proof {
    let size = root_increases(&combine(
        here,
        Goal::Le(apart(x, y).pow(2), num(0).pow(2)),
        &[with(num(1), square)],
    )?)?;
    let near = instance(here, &instance(here, &assumed(here, &data[1])?, x)?, y)?;
    let gap = vector("j", var("d"), slope(x) - slope(y));
    let minus = vector("j", var("d"), num(0) - slope(y));
    let sum = triangle(here, &gap, &minus)?;
    le(
        here,
        height(x),
        height(y),
        vec![
            with(num(1), &sum),
            with(num(1), &near),
            with(var("L₁"), &size),
        ],
    )
}

/// What round k reads after round t has stored w: read(h, k)_r + 𝟙\[k=t\]·(w_r − read(h, t)_r), in a context with the index r.
fn read_back(here: &Context, [h, w]: [&Term; 2], k: &Term, t: &Term) -> Proof {
    let (r, m) = (var("r"), var("m"));
    let inner = here.extended(item("m", Sort::Index(var("d"))))?;
    let gram = [k, t, &r, &m]
        .into_iter()
        .try_fold(given(here, 8)?, |rule, value| {
            instance(&inner, &rule, value)
        })?;
    let entry = |h: &Term, k: &Term, i: &Term| {
        sum("a", size(), mul([basis(k, i, &var("a")), at(h, &var("a"))]))
    };
    let added = |i: &Term| at(w, i) - entry(h, t, i);
    let Goal::Eq(product, unit) = &gram.statement().goal else {
        return Err(Stuck::new("no product"));
    };
    let goal = Goal::Eq(
        mul([added(&m), product.clone()]),
        mul([added(&m), unit.clone()]),
    );
    let all = sum_over(&combine(&inner, goal, &[with(added(&m), &gram)])?)?;
    let a = var("a");
    let body = mul([basis(k, &r, &a), basis(t, &m, &a), added(&m)]);
    let swapped = exchange(here, ("a", &size()), ("m", &var("d")), &body)?;
    let new = entry(&stored(h, w, t), k, &r);
    let same = op(Op::Unit, [k.clone(), t.clone()]);
    let goal = Goal::Eq(new, entry(h, k, &r) + mul([same, added(&r)]));
    combine(here, goal, &[with(num(1), &swapped), with(num(1), &all)])
}

/// exp(−n√ρ·G(w)/(2L₀)) is at most the weights with that of round t, which stores w.
pub(super) fn added(
    here: &Context,
    data: &[Goal],
    [h, c, w]: [&Term; 3],
    order: &Theorem,
) -> Proof {
    let (t, b) = (var("t"), var("b"));
    let (h, c) = (&stored(h, w, &t), &next(c));
    let old = var("h");
    let inner = here.extended(item("b", Sort::Index(var("R"))))?;
    let unit = op(Op::Unit, [b.clone(), t.clone()]);
    let one = weight(h, c, &b)?;
    let slack = Part::new(mul([(num(1) - unit.clone()).pow(2), one.clone()]), []);
    let each = combine(&inner, Goal::Le(mul([unit, one.clone()]), one), &[slack])?;
    let all = sum_over(&each)?;
    let at_r = here.extended(item("r", Sort::Index(var("d"))))?;
    let back = read_back(&at_r, [&old, w], &t, &t)?;
    let (new, r) = (read(h, &t), var("r"));
    let gap = at(&new, &r) - at(w, &r);
    let square = combine(
        &at_r,
        Goal::Eq(gap.pow(2), num(0)),
        &[with(gap.clone(), &back)],
    )?;
    let square = sum_over(&square)?;
    let square = combine(
        here,
        Goal::Le(sum("r", var("d"), gap.pow(2)), num(0)),
        &[with(num(1), &square)],
    )?;
    let near = alike(here, data, [&new, w], &square)?;
    let low = exp_increases(&scaled(here, &height(w), &height(&new), &near)?)?;
    let begun = le(
        here,
        t.clone() + num(1),
        count(c),
        vec![with(num(1), order)],
    )?;
    let sure = union(&begun)?;
    let parts = vec![
        with(num(1), &all),
        with(num(1), &low),
        with(score(&height(&new)), &sure),
    ];
    le(here, score(&height(w)), total(h, c)?, parts)
}

/// The weights do not fall when round t, the first that has not begun, stores w.
pub(super) fn grown(
    here: &Context,
    data: &[Goal],
    [h, c, w]: [&Term; 3],
    order: &Theorem,
) -> Proof {
    let (t, b) = (var("t"), var("b"));
    let (after, more) = (stored(h, w, &t), next(c));
    let inner = here.extended(item("b", Sort::Index(var("R"))))?;
    let unit = op(Op::Unit, [b.clone(), t.clone()]);
    let rest = num(1) - unit.clone();
    let (now, then) = (weight(h, c, &b)?, weight(&after, &more, &b)?);
    let goal = Goal::Le(
        mul([rest.clone(), now.clone()]),
        mul([rest.clone(), then.clone()]),
    );
    let half = num(1) / num(2);
    let each = either(&inner, [&unit, &half], |here, case, other| {
        if !other {
            // 𝟙 = 1.
            let none = combine(
                here,
                Goal::Le(rest.clone(), num(0)),
                &[with(num(2) * rest.pow(2), case)],
            )?;
            let slack = Part::new(mul([rest.pow(2), then.clone()]), []);
            return combine(here, goal.clone(), &[with(now.clone(), &none), slack]);
        }
        let none = combine(
            here,
            Goal::Le(unit.clone(), num(0)),
            &[with(num(2) * unit.clone(), case)],
        )?;
        let at_r = here.extended(item("r", Sort::Index(var("d"))))?;
        let back = read_back(&at_r, [h, w], &b, &t)?;
        let (new, old, r) = (read(&after, &b), read(h, &b), var("r"));
        let gap = at(&new, &r) - at(&old, &r);
        let change = at(w, &r) - at(&read(h, &t), &r);
        let both = gap.clone() + mul([unit.clone(), change.clone()]);
        let goal_r = Goal::Eq(gap.pow(2), mul([unit.clone(), change.pow(2)]));
        let square = sum_over(&combine(&at_r, goal_r, &[with(both, &back)])?)?;
        let changes = sum("r", var("d"), change.pow(2));
        let square = combine(
            here,
            Goal::Le(sum("r", var("d"), gap.pow(2)), num(0)),
            &[with(num(1), &square), with(changes, &none)],
        )?;
        let near = alike(here, data, [&new, &old], &square)?;
        let low = exp_increases(&scaled(here, &height(&old), &height(&new), &near)?)?;
        let begun = |c: &Term| Goal::Le(b.clone() + num(1), count(c));
        let given = here.extended(Item::Assume(begun(c)))?;
        let Goal::Le(x, y) = begun(&more) else {
            return Err(Stuck::new("no order"));
        };
        let still = le(
            &given,
            x,
            y,
            vec![with(num(1), &assumed(&given, &begun(c))?)],
        )?;
        let still = union(&discharge(&still)?)?;
        let first = op(Op::AtMost, [b.clone() + num(1), count(c)]);
        let parts = [
            with(mul([rest.pow(2), score(&height(&new))]), &still),
            with(mul([rest.pow(2), first]), &low),
        ];
        combine(here, goal.clone(), &parts)
    })?;
    let all = sum_over(&each)?;
    let own = op(Op::AtMost, [t.clone() + num(1), count(c)]);
    let none = split(
        here,
        [&(t.clone() + num(1)), &count(c)],
        |here, fact| {
            let nonsense = le(
                here,
                num(1),
                num(0),
                vec![with(num(1), fact), with(num(1), order)],
            )?;
            absurd(here, &nonsense, &Goal::Le(own.clone(), num(0)))
        },
        |_, none| Ok(none.clone()),
    )?;
    let lost = score(&height(&read(h, &t)));
    le(
        here,
        total(h, c)?,
        total(&after, &more)?,
        vec![
            with(num(1), &all),
            with(lost, &none),
            Part::new(weight(&after, &more, &t)?, []),
        ],
    )
}
