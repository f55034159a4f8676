//! Sums over users and edges, by exchange.
//!
//! A graph is its numbers A_i\[j\], 1 for an edge and else 0, which is A² = A; of vectors one coordinate is shown, as v_i\[j\].

use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, exchange, instance, inverse, larger, largest, sum_over};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sort, Statement};
use dp_assay_kernel::term::var;

fn with_index(context: &Context, name: &str) -> Result<Context, Stuck> {
    context.extended(item(name, Sort::Index(var("n"))))
}

/// A hypothesis about every pair of users, for these two.
fn of_pair(h: &Context, outer: &Context, n: usize, [i, j]: [&str; 2]) -> Proof {
    let first = instance(h, &given(outer, n)?, &var(i))?;
    instance(h, &first, &var(j))
}

/// `decor-def-2-weights-repaired`: V the weights on the edges, u the diagonal. V_ij ≤ V_ji for all i, j is symmetry.
pub fn weights() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           sequence A in ℝ^n
           assume for every index k<n: for every index l<n: A_k[l]² = A_k[l]
           assume for every index k<n: for every index l<n: A_k[l] = A_l[k]
           assume for every index k<n: A_k[k] = 0
           define δ(i<n) := Σ_{j<n} A_i[j]²
           define V(i<n, j<n) := A_i[j]²/(1 + max(δ(i), δ(j)))
           define u(i<n) := 1 − (Σ_{j<n} V(i, j))
         holds
           for every index i<n: for every index j<n: V(i, j) ≤ V(j, i); for every index i<n: for \
               every index j<n: 0 ≤ V(i, j); for every index i<n: for every index j<n: V(i, j) ≤ \
               1; for every index i<n: 0 ≤ u(i); for every index i<n: u(i) ≤ 1; for every index \
               i<n: u(i) + (Σ_{j<n} V(i, j)) = 1",
    )
}

/// The proof of [`weights`].
pub fn prove_weights(statement: &Statement) -> Proof {
    let context = &statement.context;
    let plain = |h: &Context, goal: &Goal| settle(h, goal, &[]);
    let whole = |h: &Context, t: &str| inverse(h, &term(h, t)?);
    each(
        statement,
        &[
            &|h, goal| {
                let same = of_pair(h, context, 1, ["i", "j"])?;
                let (a, b) = (term(h, "δ(i)")?, term(h, "δ(j)")?);
                let order = largest(&larger(h, &a, &b, true)?, &larger(h, &a, &b, false)?)?;
                let (first, second) = ("1 + max(δ(i), δ(j))", "1 + max(δ(j), δ(i))");
                let (r, s) = (whole(h, first)?, whole(h, second)?);
                let edge = "A_i[j]²";
                let parts: &[(&str, &[&Theorem])] = &[
                    (&format!("(A_j[i] + A_i[j])/({second})"), &[&same]),
                    (&format!("{edge}/({first})/({second})"), &[&order]),
                    (&format!("{edge}/({second})"), &[&r]),
                    (&format!("(−1)·{edge}/({first})"), &[&s]),
                ];
                settle(h, goal, parts)
            },
            &plain,
            &|h, goal| {
                let zero_or_one = of_pair(h, context, 0, ["i", "j"])?;
                let divisor = "1 + max(δ(i), δ(j))";
                let parts: &[(&str, &[&Theorem])] = &[
                    ("(1 − A_i[j])²", &[]),
                    ("2", &[&zero_or_one]),
                    (&format!("A_i[j]²·max(δ(i), δ(j))/({divisor})"), &[]),
                    ("A_i[j]²", &[&whole(h, divisor)?]),
                ];
                settle(h, goal, parts)
            },
            &|h, goal| {
                let k = &with_index(h, "k")?;
                let (divisor, degree) = ("1 + max(δ(i), δ(k))", "1 + δ(i)");
                let order = larger(k, &term(k, "δ(i)")?, &term(k, "δ(k)")?, false)?;
                let edge = "A_i[k]²";
                let parts: &[(&str, &[&Theorem])] = &[
                    (&format!("{edge}/({divisor})/({degree})"), &[&order]),
                    (&format!("{edge}/({degree})"), &[&whole(k, divisor)?]),
                    (&format!("(−1)·{edge}/({divisor})"), &[&whole(k, degree)?]),
                ];
                let one = show(k, &format!("V(i, k) ≤ {edge}/({degree})"), parts)?;
                let all = sum_over(&one)?;
                settle(h, goal, &[("1", &[&all]), ("1", &[&whole(h, degree)?])])
            },
            &plain,
            &plain,
        ],
    )
}

const EDGES: &str = "for all
    integer n ≥ 1
    sequence A in ℝ^n
    sequence v in ℝ^n
    assume for every index j<n: for every index l<n: A_j[l] = A_l[j]
    assume for every index j<n: for every index l<n: v_l[j] = (−1)·v_j[l]
    sequence W in ℝ^n
    ";

/// Σ_i Σ_k `weight`·(A_i\[k\]·v_i\[k\] + A_k\[i\]·v_k\[i\]) = 0: term by term.
fn antisymmetric(h: &Context, outer: &Context, weight: &str) -> Proof {
    let inner = &with_index(&with_index(h, "i")?, "k")?;
    let same = of_pair(inner, outer, 0, ["i", "k"])?;
    let minus = of_pair(inner, outer, 1, ["i", "k"])?;
    let sum = format!("{weight}·A_i[k]·v_i[k] + {weight}·A_k[i]·v_k[i] = 0");
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("(−1)·{weight}·v_k[i]"), &[&same]),
        (&format!("{weight}·A_i[k]"), &[&minus]),
    ];
    sum_over(&sum_over(&show(inner, &sum, parts)?)?)
}

/// `decor-fact-cancel`: y is what a user holds after its noisy step, u after gossip; z is the noise of the own record.
pub fn cancel() -> Result<Statement, Stuck> {
    let text = "real η
    vector x ∈ ℝ^n
    vector g ∈ ℝ^n
    vector z ∈ ℝ^n
    assume for every index k<n: Σ_{i<n} W_i[k] = 1
    define y(i<n) := x_i − η·(g_i + z_i + (Σ_{k<n} A_i[k]·v_i[k]))
    define u(i<n) := Σ_{k<n} W_i[k]·y(k)
holds
    Σ_{i<n} Σ_{k<n} A_i[k]·v_i[k] = 0; (Σ_{i<n} u(i))/n = (Σ_{i<n} x_i)/n − (η/n)·(Σ_{i<n} g_i) − \
        (η/n)·(Σ_{i<n} z_i); if for every index j<n: for every index t<n: W_j[t] = 1/n: for every \
        index c<n: u(c) = (Σ_{i<n} (x_i − η·(g_i + z_i)))/n";
    render::parse(&format!("{EDGES}{text}"))
}

/// Σ_i Σ_k A_i\[k\]·v_i\[k\] = 0.
fn nothing(h: &Context, outer: &Context) -> Proof {
    let twice = antisymmetric(h, outer, "1")?;
    let inner = &with_index(&with_index(h, "i")?, "k")?;
    let body = term(inner, "A_k[i]·v_k[i]")?;
    let n = var("n");
    let swap = exchange(h, ("i", &n), ("k", &n), &body)?;
    let goal = "Σ_{i<n} Σ_{k<n} A_i[k]·v_i[k] = 0";
    show(h, goal, &[("1/2", &[&twice]), ("(−1)/2", &[&swap])])
}

/// The proof of [`cancel`].
pub fn prove_cancel(statement: &Statement) -> Proof {
    let context = &statement.context;
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[("1", &[&nothing(h, context)?])]),
            &|h, goal| {
                let inner = &with_index(&with_index(h, "i")?, "k")?;
                let swap = exchange(
                    h,
                    ("i", &var("n")),
                    ("k", &var("n")),
                    &term(inner, "W_i[k]·y(k)")?,
                )?;
                let k = &with_index(h, "k")?;
                let columns = instance(k, &given(context, 2)?, &var("k"))?;
                let one = "(Σ_{i<n} W_i[k])·y(k) = y(k)";
                let columns = sum_over(&show(k, one, &[("y(k)", &[&columns])])?)?;
                let none = nothing(h, context)?;
                let parts: &[(&str, &[&Theorem])] = &[
                    ("1/n", &[&swap]),
                    ("1/n", &[&columns]),
                    ("(−1)·η/n", &[&none]),
                ];
                settle(h, goal, parts)
            },
            &|h, goal| {
                let k = &with_index(h, "k")?;
                let outer = &h.beginning(h.items().len() - 1);
                let equal = instance(k, &given(outer, 3)?, &var("c"))?;
                let equal = instance(k, &equal, &var("k"))?;
                let all = sum_over(&show(k, "W_c[k]·y(k) = y(k)/n", &[("y(k)", &[&equal])])?)?;
                let none = nothing(h, context)?;
                settle(h, goal, &[("1", &[&all]), ("(−1)·η/n", &[&none])])
            },
        ],
    )
}

/// `decor-eq-35`: N_i is Σ_k A_i\[k\]·v_i\[k\].
pub fn equation_35() -> Result<Statement, Stuck> {
    let text = "index c<n
    define S(i<n) := Σ_{k<n} A_i[k]·v_i[k]
holds
    Σ_{i<n} S(i)·W_i[c] = (1/2)·(Σ_{i<n} Σ_{k<n} (W_i[c] − W_k[c])·A_i[k]·v_i[k]); Σ_{i<n} \
        S(i)·W_i[c] = Σ_{i<n} Σ_{k<n} W_i[c]·A_i[k]·v_i[k]; Σ_{i<n} S(i)·W_i[c] = (−1)·(Σ_{i<n} \
        Σ_{k<n} W_k[c]·A_i[k]·v_i[k])";
    render::parse(&format!("{EDGES}{text}"))
}

/// The proof of [`equation_35`].
pub fn prove_equation_35(statement: &Statement) -> Proof {
    let h = &statement.context;
    let inner = &with_index(&with_index(h, "i")?, "k")?;
    let zero = antisymmetric(h, h, "W_k[c]")?;
    let body = term(inner, "W_k[c]·A_k[i]·v_k[i]")?;
    let swap = exchange(h, ("i", &var("n")), ("k", &var("n")), &body)?;
    let by = |share: &str, minus: &str, goal: &Goal| {
        settle(h, goal, &[(share, &[&zero]), (minus, &[&swap])])
    };
    each(
        statement,
        &[
            &|_, goal| by("1/2", "(−1)/2", goal),
            &|_, goal| settle(h, goal, &[]),
            &|_, goal| by("1", "(−1)", goal),
        ],
    )
}
