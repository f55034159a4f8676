//! What the class of a loss or function is good for, and what it is not.

use crate::items::{real, variable};
use crate::refusals::refused;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{combine, expected, gradient_bound};
use dp_assay_kernel::statement::{Context, Goal, Lipschitz, Sign, Sort};
use dp_assay_kernel::term::{Op, Term, app, at, num, op, var};

/// A loss that is Lipschitz along the sets of one law has no such bound along those of another, nor along any subset.
#[test]
fn gradients_are_bounded_along_the_sets_of_the_class_alone() -> Result<(), Stuck> {
    let class = Lipschitz::Sets("𝒮".into());
    let context = Context::default().with([
        variable("d", Sort::Count),
        variable("𝒮", Sort::SetLaw(var("d"))),
        variable("𝒯", Sort::SetLaw(var("d"))),
        variable("L", Sort::SetFunction(var("d"), Sign::Positive)),
        variable("ℓ", Sort::Loss(var("d"), class, "L".into())),
        variable("x", Sort::Vector(var("d"), Sign::Any)),
        variable("z", Sort::Record),
        variable("j", Sort::Index(var("d"))),
        variable("S", Sort::Outcome("𝒮".into())),
        variable("T", Sort::Outcome("𝒯".into())),
        variable("U", Sort::Set(var("d"))),
    ])?;
    let bounded = |part| gradient_bound(&context, "ℓ", &var("x"), "z", part);
    bounded(Some("S"))?;
    for part in [Some("T"), Some("U"), Some("j"), None] {
        refused(bounded(part), "no such part");
    }
    Ok(())
}

/// Of noise η, a smooth convex function f and its derivatives have expectations; of a loss and of a map nothing is known.
#[test]
fn smooth_functions_and_losses_have_expectations_and_maps_need_not() -> Result<(), Stuck> {
    let outer = Context::default().with([
        variable("d", Sort::Count),
        variable("M", Sort::Vector(var("d"), Sign::Positive)),
        real("c", Sign::Positive),
        variable("f", Sort::Function(var("d"), "M".into())),
        variable("ℓ", Sort::Loss(var("d"), Lipschitz::Whole, "c".into())),
        variable("g", Sort::Map(vec![var("d")], var("d"))),
        variable("v", Sort::Vector(var("d"), Sign::Any)),
        variable("z", Sort::Record),
        variable("i", Sort::Index(var("d"))),
    ])?;
    let inner = outer.extended(variable("η", Sort::Vector(var("d"), Sign::Any)))?;
    let law = op(Op::Normal, [var("d"), num(1)]);
    let of_loss = |w: &str| op(Op::Partial, [var("ℓ"), var(w), var("z"), var("i")]);
    let mean = |side: Term| {
        let same = combine(&inner, Goal::Le(side.clone(), side), &[])?;
        expected(&same, &law)
    };
    mean(app("f", [var("η")]))?;
    mean(op(Op::Partial, [var("f"), var("η"), var("i")]))?;
    mean(at(&var("η"), &var("i")) * of_loss("v"))?;
    mean(of_loss("η"))?;
    mean(app("ℓ", [var("η"), var("z")]))?;
    mean(var("η").norm())?;
    let mapped = at(&app("g", [var("η")]), &var("i"));
    refused(mean(mapped.clone()), "g may grow in any way");
    // What is compared may grow in any way.
    mean(op(Op::AtMost, [mapped.exp(), num(1)]))?;
    // What is clipped, too, but not that to which it is.
    let clip = |bound: Term| at(&op(Op::Clip, [app("g", [var("η")]), bound]), &var("i"));
    mean(clip(var("c")))?;
    mean(op(Op::Clip, [mapped.exp(), var("c")]))?;
    mean(clip(at(&var("η"), &var("i")).pow(2)))?;
    refused(mean(clip(mapped.clone())), "g may grow in any way");
    refused(mean(clip(at(&var("η"), &var("i")).exp())), "no expectation");
    let short = app("ℓ", [var("η")]);
    refused(mean(short), "neither a function nor a definition");
    Ok(())
}

/// A name that is put for a function's is put where it is applied, too, and nothing but a name is.
#[test]
fn a_function_is_renamed_where_it_is_applied() {
    let (f, g) = (app("f", [var("f")]), app("g", [var("g")]));
    assert_eq!(f.put("f", &var("g")), g);
    assert_eq!(f.put("f", &num(1)), app("f", [num(1)]));
    assert_eq!(f.put("h", &var("g")), f);
}
