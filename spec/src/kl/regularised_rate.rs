//! Appendix E: the accuracy of Algorithm 4.

use super::proximal::diverges;
use crate::arith::{Rational, ratio};
use crate::claim::{Claim, Kind, Paper, Verdict};
use crate::prove::{Argument, Domain, Forall, closed, infinite, open, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 3] = [THM_9, THM_9_PROOF, THM_9_PROOF_REPAIRED];

/// `kl-thm-9`, second part.
pub const THM_9: Claim = Claim {
    id: "kl-thm-9",
    paper: Paper::Kl,
    place: "App. E, Theorem 9, (17)",
    kind: Kind::HighProbability,
    statement: "with probability at least 1 - beta, F~(w) - F~(w*) = O(L_0^2 d log(n^2 log^2(2/beta)/(d beta))/(L~_1 n^2 rho)) for the average w",
    hypotheses: "T = n^2 rho log^2(2/beta)/d, eta_t = 1/(L~_1 t), sigma^2 = 4 L_0^2 T/(n^2 rho)",
    rests_on: &[],
    check: |c| {
        let variance = c.constant("sigma^2 in units of L_0^2 T/(n^2 rho)", 4);
        let [l, n, rho, d, log, tilde] = symbols();
        let t = n.square() * &rho * log.square() / &d;
        let sigma = variance * l.square() * &t / (n.square() * &rho);
        Argument::new(c)
            .states_identity(
                "sigma^2 d/(L~_1 T) = 4 L_0^2 d/(L~_1 n^2 rho)",
                &(sigma * &d / (&tilde * &t)),
                &(4 * l.square() * &d / (&tilde * n.square() * &rho)),
            )
            .open_for(
                "Statistics missing: quantiles of F~(w) - F~(w*) over n and d against the bound with a frozen constant; no deterministic part \
                 decides a concentration bound of a projected stochastic recursion",
            )
    },
};

/// `kl-thm-9-proof`: T contains ρ, the logarithm of (17) does not. With n²log²(2/β)/(dβ) = e: log(2T/β) = 1 + log(2ρ).
pub const THM_9_PROOF: Claim = Claim {
    id: "kl-thm-9-proof",
    place: "App. E, last equality",
    kind: Kind::Rate,
    statement: "log(2T/beta) = O(log(n^2 log^2(2/beta)/(d beta)))",
    hypotheses: "T = n^2 rho log^2(2/beta)/d, rho > 0",
    check: |c| {
        let growth = c.constant("claimed lower bound of the ratio in units of log(2 rho)", 1);
        let mut domain = Domain::new();
        let s = domain.real("log(2 rho)", closed(0), infinite());
        diverges(
            c,
            "kl-thm-9-proof",
            &Forall::le(domain, growth * &s, 1 + s),
            "n^2 log^2(2/beta)/(d beta) = e: the ratio is 1 + log(2 rho), without bound",
            "kl-thm-9-proof-repaired",
        )
    },
    ..THM_9
};

/// `kl-thm-9-proof-repaired`.
pub const THM_9_PROOF_REPAIRED: Claim = Claim {
    id: "kl-thm-9-proof-repaired",
    statement: "log(2T/beta) <= log(n^2 log^2(2/beta)/(d beta)) for rho <= 1/2",
    hypotheses: "T = n^2 rho log^2(2/beta)/d, 0 < rho <= 1/2",
    check: |c| {
        let most = c.constant("largest rho", ratio(1, 2));
        if most <= 0 {
            return Verdict::open("no rho");
        }
        let mut domain = Domain::new();
        let rho = domain.real("rho", open(0), closed(most));
        Argument::new(c)
            .states(
                "kl-thm-9-proof-repaired",
                &Forall::le(domain, 2 * rho, Rational::from(1)),
            )
            .slack(1.0)
            .proved_on("rho <= 1/2")
    },
    ..THM_9_PROOF
};
