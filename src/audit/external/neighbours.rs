//! Whether two inputs look like neighbours, where that can be seen: two JSON arrays, taken for lists of records.

use crate::float::from_json;
use crate::units::Neighbouring;
use serde_json::Value;

/// Why two inputs are not neighbours under `relation` if they are lists of records; nothing where they may be, or are no JSON
/// arrays, or the relation speaks of more than one record.
///
/// ```
/// use dp_assay::audit::external::doubt;
/// use dp_assay::units::Neighbouring::{AddRemove, ReplaceOne};
///
/// assert_eq!(doubt(ReplaceOne, ["[0, 1]", "[1, 1]"]), None);
/// assert_eq!(doubt(AddRemove, ["[1]", "[1, 1]"]), None);
/// assert!(doubt(ReplaceOne, ["[1]", "[1, 1]"]).is_some());
/// assert!(doubt(ReplaceOne, ["[0, 0]", "[1, 1]"]).is_some());
/// assert_eq!(doubt(ReplaceOne, ["0", "1"]), None); // no lists
/// ```
#[must_use]
pub fn doubt(relation: Neighbouring, texts: [&str; 2]) -> Option<String> {
    let rule = match relation {
        Neighbouring::AddRemove => "one has a record more",
        Neighbouring::ReplaceOne => "one record is another",
        Neighbouring::ZeroOut | Neighbouring::User => return None,
    };
    let [first, second] = texts.map(records);
    let (first, second) = (first?, second?);
    let alone = [missing(&first, &second), missing(&second, &first)];
    let holds = match relation {
        Neighbouring::AddRemove => alone == [0, 1] || alone == [1, 0],
        _ => alone == [1, 1],
    };
    (!holds).then(|| {
        format!(
            "{} neighbours are lists of which {rule}; as lists of records {} of the first input \
             are \
             not in the second, and {} of the second not in the first: if they are records, a \
             violation on these inputs says nothing of neighbours",
            relation.name(),
            alone[0],
            alone[1]
        )
    })
}

/// The records of a JSON array, sorted.
fn records(text: &str) -> Option<Vec<String>> {
    let Value::Array(records) = from_json(text.trim().as_bytes()).ok()? else {
        return None;
    };
    let mut records: Vec<String> = records.iter().map(Value::to_string).collect();
    records.sort_unstable();
    Some(records)
}

/// How many of `these` are not among `those`, each counted as often as it occurs; both are sorted.
fn missing(these: &[String], those: &[String]) -> usize {
    let mut rest = those.iter().peekable();
    let mut found = |record: &&String| {
        while rest.next_if(|other| *other < *record).is_some() {}
        rest.next_if(|other| *other == *record).is_some()
    };
    these.len() - these.iter().filter(|record| found(record)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Neighbouring::{AddRemove, ReplaceOne, User, ZeroOut};

    /// One record more or one in place of another, in any order and however often it occurs; all else is doubted, with both numbers.
    #[test]
    fn lists_that_are_no_neighbours_are_doubted() {
        let told = |relation, first, second| doubt(relation, [first, second]);
        for (relation, first, second) in [
            (AddRemove, "[1, 2]", "[2]"),
            (AddRemove, "[]", " [7] "),
            (AddRemove, "[1, 1]", "[1, 1, 1]"),
            (ReplaceOne, "[3, 1, 2]", "[2, 9, 1]"),
            (ReplaceOne, "[[1, 2]]", "[[1, 3]]"),
            (User, "[1]", "[2, 3, 4]"),
            (ZeroOut, "[1]", "[2, 3, 4]"),
            (AddRemove, "{}", "[1, 2]"),
            (ReplaceOne, "[1, 2]", "no JSON"),
        ] {
            assert_eq!(told(relation, first, second), None, "{first} {second}");
        }
        for (relation, first, second, [one, other]) in [
            (AddRemove, "[1, 2]", "[1, 2]", [0, 0]),
            (AddRemove, "[1]", "[2]", [1, 1]),
            (AddRemove, "[1]", "[1, 2, 3]", [0, 2]),
            (AddRemove, "[1, 2, 3]", "[2]", [2, 0]),
            (ReplaceOne, "[1, 2]", "[2, 1]", [0, 0]),
            (ReplaceOne, "[1]", "[1, 1]", [0, 1]),
            (ReplaceOne, "[5, 6, 7]", "[7, 8, 9]", [2, 2]),
        ] {
            let said = told(relation, first, second).expect(first);
            assert!(said.starts_with(relation.name()), "{said}");
            let numbers = format!(
                "{one} of the first input are not in the second, and {other} of the second not in \
                    the first"
            );
            assert!(said.contains(&numbers), "{said}");
        }
    }
}
