//! A round, and the invariant that it keeps.

use super::bounds::{ANY, NOISE, after_gossip, expected_of_round, of_round, of_samples, weighted};
use super::descent::mean_of_samples;
use super::noises::{cancels, own_mean, own_spread, whole, whole_spread};
use super::private::round::of_one as private_round;
use super::steps::{away, by_step, held, left_of, of_stepped};
use super::{
    MEAN, OWN, Parts, Proof, given, given_for, law, of, of_edges, on, passes, sample, space,
};
use crate::decor::kernel::displays::logarithm;
use crate::decor::kernel::noise::flat;
use crate::moved::written::{extended, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Theorem, assume, chain, discharge, expected, instance, inverse, sum_over,
};
use dp_assay_kernel::search::real;
use dp_assay_kernel::statement::{Context, Sign};
use dp_assay_kernel::term::{num, var};

/// What descent, the PL inequality and mixing say of a round from the gap e and the spread y to e′ and y′, g being ‖∇F(x̄)‖².
fn told([e, next, y, spread, g]: [&str; 5]) -> [String; 4] {
    [
        format!("{next} ≤ {e} − (η(r)/2)·{g} + (L²·η(r)/2)·{y} + (L·η(r)²/2)·(Q/n)"),
        format!("2·μ·{e} ≤ {g}"),
        format!("{spread} ≤ (1 − p/4)·{y} + η(r)²·R"),
        format!("0 ≤ {e}"),
    ]
}

/// (r + τ)²·(e + (8L²/(pμ))·y/(r + τ)).
fn potential(r: &str, e: &str, y: &str) -> String {
    format!("({r} + τ)²·({e} + (8·L²/(p·μ))·{y}/({r} + τ))")
}

/// What a round may add to the potential.
pub(super) const ADDED: [&str; 2] = ["(16/7)·(L·Q/(μ²·n))", "(256/7)·(L²·R/(p·μ³))"];

/// The potential of any such numbers rises in round r by at most (16/7)·LQ/(μ²n) + ((256/7)·L²R/(μ³p))/(r + τ).
fn rises(h: &Context) -> Proof {
    let names = ["e", "e′", "y", "y′", "g′"];
    let signs = |name: &str| match name {
        "y" => Sign::NonNegative,
        _ => Sign::Any,
    };
    let mut all = h.with(names.map(|name| real(name, signs(name))))?;
    for text in told(names) {
        all = extended(&all, &format!("assume {text}"))?;
    }
    let h = &all;
    let of = |n: usize| assume(h, h.items().len() - 4 + n);
    let (descent, steep, mixes, gap) = (of(0)?, of(1)?, of(2)?, of(3)?);
    let (u, v) = ("(1/(r + τ))", "(1/(r + 1 + τ))");
    let now = inverse(h, &term(h, "r + τ")?)?;
    let then = inverse(h, &term(h, "r + 1 + τ")?)?;
    let parts: Parts<'_> = &[
        (&format!("{u}·{v}"), &[]),
        (u, &[&then]),
        (&format!("(−1)·{v}"), &[&now]),
    ];
    let smaller = show(h, &format!("{v} ≤ {u}"), parts)?;
    let (one, shift) = (
        show(h, "p ≤ 1", &[("1", &[&given(h, of::WHOLE)?])])?,
        given(h, of::SHIFT)?,
    );
    let late = show(
        h,
        "16 ≤ p·τ",
        &[("p", &[&shift]), ("16/μ", &[&given(h, of::FLAT)?])],
    )?;
    let parts: Parts<'_> = &[
        (&format!("{u}/8"), &[&late]),
        (&format!("r·p·{u}/8"), &[]),
        ("p/8", &[&now]),
    ];
    let short = show(h, &format!("2·{u} ≤ p/8"), parts)?;
    let unit = "(8·L²/(p·μ))";
    let [a, b] = ["(2·L·Q/(μ²·n))", "(32·L²·R/(p·μ³))"];
    let [w, after] = [
        format!("(e + {unit}·y/(r + τ))"),
        format!("(e′ + {unit}·y′/(r + 1 + τ))"),
    ];
    let parts: Parts<'_> = &[
        ("1", &[&descent]),
        ("η(r)/2", &[&steep]),
        (&format!("{unit}·{v}"), &[&mixes]),
        ("(6·L²/(p·μ))·y", &[&smaller]),
        ("(2·L²/(p·μ))·y", &[&smaller, &one]),
        (&format!("{unit}·η(r)²·R"), &[&smaller]),
        (&format!("{unit}·{u}·y"), &[&short]),
    ];
    let goal = format!("{after} ≤ (1 − 2·{u})·{w} + {a}·{u}² + {b}·{u}³");
    let falls = show(h, &goal, parts)?;
    let grows = show(h, "(r + 1 + τ)² ≤ (8/7)·(r + τ)²", &[])?;
    let whole = format!("(8/7)·(1 + (r + τ)·{u})");
    let goal = format!(
        "{} − {} ≤ {} + {}/(r + τ)",
        potential("r + 1", "e′", "y′"),
        potential("r", "e", "y"),
        ADDED[0],
        ADDED[1]
    );
    let parts: Parts<'_> = &[
        ("(r + 1 + τ)²", &[&falls]),
        (&format!("3 + 2·{u}"), &[&gap]),
        (&format!("(3 + 2·{u})·{unit}·y·{u}"), &[]),
        (&format!("(−2)·{w}·(r + τ + 2)"), &[&now]),
        (&format!("{a}·{u}²"), &[&grows]),
        (&format!("{a}·{whole}"), &[&now]),
        (&format!("{b}·{u}³"), &[&grows]),
        (&format!("{b}·{u}·{whole}"), &[&now]),
    ];
    let found = show(h, &goal, parts)?;
    (0..9).try_fold(found, |found, _| discharge(&found))
}

/// The invariant before round r is c₁·F(x̄) + c₂·Ξ + c₃ for these.
const SHARES: [&str; 3] = [
    "((r + τ)²/(T + τ)²)",
    "((r + τ)²·((8·L²/(p·μ))/(r + τ))/(T + τ)²)",
    "(((16/7)·(L·Q/(μ²·n))·(T − r) + (256/7)·(L²·R/(p·μ³))·(log(T + 15 + θ) − log(r + 15 + θ)) − \
        (r + τ)²·F⋆)/(T + τ)²)",
];

pub(super) fn invariant() -> String {
    weighted(SHARES, &format!("F({MEAN})"), "Ξ(v)")
}

/// For every y the invariant after own noise and gossip is expected to be at most this.
pub(super) fn with_own_noise(h: &Context) -> Proof {
    let every = after_gossip(h)?;
    let y = &h.extended(space("y", "n·d"))?;
    let w = &y.extended(space("w", "n·d"))?;
    let noisy = OWN.replace("v_", "y_");
    let found = expected(
        &instance(w, &every, &term(w, &noisy)?)?,
        &law(y, "N_{n·d}(0, σ²)")?,
    )?;
    discharge(&own_noise_over(y, &found, "y")?)
}

/// The bound of F and Ξ for y with own noise, in the mean over that.
pub(super) fn own_noise_over(h: &Context, found: &Theorem, y: &str) -> Proof {
    let f = format!("({} + {})", away(y), NOISE[0]);
    let spread = format!("({} + {})", left_of(&held(y)), NOISE[1]);
    let parts: Parts<'_> = &[
        ("γ₁·(L/2)·η(r)²", &[&own_mean(h)?]),
        ("γ₂·η(r)²/n", &[&own_spread(h)?]),
    ];
    passes(h, found, &weighted(ANY, &f, &spread), parts)
}

/// The same for y before the noise of the edges is added.
fn with_noise(h: &Context) -> Proof {
    let every = with_own_noise(h)?;
    let y = &h.extended(space("y", "n·d"))?;
    let z = &y.extended(space("z", "E·d"))?;
    let told = |k: &str, j: &str| format!("(x({k}, {j}, y) − η(r)·{})", of_edges(k, j));
    let most = |left: &str| {
        let f = format!("({} + {})", away("y"), NOISE[0]);
        weighted(ANY, &f, &format!("({left} + {})", NOISE[1]))
    };
    let found = by_step(z, "y", &of_edges, &|u| {
        let [left, mean] = of_stepped(u, "y", &of_edges)?;
        let j = &on(u, "j")?;
        let none = cancels(j, &whole, "z", &flat)?;
        let [old, new] = ["(ā(j, u) − ā(j, v))", "(ā(j, y) − ā(j, v))"];
        let parts: Parts<'_> = &[("1", &[&mean]), ("(−1)·η(r)/n", &[&none])];
        let same = show(j, "ā(j, u) = ā(j, y)", parts)?;
        let goal = format!("D({MEAN}, j)·{old} + (L/2)·{old}² = D({MEAN}, j)·{new} + (L/2)·{new}²");
        let turned = format!("D({MEAN}, j) + (L/2)·({old} + {new})");
        let same = sum_over(&show(j, &goal, &[(&turned, &[&same])])?)?;
        let parts: Parts<'_> = &[("γ₁", &[&same]), ("γ₂", &[&left])];
        let every = instance(u, &every, &var("u"))?;
        passes(u, &every, &most(&left_of(&told)), parts)
    })?;
    let found = expected(&found, &law(y, "N_{E·d}(0, ν²)")?)?;
    let left = format!("{} + {}", left_of(&held("y")), NOISE[2]);
    let parts: Parts<'_> = &[("γ₂·η(r)²/n", &[&whole_spread(y)?])];
    discharge(&passes(y, &found, &most(&left), parts)?)
}

pub(super) fn with_factors(h: &Context) -> Result<Context, Stuck> {
    let signs = [Sign::NonNegative, Sign::NonNegative, Sign::Any];
    h.with(ANY.iter().zip(signs).map(|(name, sign)| real(name, sign)))
}

/// γ₁·F(x̄) + γ₂·Ξ + γ₃ behind a round is expected to be at most what it is with these, for all γ.
pub(super) fn one_round(h: &Context) -> Proof {
    let h = &with_factors(h)?;
    if h.get("𝒟").is_some() {
        return private_round(h);
    }
    let every = with_noise(h)?;
    let xi = &h.extended(space("ξ", "B"))?;
    let found = by_step(xi, "v", &sample, &|u| {
        let [left, mean] = of_stepped(u, "v", &sample)?;
        let j = &on(u, "j")?;
        let (old, new) = ("(ā(j, u) − ā(j, v))", mean_of_samples().replace('ϑ', "j"));
        let goal = format!("D({MEAN}, j)·{old} + (L/2)·{old}² = D({MEAN}, j)·{new} + (L/2)·{new}²");
        let turned = format!("D({MEAN}, j) + (L/2)·({old} + {new})");
        let same = sum_over(&show(j, &goal, &[(&turned, &[&mean])])?)?;
        let [f, spread] = of_round();
        let parts: Parts<'_> = &[("γ₁", &[&same]), ("γ₂", &[&left])];
        let every = instance(u, &every, &var("u"))?;
        passes(u, &every, &weighted(ANY, &f, &spread), parts)
    })?;
    of_samples(h, &found)
}

/// A round keeps the invariant, by what is expected behind one.
pub(super) fn keeps(h: &Context, mut round: Theorem) -> Proof {
    let [fall, spread] = expected_of_round();
    let (e, next) = (format!("(F({MEAN}) − F⋆)"), format!("({fall} − F⋆)"));
    let g = format!("(Σ_{{ϑ<d}} D({MEAN}, ϑ)²)");
    let values = [e.as_str(), &next, "Ξ(v)", &spread, &g];
    let mut found = rises(h)?;
    for value in values {
        found = instance(h, &found, &term(h, value)?)?;
    }
    let [descent, _, mixed, gap] = told(values);
    let facts = [
        show(h, &descent, &[])?,
        given_for(h, of::STEEP, &[MEAN])?,
        show(h, &mixed, &[])?,
        show(h, &gap, &[("1", &[&given_for(h, of::LEAST, &[MEAN])?])])?,
    ];
    for fact in &facts {
        found = chain(h, &found, fact)?;
    }
    for share in SHARES {
        let share = term(h, share)?.put("r", &(var("r") + num(1)));
        round = instance(h, &round, &share)?;
    }
    let slower = logarithm(h, "r", "15 + θ")?;
    let share = format!("{}/(T + τ)²", ADDED[1]);
    let parts: Parts<'_> = &[("1/(T + τ)²", &[&found]), (&share, &[&slower])];
    passes(h, &round, &invariant(), parts)
}
