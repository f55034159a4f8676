//! What has no meaning: every operation, binder, command and goal with something that it cannot take, beside what it can.

use crate::items::{looped, real, variable};
use crate::refusals::refused;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Lipschitz, Notion, Relation, Sign, Sort, Subject, View,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, num, op, sum, var, vector};

/// Of each kind of thing one on the d indices below d, and some on those below m.
fn setting() -> Result<Context, Stuck> {
    let d = || var("d");
    let one = |x: &str, sort: Sort| vec![(x.to_owned(), sort)];
    let any = |d: &str| Sort::Vector(var(d), Sign::Any);
    Context::default().with([
        variable("d", Sort::Count),
        variable("m", Sort::Count),
        real("a", Sign::Any),
        real("c", Sign::Positive),
        variable("i", Sort::Index(d())),
        variable("k", Sort::Index(var("m"))),
        variable("A", any("d")),
        variable("B", any("m")),
        variable("M", Sort::Vector(d(), Sign::Positive)),
        variable("Q", Sort::Sequence(d())),
        variable("𝒮", Sort::SetLaw(d())),
        variable("𝒯", Sort::SetLaw(var("m"))),
        variable("S", Sort::Outcome("𝒮".into())),
        variable("T", Sort::Outcome("𝒯".into())),
        variable("U", Sort::Set(d())),
        variable("F", Sort::SetFunction(d(), Sign::Any)),
        variable("f", Sort::Function(d(), "M".into())),
        variable("ℓ", Sort::Loss(d(), Lipschitz::Entries, "M".into())),
        variable("g", Sort::Map(vec![d()], var("m"))),
        variable("h", Sort::Field(d(), var("m"))),
        variable("φ", Sort::Feature(d())),
        variable("y", Sort::Label),
        variable("z", Sort::Record),
        variable("D", Sort::Dataset(d(), Relation::ReplaceOne)),
        Item::Define("ofIndex".into(), one("x", Sort::Index(d())), num(1)),
        Item::Define("ofNumber".into(), one("x", Sort::Real(Sign::Any)), num(1)),
        Item::Define("ofVector".into(), one("x", any("d")), num(1)),
        Item::Define("ofSet".into(), one("x", Sort::Set(d())), num(1)),
    ])
}

/// Terms that are numbers, and terms that have no meaning, with the reason.
type Terms = (Vec<Term>, Vec<(Term, &'static str)>);

fn names() -> [Term; 16] {
    [
        "a", "c", "d", "i", "k", "A", "B", "Q", "S", "T", "U", "F", "f", "ℓ", "z", "D",
    ]
    .map(var)
}

fn operations() -> Terms {
    let [a, c, d, i, k, va, vb, q, s, t, u, f, _, _, _, data] = names();
    let to = |x: &Term, n: Term| op(Op::Pow, [x.clone(), n]);
    let one = |o: Op, x: &Term| op(o, [x.clone()]);
    let two = |o: Op, x: &Term, y: &Term| op(o, [x.clone(), y.clone()]);
    let fine = vec![
        a.clone() - c.clone(),
        to(&a, d.clone()),
        to(&a, i.clone()),
        to(&a, num(-2)),
        to(&a, d.clone() + i.clone()),
        to(&a, d.clone() * i.clone()),
        one(Op::Exp, &a),
        one(Op::Norm, &va),
        two(Op::Clip, &a, &c),
        two(Op::Clip, &va, &c).norm(),
        at(&va, &i),
        at(&at(&q, &d), &i),
        at(&f, &u),
        at(&f, &s),
        two(Op::Unit, &i, &i),
        two(Op::Member, &i, &s),
        two(Op::Member, &i, &u),
        two(Op::Inclusion, &i, &var("𝒮")),
    ];
    let mut bad = vec![
        (to(&a, a.clone()), "not a natural number"),
        (to(&a, d.clone() - i.clone()), "not a natural number"),
        (to(&a, d.clone() + a.clone()), "not a natural number"),
        (to(&a, d.clone() * a.clone()), "not a natural number"),
        (to(&a, num(-1) + i.clone()), "not a natural number"),
        (to(&a, Term::Num((1, 2).into())), "as a quotient"),
        (to(&va, num(2)), "not a number"),
        (a.clone() + va.clone(), "not a number"),
        (data * a.clone(), "not a number"),
        (one(Op::Norm, &a), "not a vector"),
        (two(Op::Clip, &a, &va), "not a number"),
        (two(Op::Clip, &s, &a), "not a number"),
        (at(&va, &k), "not an index below"),
        (at(&va, &d), "not an index below"),
        (at(&va, &num(0)), "not an index below"),
        (at(&a, &i), "has no entries"),
        (at(&at(&q, &a), &i), "not a natural number"),
        (at(&at(&q, &d), &k), "not an index below"),
        (at(&f, &t), "not a subset"),
        (at(&f, &i), "not a subset"),
        (two(Op::Unit, &i, &k), "same bound"),
        (two(Op::Unit, &i, &d), "same bound"),
        (two(Op::Unit, &a, &a), "same bound"),
        (two(Op::Member, &k, &s), "not an index below"),
        (two(Op::Member, &i, &t), "not an index below"),
        (two(Op::Member, &i, &vb), "not a set"),
        (two(Op::Inclusion, &k, &var("𝒮")), "not an index below"),
        (two(Op::Inclusion, &i, &s), "not the law of a random set"),
    ];
    for o in [Op::Sub, Op::Div, Op::Max, Op::AtMost] {
        bad.push((two(o, &va, &a), "not a number"));
        bad.push((two(o, &a, &va), "not a number"));
    }
    for o in [Op::Sqrt, Op::Log, Op::Exp, Op::Abs] {
        bad.push((one(o, &va), "not a number"));
        bad.push((two(o, &a, &a), "cannot take"));
    }
    (fine, bad)
}

fn applications() -> Terms {
    let [a, _, _, i, k, va, vb, _, s, t, u, _, f, l, z, _] = names();
    let slope = |parts: &[&Term]| {
        let parts = parts.iter().map(|t| (*t).clone()).collect();
        Term::Op(Op::Partial, parts)
    };
    let of = |f: &str, x: &Term| app(f, [x.clone()]);
    let both = |f: &str, x: &Term, y: &Term| app(f, [x.clone(), y.clone()]);
    let fine = vec![
        slope(&[&f, &va, &i]),
        slope(&[&l, &va, &z, &i]),
        of("f", &va),
        at(&of("g", &va), &k),
        at(&of("φ", &z), &i),
        of("y", &z),
        at(&both("h", &va, &z), &k),
        of("ofIndex", &i),
        of("ofNumber", &a),
        of("ofVector", &va),
        of("ofSet", &u),
        of("ofSet", &s),
    ];
    let bad = vec![
        (slope(&[&f, &vb, &i]), "not a vector of that dimension"),
        (slope(&[&f, &a, &i]), "not a vector"),
        (slope(&[&f, &va, &k]), "not an index below"),
        (slope(&[&f, &va, &z, &i]), "cannot be differentiated"),
        (slope(&[&l, &va, &i]), "cannot be differentiated"),
        (slope(&[&var("y"), &va, &i]), "cannot be differentiated"),
        (slope(&[&l, &va, &a, &i]), "not a record"),
        (slope(&[&l, &vb, &z, &i]), "not a vector of that dimension"),
        (of("f", &vb), "not a vector of that dimension"),
        (of("f", &a), "not a vector"),
        (both("f", &va, &va), "neither a function nor"),
        (at(&of("g", &va), &i), "not an index below"),
        (of("g", &vb).norm(), "not a vector of that dimension"),
        (both("g", &va, &va).norm(), "neither a function nor"),
        (at(&of("φ", &z), &k), "not an index below"),
        (of("φ", &a).norm(), "not a record"),
        (of("y", &va), "not a record"),
        (at(&both("h", &va, &z), &i), "not an index below"),
        (both("h", &vb, &z).norm(), "not a vector of that dimension"),
        (both("h", &va, &a).norm(), "not a record"),
        (of("unknown", &a), "neither a function nor"),
        (of("ofIndex", &k), "not an index below"),
        (of("ofNumber", &va), "not a number"),
        (of("ofVector", &vb), "cannot take"),
        (of("ofSet", &t), "cannot take"),
        (both("ofNumber", &a, &a), "takes 1 arguments"),
    ];
    (fine, bad)
}

fn binders() -> Terms {
    let [a, c, d, i, k, va, vb, _, s, _, _, _, _, _, _, data] = names();
    let one = |over: Term| sum("j", over, num(1));
    let range = |parts: &[&Term]| {
        let parts = parts.iter().map(|t| (*t).clone()).collect();
        Term::Op(Op::Except, parts)
    };
    let most = |over: Term| bind(Binder::Sup, "j", over, at(&va, &var("j")));
    let total = |over: Term| bind(Binder::Total, "x", over, app("y", [var("x")]));
    let mean = |law: Term, t: Term| bind(Binder::Expect, "x", law, t);
    let normal = |d: &Term, v: &Term| op(Op::Normal, [d.clone(), v.clone()]);
    let entry = |v: &Term, j: &str| at(v, &var(j));
    let weighted = |weight: Term| bind(Binder::Weighted, "j", d.clone(), weight);
    let (member, law) = (|j: &Term| op(Op::Member, [j.clone(), var("x")]), var("𝒮"));
    let squares = weighted(entry(&va, "j").pow(2));
    let fine = vec![
        one(num(2)),
        one(d.clone() + i.clone()),
        sum("j", d.clone(), entry(&va, "j")),
        vector("j", d.clone(), entry(&va, "j")).norm(),
        most(range(&[&d, &i])),
        total(data),
        mean(normal(&d, &c), at(&var("x"), &i)),
        mean(law.clone(), member(&i)),
        mean(squares.clone(), entry(&va, "x")),
    ];
    let bad = vec![
        (one(num(0)), "not an integer"),
        (one(i.clone()), "not an integer"),
        (one(c.clone()), "not an integer"),
        (one(d.clone() - i.clone()), "not an integer"),
        (sum("j", d.clone(), entry(&vb, "j")), "not an index below"),
        (sum("j", d.clone(), va.clone()), "not a number"),
        (sum("a", d.clone(), num(1)), "has a meaning already"),
        (sum("max", d.clone(), num(1)), "is not a name"),
        (vector("j", d.clone(), num(1)), "not a number"),
        (most(range(&[&d, &k])), "not an index below"),
        (most(range(&[&a, &i])), "not an integer"),
        (most(range(&[&d])), "a range takes"),
        (most(d.clone()), "ranges over"),
        (total(va.clone()), "ranges over"),
        (mean(normal(&d, &a), num(1)), "may be negative"),
        (mean(normal(&a, &c), num(1)), "not an integer"),
        (mean(normal(&d, &c), at(&var("x"), &k)), "not an index"),
        (
            mean(Term::Op(Op::Normal, vec![]), num(1)),
            "noise has a dimension",
        ),
        (mean(s, num(1)), "is not a law"),
        (mean(law, member(&k)), "not an index below"),
        (mean(squares.clone(), entry(&vb, "x")), "not an index below"),
        (mean(weighted(entry(&va, "j")), num(1)), "may be negative"),
        (squares, "not a number"),
    ];
    (fine, bad)
}

#[test]
fn terms_without_a_meaning_are_refused() -> Result<(), Stuck> {
    let context = setting()?;
    let suppose = |t: Term| context.extended(Item::Assume(Goal::Le(t, num(0))));
    for (fine, bad) in [operations(), applications(), binders()] {
        for term in fine {
            suppose(term)?;
        }
        for (term, why) in bad {
            refused(suppose(term), why);
        }
    }
    Ok(())
}

/// A sum in sums is looked at once, and not once for each sum around it.
#[test]
fn deep_sums_are_read_once() -> Result<(), Stuck> {
    let context = setting()?;
    let deep = (0..60).fold(var("d"), |t, _| num(1) + t);
    let deep = (0..60).fold(deep, |t, _| num(2) * t);
    context.extended(Item::Assume(Goal::Le(num(1), deep)))?;
    Ok(())
}

/// Commands of a loop with a vector w of dimension d.
fn commands() -> (Vec<Command>, Vec<(Command, &'static str)>) {
    let [a, c, d, i, k, va, vb, q, _, _, _, _, _, _, _, _] = names();
    let release = |query: &Term, law: Term| Command::Release {
        name: "r".into(),
        query: query.clone(),
        law,
    };
    let set = |x: &str, value: &Term| Command::Set(x.into(), value.clone());
    let call = |of: Term| Command::Call {
        name: "r".into(),
        of,
    };
    let stop = |charge: &Term, limit: &Term| Command::Stop {
        charge: charge.clone(),
        limit: limit.clone(),
    };
    let select = |over: &Term, query: Term| Command::Select {
        name: "r".into(),
        index: "j".into(),
        over: over.clone(),
        query,
        scale: c.clone(),
        divisor: Some(c.clone()),
    };
    let draw = |law: Term| Command::Draw {
        name: "r".into(),
        law,
    };
    let (laplace, normal) = (op(Op::Laplace, [c.clone()]), op(Op::Normal, [c.clone()]));
    let wide = |d: &Term| op(Op::Normal, [d.clone(), c.clone()]);
    let private = |x: &Term| call(app("P", [x.clone()]));
    // Messages of so many users, user j's the query, own noise, factors of that in common.
    let messages = |users: &Term, j: &Term, own: &Term, factors: &Term, pairs: &Term| {
        let parts = [users, j, own, factors, pairs, &c].map(Term::clone);
        op(Op::Pairwise, parts)
    };
    let messages_of = |parts: &[&Term]| {
        let parts = parts.iter().map(|t| (*t).clone()).collect();
        Term::Op(Op::Pairwise, parts)
    };
    let sound = messages(&d, &i, &c, &q, &d);
    let fine = vec![
        release(&a, laplace.clone()),
        release(&a, normal.clone()),
        release(&va, wide(&d)),
        set("w", &va),
        private(&va),
        stop(&a, &c),
        select(&d, at(&va, &var("j"))),
        draw(wide(&d)),
        release(&va, sound.clone()),
    ];
    let few = "no entry for every message";
    let bad = vec![
        (release(&a, sound), "cannot be added"),
        (release(&va, messages(&var("m"), &k, &c, &q, &d)), few),
        (release(&va, messages(&d, &i, &c, &va, &d)), few),
        (release(&va, messages(&d, &k, &c, &q, &d)), "not an index"),
        (release(&va, messages(&a, &i, &c, &q, &d)), "not an integer"),
        (release(&va, messages(&d, &i, &va, &q, &d)), "not a number"),
        (release(&va, messages(&d, &i, &c, &q, &a)), "not an integer"),
        (
            release(&va, messages_of(&[&d, &i, &c, &q, &d])),
            "cannot be added",
        ),
        (
            release(&va, messages_of(&[&d, &i, &c, &q, &d, &c, &c])),
            "cannot be added",
        ),
        (release(&va, laplace), "cannot be added"),
        (release(&va, normal), "cannot be added"),
        (release(&va, wide(&var("m"))), "cannot be added"),
        (release(&a, wide(&d)), "cannot be added"),
        (set("w", &vb), "not a vector of that dimension"),
        (set("A", &va), "is not a state"),
        (set("t", &va), "is not a state"),
        (private(&vb), "not a vector of that dimension"),
        (call(app("g", [va.clone()])), "not a mechanism of one"),
        (call(a.clone()), "not a mechanism with"),
        (stop(&va, &c), "not a number"),
        (stop(&a, &va), "not a number"),
        (select(&a, a.clone()), "not an integer"),
        (select(&d, va.clone()), "not a number"),
        (select(&d, at(&vb, &var("j"))), "not an index below"),
        (draw(i), "is not a law"),
    ];
    (fine, bad)
}

#[test]
fn processes_without_a_meaning_are_refused() -> Result<(), Stuck> {
    let sort = Sort::Mechanism(var("d"), "D".into(), Notion::Pure(var("c")));
    let context = setting()?.extended(variable("P", sort))?;
    let run = |start: &str, body: Vec<Command>| {
        let process = looped("w", "d", var(start), "m", body);
        context.extended(Item::Process("R".into(), process))
    };
    let (fine, bad) = commands();
    for command in &fine {
        run("A", vec![command.clone()])?;
    }
    for (command, why) in bad {
        refused(run("A", vec![command]), why);
    }
    refused(run("B", vec![]), "not a vector of that dimension");
    refused(run("w", vec![]), "nothing is called w");
    // Of two commands with a name each needs its own, and what is named in a loop ends with it.
    let twice = vec![fine[0].clone(), fine[1].clone()];
    refused(run("A", twice), "has a meaning already");
    let inner = Command::Repeat {
        index: "s".into(),
        times: var("d"),
        body: vec![fine[0].clone()],
    };
    let later = Command::Stop {
        charge: var("r"),
        limit: num(1),
    };
    run("A", vec![fine[0].clone(), later.clone()])?;
    refused(run("A", vec![inner, later]), "nothing is called r");
    Ok(())
}

#[test]
fn goals_without_a_meaning_are_refused() -> Result<(), Stuck> {
    let context = setting()?;
    let context = context.extended(Item::Process(
        "R".into(),
        looped("w", "d", var("A"), "m", vec![]),
    ))?;
    let suppose = |goal: Goal| context.extended(Item::Assume(goal));
    let less = || Goal::Le(var("a"), num(1));
    let every = |sort: Sort, goal: Goal| Goal::Every("x".into(), sort, goal.into());
    let implied = |given: Goal, goal: Goal| Goal::If(given.into(), goal.into());
    let private = |data: &str, epsilon: Term, subject: Subject| Goal::Private {
        data: data.into(),
        notion: Notion::Pure(epsilon),
        subject,
    };
    let process = |name: &str| Subject::Process(name.into(), View::Path);
    let moves = |data: &str, query: &str, by: &str| Goal::Moves {
        data: data.into(),
        query: var(query),
        by: var(by),
    };
    let least = |f: &str, x: &str| Goal::Minimises(f.into(), var(x));
    for goal in [
        less(),
        every(Sort::Record, less()),
        implied(least("f", "A"), less()),
        least("f", "A"),
    ] {
        suppose(goal)?;
    }
    let pair = || Goal::Both(vec![less(), less()]);
    for (goal, why) in [
        (every(Sort::Set(var("d")), less()), "for every x"),
        (every(Sort::Record, pair()), "for every x"),
        (every(Sort::Index(var("a")), less()), "not an integer"),
        (
            every(Sort::Record, Goal::Le(var("x"), num(1))),
            "not a number",
        ),
        (implied(pair(), less()), "no relation under"),
        (implied(less(), least("f", "A")), "no relation under"),
        (Goal::Both(vec![less()]), "several goals"),
        (Goal::Both(vec![less(), pair()]), "several goals"),
        (Goal::Le(var("R"), num(1)), "not a number"),
        (least("ℓ", "A"), "is not a function"),
        (least("f", "B"), "not a vector of that dimension"),
        // These have a meaning, but none that can be supposed.
        (pair(), "speaks of neighbours"),
        (moves("D", "a", "c"), "speaks of neighbours"),
        (moves("D", "A", "c"), "speaks of neighbours"),
        (private("D", num(1), process("R")), "speaks of neighbours"),
        (moves("A", "a", "c"), "not a data set"),
        (moves("D", "S", "c"), "not a number"),
        (moves("D", "a", "A"), "not a number"),
        (private("A", num(1), process("R")), "not a data set"),
        (private("D", var("A"), process("R")), "not a number"),
        (private("D", num(1), process("f")), "no meaning here"),
        (private("D", num(1), Subject::Any), "no meaning here"),
    ] {
        refused(suppose(goal), why);
    }
    Ok(())
}
