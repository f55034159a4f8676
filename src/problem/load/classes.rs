//! Labels of classes, numbers or words: two are turned into −1 and +1, more into 0, 1, …

use super::error::{Field, LoadProblem};
use super::{Options, Task};
use crate::float::vanishes;
use std::cmp::Ordering;

/// Classes that are told apart unless they are stated.
const LIMIT: usize = 20;

/// The label values met so far, or all that there are where they are stated.
pub(super) struct Classes {
    seen: Vec<Label>,
    limit: usize,
    /// The names as stated.
    stated: Option<Vec<String>>,
}

/// A label with its number, if it is one: `1`, `+1` and `1.0` are the same class.
struct Label {
    text: String,
    number: Option<f64>,
}

impl Label {
    fn new(text: &str) -> Result<Self, LoadProblem> {
        let (field, value) = (Field::Label, text.to_owned());
        match text.parse::<f64>() {
            _ if text.is_empty() => Err(LoadProblem::Empty { field }),
            Ok(_) if vanishes(text) => Err(LoadProblem::Vanishes { field, value }),
            Ok(number) if !number.is_finite() => Err(LoadProblem::NotFinite { field, value }),
            number => Ok(Self {
                text: value,
                number: number.ok(),
            }),
        }
    }

    fn is(&self, other: &Self) -> bool {
        match (self.number, other.number) {
            (Some(a), Some(b)) => a == b,
            _ => self.text == other.text,
        }
    }

    /// Numbers before words, each by size.
    fn order(&self, other: &Self) -> Ordering {
        match (self.number, other.number) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => self.text.cmp(&other.text),
        }
    }
}

impl Classes {
    pub(super) fn new(options: &Options) -> Result<Self, LoadProblem> {
        let limit = match options.task {
            Task::Classes => LIMIT,
            Task::Classification | Task::Regression => 2,
        };
        let mut classes = Self {
            seen: Vec::new(),
            limit,
            stated: options.classes.clone(),
        };
        let Some(stated) = &options.classes else {
            return Ok(classes);
        };
        let bad = || LoadProblem::Stated(stated.join(","));
        for name in stated {
            let label = Label::new(name).map_err(|_| bad())?;
            if classes.seen.iter().any(|known| known.is(&label)) {
                return Err(bad());
            }
            classes.seen.push(label);
        }
        match classes.seen.len() {
            0 | 1 => Err(bad()),
            _ => Ok(classes),
        }
    }

    /// The number of a label's class, as a double: in the order stated, else of appearance.
    pub(super) fn number(&mut self, text: &str) -> Result<f64, LoadProblem> {
        let label = Label::new(text)?;
        if let Some(known) = self.seen.iter().position(|l| l.is(&label)) {
            return Ok(known as f64);
        }
        let value = label.text.clone();
        if let Some(stated) = &self.stated {
            let stated = stated.join(", ");
            return Err(LoadProblem::Unstated { value, stated });
        }
        match &self.seen[..] {
            [first, second] if self.limit == 2 => Err(LoadProblem::ThirdClass {
                value,
                first: first.text.clone(),
                second: second.text.clone(),
            }),
            seen if seen.len() == self.limit => Err(LoadProblem::Classes {
                value,
                limit: self.limit,
            }),
            _ => {
                self.seen.push(label);
                Ok((self.seen.len() - 1) as f64)
            }
        }
    }

    /// Turns the numbers of [`Self::number`] into −1 for the first class and +1 for the second of two, into 0, 1, … for
    /// more, and names them: in the order stated, else the smaller first, by `names` if the labels are 0, 1, … and there is a
    /// name for each.
    pub(super) fn finish(
        self,
        targets: &mut [f64],
        names: &[String],
    ) -> Result<Vec<String>, LoadProblem> {
        let mut order: Vec<usize> = (0..self.seen.len()).collect();
        if self.stated.is_none() {
            order.sort_by(|a, b| self.seen[*a].order(&self.seen[*b]));
        }
        match &self.seen[..] {
            [] => return Err(LoadProblem::NoRecords),
            [only] => return Err(LoadProblem::OneClass(only.text.clone())),
            _ => {}
        }
        let two = order.len() == 2;
        for target in targets {
            let rank = order.iter().position(|k| *k as f64 == *target);
            let rank = rank.map_or(f64::NAN, |rank| rank as f64);
            *target = if two { 2.0 * rank - 1.0 } else { rank };
        }
        let seen: Vec<&Label> = order.iter().map(|k| &self.seen[*k]).collect();
        let counted = (0_u32..)
            .zip(&seen)
            .all(|(k, label)| label.number == Some(f64::from(k)));
        Ok(match counted && names.len() == seen.len() {
            true => names.to_vec(),
            false => seen.iter().map(|label| label.text.clone()).collect(),
        })
    }
}
