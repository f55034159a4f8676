//! How long a Gaussian vector is, in every dimension.

use crate::arith::ratio;
use crate::moved::written::{Proof, each, given, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, combine, discharge, exp_log, exp_sum, expected, root_increases, tail, tangent, union,
};
use dp_assay_kernel::search::cases::{beyond, split};
use dp_assay_kernel::search::exp::{exp_of_opposite, log_above};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{item, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Op, Term, num, var};

/// `kl-red-norm`; in one dimension Z is a number.
pub fn norm() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           real x > 0
           assume log(2) ≤ x
         holds
           if 2 ≤ d: 1 − exp(0 − x) ≤ 𝔼_{z∼N_{d}(0, 1)}[𝟙(‖z‖² ≤ 4·d·x)]; 1 − exp(0 − x) ≤ \
               𝔼_{z∼N(0, 1)}[𝟙(z² ≤ 4·x)]",
    )
}

/// 1/(4x) ≤ exp(−x), from x ≤ 1 and log 2 ≤ x: exp(−x) = exp(−log 2)·exp(log 2 − x) ≥ (1 + log 2 − x)/2.
pub(super) fn by_moment(h: &Context, x: &str, small: &Theorem, least: &Theorem) -> Proof {
    let two = log_above(h, &2.into(), &ratio(2, 3), 6)?;
    let (minus, rest) = (term(h, "0 − log(2)")?, format!("(log(2) − {x})"));
    let change = term(h, &rest)?;
    let (split, above) = (exp_sum(h, &minus, &change)?, tangent(h, &change)?);
    let (unit, named) = (
        exp_of_opposite(h, &term(h, "log(2)")?)?,
        exp_log(h, &num(2))?,
    );
    let half = "exp(0 − log(2))";
    let parts: &[(&str, &[&Theorem])] = &[("1/2", &[&unit]), (&format!("{half}/2"), &[&named])];
    let half_is = show(h, &format!("1/2 ≤ {half}"), parts)?;
    let short = show(
        h,
        &format!("0 ≤ 1 + {rest}"),
        &[("1", &[small]), ("1", &[&two])],
    )?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("(−1)", &[&split]),
        (half, &[&above]),
        ("1", &[&half_is, &short]),
    ];
    let low = show(h, &format!("(1 + {rest})/2 ≤ exp(0 − {x})"), parts)?;
    // x·(1 + log 2 − x) = (x − log 2)·(1 − x) + log 2, and log 2 ≥ 2/3.
    let unit = format!("1/(2·{x})");
    let parts: &[(&str, &[&Theorem])] =
        &[("1", &[&low]), (&unit, &[least, small]), (&unit, &[&two])];
    show(h, &format!("1/(4·{x}) ≤ exp(0 − {x})"), parts)
}

/// The proof of [`norm`], or of a statement with a larger bound: for x ≤ 1 by Markov's inequality for ‖Z‖², for others by its tail.
pub fn prove_norm(statement: &Statement) -> Proof {
    each(
        statement,
        &[
            &|h, goal| {
                either(h, [&var("x"), &num(1)], |h, case, small| match small {
                    true => moment(h, goal, case),
                    false => by_tail(h, goal, "N_{d}(0, 1)", &|here| {
                        let two = given(here, 1)?;
                        let [first, second] = [("d ≤ d·x", "d", case), ("2·x ≤ d·x", "x", &two)]
                            .map(|(goal, by, fact)| {
                                root_increases(&show(here, goal, &[(by, &[fact])])?)
                            });
                        let near = "‖z‖ ≤ 2·√(d·x)";
                        let calm = given(here, 3)?;
                        let near = show(
                            here,
                            near,
                            &[("1", &[&calm]), ("1", &[&first?]), ("1", &[&second?])],
                        )?;
                        show(here, "‖z‖² ≤ 4·d·x", &[("‖z‖ + 2·√(d·x)", &[&near])])
                    }),
                })
            },
            &|h, goal| {
                by_tail(h, goal, "N(0, 1)", &|here| {
                    let calm = given(here, 1)?;
                    show(here, "z² ≤ 4·x", &[("|z| + √(2·x)", &[&calm])])
                })
            },
        ],
    )
}

/// P(‖z‖² > 4dx) ≤ 1/(4x).
fn moment(h: &Context, goal: &Goal, small: &Theorem) -> Proof {
    let drawn = h.extended(item("z", Sort::Vector(var("d"), Sign::Any)))?;
    let sides = [term(&drawn, "‖z‖²")?, term(&drawn, "4·d·x")?];
    let most = "1 − 𝟙(‖z‖² ≤ 4·d·x) ≤ ‖z‖²/(4·d·x)";
    let one = split(
        &drawn,
        [&sides[0], &sides[1]],
        |here, fact| {
            show(
                here,
                most,
                &[("1", &[&union(fact)?]), ("‖z‖²/(4·d·x)", &[])],
            )
        },
        |here, none| {
            let order = beyond(here, none)?;
            show(
                here,
                most,
                &[("1/(4·d·x)", &[&order]), ("𝟙(‖z‖² ≤ 4·d·x)", &[])],
            )
        },
    )?;
    let all = expected(&one, &term(h, "N_{d}(0, 1)")?)?;
    let low = by_moment(h, "x", small, &given(h, 0)?)?;
    combine(h, goal.clone(), &[with(num(1), &all), with(num(1), &low)])
}

/// A probability that is at least 1 − exp(−x), since the event follows from that of the tail.
fn by_tail(h: &Context, goal: &Goal, law: &str, follows: &dyn Fn(&Context) -> Proof) -> Proof {
    let law = term(h, law)?;
    let tail = tail(h, &law, &var("x"), None)?;
    let Goal::Le(_, Term::Bind(_, x, _, calm)) = &tail.statement().goal else {
        return Err(Stuck::new("no tail"));
    };
    let Term::Op(Op::AtMost, calm) = calm.put(x, &var("z")) else {
        return Err(Stuck::new("no event"));
    };
    let sort = Sort::drawn(h, &law).ok_or_else(|| Stuck::new("no law"))?;
    let calm = Goal::Le(calm[0].clone(), calm[1].clone());
    let good = h.with([item("z", sort), Item::Assume(calm)])?;
    let all = expected(&union(&discharge(&follows(&good)?)?)?, &law)?;
    combine(h, goal.clone(), &[with(num(1), &tail), with(num(1), &all)])
}
