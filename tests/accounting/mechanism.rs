//! Noise for release: the samplers draw from the laws they name, the grid leaves nothing in the bits
//! of a double, and the accountant is told the truth.

use dp_assay::accounting::{Accountant, account};
use dp_assay::audit::{Audit, Mechanism, Verdict, from_fn};
use dp_assay::mechanism::release::sampler::{
    Fraction, below, bernoulli_exp, discrete_gaussian, discrete_laplace,
};
use dp_assay::mechanism::release::{Grid, GridError, GridGaussian, GridLaplace, SecureRng};
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::units::{Delta, Epsilon, Neighbouring, Sensitivity, StdDev};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use statrs::distribution::{ChiSquared, ContinuousCDF};

const DRAWS: usize = 100_000;
/// Probability that a chi-squared test accuses a correct sampler; the seeds are fixed.
const FALSE_ALARM: f64 = 1e-9;

fn generator(seed: u64) -> ChaCha20Rng {
    println!("seed {seed}");
    ChaCha20Rng::seed_from_u64(seed)
}

fn fraction(numerator: u128, denominator: u128) -> Fraction {
    Fraction::new(numerator, denominator).expect("small numbers")
}

/// How many times each of −size ..= size was drawn; what lies outside is added to the ends.
fn counts(size: i128, mut draw: impl FnMut() -> i128) -> Vec<f64> {
    let mut counts = vec![0.0; 2 * size as usize + 1];
    for _ in 0..DRAWS {
        counts[(draw().clamp(-size, size) + size) as usize] += 1.0;
    }
    counts
}

/// Expected counts for weights w(k), tails added to the ends.
fn expected(size: i128, weight: impl Fn(f64) -> f64) -> Vec<f64> {
    let far = 60 * size;
    let total: f64 = (-far..=far).map(|k| weight(k as f64)).sum();
    let mut cells = vec![0.0; 2 * size as usize + 1];
    for k in -far..=far {
        cells[(k.clamp(-size, size) + size) as usize] += weight(k as f64) / total * DRAWS as f64;
    }
    assert!(
        cells.iter().all(|c| *c > 50.0),
        "too few to be expected in a cell"
    );
    cells
}

/// Whether Pearson's statistic is below its quantile.
fn fits(counts: &[f64], expected: &[f64]) -> bool {
    let terms = counts
        .iter()
        .zip(expected)
        .map(|(c, e)| (c - e).powi(2) / e);
    let degrees = counts.len() as f64 - 1.0;
    let limit = ChiSquared::new(degrees)
        .expect("positive")
        .inverse_cdf(1.0 - FALSE_ALARM);
    terms.sum::<f64>() < limit
}

#[test]
fn discrete_laplace_noise_has_the_law_it_names() {
    for (seed, n, d, size) in [(1, 1, 2, 8), (2, 7, 31, 20), (3, 3, 2, 4)] {
        let mut rng = generator(seed);
        let counted = counts(size, || discrete_laplace(fraction(n, d), &mut rng));
        let law = |rate: f64| expected(size, move |k| (-rate * k.abs()).exp());
        let rate = n as f64 / d as f64;
        assert!(fits(&counted, &law(rate)), "{n}/{d}");
        // Power: a rate 5 % off moves the statistic by 100,000 times the chi-squared divergence of the
        // two laws, some 250 here, against a limit below 120: missed with probability below 1e-6.
        assert!(!fits(&counted, &law(1.05 * rate)), "{n}/{d}");
    }
}

#[test]
fn discrete_gaussian_noise_has_the_law_it_names() {
    for (seed, a, b, size) in [(4, 5, 1, 13), (5, 3, 2, 4), (6, 1, 3, 1), (7, 40, 3, 32)] {
        let mut rng = generator(seed);
        let counted = counts(size, || discrete_gaussian(fraction(a, b), &mut rng));
        let law = |sigma: f64| expected(size, move |k| (-0.5 * (k / sigma).powi(2)).exp());
        let sigma = a as f64 / b as f64;
        assert!(fits(&counted, &law(sigma)), "{a}/{b}");
        assert!(!fits(&counted, &law(1.05 * sigma)), "{a}/{b}");
    }
}

#[test]
fn exponential_coins_and_bounded_numbers_are_fair() {
    for (seed, n, d) in [(8, 0, 1), (9, 1, 3), (10, 1, 1), (11, 7, 2)] {
        let mut rng = generator(seed);
        let heads = (0..DRAWS)
            .filter(|_| bernoulli_exp(fraction(n, d), &mut rng))
            .count() as f64;
        let p = (-(n as f64) / d as f64).exp();
        // Six standard deviations: passed by accident with probability 2e-9; 0 when the coin is certain.
        let deviation = (DRAWS as f64 * p * (1.0 - p)).sqrt();
        assert!(
            (heads - DRAWS as f64 * p).abs() <= 6.0 * deviation,
            "{n}/{d}: {heads}"
        );
    }
    let mut rng = generator(12);
    for bound in [1, 2, 3, 1 << 64, (1 << 64) + 1, u128::MAX] {
        assert!((0..1000).all(|_| below(bound, &mut rng) < bound));
    }
    let counted = counts(2, || below(5, &mut rng) as i128 - 2);
    assert!(fits(&counted, &[DRAWS as f64 / 5.0; 5]));
}

#[test]
fn fractions_that_do_not_fit_are_refused() {
    assert!(Fraction::new(1, 0).is_none());
    assert!(Fraction::new(1 << 96, 1).is_none() && Fraction::new(1, 1 << 96).is_none());
    assert!(Fraction::new((1 << 96) - 1, 1).is_some());
}

fn unit() -> Sensitivity {
    Sensitivity::new(1.0).expect("in range")
}

fn laplace(epsilon: f64) -> GridLaplace {
    let grid = Grid::fine(unit()).expect("in range");
    GridLaplace::new(Epsilon::new(epsilon).expect("in range"), unit(), grid).expect("in range")
}

#[test]
fn releases_are_multiples_of_the_step_whatever_the_input() {
    let mechanism = laplace(1.0);
    let mut rng = SecureRng::from_system().expect("the system has randomness");
    let step = mechanism.grid().step();
    assert_eq!(step, 1.0 / 1024.0);
    for value in [
        0.0,
        -0.0,
        0.1,
        -7.3,
        1e300,
        f64::MIN_POSITIVE,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ] {
        let released = mechanism.release(value, &mut rng);
        assert!(
            released.is_finite() && released % step == 0.0,
            "{value} gives {released}"
        );
    }
}

#[test]
fn rounding_moves_with_whole_shifts_so_that_neighbours_stay_close() {
    // With σ = 1/16 of a step the noise is 0 except with probability 2e^(−128): what is left is the
    // rounding.
    let grid = Grid::new(0).expect("in range");
    let sigma = StdDev::new(0.0625).expect("in range");
    let rounding = GridGaussian::new(sigma, unit(), grid).expect("in range");
    let mut rng = generator(13);
    let mut round = |x: f64| rounding.release(x, &mut rng);
    let shifted = [0.5, -0.5, 0.25, 0.75, -1.5, 2.5, 1e9 + 0.5];
    for x in shifted {
        assert_eq!(round(x) - round(x - 1.0), 1.0, "{x}");
        assert_eq!(round(x), (x + 0.5).floor(), "{x}");
    }
    assert_eq!(round(0.5_f64.next_down()), 0.0);
    assert_eq!(round((-0.5_f64).next_down()), -1.0);
}

#[test]
fn the_accountant_is_told_the_law_that_is_drawn() {
    let relation = Neighbouring::ReplaceOne;
    let ask = |event, delta: f64| {
        let delta = Delta::new(delta).expect("in range");
        account(&event, delta, Accountant::Auto, relation, false)
            .expect("known")
            .epsilon_upper
    };
    let epsilon = ask(laplace(0.7).event(), 0.0);
    // ε is rounded down to a multiple of 2⁻⁴⁰; the accountant's own bound is 20 units in the last place.
    assert!(
        (0.7 - 1e-11..=0.7 * (1.0 + 1e-14)).contains(&epsilon),
        "{epsilon}"
    );
    let sigma = StdDev::new(3.0).expect("in range");
    let grid = Grid::new(-6).expect("in range");
    let gaussian = GridGaussian::new(sigma, unit(), grid).expect("in range");
    // σ = 3 at δ = 10⁻⁵ gives the Gaussian mechanism 1.27; the grid's law is as good up to the rounding
    // of σ, and zCDP, used for large σ, is the weaker bound ρ + 2√(ρ ln(1/δ)) = 1.66.
    let exact = ask(gaussian.event(), 1e-5);
    assert!((1.2..1.35).contains(&exact), "{exact}");
    let fine = Grid::new(-14).expect("in range");
    let listed = ask(
        GridGaussian::new(sigma, unit(), fine)
            .expect("in range")
            .event(),
        1e-5,
    );
    assert!((exact..1.66).contains(&listed), "{listed}");
}

#[test]
fn the_cost_in_utility_is_below_a_thousandth_on_a_fine_grid() {
    let mechanism = laplace(1.0);
    let continuous = 2_f64.sqrt();
    // Rounding adds a variance of at most a quarter of a squared step.
    let total =
        (mechanism.standard_deviation().powi(2) + 0.25 * mechanism.grid().step().powi(2)).sqrt();
    assert!((continuous..1.001 * continuous).contains(&total), "{total}");
    let uneven = Sensitivity::new(1.0 + 1e-9).expect("in range");
    let grid = Grid::fine(uneven).expect("in range");
    let epsilon = Epsilon::new(1.0).expect("in range");
    let worst = GridLaplace::new(epsilon, uneven, grid)
        .expect("in range")
        .standard_deviation();
    assert!((continuous..1.001 * continuous).contains(&worst), "{worst}");
}

#[test]
fn parameters_that_do_not_fit_are_refused_with_their_value() {
    let message =
        |result: Result<GridLaplace, GridError>| result.expect_err("out of range").to_string();
    let [zero, tiny] = [0.0, 1e-13].map(|e| Epsilon::new(e).expect("a number"));
    let grid = Grid::fine(unit()).expect("in range");
    assert_eq!(
        message(GridLaplace::new(zero, unit(), grid)),
        "epsilon = 0 must lie in 2^-40 to 2^20"
    );
    assert_eq!(
        message(GridLaplace::new(tiny, unit(), grid)),
        "epsilon = 0.0000000000001 must lie in 2^-40 to 2^20"
    );
    let one = Epsilon::new(1.0).expect("in range");
    let huge = Sensitivity::new(1e15).expect("in range");
    assert_eq!(
        message(GridLaplace::new(one, huge, grid)),
        "sensitivity = 1000000000000000 must be at most 2^40 grid steps: take a coarser grid"
    );
    let none = Sensitivity::new(0.0).expect("a number");
    assert_eq!(
        message(GridLaplace::new(one, none, grid)),
        "sensitivity = 0 must be > 0"
    );
    assert_eq!(
        Grid::new(961).expect_err("too large").to_string(),
        "grid exponent = 961 must lie in -960 to 960"
    );
    let sigma = StdDev::new(0.01).expect("in range");
    let coarse = Grid::new(0).expect("in range");
    assert_eq!(
        GridGaussian::new(sigma, unit(), coarse)
            .expect_err("too small")
            .to_string(),
        "sigma / grid step = 0.01 must lie in 1/16 to 2^20 - 1"
    );
}

/// A generator for release, fixed by a trial's tape: for audits alone.
fn from_tape(tape: Tape) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(tape.stream(0, Purpose::User, 0).uniform().0)
}

fn audited(mechanism: impl Mechanism<Input = f64>) -> Verdict {
    let audit = Audit::of(mechanism).claim(1.0, 0.0).bits().trials(60_000);
    let report = audit
        .neighbours(Neighbouring::AddRemove, 0.0, 1.0)
        .run()
        .expect("complete");
    println!("{report}");
    report.verdict
}

/// Error 10⁻⁶ each; the report says which ε would have been seen.
#[test]
fn the_bits_of_a_double_give_plain_noise_away_and_noise_on_a_grid_not() {
    let plain = from_fn("plain", |x: &f64, tape: Tape| {
        x + tape.uniform(0, Purpose::User, 0).laplace()
    });
    assert_eq!(audited(plain), Verdict::Violation);
    let mechanism = laplace(1.0);
    let grid = from_fn("grid", move |x: &f64, tape: Tape| {
        mechanism.release(*x, &mut from_tape(tape))
    });
    assert_eq!(audited(grid), Verdict::PassWithPower);
}

#[test]
fn system_randomness_differs_from_call_to_call() {
    let word = || {
        SecureRng::from_system()
            .expect("the system has randomness")
            .next_u64()
    };
    // Equal by accident with probability 2⁻⁶⁴.
    assert_ne!(word(), word());
}
