//! Two routes to every number: what the accountants say of mechanisms with finitely many answers, against the
//! same laws multiplied out; what they say of Gaussian noise, against the specification's oracle. Every sampling,
//! every relation, both directions, every order of events.

mod brute;
mod deletion;
mod extremes;
mod finite;
#[cfg(feature = "certify")]
mod noise;
mod windows;

use dp_assay::accounting::{Accountant, Event, Report, account};
use dp_assay::units::{Delta, Neighbouring};

fn del(x: f64) -> Delta {
    Delta::new(x).expect("a delta")
}

fn poisson(rate: f64, event: &Event) -> Event {
    Event::PoissonSampled {
        rate,
        event: Box::new(event.clone()),
    }
}

fn fixed_size(size: u64, batch: u64, event: &Event) -> Event {
    Event::FixedSizeSampled {
        size,
        batch,
        replacement: false,
        event: Box::new(event.clone()),
    }
}

fn repeated(times: u64, event: &Event) -> Event {
    Event::Repeated {
        times,
        event: Box::new(event.clone()),
    }
}

pub fn gaussian(sigma: f64) -> Event {
    Event::Gaussian {
        sigma,
        sensitivity: 1.0,
    }
}

pub fn laplace(scale: f64) -> Event {
    Event::Laplace {
        scale,
        sensitivity: 1.0,
    }
}

fn report(event: &Event, delta: f64, method: Accountant, neighbours: Neighbouring) -> Report {
    account(event, del(delta), method, neighbours, true)
        .unwrap_or_else(|e| panic!("{event:?} by {method:?} under {neighbours}: {e}"))
}

/// Every order of the items.
fn orders<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (i, first) in items.iter().enumerate() {
        let rest = [&items[..i], &items[i + 1..]].concat();
        for mut order in orders(&rest) {
            order.insert(0, first.clone());
            all.push(order);
        }
    }
    all
}
