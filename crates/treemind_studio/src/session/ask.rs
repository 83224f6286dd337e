//! What pages ask of a session.

use super::{Files, Session, Waiting, refuse, text_of};
use crate::editing::words;
use crate::server::Page;
use treemind_replay::view::protocol::{Ask, Hello, Message, VERSION};

const NO_FILE: &str = "there is no such file among those that can be opened";

impl<F: Files> Session<F> {
    /// Takes in what a page asks.
    pub fn hear(&mut self, text: &str, page: Page) {
        match serde_json::from_str(text) {
            Err(error) => refuse(&page, &format!("this message makes no sense: {error}")),
            Ok(Ask::Hello) => {
                let hello = Message::Hello(Hello {
                    version: VERSION,
                    start: self.start.clone(),
                    has_previews: self.files.has_previews(),
                    files: self.files.names(),
                    may_edit: page.may_edit(),
                    you: page.name(),
                });
                page.send(text_of(&hello));
            }
            Ok(Ask::Preview { file }) => match self.files.preview(&file) {
                Some(preview) => {
                    page.send(text_of(&Message::Preview(Box::new(preview))));
                }
                None => refuse(&page, NO_FILE),
            },
            Ok(Ask::Words) => {
                let words = Message::Words(Box::new(words()));
                page.send(text_of(&words));
            }
            Ok(Ask::Look(look)) if !self.turn_to(&page, &look.file) => refuse(&page, NO_FILE),
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
}
