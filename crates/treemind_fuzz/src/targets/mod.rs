//! The targets.

mod documents;
mod editors;
mod edits;
mod executor;
mod expressions;
mod games;
mod recordings;
mod snapshots;

pub(crate) use recordings::{files as recordings, tapes};
pub(crate) use snapshots::seeds as snapshots;

/// Something that takes bytes from outside.
#[derive(Clone, Copy)]
pub struct Target {
    /// The name, as on the command line of `cargo xtask fuzz`.
    pub name: &'static str,
    /// The endings of the files of this project that are good to begin with.
    pub endings: &'static [&'static str],
    /// Panics when what must hold does not.
    pub check: fn(&[u8]),
}

const fn target(name: &'static str, endings: &'static [&'static str], check: fn(&[u8])) -> Target {
    Target {
        name,
        endings,
        check,
    }
}

/// All targets.
pub const TARGETS: [Target; 16] = [
    target("kdl", &["kdl"], documents::kdl),
    target("json", &["json"], documents::json),
    target("btcpp", &["xml"], documents::btcpp),
    target("scxml", &["scxml"], documents::scxml),
    target("table", &["csv"], documents::table),
    target("manifest", &["kdl", "json", "xml"], documents::manifest),
    target("expression", &[], expressions::check),
    target("edits", &["kdl"], edits::check),
    target("editor", &["kdl"], editors::check),
    target("executor", &[], executor::check),
    target("snapshot", &[], snapshots::check),
    target("recording", &[], recordings::file),
    target("tape", &[], recordings::tape),
    target("script", &["script", "txt"], games::script),
    target("map", &["map"], games::map),
    target("keys", &["keys"], games::keys),
];
