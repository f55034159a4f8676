//! The invariant ladder at random points: oracle's lower end ≤ fast upper bound ≤ oracle's upper end up
//! to 10⁻³ (relative, plus 10⁻⁶) where privacy-loss distributions reach, their lower end ≤ RDP, and below
//! δ = 10⁻¹² never above RDP.
//!
//! The oracle (`dp_assay::accounting::oracle`) shares no code with the accountants. Seeds are fixed; a
//! failure prints the event and both answers.

use crate::parallel::on_all_cores;
use dp_assay::accounting::oracle::{Certified, certify, transcript};
use dp_assay::accounting::{AccountError, Accountant, Event, Report, account};
use dp_assay::units::{Delta, Neighbouring};
use dp_assay_spec::arith::Interval;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use std::cell::RefCell;

const SEED: [u8; 32] = *b"the ladder of privacy accounting";

/// How loose the fast accountants may be, above the oracle's upper end: the width that they promise, and a number of no matter
/// where ε is 0. That they are safe is asked without any tolerance.
const RELATIVE: f64 = 1e-3;
const ABSOLUTE: f64 = 1e-6;

/// An event, the relation under which its losses are known, and δ.
#[derive(Clone, Debug)]
struct Point {
    event: Event,
    neighbours: Neighbouring,
    delta: f64,
}

impl Point {
    /// The accountant's answer. A lattice may refuse what would not fit it: that claims nothing, and
    /// another method then answers.
    fn report(&self, method: Accountant) -> Result<Option<Report>, TestCaseError> {
        let delta = Delta::new(self.delta).expect("a delta");
        match account(&self.event, delta, method, self.neighbours, true) {
            Ok(report) => Ok(Some(report)),
            Err(AccountError::TooCostly { .. }) if method == Accountant::Pld => Ok(None),
            Err(e) => Err(TestCaseError::fail(format!("{method:?}: {e}"))),
        }
    }

    fn upper(&self, method: Accountant) -> Result<f64, TestCaseError> {
        Ok(self
            .report(method)?
            .map_or(f64::INFINITY, |r| r.epsilon_upper))
    }

    /// The oracle's enclosure on a grid of 2^`log2_size` losses.
    fn on_a_grid(&self, log2_size: u32) -> Result<Certified, TestCaseError> {
        let fail = |e: &dyn std::fmt::Display| TestCaseError::fail(format!("oracle: {e}"));
        let steps = self.event.steps(self.neighbours).map_err(|e| fail(&e))?;
        let all = transcript(&steps[0], self.neighbours).map_err(|e| fail(&e))?;
        let delta = Interval::from_f64(self.delta);
        let found = all.epsilon(&delta, log2_size).map_err(|e| fail(&e))?;
        Ok(Certified {
            epsilon_lower: found.lo_f64(),
            epsilon_upper: found.hi_f64(),
        })
    }

    /// Whether a Rényi curve is known as well.
    fn has_curve(&self) -> bool {
        let Event::Repeated { event, .. } = &self.event else {
            return false;
        };
        !matches!(**event, Event::DiscreteLaplace { .. })
    }
}

fn log_uniform(lo: f64, hi: f64) -> impl Strategy<Value = f64> {
    (lo.ln()..hi.ln()).prop_map(f64::exp)
}

fn mechanism() -> impl Strategy<Value = (Event, Neighbouring)> {
    let gaussian = |sigma| Event::Gaussian {
        sigma,
        sensitivity: 1.0,
    };
    let sampled = move |(rate, sigma): (f64, f64)| Event::PoissonSampled {
        rate,
        event: Box::new(gaussian(sigma)),
    };
    let laplace = |scale| Event::Laplace {
        scale,
        sensitivity: 1.0,
    };
    let discrete = |(parameter, sensitivity)| Event::DiscreteLaplace {
        parameter,
        sensitivity,
    };
    let response = |(noise, buckets)| Event::RandomizedResponse { noise, buckets };
    let noise = || log_uniform(0.6, 20.0);
    let records = prop_oneof![
        2 => noise().prop_map(gaussian),
        4 => (log_uniform(3e-3, 0.6), log_uniform(0.6, 6.0)).prop_map(sampled),
        2 => noise().prop_map(laplace),
        1 => (log_uniform(0.02, 1.0), 1..4u64).prop_map(discrete),
    ];
    prop_oneof![
        9 => records.prop_map(|event| (event, Neighbouring::AddRemove)),
        1 => (0.05..0.95, 2..6u64).prop_map(response).prop_map(|e| (e, Neighbouring::ReplaceOne)),
    ]
}

fn point(times: std::ops::Range<f64>, delta: (f64, f64)) -> impl Strategy<Value = Point> {
    let times = log_uniform(times.start, times.end);
    (mechanism(), times, log_uniform(delta.0, delta.1)).prop_map(
        |((event, neighbours), t, delta)| {
            let event = Event::Repeated {
                times: t as u64,
                event: Box::new(event),
            };
            Point {
                event,
                neighbours,
                delta,
            }
        },
    )
}

/// Runs `check` on `cases` points, on all cores; the message of a failure is its event and what was found.
fn for_random_points(
    cases: u32,
    points: impl Strategy<Value = Point>,
    check: impl Fn(&Point) -> Result<(), TestCaseError> + Sync,
) {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &SEED);
    let drawn = RefCell::new(Vec::new());
    let draw = |point| {
        drawn.borrow_mut().push(point);
        Ok(())
    };
    let mut runner = TestRunner::new_with_rng(config, rng);
    runner.run(&points, draw).expect("nothing is checked yet");
    let points: Vec<Point> = drawn.into_inner();
    on_all_cores(&points, |point| {
        if let Err(why) = check(point) {
            panic!("{why}\nat {point:?}");
        }
    });
}

fn ensure(holds: bool, what: &str, left: f64, right: f64) -> Result<(), TestCaseError> {
    match holds {
        true => Ok(()),
        false => Err(TestCaseError::fail(format!("{what}: {left} and {right}"))),
    }
}

/// All rungs where privacy-loss distributions reach.
fn ladder(point: &Point, oracle: Certified) -> Result<(), TestCaseError> {
    let (lower, upper) = (oracle.epsilon_lower, oracle.epsilon_upper);
    for method in [Accountant::Pld, Accountant::Auto] {
        let Some(fast) = point.report(method)? else {
            continue;
        };
        let name = method.name();
        let (low, high) = (fast.epsilon_lower, fast.epsilon_upper);
        let most = upper * (1.0 + RELATIVE) + ABSOLUTE;
        ensure(
            lower <= high,
            &format!("{name} is below the truth"),
            high,
            lower,
        )?;
        ensure(
            low <= upper,
            &format!("{name}'s lower end is too high"),
            low,
            upper,
        )?;
        ensure(high <= most, &format!("{name} is loose"), high, upper)?;
    }
    if !point.has_curve() {
        return Ok(());
    }
    let (Some(pld), renyi) = (
        point.report(Accountant::Pld)?,
        point.upper(Accountant::Rdp)?,
    ) else {
        return Ok(());
    };
    // What a lattice proves necessary no curve may deny.
    ensure(
        pld.epsilon_lower <= renyi,
        "RDP is below pld's lower end",
        pld.epsilon_lower,
        renyi,
    )
}

#[test]
fn fast_upper_bounds_lie_between_the_oracles_lower_end_and_a_thousandth_above_its_upper_end() {
    let points = point(1.0..40.0, (1e-11, 1e-2));
    for_random_points(8, points, |p| ladder(p, p.on_a_grid(11)?));
}

#[test]
#[ignore = "seconds of computing: .ci/run runs it"]
fn below_a_delta_of_1e_minus_12_the_chosen_bound_is_never_above_renyi_at_length() {
    for_random_points(12, point(1.0..1e4, (1e-100, 1e-12)), |point| {
        if !point.has_curve() {
            return Ok(());
        }
        let (chosen, renyi) = (
            point.upper(Accountant::Auto)?,
            point.upper(Accountant::Rdp)?,
        );
        ensure(chosen <= renyi, "auto is above RDP", chosen, renyi)
    });
}

#[test]
fn at_tiny_deltas_the_chosen_bound_is_still_above_the_oracles_lower_end() {
    for_random_points(4, point(1.0..40.0, (1e-60, 1e-12)), |point| {
        let lower = point.on_a_grid(11)?.epsilon_lower;
        let chosen = point.upper(Accountant::Auto)?;
        ensure(lower <= chosen, "auto is below the truth", chosen, lower)
    });
}

/// Gaussian or Laplace noise on batches as programs draw them.
fn batch() -> impl Strategy<Value = (Event, Neighbouring)> {
    let noise = prop_oneof![
        3 => log_uniform(0.7, 4.0).prop_map(|sigma| Event::Gaussian { sigma, sensitivity: 1.0 }),
        1 => log_uniform(1.0, 8.0).prop_map(|scale| Event::Laplace { scale, sensitivity: 1.0 }),
    ];
    let relation = prop_oneof![
        Just(Neighbouring::AddRemove),
        Just(Neighbouring::ReplaceOne)
    ];
    (noise, relation, 0..3u8, 3..50u64, 0.02..0.5f64).prop_map(
        |(mechanism, neighbours, kind, size, share)| {
            let batch = ((share * size as f64).ceil() as u64).min(size - 1);
            // Of a sampled and replaced record behind Laplace noise only a bound is known, which the oracle does not have.
            let known = kind < 2 || neighbours == Neighbouring::AddRemove;
            let event = Box::new(match known {
                true => mechanism,
                false => Event::Gaussian {
                    sigma: 1.0 + share,
                    sensitivity: 1.0,
                },
            });
            let event = match kind {
                2 => Event::TruncatedPoissonSampled {
                    rate: share,
                    cap: batch,
                    records: size,
                    event,
                },
                _ => Event::FixedSizeSampled {
                    size,
                    batch,
                    replacement: kind == 1,
                    event,
                },
            };
            (event, neighbours)
        },
    )
}

#[test]
#[ignore = "seconds of computing: .ci/run runs it"]
fn no_batch_is_accounted_below_the_oracles_lower_end_at_length() {
    let points = (batch(), 1..12u64, log_uniform(1e-9, 1e-2));
    let points = points.prop_map(|((event, neighbours), times, delta)| {
        let event = Box::new(event);
        Point {
            event: Event::Repeated { times, event },
            neighbours,
            delta,
        }
    });
    for_random_points(12, points, |point| {
        let oracle = point.on_a_grid(11)?;
        let (least, most) = (oracle.epsilon_lower, oracle.epsilon_upper);
        let found = point.upper(Accountant::Auto)?;
        ensure(least <= found, "auto is below the truth", found, least)?;
        let loose = most * (1.0 + RELATIVE) + ABSOLUTE;
        ensure(found <= loose, "auto is loose", found, most)
    });
}

/// Needs no oracle: the profile of one release encloses its ε to a few units in the last place.
#[test]
#[ignore = "seconds of computing: .ci/run runs it"]
fn the_lattice_of_a_single_release_meets_its_profile_at_length() {
    for_random_points(100, point(1.0..1.5, (1e-100, 0.5)), |point| {
        let exact = point.report(Accountant::Exact)?;
        let (Some(exact), Some(lattice)) = (exact, point.report(Accountant::Pld)?) else {
            return Ok(());
        };
        let (low, high) = (lattice.epsilon_lower, lattice.epsilon_upper);
        let (least, most) = (exact.epsilon_lower, exact.epsilon_upper);
        ensure(least <= high, "the lattice is below the truth", high, least)?;
        ensure(low <= most, "its lower end is too high", low, most)?;
        let loose = most * (1.0 + RELATIVE) + ABSOLUTE;
        ensure(high <= loose, "the lattice is loose", high, most)
    });
}

#[test]
#[ignore = "hours: three hundred points with enclosures of a ten-thousandth"]
fn the_ladder_holds_at_three_hundred_points() {
    for_random_points(300, point(1.0..1e4, (1e-12, 1e-1)), |point| {
        let delta = Delta::new(point.delta).expect("a delta");
        let oracle = certify(&point.event, delta, point.neighbours, 1e-4)
            .map_err(|e| TestCaseError::fail(format!("oracle: {e}")))?;
        ladder(point, oracle)
    });
}
