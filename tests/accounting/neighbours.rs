//! Neighbours that there are: small data sets, of which every batch is written down, never lose more than the accountant says.
//!
//! This rests on no dominating pair: records are numbers in [−1, 1], batches are enumerated, answers are sums with Gaussian
//! noise, and H_a is integrated by the midpoint rule, which is off by about (step/w)²/12 of it where it ends over a width w; w is
//! at least σ/4 here, so that this is a fifth of the tolerance, or half of it in two dimensions.

use crate::ask::{gaussian, of_larger, upper};
use dp_assay::accounting::Event;
use dp_assay::units::Neighbouring;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use Neighbouring::{AddRemove, ReplaceOne, ZeroOut};

const TOLERANCE: f64 = 1e-3;

/// Sums with their probabilities, one number for each step.
type Law = Vec<(Vec<f64>, f64)>;

fn subsets(n: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..1u32 << n).map(move |set| (0..n).filter(|i| set >> i & 1 == 1).collect())
}

fn sum(records: &[f64], members: &[usize]) -> Vec<f64> {
    vec![members.iter().map(|i| records[*i]).sum()]
}

/// A uniform batch of m.
fn fixed(records: &[f64], m: usize) -> Law {
    let all: Vec<_> = subsets(records.len()).filter(|s| s.len() == m).collect();
    let each = all
        .iter()
        .map(|s| (sum(records, s), 1.0 / all.len() as f64));
    each.collect()
}

/// m draws, each of any record.
fn drawn(records: &[f64], m: usize) -> Law {
    let n = records.len();
    let total = n.pow(m as u32);
    let draws = |code: usize| -> f64 { (0..m).map(|j| records[code / n.pow(j as u32) % n]).sum() };
    (0..total)
        .map(|code| (vec![draws(code)], 1.0 / total as f64))
        .collect()
}

/// Each record with probability p, a uniform B of them if there are more.
fn truncated(records: &[f64], p: f64, cap: usize) -> Law {
    let mut law = Law::new();
    for sample in subsets(records.len()) {
        let (k, n) = (sample.len() as i32, records.len() as i32);
        let weight = p.powi(k) * (1.0 - p).powi(n - k);
        let kept: Vec<_> = match sample.len() > cap {
            true => subsets(sample.len()).filter(|s| s.len() == cap).collect(),
            false => vec![(0..sample.len()).collect()],
        };
        for s in &kept {
            let members: Vec<usize> = s.iter().map(|j| sample[*j]).collect();
            law.push((sum(records, &members), weight / kept.len() as f64));
        }
    }
    law
}

/// Each record in k of t steps.
fn allocated(records: &[f64], t: usize, k: usize) -> Law {
    let places: &Vec<_> = &subsets(t).filter(|s| s.len() == k).collect();
    let mut law: Law = vec![(vec![0.0; t], 1.0)];
    for record in records {
        let each = law.iter().flat_map(|(sums, weight)| {
            places.iter().map(move |steps| {
                let mut sums = sums.clone();
                steps.iter().for_each(|i| sums[*i] += record);
                (sums, weight / places.len() as f64)
            })
        });
        law = each.collect();
    }
    law
}

/// Each record in none of two steps, or in either with probability q.
fn apart(records: &[f64], q: f64) -> Law {
    let mut law: Law = vec![(vec![0.0; 2], 1.0)];
    for record in records {
        let each = law.iter().flat_map(|(sums, weight)| {
            let places = [
                (1.0 - 2.0 * q, 0.0, 0.0),
                (q, *record, 0.0),
                (q, 0.0, *record),
            ];
            places.map(|(p, first, second)| (vec![sums[0] + first, sums[1] + second], weight * p))
        });
        law = each.collect();
    }
    law
}

/// The same with equal sums put together.
fn merged(law: Law) -> Law {
    let mut all = Law::new();
    for (sums, weight) in law {
        match all.iter_mut().find(|(other, _)| *other == sums) {
            Some((_, total)) => *total += weight,
            None => all.push((sums, weight)),
        }
    }
    all
}

/// ∫(P − aQ)₊ and ∫(Q − aP)₊ under noise σ, by the midpoint rule in as many dimensions as there are steps.
fn hockey_sticks(p: &Law, q: &Law, sigma: f64, a: f64) -> [f64; 2] {
    let dimensions = p[0].0.len();
    let step = sigma * if dimensions == 1 { 1e-2 } else { 2e-2 };
    let far = p
        .iter()
        .chain(q)
        .flat_map(|(sums, _)| sums.iter().map(|x| x.abs()));
    let reach = far.fold(0.0, f64::max) + 7.0 * sigma;
    let cells = (2.0 * reach / step).ceil() as usize;
    let norm = step / (sigma * (2.0 * std::f64::consts::PI).sqrt());
    // The mass of noise around x in all cells of a dimension.
    let masses = |x: f64| -> Vec<f64> {
        let centres = (0..cells).map(|j| -reach + (j as f64 + 0.5) * step);
        let each = centres.map(|z| norm * (-0.5 * ((z - x) / sigma).powi(2)).exp());
        each.collect()
    };
    // Of each sum its weight, and those masses in its first dimension and in its last.
    let parts = |law: &Law| -> Vec<(f64, Vec<f64>, Vec<f64>)> {
        let each = law.iter().map(|(sums, weight)| match sums[..] {
            [x] => (*weight, vec![1.0], masses(x)),
            [x, y] => (*weight, masses(x), masses(y)),
            _ => panic!("too many steps to integrate over"),
        });
        each.collect()
    };
    let (p, q) = (parts(p), parts(q));
    // A row of cells: all that have one place in the first dimension.
    let row = |law: &[(f64, Vec<f64>, Vec<f64>)], i: usize| {
        let mut row = vec![0.0; cells];
        for (weight, first, last) in law {
            let factor = weight * first[i];
            row.iter_mut().zip(last).for_each(|(m, x)| *m += factor * x);
        }
        row
    };
    let mut found = [0.0; 2];
    for i in 0..if dimensions == 1 { 1 } else { cells } {
        for (p, q) in row(&p, i).into_iter().zip(row(&q, i)) {
            found[0] += (p - a * q).max(0.0);
            found[1] += (q - a * p).max(0.0);
        }
    }
    found
}

/// The neighbours of a data set: the first record is left out, zeroed, or exchanged for its opposite.
fn neighbour(records: &[f64], neighbours: Neighbouring) -> Vec<f64> {
    match neighbours {
        AddRemove => records[1..].to_vec(),
        ZeroOut => [&[0.0], &records[1..]].concat(),
        _ => [&[-records[0]], &records[1..]].concat(),
    }
}

/// A record at one end, and all others at the other, or at 0.
const OTHERS: [f64; 2] = [-1.0, 0.0];

fn against(other: f64, n: usize) -> Vec<f64> {
    (0..n).map(|i| if i == 0 { 1.0 } else { other }).collect()
}

/// The larger H of both directions at this ε.
fn loss(
    records: &[f64],
    (sigma, epsilon): (f64, f64),
    neighbours: Neighbouring,
    run: &dyn Fn(&[f64]) -> Law,
) -> f64 {
    let p = merged(run(records));
    let q = merged(run(&neighbour(records, neighbours)));
    let [one, other] = hockey_sticks(&p, &q, sigma, epsilon.exp());
    one.max(other)
}

/// The largest H of all data sets tried at the ε that is claimed for δ, over δ: the record at one end and all others at the
/// other, or at 0, and random ones.
fn worst(
    event: &Event,
    (sigma, delta, n): (f64, f64, usize),
    neighbours: Neighbouring,
    run: &dyn Fn(&[f64]) -> Law,
) -> f64 {
    let epsilon = upper(event, delta, neighbours);
    worst_at(epsilon, (sigma, delta, n), neighbours, run)
}

/// The same at an ε.
fn worst_at(
    epsilon: f64,
    (sigma, delta, n): (f64, f64, usize),
    neighbours: Neighbouring,
    run: &dyn Fn(&[f64]) -> Law,
) -> f64 {
    const TRIED: usize = 7;
    let mut rng = Pcg64::seed_from_u64(n as u64);
    let mut found = 0.0f64;
    for attempt in 0..TRIED {
        let mut records: Vec<f64> = (0..n).map(|_| rng.random_range(-1.0..=1.0)).collect();
        if let Some(other) = OTHERS.get(attempt) {
            records = against(*other, n);
        } else if attempt < 5 {
            let ends = records.iter().map(|x| if *x > 0.0 { 1.0 } else { -1.0 });
            records = ends.collect();
        }
        found = found.max(loss(&records, (sigma, epsilon), neighbours, run) / delta);
    }
    found
}

fn holds(found: f64, what: &dyn std::fmt::Debug) {
    assert!(found <= 1.0 + TOLERANCE, "{what:?}: {found} of delta");
}

/// Batches of m of n records behind noise, and their law.
fn batches((n, m): (u64, u64), replacement: bool, sigma: f64) -> (Event, impl Fn(&[f64]) -> Law) {
    let event = Event::FixedSizeSampled {
        size: n,
        batch: m,
        replacement,
        event: gaussian(sigma),
    };
    let run = move |records: &[f64]| match replacement {
        true => drawn(records, m as usize),
        false => fixed(records, m as usize),
    };
    (event, run)
}

#[test]
fn no_batch_of_fixed_size_loses_more_than_is_said() {
    for (n, m, sigma, delta) in [
        (4u64, 1, 0.8, 1e-3),
        (5, 2, 1.5, 1e-2),
        (6, 4, 2.0, 1e-4),
        (3, 2, 0.7, 1e-2),
    ] {
        for replacement in [false, true] {
            let (event, run) = batches((n, m), replacement, sigma);
            for neighbours in [AddRemove, ReplaceOne] {
                let found = worst(&event, (sigma, delta, n as usize), neighbours, &run);
                holds(found, &(&event, neighbours));
                // Where one record comes or goes the worst neighbours are these.
                if neighbours == AddRemove {
                    assert!(found > 1.0 - TOLERANCE, "{event:?}: {found} of delta");
                }
            }
        }
    }
}

#[test]
fn no_poisson_sample_cut_or_not_loses_more_than_is_said() {
    for (n, p, sigma, delta) in [
        (3u64, 0.3, 0.8, 1e-3),
        (5, 0.5, 1.5, 1e-2),
        (6, 0.7, 2.0, 1e-4),
    ] {
        for cap in [1, 2, n] {
            let event = Event::TruncatedPoissonSampled {
                rate: p,
                cap,
                records: n,
                event: gaussian(sigma),
            };
            let run = |records: &[f64]| truncated(records, p, cap as usize);
            for neighbours in [AddRemove, ReplaceOne] {
                let epsilon = of_larger(&event, delta, neighbours).epsilon_upper;
                let found = worst_at(epsilon, (sigma, delta, n as usize), neighbours, &run);
                holds(found, &(&event, neighbours));
                // Without a cut the record alone decides.
                assert!(
                    cap < n || found > 1.0 - TOLERANCE,
                    "{event:?} {neighbours:?}: {found} of delta"
                );
            }
            if cap == n {
                let found = worst(&event, (sigma, delta, n as usize), ZeroOut, &run);
                holds(found, &(&event, ZeroOut));
            }
        }
    }
}

/// A data set of n records has neighbours on either side: with one record less, and with one more.
#[test]
fn a_neighbour_with_a_record_more_loses_no_more_than_is_said() {
    let holds_at =
        |event: &Event, (sigma, delta): (f64, f64), n: u64, run: &dyn Fn(&[f64]) -> Law| {
            for larger in [n, n + 1] {
                let found = worst(event, (sigma, delta, larger as usize), AddRemove, run);
                holds(found, &(event, larger));
            }
        };
    for (n, p, cap, sigma, delta) in [
        (2u64, 0.9, 2u64, 1.0, 1e-2),
        (3, 0.9, 3, 1.0, 1e-2),
        (5, 0.9, 5, 2.0, 1e-2),
        (5, 0.5, 4, 1.0, 1e-3),
        (4, 0.3, 2, 1.5, 1e-2),
    ] {
        let event = Event::TruncatedPoissonSampled {
            rate: p,
            cap,
            records: n,
            event: gaussian(sigma),
        };
        let run = |records: &[f64]| truncated(records, p, cap as usize);
        holds_at(&event, (sigma, delta), n, &run);
    }
    for (n, m, sigma, delta) in [(4u64, 3, 1.0, 1e-2), (5, 2, 1.5, 1e-3)] {
        for replacement in [false, true] {
            let (event, run) = batches((n, m), replacement, sigma);
            holds_at(&event, (sigma, delta), n, &run);
        }
    }
}

/// The lower end is what neighbours lose that are written down here: no more, and hardly less.
#[test]
fn a_poisson_sample_that_is_cut_loses_at_least_what_is_said() {
    for (n, p, sigma, delta) in [
        (3u64, 0.3, 0.8, 1e-3),
        (5, 0.5, 1.5, 1e-2),
        (6, 0.7, 2.0, 1e-4),
    ] {
        for cap in 1..n {
            let event = Event::TruncatedPoissonSampled {
                rate: p,
                cap,
                records: n,
                event: gaussian(sigma),
            };
            let run = |records: &[f64]| truncated(records, p, cap as usize);
            for neighbours in [AddRemove, ReplaceOne] {
                let said = of_larger(&event, delta, neighbours).epsilon_lower;
                let lost = OTHERS.map(|other| {
                    let records = against(other, n as usize);
                    loss(&records, (sigma, said), neighbours, &run) / delta
                });
                let most = lost[0].max(lost[1]);
                assert!(
                    (1.0 - TOLERANCE..1.01).contains(&most),
                    "{event:?} {neighbours:?}: {lost:?} of delta"
                );
            }
        }
    }
}

#[test]
fn no_separated_run_loses_more_than_is_said() {
    for (rate, sigma, delta) in [(0.5, 0.8, 1e-3), (1.0, 2.0, 1e-2), (0.2, 0.5, 1e-2)] {
        let event = Event::BMinSeparation {
            steps: 2,
            separation: 2,
            rate,
            event: gaussian(sigma),
        };
        let run = |records: &[f64]| apart(records, rate / (1.0 + rate));
        for neighbours in [AddRemove, ZeroOut, ReplaceOne] {
            let found = worst(&event, (sigma, delta, 2), neighbours, &run);
            holds(found, &(&event, neighbours));
        }
        // Alone, the record that comes or goes is its own worst neighbour.
        let alone = worst(&event, (sigma, delta, 1), AddRemove, &run);
        assert!(
            alone > 1.0 - TOLERANCE && alone < 1.0 + TOLERANCE,
            "{event:?}: {alone} of delta"
        );
    }
}

#[test]
fn no_allocation_loses_more_than_is_said() {
    for (t, k, sigma, delta) in [(2u64, 1, 0.8, 1e-3), (2, 1, 2.0, 1e-2), (1, 1, 1.0, 1e-3)] {
        let event = Event::RandomAllocation {
            steps: t,
            participations: k,
            event: gaussian(sigma),
        };
        let run = |records: &[f64]| allocated(records, t as usize, k as usize);
        for neighbours in [AddRemove, ZeroOut, ReplaceOne] {
            let found = worst(&event, (sigma, delta, 2), neighbours, &run);
            holds(found, &(&event, neighbours));
        }
        // Alone, the record is its own worst neighbour; replaced, by its opposite.
        for neighbours in [AddRemove, ReplaceOne] {
            let alone = worst(&event, (sigma, delta, 1), neighbours, &run);
            assert!(
                alone > 1.0 - TOLERANCE && alone < 1.0 + TOLERANCE,
                "{event:?} {neighbours:?}: {alone} of delta"
            );
        }
    }
}
