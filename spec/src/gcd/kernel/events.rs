//! What T rounds of Algorithm 1 do with high probability.
//!
//! A round goes well if all |z_k|, the selection's noise being λ′_k·z_k, and |η_j|/λ_j, the release's, are at most Λ = log(2Tp/ζ). It
//! does not with a probability of (p + 1)·ζ/(2Tp) at most, T rounds with one of ζ: the invariant of the loop is the indicator that
//! what is wanted fails, plus (T − t)·ζ/T. Where it is asked for, a round goes well only if no coordinate becomes 0 besides: it does with
//! probability 1.

use super::noisy::{excess, fails, holds, index, rate, ratio, root, scale, slope, space};
use super::{select_by, step};
use crate::moved::written::{Proof, sides};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Part, Theorem, combine, counted, density, discharge, ends, exp_log, expected, instance,
    root_increases, smooth, sum_over, supremum, tail, union, wins,
};
use dp_assay_kernel::search::cases::split;
use dp_assay_kernel::search::exp::{exp_increases, exp_of_opposite};
use dp_assay_kernel::search::size::{above_modulus, below_modulus};
use dp_assay_kernel::search::{assumed, item, modulus, real, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort};
use dp_assay_kernel::term::{Binder, Op, Term, add, app, at, bind, mul, num, op, sum, var};

/// σ = 8ρ√(Tm)/(nε), by which λ′_k is at most σ√M_k.
fn sigma() -> Term {
    mul([num(8), var("ρ"), scale()]) / mul([var("n"), var("ε")])
}

/// The state after the release, with this noise in it.
pub(super) fn moved(noise: &Term) -> Term {
    step(rate, slope(&var("j")) + noise.clone())
}

/// What is known of the scales of the noise.
pub(super) struct Scales {
    /// u.
    pub width: fn() -> Term,
    /// v.
    pub release: fn() -> Term,
    /// λ′_i·Λ ≤ u√M_i.
    pub selected: fn(&Context, &Term) -> Proof,
    /// λ_j·Λ ≤ v√M_j.
    pub released: fn(&Context) -> Proof,
    /// exp(−Λ) ≤ ζ/(2Tp).
    pub rare: fn(&Context) -> Proof,
    /// Whether a round goes well only if [`apart`].
    pub apart: bool,
}

/// Those of this run: u = σΛ and v = u/2.
pub(super) const OWN: Scales = Scales {
    width,
    release: || width() / num(2),
    selected,
    released,
    rare: |here| rare(here, 2),
    apart: false,
};

/// What is known within a round that goes well: of w, the round t, z, the chosen j and the release's noise a.
pub(super) struct Round<'a> {
    pub here: &'a Context,
    pub scales: &'a Scales,
    /// What is wanted, before the round.
    pub before: Theorem,
    /// f(w⁺) − f(w⋆) ≤ f(w) − f(w⋆) − s²/2 + v²/2.
    pub descent: Theorem,
    wins: Theorem,
    small: Theorem,
}

/// |∂_jf(w)|/√M_j.
pub(super) fn height() -> Term {
    slope(&var("j")).abs() / root(&var("j"))
}

/// σ·Λ.
pub(super) fn width() -> Term {
    mul([sigma(), var("Λ")])
}

impl Round<'_> {
    /// w⁺.
    pub fn after(&self) -> Term {
        moved(&var("a"))
    }

    /// s + 2u.
    pub fn largest_slope(&self) -> Term {
        height() + num(2) * (self.scales.width)()
    }

    /// For i, the last variable of the context: |∂_if(w)| ≤ √M_i·(s + 2u).
    pub fn largest(&self, here: &Context, i: &Term) -> Proof {
        let j = var("j");
        let loud = |k: &Term| slope(k) + mul([app("λ′", [k.clone()]), at(&var("z"), k)]);
        let reach = |k: &Term| mul([app("λ′", [k.clone()]), var("Λ")]);
        // ±z_k ≤ Λ.
        let signed = |k: &Term| -> Result<[Theorem; 2], Stuck> {
            let (z, small) = (at(&var("z"), k), instance(here, &self.small, k)?);
            let [above, below] = [below_modulus(here, &z)?, above_modulus(here, &z)?];
            let one = |t: Term, fact: &Theorem| {
                let parts = [with(num(1), fact), with(num(1), &small)];
                combine(here, Goal::Le(t, var("Λ")), &parts)
            };
            Ok([one(z.clone(), &above)?, one(num(0) - z, &below)?])
        };
        // |x| ≤ |y| + λ′_kΛ for x = y ∓ λ′_kz_k.
        let near = |x: Term, y: Term, k: &Term, [up, down]: [&Theorem; 2]| {
            let bound = y.abs() + reach(k);
            let noise = app("λ′", [k.clone()]);
            let one = |t: Term, size: Theorem, fact: &Theorem| {
                let parts = [with(num(1), &size), with(noise.clone(), fact)];
                combine(here, Goal::Le(t, bound.clone()), &parts)
            };
            let above = one(x.clone(), below_modulus(here, &y)?, up)?;
            modulus(&above, &one(num(0) - x, above_modulus(here, &y)?, down)?)
        };
        let ([up, down], [above, below]) = (signed(i)?, signed(&j)?);
        let of_i = near(slope(i), loud(i), i, [&down, &up])?;
        let of_j = near(loud(&j), slope(&j), &j, [&above, &below])?;
        let wins = instance(here, &self.wins, i)?;
        let quiet = self.scales.selected;
        let [first, second] = [quiet(here, i)?, quiet(here, &j)?];
        let share = root(i) / root(&j);
        let parts = vec![
            with(num(1), &of_i),
            with(root(i), &wins),
            with(share.clone(), &of_j),
            with(share, &second),
            with(num(1), &first),
        ];
        let goal = Goal::Le(slope(i).abs(), root(i) * self.largest_slope());
        combine(here, goal, &parts)
    }

    /// Σ_i ∂_if(w)·(w_i − w⋆_i) ≤ (s + 2u)·Σ_i √M_i·|w_i − w⋆_i|.
    pub fn hoelder(&self) -> Proof {
        let (i, total) = (var("i"), self.largest_slope());
        let here = self.here.extended(index("i"))?;
        let gap = at(&var("w"), &i) - at(&var("w⋆"), &i);
        let (x, y) = (slope(&i), gap.clone());
        let [up, down] = [below_modulus(&here, &x)?, above_modulus(&here, &x)?];
        let [above, below] = [below_modulus(&here, &y)?, above_modulus(&here, &y)?];
        let (half, largest) = (num(1) / num(2), self.largest(&here, &i)?);
        let parts = vec![
            with(gap.abs(), &largest),
            Part::new(half.clone(), [&up, &below].map(Into::into)),
            Part::new(half, [&down, &above].map(Into::into)),
        ];
        let goal = Goal::Le(x * y, mul([total, root(&i), gap.abs()]));
        sum_over(&combine(&here, goal, &parts)?)
    }
}

/// λ′_i·Λ ≤ σ√M_i·Λ.
fn selected(here: &Context, i: &Term) -> Proof {
    let scale = scale() / mul([var("n"), var("ε")]);
    let ratios = assumed(here, &ratio())?;
    let other = here.extended(index("k′"))?;
    let k = var("k′");
    let one = instance(&other, &ratios, &k)?;
    let goal = Goal::Le(at(&var("L"), &k) / root(&k), var("ρ"));
    let one = combine(&other, goal, &[with(num(1) / root(&k), &one)])?;
    let (all, own) = (supremum(&one, i)?, instance(here, &ratios, i)?);
    let scale = mul([num(4), scale, var("Λ")]);
    let parts = [with(mul([root(i), scale.clone()]), &all), with(scale, &own)];
    let goal = Goal::Le(mul([app("λ′", [i.clone()]), var("Λ")]), width() * root(i));
    combine(here, goal, &parts)
}

/// λ_j·Λ ≤ (σ/2)√M_j·Λ.
fn released(here: &Context) -> Proof {
    let j = var("j");
    let own = instance(here, &assumed(here, &ratio())?, &j)?;
    let scale = mul([num(4), scale(), var("Λ")]) / mul([var("n"), var("ε")]);
    let goal = Goal::Le(
        mul([app("λ", [j.clone()]), var("Λ")]),
        width() / num(2) * root(&j),
    );
    combine(here, goal, &[with(scale, &own)])
}

/// What is wanted of the state x before round t: one number is at most another.
pub(super) type Wanted<'a> = &'a dyn Fn(&Term, &Term) -> [Term; 2];

/// What is wanted of a process that does the rounds of Algorithm 1.
pub(super) struct Run<'a> {
    pub process: &'a str,
    /// Its first state, and the items of those before w.
    pub state: &'a str,
    pub others: &'a [Item],
    /// What is wanted of w, and of the others, before round t.
    pub now: &'a dyn Fn(&Term) -> [Term; 2],
    /// The same behind a round with the noise a, t being the next one.
    pub next: &'a dyn Fn(&Term) -> [Term; 2],
}

/// With probability at least 1 − ζ the run ends with what is wanted after T rounds, if it begins with what is wanted before the
/// first (`start`) and a round that goes well keeps it: written E (1 − u) ≤ ζ for the indicator u.
pub(super) fn run(
    context: &Context,
    scales: &Scales,
    wanted: Wanted<'_>,
    start: &Theorem,
    keeps: impl Fn(&Round<'_>, Goal) -> Proof,
) -> Proof {
    let run = Run {
        process: "Alg1",
        state: "w",
        others: &[],
        now: &|t| wanted(&var("w"), t),
        next: &|t| wanted(&moved(&var("a")), t),
    };
    run_of(context, scales, &run, start, keeps)
}

/// The same of any process with these rounds.
pub(super) fn run_of(
    context: &Context,
    scales: &Scales,
    run: &Run<'_>,
    start: &Theorem,
    keeps: impl Fn(&Round<'_>, Goal) -> Proof,
) -> Proof {
    let (t, rounds) = (var("t"), var("T"));
    let here = context.with(run.others.iter().cloned())?;
    let here = here.extended(item("w", space()))?;
    let lost = |t: &Term| mul([var("T") - t.clone(), var("ζ") / var("T")]);
    let invariant = |t: &Term| fails((run.now)(t)) + lost(t);
    let value = fails((run.now)(&rounds));
    let end = Goal::Le(value.clone(), invariant(&rounds));
    let end = combine(&here, end, &[])?;
    let here = here.extended(item("t", Sort::Index(var("T"))))?;
    let later = lost(&(t.clone() + num(1)));
    let (most, chosen) = round(&here, scales, run, &later, keeps)?;
    let before = invariant(&t);
    let kept = before_round(&here, scales, &most, before.clone())?;
    let bounds = [&before, &most];
    let theorem = ends(
        context,
        run.process,
        (run.state, &value),
        &bounds,
        &[&end, &kept, &chosen],
    )?;
    let start = union(start)?;
    let [left, _] = sides(&theorem.statement().goal)?;
    let parts = [with(num(1), &theorem), with(num(1), &start)];
    combine(context, Goal::Le(left.clone(), var("ζ")), &parts)
}

/// ζ/(2Tp).
fn share() -> Term {
    var("ζ") / mul([num(2), var("T"), var("p")])
}

/// exp(−Λ) ≤ ζ/(2Tp), since Λ is the logarithm of 2Tp/ζ, or of a larger multiple of Tp/ζ.
pub(super) fn rare(here: &Context, events: i64) -> Proof {
    let inside = mul([num(events), var("T"), var("p")]) / var("ζ");
    let told = assumed(here, &Goal::Eq(inside.log(), var("Λ")))?;
    let most = Goal::Le(inside.log(), var("Λ"));
    let most = exp_increases(&combine(here, most, &[with(num(1), &told)])?)?;
    let inverse = exp_log(here, &inside)?;
    let unit = exp_of_opposite(here, &var("Λ"))?;
    let decay = (num(0) - var("Λ")).exp();
    // 1/x − e^{−Λ} = (1/x)·e^{−Λ}·(e^Λ − x), as e^{−Λ}·e^Λ = 1.
    let each = num(1) / inside;
    let parts = vec![
        with(mul([each.clone(), decay.clone()]), &most),
        with(mul([num(-1), each.clone(), decay.clone()]), &inverse),
        with(num(-1) * each, &unit),
    ];
    combine(here, Goal::Le(decay, share()), &parts)
}

/// |z_k| ≤ Λ for every k.
fn quiet() -> Goal {
    let goal = Goal::Le(at(&var("z"), &var("k")).abs(), var("Λ"));
    Goal::Every("k".into(), Sort::Index(var("p")), goal.into())
}

/// M_kw_k − ∂_jf(w): with that for its noise a, coordinate k would become 0, if it is j.
fn zero(k: &Term) -> Term {
    at(&var("M"), k) * at(&var("w"), k) - slope(&var("j"))
}

/// 1\[(a − M_kw_k + ∂_jf(w))² ≤ 0\].
fn meets(k: &Term) -> Term {
    holds((var("a") - zero(k)).pow(2), num(0))
}

/// That is 0 for every k.
pub(super) fn apart() -> Goal {
    let goal = Goal::Le(meets(&var("k")), num(0));
    Goal::Every("k".into(), Sort::Index(var("p")), goal.into())
}

/// E Σ_k (1 − 1\[u_k ≤ 0\]) ≤ 0 for the indicators u_k of a tie, as the noise has a density.
fn surely_apart(here: &Context, law: &Term) -> Proof {
    let (k, none) = (var("k"), num(0));
    let each = here.extended(index("k"))?;
    let drawn = each.extended(real("a", Sign::Any))?;
    let gap = var("a") - zero(&k);
    let near = holds(gap.abs(), none.clone());
    let goal = Goal::Le(fails([meets(&k), none.clone()]), near.clone());
    let most = split(
        &drawn,
        [&gap.pow(2), &none],
        |here, fact| {
            let square = Goal::Le(gap.pow(2), none.pow(2));
            let root = root_increases(&combine(here, square, &[with(num(1), fact)])?)?;
            let size = Goal::Le(gap.abs(), none.clone());
            let root = combine(here, size, &[with(num(1), &root)])?;
            let sure = union(&root)?;
            combine(here, goal.clone(), &[with(num(1), &sure)])
        },
        |here, fact| {
            let sure = union(fact)?;
            let parts = [with(num(1), &sure), Part::new(near.clone(), [])];
            combine(here, goal.clone(), &parts)
        },
    )?;
    let most = expected(&most, law)?;
    let rare = density(&each, law, &zero(&k), &none)?;
    let [left, _] = sides(&most.statement().goal)?;
    let parts = [with(num(1), &most), with(num(1), &rare)];
    sum_over(&combine(&each, Goal::Le(left.clone(), none), &parts)?)
}

/// f(w⁺) − f(w⋆) ≤ f(w) − f(w⋆) − s²/2 + v²/2 where |a| ≤ λ_j·Λ.
fn descent(here: &Context, scales: &Scales, calm: &Theorem) -> Proof {
    let (j, noise) = (var("j"), var("a"));
    let after = moved(&noise);
    let smooth = smooth(here, "f", &var("w"), &after)?;
    let (most, below) = ((scales.release)(), (scales.released)(here)?);
    let size = |t: Term| t / mul([num(2), at(&var("M"), &j)]);
    let reach = mul([app("λ", [j.clone()]), var("Λ")]);
    let parts = [
        with(num(1), &smooth),
        with(size(noise.abs() + reach.clone()), calm),
        with(size(most.clone() * root(&j) + reach), &below),
    ];
    let change = most.pow(2) / num(2) - height().pow(2) / num(2);
    let goal = Goal::Le(excess(&after), excess(&var("w")) + change);
    combine(here, goal, &parts)
}

/// Of a round: E u over the noise z of the selection, u being the sum of the indicators that some |z_k| is too large or what is
/// wanted fails already, ζ/(2Tp), and what is left for the rounds behind; and that, if j wins, no more is to be expected behind
/// the selection.
fn round(
    here: &Context,
    scales: &Scales,
    run: &Run<'_>,
    later: &Term,
    keeps: impl Fn(&Round<'_>, Goal) -> Proof,
) -> Result<(Term, Theorem), Stuck> {
    let (t, a) = (var("t"), var("a"));
    let noisy = here.with([item("z", space()), index("j")])?;
    let first = wins(&select_by(slope), "z").ok_or_else(|| Stuck::new("no selection"))?;
    let won = noisy.extended(Item::Assume(first.clone()))?;
    let drawn = won.extended(real("a", Sign::Any))?;
    let scale = app("λ", [var("j")]);
    let calm = Goal::Le(a.abs(), mul([scale.clone(), var("Λ")]));
    let [x, y] = (run.now)(&t);
    let before = Goal::Le(x, y);
    let apart = scales.apart.then(apart);
    let all = [
        Some(quiet()),
        Some(calm.clone()),
        apart,
        Some(before.clone()),
    ];
    let all: Vec<Item> = all.into_iter().flatten().map(Item::Assume).collect();
    let hypotheses = all.len();
    let good = drawn.with(all)?;
    let known = Round {
        here: &good,
        before: assumed(&good, &before)?,
        scales,
        descent: descent(&good, scales, &assumed(&good, &calm)?)?,
        wins: assumed(&good, &first)?,
        small: assumed(&good, &quiet())?,
    };
    let next = (run.next)(&(t.clone() + num(1)));
    let [x, y] = next.clone();
    let kept = keeps(&known, Goal::Le(x, y))?;
    let kept = (0..hypotheses).try_fold(kept, |theorem, _| discharge(&theorem))?;
    let law = op(Op::Laplace, [scale]);
    let mut facts = vec![expected(&union(&kept)?, &law)?];
    facts.extend([tail(&won, &law, &var("Λ"), None)?, (scales.rare)(&won)?]);
    if scales.apart {
        facts.push(surely_apart(&won, &law)?);
    }
    let parts: Vec<Part<'_>> = facts.iter().map(|fact| with(num(1), fact)).collect();
    let value = bind(Binder::Expect, "a", law, fails(next) + later.clone());
    let loud = fails([at(&var("z"), &var("k")).abs(), var("Λ")]);
    let loud = sum("k", var("p"), loud);
    let most = add([loud, share(), fails((run.now)(&t)), later.clone()]);
    let chosen = discharge(&combine(&won, Goal::Le(value, most.clone()), &parts)?)?;
    let law = op(Op::Laplace, [var("p"), num(1)]);
    Ok((bind(Binder::Expect, "z", law, most), chosen))
}

/// E u ≤ I(t): p + 1 tails of ζ/(2Tp) are at most ζ/T.
fn before_round(here: &Context, scales: &Scales, most: &Term, invariant: Term) -> Proof {
    let law = op(Op::Laplace, [var("p"), num(1)]);
    let each = here.extended(index("i"))?;
    let tails = sum_over(&tail(&each, &law, &var("Λ"), Some("i"))?)?;
    let (rare, one) = ((scales.rare)(here)?, counted(here, &var("p"))?);
    let parts = [
        with(num(1), &tails),
        with(var("p"), &rare),
        with(share(), &one),
    ];
    combine(here, Goal::Le(most.clone(), invariant), &parts)
}
