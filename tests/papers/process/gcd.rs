//! Algorithms 1 and 2 of gcd. The noise of candidate k of a selection lies at index k of its round, that of a release at the
//! index selected before it.

use super::interpreter::{Drawn, Interpreter, Outside, Run, Value, World};
use super::{assert_close, close, mean_slopes, problem, slopes, statement, world};
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::problem::{Problem, Regulariser};
use dp_assay::solver::gcd;
use dp_assay_spec::kernel::term::{app, var};

/// What a map of the statement, by its name, makes of vectors.
type Maps<'a> = &'a dyn Fn(&str, &[Vec<f64>]) -> Vec<f64>;

struct Descent<'a> {
    problem: &'a Problem,
    tape: Tape,
    maps: Maps<'a>,
}

impl Outside for Descent<'_> {
    fn records(&self) -> usize {
        self.problem.records()
    }

    fn gradient(&self, _: &str, x: &[f64], record: Option<usize>) -> Vec<f64> {
        match record {
            Some(record) => slopes(self.problem, x, record),
            None => mean_slopes(self.problem, x),
        }
    }

    fn map(&self, name: &str, arguments: &[Vec<f64>]) -> Vec<f64> {
        (self.maps)(name, arguments)
    }

    fn noise(&self, drawn: &Drawn<'_>, entry: u64) -> f64 {
        let purpose = match drawn.name {
            "j" => Purpose::Selection,
            "a" => Purpose::Release,
            other => panic!("{other} is not drawn"),
        };
        self.tape.uniform(drawn.count, purpose, entry).laplace()
    }
}

/// A random problem with what the statements ask for.
struct Case {
    problem: Problem,
    rounds: usize,
    start: Vec<f64>,
    smoothness: Vec<f64>,
    world: World,
    tape: Tape,
}

impl Case {
    fn new(seed: u64, problem: Problem, tape: u64) -> Self {
        let (features, rounds) = (1 + seed as usize % 6, 12);
        // The logistic loss has Lipschitz constants of its own; any positive numbers are as good for this test.
        let lipschitz: Vec<f64> = (0..features).map(|k| 0.5 + k as f64).collect();
        let start: Vec<f64> = (0..features).map(|k| 0.1 * k as f64).collect();
        let smoothness = problem.constants().smoothness().to_vec();
        let steps: Vec<f64> = smoothness.iter().map(|m| 1.0 / m).collect();
        let (n, p) = (problem.records() as f64, features as f64);
        let numbers = [
            ("n", n),
            ("p", p),
            ("T", rounds as f64),
            ("ε", 0.7),
            ("δ", 1e-5),
        ];
        let vectors = [
            ("L", &lipschitz[..]),
            ("M", &smoothness),
            ("γ", &steps),
            ("w₀", &start),
        ];
        Self {
            world: world(&numbers, &vectors),
            tape: Tape::new(tape + seed),
            problem,
            rounds,
            start,
            smoothness,
        }
    }

    /// The scales that a definition of the statement gives.
    fn scales(&self, interpreter: &Interpreter<'_>, name: &str, index: &str) -> Vec<f64> {
        let scale = |k: usize| {
            let mut w = self.world.clone();
            w.insert(index.to_owned(), Value::Number(k as f64));
            interpreter.number(&app(name, [var(index)]), &w)
        };
        (0..self.smoothness.len()).map(scale).collect()
    }

    fn config(&self, [selected, released]: [Vec<f64>; 2]) -> gcd::Config {
        let noise = gcd::LaplaceScales::new(selected, released).expect("scales");
        let mut config = gcd::Config::new(&self.problem, self.rounds, noise);
        config.start.clone_from(&self.start);
        config
    }

    /// Holds a run of the term against one of the reference.
    fn hold(&self, run: &Run, config: &gcd::Config, what: &str) {
        let reference = gcd::reference::run(&self.problem, config, self.tape).expect("a run");
        let releases = run.named("j").zip(run.named("a"));
        assert_eq!(run.named("a").count(), reference.transcript.len());
        for ((j, value), release) in releases.zip(&reference.transcript) {
            assert_eq!(j.number() as usize, release.coordinate, "{what}");
            assert!(close(value.number(), release.value), "{what}");
        }
        assert_close(run.last("w"), &reference.iterate, what);
    }
}

/// The claims whose algorithm is Algorithm 1.
pub(super) const GREEDY: [&str; 5] = [
    "gcd-thm-4.2-repaired",
    "gcd-thm-4.2-corrected",
    "gcd-thm-4.4-cvx-corrected",
    "gcd-thm-4.4-sc-corrected",
    "gcd-thm-4.7-corrected",
];

#[test]
fn the_private_algorithm_is_its_reference() {
    for (id, seed) in GREEDY
        .iter()
        .flat_map(|id| (0..20).map(move |seed| (id, seed)))
    {
        let statement = statement(id);
        let process = statement.context.process("Alg1").expect("Algorithm 1");
        let (records, features) = (3 + seed as usize % 5, 1 + seed as usize % 6);
        let problem = problem(seed, records, features, Regulariser::None);
        let case = Case::new(seed, problem, 1000);
        // No ridge.
        let maps = |map: &str, a: &[Vec<f64>]| match (map, a) {
            ("g", [w]) => vec![0.0; w.len()],
            other => panic!("{other:?} is no map"),
        };
        let outside = Descent {
            problem: &case.problem,
            tape: case.tape,
            maps: &maps,
        };
        let interpreter = Interpreter {
            context: &statement.context,
            outside: &outside,
        };
        // The scales of the statement are the solver's.
        let scales = ["λ′", "λ"].map(|name| case.scales(&interpreter, name, "j"));
        let run = interpreter.run(process, &case.world);
        case.hold(&run, &case.config(scales), &format!("{id}, seed {seed}"));
    }
}

/// x shrunk towards 0 by ν: prox_{ν|·|}(x).
fn shrunk(x: f64, nu: f64) -> f64 {
    (x.abs() - nu).max(0.0).copysign(x)
}

/// The claim on Algorithm 2.
pub(super) const PROXIMAL: &str = "gcd-prox-priv-corrected";

/// With an ℓ₁ regulariser and a ridge inside f, by each of the three rules.
#[test]
fn the_private_proximal_algorithm_is_its_reference() {
    const RIDGE: f64 = 0.3;
    let statement = statement(PROXIMAL);
    let rules = [
        ("Alg2S", gcd::Rule::GsS),
        ("Alg2R", gcd::Rule::GsR),
        ("Alg2G", gcd::Rule::GsQ(gcd::Orientation::LargestDecrease)),
    ];
    for seed in 0..45 {
        let (name, rule) = rules[seed as usize % 3];
        let process = statement.context.process(name).expect("Algorithm 2");
        let (records, features) = (3 + seed as usize % 5, 1 + seed as usize % 6);
        let nu = 0.05 * (seed % 4) as f64;
        let problem = problem(seed, records, features, Regulariser::L1(nu));
        let problem = problem.with_ridge(RIDGE).expect("a ridge");
        let case = Case::new(seed, problem, 3000);
        let each = |entry: &dyn Fn(f64) -> f64| case.smoothness.iter().map(|m| entry(*m)).collect();
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
        let outside = Descent {
            problem: &case.problem,
            tape: case.tape,
            maps: &maps,
        };
        let interpreter = Interpreter {
            context: &statement.context,
            outside: &outside,
        };
        // The solver has the scale of a selection in units of the derivative.
        let selected = case.scales(&interpreter, "λ′", "k").into_iter();
        let selected = selected
            .zip(&case.smoothness)
            .map(|(scale, m)| scale * m.sqrt());
        let mut config = case.config([selected.collect(), case.scales(&interpreter, "λ", "k")]);
        config.rule = rule;
        config.selection = gcd::SelectionNoise::OnScore;
        let run = interpreter.run(process, &case.world);
        case.hold(&run, &config, &format!("seed {seed}"));
    }
}
