//! Pictures as inline SVG. Shapes, dashes and labels carry the meaning, colour only repeats it; the
//! colours are those of Okabe and Ito (2008), told apart by every kind of colour vision.

mod domain;
mod margin;
mod profile;
mod slack;
mod squeeze;
#[cfg(test)]
mod tests;

pub(super) use domain::{KEY, domain};
pub(super) use profile::profiles;
pub(super) use slack::slack;
pub(super) use squeeze::squeeze;
