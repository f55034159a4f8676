//! The theorems of five papers on private optimisation, as executable claims.
//!
//! This crate is the trusted base of dp-assay: it says what the papers state and decides, by
//! outward-rounded or exact arithmetic, whether it holds. It never depends on the implementation
//! that it judges.
//!
//! | module | what is in it |
//! |---|---|
//! | [`units`] | ε, δ, ρ, scales and neighbouring relations as types |
//! | [`claim`] | what a claim and a verdict are |
//! | [`arith`] | intervals over MPFR, exact rationals, enclosures of special functions |
//! | [`prove`] | for-all-over-a-box prover, refuter, certificates and their replay |
//! | [`kernel`] | theorems made by rules; claims that have moved: [`gcd::kernel`], [`skgd::kernel`] |
//! | [`privacy`] | certified definitions of privacy notions, conversions and composition |
//! | [`skgd`], [`gcd`], [`decor`], [`kl`], [`ambssgd`] | the papers, claim by claim |
//! | [`findings`] | what does not hold as printed, with effect and repair; what the papers are cited for, and what corrects it |
//! | [`coverage`] | which places of the papers are decided by claims |

#[cfg(feature = "certify")]
pub mod book;
pub mod claim;
pub mod units;

#[cfg(feature = "certify")]
pub mod arith;
#[cfg(feature = "certify")]
pub mod coverage;
#[cfg(feature = "certify")]
pub mod moved;
#[cfg(feature = "certify")]
pub mod privacy;
#[cfg(feature = "certify")]
pub mod prove;

#[cfg(feature = "certify")]
#[doc(no_inline)]
pub use dp_assay_kernel as kernel;

#[cfg(feature = "certify")]
pub mod ambssgd;
#[cfg(feature = "certify")]
pub mod decor;
#[cfg(feature = "certify")]
pub mod findings;
#[cfg(feature = "certify")]
pub mod gcd;
#[cfg(feature = "certify")]
pub mod kl;
#[cfg(feature = "certify")]
pub mod skgd;

/// Every claim of every paper, in the order of the papers' contents.
#[cfg(feature = "certify")]
#[must_use]
pub fn claims() -> Vec<claim::Claim> {
    [
        skgd::claims(),
        gcd::claims(),
        decor::claims(),
        kl::claims(),
        ambssgd::claims(),
    ]
    .concat()
}
