//! What `treemind --version` says.

use std::sync::LazyLock;

/// The commit, as build.rs has found it; a build for development does not look for it.
const COMMIT: Option<&str> = option_env!("TREEMIND_COMMIT");

/// What stands in its place where nobody knows it.
const UNKNOWN: &str = match cfg!(debug_assertions) {
    true => "unknown, as in all builds for development",
    false => "unknown",
};

/// The features of the crate `treemind` in this program; a test compares them with the manifest.
const FEATURES: &str = "btcpp, convert, diagram, edit, fancy, schema, scxml, table";

/// Version, commit and features.
pub(crate) fn long() -> &'static str {
    static LONG: LazyLock<String> = LazyLock::new(|| text(COMMIT));
    &LONG
}

fn text(commit: Option<&str>) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let commit = commit.filter(|commit| !commit.is_empty());
    let commit = commit.unwrap_or(UNKNOWN);
    format!("{version}\ncommit: {commit}\nfeatures: {FEATURES}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commit_is_what_the_build_says() {
        let with = text(Some("0123abcd"));
        assert!(with.contains("\ncommit: 0123abcd\n"), "{with}");
        for none in [None, Some("")] {
            assert!(text(none).contains(&format!("\ncommit: {UNKNOWN}\n")));
        }
    }

    #[test]
    fn the_features_are_those_of_the_manifest() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let manifest = std::fs::read_to_string(path).expect("a manifest");
        let lines = manifest.lines();
        let mut found = lines.filter_map(|line| line.strip_prefix("treemind = "));
        let (_, features) = found
            .next()
            .and_then(|line| line.split_once("features = ["))
            .expect("the features of `treemind`");
        let features = features.trim_end_matches("] }").replace('"', "");
        assert_eq!(features, FEATURES);
    }

    #[test]
    fn the_command_line_says_both() {
        use clap::CommandFactory as _;
        let command = crate::args::Args::command();
        assert_eq!(
            command.render_version(),
            format!("treemind {}\n", env!("CARGO_PKG_VERSION"))
        );
        assert_eq!(
            command.render_long_version(),
            format!("treemind {}\n", long())
        );
    }
}
