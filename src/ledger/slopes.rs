//! Measured slopes beside the rates of the KL paper.
//!
//! The campaign in `tests/papers/kl/slopes.rs` keeps points; everything said about them is computed here. A test of the
//! gate measures some of the points again and fails when the code no longer gives them.

use serde::Deserialize;

/// The points, after comment lines with command, date and commit.
const STORED: &str = include_str!("slopes.csv");

/// Student's t at 0.995 for 1 to 6 degrees of freedom.
const STUDENT: [f64; 6] = [63.657, 9.925, 5.841, 4.604, 4.032, 3.707];

/// Mean excess risk of one method in one setting.
#[derive(Deserialize)]
struct Point {
    method: String,
    family: String,
    /// The exponent that the theorem claims.
    claimed: f64,
    /// √d/(n√ρ).
    x: f64,
    /// The base of the theorem's bound, which has its logarithms, where there is one.
    base: Option<f64>,
    excess: f64,
}

/// The slopes to hold against a claim's rate, in words; `None` for other claims. They settle nothing: a rate bounds the
/// excess from above, and at all n.
pub(super) fn of(claim: &str) -> Option<String> {
    let method = match claim {
        "kl-thm-1-rate" => "KL Spider",
        "kl-thm-4-rate" => "adaptive",
        _ => return None,
    };
    Some(format!("{} {};", origin(), lines(Some(method)).join("; ")))
}

/// All slopes, with the campaign's date and commit.
#[cfg(feature = "cli")]
pub(crate) fn text() -> String {
    format!(
        "{}\nSlopes of the excess risk in logarithms, with their 99 % intervals from the scatter \
         of the points.\n\n{}\n",
        origin(),
        lines(None).join("\n")
    )
}

/// What ran, when, and on which code.
fn origin() -> String {
    let said = |name: &str| {
        let start = format!("# {name}: ");
        let found = STORED.lines().find_map(|line| line.strip_prefix(&start));
        found.unwrap_or("unknown").to_owned()
    };
    let commit: String = said("commit").chars().take(12).collect();
    let (date, command) = (said("date"), said("command"));
    format!("Stored campaign: {date}, commit {commit}, `{command}`.")
}

/// One line a family and axis, of one method or of all.
fn lines(method: Option<&str>) -> Vec<String> {
    let points = stored().unwrap_or_default();
    let mut lines = Vec::new();
    for curve in points.chunk_by(|a, b| (&a.method, &a.family) == (&b.method, &b.family)) {
        let Point {
            method: own,
            family,
            claimed,
            ..
        } = &curve[0];
        if method.is_some_and(|wanted| wanted != own) {
            continue;
        }
        let plain = curve.iter().map(|p| Some((p.x.ln(), p.excess.ln())));
        let based = curve.iter().map(|p| Some((p.base?.ln(), p.excess.ln())));
        let axes = [
            ("sqrt(d)/(n sqrt(rho))", plain.collect::<Option<Vec<_>>>()),
            ("the bound's base, logarithms included", based.collect()),
        ];
        for (axis, logs) in axes {
            if let Some((slope, half)) = logs.and_then(|logs| interval(&logs)) {
                lines.push(format!(
                    "{own}, {family}, against {axis}: claimed {claimed:.3}; {slope:.3} ± {half:.3} \
                     from {} points, {}",
                    curve.len(),
                    verdict(slope, half, *claimed)
                ));
            }
        }
    }
    lines
}

fn verdict(slope: f64, half: f64, claimed: f64) -> &'static str {
    match (slope - claimed).abs() <= half {
        true => "contains it",
        false if slope > claimed => "above it: the excess falls faster",
        false => "below it: the excess falls more slowly",
    }
}

/// The committed points; a test reads them.
fn stored() -> Result<Vec<Point>, csv::Error> {
    let mut table = csv::ReaderBuilder::new();
    let mut table = table.comment(Some(b'#')).from_reader(STORED.as_bytes());
    table.deserialize().collect()
}

/// Slope of the regression line through three to eight points, and the half width of its 99 % interval from their scatter.
pub(crate) fn interval(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let (slope, error) = line(points)?;
    Some((slope, STUDENT.get(points.len() - 3)? * error))
}

/// Slope of the regression line and its standard error; needs three points at two places.
fn line(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let n = points.len() as f64;
    let (mx, my) = points
        .iter()
        .fold((0.0, 0.0), |(x, y), p| (x + p.0 / n, y + p.1 / n));
    let sxx: f64 = points.iter().map(|p| (p.0 - mx).powi(2)).sum();
    if points.len() < 3 || sxx <= 0.0 {
        return None;
    }
    let sxy: f64 = points.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
    let slope = sxy / sxx;
    let rest: f64 = points
        .iter()
        .map(|p| (p.1 - my - slope * (p.0 - mx)).powi(2))
        .sum();
    Some((slope, (rest / (n - 2.0) / sxx).sqrt()))
}

#[cfg(test)]
mod tests {
    use super::{interval, line, of, origin, stored};

    #[test]
    fn four_families_stand_beside_the_rate_of_each_method() {
        let spider = of("kl-thm-1-rate").expect("it has a rate");
        let adaptive = of("kl-thm-4-rate").expect("it has a rate");
        assert_eq!(spider.matches("KL Spider, ").count(), 8);
        assert_eq!(spider.matches("logarithms included").count(), 4);
        assert_eq!(adaptive.matches("adaptive, ").count(), 4);
        assert!(!spider.contains("adaptive") && !adaptive.contains("Spider"));
        assert_eq!(of("kl-thm-1"), None);
        // All of them, for who asks for the campaign.
        #[cfg(feature = "cli")]
        for line in spider.split(['.', ';']).chain(adaptive.split(['.', ';'])) {
            assert!(super::text().contains(line.trim()), "{line}");
        }
    }

    #[test]
    fn the_stored_points_say_where_they_are_from() {
        assert_eq!(stored().expect("of the form").len(), 2 * 4 * 7);
        assert!(!origin().contains("unknown"));
        assert!(origin().starts_with("Stored campaign: 20") && origin().contains(", commit "));
    }

    #[test]
    fn a_line_is_found_with_its_error() {
        let exact: Vec<(f64, f64)> = (0..5)
            .map(|i| (f64::from(i), 2.0 - 3.0 * f64::from(i)))
            .collect();
        let (slope, error) = line(&exact).expect("a line");
        // Sums of small integers: exact but for a few roundings.
        assert!((slope + 3.0).abs() < 1e-12 && error < 1e-6);
        assert!(line(&exact[..2]).is_none());
        assert!(line(&[(1.0, 0.0), (1.0, 1.0), (1.0, 2.0)]).is_none());
        // (0, 0), (1, 1), (2, 0): slope 0, residuals −1/3, 2/3, −1/3, so √(2/3/1/2) by t with one degree of freedom.
        let (slope, half) = interval(&[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)]).expect("a line");
        assert!(slope.abs() < 1e-15 && (half - 63.657 * (1.0_f64 / 3.0).sqrt()).abs() < 1e-9);
        // (0, 0), (1, 1), (2, 1), (3, 0): slope 0, four residuals of ½, so √(1/2/5) by t with two degrees.
        let four = [(0.0, 0.0), (1.0, 1.0), (2.0, 1.0), (3.0, 0.0)];
        let (slope, half) = interval(&four).expect("a line");
        assert!(slope.abs() < 1e-15 && (half - 9.925 * 0.1_f64.sqrt()).abs() < 1e-9);
    }

    #[test]
    fn an_interval_is_said_to_lie_where_it_lies() {
        let told = |slope| super::verdict(slope, 0.25, -1.0);
        for slope in [-1.25, -1.0, -0.75] {
            assert_eq!(told(slope), "contains it", "{slope}");
        }
        assert!(told(-0.5).starts_with("above") && told(-1.5).starts_with("below"));
    }
}
