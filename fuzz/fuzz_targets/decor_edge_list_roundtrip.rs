//! Any text is an edge list or an error; what is read is written and read back as itself.
#![no_main]
use dp_assay::problem::graph::edge_list::{parse, write};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    // Vertices are stored: a large stated number only costs memory here.
    if text
        .split(|c: char| !c.is_ascii_digit())
        .any(|word| word.len() > 4)
    {
        return;
    }
    match parse(text) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(graph) => {
            let again = parse(&write(&graph)).expect("our own writing");
            assert_eq!(again, graph);
            assert_eq!(graph.component_sizes().iter().sum::<usize>(), graph.n());
            let degrees: usize = (0..graph.n()).map(|i| graph.degree(i)).sum();
            assert_eq!(degrees, 2 * graph.edge_count());
        }
    }
});
