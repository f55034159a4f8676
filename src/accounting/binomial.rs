//! The binomial law, enclosed.

use super::AccountError;
use crate::float::Enclosure;

/// Most trials: a million masses are then not negligible.
const TRIALS_MAX: u64 = 10_000_000_000;
/// Masses below this part of the largest are not computed one by one.
const NEGLIGIBLE: f64 = 1e-300;

/// The masses that are not negligible, each enclosed: ratios of neighbours, multiplied from the mode outwards and divided
/// by their sum, so that nothing cancels.
#[derive(Clone, Debug)]
pub(super) struct Binomial {
    /// The number of successes of the first mass.
    first: u64,
    masses: Vec<Enclosure>,
    /// Upper bounds on the mass of fewer and of more successes than there are masses for.
    below: f64,
    beyond: f64,
}

impl Binomial {
    /// `trials` with probability p in (0, 1) each.
    ///
    /// # Errors
    /// More than 10¹⁰ trials.
    pub fn new(trials: u64, p: Enclosure) -> Result<Self, AccountError> {
        let rule = "must be at most 1e10";
        AccountError::check(
            trials <= TRIALS_MAX,
            "number of trials",
            trials as f64,
            rule,
        )?;
        let odds = p / (1.0 - p);
        let mode = (((trials + 1) as f64 * p.middle()) as u64).min(trials);
        let ratio = |k: u64| odds * (trials - k) as f64 / (k + 1) as f64;
        let run = |next: &dyn Fn(u64) -> Option<(u64, Enclosure)>| {
            let (mut k, mut mass, mut found) = (mode, Enclosure::point(1.0), Vec::new());
            while let Some((there, factor)) = next(k) {
                (k, mass) = (there, mass * factor);
                if mass.hi < NEGLIGIBLE {
                    return (found, geometric(mass.hi, factor.hi));
                }
                found.push(mass);
            }
            (found, 0.0)
        };
        let (up, beyond) = run(&|k| (k < trials).then(|| (k + 1, ratio(k))));
        let (mut masses, below) = run(&|k| (k > 0).then(|| (k - 1, 1.0 / ratio(k - 1))));
        let first = mode - masses.len() as u64;
        masses.reverse();
        masses.push(Enclosure::point(1.0));
        masses.extend(up);
        let zero = Enclosure::point(0.0);
        let sum =
            masses.iter().fold(zero, |sum, mass| sum + *mass) + Enclosure::new(0.0, beyond + below);
        let masses = masses.into_iter().map(|mass| mass / sum).collect();
        Ok(Self {
            first,
            masses,
            below: (below / sum.lo).next_up(),
            beyond: (beyond / sum.lo).next_up(),
        })
    }

    /// Pr\[K = k\].
    pub fn mass(&self, k: u64) -> Enclosure {
        let index = k.checked_sub(self.first).map(|j| j as usize);
        let found = index.and_then(|j| self.masses.get(j));
        found
            .copied()
            .unwrap_or(Enclosure::new(0.0, 2.0 * NEGLIGIBLE))
    }

    /// Pr\[K < k\], to as many digits where it is hardly there.
    pub fn fewer_than(&self, k: u64) -> Enclosure {
        let to = (k.saturating_sub(self.first) as usize).min(self.masses.len());
        let none = Enclosure::new(0.0, self.below);
        let sum = self.masses[..to].iter().fold(none, |sum, mass| sum + *mass);
        sum.clamp(0.0, 1.0)
    }

    /// Pr\[K ≥ k\].
    pub fn at_least(&self, k: u64) -> Enclosure {
        let from = (k.saturating_sub(self.first) as usize).min(self.masses.len());
        let smallest_first = self.masses[from..].iter().rev();
        let sum = smallest_first.fold(Enclosure::new(0.0, self.beyond), |sum, mass| sum + *mass);
        sum.clamp(0.0, 1.0)
    }
}

/// What a mass and all behind it add up to where each is at most `ratio` times the one before.
fn geometric(mass: f64, ratio: f64) -> f64 {
    // Where the ratio is close to 1, 10¹⁰ of them are bounded by their number.
    mass * (1.0 / (1.0 - ratio).max(1e-10)) * (1.0 + 1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;

    /// (C(4,k)/16) by hand, and Pr[K ≥ 2] = 11/16.
    #[test]
    fn four_coins_have_their_masses() {
        let law = Binomial::new(4, Enclosure::point(0.5)).expect("few trials");
        for (k, count) in [(0, 1.0), (1, 4.0), (2, 6.0), (3, 4.0), (4, 1.0)] {
            let mass = law.mass(k);
            assert!(
                mass.contains(count / 16.0) && mass.width() < 1e-14,
                "{k}: {mass:?}"
            );
        }
        assert!(law.at_least(2).contains(11.0 / 16.0));
        assert!(law.at_least(5).hi < 1e-290);
        assert!(law.fewer_than(2).contains(5.0 / 16.0));
        assert!(law.fewer_than(0).hi < 1e-290 && law.fewer_than(9).contains(1.0));
    }

    /// Fewer than two of 100 where nearly all are expected: 0.1¹⁰⁰ + 100·0.9·0.1⁹⁹ = 901·10⁻¹⁰⁰.
    #[test]
    fn what_is_hardly_there_is_known_to_as_many_digits() {
        let law = Binomial::new(100, Enclosure::point(0.9)).expect("few trials");
        let rare = law.fewer_than(2);
        // 0.9 and 0.1 are not doubles: 99 factors are off by 10⁻¹⁶ each.
        assert!((rare.middle() / 901e-100 - 1.0).abs() < 1e-12, "{rare:?}");
        assert!(rare.width() < 1e-12 * rare.lo, "{rare:?}");
    }

    /// A million trials: mean and variance from the masses are np and np(1−p), by which a wrong ratio would show.
    #[test]
    fn a_million_trials_have_their_mean_and_variance() {
        let (n, p) = (1_000_000u64, 0.01);
        let law = Binomial::new(n, Enclosure::point(p)).expect("not too many");
        let (mut mean, mut square) = (Enclosure::point(0.0), Enclosure::point(0.0));
        for k in 0..20_000u64 {
            let mass = law.mass(k);
            mean = mean + mass * k as f64;
            square = square + mass * (k as f64 - 1e4) * (k as f64 - 1e4);
        }
        assert!(
            (mean.middle() - 1e4).abs() < 1e-6 && mean.width() < 1e-5,
            "{mean:?}"
        );
        assert!((square.middle() - 9_900.0).abs() < 1e-4, "{square:?}");
    }

    /// Σ_{k≥0} rᵏ, rounded up; and where r is about 1, no more terms than there can be.
    #[test]
    fn a_geometric_tail_is_bounded_by_its_series() {
        for (ratio, whole) in [
            (0.0, 1.0),
            (0.5, 2.0),
            (0.75, 4.0),
            (1.0 - 0.5f64.powi(20), 1048576.0),
        ] {
            for mass in [1e-200, 0.3] {
                let found = geometric(mass, ratio);
                assert!(
                    found >= mass * whole && found < mass * whole * (1.0 + 1e-8),
                    "{ratio}"
                );
            }
        }
        assert!((9e9..2e10).contains(&geometric(1.0, 1.0)));
    }

    #[test]
    fn masses_and_tails_are_what_they_were() {
        let mut marks = Vec::new();
        for (trials, p) in [
            (0, 0.3),
            (1, 0.5),
            (30, 0.01),
            (1000, 0.999),
            (2_000_000, 1e-4),
        ] {
            let law = Binomial::new(trials, Enclosure::point(p)).expect("few trials");
            let mut found = vec![law.first as f64, law.masses.len() as f64];
            found.extend([law.below, law.beyond]);
            for k in [0, 1, 7, trials / 2, trials, trials + 1] {
                for end in [law.mass(k), law.fewer_than(k), law.at_least(k)] {
                    found.extend([end.lo, end.hi]);
                }
            }
            marks.push(steady::mark(&found));
        }
        marks.push(geometric(0.3, 0.7));
        steady::holds(
            &marks,
            "7470479869076720.0 1802616542014968.0 8876956423169655.0 6734133809432052.0
         8632558535688648.0 1.0000000009999999",
        );
        let told = Binomial::new(TRIALS_MAX + 1, Enclosure::point(0.5)).expect_err("too many");
        assert!(told.to_string().contains("number of trials"), "{told}");
    }
}
