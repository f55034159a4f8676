//! Random problems and configurations for the coupling tests.
//!
//! A [`Recipe`] is a handful of small numbers that proptest can shrink; the entries follow from its
//! seed by Pcg64.

use dp_assay::problem::loss::{Huber, Logistic, Squared};
use dp_assay::problem::{Constants, Dataset, Dense, Design, Problem, Regulariser, Sparse};
use dp_assay::solver::gcd::{Config, LaplaceScales, Orientation, Rule, SelectionNoise};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// 40 records, 8 features with entries in (−1, 1), logistic.
pub fn logistic(seed: u64, psi: Regulariser) -> Problem {
    let mut random = Pcg64::seed_from_u64(seed);
    let values = (0..40 * 8)
        .map(|_| random.random_range(-1.0..1.0))
        .collect();
    let targets = (0..40).map(|_| if random.random() { 1.0 } else { -1.0 });
    let design = Dense::from_columns(40, 8, values).expect("finite");
    let data = Dataset::new("logistic", design, targets.collect()).expect("40 targets");
    Problem::new(data, Logistic, psi).expect("±1")
}

/// What to build.
#[derive(Clone, Debug)]
pub struct Recipe {
    pub seed: u64,
    pub records: usize,
    pub features: usize,
    pub iterations: usize,
    pub entries: Entries,
    pub loss: Choice,
    pub ridge: bool,
    pub psi: Regulariser,
    pub rule: Rule,
    pub selection: SelectionNoise,
    /// Clipping level relative to the typical gradient; `None` for no clipping.
    pub clipping: Option<f64>,
    /// Noise scale relative to the typical gradient, 0 included.
    pub noise: f64,
    /// γ_j M_j.
    pub step: f64,
    pub heterogeneous: bool,
    pub warm: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Entries {
    /// Normal-like columns, dense.
    Dense,
    /// As `Dense`, with column scales from 10⁻² to 10² and columns of zeros.
    Scaled,
    /// As `Dense`, every second column a copy of the one before, exact or up to a relative 10⁻¹⁵.
    NearTies,
    /// A tenth of the entries non-zero, stored sparse, with empty columns.
    Sparse,
    /// ±1 and 0 with ten per cent density, stored sparse: many equal values.
    Signs,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    Logistic,
    Squared,
    Huber,
}

fn regularisers() -> impl Strategy<Value = Regulariser> {
    prop_oneof![
        3 => Just(Regulariser::None),
        1 => (0.001..0.3f64).prop_map(Regulariser::L1),
        1 => (0.001..0.3f64).prop_map(Regulariser::L2),
        1 => (0.05..1.0f64).prop_map(|upper| Regulariser::Box { lower: -0.7 * upper, upper }),
    ]
}

fn rules() -> impl Strategy<Value = (Rule, SelectionNoise)> {
    let rule = prop_oneof![
        3 => Just(Rule::GsS),
        1 => Just(Rule::GsR),
        1 => Just(Rule::GsQ(Orientation::LargestDecrease)),
        1 => Just(Rule::GsQ(Orientation::Printed)),
    ];
    let noise = prop_oneof![
        3 => Just(SelectionNoise::Inside),
        1 => Just(SelectionNoise::OnScore),
        1 => Just(SelectionNoise::Absent),
    ];
    (rule, noise)
}

/// Recipes with the number of features from `features`.
pub fn recipes(features: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Recipe> {
    let records = prop_oneof![1 => Just(1), 6 => 2..50usize];
    let iterations = prop_oneof![2 => 1..40usize, 1 => 100..140usize];
    let entries = prop_oneof![
        Just(Entries::Dense),
        Just(Entries::Scaled),
        Just(Entries::NearTies),
        Just(Entries::Sparse),
        Just(Entries::Signs),
    ];
    let loss = prop_oneof![
        2 => Just(Choice::Logistic),
        1 => Just(Choice::Squared),
        1 => Just(Choice::Huber),
    ];
    let clipping = prop_oneof![2 => Just(None), 1 => (0.1..3.0f64).prop_map(Some)];
    let noise = prop_oneof![1 => Just(0.0), 2 => 0.001..0.1f64, 2 => 0.1..3.0f64];
    (
        (any::<u64>(), records, features, iterations),
        (entries, loss, regularisers(), rules()),
        (clipping, noise, 0.3..1.6f64),
        (any::<bool>(), any::<bool>(), any::<bool>()),
    )
        .prop_map(|(size, kind, scale, switches)| Recipe {
            seed: size.0,
            records: size.1,
            features: size.2,
            iterations: size.3,
            entries: kind.0,
            loss: kind.1,
            psi: kind.2,
            rule: kind.3.0,
            selection: kind.3.1,
            clipping: scale.0,
            noise: scale.1,
            step: scale.2,
            ridge: switches.0,
            heterogeneous: switches.1,
            warm: switches.2,
        })
}

impl Recipe {
    /// The problem and configuration.
    pub fn build(&self) -> (Problem, Config) {
        let mut random = Pcg64::seed_from_u64(self.seed);
        let problem = self.problem(&mut random);
        let config = self.config(&problem, &mut random);
        (problem, config)
    }

    fn problem(&self, random: &mut Pcg64) -> Problem {
        let targets = (0..self.records).map(|_| match self.loss {
            Choice::Logistic => {
                if random.random() {
                    1.0
                } else {
                    -1.0
                }
            }
            Choice::Squared | Choice::Huber => 2.0 * noise(random),
        });
        let targets = targets.collect();
        let data = Dataset::new("random", self.design(random), targets).expect("finite");
        let problem = match self.loss {
            Choice::Logistic => Problem::new(data, Logistic, self.psi),
            Choice::Squared => Problem::new(data, Squared, self.psi),
            // An odd knee, so that no residual meets it by construction.
            Choice::Huber => Problem::new(data, Huber::new(0.537_219).expect("positive"), self.psi),
        };
        let ridge = if self.ridge { 0.05 } else { 0.0 };
        let problem = problem.expect("sound").with_ridge(ridge).expect("sound");
        if !self.heterogeneous {
            return problem;
        }
        let smoothness = problem.constants().smoothness().iter();
        let smoothness = smoothness
            .map(|m| m * random.random_range(0.9..8.0))
            .collect();
        let lipschitz = (0..self.features)
            .map(|_| random.random_range(0.1..5.0))
            .collect();
        let constants = Constants::new(lipschitz, smoothness).expect("positive");
        problem
            .with_constants(constants)
            .expect("one per coordinate")
    }

    fn design(&self, random: &mut Pcg64) -> Design {
        let (n, p) = (self.records, self.features);
        let mut values: Vec<f64> = (0..n * p).map(|_| noise(random)).collect();
        match self.entries {
            Entries::Dense => {}
            Entries::Scaled => {
                for column in values.chunks_exact_mut(n) {
                    let zero = random.random_bool(0.1);
                    let scale = if zero {
                        0.0
                    } else {
                        10f64.powf(random.random_range(-2.0..2.0))
                    };
                    column.iter_mut().for_each(|x| *x *= scale);
                }
            }
            Entries::NearTies => {
                for pair in values.chunks_exact_mut(2 * n) {
                    let (first, second) = pair.split_at_mut(n);
                    let factor = 1.0 + 1e-15 * f64::from(random.random_range(-1..=1));
                    for (copy, x) in second.iter_mut().zip(first) {
                        *copy = factor * *x;
                    }
                }
            }
            Entries::Sparse | Entries::Signs => {
                for x in &mut values {
                    let value = if self.entries == Entries::Signs {
                        x.signum()
                    } else {
                        *x
                    };
                    *x = if random.random_bool(0.1) { value } else { 0.0 };
                }
                let entries = values.iter().enumerate().map(|(k, &x)| (k % n, k / n, x));
                let entries: Vec<_> = entries.collect();
                return Sparse::from_entries(n, p, &entries).expect("sound").into();
            }
        }
        Dense::from_columns(n, p, values).expect("sound").into()
    }

    fn config(&self, problem: &Problem, random: &mut Pcg64) -> Config {
        let p = self.features;
        let smoothness = problem.constants().smoothness();
        // √M_j is the size of a partial derivative when margins are of order one.
        let jitter = |random: &mut Pcg64| {
            if self.heterogeneous {
                random.random_range(0.2..5.0)
            } else {
                1.0
            }
        };
        let mut scales = || {
            let scale = |m: &f64| self.noise * m.sqrt() * jitter(random);
            smoothness.iter().map(scale).collect::<Vec<_>>()
        };
        let noise_scales = LaplaceScales::new(scales(), scales()).expect("non-negative");
        let mut config = Config::new(problem, self.iterations, noise_scales);
        config.steps.iter_mut().for_each(|step| *step *= self.step);
        config.rule = self.rule;
        config.selection = self.selection;
        config.clipping = self.clipping.map(|level| {
            let level = level * smoothness.iter().sum::<f64>().sqrt();
            problem
                .constants()
                .clipping_thresholds(level)
                .expect("positive")
        });
        if self.warm {
            let start = (0..p).map(|_| self.psi.prox(1.0, 0.3 * noise(random)));
            config.start = start.collect();
        }
        config
    }
}

/// A variate with mean 0 and variance 1: the sum of twelve uniforms less 6.
fn noise(random: &mut Pcg64) -> f64 {
    (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0
}
