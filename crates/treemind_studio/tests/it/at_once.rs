//! What is typed at a place that somebody else changes at the same moment: neither is lost.

use crate::editing::{Desk, GUARD};
use std::collections::BTreeSet;
use treemind_replay::view::protocol::{Edit, Remedy, Whose};

/// Types over the first piece that reads `old` in the text that a page had.
fn type_over(desk: &mut Desk, (who, since): (&str, u64), then: &str, [old, new]: [&str; 2]) {
    let units = |text: &str| text.encode_utf16().count();
    let at = then.find(old).expect("it was there");
    let edit = Edit::Type {
        file: 0,
        from: units(&then[..at]),
        to: units(&then[..at + old.len()]),
        text: new.to_owned(),
        since: Some(since),
    };
    desk.edit_as(who, &edit).expect("it can be typed");
}

fn write_outside(desk: &mut Desk, text: &str) {
    let name = "guard.kdl".to_owned();
    desk.memory.files.insert(name, text.to_owned());
    desk.editing.look_and_save(&mut desk.memory);
}

/// A page has not seen what another program has written at the same place: both stand side by side, and somebody chooses.
#[test]
fn what_is_typed_over_what_another_program_wrote_stands_beside_it() {
    let of = |value: &str| GUARD.replace("default=100.0", &format!("default={value}"));
    for [old, new, mine] in [
        ["100.0", "44.0", "44.0"],
        // Other letters of the same value are no other place.
        ["1", "2", "200.0"],
        ["00.0", "00.05", "100.05"],
    ] {
        for whose in [Whose::Mine, Whose::Theirs] {
            let mut desk = Desk::new(GUARD);
            let first = desk.sheet().revision;
            write_outside(&mut desk, &of("162.0"));
            assert_eq!(desk.text(), of("162.0"));
            type_over(&mut desk, ("anna", first), GUARD, [old, new]);
            assert_eq!((desk.text(), desk.on_disk()), (&*of(mine), &*of("162.0")));
            let sheet = desk.sheet();
            let [clash] = &sheet.conflicts[..] else {
                panic!("{sheet:?}")
            };
            assert!(clash.mine.contains(&format!("default={mine}")));
            assert!(clash.theirs.contains("default=162.0"));
            // What is typed on elsewhere is not written over the file either.
            let now = desk.text().to_owned();
            let since = sheet.revision;
            type_over(&mut desk, ("anna", since), &now, ["hurts", "hurts now"]);
            desk.editing.look_and_save(&mut desk.memory);
            assert_eq!(desk.on_disk(), of("162.0"));
            let key = desk.sheet().conflicts[0].key;
            let file = 0;
            desk.edit(&Edit::Settle { file, key, whose })
                .expect("it is settled");
            let wanted = of(if whose == Whose::Mine { mine } else { "162.0" });
            let wanted = wanted.replace("hurts", "hurts now");
            assert_eq!((desk.text(), desk.on_disk()), (&*wanted, &*wanted));
            assert_eq!(
                (desk.sheet().conflicts.len(), desk.sheet().unsaved),
                (0, None)
            );
        }
    }
}

/// What was typed is a step of the history: undone, what the other program wrote counts.
#[test]
fn to_undo_what_was_typed_settles_it() {
    let theirs = GUARD.replace("100.0", "62.0");
    let mut desk = Desk::new(GUARD);
    let first = desk.sheet().revision;
    write_outside(&mut desk, &theirs);
    type_over(&mut desk, ("anna", first), GUARD, ["100", "44"]);
    assert_eq!(desk.sheet().conflicts.len(), 1);
    desk.edit(&Edit::Undo).expect("it was typed");
    desk.editing.look_and_save(&mut desk.memory);
    assert_eq!((desk.text(), desk.on_disk()), (&*theirs, &*theirs));
    assert_eq!(
        (desk.sheet().conflicts.len(), desk.sheet().unsaved),
        (0, None)
    );
}

/// Where both are apart, both are there, also between two places that another program has changed, and in one line.
#[test]
fn what_stands_apart_goes_in_with_what_another_program_wrote() {
    let mut desk = Desk::new(GUARD);
    let first = desk.sheet().revision;
    let far = GUARD.replace("100.0", "62.0");
    let theirs = far.replace(
        "action patrol\r\n    }",
        "action patrol doc=\"all day\"\r\n    }",
    );
    write_outside(&mut desk, &theirs);
    type_over(&mut desk, ("anna", first), GUARD, ["< 20", "< 30"]);
    type_over(
        &mut desk,
        ("anna", first),
        GUARD,
        ["name=", "name="].map(|_| "type=float"),
    );
    type_over(
        &mut desk,
        ("anna", first),
        GUARD,
        ["float default", "int default"],
    );
    let wanted = theirs.replace("< 20", "< 30").replace("=float", "=int");
    assert_eq!((desk.text(), desk.on_disk()), (&*wanted, &*wanted));
    assert_eq!(
        (desk.sheet().conflicts.len(), desk.sheet().unsaved),
        (0, None)
    );
}

/// What is chosen is what was seen: with what one has just typed, and without what another program has written since.
#[test]
fn what_was_not_seen_is_not_chosen() {
    let of = |value: &str| GUARD.replace("100.0", value);
    for (types, writes) in [(true, false), (false, true)] {
        let mut desk = Desk::new(GUARD);
        let first = desk.sheet().revision;
        write_outside(&mut desk, &of("62.0"));
        type_over(&mut desk, ("anna", first), GUARD, ["100.0", "44.0"]);
        let key = desk.sheet().conflicts[0].key;
        if types {
            let since = desk.sheet().revision;
            type_over(&mut desk, ("anna", since), &of("44.0"), ["44", "440"]);
            assert!(desk.sheet().conflicts[0].mine.contains("440.0"));
        }
        if writes {
            let name = "guard.kdl".to_owned();
            desk.memory.files.insert(name, of("63.0"));
        }
        let (file, whose) = (0, Whose::Theirs);
        let settled = desk.edit(&Edit::Settle { file, key, whose });
        assert_eq!(settled.is_err(), writes);
        let theirs = of(if writes { "63.0" } else { "62.0" });
        assert_eq!(desk.on_disk(), theirs);
        assert_eq!(desk.text() == theirs, types);
        assert_eq!(desk.sheet().conflicts.len(), usize::from(writes));
    }
}

/// As long as something is not closed, the texts are chosen as a whole; once it is, node by node.
#[test]
fn what_is_not_closed_waits_beside_what_another_program_wrote() {
    let theirs = GUARD.replace("< 20", "< 50");
    let mut desk = Desk::new(GUARD);
    let first = desk.sheet().revision;
    write_outside(&mut desk, &theirs);
    type_over(&mut desk, ("anna", first), GUARD, ["< 20\"", "< 30"]);
    assert_eq!(desk.on_disk(), theirs);
    assert!(desk.text().contains("30"), "{}", desk.text());
    let unsaved = desk.sheet().unsaved.expect("why");
    assert_eq!(unsaved.remedy, Remedy::Choose);
    let (now, since) = (desk.text().to_owned(), desk.sheet().revision);
    type_over(&mut desk, ("anna", since), &now, ["30", "30\""]);
    desk.editing.look_and_save(&mut desk.memory);
    assert_eq!(desk.on_disk(), theirs);
    assert_eq!(desk.sheet().conflicts.len(), 1, "{}", desk.text());
}

/// What was undone is not lost when another program writes: one comes to it by undoing.
#[test]
fn what_was_undone_can_be_come_to_after_another_program_has_written() {
    let of = |value: &str| GUARD.replace("100.0", value);
    for saves_at_once in [true, false] {
        let mut desk = Desk::new(GUARD);
        desk.edit(&Edit::SaveAtOnce {
            is_on: saves_at_once,
        })
        .expect("it is switched");
        let first = desk.sheet().revision;
        type_over(&mut desk, ("anna", first), GUARD, ["100.0", "44.0"]);
        let since = desk.sheet().revision;
        type_over(&mut desk, ("ben", since), &of("44.0"), ["it hurts", "oh"]);
        let both = desk.text().to_owned();
        let removed = desk.sheet().nodes.last().expect("a node").id;
        desk.edit(&Edit::Remove { ids: vec![removed] })
            .expect("it can go");
        let without = desk.text().to_owned();
        if !saves_at_once {
            write_outside(&mut desk, &of("62.0"));
            assert_eq!(desk.sheet().conflicts.len(), 1);
        }
        for _ in 0..3 {
            desk.edit(&Edit::Undo).expect("it was done");
        }
        if saves_at_once {
            assert_eq!((desk.text(), desk.on_disk()), (GUARD, GUARD));
            write_outside(&mut desk, &of("62.0"));
        }
        let sheet = desk.sheet();
        assert_eq!((desk.text(), sheet.unsaved), (&*of("62.0"), None));
        // The node that was removed and came back is the same one.
        assert_eq!(sheet.nodes.last().map(|one| one.id), Some(removed));
        let mut seen = Vec::new();
        while desk.sheet().undo.is_some() {
            desk.edit(&Edit::Undo).expect("it can be undone");
            seen.push(desk.text().to_owned());
        }
        assert!(seen.contains(&both) && seen.contains(&without), "{seen:#?}");
        assert_eq!(desk.text(), GUARD);
    }
}

/// A file that goes away while its text waits beside the one here is gone: there is nothing left to choose. What stood there
/// can be gone back to.
#[test]
fn a_file_that_goes_while_a_choice_waits_is_told_to_be_gone() {
    let of = |value: &str| GUARD.replace("100.0", value);
    let mut desk = Desk::new(GUARD);
    let first = desk.sheet().revision;
    write_outside(&mut desk, &of("62.0"));
    type_over(&mut desk, ("anna", first), GUARD, ["100.0", "44.0"]);
    assert_eq!(desk.sheet().conflicts.len(), 1);
    desk.memory.files.clear();
    desk.editing.look_and_save(&mut desk.memory);
    let unsaved = desk.sheet().unsaved.expect("it is gone");
    assert_eq!(unsaved.remedy, Remedy::WriteAgain);
    assert_eq!(
        (desk.sheet().conflicts.len(), desk.text()),
        (0, &*of("44.0"))
    );
    let mut again = desk.clone();
    again
        .edit(&Edit::Save {
            whose: Some(Whose::Mine),
        })
        .expect("it is written again");
    assert_eq!(again.on_disk(), of("44.0"));
    assert_eq!(again.sheet().unsaved, None);
    again.edit(&Edit::Undo).expect("it was put back");
    assert_eq!(again.text(), of("62.0"));
    // A program that removes a file before it writes it anew.
    write_outside(&mut desk, &of("62.0"));
    assert_eq!(
        (desk.sheet().conflicts.len(), desk.text()),
        (1, &*of("44.0"))
    );
    assert_eq!(desk.on_disk(), of("62.0"));
}

/// Two pages that type at the same place: what each has typed is there.
#[test]
fn two_pages_type_at_the_same_place() {
    for (one, other, wanted) in [
        (
            ["patrol\r", "patrol // one\r"],
            ["patrol\r", "patrol // two\r"],
            "patrol // two // one\r",
        ),
        // What one of them has taken away need not be taken away again.
        (
            ["health < 20", "life < 1"],
            ["h < 2", "h <= 3"],
            "life < 1= 3",
        ),
        (
            ["h < 2", "h <= 3"],
            ["health < 20", "life < 1"],
            "= 3life < 1",
        ),
        (["it hurts", "it aches"], ["hurts", "burns"], "it acheburn"),
        (["it hurts", ""], ["hurts", "hurts much"], "//  much\r"),
        (["hurts", "hurts much"], ["it hurts", ""], "//  much\r"),
    ] {
        let mut desk = Desk::new(GUARD);
        let first = desk.sheet().revision;
        type_over(&mut desk, ("anna", first), GUARD, one);
        type_over(&mut desk, ("ben", first), GUARD, other);
        let text = desk.text().to_owned();
        assert_eq!(desk.on_disk(), text);
        assert!(text.contains(wanted), "{text}");
        assert_eq!(desk.sheet().conflicts.len(), 0);
    }
}

/// The words that stand in texts: letters that are written only once, and have nothing in common with each other.
fn words<'t>(texts: impl IntoIterator<Item = &'t str>) -> BTreeSet<char> {
    let letters = texts.into_iter().flat_map(str::chars);
    letters.filter(|one| WORDS.contains(one)).collect()
}

const WORDS: std::ops::Range<char> = '\u{ac00}'..'\u{d7a0}';

/// How many bytes a word has.
const LONG: usize = 3;

/// Another word for each number.
fn word(nth: u32) -> char {
    char::from_u32(u32::from(WORDS.start) + nth).expect("a letter")
}

/// Where something is typed in a text, and what, by chance; with the words that it takes the place of.
struct Typing {
    from: usize,
    to: usize,
    text: String,
    gone: BTreeSet<char>,
}

fn by_chance(random: &mut fastrand::Rng, text: &str, word: char) -> Option<Typing> {
    let known: Vec<char> = words([text]).into_iter().collect();
    let place = |word: char| text.find(word).expect("a word of it");
    let one = place(*known.get(random.usize(..known.len().max(1)))?);
    let line = text[one..].find('\n').map_or(text.len(), |at| one + at + 1);
    let (from, to, text_of) = match random.usize(..10) {
        // Another word, or several.
        0..4 => (one, one + LONG, word.to_string()),
        4 => {
            let mut behind: Vec<usize> = known.iter().map(|one| place(*one)).collect();
            behind.sort_unstable();
            let nth = behind.iter().position(|at| *at == one)?;
            let last = behind[(nth + random.usize(..3)).min(behind.len() - 1)];
            (one, last + LONG, word.to_string())
        }
        5..7 => (one + LONG, one + LONG, format!(" {word}")),
        7 => (one, one, format!("{word} ")),
        8 => (
            line,
            line,
            format!("        action patrol doc=\"{word}\"\r\n"),
        ),
        _ => (line, line, format!("        // {word}\r\n")),
    };
    Some(Typing {
        from,
        to,
        text: text_of,
        gone: words([&text[from..to]]),
    })
}

/// Two pages and another program write by chance into one document. Each word that one of them has written is in the document,
/// or on disk beside it, until somebody takes it away who saw it.
#[test]
fn no_word_is_lost_without_a_word() {
    let mut clashes = 0;
    for seed in 0..100 {
        let mut random = fastrand::Rng::with_seed(seed);
        let line = |nth: u32| {
            let [one, two, three] = [0, 1, 2].map(|at| word(3 * nth + at));
            format!("        action patrol doc=\"{one} {two} {three}\"\r\n")
        };
        let lines: String = (0..4).map(line).collect();
        let begin = GUARD.find("        // it hurts").expect("there");
        let mut desk = Desk::new(&format!("{}{lines}{}", &GUARD[..begin], &GUARD[begin..]));
        if random.u8(..4) == 0 {
            desk.edit(&Edit::SaveAtOnce { is_on: false })
                .expect("it is a switch");
        }
        let mut seen = [(); 2].map(|()| (desk.sheet().revision, desk.text().to_owned()));
        let mut live = words([desk.text()]);
        let mut log: Vec<String> = Vec::new();
        for nth in 0..40 {
            let page = random.usize(..2);
            match random.usize(..8) {
                // Another program sees what is on disk.
                0 | 1 => {
                    let disk = desk.on_disk().to_owned();
                    let word = word(100 + nth);
                    let Some(new) = by_chance(&mut random, &disk, word) else {
                        continue;
                    };
                    log.push(format!(
                        "outside: {:?} for {:?}",
                        new.text,
                        &disk[new.from..new.to]
                    ));
                    live.retain(|one| !new.gone.contains(one));
                    live.insert(word);
                    let mut text = disk;
                    text.replace_range(new.from..new.to, &new.text);
                    write_outside(&mut desk, &text);
                }
                2..5 => {
                    let (since, then) = seen[page].clone();
                    let word = word(100 + nth);
                    let Some(new) = by_chance(&mut random, &then, word) else {
                        continue;
                    };
                    log.push(format!(
                        "page {page}: {:?} for {:?}",
                        new.text,
                        &then[new.from..new.to]
                    ));
                    let units = |at: usize| then[..at].encode_utf16().count();
                    let edit = Edit::Type {
                        file: 0,
                        from: units(new.from),
                        to: units(new.to),
                        text: new.text.clone(),
                        since: Some(since),
                    };
                    desk.edit_as(["anna", "ben"][page], &edit)
                        .expect("it can be typed");
                    live.retain(|one| !new.gone.contains(one));
                    live.insert(word);
                    seen[page] = (desk.sheet().revision, desk.text().to_owned());
                }
                5 => {
                    // Pages see what clashes a second later.
                    desk.editing.look_and_save(&mut desk.memory);
                    let sheet = desk.sheet();
                    let whose = [Whose::Mine, Whose::Theirs][random.usize(..2)];
                    // What was seen, and does not count.
                    let other = |[mine, theirs]: [&str; 2]| match whose {
                        Whose::Mine => &words([theirs]) - &words([mine]),
                        Whose::Theirs => &words([mine]) - &words([theirs]),
                    };
                    let (edit, gone) = match sheet.conflicts.first() {
                        Some(one) => {
                            clashes += 1;
                            let (file, key) = (one.file, one.key);
                            let gone = other([&one.mine, &one.theirs]);
                            (Edit::Settle { file, key, whose }, gone)
                        }
                        None if sheet.unsaved.is_some() => {
                            let gone = other([desk.text(), desk.on_disk()]);
                            let whose = Some(whose);
                            (Edit::Save { whose }, gone)
                        }
                        None => (Edit::Save { whose: None }, BTreeSet::new()),
                    };
                    log.push(format!("{edit:?} without {gone:?}"));
                    // What is settled by then is not settled again.
                    if desk.edit(&edit).is_err() {
                        continue;
                    }
                    live.retain(|one| !gone.contains(one));
                }
                // A page sees what is there.
                _ => seen[page] = (desk.sheet().revision, desk.text().to_owned()),
            }
            let both = words([desk.text(), desk.on_disk()]);
            let lost: Vec<&char> = live.difference(&both).collect();
            let (text, disk) = (desk.text(), desk.on_disk());
            assert!(
                lost.is_empty(),
                "{seed}: {lost:?}\n{log:#?}\n{text}\n{disk}"
            );
            let sheet = desk.sheet();
            if sheet.unsaved.is_none() && sheet.files[0].is_saved {
                assert_eq!(text, disk);
            }
        }
    }
    assert!(clashes > 50, "{clashes}");
}
