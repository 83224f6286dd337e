//! What pages ask of a session.

use super::{Files, Session, Waiting, refuse, text_of};
use crate::editing::words;
use crate::session::Page;
use std::collections::BTreeSet;
use treemind_doc::Said;
use treemind_doc::edit::{ComparedNode, Differs, Version, compare_all};
use treemind_doc::said;
use treemind_replay::view::protocol::{
    Ask, Compared, Comparison, FileList, Hello, How, Made, Message, VERSION, Versus, WordPage,
};

/// Why a page without the token may not edit, for a game that refuses it itself.
pub fn no_token() -> Said {
    said!(
        "editing needs the token: open the address that the program printed; a server that other machines reach also needs `--allow-edits`"
    )
}

fn no_file() -> Said {
    said!("there is no such file among those that can be opened")
}

impl<F: Files> Session<F> {
    /// Takes in what a page asks.
    pub fn hear(&mut self, text: &str, page: Page) {
        match Ask::read(text) {
            Err(error) => refuse(
                &page,
                said!("this message makes no sense: {}", error.to_string()),
            ),
            Ok(Ask::Hello) => {
                self.files.look_again();
                let hello = Message::Hello(Hello {
                    version: VERSION,
                    start: self.start.clone(),
                    has_previews: self.files.has_previews(),
                    files: self.files.names(),
                    may_edit: page.may_edit(),
                    can_make: page.may_edit() && self.files.folder().is_some(),
                    folder: self.files.folder().unwrap_or_default(),
                    is_folder_empty: self.files.is_folder_empty(),
                    you: page.name(),
                });
                page.send(text_of(&hello));
            }
            Ok(Ask::Preview { file }) => match self.files.preview(&file) {
                Some(preview) => {
                    page.send(text_of(&Message::Preview(Box::new(preview))));
                }
                None => refuse(&page, no_file()),
            },
            Ok(Ask::Files) => {
                self.files.look_again();
                let files = self.files.names();
                page.send(text_of(&Message::Files(FileList { files })));
            }
            Ok(Ask::Words) => {
                let words = Message::Words(Box::new(words()));
                page.send(text_of(&words));
            }
            Ok(Ask::Word { word, place }) => {
                let text = self.files.word(&word, &place).unwrap_or_default();
                page.send(text_of(&Message::Word(WordPage { word, place, text })));
            }
            Ok(Ask::Make { .. } | Ask::Folder { .. }) if !page.may_edit() => {
                refuse(&page, no_token());
            }
            Ok(Ask::Make {
                name,
                folder,
                origin,
            }) => match self.files.make(&folder, &name, &origin) {
                Ok((file, lost)) => {
                    let files = self.files.names();
                    page.send(text_of(&Message::Made(Made { file, files, lost })));
                }
                Err(why) => refuse(&page, why),
            },
            Ok(Ask::Folder { folder, opens }) => match self.files.look_into(&folder, opens) {
                Ok(found) => {
                    page.send(text_of(&Message::Folder(found)));
                }
                Err(why) => refuse(&page, why),
            },
            Ok(Ask::Compare { versus }) => match self.compare(&page, &versus) {
                Ok(found) => {
                    page.send(text_of(&Message::Compared(found)));
                }
                Err(why) => refuse(&page, why),
            },
            Ok(Ask::Listen) => {
                self.listeners.retain(|known| !known.is_same(&page));
                self.listeners.push(page);
            }
            Ok(Ask::Reveal(place)) => {
                // Each listener has asked for one answer.
                let (own, others) = std::mem::take(&mut self.listeners)
                    .into_iter()
                    .partition(|known| known.is_same(&page));
                self.listeners = own;
                let text = text_of(&Message::Reveal(place));
                for listener in others {
                    listener.send(text.clone());
                }
            }
            Ok(Ask::Look(look)) if !self.turn_to(&page, &look.file) => refuse(&page, no_file()),
            Ok(Ask::Look(look)) => {
                // The last question of a page counts.
                self.looks.retain(|look| !look.page.is_same(&page));
                self.looks.push(Waiting { page, look });
            }
            Ok(ask) => {
                self.turn_to(&page, "");
                let nth = self.file_of(&page);
                let one = &mut self.open[nth];
                one.hear(ask, &page);
                if std::mem::take(&mut one.wants_tick) {
                    self.control();
                    self.files.ask_for_tick();
                }
            }
        }
    }

    /// What differs between the document that a page looks at and another version of it.
    fn compare(&mut self, page: &Page, versus: &Versus) -> Result<Comparison, Said> {
        let nth = self.file_of(page);
        let show = &mut self.open[nth].show;
        let new = show.version(0)?;
        let old = match versus {
            Versus::File { file } if !self.files.names().contains(file) => {
                return Err(no_file());
            }
            Versus::File { file } => self.files.version(file)?,
            Versus::Step { back } => show.version(*back)?,
            Versus::Commit => show.committed()?,
        };
        let nodes = compared(&old, &new)?;
        let missing: BTreeSet<&String> = old.missing().iter().chain(new.missing()).collect();
        Ok(Comparison {
            file: show.file(),
            nodes,
            missing: missing.into_iter().cloned().collect(),
        })
    }
}

/// All nodes of two versions of a document as one tree, for pages.
///
/// # Errors
/// When one of them is not KDL, or has something that is not closed.
pub fn compared(old: &Version, new: &Version) -> Result<Vec<Compared>, Said> {
    let nodes = compare_all(old, new)?;
    Ok(nodes.into_iter().map(shown).collect())
}

fn shown(of: ComparedNode) -> Compared {
    Compared {
        depth: of.depth,
        how: match of.how {
            None => How::Same,
            Some(Differs::Added) => How::Added,
            Some(Differs::Removed) => How::Removed,
            Some(Differs::Moved) => How::Moved,
            Some(Differs::MovedAndChanged) => How::MovedAndChanged,
            Some(_) => How::Changed,
        },
        is_told: of.is_told,
        word: of.told.word,
        text: of.text,
        called: of.told.called,
        says: of.told.says,
        path: of.path,
        file: of.file,
    }
}
