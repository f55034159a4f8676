//! Displays about numbers: identities, and inequalities that a square or one hypothesis decides.

use crate::moved::written::{Proof, all_goals, sides};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Fact, Part, both, combine, root_increases};
use dp_assay_kernel::search::exp::log_increases;
use dp_assay_kernel::search::{assumed, positive, real, together};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Term, app, mul, num, var};

fn count(name: &str) -> Item {
    Item::Var(name.into(), Sort::Count)
}

fn half(t: Term) -> Term {
    t / num(2)
}

/// `gcd-lem-B.2-proof-lines`: (12) and (14), (15), (17).
pub fn lemma_b_2() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           real g
           real η
           real a
           real b
           real c
           real d
           real M > 0
         holds
           ((−1)/M)·g·(g + η) + (1/(2·M))·(g + η)² = ((−1)/(2·M))·g² + (η²/2)/M; (−1)·(a²/2) ≤ \
               (−1)·((a + c)²/4) + c²/2; (−1)·((b + d)²/4) ≤ (−1)·(b²/8) + d²/4",
    )
}

/// The proof of [`lemma_b_2`]: what is left over are squares.
pub fn prove_lemma_b_2(statement: &Statement) -> Proof {
    let [a, b, c, d] = ["a", "b", "c", "d"].map(var);
    let first = (a - c).pow(2) / num(4);
    let second = (b + mul([num(2), d])).pow(2) / num(8);
    let square = |t: Term| vec![Part::new(t, [])];
    together(statement, vec![vec![], square(first), square(second)])
}

/// `gcd-lem-B.4-proof-sign-repaired`: the expansion with its signs put right.
pub fn lemma_b_4() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           real ξ
           real u
           real ω
           real c₀ > 0
         holds
           (1 − ω)·(ξ − u) − (ξ − u)²/c₀ = ξ − ω·ξ − u + ω·u − ξ²/c₀ + 2·ξ·u/c₀ − u²/c₀; ξ − ω·ξ − \
               u + ω·u − ξ²/c₀ + 2·ξ·u/c₀ − u²/c₀ = ξ − ξ²/c₀ − u + ω·u − u²/c₀ − (ω·ξ − 2·ξ·u/c₀)",
    )
}

/// The proof of identities.
///
/// # Errors
/// If one does not hold as normal forms.
pub fn prove_identities(statement: &Statement) -> Proof {
    together(statement, vec![])
}

/// `kl-thm-4-rate-intro-repaired`: d/(n²ρ) + 1/(n√ρ) ≤ 2d/(n²ρ) for d ≥ n√ρ.
pub fn rate_intro() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           real ρ > 0
           assume n·√(ρ) ≤ d
         holds
           d/(n²·ρ) + 1/(n·√(ρ)) ≤ 2·(d/(n²·ρ))",
    )
}

/// The proof of [`rate_intro`], or of a statement with another constant.
pub fn prove_rate_intro(statement: &Statement) -> Proof {
    let context = &statement.context;
    let small = mul([var("n"), var("ρ").sqrt()]);
    let large = assumed(context, &Goal::Le(small, var("d")))?;
    let unit = num(1) / mul([var("n").pow(2), var("ρ")]);
    together(statement, vec![vec![Part::new(unit, [Fact::from(&large)])]])
}

/// `ambssgd-eq-8-9-repaired`, n being N and l log(1/δ̂): (3/2)√(l/N) + 2/N ≤ 2√(l/N) for N·l ≥ 16, and 1.25/δ₀ = 1.25·e^ε̂·N/(c₂δ) for
/// δ₀ = c₂δ/(e^ε̂·N).
pub fn equations_8_9() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           real l > 0
           assume 16 ≤ n·l
           real ε > 0
           real δ > 0
           real c₂ > 0
         holds
           (3/2)·√(l/n) + 2/n ≤ 2·√(l/n); (5/4)/(c₂·δ/(exp(ε)·n)) = (5/4)·(exp(ε)·n)/(c₂·δ)",
    )
}

/// The proof of [`equations_8_9`], or of a statement with other constants: 4/N ≤ √(l/N).
pub fn prove_equations_8_9(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [n, l] = ["n", "l"].map(var);
    let long = assumed(context, &Goal::Le(num(16), mul([n.clone(), l.clone()])))?;
    let square = Goal::Le((num(4) / n.clone()).pow(2), l / n.clone());
    let unit = num(1) / n.pow(2);
    let square = combine(context, square, &[Part::new(unit, [Fact::from(&long)])])?;
    let root = root_increases(&square)?;
    let parts = vec![Part::new(num(1) / num(2), [Fact::from(&root)])];
    together(statement, vec![parts])
}

/// `gcd-thm-4.4-cvx-gap-repaired`: with the noise λ = (8L/(nε))·√(T·l) and β = 2λ²g²/M, √(32R²β) and
/// 64RLg√(T·l)/(√M·nε) are at most each other; l is log(1/δ), g is log(8Tp/ζ), L and M are L_max and M_min.
pub fn gap() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer T ≥ 1
           integer p ≥ 1
           real ε > 0
           real δ > 0
           real ζ > 0
           real l > 0
           assume l = log(1/δ)
           real g > 0
           assume g = log(8·T·p/ζ)
           real R > 0
           real L > 0
           real M > 0
           define λ := (8·L/(n·ε))·√(T·l)
           define β := 2·λ²·g²/M
         holds
           √(32·R²·β) ≤ 64·R·L·g·√(T·l)/(√(M)·n·ε); 64·R·L·g·√(T·l)/(√(M)·n·ε) ≤ √(32·R²·β)",
    )
}

/// The proof of [`gap`]: both are ≥ 0, and their squares are equal.
pub fn prove_gap(statement: &Statement) -> Proof {
    let (context, goals) = (&statement.context, all_goals(statement));
    let mut proved = Vec::new();
    for goal in goals {
        let [left, right] = sides(goal)?;
        let squares = Goal::Le(left.pow(2), right.pow(2));
        proved.push(root_increases(&combine(context, squares, &[])?)?);
    }
    both(context, &proved.iter().collect::<Vec<_>>())
}

/// `kl-thm-9-proof-repaired`: log(2T/β) ≤ log(n²l²/(dβ)) for T = n²ρl²/d and ρ ≤ 1/2, l being log(2/β).
pub fn proof_of_theorem_9() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           real β > 0
           real l > 0
           assume l = log(2/β)
           real ρ > 0
           assume ρ ≤ 1/2
           define T := (n²·l²)·ρ/d
         holds
           log(2·T/β) ≤ log(n²·l²/(d·β))",
    )
}

/// The proof of [`proof_of_theorem_9`]: the logarithm increases.
pub fn prove_proof_of_theorem_9(statement: &Statement) -> Proof {
    let context = &statement.context;
    let small = assumed(context, &Goal::Le(var("ρ"), half(num(1))))?;
    let squares = mul([var("n").pow(2), var("l").pow(2)]);
    let right = squares / mul([var("d"), var("β")]);
    let left = mul([num(2), app("T", [])]) / var("β");
    let unit = mul([num(2), right.clone()]);
    let parts = vec![Part::new(unit, [Fact::from(&small)])];
    log_increases(&combine(context, Goal::Le(left, right), &parts)?)
}

/// `gcd-disc-quasi-alpha`: α² ≤ C·L²T/(Mμpn²ε²) makes (T + τ)(p − τ)α² at most C·L²T(T + τ)/(Mμn²ε²).
pub fn quasi_sparse() -> Result<Statement, Stuck> {
    let above = mul([var("C"), var("L").pow(2), var("T")]);
    let below = mul([var("M"), var("μ"), var("n").pow(2), var("ε").pow(2)]);
    let small = Goal::Le(
        var("α").pow(2),
        above.clone() / mul([below.clone(), var("p")]),
    );
    let names = ["C", "L", "M", "μ", "ε"];
    let positives = names.iter().map(|x| positive(x));
    let counts = ["n", "T", "τ", "p"].iter().map(|x| count(x));
    let more = [
        Item::Assume(Goal::Le(var("τ"), var("p"))),
        real("α", Sign::Any),
        Item::Assume(small),
    ];
    let context = Context::default().with(positives.chain(counts).chain(more))?;
    let rounds = var("T") + var("τ");
    let left = mul([rounds.clone(), var("p") - var("τ"), var("α").pow(2)]);
    let goal = Goal::Le(left, mul([above, rounds]) / below);
    Ok(Statement { context, goal })
}

/// The proof of [`quasi_sparse`], or of a statement with other constants: p − τ ≤ p.
pub fn prove_quasi_sparse(statement: &Statement) -> Proof {
    let context = &statement.context;
    let small = context.items().iter().find_map(|item| match item {
        Item::Assume(goal @ Goal::Le(left, _)) if *left == var("α").pow(2) => Some(goal),
        _ => None,
    });
    let small = assumed(
        context,
        small.ok_or_else(|| Stuck::new("α is not bounded"))?,
    )?;
    let rounds = mul([var("T") + var("τ"), var("p")]);
    together(
        statement,
        vec![vec![Part::new(rounds, [Fact::from(&small)])]],
    )
}
