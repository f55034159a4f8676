//! Displays about one step: what hypotheses on norms and values say of it.

use crate::moved::written::{Proof, all_goals, goals};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Part, Theorem, both, combine, exp_log, exp_sum, inverse, root_increases, triangle,
};
use dp_assay_kernel::search::exp::{exp_increases, exp_of_opposite, log_at_most};
use dp_assay_kernel::search::{assumed, item, positive, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sort, Statement};
use dp_assay_kernel::term::{Term, add, at, mul, num, var, vector};

fn entry(v: &str) -> Term {
    at(&var(v), &var("j"))
}

/// ⟨s·(g_j + e_j)⟩, the error e added to the gradient g.
fn noisy(scale: &Term) -> Term {
    vector("j", var("d"), mul([scale.clone(), entry("g") + entry("e")]))
}

/// ‖g‖ ≤ b, and ‖e‖ ≤ ‖g‖ + b.
fn small() -> [Goal; 2] {
    let norm = |v: &str| var(v).norm();
    [
        Goal::Le(norm("g"), var("b")),
        Goal::Le(norm("e"), norm("g") + var("b")),
    ]
}

/// `kl-lem-5-move`: a step w − (g + e)/(2L₁) moves by at most (2‖g‖ + b)/(2L₁) ≤ (3/2)·b/L₁ ≤ 2b/L₁.
pub fn move_of_step() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           real L₁ > 0
           real b > 0
           vector w ∈ ℝ^d
           vector g ∈ ℝ^d
           vector e ∈ ℝ^d
           assume ‖g‖ ≤ b
           assume ‖e‖ ≤ ‖g‖ + b
         holds
           ‖⟨w_j − (w_j − (g_j + e_j)/(2·L₁)) : j<d⟩‖ ≤ (2·‖g‖ + b)/(2·L₁); (2·‖g‖ + b)/(2·L₁) ≤ \
               3·b/(2·L₁); 3·b/(2·L₁) ≤ 2·b/L₁",
    )
}

/// The proof of [`move_of_step`], or of a statement with other constants: squares are compared.
pub fn prove_move_of_step(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [Goal::Le(moved, most), second, third] = goals(statement)? else {
        return Err(Stuck::new("not three goals"));
    };
    let [gradient, error] = small();
    let (gradient, error) = (assumed(context, &gradient)?, assumed(context, &error)?);
    let minus = vector("j", var("d"), mul([num(-1), entry("e")]));
    let apart = triangle(context, &var("g"), &minus)?;
    let (whole, unit) = (noisy(&num(1)).norm(), num(1) / mul([num(2), var("L₁")]));
    let double = mul([num(2), var("g").norm()]) + var("b");
    let parts = [&apart, &error].map(|fact| with(num(1), fact));
    let near = Goal::Le(whole.clone(), double.clone());
    let near = combine(context, near, &parts)?;
    let parts = vec![with(mul([double.clone() + whole, unit.pow(2)]), &near)];
    let step = mul([double, unit.clone()]);
    let squares = Goal::Le(moved.pow(2), step.pow(2));
    let roots = root_increases(&combine(context, squares, &parts)?)?;
    let first = Goal::Le(moved.clone(), most.clone());
    let first = combine(context, first, &[with(num(1), &roots)])?;
    let parts = vec![with(mul([num(2), unit]), &gradient)];
    let second = combine(context, second.clone(), &parts)?;
    let third = combine(context, third.clone(), &[])?;
    both(context, &[&first, &second, &third])
}

/// G ≤ Nₜ + b, 2b ≤ G, and Φ ≤ (γG)^κ.
fn seen() -> [Goal; 3] {
    let root = mul([var("κ"), mul([var("γ"), var("G")]).log()]);
    [
        Goal::Le(var("G"), var("Nₜ") + var("b")),
        Goal::Le(mul([num(2), var("b")]), var("G")),
        Goal::Le(var("Φ"), root.exp()),
    ]
}

/// `kl-thm-4-budget-repaired`: 1/Nₜ² ≤ 4/G² ≤ 4γ²Φ^{−2/κ} for a gradient of norm G that is seen as Nₜ ≥ G − b.
pub fn budget() -> Result<Statement, Stuck> {
    let numbers = ["G", "Nₜ", "b", "γ", "κ", "Φ"].map(positive);
    let assumed = seen().map(Item::Assume);
    let context = Context::default().with(numbers.into_iter().chain(assumed))?;
    let power = mul([num(-2) / var("κ"), var("Φ").log()]).exp();
    let middle = num(4) / var("G").pow(2);
    let goal = Goal::Both(vec![
        Goal::Le(var("Nₜ").pow(-2), middle.clone()),
        Goal::Le(middle, mul([num(4), var("γ").pow(2), power])),
    ]);
    Ok(Statement { context, goal })
}

/// The proof of [`budget`], or of a statement with other constants. With L = log(γG), exp(−L) = 1/(γG).
pub fn prove_budget(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [first, second] = goals(statement)?;
    let [close, large, valley] = seen().map(|goal| assumed(context, &goal));
    let (close, large, valley) = (close?, large?, valley?);
    let (n, g) = (var("Nₜ"), var("G"));
    let double = mul([num(2), n.clone()]);
    let factor = (double + g.clone()) / mul([n.pow(2), g.pow(2)]);
    let parts = vec![
        with(mul([num(2), factor.clone()]), &close),
        with(factor, &large),
    ];
    let first = combine(context, first.clone(), &parts)?;
    let size = mul([var("γ"), g.clone()]);
    let (log, minus) = (size.log(), |t: &Term| mul([num(-1), t.clone()]));
    let steep = log_at_most(&valley)?;
    let power = mul([num(-2) / var("κ"), var("Φ").log()]);
    let exponents = Goal::Le(minus(&log) + minus(&log), power);
    let parts = vec![with(num(2) / var("κ"), &steep)];
    let grown = exp_increases(&combine(context, exponents, &parts)?)?;
    let split = exp_sum(context, &minus(&log), &minus(&log))?;
    let (unit, named) = (exp_of_opposite(context, &log)?, exp_log(context, &size)?);
    // 1/G² − γ²e² = (1/G + γe)·(1 − γGe)/G for e = exp(−L).
    let e = minus(&log).exp();
    let gap = (num(1) / g.clone() + mul([var("γ"), e.clone()])) / g;
    let four = |t: Term| mul([num(4), t]);
    let squared = || four(var("γ").pow(2));
    let parts = vec![
        with(squared(), &grown),
        with(mul([num(-1), squared()]), &split),
        with(four(gap.clone()), &unit),
        with(mul([four(gap), e]), &named),
    ];
    let second = combine(context, second.clone(), &parts)?;
    both(context, &[&first, &second])
}

/// n²ε²R²M/(L²·l), where M is M_min, L is L_max and l is log(1/δ).
fn cube() -> Term {
    let squares = mul(["n", "ε", "R"].map(|x| var(x).pow(2)));
    mul([squares, var("M")]) / mul([var("L").pow(2), var("l")])
}

/// X and T are the roots of third order of that, and of its 2⁶-th part.
fn roots() -> [Goal; 2] {
    [
        Goal::Eq(var("X").pow(3), cube()),
        Goal::Eq(var("T").pow(3), cube() / num(64)),
    ]
}

/// `gcd-thm-4.4-cvx-T-repaired`: T = X/4 for the roots of third order T of n²ε²R²M_min/(2⁶L_max²·l), l = log(1/δ), and X of
/// 2⁶ times as much.
pub fn cube_roots() -> Result<Statement, Stuck> {
    let numbers = ["ε", "R", "M", "L", "δ", "l", "X", "T"].map(positive);
    let told = Goal::Eq(var("l"), (num(1) / var("δ")).log());
    let assumed = [told].into_iter().chain(roots()).map(Item::Assume);
    let items = [item("n", Sort::Count)].into_iter().chain(numbers);
    let context = Context::default().with(items.chain(assumed))?;
    let goal = Goal::Eq(var("T"), var("X") / num(4));
    Ok(Statement { context, goal })
}

/// The proof of [`cube_roots`], or of a statement with other constants: y − T = (y³ − T³)/(y² + yT + T²) for y = X/4.
pub fn prove_cube_roots(statement: &Statement) -> Proof {
    let context = &statement.context;
    let (y, t) = (var("X") / num(4), var("T"));
    let [large, small] = roots().map(|goal| assumed(context, &goal));
    let (large, small) = (large?, small?);
    let squares = add([y.pow(2), mul([y.clone(), t.clone()]), t.pow(2)]);
    let unit = num(1) / squares.clone();
    let whole = inverse(context, &squares)?;
    let parts = vec![
        with(y - t, &whole),
        with(num(-1) * (unit.clone() / num(64)), &large),
        with(unit, &small),
    ];
    combine(context, statement.goal.clone(), &parts)
}

/// √(l + ε) and √l.
fn legs() -> [Term; 2] {
    [(var("l") + var("ε")).sqrt(), var("l").sqrt()]
}

/// T·s = (√(l + ε) − √l)², and ε ≤ l.
fn slope() -> [Goal; 2] {
    let [a, r] = legs();
    [
        Goal::Eq(mul([var("T"), var("s")]), (a - r).pow(2)),
        Goal::Le(var("ε"), var("l")),
    ]
}

/// ε²/(factor·T·l).
fn share(factor: i64) -> Term {
    var("ε").pow(2) / mul([num(factor), var("T"), var("l")])
}

/// `decor-rem-magnitudes`: the slope s with Ts = (√(l + ε) − √l)², l = log(1/δ), has ε²/(6Tl) ≤ s ≤ ε²/(4Tl), so that the
/// variances 2C²/s and 2C²/(ns) of the baselines are between 8 and 12 times C²Tl/ε², and the n-th part.
pub fn magnitudes() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer T ≥ 1
           integer n ≥ 1
           real ε > 0
           real δ > 0
           real l > 0
           real C > 0
           real s > 0
           assume l = log(1/δ)
           assume T·s = (√(l + ε) − √(l))²
           assume ε ≤ l
         holds
           ε²/(6·T·l) ≤ s; s ≤ ε²/(4·T·l); 8·(C²·T·l/ε²) ≤ 2·C²/s; 2·C²/s ≤ 12·(C²·T·l/ε²); \
               8·((C²·T·l/ε²)/n) ≤ (2·C²/s)/n; (2·C²/s)/n ≤ 12·((C²·T·l/ε²)/n)",
    )
}

/// The proof of [`magnitudes`], or of a statement with other constants. With a = √(l + ε) and r = √l, ε² − 4l(a − r)² =
/// (a − r)³(a + 3r), and 6l − (a + r)² = (5/7)·(a − 7r/5)² + (12/7)·(l − ε) + (6/35)·l.
pub fn prove_magnitudes(statement: &Statement) -> Proof {
    let (context, goals) = (&statement.context, all_goals(statement));
    let [a, r] = legs();
    let [named, small] = slope().map(|goal| assumed(context, &goal));
    let (named, small) = (named?, small?);
    let squares = combine(context, Goal::Le(r.pow(2), a.pow(2)), &[])?;
    let order = root_increases(&squares)?;
    let square = (a.clone() - r.clone()).pow(2);
    let over = |factor: i64, t: Term| t / mul([num(factor), var("T"), var("l")]);
    let each = |sign: i64| num(sign) / var("T");
    let near = (a.clone() - mul([num(7), r.clone()]) / num(5)).pow(2);
    let sevenths = |n: i64, t: Term| mul([num(n), t]) / num(7);
    let parts = vec![
        with(each(-1), &named),
        Part::new(over(6, mul([square.clone(), sevenths(5, near)])), []),
        with(over(6, sevenths(12, square.clone())), &small),
        Part::new(over(35, mul([square.clone(), var("l")])), []),
    ];
    let least = combine(context, Goal::Le(share(6), var("s")), &parts)?;
    let cube = mul([square, a + mul([num(3), r])]);
    let parts = vec![with(each(1), &named), with(over(4, cube), &order)];
    let most = combine(context, Goal::Le(var("s"), share(4)), &parts)?;
    // A variance from the slope: 12C²Tl/ε² − 2C²/s = 12C²Tl/(ε²s)·(s − ε²/(6Tl)), and likewise below.
    let unit = mul([var("C").pow(2), var("T"), var("l")]) / mul([var("ε").pow(2), var("s")]);
    let local = |n: i64| mul([num(n), unit.clone()]);
    let central = |n: i64| local(n) / var("n");
    let facts = [
        (num(1), &least),
        (num(1), &most),
        (local(8), &most),
        (local(12), &least),
        (central(8), &most),
        (central(12), &least),
    ];
    let proved = goals
        .iter()
        .zip(facts)
        .map(|(goal, (factor, fact))| combine(context, goal.clone(), &[with(factor, fact)]));
    let proved: Result<Vec<Theorem>, Stuck> = proved.collect();
    both(context, &proved?.iter().collect::<Vec<_>>())
}
