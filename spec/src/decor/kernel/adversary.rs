//! What an adversary sees of a run: Theorems 1 and 6, Corollaries 3 and 12, and the corrected Algorithm 1.
//!
//! The n users hold one vector v of n·d numbers, see `LAYOUT`. The graph is that of [`super::noise`]. ϖ is 1 for the colluders
//! and 0 for the m = n − q others, of whom u₀ is the one whose data differ: her data are one record, γ of it her gradient, given her model and what she samples, which Φ
//! puts together in one vector. The gradients of the others are f. What all sample comes from a source ξ that does not depend on
//! the data: any sample is a function of enough Gaussian numbers.
//!
//! The colluders know the noise of the edges at which one of them is: its values are given, ς(e, r) for edge e in round r, and
//! what is proved holds whatever they are, which is what Definition 1 asks for. ω(e, u) is 1 for an edge without an end in the
//! group u, and else 0. The noise of those without one in ϖ is not known; they are υ. y is user u₀'s gradient with all noise
//! that is not known, one message for each user: law Pairwise. The first assignment makes the messages that are sent, with the
//! other gradients and the noise that is known; the second is gossip. What is seen is ξ and y, the transcript, and all messages, the
//! path, which are a function of it; so is the colluders' own noise, which is y for them.
//!
//! a is at most the algebraic connectivity of what any group of so many leaves of the graph, so at most a_q(G).

use super::noise::{graph, with};
use crate::moved::written::{Proof, all_goals, extended, given_for, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::premise::{ZCDP_TO_DP, spent};
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, both, cite, clipped, compose, correlated, forget, root_increases, solution, weaken,
};
use dp_assay_kernel::search::{Share, item, record_moves, zcdp_cost};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Notion, Process, Sign, Sort, State, Statement, View,
};
use dp_assay_kernel::term::{Op, Term, num, var};

mod column;
pub mod connected;

use column::inverse_entry;
pub(super) use column::{edge_is_bit, equation, flat_left, system, unity};

type Parts<'a> = &'a [(&'a str, &'a [&'a Theorem])];

/// The group, and what it leaves of the graph.
pub(super) const GROUP: &str = "vector ϖ ∈ ℝ^n
    assume for every index k′<n: ϖ_k′² = ϖ_k′
    integer m ≥ 1
    assume Σ_{κ<n} (1 − ϖ_κ) = m
    define ω(e<E, u∈ℝ^n) := (1 − (Σ_{κ<n} u_κ·h_e[κ]))·(1 − (Σ_{κ<n} u_κ·t_e[κ]))
    sequence υ in ℝ^n
    assume for every index e′<E: for every index k′<n: υ_e′[k′] = ω(e′, ϖ)·b(e′, k′)
    ";

/// a is at most a_q(G).
pub(super) const CONNECTED: &str = "assume for every vector u′ ∈ ℝ^n: if for every index k′<n: \
    u′_k′² = u′_k′: if Σ_{κ<n} (1 − u′_κ) = m: for every vector x′ ∈ ℝ^n: a·(Σ_{k<n} (1 − \
    u′_k)·(x′_k − (Σ_{l<n} (1 − u′_l)·x′_l)/m)²) ≤ Σ_{e<E} ω(e, u′)·(Σ_{l<n} b(e, l)·x′_l)²
    ";

/// Hypotheses by number.
mod of {
    pub const BEGINS: usize = 0;
    pub const STOPS: usize = 1;
    pub const BITS: usize = 4;
    pub const COUNT: usize = 5;
    pub const LEFT: usize = 6;
    /// Behind those of the layout.
    pub const HONEST: usize = 10;
    pub const CONNECTED: usize = 11;
    pub const MORE: usize = 12;
}

/// What all users hold: number ι is entry j of user k's model where Θ_ι\[k\] and β_ι\[j\] are 1, and x(k, j, v) reads it. The law of
/// messages puts user behind user, ι = k·d + j; other layouts are other names of the same numbers.
pub(super) const LAYOUT: &str = "sequence Θ in ℝ^n
    sequence β in ℝ^d
    assume for every index ι′<(n·d): for every index k′<n: for every index l′<n: Θ_ι′[k′]·Θ_ι′[l′] \
        = Θ_ι′[k′]·𝟙[k′=l′]
    assume for every index ι′<(n·d): for every index j′<d: for every index i′<d: β_ι′[j′]·β_ι′[i′] \
        = β_ι′[j′]·𝟙[j′=i′]
    assume for every index k′<n: for every index j′<d: Σ_{ι<(n·d)} Θ_ι[k′]·β_ι[j′] = 1
    define x(k<n, j<d, v∈ℝ^(n·d)) := Σ_{ι<(n·d)} Θ_ι[k]·β_ι[j]·v_ι
    ";

/// User u₀, her data, the layout, and what is public.
pub(super) fn users() -> String {
    format!(
        "integer d ≥ 1
    integer B′ ≥ 1
    integer B ≥ 1
    index u₀<n
    vector γ ∈ ℝ^d for every record and vector of ℝ^B′
    data 𝒟 of 1 records: its neighbours have one record replaced
    map Φ of ℝ^d × ℝ^B into ℝ^B′
    map f of ℝ^n × ℝ^d × ℝ^B into ℝ^d
    real C > 0
    {LAYOUT}"
    )
}

/// That she is not of the group, weights of gossip, the noise that is known, and the first models.
pub(super) const REST: &str = "assume ϖ_u₀ = 0
    sequence W in ℝ^n
    map ς of ℝ^E × ℝ^1 into ℝ^d
    vector v₀ ∈ ℝ^(n·d)
    ";

/// The model of a user.
pub(super) fn model(k: &str) -> String {
    format!("⟨x({k}, ι, v) : ι<d⟩")
}

/// The gradient of user u₀ for a record.
pub(super) fn slope(z: &str) -> String {
    format!("γ(Φ({}, ξ), {z})", model("u₀"))
}

pub(super) fn clip(z: &str) -> String {
    format!("clip({}, C)", slope(z))
}

/// Her gradient.
pub(super) fn gradient() -> String {
    format!("⟨Σ_{{z₀∈𝒟}} {}[j] : j<d⟩", clip("z₀"))
}

/// The noise that is not known, V and U being the variances.
pub(super) const NOISE: &str = "Pairwise(n, u₀, V, υ, E, U)";

/// What the messages have besides: the gradients of the others, what is public, and the noise that is known, `known` being entry ϑ of
/// that of edge e.
pub(super) fn rest(known: &str, public: &str) -> String {
    let x = model("κ");
    let others = format!("(1 − 𝟙[κ=u₀])·clip(f(⟨𝟙[ι=κ] : ι<n⟩, {x}, ξ), C)[ϑ]");
    let known = format!("(Σ_{{e<E}} (1 − ω(e, ϖ))·b(e, κ)·{known})");
    format!("(Σ_{{κ<n}} Σ_{{ϑ<d}} Θ_ι[κ]·β_ι[ϑ]·({others} + {known}{public}))")
}

/// υ_e\[l\] = ω(e, ϖ)·b(e, l), for the e and l of the context.
pub(super) fn left(h: &Context) -> Proof {
    given_for(h, of::LEFT, &["e", "l"])
}

/// Entry ϑ of the noise of edge e that is known, in round r.
fn known(r: &str) -> String {
    format!("ς(⟨𝟙[ι=e] : ι<E⟩, ⟨{r} : ι<1⟩)[ϑ]")
}

/// A round: samples, and what comes of them.
fn round(step: &str, known: &str, public: &str) -> String {
    format!("{SAMPLES}{}", sent(step, known, public))
}

pub(super) const SAMPLES: &str = "ξ ∼ N_{B}(0, 1)\n      ";

/// Her gradient with noise, all messages, gossip; `known` is entry ϑ of the noise of edge e that is known, `public` the gradient of
/// what is public at κ's model.
pub(super) fn sent(step: &str, known: &str, public: &str) -> String {
    let own = gradient();
    let rest = rest(known, public);
    format!(
        "y ← {own} + {NOISE}
      v ← ⟨v_ι − {step}·(y_ι + {rest}) : ι<(n·d)⟩
      v ← ⟨Σ_{{κ<n}} Σ_{{ϑ<d}} Θ_ι[κ]·β_ι[ϑ]·(Σ_{{l<n}} W_l[κ]·x(l, ϑ, v)) : ι<(n·d)⟩"
    )
}

/// What is said of all that is seen, and of the messages alone.
pub(super) fn seen(process: &str, notion: &str) -> String {
    let of = |view: &str| format!("between neighbours of 𝒟, the {view} of {process} is {notion}");
    format!("{}; {}", of("transcript"), of("path"))
}

/// A step at any models.
fn of_step(variances: &str, cost: &str) -> Result<Statement, Stuck> {
    let (graph, users, step) = (graph(), users(), step());
    let seen = seen("Alg1", &format!("({cost})-zCDP"));
    render::parse(&format!(
        "{graph}{GROUP}{users}{REST}{variances}{step}holds\n    {seen}"
    ))
}

/// A step, with size η.
pub(super) fn step() -> String {
    let round = round("η", &known("0"), "");
    format!("real η\n    algorithm Alg1: v ← v₀ in ℝ^(n·d)\n      {round}\n    end\n  ")
}

pub(super) const SCALES: &str = "real σ > 0
    real τ ≥ 0
    define V := σ²
    define U := τ²
    ";

/// The cost of a step by Theorem 6.
const COST: &str = "2·C²·(1/(m·V) + (1 − 1/m)/(V + a·U))";

/// `decor-thm-6`, and with q = 0 and 1 `decor-thm-1a` and `decor-thm-1b`: V is σ_cdp², U is σ_cor². What is ρ-zCDP is
/// (α, αρ)-RDP for every α > 1.
pub fn theorem_6() -> Result<Statement, Stuck> {
    of_step(&format!("real a ≥ 0\n    {CONNECTED}{SCALES}"), COST)
}

/// The proof of [`theorem_6`], or of a statement with another cost.
pub fn prove_theorem_6(statement: &Statement) -> Proof {
    views(statement, &one_step(statement, &[])?)
}

/// `decor-rem-scale`: where σ_cdp² ≥ c/n and σ_cor² ≥ c′/a, the slope is at most 2C²(2/c + 1/c′), whatever the graph, if no more
/// than half of the users collude: q = 0, and q = 1 for n ≥ 2.
pub fn rem_scale() -> Result<Statement, Stuck> {
    let scales = format!(
        "real a > 0
    {CONNECTED}{SCALES}real c > 0
    real c′ > 0
    assume c ≤ n·V
    assume n ≤ 2·m
    assume c′ ≤ a·U
    "
    );
    of_step(&scales, "2·C²·(2/c + 1/c′)")
}

/// The proof of [`rem_scale`], or of a statement with another cost: 2/c − 1/(mV) = (nV − c + (2m − n)V)/(cmV), and with
/// λ = 1/(V + aU) 1/c′ − λ = (1 − (V + aU)λ + (aU − c′)λ + Vλ)/c′.
pub fn prove_rem_scale(statement: &Statement) -> Proof {
    let here = &statement.context;
    let at = |n: usize| given_for(here, n, &[]);
    let (own, half, shared) = (at(of::MORE)?, at(of::MORE + 1)?, at(of::MORE + 2)?);
    let parts: Parts<'_> = &[
        ("2·C²/(c·m·V)", &[&own]),
        ("2·C²/(c·m)", &[&half]),
        ("2·C²/c′", &[&unity(here)?]),
        ("(2·C²/c′)·(1/(V + a·U))", &[&shared]),
    ];
    views(statement, &one_step(statement, parts)?)
}

/// The budget; ℓ is log(1/δ).
pub(super) const BUDGET: &str = "real δ > 0
    assume δ ≤ 1
    real ℓ > 0
    assume ℓ = log(1/δ)
    real ε > 0
    assume ε ≤ ℓ
    ";

/// T rounds with ε ≤ ℓ = log(1/δ) and the variances K·C²Tℓ/(mε²) and K·C²Tℓ/(aε²).
fn of_rounds(constant: &str, k: &str, public: &str) -> Result<Statement, Stuck> {
    let (graph, users, round) = (graph(), users(), round("η_r", &known("r"), public));
    let seen = seen("Alg1", "(ε, δ)-DP");
    render::parse(&format!(
        "{graph}{GROUP}{users}{REST}real a > 0
    {CONNECTED}integer T ≥ 1
    vector η ∈ ℝ^T
    {BUDGET}{constant}define V := {k}·C²·T·ℓ/(m·ε²)
    define U := {k}·C²·T·ℓ/(a·ε²)
    algorithm Alg1: v ← v₀ in ℝ^(n·d)
      repeat r<T
      {round}
      end
    end
  holds
    {seen}"
    ))
}

/// `decor-cor-12-priv`, and with q = 0 and 1 `decor-cor-3a` and `decor-cor-3b`: the constant is 32.
pub fn corollary_12() -> Result<Statement, Stuck> {
    of_rounds("", "32", "")
}

/// The proof of [`corollary_12`], or of a statement with other constants: ε/8 + ε/√2 ≤ ε.
pub fn prove_corollary_12(statement: &Statement) -> Proof {
    let root = root_increases(&show(&statement.context, "2 ≤ (7/4)²", &[])?)?;
    views(statement, &rounds(statement, "32", &[("ε/2", &[&root])])?)
}

pub(super) const SHARP: &str = "real K > 0
    assume K = 12 + 8·√(2)
    ";

/// `decor-cor-12-priv-tight`: the constant is 12 + 8√2.
pub fn corollary_12_tight() -> Result<Statement, Stuck> {
    of_rounds(SHARP, "K", "")
}

/// `decor-alg-1-corrected`: the same with the gradient R of a public regulariser added to the clipped ones.
pub fn corrected() -> Result<Statement, Stuck> {
    let constant = format!("{SHARP}map R of ℝ^d into ℝ^d\n    ");
    of_rounds(&constant, "K", &format!(" + R({})[ϑ]", model("κ")))
}

/// The proof of [`corollary_12_tight`] and [`corrected`], or of a statement with other constants: with y = √K − 2 − 2√2 ≥ 0,
/// 1 − 4/√K − 4/K = (y² + 4√2·y)/K.
pub fn prove_tight(statement: &Statement) -> Proof {
    let y = &root_of_constant(&statement.context, of::MORE + 3)?;
    let parts: Parts<'_> = &[("ε/K", &[y, y]), ("4·√(2)·(ε/K)", &[y])];
    views(statement, &rounds(statement, "K", parts)?)
}

/// 2 + 2√2 ≤ √K, K being so by the hypothesis of this number.
pub(super) fn root_of_constant(here: &Context, n: usize) -> Proof {
    let named = given_for(here, n, &[])?;
    root_increases(&show(here, "(2 + 2·√(2))² ≤ K", &[("(−1)", &[&named])])?)
}

/// T rounds are (ε, δ)-DP if 4/K + 4/√K ≤ 1, which `parts` say in units of ε.
fn rounds(statement: &Statement, k: &str, parts: Parts<'_>) -> Proof {
    let here = &statement.context;
    // 1/(mV) − (1 − 1/m)λ = (1/(mV))(1 − (V + aU)λ) + 2λ/m for mV = aU and λ = 1/(V + aU).
    let share: Parts<'_> = &[("2·C²/(m·V)", &[&unity(here)?])];
    let budget = (k, of::MORE);
    in_all(here, share, budget, parts)
}

/// All rounds: `once` says that one costs at most 4ε²/(KTℓ), and `parts` that 4/K + 4/√K ≤ 1, in units of ε; the hypotheses from
/// this number on are on δ, ℓ and ε.
pub(super) fn in_all(
    here: &Context,
    once: Parts<'_>,
    (k, first): (&str, usize),
    parts: Parts<'_>,
) -> Proof {
    let cost = term(here, &format!("4·ε²/({k}·T·ℓ)"))?;
    let once = release(here, &cost, once)?;
    let all = compose(here, algorithm(here)?.0, "𝒟", &[&once])?;
    converted(here, &all, (k, first), parts)
}

/// What is (4ε²/(Kℓ))-zCDP is so, where the hypotheses from this number on are on δ, ℓ and ε.
fn converted(here: &Context, all: &Theorem, (k, first): (&str, usize), parts: Parts<'_>) -> Proof {
    let rho = zcdp_cost(&all.statement().goal)?;
    let at = |n: usize| given_for(here, first + n, &[]);
    let (less, named, small) = (at(0)?, at(1)?, at(2)?);
    let share = format!("4·ε/({k}·ℓ)");
    let [eps, delta] = ["ε", "δ"].map(var);
    let log = term(here, "log(1/δ)")?;
    let product = Goal::Le(rho.clone() * log, term(here, &format!("(2·ε/√({k}))²"))?);
    let product = settle(here, &product, &[(&format!("(−1)·{share}·ε"), &[&named])])?;
    let root = root_increases(&product)?;
    let own: Parts<'_> = &[("2", &[&root]), (&share, &[&small])];
    let within = Goal::Le(spent(rho, &delta), eps.clone());
    let within = settle(here, &within, &[parts, own].concat())?;
    let values = [rho.clone(), eps, delta];
    cite(here, &ZCDP_TO_DP, &values, &[all, &less, &within])
}

/// The step of a statement, at its cost.
fn one_step(statement: &Statement, more: Parts<'_>) -> Proof {
    let here = &statement.context;
    let goals = all_goals(statement);
    let once = release(here, zcdp_cost(&goals[0])?, more)?;
    compose(here, algorithm(here)?.0, "𝒟", &[&once])
}

/// What holds of all that is seen, of that and of the messages.
fn views(statement: &Statement, all: &Theorem) -> Proof {
    both(&statement.context, &[all, &forget(all, View::Path)?])
}

/// The algorithm as the adversary sees it: the process that releases.
fn algorithm(context: &Context) -> Result<(&str, &Process), Stuck> {
    fn releases(commands: &[Command]) -> bool {
        commands.iter().any(|command| match command {
            Command::Repeat { body, .. } => releases(body),
            command => matches!(command, Command::Release { .. }),
        })
    }
    let found = context.items().iter().find_map(|item| match item {
        Item::Process(name, process) if releases(&process.body) => Some((name.as_str(), process)),
        _ => None,
    });
    found.ok_or_else(|| Stuck::new("nothing is released"))
}

/// What a round releases, and the context with what stands before.
pub(super) fn released(context: &Context) -> Result<(Context, &Command), Stuck> {
    let (_, Process { states, body }) = algorithm(context)?;
    let state = |s: &State| item(&s.name, s.sort());
    let here = context.with(states.iter().map(state))?;
    let (here, body) = match body.as_slice() {
        [Command::Repeat { index, times, body }] => {
            let round = item(index, Sort::Index(times.clone()));
            (here.extended(round)?, body.as_slice())
        }
        body => (here, body),
    };
    let command = body.iter().find(|c| matches!(c, Command::Release { .. }));
    let command = command.ok_or_else(|| Stuck::new("nothing is released"))?;
    let drawn = body.iter().filter_map(|c| match c {
        Command::Draw {
            name,
            law: Term::Op(Op::Normal, law),
        } => Some(item(name, Sort::Vector(law[0].clone(), Sign::Any))),
        _ => None,
    });
    Ok((here.with(drawn)?, command))
}

/// The release of a round costs so much, by Theorem 6 and these parts.
fn release(context: &Context, cost: &Term, more: Parts<'_>) -> Proof {
    let (here, command) = released(context)?;
    let solved = extended(&here, &format!("vector π ∈ ℝ^n\nassume {}", system("u₀")))?;
    let entry = equation(&with(&solved, "k")?)?;
    let private = slope_of(&solved, command, (&var("π"), &entry))?;
    let spent = zcdp_cost(&private.statement().goal)?.clone();
    let below = [&inverse_entry(&solved, "u₀")?];
    let parts = [more, &[("2·C²", &below)]].concat();
    let less = settle(&solved, &Goal::Le(spent, cost.clone()), &parts)?;
    let private = weaken(&private, &Notion::Zcdp(cost.clone()), &[&less])?;
    let Command::Release { law, .. } = command else {
        return Err(Stuck::new("nothing is released"));
    };
    solution(&private, law)
}

/// A release is (2C)²·x_i/2-zCDP for column x of the inverse covariance.
pub(super) fn slope_of(h: &Context, command: &Command, (x, entry): (&Term, &Theorem)) -> Proof {
    let Command::Release { query, .. } = command else {
        return Err(Stuck::new("nothing is released"));
    };
    let [own, slope] = [format!("⟨{}[j] : j<d⟩", clip("z")), slope("z")];
    let (own, slope) = (term(h, &own)?, term(h, &slope)?);
    let share = Share {
        of: &|z| own.put("z", z),
        bound: &|h, z| clipped(h, &slope.put("z", &var(z)), &var("C")),
        factor: num(1),
    };
    let moves = record_moves(h, "𝒟", query, &share, &term(h, "2·C")?)?;
    correlated(h, command, &moves, x, entry)
}
