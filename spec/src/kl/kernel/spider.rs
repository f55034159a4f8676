//! Algorithm 1: rounds of gradient differences along steps of a length that the data do not decide.
//!
//! The gradient of a record is a field G that is bounded by L₀ and L₁-Lipschitz: ∇f itself, or, where f is regular on the
//! ball about w₀ only, ∇f at the nearest point of that ball, which the iterates do not leave (`kl-lem-1-repaired`).

use super::{item, positive, space};
use crate::moved::written::{Proof, all_goals};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Fact, Part, at_most_one, both, combine, compose, forget, gaussian, instance, larger, largest,
    root_increases, sum_over,
};
use dp_assay_kernel::search::{Share, assumed, record_moves, within_budget, zcdp_cost};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Notion, Process, Relation, Sign, Sort, State, Statement, Subject,
    View,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, var, vector};

fn entries(body: Term) -> Term {
    vector("j", var("d"), body)
}

fn field(x: Term, z: &Term) -> Term {
    app("G", [x, z.clone()])
}

fn apart(x: &Term, y: &Term) -> Term {
    entries(at(x, &var("j")) - at(y, &var("j"))).norm()
}

/// ‖G(x; r)‖ ≤ L₀ for all x and records r.
fn bounded() -> Goal {
    let bound = Goal::Le(field(var("x"), &var("r")).norm(), var("L₀"));
    let all = Goal::Every("r".into(), Sort::Record, bound.into());
    Goal::Every("x".into(), space(), all.into())
}

/// ‖G(x; r) − G(y; r)‖ ≤ L₁·‖x − y‖ for all x, y and records r.
fn lipschitz() -> Goal {
    let [x, y] = ["x", "y"].map(var);
    let change = apart(&field(x.clone(), &var("r")), &field(y.clone(), &var("r")));
    let bound = Goal::Le(change, mul([var("L₁"), apart(&x, &y)]));
    let all = Goal::Every("r".into(), Sort::Record, bound.into());
    let all = Goal::Every("y".into(), space(), all.into());
    Goal::Every("x".into(), space(), all.into())
}

fn gradients() -> Vec<Item> {
    vec![
        item("n", Sort::Count),
        item("d", Sort::Count),
        positive("L₀"),
        positive("L₁"),
        item("G", Sort::Field(var("d"), var("d"))),
        Item::Assume(bounded()),
        Item::Assume(lipschitz()),
        positive("γ"),
    ]
}

fn data(name: &str, relation: Relation) -> Item {
    item(name, Sort::Dataset(var("n"), relation))
}

/// The root φ = Φ̂_k^{1/κ} of a round, and the data.
struct Round {
    root: Term,
    data: &'static str,
}

impl Round {
    /// 7φ/(8γ), what the norm of the gradient is tested against.
    fn threshold(&self) -> Term {
        mul([num(7), self.root.clone()]) / mul([num(8), var("γ")])
    }

    fn passes(&self) -> Term {
        op(Op::AtMost, [self.threshold(), var("g").norm()])
    }

    /// ‖g‖ where the test is passed.
    fn level(&self) -> Term {
        var("g").norm().max_with(&self.threshold())
    }

    /// φ/(4γL₁), the length of a step.
    fn length(&self) -> Term {
        self.root.clone() / mul([num(4), var("γ"), var("L₁")])
    }

    /// Where the step from w along g leads: w itself if the test is not passed.
    fn next(&self) -> Term {
        let step = mul([self.passes(), self.length(), at(&var("g"), &var("i"))]);
        vector(
            "i",
            var("d"),
            at(&var("w"), &var("i")) - step / self.level(),
        )
    }

    /// Where the last step was made from: w if the test is passed, else what u is already.
    fn last(&self) -> Term {
        let [u, w] = ["u", "w"].map(|x| at(&var(x), &var("i")));
        let failed = num(1) - self.passes();
        let kept = mul([self.passes(), w]) + mul([failed, u]);
        vector("i", var("d"), kept)
    }

    fn mean(&self, of: impl Fn(&Term) -> Term) -> Term {
        let total = bind(
            Binder::Total,
            "z",
            var(self.data),
            at(&of(&var("z")), &var("j")),
        );
        entries(total / var("n"))
    }

    fn gradient(&self) -> Term {
        self.mean(|z| field(var("w"), z))
    }

    fn change(&self, z: &Term) -> Term {
        let [new, old] = [self.next(), var("w")].map(|x| at(&field(x, z), &var("j")));
        entries(new - old)
    }

    fn difference(&self) -> Term {
        self.mean(|z| self.change(z))
    }

    /// The gradient moves by at most `by`.
    fn gradient_moves(&self, here: &Context, by: &Term) -> Proof {
        let share = Share {
            of: &|z| entries(at(&field(var("w"), z), &var("j")) / var("n")),
            bound: &|here, z| {
                let all = assumed(here, &bounded())?;
                instance(here, &instance(here, &all, &var("w"))?, &var(z))
            },
            factor: num(1) / var("n"),
        };
        record_moves(here, self.data, &self.gradient(), &share, by)
    }

    /// ‖change‖/n ≤ φ/(4γn) of one record: along the step its gradient changes by at most L₁·φ/(4γL₁)·‖g‖/level.
    fn record_changes(&self, here: &Context, z: &str) -> Proof {
        let all = assumed(here, &lipschitz())?;
        let all = instance(here, &instance(here, &all, &self.next())?, &var("w"))?;
        let change = instance(here, &all, &var(z))?;
        let at_most = at_most_one(here, &self.passes())?;
        let level = larger(here, &var("g").norm(), &self.threshold(), false)?;
        let bound = mul([var("L₁"), self.length()]);
        let goal = Goal::Le(self.change(&var(z)).norm(), bound.clone());
        let scale = mul([self.passes(), bound.clone()]) / self.level();
        let parts = [
            Part::new(num(1), [Fact::from(&change)]),
            Part::new(bound.clone(), [Fact::from(&at_most)]),
            Part::new(scale, [Fact::from(&level)]),
        ];
        let change = combine(here, goal, &parts)?;
        // Under the root the n does not come out of a sum: squares are compared.
        let scaled = entries(at(&self.change(&var(z)), &var("j")) / var("n")).norm();
        let most = bound.clone() / var("n");
        let sum = (bound + self.change(&var(z)).norm()) / var("n").pow(2);
        let squares = Goal::Le(scaled.pow(2), most.pow(2));
        root_increases(&combine(
            here,
            squares,
            &[Part::new(sum, [Fact::from(&change)])],
        )?)
    }

    /// The gradient difference moves by at most `by`.
    fn difference_moves(&self, here: &Context, by: &Term) -> Proof {
        let share = Share {
            of: &|z| entries(at(&self.change(z), &var("j")) / var("n")),
            bound: &|here, z| self.record_changes(here, z),
            factor: num(1),
        };
        record_moves(here, self.data, &self.difference(), &share, by)
    }
}

/// `kl-lem-8-diff-repaired`: a gradient difference moves by at most φ/(2γn) if a record is replaced and by half of that if
/// one is left out; and the m rounds with t = 0, …, m − 1 ≤ T are at most 2T.
pub fn difference() -> Result<Statement, Stuck> {
    let more = [
        positive("φ"),
        item("w", space()),
        item("g", space()),
        data("D", Relation::ReplaceOne),
        data("E", Relation::ZeroOut),
        item("m", Sort::Count),
        positive("T"),
        Item::Assume(Goal::Le(num(1), var("T"))),
        Item::Assume(Goal::Le(var("m") - num(1), var("T"))),
    ];
    let context = Context::default().with(gradients().into_iter().chain(more))?;
    let moves = |data: &'static str, times: i64| Goal::Moves {
        data: data.into(),
        query: Round {
            root: var("φ"),
            data,
        }
        .difference(),
        by: var("φ") / mul([num(times), var("γ"), var("n")]),
    };
    let count = Goal::Le(var("m"), mul([num(2), var("T")]));
    let goal = Goal::Both(vec![moves("D", 2), moves("E", 4), count]);
    Ok(Statement { context, goal })
}

/// The proof of [`difference`], or of a statement with other constants.
pub fn prove_difference(statement: &Statement) -> Proof {
    let (here, goals) = (&statement.context, all_goals(statement));
    let [Goal::Moves { by, .. }, Goal::Moves { by: out, .. }, count] = goals else {
        return Err(Stuck::new("not two sensitivities and a count"));
    };
    let moves = |data: &'static str, by: &Term| {
        let root = var("φ");
        Round { root, data }.difference_moves(here, by)
    };
    let whole = assumed(here, &Goal::Le(num(1), var("T")))?;
    let last = assumed(here, &Goal::Le(var("m") - num(1), var("T")))?;
    let parts = [&whole, &last].map(|t| Part::new(num(1), [Fact::from(t)]));
    let count = combine(here, count.clone(), &parts)?;
    both(here, &[&moves("D", by)?, &moves("E", out)?, &count])
}

/// One reading or repair of Algorithm 1.
///
/// `while t ≤ T_k` is a stop that allows T_k + 1 of J rounds. A gradient that fails the test of its norm is put to 0, so that
/// what the loop would not have run is idle: it moves nothing and releases noise alone. The next round begins at a function
/// c of the last two points, as w_{k,t−1} in print and w_{k,t} in the repair are.
#[derive(Clone, Copy)]
struct Spider {
    relation: Relation,
    /// By what the printed variances are multiplied: 1, or 9/4.
    scaled: bool,
    view: View,
}

/// Round k.
fn round() -> Round {
    Round {
        root: at(&var("φ"), &var("k")),
        data: "D",
    }
}

/// T_k.
fn steps() -> Term {
    at(&var("T"), &var("k"))
}

fn long_enough() -> Goal {
    let one = Goal::Le(num(1), at(&var("T"), &var("i")));
    Goal::Every("i".into(), Sort::Index(var("R")), one.into())
}

impl Spider {
    fn release(self, name: &str, query: Term, variance: Term) -> Command {
        let variance = match self.scaled {
            true => mul([num(9) / num(4), variance]),
            false => variance,
        };
        Command::Release {
            name: name.into(),
            query,
            law: op(Op::Normal, [var("d"), variance]),
        }
    }

    /// The gradient with noise of variance σ̂².
    fn first(self) -> Command {
        let unit = mul([var("n").pow(2), var("ρ")]);
        let variance = mul([var("L₀").pow(2), var("K")]) / unit;
        self.release("a", round().gradient(), variance)
    }

    /// A difference with noise of variance σ_k².
    fn second(self) -> Command {
        let unit = mul([var("γ").pow(2), var("n").pow(2), var("ρ")]);
        let variance = mul([round().root.pow(2), steps(), var("K")]) / unit;
        self.release("b", round().difference(), variance)
    }

    fn process(self) -> Process {
        let set = |name: &str, value: Term| Command::Set(name.into(), value);
        let state = |name: &str, start: Term| State {
            name: name.into(),
            dimension: var("d"),
            start,
        };
        let [g, b] = ["g", "b"].map(|x| at(&var(x), &var("j")));
        let inner = vec![
            Command::Stop {
                charge: num(1),
                limit: steps() + num(1),
            },
            self.second(),
            set("u", round().last()),
            set("w", round().next()),
            set("g", entries(mul([round().passes(), g + b]))),
        ];
        let outer = vec![
            self.first(),
            set("g", var("a")),
            set("u", var("w")),
            Command::Repeat {
                index: "t".into(),
                times: var("J"),
                body: inner,
            },
            set("w", app("c", [var("u"), var("w")])),
        ];
        Process {
            states: vec![
                state("w", var("w₀")),
                state("u", var("w₀")),
                state("g", entries(num(0))),
            ],
            body: vec![Command::Repeat {
                index: "k".into(),
                times: var("R"),
                body: outer,
            }],
        }
    }

    fn statement(self, cost: Term) -> Result<Statement, Stuck> {
        let table = || Sort::Vector(var("R"), Sign::Positive);
        let more = [
            data("D", self.relation),
            positive("ρ"),
            positive("K"),
            item("R", Sort::Count),
            Item::Assume(Goal::Le(var("R"), var("K"))),
            item("J", Sort::Count),
            item("φ", table()),
            item("T", table()),
            Item::Assume(long_enough()),
            item("c", Sort::Map(vec![var("d"), var("d")], var("d"))),
            item("w₀", space()),
            Item::Process("Alg1".into(), self.process()),
        ];
        let context = Context::default().with(gradients().into_iter().chain(more))?;
        let goal = Goal::Private {
            data: "D".into(),
            notion: Notion::Zcdp(cost),
            subject: Subject::Process("Alg1".into(), self.view),
        };
        Ok(Statement { context, goal })
    }

    /// How far a record moves a query, in units of its size, and the budget of a round: ρ/K, a quarter if a record is left
    /// out, 4/9 with the larger noise.
    fn sizes(self) -> (i64, Term) {
        let budget = |factor: Term| mul([factor, var("ρ")]) / var("K");
        let (moved, share) = match self.relation {
            Relation::ReplaceOne => (2, num(1)),
            Relation::ZeroOut => (1, num(1) / num(4)),
        };
        match self.scaled {
            true => (moved, budget(mul([share, num(4) / num(9)]))),
            false => (moved, budget(share)),
        }
    }

    fn prove(self, statement: &Statement) -> Proof {
        let context = &statement.context;
        let (moved, unit) = self.sizes();
        let of_k = context.extended(item("k", Sort::Index(var("R"))))?;
        let states = [item("w", space()), item("g", space())];
        let here = context.with(states)?;
        let here = here.extended(item("k", Sort::Index(var("R"))))?;
        let by = mul([num(moved), var("L₀")]) / var("n");
        let first = gaussian(&here, &self.first(), &round().gradient_moves(&here, &by)?)?;
        let by = mul([num(moved), round().root]) / mul([num(4), var("γ"), var("n")]);
        let moves = round().difference_moves(&here, &by)?;
        let second = gaussian(&here, &self.second(), &moves)?;
        // A difference costs unit/(8T_k), T_k + 1 of them at most unit/4.
        let each = unit.clone() / mul([num(8), steps()]);
        let paid = mul([each.clone(), num(1)]);
        let paid = Goal::Le(zcdp_cost(&second.statement().goal)?.clone(), paid);
        let paid = combine(&here, paid, &[])?;
        let nothing = combine(&here, Goal::Le(num(0), num(0)), &[])?;
        let all = compose(context, "Alg1", "D", &[&first, &second, &paid, &nothing])?;
        let Term::Bind(Binder::Sum, _, _, cost) = zcdp_cost(&all.statement().goal)? else {
            return Err(Stuck::new("no sum over the rounds"));
        };
        let spent = mul([each.clone(), steps() + num(1)]);
        let zero = combine(&of_k, Goal::Le(num(0), spent.clone()), &[])?;
        let same = combine(&of_k, Goal::Le(spent.clone(), spent), &[])?;
        let spent = largest(&zero, &same)?;
        let long = instance(&of_k, &assumed(context, &long_enough())?, &var("k"))?;
        let of_round = mul([num(9) / num(4), unit]);
        let parts = vec![
            Part::new(num(1), [Fact::from(&spent)]),
            Part::new(each, [Fact::from(&long)]),
        ];
        let goal = Goal::Le((**cost).clone(), of_round.clone());
        let rounds = sum_over(&combine(&of_k, goal, &parts)?)?;
        let few = assumed(context, &Goal::Le(var("R"), var("K")))?;
        let parts = vec![
            Part::new(num(1), [Fact::from(&rounds)]),
            Part::new(of_round, [Fact::from(&few)]),
        ];
        let private = within_budget(statement, &all, parts)?;
        match self.view {
            View::Transcript => Ok(private),
            view => forget(&private, view),
        }
    }
}

fn times_rho(above: i64, below: i64) -> Term {
    mul([num(above), var("ρ")]) / num(below)
}

const ZERO_OUT: Spider = Spider {
    relation: Relation::ZeroOut,
    scaled: false,
    view: View::Transcript,
};

const REPLACED: Spider = Spider {
    relation: Relation::ReplaceOne,
    ..ZERO_OUT
};

const OUTPUT: Spider = Spider {
    view: View::End,
    ..ZERO_OUT
};

const REPAIRED: Spider = Spider {
    scaled: true,
    ..REPLACED
};

/// `kl-lem-8-reading-zero-out`: the transcript of Algorithm 1, in R ≤ K rounds, is (9ρ/16)-zCDP if a record is left out.
pub fn zero_out() -> Result<Statement, Stuck> {
    ZERO_OUT.statement(times_rho(9, 16))
}

/// The proof of [`zero_out`], or of a statement with another cost.
pub fn prove_zero_out(statement: &Statement) -> Proof {
    ZERO_OUT.prove(statement)
}

/// `kl-lem-8-repaired`: it is (9ρ/4)-zCDP if a record is replaced.
pub fn replaced() -> Result<Statement, Stuck> {
    REPLACED.statement(times_rho(9, 4))
}

/// The proof of [`replaced`], or of a statement with another cost.
pub fn prove_replaced(statement: &Statement) -> Proof {
    REPLACED.prove(statement)
}

/// `kl-thm-1-priv-reading-zero-out`: the output of Algorithm 1 is ρ-zCDP if a record is left out.
pub fn output() -> Result<Statement, Stuck> {
    OUTPUT.statement(var("ρ"))
}

/// The proof of [`output`], or of a statement with another cost.
pub fn prove_output(statement: &Statement) -> Proof {
    OUTPUT.prove(statement)
}

/// `kl-thm-1-priv-repaired`: with both deviations multiplied by 3/2 the transcript is ρ-zCDP if a record is replaced.
pub fn repaired() -> Result<Statement, Stuck> {
    REPAIRED.statement(var("ρ"))
}

/// The proof of [`repaired`], or of a statement with another cost.
pub fn prove_repaired(statement: &Statement) -> Proof {
    REPAIRED.prove(statement)
}
