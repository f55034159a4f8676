//! Losses, regularisers, risks, problems, and files.

use super::data::{dataset, named, problem as built, psi};
use super::{Asked, fits, told};
use dp_assay::problem::load::{
    Delimiter, Format, Header, LabelColumn, Options, Rows, Task, read as load, write_svmlight,
};
use dp_assay::problem::neighbours::{LinearPair, Pair};
use dp_assay::problem::optimum::{gap_upper, optimum};
use dp_assay::problem::risk::{Curved, Limits, Risk, Shape, Tilted, Visited, hard};
use dp_assay::problem::rows::{FileStream, Matrix, Source, SourceError, norm};
use dp_assay::problem::{Dataset, Dense, Design, Graph, MixingMatrix, Sparse, mixing, scaling};

pub fn loss(asked: &Asked) -> String {
    let loss = named(asked.word("loss"), asked.number_or("knee", 1.0));
    let margins = asked.list("margins");
    let of = |u: &f64| {
        let at = |y: f64| {
            let values = (loss.value(*u, y), loss.derivative(*u, y));
            (values, loss.second_derivative(*u, y), loss.refuses(y))
        };
        [at(1.0), at(-1.0), at(0.5)]
    };
    let of: Vec<_> = margins.iter().map(of).collect();
    let mut slopes = vec![0.0; margins.len()];
    loss.derivatives(&margins, &vec![1.0; margins.len()], &mut slopes);
    let facts = (loss.name(), loss.slope(), loss.curvature(), loss.infimum());
    format!("{facts:?} {} {slopes:?} {of:?}", loss.is_quadratic())
}

pub fn regulariser(asked: &Asked) -> String {
    let psi = psi(asked);
    let points = asked.list("points");
    let of = |w: &f64| {
        let scores = |z: &f64| {
            let score = (psi.score_gss(*z, *w, 2.5), psi.score_gsr(*z, *w, 2.5));
            (score, psi.model_decrease(*z, *w, 2.5))
        };
        let scores: Vec<_> = points.iter().map(scores).collect();
        (psi.value(*w), psi.prox(0.75, *w), scores)
    };
    let of: Vec<_> = points.iter().map(of).collect();
    format!("{} {} {of:?}", psi.has_plateau(), told(psi.check()))
}

fn shape(asked: &Asked) -> Shape {
    match asked.word("shape") {
        "quadratic" => Shape::Quadratic {
            mu: asked.number("mu"),
        },
        "power" => Shape::Power {
            scale: asked.number("scale"),
            tau: asked.number("tau"),
        },
        "huber" => Shape::Huber {
            delta: asked.number("delta"),
        },
        "log-cosh" => Shape::LogCosh,
        "sine" => Shape::Sine,
        _ => Shape::Ring,
    }
}

/// Value, gradients, and what a visit says, at each of some points.
fn visited(risk: &dyn Risk, points: &[Vec<f64>]) -> String {
    let d = risk.dimension();
    let mut before: Option<Visited> = None;
    let mut said = vec![format!("{:?}", (d, risk.records(), risk.radius()))];
    for w in points {
        let (mut all, mut one) = (vec![0.0; d], vec![0.0; d]);
        risk.gradient(w, &mut all);
        risk.record_gradient(risk.records() - 1, w, &mut one);
        let mut here = Visited::at(w);
        let mut found = Vec::new();
        for (lipschitz, smoothness) in [(1e3, 1e3), (0.5, 1e3), (1e3, 0.25)] {
            let limits = Limits::new(lipschitz, smoothness, w, 0.5);
            here = Visited::at(w);
            found.push((limits, risk.visit(&mut here, before.as_ref(), limits)));
        }
        said.push(format!(
            "{:?} {all:?} {one:?} {:?} {:?} {found:?}",
            risk.value(w),
            here.gradient,
            risk.gradient_error(w, 1e-3) < 1e-2
        ));
        let limits = Limits::of_gradients(1e3, d);
        here = Visited::at(w);
        risk.visit(&mut here, None, limits);
        before = Some(here);
    }
    said.join(" ")
}

/// A shape with its constants, under tilted and curved records; the risk of a data set; or a lower bound's.
pub fn risk(asked: &Asked) -> String {
    let points: Vec<Vec<f64>> = asked.read("points");
    if let Some(kappa) = asked.get("hinges").map(|_| asked.number("hinges")) {
        let pair = hard::Hinges::pair(
            kappa,
            asked.count("n"),
            asked.count("count"),
            asked.count("p"),
        );
        return match pair {
            Ok(pair) => pair.map(|risk| visited(&risk, &points)).join(" "),
            Err(wrong) => format!("refused: {wrong}"),
        };
    }
    if asked.get("signs").is_some() {
        let (n, d) = (asked.count("n"), asked.count("p"));
        let tape = dp_assay::mechanism::tape::Tape::new(3);
        let rows = hard::signs((n, asked.count("signs"), d), asked.number("length"), tape);
        let rows = match rows {
            Ok(rows) => rows,
            Err(wrong) => return format!("refused: {wrong}"),
        };
        let all: Vec<f64> = (0..n).flat_map(|i| rows.row(i).to_vec()).collect();
        let grown = hard::growth(asked.number("tau"), asked.number("lambda"), rows.clone());
        let convex = hard::convex(asked.number("diameter"), rows);
        let of = |(risk, least): (Tilted, f64)| (visited(&risk, &points), least);
        return format!("{all:?} {} {}", told(grown.map(of)), told(convex.map(of)));
    }
    if asked.word("shape").is_empty() {
        return match fits::posed(asked) {
            Ok(posed) => {
                let known = (posed.lipschitz, posed.smoothness, posed.known, posed.start);
                let bounds = [0.0, 0.5, -2.0].map(|norm| posed.loss_bound(norm));
                format!(
                    "{known:?} {bounds:?} {}",
                    visited(posed.risk.as_ref(), &points)
                )
            }
            Err(wrong) => format!("refused: {wrong}"),
        };
    }
    let shape = shape(asked);
    let radius = asked.number_or("radius", 2.0);
    let known = told(shape.known(asked.number_or("inner", 0.5), radius));
    let d = points[0].len();
    let values: Vec<f64> = (0..3 * d).map(|k| 0.25 * k as f64 - 0.5).collect();
    let records = Matrix::new(d, values, vec![0.0; 3]).expect("finite");
    let tilted = Tilted {
        shape,
        records,
        radius,
    };
    let curved = Curved {
        shape,
        curvature: 0.75,
        centre: (0..d).map(|k| 0.5 - k as f64).collect(),
        signs: vec![1.0, -0.5, 0.25],
        radius,
    };
    format!(
        "{known} {} {}",
        visited(&tilted, &points),
        visited(&curved, &points)
    )
}

fn entries(design: &Design) -> Vec<Vec<(usize, f64)>> {
    (0..design.rows())
        .map(|i| design.row(i).collect())
        .collect()
}

/// Objective, gradients, constants, scalings, a neighbour, the optimum and gaps of a problem, and its network.
pub fn problem(asked: &Asked) -> String {
    if let Some(weights) = asked.get("weights") {
        let graph: Graph = asked.word("graph").parse().expect("a graph");
        let weights: Vec<mixing::Weights> =
            serde_json::from_value(weights.clone()).expect("weights");
        let of = |weights: &mixing::Weights| {
            let found = MixingMatrix::of(&graph, *weights).map(|matrix| {
                let entries: Vec<f64> = matrix.matrix().iter().copied().collect();
                let other: Graph = asked.word("other").parse().expect("a graph");
                let support = matrix.require_support(&other).map_err(|e| e.to_string());
                (
                    entries,
                    matrix.consensus_rate(),
                    matrix.heterogeneity(&graph),
                    support,
                )
            });
            told(found)
        };
        return weights.iter().map(of).collect::<Vec<_>>().join(" ");
    }
    if asked.get("scores").is_some() {
        let pair = LinearPair {
            records: asked.count("n"),
            lipschitz: asked.list("lipschitz"),
            smoothness: asked.list("smoothness"),
            scores: asked.list("scores"),
            rises: asked.read("rises"),
        };
        let of = |pair: Pair| [pair.first, pair.second].map(|p| entries(p.data().design()));
        return told(pair.build().map(of));
    }
    let problem = match built(asked) {
        Ok(problem) => problem,
        Err(wrong) => return format!("refused: {wrong}"),
    };
    let (p, data) = (problem.features(), problem.data());
    let w = asked.list("point");
    let thresholds = problem
        .constants()
        .clipping_thresholds(asked.number_or("clip", 0.5));
    let thresholds = match thresholds {
        Ok(thresholds) => thresholds,
        Err(wrong) => return format!("refused: {wrong}"),
    };
    let clipped = problem.clipped_gradient(&w, Some(&thresholds));
    let block = problem.block_gradient(&w, &[0, p - 1], 0.25);
    let values = (
        problem.objective(&w),
        problem.accuracy(&w),
        problem.margins(&w),
    );
    let constants = (problem.constants(), &thresholds);
    let scaled = [scaling::standardised(data), scaling::max_abs_scaled(data)];
    let scaled = scaled.map(|data| told(data.map(|data| entries(data.design()))));
    let other = Pair::replacing(&problem, 1, &vec![0.5; p], data.targets()[0]);
    let other = told(other.map(|pair| entries(pair.second.data().design())));
    let part = told(data.select(&[2, 0]).map(|data| entries(data.design())));
    let matrix = Matrix::of(data);
    let best = optimum(&problem, 1e-8, asked.count_or("rounds", 40));
    // What is left of a gap that has closed is roundings.
    let found = (best.w, best.objective, best.rounds, best.gap_upper <= 1e-8);
    format!(
        "{values:?} {:?} {clipped:?} {block:?} {constants:?} {scaled:?} {other} {part} {:?} {:?} {} {found:?} {:?}",
        problem.gradient(&w),
        matrix.norms(),
        dataset(asked).one_against_rest(1).targets(),
        data.design().stored(),
        gap_upper(&problem, &w)
    )
}

/// A text as a file.
pub fn read(asked: &Asked) -> String {
    let options = Options {
        format: match asked.word("format") {
            "svmlight" => Format::Svmlight,
            "csv" => Format::Csv,
            _ => Format::Auto,
        },
        task: match asked.word("task") {
            "classes" => Task::Classes,
            "regression" => Task::Regression,
            _ => Task::Classification,
        },
        label: match asked.word("label") {
            "" => LabelColumn::Last,
            "none" => LabelColumn::Absent,
            name => match name.parse() {
                Ok(index) => LabelColumn::Index(index),
                Err(_) => LabelColumn::Name(name.to_owned()),
            },
        },
        header: match asked.word("header") {
            "yes" => Header::Yes,
            "no" => Header::No,
            _ => Header::Auto,
        },
        delimiter: match asked.word("delimiter") {
            "" => Delimiter::Auto,
            "blanks" => Delimiter::Blanks,
            one => Delimiter::One(one.as_bytes()[0]),
        },
        columns: asked.get("columns").map(|_| asked.read("columns")),
        names: asked.get("names").map(|_| asked.read("names")),
        classes: asked.get("classes").map(|_| asked.read("classes")),
        features: asked.get("features").map(|_| asked.count("features")),
        max_features: asked.count_or("max_features", 1 << 24),
    };
    let name = match asked.word("name") {
        "" => "file",
        name => name,
    };
    told(
        load(name, asked.word("text").as_bytes(), &options).map(|data| {
            let classes = data.classes().map(<[String]>::to_vec);
            let mut written = Vec::new();
            write_svmlight(&data, &mut written).expect("memory grows");
            let written = String::from_utf8(written).expect("text");
            (
                written,
                entries(data.design()),
                data.targets().to_vec(),
                classes,
                data.features(),
            )
        }),
    )
}

/// A window of two records, one farther, and a view beyond the end.
fn windows(source: &mut dyn Source) -> Result<String, SourceError> {
    let mut said = vec![format!("{}", source.features())];
    for _ in 0..2 {
        let view = source.view(2)?;
        let seen: Vec<_> = (0..view.len()).map(|i| view.record(i)).collect();
        let first = view.first(1);
        said.push(format!("{seen:?} {:?} {}", first.record(0), first.len()));
        source.advance(1);
    }
    let beyond = source.view(9).map(|view| view.len());
    said.push(told(beyond));
    Ok(said.join(" "))
}

/// Matrices, designs and data sets from numbers, good and bad.
pub fn records(asked: &Asked) -> String {
    let (values, targets) = (asked.list("values"), asked.list("targets"));
    let (n, p) = (asked.count_or("n", 0), asked.count_or("p", 0));
    match asked.word("kind") {
        "norm" => format!("{:?}", norm(&values)),
        "matrix" => {
            let order: Vec<u32> = asked.list("order").iter().map(|i| *i as u32).collect();
            told(Matrix::new(p, values, targets).map(|matrix| {
                let order = (!order.is_empty()).then_some(&order[..]);
                let seen = told(windows(&mut matrix.source(order)));
                (matrix.norms().to_vec(), matrix.row(0).to_vec(), seen)
            }))
        }
        "stream" => {
            let options = Options {
                task: Task::Regression,
                ..Options::default()
            };
            let rows = Rows::new("file", asked.word("text").as_bytes(), &options);
            let stream = FileStream::new(rows.expect("rows"), p);
            told(windows(&mut stream.within(asked.number_or("bound", 1e9))))
        }
        "rows" => {
            let rows: Vec<Vec<f64>> = asked.read("rows");
            told(Dense::from_rows(&rows).map(|dense| dense.values().to_vec()))
        }
        "columns" => {
            let data = Dense::from_columns(n, p, values).map_err(|e| e.to_string());
            let data = data.and_then(|design| {
                Dataset::new("asked", design, targets).map_err(|e| e.to_string())
            });
            told(data.map(|data| {
                let chosen: Vec<u32> = asked.list("order").iter().map(|i| *i as u32).collect();
                let chosen = data.select(&chosen).map(|part| entries(part.design()));
                (entries(data.design()), told(chosen))
            }))
        }
        _ => {
            let triples = values
                .chunks(3)
                .map(|t| (t[0] as usize, t[1] as usize, t[2]));
            let sparse = Sparse::from_entries(n, p, &triples.collect::<Vec<_>>());
            told(sparse.map(|sparse| {
                let design = Design::from(sparse);
                let dots = (0..p).map(|j| design.column(j).dot_and_squares(&targets));
                (entries(&design), dots.collect::<Vec<_>>(), design.stored())
            }))
        }
    }
}
