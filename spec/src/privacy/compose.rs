//! Composition: what k adaptive accesses cost together.

use super::error::{PrivacyError, require};
use super::finite::FinitePair;
use super::gaussian::Gdp;
use super::notion::{ApproxDp, Profile, RenyiCurve, Zcdp};
use super::solve;
use crate::arith::Interval;

/// Basic composition: ε and δ add up (Dwork and Roth 2014, Theorem 3.16, and Appendix B where parts depend on results
/// before them).
///
/// # Errors
/// When the δ add up to more than 1.
pub fn basic(parts: &[ApproxDp]) -> Result<ApproxDp, PrivacyError> {
    let epsilon = parts.iter().map(|p| p.epsilon.clone()).sum();
    let delta = parts.iter().map(|p| p.delta.clone()).sum();
    ApproxDp::new(epsilon, delta)
}

/// Advanced composition of k copies: ε' = √(2k ln(1/δ')) ε + k ε (e^ε − 1) and kδ + δ' (Dwork and
/// Roth 2014, Theorem 3.20). `slack` is δ'.
///
/// # Errors
/// When δ' is not in (0, 1\] or the total δ exceeds 1.
pub fn advanced(part: &ApproxDp, k: u64, slack: &Interval) -> Result<ApproxDp, PrivacyError> {
    require(
        *slack.lo() > 0 && *slack.hi() <= 1,
        "delta'",
        slack,
        "must lie in (0, 1]",
    )?;
    let k = count(k)?;
    let e = &part.epsilon;
    let spread = (&(&Interval::from(2) * &k) * &-&slack.ln()).sqrt();
    let drift = &(&k * e) * &e.exp_m1();
    ApproxDp::new(&(&spread * e) + &drift, &(&k * &part.delta) + slack)
}

/// ρ adds up (Bun and Steinke 2016, Lemma 2.3).
#[must_use]
pub fn zcdp(parts: &[Zcdp]) -> Zcdp {
    Zcdp {
        rho: parts.iter().map(|p| p.rho.clone()).sum(),
    }
}

/// μ adds up in squares, exactly (Dong, Roth and Su 2022, Corollary 3.3).
#[must_use]
pub fn gaussian(parts: &[Gdp]) -> Gdp {
    let squares: Interval = parts.iter().map(|p| p.mu.square()).sum();
    Gdp { mu: squares.sqrt() }
}

/// Rényi curves add up order by order (Mironov 2017, Proposition 1): `times` copies of each curve.
pub struct RenyiSum<'a> {
    /// The curves and how often each is used.
    pub parts: Vec<(&'a dyn RenyiCurve, u64)>,
}

impl RenyiCurve for RenyiSum<'_> {
    fn rdp(&self, alpha: &Interval) -> Interval {
        let cost = |(curve, k): &(&dyn RenyiCurve, u64)| match count(*k) {
            Ok(k) => &k * &curve.rdp(alpha),
            Err(_) => Interval::whole(alpha.prec()),
        };
        self.parts.iter().map(cost).sum()
    }
}

/// The exact profile of optimal composition: no guarantee better than this follows from the parts'
/// parameters, and this one does (Kairouz, Oh and Viswanath 2017 for equal parts, Murtagh and Vadhan
/// 2016 for different ones).
///
/// The worst case composes one randomized response per part. Only the number of +ε outcomes within
/// each group of equal parts matters, which leaves Π (n_g + 1) sums to enumerate.
#[derive(Clone, Debug)]
pub struct OptimalComposition {
    /// The composed randomized responses, one outcome per sum of losses.
    responses: FinitePair,
    /// Π (1 − δ_i).
    no_leak: Interval,
}

impl OptimalComposition {
    /// Most sums that are enumerated.
    pub const LIMIT: usize = 1 << 20;

    /// The composition of `parts`, each repeated the given number of times.
    ///
    /// # Errors
    /// When more than [`Self::LIMIT`] sums would have to be enumerated.
    pub fn new(parts: &[(ApproxDp, u32)]) -> Result<Self, PrivacyError> {
        let sums = |n: &u32| *n as usize + 1;
        let size = parts.iter().map(|(_, times)| sums(times));
        let size = size.fold(1, usize::saturating_mul);
        require(
            size <= Self::LIMIT,
            "sums to enumerate",
            &size,
            "must be <= 2^20",
        )?;
        let one = Interval::from(1);
        let (mut p, mut q) = (vec![one.clone()], vec![one.clone()]);
        let mut no_leak = one.clone();
        for (part, times) in parts {
            let group = repeated_response(&part.epsilon, *times);
            p = cross(&p, group.iter());
            q = cross(&q, group.iter().rev());
            no_leak = &no_leak * &(&one - &part.delta).powi(*times);
        }
        let responses = FinitePair::new(p, q)?;
        Ok(Self { responses, no_leak })
    }
}

/// δ(ε) = 1 − Π(1 − δ_i) · (1 − hockey-stick divergence of the responses).
impl Profile for OptimalComposition {
    fn delta(&self, epsilon: &Interval) -> Interval {
        let one = Interval::from(1);
        solve::decreasing(epsilon, |e| {
            &one - &(&self.no_leak * &(&one - &self.responses.hockey_stick(e)))
        })
    }
}

/// Masses of n randomized responses of parameter ε under P, by the number l = 0..n of unlikely
/// outcomes: C(n, l) e^((n−l)ε)/(1 + e^ε)ⁿ, with loss (n − 2l) ε. Under Q they come in reverse.
fn repeated_response(epsilon: &Interval, n: u32) -> Vec<Interval> {
    let one = Interval::from(1);
    let odds = (-epsilon).exp();
    let mut mass = (&one / &(&one + &odds)).powi(n);
    let mut masses = Vec::with_capacity(n as usize + 1);
    for l in 0..=i64::from(n) {
        masses.push(mass.clone());
        let binomial = &Interval::from(i64::from(n) - l) / &Interval::from(l + 1);
        mass = &(&mass * &binomial) * &odds;
    }
    masses
}

/// All products of one factor from each list.
fn cross<'a>(
    left: &[Interval],
    right: impl Iterator<Item = &'a Interval> + Clone,
) -> Vec<Interval> {
    let times = |a: &'a Interval, b: &Interval| a * b;
    left.iter()
        .flat_map(|l| right.clone().map(move |r| times(r, l)))
        .collect()
}

fn count(k: u64) -> Result<Interval, PrivacyError> {
    let k = i64::try_from(k).map_err(|_| PrivacyError::Domain {
        quantity: "number of compositions",
        value: k.to_string(),
        rule: "must be < 2^63",
    })?;
    Ok(Interval::from(k))
}
