//! Whether every link within the built site leads somewhere.

use super::list;
use anyhow::{Context as _, Result, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Checks all pages below a folder; the error names every link that leads nowhere.
pub(super) fn check(out: &Path) -> Result<()> {
    let mut files = Vec::new();
    list(out, out, &mut files)?;
    let mut pages = BTreeMap::new();
    for name in files.iter().filter(|name| name.ends_with(".html")) {
        let text = std::fs::read_to_string(out.join(name));
        pages.insert(&**name, text.with_context(|| name.clone())?);
    }
    let files = files.iter().map(|name| &**name).collect();
    let dead = dead(&pages, &files);
    ensure!(
        dead.is_empty(),
        "{} links lead nowhere:\n{}",
        dead.len(),
        dead.join("\n")
    );
    println!("site: all links of {} pages lead somewhere", pages.len());
    Ok(())
}

/// Lines `PAGE: LINK` for links that lead to no file, or to no place of a page.
fn dead(pages: &BTreeMap<&str, String>, files: &BTreeSet<&str>) -> Vec<String> {
    let places: BTreeMap<&str, BTreeSet<&str>> = pages
        .iter()
        .map(|(name, text)| (*name, values(text, "id").collect()))
        .collect();
    let mut dead = BTreeSet::new();
    for (page, text) in pages {
        for link in values(text, "href").chain(values(text, "src")) {
            if !leads_somewhere(page, link, files, &places) {
                dead.insert(format!("{page}: {link}"));
            }
        }
    }
    dead.into_iter().collect()
}

/// Whether a link on a page leads to a file of the site, or away from it.
fn leads_somewhere(
    page: &str,
    link: &str,
    files: &BTreeSet<&str>,
    places: &BTreeMap<&str, BTreeSet<&str>>,
) -> bool {
    let is_elsewhere = ["http://", "https://", "mailto:", "data:"];
    if is_elsewhere.iter().any(|start| link.starts_with(start)) {
        return true;
    }
    let (path, place) = link.split_once('#').unwrap_or((link, ""));
    let Some(target) = target(page, path) else {
        return false;
    };
    let is_page_with_places = places.contains_key(&*target) && !target.starts_with("studio/");
    files.contains(&*target)
        && (place.is_empty() || !is_page_with_places || places[&*target].contains(place))
}

/// The file that a path on a page means; `None` if it leads out of the site.
pub(super) fn target(page: &str, path: &str) -> Option<String> {
    if path.is_empty() {
        return Some(page.to_owned());
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    let is_folder = path.ends_with('/') || path.ends_with("..") || path == ".";
    if is_folder {
        parts.push("index.html");
    }
    Some(parts.join("/"))
}

/// The values of an attribute in all tags of a page. In text, `<` is escaped.
fn values<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let begin = format!(" {name}=\"");
    let tags = text.split('<').skip(1);
    tags.filter_map(move |tag| {
        let (_, rest) = tag.split('>').next()?.split_once(&begin)?;
        rest.split('"').next()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_that_lead_nowhere_are_named() {
        let page = r##"<code>&lt;a src="none"&gt;</code> <a href="../b.html#here"> <a href="../b.html#away"> <img src="p.png"> <a href="../.."> <a href="x.png">
            <a href="#top"> <h1 id="top"> <a href="https://a.b/c"> <a href="../studio/#file=a">"##;
        let pages = BTreeMap::from([
            ("a/a.html", page.to_owned()),
            ("b.html", "<h1 id=\"here\">".to_owned()),
            ("studio/index.html", String::new()),
        ]);
        let files = BTreeSet::from(["a/a.html", "a/p.png", "b.html", "studio/index.html"]);
        assert_eq!(
            dead(&pages, &files),
            [
                "a/a.html: ../..",
                "a/a.html: ../b.html#away",
                "a/a.html: x.png"
            ]
        );
    }
}
