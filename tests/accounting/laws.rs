//! The laws of differential privacy, instantiated for every accountant: monotone in every parameter,
//! closed under post-processing, composition of the parts no better than the whole, conversions never
//! below the truth. Seeds are fixed; a failure prints the event.

use crate::parallel::on_all_cores;
use dp_assay::accounting::float::Enclosure;
use dp_assay::accounting::gaussian::Gaussian;
use dp_assay::accounting::pld::discrete_law::DiscreteLaw;
use dp_assay::accounting::pld::law::profile;
use dp_assay::accounting::shuffle::{clones_epsilon, closed_form_epsilon_upper};
use dp_assay::accounting::{Accountant, Event, Report, account, gdp, pure, rdp, zcdp};
use dp_assay::units::{Delta, Epsilon, Neighbouring, Rho, Sensitivity, StdDev};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const SEED: u64 = 0x1a05;
/// Upper bounds carry slack of their own: the lattice aims at 10⁻⁵ of ε (up to 4 times that in a
/// direction that a comparison can expose), the others at 10⁻⁷.
const LATTICE: (f64, f64) = (4e-5, 4e-6);
const OTHERS: (f64, f64) = (1e-7, 1e-9);

fn del(x: f64) -> Delta {
    Delta::new(x).expect("a delta")
}

fn report(event: &Event, delta: f64, method: Accountant) -> Report {
    account(event, del(delta), method, Neighbouring::AddRemove, false)
        .unwrap_or_else(|e| panic!("{event:?} by {method:?}: {e}"))
}

fn upper(event: &Event, delta: f64, method: Accountant) -> f64 {
    report(event, delta, method).epsilon_upper
}

fn slack(method: Accountant, epsilon: f64) -> f64 {
    let (relative, absolute) = if method == Accountant::Pld {
        LATTICE
    } else {
        OTHERS
    };
    relative * epsilon + absolute
}

/// Poisson-subsampled Gaussian steps.
#[derive(Clone, Copy, Debug)]
struct Steps {
    rate: f64,
    sigma: f64,
    times: u64,
    delta: f64,
}

impl Steps {
    fn random(rng: &mut Pcg64) -> Self {
        Self {
            rate: 10f64.powf(rng.random_range(-2.5..-0.3)),
            sigma: 10f64.powf(rng.random_range(-0.2..1.0)),
            times: 10f64.powf(rng.random_range(2.0..4.0)) as u64,
            delta: 10f64.powf(rng.random_range(-10.0..-3.0)),
        }
    }

    fn event(self) -> Event {
        let leaf = Box::new(Event::Gaussian {
            sigma: self.sigma,
            sensitivity: 1.0,
        });
        let step = Box::new(Event::PoissonSampled {
            rate: self.rate,
            event: leaf,
        });
        Event::Repeated {
            times: self.times,
            event: step,
        }
    }

    fn upper(self, method: Accountant) -> f64 {
        upper(&self.event(), self.delta, method)
    }
}

/// Each of these has a smaller ε.
fn better(base: &Steps) -> [Steps; 4] {
    let lower_rate = Steps {
        rate: base.rate * 0.8,
        ..*base
    };
    let more_noise = Steps {
        sigma: base.sigma * 1.2,
        ..*base
    };
    let fewer_steps = Steps {
        times: base.times / 2,
        ..*base
    };
    let more_delta = Steps {
        delta: base.delta * 3.0,
        ..*base
    };
    [lower_rate, more_noise, fewer_steps, more_delta]
}

fn monotone(method: Accountant, points: usize) {
    let mut rng = Pcg64::seed_from_u64(SEED);
    let bases: Vec<Steps> = (0..points).map(|_| Steps::random(&mut rng)).collect();
    // One by one: few of them take most of the time.
    let all: Vec<Steps> = bases
        .iter()
        .flat_map(|base| std::iter::once(*base).chain(better(base)))
        .collect();
    let found = on_all_cores(&all, |steps| steps.upper(method));
    for (steps, found) in all.chunks(5).zip(found.chunks(5)) {
        let (base, here) = (steps[0], found[0]);
        let allowed = here + slack(method, here);
        for (other, there) in steps.iter().zip(found).skip(1) {
            assert!(
                *there <= allowed,
                "{method:?}: {other:?} has {there} > {here} of {base:?}"
            );
        }
    }
}

#[test]
fn rdp_is_monotone_in_rate_steps_noise_and_delta() {
    monotone(Accountant::Rdp, 40);
}

#[test]
fn inversion_is_monotone_in_rate_steps_noise_and_delta() {
    monotone(Accountant::Auto, 12);
}

#[test]
fn lattices_are_monotone_in_rate_steps_noise_and_delta() {
    monotone(Accountant::Pld, 3);
}

#[test]
fn lattices_and_inversion_agree_and_stay_below_rdp() {
    let mut rng = Pcg64::seed_from_u64(SEED + 1);
    let all: Vec<Steps> = (0..8).map(|_| Steps::random(&mut rng)).collect();
    on_all_cores(&all, |steps| {
        let exact = report(&steps.event(), steps.delta, Accountant::Auto);
        let (lattice, renyi) = (steps.upper(Accountant::Pld), steps.upper(Accountant::Rdp));
        let (lo, hi) = (exact.epsilon_lower, exact.epsilon_upper);
        assert!(
            lo <= hi && hi <= renyi,
            "{steps:?}: [{lo}, {hi}], RDP {renyi}"
        );
        assert!(
            lo <= lattice,
            "{steps:?}: the lattice's {lattice} is below {lo}"
        );
        // The step aims at 10⁻⁵ relative; a window that had to be coarsened is 4 or 16 times that.
        assert!(
            lattice <= hi * (1.0 + 2e-4) + 2e-5,
            "{steps:?}: lattice {lattice}, exact {hi}"
        );
    });
}

/// Splitting a composition into named parts changes nothing.
#[test]
fn composition_of_the_parts_is_the_whole() {
    let leaf = || {
        Box::new(Event::Gaussian {
            sigma: 1.5,
            sensitivity: 1.0,
        })
    };
    let sampled = |times| Event::Repeated {
        times,
        event: Box::new(Event::PoissonSampled {
            rate: 0.02,
            event: leaf(),
        }),
    };
    let laplace = |times| Event::Repeated {
        times,
        event: Box::new(Event::Laplace {
            scale: 20.0,
            sensitivity: 1.0,
        }),
    };
    for (whole, parts) in [
        (sampled(1000), vec![sampled(400), sampled(600)]),
        (laplace(50), vec![laplace(20), laplace(30)]),
    ] {
        let parts = Event::Composed { events: parts };
        for method in [Accountant::Auto, Accountant::Rdp, Accountant::Pld] {
            assert_eq!(
                upper(&whole, 1e-6, method),
                upper(&parts, 1e-6, method),
                "{method:?}"
            );
        }
    }
}

/// Running more never costs less, whatever is mixed.
#[test]
fn adding_a_step_never_lowers_epsilon() {
    let one = |event: Event| Event::Composed {
        events: vec![event],
    };
    let extra = [
        Event::Gaussian {
            sigma: 3.0,
            sensitivity: 1.0,
        },
        Event::Laplace {
            scale: 5.0,
            sensitivity: 1.0,
        },
        Event::DiscreteLaplace {
            parameter: 0.1,
            sensitivity: 1,
        },
        Event::Pure { epsilon: 0.2 },
        Event::Exponential { epsilon: 0.2 },
    ];
    let base = Event::Repeated {
        times: 20,
        event: Box::new(Event::Laplace {
            scale: 10.0,
            sensitivity: 1.0,
        }),
    };
    on_all_cores(
        &[Accountant::Auto, Accountant::Rdp, Accountant::Pld],
        |&method| {
            let before = upper(&one(base.clone()), 1e-6, method);
            for step in &extra {
                let after = upper(
                    &Event::Composed {
                        events: vec![base.clone(), step.clone()],
                    },
                    1e-6,
                    method,
                );
                let allowed = slack(Accountant::Pld, before);
                assert!(
                    after + allowed >= before,
                    "{method:?}: {step:?} lowers {before} to {after}"
                );
            }
        },
    );
}

/// Merging outcomes of a finite mechanism is post-processing: every divergence can only fall.
#[test]
fn post_processing_never_raises_a_divergence() {
    let mut rng = Pcg64::seed_from_u64(SEED + 2);
    for _ in 0..500 {
        let n = rng.random_range(3..12usize);
        let mut law = || -> Vec<f64> {
            let raw: Vec<f64> = (0..n).map(|_| rng.random_range(0.01..1.0f64)).collect();
            let total: f64 = raw.iter().sum();
            raw.iter().map(|x| x / total).collect()
        };
        let (p, q) = (law(), law());
        let merged = |x: &[f64]| [&[x[0] + x[1]], &x[2..]].concat();
        let (before, after) = (
            DiscreteLaw::from_masses(&p, &q),
            DiscreteLaw::from_masses(&merged(&p), &merged(&q)),
        );
        for j in 0..20 {
            let e = f64::from(j) * 0.2 - 2.0;
            let (b, a) = (profile(&before, e), profile(&after, e));
            assert!(a.lo <= b.hi, "{p:?} {q:?} at {e}: {a:?} after {b:?}");
        }
        for beta in [0.1, 1.0, 5.0, 50.0] {
            let (b, a) = (before.rdp_upper(beta), after.rdp_upper(beta));
            assert!(
                a <= b * (1.0 + 1e-12) + 1e-14,
                "{p:?} {q:?} at order {}: {a} > {b}",
                1.0 + beta
            );
        }
    }
}

/// The truth of a Gaussian is known: no conversion from another notion may fall below it.
#[test]
fn conversions_never_fall_below_the_exact_gaussian() {
    let mut rng = Pcg64::seed_from_u64(SEED + 3);
    for _ in 0..300 {
        let sigma = 10f64.powf(rng.random_range(-1.5..3.0));
        let delta = del(10f64.powf(rng.random_range(-100.0..-1.0)));
        let one = Sensitivity::new(1.0).expect("a sensitivity");
        let exact = Gaussian::new(one, StdDev::new(sigma).expect("a sigma"));
        let truth = exact.epsilon(delta).expect("finite");
        let half = (Enclosure::point(1.0) / Enclosure::point(sigma)).square() * 0.5;
        let rho = Rho::new(half.hi).expect("a rho");
        let by_zcdp = zcdp::epsilon_upper(rho, delta).expect("finite");
        let classic = zcdp::classic_epsilon_upper(rho, delta).expect("finite");
        let mut curve = |beta: f64| ((Enclosure::point(beta) + 1.0) * half).hi;
        let by_rdp = rdp::epsilon_upper(&mut curve, delta).expect("finite");
        assert!(
            truth.lo <= by_zcdp && by_zcdp <= classic,
            "{sigma}: {truth:?} {by_zcdp} {classic}"
        );
        assert!(truth.lo <= by_rdp, "{sigma} {delta}: {truth:?} {by_rdp}");
        // The same optimisation: RDP and zCDP give the same bound up to the search's own error.
        assert!(
            (by_rdp - by_zcdp).abs() <= 1e-8 * by_zcdp,
            "{by_rdp} {by_zcdp}"
        );
        // And back: δ(ε) inverts ε(δ).
        let epsilon = Epsilon::new(truth.hi).expect("an epsilon");
        assert!(exact.delta(epsilon).lo <= delta.get());
    }
}

/// Pure ⇒ zCDP, GDP and optimal composition never promise more than randomised response keeps.
#[test]
fn what_follows_from_pure_privacy_covers_randomised_response() {
    for j in 1..=40 {
        let e = 0.05 * f64::from(j);
        let epsilon = Epsilon::new(e).expect("an epsilon");
        let law = DiscreteLaw::response(e);
        let rho = zcdp::pure_rho_upper(epsilon);
        let mu = gdp::mu_of_pure(epsilon).expect("small");
        let cover = gdp::mechanism(mu).expect("a mu");
        for k in 0..=20 {
            let at = Epsilon::new(e * f64::from(k) / 20.0).expect("an epsilon");
            let truth = profile(&law, at.get());
            assert!(cover.delta(at).hi >= truth.lo, "GDP: ε = {e} at {at}");
        }
        for beta in [0.01, 0.5, 1.0, 9.0, 99.0] {
            let truth = law.rdp_upper(beta) * (1.0 - 1e-12) - 1e-14;
            assert!(
                rho * (1.0 + beta) >= truth,
                "zCDP: ε = {e} at order {}",
                1.0 + beta
            );
        }
        let group = [pure::Group { epsilon, count: 5 }];
        let optimal = pure::compose_optimal(&group, del(1e-6)).expect("one group");
        assert!(optimal.hi <= pure::compose_basic(&group));
        // Advanced composition (Dwork and Roth 2014, Theorem 3.20).
        let advanced = (10.0 * 1e6f64.ln()).sqrt() * e + 5.0 * e * e.exp_m1();
        assert!(optimal.lo <= advanced, "{optimal:?} {advanced}");
    }
}

/// Disjoint parts cost the worst of them, never the sum; and only where the relation keeps records in
/// their part.
#[test]
fn parallel_composition_costs_the_worst_part() {
    let parts = vec![
        Event::Gaussian {
            sigma: 2.0,
            sensitivity: 1.0,
        },
        Event::Laplace {
            scale: 1.0,
            sensitivity: 1.0,
        },
    ];
    let worst = parts
        .iter()
        .map(|e| upper(e, 1e-5, Accountant::Auto))
        .fold(0.0, f64::max);
    let parallel = |partition| Event::Parallel {
        partition,
        events: parts.clone(),
    };
    use dp_assay::accounting::event::Partition;
    assert_eq!(
        upper(&parallel(Partition::ByValue), 1e-5, Accountant::Auto),
        worst
    );
    use Neighbouring::{ReplaceOne, User, ZeroOut};
    for (neighbours, what) in [
        (ReplaceOne, "replaced"),
        (User, "replaced"),
        (ZeroOut, "zeroed"),
    ] {
        let at = |partition| {
            let event = parallel(partition);
            account(&event, del(1e-5), Accountant::Auto, neighbours, false)
        };
        let refused = at(Partition::ByValue).expect_err("it may change parts");
        let why = format!("the {what} record may");
        assert!(refused.to_string().contains(&why), "{refused}");
        let kept = at(Partition::ByIndex).expect("it keeps its part");
        assert!(
            kept.theorem.contains("is the caller's word"),
            "{neighbours}: {}",
            kept.theorem
        );
    }
}

/// The theorem's formula is an upper bound of what its proof reduces shuffling to.
#[test]
fn the_closed_form_of_shuffling_is_above_the_clones() {
    for (local, n) in [(0.5, 2_000), (1.0, 10_000), (2.0, 30_000), (3.0, 1_000_000)] {
        for delta in [1e-3, 1e-6] {
            let (local, delta) = (Epsilon::new(local).expect("in range"), del(delta));
            let closed = closed_form_epsilon_upper(local, n, delta).expect("large enough");
            let clones = clones_epsilon(local, n, delta).expect("small");
            assert!(
                clones.lo < closed && closed <= local.get(),
                "{local:?}, {n}"
            );
        }
    }
    // e^{ε₀} = n/(16 ln(2/δ)) at n = 10⁴, δ = 10⁻⁶: ε₀ = 3.763.
    let asked = |local: f64| {
        closed_form_epsilon_upper(Epsilon::new(local).expect("in range"), 10_000, del(1e-6))
    };
    assert!(asked(3.76).is_ok() && asked(3.77).is_err());
}

/// Outcomes that only one of two neighbours has reveal it.
#[test]
fn an_outcome_of_one_law_alone_is_an_infinite_loss() {
    let law = DiscreteLaw::from_masses(&[0.5, 0.3, 0.2, 0.0], &[0.5, 0.0, 0.2, 0.3]);
    for epsilon in [0.0, 1.0, 50.0] {
        let delta = profile(&law, epsilon);
        // Losses and ε are known to some units in the last place of the larger one, and masses to four.
        let close = 32.0 * f64::EPSILON * (1.0 + epsilon);
        assert!(
            delta.lo <= 0.3 && 0.3 <= delta.hi && delta.width() < close,
            "{delta:?}"
        );
    }
}
