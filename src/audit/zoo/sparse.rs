//! The sparse vector technique: which of many answers exceed a noisy threshold?
//!
//! Output: one number per query, 1 for "above", 0 for "below", as far as the run got; a number that is
//! released follows its 1, so that the last query's has a column of its own. The threshold is 1.

use super::{EPSILON, Pair, Specimen, patterns};
use crate::audit::Output;
use crate::mechanism::tape::{Purpose, Tape};

/// One variant of the technique; Lyu, Su and Li, "Understanding the sparse vector technique for
/// differential privacy", VLDB 2017, Figure 1.
#[derive(Clone, Copy)]
struct Variant {
    /// Scale of the noise on the threshold.
    threshold: f64,
    /// Scale of the noise on every query.
    query: f64,
    /// Fresh threshold noise of this scale after every "above".
    redraw: Option<f64>,
    /// Stop after this many.
    above: usize,
    release: Released,
}

#[derive(Clone, Copy)]
enum Released {
    /// Only that the answer is above.
    Bit,
    /// The noisy answer that was compared.
    Compared,
    /// How far the noisy answer is above the noisy threshold.
    Gap,
    /// The answer with fresh noise of this scale.
    Fresh(f64),
}

impl Variant {
    /// Threshold and query noise of these scales, one answer, nothing else.
    const fn plain(threshold: f64, query: f64) -> Self {
        Self {
            threshold,
            query,
            redraw: None,
            above: 1,
            release: Released::Bit,
        }
    }

    /// One run, on the tape's noise of one step.
    fn run(&self, answers: &[f64], tape: Tape, step: u64) -> Vec<f64> {
        let mut noise = tape.stream(step, Purpose::Selection, 0);
        let mut threshold = 1.0 + self.threshold * noise.uniform().laplace();
        let mut outputs = Vec::with_capacity(answers.len());
        let mut above = 0;
        for answer in answers {
            let noisy = answer + self.query * noise.uniform().laplace();
            if noisy < threshold {
                outputs.push(0.0);
                continue;
            }
            outputs.push(1.0);
            outputs.extend(match self.release {
                Released::Bit => None,
                Released::Compared => Some(noisy),
                Released::Gap => Some(noisy - threshold),
                Released::Fresh(scale) => Some(answer + scale * noise.uniform().laplace()),
            });
            above += 1;
            if above == self.above {
                break;
            }
            if let Some(scale) = self.redraw {
                threshold = 1.0 + scale * noise.uniform().laplace();
            }
        }
        outputs
    }
}

pub(super) fn specimens() -> Vec<Specimen> {
    const HALF: f64 = EPSILON / 2.0;
    let runs =
        |variant: Variant| move |x: &[f64], tape: Tape| Output::Vector(variant.run(x, tape, 0));
    let svt1 = Variant::plain(1.0 / HALF, 2.0 / HALF);
    let unlimited = Variant {
        above: usize::MAX,
        ..Variant::plain(1.0 / HALF, 1.0 / HALF)
    };
    let redrawn = Variant {
        redraw: Some(1.0 / HALF),
        ..svt1
    };
    let numeric = Variant {
        release: Released::Fresh(3.0 / EPSILON),
        ..Variant::plain(3.0 / EPSILON, 6.0 / EPSILON)
    };
    let gap = Variant {
        release: Released::Gap,
        ..svt1
    };
    let svt3 = Variant {
        release: Released::Compared,
        ..Variant::plain(1.0 / HALF, 1.0 / HALF)
    };
    let svt4 = Variant::plain(4.0 / EPSILON, 4.0 / (3.0 * EPSILON));
    let svt5 = Variant {
        query: 0.0,
        ..unlimited
    };
    let unbounded = f64::INFINITY;
    vec![
        Specimen::correct("svt-1", EPSILON, patterns(10), runs(svt1)),
        Specimen::correct("svt-2", EPSILON, patterns(10), runs(redrawn)),
        Specimen::correct("numeric-svt", EPSILON, patterns(10), runs(numeric)),
        Specimen::correct("gap-svt", EPSILON, patterns(10), runs(gap)),
        Specimen::broken(
            "svt-3",
            "releases the noisy answer that was compared with the threshold",
            unbounded,
            against(5, 1),
            runs(svt3),
        )
        .taking(6_000_000),
        Specimen::broken(
            "svt-4",
            "a quarter of the budget on the threshold, query noise not scaled",
            // (1 + 6c)/4 · ε at c = 1.
            1.75 * EPSILON,
            against(3, 1),
            runs(svt4),
        )
        .taking(3_000_000),
        Specimen::broken(
            "svt-5",
            "no noise on the queries",
            unbounded,
            patterns(10),
            runs(svt5),
        ),
        Specimen::broken(
            "svt-6",
            "no limit on the number of answers above",
            unbounded,
            against(20, 20),
            runs(unlimited),
        ),
        Specimen::broken(
            "svt-3-and-4",
            "both defects, side by side",
            unbounded,
            against(5, 1),
            move |x, tape| {
                let mut both = svt3.run(x, tape, 0);
                both.resize(x.len() + 1, f64::NAN);
                both.extend(svt4.run(x, tape, 1));
                Output::Vector(both)
            },
        )
        .taking(3_000_000),
    ]
}

/// A pair in which `first` answers move against `last` others: "below" for the first and "above" for
/// the last is then likelier on the first input, by the factors of all answers together. The
/// numbers used are those that need the fewest samples (by numerical integration of the laws).
fn against(first: usize, last: usize) -> Vec<Pair> {
    let side = |a: f64, b: f64| [vec![a; first], vec![b; last]].concat();
    vec![(side(0.0, 1.0), side(1.0, 0.0))]
}
