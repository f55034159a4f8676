//! How fast the moments fall along a vertical line: bounds for *all* frequencies from some t on.

use super::{Line, phase, strip_exponent};
use crate::accounting::mixture::Powers;
use crate::float::U;
use crate::float::elementary::{exp, ln};

impl Line<'_> {
    /// Prepares bounds on |A(λ+it)|/A(λ) that hold for all larger t.
    #[must_use]
    pub fn decay(&self) -> Decay<'_> {
        let pair = &self.grid.pair;
        let ordered = pair.p.shifts().0 >= pair.q.shifts().1;
        let heights = if ordered { 10 } else { 0 };
        let powers: Vec<[Powers; 2]> = match heights {
            0 => Vec::new(),
            _ => {
                let variance = pair.sigma * pair.sigma;
                let at = |z: f64| [&pair.p, &pair.q].map(|side| side.powers(z, variance));
                self.grid.nodes.iter().map(|node| at(node.z)).collect()
            }
        };
        let heights = (1..=heights)
            .map(|j| self.height(self.grid.strip * 0.5f64.powi(j), &powers))
            .collect();
        Decay {
            line: self,
            heights,
        }
    }

    fn height(&self, a: f64, powers: &[[Powers; 2]]) -> Height {
        let pair = &self.grid.pair;
        let theta = a / (pair.sigma * pair.sigma);
        let shift = 0.5 * a * theta;
        let turns = [&pair.p, &pair.q].map(|side| side.turns(theta));
        let nodes = self.grid.nodes.iter().zip(&self.weights).zip(powers);
        let nodes = nodes.map(|((node, weight), [above, below])| {
            let (p, p_angle) = above.turned(&turns[0]);
            let (q, q_angle) = below.turned(&turns[1]);
            let growth =
                (1.0 + self.lambda) * (p - node.ln_q - node.loss) - self.lambda * (q - node.ln_q);
            let error = U * (1.0 + self.lambda) * (40.0 + 16.0 * (p.abs() + q.abs()));
            (
                weight * exp(growth + shift) * (1.0 + error),
                (p_angle - q_angle).max(0.0),
            )
        });
        Height {
            a,
            nodes: nodes.collect(),
        }
    }
}

/// Bounds on how fast |A(λ+it)| falls, from [`Line::decay`].
#[derive(Clone, Debug)]
pub struct Decay<'a> {
    line: &'a Line<'a>,
    heights: Vec<Height>,
}

/// The integrand's modulus on the line Im z = a.
#[derive(Clone, Debug)]
struct Height {
    a: f64,
    /// (modulus at t = 0, Im Y) at the nodes.
    nodes: Vec<(f64, f64)>,
}

impl Decay<'_> {
    /// Upper bound on ln(|A(λ+it')|/A(λ)) for *every* t' ≥ t; 0 when P has shifts below Q's.
    ///
    /// On the line Im z = a the integrand's modulus contains e^{−t'·Im Y(z+ia)} with Im Y ≥ 0, so its
    /// integral falls with t', and its value at t serves for all. It is the integral of
    /// F(z) = (f(z+ia)·f̄(z−ia))^½, itself analytic; for |Im z| ≤ b = a_max − a its modulus is at most the
    /// geometric mean of |f| at the heights a+b and |b−a|, so that the trapezoidal rule has error
    /// 2·exp(½(e(a+b) + e(|b−a|)) + ½t·phase(b−a)₊ − 2πb/h)·A(λ), e the strip exponent. The best of
    /// several heights a ≤ ½a_max is taken.
    #[must_use]
    pub fn upper(&self, t: f64) -> f64 {
        self.heights
            .iter()
            .map(|height| self.at_height(t, height))
            .fold(0.0, f64::min)
    }

    fn at_height(&self, t: f64, height: &Height) -> f64 {
        let Line {
            grid,
            lambda,
            mass,
            error,
            outside,
            ..
        } = self.line;
        let sum: f64 = height
            .nodes
            .iter()
            .map(|(m, angle)| m * exp(-t * angle))
            .sum();
        // Each angle has error 10u; the sum loses at most one u per node.
        let rounding = 1.0 + U * (20.0 * t + 16.0 + height.nodes.len() as f64);
        let (a, b) = (height.a, grid.strip - height.a);
        let exponent = |height: f64| strip_exponent(&grid.pair, height, *lambda);
        let growth = 0.5 * (exponent(grid.strip) + exponent((b - a).abs()));
        let phase = 0.5 * t * phase(&grid.pair, (b - a).max(0.0));
        let rule = 3.0 * exp(growth + phase - 2.0 * std::f64::consts::PI * b / grid.step);
        let ratio = (sum * rounding + 3.0 * (outside + error)) / mass + rule;
        ln(ratio * (1.0 + 16.0 * U)) + 8.0 * U
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::mixture::Pair;
    use super::super::Nodes;

    /// Of Gaussian noise |A(λ+it)|/A(λ) is e^{−t²μ²/2}, whatever the order.
    #[test]
    fn moments_of_gaussian_noise_fall_no_slower_than_they_are_said_to() {
        for (mu, lambda) in [(0.1, 3.0), (1.0, 0.5), (1.0, 8.0), (3.0, 2.0)] {
            let pair = Pair::gaussian(mu, 1.0);
            for tolerance in [0.1, 1.0, 3.0, 8.0, 50.0] {
                let grid = Nodes::new(&pair, lambda, 5.0 / mu, tolerance).expect("few nodes");
                let line = grid.tilt(lambda);
                let decay = line.decay();
                for share in [0.05, 0.3, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0] {
                    let (truth, found) = (-0.5 * share * share, decay.upper(share / mu));
                    assert!(
                        truth <= found && found <= 0.0,
                        "{pair:?}, {lambda}: {found}, {truth}"
                    );
                    // A height within a factor of √2 of the best one loses a sixth of it; one at which a component turns by more
                    // than half a turn is of no use.
                    if tolerance == 50.0 && share <= 4.0 && share * mu <= 2.0 {
                        assert!(
                            found <= 0.8 * truth + 1e-6,
                            "{pair:?}, {lambda}: {found}, {truth}"
                        );
                    }
                }
            }
        }
    }
}
