//! The loop of a server: one message after the other, each with an answer, whatever it is.

use crate::answers::{self, Failure};
use crate::client::Client;
use crate::places::{name_of, uri_of};
use crate::settings::Settings;
use crate::testing::Run;
use crate::transport::{self, Incoming};
use crate::world::World;
use crate::{diagnose, reports};
use gen_lsp_types::{
    Diagnostic, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, Uri,
};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// How many messages are read ahead at most. A client that sends faster has to wait.
const MOST_AHEAD: usize = 256;

/// How long nothing may come in before documents are checked, and how long they wait at most while something does.
const QUIET: Duration = Duration::from_millis(5);
const LONGEST: Duration = Duration::from_millis(300);

/// What happens to a server.
#[derive(Debug)]
enum Event {
    Came(Incoming),
    /// Tests are over that a request has asked for; of this document.
    Ran(RequestId, String, Run),
    Ended,
}

/// Serves a client until it says `exit`, or until the stream ends. Returns whether it had asked the server to shut down
/// before.
///
/// # Errors
/// When the answers can no longer be written.
pub fn serve(mut input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<bool> {
    let (sender, events) = sync_channel(16);
    let reading = sender.clone();
    thread::Builder::new()
        .name("treemind-lsp-reader".to_owned())
        .spawn(move || {
            // A stream that cannot be read has ended.
            while let Ok(Some(came)) = transport::read(&mut input) {
                let is_exit = matches!(&came, Incoming::Message(Message::Notification(told)) if told.method == "exit");
                if reading.send(Event::Came(came)).is_err() || is_exit {
                    return;
                }
            }
            // The server may be gone already.
            let _ = reading.send(Event::Ended);
        })?;
    let server = Server {
        client: Client::new(output),
        world: World::default(),
        sender,
        queue: VecDeque::new(),
        stage: Stage::New,
        changed: None,
        published: BTreeMap::new(),
    };
    server.run(&events)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    New,
    Serving,
    ShutDown,
}

struct Server<W> {
    client: Client<W>,
    world: World,
    /// For what runs beside the answers.
    sender: SyncSender<Event>,
    /// What came in and has not been handled.
    queue: VecDeque<Event>,
    stage: Stage,
    /// When a text changed first and last since diagnostics were last told.
    changed: Option<(Instant, Instant)>,
    /// The diagnostics that the client shows, and of which version of a text.
    published: BTreeMap<String, (Option<i32>, Vec<Diagnostic>)>,
}

impl<W: Write> Server<W> {
    fn run(mut self, events: &Receiver<Event>) -> io::Result<bool> {
        loop {
            self.read_ahead(events)?;
            let is_late = |(first, _): (Instant, Instant)| first.elapsed() >= LONGEST;
            if self.changed.is_some_and(is_late) {
                self.publish()?;
            }
            let event = match self.queue.pop_front() {
                Some(event) => event,
                None => match self.wait(events) {
                    Ok(event) => event,
                    Err(RecvTimeoutError::Timeout) => {
                        self.publish()?;
                        continue;
                    }
                    Err(RecvTimeoutError::Disconnected) => Event::Ended,
                },
            };
            match event {
                Event::Ended => return Ok(self.stage == Stage::ShutDown),
                Event::Came(Incoming::Bad(why)) => self.client.log(1, &why)?,
                Event::Came(Incoming::Message(Message::Response(_))) => {}
                Event::Came(Incoming::Message(Message::Request(request))) => {
                    self.request(request)?
                }
                Event::Came(Incoming::Message(Message::Notification(told))) => {
                    if told.method == "exit" {
                        return Ok(self.stage == Stage::ShutDown);
                    }
                    self.notification(told)?;
                }
                Event::Ran(id, name, run) => self.ran(id, name, run)?,
            }
        }
    }

    /// Waits for the next event; not for long if texts have changed.
    fn wait(&self, events: &Receiver<Event>) -> Result<Event, RecvTimeoutError> {
        match self.changed {
            Some((first, last)) => {
                let quiet = QUIET.saturating_sub(last.elapsed());
                events.recv_timeout(quiet.min(LONGEST.saturating_sub(first.elapsed())))
            }
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }

    /// Takes over what has come in. A request that the client no longer wants is answered at once.
    fn read_ahead(&mut self, events: &Receiver<Event>) -> io::Result<()> {
        while self.queue.len() < MOST_AHEAD {
            match events.try_recv() {
                Ok(Event::Came(Incoming::Message(Message::Notification(told))))
                    if told.method == "$/cancelRequest" =>
                {
                    self.cancel(&told.params)?;
                }
                Ok(event) => self.queue.push_back(event),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    self.queue.push_back(Event::Ended);
                    break;
                }
            }
        }
        Ok(())
    }

    fn cancel(&mut self, params: &Value) -> io::Result<()> {
        let Some(id) = params.get("id").cloned() else {
            return Ok(());
        };
        let Ok(id) = serde_json::from_value::<RequestId>(id) else {
            return Ok(());
        };
        let is_it = |event: &Event| matches!(event, Event::Came(Incoming::Message(Message::Request(one))) if one.id == id);
        if let Some(at) = self.queue.iter().position(is_it) {
            self.queue.remove(at);
            self.fail(id, ErrorCode::RequestCanceled, "cancelled".to_owned())?;
        }
        Ok(())
    }

    fn fail(&mut self, id: RequestId, code: ErrorCode, message: String) -> io::Result<()> {
        self.client
            .answer(Response::new_err(id, code as i32, message))
    }

    fn request(&mut self, request: Request) -> io::Result<()> {
        let Request { id, method, params } = request;
        match (self.stage, method.as_str()) {
            (Stage::New, "initialize") => {
                self.begin(&params);
                let answer = answers::initialized(&self.world.settings);
                return self.client.answer(Response::new_ok(id, answer));
            }
            (Stage::New, _) => {
                let text = "the server waits for `initialize`".to_owned();
                return self.fail(id, ErrorCode::ServerNotInitialized, text);
            }
            (Stage::ShutDown, _) | (_, "initialize") => {
                let text = format!("`{method}` cannot be asked now");
                return self.fail(id, ErrorCode::InvalidRequest, text);
            }
            (Stage::Serving, "shutdown") => {
                self.stage = Stage::ShutDown;
                return self.client.answer(Response::new_ok(id, Value::Null));
            }
            (Stage::Serving, "workspace/executeCommand") => return self.execute(id, params),
            (Stage::Serving, _) => {}
        }
        let world = &mut self.world;
        match catch_unwind(AssertUnwindSafe(|| answers::answer(world, &method, params))) {
            Ok(Ok(value)) => self.client.answer(Response::new_ok(id, value)),
            Ok(Err(Failure { code, message })) => self.fail(id, code, message),
            Err(payload) => {
                let text = self.panicked(&method, &*payload)?;
                self.fail(id, ErrorCode::InternalError, text)
            }
        }
    }

    /// After a panic: writes a report, and tells the client where it is.
    fn panicked(
        &mut self,
        method: &str,
        payload: &(dyn std::any::Any + Send),
    ) -> io::Result<String> {
        let (path, said) = reports::write(method, payload);
        // What was being made when it panicked is made again.
        self.world.allow_folders();
        let text = match path {
            Some(path) => format!(
                "a defect of Treemind: {said}; please send the report in {} to those who make it",
                path.display()
            ),
            None => format!("a defect of Treemind: {said}"),
        };
        self.client.log(1, &text)?;
        Ok(text)
    }

    fn begin(&mut self, params: &Value) {
        self.stage = Stage::Serving;
        self.world.settings = Settings::of_client(params);
        let folders = params.get("workspaceFolders").and_then(Value::as_array);
        let many = folders
            .into_iter()
            .flatten()
            .filter_map(|one| one.get("uri"));
        let mut uris: Vec<&str> = many.filter_map(Value::as_str).collect();
        if uris.is_empty() {
            uris.extend(params.get("rootUri").and_then(Value::as_str));
        }
        let names = uris.into_iter().map(|uri| name_of(&Uri::from(uri)));
        self.world.set_folders(names.collect());
    }

    fn notification(&mut self, told: Notification) -> io::Result<()> {
        if self.stage != Stage::Serving {
            return Ok(());
        }
        let method = told.method.clone();
        match catch_unwind(AssertUnwindSafe(|| self.heard(told))) {
            Ok(done) => done,
            Err(payload) => self.panicked(&method, &*payload).map(drop),
        }
    }

    fn heard(&mut self, told: Notification) -> io::Result<()> {
        let params = told.params;
        match told.method.as_str() {
            "initialized" => return self.watch(),
            "textDocument/didOpen" => {
                if let Some(it) = self.read::<DidOpenTextDocumentParams>(params)? {
                    self.world.open(it.text_document);
                }
            }
            "textDocument/didChange" => {
                if let Some(it) = self.read::<DidChangeTextDocumentParams>(params)? {
                    self.world.change(&it.text_document, it.content_changes);
                }
            }
            "textDocument/didClose" => {
                if let Some(it) = self.read::<DidCloseTextDocumentParams>(params)? {
                    self.world.close(&it.text_document.uri);
                }
            }
            "textDocument/didSave" => {
                if let Some(it) = self.read::<DidSaveTextDocumentParams>(params)? {
                    self.world.look_again(&name_of(&it.text_document.uri));
                }
            }
            "workspace/didChangeWatchedFiles" => {
                if let Some(it) = self.read::<DidChangeWatchedFilesParams>(params)? {
                    for change in it.changes {
                        self.world.look_again(&name_of(&change.uri));
                    }
                }
            }
            "workspace/didChangeWorkspaceFolders" => {
                if let Some(it) = self.read::<DidChangeWorkspaceFoldersParams>(params)? {
                    let mut folders = self.world.folders().to_vec();
                    let gone: Vec<String> = it
                        .event
                        .removed
                        .iter()
                        .map(|one| name_of(&one.uri))
                        .collect();
                    folders.retain(|folder| !gone.contains(folder));
                    folders.extend(it.event.added.iter().map(|one| name_of(&one.uri)));
                    self.world.set_folders(folders);
                }
            }
            "workspace/didChangeConfiguration" => {
                if let Some(wanted) = params.get("settings") {
                    self.world.settings.turn_to(wanted);
                    self.world.allow_folders();
                }
            }
            // What a server does not know, it may ignore.
            _ => return Ok(()),
        }
        let now = Instant::now();
        let first = self.changed.map_or(now, |(first, _)| first);
        self.changed = Some((first, now));
        Ok(())
    }

    fn read<P: DeserializeOwned>(&mut self, params: Value) -> io::Result<Option<P>> {
        match serde_json::from_value(params) {
            Ok(read) => Ok(Some(read)),
            Err(error) => {
                self.client
                    .log(1, &format!("a message cannot be read: {error}"))?;
                Ok(None)
            }
        }
    }

    /// Asks the client to tell of files that others change.
    fn watch(&mut self) -> io::Result<()> {
        if !self.world.settings.can.watching {
            return Ok(());
        }
        let registration = json!({
            "id": "treemind-files",
            "method": "workspace/didChangeWatchedFiles",
            "registerOptions": { "watchers": [{ "globPattern": "**/*.{kdl,json,xml,scxml}" }] },
        });
        self.client.ask(
            "client/registerCapability",
            json!({ "registrations": [registration] }),
        )
    }

    /// Checks what has changed, and tells the client what it does not know yet.
    fn publish(&mut self) -> io::Result<()> {
        self.changed = None;
        let world = &mut self.world;
        let found = match catch_unwind(AssertUnwindSafe(|| diagnose::diagnose(world))) {
            Ok(found) => found,
            Err(payload) => return self.panicked("diagnostics", &*payload).map(drop),
        };
        let gone = self
            .published
            .keys()
            .filter(|name| !found.contains_key(*name));
        let gone: Vec<String> = gone.cloned().collect();
        for name in gone {
            self.published.remove(&name);
            self.client.publish(uri_of(&name), None, Vec::new())?;
        }
        for (name, diagnostics) in found {
            let version = self.world.version(&name);
            // A client that has the text open waits for an answer to each change.
            let shown = (version, diagnostics);
            if self.published.get(&name) != Some(&shown) {
                self.client
                    .publish(uri_of(&name), version, shown.1.clone())?;
                self.published.insert(name, shown);
            }
        }
        Ok(())
    }

    /// Runs a command, of which there is one: tests.
    fn execute(&mut self, id: RequestId, params: Value) -> io::Result<()> {
        let command = params.get("command").and_then(Value::as_str).unwrap_or("");
        let arguments = params.get("arguments").and_then(Value::as_array);
        let uri = arguments.and_then(|all| all.first()?.as_str());
        let ids = arguments.and_then(|all| all.get(1)?.as_array());
        let ids = ids.into_iter().flatten().filter_map(Value::as_str);
        let ids: Vec<String> = ids.map(str::to_owned).collect();
        let (answers::RUN_TESTS, Some(uri)) = (command, uri) else {
            let text = format!("there is no command `{command}` with such arguments");
            return self.fail(id, ErrorCode::InvalidParams, text);
        };
        let name = name_of(&Uri::from(uri));
        let root = self.world.root(&name);
        let Some(document) = root.and_then(|root| self.world.document(&root).cloned()) else {
            return self.fail(
                id,
                ErrorCode::RequestFailed,
                "there is no such document".to_owned(),
            );
        };
        let stamps = document.sources().map(|one| one.name().to_owned());
        let stamps = stamps.map(|name| {
            let stamp = self.world.files.stamp(&name);
            (name, stamp)
        });
        let stamps = stamps.collect();
        let encoding = self.world.settings.encoding;
        self.progress(&id, true)?;
        let sender = self.sender.clone();
        let own = id.clone();
        let run = move || {
            let run = catch_unwind(AssertUnwindSafe(|| {
                crate::testing::run(&document, &ids, encoding)
            }));
            let mut run = run.unwrap_or_else(|payload| Run {
                answer: Err(format!(
                    "a defect of Treemind: {}",
                    reports::write("tests", &*payload).1
                )),
                tested: crate::testing::Tested::default(),
            });
            run.tested.stamps = stamps;
            // If the server has ended, nobody waits.
            let _ = sender.send(Event::Ran(own, name, run));
        };
        let started = thread::Builder::new()
            .name("treemind-lsp-tests".to_owned())
            .spawn(run);
        match started {
            Ok(_) => Ok(()),
            Err(error) => self.fail(id, ErrorCode::InternalError, error.to_string()),
        }
    }

    /// Shows that tests are running, or no longer.
    fn progress(&mut self, id: &RequestId, begins: bool) -> io::Result<()> {
        if !self.world.settings.can.progress {
            return Ok(());
        }
        let token = format!("treemind-tests-{id}");
        if begins {
            self.client
                .ask("window/workDoneProgress/create", json!({ "token": token }))?;
        }
        let value = match begins {
            true => json!({ "kind": "begin", "title": "running tests" }),
            false => json!({ "kind": "end" }),
        };
        self.client
            .tell("$/progress", json!({ "token": token, "value": value }))
    }

    /// Answers a request that has run tests, and shows how they ended.
    fn ran(&mut self, id: RequestId, name: String, run: Run) -> io::Result<()> {
        self.progress(&id, false)?;
        let known = self.world.tested.entry(name).or_default();
        known.ends.extend(run.tested.ends);
        if run.tested.coverage.is_some() {
            known.coverage = run.tested.coverage;
            known.marks = run.tested.marks;
            known.stamps = run.tested.stamps;
        }
        match run.answer {
            Ok(value) => self.client.answer(Response::new_ok(id, value))?,
            Err(why) => self.fail(id, ErrorCode::RequestFailed, why)?,
        }
        if self.world.settings.can.refreshes_lenses {
            self.client.ask("workspace/codeLens/refresh", Value::Null)?;
        }
        self.publish()
    }
}

#[cfg(test)]
mod tests;
