//! Two-class labels: numbers or words, turned into −1 and +1.

use super::error::{Field, LoadProblem};

/// The label values met so far, at most two.
#[derive(Default)]
pub(super) struct Classes {
    seen: Vec<Label>,
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

    fn precedes(&self, other: &Self) -> bool {
        match (self.number, other.number) {
            (Some(a), Some(b)) => a < b,
            _ => self.text < other.text,
        }
    }
}

impl Classes {
    /// The order of appearance of a label's class, as 0.0 or 1.0.
    pub(super) fn number(&mut self, text: &str) -> Result<f64, LoadProblem> {
        let label = Label::new(text)?;
        if let Some(known) = self.seen.iter().position(|l| l.is(&label)) {
            return Ok(known as f64);
        }
        if let [first, second] = &self.seen[..] {
            return Err(LoadProblem::ThirdClass {
                value: label.text,
                first: first.text.clone(),
                second: second.text.clone(),
            });
        }
        self.seen.push(label);
        Ok((self.seen.len() - 1) as f64)
    }

    /// Turns the numbers of [`Self::number`] into −1 for the smaller class and +1 for the larger,
    /// and names the two: by `names` if the labels are 0 and 1 and there are two names.
    pub(super) fn finish(
        self,
        targets: &mut [f64],
        names: &[String],
    ) -> Result<[String; 2], LoadProblem> {
        let (low, high, first) = match &self.seen[..] {
            [a, b] if a.precedes(b) => (a, b, -1.0),
            [a, b] => (b, a, 1.0),
            [only] => return Err(LoadProblem::OneClass(only.text.clone())),
            _ => return Err(LoadProblem::NoRecords),
        };
        for target in targets {
            *target = if *target == 0.0 { first } else { -first };
        }
        Ok(match names {
            [zero, one] if (low.number, high.number) == (Some(0.0), Some(1.0)) => {
                [zero.clone(), one.clone()]
            }
            _ => [low.text.clone(), high.text.clone()],
        })
    }
}
