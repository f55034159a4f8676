//! Classes, events, and the numbers that bounds are made of.

use super::*;
use crate::accounting::steady;

/// Whatever is summed, nearly all of it lies in some class: 1 without the record, and in each of as
/// many runs as there are steps
/// 1 with it and 1 with its replacement.
#[test]
fn classes_hold_the_masses_of_as_many_runs_as_there_are_steps() {
    let number = Number {
        mu: 0.7,
        epsilon: 0.9,
    };
    for (steps, summed) in [(2, 1.0), (3, 2.0), (4, 2.0), (6, 3.0), (7, 6.0), (16, 8.0)] {
        let grids = Grids::new(number, steps, 9.0, 300).expect("a positive number");
        let [one, sum] = grids.below(number);
        for (classes, runs) in [(one, 1.0), (sum, summed)] {
            let found = total(&classes.masses);
            for (mass, whole) in found.into_iter().zip([1.0, runs, runs]) {
                assert!(
                    mass <= whole * (1.0 + SUMMED) && mass >= whole * (1.0 - 1e-3),
                    "{steps}: {found:?}"
                );
            }
        }
    }
}

/// An event's masses are rounded by what the masses of both sums may be off by, besides the
/// rounding of their products.
#[test]
fn an_event_is_rounded_by_all_that_its_masses_are_off_by() {
    let number = Number {
        mu: 0.7,
        epsilon: 0.9,
    };
    for (steps, alike) in [(2, true), (3, false), (4, true), (7, false), (64, true)] {
        let grids = Grids::new(number, steps, 9.0, 300).expect("a positive number");
        let [one, sum] = grids.below(number);
        let other = if alike { &sum } else { &one };
        let [here, replaced] = sum.positive(other, 0.0).map(|mass| mass / steps as f64);
        let both = sum.error + other.error;
        assert!(both > 1e-14, "{steps}: {both}");
        let (p, q) = grids.events(number, &[number.epsilon])[0][0];
        let off = SUMMED + 0.9 * both;
        assert!(
            p <= here * (1.0 - off) && q >= replaced * (1.0 + off),
            "{steps}: {p} {q}"
        );
    }
}

/// Grids, laws, and what they may be off by, of sums with every kind of link.
#[test]
fn what_bounds_are_made_of_is_what_it_was() {
    let mut found = Vec::new();
    for (mu, epsilon, steps) in [(0.7, 0.9, 2), (1.5, 0.1, 3), (0.3, 0.0, 6), (3.0, 4.0, 7)] {
        let number = Number { mu, epsilon };
        for cells in [40, 230] {
            let grids = Grids::new(number, steps, mu + 5.0, cells).expect("a positive number");
            found.extend([
                crate::accounting::float::elementary::ln(grids.unit),
                grids.points.len() as f64,
            ]);
            found.push(steady::mark(&grids.points.concat()));
            let other = Number {
                mu,
                epsilon: epsilon + 0.25,
            };
            let (laws, excess) = grids.laws([number, other]);
            let masses = laws.iter().flat_map(|law| law.masses.iter().flatten());
            let masses: Vec<f64> = masses.copied().collect();
            found.extend([steady::mark(&masses), excess[0], excess[1]]);
            found.extend([grids.off(number), grids.off(other)]);
            found.extend(grids.most([number, other]));
            let below = grids.below(number);
            for classes in &below {
                let masses = classes.masses.concat();
                let marks = [&classes.values, &masses].map(|x| steady::mark(x));
                found.extend([marks[0], marks[1], classes.error]);
            }
            let epsilons = [epsilon, epsilon + 0.01, epsilon + 0.3];
            let events = grids.events(number, &epsilons);
            let events = events.concat().into_iter().flat_map(|(p, q)| [p, q]);
            found.push(steady::mark(&events.collect::<Vec<_>>()));
        }
    }
    steady::holds(
        &found,
        "-30.498475944637594 1.0 1007704083648752.0 2068779311307683.0 0.0 0.0
     6.364156990666876e-13 6.583630683406672e-13 0.14258587694793645 0.09866291455677689
     3827460405787670.0 7276231457035694.0 6.457547494562805e-13 3827460405787670.0
     7276231457035694.0 6.457547494562805e-13 8405421996240023.0 -30.498475944637594 1.0
     1171793286682502.0 3909414922630888.0 0.0 0.0 6.364156990666876e-13
     6.583630683406672e-13 0.142268969415994 0.09838670034513064 4915811118128938.0
     497532192739337.0 3.772978268580663e-12 4915811118128938.0 497532192739337.0
     3.772978268580663e-12 6432680379033475.0 -25.646445680717978 2.0 5328709542468078.0
     2590718468769740.0 3215.7818413116347 1655.1499156313275 1.2334938939532179e-10
     1.2573291675788735e-10 0.6086707427618494 0.5603775727497118 4095671998241101.0
     3553209310824833.0 6.535931334573532e-13 1321275818050090.0 3630285212224447.0
     1.3491430195244902e-12 2001464097133089.0 -25.646445680717978 2.0 7971252169721928.0
     6066561132802838.0 372.13658303453286 178.11674208348788 1.2334938939532179e-10
     1.2573291675788735e-10 0.607506774327265 0.559081130565721 2639473967301644.0
     7518099404727378.0 4.143199689727918e-12 684585654666592.0 6326899133607672.0
     8.371303650278605e-12 2807191104793803.0 -31.191623125197538 3.0 7350011020542105.0
     3719663700470041.0 2035776.6516593136 64171.485533718296 1.7411266997858816e-13
     1.8287418919335658e-13 0.09782142100532984 0.022357985365269024 5156752713189454.0
     2600664173964074.0 3.598801989231846e-13 8414650881127456.0 8363782999782591.0
     1.163291685202239e-12 4164470882512027.0 -31.191623125197538 3.0 3807834656003866.0
     2721609688279582.0 78834.36088105445 1384.8687125538427 1.7411266997858816e-13
     1.8287418919335658e-13 0.09752006876078016 0.02215437768037145 8680961755197960.0
     8234864330960024.0 2.1356887504458688e-12 4163734040905719.0 7052408714153877.0
     6.576961197879427e-12 3558687744482081.0 -16.635532333438686 4.0 7113494378433231.0
     6633494699169676.0 4.8739492747827786e-5 3.1280229586081393e-5 2.2999886823668252e-6
     2.3176807100505246e-6 0.5079438738707461 0.47885936684904673 8021080866445112.0
     5484809662456919.0 1.2566238246539367e-12 4648129231977767.0 5788168957855895.0
     7.748024444254042e-12 7714823693768100.0 -16.635532333438686 4.0 8074814597452658.0
     3341570927948410.0 6.093038205950497e-6 3.775170343983028e-6 2.2999886823668252e-6
     2.3176807100505246e-6 0.5022016144870396 0.4730654793256655 3492774505752728.0
     1525645661139308.0 7.176717402135946e-12 2391002086810474.0 8959434581514438.0
     4.3485437473123056e-11 448232314154222.0",
    );
}

/// A number is never positive where what is left of it is not.
#[test]
fn a_number_that_is_never_positive_has_no_grids() {
    let number = Number {
        mu: 1.0,
        epsilon: 4.0,
    };
    assert!(Grids::new(number, 2, 1.9, 20).is_none());
    assert!(Grids::new(number, 2, 2.1, 20).is_some());
    assert_eq!([2, 3, 4, 7, 8].map(sums), [0.5, 1.5, 1.0, 3.0, 1.5]);
}
