//! Sampling schemes: what Σ_S² and R are for them, and the convex rate with these.
//!
//! ℓ_j is the Lipschitz constant of the one set with j that is drawn, of a block, a single coordinate or all: so ℓ is the
//! vector L_{A_1,…,A_b} of §4.2.1, and of the scheme it is used that E L_S²·1[j∈S] = ℓ_j²·P(j∈S). B is ‖ℓ‖_{M⁻¹}.

use super::statement_of_rate;
use crate::moved::written::{Proof, each, extended, given, goal, settle, show};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, instance, root_increases, sum_over};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sort, Statement};
use dp_assay_kernel::term::var;

pub(super) const OF_SET: &str = "
    vector ℓ ∈ ℝ^d, all > 0
    assume for every index j<d: 𝔼_{S∼𝒮}[L_S²·𝟙[j∈S]] = ℓ_j²·ℙ(j∈𝒮)
    define B := √(Σ_{j<d} ℓ_j²/M_j)";

const OF_ALL: &str = "
    real λ > 0
    assume for every index j<d: 𝔼_{S∼𝒮}[L_S²·𝟙[j∈S]] = λ²·ℙ(j∈𝒮)
    define B := λ·√(Σ_{j<d} 1/M_j)
    define Rₘ := √(Σ_{j<d} M_j·(w₀_j − w⋆_j)²)
    assume for every index j<d: ℙ(j∈𝒮) = 1";

const BY_M: &str = "
    define Rₘ := √(Σ_{j<d} M_j·(w₀_j − w⋆_j)²)";

const BY_I: &str = "
    define Rᵢ := √(Σ_{j<d} (w₀_j − w⋆_j)²)";

const EQUAL_SIGMA: &str = "Σ𝒮² = Σ_{j<d} ℓ_j²/M_j; ";

/// The convex rate for a scheme, with what is said of it before.
fn scheme(items: &[&str], before: &str, rate: &str) -> Result<Statement, Stuck> {
    let context = extended(&statement_of_rate()?.context, &items.concat())?;
    let risk = "𝔼_{w∼end(Alg1)}[f(w)] − f(w⋆)";
    let goal = goal(&context, &format!("{before}{risk} ≤ {rate}"))?;
    Ok(Statement { context, goal })
}

/// `skgd-eq-block-Sigma`: Σ_S² = Σ_j P(j∈S)·ℓ_j²/(P(j∈S)M_j), the sum over the blocks with their probabilities, is B².
pub fn block_sigma() -> Result<Statement, Stuck> {
    let context = extended(&statement_of_rate()?.context, OF_SET)?;
    let text = "Σ𝒮² = Σ_{j<d} ℙ(j∈𝒮)·ℓ_j²/(ℙ(j∈𝒮)·M_j); Σ_{j<d} ℙ(j∈𝒮)·ℓ_j²/(ℙ(j∈𝒮)·M_j) = B²";
    let goal = goal(&context, text)?;
    Ok(Statement { context, goal })
}

pub fn prove_block_sigma(statement: &Statement) -> Proof {
    let mean = mean(&statement.context, "ℓ_i")?;
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[("1", &[&mean])]),
            &|h, goal| settle(h, goal, &[]),
        ],
    )
}

/// `skgd-rate-block`: 25·B·R·√c.
pub fn block() -> Result<Statement, Stuck> {
    scheme(&[OF_SET], "", "25·B·R·√(c)")
}

/// `skgd-rate-block-unif`: for b blocks with the same probability, R² = b·R_M², and the rate is 25·B·√b·R_M·√c.
pub fn block_uniform() -> Result<Statement, Stuck> {
    let scheme_of = "
    integer b ≥ 1
    assume for every index j<d: ℙ(j∈𝒮) = 1/b";
    let items = [OF_SET, BY_M, scheme_of];
    scheme(&items, "R² = b·Rₘ²; ", "25·B·(√(b)·Rₘ)·√(c)")
}

/// `skgd-rate-block-imp`: for probabilities m_j/Z, m_j the largest M in the block of j and Z the sum of the blocks' largest,
/// the rate is 25·B·√Z·R_I·√c.
pub fn block_importance() -> Result<Statement, Stuck> {
    let scheme_of = "
    real Z > 0
    vector m ∈ ℝ^d, all > 0
    assume for every index j<d: M_j ≤ m_j
    assume for every index j<d: ℙ(j∈𝒮) = m_j/Z";
    scheme(&[OF_SET, BY_I, scheme_of], "", "25·B·(√(Z)·Rᵢ)·√(c)")
}

/// `skgd-rate-single`: Σ_S² = Σ_j L_j²/M_j, and the rate is 25·B·R·√c.
pub fn single() -> Result<Statement, Stuck> {
    scheme(&[OF_SET], EQUAL_SIGMA, "25·B·R·√(c)")
}

/// `skgd-rate-single-unif`: 25·B·√d·R_M·√c.
pub fn single_uniform() -> Result<Statement, Stuck> {
    let scheme_of = "
    assume for every index j<d: ℙ(j∈𝒮) = 1/d";
    let rate = "25·B·(√(d)·Rₘ)·√(c)";
    scheme(&[OF_SET, BY_M, scheme_of], EQUAL_SIGMA, rate)
}

/// `skgd-rate-single-imp`: for probabilities M_j/Tr(M), 25·B·√Tr(M)·R_I·√c.
pub fn single_importance() -> Result<Statement, Stuck> {
    let scheme_of = "
    assume for every index j<d: ℙ(j∈𝒮) = M_j/(Σ_{l<d} M_l)";
    let rate = "25·B·(√(Σ_{l<d} M_l)·Rᵢ)·√(c)";
    scheme(&[OF_SET, BY_I, scheme_of], EQUAL_SIGMA, rate)
}

/// `skgd-rate-full`: Σ_S² = L²·Tr(M⁻¹), L being λ here, and the rate is 25·L·√Tr(M⁻¹)·R_M·√c.
pub fn full() -> Result<Statement, Stuck> {
    let sigma = "Σ𝒮² = λ²·(Σ_{j<d} 1/M_j); ";
    scheme(&[OF_ALL], sigma, "25·B·Rₘ·√(c)")
}

/// E L_S²·1[i∈S]/(P(i∈S)M_i) = `constant`²/M_i, summed over i.
fn mean(context: &Context, constant: &str) -> Proof {
    let h = &inner(context)?;
    let of = instance(h, &given(context, 5)?, &var("i"))?;
    let one = format!("𝔼_{{S∼𝒮}}[L_S²·𝟙[i∈S]]/(ℙ(i∈𝒮)·M_i) = {constant}²/M_i");
    sum_over(&show(h, &one, &[("1/(ℙ(i∈𝒮)·M_i)", &[&of])])?)
}

fn inner(context: &Context) -> Result<Context, Stuck> {
    context.extended(item("i", Sort::Index(var("d"))))
}

/// How R² is bounded, entry by entry, and by what root.
type Radius<'a> = (&'a str, &'a dyn Fn(&Context) -> Proof);

/// The rate at a bound on R.
fn prove(statement: &Statement, constant: &str, radius: Option<Radius<'_>>) -> Proof {
    let context = &statement.context;
    let rate = statement_of_rate()?;
    let general = super::prove_rate(&rate)?;
    let mean = mean(context, constant)?;
    let spread = root_increases(&show(context, "Σ𝒮² ≤ B²", &[("1", &[&mean])])?)?;
    let (bound, near) = match radius {
        None => ("R", None),
        Some((bound, entry)) => (bound, Some(sum_over(&entry(&inner(context)?)?)?)),
    };
    let last = |h: &Context, goal: &Goal| {
        let mut parts: Vec<(&str, &[&Theorem])> = Vec::new();
        let (general, spread) = ([&general], [&spread]);
        parts.push(("1", &general));
        parts.push(("25·R·√(c)", &spread));
        let root = match &near {
            None => None,
            Some(near) => {
                let squares = show(h, &format!("R² ≤ ({bound})²"), &[("1", &[near])])?;
                Some(root_increases(&squares)?)
            }
        };
        let root = root.as_ref().map(|root| [root]);
        if let Some(root) = &root {
            parts.push(("25·B·√(c)", root));
        }
        settle(h, goal, &parts)
    };
    let before = |h: &Context, goal: &Goal| {
        let of_radius = near.as_ref().filter(|_| bound == "√(b)·Rₘ");
        settle(h, goal, &[("1", &[of_radius.unwrap_or(&mean)])])
    };
    match &statement.goal {
        Goal::Both(_) => each(statement, &[&before, &last]),
        _ => each(statement, &[&last]),
    }
}

/// The proof of [`block`] and [`single`], or of a statement with a larger constant.
pub fn prove_plain(statement: &Statement) -> Proof {
    prove(statement, "ℓ_i", None)
}

/// (M_i/P(i∈S))·u² = b·M_i·u² for u = w₀_i − w⋆_i.
fn uniform(h: &Context, b: &str) -> Proof {
    let outer = h.beginning(h.items().len() - 1);
    let share = instance(h, &given(&outer, 6)?, &var("i"))?;
    let u = "(w₀_i − w⋆_i)²";
    let goal = format!("(M_i/ℙ(i∈𝒮))·{u} = {b}·M_i·{u}");
    show(
        h,
        &goal,
        &[(&format!("(−1)·{b}·M_i·{u}/ℙ(i∈𝒮)"), &[&share])],
    )
}

/// The proof of [`block_uniform`], or of a statement with a larger constant.
pub fn prove_block_uniform(statement: &Statement) -> Proof {
    prove(statement, "ℓ_i", Some(("√(b)·Rₘ", &|h| uniform(h, "b"))))
}

/// The proof of [`single_uniform`], or of a statement with a larger constant.
pub fn prove_single_uniform(statement: &Statement) -> Proof {
    prove(statement, "ℓ_i", Some(("√(d)·Rₘ", &|h| uniform(h, "d"))))
}

/// The proof of [`full`], or of a statement with a larger constant.
pub fn prove_full(statement: &Statement) -> Proof {
    prove(statement, "λ", Some(("Rₘ", &|h| uniform(h, "1"))))
}

/// The proof of [`block_importance`], or of a statement with a larger constant.
pub fn prove_block_importance(statement: &Statement) -> Proof {
    let entry = |h: &Context| {
        let outer = h.beginning(h.items().len() - 1);
        let largest = instance(h, &given(&outer, 6)?, &var("i"))?;
        let share = instance(h, &given(&outer, 7)?, &var("i"))?;
        let u = "(w₀_i − w⋆_i)²";
        let parts: &[(&str, &[&Theorem])] = &[
            (&format!("{u}/ℙ(i∈𝒮)"), &[&largest]),
            (&format!("(−1)·Z·{u}/ℙ(i∈𝒮)"), &[&share]),
        ];
        show(h, &format!("(M_i/ℙ(i∈𝒮))·{u} ≤ Z·{u}"), parts)
    };
    prove(statement, "ℓ_i", Some(("√(Z)·Rᵢ", &entry)))
}

/// The proof of [`single_importance`], or of a statement with a larger constant.
pub fn prove_single_importance(statement: &Statement) -> Proof {
    let entry = |h: &Context| {
        let outer = h.beginning(h.items().len() - 1);
        let share = instance(h, &given(&outer, 6)?, &var("i"))?;
        let (u, trace) = ("(w₀_i − w⋆_i)²", "(Σ_{l<d} M_l)");
        let factor = format!("(−1)·{trace}·{u}/ℙ(i∈𝒮)");
        let goal = format!("(M_i/ℙ(i∈𝒮))·{u} = {trace}·{u}");
        show(h, &goal, &[(&factor, &[&share])])
    };
    prove(statement, "ℓ_i", Some(("√(Σ_{l<d} M_l)·Rᵢ", &entry)))
}
