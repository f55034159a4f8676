//! Corollary 3 corrected: `decor-cor-12-pl-corrected` where nobody colludes, and where one user is curious. What its bound has
//! besides the first term falls like 1/√T at least.

use super::super::{
    Parts, Proof, bounded_by, calibrated_bound, calibrated_text, fast, given_for, of, on,
};
use super::{PLACES, prove_by, useful_as};
use crate::moved::written::{self, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, counted, inverse, root_increases, sum_over};
use dp_assay_kernel::search::exp::{log_increases, log_product, log_tangent};
use dp_assay_kernel::statement::{Context, Goal, Statement};
use dp_assay_kernel::term::var;
use std::cell::OnceCell;

/// The statement for m users who do not collude, as `supposed`, whom its bound calls `m`; Y/√T is at least what it has besides its
/// first term.
fn instance(supposed: &str, m: &str) -> Result<Statement, Stuck> {
    let more = format!(
        "assume {supposed}
    define Y := (16/7)·(L·S²/(μ²·n)) + (512/21)·(K·L²·C²·d·ℓ/(μ³·p·ε²))·(H·M/(n·a) + \
        {WEIGHTS}/(n·{m})) + (512/21)·(L²·q·(4·Z²/p + S²)/(μ³·p)) + τ²·{START}
    "
    );
    let all = bounded_by(&calibrated_text(m));
    render::parse(&useful_as(&more, &[&all, &bounded_by(&in_the_end(m))]))
}

pub(super) const WEIGHTS: &str = "(Σ_{κ<n} Σ_{ϑ<n} (W_ϑ[κ] − 1/n)²)";

const START: &str = "(F(⟨ā(ι, v₀) : ι<d⟩) − F⋆ + (L/2)·Ξ(v₀))";

fn in_the_end(m: &str) -> String {
    format!("(16/7)·(K·L·C²·d·ℓ/(μ²·n·{m}·ε²)) + Y/√(T)")
}

/// `decor-cor-3a-util-corrected`: q = 0.
pub fn eavesdropped() -> Result<Statement, Stuck> {
    instance("m = n", "n")
}

/// The proof of [`eavesdropped`], or of a statement with larger constants.
pub fn prove_eavesdropped(statement: &Statement) -> Proof {
    let log = "log(1 + T/(15 + θ))";
    let unit = format!("(256/7)·(K·L²·C²·d·ℓ·{log}/(μ³·p·ε²·T))");
    prove(statement, "n", &|h: &Context, goal: &Goal| {
        let general = written::goal(h, &bounded_by(&calibrated_text("m")))?;
        let found = calibrated_bound(h, &general)?;
        let same = written::given_for(h, PLACES[1].len(), &[])?;
        let parts: Parts<'_> = &[
            ("1", &[&found]),
            ("(−1)·(16/7)·(K·L·C²·d·ℓ/(μ²·n²·m·ε²))", &[&same]),
            (&format!("(−1)·{unit}·{WEIGHTS}/(n²·m)"), &[&same]),
        ];
        settle(h, goal, parts)
    })
}

/// Both bounds, the one with all terms by this program, which both need.
fn prove(statement: &Statement, m: &str, all: &dyn Fn(&Context, &Goal) -> Proof) -> Proof {
    let found = OnceCell::new();
    let terms = |h: &Context| {
        let text = bounded_by(&calibrated_text(m));
        let known = || written::goal(h, &text).and_then(|goal| all(h, &goal));
        found.get_or_init(known).clone()
    };
    let first = |h: &Context, goal: &Goal| settle(h, goal, &[("1", &[&terms(h)?])]);
    let then = |h: &Context, goal: &Goal| vanishing(h, goal, m, &terms(h)?);
    prove_by(statement, &[&first, &then])
}

/// `decor-cor-3b-util-corrected`: q = 1.
pub fn curious() -> Result<Statement, Stuck> {
    instance("m + 1 = n", "m")
}

/// The proof of [`curious`], or of a statement with larger constants.
pub fn prove_curious(statement: &Statement) -> Proof {
    prove(statement, "m", &calibrated_bound)
}

/// log(1 + T/(15 + θ)) ≤ 2·log(1 + √T/3) ≤ (2/3)·√T.
fn slow(h: &Context) -> Proof {
    let root = "(1 + √(T)/3)";
    let share = inverse(h, &term(h, "15 + θ")?)?;
    let parts: Parts<'_> = &[
        ("T/9", &[&share]),
        ("(2/3)·√(T)", &[]),
        ("T/(15 + θ)·(2/3 + θ/9)", &[]),
    ];
    let less = show(h, &format!("1 + T/(15 + θ) ≤ {root}·{root}"), parts)?;
    let x = term(h, root)?;
    let [_, split] = log_product(h, &x, &x)?;
    let goal = "log(1 + T/(15 + θ)) ≤ (2/3)·√(T)";
    let parts: Parts<'_> = &[
        ("1", &[&log_increases(&less)?]),
        ("1", &[&split]),
        ("2", &[&log_tangent(h, &x)?]),
    ];
    show(h, goal, parts)
}

/// 0 ≤ H·M: A(k, l) is a sum of squares, as ends are 0 or 1.
pub(super) fn spread(h: &Context) -> Proof {
    let pair = &on(h, "k l")?;
    let e = &on(pair, "e")?;
    let end = |n: usize, k: &str| given_for(e, n, &["e", k, k]);
    let product = |(a, k): (&str, &str), (b, l): (&str, &str), [one, two]: [&Theorem; 2]| {
        let goal = format!("{a}_e[{k}]·{b}_e[{l}] = {a}_e[{k}]²·{b}_e[{l}]²");
        let parts: Parts<'_> = &[
            (&format!("(−1)·{b}_e[{l}]²"), &[one]),
            (&format!("(−1)·{a}_e[{k}]"), &[two]),
        ];
        show(e, &goal, parts)
    };
    let one = product(("h", "k"), ("t", "l"), [&end(0, "k")?, &end(1, "l")?])?;
    let two = product(("t", "k"), ("h", "l"), [&end(1, "k")?, &end(0, "l")?])?;
    let squares = "0 ≤ h_e[k]·t_e[l] + t_e[k]·h_e[l]";
    let squares = sum_over(&show(e, squares, &[("(−1)", &[&one]), ("(−1)", &[&two])])?)?;
    let apart = "(Σ_{c<n} (W_k[c] − W_l[c])²)";
    let goal = format!("0 ≤ A(k, l)·{apart}");
    let all = sum_over(&sum_over(&show(pair, &goal, &[(apart, &[&squares])])?)?)?;
    show(h, "0 ≤ H·M", &[("1/2", &[&all])])
}

/// The bound with Y/√T from the one with all terms, which calls the users who do not collude `m`: 1/T ≤ 1/√T.
fn vanishing(h: &Context, goal: &Goal, m: &str, all: &Theorem) -> Proof {
    let slow = slow(h)?;
    let whole = show(h, "1 ≤ T", &[("1", &[&counted(h, &var("T"))?])])?;
    let one = root_increases(&whole)?;
    let parts: Parts<'_> = &[("1", &[&fast(h)?]), ("1/T²", &[&whole]), ("1/T", &[&one])];
    let fast = show(h, "1/(T + τ)² ≤ 1/√(T)", parts)?;
    let least = given_for(h, of::LEAST, &["⟨ā(ι, v₀) : ι<d⟩"])?;
    let noise = "(256/7)·(K·L²·C²·d·ℓ/(μ³·p·ε²))/T";
    let samples = "(L²·q·(4·Z²/p + S²)/(μ³·p))";
    let parts: Parts<'_> = &[
        ("1", &[all]),
        ("(16/7)·(L·S²/(μ²·n·T))", &[&one]),
        (&format!("{noise}·{WEIGHTS}/(n·{m})"), &[&slow]),
        (&format!("{noise}/(n·a)"), &[&slow, &spread(h)?]),
        (&format!("(256/7)·{samples}/T²"), &[&slow]),
        (&format!("(512/21)·{samples}/(√(T)·T)"), &[&whole]),
        ("τ²", &[&least, &fast]),
        ("τ²·(L/2)·Ξ(v₀)", &[&fast]),
    ];
    settle(h, goal, parts)
}
