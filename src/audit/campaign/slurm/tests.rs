//! Scripts for shards, line by line.

use super::*;

fn scripts(work: Work, time: Option<&str>) -> Scripts {
    Scripts {
        program: "/opt/dp assay".into(),
        folder: "/home/o'n".into(),
        work,
        shards: 3,
        cpus: 2,
        time: time.map(|t| t.parse().expect("a limit")),
    }
}

/// Both scripts, written for the folder `/o`.
fn texts(scripts: &Scripts) -> [String; 2] {
    let out = Path::new("/o");
    [scripts.array(out), scripts.merge(out)].map(|text| text.expect("UTF-8"))
}

#[track_caller]
fn says(text: &str, lines: &[&str]) {
    let mut rest = text.lines();
    for line in lines {
        assert!(
            rest.any(|l| l == *line),
            "no `{line}`, or not there: {text}"
        );
    }
}

/// Shards are counted from 0, and the merge waits for the last of them; what an audit finds is no failure of its task.
#[test]
fn every_shard_of_a_campaign_is_run_and_merged() {
    let work = Work::Campaign {
        plan: "/p.toml".into(),
        store: "/s".into(),
        chunks: 3,
    };
    let [array, merge] = texts(&scripts(work, Some("1-12")));
    let head = [
        "#!/usr/bin/env bash",
        "#SBATCH --requeue",
        "#SBATCH --time=1-12",
    ];
    says(&array, &head);
    says(&merge, &head);
    says(
        &array,
        &[
            "#SBATCH --job-name=campaign",
            "#SBATCH --output=logs/shard-%a.log",
            "#SBATCH --array=0-2",
            "#SBATCH --cpus-per-task=2",
            r"cd '/home/o'\''n'",
            r"'/opt/dp assay' --quiet campaign run '/p.toml' \",
            r#"    --shard "$shard/3" --store '/o'/shards/"$shard.sqlite" || status=$?"#,
            r#"exit "$((status == 1 || status == 3 ? 0 : status))""#,
        ],
    );
    says(
        &merge,
        &[
            "#SBATCH --job-name=campaign-merge",
            "#SBATCH --output=logs/merge.log",
            "#SBATCH --kill-on-invalid-dep=yes",
            r"'/opt/dp assay' --quiet campaign merge '/p.toml' --store '/s' \",
            "    '/o'/shards/{0..2}.sqlite",
            "'/opt/dp assay' --quiet campaign report '/p.toml' --store '/s'",
        ],
    );
}

/// An experiment's failure is its task's, and no limit is asked for that was not given.
#[test]
fn every_shard_of_an_experiment_is_run_and_merged() {
    let work = Work::Experiment {
        words: ["fit", "a b"].map(String::from).to_vec(),
        out: "/r".into(),
        cells: 3,
    };
    let scripts = scripts(work, None);
    let [array, merge] = texts(&scripts);
    assert!(!format!("{array}{merge}").contains("--time"));
    says(
        &array,
        &[
            "#SBATCH --job-name=experiment",
            r"'/opt/dp assay' --quiet experiment 'fit' 'a b' \",
            r#"    --shard "$shard/3" --out '/o'/shards/"$shard" || status=$?"#,
            r#"exit "$status""#,
        ],
    );
    says(
        &merge,
        &[
            "#SBATCH --job-name=experiment-merge",
            r"cd '/home/o'\''n'",
            r"'/opt/dp assay' --quiet experiment 'fit' 'a b' --out '/r' \",
            "    --merge '/o'/shards/{0..2}",
        ],
    );
    let folder = tempfile::tempdir().expect("there is room");
    let jobs = folder.path().join("jobs");
    scripts.write(&jobs).expect("three cells for three shards");
    let read = |name: &str| fs::read_to_string(jobs.join(name)).expect("it was written");
    assert_eq!(read("submit.sh"), SUBMIT);
    assert_eq!(read("array.sh"), scripts.array(&jobs).expect("UTF-8"));
    assert!(
        ["shards", "logs"]
            .iter()
            .all(|name| jobs.join(name).is_dir())
    );
    let told = |scripts: Scripts| scripts.write(&jobs).expect_err("refused").to_string();
    assert!(told(scripts.clone()).contains("jobs: exists already; name another folder"));
    for shards in [0, 4] {
        assert_eq!(
            told(Scripts {
                shards,
                ..scripts.clone()
            }),
            format!(
                "shards = {shards} must lie between 1 and 3, the cells of the largest experiment"
            )
        );
    }
}

#[test]
fn what_is_no_time_limit_is_refused() {
    let good = ["90", "90:30", "12:00:00", "2-0", "2-12:30", "2-12:30:00"];
    let bad = [
        "", "soon", "1:2:3:4", "1-", "-1", "1:", "1.5", "1-2-3", "x-1",
    ];
    let read = |text: &&str| text.parse::<TimeLimit>().is_ok();
    assert!(good.iter().all(read) && !bad.iter().any(read));
}
