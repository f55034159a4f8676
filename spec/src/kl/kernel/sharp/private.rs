//! `kl-thm-8-corrected`: no private algorithm does well on both of two data sets.

use super::super::pair::{NUMBERS, both, noise, ones, setting, wrong};
use super::super::told;
use super::{Value, entry, left_of, mean, near, power, right_of, top, valley};
use crate::moved::written::{Proof, each, goal, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, at_most_one, exp_log, exp_sum, expected, larger, largest, sum_over, telescope,
};
use dp_assay_kernel::search::cases::split;
use dp_assay_kernel::search::exp::{exp_increases, log_not_negative, log_product};
use dp_assay_kernel::search::size::{above_modulus, below_modulus};
use dp_assay_kernel::search::{assumed, item};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{num, var};

/// `kl-thm-8-corrected`: m is ⌈1/(2ε)⌉, o the first coordinate, W the ball of radius a, S is `S[0]` and S′ is `S[m + m]`, F is the risk of S
/// and E that of S′, whose minima are 0. h is any subgradient, and r > 0 makes powers of 0 unnecessary.
pub fn statement() -> Result<Statement, Stuck> {
    render::parse(&format!(
        "{NUMBERS}
  real κ > 0
  assume 2 ≤ κ
  define a := exp((κ − 1)·log(q))/2
  define f(w∈ℝ^d, ς) := ((ς² + ς)/2)·max(a − w_o, 0) + ((ς² − ς)/2)·max(w_o + a, 0)
{}
  define F(w∈ℝ^d) := (Σ_{{i<n}} f(w, S[0][i]))/n
  define E(w∈ℝ^d) := (Σ_{{i<n}} f(w, S[m + m][i]))/n
  real ς
  assume ς³ = ς
  real s ≥ 0
  assume s ≤ 1
  vector x ∈ ℝ^d
  vector y ∈ ℝ^d
  vector h ∈ ℝ^d
  real r > 0
holds
  f(⟨s·x_j + (1 − s)·y_j : j<d⟩, ς) ≤ s·f(x, ς) + (1 − s)·f(y, ς); f(x, ς) ≤ f(y, ς) + ‖⟨x_j − y_j \
      : j<d⟩‖; if ‖x‖ ≤ a: if for every vector w ∈ ℝ^d: F(x) + Σ_{{j<d}} h_j·(w_j − x_j) ≤ F(w): \
      F(x) ≤ exp(κ·log(max(‖h‖, r))); if ‖x‖ ≤ a: if for every vector w ∈ ℝ^d: E(x) + Σ_{{j<d}} \
      h_j·(w_j − x_j) ≤ E(w): E(x) ≤ exp(κ·log(max(‖h‖, r))); 0 ≤ F(x); 0 ≤ E(x); F(⟨a·𝟙[j=o] : \
      j<d⟩) ≤ 0; E(⟨(−1)·a·𝟙[j=o] : j<d⟩) ≤ 0; ‖⟨a·𝟙[j=o] : j<d⟩‖ = a; ‖⟨(−1)·a·𝟙[j=o] : j<d⟩‖ = \
      a; exp(κ·log(1/(n·ε)))/4 ≤ max(𝔼_{{ξ∼N_{{e}}(0, 1)}}[F(clip(A(S[0], ξ), a))], \
      𝔼_{{ξ∼N_{{e}}(0, 1)}}[E(clip(A(S[m + m], ξ), a))])",
        setting()
    ))
}

/// F(w) = q·max(a − w_o, 0), or E(w) = q·max(w_o + a, 0), from what is supposed of the data.
fn risk(h: &Context, first: bool, w: &str) -> Proof {
    let [one, all] = ones(h, first)?;
    let entry = format!("{w}[o]");
    let [left, right] = [left_of(&entry), right_of(&entry)].map(|t| format!("max({t}, 0)"));
    let (name, own) = if first { ("F", &left) } else { ("E", &right) };
    let (each, both) = (format!("{own}/n"), format!("({left} + {right})/(2·n)"));
    let parts: &[(&str, &[&Theorem])] = &[(&each, &[&all]), (&both, &[&one])];
    show(h, &format!("{name}({w}) = q·{own}"), parts)
}

/// Where the outputs are compared with: 19 places between −a and a.
const PLACE: &str = "(9/10)·a − a·t/10";

/// (q·a/10)·𝟙(u ≥ 0) ≤ q·(max(u + a/10, 0) − max(u, 0)), the event in words of its own.
fn bump(h: &Context, u: &str, event: [&str; 2]) -> Proof {
    let [left, right] = event;
    let (near, far) = (format!("max({u}, 0)"), format!("max({u} + a/10, 0)"));
    let wanted = format!("(q·a/10)·𝟙({left} ≤ {right}) ≤ q·({far} − {near})");
    let wanted = goal(h, &wanted)?;
    let prove = |h: &Context, case: &Theorem, yes: bool| {
        let [high, positive] = [false, true].map(|second| top(h, &format!("{u} + a/10"), second));
        let (high, positive) = (high?, positive?);
        let one = at_most_one(h, &term(h, &format!("𝟙({left} ≤ {right})"))?)?;
        if yes {
            let itself = show(h, &format!("{u} ≤ {u}"), &[])?;
            let least = largest(&itself, &show(h, &format!("0 ≤ {u}"), &[("1", &[case])])?)?;
            let parts: &[(&str, &[&Theorem])] =
                &[("q", &[&high]), ("q", &[&least]), ("q·a/10", &[&one])];
            return settle(h, &wanted, parts);
        }
        let first = show(
            h,
            &format!("{u} ≤ {far}"),
            &[("1", &[&high]), ("a/10", &[])],
        )?;
        let second = show(h, &format!("0 ≤ {far}"), &[("1", &[&positive])])?;
        let most = largest(&first, &second)?;
        settle(h, &wanted, &[("q", &[&most]), ("q·a/10", &[case])])
    };
    let sides = [&term(h, left)?, &term(h, right)?];
    let yes = |h: &Context, case: &Theorem| prove(h, case, true);
    split(h, sides, yes, |h, case| prove(h, case, false))
}

/// q·a/10 times the sum of the probabilities of the wrong sides is at most the expected excess.
fn excess(h: &Context, first: bool) -> Proof {
    let inner = &h.extended(item("ξ", Sort::Vector(var("e"), Sign::Any)))?;
    let (data, name, sign, q) = match first {
        true => ("S[0]", "F", "", "(−1)·q"),
        false => ("S[m + m]", "E", "(−1)·", "q"),
    };
    let w = format!("clip(A({data}, ξ), a)");
    let own = format!("{w}[o]");
    let event = [format!("{sign}{own}"), format!("{sign}({PLACE})")];
    let places = &inner.extended(item("t", Sort::Index(num(19))))?;
    // What is telescoped, and what of it is left over at the other end and at least 0.
    let (u, telescoped, rest) = match first {
        true => (
            format!("{PLACE} − {own}"),
            format!("max({PLACE} + a/10 − {own}, 0)"),
            format!("(−1)·(9/10)·a − {own}"),
        ),
        false => (
            format!("{own} − ({PLACE})"),
            format!("max({own} − ({PLACE}), 0)"),
            format!("{own} − (9/10)·a"),
        ),
    };
    let all = sum_over(&bump(places, &u, [&event[0], &event[1]])?)?;
    let ends = telescope(inner, "t", &num(19), &term(places, &telescoped)?)?;
    let (is, rest) = (risk(inner, first, &w)?, top(inner, &rest, true)?);
    let sum = format!("Σ_{{t<19}} 𝟙({} ≤ {})", event[0], event[1]);
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&all]),
        (q, &[&ends]),
        ("(−1)", &[&is]),
        ("q", &[&rest]),
    ];
    let found = show(inner, &format!("(q·a/10)·({sum}) ≤ {name}({w})"), parts)?;
    expected(&found, &noise())
}

/// 4z²·(1/(nε))^κ ≤ q^κ.
fn scale(h: &Context) -> Proof {
    let (twice, rate) = ("log(2·m·ε)", "log(1/(n·ε))");
    let [parts_of, _] = log_product(h, &term(h, "2·m·ε")?, &term(h, "1/(n·ε)")?)?;
    let above = log_not_negative(&told(h, "1 ≤ 2·m·ε")?)?;
    let large = told(h, "2 ≤ κ")?;
    let parts: &[(&str, &[&Theorem])] = &[("κ", &[&parts_of]), ("1", &[&large, &above])];
    let grown = show(h, &format!("2·{twice} + κ·{rate} ≤ κ·log(q)"), parts)?;
    let grown = exp_increases(&grown)?;
    let [one, two, exponent] =
        [twice, &format!("2·{twice}"), &format!("κ·{rate}")].map(|t| term(h, t));
    let one = one?;
    let split = exp_sum(h, &two?, &exponent?)?;
    let square = exp_sum(h, &one, &one)?;
    let own = exp_log(h, &term(h, "2·m·ε")?)?;
    let power = format!("exp(κ·{rate})");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&grown]),
        ("(−1)", &[&split]),
        (&format!("(−1)·{power}"), &[&square]),
        (&format!("(−1)·{power}·(2·m·ε + exp({twice}))"), &[&own]),
    ];
    show(h, &format!("4·(m·ε)²·{power} ≤ exp(κ·log(q))"), parts)
}

/// The bound itself.
fn bound(h: &Context, wanted: &Goal) -> Proof {
    let both = both(PLACE);
    let places = h.extended(item("t", Sort::Index(num(19))))?;
    let wrong = sum_over(&wrong(&places, PLACE)?)?;
    let [risk, other] = [("S[0]", "F"), ("S[m + m]", "E")].map(|(data, name)| {
        let mean = format!("𝔼_{{ξ∼N_{{e}}(0, 1)}}[{name}(clip(A({data}, ξ), a))]");
        term(h, &mean)
    });
    let (risk, other) = (risk?, other?);
    let [split, whole] = power(h)?;
    let powers: &[(&str, &[&Theorem])] = &[("1", &[&split]), ("exp((κ − 1)·log(q))", &[&whole])];
    let powers = show(h, "exp(κ·log(q)) ≤ 2·q·a", powers)?;
    let share = format!("(Σ_{{t<19}} ({both}))/40");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1/2", &[&larger(h, &risk, &other, false)?]),
        ("1/2", &[&larger(h, &risk, &other, true)?]),
        ("1/2", &[&excess(h, true)?]),
        ("1/2", &[&excess(h, false)?]),
        (&share, &[&powers]),
        (&share, &[&scale(h)?]),
        ("exp(κ·log(1/(n·ε)))/10", &[&wrong]),
    ];
    settle(h, wanted, parts)
}

/// KL on W.
fn steep(h: &Context, wanted: &Goal, first: bool) -> Proof {
    let items = h.items();
    let [.., Item::Assume(within), Item::Assume(slope)] = items else {
        return Err(Stuck::new("nothing is supposed"));
    };
    let (within, slope) = (assumed(h, within)?, assumed(h, slope)?);
    let (size, own) = (entry(h, "x")?, term(h, "x_o")?);
    let (names, text, side) = match first {
        true => (
            ["F", "a − x_o", "a", "(−1)"],
            "(−1)·a ≤ x_o",
            above_modulus(h, &own)?,
        ),
        false => (
            ["E", "x_o + a", "(−1)·a", "1"],
            "x_o ≤ a",
            below_modulus(h, &own)?,
        ),
    };
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&within]), ("1", &[&size]), ("1", &[&side])];
    let inside = show(h, text, parts)?;
    let value: Value<'_> = &|h, w| risk(h, first, w);
    valley(h, wanted, names, [&inside, &slope], value)
}

/// The proof of [`statement`], or of a statement with other constants.
pub fn prove(statement: &Statement) -> Proof {
    let h = &statement.context;
    let record = told(h, "ς³ = ς")?;
    let zero = show(h, "0 ≤ 0", &[])?;
    let none = largest(&zero, &zero)?;
    let positive = |h: &Context, goal: &Goal, first: bool, t: &str| {
        let parts: &[(&str, &[&Theorem])] = &[
            ("(−1)", &[&risk(h, first, "x")?]),
            ("q", &[&top(h, t, true)?]),
        ];
        settle(h, goal, parts)
    };
    let least = |h: &Context, goal: &Goal, first: bool, w: &str| {
        settle(h, goal, &[("1", &[&risk(h, first, w)?]), ("q", &[&none])])
    };
    // The weights of a record are squares of themselves.
    let (up, down) = ("((ς² + ς)/2)²", "((ς² − ς)/2)²");
    let (more, less) = ("(ς + 2)/4", "(ς − 2)/4");
    let weighed = |h: &Context, goal: &Goal, [left, right]: [&Theorem; 2], rest: &[_]| {
        let mut parts: Vec<(&str, Vec<&Theorem>)> = vec![
            (up, vec![left]),
            (more, vec![&record, left]),
            (down, vec![right]),
            (less, vec![&record, right]),
        ];
        parts.extend(rest.iter().cloned());
        let parts: Vec<_> = parts.iter().map(|(m, f)| (*m, f.as_slice())).collect();
        settle(h, goal, &parts)
    };
    each(
        statement,
        &[
            &|h, goal| weighed(h, goal, [&mean(h, &left_of)?, &mean(h, &right_of)?], &[]),
            &|h, goal| {
                let (a, b) = (near(h, &left_of, "(−1)")?, near(h, &right_of, "1")?);
                let rest = [
                    ("(1 − ς²)²·‖⟨x_j − y_j : j<d⟩‖", vec![]),
                    ("ς·‖⟨x_j − y_j : j<d⟩‖", vec![&record]),
                ];
                weighed(h, goal, [&a, &b], &rest)
            },
            &|h, goal| steep(h, goal, true),
            &|h, goal| steep(h, goal, false),
            &|h, goal| positive(h, goal, true, "a − x_o"),
            &|h, goal| positive(h, goal, false, "x_o + a"),
            &|h, goal| least(h, goal, true, "⟨a·𝟙[j=o] : j<d⟩"),
            &|h, goal| least(h, goal, false, "⟨(−1)·a·𝟙[j=o] : j<d⟩"),
            &|h, goal| settle(h, goal, &[]),
            &|h, goal| settle(h, goal, &[]),
            &|h, goal| bound(h, goal),
        ],
    )
}
