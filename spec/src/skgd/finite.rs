//! Finite mechanisms with exact rational laws, as witnesses.

use crate::arith::{Rational, ratio};

/// Σ p^order · q^(1−order) over the outcomes; every q is positive. The Rényi divergence of the
/// order is the logarithm of this, divided by order − 1.
pub(crate) fn renyi_sum(p: &[Rational], q: &[Rational], order: i32) -> Rational {
    use rug::ops::Pow;
    let term = |(p, q): (&Rational, &Rational)| p.clone().pow(order) * q.clone().pow(1 - order);
    p.iter()
        .zip(q)
        .map(term)
        .fold(Rational::new(), |sum, t| sum + t)
}

/// The law of randomised response on the lowest `bits` bits of `data`, each bit kept with
/// probability 3/4, over the 2^bits outcomes in increasing order.
pub(crate) fn response_law(data: u32, bits: u32) -> Vec<Rational> {
    let outcome = |o: u32| {
        let flipped = (data ^ o).count_ones();
        (0..bits).fold(Rational::from(1), |mass, bit| {
            mass * if bit < flipped {
                ratio(1, 4)
            } else {
                ratio(3, 4)
            }
        })
    };
    (0..1u32 << bits).map(outcome).collect()
}

/// All ordered pairs of datasets of `bits` one-bit records that differ in at most `differing` records.
pub(crate) fn replace_one_pairs(
    bits: u32,
    differing: &Rational,
) -> impl Iterator<Item = (u32, u32)> {
    let all = 0..1u32 << bits;
    all.clone()
        .flat_map(move |d| all.clone().map(move |e| (d, e)))
        .filter(move |(d, e)| *differing >= (d ^ e).count_ones())
}

/// Whether randomised response on two bits is (ln 3, 0)-DP, over all events and all pairs that differ in at most
/// `differing` records.
pub(crate) fn response_is_private(differing: &Rational) -> bool {
    let mass = |law: &[Rational], event: u32| {
        let inside = law.iter().enumerate().filter(|(o, _)| event >> o & 1 == 1);
        inside.fold(Rational::new(), |sum, (_, p)| sum + p)
    };
    replace_one_pairs(2, differing).all(|(d, e)| {
        let (p, q) = (response_law(d, 2), response_law(e, 2));
        (0..16).all(|event| mass(&p, event) <= mass(&q, event) * 3_u32)
    })
}
