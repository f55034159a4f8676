//! Compositions of different mechanisms, drawn at random: both ends of ε within a ten-thousandth, for δ ≥ 10⁻¹². Seeds are fixed; a
//! failure prints the composition.

use crate::ask::{asked, gaussian, poisson, repeated, report, upper, width};
use crate::parallel::on_all_cores;
use dp_assay::accounting::{Accountant, Event, account, zcdp};
use dp_assay::units::Neighbouring::{AddRemove, ReplaceOne};
use dp_assay::units::{Delta, Rho};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn log_uniform(rng: &mut Pcg64, lo: f64, hi: f64) -> f64 {
    rng.random_range(lo.ln()..hi.ln()).exp()
}

/// Gaussian, Laplace or discrete Gaussian noise, or a sample of one of the former two.
fn part(rng: &mut Pcg64) -> Event {
    let laplace = |scale| Event::Laplace {
        scale,
        sensitivity: 1.0,
    };
    let kind = rng.random_range(0..5);
    let rate = log_uniform(rng, 1e-3, 0.7);
    match kind {
        0 => *gaussian(log_uniform(rng, 0.8, 50.0)),
        1 => laplace(log_uniform(rng, 1.0, 100.0)),
        2 => Event::DiscreteGaussian {
            sigma: log_uniform(rng, 1.0, 50.0),
            sensitivity: rng.random_range(1..4),
        },
        3 => poisson(rate, gaussian(log_uniform(rng, 0.6, 10.0))),
        _ => poisson(rate, Box::new(laplace(log_uniform(rng, 0.7, 30.0)))),
    }
}

fn ends_are_close(seed: u64, cases: usize) {
    let mut rng = Pcg64::seed_from_u64(seed);
    let drawn = (0..cases).map(|_| {
        let parts = rng.random_range(2..5);
        let events = (0..parts).map(|_| {
            let times = log_uniform(&mut rng, 1.0, 1000.0) as u64;
            repeated(times, part(&mut rng))
        });
        let events = events.collect();
        let delta = log_uniform(&mut rng, 1e-12, 1e-3);
        (Event::Composed { events }, delta)
    });
    let drawn: Vec<(Event, f64)> = drawn.collect();
    let widths = on_all_cores(&drawn, |(event, delta)| {
        let found = report(event, *delta, AddRemove);
        let wide = width(&found);
        assert!(
            found.epsilon_upper == 0.0 || wide <= 1e-4,
            "{event:?} at {delta:e}: {wide:e} of {found:?}"
        );
        wide
    });
    println!(
        "widest of {cases}: {:e}",
        widths.into_iter().fold(0.0, f64::max)
    );
}

/// Few rare samples, which lose next to nothing: a hundredth of a nat is known as closely as ten.
#[test]
fn small_epsilons_of_mixed_compositions_are_known_to_a_ten_thousandth() {
    let laplace = Box::new(Event::Laplace {
        scale: 8.9,
        sensitivity: 1.0,
    });
    let events = vec![
        poisson(0.00115, gaussian(1.03)),
        repeated(2, poisson(0.048, laplace)),
    ];
    let found = report(&Event::Composed { events }, 1e-5, AddRemove);
    assert!(
        found.epsilon_upper < 0.02 && width(&found) <= 1e-4,
        "{found:?}"
    );
}

#[test]
fn mixed_compositions_are_known_to_a_ten_thousandth() {
    ends_are_close(1, 12);
}

#[test]
#[ignore = "a minute of computing: three hundred compositions"]
fn three_hundred_mixed_compositions_are_known_to_a_ten_thousandth() {
    ends_are_close(2, 300);
}

/// Records that are hardly ever drawn, and then lose much: nearly all losses lie within a few cells of a lattice, the few beyond decide,
/// and what is gathered at the ends of a law from below would be the most of it under the tilt that they ask for. Of 24 draws one is known
/// to 2.2·10⁻³, the others to 2.5·10⁻⁴; two are counted by themselves, of which binary64 would know 2·10⁻² and 4·10⁻⁴. Fourier inversion, which knows
/// some of these, is held against lattices.
#[test]
#[ignore = "seconds of computing: .ci/run runs it"]
fn rare_samples_behind_little_noise_have_close_ends_at_length() {
    rare_samples_have_close_ends(0);
}

#[test]
#[ignore = "a minute of computing"]
fn two_dozen_rare_samples_behind_little_noise_have_close_ends() {
    rare_samples_have_close_ends(24);
}

fn rare_samples_have_close_ends(cases: u32) {
    let mut rng = Pcg64::seed_from_u64(3);
    let drawn = (0..cases).map(|_| {
        let sigma = log_uniform(&mut rng, 0.5, 1.0);
        let rate = log_uniform(&mut rng, 1e-4, 2e-3);
        let times = log_uniform(&mut rng, 100.0, 1000.0) as u64;
        let delta = log_uniform(&mut rng, 1e-10, 1e-6);
        (sigma, rate, times, delta)
    });
    let drawn = drawn.map(|drawn| (drawn, 3e-3));
    let widest = ((0.94, 1.3e-4, 868, 7.3e-10), 3e-3);
    let known = ((0.684, 1.47e-4, 469, 2.23e-8), 2e-4);
    let drawn: Vec<_> = [widest, known].into_iter().chain(drawn).collect();
    on_all_cores(&drawn, |((sigma, rate, times, delta), most)| {
        let event = repeated(*times, poisson(*rate, gaussian(*sigma)));
        for to in [AddRemove, ReplaceOne] {
            let asked = |method| {
                let delta = Delta::new(*delta).expect("a delta");
                account(&event, delta, method, to, true)
            };
            let lattice = asked(Accountant::Pld).expect("it fits a lattice");
            let all = report(&event, *delta, to);
            let at = format!("{sigma} {rate} {times} {delta:e} {to}: {lattice:?} {all:?}");
            for found in [&lattice, &all] {
                assert!(width(found) <= *most, "{at}");
            }
            if let Ok(exact) = asked(Accountant::Exact) {
                assert!(
                    lattice.epsilon_lower <= exact.epsilon_upper,
                    "{at} {exact:?}"
                );
                assert!(
                    exact.epsilon_lower <= lattice.epsilon_upper,
                    "{at} {exact:?}"
                );
            }
        }
    });
}

/// Draws with replacement are mixtures of Gaussians, which Fourier inversion knows to the last digits where steps are many; of few
/// steps that lose much lattices know a thousandth.
#[test]
fn draws_with_replacement_are_known_closely() {
    for (sigma, batch, times, delta, widest) in [
        (1.0, 500, 10_000, 1e-5, 1e-6),
        (1.0, 50, 10_000, 1e-5, 1e-6),
        (2.0, 500, 10_000, 1e-5, 1e-6),
        (1.5, 5_000, 100, 1e-8, 1e-3),
    ] {
        let batch = Event::FixedSizeSampled {
            size: 50_000,
            batch,
            replacement: true,
            event: gaussian(sigma),
        };
        let found = report(&repeated(times, batch.clone()), delta, AddRemove);
        assert!(
            width(&found) <= widest,
            "{sigma} {batch:?} {times}: {found:?}"
        );
    }
}

/// What has a ρ alone has no law, and what has a δ of its own no finite divergence: its δ is taken off, and its ε has a divergence.
#[test]
fn mechanisms_of_a_delta_compose_with_those_of_a_rho() {
    let (rho, epsilon, leak, delta) = (0.01, 0.5, 1e-7, 1e-5);
    let approximate = || Event::Approximate {
        epsilon,
        delta: leak,
    };
    let laplace = Box::new(Event::Laplace {
        scale: 1.0,
        sensitivity: 1.0,
    });
    let with = |events: Vec<Event>| Event::Composed {
        events: [vec![Event::Zcdp { rho }], events].concat(),
    };
    // By basic composition ε and ε at what is left of δ add up, and more is known.
    let rest = Delta::new(delta - 3.0 * leak).expect("in range");
    let alone = zcdp::epsilon_upper(Rho::new(rho).expect("in range"), rest).expect("finite");
    for neighbours in [AddRemove, ReplaceOne] {
        let all = with(vec![repeated(3, approximate())]);
        let found = report(&all, delta, neighbours);
        let most = alone + 3.0 * epsilon;
        assert!(
            found.epsilon_upper > alone && found.epsilon_upper < most,
            "{found:?}"
        );
        assert!(
            found
                .theorem
                .contains("deltas add up (Dwork and Roth 2014)")
        );
        for id in [
            "acc-approximate",
            "acc-basic",
            "acc-pure-zcdp",
            "kl-imp-adaptive",
        ] {
            let named = found.claims.iter().any(|claim| claim == id);
            let named = named || (id == "kl-imp-adaptive" && neighbours == AddRemove);
            assert!(named, "{id}: {}", found.claims);
        }
        // Gaussian noise of this ρ has a law: what is known of all such mechanisms is no less.
        let noise = gaussian(1.0 / f64::sqrt(2.0 * rho) * (1.0 + 1e-12));
        let one = Event::Composed {
            events: vec![*noise, repeated(3, approximate())],
        };
        assert!(upper(&one, delta, neighbours) < found.epsilon_upper);
        let sampled = with(vec![approximate(), poisson(0.1, laplace.clone())]);
        let found = report(&sampled, delta, neighbours).epsilon_upper;
        assert!(found < alone + epsilon + 0.8, "{found}");
        // A sample's δ is less than its mechanism's; of one that is replaced, less than four times.
        let sampled = with(vec![poisson(0.1, Box::new(approximate()))]);
        assert!(upper(&sampled, delta, neighbours) < alone + 0.11);
        let all = with(vec![repeated(100, approximate())]);
        let refused = asked(&all, delta, neighbours).expect_err("δ is used up");
        let said = "delta = 0.00001 must exceed the sum of the deltas of the (epsilon, delta)-DP \
                    mechanisms";
        assert_eq!(refused.to_string(), said);
    }
}

/// A reason is about what was asked.
#[test]
fn nobody_is_told_of_replaced_records_where_none_is() {
    let sampled = poisson(0.1, Box::new(Event::Gdp { mu: 1.0 }));
    let group = Event::GaussianMixture {
        sigma: 1.0,
        shifts: vec![1.0],
        weights: vec![1.0],
    };
    let events = vec![Event::Zcdp { rho: 0.1 }, sampled, group];
    let refused = asked(&Event::Composed { events }, 1e-5, AddRemove).expect_err("no theorem");
    let told = refused.to_string();
    assert!(told.contains("zcdp") && !told.contains("replac"), "{told}");
}
