//! Costs that two records attain.

use super::notions::space;
use crate::moved::written::{Proof, all_goals};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Fact, Part, Theorem, attained, both, combine, gaussian, instance, root_increases, weaken,
};
use dp_assay_kernel::search::{Share, assumed, record_moves, zcdp_cost};
use dp_assay_kernel::statement::{Command, Context, Goal, Notion, Sort, Statement};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, var, vector};

/// What is released in a round: the mean of a field over data, with noise.
struct Access {
    field: &'static str,
    /// The data, and the records in which neighbours may differ.
    data: &'static str,
    records: &'static [&'static str],
    variance: &'static str,
    /// How large the field is at most.
    most: fn() -> Term,
}

fn gradient() -> Term {
    var("L₀")
}

/// φ/(4γ), the change of a record's gradient along a step.
fn difference() -> Term {
    var("φ") / mul([num(4), var("γ")])
}

const ACCESSES: [Access; 4] = [
    Access {
        field: "G",
        data: "D",
        records: &["a", "b"],
        variance: "s",
        most: gradient,
    },
    Access {
        field: "H",
        data: "D",
        records: &["a", "b"],
        variance: "t",
        most: difference,
    },
    Access {
        field: "G",
        data: "E",
        records: &["c"],
        variance: "s",
        most: gradient,
    },
    Access {
        field: "H",
        data: "E",
        records: &["c"],
        variance: "t",
        most: difference,
    },
];

impl Access {
    fn of(&self, z: &str) -> Term {
        app(self.field, [var("w"), var(z)])
    }

    fn entry(&self, z: &str) -> Term {
        at(&self.of(z), &var("j"))
    }

    fn command(&self) -> Command {
        let mean = bind(Binder::Total, "z", var(self.data), self.entry("z")) / var("n");
        Command::Release {
            name: "g".into(),
            query: vector("j", var("d"), mean),
            law: op(Op::Normal, [var("d"), app(self.variance, [])]),
        }
    }

    /// How many records differ.
    fn times(&self) -> Term {
        num(self.records.len() as i64)
    }

    /// How far apart the field is at the records, times a factor.
    fn apart(&self, factor: &dyn Fn(Term) -> Term) -> Term {
        let entry = |z: &str| factor(self.entry(z));
        let change = match self.records {
            [a, b] => entry(a) - entry(b),
            one => entry(one[0]),
        };
        vector("j", var("d"), change).norm()
    }

    /// The records are as far apart as the bound allows.
    fn worst(&self) -> Goal {
        let most = mul([self.times(), (self.most)()]);
        Goal::Le(most, self.apart(&|t| t))
    }

    /// The field is bounded.
    fn bounded(&self) -> Goal {
        let bound = Goal::Le(app(self.field, [var("x"), var("r")]).norm(), (self.most)());
        let all = Goal::Every("r".into(), Sort::Record, bound.into());
        Goal::Every("x".into(), space(), all.into())
    }

    /// Both goals, with whatever number they state.
    fn prove(&self, context: &Context, goals: [&Goal; 2]) -> Result<[Theorem; 2], Stuck> {
        let command = self.command();
        let Command::Release { query, .. } = &command else {
            return Err(Stuck::new("no release"));
        };
        let share = Share {
            of: &|z| {
                vector(
                    "j",
                    var("d"),
                    at(&app(self.field, [var("w"), z.clone()]), &var("j")) / var("n"),
                )
            },
            bound: &|here, z| {
                let all = assumed(here, &self.bounded())?;
                instance(here, &instance(here, &all, &var("w"))?, &var(z))
            },
            factor: num(1) / var("n"),
        };
        let by = mul([self.times(), (self.most)()]) / var("n");
        let moves = record_moves(context, self.data, query, &share, &by)?;
        let found = gaussian(context, &command, &moves)?;
        let cost = zcdp_cost(goals[0])?;
        let less = Goal::Le(zcdp_cost(&found.statement().goal)?.clone(), cost.clone());
        let less = combine(context, less, &[])?;
        let upper = weaken(&found, &Notion::Zcdp(cost.clone()), &[&less])?;
        // (2L/n)² ≤ ‖change/n‖²: squares are compared.
        let (most, change) = (mul([self.times(), (self.most)()]), self.apart(&|t| t));
        let scaled = self.apart(&|t| t / var("n"));
        let factor = (most + change) / var("n").pow(2);
        let worst = assumed(context, &self.worst())?;
        let squares = Goal::Le(by.pow(2), scaled.pow(2));
        let part = Part::new(factor, [Fact::from(&worst)]);
        let apart = root_increases(&combine(context, squares, &[part])?)?;
        let notion = Notion::Zcdp(var("q"));
        let on = (self.data, self.records);
        let Some([least, _]) = goals[1].sides() else {
            return Err(Stuck::new("no least cost"));
        };
        let lower = attained(context, &command, (&notion, least), on, &apart, None)?;
        Ok([upper, lower])
    }
}

/// `kl-lem-8-mech-repaired`: with the printed noise a gradient costs 2ρ/K and a difference ρ/(8KT), exactly, if a record is
/// replaced, and a quarter of both if one is left out, where records are as far apart as the bounds allow.
pub fn mechanisms() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           real L₀ > 0
           real φ > 0
           real γ > 0
           real ρ > 0
           real K > 0
           real T > 0
           real q ≥ 0
           vector G ∈ ℝ^d for every record and vector of ℝ^d
           vector H ∈ ℝ^d for every record and vector of ℝ^d
           assume for every vector x ∈ ℝ^d: for every record r: ‖G(x, r)‖ ≤ L₀
           assume for every vector x ∈ ℝ^d: for every record r: ‖H(x, r)‖ ≤ φ/(4·γ)
           define s := L₀²·K/(n²·ρ)
           define t := φ²·T·K/(γ²·n²·ρ)
           data D of n records: its neighbours have one record replaced
           data E of n records: its neighbours have one record left out of every sum, and the same \
               number of records
           vector w ∈ ℝ^d
           record a
           record b
           record c
           assume 2·L₀ ≤ ‖⟨G(w, a)[j] − G(w, b)[j] : j<d⟩‖
           assume 2·(φ/(4·γ)) ≤ ‖⟨H(w, a)[j] − H(w, b)[j] : j<d⟩‖
           assume 1·L₀ ≤ ‖⟨G(w, c)[j] : j<d⟩‖
           assume 1·(φ/(4·γ)) ≤ ‖⟨H(w, c)[j] : j<d⟩‖
         holds
           between neighbours of D, [g ← ⟨(Σ_{z∈D} G(w, z)[j])/n : j<d⟩ + N_{d}(0, s)] is \
               (2·ρ/K)-zCDP; if between neighbours of D, [g ← ⟨(Σ_{z∈D} G(w, z)[j])/n : j<d⟩ + \
               N_{d}(0, s)] is (q)-zCDP: 2·ρ/K ≤ q; between neighbours of D, [g ← ⟨(Σ_{z∈D} H(w, \
               z)[j])/n : j<d⟩ + N_{d}(0, t)] is (ρ/(8·K·T))-zCDP; if between neighbours of D, [g \
               ← ⟨(Σ_{z∈D} H(w, z)[j])/n : j<d⟩ + N_{d}(0, t)] is (q)-zCDP: ρ/(8·K·T) ≤ q; between \
               neighbours of E, [g ← ⟨(Σ_{z∈E} G(w, z)[j])/n : j<d⟩ + N_{d}(0, s)] is \
               (ρ/(2·K))-zCDP; if between neighbours of E, [g ← ⟨(Σ_{z∈E} G(w, z)[j])/n : j<d⟩ + \
               N_{d}(0, s)] is (q)-zCDP: ρ/(2·K) ≤ q; between neighbours of E, [g ← ⟨(Σ_{z∈E} H(w, \
               z)[j])/n : j<d⟩ + N_{d}(0, t)] is (ρ/(32·K·T))-zCDP; if between neighbours of E, [g \
               ← ⟨(Σ_{z∈E} H(w, z)[j])/n : j<d⟩ + N_{d}(0, t)] is (q)-zCDP: ρ/(32·K·T) ≤ q",
    )
}

pub fn prove_mechanisms(statement: &Statement) -> Proof {
    let context = &statement.context;
    let goals = all_goals(statement);
    let mut proved = Vec::new();
    for (access, goals) in ACCESSES.iter().zip(goals.chunks(2)) {
        let [upper, lower] = goals else {
            return Err(Stuck::new("not two goals"));
        };
        proved.extend(access.prove(context, [upper, lower])?);
    }
    both(context, &proved.iter().collect::<Vec<_>>())
}
