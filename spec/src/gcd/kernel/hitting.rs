//! `gcd-lem-B.4`: a sequence that falls until it is near its level, and then stays there.
//!
//! C is c₀, u is √(βC) and a_t = 1/c_t, so that c_t > 0. D_t is 1 from t⋆ on and before it 0: it rises from 0 at the first index after 0 where ξ_t ≤ 2u.
//! E_t is the largest of 0 and of the rises ξ_{s+1} − ξ_s, s < t, before t⋆.

use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, at_most_one, discharge, induction, instance, larger, largest, root_increases, union,
};
use dp_assay_kernel::search::cases::{absurd, apply, beyond, split};
use dp_assay_kernel::search::several::{join, joined, part};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{assumed, item};
use dp_assay_kernel::statement::{Context, Goal, Item, Sort, Statement};
use dp_assay_kernel::term::{Term, num, var};

/// `gcd-lem-B.4`, of every T: c_T ≤ c₀; no rise before t⋆, and at most 2u from t⋆ on, which is ⌈ξ₀/(3β)⌉ at the latest; ξ_T ≤ c₀/T + 2u.
pub fn lemma_b_4() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer T ≥ 1
           real β > 0
           real C > 0
           assume β ≤ C
           define u := √(β·C)
           sequence ξ in ℝ^1
           sequence c in ℝ^1
           sequence a in ℝ^1
           index o<1
           assume c[0][o] = C
           assume for every index t<T: 0 ≤ a_t[o]
           assume for every index t<T: a_t[o]·c_t[o] = 1
           assume for every index t<T: if ξ_t[o] ≤ ξ[0][o]: c_t[o] ≤ C
           assume if ξ_T[o] ≤ ξ[0][o]: c_T[o] ≤ C
           assume for every index t<T: ξ[t + 1][o] ≤ ξ_t[o] − a_t[o]·ξ_t[o]² + β
           assume 2·u ≤ ξ[0][o]
           sequence D in ℝ^1
           assume D[0][o] = 0
           assume for every index t<T: D[t + 1][o] = max(D_t[o], 𝟙(ξ[t + 1][o] ≤ 2·u))
           sequence E in ℝ^1
           assume E[0][o] = 0
           assume for every index t<T: E[t + 1][o] = max(E_t[o], (1 − D_t[o])·(ξ[t + 1][o] − \
               ξ_t[o]))
         holds
           c_T[o] ≤ C; for every index t<T: D_t[o] ≤ D[t + 1][o]; D_T[o]² ≤ D_T[o]; D_T[o] ≤ \
               D_T[o]²; E_T[o] ≤ 0; if 1 ≤ D_T[o]: ξ_T[o] ≤ 2·u; if ξ[0][o] ≤ 3·β·T: 1 ≤ D_T[o]; \
               ξ_T[o] ≤ C/T + 2·u",
    )
}

/// What is at most 0 at index k.
fn sides(h: &Context, k: &Term) -> Result<Vec<Term>, Stuck> {
    let inner = &h.extended(item("l", Sort::Index(var("T"))))?;
    let all = [
        "ξ_l[o] − ξ[0][o]",
        "D_l[o]² − D_l[o]",
        "D_l[o] − D_l[o]²",
        "D_l[o]·(ξ_l[o] − 2·u)",
        "(1 − D_l[o])·(2·u − ξ_l[o])",
        "(1 − D_l[o])·(ξ_l[o] + 3·β·l − ξ[0][o])",
        "(1 − D_l[o])·(l·(ξ_l[o] − u) − C)",
        "E_l[o]",
    ];
    let at = |text: &&str| Ok(term(inner, text)?.put("l", k));
    all.iter().map(at).collect()
}

/// What is known at an index: the sides above, and the text of its entries.
struct At {
    known: Vec<Theorem>,
    k: &'static str,
}

impl At {
    fn new(h: &Context, k: &'static str, all: &Theorem) -> Result<Self, Stuck> {
        let sides = sides(h, &var(k))?;
        let known = (0..sides.len()).map(|i| part(h, &sides, all, i));
        let known = known.collect::<Result<_, _>>()?;
        Ok(Self { known, k })
    }

    fn text(&self, text: &str) -> String {
        text.replace('#', self.k)
    }

    fn show(&self, h: &Context, goal: &str, parts: &[(&str, &[&Theorem])]) -> Proof {
        let texts: Vec<String> = parts.iter().map(|(text, _)| self.text(text)).collect();
        let parts = texts
            .iter()
            .zip(parts)
            .map(|(text, (_, facts))| (text.as_str(), *facts));
        show(h, &self.text(goal), &parts.collect::<Vec<_>>())
    }

    /// A goal for D ≤ 0 with 0 ≤ D, and for 1 ≤ D with D ≤ 1: one of the two holds.
    fn bit(
        &self,
        h: &Context,
        zero: impl Fn(&Context, [&Theorem; 2]) -> Proof,
        one: impl Fn(&Context, [&Theorem; 2]) -> Proof,
    ) -> Proof {
        let (less, more) = (&self.known[1], &self.known[2]);
        let low = self.show(h, "0 ≤ D_#[o]", &[("1", &[less]), ("D_#[o]²", &[])])?;
        let high = self.show(h, "D_#[o] ≤ 1", &[("1", &[less]), ("(1 − D_#[o])²", &[])])?;
        let ends = [&term(h, &self.text("D_#[o]"))?, &term(h, "1/2")?];
        either(h, ends, |here, order, small| {
            if small {
                let parts: &[(&str, &[&Theorem])] = &[("2", &[more]), ("2", &[&low, order])];
                return zero(here, [&low, &self.show(here, "D_#[o] ≤ 0", parts)?]);
            }
            let parts: &[(&str, &[&Theorem])] = &[("2", &[more]), ("2", &[&high, order])];
            one(here, [&self.show(here, "1 ≤ D_#[o]", parts)?, &high])
        })
    }

    /// ξ − 2u ≤ 0 where D is 1.
    fn near(&self, h: &Context, bit: [&Theorem; 2]) -> Proof {
        let y = self.text("(ξ_#[o] − 2·u)");
        let rest = without(h, &self.text("D_#[o]"), &y, bit)?;
        let parts: &[(&str, &[&Theorem])] = &[("1", &[&self.known[3]]), ("1", &[&rest])];
        show(h, &format!("{y} ≤ 0"), parts)
    }

    /// y ≤ 0 from side i, (1 − D)·y ≤ 0, where D is 0.
    fn open(&self, h: &Context, y: &str, i: usize, [low, high]: [&Theorem; 2]) -> Proof {
        let [first, second] = [format!("({y} − 1)²/4"), format!("({y} + 1)²/4")];
        let parts: &[(&str, &[&Theorem])] = &[
            ("1", &[&self.known[i]]),
            (&first, &[low]),
            (&second, &[high]),
        ];
        self.show(h, &format!("{y} ≤ 0"), parts)
    }
}

/// f·y ≤ 0 for f that is 0.
fn nothing(h: &Context, f: &str, y: &str, [low, high]: [&Theorem; 2]) -> Proof {
    let [first, second] = [format!("({y} − 1)²/4"), format!("({y} + 1)²/4")];
    show(
        h,
        &format!("({f})·({y}) ≤ 0"),
        &[(&first, &[low]), (&second, &[high])],
    )
}

/// (1 − f)·y ≤ 0 for f that is 1.
fn without(h: &Context, f: &str, y: &str, [low, high]: [&Theorem; 2]) -> Proof {
    let low = show(h, &format!("1 − {f} ≤ 0"), &[("1", &[low])])?;
    let high = show(h, &format!("0 ≤ 1 − {f}"), &[("1", &[high])])?;
    nothing(h, &format!("1 − {f}"), y, [&high, &low])
}

/// ξ_{k+1} ≤ ξ_k − 3β from 2u ≤ ξ_k, and 1 ≤ a_kC.
fn falls(h: &Context, high: &Theorem, next: &Theorem, steep: &Theorem) -> Proof {
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[next]),
        ("ξ_k[o]²/C", &[steep]),
        ("1/C", &[high, high]),
        ("4·u/C", &[high]),
    ];
    show(h, "ξ[k + 1][o] ≤ ξ_k[o] − 3·β", parts)
}

/// ξ_{k+1} ≤ 2u from ξ_k ≤ 2u.
fn stays(h: &Context, low: &Theorem, next: &Theorem, steep: &Theorem) -> Proof {
    let small = root_increases(&show(h, "β² ≤ β·C", &[("β", &[&given(h, 0)?])])?)?;
    let ends = [&term(h, "ξ_k[o]")?, &term(h, "u")?];
    either(h, ends, |here, order, below| {
        let goal = "ξ[k + 1][o] ≤ 2·u";
        let parts: &[(&str, &[&Theorem])] = match below {
            true => &[
                ("1", &[next]),
                ("ξ_k[o]²/C", &[steep]),
                ("ξ_k[o]²/C", &[]),
                ("1", &[order]),
                ("1", &[&small]),
            ],
            false => &[
                ("1", &[next]),
                ("ξ_k[o]²/C", &[steep]),
                ("1/C", &[order, order]),
                ("2·u/C", &[order]),
                ("1", &[low]),
            ],
        };
        show(here, goal, parts)
    })
}

/// (k + 1)·(ξ_{k+1} − u) ≤ C from k·(ξ_k − u) ≤ C and u ≤ ξ_k.
fn harmonic(
    h: &Context,
    slow: &Theorem,
    above: &Theorem,
    next: &Theorem,
    steep: &Theorem,
) -> Proof {
    let x = "(ξ_k[o] − u)";
    let parts: &[(&str, &[&Theorem])] =
        &[("1", &[next]), ("ξ_k[o]²/C", &[steep]), ("2·u/C", &[above])];
    let once = show(h, &format!("ξ[k + 1][o] − u ≤ {x} − {x}²/C"), parts)?;
    let ends = [&term(h, x)?, &term(h, "C")?];
    either(h, ends, |here, order, small| {
        let goal = "(k + 1)·(ξ[k + 1][o] − u) − C ≤ 0";
        let square = format!("{x}²/C");
        let parts: &[(&str, &[&Theorem])] = match small {
            true => &[("k + 1", &[&once]), ("1/C", &[slow, order]), (&square, &[])],
            false => &[
                ("k + 1", &[&once]),
                ("(k + 1)/C", &[above, order]),
                ("C", &[]),
            ],
        };
        show(here, goal, parts)
    })
}

/// The step from k to k + 1, of which all is known.
fn step(k: &Context, now: &At) -> Proof {
    let of = |n| instance(k, &given(k, n)?, &var("k"));
    let (low, unit, next, more, rises) = (of(2)?, of(3)?, of(6)?, of(9)?, of(11)?);
    let inside = now.show(k, "ξ_#[o] ≤ ξ[0][o]", &[("1", &[&now.known[0]])])?;
    let wide = apply(k, &of(4)?, &inside)?;
    let steep = show(
        k,
        "1 ≤ a_k[o]·C",
        &[("1", &[&low, &wide]), ("(−1)", &[&unit])],
    )?;
    let ends = [&term(k, "ξ[k + 1][o]")?, &term(k, "2·u")?];
    let goal = Goal::Le(joined(&sides(k, &term(k, "k + 1")?)?)?, num(0));
    let start = given(k, 7)?;
    // What is so if no round rose, D[k + 1] being 0 or 1.
    let rest = |here: &Context, rise: &Theorem, facts: Vec<Theorem>| {
        let last = largest(
            &now.show(here, "E_#[o] ≤ 0", &[("1", &[&now.known[7]])])?,
            rise,
        )?;
        let last = show(
            here,
            "E[k + 1][o] ≤ 0",
            &[("1", &[&last]), ("1", &[&rises])],
        )?;
        let all = sides(here, &term(here, "k + 1")?)?;
        let facts = facts.into_iter().chain([last]).zip(all);
        let facts =
            facts.map(|(fact, side)| settle(here, &Goal::Le(side, num(0)), &[("1", &[&fact])]));
        join(facts.collect::<Result<_, _>>()?)
    };
    let (i, f) = ("𝟙(ξ[k + 1][o] ≤ 2·u)", "D[k + 1][o]");
    let risen = "(1 − D_k[o])·(ξ[k + 1][o] − ξ_k[o])";
    let hit = |here: &Context, fact: &Theorem, rise: &Theorem| {
        let (sure, most) = (union(fact)?, at_most_one(here, &term(here, i)?)?);
        let above = larger(here, &term(here, "D_k[o]")?, &term(here, i)?, true)?;
        let one = show(
            here,
            &format!("1 ≤ {f}"),
            &[("1", &[&sure]), ("1", &[&above]), ("(−1)", &[&more])],
        )?;
        let small = now.show(
            here,
            "D_#[o] ≤ 1",
            &[("1", &[&now.known[1]]), ("(1 − D_#[o])²", &[])],
        )?;
        let most = largest(&small, &most)?;
        let most = show(
            here,
            &format!("{f} ≤ 1"),
            &[("1", &[&most]), ("1", &[&more])],
        )?;
        let rest_of = |y: &str| without(here, f, y, [&one, &most]);
        rest(
            here,
            rise,
            vec![
                show(
                    here,
                    "ξ[k + 1][o] − ξ[0][o] ≤ 0",
                    &[("1", &[fact]), ("1", &[&start])],
                )?,
                show(
                    here,
                    &format!("{f}² − {f} ≤ 0"),
                    &[("1", &[&one, &most]), ("1", &[&most])],
                )?,
                show(
                    here,
                    &format!("{f} − {f}² ≤ 0"),
                    &[(&format!("({f} − 1)²"), &[]), ("1", &[&one])],
                )?,
                show(
                    here,
                    &format!("{f}·(ξ[k + 1][o] − 2·u) ≤ 0"),
                    &[("1", &[&one, fact]), ("1", &[fact])],
                )?,
                rest_of("(2·u − ξ[k + 1][o])")?,
                rest_of("(ξ[k + 1][o] + 3·β·(k + 1) − ξ[0][o])")?,
                rest_of("((k + 1)·(ξ[k + 1][o] − u) − C)")?,
            ],
        )
    };
    let zero = |here: &Context, bit: [&Theorem; 2]| {
        let high = now.open(here, "(2·u − ξ_#[o])", 4, bit)?;
        let high = show(here, "2·u ≤ ξ_k[o]", &[("1", &[&high])])?;
        let falls = falls(here, &high, &next, &steep)?;
        let less = format!("{risen} ≤ 0");
        let still = nothing(here, "D_k[o]", "(ξ_k[o] − ξ[k + 1][o])", bit)?;
        let rise = show(here, &less, &[("1", &[&falls]), ("1", &[&still])])?;
        let late = now.open(here, "(ξ_#[o] + 3·β·# − ξ[0][o])", 5, bit)?;
        let slow = now.open(here, "(#·(ξ_#[o] − u) − C)", 6, bit)?;
        let above = show(here, "u ≤ ξ_k[o]", &[("1", &[&high])])?;
        let slow = harmonic(here, &slow, &above, &next, &steep)?;
        split(
            here,
            ends,
            |here, fact| hit(here, fact, &rise),
            |here, none| {
                let over = beyond(here, none)?;
                let first = larger(here, &term(here, "D_k[o]")?, &term(here, i)?, false)?;
                let least = show(
                    here,
                    &format!("0 ≤ {f}"),
                    &[("1", &[&first]), ("1", &[bit[0]]), ("(−1)", &[&more])],
                )?;
                let most = largest(&show(here, "D_k[o] ≤ 0", &[("1", &[bit[1]])])?, none)?;
                let most = show(
                    here,
                    &format!("{f} ≤ 0"),
                    &[("1", &[&most]), ("1", &[&more])],
                )?;
                let bounds = [&least, &most];
                let kept = |y: &str, fact: &Theorem| {
                    let none = nothing(here, f, &format!("((−1)·{y})"), bounds)?;
                    show(
                        here,
                        &format!("(1 − {f})·{y} ≤ 0"),
                        &[("1", &[fact]), ("1", &[&none])],
                    )
                };
                rest(
                    here,
                    &rise,
                    vec![
                        show(
                            here,
                            "ξ[k + 1][o] − ξ[0][o] ≤ 0",
                            &[("1", &[&falls]), ("1", &[&inside])],
                        )?,
                        show(
                            here,
                            &format!("{f}² − {f} ≤ 0"),
                            &[("1", &[&least, &most]), ("1", &[&least])],
                        )?,
                        show(
                            here,
                            &format!("{f} − {f}² ≤ 0"),
                            &[(&format!("{f}²"), &[]), ("1", &[&most])],
                        )?,
                        nothing(here, f, "(ξ[k + 1][o] − 2·u)", bounds)?,
                        kept(
                            "(2·u − ξ[k + 1][o])",
                            &show(here, "2·u − ξ[k + 1][o] ≤ 0", &[("1", &[&over])])?,
                        )?,
                        kept(
                            "(ξ[k + 1][o] + 3·β·(k + 1) − ξ[0][o])",
                            &show(
                                here,
                                "ξ[k + 1][o] + 3·β·(k + 1) − ξ[0][o] ≤ 0",
                                &[("1", &[&falls]), ("1", &[&late])],
                            )?,
                        )?,
                        kept("((k + 1)·(ξ[k + 1][o] − u) − C)", &slow)?,
                    ],
                )
            },
        )
    };
    let one = |here: &Context, bit: [&Theorem; 2]| {
        let low = show(here, "ξ_k[o] ≤ 2·u", &[("1", &[&now.near(here, bit)?])])?;
        let low = stays(here, &low, &next, &steep)?;
        let rise = without(here, "D_k[o]", "(ξ[k + 1][o] − ξ_k[o])", bit)?;
        split(
            here,
            ends,
            |here, fact| hit(here, fact, &rise),
            |here, none| {
                let nonsense = show(here, "1 ≤ 0", &[("1", &[&union(&low)?]), ("1", &[none])])?;
                absurd(here, &nonsense, &goal)
            },
        )
    };
    now.bit(k, zero, one)
}

/// The proof of [`lemma_b_4`], or of a statement with larger constants.
pub fn prove_lemma_b_4(statement: &Statement) -> Proof {
    let h = &statement.context;
    let (flag, rise, start) = (given(h, 8)?, given(h, 10)?, given(h, 7)?);
    let parts: [&[(&str, &[&Theorem])]; 8] = [
        &[],
        &[("D[0][o] − 1", &[&flag])],
        &[("1 − D[0][o]", &[&flag])],
        &[("ξ[0][o] − 2·u", &[&flag])],
        &[("1", &[&start]), ("ξ[0][o] − 2·u", &[&flag])],
        &[],
        &[("C", &[]), ("C", &[&flag])],
        &[("1", &[&rise])],
    ];
    let first = sides(h, &num(0))?.into_iter().zip(parts);
    let first = first.map(|(side, parts)| settle(h, &Goal::Le(side, num(0)), parts));
    let first = join(first.collect::<Result<_, _>>()?)?;
    let k = &h.extended(item("k", Sort::Index(var("T"))))?;
    let known = Goal::Le(joined(&sides(k, &var("k"))?)?, num(0));
    let inner = &k.extended(Item::Assume(known.clone()))?;
    let now = At::new(inner, "k", &assumed(inner, &known)?)?;
    let all = induction(&first, &discharge(&step(inner, &now)?)?)?;
    let end = At::new(h, "T", &all)?;
    let side = |h: &Context, goal: &Goal, i: usize| settle(h, goal, &[("1", &[&end.known[i]])]);
    each(
        statement,
        &[
            &|h, goal| {
                let inside = show(h, "ξ_T[o] ≤ ξ[0][o]", &[("1", &[&end.known[0]])])?;
                settle(h, goal, &[("1", &[&apply(h, &given(h, 5)?, &inside)?])])
            },
            &|t, goal| {
                let more = instance(t, &given(h, 9)?, &var("t"))?;
                let event = term(t, "𝟙(ξ[t + 1][o] ≤ 2·u)")?;
                let above = larger(t, &term(t, "D_t[o]")?, &event, false)?;
                settle(t, goal, &[("1", &[&above]), ("(−1)", &[&more])])
            },
            &|h, goal| side(h, goal, 1),
            &|h, goal| side(h, goal, 2),
            &|h, goal| side(h, goal, 7),
            &|h, goal| {
                let less = end.show(
                    h,
                    "D_#[o] ≤ 1",
                    &[("1", &[&end.known[1]]), ("(1 − D_#[o])²", &[])],
                )?;
                let near = end.near(h, [&given(h, 12)?, &less])?;
                settle(h, goal, &[("1", &[&near])])
            },
            &|h, goal| {
                let zero = |here: &Context, bit: [&Theorem; 2]| {
                    let late = end.open(here, "(ξ_#[o] + 3·β·# − ξ[0][o])", 5, bit)?;
                    let high = end.open(here, "(2·u − ξ_#[o])", 4, bit)?;
                    let scale = "1/(2·u)";
                    let parts: &[(&str, &[&Theorem])] = &[
                        (scale, &[&late]),
                        (scale, &[&high]),
                        (scale, &[&given(h, 12)?]),
                    ];
                    absurd(here, &show(here, "1 ≤ 0", parts)?, goal)
                };
                end.bit(h, zero, |here, bit| settle(here, goal, &[("1", &[bit[0]])]))
            },
            &|h, goal| {
                let zero = |here: &Context, bit: [&Theorem; 2]| {
                    let slow = end.open(here, "(#·(ξ_#[o] − u) − C)", 6, bit)?;
                    settle(here, goal, &[("1/T", &[&slow])])
                };
                let one = |here: &Context, bit: [&Theorem; 2]| {
                    settle(here, goal, &[("1", &[&end.near(here, bit)?])])
                };
                end.bit(h, zero, one)
            },
        ],
    )
}
