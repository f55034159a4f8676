//! Means over records, and laws on finitely many outcomes: what one record changes, a pair that attains it, and merging.

use crate::moved::written::{Proof, all_goals, goals};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Fact, Part, Theorem, both, combine, discharge, exp_log, exp_sum, instance, inverse, one_record,
    root_increases, sum_over, tangent,
};
use dp_assay_kernel::search::exp::{exp_increases, log_product};
use dp_assay_kernel::search::{assumed, item, positive, real, with};
use dp_assay_kernel::statement::{Context, Goal, Sign, Sort, Statement};
use dp_assay_kernel::term::{Op, Term, at, mul, num, op, sum, var, vector};

fn entries(body: Term) -> Term {
    vector("j", var("d"), body)
}

/// Entry j of ∇ℓ(w; z) if it is in U, else 0.
fn slope(z: &str) -> Term {
    let member = op(Op::Member, [var("j"), var("U")]);
    let partial = op(Op::Partial, [var("ℓ"), var("w"), var(z), var("j")]);
    mul([member, partial])
}

/// How far the gradients of two records are apart on U.
fn apart([one, other]: [&str; 2]) -> Term {
    entries(slope(one) - slope(other)).norm()
}

fn for_records([one, other]: [&str; 2], goal: Goal) -> Goal {
    let inner = Goal::Every(other.into(), Sort::Record, goal.into());
    Goal::Every(one.into(), Sort::Record, inner.into())
}

fn bounded() -> Goal {
    let names = ["r", "s"];
    for_records(names, Goal::Le(apart(names), var("B")))
}

/// Two records.
const TWO: [&str; 2] = ["u", "v"];

/// `skgd-fact-sens-f`: where the gradients of any two records are at most B apart on U, the mean gradient moves by at most B/n on
/// U; and two data sets that have all other records in common, with the sum S of their gradients, have mean gradients whose
/// distance is that of the two records' divided by n (squares are equal): so the largest of both agree.
pub fn fact_sens_f() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           vector L ∈ ℝ^d, all > 0
           loss ℓ on ℝ^d with L by entries: differentiable in its vector for every record, and \
               changed by at most L_j·|t| when t is added to entry j
           data D of n records: its neighbours have one record replaced
           vector w ∈ ℝ^d
           set U⊆d
           vector S ∈ ℝ^d
           real B ≥ 0
           assume for every record r: for every record s: ‖⟨𝟙[j∈U]·∂_j ℓ(w; r) − 𝟙[j∈U]·∂_j ℓ(w; \
               s) : j<d⟩‖ ≤ B
         holds
           between neighbours of D, ⟨(Σ_{y∈D} 𝟙[j∈U]·∂_j ℓ(w; y))/n : j<d⟩ moves by at most B/n; \
               for every record u: for every record v: ‖⟨(𝟙[j∈U]·S_j + 𝟙[j∈U]·∂_j ℓ(w; u))/n − \
               (𝟙[j∈U]·S_j + 𝟙[j∈U]·∂_j ℓ(w; v))/n : j<d⟩‖² = ‖⟨𝟙[j∈U]·∂_j ℓ(w; u) − 𝟙[j∈U]·∂_j \
               ℓ(w; v) : j<d⟩‖²/n²",
    )
}

fn exactly() -> Goal {
    let mean = |z: &str| {
        let member = op(Op::Member, [var("j"), var("U")]);
        (mul([member, at(&var("S"), &var("j"))]) + slope(z)) / var("n")
    };
    let [one, other] = TWO.map(mean);
    let left = entries(one - other).norm().pow(2);
    Goal::Eq(left, apart(TWO).pow(2) / var("n").pow(2))
}

/// The proof of [`fact_sens_f`], or of a statement with a larger bound.
pub fn prove_fact_sens_f(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [Goal::Moves { query, by, .. }, _] = all_goals(statement) else {
        return Err(Stuck::new("no sensitivity"));
    };
    let two = context.with(TWO.map(|z| item(z, Sort::Record)))?;
    let mut all = assumed(context, &bounded())?;
    for z in TWO {
        all = instance(&two, &all, &var(z))?;
    }
    let [one, other] = TWO.map(|z| slope(z) / var("n"));
    let change = entries(one - other).norm();
    let factor = (var("B") + apart(TWO)) / var("n").pow(2);
    let most = var("B") / var("n");
    let squares = Goal::Le(change.pow(2), most.pow(2));
    let part = Part::new(factor, [Fact::from(&all)]);
    let change = root_increases(&combine(&two, squares, &[part])?)?;
    let Some([left, _]) = change.statement().goal.sides() else {
        return Err(Stuck::new("no bound"));
    };
    let goal = Goal::Le(left.clone(), by.clone());
    let change = combine(&two, goal, &[with(num(1), &change)])?;
    let moves = one_record(context, "D", query, &change)?;
    let exact = combine(&two, exactly(), &[])?;
    both(context, &[&moves, &discharge(&discharge(&exact)?)?])
}

fn entry(v: &str) -> Term {
    at(&var(v), &var("k"))
}

/// `gcd-pair`: for linear losses ⟨z, w⟩ with |z_k| ≤ L_k, signs s and |g_k| ≤ L_k(n − 1)/n, the records n·g/(n − 1), n − 1 times, and
/// ∓s·L are admissible, and the mean losses on them are ⟨g ∓ s·L/n, w⟩ for every w: these have the gradients g ∓ s·L/n.
pub fn pair() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           integer n ≥ 1
           integer m ≥ 1
           assume n = m + 1
           vector L ∈ ℝ^d, all > 0
           vector s ∈ ℝ^d
           assume for every index l<d: s_l² = 1
           vector g ∈ ℝ^d
           assume for every index l<d: |g_l| ≤ L_l·m/n
           define c(k<d) := n·g_k/m
           vector w ∈ ℝ^d
           index k<d
         holds
           |c(k)| ≤ L_k; |s_k|·L_k ≤ L_k; (Σ_{i<m} Σ_{j<d} c(j)·w_j + Σ_{j<d} (−1)·s_j·L_j·w_j)/n \
               = Σ_{j<d} (g_j + (−1)·s_j·L_j/n)·w_j; (Σ_{i<m} Σ_{j<d} c(j)·w_j + Σ_{j<d} \
               1·s_j·L_j·w_j)/n = Σ_{j<d} (g_j + 1·s_j·L_j/n)·w_j",
    )
}

/// The proof of [`pair`], or of a statement with other constants.
pub fn prove_pair(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [first, second, low, high] = goals(statement)?;
    let all = |i: usize| {
        let found = dp_assay_kernel::rules::assume(context, i)?;
        instance(context, &found, &var("k"))
    };
    let (signs, scores) = (all(6)?, all(8)?);
    let factor = var("n") / var("m");
    let first = combine(context, first.clone(), &[with(factor, &scores)])?;
    let unit = Goal::Le(entry("s").pow(2), num(1));
    let unit = root_increases(&combine(context, unit, &[with(num(1), &signs)])?)?;
    let parts = vec![with(entry("L"), &unit)];
    let second = combine(context, second.clone(), &parts)?;
    let low = combine(context, low.clone(), &[])?;
    let high = combine(context, high.clone(), &[])?;
    both(context, &[&first, &second, &low, &high])
}

fn total(v: &str) -> Term {
    sum("l", var("m"), at(&var(v), &var("l")))
}

/// Σq and what is left.
fn whole() -> Term {
    total("q") + var("r")
}

/// p^α·q^{1−α} for α = 1 + x.
fn power(p: &Term, q: &Term) -> Term {
    let first = mul([num(1) + var("x"), p.log()]);
    (first - mul([var("x"), q.log()])).exp()
}

/// `skgd-lem-merging`: to merge the outcomes of a cell does not increase Σp^αq^{1−α}, α = 1 + x: where p_k and q_k are the
/// probabilities of those that both laws may have, and r that under the second law of those that the first never has.
pub fn merging() -> Result<Statement, Stuck> {
    let law = |name: &str| item(name, Sort::Vector(var("m"), Sign::Positive));
    let items = [
        item("m", Sort::Count),
        positive("x"),
        law("p"),
        law("q"),
        real("r", Sign::NonNegative),
    ];
    let context = Context::default().with(items)?;
    let parts = sum("k", var("m"), power(&entry("p"), &entry("q")));
    let goal = Goal::Le(power(&total("p"), &whole()), parts);
    Ok(Statement { context, goal })
}

/// The proof of [`merging`], or of a statement with another bound: with u = Σp/(Σq + r) each p_k^α·q_k^{1−α} is at least
/// α·u^{α−1}·p_k − (α − 1)·u^α·q_k.
pub fn prove_merging(statement: &Statement) -> Proof {
    let context = &statement.context;
    let (x, u) = (var("x"), total("p") / whole());
    let scale = mul([x.clone(), u.log()]).exp();
    let each = context.extended(item("k", Sort::Index(var("m"))))?;
    let (p, q) = (entry("p"), entry("q"));
    let ratio = p.log() - q.log();
    let gap = ratio.clone() - u.log();
    let back = num(0) - gap.clone();
    let up = mul([x.clone(), gap.clone()]);
    let (above, below) = (tangent(&each, &up)?, tangent(&each, &back)?);
    // u^x·p·exp(xδ) = p·exp(xθ), and that is p^α·q^{1−α}.
    let first = exp_sum(&each, &up, &mul([x.clone(), u.log()]))?;
    let second = exp_sum(&each, &mul([x.clone(), ratio.clone()]), &p.log())?;
    let (of_p, of_q) = (exp_log(&each, &p)?, exp_log(&each, &q)?);
    // p·exp(−δ) = u·q.
    let third = exp_sum(&each, &p.log(), &back)?;
    let fourth = exp_sum(&each, &u.log(), &q.log())?;
    let of_u = exp_log(&each, &u)?;
    let share = mul([scale.clone(), p.clone()]);
    let raised = mul([x.clone(), ratio]).exp();
    let xs = mul([x.clone(), scale.clone()]);
    let least = mul([num(1) + x.clone(), share.clone()]) - mul([xs.clone(), u.clone(), q.clone()]);
    let parts = vec![
        with(share.clone(), &above),
        with(mul([x.clone(), share]), &below),
        // p·exp(xδ)·u^x to p·exp(xθ), to exp(xθ)·exp(log p), to the exponential of the sum.
        with(mul([num(-1), p.clone()]), &first),
        with(mul([num(-1), raised]), &of_p),
        with(num(-1), &second),
        // x·u^x times: p·exp(−δ) to exp(log p)·exp(−δ), to exp(log u + log q), to u·q.
        with(mul([num(-1), xs.clone(), back.exp()]), &of_p),
        with(mul([num(-1), xs.clone()]), &third),
        with(xs.clone(), &fourth),
        with(mul([xs.clone(), u.log().exp()]), &of_q),
        with(mul([xs.clone(), q.clone()]), &of_u),
    ];
    let goal = Goal::Le(least, power(&p, &q));
    let all = sum_over(&combine(&each, goal, &parts)?)?;
    // (Σp)^α·(Σq + r)^{1−α} is at most u^x·Σp.
    let [_, logs] = log_product(context, &whole(), &u)?;
    let unity = inverse(context, &whole())?;
    let exponent = mul([x.clone(), u.log()]) + total("p").log();
    let merged = mul([num(1) + x.clone(), total("p").log()]) - mul([x.clone(), whole().log()]);
    let (same, part) = (log_product_is(context, &unity)?, with(x.clone(), &logs));
    let parts = vec![part, with(x.clone(), &same)];
    let more = combine(context, Goal::Le(merged, exponent), &parts)?;
    let above = exp_increases(&more)?;
    let split = exp_sum(context, &mul([x.clone(), u.log()]), &total("p").log())?;
    let of_p = exp_log(context, &total("p"))?;
    let parts = vec![
        with(num(1), &above),
        with(num(1), &split),
        with(scale, &of_p),
        with(num(1), &all),
        with(mul([xs, total("p")]), &unity),
    ];
    combine(context, statement.goal.clone(), &parts)
}

/// log Σp ≤ log((Σq + r)·u): u·(Σq + r) is Σp.
fn log_product_is(context: &Context, unity: &Theorem) -> Proof {
    let product = mul([whole(), total("p") / whole()]);
    let goal = Goal::Le(total("p"), product);
    let part = with(mul([num(-1), total("p")]), unity);
    let same = combine(context, goal, &[part])?;
    dp_assay_kernel::search::exp::log_increases(&same)
}
