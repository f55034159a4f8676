//! Mechanisms of a few lines: a query with noise, and the specimens of the [zoo](crate::audit::zoo).

use super::{BuiltinError, Family, Given, Named, parameter};
use crate::audit::Output;
use crate::audit::zoo::{Specimen, specimens};
use crate::mechanism::tape::{Purpose, Tape};
use crate::units::{Scale, StdDev};

pub(super) const LAPLACE: Family = Family {
    mechanisms: &[Named(
        "laplace",
        "a query of sensitivity 1 with Laplace noise",
        &["acc-laplace"],
    )],
    parameters: &[parameter("scale", 1.0, "scale b of the noise")],
    build: laplace,
};

pub(super) const GAUSSIAN: Family = Family {
    mechanisms: &[Named(
        "gaussian",
        "a query of sensitivity 1 with Gaussian noise",
        &["acc-gaussian"],
    )],
    parameters: &[parameter("sigma", 1.0, "standard deviation of the noise")],
    build: gaussian,
};

/// Each specimen of the zoo has a row; a test compares the names.
pub(super) const ZOO: Family = Family {
    mechanisms: &[
        Named(
            "laplace-mechanism",
            "one answer with Laplace noise",
            &["acc-laplace"],
        ),
        Named(
            "laplace-half-noise",
            "one answer with Laplace noise",
            &["acc-laplace"],
        ),
        Named(
            "noisy-histogram-1",
            "a histogram of five cells with Laplace noise",
            &["acc-laplace"],
        ),
        Named(
            "noisy-histogram-2",
            "a histogram of five cells with Laplace noise",
            &["acc-laplace"],
        ),
        Named(
            "laplace-parallel",
            "twenty answers, each with Laplace noise for all of them",
            &["acc-laplace"],
        ),
        Named(
            "prefix-sum",
            "running sums with Laplace noise",
            &["acc-laplace"],
        ),
        Named(
            "same-noise-twice",
            "several answers with Laplace noise",
            &[],
        ),
        Named(
            "laplace-textbook-bits",
            "Laplace noise in doubles, released bit by bit",
            &[],
        ),
        Named(
            "laplace-snapped-bits",
            "Laplace noise in doubles, rounded to a coarse grid and bounded",
            &["acc-laplace"],
        ),
        Named(
            "noisy-argmax-laplace",
            "the index of the largest answer after Laplace noise",
            &["acc-noisy-max"],
        ),
        Named(
            "noisy-argmax-exponential",
            "the index of the largest answer after exponential noise",
            &["acc-noisy-max"],
        ),
        Named(
            "noisy-max-laplace",
            "the value of the largest answer after Laplace noise",
            &["acc-laplace"],
        ),
        Named(
            "noisy-max-exponential",
            "the value of the largest answer after exponential noise",
            &[],
        ),
        Named(
            "svt-1",
            "sparse vector technique, Algorithm 1 of Lyu, Su and Li",
            &["acc-sparse-vector"],
        ),
        Named(
            "svt-2",
            "sparse vector technique, Algorithm 2 of Lyu, Su and Li (Dwork and Roth's)",
            &["acc-sparse-vector"],
        ),
        Named(
            "numeric-svt",
            "sparse vector technique that also releases the answer with fresh noise",
            &["acc-sparse-vector"],
        ),
        Named(
            "gap-svt",
            "sparse vector technique that also releases the distance from the threshold",
            &["acc-sparse-vector"],
        ),
        Named(
            "svt-3",
            "sparse vector technique, Algorithm 3 of Lyu, Su and Li",
            &[],
        ),
        Named(
            "svt-4",
            "sparse vector technique, Algorithm 4 of Lyu, Su and Li",
            &["acc-sparse-vector"],
        ),
        Named(
            "svt-5",
            "sparse vector technique, Algorithm 5 of Lyu, Su and Li",
            &[],
        ),
        Named(
            "svt-6",
            "sparse vector technique, Algorithm 6 of Lyu, Su and Li",
            &[],
        ),
        Named(
            "svt-3-and-4",
            "sparse vector technique, Algorithms 3 and 4 of Lyu, Su and Li together",
            &[],
        ),
        Named(
            "truncated-geometric",
            "a count with geometric noise, cut to its range (Balcer and Vadhan)",
            &["acc-log-concave"],
        ),
        Named(
            "partial-sum",
            "the sum of a few answers with Laplace noise",
            &["acc-laplace"],
        ),
        Named(
            "partial-sum-bad",
            "the sum of a few answers with Laplace noise",
            &["acc-laplace"],
        ),
        Named(
            "smart-sum",
            "running sums by blocks with Laplace noise (Chan, Shi and Song)",
            &["acc-laplace"],
        ),
        Named(
            "smart-sum-bad",
            "running sums by blocks with Laplace noise (Chan, Shi and Song)",
            &[],
        ),
        Named(
            "rappor",
            "RAPPOR: a noisy Bloom filter, answered with fresh noise once",
            &["acc-response", "acc-basic"],
        ),
        Named(
            "one-time-rappor",
            "RAPPOR's permanent response alone",
            &["acc-response", "acc-basic"],
        ),
    ],
    parameters: &[],
    build: specimen,
};

/// A query of sensitivity 1, answered 0 on one input and 1 on the other.
fn query() -> Vec<(Vec<f64>, Vec<f64>)> {
    vec![(vec![0.0], vec![1.0])]
}

fn laplace(given: &Given<'_>) -> Result<Specimen, BuiltinError> {
    let scale = Scale::new(given.get("scale"))?.get();
    let run = move |x: &[f64], tape: Tape| {
        Output::Real(x[0] + scale * tape.uniform(0, Purpose::Release, 0).laplace())
    };
    Ok(Specimen::correct(given.name, 1.0 / scale, query(), run))
}

fn gaussian(given: &Given<'_>) -> Result<Specimen, BuiltinError> {
    let sigma = StdDev::new(given.get("sigma"))?.get();
    let run = move |x: &[f64], tape: Tape| {
        Output::Real(x[0] + sigma * tape.uniform(0, Purpose::Release, 0).gaussian())
    };
    // Its ε depends on δ and has no bound at δ = 0.
    Ok(Specimen::correct(given.name, f64::INFINITY, query(), run).of_gaussian_shape())
}

fn specimen(given: &Given<'_>) -> Result<Specimen, BuiltinError> {
    let found = specimens().into_iter().find(|s| s.name == given.name);
    found.ok_or_else(|| BuiltinError::Name {
        name: given.name.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_specimen_of_the_zoo_has_a_row_and_every_row_a_specimen() {
        let listed: Vec<&str> = ZOO.mechanisms.iter().map(|named| named.0).collect();
        let built: Vec<&str> = specimens().iter().map(|s| s.name).collect();
        assert_eq!(listed, built);
    }
}
