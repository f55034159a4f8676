//! Claims as theorems of the kernel: exactly what the claim says, printed so that it can be read back, checked a
//! second time by a program that shares no code, and as strong as the proof allows.

use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::Theorem;
use dp_assay_kernel::statement::{Statement, View};
use dp_assay_kernel::trace;
use dp_assay_spec::{gcd, moved, skgd};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

type Prove = fn(&Statement) -> Result<Theorem, Stuck>;

/// Every claim that has moved: its id, its statement and the program that proves it.
fn claims() -> Result<Vec<(&'static str, Statement, Prove)>, Stuck> {
    let mut all = Vec::new();
    for moved in moved::ALL {
        all.push((moved.id, (moved.statement)()?, moved.prove as Prove));
    }
    all.push((
        "gcd-thm-4.2-repaired (transcript)",
        gcd::kernel::statement(View::Transcript)?,
        gcd::kernel::prove,
    ));
    all.push((
        "gcd-thm-4.2-corrected (transcript)",
        gcd::kernel::corrected(View::Transcript)?,
        gcd::kernel::prove_corrected,
    ));
    Ok(all)
}

/// One line for every claim whose program fails.
#[test]
fn every_program_proves_its_statement() {
    let failed = moved::ALL
        .iter()
        .filter_map(|moved| match moved::theorem(moved.id) {
            Some(Err(why)) => Some(format!("{}: {why}", moved.id)),
            _ => None,
        });
    let failed: Vec<String> = failed.collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn a_theorem_says_exactly_what_its_claim_says() -> Result<(), Stuck> {
    for (id, statement, prove) in claims()? {
        assert_eq!(*prove(&statement)?.statement(), statement, "{id}");
    }
    let proved = gcd::kernel::thm_4_2_repaired()?;
    assert_eq!(*proved.statement(), gcd::kernel::statement(View::End)?);
    let premises: Vec<_> = proved.premises().iter().map(|p| p.name).collect();
    assert_eq!(premises, ["pure-to-zcdp", "zcdp-to-dp"]);
    assert!(skgd::kernel::thm_4_2_cvx()?.premises().is_empty());
    assert!(
        skgd::kernel::thm_4_2_cvx_at_printed_k()?
            .premises()
            .is_empty()
    );
    Ok(())
}

#[test]
fn printed_statements_are_read_back_and_differ() -> Result<(), Stuck> {
    // Two claims may say the same; two statements may not look the same.
    let mut texts = std::collections::BTreeMap::new();
    for (id, statement, _) in claims()? {
        let text = statement.to_string();
        // Names of bound variables, too.
        let read = trace::statement(&render::parse(&text)?);
        assert_eq!(read, trace::statement(&statement), "{id}");
        let before = texts.insert(text, statement.clone());
        assert!(before.is_none_or(|other| other == statement), "{id}");
    }
    // Theorem 1 is Theorem 6, and Corollary 3 is Corollary 12, at two q; one claim of skgd is Theorem 4.1, and one of decor a
    // lemma of skgd.
    assert_eq!(texts.len() + 6, claims()?.len());
    Ok(())
}

/// Neighbouring statements: what is written for what, and whether the program proves it. The numbers are where
/// each flips: of R²/K only half is needed, everything else is as small as this proof allows.
const NEIGHBOURS: &[(&str, &str, &str, bool)] = &[
    ("gcd-thm-4.2-repaired", "8·L_j", "9·L_j", true),
    ("gcd-thm-4.2-repaired", "8·L_j", "7·L_j", false),
    ("gcd-thm-4.2-repaired", "ε/8)", "ε/7)", true),
    ("gcd-thm-4.2-repaired", "ε/8)", "ε/9)", false),
    ("gcd-thm-4.2-repaired", "(1 + max", "(2 + max", true),
    ("gcd-thm-4.2-repaired", "(1 + max", "(1/2 + max", false),
    ("gcd-thm-4.2-repaired", "  assume δ ≤ 1\n", "", false),
    (
        "gcd-thm-4.2-repaired (transcript)",
        "T·max(",
        "2·T·max(",
        false,
    ),
    ("gcd-thm-4.2-corrected", "4·L_j", "5·L_j", true),
    ("gcd-thm-4.2-corrected", "4·L_j", "3·L_j", false),
    (
        "gcd-thm-4.2-corrected",
        "log(1/δ) + ε/2",
        "log(1/δ) + ε",
        true,
    ),
    (
        "gcd-thm-4.2-corrected",
        "log(1/δ) + ε/2",
        "log(1/δ) + ε/3",
        false,
    ),
    ("gcd-thm-4.2-corrected", "(1 + max", "(1/2 + max", false),
    ("gcd-thm-4.2-corrected", "  assume δ ≤ 1\n", "", false),
    ("gcd-thm-4.2-corrected (transcript)", "2·L_k", "1·L_k", true),
    ("skgd-thm-4.2-cvx", "R²/K", "R²/(2·K)", true),
    ("skgd-thm-4.2-cvx", "R²/K", "R²/(3·K)", false),
    ("skgd-thm-4.2-cvx", "12·K·c·Σ𝒮", "13·K·c·Σ𝒮", true),
    ("skgd-thm-4.2-cvx", "12·K·c·Σ𝒮", "11·K·c·Σ𝒮", false),
    ("skgd-thm-4.2-cvx", "12·L_U", "11·L_U", true),
    ("skgd-thm-4.2-cvx", "12·L_U", "13·L_U", false),
    ("skgd-thm-4.2-cvx", "(k·w_l + θ_l)/(k + 1)", "w_l", false),
    ("skgd-thm-4.2-cvx", "ℙ(j∈𝒮)/M_j", "2·ℙ(j∈𝒮)/M_j", false),
    ("skgd-thm-4.2-cvx", "  assume f is least at w⋆\n", "", false),
    ("gcd-sens-1", "≤ 2·L_j", "≤ 3·L_j", true),
    ("gcd-sens-1", "≤ 2·L_j", "≤ 1·L_j", false),
    (
        "gcd-sens-1-proof",
        "by at most 2·L_j",
        "by at most 3·L_j",
        true,
    ),
    (
        "gcd-sens-1-proof",
        "by at most 2·L_j",
        "by at most 1·L_j",
        false,
    ),
    (
        "gcd-sens-clip",
        "by at most 2·C_j",
        "by at most 3·C_j",
        true,
    ),
    (
        "gcd-sens-clip",
        "by at most 2·C_j",
        "by at most 1·C_j",
        false,
    ),
    (
        "gcd-sens-clip",
        "record replaced",
        "record left out of every sum, and the same number of records",
        true,
    ),
    ("gcd-mech-rnm-repaired", ":= √(M_j)", ":= 2·√(M_j)", true),
    (
        "gcd-mech-rnm-repaired",
        "(r(j) + max",
        "(r(j)/2 + max",
        false,
    ),
    ("gcd-mech-rnm-repaired", "is (ε′)-DP", "is (ε′/2)-DP", false),
    ("gcd-red-tail", "2·√(ρ", "3·√(ρ", true),
    ("gcd-red-tail", "2·√(ρ", "1·√(ρ", false),
    ("gcd-red-tail", "h ← a", "h ← h₀", true),
    ("gcd-imp-advcomp", "√(2·k", "2·√(2·k", true),
    ("gcd-imp-advcomp", "+ k·e·", "+ 2·k·e·", true),
    ("gcd-imp-advcomp", "√(2·k", "√(1·k", false),
    ("gcd-imp-cor3.21-restricted", "ε ≤ 8·l", "ε ≤ 7·l", true),
    ("gcd-imp-cor3.21-restricted", "ε ≤ 8·l", "ε ≤ 9·l", false),
    ("gcd-imp-cor3.21-restricted", "√(2·k", "√(3·k", true),
    ("gcd-imp-cor3.21-restricted", "√(2·k", "√(1·k", false),
    ("gcd-eq-2-repaired", "+ 2·T·ε′", "+ 3·T·ε′", true),
    ("gcd-eq-2-repaired", "+ 2·T·ε′", "+ 1·T·ε′", true),
    ("gcd-eq-2-repaired", "+ 2·T·ε′", "+ 1/2·T·ε′", false),
    ("gcd-eq-2-repaired", "√(4·T", "√(3·T", false),
    ("gcd-eq-2-repaired", ":= 2·L_j", ":= 1·L_j", false),
    ("skgd-lem-C.1", "≤ L_U", "≤ 2·L_U", true),
    ("skgd-lem-C.1", "≤ L_U", "≤ L_U/2", false),
    (
        "skgd-lem-C.1",
        "  set U that 𝒮 draws\n",
        "  set U⊆d\n",
        false,
    ),
    ("skgd-lem-3.9", "≤ 2·L_U", "≤ 3·L_U", true),
    ("skgd-lem-3.9", "≤ 2·L_U", "≤ 1·L_U", false),
    ("skgd-lem-D.8", "√(3·γ", "√(4·γ", true),
    ("skgd-lem-D.8", "√(3·γ", "√(2·γ", false),
    ("skgd-lem-D.8", "ε ≤ 1\n", "ε ≤ 2\n", false),
    ("skgd-lem-D.8", "δ ≤ 1/3", "δ ≤ 1/2", false),
    ("skgd-thm-4.1", "12·L_U", "13·L_U", true),
    ("skgd-thm-4.1", "12·L_U", "11·L_U", false),
    ("skgd-thm-4.1", "L_U²·K·T", "L_U²·T", false),
    ("skgd-thm-4.1", "k<K", "k<(K + 1)", false),
    ("skgd-thm-4.1-dp", "12·L_U", "13·L_U", true),
    ("skgd-thm-4.1-dp", "12·L_U", "11·L_U", false),
    (
        "kl-lem-8-grad-repaired",
        "by at most 2·L₀",
        "by at most 3·L₀",
        true,
    ),
    (
        "kl-lem-8-grad-repaired",
        "by at most 2·L₀",
        "by at most L₀",
        false,
    ),
    (
        "kl-lem-8-grad-reading-zero-out",
        "moves by at most L₀",
        "moves by at most 2·L₀",
        true,
    ),
    (
        "kl-lem-8-grad-reading-zero-out",
        "moves by at most L₀",
        "moves by at most L₀/2",
        false,
    ),
    ("kl-thm-9-sens", "by at most 2·L₀", "by at most 3·L₀", true),
    ("kl-thm-9-sens", "by at most 2·L₀", "by at most L₀", false),
    ("kl-thm-9-priv", "4·L₀²·T", "2·L₀²·T", true),
    ("kl-thm-9-priv", "4·L₀²·T", "1·L₀²·T", false),
    ("kl-thm-2-priv", "(ρ/T)-zCDP", "(ρ/(2·T))-zCDP", true),
    ("kl-thm-2-priv", "(ρ/T)-zCDP", "(2·ρ/T)-zCDP", false),
    ("kl-thm-2-priv", "  assume R ≤ T\n", "", false),
    (
        "kl-thm-2-priv-repaired",
        "(ρ/R)-zCDP",
        "(ρ/(2·R))-zCDP",
        true,
    ),
    (
        "kl-thm-2-priv-repaired",
        "(ρ/R)-zCDP",
        "(2·ρ/R)-zCDP",
        false,
    ),
    ("ambssgd-lem-A.1-sens", "at most 2·η", "at most 3·η", true),
    ("ambssgd-lem-A.1-sens", "at most 2·η", "at most 1·η", false),
    ("ambssgd-thm-3.6-sens", "at most 2·η", "at most 3·η", true),
    ("ambssgd-thm-3.6-sens", "at most 2·η", "at most 1·η", false),
    ("ambssgd-lem-3.10-sens", "at most 1", "at most 2", true),
    ("ambssgd-lem-3.10-sens", "at most 1", "at most 1/2", false),
    (
        "ambssgd-lem-3.10-priv-proof-repaired",
        "((m + 1)/",
        "((m + 2)/",
        true,
    ),
    (
        "ambssgd-lem-3.10-priv-proof-repaired",
        "((m + 1)/",
        "(m/",
        false,
    ),
    (
        "ambssgd-thm-3.6-cal",
        "(1/α²)-zCDP",
        "(1/(2·α²))-zCDP",
        false,
    ),
    ("ambssgd-thm-3.6-cal", "2·√(log", "3·√(log", true),
    ("ambssgd-thm-3.6-cal", "2·√(log", "1·√(log", false),
    ("ambssgd-thm-3.6-cal-small", "√(8·log", "√(7·log", false),
    ("ambssgd-thm-3.6-cal-small", "√(8·log", "2·√(8·log", true),
    ("skgd-thm-4.2-cvx-printed-K", "13·R·", "14·R·", true),
    ("skgd-thm-4.2-cvx-printed-K", "13·R·", "12·R·", false),
    ("skgd-thm-4.2-cvx-sharp", "R²/(2·K)", "R²/(3·K)", false),
    ("skgd-thm-4.2-cvx-sharp", "12·K·c·Σ𝒮", "11·K·c·Σ𝒮", false),
    ("skgd-thm-4.2-cvx-public-K", "49·ϱ", "50·ϱ", true),
    ("skgd-thm-4.2-cvx-public-K", "49·ϱ", "48·ϱ", false),
    ("skgd-thm-4.2-cvx-public-K", "12·c·Σ𝒮", "11·c·Σ𝒮", false),
    ("skgd-thm-4.2-cvx-public-K", "R ≤ ϱ", "R ≤ 2·ϱ", false),
    ("skgd-thm-4.2-cvx-corrected", "49·ϱ", "50·ϱ", true),
    ("skgd-thm-4.2-cvx-corrected", "49·ϱ", "48·ϱ", false),
    ("skgd-thm-4.2-cvx-corrected", "12·L_U", "13·L_U", false),
    ("skgd-thm-4.2-cvx-corrected", "12·L_U", "11·L_U", false),
    ("skgd-thm-4.2-cvx-corrected", "≤ ϱ²:", "≤ 2·ϱ²:", false),
    (
        "skgd-thm-4.2-cvx-corrected",
        "if f is least at w⋆: ",
        "",
        false,
    ),
    (
        "skgd-thm-4.2-cvx-corrected",
        "repeat k<K",
        "repeat k<n",
        false,
    ),
    (
        "skgd-thm-4.2-sc-corrected",
        "K·c·Σ𝒮²; F",
        "K·c·Σ𝒮²/2; F",
        false,
    ),
    ("skgd-thm-4.2-sc-corrected", "12·L_U", "11·L_U", false),
    ("skgd-thm-4.2-sc-corrected", "(72·A)", "(71·A)", false),
    ("skgd-thm-4.2-sc-corrected", "(72·A)", "(73·A)", true),
    ("skgd-thm-4.2-sc-corrected", "(24·K)", "(25·K)", true),
    ("skgd-thm-4.2-sc-corrected", "(24·K)", "(23·K)", false),
    (
        "skgd-thm-4.2-sc-corrected",
        "assume 2·A ≤ K",
        "assume A ≤ K",
        false,
    ),
    ("skgd-thm-4.2-sc-corrected", "θ ← w\n", "θ ← w₀\n", false),
    ("skgd-thm-4.2-sc-repaired", "61 + 60·λ", "62 + 60·λ", true),
    ("skgd-thm-4.2-sc-repaired", "61 + 60·λ", "60 + 60·λ", false),
    ("skgd-thm-4.2-sc-repaired", "61 + 60·λ", "61 + 59·λ", false),
    (
        "skgd-thm-4.2-sc-repaired",
        "24·K·c·Σ𝒮²; ",
        "23·K·c·Σ𝒮²; ",
        false,
    ),
    (
        "skgd-thm-4.2-sc-repaired",
        "log(X) = λ·log(2)\n",
        "log(X) = λ·log(3)\n",
        false,
    ),
    (
        "skgd-thm-4.2-sc-rate-repaired",
        "122 + 120·λ",
        "123 + 120·λ",
        true,
    ),
    (
        "skgd-thm-4.2-sc-rate-repaired",
        "122 + 120·λ",
        "121 + 120·λ",
        false,
    ),
    ("skgd-thm-4.2-cvx-rate", "25·R", "26·R", true),
    ("skgd-thm-4.2-cvx-rate", "25·R", "24·R", false),
    ("decor-rem-magnitudes", "6·T·l", "7·T·l", true),
    ("decor-rem-magnitudes", "6·T·l", "5·T·l", false),
    ("decor-rem-magnitudes", "ε ≤ l", "ε ≤ 2·l", false),
    ("gcd-thm-4.4-cvx-T-repaired", "X/4", "X/5", false),
    ("gcd-thm-4.4-cvx-T-repaired", ")/64", ")/63", false),
    ("kl-lem-5-move", "≤ 2·b/L₁", "≤ 3·b/L₁", true),
    ("kl-lem-5-move", "≤ 2·b/L₁", "≤ b/L₁", false),
    ("kl-lem-5-move", "‖g‖ ≤ b", "‖g‖ ≤ 2·b", false),
    ("kl-thm-4-budget-repaired", "4·γ²", "5·γ²", true),
    ("kl-thm-4-budget-repaired", "4·γ²", "3·γ²", false),
    ("kl-thm-4-budget-repaired", "≤ 4/G²;", "≤ 3/G²;", false),
    ("skgd-lem-D.7", "log(1/δ)/x", "2·log(1/δ)/x", true),
    ("skgd-lem-D.7", "log(1/δ)/x", "log(1/δ)/(2·x)", false),
    ("ambssgd-conv-zcdp", "1 + √(l/ρ)", "1 + √(2·l/ρ)", false),
    (
        "ambssgd-conv-zcdp",
        "(ρ·(1 + x) + l/x, δ)",
        "(2·ρ·(1 + x) + l/x, δ)",
        true,
    ),
    (
        "ambssgd-conv-zcdp",
        "(ρ·(1 + x) + l/x, δ)",
        "(ρ·(1 + x), δ)",
        false,
    ),
    ("kl-fact-conv", "9·l", "10·l", true),
    ("kl-fact-conv", "9·l", "8·l", false),
    ("kl-fact-conv", "ε ≤ √(l)", "ε ≤ 2·√(l)", false),
    (
        "decor-aux-mixture",
        "P is (1 + x, ε)",
        "P is (1 + x, ε/2)",
        false,
    ),
    (
        "ambssgd-thm-3.6-disjoint-zcdp",
        "√(2·(log",
        "2·√(2·(log",
        true,
    ),
    (
        "ambssgd-thm-3.6-disjoint-zcdp",
        "√(2·(log",
        "√(1·(log",
        false,
    ),
    (
        "ambssgd-thm-3.6-disjoint-zcdp",
        "p + q ≤ 1",
        "p + q ≤ 2",
        false,
    ),
    ("skgd-thm-4.2-sc-repaired", "≤ μ·A", "≤ 2·μ·A", false),
    ("skgd-thm-4.2-sc-round", "12·K·c·Σ𝒮", "11·K·c·Σ𝒮", false),
    ("skgd-thm-4.2-sc-round", "R² ≤ K", "R² ≤ 2·K", false),
    ("gcd-foot-2", "8·L_j", "7·L_j", false),
    ("gcd-foot-2", "the path of", "the end of", true),
    ("gcd-thm-4.2-restricted", "8·L_j", "9·L_j", true),
    ("gcd-thm-4.2-restricted", "8·L_j", "7·L_j", false),
    (
        "gcd-thm-4.2-restricted",
        "  assume 1 ≤ log(1/δ)\n",
        "",
        false,
    ),
    ("gcd-eq-2-restricted", "√(4·T", "2·√(4·T", true),
    ("gcd-eq-2-restricted", "√(4·T", "√(3·T", false),
    ("gcd-thm-4.2-proof-access", "√(16·T", "√(15·T", false),
    ("gcd-alg-dpsgd-sens", "at most 2·C", "at most 3·C", true),
    ("gcd-alg-dpsgd-sens", "at most 2·C", "at most 1·C", false),
    ("gcd-lem-B.2-proof-lines", "c²/2", "c²", true),
    ("gcd-lem-B.2-proof-lines", "c²/2", "c²/3", false),
    (
        "gcd-lem-B.4-proof-sign-repaired",
        "− u²/c₀",
        "− u²/(2·c₀)",
        false,
    ),
    (
        "skgd-lem-mixture",
        "ε)-RDP for every",
        "2·ε)-RDP for every",
        false,
    ),
    (
        "skgd-lem-post-processing",
        "(ε, δ)-DP for every",
        "(2·ε, δ)-DP for every",
        false,
    ),
    ("skgd-thm-4.1-proof-chain", "3·K·log", "4·K·log", true),
    ("skgd-thm-4.1-proof-chain", "3·K·log", "2·K·log", false),
    ("skgd-thm-4.2-cvx-minimiser-repaired", "13·R", "12·R", false),
    ("skgd-thm-4.2-cvx-minimiser-repaired", "4·R", "3·R", false),
    ("decor-lem-10", "ε₁ + ε₂", "ε₁", false),
    ("skgd-prop-D.6", "Σ_{k<K} e_k", "Σ_{k<K} 2·e_k", true),
    ("skgd-prop-D.6", "Σ_{k<K} e_k", "Σ_{k<K} e_k/2", false),
    ("decor-fact-sens", "at most 2·C", "at most 3·C", true),
    ("decor-fact-sens", "at most 2·C", "at most 1·C", false),
    ("decor-base-ldp", "2·C²", "3·C²", true),
    ("decor-base-ldp", "2·C²", "1·C²", false),
    ("decor-base-cdp", "2·C²", "3·C²", true),
    ("decor-base-cdp", "2·C²", "1·C²", false),
    ("decor-drv-4", "2·√((T·s)", "3·√((T·s)", true),
    ("decor-drv-4", "2·√((T·s)", "1·√((T·s)", false),
    ("decor-cor-12-alpha", "2·C·√(2·T·S)", "1·C·√(2·T·S)", false),
    ("decor-thm-6", "(2·C²", "(1·C²", false),
    ("decor-cor-12-priv", "32·C²", "33·C²", true),
    ("decor-cor-12-priv", "32·C²", "31·C²", false),
    ("decor-cor-12-priv-tight", "κ = 12", "κ = 11", false),
    ("decor-alg-1-corrected", "ε ≤ ℓ", "ε ≤ 2·ℓ", false),
    ("kl-thm-4-rate-intro-repaired", "≤ 2·(d", "≤ 3·(d", true),
    ("kl-thm-4-rate-intro-repaired", "≤ 2·(d", "≤ 1·(d", false),
    (
        "kl-thm-3-round-reading-inside-zero-out",
        "(√(ρ)/n)-zCDP",
        "(√(ρ)/(2·n))-zCDP",
        true,
    ),
    (
        "kl-thm-3-round-reading-inside-zero-out",
        "(√(ρ)/n)-zCDP",
        "(√(ρ)/(3·n))-zCDP",
        false,
    ),
    (
        "kl-thm-3-reading-inside-zero-out",
        "(ρ)-zCDP",
        "(ρ/4)-zCDP",
        true,
    ),
    (
        "kl-thm-3-reading-inside-zero-out",
        "(ρ)-zCDP",
        "(ρ/5)-zCDP",
        false,
    ),
    ("kl-thm-3-repaired-zero-out", "(ρ)-zCDP", "(ρ/4)-zCDP", true),
    (
        "kl-thm-3-repaired-zero-out",
        "(ρ)-zCDP",
        "(ρ/5)-zCDP",
        false,
    ),
    (
        "kl-thm-3-repaired",
        "2·√(ρ)/n)-zCDP",
        "3·√(ρ)/n)-zCDP",
        true,
    ),
    (
        "kl-thm-3-repaired",
        "2·√(ρ)/n)-zCDP",
        "1·√(ρ)/n)-zCDP",
        false,
    ),
    ("kl-thm-3-repaired", "is (ρ)-zCDP", "is (ρ/2)-zCDP", false),
    (
        "kl-thm-3-repaired-quarter",
        "2·√(ρ)/n)-zCDP",
        "3·√(ρ)/n)-zCDP",
        true,
    ),
    (
        "kl-thm-3-repaired-quarter",
        "2·√(ρ)/n)-zCDP",
        "1·√(ρ)/n)-zCDP",
        false,
    ),
    ("kl-thm-3-repaired-transcript", "(3·ρ/2", "(4·ρ/2", true),
    ("kl-thm-3-repaired-transcript", "(3·ρ/2", "(2·ρ/2", false),
    ("kl-thm-4-corrected", "(ρ)-zCDP", "(2·ρ)-zCDP", true),
    ("kl-thm-4-corrected", "(ρ)-zCDP", "(ρ/2)-zCDP", false),
    ("kl-thm-4-corrected", "17·γ²", "18·γ²", true),
    ("kl-thm-4-corrected", "17·γ²", "16·γ²", false),
    ("kl-thm-4-corrected", "log(2·γ·B)", "log(3·γ·B)", true),
    ("kl-thm-4-corrected", "log(2·γ·B)", "log(γ·B)", false),
    ("kl-thm-4-corrected", "(2·A + B)", "(3·A + B)", true),
    ("kl-thm-4-corrected", "(2·A + B)", "(A + B)", false),
    ("kl-thm-4-corrected", "(512/3)", "(513/3)", true),
    ("kl-thm-4-corrected", "(512/3)", "(511/3)", false),
    ("kl-thm-4-corrected", "(512·γ²", "(513·γ²", true),
    ("kl-thm-4-corrected", "(512·γ²", "(511·γ²", false),
    ("kl-thm-4-corrected", "1 − β ≤", "1 − 2·β ≤", true),
    ("kl-thm-4-corrected", "1 − β ≤", "1 − β/2 ≤", false),
    ("kl-thm-4-corrected", "if ‖S(w₀)‖ ≤ 0: ", "", false),
    ("kl-thm-4-corrected", "if F(w₀) ≤ α: ", "", false),
    ("kl-thm-4-corrected", "  assume 1 ≤ κ\n", "", false),
    ("kl-thm-4-corrected", "B²/(8·L₁)", "B²/(9·L₁)", false),
    (
        "kl-thm-4-corrected",
        "√(2·Λ)\n  assume",
        "√(Λ)\n  assume",
        false,
    ),
    ("kl-thm-4-corrected", "assume 2·R ≤", "assume R ≤", false),
    (
        "kl-thm-4-corrected",
        "2·(√(d) + √(2·Λ))",
        "√(d) + √(2·Λ)",
        false,
    ),
    ("kl-thm-3-corrected", "(ρ)-zCDP", "(2·ρ)-zCDP", true),
    ("kl-thm-3-corrected", "(ρ)-zCDP", "(ρ/2)-zCDP", false),
    ("ambssgd-eq-8-9-repaired", "≤ 2·√", "≤ 3·√", true),
    ("ambssgd-eq-8-9-repaired", "≤ 2·√", "≤ 3/2·√", false),
    ("decor-rem-scale", "assume c ≤ m", "assume c ≤ 2·m", false),
    ("decor-rem-scale", "(2·C²", "(1·C²", false),
    (
        "kl-thm-3-round-repaired",
        "(2·√(ρ)/n)-zCDP",
        "(3·√(ρ)/n)-zCDP",
        true,
    ),
    (
        "kl-thm-3-round-repaired",
        "(2·√(ρ)/n)-zCDP",
        "(1·√(ρ)/n)-zCDP",
        false,
    ),
    ("ambssgd-lem-3.10-priv", "(1/(2·α²))", "(1/α²)", true),
    ("ambssgd-lem-3.10-priv", "(1/(2·α²))", "(1/(3·α²))", false),
    ("gcd-thm-4.4-cvx-gap-repaired", "64·R", "63·R", false),
    ("gcd-thm-4.4-cvx-gap-repaired", "32·R", "33·R", false),
    ("kl-thm-9-proof-repaired", "ρ ≤ 1/2", "ρ ≤ 2/3", false),
    ("gcd-disc-quasi-alpha", "α² ≤ C", "α² ≤ 2·C", false),
    ("skgd-cor-D.5-repaired", "α·Δ²/(2·σ²)", "α·Δ²/σ²", true),
    ("skgd-cor-D.5-repaired", "α·Δ²/(2·σ²)", "α·Δ²/(3·σ²)", false),
    ("gcd-rem-4.3-repaired", "+ 2·T·ε′", "+ 1·T·ε′", true),
    ("gcd-rem-4.3-repaired", "+ 2·T·ε′", "+ 1/2·T·ε′", false),
    ("gcd-rem-4.3-repaired", "√(4·T", "√(3·T", false),
    ("kl-lem-8-diff-repaired", "φ/(2·γ", "φ/(1·γ", true),
    ("kl-lem-8-diff-repaired", "φ/(2·γ", "φ/(3·γ", false),
    ("kl-lem-8-diff-repaired", "m ≤ 2·T", "m ≤ 3·T", true),
    ("kl-lem-8-diff-repaired", "m ≤ 2·T", "m ≤ 3/2·T", false),
    ("kl-lem-8-reading-zero-out", "(9·ρ/16)", "(2·ρ)", true),
    ("kl-lem-8-reading-zero-out", "(9·ρ/16)", "(8·ρ/16)", false),
    ("kl-lem-8-repaired", "(9·ρ/4)", "(10·ρ/4)", true),
    ("kl-lem-8-repaired", "(9·ρ/4)", "(8·ρ/4)", false),
    (
        "kl-lem-8-repaired",
        "exceeds T_k + 1",
        "exceeds T_k + 2",
        false,
    ),
    (
        "kl-thm-1-priv-reading-zero-out",
        "(ρ)-zCDP",
        "(9·ρ/16)-zCDP",
        true,
    ),
    (
        "kl-thm-1-priv-reading-zero-out",
        "(ρ)-zCDP",
        "(ρ/2)-zCDP",
        false,
    ),
    ("kl-thm-1-priv-repaired", "(ρ)-zCDP", "(2·ρ)-zCDP", true),
    ("kl-thm-1-priv-repaired", "(ρ)-zCDP", "(8·ρ/9)-zCDP", false),
    ("ambssgd-thm-3.6-comp", "p² + q²", "p² + 2·q²", true),
    ("ambssgd-thm-3.6-comp", "p² + q²", "p² + q²/2", false),
    ("ambssgd-thm-3.6-zcdp", "(1/α²)-zCDP", "(2/α²)-zCDP", true),
    (
        "ambssgd-thm-3.6-zcdp",
        "(1/α²)-zCDP",
        "(1/(2·α²))-zCDP",
        false,
    ),
    ("ambssgd-thm-3.6-zcdp", "  assume q ≤ 1\n", "", false),
    ("ambssgd-cor-3.8", "√(8·log", "2·√(8·log", true),
    ("ambssgd-cor-3.8", "√(8·log", "√(7·log", false),
    ("kl-mech-tstar", "is (ρ/2)-zCDP", "is (ρ)-zCDP", true),
    ("kl-mech-tstar", "is (ρ/2)-zCDP", "is (ρ/3)-zCDP", false),
    (
        "kl-thm-5-priv-proof-reading-zero-out",
        "is (√(ρ))-DP",
        "is (2·√(ρ))-DP",
        true,
    ),
    (
        "kl-thm-5-priv-proof-reading-zero-out",
        "is (√(ρ))-DP",
        "is (√(ρ)/2)-DP",
        false,
    ),
    (
        "kl-thm-5-priv-reading-inside-zero-out",
        "(2·ρ)-zCDP",
        "(3·ρ/8)-zCDP",
        true,
    ),
    (
        "kl-thm-5-priv-reading-inside-zero-out",
        "(2·ρ)-zCDP",
        "(ρ/3)-zCDP",
        false,
    ),
    (
        "kl-thm-5-priv-repaired-zero-out",
        "(2·ρ)-zCDP",
        "(3·ρ/8)-zCDP",
        true,
    ),
    (
        "kl-thm-5-priv-repaired-zero-out",
        "(2·ρ)-zCDP",
        "(ρ/3)-zCDP",
        false,
    ),
    ("kl-thm-5-priv-repaired", "(2·ρ)-zCDP", "(3·ρ)-zCDP", true),
    ("kl-thm-5-priv-repaired", "(2·ρ)-zCDP", "(1·ρ)-zCDP", false),
    (
        "kl-thm-5-priv-repaired",
        "assume 4 ≤ n",
        "assume 3 ≤ n",
        false,
    ),
    ("kl-par-alg-3", "Nₜ′ ≤ √(2)·", "Nₜ′ ≤ √(3)·", false),
    ("kl-red-log", "1 ≤ (1 + 1/x)", "1/2 ≤ (1 + 1/x)", true),
    ("kl-red-log", "x/(1 + x) ≤", "2·x/(1 + x) ≤", false),
    ("kl-par-alg-2", "T := (1 + y)·B", "T := (2 + y)·B", true),
    ("kl-par-alg-2", "T := (1 + y)·B", "T := y·B", false),
    ("kl-thm-1-K", "K := (1 + y)·B", "K := (2 + y)·B", true),
    ("kl-thm-1-K", "K := (1 + y)·B", "K := y·B", false),
    ("kl-thm-1-K-repaired", "(32·γ·L₀·√(R", "(33·γ·L₀·√(R", true),
    ("kl-thm-1-K-repaired", "(32·γ·L₀·√(R", "(γ·L₀/2·√(R", false),
    ("kl-thm-1-K-repaired", "K ≤ R", "K/2 ≤ R", false),
    ("kl-thm-2-T", "1/(1 + y) ≤ ℓ", "2/(1 + y) ≤ ℓ", false),
    (
        "kl-thm-2-T-repaired",
        "t := (1 + y)·B",
        "t := (2 + y)·B",
        true,
    ),
    ("kl-thm-2-T-repaired", "t := (1 + y)·B", "t := y·B", false),
    (
        "kl-thm-2-T-repaired",
        "assume 1 ≤ ω",
        "assume 1/2 ≤ ω",
        false,
    ),
    ("decor-D1-mono", "assume t ≤ t′", "assume t′ ≤ t", false),
    ("decor-D1-mono", "2·C²·y_i ≤", "3·C²·y_i ≤", false),
    ("decor-D1-interval", "σ ≤ C·√(2)", "σ ≤ 2·C·√(2)", true),
    ("decor-D1-interval", "σ ≤ C·√(2)", "σ ≤ C", false),
    ("decor-D1-interval", "assume m ≤ n", "assume n ≤ m", false),
    ("decor-2conn", "= 2·C²/σ²", "= 3·C²/σ²", false),
    ("skgd-lem-cocoercive", ")/2 ≤ f(y)", ") ≤ f(y)", false),
    ("skgd-fact-unbiased", "= x_j", "= 2·x_j", false),
    ("skgd-fact-step-mean", "= θ_j − γ_j", "= θ_j − 2·γ_j", false),
    ("skgd-lem-E.1", "2·(f(w₀)", "3·(f(w₀)", false),
    ("skgd-lem-E.1", "2·K", "3·K", false),
    ("skgd-lem-E.2", "= x_j;", "= 2·x_j;", false),
    ("skgd-lem-E.3", "(1 − α)·", "(2 − α)·", false),
    ("skgd-lem-E.4-repaired", "− 1/M_j", "− 1/(2·M_j)", true),
    ("skgd-lem-E.4-repaired", "− 1/M_j", "− 2/M_j", false),
    ("skgd-lem-E.5", "(2·α + 1)/2", "(2·α + 2)/2", true),
    ("skgd-lem-E.5", "(2·α + 1)/2", "2·α/2", false),
    (
        "skgd-lem-E.5-proof-equality-repaired",
        "(1/M_j − (",
        "(2/M_j − (",
        false,
    ),
    ("skgd-thm-4.2-sc-proof-index-repaired", "2·N′", "3·N′", true),
    (
        "skgd-thm-4.2-sc-proof-index-repaired",
        "2·N′",
        "1·N′",
        false,
    ),
    ("skgd-lem-E.1-proof-sums", "/2 + K·N′;", "/3 + K·N′;", false),
    ("skgd-fact-isotropic", "= β·‖x‖²", "= 2·β·‖x‖²", false),
    ("skgd-lem-E.5-proof-chain", "1/M_j −", "2/M_j −", false),
    ("ambssgd-cmp-regime-repaired", "≤ 2·r(c²", "≤ 3·r(c²", true),
    ("ambssgd-cmp-regime-repaired", "≤ 2·r(c²", "≤ 1·r(c²", false),
    ("ambssgd-cmp-sizes", "κ²·d² ≤", "2·κ²·d² ≤", false),
    ("ambssgd-lem-geometric", "≤ 1 + 1/x", "≤ 2 + 1/x", true),
    ("ambssgd-lem-geometric", "≤ 1 + 1/x", "≤ 1 + 1/(2·x)", false),
    ("kl-thm-4-long", "√(ρ)/2 ≤", "√(ρ)/3 ≤", false),
    ("gcd-thm-4.4-sc-T-repaired", "≤ ν·ξ₀", "≤ 2·ν·ξ₀", true),
    ("gcd-thm-4.4-sc-T-repaired", "≤ ν·ξ₀", "≤ ν/2·ξ₀", false),
    (
        "ambssgd-lem-A.1-restricted",
        "assume √(2·l)",
        "assume 2·√(2·l)",
        true,
    ),
    (
        "ambssgd-lem-A.1-restricted",
        "assume √(2·l)",
        "assume √(2·l)/2",
        false,
    ),
    (
        "ambssgd-lem-A.1-restricted",
        "is (ε, δ)-DP",
        "is (2·ε, δ)-DP",
        true,
    ),
    (
        "ambssgd-lem-A.1-restricted",
        "is (ε, δ)-DP",
        "is (ε/2, δ)-DP",
        false,
    ),
    (
        "ambssgd-lem-A.1-restricted",
        "assume ε ≤ 1",
        "assume ε ≤ 12",
        false,
    ),
    (
        "ambssgd-lem-exp",
        "≤ (1 + y) + y²",
        "≤ (1 + y) + 2·y²",
        true,
    ),
    (
        "gcd-thm-4.4-sc-corrected",
        "(51·ρ²·T·m",
        "(50·ρ²·T·m",
        false,
    ),
    (
        "gcd-thm-4.4-sc-corrected",
        "q = 1 − μ/4",
        "q = 1 − μ/3",
        false,
    ),
    ("gcd-thm-4.4-sc-corrected", "≤ 8·β/μ", "≤ 9·β/μ", true),
    ("gcd-thm-4.4-sc-corrected", "≤ 8·β/μ", "≤ 7·β/μ", false),
    (
        "gcd-thm-4.4-sc-corrected",
        "log(2·T·p/ζ) = Λ",
        "log(1·T·p/ζ) = Λ",
        false,
    ),
    ("gcd-thm-4.4-sc-corrected", "2·L_k", "1·L_k", true),
    ("gcd-thm-4.4-sc-corrected", "(1 + max", "(2 + max", false),
    ("gcd-thm-4.4-sc-corrected", "(1/M_i)·a", "(2/M_i)·a", false),
    ("gcd-thm-4.4-sc-corrected", "1 − ζ ≤", "1 − ζ/2 ≤", false),
    (
        "gcd-thm-4.4-sc-corrected",
        "if f(w₀) − f(w⋆) ≤ G: ",
        "",
        false,
    ),
    (
        "gcd-thm-4.4-sc-corrected",
        "Laplace(λ′(k))",
        "Laplace(λ(k))",
        false,
    ),
    (
        "gcd-thm-4.4-cvx-corrected",
        "(51·ρ²·T·m",
        "(50·ρ²·T·m",
        false,
    ),
    ("gcd-thm-4.4-cvx-corrected", "29·R²/q", "30·R²/q", true),
    ("gcd-thm-4.4-cvx-corrected", "29·R²/q", "28·R²/q", false),
    ("gcd-thm-4.4-cvx-corrected", "(8·R²)·β", "(7·R²)·β", false),
    (
        "gcd-thm-4.4-cvx-corrected",
        "max(8·R²/T, β))]",
        "max(7·R²/T, β))]",
        false,
    ),
    ("gcd-thm-4.4-cvx-corrected", "if u + β ≤ G: ", "", false),
    ("gcd-thm-4.4-cvx-corrected", "64 ≤ q", "60 ≤ q", false),
    (
        "gcd-thm-4.4-cvx-corrected",
        "log(2·T·p/ζ) = Λ",
        "log(1·T·p/ζ) = Λ",
        false,
    ),
    (
        "ambssgd-lem-exp",
        "≤ (1 + y) + y²",
        "≤ (1 + y) + y²/2",
        false,
    ),
    (
        "gcd-aux-renyi",
        "/(1 + x)\n  integer",
        "/(2 + x)\n  integer",
        false,
    ),
    ("gcd-aux-renyi", "(τ − ε)", "(τ − 2·ε)", false),
    ("kl-red-range", "(η²/8)", "(η²/7)", true),
    ("kl-red-range", "(η²/8)", "(η²/9)", false),
    ("kl-imp-adaptive", "is (ρ)-zCDP", "is (2·ρ)-zCDP", true),
    ("kl-imp-adaptive", "is (ρ)-zCDP", "is (ρ/2)-zCDP", false),
    ("kl-imp-adaptive", "sum of ‖r(w)‖", "sum of ‖r(w)‖/2", false),
    (
        "gcd-red-rr",
        "by k·Response(ε)",
        "by k·Response(ε/2)",
        false,
    ),
    (
        "gcd-aux-response",
        "by Response(ε);",
        "by Response(ε/2);",
        false,
    ),
    ("gcd-aux-dominated", "k·(P + Q)", "k·P", false),
    ("gcd-aux-dominated", "l_i ≤ u_i", "u_i ≤ l_i", false),
    (
        "decor-aux-simulate",
        "Gaussian(k·μ²)",
        "Gaussian(2·k·μ²)",
        true,
    ),
    (
        "decor-aux-simulate",
        "Gaussian(k·μ²)",
        "Gaussian(k·μ²/2)",
        false,
    ),
    (
        "ambssgd-thm-3.6-disjoint",
        "Gaussian(1/α²)",
        "Gaussian(2/α²)",
        true,
    ),
    (
        "ambssgd-thm-3.6-disjoint",
        "Gaussian(1/α²)",
        "Gaussian(1/(2·α²))",
        false,
    ),
    (
        "ambssgd-thm-3.6-disjoint",
        "assume p + q ≤ 1",
        "assume p ≤ 1",
        false,
    ),
    ("decor-aux-event", "≤ exp(x·τ)", "≤ exp(x·τ/2)", false),
    ("decor-aux-event", "if Q ≤ q", "if q ≤ Q", false),
    ("kl-red-event", "log(p′/q′) ≤ ρ", "log(p′/q′) ≤ 2·ρ", true),
    ("kl-red-event", "log(p′/q′) ≤ ρ", "log(p′/q′) ≤ ρ/2", false),
    ("kl-red-event", "  assume q ≤ p\n", "", false),
    (
        "kl-lem-8-mech-repaired",
        "is (2·ρ/K)-zCDP;",
        "is (3·ρ/K)-zCDP;",
        true,
    ),
    (
        "kl-lem-8-mech-repaired",
        "is (2·ρ/K)-zCDP;",
        "is (1·ρ/K)-zCDP;",
        false,
    ),
    (
        "kl-lem-8-mech-repaired",
        "(q)-zCDP: 2·ρ/K ≤ q",
        "(q)-zCDP: 3·ρ/K ≤ q",
        false,
    ),
    (
        "kl-lem-8-mech-repaired",
        "assume 2·L₀ ≤",
        "assume 1·L₀ ≤",
        false,
    ),
    ("decor-thm-6-num", "is (2·C²", "is (1·C²", false),
    (
        "decor-thm-6-num",
        "zCDP: 2·C²·x_i ≤ q",
        "zCDP: 3·C²·x_i ≤ q",
        false,
    ),
    (
        "skgd-fact-sens-f",
        "by at most B/n",
        "by at most 2·B/n",
        true,
    ),
    (
        "skgd-fact-sens-f",
        "by at most B/n",
        "by at most B/(2·n)",
        false,
    ),
    ("gcd-pair", "≤ L_l·m/n", "≤ 2·L_l·m/n", false),
    ("gcd-pair", "assume n = m + 1", "assume n = 2·m", true),
    ("skgd-lem-merging", "  real r ≥ 0\n", "  real r\n", false),
    ("ambssgd-eq-30", "4·G·(", "5·G·(", true),
    ("ambssgd-eq-30", "4·G·(", "3·G·(", false),
    ("ambssgd-eq-30", "  assume μ ≤ H\n", "", false),
    ("ambssgd-lem-exp", "if y ≤ 1", "if y ≤ 2", false),
    (
        "kl-lem-1-note-repaired",
        "κ)·log(F₀))·γ",
        "κ)·log(F₀))·2·γ",
        true,
    ),
    (
        "kl-lem-1-note-repaired",
        "κ)·log(F₀))·γ",
        "κ)·log(F₀))·γ/2",
        false,
    ),
    ("kl-lem-11-rate-repaired", "2·κ/s ≤ κ", "κ/s ≤ κ", true),
    ("kl-lem-11-rate-repaired", "2·κ/s ≤ κ", "3·κ/s ≤ κ", false),
    ("kl-thm-2-step", "(32·γ²·L₁) ≤", "(33·γ²·L₁) ≤", true),
    ("kl-thm-2-step", "(32·γ²·L₁) ≤", "(31·γ²·L₁) ≤", false),
    (
        "kl-thm-2-step",
        "(16·γ²·L₁) − τ ≤ D",
        "(15·γ²·L₁) − τ ≤ D",
        false,
    ),
    ("kl-lem-12-slope", "b²/L₁)) ≤ Φ", "2·b²/L₁)) ≤ Φ", false),
    ("kl-lem-12-slope", "/γ² ≤ G²", "/(2·γ²) ≤ G²", true),
    ("kl-lem-12-slope", "/γ² ≤ G²", "/γ² ≤ G²/2", false),
    ("kl-thm-2-rate", "≤ 32·(1", "≤ 33·(1", true),
    ("kl-thm-2-rate", "≤ 32·(1", "≤ 31·(1", false),
    ("kl-thm-1-rate", "R ≤ K + 1", "R ≤ K", true),
    ("kl-thm-1-rate", "384", "383", false),
    ("kl-cor-1-const", "1/2 ≤", "1/3 ≤", true),
    ("kl-cor-1-const", "1/2 ≤", "2/3 ≤", false),
    ("kl-thm-4-charges", "≤ 2·γ²·P", "≤ 3·γ²·P", true),
    ("kl-thm-4-charges", "≤ 2·γ²·P", "≤ 1·γ²·P", false),
    ("kl-thm-1-F0max", "assume κ ≤ 2", "assume κ ≤ 3", false),
    ("kl-thm-2-prox", "(L₁/4)·D² − τ", "(L₁/2)·D² − τ", true),
    ("kl-thm-2-prox", "(L₁/4)·D² − τ", "L₁·D² − τ", false),
    ("skgd-fact-mu-M", "((μ/m)/2)", "(μ/m)", false),
    ("skgd-def-norm", "≤ r(v) + r(w)", "≤ r(v) + r(w)/2", false),
    (
        "skgd-thm-4.2-sc-proof-round",
        "Δ ≤ (2/μ)·F",
        "Δ ≤ (3/μ)·F",
        false,
    ),
    (
        "skgd-thm-4.2-sc-proof-round",
        "Δ ≤ (2/μ)·F",
        "Δ ≤ (1/μ)·F",
        false,
    ),
    (
        "skgd-eq-imp-psd",
        "≤ Σ_{l<b} m_l",
        "≤ 2·(Σ_{l<b} m_l)",
        true,
    ),
    (
        "skgd-eq-imp-psd",
        "≤ Σ_{l<b} m_l",
        "≤ (Σ_{l<b} m_l)/2",
        false,
    ),
    ("skgd-lem-E.1-proof-repaired", "(2/K)·", "(1/K)·", false),
    ("skgd-lem-E.4", "(1/M_j − γ_j", "(2/M_j − γ_j", true),
    ("skgd-lem-E.4", "(1/M_j − γ_j", "((−2)/M_j − γ_j", false),
    (
        "skgd-cmp-cd-imp-repaired",
        "(1 + (d − 1)·r²)",
        "(1 + (d − 1)·r²/2)",
        false,
    ),
    ("skgd-cmp-sgd-preserved", "(m/2)", "m", false),
    ("skgd-cmp-sgd-preserved", "(m/2)", "(m/3)", false),
    ("skgd-eq-block-Sigma", "= B²", "= 2·B²", false),
    ("skgd-rate-block", "≤ 25·B", "≤ 24·B", false),
    ("skgd-rate-block-unif", "≤ 25·B", "≤ 24·B", false),
    ("skgd-rate-block-unif", "= 1/b", "= 1/(2·b)", false),
    ("skgd-rate-block-imp", "= m_j/Z", "= m_j/(2·Z)", false),
    ("skgd-rate-single", "≤ 25·B", "≤ 24·B", false),
    ("skgd-rate-single-unif", "≤ 25·B", "≤ 24·B", false),
    ("skgd-rate-single-imp", "≤ 25·B", "≤ 24·B", false),
    ("skgd-rate-full", "≤ 25·B", "≤ 24·B", false),
    ("gcd-lem-B.2", "(1/8)·G²", "(1/9)·G²", true),
    ("gcd-lem-B.2", "(1/8)·G²", "(1/7)·G²", false),
    ("gcd-lem-B.2", "χ_s²/(4·M_s)", "χ_s²/(5·M_s)", false),
    ("gcd-eq-52", "(−1)·G²/2", "(−1)·G²", true),
    ("gcd-eq-52", "(−1)·G²/2", "(−1)·G²/3", false),
    ("gcd-def-norms", "≤ U²/(2·μ)", "≤ U²/μ", true),
    ("gcd-def-norms", "≤ U²/(2·μ)", "≤ U²/(3·μ)", false),
    ("gcd-eq-64", "(4/μ)·(β", "(5/μ)·(β", false),
    ("gcd-eq-64", "(4/μ)·(β", "(3/μ)·(β", false),
    ("gcd-ineq-l1l2", "r² ≤ p·s²; if", "r² ≤ 2·p·s²; if", true),
    ("gcd-ineq-l1l2", "r² ≤ p·s²; if", "r² ≤ p·s²/2; if", false),
    ("gcd-thm-4.7-proof-alpha", "C/1024", "C/1023", true),
    ("gcd-thm-4.7-proof-alpha", "C/1024", "C/1025", false),
    (
        "gcd-lem-B.5-repaired",
        "(1/2)·m·μ·(p − τ)·α²",
        "1 + (1/2)·m·μ·(p − τ)·α²",
        true,
    ),
    (
        "gcd-lem-B.5-repaired",
        "(1/2)·m·μ·(p − τ)·α²",
        "(1/3)·m·μ·(p − τ)·α²",
        false,
    ),
    ("gcd-lem-B.5-repaired", "(−1)·G²/2 ≤", "(−1)·G²/3 ≤", false),
    ("gcd-cor-B.6", "(−1)·G²/2 ≤", "(−1)·G² ≤", true),
    ("gcd-cor-B.6", "(−1)·G²/2 ≤", "(−1)·G²/3 ≤", false),
    ("gcd-cost", "A = p·B", "A = n·B", false),
    ("gcd-cost", "A = n·C", "A ≤ 2·n·C", true),
    ("gcd-disc-l1-asi", "≤ exp((4/3)", "≤ 2·exp((4/3)", true),
    ("gcd-disc-l1-asi", "≤ exp((4/3)", "≤ exp((5/3)", false),
    (
        "decor-def-2-weights-repaired",
        "(1 + max(",
        "(2 + max(",
        false,
    ),
    ("decor-fact-cancel", "(−1)·v_j[l]", "v_j[l]", false),
    ("decor-eq-35", "(1/2)·(Σ", "(1/3)·(Σ", false),
    ("decor-drv-10", "≤ n²·‖", "≤ 1 + n²·‖", true),
    ("decor-drv-10", "≤ n²·‖", "≤ (n²/2)·‖", false),
    (
        "decor-drv-10",
        "holds\n  (Σ_{i<n} h(i))/n = s",
        "holds\n  (Σ_{i<n} h(i))/n = 2·s",
        false,
    ),
    ("decor-drv-10", "‖² = 2·s·((Σ", "‖² ≤ 1 + 2·s·((Σ", true),
    ("decor-drv-10", "‖² = 2·s·((Σ", "‖² = 3·s·((Σ", false),
    ("decor-drv-10", "(2·S/s²)·‖", "1 + (2·S/s²)·‖", true),
    ("decor-drv-10", "(2·S/s²)·‖", "(1·S/s²)·‖", false),
    ("decor-drv-10", "‖²/S", "‖²/(2·S)", false),
    (
        "decor-drv-6",
        "= 2·(r − 1 − c(i, k))·",
        "= 2·(r − 2 − c(i, k))·",
        false,
    ),
    ("decor-drv-6", "/(2·M) = (Σ", "/M = (Σ", false),
    ("decor-drv-6", "= n/(1 + r) − 1", "= n/(1 + r) − 2", false),
    ("decor-drv-6", "𝟙[u=v]·A_u[v] = 0", "0·A_u[v] = 0", false),
    (
        "decor-fact-cov",
        "= τ²·L(k, l) + σ²",
        "= 2·τ²·L(k, l) + σ²",
        false,
    ),
    ("decor-fact-cov", "σ²·‖u‖² ≤", "(σ²/2)·‖u‖² ≤", true),
    ("decor-fact-cov", "σ²·‖u‖² ≤", "2·σ²·‖u‖² ≤", false),
    (
        "decor-fact-cov",
        "h_e[k] − t_e[k]",
        "h_e[k] + t_e[k]",
        false,
    ),
    (
        "decor-fact-ones",
        "h_p[r] = h_p[q]·𝟙[q=r]",
        "h_p[r] = 2·h_p[q]·𝟙[q=r]",
        false,
    ),
    ("decor-fact-ones", "= 1 − 1/n", "= 1 − 2/n", false),
    ("decor-lem-8a-repaired", "/(2·M))", "/(3·M))", false),
    (
        "decor-lem-8a-repaired",
        "Σ_{c<n} (S_c[i]",
        "Σ_{c<n} (W_i[c]",
        false,
    ),
    (
        "decor-lem-8a-repaired",
        "assume for every index q<n: for every index r<n: S_q[r] = S_r[q]",
        "assume for every index q<n: for every index r<n: S_q[r] = S_q[r]",
        false,
    ),
    ("decor-lem-8c", "= 2·(Σ_{e<E}", "= 3·(Σ_{e<E}", false),
    (
        "decor-lem-9-noise-repaired",
        "(W_k[c] − 1/n)²)·d·σ²",
        "(W_k[c] − 1/n)²)·d·n·σ²",
        false,
    ),
    (
        "decor-lem-9-noise-repaired",
        "Σ_{q<n} h_p[q] = Σ_{q<n} t_p[q]",
        "Σ_{q<n} h_p[q] = 2·(Σ_{q<n} t_p[q])",
        false,
    ),
    ("decor-aux-cocoercive", "≤ 2·L·", "≤ 3·L·", false),
    ("decor-aux-cocoercive", "≤ 2·L·", "≤ 1·L·", false),
    ("decor-thm-2a-sum", "512·L·T", "513·L·T", true),
    ("decor-thm-2a-sum", "49152", "49151", false),
    ("decor-thm-2a-sum", "512·L·T", "511·L·T", false),
    (
        "decor-exp-logistic-repaired",
        "exp((−1)·y·s)",
        "exp(y·s)",
        false,
    ),
    ("decor-exp-delta-repaired", "1/(1000·n)", "1/(999·n)", true),
    ("decor-exp-delta-repaired", "(6/10)", "(5/10)", false),
    (
        "decor-cor-12-nc-terms",
        "·E/(n·a) + w",
        "·E/(n·a) + 2·w",
        true,
    ),
    (
        "decor-cor-12-nc-terms",
        "·E/(n·a) + w",
        "·E/(n·a) + w/2",
        false,
    ),
    ("gcd-lem-B.3", "χ_j²/(2·M_j)", "χ_j²/M_j", true),
    ("gcd-lem-B.3", "/(8·R²)", "/(7·R²)", false),
    ("gcd-thm-4.4-sc-b-repaired", "(2·λ₁²", "(1·λ₁²", false),
    ("gcd-thm-4.4-sc-b-repaired", "(512·T", "(511·T", false),
    (
        "gcd-thm-4.4-sc-b-repaired",
        "log(8·T·p/ζ)",
        "log(1·T·p/ζ)",
        false,
    ),
    ("gcd-thm-4.4-sc-b-repaired", "1 − ζ ≤", "1 − ζ/2 ≤", false),
    ("gcd-thm-4.4-sc-repaired", "≤ 8·β/μ", "≤ 7·β/μ", false),
    ("gcd-thm-4.4-sc-repaired", "128·T", "127·T", false),
    ("gcd-eq-53", "(1 − μ/4)", "(1 − μ/3)", false),
    ("gcd-eq-53", "/(4·M_h)", "/(3·M_h)", true),
    ("gcd-eq-53", "/(4·M_h)", "/(5·M_h)", false),
    ("decor-thm-2a-W", "≤ 4·A +", "≤ 5·A +", true),
    ("decor-thm-2a-W", "≤ 4·A +", "≤ 3·A +", false),
    ("skgd-cmp-sgd-cvx", "(1 + (d", "(2 + (d", true),
    ("skgd-cmp-sgd-cvx", "(1 + r²)·Rᵢ²", "(1/2 + r²)·Rᵢ²", false),
    ("skgd-cmp-sgd-cvx", "κ ≤ 1", "κ ≤ 2", false),
    ("skgd-cmp-sgd-block-repaired", "(1 + r)", "(1 + 2·r)", false),
    ("skgd-tab-1-repaired", "122 + 120·λ", "123 + 120·λ", true),
    ("skgd-tab-1-repaired", "122 + 120·λ", "121 + 120·λ", false),
    ("skgd-tab-1-repaired", "(1/μ)·m·b)", "(1/μ)·m)", false),
    (
        "skgd-tab-1-repaired",
        "M_i/ℙ(i∈𝒮) ≤ Z",
        "M_i/ℙ(i∈𝒮) ≤ Z/2",
        false,
    ),
    ("skgd-cmp-cd-sc-repaired", "(B²·d/μ)", "(2·B²·d/μ)", true),
    ("skgd-cmp-cd-sc-repaired", "(B²·d/μ)", "(B²/μ)", false),
    ("skgd-cmp-cd-sc-repaired", "((ν/m)/2)", "((2·ν/m)/2)", false),
    ("skgd-cmp-sgd-sc-true-mu", "ν ≤ M_q", "ν ≤ 2·M_q", true),
    ("skgd-cmp-sgd-sc-true-mu", "ν ≤ M_q", "ν ≤ M_q/2", false),
    (
        "skgd-cmp-sgd-sc-true-mu",
        "(1 + (d − 1)·κ)/d",
        "(2 + (d − 1)·κ)/d",
        false,
    ),
    ("gcd-thm-4.4-cvx-b-restricted", "8·R²/T", "9·R²/T", true),
    ("gcd-thm-4.4-cvx-b-restricted", "8·R²/T", "7·R²/T", false),
    ("gcd-thm-4.4-cvx-b-restricted", "2·λ₁²", "1·λ₁²", false),
    ("gcd-thm-4.4-cvx-b-repaired", "46·Λ", "47·Λ", true),
    ("gcd-thm-4.4-cvx-b-repaired", "46·Λ", "45·Λ", false),
    ("gcd-thm-4.4-cvx-b-repaired", "T·β)]", "T·β/2)]", false),
    ("gcd-thm-4.4-cvx-restricted", "(32 + 46", "(32 + 47", true),
    ("gcd-thm-4.4-cvx-restricted", "(32 + 46", "(31 + 46", false),
    ("gcd-thm-4.4-cvx-restricted", "4 ≤ X", "3 ≤ X", false),
    ("gcd-disc-l1-repaired", "μ ≤ 1/p", "μ ≤ 2/p", true),
    ("gcd-disc-l1-repaired", "μ ≤ 1/p", "μ ≤ 1/(2·p)", false),
    ("decor-rem-disc", "(2·C²/σ²)-zCDP", "(3·C²/σ²)-zCDP", true),
    ("decor-rem-disc", "(2·C²/σ²)-zCDP", "(C²/σ²)-zCDP", false),
    (
        "decor-thm-2a-V",
        "η²·A + η³·B − (η/8)",
        "η²·A + η³·B − (η/9)",
        true,
    ),
    (
        "decor-thm-2a-V",
        "η²·A + η³·B − (η/8)",
        "η²·A + η³·B − (η/7)",
        false,
    ),
    ("decor-thm-2a-V", "1 − μ·η/4", "1 − μ·η/5", true),
    ("decor-thm-2a-V", "1 − μ·η/4", "1 − μ·η/3", false),
    ("decor-thm-2a-eta-repaired", "≤ 1/(2·L);", "≤ 1/L;", true),
    (
        "decor-thm-2a-eta-repaired",
        "≤ 1/(2·L);",
        "≤ 1/(3·L);",
        false,
    ),
    ("decor-thm-2a-eta-repaired", "τ := 16", "τ := 15", false),
    ("decor-thm-2a-eta-repaired", "1/4 ≤ P", "1/5 ≤ P", false),
    ("decor-lem-8b-repaired", "H ≤ 2/m", "H ≤ 3/m", true),
    ("decor-lem-8b-repaired", "H ≤ 2/m", "H ≤ 1/(2·m)", false),
    ("decor-lem-8b-proof", "H ≤ 2·m", "H ≤ 3·m", true),
    ("decor-lem-8b-proof", "H ≤ 2·m", "H ≤ m/2", false),
    ("decor-lem-8b-reading-mh-repaired", "H ≤ 1", "H ≤ 2", true),
    (
        "decor-lem-8b-reading-mh-repaired",
        "H ≤ 1",
        "H ≤ 1/2",
        false,
    ),
    ("gcd-eq-41-repaired", "(2·τ))/2", "(3·τ))/2", true),
    ("gcd-eq-41-repaired", "(2·τ))/2", "(1·τ))/2", false),
    ("gcd-reg-global", "≤ Λ·|t|", "≤ 2·Λ·|t|", true),
    ("gcd-reg-global", "≤ Λ·|t|", "≤ Λ·|t|/2", false),
    (
        "gcd-disc-l2",
        "≤ exp((4/3)·log(K))",
        "≤ 2·exp((4/3)·log(K))",
        true,
    ),
    ("gcd-disc-l2", "(2/3)·log(p)", "(1/3)·log(p)", false),
    ("gcd-eq-40-monotone", "if p ≤ k", "if p + 1 ≤ k", true),
    ("gcd-eq-40-monotone", "if p ≤ k", "if p ≤ 2·k", false),
    ("gcd-eq-40-monotone", "if k ≤ l", "if l ≤ k", false),
    (
        "skgd-fact-lipschitz-special",
        "≤ λ·|t|; if",
        "≤ 2·λ·|t|; if",
        true,
    ),
    (
        "skgd-fact-lipschitz-special",
        "≤ λ·|t|; if",
        "≤ λ·|t|/2; if",
        false,
    ),
    ("skgd-red-dpcd", "(d·γ_l)", "γ_l", false),
    (
        "skgd-red-dpsgd-restricted",
        "ℙ(j∈𝒮) = 1",
        "ℙ(j∈𝒮) = 1/2",
        false,
    ),
    ("gcd-rem-4.1", "S(w_T) ≤ T", "S(w_T) ≤ 2·T", true),
    ("gcd-rem-4.1", "S(w_T) ≤ T", "S(w_T) ≤ T − 1", false),
    ("gcd-rem-4.1", "e_s[j] = 1", "e_s[j] = 2", false),
    (
        "gcd-thm-4.4-cvx-proof",
        "≤ 64·A·log",
        "≤ A + 64·A·log",
        true,
    ),
    ("gcd-thm-4.4-cvx-proof", "≤ 64·A·log", "≤ 63·A·log", false),
    ("gcd-thm-4.4-cvx-proof", "1 ≤ T", "1/2 ≤ T", false),
    ("gcd-def-R-proof", "r ≤ R", "r ≤ 2·R", true),
    ("gcd-def-R-proof", "r ≤ R", "r ≤ R/2", false),
    ("decor-collude-rate", "(1/φ)·(1", "(2/φ)·(1", true),
    ("decor-collude-rate", "(1/φ)·(1", "(1/(2·φ))·(1", false),
    ("gcd-thm-4.4-cvx-T", "T = X/4", "T = X/5", false),
    ("gcd-thm-4.4-cvx-T", "c³ = 128", "c³ = 64", false),
    ("ambssgd-cost", "C ≤ 9·d", "C ≤ 10·d", true),
    ("ambssgd-cost", "C ≤ 9·d", "C ≤ 4·d", false),
    ("ambssgd-thm-3.2-rate-repaired", "≤ 4·r", "≤ 5·r", true),
    ("ambssgd-thm-3.2-rate-repaired", "≤ 4·r", "≤ 3·r", false),
    (
        "ambssgd-cor-3.8-util-reading-bias-repaired",
        "P(1600·d)",
        "P(1500·d)",
        false,
    ),
    ("kl-fact-sc", "+ L₁·(Σ", "+ L₁/2·(Σ", false),
    (
        "kl-fact-telescope",
        "(G[t + 1][j] − G_t[j])",
        "2·(G[t + 1][j] − G_t[j])",
        false,
    ),
    ("kl-fact-convex-kl", "≤ R·‖g‖", "≤ 2·R·‖g‖", true),
    ("kl-fact-convex-kl", "≤ R·‖g‖", "≤ R·‖g‖/2", false),
    ("kl-lem-6", "≤ γ·‖g‖", "≤ 2·γ·‖g‖", true),
    ("kl-lem-6", "≤ γ·‖g‖", "≤ γ·‖g‖/2", false),
    ("kl-lem-9", "/(16·γ·L₁)", "/(8·γ·L₁)", false),
    ("kl-lem-9", "e²/(4·L₁)", "e²/(3·L₁)", false),
    ("kl-lem-9", "assume (7/8)", "assume (4/8)", true),
    ("kl-lem-9", "assume (7/8)", "assume (3/8)", false),
    ("kl-thm-1-step", "P/64", "P/63", true),
    ("kl-thm-1-step", "P/64", "P/8", false),
    ("kl-thm-1-stop", "(7/8)", "(6/8)", true),
    ("kl-thm-1-stop", "(7/8)", "1", false),
    ("kl-fact-F0", "E ≤ exp(κ", "E ≤ 2·exp(κ", true),
    ("kl-fact-F0", "E ≤ exp(κ", "E ≤ exp(2·κ", false),
    ("kl-thm-6-red-proof-repaired", "≤ D·x;", "≤ 2·D·x;", true),
    ("kl-thm-6-red-proof-repaired", "≤ D·x;", "≤ D·x/2;", false),
    (
        "kl-thm-6-red-proof-repaired",
        "exp((τ/s)·log(x))",
        "exp(log(x))",
        false,
    ),
    ("kl-thm-7-gap-repaired", ": 8·λ·D²", ": 7·λ·D²", true),
    ("kl-thm-7-gap-repaired", ": 8·λ·D²", ": 10·λ·D²", false),
    ("kl-thm-7-gap-repaired", "E(w) ≤ λ·", "E(w) ≤ (λ/2)·", false),
    (
        "kl-lem-10-floor-repaired",
        "ρ/4 + √(ρ)/n ≤",
        "ρ/5 + √(ρ)/n ≤",
        true,
    ),
    (
        "kl-lem-10-floor-repaired",
        "ρ/4 + √(ρ)/n ≤",
        "ρ/3 + √(ρ)/n ≤",
        false,
    ),
    ("kl-lem-10-floor-repaired", ": ρ/2 + 2", ": ρ/2 + 3", false),
    ("kl-lem-10-floor-repaired", "if 𝟙[i=k] = 0: ", "", false),
    ("kl-lem-4-note", "holds\n  r ≤", "holds\n  r/2 ≤", true),
    ("kl-lem-4-note", "holds\n  r ≤", "holds\n  2·r ≤", false),
    (
        "kl-lem-4-note",
        "assume F₀ ≤ exp",
        "assume F₀ ≤ 2·exp",
        false,
    ),
    (
        "kl-thm-9-mart",
        "‖ξ[t + 1]‖ ≤ σ",
        "‖ξ[t + 1]‖ ≤ (1/2)·σ",
        true,
    ),
    ("kl-thm-9-mart", "(3/2)·", "1·", false),
    (
        "kl-thm-9-radius",
        "holds\n  ‖⟨w⋆_j − w₀_j : j<d⟩‖ ≤ L₀/(2·L₁)",
        "holds\n  ‖⟨w⋆_j − w₀_j : j<d⟩‖ ≤ L₀/L₁",
        true,
    ),
    (
        "kl-thm-9-radius",
        "holds\n  ‖⟨w⋆_j − w₀_j : j<d⟩‖ ≤ L₀/(2·L₁)",
        "holds\n  ‖⟨w⋆_j − w₀_j : j<d⟩‖ ≤ L₀/(3·L₁)",
        false,
    ),
    ("kl-thm-9-radius", "+ 2·L₀·", "+ 1·L₀·", false),
    ("kl-lem-4-repaired", "T·(L₀/(2·L₁)", "T·(L₀/L₁", true),
    ("kl-lem-4-repaired", "√(2·τ/L₁)", "√(1·τ/L₁)", false),
    ("kl-lem-4-repaired", "T·(L₀/(2·L₁)", "T·(L₀/(3·L₁)", false),
    (
        "kl-par-alg-1",
        "holds\n  exp(φ_k[o]) ≤ F₀",
        "holds\n  exp(φ_k[o]) ≤ 2·F₀",
        true,
    ),
    (
        "kl-par-alg-1",
        "holds\n  exp(φ_k[o]) ≤ F₀",
        "holds\n  exp(φ_k[o]) ≤ F₀/2",
        false,
    ),
    ("kl-par-alg-1", "; 1 ≤ T(φ_k)", "; 1/2 ≤ T(φ_k)", true),
    ("kl-par-alg-1", "; 1 ≤ T(φ_k)", "; 2 ≤ T(φ_k)", false),
    ("kl-par-alg-1", "if κ = 2: ", "", false),
    ("kl-lem-2-count-repaired", "p_i ≤ 2·K", "p_i ≤ 3·K", true),
    ("kl-lem-2-count-repaired", "p_i ≤ 2·K", "p_i ≤ 1·K", false),
    (
        "kl-lem-2-count-repaired",
        "assume 1/1024 ≤ l",
        "assume 1/1025 ≤ l",
        false,
    ),
    ("kl-lem-2-count-repaired", "  assume f ≤ F₀\n", "", false),
    ("kl-lem-11-repaired", "≤ 8·exp", "≤ 9·exp", true),
    ("kl-lem-11-repaired", "≤ 8·exp", "≤ 7·exp", false),
    ("kl-lem-11-repaired", "+ 4·exp", "+ 3·exp", false),
    ("kl-lem-11-repaired", "assume κ ≤ 2", "assume κ ≤ 3", false),
    ("kl-thm-4-phases-repaired", "c^P ≤ F₀", "c^P ≤ 2·F₀", true),
    ("kl-thm-4-phases-repaired", "c^P ≤ F₀", "c^P ≤ F₀/2", false),
    (
        "kl-thm-4-phases-repaired",
        "(1 + 8·γ²·L₁)·B",
        "(1 + 7·γ²·L₁)·B",
        false,
    ),
    ("kl-thm-5-best-restricted", "(1/4)·(y", "(1/3)·(y", false),
    ("kl-thm-5-best-restricted", "(1/2)·(y", "(1/3)·(y", false),
    ("kl-thm-5-best-restricted", "≤ 2·(1/(√", "≤ 3·(1/(√", true),
    ("kl-thm-5-best-restricted", "≤ 2·(1/(√", "≤ 1·(1/(√", false),
    ("kl-lem-12-mono-repaired", "(9/8)·", "(10/8)·", true),
    ("kl-lem-12-mono-repaired", "(9/8)·", "(8/8)·", false),
    (
        "kl-lem-12-mono-repaired",
        "(‖g‖ + b)/2",
        "(‖g‖ + b)/3",
        true,
    ),
    ("kl-lem-12-mono-repaired", "(‖g‖ + b)/2", "(‖g‖ + b)", false),
    (
        "kl-lem-12-mono-repaired",
        "assume b² ≤ L₁",
        "assume b² ≤ 2·L₁",
        false,
    ),
    ("ambssgd-eq-7-repaired", "3/2", "2", true),
    ("ambssgd-eq-7-repaired", "3/2", "1", false),
    ("ambssgd-eq-7-repaired", "2/n", "1/n", false),
    ("kl-fact-nonsmooth", "≤ 2·L₁·E;", "≤ 3·L₁·E;", true),
    ("kl-fact-nonsmooth", "≤ 2·L₁·E;", "≤ 1·L₁·E;", false),
    ("kl-fact-nonsmooth", "log(2·γ²", "log(1·γ²", false),
    ("kl-thm-1-phase-repaired", "/(64·γ²", "/(65·γ²", true),
    ("kl-thm-1-phase-repaired", "/(64·γ²", "/(8·γ²", false),
    (
        "kl-thm-1-phase-repaired",
        "if M_z ≤ (7/8)",
        "if M_z ≤ (6/8)",
        true,
    ),
    (
        "kl-thm-1-phase-repaired",
        "if M_z ≤ (7/8)",
        "if M_z ≤ (8/8)",
        false,
    ),
    ("kl-thm-5-avg", "/T) + b", "/T) + 2·b", true),
    ("kl-thm-5-avg", "/T) + b", "/T) + b/2", false),
    (
        "kl-thm-5-avg",
        "holds\n  (Σ_{t<T} ‖g[t + 1]‖)/T ≤ √(8·",
        "holds\n  (Σ_{t<T} ‖g[t + 1]‖)/T ≤ √(7·",
        false,
    ),
    (
        "kl-lem-13-repaired",
        "max(P/c, 2·exp",
        "max(P/c, 3·exp",
        true,
    ),
    (
        "kl-lem-13-repaired",
        "max(P/c, 2·exp",
        "max(P/c, 1·exp",
        false,
    ),
    ("kl-lem-13-repaired", "assume 2·exp", "assume 3·exp", true),
    ("kl-lem-13-repaired", "assume 2·exp", "assume 1·exp", false),
    ("kl-lem-13-repaired", "(‖g_t‖ + b)/2", "(‖g_t‖ + b)", false),
    ("ambssgd-thm-3.7-proof-final-repaired", "(88/10)", "9", true),
    (
        "ambssgd-thm-3.7-proof-final-repaired",
        "(88/10)",
        "8",
        false,
    ),
    (
        "ambssgd-thm-3.7-proof-final-repaired",
        "(1 + κ²/(η",
        "(1 + κ/(η",
        false,
    ),
    (
        "ambssgd-eq-5-6-repaired",
        "+ 2·σ²·d/n +",
        "+ 3·σ²·d/n +",
        true,
    ),
    ("ambssgd-eq-5-6-repaired", "+ 256·d", "+ 255·d", false),
    (
        "ambssgd-eq-5-6-repaired",
        "+ 2·σ²·d/n +",
        "+ 1·σ²·d/n +",
        false,
    ),
    (
        "ambssgd-eq-5-6-repaired",
        "η ≤ 1/(2·R²)",
        "η ≤ 2/(3·R²)",
        false,
    ),
];

#[test]
fn weaker_neighbours_are_proved_and_stronger_ones_are_not() -> Result<(), Stuck> {
    for &(id, printed, other, provable) in NEIGHBOURS {
        let claims = claims()?;
        let (_, statement, prove) = claims.iter().find(|(name, ..)| *name == id).unwrap();
        let text = statement.to_string();
        assert!(text.contains(printed), "{id} has no {printed}");
        let neighbour = render::parse(&text.replace(printed, other));
        let neighbour = neighbour.unwrap_or_else(|why| panic!("{id}: {printed} as {other}: {why}"));
        let found = prove(&neighbour);
        let proved = found.as_ref().is_ok_and(|t| *t.statement() == neighbour);
        assert_eq!(
            proved,
            provable,
            "{id}: {printed} as {other}: {:?}",
            found.err()
        );
    }
    Ok(())
}

/// An empty folder for what a test writes.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn written(folder: &Path, name: &str, content: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

fn second_checker(arguments: &[&str]) -> Output {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/checker/check.py");
    // -B: nothing is written beside the program.
    let run = Command::new("python3")
        .args(["-B", program])
        .args(arguments)
        .output();
    run.expect("python3 is needed for this test")
}

/// One process for all: to start one takes longer than to check a proof.
#[test]
fn the_second_checker_accepts_every_proof() -> Result<(), Stuck> {
    let folder = folder("accepted");
    let mut expected = BTreeMap::new();
    for (id, statement, prove) in claims()? {
        let theorem = prove(&statement)?;
        written(&folder, &format!("{id}.trace"), &trace::write(&theorem));
        let wanted = trace::statement(&statement);
        written(&folder, &format!("{id}.statement"), &wanted);
        let premises: Vec<_> = theorem.premises().iter().map(|p| p.name).collect();
        let premises = match premises.is_empty() {
            true => "none".into(),
            false => premises.join(" "),
        };
        expected.insert(id, format!("{id}: accepted, premises: {premises}"));
    }
    let total = format!("{0} of {0} accepted", expected.len());
    let expected: Vec<String> = expected.into_values().chain([total]).collect();
    let run = second_checker(&[folder.to_str().unwrap()]);
    let said = String::from_utf8(run.stdout).unwrap();
    assert_eq!(said.lines().collect::<Vec<_>>(), expected);
    assert!(run.status.success());
    Ok(())
}

#[test]
fn the_second_checker_compares_with_the_statement_asked_for() -> Result<(), Stuck> {
    let all = claims()?;
    let (id, statement, prove) = &all[0];
    let (other, another, _) = &all[1];
    let folder = folder("compared");
    let proof = written(&folder, "proof", &trace::write(&prove(statement)?));
    for (name, wanted, accepted) in [(id, statement, true), (other, another, false)] {
        let wanted = written(&folder, name, &trace::statement(wanted));
        let run = second_checker(&[&proof, &wanted]);
        let said = String::from_utf8(run.stdout).unwrap();
        assert_eq!(run.status.success(), accepted, "{said}");
        assert_eq!(
            said.contains("another statement is proved"),
            !accepted,
            "{said}"
        );
    }
    Ok(())
}

/// A generator of the corruptions, the same on every run (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// The words of a trace; brackets and ends of lines are words, too.
fn words(trace: &str) -> Vec<String> {
    let spaced = trace
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('\n', " \n ");
    let words = spaced.split(' ').filter(|w| !w.is_empty());
    words.map(str::to_owned).collect()
}

/// Whether a word is the context of a step that rests on no other: what holds there holds in any context with the
/// same items in front, so that another number may be a proof, too.
fn is_context_of_a_leaf(words: &[String], i: usize) -> bool {
    let line = words[i..].iter().take_while(|w| *w != "\n");
    let line: Vec<&str> = line.map(String::as_str).collect();
    i > 1 && words[i - 2] == "step" && line.windows(2).any(|pair| pair == ["(", ")"])
}

/// Whether another word, or one more or fewer, says the same: in a product (* (- x x) …), which is 0, and where j is written for
/// x in an entry (at (vec x d body) j).
fn says_the_same(words: &[String], i: usize, other: Option<&String>) -> bool {
    let mut depth = 1;
    for k in (0..i).rev() {
        match words[k].as_str() {
            ")" => depth += 1,
            "(" => depth -= 1,
            _ => {}
        }
        if depth > 0 {
            continue;
        }
        depth = 1;
        let inside = &words[k + 1..];
        let zero =
            inside.starts_with(&["*", "(", "-"].map(str::to_owned)) && inside[3] == inside[4];
        if zero && inside[3] != "(" && i > k + 6 {
            return true;
        }
        if inside[0] == "vec" && inside[1] == words[i] && words[k - 1] == "at" {
            let mut open = 1;
            let end = inside.iter().position(|word| {
                open += i32::from(word == "(") - i32::from(word == ")");
                open == 0
            });
            return end.is_some_and(|end| inside.get(end + 1) == other);
        }
    }
    false
}

/// Whether two words number steps that say the same by the same rule, in whatever contexts: either may be referred to.
fn are_steps_alike(words: &[String], one: &String, other: Option<&String>) -> bool {
    let said = |number: &String| {
        let mut lines = words.split(|w| w == "\n");
        lines.find_map(|line| match line {
            [_, step, n, _, rest @ ..] if step == "step" && n == number => Some(rest),
            _ => None,
        })
    };
    let other = other.and_then(said);
    other.is_some() && other == said(one)
}

/// A trace with one word put for another (two times in three), left out, or put in before it. Names of bound
/// variables are left alone where they are introduced: another name is the same proof.
fn corrupted(words: &[String], random: &mut Random) -> String {
    let plain = |w: &String| !["(", ")", "\n"].contains(&w.as_str());
    let binder = |w: &String| ["sum", "vec", "sup", "total", "E"].contains(&w.as_str());
    loop {
        let mut changed = words.to_vec();
        let i = random.below(words.len() - 1);
        let another_proof = (i > 0 && binder(&words[i - 1])) || is_context_of_a_leaf(words, i);
        if !plain(&words[i]) || another_proof {
            continue;
        }
        match random.below(6) {
            0 => {
                changed.remove(i);
            }
            1 => changed.insert(i, words[i + 1].clone()),
            _ => changed[i] = words[random.below(words.len())].clone(),
        }
        let other = (changed.len() == words.len()).then(|| &changed[i]);
        let same = says_the_same(words, i, other) || are_steps_alike(words, &words[i], other);
        if changed[i] != words[i] && plain(&changed[i]) && !same {
            return changed.join(" ").replace("\n ", "\n").trim().to_owned();
        }
    }
}

/// Corrupted traces of every claim, each of which the second checker rejects.
fn reject_corrupted(of_each: usize) -> Result<(), Stuck> {
    let mut random = Random(7);
    let folder = folder(&format!("corrupted-{of_each}"));
    let (mut files, mut traces) = (vec!["--many".to_owned()], Vec::new());
    for (id, statement, prove) in claims()? {
        let words = words(&trace::write(&prove(&statement)?));
        let own: Vec<_> = (0..of_each)
            .map(|_| corrupted(&words, &mut random))
            .collect();
        let wanted = trace::statement(&statement);
        files.push(written(
            &folder,
            &format!("{id}.corrupted"),
            &own.join("\n\n"),
        ));
        files.push(written(&folder, &format!("{id}.wanted"), &wanted));
        traces.extend(own.into_iter().map(|trace| (id, trace)));
    }
    let run = second_checker(&files.iter().map(String::as_str).collect::<Vec<_>>());
    let said = String::from_utf8(run.stdout).unwrap();
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{errors}");
    assert_eq!(said.lines().count(), traces.len(), "{errors}");
    for (verdict, (id, trace)) in said.lines().zip(&traces) {
        let rejected = verdict.starts_with("rejected");
        assert!(rejected, "{id} was accepted with\n{trace}");
    }
    Ok(())
}

#[test]
fn the_second_checker_rejects_a_thousand_corrupted_proofs() -> Result<(), Stuck> {
    reject_corrupted(1_000 / claims()?.len() + 1)
}

#[test]
#[ignore = "a minute and a half: forty corruptions of every proof"]
fn the_second_checker_rejects_many_corrupted_proofs() -> Result<(), Stuck> {
    reject_corrupted(40)
}

#[test]
fn the_proof_for_a_person_names_premises_sources_and_rules() -> Result<(), Stuck> {
    let proof = trace::proof(&gcd::kernel::thm_4_2_repaired()?);
    for part in [
        "Bun and Steinke 2016",
        "argmax",
        "shift",
        "compose",
        "forget",
        "(ε, δ)-DP",
    ] {
        assert!(proof.contains(part), "no {part} in\n{proof}");
    }
    Ok(())
}

/// Lines that are neither empty nor comments.
fn code_lines(path: &std::path::Path) -> usize {
    let text = fs::read_to_string(path).unwrap();
    let code = |l: &&str| !l.trim().is_empty() && !l.trim().starts_with("//");
    text.lines().filter(code).count()
}

/// The front page's table of what is to be trusted: every file of the kernel but the search, with its lines, within the
/// design's limits.
#[test]
fn the_front_page_says_how_much_is_to_be_trusted() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/kernel/src/");
    let table = include_str!("../../src/trusted.md");
    let mut files: Vec<(String, usize)> = Vec::new();
    for folder in ["", "rules/", "render/"] {
        for entry in fs::read_dir(format!("{source}{folder}")).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_file() && name != "search.rs" {
                files.push((format!("{folder}{name}"), code_lines(&path)));
            }
        }
    }
    let mut found = 0;
    for (file, lines) in &files {
        let entry = format!("`{file}` {lines}");
        let told = table.split([',', '|']).any(|cell| cell.trim() == entry);
        assert!(told, "spec/src/trusted.md does not say {entry}");
        found += 1;
    }
    assert_eq!(found, table.matches(".rs` ").count(), "files that are gone");
    // Normal forms are exact arithmetic, which has a limit of its own.
    let part = |file: &str| match file {
        "normal.rs" => 1,
        file if file.starts_with("render/") => 2,
        _ => 0,
    };
    let sum = |which: usize| {
        let files = files.iter().filter(|(f, _)| part(f) == which);
        files.map(|(_, lines)| lines).sum::<usize>()
    };
    let sums = [0, 1, 2].map(sum);
    let limits = [4000, 2500, 1000];
    let within = sums.iter().zip(limits).all(|(sum, limit)| *sum <= limit);
    assert!(within, "{sums:?} against {limits:?}");
    for premise in dp_assay_kernel::premise::ALL {
        assert!(
            table.contains(&format!("`{}`", premise.name)),
            "{}",
            premise.name
        );
    }
}
