//! The stored certificates: what `spec/certificates` holds is what a fresh search finds.

use dp_assay_spec::claims;
use dp_assay_spec::prove::regenerate_all;

/// Searches every proof of every paper anew. With `DP_ASSAY_WRITE` set, writes the files instead.
#[test]
#[ignore = "searches all proofs from scratch; `check --full` does the same"]
fn stored_certificates_are_those_that_a_search_finds() {
    for (paper, name, text) in regenerate_all(&claims()) {
        if std::env::var_os("DP_ASSAY_WRITE").is_some() {
            let path = format!("{}/certificates/{name}", env!("CARGO_MANIFEST_DIR"));
            assert!(
                std::fs::write(&path, &text).is_ok(),
                "{path} cannot be written"
            );
        } else {
            assert_eq!(text, paper.certificates(), "{name}");
        }
    }
}
