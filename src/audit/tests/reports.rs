//! Reports, suites and what an audit refuses to do.

use crate::audit::budget::{BudgetError, Suite};
use crate::audit::campaign::junit;
use crate::audit::event::Event;
use crate::audit::features::{Extras, Layout};
use crate::audit::{
    Audit, AuditError, AuditReport, Counterexample, Counts, FromFn, Guarantee, Mechanism, Output,
    Power, Release, Rule, Verdict, from_fn, mass,
};
use crate::mechanism::tape::Tape;
use crate::units::Neighbouring;

fn report(verdict: Verdict) -> AuditReport {
    AuditReport {
        schema: 1,
        mechanism: "m".to_owned(),
        verdict,
        claim: Guarantee::new(1.0, 1e-5).expect("in the domain"),
        neighbours: Neighbouring::ReplaceOne,
        release: Release::Transcript,
        epsilon_lower: 0.512_349,
        confidence: 1.0 - 1e-6,
        alpha: 1e-6,
        detectable_epsilon: f64::INFINITY,
        power: None,
        must_see: 1.5,
        reason: None,
        samples: 4000,
        bet_samples: 4000,
        exploration_samples: 32,
        log_wealth: 7.0,
        log_wealth_needed: 14.5,
        looked_at: "thresholds on output".to_owned(),
        detectable_leak: None,
        seconds: 0.0,
        event: None,
        counterexample: None,
        seed: 7,
    }
}

fn counterexample(epsilon_lower: f64) -> Counterexample {
    let layout = Layout::of(&[Output::Real(0.5)], Extras::default());
    let event = Event::Above {
        column: 0,
        threshold: 0.5,
    };
    Counterexample {
        input0: "left".to_owned(),
        input1: "right".to_owned(),
        event: event.describe(&layout),
        rule: Rule { layout, event },
        counts: Counts {
            hits0: 30,
            hits1: 2,
            samples: 50,
        },
        epsilon_lower,
        shrinks: 0,
    }
}

#[test]
fn a_report_says_what_was_found_and_what_would_have_been() {
    let passed = AuditReport {
        power: Some(Power {
            epsilon: 1.234_51,
            probability: 0.9,
            event_mass: 0.25,
        }),
        seconds: 1.5,
        event: Some("output > 0.5".to_owned()),
        detectable_leak: Some(0.004),
        ..report(Verdict::PassWithPower)
    };
    let head = |verdict: &str, end: &str| {
        format!(
            "m: {verdict}\n  claim: (ε, δ) = (1, 0.00001), replace-one neighbours, transcript \
             released\n  ε ≥ 0.5123 except with probability 1.0e-6; 4000 samples, seed 7{end}\n"
        )
    };
    let would = "  would have been found with probability 0.90: ε ≥ 1.2346 on an event of \
                 probability 0.250\n  a pass had to see: ε ≥ 1.5000\n";
    let tested = |end: &str| {
        format!(
            "  against the claim: log wealth 7.0 of the 14.5 that refute it; a true claim gets so \
             far with probability 9.1e-4 at most\n  \
             looked at: thresholds on output; {end}\n"
        )
    };
    let nothing = tested("nothing told the inputs apart");
    let leak = "  not tested: what one input alone gives with probability below 0.004, so not \
                whether δ is 0.00001; what is not looked at, as intervals with less than \
                about a tenth of a column's outputs, entries of a list wherever they stand, rare \
                characters, relations of columns, time and standard error\n";
    let end = tested("told apart best by: output > 0.5") + leak;
    assert_eq!(
        passed.text(),
        head("PASS-WITH-POWER", ", 1.50 s") + would + &end
    );
    let line = passed.to_string();
    assert!(
        line.starts_with("m: PASS-WITH-POWER of claim (ε, δ) = (1, 0.00001) under replace-one")
    );
    assert!(line.contains("; ε ≥ 1.2346 on an event of probability 0.250 would have been found"));
    assert!(
        line.contains("; a pass had to see ε ≥ 1.5000; log wealth"),
        "{line}"
    );
    // A campaign knows no probability from which on a leak would be seen.
    let campaign = AuditReport {
        detectable_leak: None,
        ..passed.clone()
    };
    let rarely = "  not tested: what one input alone gives rarely, so not whether δ is 0.00001; ";
    assert!(campaign.text().contains(rarely), "{}", campaign.text());
    let blind = AuditReport {
        reason: Some("too few".to_owned()),
        ..report(Verdict::Inconclusive)
    };
    let why = head("INCONCLUSIVE", "") + "  why: too few\n" + &nothing;
    assert_eq!(blind.text(), why);
    assert!(
        blind.to_string().ends_with(
            "4000 samples, seed 7; log wealth 7.0 of the 14.5 that refute it\n  too few"
        ),
        "{blind}"
    );
    // Counts that show the violation by themselves say no more; others say whose verdict it is.
    let found =
        "  counterexample: output > 0.5\n    30 times of 50 on left\n    2 times of 50 on right\n";
    let weak = "    these counts alone show no more than ε ≥ 1.0000: the verdict is that of all \
                bets, whose wealth is e^7.0\n";
    for (epsilon_lower, rest) in [(1.0_f64.next_up(), ""), (1.0, weak)] {
        let counterexample = Some(counterexample(epsilon_lower));
        let violated = AuditReport {
            counterexample,
            ..report(Verdict::Violation)
        };
        assert_eq!(violated.text(), head("VIOLATION", "") + found + rest);
        let end = "\n  output > 0.5 happens 30 times of 50 on left\n  and 2 times of 50 on right";
        assert!(violated.to_string().ends_with(end), "{violated}");
    }
    assert_eq!(
        [1e-3, 0.25, 9.99e-4].map(mass),
        ["0.001", "0.250", "1.0e-3"]
    );
    assert_eq!(Release::Transcript.name(), "transcript");
    assert_eq!(
        (Release::Final.name(), Release::default()),
        ("final", Release::Final)
    );
}

#[test]
fn a_claim_is_of_a_finite_epsilon_and_a_delta_below_one() {
    for (epsilon, delta, rule) in [
        (-1.0, 0.0, "epsilon"),
        (f64::INFINITY, 0.0, "epsilon"),
        (1.0, 1.0, "must be below 1 to claim anything"),
        (1.0, -0.1, "delta"),
        (1.0, 1.5, "delta"),
    ] {
        let error = Guarantee::new(epsilon, delta).expect_err(rule).to_string();
        assert!(error.contains(rule), "{error}");
    }
    assert_eq!(
        Guarantee::new(0.0, 0.0).expect("it claims all").to_string(),
        "(0, 0)"
    );
}

#[test]
fn a_suite_gives_out_what_it_has_and_keeps_account_of_it() {
    for alpha in [0.0, 1.0, -0.5, f64::NAN] {
        assert!(Suite::new(alpha, 1).is_err(), "{alpha}");
    }
    let suite = Suite::new(1e-3, 5).expect("a probability");
    assert_eq!(suite.alpha(), 1e-3);
    assert_eq!(suite.allot("a", 0.5), Ok(5e-4));
    assert_eq!(
        suite.allot("a", 0.25),
        Err(BudgetError::Twice("a".to_owned()))
    );
    for share in [0.0, -0.1, 0.6, f64::NAN] {
        let found = suite.allot("b", share).map_err(|e| e.to_string());
        let told = format!("audit `b` asks for {share} of the suite's error, of which 0.5 is left");
        assert_eq!(found, Err(told));
    }
    assert_eq!(suite.allot("b", 0.25), Ok(2.5e-4));
    let told = suite.to_string();
    let lines: Vec<&str> = told.lines().map(str::trim).collect();
    assert_eq!(
        lines,
        [
            "suite error 1e-3, seed 5",
            "5.00e-4  a",
            "2.50e-4  b",
            "2.50e-4  not allotted"
        ]
    );
    // Seven sevenths are one, whatever they add up to in doubles; and the seeds of all are others.
    let sevenths = Suite::new(0.5, 5).expect("a probability");
    let names = ["a", "b", "c", "d", "e", "f", "ab"];
    assert!(
        names
            .iter()
            .all(|name| sevenths.allot(name, 1.0 / 7.0).is_ok())
    );
    assert!(sevenths.allot("more", 1e-9).is_err());
    let mut seeds: Vec<u64> = names.iter().map(|name| sevenths.seed(name)).collect();
    seeds.extend(["ba", ""].map(|name| sevenths.seed(name)));
    seeds.push(Suite::new(0.5, 6).expect("a probability").seed("a"));
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 10);
    assert_eq!(suite.seed("a"), sevenths.seed("a"));
}

type Answer = FromFn<bool, fn(&bool, Tape) -> f64>;

fn answer() -> Answer {
    from_fn("answer", |bit, _| f64::from(*bit))
}

#[test]
fn an_audit_refuses_what_it_cannot_do_and_says_why() {
    let of = || Audit::of(answer());
    let both = |audit: Audit<Answer>| audit.neighbours(Neighbouring::ReplaceOne, false, true);
    let refused = |audit: Audit<Answer>| audit.run().expect_err("it was run").to_string();
    let claimed = || both(of().claim(1.0, 0.0)).trials(64);
    for (audit, told) in [
        (
            both(of()),
            "the audit has no claim; say .claim(epsilon, delta)",
        ),
        (
            of().claim(1.0, 0.0),
            "the audit has no pair of inputs; say .neighbours(",
        ),
        (
            of().claim(1.0, 0.0)
                .worst_of(Neighbouring::AddRemove, vec![]),
            "no pair of inputs",
        ),
        (claimed().alpha(0.0), "alpha = 0 must lie in (0, 1)"),
        (claimed().alpha(1.0), "alpha = 1 must lie in (0, 1)"),
        (
            claimed().trials(0),
            "trials = 0 must be a whole number from 1 to 2³²",
        ),
        (
            claimed().trials((1 << 32) + 1),
            "trials = 4294967297 must be a whole number from 1 to 2³²",
        ),
        (
            claimed().must_see(1.0),
            "epsilon to see = 1 must exceed the epsilon claimed",
        ),
        (
            claimed().claim(1.0, 1.0),
            "must be below 1 to claim anything",
        ),
        (
            of().claim(1.0, 0.0)
                .neighbours(Neighbouring::ReplaceOne, true, true),
            "the two inputs are equal: both are true",
        ),
        (
            claimed().gaussian(),
            "a Gaussian shape does not go with this claim",
        ),
    ] {
        let found = refused(audit);
        assert!(found.contains(told), "{found} does not say {told}");
    }
    assert!(matches!(
        refused_error(of()),
        AuditError::Incomplete {
            missing: "claim",
            ..
        }
    ));
    assert_eq!(Mechanism::name(&answer()), "answer");
    // What differs between the inputs without noise is found at once.
    let found = claimed().trials(4096).run().expect("it runs");
    assert_eq!(found.verdict, Verdict::Violation);
}

fn refused_error(audit: Audit<Answer>) -> AuditError {
    audit.run().expect_err("it was run")
}

/// A case for each audit, of which one without power is no failure and no pass; no name breaks the XML.
#[test]
fn continuous_integration_is_told_of_each_audit() {
    let audits = [
        ("a<b", Some(Verdict::Violation)),
        ("b", Some(Verdict::PassWithPower)),
        ("c", Some(Verdict::Inconclusive)),
        ("d\u{7}", None),
        ("e", Some(Verdict::Inconclusive)),
    ];
    let audits = audits.map(|(name, verdict)| (name.to_owned(), verdict.map(report)));
    let said = |verdict| {
        let line = report(verdict).to_string().replace('\n', " ");
        line.replace('<', "&lt;").replace('>', "&gt;")
    };
    let due = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuite name=\"&quot;R&amp;D&quot;\" tests=\"5\" failures=\"1\" errors=\"3\">\n  \
         <testcase name=\"a&lt;b\"><failure message=\"{}\"/></testcase>\n  \
         <testcase name=\"b\"></testcase>\n  \
         <testcase name=\"c\"><error message=\"{}\"/></testcase>\n  \
         <testcase name=\"d \"><error message=\"not all chunks are counted\"/></testcase>\n  \
         <testcase name=\"e\"><error message=\"{1}\"/></testcase>\n</testsuite>\n",
        said(Verdict::Violation),
        said(Verdict::Inconclusive)
    );
    assert_eq!(junit("\"R&D\"", &audits), due);
}
