//! Of the witness of a corrected theorem on utility it is told what the kernel proves of it, from goals of a theorem that supposes
//! nothing of the loss.

use crate::headlines::{self, by_kernel, corrected, entry};
use dp_assay_kernel::statement::{Goal, Item, Statement};
use dp_assay_spec::findings::witnessed::{WITNESSED, Witnessed};
use std::collections::BTreeSet;

/// Corrected theorems on utility that suppose nothing of a loss.
const NO_LOSS: [&str; 2] = [
    "ambssgd-thm-3.2-corrected-normal",
    "ambssgd-thm-3.7-corrected-normal-run",
];

/// What the claims on witnesses suppose: of records, of numbers that anyone may choose, and of the points that are spoken of. Nothing
/// of the loss.
const SUPPOSED: [&str; 12] = [
    "for every index i′<n: ‖a_i′‖ ≤ 1",
    "for every index k<n: ‖e_k‖ ≤ 1",
    "for every vector x ∈ ℝ^d: f(w⋆) ≤ f(x)",
    "λ·R² = 2",
    "λ·R² = 2·d·(1/4 + λ)·G",
    "2·λ·γ² = 1",
    "‖x‖ ≤ R",
    "‖y‖ ≤ R",
    "f(w) ≤ 1",
    "f(x) + Σ_{j<d} g(x, j)·(y_j − x_j) + ((1/4 + λ)/2)·(Σ_{j<d} (y_j − x_j)²) ≤ 1",
    "f(x) − f(y) ≤ log(2)",
    "γ·‖⟨g(x, j) : j<d⟩‖ ≤ t",
];

/// The hypotheses of a statement and of its goals, in words.
fn supposed(statement: &Statement) -> BTreeSet<String> {
    fn inside(goal: &Goal, found: &mut BTreeSet<String>) {
        match goal {
            Goal::Both(goals) => goals.iter().for_each(|goal| inside(goal, found)),
            Goal::Every(_, _, goal) => inside(goal, found),
            Goal::If(given, goal) => {
                found.insert(given.to_string());
                inside(goal, found);
            }
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    for item in statement.context.items() {
        if let Item::Assume(given) = item {
            found.insert(given.to_string());
        }
    }
    inside(&statement.goal, &mut found);
    found
}

#[test]
fn what_is_proved_of_a_witness_supposes_nothing_of_its_loss() {
    let claims: BTreeSet<_> = WITNESSED.iter().filter_map(|entry| entry.claim).collect();
    let of_claim = |id: &&str| {
        let theorem = entry(id).theorem.as_ref().expect("by the kernel");
        supposed(theorem.statement())
    };
    let found: BTreeSet<String> = claims.iter().flat_map(of_claim).collect();
    assert_eq!(found, SUPPOSED.map(str::to_owned).into());
}

/// By claim on a witness and hypothesis that is said to be met, each goal of the claim that meets it; without a hypothesis, what
/// no corrected theorem asks for.
fn met() -> impl Iterator<Item = [&'static str; 3]> {
    let lines = include_str!("../data/witnessed.tsv").lines().skip(1);
    lines.map(|line| {
        let fields: Vec<_> = line.split('\t').collect();
        fields.try_into().expect("three columns")
    })
}

#[test]
fn what_a_witness_meets_are_goals_of_its_theorem() {
    let said: BTreeSet<(&str, &str)> = { WITNESSED.iter() }
        .filter_map(|entry| Some((entry.claim?, entry.meets)))
        .flat_map(|(claim, meets)| meets.iter().map(move |words| (claim, *words)))
        .collect();
    let listed = met().filter(|[_, words, _]| !words.is_empty());
    let listed: BTreeSet<_> = listed.map(|[claim, words, _]| (claim, words)).collect();
    assert_eq!(said, listed);
    for claim in said.iter().map(|(claim, _)| *claim) {
        let theorem = entry(claim).theorem.as_ref().expect("by the kernel");
        let Goal::Both(goals) = &theorem.statement().goal else {
            panic!("{claim}: one goal")
        };
        let proved: BTreeSet<String> = goals.iter().map(Goal::to_string).collect();
        let own = met().filter(|[id, ..]| *id == claim);
        let named = own.map(|[_, _, goal]| goal.to_owned()).collect();
        assert_eq!(proved, named, "{claim}");
    }
}

/// Why what is said of the witness of a corrected theorem on utility is not enough.
fn unwitnessed(entry: &Witnessed, by_kernel: &dyn Fn(&str) -> bool) -> Option<&'static str> {
    if entry.left.iter().any(|left| left.why.len() < 20) {
        return Some("something is left without a reason");
    }
    let Some(claim) = entry.claim else {
        let closed = NO_LOSS.contains(&entry.utility) && entry.meets.is_empty();
        return (!closed || entry.left.is_empty()).then_some("it names no claim on its witness");
    };
    match () {
        () if !by_kernel(claim) => Some("the kernel does not prove what is said of its witness"),
        () if entry.meets.is_empty() => Some("its witness meets no hypothesis"),
        () if NO_LOSS.contains(&entry.utility) => Some("it has a witness after all"),
        () => None,
    }
}

#[test]
fn the_witness_of_a_corrected_theorem_on_utility_is_one_in_the_kernel() {
    let utilities: BTreeSet<_> = { corrected() }
        .filter_map(|(_, c)| c.run.utility())
        .collect();
    let listed: BTreeSet<_> = WITNESSED.iter().map(|entry| entry.utility).collect();
    assert_eq!(listed, utilities);
    assert_eq!(listed.len(), WITNESSED.len(), "a theorem is listed twice");
    for entry in WITNESSED {
        let utility = entry.utility;
        assert!(by_kernel(utility), "{utility}");
        assert_eq!(unwitnessed(entry, &by_kernel), None, "{utility}");
        let own = |id: &str| headlines::entry(id).claim.paper();
        assert!(
            entry.claim.is_none_or(|id| own(id) == own(utility)),
            "{utility}"
        );
    }
}

#[test]
fn a_witness_of_which_nothing_is_proved_is_noticed() {
    let (all, nothing) = (|_: &str| true, |_: &str| false);
    let entry = Witnessed {
        utility: "x",
        claim: Some("y"),
        meets: &["z"],
        left: &[],
    };
    assert_eq!(unwitnessed(&entry, &all), None);
    assert!(unwitnessed(&entry, &nothing).is_some());
    for silent in [
        Witnessed {
            claim: None,
            ..entry
        },
        Witnessed {
            meets: &[],
            ..entry
        },
        Witnessed {
            utility: NO_LOSS[0],
            ..entry
        },
    ] {
        assert!(unwitnessed(&silent, &all).is_some());
    }
}
