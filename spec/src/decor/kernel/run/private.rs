//! One run that is private and useful: `decor-cor-12-pl-corrected`, Corollary 3 as its instances, and `decor-cor-12-nc-corrected`.
//!
//! The run is that of [`super`] as the adversary of [`super::super::adversary`] sees it. In a round y is the gradient of user u₀,
//! whose data 𝒟 differ, with the users' own noise and that of the edges at which no colluder is. The noise of the other edges the
//! colluders know: it is ς + ς₀_r, ς drawn with variance ν₀² and ς₀_r given. What is seen, ς and ς₀ included, is private for every
//! ς₀ and ν₀. With ς₀ = 0 and ν₀ = ν it is the noise of Algorithm 1, and the run is useful; with ν₀ = 0 it has the values ς₀,
//! whatever they are, on which Definition 1 conditions.

use super::super::adversary::{
    BUDGET, CONNECTED, GROUP, REST, SAMPLES, SHARP, in_all, root_of_constant, seen, sent, unity,
    users,
};
use super::{
    EDGES, LOSSES, MEANS, MIXING, PUBLIC, Parts, Proof, SCALES, SHORT, SIZES, SPREAD, STEEP,
    UNCLIPPED, bounded_by, calibrated_bound, calibrated_run, calibrated_text, given, graph, of,
    run_of, steps_of, whole_gradients,
};
use crate::moved::written::{Programs, all_goals, given_for, inside, settle, show};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, both, forget, instance, unclipped, unread};
use dp_assay_kernel::statement::{Context, Item, Statement, View};
use dp_assay_kernel::term::var;
use std::sync::LazyLock;

pub mod instances;
pub(super) mod round;
pub mod stationary;

/// Gradients for the data of user u₀ are short.
const OWN_SHORT: &str =
    "assume for every vector x′ ∈ ℝ^B′: for every record ρ′: ‖γ(x′, ρ′)‖ ≤ C\n    ";

/// A sample of a gradient, hers for her data.
const SAMPLE: &str = "define g(k<n, y∈ℝ^d, ξ∈ℝ^B, j<d) := (1 − 𝟙[k=u₀])·clip(f(⟨𝟙[ι=k] : ι<n⟩, y, \
    ξ), C)[j] + 𝟙[k=u₀]·(Σ_{z₀∈𝒟} clip(γ(Φ(y, ξ), z₀), C)[j]) + ∂_j ϱ(y) − λ·y_j
    ";

/// What is not clipped of that.
const OWN_UNCLIPPED: &str = "for every vector y ∈ ℝ^B′: for every record ρ: for every index j<d: \
    clip(γ(y, ρ), C)[j] = γ(y, ρ)[j]";

/// Entry ϑ of the gradient of what is public, at user κ's model.
const OF_PUBLIC: &str = " + ∂_ϑ ϱ(⟨x(κ, ι, v) : ι<d⟩) − λ·x(κ, ϑ, v)";

/// The noise of the colluders' edges in round r is what is drawn, of variance ν₀², and what is given.
const KNOWN: &str = "sequence ς₀ in ℝ^(E·d)\n    real ν₀ ≥ 0\n    ";

const KNOWN_TO_ALL: &str = "map ς of ℝ^E × ℝ^1 into ℝ^d\n    ";

/// As in the run: nothing is given.
const AS_DRAWN: [&str; 2] = [
    "ν₀ = ν",
    "for every index r′<T: for every index ι′<(E·d): ς₀_r′[ι′] = 0",
];

/// Numbers are laid out as the law of messages does it: user behind user, and edge behind edge. υ′ are the edges that υ leaves out.
const TIED: &str = "assume for every index ι′<(n·d): for every index k′<n: for every index j′<d: \
    Θ_ι′[k′]·β_ι′[j′] = 𝟙(ι′ ≤ k′·d + j′)·𝟙(k′·d + j′ ≤ ι′)
    assume for every index ι′<(E·d): for every index e′<E: for every index j′<d: χ_ι′[e′]·φ_ι′[j′] \
        = 𝟙(ι′ ≤ e′·d + j′)·𝟙(e′·d + j′ ≤ ι′)
    sequence υ′ in ℝ^n
    assume for every index e′<E: for every index k′<n: υ′_e′[k′] = b(e′, k′) − υ_e′[k′]
    ";

/// The noise of these edges by their own factors.
fn others_add(text: &str) -> String {
    text.replace("(1 − ω(e, ϖ))·b(e, κ)", "υ′_e[κ]")
}

/// What a statement has besides: step sizes and what is supposed of n and m, what the run has before its states and its rounds, what is
/// supposed of the losses, and what then holds of it.
struct Besides<'a> {
    more: &'a str,
    run: &'a dyn Fn(&str) -> String,
    supposed: &'a [&'a str],
    useful: &'a [&'a str],
    /// Of which process all states are models.
    seen: &'a str,
}

fn text(besides: &Besides<'_>) -> String {
    let (graph, users) = (graph(), users());
    let Besides { more, run, .. } = besides;
    let rest = REST.replace(KNOWN_TO_ALL, KNOWN);
    let sizes = SIZES
        .replace("real σ ≥ 0", "real σ > 0")
        .replace("real ν ≥ 0", "real ν > 0");
    let supposed: String = { AS_DRAWN.iter().chain(besides.supposed) }
        .map(|goal| format!("if {goal}: "))
        .collect();
    let run = run(&commands());
    let models = format!("path of {}", besides.seen);
    let seen = seen("Alg1", "(ε, δ)-DP").replace("path of Alg1", &models);
    let useful: String = { besides.useful.iter() }
        .map(|goal| format!("; {supposed}{goal}"))
        .collect();
    format!(
        "{graph}{GROUP}{users}{rest}real a > 0
    {CONNECTED}integer T ≥ 1
    {EDGES}{TIED}{MIXING}{SHORT}{OWN_SHORT}{PUBLIC}{SAMPLE}{MEANS}real F⋆
    real Z
    real S
    {sizes}{SPREAD}{BUDGET}{SHARP}{SCALES}define V := σ²
    define U := ν²
    {more}{run}holds
    {UNCLIPPED}; {OWN_UNCLIPPED}; {seen}{useful}"
    )
}

/// A round of the run: samples, the noise that is known, her gradient with the noise that is not, a step, gossip.
fn commands() -> String {
    let sent = others_add(&sent("η(r)", round::KNOWN, OF_PUBLIC));
    format!("{SAMPLES}ς ∼ N_{{E·d}}(0, ν₀²)\n      {sent}")
}

/// The hypotheses of a statement, in order.
fn hypotheses(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim);
    let assumed = lines.filter_map(|line| line.strip_prefix("assume "));
    assumed.map(str::to_owned).collect()
}

/// Where the hypotheses of a run are in such a statement; those on the losses are behind all others, in their order.
static PLACES: LazyLock<[Vec<String>; 2]> =
    LazyLock::new(|| [calibrated_run(), general("", "m")].map(|text| hypotheses(&text)));

/// Where the first hypothesis of this text is among those of such a statement.
fn position(of: &str) -> usize {
    let [_, here] = &*PLACES;
    let first = &hypotheses(of)[0];
    here.iter().take_while(|text| *text != first).count()
}

/// Where hypothesis `n` of a run is among those of a context.
pub(super) fn place(h: &Context, n: usize) -> usize {
    if h.get("𝒟").is_none() {
        return n;
    }
    let [run, here] = &*PLACES;
    if let Some(found) = here.iter().position(|text| *text == run[n]) {
        return found;
    }
    let mut supposed = LOSSES.iter().chain([&STEEP]);
    let found = supposed.position(|text| **text == run[n]);
    found.map_or(usize::MAX, |found| behind(h) + AS_DRAWN.len() + found)
}

/// How many hypotheses are for all goals: those of the useful ones are behind.
fn behind(h: &Context) -> usize {
    let process = |item: &Item| matches!(item, Item::Process(..));
    let last = h.items().iter().rposition(process).unwrap_or(0);
    let assumed = |item: &&Item| matches!(item, Item::Assume(_));
    h.items()[..last].iter().filter(assumed).count()
}

/// `decor-cor-12-pl-corrected`, with `more` supposed, and `m` for m in its bound.
fn general(more: &str, m: &str) -> String {
    useful_as(more, &[&bounded_by(&calibrated_text(m))])
}

fn useful_as(more: &str, useful: &[&str]) -> String {
    let supposed: Vec<&str> = LOSSES.iter().copied().chain([STEEP]).collect();
    text(&Besides {
        more: &format!("{}{more}", steps_of("")),
        run: &run_of,
        supposed: &supposed,
        useful,
        seen: "Alg1",
    })
}

/// `decor-cor-12-pl-corrected`: m is n − q, ℓ is log(1/δ), K is κ.
pub fn statement() -> Result<Statement, Stuck> {
    render::parse(&general("", "m"))
}

/// What is seen is private: with λ = 1/(V + aU) and u = 2ε²/(KTℓ), 2C²/(mV) is u and 2C²·(1 − 1/m)λ is u·(m − 1)·Vλ, where
/// (m + 1)·Vλ = 1.
fn private(h: &Context) -> Result<[Theorem; 2], Stuck> {
    let (own, shared) = (given(h, of::SCALES)?, given(h, of::SCALES + 1)?);
    let parts: Parts<'_> = &[("(−1)·m·ε²/(K·T·ℓ)", &[&own])];
    let scale = show(h, "C² = m·V·ε²/(K·T·ℓ)", parts)?;
    let parts: Parts<'_> = &[("a", &[&shared]), ("(−1)·m", &[&own])];
    let even = show(h, "a·U = m·V", parts)?;
    let (bound, lambda) = ("(1/(m·V) + (1 − 1/m)/(V + a·U))", "(1/(V + a·U))");
    let unit = "(2·ε²/(K·T·ℓ))";
    let parts: Parts<'_> = &[
        (&format!("2·{bound}"), &[&scale]),
        (unit, &[&unity(h)?]),
        (&format!("(−1)·{unit}·{lambda}"), &[&even]),
        (&format!("2·{unit}·{lambda}·V"), &[]),
    ];
    let y = &root_of_constant(h, position(SHARP))?;
    let budget: Parts<'_> = &[("ε/K", &[y, y]), ("4·√(2)·(ε/K)", &[y])];
    let transcript = in_all(h, parts, ("K", position(BUDGET)), budget)?;
    let path = forget(&transcript, View::Path)?;
    Ok([transcript, path])
}

/// The goals of such a statement, the useful ones by these programs.
fn prove_by(statement: &Statement, programs: Programs<'_>) -> Proof {
    let h = &statement.context;
    let [whole, own, seen, _, useful @ ..] = all_goals(statement) else {
        return Err(Stuck::new("not several goals"));
    };
    if useful.len() != programs.len() {
        return Err(Stuck::new("not so many goals"));
    }
    let own = inside(h, own, &|h, goal| {
        let short = given_for(h, position(OWN_SHORT), &["y"])?;
        let short = instance(h, &short, &var("ρ"))?;
        settle(h, goal, &[("1", &[&unclipped(h, &short, Some("j"))?])])
    })?;
    let mut all = vec![inside(h, whole, &whole_gradients(h))?, own];
    let [mut transcript, path] = private(h)?;
    if transcript.statement().goal != *seen {
        transcript = unread(&transcript, "Alg1")?;
    }
    all.extend([transcript, path]);
    for (goal, program) in useful.iter().zip(programs) {
        all.push(inside(h, goal, program)?);
    }
    both(h, &all.iter().collect::<Vec<_>>())
}

/// The proof of [`statement`], or of a statement with larger constants.
pub fn prove(statement: &Statement) -> Proof {
    prove_by(statement, &[&calibrated_bound])
}
