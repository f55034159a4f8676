//! Algorithms 1 to 4 fast.
//!
//! Differs from [`super::reference`] in what is computed again, never in what is released ([`super::bound`] counts the
//! roundings):
//!
//! | difference | effect |
//! |---|---|
//! | a gradient takes one pass over the records, in which they are held to the limits too ([`Risk::visit`]) | rounding of sums |
//! | ∇F at the carried point is kept: a difference takes one pass, the first gradient of a round none | none |
//! | the changes that L₁ bounds are those of the slopes kept from the last pass | rounding of the bound |
//! | the norm of an estimate is taken once for test and step | none |
//! | the average of Algorithm 4 is kept as such: w̄_t = (1 − 2/(t+1))w̄_{t−1} + (2/(t+1))w_t | rounding of the average |
//! | t* is drawn while the iterates are made: the largest score so far is kept | none |
//!
//! Nothing is allocated per release; the list of Algorithm 3's iterates, which it returns, grows by doubling.

use super::rules::{Adaptive, Regularised, RegularisedRule};
use super::schedule::{Round, Spider};
use super::{Budget, Meter, Observation, Run, RunError, Variant, check_start, finite};
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::risk::{Limits, Risk, Visited};
use crate::problem::rows::norm;
use crate::units::Rho;
use std::mem::swap;

type Observer<'a> = &'a mut dyn FnMut(Observation<'_>);

/// KL Spider; as [`super::reference::spider`].
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::risk::hundred_points;
/// use dp_assay::solver::kl::{Budget, Spider, Variant, optimized};
/// use dp_assay::units::{Neighbouring, Rho};
///
/// let risk = hundred_points();
/// let (rho, neighbours) = (Rho::new(100.0)?, Neighbouring::ReplaceOne);
/// let budget = Budget { rho, neighbours, variant: Variant::Repaired };
/// let inputs = Spider {
///     beta: 0.1, gamma: 0.5f64.sqrt(), kappa: 2.0, lipschitz: 5.0, smoothness: 1.0, loss_bound: 2.0,
/// };
/// let run = optimized::spider(&risk, &[1.5, 0.0], &inputs, &budget, Tape::new(1), &mut |_| ())?;
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
    observe: Observer<'_>,
) -> Result<Run, RunError> {
    check_start(risk, start)?;
    let d = risk.dimension();
    let unit = inputs.lipschitz / risk.records() as f64;
    let mut meter = Meter::new(budget)?;
    //= kl-alg-1
    //= kl-alg-1-repaired
    let schedule = inputs.schedule(budget.variant, budget.rho, risk.records(), d)?;
    let mut walk = Walk {
        risk,
        inputs,
        tape,
        here: Visited::at(start),
        before: Visited::at(start),
        next: Visited::at(start),
        estimate: vec![0.0; d],
        difference: vec![0.0; d],
        released: 0,
    };
    for round in schedule.iter() {
        //= kl-lem-8-grad-repaired
        if !meter.gaussian(unit, schedule.start_deviation)? {
            break;
        }
        walk.begin(schedule.start_deviation, observe)?;
        let steps = walk.round(&round, &mut meter, observe)?;
        // Line 17 as printed: back to the point before the last step.
        if budget.variant == Variant::Printed && steps > 0 {
            swap(&mut walk.here, &mut walk.before);
        }
        if meter.refused() {
            break;
        }
    }
    Ok(Run::of(walk.here.point, Vec::new(), &meter))
}

/// The state of KL Spider.
struct Walk<'a> {
    risk: &'a dyn Risk,
    inputs: &'a Spider,
    tape: Tape,
    /// w_{k,t}; visited once something has been released.
    here: Visited,
    /// w_{k,t−1}.
    before: Visited,
    next: Visited,
    /// ∇_{k,t}.
    estimate: Vec<f64>,
    difference: Vec<f64>,
    released: u64,
}

impl Walk<'_> {
    /// Line 8.
    fn begin(&mut self, deviation: f64, observe: Observer<'_>) -> Result<(), RunError> {
        let l0 = self.inputs.lipschitz;
        if self.released == 0 {
            visit(self.risk, &mut self.here, l0, 0)?;
        }
        let exact = self.here.gradient.iter().copied();
        noise(
            &mut self.estimate,
            exact,
            deviation,
            self.tape,
            self.released,
        );
        observe(Observation::Gradient(&self.estimate));
        self.released += 1;
        Ok(())
    }

    /// Lines 9 to 16: the number of steps taken.
    fn round(
        &mut self,
        round: &Round,
        meter: &mut Meter,
        observe: Observer<'_>,
    ) -> Result<u64, RunError> {
        let unit = self.inputs.smoothness * round.step / self.risk.records() as f64;
        let mut length = norm(&self.estimate);
        let mut t = 0_u64;
        while t as f64 <= round.length && length >= round.threshold {
            //= kl-lem-8-diff-repaired
            if !meter.gaussian(unit, round.deviation)? {
                break;
            }
            self.step(round, length)?;
            let changes = self.next.gradient.iter().zip(&self.here.gradient);
            let changes = changes.map(|(a, b)| a - b);
            let (tape, released) = (self.tape, self.released);
            noise(
                &mut self.difference,
                changes,
                round.deviation,
                tape,
                released,
            );
            observe(Observation::Difference(&self.difference));
            self.released += 1;
            for (estimate, change) in self.estimate.iter_mut().zip(&self.difference) {
                *estimate += change;
            }
            length = norm(&self.estimate);
            swap(&mut self.before, &mut self.here);
            swap(&mut self.here, &mut self.next);
            t += 1;
        }
        Ok(t)
    }

    /// Lines 11 and 12, and the gradient at w_{k,t+1}.
    fn step(&mut self, round: &Round, length: f64) -> Result<(), RunError> {
        let eta = round.step / length;
        let points = self.here.point.iter().zip(&self.estimate);
        for (next, (w, g)) in self.next.point.iter_mut().zip(points) {
            *next = w - eta * g;
        }
        finite(&self.next.point, self.released)?;
        let Spider {
            lipschitz,
            smoothness,
            ..
        } = *self.inputs;
        let limits = Limits::new(lipschitz, smoothness, &self.here.point, round.step);
        match self.risk.visit(&mut self.next, Some(&self.here), limits) {
            None => Ok(()),
            Some(excess) => Err(RunError::of(excess, self.released, lipschitz, limits)),
        }
    }
}

/// Adaptive noisy gradient descent; as [`super::reference::adaptive`].
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::risk::hundred_points;
/// use dp_assay::solver::kl::{Adaptive, Budget, Variant, optimized};
/// use dp_assay::units::{Neighbouring, Rho};
///
/// let risk = hundred_points();
/// let (rho, neighbours) = (Rho::new(1.0)?, Neighbouring::ReplaceOne);
/// let budget = Budget { rho, neighbours, variant: Variant::Repaired };
/// let inputs = Adaptive { beta: 0.1, lipschitz: 5.0, smoothness: 1.0 };
/// let mut seen = 0;
/// let observe = &mut |_: dp_assay::solver::kl::Observation<'_>| seen += 1;
/// let run = optimized::adaptive(&risk, &[1.5, 0.0], &inputs, &budget, false, Tape::new(1), observe)?;
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
    observe: Observer<'_>,
) -> Result<Run, RunError> {
    check_start(risk, start)?;
    let d = risk.dimension();
    let unit = inputs.lipschitz / risk.records() as f64;
    let mut meter = Meter::new(budget)?;
    let rule = inputs.rule(budget, risk.records(), d)?;
    let mut at = Visited::at(start);
    let mut estimate = vec![0.0; d];
    let mut iterates = start.to_vec();
    // The largest score and whose it is.
    let mut best = (f64::NEG_INFINITY, None);
    let (mut charged, mut t) = (0.0, 0_u64);
    //= kl-alg-3
    //= kl-alg-3-corrected
    // As printed only if asked for; kl-alg-3-repaired is the print with the index of its test put right.
    while rule.goes_on(charged) {
        if !meter.gaussian(unit, rule.norm_deviation)? {
            break;
        }
        visit(risk, &mut at, inputs.lipschitz, t)?;
        let length = norm(&at.gradient);
        if select {
            let u = tape.uniform(t, Purpose::Selection, 1).fraction();
            let score = -rule.coefficient * length - (-u.ln()).ln();
            if best.1.is_none() || score > best.0 {
                best = (score, Some(t as usize));
            }
        }
        let drawn = tape.uniform(t, Purpose::Selection, 0).gaussian();
        let noisy = length + rule.norm_deviation * drawn;
        observe(Observation::Norm(noisy));
        //= kl-thm-3-corrected
        charged += rule.charge(noisy);
        if !rule.takes_gradient(charged) {
            break;
        }
        let deviation = rule.gradient_deviation(noisy);
        if !meter.gaussian(unit, deviation)? {
            break;
        }
        noise(
            &mut estimate,
            at.gradient.iter().copied(),
            deviation,
            tape,
            t,
        );
        observe(Observation::Gradient(&estimate));
        for (w, g) in at.point.iter_mut().zip(&estimate) {
            *w -= rule.step * g;
        }
        finite(&at.point, t)?;
        t += 1;
        if rule.goes_on(charged) {
            iterates.extend_from_slice(&at.point);
        }
    }
    //= kl-mech-tstar
    //= kl-mech-t
    let mut last = iterates.len() / d - 1;
    if select {
        meter.stage(Rho::new(budget.rho.get() / 2.0).expect("half of a budget is one"))?;
        if let Some(t) = best.1
            && meter.selection(rule.coefficient, unit)?
        {
            last = t;
            observe(Observation::Selected(last));
        }
    }
    let point = iterates[last * d..(last + 1) * d].to_vec();
    Ok(Run::of(point, iterates, &meter))
}

/// Noisy gradient descent for regularised losses; as [`super::reference::regularised`].
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::risk::hundred_points;
/// use dp_assay::solver::kl::{Budget, Regularised, Variant, optimized};
/// use dp_assay::units::{Neighbouring, Rho};
///
/// let risk = hundred_points();
/// let (rho, neighbours) = (Rho::new(1.0)?, Neighbouring::ReplaceOne);
/// let budget = Budget { rho, neighbours, variant: Variant::Repaired };
/// let inputs = Regularised { beta: 0.1, lipschitz: 5.0, weak_convexity: 1.0, length: Some(20) };
/// let run = optimized::regularised(&risk, &[1.5, 0.0], &inputs, &budget, Tape::new(1), &mut |_| ())?;
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
    observe: Observer<'_>,
) -> Result<Run, RunError> {
    check_start(risk, start)?;
    let mut meter = Meter::new(budget)?;
    let rule = inputs.rule(budget.rho.get(), risk.records(), risk.dimension())?;
    let mut descent = Descent::new(risk, inputs, rule, tape, start);
    descent.call(0, &mut meter, observe)?;
    Ok(Run::of(descent.average, Vec::new(), &meter))
}

/// The proximal point method; as [`super::reference::proximal`].
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::risk::hundred_points;
/// use dp_assay::solver::kl::{Budget, Regularised, Variant, optimized};
/// use dp_assay::units::{Neighbouring, Rho};
///
/// let risk = hundred_points();
/// # let (rho, neighbours) = (Rho::new(1.0)?, Neighbouring::ReplaceOne);
/// # let budget = Budget { rho, neighbours, variant: Variant::Repaired };
/// let inputs = Regularised { beta: 0.1, lipschitz: 5.0, weak_convexity: 1.0, length: Some(20) };
/// let run = |rounds| optimized::proximal(&risk, &[1.5, 0.0], &inputs, rounds, &budget, Tape::new(1), &mut |_| ());
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
    observe: Observer<'_>,
) -> Result<Run, RunError> {
    check_start(risk, start)?;
    let mut meter = Meter::new(budget)?;
    let rule = inputs.part(rounds, budget.rho.get(), risk.records(), risk.dimension())?;
    let mut descent = Descent::new(risk, inputs, rule, tape, start);
    for t in 0..rounds {
        //= kl-alg-2
        //= kl-alg-2-repaired
        descent.call(t * rule.length, &mut meter, observe)?;
    }
    Ok(Run::of(descent.average, Vec::new(), &meter))
}

/// The state of Algorithm 4.
struct Descent<'a> {
    risk: &'a dyn Risk,
    inputs: &'a Regularised,
    rule: RegularisedRule,
    tape: Tape,
    centre: Vec<f64>,
    at: Visited,
    noisy: Vec<f64>,
    /// w̄_t; between calls what the last one returned.
    average: Vec<f64>,
}

impl<'a> Descent<'a> {
    fn new(
        risk: &'a dyn Risk,
        inputs: &'a Regularised,
        rule: RegularisedRule,
        tape: Tape,
        start: &[f64],
    ) -> Self {
        Self {
            risk,
            inputs,
            rule,
            tape,
            centre: start.to_vec(),
            at: Visited::at(start),
            noisy: start.to_vec(),
            average: start.to_vec(),
        }
    }

    /// One call about the average, whose noise begins at step `first` of the tape.
    fn call(
        &mut self,
        first: u64,
        meter: &mut Meter,
        observe: Observer<'_>,
    ) -> Result<(), RunError> {
        let (l0, l1) = (self.inputs.lipschitz, self.inputs.weak_convexity);
        let unit = l0 / self.risk.records() as f64;
        self.centre.copy_from_slice(&self.average);
        self.at.point.copy_from_slice(&self.average);
        //= kl-alg-4
        //= kl-alg-4-repaired
        for t in 1..self.rule.length {
            if !meter.gaussian(unit, self.rule.deviation)? {
                break;
            }
            visit(self.risk, &mut self.at, l0, first + t)?;
            let exact = self.at.gradient.iter().copied();
            let deviation = self.rule.deviation;
            noise(&mut self.noisy, exact, deviation, self.tape, first + t);
            observe(Observation::Gradient(&self.noisy));
            self.project(1.0 / (l1 * t as f64));
            finite(&self.at.point, first + t)?;
            let share = 2.0 / (t + 2) as f64;
            for (mean, w) in self.average.iter_mut().zip(&self.at.point) {
                *mean += share * (w - *mean);
            }
        }
        Ok(())
    }

    /// Line 3.
    fn project(&mut self, eta: f64) {
        let (l1, w) = (self.inputs.weak_convexity, &mut self.at.point);
        for ((w, g), c) in w.iter_mut().zip(&mut self.noisy).zip(&self.centre) {
            *w -= eta * (*g + 2.0 * l1 * (*w - c));
            *g = *w - c;
        }
        let distance = norm(&self.noisy);
        if distance > self.rule.radius {
            let shrink = self.rule.radius / distance;
            for ((w, away), c) in w.iter_mut().zip(&self.noisy).zip(&self.centre) {
                *w = c + away * shrink;
            }
        }
    }
}

/// ∇F at a point, once every record's gradient is found to be within L₀.
fn visit(risk: &dyn Risk, at: &mut Visited, lipschitz: f64, step: u64) -> Result<(), RunError> {
    let limits = Limits::of_gradients(lipschitz, at.point.len());
    match risk.visit(at, None, limits) {
        None => Ok(()),
        Some(excess) => Err(RunError::of(excess, step, lipschitz, limits)),
    }
}

/// value + N(0, deviation² I) into `out`, by the release variates of a step.
fn noise(out: &mut [f64], value: impl Iterator<Item = f64>, deviation: f64, tape: Tape, step: u64) {
    tape.stream(step, Purpose::Release, 0).gaussians(out);
    for (out, value) in out.iter_mut().zip(value) {
        *out = value + deviation * *out;
    }
}
