//! Arbitrary inputs to both DP-SkGD solvers: the same refusals, and averages within the derived bound.
#![no_main]
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::{Dataset, Dense, Problem, Regulariser::None, loss::Logistic};
use dp_assay::solver::skgd::*;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, u8, u8, [f64; 4], Vec<f64>)| {
    // Within 10⁻⁹ and 100, or not finite: the bound is relative and knows no underflow.
    let tame = |x: &f64| if x.abs() < 1e-9 { 0.0 } else { x % 100.0 };
    let n = input.4.len() / 3;
    let Ok(design) = Dense::from_columns(n, 3, input.4[..3 * n].iter().map(tame).collect()) else {
        return;
    };
    let targets = (0..n)
        .map(|i| if i % 2 == 0 { 1.0 } else { -1.0 })
        .collect();
    let data = Dataset::new("fuzz", design, targets).expect("n targets");
    let problem = Problem::new(data, Logistic, None).expect("±1");
    let pairs = Sampling::partition(3, vec![vec![0, 2], vec![1]]);
    let sampling = [pairs, Sampling::nice(3, 2)][usize::from(input.0 % 2)]
        .clone()
        .expect("sound");
    let [noise, radius, step, start] = input.3.each_ref().map(tame);
    let lengths = (usize::from(input.1 % 9), usize::from(input.2 % 4));
    let mut config = Config::new(&problem, lengths, sampling, SetValues::Same(noise));
    config.clipping = (input.0 & 64 == 0).then_some(SetValues::Same(radius));
    (config.steps, config.start) = (vec![step; 3], vec![start; 3]);
    let runs = [reference::run, optimized::run].map(|run| run(&problem, &config, Tape::new(7)));
    let refused = runs
        .each_ref()
        .map(|run| matches!(run, Err(RunError::Config(_))));
    assert_eq!(refused[0], refused[1]);
    for run in runs.into_iter().flatten() {
        let mut follower = bound::Follower::new(&problem, &config);
        run.transcript
            .steps()
            .for_each(|release| follower.advance(release));
        for (j, (w, average)) in run.iterate.iter().zip(follower.average()).enumerate() {
            assert!((w - average).abs() <= follower.shadow(j) + f64::MIN_POSITIVE);
        }
    }
});
