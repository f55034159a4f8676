//! Public functions that no event asks for, by name: `value_stability` calls each of [`CALLS`] with the words of a row, and
//! those that have a closed form are held against it, too.
//!
//! Numbers that are bounded from one side only come as the second of two, after a 0.

use crate::words::Words;
use dp_assay::accounting::amplification::Known;
use dp_assay::accounting::calibrate;
use dp_assay::accounting::covariance::mahalanobis_upper;
use dp_assay::accounting::decor::{Noise, optimized, privacy, reference};
use dp_assay::accounting::discrete;
use dp_assay::accounting::event::{parse_rate, share_upper};
use dp_assay::accounting::filter::{GdpFilter, Odometer, PlanFilter, RenyiFilter, ZcdpFilter};
use dp_assay::accounting::gaussian::{self, Gaussian};
use dp_assay::accounting::inversion::Composition;
use dp_assay::accounting::laplace;
use dp_assay::accounting::matrix::{Strategy, sensitivity};
#[cfg(feature = "certify")]
use dp_assay::accounting::oracle;
use dp_assay::accounting::pld;
use dp_assay::accounting::pld::discrete_law::DiscreteLaw;
use dp_assay::accounting::pld::law::{LossLaw, profile};
use dp_assay::accounting::pure;
use dp_assay::accounting::quadrature::Nodes;
use dp_assay::accounting::rdp::{self, Curve, PairCurve};
use dp_assay::accounting::zcdp;
use dp_assay::accounting::{Accountant, Event, exponential, gdp, lower_end, noisy_max, shuffle};
use dp_assay::float::Enclosure;
use dp_assay::units::{Neighbouring, Sensitivity, StdDev};
#[cfg(feature = "certify")]
use dp_assay_spec::arith::Interval;
use nalgebra::{DMatrix, DVector};
use std::error::Error;

/// Two numbers, or why there are none.
pub type Found = Result<(f64, f64), Box<dyn Error>>;

type Call = fn(Words<'_>) -> Found;

/// Calls the function that the first word names.
pub fn call(asked: &str) -> Found {
    let words: Vec<&str> = asked.split(' ').collect();
    let found = CALLS.iter().find(|(name, _)| *name == words[0]);
    let (_, call) = found.unwrap_or_else(|| panic!("{asked}: no such function"));
    call(Words(&words[1..]))
}

fn both(found: Enclosure) -> Found {
    Ok((found.lo, found.hi))
}

fn upper(found: f64) -> Found {
    Ok((0.0, found))
}

fn noise(found: Noise) -> Found {
    Ok((found.cdp(), found.cor()))
}

fn known(found: Known) -> Found {
    Ok((found.epsilon, found.delta))
}

/// By name.
const CALLS: &[(&str, Call)] = &[
    ("zcdp-gaussian", |w| {
        let sigma = StdDev::new(w.x(1))?;
        upper(zcdp::gaussian_rho_upper(Sensitivity::new(w.x(0))?, sigma))
    }),
    ("zcdp-sigma", |w| {
        upper(zcdp::calibrate_sigma(Sensitivity::new(w.x(0))?, w.rho(1)?)?)
    }),
    ("zcdp-pure", |w| upper(zcdp::pure_rho_upper(w.epsilon(0)?))),
    ("zcdp-delta", |w| {
        upper(zcdp::delta_upper(w.rho(0)?, w.epsilon(1)?))
    }),
    ("zcdp-epsilon", |w| {
        upper(zcdp::epsilon_upper(w.rho(0)?, w.delta(1)?)?)
    }),
    ("zcdp-classic", |w| {
        upper(zcdp::classic_epsilon_upper(w.rho(0)?, w.delta(1)?)?)
    }),
    ("zcdp-within", |w| {
        upper(zcdp::rho_within(w.epsilon(0)?, w.delta(1)?)?.get())
    }),
    ("gaussian-delta", |w| {
        both(w.gaussian(0)?.delta(w.epsilon(2)?))
    }),
    ("gaussian-epsilon", |w| {
        both(w.gaussian(0)?.epsilon(w.delta(2)?)?)
    }),
    ("gaussian-mu", |w| {
        let mechanism = w.gaussian(0)?;
        Ok((mechanism.mu(), mechanism.mu_upper()))
    }),
    ("gaussian-composed", |w| {
        let parts = [(w.gaussian(0)?, w.n(2)), (w.gaussian(3)?, w.n(5))];
        let whole = Gaussian::composed(&parts);
        Ok((whole.mu(), whole.mu_upper()))
    }),
    ("gaussian-sigma", |w| {
        let sensitivity = Sensitivity::new(w.x(0))?;
        both(gaussian::calibrate_sigma(
            sensitivity,
            w.epsilon(1)?,
            w.delta(2)?,
        )?)
    }),
    ("calibrated-sigma", |w| {
        let target = w.target(1)?;
        upper(calibrate::gaussian_sigma(Sensitivity::new(w.x(0))?, &target)?.get())
    }),
    ("calibrated-scale", |w| {
        let target = w.target(1)?;
        upper(calibrate::laplace_scale(Sensitivity::new(w.x(0))?, &target)?.get())
    }),
    ("calibrated-steps", |w| {
        let (target, event) = (w.target(1)?, Box::new(w.event(3)?));
        let at = |times| Event::Repeated {
            times,
            event: event.clone(),
        };
        let found = calibrate::steps(w.n(0), &target, at)?;
        Ok((found.value, found.unsafe_value))
    }),
    ("laplace-delta", |w| {
        both(w.laplace(0)?.delta(w.epsilon(2)?))
    }),
    ("laplace-epsilon", |w| {
        both(w.laplace(0)?.epsilon(w.delta(2)?))
    }),
    ("laplace-renyi", |w| upper(w.laplace(0)?.rdp_upper(w.x(2)))),
    ("laplace-scale", |w| {
        let sensitivity = Sensitivity::new(w.x(0))?;
        both(laplace::calibrate_scale(
            sensitivity,
            w.epsilon(1)?,
            w.delta(2)?,
        )?)
    }),
    ("gdp-delta", |w| {
        both(gdp::mechanism(w.x(0))?.delta(w.epsilon(1)?))
    }),
    ("gdp-of", |w| both(gdp::mu_of(w.epsilon(0)?, w.delta(1)?)?)),
    ("gdp-of-pure", |w| upper(gdp::mu_of_pure(w.epsilon(0)?)?)),
    ("pure-basic", |w| {
        upper(pure::compose_basic(&[w.group(0)?, w.group(2)?]))
    }),
    ("pure-optimal", |w| {
        let groups = [w.group(0)?, w.group(2)?];
        both(pure::compose_optimal(&groups, w.delta(4)?)?)
    }),
    ("pure-one", |w| {
        both(pure::compose_optimal(&[w.group(0)?], w.delta(2)?)?)
    }),
    ("pure-approximate", |w| {
        let (each, delta) = (w.delta(2)?, w.delta(3)?);
        both(pure::compose_optimal_approximate(w.group(0)?, each, delta)?)
    }),
    ("pure-factor", |w| {
        let groups = [w.group(0)?, w.group(2)?];
        both(pure::largest_factor(&groups, w.epsilon(4)?, w.delta(5)?)?)
    }),
    ("renyi-epsilon", |w| {
        upper(rdp::epsilon_at_order(w.x(0), w.x(1), w.x(2)))
    }),
    ("renyi-delta", |w| {
        upper(rdp::delta_at_order(w.x(0), w.x(1), w.x(2)))
    }),
    ("renyi-line-epsilon", |w| {
        let mut curve = |beta: f64| w.x(0) * (1.0 + beta) + w.x(1);
        upper(rdp::epsilon_upper(&mut curve, w.delta(2)?)?)
    }),
    ("renyi-line-delta", |w| {
        let mut curve = |beta: f64| w.x(0) * (1.0 + beta) + w.x(1);
        upper(rdp::delta_upper(&mut curve, w.x(2)))
    }),
    ("renyi-capped-epsilon", |w| {
        let (slope, last) = (w.x(0), w.x(1));
        let mut curve = |beta: f64| match beta <= last {
            true => slope * (1.0 + beta),
            false => f64::INFINITY,
        };
        upper(rdp::epsilon_upper(&mut curve, w.delta(2)?)?)
    }),
    ("renyi-pair", |w| {
        let mut curve = PairCurve::new(w.rest(1).pair()?);
        Ok((curve.tolerance(), curve.rdp_upper(w.x(0))))
    }),
    ("renyi-order", |w| {
        let (a, b, c) = (w.x(1), w.x(2), w.x(3));
        upper(rdp::best_order(w.x(0), |x| a / x + b * x + c * x.sqrt()))
    }),
    ("renyi-event", |w| upper(w.curve(1)?(w.x(0)))),
    ("exponential-renyi", |w| {
        upper(exponential::rdp_upper(w.x(0), w.x(1)))
    }),
    ("exponential-kl", |w| upper(exponential::kl_upper(w.x(0)))),
    ("noisy-max", |w| {
        upper(noisy_max::epsilon_upper(&w.list(0), &w.list(1))?)
    }),
    ("sampled-known", |w| known(w.known().poisson(w.x(2)))),
    ("sampled-known-replaced", |w| {
        known(w.known().poisson_replaced(w.x(2)))
    }),
    ("batch-known", |w| known(w.known().fixed_size(w.x(2)))),
    ("two-known", |w| known(w.known().of_two())),
    ("shuffled-closed", |w| {
        let n = w.n(1);
        upper(shuffle::closed_form_epsilon_upper(
            w.epsilon(0)?,
            n,
            w.delta(2)?,
        )?)
    }),
    ("shuffled-clones", |w| {
        both(shuffle::clones_epsilon(w.epsilon(0)?, w.n(1), w.delta(2)?)?)
    }),
    ("discrete-zcdp", |w| {
        upper(discrete::gaussian_rho_upper(w.x(0), w.n(1)))
    }),
    ("geometric-renyi", |w| {
        upper(discrete::laplace(w.x(0), w.n(1))?.rdp_upper(w.x(2)))
    }),
    ("discrete-renyi", |w| {
        upper(discrete::gaussian(w.x(0), w.n(1))?.rdp_upper(w.x(2)))
    }),
    ("masses-renyi", |w| {
        upper(DiscreteLaw::from_masses(&w.list(0), &w.list(1)).rdp_upper(w.x(2)))
    }),
    ("law-tails", |w| {
        let tails = w.rest(1).law()?.tails(w.x(0));
        Ok((tails.p, tails.q))
    }),
    ("law-errors", |w| {
        let tails = w.rest(1).law()?.tails(w.x(0));
        Ok((tails.error, tails.slack))
    }),
    ("law-along", |w| {
        let at = w.list(0);
        let tails = w.rest(1).law()?.tails_along(&at);
        Ok(tails
            .iter()
            .fold((0.0, 0.0), |(p, q), t| (p + t.p, q + t.q)))
    }),
    ("law-profile", |w| both(profile(&*w.rest(1).law()?, w.x(0)))),
    ("law-support", |w| Ok(w.law()?.support())),
    ("law-infinite", |w| {
        let law = w.law()?;
        Ok((law.infinite(), law.leak()))
    }),
    ("law-grid", |w| {
        let law = w.law()?;
        let grid = law.lattice().or(law.pitch());
        Ok((law.anchor(), grid.unwrap_or(f64::NAN)))
    }),
    ("law-composed", |w| {
        let (delta, accuracy, losses) = (w.delta(0)?, w.x(1), w.losses(2)?);
        let lower = pld::epsilon_lower(&losses, delta, accuracy)?;
        Ok((lower, pld::epsilon_upper(&losses, delta, accuracy)?))
    }),
    ("law-delta", |w| {
        both(pld::delta(&w.losses(3)?, w.x(0), w.delta(1)?, w.x(2))?)
    }),
    ("density", |w| {
        Ok(w.rest(2).pair()?.p.ln_density(w.x(0), w.x(1)))
    }),
    ("density-other", |w| {
        Ok(w.rest(2).pair()?.q.ln_density(w.x(0), w.x(1)))
    }),
    ("density-shifted", |w| {
        let p = w.rest(3).pair()?.p;
        Ok(p.shifted_ln_density(w.x(0), w.x(1), w.x(2)))
    }),
    ("mixture-shifts", |w| Ok(w.pair()?.p.shifts())),
    ("mixture-rest", |w| {
        let p = w.pair()?.p;
        let last = p.components().last();
        Ok((p.rest(), last.map_or(0.0, |c| c.weight)))
    }),
    ("moment-nodes", |w| {
        let nodes = Nodes::new(&w.rest(3).pair()?, w.x(0), w.x(1), w.x(2))?;
        Ok((nodes.len() as f64, f64::from(u8::from(nodes.is_empty()))))
    }),
    ("moment-zero", |w| {
        let nodes = Nodes::new(&w.rest(3).pair()?, w.x(0), w.x(1), w.x(2))?;
        Ok(nodes.tilt(0.7 * w.x(0)).at_zero())
    }),
    ("moment-at", |w| {
        let nodes = Nodes::new(&w.rest(3).pair()?, w.x(0), w.x(1), w.x(2))?;
        match nodes.tilt(0.7 * w.x(0)).at(0.6 * w.x(1)) {
            Ok((value, _)) => Ok((value.re, value.im)),
            Err(upper) => Ok((f64::NEG_INFINITY, upper)),
        }
    }),
    ("moment-at-error", |w| {
        let nodes = Nodes::new(&w.rest(3).pair()?, w.x(0), w.x(1), w.x(2))?;
        let found = nodes.tilt(0.7 * w.x(0)).at(0.6 * w.x(1));
        upper(found.map_or_else(|upper| upper, |(_, error)| error))
    }),
    ("inverted-epsilon", |w| {
        let parts = [(w.rest(2).pair()?, w.n(1))];
        both(Composition::new(&parts).epsilon(w.delta(0)?)?)
    }),
    ("inverted-delta", |w| {
        let parts = [(w.rest(2).pair()?, w.n(1))];
        both(Composition::new(&parts).log_delta(w.x(0))?)
    }),
    ("inverted-within", |w| {
        let whole = Composition::new(&[(w.rest(3).pair()?, w.n(2))]);
        upper(f64::from(u8::from(whole.is_within(w.x(0), w.delta(1)?))))
    }),
    ("matrix-list", |w| {
        both(sensitivity(&Strategy::Toeplitz(w.list(0)), w.n(1), w.n(2))?)
    }),
    ("matrix-rows", |w| {
        both(sensitivity(&Strategy::Matrix(w.rows(0)), w.n(1), w.n(2))?)
    }),
    ("mahalanobis", |w| {
        let (rows, shifts) = (w.rows(0), w.rows(1));
        let n = rows.len();
        let covariance = DMatrix::from_fn(n, n, |i, j| rows[i][j]);
        let shifts: Vec<_> = shifts.into_iter().map(DVector::from_vec).collect();
        upper(mahalanobis_upper(&covariance, &shifts)?)
    }),
    ("rate", |w| upper(parse_rate(w.0[0])?)),
    ("share", |w| upper(share_upper(w.n(0), w.n(1)))),
    ("zcdp-filter", |w| {
        let mut filter = ZcdpFilter::new(w.rho(0)?);
        filter.spend(w.rho(1)?)?;
        filter.spend(w.rho(2)?)?;
        Ok((filter.spent_upper(), filter.remaining()))
    }),
    ("zcdp-filter-epsilon", |w| {
        let filter = ZcdpFilter::new(w.rho(0)?);
        upper(filter.epsilon_upper(w.delta(1)?)?)
    }),
    ("gdp-filter", |w| {
        let mut filter = GdpFilter::new(w.x(0))?;
        filter.spend(w.x(1))?;
        filter.spend(w.x(2))?;
        Ok((filter.spent_upper(), filter.remaining()))
    }),
    ("gdp-filter-epsilon", |w| {
        upper(GdpFilter::new(w.x(0))?.epsilon_upper(w.delta(1)?)?)
    }),
    ("renyi-filter", |w| {
        let (budget, to) = (w.event(0)?, w.to(1)?);
        let mut filter = RenyiFilter::of(&budget, to, &w.list(2))?;
        filter.spend(&w.event(3)?)?;
        filter.spend(&w.event(3)?)?;
        let left = filter.remaining().fold(0.0, |sum, (_, left)| sum + left);
        Ok((left, filter.epsilon_upper(w.delta(4)?)?))
    }),
    ("renyi-filter-within", |w| {
        let to = Neighbouring::AddRemove;
        let filter = RenyiFilter::within(w.epsilon(0)?, w.delta(1)?, w.x(2), to)?;
        upper(filter.remaining().map(|(_, left)| left).sum())
    }),
    ("odometer", |w| {
        let mut odometer = Odometer::new(w.delta(0)?, w.to(1)?, &w.list(2))?;
        let before = odometer.epsilon_upper();
        odometer.spend(&w.event(3)?)?;
        odometer.spend(&w.event(3)?)?;
        Ok((before, odometer.epsilon_upper()))
    }),
    ("plan-filter", |w| {
        let (event, other, to) = (w.event(0)?, w.event(1)?, w.to(2)?);
        let list = vec![(event.clone(), 3), (other, 2), (event.clone(), 1)];
        let mut filter = PlanFilter::new(list, to)?;
        filter.spend(&event)?;
        let report = filter.report(w.delta(3)?, Accountant::Auto)?;
        Ok((filter.left(&event) as f64, report.epsilon_upper))
    }),
    ("lower-end", |w| {
        let (event, to) = (w.event(0)?, w.to(1)?);
        upper(lower_end(&event, w.delta(2)?, to)?.0)
    }),
    ("network-slope", |w| {
        let found = w.slope()?;
        Ok((found.lower, found.upper))
    }),
    ("network-basis", |w| {
        let found = w.slope()?;
        let exact = found.basis == dp_assay::accounting::decor::Basis::Exact;
        Ok((found.colluders as f64, f64::from(u8::from(exact))))
    }),
    ("network-reference", |w| {
        let noise = Noise::new(w.x(1), w.x(2), w.x(3))?;
        upper(reference::slope_upper(
            &w.graph(0)?,
            &noise,
            w.0[4].parse()?,
        )?)
    }),
    ("network-entry", |w| {
        let (found, _) = optimized::worst(&w.graph(0)?, w.x(1), w.n(2) as usize);
        Ok((found.lower, found.upper))
    }),
    ("network-renyi", |w| {
        let (steps, delta) = (w.n(5), w.delta(6)?);
        upper(privacy::renyi_epsilon_upper(&w.slope()?, steps, delta)?)
    }),
    ("network-epsilon", |w| {
        both(privacy::epsilon(&w.slope()?, w.n(5), w.delta(6)?)?)
    }),
    ("network-example", |w| {
        let found = w.slope()?;
        let of = |event| match event {
            Event::Gaussian { sigma, sensitivity } => Ok(sigma / sensitivity),
            _ => Err("Gaussian noise"),
        };
        let least = of(privacy::least_example_step(&found, w.n(5)))?;
        Ok((of(privacy::example_step(&found, w.n(5)))?, least))
    }),
    ("budget-slope", |w| upper(w.budget()?.slope)),
    ("budget-local", |w| noise(w.budget()?.local()?)),
    ("budget-central", |w| {
        noise(w.budget()?.central(w.n(5) as usize)?)
    }),
    ("budget-pair", |w| {
        noise(w.budget()?.pair(&w.graph(5)?, w.x(6))?)
    }),
    ("budget-correlated", |w| {
        noise(w.budget()?.correlated(&w.graph(5)?, w.x(6))?)
    }),
    ("budget-uncorrelated", |w| {
        noise(w.budget()?.uncorrelated(&w.graph(5)?, w.x(6))?)
    }),
    ("budget-infimum", |w| {
        upper(w.budget()?.infimum(&w.graph(5)?)?)
    }),
    ("budget-frontier", |w| {
        let pairs = w.budget()?.frontier(&w.graph(5)?, w.n(6) as usize)?;
        let sum = |of: fn(&Noise) -> f64| pairs.iter().map(of).sum::<f64>();
        Ok((sum(Noise::cdp), sum(Noise::cor)))
    }),
    #[cfg(feature = "certify")]
    ("certified", |w| {
        let (event, delta, to) = (w.event(0)?, w.delta(1)?, w.to(2)?);
        let found = oracle::certify(&event, delta, to, w.x(3))?;
        Ok((found.epsilon_lower, found.epsilon_upper))
    }),
    // On a grid of 2ᵏ losses.
    #[cfg(feature = "certify")]
    ("certified-grid", |w| {
        let (event, delta, to) = (w.event(0)?, w.delta(1)?, w.to(2)?);
        let all = oracle::transcript(&event.steps(to)?.concat(), to)?;
        let delta = Interval::from_f64(delta.get());
        let found = all.epsilon(&delta, w.n(3) as u32)?;
        Ok((found.lo_f64(), found.hi_f64()))
    }),
    #[cfg(feature = "certify")]
    ("certified-allocation", |w| {
        let run = (w.n(0), w.n(1));
        Ok(oracle::allocated(run, w.x(2), w.x(3))?)
    }),
    #[cfg(feature = "certify")]
    ("certified-pattern", |w| {
        let (event, to, cells) = (w.event(0)?, w.to(1)?, w.n(3) as u32);
        Ok(oracle::patterned(&event, to, w.x(2), cells)?)
    }),
];
