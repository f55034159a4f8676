//! Any bytes load as a data set or give an error; what loads is written and read back as itself.
//!
//! Found: a first line that announces 2·10¹¹ features took memory for them all.
#![no_main]
use dp_assay::problem::load::{Format, Options, Task, read, write_svmlight};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &[u8])| {
    let (flags, text) = input;
    let mut options = Options {
        format: [Format::Auto, Format::Svmlight, Format::Csv][usize::from(flags >> 1) % 3],
        task: [Task::Classification, Task::Regression][usize::from(flags & 1)],
        max_features: 5000,
        ..Options::default()
    };
    match read("input", text, &options) {
        Err(error) => assert!(error.to_string().starts_with("input")),
        Ok(data) => {
            let mut written = Vec::new();
            write_svmlight(&data, &mut written).expect("memory does not fail");
            (options.format, options.features) = (Format::Svmlight, Some(data.features()));
            let again = read("written", &written[..], &options).expect("our own writing");
            assert_eq!(again.targets(), data.targets());
            for i in 0..data.records() {
                let row = |d: &dp_assay::problem::Dataset| {
                    d.design().row(i).filter(|e| e.1 != 0.0).collect::<Vec<_>>()
                };
                assert_eq!(row(&again), row(&data));
            }
        }
    }
});
