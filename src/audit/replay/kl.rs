//! Transcripts of KL Spider, adaptive and regularised noisy gradient descent as recorded mechanisms.

use super::{Address, Declared, NoiseLaw, Query, Recorded, Recorder};
use crate::audit::Output;
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::risk::Risk;
use crate::problem::rows::norm;
use crate::solver::kl::bound::{Kept, RiskConstants};
use crate::solver::kl::{
    Adaptive, Budget, Meter, Observation, Regularised, Round, Run, RunError, Spider, Variant,
};
use crate::units::Neighbouring;
use std::iter::Peekable;
use std::vec::IntoIter;

/// An algorithm with its inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KlAlgorithm {
    /// Algorithm 1.
    Spider(Spider),
    /// Algorithm 3, without a draw of t*.
    Adaptive(Adaptive),
    /// Algorithm 4.
    Regularised(Regularised),
}

/// A solver of one of them from a start: a reference, an optimized one, or a broken one.
pub type KlSolver = fn(
    &dyn Risk,
    &[f64],
    &KlAlgorithm,
    &Budget,
    Tape,
    &mut dyn FnMut(Observation<'_>),
) -> Result<Run, RunError>;

/// Runs a solver and follows the releases that it makes.
///
/// While recording, the solver runs on D; every release must be what data and noise make of the point that the
/// releases before it lead to, of the kind that they ask for and as long as the filter admits it, and the costs of all
/// releases must keep the budget and be those that the solver says were spent. On D′ the gradients are computed anew along
/// the same points. Queries are labelled `gradient`, `difference` and `norm`.
///
/// ```
/// use dp_assay::audit::replay::{KlAlgorithm, KlTranscript, Replay};
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::loss::Linear;
/// use dp_assay::problem::risk::{Margins, Risk};
/// use dp_assay::problem::rows::Matrix;
/// use dp_assay::solver::kl::bound::RiskConstants;
/// use dp_assay::solver::kl::{Adaptive, Budget, Observation, Run, RunError, Variant, reference};
/// use dp_assay::units::{Neighbouring, Rho};
///
/// fn solver(
///     risk: &dyn Risk,
///     start: &[f64],
///     algorithm: &KlAlgorithm,
///     budget: &Budget,
///     tape: Tape,
///     observe: &mut dyn FnMut(Observation<'_>),
/// ) -> Result<Run, RunError> {
///     let KlAlgorithm::Adaptive(inputs) = algorithm else { unreachable!("only this one is asked for") };
///     reference::adaptive(risk, start, inputs, budget, false, tape, observe)
/// }
///
/// // Twenty linear losses with gradients of norm 1, the last of which turns round.
/// let risk = |last: f64| -> Result<Box<dyn Risk>, Box<dyn std::error::Error>> {
///     let mut rows = [1.0, 0.0].repeat(19);
///     rows.extend([0.0, last]);
///     Ok(Box::new(Margins::new(Matrix::new(2, rows, vec![0.0; 20])?, Linear)))
/// };
/// let algorithm = KlAlgorithm::Adaptive(Adaptive { beta: 0.1, lipschitz: 1.0, smoothness: 1.0 });
/// let (neighbours, variant) = (Neighbouring::ReplaceOne, Variant::Repaired);
/// let budget = Budget { rho: Rho::new(10.0)?, neighbours, variant };
/// let constants = RiskConstants { records: 20, dimension: 2, lipschitz: 1.0, smoothness: 1.0 };
/// let transcript = KlTranscript::new(solver, algorithm, budget, constants, vec![0.5, 0.25]);
/// let report = Replay::of(&transcript).run(&risk(1.0)?, &risk(-1.0)?);
/// assert!(report.passed(), "{report}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct KlTranscript {
    solver: KlSolver,
    algorithm: KlAlgorithm,
    budget: Budget,
    constants: RiskConstants,
    start: Vec<f64>,
}

/// Widest relative rounding of a sum of costs: ten of each cost, one of the sum for each, both of 2⁻⁵³, for up to 10⁶
/// releases.
const COSTS: f64 = 1e-9;

/// What is known on the way through a transcript.
struct Walk<'a, 'r, 'h> {
    transcript: &'a KlTranscript,
    risk: &'a dyn Risk,
    given: Option<Peekable<IntoIter<Kept>>>,
    recorder: &'r mut Recorder<'h>,
    meter: Meter,
    w: Vec<f64>,
    reach: f64,
    spent: f64,
}

impl KlTranscript {
    /// The constants are those of the risk that the rounding depends on ([`crate::solver::kl::bound`]).
    #[must_use]
    pub const fn new(
        solver: KlSolver,
        algorithm: KlAlgorithm,
        budget: Budget,
        constants: RiskConstants,
        start: Vec<f64>,
    ) -> Self {
        Self {
            solver,
            algorithm,
            budget,
            constants,
            start,
        }
    }

    /// m: how many times L₀/n the claim lets a mean gradient move.
    fn multiple(&self) -> f64 {
        match self.budget.neighbours {
            Neighbouring::ZeroOut => 1.0,
            _ => 2.0,
        }
    }
}

impl Walk<'_, '_, '_> {
    /// L₀/n.
    fn unit(&self, lipschitz: f64) -> f64 {
        lipschitz / self.transcript.constants.records as f64
    }

    fn gradient(&self, w: &[f64]) -> Vec<f64> {
        let mut gradient = vec![0.0; w.len()];
        self.risk.gradient(w, &mut gradient);
        gradient
    }

    /// Whether the transcript goes on as it should with a release of this kind; while replaying it does.
    fn goes_on(&mut self, should: bool, kind: fn(&Kept) -> bool) -> bool {
        let found = match &mut self.given {
            Some(given) => given.peek().is_some_and(kind),
            None => should,
        };
        self.recorder
            .expect("goes on", f64::from(should), f64::from(found), 0.0);
        self.recorder.branch("goes on", found);
        found && should
    }

    /// Whether the filter admits a release that moves by at most `unit` times m.
    fn admits(&mut self, (unit, deviation): (f64, f64)) -> bool {
        self.meter.gaussian(unit, deviation).unwrap_or(false)
    }

    /// Asks for values at `step` that move by at most `unit` times m, and charges them.
    fn ask(
        &mut self,
        label: &'static str,
        values: &[f64],
        (unit, deviation): (f64, f64),
        address: Address,
    ) -> Vec<f64> {
        let declared = self.transcript.multiple() * unit;
        self.spent += 0.5 * (declared / deviation) * (declared / deviation);
        // A difference has two gradients, a norm d + 2 more roundings of one.
        let one = self.transcript.constants.gradient_rounding(self.reach);
        let rounding = 2.0 * one;
        let query = Query {
            label,
            values,
            rounding: &[rounding],
            declared: Declared::L2(declared),
            law: NoiseLaw::Gaussian,
            scales: &[deviation],
            address,
        };
        let Some(given) = &mut self.given else {
            return self.recorder.noised(query);
        };
        let given = match given.next() {
            Some(Kept::Gradient(v) | Kept::Difference(v)) => v,
            Some(Kept::Norm(x)) => vec![x],
            Some(Kept::Selected(_)) | None => Vec::new(),
        };
        // The solver errs as this does; each adds the noise once.
        let added = given.iter().map(|v| v.abs()).fold(0.0, f64::max);
        let allowance = 2.0 * rounding + 2.0 * f64::EPSILON * added;
        self.recorder.observed(query, &given, allowance)
    }

    fn spider(&mut self, inputs: &Spider) -> Option<()> {
        let t = self.transcript;
        let (n, d) = (t.constants.records, t.constants.dimension);
        let schedule = inputs.schedule(t.budget.variant, t.budget.rho, n, d).ok()?;
        let mut step = 0;
        for round in schedule.iter() {
            let scale = (self.unit(inputs.lipschitz), schedule.start_deviation);
            if !self.admits(scale) {
                break;
            }
            let exact = self.gradient(&self.w);
            let mut estimate = self.ask("gradient", &exact, scale, released(step));
            step += 1;
            self.round(inputs, &round, &mut estimate, &mut step);
        }
        Some(())
    }

    /// Steps while the noisy norm asks for them.
    fn round(&mut self, inputs: &Spider, round: &Round, estimate: &mut [f64], step: &mut u64) {
        let scale = (self.unit(inputs.smoothness * round.step), round.deviation);
        let (mut before, mut t) = (self.w.clone(), 0_u64);
        loop {
            let length = norm(estimate);
            let goes_on = t as f64 <= round.length && length >= round.threshold;
            let admitted = goes_on && self.admits(scale);
            if !self.goes_on(admitted, |kept| matches!(kept, Kept::Difference(_))) {
                break;
            }
            let eta = round.step / length;
            let next: Vec<f64> = self
                .w
                .iter()
                .zip(&*estimate)
                .map(|(w, g)| w - eta * g)
                .collect();
            self.reach = self.reach.max(norm(&next));
            let (here, there) = (self.gradient(&self.w), self.gradient(&next));
            let exact: Vec<f64> = there.iter().zip(&here).map(|(a, b)| a - b).collect();
            let difference = self.ask("difference", &exact, scale, released(*step));
            estimate
                .iter_mut()
                .zip(&difference)
                .for_each(|(e, c)| *e += c);
            before = std::mem::replace(&mut self.w, next);
            (*step, t) = (*step + 1, t + 1);
        }
        if self.transcript.budget.variant == Variant::Printed {
            self.w = before;
        }
    }

    fn adaptive(&mut self, inputs: &Adaptive) -> Option<()> {
        let t = self.transcript;
        let (n, d) = (t.constants.records, t.constants.dimension);
        let rule = inputs.rule(&t.budget, n, d).ok()?;
        let unit = self.unit(inputs.lipschitz);
        let (mut charged, mut step) = (0.0, 0);
        loop {
            let scale = (unit, rule.norm_deviation);
            let admitted = rule.goes_on(charged) && self.admits(scale);
            if !self.goes_on(admitted, |kept| matches!(kept, Kept::Norm(_))) {
                return Some(());
            }
            let exact = self.gradient(&self.w);
            let address = Address {
                step,
                purpose: Purpose::Selection,
                first: 0,
            };
            let noisy = self.ask("norm", &[norm(&exact)], scale, address)[0];
            charged += rule.charge(noisy);
            if !rule.takes_gradient(charged) {
                continue;
            }
            let scale = (unit, rule.gradient_deviation(noisy));
            if !self.admits(scale) {
                return Some(());
            }
            let estimate = self.ask("gradient", &exact, scale, released(step));
            self.w
                .iter_mut()
                .zip(&estimate)
                .for_each(|(w, g)| *w -= rule.step * g);
            self.reach = self.reach.max(norm(&self.w));
            step += 1;
        }
    }

    fn regularised(&mut self, inputs: &Regularised) -> Option<()> {
        let t = self.transcript;
        let (n, d) = (t.constants.records, t.constants.dimension);
        let rule = inputs.rule(t.budget.rho.get(), n, d).ok()?;
        let (l1, centre) = (inputs.weak_convexity, self.w.clone());
        for step in 1..rule.length {
            let scale = (self.unit(inputs.lipschitz), rule.deviation);
            if !self.admits(scale) {
                break;
            }
            let exact = self.gradient(&self.w);
            let noisy = self.ask("gradient", &exact, scale, released(step));
            let eta = 1.0 / (l1 * step as f64);
            for k in 0..self.w.len() {
                self.w[k] -= eta * (noisy[k] + 2.0 * l1 * (self.w[k] - centre[k]));
            }
            let away: Vec<f64> = self.w.iter().zip(&centre).map(|(w, c)| w - c).collect();
            let distance = norm(&away);
            if distance > rule.radius {
                for k in 0..self.w.len() {
                    self.w[k] = centre[k] + away[k] * (rule.radius / distance);
                }
            }
            self.reach = self.reach.max(norm(&self.w));
        }
        Some(())
    }

    /// No release beyond those that were asked for, and no more spent than the budget and than the solver says.
    fn close(&mut self, run: Option<&Run>) {
        let left = self.given.as_mut().map_or(0, |given| given.count());
        self.recorder
            .expect("releases left over", 0.0, left as f64, 0.0);
        if let Some(run) = run {
            let rho = self.transcript.budget.rho.get();
            let within = self.spent.min(rho);
            self.recorder.expect(
                "zCDP spent within the budget",
                within,
                self.spent,
                COSTS * rho,
            );
            let allowance = COSTS * self.spent;
            self.recorder.expect(
                "zCDP spent as counted",
                self.spent,
                run.spent_upper,
                allowance,
            );
        }
    }
}

/// Where a released vector's noise is.
const fn released(step: u64) -> Address {
    Address {
        step,
        purpose: Purpose::Release,
        first: 0,
    }
}

impl Recorded for KlTranscript {
    type Input = Box<dyn Risk>;

    fn name(&self) -> String {
        match self.algorithm {
            KlAlgorithm::Spider(_) => "KL Spider".into(),
            KlAlgorithm::Adaptive(_) => "adaptive noisy gradient descent".into(),
            KlAlgorithm::Regularised(_) => "regularised noisy gradient descent".into(),
        }
    }

    fn run(&self, risk: &Box<dyn Risk>, recorder: &mut Recorder<'_>) -> Output {
        let mut kept = Vec::new();
        let run = recorder.tape().map(|tape| {
            let keep = &mut |release: Observation<'_>| kept.push(Kept::from(release));
            (self.solver)(
                &**risk,
                &self.start,
                &self.algorithm,
                &self.budget,
                tape,
                keep,
            )
        });
        let Ok(run) = run.transpose() else {
            recorder.complain("KL", "the solver stopped with an error");
            return Output::Nothing;
        };
        let Ok(meter) = Meter::new(&self.budget) else {
            recorder.complain("KL", "no sensitivity is known under the relation");
            return Output::Nothing;
        };
        let mut walk = Walk {
            meter,
            transcript: self,
            risk: &**risk,
            given: run.as_ref().map(|_| kept.into_iter().peekable()),
            recorder,
            w: self.start.clone(),
            reach: norm(&self.start),
            spent: 0.0,
        };
        let walked = match &self.algorithm {
            KlAlgorithm::Spider(inputs) => walk.spider(inputs),
            KlAlgorithm::Adaptive(inputs) => walk.adaptive(inputs),
            KlAlgorithm::Regularised(inputs) => walk.regularised(inputs),
        };
        walk.close(run.as_ref());
        let w = walk.w;
        if walked.is_none() {
            recorder.complain("KL", "the inputs do not fit the risk");
        }
        Output::Vector(w)
    }
}
