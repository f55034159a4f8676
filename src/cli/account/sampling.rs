//! How batches are drawn: the run that `--sampling` names, and all of them side by side.

use super::mechanism::{Mechanism, Name, SamplingName};
use clap::ValueEnum;
use dp_assay::accounting::{Event, Report, account, lower_end};
use dp_assay::units::{Neighbouring, at_least, at_most};
use schemars::JsonSchema;
use serde::Serialize;
use std::error::Error;

/// The relations under which a sampling has a theorem, for `help`; a test asks for each.
pub const RELATIONS: [(SamplingName, &[Neighbouring]); 7] = {
    use Neighbouring::{AddRemove, ReplaceOne, ZeroOut};
    [
        (SamplingName::Poisson, &[AddRemove, ReplaceOne, ZeroOut]),
        (SamplingName::FixedSize, &[AddRemove, ReplaceOne]),
        (SamplingName::WithReplacement, &[AddRemove, ReplaceOne]),
        (
            SamplingName::RandomAllocation,
            &[AddRemove, ReplaceOne, ZeroOut],
        ),
        (SamplingName::BallsInBins, &[AddRemove, ReplaceOne, ZeroOut]),
        (SamplingName::TruncatedPoisson, &[AddRemove, ReplaceOne]),
        (
            SamplingName::BMinSeparation,
            &[AddRemove, ReplaceOne, ZeroOut],
        ),
    ]
};

/// Numbers that are whole up to the rounding of q and of a product: 10⁻⁹ of them.
fn whole(x: f64) -> Option<u64> {
    let near = x.round();
    (near >= 1.0 && (x - near).abs() <= 1e-9 * near).then_some(near as u64)
}

/// The divisor of `steps` whose inverse is nearest to that of `bins`, among those up to a million and their quotients.
fn nearest_divisor(steps: u64, bins: f64) -> u64 {
    let small = (1..=1_000_000).take_while(|d: &u64| d.saturating_mul(*d) <= steps);
    let all = small.filter(|d| steps.is_multiple_of(*d));
    let off = |d: &u64| (1.0 / *d as f64 - 1.0 / bins).abs();
    let divisors = all.flat_map(|d| [d, steps / d]);
    divisors
        .min_by(|one, other| off(one).total_cmp(&off(other)))
        .unwrap_or(1)
}

/// With which probability p a record that is free takes part where q of them do on average, rounded up: q = p/(1 + (b − 1)p).
fn free_rate(q: f64, separation: u64) -> Result<f64, String> {
    let others = separation.saturating_sub(1) as f64 * q;
    match whole(1.0 / q) {
        Some(apart) if apart == separation => Ok(1.0),
        _ if q + others > 1.0 => Err(format!(
            "q = {q} is more than 1/{separation}, the share of records that can be {separation} \
             steps apart: nearest is --q {}",
            1.0 / separation as f64
        )),
        _ if separation <= 1 => Ok(q),
        _ => Ok((q / (1.0 - others.next_up()).next_down())
            .next_up()
            .min(1.0)),
    }
}

impl Mechanism {
    /// T steps of noise σ on batches with a share q of the records each, on average.
    pub(super) fn sampled(
        &self,
        sampling: SamplingName,
        sigma: f64,
        q: Option<f64>,
        steps: u64,
    ) -> Result<Event, String> {
        let rate = q.ok_or("subsampled-gaussian needs its sampling rate, e.g. --q 0.01")?;
        let event = Event::Gaussian {
            sigma,
            sensitivity: 1.0,
        };
        self.drawn(sampling, event, (rate, steps), self.records)
    }

    /// So many steps of an event on batches with this share of the records each, on average.
    pub(super) fn drawn(
        &self,
        sampling: SamplingName,
        event: Event,
        (rate, steps): (f64, u64),
        records: Option<u64>,
    ) -> Result<Event, String> {
        let event = Box::new(event);
        let named = sampling.name();
        let needs =
            |what: &str, flag: &str| format!("--sampling {named} needs {what}, e.g. {flag}");
        let records = || records.ok_or_else(|| needs("the number of records", "--records 60000"));
        let mut times = steps;
        let single = match sampling {
            SamplingName::Poisson => Event::PoissonSampled { rate, event },
            SamplingName::FixedSize | SamplingName::WithReplacement => {
                let size = records()?;
                let batch = rate * size as f64;
                let near = batch.round().clamp(1.0, size.max(1) as f64);
                let rule = format!(
                    "q = {rate} of {size} records are batches of {batch}, which must be whole, at \
                     least 1 and at most all: nearest is --q {}, batches of {near}",
                    near / size as f64
                );
                Event::FixedSizeSampled {
                    size,
                    batch: whole(batch).filter(|b| *b <= size).ok_or(rule)?,
                    replacement: sampling == SamplingName::WithReplacement,
                    event,
                }
            }
            SamplingName::TruncatedPoisson => Event::TruncatedPoissonSampled {
                rate,
                cap: self
                    .cap
                    .ok_or_else(|| needs("its largest batch", "--cap 512"))?,
                records: records()?,
                event,
            },
            SamplingName::RandomAllocation => {
                let k = rate * steps as f64;
                let near = k.round().clamp(1.0, steps.max(1) as f64);
                let rule = format!(
                    "q = {rate} of {steps} steps are {k} participations, which must be whole and \
                     at least 1: nearest is --q {}, {near} of them",
                    near / steps as f64
                );
                times = 1;
                Event::RandomAllocation {
                    steps,
                    participations: whole(k).ok_or(rule)?,
                    event,
                }
            }
            SamplingName::BallsInBins => {
                let bins = 1.0 / rate;
                let near = || {
                    let near = nearest_divisor(steps, bins);
                    format!("nearest is --q {}, {near} bins", 1.0 / near as f64)
                };
                let bins = whole(bins).ok_or_else(|| {
                    format!(
                        "q = {rate} makes {bins} bins, which must be a whole number that divides \
                         {steps} steps: {}",
                        near()
                    )
                })?;
                if !steps.is_multiple_of(bins) {
                    return Err(format!(
                        "{steps} steps must be a multiple of the {bins} bins: {}",
                        near()
                    ));
                }
                times = steps / bins;
                Event::BallsInBins { bins, event }
            }
            SamplingName::BMinSeparation => {
                let separation = self
                    .separation
                    .ok_or_else(|| needs("its least distance", "--separation 10"))?;
                times = 1;
                Event::BMinSeparation {
                    steps,
                    separation,
                    rate: free_rate(rate, separation)?,
                    event,
                }
            }
        };
        Ok(match times {
            1 => single,
            times => Event::Repeated {
                times,
                event: Box::new(single),
            },
        })
    }

    /// The same run under every sampling, with the relation asked for.
    pub(super) fn compare(&self) -> Result<Vec<Compared>, Box<dyn Error>> {
        if self.mechanism != Name::SubsampledGaussian {
            return Err("--compare goes with subsampled-gaussian".into());
        }
        let sigma = self
            .sigma
            .ok_or("this mechanism needs its noise, e.g. --sigma 2")?;
        let mut rows = Vec::new();
        for sampling in SamplingName::value_variants() {
            let found = self.sampled(*sampling, sigma, self.q, self.steps);
            let answer = found.and_then(|event| self.bounded(&event).map_err(|e| e.to_string()));
            rows.push((*sampling, answer));
        }
        let poisson = rows.first().and_then(|(_, answer)| answer.as_ref().ok());
        let poisson = poisson
            .map(|report| report.epsilon_upper)
            .filter(|upper| *upper > 0.0);
        let compared = rows.into_iter().map(|(sampling, answer)| Compared {
            sampling,
            times_poisson: answer
                .as_ref()
                .ok()
                .zip(poisson)
                .map(|(report, upper)| report.epsilon_upper / upper),
            refused: answer.as_ref().err().cloned(),
            report: answer.ok(),
        });
        Ok(compared.collect())
    }

    /// Both ends of the ε of an event.
    fn bounded(&self, event: &Event) -> Result<Report, Box<dyn Error>> {
        let (delta, neighbours) = (self.delta()?, self.neighbours);
        let mut report = account(event, delta, self.method.into(), neighbours, false)?;
        if report.epsilon_lower == 0.0 {
            report = report.and_lower(lower_end(event, delta, neighbours)?)?;
        }
        Ok(report)
    }
}

/// One sampling of a run, and what it costs or why that is not known.
#[derive(Serialize, JsonSchema)]
pub struct Compared {
    sampling: SamplingName,
    /// ε over that of Poisson sampling, of the upper ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    times_poisson: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<Report>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

/// The comparison as a table.
pub fn table(rows: &[Compared], delta: f64, neighbours: Neighbouring) -> String {
    let line = |row: &Compared| {
        let name = row.sampling.name();
        match (&row.report, &row.refused) {
            (Some(report), _) => {
                let ratio = row
                    .times_poisson
                    .map_or_else(String::new, |ratio| format!("  {ratio:.3} x poisson"));
                let low = at_least(report.epsilon_lower, 6);
                let high = at_most(report.epsilon_upper, 6);
                let attack = if report.by_attack {
                    "  (from below by an attack)"
                } else {
                    ""
                };
                format!("{name:<18} epsilon in [{low}, {high}]{ratio}{attack}\n")
            }
            (None, why) => format!("{name:<18} {}\n", why.as_deref().unwrap_or_default()),
        }
    };
    let head =
        format!("one run, drawn in seven ways, at delta = {delta}, {neighbours} neighbours\n");
    head + &rows.iter().map(line).collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Asked {
        #[command(flatten)]
        mechanism: Mechanism,
    }

    #[test]
    fn each_sampling_has_a_theorem_under_the_relations_that_help_names_and_no_other() {
        use Neighbouring::{AddRemove, ReplaceOne, User, ZeroOut};
        let named: Vec<SamplingName> = RELATIONS.iter().map(|(sampling, _)| *sampling).collect();
        assert_eq!(named, SamplingName::value_variants());
        for (sampling, relations) in RELATIONS {
            let name = sampling.name();
            for neighbours in [AddRemove, ReplaceOne, ZeroOut, User] {
                let line = format!(
                    "account subsampled-gaussian --sampling {name} --sigma 1 --q 0.5 --steps 4 \
                     --records 4 --cap 1 --separation 2 --delta 1e-5 --neighbours {neighbours}"
                );
                let asked = Asked::try_parse_from(line.split(' ')).expect("a question");
                let run = asked.mechanism.sampled(sampling, 1.0, Some(0.5), 4);
                let answer = asked.mechanism.bounded(&run.expect("a run"));
                let has_theorem = relations.contains(&neighbours);
                assert_eq!(answer.is_ok(), has_theorem, "{name}, {neighbours}");
            }
        }
    }

    /// The setting that a refusal offers has an answer.
    #[test]
    fn a_sampling_that_is_refused_names_the_nearest_setting_that_is_not() {
        for (sampling, q, steps, near) in [
            ("fixed-size", 0.013, 100, 0.01),
            ("with-replacement", 1e-9, 100, 0.01),
            ("fixed-size", 0.997, 100, 1.0),
            ("random-allocation", 0.0149, 100, 0.01),
            ("random-allocation", 1e-4, 100, 0.01),
            ("balls-in-bins", 0.3, 100, 0.25),
            ("balls-in-bins", 1.0 / 30.0, 100, 0.04),
            ("balls-in-bins", 0.7, 7, 1.0),
            ("b-min-separation", 0.3, 100, 0.25),
        ] {
            let run = |q: f64| {
                let line = format!(
                    "account subsampled-gaussian --sampling {sampling} --sigma 2 --q {q} --steps \
                     {steps} --records 100 --separation 4 --delta 1e-5"
                );
                let asked = Asked::try_parse_from(line.split(' ')).expect("a question");
                let sampling = SamplingName::from_str(sampling, false).expect("a name");
                asked.mechanism.sampled(sampling, 2.0, Some(q), steps)
            };
            let why = run(q).expect_err("refused");
            let offered = why.split_once("nearest is --q ").expect("an offer").1;
            let offered = offered.split(',').next().expect("a number");
            let offered: f64 = offered.parse().expect("a number");
            assert!((offered - near).abs() < 1e-12, "{sampling} {q}: {why}");
            assert!(run(offered).is_ok(), "{sampling} {q}: {offered}");
        }
        // As large as numbers of steps get, at once.
        assert_eq!(nearest_divisor(1_000_000_007 * 2, 3.0), 2);
    }

    #[test]
    fn the_share_of_a_step_is_that_asked_for_however_far_participations_are_apart() {
        assert_eq!(free_rate(0.1, 1), Ok(0.1));
        assert_eq!(free_rate(1.0 / 3.0, 3), Ok(1.0));
        for (q, separation) in [(0.05, 10), (0.09, 11), (1e-6, 1000), (0.33, 3)] {
            let rate = free_rate(q, separation).expect("it can be");
            let share = rate / (1.0 + (separation - 1) as f64 * rate);
            assert!((share - q).abs() < 1e-12 * q, "{q} {separation}: {share}");
        }
        let error = free_rate(0.2, 6).expect_err("too many");
        assert!(
            error.ends_with("nearest is --q 0.16666666666666666"),
            "{error}"
        );
        assert!(error.contains("q = 0.2 is more than 1/6"), "{error}");
    }
}
