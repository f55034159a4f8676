//! Phases of an excess that fall by a constant factor, Φ_i = max(F₀·c^{−i}, θ^κ).

use crate::moved::written::{Proof, show, term};
use dp_assay_kernel::rules::{
    Theorem, counted, exp_log, exp_sum, inverse, largest, root_increases,
};
use dp_assay_kernel::search::exp::{
    exp_increases, exp_of_opposite, exp_of_zero, log_below, log_increases, log_not_negative,
    log_product,
};
use dp_assay_kernel::statement::Context;
use dp_assay_kernel::term::var;

/// θ^κ.
pub(super) const TARGET: &str = "exp(κ·log(θ))";

/// log F₀ + κ·log(n√ρ/(γL₀√d)).
const BRACKET: &str = "(log(F₀) + κ·log(n·√(ρ)/(γ·L₀·√(d))))";

/// The factor c, and by how much it is above 1: e^{((2 − κ)/κ)·log F₀} times some number.
pub(super) struct Decay {
    pub factor: &'static str,
    pub share: &'static str,
}

impl Decay {
    /// c^{−i}.
    pub fn power(&self, i: &str) -> String {
        format!("exp((−1)·({i})·log({}))", self.factor)
    }

    /// F₀·c^{−i}.
    pub fn left(&self, i: &str) -> String {
        format!("F₀·{}", self.power(i))
    }

    /// Φ_i.
    pub fn phase(&self, i: &str) -> String {
        format!("max({}, {TARGET})", self.left(i))
    }

    /// F₀·c^{−i} ≤ F₀.
    pub fn shrunk(&self, h: &Context, i: &str) -> Proof {
        let (factor, left) = (self.factor, self.left(i));
        let above = show(h, &format!("1 ≤ {factor}"), &[(self.share, &[])])?;
        let log = log_not_negative(&above)?;
        let less = format!("(−1)·({i})·log({factor}) ≤ 0");
        let less = exp_increases(&show(h, &less, &[(i, &[&log])])?)?;
        let zero = exp_of_zero(h)?;
        let parts: &[(&str, &[&Theorem])] = &[("F₀", &[&less]), ("(−1)·F₀", &[&zero])];
        show(h, &format!("{left} ≤ F₀"), parts)
    }

    /// F₀·c^{−i} ≤ c·F₀·c^{−(i+1)}.
    pub fn step(&self, h: &Context, i: &str) -> Proof {
        let (factor, old) = (self.factor, self.left(i));
        let log = term(h, &format!("log({factor})"))?;
        let one = format!("0 − log({factor})");
        let before = term(h, &format!("(−1)·({i})·log({factor})"))?;
        let split = exp_sum(h, &before, &term(h, &one)?)?;
        let (unit, named) = (exp_of_opposite(h, &log)?, exp_log(h, &term(h, factor)?)?);
        let parts: &[(&str, &[&Theorem])] = &[
            (&format!("(−1)·F₀·{factor}"), &[&split]),
            (&format!("{old}·exp({one})"), &[&named]),
            (&old, &[&unit]),
        ];
        let next = self.left(&format!("{i} + 1"));
        show(h, &format!("{old} ≤ {factor}·({next})"), parts)
    }

    /// Φ_K ≤ θ^κ: K·log c ≥ log F₀ + κ·log(n√ρ/(γL₀√d)), as (1 + 1/(c − 1)) times that is at most K (`long`), and `wide` says that
    /// θ ≥ γL₀√(K·d·l)/(n√ρ), where 1 ≤ l.
    pub fn reached(
        &self,
        h: &Context,
        long: &Theorem,
        wide: &Theorem,
        (l, one): (&str, &Theorem),
    ) -> Proof {
        let (factor, share) = (self.factor, self.share);
        let below = log_below(h, &term(h, share)?)?;
        let whole = inverse(h, &term(h, &format!("1 + {share}"))?)?;
        let unit = exp_of_opposite(h, &term(h, "((2 − κ)/κ)·log(F₀)")?)?;
        let parts: &[(&str, &[&Theorem])] = &[
            ("K", &[&below]),
            (&format!("({share})/(1 + {share})"), &[long]),
            (&format!("(−1)·{BRACKET}"), &[&whole]),
            (&format!("{BRACKET}/(1 + {share})"), &[&unit]),
        ];
        let rounds = show(h, &format!("{BRACKET} ≤ K·log({factor})"), parts)?;
        let many = counted(h, &var("K"))?;
        let parts: &[(&str, &[&Theorem])] = &[(&format!("d·{l}"), &[&many]), ("d", &[one])];
        let root = root_increases(&show(h, &format!("d ≤ K·d·{l}"), parts)?)?;
        let low = "γ·L₀·√(d)/(n·√(ρ))";
        let parts: &[(&str, &[&Theorem])] = &[("γ·L₀/(n·√(ρ))", &[&root]), ("1", &[wide])];
        let large = log_increases(&show(h, &format!("{low} ≤ θ"), parts)?)?;
        let [_, logs] = log_product(h, &term(h, "n·√(ρ)/(γ·L₀·√(d))")?, &term(h, low)?)?;
        let zero = log_not_negative(&show(h, "1 ≤ 1", &[])?)?;
        let exponent = format!("(−1)·(K)·log({factor})");
        let parts: &[(&str, &[&Theorem])] = &[
            ("1", &[&rounds]),
            ("κ", &[&large]),
            ("κ", &[&logs]),
            ("κ", &[&zero]),
        ];
        let less = show(h, &format!("log(F₀) + {exponent} ≤ κ·log(θ)"), parts)?;
        let less = exp_increases(&less)?;
        let split = exp_sum(h, &term(h, "log(F₀)")?, &term(h, &exponent)?)?;
        let (start, last) = (exp_log(h, &var("F₀"))?, self.power("K"));
        let parts: &[(&str, &[&Theorem])] = &[
            ("1", &[&less]),
            ("(−1)", &[&split]),
            (&format!("(−1)·{last}"), &[&start]),
        ];
        let less = show(h, &format!("{} ≤ {TARGET}", self.left("K")), parts)?;
        largest(&less, &show(h, &format!("{TARGET} ≤ {TARGET}"), &[])?)
    }
}
