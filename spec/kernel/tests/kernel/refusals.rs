//! What the rules refuse: every side condition, violated.

use dp_assay_kernel::Stuck;
use dp_assay_kernel::premise::{PURE_TO_ZCDP, ZCDP_TO_DP};
use dp_assay_kernel::rules::{
    Fact, Part, Theorem, assume, cite, combine, compose, expected, forget, laplace, mean_moves,
    noisy_max, root_bound, sum_over, tower,
};
use dp_assay_kernel::statement::{Command, Context, Goal, Item, Process, Sign, Sort};
use dp_assay_kernel::term::{Binder, Op, Term, at, bind, mul, num, op, var, vector};

fn variable(name: &str, sort: Sort) -> Item {
    Item::Var(name.into(), sort)
}

fn real(name: &str, sign: Sign) -> Item {
    variable(name, Sort::Real(sign))
}

/// Data of n records, a bounded score b(z), sensitivities and scales.
struct Setting {
    start: Term,
    value: Term,
    scale: Term,
    query: Term,
}

impl Setting {
    fn sound() -> Self {
        let slope = op(Op::Partial, [var("ℓ"), var("w"), var("z"), var("k")]);
        Self {
            start: var("w₀"),
            value: vector("i", var("p"), at(&var("w"), &var("i")) - var("a")),
            scale: mul([num(2), at(&var("L"), &var("k"))]) / mul([var("n"), var("e")]),
            query: bind(Binder::Mean, "z", var("D"), slope),
        }
    }

    fn release(&self) -> Command {
        Command::Release {
            name: "a".into(),
            query: self.query.clone(),
            scale: self.scale.clone(),
        }
    }

    /// One index k that is public, a release of entry k, T times.
    fn context(&self) -> Result<Context, Stuck> {
        let process = Process {
            state: "w".into(),
            dimension: var("p"),
            start: self.start.clone(),
            rounds: var("T"),
            body: vec![self.release(), Command::Set(self.value.clone())],
        };
        Context::default().with([
            variable("n", Sort::Count),
            variable("p", Sort::Count),
            variable("T", Sort::Count),
            real("e", Sign::Positive),
            real("free", Sign::Any),
            variable("L", Sort::Vector(var("p"), Sign::Positive)),
            variable("w₀", Sort::Vector(var("p"), Sign::Any)),
            variable("k", Sort::Index(var("p"))),
            variable("ℓ", Sort::Loss(var("p"), "L".into())),
            variable("D", Sort::Dataset(var("n"))),
            Item::Process("P".into(), process),
        ])
    }

    fn with_state(&self) -> Result<Context, Stuck> {
        let state = Sort::Vector(var("p"), Sign::Any);
        self.context()?.extended(variable("w", state))
    }

    /// The release is e-DP, with this e.
    fn pure(&self, e: &Term) -> Result<Theorem, Stuck> {
        let here = self.with_state()?;
        let sensitive = sensitivity(&here)?;
        let Goal::Moves { by, .. } = &sensitive.statement().goal else {
            unreachable!("a sensitivity");
        };
        let noise = mul([e.clone(), self.scale.clone()]);
        let goal = Goal::Le(by.clone(), noise);
        let slack = dp_assay_kernel::rules::left_over(&here, &goal, &[])?;
        let parts: Vec<Part<'_>> = slack.map(|t| Part::new(t, [])).into_iter().collect();
        let noise = combine(&here, goal, &parts)?;
        laplace(&here, &self.release(), e, &sensitive, &noise)
    }

    fn composed(&self, e: &Term) -> Result<Theorem, Stuck> {
        let pure = self.pure(e)?;
        let access = cite(
            &self.with_state()?,
            &PURE_TO_ZCDP,
            std::slice::from_ref(e),
            &[&pure],
        )?;
        compose(&self.context()?, "P", "D", &[&access])
    }
}

fn sensitivity(here: &Context) -> Result<Theorem, Stuck> {
    let record = here.extended(variable("z", Sort::Record))?;
    let bounded = dp_assay_kernel::rules::partial_bound(&record, "ℓ", &var("w"), "z", "k")?;
    mean_moves(&bounded, "D")
}

fn refused<T>(result: Result<T, Stuck>, why: &str) {
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
    let theorem = forget(&Setting::sound().composed(&var("e"))?)?;
    assert_eq!(theorem.premises().len(), 1);
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
    let access = cite(&setting.with_state()?, &PURE_TO_ZCDP, &[var("e")], &[&pure])?;
    let narrow = setting.with_state()?.extended(real("b", Sign::Any))?;
    let again = cite(&narrow, &PURE_TO_ZCDP, &[var("e")], &[&pure])?;
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
    refused(compose(&context, "P", "D", &[&pure]), "no zCDP bound");
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
    let select = Command::Select {
        name: "j".into(),
        index: "k".into(),
        over: var("p"),
        query: setting.query.clone(),
        scale: setting.scale.clone(),
        divisor: num(1),
    };
    let inner = here.extended(variable("k", Sort::Index(var("p"))))?;
    let sensitive = sensitivity(&inner)?;
    let moved = mul([num(2), at(&var("L"), &var("k"))]) / var("n");
    let noise = Goal::Le(moved, mul([var("e"), setting.scale]));
    let noise = combine(&inner, noise, &[])?;
    refused(
        noisy_max(&here, &select, &var("e"), &sensitive, &noise),
        "the noise needs",
    );
    Ok(())
}

#[test]
fn means_of_what_is_not_bounded_alike_are_refused() -> Result<(), Stuck> {
    let here = Setting::sound()
        .with_state()?
        .extended(variable("y", Sort::Record))?;
    let slope = op(Op::Partial, [var("ℓ"), var("w"), var("y"), var("k")]);
    // |b| ≤ |b| + 1, whose right side depends on the record.
    let bound = Goal::Le(slope.abs(), slope.abs() + num(1));
    let own = combine(&here, bound, &[Part::new(num(1), [])])?;
    refused(mean_moves(&own, "D"), "depends on the record");
    // A body that is itself a mean over the data.
    let mean = Setting::sound().query;
    let bound = Goal::Le(mean.abs(), mean.abs());
    refused(
        mean_moves(&combine(&here, bound, &[])?, "D"),
        "more than one record",
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
    refused(root_bound(&small), "not a square");
    refused(assume(&context, 0), "not a hypothesis");
    let longer = context.extended(real("z", Sign::Any))?;
    let later = combine(&longer, le(var("z"), var("z")), &[])?;
    refused(
        combine(&context, le(x.clone(), x), &[with(num(1), &later)]),
        "another context",
    );
    Ok(())
}

#[test]
fn expectations_that_may_not_exist_are_refused() -> Result<(), Stuck> {
    let outer = Context::default().with([
        variable("d", Sort::Count),
        real("v", Sign::Positive),
        real("u", Sign::Any),
        variable("i", Sort::Index(var("d"))),
    ])?;
    let inner = outer.extended(variable("η", Sort::Vector(var("d"), Sign::Any)))?;
    let entry = at(&var("η"), &var("i"));
    let law = |variance: Term| op(Op::Normal, [var("d"), variance]);
    let positive = num(1) / (entry.pow(2) + num(1));
    let tail = combine(
        &inner,
        Goal::Le(num(0), positive.clone()),
        &[Part::new(positive, [])],
    )?;
    refused(expected(&tail, &law(var("v"))), "no expectation");
    let square = combine(
        &inner,
        Goal::Le(num(0), entry.pow(2)),
        &[Part::new(entry.pow(2), [])],
    )?;
    refused(expected(&square, &law(var("u"))), "may be negative");
    expected(&square, &law(var("v")))?;
    refused(sum_over(&square), "not an index");
    Ok(())
}

/// A process whose law depends on the state, one that divides by it, and a value that is not one round's.
#[test]
fn towers_over_other_rounds_are_refused() -> Result<(), Stuck> {
    let build = |law: Term, next: Term| {
        let process = Process {
            state: "θ".into(),
            dimension: var("d"),
            start: var("v"),
            rounds: var("K"),
            body: vec![
                Command::Draw {
                    name: "η".into(),
                    law,
                },
                Command::Set(vector("l", var("d"), next)),
            ],
        };
        Context::default().with([
            variable("d", Sort::Count),
            variable("K", Sort::Count),
            variable("v", Sort::Vector(var("d"), Sign::Any)),
            variable("i", Sort::Index(var("d"))),
            Item::Process("P".into(), process),
            variable("θ", Sort::Vector(var("d"), Sign::Any)),
        ])
    };
    let entry = |v: &str, j: &str| at(&var(v), &var(j));
    let next = entry("θ", "l") + entry("η", "l");
    let normal = |variance: Term| op(Op::Normal, [var("d"), variance]);
    let here = build(normal(num(1)), next.clone())?;
    let value = entry("θ", "i");
    let law = normal(num(1));
    let round = |t: Term| bind(Binder::Expect, "η", law.clone(), t);
    let fair = round(entry("θ", "i") + entry("η", "i"));
    let right = combine(&here, Goal::Le(fair, entry("θ", "i")), &[])?;
    tower(&right, "P", &value, "X", "k")?;
    let stale = combine(&here, Goal::Le(value.clone(), value.clone()), &[])?;
    tower(&stale, "P", &value, "X", "k")?; // E θ⁺ = θ, so this is one round's value, too.
    refused(
        tower(&stale, "P", &value.pow(2), "X", "k"),
        "not the value after one round",
    );
    let tied = build(normal(entry("θ", "i").pow(2)), next)?;
    let stale = combine(&tied, Goal::Le(value.clone(), value.clone()), &[])?;
    refused(tower(&stale, "P", &value, "X", "k"), "depends on the state");
    // A vector in the name of the draw, which the value mentions.
    let named = here.beginning(5).with([
        variable("η", Sort::Vector(var("d"), Sign::Any)),
        variable("θ", Sort::Vector(var("d"), Sign::Any)),
    ])?;
    let product = entry("θ", "i") * entry("η", "i");
    let zero = combine(&named, Goal::Le(num(1), num(1)), &[])?;
    refused(tower(&zero, "P", &product, "X", "k"), "another meaning");
    let wild = entry("θ", "l") / (entry("θ", "l").pow(2) + num(1));
    let wild = build(normal(num(1)), wild)?;
    let stale = combine(&wild, Goal::Le(value.clone(), value.clone()), &[])?;
    refused(tower(&stale, "P", &value, "X", "k"), "no expectation");
    Ok(())
}

#[test]
fn premises_are_used_as_they_are_stated() -> Result<(), Stuck> {
    let setting = Setting::sound();
    let pure = setting.pure(&var("e"))?;
    let here = setting.with_state()?;
    refused(
        cite(&here, &PURE_TO_ZCDP, &[num(2) * var("e")], &[&pure]),
        "not the hypothesis",
    );
    refused(
        cite(&here, &PURE_TO_ZCDP, &[var("free")], &[&pure]),
        "not plainly",
    );
    refused(
        cite(&here, &PURE_TO_ZCDP, &[var("e")], &[]),
        "another number",
    );
    refused(
        cite(&here, &ZCDP_TO_DP, &[var("e")], &[&pure]),
        "another number",
    );
    let data = setting.query.abs();
    refused(
        cite(&here, &PURE_TO_ZCDP, &[data], &[&pure]),
        "not the hypothesis",
    );
    Ok(())
}

#[test]
fn contexts_are_checked() {
    let base = Context::default().with([
        variable("n", Sort::Count),
        real("x", Sign::Any),
        variable("D", Sort::Dataset(var("n"))),
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
    let read = bind(Binder::Mean, "z", var("D"), num(1));
    refused(
        base.extended(Item::Assume(Goal::Le(read, var("x")))),
        "reads the data",
    );
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
}
