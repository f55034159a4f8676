//! The files of `dp-assay fit` and `predict`: data, labels, public ranges.

use crate::cli::numbers::real;
use dp_assay::float::vanishes;
use dp_assay::problem::Dataset;
use dp_assay::problem::load::{
    Column, Field, LabelColumn, LoadError, LoadProblem, Options, Rows, Task,
};
use dp_assay::solver::fit::{Preprocessing, Request};
use rand::{TryRng, rngs::SysRng};
use std::error::Error;
use std::path::Path;

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

/// What a file says of itself before its first record.
pub struct Heading {
    /// The names of its columns but for the label's, where it has a header.
    pub names: Option<Vec<String>>,
    /// The name of the label, where it has a header.
    pub label: Option<String>,
    /// The number of its columns but for the label's; an svmlight file has none.
    pub columns: Option<usize>,
}

/// Reads the heading of a file whose columns may be known by these names.
pub fn heading(
    file: &Path,
    label: &LabelColumn,
    names: Option<Vec<String>>,
) -> Result<Heading, Box<dyn Error>> {
    let options = Options {
        names,
        ..options(label.clone(), Task::Regression, None)
    };
    require_file(file)?;
    let rows = Rows::open(file, &options)?;
    Ok(Heading {
        names: rows.names().map(<[String]>::to_vec),
        label: rows.label_name().map(str::to_owned),
        columns: rows.columns(),
    })
}

/// A seed that nobody can know.
///
/// # Panics
/// If the system has no randomness: a fit without it would not be private.
pub fn secret() -> u64 {
    { SysRng.try_next_u64() }.expect("the system has randomness")
}

/// What a seed gives away that can be found by trying all below it.
pub fn guessable(seed: u64) -> Option<String> {
    (seed < 1 << 32).then(|| {
        format!(
            "the noise follows from the seed: towards whoever guesses seed {seed} nothing is \
                private. For a model that others see, leave --seed out, or give a secret number \
                above 2^32"
        )
    })
}

/// How many values of the features were moved into their range, if any were.
pub fn cut(data: &Dataset, request: &Request) -> Option<String> {
    told_cut(Preprocessing::of(request).cut(data.design()), request)
}

/// How many targets were moved into their range, if any were.
pub fn cut_targets(data: &Dataset, request: &Request) -> Option<String> {
    let (low, high) = request.target_range?;
    let outside = |y: &&f64| **y < low || **y > high;
    let cut = data.targets().iter().filter(outside).count();
    (cut > 0).then(|| {
        format!(
            "not private: {cut} of {} targets lay outside [{low}, {high}] and were moved into it; \
             that is right if few of them are out",
            data.records()
        )
    })
}

/// Two classes whose names differ in upper and lower case alone, if there are such.
pub fn alike(classes: &[String]) -> Option<String> {
    let mut pairs =
        (1..classes.len()).flat_map(|j| (0..j).map(move |i| (&classes[i], &classes[j])));
    let (one, other) = pairs.find(|(a, b)| a.to_lowercase() == b.to_lowercase())?;
    Some(format!(
        "the classes `{one}` and `{other}` differ in upper and lower case alone, and are two of {}",
        classes.len()
    ))
}

/// The same of counts: how many, of how many.
pub fn told_cut((cut, all): (u64, u64), request: &Request) -> Option<String> {
    let (range, instead) = match request.ranges {
        Some(_) => ("their ranges".to_owned(), ""),
        None => {
            let range = format!("[-{0}, {0}]", request.bound);
            (
                range,
                ", or --bound or --bounds FILE has their public range",
            )
        }
    };
    (cut > 0).then(|| {
        format!(
            "not private: {cut} of {all} values of the features lay outside {range} and were moved \
             into it; that is right if few of them are out{instead}"
        )
    })
}

/// Refuses what can be read only once: a pipe would give its beginning to the first who reads it, and the rest to the next.
pub fn require_file(file: &Path) -> Result<(), String> {
    let found = std::fs::metadata(file).is_ok_and(|found| !found.is_file() && !found.is_dir());
    match found {
        true => Err(format!(
            "{}: no file: data are read more than once",
            file.display()
        )),
        false => Ok(()),
    }
}

/// Reads for a task, or finds out which: amounts where a range of the targets says so (`amounts`), classes where they are
/// stated. Where nothing is stated the labels tell: classes if there are two, or up to 20 that are whole numbers or words;
/// amounts if not. An error of the file ends with the `help` there is for it.
pub fn load(
    file: &Path,
    options: &Options,
    task: Option<Task>,
    amounts: bool,
    help: impl Fn(&LoadProblem) -> &'static str,
) -> Result<(Dataset, Task), Box<dyn Error>> {
    require_file(file)?;
    let helped = |error: LoadError| -> Box<dyn Error> {
        let help = help(&error.problem);
        format!("{error}{help}").into()
    };
    let read = |task| {
        let options = Options {
            task,
            ..options.clone()
        };
        Dataset::from_file(file, &options)
    };
    let stated = options.classes.is_some();
    let task = match task {
        Some(Task::Regression) if stated => {
            return Err(
                "classes are stated, and the targets are amounts: leave one of them out".into(),
            );
        }
        None if amounts && stated => {
            let both = "classes and a range of the targets are stated: say --loss, or leave one of \
                        them out";
            return Err(both.into());
        }
        None if amounts => {
            let data = read(Task::Regression).map_err(|error| match &error.problem {
                LoadProblem::NotANumber {
                    field: Field::Label,
                    ..
                } => {
                    format!("{error}; a range goes with real targets: --loss logistic fits classes")
                        .into()
                }
                _ => helped(error),
            })?;
            return Ok((data, Task::Regression));
        }
        None if stated => Some(Task::Classes),
        task => task,
    };
    if let Some(task) = task {
        return Ok((read(task).map_err(&helped)?, task));
    }
    let numbers = || read(Task::Regression).ok();
    match read(Task::Classes) {
        Err(LoadError {
            problem: LoadProblem::Classes { .. },
            ..
        }) => Ok((read(Task::Regression).map_err(&helped)?, Task::Regression)),
        // Fractions are amounts, however few there are.
        Ok(data) if data.classes().is_some_and(|classes| classes.len() > 2) => match numbers() {
            Some(found) if found.targets().iter().any(|y| y.fract() != 0.0) => {
                Ok((found, Task::Regression))
            }
            _ => Ok((data, Task::Classes)),
        },
        other => Ok((other.map_err(&helped)?, Task::Classes)),
    }
}

/// What the reading of the data has told, and nobody paid for: the names of the classes unless they are stated, that targets
/// are amounts where that is `guessed`, the number of features where it is `counted`.
pub fn read_off(
    options: &Options,
    classes: Option<&[String]>,
    guessed: bool,
    counted: bool,
) -> Vec<String> {
    let mut told = Vec::new();
    match classes {
        Some(names) if options.classes.is_none() => {
            let number = match names.len() {
                2 => "",
                _ => ", and so is their number",
            };
            told.push(format!(
                "not private: the names of the classes ({}) are read off the records{number}; \
                 --classes states them",
                names.join(", ")
            ));
        }
        None if guessed => {
            let text = "not private: that the targets are amounts is read off the records; --loss \
                        squared states it";
            told.push(text.into());
        }
        _ => {}
    }
    if counted {
        let text = "not private: the number of features is the largest index in the records; \
                    --features states it";
        told.push(text.into());
    }
    told
}

/// What helps with a number that has a decimal comma.
pub fn decimal_comma(problem: &LoadProblem) -> Option<&'static str> {
    let LoadProblem::NotANumber { value, .. } = problem else {
        return None;
    };
    let pointed = value.replacen(',', ".", 1);
    let meant = pointed != *value && pointed.parse::<f64>().is_ok();
    meant.then_some("; numbers are read with a decimal point, not a comma")
}

/// The flag of `fit` that helps with a problem of a file.
pub fn flag(problem: &LoadProblem) -> &'static str {
    if let Some(help) = decimal_comma(problem) {
        return help;
    }
    let missing = match problem {
        LoadProblem::Empty {
            field: Field::Column { .. },
        } => true,
        LoadProblem::NotANumber {
            field: Field::Column { .. },
            value,
        }
        | LoadProblem::NotFinite {
            field: Field::Column { .. },
            value,
        } => Column::is_missing(value),
        _ => return "",
    };
    match (problem, missing) {
        (_, true) => {
            "; --missing middle puts the middle of the public range of --bounds FILE in its place"
        }
        (LoadProblem::NotANumber { .. }, false) => {
            "; a column of words needs all its words, as they are publicly known: a line \
             `name,category,word|word` in --bounds FILE"
        }
        _ => "",
    }
}

/// Whether a feature of a record is no number, or missing.
pub fn of_a_feature(problem: &LoadProblem) -> bool {
    match problem {
        LoadProblem::NotANumber { field, .. }
        | LoadProblem::Empty { field }
        | LoadProblem::NotFinite { field, .. } => *field != Field::Label,
        _ => false,
    }
}

/// `LOW:HIGH`.
pub fn range(text: &str) -> Result<(f64, f64), String> {
    let ends = text.split_once(':');
    let end = |text: &str| real(text).ok().filter(|_| !vanishes(text));
    let ends = ends.and_then(|(low, high)| Some((end(low)?, end(high)?)));
    ends.filter(|(low, high): &(f64, f64)| low < high && (high - low).is_finite())
        .ok_or_else(|| {
            format!(
                "`{text}` must be LOW:HIGH with LOW below HIGH and a difference \
            that is a number, as in 0:500000"
            )
        })
}

/// `NORM:SIGMA`, both > 0.
pub fn pair(text: &str) -> Result<(f64, f64), String> {
    let positive = |text: &str| real(text).ok().filter(|x| *x > 0.0 && x.is_finite());
    let both = text.split_once(':');
    both.and_then(|(norm, sigma)| Some((positive(norm)?, positive(sigma)?)))
        .ok_or_else(|| format!("`{text}` must be NORM:SIGMA, both above 0, as in 1:0.5"))
}

/// What is publicly known of a column.
enum Known {
    Range(f64, f64),
    Words(Vec<String>),
}

/// The lines of `--bounds FILE`, a name and what is known in each.
pub struct Lines(Vec<(String, Known)>);

/// What is publicly known of the columns, from `--bounds FILE`: one line `name,lower,upper` or `name,category,word|word` for
/// each, in the order of the data, or in any order where the data have a header; with that of the label, if it has one.
pub struct Ranges {
    /// What the columns hold.
    pub columns: Vec<Column>,
    /// One pair for each feature that they make.
    pub features: Vec<(f64, f64)>,
    /// That of the label, if it is an amount.
    pub target: Option<(f64, f64)>,
    /// The classes of the label.
    pub classes: Option<Vec<String>>,
}

impl Lines {
    /// Reads a file.
    pub fn read(file: &Path) -> Result<Self, Box<dyn Error>> {
        lines(file).map(Self)
    }

    /// The names of columns.
    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(|line| line.0.clone()).collect()
    }
}

impl Ranges {
    /// Of the lines of a file for data with this heading; `missing` says whether a missing number is taken for the middle of its
    /// range.
    pub fn new(
        file: &Path,
        Lines(mut lines): Lines,
        heading: &Heading,
        missing: bool,
    ) -> Result<Self, Box<dyn Error>> {
        let shown = file.display();
        let Some(columns) = heading.columns else {
            let why = "the data are an svmlight file, which has no range for each feature: say one \
                       bound for all (--bound)";
            return Err(format!("{shown}: {why}").into());
        };
        let Some(names) = &heading.names else {
            if lines.len() != columns {
                let found = lines.len();
                return Err(format!(
                    "{shown}: {found} ranges, expected {columns}: one for each feature"
                )
                .into());
            }
            let known = lines.into_iter().map(|line| line.1).collect();
            return Ok(Self::of(known, None, missing));
        };
        let label = heading.label.as_deref();
        let known = |name: &String| names.contains(name) || Some(name.as_str()) == label;
        if let Some((name, _)) = lines.iter().find(|line| !known(&line.0)) {
            return Err(format!("{shown}: the data have no column `{name}`").into());
        }
        let mut of = |name: &str| {
            let at = lines.iter().position(|line| line.0 == name)?;
            Some(lines.swap_remove(at).1)
        };
        let target = label.and_then(&mut of);
        let feature =
            |name: &String| of(name).ok_or_else(|| format!("{shown}: no range for `{name}`"));
        let features = names.iter().map(feature).collect::<Result<_, _>>()?;
        match lines.first() {
            Some((name, _)) => Err(format!("{shown}: `{name}` has two ranges").into()),
            None => Ok(Self::of(features, target, missing)),
        }
    }

    fn of(known: Vec<Known>, target: Option<Known>, missing: bool) -> Self {
        let mut ranges = Self {
            columns: Vec::new(),
            features: Vec::new(),
            target: None,
            classes: None,
        };
        for known in known {
            match known {
                Known::Range(low, high) => {
                    let missing = missing.then_some(0.5 * (low + high));
                    ranges.columns.push(Column::Number { missing });
                    ranges.features.push((low, high));
                }
                Known::Words(words) => {
                    // So that they stay 0 and 1: as −1 and 1 two words that are equally frequent, of which each excludes the
                    // other, had a second moment of 2 along their difference, where the table's steps diverge.
                    ranges.features.extend(words.iter().map(|_| (-1.0, 1.0)));
                    ranges.columns.push(Column::Category { words });
                }
            }
        }
        match target {
            Some(Known::Range(low, high)) => ranges.target = Some((low, high)),
            Some(Known::Words(words)) => ranges.classes = Some(words),
            None => {}
        }
        ranges
    }
}

fn lines(file: &Path) -> Result<Vec<(String, Known)>, Box<dyn Error>> {
    let shown = file.display();
    let text = crate::cli::read_text(file).map_err(|e| format!("{shown}: cannot read: {e}"))?;
    let mut lines = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let number = number + 1;
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || (number == 1 && line == "name,lower,upper") {
            continue;
        }
        // A name may have commas: what is known are the last two fields.
        let fields = line.rsplit_once(',').and_then(|(rest, high)| {
            let (name, low) = rest.rsplit_once(',')?;
            let name = name.trim().trim_matches('"').to_owned();
            Some((name, low.trim(), high.trim()))
        });
        let (name, low, high) = fields.ok_or_else(|| {
            format!("{shown}:{number}: `{line}` is not name,lower,upper or name,category,word|word")
        })?;
        let known = match low {
            "category" => words(high).map(Known::Words),
            _ => range(&format!("{low}:{high}")).map(|(low, high)| Known::Range(low, high)),
        };
        lines.push((name, known.map_err(|e| format!("{shown}:{number}: {e}"))?));
    }
    Ok(lines)
}

/// `WORD|WORD`.
fn words(text: &str) -> Result<Vec<String>, String> {
    let words: Vec<String> = text.split('|').map(|word| word.trim().to_owned()).collect();
    let bad = |(k, word): (usize, &String)| word.is_empty() || words[..k].contains(word);
    match words.iter().enumerate().any(bad) {
        true => Err(format!(
            "`{text}` must be words between |, none of them twice or empty"
        )),
        false => Ok(words),
    }
}
