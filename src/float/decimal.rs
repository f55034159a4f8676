//! Numbers in texts that are not 0, but nearer to 0 than to any other double: read as such they would be 0, and with them would
//! go what they tell apart. Every reader of other people's numbers refuses them.

use serde::de::{DeserializeOwned, Error};

/// Whether a text is such a number.
///
/// ```
/// use dp_assay::float::vanishes;
///
/// assert!(vanishes("1e-400") && vanishes("-0.3E-325"));
/// assert!(!vanishes("0e-400") && !vanishes("5e-324") && !vanishes("e-400"));
/// ```
#[must_use]
pub fn vanishes(text: &str) -> bool {
    let text = text.trim();
    let digits = text.split(['e', 'E']).next().unwrap_or(text);
    digits.contains(|c| matches!(c, '1'..='9')) && text.parse() == Ok(0.0)
}

/// What is wrong with such a number.
pub const VANISHES: &str = "not 0, but nearer to 0 than to any other double";

/// Reads JSON without such numbers.
///
/// ```
/// use dp_assay::float::from_json;
///
/// assert_eq!(from_json::<Vec<f64>>(b"[0.5, -0.0]")?, [0.5, 0.0]);
/// assert!(from_json::<Vec<f64>>(b"[0.5, 1e-400]").is_err());
/// // A whole number may be written by its exponent.
/// assert_eq!(from_json::<(u64, String)>(b"[1e3, \"1e3\"]")?, (1000, "1e3".to_owned()));
/// assert!(from_json::<u64>(b"1e-3").is_err() && from_json::<u64>(b"1e17").is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
/// Names the number; or says why the text is no JSON, or not of this type.
pub fn from_json<T: DeserializeOwned>(json: &[u8]) -> serde_json::Result<T> {
    match vanishing(json) {
        Some(number) => Err(serde_json::Error::custom(format!(
            "`{number}` is {VANISHES}"
        ))),
        None => serde_json::from_slice(json).or_else(|error| {
            // Where a whole number is asked for 1e3 is one.
            let whole = with_whole(json).map(|text| serde_json::from_slice(&text));
            whole.and_then(Result::ok).ok_or(error)
        }),
    }
}

/// The text with its whole numbers that are written by an exponent written by their digits; none if there is no such number.
fn with_whole(json: &[u8]) -> Option<Vec<u8>> {
    let (mut out, mut at) = (Vec::new(), 0);
    for number in numbers(json) {
        let start = number.as_ptr() as usize - json.as_ptr() as usize;
        let value = number.parse::<f64>().ok();
        let value = value.filter(|x| number.contains(['e', 'E']) && x.fract() == 0.0);
        if let Some(x) = value.filter(|x| x.abs() <= (1_u64 << 53) as f64) {
            out.extend_from_slice(&json[at..start]);
            out.extend_from_slice(format!("{x:.0}").as_bytes());
            at = start + number.len();
        }
    }
    out.extend_from_slice(&json[at..]);
    (at > 0).then_some(out)
}

/// The first such number of a text in JSON or TOML, outside of strings.
#[must_use]
pub fn vanishing(text: &[u8]) -> Option<&str> {
    numbers(text).find(|number| vanishes(number))
}

/// The numbers of such a text, without those in strings.
fn numbers(json: &[u8]) -> impl Iterator<Item = &str> {
    let mut rest = json;
    std::iter::from_fn(move || {
        loop {
            let start = rest
                .iter()
                .position(|b| matches!(b, b'"' | b'-' | b'0'..=b'9'))?;
            rest = &rest[start..];
            let is_string = rest[0] == b'"';
            let end = if is_string {
                string(rest)
            } else {
                number(rest)
            };
            let (token, behind) = rest.split_at(end);
            rest = behind;
            if !is_string {
                return std::str::from_utf8(token).ok();
            }
        }
    })
}

/// The length of the string that a text begins with.
fn string(text: &[u8]) -> usize {
    let mut escaped = true; // so is the quote that opens it
    let closes = |byte: &u8| {
        let closes = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        closes
    };
    let end = text.iter().position(closes);
    end.map_or(text.len(), |end| end + 1)
}

/// The length of the number that a text begins with.
fn number(text: &[u8]) -> usize {
    let beyond = |b: &u8| !matches!(b, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
    text.iter().position(beyond).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_outside_of_strings_alone() {
        let json = br#"{"1": [-2.5e-3,"3\"4\\",5], "\\": 6e+7, "8": "9"#;
        let found: Vec<&str> = numbers(json).collect();
        assert_eq!(found, ["-2.5e-3", "5", "6e+7"]);
    }

    #[test]
    fn the_least_double_is_read_and_half_of_it_is_not() {
        assert!(!vanishes("4.94e-324") && vanishes("2.47e-324"));
        let long = format!("0.{}1", "0".repeat(330));
        assert!(vanishes(&long) && !vanishes("0.0") && !vanishes("-0"));
    }
}
