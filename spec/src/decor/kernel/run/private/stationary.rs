//! The second item of Corollary 12 corrected, `decor-cor-12-nc-corrected`: no PL inequality is supposed, and the constant step is 1/P.
//! Δ is at least L_0, and public, as the step depends on it.

use super::super::constant::{self, BOUND, bounded, bounded_by};
use super::super::least_step::{FAST, SLOW, unit};
use super::super::{LOSSES, Parts, Proof, given, of, run_of};
use super::instances::{WEIGHTS, spread};
use super::{Besides, prove_by, text};
use crate::moved::written::{self, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{inverse, larger, largest, root_increases};
use dp_assay_kernel::statement::{Context, Goal, Item, Statement};

/// The run without Γ, the sum of what is to be bounded: it reads the data, and nothing reads it. So the transcripts are alike, and the
/// models, which are all states of this one, are as private.
const SEEN: &str = "Alg1′";

/// What is supposed of Δ.
const START: &str = "F(⟨ā(ι, v₀) : ι<d⟩) − F⋆ ≤ Δ";

/// `decor-cor-12-nc-corrected`: m is n − q, ℓ is log(1/δ), K is κ.
pub fn statement() -> Result<Statement, Stuck> {
    let more = format!(
        "real Δ > 0
    define P := max({FAST}, {SLOW})
    real η₀ > 0
    assume η₀ = 1/P
    define η(r<T) := η₀
    "
    );
    let supposed: Vec<&str> = LOSSES.iter().copied().chain([START]).collect();
    let bound = format!(
        "√(8·K·L·Δ)·(C·√(d·ℓ)/(√(n·m)·ε)) + √(8·L·Δ·S²/(n·T)) + 16·L·Δ/(p·T) + 4·L²·Ξ(v₀)/(p·T) + \
            (8·L·Δ·n/(p·T))·(q·(4·Z²/p + S²)/Q + H·M·m/(n·a) + {WEIGHTS}/n)"
    );
    render::parse(&text(&Besides {
        more: &more,
        run: &|round| {
            format!(
                "{}{}",
                run_of(round).replace("Alg1", SEEN),
                constant::run_of(round)
            )
        },
        supposed: &supposed,
        useful: &[&bounded_by(&bound)],
        seen: SEEN,
    }))
}

/// The bound with g = √(LTQ/(2nΔ)) and R/Q in it, as 1/η₀ ≤ 8L/p + g and η₀ ≤ 1/g.
fn steps(h: &Context) -> Proof {
    let all = bounded(h, &written::goal(h, &bounded_by(BOUND))?)?;
    let (first, second) = (term(h, FAST)?, term(h, SLOW)?);
    let both = |one: &str| show(h, &format!("{one} ≤ {FAST} + {SLOW}"), &[]);
    let below = largest(&both(FAST)?, &both(SLOW)?)?;
    let above = larger(h, &first, &second, true)?;
    let (unit, whole) = (unit(h)?, whole(h)?);
    let inverse_of_step = show(h, "1/η₀ = P", &[("(−1)/η₀", &[&unit])])?;
    let parts: Parts<'_> = &[("η₀", &[&above]), ("1", &[&unit])];
    let slow = show(h, &format!("η₀·{SLOW} ≤ 1"), parts)?;
    let rest = format!("(8·L·Δ·n/(p·T))·R·(1/Q)·(1 + η₀·{SLOW})");
    let parts: Parts<'_> = &[
        ("1", &[&all]),
        ("(−4)·L²·η₀²·R/p", &[&whole]),
        ("2·(F(⟨ā(ι, v₀) : ι<d⟩) − F⋆)/T", &[&inverse_of_step]),
        ("2·P/T", &[&start(h)?]),
        ("2·Δ/T", &[&below]),
        (&format!("2·Δ·{SLOW}/T"), &[&slow]),
        (&rest, &[&slow]),
    ];
    let bound = format!("4·Δ·{SLOW}/T + 16·L·Δ/(p·T) + 4·L²·Ξ(v₀)/(p·T) + (8·L·Δ·n/(p·T))·(R/Q)");
    show(h, &bounded_by(&bound), parts)
}

/// Q·(1/Q) = 1.
fn whole(h: &Context) -> Proof {
    inverse(h, &term(h, "Q")?)
}

/// g is at most the sum of the roots of its two parts, that of noise and that of samples.
fn roots(h: &Context) -> Proof {
    let [noise, samples] = ["√(K·L/(2·Δ))·(C·√(d·ℓ)/(√(n·m)·ε))·T", "√(L·T·S²/(2·n·Δ))"];
    let parts: Parts<'_> = &[
        ("L·T·d/(2·n·Δ)", &[&given(h, of::SCALES)?]),
        (&format!("2·{noise}·{samples}"), &[]),
    ];
    let goal = format!("L·T·Q/(2·n·Δ) ≤ ({noise} + {samples})²");
    root_increases(&show(h, &goal, parts)?)
}

/// R/Q is at most q·(4Z²/p + S²)/Q and what does not depend on T, as dσ² ≤ Q and aν² = mσ².
fn ratio(h: &Context) -> Proof {
    let (spread, named) = (spread(h)?, given(h, of::SPREAD)?);
    let most = format!("(H·M·m/(n·a) + {WEIGHTS}/n)");
    let parts: Parts<'_> = &[
        ("1/Q", &[&named]),
        ("(H·M/(n·a))·d/Q", &[&shared_scale(h)?]),
        (&most, &[&whole(h)?]),
        ("(m/(n·a))·S²/Q", &[&spread]),
        (&format!("({WEIGHTS}/n)·S²/Q"), &[]),
    ];
    show(h, &format!("R/Q ≤ q·(4·Z²/p + S²)/Q + {most}"), parts)
}

fn useful(h: &Context, goal: &Goal) -> Proof {
    let parts: Parts<'_> = &[
        ("1", &[&steps(h)?]),
        ("4·Δ/T", &[&roots(h)?]),
        ("8·L·Δ·n/(p·T)", &[&ratio(h)?]),
    ];
    settle(h, goal, parts)
}

/// a·ν² = m·σ².
fn shared_scale(h: &Context) -> Proof {
    let (own, shared) = (given(h, of::SCALES)?, given(h, of::SCALES + 1)?);
    show(h, "a·ν² = m·σ²", &[("a", &[&shared]), ("(−1)·m", &[&own])])
}

/// L_0 ≤ Δ, the last of what is supposed.
fn start(h: &Context) -> Proof {
    let assumed = |item: &&Item| matches!(item, Item::Assume(_));
    let all = h.items().iter().filter(assumed).count();
    written::given(h, all - 1)
}

/// The proof of [`statement`], or of a statement with larger constants.
pub fn prove(statement: &Statement) -> Proof {
    prove_by(statement, &[&useful])
}
