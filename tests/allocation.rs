//! The optimized DP-GCD, DP-SkGD and KL solvers allocate nothing per step: a long run asks the
//! allocator exactly as often as a short one. Alone in its file, since the counter is the process's.
//!
//! With threads the pool's own queues may grow once in a while, whatever the solver does; the run of
//! 400 iterations and some 4,000 tasks is then allowed `POOL` requests more.

use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::loss::{Logistic, Loss, Squared};
use dp_assay::problem::risk::Margins;
use dp_assay::problem::rows::Matrix;
use dp_assay::problem::{Dataset, Dense, Design, Problem, Regulariser, Sparse};
use dp_assay::solver::gcd::{Config, LaplaceScales, optimized};
use dp_assay::solver::kl;
use dp_assay::solver::skgd::{self, Sampling, SetValues};
use dp_assay::units::{Neighbouring, Rho};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn problem(design: Design, loss: impl Loss + 'static) -> Problem {
    let targets = (0..design.rows()).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 });
    let data = Dataset::new("random", design.clone(), targets.collect()).expect("finite");
    Problem::new(data, loss, Regulariser::L1(0.001)).expect("±1")
}

fn dense(n: usize, p: usize) -> Design {
    let mut random = Pcg64::seed_from_u64(1);
    let values = (0..n * p).map(|_| random.random_range(-1.0..1.0)).collect();
    Dense::from_columns(n, p, values).expect("finite").into()
}

fn sparse(n: usize, p: usize) -> Design {
    let mut random = Pcg64::seed_from_u64(2);
    let cells = (0..n * p).filter(|_| random.random_bool(0.05));
    let entries: Vec<_> = cells
        .map(|k| (k % n, k / n, 1.0 + (k % 3) as f64))
        .collect();
    Sparse::from_entries(n, p, &entries).expect("sound").into()
}

const POOL: usize = 20;

/// Allocations of one run, the reallocations included.
fn allocations(problem: &Problem, iterations: usize, clipped: bool) -> usize {
    let scales = vec![0.01; problem.features()];
    let noise = LaplaceScales::new(scales.clone(), scales).expect("positive");
    let mut config = Config::new(problem, iterations, noise);
    config.clipping = clipped.then(|| vec![0.3; problem.features()]);
    let region = Region::new(ALLOCATOR);
    let run = optimized::run(problem, &config, Tape::new(1)).expect("sound");
    let change = region.change();
    assert_eq!(run.transcript.len(), iterations);
    change.allocations + change.reallocations
}

#[test]
fn the_number_of_allocations_does_not_depend_on_the_number_of_iterations() {
    for (name, problem, allowed) in [
        ("dense logistic", problem(dense(50, 30), Logistic), 0),
        ("dense squared", problem(dense(50, 30), Squared), 0),
        ("sparse logistic", problem(sparse(50, 30), Logistic), 0),
        ("sparse squared", problem(sparse(50, 30), Squared), 0),
        // Large enough to be spread over threads.
        (
            "threaded logistic",
            problem(dense(600, 300), Logistic),
            POOL,
        ),
    ] {
        for clipped in [false, true] {
            // Once for what is built at first use: the row index, the thread pool.
            allocations(&problem, 4, clipped);
            // The counter is the process's, whose other threads only add to it: the least of three runs is the solver's.
            let least = |iterations| {
                let runs = (0..3).map(|_| allocations(&problem, iterations, clipped));
                runs.min().expect("three runs")
            };
            let (few, many) = (least(4), least(400));
            assert!(
                few.abs_diff(many) <= allowed,
                "{name}, clipped: {clipped}: {few} for 4 iterations, {many} for 400"
            );
            assert!(few < 40, "{name}: {few} allocations to set up");
        }
    }
    random_blocks();
    non_convex();
}

/// KL Spider and Algorithm 4 on 40 records, of twenty and of hundreds of releases; adaptive descent returns all its
/// iterates, whose list doubles.
fn non_convex() {
    let risk = {
        let mut random = Pcg64::seed_from_u64(3);
        let values = (0..40 * 5).map(|_| random.random_range(-0.4..0.4));
        let targets = (0..40).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 });
        let records = Matrix::new(5, values.collect(), targets.collect()).expect("finite");
        Margins::new(records, Logistic)
    };
    let count = |rho: f64, run: &dyn Fn(&kl::Budget) -> kl::Run| {
        let budget = kl::Budget {
            rho: Rho::new(rho).expect("positive"),
            neighbours: Neighbouring::ReplaceOne,
            variant: kl::Variant::Repaired,
        };
        run(&budget);
        let region = Region::new(ALLOCATOR);
        let releases = run(&budget).releases;
        let change = region.change();
        (change.allocations + change.reallocations, releases)
    };
    let start = [0.0; 5];
    let spider = |budget: &kl::Budget| {
        let inputs = kl::Spider {
            beta: 0.1,
            gamma: 1.0,
            kappa: 2.0,
            lipschitz: 1.0,
            smoothness: 0.25,
            loss_bound: 0.7,
        };
        kl::optimized::spider(&risk, &start, &inputs, budget, Tape::new(1), &mut |_| ())
            .expect("sound")
    };
    let regularised = |budget: &kl::Budget| {
        let inputs = kl::Regularised {
            beta: 0.1,
            lipschitz: 1.0,
            weak_convexity: 0.25,
            length: Some(if budget.rho.get() < 10.0 { 20 } else { 400 }),
        };
        kl::optimized::regularised(&risk, &start, &inputs, budget, Tape::new(1), &mut |_| ())
            .expect("sound")
    };
    let adaptive = |budget: &kl::Budget| {
        let inputs = kl::Adaptive {
            beta: 0.1,
            lipschitz: 1.0,
            smoothness: 0.25,
        };
        kl::optimized::adaptive(
            &risk,
            &start,
            &inputs,
            budget,
            false,
            Tape::new(1),
            &mut |_| (),
        )
        .expect("sound")
    };
    for (name, run, doublings) in [
        ("spider", &spider as &dyn Fn(&kl::Budget) -> kl::Run, 0),
        ("regularised", &regularised, 0),
        ("adaptive", &adaptive, 24),
    ] {
        let ((few, short), (many, long)) = (count(4.0, run), count(1e8, run));
        assert!(long > 2 * short, "{name}: {short} and {long} releases");
        assert!(
            many <= few + doublings && few < 40,
            "{name}: {few} allocations for {short} releases, {many} for {long}"
        );
    }
}

/// DP-SkGD: 40 and 400 inner steps in three rounds each, by every kind of sampling.
fn random_blocks() {
    let problems = [
        ("dense", problem(dense(50, 30), Logistic)),
        ("sparse", problem(sparse(50, 30), Logistic)),
    ];
    let samplings = [
        Sampling::full(30),
        Sampling::uniform_singleton(30),
        Sampling::nice(30, 4),
    ];
    for ((name, problem), sampling) in problems
        .iter()
        .flat_map(|p| samplings.iter().map(move |s| (p, s)))
    {
        let sampling = sampling.as_ref().expect("sound");
        for clipped in [false, true] {
            let count = |inner: usize| {
                let noise = SetValues::Same(0.01);
                let mut config = skgd::Config::new(problem, (inner, 3), sampling.clone(), noise);
                config.clipping = clipped.then_some(SetValues::Same(0.3));
                let region = Region::new(ALLOCATOR);
                let run = skgd::optimized::run(problem, &config, Tape::new(1)).expect("sound");
                let change = region.change();
                assert_eq!(run.transcript.len(), 3 * inner);
                change.allocations + change.reallocations
            };
            let (few, many) = (count(40), count(400));
            assert!(
                few == many && few < 40,
                "{name}, sets of {}, clipped: {clipped}: {few} and {many}",
                sampling.largest()
            );
        }
    }
}
