//! What finite arithmetic gives away, found for certain: holes in the noise, the grid of the output,
//! sums whose sensitivity is not the one on paper.

use dp_assay::audit::Output;
use dp_assay::audit::reach::{grid, holes, word_for};
use dp_assay::audit::replay::{
    Address, Declared, NoiseLaw, Query, Recorded, Recorder, Replay, Violation,
};
use dp_assay::mechanism::tape::{Purpose, Tape, Uniform};

fn words(count: u64) -> impl Iterator<Item = Uniform> {
    let mut stream = Tape::new(1).stream(0, Purpose::Data, 0);
    (0..count).map(move |_| stream.uniform())
}

fn laplace(value: f64) -> impl Fn(Uniform) -> f64 {
    move |word| value + 10.0 * word.laplace()
}

fn snapped(value: f64) -> impl Fn(Uniform) -> f64 {
    move |word| ((value + 10.0 * word.laplace()) / 16.0).round() * 16.0
}

#[test]
fn what_an_input_produces_it_can_reach() {
    for word in words(2000) {
        let output = laplace(1.0)(word);
        assert!(word_for(output, laplace(1.0)).is_some(), "{output}");
    }
}

#[test]
fn textbook_laplace_has_holes_and_snapped_laplace_has_none() {
    // 0 + noise keeps all bits of small noise; 1 + noise cannot.
    let textbook = holes(words(2000), laplace(0.0), laplace(1.0));
    assert!(textbook.unreachable > 20, "{textbook:?}");
    let example = textbook.example.expect("one that is unreachable");
    assert!(word_for(example, laplace(0.0)).is_some());
    let closed = holes(words(2000), snapped(0.0), snapped(1.0));
    assert_eq!(closed.unreachable, 0, "{closed:?}");
}

#[test]
fn the_grid_of_an_output_names_the_input_unless_it_is_snapped() {
    let finest = |f: &dyn Fn(Uniform) -> f64| words(2000).filter_map(|w| grid(f(w))).min();
    assert!(finest(&laplace(0.0)) < finest(&laplace(1.0)));
    assert!(finest(&snapped(0.0)) >= Some(4) && finest(&snapped(1.0)) >= Some(4));
    assert_eq!(grid(3.0), Some(0));
    assert_eq!(grid(0.75), Some(-2));
    assert_eq!(grid(f64::from_bits(1)), Some(-1074));
    assert_eq!(
        (grid(0.0), grid(f64::NAN), grid(f64::INFINITY)),
        (None, None, None)
    );
}

/// A statistic of a list, released with Laplace noise.
struct Released {
    statistic: fn(&[f64]) -> f64,
    sensitivity: f64,
}

impl Recorded for Released {
    type Input = Vec<f64>;

    fn name(&self) -> String {
        "statistic".into()
    }

    fn run(&self, data: &Vec<f64>, recorder: &mut Recorder<'_>) -> Output {
        let noisy = recorder.noised(Query {
            label: "statistic",
            values: &[(self.statistic)(data)],
            // Nothing is owned up to: whatever rounding does is part of the sensitivity.
            rounding: &[0.0],
            declared: Declared::L1(self.sensitivity),
            law: NoiseLaw::Laplace,
            scales: &[self.sensitivity],
            address: Address {
                step: 0,
                purpose: Purpose::User,
                first: 0,
            },
        });
        Output::Vector(noisy)
    }
}

fn moves_too_far(statistic: fn(&[f64]) -> f64, sensitivity: f64, pair: [&Vec<f64>; 2]) -> bool {
    let released = Released {
        statistic,
        sensitivity,
    };
    let report = Replay::of(&released).run(pair[0], pair[1]);
    let too_far = |v: &Violation| matches!(v, Violation::Sensitivity { .. });
    report.violations.iter().any(too_far)
}

#[test]
fn a_sum_in_doubles_depends_on_the_order_of_its_records() {
    // Casacuberta et al. 2022: after 2⁵³, ones are lost; before it, they count. As multisets the two
    // inputs are equal, so that any sensitivity but 0 is generous.
    let sum: fn(&[f64]) -> f64 = |data| data.iter().fold(0.0, |sum, x| sum + x);
    let big = 2_f64.powi(53);
    let first = [vec![big], vec![1.0; 64]].concat();
    let last = [vec![1.0; 64], vec![big]].concat();
    assert!(moves_too_far(sum, 1.0, [&first, &last]));
    // Between small numbers the sum moves as it should.
    let (small, moved) = (vec![1.0; 65], [vec![1.0; 64], vec![2.0]].concat());
    assert!(!moves_too_far(sum, 1.0, [&small, &moved]));
}

#[test]
fn a_sum_of_integers_that_wraps_moves_by_the_whole_range() {
    let wrapping: fn(&[f64]) -> f64 = |data| {
        let sum = data
            .iter()
            .fold(0_i32, |sum, x| sum.wrapping_add(*x as i32));
        f64::from(sum)
    };
    let half = 2_f64.powi(30);
    let (below, above) = (vec![half, half - 1.0], vec![half, half]);
    assert!(moves_too_far(wrapping, 1.0, [&below, &above]));
    assert!(!moves_too_far(
        wrapping,
        1.0,
        [&vec![3.0, 4.0], &vec![3.0, 5.0]]
    ));
}

#[test]
fn squared_deviations_far_from_zero_move_by_the_rounding_of_the_mean() {
    // Of 1024 numbers in [2⁵⁰, 2⁵⁰ + 1]: on paper one record moves the sum of squared deviations by at
    // most 1, but their mean is only known to 1/8.
    let deviations: fn(&[f64]) -> f64 = |data| {
        let mean = data.iter().sum::<f64>() / data.len() as f64;
        data.iter().map(|x| (x - mean) * (x - mean)).sum()
    };
    let at = |base: f64, ones: usize| {
        let high = vec![base + 1.0; ones];
        [high, vec![base; 1024 - ones]].concat()
    };
    let far = 2_f64.powi(50);
    let jumps = |base: f64| {
        let pairs = (0..1024).map(|ones| (at(base, ones), at(base, ones + 1)));
        pairs
            .filter(|(a, b)| moves_too_far(deviations, 1.0, [a, b]))
            .count()
    };
    assert!(jumps(far) > 0);
    assert_eq!(jumps(0.0), 0);
}
