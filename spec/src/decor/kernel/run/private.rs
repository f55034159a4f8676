//! One run that is private and useful: `decor-cor-12-pl-corrected`, Corollary 3 as its instances, and `decor-cor-12-nc-corrected`.
//!
//! The run Alg1 is that of [`super`]. Alg1′ is the same run as the adversary of [`super::super::adversary`] sees it, for whom the
//! noise ς of the edges at the colluders is given, whatever it is: y is the gradient of user u₀, whose data 𝒟 differ, with all noise
//! that is not known. That it is the same run is the third of the goals: where y is what its law says, her gradient in her own
//! message with the noise w of the users and that of the edges which are not known, and ς is that of the others, what enters a step
//! of Alg1′ is what enters one of Alg1. That the two runs are then the same is said by hand.

use super::super::adversary::{
    BUDGET, CONNECTED, GROUP, REST, SHARP, clip, in_all, left, rest, root_of_constant, round, seen,
    unity, users,
};
use super::{
    EDGES, LOSSES, MEANS, MIXING, PUBLIC, Parts, Proof, SCALES, SHORT, SIZES, SPREAD, STEEP,
    UNCLIPPED, algorithm, bounded_by, calibrated_bound, calibrated_run, calibrated_text, given,
    graph, of, of_edges, on, sample, steps_of, whole_gradients,
};
use crate::moved::written::{Programs, given_for, inside, settle, show};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, both, forget, instance, sum_over, unclipped};
use dp_assay_kernel::statement::{Context, Goal, Item, Statement, View};
use dp_assay_kernel::term::var;
use std::sync::LazyLock;

pub mod instances;
pub mod stationary;

/// Gradients for the data of user u₀ are short.
const OWN_SHORT: &str =
    "assume for every vector x′ ∈ ℝ^B′: for every record ρ′: ‖γ(x′, ρ′)‖ ≤ C\n    ";

/// A sample of a gradient, hers for her data.
const SAMPLE: &str = "define g(k<n, y∈ℝ^d, ξ∈ℝ^B, j<d) := (1 − 𝟙[k=u₀])·clip(f(⟨𝟙[ι=k] : ι<n⟩, y, ξ), C)[j] + 𝟙[k=u₀]·(Σ_{z₀∈𝒟} clip(γ(Φ(y, ξ), z₀), C)[j]) + ∂_j ϱ(y) − λ·y_j
    ";

/// What is not clipped of that.
const OWN_UNCLIPPED: &str = "for every vector y ∈ ℝ^B′: for every record ρ: for every index j<d: clip(γ(y, ρ), C)[j] = γ(y, ρ)[j]";

/// Entry ϑ of the gradient of what is public, at user κ's model.
const OF_PUBLIC: &str = " + ∂_ϑ ϱ(⟨x(κ, ι, v) : ι<d⟩) − λ·x(κ, ϑ, v)";

/// What a statement has besides: step sizes and what is supposed of n and m, the run Alg1, what is supposed of the losses, and what
/// then holds of it.
struct Besides<'a> {
    more: &'a str,
    run: &'a str,
    supposed: &'a [&'a str],
    useful: &'a [&'a str],
}

fn text(besides: &Besides<'_>) -> String {
    let (graph, users) = (graph(), users());
    let Besides { more, run, .. } = besides;
    let sizes = SIZES
        .replace("real σ ≥ 0", "real σ > 0")
        .replace("real ν ≥ 0", "real ν > 0");
    let round = round("η(r)", "r", OF_PUBLIC);
    let supposed: String = { besides.supposed.iter() }
        .map(|goal| format!("if {goal}: "))
        .collect();
    let [in_seen, in_run] = enters();
    let seen = seen("Alg1′", "(ε, δ)-DP");
    let useful: String = { besides.useful.iter() }
        .map(|goal| format!("; {supposed}{goal}"))
        .collect();
    format!(
        "{graph}{GROUP}{users}{REST}real a > 0
    {CONNECTED}integer T ≥ 1
    {EDGES}{MIXING}{SHORT}{OWN_SHORT}{PUBLIC}{SAMPLE}{MEANS}real F⋆
    real Z
    real S
    {sizes}{SPREAD}{BUDGET}{SHARP}{SCALES}define V := σ²
    define U := ν²
    {more}{run}algorithm Alg1′: v ← v₀ in ℝ^(n·d)
      repeat r<T
      {round}
      end
    end
  holds
    {UNCLIPPED}; {OWN_UNCLIPPED}; for every vector v ∈ ℝ^(n·d): for every vector ξ ∈ ℝ^B: for every vector z ∈ ℝ^s′: \
     for every vector w ∈ ℝ^(n·d): for every index o<(n·d): {in_seen} = {in_run}; {seen}{useful}"
    )
}

/// Entry o of what enters a step of Alg1′ where its noise is that of z and w, and of Alg1.
fn enters() -> [String; 2] {
    let own = format!("𝟙[κ=u₀]·(Σ_{{z₀∈𝒟}} {}[ϑ])", clip("z₀"));
    let along = "(Σ_{e<E} υ_e[κ]·ζ(e, ϑ, z))";
    let message = format!("(Σ_{{κ<n}} Σ_{{ϑ<d}} Θ_o[κ]·β_o[ϑ]·({own} + {along})) + w_o");
    let rest = rest("ζ(e, ϑ, z)", OF_PUBLIC)
        .replace("Θ_ι", "Θ_o")
        .replace("β_ι", "β_o");
    let (sample, edges) = (sample("κ", "ϑ"), of_edges("κ", "ϑ"));
    let run = format!("(Σ_{{κ<n}} Σ_{{ϑ<d}} Θ_o[κ]·β_o[ϑ]·({sample} + {edges})) + w_o");
    [format!("{message} + {rest}"), run]
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
    let process = |item: &Item| matches!(item, Item::Process(..));
    let last = h.items().iter().rposition(process).unwrap_or(0);
    let assumed = |item: &&Item| matches!(item, Item::Assume(_));
    let all = h.items()[..last].iter().filter(assumed).count();
    let mut supposed = LOSSES.iter().chain([&STEEP]);
    let found = supposed.position(|text| **text == run[n]);
    found.map_or(usize::MAX, |found| all + found)
}

/// `decor-cor-12-pl-corrected`, with `more` supposed, and `m` for m in its bound.
fn general(more: &str, m: &str) -> String {
    useful_as(more, &[&bounded_by(&calibrated_text(m))])
}

fn useful_as(more: &str, useful: &[&str]) -> String {
    let supposed: Vec<&str> = LOSSES.iter().copied().chain([STEEP]).collect();
    text(&Besides {
        more: &format!("{}{more}", steps_of("")),
        run: &algorithm(),
        supposed: &supposed,
        useful,
    })
}

/// `decor-cor-12-pl-corrected`: m is n − q, ℓ is log(1/δ), K is κ.
pub fn statement() -> Result<Statement, Stuck> {
    render::parse(&general("", "m"))
}

/// What enters a step of Alg1′ is what enters one of Alg1.
fn same(h: &Context, goal: &Goal) -> Proof {
    let e = &on(h, "k j e")?;
    let weight = "Θ_o[k]·β_o[j]·ζ(e, j, z)";
    let goal_of_edge = format!("{weight}·υ_e[k] = {weight}·ω(e, ϖ)·b(e, k)");
    let one = show(e, &goal_of_edge, &[(weight, &[&left(e)?])])?;
    let all = (0..3).try_fold(one, |all, _| sum_over(&all))?;
    settle(h, goal, &[("1", &[&all])])
}

/// What is seen of Alg1′ is private: with λ = 1/(V + aU) and u = 2ε²/(KTℓ), 2C²/(mV) is u and 2C²·(1 − 1/m)λ is u·(m − 1)·Vλ, where
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
    let Goal::Both(goals) = &statement.goal else {
        return Err(Stuck::new("not several goals"));
    };
    let [whole, own, enters, _, _, useful @ ..] = goals.as_slice() else {
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
    all.push(inside(h, enters, &same)?);
    all.extend(private(h)?);
    for (goal, program) in useful.iter().zip(programs) {
        all.push(inside(h, goal, program)?);
    }
    both(h, &all.iter().collect::<Vec<_>>())
}

/// The proof of [`statement`], or of a statement with larger constants.
pub fn prove(statement: &Statement) -> Proof {
    prove_by(statement, &[&calibrated_bound])
}
