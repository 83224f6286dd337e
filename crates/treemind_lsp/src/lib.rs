//! The language server of Treemind's documents: what editors ask by the language server protocol is answered by
//! [`treemind_ide`].
//!
//! [`serve`] reads messages from a stream and writes the answers to another. One thread answers, in the order of the
//! messages; another one reads ahead, so that a request that the client no longer wants is not answered.
//!
//! ```
//! use std::io::Cursor;
//!
//! let message = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len());
//! let asked = message(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#);
//! let mut answered = Vec::new();
//! treemind_lsp::serve(Cursor::new(asked), &mut answered)?;
//! let answered = String::from_utf8_lossy(&answered);
//! assert!(answered.contains("completionProvider"));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Nothing that a client sends ends the server: a request that cannot be read, and one whose answer panics, are answered
//! with an error.

mod answers;
mod client;
mod coverage;
mod diagnose;
mod imports;
mod places;
mod reports;
mod server;
mod settings;
mod testing;
mod transport;
mod unit;
mod world;

pub use reports::note_panics;
pub use server::serve;
