//! The recursion of Theorem 2's first part: the value V_t, and the step sizes for which the lemmas hold.

use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, inverse, larger, largest, root_increases};
use dp_assay_kernel::statement::{Context, Goal, Statement};

/// `decor-thm-2a-V`: X, Ξ and η are E L(x̄) − L_*, the distance to consensus and the step size, Y, Z, ζ and U those
/// of the next round, G is E‖∇L(x̄)‖², Q and R the constants of Lemmas 7 and 9, whose conclusions are supposed, and q is 1 − p.
pub fn value() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           real L > 0
           real μ > 0
           real p > 0
           real q ≥ 0
           assume q = 1 − p
           real P ≥ 0
           real M ≥ 0
           real Q ≥ 0
           real R ≥ 0
           real η > 0
           real ζ > 0
           assume ζ ≤ η
           assume (6·L²/p)·η²·q·(3·P/p + M) ≤ 1/8
           real X ≥ 0
           real Y
           real G ≥ 0
           real Ξ ≥ 0
           real Z ≥ 0
           assume Y ≤ X − (η/4)·G + (3·η·L²/4)·Ξ + (L·η²/2)·(Q/n)
           assume Z ≤ (1 − p/2)·Ξ + 2·η²·q·(3·P/p + M)·G + η²·R
           define A := L·Q/(2·n)
           define B := 3·L²·R/p
           define V := X + (3·L²·η/p)·Ξ
           define U := Y + (3·L²·ζ/p)·Z
         holds
           U − V ≤ η²·A + η³·B − (η/8)·G − (3·L²·η/4)·Ξ; if 2·μ·X ≤ G: if η ≤ p/μ: U ≤ (1 − \
               μ·η/4)·V + η²·A + η³·B",
    )
}

/// The proof of [`value`], or of a statement with larger constants.
pub fn prove_value(statement: &Statement) -> Proof {
    let h = &statement.context;
    let [smaller, load, falls, mixes] = [1, 2, 3, 4].map(|n| given(h, n));
    let (smaller, load, falls, mixes) = (smaller?, load?, falls?, mixes?);
    let step: &[(&str, &[&Theorem])] = &[
        ("1", &[&falls]),
        ("3·L²·η/p", &[&mixes]),
        ("(3·L²/p)·Z", &[&smaller]),
        ("η·G", &[&load]),
    ];
    each(
        statement,
        &[&|h, goal| settle(h, goal, step), &|h, goal| {
            let (steep, short) = (given(h, 5)?, given(h, 6)?);
            let of_value: &[(&str, &[&Theorem])] =
                &[("η/8", &[&steep]), ("(3·L²·η·μ/(4·p))·Ξ", &[&short])];
            settle(h, goal, &[step, of_value].concat())
        }],
    )
}

/// `decor-thm-2a-eta-repaired`: η_t = 16/(μ(t + τ)), q is 1 − p and c the maximum of Theorem 2. That η₀ is the printed minimum is
/// said of the inverses, of which one is 0 where a term of the minimum is infinite.
pub fn step_sizes() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           real L > 0
           real μ > 0
           assume μ ≤ L
           real p > 0
           real q ≥ 0
           assume q = 1 − p
           real P ≥ 0
           assume 1/4 ≤ P
           real M ≥ 0
           define a := 4·√(3·q·(3·P + p·M))
           define c := max(max(a, μ/L), max(2·p, 4·p·M/n))
           define τ := 16·c·L/(μ·p)
           define η₀ := 16/(μ·τ)
           define m := max(max(4·L·√(3·q·(3·P + p·M))/p, μ/p), max(2·L, 4·L·M/n))
         holds
           η₀ = p/(c·L); m ≤ 1/η₀; 1/η₀ ≤ m; for every real t ≥ 0: for every real s > 0: (16/μ)/(t \
               + τ) − (16/μ)/(t + s + τ) = (16·s/μ)·(1/(t + τ))·(1/(t + s + τ)); for every real t \
               ≥ 0: (16/μ)/(t + τ) ≤ 1/(2·L); for every real t ≥ 0: M·(16/μ)/(t + τ) ≤ n/(4·L); \
               for every real t ≥ 0: L·√(12·q·(3 + p·M))·(16/μ)/(t + τ) ≤ p",
    )
}

/// Each of four numbers is at most max(max(x₀, x₁), max(x₂, x₃)), which is `top`.
fn below(h: &Context, terms: [&str; 4], top: &str) -> Result<[Theorem; 4], Stuck> {
    let [a, b, c, d] = terms.map(|t| term(h, t));
    let terms = [a?, b?, c?, d?];
    let [first, second] = [terms[0].max_with(&terms[1]), terms[2].max_with(&terms[3])];
    let of = |n: usize| {
        let (pair, outer) = (2 * (n / 2), n >= 2);
        let low = larger(h, &terms[pair], &terms[pair + 1], n % 2 == 1)?;
        let high = larger(h, &first, &second, outer)?;
        let goal = Goal::Le(terms[n].clone(), term(h, top)?);
        settle(h, &goal, &[("1", &[&low]), ("1", &[&high])])
    };
    Ok([of(0)?, of(1)?, of(2)?, of(3)?])
}

/// That maximum is at most `bound`, as each of them is by a multiple of what is known of it.
fn least(
    h: &Context,
    terms: [&str; 4],
    bound: &str,
    (factor, known): (&str, &[Theorem; 4]),
) -> Proof {
    let of = |n: usize| {
        show(
            h,
            &format!("{} ≤ {bound}", terms[n]),
            &[(factor, &[&known[n]])],
        )
    };
    largest(&largest(&of(0)?, &of(1)?)?, &largest(&of(2)?, &of(3)?)?)
}

const OF_C: [&str; 4] = ["a", "μ/L", "2·p", "4·p·M/n"];
const OF_M: [&str; 4] = ["4·L·√(3·q·(3·P + p·M))/p", "μ/p", "2·L", "4·L·M/n"];

/// The proof of [`step_sizes`], or of a statement with larger bounds: 1/(t + τ) is at most 1/τ, and c at least each of its parts.
pub fn prove_step_sizes(statement: &Statement) -> Proof {
    let context = &statement.context;
    let of_c = below(context, OF_C, "c")?;
    let [root, _, rate, spread] = &of_c;
    let slow = |h: &Context, goal: &Goal, (unit, factor): (&str, &str), facts: &[&Theorem]| {
        let whole = inverse(h, &term(h, "t + τ")?)?;
        let factor = format!("{factor}/(t + τ)");
        let whole = [&whole];
        let facts: Vec<_> = facts.iter().map(|&fact| [fact]).collect();
        let facts = facts
            .iter()
            .map(|fact| (factor.as_str(), fact as &[&Theorem]));
        let parts: Vec<_> = facts.chain([(unit, &whole as &[&Theorem])]).collect();
        settle(h, goal, &parts)
    };
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[]),
            &|h, goal| {
                settle(
                    h,
                    goal,
                    &[("1", &[&least(h, OF_M, "c·L/p", ("L/p", &of_c))?])],
                )
            },
            &|h, goal| {
                let of_m = below(h, OF_M, "m")?;
                let most = least(h, OF_C, "(p/L)·m", ("p/L", &of_m))?;
                settle(h, goal, &[("L/p", &[&most])])
            },
            &|h, goal| {
                let (now, then) = (term(h, "t + τ")?, term(h, "t + s + τ")?);
                let parts: &[(&str, &[&Theorem])] = &[
                    ("((−16)/μ)/(t + τ)", &[&inverse(h, &then)?]),
                    ("(16/μ)/(t + s + τ)", &[&inverse(h, &now)?]),
                ];
                settle(h, goal, parts)
            },
            &|h, goal| slow(h, goal, ("1/(2·L)", "(8/(μ·p))"), &[rate]),
            &|h, goal| slow(h, goal, ("n/(4·L)", "(4·n/(μ·p))"), &[spread]),
            &|h, goal| {
                let small = "12·q·(3 + p·M) ≤ a²";
                let small = root_increases(&show(h, small, &[("144·q", &[&given(h, 2)?])])?)?;
                slow(h, goal, ("p", "(16·L/μ)"), &[root, &small])
            },
        ],
    )
}
