//! What is typed in the editor of texts is never lost: long texts, connections that break off, several people.

use crate::hands::{Desk, GUARD, edited, until_file};
use crate::writing::{caret_behind, write};
use std::time::Duration;

/// Pastes a text where the cursor is, as the clipboard does it.
fn pasting(text: &str) -> String {
    format!(
        "(() => {{
            const data = new DataTransfer();
            data.setData('text/plain', {text});
            document.activeElement.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true, cancelable: true }}));
        }})()"
    )
}

#[test]
#[ignore = "needs Chromium"]
fn five_million_letters_are_pasted_and_more_than_fit_stay_in_the_page() {
    let mut desk = Desk::new();
    write(&mut desk.page);
    desk.page.press_with("End", 2);
    // What is too long for the program is not sent, is said, and is taken back with a key.
    desk.page.value(&pasting("'// ' + 'y'.repeat(9_000_000)"));
    desk.page
        .until("document.querySelector('.write .told.bad')?.textContent.includes('8 MiB')");
    desk.page.press("z");
    desk.page
        .value("new Promise((done) => setTimeout(done, 100))");
    assert_eq!(desk.text(), GUARD);
    desk.page.press_with("z", 2);
    desk.page.until("!document.querySelector('.write .told.bad') && !document.querySelector('.cm-content').textContent.includes('yyy')");
    // Five megabytes go.
    desk.page.press_with("End", 2);
    desk.page.value(&pasting(
        "('// ' + '\\u5b88'.repeat(32) + '\\n').repeat(50_000)",
    ));
    let long = format!("// {}\n", "\u{5b88}".repeat(32)).repeat(50_000);
    assert_eq!(long.len(), 5_000_000);
    until_file(&desk.path, &format!("{GUARD}{long}"));
    desk.page
        .until("window.treemind.sheet.sheet.value.files[0].text.length > 1_800_000");
    desk.page.press_with("z", 2);
    desk.until(GUARD);
    desk.page
        .until("!document.querySelector('.cm-content').textContent.includes('\\u5b88')");
}

#[test]
#[ignore = "needs Chromium"]
fn two_who_type_at_once_type_where_each_means_it() {
    let text = format!("\u{feff}{}", GUARD.replace('\n', "\r\n"));
    let mut desk = Desk::of(&text);
    let mut other = edited(&desk.studio);
    write(&mut desk.page);
    desk.page.press_with("End", 2);
    write(&mut other);
    other.press_with("Home", 2);
    other.press("ArrowRight");
    for nth in 0..8 {
        desk.page.type_text(&format!("// \u{5b88}{nth}\n"));
        other.type_text(&format!("// \u{1f6e1}{nth}\n"));
    }
    let of = |letter: char| {
        (0..8)
            .map(|nth| format!("// {letter}{nth}\r\n"))
            .collect::<String>()
    };
    let both = format!(
        "\u{feff}{}{}{}",
        of('\u{1f6e1}'),
        &text[3..],
        of('\u{5b88}')
    );
    until_file(&desk.path, &both);
    for page in [&mut desk.page, &mut other] {
        let shown = "[...document.querySelectorAll('.cm-line')].map((one) => one.textContent).filter((one) => one.includes('\\u5b88') || one.includes('\u{1f6e1}')).length";
        page.until_within(&format!("{shown} === 16"), Duration::from_secs(10));
    }
}

/// Two cursors at one place: what each types there stays in one piece.
#[test]
#[ignore = "needs Chromium"]
fn two_who_type_at_one_place_do_not_mix_their_letters() {
    let mut desk = Desk::new();
    let mut other = edited(&desk.studio);
    for page in [&mut desk.page, &mut other] {
        write(page);
        caret_behind(page, "// ");
    }
    for (one, two) in "abcdefghijkl".chars().zip("zyxwvutsrqpo".chars()) {
        desk.page.type_text(&one.to_string());
        other.type_text(&two.to_string());
        std::thread::sleep(Duration::from_millis(90));
    }
    let is_whole = |text: &str| text.contains("abcdefghijkl") && text.contains("zyxwvutsrqpo");
    let end = std::time::Instant::now() + Duration::from_secs(10);
    while !is_whole(&desk.text()) && std::time::Instant::now() < end {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(is_whole(&desk.text()), "{}", desk.text());
}

/// Another program writes at the same place before what is typed has arrived: both stand side by side, and one chooses.
#[test]
#[ignore = "needs Chromium"]
fn what_is_typed_while_another_program_writes_stands_beside_it() {
    let of = |value: &str| GUARD.replace("default=100.0", &format!("default={value}.0"));
    for (side, value) in [("mine", "44"), ("theirs", "62")] {
        let mut desk = Desk::new();
        write(&mut desk.page);
        caret_behind(&mut desk.page, "default=100");
        for _ in 0.."100".len() {
            desk.page.press_with("Backspace", 0);
        }
        desk.page.type_text("44");
        std::fs::write(&desk.path, of("62")).expect("it is written");
        desk.page.until(
            "document.querySelector('.clash .mine')?.textContent.includes('default=44.0') && document.querySelector('.clash .theirs').textContent.includes('default=62.0')",
        );
        assert_eq!(desk.text(), of("62"));
        desk.page.click_on(&format!(".clash .{side} button"));
        desk.until(&of(value));
        desk.page.until("!document.querySelector('.unsaved')");
    }
}
