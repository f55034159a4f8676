//! The exact accountant of the correlated noise paper, the checked inputs of its Corollary 12, and their variances.

use crate::parallel::on_all_cores;
use dp_assay_spec::arith::Rational;
use dp_assay_spec::decor::calibration::Hypotheses;
use dp_assay_spec::decor::graph::Graph;
use dp_assay_spec::decor::resolvent::Resolvent;
use dp_assay_spec::privacy::PrivacyError;
use dp_assay_spec::units::{Delta, Epsilon};

/// σ_cdp² = 1, σ_cor² = 100, C = 1: the slope 2 max [Σ⁻¹]_ii over all deletions of q vertices.
fn slope(graph: &Graph, q: u32) -> f64 {
    let n = graph.n() as u32;
    let sets = (0..1u64 << n).filter(|keep| keep.count_ones() + q == n);
    let largest =
        sets.filter_map(|keep| Resolvent::of(&graph.induced(keep)).largest(&Rational::from(100)));
    largest.max().unwrap_or_default().to_f64() * 2.0
}

#[test]
fn the_exact_accountant_gives_the_known_slopes() {
    let petersen = (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)]);
    let cases = [
        (Graph::ring(16), 0, 0.150448362757329),
        (Graph::ring(16), 1, 0.211261896999281),
        (Graph::torus(4, 4), 0, 0.130345888065324),
        (Graph::torus(4, 4), 1, 0.140579686321192),
        (Graph::complete(16), 0, 0.126171143035603),
        (Graph::star(16), 0, 0.143487053264977),
        (Graph::star(16), 1, 2.0),
        (Graph::path(16), 0, 0.207292471861142),
        (Graph::new(10, petersen), 0, 0.206571930765335),
    ];
    on_all_cores(&cases, |(graph, q, known)| {
        // The known values are printed with 15 decimals: half a unit in the last, and one rounding.
        let tolerance = 0.5e-15 + known * 2.0 * f64::EPSILON;
        assert!(
            (slope(graph, *q) - known).abs() <= tolerance,
            "{graph:?}, q = {q}"
        );
    });
}

fn hypotheses(
    epsilon: f64,
    delta: f64,
    users: (u32, u32),
    a: f64,
) -> Result<Hypotheses, PrivacyError> {
    let epsilon = Epsilon::new(epsilon).expect("a value of the quantity");
    let delta = Delta::new(delta).expect("a value of the quantity");
    Hypotheses::check(epsilon, delta, users, 1000, 1.0, a)
}

#[test]
fn the_hypotheses_of_corollary_12_are_checked_with_precise_errors() {
    assert!(hypotheses(1.0, 1e-5, (16, 0), 2.0).is_ok());
    let apart = "connectivity after deletions = 0 must be > 0 and at most n - q";
    for (epsilon, delta, users, connectivity, words) in [
        (0.0, 1e-5, (16, 0), 2.0, "epsilon = 0 must be > 0"),
        (1.0, 1.0, (16, 0), 2.0, "delta = 1 must lie in (0, 1)"),
        (
            12.0,
            1e-5,
            (16, 0),
            2.0,
            "epsilon = 12 must be at most log(1/delta)",
        ),
        (
            1.0,
            1e-5,
            (2, 1),
            1.0,
            "colluders = 1 must be at most n - 2",
        ),
        (1.0, 1e-5, (16, 0), 0.0, apart),
    ] {
        let error = hypotheses(epsilon, delta, users, connectivity).expect_err(words);
        assert_eq!(error.to_string(), words);
    }
    assert!(hypotheses(1.0, 1e-5, (16, 0), f64::NAN).is_err());
}

#[test]
fn the_printed_variances_enclose_the_formula_and_the_tight_ones_are_smaller()
-> Result<(), PrivacyError> {
    let h = hypotheses(1.0, 1e-5, (16, 1), 0.5)?;
    let (printed, tight) = (h.printed(), h.tight());
    let common = 32.0 * 1000.0 * -(1e-5_f64).ln();
    // The double formula has at most four roundings, each of at most 2⁻⁵³ relative.
    for (found, formula) in [
        (&printed.uncorrelated, common / 15.0),
        (&printed.correlated, common / 0.5),
    ] {
        assert!((found.lo_f64() - formula).abs() <= formula * 4.0 * f64::EPSILON);
        assert!(found.width() <= formula * f64::EPSILON);
    }
    // 32/(12 + 8√2) in double: four roundings here, four in the two ends.
    let ratio = printed.uncorrelated.lo_f64() / tight.uncorrelated.hi_f64();
    let exact = 32.0 / (12.0 + 8.0 * 2.0_f64.sqrt());
    assert!((ratio - exact).abs() <= exact * 8.0 * f64::EPSILON);
    Ok(())
}
