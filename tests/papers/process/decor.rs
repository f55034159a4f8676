//! Algorithm 1 of decor: entry j of user i's model is entry i·d + j of the state, and of what is drawn for an edge entry j behind
//! those of the edges before it.

use super::interpreter::{Drawn, Interpreter, Outside, Run, Value, World};
use super::{assert_close, statement, units, world};
use dp_assay::accounting::decor::Noise;
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::problem::{Graph, MixingMatrix, Weights};
use dp_assay::solver::decor::secrets::{own_noise, pair_noise};
use dp_assay::solver::decor::{Config, LocalLosses, Sampling, Secrets, StepSizes, reference};

/// ∇f_i(x) = a_i(a_i·x − b_i), and the public regulariser (c/2)‖x‖².
struct Squares {
    scales: Vec<f64>,
    targets: Vec<Vec<f64>>,
    ridge: f64,
}

impl LocalLosses for Squares {
    fn users(&self) -> usize {
        self.scales.len()
    }

    fn dimension(&self) -> usize {
        self.targets[0].len()
    }

    fn examples(&self, _: usize) -> usize {
        1
    }

    fn gradient(&self, user: usize, _: usize, x: &[f64], out: &mut [f64]) {
        let a = self.scales[user];
        let parts = x
            .iter()
            .zip(&self.targets[user])
            .map(|(x, b)| a * (a * x - b));
        out.iter_mut().zip(parts).for_each(|(out, g)| *out = g);
    }

    fn regularise(&self, x: &[f64], out: &mut [f64]) {
        out.iter_mut()
            .zip(x)
            .for_each(|(out, x)| *out += self.ridge * x);
    }
}

struct Network<'a> {
    losses: &'a Squares,
    edges: Vec<(usize, usize)>,
    secrets: Secrets,
    /// The user whose record may change.
    one: usize,
    /// The deviation of the noise that edges have in common.
    shared: f64,
}

impl Network<'_> {
    fn dimension(&self) -> usize {
        self.losses.dimension()
    }

    fn of_pair(&self, edge: usize, step: u64, j: usize) -> f64 {
        let (i, k) = self.edges[edge];
        let tape = self.secrets.pair(i, k).expect("they share a seed");
        pair_noise(tape, step as usize, j).uniform().gaussian()
    }

    fn of_user(&self, user: usize, step: u64, j: usize) -> f64 {
        let tape = self.secrets.own(user);
        own_noise(tape, step as usize, j).uniform().gaussian()
    }
}

/// Which entry of a unit vector is 1.
fn which(unit: &[f64]) -> usize {
    unit.iter().position(|x| *x == 1.0).expect("a unit vector")
}

impl Outside for Network<'_> {
    /// Of the public regulariser.
    fn gradient(&self, _: &str, x: &[f64], _: Option<usize>) -> Vec<f64> {
        let mut gradient = vec![0.0; x.len()];
        self.losses.regularise(x, &mut gradient);
        gradient
    }

    fn map(&self, name: &str, a: &[Vec<f64>]) -> Vec<f64> {
        let of = |user: usize, x: &[f64]| {
            let mut gradient = vec![0.0; x.len()];
            self.losses.gradient(user, 0, x, &mut gradient);
            gradient
        };
        match (name, a) {
            ("f", [user, x, _]) => of(which(user), x),
            ("Φ", [x, _]) => x.clone(),
            ("γ", [x, _]) => of(self.one, x),
            ("R", [x]) => self.gradient("", x, None),
            // What a colluder knows: the noise of its edge.
            ("ς", [edge, step]) => {
                let entry = |j| self.shared * self.of_pair(which(edge), step[0] as u64, j);
                (0..self.dimension()).map(entry).collect()
            }
            other => panic!("{other:?} is no map"),
        }
    }

    fn noise(&self, drawn: &Drawn<'_>, entry: u64) -> f64 {
        let (step, d, n) = (drawn.count, self.dimension(), self.losses.users());
        let (at, j) = (entry as usize / d, entry as usize % d);
        match drawn.name {
            // Users take all of their examples.
            "ξ" => 0.0,
            "z" | "ς" => self.of_pair(at, step, j),
            "w" => self.of_user(at, step, j),
            "y" if at < n => self.of_user(at, step, j),
            "y" => self.of_pair(at - n, step, j),
            other => panic!("{other} is not drawn"),
        }
    }
}

/// A network, and what statements on it have in common.
struct Case {
    graph: Graph,
    losses: Squares,
    start: Vec<f64>,
    seed: u64,
    what: String,
}

const STEPS: usize = 5;

impl Case {
    fn new(id: &str, seed: u64) -> Self {
        let graph = match seed % 3 {
            0 => Graph::ring(4),
            1 => Graph::complete(3),
            _ => Graph::new(4, &[(0, 1), (1, 2), (1, 3), (2, 3)]),
        };
        let graph = graph.expect("a graph");
        let (d, tape) = (1 + seed as usize % 2, Tape::new(7000 + seed));
        let entry = |i: usize, j: usize| tape.uniform(i as u64, Purpose::Data, j as u64).gaussian();
        Self {
            losses: Squares {
                scales: (0..graph.n()).map(|i| 0.5 + 0.3 * i as f64).collect(),
                targets: (0..graph.n())
                    .map(|i| (0..d).map(|j| entry(i, j)).collect())
                    .collect(),
                ridge: 0.25,
            },
            start: (0..d).map(|j| 0.5 - j as f64).collect(),
            graph,
            seed,
            what: format!("{id}, seed {seed}"),
        }
    }

    fn mixing(&self) -> MixingMatrix {
        MixingMatrix::of(&self.graph, Weights::MetropolisHastings).expect("weights")
    }

    fn outside(&self, one: usize, shared: f64) -> Network<'_> {
        Network {
            losses: &self.losses,
            edges: self.graph.edges().collect(),
            secrets: Secrets::from_seed(&self.graph, self.seed),
            one,
            shared,
        }
    }

    /// Sizes, edges with a head and a tail, the numbering of entries, weights and start.
    fn world(&self, numbers: &[(&str, f64)]) -> World {
        let (n, d) = (self.graph.n(), self.start.len());
        let edges: Vec<(usize, usize)> = self.graph.edges().collect();
        let own = [
            ("n", n),
            ("E", edges.len()),
            ("d", d),
            ("T", STEPS),
            ("B", 1),
            ("B′", d),
        ];
        let own = own.map(|(name, value)| (name, value as f64));
        let given = [("C", CLIP), ("μ", SLOPE.0), ("θ", SLOPE.1), ("λ", 0.0)];
        let start = self.start.repeat(n);
        let mut w = world(&[&own[..], &given, numbers].concat(), &[("v₀", &start)]);
        let unit = |m: usize, at: usize| units(m).swap_remove(at);
        let high = |m: usize| (0..m * d).map(|at| unit(m, at / d)).collect();
        let low = |m: usize| (0..m * d).map(|at| unit(d, at % d)).collect();
        let mixing = self.mixing();
        let row = |i| (0..n).map(|j| mixing.matrix()[(i, j)]).collect();
        for (name, vectors) in [
            ("h", edges.iter().map(|(i, _)| unit(n, *i)).collect()),
            ("t", edges.iter().map(|(_, j)| unit(n, *j)).collect()),
            ("Θ", high(n)),
            ("β", low(n)),
            ("χ", high(edges.len())),
            ("φ", low(edges.len())),
            ("W", (0..n).map(row).collect()),
            ("ς₀", vec![vec![0.0; edges.len() * d]; STEPS]),
        ] {
            w.insert(name.to_owned(), Value::Sequence(vectors));
        }
        w
    }

    /// Holds the state before and after mixing against the reference's messages and models.
    fn hold(&self, run: &Run, noise: [f64; 3], step_sizes: StepSizes) {
        let [cdp, cor, clip] = noise;
        let secrets = Secrets::from_seed(&self.graph, self.seed);
        let states: Vec<&[f64]> = run.named("v").map(|event| event.vector()).collect();
        let per_step = states.len() / STEPS;
        let mut clipped = 0;
        for steps in 1..=STEPS {
            let config = Config {
                graph: self.graph.clone(),
                mixing: self.mixing(),
                noise: Noise::new(cdp, cor, clip).expect("noise"),
                steps,
                step_sizes,
                sampling: Sampling::AllExamples,
                keep_transcript: true,
            };
            let reference = reference::run(&config, &self.losses, &secrets, &self.start);
            let reference = reference.expect("a run");
            let [.., sent, mixed] = &states[..steps * per_step] else {
                panic!("two states a step")
            };
            let messages = &reference.transcript[steps - 1];
            assert_close(sent, messages.as_slice(), &self.what);
            assert_close(mixed, reference.models.as_slice(), &self.what);
            clipped = reference.clipped;
        }
        assert!(clipped > 0, "{}: nothing was clipped", self.what);
    }
}

pub(super) const ANY_NOISE: &str = "decor-thm-2a-corrected";

/// Of the step sizes that decrease, μ and θ.
const SLOPE: (f64, f64) = (0.5, 3.0);

const DECREASING: StepSizes = StepSizes::Decreasing {
    scale: 2.0 / SLOPE.0,
    offset: 16.0 + SLOPE.1,
};

/// C.
const CLIP: f64 = 0.4;

/// The process of which utility is proved whatever its noise, with a step size that decreases.
#[test]
fn the_process_of_the_utility_theorem_is_its_reference() {
    let statement = statement(ANY_NOISE);
    let process = statement.context.process("Alg1").expect("Algorithm 1");
    for seed in 0..12 {
        let case = Case::new(ANY_NOISE, seed);
        let (sigma, nu) = (0.3, 0.7);
        let outside = case.outside(0, nu);
        let interpreter = Interpreter {
            context: &statement.context,
            outside: &outside,
        };
        let run = interpreter.run(process, &case.world(&[("σ", sigma), ("ν", nu)]));
        case.hold(&run, [sigma, nu, CLIP], DECREASING);
    }
}

/// The claims on processes that are private against colluders, with the process of each, and its step size where that is constant. What
/// Corollary 12 says of gradients is of this process with their squares summed up.
pub(super) const PRIVATE: [(&str, &str, Option<f64>); 5] = [
    ("decor-alg-1-corrected", "Alg1", Some(0.2)),
    ("decor-cor-12-nc-corrected", "Alg1′", Some(0.2)),
    ("decor-cor-12-pl-corrected", "Alg1", None),
    ("decor-cor-3a-util-corrected", "Alg1", None),
    ("decor-cor-3b-util-corrected", "Alg1", None),
];

/// With no colluder and with one, at the noise that the statement asks for, and with the example of each user in turn as the record
/// that changes.
#[test]
fn private_processes_are_their_reference_with_and_without_colluders() {
    for (k, (id, name, constant)) in PRIVATE.into_iter().enumerate() {
        for seed in (0..12).filter(|seed| k == 0 || seed % 2 == k as u64 % 2) {
            private(id, name, constant, seed);
        }
    }
}

fn private(id: &str, name: &str, constant: Option<f64>, seed: u64) {
    let statement = statement(id);
    let process = statement.context.process(name).expect("Algorithm 1");
    let case = Case::new(id, seed);
    let n = case.graph.n();
    let (one, colluder) = (seed as usize % n, (seed as usize + 1) % n);
    let colluders = seed / 3 % 2;
    let (delta, epsilon, gap) = (1e-3_f64, 20.0, 0.8);
    let honest = (n as u64 - colluders) as f64;
    let variance = |share: f64| {
        let constant = 12.0 + 8.0 * 2.0_f64.sqrt();
        constant * CLIP * CLIP * STEPS as f64 * -delta.ln() / (share * epsilon * epsilon)
    };
    let [cdp, cor] = [honest, gap].map(|share| variance(share).sqrt());
    let mut w = case.world(&[
        ("δ", delta),
        ("ε", epsilon),
        ("a", gap),
        ("m", honest),
        ("u₀", one as f64),
        ("ν₀", cor),
    ]);
    let is = |condition: bool| f64::from(u8::from(condition));
    let out: Vec<f64> = (0..n)
        .map(|i| is(colluders == 1 && i == colluder))
        .collect();
    // b of the edges that colluders do not know, or of the others.
    let edges = |known: bool| {
        let edge = |(i, j): (usize, usize)| {
            let of = is(known == (out[i] + out[j] > 0.0));
            (0..n).map(|k| of * (is(k == i) - is(k == j))).collect()
        };
        Value::Sequence(case.graph.edges().map(edge).collect())
    };
    w.insert("υ".to_owned(), edges(false));
    w.insert("υ′".to_owned(), edges(true));
    if let Some(size) = constant {
        w.insert("η".to_owned(), Value::Vector(vec![size; STEPS]));
        w.insert("η₀".to_owned(), Value::Number(size));
    }
    w.insert("ϖ".to_owned(), Value::Vector(out));
    let outside = case.outside(one, cor);
    let interpreter = Interpreter {
        context: &statement.context,
        outside: &outside,
    };
    for x in ["ℓ", "K", "σ", "ν"] {
        if statement.context.sort(x).is_some() {
            let value = Value::Number(interpreter.assumed(x, &w));
            w.insert(x.to_owned(), value);
        }
    }
    let run = interpreter.run(process, &w);
    let step_sizes = constant.map_or(DECREASING, StepSizes::Constant);
    case.hold(&run, [cdp, cor, CLIP], step_sizes);
}
