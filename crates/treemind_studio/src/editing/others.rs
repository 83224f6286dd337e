//! Other documents that import files of this one: what is renamed here is renamed there, too.
//!
//! They are read from their files and written into them, as another program would do it: whoever has one of them open takes
//! that over like any change on disk.

use super::{Editing, Shelf};
use treemind_doc::edit::{Change, Editor, merge};
use treemind_doc::{Said, said};

/// What is to be written into a file of another document.
#[derive(Clone, Debug)]
pub(super) struct Other {
    /// The document.
    pub(super) document: String,
    pub(super) file: String,
    /// The text that it had.
    pub(super) before: String,
    pub(super) after: String,
}

/// What a change does to other documents.
#[derive(Default)]
pub(super) struct Others {
    texts: Vec<Other>,
    /// Where something cannot be renamed, and why.
    pub(super) refused: Vec<(String, Said)>,
}

impl Editing {
    /// What changes do to other documents before they are made here.
    pub(super) fn beside(&self, changes: &[Change], shelf: &mut dyn Shelf) -> Others {
        let mut found = Others::default();
        let [change] = changes else {
            return found;
        };
        let Some(names) = change.renamed().filter(|_| !change.is_empty()) else {
            return found;
        };
        for (document, mut place) in shelf.others() {
            let Some(editor) = self.opened(&document, &mut *place) else {
                continue;
            };
            match self.renamed_in(editor, change, names) {
                Ok(texts) => found.add(&document, texts),
                Err(why) => found.refused.push((document, why)),
            }
        }
        found
    }

    /// Another document with what it imports, as its texts are before a change is made here; `None` if it imports nothing
    /// of what is edited here, and cannot be read.
    fn opened(&self, document: &str, shelf: &mut dyn Shelf) -> Option<Editor> {
        let mut text_of = |name: &str| {
            if let Some(file) = named(self.editor(), name) {
                return Some(self.editor().text(file).to_owned());
            }
            let is_it = |other: &&Other| plain(&other.file) == plain(name);
            match self.others.iter().find(is_it) {
                Some(other) => Some(other.after.clone()),
                None => shelf.read(name).ok().flatten(),
            }
        };
        let text = text_of(document)?;
        // Most documents import nothing, and need not be read.
        if !text.contains("import") {
            return None;
        }
        let mut editor = Editor::of_texts(&[(document, text.as_str())]);
        let mut tried: Vec<String> = Vec::new();
        loop {
            let missing = editor.missing_files().into_iter();
            let fresh: Vec<String> = missing.filter(|name| !tried.contains(name)).collect();
            if fresh.is_empty() {
                break;
            }
            for name in fresh {
                if let Some(text) = text_of(&name) {
                    editor.add_file(&name, &text);
                }
                tried.push(name);
            }
        }
        let mut files = 0..editor.file_count();
        let is_shared = files.any(|file| named(self.editor(), editor.name(file)).is_some());
        is_shared.then_some(editor)
    }

    /// The files of another document, their texts, and those after something was renamed there, too.
    fn renamed_in(
        &self,
        mut editor: Editor,
        change: &Change,
        [old, new]: [&str; 2],
    ) -> Result<Vec<[String; 3]>, Said> {
        let touched: Vec<(usize, usize)> = (change.splices().iter())
            .filter_map(|splice| {
                let file = named(&editor, self.editor().name(splice.file))?;
                Some((file, splice.range.start))
            })
            .collect();
        if touched.is_empty() {
            return Ok(Vec::new());
        }
        // A name in quotes begins behind them.
        let mut places =
            (touched.iter()).flat_map(|(file, start)| [(*file, *start), (*file, start + 1)]);
        let place = places.find(|place| {
            let known = editor.symbol_at(*place);
            known.is_some_and(|(_, name)| name == old)
        });
        let before = editor.clone();
        let was_wrong = before.document().has_errors();
        // Where nothing has this name, it means nothing there.
        if let Some(place) = place {
            let there = editor.rename(place, new).map_err(Said::from)?;
            editor.apply(&there).map_err(Said::from)?;
        }
        let is_wrong = || !was_wrong && editor.document().has_errors();
        let mut texts = Vec::new();
        for file in 0..editor.file_count() {
            let name = before.name(file);
            let [then, now] = [&before, &editor].map(|one| one.text(file).to_owned());
            match named(self.editor(), name) {
                Some(own) => {
                    let wanted = change.apply_to(own, self.editor().text(own));
                    if wanted.map_err(Said::from)? != now {
                        return Err(said!("there, `{}` means something else in {}", old, name));
                    }
                }
                None if then != now => texts.push([name.to_owned(), then, now]),
                None => {}
            }
        }
        match is_wrong() {
            true => Err(said!("it would have errors then")),
            false => Ok(texts),
        }
    }

    /// Remembers what is to be written into other documents, and says so.
    pub(super) fn take_others(&mut self, others: Others) {
        let mut documents: Vec<String> = Vec::new();
        for one in others.texts {
            if !documents.contains(&one.document) {
                documents.push(one.document.clone());
            }
            self.add_other(one);
        }
        self.others.retain(|one| one.before != one.after);
        let names = documents.join(", ");
        match self.saves_at_once {
            _ if documents.is_empty() => {}
            true => self
                .told
                .push(said!("renamed in other documents, too: {}", names)),
            false => {
                let told = said!(
                    "when this is saved, it is renamed in other documents, too: {}",
                    names
                );
                self.told.push(told);
            }
        }
        let refused = others.refused.into_iter();
        self.told
            .extend(refused.map(|(name, why)| still_old(&name, why)));
    }

    fn add_other(&mut self, one: Other) {
        match self.others.iter_mut().find(|known| known.file == one.file) {
            Some(known) => known.after = one.after,
            None => self.others.push(one),
        }
    }

    /// Remembers what is to be written into files that another document has changed with those that are here.
    pub(super) fn take_beyond(&mut self, texts: Vec<Other>) {
        if texts.is_empty() {
            return;
        }
        let mut files: Vec<String> = texts.iter().map(|one| one.file.clone()).collect();
        files.sort_unstable();
        texts.into_iter().for_each(|one| self.add_other(one));
        self.others.retain(|one| one.before != one.after);
        let files = files.join(", ");
        self.told.push(match self.saves_at_once {
            true => said!("done in other documents, too: {}", files),
            false => said!(
                "when this is saved, it is done in other documents, too: {}",
                files
            ),
        });
    }

    /// Writes what other documents have of the changes that are saved here; returns what was written.
    pub(super) fn save_others(&mut self, shelf: &mut dyn Shelf) -> Vec<Other> {
        if self.others.is_empty() {
            return Vec::new();
        }
        let mut places = shelf.others();
        let mut all = Vec::new();
        for one in std::mem::take(&mut self.others) {
            let place = places.iter_mut().find(|(name, _)| *name == one.document);
            let written = match place {
                Some((_, place)) => one.write(&mut **place),
                None => Err(said!("{} is gone", &one.file)),
            };
            match written {
                Ok([before, after]) => all.push(Other {
                    before,
                    after,
                    ..one
                }),
                Err(why) => {
                    self.told.push(still_old(&one.file, why));
                    self.revision += 1;
                }
            }
        }
        all.retain(|one| one.before != one.after);
        all
    }
}

fn still_old(name: &str, why: Said) -> Said {
    said!("{} still has the old name: {}", name, why)
}

impl Others {
    /// Files that several documents import are changed by each of them, and the same.
    fn add(&mut self, document: &str, texts: Vec<[String; 3]>) {
        for [file, before, after] in texts {
            match self.texts.iter().find(|known| known.file == file) {
                Some(known) if known.after == after => {}
                Some(_) => {
                    let why = said!("other documents need another text there");
                    self.refused.push((file, why));
                }
                None => self.texts.push(Other {
                    document: document.to_owned(),
                    file,
                    before,
                    after,
                }),
            }
        }
    }
}

impl Other {
    /// What it takes to take it back.
    pub(super) fn inverse(&self) -> Self {
        Self {
            document: self.document.clone(),
            file: self.file.clone(),
            before: self.after.clone(),
            after: self.before.clone(),
        }
    }

    /// What another program has changed meanwhile stays. Returns the texts before and after it was written.
    fn write(&self, shelf: &mut dyn Shelf) -> Result<[String; 2], Said> {
        let gone = || said!("{} is gone", &self.file);
        let changed = || said!("it was changed meanwhile");
        let found = shelf.read(&self.file)?.ok_or_else(gone)?;
        let after = if found == self.after || found == self.before {
            self.after.clone()
        } else {
            let merged = merge(&self.before, &self.after, &found, |_| None);
            let merged = merged.ok().filter(|merged| merged.conflicts.is_empty());
            merged.ok_or_else(changed)?.text
        };
        match found == after || shelf.replace(&self.file, &found, &after)? {
            true => Ok([found, after]),
            false => Err(changed()),
        }
    }
}

/// The file with a name, which may begin with `./`.
pub(super) fn named(editor: &Editor, name: &str) -> Option<usize> {
    let mut files = 0..editor.file_count();
    files.find(|file| plain(editor.name(*file)) == plain(name))
}

fn plain(name: &str) -> &str {
    name.trim_start_matches("./")
}
