//! DP-SGD: noisy gradients of random batches, each record's gradient clipped to a ball (M. Abadi et al.,
//! Deep learning with differential privacy, CCS 2016, Algorithm 1).

use super::{ConfigError, RunError};
use crate::accounting::calibrate::{self, Calibration, Target, Trend};
use crate::accounting::{AccountError, Event};
use crate::mechanism::clipping::clip;
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::{Design, Problem};
use crate::solver::skgd::config::vector;

/// The inputs of a run. All but the data are taken to be public.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// w⁰, p entries.
    pub start: Vec<f64>,
    /// Step size γ > 0.
    pub step: f64,
    /// Number of steps T ≥ 1.
    pub iterations: usize,
    /// How batches are drawn.
    pub batch: Batch,
    /// C > 0: every record's gradient of the loss is brought into the ball of radius C.
    pub radius: f64,
    /// z ≥ 0: the noise on every entry of a batch's sum has standard deviation zC.
    pub multiplier: f64,
}

/// How a batch is drawn at each step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Batch {
    /// Every record on its own with probability q; sums are divided by the expected number qn.
    Poisson {
        /// q in (0, 1\].
        rate: f64,
    },
    /// m of the n records, all such sets equally likely; sums are divided by m.
    FixedSize {
        /// m in 1 … n.
        size: usize,
    },
}

impl Batch {
    /// What a sum is divided by: fixed in advance, whatever batch was drawn.
    #[must_use]
    pub fn expected(self, records: usize) -> f64 {
        match self {
            Self::Poisson { rate } => rate * records as f64,
            Self::FixedSize { size } => size as f64,
        }
    }

    /// What so many steps are to an accountant. A record's presence moves a sum by C at most; the
    /// accountant derives from this what a change of the relation asked for does.
    #[must_use]
    pub fn event(self, records: usize, multiplier: f64, steps: u64) -> Event {
        let noise = Box::new(Event::Gaussian {
            sigma: multiplier,
            sensitivity: 1.0,
        });
        let sampled = match self {
            Self::Poisson { rate } => Event::PoissonSampled { rate, event: noise },
            Self::FixedSize { size } => Event::FixedSizeSampled {
                size: records as u64,
                batch: size as u64,
                event: noise,
            },
        };
        Event::Repeated {
            times: steps,
            event: Box::new(sampled),
        }
    }

    /// The least noise multiplier that the accountant shows to meet the target.
    ///
    /// # Errors
    /// If none does, or the accountant does not take the batches under the target's relation.
    pub fn calibrate(
        self,
        records: usize,
        steps: u64,
        target: &Target,
    ) -> Result<Calibration, AccountError> {
        let at = |multiplier| self.event(records, multiplier, steps);
        calibrate::parameter("noise multiplier", (1e-3, 1e6), Trend::Falls, target, at)
    }
}

impl Config {
    fn check(&self, problem: &Problem) -> Result<(), ConfigError> {
        let (inner, outer) = (self.iterations, 1);
        if inner == 0 {
            return Err(ConfigError::Length { inner, outer });
        }
        let positive = |x: f64| x.is_finite() && x > 0.0;
        let nonnegative = |x: f64| x.is_finite() && x >= 0.0;
        let p = problem.features();
        vector(
            "start of coordinate",
            &self.start,
            p,
            "finite",
            f64::is_finite,
        )?;
        vector("step size", &[self.step], 1, "finite and > 0", positive)?;
        vector(
            "clipping radius",
            &[self.radius],
            1,
            "finite and > 0",
            positive,
        )?;
        let noise = [self.multiplier];
        vector(
            "noise multiplier",
            &noise,
            1,
            "finite and >= 0",
            nonnegative,
        )?;
        match self.batch {
            Batch::Poisson { rate } => {
                let ok = |q: f64| q > 0.0 && q <= 1.0;
                vector("sampling rate", &[rate], 1, "in (0, 1]", ok)
            }
            Batch::FixedSize { size } if (1..=problem.records()).contains(&size) => Ok(()),
            Batch::FixedSize { size } => Err(ConfigError::Batch {
                size,
                records: problem.records(),
            }),
        }
    }
}

/// Runs DP-SGD; the last iterate. Step t reads the words (t, `Sampling`, 0 …) for the batch and (t,
/// `Release`, j) for the noise on coordinate j.
///
/// # Errors
/// If the configuration does not fit the problem, or a number leaves the range of doubles.
pub fn run(problem: &Problem, config: &Config, tape: Tape) -> Result<Vec<f64>, RunError> {
    config.check(problem)?;
    let rows = Rows::of(problem.data().design());
    let (n, p) = (problem.records(), problem.features());
    let expected = config.batch.expected(n);
    let mut w = config.start.clone();
    let mut batch = Vec::new();
    let mut sums = vec![0.0; p];
    for step in 0..config.iterations {
        //= gcd-alg-dpsgd
        draw(config.batch, n, tape, step as u64, &mut batch);
        sums.fill(0.0);
        for &i in &batch {
            rows.add_clipped_gradient(problem, &w, i, config.radius, &mut sums);
        }
        let mut words = tape.stream(step as u64, Purpose::Release, 0);
        for (j, sum) in sums.iter().enumerate() {
            let noise = config.multiplier * config.radius * words.uniform().gaussian();
            let value = (sum + noise) / expected + problem.ridge() * w[j];
            w[j] = problem
                .regulariser()
                .prox(config.step, w[j] - config.step * value);
            if !w[j].is_finite() {
                let coordinate = j;
                return Err(RunError::Diverged { step, coordinate });
            }
        }
    }
    Ok(w)
}

fn draw(batch: Batch, records: usize, tape: Tape, step: u64, set: &mut Vec<usize>) {
    let mut words = tape.stream(step, Purpose::Sampling, 0);
    match batch {
        Batch::FixedSize { size } => words.subset(records, size, set),
        Batch::Poisson { rate } => {
            set.clear();
            set.extend((0..records).filter(|_| words.uniform().fraction() <= rate));
        }
    }
}

/// The design by record.
enum Rows<'a> {
    Dense { columns: usize, values: Vec<f64> },
    Sparse(&'a Design),
}

impl<'a> Rows<'a> {
    fn of(design: &'a Design) -> Self {
        let Design::Dense(dense) = design else {
            return Self::Sparse(design);
        };
        let columns = design.columns();
        let mut values = vec![0.0; dense.values().len()];
        for (j, column) in dense.values().chunks_exact(design.rows()).enumerate() {
            for (i, x) in column.iter().enumerate() {
                values[i * columns + j] = *x;
            }
        }
        Self::Dense { columns, values }
    }

    /// Adds ∇ℓ_i(w), scaled into the ball, to the sums.
    fn add_clipped_gradient(
        &self,
        problem: &Problem,
        w: &[f64],
        i: usize,
        radius: f64,
        sums: &mut [f64],
    ) {
        let target = problem.data().targets()[i];
        // A gradient is its slope times x_i, so clipping it is clipping the slope.
        let slope = |margin: f64, squares: f64| {
            clip(
                problem.loss().derivative(margin, target),
                radius / squares.sqrt(),
            )
        };
        match self {
            Self::Dense { columns, values } => {
                let row = &values[i * columns..][..*columns];
                let margin = row.iter().zip(w).map(|(x, w)| x * w).sum();
                let slope = slope(margin, row.iter().map(|x| x * x).sum());
                for (sum, x) in sums.iter_mut().zip(row) {
                    *sum += slope * x;
                }
            }
            Self::Sparse(design) => {
                let margin = design.row(i).map(|(j, x)| x * w[j]).sum();
                let slope = slope(margin, design.row(i).map(|(_, x)| x * x).sum());
                design.row(i).for_each(|(j, x)| sums[j] += slope * x);
            }
        }
    }
}
