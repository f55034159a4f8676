//! A step along the samples: Lemma 7 with M = 0, and `decor-drv-12`.

use super::super::swap;
use super::least_step;
use super::noises::gossiped;
use super::steps::{left_of, model_of};
use super::{MEAN, Parts, Proof, given, given_for, model, of, on, sample, samples, space};
use crate::moved::written::{show, term};
use dp_assay_kernel::rules::{expected, inverse, sum_over};
use dp_assay_kernel::statement::Context;

/// The error of user k's sample.
fn error(k: &str, xi: &str, j: &str) -> String {
    let x = model(k);
    format!("(g({k}, {x}, {xi}, {j}) − G({k}, {x}, {j}))")
}

pub(super) fn of_samples(body: &str) -> String {
    format!("𝔼_{{ξ∼N_{{B}}(0, 1)}}[{body}]")
}

/// Σ_j Σ_c (Σ_k (W_k\[c\] − 1/n)·(x_k − η·G_k)\[j\])² ≤ (1 − p/2)·nΞ + (2q/p)·η²·Σ_j Σ_k (G_k − mean)².
fn contracts(h: &Context) -> Proof {
    let j = &on(h, "j")?;
    let slope = |k: &str| format!("G({k}, {}, j)", model(k));
    let mean = format!("((Σ_{{κ<n}} {})/n)", slope("κ"));
    let (away, centred) = (
        "(x(κ, j, v) − ā(j, v))",
        format!("({} − {mean})", slope("κ")),
    );
    let vector = format!("⟨x(κ, j, v) − η(r)·{} : κ<n⟩", slope("κ"));
    let mixed = given_for(j, of::MIXES, &[&vector])?;
    let whole = given(j, of::WHOLE)?;
    let square = format!("(p/2)·(Σ_{{κ<n}} ({away} + (2·q/p)·η(r)·{centred})²)");
    let (of_x, of_y) = (
        format!("Σ_{{κ<n}} {away}²"),
        format!("(2·q/p)·η(r)²·(Σ_{{κ<n}} {centred}²)"),
    );
    let rest = format!("q·η(r)²·(Σ_{{κ<n}} {centred}²)");
    let body = format!("(x(κ, j, v) − η(r)·{})", slope("κ"));
    let left = gossiped(&body.replace('κ', "l"));
    let goal = format!(
        "Σ_{{c<n}} {left}² ≤ (1 − p/2)·(Σ_{{κ<n}} {away}²) + (2·q/p)·η(r)²·(Σ_{{κ<n}} {centred}²)"
    );
    let parts: Parts<'_> = &[
        ("1", &[&mixed]),
        (&square, &[]),
        (&of_x, &[&whole]),
        (&of_y, &[&whole]),
        (&rest, &[]),
    ];
    sum_over(&show(j, &goal, parts)?)
}

/// ‖G_k(x_k) − G_k(x̄)‖² ≤ L²·‖x_k − x̄‖², summed over the users.
fn near(h: &Context) -> Proof {
    let k = &on(h, "k")?;
    let one = given_for(k, of::SMOOTH, &["k", &model("k"), MEAN])?;
    let apart = format!("(G(k, {}, j) − G(k, {MEAN}, j))²", model("k"));
    let slopes = swap(h, ("k", "n"), ("j", "d"), &apart)?;
    let models = swap(h, ("k", "n"), ("j", "d"), "(x(k, j, v) − ā(j, v))²")?;
    let goal = format!("Σ_{{j<d}} Σ_{{k<n}} {apart} ≤ L²·n·Ξ(v)");
    let parts: Parts<'_> = &[
        ("1", &[&sum_over(&one)?]),
        ("(−1)", &[&slopes]),
        ("L²", &[&models]),
    ];
    show(h, &goal, parts)
}

/// Σ_j Σ_k (G_k(x_k) − mean)² ≤ 2L²·nΞ + 2n·Z².
fn alike(h: &Context) -> Proof {
    let j = &on(h, "j")?;
    let slope = |k: &str| format!("G({k}, {}, j)", model(k));
    let mean = format!("((Σ_{{κ<n}} {})/n)", slope("κ"));
    let (at, all) = (format!("G(k, {MEAN}, j)"), format!("D({MEAN}, j)"));
    let (own, other) = (
        format!("({} − {at})²", slope("k")),
        format!("({at} − {all})²"),
    );
    let goal = format!(
        "Σ_{{k<n}} ({} − {mean})² ≤ 2·(Σ_{{k<n}} {own}) + 2·(Σ_{{k<n}} {other})",
        slope("k")
    );
    let parts: Parts<'_> = &[
        (&format!("n·({mean} − {all})²"), &[]),
        (
            &format!("Σ_{{k<n}} ({} − 2·{at} + {all})²", slope("k")),
            &[],
        ),
    ];
    let one = sum_over(&show(j, &goal, parts)?)?;
    let alike = given_for(h, of::ALIKE, &[MEAN])?;
    let goal = format!(
        "Σ_{{j<d}} Σ_{{k<n}} ({} − {mean})² ≤ 2·L²·n·Ξ(v) + 2·n·Z²",
        slope("k")
    );
    let parts: Parts<'_> = &[("1", &[&one]), ("2", &[&near(h)?]), ("2·n", &[&alike])];
    show(h, &goal, parts)
}

/// Σ_j Σ_c E(Σ_k (W_k\[c\] − 1/n)·e_k)² ≤ q·n·S² for the errors e of the samples.
fn samples_spread(h: &Context) -> Proof {
    let xi = &h.extended(space("ξ", "B"))?;
    let j = &on(xi, "j")?;
    let one = |k: &str| error(k, "ξ", "j");
    let mixed = given_for(j, of::MIXES, &[&format!("⟨{} : κ<n⟩", one("κ"))])?;
    let mean = format!("q·n·((Σ_{{κ<n}} {})/n)²", one("κ"));
    let left = gossiped(&one("l"));
    let goal = format!("Σ_{{c<n}} {left}² ≤ q·(Σ_{{κ<n}} {}²)", one("κ"));
    let all = sum_over(&show(j, &goal, &[("1", &[&mixed]), (&mean, &[])])?)?;
    let all = expected(&all, &samples(h)?)?;
    let few = given_for(h, of::SAMPLES, &["v"])?;
    let left = of_samples(&format!("Σ_{{j<d}} Σ_{{c<n}} {left}²"));
    show(
        h,
        &format!("{left} ≤ q·n·S²"),
        &[("1", &[&all]), ("q·n", &[&few])],
    )
}

/// Σ_j E(mean of the errors of the samples)² ≤ S²/n.
fn samples_mean(h: &Context) -> Proof {
    let pair = &on(h, "j k l")?;
    let values = ["k", "l", &model("k"), &model("l"), "j"];
    let apart = given_for(pair, of::APART, &values)?;
    let one = |k: &str| error(k, "ξ", "j");
    let product = of_samples(&format!("{}·{}", one("k"), one("l")));
    let goal = format!("{product} = 𝟙[k=l]·{product}");
    let all = show(pair, &goal, &[("1", &[&apart])])?;
    let all = sum_over(&sum_over(&sum_over(&all)?)?)?;
    let few = given_for(h, of::SAMPLES, &["v"])?;
    let left = of_samples(&format!("((Σ_{{κ<n}} {})/n)²", one("κ")));
    let goal = format!("Σ_{{j<d}} {left} ≤ S²/n");
    show(h, &goal, &[("1/n²", &[&all]), ("1/n", &[&few])])
}

/// η·L ≤ p/8.
fn short(h: &Context) -> Proof {
    if h.get("θ").is_none() {
        let short = match h.get("P") {
            Some(_) => least_step::short(h)?,
            None => given(h, of::STEP)?,
        };
        return show(h, "η(r)·L ≤ p/8", &[("1", &[&short])]);
    }
    let u = "(1/(r + τ))";
    let now = inverse(h, &term(h, "r + τ")?)?;
    let shift = given(h, of::SHIFT)?;
    let parts: Parts<'_> = &[
        (&format!("p·{u}/8"), &[&shift]),
        (&format!("r·p·{u}/8"), &[]),
        ("p/8", &[&now]),
    ];
    show(h, "η(r)·L ≤ p/8", parts)
}

/// `decor-drv-12` in the round: of Ξ a step along the samples and gossip leave (1 − p/4)·Ξ + η²·q(4Z²/p + S²) at most.
pub(super) fn mixes(h: &Context) -> Proof {
    let told = |k: &str, j: &str| format!("(x({k}, {j}, v) − η(r)·{})", sample(k, j));
    let left = of_samples(&left_of(&told));
    let goal = format!("{left} ≤ (1 − p/4)·Ξ(v) + η(r)²·q·(4·Z²/p + S²)");
    let whole = given(h, of::WHOLE)?;
    let parts: Parts<'_> = &[
        ("1/n", &[&contracts(h)?]),
        ("(2·q/p)·η(r)²/n", &[&alike(h)?]),
        ("η(r)²/n", &[&samples_spread(h)?]),
        ("(4·q/p)·Ξ(v)·(p/8 + η(r)·L)", &[&short(h)?]),
        ("(p/16)·Ξ(v)", &[&whole]),
        ("(3·p/16 + p²/16)·Ξ(v)", &[]),
    ];
    show(h, &goal, parts)
}

/// ‖∇F(x̄) − mean of G_k(x_k)‖² ≤ L²·Ξ.
fn bent(h: &Context) -> Proof {
    let j = &on(h, "j")?;
    let one = format!("(G(k, {}, j) − G(k, {MEAN}, j))", model("k"));
    let mean = format!("((Σ_{{k<n}} {one})/n)");
    let goal = format!("{mean}² ≤ (Σ_{{k<n}} {one}²)/n");
    let square = format!("(Σ_{{k<n}} ({one} − {mean})²)/n");
    let square = sum_over(&show(j, &goal, &[(&square, &[])])?)?;
    let slope = format!("((Σ_{{κ<n}} G(κ, {}, ϑ))/n)", model("κ"));
    let goal = format!("Σ_{{ϑ<d}} (D({MEAN}, ϑ) − {slope})² ≤ L²·Ξ(v)");
    show(h, &goal, &[("1", &[&square]), ("1/n", &[&near(h)?])])
}

/// What the mean moves by in a step along the samples.
pub(super) fn mean_of_samples() -> String {
    format!("((−1)·η(r)·((Σ_{{κ<n}} {})/n))", sample("κ", "ϑ"))
}

/// Lemma 7 with M = 0 in the round, but for the users' noise.
pub(super) fn descends(h: &Context) -> Proof {
    let (x, whole) = (model("κ"), given(h, of::WHOLE)?);
    let slopes = format!("(Σ_{{ϑ<d}} ((Σ_{{κ<n}} G(κ, {x}, ϑ))/n)²)");
    let after = of_samples(&model_of(&mean_of_samples()));
    let goal = format!(
        "{after} ≤ F({MEAN}) − (η(r)/2)·(Σ_{{ϑ<d}} D({MEAN}, ϑ)²) + (L²·η(r)/2)·Ξ(v) + \
            (L·η(r)²/2)·(S²/n)"
    );
    let parts: Parts<'_> = &[
        ("L·η(r)²/2", &[&samples_mean(h)?]),
        ("η(r)/2", &[&bent(h)?]),
        (&format!("(η(r)/2)·{slopes}"), &[&short(h)?]),
        (&format!("(η(r)/16)·{slopes}"), &[&whole]),
        (&format!("(η(r)/2)·(7/8 + q/8)·{slopes}"), &[]),
    ];
    show(h, &goal, parts)
}
