//! madelon and california from their files.

use super::synthetic;
use crate::experiment::Input;
use crate::experiment::data::{DataError, KnownFile, Shelf, bad};
use crate::problem::load::{LabelColumn, Options, Task};
use crate::problem::{Dataset, Dense, Design};
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{BufRead, BufReader};

/// The eight usual columns from the nine raw ones; targets in units of 100,000.
pub(in crate::experiment) fn california(
    toy: bool,
    shelf: &Shelf,
    seed: u64,
) -> Result<(Dataset, Input), DataError> {
    let Some(file) = shelf.find("cal_housing.csv.gz")?.filter(|_| !toy) else {
        return synthetic::california(toy, seed);
    };
    let options = Options {
        task: Task::Regression,
        label: LabelColumn::Name("median_house_value".to_owned()),
        features: Some(8),
        ..Options::default()
    };
    let raw = Dataset::from_file(&file.path, &options)?;
    let derive = |i: usize| {
        let mut raw_row = [0.0; 8];
        raw.design().row(i).for_each(|(j, x)| raw_row[j] = x);
        let [
            longitude,
            latitude,
            age,
            rooms,
            bedrooms,
            people,
            households,
            income,
        ] = raw_row;
        [
            income,
            age,
            rooms / households,
            bedrooms / households,
            people,
            people / households,
            latitude,
            longitude,
        ]
    };
    let rows: Vec<[f64; 8]> = (0..raw.records()).map(derive).collect();
    let design = Dense::from_rows(&rows).map_err(|e| bad("california", 0, &e))?;
    let targets = raw.targets().iter().map(|y| y / 1e5).collect();
    let data = Dataset::new("california", Design::from(design), targets)
        .map_err(|e| bad("california", 0, &e))?;
    Ok((data, Input::files("california", &[&file])))
}

/// Training and validation part together: 2,600 × 500.
pub(in crate::experiment) fn madelon(
    toy: bool,
    shelf: &Shelf,
    seed: u64,
) -> Result<(Dataset, Input), DataError> {
    let find = |name: &str| shelf.find(name);
    let parts = [
        find("madelon_train.data.gz")?,
        find("madelon_train.labels")?,
        find("madelon_valid.data.gz")?,
        find("madelon_valid.labels")?,
    ];
    let [
        Some(train),
        Some(train_labels),
        Some(valid),
        Some(valid_labels),
    ] = parts
    else {
        return synthetic::madelon(toy, seed);
    };
    if toy {
        return synthetic::madelon(toy, seed);
    }
    let mut rows = numbers(&train)?;
    rows.extend(numbers(&valid)?);
    let mut targets = numbers(&train_labels)?.concat();
    targets.extend(numbers(&valid_labels)?.concat());
    let design = Dense::from_rows(&rows).map_err(|e| bad("madelon", 0, &e))?;
    let data = Dataset::new("madelon", Design::from(design), targets)
        .map_err(|e| bad("madelon", 0, &e))?;
    let files = [&train, &train_labels, &valid, &valid_labels];
    Ok((data, Input::files("madelon", &files)))
}

/// Lines of numbers between blanks, gzipped or not.
pub(in crate::experiment) fn numbers(known: &KnownFile) -> Result<Vec<Vec<f64>>, DataError> {
    let read = |error| DataError::Read {
        file: known.path.clone(),
        error,
    };
    let file = BufReader::new(File::open(&known.path).map_err(read)?);
    let input: Box<dyn BufRead> = match known.path.extension() {
        Some(end) if end == "gz" => Box::new(BufReader::new(MultiGzDecoder::new(file))),
        _ => Box::new(file),
    };
    let mut rows = Vec::new();
    for (line, text) in input.lines().enumerate() {
        let text = text.map_err(read)?;
        let row: Result<Vec<f64>, _> = text.split_whitespace().map(str::parse).collect();
        rows.push(row.map_err(|e| bad(&known.path.display().to_string(), line + 1, &e))?);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that is changed after its checksum was taken; no other input comes this far.
    #[test]
    fn a_line_that_is_no_number_is_named() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("madelon_train.labels");
        std::fs::write(&path, "1\n-1\nmaybe\n").expect("a temporary file");
        let file = KnownFile { path, sha256: "" };
        let error = numbers(&file).expect_err("the third line is no number");
        let expected = format!("{}, line 3: invalid float literal", file.path.display());
        assert_eq!(error.to_string(), expected);
    }
}
