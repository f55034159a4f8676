//! The corrected Algorithm 1 as a process, and what it ends with: `decor-thm-2a-corrected`.
//!
//! What all users hold is one vector v of n·d numbers, see `LAYOUT`. The noise z of the edges is laid out likewise. The graph is
//! that of [`super::noise`]. A function is L-smooth, |F(y) − F(x) − ⟨∇F(x), y − x⟩| ≤ (L/2)·‖y − x‖² for all x and y, exactly if F + (L/2)·‖x‖² is convex and 2L-smooth,
//! which is what ψ is; the public part of the loss is ϱ(x) − (λ/2)·‖x‖² for the same reason. f(k, x, ξ) is the gradient of the
//! other part, ξ the source of the samples: any sample is a function of enough Gaussian numbers.

use super::adversary::{LAYOUT, SHARP};
use super::noise::graph;
use super::size;
use crate::moved::written::{self, Proof, each, settle, show, sides, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, assume, chain, discharge, ends, instance, inverse, unclipped,
};
use dp_assay_kernel::search::exp::{log_increases, log_not_negative, log_product};
use dp_assay_kernel::search::{item, real};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Term, var};
use rounds::{ADDED, invariant, keeps, one_round};

pub mod apart;
mod bounds;
pub mod constant;
mod descent;
mod least_step;
mod noises;
pub mod private;
mod rounds;
mod steps;

type Parts<'a> = &'a [(&'a str, &'a [&'a Theorem])];

/// How many entries and rounds.
const DIMENSIONS: &str = "integer d ≥ 1
    integer T ≥ 1
    ";

/// The noise of the edges, laid out likewise.
const EDGES: &str = "sequence χ in ℝ^E
    sequence φ in ℝ^d
    assume for every index ι′<(E·d): for every index e′<E: for every index f′<E: χ_ι′[e′]·χ_ι′[f′] \
        = χ_ι′[e′]·𝟙[e′=f′]
    assume for every index ι′<(E·d): for every index j′<d: for every index i′<d: φ_ι′[j′]·φ_ι′[i′] \
        = φ_ι′[j′]·𝟙[j′=i′]
    assume for every index e′<E: for every index j′<d: Σ_{ι<(E·d)} χ_ι[e′]·φ_ι[j′] = 1
    define ζ(e<E, j<d, z∈ℝ^(E·d)) := Σ_{ι<(E·d)} χ_ι[e]·φ_ι[j]·z_ι
    ";

/// What is supposed of the weights of gossip, and how smooth the losses are.
const MIXING: &str = "assume for every index k′<n: Σ_{κ<n} W_k′[κ] = 1
    real p > 0
    real q ≥ 0
    assume q = 1 − p
    assume for every vector x′ ∈ ℝ^n: Σ_{κ<n} (Σ_{ϑ<n} (W_ϑ[κ] − 1/n)·x′_ϑ)² ≤ q·(Σ_{κ<n} (x′_κ − \
        (Σ_{ϑ<n} x′_ϑ)/n)²)
    real L > 0
    ";

/// The gradients of the part of the losses that depends on data.
const GRADIENTS: &str = "real C ≥ 0
    integer B ≥ 1
    map f of ℝ^n × ℝ^d × ℝ^B into ℝ^d
    ";

/// They are short.
const SHORT: &str =
    "assume for every index k′<n: for every vector x′ ∈ ℝ^d: for every vector ξ′ ∈ ℝ^B: \
        ‖f(⟨𝟙[ι=k′] : ι<n⟩, x′, ξ′)‖ ≤ C
    ";

/// The public part.
const PUBLIC: &str = "vector Λ ∈ ℝ^d, all > 0
    function ϱ on ℝ^d with Λ: convex, differentiable, and ϱ(y) ≤ ϱ(x) + ⟨∇ϱ(x), y − x⟩ + ½·Σ_j \
        Λ_j·(y_j − x_j)² for all x, y
    real λ
    ";

/// A sample of a gradient.
const SAMPLE: &str =
    "define g(k<n, y∈ℝ^d, ξ∈ℝ^B, j<d) := clip(f(⟨𝟙[ι=k] : ι<n⟩, y, ξ), C)[j] + ∂_j ϱ(y) − λ·y_j
    ";

/// What samples are in the mean, and the function whose gradient that is.
const MEANS: &str = "define G(k<n, y∈ℝ^d, j<d) := 𝔼_{ξ′∼N_{B}(0, 1)}[g(k, y, ξ′, j)]
    define D(y∈ℝ^d, j<d) := (Σ_{κ<n} G(κ, y, j))/n
    vector Ω ∈ ℝ^d, all > 0
    assume for every index j′<d: Ω_j′ = 2·L
    function ψ on ℝ^d with Ω: convex, differentiable, and ψ(y) ≤ ψ(x) + ⟨∇ψ(x), y − x⟩ + ½·Σ_j \
        Ω_j·(y_j − x_j)² for all x, y
    define F(y∈ℝ^d) := ψ(y) − (L/2)·(Σ_{ϑ<d} y_ϑ²)
    ";

/// What is supposed of the losses: whose gradient the mean is, the least value, smoothness, likeness of the users, samples that are
/// independent, and how far they are from their means.
const LOSSES: [&str; 6] = [
    "for every vector x′ ∈ ℝ^d: for every index j′<d: ∂_j′ ψ(x′) − L·x′_j′ = D(x′, j′)",
    "for every vector x′ ∈ ℝ^d: F⋆ ≤ F(x′)",
    "for every index k′<n: for every vector x′ ∈ ℝ^d: for every vector y′ ∈ ℝ^d: Σ_{ϑ<d} (G(k′, \
        x′, ϑ) − G(k′, y′, ϑ))² ≤ L²·(Σ_{ϑ<d} (x′_ϑ − y′_ϑ)²)",
    "for every vector x′ ∈ ℝ^d: (Σ_{ϑ<d} Σ_{κ<n} (G(κ, x′, ϑ) − D(x′, ϑ))²)/n ≤ Z²",
    "for every index k′<n: for every index l′<n: for every vector x′ ∈ ℝ^d: for every vector y′ ∈ \
        ℝ^d: for every index j′<d: (1 − 𝟙[k′=l′])·𝔼_{ξ′∼N_{B}(0, 1)}[(g(k′, x′, ξ′, j′) − G(k′, \
        x′, j′))·(g(l′, y′, ξ′, j′) − G(l′, y′, j′))] = 0",
    "for every vector x′ ∈ ℝ^(n·d): (Σ_{ϑ<d} Σ_{κ<n} 𝔼_{ξ′∼N_{B}(0, 1)}[(g(κ, ⟨x(κ, ι, x′) : ι<d⟩, \
        ξ′, ϑ) − G(κ, ⟨x(κ, ι, x′) : ι<d⟩, ϑ))²])/n ≤ S²",
];

/// What comes of that.
const SIZES: &str = "real M > 0
    assume M = Σ_{i<n} Σ_{k<n} A(i, k)
    define H := (Σ_{i<n} Σ_{k<n} A(i, k)·(Σ_{c<n} (W_i[c] − W_k[c])²))/(2·M)
    real σ ≥ 0
    real ν ≥ 0
    define Q := S² + d·σ²
    real R ≥ 0
    assume R = q·(4·Z²/p + S²) + H·M·d·ν²/n + (Σ_{κ<n} Σ_{ϑ<n} (W_ϑ[κ] − 1/n)²)·d·σ²/n
    ";

/// The mean of the models, and how far they are from it.
const SPREAD: &str = "define ā(j<d, v∈ℝ^(n·d)) := (Σ_{κ<n} x(κ, j, v))/n
    define Ξ(v∈ℝ^(n·d)) := (Σ_{ϑ<d} Σ_{κ<n} (x(κ, ϑ, v) − ā(ϑ, v))²)/n
    ";

fn setting() -> String {
    let [gradient, least, smooth, alike, apart, samples] = LOSSES;
    format!(
        "{DIMENSIONS}{LAYOUT}{EDGES}sequence W in ℝ^n
    {MIXING}{GRADIENTS}{SHORT}{PUBLIC}{SAMPLE}{MEANS}assume {gradient}
    real F⋆
    assume {least}
    assume {smooth}
    real Z
    assume {alike}
    assume {apart}
    real S
    assume {samples}
    {SIZES}vector v₀ ∈ ℝ^(n·d)
    {SPREAD}"
    )
}

/// The PL inequality.
const STEEP: &str = "for every vector x′ ∈ ℝ^d: 2·μ·(F(x′) − F⋆) ≤ Σ_{ϑ<d} D(x′, ϑ)²";

/// Its constant, and the step sizes that go with it, with this between.
fn steps_of(between: &str) -> String {
    format!(
        "real μ > 0
    assume μ ≤ L
    {between}real θ ≥ 0
    define τ := 16 + θ
    assume 16·L/(μ·p) = τ
    define η(r<T) := (2/μ)/(r + τ)
    "
    )
}

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
    pub const SHORT: usize = 13;
    pub const CURVATURE: usize = 14;
    pub const GRADIENT: usize = 15;
    pub const LEAST: usize = 16;
    pub const SMOOTH: usize = 17;
    pub const ALIKE: usize = 18;
    pub const APART: usize = 19;
    pub const SAMPLES: usize = 20;
    pub const SPREAD: usize = 22;
    /// Of constant steps.
    pub const STEP: usize = 23;
    pub const FLAT: usize = 23;
    pub const STEEP: usize = 24;
    pub const SHIFT: usize = 25;
    /// Of the variances.
    pub const SCALES: usize = 27;
}

/// A hypothesis of a run, by its number in [`of`].
fn given(h: &Context, n: usize) -> Proof {
    given_for(h, n, &[])
}

fn given_for(h: &Context, n: usize, values: &[&str]) -> Proof {
    written::given_for(h, private::place(h, n), values)
}

/// What all hold where user k holds `body`(k, j) for entry j.
fn all_hold(body: &dyn Fn(&str, &str) -> String) -> String {
    let body = body("κ", "ϑ");
    format!("⟨Σ_{{κ<n}} Σ_{{ϑ<d}} Θ_ι[κ]·β_ι[ϑ]·({body}) : ι<(n·d)⟩")
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
    format!("⟨{v}_ι − η(r)·(Σ_{{κ<n}} Σ_{{ϑ<d}} Θ_ι[κ]·β_ι[ϑ]·{body}) : ι<(n·d)⟩")
}

/// Entry j of what user k holds after gossip.
fn mixed(y: &str) -> impl Fn(&str, &str) -> String {
    move |k: &str, j: &str| format!("Σ_{{κ′<n}} W_κ′[{k}]·x(κ′, {j}, {y})")
}

/// What is short is not clipped.
const UNCLIPPED: &str = "for every index k<n: for every vector y ∈ ℝ^d: for every vector ξ ∈ ℝ^B: \
    for every index j<d: clip(f(⟨𝟙[ι=k] : ι<n⟩, y, ξ), C)[j] = f(⟨𝟙[ι=k] : ι<n⟩, y, ξ)[j]";

/// What all hold after y with their own noise.
const OWN: &str = "⟨v_ι − η(r)·w_ι : ι<(n·d)⟩";

const MEAN: &str = "⟨ā(ι, v) : ι<d⟩";

/// The bound of `decor-thm-2a-corrected`.
const BOUND: &str = "(16/7)·(L·Q·T/(μ²·n))/(T + τ)² + (256/7)·(L²·R·log(1 + T/(15 + θ))/(μ³·p))/(T \
    + τ)² + τ²·(F(⟨ā(ι, v₀) : ι<d⟩) − F⋆ + (L/2)·Ξ(v₀))/(T + τ)²";

/// The commands of a round.
fn round() -> String {
    let (slope, noise) = (step("v", &sample), step("v", &of_edges));
    let gossip = all_hold(&mixed("v"));
    format!(
        "ξ ∼ N_{{B}}(0, 1)
        v ← {slope}
        z ∼ N_{{E·d}}(0, ν²)
        v ← {noise}
        w ∼ N_{{n·d}}(0, σ²)
        v ← {OWN}
        v ← {gossip}"
    )
}

/// The run with these commands in its rounds.
fn run_of(round: &str) -> String {
    format!(
        "algorithm Alg1: v ← v₀ in ℝ^(n·d)\n      repeat r<T\n        {round}\n      end\n    \
            end\n    "
    )
}

/// What E F(x̄) − F⋆ is at most.
fn bounded_by(bound: &str) -> String {
    format!("𝔼_{{v∼end(Alg1)}}[F({MEAN})] − F⋆ ≤ {bound}")
}

fn of_run(more: &str, bound: &str) -> String {
    let (graph, setting, algorithm) = (graph(), setting(), run_of(&round()));
    let steps = steps_of(&format!("assume {STEEP}\n    "));
    let bound = bounded_by(bound);
    format!("{graph}{setting}{steps}{more}{algorithm}holds\n    {UNCLIPPED}; {bound}")
}

/// `decor-thm-2a-corrected`.
pub fn statement() -> Result<Statement, Stuck> {
    render::parse(&of_run("", BOUND))
}

/// `decor-cor-12-pl-corrected-utility`: m is n − q, ℓ is log(1/δ), K is κ.
pub fn calibrated() -> Result<Statement, Stuck> {
    render::parse(&calibrated_run())
}

fn calibrated_run() -> String {
    let budget = "integer m ≥ 1\n    real a > 0\n    real ε > 0\n    real ℓ > 0\n    ";
    of_run(&format!("{budget}{SHARP}{SCALES}"), &calibrated_text("m"))
}

/// The variances.
const SCALES: &str = "assume σ² = K·C²·T·ℓ/(m·ε²)
    assume ν² = K·C²·T·ℓ/(a·ε²)
    ";

/// The bound at these variances, with `m` for m.
fn calibrated_text(m: &str) -> String {
    let log = "log(1 + T/(15 + θ))";
    format!(
        "(16/7)·(K·L·C²·d·ℓ/(μ²·n·{m}·ε²)) + (16/7)·(L·S²/(μ²·n·T)) + \
            (256/7)·(K·L²·C²·d·ℓ·{log}/(μ³·p·ε²·T))·(H·M/(n·a) + (Σ_{{κ<n}} Σ_{{ϑ<n}} (W_ϑ[κ] − \
            1/n)²)/(n·{m})) + (256/7)·(L²·{log}·q·(4·Z²/p + S²)/(μ³·p·T²)) + τ²·(F(⟨ā(ι, v₀) : \
            ι<d⟩) − F⋆ + (L/2)·Ξ(v₀))/(T + τ)²"
    )
}

/// Users k, l and c, edges e and f, entries j and i.
fn on(h: &Context, names: &str) -> Result<Context, Stuck> {
    let below = |name: &str| match name {
        "e" | "e₂" => "E",
        "i" | "j" => "d",
        "o" => "n·d",
        "o′" => "E·d",
        _ => "n",
    };
    let index = |name: &str| item(name, Sort::Index(size(below(name))));
    h.with(names.split(' ').map(index))
}

/// A theorem a ≤ b as a ≤ `right`, which is b and the parts at least.
fn passes(h: &Context, from: &Theorem, right: &str, parts: Parts<'_>) -> Proof {
    let [a, b] = sides(&from.statement().goal)?;
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

/// a ≤ c from a ≤ b and b ≤ c, whatever these are: they are compared and not computed, as a may be long.
fn follows(h: &Context, from: &Theorem, to: &Theorem) -> Proof {
    let (Goal::Le(a, b), Goal::Le(_, c)) = (&from.statement().goal, &to.statement().goal) else {
        return Err(Stuck::new("no bound"));
    };
    let [one, two, three] = ["ε₀", "ε₁", "ε₂"];
    let below = |x: &str, y: &str| Item::Assume(Goal::Le(var(x), var(y)));
    let [x, y, z] = [one, two, three].map(|name| real(name, Sign::Any));
    let e = &h.with([z, y, below(two, three), x, below(one, two)])?;
    let last = e.items().len() - 1;
    let (less, more) = (assume(e, last)?, assume(e, last - 2)?);
    let any = settle(
        e,
        &Goal::Le(var(one), var(three)),
        &[("1", &[&less]), ("1", &[&more])],
    )?;
    let any = (0..5).try_fold(any, |any, _| discharge(&any))?;
    let found = chain(h, &instance(h, &instance(h, &any, c)?, b)?, to)?;
    chain(h, &instance(h, &found, a)?, from)
}

fn space(name: &str, d: &str) -> Item {
    item(name, Sort::Vector(size(d), Sign::Any))
}

fn law(h: &Context, text: &str) -> Result<Term, Stuck> {
    match term(h, &format!("𝔼_{{y∼{text}}}[1]"))? {
        Term::Bind(_, _, law, _) => Ok((*law).clone()),
        _ => Err(Stuck::new("no law")),
    }
}

fn samples(h: &Context) -> Result<Term, Stuck> {
    law(h, "N_{B}(0, 1)")
}

/// E F(x̄) − F⋆ at the end.
fn useful(h: &Context, goal: &Goal) -> Proof {
    let v = &h.extended(space("v", "n·d"))?;
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
    let round = keeps(r, one_round(r)?)?;
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

/// What is short is not clipped.
fn whole_gradients(outer: &Context) -> impl Fn(&Context, &Goal) -> Proof {
    move |h: &Context, goal: &Goal| {
        let short = given(outer, of::SHORT)?;
        let mut names = ["k", "y", "ξ"].iter();
        let short = names.try_fold(short, |found, name| instance(h, &found, &var(name)))?;
        settle(h, goal, &[("1", &[&unclipped(h, &short, Some("j"))?])])
    }
}

/// The proof of [`statement()`], or of a statement with larger constants.
pub fn prove(statement: &Statement) -> Proof {
    let unclipped = whole_gradients(&statement.context);
    each(statement, &[&unclipped, &useful])
}

/// 1/(T + τ)² ≤ 1/T²: the difference is (2τ/T + τ²/T²)/(T + τ)².
fn fast(h: &Context) -> Proof {
    let far = inverse(h, &term(h, "(T + τ)²")?)?;
    let parts: Parts<'_> = &[("(2·τ/T + τ²/T²)/(T + τ)²", &[]), ("1/T²", &[&far])];
    show(h, "1/(T + τ)² ≤ 1/T²", parts)
}

/// The variances put into the bound of the run, and T/(T + τ)² ≤ 1/T.
fn calibrated_bound(h: &Context, goal: &Goal) -> Proof {
    let run = written::goal(h, &bounded_by(BOUND))?;
    let (run, spread) = (useful(h, &run)?, given(h, of::SPREAD)?);
    let (own, edges) = (given(h, of::SCALES)?, given(h, of::SCALES + 1)?);
    let fast = fast(h)?;
    let log = "log(1 + T/(15 + θ))";
    let grows = log_not_negative(&show(h, "1 ≤ 1 + T/(15 + θ)", &[])?)?;
    let unit = format!("(256/7)·(L²·{log}/(μ³·p))");
    let weights = "(Σ_{κ<n} Σ_{ϑ<n} (W_ϑ[κ] − 1/n)²)";
    let parts: Parts<'_> = &[
        ("1", &[&run]),
        ("(16/7)·(L·Q·T/(μ²·n))", &[&fast]),
        ("(256/7)·(L²/(μ³·p))·R", &[&grows, &fast]),
        ("(16/7)·(L·d/(μ²·n·T))", &[&own]),
        (&format!("{unit}/T²"), &[&spread]),
        (&format!("{unit}·{weights}·d/(n·T²)"), &[&own]),
        (&format!("{unit}·H·M·d/(n·T²)"), &[&edges]),
    ];
    settle(h, goal, parts)
}

/// The proof of [`calibrated`], or of a statement with larger constants.
pub fn prove_calibrated(statement: &Statement) -> Proof {
    let unclipped = whole_gradients(&statement.context);
    each(statement, &[&unclipped, &calibrated_bound])
}
