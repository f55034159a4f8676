//! What each accountant answers.

use super::steps::{Counted, directions, is_exactly_described, is_pure, is_several, profile_of};
use super::{ATTACK, Accountant, LATTICE_ACCURACY, NARROW, Report, TOLD};
use crate::accounting::basis::{self, View};
use crate::accounting::batches::Near;
use crate::accounting::event::{Sampling, Step};
use crate::accounting::float::Enclosure;
use crate::accounting::gaussian::Gaussian;
use crate::accounting::inversion::Composition;
use crate::accounting::mixture::Pair;
use crate::accounting::pld::lattice::Side;
use crate::accounting::pld::{self, Losses};
use crate::accounting::pure::{Group, compose_basic, compose_optimal};
use crate::accounting::samples::{self, Laws};
use crate::accounting::views::{self, steps_curve};
use crate::accounting::{AccountError, allocation, batches, matrix, rdp, root};
use crate::units::{Delta, Neighbouring};

/// What the upper end of a lattice rests on.
const LATTICE: &str = "Zhu, Dong and Wang 2022; Doroshenko et al. 2022, Theorem 3.1";
/// Who gives the lower end of lattices.
const BELOW: &str = "the lattice from below";

/// Ends so many times [`NARROW`] apart, where the lower one is an attack's, are no matter for a second lattice.
const FAR: f64 = 100.0;
/// How much less a second lattice may add to ε, at most: from above, and from below where the ends of the first are too far apart.
const FINEST: (f64, f64) = (4096.0, 65_536.0);
/// Points of a second lattice, likewise.
const POINTS: (f64, f64) = (1_048_576.0, 4_194_304.0);

/// One list of steps and what is asked of it.
pub(super) struct Question {
    pub(super) steps: Vec<Step>,
    pub(super) delta: Delta,
    pub(super) neighbours: Neighbouring,
    pub(super) ends: Ends,
}

/// Which ends are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    /// The upper one, and a lower one where it costs nothing like it.
    Upper,
    /// The upper one, and a lower one where no second lattice is needed for it.
    Free,
    /// Both.
    Both,
}

impl Question {
    pub(super) fn answer(&self, method: Accountant) -> Result<Report, AccountError> {
        match method {
            Accountant::Exact => self.exact(),
            Accountant::Pld => self.pld(),
            Accountant::Rdp => self.rdp(),
            Accountant::Auto => self.auto(),
        }
    }

    /// The exact accountant where it is tight; else, or where its own error is seen, the least of all
    /// bounds.
    fn auto(&self) -> Result<Report, AccountError> {
        let exact = self.exact();
        let tight = exact.is_ok() && self.exact_is_tight();
        let found = match exact {
            Ok(report) if tight && (report.is_narrow() || self.is_one_allocation()) => {
                return Ok(report);
            }
            exact => vec![exact, self.pld(), self.rdp()],
        };
        let mut best: Option<Report> = None;
        let (mut refusal, mut below, mut above) = (None, "", "");
        for found in found {
            match (found, best.as_mut()) {
                (Ok(report), Some(b)) => {
                    let mut lower = b.epsilon_lower;
                    if report.epsilon_lower > lower {
                        (lower, below) = (report.epsilon_lower, self.below(report.method));
                    }
                    let both = report.claims.clone().with(&b.claims);
                    if report.epsilon_upper < b.epsilon_upper {
                        above = report.above();
                        *b = report;
                    }
                    AccountError::in_order((lower, below), (b.epsilon_upper, above))?;
                    (b.epsilon_lower, b.by_attack) = (lower, lower > 0.0 && below == ATTACK);
                    // The upper end may be one's, the lower end the other's.
                    if b.epsilon_lower > 0.0 {
                        b.claims = both;
                    }
                }
                (Ok(report), None) => {
                    (below, above) = (self.below(report.method), report.above());
                    best = Some(report);
                }
                (Err(e @ AccountError::Contradiction { .. }), _) => return Err(e),
                // "Unsupported" is the least informative of several refusals; that no ε is finite says all.
                (Err(AccountError::Unsupported { .. }), _) => {}
                (Err(e), _) => {
                    let decided = matches!(refusal, Some(AccountError::NoFiniteEpsilon { .. }));
                    refusal = if decided { refusal } else { Some(e) };
                }
            }
        }
        match (best, refusal) {
            (Some(best), _) => self.and_signs(best),
            (None, Some(refusal)) => self.told_alone().unwrap_or(Err(refusal)),
            (None, None) => Err(self.unsupported("known")),
        }
    }

    /// Whether all is one random allocation to one step: its law has points, of which a lattice makes no better ones.
    fn is_one_allocation(&self) -> bool {
        let allocated = |s: &Step| matches!(s.sampling, Sampling::RandomAllocation { .. });
        let once = |s: &Step| s.count == 1 && allocated(s) && !is_several(s.sampling);
        self.steps.len() == 1 && self.steps.iter().all(once)
    }

    /// Whether the exact accountant, where it answers, leaves nothing to gain: not when it only knows
    /// that mechanisms with more structure are pure.
    fn exact_is_tight(&self) -> bool {
        let gaussian = |s: &Step| self.pairs(s, Side::Above).is_ok_and(|p| p.is_some());
        let single = self.steps.len() == 1 && self.steps[0].count == 1;
        self.steps.iter().all(is_pure) || self.steps.iter().all(gaussian) || single
    }

    /// `made`: the claims on what is made of the steps, each seen in one way.
    fn report(
        &self,
        method: Accountant,
        epsilon: Enclosure,
        theorem: &str,
        (view, made): (View, &[&str]),
    ) -> Result<Report, AccountError> {
        // What lattices say from below is of neighbours that there are.
        let proven = method == Accountant::Pld || self.is_exactly_described();
        let claims = basis::claims(&self.steps, self.neighbours, view, made)?;
        let told = self.told()?;
        let lower = if proven { epsilon.lo.max(0.0) } else { 0.0 };
        AccountError::in_order((lower, self.below(method)), (told, TOLD.0))?;
        Ok(Report {
            epsilon_lower: lower,
            by_attack: lower > 0.0 && self.below(method) == ATTACK,
            epsilon_upper: epsilon.hi.min(told),
            delta: self.delta.get(),
            method,
            neighbours: self.neighbours,
            theorem: theorem.to_string(),
            claims: match told < epsilon.hi {
                true => claims.and(TOLD.1),
                false => claims,
            },
        })
    }

    /// What records that are drawn lose at most: what they would if their batches were told, and had them.
    fn told(&self) -> Result<f64, AccountError> {
        if self.steps.iter().all(|s| s.sampling == Sampling::None) {
            return Ok(f64::INFINITY);
        }
        let mut parts = Vec::new();
        for step in &self.steps {
            let counted = |noise| (noise, step.count);
            let told = match step.sampling {
                Sampling::None => views::gaussian(step)?.map(counted),
                Sampling::RandomAllocation { .. } => allocation::told(step, self.neighbours)?,
                Sampling::Poisson(_)
                | Sampling::FixedSize(_)
                | Sampling::WithReplacement { .. }
                | Sampling::TruncatedPoisson { .. }
                | Sampling::Within(_) => batches::told(step, self.neighbours)?.map(counted),
            };
            let Some(told) = told else {
                return Ok(f64::INFINITY);
            };
            parts.push(told);
        }
        let known = Gaussian::composed(&parts).epsilon(self.delta);
        Ok(known.map_or(f64::INFINITY, |epsilon| epsilon.hi))
    }

    /// That bound alone, where no accountant has a better one.
    fn told_alone(&self) -> Option<Result<Report, AccountError>> {
        self.told().ok().filter(|most| most.is_finite())?;
        let theorem = "as if batches were told, by joint convexity; Balle and Wang 2018, Theorem 8";
        let made = (View::Law, &["gcd-aux-dominated"][..]);
        let unknown = Enclosure::new(0.0, f64::INFINITY);
        Some(self.report(Accountant::Exact, unknown, theorem, made))
    }

    pub(super) fn is_exactly_described(&self) -> bool {
        let exactly = |step: &Step| is_exactly_described(step, self.neighbours);
        self.steps.iter().all(exactly)
    }

    /// Whether what parts the ends is rounding: of steps that are not described exactly, an attack is the worst case.
    fn have_meeting_ends(&self) -> bool {
        let pairs = || self.all(|s| self.pairs(s, Side::Below));
        self.is_exactly_described() || pairs().is_ok_and(|pairs| pairs.is_some())
    }

    /// Who gives a lower end that an accountant reports: of steps that are not described exactly, neighbours that there are.
    pub(super) fn below(&self, method: Accountant) -> &'static str {
        match method {
            _ if !self.is_exactly_described() => ATTACK,
            Accountant::Pld => BELOW,
            method => method.name(),
        }
    }

    fn unsupported(&self, notion: &'static str) -> AccountError {
        views::unsupported(&self.steps, notion, self.neighbours)
    }

    /// One view of every step, or `None` if a step lacks it.
    pub(super) fn all<T>(
        &self,
        view: impl Fn(&Step) -> Result<Option<T>, AccountError>,
    ) -> Result<Option<Vec<(T, u64)>>, AccountError> {
        views::all(&self.steps, view)
    }

    fn exact(&self) -> Result<Report, AccountError> {
        if self.steps.is_empty() {
            return self.report(
                Accountant::Exact,
                Enclosure::point(0.0),
                "nothing was run, or on nobody's record",
                (View::Law, &[]),
            );
        }
        if let Some(parts) = self.all(views::gaussian)? {
            let epsilon = Gaussian::composed(&parts).epsilon(self.delta)?;
            let theorem = "Balle and Wang 2018, Theorem 8; Dong, Roth and Su 2022, Corollary 3.3";
            // The product of such pairs is one: noise on the vector of all answers (acc-gaussian).
            let several = parts.len() > 1 || parts.iter().any(|(_, count)| *count > 1);
            let made: &[&str] = match several {
                true => &["gcd-aux-dominated"],
                false => &[],
            };
            let mut report = self.report(Accountant::Exact, epsilon, theorem, (View::Law, made))?;
            if !self.is_exactly_described()
                && let Some(least) = self.all(samples::gaussian_below)?
            {
                let least = Gaussian::composed(&least).epsilon(self.delta)?;
                report = report.and_lower((least.lo.max(0.0), ATTACK))?;
            }
            return Ok(report);
        }
        if let [step] = self.steps.as_slice()
            && step.count == 1
            && !is_several(step.sampling)
            && let Some([(laws, 1)]) = self.dominating(step)?.as_deref()
        {
            return self.single(laws);
        }
        if self.is_covered_by_delta() {
            let theorem = "total variation distances add up: epsilon = 0";
            return self.report(
                Accountant::Exact,
                Enclosure::point(0.0),
                theorem,
                (View::Law, &["acc-basic"]),
            );
        }
        if let Some(parts) = self.all(|s| self.pairs(s, Side::Above))? {
            return self.inversion(&parts);
        }
        if let Some(groups) = self.all(|s| views::group(s, self.neighbours))? {
            return self.optimal(groups.into_iter().map(|(group, _)| group).collect());
        }
        Err(self.unsupported("exact"))
    }

    /// Whether δ is so large that nothing is left to ε: the profiles at ε = 0 add up to no more.
    fn is_covered_by_delta(&self) -> bool {
        let Ok(Some(laws)) = self.all(|s| views::laws(s, self.neighbours)) else {
            return false;
        };
        let distance = |laws: &Laws| {
            let each = laws
                .iter()
                .map(|law| pld::law::profile(law.as_ref(), 0.0).hi);
            each.fold(0.0, f64::max)
        };
        let total: f64 = laws
            .iter()
            .map(|(laws, count)| *count as f64 * distance(laws))
            .sum();
        total * (1.0 + 1e-12) <= self.delta.get()
    }

    /// One mechanism: its profile, inverted.
    fn single(&self, laws: &Laws) -> Result<Report, AccountError> {
        let d = self.delta.get();
        let profile = |epsilon: f64| profile_of(laws, epsilon);
        let floor = laws.iter().fold(0.0f64, |m, law| m.max(law.leak()));
        let limit = laws.iter().fold(0.0f64, |m, law| m.max(law.support().1));
        let mut high = if limit.is_finite() {
            limit * (1.0 + 1e-14) + 1e-300
        } else {
            1.0
        };
        while !limit.is_finite() && profile(high).hi > d && high < 1e300 {
            high *= 2.0;
        }
        if floor > d || (d == 0.0 && !limit.is_finite()) || high >= 1e300 {
            return Err(AccountError::NoFiniteEpsilon { delta: d, floor });
        }
        let epsilon = root::decreasing(high, d, 1e-15, profile);
        let theorem = "privacy profile of the dominating pair (Balle, Barthe and Gaboardi 2018; Zhu, \
                       Dong and Wang 2022)";
        let mut report = self.report(Accountant::Exact, epsilon, theorem, (View::Law, &[]))?;
        if !self.is_exactly_described() && (self.ends != Ends::Upper || !self.is_one_allocation()) {
            for attempt in self.attacked(&self.steps[0])? {
                let [(laws, 1)] = attempt.as_slice() else {
                    continue;
                };
                let attack = |epsilon: f64| profile_of(laws, epsilon);
                let needed = root::decreasing(epsilon.hi, d, 1e-12, attack).lo;
                report = report.and_lower((needed, ATTACK))?;
            }
        }
        Ok(report)
    }

    /// The pairs of mixtures of Gaussians that dominate a step, or that it dominates.
    fn pairs(&self, step: &Step, side: Side) -> Result<Option<Near>, AccountError> {
        match views::pairs(step, self.neighbours)? {
            Some(pairs) => {
                let exactly = is_exactly_described(step, self.neighbours);
                let (off, lack) = (0.0, if exactly { 0.0 } else { f64::INFINITY });
                let known = side == Side::Above || exactly;
                Ok(known.then_some(Near { pairs, off, lack }))
            }
            None => batches::pairs(step, self.neighbours, (self.delta.get(), side)),
        }
    }

    /// Mixtures of Gaussians: Fourier inversion in both directions.
    fn inversion(&self, parts: &[(Near, u64)]) -> Result<Report, AccountError> {
        let epsilon = self.inverted(parts)?;
        let theorem = "Fourier inversion of the moments of the dominating pairs (Zhu, Dong and Wang \
                       2022, Theorem 11; Kahane 1986), Poisson summation and Chernoff bounds";
        let made = (View::Law, &["gcd-aux-dominated"][..]);
        let report = self.report(Accountant::Exact, epsilon, theorem, made)?;
        if self.is_exactly_described() {
            return Ok(report);
        }
        let lower = match self.all(|s| self.pairs(s, Side::Below))? {
            // These say nothing from below, and others do.
            Some(below) if epsilon.lo == f64::NEG_INFINITY => self.inverted(&below)?.lo,
            _ => epsilon.lo,
        };
        report.and_lower((lower.max(0.0), ATTACK))
    }

    /// What the pairs enclose.
    fn inverted(&self, parts: &[(Near, u64)]) -> Result<Enclosure, AccountError> {
        let sum = |of: fn(&Near) -> f64| -> f64 {
            let each = parts.iter().map(|(near, count)| of(near) * *count as f64);
            each.sum::<f64>() * (1.0 + 1e-9)
        };
        let (off, lack) = (sum(|near| near.off), sum(|near| near.lack));
        let rule = "must be less than delta";
        let d = self.delta.get();
        AccountError::check(off < d || d == 0.0, "share of rare draws", off, rule)?;
        let less = match off > 0.0 && d > 0.0 {
            true => Delta::new((d - off).next_down())?,
            false => self.delta,
        };
        let more = match lack > 0.0 && lack < f64::INFINITY {
            true => Delta::new((Enclosure::point(lack).exp() * d).hi.min(1.0))?,
            false => self.delta,
        };
        let direction = |index: usize| {
            let parts: Vec<(Pair, u64)> = parts
                .iter()
                .filter_map(|(Near { pairs, .. }, count)| {
                    Some((pairs.get(index).or(pairs.first())?.clone(), *count))
                })
                .collect();
            Composition::new(&parts)
        };
        let mut epsilon = direction(0).between(less, more)?;
        if parts.iter().any(|(near, _)| near.pairs.len() > 1) {
            let other = direction(1);
            // Usually the other direction is certainly smaller, which its moments alone show.
            if !other.is_within(epsilon.hi, less) {
                epsilon = epsilon.max(other.between(less, more)?);
            }
        }
        let above = if off > 0.0 { epsilon + off } else { epsilon };
        let below = if lack > 0.0 { epsilon - lack } else { epsilon };
        Ok(Enclosure::new(below.lo, above.hi))
    }

    /// Pure mechanisms: optimal composition.
    fn optimal(&self, groups: Vec<Group>) -> Result<Report, AccountError> {
        let basic = compose_basic(&groups);
        if self.delta.get() == 0.0 {
            let epsilon = Enclosure::new(0.0, basic);
            let theorem = "Dwork and Roth 2014, Theorem 3.16";
            return self.report(
                Accountant::Exact,
                epsilon,
                theorem,
                (View::Pure, &["acc-basic"]),
            );
        }
        let epsilon = compose_optimal(&groups, self.delta)?;
        // Attained by some mechanism with these ε, not by every one.
        let any = self.steps.iter().all(is_pure);
        let lower = if any { epsilon.lo } else { 0.0 };
        let theorem = "Kairouz, Oh and Viswanath 2017; Murtagh and Vadhan 2016";
        let epsilon = Enclosure::new(lower, epsilon.hi);
        let made = (View::Pure, &["gcd-aux-response"][..]);
        self.report(Accountant::Exact, epsilon, theorem, made)
    }

    /// The losses in each direction.
    fn directions(&self) -> Result<Vec<Losses>, AccountError> {
        let mut laws = Vec::new();
        for step in &self.steps {
            let found = self.dominating(step)?;
            laws.extend(found.ok_or_else(|| self.unsupported("privacy-loss distribution"))?);
        }
        Ok(directions(&laws))
    }

    /// Whether laws are most of the work, and lattices all that takes them.
    pub(super) fn has_dear_laws(&self) -> bool {
        let dear = |s: &Step| {
            matches!(
                s.sampling,
                Sampling::RandomAllocation { .. } | Sampling::Within(_)
            )
        };
        self.steps.iter().any(dear)
    }

    /// One upper end for each δ, by lattices of the laws for this question's: a law that dominates does so at every δ.
    pub(super) fn along(&self, deltas: &[Delta]) -> Result<Vec<Report>, AccountError> {
        let directions = self.directions()?;
        let at = |delta: &Delta| {
            let upper = pld::epsilon_upper(&directions, *delta, LATTICE_ACCURACY)?;
            let question = Self {
                steps: self.steps.clone(),
                delta: *delta,
                ..*self
            };
            let made = (View::Law, &["gcd-aux-dominated"][..]);
            question.report(Accountant::Pld, Enclosure::new(0.0, upper), LATTICE, made)
        };
        deltas.iter().map(at).collect()
    }

    /// The laws that dominate a step with their counts, if they are known.
    fn dominating(&self, step: &Step) -> Result<Option<Counted>, AccountError> {
        match step.sampling {
            Sampling::RandomAllocation { .. } => {
                allocation::laws(step, self.neighbours, self.delta)
            }
            Sampling::Within(_) => matrix::sampled::laws(step, self.neighbours, self.delta),
            Sampling::WithReplacement { .. } => {
                let laws = batches::laws(step, self.neighbours, self.delta.get())?;
                Ok(laws.map(|laws| vec![(laws, step.count)]))
            }
            Sampling::None
            | Sampling::Poisson(_)
            | Sampling::FixedSize(_)
            | Sampling::TruncatedPoisson { .. } => {
                Ok(views::laws(step, self.neighbours)?.map(|laws| vec![(laws, step.count)]))
            }
        }
    }

    /// Laws of neighbours that there are with their counts, for a step that is not described exactly; several attempts.
    fn attacked(&self, step: &Step) -> Result<Vec<Counted>, AccountError> {
        let found = match step.sampling {
            Sampling::Within(_) => {
                return matrix::sampled::attacks(step, self.neighbours, self.delta);
            }
            Sampling::RandomAllocation { .. } => {
                allocation::attacks(step, self.neighbours, self.delta)?
            }
            Sampling::None
            | Sampling::Poisson(_)
            | Sampling::FixedSize(_)
            | Sampling::WithReplacement { .. }
            | Sampling::TruncatedPoisson { .. } => {
                batches::attacks(step, self.neighbours, self.delta.get())?
            }
        };
        let counted = found.into_iter().map(|laws| vec![(laws, step.count)]);
        Ok(counted.collect())
    }

    /// Losses of neighbours that there are, in each direction; several attempts. Steps of which nothing is known from below are
    /// left out: who sees less tells no more.
    fn attacks(&self) -> Result<Vec<Vec<Losses>>, AccountError> {
        let mut steps = Vec::new();
        for step in &self.steps {
            let attacks: Vec<Counted> = match is_exactly_described(step, self.neighbours) {
                true => {
                    let laws = views::laws(step, self.neighbours)?.into_iter();
                    laws.map(|laws| vec![(laws, step.count)]).collect()
                }
                false => self.attacked(step)?,
            };
            if !attacks.is_empty() {
                steps.push(attacks);
            }
        }
        let most = steps.iter().map(Vec::len).max().unwrap_or(0);
        let attempt = |i: usize| {
            let laws = steps.iter().flat_map(|a| a[i.min(a.len() - 1)].clone());
            directions(&laws.collect::<Vec<_>>())
        };
        Ok((0..most).map(attempt).collect())
    }

    /// A lower bound on ε from lattices; 0 where nothing is known from below.
    ///
    /// `most` is an upper one; only the accuracy depends on it.
    pub(super) fn lower(&self, accuracy: f64, most: f64) -> Result<f64, AccountError> {
        let each = self.attacks()?.into_iter();
        let bounds = each
            .map(|directions| pld::epsilon_lower_below(&directions, self.delta, accuracy, most));
        bounds
            .into_iter()
            .try_fold(0.0, |most, bound| Ok(f64::max(most, bound?)))
    }

    fn pld(&self) -> Result<Report, AccountError> {
        let directions = self.directions()?;
        let bound = |accuracy| pld::epsilon_upper(&directions, self.delta, accuracy);
        let mut upper = bound(LATTICE_ACCURACY)?;
        let mut theorem = LATTICE;
        let mut lower = 0.0f64;
        if self.ends == Ends::Both {
            theorem =
                "Zhu, Dong and Wang 2022; Doroshenko et al. 2022, Theorem 3.1; Blackwell 1953";
            let affordable =
                |points| pld::affordable(&directions, self.delta, LATTICE_ACCURACY, points);
            lower = self.lower(LATTICE_ACCURACY, upper)?;
            let apart = |upper: f64, lower: f64| (upper - lower) / (NARROW * upper);
            let first = apart(upper, lower);
            // Last digits where they cost little, or where the first ends are far apart. Where rounding outweighs what finer
            // cells gain, the first bound is the smaller: every lattice gives a safe one.
            let finer = affordable(POINTS.0).clamp(if first > 1.0 { 4.0 } else { 1.0 }, FINEST.0);
            // Nobody needs the last digits of an end that an attack leaves far from the other.
            let meet = self.have_meeting_ends();
            let sharp = meet || first < FAR;
            if finer >= 4.0 && sharp {
                upper = upper.min(bound(LATTICE_ACCURACY / finer)?);
            }
            if first > 1.0 && meet {
                // Atoms between nodes cost the lower end the step, hence the root of the accuracy; where that is not enough, more
                // than one law has them, and the finest lattice is what is left.
                let most = affordable(POINTS.1).clamp(4.0, FINEST.1);
                for finer in [(2.0 * first).powi(2).min(most), most] {
                    if apart(upper, lower) > 1.0 {
                        lower = lower.max(self.lower(LATTICE_ACCURACY / finer, upper)?);
                    }
                }
            }
        }
        AccountError::in_order(
            (lower, self.below(Accountant::Pld)),
            (upper, Accountant::Pld.name()),
        )?;
        let made: &[&str] = match self.ends == Ends::Both {
            true => &["acc-merged", "gcd-aux-dominated"],
            false => &["gcd-aux-dominated"],
        };
        let epsilon = Enclosure::new(lower, upper);
        self.report(Accountant::Pld, epsilon, theorem, (View::Law, made))
    }

    fn rdp(&self) -> Result<Report, AccountError> {
        let mut total = steps_curve(&self.steps, self.neighbours)?;
        let epsilon = rdp::epsilon_upper(&mut total, self.delta)?;
        AccountError::in_range(epsilon)?;
        let theorem =
            "Mironov 2017, Proposition 1; Canonne, Kamath and Steinke 2020, Proposition 12";
        let made = (View::Curve, &["gcd-aux-renyi", "skgd-prop-D.6"][..]);
        self.report(Accountant::Rdp, Enclosure::new(0.0, epsilon), theorem, made)
    }
}
