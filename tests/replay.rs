//! Every committed fuzz input, replayed without a fuzzer.
//!
//! The fuzz targets themselves are compiled into this test: the test crate stands in for
//! `libfuzzer_sys`, and its `fuzz_target!` turns a target into a function of bytes.

extern crate self as libfuzzer_sys;

use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

#[path = "../spec/tests/common/parallel.rs"]
mod parallel;

type Replay = fn(&[u8]);

/// libFuzzer's macro as far as the targets use it, with its decoding of the bytes.
#[macro_export]
macro_rules! fuzz_target {
    (|$input:ident: $type:ty| $body:expr) => {
        pub fn replay(bytes: &[u8]) {
            let bytes = arbitrary::Unstructured::new(bytes);
            if let Ok($input) = <$type as arbitrary::Arbitrary<'_>>::arbitrary_take_rest(bytes) {
                $body
            }
        }
    };
}

macro_rules! targets {
    ($($name:ident: $file:literal),* $(,)?) => {
        $(
            #[path = $file]
            #[allow(unused_imports, unused_attributes, reason = "a target is a crate of its own when fuzzed")]
            mod $name;
        )*
        /// Name and function of every target.
        const TARGETS: &[(&str, Replay)] = &[$((stringify!($name), $name::replay)),*];
    };
}

targets! {
    account_batches_drt: "../fuzz/fuzz_targets/account_batches_drt.rs",
    account_gaussian_drt: "../fuzz/fuzz_targets/account_gaussian_drt.rs",
    account_pure_drt: "../fuzz/fuzz_targets/account_pure_drt.rs",
    account_subsampled_drt: "../fuzz/fuzz_targets/account_subsampled_drt.rs",
    ambssgd_drt: "../fuzz/fuzz_targets/ambssgd_drt.rs",
    campaign_plan_roundtrip: "../fuzz/fuzz_targets/campaign_plan_roundtrip.rs",
    campaign_store_pbt: "../fuzz/fuzz_targets/campaign_store_pbt.rs",
    decor_accountant_drt: "../fuzz/fuzz_targets/decor_accountant_drt.rs",
    decor_edge_list_roundtrip: "../fuzz/fuzz_targets/decor_edge_list_roundtrip.rs",
    event_tree_pbt: "../fuzz/fuzz_targets/event_tree_pbt.rs",
    external_pbt: "../fuzz/fuzz_targets/external_pbt.rs",
    filter_pbt: "../fuzz/fuzz_targets/filter_pbt.rs",
    kl_drt: "../fuzz/fuzz_targets/kl_drt.rs",
    parse_roundtrip: "../fuzz/fuzz_targets/parse_roundtrip.rs",
    skgd_drt: "../fuzz/fuzz_targets/skgd_drt.rs",
    tape_pbt: "../fuzz/fuzz_targets/tape_pbt.rs",
}

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz")
}

/// The entries of a folder in the order of their names; none if there is no such folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let sorted: BTreeSet<_> = entries
        .map(|entry| entry.expect("readable").path())
        .collect();
    sorted.into_iter().collect()
}

#[test]
fn every_target_is_replayed_and_every_folder_has_a_target() {
    let stem = |path: &PathBuf| {
        path.file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned()
    };
    let names: BTreeSet<_> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let files: BTreeSet<_> = entries(&fuzz().join("fuzz_targets"))
        .iter()
        .map(stem)
        .collect();
    assert_eq!(names, files);
    for folder in ["corpus", "regressions"] {
        for inputs in entries(&fuzz().join(folder)) {
            assert!(
                names.contains(&stem(&inputs)),
                "{} has no target",
                inputs.display()
            );
        }
    }
}

#[test]
fn committed_fuzz_inputs_pass() {
    let of = |(name, replay): &(&str, Replay)| {
        let inputs = ["corpus", "regressions"].map(|f| entries(&fuzz().join(f).join(name)));
        let replay = *replay;
        inputs
            .concat()
            .into_iter()
            .map(move |input| (input, replay))
    };
    let inputs: Vec<(PathBuf, Replay)> = TARGETS.iter().flat_map(of).collect();
    assert!(!inputs.is_empty());
    let failed = parallel::on_all_cores(&inputs, |(input, replay)| {
        let bytes = fs::read(input).expect("readable");
        let fails = catch_unwind(|| replay(&bytes)).is_err();
        fails.then(|| input.clone())
    });
    let failed: Vec<_> = failed.into_iter().flatten().collect();
    assert!(failed.is_empty(), "{failed:?}");
}
