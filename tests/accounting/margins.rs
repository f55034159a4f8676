//! What is said of rounding, against the numbers themselves at 300 bits: that it is enough, and that it is not much more.

use dp_assay::accounting::Event;
use dp_assay::accounting::covariance::mahalanobis_upper;
use dp_assay::accounting::event::parse_rate;
use dp_assay::accounting::exponential;
use dp_assay::accounting::float::U;
use dp_assay::accounting::gaussian::Gaussian;
use dp_assay::accounting::laplace::Laplace;
use dp_assay::accounting::mixture::{Component, Mixture, Pair};
use dp_assay::accounting::pld::law::{GaussianLaw, LaplaceLaw, LossLaw, profile};
use dp_assay::accounting::pld::sampled::{Direction, Sampled};
use dp_assay::accounting::quadrature::Nodes as Quadrature;
use dp_assay::accounting::rdp::{delta_at_order, delta_upper};
use dp_assay::accounting::shuffle::clones_epsilon;
use dp_assay::accounting::zcdp;
use dp_assay::mechanism::release::{Grid, GridGaussian};
use dp_assay::units::{Delta, Epsilon, Rho, Scale, Sensitivity, StdDev};
use nalgebra::{DMatrix, DVector};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rug::{Float, Rational};

fn wide(x: f64) -> Float {
    Float::with_val(300, x)
}

#[test]
fn the_logarithm_of_a_mixture_s_density_is_off_by_no_more_than_it_says() {
    let mut rng = Pcg64::seed_from_u64(1);
    let mut worst = [0.0f64; 3];
    for round in 0..3000 {
        let parts = [1, 1, 2, 5][round % 4];
        // Weights of few bits: what is left for the part at 0 is exact. One part alone may have all.
        let share = if round % 8 == 0 {
            1024
        } else {
            1024 / (parts + 1)
        };
        let components: Vec<Component> = (0..parts)
            .map(|_| Component {
                shift: rng.random_range(0.1..3.0),
                weight: f64::from(rng.random_range(1..=share)) / 1024.0,
            })
            .collect();
        let rest = 1.0 - components.iter().map(|c| c.weight).sum::<f64>();
        if rest < 0.0 {
            continue;
        }
        let centre = Component {
            shift: 0.0,
            weight: rest,
        };
        let mixture = Mixture::new(&[&components[..], &[centre]].concat()).expect("sums to 1");
        let sigma: f64 = rng.random_range(0.05..4.0);
        let variance = sigma * sigma;
        let z = rng.random_range(-40.0..40.0) * sigma;
        let (value, error) = mixture.ln_density(z, variance);
        let (mut density, mut farthest) = (wide(rest), 0.0f64);
        for c in &components {
            let x: Float =
                wide(c.shift) * (wide(z) - wide(c.shift) / 2) / wide(sigma) / wide(sigma);
            farthest = farthest.max(x.to_f64().abs());
            density += x.exp() * c.weight;
        }
        let off = (wide(value) - density.ln()).abs().to_f64();
        assert!(
            off <= error,
            "{mixture:?} at {z}, σ = {sigma}: {value} is off by {off} > {error}"
        );
        let size = 8.0 + f64::from(parts) + farthest + value.abs();
        assert!(
            error <= 24.0 * U * size,
            "{mixture:?} at {z}, σ = {sigma}: {error}"
        );
        let kind = usize::from(farthest > 1.0) + usize::from(rest == 0.0);
        worst[kind] = worst[kind].max(off / error);
    }
    assert!(worst.iter().all(|share| *share > 0.05), "{worst:?}");
}

/// ln A(s) = s(1 + s)μ²/2 of Gaussian noise.
#[test]
fn moments_of_gaussian_noise_are_off_by_no_more_than_the_quadrature_says() {
    for (mu, lambda, frequency) in [
        (0.5, 2.0, 3.0),
        (0.01, 30.0, 2.0),
        (3.0, 1.5, 1.0),
        (1.0, 8.0, 1.0),
    ] {
        let grid =
            Quadrature::new(&Pair::gaussian(mu, 1.0), lambda, frequency, 50.0).expect("small");
        assert!(!grid.is_empty() && grid.len() > 10);
        for share in [0.1, 0.5, 1.0] {
            let at = share * lambda;
            let line = grid.tilt(at);
            let half = 0.5 * mu * mu;
            let told = format!("μ = {mu}, λ = {at}");
            let (log, error) = line.at_zero();
            let truth = at * (1.0 + at) * half;
            assert!(
                (log - truth).abs() <= error + 4.0 * U * truth,
                "{told}: {log}, {truth}"
            );
            assert!(error <= 1e-11 * (1.0 + truth), "{told}: {error}");
            for t in [0.0, 0.3 * frequency, frequency] {
                let (re, im) = (truth - t * t * half, t * (1.0 + 2.0 * at) * half);
                let decay = line.decay().upper(t);
                assert!(
                    decay >= -t * t * half * (1.0 + 4.0 * U),
                    "{told}, t = {t}: {decay}"
                );
                let Ok((value, error)) = line.at(t) else {
                    panic!("{told}, t = {t}: too close to 0");
                };
                // The argument is known but for a multiple of 2π.
                let turns = ((value.im - im) / (2.0 * std::f64::consts::PI)).round();
                let im = im + turns * 2.0 * std::f64::consts::PI;
                let off = (value.re - re).hypot(value.im - im);
                assert!(
                    off <= error + 8.0 * U * (re.abs() + im.abs()),
                    "{told}, t = {t}: {off} > {error}"
                );
                assert!(error <= 1e-10 * (1.0 + truth), "{told}, t = {t}: {error}");
            }
        }
    }
}

/// δ at ε of Gaussian noise.
fn gaussian_profile(mu: f64, epsilon: f64) -> Float {
    let tail = |x: Float| (x / wide(2.0).sqrt()).erfc() / 2;
    let centre = wide(epsilon) / mu;
    let half = wide(mu) / 2;
    tail(centre.clone() - &half) - wide(epsilon).exp() * tail(centre + half)
}

/// δ at ε of Laplace noise, 0 ≤ ε ≤ Δ/b.
fn laplace_profile(pure: f64, epsilon: f64) -> Float {
    let half: Float = (wide(epsilon) - pure) / 2;
    -half.exp_m1()
}

#[test]
fn profiles_of_laws_enclose_the_truth_closely() {
    let mut rng = Pcg64::seed_from_u64(2);
    for _ in 0..1500 {
        let mu = 10f64.powf(rng.random_range(-2.0..1.0));
        let epsilon = mu * rng.random_range(0.0..6.0);
        let laws: [(&dyn LossLaw, Float); 2] = [
            (&GaussianLaw { mu }, gaussian_profile(mu, epsilon)),
            (
                &LaplaceLaw { pure: 6.0 * mu },
                laplace_profile(6.0 * mu, epsilon),
            ),
        ];
        for (law, truth) in laws {
            let found = profile(law, epsilon);
            assert!(
                found.lo <= truth && truth <= found.hi,
                "{mu}, {epsilon}: {found:?}, {truth}"
            );
            let tails = law.tails(epsilon);
            assert!(
                found.hi - found.lo <= 1e-12 * (tails.p + tails.q),
                "{mu}, {epsilon}: {found:?}"
            );
        }
    }
}

/// Where δ leaves binary64 the upper end stays above it, down to the least positive number.
#[test]
fn what_is_left_of_delta_at_the_end_of_binary64_is_enclosed() {
    for mu in [0.25, 1.0, 4.0] {
        let noise = Gaussian::new(
            Sensitivity::new(mu).expect("in range"),
            StdDev::new(1.0).expect("in range"),
        );
        for j in 0..60 {
            let x = 36.0 + 0.1 * f64::from(j);
            let epsilon = mu * x + 0.5 * mu * mu;
            let truth = gaussian_profile(mu, epsilon);
            let found = noise.delta(Epsilon::new(epsilon).expect("in range"));
            assert!(
                found.lo <= truth && truth <= found.hi,
                "{mu}, {x}: {found:?}, {truth:e}"
            );
            let most = if x > 39.1 {
                5e-324
            } else {
                truth.to_f64() * (1.0 + 1e-9) + 1e-305
            };
            assert!(found.hi <= most, "{mu}, {x}: {found:?}");
        }
    }
}

/// The best of many orders is met: from ρ = 10⁻⁶ to 100, at ε around ρ and far above.
#[test]
fn the_delta_of_zcdp_is_that_of_the_best_order() {
    for rho in [1e-6, 1e-3, 0.1, 1.0, 10.0, 100.0f64] {
        for deviations in [0.5, 2.0, 6.0, 20.0] {
            let epsilon = rho + deviations * (2.0 * rho).sqrt();
            let at = |beta: f64| {
                let divergence = (1.0 + beta) * rho;
                beta * (divergence - epsilon) - (1.0 + beta) * (1.0 / beta).ln_1p() - beta.ln()
            };
            let orders = (-16_000..16_000).map(|j| at((f64::from(j) * 1e-3).exp()));
            let best = orders.fold(f64::INFINITY, f64::min);
            let pinsker = (rho / 2.0).sqrt().min((-(-rho).exp_m1()).sqrt());
            let best = best.exp().min(pinsker);
            let found = zcdp::delta_upper(
                Rho::new(rho).expect("in range"),
                Epsilon::new(epsilon).expect("in range"),
            );
            let near = (0.999..=1.0 + 1e-9).contains(&(found / best));
            assert!(near, "ρ = {rho}, ε = {epsilon}: {found}, {best}");
        }
    }
}

/// mᵀΣ⁻¹m by elimination among fractions.
fn exactly(sigma: &DMatrix<f64>, shift: &DVector<f64>) -> Rational {
    let n = shift.len();
    let fraction = |x: f64| Rational::from_f64(x).expect("finite");
    let mut rows: Vec<Vec<Rational>> = (0..n)
        .map(|i| {
            let row = (0..n).map(|j| fraction(sigma[(i, j)]));
            row.chain([fraction(shift[i])]).collect()
        })
        .collect();
    let mut found = Rational::new();
    // Each pivot leaves its square, as the diagonal of an LDLᵀ.
    for k in 0..n {
        let pivot = rows[k].clone();
        found += pivot[n].clone() * &pivot[n] / &pivot[k];
        for row in rows.iter_mut().skip(k + 1) {
            let factor = row[k].clone() / &pivot[k];
            for (x, p) in row.iter_mut().zip(&pivot).skip(k) {
                *x -= factor.clone() * p;
            }
        }
    }
    found
}

#[test]
fn quadratic_forms_are_bounded_closely_from_above() {
    let mut rng = Pcg64::seed_from_u64(3);
    for round in 0..200 {
        let n = 1 + round % 4;
        let root = DMatrix::from_fn(n, n, |_, _| rng.random_range(-2.0..2.0));
        let mut sigma = &root * root.transpose() + DMatrix::identity(n, n) * 0.1;
        sigma = (&sigma + sigma.transpose()) * 0.5;
        let shifts: Vec<DVector<f64>> = (0..2)
            .map(|_| DVector::from_fn(n, |_, _| rng.random_range(-3.0..3.0)))
            .collect();
        let found = mahalanobis_upper(&sigma, &shifts).expect("positive definite");
        let each = shifts.iter().map(|shift| exactly(&sigma, shift));
        let truth = each.max().expect("there are two");
        assert!(found >= truth, "{sigma} {shifts:?}: {found} is below");
        assert!(
            found <= truth.to_f64() * (1.0 + 1e-9),
            "{sigma} {shifts:?}: {found}"
        );
    }
}

#[test]
fn the_rho_of_noise_on_a_fine_grid_is_rounded_up() {
    let mut beyond = 0;
    for (j, exponent) in (0..600).zip([-15, -14, -16].into_iter().cycle()) {
        let grid = Grid::new(exponent).expect("in range");
        let sigma = StdDev::new(0.3 + 0.01 * f64::from(j)).expect("in range");
        let sensitivity = Sensitivity::new(1.0).expect("in range");
        let Ok(noise) = GridGaussian::new(sigma, sensitivity, grid) else {
            continue;
        };
        // Noise and sensitivity are whole numbers of steps of the same grid, which cancel.
        let ratio: Rational = 1 / Rational::from_f64(noise.standard_deviation()).expect("finite");
        let truth: Rational = ratio.clone() * ratio / 2;
        if let Event::Zcdp { rho } = noise.event() {
            beyond += 1;
            assert!(rho >= truth, "σ = {sigma:?}: {rho} is below {truth}");
            assert!(
                rho <= truth.to_f64() * (1.0 + 1e-14),
                "σ = {sigma:?}: {rho}"
            );
        }
    }
    assert!(beyond > 100, "{beyond} of 600 are told as ρ");
}

#[test]
fn noise_for_a_rho_and_the_rho_of_noise_are_rounded_up() {
    for j in 1..400 {
        let (size, rho) = (0.37 * f64::from(j), 0.013 * f64::from(j * j % 97 + 1));
        let sensitivity = Sensitivity::new(size).expect("in range");
        let sigma = zcdp::calibrate_sigma(sensitivity, Rho::new(rho).expect("in range"));
        let (sigma, twice): (f64, Float) = (sigma.expect("finite"), wide(rho) * 2);
        let truth: Float = wide(size) / twice.sqrt();
        let close = truth.to_f64() * (1.0 + 1e-14);
        assert!(sigma >= truth && sigma <= close, "{size}, {rho}: {sigma}");
    }
}

/// ln(α/(2α − 1)·e^{(α−1)ε} + (α − 1)/(2α − 1)·e^{−αε})/(α − 1).
#[test]
fn renyi_divergences_of_laplace_noise_are_rounded_up() {
    for alpha in [1.01, 1.5, 2.0, 7.0, 60.0] {
        for pure in [0.01, 0.3, 1.0, 4.0] {
            let noise = Laplace::new(
                Sensitivity::new(pure).expect("in range"),
                Scale::new(1.0).expect("in range"),
            );
            let (less, twice): (Float, Float) = (wide(alpha) - 1, wide(alpha) * 2 - 1);
            let (far, near): (Float, Float) = (less.clone() * pure, -wide(alpha) * pure);
            let far: Float = far.exp() * alpha / &twice;
            let near: Float = near.exp() * &less / &twice;
            let truth: Float = Float::with_val(300, far + near).ln() / less;
            let found = noise.rdp_upper(alpha);
            let close = truth.to_f64() * (1.0 + 1e-9) + 1e-12;
            assert!(
                found >= truth && found <= close,
                "α = {alpha}, ε = {pure}: {found}, {truth}"
            );
        }
    }
}

#[test]
fn ratios_are_rounded_up_and_no_further() {
    for below in 1..80u32 {
        for above in 1..=below {
            let found = parse_rate(&format!("{above}/{below}")).expect("a ratio");
            let truth = Rational::from((above, below));
            assert!(
                found >= truth && found.next_down() < truth,
                "{above}/{below}: {found}"
            );
        }
    }
}

/// Far out the threshold of a sampled law is found another way; what it may be off by must not show.
#[test]
fn profiles_of_sampled_laws_stay_narrow_at_large_losses() {
    for direction in [Direction::Removal, Direction::Addition] {
        for epsilon in [30.0, 36.5, 45.0, 80.0] {
            let base = GaussianLaw { mu: 9.0 };
            let law = Sampled {
                base,
                rate: 0.3,
                direction,
            };
            let found = profile(&law, epsilon);
            let tails = law.tails(epsilon);
            let most = 1e-10 * (tails.p + tails.q) + 1e-290;
            assert!(
                found.hi - found.lo <= most,
                "{direction:?}, {epsilon}: {found:?}"
            );
        }
    }
}

#[test]
fn shuffling_what_says_nothing_says_nothing() {
    let (local, delta) = (Epsilon::new(0.0), Delta::new(1e-6));
    let found = clones_epsilon(local.expect("in range"), 100, delta.expect("in range"));
    assert_eq!(found.expect("known").hi, 0.0);
}

/// A curve's δ is that of its best order, here of ½(1 + β).
#[test]
fn the_delta_of_a_curve_is_that_of_its_best_order() {
    for epsilon in [1.0, 3.0, 6.0] {
        let mut curve = |beta: f64| 0.5 * (1.0 + beta);
        let found = delta_upper(&mut curve, epsilon);
        let rho = zcdp::delta_upper(
            Rho::new(0.5).expect("in range"),
            Epsilon::new(epsilon).expect("in range"),
        );
        assert!(
            (0.999..=1.001).contains(&(found / rho)),
            "{epsilon}: {found}, {rho}"
        );
    }
    assert_eq!(delta_at_order(2.0, f64::INFINITY, 1.0), 1.0);
}

/// Two answers with the losses t and t − ε: of all t the worst is met.
#[test]
fn renyi_divergences_of_the_exponential_mechanism_are_those_of_the_worst_pair() {
    for epsilon in [0.05, 0.5, 2.0, 6.0f64] {
        for beta in [0.1, 1.0, 5.0, 40.0] {
            let at = |t: f64| {
                let q = -(t - epsilon).exp_m1() / (t.exp() - (t - epsilon).exp());
                let (first, second) = ((1.0 + beta) * t, (1.0 + beta) * (t - epsilon));
                (q * first.exp() + (1.0 - q) * second.exp()).ln() / beta
            };
            let each = (1..2000).map(|j| at(epsilon * f64::from(j) / 2000.0));
            let worst = each.fold(0.0, f64::max);
            let found = exponential::rdp_upper(epsilon, beta);
            let close = worst <= found * (1.0 + 1e-9) && found <= 1.001 * worst + 1e-9;
            assert!(close, "ε = {epsilon}, β = {beta}: {found}, {worst}");
        }
    }
}
