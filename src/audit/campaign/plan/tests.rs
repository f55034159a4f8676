//! Plans at the edges of what they may say.

use super::*;

/// A plan of one audit of a built-in mechanism, with more lines before and in it.
fn plan(head: &str, entry: &str) -> String {
    format!(
        "schema = \"dp-assay/plan/1\"\nseed = 3\n{head}\n[[audit]]\nname = \"a\"\n\
         claim = {{ epsilon = 1.0, delta = 0.0 }}\n{entry}\n"
    )
}

fn refused(head: &str, entry: &str) -> String {
    Plan::parse(&plan(head, entry)).map_or_else(|why| why.to_string(), |_| String::new())
}

/// Pairs and what explores, at the edges of what can be counted, and chunks of them.
#[test]
fn pairs_are_whole_numbers_that_can_be_counted() {
    let entry = |pairs: &str| {
        Plan::parse(&plan(
            "",
            &format!("mechanism = \"laplace\"\npairs = {pairs}"),
        ))
    };
    for (pairs, number, explore, chunks) in [
        ("1", 1, 1, 1),
        ("9", 9, 1, 1),
        ("4096", 4096, 409, 1),
        ("4097", 4097, 409, 2),
        ("1e4", 10_000, 1000, 3),
        ("4294967296", 1 << 32, (1 << 32) / 10, 1 << 20),
    ] {
        let audits = entry(pairs).expect("a plan").audits;
        assert_eq!(
            (audits[0].pairs, audits[0].explore(), audits[0].chunks()),
            (number, explore, chunks)
        );
    }
    for pairs in ["0", "4294967297", "5e9"] {
        assert!(
            entry(pairs).is_err_and(|why| why.to_string().contains("must lie between 1 and 2^32")),
            "{pairs}"
        );
    }
    for pairs in ["1.5", "-1.0", "9007199254740992.0", "nan"] {
        let why = entry(pairs).expect_err(pairs).to_string();
        assert!(
            why.contains("is no whole number from 0 up to 2^53"),
            "{why}"
        );
    }
    let explored = |explore: &str| {
        entry(&format!("100\nexplore = {explore}")).map(|plan| plan.audits[0].explore())
    };
    assert_eq!(explored("7"), Ok(7));
    assert!(explored("0").is_err_and(|why| why.to_string().contains("explore = 0 must lie")));
}

/// Everything else that a plan may get wrong, by its rule.
#[test]
fn a_plan_that_says_too_little_or_too_much_is_refused() {
    let laplace = "mechanism = \"laplace\"\npairs = 100\n";
    let program = "external = { command = \"x\", input0 = \"a\", input1 = \"b\" }\npairs = 100\n";
    let near = "neighbours = \"add-remove\"\n";
    assert_eq!(refused("", laplace), "");
    assert_eq!(refused("", &format!("{program}{near}")), "");
    for (head, entry, rule) in [
        (
            "alpha = 0.0",
            laplace.to_owned(),
            "alpha = 0 must lie strictly between 0 and 1",
        ),
        (
            "alpha = 1.0",
            laplace.to_owned(),
            "alpha = 1 must lie strictly between 0 and 1",
        ),
        (
            "",
            "pairs = 100".to_owned(),
            "must have either `mechanism` or `external`",
        ),
        (
            "",
            format!("mechanism = \"laplace\"\n{program}{near}"),
            "must have either `mechanism` or `external`",
        ),
        ("", program.to_owned(), "say `neighbours`"),
        (
            "",
            format!("{program}{near}parameters = {{ scale = 1.0 }}"),
            "takes no `parameters`",
        ),
        (
            "",
            format!("{laplace}must_see = 1.0"),
            "must_see = 1 must exceed the epsilon claimed",
        ),
        (
            "",
            format!("{laplace}must_see = inf"),
            "must_see = inf must exceed the epsilon claimed",
        ),
    ] {
        let why = refused(head, &entry);
        assert!(why.contains(rule), "{rule}: {why}");
    }
    assert_eq!(
        [
            refused("alpha = 0.5", laplace),
            refused("", &format!("{laplace}must_see = 1.001"))
        ],
        ["", ""]
    );
    let text = plan("alpha = 0.25", laplace);
    let parse = |text: &str| Plan::parse(text).map_err(|why| why.to_string());
    let two = format!(
        "{text}\n[[audit]]\nname = \"b\"\nclaim = {{ epsilon = 1.0, delta = 0.0 }}\n{laplace}"
    );
    let read = parse(&two).expect("two audits");
    assert_eq!(
        (
            read.share(),
            read.seed,
            parse(&text).expect("a plan").share()
        ),
        (0.125, 3, 0.25)
    );
    assert_eq!(
        parse(&two.replace("\"b\"", "\"a\"")),
        Err("two audits are named `a`".into())
    );
    assert_eq!(
        parse(&text.replace("plan/1", "plan/2")),
        Err("schema is `dp-assay/plan/2`, not `dp-assay/plan/1`".into())
    );
    assert_eq!(
        parse("schema = \"dp-assay/plan/1\"\nseed = 1\naudit = []"),
        Err("the plan has no [[audit]]".into())
    );
    // Seconds that a program may take unless its plan says so, and what its files hold.
    let mut read = Plan::parse(&plan("", &format!("{program}{near}"))).expect("a plan");
    let program = read.audits[0].external.as_mut().expect("a program");
    assert_eq!((program.timeout_seconds, &program.contents), (60, &None));
    program.set_contents(&["0".to_owned(), "1".to_owned()]);
    let first = program.contents.clone().expect("set");
    program.set_contents(&["1".to_owned(), "0".to_owned()]);
    let second = program.contents.clone().expect("set");
    assert_eq!(
        (first.len(), &first[..16], &first[16..]),
        (32, &second[16..], &second[..16])
    );
    assert_ne!(first, second);
}
