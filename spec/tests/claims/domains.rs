//! What is printed of a claim has a meaning: the kernel takes x/0, the root of a number < 0 and the logarithm of one ≤ 0 for 0, which
//! no reader does.

use super::kernel::claims;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{assume, combine, exp_log};
use dp_assay_kernel::search::{item, positive, real, with};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Notion, Process, Relation, Sign, Sort, Statement, Subject,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, bind, num, op, sum, var};

/// Arguments that are in the domain by a hypothesis: the claim, what they are at least, and how much of the hypothesis shows it.
fn by_hypothesis() -> [(&'static str, Term, Term); 2] {
    let spread = num(3) * var("P") + var("p") * var("M");
    [
        (
            "kl-thm-4-budget",
            num(3) * var("G").pow(2) / num(4),
            num(1) / num(4),
        ),
        ("decor-thm-2a-eta", num(0), num(3) * spread),
    ]
}

/// A way through a statement: what it has looked at, and what it found to be without a plain meaning.
#[derive(Default)]
struct Walk {
    least: Option<(Term, Term)>,
    seen: usize,
    found: Vec<String>,
}

fn inverse(t: &Term) -> Term {
    num(1) / t.clone()
}

/// Whether all divisors, roots and logarithms in a number are in the domain in normal form, which there is of no other number.
fn plain(here: &Context, t: &Term) -> bool {
    combine(here, Goal::Eq(t.clone(), t.clone()), &[]).is_ok()
}

/// A term whose bound variables are called otherwise than what has a meaning around it, so that these can be of the context, too.
fn apart(here: &Context, t: &Term) -> Term {
    let all = |terms: &[Term]| terms.iter().map(|t| apart(here, t)).collect();
    match t {
        Term::Num(_) | Term::Var(_) => t.clone(),
        Term::App(f, a) => Term::App(f.clone(), all(a)),
        Term::Op(op, a) => Term::Op(*op, all(a)),
        Term::Bind(binder, x, of, body) => {
            let mut name = x.clone();
            while here.get(&name).is_some() || name != *x && body.mentions(&name) {
                name.push('′');
            }
            let body = apart(here, &body.put(x, &var(&name)));
            bind(*binder, &name, apart(here, of), body)
        }
    }
}

impl Walk {
    /// Looks at what is divided by, or under a root or a logarithm: it is plainly > 0 as it is written, or fit in normal form.
    fn argument(&mut self, here: &Context, of: fn(&Term) -> Term, t: &Term) {
        self.seen += 1;
        if exp_log(here, t).is_ok() || plain(here, &of(t)) || self.known(here, of, t) {
            return;
        }
        let whole = Goal::Le(num(0), of(t)).to_string();
        self.found.push(whole.replacen("0 ≤ ", "", 1));
    }

    /// Whether a number is by a hypothesis at least one of which this may be taken.
    fn known(&self, here: &Context, of: fn(&Term) -> Term, t: &Term) -> bool {
        let Some((least, factor)) = &self.least else {
            return false;
        };
        let above = |i: usize| {
            let given = assume(here, i)?;
            let goal = Goal::Le(least.clone(), t.clone());
            combine(here, goal, &[with(factor.clone(), &given)])
        };
        plain(here, &of(least)) && (0..here.items().len()).any(|i| above(i).is_ok())
    }

    fn term(&mut self, here: &Context, t: &Term) {
        match &apart(here, t) {
            Term::Num(_) | Term::Var(_) => {}
            Term::App(f, a) => {
                a.iter().for_each(|t| self.term(here, t));
                // A definition has the meaning that it has where it is applied.
                if let Some(body) = here.unfold(f, a) {
                    self.term(here, &body);
                }
            }
            Term::Op(op, a) => {
                a.iter().for_each(|t| self.term(here, t));
                match (op, &a[..]) {
                    (Op::Div, [_, b]) => self.argument(here, inverse, b),
                    (Op::Pow, [b, Term::Num(n)]) if *n < 0 => self.argument(here, inverse, b),
                    (Op::Log, [b]) => self.argument(here, Term::log, b),
                    // No norm is clipped to a number < 0, and no variance or scale is one.
                    (Op::Sqrt, [b]) | (Op::Clip, [_, b]) | (Op::Normal | Op::Laplace, [.., b]) => {
                        self.argument(here, Term::sqrt, b);
                    }
                    (Op::Pairwise, [_, _, own, .., shared]) => {
                        { [own, shared].into_iter() }
                            .for_each(|t| self.argument(here, Term::sqrt, t));
                    }
                    _ => {}
                }
            }
            Term::Bind(binder, x, of, body) => {
                let sort = match (binder, &**of) {
                    (Binder::Expect, law) => {
                        self.term(here, law);
                        Sort::drawn(here, law).expect("a law")
                    }
                    (Binder::Total, _) => Sort::Record,
                    (_, Term::Op(Op::Except, a)) => Sort::Index(a[0].clone()),
                    (_, bound) => Sort::Index(bound.clone()),
                };
                self.term(&extended(here, x, sort), body);
            }
        }
    }

    fn commands(&mut self, here: &Context, body: &[Command]) {
        let mut here = here.clone();
        for command in body {
            let (name, sort) = match command {
                Command::Set(_, t) => {
                    self.term(&here, t);
                    continue;
                }
                Command::Stop { charge, limit } => {
                    self.term(&here, charge);
                    self.term(&here, limit);
                    continue;
                }
                Command::Repeat { index, times, body } => {
                    let inside = extended(&here, index, Sort::Index(times.clone()));
                    self.commands(&inside, body);
                    continue;
                }
                Command::Select {
                    name,
                    index,
                    over,
                    query,
                    scale,
                    divisor,
                } => {
                    let inside = extended(&here, index, Sort::Index(over.clone()));
                    self.term(&inside, query);
                    self.term(&inside, &scale.sqrt());
                    { divisor.iter() }.for_each(|t| self.term(&inside, &inverse(t)));
                    (name, Sort::Index(over.clone()))
                }
                Command::Release { name, query, law } => {
                    self.term(&here, query);
                    self.term(&here, law);
                    let sort = match (law, query) {
                        (Term::Op(Op::Pairwise, a), Term::Bind(Binder::Vec, _, d, _)) => {
                            let all = op(Op::Mul, [a[0].clone(), (**d).clone()]);
                            Sort::Vector(all, Sign::Any)
                        }
                        _ => Sort::drawn(&here, law).expect("noise"),
                    };
                    (name, sort)
                }
                Command::Draw { name, law } => {
                    self.term(&here, law);
                    (name, Sort::drawn(&here, law).expect("a law"))
                }
                Command::Call { name, of } => {
                    self.term(&here, of);
                    let Term::App(mechanism, _) = of else {
                        panic!("a mechanism is applied");
                    };
                    let Some(Sort::Mechanism(d, ..)) = here.sort(mechanism) else {
                        panic!("{mechanism} is no mechanism");
                    };
                    (name, Sort::Vector(d.clone(), Sign::Any))
                }
            };
            here = extended(&here, name, sort);
        }
    }

    fn goal(&mut self, here: &Context, goal: &Goal) {
        match goal {
            Goal::Le(a, b) | Goal::Eq(a, b) => [a, b].into_iter().for_each(|t| self.term(here, t)),
            Goal::Every(x, sort, goal) => self.goal(&extended(here, x, sort.clone()), goal),
            Goal::If(given, goal) => {
                self.goal(here, given);
                let given = here.extended(Item::Assume((**given).clone()));
                self.goal(given.as_ref().unwrap_or(here), goal);
            }
            Goal::Both(goals) => goals.iter().for_each(|goal| self.goal(here, goal)),
            Goal::Minimises(_, x) => self.term(here, x),
            Goal::Moves { query, by, .. } => {
                [query, by].into_iter().for_each(|t| self.term(here, t))
            }
            Goal::Keeps { .. } => panic!("no claim is about a choice that is kept"),
            Goal::Private {
                notion, subject, ..
            } => {
                { notion.numbers().into_iter() }.for_each(|t| self.term(here, t));
                self.subject(here, subject);
            }
            Goal::Events(_, subject, names, goal) => {
                self.subject(here, subject);
                let probabilities = names.iter().map(|x| real(x, Sign::NonNegative));
                self.goal(&here.with(probabilities).expect("two names"), goal);
            }
        }
    }

    fn subject(&mut self, here: &Context, subject: &Subject) {
        if let Subject::Command(command) = subject {
            self.commands(here, std::slice::from_ref(command));
        }
    }

    /// Bounds of ranges are made from whole numbers, counts and indices by sums and products.
    fn item(&mut self, here: &Context, item: &Item) {
        match item {
            Item::Var(_, Sort::Mechanism(d, _, notion)) => {
                let inside = extended(here, "w", Sort::Vector(d.clone(), Sign::Any));
                let numbers = notion.numbers().into_iter();
                numbers.for_each(|t| self.term(&inside, &t.put("input", &var("w"))));
            }
            Item::Var(..) | Item::Define(..) => {}
            Item::Assume(goal) => self.goal(here, goal),
            Item::Process(_, process) => {
                let states = process.states.iter();
                { states.clone() }.for_each(|state| self.term(here, &state.start));
                let states = states.map(|state| Item::Var(state.name.clone(), state.sort()));
                self.commands(&here.with(states).expect("states"), &process.body);
            }
        }
    }

    fn statement(mut self, statement: &Statement) -> Self {
        let context = &statement.context;
        for (i, item) in context.items().iter().enumerate() {
            self.item(&context.beginning(i), item);
        }
        self.goal(context, &statement.goal);
        self
    }
}

fn extended(here: &Context, name: &str, sort: Sort) -> Context {
    here.extended(item(name, sort))
        .expect("a name without a meaning")
}

fn walked(statement: &Statement, least: Option<(Term, Term)>) -> Walk {
    let walk = Walk {
        least,
        ..Walk::default()
    };
    walk.statement(statement)
}

#[test]
fn every_number_that_a_claim_prints_has_a_meaning() -> Result<(), Stuck> {
    let (mut seen, mut found) = (0, Vec::new());
    for (id, statement, _) in claims()? {
        let mut known = by_hypothesis().into_iter();
        let least = known.find(|(of, ..)| *of == id);
        // Without the hypothesis nothing is known, or it would not have to be named.
        if least.is_some() {
            assert_ne!(walked(&statement, None).found, [""; 0], "{id}");
        }
        let walk = walked(&statement, least.map(|(_, least, factor)| (least, factor)));
        seen += walk.seen;
        found.extend(walk.found.into_iter().map(|t| format!("{id}: {t}")));
    }
    assert_eq!(found, [""; 0]);
    assert!(seen > 1_000, "{seen}");
    Ok(())
}

/// Numbers without a meaning, one in each place where a statement may have one.
#[test]
fn a_number_without_a_meaning_is_found_wherever_it_stands() -> Result<(), Stuck> {
    let here = Context::default().with([
        positive("x"),
        real("y", Sign::NonNegative),
        real("z", Sign::Any),
        item("k", Sort::Index(num(3))),
        item("D", Sort::Dataset(num(9), Relation::ZeroOut)),
        Item::Define(
            "f".into(),
            vec![("a".into(), Sort::Real(Sign::Any))],
            inverse(&var("a")),
        ),
    ])?;
    let found = |context: &Context, goal: Goal| {
        let context = context.clone();
        walked(&Statement { context, goal }, None).found
    };
    let in_goal = |t: Term| found(&here, Goal::Le(num(0), t));
    let (x, y, z, k) = (var("x"), var("y"), var("z"), var("k"));
    for sound in [
        inverse(&x),
        inverse(&(num(1) + y.clone() - num(1) + x.clone())),
        y.sqrt(),
        (num(1) + k.clone()).log(),
        app("f", [x.clone()]),
        sum("l", num(2), inverse(&(var("l") + num(1)))),
        sum("l", num(2), sum("l", num(2), (var("l") + num(1)).log())),
    ] {
        assert_eq!(in_goal(sound), [""; 0]);
    }
    let law = op(Op::Normal, [x.clone()]);
    let drawn = bind(Binder::Expect, "e", law.clone(), inverse(&var("e").abs()));
    for (t, printed) in [
        (inverse(&num(0)), "1/0"),
        (inverse(&y), "1/y"),
        (inverse(&(x.clone() - num(1))), "1/(x − 1)"),
        (y.pow(-1), "1/y"),
        (y.log(), "log(y)"),
        (z.sqrt(), "√(z)"),
        (op(Op::Clip, [x.clone(), z.clone()]), "√(z)"),
        (app("f", [y.clone()]), "1/y"),
        (sum("l", num(2), inverse(&var("l"))), "1/l"),
        (drawn, "1/|e|"),
    ] {
        assert_eq!(in_goal(t), [printed]);
    }
    // In a hypothesis, a process, a sense of privacy.
    let wrong = inverse(&y);
    let trivial = Goal::Le(num(0), num(0));
    let given = Item::Assume(Goal::Le(num(0), wrong.clone()));
    assert_eq!(found(&here.extended(given)?, trivial.clone()), ["1/y"]);
    let charged = Command::Stop {
        charge: wrong.clone(),
        limit: z.sqrt(),
    };
    let rounds = Command::Repeat {
        index: "l".into(),
        times: num(2),
        body: vec![charged],
    };
    let process = Process {
        states: Vec::new(),
        body: vec![rounds],
    };
    let running = here.extended(Item::Process("P".into(), process))?;
    assert_eq!(found(&running, trivial), ["1/y", "√(z)"]);
    let release = Command::Release {
        name: "b".into(),
        query: y.log(),
        law,
    };
    let private = Goal::Private {
        data: "D".into(),
        notion: Notion::Zcdp(wrong),
        subject: Subject::Command(release.into()),
    };
    assert_eq!(found(&here, private), ["1/y", "log(y)"]);
    Ok(())
}
