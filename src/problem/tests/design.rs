//! Designs, constants, scaling and gradients.

use crate::problem::constants::ConstantsError;
use crate::problem::design::{Column, Dense, Design, DesignError, Sparse};
use crate::problem::loss::{Huber, Linear, Logistic, Loss, Squared};
use crate::problem::scaling::{max_abs_scaled, standardised};
use crate::problem::{Constants, Dataset, Problem, Regulariser, dataset, kernels};

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
    dataset::table(&[[3.0, 0.0, -4.0], [1.0, 0.0, 2.0]], vec![1.0, -1.0])
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
    let zeros = dataset::table(&[[0.0], [0.0]], vec![0.0; 2]);
    for scaled in [standardised(&zeros), max_abs_scaled(&zeros)] {
        assert_eq!(scaled.expect("finite").design().column(0).max_abs(), 0.0);
    }
    // What is left of a constant that no double holds is rounding.
    let tenths = dataset::table(&[[0.1]; 10], vec![0.0; 10]);
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
