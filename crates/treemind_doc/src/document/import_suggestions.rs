//! Finds, for names without a definition, the file that defines them and could be imported.

use crate::check::{DefinitionKind, called, with_article};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Severity};
use crate::document::Document;
use crate::document::normal;
use crate::source::Source;
use crate::suggest;
use crate::syntax::write::quoted;
use crate::{Said, said};
use std::collections::HashMap;
use std::path::Path;

/// The kind of definition with this name in another document, if diagnostics with this code miss such a definition.
fn has(other: &Document, code: Code, name: &str) -> Option<Said> {
    let checked = &other.checked;
    match code {
        Code::UnknownLeaf => {
            let leaf = checked.leaves.iter().find(|leaf| leaf.name == name)?;
            Some(called(leaf.kind.keyword()))
        }
        Code::UnknownKey => {
            let key = checked.keys.iter().find(|key| key.name == name);
            key.map(|_| said!("key"))
        }
        _ => {
            let kind = DefinitionKind::ALL
                .into_iter()
                .find(|kind| kind.unknown() == code)?;
            let mut all = other.definitions[kind as usize].iter();
            let found = all.find(|one| one.name() == name);
            found.map(|_| kind.called())
        }
    }
}

impl Document {
    /// The names that are used but not defined, without their quotes.
    fn missing(&self) -> impl Iterator<Item = (usize, Code, String)> {
        let own = self.diagnostics().iter().enumerate();
        own.filter_map(|(at, item)| Some((at, item.code(), item.missing.clone()?)))
    }

    /// Whether it uses a leaf, key, tree, machine or decision tree that nothing defines, so that looking in other
    /// files may help.
    pub fn misses_names(&self) -> bool {
        self.missing().next().is_some()
    }

    /// Looks in other documents for the definitions that it misses, and names the file to import in the help of
    /// those diagnostics. `others` are documents with their paths as an `import` of this document would write them;
    /// the first one that has a name is suggested. A definition within reach takes precedence: if a name may be
    /// misspelt, the help stays as it is. Files that have errors, or would cause errors, are left out.
    ///
    /// ```
    /// use treemind_doc::Document;
    ///
    /// let mut guard = Document::parse("tree guard { action patrol; }", "guard.kdl");
    /// let leaves = Document::parse("leaves { action patrol; }", "leaves.kdl");
    /// guard.suggest_imports(&[("leaves.kdl", &leaves)]);
    /// let help = guard.diagnostics()[0].help().unwrap();
    /// assert_eq!(help, "import it from leaves.kdl, which has an action of that name: `import \"leaves.kdl\"`");
    /// ```
    pub fn suggest_imports(&mut self, others: &[(&str, &Document)]) {
        if !self.format().is_native() {
            return;
        }
        // Whether each file can be imported, once this has been tried.
        let mut fits: Vec<Option<bool>> = vec![None; others.len()];
        let missing: Vec<_> = self.missing().collect();
        for (at, code, name) in missing {
            if is_near_miss(&self.diagnostics()[at]) {
                continue;
            }
            let mut candidates = others.iter().zip(&mut fits);
            let found = candidates.find_map(|((path, other), fits)| {
                let what = has(other, code, &name)?;
                let fits = *fits.get_or_insert_with(|| self.can_import(path, other));
                fits.then_some((path, what))
            });
            if let Some((path, what)) = found {
                let path = path.replace('\\', "/");
                let what = with_article(&what);
                self.diagnostics_mut()[at].with_help(said!(
                    "import it from {}, which has {} of that name: `import \"{}\"`",
                    path,
                    what,
                    path
                ));
            }
        }
    }

    /// Whether the document has no new errors when it imports another one. To find out, a third document imports
    /// both, and is read like any other.
    fn can_import(&self, path: &str, other: &Document) -> bool {
        if other.has_errors() || !other.format().is_native() {
            return false;
        }
        let own = self.sources[0].name();
        let folder = Path::new(own).parent().unwrap_or(Path::new(""));
        let file = Path::new(own).file_name().unwrap_or_default();
        let known: HashMap<String, &Source> = [self, other]
            .into_iter()
            .flat_map(|document| &document.sources)
            .map(|source| (normal(source.name()), &**source))
            .collect();
        let load = |path: &str| match known.get(&normal(path)) {
            Some(source) => Ok(source.text().as_bytes().to_vec()),
            None => Err("it is not one of these files"),
        };
        let third = folder.join("both.kdl");
        let mut text = String::new();
        for path in [&*file.to_string_lossy(), path] {
            text.push_str("import ");
            quoted(path, &mut text);
            text.push('\n');
        }
        let document = Document::read_with(text.as_bytes(), &third.to_string_lossy(), load);
        let errors = |document: &Document| {
            let all = document.diagnostics().iter();
            all.filter(|item| item.severity() == Severity::Error)
                .count()
        };
        errors(&document) < errors(self)
    }
}

/// Whether a help suggests a name that may have been meant.
fn is_near_miss(item: &Diagnostic) -> bool {
    item.help
        .as_ref()
        .is_some_and(|help| suggest::is_meant(help.said()))
}
