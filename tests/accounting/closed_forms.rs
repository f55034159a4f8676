//! Stored answers that have a closed form enclose it, at 2,000 bits: a stored digit alone says only "as before".

use crate::value_stability::rows;
use crate::words::Words;
use rug::Float;

const BITS: u32 = 2000;

fn wide(x: f64) -> Float {
    Float::with_val(BITS, x)
}

/// Pr\[N(0, 1) ≥ x\].
fn tail(x: Float) -> Float {
    (x / wide(2.0).sqrt()).erfc() / 2u32
}

/// δ of Gaussian noise with Δ/σ = μ.
fn gaussian_delta(mu: &Float, epsilon: f64) -> Float {
    let (centre, half) = (wide(epsilon) / mu, mu.clone() / 2u32);
    tail(centre.clone() - &half) - wide(epsilon).exp() * tail(centre + half)
}

fn quotient(above: f64, below: f64) -> Float {
    wide(above) / below
}

fn at_least_zero(x: Float) -> Float {
    x.max(&wide(0.0))
}

type Form = fn(Words<'_>) -> Float;

const FORMS: [(&str, Form); 15] = [
    ("zcdp-gaussian", |w| {
        quotient(w.x(0), w.x(1)).square() / 2u32
    }),
    ("zcdp-sigma", |w| {
        wide(w.x(0)) / (wide(w.x(1)) * 2u32).sqrt()
    }),
    ("zcdp-pure", |w| wide(w.x(0)).square() / 2u32),
    ("zcdp-classic", |w| {
        wide(w.x(0)) + (wide(w.x(0)) * -wide(w.x(1)).ln()).sqrt() * 2u32
    }),
    ("gaussian-delta", |w| match w.x(0) {
        0.0 => wide(0.0),
        sensitivity => gaussian_delta(&quotient(sensitivity, w.x(1)), w.x(2)),
    }),
    ("gdp-delta", |w| match w.x(0) {
        0.0 => wide(0.0),
        mu => gaussian_delta(&wide(mu), w.x(1)),
    }),
    ("laplace-delta", |w| {
        let exponent = (wide(w.x(2)) - quotient(w.x(0), w.x(1))) / 2u32;
        at_least_zero(-exponent.exp_m1())
    }),
    ("laplace-epsilon", |w| {
        let lost = (-wide(w.x(2))).ln_1p() * 2u32;
        at_least_zero(quotient(w.x(0), w.x(1)) + lost)
    }),
    ("laplace-renyi", |w| {
        let (epsilon, alpha) = (quotient(w.x(0), w.x(1)), wide(w.x(2)));
        let (less, twice) = (alpha.clone() - 1u32, alpha.clone() * 2u32 - 1u32);
        let grown = (epsilon.clone() * &less).exp() * &alpha;
        let shrunk = (-epsilon * alpha).exp() * &less;
        ((grown + shrunk) / twice).ln() / less
    }),
    ("pure-basic", |w| {
        wide(w.x(0)) * w.x(1) + wide(w.x(2)) * w.x(3)
    }),
    ("renyi-epsilon", |w| {
        let (beta, alpha) = (wide(w.x(0)), wide(w.x(0)) + 1u32);
        let conversion = (beta.clone() / &alpha).ln() - (wide(w.x(2)).ln() + alpha.ln()) / beta;
        at_least_zero(conversion + w.x(1))
    }),
    ("renyi-delta", |w| {
        let (beta, alpha) = (wide(w.x(0)), wide(w.x(0)) + 1u32);
        let exponent = (wide(w.x(1)) - w.x(2)) * &beta + (beta.clone() / &alpha).ln() * alpha;
        (exponent.exp() / beta).min(&wide(1.0))
    }),
    ("discrete-zcdp", |w| {
        quotient(w.x(1), w.x(0)).square() / 2u32
    }),
    ("share", |w| quotient(w.x(0), w.x(1))),
    ("exponential-kl", |w| {
        let ratio = wide(w.x(0)) / -(-wide(w.x(0))).exp_m1();
        ratio.clone() - 1u32 - ratio.ln()
    }),
];

#[test]
fn ends_enclose_the_closed_form() {
    let (mut held, mut wrong) = (0, Vec::new());
    for [_, asked, .., first, second] in rows() {
        let words: Vec<&str> = asked.split(' ').collect();
        let Some((_, form)) = FORMS.iter().find(|(name, _)| *name == words[0]) else {
            continue;
        };
        let (Ok(first), Ok(second)) = (first.parse::<f64>(), second.parse::<f64>()) else {
            continue;
        };
        if words[1..].contains(&"0") || !second.is_finite() {
            continue;
        }
        let truth = form(Words(&words[1..]));
        // Bounded from above alone: by no more than rounding makes it, which α − 1 ≥ 10⁻⁶ divides there.
        let rounding = match words[0] {
            "laplace-renyi" => 1e-9,
            _ => 1e-12,
        };
        let near = truth.clone() * (1.0 + 1e-9) + rounding;
        if !(first <= truth && truth <= second && second <= near) {
            let truth = truth.to_f64();
            wrong.push(format!("{asked}: {first} to {second}, {truth}"));
        }
        held += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(held > 100, "{held} rows");
}
