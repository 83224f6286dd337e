//! What a document was in the last commit of its folder.

use crate::io;
use std::io::Read as _;
use std::path::{Component, Path};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use treemind_doc::Said;
use treemind_doc::edit::Version;
use treemind_doc::said;

/// How long git may take.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long a text may be, in bytes.
const LONGEST: u64 = 16 << 20;

/// Whether a document is in a folder of git, so that there may be a last commit.
pub(super) fn is_in_git(path: &Path) -> bool {
    let has_git = |folder: &Path| folder.join(".git").exists();
    let path = path.canonicalize();
    path.is_ok_and(|path| path.ancestors().skip(1).any(has_git))
}

/// A document in the last commit, with all that it imports. Nothing that the folder says is run, and git asks for nothing.
pub(super) fn committed(path: &Path) -> Result<Version, Said> {
    let path = path.canonicalize().map_err(|error| io::reason(&error))?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let begun = Instant::now();
    let unknown = |name: &str| said!("{} is not in a commit that git knows", name);
    let bytes = blob(folder, &name, PATIENCE)?.ok_or_else(|| unknown(&name))?;
    if std::str::from_utf8(&bytes).is_err() {
        return Err(said!("{} was not text in the last commit", &*name));
    }
    let read = |import: &str| {
        let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        if !Path::new(import).components().all(is_plain) {
            return Err("it is not in the folder of the document".to_owned());
        }
        let left = PATIENCE.saturating_sub(begun.elapsed());
        let bytes = blob(folder, import, left).map_err(|why| why.to_string())?;
        bytes.ok_or_else(|| unknown(import).to_string())
    };
    Ok(Version::read(&bytes, &name, read))
}

/// The bytes of a file in the last commit.
fn blob(folder: &Path, name: &str, patience: Duration) -> Result<Option<Vec<u8>>, Said> {
    let mut git = Command::new("git");
    git.arg("-C").arg(folder);
    git.args(["-c", "core.fsmonitor=false", "cat-file", "blob"]);
    git.arg(format!("HEAD:./{name}"));
    git.env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_OPTIONAL_LOCKS", "0");
    git.stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = git.spawn().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => said!("`git` is not installed"),
        _ => io::reason(&error),
    })?;
    let out = child.stdout.take();
    let (done, waits) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = out.map(|out| out.take(LONGEST).read_to_end(&mut bytes));
        // Nobody waits for it any more when it took too long.
        let _ = done.send(read.is_some_and(|read| read.is_ok()).then_some(bytes));
    });
    let bytes = waits.recv_timeout(patience).ok().flatten();
    // A program that has not answered by now is stopped.
    if bytes.is_none() {
        let _ = child.kill();
    }
    let is_found = child.wait().is_ok_and(|status| status.success());
    Ok(bytes.filter(|_| is_found))
}
