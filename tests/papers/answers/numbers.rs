//! What is known before the data are: theorems, schedules, scales and meters.

use super::data::{budget, problem};
use super::{Asked, told};
use dp_assay::accounting::Accountant;
use dp_assay::accounting::calibrate::Target;
use dp_assay::problem::{Graph, MixingMatrix, Weights};
use dp_assay::solver::ambssgd::calibration as one_pass;
use dp_assay::solver::baseline::dp_sgd;
use dp_assay::solver::kl::{self, Adaptive, Budget, Meter, Proximal, Regularised, Spider, Variant};
use dp_assay::solver::{ambssgd as regression, decor as network, gcd as greedy, skgd as blocks};
use dp_assay::units::{Neighbouring, Rho};

pub fn gcd(asked: &Asked) -> String {
    let (smoothness, lipschitz) = (asked.list("smoothness"), asked.list("lipschitz"));
    let known = greedy::theorem::Known {
        records: asked.number("records"),
        smoothness: &smoothness,
        lipschitz: &lipschitz,
        gap: asked.number("gap"),
        curvature: asked.number("curvature"),
        budget: budget(asked),
        failure: asked.number("failure"),
    };
    let horizons = (known.convex(), known.strongly(), known.best());
    format!("{horizons:?} {:?}", known.bites_at())
}

pub fn skgd(asked: &Asked) -> String {
    let known = blocks::theorem::Known {
        records: asked.number("records"),
        features: asked.number("features"),
        size: asked.number("size"),
        lipschitz: asked.number("lipschitz"),
        smoothness: asked.number("smoothness"),
        gap: asked.number("gap"),
        curvature: asked.number("curvature"),
        budget: budget(asked),
    };
    let horizons = (known.convex(), known.strongly(), known.best());
    format!("{horizons:?} {:?}", known.bites_at())
}

pub fn decor(asked: &Asked) -> String {
    let graph: Graph = asked.word("graph").parse().expect("a graph");
    let weights: Weights = asked.read("weights");
    let mixing = MixingMatrix::of(&graph, weights).expect("weights");
    let (colluders, connectivity) = (asked.count("colluders"), asked.number("connectivity"));
    let own = network::theorem::Network::of(&graph, &mixing, colluders, connectivity);
    let complete = network::theorem::Network::complete(asked.number("users"), colluders);
    let said = [own, complete].map(|of| {
        let known = network::theorem::Known {
            network: of,
            dimension: asked.number("dimension"),
            clip: asked.number("clip"),
            sampling: asked.number("sampling"),
            smoothness: asked.number("smoothness"),
            curvature: asked.number("curvature"),
            gap: asked.number("gap"),
            budget: budget(asked),
        };
        let bounds = [1, 64, 4096].map(|steps| known.bound(steps));
        let noise = known.noise(32).map(|noise| (noise.cdp(), noise.cor()));
        let best = known.best(asked.count("most"));
        format!(
            "{of:?} {bounds:?} {} {:?} {best:?}",
            told(noise),
            known.step_sizes()
        )
    });
    said.join(" ")
}

pub fn ambssgd(asked: &Asked) -> String {
    let known = regression::theorem::Known {
        records: asked.number("records"),
        dimension: asked.number("dimension"),
        norm: asked.number("norm"),
        deviation: asked.number("deviation"),
        multiplier: asked.number("multiplier"),
        failure: asked.number("failure"),
    };
    let bites = (known.blocks_bite_at(), known.singles_bite_at());
    format!(
        "{} {:?} {:?} {bites:?}",
        known.trivial(),
        known.blocks(),
        known.singles()
    )
}

pub fn kl(asked: &Asked) -> String {
    let (gamma, kappa) = (asked.number("gamma"), asked.number("kappa"));
    let adaptive = kl::theorem::AdaptiveDescent {
        scale: asked.number("scale"),
        dimension: asked.number("dimension"),
        lipschitz: asked.number("lipschitz"),
        smoothness: asked.number("smoothness"),
        loss_bound: asked.number("loss_bound"),
        beta: asked.number("beta"),
    };
    let descent = kl::theorem::Descent {
        records: asked.number("scale"),
        rho: asked.number("rho"),
        dimension: asked.number("dimension"),
        lipschitz: asked.number("lipschitz"),
        weak_convexity: asked.number("smoothness"),
        beta: asked.number("beta"),
    };
    let proximal = Proximal {
        gamma,
        kappa: kappa.max(2.0),
        loss_bound: asked.number("loss_bound"),
    };
    let last = (adaptive.excess(gamma, kappa), adaptive.height(gamma, kappa));
    let called = told(descent.called(&proximal));
    format!(
        "{:?} {last:?} {:?} {called}",
        adaptive.gradient(),
        descent.alone()
    )
}

fn variant(asked: &Asked) -> Variant {
    match asked.flag("printed") {
        true => Variant::Printed,
        false => Variant::Repaired,
    }
}

pub fn spent(asked: &Asked) -> Budget {
    let neighbours: Neighbouring = match asked.word("neighbours") {
        "" => Neighbouring::ReplaceOne,
        name => name.parse().expect("a relation"),
    };
    Budget {
        rho: Rho::new(asked.number("rho")).expect("≥ 0"),
        neighbours,
        variant: variant(asked),
    }
}

pub fn inputs(asked: &Asked) -> (Spider, Adaptive, Regularised, Proximal) {
    let (beta, lipschitz) = (asked.number("beta"), asked.number("lipschitz"));
    let smoothness = asked.number("smoothness");
    let (gamma, kappa) = (asked.number("gamma"), asked.number("kappa"));
    let loss_bound = asked.number("loss_bound");
    let spider = Spider {
        beta,
        gamma,
        kappa,
        lipschitz,
        smoothness,
        loss_bound,
    };
    let adaptive = Adaptive {
        beta,
        lipschitz,
        smoothness,
    };
    let regularised = Regularised {
        beta,
        lipschitz,
        weak_convexity: asked.number_or("weak_convexity", smoothness),
        length: asked.get("length").map(|_| asked.count("length") as u64),
    };
    let proximal = Proximal {
        gamma,
        kappa,
        loss_bound,
    };
    (spider, adaptive, regularised, proximal)
}

/// The schedules of all four algorithms.
pub fn schedule(asked: &Asked) -> String {
    let (spider, adaptive, regularised, proximal) = inputs(asked);
    let (budget, n, d) = (spent(asked), asked.count("n"), asked.count("p"));
    let found = spider.schedule(budget.variant, budget.rho, n, d).map(|s| {
        let rounds: Vec<_> = s.iter().take(2).chain(s.iter().last()).collect();
        let made = (s.rounds, s.start_deviation, s.target(), s.gradients_upper());
        (made, rounds)
    });
    let rule = adaptive.rule(&budget, n, d).map(|r| {
        let norms = asked.list("norms");
        let of = |x: &f64| (r.gradient_deviation(*x), r.charge(*x), r.goes_on(*x));
        let of: Vec<_> = norms.iter().map(of).collect();
        let takes: Vec<bool> = norms.iter().map(|x| r.takes_gradient(*x)).collect();
        let first = (r.norm_deviation, r.step, r.coefficient, r.spread());
        (first, r.gradients_upper(), of, takes)
    });
    let rho = budget.rho.get();
    let single = regularised.rule(rho, n, d);
    let part = regularised.part(asked.count_or("rounds", 3) as u64, rho, n, d);
    let rounds = proximal.rounds(&regularised, rho, n, d);
    let made = [
        told(found),
        told(rule),
        told(single),
        told(part),
        told(rounds),
    ];
    made.join(" ")
}

/// Noise for a budget by every calibration of every method.
pub fn scales(asked: &Asked) -> String {
    let (epsilon, delta) = budget(asked);
    let steps = asked.count("steps");
    let (sensitivities, smoothness) = (asked.list("sensitivities"), asked.list("smoothness"));
    let mut said = Vec::new();
    use greedy::Calibration::{Corrected, NumericEq2, Printed, Repaired, Tight};
    for calibration in [Corrected, Printed, NumericEq2, Repaired, Tight] {
        let found = calibration.scales(epsilon, delta, steps, &sensitivities, &smoothness);
        said.push(told(found));
    }
    said.push(told(greedy::per_access_epsilon(epsilon, delta, steps)));
    let root = blocks::SetValues::Root(sensitivities.clone());
    for calibration in [
        blocks::Calibration::Printed,
        blocks::Calibration::BestOrder,
        blocks::Calibration::Tight,
    ] {
        said.push(told(calibration.scales(
            (epsilon, delta),
            (steps, 2),
            &root,
        )));
    }
    for ranges in [regression::Ranges::Printed, regression::Ranges::Disjoint] {
        for calibration in [one_pass::Calibration::Printed, one_pass::Calibration::Tight] {
            said.push(told(calibration.multiplier(epsilon, delta, ranges)));
        }
        said.push(told(one_pass::adaptive_epsilon_upper(1.5, ranges, delta)));
        said.push(format!("{:?}", one_pass::event(1.5, ranges)));
    }
    said.push(told(problem(asked).map(|problem| {
        let sets = blocks::Sampling::nice(problem.features(), 2).expect("two of them");
        let own = greedy::sensitivities(&problem, None).map_err(|e| e.to_string());
        let clipped = greedy::sensitivities(&problem, Some(&sensitivities));
        let blocks = blocks::sensitivities(&problem, &sets, None).map_err(|e| e.to_string());
        (own, clipped.map_err(|e| e.to_string()), blocks)
    })));
    said.join(" ")
}

/// The noise of random batches.
pub fn batches(asked: &Asked) -> String {
    let (epsilon, delta) = budget(asked);
    let (n, steps) = (asked.count("n"), asked.count("steps") as u64);
    let target = Target {
        epsilon,
        delta,
        method: Accountant::Auto,
        neighbours: Neighbouring::ReplaceOne,
    };
    let (rate, size) = (asked.number("rate"), asked.count("size"));
    let of = |batch: dp_sgd::Batch| {
        let found = told(batch.calibrate(n, steps, &target).map(|found| found.value));
        let event = batch.event(n, 1.25, steps);
        format!("{found} {event:?} {}", batch.expected(n))
    };
    let both = [
        dp_sgd::Batch::Poisson { rate },
        dp_sgd::Batch::FixedSize { size },
    ];
    both.map(of).join(" ")
}

/// The noise of one shuffled pass, and what noise is worth there.
pub fn shuffled(asked: &Asked) -> String {
    let (epsilon, delta) = budget(asked);
    let shuffled = one_pass::ShuffledBudget::new(asked.count("records") as u64, delta);
    told(shuffled.and_then(|budget| {
        let multiplier = budget.multiplier(epsilon)?;
        let upper = asked.list("multipliers");
        let upper: Vec<_> = upper
            .iter()
            .map(|m| told(budget.epsilon_upper(*m)))
            .collect();
        Ok((multiplier, upper, budget.event(multiplier)?))
    }))
}

/// Charges one after another, in two stages.
pub fn meter(asked: &Asked) -> String {
    let budget = spent(asked);
    let mut meter = match Meter::new(&budget) {
        Ok(meter) => meter,
        Err(wrong) => return format!("refused: {wrong}"),
    };
    let mut said = Vec::new();
    for (k, deviation) in asked.list("deviations").into_iter().enumerate() {
        let charged = match k % 3 {
            2 => meter.selection(1.0 / deviation, asked.number("unit")),
            _ => meter.gaussian(asked.number("unit"), deviation),
        };
        said.push((
            told(charged),
            meter.spent_upper(),
            meter.releases(),
            meter.refused(),
        ));
        if k == 3 {
            meter.stage(budget.rho).expect("a budget");
        }
    }
    format!("{said:?}")
}
