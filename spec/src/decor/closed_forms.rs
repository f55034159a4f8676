//! Closed forms of the diagonal of Σ⁻¹ on rings, paths, complete graphs, stars and tori.

use crate::arith::{Poly, Rational};
use crate::claim::{Check, Claim, Kind, Verdict};
use crate::decor::graph::Graph;
use crate::decor::resolvent::Resolvent;
use crate::decor::steps::{Algebra, frac, inv, k};
use crate::decor::upoly::UPoly;
use crate::prove::Argument;

/// These claims.
pub(super) const CLAIMS: [Claim; 1] = [DRV_7];

/// `decor-drv-7`. With s = σ_cdp², t = σ_cor², s = t(z + 1/z − 2), z = e^θ. Ring: the column with the
/// entries cosh((n/2 − k)θ) satisfies (s + 2t)c_k = t(c_{k−1} + c_{k+1}) for k ≠ 0, and at k = 0 leaves
/// 2t sinh θ sinh(nθ/2). Path: cosh((j − ½)θ) on the left of l and cosh((m − l' + ½)θ) on the right
/// satisfy the equations off l (both ends by symmetry of cosh) and leave t sinh θ sinh(mθ) at l; the
/// diagonal is largest at the ends because it is (cosh mθ + cosh((m − 2j + 1)θ))/2 up to a factor.
/// K_n, star: eigenvectors of `decor-rem-examples`; torus: products of characters.
pub const DRV_7: Claim = Claim {
    id: "decor-drv-7",
    place: "derived; special graphs",
    kind: Kind::PathwiseInequality,
    statement: "[Σ⁻¹]_ii is coth(nθ/2)/(2t sinh θ) on the ring, cosh((j−½)θ)cosh((m−j+½)θ)/(t sinh \
        θ sinh mθ) on the path, 1/(ns) + (1−1/n)/(s+nt) on K_n and at the star's centre, 1/(ns) + \
        ((n−2)/(n−1))/(s+t) + (1/(n(n−1)))/(s+nt) at its leaves, and the mean of 1/(s + t(4 − \
        2cos(2πa/r) − 2cos(2πb/c))) on the torus; cosh θ = 1 + s/(2t)",
    hypotheses: "s, t > 0; ring n ≥ 3, star n ≥ 3, torus r, c ≥ 3",
    rests_on: &["decor-rem-examples"],
    by_hand: &[
        "the eigenvectors of K_n, star and torus hold for all sizes (small ones are computed)",
        "the columns of the inverse solve the equations off and at the diagonal",
        "the largest entry of the path is at its ends",
    ],
    check: drv_7,
};

fn drv_7(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of t sinh θ on the ring", 2));
    let share = c.constant("multiple of 1/n on K_n", 1);
    // Doubled hyperbolic functions: e.g. 2cosh x = e^x + e^(−x).
    let [z, h, y] = ["z", "h", "y"].map(Poly::var);
    let unit = &z + inv("z");
    // c_k = h/y + y/h with h = z^(n/2), y = z^k; (s + 2t)/t = z + 1/z.
    let column = |y: &Poly, inverse: &Poly| &h * inverse + y * inv("h");
    let inside = &unit * column(&y, &inv("y"))
        - column(&(&y * inv("z")), &(inv("y") * &z))
        - column(&(&y * &z), &(inv("y") * inv("z")));
    let at_zero = &unit * column(&k(1), &k(1)) - 2 * column(&z, &inv("z"));
    // (2cosh)·t sinh θ·factor·sinh = t/4·factor·(z − 1/z)(h − 1/h)·2.
    let sinh = (&z - inv("z")) * (&h - inv("h"));
    let claimed = factor * frac(1, 2) * sinh;
    // Path: a = e^((l−½)θ), b = e^((m−l+½)θ).
    let [a, b] = ["a", "b"].map(Poly::var);
    let cosh = |x: &Poly, inverse: &Poly| x + inverse;
    let jump = cosh(&(&a * &z), &(inv("a") * inv("z"))) * cosh(&b, &inv("b"))
        - cosh(&a, &inv("a")) * cosh(&(&b * inv("z")), &(inv("b") * &z));
    let product = (&z - inv("z")) * (&a * &b - inv("a") * inv("b"));
    Argument::new(c)
        .positive(&["z", "h"])
        .states_equal("ring: the equation at vertex 0", &at_zero, &claimed)
        .states_that(
            "K_n for 2 ≤ n ≤ 8, all r",
            (2..=8).all(|n| complete(n, &share)),
            || format!("K_2: 1/2 + 1/2/(1 + 2r), not with {share}/n"),
        )
        .needs_equal("ring: the equation at the other vertices", &inside, 0)
        .needs_equal("path: the equation at l", &jump, &product)
        .needs_that(
            "star: centre and leaves for 3 ≤ n ≤ 8, all r",
            (3..=8).all(star),
        )
        .needs_that(
            "ring and path on 3 to 7 vertices at z = 2",
            (3..=7).all(by_value),
        )
        .needs_that(
            "tori 3×3, 3×4, 4×4 at r = 3/7",
            [(3, 3), (3, 4), (4, 4)].into_iter().all(torus),
        )
        .proved_on("all sizes of the hypotheses, all s, t > 0")
}

/// first/n + rest of the closed form as a fraction over n(1 + nr) with s = 1, t = r.
fn complete(n: u32, share: &Rational) -> bool {
    let resolvent = Resolvent::of(&Graph::complete(n as usize));
    let line = UPoly::new(vec![Rational::from(1), Rational::from(n)]);
    let rest = UPoly::new(vec![Rational::from(n - 1)]);
    let numerator = rest.plus_scaled(share, &line);
    resolvent.diagonal.iter().all(|p| {
        let left = UPoly::default()
            .plus_scaled(&Rational::from(n), p)
            .times(&line);
        left == numerator.times(&resolvent.determinant)
    })
}

fn star(n: u32) -> bool {
    let resolvent = Resolvent::of(&Graph::star(n as usize));
    let whole = UPoly::new(vec![Rational::from(1), Rational::from(n)]);
    let single = UPoly::new(vec![Rational::from(1), Rational::from(1)]);
    let both = whole.times(&single);
    let weight = |x: Rational, p: &UPoly| UPoly::default().plus_scaled(&x, p);
    let one = Rational::from(1);
    let centre = weight(frac(1, n), &both).plus_scaled(&frac(n as i32 - 1, n), &single);
    let leaf = weight(frac(1, n), &both)
        .plus_scaled(&frac(n as i32 - 2, n - 1), &whole)
        .plus_scaled(&frac(1, n * (n - 1)), &single);
    let matches = |i: usize, closed: &UPoly| {
        let left = resolvent.diagonal[i].times(&both);
        left.plus_scaled(&-one.clone(), &closed.times(&resolvent.determinant))
            .degree()
            .is_none()
    };
    matches(0, &centre) && (1..n as usize).all(|i| matches(i, &leaf))
}

/// z = 2: s/t = 1/2, so r = 2; hyperbolic functions at multiples of θ/2 are rational in √2, and the
/// products of the closed forms are rational.
fn by_value(n: i32) -> bool {
    let (r, z) = (Rational::from(2), Rational::from(2));
    let power = |e: i32| -> Rational { rug::ops::Pow::pow(z.clone(), e) };
    let double_sinh = |e: i32| power(e) - power(-e);
    let double_cosh = |e: i32| power(e) + power(-e);
    // s = 1, t = 2. coth(nθ/2) = (zⁿ + 1)/(zⁿ − 1).
    let coth = (power(n) + 1) / (power(n) - 1);
    let ring = coth / (double_sinh(1) * 2);
    let on_ring = Resolvent::of(&Graph::ring(n as usize));
    let on_path = Resolvent::of(&Graph::path(n as usize));
    // 2cosh(x)cosh(y) = cosh(x+y) + cosh(x−y): with C = 2cosh, S = 2sinh it is (C(nθ) + C((n−2j+1)θ))/(t·S(θ)·S(nθ)).
    let path = |j: i32| {
        (double_cosh(n) + double_cosh(n - 2 * j + 1)) / (double_sinh(1) * double_sinh(n) * 2)
    };
    let largest = on_path.largest(&r);
    (0..n as usize).all(|i| on_ring.at(i, &r) == ring)
        && (1..=n).all(|j| on_path.at(j as usize - 1, &r) == path(j))
        && largest == Some(path(1))
}

fn torus((rows, columns): (usize, usize)) -> bool {
    let cosines = |n: usize| match n {
        3 => vec![frac(1, 1), frac(-1, 2), frac(-1, 2)],
        _ => vec![frac(1, 1), frac(0, 1), frac(-1, 1), frac(0, 1)],
    };
    let r = frac(3, 7);
    let terms = cosines(rows).into_iter().flat_map(|a| {
        cosines(columns)
            .into_iter()
            .map(move |b| 4 - Rational::from(&a + &b) * 2)
    });
    let inverse = |l: Rational| -> Rational {
        let entry: Rational = 1 + l * &r;
        entry.recip()
    };
    let total = terms.map(inverse).sum::<Rational>();
    let mean = total / (rows * columns) as u32;
    let resolvent = Resolvent::of(&Graph::torus(rows, columns));
    (0..rows * columns).all(|i| resolvent.at(i, &r) == mean)
}
