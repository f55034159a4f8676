//! All claims with their verdicts: runs the checks and resolves what rests on what.

use crate::arith::Rational;
use crate::claim::{Check, Claim, Constant, Effort, Grounds, Mutation, Support, THEOREM, Verdict};
use crate::moved::written::Proof;
use crate::moved::{Theorem, failure, refutes, theorem};
use crate::prove::Picture;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A claim with its verdict.
#[derive(Clone)]
pub struct Entry {
    /// The claim.
    pub claim: Claim,
    /// Its verdict, capped by what it rests on.
    pub verdict: Verdict,
    /// The steps made in words: its own, and the lemmas that are themselves argued.
    pub by_hand: Vec<String>,
    /// The cited claims on which it rests, directly or through others; the cited lemmas of a theorem of the kernel.
    pub premises: Vec<&'static str>,
    /// The theorem of the kernel that is the claim, or its refutation, if it has moved.
    pub theorem: Option<Theorem>,
    /// The printed constants that its check asked for, in order of first use.
    pub constants: Vec<Constant>,
    /// Where the inequalities that its check decided hold or fail, in the order of the check.
    pub pictures: Vec<Picture>,
}

/// What a claim's check and its proof by the kernel leave: the verdict, the constants asked for, the inequalities decided, and the
/// theorem if it has moved.
struct Left {
    verdict: Verdict,
    constants: Vec<Constant>,
    pictures: Vec<Picture>,
    theorem: Option<Proof>,
}

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

/// One of the two things to do for a claim, with its place: they know nothing of each other.
enum Task {
    Prove(usize),
    Check(usize),
}

/// What came of it.
enum Done {
    Proved(&'static str, Option<Proof>),
    Checked(&'static str, Left),
}

/// Runs every check and every proof on all cores and resolves the verdicts; entries keep the order of `claims`.
/// `progress` is told after each how many claims' worth of them is done.
///
/// # Errors
/// [`BookError`] if ids repeat, are unknown or form a cycle.
pub fn book(
    claims: &[Claim],
    effort: Effort,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<Entry>, BookError> {
    let order = order(claims)?;
    let proofs = (0..claims.len()).map(Task::Prove);
    let tasks = Mutex::new(proofs.chain((0..claims.len()).map(Task::Check)));
    let finished = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let run = |worker: usize| {
        let mut done = Vec::new();
        // Half of the workers begin at the other end: neighbouring checks share tables, and would wait for one another.
        let next = || match (tasks.lock(), worker % 2) {
            (Ok(mut left), 0) => left.next(),
            (Ok(mut left), _) => left.next_back(),
            (Err(_), _) => None,
        };
        while let Some(task) = next() {
            done.push(match task {
                Task::Prove(i) => Done::Proved(claims[i].id, theorem(claims[i].id)),
                Task::Check(i) => Done::Checked(claims[i].id, checked(&claims[i], effort)),
            });
            progress(finished.fetch_add(1, Ordering::Relaxed).div_ceil(2));
        }
        done
    };
    let (mut left, mut proofs) = (BTreeMap::new(), Vec::new());
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|i| scope.spawn(move || run(i))).collect();
        for worker in workers {
            match worker.join() {
                Ok(done) => done.into_iter().for_each(|one| match one {
                    Done::Proved(id, proof) => proofs.push((id, proof)),
                    Done::Checked(id, found) => drop(left.insert(id, found)),
                }),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    for (id, proof) in proofs {
        if let Some(left) = left.get_mut(id) {
            left.theorem = proof;
        }
    }
    resolve(claims, &order, left)
}

/// What a claim's check leaves, still without a theorem.
fn checked(claim: &Claim, effort: Effort) -> Left {
    let check = Check::printed(effort);
    Left {
        verdict: (claim.check)(&check),
        constants: check.constants(),
        pictures: check.steps().iter().filter_map(Picture::of).collect(),
        theorem: None,
    }
}

/// Says of every claim what its check, its steps by hand and what it rests on allow, and checks the ids that verdicts
/// name.
fn resolve(
    claims: &[Claim],
    order: &[usize],
    mut left: BTreeMap<&'static str, Left>,
) -> Result<Vec<Entry>, BookError> {
    let mut done: BTreeMap<&'static str, Entry> = BTreeMap::new();
    for claim in order.iter().map(|&i| &claims[i]) {
        let left = left.remove(claim.id).unwrap_or_else(|| Left {
            verdict: Verdict::open("its check gave no verdict"),
            constants: Vec::new(),
            pictures: Vec::new(),
            theorem: None,
        });
        let supports: Vec<&Entry> = claim.rests_on.iter().map(|id| &done[id]).collect();
        let entry = Entry {
            claim: *claim,
            by_hand: by_hand(claim, &left.verdict, &supports),
            premises: premises(&supports),
            verdict: left.verdict,
            constants: left.constants,
            pictures: left.pictures,
            theorem: None,
        };
        let entry = Entry {
            verdict: weighed(&entry, &supports),
            ..entry
        };
        done.insert(claim.id, entry.in_kernel(left.theorem));
    }
    let entries: Vec<Entry> = claims.iter().filter_map(|c| done.remove(c.id)).collect();
    let ids: BTreeSet<_> = claims.iter().map(|c| c.id).collect();
    let unknown = |e: &Entry| {
        let names = e.verdict.repaired().filter(|id| !ids.contains(id))?;
        Some(BookError::Unknown {
            claim: e.claim.id,
            names: names.to_owned(),
        })
    };
    match entries.iter().find_map(unknown) {
        Some(error) => Err(error),
        None => Ok(entries),
    }
}

impl Entry {
    /// If the claim has moved and its check agrees or leaves it to the kernel, the theorem is the proof, or the refutation:
    /// remarks of the check and lemmas are of no more account. Steps that the claim itself lists are beyond the theorem, and
    /// stay. Without the theorem, or if the two disagree, the claim is open.
    fn in_kernel(mut self, theorem: Option<Proof>) -> Self {
        let theorem = match theorem {
            Some(Ok(theorem)) => theorem,
            Some(Err(why)) => {
                self.verdict = Verdict::open(format!("the kernel does not prove it: {why}"));
                return self;
            }
            None => return self,
        };
        if let (true, Some(found)) = (self.verdict.is_left_to_kernel(), failure(self.claim.id)) {
            self.verdict = Verdict::Refuted(found);
            self.premises = theorem.premises().iter().map(|p| p.name).collect();
            self.theorem = Some(theorem);
        } else if let (true, Verdict::Refuted(found)) = (refutes(self.claim.id), &mut self.verdict)
        {
            found.evidence = format!("{THEOREM}; {}", found.evidence);
            self.premises = theorem.premises().iter().map(|p| p.name).collect();
            self.theorem = Some(theorem);
        } else if let (false, Some(proof)) = (refutes(self.claim.id), self.grounds()) {
            let listed = self.claim.by_hand.iter();
            self.by_hand = listed.map(|&step| step.to_owned()).collect();
            self.verdict = match self.by_hand.is_empty() {
                true => Verdict::Proved(proof),
                false => Verdict::Argued(proof),
            };
            self.premises = theorem.premises().iter().map(|p| p.name).collect();
            self.theorem = Some(theorem);
        } else {
            let name = self.verdict.name();
            self.verdict = Verdict::open(format!("its check says {name}, the kernel otherwise"));
        }
        self
    }

    /// What is known of a theorem: what its check has decided besides, or its hypotheses alone.
    fn grounds(&self) -> Option<Grounds> {
        match &self.verdict {
            Verdict::Argued(proof) | Verdict::Proved(proof) => Some(Grounds {
                evidence: format!("{THEOREM}; {}", proof.evidence),
                ..proof.clone()
            }),
            left if left.is_left_to_kernel() => Some(theorem_on(self.claim.hypotheses)),
            _ => None,
        }
    }
}

fn theorem_on(hypotheses: &str) -> Grounds {
    Grounds {
        domain: hypotheses.to_owned(),
        slack: None,
        evidence: THEOREM.to_owned(),
        remarks: Vec::new(),
    }
}

/// What a claim's check says, or if that leaves it to the kernel, the kernel, whatever the claim rests on and lists by hand.
///
/// ```
/// use dp_assay_spec::book::alone;
/// use dp_assay_spec::claim::Effort;
///
/// let claims = dp_assay_spec::claims();
/// let said = |id| claims.iter().find(|c| c.id == id).map(|claim| alone(claim, Effort::Replay).name());
/// assert_eq!(said("skgd-lem-mixture"), Some("proved")); // by the kernel
/// assert_eq!(said("gcd-mech-lap"), Some("proved")); // by its check
/// ```
#[must_use]
pub fn alone(claim: &Claim, effort: Effort) -> Verdict {
    let verdict = (claim.check)(&Check::printed(effort));
    let left = verdict.is_left_to_kernel();
    match left.then(|| theorem(claim.id)).flatten() {
        Some(Ok(_)) => failure(claim.id).map_or_else(
            || Verdict::Proved(theorem_on(claim.hypotheses)),
            Verdict::Refuted,
        ),
        _ => verdict,
    }
}

/// The steps made in words: those that the claim lists, else every remark of its check; and each lemma that is argued.
fn by_hand(claim: &Claim, verdict: &Verdict, supports: &[&Entry]) -> Vec<String> {
    let mut steps: Vec<String> = claim.by_hand.iter().map(|&s| s.to_owned()).collect();
    if let (true, Some(proof)) = (steps.is_empty(), verdict.proof()) {
        steps.clone_from(&proof.remarks);
    }
    let argued = |e: &&&Entry| matches!(e.verdict, Verdict::Argued(_)) && !e.by_hand.is_empty();
    let lemmas = supports.iter().filter(argued);
    steps.extend(lemmas.map(|e| format!("uses {}, which is argued", e.claim.id)));
    steps
}

fn premises(supports: &[&Entry]) -> Vec<&'static str> {
    let mut found: BTreeSet<&'static str> = BTreeSet::new();
    for entry in supports {
        found.extend(&entry.premises);
        if matches!(entry.verdict, Verdict::Cited(_)) {
            found.insert(entry.claim.id);
        }
    }
    found.into_iter().collect()
}

/// What a check calls Proved is so only if nothing is made in words, and all that it rests on is proved too: with a step
/// by hand or a premise it is argued, on a lemma that does not hold it is at most supported. A definition or an algorithm
/// is well-posed.
fn weighed(entry: &Entry, supports: &[&Entry]) -> Verdict {
    let Verdict::Proved(proof) = &entry.verdict else {
        return entry.verdict.clone();
    };
    let proof = proof.clone();
    let weak = |e: &&&Entry| !e.verdict.holds() && !matches!(e.verdict, Verdict::Cited(_));
    if let Some(lemma) = supports.iter().find(weak) {
        let (id, name) = (lemma.claim.id, lemma.verdict.name());
        return Verdict::Supported(Support {
            false_alarm: None,
            trials: 0,
            evidence: format!("proved, were {id} proved ({name}): {}", proof.evidence),
        });
    }
    match (&entry.by_hand[..], &entry.premises[..]) {
        _ if entry.claim.kind.is_definition() => Verdict::WellPosed(proof),
        ([], []) => Verdict::Proved(proof),
        _ => Verdict::Argued(proof),
    }
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
pub struct Mutant {
    /// The change.
    pub mutation: Mutation,
    /// The verdict of the changed claim.
    pub verdict: Verdict,
}

/// Factors by which a constant is moved, nearest first.
const FACTORS: [(i64, u64); 11] = [
    (101, 100),
    (11, 10),
    (7, 5),
    (99, 50),
    (2, 1),
    (4, 1),
    (10, 1),
    (40, 1),
    (200, 1),
    (4_000, 1),
    (100_000, 1),
];

/// All mechanical mutants of a claim, nearest first, each with its verdict: every one of the constants that its check asks for
/// ([`Entry::constants`]) multiplied and divided by growing factors, plus and minus one, and with its sign changed. Lazy: stop
/// when one is Refuted.
pub fn mutants(claim: &Claim, constants: &[Constant]) -> impl Iterator<Item = Mutant> + use<> {
    let run = claim.check;
    mutations(constants).into_iter().map(move |mutation| {
        let verdict = run(&Check::mutated(mutation.clone()));
        Mutant { mutation, verdict }
    })
}

fn mutations(constants: &[Constant]) -> Vec<Mutation> {
    let mut all = Vec::new();
    let scaled = |(p, q): (i64, u64)| {
        let factor = Rational::from((p, q));
        constants.iter().flat_map(move |c| {
            [
                (c, Rational::from(&c.value * &factor)),
                (c, Rational::from(&c.value / &factor)),
            ]
        })
    };
    let (near, far) = FACTORS.split_at(5);
    all.extend(near.iter().copied().flat_map(&scaled));
    for c in constants {
        all.push((c, Rational::from(&c.value + 1)));
        all.push((c, Rational::from(&c.value - 1)));
        all.push((c, Rational::from(-&c.value)));
    }
    all.extend(far.iter().copied().flat_map(&scaled));
    all.into_iter()
        .filter(|(c, value)| *value != c.value && !value.is_zero())
        .map(|(c, value)| Mutation {
            name: c.name,
            value,
        })
        .collect()
}
