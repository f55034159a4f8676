//! What each paper's room says of it: the rows of the [table](crate::paper) with the modules of their names.

use crate::claim::Claim;
use crate::findings::{Headline, Note};
use crate::paper::{Meanings, Paper, papers};

/// Asks the room of each row.
macro_rules! rooms {
    ($($(#[$doc:meta])* $paper:ident = $name:ident, $title:literal, $authors:literal, $arxiv:literal;)*) => {
        impl Paper {
            /// Its claims, in the order of its contents.
            #[must_use]
            pub fn claims(self) -> Vec<Claim> {
                match self {
                    $(Self::$paper => crate::$name::claims(),)*
                    Self::Acc => crate::acc::claims(),
                }
            }

            /// The notes on what does not hold as printed.
            #[must_use]
            pub const fn notes(self) -> &'static [Note] {
                match self {
                    $(Self::$paper => &crate::$name::findings::NOTES,)*
                    Self::Acc => &[],
                }
            }

            /// The theorems that it is cited for, in its order.
            #[must_use]
            pub const fn headlines(self) -> &'static [Headline] {
                match self {
                    $(Self::$paper => &crate::$name::headlines::HEADLINES,)*
                    Self::Acc => &[],
                }
            }

            /// Its symbols that have one meaning throughout, with that meaning.
            #[must_use]
            pub const fn symbols(self) -> Meanings {
                match self {
                    $(Self::$paper => crate::$name::symbols::SYMBOLS,)*
                    Self::Acc => crate::acc::symbols::SYMBOLS,
                }
            }

            /// The list of its places as it is stored ([`coverage`](mod@crate::coverage)); that of the collection has no rows.
            #[must_use]
            pub const fn coverage(self) -> &'static str {
                match self {
                    $(Self::$paper => include_str!(concat!("../coverage/", stringify!($name), ".csv")),)*
                    Self::Acc => "place,quote,claims,reason\n",
                }
            }

            /// The file of its stored proofs as it is.
            #[must_use]
            pub const fn certificates(self) -> &'static str {
                match self {
                    $(Self::$paper => include_str!(concat!("../certificates/", stringify!($name), ".txt")),)*
                    Self::Acc => include_str!("../certificates/acc.txt"),
                }
            }
        }
    };
}
papers!(rooms);
