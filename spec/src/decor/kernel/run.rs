//! The corrected Algorithm 1 as a process, and what it ends with: `decor-thm-2a-corrected`.
//!
//! What all users hold is one vector v of s numbers: number ι is entry j of user k's model where α_ι\[k\] and β_ι\[j\] are 1, and
//! x(k, j, v) reads it. The noise z of the edges is laid out likewise. The graph is that of [`super::noise`]. A function is
//! L-smooth, |F(y) − F(x) − ⟨∇F(x), y − x⟩| ≤ (L/2)·‖y − x‖² for all x and y, exactly if F + (L/2)·‖x‖² is convex and 2L-smooth,
//! which is what ψ is; the public part of the loss is ϱ(x) − (λ/2)·‖x‖² for the same reason. f(k, x, ξ) is the gradient of the
//! other part, ξ the source of the samples: any sample is a function of enough Gaussian numbers.

use super::noise::GRAPH;
use crate::moved::written::{each, given, given_for, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, assume, chain, discharge, ends, exchange, instance, inverse, unclipped,
};
use dp_assay_kernel::search::exp::{log_increases, log_product};
use dp_assay_kernel::search::{item, real};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Term, var};
use rounds::{ADDED, invariant, keeps};

mod descent;
mod noises;
mod rounds;
mod steps;

type Proof = Result<Theorem, Stuck>;

type Parts<'a> = &'a [(&'a str, &'a [&'a Theorem])];

const SETTING: &str = "integer d ≥ 1
    integer T ≥ 1
    integer s ≥ 1
    sequence α in ℝ^n
    sequence β in ℝ^d
    assume for every index ι′<s: for every index k′<n: for every index l′<n: α_ι′[k′]·α_ι′[l′] = α_ι′[k′]·𝟙[k′=l′]
    assume for every index ι′<s: for every index j′<d: for every index i′<d: β_ι′[j′]·β_ι′[i′] = β_ι′[j′]·𝟙[j′=i′]
    assume for every index k′<n: for every index j′<d: Σ_{ι<s} α_ι[k′]·β_ι[j′] = 1
    define x(k<n, j<d, v∈ℝ^s) := Σ_{ι<s} α_ι[k]·β_ι[j]·v_ι
    integer s′ ≥ 1
    sequence ε in ℝ^E
    sequence φ in ℝ^d
    assume for every index ι′<s′: for every index e′<E: for every index f′<E: ε_ι′[e′]·ε_ι′[f′] = ε_ι′[e′]·𝟙[e′=f′]
    assume for every index ι′<s′: for every index j′<d: for every index i′<d: φ_ι′[j′]·φ_ι′[i′] = φ_ι′[j′]·𝟙[j′=i′]
    assume for every index e′<E: for every index j′<d: Σ_{ι<s′} ε_ι[e′]·φ_ι[j′] = 1
    define ζ(e<E, j<d, z∈ℝ^s′) := Σ_{ι<s′} ε_ι[e]·φ_ι[j]·z_ι
    sequence W in ℝ^n
    assume for every index k′<n: Σ_{κ<n} W_k′[κ] = 1
    real p > 0
    real q ≥ 0
    assume q = 1 − p
    assume for every vector x′ ∈ ℝ^n: Σ_{κ<n} (Σ_{ϑ<n} (W_ϑ[κ] − 1/n)·x′_ϑ)² ≤ q·(Σ_{κ<n} (x′_κ − (Σ_{ϑ<n} x′_ϑ)/n)²)
    real L > 0
    real μ > 0
    assume μ ≤ L
    real C ≥ 0
    integer B ≥ 1
    map f of ℝ^n × ℝ^d × ℝ^B into ℝ^d
    assume for every index k′<n: for every vector x′ ∈ ℝ^d: for every vector ξ′ ∈ ℝ^B: ‖f(⟨𝟙[ι=k′] : ι<n⟩, x′, ξ′)‖ ≤ C
    vector Λ ∈ ℝ^d, all > 0
    function ϱ on ℝ^d with Λ: convex, differentiable, and ϱ(y) ≤ ϱ(x) + ⟨∇ϱ(x), y − x⟩ + ½·Σ_j Λ_j·(y_j − x_j)² for all x, y
    real λ
    define g(k<n, y∈ℝ^d, ξ∈ℝ^B, j<d) := clip(f(⟨𝟙[ι=k] : ι<n⟩, y, ξ), C)[j] + ∂_j ϱ(y) − λ·y_j
    define G(k<n, y∈ℝ^d, j<d) := 𝔼_{ξ′∼N_{B}(0, 1)}[g(k, y, ξ′, j)]
    define D(y∈ℝ^d, j<d) := (Σ_{κ<n} G(κ, y, j))/n
    vector Ω ∈ ℝ^d, all > 0
    assume for every index j′<d: Ω_j′ = 2·L
    function ψ on ℝ^d with Ω: convex, differentiable, and ψ(y) ≤ ψ(x) + ⟨∇ψ(x), y − x⟩ + ½·Σ_j Ω_j·(y_j − x_j)² for all x, y
    define F(y∈ℝ^d) := ψ(y) − (L/2)·(Σ_{ϑ<d} y_ϑ²)
    assume for every vector x′ ∈ ℝ^d: for every index j′<d: ∂_j′ ψ(x′) − L·x′_j′ = D(x′, j′)
    real F⋆
    assume for every vector x′ ∈ ℝ^d: F⋆ ≤ F(x′)
    assume for every vector x′ ∈ ℝ^d: 2·μ·(F(x′) − F⋆) ≤ Σ_{ϑ<d} D(x′, ϑ)²
    assume for every index k′<n: for every vector x′ ∈ ℝ^d: for every vector y′ ∈ ℝ^d: Σ_{ϑ<d} (G(k′, x′, ϑ) − G(k′, y′, ϑ))² ≤ L²·(Σ_{ϑ<d} (x′_ϑ − y′_ϑ)²)
    real Z
    assume for every vector x′ ∈ ℝ^d: (Σ_{ϑ<d} Σ_{κ<n} (G(κ, x′, ϑ) − D(x′, ϑ))²)/n ≤ Z²
    assume for every index k′<n: for every index l′<n: for every vector x′ ∈ ℝ^d: for every vector y′ ∈ ℝ^d: for every index j′<d: (1 − 𝟙[k′=l′])·𝔼_{ξ′∼N_{B}(0, 1)}[(g(k′, x′, ξ′, j′) − G(k′, x′, j′))·(g(l′, y′, ξ′, j′) − G(l′, y′, j′))] = 0
    real S
    assume for every vector x′ ∈ ℝ^s: (Σ_{ϑ<d} Σ_{κ<n} 𝔼_{ξ′∼N_{B}(0, 1)}[(g(κ, ⟨x(κ, ι, x′) : ι<d⟩, ξ′, ϑ) − G(κ, ⟨x(κ, ι, x′) : ι<d⟩, ϑ))²])/n ≤ S²
    real θ ≥ 0
    define τ := 16 + θ
    assume 16·L/(μ·p) = τ
    define η(r<T) := (2/μ)/(r + τ)
    real M > 0
    assume M = Σ_{i<n} Σ_{k<n} A(i, k)
    define H := (Σ_{i<n} Σ_{k<n} A(i, k)·(Σ_{c<n} (W_i[c] − W_k[c])²))/(2·M)
    real σ ≥ 0
    real ν ≥ 0
    define Q := S² + d·σ²
    real R ≥ 0
    assume R = q·(4·Z²/p + S²) + H·M·d·ν²/n + (Σ_{κ<n} Σ_{ϑ<n} (W_ϑ[κ] − 1/n)²)·d·σ²/n
    vector v₀ ∈ ℝ^s
    define a(j<d, v∈ℝ^s) := (Σ_{κ<n} x(κ, j, v))/n
    define Ξ(v∈ℝ^s) := (Σ_{ϑ<d} Σ_{κ<n} (x(κ, ϑ, v) − a(ϑ, v))²)/n
    ";

/// Hypotheses by number.
mod of {
    pub const USERS: usize = 4;
    pub const ENTRIES: usize = 5;
    pub const PLACE: usize = 6;
    pub const EDGES: usize = 7;
    pub const EDGE_ENTRIES: usize = 8;
    pub const EDGE_PLACE: usize = 9;
    pub const ROWS: usize = 10;
    pub const WHOLE: usize = 11;
    pub const MIXES: usize = 12;
    pub const FLAT: usize = 13;
    pub const SHORT: usize = 14;
    pub const CURVATURE: usize = 15;
    pub const GRADIENT: usize = 16;
    pub const LEAST: usize = 17;
    pub const STEEP: usize = 18;
    pub const SMOOTH: usize = 19;
    pub const ALIKE: usize = 20;
    pub const APART: usize = 21;
    pub const SAMPLES: usize = 22;
    pub const SHIFT: usize = 23;
    pub const SPREAD: usize = 25;
    /// The first that a proof supposes besides.
    pub const STEPPED: usize = 26;
}

/// What all hold where user k holds `body`(k, j) for entry j.
fn all_hold(body: &dyn Fn(&str, &str) -> String) -> String {
    let body = body("κ", "ϑ");
    format!("⟨Σ_{{κ<n}} Σ_{{ϑ<d}} α_ι[κ]·β_ι[ϑ]·({body}) : ι<s⟩")
}

/// User k's model.
fn model(k: &str) -> String {
    format!("⟨x({k}, ι, v) : ι<d⟩")
}

/// The sample of user k's gradient, entry j.
fn sample(k: &str, j: &str) -> String {
    format!("g({k}, {}, ξ, {j})", model(k))
}

/// The noise of edges that user k adds to entry j.
fn of_edges(k: &str, j: &str) -> String {
    format!("X({k}, ⟨ζ(ι, {j}, z) : ι<E⟩)")
}

/// What all hold after a step from v along `body`(k, j).
fn step(v: &str, body: &dyn Fn(&str, &str) -> String) -> String {
    let body = body("κ", "ϑ");
    format!("⟨{v}_ι − η(r)·(Σ_{{κ<n}} Σ_{{ϑ<d}} α_ι[κ]·β_ι[ϑ]·{body}) : ι<s⟩")
}

/// Entry j of what user k holds after gossip.
fn mixed(y: &str) -> impl Fn(&str, &str) -> String {
    move |k: &str, j: &str| format!("Σ_{{κ′<n}} W_κ′[{k}]·x(κ′, {j}, {y})")
}

/// What is short is not clipped.
const UNCLIPPED: &str = "clip(f(⟨𝟙[ι=k] : ι<n⟩, y, ξ), C)[j] = f(⟨𝟙[ι=k] : ι<n⟩, y, ξ)[j]";

/// What all hold after y with their own noise.
const OWN: &str = "⟨v_ι − η(r)·w_ι : ι<s⟩";

const MEAN: &str = "⟨a(ι, v) : ι<d⟩";

/// The bound of `decor-thm-2a-corrected`.
const BOUND: &str = "(16/7)·(L·Q·T/(μ²·n))/(T + τ)² + (256/7)·(L²·R·log(1 + T/(15 + θ))/(μ³·p))/(T + τ)² + τ²·(F(⟨a(ι, v₀) : ι<d⟩) − F⋆ + (L/2)·Ξ(v₀))/(T + τ)²";

/// The graph, with other names in its hypotheses.
fn graph() -> String {
    let names = [
        ("p<E", "e′<E"),
        ("_p[", "_e′["),
        ("q<n", "k′<n"),
        ("[q]", "[k′]"),
        ("r<n", "l′<n"),
        ("[r]", "[l′]"),
        ("[q=r]", "[k′=l′]"),
    ];
    let graph = GRAPH.to_owned();
    names.iter().fold(graph, |text, (a, b)| text.replace(a, b))
}

/// `decor-thm-2a-corrected`.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn statement() -> Result<Statement, Stuck> {
    let (slope, noise) = (step("v", &sample), step("v", &of_edges));
    let gossip = all_hold(&mixed("v"));
    render::parse(&format!(
        "{}{SETTING}algorithm Alg1: v ← v₀ in ℝ^s
      repeat r<T
        ξ ∼ N_{{B}}(0, 1)
        v ← {slope}
        z ∼ N_{{s′}}(0, ν²)
        v ← {noise}
        w ∼ N_{{s}}(0, σ²)
        v ← {OWN}
        v ← {gossip}
      end
    end
  holds
    for every index k<n: for every vector y ∈ ℝ^d: for every vector ξ ∈ ℝ^B: for every index j<d: {UNCLIPPED}; 𝔼_{{v∼end(Alg1)}}[F({MEAN})] − F⋆ ≤ {BOUND}",
        graph()
    ))
}

/// Users k, l and c, edges e and f, entries j and i.
fn on(h: &Context, names: &str) -> Result<Context, Stuck> {
    let below = |name: &str| match name {
        "e" | "e₂" => "E",
        "i" | "j" => "d",
        "o" => "s",
        "o′" => "s′",
        _ => "n",
    };
    let index = |name: &str| item(name, Sort::Index(var(below(name))));
    h.with(names.split(' ').map(index))
}

fn swap(h: &Context, (a, first): (&str, &str), (b, second): (&str, &str), body: &str) -> Proof {
    let inside = h.with([(a, first), (b, second)].map(|(x, d)| item(x, Sort::Index(var(d)))))?;
    let body = term(&inside, body)?;
    exchange(h, (a, &var(first)), (b, &var(second)), &body)
}

/// A theorem a ≤ b as a ≤ `right`, which is b and the parts at least.
fn passes(h: &Context, from: &Theorem, right: &str, parts: Parts<'_>) -> Proof {
    let Goal::Le(a, b) = &from.statement().goal else {
        return Err(Stuck::new("no bound"));
    };
    let e = &h.with([
        real("ε₀", Sign::Any),
        Item::Assume(Goal::Le(var("ε₀"), b.clone())),
    ])?;
    let last = [&assume(e, e.items().len() - 1)?];
    let parts: Vec<_> = { parts.iter().copied() }
        .chain([("1", &last[..])])
        .collect();
    let any = settle(e, &Goal::Le(var("ε₀"), term(h, right)?), &parts)?;
    chain(h, &instance(h, &discharge(&discharge(&any)?)?, a)?, from)
}

fn space(name: &str, d: &str) -> Item {
    item(name, Sort::Vector(var(d), Sign::Any))
}

fn law(h: &Context, text: &str) -> Result<Term, Stuck> {
    match term(h, &format!("𝔼_{{y∼{text}}}[1]"))? {
        Term::Bind(_, _, law, _) => Ok(*law),
        _ => Err(Stuck::new("no law")),
    }
}

fn samples(h: &Context) -> Result<Term, Stuck> {
    law(h, "N_{B}(0, 1)")
}

/// E F(x̄) − F⋆ at the end.
fn useful(h: &Context, goal: &Goal) -> Proof {
    let v = &h.extended(space("v", "s"))?;
    let value = format!("F({MEAN}) − F⋆");
    let last = inverse(v, &term(v, "(T + τ)²")?)?;
    let parts: Parts<'_> = &[
        (&format!("(−1)·({value})"), &[&last]),
        ("(T + τ)²·((8·L²/(p·μ))·Ξ(v)/(T + τ))/(T + τ)²", &[]),
    ];
    let r = &v.extended(item("r", Sort::Index(var("T"))))?;
    let bound = term(r, &invariant())?;
    let value = term(v, &value)?;
    let goal_of_end = Goal::Le(value.clone(), bound.put("r", &var("T")));
    let end = settle(v, &goal_of_end, parts)?;
    let round = keeps(r)?;
    let found = ends(h, "Alg1", ("v", &value), &[&bound], &[&end, &round])?;
    let whole = inverse(h, &term(h, "15 + θ")?)?;
    let far = "T + 15 + θ ≤ (1 + T/(15 + θ))·(15 + θ)";
    let far = log_increases(&show(h, far, &[("(−1)·T", &[&whole])])?)?;
    let [_, product] = log_product(h, &term(h, "1 + T/(15 + θ)")?, &term(h, "15 + θ")?)?;
    let (shift, first) = (given(h, of::SHIFT)?, inverse(h, &term(h, "τ")?)?);
    let share = format!("{}/(T + τ)²", ADDED[1]);
    let spread = "(τ²/(T + τ)²)·(L/2)·Ξ(v₀)";
    let parts: Parts<'_> = &[
        ("1", &[&found]),
        (&share, &[&far]),
        (&share, &[&product]),
        (&format!("{spread}/τ"), &[&shift]),
        (spread, &[&first]),
    ];
    settle(h, goal, parts)
}

/// The proof of [`statement()`], or of a statement with larger constants.
///
/// # Errors
/// If a rule does not apply.
pub fn prove(statement: &Statement) -> Proof {
    let outer = &statement.context;
    each(
        statement,
        &[
            &|h, goal| {
                let short = given_for(outer, of::SHORT, &[])?;
                let short = ["k", "y", "ξ"]
                    .iter()
                    .try_fold(short, |found, name| instance(h, &found, &var(name)))?;
                settle(h, goal, &[("1", &[&unclipped(h, &short, Some("j"))?])])
            },
            &useful,
        ],
    )
}
