//! The words of a row of `value_stability`, read as what a function of `calls` takes.

use dp_assay::accounting::amplification::Known;
use dp_assay::accounting::calibrate::Target;
use dp_assay::accounting::decor::search::SlopeBudget;
use dp_assay::accounting::decor::{Noise, Slope, optimized};
use dp_assay::accounting::discrete;
use dp_assay::accounting::gaussian::Gaussian;
use dp_assay::accounting::laplace::Laplace;
use dp_assay::accounting::mixture::{Mixture, Pair};
use dp_assay::accounting::pld::Losses;
use dp_assay::accounting::pld::discrete_law::DiscreteLaw;
use dp_assay::accounting::pld::lattice::Side;
use dp_assay::accounting::pld::law::{GaussianLaw, LaplaceLaw, LossLaw};
use dp_assay::accounting::pld::mixture_law::MixtureLaw;
use dp_assay::accounting::pld::sampled::{Direction, FixedSize, Sampled};
use dp_assay::accounting::pure::Group;
use dp_assay::accounting::{Accountant, Event, response, views};
use dp_assay::graph::Graph;
use dp_assay::units::{Delta, Epsilon, Neighbouring, Rho, Scale, Sensitivity, StdDev};
use std::error::Error;
use std::sync::Arc;

/// The words of a row behind the function's name.
#[derive(Clone, Copy)]
pub struct Words<'a>(pub &'a [&'a str]);

impl Words<'_> {
    pub fn rest(&self, from: usize) -> Words<'_> {
        Words(&self.0[from..])
    }

    /// A number, `inf` and `NaN` among them.
    pub fn x(&self, at: usize) -> f64 {
        let word = self.0[at];
        word.parse().unwrap_or_else(|_| panic!("{word}: no number"))
    }

    pub fn n(&self, at: usize) -> u64 {
        let word = self.0[at];
        word.parse()
            .unwrap_or_else(|_| panic!("{word}: no whole number"))
    }

    pub fn list(&self, at: usize) -> Vec<f64> {
        let each = self.0[at].split(',');
        each.map(|word| word.parse().expect("a number")).collect()
    }

    pub fn rows(&self, at: usize) -> Vec<Vec<f64>> {
        serde_json::from_str(self.0[at]).expect("rows")
    }

    pub fn event(&self, at: usize) -> Result<Event, Box<dyn Error>> {
        Ok(Event::from_json(self.0[at])?)
    }

    pub fn to(&self, at: usize) -> Result<Neighbouring, Box<dyn Error>> {
        Ok(self.0[at].parse()?)
    }

    pub fn graph(&self, at: usize) -> Result<Graph, Box<dyn Error>> {
        Ok(self.0[at].parse()?)
    }

    pub fn epsilon(&self, at: usize) -> Result<Epsilon, Box<dyn Error>> {
        Ok(Epsilon::new(self.x(at))?)
    }

    pub fn delta(&self, at: usize) -> Result<Delta, Box<dyn Error>> {
        Ok(Delta::new(self.x(at))?)
    }

    pub fn rho(&self, at: usize) -> Result<Rho, Box<dyn Error>> {
        Ok(Rho::new(self.x(at))?)
    }

    /// Sensitivity and σ.
    pub fn gaussian(&self, at: usize) -> Result<Gaussian, Box<dyn Error>> {
        let sensitivity = Sensitivity::new(self.x(at))?;
        Ok(Gaussian::new(sensitivity, StdDev::new(self.x(at + 1))?))
    }

    pub fn laplace(&self, at: usize) -> Result<Laplace, Box<dyn Error>> {
        let sensitivity = Sensitivity::new(self.x(at))?;
        Ok(Laplace::new(sensitivity, Scale::new(self.x(at + 1))?))
    }

    pub fn group(&self, at: usize) -> Result<Group, Box<dyn Error>> {
        let (epsilon, count) = (self.epsilon(at)?, self.n(at + 1));
        Ok(Group { epsilon, count })
    }

    pub fn known(&self) -> Known {
        let (epsilon, delta) = (self.x(0), self.x(1));
        Known { epsilon, delta }
    }

    /// ε and δ for a record added or removed.
    pub fn target(&self, at: usize) -> Result<Target, Box<dyn Error>> {
        Ok(Target {
            epsilon: self.epsilon(at)?,
            delta: self.delta(at + 1)?,
            method: Accountant::Auto,
            neighbours: Neighbouring::AddRemove,
        })
    }

    /// ε, δ, steps, C, and the adversary.
    pub fn budget(&self) -> Result<SlopeBudget, Box<dyn Error>> {
        let (epsilon, delta) = (self.epsilon(0)?, self.delta(1)?);
        let adversary = self.0[4].parse()?;
        Ok(SlopeBudget::new(
            epsilon,
            delta,
            self.n(2),
            self.x(3),
            adversary,
        )?)
    }

    /// A graph, both noises, C, and the adversary.
    pub fn slope(&self) -> Result<Slope, Box<dyn Error>> {
        let noise = Noise::new(self.x(1), self.x(2), self.x(3))?;
        Ok(optimized::slope(
            &self.graph(0)?,
            &noise,
            self.0[4].parse()?,
        )?)
    }

    pub fn side(&self, at: usize) -> Side {
        match self.0[at] {
            "above" => Side::Above,
            _ => Side::Below,
        }
    }

    /// What stands there: `gaussian`, sensitivity, σ; or `removal`, `addition` or `replacement`, q, σ; or `group`, shifts,
    /// weights, the side, σ; and `reversed` before any.
    pub fn pair(&self) -> Result<Pair, Box<dyn Error>> {
        Ok(match self.0[0] {
            "gaussian" => Pair::gaussian(self.x(1), self.x(2)),
            "removal" => Pair::removal(self.x(1), self.x(2)),
            "addition" => Pair::addition(self.x(1), self.x(2)),
            "replacement" => Pair::replacement(self.x(1), self.x(2)),
            "reversed" => self.rest(1).pair()?.reversed(),
            _ => Pair {
                sigma: self.x(4),
                p: Mixture::of_group(&self.list(1), &self.list(2), self.side(3))?,
                q: Mixture::centred(),
            },
        })
    }

    /// A law by its name and parameters; `sampled-…` and `fixed` with their rate before that of what is sampled.
    pub fn law(&self) -> Result<Arc<dyn LossLaw>, Box<dyn Error>> {
        let sampled = |direction| -> Result<Arc<dyn LossLaw>, Box<dyn Error>> {
            let (rate, base) = (self.x(1), self.rest(2).law()?);
            Ok(Arc::new(Sampled {
                base,
                rate,
                direction,
            }))
        };
        let one_of = |laws: Vec<DiscreteLaw>, at: usize| Arc::new(laws[at].clone());
        Ok(match self.0[0] {
            "gaussian" => Arc::new(GaussianLaw { mu: self.x(1) }),
            "laplace" => Arc::new(LaplaceLaw { pure: self.x(1) }),
            "sampled-removal" => sampled(Direction::Removal)?,
            "sampled-addition" => sampled(Direction::Addition)?,
            "fixed" => Arc::new(FixedSize::new(self.rest(2).law()?, self.x(1))),
            "mixture" => Arc::new(MixtureLaw::new(self.rest(1).pair()?)?),
            "response" => Arc::new(DiscreteLaw::response(self.x(1))),
            "replaced" => Arc::new(DiscreteLaw::replaced(self.x(1), self.x(2))),
            "approximate" => Arc::new(DiscreteLaw::approximate(self.x(1), self.x(2))),
            "masses" => Arc::new(DiscreteLaw::from_masses(&self.list(1), &self.list(2))),
            "atoms" => Arc::new(atoms(self)),
            "geometric" => Arc::new(discrete::laplace(self.x(1), self.n(2))?),
            "discrete" => Arc::new(discrete::gaussian(self.x(1), self.n(2))?),
            name => {
                let to = self.to(4)?;
                let laws = response::sampled_laws(self.x(1), self.x(2), self.n(3), to)?;
                one_of(laws, usize::from(name == "answers-back"))
            }
        })
    }

    /// How often, and of which law.
    pub fn losses(&self, at: usize) -> Result<[Losses; 1], Box<dyn Error>> {
        Ok([vec![(self.rest(at + 1).law()?, self.n(at))]])
    }

    /// The Rényi curve of an event of one kind of step.
    pub fn curve(&self, at: usize) -> Result<impl FnMut(f64) -> f64 + use<>, Box<dyn Error>> {
        let to = self.to(at + 1)?;
        let steps = self.event(at)?.steps(to)?;
        Ok(views::curve(&steps[0][0], to)?.ok_or("no curve")?)
    }
}

/// Losses and their masses, what is infinite, the error, and the grid; then what leaks and the error of the losses.
fn atoms(words: &Words<'_>) -> DiscreteLaw {
    let atoms = words.list(1).into_iter().zip(words.list(2)).collect();
    let grid = Some(words.x(5)).filter(|grid| *grid > 0.0);
    let law = DiscreteLaw::new(atoms, words.x(3), words.x(4), grid);
    law.with_leak(words.x(6)).with_loss_error(words.x(7))
}
