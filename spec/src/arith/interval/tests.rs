//! Every interval function against the function itself at 400 bits, at points of the interval that need not
//! be ends: contained, at all widths from nothing to everything, and not much wider than it has to be.

use super::{Interval, PRECISION};
use rug::float::{Constant, Round};
use rug::ops::Pow;
use rug::{Float, Rational};

/// Bits of the functions' own values.
const EXACT: u32 = 400;

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A point of [0, 1].
    fn share(&mut self) -> Float {
        (0..10).fold(Float::new(EXACT), |sum, _| (sum + self.word()) >> 64u32)
    }

    /// Both ends of an interval, two of its points near them and two anywhere.
    fn points(&mut self, x: &Interval) -> Vec<Float> {
        let [lo, hi] = [x.lo(), x.hi()].map(|end| Float::with_val(EXACT, end));
        let width = Float::with_val(EXACT, &hi - &lo);
        let tiny = Float::with_val(EXACT, &width >> 100u32);
        let mut all = vec![lo.clone(), hi.clone(), lo.clone() + &tiny, hi - &tiny];
        all.extend((0..2).map(|_| lo.clone() + self.share() * &width));
        all
    }
}

/// A point and intervals that start or end at it, of widths from one unit in its last place to 1.
fn around(x: &Float) -> Vec<Interval> {
    let p = x.prec();
    let mut next = x.clone();
    next.next_up();
    let mut all = vec![Interval::point(x.clone()), Interval::new(x.clone(), next)];
    for bits in [127, 100, 65, 50, 45, 41, 40, 39, 10, 0] {
        let width = Float::with_val(p, Float::u_exp(1, -bits));
        let beyond = Float::with_val_round(p, x + &width, Round::Up).0;
        let before = Float::with_val_round(p, x - &width, Round::Down).0;
        all.extend([
            Interval::new(x.clone(), beyond),
            Interval::new(before, x.clone()),
        ]);
    }
    all
}

/// A function of one variable with its enclosure.
struct Function {
    name: &'static str,
    enclose: fn(&Interval) -> Interval,
    exact: fn(Float) -> Float,
    /// Below it the function is undefined.
    from: f64,
    /// The enclosure of a narrow interval may exceed the values by this many units of the precision.
    units: u32,
}

fn normal(x: Float) -> Float {
    let root = Float::with_val(EXACT, 2).sqrt();
    (-x / root).erfc() / 2u32
}

const FUNCTIONS: [Function; 14] = {
    const fn of(
        name: &'static str,
        enclose: fn(&Interval) -> Interval,
        exact: fn(Float) -> Float,
        from: f64,
        units: u32,
    ) -> Function {
        Function {
            name,
            enclose,
            exact,
            from,
            units,
        }
    }
    const ALL: f64 = f64::NEG_INFINITY;
    [
        of("square", Interval::square, Float::square, ALL, 1),
        of("exp", Interval::exp, Float::exp, ALL, 4),
        of("exp_m1", Interval::exp_m1, Float::exp_m1, ALL, 1),
        of("ln", Interval::ln, Float::ln, 0.0, 1),
        of("ln_1p", Interval::ln_1p, Float::ln_1p, -1.0, 1),
        of("sqrt", Interval::sqrt, Float::sqrt, 0.0, 1),
        of("erf", Interval::erf, Float::erf, ALL, 1),
        of("erfc", Interval::erfc, Float::erfc, ALL, 1),
        of("phi", Interval::phi, normal, ALL, 1 << 14),
        of("abs", Interval::abs, Float::abs, ALL, 1),
        of("negation", |x| -x, |x| -x, ALL, 1),
        of("cube", |x| x.powi(3), |x| x.pow(3), ALL, 1),
        of("sixth power", |x| x.powi(6), |x| x.pow(6), ALL, 1),
        of("zeroth power", |x| x.powi(0), |x| x.pow(0), ALL, 1),
    ]
};

/// Where a true value may stand beside an end for the sake of the 400 bits alone.
fn blur(y: &Float) -> Float {
    Float::with_val(EXACT, y.abs_ref()) >> (EXACT - 20)
}

/// Whether `y`, which may be an infinite limit, lies in the enclosure.
fn holds(found: &Interval, y: &Float) -> bool {
    let blur = if y.is_finite() {
        blur(y)
    } else {
        Float::new(EXACT)
    };
    let (above, below) = (
        Float::with_val(EXACT, y + &blur),
        Float::with_val(EXACT, y - &blur),
    );
    above >= *found.lo() && below <= *found.hi()
}

#[test]
fn every_function_contains_its_values_down_to_one_unit_in_the_last_place() {
    let starts = [
        -30.0, -8.125, -3.0, -1.0, -0.999, -0.5, -1e-9, -1e-40, 0.0, 1e-300, 1e-40, 1e-9, 0.3, 0.7,
        1.0, 1.5, 2.0, 6.0, 11.3, 40.0, 700.0,
    ];
    let mut dice = Dice(1);
    for (precision, every) in [(53, 5), (PRECISION, 1), (200, 5)] {
        for start in starts
            .into_iter()
            .skip(precision as usize % 3)
            .step_by(every)
        {
            // Neighbours with a full set of digits too.
            let third = Float::with_val(precision, 1) / 3u32;
            for x in [Float::with_val(precision, start), third * start] {
                for argument in around(&x) {
                    for f in &FUNCTIONS {
                        check(f, &argument, &mut dice);
                    }
                }
            }
        }
    }
}

fn check(f: &Function, x: &Interval, dice: &mut Dice) {
    let name = f.name;
    let found = (f.enclose)(x);
    if *x.lo() < f.from {
        assert!(
            !found.lo().is_finite() && !found.hi().is_finite(),
            "{name} of {x}: {found}"
        );
        return;
    }
    let values: Vec<Float> = dice.points(x).into_iter().map(f.exact).collect();
    for y in &values {
        assert!(holds(&found, y), "{name} of {x}: {y} is not in {found}");
    }
    // All functions here take their least and greatest values at ends, or at 0.
    let zero = x.contains(0.0).then(|| (f.exact)(Float::new(EXACT)));
    let ends = [values[0].clone(), values[1].clone()];
    let all = || ends.iter().chain(&zero);
    let order = |a: &&Float, b: &&Float| a.total_cmp(b);
    let (Some(least), Some(most)) = (all().min_by(order), all().max_by(order)) else {
        unreachable!()
    };
    let finite = [least, most].map(|end| {
        if end.is_finite() {
            end.clone()
        } else {
            Float::new(EXACT)
        }
    });
    let scale = finite[0].clone().abs().max(&finite[1].clone().abs());
    let units = Float::with_val(EXACT, f.units) >> (found.prec() - 1);
    // exp saves itself the second exponential of a narrow interval, at a relative cost of its square.
    let width = Float::with_val(EXACT, x.hi() - x.lo());
    let narrow = f.name == "exp" && width <= Float::with_val(EXACT, Float::u_exp(1, -40));
    let own = if narrow {
        width.square()
    } else {
        Float::new(EXACT)
    };
    // Below the smallest number there is only 0.
    let mut smallest = Float::new(found.prec());
    smallest.next_up();
    let room = scale * (units + own) + smallest;
    let low = Float::with_val(EXACT, least - &room);
    let high = Float::with_val(EXACT, most + &room);
    assert!(
        *found.lo() >= low && *found.hi() <= high,
        "{name} of {x} is too wide: {found}"
    );
}

#[test]
fn functions_reach_the_ends_of_their_range() {
    let infinity = f64::INFINITY;
    let half_line = Interval::between(0.0, infinity);
    let line = Interval::whole(PRECISION);
    let cases: [(&str, Interval, (f64, f64)); 22] = [
        ("exp of the line", line.exp(), (0.0, infinity)),
        ("exp of the half line", half_line.exp(), (1.0, infinity)),
        ("exp of −∞", Interval::from_f64(-infinity).exp(), (0.0, 0.0)),
        ("exp_m1 of the line", line.exp_m1(), (-1.0, infinity)),
        ("ln of the half line", half_line.ln(), (-infinity, infinity)),
        (
            "ln of [0, 1]",
            Interval::between(0.0, 1.0).ln(),
            (-infinity, 0.0),
        ),
        (
            "ln of below 0",
            Interval::between(-1.0, 1.0).ln(),
            (-infinity, infinity),
        ),
        (
            "ln_1p of [−1, 0]",
            Interval::between(-1.0, 0.0).ln_1p(),
            (-infinity, 0.0),
        ),
        ("sqrt of the half line", half_line.sqrt(), (0.0, infinity)),
        (
            "sqrt of below 0",
            Interval::between(-1.0, 4.0).sqrt(),
            (-infinity, infinity),
        ),
        ("erf of the line", line.erf(), (-1.0, 1.0)),
        ("erfc of the line", line.erfc(), (0.0, 2.0)),
        ("phi of the line", line.phi(), (0.0, 1.0)),
        ("abs of the line", line.abs(), (0.0, infinity)),
        (
            "abs across 0",
            Interval::between(-2.0, 1.0).abs(),
            (0.0, 2.0),
        ),
        (
            "square across 0",
            Interval::between(-2.0, 1.0).square(),
            (0.0, 4.0),
        ),
        ("square of the line", line.square(), (0.0, infinity)),
        ("cube of the line", line.powi(3), (-infinity, infinity)),
        (
            "fourth power across 0",
            Interval::between(-1.0, 2.0).powi(4),
            (0.0, 16.0),
        ),
        (
            "cube across 0",
            Interval::between(-1.0, 2.0).powi(3),
            (-1.0, 8.0),
        ),
        (
            "negation",
            -Interval::between(-1.0, infinity),
            (-infinity, 1.0),
        ),
        ("power 0 of the line", line.powi(0), (1.0, 1.0)),
    ];
    for (name, found, (lo, hi)) in cases {
        assert_eq!((found.lo_f64(), found.hi_f64()), (lo, hi), "{name}");
    }
}

/// Those ends that the signs tell are the least and the largest of all four products.
#[test]
fn products_end_where_the_extremes_of_all_four_do() {
    let all = assorted();
    for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
        let found = a * b;
        let ends = |round| {
            let four = [a.lo(), a.hi()].map(|x| [b.lo(), b.hi()].map(|y| (x, y)));
            let product = move |(x, y): (&Float, &Float)| match x.is_zero() || y.is_zero() {
                true => Float::with_val(PRECISION, 0),
                false => Float::with_val_round(PRECISION, x * y, round).0,
            };
            four.into_iter().flatten().map(product)
        };
        let least = ends(Round::Down).reduce(|x, y| x.min(&y));
        let most = ends(Round::Up).reduce(|x, y| x.max(&y));
        assert_eq!(Some(found.lo()), least.as_ref(), "{a} {b}");
        assert_eq!(Some(found.hi()), most.as_ref(), "{a} {b}");
    }
}

/// The ends of intervals of all kinds: signs, zeros, infinities, and a third, which has no last digit.
fn assorted() -> Vec<Interval> {
    let third = Interval::from_rational(&Rational::from((1, 3)));
    let ends = [
        f64::NEG_INFINITY,
        -7.0,
        -1.0,
        -0.3,
        0.0,
        1e-30,
        0.7,
        1.0,
        1e20,
        f64::INFINITY,
    ];
    let mut all: Vec<Interval> = vec![third.clone(), -&third, &third - &Interval::from(1)];
    for (i, lo) in ends.iter().enumerate() {
        let finite = lo.is_finite();
        all.extend(
            ends[i..]
                .iter()
                .filter(|hi| finite || *hi > lo)
                .map(|hi| Interval::between(*lo, *hi)),
        );
    }
    all.retain(|x| *x.lo() < f64::INFINITY && *x.hi() > f64::NEG_INFINITY);
    all
}

/// Finite points of an interval: ends, or far along where there is none, zero and small numbers beside
/// it if it has them, and two anywhere.
fn samples(x: &Interval, dice: &mut Dice) -> Vec<Float> {
    let far = Float::with_val(EXACT, Float::u_exp(1, 150));
    let lo = Float::with_val(EXACT, x.lo()).max(&Float::with_val(EXACT, -&far));
    let hi = Float::with_val(EXACT, x.hi()).min(&far);
    let width = Float::with_val(EXACT, &hi - &lo);
    let tiny = Float::with_val(EXACT, Float::u_exp(1, -200));
    let mut all = vec![lo.clone(), hi, Float::new(EXACT), tiny.clone(), -tiny];
    all.extend((0..2).map(|_| lo.clone() + dice.share() * &width));
    all.retain(|y| y >= x.lo() && y <= x.hi());
    all
}

type Binary = (
    &'static str,
    fn(&Interval, &Interval) -> Interval,
    fn(&Float, &Float) -> Float,
);

/// With their operation on points.
const BINARY: [Binary; 6] = [
    ("+", |x, y| x + y, |x, y| Float::with_val(EXACT, x + y)),
    ("-", |x, y| x - y, |x, y| Float::with_val(EXACT, x - y)),
    ("*", |x, y| x * y, |x, y| Float::with_val(EXACT, x * y)),
    ("/", |x, y| x / y, |x, y| Float::with_val(EXACT, x / y)),
    ("max", Interval::max, |x, y| x.clone().max(y)),
    ("min", Interval::min, |x, y| x.clone().min(y)),
];

#[test]
fn operations_contain_their_values_and_are_no_wider_than_their_points() {
    let mut dice = Dice(2);
    let all = assorted();
    for (x, y) in all.iter().flat_map(|x| all.iter().map(move |y| (x, y))) {
        for (name, enclose, exact) in BINARY {
            let found = enclose(x, y);
            let (left, right) = (samples(x, &mut dice), samples(y, &mut dice));
            let pairs = left.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
            let defined = pairs.filter(|(_, b)| name != "/" || !b.is_zero());
            let values: Vec<Float> = defined.map(|(a, b)| exact(a, b)).collect();
            for v in &values {
                assert!(holds(&found, v), "{x} {name} {y}: {v} is not in {found}");
            }
            let (Some(least), Some(most)) = (
                values.iter().min_by(|a, b| a.total_cmp(b)),
                values.iter().max_by(|a, b| a.total_cmp(b)),
            ) else {
                continue;
            };
            // A finite end is met by a pair of ends, but for the nearest 128 bits.
            let unit = |v: &Float| Float::with_val(EXACT, v.abs_ref()) >> (PRECISION - 1);
            let finite = [x, y].iter().all(|i| i.is_finite());
            let by_zero = name == "/" && y.contains(0.0);
            if finite && !by_zero {
                assert!(
                    *found.lo() >= Float::with_val(EXACT, least - unit(least)),
                    "{x} {name} {y}: {found}"
                );
                assert!(
                    *found.hi() <= Float::with_val(EXACT, most + unit(most)),
                    "{x} {name} {y}: {found}"
                );
            }
        }
    }
}

#[test]
fn quotients_by_zero_are_one_sided_where_zero_is_an_end() {
    let infinity = f64::INFINITY;
    let between = Interval::between;
    for (x, y, (lo, hi)) in [
        (between(1.0, 2.0), between(0.0, 4.0), (0.25, infinity)),
        (between(1.0, 2.0), between(-4.0, 0.0), (-infinity, -0.25)),
        (between(-2.0, -1.0), between(0.0, 4.0), (-infinity, -0.25)),
        (between(-2.0, 1.0), between(0.0, 4.0), (-infinity, infinity)),
        (between(0.0, 1.0), between(0.0, 4.0), (0.0, infinity)),
        (between(1.0, 2.0), between(-1.0, 4.0), (-infinity, infinity)),
        (between(1.0, 2.0), between(0.0, 0.0), (-infinity, infinity)),
        (between(0.0, 0.0), between(0.0, 4.0), (0.0, 0.0)),
        (
            between(1.0, infinity),
            between(2.0, infinity),
            (0.0, infinity),
        ),
        (between(-1.0, 1.0), between(2.0, infinity), (-0.5, 0.5)),
    ] {
        let found = &x / &y;
        assert_eq!((found.lo_f64(), found.hi_f64()), (lo, hi), "{x} / {y}");
    }
}

#[test]
fn real_powers_contain_their_values_and_are_narrow() {
    let mut dice = Dice(3);
    let bases = [
        (0.0, 0.5),
        (0.25, 0.25),
        (0.3, 0.9),
        (0.5, 2.0),
        (1.0, 1.0),
        (1.5, 30.0),
    ];
    let powers = [
        (-2.5, -1.0),
        (-0.5, 0.25),
        (-0.3, 0.0),
        (0.0, 0.0),
        (0.0, 0.7),
        (0.3, 0.3),
        (1.0, 1.5),
        (2.0, 7.0),
    ];
    for (b, p) in bases
        .iter()
        .flat_map(|b| powers.iter().map(move |p| (b, p)))
    {
        let (base, power) = (Interval::between(b.0, b.1), Interval::between(p.0, p.1));
        let found = base.pow(&power);
        let exponents = samples(&power, &mut dice);
        let values: Vec<Float> = samples(&base, &mut dice)
            .iter()
            .flat_map(|x| {
                exponents
                    .iter()
                    .map(move |y| Float::with_val(EXACT, x.pow(y)))
            })
            .collect();
        for v in &values {
            assert!(holds(&found, v), "{base}^{power}: {v} is not in {found}");
        }
        if b.0 == b.1 && p.0 == p.1 {
            assert!(
                found.width() <= 1e-36 * found.hi_f64(),
                "{base}^{power}: {found}"
            );
        }
    }
    let (zero, line) = (Interval::from(0), Interval::whole(PRECISION));
    assert_eq!(zero.pow(&Interval::from(0)), Interval::from(1));
    assert_eq!(zero.pow(&Interval::from(2)), zero);
    assert_eq!(
        Interval::between(-1.0, 1.0).pow(&Interval::from(2)),
        Interval::new(
            Float::with_val(PRECISION, 0),
            Float::with_val(PRECISION, f64::INFINITY),
        )
    );
    assert_eq!(line.pow(&zero), Interval::from(1));
}

#[test]
fn an_interval_is_written_by_its_ends() {
    assert_eq!(Interval::between(-1.0, 2.5).to_string(), "[-1.0, 2.5]");
}

#[test]
fn numbers_are_enclosed_by_their_neighbours() {
    for precision in [2, 24, 53, PRECISION, 300] {
        for q in [(1, 3), (-1, 3), (22, 7), (1, 1), (-5, 4), (10_000_001, 3)] {
            let q = Rational::from(q);
            let found = Interval::rational_at(&q, precision);
            assert!(
                *found.lo() <= q && *found.hi() >= q,
                "{q} is not in {found}"
            );
            let mut above = found.lo().clone();
            above.next_up();
            assert!(
                *found.hi() == *found.lo() || *found.hi() == above,
                "{q}: {found}"
            );
            let exact = found.lo() == found.hi();
            assert_eq!(exact, *found.lo() == q, "{q}");
        }
        let pi = Interval::pi(precision);
        let true_pi = Float::with_val(EXACT, Constant::Pi);
        assert!(*pi.lo() < true_pi && *pi.hi() > true_pi && pi.prec() == precision);
        let mut above = pi.lo().clone();
        above.next_up();
        assert_eq!(*pi.hi(), above);
    }
    let third = Interval::from_rational(&Rational::from((1, 3)));
    let coarse = third.rounded(10);
    assert!(coarse.lo() <= third.lo() && coarse.hi() >= third.hi() && coarse.prec() == 10);
    assert!(coarse.lo() < coarse.hi() && coarse.width() < 1e-3);
    // Doubles are rounded outward, widths up.
    assert!(Rational::from_f64(third.lo_f64()) < Some(Rational::from((1, 3))));
    assert!(Rational::from_f64(third.hi_f64()) > Some(Rational::from((1, 3))));
    assert_eq!(third.lo_f64().next_up(), third.hi_f64());
    let wide = Interval::new(third.lo().clone(), Float::with_val(PRECISION, 1));
    assert!(Rational::from_f64(wide.width()) > Some(Rational::from((2, 3))));
    assert!(wide.width() <= 2.0 / 3.0 + f64::EPSILON);
    assert_eq!(
        Interval::power_of_two(-70),
        Interval::from_f64((-70f64).exp2())
    );
    assert_eq!(Interval::from(-3), Interval::between(-3.0, -3.0));
}

#[test]
fn what_is_no_interval_is_the_whole_line() {
    let float = |x: f64| Float::with_val(PRECISION, x);
    let whole = Interval::whole(PRECISION);
    assert_eq!(Interval::new(float(2.0), float(1.0)), whole);
    assert_eq!(Interval::new(float(f64::NAN), float(1.0)), whole);
    assert_eq!(Interval::new(float(1.0), float(f64::NAN)), whole);
    assert_eq!(Interval::point(float(f64::NAN)), whole);
    assert!(!whole.is_finite() && Interval::from(1).is_finite());
    assert!(!Interval::between(0.0, f64::INFINITY).is_finite());
    assert!(!Interval::between(f64::NEG_INFINITY, 0.0).is_finite());
}

#[test]
fn comparisons_speak_of_all_points() {
    let between = Interval::between;
    let [low, high] = [between(0.0, 1.0), between(1.0, 2.0)];
    assert!(low.certainly_le(&high) && !low.certainly_lt(&high) && !high.certainly_le(&low));
    assert!(low.certainly_lt(&between(1.5, 2.0)) && !low.certainly_lt(&between(0.5, 2.0)));
    assert!(!low.certainly_le(&between(0.5, 2.0)) && !low.certainly_le(&low));
    assert!(low.contains(0.0) && low.contains(1.0) && low.contains(0.5));
    assert!(!low.contains(1.0f64.next_up()) && !low.contains(-f64::MIN_POSITIVE));
    assert_eq!(low.intersect(&high), Some(Interval::from(1)));
    assert_eq!(
        between(0.0, 3.0).intersect(&between(1.0, 2.0)),
        Some(between(1.0, 2.0))
    );
    assert_eq!(
        between(1.0, 2.0).intersect(&between(0.0, 3.0)),
        Some(between(1.0, 2.0))
    );
    assert_eq!(low.intersect(&between(1.5, 2.0)), None);
    assert_eq!(between(1.5, 2.0).intersect(&low), None);
    assert_eq!(low.hull(&between(3.0, 4.0)), between(0.0, 4.0));
    assert_eq!(between(3.0, 4.0).hull(&low), between(0.0, 4.0));
    assert_eq!(
        between(0.0, 4.0).hull(&between(1.0, 2.0)),
        between(0.0, 4.0)
    );
}

#[test]
fn sums_contain_the_sum_of_any_points() {
    let thirds = || (0..900).map(|_| Interval::from_rational(&Rational::from((1, 3))));
    let sum: Interval = thirds().sum();
    assert!(
        *sum.lo() < 300 && *sum.hi() > 300 && sum.width() < 1e-32,
        "{sum}"
    );
    let mixed: Interval = [
        Interval::between(-1.0, 2.0),
        Interval::between(0.5, f64::INFINITY),
    ]
    .into_iter()
    .sum();
    assert_eq!((mixed.lo_f64(), mixed.hi_f64()), (-0.5, f64::INFINITY));
}

/// Written ends stand on their side of the value: 2/3 is at least 0.6666 and at most 0.6667, −2/3 at least −0.6667.
#[test]
fn ends_are_written_on_their_own_side() {
    let x = Interval::from_rational(&Rational::from((2, 3)));
    assert_eq!((x.lo_digits(4), x.hi_digits(4)), (0.6666, 0.6667));
    let x = Interval::from_rational(&Rational::from((-2, 3)));
    assert_eq!((x.lo_digits(4), x.hi_digits(4)), (-0.6667, -0.6666));
}
