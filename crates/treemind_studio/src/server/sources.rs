//! Whether the page is the one that its sources make.

use super::PAGE;
use std::path::Path;

/// The names of what is in one of the folders, with `place` before them.
fn inside(folder: &Path, place: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder.join(place)).expect("the sources");
    let entries = entries.map(|entry| entry.expect("an entry").file_name());
    entries
        .map(|name| format!("{place}{}", name.into_string().expect("a name")))
        .collect()
}

/// A fingerprint of the files that the page is built from, as `studio/vite.config.ts` computes it: FNV-1a of their names
/// and contents, in order.
fn fingerprint(folder: &Path) -> String {
    let mut names = Vec::new();
    for name in inside(folder, "") {
        // Other folders hold tests, and what the package manager puts there.
        if folder.join(&name).is_file() {
            names.push(name);
        }
    }
    let mut folders = vec![String::from("src/")];
    while let Some(place) = folders.pop() {
        for name in inside(folder, &place) {
            if folder.join(&name).is_dir() {
                folders.push(format!("{name}/"));
            } else {
                names.push(name);
            }
        }
    }
    names.retain(|name| {
        let ends = [".html", ".json", ".ts", ".tsx", ".css"];
        ends.iter().any(|end| name.ends_with(end))
    });
    names.sort();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for name in names {
        let content = std::fs::read(folder.join(&name)).expect("a source");
        for byte in name.bytes().chain([0]).chain(content).chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

#[test]
fn the_page_is_built_from_its_sources() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studio");
    let stamp = format!(
        "<meta name=\"sources\" content=\"{}\"",
        fingerprint(&folder)
    );
    assert!(
        PAGE.contains(&stamp),
        "the page is not built from studio/ as it is now: `cargo xtask dist` builds it again"
    );
}
