//! The files as pages ask for them.

use super::library::Entry;
use super::testing::errors;
use super::theatre::{Opened, Theatre};
use super::{new_document, new_file, recorded};
use crate::commands::words::page;
use crate::io;
use treemind_doc::Said;
use treemind_doc::edit::Version;
use treemind_doc::said;
use treemind_replay::view::definition;
use treemind_replay::view::protocol::{Folder, Origin, Preview};
use treemind_studio::{Files, Show, no_folders};

impl Theatre {
    fn entry(&self, name: &str) -> Option<Entry> {
        let library = self.library.borrow();
        let nth = library.find(name)?;
        Some(library.entries()[nth].clone())
    }

    fn document_named(&self, name: &str) -> Result<Entry, Said> {
        let entry = self.entry(name);
        let entry = entry.ok_or_else(|| said!("there is no such file"))?;
        match entry.is_recording() {
            true => Err(said!("{} is a recording", name)),
            false => Ok(entry),
        }
    }

    fn text_of(&self, name: &str) -> Result<String, Said> {
        let entry = self.document_named(name)?;
        entry.text().map_err(io::Failure::sentence)
    }
}

/// How many files are looked at for leaves.
const MOST_MANIFESTS: usize = 200;

impl Theatre {
    /// The documents that may declare the leaves of a table.
    fn manifests(&self) -> Vec<String> {
        let library = self.library.borrow();
        let entries = library.entries().iter();
        let documents = entries.filter(|one| one.name.ends_with(".kdl"));
        let names = documents.map(|one| one.name.clone());
        names.take(MOST_MANIFESTS).collect()
    }
}

impl Files for Theatre {
    fn names(&self) -> Vec<String> {
        let library = self.library.borrow();
        let entries = library.entries().iter();
        entries.map(|entry| entry.name.clone()).collect()
    }

    fn look_again(&mut self) {
        self.library.borrow_mut().look_again();
    }

    fn has(&self, name: &str) -> bool {
        self.library.borrow().find(name).is_some() || self.films.has(name)
    }

    fn open(&mut self, name: &str) -> Box<dyn Show> {
        if let Some(guest) = self.guest.take() {
            return Box::new(guest);
        }
        let found = self.entry(name);
        if found.is_none()
            && let Ok(film) = self.films.open(name)
        {
            return film;
        }
        let entry = found.unwrap_or_else(|| self.library.borrow().entries()[0].clone());
        if !entry.is_recording() {
            return Box::new(Opened::new(entry, self.films.clone(), self.library.clone()));
        }
        if let Some(path) = entry.path() {
            self.marks.note(&entry.name, path);
        }
        let shown = recorded::open(&entry);
        shown.unwrap_or_else(|failure| Box::new(Opened::refused(entry, failure)))
    }

    fn replaced(&mut self, name: &str) -> Option<Box<dyn Show>> {
        let entry = self.entry(name)?;
        let path = entry.path().filter(|_| entry.is_recording())?;
        if !self.marks.is_replaced(name, path) {
            return None;
        }
        // What is only being begun cannot be opened yet.
        let show = recorded::open(&entry).ok()?;
        self.marks.note(name, path);
        Some(show)
    }

    fn has_previews(&self) -> bool {
        self.has_previews
    }

    fn folder(&self) -> Option<String> {
        self.library.borrow().folder().map(io::display_name)
    }

    fn is_folder_empty(&self) -> bool {
        self.library.borrow().is_empty()
    }

    fn look_into(&mut self, folder: &str, opens: bool) -> Result<Folder, Said> {
        let mut library = self.library.borrow_mut();
        match library.folder() {
            Some(_) => library.look_into(folder, opens),
            None => Err(no_folders()),
        }
    }

    fn make(
        &mut self,
        folder: &str,
        name: &str,
        origin: &Origin,
    ) -> Result<(String, Vec<Said>), Said> {
        let folder = self.library.borrow().folder_named(folder)?;
        let (text, mut lost) =
            new_document::text(name, origin, |file| self.text_of(file), &self.manifests())?;
        let path = new_file::write(&folder, name, &text)?;
        if let Origin::Copy { file } = origin
            && let Some(entry) = self.entry(file)
        {
            match entry.own_map() {
                Ok(Some(map)) => lost.extend(new_file::copy_map(&path, &map)),
                Ok(None) => {}
                Err(failure) => lost.push(failure.sentence()),
            }
        }
        Ok((self.library.borrow_mut().add(path), lost))
    }

    fn word(&self, word: &str, place: &str) -> Option<String> {
        page(word, place)
    }

    fn version(&self, name: &str) -> Result<Version, Said> {
        let entry = self.document_named(name)?;
        entry.version().map_err(io::Failure::sentence)
    }

    fn preview(&self, name: &str) -> Option<Preview> {
        let entry = self.entry(name)?;
        let read = || {
            let document = entry.document().map_err(io::Failure::sentence)?;
            let found = document.behaviour(None);
            found.map_err(|_| errors())
        };
        // A recording may be too large to be read only for a picture.
        let (behaviour, wrong) = match entry.is_recording() {
            true => (None, None),
            false => match read() {
                Ok(behaviour) => (Some(definition(&behaviour)), None),
                Err(why) => (None, Some(why)),
            },
        };
        Some(Preview {
            file: name.to_owned(),
            behaviour,
            wrong,
        })
    }
}
