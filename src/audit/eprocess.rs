//! The verdict: betting against a privacy claim.
//!
//! **Setting.** Pairs (X_t, Y_t), t = 1, 2, …, independent of each other and of the past, with
//! X_t ~ M(D) and Y_t ~ M(D′). Write F_t for what is known after t pairs. Before pair t a [`Leg`]
//! is chosen from F_{t−1}: an event S, a direction, and a point (ε, δ) that the claim implies. It
//! pays
//!
//! ```text
//! Z_t = 1{X_t ∈ S} − e^ε 1{Y_t ∈ S} − δ        (with X and Y exchanged in the other direction).
//! ```
//!
//! **Statement.** Under the claim P\[sup_t W_t ≥ 1/α\] ≤ α for the wealth W_t below. So an audit may look after every
//! pair, learn its events on the way, bet on both directions at once, stop when it likes, and still accuse a true claim
//! with probability at most α.
//!
//! **Proof.**
//! 1. If the claim is true, E\[Z_t | F_{t−1}\] = P\[M(D) ∈ S\] − e^ε P\[M(D′) ∈ S\] − δ ≤ 0: this is the definition of
//!    (ε, δ)-privacy, and S may depend on the past because the pair t does not.
//! 2. The average of several legs has the same property; call such an average a [`Slot`].
//! 3. Z_t ≥ −(e^ε + δ) =: −c. For a stake 0 ≤ λ < 1/c chosen from F_{t−1}, 1 + λ Z_t > 0 and
//!    E\[1 + λ Z_t | F_{t−1}\] ≤ 1.
//! 4. Hence the wealth W_t = ∏_{s≤t} (1 + λ_s Z_s) is a non-negative supermartingale that starts at 1.
//! 5. So is a portfolio: capital divided among slots and stakes, and divided anew at times and in proportions chosen from
//!    the past, because E\[W_t | F_{t−1}\] ≤ Σ_i (capital of i) = W_{t−1} whatever the division.
//! 6. Ville's inequality. ∎
//!
//! ```
//! use dp_assay::audit::Guarantee;
//! use dp_assay::audit::eprocess::{Leg, Portfolio, Slot};
//! use dp_assay::audit::event::Event;
//! use dp_assay::audit::features::Rows;
//!
//! let event = Event::Above { column: 0, threshold: 0.5 };
//! let leg = Leg::new(Guarantee::new(1.0, 0.0)?, &event, true);
//! assert!((2.718..2.719).contains(&leg.ratio)); // e, rounded up
//! let _slot = Slot::alone(&leg);
//!
//! // Dividing the wealth anew and betting on no pairs changes nothing.
//! let (mut portfolio, none) = (Portfolio::default(), Rows::default());
//! portfolio.reinvest(vec![leg], vec![vec![0]], [none.all(), none.all()]);
//! portfolio.bet(&none, &none);
//! assert!(portfolio.log_wealth().abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::audit::Guarantee;
use crate::audit::event::Event;
use crate::audit::features::{Part, Rows};
use rayon::prelude::*;

/// Stakes as fractions of the largest one, 1/c. The growth rate of a bet is concave in the stake
/// and falls to three quarters of its best at half and at one and a half of the best stake, so a
/// grid by halves down to 1/256 loses little wherever the drift is above c/256.
const STAKES: [f64; 9] = [0.9, 0.6, 0.35, 0.2, 0.1, 0.05, 0.025, 0.0125, 0.005];

/// One bet: that `event` happens on one side more often than (ε, δ) allows.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg {
    /// The event.
    pub event: Event,
    /// Whether it is too frequent on the first input (else on the second).
    pub forward: bool,
    /// e^ε of the point tested, rounded up.
    pub ratio: f64,
    /// δ of the point tested.
    pub delta: f64,
}

impl Leg {
    /// The bet that `event` refutes the claim itself.
    #[must_use]
    pub fn new(claim: Guarantee, event: &Event, forward: bool) -> Self {
        Self {
            event: event.clone(),
            forward,
            // Rounded up: exp is right to one unit in the last place.
            ratio: claim.epsilon.get().exp().next_up().next_up(),
            delta: claim.delta.get(),
        }
    }

    /// Z for one pair, by whether the event happened on the first and on the second input.
    fn payoff(&self, first: bool, second: bool) -> f64 {
        let (gain, loss) = if self.forward {
            (first, second)
        } else {
            (second, first)
        };
        f64::from(gain) - self.ratio * f64::from(loss) - self.delta
    }

    /// The smallest value that Z can take is −worst.
    fn worst(&self) -> f64 {
        self.ratio + self.delta
    }
}

/// One or two legs that share a stake, with the capital on each stake.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Places of the legs in the portfolio.
    legs: Vec<usize>,
    /// ln(1 + λ Z), by stake and by what happened: bit 2i of the index says that leg i's event
    /// happened on the first input, bit 2i + 1 that it did on the second.
    log_growth: Vec<[f64; 16]>,
    /// ln capital on each stake.
    log_capital: Vec<f64>,
}

impl Slot {
    /// A slot of one leg, without capital.
    #[must_use]
    pub fn alone(leg: &Leg) -> Self {
        Self::team(vec![0], std::slice::from_ref(leg))
    }

    /// The slot of the legs at one or two places.
    fn team(places: Vec<usize>, legs: &[Leg]) -> Self {
        let team: Vec<&Leg> = places.iter().map(|place| &legs[*place]).collect();
        assert!((1..=2).contains(&team.len()));
        let worst = team.iter().map(|leg| leg.worst()).fold(0.0, f64::max);
        let growth = |fraction: &f64| {
            std::array::from_fn(|code| (fraction / worst * mean_payoff(&team, code)).ln_1p())
        };
        Self {
            legs: places,
            log_growth: STAKES.iter().map(growth).collect(),
            log_capital: vec![f64::NEG_INFINITY; STAKES.len()],
        }
    }

    /// Counts what happened, from what happened to each leg.
    fn tally(&self, outcomes: &[Vec<u8>]) -> [u64; 16] {
        let mut counts = [0; 16];
        match self.legs[..] {
            [a, b] => {
                for (x, y) in outcomes[a].iter().zip(&outcomes[b]) {
                    counts[usize::from(x | y << 2)] += 1;
                }
            }
            _ => {
                for x in &outcomes[self.legs[0]] {
                    counts[usize::from(*x)] += 1;
                }
            }
        }
        counts
    }

    /// Mean and variance of one pair's log-return, for each stake of a slot of one leg whose event
    /// has these probabilities on the first and the second input.
    pub(crate) fn log_moments(&self, first: f64, second: f64) -> impl Iterator<Item = (f64, f64)> {
        let chance = move |code: usize| {
            let of = |happened: usize, p: f64| if happened == 1 { p } else { 1.0 - p };
            of(code & 1, first) * of(code >> 1, second)
        };
        self.log_growth.iter().map(move |growth| {
            let mean: f64 = (0..4).map(|code| chance(code) * growth[code]).sum();
            let square: f64 = (0..4).map(|code| chance(code) * growth[code].powi(2)).sum();
            (mean, square - mean * mean)
        })
    }

    /// What each stake would have made, in logarithm, of pairs that fell out like this.
    pub(crate) fn log_returns(&self, counts: &[u64; 16]) -> impl Iterator<Item = f64> {
        self.log_growth.iter().map(move |growth| {
            let pairs = growth.iter().zip(counts);
            pairs
                .filter(|(_, n)| **n > 0)
                .map(|(g, n)| g * *n as f64)
                .sum()
        })
    }
}

/// The average payoff of the legs when `code` happened.
fn mean_payoff(legs: &[&Leg], code: usize) -> f64 {
    let payoff = |(i, leg): (usize, &&Leg)| {
        leg.payoff(code >> (2 * i) & 1 == 1, code >> (2 * i + 1) & 1 == 1)
    };
    legs.iter().enumerate().map(payoff).sum::<f64>() / legs.len() as f64
}

/// All capital, divided among slots and stakes.
#[derive(Clone, Debug, Default)]
pub struct Portfolio {
    legs: Vec<Leg>,
    slots: Vec<Slot>,
    /// ln of the largest wealth at which anyone looked; at first 0, all in cash.
    log_peak: f64,
}

impl Portfolio {
    /// ln W_t.
    #[must_use]
    pub fn log_wealth(&self) -> f64 {
        if self.slots.is_empty() {
            return 0.0;
        }
        let capital = |slot: &'_ Slot| slot.log_capital.clone();
        log_sum(self.slots.iter().flat_map(capital))
    }

    /// ln of the largest wealth at which anyone looked.
    #[must_use]
    pub const fn log_peak(&self) -> f64 {
        self.log_peak
    }

    /// Divides all wealth among new slots, each of the legs at one or two places: half of it in
    /// proportion to what each slot and stake would have made of some past pairs, half equally.
    ///
    /// # Panics
    /// If a team names no leg, more than two, or one that there is not.
    pub fn reinvest(&mut self, legs: Vec<Leg>, teams: Vec<Vec<usize>>, past: [Part<'_>; 2]) {
        if teams.is_empty() {
            return;
        }
        let log_wealth = self.log_wealth();
        let outcomes = outcomes(&legs, past[0], past[1]);
        let team = |places| Slot::team(places, &legs);
        self.slots = teams.into_iter().map(team).collect();
        self.legs = legs;
        let made = |slot: &Slot| slot.log_returns(&slot.tally(&outcomes)).collect::<Vec<_>>();
        let merits: Vec<f64> = self.slots.iter().flat_map(made).collect();
        let log_total = log_sum(merits.iter().copied());
        let equal = 0.5 / merits.len() as f64;
        let capitals = self.slots.iter_mut().flat_map(|s| &mut s.log_capital);
        for (capital, merit) in capitals.zip(merits) {
            let share = 0.5 * (merit - log_total).exp() + equal;
            // The shares sum to one up to rounding; the allowance keeps the sum below.
            *capital = log_wealth + share.ln() - 1e-12;
        }
    }

    /// Bets on these pairs.
    pub fn bet(&mut self, first: &Rows, second: &Rows) {
        let outcomes = outcomes(&self.legs, first.all(), second.all());
        for slot in &mut self.slots {
            let counts = slot.tally(&outcomes);
            let returns: Vec<f64> = slot.log_returns(&counts).collect();
            for (capital, gain) in slot.log_capital.iter_mut().zip(returns) {
                *capital += gain;
            }
        }
        self.log_peak = self.log_peak.max(self.log_wealth());
    }
}

/// What happened to each leg in each pair: bit 0 says that its event happened on the first input,
/// bit 1 that it did on the second.
fn outcomes(legs: &[Leg], first: Part<'_>, second: Part<'_>) -> Vec<Vec<u8>> {
    let codes = |leg: &Leg| {
        let mut codes = vec![0; first.len()];
        leg.event.mark(first, 0, &mut codes);
        leg.event.mark(second, 1, &mut codes);
        codes
    };
    legs.par_iter().map(codes).collect()
}

/// ln Σ e^x.
pub(crate) fn log_sum(terms: impl Iterator<Item = f64> + Clone) -> f64 {
    let largest = terms.clone().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return largest;
    }
    largest + terms.map(|x| (x - largest).exp()).sum::<f64>().ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;

    #[test]
    fn dividing_the_wealth_anew_makes_none_whatever_was_won_or_lost() {
        let claim = Guarantee::new(1.0, 0.1).expect("in the domain");
        let above = |threshold: f64| Event::Above {
            column: 0,
            threshold,
        };
        let legs = || {
            [0.5, 1.5]
                .map(|x| Leg::new(claim, &above(x), true))
                .to_vec()
        };
        let teams = || vec![vec![0, 1], vec![0], vec![1]];
        let (high, low) = (
            Rows::of_reals(&[1.0, 2.0, 2.0, 1.0, 2.0]),
            Rows::of_reals(&[0.0, 1.0, 0.0, 0.0, 2.0]),
        );
        let mut portfolio = Portfolio::default();
        portfolio.reinvest(legs(), teams(), [low.all(), high.all()]);
        for [first, second] in [[&high, &low], [&low, &high], [&low, &high], [&high, &low]] {
            portfolio.bet(first, second);
            let wealth = portfolio.log_wealth();
            assert!(wealth.abs() > 0.05 && portfolio.log_peak() >= wealth);
            // On a past that speaks for one slot, and on one that speaks against all.
            for past in [[&high, &low], [&low, &high]] {
                portfolio.reinvest(legs(), teams(), past.map(Rows::all));
                let divided = portfolio.log_wealth();
                assert!(
                    divided <= wealth && divided > wealth - 1e-10,
                    "{wealth} became {divided}"
                );
            }
        }
        assert!(
            portfolio.log_peak() > portfolio.log_wealth(),
            "something was lost again"
        );
    }

    /// Of two legs every pair of outcomes has its own count.
    #[test]
    fn outcomes_of_teams_are_counted_by_what_happened_to_both() {
        let claim = Guarantee::new(1.0, 0.1).expect("in the domain");
        let event = Event::Above {
            column: 0,
            threshold: 0.5,
        };
        let legs = vec![Leg::new(claim, &event, true); 2];
        let codes: Vec<u8> = (0..16).collect();
        let outcomes = [
            codes.iter().map(|code| code & 3).collect(),
            codes.iter().map(|code| code >> 2).collect(),
        ];
        assert_eq!(Slot::team(vec![0, 1], &legs).tally(&outcomes), [1; 16]);
        let alone = Slot::alone(&legs[0]).tally(&outcomes);
        assert_eq!(alone[..4], [4; 4]);
        assert_eq!(alone[4..], [0; 12]);
    }

    /// Growth, shares and wealth of teams and legs in both directions, on few pairs and on many, to the last bit.
    #[test]
    fn growth_shares_and_wealth_are_what_they_were() {
        let claim = Guarantee::new(1.0, 0.1).expect("in the domain");
        let leg = |threshold, forward| {
            Leg::new(
                claim,
                &Event::Above {
                    column: 0,
                    threshold,
                },
                forward,
            )
        };
        let legs = vec![leg(0.5, true), leg(1.5, false)];
        let (high, low) = (
            Rows::of_reals(&[1.0, 2.0, 2.0, 1.0, 2.0, 0.0]),
            Rows::of_reals(&[0.0, 1.0, 0.0, 0.0, 2.0, 2.0]),
        );
        let mut portfolio = Portfolio::default();
        portfolio.reinvest(
            legs,
            vec![vec![0, 1], vec![1], vec![0]],
            [high.all(), low.all()],
        );
        let mut found = vec![portfolio.log_wealth(), portfolio.log_peak()];
        found.extend(
            portfolio
                .slots
                .iter()
                .flat_map(|slot| [slot.log_capital[0], slot.log_capital[6]]),
        );
        for at in [0, 7] {
            found.extend(portfolio.slots[0].log_growth[at]);
        }
        portfolio.bet(&low, &high);
        portfolio.bet(&high, &high);
        found.extend([portfolio.log_wealth(), portfolio.log_peak()]);
        for (mean, variance) in portfolio.slots[2].log_moments(0.7, 0.2).step_by(4) {
            found.extend([mean, variance]);
        }
        found.push(log_sum([-700.0, -701.0, -900.0].into_iter()));
        steady::holds(
            &found,
            "-1.000088900582341e-12 0.0 -3.893749233097225 -3.100940196529946
                -3.9814273100923065 -3.1089654257856614 -3.934253359177116 -3.0932324347952256
                -0.03245537437724707 0.1202133266836038 -0.6272979724355838 -0.36570908964969306
                -0.6272979724355838 -0.36570908964969306 -2.302585092994046 -1.3483369340354974
                0.1202133266836038 0.2526317921546777 -0.36570908964969306 -0.1585546439054854
                -0.36570908964969306 -0.1585546439054854 -1.3483369340354974 -0.8690648715394014
                -0.00044363103692244177 0.0017725586781318502 -0.006492798998098775
                -0.004263177528914896 -0.006492798998098775 -0.004263177528914896
                -0.01257878220686012 -0.010335565177901324 0.0017725586781318502
                0.003983847755075455 -0.004263177528914896 -0.0020385162144097623
                -0.004263177528914896 -0.0020385162144097623 -0.010335565177901324
                -0.00809736891102321 -0.49501208350362935 0.0 -0.1261396738390788
                0.4439345793109177 0.0010919198161405581 0.001843970028351393
                9.776156856472614e-5 4.392566453333175e-6 -699.6867383124818",
        );
    }
}
