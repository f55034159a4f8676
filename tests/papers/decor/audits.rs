//! Audits of DECOR as each of its adversaries sees it: by likelihood ratio, by betting, and by the
//! covariance of what is seen. Correct solvers keep their claim, broken ones are caught.

use dp_assay::accounting::decor::search::SlopeBudget;
use dp_assay::accounting::decor::{Adversary, Noise};
use dp_assay::accounting::gdp;
use dp_assay::audit::builtin::{self, Parameters};
use dp_assay::audit::colluders::{Course, Solver, WorstCase};
use dp_assay::audit::likelihood::LossSample;
use dp_assay::audit::{Audit, Release, Verdict, from_fn};
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::Graph;
use dp_assay::solver::decor::{
    Config, LocalLosses, Run, RunError, Secrets, optimized, reference, secrets, view,
};
use dp_assay::units::{Delta, Epsilon, Neighbouring};
use nalgebra::{DMatrix, DVector};

/// Eavesdropper, curious user, two colluders, everybody but one.
const COLLUDERS: [usize; 4] = [0, 1, 2, 8];
const DELTA: f64 = 1e-3;
/// Small, so that σ < 1 and σ² is less noise.
const CLIP: f64 = 0.01;

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).expect("≥ 0")
}

/// Noise that is calibrated for ε at [`DELTA`] with ρ = 10, on the worst pair.
fn calibrated(
    solver: Solver,
    graph: &str,
    colluders: usize,
    target: f64,
    (steps, course): (usize, Course),
) -> WorstCase {
    let graph: Graph = graph.parse().expect("a graph");
    let adversary = Adversary::Colluding(colluders);
    let delta = Delta::new(DELTA).expect("in [0, 1]");
    let budget = SlopeBudget::new(epsilon(target), delta, steps as u64, CLIP, adversary);
    let noise = budget.expect("in the domain").pair(&graph, 10.0);
    let noise = noise.expect("finite");
    WorstCase::new(solver, graph, noise, adversary, (steps, course)).expect("a pair")
}

/// δ(ε) of the Gaussian mechanism with this μ: the largest by which p_D exceeds e^ε p_D′.
fn profile(mu: f64, at: f64) -> f64 {
    gdp::mechanism(mu).expect("finite").delta(epsilon(at)).hi
}

#[test]
fn likelihood_ratios_enclose_the_accountants_profile_for_every_adversary_and_solver() {
    // False alarm: 10⁻⁸ per enclosure, 16 in all. Power: 6000 samples put the middle of an enclosure within
    // √(ln(1.6·10⁹)/12 000) = 0.042 of the truth and its ends as far again (Hoeffding), so that a separation
    // that is off by a third, which moves δ(0) from 0.370 to 0.480, is seen with probability 1 − 10⁻⁸.
    for (name, solver) in [
        ("reference", reference::run as Solver),
        ("optimized", optimized::run),
    ] {
        for q in COLLUDERS {
            let pair = calibrated(solver, "torus:3x3", q, 3.0, (2, Course::Constant));
            let mu = pair.separation();
            let losses = LossSample::draw(&pair, 6_000, 5).expect("runs are finite");
            for at in [0.0, 1.0] {
                let found = losses.delta(epsilon(at), 1e-8);
                let exact = profile(mu, at);
                let message = format!("{name}, {q} colluders: {found:?}, exactly {exact}");
                assert!(
                    found.delta_lower <= exact && exact <= found.delta_upper,
                    "{message}"
                );
                assert!(found.delta_upper - found.delta_lower < 0.09, "{message}");
            }
            // The claim is exact on this pair: no user is seen better, and this one is seen as well.
            let claimed = profile(mu, 3.0);
            assert!(
                (claimed / DELTA - 1.0).abs() < 1e-9,
                "{name}, {q}: {claimed}"
            );
        }
    }
}

/// The audit of a claim of (3, [`DELTA`]) by betting; `extra` is a statistic besides the ratio.
fn bet(
    pair: &WorstCase,
    extra: Option<fn(&[f64]) -> f64>,
    gaussian: bool,
    trials: u64,
    seed: u64,
) -> Verdict {
    let observed = from_fn("DECOR", |second: &bool, tape: Tape| {
        pair.observe(*second, tape)
    });
    let ratio = pair.clone();
    let audit = Audit::of(&observed)
        .claim(3.0, DELTA)
        .neighbours(Neighbouring::User, false, true)
        .release(Release::Transcript)
        .statistic("log-likelihood ratio", move |seen| ratio.log_ratio(seen))
        .trials(trials)
        .alpha(1e-7)
        .seed(seed);
    let audit = match extra {
        Some(value) => audit.statistic("extra", move |seen| match seen {
            dp_assay::audit::Output::Vector(seen) => value(seen),
            _ => f64::NAN,
        }),
        None => audit,
    };
    let audit = if gaussian { audit.gaussian() } else { audit };
    audit.run().expect("runs are finite").verdict
}

/// What can go wrong.
#[derive(Clone, Copy, PartialEq)]
enum Bug {
    None,
    /// The pairs' seeds give the same noise in rounds 0 and 1.
    ReusedSeed,
    /// v_ji = v_ij.
    NotNegated,
    /// σ² where σ is meant.
    Squared,
    /// Users 0 and 1 share no noise.
    EdgeLeftOut,
    /// Messages are sent before noise is added.
    NoiseAfterAveraging,
}

/// Algorithm 1 in its plainest form, with a bug.
fn broken(
    bug: Bug,
    config: &Config,
    losses: &dyn LocalLosses,
    seeds: &Secrets,
    start: &[f64],
) -> Run {
    let (n, d) = (config.graph.n(), start.len());
    let mut models = DMatrix::from_fn(d, n, |k, _| start[k]);
    let mut transcript = Vec::new();
    let square = |sigma: f64| {
        if bug == Bug::Squared {
            sigma * sigma
        } else {
            sigma
        }
    };
    let (cdp, cor) = (square(config.noise.cdp()), square(config.noise.cor()));
    for t in 0..config.steps {
        let eta = config.step_sizes.at(t);
        let mut noise = DMatrix::zeros(d, n);
        let mut messages = DMatrix::zeros(d, n);
        for i in 0..n {
            let model: Vec<f64> = models.column(i).iter().copied().collect();
            let mut g = vec![0.0; d];
            losses.local_gradient(i, &model, &mut g);
            let mut g = DVector::from_vec(g);
            let factor = (config.noise.clip() / g.norm()).min(1.0);
            g *= factor;
            for &j in config.graph.neighbours(i) {
                let j = j as usize;
                if bug == Bug::EdgeLeftOut && i.min(j) == 0 && i.max(j) == 1 {
                    continue;
                }
                let round = if bug == Bug::ReusedSeed { t / 2 } else { t };
                let mut z = secrets::pair_noise(seeds.pair(i, j).expect("neighbours"), round, 0);
                let minus = i > j && bug != Bug::NotNegated;
                for k in 0..d {
                    let v = cor * z.uniform().gaussian();
                    noise[(k, i)] += if minus { -v } else { v };
                }
            }
            let mut z = secrets::own_noise(seeds.own(i), t, 0);
            (0..d).for_each(|k| noise[(k, i)] += cdp * z.uniform().gaussian());
            messages.set_column(i, &(models.column(i) - eta * g));
        }
        if bug == Bug::NoiseAfterAveraging {
            models = &messages * config.mixing.matrix() - eta * noise;
        } else {
            messages -= eta * noise;
            models = &messages * config.mixing.matrix();
        }
        transcript.push(messages);
    }
    Run {
        transcript,
        models,
        clipped: 0,
    }
}

fn of(bug: Bug) -> Solver {
    type R = Result<Run, RunError>;
    type L<'a> = &'a dyn LocalLosses;
    fn none(c: &Config, l: L<'_>, s: &Secrets, x: &[f64]) -> R {
        Ok(broken(Bug::None, c, l, s, x))
    }
    fn reused(c: &Config, l: L<'_>, s: &Secrets, x: &[f64]) -> R {
        Ok(broken(Bug::ReusedSeed, c, l, s, x))
    }
    fn signless(c: &Config, l: L<'_>, s: &Secrets, x: &[f64]) -> R {
        Ok(broken(Bug::NotNegated, c, l, s, x))
    }
    fn squared(c: &Config, l: L<'_>, s: &Secrets, x: &[f64]) -> R {
        Ok(broken(Bug::Squared, c, l, s, x))
    }
    fn left_out(c: &Config, l: L<'_>, s: &Secrets, x: &[f64]) -> R {
        Ok(broken(Bug::EdgeLeftOut, c, l, s, x))
    }
    fn late(c: &Config, l: L<'_>, s: &Secrets, x: &[f64]) -> R {
        Ok(broken(Bug::NoiseAfterAveraging, c, l, s, x))
    }
    match bug {
        Bug::None => none,
        Bug::ReusedSeed => reused,
        Bug::NotNegated => signless,
        Bug::Squared => squared,
        Bug::EdgeLeftOut => left_out,
        Bug::NoiseAfterAveraging => late,
    }
}

#[test]
fn without_a_bug_the_plain_form_sees_what_the_reference_does() {
    for course in [Course::Constant, Course::Turning] {
        let [plain, printed] = [of(Bug::None), reference::run as Solver]
            .map(|solver| calibrated(solver, "torus:3x3", 2, 3.0, (2, course)));
        for trial in 0..20 {
            let tape = Tape::new(1).trial(trial);
            let [a, b] = [&plain, &printed].map(|pair| pair.log_ratio(&pair.observe(false, tape)));
            // Sums of a dozen terms in another order; ρ = 10 and a condition below 100.
            assert!((a - b).abs() <= 1e-10 * (1.0 + b.abs()), "{a}, {b}");
        }
    }
}

/// False alarm: 10⁻⁷ per audit, five here. What such audits catch is the next test's matter.
#[test]
fn bets_do_not_accuse_correct_solvers() {
    for q in COLLUDERS {
        let pair = calibrated(optimized::run, "torus:3x3", q, 3.0, (2, Course::Constant));
        assert_ne!(bet(&pair, None, true, 4_000, 3), Verdict::Violation, "{q}");
    }
    let pair = calibrated(reference::run, "path:4", 0, 3.0, (2, Course::Turning));
    assert_ne!(
        bet(&pair, Some(difference), true, 4_000, 3),
        Verdict::Violation
    );
}

/// What user 0 of four sent in round 0 less what it sent in round 1.
fn difference(seen: &[f64]) -> f64 {
    seen[0] - seen[4]
}

/// What user 0 sent in round 0.
fn first(seen: &[f64]) -> f64 {
    seen[0]
}

/// Power: on the path of four the worst user, at its end, has μ = 0.96 for ε = 3. With σ² for σ it has μ = 51;
/// without noise on its only edge, and for the difference of two rounds that share a seed, μ = 1.69, which is
/// ε = 6.07; late noise leaves the first round bare. A quarter of the
/// pairs allowed was enough for all verdicts on each of five other seeds.
#[test]
fn bets_catch_reused_seeds_squared_scales_missing_edges_and_late_noise() {
    let worst = |bug, course| calibrated(of(bug), "path:4", 0, 3.0, (2, course));
    let cases = [
        (
            "σ² for σ",
            worst(Bug::Squared, Course::Constant),
            None,
            true,
        ),
        (
            "edge left out",
            worst(Bug::EdgeLeftOut, Course::Constant),
            Some(first as fn(&[f64]) -> f64),
            true,
        ),
        (
            "seed used twice",
            worst(Bug::ReusedSeed, Course::Turning),
            Some(difference as fn(&[f64]) -> f64),
            true,
        ),
        (
            "noise after averaging",
            worst(Bug::NoiseAfterAveraging, Course::Constant),
            Some(first as fn(&[f64]) -> f64),
            false,
        ),
    ];
    for (name, pair, extra, gaussian) in cases {
        assert_eq!((pair.user, pair.group.len()), (0, 0), "{name}");
        let verdict = bet(&pair, extra, gaussian, 40_000, 3);
        assert_eq!(verdict, Verdict::Violation, "{name}");
    }
}

/// Broken noise whose law is known: the likelihood ratio of that law shows more than the claim from below.
/// False alarm: 10⁻⁸ each. Power: δ(3) is above 0.99 instead of 0.001 (μ = 51), and 6000 samples resolve 0.1.
#[test]
fn likelihood_ratios_of_squared_scales_exceed_the_claim() {
    let claimed = calibrated(of(Bug::Squared), "path:4", 0, 3.0, (2, Course::Constant));
    let actual = claimed.config.noise;
    let squared = Noise::new(actual.cdp().powi(2), actual.cor().powi(2), CLIP).expect("valid");
    let (graph, adversary) = (claimed.config.graph.clone(), Adversary::Eavesdropper);
    let course = (2, Course::Constant);
    // The reference with σ² in place of σ is the broken solver with σ.
    let pair = WorstCase::new(reference::run, graph, squared, adversary, course).expect("a pair");
    let losses = LossSample::draw(&pair, 6_000, 6).expect("runs are finite");
    let found = losses.delta(epsilon(3.0), 1e-8);
    assert!(found.delta_lower > 0.5, "{found:?}");
}

/// Σ over trials of yᵀΣ_H⁻¹y for y seen of gradients 0, and its degrees of freedom.
fn chi_squared(solver: Solver, graph: &str, group: &[usize]) -> (f64, f64) {
    let pair = calibrated(solver, graph, group.len(), 3.0, (2000, Course::Constant));
    let config = &pair.config;
    let n = config.graph.n();
    let losses = dp_assay::solver::decor::LinearLosses {
        examples: vec![vec![vec![0.0]]; n],
    };
    let seeds = Secrets::from_seed(&config.graph, 8);
    let run = solver(config, &losses, &seeds, &[0.0]).expect("finite");
    let (honest, _) = config
        .graph
        .induced(|i| !group.contains(&i))
        .expect("some are honest");
    let m = honest.n();
    let (own, shared) = (config.noise.cdp().powi(2), config.noise.cor().powi(2));
    let covariance = DMatrix::identity(m, m) * own + honest.laplacian() * shared;
    let inverse = covariance.cholesky().expect("positive definite").inverse();
    let seen = view::of_group(config, &run, &seeds, &[0.0], group);
    let total = seen.iter().map(|y| (y * &inverse * y.transpose())[0]).sum();
    (total, (m * config.steps) as f64)
}

/// χ² with f degrees of freedom lies outside f ± (2√(fx) + 2x) with probability at most 2e⁻ˣ (Laurent and
/// Massart 2000); x = 18.5: 2·10⁻⁸ each. Power: a covariance Σ′ has the mean f·tr(Σ⁻¹Σ′)/m, which is 9.0f
/// without the minus sign, 1.6f with σ² for σ (0.45 and 1.43), and 0.85f without an edge. The window is
/// 0.09f, so that the first two are missed with probability below 10⁻⁸, and the last one where a
/// deviation of 0.06f, 4.6 standard deviations, comes on top: 2·10⁻⁶. Late noise has the right
/// covariance, one round late.
#[test]
fn the_covariance_of_what_is_seen_tells_wrong_noise_apart() {
    let window = |f: f64| 2.0 * (f * 18.5).sqrt() + 2.0 * 18.5;
    for solver in [reference::run as Solver, optimized::run, of(Bug::None)] {
        for group in [&[][..], &[2]] {
            let (found, f) = chi_squared(solver, "ring:5", group);
            assert!((found - f).abs() <= window(f), "{found}, {f}");
        }
    }
    for (name, bug) in [
        ("not negated", Bug::NotNegated),
        ("σ² for σ", Bug::Squared),
        ("edge left out", Bug::EdgeLeftOut),
    ] {
        let (found, f) = chi_squared(of(bug), "ring:5", &[]);
        assert!(
            window(f) < 0.1 * f && (found - f).abs() > window(f),
            "{name}: {found}, {f}"
        );
    }
}

/// The specimens that `dp-assay audit` knows by name. False alarm: 10⁻⁶ each. Power: half the noise doubles μ,
/// which leaves ε above 2.1 against a claim of 1 at δ = 10⁻⁵.
#[test]
fn the_named_pairs_know_their_true_epsilon_and_half_the_noise_is_caught() {
    let with = |name: &str, parameters: &[(&str, f64)]| {
        let parameters = parameters.iter().map(|(k, v)| ((*k).to_owned(), *v));
        builtin::find(name, &parameters.collect::<Parameters>())
    };
    for name in ["decor-reference", "decor-optimized"] {
        for q in COLLUDERS {
            let sound = with(name, &[("colluders", q as f64)]).expect("known");
            assert!((sound.epsilon_upper - 1.0).abs() < 1e-9, "{name}, {q}");
        }
        let half = with(name, &[("noise", 0.5)]).expect("known");
        assert!(half.epsilon_upper > 2.1, "{}", half.epsilon_upper);
    }
    let verdict = |noise, trials| {
        let specimen = with("decor-optimized", &[("noise", noise), ("steps", 2.0)]);
        let audit = specimen.expect("known").audit().trials(trials).seed(11);
        audit.run().expect("runs are finite").verdict
    };
    assert_ne!(verdict(1.0, 4_000), Verdict::Violation);
    assert_eq!(verdict(0.5, 40_000), Verdict::Violation);
    let refused = |parameters: &[(&str, f64)]| {
        let found = with("decor-optimized", parameters);
        found.map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(
        refused(&[("colluders", 9.0)]),
        "mechanism `decor-optimized`: colluders = 9 must be a whole number from 0 to 8"
    );
    assert_eq!(
        refused(&[("ratio", -1.0)]),
        "mechanism `decor-optimized`: ratio = -1 must lie in [0, 1e12]"
    );
}
