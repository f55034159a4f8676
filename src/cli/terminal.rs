//! What a terminal sees: lines of its own width, of 80 columns elsewhere, colour where it is wanted, progress.

use clap::builder::styling::{AnsiColor, Style};
use std::borrow::Cow;
use std::io::{IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Whether `--quiet` was given.
static QUIET: AtomicBool = AtomicBool::new(false);
/// Columns of a line of text where there is no terminal.
const WIDTH: usize = 80;
/// Most columns of a line of text: longer ones are hard to read.
const WIDEST: usize = 120;
/// Characters of a number that is left as it is: 17 digits behind `0.000000`.
const LONGEST_NUMBER: usize = 25;

/// Takes `--quiet` to heart.
pub fn set_quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

/// Writes to standard output as it is; a reader that has gone away (`| head`) is not an error.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

/// Writes text for people: numbers short, lines folded at the terminal's width, verdicts coloured where standard output is a
/// terminal and NO_COLOR is not set.
pub fn show(text: &str) {
    let text = shortened(text);
    let width = width();
    let lines = text.split_inclusive('\n');
    let folded = lines.map(|line| fold(line, width)).collect::<String>();
    let mut out = anstream::stdout().lock();
    let painted = paint(&folded);
    written(out.write_all(painted.as_bytes()).and_then(|()| out.flush()));
}

/// Columns of a line of text for people: the terminal's, within reason.
pub fn width() -> usize {
    columns().map_or(WIDTH, |columns| columns.clamp(40, WIDEST))
}

/// Columns of the terminal that standard output is; `None` where it is none, as in a pipe.
pub fn columns() -> Option<usize> {
    terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0))
}

/// As [`show`], for lines that are not folded: a list that is searched line by line.
pub fn show_lines(text: &str) {
    let mut out = anstream::stdout().lock();
    let painted = paint(&shortened(text));
    written(out.write_all(painted.as_bytes()).and_then(|()| out.flush()));
}

/// As [`show`], for what can be done without: silent under `--quiet`.
pub fn remark(text: &str) {
    if !QUIET.load(Ordering::Relaxed) {
        show(text);
    }
}

/// What a reader must not miss, on standard error, beside a result that programs may read.
pub fn warn(text: &str) {
    if !QUIET.load(Ordering::Relaxed) {
        eprintln!("WARNING: {text}");
    }
}

/// Progress of known length.
const COUNTED: &str = "{msg} {bar:30} {pos}/{len} {elapsed}, {eta} left";

/// A progress bar on standard error, with the time left; invisible under `--quiet`. Where that is no terminal [`counted`] writes a
/// line a minute.
pub fn progress(length: u64, what: &'static str) -> indicatif::ProgressBar {
    bar(length, what, COUNTED)
}

/// Tells a bar of [`waiting`] how far it is, once that is known; from then on it is one of [`progress`].
pub fn counted(bar: &indicatif::ProgressBar, done: u64, all: u64) {
    if bar.length() != Some(all) {
        bar.set_length(all);
        bar.set_style(style(COUNTED));
    }
    bar.set_position(done);
    // The bar of who must not be told a time has no words.
    let off = !std::io::stderr().is_terminal() && !bar.message().is_empty();
    let minutes = bar.elapsed().as_secs() / 60;
    if off && done < all && MINUTES.fetch_max(minutes, Ordering::Relaxed) < minutes {
        eprintln!("{}", minutely(&bar.message(), done, all, minutes));
    }
}

/// Minutes after which a line was written last.
static MINUTES: AtomicU64 = AtomicU64::new(0);

/// The line of a minute, where there is no terminal.
fn minutely(what: &str, done: u64, all: u64, minutes: u64) -> String {
    let left = minutes as f64 / done.max(1) as f64 * all.saturating_sub(done) as f64;
    format!("{what}: {done} of at most {all} after {minutes} min, {left:.0} min more at most")
}

/// Progress of unknown length.
pub fn waiting(what: impl Into<Cow<'static, str>>) -> indicatif::ProgressBar {
    let bar = bar(0, what, "{msg} {spinner} {elapsed}");
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    bar
}

fn bar(length: u64, what: impl Into<Cow<'static, str>>, template: &str) -> indicatif::ProgressBar {
    if QUIET.load(Ordering::Relaxed) {
        return indicatif::ProgressBar::hidden();
    }
    indicatif::ProgressBar::new(length)
        .with_style(style(template))
        .with_message(what)
}

fn style(template: &str) -> indicatif::ProgressStyle {
    indicatif::ProgressStyle::with_template(template).expect("the template is fixed")
}

/// A result that nobody can read is none: the program ends, with code 2.
fn written(result: std::io::Result<()>) {
    if let Err(error) = result
        && error.kind() != std::io::ErrorKind::BrokenPipe
    {
        eprintln!("error: cannot write to standard output: {error}");
        std::process::exit(2);
    }
}

/// Numbers of more digits than a double has, by their exponent: 1e300 is not written out.
pub fn shortened(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(start);
        let length = number.find(|c: char| !c.is_ascii_digit() && c != '.');
        // A full stop behind a number is the sentence's.
        let length = number[..length.unwrap_or(number.len())].trim_end_matches('.');
        let (number, after) = number.split_at(length.len());
        out += before;
        match number.parse::<f64>() {
            Ok(value) if number.len() > LONGEST_NUMBER => {
                out += &format!("{value:e}");
            }
            _ => out += number,
        }
        rest = after;
    }
    out + rest
}

/// One line in as many as it needs, cut between words, the further ones indented by two more. A word
/// that is longer than a line stays whole.
fn fold(line: &str, width: usize) -> String {
    let (text, end) = line
        .strip_suffix('\n')
        .map_or((line, ""), |text| (text, "\n"));
    if text.chars().count() <= width {
        return line.to_owned();
    }
    let indent = text.chars().take_while(|c| *c == ' ').count();
    let mut out = " ".repeat(indent);
    let mut column = indent;
    for (i, word) in text[indent..].split(' ').enumerate() {
        let length = word.chars().count();
        if i > 0 && column + 1 + length > width {
            out += &format!("\n{:1$}", "", indent + 2);
            column = indent + 2;
        } else if i > 0 {
            out.push(' ');
            column += 1;
        }
        out += word;
        column += length;
    }
    out + end
}

/// Colours the verdicts: of a claim at the start of a line, of an audit behind a colon.
fn paint(text: &str) -> String {
    let good = Style::new().fg_color(Some(AnsiColor::Blue.into()));
    let bad = Style::new().fg_color(Some(AnsiColor::Red.into())).bold();
    let some = Style::new().fg_color(Some(AnsiColor::Yellow.into()));
    let words = [
        ("\nproved ", good),
        ("\nrefuted ", bad),
        ("\nargued ", good),
        ("\ncited ", some),
        ("\nempty ", bad),
        ("\nwell-posed ", good),
        ("\nsupported ", some),
        ("\nopen ", some),
        ("\nFAILED: ", bad),
        (": VIOLATION", bad),
        (": PASS-WITH-POWER", good),
        (": INCONCLUSIVE", some),
    ];
    // A line start in front, so that the first line has one too; taken away again below.
    let mut text = format!("\n{text}");
    for (word, style) in words {
        let (lead, seen) = word.split_at(word.find(char::is_alphabetic).unwrap_or(0));
        text = text.replace(word, &format!("{lead}{style}{seen}{style:#}"));
    }
    text.split_off(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_folded_between_words_and_short_ones_left_alone() {
        assert_eq!(fold("  short\n", WIDTH), "  short\n");
        let long = format!("  {}", "word ".repeat(20));
        let folded = fold(&long, WIDTH);
        assert!(folded.lines().all(|l| l.chars().count() <= WIDTH));
        assert!(folded.lines().skip(1).all(|l| l.starts_with("    word")));
        assert_eq!(folded.split_whitespace().count(), 20);
        let whole = "x".repeat(100);
        assert_eq!(fold(&whole, WIDTH), whole);
    }

    #[test]
    fn numbers_of_hundreds_of_digits_are_written_by_their_exponent() {
        let ends = [1e300, 5e-324, f64::MAX, 0.1 + 0.2, 1e-6 / 3.0];
        let texts = ends.map(|x| shortened(&format!("-{x}, then {x}.\n")));
        assert_eq!(texts[0], "-1e300, then 1e300.\n");
        assert_eq!(texts[1], "-5e-324, then 5e-324.\n");
        assert_eq!(
            texts[2],
            "-1.7976931348623157e308, then 1.7976931348623157e308.\n"
        );
        assert_eq!(
            texts[3],
            "-0.30000000000000004, then 0.30000000000000004.\n"
        );
        assert_eq!(
            texts[4],
            "-0.0000003333333333333333, then 0.0000003333333333333333.\n"
        );
        // What is no number stays, whatever its length.
        let other = "b301f3e87350539f3ebc751d07b4691a8c66f0bf38c1d179c86bbf5e2d9623b2 1.2.3";
        assert_eq!(shortened(other), other);
    }

    #[test]
    fn a_line_of_a_minute_says_how_far_it_is_and_how_long_it_takes() {
        let said = minutely("auditing", 2000, 100_000, 3);
        assert_eq!(
            said,
            "auditing: 2000 of at most 100000 after 3 min, 147 min more at most"
        );
    }

    #[test]
    fn verdicts_are_coloured_and_nothing_else() {
        let plain = "proved    id\nx: VIOLATION of\nnot proved here\n";
        let painted = paint(plain);
        assert_eq!(painted.matches("\u{1b}[0m").count(), 2);
        assert!(painted.ends_with("not proved here\n"));
        assert_eq!(anstream::adapter::strip_str(&painted).to_string(), plain);
    }
}
