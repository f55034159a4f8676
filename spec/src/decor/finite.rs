//! Distributions on finitely many outcomes, exactly.

use rug::Rational;
use std::collections::BTreeMap;

/// A law: probabilities by outcome.
pub(super) type Law = BTreeMap<Vec<u8>, Rational>;

/// The law of `outcome(coins)` for `bits` fair and independent coins.
pub(super) fn of_coins(bits: usize, outcome: impl Fn(&[u8]) -> Vec<u8>) -> Law {
    let mut law = Law::new();
    let weight = Rational::from((1, 1u32 << bits));
    for word in 0..1u32 << bits {
        let coins: Vec<u8> = (0..bits).map(|b| (word >> b & 1) as u8).collect();
        *law.entry(outcome(&coins)).or_default() += &weight;
    }
    law
}

/// The smallest δ with P(B) ≤ `factor`·Q(B) + δ for all events B.
pub(super) fn delta(p: &Law, q: &Law, factor: &Rational) -> Rational {
    let zero = Rational::new();
    let excess = |(outcome, mass): (&Vec<u8>, &Rational)| {
        let other = q.get(outcome).unwrap_or(&zero);
        (mass - Rational::from(factor * other)).max(Rational::new())
    };
    p.iter().map(excess).sum()
}

/// E_Q[(P/Q)^α] for an integer α ≥ 2; `None` if P puts mass where Q has none.
pub(super) fn moment(p: &Law, q: &Law, alpha: i32) -> Option<Rational> {
    let mut sum = Rational::new();
    for (outcome, mass) in p.iter().filter(|(_, mass)| **mass > 0) {
        let other = q.get(outcome).filter(|x| **x > 0)?;
        let ratio = Rational::from(mass / other);
        sum += rug::ops::Pow::pow(ratio, alpha) * other;
    }
    Some(sum)
}

/// The law (p, 1 − p) on {0, 1}.
pub(super) fn coin(p: &Rational) -> Law {
    Law::from([(vec![0], p.clone()), (vec![1], Rational::from(1 - p))])
}
