//! What DP-STAT ends with where its noisy counts are right: no threshold below half of the residuals' deviation S, nor above 2√(2ℓ)·S.

use super::Proof;
use super::stated::{count, small};
use super::threshold::{level, most_that_follows};
use super::weights::SCALE;
use crate::ambssgd::kernel::ssgd::ends::{at_least as bounded, named, same};
use crate::ambssgd::kernel::ssgd::words::Phase;
use crate::moved::written::{Written, goal, inside, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Theorem, assume, at_most_one, chain, discharge, induction, instance, larger, largest,
    root_increases, sum_over, unclipped, union,
};
use dp_assay_kernel::search::cases::{absurd, beyond, split};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{assumed, item, modulus};
use dp_assay_kernel::statement::{Context, Goal, Item, Sort};
use dp_assay_kernel::term::{num, var};

/// The noisy counts, for the noise c.
fn counts(phase: Phase) -> String {
    format!("⟨{} + c_ι : ι<m⟩", count(phase.number(), "ι"))
}

/// What DP-STAT ends with, as the one entry of a vector.
fn end(phase: Phase) -> String {
    format!("Γ({})[ε]", counts(phase))
}

/// The same as γ.
pub(super) fn ended(phase: Phase) -> String {
    format!("⟨clip({}, Δ·2^m) : ε<1⟩", end(phase))
}

/// 1 if threshold l is low, or high.
pub(super) fn low(scale: &str) -> String {
    format!("𝟙(2·Δ·2^l ≤ {scale})")
}

pub(super) fn high(scale: &str) -> String {
    format!("𝟙(√(2·ℓ)·{scale} ≤ Δ·2^l)")
}

/// Count l is right for a low threshold, or a high one.
pub(super) fn few() -> [String; 2] {
    [low(SCALE), "(M_l − 15·r/16)".to_owned()]
}

pub(super) fn all() -> [String; 2] {
    [high(SCALE), "(r − M_l)".to_owned()]
}

/// z ≤ 0 from 1 ≤ u and u·z ≤ 0, for an indicator u.
fn weighted(h: &Context, [weight, z]: &[String; 2], facts: [&Theorem; 2]) -> Proof {
    let sure = at_most_one(h, &term(h, weight)?)?;
    let parts: &[Written<'_>] = &[
        (&format!("{z}² + 1"), &[facts[0]]),
        ("1", &[facts[1]]),
        (&format!("({z} − 1/2)² + 3/4"), &[&sure]),
    ];
    show(h, &format!("{z} ≤ 0"), parts)
}

/// u·z ≤ 0 from u ≤ 0, for an indicator u.
pub(super) fn weightless(h: &Context, [weight, z]: &[String; 2], none: &Theorem) -> Proof {
    let parts: &[Written<'_>] = &[
        (&format!("{z}² + 1"), &[none]),
        (&format!("{weight}·(({z} − 1/2)² + 3/4)"), &[]),
    ];
    show(h, &format!("{weight}·{z} ≤ 0"), parts)
}

/// A context with hypotheses for every threshold.
fn supposed(h: &Context, facts: [&str; 2]) -> Result<Context, Stuck> {
    facts.into_iter().try_fold(h.clone(), |h, fact| {
        let fact = fact.replace("_l", "_κ").replace("2^l", "2^κ");
        h.extended(Item::Assume(goal(
            &h,
            &format!("for every index κ<m: {fact}"),
        )?))
    })
}

/// One of them, by its number in the context, for threshold l.
fn at_l(h: &Context, index: usize) -> Proof {
    instance(h, &assume(h, index)?, &var("l"))
}

/// What is supposed of Γ, for the noisy counts.
fn of_search(h: &Context, phase: Phase, n: usize) -> Proof {
    let items = h.items().iter().enumerate();
    let mut found = items.filter(|(_, item)| match item {
        Item::Assume(goal @ Goal::Every(..)) => {
            { goal.sides().into_iter().flatten() }.any(|side| side.mentions("Γ"))
        }
        _ => false,
    });
    let (index, _) = found.nth(n).ok_or_else(|| Stuck::new("no search"))?;
    let every = instance(h, &assume(h, index)?, &term(h, &counts(phase))?)?;
    instance(h, &every, &var("ε"))
}

/// What holds under a hypothesis, which the program proves.
fn met(h: &Context, implied: &Theorem, prove: &dyn Fn(&Context, &Goal) -> Proof) -> Proof {
    let Goal::If(given, _) = &implied.statement().goal else {
        return Err(Stuck::new("nothing is supposed"));
    };
    chain(h, implied, &inside(h, given, prove)?)
}

/// x ≤ Γ for x ≤ Δ·2^m, where no threshold below x has passed.
fn at_least(
    h: &Context,
    phase: Phase,
    (x, within): (&str, &Theorem),
    passed: &dyn Fn(&Context, &Goal) -> Proof,
) -> Proof {
    let every = instance(h, &of_search(h, phase, 2)?, &term(h, x)?)?;
    let every = met(h, &every, &|h, goal| settle(h, goal, &[("1", &[within])]))?;
    met(h, &every, passed)
}

/// clip(Γ, Δ·2^m) = Γ, from 0 ≤ Γ.
fn kept(h: &Context, phase: Phase, positive: &Theorem) -> Proof {
    let (end, most) = (end(phase), of_search(h, phase, 0)?);
    let above = show(h, &format!("{end} ≤ Δ·2^m"), &[("1", &[&most])])?;
    let below = format!("0 − {end} ≤ Δ·2^m");
    let below = show(h, &below, &[("1", &[positive]), ("Δ·2^m", &[])])?;
    unclipped(h, &modulus(&above, &below)?, None)
}

/// That a threshold passes, or not.
fn pass(phase: Phase) -> [String; 2] {
    ["r − G".to_owned(), format!("{}[l]", counts(phase))]
}

/// S ≤ 2·γ in the context with the noise c, if no low threshold has many residuals below it, nor noise above G; and S ≤ Δ·2^m.
pub(super) fn not_low(h: &Context, phase: Phase, top: &Theorem) -> Proof {
    let first = h.items().len();
    let [weight, z] = few();
    let here = supposed(h, [&format!("{weight}·{z} ≤ 0"), "c_l ≤ G"])?;
    let one = &here.extended(item("ε", Sort::Index(num(1))))?;
    let half = format!("{SCALE}/2");
    let within = show(
        one,
        &format!("{half} ≤ Δ·2^m"),
        &[("1/2", &[top]), ("Δ·2^m/2", &[])],
    )?;
    let [least, noisy] = pass(phase);
    let passed = format!("𝟙({least} ≤ {noisy})");
    let reads = format!("𝟙[t=τ{}]", phase.number());
    let record = small("z", "l");
    let found = at_least(one, phase, (&half, &within), &|h, goal| {
        split(
            h,
            [&term(h, "2·Δ·2^l")?, &term(h, SCALE)?],
            |h, below| {
                let sure = union(below)?;
                split(
                    h,
                    [&term(h, &least)?, &term(h, &noisy)?],
                    |h, pass| {
                        let facts = [&sure, &at_l(h, first)?];
                        let right = weighted(h, &few(), facts)?;
                        let noise = at_l(h, first + 1)?;
                        let (margin, none) =
                            (bounded(h, "r")?, named(h, &format!("p{}", phase.number()))?);
                        let parts: &[Written<'_>] = &[
                            ("16", &[pass]),
                            ("16", &[&right]),
                            ("16", &[&noise]),
                            ("1", &[&margin]),
                            (&format!("16·{reads}·(Σ_{{z∈D}} {record})"), &[&none]),
                        ];
                        absurd(h, &show(h, "1 ≤ 0", parts)?, goal)
                    },
                    |h, none| settle(h, goal, &[("1/2", &[none, below])]),
                )
            },
            |h, none| {
                let above = beyond(h, none)?;
                settle(h, goal, &[(&format!("{passed}/2"), &[&above])])
            },
        )
    })?;
    let end = end(phase);
    let positive = show(
        one,
        &format!("0 ≤ {end}"),
        &[("1", &[&found]), (&half, &[])],
    )?;
    let kept = kept(one, phase, &positive)?;
    let clipped = format!("clip({end}, Δ·2^m)");
    let parts: &[Written<'_>] = &[
        ("1", &[&found, &found]),
        (&format!("2·{half}"), &[&found]),
        (&format!("(−1)·({clipped} + {end})"), &[&kept]),
    ];
    let square = sum_over(&show(one, &format!("({half})² ≤ {clipped}²"), parts)?)?;
    let norm = format!("‖{}‖", ended(phase));
    let square = show(&here, &format!("({half})² ≤ {norm}²"), &[("1", &[&square])])?;
    let root = root_increases(&square)?;
    let above = larger(&here, &term(&here, &norm)?, &var("Δ"), false)?;
    let wanted = format!("{SCALE} ≤ 2·{}", level(&ended(phase)));
    let found = show(&here, &wanted, &[("2", &[&root]), ("2", &[&above])])?;
    discharge(&discharge(&found)?)
}

/// γ ≤ max(Δ, 2√(2ℓ)·S) in the context with the noise c, if every high threshold has all residuals below it, and no noise below −G; and
/// √(2ℓ)·S ≤ Δ·2^m.
pub(super) fn not_high(h: &Context, phase: Phase) -> Proof {
    let first = h.items().len();
    let [weight, z] = all();
    let here = supposed(h, [&format!("{weight}·{z} ≤ 0"), "0 − c_l ≤ G"])?;
    let one = &here.extended(item("ε", Sort::Index(num(1))))?;
    let (end, most) = (end(phase), most_that_follows());
    let found = smallest(one, phase, first)?;
    let zero = show(one, "0 ≤ Δ·2^m", &[("Δ·2^m", &[])])?;
    let [least, noisy] = pass(phase);
    let passed = format!("𝟙({least} ≤ {noisy})·Δ·2^l");
    let positive = at_least(one, phase, ("0", &zero), &|h, goal| {
        settle(h, goal, &[(&passed, &[])])
    })?;
    let kept = kept(one, phase, &positive)?;
    let clipped = format!("clip({end}, Δ·2^m)");
    let parts: &[Written<'_>] = &[
        ("1", &[&positive, &found]),
        (&most, &[&found]),
        (&format!("{clipped} + {end}"), &[&kept]),
    ];
    let square = sum_over(&show(one, &format!("{clipped}² ≤ {most}²"), parts)?)?;
    let norm = format!("‖{}‖", ended(phase));
    let square = show(&here, &format!("{norm}² ≤ {most}²"), &[("1", &[&square])])?;
    let root = root_increases(&square)?;
    let least = larger(
        &here,
        &var("Δ"),
        &term(&here, &format!("V·{SCALE}"))?,
        false,
    )?;
    let found = largest(&root, &least)?;
    discharge(&discharge(&found)?)
}

/// Γ ≤ max(Δ, 2√(2ℓ)·S): by induction over l, that or Δ·2^l is.
fn smallest(one: &Context, phase: Phase, first: usize) -> Proof {
    let (end, most) = (end(phase), most_that_follows());
    let scale = format!("√(2·ℓ)·{SCALE}");
    let claim = |l: &str| format!("{end} + Δ·2^{l} − max({end}, Δ·2^{l}) ≤ {most}");
    let base = larger(one, &var("Δ"), &term(one, &format!("V·{SCALE}"))?, false)?;
    let above = |h: &Context, l: &str, second: bool| {
        larger(h, &term(h, &end)?, &term(h, &format!("Δ·2^{l}"))?, second)
    };
    let parts: &[Written<'_>] = &[("1", &[&above(one, "0", false)?]), ("1", &[&base])];
    let start = show(one, &claim("0"), parts)?;
    let level = one.extended(item("l", Sort::Index(var("m"))))?;
    let known = goal(&level, &claim("l"))?;
    let level = level.extended(Item::Assume(known.clone()))?;
    let sides = [term(&level, "Δ·2^l")?, term(&level, &scale)?];
    let step = either(&level, [&sides[0], &sides[1]], |h, order, below| {
        let next = claim("(l + 1)");
        if below {
            let twice = larger(h, &var("Δ"), &term(h, &format!("V·{SCALE}"))?, true)?;
            let above = above(h, "(l + 1)", false)?;
            let parts: &[Written<'_>] = &[("1", &[&above]), ("2", &[order]), ("1", &[&twice])];
            return show(h, &next, parts);
        }
        let sure = union(order)?;
        let z = weighted(h, &all(), [&sure, &at_l(h, first)?])?;
        let noise = at_l(h, first + 1)?;
        let none = named(h, &format!("p{}", phase.number()))?;
        let reads = format!("𝟙[t=τ{}]", phase.number());
        let record = small("z", "l");
        let every = instance(h, &of_search(h, phase, 1)?, &var("l"))?;
        let reached = met(h, &every, &|h, goal| {
            let parts: &[Written<'_>] = &[
                ("1", &[&z]),
                ("1", &[&noise]),
                (&format!("(−1)·{reads}·(Σ_{{z∈D}} {record})"), &[&none]),
            ];
            settle(h, goal, parts)
        })?;
        let reached = show(h, &format!("{end} ≤ Δ·2^l"), &[("1", &[&reached])])?;
        let top = largest(&reached, &same(h, "Δ·2^l")?)?;
        let known = assumed(h, &known)?;
        let above = above(h, "(l + 1)", true)?;
        show(
            h,
            &next,
            &[("1", &[&known]), ("1", &[&top]), ("1", &[&above])],
        )
    })?;
    let all = induction(&start, &discharge(&step)?)?;
    let within = of_search(one, phase, 0)?;
    let within = show(one, &format!("{end} ≤ Δ·2^m"), &[("1", &[&within])])?;
    let top = largest(&within, &same(one, "Δ·2^m")?)?;
    show(
        one,
        &format!("{end} ≤ {most}"),
        &[("1", &[&all]), ("1", &[&top])],
    )
}
