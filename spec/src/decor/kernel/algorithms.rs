//! Algorithm 4 against Algorithm 1.
//!
//! Users i and k, and entries l of the d of a vector; v is the noise of a pair of users, each named by its unit vector.

use crate::moved::written::{Proof, each, given, settle, show};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, instance, sum_over, unclipped};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Sort, Statement};
use dp_assay_kernel::term::var;

/// `decor-alg-4`: x, g and u are the users' models, gradients and own noises. y and a are what user i holds after its noisy step
/// and after gossip in Algorithm 1; the matrices Y and B, columns of which are users, are X^(t+1/2) and X^(t+1) in Algorithm 4.
pub fn algorithm_4() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           sequence A in ℝ^n
           sequence W in ℝ^n
           assume for every index p<n: for every index q<n: W_p[q] = W_q[p]
           real η
           real C ≥ 0
           sequence x in ℝ^d
           sequence g in ℝ^d
           assume for every index p<n: ‖g_p‖ ≤ C
           sequence u in ℝ^d
           map v of ℝ^n × ℝ^n into ℝ^d
           define S(i<n, l<d) := Σ_{k<n} A_i[k]·v(⟨𝟙[q=i] : q<n⟩, ⟨𝟙[q=k] : q<n⟩)[l]
           define y(i<n, l<d) := x_i[l] − η·(clip(g_i, C)[l] + S(i, l) + u_i[l])
           define a(i<n, l<d) := Σ_{k<n} W_i[k]·y(k, l)
           define Y(l<d, i<n) := x_i[l] − η·(g_i[l] + S(i, l) + u_i[l])
           define B(l<d, i<n) := Σ_{k<n} Y(l, k)·W_k[i]
         holds
           for every index i<n: for every index l<d: Y(l, i) = y(i, l); for every index i<n: for \
               every index l<d: B(l, i) = a(i, l)",
    )
}

/// The proof of [`algorithm_4`].
pub fn prove_algorithm_4(statement: &Statement) -> Proof {
    let outer = &statement.context;
    // Entry l of a user's gradient is not clipped.
    let whole = |h: &Context, user: &str| {
        let short = instance(h, &given(outer, 1)?, &var(user))?;
        unclipped(h, &short, Some("l"))
    };
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[("η", &[&whole(h, "i")?])]),
            &|h, goal| {
                let k = &h.extended(item("k", Sort::Index(var("n"))))?;
                let same = instance(k, &instance(k, &given(outer, 0)?, &var("k"))?, &var("i"))?;
                let goal_of_k = "Y(l, k)·W_k[i] = W_i[k]·y(k, l)";
                let parts: &[(&str, &[&Theorem])] =
                    &[("Y(l, k)", &[&same]), ("η·W_i[k]", &[&whole(k, "k")?])];
                settle(
                    h,
                    goal,
                    &[("1", &[&sum_over(&show(k, goal_of_k, parts)?)?])],
                )
            },
        ],
    )
}
