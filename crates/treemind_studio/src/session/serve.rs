//! The loop that answers pages.

use super::{Files, HEARING, IDLE, Session};
use crate::server::Server;
use std::time::{Duration, Instant};

/// Answers pages and plays, until `is_over`; that is asked several times a second.
pub fn serve<F: Files>(server: &Server, session: &mut Session<F>, is_over: impl Fn() -> bool) {
    let mut wait = IDLE;
    while !is_over() {
        let mut ask = server.next(wait);
        let begun = Instant::now();
        while let Some(some) = ask {
            session.hear(&some.text, some.page);
            ask = match begun.elapsed() < HEARING {
                true => server.next(Duration::ZERO),
                false => None,
            };
        }
        wait = session.turn();
    }
}
