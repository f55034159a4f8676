//! Gaussian noise on batches as programs draw them, one mechanism for each scheme. Inputs are 0 and 1: the record is left out, or
//! there; it answers 1. Others, where batches have others, answer −1. Released are the noisy sums of all steps.

use super::{BuiltinError, Family, Given, Named, Parameter, parameter};
use crate::accounting::matrix::Strategy;
use crate::accounting::{Accountant, Event, account_of_larger};
use crate::audit::Output;
use crate::audit::zoo::Specimen;
use crate::mechanism::tape::{Purpose, Stream, Tape};
use crate::units::{Delta, Neighbouring, StdDev};

const SIGMA: &str = "standard deviation of the noise";
const DELTA: Parameter = parameter("delta", 1e-2, "δ at which ε is bounded");
const TRIALS: u64 = 400_000;
/// Most records, and most steps.
const MOST: f64 = 1e4;

/// Batches of a fixed size.
pub(super) const FIXED: Family = Family {
    mechanisms: &[
        Named(
            "fixed-size-gaussian",
            "a sum with Gaussian noise of a batch of a fixed size, without replacement",
            &["acc-exchange", "acc-gaussian", "gcd-aux-sampled"],
        ),
        Named(
            "with-replacement-gaussian",
            "a sum with Gaussian noise of draws with replacement",
            &["acc-with-replacement", "acc-gaussian"],
        ),
    ],
    parameters: &[
        parameter("sigma", 3.0, SIGMA),
        parameter(
            "records",
            10.0,
            "number of records, with the one in question",
        ),
        parameter("batch", 5.0, "size of the batch, or number of draws"),
        DELTA,
    ],
    build: fixed,
};

/// Poisson's batches that are cut to a size.
pub(super) const TRUNCATED: Family = Family {
    mechanisms: &[Named(
        "truncated-poisson-gaussian",
        "a sum with Gaussian noise of a Poisson sample, cut to a size",
        &["acc-truncated-poisson", "acc-gaussian"],
    )],
    parameters: &[
        parameter("sigma", 3.0, SIGMA),
        parameter(
            "records",
            6.0,
            "number of records, with the one in question",
        ),
        parameter("rate", 0.5, "probability with which each is drawn"),
        parameter("cap", 2.0, "largest batch"),
        DELTA,
    ],
    build: truncated,
};

/// A record in some of all steps.
pub(super) const ALLOCATED: Family = Family {
    mechanisms: &[Named(
        "random-allocation-gaussian",
        "sums with Gaussian noise, in some of which, drawn at random, each record is; in one: \
         balls in bins",
        &["acc-random-allocation", "acc-blocks", "acc-gaussian"],
    )],
    parameters: &[
        parameter("sigma", 1.5, SIGMA),
        parameter("steps", 3.0, "number of steps"),
        parameter("participations", 1.0, "number of steps with the record"),
        parameter("epochs", 1.0, "how often that is run, each time drawn anew"),
        DELTA,
    ],
    build: allocated,
};

/// A record in steps that keep their distance.
pub(super) const SEPARATED: Family = Family {
    mechanisms: &[Named(
        "b-min-separation-gaussian",
        "sums with Gaussian noise, in each of which a record is at random, unless in one shortly \
         before",
        &["acc-min-separation", "acc-gaussian"],
    )],
    parameters: &[
        parameter("sigma", 1.0, SIGMA),
        parameter("steps", 4.0, "number of steps"),
        parameter(
            "separation",
            4.0,
            "least distance of two steps with the record",
        ),
        parameter(
            "rate",
            0.5,
            "probability with which a record is in a step that it may be in",
        ),
        DELTA,
    ],
    build: separated,
};

/// Noise that is correlated over three steps.
pub(super) const MATRIX: Family = Family {
    mechanisms: &[
        Named(
            "matrix-gaussian",
            "three sums with Gaussian noise that is correlated over them, each record in the first \
             of them",
            &["acc-matrix", "acc-gaussian"],
        ),
        Named(
            "balls-in-bins-matrix-gaussian",
            "three sums with Gaussian noise that is correlated over them, each record in every so \
             many-th from a random one on",
            &["acc-matrix-sampled", "acc-random-allocation"],
        ),
    ],
    parameters: &[
        parameter("sigma", 3.0, SIGMA),
        parameter("participations", 1.0, "of the first, steps with the record"),
        parameter(
            "bins",
            2.0,
            "of the second, distance of two steps with the record",
        ),
        DELTA,
    ],
    build: matrix,
};

/// Toeplitz coefficients of the correlated noise: of one participation all is seen three times.
const STRATEGY: [f64; 3] = [1.0, 0.9, 0.8];

/// The sums of all steps, with the record or without.
type Sums = Box<dyn Fn(bool, &mut Stream) -> Vec<f64> + Send + Sync>;

fn specimen(
    given: &Given<'_>,
    event: impl FnOnce(Box<Event>) -> Event,
    sums: Sums,
) -> Result<Specimen, BuiltinError> {
    let sigma = StdDev::new(given.get("sigma"))?.get();
    let delta = Delta::new(given.get("delta"))?;
    let noise = Box::new(Event::Gaussian {
        sigma,
        sensitivity: 1.0,
    });
    let (event, relation) = (event(noise), Neighbouring::AddRemove);
    // The neighbour that is looked at is the one without the record.
    let found = account_of_larger(&event, delta, Accountant::Auto, relation, false);
    let epsilon = found.map_err(|e| given.unfit(e))?.epsilon_upper;
    let run = move |input: &[f64], tape: Tape| {
        let mut stream = tape.stream(0, Purpose::Sampling, 0);
        let sums = sums(input[0] != 0.0, &mut stream).into_iter().enumerate();
        let noise = |i: usize| sigma * tape.uniform(1, Purpose::Release, i as u64).gaussian();
        Output::Vector(sums.map(|(i, x)| x + noise(i)).collect())
    };
    let pairs = vec![(vec![0.0], vec![1.0])];
    Ok(Specimen::correct(given.name, epsilon, pairs, run)
        .under(relation)
        .at_delta(delta.get())
        .taking(TRIALS))
}

/// The sum of a batch: the record is the last of so many, or is not there.
fn sum(members: &[usize], records: usize) -> Vec<f64> {
    let own = |member: &usize| if *member + 1 == records { 1.0 } else { -1.0 };
    vec![members.iter().map(own).sum()]
}

fn fixed(given: &Given<'_>) -> Result<Specimen, BuiltinError> {
    let records = given.whole("records", 2.0..=MOST)?;
    let batch = given.whole("batch", 1.0..=records as f64 - 1.0)?;
    let replacement = given.name == "with-replacement-gaussian";
    let sums = move |there: bool, stream: &mut Stream| {
        let count = records - usize::from(!there);
        let mut members = Vec::new();
        match replacement {
            true => members.extend((0..batch).map(|_| stream.uniform().below(count))),
            false => stream.subset(count, batch, &mut members),
        }
        sum(&members, records)
    };
    let event = |event| Event::FixedSizeSampled {
        size: records as u64,
        batch: batch as u64,
        replacement,
        event,
    };
    specimen(given, event, Box::new(sums))
}

fn truncated(given: &Given<'_>) -> Result<Specimen, BuiltinError> {
    let records = given.whole("records", 2.0..=MOST)?;
    let cap = given.whole("cap", 1.0..=records as f64)?;
    let rate = given.get("rate");
    let sums = move |there: bool, stream: &mut Stream| {
        let all = 0..records - usize::from(!there);
        let drawn: Vec<usize> = all.filter(|_| stream.uniform().fraction() < rate).collect();
        if drawn.len() <= cap {
            return sum(&drawn, records);
        }
        let mut kept = Vec::new();
        stream.subset(drawn.len(), cap, &mut kept);
        let kept: Vec<usize> = kept.into_iter().map(|place| drawn[place]).collect();
        sum(&kept, records)
    };
    let event = |event| Event::TruncatedPoissonSampled {
        rate,
        cap: cap as u64,
        records: records as u64,
        event,
    };
    specimen(given, event, Box::new(sums))
}

fn allocated(given: &Given<'_>) -> Result<Specimen, BuiltinError> {
    let steps = given.whole("steps", 1.0..=MOST)?;
    let participations = given.whole("participations", 1.0..=steps as f64)?;
    let epochs = given.whole("epochs", 1.0..=MOST / steps as f64)?;
    let sums = move |there: bool, stream: &mut Stream| {
        let mut epoch = || {
            let mut taken = Vec::new();
            stream.subset(steps, participations, &mut taken);
            indicator(steps, if there { &taken } else { &[] })
        };
        (0..epochs).flat_map(|_| epoch()).collect()
    };
    let event = |event| Event::Repeated {
        times: epochs as u64,
        event: Box::new(Event::RandomAllocation {
            steps: steps as u64,
            participations: participations as u64,
            event,
        }),
    };
    specimen(given, event, Box::new(sums))
}

fn separated(given: &Given<'_>) -> Result<Specimen, BuiltinError> {
    let steps = given.whole("steps", 1.0..=MOST)?;
    let separation = given.whole("separation", 1.0..=MOST)?;
    let rate = given.get("rate");
    let sums = move |there: bool, stream: &mut Stream| {
        let others = (separation - 1) as f64;
        // As if the run had gone on for ever: each wait is as probable as a step.
        let start = stream.uniform().fraction() * (1.0 + others * rate) / rate;
        let mut wait = if start < others {
            start as usize + 1
        } else {
            0
        };
        let mut taken = Vec::new();
        for step in 0..steps {
            if wait > 0 {
                wait -= 1;
            } else if stream.uniform().fraction() < rate {
                taken.push(step);
                wait = separation - 1;
            }
        }
        indicator(steps, if there { &taken } else { &[] })
    };
    let event = |event| Event::BMinSeparation {
        steps: steps as u64,
        separation: separation as u64,
        rate,
        event,
    };
    specimen(given, event, Box::new(sums))
}

fn matrix(given: &Given<'_>) -> Result<Specimen, BuiltinError> {
    let all = STRATEGY.len();
    let participations = given.whole("participations", 1.0..=all as f64)?;
    let bins = given.whole("bins", 1.0..=all as f64)?;
    let binned = given.name == "balls-in-bins-matrix-gaussian";
    let sums = move |there: bool, stream: &mut Stream| {
        let taken: Vec<usize> = match binned {
            _ if !there => Vec::new(),
            true => (stream.uniform().below(bins)..all).step_by(bins).collect(),
            false => (0..participations).collect(),
        };
        let entry = |row: usize, step: &usize| row.checked_sub(*step).map(|i| STRATEGY[i]);
        let row = |row: usize| taken.iter().filter_map(|step| entry(row, step)).sum();
        (0..all).map(row).collect()
    };
    let sigma = given.get("sigma");
    let event = move |_| {
        let (most, least) = match binned {
            true => (all.div_ceil(bins), bins),
            false => (participations, 1),
        };
        let run = Event::MatrixGaussian {
            sigma,
            strategy: Strategy::Toeplitz(STRATEGY.to_vec()),
            participations: most as u64,
            separation: least as u64,
        };
        match binned {
            true => Event::BallsInBins {
                bins: bins as u64,
                event: Box::new(run),
            },
            false => run,
        }
    };
    specimen(given, event, Box::new(sums))
}

/// 1 at these steps, 0 at the others.
fn indicator(steps: usize, taken: &[usize]) -> Vec<f64> {
    let mut here = vec![0.0; steps];
    taken.iter().for_each(|step| here[*step] = 1.0);
    here
}
