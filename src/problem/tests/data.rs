//! Data sets, pairs of neighbours, losses and problems: parts of them, what they are told, and what they refuse.

use crate::problem::constants::ConstantsError;
use crate::problem::dataset::DatasetError;
use crate::problem::design::{Dense, Design, Sparse};
use crate::problem::loss::{Huber, Linear, Logistic, Loss, LossName, Squared};
use crate::problem::neighbours::{LinearPair, Pair, PairError};
use crate::problem::{Constants, Dataset, Problem, ProblemError, Regulariser};

const TABLE: [[f64; 3]; 3] = [[1.0, 0.0, 2.0], [0.0, 3.0, 0.0], [-4.0, 0.0, 5.0]];

/// The same three records stored in both ways.
fn both() -> [Dataset; 2] {
    let cells = TABLE.iter().enumerate();
    let entries: Vec<_> = cells
        .flat_map(|(i, row)| row.iter().enumerate().map(move |(j, x)| (i, j, *x)))
        .collect();
    let dense: Design = Dense::from_rows(&TABLE).expect("a matrix").into();
    let sparse: Design = Sparse::from_entries(3, 3, &entries)
        .expect("a matrix")
        .into();
    [dense, sparse].map(|design| {
        let data = Dataset::new("three", design, vec![1.0, -1.0, 1.0]).expect("a target each");
        data.with_classes(["no".to_owned(), "yes".to_owned()])
    })
}

fn rows(data: &Dataset) -> Vec<[f64; 3]> {
    let row = |i| {
        let mut row = [0.0; 3];
        data.design().row(i).for_each(|(j, x)| row[j] = x);
        row
    };
    (0..data.records()).map(row).collect()
}

#[test]
fn parts_of_a_data_set_keep_its_name_classes_and_order() {
    for data in both() {
        let dense = matches!(data.design(), Design::Dense(_));
        let part = data.select(&[2, 0, 2]).expect("three records");
        assert_eq!(rows(&part), [TABLE[2], TABLE[0], TABLE[2]]);
        assert_eq!(part.targets(), [1.0, 1.0, 1.0]);
        let one = data.select(&[1]).expect("one record");
        assert_eq!((rows(&one), one.targets()), (vec![TABLE[1]], &[-1.0][..]));
        for part in [&part, &one] {
            assert_eq!((part.name(), part.classes()), ("three", data.classes()));
            assert_eq!(matches!(part.design(), Design::Dense(_)), dense);
        }
        assert!(data.select(&[]).is_err());
        let other = data
            .with_design(Dense::from_rows(&[[7.0], [8.0], [9.0]]).expect("a matrix"))
            .expect("three records");
        assert_eq!((other.name(), other.features()), ("three", 1));
        assert_eq!(
            (other.targets(), other.classes()),
            (data.targets(), data.classes())
        );
        let short = data.with_design(Dense::from_rows(&[[7.0]]).expect("a matrix"));
        let (targets, records) = (3, 1);
        assert_eq!(
            short.map(|_| ()),
            Err(DatasetError::Targets { targets, records })
        );
    }
    let [dense, _] = both();
    for value in [f64::INFINITY, f64::NEG_INFINITY] {
        let found = Dataset::new("bad", dense.design().clone(), vec![0.0, 1.0, value]);
        assert_eq!(
            found.map(|_| ()),
            Err(DatasetError::NotFinite { row: 2, value })
        );
    }
    let numbered = Dataset::new("classes", dense.design().clone(), vec![0.0, 2.0, 1.0]);
    let rest = numbered.expect("a target each").one_against_rest(2);
    assert_eq!(
        (rest.targets(), rest.classes()),
        (&[-1.0, 1.0, -1.0][..], None)
    );
}

#[test]
fn a_replaced_record_is_the_new_one_and_the_others_stay() {
    for data in both() {
        let problem = Problem::new(data, Squared, Regulariser::None).expect("a problem");
        let pair = Pair::replacing(&problem, 1, &[0.0, 6.0, 7.0], 0.5).expect("it fits");
        assert_eq!(rows(pair.first.data()), TABLE);
        assert_eq!(
            rows(pair.second.data()),
            [TABLE[0], [0.0, 6.0, 7.0], TABLE[2]]
        );
        assert_eq!(pair.second.data().targets(), [1.0, 0.5, 1.0]);
        assert_eq!(pair.second.data().name(), "three");
        assert_eq!(pair.second.constants(), problem.constants());
        let refused = |row, features: &[f64]| {
            Pair::replacing(&problem, row, features, 0.0)
                .map(|_| ())
                .expect_err("no pair")
        };
        assert_eq!(
            refused(3, &[0.0; 3]),
            PairError::Record { row: 3, records: 3 }
        );
        let (what, found, expected) = ("features", 4, 3);
        assert_eq!(
            refused(2, &[0.0; 4]),
            PairError::Count {
                what,
                found,
                expected
            }
        );
        assert!(Pair::replacing(&problem, 2, &[0.0; 3], f64::NAN).is_err());
        assert!(Pair::replacing(&problem, 2, &[f64::NAN; 3], 0.0).is_err());
    }
}

#[test]
fn a_linear_pair_reaches_its_scores_and_no_further() {
    let pair = |n, scores: &[f64], rises: &[bool]| {
        let pair = LinearPair {
            records: n,
            lipschitz: vec![2.0, 1.0],
            smoothness: vec![4.0, 1.0],
            scores: scores.to_vec(),
            rises: rises.to_vec(),
        };
        pair.build()
    };
    // Of four records three agree: √M·|y| ≤ ¾L, attained.
    let built = pair(4, &[0.75, -0.75], &[false, true]).expect("within reach");
    let rows = |problem: &Problem, i| {
        problem
            .data()
            .design()
            .row(i)
            .map(|e| e.1)
            .collect::<Vec<_>>()
    };
    for i in 0..3 {
        assert_eq!(rows(&built.first, i), [2.0, -1.0]);
        assert_eq!(rows(&built.second, i), [2.0, -1.0]);
    }
    assert_eq!(rows(&built.first, 3), [2.0, -1.0]);
    assert_eq!(rows(&built.second, 3), [-2.0, 1.0]);
    let refused = |n, scores: &[f64], rises: &[bool]| {
        pair(n, scores, rises).map(|_| ()).expect_err("no pair")
    };
    let score = 0.75_f64.next_up();
    let beyond = PairError::Score {
        coordinate: 1,
        score,
        limit: 0.75,
    };
    assert_eq!(refused(4, &[0.0, score], &[true; 2]), beyond);
    // A single record has nothing in common with others.
    let alone = PairError::Score {
        coordinate: 0,
        score: 0.1,
        limit: 0.0,
    };
    assert_eq!(refused(1, &[0.1, 0.0], &[true; 2]), alone);
    assert!(pair(1, &[0.0, 0.0], &[true; 2]).is_ok());
    let count = |what, found| PairError::Count {
        what,
        found,
        expected: 2,
    };
    assert_eq!(refused(4, &[0.0], &[true; 2]), count("scores", 1));
    assert_eq!(refused(4, &[0.0; 2], &[true; 3]), count("signs", 3));
}

/// Slopes and curvatures are the largest found on a grid, infinite where they grow with it.
#[test]
fn what_is_said_of_losses_is_so_on_a_grid() {
    let huber = Huber::new(0.75).expect("positive");
    let losses: [(&dyn Loss, &str, bool); 4] = [
        (&Logistic, "logistic", false),
        (&Squared, "squared", true),
        (&Linear, "linear", true),
        (&huber, "huber", false),
    ];
    for (loss, name, quadratic) in losses {
        let margins = || (-4000..=4000).map(|k| f64::from(k) / 100.0);
        let largest = |of: &dyn Fn(f64) -> f64| margins().map(of).fold(0.0, f64::max);
        let slope = largest(&|u| loss.derivative(u, 1.0).abs());
        let curvature = largest(&|u| loss.second_derivative(u, 1.0).abs());
        let least = margins()
            .map(|u| loss.value(u, 1.0))
            .fold(f64::INFINITY, f64::min);
        match name {
            "squared" => assert_eq!((loss.slope(), slope), (f64::INFINITY, 41.0)),
            _ => assert!((loss.slope() - slope).abs() < 1e-12, "{name}: {slope}"),
        }
        match name {
            "linear" => assert_eq!((loss.infimum(), least), (f64::NEG_INFINITY, -40.0)),
            _ => assert!(
                loss.infimum() <= least && least < loss.infimum() + 1e-12,
                "{name}"
            ),
        }
        assert_eq!((loss.name(), loss.curvature()), (name, curvature));
        assert_eq!(loss.is_quadratic(), quadratic);
        let constant = margins().all(|u| loss.second_derivative(u, 1.0) == curvature);
        assert_eq!(constant, quadratic, "{name}");
        let refused = [-1.0, 0.0, 1.0, 1.5].map(|y| loss.refuses(y).is_some());
        assert_eq!(
            refused,
            [false, name == "logistic", false, name == "logistic"]
        );
    }
    for knee in [0.0, -1.0, f64::INFINITY, f64::NAN] {
        assert!(Huber::new(knee).is_none(), "{knee}");
    }
}

#[test]
fn a_problem_refuses_what_its_loss_and_data_do_not_take() {
    let [data, _] = both();
    for (loss, name) in [
        (LossName::Logistic, "logistic"),
        (LossName::Squared, "squared"),
        (LossName::Huber, "huber"),
    ] {
        let problem = Problem::named(data.clone(), loss, Regulariser::L1(0.5)).expect("a problem");
        assert_eq!((problem.loss().name(), problem.ridge()), (name, 0.0));
        assert_eq!(problem.regulariser(), Regulariser::L1(0.5));
        assert!(problem.constants().is_data_derived());
        for ridge in [-1.0, f64::INFINITY] {
            let refused = problem.clone().with_ridge(ridge).map(|_| ());
            assert_eq!(refused, Err(ProblemError::Ridge(ridge)));
        }
        let ridged = problem.with_ridge(0.25).expect("positive");
        assert_eq!(ridged.ridge(), 0.25);
        let given = Constants::new(vec![1.0; 3], vec![2.0; 3]).expect("constants");
        let public = ridged.clone().with_constants(given.clone()).expect("three");
        assert_eq!((public.constants(), public.ridge()), (&given, 0.25));
        let two = Constants::new(vec![1.0; 2], vec![2.0; 2]).expect("constants");
        let (found, expected) = (2, 3);
        let count = || Err(ConstantsError::Count { found, expected }.into());
        assert_eq!(public.clone().with_constants(two).map(|_| ()), count());
        // Other data keep the constants, and must have as many features.
        let first = data.select(&[0]).expect("one record");
        let other = public.with_data(first).expect("as many features");
        assert_eq!(
            (other.records(), other.constants(), other.ridge()),
            (1, &given, 0.25)
        );
        let narrow = Dense::from_rows(&[[1.0], [2.0], [3.0]]).expect("a matrix");
        let narrow = data.with_design(narrow).expect("as many records");
        let (found, expected) = (3, 1);
        let count = Err(ConstantsError::Count { found, expected }.into());
        assert_eq!(public.with_data(narrow).map(|_| ()), count);
        let odd = Dataset::new("odd", data.design().clone(), vec![1.0, -1.0, 0.5]).expect("finite");
        let (row, value, rule) = (2, 0.5, "must be -1 or +1");
        let target = ProblemError::Target {
            row,
            value,
            rule,
            loss: "logistic",
        };
        let wanted = if name == "logistic" {
            Err(target)
        } else {
            Ok(())
        };
        assert_eq!(public.with_data(odd.clone()).map(|_| ()), wanted);
        assert_eq!(
            Problem::named(odd, loss, Regulariser::None).map(|_| ()),
            wanted
        );
    }
    assert!(Problem::new(data, Squared, Regulariser::L2(-1.0)).is_err());
    let [data, _] = both();
    let computed = Constants::of_data(&data, &Logistic, 0.0).expect("finite");
    assert!(computed.is_data_derived() && !computed.stated_public().is_data_derived());
    assert!(
        !Constants::new(vec![1.0], vec![1.0])
            .expect("constants")
            .is_data_derived()
    );
}
