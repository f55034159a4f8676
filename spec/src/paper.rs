//! The table of papers: the one place that lists them.
//!
//! A row is a paper's name, title, authors and arXiv id. All else of it stands in the room of its name, which a row
//! that has none does not compile without:
//!
//! | what | where |
//! |---|---|
//! | claims | `claims()` of `spec/src/NAME/mod.rs` |
//! | notes on what does not hold | `NOTES` of `spec/src/NAME/findings.rs` |
//! | theorems that it is cited for | `HEADLINES` of `spec/src/NAME/headlines.rs` |
//! | symbols | `SYMBOLS` of `spec/src/NAME/symbols.rs` |
//! | places, with the claims that decide them | `spec/coverage/NAME.csv` |
//! | stored proofs | `spec/certificates/NAME.txt` |

use serde::{Deserialize, Serialize};
use std::fmt;

/// Gives the table to the macro of this name: [`names`] makes the type of it, `rooms` asks what else there is of each paper.
macro_rules! papers {
    ($make:ident) => {
        $make! {
            /// Random block coordinate descent (DP-SkGD).
            Skgd = skgd,
            "Differentially Private Random Block Coordinate Descent",
            "Maranjyan, Sadiev, Richtárik",
            "2412.17054";

            /// Greedy coordinate descent (DP-GCD).
            Gcd = gcd,
            "High-Dimensional Private Empirical Risk Minimization by Greedy Coordinate Descent",
            "Mangold, Bellet, Salmon, Tommasi",
            "2207.01560";

            /// Decentralized learning with correlated noise (DECOR).
            Decor = decor,
            "The Privacy Power of Correlated Noise in Decentralized Learning",
            "Allouah, Koloskova, El Firdoussi, Jaggi, Guerraoui",
            "2405.01031";

            /// Non-convex optimisation under the Kurdyka–Łojasiewicz condition.
            Kl = kl,
            "Differentially Private Non-Convex Optimization under the KL Condition with Optimal \
Rates",
            "Menart, Ullah, Arora, Bassily, Guzmán",
            "2311.13447";

            /// Linear regression by adaptive clipping (DP-AMBSSGD).
            Ambssgd = ambssgd,
            "(Nearly) Optimal Private Linear Regression via Adaptive Clipping",
            "Varshney, Thakurta, Jain",
            "2207.04686";
        }
    };
}
#[cfg(feature = "certify")]
pub(crate) use papers;

/// Makes of the table what papers are called and where they are found.
macro_rules! names {
    ($($(#[$doc:meta])* $paper:ident = $name:ident, $title:literal, $authors:literal, $arxiv:literal;)*) => {
        /// Where a claim belongs: a paper, whose short name is its room in every folder, or a collection.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum Paper {
            $($(#[$doc])* $paper,)*
            /// No paper but a collection: theorems of the literature that accountants rest on, each with its own source.
            Acc,
        }

        impl Paper {
            /// The papers, in the order of the contents page.
            pub const ALL: [Self; Self::BOOKS.len() - 1] = [$(Self::$paper),*];

            /// The papers, and behind them the collection.
            pub const BOOKS: [Self; [$(stringify!($name)),*].len() + 1] = [$(Self::$paper,)* Self::Acc];

            /// The short name, which is also the prefix of the paper's claim ids.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$paper => stringify!($name),)*
                    Self::Acc => "acc",
                }
            }

            /// Title, authors and arXiv id; of the collection a title alone, for its claims name their sources.
            #[must_use]
            pub const fn source(self) -> Publication {
                let (title, authors, arxiv) = match self {
                    $(Self::$paper => ($title, $authors, $arxiv),)*
                    Self::Acc => ("Theorems that accountants rest on", "", ""),
                };
                Publication { title, authors, arxiv }
            }
        }
    };
}
papers!(names);

/// Symbols, each with its meaning.
pub type Meanings = &'static [(&'static str, &'static str)];

impl Paper {
    /// Whether this is the collection: no headlines, no places to cover, and each claim has its own source.
    #[must_use]
    pub const fn is_collection(self) -> bool {
        matches!(self, Self::Acc)
    }

    /// The names of the papers, with commas between.
    ///
    /// ```
    /// use dp_assay_spec::claim::Paper;
    ///
    /// assert!(Paper::names().starts_with("skgd, gcd, "));
    /// ```
    #[must_use]
    pub fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }
}

/// Where a paper is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Publication {
    /// Its title.
    pub title: &'static str,
    /// Its authors' family names; empty for the collection.
    pub authors: &'static str,
    /// Its arXiv id; empty for the collection.
    pub arxiv: &'static str,
}

impl fmt::Display for Paper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Paper {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        let named = Self::BOOKS.into_iter().find(|p| p.name() == s);
        named.ok_or_else(|| {
            let (names, collection) = (Self::names(), Self::Acc);
            format!("paper `{s}` is not one of {names}, or the collection {collection}")
        })
    }
}
