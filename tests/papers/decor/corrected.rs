//! The corrected Corollary 12 (`decor-cor-12-pl-corrected`) against runs of its algorithm on its witness: regularised logistic
//! regression, whose regulariser is public and stays outside the clipping.

use dp_assay_spec::decor::bites::{Network, Ridge, corrected};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const DIMENSION: usize = 2;
const USERS: usize = 20;
const RECORDS: usize = 5;
const CURVATURE: f64 = 1.0;
const STEPS: usize = 300;
const RUNS: usize = 250;

type Model = [f64; DIMENSION];
/// a, with its label ±1 as a factor.
type Record = Model;

fn normal(random: &mut Pcg64) -> f64 {
    let (u, v): (f64, f64) = (random.random(), random.random());
    (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

/// Records of norm 1 whose labels a line through 0 mostly separates.
fn records(random: &mut Pcg64) -> Vec<Vec<Record>> {
    let mut record = || {
        let angle = std::f64::consts::TAU * random.random::<f64>();
        let side = f64::from(angle.cos() + 0.3 * normal(random) > 0.0) * 2.0 - 1.0;
        [side * angle.cos(), side * angle.sin()]
    };
    (0..USERS)
        .map(|_| (0..RECORDS).map(|_| record()).collect())
        .collect()
}

fn margin(x: &Model, a: &Record) -> f64 {
    x.iter().zip(a).map(|(x, a)| x * a).sum()
}

/// ∇f(x, a), of norm below 1: clipping at C = 1 leaves it alone.
fn gradient(x: &Model, a: &Record) -> Model {
    let weight = -1.0 / (1.0 + margin(x, a).exp());
    a.map(|a| weight * a)
}

fn loss(x: &Model, data: &[Vec<Record>]) -> f64 {
    let all = data.iter().flatten();
    let sum: f64 = all.map(|a| (-margin(x, a)).exp().ln_1p()).sum();
    let norm: f64 = x.iter().map(|x| x * x).sum();
    sum / (USERS * RECORDS) as f64 + CURVATURE / 2.0 * norm
}

/// The least loss, by gradient descent with the step 1/L: the error falls by 1 − μ/L = 1/5 of it each time.
fn least(data: &[Vec<Record>]) -> f64 {
    let mut x = [0.0; DIMENSION];
    for _ in 0..400 {
        let mut sum = [0.0; DIMENSION];
        for a in data.iter().flatten() {
            let g = gradient(&x, a);
            (0..DIMENSION).for_each(|k| sum[k] += g[k] / (USERS * RECORDS) as f64);
        }
        (0..DIMENSION).for_each(|k| x[k] -= (sum[k] + CURVATURE * x[k]) / (0.25 + CURVATURE));
    }
    loss(&x, data)
}

/// The edges of the graph and the weight of each neighbour.
struct Gossip {
    edges: Vec<(usize, usize)>,
    weight: f64,
}

/// The average model after one run of the corrected algorithm at ε = 1, δ = n⁻².
fn run(network: &Network, gossip: &Gossip, data: &[Vec<Record>], random: &mut Pcg64) -> Model {
    let kappa = 12.0 + 8.0 * std::f64::consts::SQRT_2;
    let noise = kappa * STEPS as f64 * 2.0 * network.users.ln();
    let (cdp, cor) = (
        (noise / network.users).sqrt(),
        (noise / network.connectivity).sqrt(),
    );
    let tau = 16.0 * (0.25 + CURVATURE) / (CURVATURE * network.rate);
    let mut models = vec![[0.0; DIMENSION]; USERS];
    for t in 0..STEPS {
        let eta = 2.0 / (CURVATURE * (t as f64 + tau));
        let mut messages: Vec<Model> = (models.iter().zip(data))
            .map(|(x, own)| {
                let g = gradient(x, &own[random.random_range(0..RECORDS)]);
                std::array::from_fn(|k| g[k] + CURVATURE * x[k] + cdp * normal(random))
            })
            .collect();
        for &(i, j) in &gossip.edges {
            let shared: Model = std::array::from_fn(|_| cor * normal(random));
            for (k, noise) in shared.into_iter().enumerate() {
                messages[i][k] += noise;
                messages[j][k] -= noise;
            }
        }
        let half: Vec<Model> = (models.iter().zip(&messages))
            .map(|(x, m)| std::array::from_fn(|k| x[k] - eta * m[k]))
            .collect();
        models.clone_from(&half);
        for &(i, j) in &gossip.edges {
            let moved: Model = std::array::from_fn(|k| gossip.weight * (half[j][k] - half[i][k]));
            for (k, moved) in moved.into_iter().enumerate() {
                models[i][k] += moved;
                models[j][k] -= moved;
            }
        }
    }
    std::array::from_fn(|k| models.iter().map(|x| x[k]).sum::<f64>() / USERS as f64)
}

/// False alarm, by Chebyshev's inequality with the sample's variance in place of the true one: below 10⁻³ for each graph, which
/// is asserted. Power: on the complete graph the mean gap is more than a tenth of the bound, so that a bound ten times smaller
/// would be exceeded; on the ring the bound is far from sharp.
#[test]
fn the_corrected_bound_is_not_exceeded_on_its_witness() {
    let n = USERS as u32;
    let pairs = |keep: fn(usize, usize) -> bool| {
        let all = (0..USERS).flat_map(|i| (i + 1..USERS).map(move |j| (i, j)));
        all.filter(|&(i, j)| keep(i, j)).collect()
    };
    let complete = Gossip {
        edges: pairs(|_, _| true),
        weight: 1.0 / USERS as f64,
    };
    let ring = Gossip {
        edges: pairs(|i, j| j == i + 1 || (i == 0 && j == USERS - 1)),
        weight: 1.0 / 3.0,
    };
    let problem = Ridge {
        dimension: DIMENSION as f64,
        curvature: CURVATURE,
    };
    for (name, network, gossip, sharp) in [
        ("complete", Network::complete(n, 0), complete, 10.0),
        ("ring", Network::ring(n, false), ring, f64::INFINITY),
    ] {
        let mut random = Pcg64::seed_from_u64(23);
        let data = records(&mut random);
        let best = least(&data);
        let gaps: Vec<f64> = (0..RUNS)
            .map(|_| loss(&run(&network, &gossip, &data, &mut random), &data) - best)
            .collect();
        let mean = gaps.iter().sum::<f64>() / RUNS as f64;
        let variance = gaps.iter().map(|g| (g - mean).powi(2)).sum::<f64>() / (RUNS - 1) as f64;
        let bound = corrected(&network, &problem, STEPS as f64);
        let alarm = variance / RUNS as f64 / (bound - mean).powi(2);
        println!(
            "{name}: mean gap {mean:.4}, bound {bound:.4}, gap at 0 {:.4}",
            problem.gap()
        );
        assert!(
            gaps.iter().all(|g| *g >= -1e-9),
            "{name}: below the least loss"
        );
        assert!(
            mean < bound && alarm < 1e-3,
            "{name}: {mean} against {bound}, {alarm}"
        );
        assert!(mean * sharp > bound, "{name}: {mean} against {bound}");
    }
}
