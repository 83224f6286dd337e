//! What is left behind when an answer panics: a file that its user can send to those who make Treemind.

use std::any::Any;
use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many reports a server writes at most.
const MOST: usize = 10;

static WRITTEN: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Where the last panic of this thread happened.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Lets reports tell where a panic happened, and keeps the process silent about it. For the process of a server: this
/// changes what panics do everywhere.
pub fn note_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        let trace = std::backtrace::Backtrace::capture();
        PLACE.with(|known| *known.borrow_mut() = format!("{}\n{trace}", place.unwrap_or_default()));
    }));
}

/// Writes a report on a request whose answer panicked. Returns where it is, and what the panic said.
pub(crate) fn write(method: &str, payload: &(dyn Any + Send)) -> (Option<PathBuf>, String) {
    let said = payload.downcast_ref::<String>().map(String::as_str);
    let said = said.or_else(|| payload.downcast_ref::<&str>().copied());
    let said = said.unwrap_or("it says nothing").to_owned();
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    if number >= MOST {
        return (None, said);
    }
    let name = format!("treemind-lsp-{}-{number}.txt", std::process::id());
    let path = std::env::temp_dir().join(name);
    let place = PLACE.with(|place| place.borrow().clone());
    let version = env!("CARGO_PKG_VERSION");
    let text =
        format!("treemind {version}: the answer to `{method}` panicked.\n\n{said}\n{place}\n");
    let is_written = std::fs::write(&path, text).is_ok();
    (is_written.then_some(path), said)
}
