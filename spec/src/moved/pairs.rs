//! Mechanisms that a pair of laws dominates: randomised responses, Gaussian pairs, and any two.

use super::notions::{access, data, mechanism, private, rounds, space, within};
use crate::moved::written::{Proof, all_goals};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    both, call, combine, compose, gaussian_pair, gaussians_together, instance, larger, largest,
    one_record, response, sum_over,
};
use dp_assay_kernel::search::exp::exp_increases;
use dp_assay_kernel::search::{assumed, item, positive, with};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Notion, Relation, Sign, Sort, Statement, Subject, View,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, sum, var, vector};

fn map(inputs: usize) -> Item {
    item("g", Sort::Map(vec![var("d"); inputs], var("d")))
}

fn transcript() -> Subject {
    Subject::Process("M".into(), View::Transcript)
}

fn responses() -> Notion {
    Notion::Dominated(mul([var("k"), op(Op::Response, [var("ε")])]))
}

/// k rounds in which A is asked for what depends on its answers.
fn asked() -> [Item; 4] {
    let process = rounds(["t", "k"], vec![access("o", "A", var("w"))], &["w", "o"]);
    [
        item("k", Sort::Count),
        map(2),
        mechanism("A", Notion::Pure(var("ε"))),
        Item::Process("M".into(), process),
    ]
}

/// `gcd-red-rr`: k adaptive accesses, each ε-DP, are an image of k independent randomised responses of ε.
pub fn red_rr() -> Result<Statement, Stuck> {
    let items = [positive("ε")].into_iter().chain(data()).chain(asked());
    let context = Context::default().with(items)?;
    let goal = private(responses(), transcript());
    Ok(Statement { context, goal })
}

fn adaptive(context: &Context) -> Proof {
    let here = context.with([item("w", space())])?;
    let one = response(&call(&here, &access("o", "A", var("w")))?)?;
    compose(context, "M", "D", &[&one])
}

pub fn prove_red_rr(statement: &Statement) -> Proof {
    adaptive(&statement.context)
}

/// e^ε, where ε says so.
fn factor() -> Term {
    num(1) + var("y")
}

/// Both laws bound each other on an event of the probabilities p and q.
fn close(p: &str, q: &str) -> Goal {
    Goal::Le(var(p), mul([factor(), var(q)]))
}

/// `gcd-aux-response`: with a = e^ε = 1 + y, probabilities p ≤ a·q and q ≤ a·p are mixtures of (a·p − q)/(a − 1) and (a·q − p)/(a −
/// 1), which are ≥ 0, with weights a/(1 + a) and 1/(1 + a), and 1/(1 + a) and a/(1 + a); so an ε-DP mechanism is an image of a
/// randomised response, and k of them, adaptively, of k.
pub fn aux_response() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           real ε > 0
           real y > 0
           assume exp(ε) = 1 + y
           real p ≥ 0
           real q ≥ 0
           assume p ≤ (1 + y)·q
           assume q ≤ (1 + y)·p
           integer n ≥ 1
           integer d ≥ 1
           data D of n records: its neighbours have one record replaced
           integer k ≥ 1
           map g of ℝ^d × ℝ^d into ℝ^d
           mechanism A on D that takes and releases vectors of ℝ^d and is (ε)-DP for every one \
               that it takes
           algorithm M: w ← ⟨0 : j<d⟩ in ℝ^d
             repeat t<k
               o ← A(w)
               w ← g(w, o)
             end
           end
           vector w₀ ∈ ℝ^d
         holds
           0 ≤ ((1 + y)·p − q)/y; 0 ≤ ((1 + y)·q − p)/y; p = ((1 + y)/(1 + (1 + y)))·(((1 + y)·p − \
               q)/y) + (1/(1 + (1 + y)))·(((1 + y)·q − p)/y); q = ((1 + y)/(1 + (1 + y)))·(((1 + \
               y)·q − p)/y) + (1/(1 + (1 + y)))·(((1 + y)·p − q)/y); between neighbours of D, [o ← \
               A(w₀)] is dominated by Response(ε); between neighbours of D, the transcript of M is \
               dominated by k·Response(ε)",
    )
}

pub fn prove_aux_response(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [first, second, p, q, ..] = all_goals(statement) else {
        return Err(Stuck::new("not six goals"));
    };
    let mut proved = Vec::new();
    for (goal, given) in [(first, close("q", "p")), (second, close("p", "q"))] {
        let given = assumed(context, &given)?;
        let parts = vec![with(num(1) / var("y"), &given)];
        proved.push(combine(context, goal.clone(), &parts)?);
    }
    for goal in [p, q] {
        let whole = dp_assay_kernel::rules::inverse(context, &(num(1) + factor()))?;
        let Goal::Eq(event, _) = goal else {
            return Err(Stuck::new("no mixture"));
        };
        let parts = vec![with(mul([num(-1), event.clone()]), &whole)];
        proved.push(combine(context, goal.clone(), &parts)?);
    }
    proved.push(response(&call(context, &access("o", "A", var("w₀")))?)?);
    proved.push(adaptive(context)?);
    both(context, &proved.iter().collect::<Vec<_>>())
}

/// 1 − a·e^{−l}, where it is positive.
fn part(l: &str) -> Term {
    let loss = num(0) - at(&var(l), &var("i"));
    num(0).max_with(&(num(1) - mul([var("a"), loss.exp()])))
}

/// H_a of a law of the loss on m values.
fn divergence(l: &str) -> Term {
    sum("i", var("m"), mul([at(&var("v"), &var("i")), part(l)]))
}

fn rounded() -> Goal {
    let below = Goal::Le(at(&var("l"), &var("i")), at(&var("u"), &var("i")));
    Goal::Every("i".into(), Sort::Index(var("m")), below.into())
}

/// `gcd-aux-dominated`: where pairs P and Q dominate A and B for every input, k rounds of both, asked for what depends on all
/// that was released before, are dominated by as many independent draws from each; and a law of the loss with larger
/// values has no smaller H_a.
pub fn aux_dominated() -> Result<Statement, Stuck> {
    let vector = |name: &str, sign| item(name, Sort::Vector(var("m"), sign));
    let [first, second] = [access("o", "A", var("w")), access("e", "B", var("o"))];
    let process = rounds(["t", "k"], vec![first, second], &["w", "o", "e"]);
    let items = [
        item("P", Sort::Pair),
        item("Q", Sort::Pair),
        mechanism("A", Notion::Dominated(var("P"))),
        mechanism("B", Notion::Dominated(var("Q"))),
        item("k", Sort::Count),
        map(3),
        Item::Process("M".into(), process),
        positive("a"),
        item("m", Sort::Count),
        vector("v", Sign::NonNegative),
        vector("l", Sign::Any),
        vector("u", Sign::Any),
        Item::Assume(rounded()),
    ];
    let context = Context::default().with(data().into_iter().chain(items))?;
    let pair = mul([var("k"), var("P") + var("Q")]);
    let goal = Goal::Both(vec![
        private(Notion::Dominated(pair), transcript()),
        Goal::Le(divergence("l"), divergence("u")),
    ]);
    Ok(Statement { context, goal })
}

pub fn prove_aux_dominated(statement: &Statement) -> Proof {
    let context = &statement.context;
    let together = in_turn(context)?;
    let each = context.with([item("i", Sort::Index(var("m")))])?;
    let below = instance(&each, &assumed(context, &rounded())?, &var("i"))?;
    let [l, u] = ["l", "u"].map(|x| num(0) - at(&var(x), &var("i")));
    let below = combine(
        &each,
        Goal::Le(u.clone(), l.clone()),
        &[with(num(1), &below)],
    )?;
    let above = exp_increases(&below)?;
    let least = num(1) - mul([var("a"), u.exp()]);
    let zero = larger(&each, &num(0), &least, false)?;
    let whole = larger(&each, &num(0), &least, true)?;
    let parts = vec![with(num(1), &whole), with(var("a"), &above)];
    let most = Goal::Le(num(1) - mul([var("a"), l.exp()]), part("u"));
    let most = combine(&each, most, &parts)?;
    let most = largest(&zero, &most)?;
    let weight = at(&var("v"), &var("i"));
    let weighed = Goal::Le(
        mul([weight.clone(), part("l")]),
        mul([weight.clone(), part("u")]),
    );
    let weighed = combine(&each, weighed, &[with(weight, &most)])?;
    both(context, &[&together, &sum_over(&weighed)?])
}

/// The transcript of rounds of A and B.
fn in_turn(context: &Context) -> Proof {
    let here = context.with([item("w", space())])?;
    let first = call(&here, &access("o", "A", var("w")))?;
    let later = context.with([item("o", space())])?;
    let second = call(&later, &access("e", "B", var("o")))?;
    compose(context, "M", "D", &[&first, &second])
}

/// What the record z adds to the query at w.
fn shift(z: &str) -> Term {
    at(&app("f", [var("w"), var(z)]), &var("j"))
}

/// The query at every w moves by at most μ.
fn moves_by() -> Goal {
    let apart = vector("j", var("d"), shift("r") - shift("s")).norm();
    let bound = Goal::Le(apart, var("μ"));
    let all = Goal::Every("s".into(), Sort::Record, bound.into());
    let all = Goal::Every("r".into(), Sort::Record, all.into());
    Goal::Every("w".into(), space(), all.into())
}

fn step() -> Command {
    let query = bind(Binder::Total, "z", var("D"), shift("z"));
    Command::Release {
        name: "o".into(),
        query: vector("j", var("d"), query),
        law: op(Op::Normal, [var("d"), num(1)]),
    }
}

/// `decor-aux-simulate`: k steps with noise N(0, I), as whitening makes it, whose shift has a norm of at most μ and may
/// depend on the transcript, are an image of N(0, 1) against N(μ√k, 1).
pub fn aux_simulate() -> Result<Statement, Stuck> {
    let items = [
        item("d", Sort::Count),
        item("k", Sort::Count),
        item("f", Sort::Field(var("d"), var("d"))),
        item("μ", Sort::Real(Sign::NonNegative)),
        Item::Assume(moves_by()),
        item("D", Sort::Dataset(num(1), Relation::ReplaceOne)),
        map(2),
        Item::Process("M".into(), rounds(["t", "k"], vec![step()], &["w", "o"])),
    ];
    let context = Context::default().with(items)?;
    let pair = op(Op::Gaussian, [mul([var("k"), var("μ").pow(2)])]);
    let goal = private(Notion::Dominated(pair), transcript());
    Ok(Statement { context, goal })
}

/// The proof of [`aux_simulate`], or of a statement with a larger distance.
pub fn prove_aux_simulate(statement: &Statement) -> Proof {
    let context = &statement.context;
    let here = context.with([item("w", space())])?;
    let Command::Release { query, .. } = step() else {
        return Err(Stuck::new("no release"));
    };
    let records = ["z", "y"].map(|z| item(z, Sort::Record));
    let inner = here.with(records)?;
    let mut all = assumed(context, &moves_by())?;
    for value in ["w", "z", "y"] {
        all = instance(&inner, &all, &var(value))?;
    }
    let moves = one_record(&here, "D", &query, &all)?;
    let one = gaussian_pair(&here, &step(), &moves, None)?;
    within(
        &gaussians_together(&compose(context, "M", "D", &[&one])?)?,
        &statement.goal,
    )
}
