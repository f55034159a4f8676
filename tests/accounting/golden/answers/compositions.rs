//! Our answer to rows about compositions.

use super::*;

/// Rows about compositions.
pub(super) fn by_composition(function: &str, p: &Value) -> Answer {
    let x = |key: &str| number(&p[key]);
    match function {
        "advanced_composition_total_eps" => {
            let found = kairouz(
                x("eps"),
                x("delta"),
                x("num_queries") as u64,
                x("total_delta"),
            );
            bound(found.expect("feasible"))
        }
        // Published: a per-query ε that suffices; a larger one that suffices is better, so the signs
        // are turned.
        "advanced_composition_per_query_eps" => {
            let group = pure::Group {
                epsilon: eps(1.0),
                count: x("num_queries") as u64,
            };
            let factor = pure::largest_factor(&[group], eps(x("total_eps")), del(x("total_delta")));
            let factor = factor.expect("feasible");
            assert!(factor.lo >= 0.25, "a smaller ε than published: {factor:?}");
            bound(Enclosure::point(0.25))
        }
        "smallest_laplace_scale" => noise_scale(p, |scale| Event::Laplace {
            scale,
            sensitivity: x("sensitivity"),
        }),
        "smallest_gaussian_sigma" => noise_scale(p, |sigma| Event::Gaussian {
            sigma,
            sensitivity: x("sensitivity"),
        }),
        "smallest_subsampled_gaussian_sigma" => subsampled_sigma(p),
        "smallest_discrete_laplace_parameter" => discrete_parameter(p),
        "calibrate_sigma" => published_sigma(p),
        _ => by_pld(function, p),
    }
}

pub fn kairouz(each: f64, delta: f64, count: u64, total: f64) -> Result<Enclosure, AccountError> {
    let group = pure::Group {
        epsilon: eps(each),
        count,
    };
    pure::compose_optimal_approximate(group, del(delta), del(total))
}

fn repeated(event: Event, times: u64) -> Event {
    Event::Repeated {
        times,
        event: Box::new(event),
    }
}

pub(super) fn poisson(rate: f64, sigma: f64, sensitivity: f64, times: u64) -> Event {
    let event = Box::new(Event::Gaussian { sigma, sensitivity });
    repeated(Event::PoissonSampled { rate, event }, times)
}

/// Encloses the ε of the Poisson-subsampled Gaussian, add-remove.
pub fn poisson_gaussian(q: f64, sigma: f64, steps: u64, delta: f64) -> Enclosure {
    let event = poisson(q, sigma, 1.0, steps);
    let found = account(
        &event,
        del(delta),
        Accountant::Auto,
        Neighbouring::AddRemove,
        true,
    );
    let found = found.expect("finite");
    Enclosure::new(found.epsilon_lower, found.epsilon_upper)
}

fn target(p: &Value, method: Accountant) -> Target {
    Target {
        epsilon: eps(number(&p["eps"])),
        delta: del(number(&p["delta"])),
        method,
        neighbours: Neighbouring::AddRemove,
    }
}

fn noise_scale(p: &Value, leaf: impl Fn(f64) -> Event) -> Answer {
    let count = p["num_queries"].as_u64().expect("a count");
    let at = |x: f64| repeated(leaf(x), count);
    let found = parameter(
        "noise",
        (0.05, 1e3),
        Trend::Falls,
        &target(p, Accountant::Auto),
        at,
    );
    value(Enclosure::point(found.expect("feasible").value))
}

/// On a lattice as fine as the published digits ask for: a coarse search, then one secant step.
fn subsampled_sigma(p: &Value) -> Answer {
    let x = |key: &str| number(&p[key]);
    let (target, delta) = (x("eps"), del(x("delta")));
    let epsilon = |sigma: f64, accuracy: f64| {
        let mu = x("sensitivity") / sigma;
        let law = |d| Arc::new(sampled(GaussianLaw { mu }, x("q"), d)) as Arc<dyn LossLaw>;
        let both: Vec<pld::Losses> = [Direction::Removal, Direction::Addition]
            .into_iter()
            .map(|d| vec![(law(d), x("num_queries") as u64)])
            .collect();
        pld::epsilon_upper(&both, delta, accuracy).expect("within memory")
    };
    let coarse = |sigma: f64| epsilon(sigma, 1e-5);
    let (mut lo, mut hi) = (0.5f64, 5.0f64);
    while hi - lo > 1e-7 {
        let sigma = 0.5 * (lo + hi);
        if coarse(sigma) <= target {
            hi = sigma;
        } else {
            lo = sigma;
        }
    }
    let fine = |sigma: f64| epsilon(sigma, 5e-8);
    let slope = (coarse(1.001 * hi) - coarse(hi)) / (0.001 * hi);
    let sigma = hi + 0.99 * (target - fine(hi)) / slope;
    assert!(fine(sigma) <= target, "sigma = {sigma} does not suffice");
    only_upper(sigma)
}

fn discrete_parameter(p: &Value) -> Answer {
    let (count, sensitivity) = (
        p["num_queries"].as_u64().expect("a count"),
        p["sensitivity"].as_u64().expect("a count"),
    );
    let at = |parameter: f64| {
        repeated(
            Event::DiscreteLaplace {
                parameter,
                sensitivity,
            },
            count,
        )
    };
    let found = parameter(
        "parameter",
        (1e-4, 10.0),
        Trend::Grows,
        &target(p, Accountant::Auto),
        at,
    );
    value(Enclosure::point(found.expect("feasible").value))
}

fn published_sigma(p: &Value) -> Answer {
    let steps = match p["T"].as_str() {
        Some("epochs=90") => 2250,
        Some("steps=2000") => 2000,
        other => panic!("T = {other:?}"),
    };
    let method = if p["accountant"] == "rdp" {
        Accountant::Rdp
    } else {
        Accountant::Auto
    };
    let q = number(&p["q"]);
    let at = |sigma: f64| poisson(q, sigma, 1.0, steps);
    let found = parameter("sigma", (0.1, 1e2), Trend::Falls, &target(p, method), at);
    only_upper(found.expect("feasible").value)
}

fn by_pld(function: &str, p: &Value) -> Answer {
    let mech = p["mech"].as_str().expect("a mechanism");
    let response = |e: f64, d: f64| Arc::new(DiscreteLaw::approximate(e, d)) as Arc<dyn LossLaw>;
    let two = |d1: f64, d2: f64| vec![vec![(response(1.0, d1), 1), (response(2.0, d2), 1)]];
    let losses: Vec<pld::Losses> = match mech {
        "(1,0)-DP + (2,0)-DP" => two(0.0, 0.0),
        "(1,0.1)-DP + (2,0.2)-DP" => two(0.1, 0.2),
        "laplace x3 scale 1 + x2 scale 2" => {
            vec![vec![
                (Arc::new(LaplaceLaw { pure: 1.0 }), 3),
                (Arc::new(LaplaceLaw { pure: 0.5 }), 2),
            ]]
        }
        _ => Vec::new(),
    };
    let x = |key: &str| number(&p[key]);
    let delta_at = |e: f64| {
        let floor = 0.28;
        pld::delta(&losses, e, del(floor), 1e-5).expect("within memory")
    };
    match (function, mech) {
        ("pld_delta", "gaussian") => {
            let count = x("count") as u64;
            let composed = Gaussian::composed(&[(gaussian(1.0, x("sigma")), count)]);
            value(composed.delta(eps(x("eps"))))
        }
        ("pld_delta", _) => value(delta_at(x("eps"))),
        ("pld_tpr", _) => {
            // The losses are integers: so are the corners of the trade-off curve.
            let at =
                |j: i32| delta_at(f64::from(j)) + Enclosure::point(x("fpr")) * f64::from(j).exp();
            let best = (-3..=3)
                .min_by(|a, b| at(*a).hi.total_cmp(&at(*b).hi))
                .expect("not empty");
            value(at(best))
        }
        ("pld_gdp_mu", _) => {
            let mu = (0..=29).map(|j| {
                let e = f64::from(j) * 0.1;
                gdp::mu_of(eps(e), del(delta_at(e).hi)).map_or(0.0, |mu| mu.hi)
            });
            value(Enclosure::point(mu.fold(0.0, f64::max)))
        }
        ("pld_eps", "poisson_gaussian") => bound(poisson_gaussian(
            x("q"),
            x("sigma"),
            x("count") as u64,
            x("delta"),
        )),
        ("pld_eps", "poisson_laplace") => {
            let law = |d| {
                Arc::new(sampled(
                    LaplaceLaw {
                        pure: 1.0 / x("scale"),
                    },
                    x("q"),
                    d,
                ))
            };
            let both: Vec<pld::Losses> = [Direction::Removal, Direction::Addition]
                .into_iter()
                .map(|d| vec![(law(d) as Arc<dyn LossLaw>, x("count") as u64)])
                .collect();
            value(lattice_ends(&both, x("delta")))
        }
        ("pld_eps", "mixture_gaussian") => value(mixtures(p)),
        ("pld_eps", "truncated_poisson_gaussian") => bound(truncated(p)),
        ("pld_eps", _) => value(lattice_ends(&losses, x("delta"))),
        other => panic!("no answer for {other:?}"),
    }
}

fn lattice_ends(directions: &[pld::Losses], delta: f64) -> Enclosure {
    let lower = pld::epsilon_lower(directions, del(delta), 1e-5).expect("within memory");
    let upper = pld::epsilon_upper(directions, del(delta), 1e-5).expect("within memory");
    Enclosure::new(lower, upper)
}

/// Composed truncated Poisson samples, of the larger of two neighbours: an attack's ε, and the upper bound.
fn truncated(p: &Value) -> Enclosure {
    let parts = p["parts"].as_array().expect("a list").iter();
    let events = parts.map(|part| {
        let whole = |key: &str| part[key].as_u64().expect("a count");
        let event = Event::TruncatedPoissonSampled {
            rate: number(&part["q"]),
            cap: whole("trunc"),
            records: whole("n"),
            event: Box::new(Event::Gaussian {
                sigma: number(&part["sigma"]),
                sensitivity: 1.0,
            }),
        };
        repeated(event, whole("count"))
    });
    let events = events.collect();
    let event = Event::Composed { events };
    let relation = Neighbouring::AddRemove;
    let found = account_of_larger(
        &event,
        del(number(&p["delta"])),
        Accountant::Auto,
        relation,
        true,
    );
    let found = found.expect("known");
    Enclosure::new(found.epsilon_lower, found.epsilon_upper)
}

/// Composed mixtures of Gaussians, the worse direction.
fn mixtures(p: &Value) -> Enclosure {
    let parts: Vec<(mixture::Pair, u64)> = p["parts"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|part| (mixture_of(part), part["count"].as_u64().expect("a count")))
        .collect();
    let reversed: Vec<_> = parts
        .iter()
        .map(|(pair, count)| (pair.reversed(), *count))
        .collect();
    let end = |parts: &[(mixture::Pair, u64)]| {
        Composition::new(parts)
            .epsilon(del(number(&p["delta"])))
            .expect("affordable")
    };
    end(&parts).max(end(&reversed))
}
