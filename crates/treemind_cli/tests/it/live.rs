//! The live view in a terminal: however it ends, the terminal is left as it was before.
#![cfg(target_os = "linux")]

use crate::{command, data};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The program in its own terminal.
struct Terminal {
    child: Child,
    keyboard: File,
    /// The other end of the terminal, to read its modes.
    line: File,
    screen: Receiver<Vec<u8>>,
    seen: Vec<u8>,
}

impl Drop for Terminal {
    /// A test that fails leaves no program behind.
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Terminal {
    fn start(arguments: &str) -> Self {
        Self::start_in(&data(), arguments)
    }

    fn start_in(folder: &Path, arguments: &str) -> Self {
        let near: OwnedFd = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&near).unwrap();
        unlockpt(&near).unwrap();
        let name = ptsname(&near, Vec::new()).unwrap().into_string().unwrap();
        let line = File::options().read(true).write(true).open(name).unwrap();
        let size = Winsize {
            ws_row: 30,
            ws_col: 100,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&line, size).unwrap();
        let keyboard = File::from(near);
        let mut screen = keyboard.try_clone().unwrap();
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = screen.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let child = command(folder, arguments)
            .env("TERM", "xterm")
            .stdin(line.try_clone().unwrap())
            .stdout(line.try_clone().unwrap())
            .stderr(line.try_clone().unwrap())
            .spawn()
            .expect("the program starts");
        Self {
            child,
            keyboard,
            line,
            screen: receiver,
            seen: Vec::new(),
        }
    }

    fn is_raw(&self) -> bool {
        let modes = tcgetattr(&self.line).unwrap().local_modes;
        !modes.intersects(LocalModes::ICANON | LocalModes::ECHO)
    }

    /// Waits until the screen has shown a text.
    fn until(&mut self, text: &str) {
        let shown = |seen: &[u8]| seen.windows(text.len()).any(|at| at == text.as_bytes());
        let begun = Instant::now();
        while !shown(&self.seen) {
            let waited = begun.elapsed();
            assert!(waited < Duration::from_secs(300), "{text:?} never comes");
            let bytes = self.screen.recv_timeout(Duration::from_secs(60));
            let seen = String::from_utf8_lossy(&self.seen);
            self.seen
                .extend(bytes.unwrap_or_else(|_| panic!("no {text:?} in {seen:?}")));
        }
    }

    fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
    }

    /// Waits for the end, and checks that the terminal is as it was before.
    fn end(mut self) -> ExitStatus {
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if begun.elapsed() > Duration::from_secs(30) {
                self.child.kill().unwrap();
                panic!("it does not end");
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        for restoring in [
            "\u{1b}[?1049l",
            "\u{1b}[?1000l",
            "\u{1b}[?1006l",
            "\u{1b}[?25h",
        ] {
            self.until(restoring);
        }
        assert!(!self.is_raw(), "it is still raw");
        let text = String::from_utf8_lossy(&self.seen).into_owned();
        let after = |set: &str, reset: &str| {
            let (set, reset) = (text.rfind(set), text.rfind(reset));
            assert!(
                reset > set && set.is_some(),
                "{set:?} {reset:?} in {text:?}"
            );
        };
        after("\u{1b}[?1049h", "\u{1b}[?1049l");
        after("\u{1b}[?1000h", "\u{1b}[?1000l");
        after("\u{1b}[?25l", "\u{1b}[?25h");
        status
    }
}

#[test]
fn signals_leave_the_terminal_as_it_was() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT] {
        let mut terminal = Terminal::start("run guard.kdl --script day.txt");
        terminal.until("\u{1b}[?1000h");
        terminal.until("tick");
        assert!(terminal.is_raw());
        terminal.signal(signal);
        // It ends the way the signal ends programs, so that the process waiting for it can tell.
        assert_eq!(terminal.end().signal(), Some(signal.as_raw()));
    }
}

#[test]
fn a_key_ends_it_well() {
    let mut terminal = Terminal::start("run guard.kdl --script day.txt");
    terminal.until("tick");
    terminal.keyboard.write_all(b"q").unwrap();
    assert_eq!(terminal.end().code(), Some(0));
}

/// Shows an example, changes its document, and waits until the view says so, and what it cost.
fn reloaded(example: &str, document: &str, (old, new): (&str, &str), arguments: &str, says: &str) {
    let example = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples")
        .join(example);
    let here = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(example).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            std::fs::copy(&path, here.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    let mut terminal = Terminal::start_in(here.path(), arguments);
    terminal.until("\u{1b}[?1000h");
    terminal.until("quit");
    let file = here.path().join(document);
    let text = std::fs::read_to_string(&file).unwrap();
    let changed = text.replace(old, new);
    assert_ne!(changed, text);
    std::fs::write(&file, changed).unwrap();
    terminal.until(says);
    terminal.until("read and checked in");
    terminal.until("swapped in");
    terminal.keyboard.write_all(b"q").unwrap();
    assert_eq!(terminal.end().code(), Some(0));
}

#[test]
fn the_view_of_a_crowd_says_what_was_reloaded_and_what_it_cost() {
    reloaded(
        "12-village",
        "village.kdl",
        ("hide secs=20.0", "hide secs=25.0"),
        "run village.kdl --agents 300 --watch",
        "reloaded village.kdl: nothing was aborted, read and checked in",
    );
}

#[test]
fn the_view_of_a_game_says_what_was_reloaded_and_what_it_cost() {
    reloaded(
        "01-guard",
        "guard.kdl",
        ("health < 20", "health < 21"),
        "run guard.kdl --watch",
        "reloaded guard.kdl: ",
    );
}
