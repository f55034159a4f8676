//! `gcd-good-steps`: where the greedy rules of the proximal version agree.

use super::greedy::moduli;
use crate::moved::written::{Proof, each, given, goal, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, discharge, instance, inverse, limit, root_increases, triangle,
};
use dp_assay_kernel::search::cases::apply;
use dp_assay_kernel::search::size::{above_modulus, below_modulus, either};
use dp_assay_kernel::search::{positive, real};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Statement};
use dp_assay_kernel::term::{Term, num, var};

/// `gcd-good-steps`: ψ is ν|·|, z the slopes with their noise, d_k the proximal step of coordinate k, where its quadratic model Q is least, and
/// x_k the subgradient at w_k that makes |z_k + x_k| least; j is a choice of (GS-s). A step keeps the sign if w_j·(w_j + d_j) > 0.
pub fn statement() -> Result<Statement, Stuck> {
    let moved = "for every index k<p: √(M_k)·|d_k| ≤ √(M_j)·|d_j|";
    let lower = "for every index k<p: (−1)·Q(k, d_k) ≤ (−1)·Q(j, d_j)";
    let kept = "for every real e > 0: if e ≤ w_j·(w_j + d_j)";
    render::parse(&format!(
        "for all
           integer p ≥ 1
           vector M ∈ ℝ^p, all > 0
           real ν ≥ 0
           vector z ∈ ℝ^p
           vector w ∈ ℝ^p
           define Q(k<p, a) := z_k·a + (M_k/2)·a² + ν·|w_k + a| − ν·|w_k|
           vector d ∈ ℝ^p
           assume for every index i<p: for every real c: Q(i, d_i) ≤ Q(i, c)
           vector x ∈ ℝ^p
           assume for every index i<p: |x_i| ≤ ν
           assume for every index i<p: ν·|w_i| ≤ x_i·w_i
           assume for every index i<p: for every real c: if |c| ≤ ν: if ν·|w_i| ≤ c·w_i: |z_i + \
               x_i| ≤ |z_i + c|
           index j<p
           assume for every index i<p: |z_i + x_i|/√(M_i) ≤ |z_j + x_j|/√(M_j)
         holds
           if w_j = 0: {moved}; if w_j = 0: {lower}; {kept}: {moved}; {kept}: {lower}"
    ))
}

/// Names of a coordinate's numbers.
struct At {
    k: &'static str,
    /// z_k + x_k.
    s: String,
    /// z_k + x_k + M_kd_k, which is 0 for a good step.
    g: String,
}

impl At {
    fn new(k: &'static str) -> Self {
        let s = format!("(z_{k} + x_{k})");
        Self {
            k,
            g: format!("({s} + M_{k}·d_{k})"),
            s,
        }
    }

    /// Text with # for the index, $s and $g.
    fn text(&self, text: &str) -> String {
        text.replace('#', self.k)
            .replace("$s", &self.s)
            .replace("$g", &self.g)
    }

    fn term(&self, h: &Context, text: &str) -> Result<Term, Stuck> {
        term(h, &self.text(text))
    }

    /// A goal from multiples of facts, as text of this kind.
    fn combined(&self, h: &Context, goal: &Goal, parts: &[(&str, &[&Theorem])]) -> Proof {
        let texts: Vec<String> = parts.iter().map(|(text, _)| self.text(text)).collect();
        let parts = { texts.iter() }
            .zip(parts)
            .map(|(text, (_, facts))| (text.as_str(), *facts));
        settle(h, goal, &parts.collect::<Vec<_>>())
    }

    fn show(&self, h: &Context, text: &str, parts: &[(&str, &[&Theorem])]) -> Proof {
        self.combined(h, &goal(h, &self.text(text))?, parts)
    }

    fn given(&self, h: &Context, n: usize) -> Proof {
        instance(h, &given(h, n)?, &var(self.k))
    }

    /// Q(k, d_k) ≤ Q(k, c).
    fn least(&self, h: &Context, c: &str) -> Proof {
        instance(h, &self.given(h, 0)?, &self.term(h, c)?)
    }

    fn moduli(&self, h: &Context, x: &str, y: &str) -> Proof {
        moduli(h, &self.text(x), &self.text(y))
    }

    /// x_k·y ≤ ν·|y|.
    fn subgradient(&self, h: &Context, y: &str) -> Proof {
        let (product, small) = (self.moduli(h, "x_#", y)?, self.given(h, 1)?);
        let goal = format!("x_#·({y}) ≤ ν·|{y}|");
        self.show(
            h,
            &goal,
            &[("1", &[&product]), (&format!("|{y}|"), &[&small])],
        )
    }

    /// z_kd_k + ν·|w_k + d_k| − ν·|w_k| + M_kd_k² ≤ 0: the model at d_k/(1 + y), as y goes to 0.
    fn first_order(&self, h: &Context) -> Proof {
        let inner = &h.extended(positive("y"))?;
        let one = inverse(inner, &term(inner, "1 + y")?)?;
        let product = self.moduli(inner, "w_# + d_#", "w_#")?;
        let (step, mixed) = ("d_#/(1 + y)", "(w_# + d_#)/(1 + y) + y·w_#/(1 + y)");
        let convex = self.show(
            inner,
            "(w_# + d_#/(1 + y))² ≤ (|w_# + d_#|/(1 + y) + y·|w_#|/(1 + y))²",
            &[
                ("2·y·(1/(1 + y))²", &[&product]),
                (&format!("(−1)·w_#·({mixed} + w_# + {step})"), &[&one]),
            ],
        )?;
        let convex = root_increases(&convex)?;
        let least = self.least(inner, step)?;
        let rest = "(z_#·d_# + ν·|w_# + d_#|)/y + (M_#/2)·d_#²·(1 + 1/(1 + y))/y + ν·|w_#| + \
            (M_#/2)·d_#²·(y − 1)";
        let a = self.term(h, "z_#·d_# + ν·|w_# + d_#| − ν·|w_#| + M_#·d_#²")?;
        let c = self.term(h, "(M_#/2)·d_#²")?;
        let goal = Goal::Le(a, num(0) + c * var("y"));
        let parts: &[(&str, &[&Theorem])] = &[
            ("(1 + y)/y", &[&least]),
            ("ν·(1 + y)/y", &[&convex]),
            (rest, &[&one]),
            ("(M_#/2)·d_#²·y²/(1 + y)", &[]),
        ];
        limit(&self.combined(inner, &goal, parts)?)
    }

    /// M_kd_k² ≤ −s_kd_k.
    fn short(&self, h: &Context) -> Proof {
        let (first, beyond, own) = (
            self.first_order(h)?,
            self.subgradient(h, "w_# + d_#")?,
            self.given(h, 2)?,
        );
        let parts: &[(&str, &[&Theorem])] = &[("1", &[&first]), ("1", &[&beyond]), ("1", &[&own])];
        self.show(h, "$s·d_# + M_#·d_#² ≤ 0", parts)
    }

    /// √M_k·|d_k| ≤ |s_k|/√M_k.
    fn moved(&self, h: &Context) -> Proof {
        let short = self.short(h)?;
        let parts: &[(&str, &[&Theorem])] = &[("$g²/M_#", &[]), ("2", &[&short])];
        root_increases(&self.show(h, "(√(M_#)·|d_#|)² ≤ (|$s|/√(M_#))²", parts)?)
    }

    /// −Q(k, d_k) ≤ s_k²/(2M_k) − g_k²/(2M_k).
    fn lowered(&self, h: &Context) -> Proof {
        let (beyond, own) = (self.subgradient(h, "w_# + d_#")?, self.given(h, 2)?);
        let parts: &[(&str, &[&Theorem])] = &[("1", &[&beyond]), ("1", &[&own])];
        self.show(h, "(−1)·Q(#, d_#) ≤ $s²/(2·M_#) − $g²/(2·M_#)", parts)
    }

    /// |s|/√M ≤ √M·|d| and s²/(2M) ≤ −Q(d) from g² ≤ 0.
    fn good(&self, h: &Context, still: &Theorem) -> Result<[Theorem; 2], Stuck> {
        let still = root_increases(&self.show(h, "$g² ≤ 0²", &[("1", &[still])])?)?;
        let still = self.show(h, "|$g| ≤ 0", &[("1", &[&still])])?;
        let product = self.moduli(h, "$s", "$g")?;
        let parts: &[(&str, &[&Theorem])] = &[
            ("2/M_#", &[&product]),
            ("2·|$s|/M_#", &[&still]),
            ("$g²/M_#", &[]),
        ];
        let size = self.show(h, "(|$s|/√(M_#))² ≤ (√(M_#)·|d_#|)²", parts)?;
        let parts: &[(&str, &[&Theorem])] = &[("1/2", &[&size]), ("1", &[&self.first_order(h)?])];
        let lower = self.show(h, "$s²/(2·M_#) ≤ (−1)·Q(#, d_#)", parts)?;
        Ok([root_increases(&size)?, lower])
    }
}

/// u ≤ 0 from u² ≤ 0.
fn vanishes(h: &Context, u: &str, square: &Theorem) -> Proof {
    let root = root_increases(&show(h, &format!("({u})² ≤ 0²"), &[("1", &[square])])?)?;
    let below = below_modulus(h, &term(h, u)?)?;
    show(h, &format!("{u} ≤ 0"), &[("1", &[&below]), ("1", &[&root])])
}

/// g_j² ≤ 0 where w_j = 0.
fn from_zero(h: &Context) -> Proof {
    let j = At::new("j");
    let zero = given(h, 5)?;
    let none = root_increases(&show(h, "w_j² ≤ 0²", &[("w_j", &[&zero])])?)?;
    let none = show(h, "|w_j| ≤ 0", &[("1", &[&none])])?;
    let ends = [&num(0), &j.term(h, "$s")?];
    let lower = either(h, ends, |here, order, above| {
        let sign = if above { "1" } else { "(−1)" };
        let outward = outward(here, &j, sign, [&zero, &none])?;
        // |s| is s or −s.
        let below = match above {
            true => below_modulus(here, &j.term(here, "$s")?)?,
            false => above_modulus(here, &j.term(here, "$s")?)?,
        };
        let gap = j.text(&format!("|$s| − {sign}·$s"));
        let square = show(here, &format!("({gap})² ≤ 0"), &[("2", &[order, &below])])?;
        let size = vanishes(here, &gap, &square)?;
        let product = j.moduli(here, "(−1)·w_#", "$s")?;
        let convex = "(w_# − $s/M_#)² ≤ (|w_#| + |$s|/M_#)²";
        let convex = root_increases(&j.show(here, convex, &[("2/M_#", &[&product])])?)?;
        let parts: &[(&str, &[&Theorem])] = &[
            ("1", &[&j.least(here, "(−1)·$s/M_#")?]),
            ("ν", &[&convex]),
            ("1/(2·M_#)", &[&outward]),
            ("ν/M_#", &[&size]),
        ];
        j.show(here, "$s²/(2·M_#) ≤ (−1)·Q(#, d_#)", parts)
    })?;
    let parts: &[(&str, &[&Theorem])] = &[("2·M_#", &[&j.lowered(h)?]), ("2·M_#", &[&lower])];
    j.show(h, "$g² ≤ 0", parts)
}

/// 2s·(x ± ν) ≤ 0: the subgradient that is least moves no further towards ∓ν, as (x ∓ yν)/(1 + y) shows when y goes to 0.
fn outward(h: &Context, j: &At, sign: &str, [zero, none]: [&Theorem; 2]) -> Proof {
    let inner = &h.extended(positive("y"))?;
    let one = inverse(inner, &term(inner, "1 + y")?)?;
    let apart = triangle(
        inner,
        &j.term(inner, "x_#/(1 + y)")?,
        &term(inner, &format!("{sign}·y·ν/(1 + y)"))?,
    )?;
    let other = j.text(&format!("(x_#/(1 + y) − {sign}·y·ν/(1 + y))"));
    let small: &[(&str, &[&Theorem])] = &[
        ("1", &[&apart]),
        ("1/(1 + y)", &[&j.given(inner, 1)?]),
        ("ν", &[&one]),
    ];
    let small = show(inner, &format!("|{other}| ≤ ν"), small)?;
    let minus = format!("(−1)·{other}");
    let still: &[(&str, &[&Theorem])] = &[("ν", &[none]), (&minus, &[zero])];
    let still = show(inner, &j.text(&format!("ν·|w_#| ≤ {other}·w_#")), still)?;
    let least = instance(inner, &j.given(inner, 3)?, &term(inner, &other)?)?;
    let least = apply(inner, &apply(inner, &least, &small)?, &still)?;
    let (away, sum) = (
        j.text(&format!("(x_# + {sign}·ν)")),
        j.text(&format!("(z_# + {other} + $s)")),
    );
    let factor = j.text(&format!("((1 + y)/y)·(|$s| + |z_# + {other}|)"));
    let rest = j.text(&format!(
        "{away}²·y − x_#·{away} − {away}·{sum} + ((1 + y)/y)·x_#·{sum}"
    ));
    let last = format!("{away}²·y²/(1 + y)");
    let bound = num(0) + term(h, &format!("{away}²"))? * var("y");
    let goal = Goal::Le(term(h, &j.text(&format!("2·$s·{away}")))?, bound);
    let parts: &[(&str, &[&Theorem])] = &[(&factor, &[&least]), (&rest, &[&one]), (&last, &[])];
    limit(&settle(inner, &goal, parts)?)
}

/// g_j² ≤ 0 where e ≤ w_j·(w_j + d_j).
fn from_sign(h: &Context) -> Proof {
    let j = At::new("j");
    let inner = h.extended(real("u", Sign::NonNegative))?;
    let told = goal(&inner, &j.text("(w_#·$g)² ≤ u"))?;
    let inner = inner.extended(Item::Assume(told))?;
    let every = discharge(&discharge(&near(&inner, &j)?)?)?;
    let rule = instance(h, &every, &j.term(h, "(w_#·$g)²")?)?;
    apply(h, &rule, &j.show(h, "(w_#·$g)² ≤ (w_#·$g)²", &[])?)
}

/// The same with (w_jg_j)² ≤ u, hypothesis number 6: the model at d_j − t·g_j for a small t.
fn near(h: &Context, j: &At) -> Proof {
    let (kept, width) = (given(h, 5)?, given(h, 6)?);
    let whole = j.text("(1 + M_#·e + u)");
    let step = format!("(e/{whole})");
    let there = j.text(&format!("(w_# + d_# − {step}·$g)"));
    let one = inverse(h, &term(h, &whole)?)?;
    let rest = format!("(1 + u)/{whole}");
    let short = j.show(
        h,
        &format!("M_#·{step} ≤ 1"),
        &[("1", &[&one]), (&rest, &[])],
    )?;
    let rest = format!("e·((w_#·$g − 1/2)² + 3/4 + M_#·e)/{whole}");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&kept]),
        ("e", &[&one]),
        (&step, &[&width]),
        (&rest, &[]),
    ];
    let same = j.show(h, &format!("0 ≤ {there}·w_#"), parts)?;
    let product = j.moduli(h, &there, "w_#")?;
    let gap = j.text(&format!("|{there}|·|w_#| − {there}·w_#"));
    let square = show(h, &format!("({gap})² ≤ 0"), &[("2", &[&same, &product])])?;
    let size = vanishes(h, &gap, &square)?;
    let least = j.least(h, &format!("d_# − {step}·$g"))?;
    let (beyond, own) = (j.subgradient(h, "w_# + d_#")?, j.given(h, 2)?);
    let unit = format!("2·{whole}/e");
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("({unit})·w_#²"), &[&least]),
        (&format!("({unit})·w_#²"), &[&beyond]),
        (&unit, &[&own, &same]),
        (&format!("({unit})·ν·|w_#|"), &[&size]),
        (&format!("w_#²·$g²·({whole}/{whole})"), &[&short]),
        ("(−1)·w_#²·$g²", &[&one]),
    ];
    let none = j.show(h, "w_#²·$g² ≤ 0", parts)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("(w_# + d_#)²/e²", &[&none]),
        ("$g²/e²", &[&kept, &kept]),
        ("2·$g²/e", &[&kept]),
    ];
    j.show(h, "$g² ≤ 0", parts)
}

/// The proof of [`statement()`]: no score of the others is above that of (GS-s), and both are equal to it at a good step.
pub fn prove(statement: &Statement) -> Proof {
    type Still = fn(&Context) -> Proof;
    let (j, k) = (At::new("j"), At::new("k"));
    let moved = |h: &Context, goal: &Goal, still: Still| {
        let ([most, _], own) = (j.good(h, &still(h)?)?, k.moved(h)?);
        settle(
            h,
            goal,
            &[("1", &[&own]), ("1", &[&k.given(h, 4)?]), ("1", &[&most])],
        )
    };
    let lower = |h: &Context, goal: &Goal, still: Still| {
        let ([_, most], own) = (j.good(h, &still(h)?)?, k.lowered(h)?);
        let sum = format!("({} + {})/2", k.text("|$s|/√(M_#)"), j.text("|$s|/√(M_#)"));
        let parts: &[(&str, &[&Theorem])] = &[
            ("1", &[&own]),
            (&sum, &[&k.given(h, 4)?]),
            ("1", &[&most]),
            (&k.text("$g²/(2·M_#)"), &[]),
        ];
        settle(h, goal, parts)
    };
    each(
        statement,
        &[
            &|h, goal| moved(h, goal, from_zero),
            &|h, goal| lower(h, goal, from_zero),
            &|h, goal| moved(h, goal, from_sign),
            &|h, goal| lower(h, goal, from_sign),
        ],
    )
}
