//! The same question, the same answer: files with a row for each question, tabs between its cells, the answer last. That
//! answers are *right* is what other tests look at. To change answers, or to ask more, `DP_ASSAY_WRITE=1 cargo test --test` with
//! the program and the module's name writes them, and the difference of the file says what moved.

use std::path::Path;
use std::sync::Mutex;

/// A file of rows with so many cells.
pub struct Answers<const CELLS: usize>(pub &'static str);

static WRITING: Mutex<()> = Mutex::new(());

impl<const CELLS: usize> Answers<CELLS> {
    /// All rows, the heads among them where there are any.
    pub fn rows(&self) -> Vec<[String; CELLS]> {
        let text = std::fs::read_to_string(self.0).expect("the file is there");
        let cells = |line: &str| {
            let cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
            let cells = cells.try_into();
            cells.unwrap_or_else(|cells| panic!("{cells:?}: not {CELLS} cells"))
        };
        text.lines().map(cells).collect()
    }

    /// Holds rows that are found now against those of the file, or writes them; `differ` says how, of two that are not the same.
    pub fn hold(
        &self,
        found: &[[String; CELLS]],
        differ: impl Fn(&[String; CELLS], &[String; CELLS]) -> Option<String>,
    ) {
        if std::env::var_os("DP_ASSAY_WRITE").is_some() {
            let rows: String = found.iter().map(|row| row.join("\t") + "\n").collect();
            // Other tests read it at the same time.
            let written = dp_assay::report::write(Path::new(self.0), rows.as_bytes());
            return written.expect("the source tree is writable");
        }
        let stored = self.rows();
        assert_eq!(stored.len(), found.len(), "{}", self.0);
        let changed = found
            .iter()
            .zip(&stored)
            .filter(|(found, due)| found != due);
        let changed: Vec<String> = changed.filter_map(|(f, due)| differ(f, due)).collect();
        assert!(changed.is_empty(), "{}", changed.join("\n"));
    }

    /// The same of the rows whose first cell is `group`, each with what `answer` puts into it.
    pub fn hold_group(
        &self,
        group: &str,
        answer: impl Fn(&mut [String; CELLS]),
        differ: impl Fn(&[String; CELLS], &[String; CELLS]) -> Option<String>,
    ) {
        let mut found: Vec<_> = { self.rows().into_iter() }
            .filter(|row| row[0] == group)
            .collect();
        assert!(!found.is_empty(), "{group}");
        found.iter_mut().for_each(answer);
        let _alone = WRITING.lock();
        let mut rows = self.rows();
        let asked = rows.iter_mut().filter(|row| row[0] == group);
        asked.zip(found).for_each(|(row, found)| *row = found);
        self.hold(&rows, differ);
    }
}

/// One test for each group, and one that no row has another: `holds` is called with the group and what follows it.
macro_rules! groups {
    ($answers:ident, $holds:ident; $($name:ident: $group:literal, $answer:path;)*) => {
        $(
            #[test]
            fn $name() {
                $holds($group, $answer);
            }
        )*

        #[test]
        fn every_question_belongs_to_a_group() {
            let named = std::collections::BTreeSet::from([$($group.to_owned()),*]);
            let asked = $answers.rows().into_iter().skip(1).map(|row| row[0].clone());
            assert_eq!(named, asked.collect());
        }
    };
}
pub(crate) use groups;
