//! Which places of the papers are decided by claims.
//!
//! `spec/coverage/<paper>.csv` lists every numbered display, every display and quantitative sentence that a proof uses,
//! table entries, footnotes and lines of algorithms, in the paper's order. A place is decided by the claims that it
//! names, or claims nothing for a reason of a closed list, or is a gap: nobody has decided it yet.

use crate::claim::Paper;
use serde::Deserialize;
use std::fmt;

/// A place of a paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where it is, as printed: `(12)`, `Theorem 4.2`, `App. B.2, display after (37)`.
    pub place: String,
    /// A few of its words or symbols.
    pub quote: String,
    /// Ids of the claims that decide it.
    pub claims: Vec<String>,
    /// Why it claims nothing.
    pub reason: Option<Reason>,
}

impl Place {
    /// Whether nothing is said of it: neither a claim nor a reason.
    #[must_use]
    pub const fn is_gap(&self) -> bool {
        self.claims.is_empty() && self.reason.is_none()
    }
}

/// Why a place claims nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// It introduces a symbol.
    Notation,
    /// It is on other work, and no proof here uses it.
    Background,
    /// No quantity in it can be checked.
    Motivation,
    /// It is measured, and prints no number or order that is not covered elsewhere.
    Picture,
}

/// What is wrong with a list of places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoverageError {
    /// The file is no CSV with the columns `place,quote,claims,reason`, or has another reason.
    Layout(String),
    /// A row says nothing of where it is, or what is there; counted from 1, below the header.
    Blank(usize),
    /// A row names claims, and a reason why there are none.
    Both(String),
    /// Two rows have the same place and quote.
    Twice(String),
}

impl fmt::Display for CoverageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layout(what) => write!(
                f,
                "{what}; the columns are place,quote,claims,reason, and a reason is empty, \
                    notation, background, motivation or picture"
            ),
            Self::Blank(row) => write!(f, "row {row} has no place, or no quote"),
            Self::Both(place) => write!(f, "{place} has claims and a reason why it has none"),
            Self::Twice(place) => write!(f, "{place} is listed twice with the same quote"),
        }
    }
}

impl std::error::Error for CoverageError {}

/// A row as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    place: String,
    quote: String,
    claims: String,
    reason: Option<Reason>,
}

/// Reads a list of places (RFC 4180).
///
/// ```
/// use dp_assay_spec::coverage::{CoverageShare, read};
///
/// let places = read("place,quote,claims,reason\n(1),ρ = ε²,x-eq-1 x-eq-1-repaired,\n(2),let n,,notation\n(3),a,,\n")?;
/// let share = CoverageShare::of(&places);
/// assert_eq!((share.places, share.claimed, share.reasons, share.gaps), (3, 1, 1, 1));
/// assert!(read("place,claims\n").is_err() && read("place,quote,claims,reason\n(1),a,b,picture\n").is_err());
/// # Ok::<(), dp_assay_spec::coverage::CoverageError>(())
/// ```
///
/// # Errors
/// See [`CoverageError`].
pub fn read(text: &str) -> Result<Vec<Place>, CoverageError> {
    let layout = |error: csv::Error| CoverageError::Layout(error.to_string());
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().map_err(layout)?;
    if header != vec!["place", "quote", "claims", "reason"] {
        return Err(CoverageError::Layout(format!("the header is {header:?}")));
    }
    let mut places: Vec<Place> = Vec::new();
    for (i, row) in reader.deserialize().enumerate() {
        let row: Row = row.map_err(layout)?;
        let place = Place {
            place: row.place.trim().to_owned(),
            quote: row.quote.trim().to_owned(),
            claims: row.claims.split_whitespace().map(str::to_owned).collect(),
            reason: row.reason,
        };
        if place.place.is_empty() || place.quote.is_empty() {
            return Err(CoverageError::Blank(i + 1));
        }
        if place.reason.is_some() && !place.claims.is_empty() {
            return Err(CoverageError::Both(place.place));
        }
        let same = |other: &Place| (&other.place, &other.quote) == (&place.place, &place.quote);
        if places.iter().any(same) {
            return Err(CoverageError::Twice(place.place));
        }
        places.push(place);
    }
    Ok(places)
}

/// How many places have a claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoverageShare {
    /// All places.
    pub places: usize,
    /// Those that have a claim, whatever its verdict.
    pub claimed: usize,
    /// Those that claim nothing.
    pub reasons: usize,
    /// Those of which nothing is said.
    pub gaps: usize,
}

impl CoverageShare {
    /// Of these places.
    #[must_use]
    pub fn of<'a>(places: impl IntoIterator<Item = &'a Place>) -> Self {
        places
            .into_iter()
            .fold(Self::default(), |mut share, place| {
                share.places += 1;
                share.claimed += usize::from(!place.claims.is_empty());
                share.reasons += usize::from(place.reason.is_some());
                share.gaps += usize::from(place.is_gap());
                share
            })
    }

    /// Of the stored list of these papers; a list that cannot be read, which a test fails on, counts for nothing.
    #[must_use]
    pub fn stored(papers: &[Paper]) -> Self {
        let lists = papers
            .iter()
            .map(|paper| read(paper.coverage()).unwrap_or_default());
        Self::of(&lists.flatten().collect::<Vec<_>>())
    }
}

impl fmt::Display for CoverageShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            places,
            claimed,
            reasons,
            gaps,
        } = self;
        let percent = 100.0 * *claimed as f64 / (*places).max(1) as f64;
        write!(
            f,
            "of {places} places of the papers, {claimed} ({percent:.1} %) have a claim with its \
                verdict, {reasons} claim nothing, {gaps} are not read yet"
        )
    }
}
