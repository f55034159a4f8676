//! Algorithms 2 and 4 of kl without most of their steps, in the law of their result.
//!
//! f(w; z) = ‖w−z‖²/2 up to ‖w−z‖ = L₀ and linear beyond, z in the plane, L̃₁ = 1/2. With c the centre of a call, z̄ the mean of the
//! records and u = w − c, a step is u_t − u* = (1 − 4/t)(u_{t−1} − u*) − (2σ/t)ξ_t, u* = (z̄−c)/2, where neither the ball of the call
//! nor a knee is reached. Steps are taken one by one until none of the rest reaches them but with probability [`MISSED`]; the rest
//! then adds a normal vector to the average. So the law of a call's result is the algorithm's up to `MISSED` in total variation.

use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::risk::Risk;
use crate::problem::rows::norm;
use crate::solver::kl::RegularisedRule;

/// For one call.
pub(super) const MISSED: f64 = 1e-12;

/// A block of steps ends at this many times its begin.
const BLOCK: f64 = 1.1;

/// L̃₁.
pub(super) const CURVATURE: f64 = 0.5;

type Plane = [f64; 2];

/// Four records of norm 1, and L₀.
#[derive(Clone)]
pub(super) struct Cut {
    pub(super) knee: f64,
}

const RECORDS: [Plane; 4] = [[1.0, 0.0], [0.6, 0.8], [0.0, 1.0], [-0.8, 0.6]];

/// z̄.
pub(super) const MEAN: Plane = [0.2, 0.6];

fn minus(a: &[f64], b: &Plane) -> Plane {
    [a[0] - b[0], a[1] - b[1]]
}

impl Risk for Cut {
    fn dimension(&self) -> usize {
        2
    }

    fn records(&self) -> usize {
        RECORDS.len()
    }

    fn value(&self, w: &[f64]) -> f64 {
        let one = |z: &Plane| {
            let (r, knee) = (norm(&minus(w, z)), self.knee);
            let inner = r.min(knee);
            inner * (r - 0.5 * inner)
        };
        RECORDS.iter().map(one).sum::<f64>() / RECORDS.len() as f64
    }

    fn gradient(&self, w: &[f64], gradient: &mut [f64]) {
        gradient.fill(0.0);
        let mut one = [0.0; 2];
        for i in 0..RECORDS.len() {
            self.record_gradient(i, w, &mut one);
            for (g, one) in gradient.iter_mut().zip(one) {
                *g += one / RECORDS.len() as f64;
            }
        }
    }

    fn record_gradient(&self, i: usize, w: &[f64], gradient: &mut [f64]) {
        let away = minus(w, &RECORDS[i]);
        let shrink = (self.knee / norm(&away)).min(1.0);
        gradient.copy_from_slice(&away.map(|a| shrink * a));
    }
}

/// The result of so many calls from 0.
pub(super) fn result(risk: &Cut, calls: u64, rule: RegularisedRule, tape: Tape) -> Plane {
    // Addresses of the tape are 48 bits long; that many steps of a call are never taken one by one.
    let stride = rule.length.min(1 << 32);
    let call = |centre, i| {
        let call = Call {
            risk,
            rule,
            tape,
            first: i * stride,
            drawn: true,
        };
        call.run(centre).0
    };
    (0..calls).fold([0.0; 2], call)
}

/// A call of Algorithm 4, whose noise begins at step `first` of the tape.
struct Call<'a> {
    risk: &'a Cut,
    rule: RegularisedRule,
    tape: Tape,
    first: u64,
    /// Whether the sum of the noise that is left is drawn; otherwise it is summed up, for comparison.
    drawn: bool,
}

impl Call<'_> {
    /// The average, and how many steps were taken one by one.
    fn run(&self, centre: Plane) -> (Plane, u64) {
        let far = RECORDS.iter().map(|z| norm(&minus(z, &centre)));
        let linear = self.risk.knee - far.fold(0.0, f64::max);
        let (room, rest) = (
            linear.min(self.rule.radius),
            minus(&MEAN, &centre).map(|e| 0.5 * e),
        );
        let (mut u, mut sum, mut gradient) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        let (mut t, mut next) = (0, 1024);
        while t + 1 < self.rule.length {
            if t == next {
                if self.reached(room - norm(&u).max(norm(&rest)), t) <= MISSED {
                    self.leap(t, u, rest, &mut sum);
                    break;
                }
                next += next / 8;
            }
            t += 1;
            let w = [centre[0] + u[0], centre[1] + u[1]];
            if norm(&u) <= linear {
                gradient = minus(&w, &MEAN);
            } else {
                self.risk.gradient(&w, &mut gradient);
            }
            let noise = self.noise(t);
            for k in 0..2 {
                u[k] -= 2.0 / t as f64 * (gradient[k] + self.rule.deviation * noise[k] + u[k]);
            }
            let shrink = (self.rule.radius / norm(&u)).min(1.0);
            u = u.map(|u| u * shrink);
            for (sum, u) in sum.iter_mut().zip(u) {
                *sum += (t + 1) as f64 * u;
            }
        }
        let all = self.rule.length as f64;
        let share = 2.0 / (all * (all + 1.0));
        let average = [0, 1].map(|k| centre[k] + share * sum[k]);
        (average, t)
    }

    fn noise(&self, t: u64) -> Plane {
        let mut noise = [0.0; 2];
        self.tape
            .stream(self.first + t, Purpose::Release, 0)
            .gaussians(&mut noise);
        noise
    }

    /// At least the probability that noise carries an iterate behind step t further than `free` from its mean: Lévy's inequality,
    /// P(max ‖M_s‖ > x) ≤ 2P(‖M‖ > x) for sums of normal vectors, on blocks of steps each a tenth as long as what is before it.
    fn reached(&self, free: f64, t: u64) -> f64 {
        if free <= 0.0 {
            return 1.0;
        }
        let (mut s, mut total) = (t as f64, 0.0);
        while s < self.rule.length as f64 {
            total += 2.0 * (-free * free / (2.0 * self.variance(s))).exp();
            s *= BLOCK;
        }
        total
    }

    /// At least the variance of Σ_{j≤end} (j−1)(j−2)(j−3)·2σξ_j, the end of the block from s on, over the least square of what it is
    /// divided by there: the noise in u_s is 2σ Σ_{j≤s} (j−1)(j−2)(j−3)ξ_j/(s(s−1)(s−2)(s−3)).
    fn variance(&self, s: f64) -> f64 {
        4.0 * self.rule.deviation.powi(2) * (BLOCK * s).powi(7) / (7.0 * (s - 3.0).powi(8))
    }

    /// Adds the steps behind t, at which u is what it is.
    fn leap(&self, t: u64, u: Plane, rest: Plane, sum: &mut Plane) {
        let (now, weights) = (t as f64, Weights::of(self.rule.length));
        let all = self.rule.length as f64;
        let number = 0.5 * (all * (all + 1.0) - (now + 1.0) * (now + 2.0));
        let decayed = now * weights.at(now) - (now + 1.0);
        let noise = if self.drawn {
            let deviation = weights.square(t + 1).sqrt();
            self.noise(t + 1).map(|g| deviation * g)
        } else {
            (t + 1..self.rule.length).fold([0.0; 2], |[x, y], j| {
                let (weight, [a, b]) = (weights.at(j as f64), self.noise(j));
                [x + weight * a, y + weight * b]
            })
        };
        for k in 0..2 {
            sum[k] += rest[k] * number + (u[k] - rest[k]) * decayed
                - 2.0 * self.rule.deviation * noise[k];
        }
    }
}

/// φ_j = (1/j) Σ_{j≤s<T} (s+1)P(s)/P(j), 1/P(s) = s(s−1)(s−2)(s−3): −2σφ_j is by how much ξ_j moves Σ_s (s+1)u_s.
struct Weights {
    all: f64,
    cubic: f64,
}

impl Weights {
    fn of(length: u64) -> Self {
        let all = length as f64;
        let cubic = (0.5 * all - 1.0 / 6.0) / ((all - 1.0) * (all - 2.0) * (all - 3.0));
        Self { all, cubic }
    }

    fn at(&self, j: f64) -> f64 {
        0.5 * j - 1.0 / 6.0 - self.cubic * (j - 1.0) * (j - 2.0) * (j - 3.0)
    }

    /// Σ φ_j² over first ≤ j < T, up to a part of about 1/T²: the integral, by a rule that is exact for degree 7.
    fn square(&self, first: u64) -> f64 {
        const NODES: [(f64, f64); 2] = [
            (0.339_981_043_584_856_3, 0.652_145_154_862_546_1),
            (0.861_136_311_594_052_6, 0.347_854_845_137_453_9),
        ];
        let (from, to) = (first as f64 - 0.5, self.all - 0.5);
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        let term = |(x, weight): (f64, f64)| {
            let [a, b] = [middle - half * x, middle + half * x].map(|j| self.at(j).powi(2));
            weight * (a + b)
        };
        half * NODES.into_iter().map(term).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::binomial::tail_upper;
    use crate::solver::kl::{Budget, Regularised, Variant, optimized};
    use crate::units::{Neighbouring, Rho};

    /// What the solver does step by step is what a leap gives for the same noise, over five calls; the first noise is so large that
    /// iterates are projected and go beyond knees.
    #[test]
    fn a_leap_is_the_solver_s_result_for_the_same_noise() {
        let risk = Cut { knee: 8.0 };
        let inputs = Regularised {
            beta: 0.01,
            lipschitz: risk.knee,
            weak_convexity: CURVATURE,
            length: Some(30_000),
        };
        let (rho, neighbours) = (Rho::new(1e5).expect("positive"), Neighbouring::ReplaceOne);
        let variant = Variant::Repaired;
        let budget = Budget {
            rho,
            neighbours,
            variant,
        };
        let rule = inputs.part(5, rho.get(), 4, 2).expect("a rule");
        assert_eq!(risk.value(&MEAN), {
            let square = |z: &Plane| norm(&minus(z, &MEAN)).powi(2);
            RECORDS.iter().map(square).sum::<f64>() / 8.0
        });
        for trial in 0..3 {
            let tape = Tape::new(5).trial(trial);
            let run = optimized::proximal(&risk, &[0.0; 2], &inputs, 5, &budget, tape, &mut |_| ());
            let point = run.expect("a run").point;
            let mut centre = [0.0; 2];
            for i in 0..5 {
                let first = i * rule.length;
                let (risk, drawn) = (&risk, false);
                let call = Call {
                    risk,
                    rule,
                    tape,
                    first,
                    drawn,
                };
                let steps;
                (centre, steps) = call.run(centre);
                assert!((1024..20_000).contains(&steps), "{steps}");
            }
            let apart = norm(&minus(&point, &centre));
            assert!(
                apart < 1e-10 && norm(&minus(&point, &MEAN)) > 1e-4,
                "{apart}"
            );
        }
    }

    #[test]
    fn the_sum_of_squares_of_the_weights_is_that_term_by_term() {
        for (first, length) in [(1_000, 10_000_u64), (5_000, 100_000)] {
            let weights = Weights::of(length);
            let sum: f64 = (first..length).map(|j| weights.at(j as f64).powi(2)).sum();
            assert!((weights.square(first) / sum - 1.0).abs() < 1e-6);
        }
    }

    /// Noise of deviation 1 over 4,000 steps, where nothing is reached.
    fn free_call(risk: &Cut, trial: u64) -> Call<'_> {
        let rule = RegularisedRule {
            length: 4_000,
            deviation: 1.0,
            radius: 1e9,
        };
        Call {
            risk,
            rule,
            tape: Tape::new(9).trial(trial),
            first: 0,
            drawn: true,
        }
    }

    /// The bound on the variance is above the exact one at every step of a block, and half of it is not: what is said of the noise is
    /// right to a factor of 2 (1.1⁷ = 1.95).
    #[test]
    fn the_variance_of_the_noise_is_bounded_closely() {
        let risk = Cut { knee: 1e9 };
        let (call, mut sum, mut exact) = (free_call(&risk, 0), 0.0, vec![0.0; 4]);
        for s in 4..4_000 {
            let s = f64::from(s);
            let product = (s - 1.0) * (s - 2.0) * (s - 3.0);
            sum += 4.0 * product * product;
            exact.push(sum / (s * product).powi(2));
        }
        for begin in [1_024, 1_500, 3_000] {
            let bound = call.variance(begin as f64);
            let end = (BLOCK * begin as f64) as usize;
            let largest = exact[begin..=end].iter().copied().fold(0.0, f64::max);
            assert!(
                (0.5..1.0).contains(&(largest / bound)),
                "{largest}, {bound}"
            );
        }
    }

    /// Of 2,000 runs a part of 1/20 at most goes as far as the bound says that 1/20 do: false alarm below 10⁻⁶. Power: [`Call::reached`]
    /// with a third of the variance is seen to be wrong; what is off by less is for the test before.
    #[test]
    fn noise_reaches_as_far_as_is_said_at_most() {
        const RUNS: u64 = 2_000;
        const PART: f64 = 0.05;
        let risk = Cut { knee: 1e9 };
        let farthest = |trial| {
            let (call, mut u, mut far) = (free_call(&risk, trial), [0.0; 2], 0.0_f64);
            for t in 1025..call.rule.length {
                let noise = call.noise(t);
                for k in 0..2 {
                    u[k] = (1.0 - 4.0 / t as f64) * u[k] - 2.0 / t as f64 * noise[k];
                }
                far = far.max(norm(&u));
            }
            far
        };
        let call = free_call(&risk, 0);
        let mut grid = (1..1000).map(|i| f64::from(i) * 1e-3);
        let free = grid.find(|x| call.reached(*x, 1024) <= PART).expect("far");
        let seen: Vec<f64> = (0..RUNS).map(farthest).collect();
        let beyond = |x: f64| seen.iter().filter(|far| **far > x).count() as u64;
        let rare = |k: &u64| tail_upper(RUNS, k + 1, PART) <= 1e-6;
        let most = (0..RUNS).find(rare).expect("some number");
        let of = |part: f64| beyond(free * part.sqrt());
        let (all, third) = (of(1.0), of(1.0 / 3.0));
        println!("of {RUNS} at most {most}: {all} with the variance, {third} with a third of it");
        assert!(all <= most && third > most);
    }
}
