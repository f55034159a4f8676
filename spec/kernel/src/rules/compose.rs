//! Rules for the privacy of processes: access by access, from all that is named to the states.

use super::{Theorem, about, data_free, privacy, private, require};
use crate::Stuck;
use crate::scope::Scope;
use crate::sign;
use crate::statement::{
    Command, Context, Goal, INPUT, Item, Notion, Sign, Sort, State, Subject, View,
};
use crate::term::{Binder, Op, Term, bind, num, op};
use crate::trace::{self, Sexp, name as atom, number};

/// **a mechanism is as private as its sort says**: a call of a mechanism, for every input that reads no data
/// ([`Sort::Mechanism`]).
///
/// # Errors
/// If the command is not a call of a mechanism of the context, or its input reads the data.
pub fn call(context: &Context, command: &Command) -> Result<Theorem, Stuck> {
    let Command::Call {
        of: Term::App(mechanism, input),
        ..
    } = command
    else {
        return Err(Stuck::new("not a call"));
    };
    let Some(Sort::Mechanism(_, data, notion)) = context.sort(mechanism) else {
        return Err(Stuck::new(format!("{mechanism} is not a mechanism")));
    };
    // Or the data would be seen through the input.
    data_free(context, &input.iter().collect::<Vec<_>>(), data)?;
    let notion = notion.map(|number| number.put(INPUT, &input[0]));
    let goal = private(data, notion, about(command));
    let arguments = vec![trace::command(command)];
    Theorem::conclude("call", context, goal, arguments, &[])
}

/// **adaptive composition**: the transcript of a process is private in a notion with the sum of the numbers of its
/// selections, releases, calls and draws by weights that read the data, all in that notion and at one order, each for all values of the states and of what
/// was named before; a loop of T rounds costs the sum over its rounds. What is drawn from a law that reads no data
/// costs nothing and is part of the transcript. (Dwork and Roth 2014, App. B, for (ε, δ), and with δ = 0; Bun
/// and Steinke 2016, Lemma 2.3, for zCDP; Mironov 2017, Prop. 1, for Rényi. By induction over the commands run.) Of pairs
/// that dominate, independent ones dominate together: given the past, each command is run from a draw of its own pair.
///
/// App. B gives all parts one (ε, δ). With two: if P₂ ≤ e^{ε₂}Q₂ + δ₂ on every event after every history, the mean
/// of P₂ under P₁ is at most that of min(1, e^{ε₂}Q₂), plus δ₂; and a mean of what lies in \[0, 1\] is under P₁ at most
/// e^{ε₁} times that under Q₁, plus δ₁.
///
/// Each theorem's context is `context` and then some of the states, the indices of the loops around the command and what
/// was named before it there, in order: so its bound holds uniformly over histories. No number may mention them, but
/// the indices. The kernel computes that starts, bounds of loops and assignments read no data, so that the
/// states are functions of the transcript.
///
/// **Filter**: a loop with a stop may cost what depends on what was named in its rounds, in zCDP. If a round costs at most
/// c·charge, and what stands in it before the stop at most m, the loop costs max(0, c·limit) + m: the rounds that pass
/// the stop have charges of at most the limit together, and of the last one only the beginning is run. Charges and costs
/// mention no state that is assigned to before the assignments with which a round ends, c, m and the limit nothing of the
/// rounds (Feldman and Zrnic 2021, Individual Privacy Accounting via a Rényi Filter, NeurIPS; Whitehouse, Ramdas, Rogers
/// and Wu 2023, Fully-Adaptive Composition in Differential Privacy, ICML).
///
/// # Errors
/// If a command has no theorem, a bound depends on the history, or a state reads the data.
pub fn compose(
    context: &Context,
    process: &str,
    data: &str,
    accesses: &[&Theorem],
) -> Result<Theorem, Stuck> {
    let p = context.known_process(process)?;
    let mut history = Vec::new();
    for state in &p.states {
        data_free(context, &[&state.start, &state.dimension], data)?;
        // Or a theorem about that one vector would pass for one about every state.
        let taken = context.get(&state.name).is_some();
        require(!taken, "the state's name has another meaning")?;
        history.push(Item::Var(state.name.clone(), state.sort()));
    }
    let mut walk = Walk {
        context,
        data,
        history,
        states: &p.states,
        loops: Vec::new(),
        left: accesses,
    };
    let total = walk.block(&p.body)?.map(|(total, _)| total);
    require(walk.left.is_empty(), "more theorems than commands")?;
    let total = total.ok_or_else(|| Stuck::new("nothing is released"))?;
    let subject = Subject::Process(process.to_owned(), View::Transcript);
    let goal = private(data, total, subject);
    let arguments: Vec<Sexp> = vec![atom(process), atom(data), number(accesses.len())];
    Theorem::conclude("compose", context, goal, arguments, accesses)
}

/// The commands in order, with all that stands before each, and the theorems that are left.
struct Walk<'a> {
    context: &'a Context,
    data: &'a str,
    history: Vec<Item>,
    states: &'a [State],
    loops: Vec<&'a str>,
    left: &'a [&'a Theorem],
}

/// A stop: how many costs stand before it, the charge and the limit.
type Stop<'a> = (usize, &'a Term, &'a Term);

impl<'a> Walk<'a> {
    /// What commands cost together, and whether that is for all rounds of the loop around them; `None` if they release
    /// nothing.
    fn block(&mut self, body: &'a [Command]) -> Result<Option<(Notion, bool)>, Stuck> {
        let (mut costs, mut stop) = (Vec::new(), None);
        for command in body {
            match command {
                Command::Set(name, value) => {
                    // Or a stop's charge could be lowered after it was paid.
                    let known = self.states.iter().any(|s| s.name == *name);
                    require(known, "what is named is changed")?;
                    data_free(self.context, &[value], self.data)?;
                }
                Command::Draw { law, .. } if !self.context.reads(law, self.data) => {}
                Command::Stop { charge, limit } => {
                    data_free(self.context, &[charge, limit], self.data)?;
                    require(stop.is_none(), "two stops in one loop")?;
                    stop = Some((costs.len(), charge, limit));
                }
                Command::Repeat { index, times, body } => {
                    data_free(self.context, &[times], self.data)?;
                    let outside = self.history.len();
                    let sort = Sort::Index(times.clone());
                    self.history.push(Item::Var(index.clone(), sort));
                    self.loops.push(index);
                    let cost = self.block(body)?;
                    self.loops.pop();
                    self.history.truncate(outside);
                    costs.extend(match cost {
                        Some((once, false)) => Some(repeated(&once, index, times)?),
                        all => all.map(|(all, _)| all),
                    });
                }
                _ => costs.push(self.access(command)?),
            }
            let named = Scope {
                context: self.context,
                locals: self.locals(),
            }
            .command(command)?;
            self.history
                .extend(named.map(|(name, sort)| Item::Var(name, sort)));
        }
        if let (Some(stop), Some(Goal::Le(..))) = (stop, self.left.first().map(|t| t.goal())) {
            // Or what is charged would not be what is paid.
            let tail = body.iter().rposition(|c| !matches!(c, Command::Set(..)));
            let early = &body[..tail.map_or(0, |last| last + 1)];
            let all = self.stopped(&costs, stop, early)?;
            return Ok(Some((all, true)));
        }
        for number in costs.iter().flat_map(Notion::numbers) {
            self.uniform(number, &self.loops)?;
        }
        Ok(summed(&costs)?.map(|once| (once, false)))
    }

    /// The cost of a loop with a stop, by two facts: all ≤ c·charge and before ≤ m, all being what a round costs and
    /// before what stands in it before the stop.
    fn stopped(
        &mut self,
        costs: &[Notion],
        stop: Stop<'a>,
        early: &[Command],
    ) -> Result<Notion, Stuck> {
        let (before, charge, limit) = stop;
        let spent = |costs: &[Notion]| match summed(costs)? {
            Some(Notion::Zcdp(rho)) => Ok(rho),
            None => Ok(num(0)),
            _ => Err(Stuck::new("only zCDP is bounded by a stop")),
        };
        let (all, first) = (spent(costs)?, spent(&costs[..before])?);
        for state in self.states {
            let named = [&all, charge].iter().any(|t| t.mentions(&state.name));
            require(
                !named || !assigned(early, &state.name),
                "a cost or charge depends on a state that changes before the round ends",
            )?;
        }
        let (paid, last) = (self.next()?.goal(), self.next()?.goal());
        let (Goal::Le(left, Term::Op(Op::Mul, right)), Goal::Le(opening, most)) = (paid, last)
        else {
            return Err(Stuck::new(
                "no bounds by the charge and of what stands before the stop",
            ));
        };
        let [c, charged] = &right[..] else {
            return Err(Stuck::new("not a multiple of the charge"));
        };
        require(*left == all, "not what a round costs")?;
        require(charged == charge, "not the charge")?;
        require(*opening == first, "not what stands before the stop")?;
        let outer = &self.loops[..self.loops.len() - 1];
        for number in [c, limit, most] {
            self.uniform(number, outer)?;
        }
        let (context, locals) = (self.context, self.locals());
        let sign = sign::of(&mut Scope { context, locals }, c);
        require(sign >= Sign::NonNegative, "the multiple may be negative")?;
        let within = num(0).max_with(&op(Op::Mul, [c.clone(), limit.clone()]));
        Ok(Notion::Zcdp(within + most.clone()))
    }

    /// Fails unless a number mentions nothing of the history but these indices of loops.
    fn uniform(&self, number: &Term, loops: &[&str]) -> Result<(), Stuck> {
        let names = self.history.iter().filter_map(Item::name);
        let mut past = names.filter(|x| !loops.contains(x));
        let depends = past.any(|x| number.mentions(x));
        require(!depends, "the bound depends on the history")
    }

    fn locals(&self) -> Vec<(String, Sort)> {
        let one = |item: &Item| match item {
            Item::Var(name, sort) => Some((name.clone(), sort.clone())),
            _ => None,
        };
        self.history.iter().filter_map(one).collect()
    }

    /// The next theorem, checked to hold for all histories.
    fn next(&mut self) -> Result<&'a Theorem, Stuck> {
        let Some((theorem, left)) = self.left.split_first() else {
            return Err(Stuck::new("a command is left"));
        };
        self.left = left;
        require(theorem.context().contains(self.context), "another context")?;
        let own = &theorem.context().items()[self.context.items().len()..];
        let mut past = self.history.iter();
        let uniform = own.iter().all(|item| past.any(|known| known == item));
        require(uniform, "the bound is not uniform over histories")?;
        Ok(theorem)
    }

    /// The cost of one command.
    fn access(&mut self, command: &Command) -> Result<Notion, Stuck> {
        let (data, notion, Subject::Command(about)) = privacy(self.next()?)? else {
            return Err(Stuck::new("no bound of a command"));
        };
        require(data == self.data, "another data set")?;
        require(**about == *command, "the bound of another command")?;
        Ok(notion.clone())
    }
}

/// The sum of costs in one notion and at one order.
fn summed(costs: &[Notion]) -> Result<Option<Notion>, Stuck> {
    let Some((first, rest)) = costs.split_first() else {
        return Ok(None);
    };
    let order = |n: &Notion| match n {
        Notion::Renyi(order, _) => Some(order.clone()),
        _ => None,
    };
    for cost in rest {
        let alike = cost.map(|_| num(0)) == first.map(|_| num(0));
        require(alike && order(cost) == order(first), "costs in two notions")?;
    }
    let column = |i: usize| {
        let mut all: Vec<Term> = costs.iter().map(|c| c.numbers()[i].clone()).collect();
        match all.len() {
            1 => all.remove(0),
            _ => Term::Op(Op::Add, all.into()),
        }
    };
    Ok(Some(match first {
        Notion::Pure(_) => Notion::Pure(column(0)),
        Notion::Zcdp(_) => Notion::Zcdp(column(0)),
        Notion::Dominated(_) => Notion::Dominated(column(0)),
        // Where it lies may depend on the past.
        Notion::Range(_) => return Err(Stuck::new("intervals do not add up")),
        Notion::Approximate(..) => Notion::Approximate(column(0), column(1)),
        Notion::Renyi(order, _) => Notion::Renyi(order.clone(), column(1)),
    }))
}

/// The cost of a loop.
fn repeated(once: &Notion, index: &str, times: &Term) -> Result<Notion, Stuck> {
    let all = |t: &Term| match t.mentions(index) {
        true => bind(Binder::Sum, index, times.clone(), t.clone()),
        false => op(Op::Mul, [times.clone(), t.clone()]),
    };
    match once {
        Notion::Renyi(order, _) if order.mentions(index) => Err(Stuck::new("the order changes")),
        Notion::Renyi(order, epsilon) => Ok(Notion::Renyi(order.clone(), all(epsilon))),
        _ => Ok(once.map(all)),
    }
}

/// **post-processing**: what holds of the transcript of a process holds of its states at the end, or after every
/// assignment (Dwork and Roth 2014, Prop. 2.1; Bun and Steinke 2016, Lemma 2.3; van Erven and Harremoës 2014, Thm 9, for
/// Rényi).
///
/// Sound where the starts, bounds of loops and assignments read no data, which is computed: then the states are functions
/// of the transcript.
///
/// # Errors
/// If the theorem is not about a transcript, or a state is no function of it.
pub fn forget(theorem: &Theorem, to: View) -> Result<Theorem, Stuck> {
    let context = theorem.context();
    let (data, notion, Subject::Process(name, View::Transcript)) = privacy(theorem)? else {
        return Err(Stuck::new("not about a transcript"));
    };
    let process = context.known_process(name)?;
    for state in &process.states {
        data_free(context, &[&state.start], data)?;
    }
    assignments(context, data, &process.body)?;
    let goal = private(data, notion.clone(), Subject::Process(name.clone(), to));
    let arguments = vec![atom(trace::view(to))];
    Theorem::conclude("forget", context, goal, arguments, &[theorem])
}

/// **states that nothing reads**: the transcript of a process is as private as that of the process without some of its states
/// and all assignments to them, which may read the data, if nothing that is left mentions these states.
///
/// Sound: the commands that are left are run with the same values whatever those states hold, so that on each data set what is
/// named has one law in both processes (a marginal one: Durrett 2019, Sec. 1.4). Of states nothing is said, see [`forget`].
///
/// # Errors
/// If the theorem is not about a transcript, or the processes differ otherwise, or such a state is read.
pub fn unread(theorem: &Theorem, process: &str) -> Result<Theorem, Stuck> {
    let context = theorem.context();
    let (data, notion, Subject::Process(name, View::Transcript)) = privacy(theorem)? else {
        return Err(Stuck::new("not about a transcript"));
    };
    let rest = context.known_process(name)?;
    let whole = context.known_process(process)?;
    let (mut states, mut body) = (whole.states.clone(), whole.body.clone());
    states.retain(|s| rest.states.contains(s));
    let names = whole.states.iter().filter(|s| !states.contains(s));
    let out: Vec<&str> = names.map(|s| s.name.as_str()).collect();
    leave_out(&mut body, &out);
    let same = states == rest.states && body == rest.body;
    require(same, "the processes differ in more than states")?;
    // What is left may mean another variable by that name, which came behind the process with such a state.
    let mentions = |t: &Term| out.iter().any(|x| t.mentions(x));
    require(!rest.terms().any(mentions), "what is left out is read")?;
    let subject = Subject::Process(process.to_owned(), View::Transcript);
    let goal = private(data, notion.clone(), subject);
    Theorem::conclude("unread", context, goal, vec![atom(process)], &[theorem])
}

/// Leaves out assignments to these states, and to nothing else: what is named can be assigned to, too.
fn leave_out(body: &mut Vec<Command>, states: &[&str]) {
    body.retain(|c| !matches!(c, Command::Set(x, _) if states.contains(&x.as_str())));
    for command in body {
        if let Command::Repeat { body, .. } = command {
            leave_out(body, states);
        }
    }
}

/// Whether commands assign to a state.
fn assigned(body: &[Command], state: &str) -> bool {
    body.iter().any(|command| match command {
        Command::Set(name, _) => name == state,
        Command::Repeat { body, .. } => assigned(body, state),
        _ => false,
    })
}

/// Fails unless all assignments, bounds of loops and stops read no data.
fn assignments(context: &Context, data: &str, body: &[Command]) -> Result<(), Stuck> {
    body.iter().try_for_each(|command| match command {
        Command::Set(_, value) => data_free(context, &[value], data),
        Command::Stop { charge, limit } => data_free(context, &[charge, limit], data),
        Command::Repeat { times, body, .. } => {
            data_free(context, &[times], data)?;
            assignments(context, data, body)
        }
        _ => Ok(()),
    })
}
