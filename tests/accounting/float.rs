//! The floating-point kernels against MPFR: every stated error bound holds on random and on
//! adversarial points. A failure prints the argument and the error in units of 2⁻⁵³.

use dp_assay::accounting::event::share_upper;
use dp_assay::accounting::float::elementary::{
    ASINH_ERROR, ATAN2_ERROR, EXP_ERROR, EXP_M1_ERROR, LN_ERROR, SIN_COS_DOMAIN, SIN_COS_ERROR,
    SINH_ERROR, asinh, atan2, exp, exp_m1, ln, ln_1p, sin_cos, sinh,
};
use dp_assay::accounting::float::{
    Complex, Double, ERFC_ERROR, Enclosure, MILLS_DOUBLE_ERROR, MILLS_ERROR, U, mills,
    mills_double, normal_density, normal_tail, product_upper, ratio_upper,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rug::{Float, Rational};

const SEED: u64 = 0x5eed_acc0;
const POINTS: usize = 4_000;
const BITS: u32 = 192;

fn exact(x: f64) -> Float {
    Float::with_val(BITS, x)
}

/// |computed − truth| / |truth|.
fn relative(computed: f64, truth: &Float) -> f64 {
    if truth.is_zero() {
        return if computed == 0.0 { 0.0 } else { f64::INFINITY };
    }
    ((exact(computed) - truth) / truth).abs().to_f64()
}

/// Asserts the relative error bound of `f` on all points, and that the check saw rounding at all.
fn check(name: &str, points: &[f64], bound: f64, f: fn(f64) -> f64, truth: fn(Float) -> Float) {
    let mut worst = (0.0, f64::NAN);
    for &x in points {
        let error = relative(f(x), &truth(exact(x)));
        assert!(error <= bound, "{name}({x:e}) off by {} u", error / U);
        if error > worst.0 {
            worst = (error, x);
        }
    }
    let (error, at) = worst;
    println!(
        "{name}: worst {:.2} u at {at:e}, bound {} u",
        error / U,
        bound / U
    );
    assert!(
        error > 0.0,
        "{name}: no rounding on {} points",
        points.len()
    );
}

/// Uniform points of [lo, hi], points of log-uniform magnitude down to 10⁻³⁰⁰ with either sign, and
/// the neighbours of the given break points.
fn points(lo: f64, hi: f64, breaks: &[f64]) -> Vec<f64> {
    let mut rng = Pcg64::seed_from_u64(SEED);
    let mut all: Vec<f64> = (0..POINTS).map(|_| rng.random_range(lo..=hi)).collect();
    all.extend((0..POINTS).map(|_| {
        let magnitude = 10f64.powf(rng.random_range(-300.0..3.0));
        if rng.random() { magnitude } else { -magnitude }
    }));
    for &b in breaks {
        let (mut up, mut down) = (b, b);
        for _ in 0..20 {
            all.extend([up, down]);
            up = up.next_up();
            down = down.next_down();
        }
    }
    all.retain(|x| (lo..=hi).contains(x));
    all
}

fn half_odd_multiples_of_ln2() -> Vec<f64> {
    (-1000..1000)
        .map(|k| (f64::from(k) + 0.5) * std::f64::consts::LN_2)
        .collect()
}

#[test]
fn exp_keeps_its_error_bound() {
    let breaks = half_odd_multiples_of_ln2();
    check(
        "exp",
        &points(-708.0, 709.78, &breaks),
        EXP_ERROR,
        exp,
        Float::exp,
    );
    assert_eq!(exp(f64::NEG_INFINITY), 0.0);
    assert_eq!(exp(f64::INFINITY), f64::INFINITY);
    assert_eq!(exp(0.0), 1.0);
    assert!(exp(f64::NAN).is_nan());
    for x in points(-745.0, -708.0, &[]) {
        let error = (exact(exp(x)) - exact(x).exp()).abs();
        assert!(
            error <= exact(5e-324) * 1.01,
            "exp({x}) subnormal off by {error}"
        );
    }
}

#[test]
fn exp_m1_keeps_its_error_bound() {
    let breaks = half_odd_multiples_of_ln2();
    check(
        "exp_m1",
        &points(-745.0, 709.78, &breaks),
        EXP_M1_ERROR,
        exp_m1,
        Float::exp_m1,
    );
}

#[test]
fn hyperbolic_functions_keep_their_error_bounds() {
    let mut args = points(-709.0, 709.0, &[0.0]);
    check("sinh", &args, SINH_ERROR, sinh, Float::sinh);
    args.extend([1e20, -1e100, 1e150]);
    check("asinh", &args, ASINH_ERROR, asinh, Float::asinh);
    assert!(sinh(f64::NAN).is_nan() && asinh(f64::NAN).is_nan());
}

#[test]
fn logarithms_keep_their_error_bound() {
    let breaks = [
        0.5,
        std::f64::consts::FRAC_1_SQRT_2,
        1.0,
        std::f64::consts::SQRT_2,
        2.0,
        4.0,
    ];
    let mut args = points(0.0, 1e3, &breaks);
    args.extend([f64::MIN_POSITIVE, 5e-324, 1e-310, f64::MAX, 1e300]);
    args.retain(|&x| x > 0.0 && x != 1.0);
    check("ln", &args, LN_ERROR, ln, Float::ln);
    let breaks = [
        -0.5,
        -0.292_893,
        0.414_213,
        1.0,
        2f64.sqrt() - 1.0,
        -1.0,
        0.0,
    ];
    let mut args = points(-1.0, 1e3, &breaks);
    args.extend([f64::MAX, 1e300, 1e17, 9e15]);
    args.retain(|&x| x > -1.0 && x != 0.0);
    check("ln_1p", &args, LN_ERROR, ln_1p, Float::ln_1p);
    assert_eq!(
        (ln(0.0), ln_1p(-1.0)),
        (f64::NEG_INFINITY, f64::NEG_INFINITY)
    );
    assert!(ln(-1.0).is_nan() && ln_1p(-1.5).is_nan());
}

#[test]
fn sine_cosine_and_angle_keep_their_error_bounds() {
    let quarter_turns: Vec<f64> = (-2000..2000)
        .map(|k| f64::from(k) * std::f64::consts::FRAC_PI_4)
        .collect();
    let mut args = points(-SIN_COS_DOMAIN, SIN_COS_DOMAIN, &quarter_turns);
    args.extend(points(-10.0, 10.0, &[]));
    for x in args {
        let (sin, cos) = sin_cos(x);
        let (s, c) = exact(x).sin_cos(Float::new(BITS));
        let error = (exact(sin) - s).abs().max(&(exact(cos) - c).abs()).to_f64();
        assert!(
            error <= SIN_COS_ERROR,
            "sin_cos({x:e}) off by {} u",
            error / U
        );
    }
    let coordinates = points(-2.0, 2.0, &[1.0, -1.0, 0.414_213_562]);
    for pair in coordinates.windows(2) {
        let truth = exact(pair[0]).atan2(&exact(pair[1]));
        let error = (exact(atan2(pair[0], pair[1])) - truth).abs().to_f64();
        assert!(error <= ATAN2_ERROR, "atan2{pair:?} off by {} u", error / U);
    }
}

/// Φ(−x) in MPFR.
fn tail_truth(x: Float) -> Float {
    let scaled: Float = x / Float::with_val(BITS, 2).sqrt();
    scaled.erfc() / 2u32
}

/// e^{−x²/2}/√(2π) in MPFR.
fn density_truth(x: Float) -> Float {
    let two_pi: Float = Float::with_val(BITS, rug::float::Constant::Pi) * 2u32;
    let exponent: Float = -x.square() / 2u32;
    exponent.exp() / two_pi.sqrt()
}

fn mills_truth(x: Float) -> Float {
    tail_truth(x.clone()) / density_truth(x)
}

#[test]
fn normal_tail_density_and_mills_ratio_keep_their_error_bounds() {
    let breaks = [0.0, 1.0, 7.47, 8.885_765_876_316_732, 10.3];
    check(
        "mills",
        &points(0.0, 37.0, &breaks),
        MILLS_ERROR,
        mills,
        mills_truth,
    );
    let both = points(-37.0, 37.0, &breaks);
    check(
        "normal_density",
        &both,
        6.0 * U,
        normal_density,
        density_truth,
    );
    check("normal_tail", &both, ERFC_ERROR, normal_tail, tail_truth);
    assert!(mills(-1.0).is_nan());
    assert!((mills(1e200) - 1e-200).abs() < 1e-213);
}

#[test]
fn double_double_mills_ratio_keeps_its_error_bound() {
    let breaks = [0.0, 9.0, 11.847_687_835_088_976];
    let mut worst = 0f64;
    for x in points(0.0, 45.0, &breaks).into_iter().step_by(4) {
        let value = mills_double(Double::sum(x, x * 1e-17));
        let truth = mills_truth(exact(x) + exact(x * 1e-17));
        let computed = exact(value.hi) + exact(value.lo);
        let error = ((computed - &truth) / truth).abs().to_f64();
        assert!(
            error <= MILLS_DOUBLE_ERROR,
            "mills_double({x:e}) off by {error:e}"
        );
        worst = worst.max(error);
    }
    println!("mills_double: worst {worst:e}");
}

#[test]
fn double_double_exponential_keeps_its_error_bound() {
    let mut worst = 0f64;
    for x in points(-620.0, 700.0, &half_odd_multiples_of_ln2())
        .into_iter()
        .step_by(4)
    {
        let value = Double::new(x).exp();
        let computed = exact(value.hi) + exact(value.lo);
        let truth = exact(x).exp();
        let error = ((computed - &truth) / truth).abs().to_f64();
        let bound = 2f64.powi(-94) * (1.0 + x.abs() / 8.0);
        assert!(error <= bound, "exp({x}) off by {error:e} > {bound:e}");
        worst = worst.max(error / bound);
    }
    println!("Double::exp: worst {worst:.3} of its bound");
}

/// |value − (re + i·im)|.
fn distance(value: Complex, re: Float, im: Float) -> f64 {
    (exact(value.re) - re)
        .hypot(&(exact(value.im) - im))
        .to_f64()
}

#[test]
fn complex_kernels_keep_their_error_bounds() {
    let mut rng = Pcg64::seed_from_u64(SEED);
    let mut worst = (0f64, 0f64);
    for _ in 0..POINTS {
        let size = 10f64.powf(rng.random_range(-12.0..1.0));
        let mut coordinate = || size * rng.random_range(-1.0..1.0);
        let z = Complex::new(coordinate(), coordinate());
        let (x, y) = (exact(z.re), exact(z.im));
        let modulus = x.clone().exp();
        let (sin, cos) = y.clone().sin_cos(Float::new(BITS));
        let (value, scale) = z.exp_m1_minus();
        let error = distance(value, cos * &modulus - 1 - &x, sin * &modulus - &y);
        let bound = 16.0 * U * scale;
        assert!(
            error <= bound,
            "exp_m1_minus({z:?}) off by {error:e} > {bound:e}"
        );
        worst.0 = worst.0.max(error / bound);
        let (value, bound) = z.ln_1p();
        let x = x + 1u32;
        let error = distance(value, x.clone().hypot(&y).ln(), y.atan2(&x));
        assert!(error <= bound, "ln_1p({z:?}) off by {error:e} > {bound:e}");
        worst.1 = worst.1.max(error / bound);
    }
    println!("exp_m1_minus, ln_1p: worst {worst:?} of their bounds");
}

#[test]
fn enclosures_contain_the_truth() {
    let mut rng = Pcg64::seed_from_u64(SEED);
    for _ in 0..POINTS {
        let (x, y) = (
            rng.random_range(-20.0..20.0),
            rng.random_range(-20.0f64..20.0),
        );
        let (a, b) = (exact(x), exact(y));
        let inside = |e: Enclosure, t: Float| {
            assert!(
                exact(e.lo) <= t && t <= exact(e.hi),
                "{e:?} misses {t} for {x}, {y}"
            );
            assert!(
                e.width() <= 20.0 * U * e.magnitude() + 1e-320,
                "{e:?} too wide"
            );
        };
        let (p, q) = (Enclosure::point(x), Enclosure::point(y));
        inside(p + q, exact(x) + &b);
        inside(p - q, exact(x) - &b);
        inside(p * q, exact(x) * &b);
        inside(p / q, exact(x) / &b);
        inside(p.exp(), a.clone().exp());
        inside(p.exp_m1(), a.clone().exp_m1());
        inside(p.square().sqrt(), a.clone().abs());
        inside(Enclosure::point(x.abs()).ln(), a.clone().abs().ln());
        inside(Enclosure::point(x.abs()).ln_1p(), a.abs().ln_1p());
    }
    assert_eq!(
        Enclosure::point(1.0) / Enclosure::new(-1.0, 1.0),
        Enclosure::WHOLE
    );
    assert_eq!(Enclosure::point(-1.0).ln(), Enclosure::WHOLE);
}

/// Quotients, products and shares are the least doubles that are no less, to the ends of the doubles.
#[test]
fn what_is_rounded_up_is_the_next_double() {
    let exact = |x: f64| Rational::from_f64(x).expect("finite");
    let mut rng = Pcg64::seed_from_u64(SEED);
    let mut uniform = move || rng.random::<f64>();
    let least = |found: f64, truth: &Rational, told: &str| {
        assert!(
            exact(found) >= *truth && exact(found.next_down()) < *truth,
            "{told}: {found}"
        );
    };
    for round in 0..20_000 {
        let scale: i32 = [0, -990, -1040, 900][round % 4];
        let b = (0.5 + uniform()) * 2f64.powi(scale / 2) * 2f64.powi(scale - scale / 2);
        let a = b * uniform() * 2f64.powi(-((round % 90) as i32));
        if b > 0.0 && a > 0.0 {
            least(
                ratio_upper(a, b),
                &(exact(a) / exact(b)),
                &format!("{a:e} / {b:e}"),
            );
        }
        let count = (uniform() * 2f64.powi((round % 50) as i32)).ceil();
        let product = product_upper(count, b);
        if b > 0.0 && product.is_finite() {
            least(
                product,
                &(exact(count) * exact(b)),
                &format!("{count} * {b:e}"),
            );
        }
        let whole = (uniform() * 2f64.powi((round % 65) as i32)) as u64 | (1 + round as u64 % 2);
        let part = ((uniform() * whole as f64) as u64).clamp(1, whole);
        let truth = Rational::from((part, whole));
        least(
            share_upper(part, whole),
            &truth,
            &format!("{part} / {whole}"),
        );
    }
}
