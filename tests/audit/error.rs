//! Where an audit spends its error: no more than all of it, never on pairs that taught it, never on the same pairs twice.
//!
//! Every limit on false alarms is the tail of a binomial distribution: fewer audits than [`most`] says are wrong but with
//! the probability stated beside it.

use crate::calibration::most;
use dp_assay::audit::campaign::plan::Plan;
use dp_assay::audit::campaign::store::Store;
use dp_assay::audit::campaign::{CampaignError, Fixed, Pair, Shard, report, run};
use dp_assay::audit::interval::epsilon_lower;
use dp_assay::audit::{
    Audit, AuditError, AuditReport, DrawError, Mechanism, Output, Release, Verdict, from_fn,
};
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::units::Neighbouring;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// Randomized response that lies with probability 1/4: exactly ln 3-private.
fn response(bit: &bool, tape: Tape) -> bool {
    *bit != (tape.uniform(0, Purpose::User, 0).fraction() < 0.25)
}

/// Many numbers of noise that say nothing of the input: exactly 0-private.
fn wide(width: u64) -> impl Mechanism<Input = bool> {
    from_fn("noise", move |_: &bool, tape: Tape| -> Vec<f64> {
        let mut noise = tape.stream(0, Purpose::User, 0);
        (0..width).map(|_| noise.uniform().gaussian()).collect()
    })
}

#[test]
#[ignore = "seconds of computing: .ci/run runs it"]
fn wide_outputs_that_say_nothing_are_not_accused_by_events_learned_from_them_at_length() {
    // At the boundary of ε = 0 every bet is fair, and a hundred columns leave much to learn by mistake. Error 0.05: the
    // limit is exceeded with probability below 1e-6; audits that err in a quarter of the cases exceed it with
    // probability above 0.99.
    const AUDITS: u64 = 150;
    const ERROR: f64 = 0.05;
    let mechanism = wide(100);
    let one = |seed: u64| {
        let audit = Audit::of(&mechanism).claim(0.0, 0.0).alpha(ERROR);
        let audit = audit.neighbours(Neighbouring::ReplaceOne, false, true);
        audit
            .trials(150)
            .seed(seed)
            .run()
            .expect("a complete description")
    };
    let wrong = |r: &AuditReport| r.verdict == Verdict::Violation || r.epsilon_lower > 0.0;
    let wrong = (0..AUDITS).into_par_iter().map(one).filter(wrong).count() as u64;
    assert!(wrong <= most(AUDITS, ERROR, 1e-6), "{wrong} of {AUDITS}");
}

/// An audit of half the true ε.
fn violated(alpha: f64, seed: u64) -> AuditReport {
    let audit = Audit::of(from_fn("response", response))
        .claim(0.55, 0.0)
        .alpha(alpha);
    let audit = audit.neighbours(Neighbouring::ReplaceOne, false, true);
    audit
        .trials(20_000)
        .seed(seed)
        .run()
        .expect("a complete description")
}

#[test]
fn the_betting_ends_where_half_of_the_error_is_spent_and_not_before() {
    // Without chance: wealth 2/α refutes at error α/2. One that stopped at 1/α would be seen above it by luck alone, since
    // eight pairs move ln wealth by less than ln 2 as a rule.
    for seed in 0..20 {
        let report = violated(1e-6, seed);
        assert_eq!(report.verdict, Verdict::Violation, "{report}");
        assert!(
            report.log_wealth >= (2.0 / 1e-6_f64).ln(),
            "ln wealth {}",
            report.log_wealth
        );
    }
}

#[test]
fn the_bound_of_a_violation_is_that_of_its_counts_at_a_sixteenth_of_the_error() {
    for (alpha, seed) in [(1e-6, 1), (1e-2, 2)] {
        let found = violated(alpha, seed)
            .counterexample
            .expect("half the true ε");
        let counts = found.counts;
        let [hits0, hits1, n] = [counts.hits0, counts.hits1, counts.samples];
        assert_eq!(
            found.epsilon_lower,
            epsilon_lower(hits0, hits1, n, 0.0, alpha / 16.0)
        );
    }
}

/// Sides with the trials that were drawn on them.
type Drawn = Mutex<Vec<(usize, Range<u64>)>>;

/// A pair that writes down which trials are drawn on which side.
#[derive(Default)]
struct Written {
    drawn: Arc<Drawn>,
}

impl Pair for Written {
    fn neighbours(&self) -> Neighbouring {
        Neighbouring::ReplaceOne
    }

    fn release(&self) -> Release {
        Release::Final
    }

    fn inputs(&self) -> [String; 2] {
        ["no", "yes"].map(str::to_owned)
    }

    fn draw(&self, side: usize, tape: Tape, trials: Range<u64>) -> Result<Vec<Output>, DrawError> {
        let drawn = (side, trials.clone());
        self.drawn.lock().expect("no panic before").push(drawn);
        let one = |trial| Output::from(response(&(side == 1), tape.trial(trial)));
        Ok(trials.map(one).collect())
    }
}

/// A plan of audits of randomized response, all with the same claim.
fn plan(audits: usize, epsilon: f64, alpha: f64, pairs: u64) -> Plan {
    let mut text = format!("schema = \"dp-assay/plan/1\"\nseed = 5\nalpha = {alpha}\n");
    for audit in 0..audits {
        text += &format!(
            "[[audit]]\nname = \"{audit}\"\nmechanism = \"response\"\npairs = {pairs}\nexplore = 500\n\
             claim = {{ epsilon = {epsilon}, delta = 0.0 }}\n"
        );
    }
    Plan::parse(&text).expect("a plan")
}

/// The reports of a plan, worked through in two shards.
fn campaign(plan: &Plan, pairs: &[Box<dyn Pair>]) -> Result<Vec<AuditReport>, CampaignError> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name);
    let [one, two] = ["one", "two"].map(|name| Store::open(&at(name), plan).expect("a store"));
    for (index, store) in [&one, &two].into_iter().enumerate() {
        let shard = Shard {
            index: index as u64,
            of: 2,
        };
        run(plan, pairs, store, shard, &mut |_, _| {})?;
    }
    one.merge(&[at("two")]).expect("stores of one plan");
    let reports = report(plan, pairs, &one)?.into_iter();
    Ok(reports.map(|r| r.expect("all is counted")).collect())
}

fn responses(audits: usize) -> Vec<Box<dyn Pair>> {
    let fixed = || -> Box<dyn Pair> {
        Box::new(Fixed {
            mechanism: from_fn("response", response),
            neighbours: Neighbouring::ReplaceOne,
            release: Release::Final,
            inputs: [false, true],
        })
    };
    (0..audits).map(|_| fixed()).collect()
}

#[test]
fn no_two_chunks_audits_or_sides_of_a_campaign_draw_the_same_trials() {
    let drawn = Arc::default();
    let written = || -> Box<dyn Pair> {
        Box::new(Written {
            drawn: Arc::clone(&drawn),
        })
    };
    let pairs = vec![written(), written()];
    campaign(&plan(2, 3_f64.ln(), 1e-6, 10_000), &pairs).expect("it runs");
    let drawn = drawn.lock().expect("no panic");
    let mut seen = BTreeSet::new();
    let mut explored = 0;
    for (side, trials) in drawn.iter() {
        for trial in trials.clone() {
            // Both shards explore both audits for themselves: on the same trials, and only those.
            let exploring = trial >> 56 == 2;
            explored += u64::from(exploring);
            assert!(
                seen.insert((*side, trial)) || exploring,
                "side {side}, trial {trial} twice"
            );
            assert_eq!(trial >> 55 & 1, *side as u64, "a side's trials are its own");
        }
    }
    // Before it explores, each shard sees twice whether 32 outputs follow from the seed.
    let explores = 500 + 2 * 32;
    assert_eq!(
        (seen.len(), explored),
        (2 * 2 * 10_500, 2 * 2 * 2 * explores)
    );
}

#[test]
fn campaigns_at_the_boundary_accuse_no_more_often_than_stated() {
    // A hundred audits of three chunks, in two shards, with 0.005 of error each: more than the limit have probability
    // below 1e-6. Chunks that drew the same trials would be refused.
    const AUDITS: usize = 100;
    let plan = plan(AUDITS, 3_f64.ln(), 0.5, 8200);
    let reports = campaign(&plan, &responses(AUDITS)).expect("independent draws");
    let wrong = |r: &&AuditReport| r.verdict == Verdict::Violation || r.epsilon_lower > 3_f64.ln();
    let wrong = reports.iter().filter(wrong).count() as u64;
    assert!(
        wrong <= most(AUDITS as u64, 0.005, 1e-6),
        "{wrong} of {AUDITS}"
    );
}

/// Truth 1.0986, claim 1: neither refuted nor passed where so much speaks against it. On the seed of the plan some of the twelve lie
/// between, as all do on average.
#[test]
fn a_campaign_passes_nothing_that_has_much_against_it() {
    let reports = campaign(&plan(12, 1.0, 1e-9, 16_400), &responses(12)).expect("independent");
    let mut doubted = 0;
    for r in &reports {
        let reason = r.reason.as_deref().unwrap_or_default();
        let much = r.log_wealth > 1e3f64.ln() && r.verdict != Verdict::Violation;
        assert_eq!(reason.contains("too much for a pass"), much, "{r}");
        assert!(!much || r.verdict == Verdict::Inconclusive, "{r}");
        doubted += u32::from(much);
    }
    assert!(doubted > 0, "none was between");
}

/// A bound of 0 is not above a claim of 0. False alarms: of ten audits at 0.005 of error each three or more have probability below 2e-5.
#[test]
fn a_campaign_does_not_accuse_a_coin_of_telling_its_input() {
    let coin = || -> Box<dyn Pair> {
        Box::new(Fixed {
            mechanism: from_fn("coin", |_: &bool, tape: Tape| {
                tape.uniform(0, Purpose::User, 0).fraction() < 0.5
            }),
            neighbours: Neighbouring::ReplaceOne,
            release: Release::Final,
            inputs: [false, true],
        })
    };
    let pairs: Vec<Box<dyn Pair>> = (0..10).map(|_| coin()).collect();
    let reports = campaign(&plan(10, 0.0, 0.05, 900), &pairs).expect("independent draws");
    let accused = reports.iter().filter(|r| r.verdict == Verdict::Violation);
    assert!(accused.count() < 3);
}

#[test]
fn a_campaign_that_wins_its_bet_accuses_even_where_the_bound_does_not() {
    // Two ways to refute, each at its share: half of the error for the betting. At ε = 0.9 for a truth of 1.0986 a
    // few hundred pairs decide, and of sixty audits some win the bet alone.
    const AUDITS: usize = 60;
    let plan = plan(AUDITS, 0.9, 0.6, 700);
    let reports = campaign(&plan, &responses(AUDITS)).expect("independent draws");
    let level = (2.0 / plan.share()).ln();
    let mut by_bet_alone = 0;
    for r in &reports {
        let (won, counted) = (r.log_wealth - 1e-6 >= level, r.epsilon_lower > 0.9);
        assert_eq!(won || counted, r.verdict == Verdict::Violation, "{r}");
        // A won bet says that ε is above the claim, and no more.
        let bound = r
            .counterexample
            .as_ref()
            .map_or(0.0, |found| found.epsilon_lower);
        by_bet_alone += u32::from(won && bound <= 0.9);
    }
    assert!(by_bet_alone > 0, "no audit was decided by its bet alone");
}

#[test]
fn chunks_that_repeat_are_named_instead_of_a_verdict() {
    /// The same noise in every chunk, as of a program that seeds its generator once for each.
    struct Again;
    impl Mechanism for Again {
        type Input = bool;
        fn name(&self) -> String {
            "again".into()
        }
        fn draw(&self, bit: &bool, tape: Tape) -> Result<Output, DrawError> {
            let trial = tape.number();
            let again = trial & !0xff_ffff | (trial % 4096);
            Ok(response(bit, tape.trial(again)).into())
        }
    }
    let pair = || -> Box<dyn Pair> {
        Box::new(Fixed {
            mechanism: Again,
            neighbours: Neighbouring::ReplaceOne,
            release: Release::Final,
            inputs: [false, true],
        })
    };
    // Three chunks as large as the repeated stretch, of which exploration sees too little.
    let error =
        campaign(&plan(1, 3_f64.ln(), 0.5, 40_960), &[pair()]).expect_err("ten equal chunks");
    let message = error.to_string();
    assert!(
        message.contains("all 10 whole chunks counted the same"),
        "{message}"
    );
    // What exploration sees is named there.
    let plan = Plan::parse(
        "schema = \"dp-assay/plan/1\"\nseed = 5\n[[audit]]\nname = \"a\"\nmechanism = \"response\"\npairs = 9000\n\
         explore = 9000\nclaim = { epsilon = 1.0986, delta = 0.0 }\n",
    );
    let error = campaign(&plan.expect("a plan"), &[pair()]).expect_err("two equal halves");
    assert!(error.to_string().contains("repeat output 0"), "{error}");
}

/// A query that moves by 1, with Laplace noise that `trial` picks.
fn noisy(trial: impl Fn(u64) -> u64 + Sync) -> Result<AuditReport, AuditError> {
    let laplace = from_fn("laplace", move |x: &f64, tape: Tape| {
        let tape = tape.trial(trial(tape.number()));
        x + tape.uniform(0, Purpose::Release, 0).laplace()
    });
    let audit = Audit::of(laplace)
        .claim(1.0, 0.0)
        .neighbours(Neighbouring::ReplaceOne, 0.0, 1.0);
    audit.trials(20_000).run()
}

#[test]
fn noise_that_repeats_or_drags_on_is_named_instead_of_a_verdict() {
    assert_eq!(noisy(|t| t).expect("sound").verdict, Verdict::PassWithPower);
    for (name, trial) in [
        (
            "the same thousand outputs again",
            (|t| t & !0xffff_ffff | (t % 1000)) as fn(u64) -> u64,
        ),
        ("every output twice", |t| t & !1),
        ("the same few outputs from the start", |t| {
            t & !0xffff_ffff | (t % 8)
        }),
    ] {
        let error = noisy(trial).expect_err(name);
        let named = matches!(&error, AuditError::Dependent { how, .. } if how.contains("repeat output") || how.contains("runs"));
        assert!(named, "{name}: {error}");
        assert!(
            error.to_string().contains("no verdict rests on others"),
            "{name}: {error}"
        );
    }
}

#[test]
fn equal_inputs_and_outputs_that_never_vary_are_no_pass() {
    let audit = |same: bool| {
        let audit = Audit::of(from_fn("response", response))
            .claim(2.0, 0.0)
            .trials(20_000);
        let second = same;
        audit
            .neighbours(Neighbouring::ReplaceOne, true, second)
            .run()
    };
    let equal = audit(true).expect_err("true and true");
    assert_eq!(
        equal,
        AuditError::EqualInputs {
            input: "true".into()
        }
    );
    assert!(audit(false).is_ok());

    // Without noise: where the answers agree nothing is known, where they differ the claim is false.
    let records = |second: Vec<f64>| {
        let count = from_fn("count", |records: &Vec<f64>, _| records.len() as f64);
        let audit = Audit::of(count).claim(1.0, 0.0).trials(20_000);
        audit
            .neighbours(Neighbouring::User, vec![0.0, 1.0], second)
            .run()
            .expect("a complete description")
    };
    let agree = records(vec![1.0, 1.0]);
    assert_eq!(agree.verdict, Verdict::Inconclusive);
    assert!(
        agree
            .reason
            .is_some_and(|why| why.contains("the same output, 2"))
    );
    assert_eq!(records(vec![1.0]).verdict, Verdict::Violation);
}

#[test]
fn the_default_asks_a_pass_for_more_than_twice_the_claim_only_where_more_costs_too_much() {
    let must_see = |epsilon: f64, trials: u64| {
        let audit = Audit::of(from_fn("response", response))
            .claim(epsilon, 0.0)
            .trials(trials);
        let audit = audit.neighbours(Neighbouring::ReplaceOne, false, true);
        audit.run().expect("a complete description")
    };
    for (epsilon, asked) in [(2.0, 2.5), (1.2, 1.5)] {
        assert_eq!(must_see(epsilon, 20_000).must_see, asked);
    }
    assert_eq!(must_see(0.01, 1000).must_see, 0.1);
    // Pairs that would have let a true ε of 2.8 pass for a claim of 2 do not let it pass any more.
    let report = must_see(2.0, 400);
    assert!(
        report.detectable_epsilon > 2.5 && report.verdict == Verdict::Inconclusive,
        "{report}"
    );
    let remedy = report.reason.expect("a reason");
    assert!(
        remedy.contains("draw about ") && remedy.contains("must-see"),
        "{remedy}"
    );
}

/// Writes down the trials of every draw, by side.
struct Recording<M> {
    mechanism: M,
    drawn: Mutex<Vec<u64>>,
}

impl<M: Mechanism> Mechanism for Recording<M> {
    type Input = M::Input;

    fn name(&self) -> String {
        self.mechanism.name()
    }

    fn draw(&self, input: &M::Input, tape: Tape) -> Result<Output, DrawError> {
        self.drawn
            .lock()
            .expect("no panic before")
            .push(tape.number());
        self.mechanism.draw(input, tape)
    }
}

#[test]
fn no_pair_of_an_audit_is_drawn_twice() {
    // An audit that chooses among pairs, finds a violation, studies it, counts it again, and shrinks it. What is learned
    // from a pair is then counted on others; only what outputs look like is looked at on the same noise each time.
    const SHAPE: u64 = 3;
    let sum = from_fn("sum", |x: &Vec<f64>, tape: Tape| {
        x.iter().sum::<f64>() + tape.uniform(0, Purpose::Release, 0).laplace()
    });
    let recording = Recording {
        mechanism: sum,
        drawn: Mutex::default(),
    };
    let pairs = [3.0, 2.0, 1.5]
        .map(|x| (vec![0.0, 7.0], vec![x, 7.0]))
        .to_vec();
    let audit = Audit::of(&recording).claim(1.0, 0.0).trials(20_000);
    let audit = audit.worst_of(Neighbouring::ReplaceOne, pairs);
    let audit = audit.simplify(|a, b| dp_assay::audit::simpler(a, b));
    let report = audit.run().expect("a complete description");
    assert!(report.counterexample.is_some_and(|found| found.shrinks > 0));
    let drawn = recording.drawn.lock().expect("no panic");
    let counted: Vec<u64> = drawn
        .iter()
        .copied()
        .filter(|trial| trial >> 56 != SHAPE)
        .collect();
    let different: BTreeSet<u64> = counted.iter().copied().collect();
    assert_eq!(different.len(), counted.len());
    let uses: BTreeSet<u64> = different.iter().map(|trial| trial >> 56).collect();
    assert_eq!(
        uses,
        BTreeSet::from([0, 1, 2, 4, 5]),
        "bet, recount, recount simpler, explore, study"
    );
}

#[test]
fn the_bound_of_a_pass_is_that_of_the_pairs_behind_the_middle_at_a_quarter_of_the_error() {
    const TRIALS: u64 = 2000;
    let event = dp_assay::audit::event::Event::Above {
        column: 0,
        threshold: 0.5,
    };
    let audit = Audit::of(from_fn("response", response))
        .claim(3_f64.ln(), 0.0)
        .alpha(1e-3);
    let audit = audit
        .neighbours(Neighbouring::ReplaceOne, true, false)
        .event(event);
    let report = audit
        .trials(TRIALS)
        .seed(4)
        .run()
        .expect("a complete description");
    assert_ne!(report.verdict, Verdict::Violation);
    // The trials of betting: of the first side from 0 on, of the second from 2^55 on.
    let says_yes = |side: u64, t: u64| response(&(side == 0), Tape::new(4).trial(side << 55 | t));
    let bound_behind = |cut: u64| {
        let [hits0, hits1] =
            [0, 1].map(|side| (cut..TRIALS).filter(|t| says_yes(side, *t)).count() as u64);
        epsilon_lower(hits0, hits1, TRIALS - cut, 0.0, 1e-3 / 4.0)
    };
    // The middle falls into a batch of at most a thirtieth of the pairs.
    let cuts = TRIALS / 2..=TRIALS / 2 + TRIALS / 60;
    let fitting = cuts
        .filter(|cut| bound_behind(*cut) == report.epsilon_lower)
        .count();
    assert!(report.epsilon_lower > 0.5 && fitting >= 1, "{report}");
}

#[test]
fn a_claim_of_delta_alone_is_not_accused_where_it_is_just_true() {
    // Tells the input with probability 1/10 and nothing else: exactly (0, 1/10)-private. Error 0.02, limit as above; a
    // payoff that forgets δ loses nothing ever and accuses always.
    const AUDITS: u64 = 60;
    let tell = from_fn("tells a tenth", |bit: &bool, tape: Tape| {
        (tape.uniform(0, Purpose::User, 0).fraction() < 0.1).then_some(*bit)
    });
    let one = |seed: u64| {
        let audit = Audit::of(&tell).claim(0.0, 0.1).alpha(0.02);
        let audit = audit.neighbours(Neighbouring::ReplaceOne, false, true);
        audit
            .trials(1000)
            .seed(seed)
            .run()
            .expect("a complete description")
    };
    let wrong = |r: &AuditReport| r.verdict == Verdict::Violation || r.epsilon_lower > 0.0;
    let wrong = (0..AUDITS).into_par_iter().map(one).filter(wrong).count() as u64;
    assert!(wrong <= most(AUDITS, 0.02, 1e-6), "{wrong} of {AUDITS}");
}

#[test]
fn the_audits_of_a_campaign_share_its_error_and_each_divides_its_own() {
    let plan = plan(7, 0.6, 0.07, 5000);
    let reports = campaign(&plan, &responses(7)).expect("independent draws");
    assert!(reports.iter().map(|r| r.alpha).sum::<f64>() <= 0.07 * (1.0 + 1e-12));
    for r in reports {
        let found = r.counterexample.expect("little more than half the true ε");
        let [hits0, hits1, n] = [found.counts.hits0, found.counts.hits1, found.counts.samples];
        assert_eq!(
            found.epsilon_lower,
            epsilon_lower(hits0, hits1, n, 0.0, 0.01 * 0.375)
        );
    }
}
