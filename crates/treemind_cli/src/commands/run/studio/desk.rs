//! The files of a document that pages edit, and the documents beside it.

use super::disk::Disk;
use super::library::{Entry, Library};
use std::cell::{Ref, RefCell, RefMut};
use std::rc::Rc;
use treemind_doc::Said;
use treemind_studio::{Ledger, Shelf};

/// The files that may be opened, as all see them that are open; and what was written lately from those.
#[derive(Clone, Debug)]
pub(super) struct Shared(Rc<RefCell<Library>>, Rc<RefCell<Ledger>>);

impl Shared {
    pub(super) fn of(library: Library) -> Self {
        Self(Rc::new(RefCell::new(library)), Rc::default())
    }

    pub(super) fn borrow(&self) -> Ref<'_, Library> {
        self.0.borrow()
    }

    pub(super) fn borrow_mut(&self) -> RefMut<'_, Library> {
        self.0.borrow_mut()
    }
}

/// Where a document is that is edited.
#[derive(Clone, Debug)]
pub(super) struct Desk {
    own: String,
    disk: Disk,
    beside: Option<Shared>,
}

impl Desk {
    pub(super) fn of(entry: &Entry, beside: Option<Shared>) -> Self {
        Self {
            own: entry.name.clone(),
            disk: entry.disk(),
            beside,
        }
    }
}

impl Shelf for Desk {
    fn read(&mut self, name: &str) -> Result<Option<String>, Said> {
        self.disk.read(name)
    }

    fn read_whole(&mut self, name: &str) -> Result<Option<String>, Said> {
        self.disk.read_whole(name)
    }

    fn write(&mut self, name: &str, text: &str) -> Result<(), Said> {
        self.disk.write(name, text)
    }

    fn replace(&mut self, name: &str, was: &str, text: &str) -> Result<bool, Said> {
        self.disk.replace(name, was, text)
    }

    fn late(&mut self, name: &str) -> Option<[String; 2]> {
        self.disk.late(name)
    }

    fn ledger(&mut self, see: &mut dyn FnMut(&mut Ledger)) {
        if let Some(beside) = &self.beside {
            see(&mut beside.1.borrow_mut());
        }
    }

    fn others(&mut self) -> Vec<(String, Box<dyn Shelf>)> {
        let Some(beside) = &self.beside else {
            return Vec::new();
        };
        let mut library = beside.borrow_mut();
        library.look_again();
        let entries = library.entries().iter();
        let others = entries.filter(|one| {
            one.path().is_some() && one.name.ends_with(".kdl") && one.name != self.own
        });
        let shelved = others
            .map(|one| -> (String, Box<dyn Shelf>) { (one.name.clone(), Box::new(one.disk())) });
        shelved.collect()
    }
}
