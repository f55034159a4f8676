//! Runs that choose what comes next, and when to stop, by what was seen: the worst of them, by trying every choice after every
//! answer.

/// The outcomes of a mechanism: their probabilities on either neighbour.
pub type Outcomes = Vec<(f64, f64)>;

/// Randomised response of these odds.
pub fn response(odds: f64) -> Outcomes {
    let most = odds / (1.0 + odds);
    vec![(most, 1.0 - most), (1.0 - most, most)]
}

/// What may be run, and what a run is held to.
pub struct Rule<'a, S> {
    pub mechanisms: &'a [Outcomes],
    /// The state after a mechanism, if that is admitted.
    pub next: &'a dyn Fn(&S, usize) -> Option<S>,
    /// The a of Σ (p − a·q)₊ for who stops.
    pub level: &'a dyn Fn(&S) -> f64,
}

impl<S> Rule<'_, S> {
    /// The largest Σ (p − a·q)₊ over all runs from a state, after what has these probabilities, of at most so many steps.
    pub fn worst(&self, state: &S, (p, q): (f64, f64), steps: u32) -> f64 {
        let stop = (p - (self.level)(state) * q).max(0.0);
        if steps == 0 {
            return stop;
        }
        let each = self.mechanisms.iter().enumerate();
        let run = each.filter_map(|(i, outcomes)| {
            let after = (self.next)(state, i)?;
            let outcomes = outcomes.iter();
            let lost = outcomes.map(|(r, s)| self.worst(&after, (p * r, q * s), steps - 1));
            Some(lost.sum::<f64>())
        });
        run.fold(stop, f64::max)
    }
}
