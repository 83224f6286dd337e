//! A terminal of its own for a program, as a test sees it.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Columns and rows.
const SIZE: (u16, u16) = (100, 30);

/// A program in its own terminal, of 100 columns and 30 rows.
#[derive(Debug)]
pub struct Terminal {
    child: Child,
    keyboard: File,
    /// The other end of the terminal, to read its modes, until the end.
    line: Option<File>,
    output: Receiver<Vec<u8>>,
    /// What reads the output, and whether it goes on.
    reader: Option<JoinHandle<()>>,
    is_open: Arc<AtomicBool>,
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
    /// Starts a program.
    ///
    /// # Panics
    /// When the system has no terminal for it, or the program does not start.
    pub fn start(mut command: Command) -> Self {
        let near: OwnedFd =
            openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&near).unwrap();
        unlockpt(&near).unwrap();
        let name = ptsname(&near, Vec::new()).unwrap().into_string().unwrap();
        let line = File::options().read(true).write(true).open(name).unwrap();
        let size = Winsize {
            ws_row: SIZE.1,
            ws_col: SIZE.0,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&line, size).unwrap();
        let keyboard = File::from(near);
        let mut screen = keyboard.try_clone().unwrap();
        let (sender, output) = channel();
        let is_open = Arc::new(AtomicBool::new(true));
        let goes_on = Arc::clone(&is_open);
        let reader = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            let pause = Timespec::try_from(Duration::from_millis(20)).unwrap();
            while goes_on.load(Ordering::Relaxed) {
                let mut all = [PollFd::new(&screen, PollFlags::IN)];
                if poll(&mut all, Some(&pause)) == Ok(0) {
                    continue;
                }
                let Ok(count @ 1..) = screen.read(&mut bytes) else {
                    return;
                };
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let child = command
            .env("TERM", "xterm")
            .stdin(line.try_clone().unwrap())
            .stdout(line.try_clone().unwrap())
            .stderr(line.try_clone().unwrap())
            .spawn()
            .expect("the program starts");
        Self {
            child,
            keyboard,
            line: Some(line),
            output,
            reader: Some(reader),
            is_open,
            seen: Vec::new(),
        }
    }

    /// Closes the terminal under the program, and waits for its end.
    ///
    /// # Panics
    /// When the program does not end within ten seconds.
    #[track_caller]
    pub fn hang_up(mut self) -> ExitStatus {
        self.is_open.store(false, Ordering::Relaxed);
        self.reader.take().unwrap().join().unwrap();
        self.line = None;
        // The last that holds it: the program has only its own end now.
        let nowhere = File::options().write(true).open("/dev/null").unwrap();
        drop(std::mem::replace(&mut self.keyboard, nowhere));
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            let waited = begun.elapsed();
            assert!(waited < Duration::from_secs(10), "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Whether the program reads keys as they are pressed.
    ///
    /// # Panics
    /// When the terminal has no modes.
    pub fn is_raw(&self) -> bool {
        let line = self.line.as_ref().expect("it is not over");
        let modes = tcgetattr(line).unwrap().local_modes;
        !modes.intersects(LocalModes::ICANON | LocalModes::ECHO)
    }

    /// Presses keys.
    ///
    /// # Panics
    /// When the terminal is gone.
    pub fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// What the program has written so far, with the codes for the terminal.
    pub fn seen(&self) -> String {
        String::from_utf8_lossy(&self.seen).into_owned()
    }

    /// Waits for more that the program writes.
    fn read(&mut self, wanted: &str) {
        let bytes = self.output.recv_timeout(Duration::from_secs(60));
        let bytes = bytes.unwrap_or_else(|_| panic!("no {wanted:?} in {:?}", self.seen()));
        self.seen.extend(bytes);
    }

    /// Waits until the program has written a text.
    ///
    /// # Panics
    /// When it never does.
    #[track_caller]
    pub fn until(&mut self, text: &str) {
        let shown = |seen: &[u8]| seen.windows(text.len()).any(|at| at == text.as_bytes());
        let begun = Instant::now();
        while !shown(&self.seen) {
            let waited = begun.elapsed();
            assert!(waited < Duration::from_secs(300), "{text:?} never comes");
            self.read(text);
        }
    }

    /// The rows of the screen after the last whole frame: the live view ends each of them by hiding the cursor.
    pub fn screen(&self) -> Vec<String> {
        let end = b"\x1b[?25l";
        let last = self.seen.windows(end.len()).rposition(|at| at == end);
        screen(&self.seen[..last.unwrap_or(0)])
    }

    /// Waits until the screen looks so; returns its rows.
    ///
    /// # Panics
    /// When it never does.
    #[track_caller]
    pub fn shows(&mut self, what: &str, test: impl Fn(&[String]) -> bool) -> Vec<String> {
        let begun = Instant::now();
        loop {
            let rows = self.screen();
            if test(&rows) {
                return rows;
            }
            let waited = begun.elapsed();
            let shown = rows.join("\n");
            assert!(waited < Duration::from_secs(300), "no {what} in\n{shown}");
            let bytes = self.output.recv_timeout(Duration::from_secs(60));
            let bytes = bytes.unwrap_or_else(|_| panic!("no {what} in\n{shown}"));
            self.seen.extend(bytes);
        }
    }

    /// Sends the program a signal.
    ///
    /// # Panics
    /// When it is gone.
    pub fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
    }

    /// Waits for the end, and checks that the terminal is as it was before. Returns everything that was written, too.
    ///
    /// # Panics
    /// When the program does not end within half a minute, or the terminal is not as before.
    #[track_caller]
    pub fn end(mut self) -> (ExitStatus, String) {
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if begun.elapsed() > Duration::from_secs(30) {
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
        // When nobody holds that end any more, there is nothing more to read.
        self.line = None;
        while let Ok(bytes) = self.output.recv() {
            self.seen.extend(bytes);
        }
        let text = self.seen();
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
        (status, text)
    }
}

/// The rows of the screen after what a program has written. It knows what the live view uses: texts, places, and clearing
/// everything; colours do not matter.
fn screen(seen: &[u8]) -> Vec<String> {
    let (wide, high) = (usize::from(SIZE.0), usize::from(SIZE.1));
    let mut cells = vec![vec![' '; wide]; high];
    let (mut x, mut y) = (0, 0);
    let text = String::from_utf8_lossy(seen);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1b}' if letters.next_if_eq(&'[').is_some() => {
                let mut code = String::new();
                while let Some(part) = letters.next_if(|part| !('@'..='~').contains(part)) {
                    code.push(part);
                }
                match letters.next() {
                    Some('H') => {
                        let mut place = code.split(';').map(|part| part.parse().unwrap_or(1));
                        let mut side = |most: usize| place.next().unwrap_or(1).clamp(1, most) - 1;
                        (y, x) = (side(high), side(wide));
                    }
                    // Another screen begins empty.
                    Some('h') if code == "?1049" => cells.iter_mut().for_each(|row| row.fill(' ')),
                    Some('J') => cells.iter_mut().for_each(|row| row.fill(' ')),
                    _ => {}
                }
            }
            '\r' => x = 0,
            '\n' => y = (y + 1).min(high - 1),
            letter if letter.is_control() => {}
            letter => {
                if x < wide {
                    cells[y][x] = letter;
                    x += 1;
                }
            }
        }
    }
    let row = |row: Vec<char>| row.into_iter().collect::<String>().trim_end().to_owned();
    cells.into_iter().map(row).collect()
}
