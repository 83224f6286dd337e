//! Which crate may depend on which.

use super::Finding;
use super::manifest::{Dependency, Package, Section};

/// The allowed dependencies of a package of the workspace.
struct Layer {
    name: &'static str,
    /// The packages of the workspace that it may use outside of tests; its tests may use any package except leaves.
    uses: &'static [&'static str],
    outside: Outside,
}

/// What a package may use from outside the workspace.
enum Outside {
    Anything,
    /// Only these packages.
    Only(&'static [&'static str]),
}

const fn layer(name: &'static str, uses: &'static [&'static str]) -> Layer {
    Layer {
        name,
        uses,
        outside: Outside::Anything,
    }
}

/// The packages, from the bottom layer up. ARCHITECTURE.md gives the reasons.
const LAYERS: [Layer; 25] = [
    Layer {
        name: "treemind_core",
        uses: &[],
        outside: Outside::Only(&["bytemuck", "rayon", "serde", "twox-hash"]),
    },
    layer("treemind_doc", &["treemind_core"]),
    Layer {
        name: "treemind_pages",
        uses: &[],
        outside: Outside::Only(&["include_dir"]),
    },
    Layer {
        name: "treemind_examples",
        uses: &[],
        outside: Outside::Only(&["include_dir"]),
    },
    layer("treemind", &["treemind_core", "treemind_doc"]),
    Layer {
        name: "treemind_ide",
        uses: &["treemind_core", "treemind_doc"],
        outside: Outside::Only(&[]),
    },
    Layer {
        name: "treemind_bevy_derive",
        uses: &[],
        outside: Outside::Only(&["proc-macro2", "quote", "syn"]),
    },
    Layer {
        name: "treemind_explain",
        uses: &["treemind_core", "treemind_doc"],
        outside: Outside::Only(&["serde", "ts-rs"]),
    },
    Layer {
        name: "treemind_replay",
        uses: &["treemind_core", "treemind_doc", "treemind_explain"],
        outside: Outside::Only(&["serde", "serde_json", "ts-rs"]),
    },
    Layer {
        name: "treemind_recording",
        uses: &["treemind_core", "treemind_doc", "treemind_replay"],
        outside: Outside::Only(&["crc32fast", "mcap", "serde", "serde_json"]),
    },
    layer(
        "treemind_arena",
        &[
            "treemind_core",
            "treemind_doc",
            "treemind",
            "treemind_recording",
        ],
    ),
    Layer {
        name: "treemind_view",
        uses: &[
            "treemind_core",
            "treemind_doc",
            "treemind",
            "treemind_explain",
            "treemind_replay",
        ],
        outside: Outside::Only(&["crossterm", "ratatui", "rustix", "signal-hook"]),
    },
    Layer {
        name: "treemind_groot",
        uses: &["treemind_core", "treemind_doc", "treemind_replay"],
        outside: Outside::Only(&["roxmltree", "serde_json"]),
    },
    Layer {
        name: "treemind_learn",
        uses: &["treemind_core", "treemind_doc"],
        outside: Outside::Only(&["csv"]),
    },
    Layer {
        name: "treemind_studio",
        uses: &[
            "treemind_core",
            "treemind_doc",
            "treemind_ide",
            "treemind_replay",
        ],
        outside: Outside::Only(&[
            "axum",
            "getrandom",
            "hyper",
            "hyper-util",
            "serde_json",
            "tokio",
            "tungstenite",
        ]),
    },
    layer(
        "treemind_bevy",
        &["treemind", "treemind_bevy_derive", "treemind_studio"],
    ),
    layer("treemind_test", &["treemind_core", "treemind_doc"]),
    Layer {
        name: "treemind_lsp",
        uses: &["treemind_doc", "treemind_ide", "treemind_test"],
        outside: Outside::Only(&["gen-lsp-types", "lsp-server", "serde", "serde_json"]),
    },
    layer("treemind_testkit", &["treemind_core", "treemind_doc"]),
    layer(
        "treemind_cli",
        &[
            "treemind_core",
            "treemind_doc",
            "treemind",
            "treemind_arena",
            "treemind_examples",
            "treemind_explain",
            "treemind_groot",
            "treemind_learn",
            "treemind_lsp",
            "treemind_pages",
            "treemind_recording",
            "treemind_replay",
            "treemind_studio",
            "treemind_test",
            "treemind_view",
        ],
    ),
    // It compiles the files of `treemind_cli` that play a second time, for pages.
    layer(
        "treemind_page",
        &[
            "treemind_core",
            "treemind_doc",
            "treemind",
            "treemind_arena",
            "treemind_examples",
            "treemind_explain",
            "treemind_learn",
            "treemind_pages",
            "treemind_recording",
            "treemind_replay",
            "treemind_studio",
            "treemind_test",
        ],
    ),
    layer(
        "treemind_python",
        &[
            "treemind_core",
            "treemind_doc",
            "treemind",
            "treemind_arena",
            "treemind_explain",
            "treemind_learn",
            "treemind_recording",
            "treemind_replay",
            "treemind_studio",
            "treemind_test",
        ],
    ),
    layer(
        "treemind_fuzz",
        &[
            "treemind_core",
            "treemind_doc",
            "treemind_arena",
            "treemind_lsp",
            "treemind_recording",
            "treemind_testkit",
        ],
    ),
    layer(
        "treemind_bench",
        &["treemind", "treemind_bevy", "treemind_recording"],
    ),
    layer("xtask", &[]),
];

/// Packages that no other package may use.
const LEAVES: [&str; 5] = [
    "treemind_cli",
    "treemind_page",
    "treemind_fuzz",
    "treemind_bench",
    "xtask",
];

/// The package with helpers for tests.
const TESTKIT: &str = "treemind_testkit";

/// Checks every dependency of every package against the table.
pub(super) fn check(packages: &[Package]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages {
        let Some(layer) = LAYERS.iter().find(|layer| layer.name == package.name) else {
            let sentence = format!(
                "`{}` is not in the table of layers in xtask/src/tidy/layers.rs",
                package.name
            );
            findings.push(Finding::new(&package.manifest, 1, sentence));
            continue;
        };
        for dependency in &package.dependencies {
            if let Some(sentence) = objection(layer, dependency) {
                findings.push(Finding::new(&package.manifest, dependency.line, sentence));
            }
        }
    }
    findings
}

/// Why a package may not have a dependency.
fn objection(layer: &Layer, dependency: &Dependency) -> Option<String> {
    let (from, to) = (layer.name, dependency.package.as_str());
    let in_earnest = dependency.section != Section::Dev;
    if !LAYERS.iter().any(|known| known.name == to) {
        return match layer.outside {
            Outside::Only(list) if in_earnest && !list.contains(&to) => Some(format!(
                "`{from}` must not depend on `{to}`: from outside it takes only {}",
                list.join(", ")
            )),
            _ => None,
        };
    }
    if from == "xtask" {
        return Some(format!(
            "`xtask` must not depend on `{to}`: chores work also when the library does not"
        ));
    }
    if layer.uses.contains(&to) {
        return None;
    }
    if LEAVES.contains(&to) {
        return Some(format!(
            "`{from}` must not depend on `{to}`: nothing is built on it"
        ));
    }
    if !in_earnest {
        return None;
    }
    if to == TESTKIT {
        return Some(format!(
            "`{from}` must not depend on `{to}` but in `[dev-dependencies]`"
        ));
    }
    let allowed = if layer.uses.is_empty() {
        "no other crate of the workspace".to_owned()
    } else {
        format!("only {}", layer.uses.join(", "))
    };
    Some(format!(
        "`{from}` must not depend on `{to}`: it may use {allowed}"
    ))
}

#[cfg(test)]
mod tests {
    use super::super::planted::{MANIFEST, findings};
    use super::*;

    /// The findings when a package has these dependencies.
    fn with(name: &str, dependencies: &str) -> Vec<String> {
        let manifest = format!(
            "{}\n{dependencies}",
            MANIFEST.replace("treemind_core", name)
        );
        findings(&[
            (&format!("crates/{name}/Cargo.toml"), &manifest),
            (&format!("crates/{name}/src/lib.rs"), "//! A crate.\n"),
        ])
    }

    #[test]
    fn the_core_stands_on_its_own() {
        assert_eq!(
            with("treemind_core", "[dependencies]\nbytemuck = \"1\"\n"),
            [""; 0]
        );
        assert_eq!(
            with(
                "treemind_core",
                "[dependencies]\nbytemuck = \"1\"\nserde_json = \"1\"\n"
            ),
            [
                "crates/treemind_core/Cargo.toml:10: `treemind_core` must not depend on `serde_json`: from outside it takes only bytemuck, rayon, serde, twox-hash"
            ]
        );
        assert_eq!(
            with(
                "treemind_core",
                "[dependencies]\ntreemind_doc.workspace = true\n"
            ),
            [
                "crates/treemind_core/Cargo.toml:9: `treemind_core` must not depend on `treemind_doc`: it may use no other crate of the workspace"
            ]
        );
        assert_eq!(
            with("treemind_core", "[dev-dependencies]\nproptest = \"1\"\n"),
            [""; 0]
        );
    }

    #[test]
    fn no_crate_reaches_up() {
        assert_eq!(
            with(
                "treemind_doc",
                "[dependencies]\ntreemind_core.workspace = true\n"
            ),
            [""; 0]
        );
        assert_eq!(
            with(
                "treemind_doc",
                "[dependencies]\ntreemind_arena.workspace = true\n"
            ),
            [
                "crates/treemind_doc/Cargo.toml:9: `treemind_doc` must not depend on `treemind_arena`: it may use only treemind_core"
            ]
        );
    }

    #[test]
    fn nothing_depends_on_a_leaf_even_in_tests() {
        assert_eq!(
            with(
                "treemind_arena",
                "[dev-dependencies]\ntreemind_cli.workspace = true\n"
            ),
            [
                "crates/treemind_arena/Cargo.toml:9: `treemind_arena` must not depend on `treemind_cli`: nothing is built on it"
            ]
        );
    }

    #[test]
    fn the_testkit_is_for_tests() {
        assert_eq!(
            with(
                "treemind_doc",
                "[dev-dependencies]\ntreemind_testkit.workspace = true\n"
            ),
            [""; 0]
        );
        assert_eq!(
            with(
                "treemind",
                "[dependencies]\ntreemind_testkit.workspace = true\n"
            ),
            [
                "crates/treemind/Cargo.toml:9: `treemind` must not depend on `treemind_testkit` but in `[dev-dependencies]`"
            ]
        );
    }

    #[test]
    fn chores_use_no_library_crate() {
        assert_eq!(
            with(
                "xtask",
                "[dev-dependencies]\ntreemind_core.workspace = true\n"
            ),
            [
                "crates/xtask/Cargo.toml:9: `xtask` must not depend on `treemind_core`: chores work also when the library does not"
            ]
        );
    }

    #[test]
    fn a_crate_that_nobody_placed_is_found() {
        assert_eq!(
            with("treemind_extra", ""),
            [
                "crates/treemind_extra/Cargo.toml:1: `treemind_extra` is not in the table of layers in xtask/src/tidy/layers.rs"
            ]
        );
    }

    #[test]
    fn the_table_has_no_cycle() {
        // Each layer uses only layers above it in the table, so there can be no cycle.
        for (place, layer) in LAYERS.iter().enumerate() {
            for used in layer.uses {
                assert!(
                    LAYERS[..place].iter().any(|lower| lower.name == *used),
                    "{} → {used}",
                    layer.name
                );
            }
        }
    }
}
