//! Chunks of recordings that are cut out, swapped, put in twice, or taken from others: what is whole is kept, nothing is
//! played that did not happen, and it is said.

use super::games::{Events, GUARD, Game, TICK, events};
use super::{Shelf, Shown};
use std::time::Duration;
use treemind::trace::Trace;
use treemind_recording::{Recorder, Recording, ReplayError};

/// A recording, and what happened in each tick.
struct Run {
    file: Vec<u8>,
    traces: Vec<Vec<Events>>,
}

/// Notes like those of a map and of keys.
const NOTES: [(&str, usize); 4] = [("map", 0), ("rules", 0), ("key", 30), ("key", 90)];

/// Records a game that begins at some moment of its world, so that others do something else. Ticks are of two lengths.
fn recorded(ticks: usize, begin: usize) -> Run {
    let mut game = Game::new(2);
    game.world.ticks = begin;
    let shelf = Shelf::default();
    let mut recorder = Recorder::to(shelf.clone(), &game.document).expect("a recorder");
    let mut trace = Trace::with_values();
    let traces = (0..ticks).map(|tick| {
        for (name, at) in NOTES {
            if at == tick {
                recorder.note(name, format!("{begin} {tick}").as_bytes());
            }
        }
        game.meddle();
        let host = &mut game.bound.host(&mut game.world);
        recorder.tick_traced(&mut game.guards, host, dt(tick), &mut trace);
        events(&trace, game.guards.len())
    });
    let traces = traces.collect();
    recorder.finish().expect("it is all written");
    Run {
        file: shelf.bytes(),
        traces,
    }
}

fn dt(tick: usize) -> Duration {
    match tick % 3 {
        0 => Duration::from_millis(16),
        _ => TICK,
    }
}

/// What is before the first chunk, each chunk with the records that belong to it, and the end.
fn pieces(file: &[u8]) -> Vec<Vec<u8>> {
    let summary = mcap::Summary::read(file).expect("it is MCAP");
    let indexes = summary.expect("it has an index").chunk_indexes;
    let mut cuts = vec![0];
    let mut chunks: Vec<_> = indexes.iter().collect();
    chunks.sort_unstable_by_key(|chunk| chunk.chunk_start_offset);
    cuts.extend(chunks.iter().map(|chunk| chunk.chunk_start_offset as usize));
    let last = chunks.last().expect("there is a chunk");
    let end = last.chunk_start_offset + last.chunk_length + last.message_index_length;
    cuts.extend([end as usize, file.len()]);
    let pieces = cuts.windows(2).map(|cut| file[cut[0]..cut[1]].to_vec());
    pieces.collect()
}

fn read(file: &[u8], what: &str) -> Recording {
    let recording = Recording::read(file.to_vec());
    recording.unwrap_or_else(|error| panic!("{what}: {error}"))
}

/// Reads a file in memory and on a disk, which is the same.
fn read_both(file: &[u8], what: &str) -> Recording {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.mcap");
    std::fs::write(&path, file).expect("it is written");
    let on_disk = Recording::open(&path).unwrap_or_else(|error| panic!("{what}: {error}"));
    let recording = read(file, what);
    assert_eq!(on_disk.runs(), recording.runs(), "{what}");
    assert_eq!(on_disk.losses(), recording.losses(), "{what}");
    assert_eq!(on_disk.stretches(), recording.stretches(), "{what}");
    on_disk
}

/// Plays all that can be played, and compares it with what happened. Returns how many ticks that were.
fn play(recording: &Recording, run: &Run, what: &str) -> u64 {
    let mut count = 0;
    for ticks in recording.stretches() {
        let shown = Shown::at(recording, ticks.start() - 1);
        let mut shown = shown.unwrap_or_else(|error| panic!("{what}: {error}"));
        while shown.tick() < *ticks.end() {
            shown
                .step()
                .unwrap_or_else(|error| panic!("{what}: {error}"));
            let trace = shown.trace();
            let wanted = &run.traces[shown.tick() as usize - 1];
            assert_eq!(&events(trace, wanted.len()), wanted, "{what}");
            let now: Duration = (0..shown.tick() as usize).map(dt).sum();
            assert_eq!(
                (shown.now(), shown.dt()),
                (now, dt(shown.tick() as usize - 1))
            );
            count += 1;
        }
    }
    assert_eq!(count, recording.count(), "{what}");
    count
}

/// The notes that a recording of that begin should have.
fn has_notes(recording: &Recording, begin: usize, what: &str) {
    let notes = recording.notes().map(|note| {
        let text = String::from_utf8(note.bytes().expect("it is there").into_owned());
        (note.name.to_owned(), text.expect("a text"))
    });
    let wanted = NOTES.map(|(name, at)| (name.to_owned(), format!("{begin} {at}")));
    assert_eq!(notes.collect::<Vec<_>>(), wanted, "{what}");
}

#[test]
fn chunks_in_another_order_or_there_twice_are_the_same_recording() {
    let run = recorded(140, 0);
    let pieces = pieces(&run.file);
    let chunks = 1..pieces.len() - 1;
    for one in chunks.clone() {
        for other in chunks.clone() {
            let what = format!("{one} and {other}");
            let mut swapped = pieces.clone();
            swapped.swap(one, other);
            let mut twice = pieces.clone();
            twice.insert(other, pieces[one].clone());
            for file in [swapped.concat(), twice.concat()] {
                let recording = read(&file, &what);
                assert_eq!(recording.losses(), [""; 0], "{what}");
                assert_eq!(recording.runs().len(), 1, "{what}");
                has_notes(&recording, 0, &what);
                if (one * 5 + other) % 23 == 0 {
                    assert_eq!(play(&recording, &run, &what), 140);
                }
            }
        }
    }
}

#[test]
fn without_a_chunk_the_rest_is_there_and_the_gap_is_told_in_ticks() {
    let run = recorded(300, 0);
    let pieces = pieces(&run.file);
    let mut least = 300;
    for gone in 1..pieces.len() - 1 {
        let what = format!("without {gone}");
        let mut damaged = pieces.clone();
        damaged.remove(gone);
        let recording = read_both(&damaged.concat(), &what);
        let count = play(&recording, &run, &what);
        assert_eq!(count + recording.missing(), 300, "{what}");
        let losses = recording.losses();
        assert_eq!(losses.len(), 1, "{what}: {losses:?}");
        let is_told = losses[0].contains("missing (") && losses[0].contains(" s to ");
        assert!(count == 300 || is_told, "{what}: {losses:?}");
        has_notes(&recording, 0, &what);
        least = least.min(count);
    }
    // A state is written every 128 ticks, from which playing goes on.
    assert!((150..300).contains(&least), "{least}");
}

#[test]
fn a_bit_that_flips_loses_no_note_and_no_document() {
    let run = recorded(140, 0);
    let pieces = pieces(&run.file);
    let mut at = 0;
    for (nth, piece) in pieces.iter().enumerate() {
        if (1..pieces.len() - 1).contains(&nth) {
            let mut damaged = run.file.clone();
            damaged[at + 60] ^= 4;
            let what = format!("chunk {nth}");
            let recording = read_both(&damaged, &what);
            let count = play(&recording, &run, &what);
            assert_eq!(recording.documents().count(), 1, "{what}");
            has_notes(&recording, 0, &what);
            let losses = recording.losses();
            let bytes = format!("are damaged, from byte {at} on");
            assert_eq!(losses.len(), 1, "{what}: {losses:?}");
            assert!(losses[0].ends_with(&bytes), "{what}: {losses:?}");
            let begin = match count {
                140 => "no ticks are missing, but ",
                _ => "the ticks ",
            };
            assert!(losses[0].starts_with(begin), "{what}: {losses:?}");
        }
        at += piece.len();
    }
}

#[test]
fn a_chunk_of_another_run_is_not_played() {
    let [mine, other] = [recorded(100, 0), recorded(100, 4)];
    assert_ne!(mine.traces, other.traces);
    let [own, foreign] = [&mine, &other].map(|run| pieces(&run.file));
    for at in 1..own.len() - 1 {
        for from in 1..foreign.len() - 1 {
            let mut more = own.clone();
            more.insert(at, foreign[from].clone());
            let what = format!("{from} of the other before {at}");
            let recording = read(&more.concat(), &what);
            let losses = recording.losses();
            let told = "a part of another recording is in the file, and was left out";
            let is_told = losses.iter().any(|loss| loss.starts_with(told));
            assert!(is_told && losses.len() == 1, "{what}: {losses:?}");
            assert_eq!((recording.count(), recording.runs().len()), (100, 1));
            has_notes(&recording, 0, &what);
            let mut instead = own.clone();
            instead[at] = foreign[from].clone();
            let what = format!("{from} of the other in place of {at}");
            let Ok(replaced) = Recording::read(instead.concat()) else {
                // It was the only state.
                assert_eq!(at, 2, "{what}");
                continue;
            };
            if (at * 5 + from) % 11 == 0 {
                assert_eq!(play(&recording, &mine, &what), 100);
                play(&replaced, &mine, &what);
            }
            assert!(!replaced.losses().is_empty(), "{what}");
        }
    }
}

/// A recording, the begin of its game, and how many ticks it has; 0 if it is cut.
type Wanted<'r> = (&'r Run, usize, u64);

#[test]
fn files_one_behind_the_other_are_all_there() {
    let [one, two] = [recorded(130, 0), recorded(95, 4)];
    let cut = &one.file[..one.file.len() * 2 / 3];
    let files: [(&str, Vec<u8>, [Wanted<'_>; 2]); 3] = [
        (
            "whole",
            [&*one.file, &*two.file].concat(),
            [(&one, 0, 130), (&two, 4, 95)],
        ),
        (
            "other way",
            [&*two.file, &*one.file].concat(),
            [(&two, 4, 95), (&one, 0, 130)],
        ),
        (
            "cut",
            [cut, &*two.file].concat(),
            [(&one, 0, 0), (&two, 4, 95)],
        ),
    ];
    for (what, file, wanted) in files {
        let recording = read_both(&file, what);
        assert_eq!(recording.runs().len(), 2, "{what}");
        assert!(recording.run(2).is_none());
        for (nth, (run, begin, ticks)) in wanted.into_iter().enumerate() {
            let recording = recording.run(nth).expect("there are two");
            assert_eq!(recording.runs()[nth].ticks, recording.ticks());
            let count = play(&recording, run, what);
            if ticks == 0 {
                let told = &recording.losses()[0];
                let wanted =
                    format!("the recording was not finished: it ends after tick {count} (");
                assert!(count > 50 && told.starts_with(&wanted), "{told}");
                assert_eq!(recording.losses().len(), 1);
                continue;
            }
            assert_eq!(count, ticks, "{what}");
            assert_eq!(recording.losses(), [""; 0], "{what}");
            has_notes(&recording, begin, what);
        }
    }
}

/// The same, as an earlier version of Treemind has written it.
fn in_form_2(file: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let options = mcap::WriteOptions::new()
        .compression(None)
        .profile("treemind/2")
        .disable_seeking(true);
    let mut writer = options
        .create(std::io::Cursor::new(&mut out))
        .expect("it can be written");
    let mut notes = std::collections::BTreeSet::new();
    for message in mcap::MessageStream::new(file).expect("it is MCAP") {
        let message = message.expect("it is whole");
        let (topic, encoding) = (&message.channel.topic, &message.channel.message_encoding);
        let data = match &**topic {
            "treemind.end" => continue,
            "treemind.document" => {
                let mut document: serde_json::Value =
                    serde_json::from_slice(&message.data).expect("it is JSON");
                document
                    .as_object_mut()
                    .expect("an object")
                    .remove("recording");
                serde_json::to_vec(&document).expect("it is JSON")
            }
            // What is new comes first: the identity, the tick before the recording, the number of the cast.
            "treemind.state" => message.data[10..].to_vec(),
            "treemind.ticks" => message.data[9..].to_vec(),
            // It had them once.
            "treemind.note" if !notes.insert(message.sequence) => continue,
            _ => message.data[8..].to_vec(),
        };
        let channel = message.channel.id - 4;
        writer
            .add_channel_with_id(
                channel,
                0,
                topic,
                encoding,
                &std::collections::BTreeMap::new(),
            )
            .expect("it is a channel");
        let header = mcap::records::MessageHeader {
            channel_id: channel,
            sequence: message.sequence,
            log_time: message.log_time,
            publish_time: message.publish_time,
        };
        writer
            .write_to_known_channel(&header, &data)
            .expect("it is written");
        writer.flush().expect("a chunk ends");
    }
    writer.finish().expect("it is all written");
    drop(writer);
    out
}

#[test]
fn recordings_of_the_form_before_are_read() {
    let run = recorded(140, 0);
    let old = in_form_2(&run.file);
    let recording = read(&old, "form 2");
    assert_eq!(recording.losses(), [""; 0]);
    assert_eq!(play(&recording, &run, "form 2"), 140);
    assert_eq!(recording.documents().count(), 1);

    let mut other = run.file;
    let at = other.windows(10).position(|part| part == b"treemind/3");
    other[at.expect("the header says so") + 9] = b'9';
    let error = Recording::read(other).expect_err("it is from the future");
    assert_eq!(
        error.to_string(),
        "the recording has the form 9, and this version of Treemind reads the forms 2 and 3"
    );
}

/// Ticks are not played with the document before theirs, where the state that brought the next one is lost.
#[test]
fn without_the_state_that_brought_a_document_its_ticks_are_not_played() {
    let mut game = Game::new(2);
    let shelf = Shelf::default();
    let mut recorder = Recorder::to(shelf.clone(), &game.document).expect("a recorder");
    (0..30).for_each(|_| drop(game.tick(&mut recorder)));
    recorder.flush();
    let before = shelf.bytes().len();
    let mut other = Game::of(&GUARD.replace("wait 0.2", "wait 0.4"), 2);
    (0..30).for_each(|_| {
        let host = &mut other.bound.host(&mut other.world);
        other.guards.tick(host, TICK);
    });
    recorder.document(&other.document);
    (0..200).for_each(|_| drop(other.tick(&mut recorder)));
    recorder.finish().expect("it is all written");
    let file = shelf.bytes();
    let whole = read(&file, "whole");
    assert_eq!(
        (whole.stretches(), whole.losses()),
        (&[1..=230][..], &[][..])
    );
    let pieces = pieces(&file);
    let mut at = 0;
    for nth in 0..pieces.len() - 1 {
        // The document of the second cast, and then its state.
        if at >= before && at < before + 6_000 {
            let mut damaged = pieces.clone();
            damaged.remove(nth);
            let recording = read(&damaged.concat(), "without a chunk");
            for ticks in recording.stretches() {
                let mut shown = Shown::at(&recording, ticks.start() - 1).expect("a state");
                while shown.tick() < *ticks.end() {
                    shown
                        .step()
                        .unwrap_or_else(|error| panic!("without {nth}: {error}"));
                }
                let next = shown.step();
                let is_end = matches!(next, Ok(false) | Err(ReplayError::NoTick(_)));
                assert!(is_end, "without {nth}: {next:?}");
            }
            assert!(!recording.losses().is_empty(), "without {nth}");
        }
        at += pieces[nth].len();
    }
}

/// What is read of a file does not depend on how large its chunks are.
#[test]
fn large_recordings_are_read_piece_by_piece() {
    let mut game = Game::new(3_000);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.mcap");
    let mut recorder = Recorder::create(&path, &game.document).expect("a recorder");
    let ticks: Vec<_> = (0..20).map(|_| game.tick(&mut recorder)).collect();
    recorder.finish().expect("it is all written");
    let bytes = std::fs::metadata(&path).expect("it is there").len();
    assert!(bytes > 5 << 16, "{bytes}");
    let recording = Recording::open(&path).expect("it is whole");
    assert_eq!(recording.losses(), [""; 0]);
    let mut shown = Shown::at(&recording, 0).expect("the first state");
    for wanted in &ticks {
        assert!(shown.step().unwrap_or_else(|error| panic!("{error}")));
        let trace = shown.trace();
        assert_eq!(&events(trace, wanted.len()), wanted);
    }
}

/// Chunks of two recordings in any order, some more than once, some damaged or cut: whatever can be played has happened,
/// in the same recording.
#[test]
fn any_heap_of_chunks_is_played_as_far_as_it_happened() {
    let both = [recorded(60, 0), recorded(60, 4)];
    let all: Vec<Vec<u8>> = both.iter().flat_map(|run| pieces(&run.file)).collect();
    let mut state = 1_u64;
    let mut below = |end: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % end
    };
    let mut played = 0;
    for round in 0..400 {
        let mut file = both[0].file[..8].to_vec();
        for _ in 0..below(24) {
            let mut piece = all[below(all.len())].clone();
            match below(8) {
                0 => piece.truncate(below(piece.len())),
                1 => {
                    let at = below(piece.len());
                    piece[at] ^= 1 << below(8);
                }
                2 => drop(piece.drain(..below(piece.len()))),
                _ => {}
            }
            file.extend(piece);
        }
        let Ok(recording) = Recording::read(file) else {
            continue;
        };
        for nth in 0..recording.runs().len() {
            let recording = recording.run(nth).expect("there are so many");
            let what = format!("round {round}, recording {nth}");
            let whose = |shown: &Shown| {
                let trace = shown.trace();
                both.each_ref().map(|run| {
                    let wanted = &run.traces[shown.tick() as usize - 1];
                    &events(trace, wanted.len()) == wanted
                })
            };
            let mut could = [true; 2];
            for ticks in recording.stretches() {
                let shown = Shown::at(&recording, ticks.start() - 1);
                let mut shown = shown.unwrap_or_else(|error| panic!("{what}: {error}"));
                while shown.tick() < *ticks.end() {
                    shown
                        .step()
                        .unwrap_or_else(|error| panic!("{what}: {error}"));
                    let is_of = whose(&shown);
                    could = [could[0] && is_of[0], could[1] && is_of[1]];
                    assert_ne!(could, [false; 2], "{what}: it did not happen");
                    played += 1;
                }
            }
        }
    }
    assert!(played > 300, "{played}");
}
