//! A round of the run that is private, in the mean over samples, the noise that is known, that which is not, and the users' own.

use super::super::bounds::{ANY, NOISE, after_gossip, of_round, of_samples, weighted};
use super::super::noises::{Factor, added, cancels, edge_spread, through, whole_through};
use super::super::noises::{own_mean, own_spread};
use super::super::steps::{
    at_step, away, by_value, for_every_step, held, holds, left_of, model_of, of_stepped, told,
};
use super::super::{MEAN, OWN, Parts, Proof, follows, law, on, passes, sample, space};
use super::{OF_PUBLIC, TIED, behind, others_add, position};
use crate::decor::kernel::adversary::{clip, edge_is_bit, flat_left, gradient, left, rest};
use crate::decor::kernel::noise::flat;
use crate::decor::kernel::run::descent::mean_of_samples;
use crate::moved::written::{given_for, show, term};
use dp_assay_kernel::rules::{discharge, expected, instance, sum_over};
use dp_assay_kernel::statement::Context;
use dp_assay_kernel::term::var;

/// Entry ϑ of the noise of edge e that the colluders know, in round r.
pub(super) const KNOWN: &str = "(ζ(e, ϑ, ς) + ζ(e, ϑ, ς₀_r))";

/// The factors of the noise of the edges that is not known, and of the others.
fn unknown(e: &str, k: &str) -> String {
    format!("υ_{e}[{k}]")
}

fn known(e: &str, k: &str) -> String {
    format!("υ′_{e}[{k}]")
}

/// Whether number ι is entry j of block k.
fn is_entry(iota: &str, k: &str, j: &str) -> String {
    format!("𝟙({iota} ≤ {k}·d + {j})·𝟙({k}·d + {j} ≤ {iota})")
}

/// The noise in common of edge e, entry j, as the law of messages lays it out.
fn of_law(e: &str, j: &str) -> String {
    format!("(Σ_{{ι′<(E·d)}} {}·z_ι′)", is_entry("ι′", e, j))
}

/// Entry j of user k's message, but for her own noise.
fn message(k: &str, j: &str) -> String {
    let along = of_law("e₀", j);
    format!(
        "(𝟙[{k}=u₀]·(Σ_{{z₀∈𝒟}} {}[{j}]) + (Σ_{{e₀<E}} υ_e₀[{k}]·{along}))",
        clip("z₀")
    )
}

/// Number ι of what enters a step, but for the users' own noise.
fn enters(iota: &str) -> String {
    let rest = others_add(&rest(KNOWN, OF_PUBLIC))
        .replace("Θ_ι", &format!("Θ_{iota}"))
        .replace("β_ι", &format!("β_{iota}"));
    let (place, message) = (is_entry(iota, "κ", "ϑ"), message("κ", "ϑ"));
    format!("(Σ_{{κ<n}} Σ_{{ϑ<d}} {place}·{message}) + {rest}")
}

/// The same, entry j of user k, with the noise z of edges.
fn with_known_and(k: &str, j: &str) -> String {
    let (known, unknown) = (added(&known, k, j, "ς"), added(&unknown, k, j, "z"));
    format!("({} + {known} + {unknown})", sample(k, j))
}

fn with_known(k: &str, j: &str) -> String {
    format!("({} + {})", sample(k, j), added(&known, k, j, "ς"))
}

/// The sum over ι′ of these, which are so by hypothesis.
fn laid_out(h: &Context) -> Proof {
    let o = &on(h, "o′")?;
    let tied = given_for(o, position(TIED) + 1, &["o′", "e", "i"])?;
    let goal = format!("{}·z_o′ = χ_o′[e]·φ_o′[i]·z_o′", is_entry("o′", "e", "i"));
    let all = sum_over(&show(o, &goal, &[("(−1)·z_o′", &[&tied])])?)?;
    show(
        h,
        &format!("{} = ζ(e, i, z)", of_law("e", "i")),
        &[("1", &[&all])],
    )
}

/// ζ(e, i, ς₀_r) = 0.
fn none_given(h: &Context) -> Proof {
    let o = &on(h, "o′")?;
    let none = given_for(o, behind(h) + 1, &["r", "o′"])?;
    let weight = "χ_o′[e]·φ_o′[i]";
    let all = sum_over(&show(
        o,
        &format!("{weight}·ς₀_r[o′] = 0"),
        &[(weight, &[&none])],
    )?)?;
    show(h, "ζ(e, i, ς₀_r) = 0", &[("1", &[&all])])
}

/// What enters a step at number o, by users and entries.
fn at_number(h: &Context) -> Proof {
    let l = &on(h, "l i")?;
    let tied = given_for(l, position(TIED), &["o", "l", "i"])?;
    let message = message("l", "i");
    let goal = format!(
        "{}·{message} = Θ_o[l]·β_o[i]·{message}",
        is_entry("o", "l", "i")
    );
    let messages = show(l, &goal, &[(&format!("(−1)·{message}"), &[&tied])])?;
    let messages = sum_over(&sum_over(&messages)?)?;
    let e = &on(l, "e")?;
    let weight = "Θ_o[l]·β_o[i]";
    let goal = format!(
        "{weight}·υ_e[l]·{} = {weight}·υ_e[l]·ζ(e, i, z)",
        of_law("e", "i")
    );
    let shared = show(e, &goal, &[(&format!("{weight}·υ_e[l]"), &[&laid_out(e)?])])?;
    let goal =
        format!("{weight}·υ′_e[l]·(ζ(e, i, ς) + ζ(e, i, ς₀_r)) = {weight}·υ′_e[l]·ζ(e, i, ς)");
    let given = format!("{weight}·υ′_e[l]");
    let others = show(e, &goal, &[(&given, &[&none_given(e)?])])?;
    let sum = |one| (0..3).try_fold(one, |all, _| sum_over(&all));
    let goal = format!(
        "{} = Σ_{{κ<n}} Σ_{{ϑ<d}} Θ_o[κ]·β_o[ϑ]·{}",
        enters("o"),
        with_known_and("κ", "ϑ")
    );
    let parts: Parts<'_> = &[
        ("1", &[&messages]),
        ("1", &[&sum(shared)?]),
        ("1", &[&sum(others)?]),
    ];
    show(h, &goal, parts)
}

/// What enters a step at entry j of user k, for the j and k of the context.
fn places(h: &Context) -> Proof {
    let o = &on(h, "o")?;
    let weight = "Θ_o[k]·β_o[j]";
    let goal = format!(
        "{weight}·({}) = {weight}·(Σ_{{κ<n}} Σ_{{ϑ<d}} Θ_o[κ]·β_o[ϑ]·{})",
        enters("o"),
        with_known_and("κ", "ϑ")
    );
    let all = sum_over(&show(o, &goal, &[(weight, &[&at_number(o)?])])?)?;
    let goal = format!(
        "x(k, j, ⟨{} : ι<(n·d)⟩) = {}",
        enters("ι"),
        with_known_and("k", "j")
    );
    let parts: Parts<'_> = &[("1", &[&all]), ("1", &[&holds(h, &with_known_and)?])];
    show(h, &goal, parts)
}

/// υ′_e\[l\] = b(e, l) − υ_e\[l\], for the e and l of the context.
fn others(h: &Context) -> Proof {
    given_for(h, position(TIED) + 2, &["e", "l"])
}

/// Σ_l υ′_e\[l\] = 0.
fn flat_known(h: &Context) -> Proof {
    let one = sum_over(&others(&on(h, "l")?)?)?;
    let parts: Parts<'_> = &[
        ("1", &[&one]),
        ("1", &[&flat(h)?]),
        ("(−1)", &[&flat_left(h)?]),
    ];
    show(h, "Σ_{k<n} υ′_e[k] = 0", parts)
}

/// What is known of the noise of edges and what is not add up: an edge is known or not.
fn all_through(h: &Context) -> Proof {
    let e = &on(h, "c e")?;
    let l = &on(e, "l")?;
    let one = "υ_e[l]·W_l[c] = ω(e, ϖ)·b(e, l)·W_l[c]";
    let one = sum_over(&show(l, one, &[("W_l[c]", &[&left(l)?])])?)?;
    let two = "υ′_e[l]·W_l[c] = b(e, l)·W_l[c] − υ_e[l]·W_l[c]";
    let two = sum_over(&show(l, two, &[("W_l[c]", &[&others(l)?])])?)?;
    let [part, other, all] =
        ["υ_e[l]", "υ′_e[l]", "b(e, l)"].map(|factor| format!("(Σ_{{l<n}} {factor}·W_l[c])"));
    let share = format!("{part} = ω(e, ϖ)·{all}");
    let share = show(e, &share, &[("1", &[&one])])?;
    let parts: Parts<'_> = &[
        (&format!("2·({part} − {all} + ω(e, ϖ)·{all})"), &[&share]),
        (&format!("2·{all}²"), &[&edge_is_bit(e)?]),
        (&format!("{other} + {all} − {part}"), &[&two]),
    ];
    let one = show(e, &format!("{part}² + {other}² = {all}²"), parts)?;
    let one = sum_over(&sum_over(&one)?)?;
    let [part, other] = [through(&unknown), through(&known)];
    let goal = format!("{part} + {other} = H·M");
    show(h, &goal, &[("1", &[&one]), ("1", &[&whole_through(h)?])])
}

/// What is sent, as the law of messages lays it out.
fn messages() -> String {
    let (place, along) = (is_entry("o", "κ", "ϑ"), is_entry("ι′", "e₀", "ϑ"));
    let along = format!("(Σ_{{ι′<(E·d)}} ({along})·z_ι′)");
    // Where a j is, too.
    let own = gradient().replace("[j] : j<d", "[ι₀] : ι₀<d");
    let message = format!("(𝟙[κ=u₀]·{own}[ϑ] + (Σ_{{e₀<E}} υ_e₀[κ]·{along}))");
    format!("⟨(Σ_{{κ<n}} Σ_{{ϑ<d}} ({place})·{message}) + w_o : o<(n·d)⟩")
}

/// What all hold behind a step, as the rule for the end of a process writes it.
fn stepped() -> String {
    let rest = others_add(&rest(KNOWN, OF_PUBLIC));
    format!("⟨v_ι − η(r)·({}[ι] + {rest}) : ι<(n·d)⟩", messages())
}

/// The same without the users' own noise.
fn without_own() -> String {
    format!("⟨v_ι − η(r)·({}) : ι<(n·d)⟩", enters("ι"))
}

/// The own noise of user k, entry j.
fn own(k: &str, j: &str) -> String {
    format!("x({k}, {j}, w)")
}

/// The bounds of F and Ξ behind a round, for y before it with own noise.
fn with_own(y: &str) -> String {
    let noisy = OWN.replace("v_", &format!("{y}_"));
    weighted(ANY, &away(&noisy), &left_of(&held(&noisy)))
}

/// The same in the mean over that.
fn in_mean(y: &str) -> String {
    let f = format!("({} + {})", away(y), NOISE[0]);
    weighted(ANY, &f, &format!("({} + {})", left_of(&held(y)), NOISE[1]))
}

/// What is behind a round is at most [`with_own`] for what comes before own noise.
fn given_all_noise(h: &Context) -> Proof {
    let every = after_gossip(h)?;
    let y = &h.extended(space("y", "n·d"))?;
    let any = for_every_step(y, ("y", &own), &|u| {
        let [left, mean] = of_stepped(u, "y", &own)?;
        let j = &on(u, "j")?;
        let noisy = OWN.replace("v_", "y_");
        let (old, new) = ("(ā(j, u) − ā(j, v))", format!("(ā(j, {noisy}) − ā(j, v))"));
        let goal = format!("D({MEAN}, j)·{old} + (L/2)·{old}² = D({MEAN}, j)·{new} + (L/2)·{new}²");
        let turned = format!("D({MEAN}, j) + (L/2)·({old} + {new})");
        let same = sum_over(&show(j, &goal, &[(&turned, &[&mean])])?)?;
        let parts: Parts<'_> = &[("γ₁", &[&same]), ("γ₂", &[&left])];
        passes(u, &instance(u, &every, &var("u"))?, &with_own("y"), parts)
    })?;
    let before = without_own();
    let any = instance(h, &discharge(&any)?, &term(h, &before)?)?;
    let (k, value) = (&on(h, "j k")?, stepped());
    let goal = format!("x(k, j, {value}) = {}", told(&before, &own, "k", "j"));
    at_step(h, &any, &value, &show(k, &goal, &[])?)
}

/// For every y, [`with_own`] is at most [`in_mean`] in the mean over own noise.
fn own_in_mean(h: &Context) -> Proof {
    let y = &h.extended(space("y", "n·d"))?;
    let goal = format!(
        "𝔼_{{w∼N_{{n·d}}(0, V)}}[{}] ≤ {}",
        with_own("y"),
        in_mean("y")
    );
    let parts: Parts<'_> = &[
        ("γ₁·(L/2)·η(r)²", &[&own_mean(y)?]),
        ("γ₂·η(r)²/n", &[&own_spread(y)?]),
    ];
    discharge(&show(y, &goal, parts)?)
}

/// [`in_mean`] for what comes before own noise is at most this.
fn given_noise(h: &Context, most: &str) -> Proof {
    let step = ("v", &with_known_and as Factor<'_>);
    by_value(h, step, &without_own(), &places, &|u| {
        let [left, mean] = of_stepped(u, "v", &with_known_and)?;
        let j = &on(u, "j")?;
        let none = [
            cancels(j, &unknown, "z", &flat_left)?,
            cancels(j, &known, "ς", &flat_known)?,
        ];
        let (old, new) = ("(ā(j, u) − ā(j, v))", mean_of_samples().replace('ϑ', "j"));
        let parts: Parts<'_> = &[
            ("1", &[&mean]),
            ("(−1)·η(r)/n", &[&none[0]]),
            ("(−1)·η(r)/n", &[&none[1]]),
        ];
        let mean = show(j, &format!("{old} = {new}"), parts)?;
        let goal = format!("D({MEAN}, j)·{old} + (L/2)·{old}² = D({MEAN}, j)·{new} + (L/2)·{new}²");
        let turned = format!("D({MEAN}, j) + (L/2)·({old} + {new})");
        let same = sum_over(&show(j, &goal, &[(&turned, &[&mean])])?)?;
        let parts: Parts<'_> = &[("γ₁", &[&same]), ("γ₂", &[&left])];
        show(u, &format!("{} ≤ {most}", in_mean("u")), parts)
    })
}

/// γ₁·F(x̄) + γ₂·Ξ + γ₃ behind a round is expected to be at most what it is with these, for all γ. What it is before the round is
/// written as the rule for the end of a process does it: to compute that they are equal would take most of the time.
pub(in super::super) fn of_one(h: &Context) -> Proof {
    let xi = &h.extended(space("ξ", "B"))?;
    let given = &xi.extended(space("ς", "E·d"))?;
    let z = &given.extended(space("z", "E·d"))?;
    let w = &z.extended(space("w", "n·d"))?;
    let told =
        |body: Factor<'_>| left_of(&|k: &str, j: &str| format!("({})", told("v", body, k, j)));
    let f = format!("({} + {})", model_of(&mean_of_samples()), NOISE[0]);
    let most = |left: &str| weighted(ANY, &f, &format!("({left} + {})", NOISE[1]));
    let found = expected(&given_all_noise(w)?, &law(z, "N_{n·d}(0, V)")?)?;
    let own = instance(z, &own_in_mean(z)?, &term(z, &without_own())?)?;
    let found = follows(z, &found, &own)?;
    let found = follows(z, &found, &given_noise(z, &most(&told(&with_known_and)))?)?;
    let found = expected(&found, &law(given, "N_{E·d}(0, U)")?)?;
    let spread = edge_spread(given, &unknown, "ν²", &flat_left)?;
    let added = format!("η(r)²·d·ν²·{}/n", through(&unknown));
    let left = format!("{} + {added}", told(&with_known));
    let found = passes(given, &found, &most(&left), &[("γ₂·η(r)²/n", &[&spread])])?;
    let found = expected(&found, &law(xi, "N_{E·d}(0, ν₀²)")?)?;
    let spread = edge_spread(xi, &known, "ν₀²", &flat_known)?;
    let same = given_for(xi, behind(xi), &[])?;
    let drawn = format!("γ₂·η(r)²·d·(ν₀ + ν)·{}/n", through(&known));
    let parts: Parts<'_> = &[
        ("γ₂·η(r)²/n", &[&spread]),
        (&drawn, &[&same]),
        ("γ₂·η(r)²·d·ν²/n", &[&all_through(xi)?]),
    ];
    let [f, spread] = of_round();
    of_samples(h, &passes(xi, &found, &weighted(ANY, &f, &spread), parts)?)
}
