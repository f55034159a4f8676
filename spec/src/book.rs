//! All claims with their verdicts: runs the checks and resolves what rests on what.

use crate::arith::Rational;
use crate::claim::{Check, Claim, Constant, Effort, Support, Twist, Verdict};
use crate::prove::Picture;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A claim with its verdict.
#[derive(Clone)]
pub struct Entry {
    /// The claim.
    pub claim: Claim,
    /// Its verdict, capped where what it rests on is not proved.
    pub verdict: Verdict,
    /// Where the inequalities that its check decided hold or fail, in the order of the check.
    pub pictures: Vec<Picture>,
}

/// What a check leaves: its verdict, and the inequalities that it decided.
type Left = (Verdict, Vec<Picture>);

/// Why a set of claims is no book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookError {
    /// Two claims have the same id.
    Duplicate(&'static str),
    /// A claim names an id that no claim has.
    Unknown {
        /// The claim.
        claim: &'static str,
        /// The id it names.
        names: String,
    },
    /// A claim rests on itself.
    Cycle(&'static str),
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate(id) => write!(f, "claim id `{id}` occurs twice"),
            Self::Unknown { claim, names } => {
                write!(f, "claim `{claim}` names the unknown claim `{names}`")
            }
            Self::Cycle(id) => write!(f, "claim `{id}` rests on itself"),
        }
    }
}

impl std::error::Error for BookError {}

/// Runs every check on all cores and resolves the verdicts; entries keep the order of `claims`.
/// `progress` is told after each check how many are done.
///
/// # Errors
/// [`BookError`] if ids repeat, are unknown or form a cycle.
pub fn book(
    claims: &[Claim],
    effort: Effort,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<Entry>, BookError> {
    let order = order(claims)?;
    let next = AtomicUsize::new(0);
    let finished = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let run = || {
        let mut done = Vec::new();
        while let Some(claim) = claims.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.push((claim.id, checked(claim, effort)));
            progress(finished.fetch_add(1, Ordering::Relaxed) + 1);
        }
        done
    };
    let mut left = BTreeMap::new();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        for worker in workers {
            match worker.join() {
                Ok(done) => left.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    resolve(claims, &order, left)
}

fn checked(claim: &Claim, effort: Effort) -> Left {
    let check = Check::printed(effort);
    let verdict = (claim.check)(&check);
    let pictures = check.steps().iter().filter_map(Picture::of).collect();
    (verdict, pictures)
}

/// Caps Proved to Supported where something that the claim rests on is not itself Proved, and checks
/// the ids that verdicts name.
fn resolve(
    claims: &[Claim],
    order: &[usize],
    mut left: BTreeMap<&'static str, Left>,
) -> Result<Vec<Entry>, BookError> {
    let ids: BTreeSet<_> = claims.iter().map(|c| c.id).collect();
    for claim in order.iter().map(|&i| &claims[i]) {
        let weak = claim.rests_on.iter().find_map(|id| {
            let (verdict, _) = left.get(id)?;
            (verdict.name() != "proved").then(|| (*id, verdict.name()))
        });
        let own = left.get_mut(claim.id);
        if let (Some((id, name)), Some((verdict, _))) = (weak, own)
            && let Verdict::Proved(proof) = verdict
        {
            *verdict = Verdict::Supported(Support {
                false_alarm: None,
                trials: 0,
                evidence: format!("proved, were {id} proved ({name}): {}", proof.evidence),
            });
        }
    }
    claims
        .iter()
        .map(|claim| {
            let (verdict, pictures) = left
                .remove(claim.id)
                .unwrap_or_else(|| (Verdict::open("its check gave no verdict"), Vec::new()));
            if let Verdict::Refuted(refutation) = &verdict
                && let Some(names) = &refutation.repaired
                && !ids.contains(names.as_str())
            {
                let names = names.clone();
                return Err(BookError::Unknown {
                    claim: claim.id,
                    names,
                });
            }
            Ok(Entry {
                claim: *claim,
                verdict,
                pictures,
            })
        })
        .collect()
}

/// Positions of the claims such that each comes after what it rests on.
fn order(claims: &[Claim]) -> Result<Vec<usize>, BookError> {
    let mut index = BTreeMap::new();
    for (i, claim) in claims.iter().enumerate() {
        if index.insert(claim.id, i).is_some() {
            return Err(BookError::Duplicate(claim.id));
        }
    }
    let mut order = Vec::new();
    let mut state = vec![Mark::New; claims.len()];
    for i in 0..claims.len() {
        visit(i, claims, &index, &mut state, &mut order)?;
    }
    Ok(order)
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Active,
    Done,
}

fn visit(
    i: usize,
    claims: &[Claim],
    index: &BTreeMap<&'static str, usize>,
    state: &mut [Mark],
    order: &mut Vec<usize>,
) -> Result<(), BookError> {
    match state[i] {
        Mark::Done => return Ok(()),
        Mark::Active => return Err(BookError::Cycle(claims[i].id)),
        Mark::New => state[i] = Mark::Active,
    }
    for names in claims[i].rests_on {
        let &j = index.get(names).ok_or_else(|| BookError::Unknown {
            claim: claims[i].id,
            names: (*names).to_owned(),
        })?;
        visit(j, claims, index, state, order)?;
    }
    state[i] = Mark::Done;
    order.push(i);
    Ok(())
}

/// A claim with one constant changed, and what its check says then.
#[derive(Clone, Debug)]
pub struct Neighbour {
    /// The change.
    pub twist: Twist,
    /// The verdict of the changed claim.
    pub verdict: Verdict,
}

/// All mechanical neighbours of a claim, nearest first, each with its verdict: every constant
/// multiplied and divided by factors up to twice the measured slack, by 2, plus and minus one, and
/// with its sign changed. Lazy: stop when one is Refuted.
pub fn false_neighbours(claim: &Claim) -> impl Iterator<Item = Neighbour> + use<> {
    let check = Check::printed(Effort::Replay);
    let slack = match (claim.check)(&check) {
        Verdict::Proved(proof) => proof.slack.unwrap_or(1.0),
        _ => 1.0,
    };
    let run = claim.check;
    twists(&check.constants(), slack)
        .into_iter()
        .map(move |twist| {
            let verdict = run(&Check::twisted(twist.clone()));
            Neighbour { twist, verdict }
        })
}

fn twists(constants: &[Constant], slack: f64) -> Vec<Twist> {
    // Percent of the printed constant; the last within a factor 2 of the slack.
    let percent =
        [1.01, 1.1, 1.4, 1.98].map(|f| Rational::from(((slack * f * 1000.0) as i64, 1000)));
    let mut all = Vec::new();
    let factors = percent
        .iter()
        .chain([&Rational::from(2)])
        .cloned()
        .collect::<Vec<_>>();
    for factor in &factors {
        for c in constants {
            all.push((c, Rational::from(&c.value * factor)));
            all.push((c, Rational::from(&c.value / factor)));
        }
    }
    for c in constants {
        all.push((c, Rational::from(&c.value + 1)));
        all.push((c, Rational::from(&c.value - 1)));
        all.push((c, Rational::from(-&c.value)));
    }
    all.into_iter()
        .filter(|(c, value)| *value != c.value && !value.is_zero())
        .map(|(c, value)| Twist {
            name: c.name,
            value,
        })
        .collect()
}
