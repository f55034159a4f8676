//! How statements are read, piece by piece: what each sign and word is, and what stands together.

use super::{Piece, tokens};

/// Pieces with a mark of their kind: `'` a word, `"` one in a script, `$` a symbol, `@` a function, `#` a number, `:` an
/// operator, `,` and `^` what is lowered and raised by its form, `!` what is said by its sign, `?` what is unclear. White
/// space stands between them where the text has some, else `~`.
fn pieces(text: &str) -> String {
    let mark = |kind| match kind {
        Piece::Word => '\'',
        Piece::Text => '"',
        Piece::Symbol => '$',
        Piece::Function => '@',
        Piece::Number => '#',
        Piece::Operator => ':',
        Piece::Lowered => ',',
        Piece::Raised => '^',
        Piece::Unclear => '?',
        _ => '!',
    };
    let mut out = String::new();
    for token in tokens(text) {
        out += match (out.is_empty(), token.spaced) {
            (true, _) => "",
            (_, true) => " ",
            (_, false) => "~",
        };
        out.push(mark(token.kind));
        out += &token.text;
    }
    out
}

/// A text on one line and its pieces on the next.
#[test]
fn every_piece_is_what_stands_around_it_says() {
    let lines: Vec<&str> = include_str!("pieces.txt").lines().collect();
    for pair in lines.chunks(2) {
        assert_eq!(pieces(pair[0]), pair[1], "{}", pair[0]);
    }
    assert_eq!(lines.len(), 2 * 66);
}
