//! Scripts of leaves, and what the arena reads.

use treemind_arena::{Presses, Scenario};
use treemind_doc::script;

pub(super) fn script(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Err(found) = script::parse(text, "fuzz.script") {
        for item in found.iter() {
            assert!(text.get(item.span()).is_some(), "{item:?}");
        }
    }
}

pub(super) fn map(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Err(error) = Scenario::parse(text) {
        assert!(error.line() <= Some(text.lines().count().max(1)), "{error}");
    }
}

pub(super) fn keys(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Err(error) = Presses::parse(text) {
        assert!(error.line() <= Some(text.lines().count().max(1)), "{error}");
    }
}
