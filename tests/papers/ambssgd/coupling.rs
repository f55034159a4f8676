//! Reference and optimized solver on the same tape: the same levels, outputs within the derived bound.

use super::problems::{Problem, problem};
use crate::parallel::on_all_cores;
use dp_assay::problem::rows::norm;
use dp_assay::solver::ambssgd::{bound, optimized, permutation};

/// What the cases covered.
#[derive(Debug, Default)]
struct Seen {
    cases: u32,
    wide: u32,
    steps: u64,
    clipped: u32,
    unclipped: u32,
    /// Runs not compared because a residual met a level within rounding.
    ties: u32,
    /// Largest ratio of an observed difference to its bound.
    closest: f64,
    /// Largest bound, relative to 1 + ‖w_T‖.
    widest: f64,
}

impl Seen {
    fn and(self, other: Self) -> Self {
        Self {
            cases: self.cases + other.cases,
            wide: self.wide + other.wide,
            steps: self.steps + other.steps,
            clipped: self.clipped + other.clipped,
            unclipped: self.unclipped + other.unclipped,
            ties: self.ties + other.ties,
            closest: self.closest.max(other.closest),
            widest: self.widest.max(other.widest),
        }
    }

    fn compare(&mut self, seed: u64, bounded: &bound::Bounded, other: &super::special::Run) {
        self.cases += 1;
        if bounded.drift.is_infinite() {
            self.ties += 1;
            return;
        }
        let reference = &bounded.run;
        for (ours, theirs) in [
            (&other.average, &reference.average),
            (&other.last, &reference.last),
        ] {
            let square: f64 = ours.iter().zip(theirs).map(|(a, b)| (a - b).powi(2)).sum();
            let difference = square.sqrt();
            assert!(
                difference <= bounded.drift,
                "seed {seed}: the runs differ by {difference:e}, the bound is {:e}",
                bounded.drift
            );
            if bounded.drift > 0.0 {
                self.closest = self.closest.max(difference / bounded.drift);
            }
        }
        self.widest = self
            .widest
            .max(bounded.drift / (1.0 + norm(&reference.last)));
        match reference.counters.clipped {
            0 => self.unclipped += 1,
            _ => self.clipped += 1,
        }
    }
}

/// What the problem of a seed covers of either algorithm.
fn couple(seed: u64) -> [Seen; 2] {
    let wide = seed % 4 == 3;
    let (mut adaptive, mut shuffled) = (Seen::default(), Seen::default());
    let dimensions = if wide { 200..=260 } else { 1..=30 };
    let Problem {
        records,
        adaptive: config,
        shuffled: plain,
        tape,
    } = problem(seed, dimensions);
    let n = records.records();
    let order = permutation(tape, n);
    adaptive.wide += u32::from(wide);
    shuffled.wide += u32::from(wide);

    let bounded = bound::ambssgd(&records, &order, &config, tape).expect("short steps");
    let mut levels = Vec::new();
    let fast = optimized::ambssgd(
        &mut records.source(Some(&order)),
        n,
        &config,
        tape,
        &mut |r| {
            levels.extend(r.level);
        },
    );
    let fast = fast.expect("short steps");
    if bounded.drift.is_finite() {
        assert_eq!(levels, bounded.levels, "seed {seed}");
        assert_eq!(
            fast.counters.records_read,
            bounded.run.counters.records_read
        );
        assert_eq!(fast.counters.comparisons, bounded.run.counters.comparisons);
    }
    adaptive.steps += levels.len() as u64;
    adaptive.compare(seed, &bounded, &fast);

    let bounded = bound::ssgd(&records, &order, &plain, tape).expect("short steps");
    let source = &mut records.source(Some(&order));
    let fast = optimized::ssgd(source, n, &plain, tape, &mut |_| ()).expect("short steps");
    shuffled.steps += n as u64;
    shuffled.compare(seed, &bounded, &fast);
    [adaptive, shuffled]
}

#[test]
fn both_solvers_find_the_same_levels_and_stay_within_the_derived_bound() {
    let seeds: Vec<u64> = (0..1200).collect();
    let both = |[a, b]: [Seen; 2], [c, d]: [Seen; 2]| [a.and(c), b.and(d)];
    let seen = on_all_cores(&seeds, |seed| couple(*seed)).into_iter();
    let [adaptive, shuffled] = seen.fold(Default::default(), both);
    eprintln!("DP-AMBSSGD {adaptive:#?}\nDP-SSGD {shuffled:#?}");
    for seen in [&adaptive, &shuffled] {
        assert!(seen.cases >= 1000 && 4 * seen.wide >= seen.cases);
        assert!(seen.clipped >= 100 && seen.unclipped >= 100, "{seen:?}");
        // A bound as wide as the iterates would prove nothing, nor would one that nothing comes near.
        assert!(seen.widest < 1e-6, "{seen:?}");
        assert!(seen.closest > 0.01, "{seen:?}");
    }
    assert_eq!(shuffled.ties, 0);
    assert!(adaptive.ties * 20 <= adaptive.cases, "{adaptive:?}");
}
