//! Section 4: Algorithm 1 and the methods it is said to contain.

use super::setting::integer;
use crate::arith::{Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 4] = [ALG_1, RED_DPCD, RED_DPSGD, RED_DPSGD_RESTRICTED];

/// `skgd-alg-1`. The only quantities that could be undefined are 1/p_j (p_j > 0 by Assumption 3.1) and
/// 1/K. The check runs the algorithm as printed in exact arithmetic for all sets of two coordinates
/// and K, T ≤ 3: every averaged iterate must have been computed, and the K weights must sum to one.
pub const ALG_1: Claim = Claim {
    id: "skgd-alg-1",
    place: "§4, Algorithm 1",
    kind: Kind::Algorithm,
    statement: "K inner steps θ^{k+1} = θ^k − ΓC(∇f(θ^k) + η) from θ^0 = w^t, then w^{t+1} = \
        (1/K)Σ_{k=1}^K θ^k, T times",
    hypotheses: "Assumption 3.1, integers K, T ≥ 1 (not printed; K = 0 leaves line 9 undefined), \
        σ_U > 0",
    rests_on: &["skgd-asm-3.1"],
    by_hand: &[],
    check: alg_1,
};

fn alg_1(c: &Check) -> Verdict {
    let first = c.constant("first averaged index", 1);
    let Some(first) = integer(&first).and_then(|i| usize::try_from(i).ok()) else {
        return Verdict::refuted(
            format!("K = T = 1: no iterate has the index {first}"),
            "index range",
            None,
        );
    };
    let mut runs = 0;
    for inner in 1..=3 {
        for outer in 1..=3 {
            for set in [[true, false], [false, true], [true, true]] {
                let run = Run {
                    inner,
                    outer,
                    set,
                    first,
                };
                if let Err(why) = run.execute() {
                    return Verdict::refuted(
                        format!("K = {inner}, T = {outer}: {why}"),
                        "exact run",
                        None,
                    );
                }
                runs += 1;
            }
        }
    }
    Verdict::proved(
        "all K, T ≥ 1 and all S of Assumption 3.1",
        format!(
            "{runs} exact runs of the printed loops for K, T ≤ 3; the index ranges do not depend \
                on K and T otherwise, and every division is by some p_j > 0 or by K"
        ),
    )
}

/// One run of Algorithm 1 on f(w) = ½‖w‖² in two coordinates with a fixed set and fixed noise.
struct Run {
    inner: usize,
    outer: usize,
    set: [bool; 2],
    first: usize,
}

impl Run {
    fn execute(&self) -> Result<[Rational; 2], String> {
        let noise = |t: usize, k: usize| ratio((3 * t + k) as i64 - 2, 7);
        let inclusion = ratio(1, 2);
        let mut w = [Rational::from(1), Rational::from(-2)];
        for t in 0..self.outer {
            let mut iterates = vec![w.clone()];
            for k in 0..self.inner {
                let mut next = iterates[k].clone();
                for (x, _) in next.iter_mut().zip(self.set).filter(|(_, chosen)| *chosen) {
                    *x -= ratio(1, 4) * (x.clone() + noise(t, k)) / &inclusion;
                }
                iterates.push(next);
            }
            let averaged = iterates.get(self.first..=self.inner).unwrap_or(&[]);
            if averaged.len() != self.inner {
                return Err(format!(
                    "{} iterates are averaged with the weight 1/{}",
                    averaged.len(),
                    self.inner
                ));
            }
            let count = Rational::from(self.inner);
            w = [0, 1].map(|j| {
                let total = averaged.iter().fold(Rational::new(), |sum, x| sum + &x[j]);
                total / &count
            });
        }
        Ok(w)
    }
}

/// `skgd-red-dpcd`. One coordinate drawn uniformly: θ_j ← θ_j − (γ_j/p_j)(∇_jf + η_j) with p_j = 1/d is
/// the step of DP-CD without regulariser and with step size d·γ_j, which is 1/M_j for Γ = PM⁻¹; the
/// noise scales of the two papers agree, σ_j² = 12L_j²TK·log(1/δ)/(n²ε²).
pub const RED_DPCD: Claim = Claim {
    id: "skgd-red-dpcd",
    place: "§4, after Algorithm 1",
    kind: Kind::PathwiseInequality,
    statement: "S uniform on singletons: on every draw S = {k} a step of Algorithm 1 is θ_l − \
        1[l=k]·d·γ_l·(∂_l f(θ) + η_l) for every vector η, a step of DP-CD (Mangold et al. 2022, no \
        regulariser) of size d·γ_k, and the running mean is that of these",
    hypotheses: "p_j = 1/d; f convex and M-smooth; that this is the step of the cited DP-CD, and \
        that the scales of the noise agree, is read off, not proved",
    rests_on: &["skgd-alg-1"],
    check: by_kernel,
    ..Claim::ALONE
};

/// `skgd-red-dpsgd`, as printed: the cited DP-SGD draws one record per step and follows its
/// gradient. On two records with gradients 1 and −1 the full gradient vanishes, while the cited step
/// moves by ±1: without noise the second moments are 0 and 1.
pub const RED_DPSGD: Claim = Claim {
    id: "skgd-red-dpsgd",
    place: "§4, after Algorithm 1",
    kind: Kind::PathwiseInequality,
    statement: "S = [d] with probability one gives DP-SGD (Bassily et al. 2014), which samples one \
        record per step",
    hypotheses: "same step size and noise",
    check: by_kernel,
    ..Claim::ALONE
};

/// `skgd-red-dpsgd-restricted`, what remains of it: with S = \[d\] almost surely p_j = 1 and C = I.
pub const RED_DPSGD_RESTRICTED: Claim = Claim {
    id: "skgd-red-dpsgd-restricted",
    place: "§4, after Algorithm 1",
    kind: Kind::PathwiseInequality,
    statement: "S = [d] gives θ^{k+1} = θ^k − Γ(∇f(θ^k) + η): noisy full-gradient descent with \
        averaged rounds",
    hypotheses: "p_j = 1 for all j",
    rests_on: &["skgd-alg-1"],
    check: by_kernel,
    ..Claim::ALONE
};
