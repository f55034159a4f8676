//! Reference and optimized solver on the same tape: the same coordinates, iterates within the bound.

use super::problems::{Choice, Entries, Recipe, recipes};
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::problem::{Problem, Regulariser};
use dp_assay::solver::gcd::bound::{RunBound, TRUSTED, drift_upper};
use dp_assay::solver::gcd::{Config, Rule, Run, SelectionNoise, optimized, reference};
use proptest::prelude::*;
use proptest::test_runner::{Config as Runner, RngSeed, TestError, TestRunner};
use std::cell::RefCell;

/// What the cases covered, and how close they came.
#[derive(Debug, Default)]
struct Seen {
    cases: u32,
    wide: u32,
    long: u32,
    clipped: u32,
    sparse: u32,
    near_ties: u32,
    single_record: u32,
    wider_than_long: u32,
    /// Steps compared.
    steps: u64,
    /// Runs that parted at a tie within the rounding margin.
    ties: u32,
    /// Runs not compared to the end: a kink, a bound above `TRUSTED`, or divergence.
    cut: u32,
    /// Runs whose final iterates were compared.
    whole: u32,
    /// Largest ratio of an observed difference to its bound: of one value, of final iterates.
    closest: [f64; 2],
    /// Largest bound used.
    widest: f64,
}

#[test]
fn both_solvers_choose_alike_and_stay_within_the_derived_bound() {
    let seen = RefCell::new(Seen::default());
    couple(900, 1..=30, &seen);
    couple(300, 200..=320, &seen);
    let seen = seen.into_inner();
    eprintln!("{seen:#?}");
    assert!(seen.cases >= 1200 && 4 * seen.wide >= seen.cases);
    for covered in [
        seen.long,
        seen.clipped,
        seen.sparse,
        seen.near_ties,
        seen.single_record,
    ] {
        assert!(
            covered >= 100,
            "a kind of problem is under-represented: {seen:?}"
        );
    }
    // Comparisons cut short prove nothing: they must stay rare.
    assert!(seen.cut * 50 <= seen.cases, "{seen:?}");
    assert!(2 * seen.whole >= seen.cases, "{seen:?}");
    // A bound that nothing comes near would let faults through.
    assert!(seen.closest.iter().all(|c| *c > 0.01), "{seen:?}");
}

/// 180,000 entries: enough for the optimized solver to spread its passes over threads.
#[test]
fn the_number_of_threads_does_not_change_a_bit() {
    let recipe = Recipe {
        seed: 5,
        records: 600,
        features: 300,
        iterations: 12,
        entries: Entries::Dense,
        loss: Choice::Logistic,
        ridge: true,
        psi: Regulariser::None,
        rule: Rule::GsS,
        selection: SelectionNoise::Inside,
        clipping: Some(0.3),
        noise: 0.05,
        step: 1.0,
        heterogeneous: true,
        warm: true,
    };
    let (problem, config) = recipe.build();
    let tape = Tape::new(recipe.seed);
    let runs = [1, 2, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let run = || optimized::run(&problem, &config, tape);
        pool.expect("threads start").install(run).expect("sound")
    });
    assert!(runs[0] == runs[1] && runs[1] == runs[2]);
    let slow = reference::run(&problem, &config, tape).expect("sound");
    let mut seen = Seen::default();
    follow(&problem, &config, tape, (&slow, &runs[1]), &mut seen).expect("within the bound");
    assert_eq!((seen.steps, seen.cut), (12, 0), "{seen:?}");
}

fn couple(cases: u32, features: std::ops::RangeInclusive<usize>, seen: &RefCell<Seen>) {
    let config = Runner {
        cases,
        rng_seed: RngSeed::Fixed(0x6763_6420_6361_7365),
        failure_persistence: None,
        ..Runner::default()
    };
    let outcome = TestRunner::new(config).run(&recipes(features), |recipe| {
        compare(&recipe, &mut seen.borrow_mut())
    });
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(reason, recipe)) => panic!("{reason}\nsmallest case: {recipe:#?}"),
        Err(abort) => panic!("{abort}"),
    }
}

fn compare(recipe: &Recipe, seen: &mut Seen) -> Result<(), TestCaseError> {
    let (problem, config) = recipe.build();
    let tape = Tape::new(recipe.seed);
    count(recipe, seen);
    let (slow, fast) = match (
        reference::run(&problem, &config, tape),
        optimized::run(&problem, &config, tape),
    ) {
        (Ok(slow), Ok(fast)) => (slow, fast),
        (slow, fast) => {
            prop_assert_eq!(slow.is_err(), fast.is_err());
            seen.cut += 1;
            return Ok(());
        }
    };
    prop_assert_eq!(slow.counters.draws, fast.counters.draws);
    follow(&problem, &config, tape, (&slow, &fast), seen)
}

/// Compares step by step until the runs part at a tie, or to the end.
fn follow(
    problem: &Problem,
    config: &Config,
    tape: Tape,
    (slow, fast): (&Run, &Run),
    seen: &mut Seen,
) -> Result<(), TestCaseError> {
    let mut bound = RunBound::new(problem, config);
    for (step, (a, b)) in slow.transcript.iter().zip(&fast.transcript).enumerate() {
        if a.coordinate != b.coordinate {
            let pair = (a.coordinate, b.coordinate);
            let (ahead, margin) = tie(&bound, problem, config, tape, step, pair);
            prop_assert!(
                ahead <= margin,
                "step {step}: {pair:?} apart by {ahead}, margin {margin}"
            );
            seen.ties += 1;
            eprintln!("tie at step {step}: {pair:?} apart by {ahead:e}, margin {margin:e}");
            return Ok(());
        }
        let allowed = bound.gradient_difference(a.coordinate) + 2.0 * f64::EPSILON * a.value.abs();
        if bound.kinked() || allowed > TRUSTED {
            seen.cut += 1;
            return Ok(());
        }
        near(a.value, b.value, allowed, seen, 0)?;
        bound.advance(*a);
        seen.steps += 1;
    }
    let mut largest = 0.0_f64;
    for (k, (a, b)) in slow.iterate.iter().zip(&fast.iterate).enumerate() {
        near(*a, *b, bound.iterate(k), seen, 1)?;
        largest = largest.max(bound.iterate(k));
    }
    // What `check` holds the final iterates to is this bound and no other.
    if !bound.kinked() && largest <= TRUSTED {
        prop_assert_eq!(drift_upper(problem, config, slow), largest);
        seen.whole += 1;
    }
    Ok(())
}

fn near(a: f64, b: f64, allowed: f64, seen: &mut Seen, of: usize) -> Result<(), TestCaseError> {
    let difference = (a - b).abs();
    prop_assert!(
        difference <= allowed,
        "{a} and {b} differ by {difference}, bound {allowed}"
    );
    if difference > 0.0 {
        seen.closest[of] = seen.closest[of].max(difference / allowed);
        seen.widest = seen.widest.max(allowed);
    }
    Ok(())
}

/// By how much the reference prefers its coordinate, and how much the two solvers' scores of the
/// two coordinates may differ: the scores over the corners of (gradient, iterate) ± their bounds,
/// doubled for curvature, plus ten roundings of the score.
fn tie(
    bound: &RunBound<'_>,
    problem: &Problem,
    config: &Config,
    tape: Tape,
    step: usize,
    (chosen, other): (usize, usize),
) -> (f64, f64) {
    let gradient = problem.clipped_gradient(bound.point(), config.clipping.as_deref());
    let score = |k: usize| {
        let word = tape.uniform(step as u64, Purpose::Selection, k as u64);
        let noise = match config.selection {
            SelectionNoise::Absent => 0.0,
            _ => config.noise.selection()[k] * word.laplace(),
        };
        let smoothness = problem.constants().smoothness()[k];
        let at = |dg: f64, dw: f64| {
            config.score(
                problem.regulariser(),
                gradient[k] + dg,
                noise,
                bound.point()[k] + dw,
                smoothness,
            )
        };
        let (dg, dw) = (bound.gradient_difference(k), bound.iterate(k));
        let corners = [(dg, dw), (dg, -dw), (-dg, dw), (-dg, -dw)];
        let moves = corners
            .iter()
            .map(|&(dg, dw)| (at(dg, dw) - at(0.0, 0.0)).abs());
        let margin = 2.0 * moves.fold(0.0, f64::max) + 10.0 * f64::EPSILON * at(0.0, 0.0).abs();
        (at(0.0, 0.0), margin)
    };
    let ((a, margin_a), (b, margin_b)) = (score(chosen), score(other));
    (a - b, margin_a + margin_b)
}

fn count(recipe: &Recipe, seen: &mut Seen) {
    let sparse = matches!(recipe.entries, Entries::Sparse | Entries::Signs);
    seen.cases += 1;
    seen.wide += u32::from(recipe.features >= 200);
    seen.long += u32::from(recipe.iterations >= 100);
    seen.clipped += u32::from(recipe.clipping.is_some());
    seen.sparse += u32::from(sparse);
    seen.near_ties += u32::from(recipe.entries == Entries::NearTies);
    seen.single_record += u32::from(recipe.records == 1);
    seen.wider_than_long += u32::from(recipe.features > recipe.records);
}
