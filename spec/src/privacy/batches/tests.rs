use super::*;
use crate::arith::normal::upper_tail;
use crate::privacy::laplace::Laplace;
use crate::privacy::subsampled::PoissonGaussian;

fn exact(x: f64) -> Interval {
    Interval::from_f64(x)
}

/// Three ways to one sampled Gaussian: as a sample of a pair, as a mixture, and in closed form.
#[test]
fn a_sample_a_mixture_and_the_closed_form_are_one() {
    let (q, mu) = (exact(0.25), exact(0.75));
    let step = PoissonGaussian::new(q.clone(), &exact(1.0) / &mu).expect("in range");
    let rest = &exact(1.0) - &q;
    let with = vec![(rest, exact(0.0)), (q.clone(), mu.clone())];
    let removal = Mixtures::new(with, vec![(exact(1.0), exact(0.0))]);
    let mixtures = [removal.reversed(), removal];
    for (direction, mixture) in [Direction::Add, Direction::Remove]
        .into_iter()
        .zip(&mixtures)
    {
        let step = super::super::pld::SampledGaussian {
            step: &step,
            direction,
        };
        let base = (Presences::gaussian(mu.clone()).group)(1);
        let rate = q.clone();
        let sampled = SampledPair {
            base,
            rate,
            direction,
        };
        for epsilon in [-0.3, -0.2, 0.0, 0.1, 0.28, 1.0, 3.0] {
            let e = exact(epsilon);
            let [a, b, c] = [
                step.delta_and_fall(&e),
                sampled.delta_and_fall(&e),
                mixture.delta_and_fall(&e),
            ];
            for (x, y) in [(&a.0, &b.0), (&a.0, &c.0), (&a.1, &b.1), (&a.1, &c.1)] {
                assert!(x.intersect(y).is_some(), "{direction:?} {epsilon}: {x} {y}");
                assert!(y.width() < 1e-25, "{direction:?} {epsilon}: {y}");
            }
        }
    }
}

#[test]
fn a_binomial_law_sums_to_one_with_its_mean() {
    let law = binomial(12, &exact(0.3));
    let total: Interval = law.iter().cloned().sum();
    let mean: Interval = law
        .iter()
        .zip(0i64..)
        .map(|(w, k)| w * &Interval::from(k))
        .sum();
    assert!(total.contains(1.0) && total.width() < 1e-30, "{total}");
    assert!((mean.hi_f64() - 3.6).abs() < 1e-14, "{mean}");
}

/// Above 1 the replaced record's profile is that of one that leaves, below that of one that comes.
#[test]
fn an_exchange_is_the_greater_of_both_directions() {
    let (base, rate) = ((Presences::gaussian(exact(0.5)).group)(2), exact(0.125));
    let sample = |direction| SampledPair {
        base: base.clone(),
        rate: rate.clone(),
        direction,
    };
    let pair = Exchanged {
        base: base.clone(),
        rate: rate.clone(),
    };
    for epsilon in [-1.0, -0.1, 0.0, 0.1, 1.0] {
        let e = exact(epsilon);
        let both = Direction::BOTH.map(|d| sample(d).delta(&e));
        let (found, greater) = (pair.delta(&e), both[0].max(&both[1]));
        assert!(
            found.intersect(&greater).is_some(),
            "{epsilon}: {found} {greater}"
        );
    }
}

/// Pairs of every kind.
fn pairs() -> Vec<(&'static str, Shared)> {
    let (q, mu) = (exact(0.25), exact(0.75));
    let gaussian = Presences::gaussian(mu.clone());
    let laplace: Shared = Arc::new(Laplace::new(&exact(1.0), &exact(1.5)).expect("in range"));
    let mut all = vec![
        ("laplace", laplace.clone()),
        ("gaussian", (gaussian.group)(1)),
    ];
    let rate = q.clone();
    let base = laplace.clone();
    all.push(("exchanged laplace", Arc::new(Exchanged { base, rate })));
    for direction in Direction::BOTH {
        let (base, rate) = (laplace.clone(), q.clone());
        all.push((
            "sampled laplace",
            Arc::new(SampledPair {
                base,
                rate,
                direction,
            }),
        ));
        let (base, rate) = ((gaussian.group)(1), q.clone());
        all.push((
            "sampled gaussian",
            Arc::new(SampledPair {
                base,
                rate,
                direction,
            }),
        ));
    }
    all.push((
        "replaced",
        gaussian.replaced(&q).expect("noise is Gaussian"),
    ));
    let parts = vec![(exact(0.25), laplace), (exact(0.75), (gaussian.group)(2))];
    all.push(("told", Arc::new(Told(parts))));
    let with = vec![(exact(0.5), exact(0.0)), (exact(0.5), mu)];
    let removal = Mixtures::new(with, vec![(exact(1.0), exact(0.0))]);
    all.push(("reversed mixture", Arc::new(removal.reversed())));
    all.push(("mixture", Arc::new(removal)));
    all
}

/// −f(x) is a subgradient of δ at x = e^ε: between two points δ falls by no more than f at the first, and no less than f at the
/// second says. It is at least 1 − x, and where all of the loss is above, that.
#[test]
fn profiles_of_all_pairs_have_the_tangents_that_they_say() {
    let epsilons: Vec<f64> = (-20..=20)
        .map(|j| f64::from(j) / 8.0 + 1.0 / 64.0)
        .collect();
    for (name, pair) in pairs() {
        let at = |e: &f64| {
            let (delta, fall) = pair.delta_and_fall(&exact(*e));
            (exact(*e).exp(), delta, fall)
        };
        let known: Vec<_> = epsilons.iter().map(at).collect();
        for (e, ((x, delta, fall), (y, next, later))) in
            epsilons.iter().zip(known.iter().zip(&known[1..]))
        {
            let (run, lost) = (y - x, delta - next);
            let slack = Interval::power_of_two(-80);
            assert!(
                !(&(fall * &run) + &slack).certainly_lt(&lost),
                "{name} falls faster at {e}"
            );
            assert!(
                !lost.certainly_lt(&(&(later * &run) - &slack)),
                "{name} falls slower after {e}"
            );
            assert!(
                *delta.hi() >= *(&Interval::from(1) - x).lo(),
                "{name} at {e}"
            );
            assert!(
                delta.width() < 1e-20 && fall.width() < 1e-20,
                "{name} at {e}: {delta}, {fall}"
            );
        }
        let left = &Interval::from(1) - &pair.delta(&exact(-60.0));
        assert!(*left.lo() >= 0 && left.hi_f64() < 1e-25, "{name}: {left}");
    }
}

/// What is said of an interval of ε is true of all in it, also where a loss ends.
#[test]
fn profiles_of_intervals_hold_those_of_their_points() {
    let ends = [-1.5, 1.5, 0.75f64.ln(), -(0.75f64.ln()), 0.0];
    for (name, pair) in pairs() {
        for (end, reach) in ends.into_iter().flat_map(|e| [(e, 0.25), (e, 1e-9)]) {
            let points = [
                end - reach,
                end - 0.5 * reach,
                end + 0.5 * reach,
                end + reach,
            ]
            .map(exact);
            let wide = pair.delta_and_fall(&points[0].hull(&points[3]));
            for point in &points {
                let (delta, fall) = pair.delta_and_fall(point);
                for (all, one) in [(&wide.0, delta), (&wide.1, fall)] {
                    assert!(
                        all.intersect(&one).is_some(),
                        "{name} around {end}: {all} without {one}"
                    );
                }
            }
        }
    }
}

/// q of the distance of N(μ, 1) from N(−μ, 1) is that of the mixtures, which share the rest.
#[test]
fn a_replaced_record_of_a_sample_is_seen_at_its_rate() {
    let (q, mu) = (exact(0.25), exact(0.75));
    let pair = Presences::gaussian(mu.clone())
        .replaced(&q)
        .expect("noise is Gaussian");
    let truth = &q * &(&mu.phi() - &(-&mu).phi());
    let found = pair.delta(&exact(0.0));
    assert!(found.intersect(&truth).is_some(), "{found}, {truth}");
    assert!(found.width() < 1e-20);
}

/// Near the end of a sample's losses δ is known within what may lie above it, which is not left out.
#[test]
fn what_may_lie_above_the_end_of_a_sample_is_in_the_bound() {
    let (q, mu, one) = (exact(0.25), exact(0.75), exact(1.0));
    let (low, high) = (exact(-0.3), exact(-0.25));
    let most = &(-low.exp_m1()) + &(&high.exp_m1() + &q);
    let step = PoissonGaussian::new(q.clone(), &one / &mu).expect("in range");
    let direction = Direction::Remove;
    let base = (Presences::gaussian(mu).group)(1);
    let sampled = SampledPair {
        base,
        rate: q,
        direction,
    };
    let closed = super::super::pld::SampledGaussian {
        step: &step,
        direction,
    };
    let both: [&dyn LossPair; 2] = [&sampled, &closed];
    for pair in both {
        let found = pair.delta_and_fall(&low.hull(&high)).0;
        assert!(found.hi() >= most.lo(), "{found}, {most}");
    }
}

/// δ of a batch of a share q whose member moves by two: q h(1 + (e^ε − 1)/q), by Gaussian noise in closed form.
fn exchanged(mu: f64, q: f64, epsilon: f64) -> f64 {
    let level = 1.0 + epsilon.exp_m1() / q;
    q * Gdp { mu: exact(mu) }.delta(&exact(level).ln()).hi_f64()
}

/// δ of a Poisson sample, in closed form.
fn sampled(mu: f64, q: f64, epsilon: f64, direction: Direction) -> f64 {
    let step = PoissonGaussian::new(exact(q), &exact(1.0) / &exact(mu)).expect("in range");
    let pair = super::super::pld::SampledGaussian {
        step: &step,
        direction,
    };
    pair.delta(&exact(epsilon)).hi_f64()
}

fn at(release: &DominatingPair, direction: Direction, epsilon: f64) -> f64 {
    let pair = release.pair(direction).expect("it is told");
    let delta = pair.delta(&exact(epsilon));
    assert!(delta.width() < 1e-20, "{delta}");
    delta.hi_f64()
}

fn near(found: f64, truth: f64, told: &str) {
    assert!(
        (found - truth).abs() < 1e-13 && truth > 1e-3,
        "{told}: {found}, {truth}"
    );
}

/// With every scheme the record counts as often as it is drawn, by probabilities that are counted here by hand.
#[test]
fn schemes_are_mixtures_of_what_may_be_drawn() {
    let (mu, p, epsilon) = (0.75, 0.25f64, 0.125);
    let noise = Presences::gaussian(exact(mu));
    for direction in Direction::BOTH {
        let told = format!("{direction:?}");
        let fixed = noise.fixed_size(&exact(p), false);
        near(
            at(&fixed, direction, epsilon),
            sampled(2.0 * mu, p, epsilon, direction),
            &told,
        );
        let fixed = noise.fixed_size(&exact(p), true);
        near(
            at(&fixed, direction, epsilon),
            exchanged(2.0 * mu, p, epsilon),
            &told,
        );

        // Two draws from four records, one of which is drawn once or twice: 6/16 and 1/16.
        let draws = noise.with_replacement(2, 4, true);
        let (once, drawn) = (6.0 / 16.0, 7.0 / 16.0);
        let each = |k: f64| exchanged(2.0 * k * mu, drawn, epsilon);
        let truth = (once * each(1.0) + (drawn - once) * each(2.0)) / drawn;
        near(at(&draws, direction, epsilon), truth, &told);

        // Others that are drawn with the record, out of three, where two fit: 2 or 3 of them are too many.
        let [two, three] = [3.0 * p * p * (1.0 - p), p.powi(3)];
        let full = two + three;
        let share = 2.0 * p * (two / 3.0 + three / 4.0) / full;
        let cut = noise
            .truncated(&exact(p), (2, 4), false)
            .expect("a pair is known");
        let truth = (1.0 - full) * sampled(mu, p, epsilon, direction)
            + full * sampled(2.0 * mu, share, epsilon, direction);
        near(at(&cut, direction, epsilon), truth, &told);
        let cut = noise
            .truncated(&exact(p), (2, 4), true)
            .expect("a pair is known");
        let replaced = noise.replaced(&exact(p)).expect("noise is Gaussian");
        let truth = (1.0 - full) * replaced.delta(&exact(epsilon)).hi_f64()
            + full * exchanged(2.0 * mu, share, epsilon);
        near(at(&cut, direction, epsilon), truth, &told);
    }
    // Of draws with replacement the loss is that of a mixture: P[z > t] − b Q[z > t] at its best threshold.
    let draws = noise.with_replacement(2, 4, false);
    let weights = [9.0 / 16.0, 6.0 / 16.0, 1.0 / 16.0];
    let tail = |x: f64| upper_tail(&exact(x)).hi_f64();
    let gain = |t: f64, sign: f64| {
        let parts = (0i32..).zip(weights);
        let with: f64 = parts
            .map(|(k, w)| w * tail(sign * (t - f64::from(2 * k) * mu)))
            .sum();
        sign * 0.5 * (1.0 + sign) * (with - f64::exp(epsilon) * tail(t))
            + 0.5 * (1.0 - sign) * (tail(-t) - f64::exp(epsilon) * with)
    };
    for (direction, sign) in [(Direction::Remove, 1.0), (Direction::Add, -1.0)] {
        let best = (-4000..8000).map(|j| gain(f64::from(j) / 1000.0, sign));
        let best = best.fold(0.0, f64::max);
        let found = at(&draws, direction, epsilon);
        assert!(
            (found - best).abs() < 1e-6 && best > 1e-3,
            "{direction:?}: {found}, {best}"
        );
    }
    let other = Presences {
        group: Box::new(|k| (Presences::gaussian(exact(0.75)).group)(k)),
        mu: None,
    };
    assert!(other.replaced(&exact(p)).is_none());
    assert!(other.truncated(&exact(p), (2, 4), true).is_none());
    assert!(other.truncated(&exact(p), (2, 4), false).is_some());
    // What is not known to be Gaussian is told how often it was drawn, which is no less.
    let told = other.with_replacement(2, 4, false);
    for direction in Direction::BOTH {
        assert!(at(&told, direction, epsilon) > at(&draws, direction, epsilon));
    }
}

/// A sample of nothing has no losses but 0, where all of it is known.
#[test]
fn a_sample_of_nothing_tells_nothing() {
    for (direction, fall) in [(Direction::Remove, 1), (Direction::Add, 0)] {
        let base = (Presences::gaussian(exact(1.0)).group)(1);
        let none = SampledPair {
            base,
            rate: exact(0.0),
            direction,
        };
        let found = none.delta_and_fall(&exact(0.0));
        assert_eq!(
            found,
            (Interval::from(0), Interval::from(fall)),
            "{direction:?}"
        );
    }
}

/// One draw out of four records draws each at a rate of 1/4.
#[test]
fn one_draw_with_replacement_is_a_sample_of_one() {
    let mu = exact(0.75);
    let release = Presences::gaussian(mu.clone()).with_replacement(1, 4, false);
    let step = PoissonGaussian::new(exact(0.25), &exact(0.5) / &mu).expect("in range");
    for direction in Direction::BOTH {
        let drawn = release.pair(direction).expect("it is told");
        let sampled = super::super::pld::SampledGaussian {
            step: &step,
            direction,
        };
        let [a, b] = [
            drawn.delta_and_fall(&exact(0.2)).0,
            sampled.delta_and_fall(&exact(0.2)).0,
        ];
        assert!(a.intersect(&b).is_some() && a.width() < 1e-20, "{a}, {b}");
    }
}
