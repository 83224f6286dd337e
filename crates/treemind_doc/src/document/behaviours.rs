//! Chooses the part of a document that runs: a tree or a machine, by its name or by default.

use crate::check::DefinitionKind;
use crate::code::Code;
use crate::diagnostic::{Diagnostics, Sink};
use crate::document::{Document, Tree};
use crate::suggest;
use crate::text::Format;
use crate::{Said, said};
use std::sync::Arc;
use treemind_core::behaviour::Form;
use treemind_core::{Behaviour, Parts, Value};

impl Document {
    /// A tree, ready to run. `None` stands for what `main` names, which may also be a machine or decision tree, and
    /// without `main` for the only one in the document.
    ///
    /// # Errors
    /// The diagnostics of the document if one of them is an error; otherwise one that says why there is no such
    /// tree, and lists the existing ones.
    pub fn behaviour(&self, tree: Option<&str>) -> Result<Behaviour, Diagnostics> {
        self.behaviour_with(tree, &[])
    }

    /// A state machine, ready to run.
    ///
    /// # Errors
    /// As [`behaviour`](Self::behaviour).
    pub fn machine(&self, name: &str) -> Result<Behaviour, Diagnostics> {
        self.named(DefinitionKind::Machine, name, &[])
    }

    /// A decision tree, ready to run.
    ///
    /// # Errors
    /// As [`behaviour`](Self::behaviour).
    pub fn decision(&self, name: &str) -> Result<Behaviour, Diagnostics> {
        self.named(DefinitionKind::Decision, name, &[])
    }

    /// A planner, ready to run.
    ///
    /// # Errors
    /// As [`behaviour`](Self::behaviour); also when it has no goal.
    pub fn planner(&self, name: &str) -> Result<Behaviour, Diagnostics> {
        self.named(DefinitionKind::Planner, name, &[])
    }

    /// A tree, ready to run, with other start values for some keys.
    pub(crate) fn behaviour_with(
        &self,
        tree: Option<&str>,
        given: &[(String, Value)],
    ) -> Result<Behaviour, Diagnostics> {
        if let Some(name) = tree {
            return self.named(DefinitionKind::Tree, name, given);
        }
        self.ok()?;
        match self.main_definition() {
            Some((what, name)) => self.named(what, name, given),
            None => Err(self.nothing_said()),
        }
    }

    /// What `main` names, and without `main` the only one.
    pub(crate) fn main_definition(&self) -> Option<(DefinitionKind, &str)> {
        let main = self.checked.main.as_ref();
        let main = main.map(|(what, name)| (*what, name.as_str()));
        main.or(self.only_one())
    }

    /// The mistake of a document without others that defines several things that could run, and does not say which of them
    /// does. It may be a file for others to import, so it is none of its [`diagnostics`](Self::diagnostics).
    pub fn undecided(&self) -> Option<Diagnostics> {
        let mut kinds = DefinitionKind::ALL.into_iter();
        let has_any = kinds.any(|what| !self.definitions[what as usize].is_empty());
        let is_open = has_any && self.can_run() && self.main_definition().is_none();
        is_open.then(|| self.nothing_said())
    }

    /// Whether the document can run; mistakes in its tests do not matter.
    ///
    /// # Errors
    /// All its diagnostics, if one of them [keeps it from running](crate::Diagnostic::is_fatal).
    pub fn ok(&self) -> Result<(), Diagnostics> {
        if !self.can_run() {
            return Err(Diagnostics(self.diagnostics().to_vec()));
        }
        Ok(())
    }

    /// Whether the document has no mistake at all, so that its tests can be run.
    ///
    /// # Errors
    /// All its diagnostics, if one of them is an error.
    pub fn ok_with_tests(&self) -> Result<(), Diagnostics> {
        if self.has_errors() {
            return Err(Diagnostics(self.diagnostics().to_vec()));
        }
        Ok(())
    }

    /// One by its name, ready to run, with other values for some keys to start with.
    pub(crate) fn named(
        &self,
        what: DefinitionKind,
        name: &str,
        given: &[(String, Value)],
    ) -> Result<Behaviour, Diagnostics> {
        self.built((what, name), given, false)
    }

    /// The same; `as_planned`, the steps of planners write what they give when they succeed.
    pub(crate) fn built(
        &self,
        (what, name): (DefinitionKind, &str),
        given: &[(String, Value)],
        as_planned: bool,
    ) -> Result<Behaviour, Diagnostics> {
        self.ok()?;
        let mut all = self.checked.definitions[what as usize].iter();
        let Some(definition) = all.find(|definition| definition.name == name) else {
            return Err(self.unknown(what, name));
        };
        let defect = |reason: Said| {
            let tree = self.definitions[what as usize]
                .iter()
                .find(|tree| tree.name() == name);
            let (source, span) =
                tree.map_or((&self.sources[0], 0..0), |tree| (&tree.source, tree.span()));
            let mut sink = Sink::new(Arc::clone(source));
            let message = said!(
                "this {} passed every check and still cannot be built: {}",
                what.called(),
                reason
            );
            sink.error(Code::Internal, span, message).with_help(said!(
                "this is a defect of Treemind; please report it with this document"
            ));
            Diagnostics(sink.finish())
        };
        if !definition.refusal.is_empty() {
            return Err(Diagnostics(definition.refusal.clone()));
        }
        let Some(mut root) = definition.root.clone() else {
            return Err(defect(said!("it has no root")));
        };
        let mut keys = [&self.checked.keys[..], &definition.keys].concat();
        if as_planned {
            super::as_planned::write_what_is_given(&mut root, &mut keys);
        }
        for (name, value) in given {
            if let Some(key) = keys.iter_mut().find(|key| key.name == *name) {
                key.default = *value;
                if let Form::Optional { starts_set } = &mut key.form {
                    *starts_set = true;
                }
            }
        }
        Behaviour::new(Parts {
            name: definition.name.clone(),
            enums: self.checked.enums.clone(),
            keys,
            leaves: self.checked.leaves.clone(),
            semaphores: definition.synchronization.semaphores.clone(),
            labels: definition.synchronization.labels.names.clone(),
            root,
        })
        .map(|behaviour| behaviour.with_places(self.shared_places()))
        .map(|behaviour| match definition.mailbox {
            Some(events) => behaviour.with_mailbox(events),
            None => behaviour,
        })
        .map_err(|error| defect(error.to_string().into()))
    }

    /// The only thing that can run of the first file, or of all if that has none.
    fn only_one(&self) -> Option<(DefinitionKind, &str)> {
        let all = self.every();
        let is_own = |(_, one): &(DefinitionKind, &Tree)| self.is_own(one);
        let mut own = all.clone().filter(is_own);
        let (first, second) = (own.next(), own.next());
        let mut all = all;
        let (what, only) = match (first, second) {
            (Some(only), None) => only,
            (Some(_), Some(_)) => return None,
            (None, _) => all.next().filter(|_| all.next().is_none())?,
        };
        Some((what, only.name()))
    }

    fn every(&self) -> impl Iterator<Item = (DefinitionKind, &Tree)> + Clone {
        DefinitionKind::ALL.into_iter().flat_map(|what| {
            let of = self.definitions[what as usize].iter();
            of.map(move |one| (what, one))
        })
    }

    /// Whether the first file defines it.
    fn is_own(&self, one: &Tree) -> bool {
        Arc::ptr_eq(&one.source, &self.sources[0])
    }

    /// The words and names of what could run: what the first file defines, or else what it imports.
    #[cfg(feature = "edit")]
    pub(crate) fn could_run(&self) -> Vec<(&'static str, &str)> {
        let has_own = self.every().any(|(_, one)| self.is_own(one));
        let all = self.every();
        let all = all.filter(|(_, one)| !has_own || self.is_own(one));
        all.map(|(what, one)| (what.word(), one.name())).collect()
    }

    /// The diagnostic for several runnable definitions, or none.
    fn nothing_said(&self) -> Diagnostics {
        if DefinitionKind::ALL
            .into_iter()
            .all(|what| self.definitions[what as usize].is_empty())
        {
            return self.refusal(
                Code::NoTree,
                said!("there is no tree in this document"),
                Some(said!(
                    "write `tree NAME { … }` with the first node of the tree in its block"
                )),
            );
        }
        let kinds = DefinitionKind::ALL.into_iter();
        let kinds: Vec<DefinitionKind> = kinds
            .filter(|what| !self.definitions[*what as usize].is_empty())
            .collect();
        let how = match (self.format(), kinds.first()) {
            (Format::Kdl, first) => {
                let word = first.copied().unwrap_or(DefinitionKind::Tree).word();
                said!("add `main {}=NAME`, or name one", word)
            }
            (Format::Json, first) => {
                let word = first.copied().unwrap_or(DefinitionKind::Tree).word();
                said!(
                    "add `{ \"node\": \"main\", \"{}\": NAME }`, or name one",
                    word
                )
            }
            // There is only one machine or tree, and it has a name.
            (Format::Scxml | Format::Table, _) => said!("name it"),
            (Format::BtCpp, _) => {
                said!("add `main_tree_to_execute=\"NAME\"` to `<root>`, or name one")
            }
        };
        let words = kinds.iter().map(|what| several(*what));
        let message = match words.reduce(|all, more| said!("{} and {}", all, more)) {
            Some(words) => said!("the document does not say which of its {} to run", words),
            None => said!("there is no tree in this document"),
        };
        let lists = kinds.iter().map(|what| self.listed(*what));
        let help = lists.fold(how, |all, more| said!("{}; {}", all, more));
        self.refusal(Code::NoTree, message, Some(help))
    }

    fn unknown(&self, what: DefinitionKind, name: &str) -> Diagnostics {
        let names = self.definitions[what as usize].iter().map(Tree::name);
        let kinds = several(what);
        let help = suggest::among(name, said!("the {}", kinds), names, || {
            Some(said!("there are no {} in this document", kinds))
        });
        let message = said!("unknown {} `{}`", what.called(), name);
        self.refusal(what.unknown(), message, help)
    }

    /// `the trees are …`
    fn listed(&self, what: DefinitionKind) -> Said {
        let mut names: Vec<&str> = Vec::new();
        for name in self.definitions[what as usize].iter().map(Tree::name) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        said!("the {} are {}", several(what), suggest::listed(names))
    }

    fn refusal(&self, code: Code, message: Said, help: Option<Said>) -> Diagnostics {
        let mut sink = Sink::new(Arc::clone(&self.sources[0]));
        sink.error(code, 0..0, message).with_perhaps(help);
        Diagnostics(sink.finish())
    }
}

/// Several definitions of a kind, in messages.
fn several(what: DefinitionKind) -> Said {
    match what {
        DefinitionKind::Tree => said!("trees"),
        DefinitionKind::Machine => said!("machines"),
        DefinitionKind::Decision => said!("decision trees"),
        DefinitionKind::Planner => said!("planners"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No document is known that passes every check and cannot be built, so one is broken behind the checks.
    #[test]
    fn what_cannot_be_built_is_refused_as_a_defect() {
        let text = "leaves { action go; }\ntree t { action go; }\ntest \"goes\" tree=t { tick; }\n";
        let mut document = Document::parse(text, "t.kdl");
        assert!(document.behaviour(None).is_ok());
        document.checked.definitions[DefinitionKind::Tree as usize][0].root = None;
        let test = &document.tests()[0];
        for refused in [
            document.behaviour(None),
            document.behaviour_of(&test.subject),
        ] {
            let said = refused.unwrap_err().to_plain();
            assert!(said.starts_with("t.kdl:2:"), "{said}");
            assert!(
                said.contains("error[T0902]: this tree passed every check"),
                "{said}"
            );
            assert!(said.contains("it has no root"), "{said}");
        }
    }
}
