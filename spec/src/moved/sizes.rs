//! Displays about sizes: what bounds are at some number of records, and powers and series as exponentials.

use crate::moved::written::{Proof, goals};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{assume, both, combine, discharge, exp_log, tangent};
use dp_assay_kernel::search::exp::{
    exp_increases, exp_of_opposite, log_at_most, log_increases, log_product,
};
use dp_assay_kernel::search::{assumed, positive, together, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Statement};
use dp_assay_kernel::term::{Term, mul, num, var};

/// `ambssgd-cmp-regime-repaired`: for ε = c√d/√N with c ≤ 1 the bound σ²d/N + σ²d²/(ε²N²) is between r(c²·N) and twice that, r(x) =
/// σ²d/x being the bound without privacy.
pub fn regime() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           integer N′ ≥ 1
           real σ > 0
           real c > 0
           assume c ≤ 1
           real ε > 0
           assume ε = c·√(d)/√(N′)
           define r(x) := σ²·d/x
         holds
           r(c²·N′) ≤ r(N′) + σ²·d²/(ε²·N′²); r(N′) + σ²·d²/(ε²·N′²) ≤ 2·r(c²·N′)",
    )
}

/// The proof of [`regime`]: c²d − ε²N = (c√d − ε√N)(c√d + ε√N) is 0, and c² ≤ 1.
pub fn prove_regime(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [d, n, s, c, e] = ["d", "N′", "σ", "c", "ε"].map(var);
    let (small, named) = (assume(context, 4)?, assume(context, 6)?);
    let rate = mul([s.pow(2), d.clone()]) / n.clone();
    // c²d/N − ε², times σ²d²/(ε²N²)·N/(c²d): the two forms of what privacy costs.
    let both_ends = mul([c.clone(), d.sqrt()]) / n.sqrt() + e.clone();
    let forms = mul([s.pow(2), d]) / mul([n, c.pow(2), e.pow(2)]);
    let apart = |sign: i64| with(mul([num(sign), forms.clone(), both_ends.clone()]), &named);
    let factor = mul([rate, num(1) + c.clone()]) / c.pow(2);
    together(
        statement,
        vec![vec![apart(1)], vec![apart(-1), with(factor, &small)]],
    )
}

/// `ambssgd-cmp-sizes`, ℓ being log d: a(d·ℓ), b(d√d), and what follows for N from bounds on ε.
pub fn sizes() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           integer N′ ≥ 1
           real σ > 0
           real ε > 0
           real κ > 0
           real ℓ > 0
           assume ℓ = log(d)
           define a(x) := σ²·(d/x)·(1 + d/(ε²·x))
           define b(x) := d³/(ε²·x²)
         holds
           a(d·ℓ) = (σ²/ℓ)·(1 + 1/(ε²·ℓ)); b(d·√(d)) = 1/ε²; if √(d)/√(N′) ≤ ε: σ²·d²/(ε²·N′²) ≤ \
               σ²·d/N′; if κ·d/ε ≤ N′: if ε ≤ 1/√(N′): κ²·d² ≤ N′",
    )
}

/// √d/√N ≤ ε, ε ≤ 1/√N and κd/ε ≤ N.
fn hypotheses() -> [Goal; 3] {
    let [d, n, e, k] = ["d", "N′", "ε", "κ"].map(var);
    [
        Goal::Le(d.sqrt() / n.sqrt(), e.clone()),
        Goal::Le(e.clone(), num(1) / n.sqrt()),
        Goal::Le(mul([k, d]) / e, n),
    ]
}

/// The proof of [`sizes`]: ε² − d/N and N − κ²d² are differences of squares.
pub fn prove_sizes(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [first, second, Goal::If(_, smaller), Goal::If(_, many)] = goals(statement)? else {
        return Err(Stuck::new("not four sizes"));
    };
    let Goal::If(_, many) = &**many else {
        return Err(Stuck::new("not under two hypotheses"));
    };
    let [d, n, s, e, k] = ["d", "N′", "σ", "ε", "κ"].map(var);
    let [large, small, enough] = hypotheses();
    let given = |context: &Context, goal: &Goal| {
        let inner = context.extended(Item::Assume(goal.clone()))?;
        let theorem = assume(&inner, context.items().len())?;
        Ok::<_, Stuck>((inner, theorem))
    };
    let (inner, above) = given(context, &large)?;
    let rate = mul([s.pow(2), d.clone()]) / mul([e.pow(2), n.clone()]);
    let factor = mul([rate, e.clone() + d.sqrt() / n.sqrt()]);
    let third = combine(&inner, (**smaller).clone(), &[with(factor, &above)])?;
    // N − κd√N = (N − κd/ε) + κd·(√N/ε)·(1/√N − ε), and N − κ²d² = (N − κd√N)(√N + κd)/√N.
    let (inner, records) = given(context, &enough)?;
    let (inner, below) = given(&inner, &small)?;
    let size = mul([k, d]);
    let factor = (n.sqrt() + size.clone()) / n.sqrt();
    let times = mul([factor.clone(), size, n.sqrt()]) / e;
    let parts = vec![with(factor, &records), with(times, &below)];
    let fourth = combine(&inner, (**many).clone(), &parts)?;
    let plain = |goal: &Goal| combine(context, goal.clone(), &[]);
    let (third, fourth) = (discharge(&third)?, discharge(&discharge(&fourth)?)?);
    both(context, &[&plain(first)?, &plain(second)?, &third, &fourth])
}

/// `ambssgd-lem-geometric`: 1/x ≤ 1/y ≤ 1 + 1/x for y = 1 − e^{−x}, which is positive.
pub fn geometric() -> Result<Statement, Stuck> {
    let [x, y] = ["x", "y"].map(var);
    let context = Context::default().with([positive("x"), positive("y"), Item::Assume(rest())])?;
    let goal = Goal::Both(vec![
        Goal::Le(num(1) / x.clone(), num(1) / y.clone()),
        Goal::Le(num(1) / y, num(1) + num(1) / x),
    ]);
    Ok(Statement { context, goal })
}

/// y = 1 − e^{−x}.
fn rest() -> Goal {
    Goal::Eq(var("y"), num(1) - mul([num(-1), var("x")]).exp())
}

/// The proof of [`geometric`]: the tangents of the exponential at x and −x.
pub fn prove_geometric(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [x, y] = ["x", "y"].map(var);
    let opposite = mul([num(-1), x.clone()]);
    let (up, down) = (tangent(context, &x)?, tangent(context, &opposite)?);
    let (unit, named) = (exp_of_opposite(context, &x)?, assumed(context, &rest())?);
    let per = |t: Term| t / mul([x.clone(), y.clone()]);
    // x − y = e^{−x} − (1 − x), and (1 + x)y − x = 1 − (1 + x)e^{−x} = e^{−x}(e^x − 1 − x).
    let first = vec![with(per(num(1)), &down), with(per(num(1)), &named)];
    let second = vec![
        with(per(opposite.exp()), &up),
        with(per(num(-1)), &unit),
        with(per(num(-1) - x.clone()), &named),
    ];
    together(statement, vec![first, second])
}

/// `kl-thm-4-long`, s being 2 − κ: if p·Φ^{(κ−2)/κ} ≥ n√ρ/2, then Φ ≤ (2p/(n√ρ))^{κ/(2−κ)}; powers are exponentials of logarithms.
pub fn long() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           real ρ > 0
           real p > 0
           real Φ > 0
           real κ > 0
           real s > 0
           assume s = 2 − κ
           assume 1 ≤ κ
           assume n·√(ρ)/2 ≤ p·exp(((κ − 2)/κ)·log(Φ))
         holds
           Φ ≤ exp((κ/s)·log(2·p/(n·√(ρ))))",
    )
}

/// Φ^{(κ−2)/κ}.
fn power() -> Term {
    mul([(var("κ") - num(2)) / var("κ"), var("Φ").log()]).exp()
}

/// 2p/(n√ρ).
fn ratio() -> Term {
    mul([num(2), var("p")]) / mul([var("n"), var("ρ").sqrt()])
}

/// The proof of [`long`]: with m = n√ρ/2, log m ≤ log p + ((κ−2)/κ)·log Φ and log m + log(p/m) = log p.
pub fn prove_long(statement: &Statement) -> Proof {
    let (context, goal) = (&statement.context, &statement.goal);
    let [k, s, phi] = ["κ", "s", "Φ"].map(var);
    let (named, enough) = (assume(context, 6)?, assume(context, 8)?);
    let rounds = mul([var("n"), var("ρ").sqrt()]) / num(2);
    let itself = combine(context, Goal::Le(power(), power()), &[])?;
    let of_power = log_at_most(&itself)?;
    let [_, product] = log_product(context, &var("p"), &power())?;
    let [_, quotient] = log_product(context, &rounds, &ratio())?;
    let logs = log_increases(&enough)?;
    let most = mul([k.clone() / s.clone(), ratio().log()]);
    let scale = || k.clone() / s.clone();
    let parts = vec![
        with(scale(), &logs),
        with(scale(), &product),
        with(scale(), &of_power),
        with(scale(), &quotient),
        with(phi.log() / s.clone(), &named),
    ];
    let below = combine(context, Goal::Le(phi.log(), most), &parts)?;
    let (above, whole) = (exp_increases(&below)?, exp_log(context, &phi)?);
    let parts = vec![with(num(1), &above), with(num(-1), &whole)];
    combine(context, goal.clone(), &parts)
}
