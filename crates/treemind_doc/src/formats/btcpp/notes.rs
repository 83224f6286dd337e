//! What the nodes of a document do not hold: comments, and attributes of editors, which become comments.

use super::dialect::Version;
use super::write::Observed;
use super::{dialect, enums, files, spelling, words};
use crate::formats::xml;
use crate::source::Source;
use crate::syntax;
use crate::text::{Mended, Notes};
use roxmltree::{Document, Node};
use std::sync::Arc;

/// The comments of the files of a document, by the nodes that their elements become: the name of each, and where it begins
/// among the others. Attributes that BehaviorTree.CPP ignores, such as `_collapsed`, are comments of the form
/// `_collapsed="true"`. An `<include>` of a file that was not read is one, too.
/// What stands outside of trees is kept for the first file only.
pub(crate) fn notes(
    files: &[(usize, Arc<Source>)],
    (nodes, observed): (&[syntax::Node], &Observed),
    doubts: &spelling::Doubts,
) -> Notes {
    let mut notes = Notes::default();
    let read: Vec<&str> = files.iter().map(|(_, source)| source.name()).collect();
    let mended = files.iter().map(|(_, source)| {
        let mended = Mended::of(source.text());
        mended.filter(|mended| xml::document(&mended.text).is_ok())
    });
    let mended: Vec<Option<Mended>> = mended.collect();
    let documents = files.iter().zip(&mended).enumerate();
    let documents = documents.filter_map(|(nth, ((begin, source), mended))| {
        let text = mended
            .as_ref()
            .map_or(source.text(), |mended| mended.text.as_str());
        let places = Places {
            begin: *begin,
            mended: mended.as_ref(),
        };
        Some((nth, places, xml::document(text).ok()?))
    });
    let documents: Vec<(usize, Places<'_>, Document<'_>)> = documents.collect();
    let roots = documents.iter().map(|(_, _, one)| one.root_element());
    let by_element = dialect::named_by_elements(roots);
    for (nth, places, document) in &documents {
        let nth = *nth;
        let version = Version::of(document.root_element(), &by_element);
        let mut own = Notes::default();
        let of = (document, version, places);
        of_file(of, &read, (nodes, observed), &mut own);
        notes.before.append(&mut own.before);
        notes.inside.append(&mut own.inside);
        if nth == 0 {
            (notes.first, notes.last, notes.lost) = (own.first, own.last, own.lost);
        }
    }
    // What other files say of enumerations, so that the file needs no manifest.
    for (_, _, other) in documents.iter().skip(1) {
        notes.last.extend(enumerations(other));
    }
    let has_model = |document: &Document<'_>| {
        let mut inside = document.root_element().children();
        inside.any(|one| one.has_tag_name("TreeNodesModel"))
    };
    let mut all = documents.iter().map(|(_, _, document)| document);
    if all.next().is_some_and(|own| !has_model(own)) {
        spelling::note_models(all, (nodes, observed), &mut notes);
    }
    notes.last.extend(doubts.said());
    notes
}

/// Where the elements of a file are in the document.
pub(super) struct Places<'m> {
    begin: usize,
    mended: Option<&'m Mended>,
}

impl Places<'_> {
    pub(super) fn start(&self, element: Node<'_, '_>) -> usize {
        let at = element.range().start;
        self.begin + self.mended.map_or(at, |mended| mended.original(at))
    }
}

fn of_file(
    (document, version, places): (&Document<'_>, Version, &Places<'_>),
    read: &[&str],
    (nodes, observed): (&[syntax::Node], &Observed),
    notes: &mut Notes,
) {
    let root = document.root_element();
    let text = document.input_text();
    // Comments behind the model, and behind the root.
    let mut behind = Vec::new();
    let mut outside = Vec::new();
    let is_model = |one: &Node<'_, '_>| one.tag_name().name() == "TreeNodesModel";
    let model = root.children().find(is_model);
    for node in document.descendants() {
        if let Some(said) = node.text().filter(|_| node.is_comment()) {
            let is_behind = model.is_some_and(|model| {
                node.parent() == Some(root) && model.range().start < node.range().start
            });
            let is_last = node.next_siblings().skip(1).all(|one| !one.is_element());
            let is_outside = node.parent() == Some(document.root());
            match is_last && (is_outside || is_behind) {
                true if is_outside => outside.push(said.replace('\r', "")),
                true => behind.push(said.replace('\r', "")),
                false => place(node, root, (said, places), notes),
            }
        } else if node.is_element() && is_in_tree(node) {
            let ignored = node.attributes().filter(|one| is_of_editor(one.name()));
            let ignored: Vec<&str> = ignored.map(|one| &text[one.range()]).collect();
            if !ignored.is_empty() {
                let said = format!(" {} ", ignored.join(" "));
                let here = notes.before.entry(places.start(node));
                here.or_default().push(said);
            }
        }
    }
    for include in root
        .children()
        .filter(|one| dialect::is_include(one.tag_name().name()))
    {
        let is_read = include.attribute("ros_pkg").is_none()
            && files::included(include).is_some_and(|path| {
                read.split_first()
                    .is_some_and(|(own, others)| others.contains(&&files::joined(own, path)[..]))
            });
        if !is_read {
            notes
                .last
                .push(format!(" {} ", spelling::Tag::of(include).text()));
        }
    }
    notes.last.extend(enumerations(document));
    let trees = nodes.iter().filter(|node| node.name.value == "tree");
    notes.last.extend(odd_root(root, trees.count() == 1));
    let in_model = std::mem::take(&mut notes.lost);
    let is_kept = notes.last.len();
    spelling::note((document, version, places), (nodes, observed), notes);
    if notes.last.len() == is_kept {
        notes.lost = in_model;
    }
    notes.last.append(&mut behind);
    if !outside.is_empty() {
        notes.last.push(BEHIND.to_owned());
        notes.last.append(&mut outside);
    }
}

/// The tags with which a file says enumerations.
fn enumerations(document: &Document<'_>) -> impl Iterator<Item = String> {
    let inside = document.root_element().children();
    let said = inside.filter(|one| one.has_tag_name(enums::ELEMENT));
    said.map(|one| format!(" {} ", spelling::Tag::of(one).text()))
}

/// How a comment begins that stands in an element without children, which no leaf of ours has a place for.
const IN_LEAF: &str = " In the element:";

/// The comment that stands in an element without children.
pub(super) fn in_leaf(note: &str) -> Option<&str> {
    note.strip_prefix(IN_LEAF)
        .or_else(|| note.strip_prefix(IN_LEAF.trim_start()))
}

/// The comment before those that stand behind the root.
const BEHIND: &str = " In the XML, this stands behind </root>: ";

/// Takes the comments that stand behind the root out of those at the end of a document.
pub(super) fn behind_root(last: &mut Vec<String>) -> Vec<String> {
    let is_it = |note: &String| note.trim() == BEHIND.trim();
    let Some(at) = last.iter().position(is_it) else {
        return Vec::new();
    };
    last.split_off(at).into_iter().skip(1).collect()
}

/// The tag of a `<root>` that is not written so by itself.
fn odd_root(root: Node<'_, '_>, is_single: bool) -> Option<String> {
    let tag = spelling::Tag::with_namespaces(root);
    let names: Vec<&str> = tag.attributes.iter().map(|(name, _)| &name[..]).collect();
    let is_usual = match names[..] {
        ["main_tree_to_execute"] | ["BTCPP_format", "main_tree_to_execute"] => true,
        ["BTCPP_format"] => is_single,
        _ => false,
    };
    (!is_usual).then(|| format!(" {} ", tag.text()))
}

/// The tag of the `<root>`, of an `<include>` or of an enumeration that a comment holds.
pub(super) fn beside_trees(note: &str) -> Option<spelling::Tag> {
    let tag = note.trim().strip_suffix('>')?;
    let text = format!("{tag}/>");
    let document = Document::parse(&text).ok()?;
    let root = document.root_element();
    let is_whole = document.root().children().count() == 1;
    let word = root.tag_name().name();
    let is_it = is_whole && (word == "root" || word == enums::ELEMENT || dialect::is_include(word));
    is_it.then(|| spelling::Tag::with_namespaces(root))
}

/// Whether an element is a tree or in one.
pub(super) fn is_in_tree(node: Node<'_, '_>) -> bool {
    let mut around = node.ancestors();
    around.any(|one| one.tag_name().name() == "BehaviorTree")
}

/// Whether the reader leaves out an attribute.
pub(super) fn is_of_editor(name: &str) -> bool {
    let is_read = matches!(
        name,
        "_description" | "_autoremap" | "__autoremap" | "__shared_blackboard"
    );
    name.starts_with('_') && !is_read && words::script_attribute(name).is_none()
}

fn place(
    comment: Node<'_, '_>,
    root: Node<'_, '_>,
    (said, places): (&str, &Places<'_>),
    notes: &mut Notes,
) {
    let said = said.replace('\r', "");
    let next = comment.next_siblings().skip(1).find(Node::is_element);
    let parent = comment.parent().filter(Node::is_element);
    match (next, parent) {
        // Before the root.
        (Some(_), None) => notes.first.push(said),
        (Some(next), Some(parent)) => match next.tag_name().name() {
            "BehaviorTree" => notes
                .before
                .entry(places.start(next))
                .or_default()
                .push(said),
            _ if is_in_tree(parent) => {
                notes
                    .before
                    .entry(places.start(next))
                    .or_default()
                    .push(said);
            }
            _ if parent == root => notes.last.push(said),
            // In a model, which says the same in other words.
            _ => notes.lost += 1,
        },
        // A leaf of ours has no place for it.
        (None, Some(parent))
            if is_in_tree(parent) && !super::is_tree(&parent) && !has_elements(parent) =>
        {
            let before = notes.before.entry(places.start(parent));
            before.or_default().push(format!("{IN_LEAF}{said}"));
        }
        (None, Some(parent)) if is_in_tree(parent) => {
            let inside = notes.inside.entry(places.start(parent));
            inside.or_default().push(said);
        }
        (None, Some(parent)) if parent != root => notes.lost += 1,
        (None, _) => notes.last.push(said),
    }
}

fn has_elements(parent: Node<'_, '_>) -> bool {
    parent.children().any(|one| one.is_element())
}

/// The attributes in a comment that holds nothing else.
pub(super) fn attributes(note: &str) -> Option<Vec<(String, String)>> {
    let text = note.trim();
    if !text.starts_with('_') {
        return None;
    }
    let element = format!("<a {text}/>");
    let document = Document::parse(&element).ok()?;
    let attributes = document.root_element().attributes();
    let attributes: Vec<(String, String)> = attributes
        .map(|one| (one.name().to_owned(), one.value().to_owned()))
        .collect();
    let is_whole = document.root().children().count() == 1;
    let all_ignored = attributes.iter().all(|(name, _)| is_of_editor(name));
    (is_whole && all_ignored).then_some(attributes)
}
