//! The noises of Algorithm 4, all at once: c counts the rounds with one that is too large.

use crate::moved::written::{each, given, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, combine, counted, discharge, ends, exp_log, expected, inverse, root_increases, tail,
    union,
};
use dp_assay_kernel::search::exp::{exp_increases, exp_of_opposite, log_above, log_increases};
use dp_assay_kernel::search::{assumed, combine_with_slack, item, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Op, Term, num, op, var};

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

/// 1 − 𝟙(x ≤ y).
fn fails(goal: &Goal) -> Result<Term, Stuck> {
    match goal {
        Goal::Le(x, y) => Ok(num(1) - op(Op::AtMost, [x.clone(), y.clone()])),
        _ => Err(Stuck::new("no inequality")),
    }
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
