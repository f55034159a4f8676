//! `kl-thm-5-corrected`: one run of Algorithm 3 with the draw of an iterate behind it, private and useful with high probability.
//!
//! The iterates are kept in one vector h, w_t as its coordinates along the orthonormal e_{td}, …, e_{td+d−1}; c is how many there are. U is any
//! number that all terms of the printed maximum are at most.

mod account;
mod draw;
mod round;
mod run;
mod store;

use super::super::{CORRECTED, private, root_rho};
use super::run::{event, fails, rare};
use super::{every, f, le, moved, slope, space};
use crate::kl::kernel::selection;
use crate::moved::written::{Proof, goal, goals, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{both, discharge};
use dp_assay_kernel::search::{item, positive, range_as_zcdp, real, zcdp_cost};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Process, Sign, Sort, State, Statement, Subject, View,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, sum, var, vector};

/// R·d.
fn size() -> Term {
    mul([var("R"), var("d")])
}

/// Entry a of e_{kd+i}.
fn basis(k: &Term, i: &Term, a: &Term) -> Term {
    at(&at(&var("e"), &(mul([k.clone(), var("d")]) + i.clone())), a)
}

/// The iterate of round k that h keeps.
fn read(h: &Term, k: &Term) -> Term {
    let (i, a) = (var("i"), var("a"));
    let entry = mul([basis(k, &i, &a), at(h, &a)]);
    vector("i", var("d"), sum("a", size(), entry))
}

/// h with w in place of the iterate of round t.
fn stored(h: &Term, w: &Term, t: &Term) -> Term {
    let (i, a, l) = (var("i"), var("a"), var("l"));
    let old = sum("l", size(), mul([basis(t, &i, &l), at(h, &l)]));
    let added = mul([basis(t, &i, &a), at(w, &i) - old]);
    vector("a", size(), at(h, &a) + sum("i", var("d"), added))
}

/// c + 1.
fn next(c: &Term) -> Term {
    vector("l", num(1), at(c, &var("l")) + num(1))
}

fn count(c: &Term) -> Term {
    at(c, &var("o"))
}

/// The draw of s below R: of a round that has begun with a weight of exp(−n√ρ·‖∇F‖/(2L₀)) at its iterate.
fn draws() -> Command {
    let begun = op(Op::AtMost, [var("k") + num(1), count(&var("c"))]);
    selection::draw(begun, &read(&var("h"), &var("k")))
}

/// The law of s for an h and a c.
fn law(h: &Term, c: &Term) -> Result<Term, Stuck> {
    match draws() {
        Command::Draw { law, .. } => Ok(law.put("c", c).put("h", h)),
        _ => Err(Stuck::new("no draw")),
    }
}

fn algorithm() -> Process {
    let mut process = CORRECTED.process();
    let zero = |d: Term| vector("l", d, num(0));
    let state = |name: &str, dimension: Term| State {
        name: name.into(),
        start: zero(dimension.clone()),
        dimension,
    };
    process
        .states
        .extend([state("h", size()), state("c", num(1))]);
    let keep = [
        Command::Set("h".into(), stored(&var("h"), &var("w"), &var("t"))),
        Command::Set("c".into(), next(&var("c"))),
    ];
    if let Some(Command::Repeat { body, .. }) = process.body.first_mut() {
        body.splice(0..0, keep);
    }
    let chosen = Command::Set("w".into(), read(&var("h"), &var("s")));
    process.body.extend([draws(), chosen]);
    process
}

/// What is supposed of the numbers, and that e is orthonormal.
const GIVEN: [&str; 8] = [
    "log(n·√(ρ)/β) = Λ",
    "2·R ≤ n·√(ρ)",
    "n·√(ρ) ≤ 2·(R + 1)",
    "β ≤ 1",
    "√((128/3)·F₀·L₁/(n·√(ρ))) ≤ U",
    "√(√((128/3)·F₀·L₁)·A) ≤ U",
    "2·A ≤ U",
    "for every index p<R: for every index q<R: for every index i<d: for every index j<d: \
        Σ_{a<(R·d)} e[p·d + i][a]·e[q·d + j][a] = 𝟙[p=q]·𝟙[i=j]",
];

fn context() -> Result<Context, Stuck> {
    let x = || vec![("x".to_owned(), space())];
    let loss = app("f", [var("x"), var("z")]);
    let mean = bind(Binder::Total, "z", var("D"), loss) / var("n");
    let define =
        |name: &str, of: Vec<(String, Sort)>, body: Term| Item::Define(name.into(), of, body);
    let here = CORRECTED.context()?.with([
        item("o", Sort::Index(num(1))),
        item("e", Sort::Sequence(size())),
        Item::Process("Alg3".into(), algorithm()),
        define("F", x(), mean),
        define("G", x(), vector("j", var("d"), slope(&var("x"))).norm()),
        positive("β"),
        positive("F₀"),
        positive("U"),
        real("F⋆", Sign::Any),
    ])?;
    let here = here.extended(define("A", vec![], term(&here, "Δ·L₀/(n·√(ρ))")?))?;
    let here = here.extended(define("B", vec![], term(&here, "√(L₀²/(n·√(ρ)))·√(2·Λ)")?))?;
    GIVEN.iter().try_fold(here, |here, text| {
        let goal = goal(&here, text)?;
        here.extended(Item::Assume(goal))
    })
}

/// What is supposed of the data: F is smooth, twice, F⋆ no more than its infimum, and near F(w₀).
fn of_data(here: &Context) -> Result<[Goal; 4], Stuck> {
    let (x, v) = (var("x"), var("v"));
    let low = Goal::Le(app("F", [moved(&x, &v)]), super::model(&x, &v));
    let apart = |a: Term, b: Term| vector("j", var("d"), a - b).norm();
    let entry = |x: &Term| at(x, &var("j"));
    let gradients = Goal::Le(
        apart(slope(&x), slope(&v)),
        mul([var("L₁"), apart(entry(&x), entry(&v))]),
    );
    let twice = |goal: Goal| every("x", space(), every("v", space(), goal));
    Ok([
        twice(low),
        twice(gradients),
        every("x", space(), Goal::Le(var("F⋆"), f(&x))),
        goal(here, "F(w₀) − F⋆ ≤ F₀")?,
    ])
}

/// B + U, which one of the gradients is at most.
fn level() -> Term {
    app("B", []) + var("U")
}

/// What the gradient at the chosen iterate is at most.
fn bound() -> Term {
    let room = mul([num(4), var("L₀"), var("Λ")]) / mul([var("n"), root_rho()]);
    level() + room
}

fn height(x: &Term) -> Term {
    app("G", [x.clone()])
}

/// `kl-thm-5-corrected`: all that the algorithm and the draw name is (3ρ/2)-zCDP, and with probability at least 1 − 2β the gradient at the chosen
/// iterate is small.
pub fn statement() -> Result<Statement, Stuck> {
    let context = context()?;
    let subject = Subject::Process("Alg3".into(), View::Transcript);
    let cost = mul([num(3), var("ρ")]) / num(2);
    let success = op(Op::AtMost, [height(&var("w")), bound()]);
    let end = op(Op::End, [var("Alg3")]);
    let last = Goal::Le(
        num(1) - mul([num(2), var("β")]),
        bind(Binder::Expect, "w", end, success),
    );
    let all = of_data(&context)?;
    let useful = all
        .iter()
        .rev()
        .fold(last, |goal, given| super::under(given, goal));
    let goal = Goal::Both(vec![private(subject, cost), useful]);
    Ok(Statement { context, goal })
}

/// The proof of [`statement`], or of a statement with other constants.
pub fn prove(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [private, useful] = goals(statement)?;
    let past = [
        item("h", Sort::Vector(size(), Sign::Any)),
        item("c", Sort::Vector(num(1), Sign::Any)),
    ];
    let begun = op(Op::AtMost, [var("k") + num(1), count(&var("c"))]);
    let drawn = selection::drawn(
        &context.with(past)?,
        range_as_zcdp,
        begun,
        &read(&var("h"), &var("k")),
    )?;
    let private = CORRECTED.spent(context, "Alg3", zcdp_cost(private)?, Some(&drawn), vec![])?;
    let (mut here, mut data, mut value) = (context.clone(), Vec::new(), useful);
    while let Goal::If(given, rest) = value {
        here = here.extended(Item::Assume((**given).clone()))?;
        data.push((**given).clone());
        value = rest;
    }
    if data.len() != 4 {
        return Err(Stuck::new("too little is supposed"));
    }
    let found = run::run(&here, &data, value)?;
    let useful = (0..data.len()).try_fold(found, |theorem, _| discharge(&theorem))?;
    both(context, &[&private, &useful])
}
