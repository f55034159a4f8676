//! Public functions that no audit of a listed mechanism asks for, by name: `value_stability` calls each of [`CALLS`] with the
//! words of a row.

use dp_assay::audit::budget::Suite;
use dp_assay::audit::eprocess::{Leg, Portfolio};
use dp_assay::audit::event::Event;
use dp_assay::audit::features::Rows;
use dp_assay::audit::interval::{epsilon_lower, rate_lower, rate_upper};
use dp_assay::audit::likelihood::{LikelihoodRatio, LossSample};
use dp_assay::audit::one_run::{self, Guesses};
use dp_assay::audit::reach::{grid, holes, word_for};
use dp_assay::audit::{DrawError, Guarantee, simpler};
use dp_assay::mechanism::tape::{Purpose, Tape, Uniform};
use dp_assay::units::Epsilon;
use serde_json::{Value, json};
use std::error::Error;

/// What comes out, or why nothing does.
pub type Found = Result<Value, Box<dyn Error>>;

type Call = fn(&[f64]) -> Found;

/// Calls the function that the first word names with the numbers behind it.
pub fn call(asked: &str) -> Value {
    let mut words = asked.split(' ');
    let name = words.next().unwrap_or_default();
    let found = CALLS.iter().find(|(known, _)| *known == name);
    let (_, call) = found.unwrap_or_else(|| panic!("{asked}: no such function"));
    let numbers: Vec<f64> = words.map(|word| word.parse().expect("a number")).collect();
    call(&numbers).unwrap_or_else(|why| json!({ "refused": why.to_string() }))
}

/// Laplace noise of a scale on 0 and on 1.
struct Laplace(f64);

impl LikelihoodRatio for Laplace {
    fn name(&self) -> String {
        "Laplace".into()
    }

    fn draw(&self, on_first: bool, tape: Tape) -> Result<f64, DrawError> {
        let noise = self.0 * tape.uniform(0, Purpose::Release, 0).laplace();
        let y = f64::from(!on_first) + noise;
        Ok(((y - 1.0).abs() - y.abs()) / self.0)
    }
}

fn guesses(x: &[f64]) -> Result<Guesses, Box<dyn Error>> {
    Ok(Guesses::new(x[0] as u64, x[1] as u64, x[2] as u64)?)
}

const CALLS: &[(&str, Call)] = &[
    ("rate-lower", |x| {
        Ok(json!(rate_lower(x[0] as u64, x[1] as u64, x[2])))
    }),
    ("rate-upper", |x| {
        Ok(json!(rate_upper(x[0] as u64, x[1] as u64, x[2])))
    }),
    ("epsilon-lower", |x| {
        let found = epsilon_lower(x[0] as u64, x[1] as u64, x[2] as u64, x[3], x[4]);
        Ok(json!(found))
    }),
    ("one-run-p", |x| {
        let claim = Guarantee::new(x[3], x[4])?;
        Ok(json!(one_run::p_value(guesses(x)?, claim)))
    }),
    ("one-run-epsilon", |x| {
        Ok(json!(one_run::epsilon_lower(guesses(x)?, x[3], x[4])?))
    }),
    // The least α at which ε-DP's trade-off is refuted, of powers of two.
    ("one-run-trade-off", |x| {
        let (guesses, lie) = (guesses(x)?, (-x[3]).exp());
        let inverse = |p: f64| (p * lie).max(1.0 - (1.0 - p) / lie).clamp(0.0, 1.0);
        let refuted = |k: &i32| one_run::refutes_trade_off(guesses, 2f64.powi(-k), inverse);
        Ok(json!((1..60).filter(refuted).count()))
    }),
    ("profile", |x| {
        let losses = LossSample::draw(&Laplace(x[0]), x[1] as u64, 7)?;
        let found = losses.delta(Epsilon::new(x[2])?, x[3]);
        Ok(json!([found.delta_lower, found.delta_upper]))
    }),
    ("profile-epsilon", |x| {
        let losses = LossSample::draw(&Laplace(x[0]), x[1] as u64, 7)?;
        let (lower, upper) = losses.epsilon(x[2], x[3], x[4] as u32, x[5])?;
        Ok(json!([lower, upper]))
    }),
    ("grid", |x| Ok(json!(grid(x[0])))),
    ("word", |x| {
        let noised = |word: Uniform| x[0] + x[1] * word.laplace();
        Ok(json!(word_for(x[2], noised).map(noised)))
    }),
    ("holes", |x| {
        let noised = |value: f64| move |word: Uniform| value + word.laplace();
        let words = (0..60).map(|i| Tape::new(3).uniform(0, Purpose::Release, i));
        let found = holes(words, noised(x[0]), noised(x[1]));
        Ok(json!([found.outputs, found.unreachable, found.example]))
    }),
    ("simpler", |x| {
        let (first, second) = x.split_at(x.len() / 2);
        Ok(json!(simpler(first, second)))
    }),
    ("suite", |x| {
        let suite = Suite::new(x[0], x[1] as u64)?;
        let alphas = [suite.allot("a", x[2])?, suite.allot("b", x[3])?];
        Ok(json!([
            suite.to_string(),
            alphas,
            suite.seed("a"),
            suite.seed("é")
        ]))
    }),
    ("leg", |x| {
        let event = Event::Above {
            column: 0,
            threshold: x[2],
        };
        let leg = Leg::new(Guarantee::new(x[0], x[1])?, &event, x[3] > 0.0);
        let (mut portfolio, none) = (Portfolio::default(), Rows::default());
        portfolio.reinvest(vec![leg.clone()], vec![vec![0]], [none.all(), none.all()]);
        Ok(json!([
            leg.ratio,
            leg.delta,
            portfolio.log_wealth(),
            portfolio.log_peak()
        ]))
    }),
];
