//! Every scheme of batches at its limits: all take part, hardly anybody does, one step, much noise; and never less for more.

use crate::ask::{gaussian, of_larger, repeated, report, upper};
use dp_assay::accounting::matrix::Strategy;
use dp_assay::accounting::{Event, Report};
use dp_assay::units::Neighbouring;

use Neighbouring::{AddRemove, ReplaceOne};

const RECORDS: u64 = 1000;

/// Each scheme with a share of about one in so many records in each of so many steps.
fn schemes(one_in: u64, steps: u64, sigma: f64) -> [Event; 8] {
    let (rate, event) = (1.0 / one_in as f64, || gaussian(sigma));
    let batch = RECORDS / one_in;
    let fixed = |replacement| Event::FixedSizeSampled {
        size: RECORDS,
        batch,
        replacement,
        event: event(),
    };
    let truncated = Event::TruncatedPoissonSampled {
        rate,
        cap: 2 * batch,
        records: RECORDS,
        event: event(),
    };
    let bins = Event::BallsInBins {
        bins: one_in,
        event: event(),
    };
    let allocated = Event::RandomAllocation {
        steps,
        participations: steps / one_in,
        event: event(),
    };
    let apart = Event::BMinSeparation {
        steps,
        separation: 2,
        // Of the free so many that of all it is one in so many.
        rate: rate / (1.0 - rate),
        event: event(),
    };
    let sampled = |event| Event::PoissonSampled { rate, event };
    let band = [1.0, 0.5].into_iter().chain(std::iter::repeat(0.0));
    let correlated = Event::MatrixGaussian {
        sigma,
        strategy: Strategy::Toeplitz(band.take(steps as usize).collect()),
        participations: steps,
        separation: 1,
    };
    [
        repeated(steps, sampled(event())),
        repeated(steps, fixed(false)),
        repeated(steps, fixed(true)),
        repeated(steps, truncated),
        repeated(steps / one_in, bins),
        allocated,
        apart,
        sampled(Box::new(correlated)),
    ]
}

#[test]
fn where_all_take_part_all_schemes_are_the_full_batch() {
    const STEPS: u64 = 6;
    let event = || gaussian(3.0);
    let all = [
        repeated(
            STEPS,
            Event::PoissonSampled {
                rate: 1.0,
                event: event(),
            },
        ),
        repeated(
            STEPS,
            Event::TruncatedPoissonSampled {
                rate: 1.0,
                cap: 9,
                records: 9,
                event: event(),
            },
        ),
        repeated(
            STEPS,
            Event::BallsInBins {
                bins: 1,
                event: event(),
            },
        ),
        Event::RandomAllocation {
            steps: STEPS,
            participations: STEPS,
            event: event(),
        },
        Event::BMinSeparation {
            steps: STEPS,
            separation: 1,
            rate: 1.0,
            event: event(),
        },
    ];
    let batch = Event::FixedSizeSampled {
        size: 9,
        batch: 9,
        replacement: false,
        event: event(),
    };
    for (neighbours, far) in [(AddRemove, 1.0), (ReplaceOne, 2.0)] {
        let whole = Event::Gaussian {
            sigma: 3.0,
            sensitivity: far * (STEPS as f64).sqrt(),
        };
        let whole = upper(&whole, 1e-5, neighbours);
        let exchanged = (neighbours == ReplaceOne).then(|| repeated(STEPS, batch.clone()));
        for event in all.iter().chain(&exchanged) {
            let found = of_larger(event, 1e-5, neighbours).epsilon_upper;
            assert!(
                (found - whole).abs() <= 1e-9 * whole,
                "{event:?} {neighbours}: {found} {whole}"
            );
        }
    }
}

/// One step has the record or not: of all that is a sample at the rate, but where a record takes another's place.
#[test]
fn one_step_is_a_sample() {
    let [sampled, _, _, cut, ..] = schemes(4, 1, 1.0);
    let apart = Event::BMinSeparation {
        steps: 1,
        separation: 3,
        rate: 0.5,
        event: gaussian(1.0),
    };
    for neighbours in [AddRemove, ReplaceOne] {
        let sample = upper(&sampled, 1e-5, neighbours);
        assert!((upper(&cut, 1e-5, neighbours) - sample).abs() < 1e-4 * sample);
        let found = upper(&apart, 1e-5, neighbours);
        // A replaced record is bounded as in a batch of a fixed size.
        match neighbours {
            AddRemove => assert!((found - sample).abs() < 1e-4 * sample, "{found} {sample}"),
            _ => assert!(found >= sample * (1.0 - 1e-4), "{found} {sample}"),
        }
        for event in [
            Event::BallsInBins {
                bins: 1,
                event: gaussian(1.0),
            },
            Event::RandomAllocation {
                steps: 1,
                participations: 1,
                event: gaussian(1.0),
            },
        ] {
            let far = if neighbours == ReplaceOne { 2.0 } else { 1.0 };
            let whole = Event::Gaussian {
                sigma: 1.0,
                sensitivity: far,
            };
            assert_eq!(
                upper(&event, 1e-5, neighbours),
                upper(&whole, 1e-5, neighbours)
            );
        }
    }
}

/// Whoever is hardly ever drawn, or behind much noise, loses nothing.
#[test]
fn rare_draws_and_much_noise_leave_no_epsilon() {
    for neighbours in [AddRemove, ReplaceOne] {
        for event in schemes(10, 20, 1e6) {
            let found = upper(&event, 1e-4, neighbours);
            assert_eq!(found, 0.0, "{event:?} {neighbours}");
        }
        // One in a thousand of a single step, at a δ of a hundredth.
        for event in &schemes(1000, 1, 1.0)[..4] {
            let found = upper(event, 1e-2, neighbours);
            assert_eq!(found, 0.0, "{event:?} {neighbours}");
        }
        let rare = Event::BMinSeparation {
            steps: 10,
            separation: 3,
            rate: 1e-4,
            event: gaussian(1.0),
        };
        assert_eq!(upper(&rare, 1e-2, neighbours), 0.0);
        let at = |bins| {
            let event = gaussian(1.0);
            upper(&Event::BallsInBins { bins, event }, 1e-5, neighbours)
        };
        let [few, more, most] = [100, 10_000, 1_000_000].map(at);
        eprintln!("{neighbours}: {few} {more} {most}");
        assert!(most < 0.2 * more && more < 0.2 * few, "{few} {more} {most}");
    }
}

/// More noise, rarer draws, fewer steps and a larger δ never cost more, by more than lattices are off.
#[test]
fn no_scheme_ever_costs_less_for_more() {
    for neighbours in [AddRemove, ReplaceOne] {
        let base = schemes(4, 8, 1.5);
        let others = [
            ("noise", schemes(4, 8, 2.0), 1e-5),
            ("rate", schemes(8, 8, 1.5), 1e-5),
            ("steps", schemes(4, 4, 1.5), 1e-5),
            ("delta", schemes(4, 8, 1.5), 1e-4),
        ];
        for (i, event) in base.iter().enumerate() {
            let here = upper(event, 1e-5, neighbours);
            for (what, events, delta) in &others {
                let there = upper(&events[i], *delta, neighbours);
                assert!(
                    there <= here * (1.0 + 1e-4),
                    "{event:?} {neighbours}: {there} > {here} by {what}"
                );
            }
        }
    }
}

/// Runs that follow one another are what they are together, which costs no less than fewer of them, and no more than each with its
/// share of δ.
#[test]
#[ignore = "seconds of computing: .ci/run runs it"]
fn runs_add_up_to_no_more_than_their_parts_at_length() {
    for neighbours in [AddRemove, ReplaceOne] {
        for event in schemes(4, 4, 2.0) {
            let run = |times| repeated(times, event.clone());
            let at = |event: &Event, delta| upper(event, delta, neighbours);
            let both = Event::Composed {
                events: vec![run(2), run(3)],
            };
            let whole = at(&run(5), 1e-5);
            assert_eq!(at(&both, 1e-5), whole, "{event:?} {neighbours}");
            let fewer = at(&run(3), 1e-5);
            assert!(
                fewer > 0.0 && fewer <= whole * (1.0 + 1e-4),
                "{event:?} {neighbours}: {fewer} {whole}"
            );
            let parts = at(&run(2), 5e-6) + at(&run(3), 5e-6);
            assert!(
                whole <= parts * (1.0 + 1e-4),
                "{event:?} {neighbours}: {whole} {parts}"
            );
        }
    }
}

/// Where lattices end, and Renyi divergences are no numbers, what batches that are told would cost is left: still an answer.
#[test]
fn where_no_accountant_reaches_there_is_the_bound_of_told_batches() {
    let fixed = Event::FixedSizeSampled {
        size: RECORDS,
        batch: 10,
        replacement: false,
        event: gaussian(1.0),
    };
    let rare = Event::PoissonSampled {
        rate: 1e-9,
        event: gaussian(1e-3),
    };
    let cut = schemes(100, 4, 1.0);
    for (event, delta, neighbours, whole) in [
        (repeated(4, fixed), 1e-300, ReplaceOne, (1.0, 4.0)),
        (cut[3].clone(), 1e-300, ReplaceOne, (1.0, 4.0)),
        (cut[3].clone(), 1e-300, AddRemove, (1.0, 4.0)),
        (
            repeated(1_000_000_000, rare),
            0.3,
            AddRemove,
            (1e-3, 1e9f64.sqrt()),
        ),
    ] {
        let (sigma, sensitivity) = whole;
        let told = upper(&Event::Gaussian { sigma, sensitivity }, delta, AddRemove);
        let answer = report(&event, delta, neighbours);
        let found = answer.epsilon_upper;
        assert!(found <= told * (1.0 + 1e-12), "{event:?}: {found} {told}");
        assert!(rests_on_told(&answer), "{event:?}: {answer:?}");
        // Four draws of one in a hundred are no rarer than 10⁻⁸, which δ = 10⁻³⁰⁰ hardly sees.
        let hardly_less = delta > 1e-300 || found >= 0.9 * told;
        assert!(hardly_less, "{event:?}: {found} {told}");
    }
    let better = report(&cut[3], 1e-6, AddRemove);
    assert!(!rests_on_told(&better), "{better:?}");
}

fn rests_on_told(answer: &Report) -> bool {
    answer.claims.iter().any(|id| id == "acc-told")
}
