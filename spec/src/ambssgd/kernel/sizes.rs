//! Costs and rates: displays about numbers.

use crate::moved::written::{Proof, each, given, settle};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, counted};
use dp_assay_kernel::statement::Statement;
use dp_assay_kernel::term::var;

/// `ambssgd-cost`: the operations of a block, counted by reading the algorithm, and those of the T blocks of b + s records.
pub fn cost() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           integer b ≥ 1
           integer s ≥ 1
           integer m ≥ 1
           integer T ≥ 1
           integer N′ ≥ 1
           assume m ≤ b
           assume T·(b + s) = N′
           define C := 2·d·(s + 1) + (s + 1) + (m + 1) + 4·d·b
         holds
           C ≤ 9·d·(b + s); T·C ≤ 9·N′·d",
    )
}

/// The proof of [`cost`], or of a statement with larger constants: d, b and s are at least 1.
pub fn prove_cost(statement: &Statement) -> Proof {
    let h = &statement.context;
    let (levels, records) = (given(h, 0)?, given(h, 1)?);
    let [d, b] = ["d", "b"].map(|x| counted(h, &var(x)));
    let (d, b) = (d?, b?);
    let block = |times: &str| {
        [
            times.to_owned(),
            format!("{times}·(b + s)"),
            format!("{times}·4·d"),
            format!("{times}·2"),
        ]
    };
    let by = |goal: &_, times: &str, last: Option<&Theorem>| {
        let [one, first, second, third] = block(times);
        let mut parts: Vec<(&str, &[&Theorem])> = Vec::new();
        let (levels, d, b) = ([&levels], [&d], [&b]);
        parts.push((&one, &levels));
        parts.push((&first, &d));
        parts.push((&second, &b));
        parts.push((&third, &d));
        let last = last.map(|last| [last]);
        if let Some(last) = &last {
            parts.push(("9·d", last));
        }
        settle(h, goal, &parts)
    };
    each(
        statement,
        &[&|_, goal| by(goal, "1", None), &|_, goal| {
            by(goal, "T", Some(&records))
        }],
    )
}

/// `ambssgd-thm-3.2-rate-repaired`: m is N − d − 1, and r the risk of least squares; a factor c that serves is at least
/// 4·(1 − (d + 1)/N), for every N.
pub fn least_squares() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           integer N′ ≥ 1
           real σ > 0
           real m > 0
           assume m = N′ − d − 1
           define r := (1/2)·σ²·d/m
           real c
         holds
           2·σ²·d/N′ ≤ 4·r; if 2·σ²·d/N′ ≤ c·r: 4·(1 − (d + 1)/N′) ≤ c",
    )
}

/// The proof of [`least_squares`], or of a statement with other constants.
pub fn prove_least_squares(statement: &Statement) -> Proof {
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[("2·σ²·d/(m·N′)", &[&given(h, 0)?])]),
            &|h, goal| {
                let parts: &[(&str, &[&Theorem])] = &[
                    ("2·m/(σ²·d)", &[&given(h, 1)?]),
                    ("(−4)/N′", &[&given(h, 0)?]),
                ];
                settle(h, goal, parts)
            },
        ],
    )
}

/// `ambssgd-cor-3.8-util-reading-bias-repaired`: P(c₁) is the factor N^{−(ημ/4)c₁κ} of Lemma 3.11 for H = I.
pub fn bias() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           integer N′ ≥ 1
           real c
           define η := 1/(4·d)
           define μ := 1
           define κ := 1
           define P(x) := exp((−1)·(η·μ/4)·x·κ·log(N′))
         holds
           P(c) = exp((−1)·(c/(16·d))·log(N′)); P(1600·d) = exp((−100)·log(N′))",
    )
}

/// The proof of [`bias`].
///
/// # Errors
/// If an identity does not hold as normal forms.
pub fn prove_bias(statement: &Statement) -> Proof {
    each(
        statement,
        &[&|h, goal| settle(h, goal, &[]), &|h, goal| {
            settle(h, goal, &[])
        }],
    )
}
