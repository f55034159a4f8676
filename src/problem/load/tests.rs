use super::{
    Column, Delimiter, Features, Format, Header, LabelColumn, Options, Rows, Task, file, read,
    write_svmlight,
};
use crate::problem::Dataset;
use flate2::{Compression, write::GzEncoder};
use std::io::Write;
use std::path::Path;

fn load(text: &str, options: &Options) -> Result<Dataset, String> {
    read("f", text.as_bytes(), options).map_err(|e| e.to_string())
}

fn format(format: Format) -> Options {
    let default = Options::default();
    Options { format, ..default }
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).expect("memory");
    encoder.finish().expect("memory")
}

fn rows(data: &Dataset) -> Vec<Vec<(usize, f64)>> {
    (0..data.records())
        .map(|i| data.design().row(i).collect())
        .collect()
}

#[test]
fn every_bad_svmlight_file_is_named_with_its_line_and_value() {
    for (text, message) in [
        ("", "f: no records"),
        ("# nothing\n\n", "f: no records"),
        ("1\n-1\n", "f: no features: every record has only its label"),
        ("1 1:2\n\n-1 2:x\n", "f:3: feature 2 = `x` is not a number"),
        ("1 1:2\n-1 2:nan\n", "f:2: feature 2 = `nan` is not finite"),
        (
            "1 1:2\n-1 2:-inf\n",
            "f:2: feature 2 = `-inf` is not finite",
        ),
        ("1 1:1e999\n", "f:1: feature 1 = `1e999` is not finite"),
        ("1 1:\n", "f:1: feature 1 is empty"),
        (
            "1 0:2\n",
            "f:1: `0:2` is not of the form index:value, with index counted from 1",
        ),
        (
            "1 -1:2\n",
            "f:1: `-1:2` is not of the form index:value, with index counted from 1",
        ),
        (
            "1 2\n",
            "f:1: `2` is not of the form index:value, with index counted from 1",
        ),
        (
            "1 3:1 2:1\n",
            "f:1: feature index 2 follows 3: indices must increase",
        ),
        (
            "1 2:1 2:1\n",
            "f:1: feature index 2 follows 2: indices must increase",
        ),
        (
            "1 99999999999:1\n",
            "f:1: feature index 99999999999 exceeds 16777216, the number of features expected or \
             allowed",
        ),
        ("nan 1:1\n", "f:1: the label = `nan` is not finite"),
        (
            "1 1:1\n-1 1:1\n# c\n3 1:1\n",
            "f:4: label `3` is a third value after `1` and `-1`; two classes are needed",
        ),
        (
            "1 1:1\n+1 1:2\n",
            "f: all labels are `1`; two classes are needed",
        ),
    ] {
        let error = load(text, &format(Format::Svmlight)).expect_err(text);
        assert_eq!(error, message, "{text:?}");
    }
}

#[test]
fn every_bad_csv_file_is_named_with_its_line_and_value() {
    for (text, message) in [
        ("", "f: no records"),
        ("a,b,label\n", "f: no records"),
        (
            "0\n1\n",
            "f:1: no features: every record has only its label",
        ),
        (
            "1,2,0\n3,1\n",
            "f:2: 2 fields, expected 3 as in the first line of data",
        ),
        (
            "1,2,0\n\n\n3,x,1\n",
            "f:4: column 1 (counted from 0) = `x` is not a number",
        ),
        (
            "1,2,0\n3,NaN,1\n",
            "f:2: column 1 (counted from 0) = `NaN` is not finite",
        ),
        (
            "1,2,0\n3,infinity,1\n",
            "f:2: column 1 (counted from 0) = `infinity` is not finite",
        ),
        ("1,2,0\n,4,1\n", "f:2: column 0 (counted from 0) is empty"),
        ("1,2,0\n3,4,\n", "f:2: the label is empty"),
        (
            "1,2,a\n3,4,a\n",
            "f: all labels are `a`; two classes are needed",
        ),
        (
            "x,y,z\n1,2,a\n3,4,b\n5,6,c\n",
            "f:4: label `c` is a third value after `a` and `b`; two classes are needed",
        ),
        (
            "3,2,no,yes\n1,2,0\n3,4,1\n",
            "f: 2 records, the first line announces 3: the file is truncated or extended",
        ),
        (
            "2,3,no,yes\n1,2,0\n",
            "f:2: 3 fields, expected 4 as in the first line of data",
        ),
    ] {
        let error = load(text, &format(Format::Csv)).expect_err(text);
        assert_eq!(error, message, "{text:?}");
    }
}

#[test]
fn a_wrong_number_of_features_is_an_error() {
    let expecting = |format| Options {
        features: Some(3),
        ..self::format(format)
    };
    let csv = load("1,2,0\n3,4,1\n", &expecting(Format::Csv)).expect_err("two");
    assert_eq!(csv, "f:1: 2 features, expected 3");
    let svmlight = load("1 1:1\n-1 4:1\n", &expecting(Format::Svmlight)).expect_err("four");
    assert!(
        svmlight.starts_with("f:2: feature index 4 exceeds 3"),
        "{svmlight}"
    );
    let padded = load("1 1:1\n-1 2:1\n", &expecting(Format::Svmlight)).expect("padded");
    assert_eq!(padded.features(), 3);
}

#[test]
fn a_missing_file_is_named() {
    let error = file(Path::new("no/such.csv"), &Options::default()).expect_err("missing");
    assert!(
        error.to_string().starts_with("no/such.csv: cannot open: "),
        "{error}"
    );
}

#[test]
fn gzip_is_read_transparently_and_its_faults_are_named() {
    let text: String = (0..5000)
        .map(|i| format!("{},{},{}\n", i, i * 7 % 13, i % 2))
        .collect();
    let packed = gzip(&text);
    let options = format(Format::Csv);
    let plain = load(&text, &options).expect("sound");
    let unpacked = read("f.csv.gz", &packed[..], &options).expect("sound");
    assert_eq!(rows(&plain), rows(&unpacked));
    for tail in [1, 8, 100] {
        let cut = &packed[..packed.len() - tail];
        let error = read("f.gz", cut, &options).expect_err("cut").to_string();
        let named = error.contains("the gzip stream ends early: the file is truncated");
        assert!(named && error.starts_with("f.gz:"), "{error}");
    }
    // Members one after the other are one file, as for gzip; nothing else may follow.
    let twice = read("f.gz", &[&packed[..], &packed].concat()[..], &options).expect("sound");
    assert_eq!(twice.records(), 10_000);
    for (tail, words) in [
        (&b"\n"[..], "goes on after its end"),
        (b"\x1f\x8b\x08", "goes on after its end"),
        (&[0; 512], "other bytes follow it"),
        (b"more than ten bytes", "other bytes follow it"),
    ] {
        let error = read("f.gz", &[&packed[..], tail].concat()[..], &options);
        let error = error.expect_err("more than gzip").to_string();
        assert!(error.contains(words), "{error}");
    }
    let mut damaged = packed.clone();
    damaged[40] ^= 0xff;
    let error = read("f.gz", &damaged[..], &options)
        .expect_err("damaged")
        .to_string();
    assert!(error.starts_with("f.gz"), "{error}");
}

#[test]
fn the_smaller_class_is_minus_one_in_both_formats() {
    let csv = load("1,2,yes\n3,4,no\n", &Options::default()).expect("sound");
    assert_eq!(csv.targets(), [1.0, -1.0]);
    assert_eq!(
        csv.classes(),
        Some(&["no".to_owned(), "yes".to_owned()][..])
    );
    let svmlight = load("10 1:1\n9 1:1\n9.0 2:1\n", &Options::default()).expect("sound");
    assert_eq!(svmlight.targets(), [1.0, -1.0, -1.0]);
}

#[test]
fn more_than_two_classes_are_numbered_in_ascending_order_or_as_stated() {
    let several = |stated: Option<Vec<String>>| Options {
        task: Task::Classes,
        classes: stated,
        ..Options::default()
    };
    let text = "1,10\n2,9\n3,9.0\n4,x\n";
    let found = load(text, &several(None)).expect("sound");
    // Numbers before words, by size.
    assert_eq!(found.targets(), [1.0, 0.0, 0.0, 2.0]);
    let names = |data: &Dataset| data.classes().map(<[String]>::to_vec);
    assert_eq!(
        names(&found),
        Some(["9", "10", "x"].map(str::to_owned).to_vec())
    );
    let stated = ["x", "10", "9", "y"].map(str::to_owned).to_vec();
    let found = load(text, &several(Some(stated.clone()))).expect("sound");
    assert_eq!(found.targets(), [1.0, 2.0, 2.0, 0.0]);
    assert_eq!(names(&found), Some(stated));
    assert_eq!(found.one_against_rest(2).targets(), [-1.0, 1.0, 1.0, -1.0]);
    let many: String = (0..21).map(|k| format!("1,c{k}\n")).collect();
    let error = load(&many, &several(None)).expect_err("too many");
    assert_eq!(
        error,
        "f:21: label `c20` is a value beyond 20 others; at most 20 classes are told apart"
    );
}

#[test]
fn header_label_and_delimiter_follow_the_options() {
    let text = "y;a;b\n0;1;2\n1;3;4\n";
    let options = Options {
        delimiter: Delimiter::One(b';'),
        label: LabelColumn::Name("y".to_owned()),
        ..format(Format::Csv)
    };
    let data = load(text, &options).expect("sound");
    assert_eq!(rows(&data)[1], [(0, 3.0), (1, 4.0)]);
    let missing = LabelColumn::Name("z".to_owned());
    let error = load(
        text,
        &Options {
            label: missing,
            ..options.clone()
        },
    )
    .expect_err("no z");
    assert_eq!(error, "f:1: no column named `z` in the first line");
    let without = Options {
        header: Header::No,
        label: LabelColumn::Index(0),
        ..options
    };
    assert!(
        load(text, &without)
            .expect_err("words")
            .contains("`a` is not a number")
    );
}

/// A quote without its twin takes all that follows into one field: three records of five would be read, and nobody told.
#[test]
fn a_quote_that_is_missing_is_noticed() {
    let text = "x,y\n1,0\n2,1\n3,\"0\n4,1\n5,1";
    let error = load(text, &format(Format::Csv)).expect_err("half read");
    assert!(error.contains("begins with `0`"), "{error}");
    let sound = "x,y\n1,\"0\"\n2,\"1\"\n";
    assert!(load(sound, &format(Format::Csv)).is_ok());
}

/// Which of two columns of one name is meant nobody can know; columns without a name are no such two.
#[test]
fn a_name_stands_once_in_a_header() {
    let error = load("a,b,a\n1,2,0\n3,4,1\n", &format(Format::Csv)).expect_err("twice");
    assert!(error.contains("`a`"), "{error}");
    assert!(load("a,b,c\n1,2,0\n3,4,1\n", &format(Format::Csv)).is_ok());
}

#[test]
fn commas_semicolons_tabs_and_blanks_separate_alike() {
    let want = load("1,2,no\n3,4,yes\n", &Options::default()).expect("sound");
    for text in [
        "1;2;no\n3;4;yes\n",
        "1\t2\tno\n3\t4\tyes\n",
        "1 2 no\n3 4 yes\n",
        "\n  1   2 no \r\n\n 3\t4 yes",
        "a b c\n1 2 no\n3 4 yes\n",
    ] {
        for name in ["f", "f.csv"] {
            let data = read(name, text.as_bytes(), &Options::default()).expect(text);
            assert_eq!(rows(&data), rows(&want), "{text:?}");
            assert_eq!(data.targets(), want.targets(), "{text:?}");
        }
    }
    let words = "big red 1\n2 3 0\n";
    let error = load(words, &Options::default()).expect_err("words");
    assert_eq!(
        error,
        "f:1: column 0 (counted from 0) = `big` is not a number"
    );
    let ragged = load("1 2 no\n3 4 5 yes\n", &Options::default()).expect_err("four");
    assert_eq!(
        ragged,
        "f:2: 4 fields, expected 3 as in the first line of data"
    );
    let tabs = load("1\t\tno\n3\t4\tyes\n", &Options::default()).expect_err("empty");
    assert_eq!(tabs, "f:1: column 1 (counted from 0) is empty");
}

#[test]
fn where_names_are_known_they_alone_make_a_header() {
    let columns = |kinds: &[&[&str]]| {
        let words = |list: &&[&str]| list.iter().map(|w| (*w).to_owned()).collect();
        let column = |list: &&[&str]| match list.is_empty() {
            true => Column::Number { missing: Some(0.0) },
            false => Column::Category { words: words(list) },
        };
        Some(kinds.iter().map(column).collect::<Vec<_>>())
    };
    let names = |list: &[&str]| Some(list.iter().map(|name| (*name).to_owned()).collect());
    let options = |columns, names| Options {
        columns,
        names,
        ..Options::default()
    };
    // `4,2,red,yes` would announce 4 records of 2 features, and there are as many after it.
    let colours: &[&str] = &["red", "blue"];
    let cars = columns(&[&[], &[], colours]);
    let text = "4,2,red,yes\n1,2,blue,no\n3,2,red,yes\n4,3,blue,no\n5,2,red,no\n";
    for known in [names(&["age", "size", "paint"]), None] {
        let data = load(text, &options(cars.clone(), known)).expect("sound");
        assert_eq!((data.records(), data.features()), (5, 4));
    }
    // A line that announces as many features as are described, and is too short for a record of them, is none.
    let wide = options(columns(&[&[], &[], &[], &[]]), names(&["a", "b", "c", "d"]));
    let data = load("2,4,bad,good\n1,2,3,4,0\n1,2,3,4,1\n", &wide).expect("sound");
    assert_eq!(
        data.classes(),
        Some(&["bad".to_owned(), "good".to_owned()][..])
    );
    // A record of words alone, or of a missing number, is no header because it has no number.
    let painted = options(columns(&[&[], colours]), names(&["age", "paint"]));
    let headed = load("age,paint,sold\n?,red,yes\n1,blue,no\n", &painted).expect("sound");
    assert_eq!(headed.records(), 2);
    let error = load("?,red,yes\n1,blue,no\n", &painted).expect_err("either");
    assert_eq!(
        error,
        "f:1: the first line has no number and none of the known names (age, paint), so that it \
         may be a header or a record: begin with a line of these names, or with a record that has \
         a number"
    );
    // What stands for no value is no name.
    let odd = options(columns(&[&[], colours]), names(&["?", "1"]));
    let data = load("1,?,yes\n2,red,no\n", &odd).expect("sound");
    assert_eq!(data.records(), 2);
}

#[test]
fn real_targets_are_kept_as_they_are() {
    let options = Options {
        task: Task::Regression,
        ..Options::default()
    };
    let data = load("0.5 1:1\n-3 2:1\n7 1:2\n", &options).expect("sound");
    assert_eq!(data.targets(), [0.5, -3.0, 7.0]);
    assert_eq!(data.classes(), None);
    let error = load("low 1:1\n", &options).expect_err("a word");
    assert_eq!(error, "f:1: the label = `low` is not a number");
}

#[test]
fn rows_stream_and_stop_at_the_first_error() {
    let text = "1 2:5\n-1 1:oops\n1 1:1\n";
    let mut rows = Rows::new("f", text.as_bytes(), &Options::default()).expect("opens");
    let first = rows.next().expect("a row").expect("sound");
    assert_eq!((first.line, first.label.as_str()), (1, "1"));
    assert_eq!(first.features, Features::Sparse(vec![(1, 5.0)]));
    assert!(rows.next().expect("a row").is_err());
    assert!(rows.next().is_none());
}

#[test]
fn what_is_written_reads_back_the_same() {
    let text = "1 1:0.1 3:-2.5e-310\n-1 2:1e308\n";
    let data = load(text, &Options::default()).expect("sound");
    let mut written = Vec::new();
    write_svmlight(&data, &mut written).expect("memory");
    let again = read("w", &written[..], &Options::default()).expect("our own");
    assert_eq!(rows(&data), rows(&again));
    assert_eq!(data.targets(), again.targets());
}
