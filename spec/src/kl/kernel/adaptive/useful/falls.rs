//! `kl-lem-12-corrected`: what one step with an error does in S.

use super::place::Place;
use super::{Proof, f, le, member, model, of_data, slope};
use crate::moved::written::{each, given, goal};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Part, Theorem, combine, exp_log, exp_sum, inverse, larger, largest};
use dp_assay_kernel::search::exp::{exp_increases, log_product, log_tangent};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{assumed, with};
use dp_assay_kernel::statement::{Context, Goal, Statement};
use dp_assay_kernel::term::{Term, at, mul, num, sum, var, vector};

/// `kl-lem-12-corrected`, for a step from w in S with the error e, from which S is not left if its quadratic model is at most α.
pub fn statement() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           real L₀ > 0
           loss f on ℝ^d with L₀: changed by at most L₀·‖v‖ when v is added to its vector, for \
               every record; where it has no gradient, its derivatives are those of a chosen \
               vector of norm at most L₀
           data D of n records: its neighbours have one record replaced
           real L₁ > 0
           real γ > 0
           real κ > 0
           real B > 0
           real α
           real F⋆
           map S of ℝ^d into ℝ^1
           vector w₀ ∈ ℝ^d
           vector w ∈ ℝ^d
           vector e ∈ ℝ^d
           define F(x∈ℝ^d) := (Σ_{z∈D} f(x, z))/n
           define G(x∈ℝ^d) := ‖⟨(Σ_{z∈D} ∂_j f(x; z))/n : j<d⟩‖
           assume 1 ≤ κ
           assume for every vector x ∈ ℝ^d: for every vector v ∈ ℝ^d: if ‖S(x)‖ ≤ 0: if (F(x) + \
               Σ_{j<d} ((Σ_{z∈D} ∂_j f(x; z))/n)·v_j) + (L₁/2)·(Σ_{j<d} v_j²) ≤ α: ‖S(⟨x_j + v_j : \
               j<d⟩)‖ ≤ 0
           assume for every vector x ∈ ℝ^d: for every vector v ∈ ℝ^d: if ‖S(x)‖ ≤ 0: if (F(x) + \
               Σ_{j<d} ((Σ_{z∈D} ∂_j f(x; z))/n)·v_j) + (L₁/2)·(Σ_{j<d} v_j²) ≤ α: F(⟨x_j + v_j : \
               j<d⟩) ≤ (F(x) + Σ_{j<d} ((Σ_{z∈D} ∂_j f(x; z))/n)·v_j) + (L₁/2)·(Σ_{j<d} v_j²)
           assume for every vector x ∈ ℝ^d: for every real y > 0: if ‖S(x)‖ ≤ 0: if γ·G(x) ≤ y: \
               F(x) − F⋆ ≤ exp(κ·log(y))
           assume for every vector x ∈ ℝ^d: if ‖S(x)‖ ≤ 0: F⋆ ≤ F(x)
           assume ‖S(w₀)‖ ≤ 0
           assume F(w₀) ≤ α
           assume F⋆ + exp(κ·log(γ·B)) + B²/(8·L₁) ≤ α
           assume ‖S(w)‖ ≤ 0
           assume F(w) ≤ α
           assume ‖e‖ ≤ (G(w) + B)/2
         holds
           ‖S(⟨w_j − ((Σ_{z∈D} ∂_j f(w; z))/n + e_j)/(2·L₁) : j<d⟩)‖ ≤ 0; if 2·B ≤ G(w): \
               3·G(w)²/(32·L₁) ≤ F(w) − F(⟨w_j − ((Σ_{z∈D} ∂_j f(w; z))/n + e_j)/(2·L₁) : j<d⟩); \
               F(⟨w_j − ((Σ_{z∈D} ∂_j f(w; z))/n + e_j)/(2·L₁) : j<d⟩) − F⋆ ≤ max(F(w) − F⋆, \
               (5/4)·exp(κ·log(γ·B)))",
    )
}

fn step(j: &Term) -> Term {
    (slope(&var("w")) + at(&var("e"), j)) / mul([num(2), var("L₁")])
}

/// (γB)^κ.
fn power() -> Term {
    mul([var("κ"), mul([var("γ"), var("B")]).log()]).exp()
}

/// F(x) − F⋆ ≤ (γB)^κ from G(x) ≤ B.
fn near(here: &Context, place: &Place<'_>, order: &Theorem) -> Proof {
    let y = mul([var("γ"), var("B")]);
    let left = mul([var("γ"), place.height()]);
    place.steep(
        here,
        &y,
        &le(here, left, y.clone(), vec![with(var("γ"), order)])?,
    )
}

/// F(x) − F⋆ ≤ (γB)^κ·q/B from G(x) ≤ q ≤ B, for κ ≥ 1.
fn share(here: &Context, place: &Place<'_>, q: &Term, [order, most]: [&Theorem; 2]) -> Proof {
    let y = mul([var("γ"), q.clone()]);
    let left = mul([var("γ"), place.height()]);
    let small = place.steep(
        here,
        &y,
        &le(here, left, y.clone(), vec![with(var("γ"), order)])?,
    )?;
    let (whole, ratio) = (mul([var("γ"), var("B")]), q.clone() / var("B"));
    let [_, split] = log_product(here, &whole, &ratio)?;
    let below = log_tangent(here, &ratio)?;
    let negative = le(
        here,
        ratio.log(),
        num(0),
        vec![with(num(1), &below), with(num(1) / var("B"), most)],
    )?;
    let large = given(here, 0)?;
    let parts = vec![
        with(var("κ"), &split),
        Part::new(num(1), [&large, &negative].map(Into::into)),
    ];
    let exponent = mul([var("κ"), whole.log()]);
    let logs = le(
        here,
        mul([var("κ"), y.log()]),
        exponent.clone() + ratio.log(),
        parts,
    )?;
    let (grown, product) = (
        exp_increases(&logs)?,
        exp_sum(here, &exponent, &ratio.log())?,
    );
    let named = exp_log(here, &ratio)?;
    let parts = vec![
        with(num(1), &small),
        with(num(1), &grown),
        with(num(1), &product),
        with(power(), &named),
    ];
    le(here, place.excess(), mul([power(), ratio]), parts)
}

/// F(w⁺) − F⋆ ≤ (γB)^κ where G(w) ≤ B: if B ≤ G(w⁺), B² is at most 2L₁ times that.
fn stays(
    here: &Context,
    [place, after]: [&Place<'_>; 2],
    falls: &Theorem,
    order: &Theorem,
) -> Proof {
    let (g, b, low) = (place.height(), var("B"), after.excess());
    let goal = Goal::Le(low.clone(), power());
    either(here, [&after.height(), &b], |here, steep, flat| {
        if flat {
            return near(here, after, steep);
        }
        let rises = after.flat()?;
        let square = mul([num(2), var("L₁"), low.clone()]);
        let factor = after.height() + b.clone();
        let square = le(
            here,
            b.pow(2),
            square,
            vec![with(num(1), &rises), with(factor, steep)],
        )?;
        let half = b.clone() / num(2);
        let eighth = num(1) / mul([num(8), var("L₁")]);
        either(here, [&g, &half], |here, case, small| {
            if small {
                let most = le(here, half.clone(), b.clone(), vec![])?;
                let fact = share(here, place, &half, [case, &most])?;
                let parts = vec![
                    with(num(4) / num(3), falls),
                    with(num(4) / num(3), &fact),
                    with(num(4) / num(3) * eighth.clone(), &square),
                ];
                return le(here, low.clone(), power(), parts);
            }
            let q = g.max_with(&half);
            let same = |t: &Term| le(here, t.clone(), t.clone(), vec![]);
            let (up, down) = (larger(here, &g, &half, false)?, largest(&same(&g)?, case)?);
            let most = combine(
                here,
                Goal::Le(q.clone(), b.clone()),
                &[with(num(1), &down), with(num(1), order)],
            )?;
            let fact = share(here, place, &q, [&up, &most])?;
            let ratio = q.clone() / b.clone();
            let one = le(
                here,
                ratio.clone(),
                num(1),
                vec![with(num(1) / b.clone(), &most)],
            )?;
            let rest = num(1) - ratio.pow(2);
            let positive = le(
                here,
                num(0),
                rest.clone(),
                vec![with(num(1) + ratio.clone(), &one)],
            )?;
            let bound = mul([power(), ratio.clone()]) + mul([rest, low.clone()]) / num(4);
            let parts = vec![
                with(num(1), falls),
                with(num(1), &fact),
                with(mul([eighth.clone(), g.clone() + q.clone()]), &down),
                Part::new(eighth.clone(), [&positive, &square].map(Into::into)),
            ];
            let bound = le(here, low.clone(), bound, parts)?;
            let all = num(3) + ratio.pow(2);
            let (unit, whole) = (num(1) / all.clone(), inverse(here, &all)?);
            let share = mul([power(), unit.clone()]);
            let parts = [
                with(num(4) * unit, &bound),
                Part::new(share.clone(), [&one, &one].map(Into::into)),
                with(num(2) * share, &one),
                with(power() - low.clone(), &whole),
            ];
            combine(here, goal.clone(), &parts)
        })
    })
}

/// The proof of [`statement`], or of a statement with other constants.
pub fn prove(statement: &Statement) -> Proof {
    let here = &statement.context;
    let data = of_data(here)?;
    let place = Place {
        here,
        data: &data,
        x: var("w"),
        inside: assumed(here, &member(&var("w")))?,
        below: assumed(here, &goal(here, "F(w) ≤ α")?)?,
    };
    let (g, b) = (place.height(), var("B"));
    let (half, error) = ((g.clone() + b.clone()) / num(2), var("e").norm());
    let short = given(here, 10)?;
    let square = le(
        here,
        error.pow(2),
        half.pow(2),
        vec![with(half.clone() + error, &short)],
    )?;
    let j = var("j");
    let v = vector("j", var("d"), num(0) - step(&j));
    let eighth = num(1) / mul([num(8), var("L₁")]);
    let most = f(&var("w")) + mul([eighth.clone(), b.pow(2) - g.pow(2)]);
    let all = sum("j", var("d"), (slope(&var("w")) + at(&var("e"), &j)).pow(2));
    let parts = vec![
        with(num(2) * eighth.clone(), &square),
        Part::new(eighth.clone() * all, []),
        Part::new(eighth.clone() * (g.clone() - b.clone()).pow(2) / num(2), []),
    ];
    let model = le(here, model(&var("w"), &v), most.clone(), parts)?;
    let low = either(here, [&b, &g], |here, order, steep| {
        let parts = match steep {
            true => vec![
                with(eighth.clone() * (g.clone() + b.clone()), order),
                with(num(1), &place.below),
            ],
            false => {
                let (small, top) = (near(here, &place, order)?, assumed(here, &data[6])?);
                return le(
                    here,
                    most.clone(),
                    var("α"),
                    vec![with(num(1), &small), with(num(1), &top)],
                );
            }
        };
        le(here, most.clone(), var("α"), parts)
    })?;
    let low = le(
        here,
        super::model(&var("w"), &v),
        var("α"),
        vec![with(num(1), &model), with(num(1), &low)],
    )?;
    let (after, falls) = place.step(here, &data, &v, &low)?;
    let falls = le(
        here,
        f(&after.x),
        most,
        vec![with(num(1), &falls), with(num(1), &model)],
    )?;
    each(
        statement,
        &[
            &|h, goal| combine(h, goal.clone(), &[with(num(1), &after.inside)]),
            &|h, goal| {
                let steep = given(h, 11)?;
                let factor = (g.clone() + num(2) * b.clone()) / mul([num(32), var("L₁")]);
                let parts = vec![with(num(1), &falls), with(factor, &steep)];
                combine(h, goal.clone(), &parts)
            },
            &|h, goal| {
                let Goal::Le(_, Term::Op(_, sides)) = goal else {
                    return Err(Stuck::new("no maximum"));
                };
                let [first, second] =
                    [false, true].map(|which| larger(h, &sides[0], &sides[1], which));
                let (first, second) = (first?, second?);
                either(h, [&b, &g], |h, order, steep| {
                    if steep {
                        let factor = eighth.clone() * (g.clone() + b.clone());
                        let parts = vec![
                            with(num(1), &falls),
                            with(factor, order),
                            with(num(1), &first),
                        ];
                        return combine(h, goal.clone(), &parts);
                    }
                    let low = stays(h, [&place, &after], &falls, order)?;
                    let parts = vec![with(num(1), &low), with(num(1), &second)];
                    combine(h, goal.clone(), &parts)
                })
            },
        ],
    )
}
