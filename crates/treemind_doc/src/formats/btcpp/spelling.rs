//! How a file spells its elements: which form they have, in which order their attributes stand, and the attributes that
//! the reader leaves out. A document of ours keeps that in comments, so that it comes back as it was.

use super::dialect::{self, Version};
use super::names::param;
use super::notes::Places;
use super::words;
use super::write::Observed;
use crate::formats::xml;
use crate::syntax;
use crate::text::Notes;
use roxmltree::{Document, Node};
use std::collections::{BTreeSet, HashMap};

/// A tag: the name of its element, and its attributes in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
}

impl Tag {
    pub(super) fn of(element: Node<'_, '_>) -> Self {
        let attributes = element.attributes();
        Self {
            name: element.tag_name().name().to_owned(),
            attributes: attributes
                .map(|one| (one.name().to_owned(), one.value().to_owned()))
                .collect(),
        }
    }

    /// The same, with the namespaces that it declares, and with the prefixes of names.
    pub(super) fn with_namespaces(element: Node<'_, '_>) -> Self {
        let text = element.document().input_text();
        let mut attributes = Vec::new();
        let mut rest = &text[element.range().start + 1..];
        rest = &rest[rest.find(is_end_of_name).unwrap_or(rest.len())..];
        loop {
            rest = rest.trim_start();
            let end = rest.find(is_end_of_name).unwrap_or(rest.len());
            let (name, behind) = rest.split_at(end);
            let Some(value) = behind.trim_start().strip_prefix('=') else {
                break;
            };
            let value = value.trim_start();
            let Some(length) = (value.chars().next()).and_then(|quote| value[1..].find(quote))
            else {
                break;
            };
            rest = &value[length + 2..];
            let read = match name.strip_prefix("xmlns") {
                Some(prefix) => {
                    let prefix = prefix.strip_prefix(':');
                    let mut all = element.namespaces();
                    let found = all.find(|one| one.name() == prefix);
                    found.map(roxmltree::Namespace::uri)
                }
                None => {
                    let mut all = element.attributes();
                    let found = all.find(|one| &text[one.range_qname()] == name);
                    found.map(|one| one.value())
                }
            };
            attributes.extend(read.map(|value| (name.to_owned(), value.to_owned())));
        }
        Self {
            name: element.tag_name().name().to_owned(),
            attributes,
        }
    }

    /// The name of the node, whatever the form of the element.
    pub(super) fn node(&self) -> &str {
        let is_explicit = words::EXPLICIT.contains(&self.name.as_str());
        match self.value("ID").filter(|_| is_explicit) {
            Some(id) => id,
            None => &self.name,
        }
    }

    pub(super) fn value(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The ports whose names cannot be those of parameters: the node, the parameter, and the port.
    pub(super) fn odd_ports(&self) -> impl Iterator<Item = ((String, String), String)> {
        let names = self.attributes.iter().map(|(name, _)| name);
        let odd = names.filter(|name| param(name) != **name);
        odd.map(|name| ((self.node().to_owned(), param(name)), name.clone()))
    }

    /// Whether one of its attributes has this name, or becomes it as a parameter.
    fn spells(&self, wanted: &str) -> bool {
        let mut names = self.attributes.iter().map(|(name, _)| name);
        names.any(|name| name == wanted || param(name) == wanted)
    }

    /// As it is written in a file, on one line.
    pub(super) fn text(&self) -> String {
        let mut text = format!("<{}", self.name);
        for (name, value) in &self.attributes {
            text.push_str(&format!(" {name}=\""));
            super::write::escape(value, &mut text);
            text.push('"');
        }
        text.push('>');
        text
    }

    /// A short number for it, which tells whether a node was changed.
    fn mark(&self) -> String {
        mark(&self.text())
    }
}

/// Whether a name in a tag is over.
fn is_end_of_name(c: char) -> bool {
    c.is_whitespace() || matches!(c, '=' | '/' | '>')
}

/// The name of an element and its attributes, by its first tag without the end, such as `<Act name="A"`.
pub fn btcpp_tag(text: &str) -> Option<(String, Vec<(String, String)>)> {
    let text = format!("{text}/>");
    let text = xml::readable(&text);
    let document = xml::document(&text).ok()?;
    let tag = Tag::of(document.root_element());
    Some((tag.name, tag.attributes))
}

/// A short number for a text.
pub(super) fn mark(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{:08x}", (hash >> 32) ^ (hash & 0xffff_ffff))
}

/// Which elements name their nodes in `ID`, such as `<Action ID="…">`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Form {
    /// Nodes of the host.
    pub(super) leaves: bool,
    /// Nodes that are built in.
    pub(super) builtin: bool,
}

impl Form {
    /// What a document of ours says of the XML that it comes from.
    pub(super) fn said(self) -> Option<&'static str> {
        Some(match (self.leaves, self.builtin) {
            (false, false) => return None,
            (true, false) => " The XML has elements such as <Action ID=\"…\">. ",
            (false, true) => " The XML has elements such as <Control ID=\"Sequence\">. ",
            (true, true) => {
                " The XML has elements such as <Control ID=\"Sequence\"> and <Action ID=\"…\">. "
            }
        })
    }

    /// What a comment says.
    pub(super) fn in_note(note: &str) -> Option<Self> {
        let all = [(true, false), (false, true), (true, true)];
        let all = all.map(|(leaves, builtin)| Form { leaves, builtin });
        let is_it = |form: &Form| form.said().is_some_and(|said| said.trim() == note.trim());
        all.into_iter().find(is_it)
    }

    /// How most elements of a file are.
    pub(super) fn of(document: &Document<'_>) -> Self {
        let mut counts = [[0_usize; 2]; 2];
        for node in document.descendants().filter(Node::is_element) {
            let word = node.tag_name().name();
            let is_node = !words::AROUND.contains(&word) && !super::dialect::is_subtree(word);
            if is_node && super::notes::is_in_tree(node) {
                let tag = Tag::of(node);
                let is_builtin = words::all().any(|name| name == tag.node());
                let is_explicit = words::EXPLICIT.contains(&word);
                counts[usize::from(is_builtin)][usize::from(is_explicit)] += 1;
            }
        }
        let [leaves, builtin] = counts.map(|[compact, explicit]| explicit > compact);
        Self { leaves, builtin }
    }
}

/// The element of a node in the explicit form: what the node is comes first.
pub(super) fn explicit(tag: Tag, kind: Option<&'static str>) -> Tag {
    let Some(kind) = kind.filter(|_| !words::EXPLICIT.contains(&tag.name.as_str())) else {
        return tag;
    };
    let mut attributes = vec![("ID".to_owned(), tag.name)];
    attributes.extend(tag.attributes);
    Tag {
        name: kind.to_owned(),
        attributes,
    }
}

/// Adds to the notes how the elements of a file are spelled, where that is not how they would be written.
pub(super) fn note(
    (document, version, places): (&Document<'_>, Version, &Places<'_>),
    (nodes, observed): (&[syntax::Node], &Observed),
    notes: &mut Notes,
) {
    let kept = super::kept::of(nodes, (document, version, places), &observed.tags);
    for (start, kept) in &kept {
        let here = notes.before.entry(*start).or_default();
        // What the reader leaves out is a part of that.
        here.retain(|note| super::notes::attributes(note).is_none());
        here.push(kept.said());
    }
    for element in document.descendants().filter(Node::is_element) {
        let start = places.start(element);
        if kept.contains_key(&start) {
            continue;
        }
        let Some((written, children)) = observed.tags.get(&start) else {
            continue;
        };
        // What calls a tree that is missing is a node of the host in a document of ours.
        let is_missing =
            dialect::is_subtree(element.tag_name().name()) && !dialect::is_subtree(&written.name);
        let mut spelled = match is_missing && version == Version::Three {
            true => super::subtrees::modern(element),
            false => Tag::of(element),
        };
        // Version 4 refuses two calls of one name beside each other.
        if has_twin(element) {
            spelled.attributes.retain(|(name, _)| name != "name");
        }
        let has_id = spelled.value("ID").is_some();
        if version == Version::Three && !is_missing {
            spelled = modern(&spelled, written);
        }
        if super::is_tree(&element) && !has_id {
            // Only the single tree of a document needs no name.
            spelled.attributes.retain(|(name, _)| name != "ID");
            let trees = nodes.iter().filter(|node| node.name.value == "tree");
            if trees.count() > 1 {
                spelled = written.clone();
            }
        }
        let count = element.children().filter(Node::is_element).count();
        let is_theirs = spelled.node() == words::WITHIN_TICK && written.node() == "Repeat";
        let is_same_node = spelled.node() == written.node() || is_theirs || count + children == 0;
        // These come back behind all others.
        let mut bare = spelled.clone();
        let is_editor = |one: &(String, String)| super::notes::is_of_editor(&one.0);
        while bare.attributes.last().is_some_and(is_editor) {
            bare.attributes.pop();
        }
        let is_odd = spelled.value("ID").is_some_and(|id| !is_plain(id));
        if !is_same_node || count != *children || (bare == *written && !is_odd) {
            continue;
        }
        let said = format!(" {} {} ", spelled.text(), written.mark());
        // What the reader leaves out is a part of that.
        let here = notes.before.entry(start).or_default();
        here.retain(|note| super::notes::attributes(note).is_none());
        here.push(said);
    }
    let root = document.root_element();
    let form = Form::of(document);
    notes.last.extend(form.said().map(str::to_owned));
    let model = root
        .children()
        .find(|one| one.tag_name().name() == "TreeNodesModel");
    if let (Some(model), Some(written)) = (model, &observed.model) {
        let text = &document.input_text()[model.range()];
        let text = text.replace('\r', "");
        let first = root.children().find(super::is_tree);
        if first.is_some_and(|first| model.range().start < first.range().start) {
            notes.last.push(IN_FRONT.to_owned());
        }
        notes.last.push(format!("\n{text}\n{}\n", mark(written)));
    }
}

/// The nodes of which no file says what they are. No model says it in their place, so that the XML still leaves it open.
#[derive(Clone, Debug, Default)]
pub(crate) struct Doubts(pub(super) BTreeSet<String>);

impl Doubts {
    const BEGIN: &str = "In the XML, nothing says what these nodes are:";

    /// Those that the reader has found.
    pub(crate) fn of(names: &BTreeSet<String>) -> Self {
        Self(names.clone())
    }

    /// What a document of ours says of them.
    pub(super) fn said(&self) -> Option<String> {
        let names: String = self.0.iter().map(|name| format!(" <{name}>")).collect();
        (!names.is_empty()).then(|| format!(" {}{names} ", Self::BEGIN))
    }

    /// What a comment says.
    pub(super) fn in_note(note: &str) -> Option<Self> {
        let names = note.trim().strip_prefix(Self::BEGIN)?.split_whitespace();
        let names = names.filter_map(|name| name.strip_prefix('<')?.strip_suffix('>'));
        Some(Self(names.map(str::to_owned).collect()))
    }
}

/// What the models of other files, such as a manifest, say of the leaves of a document whose own file has no model. It
/// is written into the XML that the document becomes, so that the file needs no manifest.
pub(super) fn note_models<'d>(
    others: impl Iterator<Item = &'d Document<'d>>,
    (nodes, observed): (&[syntax::Node], &Observed),
    notes: &mut Notes,
) {
    let leaves = nodes.iter().filter(|node| node.name.value == "leaves");
    let leaves = leaves.flat_map(|leaves| leaves.children());
    let mut used: BTreeSet<String> = leaves
        .filter_map(|leaf| Some(leaf.first_text()?.value.clone()))
        .collect();
    let mut all = String::new();
    for document in others {
        let models = document.root_element().children();
        let models = models.filter(|one| one.has_tag_name("TreeNodesModel"));
        for element in models.flat_map(|model| model.children()) {
            let id = element.attribute("ID").map(plainer);
            let is_node = words::EXPLICIT.contains(&element.tag_name().name());
            if is_node && id.is_some_and(|id| used.remove(&id)) {
                let text = document.input_text()[element.range()].replace('\r', "");
                all.push_str(&format!("    {text}\n"));
            }
        }
    }
    if let (Some(written), false) = (&observed.model, all.is_empty()) {
        let text = format!("<TreeNodesModel>\n{all}  </TreeNodesModel>");
        notes.last.push(format!("\n{text}\n{}\n", mark(written)));
    }
}

/// The comment before a model that stands before the trees.
const IN_FRONT: &str = " In the XML, the model stands before the trees: ";

/// Takes the comment that says that a model stands before the trees out of those at the end of a document.
pub(super) fn is_in_front(last: &mut Vec<String>) -> bool {
    let is_it = |note: &String| note.trim() == IN_FRONT.trim();
    let found = last.iter().position(is_it);
    found.map(|at| last.remove(at)).is_some()
}

/// Whether another `SubTree` beside this one has its name.
fn has_twin(element: Node<'_, '_>) -> bool {
    let Some(name) = element.attribute("name") else {
        return false;
    };
    let is_call = |one: &Node<'_, '_>| dialect::is_subtree(one.tag_name().name());
    let is_twin = |one: Node<'_, '_>| is_call(&one) && one.attribute("name") == Some(name);
    is_call(&element)
        && (element.prev_siblings().skip(1).any(is_twin)
            || element.next_siblings().skip(1).any(is_twin))
}

/// The tag of a file of version 3 as version 4 has it: its form, and its attributes in their order, with the names and
/// values that they have now.
fn modern(spelled: &Tag, written: &Tag) -> Tag {
    let is_explicit = words::EXPLICIT.contains(&spelled.name.as_str());
    if spelled.node() == "SetBlackboard" {
        // A document of ours has it and `Script` as one node.
        let mut tag = spelled.clone();
        for (_, value) in &mut tag.attributes {
            if value.starts_with("${") {
                value.remove(0);
            }
        }
        return tag;
    }
    let is_compact = !is_explicit && words::EXPLICIT.contains(&written.name.as_str());
    let mut tag = Tag {
        name: match (is_explicit, is_compact) {
            (true, _) => spelled.name.clone(),
            (_, true) => written.node().to_owned(),
            (_, false) => written.name.clone(),
        },
        attributes: Vec::new(),
    };
    for (name, value) in &spelled.attributes {
        let now = match name.as_str() {
            "ID" if is_explicit => Some(written.node()),
            // It may have become another one beside a node of the same name.
            "name" => Some(value.as_str()),
            _ if super::notes::is_of_editor(name) => Some(value.as_str()),
            _ => match held(written, name) {
                Some(now) if is_same_number(now, value) => Some(value.as_str()),
                Some(now) => Some(now),
                // A number that says what is so anyway.
                None => words::default_of(written.node(), name).map(|_| value.as_str()),
            },
        };
        let name = words::current_port(written.node(), name).to_owned();
        let now = now.map(|now| odd_key(value, now).unwrap_or_else(|| now.to_owned()));
        tag.attributes.extend(now.map(|now| (name, now)));
    }
    let others = written.attributes.iter();
    let others = others
        .filter(|(name, _)| !tag.spells(name) && !((is_explicit || is_compact) && name == "ID"));
    let others: Vec<_> = others.cloned().collect();
    tag.attributes.extend(others);
    tag
}

/// A pointer to a key, as a file of version 3 spells its name, if a document of ours has to call it otherwise.
fn odd_key(spelled: &str, now: &str) -> Option<String> {
    let now = now.strip_prefix('{')?.strip_suffix('}')?;
    let text = spelled.trim_matches(' ');
    let inner = text.strip_prefix('$').unwrap_or(text).strip_prefix('{');
    let raw = inner.map_or(Some(text), |inner| inner.strip_suffix('}'))?;
    (raw != now && super::names::plain(raw) == now).then(|| format!("{{{raw}}}"))
}

/// The value that a written tag has for an attribute that was spelled so. Ports of leaves may have become other names,
/// because parameters consist of letters, digits and `_`.
fn held<'t>(written: &'t Tag, spelled: &str) -> Option<&'t str> {
    let spelled = words::current_port(written.node(), spelled);
    written
        .value(spelled)
        .or_else(|| written.value(&param(spelled)))
}

/// Whether two texts are the same number.
fn is_same_number(one: &str, other: &str) -> bool {
    match (dialect::double(one), dialect::double(other)) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}

/// The tag that a comment holds, and the mark of what was written then.
pub(super) fn tag_in(note: &str) -> Option<(Tag, String)> {
    let text = note.trim();
    let (tag, mark) = text.strip_prefix('<')?.rsplit_once("> ")?;
    if mark.len() != 8 || !mark.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let text = format!("<{tag}/>");
    let document = Document::parse(&text).ok()?;
    let root = document.root_element();
    let is_whole = root.children().count() == 0 && document.root().children().count() == 1;
    is_whole.then(|| (Tag::of(root), mark.to_owned()))
}

/// How an element is to be written that was spelled so: as it was, if nothing has changed.
pub(super) fn again((spelled, known): &(Tag, String), written: &Tag) -> Tag {
    if written.mark() == *known {
        return spelled.clone();
    }
    if spelled.node() != written.node() {
        return written.clone();
    }
    let mut tag = Tag {
        name: spelled.name.clone(),
        attributes: Vec::new(),
    };
    let is_form = |name: &str| name == "ID" && spelled.name != written.name;
    for (name, value) in &spelled.attributes {
        let now = held(written, name);
        let is_name = name == "name" && dialect::is_subtree(&written.name);
        let is_ignored = is_name || super::notes::is_of_editor(name);
        if let Some(now) = now.or_else(|| (is_form(name) || is_ignored).then_some(value.as_str())) {
            tag.attributes.push((name.clone(), now.to_owned()));
        }
    }
    let others = written.attributes.iter();
    let others = others.filter(|(name, _)| !spelled.spells(name));
    tag.attributes
        .extend(others.filter(|(name, _)| !is_form(name)).cloned());
    tag
}

/// The model that a comment holds, if it says what would be written, too.
pub(super) fn model_in(note: &str) -> Option<(&str, &str)> {
    let text = note.trim();
    let (model, mark) = text.rsplit_once('\n')?;
    let is_model = model.starts_with("<TreeNodesModel") && Document::parse(model).is_ok();
    (is_model && mark.len() == 8).then_some((model, mark))
}

/// Whether a model is the one that was written when this mark was made.
pub(super) fn is_marked(written: &str, known: &str) -> bool {
    mark(written) == known
}

/// Whether a document of ours can have a tree or a leaf of this name.
pub(crate) fn is_plain(name: &str) -> bool {
    !name.contains(is_bad)
}

fn is_bad(c: char) -> bool {
    c.is_whitespace() || c.is_control() || matches!(c, ':' | ';' | '|' | ',')
}

/// A name that is like another one, and that a document of ours can have.
pub(crate) fn plainer(name: &str) -> String {
    name.replace(is_bad, "-")
}

/// The names in the XML of trees (`true`) and leaves, by their names in a document of ours.
pub(crate) type Restored = HashMap<(bool, String), String>;

/// The names that the comments of a document say.
pub(crate) fn names(nodes: &[syntax::Node], notes: &Notes) -> Restored {
    let mut restored = Restored::new();
    let mut pending: Vec<&syntax::Node> = nodes.iter().collect();
    while let Some(node) = pending.pop() {
        pending.extend(node.children());
        let kind = match node.name.value.as_str() {
            "tree" | "subtree" => true,
            "action" | "condition" | "node" => false,
            _ => continue,
        };
        let Some(name) = node.first_text().map(|text| &text.value) else {
            continue;
        };
        let said = notes.before.get(&node.span.start).into_iter().flatten();
        let mut tags = said.filter_map(|note| tag_in(note));
        let odd = tags.find_map(|(tag, _)| tag.value("ID").map(str::to_owned));
        // Somebody may have renamed it.
        if let Some(odd) = odd.filter(|odd| !is_plain(odd) && name.starts_with(&plainer(odd))) {
            restored.insert((kind, name.clone()), odd);
        }
    }
    restored
}
