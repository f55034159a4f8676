//! Sums over steps and rounds, by telescoping: the last lines of the proofs of Lemma E.1 and Theorem 4.2. A sequence of numbers is
//! one of vectors with one entry, o.

use super::privacy::item;
use crate::moved::written::Proof;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{combine, instance, sum_over, telescope};
use dp_assay_kernel::search::{assumed, together, with};
use dp_assay_kernel::statement::{Goal, Sort, Statement};
use dp_assay_kernel::term::{Op, Term, at, mul, num, op, var};

fn half(t: Term) -> Term {
    t / num(2)
}

/// A number of a sequence: its elements have one entry.
fn term(sequence: &str, t: &Term) -> Term {
    at(&at(&var(sequence), t), &var("o"))
}

fn power(t: &Term) -> Term {
    op(Op::Pow, [num(2), t.clone()])
}

/// F_{t+1} ≤ F_t/2 + N for t < T.
fn halves() -> Goal {
    let t = var("t");
    let next = term("F", &(t.clone() + num(1)));
    let goal = Goal::Le(next, half(term("F", &t)) + var("N′"));
    Goal::Every("t".into(), Sort::Index(var("T")), goal.into())
}

/// `skgd-thm-4.2-sc-proof-index-repaired`: F_T ≤ 2^{−T}F_0 + Σ_{t<T} 2^{−t}N ≤ 2^{−T}F_0 + 2N.
pub fn index() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer T ≥ 1
           real N′ ≥ 0
           sequence F in ℝ^1
           index o<1
           assume for every index t<T: F[t + 1][o] ≤ F_t[o]/2 + N′
         holds
           F_T[o] ≤ F[0][o]/2^T + Σ_{t<T} N′/2^t; F[0][o]/2^T + Σ_{t<T} N′/2^t ≤ F[0][o]/2^T + \
               2·N′",
    )
}

/// The proof of [`index`], or of a statement with other constants: 2^t·F_t telescopes, as do 2·2^t and −2/2^t.
pub fn prove_index(statement: &Statement) -> Proof {
    let (context, t, bound) = (&statement.context, var("t"), var("T"));
    let each = context.extended(item("t", Sort::Index(bound.clone())))?;
    let given = instance(&each, &assumed(context, &halves())?, &t)?;
    let next = t.clone() + num(1);
    let weighted = |t: &Term| mul([power(t), term("F", t)]);
    let added = mul([power(&next), var("N′")]);
    let step = Goal::Le(weighted(&next) - weighted(&t), added);
    let step = combine(&each, step, &[with(power(&next), &given)])?;
    let steps = sum_over(&step)?;
    let all = telescope(context, "t", &bound, &weighted(&t))?;
    let up = telescope(context, "t", &bound, &mul([num(2), power(&t)]))?;
    let down = telescope(context, "t", &bound, &(num(-2) / power(&t)))?;
    let last = num(1) / power(&bound);
    let n = var("N′");
    let first = vec![
        with(last.clone(), &steps),
        with(num(-1) * last.clone(), &all),
        with(mul([last, n.clone()]), &up),
        with(num(-1) * n.clone(), &down),
    ];
    together(statement, vec![first, vec![with(n, &down)]])
}

/// Lemma E.5 at α = ½: F_{k+1} − F_k/2 ≤ (V_k − V_{k+1})/2 + N for k < K.
fn closer() -> Goal {
    let (k, next) = (var("k"), var("k") + num(1));
    let left = term("F", &next) - half(term("F", &k));
    let right = half(term("V", &k) - term("V", &next)) + var("N′");
    Goal::Every(
        "k".into(),
        Sort::Index(var("K")),
        Goal::Le(left, right).into(),
    )
}

fn not_negative(sequence: &str, t: &Term) -> Goal {
    Goal::Le(num(0), term(sequence, t))
}

/// `skgd-lem-E.1-proof-sums`: Σ_{k<K}(F_{k+1} − F_k/2) ≤ V_0/2 + KN; and it is F_K − F_0 + ½Σ_{k<K}F_k, which is ½Σ_{k=1}^K F_k −
/// ½F_0 + ½F_K ≥ ½Σ_{k=1}^K F_k − F_0.
pub fn sums() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer K ≥ 1
           real N′
           sequence F in ℝ^1
           sequence V in ℝ^1
           index o<1
           assume for every index k<K: F[k + 1][o] − F_k[o]/2 ≤ (V_k[o] − V[k + 1][o])/2 + N′
           assume 0 ≤ F[0][o]
           assume 0 ≤ F_K[o]
           assume 0 ≤ V_K[o]
         holds
           Σ_{k<K} (F[k + 1][o] − F_k[o]/2) ≤ V[0][o]/2 + K·N′; Σ_{k<K} (F[k + 1][o] − F_k[o]/2) = \
               F_K[o] − F[0][o] + (Σ_{k<K} F_k[o])/2; F_K[o] − F[0][o] + (Σ_{k<K} F_k[o])/2 = \
               (Σ_{k<K} F[k + 1][o])/2 − F[0][o]/2 + F_K[o]/2; (Σ_{k<K} F[k + 1][o])/2 − F[0][o] ≤ \
               (Σ_{k<K} F[k + 1][o])/2 − F[0][o]/2 + F_K[o]/2",
    )
}

/// The proof of [`sums`], or of a statement with other constants: F and V telescope.
pub fn prove_sums(statement: &Statement) -> Proof {
    let (context, k, bound) = (&statement.context, var("k"), var("K"));
    let each = context.extended(item("k", Sort::Index(bound.clone())))?;
    let given = sum_over(&instance(&each, &assumed(context, &closer())?, &k)?)?;
    let of = |x: &str| telescope(context, "k", &bound, &term(x, &k));
    let (risk, distance) = (of("F")?, of("V")?);
    let fact = |x: &str, t: &Term| assumed(context, &not_negative(x, t));
    let (first, last) = (fact("F", &num(0))?, fact("F", &bound)?);
    let end = fact("V", &bound)?;
    let halved = || num(1) / num(2);
    let goals = vec![
        vec![
            with(num(1), &given),
            with(num(-1) / num(2), &distance),
            with(halved(), &end),
        ],
        vec![with(num(1), &risk)],
        vec![with(num(-1) / num(2), &risk)],
        vec![with(halved(), &first), with(halved(), &last)],
    ];
    together(statement, goals)
}
