//! Proofs of what is false or has no meaning: the second checker rejects each.

use super::checker::{folder, second_checker, written};

/// What a round of [`charged`] ends with, the steps on it, which of them `ends` takes, and its bound: w_j with 0·spent² added,
/// which knows more of what is charged than how it compares.
type Inner = [&'static str; 4];

const LOOP: Inner = [
    "(repeat l 1 (set w (vec i 1 (at w i))))",
    "(step 1 5 (combine) () (<= (at w j) BOUND))\n\
     (context 6 5 (var l (index 1)))\n\
     (step 2 6 (combine) () (<= BOUND BOUND))\n",
    "1 2",
    "(+ (at w j) (* 0 (^ spent 2)))",
];
const SELECTION: Inner = [
    "(select c m 1 0 1 1)",
    "(context 6 5 (var z (vector 1 any)))\n\
     (context 7 6 (var c (index 1)))\n\
     (context 8 7 (assume WINS))\n\
     (step 1 8 (combine) () (<= (at w j) (+ (at w j) (* 0 (^ spent 2)))))\n\
     (step 2 7 (discharge) (1) (if WINS (<= (at w j) (+ (at w j) (* 0 (^ spent 2))))))\n",
    "2",
    "(E z (laplace 1 1) (+ (at w j) (* 0 (^ spent 2))))",
];

/// E x_j ≤ 7 at the end of rounds that stop when more than 1 is charged.
fn charged([inner, steps, used, bound]: Inner) -> String {
    let score = |k: &str| format!("(/ (abs (+ 0 (* 1 (at z {k})))) 1)");
    let wins = format!("(every m (index 1) (<= {} {}))", score("m"), score("c"));
    let steps = steps.replace("BOUND", bound).replace("WINS", &wins);
    let later = bound.replace("spent", "(+ spent 1)");
    let goes = "(at-most (+ spent 1) 1)";
    format!(
        "(context 1 0 (var j (index 1)))\n\
         (context 2 1 (named P (process ((w 1 (vec i 1 7))) (repeat k 2 (stop 1 1) {inner}))))\n\
         (context 3 2 (var w (vector 1 any)))\n\
         (context 4 3 (var spent (real any)))\n\
         (step 0 4 (combine) () (<= (at w j) (at w j)))\n\
         (context 5 4 (var k (index 2)))\n\
         {steps}\
         (step 3 5 (combine) () (<= (+ (* {goes} {later}) (* (- 1 {goes}) (at w j))) (at w j)))\n\
         (step 4 2 (ends P x (at x j) (at w j) {bound}) (0 3 {used}) \
         (<= (E x (end P) (at x j)) (at (vec i 1 7) j)))\n"
    )
}

/// What is inside may know how what is charged compares.
#[test]
fn the_second_checker_accepts_bounds_that_compare_what_is_charged() {
    let folder = folder("compared-charge");
    for inner in [LOOP, SELECTION] {
        let steps = charged(inner).replace("(^ spent 2)", "(at-most 1 spent)");
        let steps = steps.replace("(^ (+ spent 1) 2)", "(at-most 1 (+ spent 1))");
        let proof = format!("(trace 1)\n{steps}(qed 4 ())\n");
        let run = second_checker(&[&written(&folder, "proof", &proof)]);
        let said = String::from_utf8(run.stdout).unwrap();
        assert!(run.status.success(), "{said}");
    }
}

/// Proofs of what is false or has no meaning, which the kernel once made: of sums whose means have other weights, of a power that
/// began anew, of an expectation that is infinite, of a negative order, of what only looks like what is read, of a bound that knows
/// what was charged.
#[test]
fn the_second_checker_rejects_what_was_forged() {
    let means = |x: &str| {
        let weight = format!("(weighted k 2 (sum %2 2 (exp (* {x} k))))");
        format!("(sum i 2 (E k {weight} (max k i)))")
    };
    let captured = format!(
        "(step 0 0 (combine) () (= {} {}))\n",
        means("i"),
        means("%2")
    );
    let power = "(^ (^ (^ (^ (^ (^ x 64) 64) 64) 64) 64) 4)";
    let anew =
        format!("(context 1 0 (var x (real positive)))\n(step 0 1 (combine) () (= {power} 1))\n");
    let grows = "(E y (normal 1) (* (exp (^ y 2)) (at-most (abs y) (abs x))))";
    let above = format!("(<= {grows} (max 0 {grows}))");
    let mean = |t: &str| format!("(E x (normal 1) {t})");
    let means = format!("(<= {} {})", mean(grows), mean(&format!("(max 0 {grows})")));
    let infinite = format!(
        "(context 1 0 (var x (real any)))\n\
         (step 0 1 (larger 0 {grows} 1) () {above})\n\
         (step 1 0 (expected (normal 1)) (0) {means})\n"
    );
    // Of order −1 an image of two laws can lie further apart than they, and a name that looks like a product is none.
    let order = "(context 1 0 (var n count))\n(context 2 1 (var D (dataset n zero-out)))\n\
                 (context 3 2 (var A (mechanism 1 D (renyi (- 0 1) (- 0 5)))))\n\
                 (step 0 1 (combine) () (= n n))\n"
        .to_owned();
    let named = |name: &str| {
        format!(
            "(context 1 0 (var {name} (real any)))\n(step 0 1 (combine) () (= {name} {name}))\n"
        )
    };
    let summed = |name: &str| {
        let sum = format!("(sum {name} 2 1)");
        format!("(step 0 0 (combine) () (= {sum} {sum}))\n")
    };
    // q is the number y ≤ −1, and no index of the sum over y.
    let sum = "(context 1 0 (var d count))\n(context 2 1 (define h ((v (real any))) (sum y d v)))\n\
               (context 3 2 (var y (real any)))\n(context 4 3 (define q () y))\n\
               (context 5 4 (assume (<= y -1)))\n\
               (step 0 5 (combine ((app h (app q)) 0)) () (<= 0 (app h (app q))))\n\
               (step 1 5 (assume 4) () (<= y -1))\n(step 2 5 (counted d) () (<= 1 d))\n\
               (step 3 5 (combine (1 1) (d 1) (1 1)) (0 1 2) (<= 1 0))\n";
    let folder = folder("forged");
    for (name, steps, last, why) in [
        ("loop", charged(LOOP), 4, "there may be no expectation"),
        (
            "selection",
            charged(SELECTION),
            4,
            "there may be no expectation",
        ),
        ("bound", summed("xꞏx"), 0, "xꞏx is not a name"),
        ("word", summed("exp"), 0, "exp is not a name"),
        ("left", summed("%1+1"), 0, "%1+1 is not a name"),
        ("index", sum.to_owned(), 3, "a multiplier may be negative"),
        ("order", order, 0, "an order is positive"),
        ("product", named("xꞏx"), 0, "xꞏx is not a name"),
        ("blank", named("\u{115f}0"), 0, "\u{115f}0 is not a name"),
        ("captured", captured, 0, "the two sides differ"),
        ("anew", anew, 0, "the two sides differ"),
        ("infinite", infinite, 1, "there may be no expectation"),
    ] {
        let proof = format!("(trace 1)\n{steps}(qed {last} ())\n");
        let run = second_checker(&[&written(&folder, name, &proof)]);
        let said = String::from_utf8(run.stdout).unwrap();
        assert_eq!(said, format!("rejected: {why}\n"), "{name}");
        assert!(!run.status.success(), "{name}");
    }
}
