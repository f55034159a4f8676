//! Writes the stored certificates of the papers named on the command line (all if none is) anew.

use dp_assay_spec::claim::Paper;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let named: Vec<Paper> = std::env::args()
        .skip(1)
        .map(|s| s.parse())
        .collect::<Result<_, _>>()?;
    let papers = if named.is_empty() {
        Paper::ALL.to_vec()
    } else {
        named
    };
    for paper in papers {
        let text = dp_assay_spec::prove::regenerate(&dp_assay_spec::claims(), paper);
        let path = format!("{}/certificates/{paper}.txt", env!("CARGO_MANIFEST_DIR"));
        println!("{paper}: {} bytes", text.len());
        std::fs::write(path, text)?;
    }
    Ok(())
}
