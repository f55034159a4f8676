//! The functions of Theorem 7: a linear function and a square that goes on like a cone.

use super::gradients::cauchy;
use super::regularised::shorter;
use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, exchange, instance, larger, largest, root_increases, sum_over,
};
use dp_assay_kernel::search::item;
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::statement::{Context, Sort, Statement};
use dp_assay_kernel::term::var;

/// `kl-thm-7-inst-repaired`: b says which R of the n rows are not 0, H is written with M(w) = max(‖w‖, 4D), and its gradient at w is (8D/M(w))·w. A convex
/// function is smooth if it is at most its tangent and half the constant times the squared distance.
pub fn statement() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           integer R ≥ 1
           assume R ≤ n
           real D > 0
           real L₀ > 0
           define λ := R·L₀/(2·n·D)
           sequence x in ℝ^d
           vector b ∈ ℝ^n, all ≥ 0
           assume for every index i<n: b_i² = b_i
           assume Σ_{i<n} b_i = R
           assume for every index i<n: for every index j<d: x_i[j]² = b_i·L₀²/d
           define M(w∈ℝ^d) := max(‖w‖, 4·D)
           define H(w∈ℝ^d) := ‖w‖² − (M(w) − 4·D)²
           define f(w∈ℝ^d, y∈ℝ^d) := (Σ_{j<d} w_j·y_j) + λ·H(w)
           define F(w∈ℝ^d) := (Σ_{i<n} f(w, x_i))/n
           define m(j<d) := (−1)·(Σ_{l<n} x_l[j])/(2·n·λ)
           vector w ∈ ℝ^d
           vector v ∈ ℝ^d
           index k<n
         holds
           if ‖w‖ ≤ 4·D: H(w) ≤ ‖w‖²; if ‖w‖ ≤ 4·D: ‖w‖² ≤ H(w); if 4·D ≤ ‖w‖: H(w) ≤ 8·D·‖w‖ − \
               16·D²; if 4·D ≤ ‖w‖: 8·D·‖w‖ − 16·D² ≤ H(w); F(w) + Σ_{j<d} ((Σ_{i<n} x_i[j])/n + \
               λ·(8·D/M(w))·w_j)·(v_j − w_j) ≤ F(v); f(w, x_k) + Σ_{j<d} (x_k[j] + \
               λ·(8·D/M(w))·w_j)·(v_j − w_j) ≤ f(v, x_k); f(v, x_k) ≤ (f(w, x_k) + Σ_{j<d} (x_k[j] \
               + λ·(8·D/M(w))·w_j)·(v_j − w_j)) + (R·L₀/(n·D)/2)·(Σ_{j<d} (v_j − w_j)²); f(w, x_k) \
               ≤ f(v, x_k) + 5·L₀·‖⟨w_j − v_j : j<d⟩‖; F(⟨m(j) : j<d⟩) ≤ F(v); ‖⟨m(j) : j<d⟩‖ ≤ D",
    )
}

/// What is known of the norm r of a vector and of max(r, 4D), where r ≤ 4D (`true`) or 4D ≤ r: that r or 4D is at most the larger, and
/// that this is at most the other.
struct Size {
    r: String,
    top: String,
    /// r ≤ M and 4D ≤ M.
    up: [Theorem; 2],
    /// M ≤ 4D, or M ≤ r.
    down: Theorem,
    case: Theorem,
}

impl Size {
    fn of(h: &Context, w: &str, case: &Theorem, small: bool) -> Result<Self, Stuck> {
        let r = format!("‖{w}‖");
        let [a, b] = [false, true].map(|second| larger(h, &term(h, &r)?, &term(h, "4·D")?, second));
        let up = [a?, b?];
        let same = |t: &str| show(h, &format!("{t} ≤ {t}"), &[]);
        let down = match small {
            true => largest(case, &same("4·D")?)?,
            false => largest(&same(&r)?, case)?,
        };
        let top = format!("max({r}, 4·D)");
        let case = case.clone();
        Ok(Self {
            r,
            top,
            up,
            down,
            case,
        })
    }

    /// In both cases.
    fn cases(h: &Context, w: &str, prove: &dyn Fn(&Context, Self, bool) -> Proof) -> Proof {
        let both = [term(h, &format!("‖{w}‖"))?, term(h, "4·D")?];
        either(h, [&both[0], &both[1]], |h, case, small| {
            prove(h, Self::of(h, w, case, small)?, small)
        })
    }
}

/// (max(‖v‖, 4D) − 4D)² ≤ (‖v‖ − c)² for c = ‖w‖ ≤ 4D or c = 4D.
fn excess(h: &Context, v: &str, c: &str, order: Option<&Theorem>) -> Proof {
    Size::cases(h, v, &|h, s, small| {
        let (top, r) = (&s.top, &s.r);
        let goal = format!("({top} − 4·D)² ≤ ({r} − {c})²");
        let [_, low] = &s.up;
        if small {
            let slack = format!("({r} − {c})²");
            return show(h, &goal, &[("1", &[low, &s.down]), (&slack, &[])]);
        }
        let facts: Vec<&Theorem> = [&s.down].into_iter().chain(order).collect();
        let parts: Vec<(&str, &[&Theorem])> = facts.chunks(1).map(|fact| ("1", fact)).collect();
        let first = show(h, &format!("{top} − 4·D ≤ {r} − {c}"), &parts)?;
        let second = show(h, &format!("0 ≤ {top} − 4·D"), &[("1", &[low])])?;
        show(
            h,
            &goal,
            &[("1", &[&first, &first]), ("2", &[&first, &second])],
        )
    })
}

/// H(w) + (8D/M(w))·⟨w, v − w⟩ ≤ H(v).
fn above_tangent(h: &Context, w: &str, v: &str) -> Proof {
    let product = cauchy(h, w, v)?;
    let slope =
        |w: &str, v: &str, top: &str| format!("(8·D/{top})·(Σ_{{j<d}} {w}[j]·({v}[j] − {w}[j]))");
    Size::cases(h, w, &|h, s, small| {
        let (r, top) = (&s.r, &s.top);
        let t = format!("‖{v}‖");
        let far = format!("max({t}, 4·D)");
        let goal = format!(
            "{r}² − ({top} − 4·D)² + {} ≤ {t}² − ({far} − 4·D)²",
            slope(w, v, top)
        );
        let [own, low] = &s.up;
        let cross = format!("8·D/{top}");
        if small {
            let less = excess(h, v, r, Some(&s.case))?;
            let parts: &[(&str, &[&Theorem])] = &[
                (&cross, &[&product]),
                ("1", &[&less]),
                (&format!("2·{r}·{t}/{top}"), &[low]),
                (&format!("2·{r}²/{top}"), &[&s.down]),
                (&format!("({top} − 4·D)²"), &[]),
            ];
            return show(h, &goal, parts);
        }
        let less = excess(h, v, "4·D", None)?;
        let parts: &[(&str, &[&Theorem])] = &[
            (&cross, &[&product]),
            ("1", &[&less]),
            (&format!("8·D·{t}/{top}"), &[own]),
            (&format!("8·D·{r}/{top}"), &[&s.down]),
            ("1", &[own, low]),
            ("1", &[own, &s.case]),
        ];
        show(h, &goal, parts)
    })
}

/// H(v) ≤ H(w) + (8D/M(w))·⟨w, v − w⟩ + ‖v − w‖².
fn below_parabola(h: &Context) -> Proof {
    let product = cauchy(h, "w", "v")?;
    let far = "max(‖v‖, 4·D)";
    let up = larger(h, &term(h, "‖v‖")?, &term(h, "4·D")?, false)?;
    Size::cases(h, "w", &|h, s, small| {
        let top = &s.top;
        let goal = format!(
            "‖v‖² − ({far} − 4·D)² ≤ ‖w‖² − ({top} − 4·D)² + (8·D/{top})·(Σ_{{j<d}} w_j·(v_j − \
                w_j)) + Σ_{{j<d}} (v_j − w_j)²"
        );
        let [own, low] = &s.up;
        let unit = format!("2/{top}");
        let slack = format!("({far} − 4·D)²");
        let cross = format!("2·‖w‖·‖v‖/{top}");
        if small {
            let parts: &[(&str, &[&Theorem])] = &[
                (&unit, &[low, &product]),
                (&format!("2·‖w‖²/{top}"), &[low]),
                (&cross, &[&s.down]),
                ("1", &[low, &s.down]),
                (&slack, &[]),
            ];
            return show(h, &goal, parts);
        }
        let square = format!("({top} − {far})²");
        let parts: &[(&str, &[&Theorem])] = &[
            (&unit, &[low, &product]),
            (&format!("2·‖w‖/{top}"), &[low, &s.down]),
            (&format!("2·‖v‖/{top}"), &[low, own]),
            ("2", &[low, &s.down]),
            ("2", &[low, &up]),
            (&square, &[]),
        ];
        show(h, &goal, parts)
    })
}

/// ‖x_k‖ ≤ b_k·L₀, in a context with the index k.
fn row(h: &Context, k: &str) -> Proof {
    let j = &h.extended(item("j", Sort::Index(var("d"))))?;
    let of_k = instance(h, &given(h, 3)?, &var(k))?;
    let square = sum_over(&instance(j, &of_k, &var("j"))?)?;
    let unit = instance(h, &given(h, 1)?, &var(k))?;
    let goal = format!("‖x_{k}‖² ≤ (b_{k}·L₀)²");
    root_increases(&show(
        h,
        &goal,
        &[("1", &[&square]), ("(−1)·L₀²", &[&unit])],
    )?)
}

/// Σ_i Σ_j y_j·x_i[j] = Σ_j Σ_i y_j·x_i[j].
fn swapped(h: &Context, entry: &str) -> Proof {
    let inner = h.extended(item("i", Sort::Index(var("n"))))?;
    let inner = inner.extended(item("j", Sort::Index(var("d"))))?;
    let body = term(&inner, &format!("({entry})·x_i[j]"))?;
    exchange(h, ("i", &var("n")), ("j", &var("d")), &body)
}

/// ‖Σ_i x_i‖ ≤ R·L₀: its square is Σ_i ⟨Σ_l x_l, x_i⟩.
fn rows(h: &Context) -> Proof {
    let e = &h.extended(item("e", Sort::Index(var("n"))))?;
    let y = "⟨Σ_{l<n} x_l[j] : j<d⟩";
    let product = cauchy(e, y, "x_e")?;
    let near = row(e, "e")?;
    let one = format!("Σ_{{j<d}} (Σ_{{l<n}} x_l[j])·x_e[j] ≤ ‖{y}‖·L₀·b_e");
    let all = sum_over(&show(
        e,
        &one,
        &[("1", &[&product]), (&format!("‖{y}‖"), &[&near])],
    )?)?;
    let swapped = swapped(h, "Σ_{l<n} x_l[j]")?;
    let count = given(h, 2)?;
    let square = format!("‖{y}‖² ≤ (R·L₀)·‖{y}‖");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&all]),
        ("(−1)", &[&swapped]),
        (&format!("‖{y}‖·L₀"), &[&count]),
    ];
    let square = show(h, &square, parts)?;
    shorter(h, &format!("‖{y}‖"), "R·L₀", &square)
}

/// The proof of [`statement`].
pub fn prove(statement: &Statement) -> Proof {
    let h = &statement.context;
    let (tangent, parabola) = (above_tangent(h, "w", "v")?, below_parabola(h)?);
    let lambda = "R·L₀/(2·n·D)";
    let own = |h: &Context, small: bool| {
        let case = given(h, 4)?;
        Size::of(h, "w", &case, small)
    };
    let near = |h: &Context| {
        let (all, y) = (rows(h)?, "⟨Σ_{l<n} x_l[j] : j<d⟩");
        let square = format!("(R·L₀/D)²·‖⟨m(j) : j<d⟩‖² ≤ ‖{y}‖²");
        let square = show(h, &square, &[])?;
        let goal = "‖⟨m(j) : j<d⟩‖² ≤ D²";
        let parts: &[(&str, &[&Theorem])] = &[
            ("D²/(R·L₀)²", &[&square]),
            (&format!("D²·(R·L₀ + ‖{y}‖)/(R·L₀)²"), &[&all]),
        ];
        root_increases(&show(h, goal, parts)?)
    };
    each(
        statement,
        &[
            &|h, goal| {
                let s = own(h, true)?;
                settle(h, goal, &[(&format!("({} − 4·D)²", s.top), &[])])
            },
            &|h, goal| {
                let s = own(h, true)?;
                settle(h, goal, &[("1", &[&s.up[1], &s.down])])
            },
            &|h, goal| {
                let s = own(h, false)?;
                settle(
                    h,
                    goal,
                    &[("1", &[&s.up[0], &s.up[1]]), ("1", &[&s.up[0], &s.case])],
                )
            },
            &|h, goal| {
                let s = own(h, false)?;
                settle(
                    h,
                    goal,
                    &[("1", &[&s.down, &s.up[1]]), ("1", &[&s.down, &s.case])],
                )
            },
            &|h, goal| {
                let (w, v) = (swapped(h, "w_j")?, swapped(h, "v_j")?);
                settle(
                    h,
                    goal,
                    &[(lambda, &[&tangent]), ("1/n", &[&w]), ("(−1)/n", &[&v])],
                )
            },
            &|h, goal| settle(h, goal, &[(lambda, &[&tangent])]),
            &|h, goal| settle(h, goal, &[(lambda, &[&parabola])]),
            &|h, goal| {
                let gap = "⟨w_j − v_j : j<d⟩";
                let products = [cauchy(h, "w", gap)?, cauchy(h, gap, "x_k")?];
                let (size, few) = (row(h, "k")?, given(h, 0)?);
                let one = instance(h, &given(h, 1)?, &var("k"))?;
                let top = larger(h, &term(h, "‖w‖")?, &term(h, "4·D")?, false)?;
                let parts: &[(&str, &[&Theorem])] = &[
                    (lambda, &[&tangent]),
                    (&format!("({lambda})·(8·D/max(‖w‖, 4·D))"), &[&products[0]]),
                    ("1", &[&products[1]]),
                    (&format!("‖{gap}‖"), &[&size]),
                    (&format!("({lambda})·(8·D/max(‖w‖, 4·D))·‖{gap}‖"), &[&top]),
                    (&format!("4·L₀·‖{gap}‖/n"), &[&few]),
                    (&format!("L₀·‖{gap}‖·(1 − b_k)²"), &[]),
                    (&format!("L₀·‖{gap}‖"), &[&one]),
                ];
                settle(h, goal, parts)
            },
            &|h, goal| {
                let m = "⟨m(j) : j<d⟩";
                let near = near(h)?;
                let case = show(h, &format!("‖{m}‖ ≤ 4·D"), &[("1", &[&near])])?;
                let s = Size::of(h, m, &case, true)?;
                let (tangent, product) = (above_tangent(h, m, "v")?, cauchy(h, m, "v")?);
                let unit = format!("2·({lambda})/{}", s.top);
                let (w, v) = (swapped(h, "m(j)")?, swapped(h, "v_j")?);
                let parts: &[(&str, &[&Theorem])] = &[
                    (lambda, &[&tangent]),
                    ("1/n", &[&w]),
                    ("(−1)/n", &[&v]),
                    (&unit, &[&s.up[1], &product]),
                    (&format!("{unit}·‖{m}‖·‖v‖"), &[&s.down]),
                    (&format!("{unit}·‖{m}‖²"), &[&s.up[1]]),
                ];
                settle(h, goal, parts)
            },
            &|h, goal| settle(h, goal, &[("1", &[&near(h)?])]),
        ],
    )
}
