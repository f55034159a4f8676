//! What built-in mechanisms draw, what is claimed of them, and how their own statistics read their outputs, to the last bit. That laws
//! and claims are *right* is what other tests look at; a report shows the best event alone, and of a statistic nothing.

use super::*;
use crate::accounting::steady;
use crate::audit::builtin::{self, Parameters};

/// A word for a mechanism with these parameters: all that is stated, and outputs on each input of each pair, with their statistics.
fn word(name: &str, parameters: &Parameters) -> String {
    let specimen = match builtin::find(name, parameters) {
        Ok(specimen) => specimen,
        Err(why) => return steady::digest(&why.to_string()),
    };
    let draw = |input: &Vec<f64>| {
        let outputs = (0..6).map(|trial| {
            specimen
                .draw(input, Tape::new(11).trial(trial))
                .expect("it runs")
        });
        let told = outputs.map(|output| {
            let read: Vec<f64> = specimen
                .statistics
                .iter()
                .map(|s| (s.value)(&output))
                .collect();
            (output, read)
        });
        told.collect::<Vec<_>>()
    };
    let pairs: Vec<_> = { &specimen.pairs }
        .iter()
        .map(|(a, b)| (a, b, draw(a), draw(b)))
        .collect();
    let Specimen {
        defect,
        claimed,
        epsilon_upper,
        delta,
        neighbours,
        release,
        trials,
        gaussian,
        bits,
        ..
    } = &specimen;
    let names: Vec<String> = specimen
        .statistics
        .iter()
        .map(|s| format!("{s:?}"))
        .collect();
    let stated = (
        defect,
        claimed,
        epsilon_upper,
        delta,
        neighbours,
        release,
        trials,
    );
    steady::digest(&(stated, gaussian, bits, names, pairs))
}

/// Words for these mechanisms, with defaults and with each parameter changed.
fn words(of: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for listed in builtin::list().into_iter().filter(|listed| of(listed.name)) {
        found.push(format!(
            "{}={}",
            listed.name,
            word(listed.name, &Parameters::new())
        ));
        for parameter in listed.parameters {
            let changed = match parameter.default {
                0.0 => 1.0,
                _ if parameter.name == "noise" => 0.5,
                whole if whole.fract() == 0.0 => whole + 1.0,
                real => real * 0.75,
            };
            let changed = Parameters::from([(parameter.name.to_owned(), changed)]);
            found.push(format!(
                "{}/{}={}",
                listed.name,
                parameter.name,
                word(listed.name, &changed)
            ));
        }
    }
    found
}

fn is_solver(name: &str) -> bool {
    ["-optimized", "-reference"]
        .iter()
        .any(|end| name.ends_with(end))
}

#[test]
fn mechanisms_draw_what_they_drew() {
    steady::words(
        &words(|name| !is_solver(name)),
        "laplace=a85a123cd9c0bd77 laplace/scale=9dbe6f642ce66075 gaussian=0d839077978a7e45
            gaussian/sigma=4b8c48c86e46570b fixed-size-gaussian=e4655988a2d54a5a
            fixed-size-gaussian/sigma=08a4e1ccfcb91e4f
            fixed-size-gaussian/records=e350d0304faf1aa8
            fixed-size-gaussian/batch=8247020e9e466792
            fixed-size-gaussian/delta=95b9deef9cb4899d
            with-replacement-gaussian=9de5a0a6f0eab2d0
            with-replacement-gaussian/sigma=f2e10649b897cd2d
            with-replacement-gaussian/records=55f911df26584370
            with-replacement-gaussian/batch=0062b902236d822c
            with-replacement-gaussian/delta=a95e89a638c5f3d7
            truncated-poisson-gaussian=2a95ddc3e04c186e
            truncated-poisson-gaussian/sigma=1e8fe0e7e84d86df
            truncated-poisson-gaussian/records=d3d383f075d59229
            truncated-poisson-gaussian/rate=73be8ca7eb666d2c
            truncated-poisson-gaussian/cap=52aa580b95c7da4a
            truncated-poisson-gaussian/delta=817cd20973d7ddef
            random-allocation-gaussian=1500b8e61f2b3202
            random-allocation-gaussian/sigma=302f4c1aac76dd6f
            random-allocation-gaussian/steps=b3424db0a49163cc
            random-allocation-gaussian/participations=e5b979e409234845
            random-allocation-gaussian/epochs=e918374e6de73a1e
            random-allocation-gaussian/delta=afe20cd8d27587bf
            b-min-separation-gaussian=ec96f9c7fd3beebf
            b-min-separation-gaussian/sigma=96a43b95ff07ade4
            b-min-separation-gaussian/steps=f0f3995f8a3d8fb8
            b-min-separation-gaussian/separation=47c3d501af6b330f
            b-min-separation-gaussian/rate=8247393d200a46c9
            b-min-separation-gaussian/delta=6fef7b6953570616 matrix-gaussian=060b8849c459e175
            matrix-gaussian/sigma=d3094597326a7abc
            matrix-gaussian/participations=b754db4abf6dc380
            matrix-gaussian/bins=060b8849c459e175 matrix-gaussian/delta=4bb911b6de104768
            balls-in-bins-matrix-gaussian=1970cf08fc9e84f7
            balls-in-bins-matrix-gaussian/sigma=30febed79089ceb2
            balls-in-bins-matrix-gaussian/participations=1970cf08fc9e84f7
            balls-in-bins-matrix-gaussian/bins=45b9a175c63d428c
            balls-in-bins-matrix-gaussian/delta=0d87ba5b0879d4e4
            laplace-mechanism=c86668c803c8c89d laplace-half-noise=446c65f34a5d74e8
            noisy-histogram-1=c837019b4006530a noisy-histogram-2=ca7ffaa4cdd4932b
            laplace-parallel=a5684ef50d471d2f prefix-sum=6dbdd44119538eb3
            same-noise-twice=4dbd72aec52df0ca laplace-textbook-bits=e202bf3466752164
            laplace-snapped-bits=66492d56ff61bac2 noisy-argmax-laplace=e7d5e7a33178d3f9
            noisy-argmax-exponential=fadaf1f56c8ab1a1 noisy-max-laplace=ba1d9df52251d4d5
            noisy-max-exponential=d1f8f66a81168196 svt-1=fe71ddee8ec02a54 svt-2=fe71ddee8ec02a54
            numeric-svt=33cdac87d30b9bcc gap-svt=e75768f3aceff980 svt-3=110b29069150b514
            svt-4=7b297cc596c314ca svt-5=ff96e8811d8e444e svt-6=0b8493277f5aa8db
            svt-3-and-4=f877154103166a25 truncated-geometric=8a353a8c9fac8739
            partial-sum=48b28a3641a50771 partial-sum-bad=0a2607ae22ea0ca8
            smart-sum=82ccc859c8eddf07 smart-sum-bad=9f936af99b304b08 rappor=00ac907cab4c0bd5
            one-time-rappor=d375ad10a77007e1",
    );
}

#[test]
fn solvers_draw_what_they_drew() {
    steady::words(
        &words(is_solver),
        "gcd-reference=f039feaf42ebb317 gcd-reference/epsilon=61645887d5057c4e
            gcd-reference/delta=76cb4a83a822bff9 gcd-reference/steps=93802c7d797237c4
            gcd-reference/noise=61645887d5057c4e gcd-reference/records=2dce7f5ea6deb794
            gcd-optimized=37a25293580d9e27 gcd-optimized/epsilon=a8cdf4d816d5aaf1
            gcd-optimized/delta=38ce9d2a1ab5f5e1 gcd-optimized/steps=29380f4ccc0aa774
            gcd-optimized/noise=a8cdf4d816d5aaf1 gcd-optimized/records=70f1e5787944ec1d
            skgd-reference=4b87b0ebaeae981e skgd-reference/epsilon=c514d1e16e7c478b
            skgd-reference/delta=21723e8fe43af935 skgd-reference/steps=37697aaba8115a4e
            skgd-reference/noise=c022960fc8407e4e skgd-reference/variance=a93368d5a9c85a28
            skgd-optimized=4b87b0ebaeae981e skgd-optimized/epsilon=c514d1e16e7c478b
            skgd-optimized/delta=21723e8fe43af935 skgd-optimized/steps=37697aaba8115a4e
            skgd-optimized/noise=c022960fc8407e4e skgd-optimized/variance=a93368d5a9c85a28
            ambssgd-reference=095f9ff08b8e144d ambssgd-reference/epsilon=94c3915975a65210
            ambssgd-reference/delta=ca9a682d86517e2b ambssgd-reference/noise=14d64d7264f59f7d
            ambssgd-reference/printed=e543652e7ec4d09b ambssgd-optimized=095f9ff08b8e144d
            ambssgd-optimized/epsilon=94c3915975a65210 ambssgd-optimized/delta=ca9a682d86517e2b
            ambssgd-optimized/noise=14d64d7264f59f7d ambssgd-optimized/printed=e543652e7ec4d09b
            ssgd-reference=d301b270de945a40 ssgd-reference/epsilon=8299fe7c520392a1
            ssgd-reference/delta=3466e2281ab4520a ssgd-reference/noise=2889c8d42a91ed43
            ssgd-reference/printed=d301b270de945a40 ssgd-optimized=d301b270de945a40
            ssgd-optimized/epsilon=8299fe7c520392a1 ssgd-optimized/delta=3466e2281ab4520a
            ssgd-optimized/noise=2889c8d42a91ed43 ssgd-optimized/printed=d301b270de945a40
            kl-spider-reference=5361de0cae4b5d19 kl-spider-reference/epsilon=80cc1dba2719a1ed
            kl-spider-reference/delta=b884a54a3412af10
            kl-spider-reference/noise=32826f403f23e23b
            kl-spider-reference/printed=9ca19491136c24b0 kl-spider-optimized=5361de0cae4b5d19
            kl-spider-optimized/epsilon=80cc1dba2719a1ed
            kl-spider-optimized/delta=b884a54a3412af10
            kl-spider-optimized/noise=32826f403f23e23b
            kl-spider-optimized/printed=9ca19491136c24b0 adaptive-gd-reference=a2b0a01bda97814a
            adaptive-gd-reference/epsilon=fe4cbc3ea7d730da
            adaptive-gd-reference/delta=021bcb581099b431
            adaptive-gd-reference/noise=e28f15d33418279d
            adaptive-gd-reference/printed=b1d4426bb800c4b1
            adaptive-gd-optimized=a2b0a01bda97814a
            adaptive-gd-optimized/epsilon=fe4cbc3ea7d730da
            adaptive-gd-optimized/delta=021bcb581099b431
            adaptive-gd-optimized/noise=e28f15d33418279d
            adaptive-gd-optimized/printed=b1d4426bb800c4b1 noisy-gd-reference=2c74d63d5e4798c7
            noisy-gd-reference/epsilon=e85a4edbfa235863
            noisy-gd-reference/delta=fcef2d747f121efd noisy-gd-reference/noise=24448201be92cff1
            noisy-gd-reference/printed=2c74d63d5e4798c7 noisy-gd-optimized=2c74d63d5e4798c7
            noisy-gd-optimized/epsilon=e85a4edbfa235863
            noisy-gd-optimized/delta=fcef2d747f121efd noisy-gd-optimized/noise=24448201be92cff1
            noisy-gd-optimized/printed=2c74d63d5e4798c7 decor-reference=b8c279d9ba6fb982
            decor-reference/epsilon=7dbb6c12e73a03a8 decor-reference/delta=438f483101dfa3cf
            decor-reference/steps=dd01d62c086c71d6 decor-reference/colluders=e7c14a773fe78430
            decor-reference/ratio=c7bcd3a73a24ae5f decor-reference/noise=eed95a6e33846ab0
            decor-optimized=b8c279d9ba6fb982 decor-optimized/epsilon=7dbb6c12e73a03a8
            decor-optimized/delta=438f483101dfa3cf decor-optimized/steps=dd01d62c086c71d6
            decor-optimized/colluders=e7c14a773fe78430 decor-optimized/ratio=c7bcd3a73a24ae5f
            decor-optimized/noise=eed95a6e33846ab0",
    );
}

/// A mechanism has the name by which it is found, and no noise at all is none of its settings.
#[test]
fn mechanisms_have_their_names_and_some_noise() {
    for listed in builtin::list() {
        let specimen = builtin::find(listed.name, &Parameters::new()).expect("it is listed");
        assert_eq!(Mechanism::name(&specimen), listed.name);
        let refused = |noise: f64| {
            let with = Parameters::from([("noise".to_owned(), noise)]);
            builtin::find(listed.name, &with).map_or_else(|why| why.to_string(), |_| String::new())
        };
        let own = |noise: f64| format!("noise = {noise} must be finite and > 0");
        if refused(-1.0).contains(&own(-1.0)) {
            for noise in [0.0, f64::INFINITY, f64::NAN] {
                assert!(
                    refused(noise).contains(&own(noise)),
                    "{}: {noise}",
                    listed.name
                );
            }
        } else {
            assert!(
                !refused(-1.0).is_empty() || listed.parameters.iter().all(|p| p.name != "noise")
            );
        }
    }
}

/// Of levels that are passed by chance p each, four in a row weigh four times as much as one.
#[test]
fn the_count_of_levels_is_read_by_its_chance() {
    let printed = Parameters::from([("printed".to_owned(), 1.0)]);
    let specimen = builtin::find("ambssgd-optimized", &printed).expect("its parameters fit");
    let read = |level: f64| (specimen.statistics[0].value)(&Output::Vector(vec![level, 0.0]));
    let one = read(3.0) - read(2.0);
    assert!(one < -1e-3, "{one}");
    for (level, weight) in [(1.0, read(0.0) + one), (4.0, 4.0 * one)] {
        assert!((read(level) - weight).abs() < 1e-12, "{level}: {weight}");
    }
}
