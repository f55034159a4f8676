//! The flags that describe a mechanism, for `account` and `calibrate` alike, and the event that they mean.

use crate::cli::{Format, given};
use clap::ValueEnum;
use clap::builder::PossibleValuesParser;
use dp_assay::accounting::event::parse_rate;
use dp_assay::accounting::oracle::{Certified, certify};
use dp_assay::accounting::{AccountError, Accountant, Event, Report};
use dp_assay::units::{Delta, Neighbouring};
use schemars::JsonSchema;
use serde::Serialize;
use std::error::Error;
use std::path::PathBuf;

/// The names of the examples, as in the format's headings; the first is for `account`, the last for `calibrate`.
pub const EXAMPLES: [&str; 6] = [
    "dp-sgd",
    "composed",
    "fixed-size",
    "parallel",
    "local",
    "free",
];

/// The mechanism and its parameters.
#[derive(clap::Args)]
pub struct Mechanism {
    /// `gaussian`, `laplace`, `subsampled-gaussian`, `event` with a file, or `decor` with a graph.
    #[arg(value_enum)]
    pub(super) mechanism: Name,
    /// With `event`: a file with an event tree (JSON, `spec/formats/event.md`); `-` is standard input. For `calibrate`
    /// one of its numbers is `"?"`.
    #[arg(value_name = "FILE")]
    pub(super) file: Option<PathBuf>,
    /// With `event`: print this example of a tree, or one that suits the command, and do nothing else.
    #[arg(
        long,
        value_name = "NAME",
        num_args = 0..=1,
        default_missing_value = "",
        conflicts_with = "file",
        value_parser = PossibleValuesParser::new(EXAMPLES.iter().copied().chain([""])),
    )]
    pub(super) example: Option<String>,
    /// Standard deviation of Gaussian noise; scale b of Laplace noise. The query has sensitivity 1: with `gaussian` and
    /// `laplace` that is what it differs by on two neighbours of the relation asked for; with `subsampled-gaussian` what
    /// the presence of one record adds to a batch's sum, so that a record that is replaced moves the sum by up to 2.
    #[arg(long, visible_alias = "scale", allow_negative_numbers = true)]
    pub(super) sigma: Option<f64>,
    /// Sampling rate: a number, or a ratio such as 256/60000, which is rounded up.
    #[arg(long, allow_negative_numbers = true, value_parser = parse_rate)]
    pub(super) q: Option<f64>,
    /// How batches are drawn.
    #[arg(long, value_enum, default_value = "poisson")]
    pub(super) sampling: SamplingName,
    /// With `--sampling fixed-size`, `with-replacement` (the batch is q times as many) or `truncated-poisson`: number of
    /// records of the data. Where a record comes or goes, ε covers neighbours with one less and with one more.
    #[arg(long, value_name = "N")]
    pub(super) records: Option<u64>,
    /// With `--sampling truncated-poisson`: the largest batch.
    #[arg(long, value_name = "B")]
    pub(super) cap: Option<u64>,
    /// With `--sampling b-min-separation`: least distance of two steps with the same record.
    #[arg(long, value_name = "STEPS")]
    pub(super) separation: Option<u64>,
    /// Number of steps.
    #[arg(long, default_value_t = 1)]
    pub(super) steps: u64,
    /// Privacy parameter δ.
    #[arg(
        long,
        allow_negative_numbers = true,
        required_unless_present = "example"
    )]
    pub(super) delta: Option<f64>,
    /// When two data sets are neighbours.
    #[arg(long, default_value = "add-remove")]
    pub(super) neighbours: Neighbouring,
    /// The accountant.
    #[arg(long, value_enum, default_value = "auto")]
    pub(super) method: MethodName,
    /// How to print.
    #[arg(long, value_enum, default_value = "text")]
    pub(super) format: Format,
    /// Also enclose ε in certified arithmetic (slow), and fail if either end contradicts the accountant's.
    #[arg(long)]
    pub(super) oracle: bool,
    /// With `--oracle`: how wide the enclosure may be, at least 1e-6.
    #[arg(
        long,
        value_name = "WIDTH",
        default_value_t = 1e-3,
        requires = "oracle"
    )]
    pub(super) oracle_width: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Name {
    Gaussian,
    Laplace,
    SubsampledGaussian,
    Event,
    Decor,
}

/// How batches are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SamplingName {
    /// Each record on its own.
    Poisson,
    /// So many, without replacement.
    FixedSize,
    /// So many draws, with replacement.
    WithReplacement,
    /// Each record in q·T of T steps, drawn at random.
    RandomAllocation,
    /// Each record in one of 1/q steps, drawn on its own and anew for every 1/q steps.
    BallsInBins,
    /// Each record on its own, at most so many.
    TruncatedPoisson,
    /// Each record on its own, but not again before so many steps.
    BMinSeparation,
}

impl SamplingName {
    /// The spelling in flags and results.
    pub fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Whether participations or bins must be whole, which most numbers of steps do not make them.
    pub const fn divides_steps(self) -> bool {
        matches!(self, Self::RandomAllocation | Self::BallsInBins)
    }

    /// Whether batches, participations or bins must be whole, which most sampling rates do not make them.
    pub const fn takes_whole_numbers(self) -> bool {
        matches!(
            self,
            Self::FixedSize | Self::WithReplacement | Self::RandomAllocation | Self::BallsInBins
        )
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum MethodName {
    Auto,
    Rdp,
    Pld,
    Exact,
}

impl From<MethodName> for Accountant {
    fn from(name: MethodName) -> Self {
        match name {
            MethodName::Auto => Self::Auto,
            MethodName::Rdp => Self::Rdp,
            MethodName::Pld => Self::Pld,
            MethodName::Exact => Self::Exact,
        }
    }
}
impl Mechanism {
    /// How batches are drawn, where they are.
    pub(super) fn named_sampling(&self) -> Option<SamplingName> {
        (self.mechanism == Name::SubsampledGaussian).then_some(self.sampling)
    }

    pub(super) fn sampling_text(&self) -> String {
        let replaced = self.neighbours == Neighbouring::ReplaceOne;
        match self.named_sampling() {
            Some(sampling) if replaced => format!(
                "{} sampling\na record adds up to 1 to a batch's sum: one that is replaced \
                 moves it by up to 2\n",
                sampling.name()
            ),
            Some(sampling) => format!("{} sampling\n", sampling.name()),
            None if replaced && matches!(self.mechanism, Name::Gaussian | Name::Laplace) => {
                "a replaced record is taken to move what is noised by up to the sensitivity\n"
                    .into()
            }
            None => String::new(),
        }
    }

    /// δ, which clap asks for unless an example is all that is wanted.
    pub(super) fn delta(&self) -> Result<Delta, Box<dyn Error>> {
        Ok(Delta::new(self.delta.ok_or("--delta is missing")?)?)
    }

    /// The oracle's enclosure of the event's ε if it is asked for.
    ///
    /// # Errors
    /// When it has none, or when it and the report cannot both be true.
    pub(super) fn oracle(
        &self,
        event: &Event,
        report: &Report,
    ) -> Result<Option<Certified>, Box<dyn Error>> {
        if !self.oracle {
            return Ok(None);
        }
        let found = certify(event, self.delta()?, self.neighbours, self.oracle_width)?;
        let (oracle, method) = ("the certified oracle", report.method.name());
        let Certified {
            epsilon_lower: lower,
            epsilon_upper: upper,
        } = found;
        AccountError::in_order((lower, oracle), (report.epsilon_upper, method))?;
        AccountError::in_order((report.epsilon_lower, method), (upper, oracle))?;
        Ok(Some(found))
    }

    /// The event that the flags describe, with these values for those that may be searched for.
    pub(super) fn event(
        &self,
        sigma: Option<f64>,
        q: Option<f64>,
        steps: u64,
    ) -> Result<Event, String> {
        let name = self.mechanism;
        let refuse = |given: bool, flag: &str, why: &str| match given {
            true => Err(format!("{flag} does not go with {why}")),
            false => Ok(()),
        };
        refuse(
            self.file.is_some() && name != Name::Event,
            "a FILE",
            "this mechanism",
        )?;
        refuse(
            q.is_some() && name != Name::SubsampledGaussian,
            "--q",
            "this mechanism",
        )?;
        self.refuse_unused()?;
        let noise = || sigma.ok_or("this mechanism needs its noise, e.g. --sigma 2");
        let single = match name {
            Name::Gaussian => Event::Gaussian {
                sigma: noise()?,
                sensitivity: 1.0,
            },
            Name::Laplace => Event::Laplace {
                scale: noise()?,
                sensitivity: 1.0,
            },
            Name::SubsampledGaussian => return self.sampled(self.sampling, noise()?, q, steps),
            Name::Decor => return Err("decor is accounted for on its graph".into()),
            Name::Event => {
                refuse(sigma.is_some(), "--sigma", "an event file")?;
                Event::from_json(&self.tree_text()?).map_err(|e| self.at_file(&e))?
            }
        };
        Ok(match steps {
            1 => single,
            times => Event::Repeated {
                times,
                event: Box::new(single),
            },
        })
    }

    /// A flag that changes nothing is refused: who gave it meant another run.
    pub(super) fn refuse_unused(&self) -> Result<(), String> {
        use SamplingName::{BMinSeparation, FixedSize, TruncatedPoisson, WithReplacement};
        let draws = matches!(self.mechanism, Name::SubsampledGaussian | Name::Decor);
        let drawn = draws.then_some(self.sampling);
        let used = |by: &[SamplingName]| drawn.is_some_and(|sampling| by.contains(&sampling));
        let sized = used(&[FixedSize, WithReplacement, TruncatedPoisson]);
        let unused = [
            ("--records", self.records.is_some() && !sized),
            ("--cap", self.cap.is_some() && !used(&[TruncatedPoisson])),
            (
                "--separation",
                self.separation.is_some() && !used(&[BMinSeparation]),
            ),
            ("--sampling", given("--sampling") && drawn.is_none()),
        ];
        match unused.into_iter().find(|(_, is_unused)| *is_unused) {
            None => Ok(()),
            Some((flag, _)) => Err(format!(
                "{flag} does not go with {}",
                match drawn {
                    Some(sampling) => format!("--sampling {}", sampling.name()),
                    None => "this mechanism".to_owned(),
                }
            )),
        }
    }
}
