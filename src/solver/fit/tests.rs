//! What a fit does besides its solver, computed again from the formulas of its documentation.

use super::centre::Centre;
use super::defaults::{Asked, CLASSES, Facts, NUMBERS};
use super::frame::{framed, unframed};
use super::metrics::{Quality, class, largest, split};
use super::{
    CalibrationName, FitError, LossName, Method, Preprocessing, Request, SamplingName, fit,
};
use crate::accounting::gaussian::calibrate_sigma;
use crate::accounting::{Event, gdp};
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::loss::Squared;
use crate::problem::{Constants, Dataset, Dense, Problem, Regulariser, Sparse, dataset};
use crate::solver::skgd::{self, Sampling, SetValues};
use crate::units::{Delta, Epsilon, Neighbouring, Sensitivity};

fn budget(epsilon: f64) -> (Epsilon, Delta) {
    let delta = Delta::new(1e-6).expect("in range");
    (Epsilon::new(epsilon).expect("in range"), delta)
}

fn data(table: &[[f64; 2]], targets: &[f64]) -> Dataset {
    dataset::table(table, targets.to_vec())
}

fn near(found: f64, truth: f64) {
    let apart = (found - truth).abs();
    assert!(apart <= 1e-12 * truth.abs().max(1.0), "{found}, {truth}");
}

/// One record of zeros.
fn zeros(features: usize) -> Problem {
    let data = dataset::table(&[vec![0.0; features]], vec![1.0]);
    Problem::new(data, Squared, Regulariser::None).expect("a problem")
}

const TABLE: [[f64; 2]; 3] = [[-4.0, 0.5], [1.0, 9.0], [6.0, 2.0]];

/// A model in a solver's units says of a framed record what the same model in the file's units says of the record as it is.
#[test]
fn a_model_says_the_same_in_the_units_of_the_file() {
    let plain = Request::new(Method::Gd, LossName::Squared, budget(1.0));
    let ranges = Some(vec![(-2.0, 6.0), (1.0, 4.0)]);
    let centre = Centre {
        sensitivity: 1.0,
        deviation: 1.0,
        point: vec![0.25, -0.5],
    };
    for (bound, ranges, target_range) in [
        (1.5, None, None),
        (1.5, None, Some((10.0, 30.0))),
        (1.0, ranges.clone(), None),
        (1.0, ranges, Some((-1.0, 5.0))),
    ] {
        for intercept in [false, true] {
            let request = Request {
                bound,
                ranges: ranges.clone(),
                target_range,
                intercept,
                ..plain.clone()
            };
            let targets = [12.0, 0.0, 50.0];
            let own = framed(&data(&TABLE, &targets), &request).expect("framed");
            let weights = match intercept {
                true => vec![2.0, -3.0, 0.5],
                false => vec![2.0, -3.0],
            };
            let design = Dense::from_rows(&TABLE).expect("finite").into();
            for centre in [None, Some(&centre)] {
                let (w, constant) = unframed(weights.clone(), &request, centre);
                let scores = Preprocessing::of(&request).scores(&design, &w, constant);
                for (i, score) in scores.iter().enumerate() {
                    let entry = |(j, x): (usize, f64)| {
                        let moved = centre.and_then(|c| c.point.get(j)).unwrap_or(&0.0);
                        assert!(x.abs() <= bound && (j < 2 || x == bound));
                        weights[j] * (x - moved)
                    };
                    let inside: f64 = own.design().row(i).map(entry).sum();
                    let (low, high) = target_range.unwrap_or((-1.0, 1.0));
                    near(*score, 0.5 * (low + high) + 0.5 * (high - low) * inside);
                    let y: f64 = targets[i];
                    let unit = match target_range {
                        Some(_) => 2.0 * (y.clamp(low, high) - low) / (high - low) - 1.0,
                        None => y,
                    };
                    near(own.targets()[i], unit);
                }
            }
        }
    }
}

/// Zeros of a sparse design stay what they are, and its entries are moved into the bound.
#[test]
fn a_sparse_design_is_framed_as_a_dense_one() {
    let entries = [(0, 0, -4.0), (1, 1, 9.0), (2, 0, 1.0)];
    let sparse = Sparse::from_entries(3, 2, &entries).expect("finite");
    let sparse = Dataset::new("sparse", sparse, vec![0.0; 3]).expect("as many");
    let dense = data(&[[-4.0, 0.0], [0.0, 9.0], [1.0, 0.0]], &[0.0; 3]);
    for intercept in [false, true] {
        let request = Request {
            bound: 2.5,
            intercept,
            ..Request::new(Method::Gd, LossName::Squared, budget(1.0))
        };
        let [sparse, dense] = [&sparse, &dense].map(|d| framed(d, &request).expect("framed"));
        assert_eq!(sparse.features(), 2 + usize::from(intercept));
        for i in 0..3 {
            let row = |d: &Dataset| d.design().row(i).filter(|e| e.1 != 0.0).collect::<Vec<_>>();
            assert_eq!(row(&sparse), row(&dense), "{i}");
        }
        let ranges = Some(vec![(0.0, 1.0); 2]);
        let ranged = Request {
            bound: 1.0,
            ranges,
            ..request
        };
        assert!(framed(&sparse, &ranged).is_err());
    }
}

#[test]
fn ranges_that_are_none_are_refused() {
    let refused = |bound, ranges: &[(f64, f64)], target_range| {
        let request = Request {
            bound,
            ranges: (!ranges.is_empty()).then(|| ranges.to_vec()),
            target_range,
            ..Request::new(Method::Gd, LossName::Squared, budget(1.0))
        };
        framed(&data(&TABLE, &[0.0; 3]), &request).err()
    };
    let one = (0.0, 1.0);
    assert!(refused(1.0, &[one; 2], Some(one)).is_none());
    let infinite = (0.0, f64::INFINITY);
    let wide = (-f64::MAX, f64::MAX);
    for range in [
        (1.0, 1.0),
        (2.0, 1.0),
        infinite,
        (f64::NEG_INFINITY, 0.0),
        wide,
    ] {
        for found in [
            refused(1.0, &[one, range], None),
            refused(1.0, &[], Some(range)),
        ] {
            let told = matches!(found, Some(FitError::Range { low, high }) if (low, high) == range);
            assert!(told, "{range:?}");
        }
    }
    let value = |found| match found {
        Some(FitError::Value(wrong)) => (wrong.name, wrong.value),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        value(refused(1.0, &[one; 3], None)),
        ("number of ranges of features", 3.0)
    );
    assert_eq!(value(refused(2.0, &[one; 2], None)), ("bound", 2.0));
}

/// Means with noise of the deviation of its sensitivity over √part of μ, drawn towards their mean.
#[test]
fn a_centre_is_the_noisy_means_drawn_towards_their_own_mean() {
    for (epsilon, bound) in [(50.0, 1.0), (0.5, 2.0)] {
        let request = Request {
            bound,
            intercept: true,
            centre: 0.25,
            seed: 5,
            ..Request::new(Method::Gd, LossName::Squared, budget(epsilon))
        };
        let table = [[1.0, -0.5, 0.25, bound], [0.5, -1.0, 0.75, bound]];
        let own = dataset::table(&table, vec![0.0; 2]);
        let centre = Centre::new(&own, &request).expect("a centre");
        let mu = gdp::mu_of(request.epsilon, request.delta)
            .expect("a budget")
            .lo;
        let sensitivity = 2.0 * 3_f64.sqrt() * bound / 2.0;
        let above = |found: f64, truth: f64| {
            assert!(
                found >= truth && found <= truth * (1.0 + 1e-13),
                "{found}, {truth}"
            );
        };
        above(centre.sensitivity, sensitivity);
        above(centre.deviation, centre.sensitivity / (mu * 0.5));
        let wanted = Event::Gaussian {
            sigma: centre.deviation,
            sensitivity: centre.sensitivity,
        };
        assert_eq!(centre.event(), wanted);
        let mut noise = Tape::new(5).trial(3).stream(0, Purpose::Release, 0);
        let noisy = [0.75, -0.75, 0.5].map(|m| m + centre.deviation * noise.uniform().gaussian());
        let middle = noisy.iter().sum::<f64>() / 3.0;
        let spread = noisy.iter().map(|m| (m - middle).powi(2)).sum::<f64>() / 3.0;
        let variance = centre.deviation.powi(2);
        let factor = (spread - variance).max(0.0) / spread.max(variance);
        for (found, m) in centre.point.iter().zip(noisy) {
            near(
                *found,
                (middle + factor * (m - middle)).clamp(-bound, bound),
            );
        }
        assert!(
            epsilon < 1.0 || factor > 0.5,
            "nothing is learnt of {noisy:?}"
        );
        let moved = centre.applied(&own).expect("finite");
        for (i, row) in table.iter().enumerate() {
            for (j, x) in moved.design().row(i) {
                near(x, row[j] - centre.point.get(j).unwrap_or(&0.0));
            }
        }
        near(
            centre.shift(&[2.0, 0.0, -1.0]),
            2.0 * centre.point[0] - centre.point[2],
        );
        for (centre, intercept, neighbours) in [
            (1.0, true, Neighbouring::ReplaceOne),
            (-0.1, true, Neighbouring::ReplaceOne),
            (0.25, false, Neighbouring::ReplaceOne),
            (0.25, true, Neighbouring::AddRemove),
        ] {
            let request = Request {
                centre,
                intercept,
                neighbours,
                ..request.clone()
            };
            assert!(Centre::new(&own, &request).is_err(), "{centre} {intercept}");
        }
    }
}

fn facts(records: usize, features: usize, nonzeros: Option<usize>, loss: LossName) -> Facts {
    let budget = budget(1.0);
    Facts {
        records,
        features,
        nonzeros,
        loss,
        budget,
    }
}

/// κ = nμ/√(min(p, 9s) + 1).
#[test]
fn the_signal_is_that_of_its_formula() {
    let one = Sensitivity::new(1.0).expect("positive");
    let (epsilon, delta) = budget(1.0);
    let mu = 1.0 / calibrate_sigma(one, epsilon, delta).expect("a budget").hi;
    for (nonzeros, columns, told) in [
        (None, 101.0, "kappa = n mu / sqrt(p + 1) = "),
        (
            Some(2),
            19.0,
            "kappa = n mu / sqrt(9 nonzeros + 1), nonzeros at most 2, = ",
        ),
        (Some(12), 101.0, "kappa = n mu / sqrt(p + 1) = "),
    ] {
        let facts = facts(1000, 100, nonzeros, LossName::Logistic);
        let kappa = facts.signal().expect("a budget");
        near(kappa, 1000.0 * mu / f64::sqrt(columns));
        let request = Request::new(Method::Gd, LossName::Logistic, facts.budget);
        let (_, reasons) = request.tuned(&facts, Asked::default()).expect("a rule");
        let told = format!("{told}{kappa:.1}");
        assert!(reasons[0].starts_with(&told), "{reasons:?}");
    }
    let whole = facts(1000, 100, None, LossName::Logistic);
    assert_eq!(whole.for_classes(2).expect("a budget"), whole);
    let third = whole.for_classes(3).expect("a budget").budget.0.get();
    // ε of μ/√3 at δ = 10⁻⁶, where that of μ is 1, to four digits.
    assert!((third - 0.5543).abs() < 1e-4, "{third}");
}

#[test]
fn a_row_is_taken_up_to_its_end() {
    for (loss, table) in [
        (LossName::Logistic, &CLASSES[..]),
        (LossName::Squared, &NUMBERS),
        (LossName::Huber, &NUMBERS),
    ] {
        let facts = facts(1000, 100, None, loss);
        for rows in table.windows(2) {
            assert_eq!(facts.row(rows[0].below.next_down()), rows[0]);
            assert_eq!(facts.row(rows[0].below), rows[1]);
        }
        assert_eq!(facts.row(f64::INFINITY), table[table.len() - 1]);
    }
}

/// T steps of D/(T·C·B) per record's gradient, which a solver takes in units of 1/(columns·M), M = sup ℓ″(2B)² + ridge.
#[test]
fn a_method_takes_what_its_row_of_the_table_says() {
    use Method::{DpCd, DpSgd, Gcd, Gd, Skgd};
    for loss in [LossName::Logistic, LossName::Squared] {
        let facts = facts(3000, 10, None, loss);
        let row = facts.row(facts.signal().expect("a budget"));
        let curvature = if loss == LossName::Logistic {
            0.25
        } else {
            1.0
        };
        for method in [Gd, DpSgd, Skgd, DpCd, Gcd] {
            let request = Request {
                bound: 3.0,
                ridge: 0.5,
                intercept: true,
                ..Request::new(method, loss, facts.budget)
            };
            let (tuned, reasons) = request
                .clone()
                .tuned(&facts, Asked::default())
                .expect("a rule");
            let m = curvature * 36.0 + 0.5;
            assert_eq!(tuned.centre, 0.1);
            assert!(reasons[1].starts_with("a private centre of the features gets 0.1 of mu^2"));
            if method == Gcd {
                let (long, many) = if loss == LossName::Logistic {
                    (32.0, 30.0)
                } else {
                    (2.0, 100.0)
                };
                assert_eq!(
                    (tuned.passes, tuned.calibration),
                    (many, CalibrationName::Tight)
                );
                near(tuned.clip, 0.2 * 3.0 * 11_f64.sqrt());
                near(tuned.step, long / 9.0 * m);
                continue;
            }
            let part = if method == DpSgd { 0.5 } else { 1.0 };
            let steps = row.steps as f64;
            near(tuned.passes, part * steps);
            assert_eq!(tuned.rounds, if method == Gd { row.steps } else { 1 });
            assert_eq!(tuned.rate, if method == DpSgd { 0.5 } else { 0.1 });
            assert_eq!(tuned.sampling, SamplingName::Blocks(3));
            near(tuned.clip, row.clip * 3.0);
            let columns = if method == DpCd { 1.0 } else { 11.0 };
            let eta = row.travel / (steps * row.clip * 9.0);
            near(tuned.step, eta * columns * m);
            let what = match method {
                Skgd | DpCd => "passes with steps",
                _ => "steps",
            };
            // What the solver moves a coordinate of a set of 3 by, in units of its partial derivative.
            let taken = match method {
                Skgd => {
                    let constants = Constants::new(vec![1.0; 11], vec![m; 11]).expect("positive");
                    let problem = zeros(11).with_constants(constants).expect("as many");
                    let blocks = (0..11).collect::<Vec<_>>();
                    let blocks = blocks.chunks(3).map(<[usize]>::to_vec).collect();
                    let sampling = Sampling::partition(11, blocks).expect("disjoint");
                    let set = sampling.inclusion()[0];
                    let noise = SetValues::Same(1.0);
                    let config = skgd::Config::new(&problem, (1, 1), sampling, noise);
                    config.steps[0] * tuned.step / set
                }
                _ => eta,
            };
            let told = format!("{steps} {what} of {taken:.4}, clip {}", row.clip * 3.0);
            assert!(reasons[0].contains(&told), "{reasons:?} without {told}");
            // What is asked for is taken, and a step counts in units of what is taken otherwise.
            let asked = Asked {
                clip: Some(7.0),
                passes: Some(4.0),
                rounds: Some(3),
                rate: Some(0.25),
                step: Some(2.0),
                sampling: Some(SamplingName::Full),
                centre: Some(0.0),
            };
            let (tuned, _) = request.tuned(&facts, asked).expect("a rule");
            assert_eq!((tuned.clip, tuned.passes, tuned.rounds), (7.0, 4.0, 3));
            assert_eq!((tuned.sampling, tuned.centre), (SamplingName::Full, 0.0));
            let steps = if method == DpSgd { 16.0 } else { 4.0 };
            near(
                tuned.step,
                2.0 * row.travel / (steps * 21.0) * columns * (curvature * 9.0 + 0.5),
            );
        }
    }
    let loud = facts(100, 10, None, LossName::Logistic);
    let request = Request::new(Gcd, loud.loss, loud.budget);
    let (tuned, _) = request.tuned(&loud, Asked::default()).expect("a rule");
    assert_eq!(tuned.passes, 10.0);
    near(tuned.clip, 0.1 * 10_f64.sqrt());
}

/// Real targets far from the middle of their range are learnt by greedy steps with their defaults: of 4,000 records, whose spread
/// noise hides a fiftieth of, at least three quarters at ε = 8 (about 0.9; below −4 with steps twice as long). The tape is fixed; with
/// another one a fair draw is below three quarters about never.
#[test]
fn greedy_steps_learn_an_intercept_by_default() {
    const N: usize = 4000;
    let mut stream = Tape::new(9).stream(0, Purpose::Data, 0);
    let mut uniform = || 2.0 * stream.uniform().fraction() - 1.0;
    let rows: Vec<[f64; 5]> = (0..N).map(|_| [(); 5].map(|()| uniform())).collect();
    let target = |x: &[f64; 5]| 0.6 + 0.3 * x[0] - 0.2 * x[1] + 0.1 * x[4];
    let targets: Vec<f64> = rows.iter().map(|x| target(x) + 0.03 * uniform()).collect();
    let data = dataset::table(&rows, targets.clone());
    let facts = Facts {
        records: N,
        features: 5,
        nonzeros: None,
        loss: LossName::Squared,
        budget: budget(8.0),
    };
    let request = Request {
        intercept: true,
        ..Request::new(Method::Gcd, facts.loss, facts.budget)
    };
    let (request, _) = request.tuned(&facts, Asked::default()).expect("a rule");
    let found = fit(data, &request).expect("fitted");
    let mean = targets.iter().sum::<f64>() / N as f64;
    let (mut left, mut all) = (0.0, 0.0);
    for (x, y) in rows.iter().zip(&targets) {
        let score: f64 = found.coefficients.iter().zip(x).map(|(w, x)| w * x).sum();
        left += (y - score - found.intercept).powi(2);
        all += (y - mean).powi(2);
    }
    let explained = 1.0 - left / all;
    assert!(explained >= 0.75, "{explained}");
}

/// A warning where κ is below 10 for classes, 30 for numbers; for statistics and passes in units of the columns.
#[test]
fn a_signal_that_noise_drowns_is_warned_of() {
    use Method::{Adassp, Ambssgd, Gd};
    for (method, loss, least) in [
        (Gd, LossName::Logistic, 10.0),
        (Gd, LossName::Squared, 30.0),
        (Adassp, LossName::Squared, 40.0),
        (Ambssgd, LossName::Squared, 120.0),
    ] {
        let of = |records| facts(records, 3, None, loss);
        let per_record = of(1000).signal().expect("a budget") / 1000.0;
        let enough = (least / per_record).ceil() as usize;
        let request = Request::new(method, loss, budget(1.0));
        assert_eq!(of(enough).warning(&request), None);
        let told = of(enough - 1).warning(&request).expect("it is less");
        assert!(
            told.contains(&format!(
                " is below {least}: the noise of {}",
                method.name()
            )),
            "{told}"
        );
        assert_eq!(told.contains("--nonzeros"), method == Gd);
    }
}

#[test]
fn quality_is_the_share_of_right_classes_or_of_spread_explained() {
    let classes = Quality::of(
        &[2.0, -1.0, 0.0, 0.5],
        &[1.0, 1.0, -1.0, 1.0],
        LossName::Logistic,
    );
    assert_eq!(
        (classes.accuracy, classes.r2, classes.value()),
        (Some(0.75), None, 0.75)
    );
    // Squared errors 1, 0, 4 of targets whose variance is 8/3.
    for loss in [LossName::Squared, LossName::Huber] {
        let found = Quality::of(&[1.0, 2.0, 2.0], &[0.0, 2.0, 4.0], loss);
        assert_eq!(found.accuracy, None);
        near(found.value(), 1.0 - 5.0 / 8.0);
    }
    assert_eq!([1e-9, 0.0, -1.0].map(class), [1.0, -1.0, -1.0]);
    assert_eq!(largest([1.0, 3.0, 3.0, 2.0].into_iter()), 1);
    let whole = data(&TABLE, &[0.0, 1.0, 2.0]);
    for (part, held) in [(0.01, 1), (0.4, 1), (0.6, 2), (0.99, 2)] {
        let (train, test) = split(&whole, part, 1).expect("a part");
        assert_eq!(
            (train.records(), test.data.records()),
            (3 - held, held),
            "{part}"
        );
        let all = train.targets().iter().chain(test.data.targets());
        assert_eq!(all.sum::<f64>(), 3.0);
    }
    for part in [0.0, 1.0, f64::NAN] {
        assert!(split(&whole, part, 1).is_err(), "{part}");
    }
    assert!(split(&data(&[[1.0, 2.0]], &[0.0]), 0.5, 1).is_err());
}
