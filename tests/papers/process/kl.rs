//! Algorithms 1 to 4 of kl, for losses that are not convex.

use super::interpreter::{Drawn, Interpreter, Outside, Run, Value, World};
use super::{assert_close, close, rows, signs, statement, units, world};
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::problem::risk::Risk;
use dp_assay::solver::kl::{
    Adaptive, Budget, Observation, Regularised, Spider, Variant, reference,
};
use dp_assay::units::{Neighbouring, Rho};

/// f(w; (x, y)) = √(1 + r²) + ½·cos r, r = ⟨x, w⟩ − y: |∂f/∂r| ≤ 3/2 and |∂²f/∂r²| ≤ 3/2.
struct Waves {
    rows: Vec<Vec<f64>>,
    targets: Vec<f64>,
}

impl Waves {
    fn new(seed: u64, records: usize, features: usize) -> Self {
        Self {
            rows: rows(seed, records, features),
            targets: signs(seed, records, features),
        }
    }

    /// L₀ and L₁ of every record.
    fn constants(&self) -> [f64; 2] {
        let squares = self
            .rows
            .iter()
            .map(|x| x.iter().map(|x| x * x).sum::<f64>());
        let largest = squares.fold(0.0, f64::max);
        [1.5 * largest.sqrt(), 1.5 * largest]
    }

    fn residual(&self, i: usize, w: &[f64]) -> f64 {
        let product: f64 = self.rows[i].iter().zip(w).map(|(x, w)| x * w).sum();
        product - self.targets[i]
    }
}

impl Risk for Waves {
    fn dimension(&self) -> usize {
        self.rows[0].len()
    }

    fn records(&self) -> usize {
        self.rows.len()
    }

    fn value(&self, w: &[f64]) -> f64 {
        let residuals = (0..self.records()).map(|i| self.residual(i, w));
        let losses = residuals.map(|r| (1.0 + r * r).sqrt() + r.cos() / 2.0);
        losses.sum::<f64>() / self.records() as f64
    }

    fn gradient(&self, w: &[f64], gradient: &mut [f64]) {
        let mut one = vec![0.0; w.len()];
        gradient.fill(0.0);
        for i in 0..self.records() {
            self.record_gradient(i, w, &mut one);
            let parts = one.iter().map(|g| g / self.records() as f64);
            gradient
                .iter_mut()
                .zip(parts)
                .for_each(|(sum, g)| *sum += g);
        }
    }

    fn record_gradient(&self, i: usize, w: &[f64], gradient: &mut [f64]) {
        let r = self.residual(i, w);
        let slope = r / (1.0 + r * r).sqrt() - r.sin() / 2.0;
        let parts = self.rows[i].iter().map(|x| slope * x);
        gradient.iter_mut().zip(parts).for_each(|(g, x)| *g = x);
    }
}

/// On which step and purpose of the tape the noise lies, and its first index.
type Address = fn(&Drawn<'_>) -> (u64, Purpose, u64);

struct Place<'a> {
    risk: &'a Waves,
    tape: Tape,
    address: Address,
}

impl Outside for Place<'_> {
    fn records(&self) -> usize {
        self.risk.records()
    }

    fn gradient(&self, _: &str, x: &[f64], record: Option<usize>) -> Vec<f64> {
        let mut gradient = vec![0.0; x.len()];
        let record = record.expect("every loss is a record's");
        self.risk.record_gradient(record, x, &mut gradient);
        gradient
    }

    fn noise(&self, drawn: &Drawn<'_>, entry: u64) -> f64 {
        if drawn.name == "s" {
            // Each candidate has a step of its own.
            return self.tape.uniform(entry, Purpose::Selection, 1).fraction();
        }
        let (step, purpose, first) = (self.address)(drawn);
        self.tape.uniform(step, purpose, first + entry).gaussian()
    }
}

/// What a reference observed.
#[derive(Default)]
struct Observed {
    gradients: Vec<Vec<f64>>,
    norms: Vec<f64>,
    selected: Vec<usize>,
}

impl Observed {
    fn see(&mut self, release: Observation<'_>) {
        match release {
            Observation::Gradient(g) | Observation::Difference(g) => {
                self.gradients.push(g.to_vec())
            }
            Observation::Norm(norm) => self.norms.push(norm),
            Observation::Selected(t) => self.selected.push(t),
        }
    }
}

/// A random problem with a budget of ρ.
struct Case {
    risk: Waves,
    start: Vec<f64>,
    tape: Tape,
    budget: Budget,
    lipschitz: f64,
    smoothness: f64,
    what: String,
}

impl Case {
    fn new(id: &str, seed: u64, rho: f64) -> Self {
        let (records, features) = (4 + seed as usize % 4, 1 + seed as usize % 3);
        let risk = Waves::new(seed, records, features);
        let [lipschitz, smoothness] = risk.constants();
        Self {
            risk,
            start: (0..features).map(|k| 1.0 - 0.4 * k as f64).collect(),
            tape: Tape::new(5000 + seed),
            budget: Budget {
                rho: Rho::new(rho).expect("a budget"),
                neighbours: Neighbouring::ReplaceOne,
                variant: Variant::Repaired,
            },
            lipschitz,
            smoothness,
            what: format!("{id}, seed {seed}"),
        }
    }

    /// n√ρ.
    fn root(&self) -> f64 {
        self.risk.records() as f64 * self.budget.rho.get().sqrt()
    }

    fn world(&self, more: &[(&str, f64)]) -> World {
        let numbers = [
            ("n", self.risk.records() as f64),
            ("d", self.start.len() as f64),
            ("L₀", self.lipschitz),
            ("L₁", self.smoothness),
            ("ρ", self.budget.rho.get()),
        ];
        world(&[&numbers, more].concat(), &[("w₀", &self.start)])
    }

    /// The run of a claim's process, where this is where noise lies; some variables are what hypotheses say.
    fn run(&self, id: &str, address: Address, mut w: World, said: &[&str]) -> (Run, World) {
        let statement = statement(id);
        let outside = Place {
            risk: &self.risk,
            tape: self.tape,
            address,
        };
        let interpreter = Interpreter {
            context: &statement.context,
            outside: &outside,
        };
        for x in said {
            let value = interpreter.assumed(x, &w);
            w.insert((*x).to_owned(), Value::Number(value));
        }
        let name = ["Alg1", "Alg2", "Alg3", "Alg4"];
        let process = name.iter().find_map(|name| statement.context.process(name));
        (interpreter.run(process.expect("an algorithm"), &w), w)
    }
}

fn assert_all_close<'a>(
    seen: impl Iterator<Item = &'a [f64]>,
    due: impl Iterator<Item = &'a [f64]>,
    what: &str,
) {
    let (seen, due): (Vec<_>, Vec<_>) = (seen.collect(), due.collect());
    assert_eq!(seen.len(), due.len(), "{what}");
    seen.iter()
        .zip(&due)
        .for_each(|(a, b)| assert_close(a, b, what));
}

pub(super) const SPIDER: &str = "kl-thm-1-corrected";

/// Rounds that end by their norms, and rounds that end by their lengths; the target's root is the statement's.
#[test]
fn spider_is_its_reference() {
    let id = SPIDER;
    let (mut ended, mut long) = (0, 0);
    for seed in 0..24 {
        let case = Case::new(id, seed, 1e9);
        let kappa = [1.0, 1.5, 2.0][seed as usize % 3];
        let gamma = 0.25 / case.lipschitz * (1.0 + (seed % 5) as f64);
        let loss_bound = 0.9 * (gamma * case.lipschitz).powf(kappa);
        let inputs = Spider {
            beta: 0.03,
            gamma,
            kappa,
            lipschitz: case.lipschitz,
            smoothness: case.smoothness,
            loss_bound,
        };
        let (n, d) = (case.risk.records(), case.start.len());
        let schedule = inputs.schedule(Variant::Repaired, case.budget.rho, n, d);
        let schedule = schedule.expect("a schedule");
        let longest = schedule.iter().map(|r| r.length).fold(1.0, f64::max);
        let w = case.world(&[
            ("γ", gamma),
            ("κ", kappa),
            ("F₀", loss_bound),
            ("β", inputs.beta),
            ("K", schedule.rounds as f64),
            ("J", longest.ceil() + 1.0),
        ]);
        // All releases of a run, one behind the other.
        let address: Address = |drawn| (drawn.releases, Purpose::Release, 0);
        let (run, w) = case.run(id, address, w, &["λ", "θ"]);
        let Value::Number(theta) = w["θ"] else {
            panic!("θ is a number")
        };
        assert!(close(theta.powf(kappa), schedule.target()), "{}", case.what);
        let mut observed = Observed::default();
        let see = &mut |release: Observation<'_>| observed.see(release);
        let reference = reference::spider(
            &case.risk,
            &case.start,
            &inputs,
            &case.budget,
            case.tape,
            see,
        );
        let reference = reference.expect("a run");
        let released = run
            .events
            .iter()
            .filter(|e| ["a", "b"].contains(&e.name.as_str()));
        let due = observed.gradients.iter().map(|g| &g[..]);
        assert_all_close(released.map(|e| e.vector()), due, &case.what);
        let moved = run.named("w").next_back();
        let last = moved.map_or(&case.start[..], |event| event.vector());
        assert_close(last, &reference.point, &case.what);
        let steps = run.named("b").count();
        ended += u64::from(steps == 0);
        long = long.max(steps);
    }
    assert!(
        ended < 20 && long > 20,
        "{ended} runs without a step, {long} steps"
    );
}

/// The claims on Algorithm 4 and on calls of it, with their number.
pub(super) const CALLS: [(&str, u64); 2] = [("kl-thm-9-corrected", 1), ("kl-thm-2-corrected", 3)];

#[test]
fn the_proximal_point_method_and_its_calls_are_their_references() {
    for (id, rounds) in CALLS {
        for seed in 0..12 {
            let case = Case::new(id, seed, 50.0);
            let length = 7 + seed % 4;
            let inputs = Regularised {
                beta: 0.1,
                lipschitz: case.lipschitz,
                weak_convexity: case.smoothness,
                length: Some(length),
            };
            let w = case.world(&[("T", length as f64), ("K", rounds as f64)]);
            // T steps of the tape for a call, of which the first is not used.
            let address: Address = |drawn| (drawn.count + 1, Purpose::Release, 0);
            let (run, _) = case.run(id, address, w, &[]);
            let mut observed = Observed::default();
            let see = &mut |release: Observation<'_>| observed.see(release);
            let (risk, start, budget, tape) = (&case.risk, &case.start, &case.budget, case.tape);
            let reference = match rounds {
                1 => reference::regularised(risk, start, &inputs, budget, tape, see),
                _ => reference::proximal(risk, start, &inputs, rounds, budget, tape, see),
            };
            let result = if rounds == 1 { "a" } else { "c" };
            assert_close(
                run.last(result),
                &reference.expect("a run").point,
                &case.what,
            );
            // The term releases the gradient of the regularised risk, and in the last step of a call one that nothing reads.
            let iterates: Vec<&[f64]> = run.named("w").map(|e| e.vector()).collect();
            let per_call = 2 * length as usize + usize::from(rounds > 1);
            let mut seen = Vec::new();
            for (call, iterates) in iterates.chunks(per_call).enumerate() {
                // Where a call begins is set before its first step, but in the claim on one call.
                let (centre, own) = match rounds {
                    1 => (&start[..], iterates),
                    _ => (iterates[0], &iterates[1..]),
                };
                let first = call * length as usize;
                let released = run.named("g").skip(first).take(length as usize - 1);
                let before = std::iter::once(centre).chain(own.chunks(2).map(|both| both[1]));
                for (g, w) in released.zip(before) {
                    let entries = g.vector().iter().zip(w).zip(centre);
                    let mean =
                        |((g, w), c): ((&f64, &f64), &f64)| g - 2.0 * case.smoothness * (w - c);
                    seen.push(entries.map(mean).collect::<Vec<f64>>());
                }
            }
            let due = observed.gradients.iter().map(|g| &g[..]);
            assert_all_close(seen.iter().map(|g| &g[..]), due, &case.what);
        }
    }
}

/// The claims on Algorithm 3, and whether it ends with a draw.
pub(super) const ADAPTIVE: [(&str, bool); 3] = [
    ("kl-thm-3-corrected", false),
    ("kl-thm-4-corrected", false),
    ("kl-thm-5-corrected", true),
];

/// Norms above the floor and at it; ends by the budget; and the draw of an iterate.
#[test]
fn adaptive_descent_is_its_reference() {
    let (mut capped, mut rounds) = (0, 0);
    for (id, select) in ADAPTIVE {
        for seed in 0..16 {
            let rho = if select { 9.0 } else { 1e4 } * (1.0 + (seed % 3) as f64);
            let case = Case::new(id, seed, rho);
            let inputs = Adaptive {
                beta: 0.1,
                lipschitz: case.lipschitz,
                smoothness: case.smoothness,
            };
            let (r, d) = ((case.root() / 2.0).floor(), case.start.len() as f64);
            let logarithm = (case.root() / inputs.beta).ln();
            let mut w = case.world(&[("Λ", logarithm), ("R", r), ("o", 0.0)]);
            w.insert("e".into(), Value::Sequence(units((r * d) as usize)));
            // The norm of a round is a selection's noise, its gradient a release's; a round that ends the run has a norm only.
            let address: Address = |drawn| match drawn.name {
                "Nₜ" => (drawn.count, Purpose::Selection, 0),
                "g" => (drawn.count, Purpose::Release, 0),
                other => panic!("{other} is not drawn"),
            };
            let (run, _) = case.run(id, address, w, &[]);
            let mut observed = Observed::default();
            let see = &mut |release: Observation<'_>| observed.see(release);
            let (start, budget) = (&case.start, &case.budget);
            let reference =
                reference::adaptive(&case.risk, start, &inputs, budget, select, case.tape, see);
            let reference = reference.expect("a run");
            let norms: Vec<f64> = run.named("Nₜ").map(|e| e.number()).collect();
            assert_close(&norms, &observed.norms, &case.what);
            let due = observed.gradients.iter().map(|g| &g[..]);
            assert_all_close(run.named("g").map(|e| e.vector()), due, &case.what);
            let drawn: Vec<usize> = run.named("s").map(|e| e.number() as usize).collect();
            assert_eq!(drawn, observed.selected, "{}", case.what);
            let last = run
                .named("w")
                .next_back()
                .map_or(&start[..], |e| e.vector());
            assert_close(last, &reference.point, &case.what);
            let floor = 2.0
                * inputs
                    .rule(budget, case.risk.records(), start.len())
                    .expect("a rule")
                    .spread()
                * case.lipschitz
                / case.root();
            capped += u64::from(norms.iter().any(|n| *n <= floor));
            rounds = rounds.max(norms.len());
        }
    }
    assert!(
        capped > 5 && rounds > 10,
        "{capped} capped, at most {rounds} rounds"
    );
}
