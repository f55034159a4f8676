//! Costs that two records attain.

use super::notions::{private, space};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Fact, Part, Theorem, attained, both, combine, gaussian, instance, root_increases, weaken,
};
use dp_assay_kernel::search::{Share, assumed, item, positive, real, record_moves, zcdp_cost};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Notion, Relation, Sign, Sort, Statement, Subject,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, var, vector};

/// What is released in a round: the mean of a field over data, with noise.
struct Access {
    field: &'static str,
    /// The data, and the records in which neighbours may differ.
    data: &'static str,
    records: &'static [&'static str],
    variance: &'static str,
    /// How large the field is at most.
    most: fn() -> Term,
}

fn gradient() -> Term {
    var("L₀")
}

/// φ/(4γ), the change of a record's gradient along a step.
fn difference() -> Term {
    var("φ") / mul([num(4), var("γ")])
}

const ACCESSES: [Access; 4] = [
    Access {
        field: "G",
        data: "D",
        records: &["a", "b"],
        variance: "s",
        most: gradient,
    },
    Access {
        field: "H",
        data: "D",
        records: &["a", "b"],
        variance: "t",
        most: difference,
    },
    Access {
        field: "G",
        data: "E",
        records: &["c"],
        variance: "s",
        most: gradient,
    },
    Access {
        field: "H",
        data: "E",
        records: &["c"],
        variance: "t",
        most: difference,
    },
];

impl Access {
    fn of(&self, z: &str) -> Term {
        app(self.field, [var("w"), var(z)])
    }

    fn entry(&self, z: &str) -> Term {
        at(&self.of(z), &var("j"))
    }

    fn command(&self) -> Command {
        let mean = bind(Binder::Total, "z", var(self.data), self.entry("z")) / var("n");
        Command::Release {
            name: "g".into(),
            query: vector("j", var("d"), mean),
            law: op(Op::Normal, [var("d"), app(self.variance, [])]),
        }
    }

    /// How many records differ.
    fn times(&self) -> Term {
        num(self.records.len() as i64)
    }

    /// How far apart the field is at the records, times a factor.
    fn apart(&self, factor: &dyn Fn(Term) -> Term) -> Term {
        let entry = |z: &str| factor(self.entry(z));
        let change = match self.records {
            [a, b] => entry(a) - entry(b),
            one => entry(one[0]),
        };
        vector("j", var("d"), change).norm()
    }

    /// The records are as far apart as the bound allows.
    fn worst(&self) -> Goal {
        let most = mul([self.times(), (self.most)()]);
        Goal::Le(most, self.apart(&|t| t))
    }

    /// The field is bounded.
    fn bounded(&self) -> Goal {
        let bound = Goal::Le(app(self.field, [var("x"), var("r")]).norm(), (self.most)());
        let all = Goal::Every("r".into(), Sort::Record, bound.into());
        Goal::Every("x".into(), space(), all.into())
    }

    fn private(&self, rho: Term) -> Goal {
        let Goal::Private {
            notion, subject, ..
        } = private(Notion::Zcdp(rho), Subject::Command(self.command().into()))
        else {
            unreachable!("it is about privacy");
        };
        Goal::Private {
            data: self.data.into(),
            notion,
            subject,
        }
    }

    fn exactly(&self, rho: &Term) -> [Goal; 2] {
        let least = Goal::Le(rho.clone(), var("q"));
        let if_private = Goal::If(self.private(var("q")).into(), least.into());
        [self.private(rho.clone()), if_private]
    }

    /// Both goals, with whatever number they state.
    fn prove(&self, context: &Context, goals: [&Goal; 2]) -> Result<[Theorem; 2], Stuck> {
        let command = self.command();
        let Command::Release { query, .. } = &command else {
            return Err(Stuck::new("no release"));
        };
        let share = Share {
            of: &|z| {
                vector(
                    "j",
                    var("d"),
                    at(&app(self.field, [var("w"), z.clone()]), &var("j")) / var("n"),
                )
            },
            bound: &|here, z| {
                let all = assumed(here, &self.bounded())?;
                instance(here, &instance(here, &all, &var("w"))?, &var(z))
            },
            factor: num(1) / var("n"),
        };
        let by = mul([self.times(), (self.most)()]) / var("n");
        let moves = record_moves(context, self.data, query, &share, &by)?;
        let found = gaussian(context, &command, &moves)?;
        let cost = zcdp_cost(goals[0])?;
        let less = Goal::Le(zcdp_cost(&found.statement().goal)?.clone(), cost.clone());
        let less = combine(context, less, &[])?;
        let upper = weaken(&found, &Notion::Zcdp(cost.clone()), &[&less])?;
        // (2L/n)² ≤ ‖change/n‖²: squares are compared.
        let (most, change) = (mul([self.times(), (self.most)()]), self.apart(&|t| t));
        let scaled = self.apart(&|t| t / var("n"));
        let factor = (most + change) / var("n").pow(2);
        let worst = assumed(context, &self.worst())?;
        let squares = Goal::Le(by.pow(2), scaled.pow(2));
        let part = Part::new(factor, [Fact::from(&worst)]);
        let apart = root_increases(&combine(context, squares, &[part])?)?;
        let notion = Notion::Zcdp(var("q"));
        let on = (self.data, self.records);
        let Some([least, _]) = goals[1].sides() else {
            return Err(Stuck::new("no least cost"));
        };
        let lower = attained(context, &command, (&notion, least), on, &apart, None)?;
        Ok([upper, lower])
    }
}

fn costs() -> [Term; 4] {
    let [rho, k, t] = ["ρ", "K", "T"].map(var);
    let of = |times: i64, parts: Vec<Term>| {
        let mut all = vec![num(times)];
        all.extend(parts);
        rho.clone() / Term::Op(Op::Mul, all)
    };
    [
        mul([num(2), rho.clone()]) / k.clone(),
        of(8, vec![k.clone(), t.clone()]),
        of(2, vec![k.clone()]),
        of(32, vec![k, t]),
    ]
}

/// `kl-lem-8-mech-repaired`: with the printed noise a gradient costs 2ρ/K and a difference ρ/(8KT), exactly, if a record is
/// replaced, and a quarter of both if one is left out, where records are as far apart as the bounds allow.
pub fn mechanisms() -> Result<Statement, Stuck> {
    let data = |name: &str, relation| item(name, Sort::Dataset(var("n"), relation));
    let field = |name: &str| item(name, Sort::Field(var("d"), var("d")));
    let spread = |size: Term| {
        let n = mul([var("n").pow(2), var("ρ")]);
        mul([size.pow(2), var("K")]) / n
    };
    let of_change = mul([var("φ").pow(2), var("T"), var("K")]);
    let of_change = of_change / mul([var("γ").pow(2), var("n").pow(2), var("ρ")]);
    let items = [
        item("n", Sort::Count),
        item("d", Sort::Count),
        positive("L₀"),
        positive("φ"),
        positive("γ"),
        positive("ρ"),
        positive("K"),
        positive("T"),
        real("q", Sign::NonNegative),
        field("G"),
        field("H"),
        Item::Assume(ACCESSES[0].bounded()),
        Item::Assume(ACCESSES[1].bounded()),
        Item::Define("s".into(), vec![], spread(var("L₀"))),
        Item::Define("t".into(), vec![], of_change),
        data("D", Relation::ReplaceOne),
        data("E", Relation::ZeroOut),
        item("w", space()),
    ];
    let records = ["a", "b", "c"].map(|z| item(z, Sort::Record));
    let worst = ACCESSES.iter().map(|access| Item::Assume(access.worst()));
    let context = Context::default().with(items.into_iter().chain(records).chain(worst))?;
    let costs = costs();
    let each = ACCESSES.iter().zip(&costs);
    let goals = each.flat_map(|(access, cost)| access.exactly(cost));
    let goal = Goal::Both(goals.collect());
    Ok(Statement { context, goal })
}

pub fn prove_mechanisms(statement: &Statement) -> Result<Theorem, Stuck> {
    let context = &statement.context;
    let Goal::Both(goals) = &statement.goal else {
        return Err(Stuck::new("not several goals"));
    };
    let mut proved = Vec::new();
    for (access, goals) in ACCESSES.iter().zip(goals.chunks(2)) {
        let [upper, lower] = goals else {
            return Err(Stuck::new("not two goals"));
        };
        proved.extend(access.prove(context, [upper, lower])?);
    }
    both(context, &proved.iter().collect::<Vec<_>>())
}
