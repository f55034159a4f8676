//! Batches as programs draw them: fixed sizes without and with replacement, truncated Poisson samples.

use crate::ask::{asked, gaussian, near, of_larger, poisson, repeated, report};
use dp_assay::accounting::event::{Sampling, Step};
use dp_assay::accounting::{Accountant, Event, account_of_larger, views};
use dp_assay::units::{Delta, Neighbouring};

use Neighbouring::{AddRemove, ReplaceOne, ZeroOut};

fn fixed(size: u64, batch: u64, replacement: bool, event: Box<Event>) -> Event {
    Event::FixedSizeSampled {
        size,
        batch,
        replacement,
        event,
    }
}

fn truncated(rate: f64, cap: u64, records: u64, event: Box<Event>) -> Event {
    Event::TruncatedPoissonSampled {
        rate,
        cap,
        records,
        event,
    }
}

/// The density of Σ wᵢN(xᵢ, σ²).
fn density(law: &[(f64, f64)], sigma: f64, z: f64) -> f64 {
    let each = law.iter().map(|(x, weight)| {
        let y = (z - x) / sigma;
        weight * (-0.5 * y * y).exp() / (sigma * (2.0 * std::f64::consts::PI).sqrt())
    });
    each.sum()
}

/// The least ε with ∫(P − e^ε Q)₊ ≤ δ, by the midpoint rule: a second route, good to about 10⁻⁵.
fn brute(p: &[(f64, f64)], q: &[(f64, f64)], sigma: f64, delta: f64) -> f64 {
    let ends = p.iter().chain(q).map(|(x, _)| x.abs()).fold(0.0, f64::max) + 10.0 * sigma;
    let step = sigma / 200.0;
    let cells = (2.0 * ends / step) as i64;
    let points: Vec<(f64, f64)> = (0..cells)
        .map(|j| -ends + (j as f64 + 0.5) * step)
        .map(|z| (density(p, sigma, z) * step, density(q, sigma, z) * step))
        .collect();
    let profile = |e: f64| {
        points
            .iter()
            .map(|(p, q)| (p - e.exp() * q).max(0.0))
            .sum::<f64>()
    };
    let (mut low, mut high) = (0.0, 60.0);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if profile(middle) > delta {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

fn binomial(n: u32, p: f64) -> Vec<f64> {
    let choose = |k: u32| {
        (0..k)
            .map(|j| f64::from(n - j) / f64::from(j + 1))
            .product::<f64>()
    };
    let mass = |k: u32| choose(k) * p.powi(k as i32) * (1.0 - p).powi((n - k) as i32);
    (0..=n).map(mass).collect()
}

#[test]
fn a_batch_of_fixed_size_to_which_a_record_is_added_exchanges_it_for_another() {
    let (q, sigma, delta) = (0.1, 1.3, 1e-5);
    let with = [(0.0, 1.0 - q), (2.0, q)];
    let [more, less] = [(&with[..], &[(0.0, 1.0)][..]), (&[(0.0, 1.0)], &with)]
        .map(|(p, r)| brute(p, r, sigma, delta));
    let found = report(&fixed(1000, 100, false, gaussian(sigma)), delta, AddRemove);
    assert!(
        near(found.epsilon_upper, more.max(less), 1e-4),
        "{found:?} {more} {less}"
    );
    assert!(
        found.epsilon_lower > 0.999_999 * found.epsilon_upper,
        "{found:?}"
    );
    // Its pairs are those of a Poisson sample that moves twice as far.
    let pairs = |sensitivity, sampling| {
        let mechanism = Event::Gaussian { sigma, sensitivity };
        let step = Step {
            mechanism,
            sampling,
            count: 1,
        };
        views::pairs(&step, AddRemove).expect("fine parameters")
    };
    let exchanged = pairs(1.0, Sampling::FixedSize(q));
    assert!(exchanged.is_some());
    assert_eq!(exchanged, pairs(2.0, Sampling::Poisson(q)));
}

/// A zeroed record keeps its place in a batch of fixed size, which in the batches without it is another's: where the others answer
/// −Δ neither law is theirs alone, and the ε of a Poisson sample is too small. So the relation is refused.
#[test]
fn a_record_that_is_zeroed_out_of_a_fixed_batch_costs_more_than_one_of_a_poisson_sample() {
    let (q, sigma, delta) = (0.1, 1.3, 1e-5);
    let with = [(-1.0, 1.0 - q), (1.0, q)];
    let zeroed = [(-1.0, 1.0 - q), (0.0, q)];
    let truth = brute(&with, &zeroed, sigma, delta);
    let sampled = report(&poisson(q, gaussian(sigma)), delta, ZeroOut);
    assert!(truth > 1.1 * sampled.epsilon_upper, "{truth} {sampled:?}");
    for replacement in [false, true] {
        let batch = fixed(1000, 100, replacement, gaussian(sigma));
        let refused = asked(&batch, delta, ZeroOut)
            .expect_err("no theorem")
            .to_string();
        assert!(refused.contains("keeps a place"), "{refused}");
    }
}

#[test]
fn with_replacement_a_record_counts_as_often_as_it_is_drawn() {
    let (sigma, delta) = (2.0, 1e-4);
    let weights = binomial(6, 0.1);
    let at = |reach: f64| -> Vec<(f64, f64)> {
        let each = weights.iter().enumerate();
        each.map(|(k, w)| (reach * k as f64, *w)).collect()
    };
    let (p, q) = (at(2.0), [(0.0, 1.0)]);
    let truth = brute(&p, &q, sigma, delta).max(brute(&q, &p, sigma, delta));
    let found = report(&fixed(10, 6, true, gaussian(sigma)), delta, AddRemove);
    assert!(near(found.epsilon_upper, truth, 1e-4), "{found:?} {truth}");
    assert!(
        found.epsilon_lower > 0.999 * found.epsilon_upper,
        "{found:?}"
    );
    // Replacing costs at least what adding costs: the attack is the same; and at most what telling K costs.
    let added = report(&fixed(10, 6, true, gaussian(sigma)), delta, AddRemove);
    let replaced = report(&fixed(10, 6, true, gaussian(sigma)), delta, ReplaceOne);
    assert!(
        added.epsilon_lower <= replaced.epsilon_upper,
        "{added:?} {replaced:?}"
    );
    assert!(
        replaced.epsilon_lower > 0.6 * replaced.epsilon_upper,
        "{replaced:?}"
    );
}

/// One draw is a batch of one, with or without replacement; and few draws of many records are nearly so.
#[test]
fn one_draw_is_one_draw_with_or_without_replacement() {
    for neighbours in [AddRemove, ReplaceOne] {
        for times in [1, 50] {
            let [with, without] = [true, false].map(|r| {
                report(
                    &repeated(times, fixed(200, 1, r, gaussian(1.0))),
                    1e-6,
                    neighbours,
                )
            });
            assert!(
                near(with.epsilon_upper, without.epsilon_upper, 1e-4),
                "{neighbours:?} {times}: {with:?} {without:?}"
            );
        }
    }
}

/// dp-accounting 0.6 tests 17.904330 for these five releases, of neighbours with 4 and 3, and 3 and 2 records; its second part lets
/// both data sets have a record of their own.
#[test]
fn truncated_poisson_is_at_most_the_published_bound_and_at_least_an_attack() {
    let event = five_releases(0);
    let (delta, auto) = (Delta::new(1e-6).expect("a delta"), Accountant::Auto);
    let found = account_of_larger(&event, delta, auto, AddRemove, true).expect("known");
    println!("theirs is {:.6} of ours", 17.904_330 / found.epsilon_upper);
    assert!(found.epsilon_upper <= 17.904_330, "{found:?}");
    assert!(
        found.epsilon_lower >= 0.4 * found.epsilon_upper,
        "{found:?}"
    );
}

/// Three releases of samples of 4 records and two of 3, or so many more.
fn five_releases(more: u64) -> Event {
    let sample = |n, times| repeated(times, truncated(0.5, 2, n + more, gaussian(1.0)));
    Event::Composed {
        events: vec![sample(4, 3), sample(3, 2)],
    }
}

/// A data set has neighbours with one record more, too, of which all samples have one more: the worse of both sizes.
#[test]
fn the_epsilon_of_a_data_set_is_that_of_neighbours_on_either_side() {
    let either = report(&five_releases(0), 1e-6, AddRemove);
    let [less, more] = [0, 1].map(|more| of_larger(&five_releases(more), 1e-6, AddRemove));
    assert_eq!(
        either.epsilon_upper,
        less.epsilon_upper.max(more.epsilon_upper)
    );
    assert_eq!(
        either.epsilon_lower,
        less.epsilon_lower.max(more.epsilon_lower)
    );
    // No part is one that a record is not in.
    assert!(
        !either.claims.iter().any(|id| id == "acc-nobody"),
        "{either:?}"
    );
    // With rare draws more records are worse, and with frequent ones fewer are.
    for (rate, cap, n, grows) in [(0.1, 20, 100, true), (0.9, 5, 20, false)] {
        let at = |n| repeated(10, truncated(rate, cap, n, gaussian(1.0)));
        let [less, more] = [n, n + 1].map(|n| of_larger(&at(n), 1e-6, AddRemove).epsilon_upper);
        assert_eq!(grows, less < more, "{rate} {cap} {n}: {less} {more}");
        let either = report(&at(n), 1e-6, AddRemove).epsilon_upper;
        assert_eq!(either, less.max(more));
        // A record that is replaced leaves as many.
        let replaced = report(&at(n), 1e-6, ReplaceOne).epsilon_upper;
        assert_eq!(replaced, of_larger(&at(n), 1e-6, ReplaceOne).epsilon_upper);
    }
}

/// Samples that are never too large are Poisson's, and such that always are have a fixed size.
#[test]
fn truncation_lies_between_poisson_and_a_fixed_size() {
    let at = |event: &Event, n| of_larger(&repeated(20, event.clone()), 1e-6, n).epsilon_upper;
    for neighbours in [AddRemove, ReplaceOne] {
        let open = at(&poisson(0.1, gaussian(1.0)), neighbours);
        for (cap, slack) in [(100, 1e-12), (99, 1e-4), (60, 1e-4)] {
            let cut = at(&truncated(0.1, cap, 100, gaussian(1.0)), neighbours);
            assert!(near(cut, open, slack), "{neighbours:?} {cap}: {cut} {open}");
        }
        let full = at(&fixed(100, 5, false, gaussian(1.0)), neighbours);
        let cut = at(&truncated(0.9, 5, 100, gaussian(1.0)), neighbours);
        assert!(near(cut, full, 1e-4), "{neighbours:?}: {cut} {full}");
    }
}

#[test]
#[ignore = "half a minute of computing"]
fn more_noise_fewer_steps_and_rarer_draws_never_cost_more() {
    let schemes: [&dyn Fn(f64, u64) -> Event; 3] = [
        &|sigma, scale| fixed(1000, 10 * scale, false, gaussian(sigma)),
        &|sigma, scale| fixed(1000, 10 * scale, true, gaussian(sigma)),
        &|sigma, scale| truncated(0.01 * scale as f64, 25 * scale, 1000, gaussian(sigma)),
    ];
    for scheme in schemes {
        for neighbours in [AddRemove, ReplaceOne] {
            let at = |sigma, scale, times| {
                report(&repeated(times, scheme(sigma, scale)), 1e-6, neighbours).epsilon_upper
            };
            let base = at(1.5, 2, 10) * (1.0 + 1e-5);
            for (less, what) in [
                (at(2.0, 2, 10), "noise"),
                (at(1.5, 1, 10), "rate"),
                (at(1.5, 2, 5), "steps"),
            ] {
                assert!(
                    less <= base,
                    "{neighbours:?} {what}: {less} > {base} of {:?}",
                    scheme(1.5, 2)
                );
            }
        }
    }
}

#[test]
fn what_has_no_theorem_is_refused_with_the_reason() {
    let words = |event: &Event, neighbours| {
        asked(event, 1e-5, neighbours)
            .expect_err("refused")
            .to_string()
    };
    let all = words(&fixed(10, 10, false, gaussian(1.0)), AddRemove);
    assert!(all.contains("no batch of that size"), "{all}");
    let pure = Box::new(Event::Pure { epsilon: 1.0 });
    let drawn = words(&fixed(10, 5, true, pure), AddRemove);
    assert!(drawn.contains("drawn several times"), "{drawn}");
    let zeroed = words(&truncated(0.5, 2, 4, gaussian(1.0)), ZeroOut);
    assert!(zeroed.contains("keeps a place"), "{zeroed}");
    assert!(asked(&truncated(0.5, 2, 0, gaussian(1.0)), 1e-5, AddRemove).is_err());
    assert!(asked(&fixed(1, 1, true, gaussian(1.0)), 1e-5, AddRemove).is_err());
    assert!(asked(&fixed(5, 1, false, gaussian(1.0)), 1e-5, Neighbouring::User).is_err());
}

/// dp-accounting 0.6 tests 2.46964 at δ = 10⁻¹⁴, rounded from three times ln(1 + q(e^{1/b} − 1)) = 2.4696449….
#[test]
fn subsampled_laplace_is_at_most_the_published_bound() {
    let laplace = Box::new(Event::Laplace {
        scale: 0.5,
        sensitivity: 1.0,
    });
    let found = report(&repeated(3, poisson(0.2, laplace)), 1e-14, AddRemove);
    println!("theirs is {:.6} of ours", 2.469_64 / found.epsilon_upper);
    assert!(
        (2.46..=2.469_645).contains(&found.epsilon_upper),
        "{found:?}"
    );
}

/// dp-accounting 0.6 tests 17.193115 for these five releases of groups.
#[test]
fn mixtures_of_shifts_are_at_most_the_published_bound() {
    let mixture = |sigma, shifts: [f64; 3], weights: [f64; 3]| Event::GaussianMixture {
        sigma,
        shifts: shifts.to_vec(),
        weights: weights.to_vec(),
    };
    let events = vec![
        repeated(3, mixture(1.0, [0.0, 1.0, 2.0], [0.2, 0.6, 0.2])),
        repeated(2, mixture(2.0, [0.0, 2.0, 3.0], [0.33, 0.34, 0.33])),
    ];
    let event = Event::Composed { events };
    for neighbours in [AddRemove, Neighbouring::ZeroOut] {
        let found = report(&event, 1e-6, neighbours);
        println!("theirs is {:.6} of ours", 17.193_115 / found.epsilon_upper);
        assert!(found.epsilon_upper <= 17.193_115 + 5e-7, "{found:?}");
        assert!(
            found.epsilon_lower > (1.0 - 1e-4) * found.epsilon_upper,
            "{found:?}"
        );
    }
    // Who is replaced moves by two draws.
    for neighbours in [ReplaceOne, Neighbouring::User] {
        assert!(asked(&event, 1e-6, neighbours).is_err());
    }
    // A group of one record that is sampled is that record.
    let single = Event::GaussianMixture {
        sigma: 2.0,
        shifts: vec![0.0, 1.0],
        weights: vec![0.75, 0.25],
    };
    let [mixed, sampled] = [single, poisson(0.25, gaussian(2.0))]
        .map(|event| report(&repeated(20, event), 1e-6, AddRemove).epsilon_upper);
    assert!(near(mixed, sampled, 1e-4), "{mixed} {sampled}");
    // A shift that never happens is as if it were not there, however small δ is.
    let group = |shifts: Vec<f64>, weights: Vec<f64>| {
        let event = Event::GaussianMixture {
            sigma: 2.0,
            shifts,
            weights,
        };
        report(&event, 1e-18, AddRemove).epsilon_upper
    };
    assert_eq!(
        group(vec![1.0, 1e6], vec![1.0, 0.0]),
        group(vec![1.0], vec![1.0])
    );
    // What is no law of shifts is refused.
    for (shifts, weights) in [
        (vec![1.0], vec![0.5]),
        (vec![1.0, -1.0], vec![0.5, 0.5]),
        (vec![0.0, 1.0], vec![-0.5, 1.5]),
        (vec![0.0, 1.0], vec![1.5, -0.5]),
        (vec![0.0, f64::INFINITY], vec![0.5, 0.5]),
        (vec![1.0], vec![0.5, 0.5]),
        (vec![], vec![]),
    ] {
        let bad = Event::GaussianMixture {
            sigma: 1.0,
            shifts,
            weights,
        };
        assert!(asked(&bad, 1e-6, AddRemove).is_err(), "{bad:?}");
        assert!(asked(&poisson(0.5, Box::new(bad)), 1e-6, AddRemove).is_err());
    }
}

#[test]
fn a_matrix_mechanism_is_gaussian_with_its_sensitivity() {
    let matrix = |list: &[f64], participations| {
        let strategy = dp_assay::accounting::matrix::Strategy::Toeplitz(list.to_vec());
        Event::MatrixGaussian {
            sigma: 4.0,
            strategy,
            participations,
            separation: 1,
        }
    };
    let plain = |sensitivity: f64| {
        let event = Event::Gaussian {
            sigma: 4.0,
            sensitivity,
        };
        report(&event, 1e-6, AddRemove)
    };
    // Independent noise: one step, or all three of them.
    let one = report(&matrix(&[1.0, 0.0, 0.0], 1), 1e-6, AddRemove);
    assert!(
        near(one.epsilon_upper, plain(1.0).epsilon_upper, 1e-9),
        "{one:?}"
    );
    let three = report(&matrix(&[1.0, 0.0, 0.0], 3), 1e-6, AddRemove);
    assert!(
        near(three.epsilon_upper, plain(3f64.sqrt()).epsilon_upper, 1e-9),
        "{three:?}"
    );
    assert!(
        three.epsilon_lower > (1.0 - 1e-9) * three.epsilon_upper,
        "{three:?}"
    );
    // With signs the sensitivity has two ends.
    let signed = report(&matrix(&[1.0, -0.5, 0.4], 2), 1e-6, AddRemove);
    assert!(
        signed.epsilon_lower > 0.5 * signed.epsilon_upper
            && signed.epsilon_lower < signed.epsilon_upper
    );
}

/// Steps of which more attacks are known beside steps of which one is: every attempt is one on all steps.
#[test]
fn a_step_beside_a_batch_leaves_the_attacks_on_the_batch() {
    let batch = || truncated(0.5, 2, 4, gaussian(1.0));
    for neighbours in [AddRemove, ReplaceOne] {
        let alone = report(&batch(), 1e-6, neighbours);
        let parts = vec![*gaussian(3.0), batch()];
        let beside = report(&Event::Composed { events: parts }, 1e-6, neighbours);
        assert!(alone.epsilon_lower > 1.0, "{alone:?}");
        assert!(
            beside.epsilon_lower >= alone.epsilon_lower,
            "{beside:?}, {alone:?}"
        );
    }
}

/// Noise that is released twice is one vector: a theorem of its own.
#[test]
fn repeated_noise_names_the_theorem_on_its_product() {
    let named = |times| {
        let found = report(&repeated(times, *gaussian(2.0)), 1e-6, AddRemove);
        found.claims.iter().any(|id| id == "acc-composed")
    };
    assert!(!named(1) && named(2) && named(3));
}

/// The kernel's theorem on that is about data of which one record is replaced: of other relations each direction has its own.
#[test]
fn what_is_composed_rests_on_a_theorem_about_the_relation() {
    let several = Event::Composed {
        events: vec![Event::Pure { epsilon: 1.0 }, Event::Pure { epsilon: 2.0 }],
    };
    let sampled = repeated(50, poisson(0.1, gaussian(2.0)));
    let divergences = Event::Composed {
        events: vec![Event::Zcdp { rho: 0.1 }, *gaussian(2.0)],
    };
    let of_replaced = [
        "gcd-aux-dominated",
        "gcd-aux-renyi",
        "gcd-aux-response",
        "kl-imp-adaptive",
        "skgd-prop-D.6",
    ];
    for (event, own) in [
        (several, &of_replaced[..1]),
        (sampled, &of_replaced[..1]),
        (divergences, &["gcd-aux-renyi", "skgd-prop-D.6"][..]),
    ] {
        let replaced = report(&event, 1e-6, ReplaceOne).claims;
        for id in own {
            assert!(
                replaced.iter().any(|named| named == *id),
                "{event:?}: {replaced}"
            );
        }
        assert!(
            !replaced.iter().any(|id| id == "acc-composed"),
            "{event:?}: {replaced}"
        );
        for neighbours in [AddRemove, ZeroOut] {
            let found = report(&event, 1e-6, neighbours).claims;
            let own = found.iter().filter(|id| of_replaced.contains(id));
            assert_eq!(own.count(), 0, "{event:?} {neighbours}: {found}");
            assert!(
                found.iter().any(|id| id == "acc-composed"),
                "{event:?}: {found}"
            );
        }
    }
}

/// What no accountant can see is said: that a zeroed record leaves no trace in a sample.
#[test]
fn a_sample_under_zero_out_says_what_is_the_callers_word() {
    let said = |event: &Event, neighbours| {
        let theorem = report(event, 1e-6, neighbours).theorem;
        theorem.contains("a zeroed record in a sample is as good as none")
    };
    let pure = || Box::new(Event::Pure { epsilon: 1.0 });
    for (event, is_sampled) in [
        (poisson(0.1, pure()), true),
        (poisson(0.1, gaussian(1.0)), true),
        (*gaussian(1.0), false),
    ] {
        assert_eq!(said(&event, ZeroOut), is_sampled, "{event:?}");
        assert!(
            !said(&event, AddRemove) && !said(&event, ReplaceOne),
            "{event:?}"
        );
    }
}
