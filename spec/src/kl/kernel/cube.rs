//! Data sets of signs between which a private algorithm errs in every coordinate, for lower bounds with √d (Assouad's lemma; Acharya, Sun
//! and Zhang 2021, Differentially Private Assouad, Fano, and Le Cam, ALT, Thm 3).
//!
//! Record i is its sign times `P[i]`, a unit vector or 0, which everybody may know; of r coordinates k records each are about, of the others
//! none. `S[0]` … `S[M − 1]` are sets of signs that are the same for all records of a coordinate, and with each of them there is, once, that with
//! the other sign in a coordinate: so are all 2^r for M = 2^r. From one to the other k records change, in the order that C says: `C[t]` is 1 where
//! a record has changed after t steps. A mechanism is a map of the signs and of noise, with values in the ball W of radius a.

pub mod bounds;

use super::told;
use crate::moved::written::{goal, inside, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Theorem, at_most_one, chain, discharge, exchange, exp_sum, expected, induction, instance,
    root_increases, sum_over, tangent, union,
};
use dp_assay_kernel::search::cases::split;
use dp_assay_kernel::search::exp::exp_of_opposite;
use dp_assay_kernel::search::size::{above_modulus, below_modulus, either};
use dp_assay_kernel::search::{assumed, item};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort};
use dp_assay_kernel::term::{Op, Term, num, op, var};

type Proof = Result<Theorem, Stuck>;

/// Whether one replacement costs (ε, δ) or ρ.
#[derive(Clone, Copy)]
pub(super) enum Privacy {
    /// (ε, δ)-DP.
    Approximate,
    /// ρ-zCDP, of which the Rényi divergence of order 2 is used.
    Concentrated,
}

/// What is said of two sets of signs at a distance, π(u, g) being the probability of a half space with data u.
fn between(far: &str, says: &str) -> String {
    format!(
        "for every vector u ∈ ℝ^n: for every vector v ∈ ℝ^n: if for every index i<n: u_i² = 1: if for every index i<n: v_i² = 1: if Σ_{{i<n}} (u_i − v_i)² ≤ {far}: for every vector g ∈ ℝ^d: {says}"
    )
}

impl Privacy {
    /// The numbers: k is as large as privacy lets so many changes go unnoticed.
    fn numbers(self) -> &'static str {
        match self {
            Self::Approximate => {
                "
  real ε > 0
  real δ ≥ 0
  assume 24·δ ≤ ε
  assume 3 ≤ 8·k·ε
  assume 8·k·ε ≤ 9"
            }
            Self::Concentrated => {
                "
  real ρ > 0
  assume 4·ρ ≤ 1
  assume 1 ≤ 4·k·√(ρ)
  assume 4·k·√(ρ) ≤ 3"
            }
        }
    }

    /// By how much one change moves a probability, at most.
    fn eta(self) -> &'static str {
        match self {
            Self::Approximate => "(2/3)·ε",
            Self::Concentrated => "√(ρ)",
        }
    }

    /// What is supposed of the mechanism, for the event that its value is in a half space and for its complement.
    fn says(self) -> Vec<String> {
        let all: &[&str] = match self {
            Self::Approximate => &[
                "π(u, g) ≤ exp(ε)·π(v, g) + δ",
                "1 − π(u, g) ≤ exp(ε)·(1 − π(v, g)) + δ",
            ],
            Self::Concentrated => &["(π(u, g) − π(v, g))² ≤ (exp(2·ρ) − 1)·π(v, g)·(1 − π(v, g))"],
        };
        all.iter().map(|says| between("4", says)).collect()
    }

    /// π(x, g) ≤ π(y, g) + η for neighbours.
    fn near(self, h: &Context, pair: &Pair<'_>, g: &str) -> Proof {
        let [x, y] = pair.data;
        let wanted = goal(h, &format!("π({x}, {g}) ≤ π({y}, {g}) + {}", self.eta()))?;
        let says = self.says();
        let first = pair.instance(h, &says[0], g)?;
        match self {
            Self::Approximate => {
                let other = pair.turned().instance(h, &says[1], g)?;
                let (few, sides) = (moves_little(h)?, term(h, &format!("π({x}, {g})"))?);
                let most = term(h, &format!("π({y}, {g}) + {}", self.eta()))?;
                either(h, [&sides, &most], |h, case, done| {
                    if done {
                        return settle(h, &wanted, &[("1", &[case])]);
                    }
                    let parts: &[(&str, &[&Theorem])] = &[
                        ("1", &[&first]),
                        ("1", &[&other]),
                        ("1", &[&few]),
                        ("exp(ε)", &[case]),
                    ];
                    settle(h, &wanted, parts)
                })
            }
            Self::Concentrated => {
                let (low, high) = order_two(h)?;
                let q = format!("π({y}, {g})");
                let gap = format!("(π({x}, {g}) − {q})");
                let parts: &[(&str, &[&Theorem])] = &[
                    ("1", &[&first]),
                    (&format!("(1/2 − {q})²"), &[&low]),
                    (&format!("2·ρ·(1/2 − {q})²"), &[]),
                    ("1/4", &[&high]),
                ];
                let square = show(h, &format!("{gap}² ≤ ρ"), parts)?;
                let root = root_increases(&square)?;
                let own = below_modulus(h, &term(h, &gap)?)?;
                settle(h, &wanted, &[("1", &[&own]), ("1", &[&root])])
            }
        }
    }

    /// k·η ≤ 3/4.
    fn few(self, h: &Context) -> Proof {
        let (text, share) = match self {
            Self::Approximate => ("8·k·ε ≤ 9", "1/12"),
            Self::Concentrated => ("4·k·√(ρ) ≤ 3", "1/4"),
        };
        let goal = format!("k·({}) ≤ 3/4", self.eta());
        show(h, &goal, &[(share, &[&told(h, text)?])])
    }

    /// 1/4 ≤ k·η.
    fn many(self, h: &Context) -> Proof {
        let (text, share) = match self {
            Self::Approximate => ("3 ≤ 8·k·ε", "1/12"),
            Self::Concentrated => ("1 ≤ 4·k·√(ρ)", "1/4"),
        };
        let goal = format!("1/4 ≤ k·({})", self.eta());
        show(h, &goal, &[(share, &[&told(h, text)?])])
    }
}

/// e^ε − 1 + 2δ ≤ (2ε/3)·(1 + e^ε): with y = e^{ε/2}, y − 1 ≤ (ε/2)·y and y·(y + 1) ≤ (5/4)·(y² + 1).
fn moves_little(h: &Context) -> Proof {
    let (half, few) = (term(h, "ε/2")?, told(h, "24·δ ≤ ε")?);
    let below = tangent(h, &term(h, "(−1)·ε/2")?)?;
    let (unit, twice) = (exp_of_opposite(h, &half)?, exp_sum(h, &half, &half)?);
    let parts: &[(&str, &[&Theorem])] = &[("exp(ε/2)", &[&below]), ("(−1)", &[&unit])];
    let step = show(h, "exp(ε/2) − 1 ≤ (ε/2)·exp(ε/2)", parts)?;
    let above = tangent(h, &var("ε"))?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("exp(ε/2) + 1", &[&step]),
        ("(ε/8)·(exp(ε/2) − 2)²", &[]),
        ("1 − (5/8)·ε", &[&twice]),
        ("1/12", &[&few]),
        ("ε/24", &[&above]),
    ];
    show(h, "exp(ε) − 1 + 2·δ ≤ (2/3)·ε·(1 + exp(ε))", parts)
}

/// 1 + 2ρ ≤ e^{2ρ}, and e^{2ρ} − 1 ≤ 4ρ as ρ ≤ 1/4.
fn order_two(h: &Context) -> Result<(Theorem, Theorem), Stuck> {
    let (twice, few) = (term(h, "2·ρ")?, told(h, "4·ρ ≤ 1")?);
    let low = tangent(h, &twice)?;
    let (below, unit) = (
        tangent(h, &term(h, "(−1)·2·ρ")?)?,
        exp_of_opposite(h, &twice)?,
    );
    let parts: &[(&str, &[&Theorem])] = &[("exp(2·ρ)", &[&below]), ("(−1)", &[&unit])];
    let step = show(h, "exp(2·ρ) ≤ 1 + 2·ρ·exp(2·ρ)", parts)?;
    let parts: &[(&str, &[&Theorem])] = &[("2", &[&step]), ("exp(2·ρ)", &[&few])];
    let most = show(h, "exp(2·ρ) ≤ 2", parts)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&step]), ("2·ρ", &[&most])];
    let high = show(h, "exp(2·ρ) − 1 ≤ 4·ρ", parts)?;
    Ok((low, high))
}

/// All numbers that data sets are made of.
pub(super) fn numbers(privacy: Privacy) -> String {
    let own = privacy.numbers();
    format!(
        "for all
  integer n ≥ 1
  integer d ≥ 1
  integer k ≥ 1
  integer r ≥ 1
  integer M ≥ 1
  real L₀ > 0{own}
  define q := k/n"
    )
}

/// Equal data, equal law.
fn same() -> String {
    between("0", "π(u, g) ≤ π(v, g)")
}

const UNIT: &str = "for every index i<n: for every index j<d: P[i][j]² = P[i][j]";
const ONE: &str = "for every index i<n: Σ_{j<d} P[i][j] ≤ 1";
const ALL: &str = "for every index j<d: z(j)² = z(j)";
const COORDINATES: &str = "Σ_{j<d} z(j) = r";
const UNCHANGED: &str = "for every index i<n: C[0][i] = 0";
const CHANGED: &str = "for every index i<n: C[k][i] = 1";
const BEFORE: &str = "for every index t<k: for every index i<n: C[t][i]² = C[t][i]";
const AFTER: &str = "for every index t<k: for every index i<n: C[t + 1][i]² = C[t + 1][i]";
const STEP: &str =
    "for every index t<k: for every index j<d: Σ_{i<n} P[i][j]·(C[t + 1][i] − C[t][i])² ≤ 1";
const SIGNS: &str = "for every index b<M: for every index i<n: S[b][i]² = 1";
const EQUAL: &str = "for every index b<M: for every index i<n: for every index j<d: P[i][j]·S[b][i] = P[i][j]·s(b, j)";

/// How far one set of signs is from another with the signs of coordinate j changed.
fn apart(b: &str, c: &str, j: &str) -> String {
    format!(
        "Σ_{{i<n}} ((1 − P[i][{j}])·(S[{c}][i] − S[{b}][i])² + P[i][{j}]·(S[{c}][i] + S[{b}][i])²)"
    )
}

fn mates() -> String {
    let far = apart("b", "c", "j");
    format!("for every index b<M: for every index j<d: Σ_{{c<M}} 𝟙({far} ≤ 0) = 1")
}

/// The mechanism, the data and the risks.
pub(super) fn setting(privacy: Privacy) -> String {
    let mut lines = vec![
        "define f(w∈ℝ^d, p∈ℝ^d, ς) := (μ/2)·‖w‖² − (L₀/2)·ς·(Σ_{j<d} p_j·w_j)".to_owned(),
        "integer e ≥ 1".into(),
        "map A of ℝ^n × ℝ^e into ℝ^d".into(),
        "define π(u∈ℝ^n, g∈ℝ^d) := 𝔼_{ξ∼N_{e}(0, 1)}[𝟙(Σ_{j<d} g_j·clip(A(u, ξ), a)[j] ≤ 0)]"
            .into(),
    ];
    let given = |text: &str| format!("assume {text}");
    lines.extend(privacy.says().iter().map(|text| given(text)));
    lines.extend([given(&same()), "sequence P in ℝ^d".into()]);
    lines.extend([UNIT, ONE].map(given));
    lines.push("define z(j<d) := (Σ_{i<n} P[i][j])/k".into());
    lines.extend([ALL, COORDINATES].map(given));
    lines.push("sequence C in ℝ^n".into());
    lines.extend([UNCHANGED, CHANGED, BEFORE, AFTER, STEP].map(given));
    lines.extend(["sequence S in ℝ^n".into(), given(SIGNS)]);
    lines.push("define s(b<M, j<d) := (Σ_{i<n} P[i][j]·S[b][i])/k".into());
    lines.extend([given(EQUAL), given(&mates())]);
    lines.push("define F(b<M, w∈ℝ^d) := (Σ_{i<n} f(w, P[i], S[b][i]))/n".into());
    lines.iter().map(|line| format!("\n  {line}")).collect()
}

/// The minimiser of the risk for a set of signs.
pub(super) fn least(b: &str) -> String {
    format!("⟨(L₀·q/(2·μ))·s({b}, j) : j<d⟩")
}

/// The mean of the expected excess risks over the sets of signs.
pub(super) fn mean() -> String {
    let least = least("b");
    format!("(Σ_{{b<M}} (𝔼_{{ξ∼N_{{e}}(0, 1)}}[F(b, clip(A(S[b], ξ), a))] − F(b, {least})))/M")
}

/// The law of the noise.
fn noise() -> Term {
    op(Op::Normal, [var("e"), num(1)])
}

/// How a hypothesis of a bound on privacy is shown.
type Shown<'a> = &'a dyn Fn(&Context, &Goal) -> Proof;

/// Two sets of signs: what they are, that their entries are signs, and how far they are apart.
struct Pair<'a> {
    data: [&'a str; 2],
    signs: [Shown<'a>; 2],
    near: Shown<'a>,
}

impl<'a> Pair<'a> {
    fn turned(&self) -> Pair<'a> {
        let ([x, y], [a, b]) = (self.data, self.signs);
        Pair {
            data: [y, x],
            signs: [b, a],
            near: self.near,
        }
    }

    /// What a hypothesis that holds [`between`] two sets of signs says of these.
    fn instance(&self, h: &Context, says: &str, g: &str) -> Proof {
        let mut found = told(h, says)?;
        for data in self.data {
            found = instance(h, &found, &term(h, data)?)?;
        }
        for shown in [self.signs[0], self.signs[1], self.near] {
            let Goal::If(given, _) = &found.statement().goal else {
                return Err(Stuck::new("nothing is supposed"));
            };
            let fact = inside(h, given, shown)?;
            found = chain(h, &found, &fact)?;
        }
        instance(h, &found, &term(h, g)?)
    }
}

/// A hypothesis for these values.
fn told_for(h: &Context, text: &str, values: &[&str]) -> Proof {
    let found = told(h, text)?;
    values
        .iter()
        .try_fold(found, |found, value| instance(h, &found, &term(h, value)?))
}

/// The context with an index, and its name's bound.
fn index(h: &Context, name: &str, bound: &str) -> Result<Context, Stuck> {
    h.extended(item(name, Sort::Index(var(bound))))
}

/// s(b, j)² = z(j).
fn square(h: &Context, b: &str, j: &str) -> Proof {
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

/// The data on the way from S\[β\] to S\[ν\], after t steps.
fn way(t: &str) -> String {
    format!("⟨S[β][l]·(1 − 2·P[l][o]·C[{t}][l]) : l<n⟩")
}

/// The half space where the sign of entry o is not that of the data.
fn half(b: &str) -> String {
    format!("⟨s({b}, o)·𝟙[l=o] : l<d⟩")
}

/// In a context with β, ν and o: what is known of the records on the way, for record i.
struct Way<'a> {
    signs: &'a Theorem,
    unit: &'a Theorem,
}

impl Way<'_> {
    /// The entries on the way are signs, as those of C[t] are 0 or 1.
    fn sign(&self, h: &Context, goal: &Goal, t: &str, bits: &Theorem) -> Proof {
        let at = |all: &Theorem| instance(h, all, &var("i"));
        let (sign, unit, bits) = (
            at(self.signs)?,
            instance(h, &at(self.unit)?, &var("o"))?,
            at(bits)?,
        );
        let parts: &[(&str, &[&Theorem])] = &[
            ("1", &[&sign]),
            (&format!("4·S[β][i]²·C[{t}][i]²"), &[&unit]),
            ("4·S[β][i]²·P[i][o]", &[&bits]),
        ];
        settle(h, goal, parts)
    }
}

/// π(data of ν, g) ≤ π(data of β, g) + k·η for the half space g of β, in a context with β, ν, o and that they differ in o only.
fn across(h: &Context, privacy: Privacy, mate: &Theorem) -> Proof {
    let (g, eta) = (half("β"), privacy.eta());
    let signs = told_for(h, SIGNS, &["β"])?;
    let others = told_for(h, SIGNS, &["ν"])?;
    let unit = told(h, UNIT)?;
    let (begin, end) = (told(h, UNCHANGED)?, told(h, CHANGED)?);
    let known = Way {
        signs: &signs,
        unit: &unit,
    };
    let plain = |all: &Theorem, h: &Context, goal: &Goal| {
        settle(h, goal, &[("1", &[&instance(h, all, &var("i"))?])])
    };
    let own = |h: &Context, goal: &Goal| plain(&signs, h, goal);
    let at = |t: &str| format!("π({}, {g}) ≤ π(S[β], {g}) + ({t})·{eta}", way(t));
    // At the beginning nothing has changed.
    let none = index(h, "ι", "n")?;
    let zero = instance(&none, &begin, &var("ι"))?;
    let zero = show(
        &none,
        "4·S[β][ι]²·P[ι][o]²·C[0][ι]² = 0",
        &[("4·S[β][ι]²·P[ι][o]²·C[0][ι]", &[&zero])],
    )?;
    let zero = sum_over(&zero)?;
    let bits = index(h, "i", "n")?;
    let of_zero = instance(&bits, &begin, &var("i"))?;
    let of_zero = show(&bits, "C[0][i]² = C[0][i]", &[("C[0][i] − 1", &[&of_zero])])?;
    let of_zero = discharge(&of_zero)?;
    let (first, last) = (way("0"), way("k"));
    let start = Pair {
        data: [&first, "S[β]"],
        signs: [&|h, goal| known.sign(h, goal, "0", &of_zero), &own],
        near: &|h, goal| settle(h, goal, &[("1", &[&zero])]),
    };
    let start = start.instance(h, &same(), &g)?;
    let start = show(h, &at("0"), &[("1", &[&start])])?;
    // One record more has changed.
    let here = &index(h, "h", "k")?;
    let now = goal(here, &at("h"))?;
    let here = &here.extended(Item::Assume(now.clone()))?;
    let now = assumed(here, &now)?;
    let (before, after) = (
        told_for(here, BEFORE, &["h"])?,
        told_for(here, AFTER, &["h"])?,
    );
    let one = told_for(here, STEP, &["h", "o"])?;
    let each = &index(here, "ι", "n")?;
    let moved = "(C[h + 1][ι] − C[h][ι])²";
    let sign = instance(each, &signs, &var("ι"))?;
    let in_o = instance(each, &instance(each, &unit, &var("ι"))?, &var("o"))?;
    let parts: &[(&str, &[&Theorem])] =
        &[(&format!("P[ι][o]²·{moved}"), &[&sign]), (moved, &[&in_o])];
    let goal = format!("S[β][ι]²·P[ι][o]²·{moved} = P[ι][o]·{moved}");
    let all = sum_over(&show(each, &goal, parts)?)?;
    let (next, this) = (way("h + 1"), way("h"));
    let step = Pair {
        data: [&next, &this],
        signs: [
            &|h, goal| known.sign(h, goal, "h + 1", &after),
            &|h, goal| known.sign(h, goal, "h", &before),
        ],
        near: &|h, goal| settle(h, goal, &[("4", &[&all]), ("4", &[&one])]),
    };
    let near = privacy.near(here, &step, &g)?;
    let step = show(here, &at("h + 1"), &[("1", &[&now]), ("1", &[&near])])?;
    let way = induction(&start, &discharge(&step)?)?;
    // At the end all have.
    let each = &index(h, "ι", "n")?;
    let done = instance(each, &end, &var("ι"))?;
    let in_o = instance(each, &instance(each, &unit, &var("ι"))?, &var("o"))?;
    let parts: &[(&str, &[&Theorem])] = &[
        (
            "4·P[ι][o]·S[ν][ι]·S[β][ι] + 4·S[β][ι]²·P[ι][o]·C[k][ι]",
            &[&done],
        ),
        ("4·S[β][ι]²·C[k][ι]²", &[&in_o]),
    ];
    let goal = "(S[ν][ι] − S[β][ι]·(1 − 2·P[ι][o]·C[k][ι]))² = (1 − P[ι][o])·(S[ν][ι] − S[β][ι])² + P[ι][o]·(S[ν][ι] + S[β][ι])²";
    let all = sum_over(&show(each, goal, parts)?)?;
    let bits = index(h, "i", "n")?;
    let of_end = instance(&bits, &end, &var("i"))?;
    let of_end = show(&bits, "C[k][i]² = C[k][i]", &[("C[k][i]", &[&of_end])])?;
    let of_end = discharge(&of_end)?;
    let finish = Pair {
        data: ["S[ν]", &last],
        signs: [&|h, goal| plain(&others, h, goal), &|h, goal| {
            known.sign(h, goal, "k", &of_end)
        }],
        near: &|h, goal| settle(h, goal, &[("1", &[&all]), ("1", &[mate])]),
    };
    let finish = finish.instance(h, &same(), &g)?;
    let goal = format!("π(S[ν], {g}) ≤ π(S[β], {g}) + k·({eta})");
    show(h, &goal, &[("1", &[&finish]), ("1", &[&way])])
}

/// s(β, o) + s(ν, o) ≤ 0 and ≥ 0, in such a context.
fn opposite(h: &Context, mate: &Theorem) -> Result<[Theorem; 2], Stuck> {
    let [first, second] = ["β", "ν"].map(|b| square(h, b, "o"));
    let (first, second) = (first?, second?);
    let signs = ["β", "ν"].map(|b| told_for(h, SIGNS, &[b]));
    let [own, other] = signs;
    let (own, other, equal, unit) = (own?, other?, told_for(h, EQUAL, &["ν"])?, told(h, UNIT)?);
    let l = &index(h, "ι", "n")?;
    let at = |all: &Theorem| instance(l, all, &var("ι"));
    let (own, other) = (at(&own)?, at(&other)?);
    let equal = instance(l, &at(&equal)?, &var("o"))?;
    let unit = instance(l, &at(&unit)?, &var("o"))?;
    // What is wrong in coordinate o is part of how far they are apart.
    let goal = "2·P[ι][o] + 2·s(ν, o)·P[ι][o]·S[β][ι] ≤ (1 − P[ι][o])·(S[ν][ι] − S[β][ι])² + P[ι][o]·(S[ν][ι] + S[β][ι])²";
    let parts: &[(&str, &[&Theorem])] = &[
        ("(1 − P[ι][o])²·(S[ν][ι] − S[β][ι])²", &[]),
        ("(S[ν][ι] − S[β][ι])²", &[&unit]),
        ("(−1)·P[ι][o]", &[&own]),
        ("(−1)·P[ι][o]", &[&other]),
        ("(−2)·S[β][ι]", &[&equal]),
    ];
    let all = sum_over(&show(l, goal, parts)?)?;
    let t = "(s(β, o) + s(ν, o))";
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
    let [low, high] = ["β", "ν"].map(|b| format!("s({b}, o)·{w} ≤ 0"));
    let wanted = goal(inner, &format!("1 ≤ 𝟙({low}) + 𝟙({high})"))?;
    let sides = [&term(inner, &format!("s(β, o)·{w}"))?, &num(0)];
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
    let goal = format!("1 ≤ π(S[ν], {}) + π(S[ν], {})", half("β"), half("ν"));
    show(h, &goal, &[("1", &[&found])])
}

/// M·(1 − k·η) ≤ 2·Σ_b π(data of b, its half space), for coordinate o of the context.
fn coordinate(h: &Context, privacy: Privacy) -> Proof {
    let few = privacy.few(h)?;
    let less = format!("(1 − k·({}))", privacy.eta());
    let wrong = |b: &str| format!("π(S[{b}], {})", half(b));
    let mates = told(h, &mates())?;
    let one = &index(h, "β", "M")?;
    let two = &index(one, "ν", "M")?;
    let (x, all) = (apart("β", "ν", "o"), [wrong("β"), wrong("ν")]);
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
    let mate = instance(one, &instance(one, &mates, &var("β"))?, &var("o"))?;
    let sums = |share: &str| {
        let event = format!("Σ_{{c<M}} 𝟙({} ≤ 0)", apart("β", "c", "o"));
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
fn wrong(h: &Context, privacy: Privacy) -> Proof {
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

/// F(b, w) = (μ/2)·‖w‖² − q·(L₀/2)·Σ_j s(b, j)·w_j.
pub(super) fn risk(h: &Context, b: &str, w: &str) -> Proof {
    let here = h.with([
        item("ι", Sort::Index(var("n"))),
        item("κ′", Sort::Index(var("d"))),
    ])?;
    let body = term(&here, &format!("P[ι][κ′]·S[{b}][ι]·{w}[κ′]"))?;
    let turned = exchange(h, ("ι", &var("n")), ("κ′", &var("d")), &body)?;
    let goal = format!("F({b}, {w}) = (μ/2)·‖{w}‖² − q·(L₀/2)·(Σ_{{j<d}} s({b}, j)·{w}[j])");
    show(h, &goal, &[("(−1)·L₀/(2·n)", &[&turned])])
}

/// F(b, x) − F(b, minimiser) = (μ/2)·‖x − minimiser‖².
pub(super) fn growth(h: &Context, goal: &Goal, b: &str) -> Proof {
    let (is, end) = (risk(h, b, "x")?, risk(h, b, &least(b))?);
    settle(h, goal, &[("1", &[&is]), ("(−1)", &[&end])])
}

/// Σ_j s(b, j)² = r.
pub(super) fn length(h: &Context, b: &str) -> Proof {
    let all = told(h, COORDINATES)?;
    let here = &index(h, "o", "d")?;
    let each = sum_over(&square(here, b, "o")?)?;
    let goal = format!("Σ_{{j<d}} s({b}, j)² = r");
    show(h, &goal, &[("1", &[&each]), ("1", &[&all])])
}

/// (L₀²q²/(8μ))·Σ_j z(j)·π(data of β, its half space of j) is at most the expected excess, in a context with β.
fn excess(h: &Context) -> Proof {
    let inner = &h.extended(item("ξ", Sort::Vector(var("e"), Sign::Any)))?;
    let here = &index(inner, "o", "d")?;
    let w = "clip(A(S[β], ξ), a)";
    let far = "L₀·q/(2·μ)";
    let (own, event) = (format!("s(β, o)·{w}[o]"), format!("𝟙(s(β, o)·{w}[o] ≤ 0)"));
    let apart = format!("({w}[o] − ({far})·s(β, o))²");
    let wanted = goal(here, &format!("({far})²·z(o)·{event} ≤ {apart}"))?;
    let length = square(here, "β", "o")?;
    let all = instance(here, &told(h, ALL)?, &var("o"))?;
    let missed = |h: &Context, case: &Theorem, yes: bool| {
        let one = at_most_one(h, &term(h, &event)?)?;
        let share = format!("({far})²·z(o)²");
        if yes {
            let parts: &[(&str, &[&Theorem])] = &[
                (&format!("({w}[o])²"), &[]),
                (&format!("2·({far})"), &[case]),
                (&share, &[&one]),
                (&format!("({far})²·(1 − {event})"), &[&all]),
                (&format!("(−1)·({far})²"), &[&length]),
            ];
            return settle(h, &wanted, parts);
        }
        let parts: &[(&str, &[&Theorem])] = &[
            (&apart, &[]),
            (&share, &[case]),
            (&format!("(−1)·({far})²·{event}"), &[&all]),
        ];
        settle(h, &wanted, parts)
    };
    let sides = [&term(here, &own)?, &num(0)];
    let yes = |h: &Context, case: &Theorem| missed(h, case, true);
    let each = split(here, sides, yes, |h, case| missed(h, case, false))?;
    let each = sum_over(&each)?;
    let (is, end) = (risk(inner, "β", w)?, risk(inner, "β", &least("β"))?);
    let sum = format!("Σ_{{j<d}} z(j)·𝟙(s(β, j)·{w}[j] ≤ 0)");
    let goal = format!("(L₀²·q²/(8·μ))·({sum}) ≤ F(β, {w}) − F(β, {})", least("β"));
    let parts: &[(&str, &[&Theorem])] = &[("μ/2", &[&each]), ("(−1)", &[&is]), ("1", &[&end])];
    expected(&show(inner, &goal, parts)?, &noise())
}

/// L₀²q²r·(1 − k·η)/(16μ) is at most the mean of the expected excesses.
pub(super) fn least_mean(h: &Context, privacy: Privacy) -> Proof {
    let one = &index(h, "β", "M")?;
    let each = sum_over(&excess(one)?)?;
    let here = h.with([
        item("b", Sort::Index(var("M"))),
        item("o", Sort::Index(var("d"))),
    ])?;
    let body = term(&here, &format!("z(o)·π(S[b], {})", half("b")))?;
    let turned = exchange(h, ("b", &var("M")), ("o", &var("d")), &body)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1/M", &[&each]),
        ("(−1)·L₀²·q²/(8·μ·M)", &[&turned]),
        ("L₀²·q²/(16·μ·M)", &[&wrong(h, privacy)?]),
    ];
    let goal = format!("L₀²·q²·r·(1 − k·({}))/(16·μ) ≤ {}", privacy.eta(), mean());
    show(h, &goal, parts)
}

/// q·√r ≤ 1, as the records of r coordinates are among n.
pub(super) fn share(h: &Context) -> Proof {
    let each = sum_over(&instance(&index(h, "ι", "n")?, &told(h, ONE)?, &var("ι"))?)?;
    let here = h.with([
        item("ι", Sort::Index(var("n"))),
        item("o", Sort::Index(var("d"))),
    ])?;
    let turned = exchange(
        h,
        ("ι", &var("n")),
        ("o", &var("d")),
        &term(&here, "P[ι][o]")?,
    )?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&each]),
        ("(−1)", &[&turned]),
        ("(−1)·k", &[&told(h, COORDINATES)?]),
    ];
    let few = show(h, "r·k ≤ n", parts)?;
    let root = root_increases(&dp_assay_kernel::rules::counted(h, &var("r"))?)?;
    let parts: &[(&str, &[&Theorem])] = &[("1/n", &[&few]), ("k·√(r)/n", &[&root])];
    show(h, "q·√(r) ≤ 1", parts)
}
