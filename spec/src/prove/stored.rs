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
