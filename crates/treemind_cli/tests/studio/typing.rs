//! What is typed in the editor of texts is never lost, however long it is.

use crate::hands::{Desk, GUARD, until_file};
use crate::writing::write;

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
