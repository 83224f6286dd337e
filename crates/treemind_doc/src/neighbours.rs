//! Names that nothing defines, and another file does: the one to import.

use crate::code::Code;
use crate::document::Document;
use treemind_core::behaviour::LeafKind;

/// What the diagnostics of these codes miss, when another document has it.
fn has(other: &Document, code: Code, name: &str) -> Option<&'static str> {
    let checked = &other.checked;
    match code {
        Code::UnknownLeaf => {
            let leaf = checked.leaves.iter().find(|leaf| leaf.name == name)?;
            Some(match leaf.kind {
                LeafKind::Condition => "a condition",
                LeafKind::Action { .. } => "an action",
                LeafKind::Service => "a service",
                LeafKind::Sensor => "a sensor",
                LeafKind::Event => "an event",
                LeafKind::Composite { .. } => "a composite",
                LeafKind::Decorator => "a decorator",
            })
        }
        Code::UnknownKey => {
            let key = checked.keys.iter().find(|key| key.name == name);
            key.map(|_| "a key")
        }
        Code::UnknownTree => {
            let tree = other.trees.iter().find(|tree| tree.name() == name);
            tree.map(|_| "a tree")
        }
        Code::UnknownMachine => {
            let machine = other.machines.iter().find(|one| one.name() == name);
            machine.map(|_| "a machine")
        }
        Code::UnknownDecision => {
            let decision = other.decisions.iter().find(|one| one.name() == name);
            decision.map(|_| "a decision tree")
        }
        _ => None,
    }
}

impl Document {
    /// The names that it uses and that nothing defines, each with its quotes taken off.
    fn missing(&self) -> impl Iterator<Item = (usize, Code, String)> {
        const CODES: [Code; 5] = [
            Code::UnknownLeaf,
            Code::UnknownKey,
            Code::UnknownTree,
            Code::UnknownMachine,
            Code::UnknownDecision,
        ];
        let own = self.diagnostics().iter().enumerate();
        own.filter(|(_, item)| CODES.contains(&item.code()))
            .map(|(at, item)| {
                let name = item.source().slice(&item.span());
                (at, item.code(), name.trim_matches('"').to_owned())
            })
    }

    /// Whether it uses a leaf, key, tree, machine or decision tree that nothing defines, so that it is worth while to look for it in
    /// other files.
    pub fn misses_names(&self) -> bool {
        self.missing().next().is_some()
    }

    /// Looks for what it misses in other documents, and says in the help of those diagnostics what to import. `others` come with
    /// their paths as an `import` of this document would write them; the first that has a name is the one that is told.
    ///
    /// ```
    /// use treemind_doc::Document;
    ///
    /// let mut guard = Document::parse("tree guard { action patrol; }", "guard.kdl");
    /// let leaves = Document::parse("leaves { action patrol; }", "leaves.kdl");
    /// guard.suggest_imports(&[("leaves.kdl", &leaves)]);
    /// let help = guard.diagnostics()[0].help().unwrap();
    /// assert_eq!(help, "leaves.kdl has an action of that name: `import \"leaves.kdl\"`");
    /// ```
    pub fn suggest_imports(&mut self, others: &[(&str, &Document)]) {
        let missing: Vec<_> = self.missing().collect();
        for (at, code, name) in missing {
            let found = others.iter().find_map(|(path, other)| {
                let what = has(other, code, &name)?;
                Some((path, what))
            });
            if let Some((path, what)) = found {
                let path = path.replace('\\', "/");
                self.diagnostics_mut()[at].with_help(format!(
                    "{path} has {what} of that name: `import \"{path}\"`"
                ));
            }
        }
    }
}
