//! Samplings: probabilities, draws, and what is refused.

use dp_assay::mechanism::tape::Tape;
use dp_assay::solver::skgd::{Sampling, SamplingError, SetValues};

fn all() -> Vec<Sampling> {
    let blocks = vec![vec![3, 0], vec![1], vec![4, 2, 5]];
    let m = [1.0, 0.5, 2.0, 4.0, 0.25, 8.0];
    let overlapping = vec![vec![0, 1, 2], vec![2, 3], vec![5, 4, 0]];
    [
        Sampling::full(6),
        Sampling::uniform_singleton(6),
        Sampling::importance_singleton(&m),
        Sampling::partition(6, blocks.clone()),
        Sampling::importance_partition(6, blocks, &m),
        Sampling::nice(6, 4),
        Sampling::listed(6, overlapping, vec![0.5, 2.0, 1.0]),
    ]
    .map(|sampling| sampling.expect("sound"))
    .to_vec()
}

/// Each of the 7 · 6 frequencies is within its Hoeffding bound: P(|mean − p| ≥ t) ≤ 2 exp(−2 N t²)
/// with N = 40000 and t = 0.0165 is 7·10⁻¹⁰, 3·10⁻⁸ for all. A p_j that is off by 0.033 is caught
/// with the same certainty.
#[test]
fn coordinates_are_drawn_with_their_stated_probabilities() {
    const DRAWS: u64 = 40_000;
    for sampling in all() {
        let mut counts = vec![0u32; 6];
        let mut set = Vec::new();
        for step in 0..DRAWS {
            let index = sampling.draw(Tape::new(17), step, &mut set);
            assert!(set.is_sorted() && !set.is_empty() && set.len() <= sampling.largest());
            if let (Some(index), Some(sets)) = (index, sampling.sets()) {
                assert_eq!(sets[index], set);
            }
            set.iter().for_each(|&j| counts[j] += 1);
        }
        for (count, p) in counts.iter().zip(sampling.inclusion()) {
            let frequency = f64::from(*count) / DRAWS as f64;
            assert!((frequency - p).abs() < 0.0165, "{sampling:?}: {counts:?}");
        }
    }
}

/// 15 sets of two among six, N = 40000 draws: the Hoeffding bound as above, for 15 frequencies.
#[test]
fn nice_sampling_draws_all_sets_equally_often() {
    let sampling = Sampling::nice(6, 2).expect("2 of 6");
    let mut counts = std::collections::BTreeMap::new();
    let mut set = Vec::new();
    for step in 0..40_000 {
        sampling.draw(Tape::new(23), step, &mut set);
        *counts.entry(set.clone()).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 15);
    for (set, count) in counts {
        assert!(
            (f64::from(count) / 40_000.0 - 1.0 / 15.0).abs() < 0.0165,
            "{set:?}: {count}"
        );
    }
}

#[test]
fn importance_weights_are_the_block_maxima() {
    let importance = &all()[4];
    // Maxima 4, 0.5 and 8 of a total of 12.5; each p_j is one division of sums of powers of two.
    let expected = [0.32, 0.04, 0.64, 0.32, 0.64, 0.64];
    for (p, expected) in importance.inclusion().iter().zip(expected) {
        assert!((p - expected).abs() < 4.0 * f64::EPSILON);
    }
    let mean: f64 = 2.0 * 0.32 + 0.04 + 3.0 * 0.64;
    assert!((importance.mean_size() - mean).abs() < 16.0 * f64::EPSILON);
}

#[test]
fn root_values_are_norms_over_the_set() {
    let values = SetValues::Root(vec![3.0, 4.0, 1.0]);
    assert_eq!(values.of(&[0, 1], None), 5.0);
    assert_eq!(values.of(&[2], None), 1.0);
    assert_eq!(SetValues::Same(2.0).of(&[0, 2], None), 2.0);
    assert_eq!(SetValues::Listed(vec![7.0, 9.0]).of(&[1], Some(1)), 9.0);
    let scaled = values.scaled(0.1).of(&[0, 1], None);
    assert!((0.5..=0.5 * (1.0 + 8.0 * f64::EPSILON)).contains(&scaled));
}

#[test]
fn what_is_no_sampling_is_refused_with_the_reason() {
    let refuse = |result: Result<Sampling, SamplingError>, words: &str| {
        assert_eq!(result.expect_err(words).to_string(), words);
    };
    let sets = |sets: &[&[usize]]| sets.iter().map(|s| s.to_vec()).collect::<Vec<_>>();
    refuse(Sampling::full(0), "0 coordinates; at least 1 is needed");
    refuse(Sampling::partition(3, sets(&[&[0], &[]])), "set 1 is empty");
    refuse(
        Sampling::partition(3, sets(&[&[0, 3], &[1, 2]])),
        "set 0 holds coordinate 3, beyond the 3 there are",
    );
    refuse(
        Sampling::partition(3, sets(&[&[0, 1], &[1, 2]])),
        "coordinate 1 is in more than one block of the partition",
    );
    refuse(
        Sampling::partition(3, sets(&[&[0, 2]])),
        "coordinate 1 is in no set: its probability must be > 0",
    );
    refuse(
        Sampling::listed(2, sets(&[&[0, 0], &[1]]), vec![1.0; 2]),
        "set 0 holds coordinate 0 twice",
    );
    refuse(
        Sampling::listed(2, sets(&[&[0, 1], &[1, 0]]), vec![1.0; 2]),
        "sets 0 and 1 are the same",
    );
    refuse(
        Sampling::listed(2, sets(&[&[0, 1]]), vec![1.0; 2]),
        "2 weights given for 1 sets",
    );
    refuse(
        Sampling::listed(2, sets(&[&[0], &[1]]), vec![1.0, 0.0]),
        "weight 0 of set 1 must be finite and > 0",
    );
    refuse(
        Sampling::importance_singleton(&[1.0, f64::INFINITY]),
        "weight inf of set 1 must be finite and > 0",
    );
    refuse(
        Sampling::importance_partition(2, sets(&[&[0], &[1]]), &[1.0]),
        "1 smoothness constants given for 2 coordinates",
    );
    refuse(
        Sampling::nice(4, 5),
        "set size 5 must lie between 1 and the number of coordinates, 4",
    );
    refuse(Sampling::nice(0, 1), "0 coordinates; at least 1 is needed");
}
