//! The checked inputs of Theorem 3.6 of the adaptive clipping paper, and its noise multipliers.

use crate::support::verdict;
use dp_assay_spec::ambssgd::bites::{
    any_order_bites_at, bites_at, leading_ratio, long_logarithm, normal_bites_at, schedule,
    shuffled_bites_at, witness,
};
use dp_assay_spec::ambssgd::privacy::Hypotheses;
use dp_assay_spec::arith::Interval;
use dp_assay_spec::privacy::PrivacyError;
use dp_assay_spec::units::{Delta, Epsilon};

fn hypotheses(epsilon: f64, delta: f64) -> Result<Hypotheses, PrivacyError> {
    let unit = "a value of the quantity";
    Hypotheses::check(
        Epsilon::new(epsilon).expect(unit),
        Delta::new(delta).expect(unit),
    )
}

#[test]
fn the_hypotheses_of_theorem_3_6_are_checked_with_precise_errors() -> Result<(), PrivacyError> {
    for (epsilon, delta, words) in [
        (0.0, 1e-5, "epsilon = 0 must be > 0"),
        (1.0, 0.0, "delta = 0 must lie in (0, 1)"),
        (1.0, 1.0, "delta = 1 must lie in (0, 1)"),
    ] {
        let error = hypotheses(epsilon, delta).expect_err(words);
        assert_eq!(error.to_string(), words);
    }
    // log(1/δ) = 0.69 < 1.
    let outside = hypotheses(1.0, 0.5)?
        .simple_multiplier()
        .expect_err("too large");
    assert_eq!(
        outside.to_string(),
        "epsilon = 1 must be at most log(1/delta)"
    );
    Ok(())
}

#[test]
fn the_multipliers_are_ordered_and_enclose_the_printed_formulas() -> Result<(), PrivacyError> {
    for (epsilon, delta) in [(0.1, 1e-6), (1.0, 1e-5), (3.0, 1e-10)] {
        let h = hypotheses(epsilon, delta)?;
        let (least, first, simple) = (h.least_multiplier(), h.multiplier(), h.simple_multiplier()?);
        assert!(least.certainly_lt(&first) && first.certainly_le(&simple));
        let printed = 2.0 * (-delta.ln() + epsilon).sqrt() / epsilon;
        // The double formula has five roundings, each of at most 2⁻⁵³ relative.
        let tolerance = printed * 5.0 * f64::EPSILON;
        assert!((first.lo_f64() - printed).abs() <= tolerance && first.width() <= tolerance);
    }
    Ok(())
}

/// N = 60,000, ε = 1, δ = N⁻², κ = c_1 = 1: what the findings say of DP-STAT under Theorem 3.7.
#[test]
fn at_ordinary_parameters_dp_stat_stops_at_each_empty_level_with_probability_a_quarter() {
    let n = 60_000_f64;
    let blocks = n.ln();
    // s = b/10 and T(b + s) = N.
    let samples = (n / blocks / 11.0).round();
    let levels = (200.0 * n.log2()).ceil();
    let noise = (8.0 * 2.0 * n.ln() * levels).sqrt();
    let stops = (-Interval::from_f64(samples / noise)).phi();
    assert_eq!((samples, levels, noise.round()), (496.0, 3175.0, 748.0));
    assert!(stops.lo_f64() > 0.25 && stops.hi_f64() < 0.26, "{stops}");
}

/// The schedule, and its two ends: it bites at the N that the table of headlines gives and not a little below, and from some
/// N on its bound is below the leading term that is printed with a probability no method attains.
#[test]
fn the_corrected_theorem_bites_where_its_function_says() {
    for (d, least, most) in [(2, 2_000_000, 4_000_000), (10, 8_000_000, 11_000_000)] {
        let bite = bites_at(d);
        let n = bite.records;
        assert!((least..most).contains(&n), "{d}: {bite:?}");
        let found = schedule(&witness(d, n), n).expect("it bites");
        assert!(
            found.bound / 0.05 < 0.5 && found.failure < 0.05,
            "{found:?}"
        );
        assert!(found.blocks * (found.batch + found.statistics) <= n);
        let below = n - n / 25;
        let still = schedule(&witness(d, below), below).is_some_and(|s| s.bound / 0.05 < 0.5);
        assert!(!still, "{d}: it bites at {below} already");
    }
    assert!(leading_ratio(10, 1 << 36) > 1.0 && leading_ratio(10, 1 << 38) < 1.0);
    // DP-SSGD with its failure probabilities: more records than there are.
    let n = shuffled_bites_at(10);
    assert!((1e26..2e26).contains(&n), "{n:e}");
    // Without them: a potential for a union bound, at the same ε.
    let n = any_order_bites_at(10) as f64;
    assert!((3.4e11..3.7e11).contains(&n), "{n:e}");
    let (below, above) = (any_order_ratio(n / 1.02), any_order_ratio(n * 1.02));
    assert!(below > 1.0 && above < 1.0, "{below} {above}");
    // 2(b+s)/b over 8.
    let limit = leading_ratio(10, 1 << 60);
    assert!((0.275..0.32).contains(&limit), "{limit}");
}

/// Where the theorem of the kernel bites: there its run has a bound below the trivial one, and what it needs, and a little below none has.
#[test]
fn the_run_on_normal_records_bites_where_its_function_says() {
    for (d, least, most) in [(2.0, 1_900_000, 2_100_000), (10.0, 5_800_000, 6_300_000)] {
        let bite = normal_bites_at(d as u32);
        assert!((least..most).contains(&bite.records), "{d}: {bite:?}");
        let n = bite.records as f64;
        let (above, below) = (normal_ratio(d, n * 1.02), normal_ratio(d, n / 1.03));
        assert!(above < 1.0 && below > 1.0, "{d}: {above} {below}");
    }
    assert!(normal_bites_at(10).records < bites_at(10).records);
}

/// R/β over the risk of the output 0 by the statement of `ambssgd-thm-3.7-corrected-normal-run` with φ = 1, k = n and B from a search:
/// the least over T and step sizes of which all that may fail besides β has probability 1/20 at most.
fn normal_ratio(d: f64, records: f64) -> f64 {
    let (m, alpha) = (
        (2.0 * records.log2()).ceil(),
        (2.0 * (2.0 * records.ln() + 1.0)).sqrt(),
    );
    let count = |l: f64| (1.0 + 32.0 * alpha * m.sqrt() * (2.0 * l).sqrt()).ceil();
    let mut least = f64::INFINITY;
    for half in 1..=50 {
        let (n, t) = (f64::from(half), f64::from(2 * half));
        let missed = |l: f64| {
            let r = count(l);
            let b = (records / t).floor() - r;
            t * (4.0 * b.max(0.0) + 2.0 * m * (r + 1.0)) * (-l).exp() + t * m * (-r / 16.0).exp()
        };
        // The least ℓ, on a grid, for which half of the failure is enough.
        let Some(l) = (50..6000)
            .map(|i| f64::from(i) / 100.0)
            .find(|l| missed(*l) <= 0.025)
        else {
            continue;
        };
        let r = count(l);
        let b = (records / t).floor() - r;
        if b < 1.0 {
            continue;
        }
        let (rho, v) = (
            4.0 * (d.sqrt() + (2.0 * l).sqrt()) * (2.0 * l).sqrt(),
            2.0 * (2.0 * l).sqrt(),
        );
        let chi = (d + 1.0) / b + 4.0 * d * (rho * alpha * v / b).powi(2);
        let pi = 2.0 * m * (r + 1.0) * (-l).exp() + m * (-r / 16.0).exp();
        for shorter in 0..8 {
            let eta = 0.5_f64.powi(shorter) / (1.0 + chi);
            let q = |radius: f64| {
                let width = (2.0 * l).sqrt() * (radius * radius + 1.0).sqrt() / m.exp2();
                d * (1.0 / b + (2.0 * rho * alpha / b).powi(2) * (width * width + v * v))
            };
            let fails = |radius: f64| {
                t * (4.0 * b * (-l).exp() + pi) + (1.0 + t * eta * eta * q(radius)) / radius.powi(2)
            };
            let radius = (0..800)
                .map(|i| 1.02_f64.powi(i))
                .find(|&radius| fails(radius) <= 0.05);
            let Some(radius) = radius else { continue };
            let q = q(radius);
            let start = (1.0 - eta).powf(n) + 2.0 * eta * q;
            let risk =
                2.0 * (1.0 + chi * eta) * q / (2.0 * n) + 6.0 / (2.0 * (eta * n).powi(2)) * start;
            least = least.min(risk / 0.05 / 0.5);
        }
    }
    least
}

/// R/β over the risk of the output 0 at N records for d = 10, by the statement of `ambssgd-thm-3.2-corrected-normal` with φ = 1,
/// N/2 steps before the average and B from a search: the least over step sizes.
fn any_order_ratio(records: f64) -> f64 {
    let d: f64 = 10.0;
    let l = (4.0 * records / 0.0125).ln();
    let alpha = (2.0 * (2.0 * records.ln() + 1.0)).sqrt();
    let of = |radius: f64| {
        let zeta = (d.sqrt() + (2.0 * l).sqrt()) * (2.0 * l).sqrt() * (radius + 1.0);
        d * (1.0 + (2.0 * zeta * alpha).powi(2))
    };
    let mut least = f64::INFINITY;
    for k in 4..60 {
        let eta = 0.5_f64.powi(k);
        let leaves = |b: f64| (1.0 + records * eta * eta * of(b)) / (b * b) > 0.0375;
        let radius = (0..400)
            .map(|i| 5.0 * 1.002_f64.powi(i))
            .find(|&b| !leaves(b));
        if let Some(radius) = radius {
            let (q, n) = (of(radius), records / 2.0);
            let start = (n * (-eta).ln_1p()).exp() + 2.0 * eta * q;
            let risk =
                2.0 * (1.0 + 11.0 * eta) * q / (2.0 * n) + 6.0 / (2.0 * (eta * n).powi(2)) * start;
            least = least.min(risk / 0.05 / 0.5);
        }
    }
    least
}

/// R of the schedule, written out again for H = I from the statement of `ambssgd-thm-1.1-corrected`.
#[test]
fn the_bound_of_the_schedule_is_that_of_the_claim() {
    let (d, n) = (10, 20_000_000_u64);
    let (p, s) = (
        witness(d, n),
        schedule(&witness(d, n), n).expect("admissible"),
    );
    let (d, b, t) = (f64::from(d), s.batch as f64, s.blocks as f64);
    let (log, eta) = ((1.0 / p.draw).ln(), s.step);
    let (u, alpha) = ((2.0 * log).sqrt(), s.multiplier);
    let rho = d.sqrt() + u;
    assert!(s.factor / (2.0 * rho * u) - 1.0 < 1e-12);
    let width = s.domain * 0.5_f64.powi(s.levels as i32);
    let noise = 16.0 * alpha.powi(2) * d / b.powi(2) * rho.powi(2) * u.powi(2);
    let q = d / b + noise * (4.0 * u.powi(2) + width.powi(2));
    let theta =
        eta * ((d + 1.0) / b + 64.0 * alpha.powi(2) * d / b.powi(2) * rho.powi(2) * u.powi(4));
    let weight = 16.0 + 8.0 * theta;
    let bias = weight / (eta * t).powi(2) * (-eta * t / 4.0).exp();
    let bound = 2.0 * q / t * (1.0 + 2.0 * theta + weight / (eta * t)) + bias;
    assert!((s.bound / bound - 1.0).abs() < 1e-9, "{} {bound}", s.bound);
    // (c) to (f).
    assert!(theta <= 1.0 && eta * (b + d + 1.0) <= b * (1.0 + 1e-12));
    assert!(b * b >= 128.0 * eta * alpha.powi(2) * d * rho.powi(2) * u.powi(4));
    let m = f64::from(s.levels);
    let margin = alpha * (2.0 * m * ((m + 1.0) / p.draw).ln()).sqrt();
    assert!(s.statistics as f64 >= 8.0 * margin);
    assert!(s.domain.powi(2) >= u.powi(2) * (1.0 + t / p.reach * (1.0 + 2.0 * eta * q)));
    assert!(eta * t >= 4.0 * (n as f64).ln());
}

/// What the slips and remarks are, by verdict.
#[test]
fn what_is_said_beside_the_theorems_is_decided() {
    let slips = [
        "cmp-regime",
        "intro-zeta",
        "intro-percentile-reading-60000",
        "thm-3.7-B",
        "cor-3.8-util-reading-expectation",
        "fact-tail-exp",
        "sec-3.2-residual",
        "lem-A.9-proof-normal",
        "thm-3.2-proof-size",
        "thm-3.7-proof-final",
        "lem-3.10-util-proof-noise-natural",
        "lem-3.10-util-proof-count",
        "lem-3.10-util-proof-levels",
        "conv-zcdp-proof",
        "eq-59-proof-index",
        "eq-59-proof-step",
    ];
    for slip in slips {
        assert_eq!(
            verdict(&format!("ambssgd-{slip}")).name(),
            "refuted",
            "{slip}"
        );
    }
    let proved = [
        "cmp-sizes",
        "cmp-regime-repaired",
        "thm-3.6-disjoint",
        "thm-3.7-proof-final-repaired",
        "thm-3.2-corrected-normal",
        "thm-3.7-corrected-normal-run",
    ];
    for id in proved {
        assert_eq!(verdict(&format!("ambssgd-{id}")).name(), "proved", "{id}");
    }
    let holding = [
        "fact-tail-exp-repaired",
        "intro-percentile",
        "rem-eigenvalues",
        "thm-3.7-corrected",
        "thm-1.1-corrected",
        "cor-3.8-util-corrected",
        "thm-3.1-corrected",
        "thm-3.2-corrected",
        "cor-3.3-corrected",
        "cor-3.3-util-corrected",
    ];
    for id in holding {
        assert_eq!(verdict(&format!("ambssgd-{id}")).name(), "argued", "{id}");
    }
}

/// Counterexamples that must satisfy what else is printed: what a method may be told is the same at both values of w*, (8)
/// follows under the condition of Theorem A.3, and the pathwise one has no clipping.
#[test]
fn counterexamples_keep_to_the_printed_hypotheses() {
    let told = |id: &str| format!("{:?}", verdict(&format!("ambssgd-{id}")));
    for id in ["thm-1.1", "thm-3.7-reading-tail"] {
        let text = told(id);
        assert!(text.contains("w* = 5.0σ/√N or at w* = −5.0σ/√N"), "{text}");
    }
    let text = told("eq-8-9");
    assert!(text.contains("(9)") && !text.contains("(8)"), "{text}");
    let text = told("lem-3.5-reading-pathwise");
    assert!(
        text.contains("ζ = 100") && text.contains("0.0114"),
        "{text}"
    );
    // What the findings say of Theorem 3.2.
    assert!((long_logarithm(60_000.0) / 5.7e4 - 1.0).abs() < 0.01);
}
