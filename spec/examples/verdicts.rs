//! Prints the verdict of every claim whose id starts with one of the arguments, and with `--twist`
//! the first of its mechanical neighbours that is refuted.

use dp_assay_spec::book::false_neighbours;
use dp_assay_spec::claim::{Check, Effort, Verdict};
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let twist = arguments.iter().any(|a| a == "--twist");
    let search = arguments.iter().any(|a| a == "--search");
    let effort = if search {
        Effort::Search
    } else {
        Effort::Replay
    };
    for claim in dp_assay_spec::claims() {
        if !arguments.iter().any(|a| claim.id.starts_with(a.as_str())) {
            continue;
        }
        let start = Instant::now();
        let verdict = (claim.check)(&Check::printed(effort));
        println!(
            "{} [{:.2} s] {verdict:?}",
            claim.id,
            start.elapsed().as_secs_f64()
        );
        if twist && matches!(verdict, Verdict::Proved(_)) {
            let start = Instant::now();
            let refuted =
                false_neighbours(&claim).find(|n| matches!(n.verdict, Verdict::Refuted(_)));
            let what =
                refuted.map(|n| format!("{} -> {}: {:?}", n.twist.name, n.twist.value, n.verdict));
            println!(
                "    twisted [{:.2} s] {}",
                start.elapsed().as_secs_f64(),
                what.unwrap_or("INSENSITIVE".into())
            );
        }
    }
}
