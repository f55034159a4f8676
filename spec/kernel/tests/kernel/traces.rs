//! Traces word by word, as spec/formats/trace.md has them: what a second checker is given, and what a person reads.

use dp_assay_kernel::premise::{ZCDP_TO_DP, spent};
use dp_assay_kernel::rules::{Fact, Part, assume, call, cite, combine};
use dp_assay_kernel::statement::{Command, Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{app, num, var};
use dp_assay_kernel::{Stuck, render, trace};

fn real(name: &str) -> Item {
    Item::Var(name.into(), Sort::Real(Sign::Positive))
}

/// Items and goals as text and as nested lists; each item comes after those that it mentions.
const ITEMS: &[(&str, &str)] = &[
    ("integer n ≥ 1", "(var n count)"),
    ("integer d ≥ 1", "(var d count)"),
    ("real e", "(var e (real any))"),
    ("real h ≥ 0", "(var h (real nonnegative))"),
    ("real c > 0", "(var c (real positive))"),
    ("index i<d", "(var i (index d))"),
    ("index j<d", "(var j (index d))"),
    (
        "data D of n records: its neighbours have one record left out of every sum, and the same \
            number of records",
        "(var D (dataset n zero-out))",
    ),
    (
        "data E of n records: its neighbours have one record replaced",
        "(var E (dataset n replace-one))",
    ),
    ("vector x ∈ ℝ^d for every record", "(var x (feature d))"),
    ("number y for every record", "(var y label)"),
    ("map φ of ℝ^d into ℝ^d", "(var φ (map (d) d))"),
    (
        "vector f ∈ ℝ^n for every record and vector of ℝ^d",
        "(var f (field d n))",
    ),
    ("sequence q in ℝ^n", "(var q (sequence n))"),
    ("vector w ∈ ℝ^d", "(var w (vector d any))"),
    (
        "mechanism A on D that takes and releases vectors of ℝ^d and is (1 + c, 2)-RDP for every \
            one that it takes",
        "(var A (mechanism d D (renyi (+ 1 c) 2)))",
    ),
    (
        "assume for every index l<d: w_l ≤ max(e, √(h)/c) − |w_l|³",
        "(assume (every l (index d) (<= (at w l) (- (max e (/ (sqrt h) c)) (^ (abs (at w l)) \
            3)))))",
    ),
    (
        "assume log(c) = exp(e)·𝟙[i=j]·𝟙(e ≤ c)",
        "(assume (= (log c) (* (exp e) (unit i j) (at-most e c))))",
    ),
    (
        "define s(k<d) := w_k + Σ_{l<d} w_l·max(0, w_m : m<d, m≠k)",
        "(define s ((k (index d))) (+ (at w k) (sum l d (* (at w l) (sup m (except d k) (at w \
            m))))))",
    ),
    (
        "algorithm P: v ← w in ℝ^d
    repeat t<n
      a ← A(φ(v))
      o ← argmax_{k<d} |w_k + Laplace(c)| / c²
      u ← argmax_{k<d} (|w_k| + Laplace(c))
      b ← Σ_{z∈D} y(z) + N(0, 2)
      stop when the sum of c·b² exceeds n − 1
      v ← φ(a)
    end
  end",
        "(named P (process ((v d w)) (repeat t n (call a (app A (app φ v))) (select o k d (at w k) \
            c (^ c 2)) (select u k d (abs (at w k)) c) (release b (total z D (app y z)) (normal \
            2)) (stop (* c (^ b 2)) (- n 1)) (set v (app φ a)))))",
    ),
];

fn statement(goal: &str) -> Result<Statement, Stuck> {
    let items: Vec<&str> = ITEMS.iter().map(|(text, _)| *text).collect();
    render::parse(&format!(
        "for all\n  {}\nholds\n  {goal}",
        items.join("\n  ")
    ))
}

#[test]
fn every_item_and_goal_has_its_words() -> Result<(), Stuck> {
    let items: Vec<&str> = ITEMS.iter().map(|(_, words)| *words).collect();
    let private = "between neighbours of D, [o ← A(φ(w))] is";
    for (text, words) in [
        ("e ≤ s(i)", "(<= e (app s i))".to_owned()),
        (
            "for every record z: y(z) = 1",
            "(every z record (= (app y z) 1))".into(),
        ),
        (
            "between neighbours of D, the transcript of P is (c)-DP",
            "(private D (pure c) (transcript P))".into(),
        ),
        (
            "between neighbours of D, the path of P is (c)-DP",
            "(private D (pure c) (path P))".into(),
        ),
        (
            "between neighbours of D, the end of P is (c)-DP",
            "(private D (pure c) (end P))".into(),
        ),
        ("e ≤ 1; c = 1", "(both (<= e 1) (= c 1))".into()),
        (
            &format!("{private} (c)-DP"),
            "(private D (pure c) (call o (app A (app φ w))))".into(),
        ),
        (
            &format!("{private} (c, 1)-DP"),
            "(private D (approximate c 1) (call o (app A (app φ w))))".into(),
        ),
        (
            &format!("{private} (c)-zCDP"),
            "(private D (zcdp c) (call o (app A (app φ w))))".into(),
        ),
        (
            "between neighbours of D, [o ← Σ_{z∈D} y(z) + Laplace(c)] is (c)-DP",
            "(private D (pure c) (release o (total z D (app y z)) (laplace c)))".into(),
        ),
        (
            "between neighbours of D, ⟨Σ_{z∈D} clip(x(z)[l], c) : l<d⟩ moves by at most c",
            "(moves D (vec l d (total z D (clip (at (app x z) l) c))) c)".into(),
        ),
        (
            "between neighbours of D, the choice of [o ← argmax_{k<d} |w_k + Laplace(c)| / c²] \
                stays if its noise moves on to its winning side by w_k",
            "(keeps D (select o k d (at w k) c (^ c 2)) (at w k))".into(),
        ),
    ] {
        let all = format!("(statement {} {words})", items.join(" "));
        let statement = statement(text)?;
        assert_eq!(trace::statement(&statement), all, "{text}");
    }
    Ok(())
}

/// x² ≤ x from 0 < x ≤ 1.
#[test]
fn a_proof_is_written_step_by_step() -> Result<(), Stuck> {
    let x = var("x");
    let small = Item::Assume(Goal::Le(x.clone(), num(1)));
    let context = Context::default().with([real("x"), small])?;
    let known = assume(&context, 1)?;
    let goal = Goal::Le(x.pow(2), x.clone());
    let theorem = combine(&context, goal, &[Part::new(x, [Fact::from(&known)])])?;
    let written = "\
(trace 1)
(context 1 0 (var x (real positive)))
(context 2 1 (assume (<= x 1)))
(step 0 2 (assume 1) () (<= x 1))
(step 1 2 (combine (x 1)) (0) (<= (^ x 2) x))
(qed 1 ())
";
    assert_eq!(trace::write(theorem.trace()), written);
    let told = "\
for all
  real x > 0
  assume x ≤ 1
holds
  x² ≤ x

premises
  none

proof
  1. x ≤ 1   (assume)
  2. x² ≤ x   (combine, from 1)
";
    assert_eq!(trace::proof(theorem.trace()), told);
    Ok(())
}

/// A step that two others rest on is written once, premises are named, and a longer context is told.
#[test]
fn premises_and_longer_contexts_are_written() -> Result<(), Stuck> {
    let (data, mechanism) = (
        Sort::Dataset(var("n"), dp_assay_kernel::statement::Relation::ReplaceOne),
        Sort::Mechanism(
            var("n"),
            "D".into(),
            dp_assay_kernel::statement::Notion::Zcdp(var("r")),
        ),
    );
    let context = Context::default().with([
        Item::Var("n".into(), Sort::Count),
        Item::Var("D".into(), data),
        real("e"),
        real("r"),
        Item::Var("A".into(), mechanism),
        Item::Var("w".into(), Sort::Vector(var("n"), Sign::Any)),
        Item::Assume(Goal::Le(var("e"), num(1))),
        Item::Assume(Goal::Le(spent(&var("r"), &var("e")), var("e"))),
    ])?;
    let access = Command::Call {
        name: "a".into(),
        of: app("A", [var("w")]),
    };
    let (private, small) = (call(&context, &access)?, assume(&context, 6)?);
    let within = assume(&context, 7)?;
    let values = [var("r"), var("e"), var("e")];
    let theorem = cite(&context, &ZCDP_TO_DP, &values, &[&private, &small, &within])?;
    let text = trace::write(theorem.trace());
    let steps: Vec<&str> = text.lines().skip(9).collect();
    let private = |notion: &str| format!("(private D {notion} (call a (app A w)))");
    assert_eq!(
        steps,
        [
            format!(
                "(step 0 8 (call (call a (app A w))) () {})",
                private("(zcdp r)")
            ),
            "(step 1 8 (assume 6) () (<= e 1))".to_owned(),
            "(step 2 8 (assume 7) () (<= (+ r (* 2 (sqrt (* r (log (/ 1 e)))))) e))".to_owned(),
            format!(
                "(step 3 8 (cite zcdp-to-dp r e e) (0 1 2) {})",
                private("(approximate e e)")
            ),
            "(qed 3 (zcdp-to-dp))".to_owned(),
        ]
    );
    let told = trace::proof(theorem.trace());
    let said = "\npremises\n  zcdp-to-dp: for every mechanism A, ρ ≥ 0, ε, δ > 0: if A is (ρ)-zCDP \
        and δ ≤ 1 and ρ + 2·√(ρ·log(1/δ)) ≤ ε, then A is (ε, δ)-DP (Bun";
    assert!(told.contains(said), "{told}");

    let inner = context.extended(real("u"))?;
    let square = combine(
        &inner,
        Goal::Le(num(0), var("u")),
        &[Part::new(var("u"), [])],
    )?;
    let twice = [
        Part::new(num(1), [Fact::from(&square)]),
        Part::new(num(1), [Fact::from(&square)]),
    ];
    let sum = combine(&inner, Goal::Le(num(0), num(2) * var("u")), &twice)?;
    let text = trace::write(sum.trace());
    assert_eq!(text.matches("(step ").count(), 2);
    assert!(text.contains("(combine (1 1) (1 1)) (0 0) "), "{text}");
    assert!(trace::proof(sum.trace()).contains("(combine, from 1 and 1)"));
    Ok(())
}
