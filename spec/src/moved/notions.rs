//! Lemmas on any mechanism: from one order to (ε, δ) without loss, bounded range, and budgets that the past decides.

use super::written::given;
use crate::moved::written::Proof;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::premise::{RENYI_TO_DP, spent_at_order};
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, bounded_range, call, cite, combine, compose, exp_log, exp_sum, forget, instance,
    inverse, largest, weaken,
};
use dp_assay_kernel::search::exp::{exp_of_opposite, log_at_most};
use dp_assay_kernel::search::{item, positive, pure_as_zcdp, real, with};
use dp_assay_kernel::statement::{
    Command, Context, Goal, INPUT, Item, Notion, Process, Relation, Sign, Sort, State, Statement,
    Subject, View,
};
use dp_assay_kernel::term::{Op, Term, app, at, mul, num, op, var, vector};

pub(super) fn space() -> Sort {
    Sort::Vector(var("d"), Sign::Any)
}

/// `name` is what a mechanism releases for an input.
pub(super) fn access(name: &str, mechanism: &str, input: Term) -> Command {
    Command::Call {
        name: name.into(),
        of: app(mechanism, [input]),
    }
}

/// n, d and data of n records.
pub(super) fn data() -> [Item; 3] {
    [
        item("n", Sort::Count),
        item("d", Sort::Count),
        item("D", Sort::Dataset(var("n"), Relation::ReplaceOne)),
    ]
}

pub(super) fn mechanism(name: &str, notion: Notion) -> Item {
    item(name, Sort::Mechanism(var("d"), "D".into(), notion))
}

pub(super) fn private(notion: Notion, subject: Subject) -> Goal {
    Goal::Private {
        data: "D".into(),
        notion,
        subject,
    }
}

/// What A releases for w.
pub(super) fn released() -> Subject {
    Subject::Command(access("o", "A", var("w")).into())
}

/// log(1 − 1/α) for α = 1 + x.
fn log_share() -> Term {
    (var("x") / (num(1) + var("x"))).log()
}

fn exponents() -> [Term; 2] {
    let x = || var("x");
    [mul([x(), var("τ") - var("ε")]), mul([x(), log_share()])]
}

/// `gcd-aux-renyi`: what is (α, τ)-RDP, α = 1 + x, is (ε, δ)-DP for δ = e^{(α−1)(τ−ε)}·(1 − 1/α)^{α−1}/α.
pub fn aux_renyi() -> Result<Statement, Stuck> {
    let [a, b] = exponents();
    let delta = mul([a.exp(), b.exp()]) / (num(1) + var("x"));
    let [tau, epsilon] = ["τ", "ε"].map(|t| real(t, Sign::NonNegative));
    let numbers = [positive("x"), tau, epsilon];
    let define = Item::Define("δ".into(), vec![], delta);
    let of = mechanism("A", Notion::Renyi(num(1) + var("x"), var("τ")));
    let items = numbers.into_iter().chain([define]).chain(data());
    let context = Context::default().with(items.chain([of, item("w", space())]))?;
    let notion = Notion::Approximate(var("ε"), app("δ", []));
    let goal = private(notion, released());
    Ok(Statement { context, goal })
}

/// The proof of [`aux_renyi`], or of a statement with another δ: 1/δ is at most the exponential of −x(τ − ε) − x·log(1 − 1/α) +
/// log α.
pub fn prove_aux_renyi(statement: &Statement) -> Proof {
    let context = &statement.context;
    let ([a, b], above, delta) = (exponents(), num(1) + var("x"), app("δ", []));
    let minus = |t: &Term| num(0) - t.clone();
    let rest = minus(&b) + above.log();
    let exponent = minus(&a) + rest.clone();
    let first = exp_sum(context, &minus(&a), &rest)?;
    let second = exp_sum(context, &minus(&b), &above.log())?;
    let third = exp_log(context, &above)?;
    let [one, other] = [&a, &b].map(|t| exp_of_opposite(context, t));
    let (one, other, unity) = (one?, other?, inverse(context, &above)?);
    let [ea, eb] = [&a, &b].map(|t| minus(t).exp());
    let parts = vec![
        with(num(-1), &first),
        with(mul([num(-1), ea.clone()]), &second),
        with(mul([num(-1), ea, eb.clone()]), &third),
        with(mul([eb, above.clone()]) / a.exp(), &one),
        with(above.clone() / mul([a.exp(), b.exp()]), &other),
        // 1/(1/α) is α.
        with(num(-1) / delta.clone(), &unity),
    ];
    let least = Goal::Le(num(1) / delta.clone(), exponent.exp());
    let logs = log_at_most(&combine(context, least, &parts)?)?;
    let spent = spent_at_order(&var("x"), &var("τ"), &delta);
    let parts = vec![with(num(1) / var("x"), &logs)];
    let within = combine(context, Goal::Le(spent, var("ε")), &parts)?;
    let values = [var("x"), var("τ"), var("ε"), delta];
    let private = call(context, &access("o", "A", var("w")))?;
    cite(context, &RENYI_TO_DP, &values, &[&private, &within])
}

/// `kl-red-range`: what has η-bounded range is (η²/8)-zCDP: at every order α its divergence is at most (η²/8)·α.
pub fn red_range() -> Result<Statement, Stuck> {
    let of = mechanism("A", Notion::Range(var("η")));
    let items = [positive("η")].into_iter().chain(data());
    let context = Context::default().with(items.chain([of, item("w", space())]))?;
    let goal = private(Notion::Zcdp(var("η").pow(2) / num(8)), released());
    Ok(Statement { context, goal })
}

/// The proof of [`red_range`], or of a statement with a larger number.
pub fn prove_red_range(statement: &Statement) -> Proof {
    let context = &statement.context;
    let found = bounded_range(&call(context, &access("o", "A", var("w")))?)?;
    within(&found, &statement.goal)
}

/// `kl-lem-14`: what is ε-DP is (ε²/2)-zCDP.
pub fn lem_14() -> Result<Statement, Stuck> {
    let of = mechanism("A", Notion::Pure(var("ε")));
    let items = [positive("ε")].into_iter().chain(data());
    let context = Context::default().with(items.chain([of, item("w", space())]))?;
    let goal = private(Notion::Zcdp(var("ε").pow(2) / num(2)), released());
    Ok(Statement { context, goal })
}

/// The proof of [`lem_14`], or of a statement with a larger number: the range of the losses is 2ε.
pub fn prove_lem_14(statement: &Statement) -> Proof {
    let pure = call(&statement.context, &access("o", "A", var("w")))?;
    within(&pure_as_zcdp(&pure)?, &statement.goal)
}

/// A bound as the one that a goal names, whose number is plainly no smaller.
pub(super) fn within(found: &Theorem, goal: &Goal) -> Proof {
    let context = &found.statement().context;
    let (Goal::Private { notion, .. }, Goal::Private { notion: to, .. }) =
        (&found.statement().goal, goal)
    else {
        return Err(Stuck::new("not about privacy"));
    };
    let mut facts = Vec::new();
    for (a, b) in notion.numbers().into_iter().zip(to.numbers()) {
        let (a, b) = match (a, b) {
            (Term::Op(_, x), Term::Op(_, y)) if matches!(to, Notion::Dominated(_)) => {
                (&x[0], &y[0])
            }
            _ => (a, b),
        };
        if a != b {
            let goal = Goal::Le(a.clone(), b.clone());
            facts.push(combine(context, goal, &[])?);
        }
    }
    weaken(found, to, &facts.iter().collect::<Vec<_>>())
}

/// What A costs for an input: the number r says.
fn cost(input: Term) -> Term {
    app("r", [input]).norm()
}

/// Rounds of commands, by their index and number, behind each of which the state w, at first 0, becomes g of the inputs.
pub(super) fn rounds(
    [index, times]: [&str; 2],
    mut body: Vec<Command>,
    inputs: &[&str],
) -> Process {
    let next = Term::App("g".into(), inputs.iter().map(|x| var(x)).collect());
    body.push(Command::Set("w".into(), next));
    Process {
        states: vec![State {
            name: "w".into(),
            dimension: var("d"),
            start: vector("j", var("d"), num(0)),
        }],
        body: vec![Command::Repeat {
            index: index.into(),
            times: var(times),
            body,
        }],
    }
}

/// `kl-imp-adaptive`: rounds in which A is asked for a vector w that depends on what was released before, at a cost ‖r(w)‖ that
/// w decides, are ρ-zCDP if they end before the costs add up to more than ρ.
pub fn imp_adaptive() -> Result<Statement, Stuck> {
    let stop = Command::Stop {
        charge: cost(var("w")),
        limit: var("ρ"),
    };
    let body = vec![stop, access("o", "A", var("w"))];
    let process = rounds(["t", "T"], body, &["w", "o"]);
    let numbers = [
        item("T", Sort::Count),
        real("ρ", Sign::NonNegative),
        item("r", Sort::Map(vec![var("d")], num(1))),
        item("g", Sort::Map(vec![var("d"), var("d")], var("d"))),
        mechanism("A", Notion::Zcdp(cost(var(INPUT)))),
        Item::Process("M".into(), process),
    ];
    let context = Context::default().with(data().into_iter().chain(numbers))?;
    let subject = Subject::Process("M".into(), View::Transcript);
    let goal = private(Notion::Zcdp(var("ρ")), subject);
    Ok(Statement { context, goal })
}

/// The proof of [`imp_adaptive`], or of a statement with a larger budget or fewer of the outputs.
pub fn prove_imp_adaptive(statement: &Statement) -> Proof {
    let context = &statement.context;
    let Goal::Private {
        subject,
        notion: notion @ Notion::Zcdp(budget),
        ..
    } = &statement.goal
    else {
        return Err(Stuck::new("not about privacy"));
    };
    let here = context.with([item("w", space())])?;
    let asked = call(&here, &access("o", "A", var("w")))?;
    let paid = Goal::Le(cost(var("w")), mul([num(1), cost(var("w"))]));
    let paid = combine(&here, paid, &[])?;
    let before = combine(context, Goal::Le(num(0), num(0)), &[])?;
    let all = compose(context, "M", "D", &[&asked, &paid, &before])?;
    let seen = match subject {
        Subject::Process(_, View::Transcript) => all,
        Subject::Process(_, view) => forget(&all, *view)?,
        _ => return Err(Stuck::new("not about the process")),
    };
    let most = |t: Term| combine(context, Goal::Le(t, budget.clone()), &[]);
    let least = largest(&most(num(0))?, &most(mul([num(1), var("ρ")]))?)?;
    let spent = num(0).max_with(&mul([num(1), var("ρ")])) + num(0);
    let parts = vec![with(num(1), &least)];
    let enough = combine(context, Goal::Le(spent, budget.clone()), &parts)?;
    weaken(&seen, notion, &[&enough])
}

/// What A is asked in round k: a vector that depends on the state and on k, which ⟨𝟙\[j=k\]⟩ says.
fn asked(state: Term) -> Command {
    let round = vector("j", var("K"), op(Op::Unit, [var("j"), var("k")]));
    access("o", "A", app("F", [state, round]))
}

/// What A_k may cost, k counted from 0.
fn allowed() -> Term {
    at(&var("e"), &var("k"))
}

/// `skgd-prop-D.6`: A_k is A for the inputs that can be asked in round k, F(w, k) for any w, and the state w any function of what
/// was released before. For each of these inputs A_k is (α, e_k)-RDP.
pub fn composed() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           data D of n records: its neighbours have one record replaced
           real α > 0
           assume 1 ≤ α
           integer K ≥ 1
           vector e ∈ ℝ^K, all ≥ 0
           map r of ℝ^d into ℝ^1
           map F of ℝ^d × ℝ^K into ℝ^d
           map g of ℝ^d × ℝ^d into ℝ^d
           mechanism A on D that takes and releases vectors of ℝ^d and is (α, ‖r(input)‖)-RDP for \
               every one that it takes
           assume for every index k<K: for every vector x ∈ ℝ^d: ‖r(F(x, ⟨𝟙[j=k] : j<K⟩))‖ ≤ e_k
           algorithm M: w ← ⟨0 : j<d⟩ in ℝ^d
             repeat k<K
               o ← A(F(w, ⟨𝟙[j=k] : j<K⟩))
               w ← g(w, o)
             end
           end
         holds
           between neighbours of D, the transcript of M is (α, Σ_{k<K} e_k)-RDP",
    )
}

/// The proof of [`composed`], or of a statement with a larger sum.
pub fn prove_composed(statement: &Statement) -> Proof {
    let context = &statement.context;
    let here = context.with([item("w", space()), item("k", Sort::Index(var("K")))])?;
    let all = instance(&here, &given(context, 1)?, &var("k"))?;
    let within_k = instance(&here, &all, &var("w"))?;
    let round = call(&here, &asked(var("w")))?;
    let round = weaken(&round, &Notion::Renyi(var("α"), allowed()), &[&within_k])?;
    within(&compose(context, "M", "D", &[&round])?, &statement.goal)
}
