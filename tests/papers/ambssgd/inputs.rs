//! Bad input: one message that names the value and the rule.

use super::problems::{Problem, problem};
use dp_assay::problem::load::{Format, Options, Rows, Task};
use dp_assay::problem::rows::{FileStream, Matrix, Source};
use dp_assay::solver::ambssgd::{Adaptive, Search, Shuffled, optimized, reference};

fn message(change: impl Fn(&mut Adaptive)) -> String {
    let Problem {
        records,
        mut adaptive,
        tape,
        ..
    } = problem(3, 2..=2);
    change(&mut adaptive);
    let n = records.records();
    let source = &mut records.source(None);
    let fast = optimized::ambssgd(source, n, &adaptive, tape, &mut |_| {
        panic!("nothing is released")
    });
    let order: Vec<u32> = (0..n as u32).collect();
    let plain = reference::ambssgd(&records, &order, &adaptive, tape, &mut |_| ());
    let text = fast.unwrap_err().to_string();
    assert_eq!(plain.unwrap_err().to_string(), text);
    text
}

#[test]
fn every_input_is_checked_before_anything_is_released() {
    assert_eq!(
        message(|c| c.step = f64::NAN),
        "step = NaN must be finite and > 0"
    );
    assert_eq!(
        message(|c| c.factor = 0.0),
        "clipping factor = 0 must be finite and > 0"
    );
    assert_eq!(
        message(|c| c.multiplier = -1.0),
        "noise multiplier = -1 must be finite and >= 0"
    );
    assert_eq!(
        message(|c| c.batch = 0),
        "batch size b = 0 must be at least 1"
    );
    assert_eq!(
        message(|c| c.statistics = 0),
        "statistics size s = 0 must be at least 1"
    );
    assert_eq!(
        message(|c| c.search.levels = 0),
        "number of levels m = 0 must be at least 1"
    );
    assert!(message(|c| c.batch += 1000).ends_with("do not fit: N must be a multiple of b + s"));
    let Problem {
        records,
        shuffled,
        tape,
        ..
    } = problem(3, 2..=2);
    let odd = reference::ssgd(&records, &[0, 1, 2], &shuffled, tape, &mut |_| ()).unwrap_err();
    assert!(
        odd.to_string()
            .starts_with("N = 3 records do not fit: N must be even")
    );
}

#[test]
fn domains_and_matrices_are_checked() {
    let refused = Search::printed(f64::INFINITY, 100).unwrap_err().to_string();
    assert!(refused.starts_with("domain B = inf"), "{refused}");
    assert!(Search::printed(1.0, 1).is_err() && Search::halvings(-1.0, 3).is_err());
    let least = Search::printed(1.0, 2).expect("200 log2 2 levels");
    assert_eq!(least.levels, 200);
    assert_eq!(
        Matrix::new(2, vec![1.0, f64::NAN], vec![0.0])
            .unwrap_err()
            .to_string(),
        "record 0: NaN is not finite"
    );
    assert_eq!(
        Matrix::new(2, vec![1.0], vec![0.0])
            .unwrap_err()
            .to_string(),
        "1 values do not make 1 >= 1 records of 2 >= 1 features"
    );
}

#[test]
fn a_stream_that_ends_early_or_is_malformed_says_where() {
    let run = |text: &str| {
        let options = Options {
            format: Format::Csv,
            task: Task::Regression,
            ..Options::default()
        };
        let rows = Rows::new("data.csv", text.as_bytes(), &options).unwrap();
        let config = Shuffled {
            step: 0.1,
            threshold: 1.0,
            multiplier: 1.0,
        };
        let tape = dp_assay::mechanism::tape::Tape::new(1);
        let stream = &mut FileStream::new(rows, 2);
        optimized::ssgd(stream, 4, &config, tape, &mut |_| ())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        run("1,2,3\n4,5,6\n"),
        "3 records are needed, the data end after 2"
    );
    let options = Options {
        format: Format::Csv,
        task: Task::Regression,
        ..Options::default()
    };
    let rows = Rows::new("data.csv", "1,2,3\n4,5,6\n".as_bytes(), &options).unwrap();
    let mut stream = FileStream::new(rows, 2);
    stream.view(1).unwrap();
    stream.advance(1);
    assert_eq!(
        stream.view(3).unwrap_err().to_string(),
        "4 records are needed, the data end after 2"
    );
    assert_eq!(
        run("1,2,3\n4,x,6\n"),
        "data.csv:2: column 1 (counted from 0) = `x` is not a number"
    );
    assert_eq!(
        run("1,2,3\n4,5,y\n"),
        "data.csv:2: the label = `y` is not a number"
    );
    assert_eq!(
        run("1,2,3,9\n4,5,6,9\n"),
        "record 1 has 3 features, expected 2"
    );
}

#[test]
fn steps_that_are_too_long_are_an_error_not_a_result() {
    let records = Matrix::new(1, vec![1e100; 4], vec![1.0; 4]).unwrap();
    let config = Shuffled {
        step: 1e300,
        threshold: 1e120,
        multiplier: 0.0,
    };
    let tape = dp_assay::mechanism::tape::Tape::new(1);
    let error = reference::ssgd(&records, &[0, 1, 2, 3], &config, tape, &mut |_| ()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "step 0: the new iterate is not finite; shorten the step or the clipping norm"
    );
}
