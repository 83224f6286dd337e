//! An editor beside the studio hears what is chosen there.

use crate::games::{Farm, cows, play};
use crate::talk::Talk;
use serde_json::json;
use treemind_studio::Studio;

#[test]
fn who_listens_hears_once_what_another_page_has_chosen() {
    let studio = Studio::open(0).expect("a port");
    let mut minds = cows(1);
    studio.watch(&mut minds, "cows");
    play(&mut minds, &mut Farm { ticks: 0 }, 1);
    let (mut editor, mut page) = (Talk::to(&studio), Talk::to(&studio));
    let chosen =
        |line: u64| json!({"say": "reveal", "file": "cows.kdl", "line": line, "column": 8});
    // Nobody listens yet, and an editor does not hear itself.
    page.say(&chosen(4));
    page.say(&json!({"say": "hello"}));
    assert_eq!(page.hear()["kind"], "hello");
    editor.say(&json!({"say": "listen"}));
    editor.say(&chosen(5));
    editor.say(&json!({"say": "hello"}));
    assert_eq!(editor.hear()["kind"], "hello");
    for line in [6, 7] {
        page.say(&chosen(line));
        page.say(&json!({"say": "hello"}));
        page.hear();
    }
    let expected = json!({"kind": "reveal", "file": "cows.kdl", "line": 6, "column": 8});
    assert_eq!(editor.hear(), expected);
    // It has asked once, and asks again.
    editor.say(&json!({"say": "listen"}));
    editor.say(&json!({"say": "hello"}));
    assert_eq!(editor.hear()["kind"], "hello");
    page.say(&chosen(8));
    assert_eq!(editor.hear()["line"], 8);
}
