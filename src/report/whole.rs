//! Files that are written whole or not at all.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a whole file or nothing: the bytes go to a temporary neighbour first, which is then renamed. A link is followed, and
/// who may read a file stays as it is. What is no file (a terminal, a pipe, `/dev/null`) is written into and stays what it is.
///
/// ```
/// use dp_assay::report::write;
///
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("page.html");
/// write(&file, b"whole")?;
/// assert_eq!(std::fs::read(&file)?, b"whole");
/// assert!(write(&folder.path().join("no folder").join("page.html"), b"whole").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Any error of the file system, with the file's name in it.
pub fn write(file: &Path, bytes: &[u8]) -> io::Result<()> {
    attempt(file, |target| match target {
        Target::File { file, part, mode } => {
            let mut out = File::create(&part)?;
            out.write_all(bytes)?;
            mode.map_or(Ok(()), |mode| out.set_permissions(mode))?;
            out.sync_all()?;
            std::fs::rename(&part, file)
        }
        Target::Stream => OpenOptions::new().write(true).open(file)?.write_all(bytes),
    })
}

/// Refuses a file that [`write()`] could not write, before what it is to hold is computed; there is none after it.
///
/// # Errors
/// Those that [`write()`] would meet, but for those of what is no file: to open a pipe is to wait for its reader.
pub fn writable(file: &Path) -> io::Result<()> {
    attempt(file, |target| match target {
        Target::File { part, .. } => File::create(&part).and_then(|_| std::fs::remove_file(part)),
        Target::Stream => Ok(()),
    })
}

/// What bytes are to go to.
enum Target {
    /// A file that is there or will be, what it is called until it is whole, and who may read the one that it replaces.
    File {
        file: PathBuf,
        part: PathBuf,
        mode: Option<Permissions>,
    },
    /// A device or a pipe, which nothing may take the place of.
    Stream,
}

impl Target {
    fn of(file: &Path) -> io::Result<Self> {
        // A link to a file that is not there yet leads to it as well.
        let led = || std::fs::read_link(file).map(|to| file.with_file_name(to));
        let found = std::fs::canonicalize(file).or_else(|_| led());
        let file = found.unwrap_or_else(|_| file.to_owned());
        let mode = match std::fs::metadata(&file) {
            Ok(known) if known.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(known) if !known.is_file() => return Ok(Self::Stream),
            Ok(known) => Some(known.permissions()),
            Err(_) => None,
        };
        let part = file.with_extension(format!("part-{}", std::process::id()));
        Ok(Self::File { file, part, mode })
    }
}

/// Does what needs a file beside this one, and removes that if it fails.
fn attempt(file: &Path, with: impl FnOnce(Target) -> io::Result<()>) -> io::Result<()> {
    let done = Target::of(file).and_then(|target| {
        let part = match &target {
            Target::File { part, .. } => Some(part.clone()),
            Target::Stream => None,
        };
        with(target).inspect_err(|_| {
            // The temporary file may not exist; what matters is the first error.
            let _ = part.map(std::fs::remove_file);
        })
    });
    done.map_err(|e| io::Error::new(e.kind(), format!("cannot write {}: {e}", file.display())))
}

/// Makes a folder if need be, and refuses one that [`write()`] could not write into.
///
/// # Errors
/// Any error of the file system, with the folder's name in it.
pub fn writable_folder(folder: &Path) -> io::Result<()> {
    let named =
        |e: io::Error| io::Error::new(e.kind(), format!("cannot make {}: {e}", folder.display()));
    std::fs::create_dir_all(folder).map_err(named)?;
    writable(&folder.join("part"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_is_written_over_keeps_its_kind_its_mode_and_its_links() {
        use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("there is room");
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("file"), "old").expect("can be written");
        let mode = |mode| std::fs::set_permissions(at("file"), Permissions::from_mode(mode));
        mode(0o600).expect("it is ours");
        symlink(at("file"), at("link")).expect("can be made");
        write(&at("link"), b"new").expect("can be written");
        assert_eq!(std::fs::read(at("file")).expect("it is there"), b"new");
        let known = |name: &str| std::fs::symlink_metadata(at(name)).expect("it is there");
        assert_eq!(known("file").permissions().mode() & 0o777, 0o600);
        assert!(known("link").is_symlink());
        symlink("later", at("ahead")).expect("can be made");
        write(&at("ahead"), b"new").expect("can be written");
        assert!(known("ahead").is_symlink() && known("later").is_file());
        for result in [
            write(Path::new("/dev/null"), b"new"),
            writable(Path::new("/dev/null")),
        ] {
            result.expect("takes everything");
        }
        let null = std::fs::metadata("/dev/null").expect("it is there");
        assert!(null.file_type().is_char_device());
        let full = write(Path::new("/dev/full"), b"new").map_err(|e| e.to_string());
        assert!(full.is_err_and(|e| e.starts_with("cannot write /dev/full: ")));
        let left = std::fs::read_dir(folder.path()).expect("it is there");
        assert_eq!(left.count(), 4);
    }

    #[test]
    fn a_folder_that_is_a_file_is_refused_by_name() {
        let file = tempfile::NamedTempFile::new().expect("there is room");
        let inside = file.path().join("new");
        for folder in [file.path(), &inside] {
            let why = writable_folder(folder)
                .expect_err("it is a file")
                .to_string();
            assert!(why.contains(&folder.display().to_string()), "{why}");
        }
        assert!(writable(file.path().parent().expect("it has one")).is_err());
    }
}
