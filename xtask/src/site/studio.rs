//! The studio in a page alone: the committed page in pieces, and the WebAssembly that answers it.

use super::{copy, policy_tag, sizes, split, write};
use anyhow::{Context as _, Result, ensure};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The processor of pages in a browser.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

pub(super) fn build(root: &Path, out: &Path, is_quick: bool) -> Result<()> {
    let folder = out.join("studio");
    std::fs::create_dir_all(&folder)?;
    page(root, &folder)?;
    write(&folder.join("examples.json"), &examples(root)?)?;
    web_assembly(root, &folder, is_quick)?;
    sizes::check(&folder, is_quick)
}

/// The committed page, with its script and its style in files of their own: nothing inline runs on the site.
fn page(root: &Path, folder: &Path) -> Result<()> {
    let built = root.join("crates/treemind_studio/page");
    let page = std::fs::read_to_string(built.join("index.html"))?;
    let (page, script) = taken(&page, "<script type=\"module\" crossorigin>", "</script>")?;
    let (page, style) = taken(&page, "<style rel=\"stylesheet\" crossorigin>", "</style>")?;
    let head = format!(
        "<head>\n    {}\n    <meta name=\"worker\" content=\"worker.js\">\n    <link rel=\"stylesheet\" href=\"studio.css\">\n    \
         <script type=\"module\" src=\"studio.js\"></script>\n    <script type=\"module\" src=\"../keep.js\"></script>",
        policy_tag()
    );
    let page = page.replacen("<head>", &head, 1);
    write(&folder.join("index.html"), &page)?;
    write(&folder.join("studio.js"), &script)?;
    write(&folder.join("studio.css"), &style)?;
    for name in ["editor.js", "words.zh.json"] {
        copy(&built.join(name), &folder.join(name))?;
    }
    copy(&root.join("site/worker.js"), &folder.join("worker.js"))?;
    let out = folder.parent().context("the site has a folder")?;
    copy(&root.join("site/keep.js"), &out.join("keep.js"))
}

/// A text without what stands between two tags, and that.
fn taken(text: &str, begin: &str, end: &str) -> Result<(String, String)> {
    let lost = || format!("the page of the studio has no `{begin}`: was it built in another way?");
    let (before, rest) = text.split_once(begin).with_context(lost)?;
    // The script has the texts of tags within.
    let (inside, after) = rest.split_once(&format!("{end}\n")).with_context(lost)?;
    Ok((format!("{before}{after}"), inside.to_owned()))
}

/// The documents and maps of the examples, by their names.
fn examples(root: &Path) -> Result<String> {
    let mut files = Vec::new();
    let all = root.join("examples");
    super::list(&all, &all, &mut files)?;
    files.sort();
    let plays = |name: &String| [".kdl", ".map"].iter().any(|end| name.ends_with(end));
    let folder = |name: &str| name.split_once('/').map(|(of, _)| of.to_owned());
    let with_maps = files.iter().filter(|name| name.ends_with(".map"));
    let with_maps: Vec<_> = with_maps.map(|name| folder(name)).collect();
    let mut texts = Vec::new();
    for name in files.iter().filter(|name| plays(name)) {
        if with_maps.contains(&folder(name)) {
            texts.push((name.clone(), std::fs::read_to_string(all.join(name))?));
        }
    }
    Ok(serde_json::to_string(&texts)?)
}

/// Compiles `treemind_page`.
fn web_assembly(root: &Path, folder: &Path, is_quick: bool) -> Result<()> {
    // What tests of this machine have built serves here, too, if the profile is theirs.
    let profile = if is_quick { "dev" } else { "page" };
    let mut cargo = crate::cargo(root);
    cargo
        .args(["build", "--package=treemind_page", "--quiet"])
        .args(["--target", TARGET, "--profile", profile]);
    if is_quick {
        cargo.args(["--config", "profile.dev.debug=false"]);
        if std::env::var_os("CI").is_some() {
            // It is built once.
            cargo.env("CARGO_INCREMENTAL", "0");
        }
        for package in ["core", "doc", "learn"] {
            let level = format!("profile.dev.package.treemind_{package}.opt-level=0");
            cargo.args(["--config", &level]);
        }
    }
    if !is_quick {
        with_small_library(&mut cargo, root);
    }
    let status = cargo.status().context("cargo does not start")?;
    ensure!(
        status.success(),
        "the WebAssembly does not build: `rustup target add {TARGET}` adds its target"
    );
    let target = std::env::var_os("CARGO_TARGET_DIR");
    let target = target.map_or_else(|| root.join("target"), |folder| root.join(folder));
    let folder_of = if is_quick { "debug" } else { profile };
    let built = target
        .join(TARGET)
        .join(folder_of)
        .join("treemind_page.wasm");
    let whole =
        std::fs::read(&built).with_context(|| format!("{} is not there", built.display()))?;
    // For tests, everything is in the second module: so all ways to it are taken.
    let hot = match is_quick {
        true => BTreeSet::new(),
        false => used_at_once(root, folder, &whole)?,
    };
    let texts = pages_of_words(root)?;
    let (first, more) =
        split::split(&whole, &hot, &texts).context("the WebAssembly cannot be divided")?;
    std::fs::write(folder.join("treemind.wasm"), first)?;
    std::fs::write(folder.join("more.wasm"), more)?;
    Ok(())
}

/// The pages about words, as they are in the WebAssembly. Whoever asks for one has the second module loaded before:
/// crates/treemind_page/src/commands.rs.
fn pages_of_words(root: &Path) -> Result<Vec<Vec<u8>>> {
    let folder = root.join("docs/nodes");
    let mut names = Vec::new();
    super::list(&folder, &folder, &mut names)?;
    let texts = names
        .iter()
        .map(|name| Ok(std::fs::read(folder.join(name))?));
    texts.collect()
}

/// Has the standard library compiled, too, for size: otherwise, a fifteenth of the WebAssembly is ways to sort. Only nightly
/// compilers are meant to do that; ours is told that it is one. Without the sources of the library, it is left as it is.
fn with_small_library(cargo: &mut Command, root: &Path) {
    let sources = || {
        let output = Command::new("rustc")
            .current_dir(root)
            .arg("--print=sysroot")
            .output();
        output.is_ok_and(|output| {
            let folder = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            let library = Path::new(&folder).join("lib/rustlib/src/rust/library/Cargo.lock");
            library.is_file()
        })
    };
    if !sources() {
        crate::machine::works("rustup", &["component", "add", "rust-src"]);
    }
    if !sources() {
        println!("site: `rustup component add rust-src` makes the WebAssembly smaller");
        return;
    }
    // Places in the source, of which panics speak, would be a fiftieth of all.
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    cargo.env("RUSTFLAGS", format!("{flags} -Zlocation-detail=none"));
    cargo.env("RUSTC_BOOTSTRAP", "1").args([
        "-Zbuild-std=std,panic_abort",
        "-Zbuild-std-features=optimize_for_size",
    ]);
}

/// The functions that pages use at once, by their numbers: those that are called when the examples play.
fn used_at_once(root: &Path, folder: &Path, whole: &[u8]) -> Result<BTreeSet<u32>> {
    let marked = folder.join("marked.wasm");
    std::fs::write(&marked, split::marked(whole)?)?;
    let output = Command::new("node")
        .arg(root.join("site/profile.mjs"))
        .args([&marked, &folder.join("examples.json")])
        .arg(split::functions(whole)?.to_string())
        .output()
        .context(
            "node does not start, and it finds out what pages use at once; `--quick` does without",
        )?;
    std::fs::remove_file(&marked)?;
    ensure!(
        output.status.success(),
        "the examples cannot be played: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let said = String::from_utf8_lossy(&output.stdout);
    said.split_whitespace()
        .map(|word| word.parse().context("node says what is no number"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_taken_out_of_a_page() {
        let page = "<head><script>a < b; '</script>'</script>\n</head>";
        let (page, script) = taken(page, "<script>", "</script>").expect("a script");
        assert_eq!((&*page, &*script), ("<head></head>", "a < b; '</script>'"));
        assert!(taken("<head>", "<script>", "</script>").is_err());
    }
}
