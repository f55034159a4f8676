//! Algorithm 1 of skgd. The set of a step lies on its step of the tape, the noise of entry j at index j.

use super::interpreter::{Drawn, Interpreter, Outside};
use super::{assert_close, problem, slopes, statement, world};
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::problem::{Problem, Regulariser};
use dp_assay::solver::skgd;

struct Sketched<'a> {
    problem: &'a Problem,
    tape: Tape,
    sampling: &'a skgd::Sampling,
}

impl Outside for Sketched<'_> {
    fn records(&self) -> usize {
        self.problem.records()
    }

    fn gradient(&self, f: &str, x: &[f64], record: Option<usize>) -> Vec<f64> {
        match (f, record) {
            ("ℓ", Some(record)) => slopes(self.problem, x, record),
            _ => super::mean_slopes(self.problem, x),
        }
    }

    fn noise(&self, drawn: &Drawn<'_>, entry: u64) -> f64 {
        let noise = self.tape.uniform(drawn.count, Purpose::Release, entry);
        noise.gaussian()
    }

    fn set(&self, drawn: &Drawn<'_>) -> Vec<usize> {
        let mut set = Vec::new();
        self.sampling.draw(self.tape, drawn.count, &mut set);
        set
    }

    /// L_U = √(Σ_{j∈U} (j + 1)²).
    fn of_set(&self, _: &str, set: &[usize]) -> f64 {
        let squares = set.iter().map(|j| ((j + 1) as f64).powi(2));
        squares.sum::<f64>().sqrt()
    }

    fn inclusion(&self, j: usize) -> f64 {
        self.sampling.inclusion()[j]
    }
}

/// Claims on Algorithm 1, with the number of epochs that they are run for; the convex one's are one.
pub(super) const EPOCHS: [(&str, u32); 3] = [
    ("skgd-thm-4.2-cvx", 1),
    ("skgd-thm-4.2-cvx-corrected", 1),
    ("skgd-thm-4.2-sc-corrected", 3),
];

#[test]
fn the_algorithm_is_its_reference() {
    for (id, epochs) in EPOCHS {
        let statement = statement(id);
        let process = statement.context.process("Alg1").expect("Algorithm 1");
        for seed in 0..30 {
            let (records, features, rounds) = (3 + seed as usize % 5, 2 + seed as usize % 4, 9_u32);
            let problem = problem(seed, records, features, Regulariser::None);
            let sampling = match seed % 3 {
                0 => skgd::Sampling::uniform_singleton(features),
                1 => skgd::Sampling::nice(features, 2),
                _ => skgd::Sampling::full(features),
            };
            let sampling = sampling.expect("a sampling");
            let (epsilon, delta) = (0.9, 1e-4_f64);
            // For a set of several coordinates the M of the problem bound the diagonal of the Hessian only; the step
            // is a parameter of both sides, so any positive M will do here.
            let smoothness = problem.constants().smoothness().iter();
            let smoothness: Vec<f64> = smoothness.map(|m| m * 9.0).collect();
            let start = vec![0.25; features];
            let w = world(
                &[
                    ("d", features as f64),
                    ("n", records as f64),
                    ("K", f64::from(rounds)),
                    ("T", f64::from(epochs)),
                    ("ε", epsilon),
                    ("δ", delta),
                ],
                &[("M", &smoothness), ("w₀", &start)],
            );
            let tape = Tape::new(2000 + seed);
            let outside = Sketched {
                problem: &problem,
                tape,
                sampling: &sampling,
            };
            let interpreter = Interpreter {
                context: &statement.context,
                outside: &outside,
            };
            let c = f64::from(epochs) * (1.0 / delta).ln() / (records as f64 * epsilon).powi(2);
            let unit = (12.0 * f64::from(rounds) * c).sqrt();
            let deviations = (0..features).map(|j| unit * (j + 1) as f64).collect();
            let noise = skgd::SetValues::Root(deviations);
            let lengths = (rounds as usize, epochs as usize);
            let mut config = skgd::Config::new(&problem, lengths, sampling.clone(), noise);
            let inclusion = sampling.inclusion();
            let steps = inclusion.iter().zip(&smoothness).map(|(p, m)| p / m);
            config.steps = steps.collect();
            config.start.clone_from(&start);
            let reference = skgd::reference::run(&problem, &config, tape).expect("a run");
            let run = interpreter.run(process, &w);
            // What is released are the entries of the set.
            let what = format!("{id}, seed {seed}");
            assert_eq!(run.named("a").count(), reference.transcript.steps().count());
            for (a, release) in run.named("a").zip(reference.transcript.steps()) {
                let seen: Vec<f64> = release.set.iter().map(|j| a.vector()[*j]).collect();
                assert_close(&seen, release.values, &what);
            }
            assert_close(run.last("w"), &reference.iterate, &what);
        }
    }
}
