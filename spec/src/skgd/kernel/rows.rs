//! Table 1 and Section 4.3: the strongly convex rows.
//!
//! ℓ_j is the Lipschitz constant of the one set with j that is drawn, and B is ‖ℓ‖_{M⁻¹} (see [`super::sampling`]).

use super::comparison::with_index;
use super::sampling::OF_SET;
use super::strong::{context, context_with, contracts, rate_of};
use crate::moved::written::{Proof, each, extended, given, goal, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, convex, discharge, instance, limit, stationary, sum_over};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{item, positive};
use dp_assay_kernel::statement::{Context, Goal, Sign, Sort, Statement};
use dp_assay_kernel::term::{Term, mul, num, var};

/// A statement about the strongly convex rate in a longer context; `risk ≤ rate·x` of its goals says that the risk is at most the rate
/// with x for A·Σ².
fn rows(context: &Context, items: &[&str], goals: &str) -> Result<Statement, Stuck> {
    let context = extended(context, &items.concat())?;
    let rate = "𝔼_{w∼end(Alg1)}[f(w)] − f(w⋆) ≤ (122 + 120·λ)·(c/T)·";
    let goal = goal(&context, &goals.replace("risk ≤ rate·", rate))?;
    Ok(Statement { context, goal })
}

/// Σ² = B², from E L_S²·1\[i∈S\] = `constant`²·P(i∈S), which is hypothesis number n.
fn spread(h: &Context, n: usize, constant: &str) -> Proof {
    let i = &with_index(h, "i")?;
    let of = instance(i, &given(h, n)?, &var("i"))?;
    let one = format!("𝔼_{{S∼𝒮}}[L_S²·𝟙[i∈S]]/(ℙ(i∈𝒮)·M_i) = {constant}²/M_i");
    sum_over(&show(i, &one, &[("1/(ℙ(i∈𝒮)·M_i)", &[&of])])?)
}

const RATE: &str = "𝔼_{w∼end(Alg1)}[f(w)] − f(w⋆) ≤ (122 + 120·λ)·A·(c/T)·Σ𝒮²";

/// `skgd-tab-1-repaired`: μA is the largest M_j/p_j of the general row. In the others q_j is the largest M in the block of j, Z the
/// sum of the blocks' largest and m the largest of all; b = d are the rows of single coordinates, for which q = M and Z = Tr(M),
/// and full sampling is b = 1 with one constant ℒ.
pub fn table() -> Result<Statement, Stuck> {
    let more = "
    integer b ≥ 1
    real m > 0
    real Z > 0
    real ℒ > 0
    vector q ∈ ℝ^d, all > 0";
    let goals = "risk ≤ rate·(B²·(1/μ)·(μ·A)); if for every index j<d: ℙ(j∈𝒮) = 1/b: if for every \
        index j<d: M_j ≤ m: for every index i<d: M_i/ℙ(i∈𝒮) ≤ m·b; if μ·A = m·b: risk ≤ \
        rate·(B²·(1/μ)·m·b); if for every index j<d: ℙ(j∈𝒮) = q_j/Z: if for every index j<d: M_j ≤ \
        q_j: for every index i<d: M_i/ℙ(i∈𝒮) ≤ Z; if μ·A = Z: risk ≤ rate·(B²·(1/μ)·Z); if for \
        every index j<d: ℓ_j = ℒ: if μ·A = m: risk ≤ rate·(ℒ²·(Σ_{j<d} 1/M_j)·(1/μ)·m)";
    rows(&context()?, &[OF_SET, more], goals)
}

/// The proof of [`table`], or of a statement with larger constants.
pub fn prove_table(statement: &Statement) -> Proof {
    let context = &statement.context;
    let rate = rate_of(context, &contracts(context)?, goal(context, RATE)?)?;
    let spread = spread(context, 10, "ℓ_i")?;
    let unit = "(122 + 120·λ)·A·(c/T)";
    let factor = "(122 + 120·λ)·(c/T)·B²/μ";
    let general: &[(&str, &[&Theorem])] = &[("1", &[&rate]), (unit, &[&spread])];
    let row = |h: &Context, goal: &Goal| {
        let condition = given(h, 11)?;
        settle(h, goal, &[general, &[(factor, &[&condition])]].concat())
    };
    let weight = |h: &Context, goal: &Goal, most: &str| {
        let (share, largest) = (given(h, 11)?, given(h, 12)?);
        let (share, largest) = (
            instance(h, &share, &var("i"))?,
            instance(h, &largest, &var("i"))?,
        );
        let parts: &[(&str, &[&Theorem])] = &[
            ("1/ℙ(i∈𝒮)", &[&largest]),
            (&format!("(−1)·{most}/ℙ(i∈𝒮)"), &[&share]),
        ];
        settle(h, goal, parts)
    };
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, general),
            &|h, goal| weight(h, goal, "m·b"),
            &row,
            &|h, goal| weight(h, goal, "Z"),
            &row,
            &|h, goal| {
                let i = &with_index(h, "i")?;
                let equal = instance(i, &given(h, 11)?, &var("i"))?;
                let equal = show(i, "ℓ_i²/M_i = ℒ²/M_i", &[("(ℓ_i + ℒ)/M_i", &[&equal])])?;
                let (equal, condition) = (sum_over(&equal)?, given(h, 12)?);
                let rest: &[(&str, &[&Theorem])] = &[
                    (factor, &[&condition]),
                    ("(122 + 120·λ)·(c/T)·(1/μ)·m", &[&equal]),
                ];
                settle(h, goal, &[general, rest].concat())
            },
        ],
    )
}

/// f is convex as said, in the norm M, with the constant μ.
const STRONGLY_CONVEX: &str = "for every vector x ∈ ℝ^d: for every vector y ∈ ℝ^d: f(x) + Σ_{j<d} \
    ∂_j f(x)·(y_j − x_j) + (μ/2)·(Σ_{j<d} M_j·(y_j − x_j)²) ≤ f(y)";

/// Of the norm M, strong convexity with the constant μ as in [`STRONGLY_CONVEX`], with another constant.
fn of_norm(constant: &str) -> String {
    STRONGLY_CONVEX.replace("(μ/2)", &format!("({constant}/2)"))
}

/// The same for the Euclidean norm.
fn plain(constant: &str) -> String {
    of_norm(constant).replace("M_j·(y_j", "(y_j")
}

/// The context of the strongly convex rate where f is strongly convex in the norm M and all P(j∈S) are 1/`b`, A being `b`/μ.
fn by_norm(b: &str) -> Result<Context, Stuck> {
    let plain = context_with(vec![])?;
    let conditions = [
        STRONGLY_CONVEX.to_owned(),
        format!("for every index j<d: ℙ(j∈𝒮) = 1/{b}"),
        format!("μ·A = {b}"),
    ];
    let conditions: Result<Vec<Goal>, Stuck> = conditions.iter().map(|t| goal(&plain, t)).collect();
    context_with(conditions?)
}

/// ‖w − w⋆‖² ≤ 2A(f(w) − f(w⋆)) in the norm MP⁻¹ for every w, in the context of [`by_norm`].
fn contracts_by_norm(context: &Context, b: &str) -> Proof {
    let here = &context.extended(item("w", Sort::Vector(var("d"), Sign::Any)))?;
    let i = &with_index(here, "i")?;
    let (least, strong) = (given(context, 1)?, given(context, 2)?);
    let strong = instance(here, &instance(here, &strong, &var("w⋆"))?, &var("w"))?;
    let slope = stationary(i, &least, "i")?;
    let flat = show(
        i,
        "∂_i f(w⋆)·(w_i − w⋆_i) = 0",
        &[("w_i − w⋆_i", &[&slope])],
    )?;
    let share = instance(i, &given(context, 3)?, &var("i"))?;
    let square = "M_i·(w_i − w⋆_i)²";
    let entry = show(
        i,
        &format!("{square}/ℙ(i∈𝒮) = {b}·{square}"),
        &[(&format!("(−1)·{b}·{square}/ℙ(i∈𝒮)"), &[&share])],
    )?;
    let (entry, flat, size) = (sum_over(&entry)?, sum_over(&flat)?, given(context, 4)?);
    let gap = "(f(w) − f(w⋆))";
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&entry]),
        (&format!("2·{b}/μ"), &[&strong]),
        (&format!("(−2)·{b}/μ"), &[&flat]),
        (&format!("(−2)·{gap}/μ"), &[&size]),
    ];
    let goal = format!("Σ_{{j<d}} (M_j/ℙ(j∈𝒮))·(w_j − w⋆_j)² ≤ 2·A·{gap}");
    discharge(&show(here, &goal, parts)?)
}

/// `skgd-cmp-cd-sc-repaired`: μ is the constant of strong convexity in the norm M, of which ν/m is one if f is ν-strongly convex.
pub fn single() -> Result<Statement, Stuck> {
    let more = "
    real m > 0
    real ν > 0
    assume for every index j<d: M_j ≤ m";
    let [strong, weak] = [plain("ν"), of_norm("(ν/m)")];
    let goals = format!("risk ≤ rate·(B²·d/μ); if {strong}: {weak}; if ν/m ≤ μ: B²·d/μ ≤ B²·d·m/ν");
    rows(&by_norm("d")?, &[OF_SET, more], &goals)
}

/// A row's bound from the rate, what Σ𝒮 comes to, and A: `norms` stands for the squares of Lipschitz constants over the M_j.
fn bounded(h: &Context, goal: &Goal, [rate, spread, size]: [&Theorem; 3], norms: &str) -> Proof {
    let last = format!("(122 + 120·λ)·(c/T)·{norms}/μ");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[rate]),
        ("(122 + 120·λ)·A·(c/T)", &[spread]),
        (&last, &[size]),
    ];
    settle(h, goal, parts)
}

/// The proof of [`single`], or of a statement with larger constants.
pub fn prove_single(statement: &Statement) -> Proof {
    let context = &statement.context;
    let every = contracts_by_norm(context, "d")?;
    let rate = rate_of(context, &every, goal(context, RATE)?)?;
    let (spread, size) = (spread(context, 11, "ℓ_i")?, given(context, 4)?);
    each(
        statement,
        &[
            &|h, goal| bounded(h, goal, [&rate, &spread, &size], "B²"),
            &|h, goal| {
                let i = &with_index(h, "i")?;
                let largest = instance(i, &given(h, 12)?, &var("i"))?;
                let before = |n| h.beginning(h.items().len() - n);
                let strong = instance(&before(1), &given(&before(2), 13)?, &var("x"))?;
                let strong = instance(h, &strong, &var("y"))?;
                let one = "((ν/m)/2)·M_i·(y_i − x_i)² ≤ (ν/2)·(y_i − x_i)²";
                let one = show(i, one, &[("(ν/(2·m))·(y_i − x_i)²", &[&largest])])?;
                settle(h, goal, &[("1", &[&sum_over(&one)?]), ("1", &[&strong])])
            },
            &|h, goal| settle(h, goal, &[("B²·d·m/(μ·ν)", &[&given(h, 13)?])]),
        ],
    )
}

/// `skgd-cmp-sgd-sc-true-mu`: the bound with the constant μ of the norm M; and for f = f(w⋆) + ½‖x − w⋆‖²_M the largest μ is 1 and the
/// largest of the Euclidean norm is M_q = M_min = κ·M_max, so that 1/1·Tr(M⁻¹) is that multiple of d/M_min.
pub fn full() -> Result<Statement, Stuck> {
    let more = "
    real ℒ > 0
    assume for every index j<d: 𝔼_{S∼𝒮}[L_S²·𝟙[j∈S]] = ℒ²·ℙ(j∈𝒮)
    index q<d
    real m > 0
    real κ > 0
    real ν > 0
    assume κ ≤ 1
    assume M_q = κ·m
    assume for every index j<d: (1 − 𝟙[j=q])·M_j = (1 − 𝟙[j=q])·m";
    let quadratic = "for every vector x ∈ ℝ^d: f(x) = f(w⋆) + (1/2)·(Σ_{j<d} M_j·(x_j − w⋆_j)²)";
    let [one, least, other] = [of_norm("1"), plain("M_q"), plain("ν")];
    let goals = format!(
        "risk ≤ rate·(ℒ²·(Σ_{{j<d}} 1/M_j)/μ); if {quadratic}: {one}; if {quadratic}: μ ≤ 1; if \
            {quadratic}: {least}; if {quadratic}: if {other}: ν ≤ M_q; ℒ²·(Σ_{{j<d}} 1/M_j)/1 = \
            ((1 + (d − 1)·κ)/d)·(ℒ²·d/M_q)"
    );
    rows(&by_norm("1")?, &[more], &goals)
}

/// In a context with x, and one in which f is as said, ∂_i f(x) = M_i·(x_i − w⋆_i) as two inequalities: convexity towards x ± t·e_i,
/// t → 0.
fn slopes(i: &Context, quadratic: &Theorem) -> Result<[Theorem; 2], Stuck> {
    let t = &i.extended(positive("t"))?;
    let of = |z: &Term| instance(t, quadratic, z);
    let here = of(&var("x"))?;
    let one = |sign: &str, goal: &str| {
        let z = term(t, &format!("⟨x_l {sign} t·𝟙[l=i] : l<d⟩"))?;
        let (there, above) = (of(&z)?, convex(t, "f", &var("x"), &z)?);
        let parts: &[(&str, &[&Theorem])] =
            &[("1/t", &[&above]), ("1/t", &[&there]), ("(−1)/t", &[&here])];
        limit(&show(t, goal, parts)?)
    };
    Ok([
        one("+", "∂_i f(x) ≤ M_i·(x_i − w⋆_i) + (M_i/2)·t")?,
        one("−", "M_i·(x_i − w⋆_i) ≤ ∂_i f(x) + (M_i/2)·t")?,
    ])
}

/// Strong convexity at x towards y of f as said in the last hypothesis, with weights that are at most the M_i, as `least` says: it
/// adds to M_i what is 0 when summed over i.
fn quadratic_is_convex(h: &Context, goal: &Goal, least: &dyn Fn(&Context) -> Proof) -> Proof {
    let quadratic = given(&h.beginning(h.items().len() - 2), 15)?;
    let i = &with_index(h, "i")?;
    let [above, below] = slopes(&with_index(h, "i")?, &quadratic)?;
    let (apart, zero) = (term(i, "y_i − x_i")?, num(0));
    let entry = either(i, [&apart, &zero], |here, given, negative| {
        let text = "∂_i f(x)·(y_i − x_i) ≤ M_i·(x_i − w⋆_i)·(y_i − x_i)";
        show(
            here,
            text,
            &[("1", &[if negative { &below } else { &above }, given])],
        )
    })?;
    let least = least(i)?;
    let Some([weight, most]) = least.statement().goal.sides() else {
        return Err(Stuck::new("no weights"));
    };
    let half = term(i, "(y_i − x_i)²/2")?;
    let [weight, most] = [weight, most].map(|t| mul([t.clone(), half.clone()]));
    let smaller = settle(i, &Goal::Le(weight, most), &[("(y_i − x_i)²/2", &[&least])])?;
    let [x, y] = [
        instance(h, &quadratic, &var("x"))?,
        instance(h, &quadratic, &var("y"))?,
    ];
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&sum_over(&entry)?]),
        ("1", &[&sum_over(&smaller)?]),
        ("1", &[&x]),
        ("(−1)", &[&y]),
    ];
    settle(h, goal, parts)
}

/// The proof of [`full`], or of a statement with larger constants.
pub fn prove_full(statement: &Statement) -> Proof {
    let context = &statement.context;
    let every = contracts_by_norm(context, "1")?;
    let rate = rate_of(context, &every, goal(context, RATE)?)?;
    let (spread, size) = (spread(context, 11, "ℒ")?, given(context, 4)?);
    let (small, least, off) = (
        given(context, 12)?,
        given(context, 13)?,
        given(context, 14)?,
    );
    // 2/M_q times what strong convexity with a constant says from w⋆ to w⋆ + e_q.
    let along = |h: &Context, goal: &Goal, strong: &Theorem| {
        let there = term(h, "⟨w⋆_l + 𝟙[l=q] : l<d⟩")?;
        let strong = instance(h, &instance(h, strong, &var("w⋆"))?, &there)?;
        let value = instance(h, &given(h, 15)?, &there)?;
        let slope = stationary(h, &given(h, 1)?, "q")?;
        let twice = match goal {
            Goal::Le(a, _) if *a == var("ν") => "2",
            _ => "2/M_q",
        };
        let minus = format!("(−1)·{twice}");
        let parts: &[(&str, &[&Theorem])] =
            &[(twice, &[&strong]), (twice, &[&value]), (&minus, &[&slope])];
        settle(h, goal, parts)
    };
    each(
        statement,
        &[
            &|h, goal| bounded(h, goal, [&rate, &spread, &size], "ℒ²·(Σ_{j<d} 1/M_j)"),
            &|h, goal| quadratic_is_convex(h, goal, &|i| show(i, "M_i ≤ M_i", &[])),
            &|h, goal| along(h, goal, &given(h, 2)?),
            &|h, goal| {
                quadratic_is_convex(h, goal, &|i| {
                    let other = instance(i, &off, &var("i"))?;
                    let parts: &[(&str, &[&Theorem])] = &[
                        ("(−1)", &[&other]),
                        ("1 − 𝟙[i=q]", &[&least]),
                        ("(1 − 𝟙[i=q])²·m", &[&small]),
                    ];
                    show(i, "M_q ≤ M_i + 𝟙[i=q]·(M_q − M_i)", parts)
                })
            },
            &|h, goal| along(h, goal, &given(h, 16)?),
            &|h, goal| {
                let i = &with_index(h, "i")?;
                let other = instance(i, &off, &var("i"))?;
                let parts: &[(&str, &[&Theorem])] = &[
                    ("(1 − 𝟙[i=q])/M_i", &[&least]),
                    ("(−1)·κ·(1 − 𝟙[i=q])/M_i", &[&other]),
                ];
                let entry = show(i, "M_q/M_i = 𝟙[i=q]·M_q/M_i + (1 − 𝟙[i=q])·κ", parts)?;
                settle(h, goal, &[("ℒ²/M_q", &[&sum_over(&entry)?])])
            },
        ],
    )
}
