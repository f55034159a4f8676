//! What a fit warns of by itself: a δ that promises little, and values that were moved, also of a file that is not kept.

use crate::program::{json, refused, stdout};
use crate::records::{files, stored};
use serde_json::Value;

fn warnings(line: &str) -> Vec<String> {
    let found = json(&line.split(' ').collect::<Vec<_>>());
    let lists = [&found["warnings"], &found["confidential"]];
    let text = |warning: &Value| warning.as_str().expect("a text").to_owned();
    let all = lists.into_iter().filter_map(Value::as_array).flatten();
    all.map(text).collect()
}

/// Of 60 records: 1/n is 0.0167 and the default of δ 0.00028.
#[test]
fn every_fit_warns_of_a_delta_that_promises_little_and_of_no_other() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [classes, real] = files(folder.path());
    for start in [
        format!("fit gd --data {classes}"),
        format!("fit adassp --data {real} --stream"),
        format!("fit noisy-gd --data {classes} --length 5"),
    ] {
        let about = |delta: &str| -> Vec<String> {
            let all = warnings(&format!("{start}{delta}"));
            all.into_iter().filter(|w| w.contains("delta = ")).collect()
        };
        for (delta, words) in [
            (" --delta 0.5", "at least 1/n = 1.6"),
            (" --delta 0.0167", "at least 1/n = 1.6"),
            (" --delta 0.005", "is above 1e-3"),
        ] {
            let found = about(delta);
            assert!(
                found.len() == 1 && found[0].contains(words),
                "{start}{delta}: {found:?}"
            );
        }
        for fine in ["", " --delta 0.001", " --delta 1e-9"] {
            assert_eq!(about(fine), Vec::<String>::new(), "{start}{fine}");
        }
    }
}

/// The count of a file that is not kept is that of one that is.
#[test]
fn a_streamed_file_tells_how_much_of_it_was_moved() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [_, dense] = files(folder.path());
    let lines = (0..40).map(|i| format!("{} 1:{} 3:{}\n", i % 7, f64::from(i) / 10.0 - 1.0, i % 3));
    let sparse = stored(folder.path(), "sparse.svm", &lines.collect::<String>());
    for (file, rest, all) in [(&dense, "", 120), (&sparse, " --features 3", 120)] {
        for bound in ["0.1", "0.5", "100"] {
            let start = format!("fit adassp --data {file}{rest} --loss squared --bound {bound}");
            let cut = |more: &str| -> Vec<String> {
                let all = warnings(&format!("{start}{more}"));
                all.into_iter()
                    .filter(|w| w.contains("values of the features"))
                    .collect()
            };
            let (kept, streamed) = (cut(""), cut(" --stream"));
            assert_eq!(kept, streamed, "{file} {bound}");
            assert_eq!(streamed.is_empty(), bound == "100", "{streamed:?}");
            for warning in streamed {
                assert!(warning.contains(&format!("of {all} ")), "{warning}");
            }
        }
    }
}

/// The N of the paper, what is read of n records, is 0 for these: that is not what a user has.
#[test]
fn too_few_records_for_a_block_are_told_by_their_own_number() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (n, method, words) in [
        (3, "ambssgd", "number of records n = 3 must be at least 4"),
        (1, "ssgd", "number of records n = 1 must be at least 2"),
    ] {
        let rows: String = (0..n).map(|i| format!("{},{}.5\n", i, 2 * i)).collect();
        let file = stored(folder.path(), "few.csv", &rows);
        let why = refused(&["fit", method, "--data", &file, "--delta", "0.01"]);
        assert!(why.contains(words), "{why}");
    }
}

/// A model is made to be published; n and what was measured on records that have no guarantee are not.
#[test]
fn a_model_carries_no_number_that_was_read_off_the_records() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [_, real] = files(folder.path());
    let model = folder.path().join("model.json");
    let model = model.to_str().expect("a plain path");
    // With so much noise no model is better than a constant.
    let line = format!(
        "fit adassp --data {real} --test {real} --out {model} --delta 0.02 --epsilon 0.01 \
         --neighbours add-remove"
    );
    let words: Vec<&str> = line.split(' ').collect();
    let fitted = json(&words);
    let told = fitted["confidential"].to_string();
    let kept = std::fs::read_to_string(model).expect("written");
    for exact in [
        "kappa = ",
        "1/n = ",
        "records held out",
        "the number of records",
    ] {
        assert!(told.contains(exact), "{exact}: {told}");
        assert!(!kept.contains(exact), "{exact}: {kept}");
        assert!(!fitted["warnings"].to_string().contains(exact), "{exact}");
    }
    let text = stdout(&words).replace("\n  ", " ");
    assert!(
        text.contains("WARNING, for you alone: not private: no better"),
        "{text}"
    );
    // Under replace-one neighbours n is public.
    let fitted = json(&[&words[..words.len() - 1], &["replace-one"]].concat());
    let kept = std::fs::read_to_string(model).expect("written");
    assert!(fitted["warnings"].to_string().contains("kappa = ") && kept.contains("kappa = "));
    assert!(!kept.contains("held out"), "{kept}");
}

/// Noise is drawn in doubles, and sums are rounded: of that the guarantee says nothing.
#[test]
fn every_fit_says_that_its_last_digits_are_outside_of_the_guarantee() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [classes, real] = files(folder.path());
    let model = folder.path().join("model.json");
    let model = model.to_str().expect("a plain path");
    let limit = "the guarantee is of exact arithmetic";
    let kept = format!("fit gd --data {classes} --out {model}");
    for line in [
        kept.clone(),
        format!("fit adassp --data {real} --stream"),
        format!("fit decor --data {classes}"),
        format!("fit noisy-gd --data {classes} --length 5"),
    ] {
        let said = warnings(&line).iter().filter(|w| w.contains(limit)).count();
        assert_eq!(said, 1, "{line}");
        let text = stdout(&line.split(' ').collect::<Vec<_>>());
        assert!(text.contains(&format!("WARNING: {limit}")), "{text}");
    }
    assert!(
        std::fs::read_to_string(model)
            .expect("written")
            .contains(limit)
    );
}
