//! Arbitrary inputs to both solvers of DP-AMBSSGD and DP-SSGD: the same refusals, averages within the derived bound.
#![no_main]
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::rows::{Matrix, norm};
use dp_assay::solver::ambssgd::*;
use libfuzzer_sys::fuzz_target;

fn close(slow: Result<bound::Bounded, RunError>, fast: Result<Run, RunError>) {
    if let (Ok(slow), Ok(fast)) = (&slow, &fast) {
        let pairs = fast.average.iter().zip(&slow.run.average);
        let apart = norm(&pairs.map(|(a, b)| a - b).collect::<Vec<_>>());
        assert!(apart <= slow.drift + f64::MIN_POSITIVE, "{apart:e}");
    }
    let messages = (
        slow.err().map(|e| e.to_string()),
        fast.err().map(|e| e.to_string()),
    );
    assert_eq!(messages.0, messages.1);
}

fuzz_target!(|input: (bool, [u8; 3], [f64; 5], Vec<f64>)| {
    // Within 10⁻⁹ and 100, or not finite: the bound is relative and knows no underflow.
    let tame = |x: &f64| if x.abs() < 1e-9 { 0.0 } else { x % 100.0 };
    let [batch, statistics, levels] = input.1.map(|k| usize::from(k % 13));
    let [step, threshold, multiplier, factor, domain] = input.2.each_ref().map(tame);
    let mut values: Vec<f64> = input.3.iter().map(tame).collect();
    let n = values.len() / 3;
    let targets = values.split_off(2 * n)[..n].to_vec();
    let Ok(records) = Matrix::new(2, values, targets) else {
        return;
    };
    let (order, tape, quiet) = (
        permutation(Tape::new(7), n),
        Tape::new(7),
        &mut |_: Iterate<'_>| (),
    );
    let config = Shuffled {
        step,
        threshold,
        multiplier,
    };
    let fast = optimized::ssgd(&mut records.source(Some(&order)), n, &config, tape, quiet);
    close(bound::ssgd(&records, &order, &config, tape), fast);
    let Ok(search) = Search::halvings(domain, levels) else {
        return;
    };
    let ranges = if input.0 {
        Ranges::Printed
    } else {
        Ranges::Disjoint
    };
    let stop = if input.0 {
        Stop::Printed
    } else {
        Stop::Margin { failure: 0.01 }
    };
    let config = Adaptive {
        step,
        multiplier,
        batch,
        statistics,
        factor,
        search,
        ranges,
        stop,
    };
    let fast = optimized::ambssgd(&mut records.source(Some(&order)), n, &config, tape, quiet);
    close(bound::ambssgd(&records, &order, &config, tape), fast);
});
