//! For those who extend this project: where things go, what each kind of addition needs, and what tests write.
//!
//! # Where things go
//!
//! What the papers claim is `spec/`, what the code does is `src/`, how we know is `tests/`, `fuzz/` and `benches/`. `src/`
//! may use `spec/`, never the other way round, and reads nothing in `tests/`. A paper's short name is its room in each:
//! `spec/src/gcd`, `src/solver/gcd`, `tests/papers/gcd`, `src/audit/builtin/gcd.rs`. A file format is written down in
//! `spec/formats` before its code.
//!
//! Within `src/` each folder uses those before it, none behind it: `units`, `float`, `mechanism`, `graph`, `problem`,
//! `accounting`, `solver`, `audit`, `ledger`, `experiment`, `report`, `cli`.
//! No files use each other in a circle, as `tests/program/circles.rs` sees.
//! A public type has a name of its own, but those that `tests/program/names.rs` counts.
//!
//! Read first: a solver's reference, `src/solver/gcd/reference.rs`; a claim with its check, [`dp_assay_spec::prove`]; the
//! table of papers, [`dp_assay_spec::paper`].
//!
//! # A claim
//!
//! A `const` of the file for its part of the paper, and its name in that file's list. [`dp_assay_spec::prove`] says how
//! each kind of statement is checked. Its id is the paper's name, the kind and the number as printed: `gcd-thm-4.2`. Then
//!
//! - every printed number goes through `Check::constant`, and changing one must make the check fail (`--test claims every`);
//! - what no computation decides is a sentence of `by_hand`;
//! - the places that it decides name it in `spec/coverage/NAME.csv`;
//! - if it does not hold as printed, a claim `…-repaired` does, and a `Note` of `spec/src/NAME/findings.rs` says what that
//!   affects.
//!
//! A claim whose statement has terms and rules in the kernel is a line of `spec/src/moved.rs`, and its check is
//! [`by_kernel`](dp_assay_spec::claim::by_kernel), but where a check tells what the kernel does not: slack, pictures, the point
//! where a claim fails. Statement and multipliers can be written as the ledger prints them (`spec/src/moved/written.rs`), and a
//! row of `spec/tests/data/neighbours.tsv` says which neighbour is not provable. One that fails at numbers is an item of
//! `spec/src/moved/refuted/printed.rs`: what is printed, and where it fails.
//!
//! ```
//! use dp_assay_spec::claim::{Check, Effort};
//!
//! let claims = dp_assay_spec::claims();
//! let claim = claims.iter().find(|claim| claim.id == "gcd-mech-lap").expect("it is in the inventory");
//! let check = Check::printed(Effort::Replay);
//! assert!((claim.check)(&check).holds() && !check.constants().is_empty());
//! ```
//!
//! # A paper
//!
//! `cargo run -p dp-assay-spec --example new_paper -- NAME "TITLE" "FAMILY, NAMES" ARXIV` writes its own rooms, with a
//! claim of each kind to be replaced. Three edits are left elsewhere, and three more once it has a solver; `cargo test`
//! names each that is missing:
//!
//! | edit | missing, it is named by |
//! |---|---|
//! | a row of the table in `spec/src/paper.rs` | `--test claims rooms` |
//! | `pub mod NAME;` in `spec/src/lib.rs` | the compiler |
//! | a row of the table in `README.md` | `--test claims rooms` |
//! | `pub mod NAME;` in `src/solver/mod.rs` | `--test claims rooms` |
//! | `mod NAME;` in `tests/papers/main.rs` | `--test claims rooms` |
//! | `mod NAME;` and `&NAME::FAMILY` in `src/audit/builtin.rs` | `--test claims rooms` |
//!
//! The gate does the first three with a paper that is not there (`.ci/sixth_paper`), looks before each whether something
//! red names it, and goes on until the specification's tests are green.
//!
//! # A solver
//!
//! `src/solver/NAME/reference.rs` is the pseudocode and stays obvious; `optimized.rs` is fast. Both read the same addresses
//! of the [noise tape](crate::mechanism::tape), and `bound.rs` derives how far rounding may take them apart. A line that
//! rests on a claim says so, `//= gcd-thm-4.2-repaired`. `tests/papers/NAME` couples the two, looks for the noise at each
//! address, and audits both on a worst-case pair; `benches` has a file for its speed. Users meet it as a method of `src/solver/fit`
//! (of `src/solver/fit/kl` where a loss need not be convex) and of `src/cli/fit`.
//!
//! # A mechanism
//!
//! What audits know by name is a row of a `Family` in `src/audit/builtin`: name, words, and the claims that its true ε
//! rests on; a new family is a line of `FAMILIES` in `src/audit/builtin.rs`. A mechanism with a known defect, by which the
//! audits prove themselves, is a specimen of `src/audit/zoo`.
//!
//! # An accountant
//!
//! A mechanism to account for is a variant of [`Event`](crate::accounting::Event), described in `spec/formats/event.md`,
//! and a type in `src/accounting/leaf` with all that any accountant asks of it: noise, curve, law, ε, certified pair, and the
//! claims that they rest on. None of these has a default, so the compiler names what a new mechanism lacks. What sampling makes
//! of them is in `src/accounting/samples.rs` and `batches.rs`, with the claims on it in `basis.rs`: a step that no claim carries
//! is refused. A theorem of the literature that no
//! paper here prints is a claim of the collection [`acc`](dp_assay_spec::acc). `src/accounting/oracle.rs` gives the certified
//! bounds of `spec/src/privacy` that tests hold it against. Upper ends are rounded up, lower ends down.
//!
//! # An audit
//!
//! What an audit looks at in an output is in `src/audit/features.rs`; a bet against a claim is an e-process
//! (`src/audit/eprocess.rs`). A new kind of audit states its error probability, is calibrated on mechanisms that keep their
//! claims (`tests/audit/calibration`) and says what it could have seen: a pass without power is inconclusive.
//!
//! # Which tests run when
//!
//! `cargo test` is the gate of every day. A test of seconds whose property others hold too, on other instances, is ignored there and has
//! a name that ends in `_at_length`: `.ci/run` runs it, and so does whoever plants faults. What takes minutes is a campaign, whose result
//! is stored.
//!
//! # What tests write
//!
//! | what | how |
//! |---|---|
//! | table of findings, `spec/src/findings/summary.md` | `DP_ASSAY_WRITE=1 cargo test -p dp-assay-spec --test claims write_summary -- --ignored` |
//! | printed constants, `spec/tests/data/constants.tsv` | `DP_ASSAY_WRITE=1 cargo test -p dp-assay-spec --test claims a_constant_that_changes` |
//! | fewer gaps, `spec/tests/data/coverage_gaps.tsv` | `DP_ASSAY_WRITE=1 cargo test -p dp-assay-spec --test claims lower_ceilings -- --ignored` |
//! | stored proofs, `spec/certificates` | `DP_ASSAY_WRITE=1 cargo test -p dp-assay-spec --test claims stored_certificates -- --ignored` |
//! | snapshots of what the program prints | `INSTA_UPDATE=always cargo test --test program` |
//! | rules on many random instances, `spec/kernel/tests/data/falsifiers.csv` | `DP_ASSAY_WRITE=1 cargo test -p dp-assay-kernel many_random_instances -- --ignored` |
//! | counts in `README.md` | `cargo run --release -- ledger --format counts --into README.md` |
//! | every claim with its verdict, `spec/LEDGER.md` | `cargo run --release -- ledger --format md --into spec/LEDGER.md` |
//! | ratios of benchmarks, `benches/baseline.csv` | `DP_ASSAY_WRITE=1 cargo bench --bench versus_baseline` |
//! | what a protocol draws, `tests/data/sign_tests_1.csv` | `DP_ASSAY_WRITE=1 cargo test --test program the_protocol_of_the_stored_evidence` |
//! | answers of accountants to the last bit, `tests/data/answers.tsv` | `DP_ASSAY_WRITE=1 cargo test --test accounting value_stability` |
//! | answers of solvers and problems, `tests/data/answers_papers.tsv` | `DP_ASSAY_WRITE=1 cargo test --test papers answers` |
//! | what audits find on a seed, `tests/data/audits_mechanisms.tsv` and its like | `DP_ASSAY_WRITE=1 cargo test --test audit value_stability` |
//! | shares of mutants killed, `tests/data` | `DP_ASSAY_WRITE=1 cargo test --test faults stored_samples` |
//! | what campaigns found, `tests/data` | the command in each table's first line |
//!
//! A difference in any of these is read before it is committed: a verdict that changes is news.
//!
//! # How times grow
//!
//! The exponent is the slope of the least-squares line through the logarithms of sizes and times: 1 where twice the size
//! takes twice the time. A line is a group of benchmarks whose names end in a size; `versus_baseline` writes the table with
//! the stored times, whose processor and day stand beside them.
//!
#![doc = include_str!("scale.md")]
//!
//!
//! # Fuzz targets
//!
//! `cargo fuzz run -s none TARGET`. Names end in the kind of property: `drt`, two programs agree; `pbt`, a property holds;
//! `roundtrip`, what is read is written and read back as itself. Inputs in `fuzz/corpus` and `fuzz/regressions` are replayed
//! by `cargo test --test replay`.
//!
//! | target | property |
//! |---|---|
//! | `account_batches_drt` | bounds for batches as programs draw them, and for correlated noise, enclose the certified oracle's or closed forms |
//! | `account_gaussian_drt` | δ, ε and σ of the Gaussian mechanism are on the safe side of MPFR, and tight |
//! | `account_pure_drt` | so are profiles and Rényi divergences of Laplace noise and randomised response |
//! | `account_subsampled_drt` | of the Poisson-subsampled Gaussian, moments agree with MPFR, and three routes with each other |
//! | `ambssgd_drt` | both solvers refuse the same inputs and stay within the derived bound |
//! | `campaign_plan_roundtrip` | a plan that parses is written and read back as itself |
//! | `campaign_store_pbt` | opening any file as a store ends in a result or an error |
//! | `decor_accountant_drt` | the accountant encloses the exact rational value on any small graph |
//! | `decor_edge_list_roundtrip` | any text is an edge list, which is written and read back as itself, or an error |
//! | `event_tree_pbt` | any text is an event tree, which is read back as itself and expands within limits, or an error |
//! | `external_pbt` | whatever a program sends, reading it ends in the outputs asked for or an error |
//! | `filter_pbt` | the adaptive filter never admits more than its budget |
//! | `kl_drt` | all solvers refuse the same inputs, decide alike, stay within the derived bound and the budget |
//! | `parse_roundtrip` | any bytes are a data set, which is written and read back as itself, or an error |
//! | `skgd_drt` | both solvers refuse the same inputs and stay within the derived bound |
//! | `tape_pbt` | reading the tape in any order gives the same variates |
//!
//! # Style
//!
//! - Names use the field's terms and the papers' symbols (`σ_cdp`, ρ, `η`). Prose is plain, short and exact.
//! - A line of code ends by column 100, or rustfmt leaves alone what it stands in; a longer text goes on in the next line behind a `\`.
//! - A paragraph with a heading has one of `**Statement.**`, `**Setting.**`, `**Proof.**`, `**Rounding.**`, `**Limits.**`; a rule of
//!   the kernel begins with its name. A proof goes one step a line, and a formula gives its general term.
//! - A comment says why. A public item says units, shapes, errors and, of a bound, the direction of rounding.
//! - A verdict is computed, never typed in; a test can fail; a statistical one states false alarm and power.
//! - Nothing passes in silence: bad input gets an error that names the value and the rule.
//! - One obvious place for each thing, files near 400 lines, functions near 40. A well-kept library beats own code outside
//!   what the project is for. No `unsafe`.
//! - A commit does one thing; its first line says what, in the imperative, and what follows says why.
