//! DP-SGD: noisy gradients of random batches, each record's gradient clipped to a ball (M. Abadi et al.,
//! Deep learning with differential privacy, CCS 2016, Algorithm 1).

use super::RunError;
use crate::accounting::calibrate::{self, Calibration, Target, Trend};
use crate::accounting::{AccountError, Event};
use crate::mechanism::clipping::clip;
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::{Design, Problem};
use crate::solver::config::{ConfigError, FINITE, Must, NONNEGATIVE, POSITIVE, vector};

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
///
/// ```no_run
/// use dp_assay::accounting::calibrate::Target;
/// use dp_assay::prelude::*;
/// use dp_assay::solver::baseline::dp_sgd::Batch;
///
/// let batch = Batch::Poisson { rate: 0.01 };
/// assert_eq!(batch.expected(1000), 10.0); // records
/// let target = Target {
///     epsilon: Epsilon::new(1.0)?,
///     delta: Delta::new(1e-6)?,
///     method: Accountant::Auto,
///     neighbours: Neighbouring::AddRemove,
/// };
/// let found = batch.calibrate(1000, 100, &target)?;
/// assert!(found.value > 0.1); // noise multiplier
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
                replacement: false,
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
        vector(
            "start of coordinate",
            &self.start,
            problem.features(),
            FINITE,
        )?;
        check_pair(self.step, self.radius)?;
        vector("noise multiplier", &[self.multiplier], 1, NONNEGATIVE)?;
        match self.batch {
            Batch::Poisson { rate } => {
                let must: Must = ("in (0, 1]", |q| q > 0.0 && q <= 1.0);
                vector("sampling rate", &[rate], 1, must)
            }
            Batch::FixedSize { size } if (1..=problem.records()).contains(&size) => Ok(()),
            Batch::FixedSize { size } => Err(ConfigError::Batch {
                size,
                records: problem.records(),
            }),
        }
    }
}

fn check_pair(step: f64, radius: f64) -> Result<(), ConfigError> {
    vector("step size", &[step], 1, POSITIVE)?;
    vector("clipping radius", &[radius], 1, POSITIVE)
}

/// Runs DP-SGD; the last iterate. Step t reads the words (t, `Sampling`, 0 …) for the batch and (t,
/// `Release`, j) for the noise on coordinate j.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::four_points;
/// use dp_assay::solver::baseline::dp_sgd::{Batch, Config, run, run_watched};
///
/// let problem = four_points();
/// let config = Config {
///     start: vec![0.0; 2], step: 0.5, iterations: 5, batch: Batch::FixedSize { size: 2 },
///     radius: 1.0, multiplier: 0.5,
/// };
/// let mut steps = 0;
/// let watched = run_watched(&problem, &config, Tape::new(1), &mut |taken| steps = taken)?;
/// assert_eq!(watched, run(&problem, &config, Tape::new(1))?);
/// assert_eq!(steps, 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the configuration does not fit the problem, or a number leaves the range of doubles.
pub fn run(problem: &Problem, config: &Config, tape: Tape) -> Result<Vec<f64>, RunError> {
    run_watched(problem, config, tape, &mut |_| ())
}

/// As [`run`]; `watch` is told after every step how many were taken.
///
/// # Errors
/// As [`run`].
pub fn run_watched(
    problem: &Problem,
    config: &Config,
    tape: Tape,
    watch: &mut dyn FnMut(u64),
) -> Result<Vec<f64>, RunError> {
    let own = [(config.step, config.radius)];
    let mut ends = side_by_side::<1>(problem, config, &own, tape, watch)?;
    ends.pop().expect("as many ends as pairs")
}

/// Runs that differ in step size and radius only, `(γ, C)` each in place of the configuration's own, on one
/// tape: every one ends as [`run`] has it, bit for bit. Batches and noise are drawn once for all of them, which
/// is most of a run's work.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::four_points;
/// use dp_assay::solver::baseline::dp_sgd::{Batch, Config, run, run_pairs};
///
/// let problem = four_points();
/// let config = Config {
///     start: vec![0.0; 2], step: 0.5, iterations: 5, batch: Batch::FixedSize { size: 2 },
///     radius: 1.0, multiplier: 0.5,
/// };
/// let ends = run_pairs(&problem, &config, &[(0.5, 1.0), (0.1, 2.0)], Tape::new(1))?;
/// // The first pair is the configuration's own.
/// assert_eq!(ends[0].as_ref().ok(), Some(&run(&problem, &config, Tape::new(1))?));
/// assert_eq!(ends.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a configuration does not fit the problem. A run whose numbers leave the range of doubles has its own error.
pub fn run_pairs(
    problem: &Problem,
    config: &Config,
    pairs: &[(f64, f64)],
    tape: Tape,
) -> Result<Vec<Result<Vec<f64>, RunError>>, ConfigError> {
    // Eight doubles fill vector registers and still leave some free.
    side_by_side::<8>(problem, config, pairs, tape, &mut |_| ())
}

fn side_by_side<const M: usize>(
    problem: &Problem,
    config: &Config,
    pairs: &[(f64, f64)],
    tape: Tape,
    watch: &mut dyn FnMut(u64),
) -> Result<Vec<Result<Vec<f64>, RunError>>, ConfigError> {
    config.check(problem)?;
    for &(step, radius) in pairs {
        check_pair(step, radius)?;
    }
    let rows = Rows::of(problem.data().design());
    let n = problem.records();
    let mut lanes: Vec<Lanes<M>> = pairs.chunks(M).map(|p| Lanes::new(config, p)).collect();
    let (mut batch, mut noise) = (Vec::new(), vec![0.0; problem.features()]);
    for step in 0..config.iterations {
        //= gcd-alg-dpsgd
        draw(config.batch, n, tape, step as u64, &mut batch);
        tape.stream(step as u64, Purpose::Release, 0)
            .gaussians(&mut noise);
        for lanes in lanes.iter_mut().filter(|lanes| lanes.run_on()) {
            lanes.sums.fill([0.0; M]);
            for &i in &batch {
                rows.add_clipped_gradients(problem, i, lanes);
            }
            lanes.advance(problem, config, step, &noise);
        }
        watch(step as u64 + 1);
    }
    Ok(lanes.into_iter().flat_map(Lanes::ends).collect())
}

/// Up to M runs; the entries of one coordinate stand side by side.
struct Lanes<const M: usize> {
    /// Runs asked for; the others repeat the last of them.
    count: usize,
    steps: [f64; M],
    radii: [f64; M],
    w: Vec<[f64; M]>,
    /// Sums of clipped gradients.
    sums: Vec<[f64; M]>,
    /// Step and coordinate at which a run left the doubles.
    diverged: [Option<(usize, usize)>; M],
}

impl<const M: usize> Lanes<M> {
    /// At the start, for one to M pairs.
    fn new(config: &Config, pairs: &[(f64, f64)]) -> Self {
        let pair = |lane: usize| pairs[lane.min(pairs.len() - 1)];
        Self {
            count: pairs.len(),
            steps: std::array::from_fn(|lane| pair(lane).0),
            radii: std::array::from_fn(|lane| pair(lane).1),
            w: config.start.iter().map(|&w| [w; M]).collect(),
            sums: vec![[0.0; M]; config.start.len()],
            diverged: [None; M],
        }
    }

    fn run_on(&self) -> bool {
        self.diverged.iter().any(Option::is_none)
    }

    fn advance(&mut self, problem: &Problem, config: &Config, step: usize, noise: &[f64]) {
        let expected = config.batch.expected(problem.records());
        let deviations = self.radii.map(|radius| config.multiplier * radius);
        let (psi, ridge, steps) = (problem.regulariser(), problem.ridge(), self.steps);
        let mut finite = [true; M];
        for ((w, sum), z) in self.w.iter_mut().zip(&self.sums).zip(noise) {
            for lane in 0..M {
                let value = (sum[lane] + deviations[lane] * z) / expected + ridge * w[lane];
                w[lane] = psi.prox(steps[lane], w[lane] - steps[lane] * value);
                finite[lane] &= w[lane].is_finite();
            }
        }
        for lane in (0..M).filter(|&lane| !finite[lane]) {
            let first = self.w.iter().position(|w| !w[lane].is_finite());
            self.diverged[lane] = self.diverged[lane].or(first.map(|j| (step, j)));
        }
    }

    fn ends(self) -> impl Iterator<Item = Result<Vec<f64>, RunError>> {
        (0..self.count).map(move |lane| match self.diverged[lane] {
            Some((step, coordinate)) => Err(RunError::Diverged { step, coordinate }),
            None => Ok(self.w.iter().map(|w| w[lane]).collect()),
        })
    }
}

fn draw(batch: Batch, records: usize, tape: Tape, step: u64, set: &mut Vec<usize>) {
    let mut words = tape.stream(step, Purpose::Sampling, 0);
    match batch {
        Batch::FixedSize { size } => words.subset(records, size, set),
        Batch::Poisson { rate } => {
            set.clear();
            let mut fractions = [0.0; 256];
            for first in (0..records).step_by(fractions.len()) {
                let fractions = &mut fractions[..(records - first).min(256)];
                words.fractions(fractions);
                let drawn = (first..).zip(&*fractions).filter(|(_, u)| **u <= rate);
                set.extend(drawn.map(|(i, _)| i));
            }
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

    /// Adds ∇ℓ_i(w), scaled into the ball, to the sums of every run.
    fn add_clipped_gradients<const M: usize>(
        &self,
        problem: &Problem,
        i: usize,
        lanes: &mut Lanes<M>,
    ) {
        match self {
            Self::Dense { columns, values } => {
                let row = &values[i * columns..][..*columns];
                add_clipped(problem, i, || row.iter().copied().enumerate(), lanes);
            }
            Self::Sparse(design) => add_clipped(problem, i, || design.row(i), lanes),
        }
    }
}

fn add_clipped<const M: usize, R: Iterator<Item = (usize, f64)>>(
    problem: &Problem,
    i: usize,
    row: impl Fn() -> R,
    lanes: &mut Lanes<M>,
) {
    let (mut margins, mut squares) = ([0.0; M], 0.0);
    for (j, x) in row() {
        let w = &lanes.w[j];
        for lane in 0..M {
            margins[lane] += x * w[lane];
        }
        squares += x * x;
    }
    let (target, norm) = (problem.data().targets()[i], squares.sqrt());
    // A gradient is its slope times x_i, so clipping it is clipping the slope.
    let slopes: [f64; M] = std::array::from_fn(|lane| {
        let slope = problem.loss().derivative(margins[lane], target);
        clip(slope, lanes.radii[lane] / norm)
    });
    for (j, x) in row() {
        let sum = &mut lanes.sums[j];
        for lane in 0..M {
            sum[lane] += slopes[lane] * x;
        }
    }
}
