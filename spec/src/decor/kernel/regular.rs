//! Regular graphs with W_self = (A + I)/(k + 1), k the degree, here r: the numbers of §5.2 in closed form.

use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, instance, inverse, sum_over};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sort, Statement};
use dp_assay_kernel::term::var;

/// Hypotheses by number; the last is supposed of a goal, that two users are neighbours.
mod hypothesis {
    pub const BITS: usize = 0;
    pub const MUTUAL: usize = 1;
    pub const LOOPLESS: usize = 2;
    pub const DEGREE: usize = 3;
    pub const EDGE: usize = 5;
}

/// `decor-drv-6`: a graph is its numbers A_i\[k\], 1 for an edge and else 0; c(i, k) counts common neighbours, D(i, k) is
/// ‖W_i − W_k‖², M the number of ordered pairs with an edge. The second is H, as it is printed.
pub fn statement() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer r ≥ 1
           sequence A in ℝ^n
           assume for every index u<n: for every index v<n: A_u[v]² = A_u[v]
           assume for every index u<n: for every index v<n: A_u[v] = A_v[u]
           assume for every index u<n: for every index v<n: 𝟙[u=v]·A_u[v] = 0
           assume for every index u<n: Σ_{v<n} A_u[v] = r
           real M > 0
           assume M = Σ_{u<n} Σ_{v<n} A_u[v]
           define W(i<n, j<n) := (A_i[j] + 𝟙[i=j])/(1 + r)
           define c(i<n, k<n) := Σ_{j<n} A_i[j]·A_k[j]
           define D(i<n, k<n) := Σ_{j<n} (W(i, j) − W(k, j))²
         holds
           for every index i<n: for every index k<n: if A_i[k] = 1: D(i, k) = 2·(r − 1 − c(i, \
               k))·(1/(1 + r))²; (Σ_{i<n} Σ_{k<n} D(i, k)·A_i[k])/(2·M) = (Σ_{i<n} Σ_{k<n} \
               A_i[k]·(r − 1 − c(i, k))·(1/(1 + r))²)/M; Σ_{i<n} Σ_{j<n} (W(i, j) − 1/n)² = n/(1 + \
               r) − 1",
    )
}

fn with(context: &Context, names: &[&str]) -> Result<Context, Stuck> {
    context.with(names.iter().map(|x| item(x, Sort::Index(var("n")))))
}

/// A hypothesis about every user, or every pair, for these.
fn of(h: &Context, n: usize, users: &[&str]) -> Proof {
    let all = given(h, n);
    users
        .iter()
        .fold(all, |theorem, user| instance(h, &theorem?, &var(user)))
}

/// Σ_j A_i\[j\]² = r.
fn degree(h: &Context, i: &str) -> Proof {
    let squares = sum_over(&of(&with(h, &["j"])?, hypothesis::BITS, &[i, "j"])?)?;
    let goal = format!("Σ_{{j<n}} A_{i}[j]² = r");
    show(
        h,
        &goal,
        &[
            ("1", &[&squares]),
            ("1", &[&of(h, hypothesis::DEGREE, &[i])?]),
        ],
    )
}

/// What two users are apart, times `factor`, which is not 0 for an edge only: `edge` says of factor·(1 − A_i\[k\]) that it is 0.
fn apart(h: &Context, goal: &Goal, factor: &str, edge: &Theorem) -> Proof {
    let unit = format!("{factor}/(1 + r)/(1 + r)");
    let parts: &[(&str, &[&Theorem])] = &[
        (&unit, &[&degree(h, "i")?]),
        (&unit, &[&degree(h, "k")?]),
        (
            &format!("2·{unit}"),
            &[&of(h, hypothesis::LOOPLESS, &["i", "i"])?],
        ),
        (
            &format!("2·{unit}"),
            &[&of(h, hypothesis::LOOPLESS, &["k", "k"])?],
        ),
        (
            &format!("2·{unit}"),
            &[&of(h, hypothesis::MUTUAL, &["i", "k"])?],
        ),
        (
            &format!("(−2)·{unit}"),
            &[&of(h, hypothesis::LOOPLESS, &["i", "k"])?],
        ),
        ("(2·𝟙[i=k] − 4)/(1 + r)/(1 + r)", &[edge]),
    ];
    settle(h, goal, parts)
}

/// ‖W − J‖_F².
fn deviation(h: &Context, goal: &Goal) -> Proof {
    let i = &with(h, &["i"])?;
    let all = [
        degree(i, "i")?,
        of(i, hypothesis::LOOPLESS, &["i", "i"])?,
        of(i, hypothesis::DEGREE, &["i"])?,
    ];
    let all: Result<Vec<_>, _> = all.iter().map(sum_over).collect();
    let all = all?;
    let whole = inverse(h, &term(h, "1 + r")?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1/(1 + r)/(1 + r)", &[&all[0]]),
        ("2/(1 + r)/(1 + r)", &[&all[1]]),
        ("(−2)/n/(1 + r)", &[&all[2]]),
        ("n/(1 + r) − 2", &[&whole]),
    ];
    settle(h, goal, parts)
}

/// The proof of [`statement`].
pub fn prove(statement: &Statement) -> Proof {
    each(
        statement,
        &[
            &|h, goal| apart(h, goal, "1", &given(h, hypothesis::EDGE)?),
            &|h, goal| {
                let pair = &with(h, &["i", "k"])?;
                let one = "D(i, k)·A_i[k] = 2·A_i[k]·(r − 1 − c(i, k))·(1/(1 + r))²";
                let one = crate::moved::written::goal(pair, one)?;
                let edge = of(pair, hypothesis::BITS, &["i", "k"])?;
                let all = sum_over(&sum_over(&apart(pair, &one, "A_i[k]", &edge)?)?)?;
                settle(h, goal, &[("1/(2·M)", &[&all])])
            },
            &deviation,
        ],
    )
}
