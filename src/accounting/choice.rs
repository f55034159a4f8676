//! The Rényi curve of a choice among private runs, by the theorem of [`private_selection`](super::private_selection).

use super::AccountError;
use super::leaf::BoxedCurve;
use super::rdp::best_order;
use crate::float::Enclosure;

/// Upper bound on the divergence at order 1 + β of a choice among candidates with these curves, of which `mean` are run.
///
/// # Errors
/// No candidate, or a mean below 1.
pub(super) fn curve(
    mut candidates: Vec<BoxedCurve>,
    mean: f64,
) -> Result<impl FnMut(f64) -> f64 + use<>, AccountError> {
    let rule = "must be finite and >= 1";
    let sound = mean >= 1.0 && mean.is_finite();
    AccountError::check(sound, "mean number of runs", mean, rule)?;
    if candidates.is_empty() {
        return Err(AccountError::Event("a choice among no candidates".into()));
    }
    let mut one = move |beta: f64| {
        let all = candidates.iter_mut().map(|curve| curve(beta));
        all.fold(0.0, f64::max)
    };
    let log = Enclosure::point(mean).ln();
    // At λ = 1 the bracket is ln m, and any λ gives a bound.
    let mut bracket = log.hi;
    best_order(1.0, |beta| {
        let b = Enclosure::point(beta);
        let divergence = one(beta);
        if divergence == f64::INFINITY {
            return divergence;
        }
        let at = ((b * divergence + log) / (b + 1.0)).hi;
        bracket = bracket.min(at);
        at
    });
    Ok(move |beta: f64| {
        let sum = Enclosure::point(one(beta)) + Enclosure::point(bracket) * 2.0;
        (sum + log / Enclosure::point(beta)).hi
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;

    #[test]
    fn curves_of_a_choice_are_what_they_were() {
        let candidates = || -> Vec<BoxedCurve> {
            vec![
                Box::new(|beta: f64| 0.1 * (1.0 + beta)),
                Box::new(|beta: f64| if beta < 0.5 { 0.2 } else { 0.12 }),
            ]
        };
        let mut found = Vec::new();
        for mean in [1.0, 7.0, 1e6] {
            let mut curve = curve(candidates(), mean).expect("in range");
            found.extend([1e-3, 0.4, 3.0, 80.0].map(&mut curve));
        }
        steady::holds(
            &found,
            "0.20000000000000007 0.20000000000000007 0.40000000000000013 8.100000000000003
         1947.6746479221154 6.629274239438769 2.613135583152254 9.688822743663676
         13820.21213412068 39.2403525513068 9.506746342384185 12.774270038370645",
        );
        for mean in [0.9, f64::INFINITY, f64::NAN] {
            let told = curve(candidates(), mean).map(drop).expect_err("refused");
            assert!(told.to_string().contains("mean number of runs"), "{told}");
        }
        assert!(curve(Vec::new(), 2.0).is_err());
    }

    /// The curve of the worst candidate, twice the bracket at any order, and ln m/β.
    #[test]
    fn a_choice_costs_what_its_terms_add_up_to() {
        let rho = 0.1;
        let one: Vec<BoxedCurve> = vec![Box::new(move |beta: f64| rho * (1.0 + beta))];
        let mean = 20.0f64;
        let mut curve = curve(one, mean).expect("in range");
        // (βρ(1 + β) + ln m)/(1 + β) at its least, on a fine grid.
        let bracket = (1..40_000).map(|k| {
            let beta = 1e-3 * f64::from(k);
            (beta * rho * (1.0 + beta) + mean.ln()) / (1.0 + beta)
        });
        let least = bracket.fold(f64::INFINITY, f64::min);
        for beta in [0.1, 1.0, 9.0] {
            let truth = rho * (1.0 + beta) + 2.0 * least + mean.ln() / beta;
            let found = curve(beta);
            assert!(
                (found / truth - 1.0).abs() < 1e-5,
                "{beta}: {found}, {truth}"
            );
        }
    }
}
