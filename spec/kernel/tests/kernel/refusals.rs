//! What the rules refuse: every side condition, violated.

use crate::items::{looped, real, variable};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::premise::ZCDP_TO_DP;
use dp_assay_kernel::rules::{
    Fact, Part, Theorem, argmax, assume, call, cite, combine, compose, discharge, forget, gaussian,
    gradient_bound, laplace, one_record, renyi, shift, weaken,
};
use dp_assay_kernel::search::{Share, pure_as_zcdp, record_moves};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Lipschitz, Mean, Notion, Relation, Sign, Sort, View,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, var, vector};

/// Data of n records, a bounded score b(z), sensitivities and scales.
pub struct Setting {
    start: Term,
    value: Term,
    pub scale: Term,
    pub query: Term,
}

impl Setting {
    pub fn sound() -> Self {
        let slope = op(Op::Partial, [var("ℓ"), var("w"), var("z"), var("k")]);
        Self {
            start: var("w₀"),
            value: vector("i", var("p"), at(&var("w"), &var("i")) - var("a")),
            scale: mul([num(2), at(&var("L"), &var("k"))]) / mul([var("n"), var("e")]),
            query: bind(Binder::Total, "z", var("D"), slope) / var("n"),
        }
    }

    pub fn release(&self) -> Command {
        Command::Release {
            name: "a".into(),
            query: self.query.clone(),
            law: op(Op::Laplace, [self.scale.clone()]),
        }
    }

    /// One index k that is public, a release of entry k, T times.
    pub fn context(&self) -> Result<Context, Stuck> {
        let body = vec![self.release(), Command::Set("w".into(), self.value.clone())];
        let process = looped("w", "p", self.start.clone(), "T", body);
        Context::default().with([
            variable("n", Sort::Count),
            variable("p", Sort::Count),
            variable("T", Sort::Count),
            real("e", Sign::Positive),
            real("free", Sign::Any),
            variable("L", Sort::Vector(var("p"), Sign::Positive)),
            variable("w₀", Sort::Vector(var("p"), Sign::Any)),
            variable("k", Sort::Index(var("p"))),
            variable("ℓ", Sort::Loss(var("p"), Lipschitz::Entries, "L".into())),
            variable("D", Sort::Dataset(var("n"), Relation::ReplaceOne)),
            Item::Process("P".into(), process),
        ])
    }

    pub fn with_state(&self) -> Result<Context, Stuck> {
        let state = Sort::Vector(var("p"), Sign::Any);
        self.context()?.extended(variable("w", state))
    }

    /// The release is e-DP, with this e.
    pub fn pure(&self, e: &Term) -> Result<Theorem, Stuck> {
        self.pure_in(&self.with_state()?, e)
    }

    fn pure_in(&self, here: &Context, e: &Term) -> Result<Theorem, Stuck> {
        let sensitive = sensitivity(here)?;
        let Goal::Moves { by, .. } = &sensitive.statement().goal else {
            unreachable!("a sensitivity");
        };
        let noise = mul([e.clone(), self.scale.clone()]);
        let goal = Goal::Le(by.clone(), noise);
        let slack = dp_assay_kernel::rules::left_over(here, &goal, &[])?;
        let parts: Vec<Part<'_>> = slack.map(|t| Part::new(t, [])).into_iter().collect();
        let noise = combine(here, goal, &parts)?;
        laplace(here, &self.release(), e, &sensitive, &noise)
    }

    fn composed(&self, e: &Term) -> Result<Theorem, Stuck> {
        let access = pure_as_zcdp(&self.pure(e)?)?;
        compose(&self.context()?, "P", "D", &[&access])
    }
}

fn slope(z: &str) -> Term {
    op(Op::Partial, [var("ℓ"), var("w"), var(z), var("k")])
}

pub fn sensitivity(here: &Context) -> Result<Theorem, Stuck> {
    let share = Share {
        of: &|z| slope("z").put("z", z) / var("n"),
        bound: &|here, z| gradient_bound(here, "ℓ", &var("w"), z, Some("k")),
        factor: num(1) / var("n"),
    };
    let by = mul([num(2), at(&var("L"), &var("k"))]) / var("n");
    record_moves(here, "D", &Setting::sound().query, &share, &by)
}

pub fn refused<T>(result: Result<T, Stuck>, why: &str) {
    match result {
        Ok(_) => panic!("not refused, though {why}"),
        Err(stuck) => assert!(
            stuck.to_string().contains(why),
            "refused for another reason: {stuck}"
        ),
    }
}

#[test]
fn the_sound_setting_is_proved() -> Result<(), Stuck> {
    let theorem = forget(&Setting::sound().composed(&var("e"))?, View::End)?;
    assert!(theorem.premises().is_empty());
    Ok(())
}

#[test]
fn too_little_noise_is_refused() {
    let mut setting = Setting::sound();
    setting.scale = setting.scale / num(2);
    refused(setting.pure(&var("e")), "not plainly");
}

#[test]
fn noise_that_reads_the_data_is_refused() {
    let mut setting = Setting::sound();
    setting.scale = setting.scale + setting.query.abs();
    refused(setting.pure(&var("e")), "reads the data");
}

#[test]
fn a_state_that_reads_the_data_is_refused() {
    let mut setting = Setting::sound();
    let leak = at(&var("w"), &var("i")) - setting.query.clone();
    setting.value = vector("i", var("p"), leak);
    refused(setting.composed(&var("e")), "reads the data");
    let mut setting = Setting::sound();
    let slope = setting.query.put("w", &var("w₀"));
    setting.start = vector("i", var("p"), slope);
    refused(setting.composed(&var("e")), "reads the data");
}

#[test]
fn a_bound_that_depends_on_the_history_is_refused() -> Result<(), Stuck> {
    let mut setting = Setting::sound();
    // More noise the farther the state has gone: as private, but the cost is no number.
    let gone = at(&var("w"), &var("k")).max_with(&num(1));
    setting.scale = setting.scale * gone.clone();
    refused(
        setting.composed(&(var("e") / gone)),
        "depends on the history",
    );
    // A bound for one state only.
    let setting = Setting::sound();
    let pure = setting.pure(&var("e"))?;
    let access = pure_as_zcdp(&pure)?;
    refused(pure_as_zcdp(&access), "not pure");
    let narrow = setting.with_state()?.extended(real("b", Sign::Any))?;
    let again = pure_as_zcdp(&setting.pure_in(&narrow, &var("e"))?)?;
    let context = setting.context()?;
    refused(
        compose(&context, "P", "D", &[&again]),
        "not uniform over histories",
    );
    // A variable in the state's name: what holds for it holds for one state.
    let fixed = setting.with_state()?;
    refused(compose(&fixed, "P", "D", &[&access]), "another meaning");
    refused(
        compose(&context, "P", "D", &[&access, &access]),
        "more theorems",
    );
    refused(compose(&context, "P", "D", &[]), "a command is left");
    let more_than_one = sensitivity(&setting.with_state()?)?;
    refused(
        compose(&context, "P", "D", &[&more_than_one]),
        "not about privacy",
    );
    Ok(())
}

#[test]
fn the_printed_selection_noise_is_refused() -> Result<(), Stuck> {
    let setting = Setting::sound();
    let mut here = setting.with_state()?;
    here = here.beginning(7).with(
        here.items()[8..]
            .iter()
            .filter(|i| !matches!(i, Item::Process(..)))
            .cloned(),
    )?;
    for divisor in [Some(num(1)), None] {
        let select = Command::Select {
            name: "j".into(),
            index: "k".into(),
            over: var("p"),
            query: setting.query.clone(),
            scale: setting.scale.clone(),
            divisor,
        };
        let inner = here.extended(variable("k", Sort::Index(var("p"))))?;
        let sensitive = sensitivity(&inner)?;
        let moved = mul([num(2), at(&var("L"), &var("k"))]) / var("n");
        let noise = Goal::Le(moved, mul([var("e"), setting.scale.clone()]));
        let noise = combine(&inner, noise, &[])?;
        let kept = argmax(&here, &select, &sensitive)?;
        refused(shift(&here, &kept, &var("e"), &noise), "the noise needs");
        refused(shift(&here, &noise, &var("e"), &noise), "another context");
        refused(
            shift(&here, &kept, &var("k"), &noise),
            "depends on the index",
        );
        refused(
            argmax(&here, &setting.release(), &sensitive),
            "not a selection",
        );
    }
    Ok(())
}

#[test]
fn queries_that_move_otherwise_are_refused() -> Result<(), Stuck> {
    let here = Setting::sound().with_state()?;
    let records = ["y", "y′"].map(|z| variable(z, Sort::Record));
    let two = here.with(records)?;
    let one = here.extended(variable("y", Sort::Record))?;
    let apart = (slope("y") / var("n") - slope("y′") / var("n")).abs();
    let bound = |here: &Context, left: &Term, by: Term| {
        combine(
            here,
            Goal::Le(left.clone(), left.clone() + by.clone()),
            &[Part::new(by, [])],
        )
    };
    let query = Setting::sound().query;
    // The bound depends on the records.
    let own = bound(&two, &apart, num(1))?;
    refused(
        one_record(&here, "D", &query, &own),
        "depends on the record",
    );
    // Of one record where two differ, of another query, of one that is not affine, of a sum within a sum.
    let single = bound(&one, &slope("y").abs(), num(1))?;
    refused(one_record(&here, "D", &query, &single), "not the records");
    let other = query.clone() + query.clone();
    refused(one_record(&here, "D", &other, &own), "not the change");
    // Two factors that read the data beside one that does not; one that reads them and two that do not.
    let factors = |a: &Term, b: &Term| mul([var("free"), a.clone(), b.clone()]);
    for bent in [
        query.pow(2),
        query.abs(),
        query.clone() * query.clone(),
        factors(&query, &query),
        num(1) / query.clone(),
    ] {
        refused(one_record(&here, "D", &bent, &own), "not affine");
    }
    for other in [factors(&query, &var("e")), query.clone() / var("e")] {
        refused(one_record(&here, "D", &other, &own), "not the change");
    }
    // A definition is what it defines.
    let define = Item::Define("q".into(), vec![], query.clone());
    let defined = here.extended(define)?;
    let two = defined.with(["y", "y′"].map(|z| variable(z, Sort::Record)))?;
    let moved = bound(&two, &apart, num(1))?;
    let named = one_record(&defined, "D", &app("q", []), &moved);
    refused(named, "depends on the record");
    let inner = bind(Binder::Total, "z″", var("D"), query.clone());
    refused(one_record(&here, "D", &inner, &own), "not affine");
    refused(one_record(&here, "w", &query, &own), "not a data set");
    Ok(())
}

#[test]
fn a_call_whose_input_reads_the_data_is_refused() -> Result<(), Stuck> {
    let here = Setting::sound().with_state()?;
    let private = Sort::Mechanism(var("p"), "D".into(), Notion::Pure(var("e")));
    let here = here.extended(variable("A", private))?;
    let with = |input: Term| Command::Call {
        name: "a".into(),
        of: app("A", [input]),
    };
    call(&here, &with(var("w")))?;
    let slope = Setting::sound().query;
    let leak = with(vector("i", var("p"), at(&var("w"), &var("i")) + slope));
    refused(call(&here, &leak), "reads the data");
    refused(call(&here, &Setting::sound().release()), "not a call");
    Ok(())
}

#[test]
fn other_noise_notions_and_orders_are_refused() -> Result<(), Stuck> {
    let setting = Setting::sound();
    let (here, pure) = (setting.with_state()?, setting.pure(&var("e"))?);
    let moves = sensitivity(&here)?;
    refused(gaussian(&here, &setting.release(), &moves), "not Gaussian");
    let noisy = |variance: Term| Command::Release {
        name: "a".into(),
        query: setting.query.clone(),
        law: op(Op::Normal, [variance]),
    };
    refused(gaussian(&here, &noisy(var("free")), &moves), "not plainly");
    let reads = noisy(setting.query.abs() + num(1));
    refused(gaussian(&here, &reads, &moves), "reads the data");
    let bound = gaussian(&here, &noisy(var("e")), &moves)?;
    refused(renyi(&bound, &num(1)), "not plainly");
    refused(renyi(&bound, &var("e")), "not plainly");
    refused(renyi(&pure, &num(2)), "no zCDP bound");
    let order = renyi(&bound, &num(2))?;
    let Goal::Private {
        notion: Notion::Renyi(_, spent),
        ..
    } = &order.statement().goal
    else {
        panic!("a Rényi bound");
    };
    let other = Notion::Renyi(num(3), spent.clone());
    refused(weaken(&order, &other, &[]), "another order");
    let twice = num(2) * spent.clone();
    let positive = Part::new(spent.clone(), []);
    let larger = combine(&here, Goal::Le(spent.clone(), twice.clone()), &[positive])?;
    weaken(&order, &Notion::Renyi(num(2), twice), &[&larger])?;
    refused(
        weaken(&pure, &Notion::Zcdp(var("e")), &[]),
        "another notion",
    );
    refused(weaken(&pure, &Notion::Pure(num(0)), &[]), "not bounded");
    let more = combine(
        &here,
        Goal::Le(num(0), var("e")),
        &[Part::new(var("e"), [])],
    )?;
    refused(
        weaken(&pure, &Notion::Pure(num(0)), &[&more]),
        "not the bound",
    );
    // Two notions in one process.
    let again = Command::Release {
        name: "b".into(),
        query: setting.query.clone(),
        law: op(Op::Normal, [var("e")]),
    };
    let body = vec![setting.release(), again.clone()];
    let base = setting.context()?;
    let base = base.beginning(base.items().len() - 1);
    let both = Item::Process("P".into(), looped("w", "p", var("w₀"), "T", body));
    let context = base.extended(both)?;
    let state = context.extended(variable("w", Sort::Vector(var("p"), Sign::Any)))?;
    let moves = sensitivity(&state)?;
    let Goal::Moves { by, .. } = &moves.statement().goal else {
        panic!("a sensitivity");
    };
    let enough = Goal::Le(by.clone(), mul([var("e"), setting.scale.clone()]));
    let enough = combine(&state, enough, &[])?;
    let first = laplace(&state, &setting.release(), &var("e"), &moves, &enough)?;
    let second = gaussian(&state, &again, &moves)?;
    refused(
        compose(&context, "P", "D", &[&first, &second]),
        "two notions",
    );
    Ok(())
}

#[test]
fn combinations_that_do_not_add_up_are_refused() -> Result<(), Stuck> {
    let context = Context::default().with([
        real("x", Sign::Any),
        real("y", Sign::Positive),
        Item::Assume(Goal::Le(var("x"), num(1))),
        Item::Assume(Goal::Eq(var("x"), var("y"))),
    ])?;
    let (small, equal) = (assume(&context, 2)?, assume(&context, 3)?);
    let with = |m: Term, t| Part::new(m, [Fact::from(t)]);
    let le = |a: Term, b: Term| Goal::Le(a, b);
    let x = var("x");
    refused(combine(&context, le(x.clone(), num(0)), &[]), "left over");
    refused(
        combine(&context, le(num(0), x.clone()), &[Part::new(x.clone(), [])]),
        "not plainly",
    );
    let wrong = le(x.pow(2), x.clone());
    refused(
        combine(&context, wrong, &[with(x.clone(), &small)]),
        "not plainly",
    );
    let other = Goal::Eq(x.clone(), num(1));
    refused(
        combine(&context, other, &[with(num(1), &small)]),
        "follows from equations",
    );
    let fine = Goal::Eq(x.pow(2), x.clone() * var("y"));
    combine(&context, fine, &[with(x.clone(), &equal)])?;
    refused(
        combine(&context, le(num(0), num(1) / x.clone()), &[]),
        "not plainly",
    );
    refused(combine(&context, le(num(0), x.sqrt()), &[]), "not plainly");
    refused(combine(&context, le(num(0), x.log()), &[]), "not plainly");
    refused(
        combine(&context, le(num(0), var("unknown")), &[]),
        "nothing is called",
    );
    refused(assume(&context, 0), "not a hypothesis");
    let longer = context.extended(real("z", Sign::Any))?;
    let later = combine(&longer, le(var("z"), var("z")), &[])?;
    refused(
        combine(&context, le(x.clone(), x), &[with(num(1), &later)]),
        "another context",
    );
    Ok(())
}

/// What is supposed of one data set says nothing of its neighbours.
#[test]
fn privacy_under_a_hypothesis_on_the_data_is_refused() -> Result<(), Stuck> {
    let base = Context::default().with([
        variable("n", Sort::Count),
        variable("d", Sort::Count),
        variable("M", Sort::Vector(var("d"), Sign::Positive)),
        real("c", Sign::Positive),
        variable("ℓ", Sort::Loss(var("d"), Lipschitz::Entries, "M".into())),
        variable("g", Sort::Loss(var("d"), Lipschitz::Whole, "c".into())),
        variable("r", Sort::Function(var("d"), "M".into())),
        variable("D", Sort::Dataset(var("n"), Relation::ReplaceOne)),
        variable("x", Sort::Vector(var("d"), Sign::Any)),
        variable("j", Sort::Index(var("d"))),
    ])?;
    let risk = |loss: &str, rest: &str| {
        let mean = Mean {
            data: "D".into(),
            loss: loss.into(),
            rest: rest.into(),
        };
        variable("f", Sort::Risk(var("d"), "M".into(), mean))
    };
    refused(base.extended(risk("g", "r")), "no mean of g");
    refused(base.extended(risk("ℓ", "ℓ")), "no mean of ℓ");
    let here = base.extended(risk("ℓ", "r"))?;
    let query = op(Op::Partial, [var("f"), var("x"), var("j")]);
    let share = Share {
        of: &|z| op(Op::Partial, [var("ℓ"), var("x"), z.clone(), var("j")]) / var("n"),
        bound: &|here, z| gradient_bound(here, "ℓ", &var("x"), z, Some("j")),
        factor: num(1) / var("n"),
    };
    let by = mul([num(2), at(&var("M"), &var("j"))]) / var("n");
    let moves = |here: &Context| record_moves(here, "D", &query, &share, &by);
    moves(&here)?;
    let least = Goal::Minimises("f".into(), var("x"));
    let value = app("f", [var("x")]);
    let bounded = Goal::Le(value.clone(), num(0));
    let every = Goal::Every("y".into(), Sort::Real(Sign::Any), bounded.clone().into());
    let under = Goal::If(Goal::Le(var("c"), num(1)).into(), bounded.clone().into());
    for given in [least.clone(), bounded.clone(), every, under] {
        let told = here.extended(Item::Assume(given))?;
        refused(moves(&told), "a hypothesis reads D");
    }
    let free = here.extended(Item::Assume(Goal::Le(var("c"), num(1))))?;
    moves(&free)?;
    // Neither is privacy what holds under one.
    let private = moves(&here)?;
    refused(discharge(&private), "nothing holds like this");
    let nothing = combine(&free, Goal::Le(num(0), num(1)), &[Part::new(num(1), [])])?;
    discharge(&discharge(&nothing)?).map_or_else(
        |why| assert!(why.to_string().contains("holds like this"), "{why}"),
        |t| panic!("{}", t.statement()),
    );
    Ok(())
}

#[test]
fn premises_are_used_as_they_are_stated() -> Result<(), Stuck> {
    let setting = Setting::sound();
    let pure = setting.pure(&var("e"))?;
    let (here, private) = (setting.with_state()?, pure_as_zcdp(&pure)?);
    let with = |rho: &Term, from: &[&Theorem]| {
        cite(&here, &ZCDP_TO_DP, &[rho.clone(), var("e"), var("e")], from)
    };
    let rho = var("e").pow(2) / num(2);
    let all = [&private, &private, &private];
    // What comes behind the bound on privacy is no inequality.
    refused(with(&rho, &all), "not the hypothesis");
    refused(with(&(num(2) * rho.clone()), &all), "not the hypothesis");
    refused(with(&rho, &[&pure, &pure, &pure]), "not the hypothesis");
    refused(with(&var("free"), &all), "not plainly");
    refused(with(&rho, &[&private]), "another number");
    refused(
        cite(&here, &ZCDP_TO_DP, &[rho], &[&private]),
        "another number",
    );
    refused(with(&setting.query.abs(), &all), "not the hypothesis");
    Ok(())
}

#[test]
fn contexts_are_checked() {
    let base = Context::default().with([
        variable("n", Sort::Count),
        real("x", Sign::Any),
        variable("D", Sort::Dataset(var("n"), Relation::ReplaceOne)),
    ]);
    let base = base.expect("well formed");
    refused(base.extended(real("x", Sign::Any)), "has a meaning already");
    refused(base.extended(real("max", Sign::Any)), "not a name");
    refused(base.extended(real("a b", Sign::Any)), "not a name");
    refused(
        base.extended(variable("v", Sort::Vector(var("x"), Sign::Any))),
        "not an integer",
    );
    refused(
        base.extended(variable("f", Sort::Function(var("n"), "x".into()))),
        "positive numbers",
    );
    let private = Goal::Moves {
        data: "D".into(),
        query: num(1),
        by: num(0),
    };
    refused(base.extended(Item::Assume(private)), "speaks of neighbours");
    let half = Term::Num((1, 2).into());
    refused(
        base.extended(Item::Assume(Goal::Le(half, var("x")))),
        "as a quotient",
    );
    let shadow = bind(Binder::Sum, "x", var("n"), num(1));
    refused(
        base.extended(Item::Assume(Goal::Le(shadow, num(1)))),
        "meaning already",
    );
    for (o, few) in [(Op::Add, vec![]), (Op::Mul, vec![var("x")])] {
        let less = Goal::Le(Term::Op(o, few.into()), num(1));
        refused(base.extended(Item::Assume(less)), "cannot take");
    }
}

/// A run of a process that starts at the data reads them.
#[test]
fn what_a_process_reads_is_read() -> Result<(), Stuck> {
    let starts = |entry: Term| looped("v", "d", vector("l", var("d"), entry), "n", vec![]);
    let total = bind(Binder::Total, "z", var("D"), app("y", [var("z")]));
    let context = Context::default().with([
        variable("n", Sort::Count),
        variable("d", Sort::Count),
        variable("D", Sort::Dataset(var("n"), Relation::ReplaceOne)),
        variable("y", Sort::Label),
        Item::Process("P".into(), starts(num(0))),
        Item::Process("Q".into(), starts(total)),
    ])?;
    let run = |name: &str| op(Op::End, [var(name)]);
    assert!(!context.reads(&run("P"), "D"));
    assert!(context.reads(&run("Q"), "D"));
    Ok(())
}
