//! Sparse vectors, and what constants along one coordinate or along sparse vectors have to do with those of all.

use crate::moved::written::{Proof, each, given, goal as written, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, at_most_one, discharge, exp_sum, instance, larger, largest, root_increases, sum_over,
    union,
};
use dp_assay_kernel::search::cases::split;
use dp_assay_kernel::search::exp::{exp_increases, log_increases, log_product};
use dp_assay_kernel::search::item;
use dp_assay_kernel::search::size::{above_modulus, below_modulus};
use dp_assay_kernel::statement::{Context, Goal, Item, Sort, Statement};
use dp_assay_kernel::term::{num, var};

pub(super) fn with_index(context: &Context, name: &str) -> Result<Context, Stuck> {
    context.extended(item(name, Sort::Index(var("p"))))
}

/// `gcd-eq-41-repaired`: u is the difference of two vectors, of which one is 0 off A and the other off B, g what strong convexity
/// leaves; r and s are the norms ‖·‖_{M,1} and ‖·‖_{M,2}. What holds for every two vectors holds for the largest constants.
pub fn norms() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer p ≥ 1
           integer τ ≥ 1
           vector M ∈ ℝ^p, all > 0
           set A⊆p
           set B⊆p
           assume Σ_{j<p} 𝟙[j∈A] ≤ τ
           assume Σ_{j<p} 𝟙[j∈B] ≤ τ
           vector x ∈ ℝ^p
           vector y ∈ ℝ^p
           assume for every index j<p: x_j = 𝟙[j∈A]·x_j
           assume for every index j<p: y_j = 𝟙[j∈B]·y_j
           vector u ∈ ℝ^p
           assume for every index j<p: u_j = y_j − x_j
           real μ > 0
           real g
           define r := Σ_{j<p} √(M_j)·|u_j|
           define s := √(Σ_{j<p} M_j·u_j²)
         holds
           if (μ/2)·s² ≤ g: ((μ/(2·τ))/2)·r² ≤ g; if (μ/2)·r² ≤ g: (μ/2)·s² ≤ g",
    )
}

/// r² ≤ 2τ·s², the squares of √M_j|u_j| − c_j·r/(2τ), where c_j is 1 on A and B and else 0.
fn larger_norm(h: &Context) -> Proof {
    let i = &with_index(h, "i")?;
    let c = "(1 − (1 − 𝟙[i∈A])·(1 − 𝟙[i∈B]))²";
    let [x, y, u] = [2, 3, 4].map(|n| instance(i, &given(h, n)?, &var("i")));
    let (x, y, u) = (x?, y?, u?);
    let parts: &[(&str, &[&Theorem])] = &[
        ("(1 − 𝟙[i∈A])·(1 − 𝟙[i∈B])", &[&u]),
        ("(1 − 𝟙[i∈A])·(1 − 𝟙[i∈B])", &[&y]),
        ("(−1)·(1 − 𝟙[i∈A])·(1 − 𝟙[i∈B])", &[&x]),
    ];
    let inside = show(i, &format!("u_i = {c}·u_i"), parts)?;
    let square = format!("u_i² ≤ ({c}·|u_i|)²");
    let square = show(i, &square, &[(&format!("u_i + {c}·u_i"), &[&inside])])?;
    let size = root_increases(&square)?;
    let one = format!("√(M_i)·|u_i| ≤ {c}·√(M_i)·|u_i|");
    let one = sum_over(&show(i, &one, &[("√(M_i)", &[&size])])?)?;
    let few = [given(h, 0)?, given(h, 1)?];
    let spread = format!("2·τ·(Σ_{{i<p}} (√(M_i)·|u_i| − {c}·r/(2·τ))²)");
    let both = "(r²/(2·τ))·(Σ_{i<p} 𝟙[i∈A]·𝟙[i∈B])";
    let parts: &[(&str, &[&Theorem])] = &[
        (&spread, &[]),
        ("2·r", &[&one]),
        ("r²/(2·τ)", &[&few[0]]),
        ("r²/(2·τ)", &[&few[1]]),
        (both, &[]),
    ];
    show(h, "r² ≤ 2·τ·s²", parts)
}

/// s² ≤ r².
fn smaller_norm(h: &Context) -> Proof {
    let i = &with_index(h, "i")?;
    let k = &with_index(i, "k")?;
    let one = "𝟙[k=i]·√(M_k)·|u_k| ≤ √(M_k)·|u_k|";
    let all = sum_over(&show(k, one, &[("(1 − 𝟙[k=i])²·√(M_k)·|u_k|", &[])])?)?;
    let one = show(i, "M_i·u_i² ≤ √(M_i)·|u_i|·r", &[("√(M_i)·|u_i|", &[&all])])?;
    show(h, "s² ≤ r²", &[("1", &[&sum_over(&one)?])])
}

/// The proof of [`norms`], or of a statement with smaller constants.
pub fn prove_norms(statement: &Statement) -> Proof {
    each(
        statement,
        &[
            &|h, goal| {
                let (far, given) = (larger_norm(h)?, given(h, 5)?);
                settle(h, goal, &[("μ/(4·τ)", &[&far]), ("1", &[&given])])
            },
            &|h, goal| {
                let (near, given) = (smaller_norm(h)?, given(h, 5)?);
                settle(h, goal, &[("μ/2", &[&near]), ("1", &[&given])])
            },
        ],
    )
}

/// `gcd-reg-global`: f(x)\[o\] is the value of a function and G(x) its gradient.
pub fn global() -> Result<Statement, Stuck> {
    let moved = "for every vector w ∈ ℝ^p: for every index k<p: for every real t: |f(⟨w_j + \
        t·𝟙[j=k] : j<p⟩)[o] − f(w)[o]| ≤ Λ·|t|";
    let two = "for every vector w ∈ ℝ^p: for every vector v ∈ ℝ^p: |f(v)[o] − f(w)[o]| ≤ Λ·";
    let smooth = "for every vector w ∈ ℝ^p: for every vector v ∈ ℝ^p: f(w)[o] ≤ f(v)[o] + (Σ_{j<p} \
        G(v)[j]·(w_j − v_j)) + ";
    render::parse(&format!(
        "for all
           integer p ≥ 1
           map f of ℝ^p into ℝ^1
           map G of ℝ^p into ℝ^p
           index o<1
           real Λ ≥ 0
           real β > 0
         holds
           if {two}‖⟨v_j − w_j : j<p⟩‖: {moved}; if {two}(Σ_{{j<p}} |v_j − w_j|): {moved}; if \
               {smooth}(β/2)·‖⟨w_j − v_j : j<p⟩‖²: {smooth}(1/2)·(Σ_{{j<p}} β·(w_j − v_j)²)"
    ))
}

/// The proof of [`global`], or of a statement with larger constants.
pub fn prove_global(statement: &Statement) -> Proof {
    let context = &statement.context;
    let last = context.items().len();
    let at = |h: &Context| {
        let before = h.beginning(last + 1);
        let there = term(h, "⟨w_j + t·𝟙[j=k] : j<p⟩")?;
        let with_w = h.beginning(last + 2);
        instance(
            h,
            &instance(&with_w, &given(&before, 0)?, &var("w"))?,
            &there,
        )
    };
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[("1", &[&at(h)?])]),
            &|h, goal| {
                let i = &with_index(h, "i")?;
                let square = show(i, "(t·𝟙[i=k])² ≤ (|t|·𝟙[i=k])²", &[])?;
                let one = sum_over(&root_increases(&square)?)?;
                settle(h, goal, &[("1", &[&at(h)?]), ("Λ", &[&one])])
            },
            &|h, goal| {
                let (before, with_w) = (h.beginning(last + 1), h.beginning(last + 2));
                let all = instance(&with_w, &given(&before, 0)?, &var("w"))?;
                settle(h, goal, &[("1", &[&instance(h, &all, &var("v"))?])])
            },
        ],
    )
}

/// `gcd-disc-l2`: R and μ are the constants of the norm M, 1, r and ν those of M, 2, in the worst case, and X is nε.
pub fn worst_case() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer p ≥ 1
           real R > 0
           real r > 0
           real μ > 0
           real ν > 0
           real X > 0
           real K > 0
           assume R² = p·r²
           assume μ = ν/p
         holds
           exp((4/3)·log(R)) ≤ exp((2/3)·log(p))·exp((4/3)·log(r)); \
               exp((2/3)·log(p))·exp((4/3)·log(r)) ≤ exp((4/3)·log(R)); 1/μ² = p²/ν²; if r ≤ K: \
               exp((4/3)·log(R))/exp((2/3)·log(X)) ≤ \
               exp((4/3)·log(K))·(exp((2/3)·log(p))/exp((2/3)·log(X))); if K ≤ ν: (1/μ²)/X² ≤ \
               (1/K²)·(p²/X²)",
    )
}

/// The proof of [`worst_case`], or of a statement with larger constants: 2·log R = log p + 2·log r.
pub fn prove_worst_case(statement: &Statement) -> Proof {
    let h = &statement.context;
    let (radius, constant) = (given(h, 0)?, given(h, 1)?);
    let ordered = |text: &str, sign: &str| log_increases(&show(h, text, &[(sign, &[&radius])])?);
    let up = ordered("R² ≤ p·r²", "1")?;
    let down = ordered("p·r² ≤ R²", "(−1)")?;
    let product = |x: &str, y: &str| log_product(h, &term(h, x)?, &term(h, y)?);
    let ([first, last], [inner, outer]) = (product("p", "r²")?, product("r", "r")?);
    let [under, over] = product("R", "R")?;
    let split = exp_sum(h, &term(h, "(2/3)·log(p)")?, &term(h, "(4/3)·log(r)")?)?;
    let most = [&under, &up, &last, &outer];
    let least = [&over, &down, &first, &inner];
    let grows = |text: &str, facts: [&Theorem; 4]| {
        let facts = facts.map(|fact| [fact]);
        let parts: Vec<_> = facts
            .iter()
            .map(|fact| ("2/3", fact as &[&Theorem]))
            .collect();
        exp_increases(&show(h, text, &parts)?)
    };
    let (left, right) = ("(4/3)·log(R)", "(2/3)·log(p) + (4/3)·log(r)");
    let up = grows(&format!("{left} ≤ {right}"), most)?;
    let down = grows(&format!("{right} ≤ {left}"), least)?;
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[("1", &[&up]), ("1", &[&split])]),
            &|h, goal| settle(h, goal, &[("1", &[&down]), ("(−1)", &[&split])]),
            &|h, goal| settle(h, goal, &[("(−1)·(μ + ν/p)·p²/(ν²·μ²)", &[&constant])]),
            &|h, goal| {
                let larger = log_increases(&given(h, 2)?)?;
                let larger = show(h, "(4/3)·log(r) ≤ (4/3)·log(K)", &[("4/3", &[&larger])])?;
                let larger = exp_increases(&larger)?;
                let unit = "1/exp((2/3)·log(X))";
                let parts: &[(&str, &[&Theorem])] = &[
                    (unit, &[&up]),
                    (unit, &[&split]),
                    ("exp((2/3)·log(p))/exp((2/3)·log(X))", &[&larger]),
                ];
                settle(h, goal, parts)
            },
            &|h, goal| {
                let parts: &[(&str, &[&Theorem])] = &[
                    ("(−1)·(μ + ν/p)·p²/(ν²·μ²·X²)", &[&constant]),
                    ("(K + ν)·p²/(K²·ν²·X²)", &[&given(h, 2)?]),
                ];
                settle(h, goal, parts)
            },
        ],
    )
}

/// ‖y − x‖² in the norms M, 1 and M, 2.
const SQUARES: [&str; 2] = [
    "(Σ_{j<p} √(M_j)·|y_j − x_j|)²",
    "(Σ_{j<p} M_j·(y_j − x_j)²)",
];

/// What strong convexity asks to be at most f(y).
fn model(square: &str) -> String {
    format!("f(x)[o] + (Σ_{{j<p}} G(x)[j]·(y_j − x_j)) + (μ/2)·{square}")
}

/// By how much it is missed.
fn missed(square: &str) -> String {
    format!("max({} − f(y)[o], 0)", model(square))
}

/// `gcd-eq-40-monotone`: f(x)\[o\] is the value of a function and G(x) its gradient, S(x) the number of entries of x that are not
/// 0. That μ is a constant for k of the norm with this square says that for no x and y with S(x) ≤ k and S(y) ≤ k the inequality of strong convexity is missed.
pub fn monotone() -> Result<Statement, Stuck> {
    let goals = SQUARES.map(|square| {
        let every = "for every vector x ∈ ℝ^p: for every vector y ∈ ℝ^p: ";
        let missed = missed(square);
        let [small, large] =
            ["k", "l"].map(|k| format!("{every}𝟙(S(x) ≤ {k})·𝟙(S(y) ≤ {k})·{missed} ≤ 0"));
        let all = format!("{every}{} ≤ f(y)[o]", model(square));
        format!("if k ≤ l: if {large}: {small}; if p ≤ k: if {small}: {all}; if {all}: {small}")
    });
    render::parse(&format!(
        "for all
           integer p ≥ 1
           vector M ∈ ℝ^p, all > 0
           map f of ℝ^p into ℝ^1
           map G of ℝ^p into ℝ^p
           index o<1
           real μ > 0
           integer k ≥ 1
           integer l ≥ 1
           define S(x∈ℝ^p) := Σ_{{j<p}} (1 − 𝟙(|x_j| ≤ 0))
         holds
           {}",
        goals.join("; ")
    ))
}

/// Hypothesis number n, for the last two variables x and y.
fn of_pair(h: &Context, n: usize) -> Proof {
    let before = |n| h.beginning(h.items().len() - n);
    let all = instance(&before(1), &given(&before(2), n)?, &var("x"))?;
    instance(h, &all, &var("y"))
}

/// A constant for l is one for k ≤ l.
fn fewer(h: &Context, goal: &Goal, square: &str) -> Proof {
    let sparse = |x: &str| {
        let here = &h.extended(Item::Assume(written(h, &format!("S({x}) ≤ k"))?))?;
        let parts: &[(&str, &[&Theorem])] =
            &[("1", &[&given(here, 2)?]), ("1", &[&given(here, 0)?])];
        union(&discharge(&show(here, &format!("S({x}) ≤ l"), parts)?)?)
    };
    let (all, missed) = (of_pair(h, 1)?, missed(square));
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&all]),
        (&format!("{missed}·𝟙(S(x) ≤ l)"), &[&sparse("y")?]),
        (&format!("{missed}·𝟙(S(y) ≤ k)"), &[&sparse("x")?]),
    ];
    settle(h, goal, parts)
}

/// A constant for k ≥ p is one for all vectors.
fn full(h: &Context, goal: &Goal, square: &str) -> Proof {
    let sparse = |x: &str| {
        union(&show(
            h,
            &format!("S({x}) ≤ k"),
            &[("1", &[&given(h, 0)?])],
        )?)
    };
    let (all, missed) = (of_pair(h, 1)?, missed(square));
    let gap = term(h, &format!("{} − f(y)[o]", model(square)))?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&larger(h, &gap, &num(0), false)?]),
        ("1", &[&all]),
        (&format!("{missed}·𝟙(S(x) ≤ k)"), &[&sparse("y")?]),
        (&missed, &[&sparse("x")?]),
    ];
    settle(h, goal, parts)
}

/// A constant for all vectors is one for every k.
fn any(h: &Context, goal: &Goal, square: &str) -> Proof {
    let below = format!("{} − f(y)[o] ≤ 0", model(square));
    let below = show(h, &below, &[("1", &[&of_pair(h, 0)?])])?;
    let most = largest(&below, &show(h, "0 ≤ 0", &[])?)?;
    settle(h, goal, &[("𝟙(S(x) ≤ k)·𝟙(S(y) ≤ k)", &[&most])])
}

pub fn prove_monotone(statement: &Statement) -> Proof {
    let [one, two] = SQUARES;
    each(
        statement,
        &[
            &|h, goal| fewer(h, goal, one),
            &|h, goal| full(h, goal, one),
            &|h, goal| any(h, goal, one),
            &|h, goal| fewer(h, goal, two),
            &|h, goal| full(h, goal, two),
            &|h, goal| any(h, goal, two),
        ],
    )
}

/// `gcd-eq-38-repaired`: w is in W_{τ,α} if C(w, α) ≤ τ, and τ-sparse if S(w) ≤ τ; C counts the entries of modulus above α, S those that are
/// not 0.
pub fn equation_38() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer p ≥ 1
           define C(x∈ℝ^p, α) := Σ_{j<p} (1 − 𝟙(|x_j| ≤ α))
           define S(x∈ℝ^p) := Σ_{j<p} (1 − 𝟙(x_j ≤ 0)·𝟙(0 ≤ x_j))
           vector w ∈ ℝ^p
           real τ ≥ 0
         holds
           if C(w, 0) ≤ τ: S(w) ≤ τ; if S(w) ≤ τ: C(w, 0) ≤ τ",
    )
}

/// 1\[|w_i| ≤ 0\] ≤ 1\[w_i ≤ 0\]·1\[0 ≤ w_i\] for the last variable i.
fn both_signs(i: &Context) -> Proof {
    let (size, zero, w) = (term(i, "|w_i|")?, num(0), term(i, "w_i")?);
    let goal = "𝟙(|w_i| ≤ 0) ≤ 𝟙(w_i ≤ 0)·𝟙(0 ≤ w_i)";
    let yes = |here: &Context, fact: &Theorem| {
        let (up, down) = (below_modulus(here, &w)?, above_modulus(here, &w)?);
        let one = union(&show(here, "w_i ≤ 0", &[("1", &[&up]), ("1", &[fact])])?)?;
        let other = union(&show(here, "0 ≤ w_i", &[("1", &[&down]), ("1", &[fact])])?)?;
        let most = at_most_one(here, &term(here, "𝟙(|w_i| ≤ 0)")?)?;
        show(
            here,
            goal,
            &[("1", &[&one]), ("𝟙(w_i ≤ 0)", &[&other]), ("1", &[&most])],
        )
    };
    split(i, [&size, &zero], yes, |here, none| {
        show(here, goal, &[("1", &[none])])
    })
}

/// 1\[w_i ≤ 0\]·1\[0 ≤ w_i\] ≤ 1\[|w_i| ≤ 0\] for the last variable i.
fn no_size(i: &Context) -> Proof {
    let (zero, w) = (num(0), term(i, "w_i")?);
    let goal = "𝟙(w_i ≤ 0)·𝟙(0 ≤ w_i) ≤ 𝟙(|w_i| ≤ 0)";
    let yes = |here: &Context, up: &Theorem| {
        let both = |here: &Context, down: &Theorem| {
            let square = root_increases(&show(here, "w_i² ≤ 0²", &[("1", &[up, down])])?)?;
            let none = union(&show(here, "|w_i| ≤ 0", &[("1", &[&square])])?)?;
            let most = |text: &str| at_most_one(here, &term(here, text)?);
            let (one, other) = (most("𝟙(w_i ≤ 0)")?, most("𝟙(0 ≤ w_i)")?);
            show(
                here,
                goal,
                &[("1", &[&none]), ("1", &[&one]), ("𝟙(w_i ≤ 0)", &[&other])],
            )
        };
        let no = |here: &Context, none: &Theorem| show(here, goal, &[("𝟙(w_i ≤ 0)", &[none])]);
        split(here, [&zero, &w], both, no)
    };
    split(i, [&w, &zero], yes, |here, none| {
        show(here, goal, &[("𝟙(0 ≤ w_i)", &[none])])
    })
}

pub fn prove_equation_38(statement: &Statement) -> Proof {
    let i = &with_index(&statement.context, "i")?;
    let [one, other] = [both_signs(i)?, no_size(i)?].map(|fact| sum_over(&fact));
    let (one, other) = (one?, other?);
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[("1", &[&one]), ("1", &[&given(h, 0)?])]),
            &|h, goal| settle(h, goal, &[("1", &[&other]), ("1", &[&given(h, 0)?])]),
        ],
    )
}
