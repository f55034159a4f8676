//! Adaptive descent with the draw of an iterate, by the corrected Theorem 5: what it promises before the data are read.

use super::{FitError, Method, Posed, Request, Resolved};
use crate::solver::fewest;
use crate::solver::fit::Utility;
use crate::solver::kl::theorem::Stationary;

/// The bound that a request has, or why it has none.
pub(super) fn utility(
    posed: &Posed,
    request: &Request,
    used: &Resolved,
) -> Result<Utility, FitError> {
    let refuse = |reason: String| {
        let method = request.method.name();
        Err(FitError::NoTheorem { method, reason })
    };
    match request.method {
        Method::AdaptiveGd => {}
        Method::KlSpider | Method::KlProx => {
            let reason = "its bound rests on a gamma and a kappa that hold for every data set, \
                          which no file shows";
            return refuse(reason.into());
        }
        Method::NoisyGd => {
            let reason = "where its bound says anything it takes of the order of n^2 rho/d passes \
                          over the records";
            return refuse(reason.into());
        }
    }
    if posed.risk.radius().is_finite() {
        let radius = posed.risk.radius();
        return refuse(format!(
            "it asks for constants on the whole space, and those of this risk hold for |w| <= \
             {radius} only"
        ));
    }
    let (n, d) = (posed.risk.records() as f64, posed.risk.dimension() as f64);
    let known = |records: f64| Stationary {
        scale: records * used.rho.sqrt(),
        dimension: d,
        lipschitz: used.lipschitz,
        smoothness: used.smoothness,
        loss_bound: used.loss_bound,
        beta: used.beta,
    };
    // A smooth function has a small gradient where it is near its infimum.
    let trivial = (2.0 * used.smoothness * used.loss_bound)
        .sqrt()
        .min(used.lipschitz);
    let bites = |bound: &f64| *bound < trivial;
    let Some(bound) = known(n).bound().filter(bites) else {
        let enough = fewest(|n| known(n).bound().as_ref().is_some_and(bites));
        let enough = enough.map_or_else(
            || "no number of them up to 10^18 is enough".into(),
            |n| format!("{n} are the fewest for which it is"),
        );
        return refuse(format!(
            "for so few records the bound of kl-thm-5-corrected is not below the {trivial} that \
             the start has; at this budget and dimension {enough}"
        ));
    };
    let failure = 2.0 * used.beta;
    let given = [request.lipschitz, request.smoothness, request.loss_bound];
    let when = match given.iter().any(Option::is_some) {
        true => "if the constants that were given hold for the data",
        false => "whatever the data",
    };
    Ok(Utility {
        claim: "kl-thm-5-corrected",
        bound,
        trivial,
        failure: Some(failure),
        statement: format!(
            "with probability at least {} over the noise the norm of the gradient of F at the \
             point is at most this, {when}",
            1.0 - failure
        ),
    })
}
