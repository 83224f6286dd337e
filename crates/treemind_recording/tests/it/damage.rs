//! Files that were cut off or damaged are read as far as they are whole.

use super::Shelf;
use super::games::{Events, Game, TICK, events};
use treemind_recording::{Film, Recorder, Recording};

/// A small recording with its traces, and what was in the file after each tick.
fn small(ticks: usize) -> (Vec<u8>, Vec<Vec<Events>>, Vec<usize>) {
    let mut game = Game::new(2);
    let shelf = Shelf::default();
    let mut recorder = Recorder::to(shelf.clone(), &game.document).expect("a recorder");
    let mut sizes = Vec::new();
    let traces = (0..ticks).map(|_| {
        let trace = game.tick(&mut recorder);
        sizes.push(shelf.bytes().len());
        trace
    });
    let traces = traces.collect();
    recorder.finish().expect("it is all written");
    (shelf.bytes(), traces, sizes)
}

/// Plays all that can be played, and compares it with what happened.
fn play(recording: &Recording, traces: &[Vec<Events>]) {
    let mut tick = recording.ticks().start() - 1;
    while tick < *recording.ticks().end() {
        let Ok(mut film) = Film::at(recording, tick) else {
            tick += 1;
            continue;
        };
        while let Ok(true) = film.step() {
            let trace = film.trace(film.stage().populations()[0]).expect("a trace");
            let wanted = &traces[film.tick() as usize - 1];
            assert_eq!(&events(trace, wanted.len()), wanted);
        }
        tick = film.tick().max(tick) + 1;
    }
}

#[test]
fn a_file_cut_off_anywhere_is_played_up_to_there() {
    let (file, traces, _) = small(120);
    let mut last = 0;
    for end in 0..file.len() {
        let Ok(recording) = Recording::read(file[..end].to_vec()) else {
            assert_eq!(last, 0, "cut at {end}, there is nothing");
            continue;
        };
        assert!(
            !recording.losses().is_empty(),
            "cut at {end}, nothing is said"
        );
        let ticks = *recording.ticks().end();
        assert!(
            ticks >= last,
            "cut at {end}, ticks are lost that were there"
        );
        if ticks > last {
            play(&recording, &traces);
        }
        last = ticks;
    }
    assert_eq!(last, 120);
}

#[test]
fn a_crash_loses_less_than_a_second() {
    let (file, traces, sizes) = small(200);
    for (nth, size) in sizes.iter().enumerate().step_by(7) {
        // What was in the file when the game died after this tick.
        let there = Recording::read(file[..*size].to_vec()).expect("there is a state");
        let lost = (nth as u64 + 1 - *there.ticks().end()) as u32;
        assert!(TICK * lost < std::time::Duration::from_secs(1));
        play(&there, &traces);
    }
}

#[test]
fn a_bit_that_flips_is_noticed_or_changes_nothing() {
    let (file, traces, _) = small(40);
    for at in (0..file.len()).step_by(3) {
        let mut damaged = file.clone();
        damaged[at] ^= 1 << (at % 8);
        if let Ok(recording) = Recording::read(damaged) {
            play(&recording, &traces);
            let is_whole = recording.ticks() == (1..=40);
            assert!(is_whole || !recording.losses().is_empty(), "byte {at}");
        }
    }
}

#[test]
fn other_tools_can_open_the_file() {
    let (file, ..) = small(100);
    let messages = mcap::MessageStream::new(&file).expect("it is MCAP");
    let messages: Vec<_> = messages.collect::<Result<_, _>>().expect("it is whole");
    let of = |topic: &str| {
        messages
            .iter()
            .filter(|one| one.channel.topic == topic)
            .count()
    };
    assert_eq!(of("treemind.document"), 1);
    // Ticks of five seconds, of which at most 0.8 are written together.
    assert!(of("treemind.state") >= 1 && of("treemind.ticks") >= 7);
    let summary = mcap::Summary::read(&file).expect("it is MCAP");
    let summary = summary.expect("it has an index");
    assert!(summary.chunk_indexes.len() >= 8);
    let statistics = summary.stats.expect("it has statistics");
    assert_eq!(statistics.message_count, messages.len() as u64);
}

#[test]
fn what_follows_a_gap_is_played_from_the_next_state() {
    let (mut file, traces, _) = small(400);
    // The chunk with the ticks 51 to 60 gets another content.
    let chunks = mcap::Summary::read(&file).expect("it is MCAP");
    let chunks = chunks.expect("it has an index").chunk_indexes;
    let at = chunks
        .iter()
        .filter(|chunk| chunk.message_start_time >= 3_000_000_000);
    let at = at
        .map(|chunk| chunk.chunk_start_offset)
        .min()
        .expect("a chunk");
    file[at as usize + 60] ^= 1;
    let recording = Recording::read(file).expect("the rest is there");
    let stretches = recording.stretches();
    assert_eq!(
        (stretches.len(), recording.ticks()),
        (2, 1..=400),
        "{stretches:?}"
    );
    let [damaged, missing] = recording.losses() else {
        panic!("{:?}", recording.losses());
    };
    let (first, last) = (stretches[0].end() + 1, stretches[1].start() - 1);
    assert!(damaged.contains("damaged"), "{damaged}");
    assert_eq!(*missing, format!("the ticks {first} to {last} are missing"));
    play(&recording, &traces);
}
