//! Files that were cut off or damaged are read as far as they are whole.

use super::games::{Events, Game, TICK, events};
use super::{Shelf, Shown};
use treemind_recording::{Recorder, Recording};

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
        let Ok(mut shown) = Shown::at(recording, tick) else {
            tick += 1;
            continue;
        };
        while let Ok(true) = shown.step() {
            let trace = shown.trace();
            let wanted = &traces[shown.tick() as usize - 1];
            assert_eq!(&events(trace, wanted.len()), wanted);
        }
        tick = shown.tick().max(tick) + 1;
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
    // At the begin, and once more at the end.
    assert_eq!(of("treemind.document"), 2);
    // Ticks of five seconds, of which at most 0.8 are written together.
    assert!(of("treemind.state") >= 1 && of("treemind.ticks") >= 7);
    let summary = mcap::Summary::read(&file).expect("it is MCAP");
    let summary = summary.expect("it has an index");
    assert!(summary.chunk_indexes.len() >= 8);
    let statistics = summary.stats.expect("it has statistics");
    assert_eq!(statistics.message_count, messages.len() as u64);
}

/// Where the chunks of a file begin, in its order.
fn chunks(file: &[u8]) -> Vec<usize> {
    let summary = mcap::Summary::read(file).expect("it is MCAP");
    let indexes = summary.expect("it has an index").chunk_indexes;
    let mut at: Vec<usize> = indexes
        .iter()
        .map(|chunk| chunk.chunk_start_offset as usize)
        .collect();
    at.sort_unstable();
    at
}

/// Reads a file that has damage, and plays all that can be played.
fn read_damaged(file: &[u8], traces: &[Vec<Events>], what: &str) -> Recording {
    let recording = Recording::read(file.to_vec());
    let recording = recording.unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(!recording.losses().is_empty(), "{what}: nothing is said");
    play(&recording, traces);
    recording
}

fn playable(recording: &Recording) -> u64 {
    let counts = recording.stretches().iter();
    counts.map(|ticks| ticks.end() + 1 - ticks.start()).sum()
}

#[test]
fn a_wrong_length_loses_what_it_belongs_to_and_nothing_else() {
    let (file, traces, _) = small(400);
    for (nth, at) in chunks(&file).into_iter().enumerate().skip(2).step_by(6) {
        // Too short, too long by a few chunks, and behind the end of the file.
        for (byte, bits) in [(1, 1), (2, 0xff), (4, 1), (8, 0xff)] {
            let mut damaged = file.clone();
            damaged[at + byte] ^= bits;
            let what = format!("byte {byte} of chunk {nth}");
            let recording = read_damaged(&damaged, &traces, &what);
            let flipped = {
                let mut other = file.clone();
                other[at + 60] ^= 1;
                playable(&read_damaged(&other, &traces, "its content"))
            };
            assert_eq!(playable(&recording), flipped, "{what}");
            let told = format!("are damaged, from byte {at} on");
            assert!(
                recording.losses()[0].ends_with(&told),
                "{:?}",
                recording.losses()
            );
        }
    }
}

#[test]
fn bytes_that_are_missing_or_too_many_lose_one_chunk() {
    let (file, traces, _) = small(400);
    let all = chunks(&file);
    for at in [all[3] + 4, all[5] + 50, all[6] + 33] {
        for (remove, add) in [(1, 0), (300, 0), (0, 1), (0, 5_000)] {
            let mut damaged = file.clone();
            damaged.splice(at..at + remove, vec![6; add]);
            let what = format!("{remove} less and {add} more at {at}");
            let recording = read_damaged(&damaged, &traces, &what);
            // A state is written every 128 ticks, from which playing goes on.
            assert!(playable(&recording) >= 400 - 150, "{what}");
            assert_eq!(*recording.ticks().end(), 400, "{what}");
        }
    }
}

#[test]
fn damage_at_the_begin_does_not_take_everything_with_it() {
    let (file, traces, _) = small(400);
    let first_ticks = chunks(&file)[2];
    for (from, to) in [(0, 8), (8, 30), (0, 60), (0, first_ticks + 20)] {
        let mut damaged = file.clone();
        damaged[from..to].fill(0xAA);
        let what = format!("the bytes {from} to {to}");
        let recording = read_damaged(&damaged, &traces, &what);
        assert_eq!(*recording.ticks().end(), 400, "{what}");
        assert_eq!(recording.documents().count(), 1, "{what}");
        let told = "damaged, from byte 0 on";
        let losses = recording.losses();
        assert!(from > 0 || losses[0].ends_with(told), "{what}: {losses:?}");
    }
    assert!(Recording::read(vec![6; 100_000]).is_err());
}

#[test]
fn ticks_behind_the_last_state_are_told_to_be_missing() {
    let (mut file, traces, _) = small(100);
    // The first two chunks are the document and the state before the first tick.
    let at = chunks(&file)[4];
    file[at + 60] ^= 1;
    let recording = read_damaged(&file, &traces, "a chunk of ticks");
    let last = *recording.ticks().end();
    let told = format!("the ticks {} to 100 are missing (", last + 1);
    let losses = recording.losses();
    assert!(last < 100 && losses[0].starts_with(&told), "{losses:?}");
}

/// Whatever is made to look like chunks, reading takes no more than a multiple of the size.
#[test]
fn a_file_full_of_chunks_within_chunks_is_read_at_once() {
    let mut file = Vec::new();
    let bytes = 2_000_000_usize;
    while file.len() < bytes {
        let rest = (bytes - file.len()) as u64;
        file.push(6);
        file.extend((rest + 40).to_le_bytes());
        file.extend([0; 32]);
        file.extend(rest.to_le_bytes());
    }
    file.resize(2 * bytes + 1_000, 6);
    assert!(Recording::read(file).is_err());
}

#[test]
fn what_follows_a_gap_is_played_from_the_next_state() {
    let (mut file, traces, _) = small(400);
    let at = chunks(&file)[6];
    file[at + 60] ^= 1;
    let recording = Recording::read(file).expect("the rest is there");
    let stretches = recording.stretches();
    assert_eq!(
        (stretches.len(), recording.ticks()),
        (2, 1..=400),
        "{stretches:?}"
    );
    let [missing] = recording.losses() else {
        panic!("{:?}", recording.losses());
    };
    let (first, last) = (stretches[0].end() + 1, stretches[1].start() - 1);
    let secs = |tick: u64| tick as f64 * TICK.as_secs_f64();
    let (begin, end) = (secs(first - 1), secs(last));
    let told = format!("the ticks {first} to {last} are missing ({begin:.2} s to {end:.2} s): ");
    assert!(missing.starts_with(&told), "{missing}");
    let bytes = format!(" bytes are damaged, from byte {at} on");
    assert!(missing.ends_with(&bytes), "{missing}");
    assert_eq!(recording.missing(), last + 1 - first);
    play(&recording, &traces);
}
