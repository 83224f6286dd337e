//! Files of the repository that pages of the book link, such as scenarios and tests, as pages of the site.

use super::{links, policy_tag, write};
use anyhow::{Context as _, Result};
use std::fmt::Write as _;
use std::path::Path;

/// Where they are in the site.
const FOLDER: &str = "sources";

/// A page whose links to files of the repository lead to pages that show them, which are written here.
pub(super) fn linked(page: &str, name: &str, root: &Path, out: &Path) -> Result<String> {
    let mut links = page.split(" href=\"");
    let mut made = links.next().unwrap_or_default().to_owned();
    for rest in links {
        let (link, after) = rest.split_once('"').context("a link that does not end")?;
        let shown = source(link, name, root, out)?;
        write!(
            made,
            " href=\"{}\"{after}",
            shown.as_deref().unwrap_or(link)
        )?;
    }
    Ok(made)
}

/// The link to the page that shows what a link of a page means, if that is a file of the repository that the book has not.
fn source(link: &str, name: &str, root: &Path, out: &Path) -> Result<Option<String>> {
    let path = link.split('#').next().unwrap_or_default();
    if path.is_empty() || path.contains(':') {
        return Ok(None);
    }
    let Some(target) = links::target(name, path) else {
        return Ok(None);
    };
    let target = target.trim_end_matches("/index.html");
    let file = root.join(target);
    let is_ours = [
        "conformance/",
        "crates/",
        "xtask/",
        "studio/",
        "site/",
        "editors/",
    ];
    let is_ours = is_ours.iter().any(|folder| target.starts_with(folder));
    if !is_ours || target.starts_with("studio/#") || !file.exists() {
        return Ok(None);
    }
    let place = format!("{FOLDER}/{target}.html");
    let path = out.join(&place);
    std::fs::create_dir_all(path.parent().context("a folder")?)?;
    write(&path, &shown(&file, target, &place)?)?;
    Ok(Some(format!("{}{place}", "../".repeat(depth(name)))))
}

fn depth(name: &str) -> usize {
    name.matches('/').count()
}

/// A page that shows a file, or what is in a folder.
fn shown(file: &Path, target: &str, place: &str) -> Result<String> {
    let text = if file.is_dir() {
        let mut names = Vec::new();
        super::list(file, file, &mut names)?;
        names.sort();
        names.join("\n")
    } else {
        std::fs::read_to_string(file).with_context(|| format!("{target} cannot be read"))?
    };
    let up = "../".repeat(depth(place));
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">{}<title>{target}</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><link rel=\"stylesheet\" href=\"{up}source.css\"></head>\
         <body><p><a href=\"{up}index.html\">Treemind</a></p><h1>{target}</h1><pre>{}</pre></body></html>\n",
        policy_tag(),
        escaped(&text)
    ))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_files_of_the_repository_lead_to_pages_that_show_them() {
        let root = tempfile::tempdir().expect("a folder");
        let out = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(root.path().join("conformance")).expect("a folder");
        let file = root.path().join("conformance/if.scenarios");
        std::fs::write(file, "a < b").expect("a file");
        let page = r#"<a href="../../conformance/if.scenarios"> <a href="if.html"> <a href="https://a.b/crates/c">"#;
        let made = linked(page, "docs/nodes/if.html", root.path(), out.path()).expect("a page");
        let expected = page.replace(
            "../../conformance/if.scenarios",
            "../../sources/conformance/if.scenarios.html",
        );
        assert_eq!(made, expected);
        let shown =
            std::fs::read_to_string(out.path().join("sources/conformance/if.scenarios.html"));
        assert!(shown.expect("a page").contains("<pre>a &lt; b</pre>"));
    }
}
