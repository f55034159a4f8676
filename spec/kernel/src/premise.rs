//! Premises: lemmas that are cited and not derived, as statements over an arbitrary mechanism. Every theorem that
//! uses one carries it. [`ALL`] is the one list; tests hold its length, and that of the rules, against the limits.

use crate::statement::{Goal, Notion, Sign, Subject};
use crate::term::{Op, Term};
use crate::term::{num, op, var};
use std::fmt;

/// A cited lemma.
#[derive(Debug)]
pub struct Premise {
    /// Its name in traces.
    pub name: &'static str,
    /// Where it stands in print.
    pub source: &'static str,
    lemma: Lemma,
}

/// What a lemma may speak of: an arbitrary mechanism A and the numbers of [`Premise::hypotheses`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lemma {
    ZcdpToDp,
    RenyiToDp,
}

/// If A is ρ-zCDP and ρ + 2√(ρ·log(1/δ)) ≤ ε with 0 < δ ≤ 1, then A is (ε, δ)-DP. In print every δ > 0 is allowed; above
/// 1 nothing is left to say, and the root has no meaning.
pub static ZCDP_TO_DP: Premise = Premise {
    name: "zcdp-to-dp",
    source: "Bun and Steinke 2016, Concentrated Differential Privacy: Simplifications, Extensions, \
        and Lower Bounds, TCC 2016-B, Prop. 1.3 (arXiv:1605.02065)",
    lemma: Lemma::ZcdpToDp,
};

/// If A is (1 + x, τ)-RDP for x > 0, and τ + log(x/(1 + x)) + (log(1/δ) − log(1 + x))/x ≤ ε with ε ≥ 0 and δ > 0, then A is
/// (ε, δ)-DP. In print it is solved for δ. Mironov 2017, Prop. 3, follows: both logarithms of x make it smaller.
pub static RENYI_TO_DP: Premise = Premise {
    name: "renyi-to-dp",
    source: "Canonne, Kamath and Steinke 2020, The Discrete Gaussian for Differential Privacy, \
        NeurIPS, Prop. 12 (arXiv:2004.00010)",
    lemma: Lemma::RenyiToDp,
};

/// All premises: a new one is added here, which a test counts.
pub static ALL: [&Premise; 2] = [&ZCDP_TO_DP, &RENYI_TO_DP];

fn of_any(notion: Notion) -> Goal {
    Goal::Private {
        data: "D".to_owned(),
        notion,
        subject: Subject::Any,
    }
}

/// ρ + 2√(ρ·log(1/δ)), the ε that a ρ-zCDP mechanism has at δ.
#[must_use]
pub fn spent(rho: &Term, delta: &Term) -> Term {
    let log = (num(1) / delta.clone()).log();
    let root = op(Op::Mul, [rho.clone(), log]).sqrt();
    rho.clone() + op(Op::Mul, [num(2), root])
}

/// τ + log(x/(1 + x)) + (log(1/δ) − log(1 + x))/x, the ε that a (1 + x, τ)-RDP mechanism has at δ.
#[must_use]
pub fn spent_at_order(x: &Term, tau: &Term, delta: &Term) -> Term {
    let order = num(1) + x.clone();
    let logs = (num(1) / delta.clone()).log() - order.log();
    tau.clone() + (x.clone() / order).log() + logs / x.clone()
}

impl Premise {
    /// The numbers it speaks of, with their signs, and what is supposed.
    #[must_use]
    pub fn hypotheses(&self) -> (Vec<(&'static str, Sign)>, Vec<Goal>) {
        match self.lemma {
            Lemma::ZcdpToDp => (
                vec![
                    ("ρ", Sign::NonNegative),
                    ("ε", Sign::Any),
                    ("δ", Sign::Positive),
                ],
                vec![
                    of_any(Notion::Zcdp(var("ρ"))),
                    Goal::Le(var("δ"), num(1)),
                    Goal::Le(spent(&var("ρ"), &var("δ")), var("ε")),
                ],
            ),
            Lemma::RenyiToDp => (
                vec![
                    ("x", Sign::Positive),
                    ("τ", Sign::Any),
                    ("ε", Sign::NonNegative),
                    ("δ", Sign::Positive),
                ],
                vec![
                    of_any(Notion::Renyi(num(1) + var("x"), var("τ"))),
                    Goal::Le(spent_at_order(&var("x"), &var("τ"), &var("δ")), var("ε")),
                ],
            ),
        }
    }

    /// What follows for the mechanism.
    #[must_use]
    pub fn conclusion(&self) -> Notion {
        match self.lemma {
            Lemma::ZcdpToDp | Lemma::RenyiToDp => Notion::Approximate(var("ε"), var("δ")),
        }
    }
}

impl fmt::Display for Premise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (numbers, hypotheses) = self.hypotheses();
        f.write_str("for every mechanism A")?;
        for (name, sign) in numbers {
            match sign {
                Sign::Any => write!(f, ", {name}")?,
                Sign::NonNegative => write!(f, ", {name} ≥ 0")?,
                Sign::Positive => write!(f, ", {name} > 0")?,
            }
        }
        let given = hypotheses.iter().map(|goal| match goal {
            Goal::Private { notion, .. } => format!("A is {notion}"),
            goal => goal.to_string(),
        });
        let given = given.collect::<Vec<_>>().join(" and ");
        write!(
            f,
            ": if {given}, then A is {} ({})",
            self.conclusion(),
            self.source
        )
    }
}
