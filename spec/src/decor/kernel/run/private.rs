//! One run that is private and useful: `decor-cor-12-pl-corrected`.
//!
//! The run is that of [`super`], and the adversary that of [`super::super::adversary`], with other names: u₀ is the user whose
//! data 𝒟 differ, f₀ of them her gradient. π is her column of the inverse covariance of the noise that is not known. By it her
//! gradient is put into the noises: z is that of the edges, w that of the users, each with a share of it, and the shares add up to
//! the gradient in her own message and to nothing in the others, which is the third of the goals: what enters a step is a sample
//! of every user with the noise of Algorithm 1. So z and w are private, and all messages a function of them; what the colluders
//! know of the noise is in z as it is, since there her share is 0.

use super::super::adversary::{
    CONNECTED, GROUP, SHARP, along_known, converted, root_of_constant, system,
};
use super::descent::mean_of_samples;
use super::noises::{cancels, edge_spread};
use super::rounds::{
    ANY, NOISE, after_gossip, of_round, of_samples, own_noise_over, weighted, with_factors,
};
use super::steps::{by_step, holds, left_of, model_of, of_step, of_stepped};
use super::{
    DIMENSIONS, EDGES, LAYOUT, LOSSES, MEAN, MEANS, MIXING, PUBLIC, Parts, Proof, SIZES, STEEP,
    UNCLIPPED, all_hold, calibrated_bound, graph, law, mixed, model, of_edges, on, passes, sample,
    space, steps_of, whole_gradients,
};
use crate::moved::written::{extended, given_for, inside, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, both, chain, discharge, expected, forget, instance, sum_over, unclipped,
};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Command, Context, Goal, Sort, Statement, View};
use dp_assay_kernel::term::{Term, at, var, vector};

mod releases;

/// Hypotheses by number.
mod of {
    pub const USERS: [usize; 3] = [7, 8, 9];
    pub const EDGES: [usize; 3] = [12, 13, 14];
    pub const SHORT: usize = 19;
    pub const BUDGET: usize = 25;
    pub const CONSTANT: usize = 28;
    pub const OWN: usize = 29;
    pub const SHARED: usize = 30;
    pub const SYSTEM: usize = 31;
}

/// What user u₀ would send, entry j: her gradient for her data.
fn own(j: &str) -> String {
    format!("(Σ_{{ρ∈𝒟}} {}[{j}])", clip("ρ"))
}

fn slope(record: &str) -> String {
    format!("f₀(Φ({}, ξ), {record})", model("u₀"))
}

fn clip(record: &str) -> String {
    format!("clip({}, C)", slope(record))
}

/// The shares of it in the noise of edge e and of user k.
fn shares(edge: &str, user: &str) -> [String; 2] {
    [
        format!("U·(Σ_{{l<n}} υ_{edge}[l]·π_l)"),
        format!("V·π_{user}"),
    ]
}

/// What holds these shares, as the noise is laid out.
fn shared() -> [String; 2] {
    let [edge, user] = shares("e₁", "κ");
    let own = own("ϑ");
    [
        format!("(Σ_{{e₁<E}} Σ_{{ϑ<d}} χ_ι[e₁]·φ_ι[ϑ]·({edge}·{own}))"),
        format!("(Σ_{{κ<n}} Σ_{{ϑ<d}} α_ι[κ]·β_ι[ϑ]·({user}·{own}))"),
    ]
}

/// What the others send and what is public, with the noise of the edges.
fn rest(z: &str) -> impl Fn(&str, &str) -> String {
    move |k: &str, j: &str| {
        let x = model(k);
        format!(
            "((1 − 𝟙[{k}=u₀])·clip(f(⟨𝟙[ι={k}] : ι<n⟩, {x}, ξ), C)[{j}] + ∂_{j} ϱ({x}) − λ·x({k}, {j}, v) + X({k}, ⟨ζ(ι, {j}, {z}) : ι<E⟩))"
        )
    }
}

/// Entry ι of what all of them are in.
fn of_all(body: &dyn Fn(&str, &str) -> String) -> String {
    format!("(Σ_{{κ<n}} Σ_{{ϑ<d}} α_ι[κ]·β_ι[ϑ]·{})", body("κ", "ϑ"))
}

fn with_noise(k: &str, j: &str) -> String {
    format!("({} + {})", sample(k, j), of_edges(k, j))
}

/// z with the shares.
fn shifted() -> String {
    format!("⟨{} + z_ι : ι<s′⟩", shared()[0])
}

/// `decor-cor-12-pl-corrected`: m is n − q, ℓ is log(1/δ), K is κ.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn statement() -> Result<Statement, Stuck> {
    let (graph, steps, system) = (graph(), steps_of(""), system("u₀"));
    let sizes = SIZES
        .replace("real σ ≥ 0", "real σ > 0")
        .replace("real ν ≥ 0", "real ν > 0");
    let [edges, users] = shared();
    let (all, gossip) = (of_all(&rest("z")), all_hold(&mixed("v")));
    let [entered, users_o, enters] = entries().map(|text| at_o(&text));
    let supposed: String = { LOSSES.iter().chain([&STEEP]) }
        .map(|goal| format!("if {goal}: "))
        .collect();
    let bound = super::calibrated_text();
    render::parse(&format!(
        "{graph}{GROUP}{DIMENSIONS}{LAYOUT}index u₀<n
    assume ϖ_u₀ = 0
    real a > 0
    {CONNECTED}{EDGES}{MIXING}integer B′ ≥ 1
    map Φ of ℝ^d × ℝ^B into ℝ^B′
    vector f₀ ∈ ℝ^d for every record and vector of ℝ^B′
    assume for every vector x′ ∈ ℝ^B′: for every record ρ′: ‖f₀(x′, ρ′)‖ ≤ C
    data 𝒟 of 1 records: its neighbours have one record replaced
    {PUBLIC}define g(k<n, y∈ℝ^d, ξ∈ℝ^B, j<d) := (1 − 𝟙[k=u₀])·clip(f(⟨𝟙[ι=k] : ι<n⟩, y, ξ), C)[j] + 𝟙[k=u₀]·(Σ_{{ρ∈𝒟}} clip(f₀(Φ(y, ξ), ρ), C)[j]) + ∂_j ϱ(y) − λ·y_j
    {MEANS}real F⋆
    real Z
    real S
    {sizes}{steps}real δ > 0
    assume δ ≤ 1
    real ℓ > 0
    assume ℓ = log(1/δ)
    real ε > 0
    assume ε ≤ ℓ
    {SHARP}assume σ² = K·C²·T·ℓ/(m·ε²)
    assume ν² = K·C²·T·ℓ/(a·ε²)
    define V := σ²
    define U := ν²
    vector π ∈ ℝ^n
    assume {system}
    algorithm Alg1: v ← v₀ in ℝ^s
      repeat r<T
        ξ ∼ N_{{B}}(0, 1)
        z ← ⟨{edges} : ι<s′⟩ + N_{{s′}}(0, ν²)
        w ← ⟨{users} : ι<s⟩ + N_{{s}}(0, σ²)
        v ← ⟨v_ι − η(r)·({all} + w_ι) : ι<s⟩
        v ← {gossip}
      end
    end
  holds
    {UNCLIPPED}; for every vector y ∈ ℝ^B′: for every record ρ: for every index j<d: clip(f₀(y, ρ), C)[j] = f₀(y, ρ)[j]; \
     for every vector v ∈ ℝ^s: for every vector ξ ∈ ℝ^B: for every vector z ∈ ℝ^s′: for every vector w ∈ ℝ^s: for every index o<s: \
     {entered} + ({users_o} + w_o) = {enters} + w_o; \
     between neighbours of 𝒟, the transcript of Alg1 is (ε, δ)-DP; between neighbours of 𝒟, the path of Alg1 is (ε, δ)-DP; \
     {supposed}𝔼_{{v∼end(Alg1)}}[F({MEAN})] − F⋆ ≤ {bound}"
    ))
}

/// ζ(e, j, shares) = share·own, for the e and j of the context: as [`super::steps`] has it of users.
fn read_edge(h: &Context) -> Proof {
    let inside = &on(h, "o′ e₂ i")?;
    let [edge, entry, place] = of::EDGES;
    let edge = given_for(inside, edge, &["o′", "e", "e₂"])?;
    let entry = given_for(inside, entry, &["o′", "j", "i"])?;
    let body = |e: &str, j: &str| format!("({}·{})", shares(e, "k")[0], own(j));
    let (one, here) = (body("e₂", "i"), body("e", "j"));
    let goal =
        format!("χ_o′[e]·φ_o′[j]·χ_o′[e₂]·φ_o′[i]·{one} = χ_o′[e]·φ_o′[j]·𝟙[e=e₂]·𝟙[j=i]·{one}");
    let parts: Parts<'_> = &[
        (&format!("φ_o′[j]·φ_o′[i]·{one}"), &[&edge]),
        (&format!("χ_o′[e]·𝟙[e=e₂]·{one}"), &[&entry]),
    ];
    let all = sum_over(&sum_over(&sum_over(&show(inside, &goal, parts)?)?)?)?;
    let place = given_for(h, place, &["e", "j"])?;
    let parts: Parts<'_> = &[("1", &[&all]), (&here, &[&place])];
    let shared = &shared()[0];
    show(h, &format!("ζ(e, j, ⟨{shared} : ι<s′⟩) = {here}"), parts)
}

/// Entry ι of what enters a step with the shares is that of the samples with the noise alone, for the index o of the context.
fn enters(h: &Context) -> Proof {
    let k = &on(h, "k")?;
    let known = discharge(&along_known(&on(k, "e")?)?)?;
    let entry = &on(k, "j")?;
    let e = &on(entry, "e")?;
    let (own, along) = (own("j"), "(Σ_{l<n} υ_e[l]·π_l)");
    let parts: Parts<'_> = &[
        ("b(e, k)", &[&read_edge(e)?]),
        (&format!("U·{own}"), &[&instance(e, &known, &var("e"))?]),
    ];
    let shared = &shared()[0];
    let goal = format!("b(e, k)·ζ(e, j, ⟨{shared} : ι<s′⟩) = U·{own}·(υ_e[k]·{along})");
    let edges = sum_over(&show(e, &goal, parts)?)?;
    let row = given_for(entry, of::SYSTEM, &["k"])?;
    let weight = "α_o[k]·β_o[j]";
    let goal = format!(
        "{weight}·(X(k, ⟨ζ(ι, j, ⟨{shared} : ι<s′⟩) : ι<E⟩) + V·π_k·{own}) = {weight}·(𝟙[k=u₀]·{own})"
    );
    let parts: Parts<'_> = &[(weight, &[&edges]), (&format!("{weight}·{own}"), &[&row])];
    let all = sum_over(&sum_over(&show(entry, &goal, parts)?)?)?;
    let [entered, users, enters] = entries().map(|text| at_o(&text));
    show(
        h,
        &format!("{entered} + {users} = {enters}"),
        &[("1", &[&all])],
    )
}

/// Entry ι of what enters a step without w: with the shares, those of w, and by Algorithm 1.
fn entries() -> [String; 3] {
    [
        of_all(&rest(&shifted())),
        shared()[1].clone(),
        of_all(&with_noise),
    ]
}

/// The same for the index o.
fn at_o(text: &str) -> String {
    text.replace("α_ι", "α_o").replace("β_ι", "β_o")
}

/// What all hold after the first assignment of a round, with what is released in its place: query and noise.
fn sent(h: &Context) -> Result<Term, Stuck> {
    let Some([_, edges, users, Command::Set(_, value), _]) = rounds(h) else {
        return Err(Stuck::new("not such a round"));
    };
    [users, edges]
        .into_iter()
        .try_fold(value.clone(), |value, command| match command {
            Command::Release {
                name,
                query,
                law: Term::Op(_, a),
            } => {
                let noisy = at(query, &var("j")) + at(&var(name), &var("j"));
                Ok(value.put(name, &vector("j", a[0].clone(), noisy)))
            }
            _ => Err(Stuck::new("not a release")),
        })
}

/// The commands of a round.
fn rounds(h: &Context) -> Option<&[Command]> {
    match h.process("Alg1")?.body.as_slice() {
        [Command::Repeat { body, .. }] => Some(body),
        _ => None,
    }
}

/// For all y, w and u, where u is read like y less η times w: the invariant after gossip from u is at most what it is with that.
fn after_own_noise(h: &Context) -> Proof {
    let every = after_gossip(h)?;
    let told = "x(k′, j′, u) = x(k′, j′, y) − η(r)·x(k′, j′, w)";
    let u = &h.with(["y", "w", "u"].map(|name| space(name, "s")))?;
    let u = &extended(
        u,
        &format!("assume for every index j′<d: for every index k′<n: {told}"),
    )?;
    let noise = |k: &str, j: &str| format!("x({k}, {j}, w)");
    let [left, mean] = of_stepped(u, "y", &noise)?;
    let moved = |j: &str| format!("(ā({j}, y) − η(r)·((Σ_{{κ<n}} x(κ, {j}, w))/n) − ā({j}, v))");
    let same = same_model(u, &moved("j"), &mean)?;
    let told = |k: &str, j: &str| format!("(x({k}, {j}, y) − η(r)·{})", noise(k, j));
    let most = weighted(ANY, &model_of(&moved("ϑ")), &left_of(&told));
    let parts: Parts<'_> = &[("γ₁", &[&same]), ("γ₂", &[&left])];
    let found = passes(u, &instance(u, &every, &var("u"))?, &most, parts)?;
    let found = (0..4).try_fold(found, |found, _| discharge(&found))?;
    // With names that no round has.
    let names = ["y₁", "w₁", "u₁"];
    let other = &h.with(names.map(|name| space(name, "s")))?;
    let found = { names.iter() }.try_fold(found, |t, name| instance(other, &t, &var(name)))?;
    (0..3).try_fold(found, |found, _| discharge(&found))
}

/// The model of F at u is that at these moves of the mean, as `mean` says, for the j at the end of its context.
fn same_model(u: &Context, new: &str, mean: &Theorem) -> Proof {
    let (j, old) = (&on(u, "j")?, "(ā(j, u) − ā(j, v))");
    let goal = format!("D({MEAN}, j)·{old} + (L/2)·{old}² = D({MEAN}, j)·{new} + (L/2)·{new}²");
    let turned = format!("D({MEAN}, j) + (L/2)·({old} + {new})");
    sum_over(&show(j, &goal, &[(&turned, &[mean])])?)
}

/// x(k, j, sent) = x(k, j, u) − η·x(k, j, w) for all j and k, where u is read like the step of Algorithm 1.
fn read(w: &Context, u: &Context, sent: &Term) -> Proof {
    let all = discharge(&enters(&on(w, "o")?)?)?;
    let k = &on(w, "j k")?;
    let o = &on(k, "o")?;
    let all = instance(o, &all, &var("o"))?;
    let weight = "α_o[k]·β_o[j]";
    let [entered, users, enters] = entries().map(|text| at_o(&text));
    let one = format!("{weight}·({entered} + {users}) = {weight}·{enters}");
    let all = sum_over(&show(o, &one, &[(weight, &[&all])])?)?;
    let text = format!("⟨v_ι − η(r)·({entered} + {users} + w_ι) : ι<s⟩")
        .replace("α_o", "α_ι")
        .replace("β_o", "β_ι");
    let goal = format!("x(k, j, {text}) = x(k, j, u) − η(r)·x(k, j, w)");
    let parts: Parts<'_> = &[
        ("(−1)·η(r)", &[&all]),
        ("(−1)·η(r)", &[&holds(k, &with_noise)?]),
        ("(−1)", &[&of_step(k, u)?]),
    ];
    let found = discharge(&discharge(&show(k, &goal, parts)?)?)?;
    // The same for the vector as the round has it, with the names of what is supposed.
    let names = &w.with([("j′", "d"), ("k′", "n")].map(|(x, d)| item(x, Sort::Index(var(d)))))?;
    let found = instance(names, &instance(names, &found, &var("j′"))?, &var("k′"))?;
    let right = term(names, "x(k′, j′, u) − η(r)·x(k′, j′, w)")?;
    let goal = Goal::Eq(term(names, "x(k′, j′, y₀)")?.put("y₀", sent), right);
    discharge(&discharge(&settle(names, &goal, &[("1", &[&found])])?)?)
}

/// What is expected behind a round, as [`super::rounds::one_round`] has it.
pub(super) fn one_round(h: &Context) -> Proof {
    let h = &with_factors(h)?;
    let (every, sent) = (after_own_noise(h)?, sent(h)?);
    let xi = &h.extended(space("ξ", "B"))?;
    let z = &xi.extended(space("z", "s′"))?;
    let told = |k: &str, j: &str| format!("(x({k}, {j}, v) − η(r)·{})", with_noise(k, j));
    let [f, spread] = of_round();
    let found = by_step(z, "v", &with_noise, &|u| {
        let w = &u.extended(space("w", "s"))?;
        let values = [var("u"), var("w"), sent.clone()];
        let found = values
            .iter()
            .try_fold(every.clone(), |t, value| instance(w, &t, value))?;
        let found = expected(
            &chain(w, &found, &read(w, u, &sent)?)?,
            &law(u, "N_{s}(0, σ²)")?,
        )?;
        let found = own_noise_over(u, &found, "u")?;
        let [left, mean] = of_stepped(u, "v", &with_noise)?;
        let j = &on(u, "j")?;
        let none = cancels(j, "ζ(ι, j, z)")?;
        let new = mean_of_samples().replace('ϑ', "j");
        let parts: Parts<'_> = &[("1", &[&mean]), ("(−1)·η(r)/n", &[&none])];
        let mean = show(j, &format!("(ā(j, u) − ā(j, v)) = {new}"), parts)?;
        let same = same_model(u, &new, &mean)?;
        let parts: Parts<'_> = &[("γ₁", &[&same]), ("γ₂", &[&left])];
        let left = format!("({} + {})", left_of(&told), NOISE[1]);
        passes(u, &found, &weighted(ANY, &f, &left), parts)
    })?;
    let found = expected(&found, &law(xi, "N_{s′}(0, ν²)")?)?;
    let parts: Parts<'_> = &[("γ₂·η(r)²/n", &[&edge_spread(xi)?])];
    of_samples(h, &passes(xi, &found, &weighted(ANY, &f, &spread), parts)?)
}

/// The proof of [`statement`], or of a statement with larger constants.
///
/// # Errors
/// If a rule does not apply.
pub fn prove(statement: &Statement) -> Proof {
    let h = &statement.context;
    let Goal::Both(goals) = &statement.goal else {
        return Err(Stuck::new("not several goals"));
    };
    let [whole, own, same, .., useful] = goals.as_slice() else {
        return Err(Stuck::new("not several goals"));
    };
    let whole = inside(h, whole, &whole_gradients(h))?;
    let own = inside(h, own, &|h, goal| {
        let short = given_for(h, of::SHORT, &["y"])?;
        let short = unclipped(h, &instance(h, &short, &var("ρ"))?, Some("j"))?;
        settle(h, goal, &[("1", &[&short])])
    })?;
    let same = inside(h, same, &|h, goal| {
        settle(h, goal, &[("1", &[&enters(h)?])])
    })?;
    let y = &root_of_constant(h, of::CONSTANT)?;
    let parts: Parts<'_> = &[("ε/K", &[y, y]), ("4·√(2)·(ε/K)", &[y])];
    let transcript = converted(h, &releases::private(h)?, ("K", of::BUDGET), parts)?;
    let path = forget(&transcript, View::Path)?;
    let useful = inside(h, useful, &calibrated_bound)?;
    both(h, &[&whole, &own, &same, &transcript, &path, &useful])
}
