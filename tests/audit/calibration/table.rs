//! The methods compared in `src/audit/calibration.md`: each refutes the claim ε = 1 or does not.

use super::{Look, audit, laplace};
use dp_assay::accounting::gaussian::calibrate_sigma;
use dp_assay::audit::interval::epsilon_lower;
use dp_assay::audit::likelihood::{LikelihoodRatio, LossSample};
use dp_assay::audit::one_run::{Guesses, p_value, refutes_trade_off};
use dp_assay::audit::{Audit, DrawError, Guarantee, Mechanism, Output, Verdict, from_fn};
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::units::{Delta, Epsilon, Neighbouring, Sensitivity};
use rayon::prelude::*;

/// Error probability of every audit of the table.
pub const ALPHA: f64 = 1e-3;
/// Pairs of outputs of one audit.
pub const PAIRS: u64 = 10_000;
/// Canaries of a one-run audit, all guessed.
const CANARIES: u64 = 1000;

/// A way to refute the claim ε = 1.
#[derive(Clone, Copy, Debug)]
pub enum Method {
    Event(Look),
    Bound,
    Gaussian,
    OneRun,
    OneRunTradeOff,
    LikelihoodRatio,
}

impl Method {
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Event(Look::Known) => "e-process, known event; 10,000 pairs",
            Self::Event(Look::Learned) => "e-process, learned event; 10,000 pairs",
            Self::Bound => "Clopper–Pearson, known event; 10,000 pairs",
            Self::Gaussian => "Gaussian shape at δ = 1e-5, learned event; 10,000 pairs",
            Self::OneRun => "one run, 1,000 canaries",
            Self::OneRunTradeOff => "one run, trade-off function, 1,000 canaries",
            Self::LikelihoodRatio => "likelihood ratio at ε = 1/2; 10,000 runs each way",
        }
    }

    /// Whether the method refutes the claim on a mechanism whose ε is `truth`.
    fn accuses(self, truth: f64, seed: u64) -> bool {
        match self {
            Self::Event(look) => {
                audit(truth, look, ALPHA, PAIRS, seed).verdict == Verdict::Violation
            }
            Self::Bound => bound(truth, seed),
            Self::Gaussian => gaussian(truth, seed),
            Self::OneRun => p_value(guesses(truth, seed), claim(0.0)) < ALPHA,
            Self::OneRunTradeOff => {
                let pure = |x: f64| x * (-1.0_f64).exp();
                refutes_trade_off(guesses(truth, seed), ALPHA, pure)
            }
            Self::LikelihoodRatio => likelihood_ratio(truth, seed),
        }
    }

    /// How many of `runs` audits of a mechanism whose ε is `truth` refute the claim.
    pub fn count(self, truth: f64, runs: u64) -> usize {
        let seeds = (0..runs).into_par_iter();
        seeds.filter(|seed| self.accuses(truth, *seed)).count()
    }
}

fn claim(delta: f64) -> Guarantee {
    Guarantee::new(1.0, delta).expect("in the domain")
}

fn bound(truth: f64, seed: u64) -> bool {
    let mechanism = laplace(truth);
    let hits = |input: f64, side: u64| {
        let tape = Tape::new(seed);
        let above = |trial: &u64| match mechanism.draw(&input, tape.trial(side << 55 | trial)) {
            Ok(Output::Real(x)) => x > 1.0,
            other => panic!("{other:?}"),
        };
        (0..PAIRS).filter(above).count() as u64
    };
    epsilon_lower(hits(1.0, 0), hits(0.0, 1), PAIRS, 0.0, ALPHA) > 1.0
}

/// The Gaussian mechanism with the least noise that is (truth, 1e-5)-private.
fn gaussian(truth: f64, seed: u64) -> bool {
    const DELTA: f64 = 1e-5;
    let one = Sensitivity::new(1.0).expect("positive");
    let (epsilon, delta) = (Epsilon::new(truth), Delta::new(DELTA));
    let sigma = calibrate_sigma(one, epsilon.expect("an ε"), delta.expect("a δ"));
    let sigma = sigma.expect("calibrated").hi;
    let mechanism = from_fn("gaussian", move |x: &f64, tape: Tape| {
        x + sigma * tape.uniform(0, Purpose::Release, 0).gaussian()
    });
    let audit = Audit::of(mechanism).claim(1.0, DELTA).gaussian();
    let audit = audit.neighbours(Neighbouring::ReplaceOne, 1.0, 0.0);
    let report = audit.alpha(ALPHA).trials(PAIRS).seed(seed).run();
    report.expect("a complete description").verdict == Verdict::Violation
}

/// Guesses that are right as often as ε allows, independently.
fn guesses(truth: f64, seed: u64) -> Guesses {
    let right = 1.0 / (1.0 + (-truth).exp());
    let mut coins = Tape::new(17).trial(seed).stream(0, Purpose::User, 0);
    let below = (right * 2_f64.powi(64)) as u64;
    let right = (0..CANARIES).filter(|_| coins.uniform().0 < below).count();
    Guesses::new(CANARIES, CANARIES, right as u64).expect("ordered")
}

/// A query that moves by 1 with Laplace noise.
struct Laplace {
    epsilon: f64,
}

impl LikelihoodRatio for Laplace {
    fn name(&self) -> String {
        "laplace".into()
    }

    fn draw(&self, on_first: bool, tape: Tape) -> Result<f64, DrawError> {
        let noise = tape.uniform(0, Purpose::Release, 0).laplace() / self.epsilon;
        let y = noise + f64::from(!on_first);
        Ok(self.epsilon * ((y - 1.0).abs() - y.abs()))
    }
}

fn likelihood_ratio(truth: f64, seed: u64) -> bool {
    let losses = LossSample::draw(&Laplace { epsilon: truth }, PAIRS, seed).expect("it runs");
    let half = Epsilon::new(0.5).expect("an ε");
    // δ(1/2) of the Laplace mechanism of ε = 1.
    losses.delta(half, ALPHA).delta_lower > -(-0.25_f64).exp_m1()
}
