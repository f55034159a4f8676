//! Random instances of contexts, and the value of a term in one: by the definition of every operation, without the
//! kernel's normal forms. Expectations over sets are sums; over Gaussians, Gauss–Hermite sums that are exact for
//! polynomials of degree 5.

use dp_assay_kernel::statement::{Command, Context, Item, View};
use dp_assay_kernel::term::{Binder, Op, Term, op};
use std::collections::BTreeMap;

/// SplitMix64: the same instances on every run.
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.word() % n as u64) as usize
    }

    /// Uniform between two numbers.
    pub fn real(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.word() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn reals(&mut self, n: usize, low: f64, high: f64) -> Vec<f64> {
        (0..n).map(|_| self.real(low, high)).collect()
    }
}

/// Σᵢ weightᵢ·φ(⟨directionᵢ, x⟩ − offsetᵢ), φ(u) = u²/2 or ln(2 cosh u): convex, smooth along every eⱼ.
#[derive(Clone, Debug)]
pub struct Function(pub Vec<(f64, Vec<f64>, f64, bool)>);

impl Function {
    /// A random one on the space of dimension d.
    pub fn random(r: &mut Random, d: usize) -> Self {
        let term = |r: &mut Random| {
            let direction = r.reals(d, -1.0, 1.0);
            (
                r.real(0.1, 1.0),
                direction,
                r.real(-1.0, 1.0),
                r.below(2) == 0,
            )
        };
        Self((0..3).map(|_| term(r)).collect())
    }

    fn inner(a: &[f64], x: &[f64]) -> f64 {
        a.iter().zip(x).map(|(a, x)| a * x).sum()
    }

    pub fn value(&self, x: &[f64]) -> f64 {
        let one = |(w, a, b, square): &(f64, Vec<f64>, f64, bool)| {
            let u = Self::inner(a, x) - b;
            w * if *square {
                u * u / 2.0
            } else {
                (2.0 * u.cosh()).ln()
            }
        };
        self.0.iter().map(one).sum()
    }

    pub fn slope(&self, x: &[f64], j: usize) -> f64 {
        let one = |(w, a, b, square): &(f64, Vec<f64>, f64, bool)| {
            let u = Self::inner(a, x) - b;
            w * a[j] * if *square { u } else { u.tanh() }
        };
        self.0.iter().map(one).sum()
    }

    /// Constants M with ∇²f ⪯ Diag(M): row sums of moduli of Σ w·a·aᵀ.
    pub fn smoothness(&self, d: usize) -> Vec<f64> {
        let row = |j: usize| {
            let one = |(w, a, ..): &(f64, Vec<f64>, f64, bool)| {
                w * a[j].abs() * a.iter().map(|x| x.abs()).sum::<f64>()
            };
            self.0.iter().map(one).sum::<f64>() + 1e-3
        };
        (0..d).map(row).collect()
    }
}

/// A value of a variable.
#[derive(Clone, Debug)]
pub enum Value {
    Number(f64),
    Vector(Vec<f64>),
    Sequence(Vec<Vec<f64>>),
    Function(Function),
    /// One function for every record; the derivative of each is bounded where it is not a square.
    Loss(Vec<Function>),
    /// The records of a data set.
    Data(Vec<usize>),
    Record(usize),
    /// A set as a bit mask.
    Set(usize),
    /// The probability of every set.
    Law(Vec<f64>),
    /// A number for every set.
    SetFunction(Vec<f64>),
    /// For an input that begins with k, at k: the law of what is released if the first record is 0, and if not. Outcome o is a
    /// vector of entries o.
    Mechanism(Vec<[Vec<f64>; 2]>),
}

pub type World = BTreeMap<String, Value>;

/// Where a world keeps what was named, and what states were, if that is asked for.
const NAMED: &str = "what was named";
const PATH: &str = "what states were";

/// A number or vector as its entries.
fn entries(value: &Value) -> Vec<f64> {
    match value {
        Value::Number(x) => vec![*x],
        Value::Vector(v) => v.clone(),
        other => panic!("{other:?} is not seen"),
    }
}

const NODES: [(f64, f64); 3] = [
    (-1.732_050_807_568_877_2, 1.0 / 6.0),
    (0.0, 2.0 / 3.0),
    (1.732_050_807_568_877_2, 1.0 / 6.0),
];

/// The same for the Laplace law of scale 1, whose moments are 2 and 24.
const LAPLACE: [(f64, f64); 3] = [
    (-3.464_101_615_137_754_6, 1.0 / 12.0),
    (0.0, 5.0 / 6.0),
    (3.464_101_615_137_754_6, 1.0 / 12.0),
];

/// Evaluates in a context whose variables have these values.
pub struct Eval<'a> {
    pub context: &'a Context,
    /// Whether every round of a process draws anew; false for the twin of a rule that asks for it.
    pub fresh: bool,
}

impl Eval<'_> {
    pub fn number(&self, t: &Term, w: &World) -> f64 {
        match t {
            Term::Num(value) => value.to_f64(),
            Term::Var(x) => match &w[x] {
                Value::Number(value) => *value,
                other => panic!("{x} is {other:?}"),
            },
            Term::App(f, a) => match (self.context.unfold(f, a), w.get(f)) {
                (Some(body), _) => self.number(&body, w),
                (None, Some(Value::Function(f))) => f.value(&self.vector(&a[0], w)),
                _ => panic!("{f} has no value"),
            },
            Term::Op(op, a) => self.operation(*op, a, w),
            Term::Bind(binder, x, of, body) => self.binder(*binder, x, of, body, w),
        }
    }

    fn index(&self, t: &Term, w: &World) -> usize {
        self.number(t, w) as usize
    }

    pub fn vector(&self, t: &Term, w: &World) -> Vec<f64> {
        match t {
            Term::Var(x) => match &w[x] {
                Value::Vector(v) => v.clone(),
                other => panic!("{x} is {other:?}"),
            },
            Term::Bind(Binder::Vec, x, bound, body) => {
                let entry = |j: usize| self.number(body, &with(w, x, Value::Number(j as f64)));
                (0..self.index(bound, w)).map(entry).collect()
            }
            Term::Op(Op::At, a) => match &w[a[0].free().first().expect("a name")] {
                Value::Sequence(all) => all[self.index(&a[1], w)].clone(),
                other => panic!("{other:?} is no sequence"),
            },
            Term::Op(Op::Clip, a) => {
                let (v, bound) = (self.vector(&a[0], w), self.number(&a[1], w));
                let norm = v.iter().map(|x| x * x).sum::<f64>().sqrt();
                let factor = if norm > bound { bound / norm } else { 1.0 };
                v.iter().map(|x| x * factor).collect()
            }
            other => panic!("{other:?} is no vector"),
        }
    }

    fn operation(&self, op: Op, a: &[Term], w: &World) -> f64 {
        let n = |t: &Term| self.number(t, w);
        match (op, a) {
            (Op::Add, _) => a.iter().map(n).sum(),
            (Op::Mul, _) => a.iter().map(n).product(),
            (Op::Sub, [x, y]) => n(x) - n(y),
            (Op::Div, [x, y]) => n(x) / n(y),
            (Op::Pow, [x, y]) => n(x).powi(n(y) as i32),
            (Op::Sqrt, [x]) => n(x).sqrt(),
            (Op::Log, [x]) => n(x).ln(),
            (Op::Abs, [x]) => n(x).abs(),
            (Op::Exp, [x]) => n(x).exp(),
            (Op::Norm, [v]) => self.vector(v, w).iter().map(|x| x * x).sum::<f64>().sqrt(),
            (Op::Clip, [x, bound]) => n(x).signum() * n(x).abs().min(n(bound)),
            (Op::AtMost, [x, y]) => f64::from(u8::from(n(x) <= n(y))),
            (Op::Max, [x, y]) => n(x).max(n(y)),
            (Op::At, [Term::Var(x), Term::Var(s)]) => match (&w[x], &w[s]) {
                (Value::SetFunction(f), Value::Set(s)) => f[*s],
                (Value::Vector(v), Value::Number(j)) => v[*j as usize],
                other => panic!("{other:?} has no entry"),
            },
            (Op::At, [v, j]) => self.vector(v, w)[self.index(j, w)],
            (Op::Partial, [Term::Var(f), x, j]) if !w.contains_key(f) => {
                n(&self.context.mean_slope(f, x, j).expect("a mean"))
            }
            (Op::Partial, [Term::Var(f), x, rest @ .., j]) => {
                let (x, j) = (self.vector(x, w), self.index(j, w));
                match (&w[f], rest) {
                    (Value::Function(f), []) => f.slope(&x, j),
                    (Value::Loss(all), [Term::Var(d)]) => match &w[d] {
                        Value::Record(d) => all[*d].slope(&x, j),
                        other => panic!("{other:?} is no record"),
                    },
                    other => panic!("{other:?} has no derivative"),
                }
            }
            (Op::Unit, [i, j]) => f64::from(u8::from(self.index(i, w) == self.index(j, w))),
            (Op::Member, [j, Term::Var(s)]) => match &w[s] {
                Value::Set(s) => (s >> self.index(j, w) & 1) as f64,
                other => panic!("{other:?} is no set"),
            },
            (Op::Inclusion, [j, Term::Var(law)]) => match &w[law] {
                Value::Law(law) => {
                    let j = self.index(j, w);
                    let hit = law.iter().enumerate().filter(|(s, _)| s >> j & 1 == 1);
                    hit.map(|(_, q)| q).sum()
                }
                other => panic!("{other:?} is no law"),
            },
            other => panic!("{other:?} has no value"),
        }
    }

    fn binder(&self, binder: Binder, x: &str, of: &Term, body: &Term, w: &World) -> f64 {
        let at = |value: Value| self.number(body, &with(w, x, value));
        let below = |bound: &Term| (0..self.index(bound, w)).map(|k| Value::Number(k as f64));
        match (binder, of) {
            (Binder::Sum, bound) => below(bound).map(at).sum(),
            (Binder::Sup, Term::Op(Op::Except, range)) => {
                let j = self.index(&range[1], w);
                let others = below(&range[0]).enumerate().filter(|(k, _)| *k != j);
                others.map(|(_, k)| at(k)).fold(0.0, f64::max)
            }
            (Binder::Total, Term::Var(data)) => match &w[data] {
                Value::Data(records) => records.iter().map(|r| at(Value::Record(*r))).sum(),
                other => panic!("{other:?} is no data set"),
            },
            (Binder::Expect, Term::Op(Op::End, name)) => {
                let Term::Var(name) = &name[0] else {
                    panic!("no process")
                };
                let first = &self.context.process(name).expect("a process").states[0].name;
                let ends = self.ends(name, w);
                ends.iter().map(|(q, w)| q * at(w[first].clone())).sum()
            }
            (Binder::Expect, law) => {
                let outcomes = self.outcomes(law, w);
                outcomes.into_iter().map(|(q, value)| q * at(value)).sum()
            }
            other => panic!("{other:?} has no value"),
        }
    }

    /// The worlds at the end of a process, with probabilities.
    pub fn ends(&self, process: &str, w: &World) -> Vec<(f64, World)> {
        let process = self.context.process(process).expect("a process");
        let mut start = w.clone();
        for state in &process.states {
            let first = self.vector(&state.start, w);
            start.insert(state.name.clone(), Value::Vector(first));
        }
        let mut ends = vec![(1.0, start)];
        let stopped = self.run(&process.body, &mut ends);
        assert!(stopped.is_empty(), "no loop is stopped");
        ends
    }

    /// The law of what is seen of a process, by the numbers that are seen in order.
    pub fn seen(&self, process: &str, view: View, w: &World) -> BTreeMap<Vec<u64>, f64> {
        let states = &self.context.process(process).expect("a process").states;
        let starts = states.iter().map(|s| self.vector(&s.start, w));
        let mut start = with(w, NAMED, Value::Sequence(Vec::new()));
        start.insert(PATH.into(), Value::Sequence(starts.collect()));
        let mut law = BTreeMap::new();
        for (q, w) in self.ends(process, &start) {
            let all = match view {
                View::Transcript => vec![&w[NAMED]],
                View::Path => vec![&w[PATH]],
                View::End => states.iter().map(|s| &w[&s.name]).collect(),
            };
            let numbers = |value: &Value| match value {
                Value::Sequence(all) => all.concat(),
                other => entries(other),
            };
            // No outcome is −0.
            let bits = |x: f64| (x + 0.0).to_bits();
            let outcome = all.into_iter().flat_map(numbers).map(bits).collect();
            *law.entry(outcome).or_insert(0.0) += q;
        }
        law
    }

    /// What is seen of a command joins what was seen, in worlds that keep it.
    fn watched(command: &Command, worlds: &mut [(f64, World)]) {
        let (kept, name) = match command {
            Command::Draw { name, .. }
            | Command::Call { name, .. }
            | Command::Select { name, .. }
            | Command::Release { name, .. } => (NAMED, name),
            Command::Set(name, _) => (PATH, name),
            _ => return,
        };
        for (_, w) in worlds {
            let value = w.get(kept).map(|_| entries(&w[name]));
            if let (Some(value), Some(Value::Sequence(all))) = (value, w.get_mut(kept)) {
                all.push(value);
            }
        }
    }

    /// What a law draws, with probabilities.
    fn outcomes(&self, law: &Term, w: &World) -> Vec<(f64, Value)> {
        match law {
            Term::Var(x) => match &w[x] {
                Value::Law(law) => law
                    .iter()
                    .enumerate()
                    .map(|(s, q)| (*q, Value::Set(s)))
                    .collect(),
                other => panic!("{other:?} is no law"),
            },
            Term::Bind(Binder::Weighted, k, over, weight) => {
                let value = |j: usize| Value::Number(j as f64);
                let one = |j| self.number(weight, &with(w, k, value(j)));
                let weights: Vec<f64> = (0..self.number(over, w) as usize).map(one).collect();
                match weights.iter().sum::<f64>() {
                    0.0 => vec![(1.0, value(0))],
                    all => { weights.iter().enumerate() }
                        .map(|(j, weight)| (weight / all, value(j)))
                        .collect(),
                }
            }
            Term::Op(op @ (Op::Normal | Op::Laplace), a) if a.len() == 1 => {
                let (spread, nodes) = match op {
                    Op::Normal => (self.number(&a[0], w).sqrt(), NODES),
                    _ => (self.number(&a[0], w), LAPLACE),
                };
                let node = |(x, p): (f64, f64)| (p, Value::Number(spread * x));
                nodes.map(node).into()
            }
            Term::Op(op @ (Op::Normal | Op::Laplace), a) => {
                let (spread, nodes) = match op {
                    Op::Normal => (self.number(&a[1], w).sqrt(), NODES),
                    _ => (self.number(&a[1], w), LAPLACE),
                };
                let mut all = vec![(1.0, Vec::new())];
                for _ in 0..self.index(&a[0], w) {
                    let longer = |(q, v): &(f64, Vec<f64>)| {
                        let (q, v) = (*q, v.clone());
                        nodes.map(|(x, p)| (q * p, [v.clone(), vec![spread * x]].concat()))
                    };
                    all = all.iter().flat_map(longer).collect();
                }
                all.into_iter()
                    .map(|(q, v)| (q, Value::Vector(v)))
                    .collect()
            }
            other => panic!("{other:?} is no law"),
        }
    }

    /// What commands make of worlds with probabilities; the twin uses the first round's draws again.
    /// What is charged in a world is its number "spent". Returns the worlds in which a stop ended the body.
    fn run(&self, body: &[Command], worlds: &mut Vec<(f64, World)>) -> Vec<(f64, World)> {
        let mut stopped = Vec::new();
        for command in body {
            match command {
                Command::Repeat { index, times, body } => {
                    let mut left = Vec::new();
                    for (_, w) in &mut *worlds {
                        w.insert("spent".into(), Value::Number(0.0));
                    }
                    for k in 0..self.index(times, &worlds[0].1) {
                        for (_, w) in &mut *worlds {
                            w.insert(index.clone(), Value::Number(k as f64));
                        }
                        left.extend(self.run(body, worlds));
                    }
                    worlds.extend(left);
                }
                Command::Stop { charge, limit } => {
                    for (q, mut w) in std::mem::take(worlds) {
                        let spent =
                            self.number(&Term::Var("spent".into()), &w) + self.number(charge, &w);
                        let over = spent > self.number(limit, &w);
                        w.insert("spent".into(), Value::Number(spent));
                        if over { &mut stopped } else { &mut *worlds }.push((q, w));
                    }
                }
                Command::Set(x, value) => {
                    for (_, w) in &mut *worlds {
                        let value = self.vector(value, w);
                        w.insert(x.clone(), Value::Vector(value));
                    }
                }
                Command::Draw { name, law } => self.draw(name, law, worlds),
                Command::Call {
                    name,
                    of: Term::App(mechanism, input),
                } => {
                    let call = |(q, w): &(f64, World)| {
                        let law = self.released(mechanism, &input[0], w);
                        let all = law.into_iter();
                        let all = all.map(|(x, v)| (q * x, with(w, name, Value::Vector(v))));
                        all.collect::<Vec<_>>()
                    };
                    *worlds = worlds.iter().flat_map(call).collect();
                }
                Command::Select {
                    name,
                    index,
                    over,
                    query,
                    scale,
                    divisor,
                } => {
                    let noise = format!("{name} noise");
                    let law = op(Op::Laplace, [over.clone(), Term::Num(1.into())]);
                    self.draw(&noise, &law, worlds);
                    for (_, w) in &mut *worlds {
                        let Value::Vector(z) = &w[&noise] else {
                            panic!("no noise for a selection")
                        };
                        let score = |(k, z): (usize, &f64)| {
                            let w = with(w, index, Value::Number(k as f64));
                            let [q, s] = [query, scale].map(|t| self.number(t, &w));
                            let modulus = |c: &Term| (q + s * z).abs() / self.number(c, &w);
                            divisor.as_ref().map_or(q + s * z, modulus)
                        };
                        let scores: Vec<f64> = z.iter().enumerate().map(score).collect();
                        let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                        let first = scores.iter().position(|s| *s == most);
                        let first = first.expect("a candidate") as f64;
                        w.insert(name.clone(), Value::Number(first));
                    }
                }
                Command::Release {
                    name,
                    query,
                    law: Term::Op(Op::Pairwise, law),
                } => self.send(name, query, law, worlds),
                Command::Release { name, query, law } => {
                    let noise = format!("{name} noise");
                    self.draw(&noise, law, worlds);
                    for (_, w) in &mut *worlds {
                        let noisy = match w[&noise].clone() {
                            Value::Number(x) => Value::Number(self.number(query, w) + x),
                            Value::Vector(x) => {
                                let all = self.vector(query, w).into_iter().zip(x);
                                Value::Vector(all.map(|(q, x)| q + x).collect())
                            }
                            other => panic!("{other:?} is no noise"),
                        };
                        w.insert(name.clone(), noisy);
                    }
                }
                other => panic!("{other:?} is not run"),
            }
            Self::watched(command, worlds);
        }
        stopped
    }

    /// What a mechanism releases, with probabilities.
    fn released(&self, mechanism: &str, input: &Term, w: &World) -> Vec<(f64, Vec<f64>)> {
        let input = self.vector(input, w);
        let (Value::Mechanism(all), Value::Data(records)) = (&w[mechanism], &w["D"]) else {
            panic!("no mechanism, or no data")
        };
        let k = input[0].rem_euclid(all.len() as f64) as usize;
        let law = all[k][usize::from(records[0] != 0)].iter().enumerate();
        law.map(|(o, q)| (*q, vec![o as f64; input.len()]))
            .collect()
    }

    /// Messages with noise of their own and in common: user behind user, as [`sent`] says.
    fn send(&self, name: &str, query: &Term, law: &[Term], worlds: &mut Vec<(f64, World)>) {
        let d = self.vector(query, &worlds[0].1).len() as i64;
        let [own, shared] = ["own", "shared"].map(|noise| format!("{name} {noise}"));
        for (noise, many, variance) in [(&own, 0, 2), (&shared, 4, 5)] {
            let all = law[many].clone() * Term::Num(d.into());
            self.draw(noise, &op(Op::Normal, [all, law[variance].clone()]), worlds);
        }
        for (_, w) in &mut *worlds {
            let (Value::Vector(own), Value::Vector(shared)) = (&w[&own], &w[&shared]) else {
                panic!("no noise")
            };
            let pairs = 0..self.index(&law[4], w);
            let ends = pairs.map(|e| {
                let e = Term::Num(e.into());
                self.vector(&op(Op::At, [law[3].clone(), e]), w)
            });
            let ends: Vec<Vec<f64>> = ends.collect();
            let user = self.index(&law[1], w);
            let sent = sent(&self.vector(query, w), user, &ends, [own, shared]);
            w.insert(name.to_owned(), Value::Vector(sent));
        }
    }

    fn draw(&self, name: &str, law: &Term, worlds: &mut Vec<(f64, World)>) {
        if worlds.is_empty() || !self.fresh && worlds[0].1.contains_key(name) {
            return;
        }
        let draw = |(q, w): &(f64, World)| {
            let outcomes = self.outcomes(law, w).into_iter();
            let all = outcomes.map(|(p, v)| (q * p, with(w, name, v)));
            all.collect::<Vec<_>>()
        };
        *worlds = worlds.iter().flat_map(draw).collect();
    }
}

/// The messages of all users one behind the other: the query is that of `user`, the others are 0. Each has noise of its own, and
/// ends\[e\]\[k\] times that of each e, laid out likewise.
pub fn sent(query: &[f64], user: usize, ends: &[Vec<f64>], noise: [&[f64]; 2]) -> Vec<f64> {
    let ([own, shared], d) = (noise, query.len());
    let entry = |number: usize| {
        let (k, j) = (number / d, number % d);
        let common = ends.iter().zip(shared.chunks(d));
        let common: f64 = common.map(|(b, z)| b[k] * z[j]).sum();
        own[number] + common + if k == user { query[j] } else { 0.0 }
    };
    (0..own.len()).map(entry).collect()
}

pub fn with(w: &World, name: &str, value: Value) -> World {
    let mut w = w.clone();
    w.insert(name.to_owned(), value);
    w
}

/// A context with its items, which must be well formed.
pub fn context(items: impl IntoIterator<Item = Item>) -> Context {
    Context::default().with(items).expect("well-formed items")
}
