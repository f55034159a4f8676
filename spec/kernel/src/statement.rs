//! Statements: a context of variables, hypotheses and definitions, and what holds in it.

use crate::Stuck;
use crate::term::{Binder, Name, Op, Term, bind, op};
use std::sync::Arc;

/// What is known of a number's sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// Nothing.
    Any,
    /// ≥ 0.
    NonNegative,
    /// > 0.
    Positive,
}

/// What a variable ranges over. Functions are measurable in the vectors that they take, and so are the chosen vectors of
/// [`Lipschitz::Whole`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Integers ≥ 1.
    Count,
    /// Integers ≥ 0 below a bound.
    Index(Term),
    /// Real numbers of a sign.
    Real(Sign),
    /// Vectors of a dimension, all entries of a sign.
    Vector(Term, Sign),
    /// Endless sequences of vectors of a dimension.
    Sequence(Term),
    /// Losses ℓ(w; d) on the space of a dimension that are Lipschitz in w for every record d, in a sense, with the
    /// named constants L.
    Loss(Term, Lipschitz, Name),
    /// Convex functions on the space of a dimension, differentiable, with
    /// f(y) ≤ f(x) + ⟨∇f(x), y − x⟩ + ½‖y − x‖²_M for the named vector M of positive numbers.
    Function(Term, Name),
    /// The same, and for every data set D of n records the function (1/n)·Σ_{z∈D} ℓ(x; z) + r(x).
    Risk(Term, Name, Mean),
    /// Data sets of a number of records, and which of them are neighbours.
    Dataset(Term, Relation),
    /// A vector of a dimension for every record.
    Feature(Term),
    /// A number for every record.
    Label,
    /// Vectors of the second dimension for every record and vector of the first.
    Field(Term, Term),
    /// Functions of vectors of some dimensions with values in the space of another, that read no data.
    Map(Vec<Term>, Term),
    /// Mechanisms that take a vector of a dimension and the named data set, release a vector of that dimension, and
    /// are private in a sense for every vector, which the sense may call [`INPUT`].
    Mechanism(Term, Name, Notion),
    /// Records.
    Record,
    /// Pairs of laws.
    Pair,
    /// Laws of a random subset of the indices below a bound, in which every index has positive probability.
    SetLaw(Term),
    /// Subsets of the indices below a bound.
    Set(Term),
    /// Sets that the named law draws with positive probability.
    Outcome(Name),
    /// Functions of subsets of the indices below a bound, with values of a sign.
    SetFunction(Term, Sign),
}

/// What the sense in which a mechanism is private calls the vector that it takes.
pub const INPUT: &str = "input";

/// Between which data sets a mechanism may not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// One record is replaced.
    ReplaceOne,
    /// One record is left out of all sums; the number n by which they are divided is the same.
    ZeroOut,
}

/// What makes a function of the data: a mean over the records, and what reads no data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mean {
    /// The data set D.
    pub data: Name,
    /// The loss ℓ, differentiable.
    pub loss: Name,
    /// The function r, of a class of its own.
    pub rest: Name,
}

/// In which sense a loss is Lipschitz.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lipschitz {
    /// Differentiable, and |ℓ(w + t·eⱼ; d) − ℓ(w; d)| ≤ Lⱼ·|t|, L a vector of positive numbers.
    Entries,
    /// Differentiable, and |ℓ(w + v; d) − ℓ(w; d)| ≤ L_U·‖v‖ if v is 0 off a set U that the named law draws with
    /// positive probability, L a positive number for every set.
    Sets(Name),
    /// |ℓ(w + v; d) − ℓ(w; d)| ≤ L·‖v‖, L a positive number. Where there is no gradient, the partial derivatives are
    /// those of a chosen vector of norm at most L.
    Whole,
}

/// One line of a process. What `Select` and `Release` name is released.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `name` is the first index k below `over` with the largest |query(k) + Laplace(scale(k))|/divisor(k), or with the
    /// largest query(k) + Laplace(scale(k)) if there is no divisor.
    Select {
        /// The chosen index.
        name: Name,
        /// The bound variable k.
        index: Name,
        /// How many candidates there are.
        over: Term,
        /// The query, a number for every k.
        query: Term,
        /// The scale of the Laplace noise, for every k.
        scale: Term,
        /// What the modulus is divided by, for every k.
        divisor: Option<Term>,
    },
    /// `name` is a query plus noise.
    Release {
        /// The released number or vector.
        name: Name,
        /// The query.
        query: Term,
        /// The law of the noise, drawn afresh.
        law: Term,
    },
    /// `name` is what a mechanism releases for an input.
    Call {
        /// What is released.
        name: Name,
        /// The mechanism, applied to a vector.
        of: Term,
    },
    /// `name` is drawn from a law, independently of all before given what the law mentions.
    Draw {
        /// What is drawn.
        name: Name,
        /// Its law.
        law: Term,
    },
    /// The state of that name becomes this vector.
    Set(Name, Term),
    /// The loop around it ends if the sum of the charges of its rounds so far, with this one, exceeds the limit.
    Stop {
        /// The charge of a round.
        charge: Term,
        /// The limit.
        limit: Term,
    },
    /// The body runs for every index below a bound, in order. What it names may be used in it only.
    Repeat {
        /// The index.
        index: Name,
        /// How often.
        times: Term,
        /// The commands.
        body: Vec<Command>,
    },
}

/// A vector that commands change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Its name.
    pub name: Name,
    /// Its dimension.
    pub dimension: Term,
    /// Its first value.
    pub start: Term,
}

/// States, and the commands that change them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// The states.
    pub states: Vec<State>,
    /// The body.
    pub body: Vec<Command>,
}

/// One item of a context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A variable.
    Var(Name, Sort),
    /// A hypothesis.
    Assume(Goal),
    /// A definition with typed parameters. It adds nothing: it can be unfolded everywhere.
    Define(Name, Vec<(Name, Sort)>, Term),
    /// A named process.
    Process(Name, Process),
}

/// In which sense a mechanism is private.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notion {
    /// ε-differential privacy.
    Pure(Term),
    /// ρ-zero-concentrated differential privacy: Rényi divergence at most ρα at every order α > 1.
    Zcdp(Term),
    /// (α, ε)-Rényi differential privacy: Rényi divergence at most ε at order α > 0; of order 1 the Kullback–Leibler
    /// divergence. Of negative orders an image of two laws can lie further apart than they.
    Renyi(Term, Term),
    /// (ε, δ)-differential privacy.
    Approximate(Term, Term),
    /// η-bounded range: between two neighbours the privacy loss takes values in an interval of length η.
    Range(Term),
    /// Dominated by a pair of laws: between two neighbours both laws are images of the pair's under one randomised map.
    Dominated(Term),
}

/// What an observer of a process sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// All that commands name: what is selected, released, called for and drawn, in every round.
    Transcript,
    /// The states at the beginning and after every assignment.
    Path,
    /// The states at the end.
    End,
}

/// What is private.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The outcome of one command, for all values of the variables in it.
    Command(Box<Command>),
    /// What is seen of a named process.
    Process(Name, View),
    /// Any mechanism, in premises only.
    Any,
}

/// What holds in a context, for all values of its variables that satisfy its hypotheses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// left ≤ right.
    Le(Term, Term),
    /// left = right.
    Eq(Term, Term),
    /// A relation that holds for every value of a variable.
    Every(Name, Sort, Box<Goal>),
    /// The second goal, a relation, if the first holds, which may be that a mechanism is private.
    If(Box<Goal>, Box<Goal>),
    /// Several of the others at once.
    Both(Vec<Goal>),
    /// The named function is least at this vector.
    Minimises(Name, Term),
    /// |query on D − query on D′| ≤ by, or ‖query on D − query on D′‖ ≤ by for a vector, for all neighbours D, D′ of
    /// the named data set.
    Moves {
        /// The data set.
        data: Name,
        /// The query.
        query: Term,
        /// The bound.
        by: Term,
    },
    /// For all neighbours D, D′, all noises X of a selection and the index k selected on D: k is selected on D′ if
    /// its noise X_k moves away from −query(k) on D by `by`(k), on the side where it is, or up if there is no modulus, and
    /// the others stay. (A tie, which has probability 0, counts as selected.)
    Keeps {
        /// The data set.
        data: Name,
        /// The selection.
        command: Box<Command>,
        /// The move, in the selection's index.
        by: Term,
    },
    /// A mechanism on the named data set is private.
    Private {
        /// The data set.
        data: Name,
        /// The sense.
        notion: Notion,
        /// The mechanism.
        subject: Subject,
    },
    /// For all neighbours D, D′ of the named data set and every event of a mechanism, of the two named probabilities on D and
    /// on D′, a relation, which does not read the data.
    Events(Name, Subject, [Name; 2], Box<Goal>),
}

/// A context: items in order, each well formed in those before. Cheap to clone; only
/// [`Context::extended`] makes a longer one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context(Arc<Vec<Item>>);

/// A context and what holds in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The context.
    pub context: Context,
    /// What holds in it.
    pub goal: Goal,
}

impl Item {
    /// The name that the item introduces.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Var(x, _) | Self::Define(x, ..) | Self::Process(x, _) => Some(x),
            Self::Assume(_) => None,
        }
    }
}

impl Context {
    /// The items.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.0
    }

    /// The item of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Item> {
        self.0.iter().find(|i| i.name() == Some(name))
    }

    /// The sort of a variable.
    #[must_use]
    pub fn sort(&self, name: &str) -> Option<&Sort> {
        match self.get(name)? {
            Item::Var(_, sort) => Some(sort),
            _ => None,
        }
    }

    /// The process of a name.
    #[must_use]
    pub fn process(&self, name: &str) -> Option<&Process> {
        match self.get(name)? {
            Item::Process(_, process) => Some(process),
            _ => None,
        }
    }

    pub(crate) fn known_process(&self, name: &str) -> Result<&Process, Stuck> {
        let found = self.process(name);
        found.ok_or_else(|| Stuck::new(format!("{name} is not a process")))
    }

    /// Whether everything in `other` stands at the beginning of this context.
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.starts_with(&other.0)
    }

    /// The first `length` items, which are a context by themselves.
    #[must_use]
    pub fn beginning(&self, length: usize) -> Self {
        Self(self.0[..length.min(self.0.len())].to_vec().into())
    }

    pub(crate) fn push_unchecked(&self, item: Item) -> Self {
        let mut items = (*self.0).clone();
        items.push(item);
        Self(items.into())
    }

    /// A definition applied to arguments, unfolded; `None` if `name` is not a definition of so many.
    #[must_use]
    pub fn unfold(&self, name: &str, arguments: &[Term]) -> Option<Term> {
        let Some(Item::Define(_, parameters, body)) = self.get(name) else {
            return None;
        };
        if parameters.len() != arguments.len() {
            return None;
        }
        let names = parameters.iter().map(|(x, _)| x.as_str());
        Some(body.put_all(names, arguments))
    }

    /// All names that a term rests on, through definitions.
    #[must_use]
    pub fn rests_on(&self, term: &Term) -> std::collections::BTreeSet<Name> {
        let mut names = term.free();
        let mut queue: Vec<Name> = names.iter().cloned().collect();
        while let Some(name) = queue.pop() {
            let inside: Vec<Name> = match self.get(&name) {
                Some(Item::Define(_, parameters, body)) => {
                    let own = |x: &Name| parameters.iter().any(|(p, _)| p == x);
                    body.free().into_iter().filter(|x| !own(x)).collect()
                }
                // Names that the process binds itself are in it, too: too many names do no harm.
                Some(Item::Process(_, process)) => process.terms().flat_map(|t| t.free()).collect(),
                Some(Item::Var(
                    _,
                    Sort::Mechanism(_, data, _) | Sort::Risk(_, _, Mean { data, .. }),
                )) => vec![data.clone()],
                _ => Vec::new(),
            };
            for x in inside {
                if names.insert(x.clone()) {
                    queue.push(x);
                }
            }
        }
        names
    }

    /// ∂ⱼf(x) of a function of the data as what it is: (1/n)·Σ_{z∈D} ∂ⱼℓ(x; z) + ∂ⱼr(x).
    #[must_use]
    pub fn mean_slope(&self, f: &str, x: &Term, j: &Term) -> Option<Term> {
        let Some(Sort::Risk(_, _, Mean { data, loss, rest })) = self.sort(f) else {
            return None;
        };
        let Some(Sort::Dataset(n, _)) = self.sort(data) else {
            return None;
        };
        let name = |x: &str| Term::Var(x.to_owned());
        let (z, x, j) = ("$z", x.clone(), j.clone());
        let one = op(Op::Partial, [name(loss), x.clone(), name(z), j.clone()]);
        let mean = bind(Binder::Total, z, name(data), one) / n.clone();
        Some(mean + op(Op::Partial, [name(rest), x, j]))
    }

    /// Whether a term's value depends on the data set `data`, through definitions.
    #[must_use]
    pub fn reads(&self, term: &Term, data: &str) -> bool {
        self.rests_on(term).contains(data)
    }
}

impl Goal {
    /// The two sides of a relation, for every value of what varies in it.
    #[must_use]
    pub fn sides(&self) -> Option<[&Term; 2]> {
        match self {
            Self::Le(a, b) | Self::Eq(a, b) => Some([a, b]),
            Self::Every(_, _, goal) | Self::If(_, goal) => goal.sides(),
            _ => None,
        }
    }

    /// An inequality or equation with other sides, each made from its own.
    pub(crate) fn sided(&self, f: impl Fn(&Term) -> Result<Term, Stuck>) -> Result<Self, Stuck> {
        match self {
            Self::Le(a, b) => Ok(Self::Le(f(a)?, f(b)?)),
            Self::Eq(a, b) => Ok(Self::Eq(f(a)?, f(b)?)),
            _ => Err(Stuck::new("neither an inequality nor an equation")),
        }
    }
}

impl Notion {
    /// Its numbers, or its pair.
    #[must_use]
    pub fn numbers(&self) -> Vec<&Term> {
        match self {
            Self::Pure(a) | Self::Zcdp(a) | Self::Range(a) | Self::Dominated(a) => vec![a],
            Self::Approximate(a, b) | Self::Renyi(a, b) => vec![a, b],
        }
    }

    /// The notion with other numbers, each made from its own.
    #[must_use]
    pub fn map(&self, f: impl Fn(&Term) -> Term) -> Self {
        match self {
            Self::Pure(a) => Self::Pure(f(a)),
            Self::Zcdp(a) => Self::Zcdp(f(a)),
            Self::Range(a) => Self::Range(f(a)),
            Self::Dominated(a) => Self::Dominated(f(a)),
            Self::Approximate(a, b) => Self::Approximate(f(a), f(b)),
            Self::Renyi(a, b) => Self::Renyi(f(a), f(b)),
        }
    }
}

impl Command {
    /// The terms in it.
    pub fn terms(&self) -> Vec<&Term> {
        match self {
            Self::Select {
                over,
                query,
                scale,
                divisor,
                ..
            } => [over, query, scale].into_iter().chain(divisor).collect(),
            Self::Release { query, law, .. } => vec![query, law],
            Self::Call { of, .. } => vec![of],
            Self::Draw { law, .. } => vec![law],
            Self::Set(_, value) => vec![value],
            Self::Stop { charge, limit } => vec![charge, limit],
            Self::Repeat { times, body, .. } => std::iter::once(times)
                .chain(body.iter().flat_map(Self::terms))
                .collect(),
        }
    }
}

impl State {
    /// Vectors of its dimension.
    #[must_use]
    pub fn sort(&self) -> Sort {
        Sort::Vector(self.dimension.clone(), Sign::Any)
    }
}

impl Process {
    /// The terms in it.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        let outside = self.states.iter().flat_map(|s| [&s.dimension, &s.start]);
        outside.chain(self.body.iter().flat_map(Command::terms))
    }
}

impl Sort {
    /// The sort of what a law draws.
    #[must_use]
    pub fn drawn(context: &Context, law: &Term) -> Option<Self> {
        match law {
            Term::Bind(Binder::Weighted, _, over, _) => Some(Self::Index((**over).clone())),
            Term::Var(name) => match context.sort(name)? {
                Self::SetLaw(_) => Some(Self::Outcome(name.clone())),
                _ => None,
            },
            Term::Op(Op::Normal | Op::Laplace, arguments) => match &arguments[..] {
                [d, _] => Some(Self::Vector(d.clone(), Sign::Any)),
                [_] => Some(Self::Real(Sign::Any)),
                _ => None,
            },
            Term::Op(Op::End, arguments) => match arguments.first()? {
                Term::Var(name) => Some(context.process(name)?.states.first()?.sort()),
                _ => None,
            },
            _ => None,
        }
    }
}
