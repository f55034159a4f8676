//! Pure differential privacy and its composition: basic, optimal.
//!
//! The optimal composition of mechanisms that are each (εᵢ, 0)-DP is the profile of the product of
//! randomised responses with those εᵢ (Kairouz, Oh and Viswanath 2017 for equal εᵢ; Murtagh and
//! Vadhan 2016 in general): no theorem that knows only the εᵢ can promise less. Its privacy loss is
//! Σᵢ (2lᵢ − kᵢ)εᵢ with lᵢ binomial, so two groups of equal εᵢ cost O(k₁ + k₂) per profile value.

use super::AccountError;
use super::root;
use crate::float::elementary::{exp, ln};
use crate::float::{Double, Enclosure, U};
use crate::units::{Delta, Epsilon};

/// `count` mechanisms, each (ε, 0)-DP.
///
/// ```
/// use dp_assay::accounting::pure::{Group, compose_basic, compose_optimal};
/// use dp_assay::units::{Delta, Epsilon};
///
/// // 100 answers, each (0.1, 0)-DP, at δ = 10⁻⁵: the more a theorem knows, the smaller is its ε.
/// let (group, delta) = (Group { epsilon: Epsilon::new(0.1)?, count: 100 }, Delta::new(1e-5)?);
/// assert!(compose_optimal(&[group], delta)?.hi < compose_basic(&[group]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Group {
    /// ε of one mechanism.
    pub epsilon: Epsilon,
    /// How many.
    pub count: u64,
}

/// Upper bound Σ kᵢεᵢ: basic composition (Dwork and Roth 2014, Theorem 3.16).
#[must_use]
pub fn compose_basic(groups: &[Group]) -> f64 {
    groups
        .iter()
        .fold(Enclosure::point(0.0), |sum, g| {
            sum + Enclosure::point(g.epsilon.get()) * Enclosure::from(g.count)
        })
        .hi
        .max(0.0)
}

/// Encloses the least ε ≥ 0 such that every adaptive composition of the groups is (ε, δ)-DP.
/// The upper end is safe; the ends differ by about 10⁻¹² relative.
///
/// # Errors
/// A sum of the ε that is not finite, more than two groups with different ε (use the privacy-loss accountant), more than 10¹²
/// mechanisms, or more than about 10⁷ (in both groups 10⁵) numbers of truthful answers that matter at δ.
pub fn compose_optimal(groups: &[Group], delta: Delta) -> Result<Enclosure, AccountError> {
    let basic = compose_basic(groups);
    AccountError::in_range(basic)?;
    let delta = delta.get();
    if delta >= 1.0 || basic == 0.0 {
        return Ok(Enclosure::point(0.0));
    }
    if delta < SMALLEST_DELTA {
        return Ok(Enclosure::new(0.0, basic));
    }
    let responses = Responses::new(groups, cutoff(delta, groups))?;
    Ok(root::decreasing(basic, delta, 1e-13, |e| {
        responses.delta(e)
    }))
}

/// As [`compose_optimal`] for mechanisms that are each (ε, δ₀)-DP: the composition of k of them is
/// (ε', 1 − (1−δ₀)ᵏ(1−δ'))-DP when (ε', δ') is optimal for the pure parts (Kairouz, Oh and
/// Viswanath 2017, Theorem 3.3). What is returned encloses ε'; its upper end is the safe one.
///
/// ```
/// use dp_assay::accounting::pure::{Group, compose_optimal, compose_optimal_approximate};
/// use dp_assay::units::{Delta, Epsilon};
///
/// let (group, delta) = (Group { epsilon: Epsilon::new(0.1)?, count: 100 }, Delta::new(1e-5)?);
/// // δ₀ = 10⁻⁸ each leaves nine tenths of δ for the ε.
/// let epsilon = compose_optimal_approximate(group, Delta::new(1e-8)?, delta)?;
/// assert!(epsilon.hi > compose_optimal(&[group], delta)?.lo);
/// // δ₀ = 10⁻⁶ each is too much: together nearly 10⁻⁴.
/// assert!(compose_optimal_approximate(group, Delta::new(1e-6)?, delta).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`compose_optimal`]; and when the δ₀ alone exceed δ.
pub fn compose_optimal_approximate(
    group: Group,
    each: Delta,
    delta: Delta,
) -> Result<Enclosure, AccountError> {
    let kept = Enclosure::from(group.count) * (-Enclosure::point(each.get())).ln_1p();
    let rest = 1.0 - (1.0 - Enclosure::point(delta.get())) / kept.exp();
    if !(rest.lo >= 0.0) {
        return Err(AccountError::NoFiniteEpsilon {
            delta: delta.get(),
            floor: (-kept.exp_m1()).hi,
        });
    }
    let at = |d: f64| compose_optimal(&[group], Delta::new(d.clamp(0.0, 1.0))?);
    Ok(Enclosure::new(at(rest.hi)?.lo, at(rest.lo)?.hi))
}

/// Encloses the largest factor c such that the composition of the groups with every ε multiplied by
/// c is (ε, δ)-DP. The *lower* end is safe: it is the inverse of [`compose_optimal`] for one group
/// or for two with a given ratio of their ε.
///
/// ```
/// use dp_assay::accounting::pure::{Group, largest_factor};
/// use dp_assay::units::{Delta, Epsilon};
///
/// // 100 answers of ε = 0.1 are to cost (1, 10⁻⁵) in all: each ε shrinks, but not to a tenth.
/// let group = Group { epsilon: Epsilon::new(0.1)?, count: 100 };
/// let factor = largest_factor(&[group], Epsilon::new(1.0)?, Delta::new(1e-5)?)?.lo;
/// assert!((0.15..0.5).contains(&factor));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`compose_optimal`]; ε = 0 or groups without privacy loss leave the factor undetermined.
pub fn largest_factor(
    groups: &[Group],
    epsilon: Epsilon,
    delta: Delta,
) -> Result<Enclosure, AccountError> {
    let basic = compose_basic(groups);
    AccountError::check(
        basic > 0.0,
        "sum of the epsilons",
        basic,
        "must be > 0 to be scaled",
    )?;
    AccountError::check(
        epsilon.get() > 0.0,
        "epsilon",
        epsilon.get(),
        "must be > 0 to be divided",
    )?;
    let scaled = |c: f64| -> Result<Enclosure, AccountError> {
        let groups: Result<Vec<Group>, _> = groups
            .iter()
            .map(|g| Epsilon::new(g.epsilon.get() * c).map(|epsilon| Group { epsilon, ..*g }))
            .collect();
        if delta.get() < SMALLEST_DELTA {
            return Ok(Enclosure::new(0.0, compose_basic(&groups?)) - epsilon.get());
        }
        // δ(ε) − δ, increasing in c.
        let groups = groups?;
        let responses = Responses::new(&groups, cutoff(delta.get(), &groups))?;
        Ok(responses.delta(epsilon.get()) - delta.get())
    };
    let mut certain_hi = f64::INFINITY;
    let mut fits = |c: f64| -> Result<bool, AccountError> {
        let excess = scaled(c)?;
        if excess.lo > 0.0 {
            certain_hi = certain_hi.min(c);
        }
        Ok(excess.hi <= 0.0)
    };
    let mut lo = below_ratio(epsilon.get(), basic);
    for _ in 0..200 {
        let hi = 2.0 * lo;
        if !hi.is_finite() {
            break;
        }
        if !fits(hi)? {
            lo = root::try_bisect(lo, hi, 1e-13, &mut fits)?.0;
            break;
        }
        lo = hi;
    }
    Ok(Enclosure::new(lo, certain_hi))
}

/// Below this δ the profile's truncation would dominate, and basic composition is used.
const SMALLEST_DELTA: f64 = 1e-290;
/// Longest windows of weights, of the longer and of the shorter group: half a second to set up, as much to search.
const WEIGHTS_MAX: (f64, f64) = (16_777_216.0, 262_144.0);
/// Largest number of mechanisms.
const COUNT_MAX: u64 = 1_000_000_000_000;
/// Above this ε a single answer is taken as fully revealing (basic composition then is the bound).
const LARGEST_EPSILON: f64 = 600.0;

/// Weights below this share of the largest are dropped, and accounted for: all together are below 10⁻¹⁵·δ.
fn cutoff(delta: f64, groups: &[Group]) -> f64 {
    let count: f64 = groups.iter().map(|g| g.count as f64 + 1.0).sum();
    (1e-16 * delta / count).max(1e-305)
}

/// A factor that basic composition proves safe.
fn below_ratio(epsilon: f64, basic: f64) -> f64 {
    (epsilon / basic).next_down().next_down().next_down()
}

/// The product of at most two groups of randomised responses.
struct Responses {
    first: Binomial,
    second: Binomial,
}

impl Responses {
    fn new(groups: &[Group], cutoff: f64) -> Result<Self, AccountError> {
        let mut merged: Vec<Group> = Vec::new();
        for g in groups
            .iter()
            .filter(|g| g.count > 0 && g.epsilon.get() > 0.0)
        {
            match merged.iter_mut().find(|m| m.epsilon == g.epsilon) {
                Some(m) => m.count = m.count.saturating_add(g.count),
                None => merged.push(*g),
            }
        }
        let cost = |what, needed, limit, unit| AccountError::TooCostly {
            what,
            needed,
            limit,
            unit,
        };
        if merged.len() > 2 {
            let needed = merged.len() as f64;
            return Err(cost(
                "optimal composition",
                needed,
                2.0,
                "different epsilons",
            ));
        }
        if let Some(g) = merged.iter().find(|g| g.count > COUNT_MAX) {
            return Err(cost(
                "optimal composition",
                g.count as f64,
                COUNT_MAX as f64,
                "mechanisms",
            ));
        }
        // The longer sum is the inner one, of which only ends are looked up.
        merged.sort_by(|a, b| width(a, cutoff).total_cmp(&width(b, cutoff)));
        let (longer, shorter) = (merged.pop(), merged.pop());
        for (group, limit) in [(longer, WEIGHTS_MAX.0), (shorter, WEIGHTS_MAX.1)] {
            let needed = group.map_or(0.0, |g| width(&g, cutoff));
            if needed > limit {
                return Err(cost("optimal composition", needed, limit, "weights"));
            }
        }
        let binomial = |group: Option<Group>| {
            group.map_or_else(Binomial::nothing, |g| Binomial::new(g, cutoff))
        };
        Ok(Self {
            first: binomial(shorter),
            second: binomial(longer),
        })
    }

    /// Encloses δ(ε) = Σ_l P₁(l)·Σ_m P₂(m)·(1 − e^{ε−L(l,m)})₊.
    ///
    /// For every l the inner sum runs over m ≥ m*(l) and is P₂[m ≥ m*] − e^{ε−L₁}·Q₂[m ≥ m*]. Its
    /// parts have relative error 10u plus 4u·|ε − L₁|, and so has a misplaced m* (the comparison of
    /// losses is rounded), whose terms nearly vanish. Weights dropped from the windows count as
    /// infinite loss above; below, the Q mass they could add is at most e^ε of theirs. Where e^{ε−L₁} is
    /// beyond all doubles, what loses little more than ε − L₁ counts for nothing below and for all above.
    fn delta(&self, epsilon: f64) -> Enclosure {
        let (a, b) = (&self.first, &self.second);
        if a.epsilon.max(b.epsilon) > LARGEST_EPSILON {
            return Enclosure::new(0.0, 1.0);
        }
        let (mut sum, mut mass, mut unresolved) = (0.0f64, 0.0f64, 0.0f64);
        let mut resolved = false;
        // Of what loses so much more than ε less than 2⁻⁵⁴ is not counted, wherever rounding puts it.
        let far = 40.0 + 16.0 * U * (a.widest_loss() + b.widest_loss() + epsilon);
        for (i, p) in a.weights.iter().enumerate() {
            let rest = epsilon - a.loss(i);
            let Some(start) = b.first_above(rest) else {
                continue;
            };
            let upper = b.tail[start];
            mass += p * upper;
            if rest > 700.0 {
                let sure = b.first_above(rest + far).map_or(0.0, |far| b.tail[far]);
                sum += p * sure;
                unresolved += p * (upper - sure);
            } else {
                resolved = true;
                sum += (p * (upper - exp(rest) * b.mirrored_tail(start))).max(0.0);
            }
        }
        let rounding = 16.0 + 4.0 * (a.widest_loss() + b.widest_loss() + epsilon);
        let error = U * (mass * rounding + (sum + unresolved) * (a.weights.len() as f64 + 2.0));
        let dropped = a.dropped + b.dropped;
        let dropped_below = match resolved {
            true => b.dropped * exp(epsilon.min(700.0)) * 2.0,
            false => 0.0,
        };
        Enclosure::new(
            sum - error - dropped_below,
            sum + unresolved + error + dropped,
        )
        .clamp(0.0, 1.0)
    }
}

/// About how many weights of a group exceed a share of the largest: by Hoeffding's bound, of all.
fn width(group: &Group, cutoff: f64) -> f64 {
    let count = group.count as f64;
    (count + 1.0).min((2.0 * count * -ln(cutoff)).sqrt() + 2.0)
}

/// The law of the number of truthful answers among k randomised responses, on the window where it
/// exceeds the cutoff's share of its mode. Relative error of every entry: 4u.
struct Binomial {
    epsilon: f64,
    count: u64,
    /// l of the first weight.
    offset: u64,
    /// P(l).
    weights: Vec<f64>,
    /// Σ_{l' ≥ l} P(l').
    tail: Vec<f64>,
    /// Σ_{l' ≤ l} P(l').
    head: Vec<f64>,
    /// Upper bound on the mass outside the window.
    dropped: f64,
}

impl Binomial {
    fn nothing() -> Self {
        Self {
            epsilon: 0.0,
            count: 0,
            offset: 0,
            weights: vec![1.0],
            tail: vec![1.0],
            head: vec![1.0],
            dropped: 0.0,
        }
    }

    /// Weights by the ratio P(l+1)/P(l) = e^ε·(k−l)/(l+1) from the mode outwards, in double-double, so
    /// that a million steps lose less than u.
    fn new(group: Group, cutoff: f64) -> Self {
        let (epsilon, k) = (group.epsilon.get(), group.count);
        let growth = Double::new(epsilon.min(LARGEST_EPSILON)).exp();
        let shrink = Double::new(1.0) / growth;
        let mode = ((k as f64 + 1.0) / (1.0 + exp(-epsilon)))
            .floor()
            .min(k as f64) as u64;
        let mut below = Vec::new();
        let mut weight = Double::new(1.0);
        let mut l = mode;
        while l > 0 {
            weight = weight * shrink * Double::quotient(l as f64, (k - l + 1) as f64);
            if weight.hi < cutoff {
                break;
            }
            below.push(weight);
            l -= 1;
        }
        let offset = mode - below.len() as u64;
        let mut raw: Vec<Double> = below.into_iter().rev().collect();
        raw.push(Double::new(1.0));
        weight = Double::new(1.0);
        for l in mode..k {
            weight = weight * growth * Double::quotient((k - l) as f64, (l + 1) as f64);
            if weight.hi < cutoff {
                break;
            }
            raw.push(weight);
        }
        Self::from_raw(epsilon, k, offset, &raw, cutoff)
    }

    fn from_raw(epsilon: f64, count: u64, offset: u64, raw: &[Double], cutoff: f64) -> Self {
        let total = raw.iter().fold(Double::new(0.0), |sum, &w| sum + w);
        let share = Double::new(1.0) / total;
        let cumulate = |weights: &mut dyn Iterator<Item = &Double>| -> Vec<f64> {
            let mut sum = Double::new(0.0);
            weights
                .map(|&w| {
                    sum = sum + w * share;
                    sum.to_f64()
                })
                .collect()
        };
        let head = cumulate(&mut raw.iter());
        let mut tail = cumulate(&mut raw.iter().rev());
        tail.reverse();
        // The law has one mode: every weight outside the window is below the cutoff times the mode's.
        let outside = count as f64 + 1.0 - raw.len() as f64;
        Self {
            epsilon,
            count,
            offset,
            weights: raw.iter().map(|&w| (w * share).to_f64()).collect(),
            tail,
            head,
            dropped: if outside > 0.0 {
                2.0 * outside * cutoff
            } else {
                0.0
            },
        }
    }

    /// (2l − k)ε of the i-th weight.
    fn loss(&self, i: usize) -> f64 {
        let l = self.offset + i as u64;
        (2.0 * l as f64 - self.count as f64) * self.epsilon
    }

    /// Largest absolute loss in the window.
    fn widest_loss(&self) -> f64 {
        self.loss(0)
            .abs()
            .max(self.loss(self.weights.len() - 1).abs())
    }

    /// Index of the first weight with loss above `threshold`.
    fn first_above(&self, threshold: f64) -> Option<usize> {
        if self.epsilon == 0.0 {
            return (threshold < 0.0).then_some(0);
        }
        // 2l − k > threshold/ε.
        let l = (0.5 * (threshold / self.epsilon + self.count as f64)).floor() + 1.0;
        let i = (l - self.offset as f64).max(0.0);
        (i < self.weights.len() as f64).then_some(i as usize)
    }

    /// Q[l ≥ l(i)] = P[l ≤ k − l(i)].
    fn mirrored_tail(&self, i: usize) -> f64 {
        let reflected = self.count - (self.offset + i as u64);
        match reflected.checked_sub(self.offset) {
            None => 0.0,
            Some(j) => self.head[(j as usize).min(self.head.len() - 1)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::steady;
    use super::*;
    use rug::Float;
    use rug::ops::Pow;

    /// Σ over both numbers of truthful answers, at 300 bits.
    fn summed(groups: [(f64, u32); 2], epsilon: f64) -> Float {
        let wide = |x: f64| Float::with_val(300, x);
        let weight = |(each, count): (f64, u32), l: u32| {
            let choices = rug::Integer::from(count).binomial(l);
            wide(each * f64::from(l)).exp() * choices / (wide(each).exp() + 1u32).pow(count)
        };
        let mut sum = wide(0.0);
        for l in 0..=groups[0].1 {
            for m in 0..=groups[1].1 {
                let losses = [(groups[0], l), (groups[1], m)]
                    .map(|((each, count), l)| wide(each) * (2 * i64::from(l) - i64::from(count)));
                let [first, second] = losses;
                let rest = wide(epsilon) - first - second;
                if rest < 0 {
                    sum -= weight(groups[0], l) * weight(groups[1], m) * rest.exp_m1();
                }
            }
        }
        sum
    }

    /// Where e^ε is beyond all doubles, δ is at least what it is at a somewhat larger ε.
    #[test]
    fn an_epsilon_beyond_all_doubles_is_known_from_both_sides() {
        let group = |(each, count): (f64, u32)| Group {
            epsilon: Epsilon::new(each).expect("in range"),
            count: u64::from(count),
        };
        // Losses of 1086 ± 25 and 924 ± 40.
        for groups in [[(3.0, 400), (0.25, 3)], [(1.0, 2000), (0.5, 9)]] {
            let responses = Responses::new(&groups.map(group), 1e-30).expect("small");
            for epsilon in [880.0, 1000.0, 1100.0, 1180.0] {
                let found = responses.delta(epsilon);
                let (truth, later) = (summed(groups, epsilon), summed(groups, epsilon + 50.0));
                assert!(
                    found.lo <= truth && truth <= found.hi,
                    "{epsilon}: {found:?} {truth}"
                );
                assert!(
                    found.lo >= later.to_f64() * (1.0 - 1e-9),
                    "{epsilon}: {found:?} {later}"
                );
            }
        }
    }

    /// Answers without information have the loss 0 alone.
    #[test]
    fn losses_of_answers_without_information_are_zero() {
        let groups = [(0.0, 7), (0.5, 2)].map(|(each, count)| Group {
            epsilon: Epsilon::new(each).expect("in range"),
            count,
        });
        let nothing = Binomial::new(groups[0], 1e-30);
        assert_eq!(nothing.first_above(-1e-9), Some(0));
        assert_eq!(nothing.first_above(0.0), None);
        assert_eq!(nothing.first_above(1e-9), None);
        let both = Responses::new(&groups, 1e-30).expect("small");
        let truth = summed([(0.0, 7), (0.5, 2)], 0.25);
        let found = both.delta(0.25);
        assert!(found.lo <= truth && truth <= found.hi, "{found:?} {truth}");
    }

    #[test]
    fn the_delta_of_answers_of_two_kinds_is_enclosed_closely() {
        let group = |(each, count): (f64, u32)| Group {
            epsilon: Epsilon::new(each).expect("in range"),
            count: u64::from(count),
        };
        // Whole multiples of 1/64: products with whole numbers are exact.
        for (j, groups) in (0u32..).zip([
            [(0.25, 3), (0.5, 4)],
            [(0.125, 9), (0.375, 2)],
            [(1.0, 1), (0.75, 7)],
            [(2.5, 2), (0.015625, 12)],
        ]) {
            let responses = Responses::new(&groups.map(group), 1e-30).expect("small");
            for i in 0..40 {
                let epsilon = 0.0371 * f64::from(i * (j + 1));
                let (found, truth) = (responses.delta(epsilon), summed(groups, epsilon));
                assert!(
                    found.lo <= truth && truth <= found.hi,
                    "{groups:?}, {epsilon}: {found:?}, {truth}"
                );
                assert!(found.width() <= 1e-13, "{groups:?}, {epsilon}: {found:?}");
            }
        }
    }

    #[test]
    fn what_ends_are_made_of_is_what_it_was() {
        let group = |(each, count): (f64, u64)| Group {
            epsilon: Epsilon::new(each).expect("in range"),
            count,
        };
        let mut found = Vec::new();
        for groups in [
            vec![(0.5, 40)],
            vec![(0.5, 40), (0.5, 3), (0.125, 900)],
            vec![(400.0, 7), (390.0, 3)],
            vec![(0.001, 300_000), (0.0, 9)],
        ] {
            let groups: Vec<Group> = groups.into_iter().map(group).collect();
            let cut = cutoff(1e-6, &groups);
            found.push(cut);
            found.extend(groups.iter().map(|g| width(g, cut)));
            let both = Responses::new(&groups, cut).expect("small");
            for one in [&both.first, &both.second] {
                let last = one.weights.len() - 1;
                found.extend([
                    one.offset as f64,
                    last as f64,
                    one.dropped,
                    one.widest_loss(),
                ]);
                found.extend([one.weights[0], one.weights[last / 2], one.weights[last]]);
                found.extend([one.head[last / 2], one.tail[last / 2]]);
                found.extend([0, last / 3, last].map(|i| one.mirrored_tail(i)));
                let above = [-1.0, 0.0, 0.3, 9.0].map(|threshold| one.first_above(threshold));
                found.extend(above.map(|i| i.map_or(-1.0, |i| i as f64)));
            }
            for epsilon in [0.0, 0.7, 5.0, 900.0, 1500.0] {
                let delta = both.delta(epsilon);
                found.extend([delta.lo, delta.hi]);
            }
        }
        steady::holds(
            &found,
            "2.4390243902439023e-24 41.0 0.0 0.0 0.0 0.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 0.0 -1.0
             -1.0 -1.0 0.0 40.0 0.0 20.0 1.1982560567339797e-17 0.036382311365338024
             5.81352133916306e-9 0.07718583957029646 0.9591964717950415 1.0 0.8007305274442316
             1.1982560567339797e-17 20.0 21.0 21.0 30.0 0.882010632224735 0.8820106322247552
             0.8406459450326101 0.840645945032631 0.3626860104618825 0.3626860104618937 0.0 0.0
             0.0 0.0 1.0570824524312895e-25 41.0 4.0 323.73965609924056 0.0 43.0 0.0 21.5
             6.448234981897496e-19 0.024635936846662033 1.4020781336594937e-9 0.05045094853730629
             0.9741849883093557 1.0 0.8040822306691993 6.448234981897496e-19 21.0 22.0 22.0 31.0
             318.0 317.0 1.2325581395348835e-22 46.25 2.8165076639410557e-27 0.02637538076743174
             5.185689765669309e-27 0.457481647763127 0.5688937330043048 0.9999999999990407
             0.484048067243717 0.0 129.0 133.0 134.0 169.0 0.987047193650674 0.9870471936507472
             0.9817900136170391 0.9817900136171128 0.8944735941939943 0.8944735941940667 0.0
             1.2325581395348835e-22 0.0 1.2325581395348835e-22 8.333333333333333e-24 8.0 4.0 3.0
             0.0 5e-23 1170.0 1.0 1.0 1.0 1.0 1.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 7.0 0.0
             1.1666666666666667e-22 2800.0 1.0 1.0 1.0 1.0 1.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0
             0.9999999999982349 1.0 0.9999999999982345 1.0 0.9999999999982326 1.0 0.0 1.0 0.0 1.0
             3.333211115592428e-28 6163.255381762801 10.0 0.0 0.0 0.0 0.0 1.0 1.0 1.0 1.0 1.0 1.0
             1.0 1.0 0.0 -1.0 -1.0 -1.0 146995.0 6160.0 1.958861508411358e-22 6.3100000000000005
             4.963362736044579e-31 0.0014567302089381264 4.959165939693517e-31 0.5007282528151716
             0.5007284773937666 1.0 0.9993227810524721 0.0 2506.0 3006.0 3156.0 -1.0
             0.2158085908242924 0.21580859082429812 0.03613034026126425 0.03613034026126582 0.0
             2.4015623656223933e-20 0.0 1.958861508411358e-22 0.0 1.958861508411358e-22",
        );
    }
}
