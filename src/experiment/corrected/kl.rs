//! The witnesses of kl. All that their runs depend on is n√ρ, so as many records as there are stand for n, with a budget that makes
//! up for it. Those of Theorems 2 and 9, whose runs take up to 10¹⁷ steps, are drawn from the law of the result ([`leap`]).

use super::leap::{self, Cut};
use super::witness::{ALL, Error, Point, budget, fewest, logistic, records};
use super::{Promise, Series};
use crate::accounting::zcdp;
use crate::problem::loss::Logistic;
use crate::problem::risk::{Margins, Risk};
use crate::problem::rows::{Matrix, norm};
use crate::solver::kl;
use crate::units::{Neighbouring, Rho};
use dp_assay_spec::kl::witness::{self as bounds, BETA, DIMENSION, LAMBDA};
use std::f64::consts::LN_2;

/// All of them.
pub(super) const SERIES: [Series; 5] = [SPIDER, PROXIMAL, ADAPTIVE, STATIONARY, REGULARISED];

/// Theorem 1.
const SPIDER: Series = Series {
    claim: "kl-thm-1-corrected",
    recipe: RECIPE,
    promise: Promise::Failure(BETA),
    first: || fewest(|n| bounds::spider(n as u64) < LN_2),
    at: spider,
    sizes: ALL,
};

/// Theorem 4.
const ADAPTIVE: Series = Series {
    claim: "kl-thm-4-corrected",
    recipe: RECIPE,
    promise: Promise::Failure(BETA),
    first: || fewest(|n| bounds::adaptive(n as u64) < LN_2),
    at: adaptive,
    sizes: ALL,
};

/// Theorem 5.
const STATIONARY: Series = Series {
    claim: "kl-thm-5-corrected",
    recipe: "norm of the gradient of the logistic loss of 40 records of norm 1 in 10 dimensions, \
             repeated",
    promise: Promise::Failure(2.0 * BETA),
    first: || {
        fewest(|n| drawn(n).is_ok_and(|(known, _)| known.gradient().is_some_and(|b| b < HALF)))
    },
    at: stationary,
    sizes: ALL,
};

/// Theorem 2. K calls of T steps: 188 of 4·10¹⁰ at the first n.
const PROXIMAL: Series = Series {
    claim: "kl-thm-2-corrected",
    recipe: CUT,
    promise: Promise::Failure(BETA),
    first: || fewest(|n| calls(n, 1.0).is_ok_and(|(_, bound, _)| bound < 0.5)),
    at: proximal,
    sizes: ALL,
};

/// Theorem 9.
const REGULARISED: Series = Series {
    claim: "kl-thm-9-corrected",
    recipe: CUT,
    promise: Promise::Failure(BETA),
    first: || fewest(|n| regularised_bound(n) < 0.25),
    at: regularised,
    sizes: ALL,
};

const CUT: &str = "squared distance from 4 records of norm 1 in the plane, repeated, residuals \
                   cut at L₀ = 8; not run step by step: drawn from the law of the result, up to \
                   10⁻¹² in total variation for each call of Algorithm 4";

/// L₀ of that loss.
const KNEE: f64 = 8.0;

const RECIPE: &str = "logistic loss of 40 records of norm 1 in 10 dimensions, repeated, with the \
                      regulariser λh(‖w‖), linear from √(2/λ) on, λ = 1/10";

/// How many different records there are.
const DISTINCT: usize = 40;

/// ‖∇F(0)‖ is at most this.
const HALF: f64 = 0.5;

fn features() -> usize {
    DIMENSION as usize
}

/// Logistic loss with λh(‖w‖), h(r) = r²/2 up to √(2/λ) and linear beyond.
struct Kneed(Margins<Logistic>);

impl Kneed {
    fn new() -> Result<Self, Error> {
        let (rows, labels) = records(DISTINCT, features());
        Ok(Self(Margins::new(
            Matrix::new(features(), rows.concat(), labels)?,
            Logistic,
        )))
    }

    fn knee() -> f64 {
        (2.0 / LAMBDA).sqrt()
    }

    fn regularise(w: &[f64], gradient: &mut [f64]) {
        let factor = LAMBDA * (Self::knee() / norm(w)).min(1.0);
        for (g, w) in gradient.iter_mut().zip(w) {
            *g += factor * w;
        }
    }
}

impl Risk for Kneed {
    fn dimension(&self) -> usize {
        self.0.dimension()
    }

    fn records(&self) -> usize {
        self.0.records()
    }

    fn value(&self, w: &[f64]) -> f64 {
        let (r, knee) = (norm(w), Self::knee());
        let h = if r <= knee {
            0.5 * r * r
        } else {
            knee * (r - 0.5 * knee)
        };
        self.0.value(w) + LAMBDA * h
    }

    fn gradient(&self, w: &[f64], gradient: &mut [f64]) {
        self.0.gradient(w, gradient);
        Self::regularise(w, gradient);
    }

    fn record_gradient(&self, i: usize, w: &[f64], gradient: &mut [f64]) {
        self.0.record_gradient(i, w, gradient);
        Self::regularise(w, gradient);
    }
}

/// L₀ and L₁ of the records of [`Kneed`].
fn constants() -> (f64, f64) {
    (1.0 + LAMBDA * Kneed::knee() + 1e-12, 0.25 + LAMBDA)
}

/// The ρ of the bounds: ρ + 2√(ρ log(1/δ)) = ε.
pub(super) fn rho(n: f64) -> Result<Rho, Error> {
    let log = 2.0 * n.ln();
    Ok(Rho::new(
        ((log + 1.0).sqrt() - log.sqrt()).powi(2).next_down(),
    )?)
}

/// The budget that is worth to `records` records what ρ is to n.
pub(super) fn same(rho: Rho, n: f64, records: usize) -> Result<kl::Budget, Error> {
    Ok(kl::Budget {
        rho: Rho::new(rho.get() * (n / records as f64).powi(2))?,
        neighbours: Neighbouring::ReplaceOne,
        variant: kl::Variant::Repaired,
    })
}

/// A point of the ledger's witness, at ρ of the run, but for its run.
fn point(
    n: f64,
    (bound, trivial): (f64, f64),
    rho: Rho,
    run: impl Fn(crate::mechanism::tape::Tape) -> Result<f64, Error> + Send + Sync + 'static,
) -> Result<Point, Error> {
    let (_, delta) = budget(n)?;
    Ok(Point {
        delta: delta.get(),
        epsilon_upper: zcdp::epsilon_upper(rho, delta)?,
        bound,
        printed: None,
        trivial,
        setting: format!("n√ρ = {:.4e}", n * rho.get().sqrt()),
        run: Box::new(run),
    })
}

fn spider(n: f64, loud: f64) -> Result<Point, Error> {
    let (rho, risk) = (rho(n)?, Kneed::new()?);
    let (_, least) = logistic(DISTINCT, features(), LAMBDA)?;
    let (lipschitz, smoothness) = constants();
    let inputs = kl::Spider {
        beta: BETA,
        gamma: (0.5 / LAMBDA).sqrt(),
        kappa: 2.0,
        // Noise goes with L₀.
        lipschitz: loud * lipschitz,
        smoothness,
        loss_bound: LN_2,
    };
    let same = same(rho, n, DISTINCT)?;
    let start = vec![0.0; features()];
    point(n, (bounds::spider(n as u64), LN_2), rho, move |tape| {
        let run = kl::optimized::spider(&risk, &start, &inputs, &same, tape, &mut |_| ())?;
        Ok(risk.value(&run.point) - least)
    })
}

fn adaptive(n: f64, loud: f64) -> Result<Point, Error> {
    let (rho, risk) = (rho(n)?, Kneed::new()?);
    let (_, least) = logistic(DISTINCT, features(), LAMBDA)?;
    let (lipschitz, smoothness) = constants();
    let inputs = kl::Adaptive {
        beta: BETA,
        lipschitz: loud * lipschitz,
        smoothness,
    };
    let same = same(rho, n, DISTINCT)?;
    let start = vec![0.0; features()];
    point(n, (bounds::adaptive(n as u64), LN_2), rho, move |tape| {
        let run = kl::optimized::adaptive(&risk, &start, &inputs, &same, false, tape, &mut |_| ())?;
        Ok(risk.value(&run.point) - least)
    })
}

/// Theorem 5 for n records, of whose budget the draw takes a third.
fn drawn(n: f64) -> Result<(kl::theorem::AdaptiveDescent, Rho), Error> {
    let (epsilon, delta) = budget(n)?;
    let rho = zcdp::rho_within(epsilon, delta)?;
    let rho = Rho::new((rho.get() / 1.5).next_down())?;
    let known = kl::theorem::AdaptiveDescent {
        scale: n * rho.get().sqrt(),
        dimension: DIMENSION,
        lipschitz: 1.0,
        smoothness: 0.25,
        loss_bound: LN_2,
        beta: BETA,
    };
    Ok((known, rho))
}

fn stationary(n: f64, loud: f64) -> Result<Point, Error> {
    let (known, rho) = drawn(n)?;
    let (rows, labels) = records(DISTINCT, features());
    let risk = Margins::new(Matrix::new(features(), rows.concat(), labels)?, Logistic);
    let inputs = kl::Adaptive {
        beta: BETA,
        lipschitz: loud,
        smoothness: 0.25,
    };
    let same = same(rho, n, DISTINCT)?;
    let start = vec![0.0; features()];
    let bound = known.gradient().ok_or("n sqrt(rho) is below 8")?;
    let all = Rho::new(1.5 * rho.get())?;
    point(n, (bound, HALF), all, move |tape| {
        let run = kl::optimized::adaptive(&risk, &start, &inputs, &same, true, tape, &mut |_| ())?;
        let mut gradient = start.clone();
        risk.gradient(&run.point, &mut gradient);
        Ok(norm(&gradient))
    })
}

/// What Algorithms 2 and 4 know of [`Cut`], with noise that is `loud` times the theorem's.
fn inputs(beta: f64, loud: f64) -> kl::Regularised {
    kl::Regularised {
        beta,
        // Noise and radius go with L₀.
        lipschitz: loud * KNEE,
        weak_convexity: leap::CURVATURE,
        length: None,
    }
}

/// Theorem 2 for n records: K, the bound, and the numbers of a call. γ² = F₀ = 1/2, as F is ‖w−z̄‖²/2 and a constant where
/// ‖w−z̄‖ ≤ 1, and nowhere else within F₀ of its minimum.
fn calls(n: f64, loud: f64) -> Result<(u64, f64, kl::RegularisedRule), Error> {
    const PLANE: f64 = 2.0;
    let rho = rho(n)?.get();
    let known = kl::theorem::Descent {
        records: n,
        rho,
        dimension: PLANE,
        lipschitz: KNEE,
        weak_convexity: leap::CURVATURE,
        beta: BETA,
    };
    let known_of_risk = kl::Proximal {
        gamma: 0.5_f64.sqrt(),
        kappa: 2.0,
        loss_bound: 0.5,
    };
    let promise = known.called(&known_of_risk)?;
    let promise = promise.ok_or_else(|| format!("n = {n}: the theorem says nothing"))?;
    let part = promise.calls as f64;
    let call = inputs(BETA / part, loud);
    let rule = call.taking(call.steps(rho / part, n, PLANE), rho / part, n);
    Ok((promise.calls, promise.bound, rule))
}

fn proximal(n: f64, loud: f64) -> Result<Point, Error> {
    let (calls, bound, rule) = calls(n, loud)?;
    let risk = Cut { knee: loud * KNEE };
    point(n, (bound, 0.5), rho(n)?, move |tape| {
        let end = leap::result(&risk, calls, rule, tape);
        Ok(risk.value(&end) - risk.value(&leap::MEAN))
    })
}

fn regularised_bound(n: f64) -> f64 {
    KNEE.powi(2) * bounds::regularised(n as u64, 2.0, leap::CURVATURE)
}

fn regularised(n: f64, loud: f64) -> Result<Point, Error> {
    let rho = rho(n)?;
    // Half of what it is given is spent.
    let (inputs, given) = (inputs(BETA, loud), 2.0 * rho.get());
    let rule = inputs.taking(inputs.steps(given, n, 2.0), given, n);
    let risk = Cut { knee: loud * KNEE };
    // F̃(w) = F(w) + ‖w‖²/2 has its minimum at z̄/2; F̃(0) is at most 1/4 above it.
    point(n, (regularised_bound(n), 0.25), rho, move |tape| {
        let value = |w: &[f64]| risk.value(w) + 0.5 * norm(w).powi(2);
        let least = value(&leap::MEAN.map(|z| 0.5 * z));
        Ok(value(&leap::result(&risk, 1, rule, tape)) - least)
    })
}
