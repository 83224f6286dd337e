//! What somebody who means no good, or has a mistake, can do to the server and to the others: little.

use crate::program::{Studio, Talk};
use crate::server::{request, until};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

const GUARD: &str = "examples/01-guard/guard.kdl";
const HELLO: &str = r#"{"say": "hello"}"#;

/// How long a loaded machine may take.
const PATIENCE: Duration = Duration::from_secs(60);

fn page_of(studio: &Studio) -> String {
    request(studio, "/", &format!("Host: {}\r\n", studio.host()))
}

/// What the system has counted of the process: how long it has computed.
fn computed(studio: &Studio) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", studio.id())).expect("a process");
    let (_, after) = stat.rsplit_once(") ").expect("a name");
    let ticks = after.split(' ').skip(11).take(2);
    let ticks: u64 = ticks.map(|one| one.parse::<u64>().expect("a number")).sum();
    Duration::from_millis(ticks * 10)
}

/// How much memory the process has, in kilobytes.
fn memory(studio: &Studio) -> u64 {
    let path = format!("/proc/{}/status", studio.id());
    let status = std::fs::read_to_string(path).expect("a process");
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.expect("a line").parse().expect("a number")
}

/// The page as soon as it is served again.
fn recovers(studio: &Studio) {
    let begun = Instant::now();
    loop {
        let page = page_of(studio);
        if page.starts_with("HTTP/1.1 200") {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "it does not recover: {page}");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn without_file_descriptors_it_says_so_stays_calm_and_recovers() {
    // Fewer than it takes connections.
    let studio = Studio::with_few_files(40, &[GUARD]);
    let all: Vec<TcpStream> = (0..90)
        .map(|_| TcpStream::connect(studio.host()).expect("a connection"))
        .collect();
    let mut told = String::new();
    for stream in &all {
        let mut stream = stream;
        stream
            .set_read_timeout(Some(Duration::from_millis(20)))
            .expect("a limit");
        // Most have no answer yet, or are closed.
        let _ = stream.read_to_string(&mut told);
    }
    assert!(told.starts_with("HTTP/1.1 503 "), "{told}");
    assert!(told.contains("no file descriptors left"), "{told}");
    let (before, begun) = (computed(&studio), Instant::now());
    thread::sleep(Duration::from_secs(2));
    let share = (computed(&studio) - before).as_secs_f64() / begun.elapsed().as_secs_f64();
    assert!(share < 0.4, "it computes {share} of the time");
    drop(all);
    recovers(&studio);
    let mut talk = studio.talk();
    talk.say(HELLO);
    assert_eq!(talk.hear()["kind"], "hello");
}

#[test]
fn more_connections_than_it_takes_are_told_so_until_one_is_closed() {
    let studio = Studio::start(&[GUARD]);
    let mut talks: Vec<Talk> = (0..64).map(|_| studio.talk()).collect();
    let answer = page_of(&studio);
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
    assert!(answer.contains("the studio has 64 connections"), "{answer}");
    // A browser has connections ready before it asks. Then it is not reset, but told.
    let mut slow = TcpStream::connect(studio.host()).expect("a connection");
    thread::sleep(Duration::from_millis(600));
    let asked = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", studio.host());
    slow.write_all(asked.as_bytes()).expect("it listens");
    let mut answer = String::new();
    slow.read_to_string(&mut answer).expect("it is no reset");
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
    // A page that is there already, and begins to talk again, is told as well.
    let (code, reason) = studio.talk().farewell();
    assert!(
        code == 1013 && reason.contains("the studio has 64 connections"),
        "{reason}"
    );
    for talk in &mut talks {
        talk.say(HELLO);
        assert_eq!(talk.hear()["kind"], "hello");
    }
    talks.pop();
    recovers(&studio);
}

#[test]
fn a_request_that_never_ends_is_closed() {
    let studio = Studio::start(&[GUARD]);
    let mut stream = TcpStream::connect(studio.host()).expect("a connection");
    stream
        .write_all(b"GET / HTTP/1.1\r\nHost: ")
        .expect("it listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it is closed");
    assert!(!answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[test]
fn a_page_that_asks_all_the_time_does_not_hold_up_the_others() {
    let mut studio = Studio::start(&[GUARD]);
    let mut calm = studio.talk();
    let mut loud = studio.talk();
    let flood = thread::spawn(
        move || {
            while loud.try_say(HELLO.to_owned()) && loud.try_hear() {}
        },
    );
    let begun = Instant::now();
    for nth in 0..20 {
        calm.say(&format!(r#"{{"say": "go", "tick": {nth}}}"#));
        until(&mut calm, r#""mind": 0"#, |view| view["tick"] == nth);
    }
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "{:?}",
        begun.elapsed()
    );
    // It hears the signal that ends it.
    let id = rustix::process::Pid::from_raw(studio.id() as i32).expect("a process");
    rustix::process::kill_process(id, rustix::process::Signal::INT).expect("a signal");
    assert!(studio.ends_within(Duration::from_secs(10)));
    flood.join().expect("the flood has ended");
}

#[test]
fn what_waits_for_a_page_that_never_reads_is_bounded() {
    let studio = Studio::start(&[GUARD]);
    let mut calm = studio.talk();
    until(&mut calm, r#""mind": 0"#, |view| {
        view["tick"].as_u64() > Some(2)
    });
    let before = memory(&studio);
    let mut deaf = studio.talk();
    deaf.patience(Duration::from_millis(500));
    // It ends when nothing more is taken from it.
    let mut said = 0_u64;
    while deaf.try_say(HELLO.to_owned()) {
        said += 1;
        assert!(said < 3_000_000, "it takes whatever comes");
    }
    let grown = memory(&studio).saturating_sub(before);
    assert!(grown < 16 * 1024, "{said} questions, {grown} kB more");
    calm.say(r#"{"say": "go", "tick": 3}"#);
    until(&mut calm, r#""mind": 0"#, |view| view["tick"] == 3);
}

#[test]
fn a_page_that_is_closed_is_told_why() {
    let studio = Studio::start(&[GUARD]);
    let mut talk = studio.talk_without_token();
    // As long as a message may be: that it makes no sense is another matter.
    talk.say(&" ".repeat(64 * 1024));
    assert_eq!(talk.hear()["kind"], "refused");
    for length in [64 * 1024 + 1, 1 << 20, 40 << 20] {
        let mut talk = studio.talk_without_token();
        // The server closes it while the rest is on its way.
        let _ = talk.try_say(" ".repeat(length));
        let (code, reason) = talk.farewell();
        assert_eq!(code, 1009, "{length}");
        assert!(reason.contains("65536 bytes"), "{reason}");
    }
    talk.say_bytes(vec![1, 2, 3]);
    let (code, reason) = talk.farewell();
    assert_eq!(code, 1003);
    assert!(reason.contains("text frames"), "{reason}");
}
