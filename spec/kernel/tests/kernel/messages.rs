//! Messages with noise in common: falsifiers, and what is refused.

use crate::items::{real, variable};
use crate::refusals::refused;
use crate::world::{Eval, Random, Value, World};
use crate::{Falsifier, Instance};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Fact, Part, Theorem, assume, clipped, combine, correlated, exchange, instance, inverse,
    solution,
};
use dp_assay_kernel::search::{Share, record_moves};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Notion, Relation, Sign, Sort, Subject,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, sum, var, vector};

pub const FALSIFIERS: [Falsifier; 2] = [("correlated", in_common), ("solution", solved)];

fn clip(z: &Term) -> Term {
    at(&op(Op::Clip, [app("g", [z.clone()]), var("c")]), &var("j"))
}

fn query() -> Term {
    vector(
        "j",
        var("d"),
        bind(Binder::Total, "z", var("D"), clip(&var("z"))),
    )
}

/// Messages with own noise of variance s and in common of variance t.
fn messages(own: Term, shared: Term) -> Command {
    Command::Release {
        name: "y".into(),
        query: query(),
        law: noise(own, shared),
    }
}

fn noise(own: Term, shared: Term) -> Term {
    let [m, i, b, e] = ["m", "i", "b", "E"].map(var);
    op(Op::Pairwise, [m, i, own, b, e, shared])
}

fn system(own: Term, shared: Term, right: Term) -> Goal {
    let [k, l, e] = ["k", "l", "e"].map(var);
    let factor = |i: &Term| at(&at(&var("b"), &e), i);
    let inner = sum("l", var("m"), mul([factor(&l), at(&var("x"), &l)]));
    let common = sum("e", var("E"), mul([factor(&k), inner]));
    let left = mul([own, at(&var("x"), &k)]) + mul([shared, common]);
    Goal::Every(
        "k".into(),
        Sort::Index(var("m")),
        Goal::Eq(left, right).into(),
    )
}

fn unit() -> Term {
    op(Op::Unit, [var("k"), var("i")])
}

fn network() -> Result<Context, Stuck> {
    Context::default().with([
        variable("m", Sort::Count),
        variable("E", Sort::Count),
        variable("d", Sort::Count),
        variable("i", Sort::Index(var("m"))),
        variable("b", Sort::Sequence(var("m"))),
        variable("g", Sort::Feature(var("d"))),
        variable("D", Sort::Dataset(num(1), Relation::ReplaceOne)),
        real("c", Sign::Positive),
        real("s", Sign::Positive),
        real("t", Sign::NonNegative),
        real("free", Sign::Any),
    ])
}

/// With a solution x of a system.
fn with_solution(system: Goal) -> Result<Context, Stuck> {
    let x = variable("x", Sort::Vector(var("m"), Sign::Any));
    network()?.with([x, Item::Assume(system)])
}

fn moves(context: &Context) -> Result<Theorem, Stuck> {
    let share = Share {
        of: &|z| vector("j", var("d"), clip(z)),
        bound: &|here, z| clipped(here, &app("g", [var(z)]), &var("c")),
        factor: num(1),
    };
    record_moves(context, "D", &query(), &share, &mul([num(2), var("c")]))
}

fn private(own: Term, shared: Term, right: Term) -> Result<Theorem, Stuck> {
    let system = system(own.clone(), shared.clone(), right);
    let context = with_solution(system)?;
    let inner = context.extended(variable("k", Sort::Index(var("m"))))?;
    let entry = instance(&inner, &assume(&context, 12)?, &var("k"))?;
    let command = messages(own, shared);
    correlated(&context, &command, &moves(&context)?, &var("x"), &entry)
}

/// b, the covariance s·I + t·Σ b·bᵀ, and its lower triangular factor.
struct Noise {
    ends: Vec<Vec<f64>>,
    covariance: Vec<Vec<f64>>,
}

impl Noise {
    fn random(r: &mut Random, s: f64, t: f64) -> Self {
        let m = 2 + r.below(2);
        let ends: Vec<Vec<f64>> = (0..1 + r.below(3)).map(|_| r.reals(m, -1.0, 1.0)).collect();
        let entry = |k: usize, l: usize| {
            let common: f64 = ends.iter().map(|b| b[k] * b[l]).sum();
            t * common + if k == l { s } else { 0.0 }
        };
        let covariance = (0..m)
            .map(|k| (0..m).map(|l| entry(k, l)).collect())
            .collect();
        Self { ends, covariance }
    }

    /// L⁻¹v for LLᵀ = Σ (Cholesky), by forward substitution.
    fn whitened(&self, v: &[f64]) -> Vec<f64> {
        let m = v.len();
        let mut factor = vec![vec![0.0; m]; m];
        for k in 0..m {
            for l in 0..=k {
                let known: f64 = (0..l).map(|i| factor[k][i] * factor[l][i]).sum();
                let rest: f64 = self.covariance[k][l] - known;
                factor[k][l] = if k == l {
                    rest.sqrt()
                } else {
                    rest / factor[l][l]
                };
            }
        }
        let mut out: Vec<f64> = Vec::new();
        for k in 0..m {
            let known: f64 = (0..k).map(|i| factor[k][i] * out[i]).sum();
            out.push((v[k] - known) / factor[k][k]);
        }
        out
    }

    /// Σx = v by Gauss–Seidel.
    fn solve(&self, v: &[f64]) -> Vec<f64> {
        let m = v.len();
        let mut x = vec![0.0; m];
        for _ in 0..20_000 {
            for k in 0..m {
                let others: f64 = (0..m)
                    .filter(|l| *l != k)
                    .map(|l| self.covariance[k][l] * x[l])
                    .sum();
                x[k] = (v[k] - others) / self.covariance[k][k];
            }
        }
        x
    }

    fn residual(&self, x: &[f64], v: &[f64]) -> f64 {
        let row = |k: usize| {
            (0..v.len())
                .map(|l| self.covariance[k][l] * x[l])
                .sum::<f64>()
        };
        (0..v.len())
            .map(|k| (row(k) - v[k]).abs())
            .fold(0.0, f64::max)
    }
}

/// The divergence of order α of the messages, over α: half of the squared norm of the whitened shift. Twin: as if the noise
/// of a message were all its own.
fn in_common(r: &mut Random) -> Instance {
    let theorem = private(var("s"), var("t"), unit()).expect("messages");
    let Goal::Private {
        notion: Notion::Zcdp(rho),
        ..
    } = &theorem.statement().goal
    else {
        panic!("no zCDP bound");
    };
    let (s, t, c) = (r.real(0.3, 2.0), r.real(0.0, 2.0), r.real(0.1, 1.0));
    let noise = Noise::random(r, s, t);
    let m = noise.covariance.len();
    let i = r.below(m);
    let mut shift = vec![0.0; m];
    shift[i] = 1.0;
    let x = noise.solve(&shift);
    let w = World::from([
        ("c".to_owned(), Value::Number(c)),
        ("i".to_owned(), Value::Number(i as f64)),
        ("x".to_owned(), Value::Vector(x)),
    ]);
    let eval = Eval {
        context: &theorem.statement().context,
        fresh: true,
    };
    let exact = noise.whitened(&shift).iter().map(|u| u * u).sum::<f64>() * (2.0 * c).powi(2) / 2.0;
    Instance {
        rule: eval.number(rho, &w) - exact,
        twin: (2.0 * c).powi(2) / (2.0 * noise.covariance[i][i]) - exact,
    }
}

/// A solution is found; and the rule drops the system. Twin: without noise of one's own.
fn solved(r: &mut Random) -> Instance {
    let context = with_solution(system(var("s"), var("t"), unit())).expect("a system");
    let zero = combine(&context, Goal::Le(num(0), num(0)), &[]).expect("0 ≤ 0");
    let theorem = solution(&zero, &noise(var("s"), var("t"))).expect("a solution");
    assert_eq!(theorem.statement().context, network().expect("a network"));
    let residual = |r: &mut Random, s: f64| {
        let noise = Noise::random(r, s, 1.0);
        let v = r.reals(noise.covariance.len(), -1.0, 1.0);
        let x = noise.solve(&v);
        assert!(!noise.ends.is_empty());
        noise.residual(&x, &v)
    };
    let own = r.real(0.3, 2.0);
    Instance {
        rule: -residual(r, own),
        twin: -residual(r, 0.0),
    }
}

#[test]
fn messages_that_are_not_private_like_this_are_refused() -> Result<(), Stuck> {
    let sound = private(var("s"), var("t"), unit())?;
    let whole = mul([mul([num(2), var("c")]).pow(2), at(&var("x"), &var("i"))]);
    let wanted = Goal::Private {
        data: "D".into(),
        notion: Notion::Zcdp(whole / num(2)),
        subject: Subject::Command(messages(var("s"), var("t")).into()),
    };
    assert_eq!(sound.statement().goal, wanted);
    let other = op(Op::Unit, [var("i"), var("k")]);
    refused(private(var("s"), var("t"), other), "another system");
    refused(private(var("s"), var("t"), num(1)), "another system");
    refused(private(var("free"), var("t"), unit()), "not plainly");
    refused(private(var("s"), var("free"), unit()), "not plainly");
    let context = with_solution(system(var("s"), var("t"), unit()))?;
    let inner = context.extended(variable("k", Sort::Index(var("m"))))?;
    let entry = instance(&inner, &assume(&context, 12)?, &var("k"))?;
    let (command, moved) = (messages(var("s"), var("t")), moves(&context)?);
    let of_other = |command: &Command| correlated(&context, command, &moved, &var("x"), &entry);
    refused(of_other(&messages(var("t"), var("s"))), "another system");
    let at_i = instance(&context, &assume(&context, 12)?, &var("i"))?;
    let alone = correlated(&context, &command, &moved, &var("x"), &at_i);
    refused(alone, "not end with a variable");
    let twice = context.extended(variable("k", Sort::Index(var("E"))))?;
    let elsewhere = combine(&twice, Goal::Le(num(0), num(0)), &[])?;
    let elsewhere = correlated(&context, &command, &moved, &var("x"), &elsewhere);
    refused(elsewhere, "not for every message");
    // Noise that varies with a k that is fixed.
    let fixed = context.extended(variable("k", Sort::Index(var("m"))))?;
    let varying = messages(var("s") + var("k"), var("t"));
    refused(
        correlated(&fixed, &varying, &moved, &var("x"), &entry),
        "the system varies",
    );
    let release = Command::Release {
        name: "y".into(),
        query: query(),
        law: op(Op::Normal, [var("d"), var("s")]),
    };
    refused(of_other(&release), "no messages");
    let mut doubled = command.clone();
    if let Command::Release { query, .. } = &mut doubled {
        *query = vector(
            "j",
            var("d"),
            num(2) * bind(Binder::Total, "z", var("D"), clip(&var("z"))),
        );
    }
    refused(of_other(&doubled), "another query");
    refused(
        correlated(&context, &command, &entry, &var("x"), &entry),
        "another context",
    );
    Ok(())
}

#[test]
fn systems_without_a_solution_are_refused() -> Result<(), Stuck> {
    let (s, t) = (|| var("s"), || var("t"));
    let of = |own: Term, shared: Term, right: Term| -> Result<Theorem, Stuck> {
        let context = with_solution(system(own.clone(), shared.clone(), right))?;
        let zero = combine(&context, Goal::Le(num(0), num(0)), &[])?;
        solution(&zero, &noise(own, shared))
    };
    of(s(), t(), num(1))?;
    refused(of(t(), t(), unit()), "not plainly");
    refused(of(s(), var("free"), unit()), "not plainly");
    refused(
        of(s(), t(), at(&var("x"), &var("k")) + num(1)),
        "mentions its solution",
    );
    refused(
        of(s() + at(&var("x"), &var("i")).pow(2), t(), num(1)),
        "mentions its solution",
    );
    let context = with_solution(system(s(), t(), unit()))?;
    let zero = combine(&context, Goal::Le(num(0), num(0)), &[])?;
    refused(solution(&zero, &noise(s(), s())), "another system");
    let about = combine(
        &context,
        Goal::Le(at(&var("x"), &var("i")), at(&var("x"), &var("i"))),
        &[],
    )?;
    refused(solution(&about, &noise(s(), t())), "nothing is called x");
    let before = combine(&context.beginning(12), Goal::Le(num(0), num(0)), &[])?;
    refused(solution(&before, &noise(s(), t())), "end with a system");
    let of_edges = network()?.with([
        variable("x", Sort::Vector(var("E"), Sign::Any)),
        Item::Assume(Goal::Every(
            "k".into(),
            Sort::Index(var("m")),
            Goal::Eq(num(0), num(1)).into(),
        )),
    ])?;
    let zero = combine(&of_edges, Goal::Le(num(0), num(0)), &[])?;
    refused(
        solution(&zero, &noise(s(), t())),
        "not a vector of that dimension",
    );
    refused(inverse(&context, &var("free")), "not plainly");
    refused(singular()?, "not plainly");
    let body = num(1);
    refused(
        exchange(&context, ("k", &var("m")), ("k", &var("m")), &body),
        "one index",
    );
    Ok(())
}

/// Of a real q with q + 1 ≤ 1/2 it is known that log(1/(q + 1)) > 0; of an index that is called q it is not: own noise of
/// variance Σ_{q<1} log(1/(q + 1)), which is 0, was taken for positive, a singular system for one with a solution, and 1 ≤ 0
/// proved where nothing false is supposed.
fn singular() -> Result<Result<Theorem, Stuck>, Stuck> {
    let own = |q: &str| sum(q, num(1), (num(1) / (var(q) + num(1))).log());
    let context = network()?.with([
        real("q", Sign::Any),
        Item::Assume(Goal::Le(var("q") + num(1), num(1) / num(2))),
        Item::Assume(Goal::Eq(own("p"), num(0))),
        variable("x", Sort::Vector(var("m"), Sign::Any)),
        Item::Assume(system(own("p"), num(0), num(1))),
    ])?;
    let (zero, solved) = (assume(&context, 13)?, assume(&context, 15)?);
    let entry = instance(&context, &solved, &var("i"))?;
    let parts = [
        Part::new(at(&var("x"), &var("i")), [Fact::from(&zero)]),
        Part::new(num(-1), [Fact::from(&entry)]),
    ];
    let absurd = combine(&context, Goal::Le(num(1), num(0)), &parts)?;
    Ok(solution(&absurd, &noise(own("q"), num(0))))
}
