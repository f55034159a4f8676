//! What a picture shows of what was checked.

use super::*;
use crate::ledger::samples::{refuted, row};
use crate::report::samples::outside;
use dp_assay_spec::prove::Found;

fn axis(name: &'static str) -> Axis {
    Axis {
        name,
        integer: false,
        open: [true, false],
        ticks: vec![(0.0, 0.0), (0.5, 1.0), (1.0, f64::INFINITY)],
    }
}

fn drawn(names: &[&'static str], seen: Seen) -> String {
    figure(&Picture {
        name: "gcd-test".to_owned(),
        stated: true,
        axes: names.iter().map(|name| axis(name)).collect(),
        seen,
    })
}

#[test]
fn every_box_of_a_proof_is_drawn_where_it_lies() {
    let patches = [(0.0, 0.5, false), (0.5, 1.0, true)].map(|(from, to, outside)| Patch {
        ranges: vec![[from, to]],
        outside,
    });
    let sample = |at: f64, margin: f64| Sample {
        at,
        found: Found::Holds,
        margin: Some(margin),
    };
    let seen = Seen::Proved {
        leaves: 2,
        patches: patches.to_vec(),
        samples: Samples {
            lines: vec![vec![sample(0.1, -2.0), sample(0.4, -0.1)]],
            plane: Vec::new(),
        },
    };
    let line = drawn(&["x"], seen);
    let (middle, right) = (LEFT + 0.5 * PLANE, LEFT + PLANE);
    for part in [
        &format!("class=\"range\" d=\"M{LEFT:.1} {TOP}H{:.1}\"", middle - 1.0),
        &format!(
            "class=\"range outside\" d=\"M{middle:.1} {TOP}H{:.1}\"",
            right - 1.0
        ),
        "Stated inequality gcd-test: proved, 2 boxes; left side ÷ right side is 0.794 at the \
         nearest sample. Drawn over x from 0 to ∞.",
        "class=\"held h3\"",
        "class=\"held h1\"",
    ] {
        assert!(line.contains(part), "{part}: {line}");
    }
    assert_eq!(line.matches("class=\"end").count(), 1, "no end at infinity");
}

/// Marks one above another at the distance of dashes are one line; what stands elsewhere begins another.
#[test]
fn a_column_of_marks_is_a_line() {
    let at = |x: f64, row: f64, found| Sample {
        at: [x, (row + 0.5) / 25.0],
        found,
        margin: Some(0.5),
    };
    let held = [(0.5, 0.0), (0.5, 1.0), (0.5, 2.0), (0.5, 4.0), (0.6, 0.0)];
    let held = held.map(|(x, row)| at(x, row, Found::Holds));
    let failed = at(0.5, 3.0, Found::Fails);
    let drawn = marks(held.iter().chain([&failed]), |[x, y]| {
        (100.0 * x, PLANE * (1.0 - y))
    });
    // Three of 9.36 apart, one two further up, one beside the first.
    assert!(
        drawn.contains("d=\"M50 229v-20m0-17v-1m10 38v-1\""),
        "{drawn}"
    );
    assert!(
        drawn.contains("class=\"failed f2\" d=\"M50 201v-1\""),
        "{drawn}"
    );
    assert_eq!(APART, 9.36);
    assert!(include_str!("../../page/style.css").contains("stroke-dasharray: 0 9.36;"));
}

#[test]
fn samples_are_marked_by_shape_and_counted_and_the_counterexample_is_on_top() {
    let plane = [Found::Fails, Found::Holds, Found::Outside, Found::Unknown].map(|found| Sample {
        at: [0.25, 0.75],
        found,
        margin: Some(0.5),
    });
    let flat = drawn(
        &["x", "y"],
        Seen::Refuted {
            at: vec![0.5, 0.0],
            samples: Samples {
                lines: Vec::new(),
                plane: plane.to_vec(),
            },
        },
    );
    assert!(flat.contains("refuted; 1 of 4 samples fail."), "{flat}");
    for class in ["failed f2", "held h2", "fails"] {
        let mark = format!("class=\"{class}\" d=\"M");
        assert_eq!(flat.matches(&mark).count(), 1, "{class}: {flat}");
    }
    let cross = format!("M{:.1} {:.1}m-5", LEFT + 0.5 * PLANE, TOP + PLANE);
    assert!(flat.contains(&cross), "{flat}");
    assert!(flat.contains(">counterexample</text>"), "{flat}");
    let sample = Sample {
        at: 0.5,
        found: Found::Fails,
        margin: None,
    };
    let lines = vec![vec![sample]; 3];
    let rows = drawn(
        &["x", "y", "z"],
        Seen::Refuted {
            at: vec![0.5; 3],
            samples: Samples {
                lines,
                plane: Vec::new(),
            },
        },
    );
    assert!(rows.contains("3 of 3 samples fail, along one variable at a time"));
    assert_eq!(rows.matches("class=\"fails\"").count(), 3);
    assert_eq!(rows.matches(">counterexample</text>").count(), 1);
    // Each variable below the one before, and nothing where nobody sees it.
    for (i, name) in ["x", "y", "z"].iter().enumerate() {
        let y = TOP + ROW * i as f64;
        assert!(
            rows.contains(&format!("y=\"{}\">{name}</text>", y - 8.0)),
            "{rows}"
        );
        assert!(
            rows.contains(&format!("d=\"M{:.1} {y:.1}m-5", LEFT + 0.5 * PLANE)),
            "{rows}"
        );
    }
    for picture in [&flat, &rows] {
        assert_eq!(outside(picture), [""; 0]);
        assert!(picture.contains(">left side ÷ right side</text>") && picture.contains(">1/1.1<"));
    }
    let height = TOP + PLANE + 34.0 + SCALE;
    assert!(
        flat.contains(&format!("viewBox=\"0 0 {WIDTH} {height}\"")),
        "{flat}"
    );
}

/// A box says what it is where the word fits into it.
#[test]
fn boxes_are_named_where_there_is_room() {
    let exactly = 14.0 / PLANE;
    for (right, high, room) in [
        (1.0, 0.1, true),
        (1.0, 0.05, false),
        (1.0, exactly, false),
        (0.2, 0.1, false),
    ] {
        let patch = Patch {
            ranges: vec![[0.0, right], [0.0, high]],
            outside: false,
        };
        let seen = Seen::Proved {
            leaves: 1,
            patches: vec![patch],
            samples: Samples {
                lines: Vec::new(),
                plane: Vec::new(),
            },
        };
        let named = drawn(&["x", "y"], seen).contains(">proved</text>");
        assert_eq!(named, room, "{right} × {high}");
    }
}

/// What is not drawn is counted; and of numbers at the ends none is cut.
#[test]
fn pictures_that_are_left_out_are_counted_and_numbers_are_whole() {
    let sample = |found| Sample {
        at: 0.5,
        found,
        margin: Some(0.5),
    };
    let picture = Picture {
        name: "gcd-test".to_owned(),
        stated: true,
        axes: vec![axis("x")],
        seen: Seen::Refuted {
            at: vec![0.5],
            samples: Samples {
                lines: vec![vec![sample(Found::Fails), sample(Found::Holds)]],
                plane: Vec::new(),
            },
        },
    };
    let shown = |count| {
        let pictures = vec![picture.clone(); count];
        domain(&Row {
            pictures,
            ..row("gcd-mech-lap", refuted)
        })
    };
    for (count, left) in [(4, None), (6, Some("and 2 more inequalities, not drawn"))] {
        let html = shown(count);
        assert_eq!(html.matches("<figure ").count(), 4, "{count}");
        assert_eq!(left.is_some(), html.contains("not drawn"), "{count}");
        assert!(left.is_none_or(|left| html.contains(left)), "{html}");
    }
    // Samples that are all alike show nothing.
    let alike = Picture {
        seen: Seen::Refuted {
            at: vec![0.5],
            samples: Samples {
                lines: vec![vec![sample(Found::Fails); 2]],
                plane: Vec::new(),
            },
        },
        ..picture.clone()
    };
    let html = domain(&Row {
        pictures: vec![alike],
        ..row("gcd-mech-lap", refuted)
    });
    assert_eq!(html, "");
    // The statement's own comes first.
    let step = Picture {
        stated: false,
        ..picture.clone()
    };
    let html = domain(&Row {
        pictures: vec![step, picture.clone()],
        ..row("gcd-mech-lap", refuted)
    });
    let place = |words| html.find(words).expect(words);
    assert!(place("Stated inequality") < place("Step of the argument"));
    let want = [(0.0, "0", "start"), (0.5, "1", "middle"), (1.0, "∞", "end")];
    let want = want.map(|(at, text, anchor)| (at, text.to_owned(), anchor));
    assert_eq!(labels(&axis("x")), want);
    // A box is seen however thin it is.
    assert_eq!(
        bar(10.0, 10.25, 5.0, false),
        "<path class=\"range\" d=\"M10.0 5H11.0\"/>"
    );
}
