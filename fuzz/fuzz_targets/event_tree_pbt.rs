//! Any text is an event tree or an error; a tree is written and read back as itself, and expands into
//! steps within the limits or says why not.
#![no_main]
use dp_assay::accounting::{Event, views};
use dp_assay::units::Neighbouring;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(event) = Event::from_json(text) else {
        return;
    };
    let written = serde_json::to_string(&event).expect("plain structures serialise");
    assert_eq!(Event::from_json(&written).expect("our own writing"), event);
    use Neighbouring::{AddRemove, ReplaceOne, User, ZeroOut};
    for relation in [AddRemove, ZeroOut, ReplaceOne, User] {
        match event.steps(relation) {
            Ok(branches) => {
                let steps: Vec<_> = branches.iter().flatten().collect();
                assert!(!branches.is_empty() && branches.len() <= 64 && steps.len() <= 4096);
                for step in steps {
                    assert!(step.count > 0);
                    // Parameters out of range are errors, not panics.
                    let _ = views::gaussian(step);
                    let _ = views::pairs(step, relation);
                    let _ = views::group(step, relation);
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});
