//! A batch, record by record, and the step behind it.

use super::stated::others;
use super::weights::{SCALE, STATE, Weights, condition, gap, once, positive, variance};
use super::{Proof, by_size};
use crate::ambssgd::kernel::ssgd::ends::{about, at_least, named, same, space};
use crate::ambssgd::kernel::ssgd::misses::{drawn, laws, rarely};
use crate::ambssgd::kernel::ssgd::words::{GRADIENT, Phase, apart, own};
use crate::moved::written::{Written, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Theorem, at_most_one, below, expected, instance, larger, largest, root_increases, sum_over,
    unclipped, union,
};
use dp_assay_kernel::search::cases::split;
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sort};
use dp_assay_kernel::term::{Binder, Op, bind, num, op, var};

/// The record of D in the step, at entry j: it is read q times.
fn read(phase: Phase, j: &str) -> String {
    let gradient = own(&format!("ϱ·{STATE}"), j);
    format!("(𝟙[t=τ{}]/b·{gradient})", phase.number())
}

/// ω behind the step in entry j.
fn stepped(phase: Phase, j: &str, reads: bool) -> String {
    let record = match reads {
        true => format!("q{}·{} + ", phase.number(), read(phase, j)),
        false => String::new(),
    };
    format!("(w_{j} − w⋆_{j} − η·({record}a_{j} + g_{j}))")
}

/// The potential behind the step is that without the record of D, which is not read.
fn without(here: &Context, own: &Weights, phase: Phase, [one, other]: [&str; 2]) -> Proof {
    let c = &here.extended(item("c", Sort::Index(var("d"))))?;
    let none = named(c, &format!("q{}", phase.number()))?;
    let [reads, plain] = [true, false].map(|reads| stepped(phase, "c", reads));
    let carried = |gap: &str| own.carried("c", gap);
    let mut facts = Vec::new();
    for (root, rate) in [
        (&str::to_owned as &dyn Fn(&str) -> String, "η"),
        (&carried, "1/n"),
    ] {
        let (one, other) = (root(&reads), root(&plain));
        let factor = format!("(−1)·({rate})·({one} + {other})·{}", read(phase, "c"));
        let equal = show(c, &format!("{one}² = {other}²"), &[(&factor, &[&none])])?;
        facts.push(sum_over(&equal)?);
    }
    let parts: &[(&str, &[&Theorem])] = &[("E", &[&facts[0]]), ("A", &[&facts[1]])];
    show(here, &format!("{one} ≤ {other}"), parts)
}

/// The step with its noise, behind the batch.
pub(super) fn steps(h: &Context, phase: Phase) -> Proof {
    let own = Weights::named();
    let here = &h.extended(item("g", space()))?;
    let law = op(Op::Normal, [var("d"), term(h, &variance(STATE))?]);
    let [after, plain] = [true, false].map(|reads| {
        let gap = stepped(phase, "j", reads);
        let squares = [own.carried("j", &gap), gap];
        own.potential(&squares.map(|root| format!("(Σ_{{j<d}} {root}²)")))
    });
    let behind = format!("1 + {after} − max(1, {after}) + F");
    let u = own.inner("0", "a", STATE);
    let value = bind(Binder::Expect, "g", law.clone(), term(here, &behind)?);
    let wanted = Goal::Le(value, term(h, &own.least(&u, "0"))?);
    let potential = term(here, &after)?;
    let good = at_most_one(h, &term(h, &format!("𝟙({} ≤ 0)", condition(STATE)))?)?;
    by_size(h, &u, |h, top, small| {
        let here = &h.extended(item("g", space()))?;
        let bound = larger(here, &num(1), &potential, !small)?;
        let most = if small { plain.as_str() } else { "1" };
        let same = without(here, &own, phase, [&after, &plain])?;
        let parts: &[(&str, &[&Theorem])] = &[("1", &[&bound]), ("1", &[&same])];
        let parts = if small { parts } else { &parts[..1] };
        let bound = show(here, &format!("{behind} ≤ {most} + F"), parts)?;
        let bound = expected(&bound, &law)?;
        let parts: &[(&str, &[&Theorem])] = &[("1", &[&bound]), ("1", &[top]), ("1", &[&good])];
        settle(h, &wanted, if small { parts } else { &parts[..2] })
    })
}

/// Over u and ξ.
pub(super) fn over(theorem: &Theorem) -> Proof {
    let [features, noise] = laws();
    expected(&expected(theorem, &noise)?, &features)
}

/// The same in a batch, where one record more may be to come.
pub(super) fn in_batch(h: &Context, own: &Weights, (rest, a): (&str, &str), more: &str) -> Proof {
    let later = below(h, "e")?;
    let unit = format!("{}·{}", own.growth(), once());
    let more: &[Written<'_>] = &[(&unit, &[&later]), (&format!("{more}·{unit}"), &[])];
    positive(h, own, (rest, a, &variance(STATE)), more)
}

/// The partial mean with one gradient more, clipped in a loop.
pub(super) fn added(clipped: Option<Phase>) -> String {
    let gradient = match clipped {
        Some(phase) => others(
            phase.number(),
            phase.rounds(),
            ["w", "γ", "t", "e", "u", "ξ"],
        ),
        None => GRADIENT.to_owned(),
    };
    format!("⟨a_j + {gradient}[j]/b : j<d⟩")
}

/// What a record adds in entry c of the batch is the clipped gradient of u and ξ.
fn drawn_there(h: &Context, phase: Phase) -> Proof {
    let every = about(h, &format!("K{}", phase.number()))?;
    let values = ["w", "γ", "t", "e", "u", "ξ", "c"].map(var);
    { values.iter() }.try_fold(every, |every, value| instance(h, &every, value))
}

/// One record more.
pub(super) fn adds(h: &Context, phase: Phase) -> Proof {
    let (own, [_, here]) = (&Weights::named(), &drawn(h)?);
    let (rest, next) = ("(b − e)", "(b − (e + 1))");
    let (u, after) = (
        own.inner(rest, "a", STATE),
        own.inner(next, &added(Some(phase)), STATE),
    );
    let behind = own.least(&after, next);
    let [features, noise] = laws();
    let value = bind(Binder::Expect, "ξ", noise, term(here, &behind)?);
    let value = bind(Binder::Expect, "u", features, value);
    let wanted = Goal::Le(value, term(h, &own.least(&u, rest))?);
    let most = larger(here, &num(1), &term(here, &after)?, true)?;
    let all = format!("{behind} ≤ 1 + 4·{next}·exp(0 − ℓ) + F");
    let all = over(&show(here, &all, &[("1", &[&most])])?)?;
    let (far, zero) = (term(h, &condition(STATE))?, num(0));
    split(
        h,
        [&far, &zero],
        |h, fact| {
            by_size(h, &u, |h, top, small| match small {
                true => unclipped_record(h, own, phase, &wanted, [fact, top]),
                false => settle(h, &wanted, &[("1", &[&all]), ("1", &[top])]),
            })
        },
        |h, none| {
            let base = in_batch(h, own, (rest, "a"), "1")?;
            let one = show(h, &format!("1 ≤ {u}"), &[("1", &[&base]), ("1", &[none])])?;
            let top = largest(&one, &same(h, &u)?)?;
            settle(h, &wanted, &[("1", &[&all]), ("1", &[&top])])
        },
    )
}

/// The parts of a maximum that is at most 0.
pub(super) fn parts_of(h: &Context, fact: &Theorem) -> Result<[Theorem; 2], Stuck> {
    let (first, second) = (
        format!("{} − B²", apart("w")),
        format!("{SCALE} − 2·{STATE}"),
    );
    let [a, b] = [term(h, &first)?, term(h, &second)?];
    let part = |second: bool, goal: &str| {
        let above = larger(h, &a, &b, second)?;
        show(h, goal, &[("1", &[&above]), ("1", &[fact])])
    };
    Ok([
        part(false, &format!("{} ≤ B²", apart("w")))?,
        part(true, &format!("{SCALE} ≤ 2·{STATE}"))?,
    ])
}

/// One record more, where w is near and the threshold not too low.
pub(super) fn unclipped_record(
    h: &Context,
    own: &Weights,
    phase: Phase,
    wanted: &Goal,
    [fact, top]: [&Theorem; 2],
) -> Proof {
    let [_, low] = parts_of(h, fact)?;
    let size = show(h, &format!("{} ≤ {SCALE}²", apart("w")), &[])?;
    let noise = root_increases(&show(
        h,
        &format!("σ² ≤ {} + σ²", apart("w")),
        &[(&apart("w"), &[])],
    )?)?;
    let noise = show(h, &format!("σ ≤ {SCALE}"), &[("1", &[&noise])])?;
    let factor = "(√(d) + √(2·ℓ))·√(2·ℓ)";
    let enough = format!("4·{factor} ≤ ϱ");
    let enough = show(h, &enough, &[("1", &[&at_least(h, "ϱ")?])])?;
    let parts: &[(&str, &[&Theorem])] = &[
        (factor, &[&noise]),
        (&format!("2·{factor}"), &[&low]),
        (STATE, &[&enough]),
    ];
    let zeta = format!("ϱ·{STATE}");
    let enough = show(h, &format!("{factor}·({SCALE} + σ) ≤ {zeta}"), parts)?;
    let rarely = rarely(h, &zeta, SCALE, [&size, &enough])?;
    let compared = over(&compared(h, own, phase, fact)?)?;
    let good = at_most_one(h, &term(h, &format!("𝟙({} ≤ 0)", condition(STATE)))?)?;
    let facts: &[(&str, &[&Theorem])] = &[
        ("1", &[&compared]),
        ("1", &[&rarely]),
        ("1", &[top]),
        ("1", &[&good]),
    ];
    settle(h, wanted, facts)
}

/// Where the gradient is short, the potential is that without clipping; else it is 1 at most.
pub(super) fn compared(h: &Context, own: &Weights, phase: Phase, fact: &Theorem) -> Proof {
    let [_, here] = &drawn(h)?;
    let next = "(b − (e + 1))";
    let after = own.inner(next, &added(Some(phase)), STATE);
    let plain = own.potential(&own.batch(next, &added(None), &variance(STATE)));
    let short = format!("𝟙(‖{GRADIENT}‖ ≤ ϱ·{STATE})");
    let wanted = format!("1 + {after} − max(1, {after}) ≤ {plain} + 1 − {short}");
    let (norm, level) = (
        term(here, &format!("‖{GRADIENT}‖"))?,
        term(here, &format!("ϱ·{STATE}"))?,
    );
    let sure = at_most_one(here, &term(here, &short)?)?;
    let potential = term(here, &after)?;
    let positive = in_batch(here, own, (next, &added(None)), "0")?;
    let good = union(fact)?;
    split(
        here,
        [&norm, &level],
        |h, fact| {
            let same = unchanged(h, own, phase, fact)?;
            let most = larger(h, &num(1), &potential, false)?;
            let parts: &[(&str, &[&Theorem])] = &[
                ("1", &[&same]),
                ("1", &[&most]),
                ("1", &[&sure]),
                ("1", &[&good]),
            ];
            show(h, &wanted, parts)
        },
        |h, none| {
            let above = larger(h, &num(1), &potential, true)?;
            let parts: &[(&str, &[&Theorem])] =
                &[("1", &[&above]), ("1", &[none]), ("1", &[&positive])];
            show(h, &wanted, parts)
        },
    )
}

/// The two potentials are the same where the gradient is short, entry by entry.
pub(super) fn unchanged(h: &Context, own: &Weights, phase: Phase, fact: &Theorem) -> Proof {
    let c = &h.extended(item("c", Sort::Index(var("d"))))?;
    let (entry, drawn) = (unclipped(c, fact, Some("c"))?, drawn_there(c, phase)?);
    let next = "(b − (e + 1))";
    let gap = |a: &str| gap("c", next, a);
    let carried = |a: &str| own.carried("c", &gap(a));
    let (one, other) = (added(Some(phase)), added(None));
    let mut facts = Vec::new();
    for (root, rate) in [
        (&gap as &dyn Fn(&str) -> String, "η/b"),
        (&carried, "1/(n·b)"),
    ] {
        let (one, other) = (root(&one), root(&other));
        let factor = format!("(−1)·({rate})·({one} + {other})");
        let parts: &[(&str, &[&Theorem])] = &[(&factor, &[&entry]), (&factor, &[&drawn])];
        let equal = show(c, &format!("{one}² = {other}²"), parts)?;
        facts.push(sum_over(&equal)?);
    }
    let base = |a: &str| own.potential(&own.batch(next, a, &variance(STATE)));
    let parts: &[(&str, &[&Theorem])] = &[("E", &[&facts[0]]), ("A", &[&facts[1]])];
    show(h, &format!("{} ≤ {}", base(&one), base(&other)), parts)
}
