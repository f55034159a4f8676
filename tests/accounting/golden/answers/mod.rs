//! Our answer to each kind of row.

use dp_assay::accounting::calibrate::{Target, Trend, parameter};
use dp_assay::accounting::float::Enclosure;
use dp_assay::accounting::gaussian::{Gaussian, calibrate_sigma};
use dp_assay::accounting::inversion::Composition;
use dp_assay::accounting::pld::discrete_law::DiscreteLaw;
use dp_assay::accounting::pld::law::{GaussianLaw, LaplaceLaw, LossLaw, profile};
use dp_assay::accounting::pld::mixture_law::MixtureLaw;
use dp_assay::accounting::pld::sampled::{Direction, Sampled};
use dp_assay::accounting::rdp::{self, Curve, PairCurve};
use dp_assay::accounting::{
    AccountError, Accountant, Event, account, account_of_larger, discrete, exponential, gdp,
    mixture, pld, pure, response, shuffle, zcdp,
};
use dp_assay::units::{Delta, Epsilon, Neighbouring, Rho, Sensitivity, StdDev};
use dp_assay_spec::arith::Interval;
use dp_assay_spec::privacy::subsampled;
use serde_json::Value;
use std::sync::Arc;

mod compositions;

use compositions::poisson;
pub use compositions::{kairouz, poisson_gaussian};

/// An enclosure of the truth and what the published number is meant to be.
#[derive(Debug)]
pub struct Answer {
    ours: Enclosure,
    /// A value rather than an upper bound.
    exact: bool,
    /// How far our upper end may lie above the truth, relative to it, beyond the row's tolerance.
    budget: f64,
}

impl Answer {
    /// Published bounds are not below our lower end, and our upper end is not above them; published
    /// values lie in the enclosure; all up to `allowance`.
    pub fn agrees(&self, published: f64, allowance: f64) -> bool {
        let Enclosure { lo, hi } = self.ours;
        if published == f64::INFINITY {
            return !self.exact || hi == published;
        }
        let below = hi <= published + allowance + self.budget * published.abs();
        let above = lo <= published + allowance;
        let tight = !self.exact || hi >= published - allowance;
        below && above && tight
    }
}

fn value(ours: Enclosure) -> Answer {
    Answer {
        ours,
        exact: true,
        budget: 0.0,
    }
}

fn bound(ours: Enclosure) -> Answer {
    Answer {
        ours,
        exact: false,
        budget: 0.0,
    }
}

/// An upper bound without a lower end.
fn only_upper(hi: f64) -> Answer {
    bound(Enclosure::new(f64::NEG_INFINITY, hi))
}

/// A number, or one of the few expressions in the table.
fn number(v: &Value) -> f64 {
    match v {
        Value::Number(n) => n.as_f64().expect("a number"),
        Value::String(s) => match s.as_str() {
            "inf" => f64::INFINITY,
            "sqrt(3)" => 3f64.sqrt(),
            "4/(3+e)" => 4.0 / (3.0 + std::f64::consts::E),
            "(4-e)/3" => (4.0 - std::f64::consts::E) / 3.0,
            other => panic!("not a number: {other}"),
        },
        other => panic!("not a number: {other}"),
    }
}

fn eps(x: f64) -> Epsilon {
    Epsilon::new(x).expect("an epsilon")
}

fn del(x: f64) -> Delta {
    Delta::new(x).expect("a delta")
}

fn gaussian(sensitivity: f64, sigma: f64) -> Gaussian {
    let sensitivity = Sensitivity::new(sensitivity).expect("a sensitivity");
    Gaussian::new(sensitivity, StdDev::new(sigma).expect("a sigma"))
}

pub fn answer(function: &str, p: &Value) -> Answer {
    let x = |key: &str| number(&p[key]);
    match function {
        "rdp_poisson_gaussian" => rdp_poisson(x("q"), x("sigma"), x("steps"), x("order")),
        "log_moment_poisson_gaussian" => {
            let one = rdp_poisson(x("q"), x("sigma"), 1.0, x("order"));
            // The quadrature's bound on its own rounding: some hundred u at each of its nodes, relative
            // to the sum of the moduli, is at most 2¹⁵u of these moments.
            Answer {
                budget: 2f64.powi(15 - 53),
                ..value(one.ours * (x("order") - 1.0))
            }
        }
        "rdp_randomized_response" => rdp_response(p),
        "rdp_exponential_mechanism" if x("order") == 1.0 => {
            only_upper(exponential::kl_upper(x("eps")))
        }
        "rdp_exponential_mechanism" => {
            only_upper(exponential::rdp_upper(x("eps"), x("order") - 1.0))
        }
        "rdp_to_eps" => value(Enclosure::point(least(|beta| {
            rdp::epsilon_at_order(beta, 1.1, x("delta"))
        }))),
        "rdp_to_delta" => value(Enclosure::point(least(|beta| {
            rdp::delta_at_order(beta, 1.1, x("eps"))
        }))),
        "rdp_to_delta_gaussian" => {
            let half = 0.5 / x("sigma").powi(2);
            let mut curve = |beta: f64| (1.0 + beta) * half;
            value(Enclosure::point(rdp::delta_upper(&mut curve, x("eps"))))
        }
        "rdp_tree_eps_upper" => {
            // A record meets one node on each of the 11 levels of complete subtrees of 1600 leaves.
            let levels = (x("steps").log2().floor() + 1.0) as u64;
            let nodes = Gaussian::composed(&[(gaussian(1.0, x("noise_multiplier")), levels)]);
            bound(nodes.epsilon(del(x("delta"))).expect("finite"))
        }
        "rdp_eps" => {
            let event = poisson(x("q"), x("sigma"), 1.0, x("steps") as u64);
            let found = account(
                &event,
                del(x("delta")),
                Accountant::Rdp,
                Neighbouring::AddRemove,
                false,
            );
            only_upper(found.expect("finite").epsilon_upper)
        }
        "prv_eps_upper" => bound(poisson_gaussian(
            x("q"),
            x("sigma"),
            x("steps") as u64,
            x("delta"),
        )),
        "zcdp_delta" => {
            let (rho, e) = (Rho::new(x("rho")).expect("a rho"), eps(x("eps")));
            only_upper(zcdp::delta_upper(rho, e))
        }
        "shuffle_eps_numerical_upper" => bound(
            shuffle::clones_epsilon(eps(x("eps0")), x("n") as u64, del(x("delta")))
                .expect("finite"),
        ),
        "shuffle_eps_closed_form" => only_upper(
            shuffle::closed_form_epsilon_upper(eps(x("eps0")), x("n") as u64, del(x("delta")))
                .expect("in its domain"),
        ),
        "gaussian_eps" => value(
            gaussian(1.0, x("sigma"))
                .epsilon(del(x("delta")))
                .expect("finite"),
        ),
        "gaussian_delta" => value(gaussian(1.0, x("sigma")).delta(eps(x("eps")))),
        "gaussian_sigma" => {
            let one = Sensitivity::new(1.0).expect("a sensitivity");
            value(calibrate_sigma(one, eps(x("eps")), del(x("delta"))).expect("finite"))
        }
        _ => by_law(function, p),
    }
}

/// The least of `f` over the integer orders 2 to 32.
fn least(f: impl Fn(f64) -> f64) -> f64 {
    (1..=31)
        .map(|beta| f(f64::from(beta)))
        .fold(f64::INFINITY, f64::min)
}

/// Upper end ours, lower end the certified oracle's.
fn rdp_poisson(q: f64, sigma: f64, steps: f64, order: f64) -> Answer {
    if order == f64::INFINITY {
        let law = sampled(GaussianLaw { mu: 1.0 / sigma }, q, Direction::Removal);
        return value(Enclosure::point(law.support().1));
    }
    let mut curve = PairCurve::new(mixture::Pair::removal(q, sigma));
    let upper = curve.rdp_upper(order - 1.0) * steps;
    let exact = Interval::from_f64;
    let oracle = subsampled::PoissonGaussian::new(exact(q), exact(sigma)).expect("in range");
    let log = oracle
        .log_moment(&exact(order), subsampled::Direction::Remove)
        .expect("order > 1");
    let lower = log.lo_f64() / (order - 1.0) * steps * (1.0 - 1e-15);
    assert!(
        upper >= lower * (1.0 - 1e-15),
        "ours {upper} is below the oracle's {lower}"
    );
    value(Enclosure::new(lower, upper))
}

fn response_laws(p: &Value) -> Vec<DiscreteLaw> {
    let relation = match p["neighbours"].as_str() {
        Some("replace_special") => Neighbouring::ZeroOut,
        _ => Neighbouring::ReplaceOne,
    };
    let buckets = p["num_buckets"].as_u64().expect("a count");
    response::laws(number(&p["noise_parameter"]), buckets, relation).expect("in range")
}

fn rdp_response(p: &Value) -> Answer {
    let order = number(&p["order"]);
    let worst = response_laws(p).iter().fold(0.0f64, |m, law| {
        m.max(if order == f64::INFINITY {
            law.support().1
        } else {
            law.rdp_upper(order - 1.0)
        })
    });
    value(Enclosure::point(worst))
}

fn sampled<L: LossLaw>(base: L, rate: f64, direction: Direction) -> Sampled<L> {
    Sampled {
        base,
        rate,
        direction,
    }
}

fn direction(p: &Value) -> Direction {
    match p["adj"].as_str() {
        Some("add") => Direction::Addition,
        Some("remove") => Direction::Removal,
        other => panic!("adjacency {other:?}"),
    }
}

/// Truncated discrete Gaussian noise, shifted by Δ with probability q on one side.
fn truncated(p: &Value) -> DiscreteLaw {
    let x = |key: &str| number(&p[key]);
    let (sigma, shift, reach, q) = (
        x("sigma"),
        x("sensitivity") as i64,
        x("truncation_bound") as i64,
        x("q"),
    );
    let weight = |k: i64| {
        if k.abs() <= reach {
            (-(k as f64).powi(2) / (2.0 * sigma * sigma)).exp()
        } else {
            0.0
        }
    };
    let total: f64 = (-reach..=reach).map(weight).sum();
    let range = -reach..=reach + shift;
    let noise: Vec<f64> = range.clone().map(|k| weight(k) / total).collect();
    let mixed: Vec<f64> = range
        .map(|k| ((1.0 - q) * weight(k) + q * weight(k - shift)) / total)
        .collect();
    match direction(p) {
        Direction::Removal => DiscreteLaw::from_masses(&mixed, &noise),
        Direction::Addition => DiscreteLaw::from_masses(&noise, &mixed),
    }
}

fn gaussian_law(sensitivity: f64, sigma: f64, q: f64, p: &Value) -> Box<dyn LossLaw> {
    if p["adj"] == "replace" {
        let pair = mixture::Pair {
            sigma,
            p: mixture::Mixture::two(sensitivity, q),
            q: mixture::Mixture::two(-sensitivity, q),
        };
        return Box::new(MixtureLaw::new(pair).expect("ordered"));
    }
    Box::new(sampled(
        GaussianLaw {
            mu: sensitivity / sigma,
        },
        q,
        direction(p),
    ))
}

/// Rows about the profile of one law, or composed laws.
fn by_law(function: &str, p: &Value) -> Answer {
    let x = |key: &str| number(&p[key]);
    let at = |law: &dyn LossLaw| value(profile(law, x("eps")));
    match function {
        "delta_laplace" => at(&sampled(
            LaplaceLaw {
                pure: x("sensitivity") / x("scale"),
            },
            x("q"),
            direction(p),
        )),
        "delta_gaussian" => at(gaussian_law(x("sensitivity"), x("sigma"), x("q"), p).as_ref()),
        "delta_discrete_laplace" => {
            let base =
                discrete::laplace(x("parameter"), x("sensitivity") as u64).expect("in range");
            at(&sampled(base, x("q"), direction(p)))
        }
        "delta_discrete_gaussian" => at(&truncated(p)),
        "delta_mixture_gaussian" => at(&MixtureLaw::new(mixture_of(p)).expect("ordered")),
        "calibrate_gaussian_sigma" => smallest_sigma(p, |sigma| {
            profile(
                gaussian_law(x("sensitivity"), sigma, x("q"), p).as_ref(),
                x("eps"),
            )
        }),
        // All of them by removal, as published: `a_published_noise_by_addition_is_that_by_removal`.
        "calibrate_discrete_gaussian_sigma" => smallest_sigma(p, |sigma| {
            let base = discrete::gaussian(sigma, x("sensitivity") as u64).expect("in range");
            profile(&sampled(base, x("q"), Direction::Removal), x("eps"))
        }),
        "gaussian_tpr_at_fpr" => {
            let law = GaussianLaw {
                mu: x("sensitivity") / x("sigma"),
            };
            value(power(x("fpr"), |e| profile(&law, e)))
        }
        "rr_tpr_at_fpr" => value(power(x("fpr"), |e| profile(&response_laws(p)[0], e))),
        "rr_gdp_mu" => {
            let epsilon = response_laws(p)[0].support().1;
            value(Enclosure::point(
                gdp::mu_of_pure(eps(epsilon)).expect("small enough"),
            ))
        }
        "rr_eps" => {
            let worst = response_laws(p)
                .iter()
                .fold(0.0f64, |m, law| m.max(law.support().1));
            value(Enclosure::point(worst))
        }
        _ => compositions::by_composition(function, p),
    }
}

/// N(0, σ²) and the mixture of the row, by removal.
fn mixture_of(p: &Value) -> mixture::Pair {
    let list = |key: &str| -> Vec<f64> {
        p[key]
            .as_array()
            .expect("a list")
            .iter()
            .map(number)
            .collect()
    };
    let parts = list("sens").into_iter().zip(list("probs"));
    let parts: Vec<_> = parts
        .map(|(shift, weight)| mixture::Component { shift, weight })
        .collect();
    mixture::Pair {
        sigma: number(&p["sigma"]),
        p: mixture::Mixture::new(&parts).expect("in range"),
        q: mixture::Mixture::centred(),
    }
}

/// The σ from which on δ(ε; σ) stays at or below the row's δ: down from 100 in steps of 2 % to the
/// first σ that is too small, then by bisection.
fn smallest_sigma(p: &Value, delta_at: impl Fn(f64) -> Enclosure) -> Answer {
    let target = number(&p["delta"]);
    let (mut lo, mut hi) = (100.0f64, 100.0f64);
    while delta_at(lo).hi <= target {
        (lo, hi) = (lo / 1.02, lo);
        assert!(lo > 0.05, "no noise is too small");
    }
    for _ in 0..50 {
        let middle = 0.5 * (lo + hi);
        if delta_at(middle).hi <= target {
            hi = middle
        } else {
            lo = middle
        }
    }
    value(Enclosure::new(lo, hi))
}

/// The largest true positive rate at a false positive rate: inf over ε of δ(ε) + e^ε·fpr, convex in
/// e^ε; by trisection in ε. The lower end is that of the best point only.
fn power(fpr: f64, delta_at: impl Fn(f64) -> Enclosure) -> Enclosure {
    let at = |e: f64| delta_at(e) + Enclosure::point(fpr) * e.exp();
    let (mut lo, mut hi) = (-20.0f64, 20.0f64);
    for _ in 0..120 {
        let (a, b) = (lo + (hi - lo) / 3.0, hi - (hi - lo) / 3.0);
        if at(a).hi <= at(b).hi { hi = b } else { lo = a }
    }
    at(0.5 * (lo + hi))
}
