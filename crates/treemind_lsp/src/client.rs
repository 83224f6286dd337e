//! What a server tells a client without being asked.

use crate::transport;
use gen_lsp_types::{Diagnostic, PublishDiagnosticsParams, Uri};
use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::io::{self, Write};

/// The way to a client.
pub(crate) struct Client<W> {
    output: W,
    /// The number of the last request to the client.
    asked: i32,
}

impl<W: Write> Client<W> {
    pub(crate) fn new(output: W) -> Self {
        Self { output, asked: 0 }
    }

    pub(crate) fn answer(&mut self, answer: Response) -> io::Result<()> {
        transport::write(&Message::Response(answer), &mut self.output)
    }

    pub(crate) fn tell(&mut self, method: &str, params: Value) -> io::Result<()> {
        let told = Notification {
            method: method.to_owned(),
            params,
        };
        transport::write(&Message::Notification(told), &mut self.output)
    }

    /// Asks the client for something; the answer does not matter.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> io::Result<()> {
        self.asked += 1;
        let request = Request {
            id: RequestId::from(format!("treemind-{}", self.asked)),
            method: method.to_owned(),
            params,
        };
        transport::write(&Message::Request(request), &mut self.output)
    }

    /// Writes a line into the log of the client: 1 is an error, 2 a warning, 3 information.
    pub(crate) fn log(&mut self, level: u8, text: &str) -> io::Result<()> {
        self.tell(
            "window/logMessage",
            json!({ "type": level, "message": text }),
        )
    }

    pub(crate) fn publish(
        &mut self,
        uri: Uri,
        version: Option<i32>,
        diagnostics: Vec<Diagnostic>,
    ) -> io::Result<()> {
        let params = PublishDiagnosticsParams {
            uri,
            version,
            diagnostics,
        };
        let params = serde_json::to_value(params).unwrap_or_default();
        self.tell("textDocument/publishDiagnostics", params)
    }
}
