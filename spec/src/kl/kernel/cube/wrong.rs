//! How often the signs of an output are wrong, at least.

use super::near::Pair;
use super::{
    AFTER, ALL, BEFORE, CHANGED, COORDINATES, EQUAL, Privacy, Proof, SIGNS, STEP, UNCHANGED, UNIT,
    apart, index, mates, noise, same, told_for,
};
use crate::kl::kernel::told;
use crate::moved::written::{goal, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Theorem, discharge, exchange, expected, induction, instance, root_increases, sum_over, union,
};
use dp_assay_kernel::search::cases::split;
use dp_assay_kernel::search::size::{above_modulus, below_modulus, either};
use dp_assay_kernel::search::{assumed, item};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort};
use dp_assay_kernel::term::{num, var};

/// s(b, j)² = z(j).
pub(super) fn square(h: &Context, b: &str, j: &str) -> Proof {
    let (equal, signs) = (told_for(h, EQUAL, &[b])?, told_for(h, SIGNS, &[b])?);
    let l = &index(h, "ι", "n")?;
    let equal = instance(l, &instance(l, &equal, &var("ι"))?, &var(j))?;
    let signs = instance(l, &signs, &var("ι"))?;
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("(−1)·S[{b}][ι]"), &[&equal]),
        (&format!("P[ι][{j}]"), &[&signs]),
    ];
    let goal = format!("P[ι][{j}]·S[{b}][ι]·s({b}, {j}) = P[ι][{j}]");
    let all = sum_over(&show(l, &goal, parts)?)?;
    show(h, &format!("s({b}, {j})² = z({j})"), &[("1/k", &[&all])])
}

/// The data on the way from S\[α\] to S\[ν\], after t steps.
fn way(t: &str) -> String {
    format!("⟨S[α][l]·(1 − 2·P[l][o]·C[{t}][l]) : l<n⟩")
}

/// The half space where the sign of entry o is not that of the data.
pub(super) fn half(b: &str) -> String {
    format!("⟨s({b}, o)·𝟙[l=o] : l<d⟩")
}

/// In a context with α, ν and o: what is known of all records.
struct Way<'a> {
    h: &'a Context,
    privacy: Privacy,
    signs: Theorem,
    others: Theorem,
    unit: Theorem,
    begin: Theorem,
    end: Theorem,
}

impl<'a> Way<'a> {
    fn new(h: &'a Context, privacy: Privacy) -> Result<Self, Stuck> {
        Ok(Self {
            h,
            privacy,
            signs: told_for(h, SIGNS, &["α"])?,
            others: told_for(h, SIGNS, &["ν"])?,
            unit: told(h, UNIT)?,
            begin: told(h, UNCHANGED)?,
            end: told(h, CHANGED)?,
        })
    }

    /// An entry of S\[α\] is a sign.
    fn own(&self, h: &Context, goal: &Goal) -> Proof {
        let sign = instance(h, &self.signs, &var("i"))?;
        settle(h, goal, &[("1", &[&sign])])
    }

    /// An entry on the way is a sign, as those of C\[t\] are 0 or 1.
    fn sign(&self, h: &Context, goal: &Goal, (t, bits): (&str, &Theorem)) -> Proof {
        let [sign, unit, bits] =
            [&self.signs, &self.unit, bits].map(|all| instance(h, all, &var("i")));
        let parts: &[(&str, &[&Theorem])] = &[
            ("1", &[&sign?]),
            (
                &format!("4·S[α][i]²·C[{t}][i]²"),
                &[&instance(h, &unit?, &var("o"))?],
            ),
            ("4·S[α][i]²·P[i][o]", &[&bits?]),
        ];
        settle(h, goal, parts)
    }

    /// The entries of C\[t\] are 0 or 1 as they are all one of them, `all`.
    fn bits(&self, t: &str, all: &Theorem, factor: &str) -> Proof {
        let here = index(self.h, "i", "n")?;
        let one = instance(&here, all, &var("i"))?;
        let goal = format!("C[{t}][i]² = C[{t}][i]");
        discharge(&show(&here, &goal, &[(factor, &[&one])])?)
    }

    /// Record ι and what is known of it: its own sign, and whether it is about coordinate o.
    fn record(&self, h: &Context) -> Result<(Context, Theorem, Theorem), Stuck> {
        let here = index(h, "ι", "n")?;
        let [sign, unit] = [&self.signs, &self.unit].map(|all| instance(&here, all, &var("ι")));
        let unit = instance(&here, &unit?, &var("o"))?;
        Ok((here, sign?, unit))
    }

    /// π(data after t steps, g) ≤ π(data of α, g) + t·η.
    fn after(&self, t: &str) -> String {
        let (g, eta) = (half("α"), self.privacy.eta());
        format!("π({}, {g}) ≤ π(S[α], {g}) + ({t})·{eta}", way(t))
    }

    /// At the beginning nothing has changed.
    fn start(&self) -> Proof {
        let (here, ..) = self.record(self.h)?;
        let zero = instance(&here, &self.begin, &var("ι"))?;
        let square = "4·S[α][ι]²·P[ι][o]²·C[0][ι]";
        let none = show(&here, &format!("{square}² = 0"), &[(square, &[&zero])])?;
        let (none, first) = (sum_over(&none)?, way("0"));
        let bits = self.bits("0", &self.begin, "C[0][i] − 1")?;
        let pair = Pair {
            data: [&first, "S[α]"],
            signs: [&|h, goal| self.sign(h, goal, ("0", &bits)), &|h, goal| {
                self.own(h, goal)
            }],
            near: &|h, goal| settle(h, goal, &[("1", &[&none])]),
        };
        let same = pair.instance(self.h, &same(), &half("α"))?;
        show(self.h, &self.after("0"), &[("1", &[&same])])
    }

    /// If it holds after h steps, then after one more, in which one record of the coordinate changes.
    fn step(&self) -> Proof {
        let here = &index(self.h, "h", "k")?;
        let now = goal(here, &self.after("h"))?;
        let here = &here.extended(Item::Assume(now.clone()))?;
        let now = assumed(here, &now)?;
        let [before, after] = [BEFORE, AFTER].map(|text| told_for(here, text, &["h"]));
        let (before, after) = (before?, after?);
        let one = told_for(here, STEP, &["h", "o"])?;
        let (each, sign, in_o) = self.record(here)?;
        let moved = "(C[h + 1][ι] − C[h][ι])²";
        let parts: &[(&str, &[&Theorem])] =
            &[(&format!("P[ι][o]²·{moved}"), &[&sign]), (moved, &[&in_o])];
        let goal = format!("S[α][ι]²·P[ι][o]²·{moved} = P[ι][o]·{moved}");
        let all = sum_over(&show(&each, &goal, parts)?)?;
        let (next, this) = (way("h + 1"), way("h"));
        let pair = Pair {
            data: [&next, &this],
            signs: [
                &|h, goal| self.sign(h, goal, ("h + 1", &after)),
                &|h, goal| self.sign(h, goal, ("h", &before)),
            ],
            near: &|h, goal| settle(h, goal, &[("4", &[&all]), ("4", &[&one])]),
        };
        let near = self.privacy.near(here, &pair, &half("α"))?;
        let parts: &[(&str, &[&Theorem])] = &[("1", &[&now]), ("1", &[&near])];
        discharge(&show(here, &self.after("h + 1"), parts)?)
    }

    /// At the end all have changed: these are the data of ν.
    fn finish(&self, mate: &Theorem) -> Proof {
        let (each, _, in_o) = self.record(self.h)?;
        let done = instance(&each, &self.end, &var("ι"))?;
        let parts: &[(&str, &[&Theorem])] = &[
            (
                "4·P[ι][o]·S[ν][ι]·S[α][ι] + 4·S[α][ι]²·P[ι][o]·C[k][ι]",
                &[&done],
            ),
            ("4·S[α][ι]²·C[k][ι]²", &[&in_o]),
        ];
        let goal = "(S[ν][ι] − S[α][ι]·(1 − 2·P[ι][o]·C[k][ι]))² = (1 − P[ι][o])·(S[ν][ι] − \
            S[α][ι])² + P[ι][o]·(S[ν][ι] + S[α][ι])²";
        let (all, last) = (sum_over(&show(&each, goal, parts)?)?, way("k"));
        let bits = self.bits("k", &self.end, "C[k][i]")?;
        let pair = Pair {
            data: ["S[ν]", &last],
            signs: [
                &|h, goal| {
                    let sign = instance(h, &self.others, &var("i"))?;
                    settle(h, goal, &[("1", &[&sign])])
                },
                &|h, goal| self.sign(h, goal, ("k", &bits)),
            ],
            near: &|h, goal| settle(h, goal, &[("1", &[&all]), ("1", &[mate])]),
        };
        pair.instance(self.h, &same(), &half("α"))
    }
}

/// π(data of ν, g) ≤ π(data of α, g) + k·η for the half space g of α, in a context with α, ν, o and that they differ in o only.
fn across(h: &Context, privacy: Privacy, mate: &Theorem) -> Proof {
    let way = Way::new(h, privacy)?;
    let changed = induction(&way.start()?, &way.step()?)?;
    let (g, eta) = (half("α"), privacy.eta());
    let goal = format!("π(S[ν], {g}) ≤ π(S[α], {g}) + k·({eta})");
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&way.finish(mate)?]), ("1", &[&changed])];
    show(h, &goal, parts)
}

/// s(α, o) + s(ν, o) ≤ 0 and ≥ 0, in such a context.
fn opposite(h: &Context, mate: &Theorem) -> Result<[Theorem; 2], Stuck> {
    let [first, second] = ["α", "ν"].map(|b| square(h, b, "o"));
    let (first, second) = (first?, second?);
    let signs = ["α", "ν"].map(|b| told_for(h, SIGNS, &[b]));
    let [own, other] = signs;
    let (own, other, equal, unit) = (own?, other?, told_for(h, EQUAL, &["ν"])?, told(h, UNIT)?);
    let l = &index(h, "ι", "n")?;
    let at = |all: &Theorem| instance(l, all, &var("ι"));
    let (own, other) = (at(&own)?, at(&other)?);
    let equal = instance(l, &at(&equal)?, &var("o"))?;
    let unit = instance(l, &at(&unit)?, &var("o"))?;
    // What is wrong in coordinate o is part of how far they are apart.
    let goal = "2·P[ι][o] + 2·s(ν, o)·P[ι][o]·S[α][ι] ≤ (1 − P[ι][o])·(S[ν][ι] − S[α][ι])² + \
        P[ι][o]·(S[ν][ι] + S[α][ι])²";
    let parts: &[(&str, &[&Theorem])] = &[
        ("(1 − P[ι][o])²·(S[ν][ι] − S[α][ι])²", &[]),
        ("(S[ν][ι] − S[α][ι])²", &[&unit]),
        ("(−1)·P[ι][o]", &[&own]),
        ("(−1)·P[ι][o]", &[&other]),
        ("(−2)·S[α][ι]", &[&equal]),
    ];
    let all = sum_over(&show(l, goal, parts)?)?;
    let t = "(s(α, o) + s(ν, o))";
    let parts: &[(&str, &[&Theorem])] = &[
        ("1/k", &[&all]),
        ("1/k", &[mate]),
        ("1", &[&first]),
        ("1", &[&second]),
    ];
    let small = root_increases(&show(h, &format!("{t}² ≤ 0²"), parts)?)?;
    let sum = term(h, t)?;
    let (up, down) = (below_modulus(h, &sum)?, above_modulus(h, &sum)?);
    let up = show(h, &format!("{t} ≤ 0"), &[("1", &[&up]), ("1", &[&small])])?;
    let down = show(h, &format!("0 ≤ {t}"), &[("1", &[&down]), ("1", &[&small])])?;
    Ok([up, down])
}

/// With the data of ν, an output is on one of the two wrong sides, in such a context.
fn somewhere(h: &Context, mate: &Theorem) -> Proof {
    let [up, down] = opposite(h, mate)?;
    let inner = &h.extended(item("ξ", Sort::Vector(var("e"), Sign::Any)))?;
    let w = "clip(A(S[ν], ξ), a)[o]";
    let [low, high] = ["α", "ν"].map(|b| format!("s({b}, o)·{w} ≤ 0"));
    let wanted = goal(inner, &format!("1 ≤ 𝟙({low}) + 𝟙({high})"))?;
    let sides = [&term(inner, &format!("s(α, o)·{w}"))?, &num(0)];
    let found = either(inner, sides, |h, case, below| {
        if below {
            let sure = union(&show(h, &low, &[("1", &[case])])?)?;
            return settle(h, &wanted, &[("1", &[&sure]), (&format!("𝟙({high})"), &[])]);
        }
        let sign = either(h, [&term(h, w)?, &num(0)], |h, side, negative| {
            let sum = if negative { &down } else { &up };
            show(h, &high, &[("1", &[case]), ("1", &[sum, side])])
        })?;
        let sure = union(&sign)?;
        settle(h, &wanted, &[("1", &[&sure]), (&format!("𝟙({low})"), &[])])
    })?;
    let found = expected(&found, &noise())?;
    let goal = format!("1 ≤ π(S[ν], {}) + π(S[ν], {})", half("α"), half("ν"));
    show(h, &goal, &[("1", &[&found])])
}

/// M·(1 − k·η) ≤ 2·Σ_b π(data of b, its half space), for coordinate o of the context.
fn coordinate(h: &Context, privacy: Privacy) -> Proof {
    let few = privacy.few(h)?;
    let less = format!("(1 − k·({}))", privacy.eta());
    let wrong = |b: &str| format!("π(S[{b}], {})", half(b));
    let mates = told(h, &mates())?;
    let one = &index(h, "α", "M")?;
    let two = &index(one, "ν", "M")?;
    let (x, all) = (apart("α", "ν", "o"), [wrong("α"), wrong("ν")]);
    let event = format!("𝟙({x} ≤ 0)");
    let wanted = goal(
        two,
        &format!("{event}·{less} ≤ {event}·({} + {})", all[0], all[1]),
    )?;
    let mated = |h: &Context, mate: &Theorem| {
        let (across, somewhere) = (across(h, privacy, mate)?, somewhere(h, mate)?);
        let parts: &[(&str, &[&Theorem])] = &[(&event, &[&across]), (&event, &[&somewhere])];
        settle(h, &wanted, parts)
    };
    let apart_from = |h: &Context, none: &Theorem| {
        let both = format!("{event}·({} + {})", all[0], all[1]);
        let parts: &[(&str, &[&Theorem])] = &[(&both, &[]), ("1", &[none, &few]), ("1/4", &[none])];
        settle(h, &wanted, parts)
    };
    let found = split(two, [&term(two, &x)?, &num(0)], mated, apart_from)?;
    let found = sum_over(&sum_over(&found)?)?;
    let mate = instance(one, &instance(one, &mates, &var("α"))?, &var("o"))?;
    let sums = |share: &str| {
        let event = format!("Σ_{{c<M}} 𝟙({} ≤ 0)", apart("α", "c", "o"));
        let goal = format!("{share}·({event}) = {share}");
        sum_over(&show(one, &goal, &[(share, &[&mate])])?)
    };
    let [count, sum] = [&less, &all[0]].map(|share| sums(share));
    let (count, sum) = (count?, sum?);
    let [b, c] = ["b", "c"].map(|x| (x, var("M")));
    let here = h.with([b.0, c.0].map(|x| item(x, Sort::Index(var("M")))))?;
    let body = term(
        &here,
        &format!("𝟙({} ≤ 0)·{}", apart("b", "c", "o"), wrong("c")),
    )?;
    let turned = exchange(h, (b.0, &b.1), (c.0, &c.1), &body)?;
    let goal = format!("M·{less} ≤ 2·(Σ_{{b<M}} {})", wrong("b"));
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&found]),
        ("(−1)", &[&count]),
        ("2", &[&sum]),
        ("1", &[&turned]),
    ];
    show(h, &goal, parts)
}

/// M·r·(1 − k·η) ≤ 2·Σ_j z(j)·Σ_b π(data of b, its half space of j).
pub(super) fn wrong(h: &Context, privacy: Privacy) -> Proof {
    let here = &index(h, "o", "d")?;
    let one = coordinate(here, privacy)?;
    let all = instance(here, &told(h, ALL)?, &var("o"))?;
    let sum = format!("2·(Σ_{{b<M}} π(S[b], {}))", half("b"));
    let less = format!("M·(1 − k·({}))", privacy.eta());
    let parts: &[(&str, &[&Theorem])] =
        &[("z(o)²", &[&one]), (&format!("{sum} − {less}"), &[&all])];
    let each = show(here, &format!("z(o)·{less} ≤ z(o)·{sum}"), parts)?;
    let each = sum_over(&each)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&each]),
        (&format!("(−1)·{less}"), &[&told(h, COORDINATES)?]),
    ];
    let goal = format!(
        "r·{less} ≤ 2·(Σ_{{o<d}} z(o)·(Σ_{{b<M}} π(S[b], {})))",
        half("b")
    );
    show(h, &goal, parts)
}
