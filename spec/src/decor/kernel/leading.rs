//! Leading terms of Theorem 2's bounds: what they tend to, and that with σ_cor².

use crate::moved::written::{Proof, each, given_for, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, counted, root_increases, sum_over};
use dp_assay_kernel::search::exp::{log_increases, log_not_negative, log_product, log_tangent};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Sort, Statement};
use dp_assay_kernel::term::var;

/// `decor-rem-rates`: A is the bound of `decor-thm-2a-repaired` and B that of `decor-thm-2b`, l is L_0 and Ξ is Ξ_0. With all but T fixed
/// what stands beside the limits is a number over √T.
pub fn rates() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer T ≥ 1
           real L > 0
           real μ > 0
           real p > 0
           real c > 0
           real l > 0
           real Ξ ≥ 0
           real Q > 0
           real R ≥ 0
           define A := 512·L·Q/(μ²·n·T) + (log(T + 1)/T²)·(49152·L²/(μ³·p))·R + \
               256·c²·L²·l/(μ²·p²·T²) + 768·c·L³·Ξ/(μ²·p²·T²)
           define B := 12·√(L·l·Q/(n·T)) + 16·c·L·l/(p·T) + 24·L²·Ξ/(p·T) + (96·L·l·n/(p·T·Q))·R
         holds
           512·L·Q/(μ²·n) ≤ T·A; T·A ≤ 512·L·Q/(μ²·n) + (2·(49152·L²/(μ³·p))·R + \
               256·c²·L²·l/(μ²·p²) + 768·c·L³·Ξ/(μ²·p²))/√(T); 12·√(L·l·Q/n) ≤ √(T)·B; √(T)·B ≤ \
               12·√(L·l·Q/n) + (16·c·L·l/p + 24·L²·Ξ/p + (96·L·l·n/(p·Q))·R)/√(T)",
    )
}

/// log(T + 1) ≤ 2·√T, as T + 1 ≤ (√T + 1)²; and 1 ≤ √T.
fn sizes(h: &Context) -> Result<[Theorem; 2], Stuck> {
    let root = root_increases(&counted(h, &var("T"))?)?;
    let root = show(h, "1 ≤ √(T)", &[("1", &[&root])])?;
    let square = log_increases(&show(h, "T + 1 ≤ (√(T) + 1)·(√(T) + 1)", &[])?)?;
    let one = term(h, "√(T) + 1")?;
    let ([_, twice], above) = (log_product(h, &one, &one)?, log_tangent(h, &one)?);
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&square]), ("1", &[&twice]), ("2", &[&above])];
    Ok([show(h, "log(T + 1) ≤ 2·√(T)", parts)?, root])
}

/// √T·√(LlQn) is √(LlQnT), as two inequalities.
fn roots(h: &Context) -> Result<[Theorem; 2], Stuck> {
    let (whole, parts) = ("L·l·Q·n·T", "(√(T)·√(L·l·Q·n))²");
    let order = |low: &str, high: &str| root_increases(&show(h, &format!("{low} ≤ {high}"), &[])?);
    Ok([order(parts, whole)?, order(whole, parts)?])
}

/// The proof of [`rates`], or of a statement with other constants.
pub fn prove_rates(statement: &Statement) -> Proof {
    let h = &statement.context;
    let ([log, root], [low, high]) = (sizes(h)?, roots(h)?);
    let least = log_not_negative(&show(h, "1 ≤ T + 1", &[])?)?;
    each(
        statement,
        &[
            &|_, goal| settle(h, goal, &[("(49152·L²/(μ³·p))·R/T", &[&least])]),
            &|_, goal| {
                let start = "(256·c²·L²·l/(μ²·p²) + 768·c·L³·Ξ/(μ²·p²))/T";
                settle(
                    h,
                    goal,
                    &[("(49152·L²/(μ³·p))·R/T", &[&log]), (start, &[&root])],
                )
            },
            &|_, goal| settle(h, goal, &[("12·√(T)/(T·n)", &[&low])]),
            &|_, goal| settle(h, goal, &[("12·√(T)/(T·n)", &[&high])]),
        ],
    )
}

/// `decor-eq-12`: A says which users are neighbours, M is 2|E|, τ² is σ_cor² and S the term with σ_cor² of the bound of
/// `decor-thm-2a-repaired`.
pub fn of_edges() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           integer T ≥ 1
           real L > 0
           real μ > 0
           real p > 0
           real τ ≥ 0
           sequence A in ℝ^n
           sequence W in ℝ^n
           real M > 0
           assume M = Σ_{i<n} Σ_{k<n} A_i[k]
           define E := M/2
           define H := (Σ_{i<n} Σ_{k<n} A_i[k]·(Σ_{c<n} (W_i[c] − W_k[c])²))/(2·M)
           define S := (log(T + 1)/T²)·(49152·L²/(μ³·p))·(2·H·E·d·τ²/n)
         holds
           S = (98304·L²/(μ³·p))·log(T + 1)·(H·E·d·τ²/(n·T²)); if for every index k<n: for every \
               index c<n: W_k[c] = 1/n: S = 0",
    )
}

/// The proof of [`of_edges`].
pub fn prove_of_edges(statement: &Statement) -> Proof {
    each(
        statement,
        &[&|h, goal| settle(h, goal, &[]), &|h, goal| {
            let with = |h: &Context, x: &str| h.extended(item(x, Sort::Index(var("n"))));
            let c = &with(&with(&with(h, "q")?, "r")?, "s")?;
            let [one, other] = ["q", "r"].map(|k| given_for(c, 1, &[k, "s"]));
            let apart = "A_q[r]·(W_q[s] − W_r[s])";
            let minus = format!("(−1)·{apart}");
            let none = "A_q[r]·(W_q[s] − W_r[s])² = 0";
            let none = show(c, none, &[(apart, &[&one?]), (&minus, &[&other?])])?;
            let none = sum_over(&sum_over(&sum_over(&none)?)?)?;
            let share = "(log(T + 1)/T²)·(49152·L²/(μ³·p))·(d·τ²/n)/2";
            settle(h, goal, &[(share, &[&none])])
        }],
    )
}
