//! Putting a tree in the place of the `subtree` that runs it.

use super::change::Change;
use super::entries::param;
use super::error::EditError;
use super::layout::replace_in;
use super::meanings::{Meaning, declared_at};
use super::place::{At, LocatedNode, touches};
use super::snippet::Snippet;
use super::wrap::is_task;
use super::{Editor, called};
use crate::language;
use crate::names::braced;
use crate::symbols::{SymbolId, Use};
use crate::syntax::gaps::indent;
use crate::syntax::{Entry, Node, Value};
use crate::{Said, said};
use std::ops::Range;

/// A port of the tree, and what takes its place.
struct Bound<'e> {
    port: &'e Node,
    symbol: SymbolId,
    to: Given<'e>,
}

enum Given<'e> {
    /// A key of the caller.
    Key(&'e str),
    /// A value, as it is written.
    Literal(&'e str),
}

/// A tree and its root.
struct Held<'e> {
    file: usize,
    index: usize,
    tree: &'e Node,
    root: usize,
}

/// What becomes of the ports in the root of a tree: the bytes that change, the keys that are declared for values, and the
/// meaning of each name.
struct Arguments {
    edits: Vec<(Range<usize>, String)>,
    keys: Vec<String>,
    expected: Vec<Meaning>,
}

impl Held<'_> {
    fn root(&self) -> &Node {
        &self.tree.children()[self.root]
    }
}

impl Editor {
    /// Puts the root of a tree in the place of `subtree NAME …`: the opposite of [`extract`](Self::extract). Its ports are
    /// replaced by the keys and values that they are given. A value that an expression or a text reads becomes a key of a
    /// `scope` around the root. What the `subtree` has on its line, such as `when=`, goes to the root, or to a `sequence`
    /// around it if the root has such a property itself. With `removes`, the tree is removed if nothing else uses it;
    /// otherwise [`Change::notes`] says why it stays.
    ///
    /// # Errors
    /// When the node is not a `subtree` of a tree that is defined once; when the tree has keys of its own, which keep their
    /// values from run to run, or nodes that are disabled beside its root; when a port that is written has no key here; and
    /// when a name in the tree would mean something else here.
    ///
    /// ```
    /// use treemind_doc::Document;
    /// use treemind_doc::edit::Editor;
    ///
    /// let text = r#"tree t {
    ///     key ammo type=int
    ///     subtree shoot shots="{ammo}" when="ammo > 0"
    /// }
    ///
    /// tree shoot {
    ///     inout shots type=int
    ///     set "shots -= 1" // bang
    /// }
    /// "#;
    /// let mut editor = Editor::new(Document::parse(text, "t.kdl"))?;
    /// editor.apply(&editor.inline(text.find("subtree").unwrap(), true)?)?;
    /// assert_eq!(editor.text(0), r#"tree t {
    ///     key ammo type=int
    ///     set "ammo -= 1" when="ammo > 0" // bang
    /// }
    /// "#);
    /// # Ok::<(), treemind_doc::edit::EditError>(())
    /// ```
    pub fn inline(&self, at: impl Into<At>, removes: bool) -> Result<Change, EditError> {
        let found = self.find(at.into())?;
        let held = self.held(&found)?;
        let ports = self.bound(&found, &held)?;
        let (snippet, expected) = self.body(&found, &held, &ports)?;
        let file = self.file(found.file)?;
        let slot = file.slot_of(&found);
        let one_line = snippet
            .on_one_line()
            .filter(|_| !slot.has_lines(file.text()));
        let new = one_line
            .unwrap_or_else(|| snippet.indented(indent(file.text(), slot.start), file.line_end()));
        let mut splices = vec![self.replaced(&found, new, &snippet)?];
        let mut notes = Vec::new();
        let name = called(held.tree.first_text().map_or("", |name| &name.value));
        match self.other_use(&found, &held) {
            Some(why) if removes => {
                notes.push(said!("the tree `{}` stays, because {}", &name, why))
            }
            None if removes => {
                let path = vec![held.tree];
                let siblings = &self.files[held.file].nodes;
                splices.push(self.taken_away(&LocatedNode {
                    file: held.file,
                    path,
                    siblings,
                    index: held.index,
                })?);
            }
            _ => {}
        }
        let change = Change::new(said!("inline {}", name), splices)?;
        self.means_here(&found, &change, expected)?;
        self.stays_well(&change, said!("it cannot be put here"))?;
        Ok(change.noting(notes))
    }

    /// The tree that a `subtree` runs.
    fn held<'e>(&'e self, found: &LocatedNode<'e>) -> Result<Held<'e>, EditError> {
        let node = found.node();
        let refuse = |why: Said| Err(EditError::new(why).at(found.file, node.span.start));
        let name = node
            .first_text()
            .filter(|_| found.word() == "subtree" && is_task(found));
        let Some(name) = name else {
            return refuse(said!("`{}` is not a subtree", called(found.word())));
        };
        let is_it = |node: &&Node| {
            let own = node.first_text();
            node.name.value == "tree" && own.is_some_and(|own| own.value == name.value)
        };
        let mut trees = Vec::new();
        for (number, file) in self.files.iter().enumerate() {
            let all = file
                .nodes
                .iter()
                .enumerate()
                .filter(|(_, node)| is_it(node));
            trees.extend(all.map(|(index, tree)| (number, index, tree)));
        }
        let [(file, index, tree)] = trees[..] else {
            return refuse(match trees.len() {
                0 => said!("there is no tree `{}`", called(&name.value)),
                _ => said!("several trees are named `{}`", called(&name.value)),
            });
        };
        self.file(file)?;
        let children = tree.children();
        let own: Vec<usize> = (0..children.len())
            .filter(|index| !language::is_item(&children[*index].name.value))
            .collect();
        let obstacle = |why: Said, at: usize| Err(EditError::new(why).at(file, at));
        if let Some(key) = children.iter().find(|child| child.name.value == "key") {
            return obstacle(
                said!(
                    "this tree has a key of its own, which keeps its value from run to run; declare it outside first"
                ),
                key.span.start,
            );
        }
        match own[..] {
            [root] if !super::machines::is_true(&children[root], "disabled") => Ok(Held {
                file,
                index,
                tree,
                root,
            }),
            [] | [_] => obstacle(said!("this tree has no node that runs"), tree.span.start),
            [_, second, ..] => obstacle(
                said!(
                    "this tree has several nodes, and only one of them runs; the others would be lost"
                ),
                children[second].span.start,
            ),
        }
    }

    /// What the ports of a tree are given.
    fn bound<'e>(
        &'e self,
        found: &LocatedNode<'e>,
        held: &Held<'e>,
    ) -> Result<Vec<Bound<'e>>, EditError> {
        let names = self.names();
        let node = found.node();
        if node
            .children()
            .iter()
            .any(|child| child.name.value == "score")
        {
            return Err(EditError::new(said!(
                "the score of this `subtree` is in its block; write it on the line first"
            ))
            .at(found.file, node.span.start));
        }
        let mut ports = Vec::new();
        for port in held
            .tree
            .children()
            .iter()
            .filter(|child| language::is_item(&child.name.value))
        {
            let Some(name) = port.first_text() else {
                continue;
            };
            let Some(symbol) = declared_at(names, (held.file, name.span.start)) else {
                continue;
            };
            let given = param(node, &name.value);
            let text = match given {
                Some(_) => self.file(found.file)?.text(),
                None => self.file(held.file)?.text(),
            };
            let given = given.or_else(|| port.entry("default").filter(|_| port.name.value == "in"));
            let to = match given {
                Some(Entry {
                    value: Value::Text(key),
                    ..
                }) if braced(&key.value).is_some() => {
                    Given::Key(braced(&key.value).map_or("", |(key, _)| key))
                }
                Some(entry) if port.name.value == "in" => {
                    Given::Literal(&text[entry.value_span.clone()])
                }
                _ => {
                    return Err(EditError::new(said!("the port `{}` is given no key here, so the tree keeps its value from run to run", called(&name.value)))
                    .at(found.file, node.span.start));
                }
            };
            ports.push(Bound { port, symbol, to });
        }
        Ok(ports)
    }

    /// The nodes that take the place of the `subtree`, and the meaning of each name in them.
    fn body(
        &self,
        found: &LocatedNode<'_>,
        held: &Held<'_>,
        ports: &[Bound<'_>],
    ) -> Result<(Snippet, Vec<Meaning>), EditError> {
        let file = self.file(held.file)?;
        let text = file.text();
        let root = held.root();
        let slot = file.slot(Some(held.tree), held.tree.children(), held.root);
        let Arguments {
            mut edits,
            keys,
            expected,
        } = self.arguments(found, held, ports)?;
        edits.extend(slot.tail.semicolon.map(|at| (at..at + 1, String::new())));
        let (line, wraps) = self.place_properties(found, root)?;
        if !wraps {
            edits.push((root.span.end..root.span.end, line.clone()));
        }
        let mut body = text[slot.lead..slot.tail.end].to_owned();
        replace_in(&mut body, slot.lead, edits);
        let unit = self.file(found.file)?.unit();
        let mut body = Snippet::taken(&body, indent(text, slot.start));
        let mut around = |head: String, more: &[String]| {
            let more: String = more.iter().map(|line| format!("{unit}{line}\n")).collect();
            let inner = body.indented(&unit, "\n");
            body = Snippet::taken(&format!("{head} {{\n{more}{unit}{inner}\n}}"), "");
        };
        if !keys.is_empty() {
            around("scope".to_owned(), &keys);
        }
        if wraps {
            around(format!("sequence{line}"), &[]);
        }
        Ok((body, expected))
    }

    /// What becomes of the ports in the root of a tree.
    fn arguments(
        &self,
        found: &LocatedNode<'_>,
        held: &Held<'_>,
        ports: &[Bound<'_>],
    ) -> Result<Arguments, EditError> {
        let names = self.names();
        let extent = held.root().extent();
        let in_body = |one: &&Use| one.file == held.file && touches(&extent, &one.token);
        let uses: Vec<&Use> = names.uses.iter().filter(in_body).collect();
        let mut edits: Vec<(Range<usize>, String)> = Vec::new();
        let mut expected = Vec::new();
        let mut keys = Vec::new();
        for bound in ports {
            let own: Vec<&&Use> = uses
                .iter()
                .filter(|one| one.symbols.contains(&bound.symbol))
                .collect();
            let name = &names.symbols[bound.symbol].name;
            match bound.to {
                Given::Key(key) => {
                    edits.extend(own.iter().map(|one| (one.span.clone(), key.to_owned())));
                }
                // The whole argument of a leaf or tree is replaced, which is the same value.
                Given::Literal(value) if own.iter().all(|one| self.is_argument(held.file, one)) => {
                    edits.extend(own.iter().map(|one| (one.token.clone(), value.to_owned())));
                }
                Given::Literal(value) => {
                    keys.push(self.key_line(held.file, bound.port, name, value)?);
                    expected.extend(own.iter().map(|one| Meaning::inside(name, one)));
                }
            }
        }
        for one in uses.iter().filter(|one| !one.role.declares) {
            let port = ports
                .iter()
                .find(|bound| one.symbols.contains(&bound.symbol));
            match port.map(|bound| &bound.to) {
                Some(Given::Key(key)) => expected.push(self.meaning_at(found, key)),
                Some(Given::Literal(_)) => {}
                None => expected.push(Meaning::of(names, one, (held.file, &extent))),
            }
        }
        Ok(Arguments {
            edits,
            keys,
            expected,
        })
    }

    /// The properties of a `subtree` that concern its place, as they are written, and whether they need a node of their own.
    fn place_properties(
        &self,
        found: &LocatedNode<'_>,
        root: &Node,
    ) -> Result<(String, bool), EditError> {
        let text = self.file(found.file)?.text();
        let named = |entry: &&Entry| {
            let name = entry.name.as_ref();
            name.is_some_and(|name| language::is_common_property(&name.value))
        };
        let placed: Vec<&Entry> = found.node().entries.iter().filter(named).collect();
        let name = |entry: &Entry| {
            entry
                .name
                .as_ref()
                .map_or("", |name| name.value.as_str())
                .to_owned()
        };
        let has_test = |entries: &mut dyn Iterator<Item = &Entry>| {
            let mut entries = entries.filter(|entry| language::is_guard_or_hook(&name(entry)));
            entries.next().is_some()
        };
        let both = has_test(&mut placed.iter().copied()) && has_test(&mut root.entries.iter());
        let again = placed
            .iter()
            .any(|entry| root.entry(&name(entry)).is_some());
        let mut line = String::new();
        for entry in placed {
            line.push(' ');
            line.push_str(&text[entry.span.clone()]);
        }
        Ok((line, both || again))
    }

    /// A port that is given a value, as a key with that value.
    fn key_line(
        &self,
        file: usize,
        port: &Node,
        name: &str,
        value: &str,
    ) -> Result<String, EditError> {
        let text = self.file(file)?.text();
        if let Some(list) = port.entry("list") {
            return Err(
                EditError::new(said!("a list is given to this port as a value"))
                    .at(file, list.span.start),
            );
        }
        let mut line = format!("key {name}");
        if let Some(entry) = port.entry("type") {
            line.push(' ');
            line.push_str(&text[entry.span.clone()]);
        }
        line.push_str(&format!(" default={value}"));
        let values = port
            .children()
            .iter()
            .filter(|child| child.name.value == "value");
        let values: Vec<&str> = values.map(|child| &text[child.span.clone()]).collect();
        if !values.is_empty() {
            line.push_str(&format!(" {{ {}; }}", values.join("; ")));
        }
        Ok(line)
    }

    /// Whether a use is a whole argument: `"{port}"`.
    fn is_argument(&self, file: usize, one: &Use) -> bool {
        let text = self.files[file].text();
        let token = text[one.token.clone()].trim_matches('"');
        let name = &text[one.span.clone()];
        let word = self.find(At::from((file, one.token.start)));
        let is_log = word.is_ok_and(|found| found.word() == "log");
        let inner = token
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'));
        inner == Some(name) && !is_log
    }

    /// Why the tree is still needed after one use of it is gone.
    fn other_use(&self, found: &LocatedNode<'_>, held: &Held<'_>) -> Option<Said> {
        let names = self.names();
        let name = held.tree.first_text()?;
        let symbol = declared_at(names, (held.file, name.span.start))?;
        let own = found.node().extent();
        let is_here = |one: &Use| one.file == found.file && touches(&own, &one.token);
        let mut uses = names.uses_of(symbol);
        if let Some(other) = uses.find(|one| !one.role.declares && !is_here(one)) {
            let source = &self.files[other.file].source;
            let (line, _) = source.line_column(other.span.start);
            return Some(match self.files.len() {
                1 => said!("line {} uses it", line),
                _ => said!("line {} of `{}` uses it", line, source.name()),
            });
        }
        let is_free = self.chosen_by_key(names, &name.value).is_ok();
        (!is_free).then(|| said!("a key may choose it"))
    }
}
