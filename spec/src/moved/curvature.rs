//! That φ(u) = log(1 + e^u) has a curvature of at most 1/4: Hoeffding's lemma for two values, from 1 + x ≤ e^x and no derivative.
//!
//! The slope π rises by at most h/4 + h² over h, so on the way from u to v in K steps of h = (v − u)/K each the kth is at most
//! π(u)·h + (k + 1)·(h²/4 + |h|³) high, and all together π(u)·(v − u) + (v − u)²/8 and a multiple of 1/K.

use super::margin::{above_tangent, share};
use super::written::{Proof, show, term};
use dp_assay_kernel::rules::{
    Theorem, counted, discharge, exp_sum, inverse, limit, sum_over, tangent, telescope,
};
use dp_assay_kernel::search::{item, size::either};
use dp_assay_kernel::statement::{Context, Sign, Sort};
use dp_assay_kernel::term::{num, var};

/// For every u and v: φ(v) ≤ φ(u) + π(u)·(v − u) + (v − u)²/8, of φ and π as [`super::margin`] defines them.
pub(crate) fn curved(h: &Context) -> Proof {
    let both = h.with(["u₀", "v₀"].map(|x| item(x, Sort::Real(Sign::Any))))?;
    let ends = [&var("u₀"), &var("v₀")];
    let found = either(&both, ends, |here, order, up| Way { order, up }.below(here))?;
    discharge(&discharge(&found)?)
}

/// π(v) − π(u) ≤ (v − u)/4 + (v − u)² from u ≤ v. The difference is at most (v − u)·P for P = π(v)(1 − π(u)), as e^(u − v) ≥ 1 + u − v;
/// and P = π(v)(1 − π(v)) + π(v)(π(v) − π(u)) ≤ 1/4 + (v − u).
fn rises(h: &Context, order: &Theorem, [u, v]: [&str; 2]) -> Proof {
    let (away, back) = (format!("({v} − {u})"), format!("(0 − ({v} − {u}))"));
    let opposite = term(h, &back)?;
    let (above, split) = (tangent(h, &opposite)?, exp_sum(h, &term(h, v)?, &opposite)?);
    let whole = |t: &str| inverse(h, &term(h, &format!("1 + exp({t})"))?);
    let (low, high) = (whole(u)?, whole(v)?);
    let unit = format!("/(1 + exp({u}))/(1 + exp({v}))");
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("exp({v}){unit}"), &[&above]),
        (&format!("(−1){unit}"), &[&split]),
        (&format!("({away} − 1)·π({v})"), &[&low]),
        (&format!("π({u})"), &[&high]),
    ];
    let most = format!("π({v}) − π({u}) ≤ {away}·π({v})·(1 − π({u}))");
    let (most, share) = (show(h, &most, parts)?, share(h, v)?);
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&most]),
        (&format!("(π({v}) − 1/2)²"), &[order]),
        (&format!("π({v})"), &[order, &most]),
        (&format!("{away}²·(1 + π({v}))"), &[&share]),
        (&format!("{away}²·π({v})²·π({u})"), &[]),
    ];
    let goal = format!("π({v}) − π({u}) ≤ {away}/4 + {away}²");
    show(h, &goal, parts)
}

/// A step h of the K₀ from u₀ to v₀.
const STEP: &str = "((v₀ − u₀)/K₀)";

/// Where that many steps lead.
fn after(steps: &str) -> String {
    format!("(u₀ + {steps}·(v₀ − u₀)/K₀)")
}

/// The way from u₀ to v₀, and that it leads up or down.
struct Way<'a> {
    order: &'a Theorem,
    up: bool,
}

impl Way<'_> {
    fn sign(&self) -> &'static str {
        if self.up { "1" } else { "(−1)" }
    }

    /// |h|/4 + h², and that times |h|.
    fn rise(&self) -> [String; 2] {
        let sign = self.sign();
        [
            format!("({sign}·{STEP}/4 + {STEP}²)"),
            format!("({STEP}²/4 + {sign}·{STEP}³)"),
        ]
    }

    /// |π(x) − π(u₀)| ≤ (i₀ + 1)·(|h|/4 + h²) for the x after i₀ + 1 steps.
    fn slope(&self, h: &Context) -> Proof {
        let (sign, steps) = (self.sign(), var("i₀") + num(1));
        let j = &h.extended(item("j₀", Sort::Index(steps.clone())))?;
        let mut ends = ["j₀", "(j₀ + 1)"].map(after);
        if !self.up {
            ends.reverse();
        }
        let [low, high] = ends.each_ref().map(String::as_str);
        let order = show(j, &format!("{low} ≤ {high}"), &[("1/K₀", &[self.order])])?;
        let all = sum_over(&rises(j, &order, [low, high])?)?;
        let body = term(j, &format!("π({})", after("j₀")))?;
        let ends = telescope(h, "j₀", &steps, &body)?;
        let ([rise, _], back) = (self.rise(), format!("(−1)·{sign}"));
        let goal = format!(
            "{sign}·(π({}) − π(u₀)) ≤ (i₀ + 1)·{rise}",
            after("(i₀ + 1)")
        );
        show(h, &goal, &[("1", &[&all]), (&back, &[&ends])])
    }

    /// φ from u₀ to v₀.
    fn below(&self, h: &Context) -> Proof {
        let k = &h.extended(item("K₀", Sort::Count))?;
        let i = &k.extended(item("i₀", Sort::Index(var("K₀"))))?;
        let [from, to] = ["i₀", "(i₀ + 1)"].map(after);
        let (below, slope) = (above_tangent(i, &to, &from)?, self.slope(i)?);
        let ([_, rise], sign) = (self.rise(), self.sign());
        let goal = format!("φ({to}) − φ({from}) ≤ π(u₀)·{STEP} + (i₀ + 1)·{rise}");
        let parts: &[(&str, &[&Theorem])] = &[("1", &[&below]), ("1/K₀", &[self.order, &slope])];
        let all = sum_over(&show(i, &goal, parts)?)?;
        let over = |body: &str| telescope(k, "i₀", &var("K₀"), &term(i, body)?);
        let (ends, steps) = (over(&format!("φ({from})"))?, over("i₀·(i₀ + 1)/2")?);
        let one = counted(k, &var("K₀"))?;
        let away = "(v₀ − u₀)";
        let goal =
            format!("φ(v₀) ≤ (φ(u₀) + π(u₀)·{away} + {away}²/8) + ({away}²/8 + {sign}·{away}³)/K₀");
        let parts: &[(&str, &[&Theorem])] = &[
            ("1", &[&all]),
            ("(−1)", &[&ends]),
            (&rise, &[&steps]),
            (&format!("{away}²/(2·K₀²)"), &[self.order, &one]),
        ];
        limit(&show(k, &goal, parts)?)
    }
}
