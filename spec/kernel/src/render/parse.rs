//! Reads statements back from their text; `terms` has what stands in them.

use super::terms::Reader;
use super::text;
use crate::Stuck;
use crate::rules::require;
use crate::statement::{
    Command, Context, Goal, Item, Lipschitz, Mean, Notion, Process, Relation, Sign, Sort, State,
    Statement, Subject, View,
};
use crate::term::Term;
use crate::trace;

/// The statement that [`Statement`]'s text says.
///
/// # Errors
/// If the text is not one that a statement prints, or an item is not well formed.
pub fn statement(text: &str) -> Result<Statement, Stuck> {
    let mut lines = text.lines().map(str::trim);
    require(lines.next() == Some("for all"), "it begins with: for all")?;
    let all = lines.by_ref().take_while(|line| *line != "holds");
    let context = items(Context::default(), all)?;
    let line = lines.next().ok_or_else(|| Stuck::new("nothing holds"))?;
    let goal = goal(&context, line)?;
    Ok(Statement { context, goal })
}

/// A context with more items, each in the lines that it prints.
///
/// # Errors
/// As [`statement`].
pub fn items<'a>(
    mut context: Context,
    lines: impl Iterator<Item = &'a str>,
) -> Result<Context, Stuck> {
    let mut block: Vec<String> = Vec::new();
    for line in lines {
        block.push(line.to_owned());
        let opened = block.iter().filter(|l| l.starts_with("repeat ")).count();
        let closed = block.iter().filter(|l| *l == "end").count();
        if block[0].starts_with("algorithm ") && closed <= opened {
            continue;
        }
        let read = item(&context, &block)?;
        context = context.extended(read)?;
        block.clear();
    }
    require(block.is_empty(), "no end")?;
    Ok(context)
}

/// The goal that a line says, its names as in the context.
///
/// # Errors
/// As [`statement`].
pub fn goal(context: &Context, line: &str) -> Result<Goal, Stuck> {
    let mut reader = Reader::new(context, line);
    let goal = reader.goal()?;
    reader.end()?;
    Ok(goal)
}

fn item(context: &Context, block: &[String]) -> Result<Item, Stuck> {
    if let Some(assumed) = block[0].strip_prefix("assume ") {
        return goal(context, assumed).map(Item::Assume);
    }
    let mut r = Reader::new(context, &block[0]);
    if r.eat("define ") {
        let name = r.name()?;
        let mut parameters = Vec::new();
        while r.eat(if parameters.is_empty() { "(" } else { ", " }) {
            parameters.push(r.parameter()?);
        }
        let _ = !parameters.is_empty() && r.eat(")");
        r.must(" := ")?;
        let body = r.sum()?;
        r.end()?;
        return Ok(Item::Define(name, parameters, body));
    }
    if r.eat("algorithm ") {
        return algorithm(context, r, &block[1..]);
    }
    let (name, sort) = r.variable()?;
    // What stands behind the colon says what the sort means, in fixed words.
    let words = text::variable(&name, &sort);
    require(words == block[0], "not the words for that sort")?;
    Ok(Item::Var(name, sort))
}

fn algorithm(context: &Context, mut r: Reader<'_>, body: &[String]) -> Result<Item, Stuck> {
    let name = r.name()?;
    let mut states = Vec::new();
    while r.eat(if states.is_empty() { ": " } else { ", " }) {
        let name = r.name()?;
        r.must(" ← ")?;
        let start = r.sum()?;
        let dimension = r.after(" in ℝ^")?;
        states.push(State {
            name,
            dimension,
            start,
        });
    }
    r.end()?;
    let body = commands(context, &mut body.iter())?;
    Ok(Item::Process(name, Process { states, body }))
}

/// Commands up to the end of their block.
fn commands<'a>(
    context: &Context,
    lines: &mut impl Iterator<Item = &'a String>,
) -> Result<Vec<Command>, Stuck> {
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        if line == "end" {
            return Ok(found);
        }
        let mut r = Reader::new(context, line);
        found.push(if r.eat("repeat ") {
            let (index, times) = r.range()?;
            let body = commands(context, lines)?;
            Command::Repeat { index, times, body }
        } else {
            r.command()?
        });
        r.end()?;
    }
    Err(Stuck::new("no end"))
}

impl Reader<'_> {
    fn command(&mut self) -> Result<Command, Stuck> {
        if self.eat("stop when the sum of ") {
            let charge = self.closed(" exceeds ")?;
            let limit = self.sum()?;
            return Ok(Command::Stop { charge, limit });
        }
        let name = self.name()?;
        if self.eat(" ∼ ") {
            return self.primary().map(|law| Command::Draw { name, law });
        }
        self.must(" ← ")?;
        if self.eat("argmax_{") {
            let (index, over) = self.range()?;
            self.must("} ")?;
            let modulus = self.eat("|") || self.must("(").map(|()| false)?;
            let query = self.product()?;
            self.must(" + Laplace(")?;
            let scale = self.closed(if modulus { ")| / " } else { "))" })?;
            return Ok(Command::Select {
                name,
                index,
                over,
                query,
                scale,
                divisor: modulus.then(|| self.power()).transpose()?,
            });
        }
        let before = self.rest;
        let query = self.product()?;
        let noise = [" + Laplace(", " + N(", " + N_{", " + Pairwise("];
        if noise.iter().any(|law| self.rest.starts_with(law)) {
            self.must(" + ")?;
            let law = self.primary()?;
            return Ok(Command::Release { name, query, law });
        }
        self.rest = before;
        let value = self.sum()?;
        let mechanism = |f| matches!(self.context.sort(f), Some(Sort::Mechanism(..)));
        Ok(match &value {
            Term::App(f, _) if mechanism(f) => Command::Call { name, of: value },
            _ => Command::Set(name, value),
        })
    }

    fn goal(&mut self) -> Result<Goal, Stuck> {
        let mut all = vec![self.plain()?];
        while self.eat("; ") {
            all.push(self.plain()?);
        }
        Ok(match all.len() {
            1 => all.remove(0),
            _ => Goal::Both(all),
        })
    }

    fn plain(&mut self) -> Result<Goal, Stuck> {
        if self.eat("for every ") {
            let (x, sort) = self.variable()?;
            self.must(": ")?;
            return Ok(Goal::Every(x, sort, self.plain()?.into()));
        }
        if self.eat("if ") {
            let given = self.plain()?;
            self.must(": ")?;
            return Ok(Goal::If(given.into(), self.plain()?.into()));
        }
        if self.eat("between neighbours of ") {
            let data = self.name()?;
            self.must(", ")?;
            return self.of_neighbours(data);
        }
        let before = self.rest;
        if let Ok(f) = self.name()
            && self.eat(" is least at ")
        {
            return Ok(Goal::Minimises(f, self.primary()?));
        }
        self.rest = before;
        let left = self.sum()?;
        if self.eat(" = ") {
            return Ok(Goal::Eq(left, self.sum()?));
        }
        self.must(" ≤ ")?;
        Ok(Goal::Le(left, self.sum()?))
    }

    fn of_neighbours(&mut self, data: String) -> Result<Goal, Stuck> {
        if self.eat("the choice of [") {
            let command = self.command()?.into();
            self.must("] stays if its noise moves on to its winning side by ")?;
            let by = self.sum()?;
            return Ok(Goal::Keeps { data, command, by });
        }
        if self.eat("every event of ") {
            let subject = self.subject()?.ok_or_else(|| Stuck::new("no mechanism"))?;
            let names = [
                self.named_after(", of probabilities ")?,
                self.named_after(" and ")?,
            ];
            self.must(", has: ")?;
            let goal = self.plain()?.into();
            return Ok(Goal::Events(data, subject, names, goal));
        }
        let Some(subject) = self.subject()? else {
            let query = self.closed(" moves by at most ")?;
            let by = self.sum()?;
            return Ok(Goal::Moves { data, query, by });
        };
        self.must(" is ")?;
        self.notion().map(|notion| Goal::Private {
            data,
            notion,
            subject,
        })
    }

    /// A mechanism, if there is one.
    fn subject(&mut self) -> Result<Option<Subject>, Stuck> {
        let mut views = [View::Transcript, View::Path, View::End].into_iter();
        if let Some(view) = views.find(|v| self.eat(&format!("the {} of ", trace::view(*v)))) {
            return Ok(Some(Subject::Process(self.name()?, view)));
        }
        if !self.eat("[") {
            return Ok(None);
        }
        let command = self.command()?.into();
        self.must("]").map(|()| Some(Subject::Command(command)))
    }

    fn notion(&mut self) -> Result<Notion, Stuck> {
        if self.eat("dominated by ") {
            return Ok(Notion::Dominated(self.sum()?));
        }
        self.must("(")?;
        let a = self.sum()?;
        if self.eat(", ") {
            let b = self.closed(")-")?;
            return match self.eat("RDP") {
                true => Ok(Notion::Renyi(a, b)),
                false => self.must("DP").map(|()| Notion::Approximate(a, b)),
            };
        }
        let of_one = [
            (")-DP", Notion::Pure as fn(Term) -> Notion),
            (")-zCDP", Notion::Zcdp),
            (")-bounded range", Notion::Range),
        ];
        let found = of_one.iter().find(|(word, _)| self.eat(word));
        found.map_or_else(|| Err(Stuck::new("no notion")), |(_, notion)| Ok(notion(a)))
    }

    fn parameter(&mut self) -> Result<(String, Sort), Stuck> {
        let x = self.name()?;
        let sort = match () {
            () if self.eat("<") => Sort::Index(self.primary()?),
            () if self.eat("⊆") => Sort::Set(self.primary()?),
            () if self.eat("∈ℝ^") => Sort::Vector(self.primary()?, Sign::Any),
            () => Sort::Real(Sign::Any),
        };
        Ok((x, sort))
    }

    fn sign(&mut self) -> Sign {
        self.eat(", all");
        let signs = [(" > 0", Sign::Positive), (" ≥ 0", Sign::NonNegative)];
        let found = signs.into_iter().find(|(words, _)| self.eat(words));
        found.map_or(Sign::Any, |(_, sign)| sign)
    }

    /// A bound or dimension behind some words.
    fn after(&mut self, words: &str) -> Result<Term, Stuck> {
        self.must(words)?;
        self.primary()
    }

    /// A name behind some words.
    fn named_after(&mut self, words: &str) -> Result<String, Stuck> {
        self.must(words)?;
        self.name()
    }

    fn variable(&mut self) -> Result<(String, Sort), Stuck> {
        let end = self.rest.find(' ').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        self.must(" ")?;
        let x = self.name()?;
        let sort = match word {
            "integer" => Sort::Count,
            "real" => Sort::Real(self.sign()),
            "record" => Sort::Record,
            "pair" => self.must(" of laws").map(|()| Sort::Pair)?,
            "index" => Sort::Index(self.after("<")?),
            "vector" => {
                let d = self.after(" ∈ ℝ^")?;
                if !self.eat(" for every record") {
                    Sort::Vector(d, self.sign())
                } else if self.eat(" and vector of ℝ^") {
                    Sort::Field(self.primary()?, d)
                } else {
                    Sort::Feature(d)
                }
            }
            "sequence" => Sort::Sequence(self.after(" in ℝ^")?),
            "map" => {
                let mut from = vec![self.after(" of ℝ^")?];
                while self.eat(" × ℝ^") {
                    from.push(self.primary()?);
                }
                Sort::Map(from, self.after(" into ℝ^")?)
            }
            "loss" => {
                let d = self.after(" on ℝ^")?;
                let constants = self.named_after(" with ")?;
                let class = match () {
                    () if self.eat(" by entries") => Lipschitz::Entries,
                    () if self.eat(" by sets of ") => Lipschitz::Sets(self.name()?),
                    () => Lipschitz::Whole,
                };
                Sort::Loss(d, class, constants)
            }
            "function" => {
                let d = self.after(" on ℝ^")?;
                let constants = self.named_after(" with ")?;
                if !self.eat(", the mean of ") {
                    return Ok((x, Sort::Function(d, constants)));
                }
                let loss = self.name()?;
                let data = self.named_after(" over ")?;
                let rest = self.named_after(" plus ")?;
                Sort::Risk(d, constants, Mean { data, loss, rest })
            }
            "data" => {
                let n = self.after(" of ")?;
                self.must(" records: its neighbours have one record ")?;
                match self.eat("replaced") {
                    true => Sort::Dataset(n, Relation::ReplaceOne),
                    false => Sort::Dataset(n, Relation::ZeroOut),
                }
            }
            "mechanism" => {
                let data = self.named_after(" on ")?;
                let d = self.after(" that takes and releases vectors of ℝ^")?;
                self.must(" and is ")?;
                Sort::Mechanism(d, data, self.notion()?)
            }
            "law" => Sort::SetLaw(self.after(" of random sets of indices below ")?),
            "set" => match self.eat(" that ") {
                true => Sort::Outcome(self.name()?),
                false => Sort::Set(self.after("⊆")?),
            },
            "number" if self.eat(" for every record") => Sort::Label,
            "number" => {
                let d = self.after(" for every set of indices below ")?;
                Sort::SetFunction(d, self.sign())
            }
            other => return Err(Stuck::new(format!("{other} is no sort"))),
        };
        Ok((x, sort))
    }
}
