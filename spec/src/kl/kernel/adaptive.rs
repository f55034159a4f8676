//! Algorithm 3: rounds that pay for what their noise costs, and a stop when the budget is spent.

pub mod rounds;
pub mod useful;

use super::{entries, item, mean, positive, sensitivity, setting, space};
use crate::moved::written::{Proof, goals};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Fact, Part, Theorem, both, combine, compose, forget, gaussian, inverse, larger, largest,
    root_increases, weaken,
};
use dp_assay_kernel::search::{assumed, norm_moves, zcdp_cost};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Notion, Process, Relation, Sign, Sort, State, Statement, Subject,
    View,
};
use dp_assay_kernel::term::{Op, Term, app, at, mul, num, op, var};

/// One reading or repair of Algorithm 3. The test stands behind the first release of a round: so the last round T, whose
/// charge exceeds the budget, releases that only, and w₀, …, w_T are the path, as in print.
#[derive(Clone, Copy)]
pub(super) struct Variant {
    relation: Relation,
    /// Whether N is the norm of a noisy gradient, not a noisy norm.
    inside: bool,
    /// σ = max(N/(times·√(dΛ)), 2L₀/(n√ρ)), `None`: with D of the corrected algorithm for times·√(dΛ).
    times: Option<i64>,
    /// Whether the noise of the last round is released, too.
    all: bool,
    /// Whether both variances are multiplied by κ = 1 + 2/(n√ρ).
    scaled: bool,
}

pub(super) const REPAIRED: Variant = Variant {
    relation: Relation::ReplaceOne,
    inside: false,
    times: Some(1),
    all: false,
    scaled: false,
};

pub(super) fn root_rho() -> Term {
    var("ρ").sqrt()
}

/// 2L₀/(n√ρ), the floor of σ.
fn floor() -> Term {
    mul([num(2), var("L₀")]) / mul([var("n"), root_rho()])
}

fn gradient() -> Term {
    entries(mean())
}

impl Variant {
    /// N/σ off the floor.
    fn ratio(self) -> Term {
        let root = mul([var("d"), var("Λ")]).sqrt();
        match self.times {
            Some(1) => root,
            Some(times) => mul([num(times), root]),
            None => app("Δ", []),
        }
    }

    /// The N below which a round pays the cap ρ/2.
    fn least(self) -> Term {
        let scale = mul([self.ratio(), var("L₀")]) / mul([var("n"), root_rho()]);
        match self.times {
            Some(_) => mul([num(2).sqrt(), scale]),
            None => mul([num(2), scale]),
        }
    }

    fn level(self) -> Term {
        if self.inside {
            var("v").norm()
        } else {
            var("Nₜ")
        }
    }

    /// (ratio·L₀/(n·max(N, least)))².
    fn share(self) -> Term {
        let level = self.level().max_with(&self.least());
        (mul([self.ratio(), var("L₀")]) / mul([var("n"), level])).pow(2)
    }

    fn charge(self) -> Term {
        let fixed = root_rho() / var("n");
        if self.times.is_some() {
            return fixed + self.share();
        }
        let capped = op(Op::AtMost, [self.level(), self.least()]);
        let rest = mul([num(1) - capped.clone(), self.share()]);
        fixed + mul([capped, var("ρ") / num(2)]) + rest
    }

    fn deviation(self) -> Term {
        (self.level() / self.ratio()).max_with(&floor())
    }

    fn scale(self, variance: Term) -> Term {
        match self.scaled {
            true => mul([variance, var("κ")]),
            false => variance,
        }
    }

    fn release(self, name: &str, query: Term, variance: Term) -> Command {
        let variance = self.scale(variance);
        let law = match name {
            "Nₜ" => op(Op::Normal, [variance]),
            _ => op(Op::Normal, [var("d"), variance]),
        };
        let name = name.into();
        Command::Release { name, query, law }
    }

    /// The release of the norm, or of a gradient for its norm.
    fn first(self) -> Command {
        let variance = var("L₀").pow(2) / mul([var("n"), root_rho()]);
        match self.inside {
            true => self.release("v", gradient(), variance),
            false => self.release("Nₜ", gradient().norm(), variance),
        }
    }

    fn second(self) -> Command {
        self.release("g", gradient(), self.deviation().pow(2))
    }

    pub(super) fn process(self) -> Process {
        let [w, g] = ["w", "g"].map(|x| at(&var(x), &var("j")));
        let update = Command::Set("w".into(), entries(w - g / mul([num(2), var("L₁")])));
        let stop = Command::Stop {
            charge: self.charge(),
            limit: self.limit(),
        };
        let body = match self.all {
            true => vec![self.first(), self.second(), update, stop],
            false => vec![self.first(), stop, self.second(), update],
        };
        let state = State {
            name: "w".into(),
            dimension: var("d"),
            start: var("w₀"),
        };
        Process {
            states: vec![state],
            body: vec![Command::Repeat {
                index: "t".into(),
                times: var("R"),
                body,
            }],
        }
    }

    /// What the charges may add up to: ρ/2 in print.
    fn limit(self) -> Term {
        let half = var("ρ") / num(2);
        match self.times {
            Some(_) => half,
            None => half - root_rho() / var("n"),
        }
    }

    /// n√ρ is at least this: 8 in the corrected algorithm; and if a record is left out 1, or the norm of the last round would
    /// cost more than what the rounds before it leave of ρ. Below 2 the printed loop does not get beyond w₀.
    fn least_budget(self) -> Option<Goal> {
        let least = match (self.times, self.relation) {
            (None, _) => Some(num(8)),
            (_, Relation::ZeroOut) => Some(num(1)),
            _ => None,
        };
        least.map(|least| Goal::Le(least, mul([var("n"), root_rho()])))
    }

    pub(super) fn context(self) -> Result<Context, Stuck> {
        let constants = [
            positive("ρ"),
            positive("L₁"),
            positive("Λ"),
            item("R", Sort::Count),
            item("w₀", space()),
        ];
        let ratio = mul([num(2), var("d").sqrt() + mul([num(2), var("Λ")]).sqrt()]);
        let ratio = Item::Define("Δ".into(), vec![], ratio);
        let items = setting(self.relation).into_iter().chain(constants);
        let items = items.chain(self.least_budget().map(Item::Assume));
        Context::default().with(items.chain(self.times.is_none().then_some(ratio)))
    }

    fn statement(self, cost: Term) -> Result<Statement, Stuck> {
        let algorithm = Item::Process("Alg3".into(), self.process());
        let view = if self.all {
            View::Transcript
        } else {
            View::Path
        };
        Ok(Statement {
            context: self.context()?.extended(algorithm)?,
            goal: private(Subject::Process("Alg3".into(), view), cost),
        })
    }

    /// What the first release and the second cost, the second in a context with what the first names.
    fn costs(self, context: &Context) -> Result<(Theorem, Theorem), Stuck> {
        let here = context.extended(item("w", space()))?;
        let moved = moves(&here, self.relation)?;
        let first = match self.inside {
            true => gaussian(&here, &self.first(), &moved)?,
            false => gaussian(&here, &self.first(), &norm_moves(&moved, None)?)?,
        };
        let seen = here.extended(self.seen())?;
        let moved = moves(&seen, self.relation)?;
        Ok((first, gaussian(&seen, &self.second(), &moved)?))
    }

    fn seen(self) -> Item {
        match self.inside {
            true => item("v", space()),
            false => item("Nₜ", Sort::Real(Sign::Any)),
        }
    }

    /// max(N, least) ≤ ratio·σ, and that it is at least `least`.
    fn levels(self, seen: &Context) -> Result<(Theorem, Theorem), Stuck> {
        let (off, low) = (self.level() / self.ratio(), floor());
        let two = combine(
            seen,
            Goal::Le(num(2), num(2).pow(2)),
            &[Part::new(num(2), [])],
        )?;
        let two = root_increases(&two)?;
        let scale = mul([self.ratio(), var("L₀")]) / mul([var("n"), root_rho()]);
        let unity = inverse(seen, &self.ratio())?;
        let below = |left: Term, second: bool| {
            let fact = larger(seen, &off, &low, second)?;
            let mut parts = vec![Part::new(self.ratio(), [Fact::from(&fact)])];
            if second && self.times.is_some() {
                parts.push(Part::new(scale.clone(), [Fact::from(&two)]));
            }
            let bound = mul([self.ratio(), self.deviation()]);
            let goal = Goal::Le(left, bound);
            combine(seen, goal.clone(), &parts).or_else(|_| {
                // Where the ratio is a sum, its quotient does not cancel by itself.
                let level = num(-1) * self.level();
                parts.push(Part::new(level, [Fact::from(&unity)]));
                combine(seen, goal, &parts)
            })
        };
        let whole = largest(&below(self.level(), false)?, &below(self.least(), true)?)?;
        Ok((whole, larger(seen, &self.level(), &self.least(), true)?))
    }

    /// The share of one round is at most ρ/2, for the charge that jumps there.
    fn quarter(self, seen: &Context, least: &Theorem) -> Proof {
        let level = self.level().max_with(&self.least());
        // ρ/4 − (aL₀/(nM))² = ρ·(M² − c²)/(4M²) for c = 2aL₀/(n√ρ).
        let factor = mul([var("ρ"), level.clone() + self.least()]) / mul([num(4), level.pow(2)]);
        let goal = Goal::Le(self.share(), var("ρ") / num(2));
        combine(seen, goal, &[Part::new(factor, [Fact::from(least)])])
    }
}

impl Variant {
    /// Costs of a round against its charge: how often that pays, and what the first release costs.
    fn multiples(self) -> (Term, Term) {
        let fixed = root_rho() / var("n");
        let (c, m) = match self.relation {
            Relation::ReplaceOne => (num(2), mul([num(2), fixed])),
            Relation::ZeroOut => (num(1) / num(2), fixed / num(2)),
        };
        match self.scaled {
            true => (c / var("κ"), m / var("κ")),
            false => (c, m),
        }
    }

    /// A round costs at most that multiple of its charge.
    fn paid(self, seen: &Context, all: Term) -> Proof {
        let (c, _) = self.multiples();
        let (below, least) = self.levels(seen)?;
        let level = self.level().max_with(&self.least());
        let both = mul([self.ratio(), self.deviation()]) + level.clone();
        let unit = var("L₀").pow(2) / var("n").pow(2);
        let factor = mul([c.clone(), unit, both]) / mul([level.pow(2), self.deviation().pow(2)]);
        let mut parts = vec![Part::new(factor, [Fact::from(&below)])];
        let jump = match self.times {
            None => Some(self.quarter(seen, &least)?),
            Some(_) => None,
        };
        let capped = op(Op::AtMost, [self.level(), self.least()]);
        parts.extend(
            jump.iter()
                .map(|jump| Part::new(mul([c.clone(), capped.clone()]), [Fact::from(jump)])),
        );
        combine(seen, Goal::Le(all, mul([c, self.charge()])), &parts)
    }

    /// What stands before the stop costs at most this.
    fn opening(self, seen: &Context, first: Term) -> Proof {
        let (_, mut most) = self.multiples();
        let (off, low) = (self.level() / self.ratio(), floor());
        let fact = larger(seen, &off, &low, true)?;
        let mut parts = Vec::new();
        if self.all {
            most = most + var("ρ") / num(2);
            let factor = mul([var("ρ"), self.deviation() + low]);
            let factor = factor / mul([num(2), self.deviation().pow(2)]);
            parts.push(Part::new(factor, [Fact::from(&fact)]));
        }
        combine(seen, Goal::Le(first, most), &parts)
    }

    /// The algorithm of that name in a statement's context, as private as `cost` says.
    fn prove(self, context: &Context, name: &str, cost: &Term) -> Proof {
        let private = self.spent(context, name, cost, None, vec![])?;
        match self.all {
            true => Ok(private),
            false => forget(&private, View::Path),
        }
    }

    /// The transcript of the algorithm, and of one more access behind its loop, is as private as `cost` says, by what `parts`
    /// add.
    pub(super) fn spent<'a>(
        self,
        context: &Context,
        name: &str,
        cost: &Term,
        after: Option<&'a Theorem>,
        more: Vec<Part<'a>>,
    ) -> Proof {
        let (first, second) = self.costs(context)?;
        let seen = &second.statement().context;
        let all = zcdp_cost(&first.statement().goal)?.clone()
            + zcdp_cost(&second.statement().goal)?.clone();
        let opening = match self.all {
            true => self.opening(seen, all.clone())?,
            false => self.opening(seen, zcdp_cost(&first.statement().goal)?.clone())?,
        };
        let paid = self.paid(seen, all)?;
        let round = [&first, &second, &paid, &opening].into_iter();
        let all: Vec<&Theorem> = round.chain(after).collect();
        let run = compose(context, name, "D", &all)?;
        let (c, _) = self.multiples();
        let spent = mul([c, self.limit()]);
        let known = self.least_budget().map(|goal| assumed(context, &goal));
        let known = known.transpose()?;
        let mut budget = Vec::new();
        if let (None, Some(known)) = (self.times, &known) {
            let unit = mul([self.multiples().0, root_rho()]) / mul([num(2), var("n")]);
            budget.push(Part::new(unit, [Fact::from(known)]));
        }
        let zero = combine(context, Goal::Le(num(0), spent.clone()), &budget)?;
        let within = combine(context, Goal::Le(spent.clone(), spent), &[])?;
        let within = largest(&zero, &within)?;
        let mut parts = more;
        parts.push(Part::new(num(1), [Fact::from(&within)]));
        if let (Some(_), Some(known)) = (self.times, &known) {
            // √ρ/(2n) ≤ ρ/2.
            parts.push(Part::new(
                root_rho() / mul([num(2), var("n")]),
                [Fact::from(known)],
            ));
        }
        let scale = self
            .scaled
            .then(|| assumed(context, &kappa()))
            .transpose()?;
        parts.extend(scale.iter().map(|t| {
            let unit = num(-1) * (var("ρ") / var("κ"));
            Part::new(unit, [Fact::from(t)])
        }));
        let total = Goal::Le(zcdp_cost(&run.statement().goal)?.clone(), cost.clone());
        let total = combine(context, total, &parts)?;
        weaken(&run, &Notion::Zcdp(cost.clone()), &[&total])
    }
}

/// κ = 1 + 2/(n√ρ).
fn kappa() -> Goal {
    let right = num(1) + num(2) / mul([var("n"), root_rho()]);
    Goal::Eq(var("κ"), right)
}

fn moves(here: &Context, relation: Relation) -> Proof {
    let by = match relation {
        Relation::ReplaceOne => mul([num(2), var("L₀")]),
        Relation::ZeroOut => var("L₀"),
    };
    sensitivity(here, &gradient(), &(by / var("n")))
}

pub(super) fn private(subject: Subject, cost: Term) -> Goal {
    Goal::Private {
        data: "D".into(),
        notion: Notion::Zcdp(cost),
        subject,
    }
}

fn prove(variant: Variant, statement: &Statement) -> Proof {
    variant.prove(&statement.context, "Alg3", zcdp_cost(&statement.goal)?)
}

/// 2√ρ/n.
fn last() -> Term {
    mul([num(2), root_rho()]) / var("n")
}

pub(super) const INSIDE: Variant = Variant {
    relation: Relation::ZeroOut,
    inside: true,
    ..REPAIRED
};

/// `kl-thm-3-reading-inside-zero-out`: Algorithm 3 with N = ‖∇F(w) + noise‖, releasing w₀, …, w_T, is ρ-zCDP.
pub fn inside() -> Result<Statement, Stuck> {
    INSIDE.statement(var("ρ"))
}

/// The proof of [`inside`], or of a statement with another cost.
pub fn prove_inside(statement: &Statement) -> Proof {
    prove(INSIDE, statement)
}

pub(super) const ZERO_OUT: Variant = Variant {
    relation: Relation::ZeroOut,
    ..REPAIRED
};

/// `kl-thm-3-repaired-zero-out`: Algorithm 3 with the charge at its cap when N ≤ 0 is ρ-zCDP if a record is left out.
pub fn zero_out() -> Result<Statement, Stuck> {
    ZERO_OUT.statement(var("ρ"))
}

/// The proof of [`zero_out`], or of a statement with another cost.
pub fn prove_zero_out(statement: &Statement) -> Proof {
    prove(ZERO_OUT, statement)
}

const SCALED: Variant = Variant {
    scaled: true,
    ..REPAIRED
};

/// `kl-thm-3-repaired`: the same is (ρ + 2√ρ/n)-zCDP if a record is replaced, and ρ-zCDP with both variances multiplied by
/// κ = 1 + 2/(n√ρ).
pub fn repaired() -> Result<Statement, Stuck> {
    let context = REPAIRED.statement(var("ρ"))?.context.with([
        positive("κ"),
        Item::Assume(kappa()),
        Item::Process("Alg3′".into(), SCALED.process()),
    ])?;
    let path = |name: &str| Subject::Process(name.into(), View::Path);
    let goal = Goal::Both(vec![
        private(path("Alg3"), var("ρ") + last()),
        private(path("Alg3′"), var("ρ")),
    ]);
    Ok(Statement { context, goal })
}

/// The proof of [`repaired`], or of a statement with other costs.
pub fn prove_repaired(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [plain, scaled] = goals(statement)?;
    let plain = REPAIRED.prove(context, "Alg3", zcdp_cost(plain)?)?;
    let scaled = SCALED.prove(context, "Alg3′", zcdp_cost(scaled)?)?;
    both(context, &[&plain, &scaled])
}

const QUARTER: Variant = Variant {
    times: Some(4),
    ..REPAIRED
};

/// `kl-thm-3-repaired-quarter`: with σ = max{N/(4√(dΛ)), 2L₀/(n√ρ)} and the charge that belongs to it, (ρ + 2√ρ/n)-zCDP.
pub fn quarter() -> Result<Statement, Stuck> {
    QUARTER.statement(var("ρ") + last())
}

/// The proof of [`quarter`], or of a statement with another cost.
pub fn prove_quarter(statement: &Statement) -> Proof {
    prove(QUARTER, statement)
}

const TRANSCRIPT: Variant = Variant {
    all: true,
    ..REPAIRED
};

/// `kl-thm-3-repaired-transcript`: all noisy values of Algorithm 3, those of the last round included, are
/// (3ρ/2 + 2√ρ/n)-zCDP.
pub fn transcript() -> Result<Statement, Stuck> {
    let cost = mul([num(3), var("ρ")]) / num(2) + last();
    TRANSCRIPT.statement(cost)
}

/// The proof of [`transcript`], or of a statement with another cost.
pub fn prove_transcript(statement: &Statement) -> Proof {
    prove(TRANSCRIPT, statement)
}

const CORRECTED: Variant = Variant {
    times: None,
    ..REPAIRED
};

/// `kl-thm-3-corrected`: the corrected algorithm, σ = max{N/Δ, 2L₀/(n√ρ)} with Δ = 2(√d + √(2Λ)), is ρ-zCDP for n√ρ ≥ 8.
pub fn corrected() -> Result<Statement, Stuck> {
    CORRECTED.statement(var("ρ"))
}

/// The proof of [`corrected`], or of a statement with another cost.
pub fn prove_corrected(statement: &Statement) -> Proof {
    prove(CORRECTED, statement)
}
