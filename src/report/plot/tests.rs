//! Each kind of picture as it was looked at: where every line, mark and word stands.

use super::{domain, slack, squeeze};
use crate::ledger::Row;
use crate::ledger::samples::{proved, refuted, row};
use crate::report::lines::{Chart, Series, svg};
use crate::report::samples::{outside, squeeze as audit};
use dp_assay_spec::prove::{Axis, Found, Patch, Picture, Sample, Samples, Seen};

/// Holds a picture against the one that is kept, an element a line.
fn looks(name: &str, picture: &str) {
    assert_eq!(outside(picture), [""; 0]);
    insta::assert_snapshot!(name, picture.replace("><", ">\n<"));
}

fn axis(name: &'static str, integer: bool, ticks: [f64; 3]) -> Axis {
    let ticks = [0.0, 0.4, 1.0].into_iter().zip(ticks);
    Axis {
        name,
        integer,
        open: [true, false],
        ticks: ticks.collect(),
    }
}

fn sample<P>(at: P, found: Found, margin: f64) -> Sample<P> {
    let margin = Some(margin);
    Sample { at, found, margin }
}

fn drawn(axes: Vec<Axis>, seen: Seen) -> String {
    let picture = Picture {
        name: "gcd-test".to_owned(),
        stated: false,
        axes,
        seen,
    };
    domain(&Row {
        pictures: vec![picture],
        ..row("gcd-mech-lap", refuted)
    })
}

fn square(from: [f64; 2], to: [f64; 2], outside: bool) -> Patch {
    Patch {
        ranges: vec![[from[0], to[0]], [from[1], to[1]]],
        outside,
    }
}

#[test]
fn a_proof_in_two_variables() {
    let plane = vec![
        sample([0.1, 0.2], Found::Holds, -0.02),
        sample([0.9, 0.7], Found::Holds, -0.5),
        sample([0.95, 0.75], Found::Holds, -0.5),
        sample([0.2, 0.9], Found::Outside, -0.5),
    ];
    let picture = drawn(
        vec![
            axis("alpha", false, [0.0, 0.4, f64::INFINITY]),
            axis("n", true, [1.0, 4.0, 10.0]),
        ],
        Seen::Proved {
            leaves: 4,
            patches: vec![
                square([0.0, 0.0], [0.5, 0.5], false),
                square([0.5, 0.0], [1.0, 0.0625], false),
                square([0.5, 0.5], [0.75, 1.0], true),
                square([0.0, 0.5], [0.5, 1.0], true),
            ],
            samples: Samples {
                lines: Vec::new(),
                plane,
            },
        },
    );
    looks("proof_plane", &picture);
}

#[test]
fn a_counterexample_in_two_variables() {
    let plane = vec![
        sample([0.9, 0.9], Found::Fails, 0.2),
        sample([0.5, 0.25], Found::Fails, 0.2),
        sample([0.1, 0.1], Found::Holds, -1.5),
        sample([0.2, 0.1], Found::Holds, -1.5),
        sample([0.3, 0.3], Found::Unknown, 0.0),
    ];
    let picture = drawn(
        vec![
            axis("x", false, [-1.0, 0.0, 2.0]),
            axis(
                "a name that is longer than there is room for",
                true,
                [1.0, 1.0, 9.0],
            ),
        ],
        Seen::Refuted {
            at: vec![0.98, 0.95],
            samples: Samples {
                lines: Vec::new(),
                plane,
            },
        },
    );
    looks("counterexample_plane", &picture);
}

#[test]
fn a_proof_and_a_counterexample_in_rows() {
    let along = |found, margin: f64| {
        [0.0625, 0.25, 0.75]
            .map(|at| sample(at, found, margin * at))
            .to_vec()
    };
    let line = |from, to, outside| Patch {
        ranges: vec![[from, to]],
        outside,
    };
    let proof = drawn(
        vec![axis("k", true, [1.0, 5.0, f64::INFINITY])],
        Seen::Proved {
            leaves: 2,
            patches: vec![line(0.0, 0.25, true), line(0.25, 1.0, false)],
            samples: Samples {
                lines: vec![along(Found::Holds, -1.0)],
                plane: Vec::new(),
            },
        },
    );
    looks("proof_rows", &proof);
    let counterexample = drawn(
        ["x", "y", "z"]
            .map(|name| axis(name, false, [0.0, 0.5, 1.0]))
            .to_vec(),
        Seen::Refuted {
            at: vec![0.01, 0.5, 1.0],
            samples: Samples {
                lines: vec![
                    along(Found::Fails, 1.0),
                    along(Found::Holds, -1.0),
                    along(Found::Fails, 4.0),
                ],
                plane: Vec::new(),
            },
        },
    );
    looks("counterexample_rows", &counterexample);
}

#[test]
fn the_slack_of_claims() {
    let claims = ["gcd-mech-lap", "gcd-thm-4.2", "decor-2conn", "kl-thm-7"];
    let claims = claims
        .into_iter()
        .cycle()
        .zip([1.0, 1.02, 3.0, 400.0, 1.04]);
    let rows: Vec<Row> = claims
        .map(|(id, slack)| Row {
            slack: Some(slack),
            ..row(id, proved)
        })
        .collect();
    looks("slack", &slack(&rows));
}

#[test]
fn audits_and_what_they_would_have_seen() {
    let audits = [
        audit("sound", "PASS-WITH-POWER", 0.5),
        audit("half the noise", "VIOLATION", 1.8),
    ];
    looks("audits", &squeeze(&audits));
}

/// Measured with whiskers, printed, one alone, and one with a number that is none; nine curves make two frames.
#[test]
fn charts_of_two_frames() {
    let series = |i: usize| Series {
        name: match i {
            1 => "a name of words that go on and on until the line is full and then for \
                  some more"
                .to_owned(),
            _ => format!("curve {i}"),
        },
        published: i == 2,
        points: match i {
            0 => vec![
                (1.0, 0.5, 1.0, 2.0),
                (10.0, 3.0, 4.0, 8.0),
                (1e4, 9.0, 10.0, 10.0),
            ],
            1 => vec![(1.0, 1.0, f64::NAN, 1.0), (100.0, 5.0, 6.0, 6.5)],
            _ => vec![(
                10.0 * i as f64,
                1.0 + i as f64,
                1.0 + i as f64,
                1.0 + i as f64,
            )],
        },
    };
    let chart = |series, y: &str| Chart {
        title: "error < 1".to_owned(),
        x: "records".to_owned(),
        y: y.to_owned(),
        series,
    };
    let many = chart((0..9).map(series).collect(), &"a long name ".repeat(5));
    looks("chart_logarithmic", &svg(&many));
    let linear = Series {
        points: vec![(1.0, -1.0, 2.0, 3.0), (2.0, 0.0, 1.5, 1.75)],
        ..series(3)
    };
    looks("chart_linear", &svg(&chart(vec![linear], "y")));
}
