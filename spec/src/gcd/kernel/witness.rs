//! The witness of Theorems 4.4 and 4.7, corrected.

use crate::moved::curvature::curved;
use crate::moved::margin::{
    LEAST, RIDGE, START, TWO_POINTS, apart, changes, convex, convexity, grows, is_convex,
    is_smooth, last_given, line, parse, ridge, ridge_is_of_class, smooth_by_entries, start,
};
use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, at_most_one, inverse, root_increases};
use dp_assay_kernel::search::cases::split;
use dp_assay_kernel::statement::{Context, Goal, Statement};
use dp_assay_kernel::term::var;

const ONE_RECORD_BY_ENTRIES: &str = "for every index k<n: for every vector x ∈ ℝ^d: for every \
    index l<d: for every real t: |φ(s(k, ⟨x_j + t·𝟙[j=l] : j<d⟩)) − φ(s(k, x))| ≤ |t|";

/// `gcd-thm-4.4-witness`, d being p: the loss is Lipschitz with L_j = 1; f is convex, smooth with M_j = 1/4 + λ, strongly convex with
/// μ_{M,1} = λ/(p(1/4 + λ)) and μ_{M,2} = λ/(1/4 + λ), G = log 2, and R² = 2p(1/4 + λ)G/λ for any G.
pub fn statement() -> Result<Statement, Stuck> {
    let (line, sizes) = (line("x", "y"), "(Σ_{i<d} √(1/4 + λ)·|y_i − x_i|)");
    let one = format!("{TWO_POINTS}{line} + (λ/(1/4 + λ)/(2·d))·{sizes}² ≤ f(y)");
    let two =
        format!("{TWO_POINTS}{line} + (λ/(1/4 + λ)/2)·(Σ_{{i<d}} (1/4 + λ)·(y_i − x_i)²) ≤ f(y)");
    let near = format!(
        "{LEAST}for every vector w ∈ ℝ^d: 𝟙(f(w) − f(w⋆) ≤ G)·(Σ_{{i<d}} √(1/4 + λ)·|w_i − w⋆_i|) \
            ≤ R"
    );
    let numbers = "real λ > 0
        real G > 0
        real R > 0
        assume λ·R² = 2·d·(1/4 + λ)·G";
    let goals = [
        ONE_RECORD_BY_ENTRIES.into(),
        convexity(),
        smooth_by_entries(),
        one,
        two,
        near,
        START.into(),
        ridge_is_of_class(),
    ];
    parse(&[numbers, RIDGE], &goals)
}

/// Σ_j |y_j − x_j|.
fn sizes(x: &str, y: &str) -> String {
    format!("(Σ_{{j<d}} |{y}_j − {x}_j|)")
}

/// Σ_i (|δ_i| − (Σ_j |δ_j|)/d)², which is ‖δ‖² − (Σ_j |δ_j|)²/d.
fn spread(x: &str, y: &str) -> String {
    format!("(Σ_{{i<d}} (|{y}_i − {x}_i| − {}/d)²)", sizes(x, y))
}

/// Strong convexity in the norm ‖·‖_{M,1}, or in ‖·‖_{M,2}.
fn strongly(h: &Context, goal: &Goal, by_sizes: bool) -> Proof {
    let (convex, whole) = (convex(h, "x", "y")?, inverse(h, &term(h, "1/4 + λ")?)?);
    let (sizes, far) = (sizes("x", "y"), apart("x", "y"));
    let (unit, slack) = match by_sizes {
        true => (
            format!("(λ/(2·d))·{sizes}²"),
            format!("(λ/2)·{}", spread("x", "y")),
        ),
        false => (format!("(λ/2)·{far}"), "0".to_owned()),
    };
    settle(
        h,
        goal,
        &[("1", &[&convex]), (&unit, &[&whole]), (&slack, &[])],
    )
}

/// The distance in ‖·‖_{M,1} from a minimiser where f is at most G above it, and 0 elsewhere.
fn stays_near(h: &Context, goal: &Goal) -> Proof {
    let (radius, grows) = (given(h, 1)?, grows(h, &last_given(h)?)?);
    let far = "(Σ_{i<d} √(1/4 + λ)·|w_i − w⋆_i|)";
    let (excess, most) = (term(h, "f(w) − f(w⋆)")?, var("G"));
    let close = |h: &Context, near: &Theorem| {
        let unit = "2·d·(1/4 + λ)/λ";
        let slack = format!("d·(1/4 + λ)·{}", spread("w⋆", "w"));
        let parts: &[(&str, &[&Theorem])] = &[
            ("(−1)/λ", &[&radius]),
            (unit, &[near]),
            (unit, &[&grows]),
            (&slack, &[]),
        ];
        let close = root_increases(&show(h, &format!("{far}² ≤ R²"), parts)?)?;
        let indicator = at_most_one(h, &term(h, "𝟙(f(w) − f(w⋆) ≤ G)")?)?;
        settle(h, goal, &[("1", &[&close]), (far, &[&indicator])])
    };
    let elsewhere = |h: &Context, none: &Theorem| settle(h, goal, &[(far, &[none])]);
    split(h, [&excess, &most], close, elsewhere)
}

/// The proof of [`statement`], or of a statement with larger constants.
pub fn prove(statement: &Statement) -> Proof {
    let curved = curved(&statement.context)?;
    each(
        statement,
        &[
            &|h, goal| changes(h, goal, "⟨x[j] + t·𝟙[j=l] : j<d⟩"),
            &is_convex,
            &|h, goal| is_smooth(h, &curved, goal),
            &|h, goal| strongly(h, goal, true),
            &|h, goal| strongly(h, goal, false),
            &stays_near,
            &start,
            &ridge,
        ],
    )
}
