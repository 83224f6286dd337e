//! What pages ask of a session.

use super::{Files, Session, Waiting, refuse, text_of};
use crate::server::Page;
use serde::Deserialize as _;
use serde_json::Value;
use treemind_replay::view::protocol::{Hello, Look, Message, VERSION};

const NO_FILE: &str = "there is no such file among those that can be opened";

impl<F: Files> Session<F> {
    /// Takes in what a page asks.
    pub fn hear(&mut self, text: &str, page: Page) {
        let Ok(ask) = serde_json::from_str::<Value>(text) else {
            refuse(&page, "that is not JSON");
            return;
        };
        match ask["say"].as_str() {
            Some("look") => match Look::deserialize(&ask) {
                Ok(look) if !self.turn_to(&page, &look.file) => refuse(&page, NO_FILE),
                Ok(look) => {
                    // The last question of a page counts.
                    self.looks.retain(|look| !look.page.is_same(&page));
                    self.looks.push(Waiting { page, look });
                }
                Err(error) => refuse(&page, &format!("`look`: {error}")),
            },
            Some("hello") => {
                let hello = Message::Hello(Hello {
                    version: VERSION,
                    start: self.start.clone(),
                    has_previews: self.files.has_previews(),
                    files: self.files.names(),
                });
                page.send(text_of(&hello));
            }
            Some("preview") => match self.files.preview(ask["file"].as_str().unwrap_or("")) {
                Some(preview) => {
                    page.send(text_of(&Message::Preview(Box::new(preview))));
                }
                None => refuse(&page, NO_FILE),
            },
            _ => {
                self.turn_to(&page, "");
                let nth = self.file_of(&page);
                let one = &mut self.open[nth];
                one.hear(&ask, &page);
                if std::mem::take(&mut one.wants_tick) {
                    self.control();
                    self.files.ask_for_tick();
                }
            }
        }
    }
}
