//! Records as they are read, and their norms.

use crate::problem::load::{Format, Header, Options, Rows, Task};
use crate::problem::rows::{FileStream, Matrix, MatrixError, Source, SourceError, block, norm};

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
        FileStream::new(
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
