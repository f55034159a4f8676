//! Measured slopes beside the rates of the KL paper.

/// What the campaign in `tests/kl/slopes.rs` found, with its date and commit.
const STORED: &str = include_str!("../experiment/kl_slopes.txt");

/// The slopes to hold against a claim's rate, in words; `None` for other claims. They settle nothing: a rate bounds the
/// excess from above, and at all n.
pub(super) fn of(claim: &str) -> Option<String> {
    let method = match claim {
        "kl-thm-1-rate" => "KL Spider",
        "kl-thm-4-rate" => "adaptive",
        _ => return None,
    };
    let (campaign, slopes) = STORED.split_once('\n')?;
    let mut found = campaign.to_owned();
    let mut wanted = false;
    for line in slopes.lines() {
        // What is indented belongs to the line before.
        wanted = line.starts_with(method) || (wanted && line.starts_with(' '));
        if wanted {
            found += " ";
            found += line.trim();
            found += ";";
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn four_families_stand_beside_the_rate_of_each_method() {
        let spider = of("kl-thm-1-rate").expect("it has a rate");
        let adaptive = of("kl-thm-4-rate").expect("it has a rate");
        assert_eq!(spider.matches("KL Spider, ").count(), 4);
        assert_eq!(spider.matches("against").count(), 8);
        assert_eq!(adaptive.matches("adaptive, ").count(), 4);
        assert!(!spider.contains("adaptive") && !adaptive.contains("Spider"));
        assert_eq!(of("kl-thm-1"), None);
    }
}
