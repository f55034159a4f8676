//! The certificates that come with the crate: one file per paper and one for the collection, embedded in the binary.

use super::certificate::Certificate;
use crate::claim::{Check, Claim, Effort, Paper};

/// Certificates with fewer boxes are not stored: finding them anew is as quick as reading them.
pub(super) const WORTH_STORING: usize = 8;

/// The stored certificate called `name`, which starts with its paper's prefix; `None` if there is
/// none.
///
/// # Errors
/// If there is one but it is not a certificate.
pub fn stored(name: &str) -> Option<Result<Certificate, String>> {
    let prefix = name.split('-').next()?;
    let text = prefix.parse::<Paper>().ok()?.certificates();
    let heading = format!("[{name}]\n");
    let start = if text.starts_with(&heading) {
        heading.len()
    } else {
        text.find(&format!("\n{heading}"))? + 1 + heading.len()
    };
    let rest = text.get(start..)?;
    let end = rest.find("\n[").map_or(rest.len(), |i| i + 1);
    Some(Certificate::from_text(rest.get(..end)?))
}

/// The stored file of a paper as a fresh search makes it: runs all its claims.
#[must_use]
pub fn regenerate(claims: &[Claim], paper: Paper) -> String {
    let mut text = String::new();
    for claim in claims.iter().filter(|c| c.paper() == paper) {
        let check = Check::printed(Effort::Search);
        let _ = (claim.check)(&check);
        for (name, certificate) in check.recorded() {
            text.push_str(&format!("[{name}]\n{certificate}"));
        }
    }
    text
}

/// The stored files of all papers as a fresh search makes them, each with its name in
/// `spec/certificates`: runs every claim under [`Effort::Search`]. They must equal
/// [`Paper::certificates`] byte for byte.
#[must_use]
pub fn regenerate_all(claims: &[Claim]) -> Vec<(Paper, String, String)> {
    Paper::BOOKS
        .into_iter()
        .map(|paper| (paper, format!("{paper}.txt"), regenerate(claims, paper)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Verdict;
    use crate::prove::{Decision, Domain, Forall, closed, decide};

    /// Every section of every file is read under its name, and as it stands there.
    #[test]
    fn certificates_are_found_by_their_names() {
        for paper in Paper::BOOKS {
            let text = paper.certificates();
            let sections: Vec<&str> = text.split_inclusive('[').skip(1).collect();
            let mut sum = 0;
            for section in sections {
                let section = section.strip_suffix('[').unwrap_or(section);
                let (name, certificate) = section.split_once("]\n").expect("a name in brackets");
                let read = stored(name).expect("it is there").expect("it is one");
                assert_eq!(read.to_text(), certificate, "{name}");
                sum += section.len() + 1;
            }
            assert_eq!(sum, text.len(), "{paper}");
        }
        assert!(stored("gcd-nothing").is_none() && stored("nothing").is_none());
    }

    /// The first needs many boxes, the second one.
    fn decided(check: &Check) -> Verdict {
        let (domain, [x, y]) = Domain::of_all(["x", "y"], closed(0), closed(1));
        let mean = (2 * x.powi(3) + y.powi(3)) / 3 + crate::arith::ratio(1, 20);
        let peak = Forall::le(domain, x.square() * &y, mean);
        for (name, forall) in [
            ("gcd-test", peak),
            ("gcd-short", Forall::le(Domain::new(), 0, 1)),
        ] {
            assert!(matches!(decide(check, name, &forall), Decision::Proved(_)));
        }
        Verdict::open("a test")
    }

    /// What is worth storing is written under its name, by the claims of each paper, and of no changed claim.
    #[test]
    fn a_fresh_search_writes_what_is_worth_storing() {
        let claim = |id: &'static str| Claim {
            id,
            check: decided,
            ..Claim::ALONE
        };
        let gcd: Paper = "gcd".parse().expect("a paper");
        let kl: Paper = "kl".parse().expect("a paper");
        let claims = [claim("gcd-test"), claim("kl-test"), claim("gcd-again")];
        let (twice, once) = (regenerate(&claims, gcd), regenerate(&claims, kl));
        assert_eq!(twice, once.repeat(2));
        let certificate = once.strip_prefix("[gcd-test]\n").expect("its name");
        let leaves = Certificate::from_text(certificate).expect("one").leaves();
        assert!(leaves >= WORTH_STORING, "{leaves}");
        let all = regenerate_all(&claims);
        assert_eq!(all.len(), Paper::BOOKS.len());
        for (paper, file, text) in all {
            assert_eq!(file, format!("{paper}.txt"));
            assert_eq!(text, regenerate(&claims, paper));
        }
        let changed = Check::mutated(crate::claim::Mutation {
            name: "any",
            value: 1.into(),
        });
        let _ = decided(&changed);
        assert!(changed.recorded().is_empty());
        // What is replayed is searched where nothing is stored.
        let replayed = Check::printed(Effort::Replay);
        let _ = decided(&replayed);
        assert_eq!(replayed.recorded().len(), 1);
    }
}
