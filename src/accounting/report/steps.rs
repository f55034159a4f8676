//! What is known of single steps.

use crate::accounting::event::{Sampling, Step};
use crate::accounting::float::Enclosure;
use crate::accounting::leaf::{Leaf, Structure, leaf};
use crate::accounting::pld::{self, Losses};
use crate::accounting::samples::Laws;
use crate::units::Neighbouring;

/// Whether the laws used for a step are those of its worst neighbours, rather than of a bound: the
/// profile of fixed-size sampling is the greater of two pairs', attained by neither alone, and which replacement in
/// a sample is the worst is known of few mechanisms.
pub(super) fn is_exactly_described(step: &Step, neighbours: Neighbouring) -> bool {
    let Ok(leaf) = leaf(&step.mechanism) else {
        return false;
    };
    let structure = leaf.structure();
    leaf.is_attained()
        && match step.sampling {
            // Of these a group of two is known exactly.
            Sampling::FixedSize(_) if neighbours == Neighbouring::AddRemove => {
                matches!(structure, Structure::Gaussian | Structure::Noise)
            }
            Sampling::FixedSize(_) if neighbours == Neighbouring::ReplaceOne => false,
            Sampling::WithReplacement { .. }
            | Sampling::TruncatedPoisson { .. }
            | Sampling::RandomAllocation { .. }
            | Sampling::Within(_) => false,
            Sampling::Poisson(_) if neighbours == Neighbouring::ReplaceOne => matches!(
                structure,
                Structure::Gaussian | Structure::Pure | Structure::Response(..)
            ),
            Sampling::None | Sampling::Poisson(_) | Sampling::FixedSize(_) => true,
        }
}

/// Whether it is made of several allocations to one step.
pub(super) const fn is_several(sampling: Sampling) -> bool {
    matches!(sampling, Sampling::RandomAllocation { participations, .. } if participations > 1)
}

/// Whether a step is any mechanism with its ε, of which optimal composition says all.
pub(super) fn is_pure(step: &Step) -> bool {
    let any = |leaf: Box<dyn Leaf + '_>| leaf.is_attained() && leaf.structure() == Structure::Pure;
    step.sampling == Sampling::None && leaf(&step.mechanism).is_ok_and(any)
}

/// Laws with the number of times that each is run.
pub(super) type Counted = Vec<(Laws, u64)>;

/// The losses in each direction of steps with their laws and counts.
pub(super) fn directions(laws: &[(Laws, u64)]) -> Vec<Losses> {
    let sides = laws.iter().map(|(l, _)| l.len()).max().unwrap_or(0);
    let direction = |i: usize| {
        let each = laws.iter();
        each.filter_map(|(l, count)| Some((l.get(i).or(l.first())?.clone(), *count)))
            .collect()
    };
    (0..sides).map(direction).collect()
}

/// The greatest profile of several laws.
pub(super) fn profile_of(laws: &Laws, epsilon: f64) -> Enclosure {
    let each = laws
        .iter()
        .map(|law| pld::law::profile(law.as_ref(), epsilon));
    each.fold(Enclosure::point(0.0), Enclosure::max)
}
