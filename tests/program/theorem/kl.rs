//! kl's theorems: what a run by them promises, keeps and refuses.

use super::{data, ground};
use dp_assay::solver::fit::{FitError, ScheduleName, kl};
use dp_assay::units::{Delta, Epsilon};

fn budget(epsilon: f64) -> (Epsilon, Delta) {
    (
        Epsilon::new(epsilon).expect("≥ 0"),
        Delta::new(1e-6).expect("≤ 1"),
    )
}

/// Logistic loss on so many records.
fn posed(records: u32) -> kl::Posed {
    kl::Posed::data(&data(records), kl::Loss::Logistic, 1.0, 1.0).expect("a risk")
}

/// The gradient at the drawn point is below the bound (one fixed tape), and what has no bound is refused.
#[test]
fn adaptive_descent_by_its_theorem_keeps_its_bound() {
    let request = |method| kl::Request {
        schedule: ScheduleName::Theorem,
        ..kl::Request::new(method, budget(1.0))
    };
    let (posed, few) = (posed(400_000), posed(400));
    let found = kl::fit(&posed, &request(kl::Method::AdaptiveGd)).expect("enough records");
    let utility = found.utility.expect("a bound");
    let mut gradient = [0.0; 2];
    posed.risk.gradient(&found.coefficients, &mut gradient);
    let length = gradient[0].hypot(gradient[1]);
    eprintln!(
        "{}: {:.3e} of {:.3}, gradient {length:.3e}",
        utility.claim, utility.bound, utility.trivial
    );
    assert!(length <= utility.bound && utility.bound < utility.trivial);
    assert!(found.request.select && found.privacy.epsilon_upper <= 1.0);
    let near = kl::Posed::builtin(kl::Builtin::Quadratic, 400, 2).expect("a risk");
    for (posed, method, words) in [
        (&few, kl::Method::AdaptiveGd, "are the fewest"),
        (&near, kl::Method::AdaptiveGd, "whole space"),
        (&few, kl::Method::KlSpider, "with --gamma and --kappa"),
        (&few, kl::Method::KlProx, "with --gamma and --kappa"),
        (&few, kl::Method::NoisyGd, "are the fewest"),
    ] {
        let message = kl::fit(posed, &request(method))
            .expect_err("no bound")
            .to_string();
        assert!(message.contains(words), "{message}");
    }
}

/// Of F on the 505 different records of [`data`]: its minimum, and by a grid the largest
/// (F − min F)/‖∇F‖² where F is at most log 2.
fn valley() -> (f64, f64) {
    let posed = posed(505);
    let mut w = [0.0; 2];
    let mut gradient = [0.0; 2];
    for _ in 0..20_000 {
        posed.risk.gradient(&w, &mut gradient);
        w = [0, 1].map(|j| w[j] - 4.0 * gradient[j]);
    }
    let least = posed.risk.value(&w);
    let steps = || (-60..=60).map(|k| f64::from(k) * 0.15);
    let mut square: f64 = 0.0;
    for (a, b) in steps().flat_map(|a| steps().map(move |b| (a, b))) {
        let value = posed.risk.value(&[a, b]);
        if value <= 2f64.ln() && value - least > 1e-9 {
            assert!(
                a.abs().max(b.abs()) < 8.0,
                "the valley ends within the grid"
            );
            posed.risk.gradient(&[a, b], &mut gradient);
            let slope = gradient[0].powi(2) + gradient[1].powi(2);
            square = square.max((value - least) / slope);
        }
    }
    (least, square)
}

/// A fit of so many records by the theorem on F, κ = 2, γ a tenth above what the grid finds. One fixed tape, so no false alarm: the
/// excess risk of one run is below the bound, which is below that of the start.
fn kept(method: kl::Method, beta: f64, records: u32) -> (kl::Request, kl::Fitted) {
    let (least, square) = valley();
    let asked = kl::Request {
        schedule: ScheduleName::Theorem,
        gamma: Some((1.1 * square).sqrt()),
        kappa: Some(2.0),
        beta,
        ..kl::Request::new(method, budget(50.0))
    };
    let posed = posed(records);
    let found = kl::fit(&posed, &asked).expect("enough records");
    let utility = found.utility.as_ref().expect("a bound");
    let excess = posed.risk.value(&found.coefficients) - least;
    eprintln!(
        "gamma^2 {square:.3}: {} {:.3e} of {:.3} from {:?} records on, excess {excess:.3e} after \
         {} releases; {}",
        utility.claim,
        utility.bound,
        utility.trivial,
        utility.bites_at,
        found.privacy.releases,
        utility.statement
    );
    assert!(excess <= utility.bound && utility.bound < utility.trivial);
    assert_eq!(utility.failure, Some(beta));
    (asked, found)
}

/// Where a bound is said to begin, it begins.
fn begins(asked: &kl::Request, found: &kl::Fitted, records: u32) {
    let utility = found.utility.as_ref().expect("a bound");
    let bites = utility.bites_at.expect("it has begun") as u32;
    assert!(bites < records);
    assert!(kl::fit(&posed(bites), asked).is_ok());
    let why = kl::fit(&posed(bites - 1), asked).expect_err("too few");
    let why = why.to_string();
    assert!(why.contains(&format!("{bites} are the fewest")), "{why}");
}

/// The promise is that of the same run, which takes the theorem's number of steps.
#[test]
fn spider_by_its_theorem_keeps_its_bound() {
    let records = 505 * 100;
    let (asked, found) = kept(kl::Method::KlSpider, 0.03, records);
    let utility = found.utility.as_ref().expect("a bound");
    assert_eq!(utility.claim, "kl-thm-1-corrected");
    assert!(found.privacy.epsilon_upper <= 50.0 && !found.privacy.cut);
    assert!(ground("kl-thm-1-corrected").contains(found.privacy.claim));
    begins(&asked, &found, records);
    for (changed, words) in [
        (
            kl::Request {
                beta: 0.1,
                ..asked.clone()
            },
            "say --beta 0.03",
        ),
        (
            kl::Request {
                neighbours: dp_assay::units::Neighbouring::ZeroOut,
                ..asked.clone()
            },
            "replace-one",
        ),
        (
            kl::Request {
                gradients: 10,
                ..asked.clone()
            },
            "more than the 10 allowed",
        ),
    ] {
        let why = kl::fit(&posed(records), &changed);
        let why = why.expect_err("refused").to_string();
        assert!(why.contains(words), "{why}");
    }
}

/// As above for the last point of adaptive descent, κ = 2; and γ and κ that no loss has are refused.
#[test]
fn the_last_point_of_adaptive_descent_keeps_its_bound() {
    let records = 505 * 40;
    let (asked, found) = kept(kl::Method::AdaptiveGd, 0.1, records);
    let utility = found.utility.as_ref().expect("a bound");
    assert_eq!(utility.claim, "kl-thm-4-corrected");
    // All of the budget, as nothing is drawn; and KL* is known as far up as the statement says.
    assert!(!found.request.select && !found.privacy.cut);
    assert_eq!(found.resolved.rho, found.privacy.rho_upper);
    assert!(
        utility.statement.contains(&format!("{}", 2f64.ln())),
        "{}",
        utility.statement
    );
    begins(&asked, &found, records);
    let posed = posed(records);
    let drawn = kl::Request {
        select: true,
        ..asked.clone()
    };
    let drawn = kl::fit(&posed, &drawn).expect("enough records");
    assert_eq!(drawn.utility.expect("a bound").claim, "kl-thm-5-corrected");
    for (method, gamma, kappa, words) in [
        (kl::Method::AdaptiveGd, Some(3.0), None, "or neither"),
        (kl::Method::AdaptiveGd, None, Some(2.0), "or neither"),
        (
            kl::Method::AdaptiveGd,
            Some(3.0),
            Some(2.5),
            "kappa in [1, 2]",
        ),
        // 1/√(2·(1/4)).
        (
            kl::Method::AdaptiveGd,
            Some(1.41),
            Some(2.0),
            "1/sqrt(2 L_1) = 1.414",
        ),
        (
            kl::Method::KlSpider,
            Some(1.41),
            Some(2.0),
            "1/sqrt(2 L_1) = 1.414",
        ),
        (kl::Method::KlProx, Some(3.0), Some(2.5), "no smooth F"),
    ] {
        let asked = kl::Request {
            method,
            gamma,
            kappa,
            beta: 0.03,
            ..asked.clone()
        };
        let why = kl::fit(&posed, &asked).expect_err("refused").to_string();
        assert!(why.contains(words), "{why}");
    }
}

/// Where they promise something, proximal points and descent take more passes than anybody waits for: that is said at once.
#[test]
fn what_takes_too_long_by_its_theorem_is_refused_before_it_runs() {
    let asked = |method| kl::Request {
        schedule: ScheduleName::Theorem,
        gamma: Some(3.0),
        kappa: Some(2.0),
        ..kl::Request::new(method, budget(8.0))
    };
    let few = kl::fit(&posed(400), &asked(kl::Method::KlProx)).expect_err("too few");
    let few = few.to_string();
    assert!(few.contains("kl-thm-2-corrected"), "{few}");
    let fewest = few.split(" are the fewest").next().expect("a number");
    let fewest = fewest.rsplit(' ').next().expect("a number");
    assert!(fewest.parse::<f64>().is_ok_and(|n| n > 1e4), "{few}");
    assert!(few.contains("passes over them"), "{few}");
    let long = kl::fit(&posed(200_000), &asked(kl::Method::NoisyGd)).expect_err("too long");
    assert!(matches!(long, FitError::Long { .. }), "{long}");
}
