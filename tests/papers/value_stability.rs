//! Same seed, same numbers: literal values, one per code path. A change here is Value-breaking and
//! belongs in the changelog. Also: the tape is what `spec/formats/tape.md` says, and the variates are
//! as accurate as they claim.

use dp_assay::mechanism::tape::{Purpose, Tape, Uniform};
use dp_assay::problem::loss::{Logistic, Squared};
use dp_assay::problem::{Dataset, Problem, Regulariser, scaling};
use dp_assay::solver::gcd::{Calibration, Config, optimized, per_access_epsilon, reference};
use dp_assay::units::{Delta, Epsilon};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rug::Float;

/// One row of the format's table.
struct Vector {
    seed: u64,
    trial: u64,
    step: u64,
    purpose: u16,
    coordinate: u64,
    word: u64,
    laplace: f64,
    gaussian: f64,
}

fn vectors() -> Vec<Vector> {
    let text = include_str!("../../spec/formats/tape.md");
    let table = text
        .split("## Test vectors")
        .nth(1)
        .expect("the section exists");
    let rows = table
        .lines()
        .filter(|line| line.starts_with("| ") && !line.contains("seed"));
    let parse = |line: &str| {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        Vector {
            seed: cells[1].parse().expect("seed"),
            trial: cells[2].parse().expect("trial"),
            step: cells[3].parse().expect("step"),
            purpose: cells[4].parse().expect("purpose"),
            coordinate: cells[5].parse().expect("coordinate"),
            word: u64::from_str_radix(cells[6], 16).expect("word"),
            laplace: cells[7].parse().expect("laplace"),
            gaussian: cells[8].parse().expect("gaussian"),
        }
    };
    rows.map(parse).collect()
}

const PURPOSES: [Purpose; 7] = [
    Purpose::Selection,
    Purpose::Release,
    Purpose::Sampling,
    Purpose::Data,
    Purpose::Pairwise,
    Purpose::Audit,
    Purpose::User,
];

#[test]
fn the_tape_reproduces_the_vectors_of_its_format() {
    let vectors = vectors();
    assert!(vectors.len() >= 12);
    for v in vectors {
        let purpose = PURPOSES[usize::from(v.purpose)];
        let uniform = Tape::new(v.seed)
            .trial(v.trial)
            .uniform(v.step, purpose, v.coordinate);
        assert_eq!(uniform, Uniform(v.word));
        assert_eq!(
            uniform.laplace().to_bits(),
            v.laplace.to_bits(),
            "{}",
            uniform.laplace()
        );
        assert_eq!(
            uniform.gaussian().to_bits(),
            v.gaussian.to_bits(),
            "{}",
            uniform.gaussian()
        );
    }
}

#[test]
fn the_words_are_those_of_the_written_definition() {
    for v in vectors() {
        assert_eq!(word_as_specified(&v), v.word);
    }
}

/// The definition of `spec/formats/tape.md`, line by line.
fn word_as_specified(v: &Vector) -> u64 {
    let mut key = Vec::new();
    key.extend(v.seed.to_le_bytes());
    key.extend(v.trial.to_le_bytes());
    key.extend(b"dp-assay tape v1");
    let mut bytes = b"expand 32-byte k".to_vec();
    bytes.extend(key);
    bytes.extend((v.coordinate / 8).to_le_bytes());
    bytes.extend(((v.step << 16) + u64::from(v.purpose)).to_le_bytes());
    let words = bytes
        .chunks_exact(4)
        .map(|b| u32::from_le_bytes(b.try_into().expect("four")));
    let start: Vec<u32> = words.collect();
    let mut x = start.clone();
    for _ in 0..4 {
        for [a, b, c, d] in [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]] {
            quarter_round(&mut x, a, b, c, d);
        }
        for [a, b, c, d] in [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]] {
            quarter_round(&mut x, a, b, c, d);
        }
    }
    let word = |i: usize| u64::from(x[i].wrapping_add(start[i]));
    let m = 2 * (v.coordinate % 8) as usize;
    word(m) | word(m + 1) << 32
}

fn quarter_round(x: &mut [u32], a: usize, b: usize, c: usize, d: usize) {
    for (to, from, turn_by, turned) in [(a, b, 16, d), (c, d, 12, b), (a, b, 8, d), (c, d, 7, b)] {
        x[to] = x[to].wrapping_add(x[from]);
        x[turned] = (x[turned] ^ x[to]).rotate_left(turn_by);
    }
}

/// Words at the ends, at the median, at the branch points of both inverses, and 1,000 others spread
/// over all exponents.
fn words() -> Vec<u64> {
    let mut random = Pcg64::seed_from_u64(20);
    let mut words = vec![
        0,
        1,
        2,
        u64::MAX,
        u64::MAX - 1,
        1 << 63,
        (1 << 63) - 1,
        (1 << 63) + 1,
    ];
    for branch in [0.25, 0.75, 0.075, 0.925, 1.388e-11] {
        let k = (branch * 18_446_744_073_709_551_616.0) as u64;
        words.extend(k - 2..=k + 2);
    }
    for _ in 0..500 {
        let word = random.random::<u64>() >> random.random_range(0..64);
        words.extend([word, !word]);
    }
    words
}

/// (k + ½)/2⁶⁴ exactly.
fn point(k: u64) -> Float {
    (Float::with_val(200, k) + 0.5) >> 64
}

fn relative_error(x: f64, exact: &Float) -> f64 {
    (Float::with_val(200, x - exact) / exact).abs().to_f64()
}

#[test]
fn laplace_variates_are_within_four_roundings_of_the_exact_quantile() {
    let mut worst = 0.0f64;
    for k in words() {
        let u = point(k);
        let exact = match k >> 63 {
            0 => (u * 2u32).ln(),
            _ => -((Float::with_val(200, 1) - u) * 2u32).ln(),
        };
        let x = Uniform(k).laplace();
        worst = worst.max(relative_error(x, &exact));
        assert!(Uniform(k).laplace_modulus_upper() >= x.abs());
        assert!(Uniform(k).laplace_modulus_upper() <= x.abs() + 0.7);
        assert_eq!(x, -Uniform(!k).laplace());
    }
    eprintln!(
        "worst relative error {} units of 2^-53",
        worst * 2f64.powi(53)
    );
    assert!(worst < 4.0 * 2f64.powi(-53));
}

#[test]
fn gaussian_variates_are_within_2_to_the_minus_48_of_the_exact_quantile() {
    let mut worst = 0.0f64;
    for k in words() {
        let x = Uniform(k).gaussian();
        worst = worst.max(relative_error(x, &quantile(&point(k), x)));
        assert_eq!(x, -Uniform(!k).gaussian());
    }
    eprintln!(
        "worst relative error {} units of 2^-53",
        worst * 2f64.powi(53)
    );
    assert!(worst < 2f64.powi(-48));
}

/// Φ⁻¹(u) by four Newton steps at 200 bits from a good start: each squares the error of ~10⁻¹⁴.
/// For u > ½ the upper tail is used, where Φ has no cancellation.
fn quantile(u: &Float, start: f64) -> Float {
    let upper = *u > 0.5;
    let tail = if upper {
        Float::with_val(200, 1) - u
    } else {
        u.clone()
    };
    let mut x = Float::with_val(200, -start.abs());
    let pi = Float::with_val(200, rug::float::Constant::Pi);
    for _ in 0..4 {
        let half = Float::with_val(200, 0.5);
        let cdf = (-x.clone() * half.clone().sqrt()).erfc() * &half;
        let density = (-(x.clone() * &x) * half).exp() / (Float::with_val(200, &pi * 2u32)).sqrt();
        x -= (cdf - &tail) / density;
    }
    if upper { -x } else { x }
}

#[test]
fn variates_never_decrease_by_more_than_a_rounding_as_the_word_grows() {
    let mut words = words();
    words.sort_unstable();
    for pair in words.windows(2) {
        let (a, b) = (Uniform(pair[0]), Uniform(pair[1]));
        for (a, b) in [(a.laplace(), b.laplace()), (a.gaussian(), b.gaussian())] {
            assert!(
                a <= b + 4.0 * f64::EPSILON * b.abs(),
                "{pair:?}: {a} then {b}"
            );
        }
    }
}

#[test]
fn per_access_budgets_are_stable() {
    let epsilon = |e, d, t| {
        let (e, d) = (
            Epsilon::new(e).expect("≥ 0"),
            Delta::new(d).expect("in [0, 1]"),
        );
        per_access_epsilon(e, d, t).expect("in the domain")
    };
    assert_eq!(epsilon(1.0, 1e-6, 1), 0.129_688_372_873_727_86);
    assert_eq!(epsilon(1.0, 1e-6, 10), 0.041_073_735_461_035_946);
    assert_eq!(epsilon(1.0, 1e-6, 100), 0.012_994_717_516_064_624);
    assert_eq!(epsilon(5.0, 5e-324, 3), 0.052_719_903_643_324_975);
}

/// Choices and a checksum of releases of five steps on breast cancer.
fn five_steps(problem: &Problem, clipped: bool) -> (Vec<usize>, f64) {
    let n = problem.records() as f64;
    let budget = (
        Epsilon::new(1.0).expect("≥ 0"),
        Delta::new(1.0 / (n * n)).expect("in [0, 1]"),
    );
    let thresholds = problem
        .constants()
        .clipping_thresholds(1.0)
        .expect("positive");
    let thresholds = Some(thresholds);
    let public = problem.constants().clone().stated_public();
    let problem = &problem.clone().with_constants(public).expect("as many");
    let config = Config::calibrated(problem, 5, thresholds, Calibration::Repaired, budget);
    let mut config = config.expect("in the domain");
    if !clipped {
        config.clipping = None;
    }
    let run = reference::run(problem, &config, Tape::new(42)).expect("fits");
    let fast = optimized::run(problem, &config, Tape::new(42)).expect("fits");
    // The other path must not drift either; how far it may is `tests/papers/gcd`'s business.
    for (slow, fast) in run.transcript.iter().zip(&fast.transcript) {
        assert!((slow.value - fast.value).abs() < 1e-12);
    }
    let choices = run.transcript.iter().map(|r| r.coordinate).collect();
    (choices, run.transcript.iter().map(|r| r.value).sum())
}

/// 1e-12: the sum of five values of order one, with ℓ′ from the platform's exp.
#[test]
fn five_steps_of_dp_gcd_are_stable() {
    let data = scaling::standardised(&Dataset::breast_cancer()).expect("finite");
    let logistic = |psi| Problem::new(data.clone(), Logistic, psi).expect("±1");
    let squared = Problem::new(data.clone(), Squared, Regulariser::L1(0.01)).expect("real");
    for (problem, clipped, choices, sum) in [
        (
            logistic(Regulariser::None),
            true,
            [7, 27, 22, 26, 7],
            0.583_619_396_172_334_5,
        ),
        (
            logistic(Regulariser::L1(0.01)),
            false,
            [7, 0, 22, 26, 18],
            0.728_126_191_542_038_2,
        ),
        (squared, false, [7, 1, 19, 26, 18], 0.826_271_729_534_708_8),
    ] {
        let (found, total) = five_steps(&problem, clipped);
        assert_eq!(found, choices);
        assert!((total - sum).abs() < 1e-12, "{total}");
    }
}
