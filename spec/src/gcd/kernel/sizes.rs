//! The two norms against each other, and sizes of terms against rates.

use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, exp_log, exp_sum, inverse, sum_over};
use dp_assay_kernel::search::exp::{
    exp_increases, exp_of_opposite, log_above, log_increases, log_not_negative,
};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sort, Statement};
use dp_assay_kernel::term::var;

/// `gcd-ineq-l1l2`: r and s are the norms ‖·‖_{M,1} and ‖·‖_{M,2}. What holds for every two vectors holds for the largest
/// distance R and the largest constants μ of strong convexity.
pub fn norms() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer p ≥ 1
           vector M ∈ ℝ^p, all > 0
           vector u ∈ ℝ^p
           real R ≥ 0
           real μ > 0
           real g
           define r := Σ_{j<p} √(M_j)·|u_j|
           define s := √(Σ_{j<p} M_j·u_j²)
         holds
           s² ≤ r²; r² ≤ p·s²; if r ≤ R: s² ≤ R²; if s ≤ R: r² ≤ p·R²; if (μ/2)·r² ≤ g: (μ/2)·s² ≤ \
               g; if (μ/2)·s² ≤ g: ((μ/p)/2)·r² ≤ g",
    )
}

/// s² ≤ r²: √M_i|u_i| is at most the sum of all.
fn smaller(h: &Context) -> Proof {
    let i = &h.extended(item("i", Sort::Index(var("p"))))?;
    let k = &i.extended(item("k", Sort::Index(var("p"))))?;
    let rest = "𝟙[k=i]·√(M_k)·|u_k| ≤ √(M_k)·|u_k|";
    let rest = show(k, rest, &[("(1 − 𝟙[k=i])²·√(M_k)·|u_k|", &[])])?;
    let all = sum_over(&rest)?;
    let one = "M_i·u_i² ≤ √(M_i)·|u_i|·r";
    let one = sum_over(&show(i, one, &[("√(M_i)·|u_i|", &[&all])])?)?;
    show(h, "s² ≤ r²", &[("1", &[&one])])
}

/// r² ≤ p·s²: the squares of the distances to the mean.
fn larger(h: &Context) -> Proof {
    let spread = "p·(Σ_{j<p} (√(M_j)·|u_j| − r/p)²)";
    show(h, "r² ≤ p·s²", &[(spread, &[])])
}

/// The proof of [`norms`], or of a statement with other constants.
pub fn prove_norms(statement: &Statement) -> Proof {
    let last = |h: &Context| given(h, 0);
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[("1", &[&smaller(h)?])]),
            &|h, goal| settle(h, goal, &[("1", &[&larger(h)?])]),
            &|h, goal| settle(h, goal, &[("1", &[&smaller(h)?]), ("R + r", &[&last(h)?])]),
            &|h, goal| {
                settle(
                    h,
                    goal,
                    &[("1", &[&larger(h)?]), ("p·(R + s)", &[&last(h)?])],
                )
            },
            &|h, goal| settle(h, goal, &[("μ/2", &[&smaller(h)?]), ("1", &[&last(h)?])]),
            &|h, goal| settle(h, goal, &[("μ/(2·p)", &[&larger(h)?]), ("1", &[&last(h)?])]),
        ],
    )
}

/// `gcd-thm-4.7-proof-alpha`: with the scale λ of Theorem 4.2, l = log(1/δ), g = log(8Tp/ζ), L and M being L_max and M_min.
pub fn proof_alpha() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer p ≥ 1
           integer T ≥ 1
           integer s ≥ 1
           integer τ ≥ 1
           real ε > 0
           real ζ > 0
           real l > 0
           real g > 0
           real L > 0
           real M > 0
           real μ > 0
           real C > 0
           real k > 0
           real α
           assume g = log(8·T·p/ζ)
           assume 1 ≤ l
           assume 1 ≤ g
           assume (s + τ)/μ ≤ T
           assume α² ≤ C·L²·(s + τ)/(M·μ²·p·n²·ε²)
           define λ := (8·L/(n·ε))·√(T·l)
           define β := (2·λ²/M)·g²
         holds
           (k/8)·(p − τ)·α² ≤ (C/1024)·k·β/μ",
    )
}

/// The proof of [`proof_alpha`], or of a statement with other constants.
pub fn prove_proof_alpha(statement: &Statement) -> Proof {
    let h = &statement.context;
    let (log, other) = (given(h, 1)?, given(h, 2)?);
    let (rounds, small) = (given(h, 3)?, given(h, 4)?);
    let unit = "(k/8)·C·L²/(M·μ·n²·ε²)";
    let parts: &[(&str, &[&Theorem])] = &[
        ("(k/8)·p", &[&small]),
        (unit, &[&rounds]),
        (&format!("{unit}·T·g²"), &[&log]),
        (&format!("{unit}·T·(g + 1)"), &[&other]),
    ];
    settle(h, &statement.goal, parts)
}

/// `gcd-disc-l1-asi`, x being nε.
pub fn asi() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer p ≥ 1
           real ε > 0
           real l > 0
           assume l = log(p)
           assume 3 ≤ p
           assume 1 ≤ n·ε
         holds
           l/(n·ε)² ≤ exp((4/3)·log(l))/exp((4/3)·log(n·ε))",
    )
}

/// The proof of [`asi`], or of a statement with a larger power: both logarithms are at least 0, as log 3 ≥ 1.
pub fn prove_asi(statement: &Statement) -> Proof {
    let h = &statement.context;
    let (named, many, records) = (given(h, 0)?, given(h, 1)?, given(h, 2)?);
    let three = log_above(h, &3.into(), &1.into(), 6)?;
    let most = log_increases(&many)?;
    let one: &[(&str, &[&Theorem])] = &[("1", &[&three]), ("1", &[&most]), ("(−1)", &[&named])];
    let of_log = log_not_negative(&show(h, "1 ≤ l", one)?)?;
    let of_records = log_not_negative(&records)?;
    let (a, b) = ("log(l) − 2·log(n·ε)", "(4/3)·log(l) − (4/3)·log(n·ε)");
    let order = &[("1/3", &[&of_log] as &[&Theorem]), ("2/3", &[&of_records])];
    let order = exp_increases(&show(h, &format!("{a} ≤ {b}"), order)?)?;
    let of = |t: &str| term(h, t);
    // The right side is exp(b), and l/(n·ε)² is exp(a).
    let right = exp_sum(h, &of("(4/3)·log(l)")?, &of("0 − (4/3)·log(n·ε)")?)?;
    let unit = exp_of_opposite(h, &of("(4/3)·log(n·ε)")?)?;
    let left = exp_sum(h, &of("log(l)")?, &of("0 − 2·log(n·ε)")?)?;
    let minus = of("0 − log(n·ε)")?;
    let double = exp_sum(h, &minus, &minus)?;
    let (of_l, of_x) = (exp_log(h, &var("l"))?, exp_log(h, &of("n·ε")?)?);
    let whole = exp_of_opposite(h, &of("log(n·ε)")?)?;
    let e = "exp(0 − log(n·ε))";
    let gap = format!("l·(1/(n·ε) + {e})/(n·ε)");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&order]),
        ("1", &[&right]),
        ("(−1)·exp((4/3)·log(l))/exp((4/3)·log(n·ε))", &[&unit]),
        ("(−1)", &[&left]),
        ("(−1)·exp(0 − 2·log(n·ε))", &[&of_l]),
        ("(−1)·l", &[&double]),
        (&gap, &[&whole]),
        (&format!("{gap}·{e}"), &[&of_x]),
    ];
    settle(h, &statement.goal, parts)
}

/// `gcd-thm-4.4-cvx-T`: t and T are the appendix's and the proof's number of rounds, c is 2^{7/3}, l is log(1/δ).
pub fn rounds() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           real ε > 0
           real R > 0
           real M > 0
           real L > 0
           real l > 0
           real X > 0
           real t > 0
           real T > 0
           real c > 0
           assume c³ = 128
           assume X³ = n²·ε²·R²·M/(L²·l)
           assume t³ = n²·ε²·R²·M/(128·L²·l)
           assume T³ = n²·ε²·R²·M/(64·L²·l)
         holds
           t = X/c; T = X/4",
    )
}

/// The proof of [`rounds`], or of a statement with other constants: y − x = (y³ − x³)/(y² + y·x + x²).
pub fn prove_rounds(statement: &Statement) -> Proof {
    let h = &statement.context;
    let (named, large) = (given(h, 0)?, given(h, 1)?);
    let by = |goal: &_, y: &str, x: &str, cube: &[(&str, &[&Theorem])]| {
        let cubes = show(h, &format!("{x}³ = ({y})³"), cube)?;
        let squares = format!("({y})² + ({y})·{x} + {x}²");
        let whole = inverse(h, &term(h, &squares)?)?;
        let parts: &[(&str, &[&Theorem])] = &[
            (&format!("{y} − {x}"), &[&whole]),
            (&format!("1/({squares})"), &[&cubes]),
        ];
        settle(h, goal, parts)
    };
    each(
        statement,
        &[
            &|_, goal| {
                let cube: &[(&str, &[&Theorem])] = &[
                    ("1", &[&given(h, 2)?]),
                    ("(−1)/128", &[&large]),
                    ("X³/(128·c³)", &[&named]),
                ];
                by(goal, "X/c", "t", cube)
            },
            &|_, goal| {
                let cube: &[(&str, &[&Theorem])] =
                    &[("1", &[&given(h, 3)?]), ("(−1)/64", &[&large])];
                by(goal, "X/4", "T", cube)
            },
        ],
    )
}

/// `gcd-cost`: u is the cost of one partial derivative of one record, and nothing is kept between steps. G is the cost of a full gradient and of
/// an iteration of DP-GCD, C and S those of an iteration of DP-CD and of DP-SGD.
pub fn iterations() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer p ≥ 1
           real u > 0
           define G := Σ_{i<n} Σ_{j<p} u
           define C := Σ_{i<n} u
           define S := Σ_{j<p} u
         holds
           G = p·C; G = n·S",
    )
}

/// The proof of [`iterations`].
pub fn prove_iterations(statement: &Statement) -> Proof {
    let count: &dyn Fn(&Context, &Goal) -> Proof = &|h, goal| settle(h, goal, &[]);
    each(statement, &[count, count])
}
