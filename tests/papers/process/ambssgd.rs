//! Algorithms 1 and 2 of ambssgd on drawn records: those that a step draws are the next of the order, first those of the statistic,
//! then those of the gradient. One record of the data may stand for a drawn one.

use super::interpreter::{Drawn, Interpreter, Outside, Run, World};
use super::{assert_close, statement, world};
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::problem::rows::Matrix;
use dp_assay::solver::ambssgd::{Adaptive, Iterate, Ranges, Search, Shuffled, Stop, reference};

/// Records x ~ N(0, I), y = ⟨x, w⋆⟩ + σ·ξ, and the place of the one that is the data's.
struct Records {
    tape: Tape,
    deviation: f64,
    target: Vec<f64>,
    /// The number of the record of the data, if it takes part.
    own: Option<usize>,
    /// Of records for a statistic and for a gradient in a step, and levels.
    batch: [usize; 3],
    /// The noisy count that is enough.
    enough: f64,
    /// Δ.
    width: f64,
    /// The number of steps of the first phase.
    first: usize,
}

impl Records {
    fn feature(&self, i: usize) -> Vec<f64> {
        let entry = |j: usize| {
            self.tape
                .uniform(i as u64, Purpose::Data, j as u64)
                .gaussian()
        };
        (0..self.target.len()).map(entry).collect()
    }

    fn noise_of(&self, i: usize) -> f64 {
        let at = self.target.len() as u64;
        self.tape.uniform(i as u64, Purpose::Data, at).gaussian()
    }

    fn label(&self, i: usize) -> f64 {
        dot(&self.feature(i), &self.target) + self.deviation * self.noise_of(i)
    }

    /// The number of the record that a phase draws at a place of its step.
    fn number(&self, phase: usize, step: &[f64], place: usize) -> usize {
        let [s, b, _] = self.batch;
        (phase * self.first + which(step)) * (s + b) + place
    }

    /// 1 for every level that the residual of a record is within.
    fn within(&self, residual: f64) -> Vec<f64> {
        let reached = |l: usize| residual.abs() <= self.width * (1_u64 << l) as f64;
        (0..self.batch[2])
            .map(|l| f64::from(u8::from(reached(l))))
            .collect()
    }

    fn matrix(&self, records: usize) -> Matrix {
        let values = (0..records).flat_map(|i| self.feature(i)).collect();
        let targets = (0..records).map(|i| self.label(i)).collect();
        Matrix::new(self.target.len(), values, targets).expect("records")
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn which(unit: &[f64]) -> usize {
    unit.iter().position(|x| *x == 1.0).expect("a unit vector")
}

impl Outside for Records {
    fn map(&self, name: &str, a: &[Vec<f64>]) -> Vec<f64> {
        let residual = |w: &[f64], u: &[f64], xi: &[f64]| dot(u, w) - dot(u, &self.target) - xi[0];
        let gradient = |number: usize, w: &[f64], u: &[f64], xi: &[f64]| {
            let residual = match self.own == Some(number) {
                true => 0.0,
                false => residual(w, u, xi),
            };
            u.iter().map(|u| u * residual).collect()
        };
        let phase = usize::from(name.ends_with('₂'));
        match (name, a) {
            ("x", [_]) => self.feature(self.own.unwrap_or(0)),
            ("y", [_]) => vec![self.label(self.own.unwrap_or(0))],
            ("K₁" | "K₂", [w, step, u, xi]) => gradient(self.number(phase, step, 0), w, u, xi),
            ("K₁" | "K₂", [w, _, step, place, u, xi]) => {
                let place = self.batch[0] + which(place);
                gradient(self.number(phase, step, place), w, u, xi)
            }
            ("H₁" | "H₂", [w, step, place, u, xi]) => {
                match self.own == Some(self.number(phase, step, which(place))) {
                    true => vec![0.0; self.batch[2]],
                    false => self.within(residual(w, u, xi)),
                }
            }
            ("Γ", [counts]) => {
                let found = counts.iter().position(|c| *c >= self.enough);
                vec![self.width * (1_u64 << found.unwrap_or(counts.len())) as f64]
            }
            other => panic!("{other:?} is no map"),
        }
    }

    fn noise(&self, drawn: &Drawn<'_>, entry: u64) -> f64 {
        let (count, tape) = (drawn.count, self.tape);
        match drawn.name {
            "u" => self.feature(count as usize)[entry as usize],
            "ξ" => self.noise_of(count as usize),
            "c" => tape.uniform(count, Purpose::Selection, entry).gaussian(),
            "g" => tape.uniform(count, Purpose::Release, entry).gaussian(),
            other => panic!("{other} is not drawn"),
        }
    }
}

/// What a reference observed: levels and iterates.
#[derive(Default)]
struct Observed {
    levels: Vec<usize>,
    iterates: Vec<Vec<f64>>,
}

impl Observed {
    fn see(&mut self, release: Iterate<'_>) {
        self.levels.extend(release.level);
        self.iterates.push(release.point.to_vec());
    }
}

const STEPS: usize = 10;

/// Shared by both algorithms: d, the steps, and where the record of the data takes part, with weight 1 or 0.
fn given(records: &Records, at: usize, more: &[(&str, f64)], weights: [[&str; 2]; 2]) -> World {
    let [first, second] = [usize::from(at < STEPS / 2), usize::from(at >= STEPS / 2)];
    let takes = usize::from(records.own.is_some());
    let mut numbers = vec![
        ("d", records.target.len() as f64),
        ("k", (STEPS / 2) as f64),
        ("n", (STEPS / 2) as f64),
        ("τ₁", (at % (STEPS / 2)) as f64),
        ("τ₂", (at % (STEPS / 2)) as f64),
        ("σ", records.deviation),
    ];
    for (phase, on) in [first, second].into_iter().enumerate() {
        let [this, other] = weights[phase];
        numbers.push((this, (takes * on) as f64));
        if !other.is_empty() {
            numbers.push((other, 0.0));
        }
    }
    let start = vec![0.0; records.target.len()];
    world(
        &[&numbers, more].concat(),
        &[("w₀", &start), ("w⋆", &records.target)],
    )
}

/// The iterates of a run: the last value that w has in every step.
fn hold(run: &Run, observed: &Observed, average: &[f64], what: &str) {
    let iterates: Vec<&[f64]> = run.named("w").map(|event| event.vector()).collect();
    assert_eq!(iterates.len(), observed.iterates.len(), "{what}");
    for (seen, due) in iterates.iter().zip(&observed.iterates) {
        assert_close(seen, due, what);
    }
    assert_close(run.last("s"), average, what);
}

fn target(seed: u64) -> Vec<f64> {
    (0..1 + seed as usize % 3)
        .map(|j| 1.0 - 0.6 * j as f64)
        .collect()
}

pub(super) const ONE_PASS: &str = "ambssgd-thm-3.2-corrected-normal";

pub(super) const BLOCKS: &str = "ambssgd-thm-3.7-corrected-normal-run";

/// With all records drawn, and with one that is the data's, in either phase.
#[test]
fn one_pass_with_clipped_gradients_is_its_reference() {
    let statement = statement(ONE_PASS);
    let process = statement.context.process("Alg1").expect("Algorithm 1");
    let mut clipped = 0;
    for seed in 0..24 {
        let own = (seed % 3 > 0).then_some(seed as usize % STEPS);
        let records = Records {
            tape: Tape::new(8000 + seed),
            deviation: 0.5,
            target: target(seed),
            own,
            batch: [0, 1, 1],
            enough: 0.0,
            width: 1.0,
            first: STEPS / 2,
        };
        let config = Shuffled {
            step: 0.2,
            threshold: 1.1,
            multiplier: 0.4,
        };
        let more = [
            ("η", config.step),
            ("ζ", config.threshold),
            ("α", config.multiplier),
        ];
        let w = given(&records, own.unwrap_or(0), &more, [["p₁", ""], ["p₂", ""]]);
        let interpreter = Interpreter {
            context: &statement.context,
            outside: &records,
        };
        let run = interpreter.run(process, &w);
        let order: Vec<u32> = (0..STEPS as u32).collect();
        let mut observed = Observed::default();
        let see = &mut |release: Iterate<'_>| observed.see(release);
        let reference = reference::ssgd(&records.matrix(STEPS), &order, &config, records.tape, see);
        let reference = reference.expect("a run");
        clipped += reference.counters.clipped;
        hold(&run, &observed, &reference.average, &format!("seed {seed}"));
    }
    let all = 24 * STEPS as u64;
    assert!(
        clipped > all / 4 && clipped < all,
        "{clipped} of {all} clipped"
    );
}

/// With all records drawn, and with one that is the data's: in a statistic, or in a gradient.
#[test]
fn adaptive_clipping_is_its_reference() {
    let statement = statement(BLOCKS);
    let process = statement.context.process("Alg2").expect("Algorithm 2");
    let (mut levels, mut clipped) = (Vec::new(), 0);
    for seed in 0..24 {
        let (s, b) = (6, 3);
        let own = (seed % 3 > 0).then_some(seed as usize * 7 % (STEPS * (s + b)));
        let search = Search::halvings(16.0, 6).expect("levels");
        let config = Adaptive {
            step: 0.2,
            multiplier: 0.3,
            batch: b,
            statistics: s,
            factor: 0.7,
            search,
            ranges: Ranges::Disjoint,
            stop: Stop::Margin { failure: 0.1 },
        };
        let records = Records {
            tape: Tape::new(9000 + seed),
            deviation: 0.5,
            target: target(seed),
            own,
            batch: [s, b, search.levels],
            enough: config.enough(),
            width: search.width.value(),
            first: STEPS / 2,
        };
        let at = own.unwrap_or(0);
        let weights = match at % (s + b) < s {
            true => [["p₁", "q₁"], ["p₂", "q₂"]],
            false => [["q₁", "p₁"], ["q₂", "p₂"]],
        };
        let more = [
            ("b", b as f64),
            ("r", s as f64),
            ("m", search.levels as f64),
            ("η", config.step),
            ("α", config.multiplier),
            ("ϱ", config.factor),
            ("Δ", records.width),
            ("G", s as f64 - records.enough),
        ];
        let w = given(&records, at / (s + b), &more, weights);
        let interpreter = Interpreter {
            context: &statement.context,
            outside: &records,
        };
        let run = interpreter.run(process, &w);
        let all = STEPS * (s + b);
        let order: Vec<u32> = (0..all as u32).collect();
        let mut observed = Observed::default();
        let see = &mut |release: Iterate<'_>| observed.see(release);
        let reference =
            reference::ambssgd(&records.matrix(all), &order, &config, records.tape, see);
        let reference = reference.expect("a run");
        let what = format!("seed {seed}");
        let found: Vec<f64> = run.named("γ").map(|event| event.vector()[0]).collect();
        let due: Vec<f64> = observed
            .levels
            .iter()
            .map(|l| search.level(*l).value())
            .collect();
        assert_close(&found, &due, &what);
        clipped += reference.counters.clipped;
        hold(&run, &observed, &reference.average, &what);
        levels.extend(observed.levels);
    }
    levels.sort_unstable();
    levels.dedup();
    assert!(
        levels.len() > 3 && clipped > 24,
        "{clipped} clipped, at {levels:?}"
    );
}
