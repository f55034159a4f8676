//! Items of contexts.

use dp_assay_kernel::Stuck;
use dp_assay_kernel::statement::{Command, Context, Item, Process, Sign, Sort, State};
use dp_assay_kernel::term::{Term, var};

pub fn variable(name: &str, sort: Sort) -> Item {
    Item::Var(name.into(), sort)
}

pub fn real(name: &str, sign: Sign) -> Item {
    variable(name, Sort::Real(sign))
}

/// A dimension d, a vector v, numbers x and y > 0, and an index i.
pub fn numbers() -> Result<Context, Stuck> {
    Context::default().with([
        variable("d", Sort::Count),
        variable("v", Sort::Vector(var("d"), Sign::Any)),
        real("x", Sign::Any),
        real("y", Sign::Positive),
        variable("i", Sort::Index(var("d"))),
    ])
}

/// A process with one state, which runs a body so many times.
pub fn looped(
    state: &str,
    dimension: &str,
    start: Term,
    times: &str,
    body: Vec<Command>,
) -> Process {
    let state = State {
        name: state.into(),
        dimension: var(dimension),
        start,
    };
    Process {
        states: vec![state],
        body: vec![Command::Repeat {
            index: "t".into(),
            times: var(times),
            body,
        }],
    }
}
