//! New files in the opened folder.

use super::super::map_beside;
use crate::io;
use std::path::{Component, Path, PathBuf};
use treemind_doc::files::create;
use treemind_doc::{Said, said};

/// The longest name of a new file, in bytes.
const LONGEST: usize = 120;

/// Writes a new file into a folder; returns where it is. Nothing is overwritten, and nothing is written elsewhere.
pub(super) fn write(folder: &Path, name: &str, text: &str) -> Result<PathBuf, Said> {
    let path = Path::new(name);
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    if name.len() > LONGEST {
        return Err(said!(
            "the name of the file is too long: {} bytes, and {} are allowed",
            name.len(),
            LONGEST
        ));
    }
    if name.contains(['\\', ':', '\0']) || !path.components().all(is_plain) {
        return Err(said!(
            "`{}` is not a name of a file in the opened folder",
            &*treemind_doc::visible_line(name)
        ));
    }
    if path.file_name().is_none_or(|file| file == ".kdl") {
        return Err(said!("a file needs a name before `.kdl`"));
    }
    if path.extension().is_none_or(|end| end != "kdl") {
        return Err(said!("the name of a new document ends with `.kdl`"));
    }
    let place = folder.join(path);
    let cannot = |error: std::io::Error| not_written(name, &error);
    // A link does not lead out of the folder.
    let root = folder.canonicalize().map_err(cannot)?;
    let around = place.parent().unwrap_or(folder);
    let inside = around.canonicalize().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => {
            said!("there is no folder `{}`", io::display_name(around))
        }
        _ => cannot(error),
    })?;
    if !inside.starts_with(&root) {
        return Err(said!("{} would not be in the opened folder", name));
    }
    write_new(&place, text)?;
    Ok(place)
}

/// Why a file cannot be written.
pub(super) fn not_written(name: &str, error: &std::io::Error) -> Said {
    said!("{} cannot be written: {}", name, io::reason(error))
}

/// Writes a file that is not there yet.
pub(super) fn write_new(place: &Path, text: &str) -> Result<(), Said> {
    let name = io::display_name(place);
    let cannot = |error: std::io::Error| not_written(&name, &error);
    create(place, text.as_bytes()).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            said!("{} already exists, and nothing is overwritten", &*name)
        }
        _ => cannot(error),
    })
}

/// Writes the map of a document that was copied beside the copy, unless it plays there already; returns why not, if that
/// cannot be done.
pub(super) fn copy_map(copy: &Path, map: &str) -> Option<Said> {
    let known = map_beside(copy).as_deref().map(io::read_told);
    if known.is_some_and(|known| known.is_ok_and(|known| known == map)) {
        return None;
    }
    write_new(&copy.with_extension("map"), map).err()
}
