//! Recordings that are read while they are written.

use super::Shown;
use super::games::{Game, TICK};
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use treemind_recording::{Recorder, Recording, Tape};
use treemind_replay::history::{History, Store as _};

/// What there is in a recording.
fn told(recording: &Recording) -> String {
    let notes = recording.notes().map(|note| {
        let bytes = note.bytes().expect("it is there").into_owned();
        (note.tick, note.name.to_owned(), bytes)
    });
    let notes: Vec<_> = notes.collect();
    let documents = recording.documents().count();
    format!(
        "{:?} {:?} {} {notes:?} {documents} {}",
        recording.stretches(),
        recording.losses(),
        recording.missing(),
        recording.is_finished()
    )
}

fn recorded(ticks: usize) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.mcap");
    let mut game = Game::new(3);
    let mut recorder = Recorder::create(&path, &game.document).expect("a recorder");
    for tick in 0..ticks {
        if tick % 40 == 7 {
            recorder.note("key", format!("{tick}").as_bytes());
        }
        if tick % 90 == 89 {
            recorder.flush();
        }
        game.meddle();
        let host = &mut game.bound.host(&mut game.world);
        recorder.tick(&mut game.guards, host, TICK);
    }
    recorder.finish().expect("it is all written");
    std::fs::read(&path).expect("it is there")
}

/// However a file grows, reading on finds what reading it anew finds.
#[test]
fn reading_on_finds_what_reading_anew_finds() {
    let whole = recorded(700);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.mcap");
    let mut random = fastrand::Rng::with_seed(7);
    let (mut opened, mut read_on) = (0, 0);
    for _ in 0..12 {
        let mut file = File::create(&path).expect("a file");
        let (mut at, mut known) = (0, None::<Recording>);
        while at < whole.len() {
            let next = whole.len().min(at + random.usize(1..whole.len() / 6));
            file.write_all(&whole[at..next]).expect("it is written");
            at = next;
            let anew = Recording::open(&path).ok();
            known = match &known {
                None => anew.clone(),
                Some(known) => {
                    read_on += 1;
                    known.grown().expect("it can be read")
                }
            };
            opened += usize::from(known.is_some());
            assert_eq!(known.as_ref().map(told), anew.as_ref().map(told), "{at}");
        }
        let known = known.expect("it is whole");
        assert!(known.is_finished());
        assert!(known.grown().expect("it can be read").is_none());
    }
    assert!(opened > 60 && read_on > 50, "{opened} {read_on}");
}

/// A history of a file that is being written goes on where the file does, and plays what was recorded.
#[test]
fn a_history_goes_on_with_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.mcap");
    let mut game = Game::new(3);
    let mut recorder = Recorder::create(&path, &game.document).expect("a recorder");
    let mut play = |recorder: &mut Recorder, ticks: usize| {
        for _ in 0..ticks {
            game.meddle();
            let host = &mut game.bound.host(&mut game.world);
            recorder.tick(&mut game.guards, host, TICK);
        }
        recorder.flush();
    };
    play(&mut recorder, 50);
    let opened = Recording::open(&path).expect("it is a recording");
    let mut history = History::at_end(Tape::whole(&opened)).expect("it plays");
    assert_eq!(history.tick(), 50);
    assert!(!history.step().expect("it plays"));
    assert!(!history.store_mut().look_again().expect("it can be read"));
    for end in [80, 400, 401] {
        play(&mut recorder, end as usize - history.tick() as usize);
        assert!(history.store_mut().look_again().expect("it can be read"));
        history.go_to(end).expect("it plays");
        assert_eq!(history.tick(), end);
        assert!(!history.store().is_finished());
    }
    recorder.finish().expect("it is all written");
    assert!(!history.store_mut().look_again().expect("it can be read"));
    assert!(history.store().is_finished());
    let anew = Recording::open(&path).expect("it is a recording");
    let shown = Shown::at(&anew, 401).expect("it plays");
    let states = [history.stage(), shown.stage()].map(|stage| {
        let population = stage.population(stage.populations()[0]);
        population.expect("the guards").save()
    });
    assert!(states[0] == states[1]);
}

/// A file that begins again is another recording: that is said, and nothing of it is played as if it followed.
#[test]
fn a_file_that_is_written_anew_is_not_read_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.mcap");
    std::fs::write(&path, &recorded(200)[..5_000]).expect("it is written");
    let opened = Recording::open(&path).expect("it is a recording");
    let file = OpenOptions::new().write(true).open(&path).expect("a file");
    file.set_len(100).expect("it is cut off");
    let error = opened.grown().expect_err("it is shorter");
    assert_eq!(error.to_string(), "the file was written anew");
}
