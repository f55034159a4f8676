//! Displays about numbers: identities, and inequalities that a square or one hypothesis decides.

use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Fact, Part, Theorem, both, combine, root_increases};
use dp_assay_kernel::search::exp::log_increases;
use dp_assay_kernel::search::{assumed, positive, real, together};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Term, app, mul, num, var};

fn count(name: &str) -> Item {
    Item::Var(name.into(), Sort::Count)
}

fn define(name: &str, body: Term) -> Item {
    Item::Define(name.into(), vec![], body)
}

fn half(t: Term) -> Term {
    t / num(2)
}

/// `gcd-lem-B.2-proof-lines`: (12) and (14), (15), (17).
pub fn lemma_b_2() -> Result<Statement, Stuck> {
    let names = ["g", "η", "a", "b", "c", "d"];
    let reals = names.iter().map(|x| real(x, Sign::Any));
    let context = Context::default().with(reals.chain([positive("M")]))?;
    let [g, eta, a, b, c, d] = names.map(var);
    let m = || var("M");
    let noisy = g.clone() + eta.clone();
    let left = mul([num(-1) / m(), g.clone(), noisy.clone()])
        + mul([num(1) / mul([num(2), m()]), noisy.pow(2)]);
    let right = mul([num(-1) / mul([num(2), m()]), g.pow(2)]) + half(eta.pow(2)) / m();
    let minus = |t: Term, n: i64| num(-1) * (t / num(n));
    let goal = Goal::Both(vec![
        Goal::Eq(left, right),
        Goal::Le(
            minus(a.pow(2), 2),
            minus((a + c.clone()).pow(2), 4) + half(c.pow(2)),
        ),
        Goal::Le(
            minus((b.clone() + d.clone()).pow(2), 4),
            minus(b.pow(2), 8) + d.pow(2) / num(4),
        ),
    ]);
    Ok(Statement { context, goal })
}

/// The proof of [`lemma_b_2`]: what is left over are squares.
pub fn prove_lemma_b_2(statement: &Statement) -> Result<Theorem, Stuck> {
    let [a, b, c, d] = ["a", "b", "c", "d"].map(var);
    let first = (a - c).pow(2) / num(4);
    let second = (b + mul([num(2), d])).pow(2) / num(8);
    let square = |t: Term| vec![Part::new(t, [])];
    together(statement, vec![vec![], square(first), square(second)])
}

/// `gcd-lem-B.4-proof-sign-repaired`: the expansion with its signs put right.
pub fn lemma_b_4() -> Result<Statement, Stuck> {
    let names = ["ξ", "u", "ω"];
    let reals = names.iter().map(|x| real(x, Sign::Any));
    let context = Context::default().with(reals.chain([positive("c₀")]))?;
    let [xi, u, omega] = names.map(var);
    let c = || var("c₀");
    let gap = xi.clone() - u.clone();
    let first = mul([num(1) - omega.clone(), gap.clone()]) - gap.pow(2) / c();
    let cross = mul([num(2), xi.clone(), u.clone()]) / c();
    let middle = xi.clone() - mul([omega.clone(), xi.clone()]) - u.clone()
        + mul([omega.clone(), u.clone()])
        - xi.pow(2) / c()
        + cross
        - u.pow(2) / c();
    let lost = mul([omega.clone(), xi.clone()]) - mul([num(2), xi.clone(), u.clone()]) / c();
    let last =
        xi.clone() - xi.pow(2) / c() - u.clone() + mul([omega, u.clone()]) - u.pow(2) / c() - lost;
    let goal = Goal::Both(vec![
        Goal::Eq(first, middle.clone()),
        Goal::Eq(middle, last),
    ]);
    Ok(Statement { context, goal })
}

/// The proof of identities.
///
/// # Errors
/// If one does not hold as normal forms.
pub fn prove_identities(statement: &Statement) -> Result<Theorem, Stuck> {
    together(statement, vec![])
}

/// `kl-thm-4-rate-intro-repaired`: d/(n²ρ) + 1/(n√ρ) ≤ 2d/(n²ρ) for d ≥ n√ρ.
pub fn rate_intro() -> Result<Statement, Stuck> {
    let small = mul([var("n"), var("ρ").sqrt()]);
    let context = Context::default().with([
        count("n"),
        count("d"),
        positive("ρ"),
        Item::Assume(Goal::Le(small.clone(), var("d"))),
    ])?;
    let rate = var("d") / mul([var("n").pow(2), var("ρ")]);
    let goal = Goal::Le(rate.clone() + num(1) / small, mul([num(2), rate]));
    Ok(Statement { context, goal })
}

/// The proof of [`rate_intro`], or of a statement with another constant.
pub fn prove_rate_intro(statement: &Statement) -> Result<Theorem, Stuck> {
    let context = &statement.context;
    let small = mul([var("n"), var("ρ").sqrt()]);
    let large = assumed(context, &Goal::Le(small, var("d")))?;
    let unit = num(1) / mul([var("n").pow(2), var("ρ")]);
    together(statement, vec![vec![Part::new(unit, [Fact::from(&large)])]])
}

/// `ambssgd-eq-8-9-repaired`, n being N and l log(1/δ̂): (3/2)√(l/N) + 2/N ≤ 2√(l/N) for N·l ≥ 16, and 1.25/δ₀ = 1.25·e^ε̂·N/(c₂δ) for
/// δ₀ = c₂δ/(e^ε̂·N).
pub fn equations_8_9() -> Result<Statement, Stuck> {
    let [n, l] = ["n", "l"].map(var);
    let grown = mul([var("ε").exp(), n.clone()]);
    let context = Context::default().with([
        count("n"),
        positive("l"),
        Item::Assume(Goal::Le(num(16), mul([n.clone(), l.clone()]))),
        positive("ε"),
        positive("δ"),
        positive("c₂"),
    ])?;
    let root = (l / n.clone()).sqrt();
    let share = mul([var("c₂"), var("δ")]);
    let quarter = || num(5) / num(4);
    let goal = Goal::Both(vec![
        Goal::Le(
            mul([num(3) / num(2), root.clone()]) + num(2) / n,
            mul([num(2), root]),
        ),
        Goal::Eq(
            quarter() / (share.clone() / grown.clone()),
            mul([quarter(), grown]) / share,
        ),
    ]);
    Ok(Statement { context, goal })
}

/// The proof of [`equations_8_9`], or of a statement with other constants: 4/N ≤ √(l/N).
pub fn prove_equations_8_9(statement: &Statement) -> Result<Theorem, Stuck> {
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
    let [r, l, m, g] = ["R", "L", "M", "g"].map(var);
    let root = mul([var("T"), var("l")]).sqrt();
    let scale = mul([num(8), l.clone()]) / mul([var("n"), var("ε")]);
    let noise = mul([num(2), app("λ", []).pow(2), g.pow(2)]) / m.clone();
    let logarithm = (mul([num(8), var("T"), var("p")]) / var("ζ")).log();
    let context = Context::default().with([
        count("n"),
        count("T"),
        count("p"),
        positive("ε"),
        positive("δ"),
        positive("ζ"),
        positive("l"),
        Item::Assume(Goal::Eq(var("l"), (num(1) / var("δ")).log())),
        positive("g"),
        Item::Assume(Goal::Eq(g.clone(), logarithm)),
        positive("R"),
        positive("L"),
        positive("M"),
        define("λ", mul([scale, root.clone()])),
        define("β", noise),
    ])?;
    let proof = mul([num(32), r.pow(2), app("β", [])]).sqrt();
    let below = mul([m.sqrt(), var("n"), var("ε")]);
    let printed = mul([num(64), r, l, g, root]) / below;
    let goal = Goal::Both(vec![
        Goal::Le(proof.clone(), printed.clone()),
        Goal::Le(printed, proof),
    ]);
    Ok(Statement { context, goal })
}

/// The proof of [`gap`]: both are ≥ 0, and their squares are equal.
pub fn prove_gap(statement: &Statement) -> Result<Theorem, Stuck> {
    let (context, Goal::Both(goals)) = (&statement.context, &statement.goal) else {
        return Err(Stuck::new("not two inequalities"));
    };
    let mut proved = Vec::new();
    for goal in goals {
        let Goal::Le(left, right) = goal else {
            return Err(Stuck::new("no inequality"));
        };
        let squares = Goal::Le(left.pow(2), right.pow(2));
        proved.push(root_increases(&combine(context, squares, &[])?)?);
    }
    both(context, &proved.iter().collect::<Vec<_>>())
}

/// `kl-thm-9-proof-repaired`: log(2T/β) ≤ log(n²l²/(dβ)) for T = n²ρl²/d and ρ ≤ 1/2, l being log(2/β).
pub fn proof_of_theorem_9() -> Result<Statement, Stuck> {
    let squares = mul([var("n").pow(2), var("l").pow(2)]);
    let rounds = mul([squares.clone(), var("ρ")]) / var("d");
    let context = Context::default().with([
        count("n"),
        count("d"),
        positive("β"),
        positive("l"),
        Item::Assume(Goal::Eq(var("l"), (num(2) / var("β")).log())),
        positive("ρ"),
        Item::Assume(Goal::Le(var("ρ"), half(num(1)))),
        define("T", rounds),
    ])?;
    let left = mul([num(2), app("T", [])]) / var("β");
    let right = squares / mul([var("d"), var("β")]);
    let goal = Goal::Le(left.log(), right.log());
    Ok(Statement { context, goal })
}

/// The proof of [`proof_of_theorem_9`]: the logarithm increases.
pub fn prove_proof_of_theorem_9(statement: &Statement) -> Result<Theorem, Stuck> {
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
pub fn prove_quasi_sparse(statement: &Statement) -> Result<Theorem, Stuck> {
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
