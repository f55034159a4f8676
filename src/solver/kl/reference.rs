//! Algorithms 1 to 4 as printed, one comment per line of pseudocode. Slow and plain on purpose.

use super::schedule::Spider;
use super::{Budget, Meter, Release, Run, RunError, Variant};
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::risk::Risk;
use crate::problem::rows::norm;

/// Inputs of Algorithm 3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptive {
    /// β in (0, 1).
    pub beta: f64,
    /// L₀ > 0.
    pub lipschitz: f64,
    /// L₁ > 0.
    pub smoothness: f64,
}

/// Inputs of Algorithms 2 and 4.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Regularised {
    /// β in (0, 1).
    pub beta: f64,
    /// L₀ > 0.
    pub lipschitz: f64,
    /// L̃₁ > 0, the weak convexity constant.
    pub weak_convexity: f64,
}

/// KL Spider (Algorithm 1). The printed line 17 goes back to w_{k,t−1}; repaired, w_{k,t} is carried on.
///
/// # Errors
/// If an input is outside its domain, a record's gradient exceeds L₀, or a number leaves the range of doubles.
pub fn spider(
    risk: &dyn Risk,
    start: &[f64],
    inputs: &Spider,
    budget: &Budget,
    tape: Tape,
    observe: &mut dyn FnMut(Release<'_>),
) -> Result<Run, RunError> {
    check_start(risk, start)?;
    let d = risk.dimension();
    let n = risk.records() as f64;
    let mut meter = Meter::new(budget)?;
    let mut released = 0;

    // 1: w_{0,0} ← w_0; Φ̂_0 ← F_0
    // 2, 3, 4: c, K, β′, σ̂
    // 6, 7: Φ̂_k, T_k, σ_k
    //= kl-alg-1
    //= kl-alg-1-repaired
    let schedule = inputs.schedule(budget.variant, budget.rho, risk.records(), d)?;
    let mut w = start.to_vec();

    // 5: for k = 1, …, K
    for round in schedule.iter() {
        // 8: ∇_{k,0} ← ∇F(w_{k,0}; S) + b_{k,0}, b_{k,0} ~ N(0, σ̂² I_d)
        //= kl-lem-8-grad-repaired
        if !meter.gaussian(inputs.lipschitz / n, schedule.start_deviation)? {
            break;
        }
        let exact = gradient(risk, &w, inputs.lipschitz, released)?;
        let mut estimate = noised(&exact, schedule.start_deviation, tape, released);
        observe(Release::Gradient(&estimate));
        released += 1;

        // 9: t ← 0
        let mut t = 0_u64;
        let mut previous = w.clone();

        // 10: while t ≤ T_k and ‖∇_{k,t}‖ ≥ (7/(8γ)) Φ̂_k^{1/κ}
        while t as f64 <= round.length && norm(&estimate) >= round.threshold {
            //= kl-lem-8-diff-repaired
            if !meter.gaussian(inputs.smoothness * round.step / n, round.deviation)? {
                break;
            }
            // 11: η_{k,t} ← Φ̂_k^{1/κ}/(4γL_1‖∇_{k,t}‖)
            let eta = round.step / norm(&estimate);

            // 12: w_{k,t+1} ← w_{k,t} − η_{k,t} ∇_{k,t}
            let mut next = w.clone();
            for (next, g) in next.iter_mut().zip(&estimate) {
                *next -= eta * g;
            }
            finite(&next, released)?;

            // 13: Δ_{k,t+1} ← (1/n) Σ_i (∇f(w_{k,t+1}; x_i) − ∇f(w_{k,t}; x_i)) + b_{k,t+1},
            //     b_{k,t+1} ~ N(0, σ_k² I_d)
            let here = gradient(risk, &w, inputs.lipschitz, released)?;
            let there = gradient(risk, &next, inputs.lipschitz, released)?;
            let exact: Vec<f64> = there.iter().zip(&here).map(|(a, b)| a - b).collect();
            let difference = noised(&exact, round.deviation, tape, released);
            observe(Release::Difference(&difference));
            released += 1;

            // 14: ∇_{k,t+1} ← ∇_{k,t} + Δ_{k,t+1}
            for (estimate, change) in estimate.iter_mut().zip(&difference) {
                *estimate += change;
            }

            // 15: t ← t + 1
            previous = w;
            w = next;
            t += 1;
        }

        // 17: w_{k+1,0} ← w_{k,t−1}
        if budget.variant == Variant::Printed {
            w = previous;
        }
        if meter.refused() {
            break;
        }
    }

    // 19: return w̄ = w_{K+1,0}
    Ok(finish(w, Vec::new(), &meter))
}

/// Adaptive noisy gradient descent (Algorithm 3), and then the draw of t* (Theorem 5) if `select`.
///
/// The noise on the norm is a scalar. Printed, a norm N_t ≤ 0 is charged by N_t², repaired by the cap; repaired, both
/// noises are larger by √(1 + 2/(n√ρ)) under replace-one (`kl-thm-3-repaired`), and the filter has the last
/// word. The iterate after the last gradient is not released.
///
/// # Errors
/// If an input is outside its domain, a record's gradient exceeds L₀, or a number leaves the range of doubles.
pub fn adaptive(
    risk: &dyn Risk,
    start: &[f64],
    inputs: &Adaptive,
    budget: &Budget,
    select: bool,
    tape: Tape,
    observe: &mut dyn FnMut(Release<'_>),
) -> Result<Run, RunError> {
    check_start(risk, start)?;
    positive("L_0", inputs.lipschitz)?;
    positive("L_1", inputs.smoothness)?;
    let (n, d) = (risk.records() as f64, risk.dimension() as f64);
    let (l0, rho) = (inputs.lipschitz, budget.rho.get());
    positive("rho", rho)?;
    let root = n * rho.sqrt();
    let lambda = (root / inputs.beta).ln();
    if !(inputs.beta > 0.0 && lambda.is_finite() && lambda > 0.0) {
        let (name, value, rule) = ("n sqrt(rho)/beta", root / inputs.beta, "finite and > 1");
        return Err(RunError::Value { name, value, rule });
    }
    let ratio = noise_ratio(budget, root);
    let mut meter = Meter::new(budget)?;
    let mut norms = Vec::new();

    // 1: η ← 1/(2L_1); t ← 0; ρ_0 ← 0
    let eta = 0.5 / inputs.smoothness;
    let mut w = start.to_vec();
    let mut iterates = vec![w.clone()];
    let mut charged = 0.0;
    let mut t = 0_u64;

    // 2: while Σ_{j<t} ρ_j ≤ ρ/2 (printed with the summand ρ_t, not yet assigned)
    //= kl-alg-3
    //= kl-alg-3-repaired
    while charged <= rho / 2.0 {
        // 3: N_t ← ‖∇F(w_t; S)‖ + b̂_t, b̂_t ~ N(0, σ̂²), σ̂ = L_0/(√n ρ^{1/4})
        let norm_deviation = ratio * l0 / (n.sqrt() * rho.powf(0.25));
        if !meter.gaussian(l0 / n, norm_deviation)? {
            break;
        }
        let exact = gradient(risk, &w, l0, t)?;
        let length = norm(&exact);
        let noise = tape.uniform(t, Purpose::Selection, 0).gaussian();
        let noisy = length + norm_deviation * noise;
        observe(Release::Norm(noisy));
        norms.push(length);

        // 4: ∇_t ← ∇F(w_t; S) + b_t, b_t ~ N(0, σ_t² I_d), σ_t = max{N_t/√(dΛ), 2L_0/(n√ρ)}
        let deviation = ratio * (noisy / (d * lambda).sqrt()).max(2.0 * l0 / root);
        if !meter.gaussian(l0 / n, deviation)? {
            break;
        }
        let estimate = noised(&exact, deviation, tape, t);
        observe(Release::Gradient(&estimate));

        // 5: w_{t+1} ← w_t − η ∇_t
        for (w, g) in w.iter_mut().zip(&estimate) {
            *w -= eta * g;
        }
        finite(&w, t)?;

        // 6: ρ_t ← min{L_0² dΛ/(n² N_t²), ρ/2} + √ρ/n
        //= kl-thm-3-repaired
        let uncapped = l0 * l0 * d * lambda / (n * n * noisy * noisy);
        let capped = match budget.variant {
            Variant::Repaired if noisy <= 0.0 => rho / 2.0,
            _ => uncapped.min(rho / 2.0),
        };
        charged += capped + rho.sqrt() / n;

        // 7: t ← t + 1
        t += 1;
        if charged <= rho / 2.0 {
            iterates.push(w.clone());
        }
    }

    // Theorem 5: t* ∈ {0, …, T} with probability ∝ exp(−(n√ρ/(2L_0)) ‖∇F(w_t; S)‖)
    //= kl-mech-tstar
    //= kl-mech-t
    let mut point = iterates[iterates.len() - 1].clone();
    let coefficient = root / (2.0 * l0);
    if select && meter.selection(coefficient, l0 / n)? {
        let score = |t: usize| {
            // Gumbel's law by inversion: −ln(−ln u).
            let u = (tape.uniform(t as u64, Purpose::Selection, 1).0 as f64 + 0.5) / 2f64.powi(64);
            -coefficient * norms[t] - (-u.ln()).ln()
        };
        let mut best = 0;
        for t in 1..norms.len().min(iterates.len()) {
            if score(t) > score(best) {
                best = t;
            }
        }
        observe(Release::Selected(best));
        point.clone_from(&iterates[best]);
    }
    Ok(finish(point, iterates, &meter))
}

/// The factor √(1 + 2/(n√ρ)) of the repaired noises under replace-one.
fn noise_ratio(budget: &Budget, root: f64) -> f64 {
    use crate::units::Neighbouring::ReplaceOne;
    match (budget.variant, budget.neighbours) {
        (Variant::Repaired, ReplaceOne) => (1.0 + 2.0 / root).sqrt() * (1.0 + 4.0 * f64::EPSILON),
        _ => 1.0,
    }
}

/// Noisy gradient descent for F + L̃_1‖· − w_0‖² (Algorithm 4) with the parameters of Theorem 9.
///
/// # Errors
/// If an input is outside its domain, a record's gradient exceeds L₀, or a number leaves the range of doubles.
pub fn regularised(
    risk: &dyn Risk,
    start: &[f64],
    inputs: &Regularised,
    budget: &Budget,
    tape: Tape,
    observe: &mut dyn FnMut(Release<'_>),
) -> Result<Run, RunError> {
    check_start(risk, start)?;
    let mut meter = Meter::new(budget)?;
    let point = call(
        risk,
        start,
        inputs,
        budget.rho.get(),
        &mut meter,
        tape,
        observe,
    )?;
    Ok(finish(point, Vec::new(), &meter))
}

/// The proximal point method (Algorithm 2): `rounds` calls of Algorithm 4 with ρ and β in equal parts.
///
/// # Errors
/// As [`regularised`]; if there is no round.
pub fn proximal(
    risk: &dyn Risk,
    start: &[f64],
    inputs: &Regularised,
    rounds: u64,
    budget: &Budget,
    tape: Tape,
    observe: &mut dyn FnMut(Release<'_>),
) -> Result<Run, RunError> {
    check_start(risk, start)?;
    positive("number of rounds", rounds as f64)?;
    let mut meter = Meter::new(budget)?;
    let mut w = start.to_vec();
    // 2: β′ ← β/T
    let part = Regularised {
        beta: inputs.beta / rounds as f64,
        ..*inputs
    };
    // 3: for t = 1, …, T
    for t in 1..=rounds {
        // 4, 5: w_t ← 𝒜(F + L̃_1‖· − w_{t−1}‖², w_{t−1}, ρ/T, β′)
        //= kl-alg-2
        //= kl-alg-2-repaired
        let rho = budget.rho.get() / rounds as f64;
        w = call(
            risk,
            &w,
            &part,
            rho,
            &mut meter,
            tape.trial(tape.number() + t),
            observe,
        )?;
    }
    // 7: return w_T
    Ok(finish(w, Vec::new(), &meter))
}

/// One call of Algorithm 4.
fn call(
    risk: &dyn Risk,
    centre: &[f64],
    inputs: &Regularised,
    rho: f64,
    meter: &mut Meter,
    tape: Tape,
    observe: &mut dyn FnMut(Release<'_>),
) -> Result<Vec<f64>, RunError> {
    let (l0, l1) = (inputs.lipschitz, inputs.weak_convexity);
    positive("L_0", l0)?;
    positive("weak convexity constant", l1)?;
    positive("rho", rho)?;
    let (n, d) = (risk.records() as f64, risk.dimension() as f64);
    // Theorem 9: T = n²ρ log²(2/β)/d, rounded up; σ² = 4L_0²T/(n²ρ)
    let length = (n * n * rho * (2.0 / inputs.beta).ln().powi(2) / d).ceil();
    if !(inputs.beta > 0.0 && inputs.beta < 1.0 && (1.0..1e9).contains(&length)) {
        let (name, value, rule) = ("T = n^2 rho log^2(2/beta)/d", length, "in [1, 1e9]");
        return Err(RunError::Value { name, value, rule });
    }
    let deviation = 2.0 * l0 * length.sqrt() / (n * rho.sqrt());
    let radius = l0 / (2.0 * l1);
    let mut w = centre.to_vec();
    let mut sum: Vec<f64> = w.clone();

    // 1: for t = 1, …, T − 1
    //= kl-alg-4
    //= kl-alg-4-repaired
    for t in 1..length as u64 {
        if !meter.gaussian(l0 / n, deviation)? {
            break;
        }
        // 2: ξ_t ~ N(0, σ² I)
        let exact = gradient(risk, &w, l0, t)?;
        let noisy = noised(&exact, deviation, tape, t);
        observe(Release::Gradient(&noisy));
        // 3: w_{t+1} ← Π(w_t − η_t (∇F̃(w_t; S) + ξ_t)), onto the ball of radius L_0/(2L̃_1) about w_0
        let eta = 1.0 / (l1 * t as f64);
        for k in 0..w.len() {
            w[k] -= eta * (noisy[k] + 2.0 * l1 * (w[k] - centre[k]));
        }
        let away: Vec<f64> = w.iter().zip(centre).map(|(w, c)| w - c).collect();
        let distance = norm(&away);
        if distance > radius {
            for k in 0..w.len() {
                w[k] = centre[k] + away[k] * (radius / distance);
            }
        }
        finite(&w, t)?;
        for (sum, w) in sum.iter_mut().zip(&w) {
            *sum += (t + 1) as f64 * w;
        }
    }
    // 5: return (2/(T(T+1))) Σ_{t=1}^{T} t·w_t
    for sum in &mut sum {
        *sum *= 2.0 / (length * (length + 1.0));
    }
    Ok(sum)
}

/// ∇F(w; S), once every record's gradient is found to be within L₀.
fn gradient(risk: &dyn Risk, w: &[f64], lipschitz: f64, step: u64) -> Result<Vec<f64>, RunError> {
    let mut one = vec![0.0; risk.dimension()];
    for record in 0..risk.records() {
        risk.record_gradient(record, w, &mut one);
        let norm = norm(&one);
        // Constants are attained: leave room for the rounding of d products.
        let most = lipschitz * (1.0 + (risk.dimension() as f64 + 8.0) * f64::EPSILON);
        if norm.is_nan() || norm > most {
            return Err(RunError::Lipschitz {
                step,
                record,
                norm,
                lipschitz,
            });
        }
    }
    risk.gradient(w, &mut one);
    Ok(one)
}

/// value + N(0, deviation² I), by the release variates of a step.
fn noised(value: &[f64], deviation: f64, tape: Tape, step: u64) -> Vec<f64> {
    let mut words = tape.stream(step, Purpose::Release, 0);
    let mut noisy = Vec::new();
    for v in value {
        noisy.push(v + deviation * words.uniform().gaussian());
    }
    noisy
}

fn finish(point: Vec<f64>, iterates: Vec<Vec<f64>>, meter: &Meter) -> Run {
    Run {
        point,
        iterates,
        spent_upper: meter.spent_upper(),
        releases: meter.releases(),
        cut: meter.refused(),
    }
}

fn check_start(risk: &dyn Risk, start: &[f64]) -> Result<(), RunError> {
    let finite = start.iter().filter(|w| w.is_finite()).count();
    let (found, expected) = (start.len(), risk.dimension());
    match found == expected && finite == found {
        true => Ok(()),
        false => Err(RunError::Start {
            found,
            finite,
            expected,
        }),
    }
}

fn finite(w: &[f64], step: u64) -> Result<(), RunError> {
    match w.iter().all(|w| w.is_finite()) {
        true => Ok(()),
        false => Err(RunError::Diverged { step }),
    }
}

fn positive(name: &'static str, value: f64) -> Result<(), RunError> {
    let rule = "finite and > 0";
    match value.is_finite() && value > 0.0 {
        true => Ok(()),
        false => Err(RunError::Value { name, value, rule }),
    }
}
