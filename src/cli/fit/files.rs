//! Whether files go together: what is written is not what is read, features have one set of names, and words are listed.

use dp_assay::problem::load::{Column, Features, LoadError, Options, Rows};
use std::path::Path;

/// Refuses to write over a file that is read.
pub fn apart(out: &Path, read: &[Option<&Path>]) -> Result<(), String> {
    let whole = |file: &Path| std::fs::canonicalize(file).ok();
    let own = whole(out);
    let same = |file: &&&Path| own.is_some() && whole(file) == own;
    match read.iter().flatten().find(same) {
        Some(file) => Err(format!(
            "--out {} is the file that is read as {}: name another",
            out.display(),
            file.display()
        )),
        None => Ok(()),
    }
}

/// Refuses a file whose features have other names than `whose`, where both have names.
pub fn same_features(
    file: &Path,
    found: Option<&[String]>,
    (due, whose): (Option<&[String]>, &str),
) -> Result<(), String> {
    let pairs = found.into_iter().flatten().zip(due.into_iter().flatten());
    match pairs.enumerate().find(|(_, (found, due))| found != due) {
        Some((j, (found, due))) => Err(format!(
            "{}: feature {} is `{found}`, {whose} is `{due}`",
            file.display(),
            j + 1
        )),
        None => Ok(()),
    }
}

/// Of each column of words, how many records have none of those that are listed, if any: read once more.
pub fn unlisted(file: &Path, options: &Options) -> Result<Vec<String>, LoadError> {
    let columns = options.columns.as_deref().unwrap_or_default();
    let width = |column: &Column| match column {
        Column::Number { .. } => 1,
        Column::Category { words } => words.len(),
    };
    let starts = columns.iter().scan(0, |next, column| {
        *next += width(column);
        Some(*next - width(column))
    });
    let listed = |(start, column): (usize, &Column)| match column {
        Column::Category { .. } => Some(start..start + width(column)),
        Column::Number { .. } => None,
    };
    let mut blocks: Vec<_> = { starts.zip(columns).filter_map(listed) }
        .map(|block| (block, 0_u64))
        .collect();
    if blocks.is_empty() {
        return Ok(Vec::new());
    }
    let rows = Rows::open(file, options)?;
    let names = rows.names().map(<[String]>::to_vec).unwrap_or_default();
    for row in rows {
        if let Features::Dense(values) = row?.features {
            for (block, none) in &mut blocks {
                *none += u64::from(values[block.clone()].iter().all(|x| *x == 0.0));
            }
        }
    }
    let some = blocks.into_iter().filter(|(_, none)| *none > 0);
    let told = some.map(|(block, none)| {
        let first = names.get(block.start).map_or("", String::as_str);
        let name = first.rsplit_once('=').map_or(first, |(name, _)| name);
        format!(
            "not private: {none} records have none of the {} words that are listed for `{name}`, \
             or no word, and zeros stand for it",
            block.len()
        )
    });
    Ok(told.collect())
}
