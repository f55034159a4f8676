//! The theorem meets the program: the algorithms of the kernel's statements, as terms, run on the noise tape, and do
//! step by step what the solvers' `reference` does. So what is proved private is what is run.
//!
//! The interpreter is no part of the trusted base. A command's noise lies where the tape's format puts it: the
//! noise of candidate k of a selection at index k of its round, that of a release at the index selected before it, and
//! entry j of a Gaussian vector at index j.

use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::problem::loss::{Logistic, Squared};
use dp_assay::problem::{Dataset, Dense, Problem, Regulariser};
use dp_assay::solver::{gcd, skgd};
use dp_assay_spec::kernel::statement::{Command, Context, Process, Statement};
use dp_assay_spec::kernel::term::{Binder, Op, Term, app, var};
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
enum Value {
    Number(f64),
    Vector(Vec<f64>),
    Set(Vec<usize>),
}

type World = BTreeMap<String, Value>;

/// What was released in a round, by name.
type Released = Vec<(String, f64)>;

/// What a map of the statement, by its name, makes of vectors.
type Maps<'a> = &'a dyn Fn(&str, &[Vec<f64>]) -> Vec<f64>;

/// A law of random sets, and the number of a set.
type Sets<'a> = (&'a skgd::Sampling, fn(&[usize]) -> f64);

/// Runs terms on a problem, with the noise of a tape.
struct Interpreter<'a> {
    context: &'a Context,
    problem: &'a Problem,
    tape: Tape,
    /// The law of random sets and the number of a set, where the statement has them.
    sampling: Option<Sets<'a>>,
    /// The maps, where it has some.
    maps: Option<Maps<'a>>,
}

impl Interpreter<'_> {
    fn number(&self, t: &Term, w: &World) -> f64 {
        match t {
            Term::Num(value) => value.to_f64(),
            Term::Var(x) => match w.get(x) {
                Some(Value::Number(value)) => *value,
                other => panic!("{x} is {other:?}"),
            },
            Term::App(f, a) => self.number(&self.context.unfold(f, a).expect("a definition"), w),
            Term::Op(op, a) => self.operation(*op, a, w),
            Term::Bind(binder, x, of, body) => {
                let at = |k: usize| {
                    let mut w = w.clone();
                    w.insert(x.clone(), Value::Number(k as f64));
                    self.number(body, &w)
                };
                match (binder, &**of) {
                    (Binder::Sum, bound) => (0..self.index(bound, w)).map(at).sum(),
                    (Binder::Total, _) => (0..self.problem.records()).map(at).sum(),
                    (Binder::Sup, Term::Op(Op::Except, range)) => {
                        let (bound, except) = (self.index(&range[0], w), self.index(&range[1], w));
                        let others = (0..bound).filter(|k| *k != except);
                        others.map(at).fold(0.0, f64::max)
                    }
                    other => panic!("{other:?} is not run"),
                }
            }
        }
    }

    fn index(&self, t: &Term, w: &World) -> usize {
        self.number(t, w) as usize
    }

    fn vector(&self, t: &Term, w: &World) -> Vec<f64> {
        match t {
            Term::Var(x) => match w.get(x) {
                Some(Value::Vector(v)) => v.clone(),
                other => panic!("{x} is {other:?}"),
            },
            Term::Bind(Binder::Vec, x, bound, body) => {
                let entry = |j: usize| {
                    let mut w = w.clone();
                    w.insert(x.clone(), Value::Number(j as f64));
                    self.number(body, &w)
                };
                (0..self.index(bound, w)).map(entry).collect()
            }
            Term::App(map, a) => {
                let vectors: Vec<Vec<f64>> = a.iter().map(|v| self.vector(v, w)).collect();
                self.maps.expect("maps")(map, &vectors)
            }
            other => panic!("{other:?} is no vector"),
        }
    }

    fn operation(&self, op: Op, a: &[Term], w: &World) -> f64 {
        let n = |t: &Term| self.number(t, w);
        match (op, a) {
            (Op::Add, _) => a.iter().map(n).sum(),
            (Op::Mul, _) => a.iter().map(n).product(),
            (Op::Sub, [x, y]) => n(x) - n(y),
            (Op::Div, [x, y]) => n(x) / n(y),
            (Op::Pow, [x, y]) => n(x).powi(n(y) as i32),
            (Op::Sqrt, [x]) => n(x).sqrt(),
            (Op::Log, [x]) => n(x).ln(),
            (Op::Max, [x, y]) => n(x).max(n(y)),
            (Op::Abs, [x]) => n(x).abs(),
            (Op::At, [v @ Term::App(..), k]) => self.vector(v, w)[self.index(k, w)],
            (Op::Unit, [i, j]) => f64::from(u8::from(self.index(i, w) == self.index(j, w))),
            (Op::At, [Term::Var(x), Term::Var(s)]) => match (w.get(x), w.get(s)) {
                (Some(Value::Vector(v)), Some(Value::Number(j))) => v[*j as usize],
                (None, Some(Value::Set(s))) => (self.sampling.expect("sets").1)(s),
                other => panic!("{other:?} has no entry"),
            },
            (Op::Member, [j, Term::Var(s)]) => match &w[s] {
                Value::Set(s) => f64::from(u8::from(s.contains(&self.index(j, w)))),
                other => panic!("{other:?} is no set"),
            },
            (Op::Inclusion, [j, _]) => self.sampling.expect("sets").0.inclusion()[self.index(j, w)],
            (Op::Partial, [_, x, rest @ .., j]) => {
                let (x, j) = (self.vector(x, w), self.index(j, w));
                let one = |i: usize| self.slope(&x, i, j);
                match rest {
                    [record] => one(self.index(record, w)),
                    _ => {
                        let n = self.problem.records();
                        (0..n).map(one).sum::<f64>() / n as f64
                    }
                }
            }
            other => panic!("{other:?} is not run"),
        }
    }

    /// ∂ⱼℓ(x; record i).
    fn slope(&self, x: &[f64], i: usize, j: usize) -> f64 {
        let design = self.problem.data().design();
        let entry = |k: usize| {
            let found = design.column(k).iter().find(|(row, _)| *row == i);
            found.map_or(0.0, |(_, value)| value)
        };
        let margin: f64 = x.iter().enumerate().map(|(k, x)| entry(k) * x).sum();
        let target = self.problem.data().targets()[i];
        self.problem.loss().derivative(margin, target) * entry(j)
    }

    /// All variables after every round, and what was released in it.
    fn run(&self, p: &Process, outside: &World) -> Vec<(World, Released)> {
        let [Command::Repeat { index, times, body }] = &p.body[..] else {
            panic!("not one loop");
        };
        let mut w = outside.clone();
        for state in &p.states {
            let start = Value::Vector(self.vector(&state.start, outside));
            w.insert(state.name.clone(), start);
        }
        let mut all = Vec::new();
        for t in 0..self.index(times, outside) {
            w.insert(index.clone(), Value::Number(t as f64));
            let mut released = Released::new();
            for command in body {
                self.command(command, t as u64, &mut w, &mut released);
            }
            all.push((w.clone(), released));
        }
        all
    }

    fn command(&self, c: &Command, t: u64, w: &mut World, out: &mut Released) {
        match c {
            Command::Select {
                name,
                index,
                over,
                query,
                scale,
                divisor,
            } => {
                let score = |k: usize| {
                    let mut w = w.clone();
                    w.insert(index.clone(), Value::Number(k as f64));
                    let noise = self.tape.uniform(t, Purpose::Selection, k as u64).laplace();
                    let noisy = self.number(query, &w) + self.number(scale, &w) * noise;
                    let modulus = |c: &Term| noisy.abs() / self.number(c, &w);
                    divisor.as_ref().map_or(noisy, modulus)
                };
                let scores: Vec<f64> = (0..self.index(over, w)).map(score).collect();
                let best =
                    (1..scores.len()).fold(0, |b, k| if scores[k] > scores[b] { k } else { b });
                w.insert(name.clone(), Value::Number(best as f64));
                out.push((name.clone(), best as f64));
            }
            Command::Release {
                name,
                query,
                law: Term::Op(Op::Normal, a),
            } => {
                let deviation = self.number(&a[1], w).sqrt();
                let entry = |j| self.tape.uniform(t, Purpose::Release, j).gaussian();
                let query = self.vector(query, w).into_iter().zip(0..);
                let noisy = query.map(|(x, j)| x + deviation * entry(j)).collect();
                w.insert(name.clone(), Value::Vector(noisy));
            }
            Command::Release { name, query, law } => {
                let Term::Op(Op::Laplace, scale) = law else {
                    panic!("{law:?} is not run");
                };
                let at = out.last().map_or(0, |(_, j)| *j as u64);
                let noise = self.tape.uniform(t, Purpose::Release, at).laplace();
                let value = self.number(query, w) + self.number(&scale[0], w) * noise;
                w.insert(name.clone(), Value::Number(value));
                out.push((name.clone(), value));
            }
            Command::Draw { name, law } => {
                let Term::Var(_) = law else {
                    panic!("{law:?} is not run");
                };
                let mut set = Vec::new();
                self.sampling.expect("sets").0.draw(self.tape, t, &mut set);
                w.insert(name.clone(), Value::Set(set));
            }
            Command::Set(name, value) => {
                let next = Value::Vector(self.vector(value, w));
                w.insert(name.clone(), next);
            }
            other => panic!("{other:?} is not run"),
        }
    }
}

/// Records, features and targets from a tape; squared or logistic loss.
fn problem(seed: u64, records: usize, features: usize) -> Problem {
    regularised(seed, records, features, Regulariser::None)
}

fn regularised(seed: u64, records: usize, features: usize, psi: Regulariser) -> Problem {
    let tape = Tape::new(seed);
    let entry = |i: usize, k: usize| tape.uniform(i as u64, Purpose::Data, k as u64).gaussian();
    let rows: Vec<Vec<f64>> = (0..records)
        .map(|i| {
            (0..features)
                .map(|k| entry(i, k) * (1 + k) as f64)
                .collect()
        })
        .collect();
    let targets = (0..records).map(|i| entry(i, features).signum()).collect();
    let design = Dense::from_rows(&rows).expect("finite rows");
    let data = Dataset::new("random", design, targets).expect("a data set");
    let problem = match seed % 2 {
        0 => Problem::new(data, Logistic, psi),
        _ => Problem::new(data, Squared, psi),
    };
    problem.expect("a problem")
}

fn world(numbers: &[(&str, f64)], vectors: &[(&str, &[f64])]) -> World {
    let numbers = numbers
        .iter()
        .map(|(x, v)| ((*x).to_owned(), Value::Number(*v)));
    let vectors = vectors
        .iter()
        .map(|(x, v)| ((*x).to_owned(), Value::Vector(v.to_vec())));
    numbers.chain(vectors).collect()
}

fn state<'a>(w: &'a World, name: &str) -> &'a [f64] {
    match &w[name] {
        Value::Vector(v) => v,
        other => panic!("{name} is {other:?}"),
    }
}

/// What the claim with this id says.
fn statement(id: &str) -> Statement {
    let moved = dp_assay_spec::moved::all().find(|moved| moved.id == id);
    (moved.expect("it has moved").statement)().expect("the claim")
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()))
}

#[test]
fn the_private_algorithm_of_gcd_is_its_reference() {
    let statement = statement("gcd-thm-4.2-repaired");
    let process = statement.context.process("Alg1").expect("Algorithm 1");
    for seed in 0..40 {
        let (records, features, rounds) = (3 + seed as usize % 5, 1 + seed as usize % 6, 12_u32);
        let problem = problem(seed, records, features);
        let constants = problem.constants().clone();
        // The logistic loss has Lipschitz constants of its own; any positive numbers are as good for this test.
        let lipschitz: Vec<f64> = (0..features).map(|k| 0.5 + k as f64).collect();
        let start: Vec<f64> = (0..features).map(|k| 0.1 * k as f64).collect();
        let smoothness = constants.smoothness();
        let steps: Vec<f64> = smoothness.iter().map(|m| 1.0 / m).collect();
        let w = world(
            &[
                ("n", records as f64),
                ("p", features as f64),
                ("T", f64::from(rounds)),
                ("ε", 0.7),
                ("δ", 1e-5),
            ],
            &[
                ("L", &lipschitz),
                ("M", smoothness),
                ("γ", &steps),
                ("w₀", &start),
            ],
        );
        let tape = Tape::new(1000 + seed);
        let interpreter = Interpreter {
            context: &statement.context,
            problem: &problem,
            tape,
            sampling: None,
            maps: None,
        };
        // The scales of the statement are the solver's.
        let scale = |name: &str, j: usize| {
            let mut w = w.clone();
            w.insert("j".to_owned(), Value::Number(j as f64));
            interpreter.number(&app(name, [var("j")]), &w)
        };
        let scales = |name: &str| (0..features).map(|j| scale(name, j)).collect();
        let noise = gcd::LaplaceScales::new(scales("λ′"), scales("λ")).expect("scales");
        let mut config = gcd::Config::new(&problem, rounds as usize, noise);
        config.start = start;
        let reference = gcd::reference::run(&problem, &config, tape).expect("a run");
        let run = interpreter.run(process, &w);
        assert_eq!(run.len(), reference.transcript.len());
        for ((_, released), release) in run.iter().zip(&reference.transcript) {
            let [(_, j), (_, value)] = released.as_slice() else {
                panic!("two releases a round")
            };
            assert_eq!(*j as usize, release.coordinate, "seed {seed}");
            assert!(
                close(*value, release.value),
                "seed {seed}: {value} {}",
                release.value
            );
        }
        let last = state(&run.last().expect("a round").0, &process.states[0].name);
        assert!(
            last.iter()
                .zip(&reference.iterate)
                .all(|(a, b)| close(*a, *b)),
            "seed {seed}"
        );
    }
}

/// x shrunk towards 0 by ν: prox_{ν|·|}(x).
fn shrunk(x: f64, nu: f64) -> f64 {
    (x.abs() - nu).max(0.0).copysign(x)
}

/// With an ℓ₁ regulariser and a ridge inside f, by each of the three rules.
#[test]
fn the_private_proximal_algorithm_of_gcd_is_its_reference() {
    const RIDGE: f64 = 0.3;
    let statement = statement("gcd-prox-priv-corrected");
    let rules = [
        ("Alg2S", gcd::Rule::GsS),
        ("Alg2R", gcd::Rule::GsR),
        ("Alg2G", gcd::Rule::GsQ(gcd::Orientation::LargestDecrease)),
    ];
    for seed in 0..45 {
        let (name, rule) = rules[seed as usize % 3];
        let process = statement.context.process(name).expect("Algorithm 2");
        let (records, features, rounds) = (3 + seed as usize % 5, 1 + seed as usize % 6, 12_u32);
        let nu = 0.05 * (seed % 4) as f64;
        let problem = regularised(seed, records, features, Regulariser::L1(nu));
        let problem = problem.with_ridge(RIDGE).expect("a ridge");
        let lipschitz: Vec<f64> = (0..features).map(|k| 0.5 + k as f64).collect();
        let start: Vec<f64> = (0..features).map(|k| 0.1 * k as f64).collect();
        let smoothness = problem.constants().smoothness().to_vec();
        let steps: Vec<f64> = smoothness.iter().map(|m| 1.0 / m).collect();
        let each = |entry: &dyn Fn(f64) -> f64| smoothness.iter().map(|m| entry(*m)).collect();
        let maps = |map: &str, a: &[Vec<f64>]| -> Vec<f64> {
            match (map, a) {
                ("q", [w]) => w.iter().map(|x| RIDGE * x).collect(),
                ("ψ", [b]) => each(&|_| nu * b[0].abs()),
                ("X", [v, g]) if v[0] == 0.0 => each(&|_| (-g[0]).clamp(-nu, nu)),
                ("X", [v, _]) => each(&|_| nu.copysign(v[0])),
                ("H", [v, g]) => each(&|m| shrunk(v[0] - g[0] / m, nu / m) - v[0]),
                ("P", [v]) => each(&|m| shrunk(v[0], nu / m)),
                other => panic!("{other:?} is no map"),
            }
        };
        let w = world(
            &[
                ("n", records as f64),
                ("p", features as f64),
                ("T", f64::from(rounds)),
                ("ε", 0.7),
                ("δ", 1e-5),
            ],
            &[
                ("L", &lipschitz),
                ("M", &smoothness),
                ("γ", &steps),
                ("w₀", &start),
            ],
        );
        let tape = Tape::new(3000 + seed);
        let interpreter = Interpreter {
            context: &statement.context,
            problem: &problem,
            tape,
            sampling: None,
            maps: Some(&maps),
        };
        let scale = |name: &str, k: usize| {
            let mut w = w.clone();
            w.insert("k".to_owned(), Value::Number(k as f64));
            interpreter.number(&app(name, [var("k")]), &w)
        };
        // The solver has the scale of a selection in units of the derivative.
        let selected = (0..features).map(|k| scale("λ′", k) * smoothness[k].sqrt());
        let released = (0..features).map(|k| scale("λ", k)).collect();
        let noise = gcd::LaplaceScales::new(selected.collect(), released).expect("scales");
        let mut config = gcd::Config::new(&problem, rounds as usize, noise);
        config.start = start;
        config.rule = rule;
        config.selection = gcd::SelectionNoise::OnScore;
        let reference = gcd::reference::run(&problem, &config, tape).expect("a run");
        let run = interpreter.run(process, &w);
        assert_eq!(run.len(), reference.transcript.len());
        for ((_, released), release) in run.iter().zip(&reference.transcript) {
            let [(_, j), (_, value)] = released.as_slice() else {
                panic!("two releases a round")
            };
            assert_eq!(*j as usize, release.coordinate, "seed {seed}");
            assert!(close(*value, release.value), "seed {seed}: {value}");
        }
        let last = state(&run.last().expect("a round").0, "w");
        let mut entries = last.iter().zip(&reference.iterate);
        assert!(entries.all(|(a, b)| close(*a, *b)), "seed {seed}");
    }
}

/// L_U = √(Σ_{j∈U} (j + 1)²).
fn lipschitz_of(set: &[usize]) -> f64 {
    set.iter()
        .map(|j| ((j + 1) as f64).powi(2))
        .sum::<f64>()
        .sqrt()
}

#[test]
fn the_inner_loop_of_skgd_is_its_reference() {
    let statement = statement("skgd-thm-4.2-cvx");
    let process = statement.context.process("Alg1").expect("Algorithm 1");
    for seed in 0..40 {
        let (records, features, rounds) = (3 + seed as usize % 5, 2 + seed as usize % 4, 9_u32);
        let problem = problem(seed, records, features);
        let sampling = match seed % 3 {
            0 => skgd::Sampling::uniform_singleton(features),
            1 => skgd::Sampling::nice(features, 2),
            _ => skgd::Sampling::full(features),
        };
        let sampling = sampling.expect("a sampling");
        let (epsilon, delta) = (0.9, 1e-4_f64);
        // For a set of several coordinates the M of the problem bound the diagonal of the Hessian only; the step
        // is a parameter of both sides, so any positive M will do here.
        let smoothness: Vec<f64> = problem
            .constants()
            .smoothness()
            .iter()
            .map(|m| m * 9.0)
            .collect();
        let start = vec![0.25; features];
        let w = world(
            &[
                ("d", features as f64),
                ("n", records as f64),
                ("K", f64::from(rounds)),
                ("ε", epsilon),
                ("δ", delta),
            ],
            &[("M", &smoothness), ("w₀", &start)],
        );
        let tape = Tape::new(2000 + seed);
        let interpreter = Interpreter {
            context: &statement.context,
            problem: &problem,
            tape,
            sampling: Some((&sampling, lipschitz_of)),
            maps: None,
        };
        let c = (1.0 / delta).ln() / (records as f64 * epsilon).powi(2);
        let unit = (12.0 * f64::from(rounds) * c).sqrt();
        let deviations = (0..features).map(|j| unit * (j + 1) as f64).collect();
        let noise = skgd::SetValues::Root(deviations);
        let mut config = skgd::Config::new(&problem, (rounds as usize, 1), sampling.clone(), noise);
        let inclusion = sampling.inclusion();
        config.steps = inclusion
            .iter()
            .zip(&smoothness)
            .map(|(p, m)| p / m)
            .collect();
        config.start.clone_from(&start);
        let reference = skgd::reference::run(&problem, &config, tape).expect("a run");
        let run = interpreter.run(process, &w);
        // The iterates that the reference's releases lead to, round by round; and the mean of all is its result.
        let mut theta = start;
        assert_eq!(run.len(), reference.transcript.steps().count());
        for ((after, _), release) in run.iter().zip(reference.transcript.steps()) {
            for (j, value) in release.set.iter().zip(release.values) {
                theta[*j] -= config.steps[*j] / inclusion[*j] * value;
            }
            assert!(
                state(after, "θ")
                    .iter()
                    .zip(&theta)
                    .all(|(a, b)| close(*a, *b)),
                "seed {seed}"
            );
        }
        let mean = state(&run.last().expect("a round").0, "w");
        assert!(
            mean.iter()
                .zip(&reference.iterate)
                .all(|(a, b)| close(*a, *b)),
            "seed {seed}"
        );
    }
}
