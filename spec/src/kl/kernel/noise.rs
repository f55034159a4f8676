//! The noises of Algorithm 4, all at once: c counts the rounds with one that is too large.

use super::adaptive::useful::fails;
use crate::arith::ratio;
use crate::moved::written::{each, given, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, combine, counted, discharge, ends, exp_log, exp_sum, expected, inverse,
    root_increases, tail, tangent, union,
};
use dp_assay_kernel::search::cases::{beyond, split};
use dp_assay_kernel::search::exp::{exp_increases, exp_of_opposite, log_above, log_increases};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{assumed, combine_with_slack, item, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Op, Term, num, var};

/// `kl-thm-9-noise-repaired`, for T = R + 1, of which R rounds have noise; in one dimension it is a number.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn of_all_rounds() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           integer R ≥ 1
           real σ > 0
           real β > 0
           assume β ≤ 1
           real l > 0
           assume l = log(2·(R + 1)/β)
           index o<1
           algorithm Many: c ← ⟨0 : p<1⟩ in ℝ^1
             repeat t<R
               ξ ∼ N_{d}(0, σ²)
               c ← ⟨c_p + 1 − 𝟙(‖ξ‖ ≤ 2·σ·√(d·l)) : p<1⟩
             end
           end
           algorithm One: c ← ⟨0 : p<1⟩ in ℝ^1
             repeat t<R
               ξ ∼ N(0, σ²)
               c ← ⟨c_p + 1 − 𝟙(|ξ| ≤ 2·σ·√(l)) : p<1⟩
             end
           end
         holds
           if 2 ≤ d: 1 − β/2 ≤ 𝔼_{c∼end(Many)}[𝟙(c_o ≤ 0)]; 1 − β/2 ≤ 𝔼_{c∼end(One)}[𝟙(c_o ≤ 0)]",
    )
}

/// exp(−l) = β/(2(R + 1)), as an inequality.
fn rare(h: &Context) -> Result<Theorem, Stuck> {
    let (named, whole) = (given(h, 1)?, term(h, "2·(R + 1)/β")?);
    let most = show(h, "log(2·(R + 1)/β) ≤ l", &[("(−1)", &[&named])])?;
    let (grown, of_whole) = (exp_increases(&most)?, exp_log(h, &whole)?);
    let (unit, all) = (
        exp_of_opposite(h, &var("l"))?,
        inverse(h, &term(h, "R + 1")?)?,
    );
    let decay = "exp(0 − l)";
    let share = format!("(β/2)·{decay}/(R + 1)");
    let parts: &[(&str, &[&Theorem])] = &[
        (&share, &[&grown]),
        (&format!("(−1)·{share}"), &[&of_whole]),
        ("(−1)·(β/2)/(R + 1)", &[&unit]),
        ("(−1)·exp(0 − l)", &[&all]),
    ];
    show(h, &format!("{decay} ≤ (β/2)/(R + 1)"), parts)
}

/// The noise within its bound in every round, but for probability β/2, where a program proves the bound under what its tail
/// says.
fn run(
    h: &Context,
    goal: &Goal,
    algorithm: &str,
    (law, sort, bound): (&str, Sort, &str),
    within: &dyn Fn(&Context) -> Result<Theorem, Stuck>,
) -> Result<Theorem, Stuck> {
    let states = h.extended(item("c", Sort::Vector(num(1), Sign::Any)))?;
    let inside = states.extended(item("t", Sort::Index(var("R"))))?;
    let (now, event) = (
        Goal::Le(term(&states, "c_o")?, num(0)),
        term(h, "(β/2)/(R + 1)")?,
    );
    let later = |t: &Term| (var("R") - t.clone()) * event.clone();
    let lost = fails(&now)?;
    let invariant = |t: &Term| lost.clone() + later(t);
    let end = combine(&states, Goal::Le(lost.clone(), invariant(&var("R"))), &[])?;
    let law = term(h, law)?;
    let tail = tail(&inside, &law, &var("l"), None)?;
    // The same for the draw as it is called in the algorithm.
    let drawn = inside.extended(item("ξ", sort))?;
    let Goal::Le(_, Term::Bind(_, x, _, calm)) = &tail.statement().goal else {
        return Err(Stuck::new("no tail"));
    };
    let Term::Op(Op::AtMost, calm) = calm.put(x, &var("ξ")) else {
        return Err(Stuck::new("no event"));
    };
    let calm = Goal::Le(calm[0].clone(), calm[1].clone());
    let good = drawn.with([now.clone(), calm.clone()].map(Item::Assume))?;
    let (before, within) = (assumed(&good, &now)?, within(&good)?);
    let sure = union(&within)?;
    let next = term(&drawn, &format!("c_o + 1 − 𝟙({bound})"))?;
    let next = Goal::Le(next, num(0));
    let kept = combine(
        &good,
        next.clone(),
        &[with(num(1), &before), with(num(1), &sure)],
    )?;
    let kept = union(&discharge(&discharge(&kept)?)?)?;
    let rest = later(&(var("t") + num(1)));
    let small = Goal::Le(
        fails(&next)? + rest.clone(),
        lost.clone() + fails(&calm)? + rest,
    );
    let all = expected(&combine(&drawn, small, &[with(num(1), &kept)])?, &law)?;
    let Goal::Le(first, _) = &all.statement().goal else {
        return Err(Stuck::new("no bound"));
    };
    let rare = rare(&inside)?;
    let parts = [&all, &tail, &rare].map(|fact| with(num(1), fact));
    let round = combine(
        &inside,
        Goal::Le(first.clone(), invariant(&var("t"))),
        &parts,
    )?;
    let run = ends(
        h,
        algorithm,
        ("c", &lost),
        &[&invariant(&var("t"))],
        &[&end, &round],
    )?;
    let start = union(&combine(h, Goal::Le(num(0), num(0)), &[])?)?;
    let most = inverse(h, &term(h, "R + 1")?)?;
    combine_with_slack(
        h,
        goal.clone(),
        vec![
            with(num(1), &run),
            with(num(1), &start),
            with(term(h, "β/2")?, &most),
        ],
    )
}

/// The proof of [`of_all_rounds`], or of a statement with larger bounds: √d + √(2l) ≤ 2√(dl) for l ≥ log 4 ≥ 1 and d ≥ 2.
///
/// # Errors
/// If a rule does not apply.
pub fn prove_of_all_rounds(statement: &Statement) -> Result<Theorem, Stuck> {
    let many = |here: &Context| {
        let (small, named, two) = (given(here, 0)?, given(here, 1)?, given(here, 2)?);
        let one = counted(here, &var("R"))?;
        let least = show(
            here,
            "4 ≤ 2·(R + 1)/β",
            &[("2/β", &[&one]), ("4/β", &[&small])],
        )?;
        let (logs, log) = (
            log_increases(&least)?,
            log_above(here, &4.into(), &1.into(), 4)?,
        );
        let long = show(
            here,
            "1 ≤ l",
            &[("1", &[&logs]), ("1", &[&log]), ("(−1)", &[&named])],
        )?;
        let [first, second] = [("d ≤ d·l", "d", &long), ("2·l ≤ d·l", "l", &two)]
            .map(|(goal, by, fact)| root_increases(&show(here, goal, &[(by, &[fact])])?));
        let calm = given(here, 4)?;
        show(
            here,
            "‖ξ‖ ≤ 2·σ·√(d·l)",
            &[("1", &[&calm]), ("σ", &[&first?]), ("σ", &[&second?])],
        )
    };
    let one = |here: &Context| {
        let two = root_increases(&show(here, "2·l ≤ 4·l", &[])?)?;
        show(
            here,
            "|ξ| ≤ 2·σ·√(l)",
            &[("1", &[&given(here, 3)?]), ("σ", &[&two])],
        )
    };
    let space = Sort::Vector(var("d"), Sign::Any);
    let of_many = ("N_{d}(0, σ²)", space, "‖ξ‖ ≤ 2·σ·√(d·l)");
    let of_one = ("N(0, σ²)", Sort::Real(Sign::Any), "|ξ| ≤ 2·σ·√(l)");
    each(
        statement,
        &[
            &|h, goal| run(h, goal, "Many", of_many.clone(), &many),
            &|h, goal| run(h, goal, "One", of_one.clone(), &one),
        ],
    )
}

/// `kl-red-norm`; in one dimension Z is a number.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn norm() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           real x > 0
           assume log(2) ≤ x
         holds
           if 2 ≤ d: 1 − exp(0 − x) ≤ 𝔼_{z∼N_{d}(0, 1)}[𝟙(‖z‖² ≤ 4·d·x)]; 1 − exp(0 − x) ≤ 𝔼_{z∼N(0, 1)}[𝟙(z² ≤ 4·x)]",
    )
}

/// 1/(4x) ≤ exp(−x), from x ≤ 1 and log 2 ≤ x: exp(−x) = exp(−log 2)·exp(log 2 − x) ≥ (1 + log 2 − x)/2.
pub(super) fn by_moment(
    h: &Context,
    x: &str,
    small: &Theorem,
    least: &Theorem,
) -> Result<Theorem, Stuck> {
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
///
/// # Errors
/// If a rule does not apply.
pub fn prove_norm(statement: &Statement) -> Result<Theorem, Stuck> {
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
fn moment(h: &Context, goal: &Goal, small: &Theorem) -> Result<Theorem, Stuck> {
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
    combine_with_slack(
        h,
        goal.clone(),
        vec![with(num(1), &all), with(num(1), &low)],
    )
}

/// A probability that is at least 1 − exp(−x), since the event follows from that of the tail.
fn by_tail(
    h: &Context,
    goal: &Goal,
    law: &str,
    follows: &dyn Fn(&Context) -> Result<Theorem, Stuck>,
) -> Result<Theorem, Stuck> {
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
    combine_with_slack(
        h,
        goal.clone(),
        vec![with(num(1), &tail), with(num(1), &all)],
    )
}
