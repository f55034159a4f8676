//! Algorithms 1 to 4 as printed, one comment per line of pseudocode. Slow and plain on purpose.

use super::rules::{Adaptive, Regularised, RegularisedRule};
use super::schedule::Spider;
use super::{Budget, Meter, Observation, Run, RunError, Variant, check_start, finite};
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::risk::{Limits, Risk};
use crate::problem::rows::norm;
use crate::units::Rho;

/// KL Spider (Algorithm 1). The printed line 17 goes back to w_{k,t−1}; repaired, w_{k,t} is carried on.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::risk::hundred_points;
/// use dp_assay::solver::kl::{Budget, Spider, Variant, reference};
/// use dp_assay::units::{Neighbouring, Rho};
///
/// let risk = hundred_points();
/// let (rho, neighbours) = (Rho::new(100.0)?, Neighbouring::ReplaceOne);
/// let budget = Budget { rho, neighbours, variant: Variant::Repaired };
/// let inputs = Spider {
///     beta: 0.1, gamma: 0.5f64.sqrt(), kappa: 2.0, lipschitz: 5.0, smoothness: 1.0, loss_bound: 2.0,
/// };
/// let run = reference::spider(&risk, &[1.5, 0.0], &inputs, &budget, Tape::new(1), &mut |_| ())?;
/// assert!(run.releases > 0 && run.spent_upper <= 100.0); // ρ
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If an input is outside its domain, a record's gradient exceeds L₀ or changes faster than L₁ allows, or a number
/// leaves the range of doubles.
pub fn spider(
    risk: &dyn Risk,
    start: &[f64],
    inputs: &Spider,
    budget: &Budget,
    tape: Tape,
    observe: &mut dyn FnMut(Observation<'_>),
) -> Result<Run, RunError> {
    check_start(risk, start)?;
    let d = risk.dimension();
    let n = risk.records() as f64;
    let (l0, l1) = (inputs.lipschitz, inputs.smoothness);
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
        if !meter.gaussian(l0 / n, schedule.start_deviation)? {
            break;
        }
        let exact = gradient(risk, &w, l0, released)?;
        let mut estimate = noised(&exact, schedule.start_deviation, tape, released);
        observe(Observation::Gradient(&estimate));
        released += 1;

        // 9: t ← 0
        let mut t = 0_u64;
        let mut previous = w.clone();

        // 10: while t ≤ T_k and ‖∇_{k,t}‖ ≥ (7/(8γ)) Φ̂_k^{1/κ}
        while t as f64 <= round.length && norm(&estimate) >= round.threshold {
            //= kl-lem-8-diff-repaired
            if !meter.gaussian(l1 * round.step / n, round.deviation)? {
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
            let here = gradient(risk, &w, l0, released)?;
            let there = gradient(risk, &next, l0, released)?;
            check_change(risk, [&w, &next], inputs, round.step, released)?;
            let exact: Vec<f64> = there.iter().zip(&here).map(|(a, b)| a - b).collect();
            let difference = noised(&exact, round.deviation, tape, released);
            observe(Observation::Difference(&difference));
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
    Ok(Run::of(w, Vec::new(), &meter))
}

/// Adaptive noisy gradient descent (Algorithm 3), and then the draw of t* (Theorem 5) if `select`, which costs up to
/// ρ/2 more.
///
/// The noise on the norm is a scalar. Repaired it is `kl-alg-3-corrected`: D for √(dΛ), the cap for every round at the
/// floor, a norm N_t ≤ 0 included, which is the last one, and the test with √ρ/n less. Of the last round only the norm is
/// released, since w_{T+1} is not. As printed a norm N_t ≤ 0 is charged by N_t², and every round has its gradient.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::risk::hundred_points;
/// use dp_assay::solver::kl::{Adaptive, Budget, Variant, reference};
/// use dp_assay::units::{Neighbouring, Rho};
///
/// let risk = hundred_points();
/// let (rho, neighbours) = (Rho::new(1.0)?, Neighbouring::ReplaceOne);
/// let budget = Budget { rho, neighbours, variant: Variant::Repaired };
/// let inputs = Adaptive { beta: 0.1, lipschitz: 5.0, smoothness: 1.0 };
/// let mut seen = 0;
/// let observe = &mut |_: dp_assay::solver::kl::Observation<'_>| seen += 1;
/// let run = reference::adaptive(&risk, &[1.5, 0.0], &inputs, &budget, false, Tape::new(1), observe)?;
/// assert_eq!(run.releases, seen);
/// assert!(run.spent_upper <= 1.0); // ρ
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    observe: &mut dyn FnMut(Observation<'_>),
) -> Result<Run, RunError> {
    check_start(risk, start)?;
    let d = risk.dimension();
    let (l0, n) = (inputs.lipschitz, risk.records() as f64);
    let mut meter = Meter::new(budget)?;
    let mut norms = Vec::new();

    // 1: η ← 1/(2L_1); t ← 0; ρ_0 ← 0
    let rule = inputs.rule(budget, risk.records(), d)?;
    let mut w = start.to_vec();
    let mut iterates = w.clone();
    let mut charged = 0.0;
    let mut t = 0_u64;

    // 2: while Σ_{j<t} ρ_j ≤ ρ/2 − √ρ/n (printed ρ/2, with the summand ρ_t, not yet assigned)
    //= kl-alg-3
    //= kl-alg-3-corrected
    // As printed only if asked for; kl-alg-3-repaired is the print with the index of its test put right.
    while rule.goes_on(charged) {
        // 3: N_t ← ‖∇F(w_t; S)‖ + b̂_t, b̂_t ~ N(0, σ̂²), σ̂ = L_0/(√n ρ^{1/4})
        if !meter.gaussian(l0 / n, rule.norm_deviation)? {
            break;
        }
        let exact = gradient(risk, &w, l0, t)?;
        let length = norm(&exact);
        let noise = tape.uniform(t, Purpose::Selection, 0).gaussian();
        let noisy = length + rule.norm_deviation * noise;
        observe(Observation::Norm(noisy));
        norms.push(length);

        // 6: ρ_t ← √ρ/n + (DL_0/(nN_t))² if N_t > 2DL_0/(n√ρ), else √ρ/n + ρ/2
        //    (printed min{L_0² dΛ/(n² N_t²), ρ/2} + √ρ/n); known before the gradient, which the last round does without
        //= kl-thm-3-corrected
        charged += rule.charge(noisy);
        if !rule.takes_gradient(charged) {
            break;
        }

        // 4: ∇_t ← ∇F(w_t; S) + b_t, b_t ~ N(0, σ_t² I_d), σ_t = max{N_t/D, 2L_0/(n√ρ)}, printed with √(dΛ) for D
        let deviation = rule.gradient_deviation(noisy);
        if !meter.gaussian(l0 / n, deviation)? {
            break;
        }
        let estimate = noised(&exact, deviation, tape, t);
        observe(Observation::Gradient(&estimate));

        // 5: w_{t+1} ← w_t − η ∇_t
        for (w, g) in w.iter_mut().zip(&estimate) {
            *w -= rule.step * g;
        }
        finite(&w, t)?;

        // 7: t ← t + 1
        t += 1;
        if rule.goes_on(charged) {
            iterates.extend(&w);
        }
    }

    // Theorem 5: t* ∈ {0, …, T} with probability ∝ exp(−(n√ρ/(2L_0)) ‖∇F(w_t; S)‖)
    //= kl-mech-tstar
    //= kl-mech-t
    let released = iterates.len() / d;
    let mut last = released - 1;
    if select {
        meter.stage(Rho::new(budget.rho.get() / 2.0).expect("half of a budget is one"))?;
        if !norms.is_empty() && meter.selection(rule.coefficient, l0 / n)? {
            let score = |t: usize| {
                // Gumbel's law by inversion: −ln(−ln u).
                let u = tape.uniform(t as u64, Purpose::Selection, 1).fraction();
                -rule.coefficient * norms[t] - (-u.ln()).ln()
            };
            last = 0;
            for t in 1..norms.len().min(released) {
                if score(t) > score(last) {
                    last = t;
                }
            }
            observe(Observation::Selected(last));
        }
    }
    let point = iterates[last * d..(last + 1) * d].to_vec();
    Ok(Run::of(point, iterates, &meter))
}

/// Noisy gradient descent for F + L̃_1‖· − w_0‖² (Algorithm 4) with the parameters of Theorem 9.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::risk::hundred_points;
/// use dp_assay::solver::kl::{Budget, Regularised, Variant, reference};
/// use dp_assay::units::{Neighbouring, Rho};
///
/// let risk = hundred_points();
/// let (rho, neighbours) = (Rho::new(1.0)?, Neighbouring::ReplaceOne);
/// let budget = Budget { rho, neighbours, variant: Variant::Repaired };
/// let inputs = Regularised { beta: 0.1, lipschitz: 5.0, weak_convexity: 1.0, length: Some(20) };
/// let run = reference::regularised(&risk, &[1.5, 0.0], &inputs, &budget, Tape::new(1), &mut |_| ())?;
/// assert_eq!(run.releases, 19); // T − 1
/// assert!(run.spent_upper <= 1.0); // ρ
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If an input is outside its domain, a record's gradient exceeds L₀, or a number leaves the range of doubles.
pub fn regularised(
    risk: &dyn Risk,
    start: &[f64],
    inputs: &Regularised,
    budget: &Budget,
    tape: Tape,
    observe: &mut dyn FnMut(Observation<'_>),
) -> Result<Run, RunError> {
    check_start(risk, start)?;
    let mut meter = Meter::new(budget)?;
    let rule = inputs.rule(budget.rho.get(), risk.records(), risk.dimension())?;
    let call = Call {
        inputs,
        rule,
        tape,
        first: 0,
    };
    let point = call.run(risk, start, &mut meter, observe)?;
    Ok(Run::of(point, Vec::new(), &meter))
}

/// The proximal point method (Algorithm 2): `rounds` calls of Algorithm 4 with ρ and β in equal parts.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::risk::hundred_points;
/// use dp_assay::solver::kl::{Budget, Regularised, Variant, reference};
/// use dp_assay::units::{Neighbouring, Rho};
///
/// let risk = hundred_points();
/// # let (rho, neighbours) = (Rho::new(1.0)?, Neighbouring::ReplaceOne);
/// # let budget = Budget { rho, neighbours, variant: Variant::Repaired };
/// let inputs = Regularised { beta: 0.1, lipschitz: 5.0, weak_convexity: 1.0, length: Some(20) };
/// let run = |rounds| reference::proximal(&risk, &[1.5, 0.0], &inputs, rounds, &budget, Tape::new(1), &mut |_| ());
/// assert!(run(2)?.spent_upper <= 1.0); // ρ
/// assert!(run(0).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    observe: &mut dyn FnMut(Observation<'_>),
) -> Result<Run, RunError> {
    check_start(risk, start)?;
    let mut meter = Meter::new(budget)?;
    let mut w = start.to_vec();
    // 2: β′ ← β/T
    let rule = inputs.part(rounds, budget.rho.get(), risk.records(), risk.dimension())?;
    // 3: for t = 1, …, T
    for t in 0..rounds {
        // 4, 5: w_t ← 𝒜(F + L̃_1‖· − w_{t−1}‖², w_{t−1}, ρ/T, β′)
        //= kl-alg-2
        //= kl-alg-2-repaired
        let call = Call {
            inputs,
            rule,
            tape,
            first: t * rule.length,
        };
        w = call.run(risk, &w, &mut meter, observe)?;
    }
    // 7: return w_T
    Ok(Run::of(w, Vec::new(), &meter))
}

/// One call of Algorithm 4; its noise begins at step `first` of the tape.
struct Call<'a> {
    inputs: &'a Regularised,
    rule: RegularisedRule,
    tape: Tape,
    first: u64,
}

impl Call<'_> {
    fn run(
        &self,
        risk: &dyn Risk,
        centre: &[f64],
        meter: &mut Meter,
        observe: &mut dyn FnMut(Observation<'_>),
    ) -> Result<Vec<f64>, RunError> {
        let (l0, l1) = (self.inputs.lipschitz, self.inputs.weak_convexity);
        let RegularisedRule {
            length,
            deviation,
            radius,
        } = self.rule;
        let mut w = centre.to_vec();
        let mut sum = w.clone();
        let mut weights = 1.0;

        // 1: for t = 1, …, T − 1
        //= kl-alg-4
        //= kl-alg-4-repaired
        for t in 1..length {
            if !meter.gaussian(l0 / risk.records() as f64, deviation)? {
                break;
            }
            // 2: ξ_t ~ N(0, σ² I)
            let exact = gradient(risk, &w, l0, self.first + t)?;
            let noisy = noised(&exact, deviation, self.tape, self.first + t);
            observe(Observation::Gradient(&noisy));
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
            finite(&w, self.first + t)?;
            for (sum, w) in sum.iter_mut().zip(&w) {
                *sum += (t + 1) as f64 * w;
            }
            weights += (t + 1) as f64;
        }
        // 5: return (2/(T(T+1))) Σ_{t=1}^{T} t·w_t
        Ok(sum.iter().map(|sum| sum / weights).collect())
    }
}

/// ∇F(w; S), once every record's gradient is found to be within L₀.
fn gradient(risk: &dyn Risk, w: &[f64], lipschitz: f64, step: u64) -> Result<Vec<f64>, RunError> {
    let limits = Limits::of_gradients(lipschitz, w.len());
    let mut one = vec![0.0; w.len()];
    for record in 0..risk.records() {
        risk.record_gradient(record, w, &mut one);
        if let Some(excess) = limits.on_gradient(record, norm(&one)) {
            return Err(RunError::of(excess, step, lipschitz, limits));
        }
    }
    risk.gradient(w, &mut one);
    Ok(one)
}

/// Whether every record's gradient changes by at most L₁ times the length of the step.
fn check_change(
    risk: &dyn Risk,
    [w, next]: [&[f64]; 2],
    inputs: &Spider,
    length: f64,
    step: u64,
) -> Result<(), RunError> {
    let limits = Limits::new(inputs.lipschitz, inputs.smoothness, w, length);
    let (mut here, mut there) = (vec![0.0; w.len()], vec![0.0; w.len()]);
    for record in 0..risk.records() {
        risk.record_gradient(record, w, &mut here);
        risk.record_gradient(record, next, &mut there);
        let change: Vec<f64> = there.iter().zip(&here).map(|(a, b)| a - b).collect();
        if let Some(excess) = limits.on_change(record, norm(&change)) {
            return Err(RunError::of(excess, step, inputs.lipschitz, limits));
        }
    }
    Ok(())
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
