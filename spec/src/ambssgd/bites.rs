//! Where the [corrected](super::corrected) Theorem 3.7 bites: its schedule for x ~ N(0, I_d), and the smallest N at which its bound is below
//! the risk of the output 0.

/// What the schedule is computed from: nothing of it is data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearProblem {
    /// d.
    pub features: u32,
    /// A bound on ‖w*‖.
    pub norm: f64,
    /// A bound on σ.
    pub noise: f64,
    /// ε.
    pub epsilon: f64,
    /// δ.
    pub delta: f64,
    /// β_1, for one draw.
    pub draw: f64,
    /// β_2, for the levels to reach the residuals of all blocks.
    pub reach: f64,
}

/// A run of `ambssgd-thm-1.1-corrected`, or of `ambssgd-thm-3.7-corrected-normal-run`, with its bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockSchedule {
    /// T, b and s; T(b + s) of the N records are read.
    pub blocks: u64,
    /// b.
    pub batch: u64,
    /// s.
    pub statistics: u64,
    /// m.
    pub levels: u32,
    /// η.
    pub step: f64,
    /// α.
    pub multiplier: f64,
    /// 2ρU, or ϱ: ζ_t is this times γ_t.
    pub factor: f64,
    /// β_1, or (m + 1)e^{−ℓ}: the margin is α√(2m·log((m+1)/this)).
    pub draw: f64,
    /// B of the levels, Δ·2^m.
    pub domain: f64,
    /// R, in units of the squared target: the bound on E[(L(w̄) − L*)·1_E].
    pub bound: f64,
    /// The bound on P(Eᶜ), or on what may fail besides β.
    pub failure: f64,
}

/// Where the bound meets the risk of the output 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bite {
    /// The smallest N, to one part in a hundred.
    pub records: u64,
    /// R/β there.
    pub bound: f64,
    /// R/β over the bound that Theorem 3.7 prints there, its Õ without hidden factor.
    pub over_printed: f64,
}

/// β of Markov's inequality in [`bites_at`], and with the events of E a failure of at most 2β in all.
const FAILURE: f64 = 0.05;

/// The schedule of the corrected theorem for x ~ N(0, I_d) on N records: s = b/10, the largest step, and the least even T with
/// ηT ≥ 4·log N, so that the bias has the factor 1/N. `None` where (d), (e), (f) or b ≥ d + 1 fail.
#[must_use]
pub fn schedule(problem: &LinearProblem, records: u64) -> Option<BlockSchedule> {
    let n = records as f64;
    let d = f64::from(problem.features);
    let log = -problem.delta.ln();
    let alpha = (2.0 * (log + problem.epsilon)).sqrt() / problem.epsilon;
    let u2 = -2.0 * problem.draw.ln();
    let rho = d.sqrt() + u2.sqrt();
    let levels = (2.0 * n.log2()).ceil();
    let least = (4.0 * n.ln() / 2.0).ceil() as u64 * 2;
    let fitting = |blocks: &u64| {
        let (batch, _) = split(records, *blocks);
        largest_step(batch, d) * *blocks as f64 >= 4.0 * n.ln()
    };
    let blocks = (least..records / 11).step_by(2).find(fitting)?;
    let (batch, statistics) = split(records, blocks);
    let (b, s, t) = (batch as f64, statistics as f64, blocks as f64);
    let step = largest_step(batch, d);
    let margin = alpha * (2.0 * levels * ((levels + 1.0) / problem.draw).ln()).sqrt();
    let admits =
        b > d && b * b >= 128.0 * step * (alpha * rho * u2).powi(2) * d && s >= 8.0 * margin;
    let (w2, sigma2) = (problem.norm.powi(2), problem.noise.powi(2));
    let paid = 16.0 * (alpha * rho / b).powi(2) * d * u2;
    let q = |width: f64| sigma2 * d / b + paid * (4.0 * u2 * sigma2 + width * width);
    let reach = |q: f64| (u2 * (sigma2 + t / problem.reach * (w2 + 2.0 * step * q))).sqrt();
    let domain = 1.01 * reach(q(0.0));
    let q = q(domain / levels.exp2());
    let theta = step * ((d + 1.0) / b + 4.0 * paid * u2);
    let weight = 16.0 + 8.0 * theta;
    let bias = weight / (step * t).powi(2) * (-step * t / 4.0).exp() * w2;
    let bound = 2.0 * q / t * (1.0 + 2.0 * theta + weight / (step * t)) + bias;
    let failure = t * ((s + 2.0 * b + 1.0) * problem.draw + (-s / 8.0).exp()) + problem.reach;
    (admits && domain >= reach(q)).then_some(BlockSchedule {
        blocks,
        batch,
        statistics,
        levels: levels as u32,
        step,
        multiplier: alpha,
        factor: 2.0 * rho * u2.sqrt(),
        draw: problem.draw,
        domain,
        bound,
        failure,
    })
}

/// b and s = b/10 (rounded up) of a block of N/T records.
fn split(records: u64, blocks: u64) -> (u64, u64) {
    let block = records / blocks;
    let statistics = block.div_ceil(11);
    (block - statistics, statistics)
}

/// b/(b + d + 1).
fn largest_step(batch: u64, d: f64) -> f64 {
    let b = batch as f64;
    b / (b + d + 1.0)
}

/// The problem at N records with ε = 1, δ = N⁻², ‖w*‖ = σ = 1, and failures of at most β for all draws and levels.
#[must_use]
pub fn witness(features: u32, records: u64) -> LinearProblem {
    let n = records as f64;
    LinearProblem {
        features,
        norm: 1.0,
        noise: 1.0,
        epsilon: 1.0,
        delta: 1.0 / (n * n),
        // T(s + 2b + 1) ≤ 2N.
        draw: FAILURE / (4.0 * n),
        reach: FAILURE / 4.0,
    }
}

/// The smallest N at which R/β, β = 1/20, is below the risk ½‖w*‖² of the output 0, for x ~ N(0, I_d) and the [`witness`]; the
/// bound then holds with probability at least 9/10.
#[must_use]
pub fn bites_at(features: u32) -> Bite {
    let bound = |records: u64| {
        let found = schedule(&witness(features, records), records)?;
        (found.failure <= FAILURE).then_some(found.bound / FAILURE)
    };
    let bites = |records: u64| bound(records).is_some_and(|r| r < 0.5);
    let mut hi = 1_000;
    while !bites(hi) && hi < 1 << 60 {
        hi *= 2;
    }
    let mut lo = hi / 2;
    while hi - lo > hi / 100 {
        let middle = lo + (hi - lo) / 2;
        if bites(middle) {
            hi = middle;
        } else {
            lo = middle;
        }
    }
    let (n, d) = (hi as f64, f64::from(features));
    let printed = 8.0 * d / n + d * d * 2.0 * n.ln() / (n * n);
    let bound = bound(hi).unwrap_or(f64::INFINITY);
    Bite {
        records: hi,
        bound,
        over_printed: bound / printed,
    }
}

/// The smallest N, to one part in a hundred, at which R/β of `ambssgd-thm-3.7-corrected-normal-run`, β = 1/20, is below the risk of the
/// output 0, as for [`bites_at`], with φ = 1, half of the blocks before the average, at most 100 of them and η a power of 2 times the
/// largest; other φ and k make it smaller by about a quarter.
#[must_use]
pub fn normal_bites_at(features: u32) -> Bite {
    let over = |n: f64| normal_run(features, n as u64).map_or(f64::INFINITY, |r| r.bound / FAILURE);
    let mut n = 1e3;
    while over(n) >= 0.5 {
        n *= 1.01;
    }
    let d = f64::from(features);
    let printed = 8.0 * d / n + d * d * 2.0 * n.ln() / (n * n);
    Bite {
        records: n as u64,
        bound: over(n),
        over_printed: over(n) / printed,
    }
}

/// The run of least R on N records of the [`witness`] with a failure of β in all besides β: half for what is clipped and for DP-STAT, the
/// other half for B. `None` where N are too few.
#[must_use]
pub fn normal_run(features: u32, records: u64) -> Option<BlockSchedule> {
    let tried = (1..=50).flat_map(|half| (0..8).map(move |shorter| (half, shorter)));
    let runs = tried.filter_map(|(half, shorter)| run_of(features, records, half, shorter));
    runs.min_by(|one, other| one.bound.total_cmp(&other.bound))
}

/// That of twice so many blocks, with 2^−`shorter` of the largest step.
fn run_of(features: u32, records: u64, half: u32, shorter: i32) -> Option<BlockSchedule> {
    let (d, n, k) = (f64::from(features), records as f64, f64::from(half));
    let (levels, blocks) = ((2.0 * n.log2()).ceil(), 2 * u64::from(half));
    let (share, alpha2) = (FAILURE / 2.0, 2.0 * (2.0 * n.ln() + 1.0));
    let t = blocks as f64;
    let count = |l: f64| (32.0 * (alpha2 * 2.0 * levels * l).sqrt() + 1.0).ceil();
    // The least ℓ, up to what r changes with it: T(4b + 2m(r + 1))·e^(−ℓ) and T·m·e^(−r/16) make up the share.
    let mut l = (12.0 * levels * n / share).ln();
    for _ in 0..8 {
        let r = count(l);
        let each = 4.0 * (n / t - r).max(1.0) + 2.0 * levels * (r + 1.0);
        l = (t * each / (share - t * levels * (-r / 16.0).exp())).ln();
    }
    let counted = count(l);
    let batch = (records / blocks).checked_sub(counted as u64)?;
    let (b, v2, root) = (batch as f64, 8.0 * l, (2.0 * l).sqrt());
    let factor = 4.0 * (d.sqrt() + root) * root;
    let private = 4.0 * factor * factor * alpha2 / (b * b);
    let chi = (d + 1.0) / b + d * private * v2;
    let step = 0.5_f64.powi(shorter) / (1.0 + chi);
    // With ‖w*‖ = σ = 1 and B² = 2(1 + Tη²Q)/share for a Q without Δ; that with it may be twice as far.
    let noise = |width2: f64| d * (1.0 / b + private * (width2 + v2));
    let leaves = |q: f64| (1.0 + t * step * step * q) / share;
    let radius2 = 2.0 * leaves(noise(0.0));
    let domain2 = 2.0 * l * (radius2 + 1.0);
    let q = noise(domain2 / (2.0 * levels).exp2());
    let each = 4.0 * b + 2.0 * levels * (counted + 1.0);
    let missed = t * (each * (-l).exp() + levels * (-counted / 16.0).exp());
    let start = (k * (-step).ln_1p()).exp() + 2.0 * step * q;
    let bound = (1.0 + chi * step) * q / k + 3.0 * start / (step * k).powi(2);
    let failure = missed + leaves(q) * share / radius2;
    (batch > 0 && failure <= FAILURE).then_some(BlockSchedule {
        blocks,
        batch,
        statistics: counted as u64,
        levels: levels as u32,
        step,
        multiplier: alpha2.sqrt(),
        factor,
        draw: (levels + 1.0) * (-l).exp(),
        domain: domain2.sqrt(),
        bound,
        failure,
    })
}

/// R over 8σ²d/N for the [`witness`] at N records: below 1 the bound on the expectation is better than what is
/// printed with high probability. Infinite where the theorem does not apply.
#[must_use]
pub fn leading_ratio(features: u32, records: u64) -> f64 {
    let printed = 8.0 * f64::from(features) / records as f64;
    schedule(&witness(features, records), records)
        .map_or(f64::INFINITY, |found| found.bound / printed)
}

/// The smallest N, to one part in a hundred, at which R/β of `ambssgd-cor-3.3-util-corrected`, β = 1/20, is below the risk
/// ½‖w*‖² of the output 0, for ε = 1, δ = N⁻² and ‖w*‖ = σ = 1. α is that without the shuffle, as ε = 1 asks for. It is far above
/// any number of records: the price of failure probabilities of N^{−103} in ζ and η.
#[must_use]
pub fn shuffled_bites_at(features: u32) -> f64 {
    let d = f64::from(features);
    let bites = |n: f64| {
        let (l, alpha2) = (2.0_f64.ln() + 103.0 * n.ln(), 2.0 * (2.0 * n.ln() + 1.0));
        let first = 64.0 * 560.0 * (64.0 / 9.0) * (d + 2.0) * d * alpha2 * l.powi(4);
        let second = 4.0 * 1050.0 * (8.0 / 3.0) * (d + 2.0) * l.powi(3);
        let eta = 1.0 / first.max(second).max(2.0 * (d + 2.0));
        let noise = 256.0 * (64.0 / 9.0) * d * (d + 2.0) * alpha2 * l * l * 2.0 / n;
        let bound = 0.5 * (d + 2.0) * (-eta * n / 2.0).exp() + 2.0 * d / n + noise;
        bound / FAILURE < 0.5
    };
    let mut n = 1e6;
    while !bites(n) {
        n *= 1.01;
    }
    n
}

/// The smallest N, to one part in a hundred, at which R/β of `ambssgd-thm-3.2-corrected-normal`, β = 1/20, is below the risk
/// ½‖w*‖² of the output 0, for the [`witness`]; the bound then holds with probability at least 9/10.
#[must_use]
pub fn any_order_bites_at(features: u32) -> u64 {
    let bites = |n: f64| any_order_bound(features, n) / FAILURE < 0.5;
    let mut n = 1e3;
    while !bites(n) {
        n *= 1.01;
    }
    n as u64
}

/// The least R for N records: φ = 1, half of them before the average, and η a power of 2. Of the failure half is β, one eighth
/// for clipped gradients and the rest for B.
fn any_order_bound(features: u32, records: f64) -> f64 {
    let d = f64::from(features);
    let clipped = FAILURE / 4.0;
    let left = FAILURE - clipped;
    let l = (4.0 * records / clipped).ln();
    let (alpha2, n) = (2.0 * (2.0 * records.ln() + 1.0), records / 2.0);
    let factor = (d.sqrt() + (2.0 * l).sqrt()) * (2.0 * l).sqrt();
    let bound = |eta: f64| {
        // With σ = ‖w*‖ = 1: left·B² = 1 + Nη²d·(1 + 4α²·factor²·(B + 1)²).
        let noise = records * eta * eta * d;
        let private = 4.0 * alpha2 * factor * factor * noise;
        let (square, rest) = (left - private, 1.0 + noise + private);
        if (d + 2.0) * eta > 1.0 || square <= 0.0 {
            return f64::INFINITY;
        }
        let radius = (private + (private * private + square * rest).sqrt()) / square;
        let q = d * (1.0 + 4.0 * alpha2 * (factor * (radius + 1.0)).powi(2));
        let bias = (n * (-eta).ln_1p()).exp() + 2.0 * eta * q;
        (1.0 + (d + 1.0) * eta) * q / n + 3.0 * bias / (eta * n).powi(2)
    };
    let steps = (0..80).map(|k| bound(0.5_f64.powi(k)));
    steps.fold(f64::INFINITY, f64::min)
}

/// The privacy term of `ambssgd-thm-3.2-corrected` over that of (6) at N records, for a = ½ and K_2² = 8/3:
/// 256·K_2⁴L² over 128·K_2²log²N, L = log(2N^{103}).
#[must_use]
pub fn long_logarithm(records: f64) -> f64 {
    let log = records.ln();
    let long = 2.0_f64.ln() + 103.0 * log;
    2.0 * (8.0 / 3.0) * (long / log).powi(2)
}
