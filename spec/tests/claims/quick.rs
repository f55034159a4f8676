#[test]
fn quick() {
    for moved in dp_assay_spec::moved::ALL {
        if std::env::var("ONLY").is_ok_and(|x| !moved.id.contains(&x)) {
            continue;
        }
        let t = std::time::Instant::now();
        let statement = match (moved.statement)() {
            Ok(s) => s,
            Err(e) => {
                println!("== {}: ILL {e}", moved.id);
                continue;
            }
        };
        println!("{statement}");
        let back = dp_assay_spec::kernel::render::parse(&statement.to_string());
        match back {
            Ok(b) => println!(
                "{}",
                if b == statement {
                    "reads back"
                } else {
                    "READS OTHERWISE"
                }
            ),
            Err(e) => println!("NOT READ: {e}"),
        }
        match (moved.prove)(&statement) {
            Ok(p) => println!(
                "== {}: {} {:?}",
                moved.id,
                if *p.statement() == statement {
                    "proved"
                } else {
                    "OTHER"
                },
                t.elapsed()
            ),
            Err(e) => println!("== {}: STUCK {e}", moved.id),
        }
    }
}
