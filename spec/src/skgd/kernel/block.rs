//! `skgd-cmp-sgd-block-better`: an instance in which uniform blocks do better than DP-SGD.

use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, larger, largest};
use dp_assay_kernel::search::size::{above_modulus, below_modulus, either};
use dp_assay_kernel::statement::{Context, Statement};

/// `skgd-cmp-sgd-block-better`: d = b = 2, o is the coordinate of A₁, M_max is 1 and M_min is κ, L_1 is 1 and L_2 is s√κ, and u is w⁰ − w*. The
/// loss is h(j, w_j − w*_j) summed over j, a Huber loss whose derivative is M_j·y(j, t): convex, M-smooth, least at 0 and, as a_j is L_j/M_j,
/// L_j-Lipschitz, so that L is the Lipschitz constant of the sum. P is ‖L_A‖_{M⁻¹}; ratios are squared.
pub fn statement() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           index o<2
           real κ > 0
           assume κ ≤ 1
           real s > 0
           define M(j<2) := 𝟙[j=o] + (1 − 𝟙[j=o])²·κ
           define ℓ(j<2) := 𝟙[j=o] + (1 − 𝟙[j=o])²·s·√(κ)
           define u(j<2) := 1 − 𝟙[j=o]
           define a(j<2) := 𝟙[j=o] + (1 − 𝟙[j=o])²·s/√(κ)
           define y(j<2, t) := max((−1)·a(j), t) − max(t − a(j), 0)
           define h(j<2, t) := M(j)·(t·y(j, t) − y(j, t)²/2)
           define P := √(Σ_{j<2} ℓ(j)²·(𝟙[j=o] + (1 − 𝟙[j=o])²/κ))
           define Rᵢ := √(Σ_{j<2} u(j)²)
           define Rₘ := √(Σ_{j<2} M(j)·u(j)²)
           define L := √(Σ_{j<2} ℓ(j)²)
         holds
           for every index j<2: M(j)·a(j) = ℓ(j); for every index j<2: for every real t: for every \
               real x: h(j, t) + M(j)·y(j, t)·(x − t) ≤ h(j, x); for every index j<2: for every \
               real t: for every real x: h(j, x) ≤ h(j, t) + M(j)·y(j, t)·(x − t) + (M(j)/2)·(x − \
               t)²; for every index j<2: for every real t: for every real x: h(j, t) ≤ h(j, x) + \
               ℓ(j)·|t − x|; for every index j<2: for every real t: h(j, 0) ≤ h(j, t); κ·L²·Rᵢ² ≤ \
               (P·Rₘ)²; (P·Rₘ)² ≤ (1 + s²)·(κ·L²·Rᵢ²); 2·(P·Rₘ)² ≤ (1 + s²)·κ·(2·L²·Rᵢ²)",
    )
}

const A: &str = "max((−1)·a(j), {t})";
const B: &str = "max({t} − a(j), 0)";

fn at(text: &str, t: &str) -> String {
    text.replace("{t}", t)
}

/// The two parts of y(j, t) from below: −a ≤ A, t ≤ A, t − a ≤ B, 0 ≤ B.
fn below(h: &Context, t: &str) -> Result<[Theorem; 4], Stuck> {
    let of = |x: &str, z: &str, second| larger(h, &term(h, x)?, &term(h, z)?, second);
    let far = format!("{t} − a(j)");
    Ok([
        of("(−1)·a(j)", t, false)?,
        of("(−1)·a(j)", t, true)?,
        of(&far, "0", false)?,
        of(&far, "0", true)?,
    ])
}

/// −a ≤ y(j, t) and y(j, t) ≤ a.
fn short(h: &Context, t: &str) -> Result<[Theorem; 2], Stuck> {
    let [left, near, far, none] = below(h, t)?;
    let (a, b) = (at(A, t), at(B, t));
    let least = |x: &str, c: &str, parts: [&[(&str, &[&Theorem])]; 2], z: &str| {
        largest(
            &show(h, &format!("{x} ≤ {c}"), parts[0])?,
            &show(h, &format!("{z} ≤ {c}"), parts[1])?,
        )
    };
    let above = format!("{b} + a(j)");
    let above = least(
        "(−1)·a(j)",
        &above,
        [&[("1", &[&none]), ("2·a(j)", &[])], &[("1", &[&far])]],
        t,
    )?;
    let under = format!("{a} + a(j)");
    let far = format!("{t} − a(j)");
    let under = least(
        &far,
        &under,
        [&[("1", &[&near]), ("2·a(j)", &[])], &[("1", &[&left])]],
        "0",
    )?;
    Ok([
        show(h, &format!("(−1)·a(j) ≤ y(j, {t})"), &[("1", &[&under])])?,
        show(h, &format!("y(j, {t}) ≤ a(j)"), &[("1", &[&above])])?,
    ])
}

/// 0 ≤ (t − y(j, t))·(y(j, t) − z) for z in [−a, a], which two facts say: y(j, t) is the point of that interval next to t.
fn nearest(h: &Context, t: &str, z: &str, [low, high]: [&Theorem; 2]) -> Proof {
    let [least, most] = short(h, t)?;
    let [_, near, _, none] = below(h, t)?;
    let near = Near {
        at: [t, z],
        bounds: [low, high],
        y: [&least, &most],
        parts: [&near, &none],
    };
    let left = term(h, "(−1)·a(j)")?;
    either(h, [&left, &term(h, t)?], |h, case, inside| {
        if !inside {
            return near.left_of_all(h, case);
        }
        let first = largest(case, &same(h, t)?)?;
        either(
            h,
            [&term(h, t)?, &term(h, "a(j)")?],
            |h, case, inside| match inside {
                true => near.within(h, &first, case),
                false => near.right_of_all(h, case),
            },
        )
    })
}

fn same(h: &Context, x: &str) -> Proof {
    show(h, &format!("{x} ≤ {x}"), &[])
}

/// What [`nearest`] is about, by where t is: t and z, −a ≤ z ≤ a, −a ≤ y(j, t) ≤ a, and what the parts of y(j, t) are at least: t the first, 0
/// the second.
struct Near<'a> {
    at: [&'a str; 2],
    bounds: [&'a Theorem; 2],
    y: [&'a Theorem; 2],
    parts: [&'a Theorem; 2],
}

impl Near<'_> {
    /// With the names for t and z put in.
    fn shown(&self, h: &Context, text: &str, parts: &[(&str, &[&Theorem])]) -> Proof {
        let [t, z] = self.at;
        let text = text.replace("y(t)", &format!("y(j, {t})"));
        show(h, &text.replace("{t}", t).replace("{z}", z), parts)
    }

    fn wanted(&self, h: &Context, parts: &[(&str, &[&Theorem])]) -> Proof {
        self.shown(h, "0 ≤ ({t} − y(t))·(y(t) − {z})", parts)
    }

    /// t ≤ −a: y is −a.
    fn left_of_all(&self, h: &Context, case: &Theorem) -> Proof {
        let lowest = largest(&same(h, "(−1)·a(j)")?, case)?;
        let y: &[(&str, &[&Theorem])] = &[("1", &[&lowest]), ("1", &[self.parts[1]])];
        let y = self.shown(h, "y(t) ≤ (−1)·a(j)", y)?;
        let low: &[(&str, &[&Theorem])] = &[("1", &[&y]), ("1", &[self.bounds[0]])];
        let low = self.shown(h, "0 ≤ {z} − y(t)", low)?;
        let beyond: &[(&str, &[&Theorem])] = &[("1", &[self.y[0]]), ("1", &[case])];
        let beyond = self.shown(h, "0 ≤ y(t) − {t}", beyond)?;
        self.wanted(h, &[("1", &[&beyond, &low])])
    }

    /// −a ≤ t ≤ a, of which the former is `first`: y is t.
    fn within(&self, h: &Context, first: &Theorem, case: &Theorem) -> Proof {
        let flat = self.shown(h, "{t} − a(j) ≤ 0", &[("1", &[case])])?;
        let flat = largest(&flat, &show(h, "0 ≤ 0", &[])?)?;
        let up: &[(&str, &[&Theorem])] = &[("1", &[first]), ("1", &[self.parts[1]])];
        let up = self.shown(h, "0 ≤ {t} − y(t)", up)?;
        let down: &[(&str, &[&Theorem])] = &[("1", &[self.parts[0]]), ("1", &[&flat])];
        let down = self.shown(h, "0 ≤ y(t) − {t}", down)?;
        let [low, least] = [self.bounds[0], self.y[0]];
        self.wanted(h, &[("1", &[&up, least]), ("1", &[&down, low])])
    }

    /// a ≤ t: y is a.
    fn right_of_all(&self, h: &Context, case: &Theorem) -> Proof {
        let own = same(h, &format!("{} − a(j)", self.at[0]))?;
        let over = largest(&own, &self.shown(h, "0 ≤ {t} − a(j)", &[("1", &[case])])?)?;
        let y: &[(&str, &[&Theorem])] = &[("1", &[self.parts[0]]), ("1", &[&over])];
        let y = self.shown(h, "a(j) ≤ y(t)", y)?;
        let high: &[(&str, &[&Theorem])] = &[("1", &[&y]), ("1", &[self.bounds[1]])];
        let high = self.shown(h, "0 ≤ y(t) − {z}", high)?;
        let beyond: &[(&str, &[&Theorem])] = &[("1", &[self.y[1]]), ("1", &[case])];
        let beyond = self.shown(h, "0 ≤ {t} − y(t)", beyond)?;
        self.wanted(h, &[("1", &[&beyond, &high])])
    }
}

/// h(j, t) + M_j·y(j, t)·(x − t) ≤ h(j, x).
fn above(h: &Context) -> Proof {
    let [low, high] = short(h, "t")?;
    let fact = nearest(h, "x", "y(j, t)", [&low, &high])?;
    let text = "h(j, t) + M(j)·y(j, t)·(x − t) ≤ h(j, x)";
    show(
        h,
        text,
        &[("M(j)", &[&fact]), ("M(j)·(y(j, x) − y(j, t))²/2", &[])],
    )
}

/// The proof of [`statement`], or of a statement with larger constants.
pub fn prove(statement: &Statement) -> Proof {
    let small = given(&statement.context, 0)?;
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[]),
            &|h, goal| settle(h, goal, &[("1", &[&above(h)?])]),
            &|h, goal| {
                let [low, high] = short(h, "x")?;
                let fact = nearest(h, "t", "y(j, x)", [&low, &high])?;
                let rest = "M(j)·((x − y(j, x)) − (t − y(j, t)))²/2";
                settle(h, goal, &[("M(j)", &[&fact]), (rest, &[])])
            },
            &|h, goal| {
                let [low, high] = short(h, "t")?;
                let gap = term(h, "t − x")?;
                let (up, down) = (below_modulus(h, &gap)?, above_modulus(h, &gap)?);
                let parts: &[(&str, &[&Theorem])] = &[
                    ("1", &[&above(h)?]),
                    ("M(j)/2", &[&low, &up]),
                    ("M(j)/2", &[&high, &down]),
                ];
                settle(h, goal, parts)
            },
            &|h, goal| {
                let zero = show(h, "(−1)·a(j) ≤ 0", &[("a(j)", &[])])?;
                let other = show(h, "0 ≤ a(j)", &[("a(j)", &[])])?;
                let fact = nearest(h, "t", "0", [&zero, &other])?;
                settle(h, goal, &[("M(j)", &[&fact]), ("M(j)·y(j, t)²/2", &[])])
            },
            &|h, goal| settle(h, goal, &[("κ·s²", &[&small])]),
            &|h, goal| settle(h, goal, &[("(1 + s²)·κ²·s²", &[])]),
            &|h, goal| settle(h, goal, &[("2·(1 + s²)·κ²·s²", &[])]),
        ],
    )
}
