//! The star with Metropolis–Hastings weights.
//!
//! The centre is o. A(k, l) is 1 for an edge and else 0, δ(k) the degree of k; W(k, l) is 1/(1 + max{δ(k), δ(l)}) for an edge, which the
//! first two goals say, and what is left of 1 for l = k.

use crate::moved::written::{Proof, each, given, given_for, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, counted, instance, larger, largest, sum_over};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sort, Statement};
use dp_assay_kernel::term::var;

/// `decor-drv-9`: r is p, below which no number is, if the third goal holds with it; e and l are two leaves. The last is H, as it is
/// printed, M being the number of ordered pairs with an edge.
pub fn statement() -> Result<Statement, Stuck> {
    let mixes = "Σ_{c<n} (Σ_{k<n} (W(k, c) − 1/n)·u_k)²";
    let apart = "(Σ_{k<n} (u_k − (Σ_{k<n} u_k)/n)²)";
    render::parse(&format!(
        "for all
           integer n ≥ 1
           assume 3 ≤ n
           index o<n
           index e<n
           index l<n
           assume for every index k<n: 𝟙[k=e]·𝟙[k=o] = 0
           assume for every index k<n: 𝟙[k=l]·𝟙[k=o] = 0
           assume for every index k<n: 𝟙[k=e]·𝟙[k=l] = 0
           define A(i<n, k<n) := 𝟙[i=o]·(1 − 𝟙[k=o]) + 𝟙[k=o]·(1 − 𝟙[i=o])
           define δ(i<n) := Σ_{{k<n}} A(i, k)
           define W(i<n, k<n) := A(i, k)/n + 𝟙[i=k]·(1 − δ(k)/n)
           real M > 0
           assume M = Σ_{{i<n}} Σ_{{k<n}} A(i, k)
           real r
         holds
           for every index i<n: for every index k<n: A(i, k)·(1 + max(δ(i), δ(k))) ≤ A(i, k)·n; \
           for every index i<n: for every index k<n: A(i, k)·n ≤ A(i, k)·(1 + max(δ(i), δ(k))); \
               for every vector u ∈ ℝ^n: {mixes} ≤ (1 − (2·n − 1)/n²)·{apart}; if for every vector u ∈ \
               ℝ^n: {mixes} ≤ (1 − r)·{apart}: r ≤ (2·n − 1)/n²; (Σ_{{i<n}} Σ_{{k<n}} A(i, \
               k)·(Σ_{{c<n}} (W(i, c) − W(k, c))²))/(2·M) = (1/2)·((1 − 2/n)² + (n − 2)/n²)"
    ))
}

/// No degree is above n − 1, and that of the centre is.
fn degrees(h: &Context, goal: &Goal, second: bool) -> Proof {
    let many = given(h, 0)?;
    let low = |i: &str| {
        show(
            h,
            &format!("δ({i}) ≤ n − 1"),
            &[
                (&format!("(1 − 𝟙[{i}=o])²"), &[&many]),
                (&format!("(1 − 𝟙[{i}=o])²"), &[]),
            ],
        )
    };
    let [i, k] = ["δ(i)", "δ(k)"].map(|t| term(h, t));
    let (i, k) = (i?, k?);
    let (of_i, of_k) = ("𝟙[i=o]·(1 − 𝟙[k=o])²", "𝟙[k=o]·(1 − 𝟙[i=o])²");
    if second {
        let above = |second| larger(h, &i, &k, second);
        return settle(
            h,
            goal,
            &[(of_i, &[&above(false)?]), (of_k, &[&above(true)?])],
        );
    }
    let most = largest(&low("i")?, &low("k")?)?;
    settle(h, goal, &[(of_i, &[&most]), (of_k, &[&most])])
}

/// With D = u − ū the centre's row gives 0 and that of c gives (1 − 1/n)·D_c + D_o/n, and the D_c add up to 0: what is left is D_o²·(n − 1)/n.
fn contracts(h: &Context, goal: &Goal) -> Proof {
    let one = counted(h, &var("n"))?;
    let square = "(u_o − (Σ_{k<n} u_k)/n)²/n";
    settle(h, goal, &[(square, &[&one])])
}

/// u with 1 at e and −1 at l is stretched by 1 − 1/n.
fn sharp(h: &Context, goal: &Goal) -> Proof {
    let unit = "⟨𝟙[ι=e] − 𝟙[ι=l] : ι<n⟩";
    let told = instance(h, &given(h, 5)?, &term(h, unit)?)?;
    let c = &h.extended(item("q", Sort::Index(var("n"))))?;
    let of = |n: usize, k: &str| given_for(c, n, &[k]);
    let row = format!("(Σ_{{ϑ<n}} (W(ϑ, q) − 1/n)·{unit}[ϑ])");
    let mixed = "(1 − 1/n)·(𝟙[q=e] − 𝟙[q=l])";
    let parts: &[(&str, &[&Theorem])] = &[
        ("(2·𝟙[q=o] − 1)/n", &[&of(1, "e")?]),
        ("(1 − 2·𝟙[q=o])/n", &[&of(2, "l")?]),
        ("(n − 2)/n", &[&of(1, "q")?]),
        ("(2 − n)/n", &[&of(2, "q")?]),
    ];
    let same = show(c, &format!("{mixed} = {row}"), parts)?;
    let squares = format!("({mixed})² = {row}²");
    let squares = show(c, &squares, &[(&format!("{mixed} + {row}"), &[&same])])?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1/2", &[&told]),
        ("1/2", &[&sum_over(&squares)?]),
        ("r − (2·n − 1)/n²", &[&given_for(h, 3, &["e"])?]),
    ];
    settle(h, goal, parts)
}

/// The proof of [`statement`], or of a statement with weaker constants.
pub fn prove(statement: &Statement) -> Proof {
    each(
        statement,
        &[
            &|h, goal| degrees(h, goal, false),
            &|h, goal| degrees(h, goal, true),
            &contracts,
            &sharp,
            &|h, goal| {
                let all = "(−1)·((1 − 2/n)² + (n − 2)/n²)/(2·M)";
                settle(h, goal, &[(all, &[&given(h, 4)?])])
            },
        ],
    )
}
