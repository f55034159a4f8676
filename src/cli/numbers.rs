//! Numbers as they are typed: decimals, ratios, and whole numbers by their exponent.

use clap::builder::ValueParser;

/// Doubles hold all whole numbers up to this one.
const WHOLE: u64 = 1 << 53;

/// A number: a decimal, or a whole number over another such as 1/50000, which is rounded to the nearest double.
///
/// # Errors
/// Names the rule.
pub fn real(text: &str) -> Result<f64, String> {
    let part = |text: &str| whole(text).ok().filter(|part| *part <= WHOLE);
    let ratio = |(a, b): (&str, &str)| match (part(a)?, part(b)?) {
        (_, 0) => None,
        (a, b) => Some(a as f64 / b as f64),
    };
    let text = text.trim();
    let found = text.parse().ok().or_else(|| ratio(text.split_once('/')?));
    match found {
        // Written with digits it was no infinity.
        Some(x) if f64::is_infinite(x) && text.contains(|c: char| c.is_ascii_digit()) => {
            Err(format!(
                "`{text}` is beyond the numbers here, which end at ±{:e}",
                f64::MAX
            ))
        }
        found => {
            found.ok_or_else(|| format!("`{text}` is not a number, as 0.5, 1e-5 or 1/50000 is"))
        }
    }
}

/// A whole number: its digits, or 1e4 and the like.
///
/// # Errors
/// Names the rule.
pub fn whole(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let by_exponent = || {
        let found: f64 = text.parse().ok().filter(|_| text.contains(['e', 'E']))?;
        (found.fract() == 0.0 && (0.0..=WHOLE as f64).contains(&found)).then_some(found as u64)
    };
    let found = text.parse().ok().or_else(by_exponent);
    if found.is_none() && !text.is_empty() && text.chars().all(|c| c.is_ascii_digit()) {
        return Err(format!(
            "`{text}` is larger than any whole number here, which end at {}",
            u64::MAX
        ));
    }
    found.ok_or_else(|| format!("`{text}` is not a whole number from 0 on, as 10000 or 1e4 is"))
}

/// As [`whole`], for a type that holds fewer.
fn within<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    let too_large = |_| format!("`{text}` is larger than any number allowed here");
    T::try_from(whole(text)?).map_err(too_large)
}

/// Arguments with a reader of their own: a sampling rate is rounded up.
const OWN: [&str; 1] = ["q"];

/// The same command, whose numbers are all read here; those with a range keep their readers.
pub fn taught(command: clap::Command) -> clap::Command {
    let taught_arg = |arg: clap::Arg| {
        let kind = arg.get_value_parser().type_id();
        let is = |parser: ValueParser| kind == parser.type_id();
        match arg.get_id().as_str() {
            own if OWN.contains(&own) => arg,
            _ if is(clap::value_parser!(f64).into()) => arg.value_parser(real),
            _ if is(clap::value_parser!(u64).into()) => arg.value_parser(whole),
            _ if is(clap::value_parser!(u32).into()) => arg.value_parser(within::<u32>),
            _ if is(clap::value_parser!(usize).into()) => arg.value_parser(within::<usize>),
            _ => arg,
        }
    };
    command.mut_args(taught_arg).mut_subcommands(taught)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_and_exponents_are_numbers_and_what_is_none_is_told() {
        for (text, number) in [
            ("1/50000", 2e-5),
            ("1e-5", 1e-5),
            ("-0.5", -0.5),
            (" 3/4 ", 0.75),
        ] {
            assert_eq!(real(text), Ok(number), "{text}");
        }
        for text in [
            "",
            "1/0",
            "1/",
            "/2",
            "0.5/3",
            "1/2/3",
            "-1/2",
            "x",
            "1/9007199254740993",
        ] {
            let told = real(text).expect_err(text);
            assert!(
                told.contains(&format!("`{text}` is not a number")),
                "{told}"
            );
        }
        for (text, number) in [
            ("1e4", 10_000),
            ("2.5E3", 2500),
            ("7", 7),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(whole(text), Ok(number), "{text}");
        }
        for text in [
            "", "1e-1", "2.5", "2.55e1", "-1", "-1e4", "1e16", "1/2", "inf", "1e400",
        ] {
            let told = whole(text).expect_err(text);
            assert!(
                told.contains(&format!("`{text}` is not a whole number")),
                "{told}"
            );
        }
        for (told, text) in [
            (
                whole("18446744073709551616").err(),
                "`18446744073709551616` is larger",
            ),
            (real("1e400").err(), "`1e400` is beyond"),
            (real("-1e999").err(), "`-1e999` is beyond"),
        ] {
            assert!(told.expect("too large").contains(text));
        }
        assert_eq!(real("inf"), Ok(f64::INFINITY));
        assert!(within::<u32>("1e9").is_ok() && within::<u32>("1e10").is_err());
    }
}
