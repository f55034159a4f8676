//! A plan that parses is written and read back as itself.
#![no_main]
use dp_assay::audit::campaign::plan::Plan;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(plan) = Plan::parse(text) {
        let written = serde_json::to_string(&plan).expect("plain structures serialise");
        let read: Plan = serde_json::from_str(&written).expect("our own writing");
        assert_eq!(read, plan);
        assert!(plan.share() > 0.0);
    }
});
