//! `kl-thm-7-two-points`: Theorem 7, and Theorem 6 and Corollary 1 for squares, without √d.

use super::pair::{NUMBERS, both, noise, ones, setting, short, wrong};
use super::sharp::entry;
use super::told;
use crate::moved::written::{Proof, each, goal, settle, show, sides, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, at_most_one, expected, instance, larger, root_increases, sum_over, triangle,
};
use dp_assay_kernel::search::cases::split;
use dp_assay_kernel::search::size::below_modulus;
use dp_assay_kernel::search::{assumed, item};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Op, Term, num, var};

/// The minimiser of F, and that of E.
const LEAST: [&str; 2] = ["⟨a·𝟙[j=o] : j<d⟩", "⟨(−1)·a·𝟙[j=o] : j<d⟩"];

/// `kl-thm-7-two-points`: a is D, o the first coordinate, W the ball of radius a, S is `S[0]` and S′ is `S[m + m]`, F is the risk of S and E that of S′.
pub fn statement() -> Result<Statement, Stuck> {
    let [least, other] = LEAST;
    let excess = |risk: &str, data: &str, least: &str| {
        format!("𝔼_{{ξ∼N_{{e}}(0, 1)}}[{risk}(clip(A({data}, ξ), a))] − {risk}({least})")
    };
    let worst = format!(
        "max({}, {})",
        excess("F", "S[0]", least),
        excess("E", "S[m + m]", other)
    );
    let gradient = |risk: &str, sign: &str, least: &str| {
        let slope = format!("⟨μ·x_j {sign} (L₀/2)·q·𝟙[j=o] : j<d⟩");
        format!("{risk}(x) − {risk}({least}) = ‖{slope}‖²/(2·μ)")
    };
    let growth = |risk: &str, sign: &str, least: &str| {
        let apart = format!("⟨x_j {sign} a·𝟙[j=o] : j<d⟩");
        format!("{risk}(x) − {risk}({least}) = (μ/2)·‖{apart}‖²")
    };
    render::parse(&format!(
        "{NUMBERS}
  real L₀ > 0
  real a > 0
  define μ := L₀·q/(2·a)
  define f(w∈ℝ^d, ς) := (μ/2)·‖w‖² − (L₀/2)·ς·w_o
{}
  define F(w∈ℝ^d) := (Σ_{{i<n}} f(w, S[0][i]))/n
  define E(w∈ℝ^d) := (Σ_{{i<n}} f(w, S[m + m][i]))/n
  real ς
  assume ς³ = ς
  vector x ∈ ℝ^d
  vector y ∈ ℝ^d
holds
  f(x, ς) + (Σ_{{j<d}} (μ·x_j − (L₀/2)·ς·𝟙[j=o])·(y_j − x_j)) + (μ/2)·‖⟨y_j − x_j : j<d⟩‖² = f(y, \
      ς); if ‖x‖ ≤ a: if ‖y‖ ≤ a: f(x, ς) ≤ f(y, ς) + L₀·‖⟨x_j − y_j : j<d⟩‖; {}; {}; {}; {}; \
      ‖{least}‖ = a; ‖{other}‖ = a; 3·L₀·a/(128·n·ε) ≤ {worst}; L₀²/(32·μ·n²·ε²) ≤ {worst}",
        setting(),
        growth("F", "−", least),
        growth("E", "+", other),
        gradient("F", "−", least),
        gradient("E", "+", other),
    ))
}

/// F(w) = (μ/2)·‖w‖² − q·(L₀/2)·w_o, or E(w), with the other sign.
fn risk(h: &Context, first: bool, w: &str) -> Proof {
    let [_, all] = ones(h, first)?;
    let (name, sign) = if first { ("F", "(−1)·") } else { ("E", "") };
    let goal = format!("{name}({w}) = (μ/2)·‖{w}‖² + {sign}q·(L₀/2)·{w}[o]");
    show(h, &goal, &[(&format!("{sign}(L₀/2)·{w}[o]/n"), &[&all])])
}

/// q ≤ 1: of what is its own square, none is above 1.
fn share(h: &Context) -> Proof {
    let inner = &h.extended(item("l", Sort::Index(var("n"))))?;
    let own = "for every index i<n: S[0][i]² = S[0][i]";
    let own = instance(inner, &told(h, own)?, &var("l"))?;
    let parts: &[(&str, &[&Theorem])] = &[("(1 − S[0][l])²", &[]), ("1", &[&own])];
    let all = sum_over(&show(inner, "S[0][l] ≤ 1", parts)?)?;
    let [_, sum] = ones(h, true)?;
    show(h, "q ≤ 1", &[("1/n", &[&all]), ("(−1)/n", &[&sum])])
}

/// L₀qa/4 times the probability of the wrong side is at most the expected excess.
fn excess(h: &Context, first: bool) -> Proof {
    let inner = &h.extended(item("ξ", Sort::Vector(var("e"), Sign::Any)))?;
    let (data, name, sign) = match first {
        true => ("S[0]", "F", ""),
        false => ("S[m + m]", "E", "(−1)·"),
    };
    let w = format!("clip(A({data}, ξ), a)");
    let own = format!("{sign}{w}[o]");
    let least = LEAST[usize::from(!first)];
    let text = format!("(L₀·q·a/4)·𝟙({own} ≤ 0) ≤ {name}({w}) − {name}({least})");
    let wanted = goal(inner, &text)?;
    let missed = |h: &Context, case: &Theorem, yes: bool| {
        let (is, end) = (risk(h, first, &w)?, risk(h, first, least)?);
        let one = at_most_one(h, &term(h, &format!("𝟙({own} ≤ 0)"))?)?;
        let apart = match yes {
            true => format!("(μ/2)·‖{w}‖²"),
            false => format!("(μ/2)·(Σ_{{j<d}} ({w}[j] − {least}[j])²)"),
        };
        let parts: &[(&str, &[&Theorem])] = &[
            ("(−1)", &[&is]),
            ("1", &[&end]),
            (&apart, &[]),
            (if yes { "q·L₀/2" } else { "L₀·q·a/4" }, &[case]),
            (if yes { "L₀·q·a/4" } else { "0" }, &[&one]),
        ];
        settle(h, &wanted, parts)
    };
    let sides = [&term(inner, &own)?, &num(0)];
    let yes = |h: &Context, case: &Theorem| missed(h, case, true);
    let found = split(inner, sides, yes, |h, case| missed(h, case, false))?;
    expected(&found, &noise())
}

/// The larger of the expected excesses is at least L₀·a·z·P/(4nε), P the sum of the probabilities of the wrong sides.
fn larger_excess(h: &Context, worst: &Term) -> Proof {
    let Term::Op(Op::Max, sides) = worst else {
        return Err(Stuck::new("not the larger of two"));
    };
    let [one, other] = [false, true].map(|second| larger(h, &sides[0], &sides[1], second));
    let parts: &[(&str, &[&Theorem])] = &[
        ("1/2", &[&one?]),
        ("1/2", &[&other?]),
        ("1/2", &[&excess(h, true)?]),
        ("1/2", &[&excess(h, false)?]),
    ];
    let goal = format!(
        "L₀·a·(m·ε)·({})/(4·n·ε) ≤ {}",
        both("0"),
        render::text(worst)
    );
    show(h, &goal, parts)
}

/// The proof of [`statement`], or of a statement with other constants.
pub fn prove(statement: &Statement) -> Proof {
    let h = &statement.context;
    let gap = "⟨x_j − y_j : j<d⟩";
    let lipschitz = |h: &Context, wanted: &Goal| {
        let [.., Item::Assume(x_in), Item::Assume(y_in)] = h.items() else {
            return Err(Stuck::new("nothing is supposed"));
        };
        let (x_in, y_in) = (assumed(h, x_in)?, assumed(h, y_in)?);
        let record = told(h, "ς³ = ς")?;
        let t = "(y_o − x_o)";
        let parts: &[(&str, &[&Theorem])] = &[
            (&format!("(1 − ς²)²·{t}²"), &[]),
            (&format!("ς·{t}²"), &[&record]),
        ];
        let square = root_increases(&show(h, &format!("(ς·{t})² ≤ {t}²"), parts)?)?;
        let own = below_modulus(h, &term(h, &format!("ς·{t}"))?)?;
        let (size, minus) = (entry(h, gap)?, term(h, "⟨(−1)·y_j : j<d⟩")?);
        let apart = triangle(h, &term(h, gap)?, &minus)?;
        let parts: &[(&str, &[&Theorem])] = &[
            ("L₀/2", &[&own]),
            ("L₀/2", &[&square]),
            ("L₀/2", &[&size]),
            ("(μ/2)·(‖x‖ + ‖y‖)", &[&apart]),
            (&format!("(μ/2)·‖{gap}‖"), &[&x_in]),
            (&format!("(μ/2)·‖{gap}‖"), &[&y_in]),
            (&format!("(L₀/2)·‖{gap}‖"), &[&share(h)?]),
        ];
        settle(h, wanted, parts)
    };
    let plain = |h: &Context, goal: &Goal, first: bool| {
        let least = LEAST[usize::from(!first)];
        let (is, end) = (risk(h, first, "x")?, risk(h, first, least)?);
        settle(h, goal, &[("1", &[&is]), ("(−1)", &[&end])])
    };
    let bound = |h: &Context, goal: &Goal, share: &str, rest: &[(&str, &[&Theorem])]| {
        let [_, worst] = sides(goal)?;
        let (most, wrong) = (larger_excess(h, worst)?, wrong(h, "0")?);
        let mut parts: Vec<(&str, &[&Theorem])> = vec![];
        let facts = [[&most], [&wrong]];
        parts.extend([("1", facts[0].as_slice()), (share, facts[1].as_slice())]);
        parts.extend(rest.iter().copied());
        settle(h, goal, &parts)
    };
    let high = short(h)?;
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[]),
            &lipschitz,
            &|h, goal| plain(h, goal, true),
            &|h, goal| plain(h, goal, false),
            &|h, goal| plain(h, goal, true),
            &|h, goal| plain(h, goal, false),
            &|h, goal| settle(h, goal, &[]),
            &|h, goal| settle(h, goal, &[]),
            // 1/z ≥ 3/4.
            &|h, goal| {
                let rest: &[(&str, &[&Theorem])] = &[("15·L₀·a/(608·n·ε·(m·ε))", &[&high])];
                bound(h, goal, "L₀·a/(4·n·ε·(m·ε))", rest)
            },
            &|h, goal| bound(h, goal, "L₀·a/(4·n·ε·(m·ε))", &[]),
        ],
    )
}
