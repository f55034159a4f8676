//! The files of `dp-assay fit` and `predict`: data, labels, public ranges.

use dp_assay::problem::Dataset;
use dp_assay::problem::load::{LabelColumn, LoadError, LoadProblem, Options, Rows, Task};
use std::error::Error;
use std::path::Path;

/// Whole numbers of no more values than this are taken for classes.
const CLASSES: usize = 20;

/// The label column that a flag names: by number, by name, or the last one.
pub fn label(text: Option<&str>) -> LabelColumn {
    match text.map(|text| (text, text.parse())) {
        None => LabelColumn::Last,
        Some((_, Ok(index))) => LabelColumn::Index(index),
        Some((name, Err(_))) => LabelColumn::Name(name.to_owned()),
    }
}

/// How a file is read.
pub fn options(label: LabelColumn, task: Task, features: Option<usize>) -> Options {
    Options {
        label,
        task,
        features,
        ..Options::default()
    }
}

/// Reads for a task, or finds out which: two classes if there are two labels, numbers if not. Several classes are
/// refused: they are not amounts.
pub fn load(
    file: &Path,
    label: &LabelColumn,
    task: Option<Task>,
) -> Result<(Dataset, Task), Box<dyn Error>> {
    let read = |task| Dataset::from_file(file, &options(label.clone(), task, None));
    if let Some(task) = task {
        return Ok((read(task)?, task));
    }
    match read(Task::Classification) {
        Err(LoadError {
            problem: LoadProblem::ThirdClass { .. },
            ..
        }) => {
            let data = read(Task::Regression)?;
            refuse_classes(file, data.targets())?;
            Ok((data, Task::Regression))
        }
        other => Ok((other?, Task::Classification)),
    }
}

fn refuse_classes(file: &Path, targets: &[f64]) -> Result<(), Box<dyn Error>> {
    let mut values: Vec<f64> = Vec::new();
    for y in targets {
        if !values.contains(y) {
            values.push(*y);
        }
        if y.fract() != 0.0 || values.len() > CLASSES {
            return Ok(());
        }
    }
    values.sort_by(f64::total_cmp);
    let shown: Vec<String> = values.iter().take(5).map(f64::to_string).collect();
    Err(format!(
        "{}: the labels are {} whole numbers ({}{}), which look like classes, and more than two are not fitted: say \
         --loss squared if they are amounts, or give a file of two classes",
        file.display(),
        values.len(),
        shown.join(", "),
        if values.len() > 5 { ", ..." } else { "" }
    )
    .into())
}

/// The names of the features and of the label, where the file has a header.
pub fn names(
    file: &Path,
    label: &LabelColumn,
) -> Result<(Option<Vec<String>>, Option<String>), LoadError> {
    let rows = Rows::open(file, &options(label.clone(), Task::Regression, None))?;
    let names = rows.names().map(<[String]>::to_vec);
    Ok((names, rows.label_name().map(str::to_owned)))
}

/// `LOW:HIGH`.
pub fn range(text: &str) -> Result<(f64, f64), String> {
    let ends = text.split_once(':');
    let ends = ends.and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    ends.filter(|(low, high): &(f64, f64)| low < high && (high - low).is_finite())
        .ok_or_else(|| format!("`{text}` must be LOW:HIGH with LOW below HIGH, as in 0:500000"))
}

/// A name and its range.
type Line = (String, (f64, f64));

/// The public ranges of `--bounds FILE`: one line `name,lower,upper` for each feature, in the order of the data, or in any
/// order where the data have a header; with that of the label, if it has one.
pub struct Ranges {
    /// One pair for each feature.
    pub features: Vec<(f64, f64)>,
    /// That of the label.
    pub target: Option<(f64, f64)>,
}

impl Ranges {
    /// Reads a file for data of so many features, of these names.
    pub fn read(
        file: &Path,
        features: usize,
        names: Option<&[String]>,
        label: Option<&str>,
    ) -> Result<Self, Box<dyn Error>> {
        let lines = Self::lines(file)?;
        let shown = file.display();
        let Some(names) = names else {
            if lines.len() != features {
                let found = lines.len();
                return Err(format!(
                    "{shown}: {found} ranges, expected {features}: one for each feature"
                )
                .into());
            }
            return Ok(Self {
                features: lines.into_iter().map(|line| line.1).collect(),
                target: None,
            });
        };
        let of = |name: &str| {
            let mut found = lines.iter().filter(|line| line.0 == name);
            match (found.next(), found.next()) {
                (_, Some(_)) => Err(format!("{shown}: `{name}` has two ranges")),
                (found, _) => Ok(found.map(|line| line.1)),
            }
        };
        let known = |name: &String| names.contains(name) || Some(name.as_str()) == label;
        if let Some((name, _)) = lines.iter().find(|line| !known(&line.0)) {
            return Err(format!("{shown}: the data have no column `{name}`").into());
        }
        let feature =
            |name: &String| of(name)?.ok_or_else(|| format!("{shown}: no range for `{name}`"));
        Ok(Self {
            features: names.iter().map(feature).collect::<Result<_, _>>()?,
            target: label.map(of).transpose()?.flatten(),
        })
    }

    fn lines(file: &Path) -> Result<Vec<Line>, Box<dyn Error>> {
        let shown = file.display();
        let text =
            std::fs::read_to_string(file).map_err(|e| format!("{shown}: cannot read: {e}"))?;
        let mut lines = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let number = number + 1;
            let line = line.trim();
            if line.is_empty()
                || line.starts_with('#')
                || (number == 1 && line == "name,lower,upper")
            {
                continue;
            }
            // A name may have commas: the ends are the last two fields.
            let fields = line.rsplit_once(',').and_then(|(rest, high)| {
                let (name, low) = rest.rsplit_once(',')?;
                Some((
                    name.trim().trim_matches('"').to_owned(),
                    format!("{}:{}", low.trim(), high.trim()),
                ))
            });
            let (name, ends) = fields
                .ok_or_else(|| format!("{shown}:{number}: `{line}` is not name,lower,upper"))?;
            lines.push((
                name,
                range(&ends).map_err(|e| format!("{shown}:{number}: {e}"))?,
            ));
        }
        Ok(lines)
    }
}
