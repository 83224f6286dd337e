//! Turning a part of a tree into a separate tree.

use super::change::{Change, Splice};
use super::error::EditError;
use super::layout::replace_in;
use super::place::{Among, At, LocatedNode, touches};
use super::rename::{counts_above, may_name};
use super::snippet::Snippet;
use super::wrap::{is_task, placed_entries, placed_score, step_called};
use super::{Editor, called};
use crate::diagnostic::Severity;
use crate::language;
use crate::symbols::{Home, Names, Symbol, SymbolId, SymbolKind};
use crate::syntax::gaps::indent;
use crate::syntax::{Entry, Node, write};
use crate::{Said, said};
use std::ops::Range;

/// A port of the new tree: what it takes or gives back.
struct Port {
    symbol: SymbolId,
    writes: bool,
    reads: bool,
}

impl Editor {
    /// Turns a node and everything below it into a separate tree. `subtree NAME …` takes the place of the node.
    /// `tree NAME { … }` with the node is written after the definition that contained the node.
    ///
    /// Keys and ports of the tree, keys of a `scope` around the node, and items of a `for-each` around it become ports:
    /// `in` if the node only reads them, `out` if it only writes them, otherwise `inout`. Keys of the document stay as
    /// they are. Properties that concern the node's place among its siblings stay there, as in [`wrap`](Self::wrap).
    /// The node's comments move with it. `docs/editing.md` lists what the new tree does differently, if anything.
    ///
    /// # Errors
    /// When the node is not a task, when the name is taken, when something that the node uses cannot be passed to the
    /// new tree, and when a document without errors would have errors after the change.
    ///
    /// ```
    /// use treemind_doc::Document;
    /// use treemind_doc::edit::Editor;
    ///
    /// let text = r#"tree t {
    ///     key shots type=int
    ///     repeat forever {
    ///         set "shots += 1" // bang
    ///     }
    /// }
    /// "#;
    /// let mut editor = Editor::new(Document::parse(text, "t.kdl"))?;
    /// editor.apply(&editor.extract(text.find("set").unwrap(), "shoot")?)?;
    /// assert_eq!(editor.text(0), r#"tree t {
    ///     key shots type=int
    ///     repeat forever {
    ///         subtree shoot shots="{shots}"
    ///     }
    /// }
    ///
    /// tree shoot {
    ///     inout shots type=int
    ///     set "shots += 1" // bang
    /// }
    /// "#);
    /// # Ok::<(), treemind_doc::edit::EditError>(())
    /// ```
    pub fn extract(&self, at: impl Into<At>, name: &str) -> Result<Change, EditError> {
        let found = self.find(at.into())?;
        let node = found.node();
        let word = called(found.word());
        let refuse = |why: Said| Err(EditError::new(why).at(found.file, node.span.start));
        if !is_task(&found) {
            return refuse(said!(
                "`{}` is not a task, and only a task can become a tree",
                word
            ));
        }
        if counts_above(node) {
            return refuse(said!(
                "`per=parent` counts in its parent, which would change"
            ));
        }
        may_name(SymbolKind::Tree, name)?;
        let names = self.names();
        if names
            .symbols
            .find(SymbolKind::Tree, Home::Everywhere, name)
            .is_some()
        {
            return refuse(said!("another tree is named `{}`", called(name)));
        }
        let placed = placed_entries(&found);
        let score = placed_score(&found);
        let mut stays: Vec<Range<usize>> = placed.iter().map(|entry| entry.span.clone()).collect();
        stays.extend(score.map(|score| node.children()[score].extent()));
        let ports = self.ports_of(names, &found, &stays)?;
        let splices = self.extracted(names, &found, name, &ports, (&placed, score))?;
        let change = Change::new(said!("extract {}", called(name)), splices)?;
        self.stays_well(&change, said!("it cannot become a separate tree"))?;
        Ok(change)
    }

    /// The keys, ports and items that a node uses and that are known only at its place.
    fn ports_of(
        &self,
        names: &Names,
        found: &LocatedNode<'_>,
        stays: &[Range<usize>],
    ) -> Result<Vec<Port>, EditError> {
        let node = found.node();
        let own = node.extent();
        let around = found.definition().extent();
        let mut ports: Vec<Port> = Vec::new();
        let stays = |span: &Range<usize>| stays.iter().any(|one| touches(one, span));
        let inside = names.uses.iter().filter(|one| {
            one.file == found.file && touches(&own, &one.token) && !stays(&one.token)
        });
        for one in inside {
            let symbol = &names.symbols[one.symbols[0]];
            let refuse = |why: Said| Err(EditError::new(why).at(one.file, one.span.start));
            let called = called(&symbol.name);
            match (symbol.kind, symbol.home) {
                // A use of a parameter is a whole word, but `event.NAME` is only part of one.
                (SymbolKind::Param, _) if one.span != one.token => {
                    return refuse(said!("it reads `event.{}` of its transition", called));
                }
                (
                    SymbolKind::Key | SymbolKind::Port | SymbolKind::Item,
                    Home::Node(file, start),
                ) => {
                    let is_own = file == found.file && own.contains(&start);
                    if is_own || one.role.declares || one.role.is_given {
                        continue;
                    }
                    let is_near = file == found.file && around.contains(&start);
                    if one.symbols.len() > 1 || !is_near {
                        return refuse(said!(
                            "it uses `{}`, which comes from the parent tree",
                            called
                        ));
                    }
                    let id = one.symbols[0];
                    match ports.iter_mut().find(|port| port.symbol == id) {
                        Some(port) => {
                            port.writes |= one.role.writes;
                            port.reads |= one.role.reads || one.role.updates;
                        }
                        None => ports.push(Port {
                            symbol: id,
                            writes: one.role.writes,
                            reads: one.role.reads || one.role.updates,
                        }),
                    }
                }
                _ => {}
            }
        }
        Ok(ports)
    }

    fn extracted(
        &self,
        names: &Names,
        found: &LocatedNode<'_>,
        name: &str,
        ports: &[Port],
        (placed, score): (&[&Entry], Option<usize>),
    ) -> Result<Vec<Splice>, EditError> {
        let file = self.file(found.file)?;
        let text = file.text();
        let slot = file.slot_of(found);
        let (range, semicolon) = slot.own(text);
        let mut body = text[range.clone()].to_owned();
        let mut edits: Vec<_> = semicolon
            .map(|at| (at..at + 1, String::new()))
            .into_iter()
            .collect();
        let mut line = String::from("subtree ");
        write::word(name, &mut line);
        let mut block = String::new();
        let row = language::node_word("subtree");
        for port in ports {
            let key = &names.symbols[port.symbol].name;
            if row.is_some_and(|row| row.shape(key).is_some()) {
                block.push_str(&format!(" param {key} \"{{{key}}}\";"));
            } else {
                line.push_str(&format!(" {key}=\"{{{key}}}\""));
            }
        }
        for entry in placed {
            line.push(' ');
            line.push_str(&text[entry.span.clone()]);
            edits.push((self.entry_with_blank(found.file, entry)?, String::new()));
        }
        line.push_str(&step_called(found).unwrap_or_default());
        if let Some(score) = score {
            let (score, gone) = file.lifted(found.node(), score);
            edits.push(gone);
            let (line_end, own) = (file.line_end(), indent(text, slot.start));
            match score.on_one_line().filter(|_| !slot.has_lines(text)) {
                Some(score) => block.push_str(&format!(" {score};")),
                None => {
                    let more = format!("{own}{}", file.unit());
                    let score = score.indented(&more, line_end);
                    block.push_str(&format!("{line_end}{more}{score}{line_end}{own}"));
                }
            }
        }
        if !block.is_empty() {
            let blank = if block.ends_with(';') { " " } else { "" };
            line.push_str(&format!(" {{{block}{blank}}}"));
        }
        replace_in(&mut body, range.start, edits);
        let body = Snippet::taken(&body, indent(text, slot.start));
        let here = self.splice(found.file, range, line)?;
        let mut lines = Vec::with_capacity(ports.len());
        for port in ports {
            lines.push(self.port_line(names, port)?);
        }
        let there = self.new_tree(found, name, &lines, &body)?;
        Ok(vec![here, there])
    }

    /// The declaration of a port, copied from what is passed to it.
    fn port_line(&self, names: &Names, port: &Port) -> Result<String, EditError> {
        let symbol = &names.symbols[port.symbol];
        let declared = |symbol: &Symbol| {
            let at = symbol.declared.first().copied();
            let at = at.ok_or_else(|| {
                EditError::new(said!("`{}` is not declared", called(&symbol.name)))
            })?;
            let found = self.find(at.into())?;
            Ok::<(usize, &Node), EditError>((at.0, found.node()))
        };
        let (is_item, (file, node)) = match symbol.list {
            Some(list) => (true, declared(&names.symbols[list])?),
            None if symbol.kind == SymbolKind::Item => {
                return Err(EditError::new(said!(
                    "the type of `{}` is not known",
                    called(&symbol.name)
                )));
            }
            None => (false, declared(symbol)?),
        };
        let text = self.file(file)?.text();
        let way = match (port.reads, port.writes) {
            (_, false) => "in",
            (false, true) => "out",
            (true, true) => "inout",
        };
        let mut line = format!("{way} {}", symbol.name);
        for name in ["type", "list", "optional"] {
            let kept = node.entry(name).filter(|_| !is_item || name == "type");
            if let Some(entry) = kept {
                line.push(' ');
                line.push_str(&text[entry.span.clone()]);
            }
        }
        let values: Vec<&str> = node
            .children()
            .iter()
            .filter(|child| child.name.value == "value")
            .map(|child| &text[child.span.clone()])
            .collect();
        if !values.is_empty() {
            line.push_str(&format!(" {{ {}; }}", values.join("; ")));
        }
        Ok(line)
    }

    /// The new tree, placed after the definition that contains the node.
    fn new_tree(
        &self,
        found: &LocatedNode<'_>,
        name: &str,
        ports: &[String],
        body: &Snippet,
    ) -> Result<Splice, EditError> {
        let file = self.file(found.file)?;
        let definition = found.definition();
        let index = file
            .nodes
            .iter()
            .position(|node| std::ptr::eq(node, definition));
        let among = Among {
            file: found.file,
            path: Vec::new(),
            siblings: &file.nodes,
            index: index.map_or(file.nodes.len(), |index| index + 1),
            is_behind: true,
        };
        let landing = file.landing(&among);
        let (unit, line_end) = (file.unit(), file.line_end());
        let mut tree = String::from("tree ");
        write::word(name, &mut tree);
        tree.push_str(" {\n");
        for port in ports {
            tree.push_str(&format!("{unit}{port}\n"));
        }
        tree.push_str(&unit);
        tree.push_str(&body.indented(&unit, "\n"));
        tree.push_str("\n}");
        let snippet = Snippet::taken(&tree, "");
        let mut new = snippet.landed(&landing, &unit, line_end);
        if landing.is_lines() {
            new.insert_str(0, line_end);
        }
        self.splice(found.file, landing.range(), new)
    }

    /// Refuses a change that would introduce errors into a document without errors.
    pub(super) fn stays_well(&self, change: &Change, what: Said) -> Result<(), EditError> {
        if self.document().has_errors() {
            return Ok(());
        }
        let mut after = self.clone();
        after.apply(change)?;
        let diagnostics = after.document().diagnostics().iter();
        let mut errors = diagnostics.filter(|found| found.severity() == Severity::Error);
        match errors.next() {
            Some(error) => Err(EditError::new(said!("{}: {}", what, error.said()))),
            None => Ok(()),
        }
    }
}
