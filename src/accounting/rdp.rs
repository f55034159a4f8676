//! Rényi differential privacy (Mironov 2017) and its conversion to (ε, δ).
//!
//! Curves are functions of β = α − 1 > 0, so that orders close to 1 keep their accuracy. Composition
//! adds them. The conversion is δ ≤ e^{β(D_α − ε)}·(1 − 1/α)^α/β (Canonne, Kamath and Steinke 2020,
//! Proposition 12; Asoodeh et al. 2021; Balle et al. 2020), that is
//!
//! ε = D_α + ln(1 − 1/α) − (ln δ + ln α)/(α − 1).
//!
//! Any order is valid: the search for a good one is not directed, the evaluation at it is.

use super::AccountError;
use super::mixture::Pair;
use super::quadrature::Nodes;
use crate::float::Enclosure;
use crate::float::elementary::{exp, ln};
use crate::units::Delta;

/// An upper bound on the Rényi divergence of order 1 + β, for every β > 0.
pub trait Curve {
    /// The bound at order 1 + β, or ∞ where none is known.
    fn rdp_upper(&mut self, beta: f64) -> f64;
}

impl<F: FnMut(f64) -> f64> Curve for F {
    fn rdp_upper(&mut self, beta: f64) -> f64 {
        self(beta)
    }
}

/// The Rényi curve of a [`Pair`], by [`Nodes`] quadrature; recomputes its nodes as orders grow.
///
/// ```
/// use dp_assay::accounting::mixture::Pair;
/// use dp_assay::accounting::rdp::{Curve, PairCurve};
///
/// // Gaussian noise of σ = 2 on a sensitivity of 1 has D_α = α/8 nats, here at α = 3.
/// let mut curve = PairCurve::new(Pair::gaussian(1.0, 2.0));
/// assert!((0.375..0.376).contains(&curve.rdp_upper(2.0)));
/// ```
#[derive(Clone, Debug)]
pub struct PairCurve {
    pair: Pair,
    tolerance: f64,
    grid: Option<(f64, Nodes)>,
}

impl PairCurve {
    /// β below which a larger order may give the better bound.
    const NEAR_ONE: f64 = 1e-6;

    /// The curve of D_α(P ‖ Q).
    #[must_use]
    pub fn new(pair: Pair) -> Self {
        // The discretisation must be small against A − 1, which is of the order of the squared mean
        // shift in units of σ.
        let mean = |side: &super::mixture::Mixture| -> f64 {
            side.components()
                .iter()
                .map(|c| c.weight * c.shift.abs())
                .sum()
        };
        let shift = (mean(&pair.p) + mean(&pair.q)) / pair.sigma;
        let tolerance = 55.0 + 2.0 * ln(1.0 / shift.clamp(1e-100, 1.0));
        Self {
            pair,
            tolerance,
            grid: None,
        }
    }

    /// Tolerance of the quadrature: relative errors of e^{−tolerance} are negligible for this pair.
    #[must_use]
    pub fn tolerance(&self) -> f64 {
        self.tolerance
    }
}

impl Curve for PairCurve {
    fn rdp_upper(&mut self, beta: f64) -> f64 {
        if self.pair.is_trivial() {
            return 0.0;
        }
        let limit = 2.0 * beta.max(Self::NEAR_ONE);
        let covered = self.grid.as_ref().is_some_and(|(limit, _)| beta <= *limit);
        if !covered {
            match Nodes::new(&self.pair, limit, 0.0, self.tolerance) {
                Ok(grid) => self.grid = Some((limit, grid)),
                Err(_) => return f64::INFINITY,
            }
        }
        let Some((_, grid)) = &self.grid else {
            return f64::INFINITY;
        };
        let at = |beta: f64| {
            let (log, error) = grid.tilt(beta).at_zero();
            (Enclosure::point(log + error) / Enclosure::point(beta))
                .hi
                .max(0.0)
        };
        if beta < Self::NEAR_ONE {
            // The divergence grows with the order, and the error, divided by β, does not fall with it.
            return at(beta).min(at(Self::NEAR_ONE));
        }
        at(beta)
    }
}

/// Upper bound on the ε at δ from one order's divergence bound.
///
/// ```
/// use dp_assay::accounting::rdp::{delta_at_order, epsilon_at_order};
///
/// // What a divergence of 1 nat at the order α = 11 says: ε = 1 + ln(10/11) − ln(11δ)/10.
/// let epsilon = epsilon_at_order(10.0, 1.0, 1e-5);
/// assert!((1.81..1.82).contains(&epsilon));
/// assert!((0.99e-5..1.01e-5).contains(&delta_at_order(10.0, 1.0, epsilon)));
/// ```
#[must_use]
pub fn epsilon_at_order(beta: f64, divergence: f64, delta: f64) -> f64 {
    if !(beta > 0.0 && divergence < f64::INFINITY) {
        return f64::INFINITY;
    }
    let b = Enclosure::point(beta);
    let log_alpha = b.ln_1p();
    let log_delta = Enclosure::point(delta).ln();
    let epsilon = divergence - (1.0 / b).ln_1p() - (log_delta + log_alpha) / b;
    if epsilon.hi.is_nan() {
        f64::INFINITY
    } else {
        epsilon.hi.max(0.0)
    }
}

/// Upper bound on the δ at ε from one order's divergence bound.
#[must_use]
pub fn delta_at_order(beta: f64, divergence: f64, epsilon: f64) -> f64 {
    if !(beta > 0.0 && divergence < f64::INFINITY) {
        return 1.0;
    }
    let b = Enclosure::point(beta);
    let exponent = b * (Enclosure::point(divergence) - epsilon) - (1.0 + b) * (1.0 / b).ln_1p();
    let delta = (exponent.exp() / b).hi;
    if delta.is_nan() {
        1.0
    } else {
        delta.clamp(0.0, 1.0)
    }
}

/// Upper bound on ε at δ: the least over orders. Never NaN; 0 when δ = 1.
///
/// ```
/// use dp_assay::accounting::rdp::{delta_upper, epsilon_upper};
/// use dp_assay::units::Delta;
///
/// // Any function of β = α − 1 is a curve: here that of Gaussian noise with Δ/σ = 1.
/// let mut curve = |beta: f64| 0.5 * (1.0 + beta);
/// let epsilon = epsilon_upper(&mut curve, Delta::new(1e-5)?)?;
/// // The exact ε is 4.38 nats; an older conversion gives ½ + √(2·ln 10⁵) nats.
/// assert!((4.37..5.3).contains(&epsilon));
/// assert!(delta_upper(&mut curve, epsilon) < 1.01e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// δ = 0 (the limit α → ∞ is the pure ε, which a curve does not reveal).
pub fn epsilon_upper(curve: &mut impl Curve, delta: Delta) -> Result<f64, AccountError> {
    let d = delta.get();
    if d == 1.0 {
        return Ok(0.0);
    }
    let rule = "must be > 0: divergences of finite orders tell of no epsilon at delta = 0";
    AccountError::check(d > 0.0, "delta", d, rule)?;
    let mut least = f64::INFINITY;
    best_order(1.0, |beta| {
        let value = epsilon_at_order(beta, curve.rdp_upper(beta), d);
        least = least.min(value);
        value
    });
    Ok(least)
}

/// Upper bound on δ ≤ 1 at ε (nats, any real number): the least over orders of the conversion of
/// [`delta_at_order`], rounded up.
pub fn delta_upper(curve: &mut impl Curve, epsilon: f64) -> f64 {
    let mut least = 1.0f64;
    best_order(1.0, |beta| {
        let value = delta_at_order(beta, curve.rdp_upper(beta), epsilon);
        least = least.min(value);
        ln(value.max(1e-320))
    });
    least
}

/// β near the minimum of `f` on (0, ∞). Convex functions of β, such as Chernoff's ln δ, and their ratios
/// to β, such as the ε of every order, fall and then rise: doubling steps from `start` find three values
/// around the minimum, parabolas through three values in ln β close in on it. Not directed, and need not be: a bound holds at
/// every order, and a poor one only makes it loose.
///
/// ```
/// use dp_assay::accounting::rdp::best_order;
///
/// // 1/β + β/4 is least at β = 2.
/// let best = best_order(1.0, |beta| 1.0 / beta + 0.25 * beta);
/// assert!((1.9..2.1).contains(&best));
/// ```
pub fn best_order(start: f64, mut f: impl FnMut(f64) -> f64) -> f64 {
    let mut at = |x: f64| {
        let value = f(exp(x));
        (x, if value.is_nan() { f64::INFINITY } else { value })
    };
    let mut middle = at(ln(start));
    let mut beside = [None, None];
    for (side, direction) in [1.0, -1.0].into_iter().enumerate() {
        // Where moments are infinite, those of larger orders are, too.
        if middle.1 == f64::INFINITY && side == 0 {
            continue;
        }
        // A clear rise ends the search, two small ones may be rounding.
        let mut rises = 0;
        let mut x = middle.0;
        while rises < 2 && x.abs() < 100.0 {
            x += direction * std::f64::consts::LN_2;
            let next = at(x);
            if next.1 < middle.1 {
                beside[1 - side] = Some(middle);
                beside[side] = None;
                (middle, rises) = (next, 0);
            } else if middle.1 < f64::INFINITY {
                beside[side] = beside[side].or(Some(next));
                let clear = next.1 - middle.1 > 0.1 * middle.1.abs();
                rises += if clear { 2 } else { 1 };
            }
        }
        if beside[1].is_some() {
            break; // going on in the other direction would only climb
        }
    }
    match beside {
        [Some(right), Some(left)] => close_in(left, middle, right, at),
        _ => exp(middle.0), // falling as far as orders are tried
    }
}

/// exp of the minimiser between three values around it: vertices of parabolas, or the middle of the
/// wider side where they do not help.
fn close_in(
    mut left: (f64, f64),
    mut middle: (f64, f64),
    mut right: (f64, f64),
    mut at: impl FnMut(f64) -> (f64, f64),
) -> f64 {
    /// The vertex is off by less than the last step, and ε by the square of that.
    const STEP: f64 = 3e-4;
    for round in 0..40 {
        let known = left.1 == middle.1 && middle.1 == right.1;
        if known || right.0 - left.0 < STEP {
            break;
        }
        let wider = if right.0 - middle.0 > middle.0 - left.0 {
            0.5 * (middle.0 + right.0)
        } else {
            0.5 * (left.0 + middle.0)
        };
        let vertex = vertex(left, middle, right).filter(|x| left.0 < *x && *x < right.0);
        let near = vertex.is_some_and(|x| (x - middle.0).abs() < STEP);
        if near && round >= 2 {
            break;
        }
        let next = match vertex {
            Some(x) if !near && round % 4 != 3 => at(x),
            _ => at(wider),
        };
        let (a, b) = if next.0 < middle.0 {
            (next, middle)
        } else {
            (middle, next)
        };
        if a.1 <= b.1 {
            (middle, right) = (a, b);
        } else {
            (left, middle) = (a, b);
        }
    }
    exp(middle.0)
}

/// Where the parabola through three points has its minimum, unless they are in line.
fn vertex(left: (f64, f64), middle: (f64, f64), right: (f64, f64)) -> Option<f64> {
    let (before, after) = (middle.0 - left.0, right.0 - middle.0);
    let (falls, rises) = ((left.1 - middle.1) / before, (right.1 - middle.1) / after);
    let shift = 0.5 * (falls * after - rises * before) / (falls + rises);
    shift.is_finite().then_some(middle.0 + shift)
}

#[cfg(test)]
mod tests {
    use super::super::steady;
    use super::*;

    /// How many values a search asks for, and where it ends.
    #[test]
    fn searches_for_an_order_end_where_they_ended() {
        let mut found = Vec::new();
        let valleys: [fn(f64) -> f64; 6] = [
            |beta| 1.0 / beta + 0.25 * beta,
            |beta| (ln(beta) - 1.3).abs(),
            |beta| (ln(beta) + 7.0).powi(4),
            |beta| (3.0 / beta + beta * beta).max(5.0),
            |beta| {
                if beta < 3.0 {
                    1.0 / beta
                } else {
                    f64::INFINITY
                }
            },
            |beta| if beta < 1e3 { f64::INFINITY } else { beta },
        ];
        for valley in valleys {
            for start in [1.0, 40.0] {
                let mut asked = 0.0;
                let best = best_order(start, |beta| {
                    asked += 1.0;
                    valley(beta)
                });
                found.extend([best, asked]);
            }
        }
        steady::holds(
            &found,
            "2.0 5.0 1.999983631386839 11.0 3.6693276306128917 11.0 3.669858492409067 13.0
             0.0009118830528129675 18.0 0.0009135316859452222 27.0 0.6626183215798707 31.0
             0.6567661893702375 30.0 2.9999967493747497 28.0 2.999802557890354 33.0 1.0 146.0
             40.0 151.0",
        );
    }

    #[test]
    fn curves_and_conversions_are_what_they_were() {
        let mut found = Vec::new();
        for pair in [
            Pair::gaussian(1.0, 2.0),
            Pair::removal(0.01, 0.9),
            Pair::replacement(1e-3, 1.0),
        ] {
            let mut curve = PairCurve::new(pair);
            found.push(curve.tolerance());
            found.extend([1e-9, 1e-6, 0.3, 2.0, 50.0, 1.0].map(|beta| curve.rdp_upper(beta)));
            let delta = Delta::new(1e-6).expect("a delta");
            found.push(epsilon_upper(&mut curve, delta).expect("positive"));
            found.push(delta_upper(&mut curve, 0.5));
        }
        for (beta, divergence) in [(1e-5, 0.2), (1.0, 0.7), (60.0, 3.0), (2.0, f64::INFINITY)] {
            found
                .extend([1e-200, 1e-5, 0.5].map(|delta| epsilon_at_order(beta, divergence, delta)));
            found.extend([0.0, 1.0, 9.0].map(|epsilon| delta_at_order(beta, divergence, epsilon)));
        }
        for ends in [
            [(0.0, 3.0), (1.0, 1.0), (4.0, 2.0)],
            [(0.0, 1.0), (1.0, 1.0), (2.0, 1.0)],
        ] {
            let [left, middle, right] = ends;
            found.push(vertex(left, middle, right).unwrap_or(-1.0));
        }
        steady::holds(
            &found,
            "56.38629436111989 0.1250001421035319 0.1250001421035319 0.16250000000009154
         0.3750000000000229 6.375000000000025 0.25000000000008415 2.419093244294215
         0.10428504588242998 63.99961934066053 0.00011727754971999592 0.00011727754971999592
         0.00015414784617382023 0.0003815317186865841 26.784207891773757
         0.00024365962483617083 1.5300788737626387 0.0016682471432268931 67.42921619684438
         2.3430112567054417e-6 2.3430112567054417e-6 3.0459222727825227e-6
         7.029527724487589e-6 18.45509011577191 4.686125335254376e-6 0.7610600560508228
         3.397844201235047e-5 46051689.5469505 1151280.2335665592 69302.40512552967
         0.9998768782754653 0.9998668795566767 0.9997868934058004 459.8307242376897
         10.826631103850351 0.006852819440056003 0.5034381768676204 0.18520455517042989
         6.212920677698845e-5 10.590239776959395 3.1068382247287394 2.9265085866552343 1.0 1.0
         2.7412055484081933e-159 inf inf inf 1.0 1.0 1.0 2.2142857142857144 -1.0",
        );
        assert_eq!(PairCurve::new(Pair::removal(0.0, 1.0)).rdp_upper(1.0), 0.0);
        let none = Delta::new(0.0).expect("a delta");
        let told = epsilon_upper(&mut |_: f64| 1.0, none).expect_err("no ε");
        assert!(told.to_string().contains("delta"), "{told}");
    }

    /// δ ≤ e^{β(D − ε)}·(1 − 1/α)^α/β and its inverse in ε, against MPFR.
    #[test]
    fn conversions_are_rounded_up_and_closely() {
        use rug::Float;
        use rug::ops::Pow;
        let wide = |x: f64| Float::with_val(300, x);
        for beta in [0.01, 0.5, 3.0, 200.0] {
            for divergence in [0.01, 1.0, 9.0] {
                let alpha: Float = wide(beta) + 1u32;
                for epsilon in [0.0, 2.0, 11.0, 30.0] {
                    let grown: Float = (wide(divergence) - epsilon) * beta;
                    let rest: Float = 1 - alpha.clone().recip();
                    let truth: Float = grown.exp() * rest.pow(&alpha) / beta;
                    let found = delta_at_order(beta, divergence, epsilon);
                    let most = truth.clone().min(&wide(1.0));
                    assert!(found >= most, "{beta} {divergence}");
                    let near = found <= most.clone() * (1.0 + 1e-11);
                    assert!(near || most < 1e-290, "{beta} {divergence}");
                }
                for delta in [1e-12, 0.01] {
                    let logs = (wide(delta).ln() + alpha.clone().ln()) / beta;
                    let share: Float = 1 - alpha.clone().recip();
                    let truth: Float = share.ln() + divergence - logs;
                    let found = epsilon_at_order(beta, divergence, delta);
                    let least = truth.max(&wide(0.0));
                    let far: Float = least.clone() + 1e-12 * (1.0 + divergence);
                    assert!(found >= least, "{beta} {divergence} {delta}: {found}");
                    assert!(
                        beta < 0.1 || found <= far,
                        "{beta} {divergence} {delta}: {found}"
                    );
                }
            }
        }
    }
}
