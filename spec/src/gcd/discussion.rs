//! Section 4.3: what the rates of Theorem 4.4 are where ℓ₁ or ℓ₂ constants are of order 1.

use crate::arith::Rational;
use crate::claim::{Check, Claim, Kind, Verdict};
use crate::prove::{Argument, Domain, Expr, Forall, closed, infinite, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 5] = [INEQ_L1L2, DISC_L1, DISC_L1_REPAIRED, DISC_L2, DISC_L2_BEST];

/// `gcd-ineq-l1l2`: ||w||²_{M,2} ≤ ||w||²_{M,1} ≤ p||w||²_{M,2}; then maximise or minimise over w.
pub const INEQ_L1L2: Claim = Claim {
    id: "gcd-ineq-l1l2",
    place: "Sec. 4.3, Bounded in l2-norm",
    kind: Kind::PathwiseInequality,
    statement: "R_{M,2}^2 ≤ R_{M,1}^2 ≤ p R_{M,2}^2 and (1/p) μ_{M,2} ≤ μ_{M,1} ≤ μ_{M,2}",
    hypotheses: "M_j > 0",
    rests_on: &["gcd-def-norms"],
    by_hand: &[],
    check: ineq_l1l2,
};

fn ineq_l1l2(check: &Check) -> Verdict {
    let multiple = check.constant("multiple of p", 1);
    let [x, y, z] = symbols();
    let squares = x.square() + y.square() + z.square();
    let pairs = (&x - &y).square() + (&y - &z).square() + (&x - &z).square();
    let form = &multiple * (3 * &squares) - (&x + &y + &z).square();
    let (domain, [a, b]) = Domain::of_all(["√(M_i)|w_i|", "√(M_j)|w_j|"], closed(0), infinite());
    Argument::new(check)
        .states_nonnegative_form("p = 3", &form, 3)
        .states("gcd-ineq-l1l2", &Forall::le(domain, 0, 2 * a * b))
        .needs_identity(
            "p sum x^2 - (sum x)^2 is the sum of (x_i - x_j)^2 over pairs (p = 3; each pair occurs \
                once for any p)",
            3 * squares - (&x + &y + &z).square(),
            &pairs,
        )
        .proved_on("all p, M_j > 0, f with the constants in question")
}

/// `gcd-disc-l1`: the strongly convex half. μ_{M,1} bounded below independently of p excludes M-component-smoothness once p >
/// 1/μ_{M,1}: with v = M^{−1/2}(1,…,1), ||v||²_{M,1} = p² and ||v||²_{M,2} = p. The convex half is `gcd-thm-4.4-cvx`.
pub const DISC_L1: Claim = Claim {
    id: "gcd-disc-l1",
    place: "Sec. 4.3, Bounded in l1-norm; abstract; Sec. 6",
    kind: Kind::Rate,
    statement: "for μ_{M,1} of order 1 the utility on strongly convex problems is O(log(p)/(n \
        ε)^2)",
    hypotheses: "μ_{M,1} bounded below independently of p; f M-component-smooth",
    check: ones,
    ..Claim::ALONE
};

/// μ_{M,1} = 1/c for a c that does not depend on p, taken as `c` = 2 and p = 3, against smoothness.
fn ones(check: &Check) -> Verdict {
    let limit = check.constant("1/μ_{M,1}", 2);
    if limit <= 0 {
        return Verdict::open("μ_{M,1} is not positive");
    }
    let p: Rational = limit.clone().floor() + 1;
    // μ||v||²_{M,1} ≤ ||v||²_{M,2} for the vector of ones: p²/limit ≤ p.
    let needed = Rational::from(p.square_ref()) / &limit;
    if needed <= p {
        return Verdict::open("this value of μ_{M,1} is possible for this p");
    }
    Verdict::empty(
        format!(
            "μ_{{M,1}} = 1/{limit}, p = {p}, w - v = M^(-1/2)(1,..,1): twice the Bregman distance \
                is at least {needed} by strong convexity and at most {p} by smoothness; so \
                μ_{{M,1}} ≤ 1/p always, and the statement speaks of no function once p > \
                1/μ_{{M,1}}"
        ),
        "strong convexity against smoothness along one vector, exactly",
        Some("gcd-disc-l1-repaired"),
    )
}

/// `gcd-disc-l1-repaired`: what does hold: the convex rate (through `gcd-thm-4.4-cvx-restricted`), and
/// μ_{M,1} ≤ 1/p, so that 1/μ²_{M,1} ≥ p² in the strongly convex one.
pub const DISC_L1_REPAIRED: Claim = Claim {
    id: "gcd-disc-l1-repaired",
    statement: "every M-component-smooth, μ_{M,1}-strongly convex f has μ_{M,1} ≤ 1/p; for R_{M,1} \
        of order 1 the convex utility is that of gcd-thm-4.4-cvx-restricted, logarithmic in p",
    hypotheses: "M_j > 0",
    rests_on: &["gcd-thm-4.4-cvx-restricted"],
    check: |check| {
        let multiple = check.constant("μ_{M,1} p, at most", 1);
        let mut domain = Domain::new();
        let p = domain.integer_from("p", 1);
        let excess = domain.real("p - μ_{M,1} p^2", closed(0), infinite());
        let mu = (&p - &excess) / p.square();
        let statement = Forall::le(domain, mu, &multiple / p.clone())
            .factored(1 / p.square(), p * (Expr::from(multiple) - 1) + excess);
        Argument::new(check)
            .states("gcd-disc-l1-repaired", &statement)
            .proved_on("all p, M_j > 0, f")
    },
    by_hand: &[],
    ..DISC_L1
};

/// `gcd-disc-l2`: the worst case, by substitution of `gcd-ineq-l1l2`.
pub const DISC_L2: Claim = Claim {
    id: "gcd-disc-l2",
    place: "Sec. 4.3, Bounded in l2-norm, worst case",
    kind: Kind::Rate,
    statement: "in the worst case of gcd-ineq-l1l2 the rates' factors R_{M,1}^{4/3} and \
        1/μ_{M,1}^2 become p^{2/3} R_{M,2}^{4/3} and p^2/μ_{M,2}^2, for R_{M,2}, μ_{M,2} of order \
        1 Õ(p^{2/3}/(n ε)^{2/3}) and Õ(p^2/(n ε)^2)",
    hypotheses: "f M-component-smooth; the rates as in Theorem 4.4",
    rests_on: &["gcd-ineq-l1l2"],
    check: |check| {
        let power = check.constant("power of p under the cube root", 2);
        let mut domain = Domain::new();
        let log_p = domain.real("log p", closed(0), infinite());
        let gap = domain.real(
            "log(p R_2^2/R_1^2), ≥ 0 by gcd-ineq-l1l2",
            closed(0),
            infinite(),
        );
        // Cubes: R₁⁴ ≤ p^power R₂⁴, in logarithms with log R₁² = log p + log R₂² − gap.
        let statement = Forall::le(domain, 2 * &log_p - 2 * &gap, &log_p * &power)
            .factored(1, log_p * (Expr::from(power) - 2) + 2 * gap);
        let [p, mu] = symbols();
        Argument::new(check)
            .states("gcd-disc-l2", &statement)
            .needs_identity(
                "1/μ_1^2 at μ_1 = μ_2/p",
                1 / (&mu / &p).square(),
                p.square() / mu.square(),
            )
            .proved_on("all p ≥ 1, M_j > 0, f")
    },
    ..Claim::ALONE
};

/// `gcd-disc-l2-best`: the best case of the strongly convex rate has μ_{M,1} = μ_{M,2} of order 1, which
/// `gcd-disc-l1-repaired` excludes. No change of units saves it: M = mI and an unscaled constant of order 1 need m ≥ pμ.
pub const DISC_L2_BEST: Claim = Claim {
    id: "gcd-disc-l2-best",
    place: "Sec. 4.3, Bounded in l2-norm, best case",
    statement: "in the best case of gcd-ineq-l1l2 the strongly convex rate O(log p) of the l1 \
        regime is preserved",
    hypotheses: "μ_{M,1} = μ_{M,2} of order 1; f M-component-smooth",
    rests_on: &[],
    by_hand: &[],
    check: ones,
    ..DISC_L2
};
