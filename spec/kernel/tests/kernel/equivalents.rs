//! What cargo-mutants changes in the trusted files and no test can see, because nothing else follows: each with the reason. All
//! its other changes there that compile were seen to turn a test of this crate red on 29 November 2026.

use std::path::Path;

/// A file of `src`, what stands there, what is put in its place, and why nothing else follows.
const SAME: [[&str; 4]; 14] = [
    [
        "rules/compose.rs",
        "Command::Stop { charge, limit } => data_free(context, &[charge, limit], data),",
        "no such arm",
        "only `compose` and `unread` conclude about transcripts; the first refuses these itself, \
            and the second leaves them as they are",
    ],
    [
        "rules/privacy.rs",
        "Term::Bind(b @ (Binder::Sum | Binder::Vec), j, of, body) if free(of) => {",
        "of any range",
        "a range is made of counts and indices, which read no data",
    ],
    [
        "tame.rs",
        "(Op::Partial, [Term::Var(f), ..]) if !is_function(scope, f) => {",
        "never",
        "only what has a class can be differentiated, or the term is refused as one without a \
            meaning",
    ],
    [
        "normal.rs",
        "1 => self.0.get(&Monomial::new()).cloned(),",
        "no such arm",
        "of a number it is only asked whether it is 0, which has no monomial, and by what \
            multiplies whether it is 1, which saves work",
    ],
    [
        "normal.rs",
        "Term::Op(Op::Unit, a) if a[1] == Term::Var(k.to_owned()) => Some(a[0].clone()),",
        "whatever a[1] is",
        "a unit that mentions k and does not begin with it ends with it",
    ],
    [
        "normal.rs",
        "Term::Var(y) if y == x => Some(vec![num(0); usize::try_from(*e).ok()?]),",
        "whatever y is",
        "a variable that mentions x is x",
    ],
    [
        "normal.rs",
        "Term::Op(Op::Member | Op::Unit, _) if e > 1 => {",
        "e >= 1",
        "to the power 1 both arms keep it",
    ],
    [
        "normal.rs",
        "plain.insert(atom, 1);\n                }\n                _ if e == 0 => {}",
        "the guard e > 1 of the arm before, for members and units: of any power",
        "neither has a power below 1: it would be a divisor, which is plainly > 0",
    ],
    [
        "normal.rs",
        "(Op::Unit, [i, j]) if i > j => Ok(Poly::atom(op(o, [j.clone(), i.clone()]))),",
        "i >= j",
        "equal indices are taken by the arm before",
    ],
    [
        "normal.rs",
        "Term::Var(_) => Ok(Poly::atom(op(Op::At, [v.clone(), j.clone()]))),",
        "no such arm",
        "the normal form of a variable is itself",
    ],
    ["normal.rs", "&& *c > 0", "*c >= 0", "no coefficient is 0"],
    [
        "normal.rs",
        "Term::App(..) | Term::Bind(..) => self.kept(term),",
        "no such arm",
        "what is not looked up is computed, and is the same: on its key alone a normal form \
            depends",
    ],
    [
        "normal.rs",
        "fn under(&mut self, open: &[(Name, Sort)]) -> &mut Forms {",
        "a new map that is empty",
        "what is not looked up is computed, and is the same: on its key alone a normal form \
            depends",
    ],
    [
        "normal.rs",
        "if *e > 1 {",
        "*e >= 1",
        "what is left of it then has the power 0, and is 1 when the product is read again",
    ],
];

#[test]
fn what_cannot_be_told_apart_is_still_where_it_was() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for [file, code, change, why] in SAME {
        let source = std::fs::read_to_string(folder.join(file)).expect("a file of the kernel");
        assert_eq!(source.matches(code).count(), 1, "{file}: {code}");
        assert!(!change.is_empty() && why.len() >= 8, "{file}: {code}");
    }
}
