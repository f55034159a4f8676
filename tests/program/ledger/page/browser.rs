//! Chromium without a window and without a network.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

pub struct Browser {
    program: PathBuf,
}

/// What keeps it from the network, from a graphics card and from a first-run page.
const FLAGS: [&str; 12] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--enable-logging=stderr",
    "--virtual-time-budget=10000",
];

impl Browser {
    /// The browser of this machine; says so where there is none.
    pub fn find() -> Option<Self> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let mut programs = folders.iter().flat_map(|f| names.map(|n| f.join(n)));
        let found = programs
            .find(|p| p.is_file())
            .map(|program| Self { program });
        if found.is_none() {
            println!("SKIPPED: no Chromium on this machine (apt-get install chromium)");
        }
        found
    }

    /// As [`Self::find`], where `DP_ASSAY_BROWSER` is set: for tests that load a page many times.
    pub fn find_if_asked() -> Option<Self> {
        if std::env::var_os("DP_ASSAY_BROWSER").is_none() {
            println!("SKIPPED: takes half a minute; set DP_ASSAY_BROWSER to run it");
            return None;
        }
        Self::find()
    }

    /// The document after its scripts have run, and what the browser logged.
    pub fn dom(&self, page: &str) -> (String, String) {
        let folder = written(page);
        let output = self.run(folder.path(), &["--dump-dom"]);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&output.stdout), text(&output.stderr))
    }

    /// The document once it is loaded, on the clock of this machine.
    pub fn dom_as_it_comes(&self, page: &str) -> String {
        let folder = written(page);
        let flags = FLAGS
            .iter()
            .filter(|f| !f.starts_with("--virtual-time-budget"));
        let output = self.run_with(folder.path(), flags, &["--dump-dom"]);
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// The top of the page as a PNG, in the light scheme.
    pub fn screenshot(&self, page: &str, (width, height): (u32, u32)) -> Vec<u8> {
        let folder = written(page);
        let file = folder.path().join("seen.png");
        let size = format!("--window-size={width},{height}");
        let shot = format!("--screenshot={}", file.display());
        let output = self.run(folder.path(), &[&size, &shot]);
        std::fs::read(&file).unwrap_or_else(|e| {
            panic!(
                "no screenshot: {e}\n{}",
                String::from_utf8_lossy(&output.stderr)
            )
        })
    }

    /// The page as it is printed.
    pub fn pdf(&self, page: &str) -> Vec<u8> {
        let folder = written(page);
        let file = folder.path().join("printed.pdf");
        let flag = format!("--print-to-pdf={}", file.display());
        let output = self.run(folder.path(), &[&flag, "--no-pdf-header-footer"]);
        std::fs::read(&file).unwrap_or_else(|e| {
            panic!("no print: {e}\n{}", String::from_utf8_lossy(&output.stderr))
        })
    }

    fn run(&self, folder: &Path, flags: &[&str]) -> Output {
        self.run_with(folder, FLAGS.iter(), flags)
    }

    fn run_with<'a>(
        &self,
        folder: &Path,
        always: impl Iterator<Item = &'a &'a str>,
        flags: &[&str],
    ) -> Output {
        let profile = format!("--user-data-dir={}", folder.join("profile").display());
        let page = format!("file://{}", folder.join("page.html").display());
        let output = Command::new(&self.program)
            .args(always)
            .arg(profile)
            .args(flags)
            .arg(page)
            .output()
            .expect("Chromium was found, so it starts");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        output
    }
}

fn written(page: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("page.html"), page).expect("a temporary file");
    folder
}
