//! Lemmas on mechanisms that the paper's proof of Theorem 4.1 uses, its chain of displays, and the K that minimises the
//! bound of Theorem 4.2.

use super::privacy::{budget, converted, item, log, masked, positive, setting, space};
use crate::moved::written::{Proof, all_goals};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Part, both, call, combine, compose, forget, gaussian, gradient_bound, instance, one_record,
    renyi, weaken,
};
use dp_assay_kernel::search::{Share, assumed, record_moves, together, zcdp_cost};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Notion, Process, Relation, Sort, State, Statement, Subject, View,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, var, vector};

fn of_process(process: &str, view: View, notion: Notion) -> Goal {
    Goal::Private {
        data: "D".into(),
        notion,
        subject: Subject::Process(process.into(), view),
    }
}

fn access(name: &str, mechanism: &str, input: Term) -> Command {
    Command::Call {
        name: name.into(),
        of: app(mechanism, [input]),
    }
}

fn mechanism(name: &str, notion: Notion) -> Item {
    item(name, Sort::Mechanism(var("d"), "D".into(), notion))
}

/// d and data.
fn data() -> Vec<Item> {
    let relation = Relation::ReplaceOne;
    vec![
        item("n", Sort::Count),
        item("d", Sort::Count),
        item("D", Sort::Dataset(var("n"), relation)),
    ]
}

/// An order α of at least 1.
fn order() -> [Item; 2] {
    [positive("α"), Item::Assume(Goal::Le(num(1), var("α")))]
}

/// 1[j ∈ S] as a vector.
fn indicator() -> Term {
    vector("j", var("d"), op(Op::Member, [var("j"), var("S")]))
}

/// `skgd-lem-mixture`: if A_S, which is A at the indicator vector of S, is (α, ε)-RDP for every S, so is (S, A_S) for a set S
/// that is drawn without the data.
pub fn mixture() -> Result<Statement, Stuck> {
    let notion = Notion::Renyi(var("α"), var("ε"));
    let draw = Command::Draw {
        name: "S".into(),
        law: var("𝒮"),
    };
    let process = Process {
        states: vec![],
        body: vec![draw, access("a", "A", indicator())],
    };
    let more = [
        positive("ε"),
        item("𝒮", Sort::SetLaw(var("d"))),
        mechanism("A", notion.clone()),
        Item::Process("P".into(), process),
    ];
    let context = Context::default().with(data().into_iter().chain(order()).chain(more))?;
    let goal = of_process("P", View::Transcript, notion);
    Ok(Statement { context, goal })
}

/// The proof of [`mixture`], or of a statement with another cost.
pub fn prove_mixture(statement: &Statement) -> Proof {
    let context = &statement.context;
    let here = context.extended(item("S", Sort::Outcome("𝒮".into())))?;
    let given = call(&here, &access("a", "A", indicator()))?;
    compose(context, "P", "D", &[&given])
}

/// `skgd-lem-post-processing`: Π(A(w)) is (ε, δ)-DP if A is.
pub fn post_processing() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           data D of n records: its neighbours have one record replaced
           real ε > 0
           real δ > 0
           mechanism A on D that takes and releases vectors of ℝ^d and is (ε, δ)-DP for every one \
               that it takes
           map Π of ℝ^d into ℝ^d
           vector w ∈ ℝ^d
           algorithm P: y ← w in ℝ^d
             a ← A(w)
             y ← Π(a)
           end
         holds
           between neighbours of D, the end of P is (ε, δ)-DP",
    )
}

/// The proof of [`post_processing`], or of a statement with other numbers.
pub fn prove_post_processing(statement: &Statement) -> Proof {
    let context = &statement.context;
    let given = call(context, &access("a", "A", var("w")))?;
    forget(&compose(context, "P", "D", &[&given])?, View::End)
}

/// `decor-lem-10`: an (α, ε₁)-RDP mechanism, and then an (α, ε₂)-RDP mechanism that is given its output.
pub fn two_in_turn() -> Result<Statement, Stuck> {
    let notion = |epsilon: Term| Notion::Renyi(var("α"), epsilon);
    let process = Process {
        states: vec![],
        body: vec![access("a", "A", var("w")), access("b", "B", var("a"))],
    };
    let more = [
        positive("ε₁"),
        positive("ε₂"),
        mechanism("A", notion(var("ε₁"))),
        mechanism("B", notion(var("ε₂"))),
        item("w", space()),
        Item::Process("P".into(), process),
    ];
    let context = Context::default().with(data().into_iter().chain(order()).chain(more))?;
    let goal = of_process("P", View::Transcript, notion(var("ε₁") + var("ε₂")));
    Ok(Statement { context, goal })
}

/// The proof of [`two_in_turn`], or of a statement with other numbers.
pub fn prove_two_in_turn(statement: &Statement) -> Proof {
    let context = &statement.context;
    let first = call(context, &access("a", "A", var("w")))?;
    let here = context.extended(item("a", space()))?;
    let second = call(&here, &access("b", "B", var("a")))?;
    compose(context, "P", "D", &[&first, &second])
}

/// The gradient at θ on the drawn set with noise of that variance, a function of the set.
fn step(variance: &str) -> Command {
    let j = var("j");
    let partial = op(Op::Partial, [var("ℓ"), var("θ"), var("z"), j.clone()]);
    let mean = bind(Binder::Total, "z", var("D"), partial) / var("n");
    let query = vector("j", var("d"), mul([op(Op::Member, [j, var("S")]), mean]));
    Command::Release {
        name: "a".into(),
        query,
        law: op(Op::Normal, [var("d"), app(variance, [var("S")])]),
    }
}

/// So many steps from w₀; every step goes on from what the past is made into.
fn steps(variance: &str, times: Term) -> Process {
    let draw = Command::Draw {
        name: "S".into(),
        law: var("𝒮"),
    };
    let moved =
        at(&var("θ"), &var("j")) - mul([at(&var("γ"), &var("j")), at(&var("a"), &var("j"))]);
    let body = vec![
        draw,
        step(variance),
        Command::Set("θ".into(), vector("j", var("d"), moved)),
    ];
    let state = State {
        name: "θ".into(),
        dimension: var("d"),
        start: var("w₀"),
    };
    Process {
        states: vec![state],
        body: vec![Command::Repeat {
            index: "k".into(),
            times,
            body,
        }],
    }
}

/// `skgd-thm-4.1-proof-chain`: with σ_U = Δ_U·σ, Δ_U = 2L_U/n, a step is (α, α/(2σ²))-RDP and K steps are (α, Kα/(2σ²))-RDP;
/// with σ_U² = Δ_U²·3K·log(1/δ)/ε² they are (ε, δ)-DP, and K·T of them with σ_U² = Δ_U²·3KT·log(1/δ)/ε².
pub fn proof_chain() -> Result<Statement, Stuck> {
    let on_set = || vec![("U".to_owned(), Sort::Set(var("d")))];
    let moved = (mul([num(2), at(&var("L"), &var("U"))]) / var("n")).pow(2);
    let define =
        |name: &str, rest: Term| Item::Define(name.into(), on_set(), mul([moved.clone(), rest]));
    let noise = |steps: Term| mul([num(3), steps, log()]) / var("ε").pow(2);
    let both_loops = || mul([var("K"), var("T")]);
    let more = [
        positive("x"),
        Item::Define("α".into(), vec![], num(1) + var("x")),
        positive("σ"),
        item("K", Sort::Count),
        item("T", Sort::Count),
        item("γ", space()),
        item("w₀", space()),
        define("u", var("σ").pow(2)),
        define("v", noise(var("K"))),
        define("s", noise(both_loops())),
        Item::Process("O".into(), steps("u", num(1))),
        Item::Process("P".into(), steps("u", var("K"))),
        Item::Process("Q".into(), steps("v", var("K"))),
        Item::Process("R".into(), steps("s", both_loops())),
    ];
    let context = setting().into_iter().chain(budget()).chain(more);
    let context = Context::default().with(context)?;
    let alpha = || app("α", []);
    let each = alpha() / mul([num(2), var("σ").pow(2)]);
    let all = mul([var("K"), alpha()]) / mul([num(2), var("σ").pow(2)]);
    let private = || Notion::Approximate(var("ε"), var("δ"));
    let goal = Goal::Both(vec![
        of_process("O", View::Transcript, Notion::Renyi(alpha(), each)),
        of_process("P", View::Transcript, Notion::Renyi(alpha(), all)),
        of_process("Q", View::Transcript, private()),
        of_process("R", View::Transcript, private()),
    ]);
    Ok(Statement { context, goal })
}

/// The proof of [`proof_chain`], or of a statement with other constants.
pub fn prove_proof_chain(statement: &Statement) -> Proof {
    let (context, goals) = (&statement.context, all_goals(statement));
    let here = context.with([item("θ", space()), item("S", Sort::Outcome("𝒮".into()))])?;
    let share = Share {
        of: &|z| vector("j", var("d"), masked("S", "θ", z, &var("j")) / var("n")),
        bound: &|here, z| gradient_bound(here, "ℓ", &var("θ"), z, Some("S")),
        factor: num(1) / var("n"),
    };
    let by = mul([num(2), at(&var("L"), &var("S"))]) / var("n");
    let run = |process: &str, variance: &str, steps: Term| -> Proof {
        let command = step(variance);
        let Command::Release { query, .. } = &command else {
            return Err(Stuck::new("no release"));
        };
        let moved = record_moves(&here, "D", query, &share, &by)?;
        let private = gaussian(&here, &command, &moved)?;
        let cost = zcdp_cost(&private.statement().goal)?;
        // L_S cancels.
        let each = match variance {
            "u" => num(1) / mul([num(2), var("σ").pow(2)]),
            _ => var("ε").pow(2) / mul([num(6), steps, log()]),
        };
        let smaller = combine(&here, Goal::Le(cost.clone(), each.clone()), &[])?;
        let free = weaken(&private, &Notion::Zcdp(each), &[&smaller])?;
        compose(context, process, "D", &[&free])
    };
    let at_order = |process: &str, steps: Term, goal: &Goal| -> Proof {
        let run = renyi(&run(process, "u", steps)?, &app("α", []))?;
        let (Goal::Private { notion: found, .. }, Goal::Private { notion, .. }) =
            (&run.statement().goal, goal)
        else {
            return Err(Stuck::new("not about privacy"));
        };
        let less = Goal::Le(found.numbers()[1].clone(), notion.numbers()[1].clone());
        weaken(&run, notion, &[&combine(context, less, &[])?])
    };
    let [one, many, ..] = goals else {
        return Err(Stuck::new("not several bounds"));
    };
    let first = at_order("O", num(1), one)?;
    let second = at_order("P", var("K"), many)?;
    let inner = converted(context, &run("Q", "v", var("K"))?)?;
    let outer = converted(context, &run("R", "s", mul([var("K"), var("T")]))?)?;
    both(context, &[&first, &second, &inner, &outer])
}

/// `skgd-thm-4.2-cvx-minimiser-repaired`: K = R/(Σ√(12c)) minimises R²/K + 12K·c·Σ² over K > 0; the value falls from 13RΣ√c at
/// the printed K = R/(Σ√c) to 4RΣ√(3c).
pub fn minimiser() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           real R > 0
           real Σ𝒮 > 0
           real c > 0
           real K > 0
           define B(k) := R²/k + 12·k·c·Σ𝒮²
         holds
           4·R·Σ𝒮·√(3·c) ≤ B(K); B(R/(Σ𝒮·√(12·c))) = 4·R·Σ𝒮·√(3·c); B(R/(Σ𝒮·√(c))) = 13·R·Σ𝒮·√(c)",
    )
}

/// The proof of [`minimiser`]: R²/K + 12KcΣ² − 4RΣ√(3c) = (R − KΣ√(12c))²/K.
pub fn prove_minimiser(statement: &Statement) -> Proof {
    let root = mul([num(12), var("c")]).sqrt();
    let gap = var("R") - mul([var("K"), var("Σ𝒮"), root]);
    together(statement, vec![vec![Part::new(gap.pow(2) / var("K"), [])]])
}

/// ‖I_U(f(a) − f(b))‖ ≤ Δ for any two inputs a, b.
fn inputs_are_close() -> Goal {
    let j = var("j");
    let of = |z: &str| at(&app("f", [var(z)]), &j);
    let apart = mul([op(Op::Member, [j.clone(), var("U")]), of("a") - of("b")]);
    let close = Goal::Le(vector("j", var("d"), apart).norm(), var("Δ"));
    let close = Goal::Every("b".into(), Sort::Record, close.into());
    Goal::Every("a".into(), Sort::Record, close.into())
}

/// I_U v of a vector that has the entries v.
fn part_of(entry: Term) -> Term {
    let member = op(Op::Member, [var("j"), var("U")]);
    vector("j", var("d"), mul([member, entry]))
}

/// I_Uf(D) + N(0, σ²).
fn noisy_part() -> Command {
    let entry = at(&app("f", [var("z")]), &var("j"));
    Command::Release {
        name: "o".into(),
        query: part_of(bind(Binder::Total, "z", var("D"), entry)),
        law: op(Op::Normal, [var("d"), var("σ").pow(2)]),
    }
}

/// `skgd-cor-D.5-repaired`: D ↦ I_U(f(D) + N(0, σ²)) = I_U(I_Uf(D) + N(0, σ²)) is (α, αΔ²/(2σ²))-RDP if I_Uf moves by at
/// most Δ. The function f is any: the whole of the data is one record, which is replaced, and of two neighbours either.
pub fn masked_gaussian() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           set U⊆d
           vector f ∈ ℝ^d for every record
           real Δ ≥ 0
           assume for every record a: for every record b: ‖⟨𝟙[j∈U]·(f(a)[j] − f(b)[j]) : j<d⟩‖ ≤ Δ
           data D of 1 records: its neighbours have one record replaced
           real σ > 0
           real x > 0
           define α := 1 + x
           algorithm P: y ← ⟨0 : j<d⟩ in ℝ^d
             o ← ⟨𝟙[j∈U]·(Σ_{z∈D} f(z)[j]) : j<d⟩ + N_{d}(0, σ²)
             y ← ⟨𝟙[j∈U]·o_j : j<d⟩
           end
         holds
           between neighbours of D, the end of P is (α, α·Δ²/(2·σ²))-RDP",
    )
}

/// The proof of [`masked_gaussian`], or of a statement with another cost.
pub fn prove_masked_gaussian(statement: &Statement) -> Proof {
    let context = &statement.context;
    let command = noisy_part();
    let (
        Command::Release { query, .. },
        Goal::Private {
            notion: notion @ Notion::Renyi(order, cost),
            ..
        },
    ) = (&command, &statement.goal)
    else {
        return Err(Stuck::new("no release, or no Rényi bound"));
    };
    let two = context.with(["z", "z′"].map(|z| item(z, Sort::Record)))?;
    let close = assumed(context, &inputs_are_close())?;
    let close = instance(&two, &instance(&two, &close, &var("z"))?, &var("z′"))?;
    let moved = one_record(context, "D", query, &close)?;
    let all = compose(context, "P", "D", &[&gaussian(context, &command, &moved)?])?;
    let at_order = renyi(&all, order)?;
    let Goal::Private { notion: found, .. } = &at_order.statement().goal else {
        return Err(Stuck::new("not about privacy"));
    };
    let less = Goal::Le(found.numbers()[1].clone(), cost.clone());
    let less = combine(context, less, &[])?;
    forget(&weaken(&at_order, notion, &[&less])?, View::End)
}
