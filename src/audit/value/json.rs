//! Values as programs write them: JSON, where an object has one key that says what it stands for.

use super::Value;
use serde_json::Value as Json;

impl Value {
    /// Reads a value of `dp-assay/external/2`.
    ///
    /// # Errors
    /// The rule that it breaks.
    pub(crate) fn from_json(json: Json) -> Result<Self, String> {
        Ok(match json {
            Json::Null => Self::Null,
            Json::Bool(b) => Self::Bool(b),
            Json::String(text) => Self::Text(text),
            Json::Number(number) => match (number.as_i64(), number.as_f64()) {
                (Some(i), _) => Self::Integer(i),
                (None, Some(x)) if number.is_f64() => Self::Real(x),
                _ => Self::Text(number.to_string()),
            },
            Json::Array(items) => Self::List(
                items
                    .into_iter()
                    .map(Self::from_json)
                    .collect::<Result<_, _>>()?,
            ),
            Json::Object(object) => {
                let mut entries = object.into_iter();
                match (entries.next(), entries.next()) {
                    (Some((tag, inside)), None) => Self::tagged(&tag, inside)?,
                    _ => return Err(format!("an object stands for a value by one key: {TAGS}")),
                }
            }
        })
    }

    fn tagged(tag: &str, inside: Json) -> Result<Self, String> {
        let wrong = || format!("`{tag}` does not hold what it should");
        match (tag, inside) {
            ("real", Json::String(word)) => match word.as_str() {
                "nan" => Ok(Self::Real(f64::NAN)),
                "inf" => Ok(Self::Real(f64::INFINITY)),
                "-inf" => Ok(Self::Real(f64::NEG_INFINITY)),
                _ => Err(wrong()),
            },
            ("set", Json::Array(members)) => {
                let member = |json| Self::from_json(json).map(Self::key);
                let mut members = members
                    .into_iter()
                    .map(member)
                    .collect::<Result<Vec<_>, _>>()?;
                members.sort_unstable();
                Ok(Self::Set(members))
            }
            ("map", Json::Array(entries)) => {
                let entry = |json| match json {
                    Json::Array(pair) => match <[Json; 2]>::try_from(pair) {
                        Ok([key, value]) => {
                            Ok((Self::from_json(key)?.key(), Self::from_json(value)?))
                        }
                        Err(_) => Err(wrong()),
                    },
                    _ => Err(wrong()),
                };
                Ok(Self::Map(
                    entries.into_iter().map(entry).collect::<Result<_, _>>()?,
                ))
            }
            ("raised", Json::Array(words)) => match <[Json; 2]>::try_from(words) {
                Ok([Json::String(kind), Json::String(message)]) => Ok(Self::Raised(kind, message)),
                _ => Err(wrong()),
            },
            ("real" | "set" | "map" | "raised", _) => Err(wrong()),
            _ => Err(format!("`{tag}` is none of {TAGS}")),
        }
    }
}

/// The keys that say what an object stands for.
const TAGS: &str = "`real`, `set`, `map`, `raised`";
