//! What is known of the objective where a state lies in S.

use super::{Growth, Proof, decay, f, le, model, moved, phi, slope};
use crate::moved::written::goal;
use crate::moved::written::{given, sides};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Part, Theorem, combine, exp_log, exp_sum, instance, larger, largest};
use dp_assay_kernel::search::cases::apply;
use dp_assay_kernel::search::exp::{
    exp_increases, exp_of_opposite, exp_of_zero, log_at_least, log_at_most, log_increases,
    log_not_negative, log_product, power,
};
use dp_assay_kernel::search::{assumed, with};
use dp_assay_kernel::statement::{Context, Goal};
use dp_assay_kernel::term::{Op, Term, app, mul, num, var, vector};

/// What is known where a state w lies in S, below α.
pub(super) struct Place<'a> {
    pub here: &'a Context,
    pub data: &'a [Goal],
    /// The vector.
    pub x: Term,
    /// ‖S(x)‖ ≤ 0.
    pub inside: Theorem,
    /// F(x) ≤ α.
    pub below: Theorem,
}

impl Place<'_> {
    pub(super) fn excess(&self) -> Term {
        app("F", [self.x.clone()]) - var("F⋆")
    }

    pub(super) fn height(&self) -> Term {
        app("G", [self.x.clone()])
    }

    /// Where the model of a step is at most α: the place after it, and that F is at most the model there.
    pub(super) fn step<'b>(
        &self,
        here: &'b Context,
        data: &'b [Goal],
        v: &Term,
        low: &Theorem,
    ) -> Result<(Place<'b>, Theorem), Stuck> {
        let one = |goal: &Goal| {
            let rule = instance(here, &instance(here, &assumed(here, goal)?, &self.x)?, v)?;
            apply(here, &apply(here, &rule, &self.inside)?, low)
        };
        let (inside, falls) = (one(&data[0])?, one(&data[1])?);
        let [after, _] = sides(&falls.statement().goal)?;
        let below = combine(
            here,
            Goal::Le(after.clone(), var("α")),
            &[with(num(1), &falls), with(num(1), low)],
        )?;
        let x = moved(&self.x, v);
        Ok((
            Place {
                here,
                data,
                x,
                inside,
                below,
            },
            falls,
        ))
    }

    /// F(x) − F⋆ ≤ exp(κ·log y) from γ·G(x) ≤ y.
    pub(super) fn steep(&self, here: &Context, y: &Term, fact: &Theorem) -> Proof {
        let rule = instance(
            here,
            &instance(here, &assumed(here, &self.data[2])?, &self.x)?,
            y,
        )?;
        apply(here, &apply(here, &rule, &self.inside)?, fact)
    }

    /// G(x)² ≤ 2L₁·(F(x) − F⋆): a step of −∇F(x)/L₁ stays in S.
    pub(super) fn flat(&self) -> Proof {
        let here = self.here;
        let v = vector("j", var("d"), mul([num(-1), slope(&self.x)]) / var("L₁"));
        let low = Goal::Le(model(&self.x, &v), var("α"));
        let low = combine(here, low, &[with(num(1), &self.below)])?;
        let (after, falls) = self.step(here, self.data, &v, &low)?;
        let rule = instance(here, &assumed(here, &self.data[3])?, &after.x)?;
        let least = apply(here, &rule, &after.inside)?;
        let twice = mul([num(2), var("L₁")]);
        let goal = Goal::Le(self.height().pow(2), twice.clone() * self.excess());
        combine(
            here,
            goal,
            &[with(twice.clone(), &falls), with(twice, &least)],
        )
    }
}
/// x of exp(c·log x) ≤ M, hypothesis number `n`, and that.
pub(super) fn power_of(here: &Context, n: usize) -> Result<(Term, Theorem), Stuck> {
    let top = given(here, n)?;
    let Goal::Le(Term::Op(Op::Exp, exponent), _) = &top.statement().goal else {
        return Err(Stuck::new("no power"));
    };
    let Term::Op(Op::Mul, factors) = &exponent[0] else {
        return Err(Stuck::new("no power"));
    };
    match &factors[..] {
        [_, Term::Op(Op::Log, x)] => Ok((x[0].clone(), top)),
        _ => Err(Stuck::new("no power")),
    }
}

/// 2·γ·B.
pub(super) fn threshold(here: &Context) -> Result<Term, Stuck> {
    power_of(here, 7).map(|(y, _)| y)
}

/// F(x) − F⋆ ≤ M where γ·G(x) is at most y, and exp(κ·log y) ≤ M is supposed.
pub(super) fn shallow(here: &Context, place: &Place<'_>, y: &Term, fact: &Theorem) -> Proof {
    let power = mul([var("κ"), y.log()]).exp();
    let top = assumed(here, &Goal::Le(power, var("M")))?;
    let small = place.steep(here, y, fact)?;
    le(
        here,
        place.excess(),
        var("M"),
        vec![with(num(1), &small), with(num(1), &top)],
    )
}
/// F(w) − F⋆ ≤ (γB)^κ where G(w) ≤ B.
pub(super) fn near(here: &Context, place: &Place<'_>, order: &Theorem) -> Proof {
    let y = mul([var("γ"), app("B", [])]);
    let small = le(
        here,
        mul([var("γ"), place.height()]),
        y.clone(),
        vec![with(var("γ"), order)],
    )?;
    place.steep(here, &y, &small)
}

/// 2·(γB)^κ ≤ M, since 2^κ ≥ 2.
pub(super) fn double(here: &Context) -> Proof {
    let base = mul([var("γ"), app("B", [])]);
    let one = le(here, num(1), num(2), vec![])?;
    let positive = log_not_negative(&one)?;
    let large = assumed(here, &goal(here, "1 ≤ κ")?)?;
    let [split, _] = log_product(here, &num(2), &base)?;
    let (y, top) = power_of(here, 7)?;
    let more = le(here, mul([num(2), base.clone()]), y.clone(), vec![])?;
    let more = log_increases(&more)?;
    let logs = le(
        here,
        num(2).log() + mul([var("κ"), base.log()]),
        mul([var("κ"), y.log()]),
        vec![
            Part::new(num(1), [&large, &positive].map(Into::into)),
            with(var("κ"), &split),
            with(var("κ"), &more),
        ],
    )?;
    let powers = exp_increases(&logs)?;
    let product = exp_sum(here, &num(2).log(), &mul([var("κ"), base.log()]))?;
    let two = exp_log(here, &num(2))?;
    let power = mul([var("κ"), base.log()]).exp();
    let goal = Goal::Le(mul([num(2), power.clone()]), var("M"));
    combine(
        here,
        goal,
        &[
            with(num(1), &top),
            with(num(1), &powers),
            with(num(-1), &product),
            with(num(-1) * power, &two),
        ],
    )
}

/// A state of excess M at least, where γ·G(x) ≥ 2γB: φ is the excess, y = γ·G(x), and log φ ≤ κ·log y.
pub(super) struct High {
    pub phi: Term,
    pub y: Term,
    /// F(x) − F⋆ ≤ φ, and not less.
    pub excess: [Theorem; 2],
    /// γ·G(x) ≤ y, and not less.
    pub height: [Theorem; 2],
    pub log: Theorem,
}

impl High {
    pub(super) fn of(
        here: &Context,
        place: &Place<'_>,
        order: &Theorem,
        steep: &Theorem,
    ) -> Result<Self, Stuck> {
        let (excess, m) = (place.excess(), var("M"));
        let same = |t: &Term| le(here, t.clone(), t.clone(), vec![]);
        let up = larger(here, &excess, &m, false)?;
        let down = largest(&same(&excess)?, order)?;
        let (large, least) = (mul([var("γ"), place.height()]), threshold(here)?);
        let y = large.max_with(&least);
        let over = larger(here, &large, &least, false)?;
        let under = largest(&same(&large)?, steep)?;
        let power = place.steep(here, &y, &over)?;
        let phi = phi(&place.x);
        let most = mul([var("κ"), y.log()]).exp();
        let log = log_at_most(&le(
            here,
            phi.clone(),
            most,
            vec![with(num(1), &down), with(num(1), &power)],
        )?)?;
        Ok(Self {
            phi,
            y,
            excess: [up, down],
            height: [over, under],
            log,
        })
    }

    /// φ ≤ exp(−e·log φ)·y^m where (1 + e)·κ = m, by an equation and its multiplier.
    pub(super) fn power(
        &self,
        here: &Context,
        e: &Term,
        m: i64,
        (multiple, equation): (Term, &Theorem),
    ) -> Proof {
        let (log, log_y) = (self.phi.log(), self.y.log());
        let more = mul([e.clone(), log.clone()]);
        let exponent = le(
            here,
            log.clone() + more.clone(),
            mul([num(m), log_y]),
            vec![
                with(num(1) + e.clone(), &self.log),
                with(multiple, equation),
            ],
        )?;
        let all = exp_increases(&exponent)?;
        let split = exp_sum(here, &log, &more)?;
        let (named, raised) = (exp_log(here, &self.phi)?, power(here, &self.y, &num(m))?);
        let unit = exp_of_opposite(here, &more)?;
        let decay = decay(e, &self.phi);
        let parts = [
            with(decay.clone(), &all),
            with(num(-1) * decay.clone(), &raised),
            with(num(-1) * decay.clone(), &split),
            with(mul([num(-1), decay.clone(), more.exp()]), &named),
            with(self.phi.clone(), &unit),
        ];
        combine(
            here,
            Goal::Le(self.phi.clone(), mul([decay, self.y.pow(m)])),
            &parts,
        )
    }

    /// φ ≤ exp(−a·log φ)·y⁴.
    pub(super) fn fourth(&self, here: &Context) -> Proof {
        let equation = assumed(here, &goal(here, "a = (4 − κ)/κ")?)?;
        self.power(
            here,
            &var("a"),
            4,
            (mul([var("κ"), self.y.log()]), &equation),
        )
    }

    /// φ ≤ exp(−c·log φ)·y², or φ ≤ y².
    pub(super) fn second(&self, here: &Context, growth: Growth) -> Proof {
        match growth {
            Growth::Power => {
                let equation = assumed(here, &goal(here, "c = (2 − κ)/κ")?)?;
                self.power(
                    here,
                    &var("c"),
                    2,
                    (mul([var("κ"), self.y.log()]), &equation),
                )
            }
            Growth::Log => {
                let equation = assumed(here, &goal(here, "κ = 2")?)?;
                let found = self.power(here, &num(0), 2, (self.y.log(), &equation))?;
                let one = exp_of_zero(here)?;
                let parts = [with(num(1), &found), with(num(-1) * self.y.pow(2), &one)];
                combine(here, Goal::Le(self.phi.clone(), self.y.pow(2)), &parts)
            }
        }
    }

    /// A charge of (A/N)²·ρ, written as it is in the algorithm, is at most 4γ²A²ρ/y² if y ≤ 2γ·`level`.
    pub(super) fn charged(
        &self,
        here: &Context,
        share: &Term,
        level: &Term,
        enough: &Theorem,
    ) -> Proof {
        let top = mul([num(4), var("γ").pow(2), app("A", []).pow(2), var("ρ")]) / self.y.pow(2);
        let unit = mul([app("A", []).pow(2), var("ρ")]);
        let twice = mul([num(2), var("γ"), level.clone()]) + self.y.clone();
        let factor = mul([unit, twice]) / mul([self.y.pow(2), level.pow(2)]);
        le(here, share.clone(), top, vec![with(factor, enough)])
    }
}

/// φ ≤ M, hence the excess, from exp(−e·log M) ≤ exp(−e·log φ) for e plainly > 0.
pub(super) fn low_enough(here: &Context, x: &Term, log: &Theorem) -> Proof {
    let phi = phi(x);
    let powers = exp_increases(log)?;
    let (one, other) = (exp_log(here, &phi)?, exp_log(here, &var("M"))?);
    let excess = f(x) - var("F⋆");
    let above = larger(here, &excess, &var("M"), false)?;
    combine(
        here,
        Goal::Le(excess, var("M")),
        &[
            with(num(1), &above),
            with(num(1), &powers),
            with(num(-1), &one),
            with(num(1), &other),
        ],
    )
}

/// log φ ≤ log M from 1 ≤ z·exp(−e·log φ) and log z ≤ e·log M, for e plainly > 0.
pub(super) fn log_low(
    here: &Context,
    x: &Term,
    e: &Term,
    z: &Term,
    [room, top]: [&Theorem; 2],
) -> Proof {
    let (log, most) = (phi(x).log(), var("M").log());
    let raised = mul([e.clone(), log.clone()]);
    let (unit, named) = (exp_of_opposite(here, &raised)?, exp_log(here, z)?);
    let below = le(
        here,
        raised.exp(),
        z.log().exp(),
        vec![
            with(raised.exp(), room),
            with(num(-1) * z.clone(), &unit),
            with(num(-1), &named),
        ],
    )?;
    let above = exp_increases(top)?;
    let all = mul([e.clone(), most.clone()]);
    let powers = le(
        here,
        raised.exp(),
        all.exp(),
        vec![with(num(1), &below), with(num(1), &above)],
    )?;
    // e·log φ ≤ log exp(e·log M) ≤ e·log M.
    let up = log_at_least(&powers)?;
    let down = log_at_most(&le(here, all.exp(), all.exp(), vec![])?)?;
    let each = num(1) / e.clone();
    le(
        here,
        log,
        most,
        vec![with(each.clone(), &up), with(each, &down)],
    )
}
