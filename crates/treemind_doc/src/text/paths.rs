//! The paths of files that name one another.

use std::path::{Component, Path, PathBuf};

/// The path of a file that another one names, relative to its folder.
pub(crate) fn beside(name: &str, written: &str) -> String {
    let folder = Path::new(name).parent();
    normal(folder.unwrap_or(Path::new("")).join(written))
}

/// A path without `.` and `..`, so that each file has only one path.
pub(crate) fn normal(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    let mut parts: Vec<Component<'_>> = Vec::new();
    for part in path.components() {
        match (part, parts.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                parts.pop();
            }
            (Component::ParentDir, Some(Component::RootDir)) => {}
            _ => parts.push(part),
        }
    }
    parts
        .iter()
        .collect::<PathBuf>()
        .to_string_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn one_file_has_one_name() {
        let normal = |path: &str| super::normal(path).replace('\\', "/");
        assert_eq!(normal("./a/../b/./c.kdl"), "b/c.kdl");
        assert_eq!(normal("../../c.kdl"), "../../c.kdl");
        assert_eq!(normal("a/../../c.kdl"), "../c.kdl");
        assert_eq!(normal("/../c.kdl"), "/c.kdl");
    }
}
