//! Second moments of the users' noise: the covariance of messages, Lemma 8 and the noise terms of Lemma 9.
//!
//! The graph is its edges e: h_e\[k\] is 1 if edge e begins at user k, t_e\[k\] if it ends there, and else 0; an e without ends is
//! no edge, so that there may be none. A(k, l) is 1 for an edge between k and l. The noise of the edges is z, of which user k adds
//! X(k, z) = Σ_e b(e, k)·z_e: one end +z_e, the other −z_e. The d coordinates have the same law and are independent, and an
//! expectation of a sum over them is the sum of theirs.

use super::swap;
use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, expected, instance, inverse, sum_over};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sign, Sort, Statement};
use dp_assay_kernel::term::{Op, Term, op, var};

pub(super) const GRAPH: &str = "for all
    integer n ≥ 1
    integer E ≥ 1
    sequence h in ℝ^n
    sequence t in ℝ^n
    assume for every index p<E: for every index q<n: for every index r<n: h_p[q]·h_p[r] = \
        h_p[q]·𝟙[q=r]
    assume for every index p<E: for every index q<n: for every index r<n: t_p[q]·t_p[r] = \
        t_p[q]·𝟙[q=r]
    assume for every index p<E: for every index q<n: h_p[q]·t_p[q] = 0
    assume for every index p<E: Σ_{q<n} h_p[q] = Σ_{q<n} t_p[q]
    define b(e<E, k<n) := h_e[k] − t_e[k]
    define A(k<n, l<n) := Σ_{e<E} (h_e[k]·t_e[l] + t_e[k]·h_e[l])
    define X(k<n, z∈ℝ^E) := Σ_{e<E} b(e, k)·z_e
    ";

/// The graph, with other names in its hypotheses.
pub(super) fn graph() -> String {
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

/// What an index of this name stays below: e is an edge, others are users.
fn below(name: &str) -> Term {
    var(if name == "e" { "E" } else { "n" })
}

pub(super) fn with(context: &Context, names: &str) -> Result<Context, Stuck> {
    let index = |name: &str| item(name, Sort::Index(below(name)));
    context.with(names.split(' ').map(index))
}

/// A hypothesis of the graph for these indices.
pub(super) fn given_at(h: &Context, n: usize, names: &str) -> Proof {
    let names = names.split(' ');
    names.fold(given(h, n), |theorem, name| {
        instance(h, &theorem?, &var(name))
    })
}

type Parts<'a> = &'a [(&'a str, &'a [&'a Theorem])];

/// Σ_k b(e, k) = 0 for the edge e of the context.
pub(super) fn flat(h: &Context) -> Proof {
    let same = given_at(h, 3, "e")?;
    show(h, "Σ_{k<n} b(e, k) = 0", &[("1", &[&same])])
}

/// Σ_e Σ_k b(e, k)² = 2·Σ_e Σ_k h_e\[k\].
fn ends(h: &Context) -> Proof {
    let edge = &with(h, "e")?;
    let k = &with(edge, "k")?;
    let (begin, end, apart) = (
        given_at(k, 0, "e k k")?,
        given_at(k, 1, "e k k")?,
        given_at(k, 2, "e k")?,
    );
    let parts: Parts<'_> = &[("1", &[&begin]), ("1", &[&end]), ("(−2)", &[&apart])];
    let one = sum_over(&show(k, "b(e, k)² = h_e[k] + t_e[k]", parts)?)?;
    let same = given_at(edge, 3, "e")?;
    let two = "Σ_{k<n} b(e, k)² = 2·(Σ_{k<n} h_e[k])";
    sum_over(&show(edge, two, &[("1", &[&one]), ("(−1)", &[&same])])?)
}

/// h_k = Σ_l h_k·t_l or t_k = Σ_l t_k·h_l for the k and e of the context, `s` being the first of the two.
fn alone(h: &Context, s: &str) -> Proof {
    let l = &with(h, "l")?;
    let (which, sign) = if s == "h" { (0, "(−1)") } else { (1, "1") };
    let hot = sum_over(&given_at(l, which, "e k l")?)?;
    let same = given_at(h, 3, "e")?;
    let other = if s == "h" { "t" } else { "h" };
    let goal = format!("{s}_e[k] = Σ_{{l<n}} {s}_e[k]·{other}_e[l]");
    let parts: Parts<'_> = &[
        (&format!("(−1)·{sign}·{s}_e[k]"), &[&same]),
        ("(−1)", &[&hot]),
    ];
    show(h, &goal, parts)
}

/// Σ_e b(e, k)·b(e, l) = (Σ_m A(k, m))·𝟙\[k=l\] − A(k, l), for the k and l at the end of the context: the Laplacian.
fn laplacian(h: &Context) -> Proof {
    let edge = &with(h, "e")?;
    let (begin, end) = (given_at(edge, 0, "e k l")?, given_at(edge, 1, "e k l")?);
    let product = "b(e, k)·b(e, l) = (h_e[k] + t_e[k])·𝟙[k=l] − (h_e[k]·t_e[l] + t_e[k]·h_e[l])";
    let product = show(edge, product, &[("1", &[&begin]), ("1", &[&end])])?;
    let product = sum_over(&product)?;
    let inner = &with(&h.beginning(h.items().len() - 1), "e")?;
    let both = show(
        inner,
        "h_e[k] + t_e[k] = Σ_{l<n} (h_e[k]·t_e[l] + t_e[k]·h_e[l])",
        &[("1", &[&alone(inner, "h")?]), ("1", &[&alone(inner, "t")?])],
    )?;
    let degree = sum_over(&both)?;
    let body = "h_e[k]·t_e[m] + t_e[k]·h_e[m]";
    let swapped = swap(h, ("m", "n"), ("e", "E"), body)?;
    let parts: Parts<'_> = &[
        ("1", &[&product]),
        ("𝟙[k=l]", &[&degree]),
        ("(−1)·𝟙[k=l]", &[&swapped]),
    ];
    let goal = "Σ_{e<E} b(e, k)·b(e, l) = (Σ_{m<n} A(k, m))·𝟙[k=l] − A(k, l)";
    show(h, goal, parts)
}

/// `decor-fact-cov`: the n honest users hold x, y is what they send, σ² and τ² are the variances σ_cdp² and σ_cor², w is the noise
/// of the users. The mean is x, L the Laplacian; the last is at least σ²·‖u‖².
pub fn covariance() -> Result<Statement, Stuck> {
    let text = "real σ ≥ 0
    real τ ≥ 0
    vector x ∈ ℝ^n
    define y(k<n, z∈ℝ^E, w∈ℝ^n) := x_k + X(k, z) + w_k
    define L(k<n, l<n) := (Σ_{m<n} A(k, m))·𝟙[k=l] − A(k, l)
holds
    for every index k<n: 𝔼_{z∼N_{E}(0, τ²)}[𝔼_{w∼N_{n}(0, σ²)}[y(k, z, w)]] = x_k; for every index \
        k<n: for every index l<n: 𝔼_{z∼N_{E}(0, τ²)}[𝔼_{w∼N_{n}(0, σ²)}[(y(k, z, w) − x_k)·(y(l, \
        z, w) − x_l)]] = τ²·L(k, l) + σ²·𝟙[k=l]; for every vector u ∈ ℝ^n: σ²·‖u‖² ≤ Σ_{k<n} \
        Σ_{l<n} u_k·u_l·(τ²·L(k, l) + σ²·𝟙[k=l])";
    render::parse(&format!("{GRAPH}{text}"))
}

/// Σ_k Σ_l u_k·u_l·L(k, l) = Σ_e (Σ_k b(e, k)·u_k)², L written out.
fn form(h: &Context, u: &str) -> Proof {
    let pair = &with(h, "k l")?;
    let weight = format!("{u}_k·{u}_l");
    let entry = laplacian(pair)?;
    let scaled = format!(
        "{weight}·((Σ_{{m<n}} A(k, m))·𝟙[k=l] − A(k, l)) = {weight}·(Σ_{{e<E}} b(e, k)·b(e, l))"
    );
    let scaled = show(pair, &scaled, &[(&format!("(−1)·{weight}"), &[&entry])])?;
    let scaled = sum_over(&sum_over(&scaled)?)?;
    let body = format!("{weight}·b(e, k)·b(e, l)");
    let inner = sum_over(&swap(&with(h, "k")?, ("l", "n"), ("e", "E"), &body)?)?;
    let along = format!("(Σ_{{l<n}} b(e, l)·{u}_l)");
    let outer = swap(h, ("k", "n"), ("e", "E"), &format!("{u}_k·b(e, k)·{along}"))?;
    let goal = format!(
        "Σ_{{k<n}} Σ_{{l<n}} {weight}·((Σ_{{m<n}} A(k, m))·𝟙[k=l] − A(k, l)) = Σ_{{e<E}} {along}²"
    );
    show(
        h,
        &goal,
        &[("1", &[&scaled]), ("1", &[&inner]), ("1", &[&outer])],
    )
}

/// The proof of [`covariance`].
pub fn prove_covariance(statement: &Statement) -> Proof {
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[]),
            &|h, goal| settle(h, goal, &[("τ²", &[&laplacian(h)?])]),
            &|h, goal| {
                let parts: Parts<'_> = &[
                    ("(−1)·τ²", &[&form(h, "u")?]),
                    ("τ²·(Σ_{e<E} (Σ_{l<n} b(e, l)·u_l)²)", &[]),
                ];
                settle(h, goal, parts)
            },
        ],
    )
}

/// `decor-fact-ones`: n is the number of honest users, σ² and τ² are the variances, Σ is S(k, l), which `decor-fact-cov` says is
/// positive definite. The first says Σ⁻¹1 = 1/σ_cdp²; the next two are about u_i; then v is an eigenvector of L, and Σ times
/// v/(σ² + τ²λ) is v. Eigenvalues of L are ≥ 0, so that λ ≥ 0 takes nothing away: the last says it of any such v′ and ρ.
pub fn ones() -> Result<Statement, Stuck> {
    let text = "real σ > 0
    real τ ≥ 0
    define L(k<n, l<n) := (Σ_{m<n} A(k, m))·𝟙[k=l] − A(k, l)
    define S(k<n, l<n) := τ²·L(k, l) + σ²·𝟙[k=l]
    index i<n
    define u(k<n) := 𝟙[k=i] − 1/n
    real λ ≥ 0
    vector v ∈ ℝ^n
    assume for every index q<n: Σ_{r<n} L(q, r)·v_r = λ·v_q
    real ρ
    vector v′ ∈ ℝ^n
    assume for every index q<n: Σ_{r<n} L(q, r)·v′_r = ρ·v′_q
holds
    for every index k<n: Σ_{l<n} S(k, l)·(1/σ²) = 1; Σ_{k<n} u(k) = 0; Σ_{k<n} u(k)² = 1 − 1/n; \
        for every index k<n: Σ_{l<n} S(k, l)·(v_l/(σ² + τ²·λ)) = v_k; 0 ≤ ρ·‖v′‖²";
    render::parse(&format!("{GRAPH}{text}"))
}

/// 0 ≤ ρ·‖v′‖², which is the form of L at v′, a sum of squares.
fn sign_of_eigenvalue(h: &Context, goal: &Goal) -> Proof {
    let k = &with(h, "k")?;
    let row = given_at(k, 5, "k")?;
    let row = show(
        k,
        "v′_k·(Σ_{l<n} L(k, l)·v′_l) = ρ·v′_k²",
        &[("v′_k", &[&row])],
    )?;
    let parts: Parts<'_> = &[
        ("1", &[&sum_over(&row)?]),
        ("(−1)", &[&form(h, "v′")?]),
        ("Σ_{e<E} (Σ_{l<n} b(e, l)·v′_l)²", &[]),
    ];
    settle(h, goal, parts)
}

/// The proof of [`ones`].
pub fn prove_ones(statement: &Statement) -> Proof {
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[]),
            &|h, goal| settle(h, goal, &[]),
            &|h, goal| settle(h, goal, &[]),
            &|h, goal| {
                let row = given_at(h, 4, "k")?;
                let whole = inverse(h, &term(h, "σ² + τ²·λ")?)?;
                let parts: Parts<'_> = &[("τ²/(σ² + τ²·λ)", &[&row]), ("v_k", &[&whole])];
                settle(h, goal, parts)
            },
            &sign_of_eigenvalue,
        ],
    )
}

const DIMENSION: &str = "integer d ≥ 1
    real τ ≥ 0
    ";

/// `decor-lem-8c`: N has the columns X(k, z), |E| is Σ_e Σ_k h_e\[k\].
pub fn lemma_8c() -> Result<Statement, Stuck> {
    let text = "holds
    Σ_{j<d} 𝔼_{z∼N_{E}(0, τ²)}[Σ_{k<n} X(k, z)²] = 2·(Σ_{e<E} Σ_{k<n} h_e[k])·d·τ²";
    render::parse(&format!("{GRAPH}{DIMENSION}{text}"))
}

/// Σ_k Σ_e b(e, k)² = 2·Σ_e Σ_k h_e\[k\].
fn size(h: &Context) -> Proof {
    let swapped = swap(h, ("k", "n"), ("e", "E"), "b(e, k)²")?;
    let goal = "Σ_{k<n} Σ_{e<E} b(e, k)² = 2·(Σ_{e<E} Σ_{k<n} h_e[k])";
    show(h, goal, &[("1", &[&swapped]), ("1", &[&ends(h)?])])
}

/// The proof of [`lemma_8c`].
pub fn prove_lemma_8c(statement: &Statement) -> Proof {
    each(
        statement,
        &[&|h, goal| settle(h, goal, &[("d·τ²", &[&size(h)?])])],
    )
}

/// `decor-lem-9-noise-repaired`, W any matrix: z is the noise of the edges, w that of the users.
pub fn lemma_9_noise() -> Result<Statement, Stuck> {
    let text = "real σ ≥ 0
    sequence W in ℝ^n
holds
    Σ_{j<d} 𝔼_{z∼N_{E}(0, τ²)}[Σ_{c<n} (Σ_{k<n} (W_k[c] − 1/n)·X(k, z))²] = Σ_{j<d} 𝔼_{z∼N_{E}(0, \
        τ²)}[Σ_{c<n} (Σ_{k<n} W_k[c]·X(k, z))²]; Σ_{j<d} 𝔼_{w∼N_{n}(0, σ²)}[Σ_{c<n} (Σ_{k<n} \
        (W_k[c] − 1/n)·w_k)²] = (Σ_{c<n} Σ_{k<n} (W_k[c] − 1/n)²)·d·σ²";
    render::parse(&format!("{GRAPH}{DIMENSION}{text}"))
}

fn with_noise(h: &Context) -> Result<Context, Stuck> {
    h.extended(item("z", Sort::Vector(var("E"), Sign::Any)))
}

/// The expectation over the noise of the edges of what holds for each.
fn over_noise(h: &Context, theorem: &Theorem) -> Proof {
    expected(theorem, &op(Op::Normal, [var("E"), term(h, "τ²")?]))
}

/// The proof of [`lemma_9_noise`]: Σ_k X(k, z) = 0 for every z.
pub fn prove_lemma_9_noise(statement: &Statement) -> Proof {
    each(
        statement,
        &[
            &|h, goal| {
                let z = &with_noise(h)?;
                let edge = &with(z, "e")?;
                let none = show(
                    edge,
                    "(Σ_{k<n} b(e, k))·z_e = 0",
                    &[("z_e", &[&flat(edge)?])],
                )?;
                let swapped = swap(z, ("k", "n"), ("e", "E"), "b(e, k)·z_e")?;
                let parts: Parts<'_> = &[("1", &[&swapped]), ("1", &[&sum_over(&none)?])];
                let none = show(z, "Σ_{k<n} X(k, z) = 0", parts)?;
                let c = &with(z, "c")?;
                let mixed = "(Σ_{k<n} (W_k[c] − 1/n)·X(k, z))²";
                let plain = "(Σ_{k<n} W_k[c]·X(k, z))²";
                let factor = "(2·(Σ_{k<n} W_k[c]·X(k, z)) − (Σ_{k<n} X(k, z))/n)/n";
                let same = show(
                    c,
                    &format!("{mixed} = {plain}"),
                    &[(&format!("(−1)·{factor}"), &[&none])],
                )?;
                let same = over_noise(h, &sum_over(&same)?)?;
                settle(h, goal, &[("d", &[&same])])
            },
            &|h, goal| {
                let swapped = swap(h, ("c", "n"), ("k", "n"), "W_k[c]")?;
                settle(h, goal, &[("2·d·σ²/n", &[&swapped])])
            },
        ],
    )
}

/// A row or a column of W as the kernel's text: entry c of that of this user.
type Entry = fn(&str) -> String;

pub(super) fn of_rows(k: &str) -> String {
    format!("W_{k}[c]")
}

fn of_columns(k: &str) -> String {
    format!("W_c[{k}]")
}

fn of_symmetric(k: &str) -> String {
    format!("S_c[{k}]")
}

/// `decor-lem-8a-repaired`: M is 2|E|, S any symmetric matrix. H has rows of W for NW, columns of S for NS, columns of W for NWᵀ.
pub fn lemma_8a() -> Result<Statement, Stuck> {
    let over = "𝔼_{z∼N_{E}(0, τ²)}";
    let one = |mixed: &str, w: Entry| {
        let apart = format!("{} − {}", w("i"), w("k"));
        let h = format!("(Σ_{{i<n}} Σ_{{k<n}} A(i, k)·(Σ_{{c<n}} ({apart})²))/(2·M)");
        format!(
            "Σ_{{j<d}} {over}[Σ_{{c<n}} (Σ_{{k<n}} {mixed}·X(k, z))²] = {h}·(Σ_{{j<d}} \
                {over}[Σ_{{k<n}} X(k, z)²])"
        )
    };
    let goals = [
        one("W_k[c]", of_rows),
        one("S_k[c]", of_symmetric),
        one("W_c[k]", of_columns),
    ];
    let text = "real M > 0
    assume M = Σ_{q<n} Σ_{r<n} A(q, r)
    sequence W in ℝ^n
    sequence S in ℝ^n
    assume for every index q<n: for every index r<n: S_q[r] = S_r[q]
holds
    ";
    render::parse(&format!("{GRAPH}{DIMENSION}{text}{}", goals.join("; ")))
}

/// What edge e adds to A(i, k).
const EDGE: &str = "(h_e[i]·t_e[k] + t_e[i]·h_e[k])";

/// Σ_i Σ_k A(i, k)·`body` = Σ_e Σ_i Σ_k `EDGE`·`body`.
fn by_edges(h: &Context, body: &str) -> Proof {
    let one = format!("{EDGE}·{body}");
    let inner = sum_over(&swap(&with(h, "i")?, ("k", "n"), ("e", "E"), &one)?)?;
    let outer = swap(h, ("i", "n"), ("e", "E"), &format!("Σ_{{k<n}} {one}"))?;
    let goal = format!("Σ_{{i<n}} Σ_{{k<n}} A(i, k)·{body} = Σ_{{e<E}} Σ_{{i<n}} Σ_{{k<n}} {one}");
    show(h, &goal, &[("1", &[&inner]), ("1", &[&outer])])
}

/// Σ_i Σ_k s_i·s_k·`weight` = Σ_i s_i·(`weight` at k = i), s being h or t of the edge e.
fn hot(h: &Context, s: &str, weight: &str) -> Proof {
    let pair = &with(h, "i k")?;
    let one = given_at(pair, usize::from(s == "t"), "e i k")?;
    let goal = format!("{s}_e[i]·{s}_e[k]·{weight} = {s}_e[i]·𝟙[i=k]·{weight}");
    sum_over(&sum_over(&show(pair, &goal, &[(weight, &[&one])])?)?)
}

/// Σ_k Σ_e b(e, k)² = M.
fn twice_the_edges(h: &Context) -> Proof {
    let edge = &with(h, "e")?;
    let (same, once) = (given_at(edge, 3, "e")?, hot(edge, "h", "1")?);
    let parts: Parts<'_> = &[("(−2)·(Σ_{i<n} h_e[i])", &[&same]), ("2", &[&once])];
    let ends = format!("Σ_{{i<n}} Σ_{{k<n}} {EDGE}·1 = 2·(Σ_{{k<n}} h_e[k])");
    let ends = sum_over(&show(edge, &ends, parts)?)?;
    let parts: Parts<'_> = &[
        ("1", &[&size(h)?]),
        ("(−1)", &[&by_edges(h, "1")?]),
        ("(−1)", &[&ends]),
        ("(−1)", &[&given(h, 4)?]),
    ];
    show(h, "Σ_{k<n} Σ_{e<E} b(e, k)² = M", parts)
}

/// Σ_i Σ_k A(i, k)·Σ_c (w_i − w_k)² = 2·Σ_c Σ_e (Σ_l b(e, l)·w_l)².
pub(super) fn differences(h: &Context, w: Entry) -> Proof {
    let square = format!("({} − {})²", w("i"), w("k"));
    let body = format!("A(i, k)·{square}");
    let inner = sum_over(&swap(&with(h, "i")?, ("k", "n"), ("c", "n"), &body)?)?;
    let outer = swap(h, ("i", "n"), ("c", "n"), &format!("Σ_{{k<n}} {body}"))?;
    let column = &with(h, "c")?;
    let edges = by_edges(column, &square)?;
    let edge = &with(column, "e")?;
    let (both, first) = (format!("{}·{}", w("i"), w("k")), format!("{}²", w("i")));
    let same = given_at(edge, 3, "e")?;
    let all = |s: &str| format!("Σ_{{i<n}} {s}_e[i]·{first}");
    let parts: Parts<'_> = &[
        ("(−2)", &[&hot(edge, "h", &both)?]),
        ("2", &[&hot(edge, "h", &first)?]),
        (&format!("(−2)·({})", all("h")), &[&same]),
        ("(−2)", &[&hot(edge, "t", &both)?]),
        ("2", &[&hot(edge, "t", &first)?]),
        (&format!("2·({})", all("t")), &[&same]),
    ];
    let along = format!("(Σ_{{l<n}} b(e, l)·{})²", w("l"));
    let one = format!("Σ_{{i<n}} Σ_{{k<n}} {EDGE}·{square} = 2·{along}");
    let one = sum_over(&show(edge, &one, parts)?)?;
    let column = format!("Σ_{{i<n}} Σ_{{k<n}} {body} = 2·(Σ_{{e<E}} {along})");
    let column = show(&with(h, "c")?, &column, &[("1", &[&edges]), ("1", &[&one])])?;
    let goal = format!(
        "Σ_{{i<n}} Σ_{{k<n}} A(i, k)·(Σ_{{c<n}} {square}) = 2·(Σ_{{c<n}} Σ_{{e<E}} {along})"
    );
    let column = sum_over(&column)?;
    show(
        h,
        &goal,
        &[("1", &[&inner]), ("1", &[&outer]), ("1", &[&column])],
    )
}

fn gossip(h: &Context, goal: &Goal, w: Entry) -> Proof {
    let column = &with(h, "c")?;
    // What is left of the second moment: Σ_c Σ_k w_k·Σ_e r_k·(Σ_l s_l·w_l), for r and s the beginning or the end.
    let swapped = |r: &str, s: &str| {
        let (k, l) = (w("k"), w("l"));
        let body = format!("{k}·{r}_e[k]·(Σ_{{l<n}} {s}_e[l]·{l})");
        sum_over(&swap(column, ("k", "n"), ("e", "E"), &body)?)
    };
    let (count, apart) = (twice_the_edges(h)?, differences(h, w)?);
    let square = format!("({} − {})²", w("i"), w("k"));
    let whole = format!("(Σ_{{i<n}} Σ_{{k<n}} A(i, k)·(Σ_{{c<n}} {square}))");
    let parts: Parts<'_> = &[
        (&format!("(−1)·d·τ²·{whole}/(2·M)"), &[&count]),
        ("(−1)·d·τ²/2", &[&apart]),
        ("d·τ²", &[&swapped("h", "h")?]),
        ("d·τ²", &[&swapped("t", "t")?]),
        ("(−2)·d·τ²", &[&swapped("h", "t")?]),
    ];
    settle(h, goal, parts)
}

/// The same for NS: S is symmetric, so that NS is NSᵀ.
fn symmetric(h: &Context, goal: &Goal) -> Proof {
    let column = &with(&with_noise(h)?, "c")?;
    let entry = &with(column, "k")?;
    let same = given_at(entry, 5, "k c")?;
    let same = show(
        entry,
        "S_k[c]·X(k, z) = S_c[k]·X(k, z)",
        &[("X(k, z)", &[&same])],
    )?;
    let [row, turned] = ["S_k[c]", "S_c[k]"].map(|s| format!("(Σ_{{k<n}} {s}·X(k, z))"));
    let squares = show(
        column,
        &format!("{row}² = {turned}²"),
        &[(&format!("{row} + {turned}"), &[&sum_over(&same)?])],
    )?;
    let same = over_noise(h, &sum_over(&squares)?)?;
    let Goal::Eq(_, right) = goal else {
        return Err(Stuck::new("no equation"));
    };
    let left = term(
        h,
        "Σ_{j<d} 𝔼_{z∼N_{E}(0, τ²)}[Σ_{c<n} (Σ_{k<n} S_c[k]·X(k, z))²]",
    )?;
    let columns = gossip(h, &Goal::Eq(left, right.clone()), of_symmetric)?;
    settle(h, goal, &[("1", &[&columns]), ("d", &[&same])])
}

/// The proof of [`lemma_8a`].
pub fn prove_lemma_8a(statement: &Statement) -> Proof {
    each(
        statement,
        &[
            &|h, goal| gossip(h, goal, of_rows),
            &symmetric,
            &|h, goal| gossip(h, goal, of_columns),
        ],
    )
}
