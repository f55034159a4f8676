//! Doubles in JSON, which has no infinities and no NaN: those are the strings "inf", "-inf", "nan".

use serde::{Deserialize, Deserializer, Serializer};

/// Writes a double.
pub(crate) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.is_finite() {
        serializer.serialize_f64(*value)
    } else if value.is_nan() {
        serializer.serialize_str("nan")
    } else {
        serializer.serialize_str(if *value > 0.0 { "inf" } else { "-inf" })
    }
}

/// Reads a double.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Number {
        Finite(f64),
        Word(String),
    }
    match Number::deserialize(deserializer)? {
        Number::Finite(value) => Ok(value),
        Number::Word(word) => match word.as_str() {
            "inf" => Ok(f64::INFINITY),
            "-inf" => Ok(f64::NEG_INFINITY),
            "nan" => Ok(f64::NAN),
            _ => Err(serde::de::Error::custom(format!(
                "`{word}` is neither a number nor one of \"inf\", \"-inf\", \"nan\""
            ))),
        },
    }
}

/// The schema of such a double.
#[cfg(feature = "cli")]
pub(crate) fn schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "anyOf": [{ "type": "number" }, { "enum": ["inf", "-inf", "nan"] }]
    })
}

/// Lists of such doubles.
pub(crate) mod many {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Number(#[serde(with = "super")] f64);

    /// Writes a list.
    pub(crate) fn serialize<S: Serializer>(
        values: &[f64],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(|x| Number(*x)))
    }

    /// Reads a list.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<f64>, D::Error> {
        let numbers = Vec::<Number>::deserialize(deserializer)?;
        Ok(numbers.into_iter().map(|n| n.0).collect())
    }

    /// The schema of such a list.
    #[cfg(feature = "cli")]
    pub(crate) fn schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let item = super::schema(generator);
        schemars::json_schema!({ "type": "array", "items": item })
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    #[test]
    fn lists_with_infinities_survive_json() {
        #[derive(Serialize, Deserialize)]
        struct List(#[serde(with = "super::many")] Vec<f64>);
        let list = List(vec![f64::NEG_INFINITY, -0.5, f64::INFINITY, f64::NAN]);
        let text = serde_json::to_string(&list).expect("numbers and words");
        assert_eq!(text, r#"["-inf",-0.5,"inf","nan"]"#);
        let back: List = serde_json::from_str(&text).expect("the same format");
        let bits = |list: List| list.0.into_iter().map(f64::to_bits).collect::<Vec<_>>();
        assert_eq!(bits(back), bits(list));
    }

    /// Zeros keep their sign, no word is a number by chance, and no number a word.
    #[test]
    fn words_for_doubles_are_three_and_no_more() {
        #[derive(Debug, PartialEq, Serialize, Deserialize)]
        struct One(#[serde(with = "super")] f64);
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (-1.5, "-1.5"),
            (f64::MIN_POSITIVE, "2.2250738585072014e-308"),
            (f64::INFINITY, "\"inf\""),
            (f64::NEG_INFINITY, "\"-inf\""),
        ] {
            assert_eq!(serde_json::to_string(&One(value)).expect("a double"), text);
            let back: One = serde_json::from_str(text).expect("a double");
            assert_eq!(back.0.to_bits(), value.to_bits());
        }
        assert_eq!(
            serde_json::to_string(&One(-f64::NAN)).expect("a word"),
            "\"nan\""
        );
        for word in ["Inf", "NaN", "infinity", ""] {
            let why = serde_json::from_value::<One>(word.into()).expect_err("no double");
            let rule =
                format!("`{word}` is neither a number nor one of \"inf\", \"-inf\", \"nan\"");
            assert_eq!(why.to_string(), rule);
        }
        assert!(serde_json::from_str::<One>("true").is_err());
    }
}
