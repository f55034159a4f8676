//! By how much an inequality holds or fails at a sample: a class, a colour and a place on the scale.

use dp_assay_spec::prove::{Found, Sample};

/// Left side over right side beyond which a class ends; of what holds the inverse counts.
const ENDS: [f64; 3] = [1.1, 2.0, 10.0];

/// The class of a sample: `fails` or `holds` with the size of its margin, 0 to 3; size 0 where there is none.
pub(super) fn class<P>(sample: &Sample<P>) -> Option<(bool, usize)> {
    let size = |margin: f64| {
        ENDS.iter()
            .filter(|end| margin.abs() >= end.log10())
            .count()
    };
    let size = sample.margin.map_or(0, size);
    match sample.found {
        Found::Fails => Some((true, size)),
        Found::Holds => Some((false, size)),
        Found::Outside | Found::Unknown => None,
    }
}

/// The name of a class in the style sheet.
pub(super) fn name((fails, size): (bool, usize)) -> String {
    format!("{}{size}", if fails { "f" } else { "h" })
}

/// The scale under a picture, of the given width: eight classes with the ratios between them.
pub(super) fn scale(left: f64, width: f64, top: f64) -> String {
    let step = width / 8.0;
    let holding = (0..4).rev().map(|size| (false, size));
    let mut svg = String::new();
    for (i, class) in holding.chain((0..4).map(|size| (true, size))).enumerate() {
        let x = left + step * i as f64;
        svg += &format!(
            "<rect class=\"{}\" x=\"{x:.1}\" y=\"{top}\" width=\"{step:.1}\" height=\"7\"/>",
            name(class)
        );
    }
    for (i, label) in ["1/10", "1/2", "1/1.1", "1", "1.1", "2", "10"]
        .iter()
        .enumerate()
    {
        let x = left + step * (i as f64 + 1.0);
        svg += &format!(
            "<text class=\"tick\" x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text>",
            top + 17.0
        );
    }
    svg += &format!(
        "<text class=\"tick\" x=\"{left}\" y=\"{0}\">holds</text><text class=\"tick\" x=\"{1}\" \
         y=\"{0}\" text-anchor=\"end\">fails</text><text class=\"tick\" x=\"{2}\" y=\"{0}\" \
         text-anchor=\"middle\">left side ÷ right side</text>",
        top - 3.0,
        left + width,
        left + 0.5 * width
    );
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_margin_is_of_the_class_between_whose_ends_it_lies() {
        let sample = |found, ratio: f64| Sample {
            at: 0.0,
            found,
            margin: Some(ratio.log10()),
        };
        for (ratio, size) in [(1.0, 0), (1.05, 0), (1.2, 1), (3.0, 2), (20.0, 3), (1e9, 3)] {
            assert_eq!(class(&sample(Found::Fails, ratio)), Some((true, size)));
            assert_eq!(
                class(&sample(Found::Holds, 1.0 / ratio)),
                Some((false, size))
            );
        }
        assert_eq!(class(&sample(Found::Outside, 3.0)), None);
    }
}
