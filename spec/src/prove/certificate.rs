//! Proofs as data: the tree of boxes, and its text. See `spec/formats/certificate.md`.

use super::problem::{Forall, Var};
use crate::arith::Rational;
use std::fmt::Write as _;

/// Which end of a coordinate's range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxSide {
    /// The lower end.
    Low,
    /// The upper end.
    High,
}

impl BoxSide {
    const fn sign(self) -> char {
        match self {
            Self::Low => '-',
            Self::High => '+',
        }
    }
}

/// Why a goal holds on a box.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// The interval enclosure of the goal over the box says so.
    Interval,
    /// The mean-value form about the box's midpoint says so.
    MeanValue,
    /// A hypothesis (by index) fails all over the box.
    Hypothesis(usize),
    /// The goal is monotone in a coordinate over the box, by the interval enclosure of its partial
    /// derivative, so it is enough on one face.
    Face(usize, BoxSide, Box<Tree>),
    /// The same where the derivative's sign has a proof of its own: that proof, then the face's.
    Proved(usize, BoxSide, Box<(Tree, Tree)>),
    /// The box is cut at a point of a coordinate (the midpoint if none is given); for an integer
    /// coordinate, after its integer part.
    Split(usize, Option<Rational>, Box<(Tree, Tree)>),
}

/// A proof of a [`Forall`]: one tree per goal, in the order of [`Forall::goals`].
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// The trees.
    pub trees: Vec<Tree>,
}

impl Tree {
    /// Number of boxes that are closed by a reason of their own.
    #[must_use]
    pub fn leaves(&self) -> usize {
        match self {
            Self::Interval | Self::MeanValue | Self::Hypothesis(_) => 1,
            Self::Face(_, _, rest) => rest.leaves(),
            Self::Split(_, _, parts) | Self::Proved(_, _, parts) => {
                parts.0.leaves() + parts.1.leaves()
            }
        }
    }

    /// Whether it says nothing of a part of the box: of where a hypothesis fails, or of what lies
    /// between integers.
    pub(super) fn leaves_gaps(&self, vars: &[Var]) -> bool {
        let within = |parts: &(Self, Self)| parts.0.leaves_gaps(vars) || parts.1.leaves_gaps(vars);
        match self {
            Self::Interval | Self::MeanValue => false,
            Self::Hypothesis(_) => true,
            Self::Face(_, _, rest) => rest.leaves_gaps(vars),
            Self::Proved(_, _, parts) => within(parts),
            Self::Split(i, _, parts) => vars.get(*i).is_some_and(Var::is_stepped) || within(parts),
        }
    }

    fn write(&self, out: &mut String) {
        // Writing to a String cannot fail.
        let _ = match self {
            Self::Interval => write!(out, "."),
            Self::MeanValue => write!(out, "m"),
            Self::Hypothesis(k) => write!(out, "h{k}"),
            Self::Face(var, side, _) => write!(out, "f{var}{}", side.sign()),
            Self::Proved(var, side, _) => write!(out, "d{var}{}", side.sign()),
            Self::Split(var, None, _) => write!(out, "s{var}"),
            Self::Split(var, Some(at), _) => write!(out, "s{var}@{at}"),
        };
        out.push(' ');
        match self {
            Self::Face(_, _, rest) => rest.write(out),
            Self::Split(_, _, parts) | Self::Proved(_, _, parts) => {
                parts.0.write(out);
                parts.1.write(out);
            }
            _ => {}
        }
    }

    fn read<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<Self, String> {
        let word = words.next().ok_or("the tree ends too early")?;
        let bad = || format!("`{word}` is not a node of a certificate");
        let (kind, rest) = word.split_at_checked(1).ok_or_else(bad)?;
        Ok(match kind {
            "." if rest.is_empty() => Self::Interval,
            "m" if rest.is_empty() => Self::MeanValue,
            "h" => Self::Hypothesis(rest.parse().map_err(|_| bad())?),
            "f" | "d" => {
                let (var, side) = match (rest.strip_suffix('-'), rest.strip_suffix('+')) {
                    (Some(var), _) => (var, BoxSide::Low),
                    (_, Some(var)) => (var, BoxSide::High),
                    _ => return Err(bad()),
                };
                let var = var.parse().map_err(|_| bad())?;
                let first = Self::read(words)?;
                if kind == "f" {
                    Self::Face(var, side, Box::new(first))
                } else {
                    Self::Proved(var, side, Box::new((first, Self::read(words)?)))
                }
            }
            "s" => {
                let (var, at) = match rest.split_once('@') {
                    Some((var, at)) => (var, Some(at.parse().map_err(|_| bad())?)),
                    None => (rest, None),
                };
                let var = var.parse().map_err(|_| bad())?;
                let low = Self::read(words)?;
                Self::Split(var, at, Box::new((low, Self::read(words)?)))
            }
            _ => return Err(bad()),
        })
    }
}

impl Certificate {
    /// Number of boxes closed, over all goals.
    #[must_use]
    pub fn leaves(&self) -> usize {
        self.trees.iter().map(Tree::leaves).sum()
    }

    /// How the proof is described in a verdict.
    #[must_use]
    pub fn describe(&self, forall: &Forall) -> String {
        format!(
            "interval branch and bound: {} goals, {} boxes, replayed at {} bits",
            forall.goals().len(),
            self.leaves(),
            crate::arith::PRECISION
        )
    }

    /// One line per tree.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        for tree in &self.trees {
            tree.write(&mut out);
            out.pop();
            out.push('\n');
        }
        out
    }

    /// Reads what [`Self::to_text`] wrote.
    ///
    /// # Errors
    /// Names the word that is not a node, or what is missing or left over.
    pub fn from_text(text: &str) -> Result<Self, String> {
        let trees = text
            .lines()
            .map(|line| {
                let mut words = line.split_ascii_whitespace();
                let tree = Tree::read(&mut words)?;
                match words.next() {
                    None => Ok(tree),
                    Some(word) => Err(format!("`{word}` stands after the end of a tree")),
                }
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { trees })
    }
}
