//! What the problems compute, against plain loops and closed forms, and what they refuse.

use super::constants::ConstantsError;
use super::design::{Column, Dense, Design, DesignError, Sparse};
use super::load::{Format, Header, Options, Rows, Task};
use super::loss::{Huber, Linear, Logistic, Loss, Squared};
use super::mixing::{MixingError, heterogeneity, matrix};
use super::regulariser::RegulariserError;
use super::risk::{Risk, Shape};
use super::rows::{Matrix, MatrixError, Source, SourceError, Stream, block, norm};
use super::scaling::{max_abs_scaled, standardised};
use super::{Constants, Dataset, Graph, MixingMatrix, Problem, Regulariser, Weights, kernels};

/// Small whole numbers, whose sums are exact in any order.
fn whole(n: usize, a: usize, b: usize) -> Vec<f64> {
    (0..n)
        .map(|i| (i * a % b) as f64 - (b / 2) as f64)
        .collect()
}

#[test]
fn sums_of_every_length_are_those_of_a_plain_loop() {
    for n in 0..=27 {
        let (x, s) = (whole(n, 3, 7), whole(n, 5, 11));
        let terms = || x.iter().zip(&s).map(|(x, s)| x * s);
        let squares: f64 = x.iter().map(|x| x * x).sum();
        let dot: f64 = terms().sum();
        assert_eq!(kernels::dot(&x, &s), dot, "{n}");
        assert_eq!(kernels::dot_and_squares(&x, &s), (dot, squares), "{n}");
        let clipped: f64 = terms().map(|t| t.clamp(-4.0, 4.0)).sum();
        assert_eq!(kernels::clipped_dot(&x, &s, 4.0), clipped, "{n}");
        let largest = s.iter().map(|s| s.abs()).fold(0.0, f64::max);
        assert_eq!(kernels::max_abs(&s), largest, "{n}");
    }
}

/// The same matrix stored in both ways.
fn both(rows: usize, columns: usize) -> ([Design; 2], Vec<Vec<f64>>) {
    let table: Vec<Vec<f64>> = (0..rows)
        .map(|i| whole(columns + i, 4, 5)[i..].to_vec())
        .collect();
    let entries: Vec<(usize, usize, f64)> = (0..rows)
        .rev()
        .flat_map(|i| (0..columns).map(move |j| (i, j)))
        .map(|(i, j)| (i, j, table[i][j]))
        .collect();
    let dense = Dense::from_rows(&table).expect("a matrix");
    let sparse = Sparse::from_entries(rows, columns, &entries).expect("the same matrix");
    ([dense.into(), sparse.into()], table)
}

#[test]
#[allow(clippy::needless_range_loop, reason = "indices as in the formulas")]
fn both_designs_hold_what_they_were_given() {
    let (designs, table) = both(4, 6);
    let zeros = table.iter().flatten().filter(|x| **x == 0.0).count();
    assert!(zeros > 0);
    for (design, stored) in designs.iter().zip([24, 24 - zeros]) {
        assert_eq!(
            (design.rows(), design.columns(), design.stored()),
            (4, 6, stored)
        );
        for (i, record) in table.iter().enumerate() {
            let mut row = vec![0.0; 6];
            design.row(i).for_each(|(j, x)| row[j] = x);
            assert_eq!(row, *record, "{i}");
        }
        let s = [1.0, -2.0, 3.0, 5.0];
        for j in 0..6 {
            let plain: Vec<f64> = table.iter().map(|row| row[j]).collect();
            let (column, mut out) = (design.column(j), [1.0; 4]);
            let dot: f64 = plain.iter().zip(&s).map(|(x, s)| x * s).sum();
            let squares: f64 = plain.iter().map(|x| x * x).sum();
            assert_eq!(column.dot(&s), dot);
            assert_eq!(column.dot_and_squares(&s), (dot, squares));
            assert_eq!(column.sum_of_squares(), squares);
            assert_eq!(
                column.max_abs(),
                plain.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
            );
            design.add_column(j, -3.0, &mut out);
            let added: Vec<f64> = plain.iter().map(|x| 1.0 - 3.0 * x).collect();
            assert_eq!(out[..], added, "{j}");
        }
    }
    assert_eq!(Column::Dense(&[]).max_abs(), 0.0);
}

#[test]
fn what_is_no_design_is_refused_with_its_place() {
    let columns = |rows, columns, values: &[f64]| {
        let found = Dense::from_columns(rows, columns, values.to_vec());
        found.expect_err("no matrix")
    };
    let (row, column) = (1, 2);
    let (rows, found) = (2, 5);
    assert_eq!(
        columns(0, 3, &[]),
        DesignError::Empty {
            rows: 0,
            columns: 3
        }
    );
    assert_eq!(
        columns(3, 0, &[]),
        DesignError::Empty {
            rows: 3,
            columns: 0
        }
    );
    let count = DesignError::Count {
        found,
        rows,
        columns: 3,
    };
    assert_eq!(columns(2, 3, &[0.0; 5]), count);
    let value = f64::INFINITY;
    let infinite = DesignError::NotFinite { row, column, value };
    assert_eq!(columns(2, 3, &[0.0, 0.0, 0.0, 0.0, 0.0, value]), infinite);
    let ragged = Dense::from_rows(&[&[1.0, 2.0][..], &[1.0, 2.0], &[1.0]]);
    let expected = DesignError::Ragged {
        row: 2,
        found: 1,
        expected: 2,
    };
    assert_eq!(ragged, Err(expected));
    let entries = |entries: &[(usize, usize, f64)]| {
        Sparse::from_entries(2, 3, entries)
            .map(|_| ())
            .expect_err("no matrix")
    };
    let outside = |row, column| DesignError::Outside {
        row,
        column,
        rows: 2,
        columns: 3,
    };
    assert_eq!(entries(&[(2, 0, 1.0)]), outside(2, 0));
    assert_eq!(entries(&[(0, 3, 1.0)]), outside(0, 3));
    assert_eq!(entries(&[(1, 2, value)]), infinite);
    assert!(matches!(
        entries(&[(0, 0, f64::NAN)]),
        DesignError::NotFinite {
            row: 0,
            column: 0,
            ..
        }
    ));
    let twice = entries(&[(1, 1, 1.0), (1, 2, 1.0), (0, 1, 2.0), (1, 1, 3.0)]);
    assert_eq!(twice, DesignError::Twice { row: 1, column: 1 });
    for (rows, columns) in [(0, 1), (1, 0)] {
        let empty = Sparse::from_entries(rows, columns, &[]).map(|_| ());
        assert_eq!(empty, Err(DesignError::Empty { rows, columns }));
    }
}

/// Two records (3, 0, −4) and (1, 0, 2) with targets ±1.
fn two() -> Dataset {
    let design = Dense::from_rows(&[[3.0, 0.0, -4.0], [1.0, 0.0, 2.0]]).expect("a matrix");
    Dataset::new("two", design, vec![1.0, -1.0]).expect("a target each")
}

/// L_j = sup|ℓ′| max|x_ij| and M_j = sup ℓ″ (1/n) Σ x_ij² + ridge; a column without curvature has the largest of the others.
#[test]
fn constants_are_the_formulas_of_the_data() {
    let of = |loss: &dyn Loss, ridge| Constants::of_data(&two(), loss, ridge).expect("finite");
    let logistic = of(&Logistic, 0.0);
    assert_eq!(logistic.lipschitz(), [3.0, 0.0, 4.0]);
    assert_eq!(logistic.smoothness(), [1.25, 2.5, 2.5]);
    assert_eq!(of(&Squared, 0.5).smoothness(), [5.5, 0.5, 10.5]);
    assert_eq!(
        of(&Squared, 0.5).lipschitz(),
        [f64::INFINITY, 0.0, f64::INFINITY]
    );
    assert_eq!(of(&Linear, 0.0).smoothness(), [1.0; 3]);
    let huber = Huber::new(2.0).expect("positive");
    assert_eq!(of(&huber, 0.0).lipschitz(), [6.0, 0.0, 8.0]);
    let thresholds = of(&Squared, 0.0).clipping_thresholds(3.0).expect("a level");
    let squares: f64 = thresholds.iter().map(|c| c * c).sum();
    assert!((squares - 9.0).abs() < 1e-12);
    assert!((thresholds[2] / thresholds[0] - 2_f64.sqrt()).abs() < 1e-12);
    for level in [0.0, -1.0, f64::INFINITY] {
        assert_eq!(
            logistic.clipping_thresholds(level),
            Err(ConstantsError::Clipping(level))
        );
    }
    let new = |l: &[f64], m: &[f64]| Constants::new(l.to_vec(), m.to_vec()).map(|_| ());
    assert_eq!(
        new(&[0.0, f64::INFINITY], &[1.0, f64::MIN_POSITIVE]),
        Ok(())
    );
    assert_eq!(
        new(&[0.0], &[]),
        Err(ConstantsError::Count {
            found: 1,
            expected: 0
        })
    );
    let bad = |value| {
        Err(ConstantsError::Lipschitz {
            coordinate: 1,
            value,
        })
    };
    assert_eq!(new(&[0.0, -1.0], &[1.0; 2]), bad(-1.0));
    let bad = |value| {
        Err(ConstantsError::Smoothness {
            coordinate: 1,
            value,
        })
    };
    for value in [0.0, -1.0, f64::INFINITY] {
        assert_eq!(new(&[0.0; 2], &[1.0, value]), bad(value));
    }
    assert!(new(&[f64::NAN], &[1.0]).is_err() && new(&[1.0], &[f64::NAN]).is_err());
}

/// Mean 0 and variance 1, or divided by the largest entry, whichever way the data are stored.
#[test]
fn scaled_columns_are_what_they_are_said_to_be() {
    let table = [
        [1.0, 7.0, 0.0],
        [-3.0, 7.0, 4.0],
        [0.0, 7.0, 0.0],
        [6.0, 7.0, -8.0],
    ];
    let cells = table.iter().enumerate();
    let entries: Vec<_> = cells
        .flat_map(|(i, row)| row.iter().enumerate().map(move |(j, x)| (i, j, *x)))
        .collect();
    let dense: Design = Dense::from_rows(&table).expect("a matrix").into();
    let sparse: Design = Sparse::from_entries(4, 3, &entries)
        .expect("a matrix")
        .into();
    for design in [dense, sparse] {
        let stored = design.stored();
        let data = Dataset::new("four", design, vec![0.0; 4]).expect("a target each");
        let column = |data: &Dataset, j| {
            let mut column = [0.0; 4];
            data.design()
                .column(j)
                .iter()
                .for_each(|(i, x)| column[i] = x);
            column
        };
        let scaled = standardised(&data).expect("finite");
        for (j, [mean, square]) in [[1.0_f64, 10.5], [7.0, 0.0], [-1.0, 19.0]]
            .iter()
            .enumerate()
        {
            let root = if *square > 0.0 {
                square.sqrt()
            } else {
                f64::INFINITY
            };
            for (i, x) in column(&scaled, j).iter().enumerate() {
                assert!(
                    (x - (table[i][j] - mean) / root).abs() < 1e-12,
                    "{i} {j}: {x}"
                );
            }
        }
        let scaled = max_abs_scaled(&data).expect("finite");
        assert_eq!(scaled.design().stored(), stored);
        for (j, largest) in [6.0, 7.0, 8.0].iter().enumerate() {
            assert_eq!(column(&scaled, j), column(&data, j).map(|x| x / largest));
        }
    }
    let zeros = Dense::from_rows(&[[0.0], [0.0]]).expect("a matrix");
    let zeros = Dataset::new("zeros", zeros, vec![0.0; 2]).expect("a target each");
    for scaled in [standardised(&zeros), max_abs_scaled(&zeros)] {
        assert_eq!(scaled.expect("finite").design().column(0).max_abs(), 0.0);
    }
    // What is left of a constant that no double holds is rounding.
    let tenths = Dense::from_rows(&[[0.1]; 10]).expect("a matrix");
    let tenths = Dataset::new("tenths", tenths, vec![0.0; 10]).expect("a target each");
    assert_eq!(
        standardised(&tenths)
            .expect("finite")
            .design()
            .column(0)
            .max_abs(),
        0.0
    );
}

/// Gradients are the slopes of the objective; those of blocks and clipped ones are means over the records of what is scaled or cut.
#[test]
#[allow(clippy::needless_range_loop, reason = "indices as in the formulas")]
fn gradients_are_slopes_and_means_over_records() {
    let w = [0.5, -1.0, 0.25];
    let problem = |loss: &str| {
        let problem = match loss {
            "squared" => Problem::new(two(), Squared, Regulariser::None),
            _ => Problem::new(two(), Logistic, Regulariser::None),
        };
        problem.and_then(|p| p.with_ridge(0.5)).expect("a problem")
    };
    for loss in ["squared", "logistic"] {
        let problem = problem(loss);
        let gradient = problem.gradient(&w);
        for k in 0..3 {
            let at = |h: f64| {
                let mut moved = w;
                moved[k] += h;
                problem.objective(&moved)
            };
            let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!((gradient[k] - slope).abs() < 1e-8, "{loss} {k}");
        }
    }
    // Margins 0.5 and 1, so residuals −0.5 and 2.
    let problem = problem("squared");
    assert_eq!(problem.margins(&w), [0.5, 1.0]);
    assert_eq!(problem.objective(&w), 0.5 * (0.125 + 2.0) + 0.25 * 1.3125);
    let clipped = problem.clipped_gradient(&w, Some(&[1.0, 1.0, 3.0]));
    assert_eq!(clipped, [0.25 - 0.5 + 0.5, -0.5, 0.125 + 2.5]);
    // Of the columns 2 and 0 the first record's gradient is 5·0.5 long, the second's 2√5.
    let block = problem.block_gradient(&w, &[2, 0], 5_f64.sqrt());
    let [first, second] = [5_f64.sqrt() / 2.5, 0.5];
    let cut = [
        0.5 * (2.0 * first + 4.0 * second) + 0.125,
        0.5 * (-1.5 * first + 2.0 * second) + 0.25,
    ];
    let apart = block.iter().zip(cut).map(|(a, b)| (a - b).abs());
    assert!(apart.fold(0.0, f64::max) < 1e-12, "{block:?}, {cut:?}");
}

#[test]
fn records_are_read_in_the_order_asked_for_and_not_beyond_the_last() {
    let values = vec![3.0, 4.0, 0.0, 1.0, -5.0, 12.0];
    let records = Matrix::new(2, values, vec![1.0, -1.0, 0.5]).expect("three records");
    assert_eq!((records.records(), records.features()), (3, 2));
    assert_eq!(
        (records.norms(), records.row(2)),
        (&[5.0, 1.0, 13.0][..], &[-5.0, 12.0][..])
    );
    let order = [2, 0];
    for (order, read) in [(None, &[0, 1, 2][..]), (Some(&order[..]), &[2, 0])] {
        for from in 0..read.len() {
            let mut source = records.source(order);
            assert_eq!((source.features(), source.window()), (2, usize::MAX));
            source.advance(from);
            let count = read.len() - from;
            let view = source.view(count).expect("there are as many");
            assert_eq!((view.len(), view.is_empty()), (count, false));
            for (i, record) in read[from..].iter().enumerate() {
                let (x, y) = (records.row(*record), records.targets()[*record]);
                assert_eq!(view.record(i), (x, y, records.norms()[*record]));
                assert_eq!((view.features(i), view.target_and_norm(i).0), (x, y));
            }
            for part in 0..=count {
                let first = view.first(part);
                assert_eq!((first.len(), first.is_empty()), (part, part == 0));
                assert!((0..part).all(|i| first.record(i) == view.record(i)));
            }
            let (wanted, found) = (read.len() + 1, read.len());
            let short = source
                .view(count + 1)
                .map(|_| ())
                .expect_err("there are fewer");
            assert_eq!(
                short.to_string(),
                format!("{wanted} records are needed, the data end after {found}")
            );
        }
    }
    let new = |d, values: &[f64], targets: &[f64]| {
        Matrix::new(d, values.to_vec(), targets.to_vec()).map(|_| ())
    };
    for (features, values, targets) in [(0, 0, 1), (1, 0, 0), (2, 3, 2), (2, 5, 2)] {
        let refused = new(features, &vec![0.0; values], &vec![0.0; targets]);
        let records = targets;
        assert_eq!(
            refused,
            Err(MatrixError::Count {
                values,
                records,
                features
            })
        );
    }
    let value = f64::INFINITY;
    for (at, record) in [(0, 0), (1, 0), (2, 1), (3, 1), (4, 0), (5, 1)] {
        let mut all = [0.0; 6];
        all[at] = value;
        let refused = new(2, &all[..4], &all[4..]);
        assert_eq!(
            refused,
            Err(MatrixError::NotFinite { record, value }),
            "{at}"
        );
    }
}

/// Lengths 3, 4, 5, whatever the unit; of nothing 0.
#[test]
fn a_norm_is_right_where_its_squares_leave_the_doubles() {
    for power in [-1000, -500, -460, 0, 460, 500, 1000] {
        let unit = 2_f64.powi(power);
        let found = norm(&[3.0 * unit, 0.0, -4.0 * unit]);
        assert!((found / unit - 5.0).abs() < 1e-14, "{power}: {found}");
    }
    assert_eq!(
        (norm(&[]), norm(&[0.0]), norm(&[f64::NEG_INFINITY])),
        (0.0, 0.0, f64::INFINITY)
    );
    assert!(
        [&[f64::NAN][..], &[f64::NAN, 1.0]]
            .iter()
            .all(|x| norm(x).is_nan())
    );
}

/// A buffer holds whole blocks, at least one, and at least two records.
#[test]
fn blocks_fill_the_buffer_and_streams_end_with_the_record_at_fault() {
    let million = 1 << 20;
    for (features, records) in [(0, 256), (1, 256), (4096, 256), (4097, 255), (million, 1)] {
        assert_eq!(block(features), records, "{features}");
    }
    let stream = |text: &'static str, features, format| {
        let (task, header) = (Task::Regression, Header::No);
        let options = Options {
            task,
            header,
            format,
            ..Options::default()
        };
        Stream::new(
            Rows::new("rows", text.as_bytes(), &options).expect("a file"),
            features,
        )
    };
    for (features, window) in [
        (1, million),
        (1000, 1024),
        (3000, 256),
        (4097, 255),
        (million, 2),
    ] {
        let stream = stream("1,1\n", features, Format::Csv);
        assert_eq!((stream.window(), stream.features()), (window, features));
        assert_eq!(window % block(features), 0);
    }
    let text = "1,2,3\n-4,5,6\n7,8,9\n0,1,2\n";
    for step in 1..=4 {
        let mut stream = stream(text, 2, Format::Csv).within(6.0);
        let mut read = Vec::new();
        while let Ok(view) = stream.view(step) {
            read.extend((0..step).map(|i| (view.features(i).to_vec(), view.target_and_norm(i))));
            stream.advance(step);
        }
        let all = [
            ([1.0, 2.0], 3.0),
            ([-4.0, 5.0], 6.0),
            ([6.0, 6.0], 9.0),
            ([0.0, 1.0], 2.0),
        ];
        let all = all.map(|(x, y)| (x.to_vec(), (y, norm(&x))));
        assert_eq!(read, all[..4 / step * step], "{step}");
    }
    let end = |text, features, format, count| {
        let mut stream = stream(text, features, format);
        let found = stream.view(count).map(|_| ());
        found.expect_err("no record").to_string()
    };
    let short = SourceError::Short {
        wanted: 3,
        found: 1,
    };
    assert_eq!(end("1,2,3\n", 2, Format::Csv, 3), short.to_string());
    let features = |record, found, expected| {
        SourceError::Features {
            record,
            found,
            expected,
        }
        .to_string()
    };
    assert_eq!(end("1,2,3\n", 3, Format::Csv, 1), features(1, 2, 3));
    assert_eq!(
        end("1 2:1\n1 1:1 4:2\n", 3, Format::Svmlight, 2),
        features(2, 4, 3)
    );
}

/// On a path of three, whose Laplacian has the eigenvalues 0, 1 and 3, and on a ring of four.
#[test]
fn weights_are_those_of_their_definitions() {
    let path = Graph::path(3).expect("a graph");
    let rows = |graph: &Graph, weights| {
        let w = matrix(graph, weights).expect("small");
        let row = |i| (0..graph.n()).map(move |j| (i, j)).collect::<Vec<_>>();
        let all = (0..graph.n()).flat_map(row);
        all.map(|at| w[at]).collect::<Vec<f64>>()
    };
    let third = 1.0 / 3.0;
    for (weights, wanted) in [
        (
            Weights::Printed,
            [0.0, 0.5, 0.0, third, 0.0, third, 0.0, 0.5, 0.0],
        ),
        (
            Weights::WithSelf,
            [0.5, 0.5, 0.0, third, third, third, 0.0, 0.5, 0.5],
        ),
        (
            Weights::MetropolisHastings,
            [
                2.0 * third,
                third,
                0.0,
                third,
                third,
                third,
                0.0,
                third,
                2.0 * third,
            ],
        ),
        (
            Weights::LazyMetropolisHastings,
            [
                5.0 / 6.0,
                1.0 / 6.0,
                0.0,
                1.0 / 6.0,
                4.0 / 6.0,
                1.0 / 6.0,
                0.0,
                1.0 / 6.0,
                5.0 / 6.0,
            ],
        ),
        (
            Weights::MaxDegree,
            [
                2.0 * third,
                third,
                0.0,
                third,
                third,
                third,
                0.0,
                third,
                2.0 * third,
            ],
        ),
        (
            Weights::BestConstant,
            [0.5, 0.5, 0.0, 0.5, 0.0, 0.5, 0.0, 0.5, 0.5],
        ),
        (Weights::Uniform, [third; 9]),
    ] {
        let found = rows(&path, weights);
        let apart = found.iter().zip(wanted).map(|(a, b)| (a - b).abs());
        assert!(apart.fold(0.0, f64::max) < 1e-12, "{weights:?}: {found:?}");
    }
    // W² of the path's weights 2/3, 1/3 has the eigenvalues 1, 4/9 and 0.
    let mixing = MixingMatrix::of(&path, Weights::MetropolisHastings).expect("a mixing matrix");
    let rate = mixing.consensus_rate();
    assert!(
        rate.lo <= 5.0 / 9.0 && 5.0 / 9.0 <= rate.hi && rate.hi - rate.lo < 1e-12,
        "{rate:?}"
    );
    // Rows of neighbours differ by (1, 0, −1)/3: each of two edges counts 2/9, over 2·2.
    let found = mixing.heterogeneity(&path).expect("there are edges");
    assert!((found - 1.0 / 9.0).abs() < 1e-12, "{found}");
    assert_eq!(
        heterogeneity(&Graph::path(1).expect("a graph"), mixing.matrix()),
        None
    );
}

#[test]
fn what_is_no_mixing_matrix_is_refused_with_the_entry() {
    let new = |n: usize, values: &[f64]| {
        let matrix = nalgebra::DMatrix::from_row_slice(n, values.len() / n, values);
        MixingMatrix::new(matrix).map(|_| ())
    };
    assert_eq!(new(2, &[0.5; 4]), Ok(()));
    let (i, j) = (0, 1);
    assert_eq!(
        new(2, &[1.25, -0.25, -0.25, 1.25]),
        Err(MixingError::Entry {
            i: 0,
            j: 0,
            value: 1.25
        })
    );
    assert_eq!(
        new(2, &[1.0, -0.25, -0.25, 1.0]),
        Err(MixingError::Entry { i, j, value: -0.25 })
    );
    let (value, mirrored) = (0.5, 0.25);
    assert_eq!(
        new(2, &[0.5, value, mirrored, 0.75]),
        Err(MixingError::Asymmetric {
            i,
            j,
            value,
            mirrored
        })
    );
    assert_eq!(
        new(2, &[0.5, 0.5, 0.5, 0.25]),
        Err(MixingError::RowSum { i: 1, sum: 0.75 })
    );
    let off = 1.0 - 8.0 * f64::EPSILON;
    assert!(matches!(
        new(1, &[off]),
        Err(MixingError::RowSum { i: 0, .. })
    ));
    assert_eq!(new(1, &[1.0 - f64::EPSILON / 2.0]), Ok(()));
    assert_eq!(
        new(1, &[0.5, 0.5]),
        Err(MixingError::Shape {
            rows: 1,
            columns: 2,
            users: 1
        })
    );
    let path = Graph::path(3).expect("a graph");
    let uniform = MixingMatrix::of(&path, Weights::Uniform).expect("a mixing matrix");
    let value = 1.0 / 3.0;
    assert_eq!(
        uniform.require_support(&path),
        Err(MixingError::NotAnEdge { i: 2, j: 0, value })
    );
    let shape = MixingError::Shape {
        rows: 3,
        columns: 3,
        users: 4,
    };
    assert_eq!(
        uniform.require_support(&Graph::path(4).expect("a graph")),
        Err(shape)
    );
    assert_eq!(
        uniform.require_support(&Graph::complete(3).expect("a graph")),
        Ok(())
    );
}

#[test]
fn what_is_no_regulariser_is_refused() {
    for weight in [-1.0, f64::INFINITY] {
        for psi in [Regulariser::L1(weight), Regulariser::L2(weight)] {
            assert_eq!(psi.check(), Err(RegulariserError::Weight(weight)));
        }
    }
    assert!(Regulariser::L1(f64::NAN).check().is_err());
    for psi in [
        Regulariser::L1(0.0),
        Regulariser::L2(0.0),
        Regulariser::None,
    ] {
        assert_eq!(psi.check(), Ok(psi));
    }
    let ends = |lower, upper| Regulariser::Box { lower, upper };
    for (lower, upper) in [(0.0, 0.0), (1.0, 0.0)] {
        assert_eq!(
            ends(lower, upper).check(),
            Err(RegulariserError::Box { lower, upper })
        );
    }
    assert!(ends(f64::NAN, 0.0).check().is_err() && ends(0.0, f64::NAN).check().is_err());
    assert!(ends(f64::NEG_INFINITY, f64::INFINITY).check().is_ok());
    // A box is 0 on both of its ends and nothing beyond.
    let psi = ends(-1.0, 2.0);
    let values = [-1.0, 0.5, 2.0, -1.5, 2.5].map(|w| psi.value(w));
    assert_eq!(values, [0.0, 0.0, 0.0, f64::INFINITY, f64::INFINITY]);
}

/// The slope of every shape at every radius, and the least of all values in the middle or on its ring.
#[test]
fn the_slopes_of_shapes_are_those_of_their_values() {
    let shapes = [
        Shape::Quadratic { mu: 3.0 },
        Shape::Power {
            scale: 0.5,
            tau: 3.5,
        },
        Shape::Huber { delta: 1.5 },
        Shape::LogCosh,
        Shape::Sine,
        Shape::Ring,
    ];
    for shape in shapes {
        for r in [0.25, 1.25, 1.75, 4.0] {
            let at = |h: f64| shape.value(&[0.6 * (r + h), -0.8 * (r + h)]);
            let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
            let mut gradient = [0.0; 2];
            shape.gradient(&[0.6 * r, -0.8 * r], &mut gradient);
            let wanted = [0.6 * slope, -0.8 * slope];
            let apart = gradient.iter().zip(wanted).map(|(a, b)| (a - b).abs());
            assert!(
                apart.fold(0.0, f64::max) < 1e-6 * (1.0 + slope.abs()),
                "{shape:?} {r}"
            );
        }
        let mut gradient = [1.0; 2];
        shape.gradient(&[0.0, 0.0], &mut gradient);
        assert_eq!(gradient, [0.0; 2], "{shape:?}");
        let least = if shape == Shape::Ring {
            [1.0, 0.0]
        } else {
            [0.0; 2]
        };
        assert!(shape.value(&least).abs() < 1e-15, "{shape:?}");
    }
    let risk = super::risk::hundred_points();
    assert_eq!((risk.dimension(), risk.records()), (2, 100));
}
