//! Lemma 12: all steps of Algorithm 3, with the printed noise in many dimensions and with a quarter of it in any. c counts those that gain too
//! little.

mod run;

use super::adaptive::useful::fails;
use super::errors::{LOSSES, NUMBERS, at_least};
use super::noise::by_moment;
use super::rarely::by_tail;
use crate::moved::written::{Proof, each, given, goal, show, sides, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Part, Theorem, combine, expected, instance, inverse, root_increases, triangle, union,
};
use dp_assay_kernel::search::cases::{beyond, split};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{assumed, item, with};
use dp_assay_kernel::statement::{Context, Goal, Sign, Sort, Statement};
use dp_assay_kernel::term::{Binder, Op, Term, bind, mul, num, op, var};
use run::run;

/// `kl-lem-12-descent-restricted`, for an algorithm that makes R steps at most, whatever C charges for a norm M.
pub fn statement() -> Result<Statement, Stuck> {
    render::parse(
        &(NUMBERS.to_owned()
            + "assume 32 ≤ d
           assume 16 ≤ Λ
           loss f on ℝ^d with L₀: changed by at most L₀·‖v‖ when v is added to its vector, for \
               every record; where it has no gradient, its derivatives are those of a chosen \
               vector of norm at most L₀
           data D of n records: its neighbours have one record replaced
           define F(x∈ℝ^d) := (Σ_{z∈D} f(x, z))/n
           define G(x∈ℝ^d) := ‖⟨(Σ_{z∈D} ∂_j f(x; z))/n : j<d⟩‖
           assume for every vector x ∈ ℝ^d: for every vector v ∈ ℝ^d: F(⟨x_j + v_j : j<d⟩) ≤ F(x) \
               + (Σ_{j<d} ((Σ_{z∈D} ∂_j f(x; z))/n)·v_j) + (L₁/2)·(Σ_{j<d} v_j²)
           index o<1
           map C of ℝ^1 into ℝ^1
           vector w₀ ∈ ℝ^d
           define b := L₀·√(Λ)/√(n·√(ρ))
           algorithm Alg3: c ← ⟨0 : p<1⟩ in ℝ^1, w ← w₀ in ℝ^d
             repeat t<R
               M ← ‖⟨(Σ_{z∈D} ∂_j f(w; z))/n : j<d⟩‖ + N(0, L₀²/(n·√(ρ)))
               stop when the sum of C(⟨M : q<1⟩)[o] exceeds ρ/2
               ξ ∼ N_{d}(0, (M/√(d·Λ))²)
               c ← ⟨c_p + 1 − 𝟙(F(⟨w_j − ((Σ_{z∈D} ∂_j f(w; z))/n + ξ_j)/(2·L₁) : j<d⟩) ≤ F(w) − \
                   (G(w)²/(8·L₁) − b²/L₁)) : p<1⟩
               w ← ⟨w_j − ((Σ_{z∈D} ∂_j f(w; z))/n + ξ_j)/(2·L₁) : j<d⟩
             end
           end
         holds
           1 − 2·β ≤ 𝔼_{c∼end(Alg3)}[𝟙(c_o ≤ 0)]"),
    )
}

/// `kl-lem-12-descent-repaired`, for an algorithm that makes R steps at most, whatever C charges for a norm M; in one dimension (h for f, v for w, E for F, K
/// for G) the noise is a number.
pub fn repaired() -> Result<Statement, Stuck> {
    render::parse(
        &(NUMBERS.to_owned()
            + LOSSES
            + "define F(x∈ℝ^d) := (Σ_{z∈D} f(x, z))/n
           define G(x∈ℝ^d) := ‖⟨(Σ_{z∈D} ∂_j f(x; z))/n : j<d⟩‖
           define E(x∈ℝ^1) := (Σ_{z∈D} h(x, z))/n
           define K(x∈ℝ^1) := ‖⟨(Σ_{z∈D} ∂_j h(x; z))/n : j<1⟩‖
           assume for every vector x ∈ ℝ^d: for every vector y ∈ ℝ^d: F(⟨x_j + y_j : j<d⟩) ≤ F(x) \
               + (Σ_{j<d} ((Σ_{z∈D} ∂_j f(x; z))/n)·y_j) + (L₁/2)·(Σ_{j<d} y_j²)
           assume for every vector x ∈ ℝ^1: for every vector y ∈ ℝ^1: E(⟨x_j + y_j : j<1⟩) ≤ E(x) \
               + (Σ_{j<1} ((Σ_{z∈D} ∂_j h(x; z))/n)·y_j) + (L₁/2)·(Σ_{j<1} y_j²)
           index o<1
           map C of ℝ^1 into ℝ^1
           vector w₀ ∈ ℝ^d
           vector v₀ ∈ ℝ^1
           define b := L₀·√(Λ)/√(n·√(ρ))
           algorithm Many: c ← ⟨0 : p<1⟩ in ℝ^1, w ← w₀ in ℝ^d
             repeat t<R
               M ← ‖⟨(Σ_{z∈D} ∂_j f(w; z))/n : j<d⟩‖ + N(0, L₀²/(n·√(ρ)))
               stop when the sum of C(⟨M : q<1⟩)[o] exceeds ρ/2
               ξ ∼ N_{d}(0, (M/(4·√(d·Λ)))²)
               c ← ⟨c_p + 1 − 𝟙(F(⟨w_j − ((Σ_{z∈D} ∂_j f(w; z))/n + ξ_j)/(2·L₁) : j<d⟩) ≤ F(w) − \
                   (G(w)²/(8·L₁) − (√(2)·b)²/(8·L₁))) : p<1⟩
               w ← ⟨w_j − ((Σ_{z∈D} ∂_j f(w; z))/n + ξ_j)/(2·L₁) : j<d⟩
             end
           end
           algorithm One: c ← ⟨0 : p<1⟩ in ℝ^1, v ← v₀ in ℝ^1
             repeat t<R
               M ← ‖⟨(Σ_{z∈D} ∂_j h(v; z))/n : j<1⟩‖ + N(0, L₀²/(n·√(ρ)))
               stop when the sum of C(⟨M : q<1⟩)[o] exceeds ρ/2
               ξ ∼ N(0, (M/(4·√(Λ)))²)
               c ← ⟨c_p + 1 − 𝟙(E(⟨v_j − ((Σ_{z∈D} ∂_j h(v; z))/n + ξ)/(2·L₁) : j<1⟩) ≤ E(v) − \
                   (K(v)²/(8·L₁) − (√(2)·b)²/(8·L₁))) : p<1⟩
               v ← ⟨v_j − ((Σ_{z∈D} ∂_j h(v; z))/n + ξ)/(2·L₁) : j<1⟩
             end
           end
           vector u ∈ ℝ^d
           vector e ∈ ℝ^d
           real r ≥ 0
         holds
           if ‖e‖ ≤ (G(u) + r)/2: F(⟨u_j − ((Σ_{z∈D} ∂_j f(u; z))/n + e_j)/(2·L₁) : j<d⟩) ≤ F(u) − \
               (G(u)²/(8·L₁) − r²/(8·L₁)); if 2 ≤ d: 1 − 2·β ≤ 𝔼_{c∼end(Many)}[𝟙(c_o ≤ 0)]; 1 − \
               2·β ≤ 𝔼_{c∼end(One)}[𝟙(c_o ≤ 0)]"),
    )
}

/// What an algorithm calls its risk's gradient, norm, and state; of how many dimensions; its noise, an entry, and its size.
#[derive(Clone, Copy)]
struct Names {
    algorithm: &'static str,
    loss: &'static str,
    norm: &'static str,
    w: &'static str,
    d: &'static str,
    entry: &'static str,
    size: &'static str,
    /// √2·b, or what stands for it.
    room: &'static str,
    /// Which hypothesis says that the risk is smooth.
    smooth: usize,
}

const MANY: Names = Names {
    algorithm: "Many",
    loss: "f",
    norm: "G",
    w: "w",
    d: "d",
    entry: "ξ_j",
    size: "‖ξ‖",
    room: "√(2)·b",
    smooth: 4,
};

impl Names {
    fn height(&self) -> String {
        format!("{}({})", self.norm, self.w)
    }

    /// (G + √2b)/2.
    fn half(&self) -> String {
        format!("({} + {})/2", self.height(), self.room)
    }

    fn space(&self, h: &Context) -> Result<Sort, Stuck> {
        Ok(Sort::Vector(term(h, self.d)?, Sign::Any))
    }

    /// (G + ν)² ≤ (G + √2b)², from |ν| ≤ √2b.
    fn level(&self, h: &Context, small: &Theorem) -> Proof {
        let (g, minus) = (self.height(), term(h, "0 − ν")?);
        let sum = triangle(h, &term(h, &g)?, &minus)?;
        let most = format!("{g} + {}", self.room);
        let level = format!("|{g} + ν| ≤ {most}");
        let level = show(h, &level, &[("1", &[&sum]), ("1", &[small])])?;
        let factor = format!("|{g} + ν| + {most}");
        show(
            h,
            &format!("({g} + ν)² ≤ ({most})²"),
            &[(&factor, &[&level])],
        )
    }

    /// The noise is at most (G + √2b)/2, by a bound of which parts say that its square is at most that one's.
    fn short(&self, h: &Context, calm: &Theorem, parts: Vec<Part<'_>>) -> Proof {
        let [size, bound] = sides(&calm.statement().goal)?;
        let half = term(h, &self.half())?;
        let root = root_increases(&combine(h, Goal::Le(bound.pow(2), half.pow(2)), &parts)?)?;
        let parts = vec![with(num(1), calm), with(num(1), &root)];
        combine(h, Goal::Le(size.clone(), half), &parts)
    }

    /// What a step gains, from the noise being at most (G + √2b)/2.
    fn falls(&self, h: &Context, event: &Goal, short: &Theorem) -> Proof {
        let Self {
            loss,
            w,
            d,
            entry,
            size,
            room,
            ..
        } = self;
        let error = format!("((Σ_{{z∈D}} ∂_j {loss}({w}; z))/n + {entry})");
        let step = term(h, &format!("⟨0 − {error}/(2·L₁) : j<{d}⟩"))?;
        let smooth = instance(h, &instance(h, &given(h, self.smooth)?, &var(w))?, &step)?;
        let (g, half) = (self.height(), self.half());
        let square = format!("{size}² ≤ ({half})²");
        let square = show(h, &square, &[(&format!("{size} + {half}"), &[short])])?;
        let parts = vec![
            with(num(1), &smooth),
            with(term(h, "1/(4·L₁)")?, &square),
            Part::new(term(h, &format!("(1/(8·L₁))·(Σ_{{j<{d}}} {error}²)"))?, []),
            Part::new(term(h, &format!("({g} − {room})²/(16·L₁)"))?, []),
        ];
        combine(h, event.clone(), &parts)
    }
}

/// The printed noise is short where its tail says so, in 32 dimensions and for Λ ≥ 16: (√d + √(2Λ))² ≤ dΛ/4.
fn printed(h: &Context, law: &Term, event: &Goal) -> Proof {
    let names = PRINTED;
    by_tail(h, ("ξ", law, event), &|h, calm| {
        let square = names.level(h, &assumed(h, &goal(h, NEAR)?)?)?;
        let (many, long) = (given(h, 2)?, given(h, 3)?);
        let first = root_increases(&show(h, "d ≤ d·Λ/16", &[("d/16", &[&long])])?)?;
        let second = root_increases(&show(h, "2·Λ ≤ d·Λ/16", &[("Λ/16", &[&many])])?)?;
        let share = roots(h, "√(d·Λ)/2", "d·Λ/4", [&first, &second])?;
        let parts = vec![
            with(term(h, &format!("({ROOTS})²/(d·Λ)"))?, &square),
            with(term(h, "(G(w) + √(2)·b)²/(d·Λ)")?, &share),
        ];
        names.falls(h, event, &names.short(h, calm, parts)?)
    })
}

const ROOTS: &str = "√(d) + √(2·Λ)";
const NEAR: &str = "|ν| ≤ √(2)·b";
const PRINTED: Names = Names {
    algorithm: "Alg3",
    ..MANY
};

/// (√d + √(2Λ))² ≤ y, the square of x, from bounds of both roots that add up to x.
fn roots(h: &Context, x: &str, y: &str, [first, second]: [&Theorem; 2]) -> Proof {
    let order = show(
        h,
        &format!("{ROOTS} ≤ {x}"),
        &[("1", &[first]), ("1", &[second])],
    )?;
    show(
        h,
        &format!("({ROOTS})² ≤ {y}"),
        &[(&format!("{ROOTS} + {x}"), &[&order])],
    )
}

/// A quarter of the noise, in two dimensions or more: for Λ ≥ 1 by its tail, else by Markov's inequality for its square, the mean of which is at most
/// M²/(16Λ).
fn quarter(h: &Context, law: &Term, event: &Goal) -> Proof {
    either(h, [&var("Λ"), &num(1)], |h, case, small| {
        if small {
            return by_moment_of(h, law, event, case);
        }
        by_tail(h, ("ξ", law, event), &|h, calm| {
            let square = MANY.level(h, &assumed(h, &goal(h, NEAR)?)?)?;
            let two = given(h, 6)?;
            let first = root_increases(&show(h, "d ≤ d·Λ", &[("d", &[case])])?)?;
            let second = root_increases(&show(h, "2·Λ ≤ d·Λ", &[("Λ", &[&two])])?)?;
            let share = roots(h, "2·√(d·Λ)", "4·d·Λ", [&first, &second])?;
            let parts = vec![
                with(term(h, &format!("({ROOTS})²/(16·d·Λ)"))?, &square),
                with(term(h, "(G(w) + √(2)·b)²/(16·d·Λ)")?, &share),
            ];
            MANY.falls(h, event, &MANY.short(h, calm, parts)?)
        })
    })
}

fn by_moment_of(h: &Context, law: &Term, event: &Goal, case: &Theorem) -> Proof {
    let square = MANY.level(h, &assumed(h, &goal(h, NEAR)?)?)?;
    let half = MANY.half();
    let drawn = h.extended(item("ξ", MANY.space(h)?))?;
    let (x, y) = (term(&drawn, "‖ξ‖")?, term(&drawn, &half)?);
    let share = mul([x.pow(2), num(1) / y.pow(2)]);
    let goal = Goal::Le(fails(event)?, share.clone());
    let one = split(
        &drawn,
        [&x, &y],
        |here, fact| {
            let sure = union(&MANY.falls(here, event, fact)?)?;
            let parts = vec![with(num(1), &sure), Part::new(share.clone(), [])];
            combine(here, goal.clone(), &parts)
        },
        |here, none| {
            let (order, unit) = (beyond(here, none)?, inverse(here, &y.pow(2))?);
            let slack = op(Op::AtMost, sides(event)?.map(Term::clone));
            let parts = vec![
                with((x.clone() + y.clone()) / y.pow(2), &order),
                with(num(-1), &unit),
                Part::new(slack, []),
            ];
            combine(here, goal.clone(), &parts)
        },
    )?;
    let all = expected(&one, law)?;
    let low = by_moment(h, "Λ", case, &at_least(h)?)?;
    let unit = inverse(h, &y.pow(2))?;
    let lost = bind(Binder::Expect, "ξ", law.clone(), fails(event)?);
    let goal = Goal::Le(lost, (num(0) - var("Λ")).exp());
    let each = num(1) / mul([num(16), var("Λ")]);
    let parts = vec![
        with(num(1), &all),
        with(num(1), &low),
        with(each / y.pow(2), &square),
        with(num(1) / mul([num(4), var("Λ")]), &unit),
    ];
    combine(h, goal, &parts)
}

const ONE: Names = Names {
    algorithm: "One",
    loss: "h",
    norm: "K",
    w: "v",
    d: "1",
    entry: "ξ",
    size: "|ξ|",
    smooth: 5,
    ..MANY
};

/// A quarter of the noise, in one dimension.
fn line(h: &Context, law: &Term, event: &Goal) -> Proof {
    by_tail(h, ("ξ", law, event), &|h, calm| {
        let square = ONE.level(h, &assumed(h, &goal(h, NEAR)?)?)?;
        let slack = term(h, "(K(v) + √(2)·b)²/8")?;
        let parts = vec![with(num(1) / num(8), &square), Part::new(slack, [])];
        ONE.falls(h, event, &ONE.short(h, calm, parts)?)
    })
}

/// The proof of [`repaired`], or of a statement with a smaller probability.
pub fn prove_repaired(statement: &Statement) -> Proof {
    const PLAIN: Names = Names {
        w: "u",
        entry: "e_j",
        size: "‖e‖",
        room: "r",
        ..MANY
    };
    each(
        statement,
        &[
            &|h, goal| PLAIN.falls(h, goal, &given(h, 6)?),
            &|h, goal| run(h, goal, &MANY, &quarter),
            &|h, goal| run(h, goal, &ONE, &line),
        ],
    )
}

/// The proof of [`statement`], or of a statement with a smaller probability.
pub fn prove(statement: &Statement) -> Proof {
    run(&statement.context, &statement.goal, &PRINTED, &printed)
}
