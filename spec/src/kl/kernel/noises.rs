//! The noise of all rounds of Algorithm 4 at once.

use crate::moved::written::{Proof, given, goal, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, assume, counted, discharge, ends, exp_log, exp_sum, expected, exponential_moment,
    induction, instance, larger, largest, root_increases, sum_over, tail, tangent, union,
};
use dp_assay_kernel::search::cases::{beyond, split};
use dp_assay_kernel::search::exp::{
    exp_increases, exp_of_opposite, log_above, log_increases, log_product,
};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{item, positive};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Binder, Op, Term, at, bind, num, op, sum, var};
use rug::Rational;

/// `kl-thm-9-noise-repaired`: m is the largest norm so far, R = T − 1, and l the logarithm of 2T/β.
pub fn statement() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           integer R ≥ 1
           real σ > 0
           algorithm Noise: m ← ⟨0 : i<1⟩ in ℝ^1
             repeat t<R
               ξ ∼ N_{d}(0, σ²)
               m ← ⟨max(m_i, ‖ξ‖) : i<1⟩
             end
           end
           real β > 0
           assume β ≤ 1
           real l > 0
           assume l = log(2·(R + 1)/β)
           index o<1
         holds
           1 − β/2 ≤ 𝔼_{m∼end(Noise)}[𝟙(m_o ≤ 2·σ·√(d·l))]",
    )
}

/// 2σ√(dl).
const MOST: &str = "2·σ·√(d·l)";

/// The proof of [`statement`], or of a statement with other constants: for d ≥ 2 by the tail of the norm at l ≥ 1, and for d = 1 by both
/// tails of a number at 2l.
pub fn prove(statement: &Statement) -> Proof {
    let h = &statement.context;
    let rare = rare(h)?;
    let state = h.extended(item("m", Sort::Vector(num(1), Sign::Any)))?;
    let fails = format!("(1 − 𝟙(m_o ≤ {MOST}))");
    let value = term(&state, &fails)?;
    let invariant = format!("{fails} + (R − t)·(β/(2·R))");
    let round = state.extended(item("t", Sort::Index(var("R"))))?;
    let invariant = term(&round, &invariant)?;
    let end = settle(
        &state,
        &Goal::Le(value.clone(), invariant.put("t", &var("R"))),
        &[],
    )?;
    let law = op(Op::Normal, [var("d"), term(h, "σ²")?]);
    let drawn = round.extended(item("ξ", space()))?;
    let given_both = [format!("m_o ≤ {MOST}"), format!("‖ξ‖ ≤ {MOST}")];
    let [old, new] = given_both.map(|text| goal(&drawn, &text));
    let inner = drawn.with([old?, new?].map(Item::Assume))?;
    let items = inner.items().len();
    let (old, new) = (assume(&inner, items - 2)?, assume(&inner, items - 1)?);
    let both = union(&discharge(&discharge(&largest(&old, &new)?)?)?)?;
    let both = expected(&both, &law)?;
    let behind = format!("(1 − 𝟙(max(m_o, ‖ξ‖) ≤ {MOST})) + (R − (t + 1))·(β/(2·R))");
    let behind = bind(Binder::Expect, "ξ", law, term(&drawn, &behind)?);
    let round = settle(
        &round,
        &Goal::Le(behind, invariant.clone()),
        &[("1", &[&both]), ("1", &[&rare])],
    )?;
    let found = ends(h, "Noise", ("m", &value), &[&invariant], &[&end, &round])?;
    let zero = union(&show(h, &format!("0 ≤ {MOST}"), &[])?)?;
    settle(h, &statement.goal, &[("1", &[&found]), ("1", &[&zero])])
}

fn space() -> Sort {
    Sort::Vector(var("d"), Sign::Any)
}

/// P(‖ξ‖ > 2σ√(dl)) ≤ β/(2R).
fn rare(h: &Context) -> Proof {
    let [large, rare] = logarithm(h)?;
    let event = format!("1 − 𝔼_{{x∼N_{{d}}(0, σ²)}}[𝟙(‖x‖ ≤ {MOST})] ≤ β/(2·R)");
    show(h, &event, &[("1", &[&calm(h, &large)?]), ("1", &[&rare])])
}

/// P(‖x‖ > 2σ√(dl)) ≤ exp(−l) for every σ > 0 and l ≥ 4/3, in a context with d.
pub(super) fn tails(h: &Context) -> Proof {
    let h = h.with([positive("σ"), positive("l")])?;
    let h = &h.extended(Item::Assume(goal(&h, "4/3 ≤ l")?))?;
    let found = calm(h, &assume(h, h.items().len() - 1)?)?;
    (0..3).try_fold(found, |theorem, _| discharge(&theorem))
}

/// P(‖x‖ > 2σ√(dl)) ≤ exp(−l), from 4/3 ≤ l.
fn calm(h: &Context, large: &Theorem) -> Proof {
    let event = format!("1 − 𝔼_{{x∼N_{{d}}(0, σ²)}}[𝟙(‖x‖ ≤ {MOST})] ≤ exp(0 − l)");
    let wanted = goal(h, &event)?;
    let whole = whole(h)?;
    either(
        h,
        [&var("d"), &term(h, "3/2")?],
        |h, order, small| match small {
            true => {
                let one = counted(h, &var("d"))?;
                let parts: &[(&str, &[&Theorem])] = &[("2", &[&whole]), ("2", &[&one, order])];
                number(h, &wanted, &show(h, "d ≤ 1", parts)?, large)
            }
            false => {
                let two = either(h, [&var("d"), &num(2)], |h, less, below| {
                    let parts: &[(&str, &[&Theorem])] = match below {
                        true => &[("2", &[&whole]), ("2", &[less, order])],
                        false => &[("1", &[less])],
                    };
                    show(h, "2 ≤ d", parts)
                })?;
                vector(h, &wanted, &two, large)
            }
        },
    )
}

/// 0 ≤ (d − 1)(d − 2), as d is a whole number: by induction, together with 0 ≤ k(k − 1).
fn whole(h: &Context) -> Proof {
    let text = |k: &str| {
        [
            format!("0 − ({k})·(({k}) − 1)"),
            format!("0 − (({k}) − 1)·(({k}) − 2)"),
        ]
    };
    let at = |h: &Context, k: &str, parts: [&[(&str, &[&Theorem])]; 2]| {
        let [one, two] = text(k);
        let one = show(h, &format!("{one} ≤ 0"), parts[0])?;
        largest(&one, &show(h, &format!("{two} ≤ 0"), parts[1])?)
    };
    let start = at(h, "0", [&[], &[]])?;
    let k = &h.extended(item("k", Sort::Index(var("d"))))?;
    let [one, two] = text("k");
    let now = goal(k, &format!("max({one}, {two}) ≤ 0"))?;
    let here = &k.extended(Item::Assume(now))?;
    let now = assume(here, here.items().len() - 1)?;
    let above = larger(here, &term(here, &one)?, &term(here, &two)?, false)?;
    let step = at(here, "k + 1", [&[], &[("1", &[&now]), ("1", &[&above])]])?;
    let all = induction(&start, &discharge(&step)?)?;
    let [one, two] = text("d");
    let above = larger(h, &term(h, &one)?, &term(h, &two)?, true)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&all]), ("1", &[&above])];
    show(h, "0 ≤ (d − 1)·(d − 2)", parts)
}

/// 4/3 ≤ l and exp(−l) ≤ β/(2R).
fn logarithm(h: &Context) -> Result<[Theorem; 2], Stuck> {
    let (small, named, one) = (given(h, 0)?, given(h, 1)?, counted(h, &var("R"))?);
    let parts: &[(&str, &[&Theorem])] = &[("2/β", &[&one]), ("4/β", &[&small])];
    let logs = log_increases(&show(h, "4 ≤ 2·(R + 1)/β", parts)?)?;
    let [two, _] = log_product(h, &num(2), &num(2))?;
    let low = log_above(h, &2.into(), &Rational::from((2, 3)), 4)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&logs]),
        ("1", &[&two]),
        ("2", &[&low]),
        ("(−1)", &[&named]),
    ];
    let large = show(h, "4/3 ≤ l", parts)?;
    let inside = term(h, "2·(R + 1)/β")?;
    let most = exp_increases(&show(h, "log(2·(R + 1)/β) ≤ l", &[("(−1)", &[&named])])?)?;
    let (whole, unit) = (exp_log(h, &inside)?, exp_of_opposite(h, &var("l"))?);
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&most]), ("(−1)", &[&whole])];
    let most = show(h, "2·R/β ≤ exp(l)", parts)?;
    let parts: &[(&str, &[&Theorem])] =
        &[("exp(0 − l)·β/(2·R)", &[&most]), ("(−1)·β/(2·R)", &[&unit])];
    let rare = show(h, "exp(0 − l) ≤ β/(2·R)", parts)?;
    Ok([large, rare])
}

/// What fails of ‖x‖ ≤ 2σ√(dl), where a program proves that under hypotheses, is in the mean at most what fails of these.
fn missed(h: &Context, hypotheses: &[Goal], prove: impl Fn(&Context) -> Proof) -> Proof {
    let x = h.extended(item("x", space()))?;
    let here = x.with(hypotheses.iter().cloned().map(Item::Assume))?;
    let found = { hypotheses.iter() }.try_fold(prove(&here)?, |theorem, _| discharge(&theorem))?;
    expected(&union(&found)?, &op(Op::Normal, [var("d"), term(h, "σ²")?]))
}

/// For d ≥ 2: √d + √(2l) ≤ 2√(dl).
fn vector(h: &Context, wanted: &Goal, two: &Theorem, large: &Theorem) -> Proof {
    let law = op(Op::Normal, [var("d"), term(h, "σ²")?]);
    let tail = tail(h, &law, &var("l"), None)?;
    let parts: &[(&str, &[&Theorem])] = &[("d", &[large])];
    let first = root_increases(&show(h, "d ≤ d·l", parts)?)?;
    let second = root_increases(&show(h, "2·l ≤ d·l", &[("l", &[two])])?)?;
    let x = h.extended(item("x", space()))?;
    let near = goal(&x, "‖x‖ ≤ √(σ²)·(√(d) + √(2·l))")?;
    let missed = missed(h, &[near], |h| {
        let near = assume(h, h.items().len() - 1)?;
        let parts: &[(&str, &[&Theorem])] = &[("1", &[&near]), ("σ", &[&first]), ("σ", &[&second])];
        show(h, &format!("‖x‖ ≤ {MOST}"), parts)
    })?;
    settle(h, wanted, &[("1", &[&missed]), ("1", &[&tail])])
}

/// P(±x_j > 2σ√l) ≤ exp(−2l), for the last index of the context.
fn side(h: &Context, sign: &str) -> Proof {
    let x = h.extended(item("x", space()))?;
    let near = format!("{sign}x_j ≤ 2·σ·√(l)");
    let a = term(h, &format!("⟨({sign}2)·(√(l)/σ)·𝟙[k=j] : k<d⟩"))?;
    let Term::Bind(_, _, _, a) = a else {
        return Err(Stuck::new("no vector"));
    };
    let linear = sum("k", var("d"), (*a).clone() * at(&var("x"), &var("k")));
    let left = term(&x, &format!("exp(4·l)·(1 − 𝟙({near}))"))?;
    let bound = Goal::Le(left, linear.exp());
    let Goal::Le(one, other) = goal(&x, &near)? else {
        return Err(Stuck::new("no inequality"));
    };
    let text = render::text(&linear);
    let inside = split(
        &x,
        [&one, &other],
        |h, fact| settle(h, &bound, &[("exp(4·l)", &[&union(fact)?])]),
        |h, none| {
            let far = beyond(h, none)?;
            let grown = show(h, &format!("4·l ≤ {text}"), &[("2·√(l)/σ", &[&far])])?;
            let grown = exp_increases(&grown)?;
            settle(h, &bound, &[("1", &[&grown])])
        },
    )?;
    let law = op(Op::Normal, [var("d"), term(h, "σ²")?]);
    let moment = exponential_moment(&inside, &law, ("k", &a))?;
    let twice = term(h, "2·l")?;
    let (both, unit) = (exp_sum(h, &twice, &twice)?, exp_of_opposite(h, &twice)?);
    let minus = term(h, "0 − l")?;
    let square = exp_sum(h, &minus, &minus)?;
    let missed = format!("(1 − 𝔼_{{x∼N_{{d}}(0, σ²)}}[𝟙({near})])");
    let decay = "exp(0 − 2·l)";
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("{decay}²"), &[&moment]),
        (&format!("(−1)·{decay}²·{missed}"), &[&both]),
        (
            &format!("{missed}·(exp(2·l)·{decay} + 1) − {decay}"),
            &[&unit],
        ),
        ("1", &[&square]),
    ];
    show(h, &format!("{missed} ≤ exp(0 − l)²"), parts)
}

/// For d = 1: every entry is at most 2σ√l in modulus.
fn number(h: &Context, wanted: &Goal, one: &Theorem, large: &Theorem) -> Proof {
    let (above, unit) = (tangent(h, &var("l"))?, exp_of_opposite(h, &var("l"))?);
    let decay = "exp(0 − l)/2";
    let parts: &[(&str, &[&Theorem])] =
        &[(decay, &[&above]), ("(−1)/2", &[&unit]), (decay, &[large])];
    let half = show(h, "exp(0 − l) ≤ 1/2", parts)?;
    let j = h.extended(item("j", Sort::Index(var("d"))))?;
    let [above, below] = [sum_over(&side(&j, "")?)?, sum_over(&side(&j, "(−1)·")?)?];
    let x = h.extended(item("x", space()))?;
    let near =
        ["", "(−1)·"].map(|sign| goal(&x, &format!("for every index j<d: {sign}x_j ≤ 2·σ·√(l)")));
    let [first, second] = near;
    let missed = missed(h, &[first?, second?], |h| {
        let k = h.extended(item("k", Sort::Index(var("d"))))?;
        let at = |n: usize| instance(&k, &assume(h, h.items().len() - n)?, &var("k"));
        let square = show(&k, "x_k² ≤ 4·σ²·l", &[("1", &[&at(2)?, &at(1)?])])?;
        let size = sum_over(&square)?;
        let root = format!("Σ_{{k<d}} x_k² ≤ ({MOST})²");
        let root = root_increases(&show(h, &root, &[("1", &[&size])])?)?;
        show(h, &format!("‖x‖ ≤ {MOST}"), &[("1", &[&root])])
    })?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&missed]),
        ("1", &[&above]),
        ("1", &[&below]),
        ("2·exp(0 − l)²", &[one]),
        ("2·exp(0 − l)", &[&half]),
    ];
    settle(h, wanted, parts)
}
