//! `gcd-rem-4.1`: a round of Algorithm 1 makes at most one more entry other than 0.

use super::sparse::with_index;
use crate::moved::written::{Proof, each, given, goal as written, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, assume, discharge, instance, root_increases, sum_over, telescope, union,
};
use dp_assay_kernel::search::item;
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::statement::{Context, Item, Sort, Statement};
use dp_assay_kernel::term::var;

/// `gcd-rem-4.1`: in round t the coordinate at which e_t is 1 changes by z_t, and all others, where it is 0, stay.
pub fn rounds() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer p ≥ 1
           integer T ≥ 1
           sequence w in ℝ^p
           sequence e in ℝ^p
           sequence z in ℝ^p
           define S(x∈ℝ^p) := Σ_{j<p} (1 − 𝟙(|x_j| ≤ 0))
           assume for every index u<p: w[0][u] = 0
           assume for every index s<T: for every index u<p: e_s[u]² = e_s[u]
           assume for every index s<T: Σ_{j<p} e_s[j] = 1
           assume for every index s<T: for every index u<p: w[s + 1][u] = w_s[u] + e_s[u]·z_s[u]
         holds
           S(w[0]) ≤ 0; S(w_T) ≤ T",
    )
}

/// 1 − 𝟙(|x| ≤ 0) ≤ e for e = e_t\[i\], which is 0 or 1, and x = e.
fn zero_or_one(h: &Context, bit: &Theorem) -> Proof {
    let (e, half) = (term(h, "e_t[i]")?, term(h, "1/2")?);
    either(h, [&e, &half], |here, order, small| {
        let goal = "1 − 𝟙(e_t[i] ≤ 0) ≤ e_t[i]";
        if small {
            // e = e² and e ≤ 1/2: e ≤ 2e(1 − e) = 0.
            let parts: &[(&str, &[&Theorem])] =
                &[("2·e_t[i]²", &[order]), ("(−1) − 2·e_t[i]", &[bit])];
            let none = union(&show(here, "e_t[i] ≤ 0", parts)?)?;
            return show(here, goal, &[("1", &[&none]), ("1", &[bit])]);
        }
        let parts: &[(&str, &[&Theorem])] =
            &[("2·(1 − e_t[i])²", &[order]), ("2·e_t[i] − 3", &[bit])];
        let one = show(here, "1 ≤ e_t[i]", parts)?;
        show(here, goal, &[("1", &[&one])])
    })
}

/// The proof of [`rounds`], or of a statement with a larger bound: a round makes at most one entry other than 0.
pub fn prove_rounds(statement: &Statement) -> Proof {
    let ends = ends(&statement.context, 0)?;
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[("1", &[&ends[0]])]),
            &|h, goal| settle(h, goal, &[("1", &[&ends[1]])]),
        ],
    )
}

/// S(w\[0\]) ≤ 0 and S(w_T) ≤ T, what is supposed of w beginning with hypothesis number `n`.
pub(super) fn ends(h: &Context, n: usize) -> Result<[Theorem; 2], Stuck> {
    let told = |k: usize| given(h, n + k);
    let t = &h.extended(item("t", Sort::Index(var("T"))))?;
    let i = &with_index(t, "i")?;
    let of = |k: usize| instance(i, &instance(i, &told(k)?, &var("t"))?, &var("i"));
    let (bit, next) = (of(1)?, of(3)?);
    let here = ["|w_t[i]| ≤ 0", "e_t[i] ≤ 0"]
        .iter()
        .try_fold(i.clone(), |here, told| {
            here.extended(Item::Assume(written(&here, told)?))
        })?;
    let last = here.items().len() - 1;
    let (small, none) = (assume(&here, last - 1)?, assume(&here, last)?);
    let parts: &[(&str, &[&Theorem])] = &[
        ("2·|w_t[i]|", &[&small]),
        ("2·z_t[i]²", &[&none]),
        ("2·z_t[i]²", &[&bit]),
        ("(w_t[i] − e_t[i]·z_t[i])²", &[]),
        ("w[t + 1][i] + w_t[i] + e_t[i]·z_t[i]", &[&next]),
    ];
    let stays = root_increases(&show(&here, "w[t + 1][i]² ≤ 0²", parts)?)?;
    let stays = show(&here, "|w[t + 1][i]| ≤ 0", &[("1", &[&stays])])?;
    let missed = union(&discharge(&discharge(&stays)?)?)?;
    let entry = "1 − 𝟙(|w[t + 1][i]| ≤ 0) ≤ (1 − 𝟙(|w_t[i]| ≤ 0)) + e_t[i]";
    let entry = show(
        i,
        entry,
        &[("1", &[&missed]), ("1", &[&zero_or_one(i, &bit)?])],
    )?;
    let (entry, one) = (sum_over(&entry)?, instance(t, &told(2)?, &var("t"))?);
    let round = "S(w[t + 1]) − S(w_t) ≤ 1";
    let round = sum_over(&show(t, round, &[("1", &[&entry]), ("1", &[&one])])?)?;
    let ends = telescope(h, "t", &var("T"), &term(t, "S(w_t)")?)?;
    let k = &with_index(h, "k")?;
    let first = instance(k, &told(0)?, &var("k"))?;
    let first = show(k, "w[0][k]² ≤ 0²", &[("w[0][k]", &[&first])])?;
    let first = show(k, "|w[0][k]| ≤ 0", &[("1", &[&root_increases(&first)?])])?;
    let first = sum_over(&union(&first)?)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&round]), ("(−1)", &[&ends]), ("1", &[&first])];
    let last = show(h, "S(w_T) ≤ T", parts)?;
    Ok([first, last])
}
