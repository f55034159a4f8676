//! Algorithms 1 and 3 in their repaired form, and mistakes that are made.

use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::problem::risk::Risk;
use dp_assay::problem::rows::norm;
use dp_assay::solver::kl::{Adaptive, Budget, Meter, Observation, Run, RunError, Spider};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bug {
    None,
    /// The filter sees the first release of a round and no other.
    ChargedOncePerRound,
    /// σ_k without its factor √T_k.
    WrongDifferenceScale,
    /// The loop looks at the true gradient's norm.
    StopsOnTrueGradient,
    NormWithoutNoise,
    /// ρ_t from the true norm.
    ChargedByTrueNorm,
    /// The whole run ends when the true gradient's norm is below 0.95.
    EndsOnTrueGradient,
}

impl Bug {
    pub const ALL: [Self; 7] = [
        Self::None,
        Self::ChargedOncePerRound,
        Self::WrongDifferenceScale,
        Self::StopsOnTrueGradient,
        Self::NormWithoutNoise,
        Self::ChargedByTrueNorm,
        Self::EndsOnTrueGradient,
    ];
}

fn gradient(risk: &dyn Risk, w: &[f64]) -> Vec<f64> {
    let mut gradient = vec![0.0; w.len()];
    risk.gradient(w, &mut gradient);
    gradient
}

fn noised(value: Vec<f64>, deviation: f64, tape: Tape, step: u64) -> Vec<f64> {
    let mut words = tape.stream(step, Purpose::Release, 0);
    let noise = |v| v + deviation * words.uniform().gaussian();
    value.into_iter().map(noise).collect()
}

fn run(point: Vec<f64>, iterates: Vec<f64>, meter: &Meter) -> Run {
    Run {
        point,
        iterates,
        spent_upper: meter.spent_upper(),
        releases: meter.releases(),
        cut: meter.refused(),
    }
}

pub fn spider_with(
    bug: Bug,
    risk: &dyn Risk,
    start: &[f64],
    inputs: &Spider,
    budget: &Budget,
    tape: Tape,
    observe: &mut dyn FnMut(Observation<'_>),
) -> Result<Run, RunError> {
    let n = risk.records() as f64;
    let mut meter = Meter::new(budget)?;
    let schedule = inputs.schedule(budget.variant, budget.rho, risk.records(), start.len())?;
    let (mut w, mut step) = (start.to_vec(), 0);
    for round in schedule.iter() {
        if !meter.gaussian(inputs.lipschitz / n, schedule.start_deviation)? {
            break;
        }
        let mut exact = gradient(risk, &w);
        if bug == Bug::EndsOnTrueGradient && norm(&exact) < 0.95 {
            break;
        }
        let mut estimate = noised(exact.clone(), schedule.start_deviation, tape, step);
        observe(Observation::Gradient(&estimate));
        step += 1;
        let mut t = 0_u64;
        loop {
            let looked_at = match bug {
                Bug::StopsOnTrueGradient => norm(&exact),
                _ => norm(&estimate),
            };
            if t as f64 > round.length || looked_at < round.threshold {
                break;
            }
            let charged = bug != Bug::ChargedOncePerRound;
            if charged && !meter.gaussian(inputs.smoothness * round.step / n, round.deviation)? {
                break;
            }
            let eta = round.step / norm(&estimate);
            for (w, g) in w.iter_mut().zip(&estimate) {
                *w -= eta * g;
            }
            let next = gradient(risk, &w);
            let change = next.iter().zip(&exact).map(|(a, b)| a - b).collect();
            let deviation = match bug {
                Bug::WrongDifferenceScale => round.deviation / round.length.sqrt(),
                _ => round.deviation,
            };
            let difference = noised(change, deviation, tape, step);
            observe(Observation::Difference(&difference));
            step += 1;
            estimate
                .iter_mut()
                .zip(&difference)
                .for_each(|(e, c)| *e += c);
            exact = next;
            t += 1;
        }
    }
    Ok(run(w, Vec::new(), &meter))
}

pub fn adaptive_with(
    bug: Bug,
    risk: &dyn Risk,
    start: &[f64],
    inputs: &Adaptive,
    budget: &Budget,
    tape: Tape,
    observe: &mut dyn FnMut(Observation<'_>),
) -> Result<Run, RunError> {
    let unit = inputs.lipschitz / risk.records() as f64;
    let mut meter = Meter::new(budget)?;
    let rule = inputs.rule(budget, risk.records(), start.len())?;
    let (mut w, mut iterates) = (start.to_vec(), start.to_vec());
    let (mut charged, mut t) = (0.0, 0);
    // Whoever charges once a round has no other limit than this.
    while rule.goes_on(charged) && meter.gaussian(unit, rule.norm_deviation)? {
        let exact = gradient(risk, &w);
        let length = norm(&exact);
        let noisy = match bug {
            Bug::NormWithoutNoise => length,
            _ => {
                let noise = tape.uniform(t, Purpose::Selection, 0).gaussian();
                length + rule.norm_deviation * noise
            }
        };
        observe(Observation::Norm(noisy));
        charged += match bug {
            Bug::ChargedOncePerRound => budget.rho.get().sqrt() / risk.records() as f64,
            Bug::ChargedByTrueNorm => rule.charge(length),
            _ => rule.charge(noisy),
        };
        if !rule.takes_gradient(charged) {
            break;
        }
        let deviation = rule.gradient_deviation(noisy);
        if bug != Bug::ChargedOncePerRound && !meter.gaussian(unit, deviation)? {
            break;
        }
        let estimate = noised(exact, deviation, tape, t);
        observe(Observation::Gradient(&estimate));
        for (w, g) in w.iter_mut().zip(&estimate) {
            *w -= rule.step * g;
        }
        t += 1;
        if rule.goes_on(charged) {
            iterates.extend(&w);
        }
    }
    let last = iterates[iterates.len() - start.len()..].to_vec();
    Ok(run(last, iterates, &meter))
}
