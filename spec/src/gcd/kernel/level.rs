//! `gcd-thm-4.4-cvx-b-restricted` and what rests on it: T rounds for a convex f and any scales of the noise.
//!
//! s are the scales of the releases, s′ those of the selections; λ₁ is λ_max, m is M_min, l is log(1/δ), G is f(w₀) − f(w⋆), and R
//! any number > 0 that is at least R_M.

use super::convex::{
    ahead, apart, at_the_end, beta_here, bound, c, given as supposed, keeps, rises, wanted,
};
use super::events::run;
use super::noisy::{convex as strongly_convex, excess, space};
use super::scales::{SCALES, context as any_scales};
use crate::moved::written::{Proof, each, extended, given, goal, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, assume, combine, discharge, expected, instance, largest, root_increases, smooth,
    stationary, sum_over, union,
};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{item, positive, real, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Binder, Op, Term, mul, num, op, var};

/// The context, with G and R and what they are.
fn context() -> Result<Context, Stuck> {
    let [_, _, near] = supposed();
    let root = Item::Define("u".into(), vec![], mul([c(), beta_here()]).sqrt());
    let items = [
        root,
        real("G", Sign::NonNegative),
        Item::Assume(Goal::Eq(var("G"), excess(&var("w₀")))),
        Item::Assume(near),
    ];
    any_scales([positive("R")])?.with(items)
}

/// The proof's condition on the first gap.
const GAP: &str = "√(32·R²·β) ≤ G";

fn with_gap() -> Result<Context, Stuck> {
    let context = context()?;
    let gap = goal(&context, GAP)?;
    context.extended(Item::Assume(gap))
}

/// The hypothesis number n of [`context`], behind those on f, the scales and Λ.
fn of(h: &Context, n: usize) -> Proof {
    given(h, 6 + n)
}

/// 1 − ζ ≤ P(f(w) − f(w⋆) ≤ `most`) at the end of the run.
fn probably(most: &str) -> String {
    format!("1 − ζ ≤ 𝔼_{{w∼end(Alg1)}}[𝟙(f(w) − f(w⋆) ≤ {most})]")
}

/// Σ_i M_i(w₀_i − w⋆_i)² ≤ (Σ_i √M_i|w₀_i − w⋆_i|)², as for every vector u.
pub(super) fn smaller(h: &Context) -> Proof {
    let u = &h.extended(item("v", space()))?;
    let i = &u.extended(item("i", Sort::Index(var("p"))))?;
    let k = &i.extended(item("k", Sort::Index(var("p"))))?;
    let one = "𝟙[k=i]·√(M_k)·|v_k| ≤ √(M_k)·|v_k|";
    let all = sum_over(&show(k, one, &[("(1 − 𝟙[k=i])²·√(M_k)·|v_k|", &[])])?)?;
    let square = "M_i·v_i² ≤ √(M_i)·|v_i|·(Σ_{k<p} √(M_k)·|v_k|)";
    let square = sum_over(&show(i, square, &[("√(M_i)·|v_i|", &[&all])])?)?;
    let sums = "Σ_{i<p} M_i·v_i² ≤ (Σ_{k<p} √(M_k)·|v_k|)²";
    let every = discharge(&show(u, sums, &[("1", &[&square])])?)?;
    instance(h, &every, &term(h, "⟨w₀_k − w⋆_k : k<p⟩")?)
}

/// 16·λ₁Λ/√m ≤ R where the gap is as large as the proof asks for: it is at most R²/2, as f is smooth.
fn quiet(h: &Context) -> Proof {
    let (named, gap) = (of(h, 0)?, of(h, 2)?);
    let (near, start) = (of(h, 1)?, var("w₀"));
    let sure = Goal::Le(excess(&start), var("G"));
    let sure = union(&settle(h, &sure, &[("(−1)", &[&named])])?)?;
    let near = instance(h, &near, &start)?;
    let near_too = "Σ_{i<p} √(M_i)·|w₀_i − w⋆_i| ≤ R";
    let sum = "Σ_{i<p} √(M_i)·|w₀_i − w⋆_i|";
    let near = show(h, near_too, &[("1", &[&near]), (sum, &[&sure])])?;
    let i = &h.extended(item("i", Sort::Index(var("p"))))?;
    let slope = stationary(i, &given(h, 0)?, "i")?;
    let flat = show(
        i,
        "∂_i f(w⋆)·(w₀_i − w⋆_i) = 0",
        &[("w₀_i − w⋆_i", &[&slope])],
    )?;
    let (flat, smooth) = (sum_over(&flat)?, smooth(h, "f", &var("w⋆"), &start)?);
    let parts: &[(&str, &[&Theorem])] = &[
        ("2/R", &[&gap]),
        ("2/R", &[&named]),
        ("2/R", &[&smooth]),
        ("2/R", &[&flat]),
        ("1/R", &[&smaller(h)?]),
        (&format!("({sum} + R)/R"), &[&near]),
    ];
    show(h, "16·(λ₁·Λ/√(m)) ≤ R", parts)
}

/// A goal from the sum of all facts.
fn all(h: &Context, goal: Goal, facts: &[&Theorem]) -> Proof {
    let parts = facts.iter().map(|fact| with(num(1), fact));
    combine(h, goal, &parts.collect::<Vec<_>>())
}

/// The goal 1 − ζ ≤ P(f(w) − f(w⋆) ≤ y) from facts: what fails with probability ζ at most if the run goes well (`rare`), and what
/// makes f(w) − f(w⋆) ≤ y of `told`, a relation of the state w.
fn at_most(
    h: &Context,
    goal: &Goal,
    rare: &[&Theorem],
    (told, more): (Goal, &[&Theorem]),
) -> Proof {
    let Goal::Le(_, Term::Bind(Binder::Expect, w, law, good)) = goal else {
        return Err(Stuck::new("no probability"));
    };
    let Term::Op(Op::AtMost, sides) = &**good else {
        return Err(Stuck::new("no probability of an inequality"));
    };
    let here = &h.extended(item(w, space()))?;
    let here = &here.extended(Item::Assume(told))?;
    let told = assume(here, here.items().len() - 1)?;
    let wanted = Goal::Le(sides[0].clone(), sides[1].clone());
    let better = all(here, wanted, &[&[&told], more].concat())?;
    let better = expected(&union(&discharge(&better)?)?, law)?;
    all(h, goal.clone(), &[rare, &[&better]].concat())
}

/// The bound with the gap, the hypothesis behind those of [`context`], or another that `more` makes of it.
fn prove_under_gap(h: &Context, goal: &Goal, more: &[&Theorem]) -> Proof {
    let (named, gap, quiet) = (of(h, 0)?, of(h, 2)?, quiet(h)?);
    let unit = "(λ₁·Λ/√(m))/8";
    let small = show(h, "u + β ≤ G", &[("1", &[&gap]), (unit, &[&quiet])])?;
    let start = Goal::Le(apart(&var("w₀")), num(0));
    let start = settle(h, &start, &[("(−1)", &[&named])])?;
    let level = settle(h, &Goal::Le(ahead(&var("w₀"), &num(0)), num(0)), &[])?;
    let start = largest(&start, &level)?;
    let rare = run(h, &SCALES, &wanted, &start, |round, _| keeps(round, &small))?;
    let at_end = expected(&at_the_end(h)?, &op(Op::End, [var("Alg1")]))?;
    let sum = term(h, "8·R²/T + u")?;
    let slow = settle(h, &Goal::Le(c() / var("T"), sum.clone()), &[])?;
    let noise = settle(h, &Goal::Le(beta_here(), sum), &[(unit, &[&quiet])])?;
    let most = largest(&slow, &noise)?;
    let told = Goal::Le(excess(&var("w")), bound());
    at_most(
        h,
        goal,
        &[&rare, &at_end],
        (told, &[&[&most], more].concat()),
    )
}

/// The bound of the appendix.
const FIRST: &str = "8·R²/T + √(32·R²·β)";

/// `gcd-thm-4.4-cvx-b-restricted`: 8R²/T + √(32R²β), if the first gap is at least the second term.
pub fn restricted() -> Result<Statement, Stuck> {
    let context = with_gap()?;
    let goal = goal(&context, &probably(FIRST))?;
    Ok(Statement { context, goal })
}

/// The proof of [`restricted`], or of a statement with larger constants.
pub fn prove_restricted(statement: &Statement) -> Proof {
    prove_under_gap(&statement.context, &statement.goal, &[])
}

/// Numbers of Theorem 4.2 and of T = ⌈X/4⌉, A = R²/X, and what they are.
const NUMBERS: [&str; 6] = ["X", "A", "L", "n", "ε", "l"];
const CHOICE: [&str; 6] = [
    "A·X = R²",
    "X³ = n²·ε²·R²·m/(L²·l)",
    "λ₁ = 8·L·√(T·l)/(n·ε)",
    "4 ≤ X",
    "X ≤ 4·T",
    "T ≤ X/4 + 1",
];

/// 8R²/T ≤ 32A, √(32R²β) ≤ 46AΛ and Tβ ≤ 32AΛ², where [`CHOICE`] are the hypotheses from number n.
fn explicit(h: &Context, n: usize) -> Result<[Theorem; 3], Stuck> {
    let told: Result<Vec<Theorem>, Stuck> = (n..n + 6).map(|n| given(h, n)).collect();
    let told = told?;
    let [radius, cube, scale, large, long, short] = [0, 1, 2, 3, 4, 5].map(|n| &told[n]);
    let unit = "L²·l/(m·n²·ε²·X³)";
    let unit = show(h, "L²·l/(m·n²·ε²) = R²/X³", &[(unit, &[cube])])?;
    let noise: &[(&str, &[&Theorem])] = &[
        ("128·T·Λ²", &[&unit]),
        ("(2·Λ²/m)·(8·L·√(T·l)/(n·ε) + λ₁)", &[scale]),
    ];
    let noise = show(h, "β = 128·T·(R²/X³)·Λ²", noise)?;
    let half = show(h, "T ≤ X/2", &[("1", &[short]), ("1/4", &[large])])?;
    let first = show(
        h,
        "8·R²/T ≤ 32·A",
        &[("(−8)/T", &[radius]), ("8·A/T", &[long])],
    );
    let square: &[(&str, &[&Theorem])] = &[
        ("32·R²", &[&noise]),
        ("(−4096)·T·Λ²·(R² + A·X)/X³", &[radius]),
        ("4096·A²·Λ²/X", &[&half]),
    ];
    let second = root_increases(&show(h, "32·R²·β ≤ (46·A·Λ)²", square)?);
    let third: &[(&str, &[&Theorem])] = &[
        ("T", &[&noise]),
        ("(−128)·T²·Λ²/X³", &[radius]),
        ("(128·A·Λ²/X²)·(X/2 + T)", &[&half]),
    ];
    Ok([first?, second?, show(h, "T·β ≤ 32·A·Λ²", third)?])
}

/// `gcd-thm-4.4-cvx-b-repaired`: 8R²/T + √(32R²β) + Tβ without the gap; for T = ⌈X/4⌉ and the scales of Theorem 4.2 at their
/// largest that is at most A(32 + 46Λ + 32Λ²).
pub fn repaired() -> Result<Statement, Stuck> {
    let context = context()?;
    let every = NUMBERS
        .map(|x| format!("for every real {x} > 0: "))
        .concat();
    let given = CHOICE.map(|given| format!("if {given}: ")).concat();
    let most = format!("{FIRST} + T·β");
    let explicit = format!("{every}{given}{most} ≤ A·(32 + 46·Λ + 32·Λ²)");
    let goal = goal(&context, &format!("{}; {explicit}", probably(&most)))?;
    Ok(Statement { context, goal })
}

/// A run whose first gap is at most √(32R²β): a round raises it by β at most.
fn slowly(h: &Context, small: &Theorem, goal: &Goal) -> Proof {
    let raised = |t: &_| var("G") + mul([Clone::clone(t), beta_here()]);
    let wanted = |x: &_, t: &_| [excess(x), raised(t)];
    let [x, y] = wanted(&var("w₀"), &num(0));
    let start = settle(h, &Goal::Le(x, y), &[("(−1)", &[&of(h, 0)?])])?;
    let rare = run(h, &SCALES, &wanted, &start, |round, goal| {
        settle(
            round.here,
            &goal,
            &[("1", &[&rises(round)?]), ("1", &[&round.before])],
        )
    })?;
    let [x, y] = wanted(&var("w"), &var("T"));
    at_most(h, goal, &[&rare], (Goal::Le(x, y), &[small]))
}

/// The proof of [`repaired`], or of a statement with larger constants.
pub fn prove_repaired(statement: &Statement) -> Proof {
    let useful = |h: &Context, goal: &Goal| {
        let root = term(h, "√(32·R²·β)")?;
        either(h, [&root, &var("G")], |here, given, gap| {
            if !gap {
                return slowly(here, given, goal);
            }
            prove_under_gap(here, goal, &[])
        })
    };
    each(
        statement,
        &[&useful, &|h, goal| {
            let [first, second, third] = explicit(h, 8)?;
            settle(
                h,
                goal,
                &[("1", &[&first]), ("1", &[&second]), ("1", &[&third])],
            )
        }],
    )
}

/// What `gcd-thm-4.4-cvx-restricted` supposes.
fn chosen() -> Result<Context, Stuck> {
    let numbers = NUMBERS.map(|x| format!("real {x} > 0\n")).concat();
    let given = CHOICE.map(|given| format!("assume {given}\n")).concat();
    extended(&with_gap()?, &format!("{numbers}{given}"))
}

const PRINTED: &str = "A³ = R⁴·L²·l/(m·n²·ε²)";

/// `gcd-thm-4.4-cvx-restricted`: A(32 + 46Λ) at T = ⌈X/4⌉, X ≥ 4, under the gap; A is the printed number.
pub fn rate() -> Result<Statement, Stuck> {
    let context = chosen()?;
    let goals = format!("{}; {PRINTED}", probably("A·(32 + 46·Λ)"));
    let goal = goal(&context, &goals)?;
    Ok(Statement { context, goal })
}

fn prove_probably(h: &Context, goal: &Goal) -> Proof {
    let [first, second, _] = explicit(h, 9)?;
    prove_under_gap(h, goal, &[&first, &second])
}

/// A³ = R⁶/X³.
fn prove_printed(h: &Context, goal: &Goal) -> Proof {
    let (radius, cube) = (given(h, 9)?, given(h, 10)?);
    let parts: &[(&str, &[&Theorem])] = &[
        ("(−1)·R⁴·L²·l/(m·n²·ε²·X³)", &[&cube]),
        ("(A²·X² + A·X·R² + R⁴)/X³", &[&radius]),
    ];
    settle(h, goal, parts)
}

/// The proof of [`rate`], or of a statement with larger constants.
pub fn prove_rate(statement: &Statement) -> Proof {
    each(statement, &[&prove_probably, &prove_printed])
}

/// `gcd-disc-l1-repaired`: the constant μ_{M,1} of a strongly convex f is at most 1/p, and the convex rate.
pub fn bounded() -> Result<Statement, Stuck> {
    let context = extended(&chosen()?, "real μ > 0")?;
    let strongly = strongly_convex();
    let goals = format!(
        "if {strongly}: μ ≤ 1/p; {}; {PRINTED}",
        probably("A·(32 + 46·Λ)")
    );
    let goal = goal(&context, &goals)?;
    Ok(Statement { context, goal })
}

/// The proof of [`bounded`]: strong convexity and smoothness from w⋆ towards w⋆ + M^{−1/2}(1, …, 1).
pub fn prove_bounded(statement: &Statement) -> Proof {
    let flat_curve = |h: &Context, goal: &Goal| {
        let there = term(h, "⟨w⋆_i + 1/√(M_i) : i<p⟩")?;
        let strong = instance(h, &instance(h, &given(h, 15)?, &var("w⋆"))?, &there)?;
        let smooth = smooth(h, "f", &var("w⋆"), &there)?;
        settle(h, goal, &[("2/p²", &[&strong]), ("2/p²", &[&smooth])])
    };
    each(statement, &[&flat_curve, &prove_probably, &prove_printed])
}

/// `gcd-def-R-proof`: R bounds the distances between the level set of w₀ and all minimisers, r is at most that of v to each of them, and so
/// may be the least.
pub fn radius() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer p ≥ 1
           vector M ∈ ℝ^p, all > 0
           map f of ℝ^p into ℝ^1
           index o<1
           vector w₀ ∈ ℝ^p
           vector w⋆ ∈ ℝ^p
           assume for every vector y ∈ ℝ^p: f(w⋆)[o] ≤ f(y)[o]
           define D(x∈ℝ^p, y∈ℝ^p) := Σ_{j<p} √(M_j)·|x_j − y_j|
           real R ≥ 0
           assume for every vector x ∈ ℝ^p: for every vector y ∈ ℝ^p: 𝟙(f(x)[o] ≤ \
               f(w₀)[o])·𝟙(f(y)[o] ≤ f(w⋆)[o])·D(x, y) ≤ R
           vector v ∈ ℝ^p
           assume f(v)[o] ≤ f(w₀)[o]
           real r ≥ 0
           assume for every vector y ∈ ℝ^p: 𝟙(f(y)[o] ≤ f(w⋆)[o])·r ≤ 𝟙(f(y)[o] ≤ f(w⋆)[o])·D(v, y)
         holds
           r ≤ R",
    )
}

/// The proof of [`radius`], or of a statement with a larger bound: w⋆ is one of the minimisers.
pub fn prove_radius(statement: &Statement) -> Proof {
    let h = &statement.context;
    let all = instance(h, &instance(h, &given(h, 1)?, &var("v"))?, &var("w⋆"))?;
    let near = instance(h, &given(h, 3)?, &var("w⋆"))?;
    let inside = union(&given(h, 2)?)?;
    let least = union(&show(h, "f(w⋆)[o] ≤ f(w⋆)[o]", &[])?)?;
    let (first, second) = ("𝟙(f(v)[o] ≤ f(w₀)[o])", "𝟙(f(w⋆)[o] ≤ f(w⋆)[o])");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&all]),
        (first, &[&near]),
        (&format!("r·{second}"), &[&inside]),
        ("r", &[&least]),
    ];
    settle(h, &statement.goal, parts)
}
