//! Batches as programs draw them, simulated by the built-in mechanisms: each scheme keeps its certified ε, seen with power; and fails
//! where it claims that of Poisson samples at the same noise and rate (or of independent noise), where that is too small.
//!
//! Each verdict errs with probability at most α = 10⁻³ against a true claim. A pass is one with power: the report states the ε that it
//! would have found with probability 0.9 (`detectable_epsilon`), which is at most what a pass must see (`must_see`, at most twice the
//! claim); the noise is chosen so that this can be. Seeds are fixed: what passes and fails here does so always.

use dp_assay::accounting::{Accountant, Event, account};
use dp_assay::audit::builtin::find;
use dp_assay::audit::{AuditReport, Mechanism, Output, Verdict};
use dp_assay::mechanism::tape::Tape;
use dp_assay::units::{Delta, Neighbouring};

/// A built-in mechanism with its parameters, and the Poisson samples that its noise may be mistaken for: rate and number.
struct Scheme {
    name: &'static str,
    parameters: &'static [(&'static str, f64)],
    naive: (f64, u64),
}

const fn scheme(
    name: &'static str,
    parameters: &'static [(&'static str, f64)],
    naive: (f64, u64),
) -> Scheme {
    Scheme {
        name,
        parameters,
        naive,
    }
}

impl Scheme {
    fn get(&self, parameter: &str) -> f64 {
        let found = self.parameters.iter().find(|(name, _)| *name == parameter);
        found.expect("it is given").1
    }

    fn audit(&self, epsilon: f64) -> AuditReport {
        let given = self.parameters.iter().map(|(k, v)| ((*k).to_owned(), *v));
        let specimen = find(self.name, &given.collect()).expect("it is built in");
        let audit = specimen.audit_claim(epsilon, self.get("delta"));
        audit.alpha(1e-3).seed(11).run().expect("complete")
    }

    /// Its certified ε.
    fn own(&self) -> f64 {
        let given = self.parameters.iter().map(|(k, v)| ((*k).to_owned(), *v));
        find(self.name, &given.collect())
            .expect("it is built in")
            .epsilon_upper
    }

    /// ε of the same noise on Poisson samples of the same rate, or, if all take part, on answers one by one.
    fn naive(&self) -> f64 {
        let event = Box::new(Event::Gaussian {
            sigma: self.get("sigma"),
            sensitivity: 1.0,
        });
        let (rate, times) = self.naive;
        let event = Box::new(Event::PoissonSampled { rate, event });
        let event = Event::Repeated { times, event };
        let delta = Delta::new(self.get("delta")).expect("a delta");
        let found = account(
            &event,
            delta,
            Accountant::Auto,
            Neighbouring::AddRemove,
            false,
        );
        found.expect("known").epsilon_upper
    }

    fn keeps(&self) {
        let report = self.audit(self.own());
        assert_eq!(report.verdict, Verdict::PassWithPower, "{report}");
    }

    /// That the simpler ε is too small, and is found to be.
    fn exceeds(&self) {
        let (own, naive) = (self.own(), self.naive());
        assert!(naive < own, "{}: {naive} {own}", self.name);
        self.fails(naive);
    }

    fn fails(&self, claimed: f64) {
        let report = self.audit(claimed);
        let (verdict, wanted) = (report.verdict, Verdict::Violation);
        assert_eq!(verdict, wanted, "{claimed}: {report}");
    }
}

#[test]
fn every_batch_keeps_its_epsilon_and_not_that_of_poisson_samples() {
    let all: &[(&str, f64)] = &[
        ("sigma", 3.0),
        ("records", 10.0),
        ("batch", 5.0),
        ("delta", 1e-2),
    ];
    let cut = &[
        ("sigma", 3.0),
        ("records", 6.0),
        ("rate", 0.5),
        ("cap", 2.0),
        ("delta", 1e-2),
    ];
    for scheme in [
        scheme("fixed-size-gaussian", all, (0.5, 1)),
        scheme("with-replacement-gaussian", all, (0.5, 1)),
        scheme("truncated-poisson-gaussian", cut, (0.5, 1)),
    ] {
        scheme.keeps();
        scheme.exceeds();
    }
}

/// At a small δ Poisson's ε is no less here; at a large one it is, for Poisson may pass a record over.
#[test]
#[ignore = "seconds of computing: .ci/run runs it"]
fn steps_drawn_at_random_keep_their_epsilon_and_not_that_of_poisson_samples_at_length() {
    let name = "random-allocation-gaussian";
    scheme(
        name,
        &[("steps", 2.0), ("sigma", 1.5), ("delta", 1e-2)],
        (0.5, 2),
    )
    .keeps();
    scheme(
        name,
        &[("steps", 2.0), ("sigma", 0.4), ("delta", 0.5)],
        (0.5, 2),
    )
    .exceeds();
    let kept: &[(&str, f64)] = &[
        ("steps", 4.0),
        ("participations", 2.0),
        ("sigma", 1.5),
        ("delta", 1e-2),
    ];
    let lost: &[(&str, f64)] = &[
        ("steps", 4.0),
        ("participations", 2.0),
        ("sigma", 0.4),
        ("delta", 0.6),
    ];
    scheme(name, kept, (0.5, 4)).keeps();
    scheme(name, lost, (0.5, 4)).exceeds();
    let one = scheme(
        name,
        &[("steps", 3.0), ("sigma", 1.0), ("delta", 1e-2)],
        (1.0 / 3.0, 3),
    );
    one.keeps();
    // Half of it is refuted.
    one.fails(0.5 * one.own());
}

/// Balls in bins over several epochs, each drawn anew: the laws of the epochs are composed.
#[test]
#[ignore = "seconds of computing: .ci/run runs it"]
fn epochs_of_bins_keep_their_epsilon_and_not_that_of_poisson_samples_at_length() {
    let name = "random-allocation-gaussian";
    let kept = &[
        ("steps", 2.0),
        ("epochs", 3.0),
        ("sigma", 2.5),
        ("delta", 1e-2),
    ];
    let kept = scheme(name, kept, (0.5, 6));
    kept.keeps();
    // Half of it is refuted, and so is what one epoch costs.
    kept.fails(0.5 * kept.own());
    let once = &[("steps", 2.0), ("sigma", 2.5), ("delta", 1e-2)];
    kept.fails(scheme(name, once, (0.5, 2)).own());
    let lost = &[
        ("steps", 2.0),
        ("epochs", 2.0),
        ("sigma", 0.4),
        ("delta", 0.6),
    ];
    scheme(name, lost, (0.5, 4)).exceeds();
}

/// The same where it may be at most one of four steps, and where it is always in one of two.
#[test]
#[ignore = "seconds of computing: .ci/run runs it"]
fn steps_that_are_apart_keep_their_epsilon_and_not_that_of_poisson_samples_at_length() {
    let name = "b-min-separation-gaussian";
    let once = &[
        ("steps", 4.0),
        ("separation", 4.0),
        ("rate", 0.5),
        ("sigma", 1.0),
        ("delta", 1e-2),
    ];
    let once = scheme(name, once, (0.2, 4));
    once.keeps();
    once.fails(0.5 * once.own());
    let always = &[
        ("steps", 2.0),
        ("separation", 2.0),
        ("rate", 1.0),
        ("sigma", 0.4),
        ("delta", 0.5),
    ];
    scheme(name, always, (0.5, 2)).exceeds();
}

#[test]
#[ignore = "seconds of computing: .ci/run runs it"]
fn correlated_noise_keeps_its_epsilon_and_not_that_of_independent_noise_at_length() {
    let once = &[("sigma", 3.0), ("participations", 1.0), ("delta", 1e-2)];
    let twice = &[("sigma", 3.0), ("participations", 2.0), ("delta", 1e-2)];
    let binned = &[("sigma", 3.0), ("bins", 2.0), ("delta", 1e-2)];
    for scheme in [
        scheme("matrix-gaussian", once, (1.0, 1)),
        scheme("matrix-gaussian", twice, (1.0, 2)),
        scheme("balls-in-bins-matrix-gaussian", binned, (0.5, 3)),
    ] {
        scheme.keeps();
        scheme.exceeds();
    }
}

/// With noise of a tenth, in batches of one: who is left out never answers 1, and of 40 batches of those who are there some have
/// it, but for probability 2⁻⁴⁰.
#[test]
fn a_record_answers_where_it_is_there() {
    for (name, own) in [
        ("fixed-size-gaussian", &[("batch", 1.0)][..]),
        ("with-replacement-gaussian", &[("batch", 1.0)]),
        ("truncated-poisson-gaussian", &[("cap", 1.0), ("rate", 0.9)]),
    ] {
        let given = [("sigma", 0.1), ("records", 2.0)].iter().chain(own);
        let given = given.map(|(k, v)| ((*k).to_owned(), *v)).collect();
        let specimen = find(name, &given).expect("it is built in");
        let answers = |input: f64| {
            let drawn = (0..40).map(|seed| specimen.draw(&vec![input], Tape::new(seed)));
            drawn
                .filter(|output| matches!(output, Ok(Output::Vector(x)) if x[0] > 0.5))
                .count()
        };
        assert_eq!(answers(0.0), 0, "{name}");
        assert!(answers(1.0) > 0, "{name}");
    }
}
