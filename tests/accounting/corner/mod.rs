//! Edge cases and failures known from other accountants: each gives a finite, safe, tight answer or a
//! precise error.

use dp_assay::accounting::gaussian::Gaussian;
use dp_assay::accounting::{Accountant, Event, Report, account};
use dp_assay::units::{Delta, Epsilon, Neighbouring, Sensitivity, StdDev};

mod certified;
mod edges;
mod failures;
mod lattice;
mod mechanisms;

fn eps(x: f64) -> Epsilon {
    Epsilon::new(x).expect("an epsilon")
}

fn del(x: f64) -> Delta {
    Delta::new(x).expect("a delta")
}

fn gaussian(sigma: f64) -> Gaussian {
    let one = Sensitivity::new(1.0).expect("a sensitivity");
    Gaussian::new(one, StdDev::new(sigma).expect("a sigma"))
}

fn subsampled(rate: f64, sigma: f64, times: u64) -> Event {
    let event = Box::new(Event::Gaussian {
        sigma,
        sensitivity: 1.0,
    });
    Event::Repeated {
        times,
        event: Box::new(Event::PoissonSampled { rate, event }),
    }
}

fn report(event: &Event, delta: f64, method: Accountant) -> Report {
    account(event, del(delta), method, Neighbouring::AddRemove, true)
        .unwrap_or_else(|e| panic!("{event:?} by {method:?}: {e}"))
}

/// A report's ends enclose `truth` and are within `width` of each other.
fn encloses(r: &Report, truth: f64, width: f64) {
    let (lo, hi) = (r.epsilon_lower, r.epsilon_upper);
    assert!(
        lo <= truth && truth <= hi && hi - lo <= width,
        "[{lo}, {hi}] for {truth}"
    );
}
