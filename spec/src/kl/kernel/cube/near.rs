//! What one replacement does to a probability, at most.

use super::{Privacy, Proof};
use crate::kl::kernel::told;
use crate::moved::written::{goal, inside, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, chain, exp_sum, instance, root_increases, tangent};
use dp_assay_kernel::search::exp::exp_of_opposite;
use dp_assay_kernel::search::size::{below_modulus, either};
use dp_assay_kernel::statement::{Context, Goal};
use dp_assay_kernel::term::var;

impl Privacy {
    /// π(x, g) ≤ π(y, g) + η for neighbours.
    pub(super) fn near(self, h: &Context, pair: &Pair<'_>, g: &str) -> Proof {
        let [x, y] = pair.data;
        let wanted = goal(h, &format!("π({x}, {g}) ≤ π({y}, {g}) + {}", self.eta()))?;
        let says = self.says();
        let first = pair.instance(h, &says[0], g)?;
        match self {
            Self::Approximate => {
                let other = pair.turned().instance(h, &says[1], g)?;
                let (few, sides) = (moves_little(h)?, term(h, &format!("π({x}, {g})"))?);
                let most = term(h, &format!("π({y}, {g}) + {}", self.eta()))?;
                either(h, [&sides, &most], |h, case, done| {
                    if done {
                        return settle(h, &wanted, &[("1", &[case])]);
                    }
                    let parts: &[(&str, &[&Theorem])] = &[
                        ("1", &[&first]),
                        ("1", &[&other]),
                        ("1", &[&few]),
                        ("exp(ε)", &[case]),
                    ];
                    settle(h, &wanted, parts)
                })
            }
            Self::Concentrated => {
                let (low, high) = order_two(h)?;
                let q = format!("π({y}, {g})");
                let gap = format!("(π({x}, {g}) − {q})");
                let parts: &[(&str, &[&Theorem])] = &[
                    ("1", &[&first]),
                    (&format!("(1/2 − {q})²"), &[&low]),
                    (&format!("2·ρ·(1/2 − {q})²"), &[]),
                    ("1/4", &[&high]),
                ];
                let square = show(h, &format!("{gap}² ≤ ρ"), parts)?;
                let root = root_increases(&square)?;
                let own = below_modulus(h, &term(h, &gap)?)?;
                settle(h, &wanted, &[("1", &[&own]), ("1", &[&root])])
            }
        }
    }

    /// k·η ≤ 3/4.
    pub(super) fn few(self, h: &Context) -> Proof {
        let (text, share) = match self {
            Self::Approximate => ("8·k·ε ≤ 9", "1/12"),
            Self::Concentrated => ("4·k·√(ρ) ≤ 3", "1/4"),
        };
        let goal = format!("k·({}) ≤ 3/4", self.eta());
        show(h, &goal, &[(share, &[&told(h, text)?])])
    }

    /// 1/4 ≤ k·η.
    pub(super) fn many(self, h: &Context) -> Proof {
        let (text, share) = match self {
            Self::Approximate => ("3 ≤ 8·k·ε", "1/12"),
            Self::Concentrated => ("1 ≤ 4·k·√(ρ)", "1/4"),
        };
        let goal = format!("1/4 ≤ k·({})", self.eta());
        show(h, &goal, &[(share, &[&told(h, text)?])])
    }
}

/// e^ε − 1 + 2δ ≤ (2ε/3)·(1 + e^ε): with y = e^{ε/2}, y − 1 ≤ (ε/2)·y and y·(y + 1) ≤ (5/4)·(y² + 1).
fn moves_little(h: &Context) -> Proof {
    let (half, few) = (term(h, "ε/2")?, told(h, "24·δ ≤ ε")?);
    let below = tangent(h, &term(h, "(−1)·ε/2")?)?;
    let (unit, twice) = (exp_of_opposite(h, &half)?, exp_sum(h, &half, &half)?);
    let parts: &[(&str, &[&Theorem])] = &[("exp(ε/2)", &[&below]), ("(−1)", &[&unit])];
    let step = show(h, "exp(ε/2) − 1 ≤ (ε/2)·exp(ε/2)", parts)?;
    let above = tangent(h, &var("ε"))?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("exp(ε/2) + 1", &[&step]),
        ("(ε/8)·(exp(ε/2) − 2)²", &[]),
        ("1 − (5/8)·ε", &[&twice]),
        ("1/12", &[&few]),
        ("ε/24", &[&above]),
    ];
    show(h, "exp(ε) − 1 + 2·δ ≤ (2/3)·ε·(1 + exp(ε))", parts)
}

/// 1 + 2ρ ≤ e^{2ρ}, and e^{2ρ} − 1 ≤ 4ρ as ρ ≤ 1/4.
fn order_two(h: &Context) -> Result<(Theorem, Theorem), Stuck> {
    let (twice, few) = (term(h, "2·ρ")?, told(h, "4·ρ ≤ 1")?);
    let low = tangent(h, &twice)?;
    let (below, unit) = (
        tangent(h, &term(h, "(−1)·2·ρ")?)?,
        exp_of_opposite(h, &twice)?,
    );
    let parts: &[(&str, &[&Theorem])] = &[("exp(2·ρ)", &[&below]), ("(−1)", &[&unit])];
    let step = show(h, "exp(2·ρ) ≤ 1 + 2·ρ·exp(2·ρ)", parts)?;
    let parts: &[(&str, &[&Theorem])] = &[("2", &[&step]), ("exp(2·ρ)", &[&few])];
    let most = show(h, "exp(2·ρ) ≤ 2", parts)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&step]), ("2·ρ", &[&most])];
    let high = show(h, "exp(2·ρ) − 1 ≤ 4·ρ", parts)?;
    Ok((low, high))
}

/// How a hypothesis of a bound on privacy is shown.
pub(super) type Shown<'a> = &'a dyn Fn(&Context, &Goal) -> Proof;

/// Two sets of signs: what they are, that their entries are signs, and how far they are apart.
pub(super) struct Pair<'a> {
    pub(super) data: [&'a str; 2],
    pub(super) signs: [Shown<'a>; 2],
    pub(super) near: Shown<'a>,
}

impl<'a> Pair<'a> {
    fn turned(&self) -> Pair<'a> {
        let ([x, y], [a, b]) = (self.data, self.signs);
        Pair {
            data: [y, x],
            signs: [b, a],
            near: self.near,
        }
    }

    /// What a hypothesis on any two sets of signs says of these.
    pub(super) fn instance(&self, h: &Context, says: &str, g: &str) -> Proof {
        let mut found = told(h, says)?;
        for data in self.data {
            found = instance(h, &found, &term(h, data)?)?;
        }
        for shown in [self.signs[0], self.signs[1], self.near] {
            let Goal::If(given, _) = &found.statement().goal else {
                return Err(Stuck::new("nothing is supposed"));
            };
            let fact = inside(h, given, shown)?;
            found = chain(h, &found, &fact)?;
        }
        instance(h, &found, &term(h, g)?)
    }
}
