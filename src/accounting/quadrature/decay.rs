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
    use super::super::super::steady;
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

    #[test]
    fn what_a_fall_is_made_of_is_what_it_was() {
        let mut found = Vec::new();
        let sampled = [Pair::removal(0.2, 1.0), Pair::addition(0.2, 1.0)];
        for pair in [
            Pair::gaussian(0.7, 1.0),
            sampled[0].clone(),
            sampled[1].clone(),
        ] {
            let grid = Nodes::new(&pair, 6.0, 9.0, 12.0).expect("few nodes");
            let line = grid.tilt(2.5);
            let decay = line.decay();
            for height in &decay.heights {
                found.extend([0.3, 8.0].map(|t| decay.at_height(t, height)));
            }
            found.extend([grid.step, grid.strip, line.mass, line.error, line.outside]);
            found.extend([line.log_mass, line.log_mass_error]);
            for t in [0.0, 0.4, 7.0] {
                let ((ratio, off), (excess, beside)) = (line.characteristic(t), line.excess(t));
                found.extend([ratio.re, ratio.im, off, excess.re, excess.im, beside]);
            }
        }
        steady::holds(
            &found,
            "12.50000000020611 12.500000000206128 2.600004107165332 -9.508430856252932
             0.5187829163231318 -6.19136471118982 0.0641143651304314 -3.30318231672114
             -0.016740641993166723 -1.7008688681223854 -0.020549021172185537 -0.8626619339958606
             -0.013298452417989505 -0.434362859728037 -0.007384476226362097 -0.2179182960337287
             -0.0038553145823287532 -0.1091225895260516 -0.0019476902798295584
             -0.054581414540209754 0.5 10.0 5.019527038187685 4.122222624869855e-14
             9.25231201077179e-5 2.14375 1.8616963445799797e-5 1.0 0.0 3.7233926882589575e-5
             7.53137035609598 0.0 0.00030935453677783715 0.8000663203048646 0.5333745380818664
             3.7233926883020816e-5 5.825662087891442 4.5504157230153375 0.00031020283696960585
             -3.964472198009996e-6 -4.653888178660486e-6 3.7233926890136245e-5
             -1.0000338227220538 -3.9705002918106105e-5 0.0004704373633082107
             0.0002830891103132312 -1.2484622219887347 -0.01978190968961841 -0.814173605816671
             -0.014768709666079417 -0.46351509587742323 -0.00857677217542817 -0.24688442338102257
             -0.004565154225332974 -0.12731058966726794 -0.002330968717626965
             -0.06461302325028291 -0.0011568385530754488 -0.03252647051039687
             -0.0005555205809249431 -0.016297624293780788 -0.00025129914130057077
             -0.00813667677777188 -9.829790178975073e-5 -0.004044556000569352 0.318359375 1.2
             13.94291899970191 1.1478526555949418e-13 0.0002570057771202285 0.4971759962587028
             1.861703672853551e-5 0.9999999999999999 0.0 3.723407344858744e-5 0.6440718438213183
             0.0 0.00017985576833630255 0.9299135159203322 0.2089287129075735
             3.723407344922799e-5 0.5288446287183073 0.3434938142246395 0.0001807040685590539
             0.23365166329411438 -0.053206864357899626 3.7234073459797235e-5 -0.6158598790636126
             -0.08747590790391967 0.0003409385947466414 0.20348398195237105 -0.2901427821741944
             0.04515135707779129 -0.22339122750116838 0.0084719919233859 -0.13165727816818615
             0.0007328652383739656 -0.07087061518629396 -0.0004883910730675308
             -0.03668583784922196 -0.00043713947693878097 -0.018636279163492798
             -0.0002460664104031636 -0.0093709276934015 -0.00010917077168308087
             -0.004677941186016286 -3.038350728809368e-5 -0.0023163487670750118
             1.1594945229433849e-5 -0.0011317750501572323 0.3046875 1.2 7.389188503036887
             2.0832305305540656e-14 0.000136202229844306 0.13908604995119705
             1.8616963441578642e-5 1.0 0.0 3.723392687494182e-5 0.1492229861745989 0.0
             0.00017054567920754554 0.9982704719586623 0.03225885932278202 3.723392687506229e-5
             0.14723537279398927 0.0370726226215011 0.00017139397942369695 0.5812141025816236
             0.503397473438263 3.723392687705001e-5 -0.332055393489793 0.5785159472976935
             0.00033162850562542336",
        );
    }
}
