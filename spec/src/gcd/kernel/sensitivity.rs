//! `gcd-sens-1`, `gcd-sens-1-proof` and `gcd-sens-clip`: how far gradients move when a record is replaced.

use super::{gradient, partial, sensitivity, setting};
use crate::moved::written::Proof;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Fact, Part, clipped, combine, gradient_bound, triangle};
use dp_assay_kernel::search::{Share, record_moves};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Binder, Op, Term, at, bind, mul, num, op, var};

fn here(more: impl IntoIterator<Item = Item>) -> Result<Context, Stuck> {
    let place = [
        Item::Var("w".into(), Sort::Vector(var("p"), Sign::Any)),
        Item::Var("j".into(), Sort::Index(var("p"))),
    ];
    Context::default().with(setting().into_iter().chain(place).chain(more))
}

/// 2·L_j and the like.
fn twice(constants: &str) -> Term {
    mul([num(2), at(&var(constants), &var("j"))])
}

/// `gcd-sens-1`: |∂_jℓ(w; z) − ∂_jℓ(w; z′)| ≤ 2L_j for all records z, z′.
pub fn of_loss() -> Result<Statement, Stuck> {
    let records = ["z", "z′"].map(|z| Item::Var(z.into(), Sort::Record));
    let context = here(records)?;
    let apart = partial(&var("z"), &var("j")) - partial(&var("z′"), &var("j"));
    let goal = Goal::Le(apart.abs(), twice("L"));
    Ok(Statement { context, goal })
}

/// The proof of [`of_loss`], or of a statement with other constants.
pub fn prove_of_loss(statement: &Statement) -> Proof {
    let here = &statement.context;
    let slope = |z: &str| partial(&var(z), &var("j"));
    let apart = triangle(here, &slope("z"), &slope("z′"))?;
    let bound = |z| gradient_bound(here, "ℓ", &var("w"), z, Some("j"));
    let (first, second) = (bound("z")?, bound("z′")?);
    let all = [&apart, &first, &second].map(|t| Part::new(num(1), [Fact::from(t)]));
    combine(here, statement.goal.clone(), &all)
}

/// `gcd-sens-1-proof`: ∂_jf(w) moves by at most 2L_j/n between neighbours.
pub fn of_mean() -> Result<Statement, Stuck> {
    let goal = Goal::Moves {
        data: "D".into(),
        query: gradient(&var("j")),
        by: twice("L") / var("n"),
    };
    let context = here([])?;
    Ok(Statement { context, goal })
}

/// The proof of [`of_mean`], or of a statement with other constants.
pub fn prove_of_mean(statement: &Statement) -> Proof {
    sensitivity(&statement.context, "j", &by(statement)?)
}

fn by(statement: &Statement) -> Result<Term, Stuck> {
    match &statement.goal {
        Goal::Moves { by, .. } => Ok(by.clone()),
        _ => Err(Stuck::new("no sensitivity")),
    }
}

fn clip(z: &Term) -> Term {
    op(Op::Clip, [partial(z, &var("j")), at(&var("C"), &var("j"))])
}

/// `gcd-sens-clip`: (1/n)·Σ clip(∂_jℓ(w; d), C_j) moves by at most 2C_j/n between neighbours.
pub fn of_clipped() -> Result<Statement, Stuck> {
    let thresholds = Sort::Vector(var("p"), Sign::Positive);
    let context = here([Item::Var("C".into(), thresholds)])?;
    let goal = Goal::Moves {
        data: "D".into(),
        query: bind(Binder::Total, "d", var("D"), clip(&var("d"))) / var("n"),
        by: twice("C") / var("n"),
    };
    Ok(Statement { context, goal })
}

/// The proof of [`of_clipped`], or of a statement with other constants.
pub fn prove_of_clipped(statement: &Statement) -> Proof {
    let Goal::Moves { query, by, .. } = &statement.goal else {
        return Err(Stuck::new("no sensitivity"));
    };
    let j = var("j");
    let share = Share {
        of: &|z| clip(z) / var("n"),
        bound: &|here, z| clipped(here, &partial(&var(z), &j), &at(&var("C"), &j)),
        factor: num(1) / var("n"),
    };
    record_moves(&statement.context, "D", query, &share, by)
}
