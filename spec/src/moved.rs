//! The claims that have moved into the proof kernel: their statements are terms, their proofs programs whose rules are
//! checked (see `dp_assay_kernel`). What has not moved is decided by the checks of its claim. A theorem prints its statement;
//! [`proof`] is for a reader, [`trace`] for the second checker (`spec/tests/checker/check.py`).
//!
//! ```
//! use dp_assay_spec::moved;
//!
//! let theorem = moved::theorem("gcd-thm-4.2-repaired").expect("it has moved")?;
//! assert!(theorem.statement().to_string().contains("DP"));
//! println!("{}", moved::proof(theorem.trace()));
//! assert!(moved::trace(theorem.trace()).ends_with("(zcdp-to-dp))\n"));
//! assert!(moved::theorem("gcd-thm-4.2").is_none());
//! # Ok::<(), dp_assay_kernel::Stuck>(())
//! ```

use crate::ambssgd::kernel as ambssgd;
use crate::ambssgd::kernel::{
    amplification, blocks, count, covariances, gaussian as features, sizes as costs, ssgd,
    step_size, steps as noisy, tails, tracked,
};
use crate::decor::kernel as decor;
use crate::decor::kernel::{
    adversary, algorithms as matrices, assumptions, consensus, constant, corrected as unrolled,
    deletion, diagonal, displays as lines_of, entries, exact as slopes, leading, least_squares,
    mixing, noise as draws_of, regular, run, schedule as step_of, secrets, sensitivity as sent,
    spectrum, star, sums as edges,
};
use crate::gcd::kernel::sizes as rates;
use crate::gcd::kernel::{
    composition, convex, counted, descent, good_steps, greedy, hitting, level, printed, proximal,
    proximal_runs, quasi, restricted, rounds as contraction, scales, selection, sensitivity,
    sparse, sparse_runs, strongly, support, touched,
};
use crate::kl::kernel as kl;
use crate::kl::kernel::adaptive::{self, rounds, useful};
use crate::kl::kernel::{
    calls, carry, descent as falls, displays, floors, gradients, horizon, lower, noises,
    noisy as algorithm_4, proximal as outer, rates as sizes_of, regularised, rounds as runs,
    schedule, selection as draw, spider,
};
use crate::kl::kernel::{
    cone, constants, cube, errors, nested, noise, quadratic, reach, sharp, shrinking, stationary,
    valley,
};
use crate::moved::written::Proof;
use crate::skgd::kernel::{
    block, classes, comparison, corrected, lemmas, norms, privacy, rows, sampling, special, steps,
    strong, sums,
};
use crate::{gcd, skgd};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::statement::{Goal, Item, Statement, View};
use dp_assay_kernel::term::num;

pub use dp_assay_kernel::rules::Theorem;
pub(crate) use refuted::failure;
pub(crate) mod bounds;
pub(crate) mod curvature;
pub(crate) mod events;
pub(crate) mod exact;
pub(crate) mod exponential;
pub(crate) mod lines;
pub(crate) mod margin;
pub(crate) mod mechanisms;
pub(crate) mod notions;
pub(crate) mod pairs;
pub(crate) mod records;
mod refuted;
pub(crate) mod sizes;
pub(crate) mod written;

pub use dp_assay_kernel::trace::proof;
pub use dp_assay_kernel::trace::write as trace;

/// A claim that has moved.
#[derive(Clone, Copy)]
pub struct Moved {
    /// Its id.
    pub id: &'static str,
    /// What it says; it fails if the kernel finds an item of it ill-formed.
    pub statement: fn() -> Result<Statement, Stuck>,
    /// The program that proves that, or a statement with other constants; it fails if a rule does not apply.
    pub prove: fn(&Statement) -> Proof,
}

/// One line for a claim: its id, its statement, its program.
macro_rules! claims {
    ($($id:literal: $statement:expr, $prove:expr;)*) => {
        &[$(Moved { id: $id, statement: $statement, prove: $prove }),*]
    };
}

/// Every claim that has moved and holds.
const HOLD: &[Moved] = claims! {
    "gcd-sens-1": sensitivity::of_loss, sensitivity::prove_of_loss;
    "gcd-sens-1-proof": sensitivity::of_mean, sensitivity::prove_of_mean;
    "gcd-sens-clip": sensitivity::of_clipped, sensitivity::prove_of_clipped;
    "gcd-mech-rnm-repaired": selection::statement, selection::prove;
    "gcd-red-tail": composition::tail, composition::prove_adaptive;
    "gcd-imp-advcomp": composition::advanced, composition::prove_adaptive;
    "gcd-imp-cor3.21-restricted": composition::corollary_3_21, composition::prove_adaptive;
    "gcd-eq-2-repaired": composition::equation_2, composition::prove_equation_2;
    "gcd-thm-4.2-repaired": || gcd::kernel::statement(View::End), gcd::kernel::prove;
    "gcd-thm-4.2-corrected": || gcd::kernel::corrected(View::Transcript), gcd::kernel::prove_corrected;
    "skgd-lem-C.1": privacy::lem_c_1, privacy::prove_lemma;
    "skgd-lem-3.9": privacy::lem_3_9, privacy::prove_lemma;
    "skgd-lem-D.8": privacy::lem_d_8, privacy::prove_lem_d_8;
    "skgd-thm-4.1": || privacy::thm_4_1(View::Transcript), privacy::prove_thm_4_1;
    "skgd-thm-4.1-dp": || privacy::thm_4_1(View::Transcript), privacy::prove_thm_4_1;
    // Of the radius in the printed K nothing is left: it is Theorem 4.1 for every K and T.
    "skgd-thm-4.2-dp-reading-known-K": || privacy::thm_4_1(View::Transcript), privacy::prove_thm_4_1;
    "skgd-thm-4.2-cvx": skgd::kernel::statement, skgd::kernel::prove;
    "skgd-thm-4.2-cvx-printed-K": skgd::kernel::statement_at_printed_k, skgd::kernel::prove_at_printed_k;
    "skgd-thm-4.2-cvx-rate": skgd::kernel::statement_of_rate, skgd::kernel::prove_rate;
    "skgd-thm-4.2-cvx-sharp": skgd::kernel::statement_sharp, skgd::kernel::prove;
    "skgd-thm-4.2-cvx-public-K": skgd::kernel::statement_at_public_k, skgd::kernel::prove_at_public_k;
    "skgd-thm-4.2-sc-round": skgd::kernel::statement_of_round, skgd::kernel::prove_round;
    "skgd-thm-4.2-sc-repaired": strong::statement, strong::prove;
    "skgd-thm-4.2-sc-rate-repaired": strong::statement_of_rate, strong::prove_rate;
    "skgd-thm-4.2-cvx-corrected": corrected::convex, corrected::prove_convex;
    "skgd-thm-4.2-sc-corrected": corrected::strong, corrected::prove_strong;
    "kl-lem-8-grad-repaired": kl::gradient, kl::prove_moves;
    "kl-lem-8-grad-reading-zero-out": kl::gradient_zero_out, kl::prove_moves;
    "kl-thm-9-sens": kl::thm_9_sens, kl::prove_moves;
    "kl-thm-9-priv": kl::thm_9_priv, kl::prove_thm_9_priv;
    "kl-thm-2-priv": kl::thm_2_priv, kl::prove_thm_2_priv;
    "kl-thm-2-priv-repaired": kl::thm_2_priv_repaired, kl::prove_thm_2_priv;
    "kl-thm-3-round-reading-inside-zero-out": rounds::round_inside, rounds::prove_round_inside;
    "kl-thm-3-reading-inside-zero-out": adaptive::inside, adaptive::prove_inside;
    "kl-thm-3-repaired-zero-out": adaptive::zero_out, adaptive::prove_zero_out;
    "kl-thm-3-repaired": adaptive::repaired, adaptive::prove_repaired;
    "kl-thm-3-repaired-quarter": adaptive::quarter, adaptive::prove_quarter;
    "kl-thm-3-repaired-transcript": adaptive::transcript, adaptive::prove_transcript;
    "kl-thm-3-corrected": adaptive::corrected, adaptive::prove_corrected;
    "kl-thm-4-corrected": useful::statement, useful::prove;
    "kl-lem-12-corrected": useful::falls::statement, useful::falls::prove;
    "kl-lem-10-corrected": useful::noises::statement, useful::noises::prove;
    "kl-thm-5-select": draw::select, draw::prove_select;
    "kl-thm-5-corrected": useful::chosen::statement, useful::chosen::prove;
    "ambssgd-lem-A.1-sens": ambssgd::lem_a_1_sens, ambssgd::prove_step;
    "ambssgd-thm-3.6-sens": ambssgd::thm_3_6_sens, ambssgd::prove_step;
    "ambssgd-lem-3.10-sens": ambssgd::lem_3_10_sens, ambssgd::prove_lem_3_10_sens;
    "ambssgd-lem-3.10-priv-proof-repaired": ambssgd::lem_3_10_priv, ambssgd::prove_lem_3_10_priv;
    "ambssgd-thm-3.6-cal": ambssgd::thm_3_6_cal, ambssgd::prove_thm_3_6_cal;
    "ambssgd-thm-3.6-cal-small": ambssgd::thm_3_6_cal_small, ambssgd::prove_thm_3_6_cal_small;
    "gcd-foot-2": || gcd::kernel::statement(View::Path), gcd::kernel::prove;
    "gcd-thm-4.2-restricted": restricted::theorem_4_2, restricted::prove_theorem_4_2;
    "gcd-eq-2-restricted": restricted::equation_2, restricted::prove_equation_2;
    "gcd-thm-4.2-proof-access": restricted::proof_access, restricted::prove_proof_access;
    "gcd-alg-dpsgd-sens": restricted::dpsgd, restricted::prove_dpsgd;
    "gcd-lem-B.2-proof-lines": lines::lemma_b_2, lines::prove_lemma_b_2;
    "gcd-lem-B.4-proof-sign-repaired": lines::lemma_b_4, lines::prove_identities;
    "gcd-thm-4.4-sc-b-repaired": scales::bounded, scales::prove_bounded;
    "gcd-thm-4.4-sc-repaired": scales::long, scales::prove_long;
    "gcd-lem-B.3": descent::lemma_b_3, descent::prove_lemma_b_3;
    "gcd-lem-B.4": hitting::lemma_b_4, hitting::prove_lemma_b_4;
    "gcd-eq-34": counted::statement, counted::prove;
    "gcd-eq-53": descent::equation_53, descent::prove_equation_53;
    "gcd-thm-4.4-cvx-corrected": convex::statement, convex::prove;
    "gcd-thm-4.4-sc-corrected": strongly::statement, strongly::prove;
    "gcd-thm-4.7-b-repaired": sparse_runs::statement, sparse_runs::prove;
    "gcd-thm-4.7-corrected": support::statement, support::prove;
    "gcd-thm-4.4-sc-T-repaired": contraction::statement, contraction::prove;
    "skgd-lem-cocoercive": steps::lem_cocoercive, steps::prove_lem_cocoercive;
    "skgd-fact-unbiased": steps::unbiased, steps::prove_moments;
    "skgd-fact-step-mean": steps::step_mean, steps::prove_moments;
    "skgd-lem-E.1": skgd::kernel::lem_e_1, skgd::kernel::prove_lem_e_1;
    "skgd-lem-E.2": steps::lem_e_2, steps::prove_lem_e_2;
    "skgd-lem-E.3": steps::lem_e_3, steps::prove_lem_e_3;
    "skgd-lem-E.4-repaired": steps::lem_e_4, steps::prove_lem_e_4;
    "skgd-lem-E.5-proof-equality-repaired": steps::equality, steps::prove_equality;
    "skgd-lem-E.5": steps::lem_e_5, steps::prove_lem_e_5;
    "skgd-thm-4.2-sc-proof-index-repaired": sums::index, sums::prove_index;
    "skgd-lem-E.1-proof-sums": sums::sums, sums::prove_sums;
    "skgd-lem-mixture": lemmas::mixture, lemmas::prove_mixture;
    "skgd-lem-post-processing": lemmas::post_processing, lemmas::prove_post_processing;
    "skgd-thm-4.1-proof-chain": lemmas::proof_chain, lemmas::prove_proof_chain;
    "skgd-thm-4.2-cvx-minimiser-repaired": lemmas::minimiser, lemmas::prove_minimiser;
    "decor-lem-10": lemmas::two_in_turn, lemmas::prove_two_in_turn;
    "skgd-lem-D.7": mechanisms::at_one_order, mechanisms::prove_at_one_order;
    "decor-lem-11": mechanisms::at_one_order, mechanisms::prove_at_one_order;
    "ambssgd-conv-zcdp": mechanisms::at_every_order, mechanisms::prove_at_every_order;
    "kl-fact-conv": mechanisms::small_budget, mechanisms::prove_small_budget;
    "decor-aux-mixture": mechanisms::mixture, mechanisms::prove_mixture;
    "decor-fact-sens": sent::fact_sens, sent::prove_fact_sens;
    "decor-base-ldp": decor::base_ldp, decor::prove_baseline;
    "decor-base-cdp": decor::base_cdp, decor::prove_baseline;
    "decor-drv-4": decor::drv_4, decor::prove_drv_4;
    "decor-cor-12-alpha": decor::cor_12_alpha, decor::prove_cor_12_alpha;
    "kl-thm-4-rate-intro-repaired": lines::rate_intro, lines::prove_rate_intro;
    "ambssgd-eq-8-9-repaired": lines::equations_8_9, lines::prove_equations_8_9;
    "decor-thm-6": adversary::theorem_6, adversary::prove_theorem_6;
    "decor-thm-1a": adversary::theorem_6, adversary::prove_theorem_6;
    "decor-thm-1b": adversary::theorem_6, adversary::prove_theorem_6;
    "decor-cor-12-priv": adversary::corollary_12, adversary::prove_corollary_12;
    "decor-cor-3a": adversary::corollary_12, adversary::prove_corollary_12;
    "decor-cor-3b": adversary::corollary_12, adversary::prove_corollary_12;
    "decor-cor-12-priv-tight": adversary::corollary_12_tight, adversary::prove_tight;
    "decor-alg-1-corrected": adversary::corrected, adversary::prove_tight;
    "decor-rem-scale": adversary::rem_scale, adversary::prove_rem_scale;
    "decor-rem-connected-reading-I": adversary::connected::statement, adversary::connected::prove;
    "kl-thm-3-round-repaired": rounds::round_repaired, rounds::prove_round_repaired;
    "ambssgd-lem-3.10-priv": ambssgd::lem_3_10_released, ambssgd::prove_lem_3_10_released;
    "gcd-thm-4.4-cvx-gap-repaired": lines::gap, lines::prove_gap;
    "kl-thm-9-proof-repaired": lines::proof_of_theorem_9, lines::prove_proof_of_theorem_9;
    "gcd-disc-quasi-alpha": lines::quasi_sparse, lines::prove_quasi_sparse;
    "kl-lem-8-diff-repaired": spider::difference, spider::prove_difference;
    "kl-lem-8-reading-zero-out": spider::zero_out, spider::prove_zero_out;
    "kl-lem-8-repaired": spider::replaced, spider::prove_replaced;
    "kl-mech-tstar": draw::tstar, draw::prove_tstar;
    "kl-thm-5-priv-proof-reading-zero-out": draw::proof_zero_out, draw::prove_proof_zero_out;
    "kl-thm-5-priv-reading-inside-zero-out": draw::inside, draw::prove_inside;
    "kl-thm-5-priv-repaired-zero-out": draw::zero_out, draw::prove_zero_out;
    "kl-thm-5-priv-repaired": draw::repaired, draw::prove_repaired;
    "kl-par-alg-3": rounds::crossings, rounds::prove_crossings;
    "gcd-thm-4.4-cvx-T-repaired": bounds::cube_roots, bounds::prove_cube_roots;
    "decor-rem-magnitudes": bounds::magnitudes, bounds::prove_magnitudes;
    "kl-lem-5-move": bounds::move_of_step, bounds::prove_move_of_step;
    "kl-thm-4-budget-repaired": bounds::budget, bounds::prove_budget;
    "kl-red-log": horizon::red_log, horizon::prove_red_log;
    "kl-par-alg-2": horizon::par_alg_2, horizon::prove_par_alg_2;
    "kl-thm-1-K": horizon::thm_1_k, horizon::prove_thm_1_k;
    "kl-thm-1-K-repaired": horizon::thm_1_k_repaired, horizon::prove_thm_1_k_repaired;
    "kl-thm-2-T": horizon::thm_2_t, horizon::prove_thm_2_t;
    "kl-thm-2-T-repaired": horizon::thm_2_t_repaired, horizon::prove_thm_2_t_repaired;
    "decor-D1-mono": entries::monotone, entries::prove_monotone;
    "decor-D1-interval": entries::interval, entries::prove_interval;
    "decor-2conn": entries::left_alone, entries::prove_left_alone;
    "kl-thm-1-priv-reading-zero-out": spider::output, spider::prove_output;
    "kl-thm-1-priv-repaired": spider::repaired, spider::prove_repaired;
    "ambssgd-thm-3.6-comp": blocks::thm_3_6_comp, blocks::prove_zcdp;
    "ambssgd-thm-3.6-zcdp": blocks::thm_3_6_zcdp, blocks::prove_zcdp;
    "ambssgd-thm-3.6-disjoint-zcdp": blocks::thm_3_6_disjoint, blocks::prove_disjoint;
    "ambssgd-cor-3.8": blocks::cor_3_8, blocks::prove_cor_3_8;
    "skgd-cor-D.5-repaired": lemmas::masked_gaussian, lemmas::prove_masked_gaussian;
    "skgd-fact-isotropic": norms::isotropic, steps::prove_moments;
    "skgd-def-Sigma": norms::two_forms, steps::prove_moments;
    "skgd-lem-E.5-proof-chain": norms::chain, norms::prove_chain;
    "ambssgd-cmp-regime-repaired": sizes::regime, sizes::prove_regime;
    "ambssgd-cmp-sizes": sizes::sizes, sizes::prove_sizes;
    "ambssgd-lem-geometric": sizes::geometric, sizes::prove_geometric;
    "kl-thm-4-long": sizes::long, sizes::prove_long;
    "ambssgd-lem-A.1-restricted": noisy::lem_a_1, noisy::prove_lem_a_1;
    "ambssgd-lem-exp": exponential::exponential, exponential::prove_exponential;
    "gcd-rem-4.3-repaired": composition::remark_4_3, composition::prove_equation_2;
    // Displays, classes of functions and sums.
    "kl-lem-1-note-repaired": displays::lem_1_note, displays::prove_lem_1_note;
    "kl-lem-11-rate-repaired": displays::lem_11_rate, displays::prove_lem_11_rate;
    "kl-thm-2-step": displays::thm_2_step, displays::prove_thm_2_step;
    "kl-lem-12-slope": displays::lem_12_slope, displays::prove_lem_12_slope;
    "kl-thm-2-rate": sizes_of::thm_2_rate, sizes_of::prove_thm_2_rate;
    "kl-thm-4-rate": sizes_of::thm_4_rate, sizes_of::prove_thm_4_rate;
    "kl-thm-1-rate": sizes_of::thm_1_rate, sizes_of::prove_thm_1_rate;
    "kl-cor-1-const": sizes_of::cor_1_const, sizes_of::prove_cor_1_const;
    "kl-thm-4-charges": displays::thm_4_charges, displays::prove_thm_4_charges;
    "kl-thm-1-F0max": sizes_of::thm_1_f0max, sizes_of::prove_thm_1_f0max;
    "skgd-fact-mu-M": classes::mu_m, classes::prove_mu_m;
    "skgd-def-norm": classes::norm, classes::prove_norm;
    "skgd-thm-4.2-sc-proof-round": classes::proof_round, classes::prove_proof_round;
    "skgd-eq-imp-psd": classes::importance, classes::prove_importance;
    "skgd-lem-E.1-proof-repaired": classes::proof_of_e_1, classes::prove_proof_of_e_1;
    "skgd-lem-E.4": steps::lem_e_4_printed, steps::prove_lem_e_4_printed;
    "skgd-cmp-cd-imp-repaired": classes::one_dominates, classes::prove_one_dominates;
    "skgd-cmp-sgd-preserved": classes::preserved, classes::prove_preserved;
    "kl-thm-2-prox": displays::thm_2_prox, displays::prove_thm_2_prox;
    "decor-thm-2a-sum": lines_of::sum_of_rounds, lines_of::prove_sum_of_rounds;
    "skgd-eq-block-Sigma": sampling::block_sigma, sampling::prove_block_sigma;
    "skgd-rate-block": sampling::block, sampling::prove_plain;
    "skgd-rate-block-unif": sampling::block_uniform, sampling::prove_block_uniform;
    "skgd-rate-block-imp": sampling::block_importance, sampling::prove_block_importance;
    "skgd-rate-single": sampling::single, sampling::prove_plain;
    "skgd-rate-single-unif": sampling::single_uniform, sampling::prove_single_uniform;
    "skgd-rate-single-imp": sampling::single_importance, sampling::prove_single_importance;
    "skgd-rate-full": sampling::full, sampling::prove_full;
    "gcd-lem-B.2": greedy::lemma_b_2, greedy::prove_lemma_b_2;
    "gcd-eq-52": greedy::equation_52, greedy::prove_equation_52;
    "gcd-def-norms": greedy::norms, greedy::prove_norms;
    "gcd-eq-64": greedy::equation_64, greedy::prove_equation_64;
    "gcd-ineq-l1l2": rates::norms, rates::prove_norms;
    "gcd-thm-4.7-proof-alpha": rates::proof_alpha, rates::prove_proof_alpha;
    "gcd-lem-B.5-repaired": quasi::lemma_b_5, quasi::prove_lemma_b_5;
    "gcd-eq-61-repaired": quasi::equation_61, quasi::prove_equation_61;
    "gcd-cor-B.6": quasi::corollary_b_6, quasi::prove_corollary_b_6;
    "gcd-disc-l1-asi": rates::asi, rates::prove_asi;
    "gcd-cost": rates::iterations, rates::prove_iterations;
    "decor-def-2-weights-repaired": edges::weights, edges::prove_weights;
    "decor-fact-cancel": edges::cancel, edges::prove_cancel;
    "decor-fact-cov": draws_of::covariance, draws_of::prove_covariance;
    "decor-fact-ones": draws_of::ones, draws_of::prove_ones;
    "decor-lem-8a-repaired": draws_of::lemma_8a, draws_of::prove_lemma_8a;
    "decor-lem-8c": draws_of::lemma_8c, draws_of::prove_lemma_8c;
    "decor-lem-9-noise-repaired": draws_of::lemma_9_noise, draws_of::prove_lemma_9_noise;
    "decor-drv-10": least_squares::task, least_squares::prove_task;
    "decor-drv-6": regular::statement, regular::prove;
    "decor-drv-9": star::statement, star::prove;
    "decor-eq-35": edges::equation_35, edges::prove_equation_35;
    "decor-eq-23": run::apart::statement, run::apart::prove;
    "decor-asm-star-repaired": assumptions::at_the_minimum, assumptions::prove_at_the_minimum;
    "decor-asm-joint-lemma": constant::constant, constant::prove_constant;
    "decor-thm-2a-corrected-rounds": unrolled::rounds, unrolled::prove_rounds;
    "decor-thm-2a-corrected": run::statement, run::prove;
    "decor-cor-12-pl-corrected-utility": run::calibrated, run::prove_calibrated;
    "decor-cor-12-pl-corrected": run::private::statement, run::private::prove;
    "decor-cor-3a-util-corrected": run::private::instances::eavesdropped, run::private::instances::prove_eavesdropped;
    "decor-cor-3b-util-corrected": run::private::instances::curious, run::private::instances::prove_curious;
    "decor-cor-12-nc-corrected": run::private::stationary::statement, run::private::stationary::prove;
    "decor-thm-2b-corrected": run::constant::statement, run::constant::prove;
    "decor-thm-2b-rounds": unrolled::nonconvex, unrolled::prove_nonconvex;
    "decor-lem-9-pathwise": consensus::every_model, consensus::prove_every_model;
    "decor-drv-1": diagonal::diagonal, diagonal::prove_diagonal;
    "decor-lem-5": spectrum::second_largest, spectrum::prove_second_largest;
    "decor-drv-3": deletion::deletion, deletion::prove_deletion;
    "decor-alg-4": matrices::algorithm_4, matrices::prove_algorithm_4;
    "decor-def-preserve": secrets::preserved, secrets::prove_preserved;
    "decor-def-order": secrets::ordered, secrets::prove_ordered;
    "decor-fact-pl": lines_of::strong_is_steep, lines_of::prove_strong_is_steep;
    "decor-aux-cocoercive": lines_of::cocoercive, lines_of::prove_cocoercive;
    "decor-exp-logistic-repaired": lines_of::logistic, lines_of::prove_logistic;
    "decor-exp-delta-repaired": lines_of::delta, lines_of::prove_delta;
    "decor-cor-12-nc-terms": lines_of::nonconvex_terms, lines_of::prove_nonconvex_terms;
    "decor-rem-rates": leading::rates, leading::prove_rates;
    "decor-eq-12": leading::of_edges, leading::prove_of_edges;
    // Any mechanism: notions, pairs that dominate, events, and bounds that are attained.
    "gcd-aux-renyi": notions::aux_renyi, notions::prove_aux_renyi;
    "kl-red-range": notions::red_range, notions::prove_red_range;
    "kl-lem-14": notions::lem_14, notions::prove_lem_14;
    "kl-imp-adaptive": notions::imp_adaptive, notions::prove_imp_adaptive;
    "skgd-prop-D.6": notions::composed, notions::prove_composed;
    "gcd-red-rr": pairs::red_rr, pairs::prove_red_rr;
    "gcd-aux-response": pairs::aux_response, pairs::prove_aux_response;
    "gcd-aux-dominated": pairs::aux_dominated, pairs::prove_aux_dominated;
    "decor-aux-simulate": pairs::aux_simulate, pairs::prove_aux_simulate;
    "ambssgd-thm-3.6-disjoint": blocks::thm_3_6_one_release, blocks::prove_one_release;
    "decor-aux-event": events::aux_event, events::prove_aux_event;
    "kl-red-event": events::red_event, events::prove_red_event;
    "kl-lem-8-mech-repaired": exact::mechanisms, exact::prove_mechanisms;
    "decor-thm-6-num": slopes::exact_slope, slopes::prove_exact_slope;
    "skgd-fact-sens-f": records::fact_sens_f, records::prove_fact_sens_f;
    "gcd-pair": records::pair, records::prove_pair;
    "skgd-lem-merging": records::merging, records::prove_merging;
    "ambssgd-eq-30": step_size::equation_30, step_size::prove_equation_30;
    "decor-thm-2a-W": lines_of::scaled_values, lines_of::prove_scaled_values;
    "skgd-cmp-sgd-cvx": comparison::convex, comparison::prove_convex;
    "skgd-cmp-sgd-block-repaired": comparison::block, comparison::prove_block;
    "skgd-cmp-sgd-block-better": block::statement, block::prove;
    "skgd-tab-1-repaired": rows::table, rows::prove_table;
    "skgd-cmp-cd-sc-repaired": rows::single, rows::prove_single;
    "skgd-cmp-sgd-sc-true-mu": rows::full, rows::prove_full;
    "gcd-thm-4.4-cvx-b-restricted": level::restricted, level::prove_restricted;
    "gcd-thm-4.4-cvx-b-repaired": level::repaired, level::prove_repaired;
    "gcd-thm-4.4-cvx-restricted": level::rate, level::prove_rate;
    "gcd-disc-l1-repaired": level::bounded, level::prove_bounded;
    "decor-rem-disc": slopes::disconnected, slopes::prove_disconnected;
    "decor-thm-2a-V": step_of::value, step_of::prove_value;
    "decor-thm-2a-eta-repaired": step_of::step_sizes, step_of::prove_step_sizes;
    "decor-lem-8b-repaired": mixing::rows, mixing::prove_rows;
    "decor-lem-8b-proof": mixing::rows_proof, mixing::prove_rows_proof;
    "decor-lem-8b-reading-mh-repaired": mixing::any_weights, mixing::prove_any_weights;
    "gcd-eq-41-repaired": sparse::norms, sparse::prove_norms;
    "gcd-reg-global": sparse::global, sparse::prove_global;
    "gcd-disc-l2": sparse::worst_case, sparse::prove_worst_case;
    "gcd-eq-40-monotone": sparse::monotone, sparse::prove_monotone;
    "skgd-fact-lipschitz-special": special::special, special::prove_special;
    "skgd-red-dpcd": special::one, special::prove_one;
    "skgd-red-dpsgd-restricted": special::all, special::prove_all;
    "gcd-good-steps": good_steps::statement, good_steps::prove;
    "gcd-rule-gsq-repaired": proximal::quadratic, proximal::prove_quadratic;
    "gcd-prox-priv-corrected": proximal_runs::corrected, proximal_runs::prove_corrected;
    "gcd-prox-priv-repaired": proximal_runs::repaired, proximal_runs::prove_repaired;
    "gcd-eq-38-repaired": sparse::equation_38, sparse::prove_equation_38;
    "gcd-eq-63": contraction::equation_63, contraction::prove_equation_63;
    "gcd-rem-4.1": touched::rounds, touched::prove_rounds;
    "gcd-thm-4.4-cvx-proof": printed::rate, printed::prove_rate;
    "gcd-def-R-proof": level::radius, level::prove_radius;
    "decor-collude-rate": lines_of::collusion, lines_of::prove_collusion;
    "gcd-thm-4.4-cvx-T": rates::rounds, rates::prove_rounds;
    "ambssgd-cost": costs::cost, costs::prove_cost;
    "ambssgd-thm-3.2-rate-repaired": costs::least_squares, costs::prove_least_squares;
    "ambssgd-cor-3.8-util-reading-bias-repaired": costs::bias, costs::prove_bias;
    "kl-fact-sc": gradients::strongly_convex, gradients::prove_strongly_convex;
    "kl-fact-telescope": gradients::errors, gradients::prove_errors;
    "kl-fact-convex-kl": gradients::convex_valley, gradients::prove_convex_valley;
    "kl-lem-6": gradients::growth, gradients::prove_growth;
    "kl-lem-9": gradients::lemma_9, gradients::prove_lemma_9;
    "kl-thm-1-step": gradients::step, gradients::prove_step;
    "kl-thm-1-stop": gradients::stop, gradients::prove_stop;
    "kl-fact-F0": gradients::first_excess, gradients::prove_first_excess;
    "kl-thm-6-red-proof-repaired": lower::last_step, lower::prove_last_step;
    "kl-lem-10-floor-repaired": floors::floor, floors::prove_floor;
    "kl-lem-4-note": regularised::small_share, regularised::prove_small_share;
    "kl-thm-9-mart": regularised::martingale, regularised::prove_martingale;
    "kl-thm-9-radius": regularised::radius, regularised::prove_radius;
    "kl-thm-2-phase-repaired": outer::phases, outer::prove_phases;
    "kl-thm-1-phase-reading-carry": carry::statement, carry::prove;
    "kl-thm-2-corrected-any": calls::any::statement, calls::any::prove;
    "kl-thm-2-corrected": calls::statement, calls::prove;
    "kl-thm-9-noise-repaired": noises::statement, noises::prove;
    "kl-thm-9-corrected": algorithm_4::corrected, algorithm_4::prove;
    "kl-thm-9-repaired": algorithm_4::repaired, algorithm_4::prove;
    "kl-thm-9-restricted": algorithm_4::restricted, algorithm_4::prove;
    "kl-lem-3-restricted": algorithm_4::subroutine, algorithm_4::prove;
    "kl-lem-4-repaired": regularised::moves, regularised::prove_moves;
    "kl-thm-7-gap-repaired": lower::gap, lower::prove_gap;
    "kl-par-alg-1": schedule::par_alg_1, schedule::prove_par_alg_1;
    "kl-lem-2-count-repaired": schedule::count, schedule::prove_count;
    "kl-lem-11-repaired": floors::excess_at_floor, floors::prove_excess_at_floor;
    "kl-thm-4-phases-repaired": floors::phases, floors::prove_phases;
    "kl-thm-5-best-restricted": floors::best, floors::prove_best;
    "kl-lem-12-mono-repaired": falls::monotone, falls::prove_monotone;
    "ambssgd-eq-5-6-repaired": covariances::both_errors, covariances::prove_both_errors;
    "ambssgd-thm-3.7-proof-final-repaired": covariances::final_bound, covariances::prove_final_bound;
    "kl-lem-1": reach::lemma_1, reach::prove_lemma_1;
    "kl-lem-1-repaired": reach::lemma_1_repaired, reach::prove_lemma_1_repaired;
    "kl-lem-4-reading-alg-4": reach::averages, reach::prove_averages;
    "kl-thm-5-T-repaired": stationary::least_norm, stationary::prove_least_norm;
    "kl-red-norm": noise::norm, noise::prove_norm;
    "kl-lem-12-descent-restricted": shrinking::statement, shrinking::prove;
    "kl-lem-12-descent-repaired": shrinking::repaired, shrinking::prove_repaired;
    "kl-thm-1-corrected": nested::statement, nested::prove;
    "kl-lem-10-repaired": errors::statement, errors::prove;
    "kl-thm-6-const-repaired": constants::statement, constants::prove;
    "kl-thm-7-inst-repaired": cone::statement, cone::prove;
    "kl-thm-8-inst-repaired": sharp::statement, sharp::prove;
    "kl-def-valley-repaired": valley::statement, valley::prove;
    "kl-thm-7-two-points": quadratic::statement, quadratic::prove;
    "kl-thm-8-corrected": sharp::private::statement, sharp::private::prove;
    "kl-thm-6-corrected": cube::bounds::growing, cube::powers::prove_growing;
    "kl-thm-7-corrected": cube::bounds::lipschitz, cube::bounds::prove_lipschitz;
    "kl-cor-1-corrected": cube::bounds::steep, cube::powers::prove_steep;
    "kl-lem-13-repaired": falls::many_steps, falls::prove_many_steps;
    "kl-fact-nonsmooth": runs::nonsmooth, runs::prove_nonsmooth;
    "kl-thm-1-phase-repaired": runs::phase, runs::prove_phase;
    "kl-thm-5-avg": runs::average, runs::prove_average;
    "ambssgd-eq-7-repaired": amplification::equation_7, amplification::prove_equation_7;
    "ambssgd-fact-Rx-gauss-repaired": features::isotropic, features::prove_isotropic;
    "ambssgd-fact-Rx-dH-repaired": features::any_covariance, features::prove_any_covariance;
    "ambssgd-thm-3.1-corrected-any-order": ssgd::any_order, ssgd::prove_any_order;
    "ambssgd-thm-3.2-corrected-normal": ssgd::normal, ssgd::prove_normal;
    "ambssgd-thm-3.7-corrected-normal-run": tracked::statement, tracked::prove;
    "ambssgd-eq-11-repaired": tails::equation_11, tails::prove_gradient;
    "ambssgd-p3.9-noclip-repaired": tails::not_clipped, tails::prove_gradient;
    "ambssgd-thm-3.7-B-repaired": tails::domain, tails::prove_domain;
    "ambssgd-lem-count": count::statement, count::prove;
    // Witnesses of the corrected theorems.
    "skgd-thm-4.2-witness": skgd::kernel::witness::statement, skgd::kernel::witness::prove;
    "gcd-thm-4.4-witness": gcd::kernel::witness::statement, gcd::kernel::witness::prove;
    "decor-thm-2-witness": decor::witness::statement, decor::witness::prove;
    "kl-thm-4-witness": kl::witness::statement, kl::witness::prove;
};

/// Theorems that are no claims: what two claims say, of another view.
pub const BESIDES: &[Moved] = claims! {
    "gcd-thm-4.2-repaired (transcript)": || gcd::kernel::statement(View::Transcript), gcd::kernel::prove;
    "gcd-thm-4.2-corrected (end)": || gcd::kernel::corrected(View::End), gcd::kernel::prove_corrected;
};

/// Every claim that has moved: those that hold, and those whose refutation is the theorem.
pub fn all() -> impl Iterator<Item = &'static Moved> {
    HOLD.iter().chain(refuted::all())
}

/// Whether the theorem of a claim refutes it.
#[must_use]
pub fn refutes(id: &str) -> bool {
    refuted::all().any(|moved| moved.id == id)
}

/// What a theorem refutes, the claim or a case of it: its last goal is that 1 ≤ 0 if that holds, and nothing is assumed.
#[must_use]
pub fn refuted(theorem: &Theorem) -> Option<String> {
    let Statement { context, goal } = theorem.statement();
    let last = match goal {
        Goal::Both(goals) => goals.last()?,
        goal => goal,
    };
    let Goal::If(printed, nonsense) = last else {
        return None;
    };
    let assumed = |item: &Item| matches!(item, Item::Assume(_));
    if **nonsense != Goal::Le(num(1), num(0)) || context.items().iter().any(assumed) {
        return None;
    }
    let of = |item: &Item| match item {
        Item::Define(..) => item.to_string().replacen("define ", "for ", 1) + ": ",
        item => format!("for some {item}: "),
    };
    let of: String = context.items().iter().map(of).collect();
    Some(of + &printed.to_string())
}

/// The theorem of a claim that has moved, `None` for any other. It says exactly what the claim says, or that 1 ≤ 0
/// if that holds.
///
/// # Errors
/// If a rule does not apply, or the program has proved something else: a defect, caught by tests.
#[must_use]
pub fn theorem(id: &str) -> Option<Proof> {
    let moved = all().find(|moved| moved.id == id)?;
    Some((moved.statement)().and_then(|statement| {
        let theorem = (moved.prove)(&statement)?;
        match *theorem.statement() == statement {
            true => Ok(theorem),
            false => Err(Stuck::new("another statement was proved")),
        }
    }))
}
