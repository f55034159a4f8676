//! Noise for a budget, always from the safe side.
//!
//! The paper searches a box of σ_cor for each σ_cdp of a grid (`decor-alg-D1u`). All pairs of slope s are one curve
//! (`decor-drv-5`):
//! σ_cdp² = 2C²φ_q(ρ)/s and σ_cor² = ρσ_cdp², ρ ∈ [0, ∞): from local noise at ρ = 0 to the least σ_cdp
//! that any correlated noise allows, which no finite ρ reaches.

use super::{Adversary, DecorError, Noise, optimized};
use crate::accounting::{gdp, root};
use crate::float::Enclosure;
use crate::float::elementary::{exp, ln};
use crate::graph::Graph;
use crate::units::{Delta, Epsilon};

/// What the noise is for.
///
/// ```
/// use dp_assay::accounting::decor::Adversary;
/// use dp_assay::accounting::decor::search::SlopeBudget;
/// use dp_assay::problem::Graph;
/// use dp_assay::units::{Delta, Epsilon};
///
/// // 100 steps at (10, 10⁻⁵) against an outsider, gradients clipped at 1.
/// let (epsilon, delta) = (Epsilon::new(10.0)?, Delta::new(1e-5)?);
/// let budget = SlopeBudget::new(epsilon, delta, 100, 1.0, Adversary::Eavesdropper)?;
/// let graph = Graph::ring(8)?;
/// // Noise shared with the neighbours saves own noise, but not all of it.
/// let noise = budget.pair(&graph, 10.0)?;
/// assert!(budget.central(8)?.cdp() < noise.cdp() && noise.cdp() < budget.local()?.cdp());
/// assert!(budget.infimum(&graph)? <= noise.cdp());
/// // Local noise and three more pairs.
/// assert_eq!(budget.frontier(&graph, 3)?.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlopeBudget {
    /// The slope s that one step may have; see [`SlopeBudget::new`].
    pub slope: f64,
    /// Clipping threshold C.
    pub clip: f64,
    /// Against whom.
    pub adversary: Adversary,
}

/// Ends of the search for ρ; beyond them the pair is local noise, or σ_cdp at its least, to 10⁻¹⁵.
const RHO: (f64, f64) = (1e-18, 1e18);
/// Bisections of ln ρ, after which the bracket is narrower than rounding.
const HALVINGS: usize = 60;
/// Bisections of ln ρ, after which ρ is right to 18 %: enough for the ends of a curve.
const FEW_HALVINGS: usize = 9;

impl SlopeBudget {
    /// The budget of T steps at (ε, δ): the slope s = μ²/2T, rounded down, of the μ that the
    /// Gaussian mechanism may have.
    ///
    /// # Errors
    /// T = 0; δ ∈ {0, 1}.
    pub fn new(
        epsilon: Epsilon,
        delta: Delta,
        steps: u64,
        clip: f64,
        adversary: Adversary,
    ) -> Result<Self, DecorError> {
        if steps == 0 {
            return Err(DecorError::Parameter {
                name: "steps",
                value: 0.0,
                rule: "must be at least 1",
            });
        }
        //= decor-drv-2
        let mu = Enclosure::point(gdp::mu_of(epsilon, delta)?.lo.max(0.0));
        let steps = Enclosure::new((steps as f64).next_down(), (steps as f64).next_up());
        Ok(Self {
            slope: (mu.square() / (2.0 * steps)).lo.max(0.0),
            clip,
            adversary,
        })
    }

    /// The noise of the local baseline: σ_cdp = C√2/√s rounded up, nothing shared.
    ///
    /// # Errors
    /// A slope of 0.
    pub fn local(&self) -> Result<Noise, DecorError> {
        //= decor-base-ldp
        let cdp = (2.0 * Enclosure::point(self.clip).square() / self.slope).sqrt();
        Noise::new(cdp.hi, 0.0, self.clip)
    }

    /// The noise of the central baseline on n users, σ_cdp = C√2/√(ns) rounded up: it protects the
    /// average of the users' gradients alone, not what they send.
    ///
    /// # Errors
    /// A slope of 0.
    pub fn central(&self, users: usize) -> Result<Noise, DecorError> {
        //= decor-base-cdp
        let share = Enclosure::point(self.slope) * users as f64;
        let cdp = (2.0 * Enclosure::point(self.clip).square() / share).sqrt();
        Noise::new(cdp.hi, 0.0, self.clip)
    }

    /// The pair with this ratio ρ = σ_cor²/σ_cdp² ≥ 0 whose slope is the budget's, or less by
    /// rounding.
    ///
    /// # Errors
    /// q ≥ n; no finite noise.
    pub fn pair(&self, graph: &Graph, rho: f64) -> Result<Noise, DecorError> {
        //= decor-drv-5
        let q = self.adversary.colluders(graph.n())?;
        let (phi, _) = optimized::worst(graph, rho, q);
        let mut least = (2.0 * Enclosure::point(self.clip).square() * phi.upper) / self.slope;
        for _ in 0..100 {
            let cdp = least.sqrt().hi;
            let cor = if rho > 0.0 {
                (Enclosure::point(rho).sqrt() * cdp).hi
            } else {
                0.0
            };
            let noise = Noise::new(cdp, cor, self.clip)?;
            if optimized::slope(graph, &noise, self.adversary)?.upper <= self.slope {
                return Ok(noise);
            }
            // Rounding: a few more units of noise.
            least = least * (1.0 + 1e-14);
        }
        Err(DecorError::Parameter {
            name: "slope per step",
            value: self.slope,
            rule: "is not met by its own noise within rounding",
        })
    }

    /// The least σ_cor that goes with this σ_cdp, safe, to about 10⁻¹⁵ relative.
    ///
    /// # Errors
    /// σ_cdp below what even infinite σ_cor needs.
    pub fn correlated(&self, graph: &Graph, sigma_cdp: f64) -> Result<Noise, DecorError> {
        let safe = |rho: f64| -> Result<Option<Noise>, DecorError> {
            let cor = rho.sqrt() * sigma_cdp;
            let noise = Noise::new(sigma_cdp, cor, self.clip)?;
            let slope = optimized::slope(graph, &noise, self.adversary)?;
            Ok((slope.upper <= self.slope).then_some(noise))
        };
        if let Some(local) = safe(0.0)? {
            return Ok(local);
        }
        //= decor-alg-D1u
        // Along the curve of decor-drv-5, which has no box.
        //= decor-D1-mono
        let Some(mut found) = safe(RHO.1)? else {
            return Err(DecorError::Parameter {
                name: "sigma-cdp",
                value: sigma_cdp,
                rule: "is too small for this budget, whatever sigma-cor is",
            });
        };
        root::try_halve(ln(RHO.0), ln(RHO.1), HALVINGS, |log| {
            let noise = safe(exp(log))?;
            found = noise.unwrap_or(found);
            Ok::<_, DecorError>(noise.is_none())
        })?;
        Ok(found)
    }

    /// The least σ_cdp that goes with this σ_cor, safe, to about 10⁻¹⁵ relative.
    ///
    /// # Errors
    /// q ≥ n; no finite noise.
    pub fn uncorrelated(&self, graph: &Graph, sigma_cor: f64) -> Result<Noise, DecorError> {
        let local = self.pair(graph, 0.0)?.cdp();
        // At σ_cdp = local/√n the slope of an n-vertex component exceeds the budget.
        let least = 0.5 * local / (graph.n() as f64).sqrt();
        let mut found = Noise::new(local, sigma_cor, self.clip)?;
        root::try_halve(ln(least), ln(local), HALVINGS, |log| {
            let noise = Noise::new(exp(log), sigma_cor, self.clip)?;
            let spends = optimized::slope(graph, &noise, self.adversary)?.upper > self.slope;
            found = if spends { found } else { noise };
            Ok::<_, DecorError>(spends)
        })?;
        Ok(found)
    }

    /// The σ_cdp that no correlated noise goes below, and none reaches unless it is that of local
    /// noise; rounded down.
    ///
    /// # Errors
    /// q ≥ n; a slope of 0.
    pub fn infimum(&self, graph: &Graph) -> Result<f64, DecorError> {
        let q = self.adversary.colluders(graph.n())?;
        let (phi, _) = optimized::worst(graph, RHO.1, q);
        // φ is at least 1/n (decor-drv-1), and falls by at most 1/(ρλ₂) from here on, where
        // λ₂ ≥ 4/n² on every component (Mohar 1991: λ₂ ≥ 4/(n·diameter)).
        let n = graph.n() as f64;
        let rest = 0.25 * n * n / RHO.1;
        let limit = (phi.lower - rest).max(1.0 / n) * (1.0 - 2.0 * f64::EPSILON);
        let least = 2.0 * Enclosure::point(self.clip).square() * limit / self.slope;
        Ok(least.sqrt().lo)
    }

    /// The pair with the least σ_cor, to 10 %, whose σ_cdp² exceeds its infimum by at most this part.
    ///
    /// # Errors
    /// As [`Self::pair`].
    pub fn least_correlated(&self, graph: &Graph, excess: f64) -> Result<Noise, DecorError> {
        let limit = self.phi(graph, RHO.1)?;
        self.pair(graph, self.ratio(graph, (1.0 + excess) * limit)?)
    }

    /// The whole curve of pairs, none better than another in both scales: local noise, then `points`
    /// ratios in geometric progression, from where σ_cdp² has come 1 % of its way from local noise to its
    /// infimum to where 0.1 % is left. Local noise alone where correlation does not help. Each pair keeps the
    /// budget by the upper bound of its slope, as in [`Self::pair`].
    ///
    /// # Errors
    /// As [`Self::pair`].
    pub fn frontier(&self, graph: &Graph, points: usize) -> Result<Vec<Noise>, DecorError> {
        let limit = self.phi(graph, RHO.1)?;
        let local = std::iter::once(0.0);
        if limit >= 1.0 {
            return local.map(|rho| self.pair(graph, rho)).collect();
        }
        let at = |left: f64| self.ratio(graph, limit + left * (1.0 - limit));
        let (first, last) = (ln(at(0.99)?), ln(at(0.001)?));
        let share = |k: usize| k as f64 / points.max(2).saturating_sub(1) as f64;
        let rhos = local.chain((0..points).map(|k| exp(first + (last - first) * share(k))));
        rhos.map(|rho| self.pair(graph, rho)).collect()
    }

    /// φ_q(ρ), rounded up.
    fn phi(&self, graph: &Graph, rho: f64) -> Result<f64, DecorError> {
        let q = self.adversary.colluders(graph.n())?;
        Ok(optimized::worst(graph, rho, q).0.upper)
    }

    /// About the least ρ with φ_q(ρ) ≤ `level`, from above; 0 if it is met there.
    fn ratio(&self, graph: &Graph, level: f64) -> Result<f64, DecorError> {
        if level >= 1.0 {
            return Ok(0.0);
        }
        let exceeds = |log| Ok::<_, DecorError>(self.phi(graph, exp(log))? > level);
        let (_, least) = root::try_halve(ln(RHO.0), ln(RHO.1), FEW_HALVINGS, exceeds)?;
        Ok(exp(least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;

    /// What meets the level exactly is enough.
    #[test]
    fn a_ratio_that_meets_the_level_is_taken() {
        let ring = Graph::ring(7).expect("small");
        let (epsilon, delta) = (Epsilon::new(3.0), Delta::new(1e-5));
        let (epsilon, delta) = (epsilon.expect("in range"), delta.expect("a delta"));
        let adversary = Adversary::Eavesdropper;
        let budget = SlopeBudget::new(epsilon, delta, 40, 0.7, adversary).expect("steps");
        // Where halving looks first.
        let middle = exp(0.5 * (ln(RHO.0) + ln(RHO.1)));
        let level = budget.phi(&ring, middle).expect("users");
        assert!(budget.ratio(&ring, level).expect("users") <= middle);
    }

    #[test]
    fn noise_within_a_budget_is_what_it_was() {
        let knot = [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (2, 4), (4, 5)];
        let knot = Graph::new(6, &knot).expect("a graph");
        let ring = Graph::ring(7).expect("small");
        let mut found = Vec::new();
        for (graph, adversary) in [
            (&knot, Adversary::Eavesdropper),
            (&ring, Adversary::Curious),
            (&ring, Adversary::Eavesdropper),
        ] {
            let (epsilon, delta) = (Epsilon::new(3.0), Delta::new(1e-5));
            let (epsilon, delta) = (epsilon.expect("in range"), delta.expect("a delta"));
            let budget = SlopeBudget::new(epsilon, delta, 40, 0.7, adversary).expect("steps");
            found.push(budget.slope);
            let local = budget.local().expect("a slope");
            let least = budget.infimum(graph).expect("users");
            let pairs = [0.0, 2.0].map(|rho| budget.pair(graph, rho).expect("a slope"));
            let fewest = budget.least_correlated(graph, 0.1).expect("a slope");
            let middle = 0.5 * (least + local.cdp());
            let own = budget.correlated(graph, middle).expect("enough");
            let shared = budget.uncorrelated(graph, 3.0).expect("a slope");
            let central = budget.central(graph.n()).expect("a slope");
            found.push(least);
            for noise in [local, central, pairs[0], pairs[1], fewest, own, shared] {
                found.extend([noise.cdp(), noise.cor()]);
            }
            for noise in budget.frontier(graph, 4).expect("a slope") {
                found.extend([noise.cdp(), noise.cor()]);
            }
        }
        steady::holds(
            &found,
            "0.006464123570499605 5.026695612442454 12.31283934277101 0.0 5.0266956124424595 0.0
         12.31283934277101 0.0 8.370605690202735 11.837824092362114 5.239599328791912
         42.98932022578898 8.669767477606733 11.18603421160707 11.961818178120273 3.0
         12.31283934277101 0.0 12.257447475283984 1.1718412752791831 10.529294818614916
         7.216668994122468 5.58104380490075 27.423424177380642 5.038707301382633
         177.4982726091908 0.006464123570499605 5.026695612442422 12.31283934277101 0.0
         4.653815833437725 0.0 12.31283934277101 0.0 8.709680802327036 12.317348714591478
         5.261038015735047 50.75121454673373 8.669767477606715 12.431990116583242
         11.9628739211793 3.0 12.31283934277101 0.0 12.257451869074101 1.17184169533602
         10.422195008076278 7.745562183440426 5.624679761280108 32.49500073437398
         5.038088456511009 226.26091463352765 0.006464123570499605 4.6538158334377195
         12.31283934277101 0.0 4.653815833437725 0.0 12.31283934277101 0.0 7.164577422839514
         10.132242560051722 4.868325702558688 31.330936461862194 8.483327588104364
         7.879571641057275 11.604776310357709 3.0 12.31283934277101 0.0 12.254642992713933
         0.8475091851936795 10.305497968110679 5.249285959674342 5.2354958921112855
         19.64158691845278 4.665974653828804 128.92840956308012",
        );
    }
}
