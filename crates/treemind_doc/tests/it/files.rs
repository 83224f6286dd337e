//! Files on a disk, and other things that look like files.
#![cfg(unix)]

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;
use treemind_doc::files::{Claims, create, read, read_all, read_regular, replace, replace_if};

const MOST: u64 = 1 << 20;

fn fifo(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.expect("mkfifo").success());
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_file_is_replaced_and_keeps_its_mode_and_owner() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("guard.kdl");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let before = fs::metadata(&path).unwrap();
    replace(&path, b"new").unwrap();
    let after = fs::metadata(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(after.mode(), before.mode());
    assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
    assert_ne!(after.ino(), before.ino(), "it was written in place");
    assert_eq!(names(folder.path()), ["guard.kdl"]);
}

#[test]
fn a_new_file_is_as_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let (own, other) = (folder.path().join("own"), folder.path().join("other"));
    replace(&own, b"").unwrap();
    fs::write(&other, "").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().mode();
    assert_eq!(mode(&own), mode(&other));
    let gone = replace(&folder.path().join("gone/file"), b"").unwrap_err();
    assert_eq!(gone.kind(), ErrorKind::NotFound);
    let is_folder = replace(folder.path(), b"").unwrap_err();
    assert_eq!(is_folder.kind(), ErrorKind::IsADirectory);
}

#[test]
fn what_is_created_was_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    create(&path("new.kdl"), b"new").unwrap();
    assert_eq!(fs::read(path("new.kdl")).unwrap(), b"new");
    symlink("nowhere", path("link.kdl")).unwrap();
    for there in ["new.kdl", "link.kdl"] {
        let error = create(&path(there), b"other").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::AlreadyExists);
    }
    assert_eq!(fs::read(path("new.kdl")).unwrap(), b"new");
    let gone = create(&path("gone/file"), b"").unwrap_err();
    assert_eq!(gone.kind(), ErrorKind::NotFound);
    assert_eq!(names(folder.path()), ["link.kdl", "new.kdl"]);
}

#[test]
fn a_file_is_replaced_only_if_it_has_what_is_known() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("guard.kdl");
    let knows = |now: &[u8]| now == b"read";
    assert!(replace_if(&path, b"mine", knows).unwrap().is_none());
    fs::write(&path, "theirs").expect("it is written");
    assert!(replace_if(&path, b"mine", knows).unwrap().is_none());
    assert_eq!(fs::read(&path).expect("a text"), b"theirs");
    // Mode, links and what is beside it stay.
    fs::write(&path, "read").expect("it is written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.path().join("link.kdl");
    symlink("guard.kdl", &link).unwrap();
    let replaced = replace_if(&link, b"mine", knows).unwrap();
    assert_eq!(replaced.unwrap().now().unwrap(), b"read");
    assert_eq!(fs::read(&path).expect("a text"), b"mine");
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    assert!(link.is_symlink());
    assert_eq!(names(folder.path()), ["guard.kdl", "link.kdl"]);
}

#[test]
fn links_stay_and_what_they_lead_to_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("real")).unwrap();
    fs::write(path("real/file"), "old").unwrap();
    symlink("real/file", path("first")).unwrap();
    symlink(path("first"), path("second")).unwrap();
    replace(&path("second"), b"new").unwrap();
    assert_eq!(fs::read(path("real/file")).unwrap(), b"new");
    // A link whose target does not exist yet.
    symlink("real/later", path("open")).unwrap();
    replace(&path("open"), b"there").unwrap();
    assert_eq!(fs::read(path("real/later")).unwrap(), b"there");
    for link in ["first", "second", "open"] {
        assert!(path(link).is_symlink(), "{link}");
    }
    symlink("round", path("round")).unwrap();
    assert!(replace(&path("round"), b"").is_err());
    assert_eq!(names(&path("real")), ["file", "later"]);
}

#[test]
fn what_is_no_file_is_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    fifo(&pipe);
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read(pipe).unwrap()
    });
    replace(&pipe, b"through").unwrap();
    assert_eq!(reader.join().unwrap(), b"through");
    assert_eq!(names(folder.path()), ["pipe"]);
    replace(Path::new("/dev/null"), b"gone").unwrap();
    if Path::new("/dev/full").exists() {
        assert!(replace(Path::new("/dev/full"), b"too much").is_err());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_open_already_is_added_to() {
    // Like a shell with `{ …; } > file`: it continues writing at its position.
    use std::os::fd::AsRawFd as _;
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(b"before ").unwrap();
    let open = format!("/proc/self/fd/{}", file.as_file().as_raw_fd());
    let before = fs::metadata(file.path()).unwrap().ino();
    replace(Path::new(&open), b"here").unwrap();
    assert_eq!(fs::read(file.path()).unwrap(), b"before here");
    assert_eq!(fs::metadata(file.path()).unwrap().ino(), before);
}

#[test]
fn reading_ends() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    fifo(&pipe);
    let alone = read(&pipe, MOST).unwrap_err();
    assert_eq!(alone.to_string(), "it is a pipe without a writer");
    let text = vec![b'x'; 300_000];
    let writer = std::thread::spawn({
        let (pipe, text) = (pipe.clone(), text.clone());
        move || {
            let mut pipe = fs::File::options().write(true).open(pipe).unwrap();
            // Makes the reader wait for it.
            std::thread::sleep(std::time::Duration::from_millis(50));
            pipe.write_all(&text).unwrap();
        }
    });
    // Before the writer opens the pipe, reading is an error.
    let bytes = loop {
        match read(&pipe, MOST) {
            Ok(bytes) => break bytes,
            Err(error) => assert_eq!(error.kind(), ErrorKind::BrokenPipe),
        }
    };
    writer.join().unwrap();
    assert_eq!(bytes, text);
    let endless = read(Path::new("/dev/zero"), MOST).unwrap_err();
    assert_eq!(endless.to_string(), "it is larger than 1 MiB");
    assert!(read(Path::new("/dev/null"), MOST).unwrap().is_empty());
    let is_folder = read(folder.path(), MOST).unwrap_err();
    assert_eq!(is_folder.kind(), ErrorKind::IsADirectory);
}

#[test]
fn the_limit_is_the_last_that_fits() {
    assert_eq!(read_all(&b"1234"[..], 4).unwrap(), b"1234");
    assert!(read_all(&b"12345"[..], 4).is_err());
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), "1234").unwrap();
    assert_eq!(read(file.path(), 4).unwrap(), b"1234");
    assert!(read(file.path(), 3).is_err());
}

#[test]
fn only_regular_files_are_read_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fifo(&path("pipe"));
    symlink("/dev/zero", path("zeros")).unwrap();
    fs::write(path("file"), "1234").unwrap();
    symlink("file", path("link")).unwrap();
    assert_eq!(read_regular(&path("link"), 4).unwrap(), b"1234");
    let why = |path: &Path| read_regular(path, 4).unwrap_err();
    assert_eq!(why(&path("pipe")).to_string(), "it is a pipe, not a file");
    assert_eq!(
        why(&path("zeros")).to_string(),
        "it is a device, not a file"
    );
    assert_eq!(why(folder.path()).kind(), ErrorKind::IsADirectory);
    fs::write(path("file"), "12345").unwrap();
    assert_eq!(why(&path("file")).to_string(), "it is larger than 4 bytes");
}

#[test]
fn files_are_compared_by_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("file"), "").unwrap();
    fs::write(path("other"), "").unwrap();
    fs::hard_link(path("file"), path("twin")).unwrap();
    symlink("file", path("link")).unwrap();
    symlink("later", path("open")).unwrap();
    let mut claims = Claims::new();
    claims.reads(&path("file"));
    for name in ["file", "./file", "twin", "link"] {
        let clash = claims.writes("--save", &path(name), &[]).unwrap_err();
        assert!(clash.to_string().contains("would overwrite"), "{clash}");
        assert_eq!(clash.path(), path(name));
        // Meant to be replaced.
        claims
            .check("--save", &path(name), &[&path("twin")])
            .unwrap();
    }
    // A file that does not exist yet, also through a link.
    claims.writes("--save", &path("later"), &[]).unwrap();
    let clash = claims.writes("--record", &path("open"), &[]).unwrap_err();
    let wanted = format!(
        "`--record` and `--save` would both write {}; name another file",
        path("open").display()
    );
    assert_eq!(clash.to_string(), wanted);
    claims.writes("--record", &path("other"), &[]).unwrap();
    // What stores nothing is no file.
    claims.reads(Path::new("/dev/null"));
    claims.writes("--svg", Path::new("/dev/null"), &[]).unwrap();
    // An editor that saves puts another file in the place of the old one.
    fs::write(path("new"), "").unwrap();
    fs::rename(path("new"), path("file")).unwrap();
    claims.check("--svg", &path("twin"), &[]).unwrap();
    assert!(claims.check("--svg", &path("file"), &[]).is_err());
}
