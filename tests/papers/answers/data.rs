//! Small data sets from a few numbers.

use super::Asked;
use dp_assay::problem::loss::{Huber, Linear, Logistic, Loss, Squared};
use dp_assay::problem::rows::Matrix;
use dp_assay::problem::{Constants, Dataset, Dense, Problem, Regulariser, Sparse};
use dp_assay::units::{Delta, Epsilon};

/// A multiple of 2⁻¹² in [−1, 1).
pub fn hashed(seed: u64, k: u64) -> f64 {
    let word = (seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ k).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 31)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (word >> 51) as f64 / 4096.0 - 1.0
}

/// n records of p features, |x| up to `spread`; `targets` are numbers, two classes or three.
pub fn dataset(asked: &Asked) -> Dataset {
    let (n, p) = (asked.count("n"), asked.count("p"));
    let (seed, spread) = (
        asked.count_or("seed", 1) as u64,
        asked.number_or("spread", 1.0),
    );
    let sparse = asked.flag("sparse");
    let entry = |i: usize, j: usize| {
        let k = (i * p + j) as u64;
        match sparse && hashed(seed + 1, k) < 0.3 {
            true => 0.0,
            false => spread * hashed(seed, k),
        }
    };
    let score = |i: usize| {
        let terms = (0..p).map(|j| entry(i, j) * (1.0 - 0.6 * j as f64));
        terms.sum::<f64>() + 0.3 * hashed(seed + 2, i as u64) + 0.1
    };
    let target = |i: usize| match (asked.word("targets"), score(i)) {
        ("classes", score) => {
            if score > 0.0 {
                1.0
            } else {
                -1.0
            }
        }
        ("three", score) => f64::from(u8::from(score > -0.3) + u8::from(score > 0.3)),
        (_, score) => score,
    };
    let targets: Vec<f64> = (0..n).map(target).collect();
    let rows: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..p).map(|j| entry(i, j)).collect())
        .collect();
    let data = match sparse {
        true => {
            let entries = (0..n).flat_map(|i| (0..p).map(move |j| (i, j)));
            let entries: Vec<_> = entries.map(|(i, j)| (i, j, rows[i][j])).collect();
            let design = Sparse::from_entries(n, p, &entries).expect("finite");
            Dataset::new("asked", design, targets)
        }
        false => Dataset::new("asked", Dense::from_rows(&rows).expect("finite"), targets),
    };
    let data = data.expect("as many");
    match asked.word("targets") {
        "three" => data.with_classes(["low", "middle", "high"].map(String::from)),
        _ => data,
    }
}

pub fn matrix(asked: &Asked) -> Matrix {
    Matrix::of(&dataset(asked))
}

pub fn budget(asked: &Asked) -> (Epsilon, Delta) {
    let epsilon = Epsilon::new(asked.number_or("epsilon", 1.0)).expect("≥ 0");
    (
        epsilon,
        Delta::new(asked.number_or("delta", 1e-6)).expect("≤ 1"),
    )
}

/// `none`, or a weight or a box by the regulariser's name.
pub fn psi(asked: &Asked) -> Regulariser {
    match (
        asked.get("l1"),
        asked.get("l2"),
        asked.list("box")[..].as_ref(),
    ) {
        (Some(_), ..) => Regulariser::L1(asked.number("l1")),
        (_, Some(_), _) => Regulariser::L2(asked.number("l2")),
        (_, _, [lower, upper]) => Regulariser::Box {
            lower: *lower,
            upper: *upper,
        },
        _ => Regulariser::None,
    }
}

pub fn named(name: &str, knee: f64) -> Box<dyn Loss> {
    match name {
        "logistic" => Box::new(Logistic),
        "squared" => Box::new(Squared),
        "linear" => Box::new(Linear),
        _ => Box::new(Huber::new(knee).expect("positive")),
    }
}

/// The problem of a data set, a loss, a ridge and a regulariser, with constants of its own where they are given.
pub fn problem(asked: &Asked) -> Result<Problem, dp_assay::problem::ProblemError> {
    let (data, psi) = (dataset(asked), psi(asked));
    let problem = match asked.word("loss") {
        "logistic" => Problem::new(data, Logistic, psi),
        "squared" => Problem::new(data, Squared, psi),
        "linear" => Problem::new(data, Linear, psi),
        _ => Problem::new(data, Huber::new(0.75).expect("positive"), psi),
    };
    let problem = problem?.with_ridge(asked.number_or("ridge", 0.0))?;
    match asked.get("smoothness") {
        None => Ok(problem),
        Some(_) => {
            let lipschitz = asked.list("lipschitz");
            problem.with_constants(Constants::new(lipschitz, asked.list("smoothness"))?)
        }
    }
}
