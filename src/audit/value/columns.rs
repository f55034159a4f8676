//! The columns through which an audit looks at an output: their names as they are given out, and a row that is filled.

use serde::{Deserialize, Serialize};

/// Columns in all, at most: what is left out is still part of an output's identity.
pub(super) const COLUMNS: usize = 4096;

/// What a column is called in events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub(super) struct Name {
    pub(super) text: String,
    /// Whether the column says of a statement that it holds (1) or not (0).
    pub(super) indicator: bool,
}

/// The names of columns given out so far.
pub(super) struct Names {
    pub(super) given: Vec<Name>,
    /// Keys or items of one place that may have columns.
    pub(super) places: usize,
    /// Places and columns that there would be without a limit.
    pub(super) left_out: usize,
}

impl Names {
    /// No name yet, and so many keys or items of one place.
    pub(super) const fn new(places: usize) -> Self {
        Self {
            given: Vec::new(),
            places,
            left_out: 0,
        }
    }

    /// A new column, if there may be more.
    pub(super) fn push(&mut self, text: String, indicator: bool) -> Option<usize> {
        if self.given.len() == COLUMNS {
            self.left_out += 1;
            return None;
        }
        self.given.push(Name { text, indicator });
        Some(self.given.len() - 1)
    }

    /// How many of so many places there are columns for at most; the others are left out.
    pub(super) fn first_of(&mut self, places: usize, most: usize) -> usize {
        self.left_out += places.saturating_sub(most);
        places.min(most)
    }
}

/// A row that is being written.
pub(super) struct Filler<'a> {
    pub(super) round: &'a dyn Fn(usize, f64) -> f64,
    pub(super) row: &'a mut [f64],
}

impl Filler<'_> {
    /// Writes a column, if there is one; the number as it is rounded.
    pub(super) fn set(&mut self, column: Option<usize>, x: f64) -> f64 {
        match column {
            Some(column) => {
                self.row[column] = (self.round)(column, x);
                self.row[column]
            }
            None => x,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns are numbered until there are as many as there may be; what has none keeps its number.
    #[test]
    fn columns_are_given_out_until_there_are_enough() {
        let mut names = Names::new(8);
        for at in 0..COLUMNS {
            assert_eq!(names.push(at.to_string(), at == 7), Some(at));
        }
        assert_eq!(names.push(String::new(), true), None);
        assert_eq!((names.first_of(7, 8), names.first_of(9, 8)), (7, 8));
        assert_eq!(names.left_out, 2);
        let seventh = Name {
            text: "7".to_owned(),
            indicator: true,
        };
        assert_eq!((names.given.len(), &names.given[7]), (COLUMNS, &seventh));
        let mut row = [0.0; 2];
        let mut filler = Filler {
            round: &|column: usize, x: f64| x.round() + column as f64,
            row: &mut row,
        };
        assert_eq!(
            [filler.set(Some(1), 2.6), filler.set(None, 2.6)],
            [4.0, 2.6]
        );
        assert_eq!(row, [0.0, 4.0]);
    }
}
