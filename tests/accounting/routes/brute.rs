//! Finite laws, multiplied out: a second route that knows nothing of lattices, tilts or inversions.

use std::collections::BTreeMap;

/// Masses of the outcomes under two neighbours.
#[derive(Clone, Debug)]
pub struct Pair(Vec<(f64, f64)>);

/// Σ over the outcomes of w·masses, for one (w, masses) after the other.
pub fn mixture(parts: &[(f64, &[f64])]) -> Vec<f64> {
    let mut sum = vec![0.0; parts[0].1.len()];
    for (weight, masses) in parts {
        assert_eq!(masses.len(), sum.len());
        for (total, mass) in sum.iter_mut().zip(*masses) {
            *total += weight * mass;
        }
    }
    sum
}

impl Pair {
    pub fn new(p: &[f64], q: &[f64]) -> Self {
        for masses in [p, q] {
            let total: f64 = masses.iter().sum();
            assert!((total - 1.0).abs() < 1e-12, "{total}");
        }
        Self(p.iter().copied().zip(q.iter().copied()).collect()).merged()
    }

    pub fn reversed(&self) -> Self {
        Self(self.0.iter().map(|&(p, q)| (q, p)).collect())
    }

    /// Outcomes of the same likelihood ratio are one; up to 10⁻¹⁰ of a nat.
    fn merged(self) -> Self {
        let mut by_loss: BTreeMap<i64, (f64, f64)> = BTreeMap::new();
        for (p, q) in self.0 {
            let loss = if p == 0.0 && q == 0.0 {
                continue;
            } else {
                ((p / q).ln() * 1e10).round() as i64 // an infinite one is the largest number
            };
            let entry = by_loss.entry(loss).or_default();
            *entry = (entry.0 + p, entry.1 + q);
        }
        Self(by_loss.into_values().collect())
    }

    /// Both after one another.
    pub fn then(&self, other: &Self) -> Self {
        let product = self.0.iter().flat_map(|&(p, q)| {
            let after = other.0.iter();
            after.map(move |&(r, s)| (p * r, q * s))
        });
        Self(product.collect()).merged()
    }

    pub fn times(&self, count: u64) -> Self {
        (1..count).fold(self.clone(), |product, _| product.then(self))
    }

    /// δ(ε) = Σ (p − e^ε q)₊.
    pub fn delta(&self, epsilon: f64) -> f64 {
        let grown = epsilon.exp();
        let excess = self.0.iter().map(|&(p, q)| (p - grown * q).max(0.0));
        excess.sum()
    }

    /// The least ε ≥ 0 with δ(ε) ≤ δ, by bisection; ∞ if there is none below 100.
    pub fn epsilon(&self, delta: f64) -> f64 {
        if self.delta(0.0) <= delta {
            return 0.0;
        }
        let (mut low, mut high) = (0.0, 100.0);
        if self.delta(high) > delta {
            return f64::INFINITY;
        }
        while high - low > 1e-13 * (1.0 + high) {
            let middle = 0.5 * (low + high);
            if self.delta(middle) > delta {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }
}
