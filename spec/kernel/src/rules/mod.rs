//! The rules: the only functions that make theorems.
//!
//! A rule takes theorems, terms and contexts, computes its side conditions, and says what it concludes, where the
//! lemma stands in print, and why it is sound. None takes a sentence, a closure or a flag for a reason. A theorem
//! of a context holds in every longer one, so a rule takes theorems of any beginning of its context.
//!
//! The sources, which the rules name by author and year, with the numbers of theorems and equations but not of pages.
//! Dwork and Roth's neighbours differ by a row that is added or removed, Bun and Steinke's by one that is replaced; what is
//! used here speaks of the laws on two neighbours, and so holds for both relations of the kernel, which are symmetric.
//!
//! - Abadi et al. 2016, Deep Learning with Differential Privacy, CCS (arXiv:1607.00133)
//! - Barthe, Gaboardi, Grégoire, Hsu and Strub 2016, Proving Differential Privacy via Probabilistic Couplings, LICS
//!   (arXiv:1601.05047)
//! - Bun and Steinke 2016, Concentrated Differential Privacy: Simplifications, Extensions, and Lower Bounds, TCC 2016-B
//!   (arXiv:1605.02065)
//! - Dong, Roth and Su 2022, Gaussian Differential Privacy, J. R. Stat. Soc. B 84 (arXiv:1905.02383)
//! - DLMF: NIST Digital Library of Mathematical Functions, <https://dlmf.nist.gov>
//! - Durrett 2019, Probability: Theory and Examples, 5th ed.
//! - Dwork and Roth 2014, The Algorithmic Foundations of Differential Privacy
//! - van Erven and Harremoës 2014, Rényi Divergence and Kullback–Leibler Divergence, IEEE Trans. Inf. Theory 60
//!   (arXiv:1206.2459)
//! - Handelman 1988, Representing Polynomials by Positive Linear Functions on Compact Convex Polyhedra, Pacific J.
//!   Math. 132 (doi:10.2140/pjm.1988.132.35)
//! - Kozen 1985, A Probabilistic PDL, J. Comput. Syst. Sci. 30
//! - Landau 1951, Foundations of Analysis
//! - McIver and Morgan 2005, Abstraction, Refinement and Proof for Probabilistic Systems
//! - Mironov 2017, Rényi Differential Privacy, CSF (arXiv:1702.07476)
//! - Nesterov 2018, Lectures on Convex Optimization, 2nd ed. (the numbers of the first differ)
//! - Rudin 1976, Principles of Mathematical Analysis, 3rd ed.

use crate::Stuck;
use crate::premise::Premise;
use crate::scope::Scope;
use crate::sign;
use crate::statement::{Command, Context, Goal, Item, Notion, Sign, Sort, Statement, Subject};
use crate::term::{Term, at, vector};
use crate::trace::{Sexp, Step};
use std::sync::Arc;

mod compose;
mod correlated;
mod events;
mod expectation;
mod function;
mod logic;
mod privacy;
mod real;

pub use compose::{call, compose, forget, unread};
pub use correlated::{
    Solved, attained, correlated, gaussian, gaussian_pair, gaussians_together, solution,
};
pub use events::events;
pub use expectation::{added, density, ends, expected, exponential_moment, tail, weighted, wins};
pub use function::{
    at_most_one, clipped, convex, gradient_bound, smooth, stationary, triangle, unclipped,
};
pub use logic::{assume, both, cases, chain, discharge, induction, instance, limit, union};
pub use privacy::{
    approximate, argmax, bounded_range, cite, exponential, image, laplace, one_record, pure_range,
    range_of_pure, renyi, response, shift, weaken,
};
pub use real::{
    Fact, Part, below, combine, counted, exchange, exp_log, exp_sum, inverse, larger, largest,
    left_over, root_increases, sum_over, supremum, tangent, telescope,
};

/// A statement that the rules have led to: the last step of its proof.
#[derive(Clone, Debug)]
pub struct Theorem(Arc<Step>);

impl Theorem {
    /// What holds.
    #[must_use]
    pub fn statement(&self) -> &Statement {
        &self.0.statement
    }

    /// The cited lemmas that the proof uses, each once.
    #[must_use]
    pub fn premises(&self) -> &[&'static Premise] {
        &self.0.premises
    }

    /// The last step of the proof, from which the others hang.
    #[must_use]
    pub fn trace(&self) -> &Arc<Step> {
        &self.0
    }

    fn goal(&self) -> &Goal {
        &self.0.statement.goal
    }

    fn context(&self) -> &Context {
        &self.0.statement.context
    }

    /// Makes a theorem. Only the rules can call it.
    fn conclude(
        rule: &'static str,
        context: &Context,
        goal: Goal,
        arguments: Vec<Sexp>,
        from: &[&Self],
    ) -> Result<Self, Stuck> {
        Self::citing(&[], rule, context, goal, arguments, from)
    }

    /// Makes a theorem that carries these premises besides those of what it comes from.
    fn citing(
        cited: &[&'static Premise],
        rule: &'static str,
        context: &Context,
        goal: Goal,
        arguments: Vec<Sexp>,
        from: &[&Self],
    ) -> Result<Self, Stuck> {
        Scope::new(context).goal(&goal)?;
        let mut premises: Vec<&'static Premise> = Vec::new();
        for premise in from.iter().flat_map(|t| t.premises()).chain(cited) {
            if !premises.iter().any(|p| p.name == premise.name) {
                premises.push(premise);
            }
        }
        let context = context.clone();
        Ok(Self(Arc::new(Step {
            rule,
            arguments,
            from: from.iter().map(|t| t.0.clone()).collect(),
            statement: Statement { context, goal },
            premises,
        })))
    }

    /// Fails unless this theorem holds in `context`.
    fn holds_in(&self, context: &Context) -> Result<(), Stuck> {
        if context.contains(self.context()) {
            return Ok(());
        }
        Err(Stuck::new("a theorem of another context was given"))
    }

    /// The context without its last item, and that item's name and sort.
    fn last_variable(&self) -> Result<(Context, &str, &Sort), Stuck> {
        match self.context().items().split_last() {
            Some((Item::Var(name, sort), rest)) => {
                Ok((self.context().beginning(rest.len()), name, sort))
            }
            _ => Err(Stuck::new("the context does not end with a variable")),
        }
    }
}

/// Fails unless a term's sign is plainly at least that.
fn needs(context: &Context, term: &Term, sign: Sign) -> Result<(), Stuck> {
    if sign::of(&mut Scope::new(context), term) >= sign {
        return Ok(());
    }
    Err(Stuck::new(format!("{term:?} is not plainly {sign:?}")))
}

pub(crate) fn require(condition: bool, why: &str) -> Result<(), Stuck> {
    condition.then_some(()).ok_or_else(|| Stuck::new(why))
}

/// |x| of a number, ‖x‖ of a vector.
fn size(context: &Context, x: &Term) -> Result<Term, Stuck> {
    let mut scope = Scope::new(context);
    match scope.vector(x) {
        Ok(_) => Ok(x.norm()),
        Err(_) => scope.number(x).map(|()| x.abs()),
    }
}

/// |x − y| of two numbers, ‖x − y‖ of two vectors.
fn distance(context: &Context, x: &Term, y: &Term) -> Result<Term, Stuck> {
    let mut scope = Scope::new(context);
    let Ok(d) = scope.vector(x) else {
        scope.number(x)?;
        return Ok((x.clone() - y.clone()).abs());
    };
    require(scope.vector(y)? == d, "vectors of two spaces")?;
    let j = function::fresh(context, "j", &[x, y]);
    let index = Term::Var(j.clone());
    Ok(vector(&j, d, at(x, &index) - at(y, &index)).norm())
}

/// Fails unless terms are the same on all data sets.
fn data_free(context: &Context, terms: &[&Term], data: &str) -> Result<(), Stuck> {
    let reads = |t: &&&Term| context.reads(t, data);
    match terms.iter().find(reads) {
        None => Ok(()),
        Some(t) => Err(Stuck::new(format!("{t:?} reads the data"))),
    }
}

/// What a theorem about privacy says: of which data set, in which sense, of what.
fn privacy(theorem: &Theorem) -> Result<(&str, &Notion, &Subject), Stuck> {
    let Goal::Private {
        data,
        notion,
        subject,
    } = theorem.goal()
    else {
        return Err(Stuck::new("not about privacy"));
    };
    Ok((data, notion, subject))
}

fn private(data: &str, notion: Notion, subject: Subject) -> Goal {
    let data = data.to_owned();
    Goal::Private {
        data,
        notion,
        subject,
    }
}

fn about(command: &Command) -> Subject {
    Subject::Command(command.clone().into())
}
