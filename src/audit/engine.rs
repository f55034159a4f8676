//! One audit from first sample to report.

use crate::audit::bound::Bound;
use crate::audit::explore::{Explorer, Makers};
use crate::audit::features::{Layout, Part, Rows};
use crate::audit::game::{Game, Watch};
use crate::audit::independence::dependence;
use crate::audit::plan::Plan;
use crate::audit::power::detectable_leak;
use crate::audit::sampler::{Phase, SHAPING, Sampler};
use crate::audit::verdict::doubted;
use crate::audit::words::{Sight, constant, described, looked_at};
use crate::audit::{AuditError, AuditReport, Counterexample, Counts, Mechanism, Rule, Verdict};
use crate::mechanism::tape::Tape;
use std::fmt::Debug;
use std::time::Instant;

/// How the error probability of an audit is divided: half for the betting, a quarter for the bound
/// on the second half of the budget, a sixteenth each for the bounds of a violation on its pair and
/// on a simpler one, and the rest for the doubt that the outputs of either side are independent.
pub(crate) const BETTING: f64 = 0.5;
const BOUND_OF_A_PASS: f64 = 0.25;
const BOUND_OF_A_VIOLATION: f64 = 0.0625;
const INDEPENDENCE: f64 = 0.125;

/// A violation is counted again on this many times the pairs that it took to find, but on no more
/// than half of those that the audit may bet on, and on [`FEWEST_RECOUNTED`] at least.
const RECOUNT: u64 = 8;
const FEWEST_RECOUNTED: u64 = 4096;
/// Where so many counts would not refute the claim by themselves they are doubled until they would, up to this many times the
/// pairs that the audit may bet on: bounds on two rates need more pairs than bets on their difference.
const MOST_RECOUNTED: u64 = 4;
/// Standard deviations by which the counts to come may fall short of what is expected of them.
const SHORT: f64 = 3.0;
/// Pairs from which the event of a violation is chosen, at least; of wide outputs as many as have so many numbers, but no
/// fewer than [`FEWEST_STUDIED`].
const WELL_STUDIED: u64 = 1 << 14;
const NUMBERS_STUDIED: u64 = 1 << 24;
const FEWEST_STUDIED: u64 = 1 << 10;
/// Pairs drawn for one candidate while shrinking, at most.
const MOST_LOOKED_AT: u64 = 1 << 16;

/// A pass speaks of events that are at most this probable (any would be found more easily if it
/// were more probable), and this probable if no event tells the inputs apart.
const MOST_MASS: f64 = 0.5;
const MASS_OF_NOTHING: f64 = 0.1;

/// Runs an audit on the worst of the pairs.
pub(crate) fn run<M>(
    mechanism: &M,
    pairs: Vec<(M::Input, M::Input)>,
    makers: &Makers<M::Input>,
    plan: &Plan,
    watch: &Watch,
) -> Result<AuditReport, AuditError>
where
    M: Mechanism,
    M::Input: Debug,
{
    let started = Instant::now();
    let tape = Tape::new(plan.seed);
    let mut explorer = Explorer::new(mechanism, plan, tape);
    let (first, second) = explorer.worst(pairs, makers)?;
    told_apart(&first, &second)?;
    let inputs = [&first, &second];
    let sampler = Sampler::new(mechanism, inputs, tape, plan.extras.clone())?;
    let mut game = Game::new(plan, plan.alpha * BETTING);
    watch(0, plan.trials);
    game.play(&sampler, plan.alpha * BOUND_OF_A_PASS, watch)?;

    let mut report = report(mechanism.name(), &game, plan, sampler.layout());
    let counted = report.epsilon_lower > plan.claim.epsilon.get();
    let original = if game.won() {
        let usual = recounted(game.pairs, plan);
        let studied = study(&sampler, &mut game.lessons)?;
        report.exploration_samples += studied;
        let drawn = game.lessons.each_ref();
        let drawn = drawn.map(|rows| rows.all().first(well_studied(sampler.layout()) as usize));
        independent(mechanism, drawn, plan)?;
        let bound = recount(&sampler, Phase::Recount, plan, &game.lessons, usual)?;
        report.samples += bound.counts().samples;
        Some(bound)
    } else {
        independent(mechanism, game.lessons.each_ref().map(Rows::all), plan)?;
        game.bound.clone().filter(|_| counted)
    };
    if game.won() || counted {
        let original = original.map(|bound| exhibit(&bound, plan, inputs, sampler.layout(), 0));
        let simpler = simpler(
            &mut explorer,
            makers,
            inputs,
            game.pairs,
            &mut report.samples,
        )?;
        accuse(&mut report, original, simpler);
    }
    report.exploration_samples += explorer.pairs;
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

/// Two inputs that read alike are one.
fn told_apart<D: Debug>(first: &D, second: &D) -> Result<(), AuditError> {
    if format!("{first:?}") == format!("{second:?}") {
        let input = described([first, second])[0].clone();
        return Err(AuditError::EqualInputs { input });
    }
    Ok(())
}

/// Refuses outputs that cannot be independent draws. How many there are may not depend on them: of a violation
/// they are those that bet and those drawn after it up to a fixed number, else those of the whole budget. Either
/// way of ending has half of the error, and each side half of that.
fn independent<M: Mechanism>(
    mechanism: &M,
    outputs: [Part<'_>; 2],
    plan: &Plan,
) -> Result<(), AuditError> {
    let alpha = plan.alpha * INDEPENDENCE / 4.0;
    for (side, rows) in ["first", "second"].into_iter().zip(outputs) {
        if let Some(how) = dependence(rows, alpha) {
            let mechanism = mechanism.name();
            return Err(AuditError::Dependent {
                mechanism,
                side,
                how,
                alpha,
            });
        }
    }
    Ok(())
}

/// Counts the event of a counterexample on fresh pairs of the inputs that it names.
pub(crate) fn recount_found<M>(
    mechanism: &M,
    pairs: &[(M::Input, M::Input)],
    plan: &Plan,
    found: &Counterexample,
) -> Result<Counterexample, AuditError>
where
    M: Mechanism,
    M::Input: Debug,
{
    let named = [&found.input0, &found.input1];
    let ways = pairs
        .iter()
        .flat_map(|(a, b)| [([a, b], true), ([b, a], false)]);
    let is_named = |(inputs, _): &([&M::Input; 2], bool)| described(*inputs).each_ref() == named;
    let ([likelier, other], forward) =
        ways.into_iter()
            .find(is_named)
            .ok_or_else(|| AuditError::OtherInputs {
                input0: found.input0.clone(),
                input1: found.input1.clone(),
            })?;
    let inputs = if forward {
        [likelier, other]
    } else {
        [other, likelier]
    };
    let layout = found.rule.layout.clone().with_statistics_of(&plan.extras);
    let tape = Tape::new(plan.seed);
    let sampler = Sampler::with_layout(mechanism, inputs, tape, layout);
    let mut bound = Bound::known(found.rule.event.clone(), forward);
    bound.count_drawn(&sampler, Phase::Recount, plan.trials)?;
    Ok(Counterexample {
        counts: bound.counts(),
        epsilon_lower: bound.lower(plan, plan.alpha * BOUND_OF_A_VIOLATION),
        ..found.clone()
    })
}

/// Pairs on which a violation found after `pairs` is usually counted again.
fn recounted(pairs: u64, plan: &Plan) -> u64 {
    (RECOUNT * pairs).min(plan.trials / 2).max(FEWEST_RECOUNTED)
}

/// Pairs from which the event of a violation is chosen; known before any output bets.
fn well_studied(layout: &Layout) -> u64 {
    let fitting = NUMBERS_STUDIED / layout.width() as u64;
    WELL_STUDIED.min(fitting.max(FEWEST_STUDIED))
}

/// Adds lessons where a violation was found after few, so that the event that shows it can be chosen
/// well, and so that a number of outputs that the verdict did not choose can be looked at; returns how many.
fn study<M: Mechanism>(
    sampler: &Sampler<'_, M>,
    lessons: &mut [Rows; 2],
) -> Result<u64, AuditError> {
    let missing = well_studied(sampler.layout()).saturating_sub(lessons[0].len() as u64);
    let [first, second] = sampler.pairs(Phase::Study, 0..missing)?;
    lessons[0].extend(&first);
    lessons[1].extend(&second);
    Ok(missing)
}

/// Counts the best event of the lessons on fresh pairs, the usual number or as many as refute the claim.
fn recount<M: Mechanism>(
    sampler: &Sampler<'_, M>,
    phase: Phase,
    plan: &Plan,
    lessons: &[Rows; 2],
    usual: u64,
) -> Result<Bound, AuditError> {
    let alpha = plan.alpha * BOUND_OF_A_VIOLATION;
    let mut bound = Bound::choose(plan, sampler.layout(), lessons, usual, alpha)
        .unwrap_or_else(|| Bound::best_bet(plan, sampler.layout(), lessons));
    bound.count_drawn(sampler, phase, enough(plan, &bound, lessons, usual))?;
    Ok(bound)
}

/// Pairs whose counts refute the claim by themselves, if the event's rates are those of the lessons: the usual number,
/// doubled as often as needed. Decided before any of them is drawn, so that their bound keeps its error.
fn enough(plan: &Plan, bound: &Bound, [first, second]: &[Rows; 2], usual: u64) -> u64 {
    let mut seen = bound.clone();
    seen.count(first, second);
    let seen = seen.counts();
    let refutes = |pairs: u64| {
        let scale = pairs as f64 / seen.samples.max(1) as f64;
        let [gain, loss] = [seen.hits0, seen.hits1].map(|hits| hits as f64 * scale);
        let counts = Counts {
            hits0: (gain - SHORT * gain.sqrt()).max(0.0) as u64,
            hits1: ((loss + SHORT * loss.sqrt()).ceil() as u64).min(pairs),
            samples: pairs,
        };
        let alpha = plan.alpha * BOUND_OF_A_VIOLATION;
        plan.shape.epsilon_lower(counts, plan.claim, alpha) > plan.claim.epsilon.get()
    };
    let most = usual.max(MOST_RECOUNTED * plan.trials);
    let mut pairs = usual;
    while pairs < most && !refutes(pairs) {
        pairs = (2 * pairs).min(most);
    }
    pairs
}

/// The simplest pair that still breaks the claim, counted on fresh pairs; none if no simpler one
/// does so for sure.
fn simpler<M>(
    explorer: &mut Explorer<'_, M>,
    makers: &Makers<M::Input>,
    inputs: [&M::Input; 2],
    found_after: u64,
    samples: &mut u64,
) -> Result<Option<Counterexample>, AuditError>
where
    M: Mechanism,
    M::Input: Debug,
{
    let pairs = found_after.clamp(FEWEST_RECOUNTED, MOST_LOOKED_AT);
    let Some(shrunk) = explorer.simplest(inputs, makers, pairs)? else {
        return Ok(None);
    };
    let plan = explorer.plan;
    let inputs = [&shrunk.pair.0, &shrunk.pair.1];
    let sampler = explorer.sampler(inputs)?;
    let usual = recounted(pairs, plan);
    let bound = recount(
        &sampler,
        Phase::RecountSimpler,
        plan,
        &shrunk.lessons,
        usual,
    )?;
    *samples += bound.counts().samples;
    let found = exhibit(&bound, plan, inputs, sampler.layout(), shrunk.steps);
    Ok(Some(found).filter(|f| f.epsilon_lower > plan.claim.epsilon.get()))
}

/// A counterexample for the reader.
fn exhibit<D: Debug>(
    bound: &Bound,
    plan: &Plan,
    inputs: [&D; 2],
    layout: &Layout,
    shrinks: u32,
) -> Counterexample {
    let [input0, input1] = described(bound.by_direction(inputs));
    Counterexample {
        input0,
        input1,
        event: bound.event.describe(layout),
        rule: Rule {
            layout: layout.clone(),
            event: bound.event.clone(),
        },
        counts: bound.counts(),
        epsilon_lower: bound.lower(plan, plan.alpha * BOUND_OF_A_VIOLATION),
        shrinks,
    }
}

/// Turns a report into one of a violation: the claim is false, hence ε is above it, and above every
/// bound counted.
fn accuse(
    report: &mut AuditReport,
    original: Option<Counterexample>,
    simpler: Option<Counterexample>,
) {
    report.verdict = Verdict::Violation;
    report.reason = None;
    report.power = None;
    report.detectable_leak = None;
    report.detectable_epsilon = f64::INFINITY;
    report.epsilon_lower = report.epsilon_lower.max(report.claim.epsilon.get());
    for found in [original, simpler].into_iter().flatten() {
        report.epsilon_lower = report.epsilon_lower.max(found.epsilon_lower);
        report.event = Some(found.event.clone());
        report.counterexample = Some(found);
    }
}

/// The report of an audit that found nothing.
fn report(mechanism: String, game: &Game<'_>, plan: &Plan, layout: &Layout) -> AuditReport {
    let bound = game.bound.as_ref();
    let mass = bound.map_or(MASS_OF_NOTHING, Bound::mass).min(MOST_MASS);
    let sight = Sight {
        claim: plan.claim,
        shape: &plan.shape,
        target: plan.target,
        trials: plan.trials,
        alpha: plan.alpha * BETTING,
        mass,
    };
    let (power, blind) = sight.power();
    let detectable_epsilon = power.as_ref().map_or(f64::INFINITY, |p| p.epsilon);
    let constant = (!game.varied).then(|| constant(&game.lessons[0], layout));
    let reason = { constant.or(blind) }.or_else(|| doubted(game.log_peak()));
    AuditReport {
        schema: 1,
        mechanism,
        verdict: match reason {
            None => Verdict::PassWithPower,
            Some(_) => Verdict::Inconclusive,
        },
        claim: plan.claim,
        neighbours: plan.neighbours,
        release: plan.release,
        epsilon_lower: bound.map_or(0.0, |b| b.lower(plan, plan.alpha * BOUND_OF_A_PASS)),
        confidence: 1.0 - plan.alpha,
        alpha: plan.alpha,
        detectable_epsilon,
        power,
        must_see: plan.target,
        reason,
        samples: game.pairs,
        bet_samples: game.pairs,
        exploration_samples: SHAPING,
        log_wealth: game.log_peak(),
        log_wealth_needed: game.needed(),
        looked_at: match &plan.event {
            Some(event) => event.describe(layout),
            None => looked_at(layout),
        },
        detectable_leak: detectable_leak(
            plan.claim,
            plan.trials,
            game.lessons[0].len() as u64,
            plan.alpha * BETTING,
        ),
        seconds: 0.0,
        event: bound.map(|b| b.event.describe(layout)),
        counterexample: None,
        seed: plan.seed,
    }
}

#[cfg(test)]
mod tests;
