//! What is described is what is planned, within the domains of its numbers.

use super::*;
use crate::audit::from_fn;

fn audit() -> Audit<impl Mechanism<Input = u8>> {
    Audit::of(from_fn("m", |_: &u8, _| 0.5))
        .claim(1.0, 0.125)
        .neighbours(Neighbouring::AddRemove, 1, 2)
}

/// What is set is what is planned, and what is not is the default.
#[test]
fn a_plan_is_what_was_described() {
    let plan = audit().plan().expect("complete");
    assert_eq!(
        (plan.claim.epsilon.get(), plan.claim.delta.get()),
        (1.0, 0.125)
    );
    assert_eq!(
        (plan.neighbours, plan.release, plan.trials),
        (Neighbouring::AddRemove, Release::Final, USUAL_TRIALS)
    );
    assert_eq!(
        (plan.alpha, plan.seed, plan.extras.bits, plan.implied.len()),
        (SUITE_ALPHA, 0, false, 1)
    );
    // Half of the error is the betting's, and what a pass must see is what such a betting sees: for some claims another error makes a
    // difference.
    let asked = |claim, alpha: f64| power::must_see(claim, &Shape::Unknown, alpha);
    let claims = (1..300).map(|i| Guarantee::new(0.01 * f64::from(i), 0.0).expect("in the domain"));
    let claim = { claims }
        .find(|claim| asked(*claim, 0.25) != asked(*claim, 0.999))
        .expect("a claim");
    let plan_of = |claim: Guarantee| audit().claim(claim.epsilon.get(), 0.0).alpha(0.5).plan();
    assert_eq!(plan_of(claim).expect("complete").target, asked(claim, 0.25));
    assert_eq!(
        plan.target,
        power::must_see(plan.claim, &Shape::Unknown, SUITE_ALPHA * BETTING)
    );
    assert!(plan.event.is_none() && plan.extras.statistics.is_empty());
    let event = Event::Missing { column: 0 };
    let set = audit()
        .release(Release::Transcript)
        .trials(70)
        .alpha(0.25)
        .seed(9)
        .event(event.clone());
    let mut set = set
        .bits()
        .must_see(3.0)
        .statistic("zero", |_| 0.0)
        .gaussian();
    assert_eq!(set.own_budget().as_deref(), Some(".alpha(2.5e-1)"));
    let plan = set.plan().expect("complete");
    assert_eq!(
        (plan.release, plan.trials, plan.alpha, plan.seed),
        (Release::Transcript, 70, 0.25, 9)
    );
    assert_eq!(
        (
            plan.event,
            plan.extras.bits,
            plan.target,
            plan.extras.statistics.len()
        ),
        (Some(event), true, 3.0, 1)
    );
    assert!(plan.implied.len() > 1 && matches!(plan.shape, Shape::Gaussian));
    assert_eq!(
        [audit().own_budget(), audit().seed(0).own_budget()],
        [None, Some(".seed(0)".into())]
    );
}

/// Numbers at the edges of their domains.
#[test]
fn numbers_outside_their_domains_are_refused() {
    let refused = |audit: Audit<_>| {
        let mut audit = audit;
        audit.plan().err().map(|error| error.to_string())
    };
    for alpha in [0.0, 1.0, -0.1, f64::NAN] {
        assert!(
            refused(audit().alpha(alpha)).is_some_and(|why| why.contains("must lie in (0, 1)")),
            "{alpha}"
        );
    }
    for trials in [0, (1 << 32) + 1, u64::MAX] {
        let why = refused(audit().trials(trials));
        assert!(
            why.is_some_and(|why| why.contains("must be a whole number from 1 to 2³²")),
            "{trials}"
        );
    }
    for see in [1.0, 0.5, f64::NAN] {
        let why = refused(audit().must_see(see));
        assert!(
            why.is_some_and(|why| why.contains("must exceed the epsilon claimed")),
            "{see}"
        );
    }
    let why = refused(audit().must_see(f64::INFINITY));
    assert!(why.is_some_and(|why| why.contains("= inf must be finite")));
    for audit in [
        audit().alpha(0.999),
        audit().alpha(1e-300),
        audit().trials(1),
        audit().trials(1 << 32),
        audit().must_see(1.001),
    ] {
        assert_eq!(refused(audit), None);
    }
    assert!(
        refused(audit().claim(1.0, 1.0)).is_some() && refused(audit().claim(-1.0, 0.0)).is_some()
    );
    let mechanism = || Audit::of(from_fn("m", |_: &u8, _| 0.5));
    let missing = |mut audit: Audit<_>| match audit.plan() {
        Err(AuditError::Incomplete { missing, .. }) => missing,
        _ => "nothing",
    };
    assert_eq!(
        [missing(mechanism()), missing(mechanism().claim(1.0, 0.0))],
        ["claim", "pair of inputs"]
    );
}
