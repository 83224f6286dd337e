//! Builds the site: the studio in a page alone, and the book.

mod book;
mod data;
mod links;
mod sizes;
mod sources;
mod split;
mod studio;
mod wasm;

use anyhow::{Context as _, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) use book::has_mdbook;
pub(crate) use studio::TARGET;

/// How a site is meant.
pub(crate) struct Options {
    /// Where it goes; `target/site` if nothing is said.
    pub(crate) out: Option<PathBuf>,
    /// Built quickly, for tests: the WebAssembly is larger and slower.
    pub(crate) is_quick: bool,
    /// Without the book, which needs `mdbook`.
    pub(crate) has_book: bool,
    /// Without the studio, which takes minutes to compile: for those who write the book.
    pub(crate) has_studio: bool,
    /// Whether its tests run afterwards.
    pub(crate) is_tested: bool,
}

/// Builds all of it into one folder of static files, and says how large they are.
pub(crate) fn run(root: &Path, options: &Options) -> Result<()> {
    let out = options.out.clone();
    let out = out.unwrap_or_else(|| root.join("target/site"));
    let is_ours = out.join("treemind.site").exists();
    ensure!(
        is_ours || !out.exists() || out.read_dir()?.next().is_none(),
        "{} is not empty, and was not written by this command",
        out.display()
    );
    if is_ours {
        std::fs::remove_dir_all(&out).context("the old site cannot be removed")?;
    }
    std::fs::create_dir_all(&out)?;
    write(&out.join("treemind.site"), "Built by `cargo xtask site`.\n")?;
    if options.has_book {
        book::build(root, &out)?;
    } else {
        write(&out.join("index.html"), TO_THE_STUDIO)?;
    }
    if options.has_studio {
        studio::build(root, &out, options.is_quick)?;
    } else {
        write(&out.join("keep.js"), "")?;
    }
    serve_offline(root, &out)?;
    links::check(&out)?;
    println!("site: {}", out.display());
    println!(
        "site: `python3 -m http.server --directory {}` serves it",
        out.display()
    );
    if options.is_tested {
        if options.has_book {
            blocks_play(root, &out)?;
        }
        test(root, &out)?;
    }
    Ok(())
}

/// Plays every block of the book that has a button, with the WebAssembly of the site.
pub(crate) fn blocks_play(root: &Path, out: &Path) -> Result<()> {
    let status = Command::new("node")
        .arg(root.join("site/blocks.mjs"))
        .arg(out)
        .status()
        .context("node does not start")?;
    ensure!(
        status.success(),
        "blocks of the book that have a button do not play: see above"
    );
    Ok(())
}

/// Opens the site in Chromium, behind a static server.
fn test(root: &Path, out: &Path) -> Result<()> {
    let status = crate::cargo(root)
        .args([
            "test",
            "--package=treemind_cli",
            "--test=studio",
            "--quiet",
            "--",
        ])
        .args(["--ignored", crate::ci::binaries::ALONE])
        .env("TREEMIND_SITE", out.canonicalize()?)
        .status()
        .context("cargo does not start")?;
    ensure!(status.success(), "the site does not do what it should");
    Ok(())
}

/// What stands at the beginning of a site without a book.
const TO_THE_STUDIO: &str = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Treemind</title>\
<meta http-equiv=\"refresh\" content=\"0; url=studio/\"></head><body><a href=\"studio/\">The studio</a></body></html>\n";

/// What pages may do: only what is here, and no script but from files. WebAssembly counts as a script that is made at run
/// time, so it is named.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; \
                      frame-src 'self'; base-uri 'none'; form-action 'none'";

/// The tag that says it, since a static server sends no headers of its own.
fn policy_tag() -> String {
    format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">")
}

/// Lists all files for the service worker, which keeps them. Its name changes with what they contain.
fn serve_offline(root: &Path, out: &Path) -> Result<()> {
    let mut files = Vec::new();
    list(out, out, &mut files)?;
    files.sort();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for name in &files {
        let bytes = std::fs::read(out.join(name))?;
        for byte in name.bytes().chain([0]).chain(bytes) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    // What the first visit needs. Pages of the book are kept when they are read.
    let first = files.iter().filter(|name| is_of_first_visit(name));
    let first: Vec<&String> = first.collect();
    let worker = std::fs::read_to_string(root.join("site/offline.js"))?;
    let worker = worker.replace("VERSION", &format!("{hash:016x}"));
    let worker = worker.replace("[\"FILES\"]", &serde_json::to_string(&first)?);
    write(&out.join("offline.js"), &worker)
}

/// Whether a file is kept at once: the studio, the book's pages and what they look like, but no pictures.
fn is_of_first_visit(name: &str) -> bool {
    let ends = [".html", ".js", ".css", ".json", ".wasm", ".woff2"];
    ends.iter().any(|end| name.ends_with(end))
}

fn list(root: &Path, folder: &Path, files: &mut Vec<String>) -> Result<()> {
    for entry in folder.read_dir()? {
        let path = entry?.path();
        if path.is_dir() {
            list(root, &path, files)?;
        } else {
            let name = path
                .strip_prefix(root)?
                .to_string_lossy()
                .replace('\\', "/");
            files.push(name);
        }
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::copy(from, to).with_context(|| format!("{} cannot be copied", from.display()))?;
    Ok(())
}
