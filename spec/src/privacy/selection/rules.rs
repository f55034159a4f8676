//! Level sets of the greedy coordinate rules GS-s, GS-r and GS-q (Karimireddy et al. 2019, as used
//! by proximal greedy coordinate descent).
//!
//! With z the (noisy) partial derivative, w the coordinate, M = r² its smoothness constant and ψ its
//! regulariser, the scores are
//!
//! ```text
//! GS-s   min over ξ ∈ ∂ψ(w) of |z + ξ| / r
//! GS-r   r |d|,   d = prox_{ψ/M}(w − z/M) − w
//! GS-q   √(2D),   D = −min over a of z a + (M/2) a² + ψ(w + a) − ψ(w)
//! ```
//!
//! GS-q is given here as a monotone function of the model decrease D, so that the three agree when
//! ψ = 0. Largest score wins; the opposite orientation is [`ScoreLaw::negated`](super::ScoreLaw::negated).

use super::{Affine, LevelSets};
use crate::arith::Rational;
use crate::privacy::error::{PrivacyError, require};

/// A greedy rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GreedyRule {
    /// Smallest subgradient.
    Subgradient,
    /// Length of the proximal step.
    Step,
    /// Decrease of the quadratic model.
    Decrease,
}

/// A separable regulariser ψ on one coordinate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Regulariser {
    /// ψ = 0.
    None,
    /// ψ(w) = ν |w|, ν ≥ 0.
    L1(Rational),
    /// ψ(w) = (ν/2) w², ν ≥ 0.
    Ridge(Rational),
    /// ψ = 0 on \[a, b\], +∞ outside; a < b.
    Box(Rational, Rational),
}

/// {z : score(z) ≤ x} as x grows, for the coordinate value `w` and smoothness `root_m`².
///
/// # Errors
/// When a parameter is outside its domain, or the level sets are not piecewise affine with rational
/// slopes: GS-q with ℓ₁ at w ≠ 0, with a box, or with a ridge whose M + ν is not the square of a
/// rational.
pub fn level_sets(
    rule: GreedyRule,
    regulariser: &Regulariser,
    w: &Rational,
    root_m: &Rational,
) -> Result<LevelSets, PrivacyError> {
    require(*root_m > 0, "root of M", root_m, "must be > 0")?;
    let r = root_m;
    match regulariser {
        Regulariser::None => Ok(band(&Rational::new(), &Rational::new(), r)),
        Regulariser::L1(nu) => {
            require(*nu >= 0, "nu", nu, "must be >= 0")?;
            l1(rule, nu, w, r)
        }
        Regulariser::Ridge(nu) => {
            require(*nu >= 0, "nu", nu, "must be >= 0")?;
            ridge(rule, nu, w, r)
        }
        Regulariser::Box(a, b) => {
            require(a < b, "box", &format!("[{a}, {b}]"), "must not be empty")?;
            require(a <= w && w <= b, "w", w, "must lie in the box")?;
            within(rule, (a, b), w, r)
        }
    }
}

fn l1(
    rule: GreedyRule,
    nu: &Rational,
    w: &Rational,
    r: &Rational,
) -> Result<LevelSets, PrivacyError> {
    let zero = Rational::new();
    let sign = Rational::from(w.cmp0() as i32);
    match rule {
        // At 0 the three scores are the same: (|z| − ν)₊ / r.
        _ if *w == 0 => Ok(band(&zero, nu, r)),
        GreedyRule::Subgradient => Ok(band(&-(sign * nu), &zero, r)),
        GreedyRule::Step => Ok(l1_step(nu, w, r)),
        GreedyRule::Decrease => Err(curved("GS-q with an l1 regulariser at w != 0")),
    }
}

/// GS-r with ℓ₁ at w ≠ 0: the end on the side of 0 jumps by 2ν where the step reaches 0, which
/// happens at the score r |w|, an atom.
fn l1_step(nu: &Rational, w: &Rational, r: &Rational) -> LevelSets {
    let minus = |x: &Rational| Rational::from(-x);
    let outer = (
        Affine::new(minus(r), minus(nu)),
        Affine::new(r.clone(), nu.clone()),
    );
    let inner = match *w > 0 {
        true => (outer.0.clone(), Affine::new(r.clone(), minus(nu))),
        false => (Affine::new(minus(r), nu.clone()), outer.1.clone()),
    };
    LevelSets {
        first: Some(Rational::new()),
        later: vec![Rational::from(w * r).abs()],
        pieces: [inner, outer].map(|(l, u)| (Some(l), Some(u))).into(),
    }
}

fn ridge(
    rule: GreedyRule,
    nu: &Rational,
    w: &Rational,
    r: &Rational,
) -> Result<LevelSets, PrivacyError> {
    let curvature = Rational::from(r * r) + nu;
    let slope = match rule {
        GreedyRule::Subgradient => r.clone(),
        GreedyRule::Step => curvature / r,
        GreedyRule::Decrease => {
            root(&curvature).ok_or_else(|| curved("GS-q with a ridge of irrational root M + nu"))?
        }
    };
    let centre = -Rational::from(nu * w);
    Ok(band(&centre, &Rational::new(), &slope))
}

fn within(
    rule: GreedyRule,
    (a, b): (&Rational, &Rational),
    w: &Rational,
    r: &Rational,
) -> Result<LevelSets, PrivacyError> {
    let zero = Rational::new();
    match rule {
        // Inside the box this is the rule without regulariser; at an end the outward side scores 0.
        GreedyRule::Subgradient => Ok(boxed(
            Reach {
                below: (a == w).then(|| zero.clone()),
                above: (b == w).then(|| zero.clone()),
            },
            r,
        )),
        GreedyRule::Decrease => Err(curved("GS-q in a box")),
        GreedyRule::Step => Ok(boxed(
            Reach {
                below: Some(Rational::from(w - a) * r),
                above: Some(Rational::from(b - w) * r),
            },
            r,
        )),
    }
}

/// Scores at which the level set becomes unbounded above (the step hits the lower end of the box)
/// and below; `None` if never.
struct Reach {
    below: Option<Rational>,
    above: Option<Rational>,
}

fn boxed(reach: Reach, r: &Rational) -> LevelSets {
    let mut starts: Vec<_> = [
        Some(Rational::new()),
        reach.below.clone(),
        reach.above.clone(),
    ]
    .into_iter()
    .flatten()
    .collect();
    starts.sort();
    starts.dedup();
    let passed = |limit: &Option<Rational>, x: &Rational| limit.as_ref().is_some_and(|l| l <= x);
    let line = |slope: Rational| Some(Affine::new(slope, Rational::new()));
    let ends = |x: &Rational| {
        let lower = (!passed(&reach.above, x))
            .then(|| line(Rational::from(-r)))
            .flatten();
        let upper = (!passed(&reach.below, x))
            .then(|| line(r.clone()))
            .flatten();
        (lower, upper)
    };
    LevelSets {
        first: Some(starts[0].clone()),
        pieces: starts.iter().map(ends).collect(),
        later: starts[1..].to_vec(),
    }
}

/// [centre − margin − slope · x, centre + margin + slope · x] from x = 0.
fn band(centre: &Rational, margin: &Rational, slope: &Rational) -> LevelSets {
    let lower = Affine::new(Rational::from(-slope), Rational::from(centre - margin));
    let upper = Affine::new(slope.clone(), Rational::from(centre + margin));
    LevelSets {
        first: Some(Rational::new()),
        later: vec![],
        pieces: vec![(Some(lower), Some(upper))],
    }
}

/// The square root of a rational, if it is rational.
fn root(x: &Rational) -> Option<Rational> {
    let square = |n: &rug::Integer| n.is_perfect_square().then(|| n.clone().sqrt());
    Some(Rational::from((square(x.numer())?, square(x.denom())?)))
}

fn curved(what: &str) -> PrivacyError {
    PrivacyError::NoBound {
        asked: "the law of a greedy score",
        why: format!("{what}: its level sets are not piecewise affine over the rationals"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The score by its definition, in doubles: for the step and the decrease by a fine search over the model.
    fn score(rule: GreedyRule, psi: &Regulariser, w: f64, r: f64, z: f64) -> f64 {
        let m = r * r;
        let of = |x: f64| match psi {
            Regulariser::None => 0.0,
            Regulariser::L1(nu) => nu.to_f64() * x.abs(),
            Regulariser::Ridge(nu) => 0.5 * nu.to_f64() * x * x,
            Regulariser::Box(a, b) if x < a.to_f64() - 1e-12 || x > b.to_f64() + 1e-12 => {
                f64::INFINITY
            }
            Regulariser::Box(..) => 0.0,
        };
        if rule == GreedyRule::Subgradient {
            let (low, high) = match psi {
                Regulariser::None => (0.0, 0.0),
                Regulariser::L1(nu) if w == 0.0 => (-nu.to_f64(), nu.to_f64()),
                Regulariser::L1(nu) => (nu.to_f64() * w.signum(), nu.to_f64() * w.signum()),
                Regulariser::Ridge(nu) => (nu.to_f64() * w, nu.to_f64() * w),
                Regulariser::Box(a, b) => (
                    if w == a.to_f64() {
                        f64::NEG_INFINITY
                    } else {
                        0.0
                    },
                    if w == b.to_f64() { f64::INFINITY } else { 0.0 },
                ),
            };
            return (z + (-z).clamp(low, high)).abs() / r;
        }
        // The model is convex: its least value, by thirds.
        let model = |a: f64| z * a + 0.5 * m * a * a + of(w + a) - of(w);
        let (mut low, mut high) = match psi {
            Regulariser::Box(a, b) => (a.to_f64() - w, b.to_f64() - w),
            _ => (-100.0, 100.0),
        };
        for _ in 0..200 {
            let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if model(a) <= model(b) {
                high = b
            } else {
                low = a
            }
        }
        let a = 0.5 * (low + high);
        match rule {
            GreedyRule::Step => r * a.abs(),
            _ => (-2.0 * model(a)).max(0.0).sqrt(),
        }
    }

    /// A score is at most x where its argument is in the set at x, and above it elsewhere.
    #[test]
    fn level_sets_are_those_of_the_scores() {
        use crate::arith::ratio;
        let rules = [
            GreedyRule::Subgradient,
            GreedyRule::Step,
            GreedyRule::Decrease,
        ];
        let regularisers = [
            Regulariser::None,
            Regulariser::L1(ratio(3, 4)),
            Regulariser::Ridge(ratio(5, 1)),
            Regulariser::Box(ratio(-1, 1), ratio(2, 1)),
        ];
        let mut tried = 0;
        for (rule, psi) in rules
            .iter()
            .flat_map(|rule| regularisers.iter().map(move |psi| (*rule, psi)))
        {
            for w in [-1, 0, 1, 2] {
                let (w, r) = (ratio(w, 1), ratio(2, 1));
                let Ok(sets) = level_sets(rule, psi, &w, &r) else {
                    let curved = rule == GreedyRule::Decrease
                        && match psi {
                            Regulariser::L1(_) => w != 0,
                            Regulariser::Box(..) => true,
                            _ => false,
                        };
                    assert!(curved, "{rule:?}, {psi:?}, {w}");
                    continue;
                };
                tried += 1;
                for z in (-60..=60).map(|j| f64::from(j) * 0.25 + 0.03) {
                    let found = score(rule, psi, w.to_f64(), r.to_f64(), z);
                    for x in (0..40).map(|k| ratio(2 * k + 1, 16)) {
                        let piece = sets.later.partition_point(|start| *start <= x);
                        let (lower, upper) = &sets.pieces[piece];
                        let end = |e: &Option<Affine>, none: f64| {
                            e.as_ref().map_or(none, |e| e.at(&x).to_f64())
                        };
                        let low = end(lower, f64::NEG_INFINITY);
                        let inside = low <= z && z <= end(upper, f64::INFINITY);
                        // What the search finds is within 10⁻⁶, and no end is that near.
                        let told = || format!("{rule:?}, {psi:?}, w = {w}, z = {z}, x = {x}");
                        assert_eq!(inside, found <= x.to_f64(), "{}: {found}", told());
                    }
                }
            }
        }
        assert_eq!(tried, 4 * 12 - 3 - 4);
    }

    /// Sets that grow on both sides until an end of the box is passed, and a coordinate that is in the box.
    #[test]
    fn sets_in_a_box_are_unbounded_once_its_ends_are_passed() {
        let whole = |w: i32| {
            let box_ = Regulariser::Box(Rational::from(-1), Rational::from(2));
            level_sets(
                GreedyRule::Step,
                &box_,
                &Rational::from(w),
                &Rational::from(1),
            )
        };
        assert!(whole(-2).is_err() && whole(3).is_err());
        let pieces = whole(0).expect("it is in the box").pieces;
        let bounded: Vec<_> = pieces
            .iter()
            .map(|(l, u)| [l.is_some(), u.is_some()])
            .collect();
        assert_eq!(bounded.first(), Some(&[true; 2]), "{bounded:?}");
        assert_eq!(bounded.last(), Some(&[false; 2]), "{bounded:?}");
    }
}
