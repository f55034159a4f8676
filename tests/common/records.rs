//! Files for the program.

use std::path::Path;

/// A file with this text, as an argument.
pub fn stored(folder: &Path, name: &str, text: &str) -> String {
    let file = folder.join(name);
    std::fs::write(&file, text).expect("a temporary file");
    file.to_str().expect("a plain path").to_owned()
}

/// 60 records of two features in two classes, and the same with real targets.
pub fn files(folder: &Path) -> [String; 2] {
    let row = |i: u32, real: bool| {
        let (a, b) = (
            f64::from(i * 7 % 11) / 5.0 - 1.0,
            f64::from(i % 4) / 2.0 - 0.75,
        );
        match real {
            true => format!("{a},{b},{}\n", 0.5 * a - b),
            false => format!("{a},{b},{}\n", if a + b > 0.0 { "yes" } else { "no" }),
        }
    };
    ["classes.csv", "real.csv"].map(|name| {
        let rows: String = (0..60).map(|i| row(i, name == "real.csv")).collect();
        stored(folder, name, &rows)
    })
}
