//! The kernel against the numbers: every rule and premise on random instances where its hypotheses hold, and beside
//! it a wrong twin, which the same instances must catch. A thousand instances in the gate, the first of a campaign
//! whose result is stored ([`campaign`]). Numbers are doubles: a rule is taken for wrong if its conclusion
//! fails by more than a 10⁻⁹ part of the sizes involved, and no twin is caught by less.

mod campaign;
mod charged;
mod choices;
mod classes;
mod conclusions;
mod draws;
mod equivalents;
mod forms;
mod functions;
mod growth;
mod inductions;
mod items;
mod laws;
mod limits;
mod messages;
mod misuse;
mod moments;
mod names;
mod noise;
mod normals;
mod pairs;
mod privacy;
mod refusals;
mod released;
mod render;
mod rules;
mod scopes;
mod selections;
mod signs;
mod sorts;
mod stops;
mod terms;
mod traces;
mod unread;
mod world;

use world::Random;

/// One random instance: by how much the rule's conclusion holds, and its twin's, each in units of its size.
pub struct Instance {
    /// ≥ 0 if the conclusion holds.
    pub rule: f64,
    /// < 0 if the twin's conclusion fails.
    pub twin: f64,
}

/// A rule or premise by name, and its falsifier.
pub type Falsifier = (&'static str, fn(&mut Random) -> Instance);

/// The falsifiers of every rule and premise, and a test of those of each file: one of all would be long for a campaign of
/// mutants.
macro_rules! falsifiers {
    ($($file:ident)*) => {
        fn falsifiers() -> Vec<Falsifier> {
            [$(&$file::FALSIFIERS[..]),*].concat()
        }

        mod rules_hold_on_random_instances_and_their_twins_do_not {
            $(#[test]
            fn $file() {
                for falsifier in &crate::$file::FALSIFIERS {
                    crate::campaign::holds(falsifier);
                }
            })*
        }
    };
}
falsifiers!(rules terms functions privacy selections laws unread messages released draws pairs limits choices inductions moments noise);

/// The rules of traces, and the premises, all have a falsifier.
#[test]
fn nothing_is_without_a_falsifier() {
    let names: Vec<&str> = falsifiers().iter().map(|(name, _)| *name).collect();
    let source = [
        include_str!("../../src/rules/real.rs"),
        include_str!("../../src/rules/function.rs"),
        include_str!("../../src/rules/expectation.rs"),
        include_str!("../../src/rules/privacy.rs"),
        include_str!("../../src/rules/compose.rs"),
        include_str!("../../src/rules/logic.rs"),
        include_str!("../../src/rules/correlated.rs"),
        include_str!("../../src/rules/events.rs"),
    ]
    .concat();
    let called = source.split("Theorem::conclude(").skip(1);
    let rule = |call: &str| call.split('"').nth(1).map(str::to_owned);
    let mut wanted: Vec<String> = called.filter_map(rule).collect();
    wanted.extend(dp_assay_kernel::premise::ALL.map(|p| p.name.to_owned()));
    // What is not a lemma: a hypothesis is itself, several goals are each of them, and a premise has a falsifier of its own.
    wanted.retain(|name| !["assume", "both", "cite"].contains(&name.as_str()));
    for name in &wanted {
        assert!(names.contains(&name.as_str()), "{name} has no falsifier");
    }
    assert_eq!(wanted.len(), 62, "rules were not found, or new: {wanted:?}");
    // What the design allows, and what there is: a new premise is an edit of this line.
    assert_eq!(dp_assay_kernel::premise::ALL.len(), 2);
    assert!(dp_assay_kernel::premise::ALL.len() <= 25 && wanted.len() + 3 <= 75);
}
