//! Poisson samples in the place of random allocations: where a search begins.

use crate::accounting::event::Event;

/// The event with Poisson samples of the same rate for every random allocation of noise, if it has one: about as private.
pub(super) fn likened(event: &Event) -> Option<Event> {
    let sampled = |times: u64, rate: f64, event: &Event| {
        let noise = matches!(event, Event::Gaussian { .. });
        let event = Box::new(event.clone());
        let event = Box::new(Event::PoissonSampled { rate, event });
        noise.then_some(Event::Repeated { times, event })
    };
    match event {
        Event::RandomAllocation {
            steps,
            participations,
            event,
        } => sampled(*steps, *participations as f64 / *steps as f64, event),
        Event::BallsInBins { bins, event } => sampled(*bins, 1.0 / *bins as f64, event),
        Event::Repeated { times, event } => Some(Event::Repeated {
            times: *times,
            event: Box::new(likened(event)?),
        }),
        Event::Composed { events } => {
            let each: Vec<Option<Event>> = events.iter().map(likened).collect();
            let any = each.iter().any(Option::is_some);
            let both = each.into_iter().zip(events);
            let events = both.map(|(like, event)| like.unwrap_or_else(|| event.clone()));
            any.then(|| Event::Composed {
                events: events.collect(),
            })
        }
        Event::Parallel { .. }
        | Event::PoissonSampled { .. }
        | Event::FixedSizeSampled { .. }
        | Event::TruncatedPoissonSampled { .. }
        | Event::BMinSeparation { .. }
        | Event::Gaussian { .. }
        | Event::Laplace { .. }
        | Event::DiscreteGaussian { .. }
        | Event::DiscreteLaplace { .. }
        | Event::RandomizedResponse { .. }
        | Event::Exponential { .. }
        | Event::ReportNoisyMax { .. }
        | Event::CorrelatedGaussian { .. }
        | Event::GaussianMixture { .. }
        | Event::MatrixGaussian { .. }
        | Event::Pure { .. }
        | Event::Approximate { .. }
        | Event::Zcdp { .. }
        | Event::Gdp { .. }
        | Event::PrivateSelection { .. } => None,
    }
}
