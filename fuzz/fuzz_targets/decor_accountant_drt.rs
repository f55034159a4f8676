//! The accountant encloses the exact rational value on any graph of up to six users.
#![no_main]
use dp_assay::accounting::decor::optimized::worst;
use dp_assay::problem::Graph;
use dp_assay::problem::graph::spectrum::for_each_subset;
use dp_assay_spec::arith::Rational;
use dp_assay_spec::decor::{graph::Graph as SpecGraph, resolvent::Resolvent};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, u16, u8, f64)| {
    let (size, mask, colluders, ratio) = input;
    let n = usize::from(size % 6) + 1;
    let q = usize::from(colluders) % n;
    let rho = ratio.abs();
    if !(rho == 0.0 || (1e-100..=1e100).contains(&rho)) {
        return;
    }
    let spec = SpecGraph::from_mask(n, u32::from(mask));
    let graph = Graph::new(n, &spec.edges().collect::<Vec<_>>()).expect("simple");
    let exact_rho = Rational::from_f64(rho).expect("finite");
    let mut exact = Rational::new();
    for_each_subset(n, q, &mut |group| {
        let keep = (0..n)
            .filter(|i| !group.contains(i))
            .fold(0, |set, i| set | 1 << i);
        let left = Resolvent::of(&spec.induced(keep))
            .largest(&exact_rho)
            .expect("not empty");
        exact = exact.clone().max(left);
    });
    let (found, _) = worst(&graph, rho, q);
    let end = |x: f64| Rational::from_f64(x).expect("finite");
    assert!(
        end(found.lower) <= exact && exact <= end(found.upper),
        "{found:?}"
    );
    assert!(end(found.upper) <= exact * end(1.0 + 1e-12), "{found:?}");
});
