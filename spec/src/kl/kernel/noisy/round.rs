//! The invariant: where it begins and ends, and that a round keeps it.

use super::Proof;
use super::chance::{at_most, certain, fits, for_every, small, tilted};
use super::descent::{descent, projection};
use super::words::{
    AVERAGE, LATER, LOUD, OF_DATA, RATE, Run, STEP, apart, away, combined, gaps, goal, here, last,
    least, projected, show, space, term, told,
};
use super::{LONG, of_subroutine, printed};
use crate::kl::kernel::regularised::prove_near;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, at_most_one, chain, combine, counted, discharge, exp_log, exp_sum, expected,
    exponential_moment, instance, larger, largest, tail, union,
};
use dp_assay_kernel::search::cases::{beyond, split};
use dp_assay_kernel::search::exp::{exp_increases, exp_of_opposite, log_above, log_increases};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{item, with};
use dp_assay_kernel::statement::{Context, Goal, Item};
use dp_assay_kernel::term::{Binder, Op, Term, at, bind, num, op, sum, var};
use rug::Rational;

/// exp(−l) ≤ 1/x, where l is the logarithm of x by hypothesis, or it is written as that.
pub(in crate::kl::kernel) fn rare(h: &Context, l: &str, x: &str) -> Proof {
    let told = told(h, "l = log(2·T/β)")?;
    let parts: &[(&str, &[&Theorem])] = &[("(−1)", &[&told])];
    let parts = if l == "l" { parts } else { &[] };
    let most = exp_increases(&show(h, &format!("log({x}) ≤ {l}"), parts)?)?;
    let (named, unit) = (exp_log(h, &term(h, x)?)?, exp_of_opposite(h, &term(h, l)?)?);
    let inverse = format!("1/({x})");
    let decay = format!("exp(0 − {l})/({x})");
    let parts: &[(&str, &[&Theorem])] = &[
        (&decay, &[&most]),
        (&format!("(−1)·{decay}"), &[&named]),
        (&format!("(−1)·{inverse}"), &[&unit]),
    ];
    show(h, &format!("exp(0 − {l}) ≤ {inverse}"), parts)
}

impl Run {
    /// min(1, e^E) ≤ β/2 before the first round.
    pub fn begins(&self, h: &Context) -> Proof {
        let e = self.exponent("0", "w₀", "w₀");
        let small = for_every(h, small)?;
        let small = instance(h, &small, &term(h, &e)?)?;
        let (enough, one) = (told(h, LONG)?, counted(h, &var("d"))?);
        let two = log_above(h, &2.into(), &Rational::from((2, 3)), 4)?;
        let first = told(h, "β ≤ 1").or_else(|_| {
            let half = told(h, "β ≤ 1/2")?;
            show(h, "β ≤ 1", &[("1", &[&half])])
        })?;
        let logs = log_increases(&show(h, "2 ≤ 2/β", &[("2/β", &[&first])])?)?;
        let parts: &[(&str, &[&Theorem])] = &[("1", &[&two]), ("1", &[&logs])];
        let least = show(h, "2/3 ≤ log(2/β)", parts)?;
        let rounds = counted(h, &var("T"))?;
        let more = log_increases(&show(h, "2/β ≤ 2·T/β", &[("2/β", &[&rounds])])?)?;
        let named = told(h, "l = log(2·T/β)")?;
        let parts: &[(&str, &[&Theorem])] = &[("1", &[&more]), ("(−1)", &[&named])];
        let more = show(h, "log(2/β) ≤ l", parts)?;
        // 2L₀²/V = n²ρ/(2T) ≤ (9/8)·d, as log(2/β) ≥ 2/3.
        let unit = "(9/8)·n²·ρ/T";
        let parts: &[(&str, &[&Theorem])] = &[
            ("(9/8)/T", &[&enough]),
            (unit, &[&least, &least]),
            ("(3/2)·n²·ρ/T", &[&least]),
        ];
        let long = show(h, "n²·ρ/(2·T) ≤ (9/8)·d", parts)?;
        let logarithm = match (h.get("ω"), h.get("m")) {
            (Some(_), _) => of_subroutine(h)?,
            (_, Some(_)) => printed(h, "m")?,
            _ => show(h, "l ≤ l", &[])?,
        };
        let parts: &[(&str, &[&Theorem])] = &[
            (&format!("(2·L₀ − {LOUD})²/(4·V)"), &[]),
            ("(√(d) − √(2·l))²/2", &[]),
            ("1", &[&long]),
            ("1 + (51/16)·d", &[&more]),
            ("(51/16)·d", &[&least]),
            ("3·l", &[&one]),
            ("(99/16)·d", &[&logarithm]),
        ];
        let low = show(h, &format!("{e} ≤ 0 − log(2/β)"), parts)?;
        let (low, rare) = (exp_increases(&low)?, rare(h, "log(2/β)", "2/β")?);
        let chance = self.chance("0", "w₀", "w₀");
        let parts: &[(&str, &[&Theorem])] = &[("1", &[&small]), ("1", &[&low]), ("1", &[&rare])];
        show(h, &format!("{chance} ≤ β/2"), parts)
    }

    /// What is wanted fails with no more than the invariant at the end.
    pub fn ended(&self, h: &Context, value: &Term, sides: &[Term]) -> Proof {
        let invariant = term(h, &self.invariant("T", "a", "w"))?;
        let wanted = Goal::Le(value.clone(), invariant);
        let inside = term(h, &format!("𝟙({} ≤ r)", away("w")))?;
        let inside = at_most_one(h, &inside)?;
        split(
            h,
            [&sides[0], &sides[1]],
            |h, fact| {
                let sure = union(fact)?;
                combined(h, &wanted, &[("1", &[&sure]), ("1", &[&inside])])
            },
            |h, none| {
                let (large, e) = (beyond(h, none)?, self.exponent("T", "a", "w"));
                let unit = format!("({RATE})·(T·(T + 1)/2)");
                let far = format!("({RATE})·2·L₁·T²·{}", apart("w"));
                let parts: &[(&str, &[&Theorem])] = &[(&unit, &[&large]), (&far, &[])];
                let large = show(h, &format!("0 ≤ {e}"), parts)?;
                let one = chain(h, &instance(h, &certain(h)?, &term(h, &e)?)?, &large)?;
                combined(h, &wanted, &[("1", &[&one]), ("1", &[&inside])])
            },
        )
    }
}

impl Run {
    /// One round keeps the invariant.
    pub fn round(&self, h: &Context) -> Proof {
        let before = self.invariant("t", "a", "w");
        let after = self.invariant("t + 1", AVERAGE, &projected(STEP));
        let drawn = h.extended(item("g", space()))?;
        let law = op(Op::Normal, [var("d"), term(h, "V")?]);
        let behind = bind(Binder::Expect, "g", law.clone(), term(&drawn, &after)?);
        let wanted = Goal::Le(behind, term(h, &before)?);
        let [star, centre] = ["w⋆", "w₀"].map(|x| here(h, x));
        let lipschitz = told(h, OF_DATA[0])?;
        let ball = prove_near(h, [&star, &centre], &least(h)?, &lipschitz)?;
        let near = show(h, &format!("{} ≤ r", away("w⋆")), &[("1", &[&ball])])?;
        let [inside, closer] = projection(h, &near)?;
        let stepped = term(&drawn, STEP)?;
        let inside = instance(&drawn, &inside, &stepped)?;
        let closer = instance(&drawn, &closer, &stepped)?;
        let next = self.exponent("t + 1", AVERAGE, &projected(STEP));
        let most = instance(&drawn, &at_most(h)?, &term(&drawn, &next)?)?;
        let whole = format!("{after} ≤ 1 + {LATER}");
        let whole = show(
            &drawn,
            &whole,
            &[("1", &[&most]), ("1", &[&union(&inside)?])],
        )?;
        let whole = expected(&whole, &law)?;
        let placed = discharge(&Self::placed(&drawn, [&closer, &inside])?)?;
        let [size, radius] = [away("w"), "r".to_owned()].map(|t| term(h, &t));
        split(
            h,
            [&size?, &radius?],
            |h, fact| self.kept(h, &wanted, &law, [fact, &placed, &whole]),
            |h, none| combined(h, &wanted, &[("1", &[&whole]), ("1", &[none])]),
        )
    }

    /// max(‖u − w⋆‖² − ‖v − w⋆‖², ‖u − w₀‖ − r) ≤ 0 for the step v that is projected to u.
    fn placed(h: &Context, facts: [&Theorem; 2]) -> Proof {
        let [first, second] = gaps(&projected(STEP));
        let first = show(h, &format!("{first} ≤ 0"), &[("1", &[facts[0]])])?;
        let second = show(h, &format!("{second} ≤ 0"), &[("1", &[facts[1]])])?;
        largest(&first, &second)
    }

    /// E − λ·(L₁/2)·(t + 1)·‖w − w⋆‖².
    fn slow(&self) -> String {
        let e = self.exponent("t", "a", "w");
        format!("({e} − ({RATE})·(L₁/2)·(t + 1)·{})", apart("w"))
    }

    /// The invariant behind a round that leads to u, but for what is certain.
    fn rest(&self, u: &str) -> String {
        let after = self.invariant("t + 1", AVERAGE, u);
        format!("({after} + 𝟙(‖g‖ ≤ {LOUD}) − 1 − {LATER})")
    }

    /// What is left of the invariant is at most e^E, tilted by the noise g: whatever w becomes, if it is in the ball and no further from
    /// w⋆ than the step.
    fn tilted(&self, h: &Context, near: &Theorem, linear: &Term) -> Proof {
        let every = &h.extended(item("u", space()))?;
        let gaps = gaps("u");
        let told = goal(every, &format!("max({}, {}) ≤ 0", gaps[0], gaps[1]))?;
        let here = &every.extended(Item::Assume(told))?;
        let [first, second] = [term(here, &gaps[0])?, term(here, &gaps[1])?];
        let told = last(here)?;
        let part = |second_one: bool, goal: &str| {
            let above = larger(here, &first, &second, second_one)?;
            show(here, goal, &[("1", &[&above]), ("1", &[&told])])
        };
        let closer = part(false, &format!("{} ≤ {}", apart("u"), apart(STEP)))?;
        let inside = union(&part(true, &format!("{} ≤ r", away("u")))?)?;
        let (slow, next) = (self.slow(), self.exponent("t + 1", AVERAGE, "u"));
        let left = term(here, &format!("exp(0 − {slow})·{}", self.rest("u")))?;
        let bound = Goal::Le(left, linear.exp());
        let decay = format!("exp(0 − {slow})");
        let Goal::Le(norm, loud) = goal(here, &format!("‖g‖ ≤ {LOUD}"))? else {
            return Err(Stuck::new("no inequality"));
        };
        let sure = at_most_one(here, &op(Op::AtMost, [norm.clone(), loud.clone()]))?;
        let found = split(
            here,
            [&norm, &loud],
            |h, quiet| {
                let descent = descent(h, [near, quiet], &closer)?;
                let falls = format!("{next} ≤ {slow} + ({})", render::text(linear));
                let falls = show(h, &falls, &[(RATE, &[&descent])])?;
                let values = [term(h, &next)?, term(h, &slow)?, linear.clone()];
                let tilted =
                    { values.iter() }.try_fold(tilted(h)?, |every, x| instance(h, &every, x))?;
                let tilted = chain(h, &tilted, &falls)?;
                let parts: &[(&str, &[&Theorem])] =
                    &[("1", &[&tilted]), (&decay, &[&sure]), (&decay, &[&inside])];
                combined(h, &bound, parts)
            },
            |h, none| {
                let most = instance(h, &at_most(h)?, &term(h, &next)?)?;
                let parts: &[(&str, &[&Theorem])] =
                    &[(&decay, &[&most]), (&decay, &[none]), (&decay, &[&inside])];
                combined(h, &bound, parts)
            },
        )?;
        discharge(&discharge(&found)?)
    }

    /// The same from within the ball.
    fn kept(
        &self,
        h: &Context,
        wanted: &Goal,
        law: &Term,
        [near, placed, whole]: [&Theorem; 3],
    ) -> Proof {
        let drawn = &h.extended(item("g", space()))?;
        let a = term(h, "⟨(−4)·(L₁/(16·V·T))·√(T)·√(t + 1)·(w_j − w⋆_j) : j<d⟩")?;
        let Term::Bind(_, _, _, a) = a else {
            return Err(Stuck::new("no vector"));
        };
        let linear = sum("j", var("d"), (*a).clone() * at(&var("g"), &var("j")));
        let tilted = self.tilted(drawn, near, &linear)?;
        let tilted = instance(drawn, &tilted, &term(drawn, &projected(STEP))?)?;
        let placed = instance(drawn, placed, &var("g"))?;
        let moment = exponential_moment(&chain(drawn, &tilted, &placed)?, law, ("j", &a))?;
        let (slow, rest) = (
            term(h, &self.slow())?,
            term(drawn, &self.rest(&projected(STEP)))?,
        );
        let rest = bind(Binder::Expect, "g", law.clone(), rest);
        let tail = tail(h, law, &var("l"), None)?;
        let variance = term(h, "V")? * sum("j", var("d"), a.pow(2)) / num(2);
        let (split, unit) = (exp_sum(h, &slow, &variance)?, exp_of_opposite(h, &slow)?);
        let held = at_most_one(h, &term(h, &format!("𝟙({} ≤ r)", away("w")))?)?;
        let e = term(h, &self.exponent("t", "a", "w"))?;
        either(h, [&e, &num(0)], |h, order, low| {
            if !low {
                let one = chain(h, &instance(h, &certain(h)?, &e)?, order)?;
                let parts: &[(&str, &[&Theorem])] =
                    &[("1", &[whole]), ("1", &[&one]), ("1", &[&held])];
                return combined(h, wanted, parts);
            }
            let fits = chain(h, &instance(h, &fits(h)?, &e)?, order)?;
            let parts = vec![
                with(num(1), &held),
                with(num(1), &tail),
                with(slow.exp(), &moment),
                with(num(-1), &split),
                with(rest.clone(), &unit),
                with(num(1), &fits),
            ];
            combine(h, wanted.clone(), &parts)
        })
    }
}
