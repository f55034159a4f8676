//! a9a among 16 users: uneven shares of every label, mini-batches as single examples.

use super::noise::USERS;
use crate::experiment::Input;
use crate::experiment::data::{DataError, Shelf};
use crate::mechanism::tape::{Purpose, Stream, Tape};
use crate::problem::load::{Format, Options};
use crate::problem::loss::Logistic;
use crate::problem::{Dataset, Loss};
use crate::solver::decor::LocalLosses;

/// Shape of the Dirichlet law of the users' shares, per label.
const SHAPE: usize = 10;
/// Number of batches that a user can draw: as many addresses as the tape has.
const BATCHES: usize = 1 << 40;

/// Logistic regression with a bias, each user's gradient that of one of its random mini-batches.
pub(super) struct Batches {
    /// For every record the features that are not zero, and ±1.
    records: Vec<(Vec<(usize, f64)>, f64)>,
    users: Vec<Vec<usize>>,
    features: usize,
    batch: usize,
    /// Weight decay λ, here part of the gradient.
    decay: f64,
    seed: u64,
}

/// a9a, or its stand-in: 14 attributes of 9 categories, the class a noisy vote of the categories.
pub(super) fn a9a(toy: bool, shelf: &Shelf, seed: u64) -> Result<(Dataset, Input), DataError> {
    if let Some(book) = shelf.find("a9a.svm.gz")?.filter(|_| !toy) {
        let options = Options {
            format: Format::Svmlight,
            features: Some(123),
            ..Options::default()
        };
        let data = Dataset::from_file(&book.path, &options)?;
        return Ok((data, Input::files("a9a", &[&book])));
    }
    let (n, attributes) = if toy { (320, 3) } else { (32_561, 14) };
    let categories = if toy { 4 } else { 9 };
    let mut words = Tape::new(seed).trial(11).stream(0, Purpose::Data, 0);
    let votes: Vec<f64> = (0..attributes * categories)
        .map(|_| words.uniform().gaussian())
        .collect();
    let mut text = String::new();
    for _ in 0..n {
        let chosen: Vec<usize> = (0..attributes)
            .map(|a| a * categories + words.uniform().below(categories))
            .collect();
        let vote: f64 = chosen.iter().map(|&j| votes[j]).sum::<f64>() - 3.0;
        let positive = words.uniform().fraction() < 1.0 / (1.0 + (-vote).exp());
        text.push_str(if positive { "+1" } else { "-1" });
        chosen
            .iter()
            .for_each(|j| text.push_str(&format!(" {}:1", j + 1)));
        text.push('\n');
    }
    let options = Options {
        format: Format::Svmlight,
        features: Some(attributes * categories),
        ..Options::default()
    };
    let data = crate::problem::load::read("a9a", text.as_bytes(), &options)?;
    let recipe =
        format!("{n} records of {attributes} attributes with {categories} categories, seed {seed}");
    let why = "a9a.svm.gz is not in the data folder";
    Ok((data, Input::stand_in("a9a", recipe, why)))
}

impl Batches {
    /// Deals the records of each label among the users by Dirichlet(10) shares.
    pub(super) fn new(data: &Dataset, batch: usize, decay: f64, seed: u64) -> Self {
        let record = |i: usize| (data.design().row(i).collect(), data.targets()[i]);
        let records: Vec<(Vec<(usize, f64)>, f64)> = (0..data.records()).map(record).collect();
        let mut words = Tape::new(seed).trial(12).stream(0, Purpose::Data, 0);
        let mut users = vec![Vec::new(); USERS];
        for label in [-1.0, 1.0] {
            let mut own: Vec<usize> = (0..records.len())
                .filter(|&i| records[i].1 == label)
                .collect();
            shuffle(&mut own, &mut words);
            let mut start = 0;
            for (user, end) in shares(&mut words, own.len()).into_iter().enumerate() {
                users[user].extend(&own[start..end]);
                start = end;
            }
        }
        Self {
            records,
            users,
            features: data.features(),
            batch,
            decay,
            seed,
        }
    }

    /// Mean log loss over all records, without decay.
    pub(super) fn loss(&self, model: &[f64]) -> f64 {
        let one = |(features, target): &(Vec<(usize, f64)>, f64)| {
            Logistic.value(self.margin(features, model), *target)
        };
        self.records.iter().map(one).sum::<f64>() / self.records.len() as f64
    }

    /// x·w with the bias last.
    fn margin(&self, features: &[(usize, f64)], model: &[f64]) -> f64 {
        let sum: f64 = features.iter().map(|&(j, x)| x * model[j]).sum();
        sum + model[self.features]
    }
}

impl LocalLosses for Batches {
    fn users(&self) -> usize {
        self.users.len()
    }

    fn dimension(&self) -> usize {
        self.features + 1
    }

    fn examples(&self, _: usize) -> usize {
        BATCHES
    }

    fn gradient(&self, user: usize, example: usize, x: &[f64], out: &mut [f64]) {
        let own = &self.users[user];
        let size = self.batch.min(own.len());
        let tape = Tape::new(self.seed).trial(1000 + user as u64);
        let mut words = tape.stream(example as u64, Purpose::Data, 0);
        let mut batch = Vec::with_capacity(size);
        words.subset(own.len(), size, &mut batch);
        out.fill(0.0);
        for &at in &batch {
            let (features, target) = &self.records[own[at]];
            let slope = Logistic.derivative(self.margin(features, x), *target) / size as f64;
            features.iter().for_each(|&(j, a)| out[j] += slope * a);
            out[self.features] += slope;
        }
        out.iter_mut()
            .zip(x)
            .for_each(|(g, x)| *g += self.decay * x);
    }
}

fn shuffle(items: &mut [usize], words: &mut Stream) {
    for end in (1..items.len()).rev() {
        items.swap(end, words.uniform().below(end + 1));
    }
}

/// Ends of the users' parts of `count` items, in proportions drawn from the Dirichlet law; every user
/// gets at least one if there are enough.
fn shares(words: &mut Stream, count: usize) -> Vec<usize> {
    // A gamma variate of whole shape is a sum of exponential ones.
    let gamma =
        |words: &mut Stream| -> f64 { (0..SHAPE).map(|_| -words.uniform().fraction().ln()).sum() };
    let weights: Vec<f64> = (0..USERS).map(|_| gamma(words)).collect();
    let total: f64 = weights.iter().sum();
    let spare = count.saturating_sub(USERS) as f64;
    let mut sum = 0.0;
    let end = |(user, weight): (usize, &f64)| {
        sum += weight / total;
        let ensured = (user + 1).min(count);
        (ensured + (spare * sum).round() as usize).min(count)
    };
    let mut ends: Vec<usize> = weights.iter().enumerate().map(end).collect();
    if let Some(last) = ends.last_mut() {
        *last = count;
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_record_belongs_to_exactly_one_user_and_every_user_has_some() {
        let (data, input) = a9a(true, &Shelf::empty(), 3).expect("a toy");
        assert!(input.stand_in.is_some());
        let losses = Batches::new(&data, 64, 0.0, 3);
        let mut all: Vec<usize> = losses.users.concat();
        all.sort_unstable();
        assert_eq!(all, (0..data.records()).collect::<Vec<_>>());
        assert!(losses.users.iter().all(|own| !own.is_empty()));
        // Shares differ: a Dirichlet(10) share has a relative deviation of about 0.3.
        let sizes: Vec<usize> = losses.users.iter().map(Vec::len).collect();
        assert!(sizes.iter().max() > sizes.iter().min());
    }

    #[test]
    fn the_gradient_of_a_batch_of_all_is_the_gradient_of_the_loss() {
        let (data, _) = a9a(true, &Shelf::empty(), 5).expect("a toy");
        let losses = Batches::new(&data, usize::MAX, 0.0, 5);
        let d = losses.dimension();
        let model: Vec<f64> = (0..d).map(|k| 0.1 * k as f64 - 0.3).collect();
        let mut mean = vec![0.0; d];
        for user in 0..losses.users() {
            let mut own = vec![0.0; d];
            losses.gradient(user, 7, &model, &mut own);
            let share = losses.users[user].len() as f64 / data.records() as f64;
            mean.iter_mut().zip(&own).for_each(|(m, g)| *m += share * g);
        }
        for k in 0..d {
            // Central differences of a loss with third derivative below 1: h² + 1e-16/h < 1e-9 at h = 1e-5.
            let h = 1e-5;
            let at = |step: f64| {
                let mut moved = model.clone();
                moved[k] += step;
                losses.loss(&moved)
            };
            assert!(((at(h) - at(-h)) / (2.0 * h) - mean[k]).abs() < 1e-9, "{k}");
        }
    }
}
