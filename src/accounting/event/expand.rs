//! From a tree to the steps that a record can meet.

use super::sampling::{Pattern, Sampling, Step, fixed_size, poisson, truncated_poisson, within};
use super::{Event, Partition};
use crate::accounting::AccountError;
use crate::accounting::leaf::{Structure, check, leaf};
use crate::units::Neighbouring;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Deepest nesting.
const DEPTH_MAX: usize = 64;
/// Most ways through parallel parts.
const WAYS_MAX: u64 = 64;
/// Most leaves on all ways.
const LEAVES_MAX: u64 = 1 << 20;
/// Most leaves that differ, but for ways with nothing but Gaussian noise on all records: of each there is a law to be made.
const LAWS_MAX: u64 = 4096;
/// Most mechanisms in all.
const COUNT_MAX: u64 = 1_000_000_000_000;

impl Event {
    /// The steps that a single record can meet: one list per way through the parallel branches. The
    /// guarantee is the worst over the lists.
    ///
    /// A data set has neighbours on either side: with one record less, where it is the larger of both, and with one more. ε of a
    /// truncated sample may grow with the number of records: a tree that has one yields the lists of both under add-remove, of one
    /// size in all steps. ε of batches of a fixed size falls.
    ///
    /// ```
    /// use dp_assay::accounting::event::{Event, Sampling, Step};
    /// use dp_assay::units::Neighbouring::{AddRemove, ReplaceOne};
    ///
    /// let event = Box::new(Event::Gaussian { sigma: 1.0, sensitivity: 1.0 });
    /// let event = Event::TruncatedPoissonSampled { rate: 0.5, cap: 2, records: 4, event };
    /// let sizes = |ways: Vec<Vec<Step>>| ways.iter().map(|steps| steps[0].sampling).collect::<Vec<_>>();
    /// let of = |records| Sampling::TruncatedPoisson { rate: 0.5, cap: 2, records };
    /// assert_eq!(sizes(event.steps(AddRemove)?), [of(4), of(5)]);
    /// assert_eq!(sizes(event.steps(ReplaceOne)?), [of(4)]);
    /// assert_eq!(sizes(event.steps_of_larger(AddRemove)?), [of(4)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A tree that is too deep or too large; sampling of anything but a single mechanism; a parallel
    /// composition whose parts the relation does not keep apart.
    pub fn steps(&self, neighbours: Neighbouring) -> Result<Vec<Vec<Step>>, AccountError> {
        let mut all = self.steps_of_larger(neighbours)?;
        let mut more = self.clone();
        if neighbours == Neighbouring::AddRemove && more.add_record() {
            let beyond = more.steps_of_larger(neighbours)?;
            for steps in beyond {
                if !all.contains(&steps) {
                    all.push(steps);
                }
            }
        }
        Ok(all)
    }

    /// As [`Event::steps`], where the data set is the larger of two neighbours of different size.
    ///
    /// # Errors
    /// As [`Event::steps`].
    pub fn steps_of_larger(
        &self,
        neighbours: Neighbouring,
    ) -> Result<Vec<Vec<Step>>, AccountError> {
        let (ways, leaves) = self.size(0)?;
        limited("ways through its parallel parts", ways, WAYS_MAX)?;
        limited("mechanisms on all ways", leaves, LEAVES_MAX)?;
        let mut all = self.expand(neighbours)?;
        for steps in &mut all {
            merge(steps)?;
        }
        let laws = |steps: &Vec<Step>| match steps.iter().all(is_gaussian) {
            true => 0,
            false => steps.len() as u64,
        };
        let what = "mechanisms that differ and are not all of them Gaussian noise on all records";
        limited(what, all.iter().map(laws).sum(), LAWS_MAX)?;
        Ok(all)
    }

    /// Ways through parallel parts, and leaves on all of them.
    fn size(&self, depth: usize) -> Result<(u64, u64), AccountError> {
        if depth > DEPTH_MAX {
            let why = format!("nested deeper than {DEPTH_MAX} levels");
            return Err(AccountError::Event(why));
        }
        let inner = |event: &Self| event.size(depth + 1);
        match self {
            Self::Repeated { event, .. } => inner(event),
            Self::Composed { events } => {
                let (mut ways, mut leaves) = (1u64, 0u64);
                for found in events.iter().map(inner) {
                    let (w, l) = found?;
                    leaves = leaves
                        .saturating_mul(w)
                        .saturating_add(l.saturating_mul(ways));
                    ways = ways.saturating_mul(w);
                }
                Ok((ways, leaves))
            }
            Self::Parallel { events, .. } => {
                let (mut ways, mut leaves) = (0u64, 0u64);
                for found in events.iter().map(inner) {
                    let (w, l) = found?;
                    ways = ways.saturating_add(w);
                    leaves = leaves.saturating_add(l);
                }
                // Of no parts there is the way past them.
                Ok((ways.max(1), leaves))
            }
            _ => Ok((1, 1)),
        }
    }

    /// One record more in the data of all samples; whether some are truncated.
    fn add_record(&mut self) -> bool {
        match self {
            Self::TruncatedPoissonSampled { records, .. } => {
                *records = records.saturating_add(1);
                true
            }
            Self::FixedSizeSampled { size, .. } => {
                *size = size.saturating_add(1);
                false
            }
            Self::Repeated { event, .. } => event.add_record(),
            Self::Composed { events } | Self::Parallel { events, .. } => {
                let each = events.iter_mut().map(Self::add_record);
                each.fold(false, |any, own| any | own)
            }
            _ => false,
        }
    }

    /// The leaves on each way, of a tree of a size within the limits.
    fn expand(&self, neighbours: Neighbouring) -> Result<Vec<Vec<Step>>, AccountError> {
        match self {
            Self::Repeated { times, event } => {
                let mut inner = event.expand(neighbours)?;
                if inner.len() > 1 && *times > 1 {
                    let why = "repeat inside the parallel branches, not around them";
                    return Err(AccountError::Event(why.into()));
                }
                for step in inner.iter_mut().flatten() {
                    step.count = step.count.saturating_mul(*times);
                }
                Ok(inner)
            }
            Self::Composed { events } => {
                let mut all: Vec<Vec<Step>> = vec![Vec::new()];
                for event in events {
                    all = product(all, event.expand(neighbours)?);
                }
                Ok(all)
            }
            Self::Parallel { partition, events } => {
                let moves = neighbours != Neighbouring::AddRemove;
                if moves && *partition == Partition::ByValue {
                    return Err(AccountError::Unsupported {
                        mechanism: "parallel composition partitioned by value".into(),
                        notion: "disjointness",
                        neighbours,
                        why: if neighbours == Neighbouring::ZeroOut {
                            ": the zeroed record may leave its part"
                        } else {
                            ": the replaced record may move to another part"
                        },
                    });
                }
                let mut all = Vec::new();
                for event in events {
                    all.extend(event.expand(neighbours)?);
                }
                if all.is_empty() {
                    all.push(Vec::new());
                }
                Ok(all)
            }
            Self::PoissonSampled { rate, event } => {
                event.sampled(poisson(*rate, neighbours)?, neighbours)
            }
            Self::FixedSizeSampled {
                size,
                batch,
                replacement,
                event,
            } => event.sampled(
                fixed_size(*size, *batch, *replacement, neighbours)?,
                neighbours,
            ),
            Self::TruncatedPoissonSampled {
                rate,
                cap,
                records,
                event,
            } => event.sampled(
                truncated_poisson(*rate, (*cap, *records), neighbours)?,
                neighbours,
            ),
            Self::RandomAllocation {
                steps,
                participations,
                event,
            } => {
                if let Some((all, _)) = event.run_steps() {
                    let rule = "must be those of the strategy";
                    AccountError::check(*steps == all, "steps", *steps as f64, rule)?;
                }
                event.allocated(*steps, *participations, neighbours)
            }
            Self::BallsInBins { bins, event } => {
                AccountError::check(*bins > 0, "bins", 0.0, "must be > 0")?;
                if let Some((all, _)) = event.run_steps() {
                    let rule = "must be at most the steps of the strategy";
                    AccountError::check(*bins <= all, "bins", *bins as f64, rule)?;
                }
                event.allocated(*bins, 1, neighbours)
            }
            Self::BMinSeparation {
                steps,
                separation,
                rate,
                event,
            } => event.apart(*steps, *separation, *rate, neighbours),
            leaf => {
                // Here, since no accountant sees what is repeated 0 times.
                check(leaf)?;
                Ok(vec![vec![Step {
                    mechanism: leaf.moved(neighbours),
                    sampling: Sampling::None,
                    count: 1,
                }]])
            }
        }
    }

    /// This leaf under a sampling, or repeated leaves (sampled once and then run several times would be
    /// another mechanism, and is refused).
    fn sampled(
        &self,
        sampling: Sampling,
        neighbours: Neighbouring,
    ) -> Result<Vec<Vec<Step>>, AccountError> {
        let refuse = |why: &str| Err(AccountError::Event(why.to_owned()));
        let Ok(mechanism) = leaf(self) else {
            return refuse(
                "only a single mechanism can be sampled; repeat or compose sampled mechanisms",
            );
        };
        match mechanism.structure() {
            Structure::Choice(_) => {
                return refuse(
                    "private-selection is a choice among whole runs: sample inside its events",
                );
            }
            Structure::Group(..) => {
                return refuse(
                    "gaussian-mixture has its sampling in its weights: put a shift of 0 among them \
                        instead",
                );
            }
            Structure::Gaussian
            | Structure::Gdp
            | Structure::Noise
            | Structure::Run
            | Structure::Pure
            | Structure::Approximate
            | Structure::Zcdp
            | Structure::Response(..) => {}
        }
        if neighbours == Neighbouring::User {
            return Err(AccountError::Unsupported {
                mechanism: "record sampling".into(),
                notion: "sampling",
                neighbours,
                why: ": sampling single records protects no user with many of them; if users are \
                    sampled whole, take each for one record, under another relation",
            });
        }
        check(self)?;
        if let Sampling::Poisson(0.0)
        | Sampling::FixedSize(0.0)
        | Sampling::WithReplacement { draws: 0, .. }
        | Sampling::TruncatedPoisson { cap: 0, .. } = sampling
        {
            return Ok(vec![Vec::new()]); // nobody takes part
        }
        let sampling = match mechanism.run() {
            Some((steps, pattern)) => within(sampling, steps, pattern)?,
            None => sampling,
        };
        Ok(vec![vec![Step {
            mechanism: self.clone(),
            sampling,
            count: 1,
        }]])
    }

    /// This leaf as neighbours of a relation see it whose differing record may add to the sums of steps: what one that is
    /// replaced adds is taken away and another such put there, so that it moves them by up to twice that.
    fn moved(&self, neighbours: Neighbouring) -> Self {
        let replaced = matches!(neighbours, Neighbouring::ReplaceOne | Neighbouring::User);
        let mut leaf = self.clone();
        if let (Self::MatrixGaussian { sigma, .. }, true) = (&mut leaf, replaced) {
            *sigma /= 2.0;
        }
        leaf
    }

    /// Number of steps of what is a whole run by itself, and how far apart a record takes part in them.
    fn run_steps(&self) -> Option<(u64, u64)> {
        let (steps, (_, separation)) = leaf(self).ok()?.run()?;
        Some((steps, separation))
    }

    /// This leaf at so many steps, of which each record takes part in some.
    fn allocated(
        &self,
        steps: u64,
        participations: u64,
        neighbours: Neighbouring,
    ) -> Result<Vec<Vec<Step>>, AccountError> {
        AccountError::check(steps > 0, "steps", steps as f64, "must be > 0")?;
        let (k, rule) = (participations as f64, "must be at most the number of steps");
        AccountError::check(participations <= steps, "participations", k, rule)?;
        let (sampling, count) = match participations {
            0 => (Sampling::Poisson(0.0), 1),
            _ if participations == steps => {
                let whole_run = self.run_steps().is_some();
                (poisson(1.0, neighbours)?, if whole_run { 1 } else { steps })
            }
            _ => (
                Sampling::RandomAllocation {
                    steps,
                    participations,
                },
                1,
            ),
        };
        let mut ways = self.sampled(sampling, neighbours)?;
        for step in ways.iter_mut().flatten() {
            step.count = count;
        }
        Ok(ways)
    }

    /// This leaf at so many steps, in each of which a record takes part at this rate unless it did shortly before.
    fn apart(
        &self,
        steps: u64,
        separation: u64,
        rate: f64,
        neighbours: Neighbouring,
    ) -> Result<Vec<Vec<Step>>, AccountError> {
        AccountError::check(steps > 0, "steps", steps as f64, "must be > 0")?;
        AccountError::check(separation > 0, "separation", 0.0, "must be > 0")?;
        let run = self.run_steps();
        if let Some((all, own)) = run {
            let rule = "must be those of the strategy";
            AccountError::check(steps == all, "steps", steps as f64, rule)?;
            let rule = "must be no more than the sampling keeps to";
            AccountError::check(own <= separation, "separation", own as f64, rule)?;
        }
        let own = poisson(rate, neighbours)?;
        let free = separation == 1;
        let (sampling, count) = match run {
            _ if rate == 0.0 => (own, 1),
            // A record that is always free is Poisson's; one that always comes as soon as it may has a bin.
            Some(_) if free => (own, 1),
            None if free => (own, steps),
            Some((all, _)) if rate == 1.0 && separation < all => {
                return self.allocated(separation, 1, neighbours);
            }
            _ => {
                let pattern = Pattern::Apart {
                    steps,
                    separation,
                    rate,
                };
                (Sampling::Within(pattern), 1)
            }
        };
        let mut ways = self.sampled(sampling, neighbours)?;
        for step in ways.iter_mut().flatten() {
            step.count = count;
        }
        Ok(ways)
    }
}

fn limited(what: &str, found: u64, most: u64) -> Result<(), AccountError> {
    match found <= most {
        true => Ok(()),
        false => Err(AccountError::Event(format!(
            "{found} {what}, of which at most {most} are accounted for"
        ))),
    }
}

/// Whether all such steps together are Gaussian noise, whose ε is known at once.
const fn is_gaussian(step: &Step) -> bool {
    let noise = matches!(step.mechanism, Event::Gaussian { .. } | Event::Gdp { .. });
    noise && matches!(step.sampling, Sampling::None)
}

/// Each way of the one followed by each of the other.
fn product(mut left: Vec<Vec<Step>>, right: Vec<Vec<Step>>) -> Vec<Vec<Step>> {
    // One way more, as most have, is no copy of those before.
    if let [way] = right.as_slice() {
        left.iter_mut()
            .for_each(|steps| steps.extend_from_slice(way));
        return left;
    }
    let both = |a: &Vec<Step>| {
        let each = right.iter();
        each.map(|b| [a.as_slice(), b].concat()).collect::<Vec<_>>()
    };
    left.iter().flat_map(both).collect()
}

/// Adds the counts of equal steps.
fn merge(steps: &mut Vec<Step>) -> Result<(), AccountError> {
    let mut merged: Vec<Step> = Vec::new();
    // By how they are written: doubles are so in as many digits as tell them apart.
    let mut places = HashMap::new();
    for step in steps.drain(..).filter(|s| s.count > 0) {
        let written = format!("{:?} {:?}", step.mechanism, step.sampling);
        match places.entry(written) {
            Entry::Occupied(place) => {
                let equal: &mut Step = &mut merged[*place.get()];
                equal.count = equal.count.saturating_add(step.count);
            }
            Entry::Vacant(place) => {
                place.insert(merged.len());
                merged.push(step);
            }
        }
    }
    let total = merged
        .iter()
        .fold(0u64, |sum, s| sum.saturating_add(s.count));
    if total > COUNT_MAX {
        return Err(AccountError::TooCostly {
            what: "the composition",
            needed: total as f64,
            limit: COUNT_MAX as f64,
            unit: "mechanisms",
        });
    }
    *steps = merged;
    Ok(())
}
