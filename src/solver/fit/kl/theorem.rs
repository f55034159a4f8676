//! The corrected Theorems 1, 2, 4, 5 and 9: what they promise of a run before the data are read.
//!
//! Their constants hold for all records in the ball, but for γ and κ of Theorems 1, 2 and 4: those say how F grows about its
//! minimum, which no file shows. They have to be stated, and the promise rests on that word.

use super::{Method, Posed, Request, Resolved};
use crate::solver::fewest;
use crate::solver::fit::FitError;
use crate::solver::fit::outcome::{Utility, too_few};
use crate::solver::kl::theorem::{AdaptiveDescent, Descent, Promise};
use crate::solver::kl::{RunError, Variant};
use crate::units::{Neighbouring, Rho, positive};

/// A bound, what of it says nothing, and the passes over the records of a run that keeps it at most.
struct Found {
    claim: &'static str,
    bound: Option<f64>,
    trivial: f64,
    passes: f64,
}

fn refused(request: &Request, reason: String) -> FitError {
    let method = request.method.name();
    FitError::NoTheorem { method, reason }
}

/// The bound that a request has, or why it has none; what the theorem fixes is put into `used`.
pub(super) fn utility(
    posed: &Posed,
    request: &Request,
    used: &mut Resolved,
) -> Result<Utility, FitError> {
    admits(posed, request)?;
    let n = posed.risk.records() as f64;
    let at = |records: f64, used: &Resolved| found(posed, request, used, records);
    let here = at(n, used)?;
    let bites_at = fewest(|records| at(records, used).is_ok_and(|found| found.bound.is_some()));
    let Some(bound) = here.bound else {
        let budget = (request.epsilon, request.delta);
        let known = (
            format!("{} that the start", here.trivial),
            "dimension",
            budget,
        );
        let passes = bites_at.and_then(|n| Some(at(n, used).ok()?.passes));
        let method = request.method.name();
        return Err(too_few(method, here.claim, known, (bites_at, passes)));
    };
    let cause = "what the theorem takes its number from: n, epsilon, gamma and kappa";
    request.allows(here.passes, cause)?;
    if request.method == Method::KlProx {
        let promise = called(posed, used, n)?.expect("it has a bound");
        used.weak_convexity = promise.weak_convexity;
        used.rounds = Some(promise.calls);
    }
    let failure = match request.select {
        true => 2.0 * used.beta,
        false => used.beta,
    };
    Ok(Utility {
        claim: here.claim,
        bound,
        trivial: here.trivial,
        bites_at,
        failure: Some(failure),
        statement: statement(posed, request, used, failure),
    })
}

/// Whether the request is one that its theorem is about.
fn admits(posed: &Posed, request: &Request) -> Result<(), FitError> {
    let refuse = |reason: String| Err(refused(request, reason));
    if posed.risk.radius().is_finite() {
        let radius = posed.risk.radius();
        return refuse(format!(
            "it asks for constants on the whole space, and those of this risk hold for |w| <= \
             {radius} only"
        ));
    }
    if request.neighbours != Neighbouring::ReplaceOne {
        return refuse(format!(
            "it is about replace-one neighbours, not {}",
            request.neighbours
        ));
    }
    if request.length.is_some() || request.rounds.is_some() {
        return refuse("it fixes all lengths: leave out --length and --rounds".into());
    }
    if request.grows() {
        sharp(posed, request)?;
    }
    if request.method == Method::KlSpider && request.beta > 1.0 / 27.0 {
        return refuse(format!(
            "it asks for a failure probability of at most 1/27, and beta is {}: say --beta 0.03",
            request.beta
        ));
    }
    Ok(())
}

/// Whether γ and κ are stated, and such as a smooth F may have: F − min F ≤ (γ‖∇F‖)^κ and ‖∇F‖² ≤ 2L₁(F − min F), which
/// exclude each other near the minimum for κ > 2, and everywhere for κ = 2 and 2γ²L₁ < 1.
fn sharp(posed: &Posed, request: &Request) -> Result<(), FitError> {
    let refuse = |reason: String| Err(refused(request, reason));
    let (Some(gamma), Some(kappa)) = (request.gamma, request.kappa) else {
        let besides = match request.method {
            Method::AdaptiveGd => "; or neither, for the bound on the gradient",
            _ => "",
        };
        return refuse(format!(
            "it asks how F grows about its minimum, F(w) - min F <= (gamma |grad F(w)|)^kappa \
             wherever a run may go, which no file shows: state gamma and kappa, as they are \
             publicly known, with --gamma and --kappa{besides}"
        ));
    };
    let smoothness = request.smoothness.unwrap_or(posed.smoothness);
    positive("gamma", gamma)?;
    positive("L_1", smoothness)?;
    if request.method == Method::AdaptiveGd && !(1.0..=2.0).contains(&kappa) {
        return refuse(format!("it asks for kappa in [1, 2], and kappa is {kappa}"));
    }
    if kappa > 2.0 {
        return refuse(format!(
            "F is smooth, and no smooth F but a constant one has kappa = {kappa}: near a minimum \
             |grad F|^2 <= 2 L_1 (F - min F); kappa is at most 2 for it"
        ));
    }
    let least = (0.5 / smoothness).sqrt();
    if kappa == 2.0 && gamma < least * (1.0 - 1e-12) {
        return refuse(format!(
            "no F with L_1 = {smoothness} but a constant one has kappa = 2 and gamma = {gamma}: \
             gamma is at least 1/sqrt(2 L_1) = {least}"
        ));
    }
    Ok(())
}

/// What is promised of the request on so many records, all else the same.
fn found(
    posed: &Posed,
    request: &Request,
    used: &Resolved,
    records: f64,
) -> Result<Found, FitError> {
    let below = |promise: Promise, claim| Found {
        claim,
        bound: Some(promise.bound).filter(|bound| *bound < used.loss_bound),
        trivial: used.loss_bound,
        passes: promise.passes,
    };
    Ok(match request.method {
        Method::KlSpider => spider(posed, used, records)?,
        Method::AdaptiveGd if request.select => stationary(posed, used, records),
        Method::AdaptiveGd => valley(posed, used, records),
        Method::NoisyGd => below(descent(posed, used, records).alone(), "kl-thm-9-corrected"),
        Method::KlProx => match called(posed, used, records)? {
            Some(promise) => below(promise, "kl-thm-2-corrected"),
            None => Found {
                claim: "kl-thm-2-corrected",
                bound: None,
                trivial: used.loss_bound,
                passes: f64::INFINITY,
            },
        },
    })
}

fn spider(posed: &Posed, used: &Resolved, records: f64) -> Result<Found, FitError> {
    let (n, d) = (records as usize, posed.risk.dimension());
    let schedule = used
        .spider()
        .schedule(Variant::Repaired, Rho::new(used.rho)?, n, d)
        .map_err(RunError::from)?;
    //= kl-thm-1-corrected
    let begins = schedule.rounds > 0 && schedule.target() < used.loss_bound;
    Ok(Found {
        claim: "kl-thm-1-corrected",
        bound: begins.then(|| schedule.target()),
        trivial: used.loss_bound,
        passes: schedule.gradients_upper(),
    })
}

fn adaptive(posed: &Posed, used: &Resolved, records: f64) -> AdaptiveDescent {
    AdaptiveDescent {
        scale: records * used.rho.sqrt(),
        dimension: posed.risk.dimension() as f64,
        lipschitz: used.lipschitz,
        smoothness: used.smoothness,
        loss_bound: used.loss_bound,
        beta: used.beta,
    }
}

/// Each round is charged √ρ/n or more of ρ/2.
fn rounds(known: &AdaptiveDescent) -> f64 {
    (0.5 * known.scale).floor() + 1.0
}

/// Of the drawn iterate.
fn stationary(posed: &Posed, used: &Resolved, records: f64) -> Found {
    let known = adaptive(posed, used, records);
    // A smooth function has a small gradient where it is near its infimum.
    let trivial = (2.0 * used.smoothness * used.loss_bound)
        .sqrt()
        .min(used.lipschitz);
    Found {
        claim: "kl-thm-5-corrected",
        bound: known.gradient().filter(|bound| *bound < trivial),
        trivial,
        passes: rounds(&known),
    }
}

/// Of the last iterate.
fn valley(posed: &Posed, used: &Resolved, records: f64) -> Found {
    let known = adaptive(posed, used, records);
    let bound = known.excess(used.gamma, used.kappa);
    Found {
        claim: "kl-thm-4-corrected",
        bound: bound.filter(|bound| *bound < used.loss_bound),
        trivial: used.loss_bound,
        passes: rounds(&known),
    }
}

fn descent(posed: &Posed, used: &Resolved, records: f64) -> Descent {
    Descent {
        records,
        rho: used.rho,
        dimension: posed.risk.dimension() as f64,
        lipschitz: used.lipschitz,
        weak_convexity: used.weak_convexity,
        beta: used.beta,
    }
}

fn called(posed: &Posed, used: &Resolved, records: f64) -> Result<Option<Promise>, FitError> {
    Ok(descent(posed, used, records).called(&used.proximal())?)
}

fn statement(posed: &Posed, request: &Request, used: &Resolved, failure: f64) -> String {
    let what = match request.method {
        Method::AdaptiveGd if request.select => "the norm of the gradient of F at the point",
        Method::AdaptiveGd => "F(w) - min F, w the point and the minimum that of its valley,",
        Method::NoisyGd => {
            "F(w) + L|w - w_0|^2 less its minimum, L the weak convexity and w the point,"
        }
        Method::KlSpider | Method::KlProx => "F(w) - min F, w the point,",
    };
    let given = [request.lipschitz, request.smoothness, request.loss_bound];
    let given = given.iter().any(Option::is_some) || request.weak_convexity.is_some();
    let known = adaptive(posed, used, posed.risk.records() as f64);
    let when = match (request.method, request.grows(), given) {
        (Method::AdaptiveGd, true, _) => format!(
            "if gamma and kappa, and what else was stated, hold for the data where F is at most \
             {} above that minimum",
            known.height(used.gamma, used.kappa)
        ),
        (_, true, _) => "if gamma and kappa, and what else was stated, hold for the data".into(),
        (_, false, true) => "if the constants that were given hold for the data".into(),
        (_, false, false) => "whatever the data".into(),
    };
    format!(
        "with probability at least {} over the noise {what} is at most this, {when}",
        1.0 - failure
    )
}
