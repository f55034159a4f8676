//! Outputs as rows of numbers in one allocation.

/// Outputs as rows, row by row in one allocation.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    pub(super) width: usize,
    pub(super) values: Vec<f64>,
    pub(super) tokens: Vec<u64>,
}

impl Rows {
    /// Rows of one number each, as outputs give them.
    #[cfg(test)]
    pub(crate) fn of_reals(outputs: &[f64]) -> Self {
        let outputs: Vec<_> = outputs.iter().copied().map(super::Output::Real).collect();
        let layout = super::Layout::of(&outputs, super::Extras::default());
        let mut rows = Self::default();
        for output in &outputs {
            layout.push(output, &mut rows);
        }
        rows
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// One row.
    #[must_use]
    pub fn row(&self, index: usize) -> Row<'_> {
        self.all().row(index)
    }

    /// All rows, in order.
    pub fn iter(&self) -> impl Iterator<Item = Row<'_>> {
        self.all().iter()
    }

    /// Adds the rows of another table of the same layout.
    pub fn extend(&mut self, other: &Self) {
        if !other.is_empty() {
            self.width = other.width;
        }
        self.values.extend_from_slice(&other.values);
        self.tokens.extend_from_slice(&other.tokens);
    }

    /// All rows.
    #[must_use]
    pub fn all(&self) -> Part<'_> {
        Part {
            width: self.width,
            values: &self.values,
            tokens: &self.tokens,
        }
    }
}

/// Consecutive rows of a table.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    width: usize,
    values: &'a [f64],
    tokens: &'a [u64],
}

impl<'a> Part<'a> {
    /// Number of rows.
    #[must_use]
    pub const fn len(self) -> usize {
        self.tokens.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.tokens.is_empty()
    }

    /// Numbers in a row.
    pub(crate) const fn width(self) -> usize {
        self.width
    }

    /// The identities of all rows, in order.
    pub(crate) const fn tokens(self) -> &'a [u64] {
        self.tokens
    }

    /// The first rows, `most` or all.
    pub(crate) fn first(self, most: usize) -> Self {
        let kept = self.len().min(most);
        Self {
            values: &self.values[..kept * self.width],
            tokens: &self.tokens[..kept],
            ..self
        }
    }

    /// One row.
    fn row(self, index: usize) -> Row<'a> {
        Row {
            values: &self.values[index * self.width..][..self.width],
            token: self.tokens[index],
        }
    }

    /// All rows, in order.
    pub fn iter(self) -> impl Iterator<Item = Row<'a>> {
        (0..self.len()).map(move |index| self.row(index))
    }

    /// The first half of the rows and the rest.
    pub(crate) fn halves(self) -> [Self; 2] {
        let half = self.len() / 2;
        let (values0, values1) = self.values.split_at(half * self.width);
        let (tokens0, tokens1) = self.tokens.split_at(half);
        [(values0, tokens0), (values1, tokens1)].map(|(values, tokens)| Self {
            width: self.width,
            values,
            tokens,
        })
    }
}

/// One output, as numbers and as an identity.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The numbers, NaN where there is none.
    pub values: &'a [f64],
    /// The identity.
    pub token: u64,
}
