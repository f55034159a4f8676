//! The Python client on mechanisms that other people wrote: numpy's Laplace noise and diffprivlib.
//!
//! Needs their packages, which the gate installs; `DP_ASSAY_PYTHON` names the interpreter that has
//! them. What the audits find is told in the documentation of `audit::external`.

use crate::program::{dp_assay, stderr};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Two neighbouring counts, 0 and 1, and the client beside a script.
fn folder(script: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copy = |from: &str, to: &str| {
        std::fs::copy(root.join(from), folder.path().join(to)).expect("a file of the source");
    };
    copy("src/python/dp_assay/client.py", "dp_assay.py");
    copy(&format!("tests/examples/python/{script}"), script);
    for (name, records) in [("none.json", "[0, 0]"), ("one.json", "[0, 0, 1]")] {
        std::fs::write(folder.path().join(name), records).expect("a temporary file");
    }
    folder
}

/// An interpreter that can import the module; says so where there is none.
fn python(module: &str) -> Option<String> {
    let python = std::env::var("DP_ASSAY_PYTHON").unwrap_or_else(|_| "python3".into());
    let imported = Command::new(&python)
        .args(["-c", &format!("import {module}")])
        .output();
    let found = imported.is_ok_and(|output| output.status.success());
    if !found {
        println!("SKIPPED: {python} cannot import {module} (pip install {module})");
    }
    found.then_some(python)
}

/// The verdict on `script arguments` for the claim ε = 1; error 10⁻⁶.
fn verdict(python: &str, script: &str, arguments: &str, flags: &[&str]) -> String {
    let folder = folder(script);
    let path = |name: &str| folder.path().join(name).display().to_string();
    let command = format!("{python} {} {arguments}", path(script));
    let (none, one) = (path("none.json"), path("one.json"));
    let inputs = [
        "--input0",
        &none,
        "--input1",
        &one,
        "--neighbours",
        "add-remove",
    ];
    let claim = [
        "audit",
        "external",
        "--command",
        &command,
        "--claim",
        "eps=1",
    ];
    let size = ["--trials", "20000", "--format", "json"];
    let output = dp_assay(&[&claim[..], &inputs, &size, flags].concat());
    assert!(output.status.code() < Some(2), "{}", stderr(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    println!("{script} {arguments} {flags:?}: {report}");
    report["verdict"].as_str().expect("a verdict").to_owned()
}

#[test]
fn laplace_noise_of_numpy_keeps_its_claim_but_not_in_its_bits() {
    let Some(python) = python("numpy") else {
        return;
    };
    let of = |flags: &[&str]| verdict(&python, "numpy_laplace.py", "", flags);
    assert_eq!(of(&[]), "PASS-WITH-POWER");
    assert_eq!(of(&["--bits"]), "VIOLATION");
}

#[test]
fn diffprivlib_is_caught_where_it_is_built_for_more_than_is_claimed() {
    let Some(python) = python("diffprivlib") else {
        return;
    };
    let of = |name: &str, flags: &[&str]| verdict(&python, "diffprivlib_count.py", name, flags);
    assert_eq!(of("Laplace half", &[]), "VIOLATION");
    assert_eq!(of("Laplace", &["--bits"]), "VIOLATION");
    assert_eq!(of("Geometric", &["--bits"]), "PASS-WITH-POWER");
}

/// The package `dp_assay` on any interpreter, without other libraries; the wheel itself is tested where it is built.
#[test]
fn the_python_package_accounts_gates_and_refuses() {
    let Some(python) = python("unittest") else {
        return;
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let parts = ["Accounting", "Values", "Gates", "Program"];
    let output = Command::new(python)
        .args(["-B", "-m", "unittest"])
        .args(parts.map(|part| format!("test_package.{part}")))
        .current_dir(root.join("tests/python"))
        .env("PYTHONPATH", root.join("src/python"))
        .env("DP_ASSAY_BINARY", env!("CARGO_BIN_EXE_dp-assay"))
        .output()
        .expect("an interpreter");
    assert!(output.status.success(), "{}", stderr(&output));
}

/// Outputs of any shape over the protocol, on the client alone: a histogram shows which keys there are.
#[test]
fn the_client_sends_outputs_of_any_shape() {
    let Some(python) = python("json") else {
        return;
    };
    let of = |which: &str| verdict(&python, "histogram.py", which, &[]);
    assert_eq!(of("found-keys"), "VIOLATION");
    assert_ne!(of("all-keys"), "VIOLATION");
}
