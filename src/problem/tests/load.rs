//! Files: how their kind is told, what their columns are, and what is refused with its line.

use crate::problem::Dataset;
use crate::problem::load::{
    Column, Delimiter, Format, Header, LabelColumn, LoadError, LoadProblem, Options, Rows, Task,
    features, read, write_svmlight,
};
use std::io::{self, BufReader, Read};

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn csv(text: &str, options: Options) -> Result<Dataset, String> {
    let format = Format::Csv;
    let options = Options { format, ..options };
    read("f", text.as_bytes(), &options).map_err(|e| e.to_string())
}

fn entries(data: &Dataset, i: usize) -> Vec<(usize, f64)> {
    data.design().row(i).collect()
}

/// Each name or text with whether it is svmlight, told by the sparse design: a CSV file keeps its zero.
#[test]
fn the_format_is_told_by_the_name_and_else_by_the_first_line() {
    let (svmlight, table) = ("1 2:5\n-1 1:3\n", "0,5,1\n3,0,-1\n");
    let stored = |name: &str, text: &str, options: &Options| {
        let data = read(name, text.as_bytes(), options);
        data.map(|data| data.design().stored()).ok()
    };
    let auto = Options::default();
    for name in ["a.svm", "a.svmlight", "A.LIBSVM", "a.b.svm.gz", "a", "a.gz"] {
        assert_eq!(stored(name, svmlight, &auto), Some(2), "{name}");
    }
    for name in ["a.csv", "A.CSV", "a.csv.gz", "svm", "a", "a.data"] {
        let found = stored(name, table, &auto);
        assert_eq!(found, (name != "svm").then_some(4), "{name}");
    }
    // The name goes before the text, and what is asked for before the name.
    assert_eq!(stored("a.svm", table, &auto), None);
    let one = read("a.csv", svmlight.as_bytes(), &auto).map(|data| data.features());
    assert_eq!(one.ok(), Some(1), "a table of a feature and a label");
    for (format, text, count) in [(Format::Csv, table, 4), (Format::Svmlight, svmlight, 2)] {
        let options = Options {
            format,
            ..Options::default()
        };
        assert_eq!(stored("a.svm", text, &options), Some(count));
        assert_eq!(stored("a.csv", text, &options), Some(count));
    }
    // Comments and blank lines before the data say nothing; a colon beside the delimiter is a word of a table.
    let commented = format!("\n# a,b\n{svmlight}");
    assert_eq!(stored("a", &commented, &auto), Some(2));
    let words = "a:1,b,y\n1,2,0\n3,4,1\n";
    assert_eq!(stored("a", words, &auto), Some(4));
    let delimiter = Delimiter::One(b';');
    let semicolons = Options {
        delimiter,
        ..Options::default()
    };
    assert_eq!(stored("a", "a:1;b;y\n1;2;0\n3;4;1\n", &semicolons), Some(4));
    assert_eq!(stored("a", svmlight, &semicolons), Some(2));
}

#[test]
fn the_first_line_says_what_separates_fields() {
    let delimiter = Delimiter::Blanks;
    let blanks = Options {
        delimiter,
        ..Options::default()
    };
    for (text, options) in [
        ("a;1,b\t2,y\n1,2,0\n3,4,1\n", Options::default()),
        ("a\t1;b 2;y\n1;2;0\n3;4;1\n", Options::default()),
        ("a b\tc d\ty\n1\t2\t0\n3\t4\t1\n", Options::default()),
        ("a,1 b;2 y\n1 2 0\n3 4 1\n", blanks),
    ] {
        // Three fields; what else stands in the names is part of them.
        let data = csv(text, options).expect(text);
        assert_eq!(entries(&data, 1), [(0, 3.0), (1, 4.0)], "{text}");
    }
}

#[test]
fn columns_have_the_names_of_the_header_but_for_the_label() {
    let text = "age,paint,sold\n30,red,yes\n?,blue,no\n";
    let words = strings(&["red", "blue"]);
    let kinds = vec![
        Column::Number { missing: Some(7.0) },
        Column::Category { words },
    ];
    let options = |label, columns| Options {
        label,
        columns,
        ..Options::default()
    };
    let rows = |options: &Options| Rows::new("cars.csv", text.as_bytes(), options).expect("sound");
    let described = options(LabelColumn::Last, Some(kinds.clone()));
    let found = rows(&described);
    let names = strings(&["age", "paint=red", "paint=blue"]);
    assert_eq!(found.names(), Some(&names[..]));
    assert_eq!(
        (found.label_name(), found.columns()),
        (Some("sold"), Some(2))
    );
    let data = csv(text, described).expect("sound");
    assert_eq!(entries(&data, 0), [(0, 30.0), (1, 1.0), (2, 0.0)]);
    assert_eq!(entries(&data, 1), [(0, 7.0), (1, 0.0), (2, 1.0)]);
    let mut three = kinds;
    three.push(Column::Category {
        words: strings(&["yes"]),
    });
    let unlabelled = options(LabelColumn::Absent, Some(three));
    let found = rows(&unlabelled);
    assert_eq!((found.label_name(), found.columns()), (None, Some(3)));
    assert_eq!(
        found.names().map(|names| names[3].as_str()),
        Some("sold=yes")
    );
    let design = features(found, &unlabelled).expect("sound");
    assert_eq!((design.rows(), design.columns()), (2, 4));
    assert_eq!(design.row(1).last(), Some((3, 0.0)));
    let bare = Rows::new("a.csv", "1,2,0\n".as_bytes(), &Options::default()).expect("sound");
    assert_eq!(
        (bare.names(), bare.label_name(), bare.columns()),
        (None, None, Some(2))
    );
    let sparse = Rows::new("a.svm", "1 1:2\n".as_bytes(), &Options::default()).expect("sound");
    assert_eq!(
        (sparse.names(), sparse.label_name(), sparse.columns()),
        (None, None, None)
    );
    for text in ["", "?", "NA", "n/a", "NaN", "NULL"] {
        assert!(Column::is_missing(text), "{text}");
    }
    assert!(!Column::is_missing("0") && !Column::is_missing("none"));
}

#[test]
fn what_does_not_fit_the_options_is_refused() {
    let default = Options::default;
    let label = |label| Options { label, ..default() };
    let number = |count| Some(vec![Column::Number { missing: None }; count]);
    let columns = |columns| Options {
        columns,
        ..default()
    };
    let limited = |max_features| Options {
        max_features,
        ..default()
    };
    let header = |header| Options {
        header,
        ..default()
    };
    for (text, options, message) in [
        (
            "1,2,0\n",
            label(LabelColumn::Index(3)),
            "f:1: no column 3 (counted from 0) among 3",
        ),
        (
            "1,2,0\n",
            label(LabelColumn::Name("y".into())),
            "f:1: no column named `y` in the first line",
        ),
        (
            "1,2,0\n",
            columns(number(3)),
            "f:1: 2 columns beside the label, expected 3: one for each that is described",
        ),
        (
            "\n2,3,no,yes\n",
            limited(2),
            "f:2: the first line announces 3 features, more than 2, the number allowed",
        ),
        (
            "?,2,0\n",
            columns(number(2)),
            "f:1: column 0 (counted from 0) = `?` is not a number",
        ),
        (
            "1,2,0\n3,1e-999,1\n",
            default(),
            "f:2: column 1 (counted from 0) = `1e-999` is not 0, but nearer to 0 than to any other \
             double",
        ),
        (
            "a,b,y\n1,2,0\n",
            header(Header::No),
            "f:1: column 0 (counted from 0) = `a` is not a number",
        ),
    ] {
        assert_eq!(csv(text, options).expect_err(text), message);
    }
    // What is allowed reaches to the limit itself, and a header that is asked for may be of numbers.
    let two = csv("2,3,no,yes\n1,2,3,0\n4,5,6,1\n", limited(3)).expect("three of three");
    assert_eq!(two.classes(), Some(&strings(&["no", "yes"])[..]));
    let numbered = csv("1,2,3\n4,5,0\n6,7,1\n", header(Header::Yes)).expect("two records");
    assert_eq!(
        (numbered.records(), entries(&numbered, 0)[0]),
        (2, (0, 4.0))
    );
    // Without a header asked for, a line `n,p,class,class` is a record.
    let error = csv("2,3,no,yes\n1,2,3,0\n", header(Header::No)).expect_err("a word");
    assert_eq!(
        error,
        "f:1: column 2 (counted from 0) = `no` is not a number"
    );
    let found = read("f.svm", "1 1:1\n-1 4:1\n".as_bytes(), &limited(3)).map(|_| ());
    let error = found.expect_err("four").to_string();
    assert!(
        error.starts_with("f.svm:2: feature index 4 exceeds 3"),
        "{error}"
    );
    assert!(read("f.svm", "1 1:1\n-1 3:1\n".as_bytes(), &limited(3)).is_ok());
}

#[test]
fn classes_that_are_stated_are_at_least_two_and_the_only_ones() {
    let stated = |classes: &[&str]| Options {
        classes: Some(strings(classes)),
        ..Options::default()
    };
    let text = "1,b\n2,a\n";
    for classes in [&[][..], &["a"], &["a", "a"], &["1", "1.0"], &["a", ""]] {
        let joined = classes.join(",");
        let error = csv(text, stated(classes)).expect_err("none");
        let wanted = format!(
            "f: classes `{joined}` must be at least two names, none of them twice or empty"
        );
        assert_eq!(error, wanted);
    }
    let data = csv(text, stated(&["b", "a"])).expect("sound");
    assert_eq!(data.targets(), [-1.0, 1.0]);
    assert_eq!(data.classes(), Some(&strings(&["b", "a"])[..]));
    let error = csv("1,b\n2,c\n", stated(&["b", "a"])).expect_err("c");
    assert_eq!(error, "f:2: label `c` is none of the classes stated: b, a");
    // The first line names classes only if the labels are 0, 1, … and as many.
    let named = |labels: [&str; 2]| {
        let text = format!("2,1,no,yes\n1,{}\n2,{}\n", labels[0], labels[1]);
        let data = csv(&text, Options::default()).expect("sound");
        data.classes().map(<[String]>::to_vec)
    };
    assert_eq!(named(["1", "0"]), Some(strings(&["no", "yes"])));
    assert_eq!(named(["1", "2"]), Some(strings(&["1", "2"])));
    let text = "2,1,no,yes,other\n1,0\n2,1\n";
    let data = csv(text, Options::default()).expect("sound");
    assert_eq!(data.classes(), Some(&strings(&["0", "1"])[..]));
    // Words by their letters, behind numbers.
    let task = Task::Classes;
    let data = csv(
        "1,b\n2,a\n3,-2\n",
        Options {
            task,
            ..Options::default()
        },
    )
    .expect("sound");
    assert_eq!(data.targets(), [2.0, 1.0, 0.0]);
    for label in ["1e-999", "inf"] {
        assert!(
            csv(&format!("1,a\n2,{label}\n"), Options::default()).is_err(),
            "{label}"
        );
    }
}

/// Gives its bytes and then an error of this kind.
struct Breaks(&'static [u8], io::ErrorKind);

impl Read for Breaks {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.0.len().min(out.len()) {
            0 => Err(io::Error::new(self.1, "gone")),
            count => {
                out[..count].copy_from_slice(&self.0[..count]);
                self.0 = &self.0[count..];
                Ok(count)
            }
        }
    }
}

#[test]
fn what_cannot_be_read_is_said_with_its_line() {
    for (name, text) in [
        ("f.csv", &b"1,2,0\n1,\xff,1\n"[..]),
        ("f.svm", b"1 1:2\n1 1:\xff\n"),
    ] {
        let error = read(name, text, &Options::default())
            .map(|_| ())
            .expect_err("no text");
        assert_eq!(error.to_string(), format!("{name}:2: not UTF-8 text"));
    }
    let broken = |name: &str, text, kind| -> LoadError {
        let input = BufReader::new(Breaks(text, kind));
        let found = read(name, input, &Options::default());
        found.map(|_| ()).expect_err("it breaks")
    };
    let kind = io::ErrorKind::ConnectionReset;
    for (name, text) in [("f.csv", &b"1,2,0\n"[..]), ("f.svm", b"1 1:2\n")] {
        assert_eq!(
            broken(name, text, kind).to_string(),
            format!("{name}:2: cannot read: gone")
        );
    }
    assert_eq!(broken("f", b"", kind).to_string(), "f: cannot read: gone");
    // Only of what is packed does an early end say that it was cut.
    let kind = io::ErrorKind::UnexpectedEof;
    let plain = broken("f.csv", b"1,2,0\n", kind);
    assert!(matches!(plain.problem, LoadProblem::Read(_)), "{plain}");
    let kind = io::ErrorKind::InvalidInput;
    let plain = broken("f.csv", b"1,2,0\n", kind);
    assert!(matches!(plain.problem, LoadProblem::Read(_)), "{plain}");
}

#[test]
fn comments_marks_and_zeros_are_no_entries() {
    let text = "\u{feff}1 2:5 # 3:1\n\n# all of it\n-1 1:0 # nothing\n";
    let format = Format::Svmlight;
    let options = Options {
        format,
        ..Options::default()
    };
    let data = read("f", text.as_bytes(), &options).expect("sound");
    assert_eq!(
        (entries(&data, 0), entries(&data, 1)),
        (vec![(1, 5.0)], vec![])
    );
    let data = csv("0,2,1\n0.5,0,-1\n", Options::default()).expect("sound");
    let mut written = Vec::new();
    write_svmlight(&data, &mut written).expect("memory");
    assert_eq!(
        String::from_utf8(written).expect("text"),
        "1 2:2\n-1 1:0.5\n"
    );
    let folder = tempfile::tempdir().expect("room");
    let path = folder.path().join("two.csv");
    std::fs::write(&path, "0,2,1\n0.5,0,-1\n").expect("room");
    let found = Dataset::from_file(&path, &Options::default()).expect("sound");
    assert_eq!(
        (found.targets(), entries(&found, 1)),
        (data.targets(), entries(&data, 1))
    );
    assert_eq!(
        Rows::open(&path, &Options::default())
            .expect("sound")
            .count(),
        2
    );
}
