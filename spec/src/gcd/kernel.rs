//! `gcd-thm-4.2-repaired` and `gcd-thm-4.2-corrected` as theorems of the kernel, of the final iterate and of the transcript.
//!
//! [`statement`] and [`corrected`] are the claims as terms; [`prove`] and [`prove_corrected`] prove exactly that by rules. `theorem.statement()` prints the statement; `dp_assay_kernel::render::proof` the proof for a reader;
//! `dp_assay_kernel::trace::write` the proof for the second checker (`spec/tests/checker/check.py`).
//!
//! ```
//! let theorem = dp_assay_spec::gcd::kernel::thm_4_2_repaired()?;
//! println!("{}", theorem.statement());
//! println!("{}", dp_assay_kernel::render::proof(&theorem));
//! let trace = dp_assay_kernel::trace::write(&theorem);
//! assert!(trace.ends_with("(pure-to-zcdp zcdp-to-dp))\n"));
//! # Ok::<(), dp_assay_kernel::Stuck>(())
//! ```

use dp_assay_kernel::Stuck;
use dp_assay_kernel::premise::{PURE_TO_ZCDP, ZCDP_TO_DP, spent};
use dp_assay_kernel::rules::{
    Fact, Part, Theorem, cite, compose, forget, laplace, larger, mean_moves, noisy_max,
    partial_bound, root_bound,
};
use dp_assay_kernel::search::{assumed, combine_with_slack};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Notion, Process, Sign, Sort, Statement, Subject, View,
};
use dp_assay_kernel::term::{Binder, Op, Term, add, app, at, bind, mul, num, op, var, vector};

/// What Algorithm 1 releases in the statement.
fn goal(view: View) -> Goal {
    Goal::Private {
        data: "D".into(),
        notion: Notion::Approximate(var("ε"), var("δ")),
        subject: Subject::Process("Alg1".into(), view),
    }
}

/// `gcd-thm-4.2-repaired` as a statement: of the final iterate, or of the transcript.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn statement(view: View) -> Result<Statement, Stuck> {
    let log_or_floor = log().max_with(&(var("ε") / num(8)));
    let context = context(8, &log_or_floor)?;
    let goal = goal(view);
    Ok(Statement { context, goal })
}

/// `gcd-thm-4.2-corrected` as a statement. The maximum is log(1/δ) + ε/2, since δ ≤ 1.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn corrected(view: View) -> Result<Statement, Stuck> {
    let half = var("ε") / num(2);
    let context = context(4, &add([log(), half.clone()]).max_with(&half))?;
    let goal = goal(view);
    Ok(Statement { context, goal })
}

/// log(1/δ).
fn log() -> Term {
    (num(1) / var("δ")).log()
}

/// ∂ⱼf(w), the mean of ∂ⱼℓ(w; d) over the records.
fn gradient(j: &Term) -> Term {
    let partial = op(Op::Partial, [var("ℓ"), var("w"), var("d"), j.clone()]);
    bind(Binder::Mean, "d", var("D"), partial)
}

fn select() -> Command {
    let k = var("k");
    Command::Select {
        name: "j".into(),
        index: "k".into(),
        over: var("p"),
        query: gradient(&k),
        scale: app("λ′", [k.clone()]),
        divisor: at(&var("M"), &k).sqrt(),
    }
}

fn release() -> Command {
    let j = var("j");
    Command::Release {
        name: "a".into(),
        query: gradient(&j),
        scale: app("λ", [j]),
    }
}

fn algorithm() -> Process {
    // w − γⱼ·a·eⱼ, entry by entry.
    let i = var("i");
    let moved = mul([
        at(&var("γ"), &i),
        var("a"),
        op(Op::Unit, [i.clone(), var("j")]),
    ]);
    Process {
        state: "w".into(),
        dimension: var("p"),
        start: var("w₀"),
        rounds: var("T"),
        body: vec![
            select(),
            release(),
            Command::Set(vector("i", var("p"), at(&var("w"), &i) - moved)),
        ],
    }
}

/// Variables, hypotheses, noise scales λⱼ = (`factor`·Lⱼ/(nε))·√(T·`maximum`) and Algorithm 1.
fn context(factor_of_noise: i64, maximum: &Term) -> Result<Context, Stuck> {
    let positive = |d: &str| Sort::Vector(var(d), Sign::Positive);
    let any = |d: &str| Sort::Vector(var(d), Sign::Any);
    let index = |x: &str| (x.to_owned(), Sort::Index(var("p")));
    let [j, k] = [var("j"), var("k")];
    let scale = mul([num(factor_of_noise), at(&var("L"), &j)]) / mul([var("n"), var("ε")]);
    let root = mul([var("T"), maximum.clone()]).sqrt();
    let others = op(Op::Except, [var("p"), j.clone()]);
    let ratio = app("r", [k.clone()]) / app("r", [j.clone()]);
    let factor = num(1) + bind(Binder::Sup, "k", others, ratio);
    Context::default().with([
        Item::Var("n".into(), Sort::Count),
        Item::Var("p".into(), Sort::Count),
        Item::Var("T".into(), Sort::Count),
        Item::Var("ε".into(), Sort::Real(Sign::Positive)),
        Item::Var("δ".into(), Sort::Real(Sign::Positive)),
        Item::Assume(Goal::Le(var("δ"), num(1))),
        Item::Var("L".into(), positive("p")),
        Item::Var("M".into(), positive("p")),
        Item::Var("γ".into(), any("p")),
        Item::Var("w₀".into(), any("p")),
        Item::Var("ℓ".into(), Sort::Loss(var("p"), "L".into())),
        Item::Var("D".into(), Sort::Dataset(var("n"))),
        Item::Define(
            "r".into(),
            vec![index("k")],
            mul([num(2), at(&var("L"), &k)]) / mul([var("n"), at(&var("M"), &k).sqrt()]),
        ),
        Item::Define("λ".into(), vec![index("j")], mul([scale, root])),
        Item::Define("λ′".into(), vec![index("j")], mul([factor, app("λ", [j])])),
        Item::Process("Alg1".into(), algorithm()),
    ])
}

/// What the proof takes from a statement: its context and the numbers in its noise scales.
struct Noise {
    context: Context,
    log: Term,
    floor: Term,
    form: Form,
}

/// Why the budget suffices.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// ε′ = ε/(4√(T·max(log(1/δ), floor))): each of two terms takes half.
    Floor,
    /// ε′ = ε/(2√(T·max(log(1/δ) + ε/2, floor))): the square of a difference is left over.
    Sum,
}

impl Noise {
    /// Reads √(T·max(log, floor)) off the definition of λ.
    fn of(statement: &Statement, form: Form) -> Result<Self, Stuck> {
        let context = statement.context.clone();
        let Some(Item::Define(_, _, Term::Op(Op::Mul, factors))) = context.get("λ") else {
            return Err(Stuck::new("λ is not a product"));
        };
        let under_root = factors.iter().find_map(|factor| match factor {
            Term::Op(Op::Sqrt, inside) => Some(&inside[0]),
            _ => None,
        });
        let maximum = match under_root {
            Some(Term::Op(Op::Mul, product)) => product.last(),
            _ => None,
        };
        let Some(Term::Op(Op::Max, bounds)) = maximum else {
            return Err(Stuck::new("λ has no root of a maximum"));
        };
        let (log, floor) = (bounds[0].clone(), bounds[1].clone());
        Ok(Self {
            context,
            log,
            floor,
            form,
        })
    }

    fn maximum(&self) -> Term {
        self.log.max_with(&self.floor)
    }

    /// The parameter ε′ of one access.
    fn per_access(&self) -> Term {
        let parts = num(match self.form {
            Form::Floor => 4,
            Form::Sum => 2,
        });
        var("ε") / mul([parts, mul([var("T"), self.maximum()]).sqrt()])
    }

    /// A selection is (ε′²/2)-zCDP for every w: `gcd-mech-rnm-repaired` with these scales.
    fn selection(&self) -> Result<Theorem, Stuck> {
        let w = Sort::Vector(var("p"), Sign::Any);
        let outer = self.context.extended(Item::Var("w".into(), w))?;
        let inner = outer.extended(Item::Var("k".into(), Sort::Index(var("p"))))?;
        let (k, other) = (var("k"), var("i"));
        let range = op(Op::Except, [var("p"), k.clone()]);
        let divisor = |j: &Term| at(&var("M"), j).sqrt();
        let rest = bind(Binder::Sup, "i", range, moved(&other) / divisor(&other));
        let shift = moved(&k) + mul([divisor(&k), rest]);
        let noise = mul([self.per_access(), app("λ′", [k])]);
        let enough = combine_with_slack(&inner, Goal::Le(shift, noise), vec![])?;
        let sensitive = sensitivity(&inner, "k")?;
        let pure = noisy_max(&outer, &select(), &self.per_access(), &sensitive, &enough)?;
        cite(&outer, &PURE_TO_ZCDP, &[self.per_access()], &[&pure])
    }

    /// A release is (ε′²/2)-zCDP for every w and every chosen j.
    fn release(&self) -> Result<Theorem, Stuck> {
        let here = self.context.with([
            Item::Var("w".into(), Sort::Vector(var("p"), Sign::Any)),
            Item::Var("j".into(), Sort::Index(var("p"))),
        ])?;
        let j = var("j");
        let noise = mul([self.per_access(), app("λ", [j.clone()])]);
        let enough = combine_with_slack(&here, Goal::Le(moved(&j), noise), vec![])?;
        let sensitive = sensitivity(&here, "j")?;
        let pure = laplace(&here, &release(), &self.per_access(), &sensitive, &enough)?;
        cite(&here, &PURE_TO_ZCDP, &[self.per_access()], &[&pure])
    }

    /// ρ + 2√(ρ·log(1/δ)) ≤ ε for ρ = T·ε′²: with m = max(log(1/δ), ε/8), ρ = ε²/(16m) is at most ε/2, and
    /// ρ·log(1/δ) at most (ε/4)².
    fn budget(&self, rho: &Term) -> Result<Theorem, Stuck> {
        let (context, eps, m) = (&self.context, var("ε"), self.maximum());
        let above_log = larger(context, &self.log, &self.floor, false)?;
        let above_floor = larger(context, &self.log, &self.floor, true)?;
        let quarter = eps.clone() / num(4);
        let log = (num(1) / var("δ")).log();
        let product = Goal::Le(mul([rho.clone(), log]), quarter.pow(2));
        let share = eps.pow(2) / mul([num(16), m.clone()]);
        let parts = vec![Part::new(share, [Fact::from(&above_log)])];
        let root = root_bound(&combine_with_slack(context, product, parts)?)?;
        let goal = Goal::Le(spent(rho, &var("δ")), eps.clone());
        let parts = vec![
            Part::new(num(2), [Fact::from(&root)]),
            Part::new(eps / mul([num(2), m]), [Fact::from(&above_floor)]),
        ];
        combine_with_slack(context, goal, parts)
    }

    /// The same for m = max(log(1/δ) + ε/2, floor), a = log(1/δ): ρ = ε²/(4m), so that (ε/4)²(a/m + 1)² − ρa is the square
    /// (ε/4)²(a/m − 1)², and ρ + (ε/2)(a/m + 1) = ε/2 + (ε/(2m))(a + ε/2) is at most ε.
    fn budget_of_sum(&self, rho: &Term) -> Result<Theorem, Stuck> {
        let (context, eps, m) = (&self.context, var("ε"), self.maximum());
        let above = larger(context, &self.log, &self.floor, false)?;
        let share = log() / m.clone();
        let quarter = eps.clone() / num(4);
        let bound = mul([quarter.clone(), add([share.clone(), num(1)])]);
        let product = Goal::Le(mul([rho.clone(), log()]), bound.pow(2));
        let square = mul([quarter.pow(2), (share - num(1)).pow(2)]);
        let root = root_bound(&combine_with_slack(
            context,
            product,
            vec![Part::new(square, [])],
        )?)?;
        let goal = Goal::Le(spent(rho, &var("δ")), eps.clone());
        let parts = vec![
            Part::new(num(2), [Fact::from(&root)]),
            Part::new(eps / mul([num(2), m]), [Fact::from(&above)]),
        ];
        combine_with_slack(context, goal, parts)
    }

    /// The transcript is (ε, δ)-DP.
    fn transcript(&self) -> Result<Theorem, Stuck> {
        let context = &self.context;
        let (selection, release) = (self.selection()?, self.release()?);
        let all = compose(context, "Alg1", "D", &[&selection, &release])?;
        let cost = self.per_access().pow(2) / num(2);
        let rho = mul([var("T"), add([cost.clone(), cost])]);
        let small = assumed(context, &Goal::Le(var("δ"), num(1)))?;
        let within = match self.form {
            Form::Floor => self.budget(&rho)?,
            Form::Sum => self.budget_of_sum(&rho)?,
        };
        let values = [rho, var("ε"), var("δ")];
        cite(context, &ZCDP_TO_DP, &values, &[&all, &small, &within])
    }
}

/// The gradient's entry `j` moves by at most 2L_j/n, in the context of w and `j`.
fn sensitivity(context: &Context, j: &str) -> Result<Theorem, Stuck> {
    let record = context.extended(Item::Var("d".into(), Sort::Record))?;
    let bounded = partial_bound(&record, "ℓ", &var("w"), "d", j)?;
    mean_moves(&bounded, "D")
}

/// How far the query of index `j` moves.
fn moved(j: &Term) -> Term {
    mul([num(2), at(&var("L"), j)]) / var("n")
}

/// The proof of `gcd-thm-4.2-repaired`, for this statement or one with other constants. What it returns is proved whatever it
/// was given; whether that is the statement is for the caller to compare.
///
/// # Errors
/// If a rule does not apply.
pub fn prove(statement: &Statement) -> Result<Theorem, Stuck> {
    prove_by(statement, Form::Floor)
}

/// The proof of `gcd-thm-4.2-corrected`, in the same way.
///
/// # Errors
/// If a rule does not apply.
pub fn prove_corrected(statement: &Statement) -> Result<Theorem, Stuck> {
    prove_by(statement, Form::Sum)
}

fn prove_by(statement: &Statement, form: Form) -> Result<Theorem, Stuck> {
    let transcript = Noise::of(statement, form)?.transcript()?;
    if transcript.statement().goal == statement.goal {
        return Ok(transcript);
    }
    forget(&transcript)
}

/// The transcript of Algorithm 1 is (ε, δ)-DP, with the noise of `gcd-thm-4.2-repaired`.
///
/// # Errors
/// If a rule does not apply.
pub fn transcript_repaired() -> Result<Theorem, Stuck> {
    prove(&statement(View::Transcript)?)
}

/// `gcd-thm-4.2-repaired`: Algorithm 1 is (ε, δ)-DP.
///
/// # Errors
/// If a rule does not apply.
pub fn thm_4_2_repaired() -> Result<Theorem, Stuck> {
    prove(&statement(View::End)?)
}
