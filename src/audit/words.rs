//! What an audit says in words: its inputs, and why it says nothing.

use crate::audit::features::{Layout, Rows};
use crate::audit::power::{pairs_to_see, seen};
use crate::audit::shape::Shape;
use crate::audit::{Guarantee, Power};
use std::fmt::Debug;

/// What an audit that found nothing could have seen.
pub(crate) struct Sight<'a> {
    pub claim: Guarantee,
    pub shape: &'a Shape,
    /// A pass must see this ε.
    pub target: f64,
    pub trials: u64,
    /// The error of the betting.
    pub alpha: f64,
    /// The probability of the event that tells the inputs apart best, whether or not the claim is true.
    pub mass: f64,
}

impl Sight<'_> {
    /// The power on that event, and why it is not enough for a pass: with what would make it enough.
    pub(crate) fn power(&self) -> (Option<Power>, Option<String>) {
        let Self {
            claim,
            shape,
            target,
            trials,
            alpha,
            mass,
        } = *self;
        let power = seen(claim, shape, mass, trials, alpha);
        // Who sees no ε passes nothing, whatever was asked for.
        if power.as_ref().is_some_and(|p| p.epsilon <= target) {
            return (power, None);
        }
        let sees = match &power {
            Some(power) => format!("sees ε ≥ {:.4}", power.epsilon),
            None => "sees no ε".to_owned(),
        };
        let remedy = match pairs_to_see(target, claim, shape, mass, alpha) {
            Some(pairs) => format!("draw about {pairs} pairs"),
            None => {
                "no number of pairs is enough, but events that are more frequent or a declared \
                     shape may be"
                    .to_owned()
            }
        };
        let reason = format!(
            "an audit of {trials} pairs {sees} on an event of probability {mass:.3}, and a pass \
             must see ε ≥ {target:.4}: {remedy}, or ask for less (must-see)"
        );
        (power, Some(reason))
    }
}

/// What events are on where they are learned from outputs of this layout.
pub(crate) fn looked_at(layout: &Layout) -> String {
    const NAMED: usize = 3;
    let width = layout.width();
    let names: Vec<String> = (0..width.min(NAMED)).map(|at| layout.column(at)).collect();
    let rest = match width - names.len() {
        0 => String::new(),
        more => format!(" and {more} columns more"),
    };
    let joint = if width > 1 { "; a score of all" } else { "" };
    let digits = match layout.rounds() {
        true => "; numbers to 2⁻³⁰ of their size (with bits, to the last)",
        false => "",
    };
    let left_out = match layout.left_out() {
        0 => String::new(),
        parts => format!("; {parts} parts of an output have no column"),
    };
    format!(
        "thresholds on {}{rest}{joint}; whole outputs that come back{digits}{left_out}",
        names.join(", ")
    )
}

/// Why an audit of outputs that are all one says nothing.
pub(crate) fn constant(outputs: &Rows, layout: &Layout) -> String {
    let rows = outputs.all().first(1);
    let one = rows.iter().next().map(|row| layout.show(row.values));
    format!(
        "every run on either input gave the same output, {}{}: no noise was seen, and nothing that \
         depends on the inputs. Does the mechanism read them, and is what it gives the number that \
         is released? Audit a pair of inputs on which the answers differ",
        one.unwrap_or_default(),
        if layout.rounds() {
            ", to 2⁻³⁰ of its size (with bits, to the last)"
        } else {
            ""
        }
    )
}

/// Two inputs in words. Where they would fill the page only what surrounds their first difference is shown, at the
/// same place of both.
pub(crate) fn described<D: Debug>(inputs: [&D; 2]) -> [String; 2] {
    shortened(inputs.map(|input| format!("{input:?}")))
}

/// Two texts, cut as [`described`] says.
pub(crate) fn shortened(texts: [String; 2]) -> [String; 2] {
    const LONGEST: usize = 200;
    const BEFORE: usize = 40;
    let full = texts.map(|text| text.chars().collect::<Vec<char>>());
    if full.iter().all(|text| text.len() <= LONGEST) {
        return full.map(String::from_iter);
    }
    let common = full[0].iter().zip(&full[1]).take_while(|(a, b)| a == b);
    let start = common.count().saturating_sub(BEFORE);
    full.map(|text| {
        let end = text.len().min(start + LONGEST);
        let shown: String = text[start.min(end)..end].iter().collect();
        let [before, after] = [start > 0, end < text.len()].map(|cut| if cut { "…" } else { "" });
        format!("{before}{shown}{after} ({} characters)", text.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::Output;
    use crate::audit::features::Extras;

    #[test]
    fn long_inputs_are_shown_where_they_differ() {
        let zeros = vec![0.0; 500];
        let mut moved = zeros.clone();
        moved[300] = 7.5;
        let [first, second] = described([&zeros, &moved]);
        assert!(second.contains("7.5") && !first.contains("7.5"));
        assert!(
            first.chars().count() < 250 && first.ends_with("(2500 characters)"),
            "{first}"
        );
        let short = [vec![0.0], vec![1.0]];
        assert_eq!(described([&short[0], &short[1]]), ["[0.0]", "[1.0]"]);
    }

    /// What would make an audit see enough is named with its number, and where nothing would that is said.
    #[test]
    fn an_audit_that_sees_too_little_says_what_would_be_enough() {
        let sight = |target: f64, trials: u64, mass: f64| {
            let claim = Guarantee::new(1.0, 1e-3).expect("in the domain");
            let (power, reason) = Sight {
                claim,
                shape: &Shape::Unknown,
                target,
                trials,
                alpha: 1e-6,
                mass,
            }
            .power();
            (power.map(|power| power.epsilon), reason)
        };
        let (seen, reason) = sight(3.0, 100_000, 0.1);
        let seen = seen.expect("some ε");
        assert_eq!(reason, None);
        // What is just seen is enough.
        assert_eq!(sight(seen, 100_000, 0.1).1, None);
        let said = sight(seen - 1e-6, 100_000, 0.1).1.expect("a reason");
        assert!(
            said.starts_with(&format!(
                "an audit of 100000 pairs sees ε ≥ {seen:.4} on an event of probability 0.100"
            )),
            "{said}"
        );
        let number = said
            .split("draw about ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next());
        let number: u64 = number.and_then(|n| n.parse().ok()).expect(&said);
        assert!(
            number > 100_000 && sight(seen - 1e-6, number, 0.1).1.is_none(),
            "{said}"
        );
        let said = sight(3.0, 100, 5e-4).1.expect("a reason");
        assert!(
            said.contains("100 pairs sees no ε") && said.contains("no number of pairs is enough"),
            "{said}"
        );
        // Without power there is no pass, whatever is asked for.
        let (power, reason) = sight(f64::INFINITY, 1, 0.1);
        assert!(power.is_none() && reason.is_some_and(|said| said.contains("sees no ε")));
    }

    /// What is looked at, and what was seen where nothing varies: with the digits that count.
    #[test]
    fn columns_are_named_three_at_most() {
        let layout = |outputs: &[Output]| Layout::of(outputs, Extras::default());
        let vectors = |n: usize| layout(&[Output::Vector((0..n).map(|i| i as f64).collect())]);
        let start = "thresholds on output[0], output[1], output[2]";
        let score = "; a score of all; whole outputs that come back";
        assert_eq!(looked_at(&vectors(3)), format!("{start}{score}"));
        assert_eq!(
            looked_at(&vectors(5)),
            format!("{start} and 2 columns more{score}")
        );
        let real = layout(&[Output::Real(0.5)]);
        let digits = "; numbers to 2⁻³⁰ of their size (with bits, to the last)";
        assert_eq!(
            looked_at(&real),
            format!("thresholds on output; whole outputs that come back{digits}")
        );
        let said = constant(&Rows::of_reals(&[0.5, 0.5]), &real);
        assert!(
            said.starts_with(
                "every run on either input gave the same output, 0.5, to 2⁻³⁰ of its size"
            ),
            "{said}"
        );
        let said = constant(&Rows::of_reals(&[2.0]), &layout(&[Output::Real(2.0)]));
        assert!(
            said.starts_with(
                "every run on either input gave the same output, 2: no noise was seen"
            ),
            "{said}"
        );
    }

    /// Two hundred characters are shown whole; of one more what surrounds the first difference.
    #[test]
    fn texts_are_cut_from_two_hundred_and_one_characters_on() {
        let text = |n: usize, at: usize| -> String {
            (0..n).map(|i| if i == at { 'é' } else { 'x' }).collect()
        };
        let [same, other] = [text(200, 200), text(200, 150)];
        assert_eq!(
            shortened([same.clone(), other.clone()]),
            [same.clone(), other]
        );
        let [a, b] = shortened([same, text(201, 150)]);
        assert_eq!(a, format!("…{} (200 characters)", text(90, 90)));
        assert_eq!(b, format!("…{} (201 characters)", text(91, 40)));
        let [a, b] = shortened([text(300, 10), text(300, 20)]);
        assert_eq!(a, format!("{}… (300 characters)", text(200, 10)));
        assert_eq!(b, format!("{}… (300 characters)", text(200, 20)));
        // Nothing is left of a text that ends long before the other goes on.
        let [a, b] = shortened([String::new(), text(300, 300)]);
        assert_eq!(
            (a.as_str(), b),
            (
                " (0 characters)",
                format!("{}… (300 characters)", text(200, 300))
            )
        );
    }
}
