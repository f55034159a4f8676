//! The printed noise where all L_k/√M_k are equal: `gcd-thm-4.2-restricted`, `gcd-eq-2-restricted`; the printed algebra
//! `gcd-thm-4.2-proof-access`; and the sum of clipped gradients, `gcd-alg-dpsgd-sens`.

use super::{algorithm, gradient, log, moved, release, select, sensitivity, setting};
use crate::moved::written::{Proof, all_goals};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::premise::{ZCDP_TO_DP, spent};
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Fact, Part, Theorem, approximate, argmax, both, cite, clipped, combine, compose, forget,
    gaussian, instance, laplace, root_increases, shift, supremum, tangent, weaken,
};
use dp_assay_kernel::search::{
    Share, assumed, positive, pure_as_zcdp, record_moves, together, zcdp_cost,
};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Notion, Sign, Sort, Statement, Subject, View,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, var, vector};

fn root(k: &Term) -> Term {
    at(&var("M"), k).sqrt()
}

/// L_k = s·√M_k for every k.
fn equal_ratios() -> Goal {
    let k = var("k");
    let goal = Goal::Eq(at(&var("L"), &k), mul([var("s"), root(&k)]));
    Goal::Every("k".into(), Sort::Index(var("p")), goal.into())
}

/// The setting with equal ratios, the printed noise of that scale for selections and releases, and Algorithm 1.
fn context(more: impl IntoIterator<Item = Item>, scale: Term) -> Result<Context, Stuck> {
    let index = || vec![("j".to_owned(), Sort::Index(var("p")))];
    let any = || Sort::Vector(var("p"), Sign::Any);
    let rounds = [
        positive("s"),
        Item::Assume(equal_ratios()),
        Item::Var("T".into(), Sort::Count),
        Item::Var("γ".into(), any()),
        Item::Var("w₀".into(), any()),
        positive("δ"),
    ];
    let noise = [
        Item::Define("λ".into(), index(), scale),
        Item::Define("λ′".into(), index(), app("λ", [var("j")])),
        Item::Process("Alg1".into(), algorithm(gradient)),
    ];
    let items = setting().into_iter().chain(rounds).chain(more).chain(noise);
    Context::default().with(items)
}

fn goal(epsilon: Term) -> Goal {
    Goal::Private {
        data: "D".into(),
        notion: Notion::Approximate(epsilon, var("δ")),
        subject: Subject::Process("Alg1".into(), View::End),
    }
}

/// `gcd-thm-4.2-restricted`: λ_j = λ′_j = (8L_j/(nε))·√(T·log(1/δ)) for ε ≤ 1 and δ ≤ 1/e (then δ ≤ 1/2, too).
pub fn theorem_4_2() -> Result<Statement, Stuck> {
    let scale = mul([num(8), at(&var("L"), &var("j"))]) / mul([var("n"), var("ε")]);
    let items = [
        Item::Assume(Goal::Le(var("δ"), num(1) / num(2))),
        Item::Assume(Goal::Le(num(1), log())),
        positive("ε"),
        Item::Assume(Goal::Le(var("ε"), num(1))),
    ];
    let context = context(items, mul([scale, mul([var("T"), log()]).sqrt()]))?;
    let goal = goal(var("ε"));
    Ok(Statement { context, goal })
}

/// `gcd-eq-2-restricted`: λ_j = λ′_j = 2L_j/(nε′) for T ≤ (4/9)·log(1/δ).
pub fn equation_2() -> Result<Statement, Stuck> {
    let e = var("ε′");
    let scale = mul([num(2), at(&var("L"), &var("j"))]) / mul([var("n"), e.clone()]);
    let root = mul([num(4), var("T"), log()]).sqrt();
    let linear = mul([num(2), var("T"), e.clone(), e.exp() - num(1)]);
    let few = Goal::Le(var("T"), mul([num(4), log()]) / num(9));
    let items = [
        Item::Assume(Goal::Le(var("δ"), num(1))),
        Item::Assume(few),
        positive("ε′"),
    ];
    let context = context(items, scale)?;
    let goal = goal(mul([root, e]) + linear);
    Ok(Statement { context, goal })
}

/// The selection is 2ε′-DP and the release ε′-DP, whatever w and the choice.
fn accesses(context: &Context, epsilon: &Term) -> Result<(Theorem, Theorem), Stuck> {
    let w = Item::Var("w".into(), Sort::Vector(var("p"), Sign::Any));
    let index = |x: &str| Item::Var(x.into(), Sort::Index(var("p")));
    let here = context.extended(w)?;
    let inner = here.extended(index("k"))?;
    let ratios = assumed(context, &equal_ratios())?;
    // (2L_i/n)/√M_i = 2s/n for every i.
    let i = var("i");
    let each = inner.extended(index("i"))?;
    let same = instance(&each, &ratios, &i)?;
    let bound = mul([num(2), var("s")]) / var("n");
    let unit = num(2) / mul([var("n"), root(&i)]);
    let ratio = combine(
        &each,
        Goal::Le(moved(&i) / root(&i), bound),
        &[Part::new(unit, [Fact::from(&same)])],
    )?;
    let largest = supremum(&ratio, &var("k"))?;
    let sensitive = sensitivity(&inner, "k", &moved(&var("k")))?;
    let kept = argmax(&here, &select(), &sensitive)?;
    let Goal::Keeps { by, .. } = &kept.statement().goal else {
        return Err(Stuck::new("no choice that is kept"));
    };
    let k = var("k");
    let same = instance(&inner, &ratios, &k)?;
    let two = mul([num(2), epsilon.clone()]);
    let enough = Goal::Le(by.clone(), mul([two.clone(), app("λ′", [k.clone()])]));
    let parts = vec![
        Part::new(root(&k), [Fact::from(&largest)]),
        Part::new(num(-2) / var("n"), [Fact::from(&same)]),
    ];
    let choice = shift(&here, &kept, &two, &combine(&inner, enough, &parts)?)?;
    let chosen = here.extended(index("j"))?;
    let j = var("j");
    let enough = Goal::Le(moved(&j), mul([epsilon.clone(), app("λ", [j.clone()])]));
    let enough = combine(&chosen, enough, &[])?;
    let sensitive = sensitivity(&chosen, "j", &moved(&j))?;
    let value = laplace(&chosen, &release(), epsilon, &sensitive, &enough)?;
    Ok((choice, value))
}

fn pure(theorem: &Theorem) -> Result<&Term, Stuck> {
    match &theorem.statement().goal {
        Goal::Private {
            notion: Notion::Pure(epsilon),
            ..
        } => Ok(epsilon),
        _ => Err(Stuck::new("not pure")),
    }
}

/// The proof of [`theorem_4_2`], or of a statement with other constants: ρ = T(4 + 1)ε′²/2 = 5ε²/(32·log(1/δ)), √(ρ·log(1/δ))
/// ≤ 2ε/5.
pub fn prove_theorem_4_2(statement: &Statement) -> Proof {
    let context = &statement.context;
    let eps = var("ε");
    let each = eps.clone() / mul([num(4), mul([var("T"), log()]).sqrt()]);
    let (choice, value) = accesses(context, &each)?;
    let (choice, value) = (pure_as_zcdp(&choice)?, pure_as_zcdp(&value)?);
    let all = compose(context, "Alg1", "D", &[&choice, &value])?;
    let rho = zcdp_cost(&all.statement().goal)?;
    let part = mul([num(2), eps.clone()]) / num(5);
    let product = Goal::Le(mul([rho.clone(), log()]), part.pow(2));
    let root = root_increases(&combine(context, product, &[])?)?;
    let small = assumed(context, &Goal::Le(eps.clone(), num(1)))?;
    let long = assumed(context, &Goal::Le(num(1), log()))?;
    let share = mul([num(5), eps.clone()]) / num(32);
    let parts = vec![
        Part::new(num(2), [Fact::from(&root)]),
        Part::new(share.clone(), [Fact::from(&small)]),
        Part::new(mul([share, eps.clone()]) / log(), [Fact::from(&long)]),
    ];
    let within = combine(
        context,
        Goal::Le(spent(rho, &var("δ")), eps.clone()),
        &parts,
    )?;
    let half = assumed(context, &Goal::Le(var("δ"), num(1) / num(2)))?;
    let half = vec![Part::new(num(1), [Fact::from(&half)])];
    let less = combine(context, Goal::Le(var("δ"), num(1)), &half)?;
    let values = [rho.clone(), eps, var("δ")];
    let private = cite(context, &ZCDP_TO_DP, &values, &[&all, &less, &within])?;
    forget(&private, View::End)
}

/// The proof of [`equation_2`], or of a statement with other constants: pure losses add up to 3Tε′, and 3T ≤
/// √(4T·log(1/δ)).
pub fn prove_equation_2(statement: &Statement) -> Proof {
    let context = &statement.context;
    let e = var("ε′");
    let (choice, value) = accesses(context, &e)?;
    let all = compose(context, "Alg1", "D", &[&choice, &value])?;
    let Goal::Private { notion, .. } = &statement.goal else {
        return Err(Stuck::new("not about privacy"));
    };
    let t = var("T");
    let few = assumed(context, &Goal::Le(t.clone(), mul([num(4), log()]) / num(9)))?;
    let square = Goal::Le(mul([num(9), t.pow(2)]), mul([num(4), t.clone(), log()]));
    let few = vec![Part::new(mul([num(9), t.clone()]), [Fact::from(&few)])];
    let root = root_increases(&combine(context, square, &few)?)?;
    let above = tangent(context, &e)?;
    let parts = vec![
        Part::new(e.clone(), [Fact::from(&root)]),
        Part::new(mul([num(2), t, e]), [Fact::from(&above)]),
    ];
    let within = Goal::Le(pure(&all)?.clone(), notion.numbers()[0].clone());
    let within = combine(context, within, &parts)?;
    let zero = combine(context, Goal::Le(num(0), var("δ")), &[])?;
    let private = weaken(&approximate(&all)?, notion, &[&within, &zero])?;
    forget(&private, View::End)
}

/// `gcd-thm-4.2-proof-access`: the printed ε′ is that of Corollary 3.21 for k = 2T, and gives the printed scale; l is
/// log(1/δ).
pub fn proof_access() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer p ≥ 1
           integer T ≥ 1
           vector L ∈ ℝ^p, all > 0
           index j<p
           real ε > 0
           real δ > 0
           real l > 0
           assume l = log(1/δ)
           define ε′ := ε/(4·√(T·l))
         holds
           ε/√(16·T·l) = ε′; ε/(2·√(2·(2·T)·l)) = ε′; 2·L_j/(n·ε′) = (8·L_j/(n·ε))·√(T·l)",
    )
}

pub fn prove_proof_access(statement: &Statement) -> Proof {
    together(statement, vec![])
}

/// Entry j of a record's gradient at w_t, clipped at C.
fn clip(z: &Term) -> Term {
    let gradient = app("g", [z.clone()]);
    at(&op(Op::Clip, [gradient, var("C")]), &var("j"))
}

fn clipped_sum(data: &str) -> Term {
    vector(
        "j",
        var("p"),
        bind(Binder::Total, "z", var(data), clip(&var("z"))),
    )
}

fn noisy_sum(data: &str) -> Command {
    Command::Release {
        name: "s".into(),
        query: clipped_sum(data),
        law: op(
            Op::Normal,
            [var("p"), mul([var("σ").pow(2), var("C").pow(2)])],
        ),
    }
}

/// `gcd-alg-dpsgd-sens`: the sum of gradients clipped at C moves by C if a record of the batch is left out and by 2C if one is
/// replaced; with noise N(0, σ²C²) that is (1/(2σ²))-zCDP and (1/(2(σ/2)²))-zCDP.
pub fn dpsgd() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer p ≥ 1
           integer b ≥ 1
           real C > 0
           real σ > 0
           vector g ∈ ℝ^p for every record
           data D of b records: its neighbours have one record left out of every sum, and the same \
               number of records
           data B of b records: its neighbours have one record replaced
         holds
           between neighbours of D, ⟨Σ_{z∈D} clip(g(z), C)[j] : j<p⟩ moves by at most C; between \
               neighbours of B, ⟨Σ_{z∈B} clip(g(z), C)[j] : j<p⟩ moves by at most 2·C; between \
               neighbours of D, [s ← ⟨Σ_{z∈D} clip(g(z), C)[j] : j<p⟩ + N_{p}(0, σ²·C²)] is \
               (1/(2·σ²))-zCDP; between neighbours of B, [s ← ⟨Σ_{z∈B} clip(g(z), C)[j] : j<p⟩ + \
               N_{p}(0, σ²·C²)] is (1/(2·(σ/2)²))-zCDP",
    )
}

/// The proof of [`dpsgd`], or of a statement with other constants.
pub fn prove_dpsgd(statement: &Statement) -> Proof {
    let (context, goals) = (&statement.context, all_goals(statement));
    let mut proved = Vec::new();
    for goal in goals {
        proved.push(match goal {
            Goal::Moves { data, by, .. } => sum_moves(context, data, by)?,
            Goal::Private { data, notion, .. } => {
                let by = if data == "D" {
                    var("C")
                } else {
                    mul([num(2), var("C")])
                };
                let noisy = gaussian(context, &noisy_sum(data), &sum_moves(context, data, &by)?)?;
                let Goal::Private { notion: cost, .. } = &noisy.statement().goal else {
                    return Err(Stuck::new("not about privacy"));
                };
                let less = Goal::Le(cost.numbers()[0].clone(), notion.numbers()[0].clone());
                weaken(&noisy, notion, &[&combine(context, less, &[])?])?
            }
            _ => return Err(Stuck::new("neither a sensitivity nor privacy")),
        });
    }
    both(context, &proved.iter().collect::<Vec<_>>())
}

fn sum_moves(context: &Context, data: &str, by: &Term) -> Proof {
    let share = Share {
        of: &|z| vector("j", var("p"), clip(z)),
        bound: &|here, z| clipped(here, &app("g", [var(z)]), &var("C")),
        factor: num(1),
    };
    record_moves(context, data, &clipped_sum(data), &share, by)
}
