//! `gcd-prox-priv-corrected` and `gcd-prox-priv-repaired`: Algorithm 2 with noise on exact scores is (ε, δ)-DP.
//!
//! The scores are functions of a derivative, which is a mean over the records. That each of them moves by at most 1/√M_k times as much
//! as the derivative is proved from what ψ_k is, any convex function: (GS-s) from the choice of its subgradient, (GS-r) and (GS-q)
//! from that of the least value of the quadratic model. Of any other scores it is supposed.

use super::greedy::moduli;
use super::{Form, Noise, moved, sensitivity_of, setting};
use crate::moved::written::{Proof, extended, given_for, goal, settle, show, term, whole};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::premise::ZCDP_TO_DP;
use dp_assay_kernel::rules::{
    Theorem, argmax, chain, cite, combine, compose, discharge, forget, image, laplace, larger,
    largest, limit, root_increases, shift, triangle,
};
use dp_assay_kernel::search::size::{below_modulus, either};
use dp_assay_kernel::search::{assumed, item, modulus, positive, pure_as_zcdp, zcdp_cost};
use dp_assay_kernel::statement::{Command, Context, Goal, Item, Sign, Sort, Statement, Subject};
use dp_assay_kernel::term::{Term, app, mul, num, var};

/// φ(k, b) is ψ_k(b); ξ(k, v, g) the subgradient of ψ_k at v that makes |g + ξ| least, h(k, v, g) the step where the quadratic
/// model Q is least, which is prox_{ψ_k/M_k}(v − g/M_k) − v; f′(k, w) = ∂_kf(w), of which q is what reads no data. S, R and G are
/// the scores of (GS-s), (GS-r) and (GS-q), √(2·decrease), C any others that move by no more; π(k, v) is any function, such as
/// prox_{γ_kψ_k}(v). Of C and π no ψ is asked for, so that they may be those of a box.
const RUNS: &str = "integer T ≥ 1
    vector γ ∈ ℝ^p
    vector w₀ ∈ ℝ^p
    real ε > 0
    real δ > 0
    assume δ ≤ 1
    map ψ of ℝ^1 into ℝ^p
    define φ(k<p, b) := ψ(⟨b : i<1⟩)[k]
    assume for every index i<p: for every real a: for every real b: for every real s: if 0 ≤ s: if \
        s ≤ 1: φ(i, a + s·(b − a)) ≤ φ(i, a) + s·(φ(i, b) − φ(i, a))
    map X of ℝ^1 × ℝ^1 into ℝ^p
    define ξ(k<p, v, g) := X(⟨v : i<1⟩, ⟨g : i<1⟩)[k]
    assume for every index i<p: for every real v: for every real g: for every real b: φ(i, v) + \
        ξ(i, v, g)·(b − v) ≤ φ(i, b)
    assume for every index i<p: for every real v: for every real g: for every real c: if for every \
        real b: φ(i, v) + c·(b − v) ≤ φ(i, b): |g + ξ(i, v, g)| ≤ |g + c|
    define Q(k<p, v, g, a) := g·a + (M_k/2)·a² + φ(k, v + a) − φ(k, v)
    map H of ℝ^1 × ℝ^1 into ℝ^p
    define h(k<p, v, g) := H(⟨v : i<1⟩, ⟨g : i<1⟩)[k]
    assume for every index i<p: for every real v: for every real g: for every real c: Q(i, v, g, \
        h(i, v, g)) ≤ Q(i, v, g, c)
    map F of ℝ^p × ℝ^1 into ℝ^p
    define C(k<p, w∈ℝ^p, g) := F(w, ⟨g : i<1⟩)[k]
    assume for every index i<p: for every vector v ∈ ℝ^p: for every real a: for every real b: \
        |C(i, v, a) − C(i, v, b)| ≤ |a − b|/√(M_i)
    map P of ℝ^1 into ℝ^p
    define π(k<p, v) := P(⟨v : i<1⟩)[k]
    map q of ℝ^p into ℝ^p
    define f′(k<p, w∈ℝ^p) := (Σ_{d∈D} ∂_k ℓ(w; d))/n + q(w)[k]
    define S(k<p, v, g) := |g + ξ(k, v, g)|/√(M_k)
    define R(k<p, v, g) := √(M_k)·|h(k, v, g)|
    define G(k<p, v, g) := √(2·max(Q(k, v, g, 0) − Q(k, v, g, h(k, v, g)), 0))
    define m := MAXIMUM
    define ε′ := ε/(PARTS·√(T·m))
    define r(k<p) := 2·L_k/(n·√(M_k))
    define λ(k<p) := 2·L_k/(n·ε′)
    define λ′(k<p) := (r(k) + max(0, r(l) : l<p, l≠k))/ε′";

/// The scores, and what of the iterate each of them reads.
const SCORES: [(&str, &str); 4] = [("S", "w_k"), ("R", "w_k"), ("G", "w_k"), ("C", "w")];

/// The algorithm with one score.
fn run((score, place): (&str, &str)) -> String {
    format!(
        "algorithm Alg2{score}: w ← w₀ in ℝ^p
         repeat t<T
         j ← argmax_{{k<p}} ({score}(k, {place}, f′(k, w)) + Laplace(λ′(k)))
         a ← f′(j, w) + Laplace(λ(j))
         w ← ⟨w_i + (π(i, w_i − γ_i·a) − w_i)·𝟙[i=j] : i<p⟩
         end
         end"
    )
}

fn claim(maximum: &str, parts: &str) -> Result<Statement, Stuck> {
    let context = Context::default().with(setting())?;
    let runs = SCORES.map(run).join("\n");
    let items = RUNS.replace("MAXIMUM", maximum).replace("PARTS", parts);
    let context = extended(&context, &format!("{items}\n{runs}"))?;
    let private =
        |(score, _)| format!("between neighbours of D, the transcript of Alg2{score} is (ε, δ)-DP");
    let goal = goal(&context, &SCORES.map(private).join("; "))?;
    Ok(Statement { context, goal })
}

/// `gcd-prox-priv-corrected`: what the four algorithms choose and release is (ε, δ)-DP.
pub fn corrected() -> Result<Statement, Stuck> {
    claim("max(log(1/δ) + ε/2, ε/2)", "2")
}

/// `gcd-prox-priv-repaired`: the same for ε′ of `gcd-thm-4.2-repaired`.
pub fn repaired() -> Result<Statement, Stuck> {
    claim("max(log(1/δ), ε/8)", "4")
}

/// The proof of [`corrected`], or of a statement with other constants.
pub fn prove_corrected(statement: &Statement) -> Proof {
    prove(statement, Form::Sum)
}

/// The proof of [`repaired`], in the same way.
pub fn prove_repaired(statement: &Statement) -> Proof {
    prove(statement, Form::Floor)
}

fn prove(statement: &Statement, form: Form) -> Proof {
    let one = |context: &Context, goal: &Goal| private(context, goal, form);
    whole(statement, &[&one, &one, &one, &one])
}

/// What a process of the context releases is (ε, δ)-DP.
fn private(context: &Context, goal: &Goal, form: Form) -> Proof {
    let Goal::Private {
        subject: Subject::Process(name, view),
        ..
    } = goal
    else {
        return Err(Stuck::new("not about a process"));
    };
    let Some(Item::Define(_, _, m)) = context.get("m") else {
        return Err(Stuck::new("m is not defined"));
    };
    let bounds = match m {
        Term::Op(_, bounds) if bounds.len() == 2 => bounds,
        _ => return Err(Stuck::new("m is no maximum")),
    };
    let noise = Noise {
        context: context.clone(),
        log: bounds[0].clone(),
        floor: bounds[1].clone(),
        form,
    };
    let all = accesses(context, name)?;
    let rho = zcdp_cost(&all.statement().goal)?;
    let small = assumed(context, &Goal::Le(var("δ"), num(1)))?;
    let within = match noise.form {
        Form::Floor => noise.budget(rho)?,
        Form::Sum => noise.budget_of_sum(rho)?,
    };
    let values = [rho.clone(), var("ε"), var("δ")];
    let transcript = cite(context, &ZCDP_TO_DP, &values, &[&all, &small, &within])?;
    match transcript.statement().goal == *goal {
        true => Ok(transcript),
        false => forget(&transcript, *view),
    }
}

/// ∂_kf(w).
fn slope(k: &Term) -> Term {
    app("f′", [k.clone(), var("w")])
}

/// What T selections and releases of a process cost together.
fn accesses(context: &Context, name: &str) -> Proof {
    let process = context.process(name);
    let (select, release) = match process.map(|p| p.body.as_slice()) {
        Some([Command::Repeat { body, .. }]) if body.len() == 3 => (&body[0], &body[1]),
        _ => return Err(Stuck::new("not one loop")),
    };
    let epsilon = app("ε′", []);
    let enough = |here: &Context, by: &Term, scale: &str, k: &str| {
        let scale = mul([epsilon.clone(), app(scale, [var(k)])]);
        combine(here, Goal::Le(by.clone(), scale), &[])
    };
    let here = context.with([item("w", Sort::Vector(var("p"), Sign::Any))])?;
    let inner = here.extended(item("k", Sort::Index(var("p"))))?;
    let kept = argmax(&here, select, &score_moves(&inner, select)?)?;
    let Goal::Keeps { by, .. } = &kept.statement().goal else {
        return Err(Stuck::new("no choice that is kept"));
    };
    let choice = shift(&here, &kept, &epsilon, &enough(&inner, by, "λ′", "k")?)?;
    let chosen = here.extended(item("j", Sort::Index(var("p"))))?;
    let by = moved(&var("j"));
    let sensitive = sensitivity_of(&chosen, slope, "j", &by)?;
    let loud = enough(&chosen, &by, "λ", "j")?;
    let value = laplace(&chosen, release, &epsilon, &sensitive, &loud)?;
    let (choice, value) = (pure_as_zcdp(&choice)?, pure_as_zcdp(&value)?);
    compose(context, name, "D", &[&choice, &value])
}

/// The score of k moves by at most r_k, in a context with w and k.
fn score_moves(here: &Context, select: &Command) -> Proof {
    let (score, place) = match select.terms()[1] {
        Term::App(score, parts) if parts.len() == 3 => (score, &parts[1]),
        _ => return Err(Stuck::new("no score")),
    };
    let sensitive = sensitivity_of(here, slope, "k", &moved(&var("k")))?;
    let two = extended(here, "real x\nreal y")?;
    let near = Goal::Le((var("x") - var("y")).abs(), moved(&var("k")));
    let inner = two.extended(Item::Assume(near.clone()))?;
    let near = assumed(&inner, &near)?;
    let longer = match score.as_str() {
        "S" => subgradients,
        "R" => steps,
        "G" => decreases,
        "C" => any,
        other => return Err(Stuck::new(format!("{other} is no score"))),
    };
    let one = |x: &str, y: &str| {
        let longer = longer(&inner, x, y)?;
        let value = |g: &str| app(score, [var("k"), place.clone(), var(g)]);
        let goal = Goal::Le(value(x) - value(y), app("r", [var("k")]));
        settle(&inner, &goal, &[("1", &[&longer]), ("1/√(M_k)", &[&near])])
    };
    let bound = discharge(&modulus(&one("x", "y")?, &one("y", "x")?)?)?;
    let to = app(score, [var("k"), place.clone(), var("x")]);
    image(&sensitive, &bound, &to)
}

/// C(x) − C(y) ≤ |x − y|/√M, as is supposed.
fn any(h: &Context, x: &str, y: &str) -> Proof {
    let apart = given_for(h, 5, &["k", "w", x, y])?;
    let below = below_modulus(h, &term(h, &format!("C(k, w, {x}) − C(k, w, {y})"))?)?;
    let goal = format!("C(k, w, {x}) − C(k, w, {y}) ≤ |{x} − {y}|/√(M_k)");
    show(h, &goal, &[("1", &[&below]), ("1", &[&apart])])
}

/// S(x) − S(y) ≤ |x − y|/√M: the subgradient for y is none better for x.
fn subgradients(h: &Context, x: &str, y: &str) -> Proof {
    let other = format!("ξ(k, w_k, {y})");
    let least = given_for(h, 3, &["k", "w_k", x, &other])?;
    let least = chain(h, &least, &given_for(h, 2, &["k", "w_k", y])?)?;
    let own = term(h, &format!("{y} + {other}"))?;
    let sum = triangle(h, &own, &term(h, &format!("{y} − {x}"))?)?;
    let goal = format!("S(k, w_k, {x}) − S(k, w_k, {y}) ≤ |{x} − {y}|/√(M_k)");
    show(h, &goal, &[("1/√(M_k)", &[&least]), ("1/√(M_k)", &[&sum])])
}

/// φ(w_k + s·e + (1 − s)·d) ≤ φ(w_k + d) + s·(φ(w_k + e) − φ(w_k + d)), where it is known that 0 ≤ s ≤ 1.
fn convex(h: &Context, [d, e, s]: [&str; 3], [above, below]: [&Theorem; 2]) -> Proof {
    let [d, e] = [d, e].map(|step| format!("w_k + {step}"));
    let convex = given_for(h, 1, &["k", &d, &e, s])?;
    chain(h, &chain(h, &convex, above)?, below)
}

/// g·(d − e) + M·d·(d − e) + φ(w_k + d) − φ(w_k + e) ≤ 0, d being the step for g: the model on the way from d to e.
fn optimal(h: &Context, g: &str, e: &str) -> Proof {
    let d = format!("h(k, w_k, {g})");
    let a = format!("{g}·({d} − {e}) + M_k·{d}·({d} − {e}) + φ(k, w_k + {d}) − φ(k, w_k + {e})");
    let c = format!("(M_k/2)·({e} − {d})²");
    let inner = h.extended(positive("z"))?;
    let goal = Goal::Le(term(h, &a)?, num(0) + term(h, &c)? * var("z"));
    limit(&either(&inner, [&var("z"), &num(1)], |h, order, first| {
        let s = if first { "z" } else { "1" };
        let above = show(h, &format!("0 ≤ {s}"), &[])?;
        let one = show(h, "1 ≤ 1", &[])?;
        let below = if first { order } else { &one };
        let convex = convex(h, [&d, e, s], [&above, below])?;
        let least = given_for(h, 4, &["k", "w_k", g, &format!("{d} + {s}·({e} − {d})")])?;
        let share = format!("1/{s}");
        let rest = if first { "0" } else { &c };
        let parts: &[(&str, &[&Theorem])] =
            &[(&share, &[&least]), (&share, &[&convex]), (rest, &[order])];
        settle(h, &goal, parts)
    })?)
}

/// R(x) − R(y) ≤ |x − y|/√M: M·(d − e)² ≤ (y − x)·(d − e) for the steps d, e, the sum of two conditions.
fn steps(h: &Context, x: &str, y: &str) -> Proof {
    let [d, e] = [x, y].map(|g| format!("h(k, w_k, {g})"));
    let (first, second) = (optimal(h, x, &e)?, optimal(h, y, &d)?);
    let square = format!("(({x} − {y})/√(M_k) + √(M_k)·({d} − {e}))²");
    let squares = format!("(√(M_k)·|{d} − {e}|)² ≤ (|{x} − {y}|/√(M_k))²");
    let parts: &[(&str, &[&Theorem])] = &[(&square, &[]), ("2", &[&first]), ("2", &[&second])];
    let near = root_increases(&show(h, &squares, parts)?)?;
    let sum = triangle(h, &term(h, &e)?, &term(h, &format!("{e} − {d}"))?)?;
    let goal = format!("R(k, w_k, {x}) − R(k, w_k, {y}) ≤ |{x} − {y}|/√(M_k)");
    show(h, &goal, &[("1", &[&near]), ("√(M_k)", &[&sum])])
}

/// G(x) − G(y) ≤ |x − y|/√M. For z > 0 let t = |x − y|/√M + z. If G(x) ≥ t, the step for x, shortened to its part 1 − t/G(x), shows by
/// convexity that the decrease for y is at least (G(x) − t)²/2.
fn decreases(h: &Context, x: &str, y: &str) -> Proof {
    let [at_x, at_y] = [x, y].map(|g| format!("G(k, w_k, {g})"));
    let near = format!("|{x} − {y}|/√(M_k)");
    let goal = {
        let bound = term(h, &format!("{at_y} + {near}"))?;
        Goal::Le(term(h, &at_x)?, bound + num(1) * var("z"))
    };
    let t = format!("({near} + z)");
    let inner = h.extended(positive("z"))?;
    let sides = [term(&inner, &at_x)?, term(&inner, &t)?];
    let all = either(&inner, [&sides[0], &sides[1]], |h, order, first| {
        if first {
            return settle(h, &goal, &[("1", &[order])]);
        }
        let a = format!("max({at_x}, {t})");
        let itself = show(h, &format!("{at_x} ≤ {at_x}"), &[])?;
        let within = largest(&itself, order)?;
        let [above, beyond] = [false, true].map(|second| larger(h, &sides[0], &sides[1], second));
        let (above, beyond) = (above?, beyond?);
        let square = shortened(h, [x, y, &a, &t], &within, &beyond)?;
        let rest = term(h, &format!("{a} − {t}"))?;
        let (root, below) = (root_increases(&square)?, below_modulus(h, &rest)?);
        settle(
            h,
            &goal,
            &[("1", &[&above]), ("1", &[&below]), ("1", &[&root])],
        )
    })?;
    let goal = format!("{at_x} − {at_y} ≤ {near}");
    show(h, &goal, &[("1", &[&limit(&all)?])])
}

/// (a − t)² ≤ G(y)² for a ≤ G(x) with t ≤ a.
fn shortened(h: &Context, [x, y, a, t]: [&str; 4], within: &Theorem, beyond: &Theorem) -> Proof {
    let d = format!("h(k, w_k, {x})");
    let s = format!("1 − {t}/{a}");
    let decrease = |g: &str| format!("Q(k, w_k, {g}, 0) − Q(k, w_k, {g}, h(k, w_k, {g}))");
    let above = show(h, &format!("0 ≤ {s}"), &[(&format!("1/{a}"), &[beyond])])?;
    let below = show(h, &format!("{s} ≤ 1"), &[(&format!("{t}/{a}"), &[])])?;
    let convex = convex(h, ["0", &d, &s], [&above, &below])?;
    let least = given_for(h, 4, &["k", "w_k", y, &format!("({s})·{d}")])?;
    let larger = larger(h, &term(h, &decrease(y))?, &num(0), false)?;
    let own = given_for(h, 4, &["k", "w_k", x, "0"])?;
    let own = show(h, &format!("0 ≤ {}", decrease(x)), &[("1", &[&own])])?;
    let itself = show(h, &format!("{0} ≤ {0}", decrease(x)), &[])?;
    let own = largest(&itself, &own)?;
    let product = moduli(h, &format!("{y} − {x}"), &d)?;
    let size = format!("√(M_k)·|{d}|");
    let sum = format!("G(k, w_k, {x}) + {a}");
    let square = format!("({t}/{a})·({a} − {size})²");
    let rest = format!("2·z·{size}");
    let parts: &[(&str, &[&Theorem])] = &[
        ("2", &[&least]),
        ("2", &[&larger]),
        ("2", &[&convex]),
        ("2", &[&above, &own]),
        (&sum, &[&above, within]),
        ("2", &[&above, &product]),
        (&square, &[&above]),
        (&rest, &[&above]),
    ];
    show(h, &format!("({a} − {t})² ≤ G(k, w_k, {y})²"), parts)
}
