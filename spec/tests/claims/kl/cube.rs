//! The data sets of the corrected Theorems 6 and 7: that there are such, and a private algorithm on them.

/// n records, of which k each are about r of d coordinates, in any order; the others about none.
struct Data {
    /// The coordinate of each record.
    about: Vec<Option<usize>>,
    /// The sets of signs.
    signs: Vec<Vec<i32>>,
}

fn data(n: usize, k: usize, coordinates: &[usize]) -> Data {
    let about = |i: usize| coordinates.get(i / k).copied();
    let about: Vec<_> = (0..n).map(|i| about((i * 5) % n)).collect();
    let of = |set: usize, j: &Option<usize>| match j {
        Some(j) => {
            let place = coordinates
                .iter()
                .position(|c| c == j)
                .expect("one of these");
            1 - 2 * i32::try_from((set >> place) & 1).expect("a bit")
        }
        None => -1,
    };
    let sets = 0..1_usize << coordinates.len();
    let signs = sets.map(|set| about.iter().map(|j| of(set, j)).collect());
    Data {
        signs: signs.collect(),
        about,
    }
}

/// Every hypothesis on P, C and S holds, for n = 11, d = 4, k = 3, r = 3.
#[test]
fn there_are_such_data_sets() {
    let (n, d, k, coordinates) = (11, 4, 3, [0, 2, 3]);
    let data = data(n, k, &coordinates);
    let p = |i: usize, j: usize| i32::from(data.about[i] == Some(j));
    // One record of every coordinate after another; the others at once.
    let number = |i: usize| (0..=i).filter(|l| data.about[*l] == data.about[i]).count();
    let c = |t: usize, i: usize| i32::from(number(i).min(k) <= t);
    for j in 0..d {
        let of_j: i32 = (0..n).map(|i| p(i, j)).sum();
        assert_eq!(of_j, if coordinates.contains(&j) { 3 } else { 0 });
        for t in 0..k {
            let changed: i32 = (0..n)
                .map(|i| p(i, j) * (c(t + 1, i) - c(t, i)).pow(2))
                .sum();
            assert!(changed <= 1, "coordinate {j}, step {t}");
        }
        for own in &data.signs {
            let sum: i32 = (0..n).map(|i| p(i, j) * own[i]).sum();
            assert!((0..n).all(|i| 3 * p(i, j) * own[i] == p(i, j) * sum));
            let far = |other: &Vec<i32>| -> i32 {
                let one = |i: usize| {
                    let (same, turned) = ((other[i] - own[i]).pow(2), (other[i] + own[i]).pow(2));
                    (1 - p(i, j)) * same + p(i, j) * turned
                };
                (0..n).map(one).sum()
            };
            assert_eq!(data.signs.iter().filter(|other| far(other) <= 0).count(), 1);
        }
    }
    assert!((0..n).all(|i| c(0, i) == 0 && c(k, i) == 1));
    assert!((0..n).all(|i| (0..d).map(|j| p(i, j)).sum::<i32>() <= 1));
}

/// The risk of one set of signs at w, L₀ = D = 1, with Theorem 7's curvature.
fn risk(data: &Data, set: usize, curvature: f64, w: &[f64]) -> f64 {
    let n = data.about.len() as f64;
    let square: f64 = w.iter().map(|x| x * x).sum();
    let linear = data.about.iter().zip(&data.signs[set]);
    let linear: f64 = linear
        .map(|(j, sign)| j.map_or(0.0, |j| f64::from(*sign) * w[j]))
        .sum();
    curvature / 2.0 * square - linear / (2.0 * n)
}

/// An algorithm that guesses each sign with odds e^{ε·(how many more records have it)/2}, so that the odds change by e^ε with one
/// record: its mean excess over all signs, all guesses taken together, is above both bounds, and less than eight times the larger one.
#[test]
fn a_private_guess_of_the_signs_is_above_the_bound_and_not_far() {
    let (n, d, k, coordinates) = (11, 4, 3, [0, 2, 3]);
    let data = data(n, k, &coordinates);
    let (count, records, r) = (n as f64, k as f64, coordinates.len() as f64);
    let curvature = records * r.sqrt() / (2.0 * count);
    for epsilon in [0.125, 0.25, 0.375] {
        let right = |more: i32| 1.0 / (1.0 + (-f64::from(more) * epsilon / 2.0).exp());
        for more in [-3, -1, 1] {
            let ratio = right(more + 2) / right(more);
            let other = (1.0 - right(more)) / (1.0 - right(more + 2));
            assert!(ratio <= epsilon.exp() && other <= epsilon.exp());
        }
        let shrunk = 2.0 * right(3) - 1.0;
        let mut mean = 0.0;
        for set in 0..data.signs.len() {
            let point = |guess: usize, scale: f64| {
                let mut w = vec![0.0; d];
                for (place, j) in coordinates.iter().enumerate() {
                    let sign = if (guess >> place) & 1 == 0 { 1.0 } else { -1.0 };
                    w[*j] = scale * sign / r.sqrt();
                }
                w
            };
            let least = risk(&data, set, curvature, &point(set, 1.0));
            for guess in 0..data.signs.len() {
                let wrong = (set ^ guess).count_ones();
                let wrong = i32::try_from(wrong).expect("few");
                let all = i32::try_from(coordinates.len()).expect("few");
                let chance = (1.0 - right(3)).powi(wrong) * right(3).powi(all - wrong);
                let excess = risk(&data, set, curvature, &point(guess, shrunk)) - least;
                mean += chance * excess / data.signs.len() as f64;
            }
        }
        let exact = r.sqrt() * records * (3.0 - 2.0 * records * epsilon) / (24.0 * count);
        let printed = 9.0 * r.sqrt() / (256.0 * count * epsilon);
        assert!(
            printed <= exact * (1.0 + 1e-12),
            "ε = {epsilon}: {printed} against {exact}"
        );
        assert!(
            exact < mean && mean < 8.0 * exact,
            "ε = {epsilon}: {mean} against {exact}"
        );
    }
}
