//! Opening any file as a store, or any rows in one, ends in a result or an error.
#![no_main]
use dp_assay::audit::campaign::plan::Plan;
use dp_assay::audit::campaign::{status, store::Store};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join("store");
    std::fs::write(&path, file).expect("room for a small file");
    if let Ok((store, plan)) = Store::view(&path) {
        let _ = status(&plan, &store);
        let _ = store.chunks::<Vec<[u64; 4]>>(0);
    }
    let plan = Plan::parse(include_str!("../corpus/campaign_plan_roundtrip/seed.toml"));
    let _ = Store::open(&path, &plan.expect("the seed is a plan"));
});
